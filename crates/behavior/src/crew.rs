//! Many characters that share one budget a frame.
//!
//! Whoever walks takes nothing but a look now and then. Whoever's plan broke waits for its turn, has as
//! large a part of each frame as it is important, and goes back to walking. All of it is decided by
//! numbers of units and the world's own time, so that the same game is the same on every machine.

#[cfg(feature = "serde")]
pub(crate) mod saved;

use std::collections::VecDeque;
use std::time::Duration;

use apprentice_game::Live;
use apprentice_search::Budget;

use crate::{Character, Doing, Prepared};

/// Many characters, and one budget for all of them in each frame.
///
/// ```
/// use std::time::Duration;
/// use apprentice_behavior::{Character, Crew, Doing, Settings};
/// use apprentice_search::Budget;
/// use apprentice_world::{Abilities, AgentId, Observation, Orders, Point, Scenario, World};
///
/// let scenario = Scenario::parse(r#"
///     format = 1
///     start = [0, 0]
///     goal = { within = { at = [6, 1], radius = 0.0 } }
///     map = { rows = [".......", ".......", "......."] }
/// "#)?;
/// let planner = Settings::default().check(&scenario, [])?.planner;
/// let mut crew: Crew<Scenario> = Crew::default();
/// let mut worlds = Vec::new();
/// for y in 0..3 {
///     crew.add(Character::new(planner.clone(), Abilities::default()));
///     let mut world = World::new(&scenario);
///     world.observe(&scenario, Observation::Move(AgentId::NPC, Point::new(0.0, f64::from(y)), None));
///     worlds.push(world);
/// }
/// while crew.members().any(|(_, character)| character.doing() != Doing::Done) {
///     // One budget for all of them.
///     crew.think(&scenario, |id| &worlds[id.index()], &mut Budget::units(100));
///     for id in crew.ids() {
///         let world = &mut worlds[id.index()];
///         let order = crew.order(id, &scenario, world).expect("a member of this crew");
///         world.advance(&scenario, &Orders::new(order), Duration::from_millis(100), &mut ());
///     }
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Characters are told apart by a [`MemberId`]; all who are in one [`Lane`] share what is
/// [prepared](Prepared). A crew has one lane unless it is made [with more](Crew::with_lanes): lanes
/// share nothing, so that a game may let each think on another thread, and everybody does the same as on
/// one ([`Crew::shares`]). Those with the same goal had better be in the same lane.
pub struct Crew<L: Live> {
    lanes: Vec<Lane<L>>,
    /// Where each member is, by its number.
    places: Vec<Place>,
    /// The number of whoever comes next: nobody has one that somebody else had.
    next: u32,
    /// The lane that comes first in the next frame.
    first: usize,
}

/// Where a member is: its lane, and its number among those there.
struct Place {
    id: MemberId,
    lane: u32,
    number: u32,
}

/// Some of a crew, who share what is prepared, and of whom one thinks after the other.
pub struct Lane<L: Live> {
    prepared: Prepared,
    members: Vec<Member<L>>,
    /// Those who wait for their turn, and those whose turn it is.
    waiting: Vec<usize>,
    thinking: VecDeque<usize>,
    /// Who is looked after first in the next frame.
    next: usize,
    frames: u64,
}

/// Which member of a crew: numbered from 0 in the order in which they were added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MemberId(u32);

impl MemberId {
    /// The one with a number.
    pub const fn from_index(index: usize) -> MemberId {
        MemberId(index as u32)
    }

    /// Its number, from 0 in the order in which members were added.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// How important a member of a crew is, and how often it looks up.
///
/// ```
/// use std::time::Duration;
/// use apprentice_behavior::Membership;
///
/// let rival = Membership { importance: 8, looks_every: Duration::ZERO };
/// # let _ = rival;
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Membership {
    /// How many times as much it may spend in a frame as somebody of importance 1, and how many times
    /// sooner its turn comes. Nobody is of less than 1.
    pub importance: u32,
    /// How long it walks before it looks whether its plan still holds, by the world's time. With
    /// nothing, it looks in every frame.
    pub looks_every: Duration,
}

impl Default for Membership {
    /// Importance 1, and six looks a second.
    fn default() -> Membership {
        Membership {
            importance: 1,
            looks_every: Duration::from_millis(160),
        }
    }
}

/// What became of a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[must_use]
pub struct Frame {
    /// Units that were spent.
    pub units: u64,
    /// How many looked up.
    pub looked: usize,
    /// How many have made a plan and follow it now.
    pub planned: usize,
    /// How many make a plan.
    pub thinking: usize,
    /// How many wait for their turn.
    pub waiting: usize,
}

struct Member<L: Live> {
    id: MemberId,
    character: Character<L>,
    membership: Membership,
    /// When it looks up next, by the world's time.
    looks_at: Duration,
    /// How often in a row it found nothing.
    failures: u32,
    /// The frame in which it began to wait.
    waits_since: u64,
    /// What is left of its turn, in units.
    turn: u64,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
enum State {
    Walking,
    Waiting,
    Thinking,
}

/// So many make plans at the same time in a lane: each has a search lent to it, which takes memory.
const MOST_AT_ONCE: usize = 16;

/// What somebody of importance 1 spends before somebody else's turn comes, in units. Much less, and
/// nobody would be finished soon; much more, and whoever needs little would wait for those who need much.
const A_TURN: u64 = 256;

/// So many look up for a unit of budget.
const LOOKS_AT_ONCE: usize = 4;

/// Whoever found nothing does not look up for this long, then for twice as long, and so on.
const FIRST_PAUSE: Duration = Duration::from_millis(250);
const LONGEST_PAUSE: Duration = Duration::from_secs(16);

impl<L: Live> Default for Crew<L> {
    fn default() -> Crew<L> {
        Crew::with_lanes(1)
    }
}

impl<L: Live> Crew<L> {
    /// A crew that thinks in so many lanes, at least one.
    pub fn with_lanes(lanes: usize) -> Crew<L> {
        Crew {
            lanes: (0..lanes.max(1)).map(|_| Lane::new()).collect(),
            places: Vec::new(),
            next: 0,
            first: 0,
        }
    }

    /// Adds somebody to the first lane.
    pub fn add(&mut self, character: Character<L>) -> MemberId {
        self.add_to(0, character)
    }

    /// Adds somebody to a lane; to the last, if there are not so many. From now on it shares what is
    /// prepared with all who are there.
    pub fn add_to(&mut self, lane: usize, character: Character<L>) -> MemberId {
        let id = MemberId(self.next);
        self.next += 1;
        let chosen = lane.min(self.lanes.len() - 1);
        let lane = &mut self.lanes[chosen];
        self.places.push(Place {
            id,
            lane: chosen as u32,
            number: lane.members.len() as u32,
        });
        lane.members.push(Member {
            id,
            character: character.sharing(&lane.prepared),
            membership: Membership::default(),
            looks_at: Duration::ZERO,
            failures: 0,
            waits_since: 0,
            turn: 0,
            state: State::Walking,
        });
        id
    }

    /// Lets somebody go, with all it has in mind; whether there was somebody of that number. Its number
    /// will be nobody else's, and the others go on as they were.
    ///
    /// ```
    /// # use apprentice_behavior::{Character, Crew, Settings};
    /// # use apprentice_world::{Abilities, Scenario};
    /// # let scenario = Scenario::parse("format = 1\nstart = [0, 0]\ngoal = { within = { at = [2, 0], radius = 0.0 } }\nmap = { rows = ['...'] }")?;
    /// # let planner = Settings::default().check(&scenario, [])?.planner;
    /// let mut crew: Crew<Scenario> = Crew::default();
    /// let anna = crew.add(Character::new(planner.clone(), Abilities::default()));
    /// let bert = crew.add(Character::new(planner, Abilities::default()));
    /// assert!(crew.remove(anna));
    /// assert!(!crew.remove(anna));
    /// assert_eq!(crew.ids().collect::<Vec<_>>(), [bert]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn remove(&mut self, id: MemberId) -> bool {
        let Some(index) = self.index(id) else {
            return false;
        };
        let Place { lane, number, .. } = self.places.remove(index);
        self.lanes[lane as usize].remove(number as usize);
        for place in &mut self.places {
            if place.lane == lane && place.number > number {
                place.number -= 1;
            }
        }
        true
    }

    /// Says how important somebody is, and how often it looks up. A number that nobody has is nobody's.
    pub fn set(&mut self, id: MemberId, membership: Membership) {
        if let Some(member) = self.get_mut(id) {
            member.membership = membership;
        }
    }

    /// All members, in the order in which they were added.
    pub fn ids(&self) -> impl Iterator<Item = MemberId> + use<L> {
        let ids: Vec<MemberId> = self.places.iter().map(|place| place.id).collect();
        ids.into_iter()
    }

    /// All members, lane by lane.
    pub fn members(&self) -> impl Iterator<Item = (MemberId, &Character<L>)> {
        let members = self.lanes.iter().flat_map(|lane| &lane.members);
        members.map(|member| (member.id, &member.character))
    }

    /// A member; none if there is none of that number.
    pub fn member(&self, id: MemberId) -> Option<&Character<L>> {
        let Place { lane, number, .. } = self.places[self.index(id)?];
        let member = &self.lanes[lane as usize].members[number as usize];
        Some(&member.character)
    }

    /// A member, to be told something else. It looks up in the next frame.
    pub fn member_mut(&mut self, id: MemberId) -> Option<&mut Character<L>> {
        let member = self.get_mut(id)?;
        (member.looks_at, member.failures) = (Duration::ZERO, 0);
        Some(&mut member.character)
    }

    /// Gives back the memory of what is prepared, lane by lane, wherever nobody makes a plan just now.
    /// What everybody does is the same; the next plans take longer. With the feature `serde`, what a crew
    /// keeps for its saves grows with every plan until then.
    ///
    /// ```
    /// # use apprentice_behavior::{Character, Crew, Doing, Settings};
    /// # use apprentice_search::Budget;
    /// # use apprentice_world::{Abilities, Scenario, World};
    /// # let scenario = Scenario::parse("format = 1\nstart = [0, 0]\ngoal = { within = { at = [2, 0], radius = 0.0 } }\nmap = { rows = ['...'] }")?;
    /// # let world = World::new(&scenario);
    /// # let planner = Settings::default().check(&scenario, [])?.planner;
    /// let mut crew: Crew<Scenario> = Crew::default();
    /// let id = crew.add(Character::new(planner, Abilities::default()));
    /// let mut units_for_a_plan = |crew: &mut Crew<Scenario>| {
    ///     let mut budget = Budget::unlimited();
    ///     if let Some(member) = crew.member_mut(id) {
    ///         member.pursue(scenario.goal().clone());
    ///     }
    ///     while crew.member(id).map(Character::doing) != Some(Doing::Following) {
    ///         crew.think(&scenario, |_| &world, &mut budget);
    ///     }
    ///     budget.taken()
    /// };
    /// let first = units_for_a_plan(&mut crew);
    /// assert!(units_for_a_plan(&mut crew) < first);
    /// crew.forget();
    /// assert_eq!(units_for_a_plan(&mut crew), first);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn forget(&mut self) {
        for lane in &mut self.lanes {
            let mut members = lane.members.iter();
            if members.all(|member| !member.character.is_thinking())
                && let Some(member) = lane.members.first()
            {
                member.character.forget_shared();
            }
        }
    }

    /// Lets everybody look up and think who should, within one budget for all. `world` says what each
    /// of them sees.
    pub fn think<'w>(
        &mut self,
        level: &L,
        world: impl Fn(MemberId) -> &'w L::World,
        budget: &mut Budget<'_>,
    ) -> Frame {
        let mut frame = Frame::default();
        let lanes = self.lanes.len();
        for number in 0..lanes {
            let lane = &mut self.lanes[(self.first + number) % lanes];
            frame.add(lane.think(level, &world, budget));
        }
        self.first = (self.first + 1) % lanes;
        frame
    }

    /// The lanes, and what each may spend of so many units: as large a part as it has members who make
    /// plans, or may have to. Whether they then think one after the other or at the same time, on other
    /// threads, makes no difference to anybody.
    ///
    /// ```
    /// # use apprentice_behavior::{Character, Crew, Settings};
    /// # use apprentice_search::Budget;
    /// # use apprentice_world::{Abilities, Scenario, World};
    /// # let scenario = Scenario::parse("format = 1\nstart = [0, 0]\ngoal = { within = { at = [2, 0], radius = 0.0 } }\nmap = { rows = ['...'] }")?;
    /// # let world = World::new(&scenario);
    /// # let planner = Settings::default().check(&scenario, [])?.planner;
    /// let mut crew: Crew<Scenario> = Crew::with_lanes(2);
    /// for number in 0..10 {
    ///     crew.add_to(number % 2, Character::new(planner.clone(), Abilities::default()));
    /// }
    /// std::thread::scope(|scope| {
    ///     for (lane, units) in crew.shares(1_000) {
    ///         let (scenario, world) = (&scenario, &world);
    ///         scope.spawn(move || lane.think(scenario, |_| world, &mut Budget::units(units)));
    ///     }
    /// });
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn shares(&mut self, units: u64) -> impl Iterator<Item = (&mut Lane<L>, u64)> {
        let weights: Vec<u64> = self.lanes.iter().map(Lane::weight).collect();
        let all: u64 = weights.iter().sum::<u64>().max(1);
        // In whole units, and no more of them than there are.
        let mut given = 0;
        let mut before = 0;
        let shares = weights.into_iter().map(move |weight| {
            before += weight;
            let until = (u128::from(units) * u128::from(before) / u128::from(all)) as u64;
            let share = until - given;
            given = until;
            share
        });
        self.lanes.iter_mut().zip(shares.collect::<Vec<u64>>())
    }

    /// What somebody is to do now, by its plan: it looks up only in [`think`](Crew::think), so this takes
    /// next to nothing. None if there is nobody of that number.
    pub fn order(&mut self, id: MemberId, level: &L, world: &L::World) -> Option<L::Order> {
        let member = self.get_mut(id)?;
        Some(member.character.order_without_looking(level, world))
    }

    fn get_mut(&mut self, id: MemberId) -> Option<&mut Member<L>> {
        let Place { lane, number, .. } = self.places[self.index(id)?];
        Some(&mut self.lanes[lane as usize].members[number as usize])
    }

    /// Where among the places somebody's is. They are in the order of their numbers.
    fn index(&self, id: MemberId) -> Option<usize> {
        // As long as nobody has left, everybody is where its number says.
        match self.places.get(id.index()) {
            Some(place) if place.id == id => Some(id.index()),
            _ => self.places.binary_search_by_key(&id, |place| place.id).ok(),
        }
    }
}

impl<L: Live> Lane<L> {
    fn new() -> Lane<L> {
        Lane {
            prepared: Prepared::default(),
            members: Vec::new(),
            waiting: Vec::new(),
            thinking: VecDeque::new(),
            next: 0,
            frames: 0,
        }
    }

    /// Lets the one of a number go; those after it move up.
    fn remove(&mut self, number: usize) {
        let mut member = self.members.remove(number);
        member.character.give_back();
        self.waiting.retain(|it| *it != number);
        self.thinking.retain(|it| *it != number);
        let queued = self.waiting.iter_mut().chain(&mut self.thinking);
        queued.filter(|it| **it > number).for_each(|it| *it -= 1);
        if self.next > number {
            self.next -= 1;
        }
        if self.members.is_empty() {
            // Nobody is left to use what is prepared, and whoever comes may be after something else.
            self.prepared = Prepared::default();
        }
    }

    /// How large its part of a budget is beside that of others.
    fn weight(&self) -> u64 {
        let looks = self.members.len().div_ceil(A_TURN as usize);
        (self.waiting.len() + self.thinking.len() + looks) as u64
    }

    /// Lets everybody look up and think who should, within a budget. `world` says what each of them
    /// sees.
    pub fn think<'w>(
        &mut self,
        level: &L,
        world: impl Fn(MemberId) -> &'w L::World,
        budget: &mut Budget<'_>,
    ) -> Frame {
        self.frames += 1;
        let before = budget.taken();
        let mut frame = Frame::default();
        // Somebody who thinks comes before somebody who only looks, every other frame: so that neither
        // has to wait for ever where a budget is too small for both.
        if self.frames.is_multiple_of(2) {
            self.make_plans(level, &world, budget, &mut frame);
            self.look_up(level, &world, budget, &mut frame);
        } else {
            self.look_up(level, &world, budget, &mut frame);
            self.make_plans(level, &world, budget, &mut frame);
        }
        frame.units = budget.taken() - before;
        frame.thinking = self.thinking.len();
        frame.waiting = self.waiting.len();
        frame
    }

    /// Lets those look up whose time has come.
    fn look_up<'w>(
        &mut self,
        level: &L,
        world: &impl Fn(MemberId) -> &'w L::World,
        budget: &mut Budget<'_>,
        frame: &mut Frame,
    ) {
        let count = self.members.len();
        let mut paid = 0;
        for _ in 0..count {
            let number = self.next % count;
            let member = &mut self.members[number];
            let seen = world(member.id);
            let now = level.time(seen);
            if member.state == State::Walking && now >= member.looks_at {
                if paid == 0 && !budget.take() {
                    return;
                }
                paid = (paid + 1) % LOOKS_AT_ONCE;
                frame.looked += 1;
                member.character.look(level, seen);
                member.looks_at = now + member.membership.looks_every;
                if member.character.is_busy() {
                    member.state = State::Waiting;
                    member.waits_since = self.frames;
                    self.waiting.push(number);
                }
            }
            self.next = (number + 1) % count;
        }
    }

    /// Lets those think whose turn it is, one after the other, until nobody has to or the budget is
    /// spent.
    fn make_plans<'w>(
        &mut self,
        level: &L,
        world: &impl Fn(MemberId) -> &'w L::World,
        budget: &mut Budget<'_>,
        frame: &mut Frame,
    ) {
        loop {
            self.let_begin();
            let Some(number) = self.thinking.pop_front() else {
                return;
            };
            let member = &mut self.members[number];
            let seen = world(member.id);
            let plans = member.character.plans();
            let before = budget.taken();
            budget.at_most(member.turn, |budget| {
                member.character.think(level, seen, budget);
            });
            let spent = budget.taken() - before;
            member.turn = member.turn.saturating_sub(spent);
            frame.planned += (member.character.plans() - plans) as usize;
            if !member.character.is_busy() {
                member.rest(level.time(seen));
            } else if member.turn == 0 {
                member.turn = member.membership.turn();
                self.thinking.push_back(number);
            } else if budget.spent_by().is_some() {
                // It goes on in the next frame.
                self.thinking.push_front(number);
                return;
            } else {
                // It has a plan, and is not yet where that begins.
                (member.state, member.looks_at) = (State::Walking, Duration::ZERO);
            }
        }
    }

    /// Lets those begin to think who have waited longest for how important they are, as far as there is
    /// room.
    fn let_begin(&mut self) {
        while self.thinking.len() < MOST_AT_ONCE && !self.waiting.is_empty() {
            let mut first = (0, 0);
            for (place, number) in self.waiting.iter().enumerate() {
                let Member {
                    membership,
                    waits_since,
                    ..
                } = &self.members[*number];
                let waited = self.frames - waits_since + 1;
                let claim = waited.saturating_mul(u64::from(membership.importance.max(1)));
                if claim > first.0 {
                    first = (claim, place);
                }
            }
            let number = self.waiting.remove(first.1);
            let member = &mut self.members[number];
            member.state = State::Thinking;
            member.turn = member.membership.turn();
            self.thinking.push_back(number);
        }
    }
}

impl Membership {
    /// What it may spend before somebody else's turn comes.
    fn turn(&self) -> u64 {
        A_TURN.saturating_mul(u64::from(self.importance.max(1)))
    }
}

impl<L: Live> Member<L> {
    /// It has done what it could, and walks on or waits.
    fn rest(&mut self, now: Duration) {
        self.state = State::Walking;
        let pause = if self.character.doing() == Doing::Stuck {
            let pause = FIRST_PAUSE.saturating_mul(1 << self.failures.min(10));
            self.failures += 1;
            pause.min(LONGEST_PAUSE)
        } else {
            self.failures = 0;
            self.membership.looks_every
        };
        self.looks_at = now + pause;
    }
}

impl Frame {
    fn add(&mut self, other: Frame) {
        self.units += other.units;
        self.looked += other.looked;
        self.planned += other.planned;
        self.thinking += other.thinking;
        self.waiting += other.waiting;
    }
}
