//! Everybody who decides for themselves while a level is played: the character at `start`, and those
//! of the others who have a goal of their own or are given tasks.

use apprentice::behavior::{Character, Deviation, Doing};
use apprentice::experience::Demonstration;
use apprentice::search::Budget;
use apprentice::world::{Abilities, AgentId, Order, Performer, Role, Scenario, World};

use super::errand::{Errand, TaskBook};
use crate::planning;
use crate::protocol::PlannerSettings;

/// What each of them may think in a moment: a few milliseconds.
const EXPANSIONS: u64 = 10_000;
/// What it may remember while it thinks.
const MEMORY: u64 = 512 << 20;
/// More would keep whoever watches waiting; all others go their routes.
const MOST: usize = 16;

/// Those who decide, and in how many moments they have.
pub(super) struct Cast {
    members: Vec<Member>,
    pub(super) decided: usize,
}

/// One of them.
pub(super) struct Member {
    pub(super) agent: AgentId,
    pub(super) mind: Character<Scenario>,
    pub(super) errand: Option<Errand>,
}

impl Cast {
    /// Those of a level, as they are when it begins.
    pub(super) fn of(
        scenario: &Scenario,
        settings: &PlannerSettings,
        shown: &[Demonstration],
        tasks: Option<&TaskBook>,
    ) -> Result<Cast, String> {
        let planner = planning::planner(scenario, settings, shown)?.planner;
        let tasked = match tasks {
            Some(tasks) => Some(tasks.agent(scenario)?),
            None => None,
        };
        let actors = (0..).zip(scenario.actors());
        let deciding = actors.filter(|(number, actor)| {
            let agent = AgentId::Actor(*number);
            agent == AgentId::NPC || actor.goal.is_some() || Some(agent) == tasked
        });
        let members = deciding.take(MOST).map(|(number, _)| {
            let agent = AgentId::Actor(number);
            let performer = Performer {
                role: (agent != AgentId::NPC).then(|| Role::of(agent)),
                abilities: Abilities::default(),
            };
            Member {
                agent,
                mind: Character::new(planner.clone(), performer),
                errand: None,
            }
        });
        let mut cast = Cast {
            members: members.collect(),
            decided: 0,
        };
        cast.take_up(scenario, tasks)?;
        Ok(cast)
    }

    /// All of them; whoever is at `start` first.
    pub(super) fn members(&self) -> &[Member] {
        &self.members
    }

    /// Takes tasks up, or others than before, or lets go of them.
    pub(super) fn take_up(
        &mut self,
        scenario: &Scenario,
        tasks: Option<&TaskBook>,
    ) -> Result<(), String> {
        let tasked = match tasks {
            Some(tasks) => Some((tasks, tasks.agent(scenario)?)),
            None => None,
        };
        for member in &mut self.members {
            match tasked {
                Some((tasks, agent)) if agent == member.agent => {
                    member.errand = Some(Errand::new(tasks, member.errand.as_ref()));
                }
                _ => {
                    if member.errand.take().is_some() {
                        let goal = scenario.goal_of(member.agent).clone();
                        member.mind.pursue(goal);
                    }
                }
            }
        }
        Ok(())
    }

    /// The level is another one from now on.
    pub(super) fn rearrange(
        &mut self,
        scenario: &Scenario,
        settings: &PlannerSettings,
        shown: &[Demonstration],
    ) -> Result<(), String> {
        let planner = planning::planner(scenario, settings, shown)?.planner;
        for member in &mut self.members {
            member.mind.change_planner(planner.clone());
        }
        Ok(())
    }

    /// What each of them does next, with what it may think in a moment; whoever is at `start` first.
    pub(super) fn decide(&mut self, scenario: &Scenario, world: &World) -> Vec<(AgentId, Order)> {
        self.decided += 1;
        let orders = self.members.iter_mut().map(|member| {
            let order = member.decide(scenario, world);
            (member.agent, order)
        });
        orders.collect()
    }
}

impl Member {
    fn decide(&mut self, scenario: &Scenario, world: &World) -> Order {
        if let Some(errand) = &mut self.errand {
            errand.go_on(&mut self.mind, (scenario, world, self.agent));
        }
        let mut budget = Budget::units(EXPANSIONS).within_memory(MEMORY);
        self.mind.decide(scenario, world, &mut budget)
    }

    /// What it is at. Between two tasks it is not done.
    pub(super) fn doing(&self) -> Doing {
        match (self.mind.doing(), &self.errand) {
            (Doing::Done, Some(errand)) if !errand.is_over() => Doing::Following,
            (doing, _) => doing,
        }
    }

    /// Why it left its last plan. That it has got another task is no reason: that is told of the task.
    pub(super) fn deviation(&self) -> Option<&Deviation> {
        let why = self.mind.deviation();
        why.filter(|why| self.errand.is_none() || !matches!(why, Deviation::NewGoal))
    }
}
