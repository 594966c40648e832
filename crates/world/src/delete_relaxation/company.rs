//! What others may change for whoever is planned for: whom they meet, what they open, and what they take.

use apprentice_search::{Budget, Debt};

use super::{Harmful, is_far_from};
use crate::hunting_ground::radius_for;
use crate::player_reach::PlayerReach;
use crate::quest_problem::QuestProblem;
use crate::{AgentId, DoorId, Gait, LeverId, Manner, Rules, Scenario, World};

/// What others do at the most, found out a little at a time.
pub(super) struct Company {
    reach: PlayerReach,
    is_reached: bool,
    /// Whether they meet each enemy that moves, as far as that was looked at.
    meets: Vec<bool>,
    /// The levers they might pull and the doors they might open.
    opened: (u32, u32),
    takes_nothing: bool,
    /// Whether the goal is about one of them, or about an enemy they meet.
    is_asked_for: bool,
    is_out_of_the_way: bool,
    debt: Debt,
}

/// What a look at whether two places are near takes, in nanoseconds, about.
const A_LOOK: u64 = 2;

impl Company {
    pub(super) fn new(quest: &QuestProblem) -> Company {
        let is_asked_for = |actor: usize| {
            actor != quest.actor && quest.goal.is_about(AgentId::Actor(actor as u16))
        };
        Company {
            reach: PlayerReach::of_all_but(quest.role.agent, &quest.scenario, &quest.start),
            is_reached: false,
            meets: Vec::new(),
            opened: (0, 0),
            takes_nothing: false,
            is_asked_for: (0..quest.scenario.actors.len()).any(is_asked_for),
            is_out_of_the_way: false,
            debt: Debt::default(),
        }
    }

    /// Goes on. False: the budget is spent, call again.
    pub(super) fn go_on(&mut self, quest: &QuestProblem, budget: &mut Budget<'_>) -> bool {
        let (scenario, start) = (&quest.scenario, &quest.start);
        if !self.is_reached {
            if !self.reach.go_on(scenario, budget) {
                return false;
            }
            self.is_reached = true;
            let held = (start.actors.iter()).fold(0, |held, actor| held | actor.holding);
            self.takes_nothing = self.reach.might_take() & !held & !start.taken == 0;
            let doors = (0..scenario.doors.len() as u8).map(DoorId::new);
            let doors = doors.filter(|door| self.reach.might_open(*door));
            let levers = (0..scenario.levers.len() as u8).map(LeverId::new);
            let levers = levers.filter(|lever| self.reach.might_pull(*lever));
            self.opened = (
                levers.fold(0, |all, lever| all | lever.bit()),
                doors.fold(0, |all, door| all | door.bit()),
            );
        }
        while self.meets.len() < scenario.tables.beasts.len() {
            if !self.debt.pay(budget) {
                return false;
            }
            let slot = self.meets.len();
            let (meets, looks) = meets(scenario, start, slot, &self.reach);
            self.meets.push(meets);
            // They might kill it, or lead it somewhere.
            let enemy = AgentId::Enemy(scenario.tables.beasts[slot]);
            self.is_asked_for |= meets && quest.goal.is_about(enemy);
            self.debt.add(looks * A_LOOK);
        }
        self.is_out_of_the_way = self.opened == (0, 0)
            && !self.is_asked_for
            && !scenario.tables.some_must_survive
            && !self.meets.contains(&true)
            && !self.stands_by_a_guard(scenario);
        self.debt.pay(budget)
    }

    fn stands_by_a_guard(&self, scenario: &Scenario) -> bool {
        let mut places = self.reach.places();
        places.any(|place| {
            let at = scenario.map.point_of(place);
            scenario
                .enemies
                .iter()
                .any(|enemy| match &enemy.kind.manner {
                    Manner::Guard(guard) => enemy.home.distance_to(at) <= guard.radius,
                    Manner::Beast(_) => false,
                })
        })
    }

    /// Whether they neither meet enemies, nor open or pull anything, nor are any matter of the goal.
    pub(super) fn is_out_of_the_way(&self) -> bool {
        self.is_out_of_the_way
    }

    /// Whether they take nothing: otherwise who takes what depends on who comes first, which easier worlds
    /// don't know.
    pub(super) fn takes_nothing(&self) -> bool {
        self.takes_nothing
    }

    /// The levers they might pull and the doors they might open.
    pub(super) fn opened(&self) -> (u32, u32) {
        self.opened
    }

    /// Whether nothing they do makes a difference to an enemy, so that it can be looked at as if they were
    /// at home, and all they might open were open. Somebody who meets an enemy may lead it away, or die
    /// in somebody's stead; and where a door is open an enemy comes through.
    pub(super) fn leaves_alone(&self, quest: &QuestProblem, harmful: Harmful) -> bool {
        let (scenario, start) = (&quest.scenario, &quest.start);
        let slot = match harmful {
            Harmful::Beast(slot) => slot,
            Harmful::Guards => return !self.is_asked_for,
            Harmful::All => return self.is_out_of_the_way,
        };
        let (levers, doors) = self.opened;
        let pulled = scenario.levers.iter().enumerate();
        let pulled = pulled.filter(|(number, _)| levers >> number & 1 == 1);
        let moved = pulled.fold(doors, |all, (_, lever)| all | lever.opens | lever.toggles);
        let now = start.beasts[slot].at();
        let mut moved = (0..scenario.doors.len()).filter(|door| moved >> door & 1 == 1);
        let are_far = moved.all(|door| {
            let mut places = scenario.doors[door].places.iter();
            places.all(|place| is_far_from(scenario, slot, now, scenario.map.point_of(*place)))
        });
        are_far && !self.is_asked_for && !self.meets[slot]
    }
}

/// Whether an enemy might come near somebody in one of the places they reach, or notice them there; and
/// how many looks that took.
fn meets(scenario: &Scenario, start: &World, slot: usize, reach: &PlayerReach) -> (bool, u64) {
    let state = &start.beasts[slot];
    if !state.is_alive() {
        return (false, 1);
    }
    let (enemy, beast) = scenario.beast(slot);
    let gait = |actor: &crate::Actor| Rules::noise(actor.stance.gait());
    let loudest = scenario.actors.iter().map(gait);
    let loudest = loudest.fold(Rules::noise(Gait::Walk), f64::max);
    let arms = scenario.actors.iter().map(|actor| actor.reach);
    let arms = arms.fold(beast.reach, f64::max);
    // Whoever is between two places is no farther from the nearer one.
    let near = (beast.radius * loudest).max(arms) + 2.0 * scenario.map.spacing();
    let ground = enemy.ground.as_deref();
    let far = radius_for(beast.leash, beast.reach);
    let mut looks = 1;
    for place in reach.places() {
        let at = scenario.map.point_of(place);
        looks += 1;
        if state.at().distance_to(at) <= near {
            return (true, looks);
        }
        let distance = enemy.home.distance_to(at);
        if distance > far + near {
            continue;
        }
        let Some(ground) = ground else {
            return (true, looks);
        };
        for there in ground.places() {
            looks += 1;
            if scenario.map.point_of(*there as usize).distance_to(at) <= near {
                return (true, looks);
            }
        }
    }
    (false, looks)
}
