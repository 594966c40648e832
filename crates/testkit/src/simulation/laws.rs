//! What must hold at every tick, whatever happens.

use std::collections::BTreeSet;
use std::fmt;
use std::time::Duration;

use apprentice_behavior::{Character, Doing};
use apprentice_world::{AgentId, DoorId, Gait, Goal, ItemId, LeverId, Map, Order, Scenario, World};

/// A law.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Law {
    /// Nothing panics.
    Panic,
    /// No more is thought than was allowed.
    OverBudget,
    /// Orders can be carried out on this map.
    IllegalOrder,
    /// The dead stay dead.
    Risen,
    /// Who says that the goal is met is right, and who meets it says so.
    DoneFalsely,
    /// Who waits because there is no plan is right.
    StuckFalsely,
    /// Nobody thinks for ever.
    Frozen,
    /// Nobody paces to and fro for ever.
    Pacing,
    /// A game that was saved can be read and goes on as it would have.
    SavedOtherwise,
    /// What is proven about plans is true.
    BoundBroken,
    /// The same work in slices is the same work.
    SlicedOtherwise,
    /// The same seed is the same game.
    PlayedOtherwise,
}

impl Law {
    /// Whether whoever breaks it does harm to a game at once: there is no excuse, and none is known.
    pub fn is_hard(self) -> bool {
        !matches!(self, Law::StuckFalsely | Law::Frozen | Law::Pacing)
    }

    /// All there are.
    pub const ALL: [Law; 12] = [
        Law::Panic,
        Law::OverBudget,
        Law::IllegalOrder,
        Law::Risen,
        Law::DoneFalsely,
        Law::StuckFalsely,
        Law::Frozen,
        Law::Pacing,
        Law::SavedOtherwise,
        Law::BoundBroken,
        Law::SlicedOtherwise,
        Law::PlayedOtherwise,
    ];
}

impl fmt::Display for Law {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Law::Panic => "panics",
            Law::OverBudget => "over budget",
            Law::IllegalOrder => "illegal orders",
            Law::Risen => "risen from the dead",
            Law::DoneFalsely => "done falsely",
            Law::StuckFalsely => "stuck falsely",
            Law::Frozen => "frozen",
            Law::Pacing => "pacing",
            Law::SavedOtherwise => "saved otherwise",
            Law::BoundBroken => "bound broken",
            Law::SlicedOtherwise => "sliced otherwise",
            Law::PlayedOtherwise => "played otherwise",
        })
    }
}

/// A law that was broken, when, and how.
#[derive(Clone, Debug)]
pub struct Fault {
    /// The law.
    pub law: Law,
    /// When, in the time of the world.
    pub at: Duration,
    /// How.
    pub what: String,
}

impl Fault {
    pub(crate) fn new(law: Law, at: Duration, what: String) -> Fault {
        Fault { law, at, what }
    }
}

/// So many units without a plan or a verdict are a freeze: searching so long takes seconds of a whole
/// processor. Overtime does not count: patience is for states, however long each of them takes.
const FROZEN: u64 = 50_000;
/// Getting ready looks at every place some times: for the goal, each key, lever and door, and for what
/// was shown. Looks are cheap beside expansions.
const LOOKS_AT_A_PLACE: u64 = 15;

/// After so many units without a plan or a verdict somebody is frozen in this level.
pub(super) fn units_of_a_freeze(scenario: &Scenario) -> u64 {
    FROZEN + LOOKS_AT_A_PLACE * scenario.map().places() as u64
}

/// Going about for so long without coming anywhere new, in a world that nobody changes, is pacing.
const PACING: Duration = Duration::from_secs(60);
/// Whoever takes fewer steps in that time stands or waits.
const STEPS_OF_PACING: u32 = 20;
/// Second opinions are dear.
const MOST_OPINIONS: u32 = 3;

/// What has been seen so far, and which laws were broken.
pub(super) struct Laws {
    faults: Vec<Fault>,
    is_over: bool,
    dead: Vec<AgentId>,
    /// Units taken in thought since anything came of it.
    thought: u64,
    plans: u32,
    doing: Doing,
    opinions: u32,
    /// Whether nobody has been asked yet about its giving up.
    is_newly_stuck: bool,
    /// Where the character has been and how things were then, since somebody last changed the world.
    known: BTreeSet<(usize, u64)>,
    last_new: Duration,
    place: usize,
    steps: u32,
}

impl Laws {
    pub(super) fn new(scenario: &Scenario, world: &World) -> Laws {
        Laws {
            faults: Vec::new(),
            is_over: false,
            dead: Vec::new(),
            thought: 0,
            plans: 0,
            doing: Doing::Thinking,
            opinions: 0,
            is_newly_stuck: false,
            known: BTreeSet::new(),
            last_new: world.time(),
            place: world.place(AgentId::NPC, scenario),
            steps: 0,
        }
    }

    /// Whether the game need not go on: a law was broken that will be broken again at every tick.
    pub(super) fn is_over(&self) -> bool {
        self.is_over
    }

    pub(super) fn into_faults(self) -> Vec<Fault> {
        self.faults
    }

    pub(super) fn broken(&mut self, law: Law, at: Duration, what: String) {
        if !self.faults.iter().any(|fault| fault.law == law) {
            self.faults.push(Fault::new(law, at, what));
        }
        self.is_over |= matches!(law, Law::Frozen | Law::Pacing | Law::StuckFalsely);
    }

    /// Somebody has changed the world, or the character.
    pub(super) fn disturbed(&mut self, scenario: &Scenario, world: &World) {
        self.thought = 0;
        self.known.clear();
        self.steps = 0;
        self.last_new = world.time();
        self.place = world.place(AgentId::NPC, scenario);
        self.dead.retain(|agent| world.is_dead(*agent, scenario));
        self.is_newly_stuck |= self.doing == Doing::Stuck;
    }

    /// Looks at a decision.
    pub(super) fn decided(
        &mut self,
        scenario: &Scenario,
        world: &World,
        goal: &Goal,
        character: &Character<Scenario>,
        order: Order,
        [taken, overtime, allowed]: [u64; 3],
    ) {
        let now = world.time();
        if taken > allowed {
            self.broken(Law::OverBudget, now, format!("{taken} of {allowed}"));
        }
        if !world.is_under_way(AgentId::NPC) && !is_legal(scenario, world, order) {
            let at = world.position(AgentId::NPC, scenario);
            self.broken(Law::IllegalOrder, now, format!("`{order}` at {at}"));
        }
        let doing = character.doing();
        let is_dead = world.is_dead(AgentId::NPC, scenario);
        let is_met = goal.is_met(&world.seen_in(scenario));
        if (doing == Doing::Done) != (is_met && !is_dead) || (doing == Doing::Dead) != is_dead {
            let met = if is_met { "met" } else { "not met" };
            self.broken(
                Law::DoneFalsely,
                now,
                format!("{doing:?}, the goal is {met}"),
            );
        }
        if doing != Doing::Thinking || character.plans() != self.plans {
            self.thought = 0;
        } else {
            self.thought += taken - overtime;
        }
        if self.thought > units_of_a_freeze(scenario) {
            let what = format!("{} units without a plan or a verdict", self.thought);
            self.broken(Law::Frozen, now, what);
        }
        self.plans = character.plans();
        if doing == Doing::Stuck && self.doing != Doing::Stuck {
            self.is_newly_stuck = true;
        }
        self.doing = doing;
    }

    /// Whether a character has just given up, so that others should be asked.
    pub(super) fn wants_a_second_opinion(
        &mut self,
        character: &Character<Scenario>,
        world: &World,
    ) -> bool {
        let wants = self.is_newly_stuck
            && character.doing() == Doing::Stuck
            && !world.is_under_way(AgentId::NPC)
            && self.opinions < MOST_OPINIONS;
        if wants {
            self.is_newly_stuck = false;
            self.opinions += 1;
        }
        wants
    }

    /// Looks at the world a moment later.
    pub(super) fn advanced(&mut self, scenario: &Scenario, world: &World) {
        let now = world.time();
        if let Some(agent) = self
            .dead
            .iter()
            .find(|agent| !world.is_dead(**agent, scenario))
        {
            self.broken(Law::Risen, now, format!("{agent:?}"));
        }
        let actors = (0..scenario.actors().len() as u16).map(AgentId::Actor);
        let enemies = (0..scenario.enemies().len() as u16).map(AgentId::Enemy);
        for agent in actors.chain(enemies) {
            if world.is_dead(agent, scenario) && !self.dead.contains(&agent) {
                self.dead.push(agent);
            }
        }
        let place = world.place(AgentId::NPC, scenario);
        if place != self.place {
            self.place = place;
            self.steps += 1;
        }
        if self.known.insert((place, flags(scenario, world))) {
            self.last_new = now;
            self.steps = 0;
        }
        let since = now.saturating_sub(self.last_new);
        if since > PACING && self.steps >= STEPS_OF_PACING && self.doing != Doing::Done {
            let what = format!("{} steps and nowhere new", self.steps);
            self.broken(Law::Pacing, now, what);
        }
    }
}

/// How things are, as one number: items, doors, levers and who is dead.
fn flags(scenario: &Scenario, world: &World) -> u64 {
    let mut flags = 0u64;
    let mut add = |flag: bool| {
        flags = flags.rotate_left(1) ^ u64::from(flag);
        flags = flags.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    };
    for item in (0..scenario.items().len() as u8).map(ItemId::new) {
        add(world.is_lying(item));
        add(world.holds(AgentId::NPC, item));
    }
    (0..scenario.doors().len() as u8).for_each(|door| add(world.is_open(DoorId::new(door))));
    (0..scenario.levers().len() as u8).for_each(|lever| add(world.is_on(LeverId::new(lever))));
    let enemies = (0..scenario.enemies().len() as u16).map(AgentId::Enemy);
    enemies.for_each(|enemy| add(world.is_dead(enemy, scenario)));
    flags
}

/// Whether walls let an order be carried out by somebody who stands.
fn is_legal(scenario: &Scenario, world: &World, order: Order) -> bool {
    let can_run = scenario.rules().speed(Gait::Run) > 0.0;
    if order.stance().gait() == Gait::Run && !can_run {
        return false;
    }
    let map = scenario.map();
    let place = world.place(AgentId::NPC, scenario);
    match (order, map) {
        (Order::Wait(_) | Order::Use(_), _) => true,
        (Order::Step(direction, _), Map::Grid(grid)) => grid.has_exit(grid.cell(place), direction),
        (Order::Step(direction, _), Map::Mesh(_)) => {
            // Whoever steps off a ledge lands farther away, but that way.
            let (x, y) = direction.offset();
            let (x, y) = (f64::from(x), f64::from(y));
            let at = map.point_of(place);
            let falls = map.steps_from(place).any(|step| {
                let to = map.point_of(step.place);
                let (dx, dy) = (to.x - at.x, to.y - at.y);
                let is_that_way =
                    dx * x + dy * y > 0.0 && (dx * y - dy * x).abs() < 0.5 * map.spacing();
                let is_lower = map.height_of(step.place) < map.height_of(place);
                step.delay > 0.0 && is_lower && is_that_way
            });
            let mut level = map.level_steps(place);
            falls || level.any(|(way, _)| way == direction)
        }
        (Order::Leap(_), Map::Grid(_)) => false,
        (Order::Leap(_), Map::Mesh(_)) => map.steps_from(place).next().is_some(),
    }
}

#[cfg(test)]
mod tests {
    use apprentice_behavior::Settings;
    use apprentice_world::{Abilities, Direction, Observation, Orders, Stance};

    use super::*;

    fn corridor() -> Scenario {
        let text = "format = 1\nstart = [0, 0]\ngoal = { within = { at = [4, 0], radius = 0.0 } }\nmap = { rows = ['.....'] }";
        Scenario::parse(text).expect("the scenario is sound")
    }

    fn broken(laws: &Laws) -> Vec<Law> {
        laws.faults.iter().map(|fault| fault.law).collect()
    }

    fn step(direction: Direction) -> Order {
        Order::Step(direction, Stance::new(Gait::Walk))
    }

    #[test]
    fn who_walks_to_and_fro_paces_and_who_waits_does_not() {
        let scenario = corridor();
        for (orders, paces) in [
            ([step(Direction::East), step(Direction::West)], true),
            ([Order::WAIT, Order::WAIT], false),
        ] {
            let mut world = World::new(&scenario);
            let mut laws = Laws::new(&scenario, &world);
            for second in 0..70 {
                let orders = Orders::new(orders[second % 2]);
                world.advance(&scenario, &orders, Duration::from_secs(1), &mut ());
                laws.advanced(&scenario, &world);
            }
            assert_eq!(broken(&laws).contains(&Law::Pacing), paces);
        }
    }

    #[test]
    fn what_must_not_be_is_noticed() {
        let scenario = corridor();
        let mut world = World::new(&scenario);
        let mut laws = Laws::new(&scenario, &world);
        let planner = Settings::default().check(&scenario, []);
        let planner = planner.expect("the settings fit").planner;
        let character = Character::new(planner, Abilities::default());
        let met = Goal::All(vec![]);
        let into_the_wall = step(Direction::North);
        let freeze = units_of_a_freeze(&scenario);
        let decide = |laws: &mut Laws, goal: &Goal, order, taken| {
            laws.decided(
                &scenario,
                &world,
                goal,
                &character,
                order,
                [taken, 0, freeze],
            );
        };
        decide(&mut laws, scenario.goal(), step(Direction::East), 1);
        assert_eq!(broken(&laws), []);
        decide(&mut laws, scenario.goal(), into_the_wall, freeze + 1);
        decide(&mut laws, &met, Order::WAIT, 0);
        for health in [0.0, 50.0] {
            world.observe(&scenario, Observation::Health(AgentId::NPC, health));
            laws.advanced(&scenario, &world);
        }
        let expected = [
            Law::OverBudget,
            Law::IllegalOrder,
            Law::Frozen,
            Law::DoneFalsely,
            Law::Risen,
        ];
        assert_eq!(broken(&laws), expected);
    }
}
