//! What others may change for whoever is planned for: whom they meet, what they open, and what they take.

use apprentice_search::{Budget, Debt};

use super::{Harmful, is_far_from};
use crate::hunting_ground::radius_for;
use crate::player_reach::PlayerReach;
use crate::quest_problem::QuestProblem;
use crate::{AgentId, DoorId, Gait, LeverId, Manner, Point, Rules, Scenario, World};

/// What others do at the most, found out a little at a time.
pub(super) struct Company {
    reach: PlayerReach,
    /// Where they might come to, once that is known, and the first place that was not looked at yet for
    /// the enemy whose turn it is.
    places: Option<Vec<usize>>,
    next: usize,
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
            places: None,
            next: 0,
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
        if self.places.is_none() {
            if !self.reach.go_on(scenario, budget) {
                return false;
            }
            let mut places: Vec<usize> = self.reach.places().collect();
            places.sort_unstable();
            places.dedup();
            self.places = Some(places);
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
        let places = self.places.as_deref().unwrap_or_default();
        while let Some(enemy) = scenario.tables.beasts.get(self.meets.len()) {
            if !self.debt.pay(budget) {
                return false;
            }
            let slot = self.meets.len();
            let mut meets = false;
            if start.beasts[slot].is_alive()
                && let Some(place) = places.get(self.next)
            {
                let (is_near, looks) = meets_at(scenario, start, slot, *place);
                self.debt.add(looks * A_LOOK);
                if !is_near {
                    self.next += 1;
                    continue;
                }
                meets = true;
            }
            self.meets.push(meets);
            self.next = 0;
            // They might kill it, or lead it somewhere.
            self.is_asked_for |= meets && quest.goal.is_about(AgentId::Enemy(*enemy));
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
        // Whoever the goal is about is there in all these worlds, behind whatever doors.
        let is_sought = |slot: usize| {
            let enemy = AgentId::Enemy(scenario.tables.beasts[slot]);
            start.beasts[slot].is_alive() && quest.goal.is_about(enemy)
        };
        if self.opened != (0, 0) && (0..start.beasts.len()).any(is_sought) {
            return false;
        }
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

/// Whether an enemy that lives might come near somebody in a place, or notice them there; and how many
/// looks that took.
fn meets_at(scenario: &Scenario, start: &World, slot: usize, place: usize) -> (bool, u64) {
    let (state, at) = (&start.beasts[slot], scenario.map.point_of(place));
    let (enemy, beast) = scenario.beast(slot);
    let usual = scenario.actors.iter().map(|actor| actor.stance);
    let stances = usual.chain(start.actors.iter().map(|actor| actor.stance));
    let noises = stances.map(|stance| Rules::noise(stance.gait()));
    let loudest = noises.fold(Rules::noise(Gait::Walk), f64::max);
    let arms = scenario.actors.iter().map(|actor| actor.reach);
    let arms = arms.fold(beast.reach, f64::max);
    // Whoever is between two places is no farther from the nearer one.
    let near = (beast.radius * loudest).max(arms) + 2.0 * scenario.map.spacing();
    let far = radius_for(beast.leash, beast.reach);
    let is_near = |from: Point| from.distance_to(at) <= near;
    if is_near(state.at()) {
        return (true, 1);
    }
    let ground = enemy.ground.as_deref();
    let is_astray = ground.is_none_or(|ground| !ground.contains(state.footing().1));
    if !is_astray && enemy.home.distance_to(at) > far + near {
        return (false, 1);
    }
    let Some(ground) = ground.filter(|_| !is_astray) else {
        // Nobody knows by which way it comes home.
        return (true, 1);
    };
    let mut looks = 1;
    let meets = ground.places().iter().any(|there| {
        looks += 1;
        is_near(scenario.map.point_of(*there as usize))
    });
    (meets, looks)
}
