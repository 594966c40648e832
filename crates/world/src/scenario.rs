//! All that never changes in a run: the map, who and what is where, and the rules.

use std::fmt;
use std::sync::Arc;

use apprentice_search::Cost;

use crate::digest::Digest;
use crate::hunting_ground::{HuntingGround, radius_for};
use crate::map::Move;
use crate::{Direction, Gait, Goal, GridMap, Map, Point, Situation, Stance};

/// An item, by its place in [`Scenario::items`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ItemId(u8);

/// A door, by its place in [`Scenario::doors`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DoorId(u8);

/// A lever, by its place in [`Scenario::levers`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LeverId(u8);

macro_rules! numbered {
    ($($name:ident)*) => {$(
        impl $name {
            /// The one of this number.
            pub const fn new(number: u8) -> Self {
                $name(number)
            }

            /// Its number.
            #[inline]
            pub const fn index(self) -> usize {
                self.0 as usize
            }

            /// Its bit in a set of them.
            #[inline]
            pub(crate) const fn bit(self) -> u32 {
                1 << self.0
            }
        }
    )*};
}
numbered!(ItemId DoorId LeverId);

/// Somebody: the planned agent, the player, or an enemy by its place in [`Scenario::enemies`].
///
/// ```
/// use apprentice_world::AgentId;
///
/// assert_eq!(AgentId::NPC, AgentId::Actor(0));
/// assert_ne!(AgentId::PLAYER, AgentId::Enemy(1));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum AgentId {
    /// Who takes orders.
    Actor(u8),
    /// Who doesn't.
    Enemy(u16),
}

impl AgentId {
    /// The agent plans are made for.
    pub const NPC: AgentId = AgentId::Actor(0);
    /// The player, or a model of one.
    pub const PLAYER: AgentId = AgentId::Actor(1);
}

/// Something that lies around until somebody walks over it.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// What the scenario file calls it.
    pub id: String,
    /// What it is good for.
    pub kind: ItemKind,
    /// Where it lies.
    pub at: Point,
    pub(crate) place: u32,
}

impl Item {
    /// Whether somebody in this place can pick it up.
    #[inline]
    pub(crate) fn is_at_hand(&self, map: &Map, place: u32) -> bool {
        let reach = map.reach_of_hands();
        let place_at = map.point_of(place as usize);
        self.place == place
            || reach > 0.0
                && map.apart((place_at, place as usize), (self.at, self.place as usize)) <= reach
    }
}

/// What an item is good for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ItemKind {
    /// Opens doors.
    Key,
    /// Halves the damage to whoever carries it.
    Shield,
    /// Is wanted for its own sake.
    Treasure,
    /// Restores health, and is used up.
    Pack {
        /// How much health.
        health: f64,
    },
}

impl fmt::Display for ItemKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ItemKind::Key => "key",
            ItemKind::Shield => "shield",
            ItemKind::Treasure => "item",
            ItemKind::Pack { .. } => "health pack",
        })
    }
}

/// Places that are closed until a key, a lever or the clock opens them.
#[derive(Clone, Debug, PartialEq)]
pub struct Door {
    /// What the scenario file calls it.
    pub id: String,
    /// The places it closes.
    pub places: Vec<usize>,
    /// Whether it is open at the beginning.
    pub starts_open: bool,
    /// Whether the key that opens it is gone.
    pub consumes_key: bool,
    /// Opens and shuts by itself.
    pub cycle: Option<Cycle>,
    /// The items that open it, a bit each.
    pub(crate) keys: u32,
}

/// Open for a while, shut for a while, and again. Times are in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cycle {
    pub(crate) open: u64,
    pub(crate) closed: u64,
    /// How far into the cycle the run begins.
    pub(crate) offset: u64,
}

impl Cycle {
    /// Seconds open, seconds shut.
    pub fn seconds(&self) -> (f64, f64) {
        (self.open as f64 / 1e9, self.closed as f64 / 1e9)
    }

    pub(crate) fn length(&self) -> u64 {
        self.open + self.closed
    }

    pub(crate) fn is_open_at(&self, time: u64) -> bool {
        (time + self.offset) % self.length() < self.open
    }
}

/// Something to pull. It stays pulled.
#[derive(Clone, Debug, PartialEq)]
pub struct Lever {
    /// What the scenario file calls it.
    pub id: String,
    /// Where it is. It is pulled by whoever stands there or right beside it.
    pub at: Point,
    pub(crate) place: u32,
    /// The doors it opens for good, a bit each.
    pub(crate) opens: u32,
    /// The doors it opens if shut and shuts if open, a bit each.
    pub(crate) toggles: u32,
}

/// Something that moves from place to place by the clock and is in the way.
#[derive(Clone, Debug, PartialEq)]
pub struct Obstacle {
    /// What the scenario file calls it.
    pub id: String,
    /// The places it visits, over and over.
    pub path: Vec<usize>,
    /// How many nanoseconds it stays in each.
    pub(crate) dwell: u64,
    /// How far around it is in the way: on grids, not beyond its cell.
    pub(crate) radius: f64,
}

impl Obstacle {
    pub(crate) fn place_at(&self, time: u64) -> usize {
        self.path[(time / self.dwell) as usize % self.path.len()]
    }

    pub(crate) fn length(&self) -> u64 {
        self.dwell * self.path.len() as u64
    }
}

/// Somebody hostile, and where it lives.
#[derive(Clone, Debug)]
pub struct Enemy {
    /// What the scenario file calls it.
    pub id: String,
    /// What it is.
    pub kind: Kind,
    /// Where it starts, and returns to.
    pub home: Point,
    pub(crate) place: u32,
    /// Bit i: actor i is beyond its notice.
    pub(crate) ignores: u8,
    /// Its place among the enemies a world keeps; guards never change and have none.
    pub(crate) slot: Option<u8>,
    /// The ground it hunts on, for those that move.
    pub(crate) ground: Option<Arc<HuntingGround>>,
}

/// A kind of enemy.
#[derive(Clone, Debug, PartialEq)]
pub struct Kind {
    /// Its name: `guard`, `wolf`, `superwolf`, `bear`, `killer_bear`, or one from the file.
    pub name: String,
    /// How it behaves.
    pub manner: Manner,
}

/// How an enemy behaves.
#[derive(Clone, Debug, PartialEq)]
pub enum Manner {
    /// Stands still, cannot be hurt, and strikes whoever ends a step too near.
    Guard(Guard),
    /// Notices, pursues, attacks, gives up and returns.
    Beast(Beast),
}

/// The numbers of a guard.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Guard {
    /// How near is too near, walking.
    pub radius: f64,
    /// How near is too near, sneaking.
    pub sneak_radius: f64,
    /// What a step of a second costs.
    pub damage: f64,
}

/// The numbers of an enemy that moves. Metres, seconds, points of health.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Beast {
    /// How much damage it survives.
    pub health: f64,
    /// How fast it pursues.
    pub speed: f64,
    /// From how far it notices somebody who walks.
    pub radius: f64,
    /// From how far it attacks.
    pub reach: f64,
    /// What a blow costs.
    pub damage: f64,
    /// Seconds between blows.
    pub period: f64,
    /// How far from its home it follows anybody.
    pub leash: f64,
    /// After how many seconds without notice it gives up.
    pub memory: f64,
    /// How many must attack it together before it can be hurt. While they do, its blows do a fifth.
    pub attackers: u8,
    /// How far from whoever is struck a blow hurts others too.
    pub splash: f64,
}

impl Kind {
    /// The kinds every scenario knows.
    pub const KNOWN: [&'static str; 5] = ["guard", "wolf", "superwolf", "bear", "killer_bear"];

    /// One of the kinds every scenario knows.
    ///
    /// ```
    /// use apprentice_world::{Kind, Manner};
    ///
    /// let wolf = Kind::known("wolf").unwrap();
    /// assert!(matches!(wolf.manner, Manner::Beast(beast) if beast.health == 40.0));
    /// assert!(Kind::known("unicorn").is_none());
    /// ```
    pub fn known(name: &str) -> Option<Kind> {
        // Nothing is said about how long they remember; three seconds let one slip round a corner.
        let wolf = Beast {
            health: 40.0,
            speed: 3.0,
            radius: 8.0,
            reach: 1.5,
            damage: 5.0,
            period: 1.0,
            leash: 20.0,
            memory: 3.0,
            attackers: 1,
            splash: 0.0,
        };
        let bear = Beast {
            health: 120.0,
            speed: 2.5,
            radius: 10.0,
            reach: 2.0,
            damage: 8.0,
            period: 1.5,
            leash: 15.0,
            ..wolf
        };
        let manner = match name {
            "guard" => Manner::Guard(Guard {
                radius: 2.0,
                sneak_radius: 1.5,
                damage: 40.0,
            }),
            "wolf" => Manner::Beast(wolf),
            "superwolf" => Manner::Beast(Beast {
                health: 160.0,
                damage: 20.0,
                ..wolf
            }),
            "bear" => Manner::Beast(bear),
            "killer_bear" => Manner::Beast(Beast {
                health: 150.0,
                speed: 3.5,
                damage: 50.0,
                period: 1.0,
                attackers: 2,
                ..bear
            }),
            _ => return None,
        };
        Some(Kind {
            name: name.to_owned(),
            manner,
        })
    }
}

/// Somebody who takes orders: the planned agent, or the player.
#[derive(Clone, Debug, PartialEq)]
pub struct Actor {
    /// What goals and files call it: `npc` or `player`.
    pub id: String,
    /// Where it starts.
    pub start: Point,
    pub(crate) place: u32,
    /// How it carries itself at the beginning.
    pub stance: Stance,
    /// Its health at the beginning; 100 is as healthy as one gets.
    pub health: f64,
    /// What its blows cost others.
    pub damage: f64,
    /// Seconds between its blows.
    pub period: f64,
    /// How far it reaches.
    pub reach: f64,
    /// Where it goes if nobody decides for it, point by point.
    pub route: Vec<Point>,
}

/// How far from a lever one can pull it.
pub(crate) const LEVER_REACH: f64 = 1.0;

/// The most health an actor can have.
pub const FULL_HEALTH: f64 = 100.0;

/// Speeds, noise and options.
#[derive(Clone, Debug, PartialEq)]
pub struct Rules {
    /// Cells or metres a second: walking, sneaking, running. A running speed of 0 means nobody runs.
    pub(crate) speeds: [f64; 3],
    /// What walls and closed doors hide is noticed from half as far.
    pub(crate) line_of_sight: bool,
    /// Whoever blocks moves at half the speed.
    pub(crate) block_slows: bool,
    /// A quest in which the player dies has failed.
    pub(crate) player_must_survive: bool,
    /// Nanoseconds a step takes: not slowed or slowed, by gait, straight or diagonal.
    step_times: [[[u64; 2]; 3]; 2],
}

impl Rules {
    /// Speeds in cells or metres a second, on a map with this distance between places.
    pub(crate) fn new(speeds: [f64; 3], spacing: f64) -> Rules {
        let mut rules = Rules {
            speeds,
            line_of_sight: false,
            block_slows: false,
            player_must_survive: false,
            step_times: [[[0; 2]; 3]; 2],
        };
        for (gait, speed) in speeds.into_iter().enumerate() {
            for (slowed, factor) in [1.0, 0.5].into_iter().enumerate() {
                for (diagonal, direction) in [Direction::East, Direction::NorthEast]
                    .into_iter()
                    .enumerate()
                {
                    let seconds = direction.length() * spacing / (speed * factor);
                    rules.step_times[slowed][gait][diagonal] = Cost::round_up(seconds).ticks();
                }
            }
        }
        rules
    }

    /// How many cells or metres a second one moves at this gait; 0 if nobody does.
    pub fn speed(&self, gait: Gait) -> f64 {
        self.speeds[gait as usize]
    }

    /// The greatest speed a plan can have. Nobody plans to run.
    pub fn top_speed(&self) -> f64 {
        self.speed(Gait::Walk)
    }

    /// How much louder than walking a gait is: the factor of every radius of notice.
    #[inline]
    pub const fn noise(gait: Gait) -> f64 {
        match gait {
            Gait::Walk => 1.0,
            Gait::Sneak => 0.35,
            Gait::Run => 1.5,
        }
    }

    /// Whether walls and closed doors hide.
    pub const fn line_of_sight(&self) -> bool {
        self.line_of_sight
    }

    /// The nanoseconds a step to a neighbour takes on level ground.
    #[inline]
    pub(crate) fn step_time(&self, direction: Direction, stance: Stance) -> u64 {
        let slowed = self.block_slows && stance.blocks();
        self.step_times[usize::from(slowed)][stance.gait() as usize]
            [usize::from(direction.is_diagonal())]
    }
}

impl Rules {
    /// On grids one walks a cell a second and nobody runs. On navmeshes one walks two metres a
    /// second and runs four, and walls hide.
    pub(crate) fn usual(map: &Map) -> Rules {
        match map {
            Map::Grid(_) => Rules::default(),
            Map::Mesh(_) => Rules {
                line_of_sight: true,
                ..Rules::new([2.0, 1.0, 4.0], map.spacing())
            },
        }
    }
}

impl Default for Rules {
    /// One cell a second walking, half a cell sneaking; nobody runs.
    fn default() -> Rules {
        Rules::new([1.0, 0.5, 0.0], 1.0)
    }
}

/// How much worse than they are enemies are taken to be while planning, so that plans made with
/// coarse steps still work in a fine-grained world. Guards are exempt: their numbers are exact.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Margins {
    /// Factor of every damage.
    pub damage: f64,
    /// Factor of every radius of notice.
    pub radius: f64,
}

impl Margins {
    /// No margin: things as they are.
    pub const NONE: Margins = Margins {
        damage: 1.0,
        radius: 1.0,
    };
}

impl Default for Margins {
    fn default() -> Margins {
        Margins {
            damage: 1.5,
            radius: 1.25,
        }
    }
}

/// A demonstration that comes with a scenario.
#[derive(Clone, Debug, PartialEq)]
pub enum Drawn {
    /// A line on the map. Points may lie off the map and inside walls.
    Points(Vec<Point>),
    /// The name of a recorded log, for whoever reads those.
    File(String),
}

/// Something a scenario file gives an id to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Thing {
    /// A key, a shield, a health pack or any other item.
    Item(ItemId),
    /// A door.
    Door(DoorId),
    /// A lever.
    Lever(LeverId),
    /// An agent.
    Agent(AgentId),
}

impl Thing {
    /// Whether what can happen to it has happened: the item is held, the door open, the lever
    /// pulled, the agent dead.
    pub fn is_settled<S: Situation>(self, situation: &S) -> bool {
        match self {
            Thing::Item(item) => situation.holds(item),
            Thing::Door(door) => situation.is_open(door),
            Thing::Lever(lever) => situation.is_on(lever),
            Thing::Agent(agent) => situation.is_dead(agent),
        }
    }
}

/// All that never changes in a run. Made by [`Scenario::parse`], which checks everything.
///
/// ```
/// use apprentice_world::Scenario;
///
/// let scenario = Scenario::parse(r#"
///     format = 1
///     name = "A locked room"
///     start = [0, 0]
///     goal = { within = { at = [4, 0], radius = 0.0 } }
///
///     [map]
///     rows = ["...#.", "....."]
///
///     [[key]]
///     id = "red"
///     at = [1, 0]
///     opens = ["gate"]
///
///     [[door]]
///     id = "gate"
///     at = [[3, 1]]
/// "#)?;
/// assert_eq!(scenario.name(), "A locked room");
/// assert_eq!(scenario.items()[0].id, "red");
/// assert!(scenario.thing("gate").is_some());
/// # Ok::<(), apprentice_world::ScenarioError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Scenario {
    pub(crate) name: String,
    pub(crate) map: Arc<Map>,
    pub(crate) actors: Vec<Actor>,
    pub(crate) goal: Goal,
    pub(crate) items: Vec<Item>,
    pub(crate) doors: Vec<Door>,
    pub(crate) levers: Vec<Lever>,
    pub(crate) obstacles: Vec<Obstacle>,
    pub(crate) enemies: Vec<Enemy>,
    pub(crate) demonstrations: Vec<Drawn>,
    pub(crate) events: Vec<Thing>,
    pub(crate) rules: Rules,
    pub(crate) margins: Margins,
    pub(crate) solvable: bool,
    pub(crate) needs: Vec<ItemId>,
    pub(crate) seed: u64,
    /// Items that are not there, a bit each.
    pub(crate) absent: u32,
    pub(crate) tables: Arc<Tables>,
}

/// What is worked out once, so that rules need not look through lists.
#[derive(Debug, Default)]
pub(crate) struct Tables {
    /// What is special about each place: a set of `marks`.
    marks: Vec<u8>,
    /// Carriers of a shield hold one of these.
    pub(crate) shields: u32,
    /// Enemies by their slot.
    pub(crate) beasts: Vec<u16>,
    pub(crate) guards: Vec<u16>,
    /// A number that tells this map from others.
    pub(crate) map_digest: u64,
    /// West and north of everything there is, at whole metres.
    pub(crate) origin: Point,
    /// After this many nanoseconds everything that goes by the clock repeats; 1 if nothing does.
    pub(crate) repeats_after: u64,
}

/// What can be special about a place.
pub(crate) mod marks {
    /// A door, or the path of an obstacle.
    pub(crate) const SHUTS: u8 = 1;
    /// Beside such a place: a diagonal step may be cut off.
    pub(crate) const NEAR_SHUTS: u8 = 2;
    /// An item is within reach.
    pub(crate) const ITEM: u8 = 4;
    /// A lever is within reach.
    pub(crate) const LEVER: u8 = 8;
    /// A guard may strike here.
    pub(crate) const DANGER: u8 = 16;
}

impl Scenario {
    /// How many items, doors and levers there may be of each: sets of them are machine words.
    pub const MOST_THINGS: usize = 32;
    /// How many enemies may move. Guards, which don't, are not limited to this.
    pub const MOST_BEASTS: usize = 8;

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The level's geometry.
    pub fn map(&self) -> &Map {
        &self.map
    }

    /// The level's geometry, to be kept.
    pub fn shared_map(&self) -> Arc<Map> {
        self.map.clone()
    }

    /// The level's geometry as a grid, if it is one.
    #[inline]
    pub fn grid(&self) -> Option<&GridMap> {
        self.map.grid()
    }

    /// Who takes orders: the planned agent first, then the player if there is one.
    pub fn actors(&self) -> &[Actor] {
        &self.actors
    }

    /// What the planned agent is to achieve.
    pub fn goal(&self) -> &Goal {
        &self.goal
    }

    /// Everything that can be picked up.
    pub fn items(&self) -> &[Item] {
        &self.items
    }

    /// All doors.
    pub fn doors(&self) -> &[Door] {
        &self.doors
    }

    /// All levers.
    pub fn levers(&self) -> &[Lever] {
        &self.levers
    }

    /// Everything that moves by the clock.
    pub fn obstacles(&self) -> &[Obstacle] {
        &self.obstacles
    }

    /// All enemies.
    pub fn enemies(&self) -> &[Enemy] {
        &self.enemies
    }

    /// The demonstrations that come with it.
    pub fn demonstrations(&self) -> &[Drawn] {
        &self.demonstrations
    }

    /// The quest events: those the file names, or every key, shield, item and lever.
    pub fn events(&self) -> &[Thing] {
        &self.events
    }

    /// Speeds and options.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// How much worse enemies are taken to be while planning.
    pub fn margins(&self) -> Margins {
        self.margins
    }

    /// Whether the file says that the quest can be achieved.
    pub fn claims_solvable(&self) -> bool {
        self.solvable
    }

    /// The items without which, the file says, the quest cannot be achieved.
    pub fn needs(&self) -> &[ItemId] {
        &self.needs
    }

    /// The seed of whatever was placed at random; 0 if nothing was.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// What the file calls by this id.
    pub fn thing(&self, id: &str) -> Option<Thing> {
        let items = (0..self.items.len() as u8).map(|number| Thing::Item(ItemId(number)));
        let doors = (0..self.doors.len() as u8).map(|number| Thing::Door(DoorId(number)));
        let levers = (0..self.levers.len() as u8).map(|number| Thing::Lever(LeverId(number)));
        let actors = (0..self.actors.len() as u8).map(AgentId::Actor);
        let enemies = (0..self.enemies.len() as u16).map(AgentId::Enemy);
        let agents = actors.chain(enemies).map(Thing::Agent);
        items
            .chain(doors)
            .chain(levers)
            .chain(agents)
            .find(|thing| self.id_of(*thing) == id)
    }

    /// What the file calls a thing.
    pub fn id_of(&self, thing: Thing) -> &str {
        match thing {
            Thing::Item(item) => &self.items[item.index()].id,
            Thing::Door(door) => &self.doors[door.index()].id,
            Thing::Lever(lever) => &self.levers[lever.index()].id,
            Thing::Agent(AgentId::Actor(actor)) => &self.actors[usize::from(actor)].id,
            Thing::Agent(AgentId::Enemy(enemy)) => &self.enemies[usize::from(enemy)].id,
        }
    }

    /// Where a thing is at the beginning; of a door, the first of its places.
    pub fn position_of(&self, thing: Thing) -> Point {
        match thing {
            Thing::Item(item) => self.items[item.index()].at,
            Thing::Door(door) => self.map.point_of(self.doors[door.index()].places[0]),
            Thing::Lever(lever) => self.levers[lever.index()].at,
            Thing::Agent(AgentId::Actor(actor)) => self.actors[usize::from(actor)].start,
            Thing::Agent(AgentId::Enemy(enemy)) => self.enemies[usize::from(enemy)].home,
        }
    }

    /// The items that open a door.
    pub fn keys_of(&self, door: DoorId) -> impl Iterator<Item = ItemId> {
        let keys = self.doors[door.index()].keys;
        (0..self.items.len() as u8)
            .map(ItemId)
            .filter(move |item| keys & item.bit() != 0)
    }

    /// The places from which an item can be picked up. On a mesh with few footholds there may be none
    /// within reach but the nearest, and that will do.
    pub fn places_at_hand(&self, item: ItemId) -> Vec<usize> {
        let item = &self.items[item.index()];
        let mut places = self.map.places_within(item.at, self.map.reach_of_hands());
        if let Err(rank) = places.binary_search(&(item.place as usize)) {
            places.insert(rank, item.place as usize);
        }
        places
    }

    /// How far from an item somebody can be who picks it up.
    pub(crate) fn reach_for(&self, item: ItemId) -> f64 {
        let item = &self.items[item.index()];
        let from_nearest = self.map.point_of(item.place as usize).distance_to(item.at);
        self.map.reach_of_hands().max(from_nearest)
    }

    /// The places from which a lever can be pulled.
    pub fn places_at_lever(&self, lever: LeverId) -> Vec<usize> {
        let at = self.levers[lever.index()].at;
        self.map.places_within(at, LEVER_REACH)
    }

    /// The levers that open a door, or that open it if it is shut.
    pub fn levers_of(&self, door: DoorId) -> impl Iterator<Item = LeverId> {
        let numbered = (0..).map(LeverId).zip(&self.levers);
        let opening =
            numbered.filter(move |(_, lever)| (lever.opens | lever.toggles) & door.bit() != 0);
        opening.map(|(id, _)| id)
    }

    /// The same scenario with its enemies as bad as its margins say: what plans are made in.
    ///
    /// ```
    /// use apprentice_world::{Manner, Scenario};
    ///
    /// let scenario = Scenario::parse(r#"
    ///     format = 1
    ///     start = [0, 0]
    ///     goal = { dead = "grey" }
    ///     map = { rows = ["....."] }
    ///     enemy = [{ id = "grey", kind = "wolf", at = [4, 0] }]
    /// "#)?;
    /// let Manner::Beast(wolf) = scenario.for_planning().enemies()[0].kind.manner else { panic!() };
    /// assert_eq!((wolf.damage, wolf.radius), (7.5, 10.0));
    /// # Ok::<(), apprentice_world::ScenarioError>(())
    /// ```
    #[must_use]
    pub fn for_planning(&self) -> Scenario {
        let mut scenario = self.clone();
        for enemy in &mut scenario.enemies {
            if let Manner::Beast(beast) = &mut enemy.kind.manner {
                beast.damage *= self.margins.damage;
                beast.radius *= self.margins.radius;
            }
        }
        // Margins don't add up.
        scenario.margins = Margins::NONE;
        scenario
    }

    /// The same scenario with other margins.
    #[must_use]
    pub fn with_margins(mut self, margins: Margins) -> Scenario {
        self.margins = margins;
        self
    }

    /// The same scenario without an item, to find out whether it is needed.
    ///
    /// ```
    /// # use apprentice_world::{Scenario, Thing, World};
    /// # let scenario = Scenario::parse("format = 1\nstart = [0, 0]\ngoal = { holds = 'ring' }\nmap = { rows = ['.'] }\nitem = [{ id = 'ring', at = [0, 0] }]").unwrap();
    /// let Some(Thing::Item(ring)) = scenario.thing("ring") else { panic!() };
    /// let without = scenario.without(ring);
    /// assert!(!scenario.goal().is_met(&World::new(&without).seen_in(&without)));
    /// ```
    #[must_use]
    pub fn without(&self, item: ItemId) -> Scenario {
        let mut scenario = self.clone();
        scenario.absent |= item.bit();
        scenario.work_out_tables();
        scenario
    }

    /// The same scenario with an item elsewhere. The caller has found the place to be walkable.
    pub(crate) fn with_item_at(mut self, item: ItemId, place: usize) -> Scenario {
        self.items[item.index()].at = self.map.point_of(place);
        self.items[item.index()].place = place as u32;
        self.work_out_tables();
        self
    }

    /// A number that tells this scenario from others.
    pub fn digest(&self) -> u64 {
        let mut digest = Digest::new();
        digest.number(self.tables.map_digest);
        // Everything else is small, and its debug output names every value there is.
        digest.text(&format!(
            "{:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {:?} {}",
            self.actors,
            self.goal,
            self.items,
            self.doors,
            self.levers,
            self.obstacles,
            self.rules,
            self.margins,
            self.absent,
            self.seed,
        ));
        for enemy in &self.enemies {
            digest.text(&format!(
                "{} {:?} {} {}",
                enemy.id, enemy.kind, enemy.home, enemy.ignores
            ));
        }
        digest.value()
    }

    /// The nanoseconds a move takes from a place.
    #[inline]
    pub(crate) fn time_of(&self, place: usize, action: Move, stance: Stance) -> u64 {
        if let (Move::Step(direction), Map::Grid(_)) = (action, &*self.map) {
            return self.rules.step_time(direction, stance);
        }
        let Some(step) = self.map.follow(place, action) else {
            return 0;
        };
        if let (Move::Step(direction), 0.0) = (action, step.delay) {
            return self.rules.step_time(direction, stance);
        }
        let slowed = self.rules.block_slows && stance.blocks();
        let speed = self.rules.speed(stance.gait()) * if slowed { 0.5 } else { 1.0 };
        let seconds = if step.length > 0.0 {
            step.length / speed + step.delay
        } else {
            step.delay
        };
        Cost::round_up(seconds).ticks().max(1)
    }

    #[inline]
    pub(crate) fn marks_at(&self, index: usize) -> u8 {
        self.tables.marks[index]
    }

    /// What is special about each place.
    pub(crate) fn marks(&self) -> &[u8] {
        &self.tables.marks
    }

    #[inline]
    pub(crate) fn beast(&self, slot: usize) -> (&Enemy, &Beast) {
        let enemy = &self.enemies[usize::from(self.tables.beasts[slot])];
        match &enemy.kind.manner {
            Manner::Beast(beast) => (enemy, beast),
            Manner::Guard(_) => unreachable!("only beasts have a slot"),
        }
    }

    /// Must be called after anything has moved, come or gone.
    pub(crate) fn work_out_tables(&mut self) {
        let map = Arc::clone(&self.map);
        let (first, _) = map.bounds();
        let mut tables = Tables {
            marks: vec![0; map.places()],
            repeats_after: 1,
            map_digest: map.digest(),
            origin: Point::new(first.x.floor() - 1.0, first.y.floor() - 1.0),
            ..Tables::default()
        };
        let mut shuts: Vec<usize> = Vec::new();
        shuts.extend(self.doors.iter().flat_map(|door| &door.places));
        for obstacle in &self.obstacles {
            let around = |place: &usize| map.places_within(map.point_of(*place), obstacle.radius);
            shuts.extend(obstacle.path.iter().flat_map(around));
        }
        for place in shuts {
            tables.marks[place] |= marks::SHUTS | marks::NEAR_SHUTS;
            for near in map.places_beside(place) {
                tables.marks[near] |= marks::NEAR_SHUTS;
            }
        }
        for (number, item) in self.items.iter().enumerate() {
            let bit = ItemId(number as u8).bit();
            if self.absent & bit == 0 {
                for place in self.places_at_hand(ItemId(number as u8)) {
                    tables.marks[place] |= marks::ITEM;
                }
            }
            if item.kind == ItemKind::Shield {
                tables.shields |= bit;
            }
        }
        for lever in (0..self.levers.len() as u8).map(LeverId) {
            for place in self.places_at_lever(lever) {
                tables.marks[place] |= marks::LEVER;
            }
        }
        let mut slots = Vec::new();
        for (number, enemy) in self.enemies.iter().enumerate() {
            match &enemy.kind.manner {
                Manner::Guard(guard) => {
                    tables.guards.push(number as u16);
                    let radius = guard.radius.max(guard.sneak_radius);
                    for place in map.places_within(enemy.home, radius) {
                        tables.marks[place] |= marks::DANGER;
                    }
                    slots.push(None);
                }
                Manner::Beast(_) => {
                    slots.push(Some(tables.beasts.len() as u8));
                    tables.beasts.push(number as u16);
                }
            }
        }
        let lengths = self
            .doors
            .iter()
            .filter_map(|door| door.cycle)
            .map(|cycle| cycle.length());
        for length in lengths.chain(self.obstacles.iter().map(Obstacle::length)) {
            tables.repeats_after = least_common_multiple(tables.repeats_after, length);
        }
        for (enemy, slot) in self.enemies.iter_mut().zip(slots) {
            enemy.slot = slot;
        }
        self.tables = Arc::new(tables);
        self.work_out_hunting_grounds();
    }

    fn work_out_hunting_grounds(&mut self) {
        let map = Arc::clone(&self.map);
        for enemy in &mut self.enemies {
            let Manner::Beast(beast) = &enemy.kind.manner else {
                continue;
            };
            if enemy.ground.is_none() {
                let radius = radius_for(beast.leash, beast.reach);
                let ground = HuntingGround::around(&map, enemy.place as usize, radius);
                enemy.ground = Some(Arc::new(ground));
            }
        }
    }
}

/// Saturates: what repeats after 584 years does not repeat.
fn least_common_multiple(a: u64, b: u64) -> u64 {
    let (mut divisor, mut rest) = (a, b);
    while rest != 0 {
        (divisor, rest) = (rest, divisor % rest);
    }
    (a / divisor.max(1)).saturating_mul(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cycles_repeat_together() {
        assert_eq!(least_common_multiple(1, 6), 6);
        assert_eq!(least_common_multiple(4, 6), 12);
        assert_eq!(least_common_multiple(u64::MAX, 2), u64::MAX);
    }
}
