//! What a level must tell so that games in it can be saved.

use serde::{Serialize, de::DeserializeOwned};

use crate::Live;

/// A level whose games can be saved: its worlds, orders, goals, events and failures are written and read
/// by `serde`, and it can tell itself and its characters from others.
///
/// A save holds neither the level nor who a character is, because either may be made of anything: it
/// names them by numbers, and whoever loads it brings them along.
///
/// ```
/// # use std::sync::Arc;
/// # use std::time::Duration;
/// # use apprentice_experience::Place;
/// # use apprentice_game::{Aim, Game, Ground, Live, Waypoints};
/// # use apprentice_search::{Cost, Problem, Successors};
/// use apprentice_game::Savable;
/// # #[derive(Clone)]
/// # struct Corridor { ground: Arc<Waypoints>, start: usize, aim: Aim }
/// # impl Problem for Corridor {
/// #     type State = usize;
/// #     type Key = usize;
/// #     type Action = usize;
/// #     fn start(&self) -> usize { self.start }
/// #     fn key(&self, place: &usize) -> usize { *place }
/// #     fn is_goal(&self, place: &usize) -> bool { self.aim == Aim::At(vec![*place]) }
/// #     fn successors(&self, _: &usize, _: &mut Successors<usize, usize>) {}
/// # }
/// # impl Game for Corridor {
/// #     type Ground = Waypoints;
/// #     fn ground(&self) -> &Arc<Waypoints> { &self.ground }
/// #     fn place(&self, place: &usize) -> usize { *place }
/// #     fn top_speed(&self) -> f64 { 1.0 }
/// #     fn aim(&self) -> &Aim { &self.aim }
/// #     fn level(&self) -> u64 { 0 }
/// # }
/// # impl Live for Corridor {
/// #     type World = (Duration, usize);
/// #     type Order = usize;
/// #     type Goal = Aim;
/// #     type Who = ();
/// #     type Quest = Corridor;
/// #     type Failure = String;
/// #     type Event = ();
/// #     fn goal(&self, _: &()) -> &Aim { &self.aim }
/// #     fn is_met(&self, _: &(), goal: &Aim, world: &(Duration, usize)) -> bool { *goal == Aim::At(vec![world.1]) }
/// #     fn time(&self, world: &(Duration, usize)) -> Duration { world.0 }
/// #     fn spot(&self, _: &(), world: &(Duration, usize)) -> usize { world.1 }
/// #     fn point(&self, place: usize) -> Place { self.ground.at(place) }
/// #     fn quest(&self, _: &(), from: &(Duration, usize), goal: &Aim, _: usize) -> Corridor {
/// #         Corridor { start: from.1, aim: goal.clone(), ..self.clone() }
/// #     }
/// #     fn after(&self, _: &(), world: &(Duration, usize), to: &usize) -> Result<((Duration, usize), Cost), String> {
/// #         Ok(((world.0, *to), Cost::ZERO))
/// #     }
/// #     fn wait(&self, _: &(), last: Option<&usize>) -> usize { last.copied().unwrap_or(0) }
/// # }
/// impl Savable for Corridor {
///     fn digest(&self) -> u64 { self.ground.places() as u64 }
///     fn digest_of(&self, _: &()) -> u64 { 0 }
///     fn check(&self, world: &(Duration, usize)) -> Result<(), String> {
///         let is_there = world.1 < self.ground.places();
///         is_there.then_some(()).ok_or_else(|| format!("there is no place {}", world.1))
///     }
/// }
/// ```
pub trait Savable:
    Live<
        World: Serialize + DeserializeOwned,
        Order: Serialize + DeserializeOwned,
        Goal: Serialize + DeserializeOwned,
        Failure: Serialize + DeserializeOwned,
        Event: Serialize + DeserializeOwned,
    >
{
    /// A number that two levels share only if games go on alike in both, the same on every machine. A
    /// save of another level is refused.
    fn digest(&self) -> u64;

    /// The same for who a character is, and what it can do.
    fn digest_of(&self, who: &Self::Who) -> u64;

    /// Whether a world that was read can be one of this level. Bytes may have been damaged, or made up:
    /// whatever the other methods rely on is to be looked at here.
    ///
    /// # Errors
    ///
    /// What cannot be, in words.
    fn check(&self, _world: &Self::World) -> Result<(), String> {
        Ok(())
    }
}
