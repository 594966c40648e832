//! What a character needs besides, to carry a plan out.

use std::fmt;
use std::time::Duration;

use apprentice_experience::{Demonstration, Place};
use apprentice_search::Cost;

use crate::rehearsing::StepByStep;
use crate::{Condition, FULL_HEALTH, Landmark, LandmarkId, PlannedStep, Quests, Rehearsing};

/// A level that is played: worlds as they are seen, orders that are given in them, and goals.
///
/// Whoever implements this gets characters that make plans while they keep going, notice when the
/// world has gone another way, and make others. What plans are made for is a [`Game`](crate::Game):
/// [`Live::quest`] makes one of a world and a goal. A game that knows little answers the first eight
/// questions; each of the others buys something, and says what.
///
/// Here somebody goes along a corridor, and does not care who else is there:
///
/// ```
/// use std::sync::Arc;
/// use std::time::Duration;
/// use apprentice_experience::Place;
/// use apprentice_game::{Aim, Game, Ground, Live, Waypoints};
/// use apprentice_search::{Cost, Problem, Successors};
///
/// #[derive(Clone)]
/// struct Corridor { ground: Arc<Waypoints>, start: usize, aim: Aim }
///
/// impl Problem for Corridor {
///     type State = usize;
///     type Key = usize;
///     type Action = usize; // Where to go.
/// #   fn start(&self) -> usize { self.start }
/// #   fn key(&self, place: &usize) -> usize { *place }
/// #   fn is_goal(&self, place: &usize) -> bool { self.aim == Aim::At(vec![*place]) }
///     fn successors(&self, place: &usize, out: &mut Successors<usize, usize>) {
///         for to in [place.saturating_sub(1), (place + 1).min(4)] {
///             out.push(to, to, Cost::from_seconds(1.0));
///         }
///     }
///     // …
/// }
/// # impl Game for Corridor {
/// #     type Ground = Waypoints;
/// #     fn ground(&self) -> &Arc<Waypoints> { &self.ground }
/// #     fn place(&self, place: &usize) -> usize { *place }
/// #     fn top_speed(&self) -> f64 { 1.0 }
/// #     fn aim(&self) -> &Aim { &self.aim }
/// #     fn level(&self) -> u64 { 0 }
/// # }
///
/// impl Live for Corridor {
///     type World = (Duration, usize); // The time, and where one is.
///     type Order = usize;
///     type Goal = Aim;
///     type Who = ();
///     type Quest = Corridor;
///     type Failure = &'static str;
///     type Event = ();
///
///     fn goal(&self, _: &()) -> &Aim { &self.aim }
///     fn is_met(&self, _: &(), goal: &Aim, world: &(Duration, usize)) -> bool {
///         *goal == Aim::At(vec![world.1])
///     }
///     fn time(&self, world: &(Duration, usize)) -> Duration { world.0 }
///     fn spot(&self, _: &(), world: &(Duration, usize)) -> usize { world.1 }
///     fn point(&self, place: usize) -> Place { self.ground.at(place) }
///     fn quest(&self, _: &(), from: &(Duration, usize), goal: &Aim, _: usize) -> Corridor {
///         Corridor { start: from.1, aim: goal.clone(), ..self.clone() }
///     }
///     fn after(
///         &self,
///         _: &(),
///         world: &(Duration, usize),
///         to: &usize,
///     ) -> Result<((Duration, usize), Cost), &'static str> {
///         let is_near = world.1.abs_diff(*to) <= 1 && *to <= 4;
///         let then = (world.0 + Duration::from_secs(1), *to);
///         is_near.then_some((then, Cost::from_seconds(1.0))).ok_or("it is too far")
///     }
///     fn wait(&self, _: &(), last: Option<&usize>) -> usize { last.copied().unwrap_or(0) }
/// }
/// # let points = (0..5).map(|x| Place::flat(f64::from(x), 0.0));
/// # let mut ground = Waypoints::new(points)?;
/// # for place in 0..4 { ground.connect(place, place + 1)?; }
///
/// let corridor = Corridor { ground: Arc::new(ground), start: 0, aim: Aim::At(vec![4]) };
/// let world = (Duration::ZERO, 0);
/// assert_eq!(corridor.after(&(), &world, &1)?.0.1, 1);
/// assert_eq!(corridor.after(&(), &world, &3), Err("it is too far"));
/// assert!(!corridor.is_met(&(), corridor.goal(&()), &world));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Live: Sized + 'static {
    /// The world as a character sees it.
    type World: Clone + PartialEq + Send + Sync;
    /// What a character can be asked to do: the actions of its quests.
    type Order: Clone + PartialEq + Send + Sync;
    /// What a character can be after.
    type Goal: Clone + Send + Sync;
    /// Who is meant, and what it can do; `()` where there is only one.
    type Who: Clone + Send + Sync;
    /// A quest; a [`Game`](crate::Game), or one of several kinds of them.
    type Quest: Quests<Order = Self::Order> + Send + Sync;
    /// Why an order cannot be carried out, or a plan comes to grief.
    type Failure: Clone + fmt::Debug + fmt::Display + PartialEq + Send + Sync;
    /// What happens on the way, for those who show plans; `()` where nobody asks.
    type Event: Clone + fmt::Debug + PartialEq + Send + Sync;

    /// What a character is after that was not told anything else.
    fn goal(&self, who: &Self::Who) -> &Self::Goal;

    /// Whether a goal is met in a world.
    fn is_met(&self, who: &Self::Who, goal: &Self::Goal, world: &Self::World) -> bool;

    /// What is left of a goal of which a part is met in a world that need not stay so, because its parts
    /// are to be met one after the other; `None` if that is all of it.
    ///
    /// Buys goals that have an order: a character asks in every tick, and goes on with what is left.
    fn left(
        &self,
        _who: &Self::Who,
        _goal: &Self::Goal,
        _world: &Self::World,
    ) -> Option<Self::Goal> {
        None
    }

    /// Whether a goal has parts that are to be met one after the other, so that the end of a plan does
    /// not tell whether it is met, and rehearsals must.
    fn has_order(&self, _goal: &Self::Goal) -> bool {
        false
    }

    /// The time in a world, since the game began.
    fn time(&self, world: &Self::World) -> Duration;

    /// The place somebody is in; the one it comes from while it makes a step.
    fn spot(&self, who: &Self::Who, world: &Self::World) -> usize;

    /// Where a place is. A number that no place has is answered with anything.
    fn point(&self, place: usize) -> Place;

    /// The quest for a goal that begins in a world, with enemies taken to be as bad as a
    /// [margin level](Live::margin_levels) says.
    fn quest(
        &self,
        who: &Self::Who,
        from: &Self::World,
        goal: &Self::Goal,
        margin_level: usize,
    ) -> Self::Quest;

    /// The world in which an order has been carried out, and how long that takes; as nearly as is
    /// known.
    ///
    /// # Errors
    ///
    /// If it cannot be carried out.
    fn after(
        &self,
        who: &Self::Who,
        world: &Self::World,
        order: &Self::Order,
    ) -> Result<(Self::World, Cost), Self::Failure>;

    /// The order to stay where one is, for somebody who heard this one last and is not done yet.
    fn wait(&self, who: &Self::Who, last: Option<&Self::Order>) -> Self::Order;

    /// The order of somebody who is dead, which nobody hears.
    fn idle(&self, who: &Self::Who) -> Self::Order {
        self.wait(who, None)
    }

    /// The landmarks of the level, as all of its quests list them.
    ///
    /// Buys that it is noticed when somebody else does one of them, and events that have names.
    fn things(&self) -> &[Landmark] {
        &[]
    }

    /// The landmark people call so.
    fn named(&self, name: &str) -> Option<LandmarkId> {
        let mut all = (0..).map(LandmarkId::new).zip(self.things());
        let found = all.find(|(_, mark)| mark.name == name);
        found.map(|(id, _)| id)
    }

    /// The landmarks that get an adviser each, unless somebody chooses others: whatever can be fetched
    /// or pulled.
    fn events(&self) -> Vec<LandmarkId> {
        let all = (0..).map(LandmarkId::new).zip(self.things());
        let fetched = all.filter(|(_, mark)| !mark.bars && !mark.moves);
        fetched.map(|(id, _)| id).collect()
    }

    /// Demonstrations put on the floors of the level; `None` if they are.
    fn on_ground(&self, _shown: &[Demonstration]) -> Option<Vec<Demonstration>> {
        None
    }

    /// How a landmark is in a world.
    ///
    /// Buys that doors which were shut, and keys that are gone, are noticed at once, and not only when
    /// a step comes to nothing.
    fn condition(
        &self,
        _who: &Self::Who,
        _world: &Self::World,
        _landmark: LandmarkId,
    ) -> Condition {
        Condition::Undone
    }

    /// Whether a landmark stays as it is until somebody changes it: no door that goes by the clock.
    ///
    /// Buys that nobody thinks anew whenever one of the others changes.
    fn lasts(&self, _landmark: LandmarkId) -> bool {
        true
    }

    /// Where somebody is.
    ///
    /// Buys that it is noticed who is pushed, or falls behind, between two places.
    fn at(&self, who: &Self::Who, world: &Self::World) -> Place {
        self.point(self.spot(who, world))
    }

    /// Whether somebody is between two steps, and hears the next order at once. Who is not hears it at
    /// the end of the step.
    ///
    /// Buys steps that are never broken off.
    fn is_between_steps(&self, _who: &Self::Who, _world: &Self::World) -> bool {
        true
    }

    /// The world in which the step is over that somebody makes, if it hears nothing but this.
    fn end_of_step(
        &self,
        _who: &Self::Who,
        world: &Self::World,
        _wait: &Self::Order,
    ) -> Self::World {
        world.clone()
    }

    /// Whether nothing came of an order that was given in the world before.
    ///
    /// Buys that whoever walks against something nobody knew of thinks again at once.
    fn came_to_nothing(
        &self,
        _who: &Self::Who,
        _order: &Self::Order,
        _before: &Self::World,
        _world: &Self::World,
    ) -> bool {
        false
    }

    /// Why nobody can be planned for who is like this: somebody who is not in the level, for example.
    ///
    /// Buys that a character says so when it is asked, and waits.
    fn refuses(&self, _who: &Self::Who) -> Option<String> {
        None
    }

    /// Whether somebody is dead, and takes no more orders.
    fn is_dead(&self, _who: &Self::Who, _world: &Self::World) -> bool {
        false
    }

    /// How well somebody is.
    ///
    /// Buys that unexpected wounds are noticed, and plans that end worse than was expected.
    fn health(&self, _who: &Self::Who, _world: &Self::World) -> f64 {
        FULL_HEALTH
    }

    /// The enemies who live.
    ///
    /// Buys that it is noticed when they are elsewhere than was expected, or attack.
    fn enemies(&self, _world: &Self::World) -> impl Iterator<Item = LandmarkId> {
        std::iter::empty()
    }

    /// Where somebody else is.
    fn whereabouts(&self, _world: &Self::World, agent: LandmarkId) -> Place {
        let mark = self.things().get(agent.index());
        mark.map_or(Place::default(), |mark| mark.at)
    }

    /// How well somebody else is.
    ///
    /// Buys that whoever is stuck thinks again when an enemy was hurt.
    fn health_of(&self, _world: &Self::World, _agent: LandmarkId) -> f64 {
        FULL_HEALTH
    }

    /// Whether an enemy is after somebody.
    fn is_after(&self, _who: &Self::Who, _world: &Self::World, _enemy: LandmarkId) -> bool {
        false
    }

    /// Whether anything has changed between two worlds that is never the same for long, or goes by the
    /// clock: whoever is stuck looks again from time to time.
    fn stirs(&self, _who: &Self::Who, then: &Self::World, now: &Self::World) -> bool {
        then != now
    }

    /// Whether others move in a quest, so that its plans are rehearsed before they are followed.
    ///
    /// Buys [rehearsals](Live::rehearsal) and [margin levels](Live::margin_levels).
    fn others_move(&self, _quest: &Self::Quest) -> bool {
        false
    }

    /// In how many ways enemies can be taken to be, numbered in the order in which they are tried.
    ///
    /// Buys plans that are made again, with more care or with less, where one came to grief in its
    /// rehearsal or none was found. At most 32 are tried.
    fn margin_levels(&self) -> usize {
        1
    }

    /// Whether whoever finds no plan at one margin level finds none at another.
    fn is_as_careful(&self, _level: usize, _other: usize) -> bool {
        true
    }

    /// Lives through a plan that was found, to know what to expect after each step.
    ///
    /// Buys expectations with all margins, and in slices where steps take long.
    fn expectation(
        &self,
        who: &Self::Who,
        _quest: &Self::Quest,
        from: &Self::World,
        orders: Vec<Self::Order>,
    ) -> Box<dyn Rehearsing<Self>> {
        Box::new(StepByStep::new(who, from, orders))
    }

    /// Lives through a plan in the ticks of the game, with enemies as they are, or as a quest takes
    /// them to be.
    ///
    /// Buys that nobody follows a plan that works in whole steps only.
    fn rehearsal(
        &self,
        _who: &Self::Who,
        _start: &Self::World,
        _orders: Vec<Self::Order>,
        _tick: Duration,
        _as_in: Option<&Self::Quest>,
    ) -> Option<Box<dyn Rehearsing<Self>>> {
        None
    }

    /// How bad it is that a plan comes to grief so.
    fn severity(&self, _failure: &Self::Failure) -> Severity {
        Severity::Stops
    }
}

/// A step of a plan in a level.
pub type StepIn<L> = PlannedStep<<L as Live>::Order, <L as Live>::World, <L as Live>::Event>;

/// How bad it is that a plan comes to grief.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// It cannot be carried out any further.
    Stops,
    /// Whoever follows it dies.
    Kills,
    /// All of it is carried out, and the goal is not met.
    FallsShort,
}
