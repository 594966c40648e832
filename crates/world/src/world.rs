//! All that changes in a run.

use std::time::Duration;

use apprentice_search::Cost;
use smallvec::SmallVec;

use crate::digest::Digest;
use crate::goal::Situation;
use crate::map::Move;
use crate::scenario::FULL_HEALTH;
use crate::{
    AgentId, DoorId, Enemy, Goal, ItemId, LeverId, Manner, Map, Peril, Point, Scenario, Stance,
    Thing, ViewAtPlace, items,
};

/// All that changes in a run: as much as the level has of everything. With up to two who take orders
/// and eight enemies that move it holds no memory of its own, and cloning copies some 500 bytes.
///
/// A world belongs to the scenario it was made in, and to those with the same people in it.
///
/// ```
/// use std::time::Duration;
/// use apprentice_world::{AgentId, Direction, Gait, Order, Orders, Point, Scenario, Stance, World};
///
/// let scenario = Scenario::parse(r#"
///     format = 1
///     start = [0, 0]
///     goal = { within = { at = [4, 0], radius = 0.0 } }
///     map = { rows = ["....."] }
/// "#)?;
/// let mut world = World::new(&scenario);
/// let east = Orders::new(Order::Step(Direction::East, Stance::new(Gait::Walk)));
/// world.advance(&scenario, &east, Duration::from_secs(3), &mut ());
/// assert_eq!(world.position(AgentId::NPC, &scenario), Point::new(3.0, 0.0));
/// # Ok::<(), apprentice_world::ScenarioError>(())
/// ```
#[derive(Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct World {
    /// Nanoseconds since the beginning.
    pub(crate) time: u64,
    /// Which doors are open.
    pub(crate) doors: u32,
    /// Which levers were pulled.
    pub(crate) levers: u32,
    /// Which items are no longer where they lay.
    pub(crate) taken: u32,
    /// Which traps hurt nobody any more, because they have hurt somebody.
    pub(crate) sprung: u32,
    /// As many as the scenario has.
    #[cfg_attr(feature = "serde", serde(with = "crate::saved::few"))]
    pub(crate) actors: SmallVec<[ActorState; FEW_ACTORS]>,
    /// As many as the scenario has of those that move.
    #[cfg_attr(feature = "serde", serde(with = "crate::saved::few"))]
    pub(crate) beasts: SmallVec<[BeastState; FEW_BEASTS]>,
}

/// Those who take orders, of whom a world keeps so many without asking for memory.
pub(crate) const FEW_ACTORS: usize = 2;
/// The same of enemies that move.
pub(crate) const FEW_BEASTS: usize = 8;

/// Something about each of those who take orders.
pub(crate) type OfActors<T> = SmallVec<[T; FEW_ACTORS]>;

impl Clone for World {
    /// Copies what there is, which is faster than asking each part for a clone.
    #[inline]
    fn clone(&self) -> World {
        World {
            actors: SmallVec::from_slice(&self.actors),
            beasts: SmallVec::from_slice(&self.beasts),
            ..*self
        }
    }
}

/// What changes about somebody who takes orders.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct ActorState {
    /// Nanoseconds since it left `place`.
    pub(crate) moved: u64,
    /// Where it stands, or was when its step began.
    pub(crate) place: u32,
    #[cfg_attr(
        feature = "serde",
        serde(with = "apprentice_search::saved::short_real")
    )]
    pub(crate) health: f32,
    #[cfg_attr(
        feature = "serde",
        serde(with = "apprentice_search::saved::short_real")
    )]
    pub(crate) stamina: f32,
    /// The millisecond from which it can strike again.
    pub(crate) ready_at: u64,
    /// Which items it carries.
    pub(crate) holding: u32,
    /// Whatever its script wants to remember.
    pub(crate) memory: u32,
    /// What it is doing.
    pub(crate) step: Option<Move>,
    pub(crate) stance: Stance,
}

/// What changes about an enemy that moves.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(crate) struct BeastState {
    #[cfg_attr(
        feature = "serde",
        serde(with = "apprentice_search::saved::short_real")
    )]
    pub(crate) x: f32,
    #[cfg_attr(
        feature = "serde",
        serde(with = "apprentice_search::saved::short_real")
    )]
    pub(crate) y: f32,
    #[cfg_attr(
        feature = "serde",
        serde(with = "apprentice_search::saved::short_real")
    )]
    pub(crate) health: f32,
    /// The millisecond from which it can strike again.
    pub(crate) ready_at: u64,
    /// The millisecond at which it last noticed its target.
    pub(crate) seen_at: u64,
    /// The place it is in or about to reach.
    pub(crate) place: u32,
    /// The actor it is after.
    pub(crate) target: u16,
    pub(crate) mode: Mode,
}

/// What an enemy is doing.
///
/// ```
/// use apprentice_world::Mode;
///
/// assert_ne!(Mode::Idle, Mode::Pursue);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Mode {
    /// At home, listening.
    Idle,
    /// Goes after somebody.
    Pursue,
    /// Is near enough to strike.
    Attack,
    /// Has given up and goes home.
    Return,
}

impl Mode {
    /// All four.
    pub const ALL: [Mode; 4] = [Mode::Idle, Mode::Pursue, Mode::Attack, Mode::Return];

    /// Its name, as files have it.
    ///
    /// ```
    /// # use apprentice_world::Mode;
    /// assert_eq!(Mode::Pursue.name(), "pursue");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Mode::Idle => "idle",
            Mode::Pursue => "pursue",
            Mode::Attack => "attack",
            Mode::Return => "return",
        }
    }

    /// Whether it is after somebody.
    #[inline]
    pub const fn is_hostile(self) -> bool {
        matches!(self, Mode::Pursue | Mode::Attack)
    }
}

impl World {
    /// The beginning of a run, or where the scenario says that it begins.
    pub fn new(scenario: &Scenario) -> World {
        let Some(snapshot) = &scenario.snapshot else {
            return World::at_the_beginning(scenario);
        };
        let mut world = World::clone(snapshot);
        world.taken |= scenario.absent;
        for actor in &mut world.actors {
            actor.holding &= !scenario.absent;
        }
        world
    }

    /// The beginning of a run, whatever else the scenario says.
    pub(crate) fn at_the_beginning(scenario: &Scenario) -> World {
        let actors = scenario.actors.iter().map(|actor| ActorState {
            moved: 0,
            place: actor.place,
            health: actor.health as f32,
            stamina: FULL_HEALTH as f32,
            ready_at: 0,
            holding: 0,
            memory: 0,
            step: None,
            stance: actor.stance,
        });
        let beasts = (0..scenario.tables.beasts.len()).map(|slot| {
            let (enemy, beast) = scenario.beast(slot);
            let home = crate::enemies::kept(enemy.home);
            BeastState {
                x: home.x as f32,
                y: home.y as f32,
                health: beast.health as f32,
                ready_at: 0,
                seen_at: 0,
                place: enemy.place,
                target: 0,
                mode: Mode::Idle,
            }
        });
        let mut world = World {
            time: 0,
            doors: 0,
            levers: 0,
            taken: scenario.absent,
            sprung: 0,
            actors: actors.collect(),
            beasts: beasts.collect(),
        };
        for (number, door) in scenario.doors.iter().enumerate() {
            let opens = door
                .cycle
                .map_or(door.starts_open, |cycle| cycle.is_open_at(0));
            world.doors |= u32::from(opens) << number;
        }
        // What lies on the start is held from the beginning.
        for actor in 0..scenario.actors.len() {
            let pulls = scenario.map.grid().is_some();
            items::reach_out(&mut world, scenario, actor, pulls, &mut ());
        }
        world
    }

    /// How long the run has lasted; at most 584 years.
    pub fn time(&self) -> Duration {
        Duration::from_nanos(self.time)
    }

    /// Where an agent is; [`Point::NOWHERE`] if the scenario has no such agent.
    ///
    /// ```
    /// # use apprentice_world::{AgentId, Scenario, World};
    /// # let scenario = Scenario::parse("format = 1\nstart = [0, 0]\ngoal = { all = [] }\nmap = { rows = ['.'] }").unwrap();
    /// let world = World::new(&scenario);
    /// assert_eq!(world.position(AgentId::NPC, &scenario).x, 0.0);
    /// assert!(world.position(AgentId::PLAYER, &scenario).x.is_nan(), "there is no player");
    /// ```
    pub fn position(&self, agent: AgentId, scenario: &Scenario) -> Point {
        match agent {
            AgentId::Actor(actor) if usize::from(actor) < self.actors.len() => {
                self.actor_position(scenario, usize::from(actor))
            }
            AgentId::Actor(_) => Point::NOWHERE,
            AgentId::Enemy(enemy) => match scenario.enemy(enemy) {
                Some(enemy) => self.beast(enemy).map_or(enemy.home, BeastState::at),
                None => Point::NOWHERE,
            },
        }
    }

    /// The place of the map an agent is in; the one it comes from while it makes a step.
    /// [`Map::NO_PLACE`] if the scenario has no such agent.
    pub fn place(&self, agent: AgentId, scenario: &Scenario) -> usize {
        let place = match agent {
            AgentId::Actor(_) => self.actor(agent).map(|actor| actor.place),
            AgentId::Enemy(enemy) => scenario.enemy(enemy).map(|enemy| {
                let beast = self.beast(enemy);
                beast.map_or(enemy.place, |beast| beast.place)
            }),
        };
        place.map_or(Map::NO_PLACE, |place| place as usize)
    }

    /// Whether somebody who takes orders is in the middle of a step, and hears the next order at its
    /// end.
    pub fn is_under_way(&self, agent: AgentId) -> bool {
        self.actor(agent).is_some_and(|actor| actor.step.is_some())
    }

    /// The place that somebody who takes orders is on its way to; none unless it is in the middle of a
    /// step. What it is ordered meanwhile begins there.
    ///
    /// ```
    /// # use apprentice_world::{AgentId, Direction, Gait, Order, Orders, Scenario, Stance, World};
    /// # use std::time::Duration;
    /// # let scenario = Scenario::parse("format = 1\nstart = [0, 0]\ngoal = { all = [] }\nmap = { rows = ['..'] }").unwrap();
    /// let mut world = World::new(&scenario);
    /// assert_eq!(world.goes_to(AgentId::NPC, &scenario), None);
    /// let east = Orders::new(Order::Step(Direction::East, Stance::new(Gait::Walk)));
    /// world.advance(&scenario, &east, Duration::from_millis(10), &mut ());
    /// assert_eq!(world.goes_to(AgentId::NPC, &scenario), Some(1));
    /// ```
    pub fn goes_to(&self, agent: AgentId, scenario: &Scenario) -> Option<usize> {
        let actor = self.actor(agent)?;
        let step = scenario.map.follow(actor.place as usize, actor.step?)?;
        Some(step.place)
    }

    /// The health of an agent; infinite for guards, who cannot be hurt, and not a number if the
    /// scenario has no such agent.
    pub fn health(&self, agent: AgentId, scenario: &Scenario) -> f64 {
        match agent {
            AgentId::Actor(_) => {
                let actor = self.actor(agent);
                actor.map_or(f64::NAN, |actor| f64::from(actor.health))
            }
            AgentId::Enemy(enemy) => match scenario.enemy(enemy) {
                Some(enemy) => {
                    let beast = self.beast(enemy);
                    beast.map_or(f64::INFINITY, |beast| f64::from(beast.health))
                }
                None => f64::NAN,
            },
        }
    }

    /// Whether an agent is dead; nobody is who does not exist.
    pub fn is_dead(&self, agent: AgentId, scenario: &Scenario) -> bool {
        self.health(agent, scenario) <= 0.0
    }

    /// The stamina of an agent; enemies never tire, and who does not exist has none.
    pub fn stamina(&self, agent: AgentId) -> f64 {
        match agent {
            AgentId::Actor(_) => {
                let actor = self.actor(agent);
                actor.map_or(0.0, |actor| f64::from(actor.stamina))
            }
            AgentId::Enemy(_) => FULL_HEALTH,
        }
    }

    /// How somebody who takes orders carries itself; `None` for everybody else.
    pub fn stance(&self, agent: AgentId) -> Option<Stance> {
        self.actor(agent).map(|actor| actor.stance)
    }

    /// What its script remembers; nothing of enemies.
    pub(crate) fn memory(&self, agent: AgentId) -> u32 {
        self.actor(agent).map_or(0, |actor| actor.memory)
    }

    /// What an enemy is doing; `None` for everybody else. A guard is always idle.
    pub fn mode(&self, agent: AgentId, scenario: &Scenario) -> Option<Mode> {
        let AgentId::Enemy(enemy) = agent else {
            return None;
        };
        let beast = self.beast(scenario.enemy(enemy)?);
        Some(beast.map_or(Mode::Idle, |beast| beast.mode))
    }

    /// Whom an enemy is after; `None` if it is after nobody, or dead.
    ///
    /// ```
    /// # use apprentice_world::{AgentId, Scenario, World};
    /// # let scenario = Scenario::parse("format = 1\nstart = [0, 0]\ngoal = { dead = 'grey' }\nmap = { rows = ['...'] }\nenemy = [{ id = 'grey', kind = 'wolf', at = [2, 0] }]").unwrap();
    /// let asleep = World::new(&scenario);
    /// assert_eq!(asleep.target(AgentId::Enemy(0), &scenario), None);
    /// ```
    pub fn target(&self, agent: AgentId, scenario: &Scenario) -> Option<AgentId> {
        let AgentId::Enemy(enemy) = agent else {
            return None;
        };
        let beast = self.beast(scenario.enemy(enemy)?)?;
        let is_after = beast.is_alive() && beast.mode.is_hostile();
        is_after.then_some(AgentId::Actor(beast.target))
    }

    /// Whether an agent holds an item.
    pub fn holds(&self, agent: AgentId, item: ItemId) -> bool {
        self.held_by(agent) & item.bit() != 0
    }

    /// The items an agent holds.
    pub fn holding(&self, agent: AgentId) -> impl Iterator<Item = ItemId> + use<> {
        let held = self.held_by(agent);
        (0..Scenario::MOST_THINGS as u8)
            .map(ItemId::new)
            .filter(move |item| held & item.bit() != 0)
    }

    fn held_by(&self, agent: AgentId) -> u32 {
        self.actor(agent).map_or(0, |actor| actor.holding)
    }

    /// Somebody who takes orders, if there is such an actor.
    fn actor(&self, agent: AgentId) -> Option<&ActorState> {
        let AgentId::Actor(actor) = agent else {
            return None;
        };
        self.actors.get(usize::from(actor))
    }

    /// What changes about an enemy, if anything does.
    fn beast(&self, enemy: &Enemy) -> Option<&BeastState> {
        self.beasts.get(usize::from(enemy.slot?))
    }

    /// Whether an item still lies where it lay at the beginning; one that no level can have lies
    /// nowhere.
    pub fn is_lying(&self, item: ItemId) -> bool {
        !self.taken & item.bit() != 0
    }

    /// Whether a door is open.
    pub fn is_open(&self, door: DoorId) -> bool {
        self.doors & door.bit() != 0
    }

    /// Whether a lever was pulled.
    pub fn is_on(&self, lever: LeverId) -> bool {
        self.levers & lever.bit() != 0
    }

    /// This world as goals and estimates of whom the scenario [plans for](Scenario::agent) see it.
    #[inline]
    pub fn seen_in<'a>(&'a self, scenario: &'a Scenario) -> View<'a> {
        self.seen_by(scenario.agent, scenario)
    }

    /// This world as goals and estimates see it that are somebody's own: who is within reach of a
    /// place, and holds what.
    ///
    /// ```
    /// # use apprentice_world::{AgentId, Scenario, World};
    /// let scenario = Scenario::parse(r#"
    ///     format = 1
    ///     start = [0, 0]
    ///     goal = { within = { at = [4, 0], radius = 0.0 } }
    ///     map = { rows = ["....."] }
    ///     actor = [{ id = "anna", at = [4, 0] }]
    /// "#)?;
    /// let (world, anna) = (World::new(&scenario), scenario.actor("anna")?);
    /// assert!(!scenario.goal().is_met(&world.seen_in(&scenario)));
    /// assert!(scenario.goal().is_met(&world.seen_by(anna, &scenario)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    pub fn seen_by<'a>(&'a self, agent: AgentId, scenario: &'a Scenario) -> View<'a> {
        View {
            world: self,
            scenario,
            agent,
            parts_met: 0,
        }
    }

    /// What is left of somebody's goal after this moment, if a part of it is met that need not stay so,
    /// because its parts are to be met [one after the other](Goal::InOrder); `None` if that is all of it.
    /// Whoever plays asks in every tick, and goes on with what is left, as characters do. Places that are
    /// passed between two ticks count.
    ///
    /// ```
    /// use apprentice_world::{AgentId, Goal, Scenario, World};
    ///
    /// let scenario = Scenario::parse(r#"
    ///     format = 1
    ///     start = [0, 0]
    ///     goal = { in_order = [{ within = { at = [0, 0] } }, { within = { at = [9, 0] } }] }
    ///     map = { rows = [".........."] }
    /// "#)?;
    /// let world = World::new(&scenario);
    /// let left = world.left_of(scenario.goal(), AgentId::NPC, &scenario).expect("it begins there");
    /// assert_eq!(left.order().map(<[Goal]>::len), Some(1));
    /// assert_eq!(world.left_of(&left, AgentId::NPC, &scenario), None);
    /// # Ok::<(), apprentice_world::ScenarioError>(())
    /// ```
    pub fn left_of(&self, goal: &Goal, agent: AgentId, scenario: &Scenario) -> Option<Goal> {
        goal.order()?;
        let met = self.parts_met(goal, 0, agent, scenario);
        (met > 0).then(|| goal.without_parts(met))
    }

    /// How many parts of somebody's goal that has an order were met, if so many were before.
    pub(crate) fn parts_met(
        &self,
        goal: &Goal,
        before: usize,
        agent: AgentId,
        scenario: &Scenario,
    ) -> usize {
        let place = self.place(agent, scenario);
        if goal.order().is_none() || place == Map::NO_PLACE {
            return 0;
        }
        // Whoever passes a place is in it for less than a moment, and its next step leaves from there.
        let now = self.seen_by(agent, scenario);
        let (at, height) = (scenario.map.point_of(place), scenario.map.height_of(place));
        let passing = ViewAtPlace::new(now, at, height);
        goal.parts_met_in(before, |part| part.is_true(&now) || part.is_true(&passing))
    }

    /// A number that two worlds share only if they are the same, on every machine: to find out
    /// whether two games have gone apart, or whether a saved one is what it was.
    ///
    /// Only what can still matter counts. A world that was written down by [`World::snapshot`] and read
    /// back has the digest it had, and keeps it as long as both go on alike.
    ///
    /// ```
    /// # use std::time::Duration;
    /// # use apprentice_world::{Order, Orders, Scenario, World};
    /// # let scenario = Scenario::parse("format = 1\nstart = [0, 0]\ngoal = { all = [] }\nmap = { rows = ['.'] }").unwrap();
    /// let mut world = World::new(&scenario);
    /// let before = world.digest();
    /// world.advance(&scenario, &Orders::new(Order::WAIT), Duration::from_secs(1), &mut ());
    /// assert_ne!(world.digest(), before);
    /// ```
    pub fn digest(&self) -> u64 {
        self.without_past().digest_with_past()
    }

    /// The same world, in which what lies in the past never was: when somebody was ready to strike,
    /// if that moment has come; whom an enemy noticed and when, unless it lives and is after somebody.
    pub(crate) fn without_past(&self) -> World {
        let mut world = self.clone();
        let still_to_come = |moment: u64| if self.has_come(moment) { 0 } else { moment };
        for actor in &mut world.actors {
            actor.ready_at = still_to_come(actor.ready_at);
        }
        for beast in &mut world.beasts {
            let lives = beast.is_alive();
            beast.ready_at = still_to_come(if lives { beast.ready_at } else { 0 });
            if !lives || !beast.mode.is_hostile() {
                (beast.seen_at, beast.target) = (0, 0);
            }
        }
        world
    }

    /// A number for everything a world keeps. Recordings up to the second version end with it.
    pub(crate) fn digest_with_past(&self) -> u64 {
        let mut digest = Digest::new();
        digest.number(self.time);
        for set in [self.doors, self.levers, self.taken] {
            digest.number(u64::from(set));
        }
        for actor in &self.actors {
            digest.number(actor.moved);
            digest.number(u64::from(actor.place));
            digest.number(u64::from(actor.health.to_bits()));
            digest.number(u64::from(actor.stamina.to_bits()));
            digest.number(actor.ready_at);
            digest.number(u64::from(actor.holding));
            digest.number(u64::from(actor.memory));
            digest.number(number_of(actor.step));
            digest.number(u64::from(actor.stance.bits()));
        }
        // Worlds had room for so many once, and told of all of it; digests are kept in files.
        for _ in self.actors.len()..FEW_ACTORS {
            for number in [0, 0, 0, 0, 0, 0, 0, number_of(None), 0] {
                digest.number(number);
            }
        }
        for beast in &self.beasts {
            for real in [beast.x, beast.y, beast.health] {
                digest.number(u64::from(real.to_bits()));
            }
            digest.number(beast.ready_at);
            digest.number(beast.seen_at);
            digest.number(u64::from(beast.place));
            digest.number(u64::from(beast.target) << 8 | beast.mode as u64);
        }
        for _ in self.beasts.len()..FEW_BEASTS {
            (0..7).for_each(|_| digest.number(0));
        }
        if self.sprung != 0 {
            digest.number(u64::from(self.sprung));
        }
        digest.value()
    }

    /// Whole milliseconds since the beginning.
    #[inline]
    pub(crate) fn milliseconds(&self) -> u64 {
        self.time / 1_000_000
    }

    /// Whether a moment given in milliseconds has come.
    #[inline]
    pub(crate) fn has_come(&self, millisecond: u64) -> bool {
        self.milliseconds() >= millisecond
    }

    /// The first whole millisecond at least `seconds` from now.
    #[inline]
    pub(crate) fn in_seconds(&self, seconds: f64) -> u64 {
        self.time.div_ceil(1_000_000) + (seconds * 1000.0 + 0.5) as u64
    }

    #[inline]
    pub(crate) fn actor_is_alive(&self, actor: usize) -> bool {
        self.actors[actor].health > 0.0
    }

    #[inline]
    pub(crate) fn actor_footing(&self, scenario: &Scenario, actor: usize) -> Footing {
        let place = self.actors[actor].place as usize;
        (self.actor_position(scenario, actor), place)
    }

    #[inline]
    pub(crate) fn actor_position(&self, scenario: &Scenario, actor: usize) -> Point {
        let state = &self.actors[actor];
        let from = scenario.map.point_of(state.place as usize);
        let Some(action) = state.step else {
            return from;
        };
        let place = state.place as usize;
        if let (Move::Step(direction), Map::Grid(_)) = (action, &*scenario.map) {
            // What leads into a wall is never begun.
            let part =
                state.moved as f64 / scenario.rules.step_time(direction, state.stance) as f64;
            let (x, y) = direction.offset();
            return Point::new(from.x + f64::from(x) * part, from.y + f64::from(y) * part);
        }
        let Some(step) = scenario.map.follow(place, action) else {
            return from;
        };
        let part = state.moved as f64 / scenario.time_of(place, action, state.stance) as f64;
        let to = scenario.map.point_of(step.place);
        Point::new(
            from.x + (to.x - from.x) * part,
            from.y + (to.y - from.y) * part,
        )
    }
}

/// What somebody does, as digests tell it.
const fn number_of(step: Option<Move>) -> u64 {
    match step {
        None => u64::MAX,
        Some(Move::Step(direction)) => direction as u64,
        Some(Move::Leap(number)) => 8 + number as u64,
        Some(Move::Use) => 12,
    }
}

/// Where somebody is, and in which place.
pub(crate) type Footing = (Point, usize);

/// Where all who take orders are.
pub(crate) type Footings = OfActors<Footing>;

impl BeastState {
    #[inline]
    pub(crate) fn footing(&self) -> Footing {
        (self.at(), self.place as usize)
    }

    #[inline]
    pub(crate) fn at(&self) -> Point {
        Point::new(f64::from(self.x), f64::from(self.y))
    }

    #[inline]
    pub(crate) fn is_alive(&self) -> bool {
        self.health > 0.0
    }
}

/// A world together with its scenario, as goals and estimates see it.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    world: &'a World,
    scenario: &'a Scenario,
    agent: AgentId,
    parts_met: usize,
}

impl View<'_> {
    /// The same by somebody who remembers that so many parts of a goal with an order were met.
    #[must_use]
    pub(crate) fn with_parts_met(mut self, parts_met: usize) -> Self {
        self.parts_met = parts_met;
        self
    }
}

impl Situation for View<'_> {
    #[inline]
    fn parts_met(&self) -> usize {
        self.parts_met
    }

    #[inline]
    fn agent(&self) -> AgentId {
        self.agent
    }

    #[inline]
    fn has(&self, thing: Thing) -> bool {
        self.scenario.has(thing)
    }

    #[inline]
    fn position(&self, agent: AgentId) -> Point {
        self.world.position(agent, self.scenario)
    }

    fn height(&self, agent: AgentId) -> f64 {
        if !self.scenario.has(Thing::Agent(agent)) {
            return f64::NAN;
        }
        let place = self.world.place(agent, self.scenario);
        self.scenario.map.height_of(place)
    }

    fn is_dead(&self, agent: AgentId) -> bool {
        self.world.is_dead(agent, self.scenario)
    }

    fn holds(&self, item: ItemId) -> bool {
        self.world.holds(self.agent, item)
    }

    fn is_on(&self, lever: LeverId) -> bool {
        self.world.is_on(lever)
    }

    fn is_open(&self, door: DoorId) -> bool {
        self.world.is_open(door)
    }

    /// With blows at fixed intervals, the time until the next one and an interval for every
    /// further one that is needed. Nothing is known where others may strike too.
    fn fight_left(&self, enemy: AgentId) -> (Cost, Cost) {
        const UNKNOWN: (Cost, Cost) = (Cost::ZERO, Cost::ZERO);
        let AgentId::Enemy(number) = enemy else {
            return UNKNOWN;
        };
        let Some(enemy) = self.scenario.enemy(number) else {
            return UNKNOWN;
        };
        let (Some(slot), Manner::Beast(beast)) = (enemy.slot, &enemy.kind.manner) else {
            return UNKNOWN;
        };
        if self.scenario.actors.len() > 1 || beast.attackers > 1 {
            return UNKNOWN;
        }
        let Some(rules) = self.scenario.actor_of(self.agent) else {
            return UNKNOWN;
        };
        let state = self.world.actor(self.agent);
        let health = f64::from(self.world.beasts[usize::from(slot)].health);
        let blows = (health / rules.damage).ceil() as u64;
        let ready_at = state.map_or(0, |state| state.ready_at.saturating_mul(1_000_000));
        let period = Cost::from_seconds(rules.period).ticks();
        let ready_in = Cost::from_ticks(ready_at.saturating_sub(self.world.time));
        (
            ready_in,
            Cost::from_ticks(blows.saturating_sub(1).saturating_mul(period)),
        )
    }

    fn peril(&self) -> Peril {
        match self.agent {
            AgentId::Actor(actor) if usize::from(actor) < self.world.actors.len() => {
                self.world.peril(self.scenario, usize::from(actor))
            }
            _ => Peril::none(f64::NAN),
        }
    }
}
