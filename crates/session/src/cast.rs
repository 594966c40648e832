//! The characters of a level that a game drives: what each of them sees, and what it is to do.

use std::collections::BTreeMap;
use std::time::Duration;

use apprentice::behavior::{Character, Crew, Doing, MemberId, Membership};
use apprentice::experience::{Demonstration, Place};
use apprentice::report::events;
use apprentice::report::numbers::coordinate;
use apprentice::report::phrases::{self, Ids};
use apprentice::search::Budget;
use apprentice::world::{
    Abilities, AgentId, Branching, DoorId, ItemId, ItemKind, LeverId, Map,
    Observation as WorldObservation, Order, Orders, Performer, Point, Role, Scenario, VerifiedStep,
    World,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Number;

use crate::goals::{agent, door, item, lever};
use crate::levels::spot;
use crate::{AskedGoal, AskedSettings, Code, NamedLevel, Refusal};

/// The characters of a level, and what each of them sees: a world of its own, which follows its last
/// order as time passes and is put right by whatever the game observes. They share one budget.
///
/// ```
/// use apprentice_session::{Cast, NamedLevel, Observation, Recruit};
///
/// let text = "format = 1\nstart = [0, 0]\ngoal = { within = { at = [4, 0], radius = 0.0 } }\n\
///             map = { rows = ['.....'] }\ndoor = [{ id = 'gate', at = [[3, 0]], open = true }]";
/// let level = NamedLevel::read("hall", text, |_| Err(String::new()))?;
/// let mut cast = Cast::new(&level);
/// let anna = cast.add("anna", &Recruit::default())?;
/// for frame in 0..40 {
///     cast.pass(0.1)?;
///     if frame == 20 {
///         cast.observe(None, &Observation::Door { id: "gate".into(), open: false })?;
///     }
///     let spent = cast.think(500);
///     assert!(spent.units <= 500);
/// }
/// let anna = cast.intention(anna).expect("she is there");
/// assert_eq!((&*anna.doing, anna.why.as_deref()), ("stuck", Some("there is no plan")));
/// # Ok::<(), apprentice_session::Refusal>(())
/// ```
pub struct Cast {
    scenario: Scenario,
    demonstrations: Vec<Demonstration>,
    crew: Crew<Scenario>,
    /// By their numbers in the crew.
    members: BTreeMap<usize, Member>,
    /// How many have ever joined.
    joined: usize,
}

struct Member {
    name: String,
    agent: AgentId,
    world: World,
    order: Order,
    /// What was told of it last, to those who want to hear of changes only.
    told: Option<(Order, Doing, u32)>,
}

/// Somebody who joins. Everything may be left out.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq)]
#[serde(deny_unknown_fields, default)]
pub struct Recruit {
    /// Who it is in the level: the character at `start` if not given. Any number of characters may be
    /// the same one, each in a world of its own.
    pub agent: Option<String>,
    /// Where it begins, if not where the level says: two coordinates, or three with a height.
    pub at: Option<Vec<f64>>,
    /// What it is after, if that is not the goal of the level.
    pub goal: Option<AskedGoal>,
    /// The planner and its numbers.
    pub settings: AskedSettings,
    /// How many times as much it may spend as somebody of importance 1.
    pub importance: Option<u32>,
    /// How many seconds it walks before it looks whether its plan still holds.
    pub looks_every: Option<f64>,
    /// How many seconds the game's ticks are, so that its first plan is rehearsed in them.
    pub tick: Option<f64>,
    /// How many successors a state has in the open: 16, 32 or 256.
    pub branching: Option<u32>,
    /// Whether nothing that was shown counts.
    pub no_demos: bool,
}

/// Something that is so in the game, whatever the characters thought. Saying it again changes nothing.
#[derive(Clone, Debug, PartialEq)]
pub enum Observation {
    /// Where somebody is, how well, and what it holds, as far as that is said.
    Agent {
        /// Who; the one who sees it if not given.
        id: Option<String>,
        /// Where. On the way from place to place it need not be exact: less than three quarters of a
        /// step off is taken for on its way.
        at: Option<Vec<f64>>,
        /// From 0, which is dead.
        health: Option<f64>,
        /// All it holds. What it held besides is gone.
        holding: Option<Vec<String>>,
    },
    /// Whether a door is open.
    Door {
        /// Which.
        id: String,
        /// Whether it is.
        open: bool,
    },
    /// Whether an item lies where it lay at the beginning; otherwise it is gone, unless somebody has it.
    Item {
        /// Which.
        id: String,
        /// Whether it does.
        lies: bool,
    },
    /// Whether a lever was pulled.
    Lever {
        /// Which.
        id: String,
        /// Whether it was.
        pulled: bool,
    },
}

/// What the budget went to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Spent {
    /// Units that were spent: never more than were given.
    pub units: u64,
    /// How many looked whether their plan still holds.
    pub looked: usize,
    /// How many have made a plan and follow it now.
    pub planned: usize,
    /// How many make a plan.
    pub thinking: usize,
    /// How many wait for their turn.
    pub waiting: usize,
}

/// What a character is to do now, and why.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Intention {
    /// Its name.
    pub character: String,
    /// The order, as plans have it: `walk east`, `sneak north-west`, `wait`, `use`.
    pub order: String,
    /// Where it is to go now: where the step it is in the middle of leads, or else its order; without a
    /// field where it stays.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Vec<f64>>")]
    pub to: Option<Vec<Number>>,
    /// Where it is thought to be.
    #[schemars(with = "Vec<f64>")]
    pub at: Vec<Number>,
    /// `following`, `thinking`, `done`, `stuck` or `dead`.
    pub doing: String,
    /// How many plans it has made so far.
    pub plans: u32,
    /// Why it is stuck, or left its last plan; without a field where it never did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

/// What a character means to do, step by step.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Told {
    /// When it is over, in seconds from the beginning of the plan.
    pub t: f64,
    /// The order.
    pub action: String,
    /// Where it is then.
    #[schemars(with = "Vec<f64>")]
    pub at: Vec<Number>,
    /// What happens on the way, each in one word.
    pub events: Vec<String>,
}

/// A position that is off by less than this many steps is taken for on its way.
const ON_ITS_WAY: f64 = 0.75;

/// No game has longer ticks; whoever was away for longer says where everybody is.
const LONGEST_TICK: f64 = 60.0;

impl Cast {
    /// Nobody yet, in a level and with what was shown in it until now.
    pub fn new(level: &NamedLevel) -> Cast {
        Cast {
            scenario: level.level.scenario.clone(),
            demonstrations: level.level.demonstrations.clone(),
            crew: Crew::default(),
            members: BTreeMap::new(),
            joined: 0,
        }
    }

    /// Adds somebody; returns its number, counted from 0.
    ///
    /// # Errors
    ///
    /// If the name is taken, or something makes no sense in the level.
    pub fn add(&mut self, name: &str, recruit: &Recruit) -> Result<usize, Refusal> {
        if self.find(name).is_some() {
            let wrong = format!("there is a character `{name}` already; choose another name");
            return Err(Refusal::new(Code::BadValue, wrong));
        }
        let scenario = &self.scenario;
        let who = recruit.agent.as_deref().map(|name| scenario.actor(name));
        let who = who.transpose();
        let who = who.map_err(|error| Refusal::new(Code::NoSuch, error))?;
        let agent = who.unwrap_or(AgentId::NPC);
        let shown: Vec<Demonstration> = match recruit.no_demos {
            true => Vec::new(),
            false => self.demonstrations.clone(),
        };
        let settings = recruit.settings.in_level(scenario).settings()?;
        let planner = settings
            .check(scenario, shown)
            .map_err(|error| Refusal::new(Code::BadSettings, error))?
            .planner;
        let number = recruit.branching.unwrap_or(16);
        let branching = Branching::of(number).ok_or_else(|| {
            let wrong = format!("states have 16, 32 or 256 successors, not {number}");
            Refusal::new(Code::BadSettings, wrong)
        })?;
        let performer = Performer {
            role: Some(Role::of(agent)),
            abilities: Abilities {
                branching,
                ..Abilities::default()
            },
        };
        let mut character: Character<Scenario> = Character::new(planner, performer);
        if let Some(tick) = recruit.tick {
            character = character.with_tick(duration("tick", tick)?);
        }
        if let Some(goal) = &recruit.goal {
            character.pursue(goal.goal(scenario)?);
        }
        let mut world = World::new(scenario);
        if let Some(at) = &recruit.at {
            let at = spot(at)?;
            let (point, height) = (at.point(), at.height);
            if scenario.map().place_on_floor(point, height).is_none() {
                return Err(nowhere(point));
            }
            world.observe(scenario, WorldObservation::Move(agent, point, height));
        }
        let usual = Membership::default();
        let looks_every = recruit.looks_every.map(|it| duration("looks_every", it));
        let membership = Membership {
            importance: recruit.importance.unwrap_or(usual.importance),
            looks_every: looks_every.transpose()?.unwrap_or(usual.looks_every),
        };
        let id = self.crew.add(character);
        self.crew.set(id, membership);
        self.joined += 1;
        let member = Member {
            name: name.to_owned(),
            agent,
            world,
            order: Order::WAIT,
            told: None,
        };
        self.members.insert(id.index(), member);
        Ok(id.index())
    }

    /// How many there are, with those who were dismissed.
    pub fn len(&self) -> usize {
        self.joined
    }

    /// Whether nobody has ever joined.
    pub fn is_empty(&self) -> bool {
        self.joined == 0
    }

    /// The level they are in.
    pub fn scenario(&self) -> &Scenario {
        &self.scenario
    }

    /// The number of somebody who was not dismissed.
    pub fn find(&self, name: &str) -> Option<usize> {
        let mut members = self.members.iter();
        let (number, _) = members.find(|(_, it)| it.name == name)?;
        Some(*number)
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.members.values().map(|it| &*it.name)
    }

    fn member(&self, number: usize) -> Result<&Member, Refusal> {
        self.members.get(&number).ok_or_else(|| {
            Refusal::new(
                Code::NoSuch,
                format!("there is no character of number {number}"),
            )
        })
    }

    /// Gives somebody something else to be after.
    ///
    /// # Errors
    ///
    /// If nobody has that number, or the goal makes no sense in the level.
    pub fn pursue(&mut self, number: usize, goal: &AskedGoal) -> Result<(), Refusal> {
        self.member(number)?;
        let goal = goal.goal(&self.scenario)?;
        if let Some(character) = self.crew.member_mut(MemberId::from_index(number)) {
            character.pursue(goal);
        }
        Ok(())
    }

    /// Lets somebody be after the goal of the level again.
    ///
    /// # Errors
    ///
    /// If nobody has that number.
    pub fn pursue_own(&mut self, number: usize) -> Result<(), Refusal> {
        let agent = self.member(number)?.agent;
        let goal = self.scenario.goal_of(agent).clone();
        if let Some(character) = self.crew.member_mut(MemberId::from_index(number)) {
            character.pursue(goal);
        }
        Ok(())
    }

    /// Lets somebody go: it takes no more budget, and nobody hears of it again.
    ///
    /// # Errors
    ///
    /// If nobody has that number.
    pub fn dismiss(&mut self, number: usize) -> Result<(), Refusal> {
        self.member(number)?;
        self.members.remove(&number);
        self.crew.remove(MemberId::from_index(number));
        Ok(())
    }

    /// Says how important somebody is, and how often it looks up.
    ///
    /// # Errors
    ///
    /// If nobody has that number.
    pub fn set(&mut self, number: usize, membership: Membership) -> Result<(), Refusal> {
        self.member(number)?;
        self.crew.set(MemberId::from_index(number), membership);
        Ok(())
    }

    /// Lets time pass: everybody goes on by its last order, in the world it sees.
    ///
    /// # Errors
    ///
    /// If so much time cannot pass.
    pub fn pass(&mut self, seconds: f64) -> Result<(), Refusal> {
        let time = duration("seconds", seconds)?;
        for member in self.members.values_mut() {
            let orders = Orders::of(member.agent, member.order);
            member.world.advance(&self.scenario, &orders, time, &mut ());
        }
        Ok(())
    }

    /// Puts right what somebody sees, or everybody.
    ///
    /// # Errors
    ///
    /// If nobody has that number, or something is not there. Then nothing has changed.
    pub fn observe(&mut self, by: Option<usize>, seen: &Observation) -> Result<(), Refusal> {
        let numbers = match by {
            Some(number) => {
                self.member(number)?;
                number..number + 1
            }
            None => 0..self.joined,
        };
        let noted = self.noted(seen)?;
        for (&number, member) in self.members.range_mut(numbers) {
            if noted.apply(&self.scenario, member) {
                // It looks up at once.
                self.crew.member_mut(MemberId::from_index(number));
            }
        }
        Ok(())
    }

    /// Whether an observation makes sense here.
    ///
    /// # Errors
    ///
    /// If something it is about is not there.
    pub fn check(&self, seen: &Observation) -> Result<(), Refusal> {
        self.noted(seen).map(|_| ())
    }

    /// Those who come from now on are shown what a level has.
    pub fn shown(&mut self, level: &NamedLevel) {
        self.demonstrations.clone_from(&level.level.demonstrations);
    }

    /// An observation with everything in it looked up.
    fn noted(&self, seen: &Observation) -> Result<Noted, Refusal> {
        let scenario = &self.scenario;
        Ok(match seen {
            Observation::Agent {
                id,
                at,
                health,
                holding,
            } => {
                let at = at.as_deref().map(spot).transpose()?;
                if let Some(at) = &at
                    && scenario
                        .map()
                        .place_on_floor(at.point(), at.height)
                        .is_none()
                {
                    return Err(nowhere(at.point()));
                }
                let health = health.map(|health| match health.is_finite() {
                    true => Ok(health),
                    false => Err(Refusal::new(Code::BadValue, "`health` is no number")),
                });
                let holding = holding.as_ref().map(|names| {
                    let items = names.iter().map(|name| item(scenario, name));
                    items.collect::<Result<Vec<ItemId>, Refusal>>()
                });
                Noted::Agent {
                    who: (id.as_deref().map(|id| agent(scenario, id))).transpose()?,
                    at: at.map(|at| (at.point(), at.height)),
                    health: health.transpose()?,
                    holding: holding.transpose()?,
                }
            }
            Observation::Door { id, open } => Noted::Door(door(scenario, id)?, *open),
            Observation::Item { id, lies } => Noted::Item(item(scenario, id)?, *lies),
            Observation::Lever { id, pulled } => Noted::Lever(lever(scenario, id)?, *pulled),
        })
    }

    /// Lets them look up and think, and gives everybody its order. It takes no more than so many units.
    pub fn think(&mut self, units: u64) -> Spent {
        let Cast {
            scenario,
            crew,
            members,
            ..
        } = self;
        let mut budget = Budget::units(units).within_memory(crate::MEMORY);
        let frame = crew.think(scenario, |id| &members[&id.index()].world, &mut budget);
        for (number, member) in members.iter_mut() {
            let id = MemberId::from_index(*number);
            if let Some(order) = crew.order(id, scenario, &member.world) {
                member.order = order;
            }
        }
        Spent {
            units: frame.units,
            looked: frame.looked,
            planned: frame.planned,
            thinking: frame.thinking,
            waiting: frame.waiting,
        }
    }

    /// What somebody is at, and how many plans it has made.
    pub fn doing(&self, number: usize) -> Option<(Doing, u32)> {
        self.member(number).ok()?;
        let character = self.crew.member(MemberId::from_index(number))?;
        Some((character.doing(), character.plans()))
    }

    /// What somebody was ordered last.
    pub fn order(&self, number: usize) -> Option<Order> {
        Some(self.member(number).ok()?.order)
    }

    /// Where somebody is thought to be, and how high.
    pub fn place(&self, number: usize) -> Option<Place> {
        let member = self.member(number).ok()?;
        let at = member.world.position(member.agent, &self.scenario);
        let floor = member.world.place(member.agent, &self.scenario);
        let height = self.scenario.map().height_of(floor);
        Some(Place::new(at.x, at.y, height))
    }

    /// Where somebody is to go now: where the step leads that it is in the middle of, or else its order,
    /// which begins at the end of that step. None where it stays.
    pub fn destination(&self, number: usize) -> Option<Place> {
        let member = self.member(number).ok()?;
        let map = self.scenario.map();
        let from = member.world.place(member.agent, &self.scenario);
        let under_way = member.world.goes_to(member.agent, &self.scenario);
        if let Some(place) = under_way {
            // Whoever pulls a lever takes its time, and stays.
            return (place != from).then(|| on_floor(map, place));
        }
        let place = match member.order {
            Order::Wait(_) | Order::Use(_) => return None,
            Order::Step(direction, _) => {
                let here = map.point_of(from);
                let (east, south) = direction.offset();
                let leads = |to: &usize| {
                    let there = map.point_of(*to);
                    let sign = |far: f64| {
                        if far.abs() < 1e-6 {
                            0
                        } else {
                            far.signum() as i16
                        }
                    };
                    (sign(there.x - here.x), sign(there.y - here.y)) == (east, south)
                };
                // Links may lead the same way, farther.
                let steps = map.steps_from(from).filter(|step| leads(&step.place));
                steps
                    .min_by(|one, other| one.length.total_cmp(&other.length))?
                    .place
            }
            Order::Leap(_) => {
                let character = self.crew.member(MemberId::from_index(number))?;
                let ahead = character.ahead(&self.scenario);
                ahead.first()?.world.place(member.agent, &self.scenario)
            }
        };
        Some(on_floor(map, place))
    }

    /// Why somebody is stuck, or left its last plan.
    pub fn why(&self, number: usize) -> Option<String> {
        let character = self.crew.member(MemberId::from_index(number))?;
        match character.why_stuck() {
            Some(why) => Some(why.to_string()),
            None => self.why_left(number),
        }
    }

    /// Why somebody left its last plan, also if it is stuck by now.
    pub fn why_left(&self, number: usize) -> Option<String> {
        let character = self.crew.member(MemberId::from_index(number))?;
        let deviation = character.deviation()?;
        let landmarks = self.scenario.landmarks();
        Some(phrases::deviation(deviation, landmarks, Ids::Quoted))
    }

    /// All of this as a document.
    pub fn intention(&self, number: usize) -> Option<Intention> {
        let (doing, plans) = self.doing(number)?;
        let coordinates = |place: Place| coordinates_of(&self.scenario, place);
        Some(Intention {
            character: self.members[&number].name.clone(),
            order: self.order(number)?.to_string(),
            to: self.destination(number).map(coordinates),
            at: coordinates(self.place(number)?),
            doing: name_of(doing).to_owned(),
            plans,
            why: self.why(number),
        })
    }

    /// Those whose order, plan or state is another than when this was asked last.
    pub fn changes(&mut self) -> Vec<Intention> {
        let mut changes = Vec::new();
        let numbers: Vec<usize> = self.members.keys().copied().collect();
        for number in numbers {
            let Some((doing, plans)) = self.doing(number) else {
                continue;
            };
            let Some(member) = self.members.get_mut(&number) else {
                continue;
            };
            let now = Some((member.order, doing, plans));
            if member.told != now {
                member.told = now;
                changes.extend(self.intention(number));
            }
        }
        changes
    }

    /// What somebody means to do, step by step.
    ///
    /// # Errors
    ///
    /// If nobody has that number.
    pub fn ahead(&self, number: usize) -> Result<Vec<Told>, Refusal> {
        let agent = self.member(number)?.agent;
        let scenario = &self.scenario;
        let character = self.crew.member(MemberId::from_index(number));
        let steps = character.map_or_else(Vec::new, |it| it.ahead(scenario));
        let told = steps.iter().map(|step| {
            let step = VerifiedStep::of_plan(scenario, agent, step);
            let height = scenario.map().height_of(step.place);
            Told {
                t: step.time.as_seconds(),
                action: step.order.to_string(),
                at: coordinates_of(scenario, Place::new(step.at.x, step.at.y, height)),
                events: events::words(scenario, &step.events),
            }
        });
        Ok(told.collect())
    }

    /// The places somebody means to come by, one for each step of its plan that is still ahead: what
    /// [`ahead`](Cast::ahead) tells, for those who draw it. It is worked out anew.
    pub fn way(&self, number: usize) -> Vec<Place> {
        let Ok(member) = self.member(number) else {
            return Vec::new();
        };
        let scenario = &self.scenario;
        let character = self.crew.member(MemberId::from_index(number));
        let steps = character.map_or_else(Vec::new, |it| it.ahead(scenario));
        let places = steps.iter();
        let places = places.map(|step| step.world.place(member.agent, scenario));
        places
            .map(|place| on_floor(scenario.map(), place))
            .collect()
    }

    /// How many steps of somebody's plan are still ahead.
    pub fn steps_ahead(&self, number: usize) -> usize {
        let character = self.crew.member(MemberId::from_index(number));
        character.map_or(0, Character::steps_ahead)
    }

    /// Who somebody is in the level.
    pub fn agent(&self, number: usize) -> Option<AgentId> {
        Some(self.member(number).ok()?.agent)
    }

    /// What somebody sees.
    pub fn world(&self, number: usize) -> Option<&World> {
        Some(&self.member(number).ok()?.world)
    }

    /// How late it is for somebody, in seconds.
    pub fn time(&self, number: usize) -> Option<f64> {
        Some(self.member(number).ok()?.world.time().as_secs_f64())
    }
}

/// What somebody is at, in one word.
pub(crate) fn name_of(doing: Doing) -> &'static str {
    match doing {
        Doing::Following => "following",
        Doing::Thinking => "thinking",
        Doing::Done => "done",
        Doing::Stuck => "stuck",
        Doing::Dead => "dead",
    }
}

/// A place of a map in space.
fn on_floor(map: &Map, place: usize) -> Place {
    let at = map.point_of(place);
    Place::new(at.x, at.y, map.height_of(place))
}

/// A place as documents have it: three coordinates where not everything is flat.
fn coordinates_of(scenario: &Scenario, place: Place) -> Vec<Number> {
    let mut coordinates = vec![coordinate(place.x), coordinate(place.y)];
    if !scenario.map().is_flat() {
        coordinates.push(coordinate(place.z));
    }
    coordinates
}

fn duration(name: &str, seconds: f64) -> Result<Duration, Refusal> {
    if !(0.0..=LONGEST_TICK).contains(&seconds) {
        let wrong = format!("`{name}` is {seconds}; give seconds from 0 to {LONGEST_TICK}");
        return Err(Refusal::new(Code::BadValue, wrong));
    }
    Ok(Duration::from_secs_f64(seconds))
}

fn nowhere(at: Point) -> Refusal {
    let wrong = format!("nobody can stand near ({}, {})", at.x, at.y);
    Refusal::new(Code::BadValue, wrong)
}

/// An observation, looked up in a level.
enum Noted {
    Agent {
        who: Option<AgentId>,
        at: Option<(Point, Option<f64>)>,
        health: Option<f64>,
        holding: Option<Vec<ItemId>>,
    },
    Door(DoorId, bool),
    Item(ItemId, bool),
    Lever(LeverId, bool),
}

impl Noted {
    /// Puts right what somebody sees. Whether it had better look at once: what others do all the time
    /// it notices soon enough.
    fn apply(&self, scenario: &Scenario, member: &mut Member) -> bool {
        let world = &mut member.world;
        match self {
            Noted::Door(door, open) => {
                let is_news = world.is_open(*door) != *open;
                if is_news {
                    let change = match open {
                        true => WorldObservation::Open(*door),
                        false => WorldObservation::Shut(*door),
                    };
                    world.observe(scenario, change);
                }
                is_news
            }
            Noted::Item(item, lies) => {
                let is_news =
                    world.is_lying(*item) != *lies && (*lies || !is_held(world, scenario, *item));
                if is_news {
                    let change = match lies {
                        true => WorldObservation::Return(*item),
                        false => WorldObservation::Remove(*item),
                    };
                    world.observe(scenario, change);
                }
                is_news
            }
            Noted::Lever(lever, pulled) => {
                let is_news = world.is_on(*lever) != *pulled;
                if is_news {
                    world.observe(scenario, WorldObservation::Pulled(*lever, *pulled));
                }
                is_news
            }
            Noted::Agent {
                who,
                at,
                health,
                holding,
            } => {
                let who = who.unwrap_or(member.agent);
                let is_itself = who == member.agent;
                let mut is_news = false;
                if let Some((point, height)) = at
                    && is_elsewhere(world, scenario, who, *point, *height)
                {
                    world.observe(scenario, WorldObservation::Move(who, *point, *height));
                    is_news |= is_itself;
                }
                if let Some(health) = health {
                    let before = world.health(who, scenario);
                    world.observe(scenario, WorldObservation::Health(who, *health));
                    is_news |= is_itself && world.health(who, scenario) != before;
                }
                if let Some(items) = holding {
                    is_news |= hold(world, scenario, who, items) && is_itself;
                }
                is_news
            }
        }
    }
}

/// Whether somebody is farther from where it is thought to be than one is on the way from place to
/// place, or on another floor.
fn is_elsewhere(
    world: &World,
    scenario: &Scenario,
    who: AgentId,
    point: Point,
    height: Option<f64>,
) -> bool {
    let at = world.position(who, scenario);
    let far = (at.x - point.x).hypot(at.y - point.y);
    let is_under_way = world.is_under_way(who);
    let near = scenario.map().spacing()
        * if is_under_way {
            ON_ITS_WAY
        } else {
            ON_ITS_WAY / 2.0
        };
    let map = scenario.map();
    let floor = map.height_of(world.place(who, scenario));
    let is_on_floor = height.is_none_or(|height| (height - floor).abs() <= FLOORS_ARE_APART);
    // Not a number is elsewhere, too.
    !(far <= near && is_on_floor)
}

/// Nobody builds floors nearer to each other, and nobody's feet are this far from the floor.
const FLOORS_ARE_APART: f64 = 1.0;

fn is_held(world: &World, scenario: &Scenario, item: ItemId) -> bool {
    let actors = 0..scenario.actors().len() as u16;
    actors.map(AgentId::Actor).any(|who| world.holds(who, item))
}

/// Makes somebody hold these and nothing else; whether that is new.
fn hold(world: &mut World, scenario: &Scenario, who: AgentId, items: &[ItemId]) -> bool {
    let mut is_news = false;
    for item in items {
        // A health pack is used where it is given, so once is enough.
        let is_used = matches!(scenario.items()[item.index()].kind, ItemKind::Pack { .. })
            && !world.is_lying(*item);
        if !world.holds(who, *item) && !is_used {
            world.observe(scenario, WorldObservation::Give(who, *item));
            is_news = true;
        }
    }
    let held: Vec<ItemId> = world.holding(who).collect();
    for item in held.into_iter().filter(|item| !items.contains(item)) {
        world.observe(scenario, WorldObservation::Remove(item));
        is_news = true;
    }
    is_news
}
