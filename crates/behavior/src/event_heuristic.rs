//! An estimate that passes by a key, a lever or a door first.

use std::sync::{Arc, Mutex};

use apprentice_experience::Place;
use apprentice_game::{Aim, DistanceField, Game, Ground, Landmark, LandmarkId};
use apprentice_search::{Budget, Cost, Heuristic, Promise};

use crate::ground::level_of;
use crate::shelf::{Shelf, open};
use crate::tgraph_heuristic::goal_places;
use crate::{EGraphHeuristic, TGraphHeuristic};

/// An estimate that passes by an event: to its place and from there to the goal, as long as the
/// event has not happened; to the goal after that. From the event on, demonstrations are followed
/// if there are any. It promises nothing, because plans may do without the event.
///
/// After Drake, Safonova and Likhachev, "Towards adaptability of demonstration-based training of
/// NPC behavior" (AIIDE 2017), equation 2.
#[derive(Clone)]
pub struct EventHeuristic<G> {
    /// What happens there; `None` where nothing ever does.
    event: Option<LandmarkId>,
    place: usize,
    at: Place,
    approach: Approach<G>,
    onward: Onward<G>,
    /// The time from the event to the goal, once prepared.
    from_event: Cost,
}

/// How the way to an event is measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum EventMetric {
    /// As the crow flies.
    #[default]
    Straight,
    /// Along the shortest way.
    Path,
    /// Along demonstrations, where there are any to follow.
    Training,
}

/// What leads from an event to the goal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum EventGuide {
    /// Demonstrations are followed to their end.
    #[default]
    Training,
    /// Demonstrated ways are used where they help, as first published.
    Experience,
}

#[derive(Clone)]
enum Approach<G> {
    Straight,
    /// The ways to it in the level with that digest, swept once prepared.
    Path(Option<(u64, Arc<DistanceField>)>, EventPaths),
    Training(TGraphHeuristic<G>),
}

/// The ways to events, for all searches.
#[derive(Clone, Default)]
pub(crate) struct EventPaths {
    swept: Arc<Mutex<Shelf<EventPath<Arc<DistanceField>>>>>,
    sweeping: Arc<Mutex<Shelf<EventPath<DistanceField>>>>,
}

/// The ways to an event in a level.
struct EventPath<F> {
    level: u64,
    event: LandmarkId,
    field: F,
}

impl EventPaths {
    /// The ways to an event; `None` if the budget is spent before they are swept.
    fn to<Q: Game>(
        &self,
        game: &Q,
        event: LandmarkId,
        budget: &mut Budget<'_>,
    ) -> Option<Arc<DistanceField>> {
        let (level, ground) = (level_of(game), &**game.ground());
        let mut swept = open(&self.swept);
        let known = swept.find(|known| known.level == level && known.event == event);
        if let Some(known) = known {
            return Some(known.field.clone());
        }
        let mut sweeping = open(&self.sweeping);
        let begun = sweeping.take(|known| known.level == level && known.event == event);
        let mut field = match begun {
            Some(begun) => begun.field,
            None => {
                let places = goal_places(&Aim::Done(event), game);
                DistanceField::to(ground, places, game.top_speed())
            }
        };
        if !field.sweep(ground, budget) {
            sweeping.put(EventPath {
                level,
                event,
                field,
            });
            return None;
        }
        let field = Arc::new(field);
        swept.put(EventPath {
            level,
            event,
            field: field.clone(),
        });
        Some(field)
    }
}

#[derive(Clone)]
enum Onward<G> {
    Straight,
    Training(TGraphHeuristic<G>),
    Experience(Box<EGraphHeuristic>),
}

impl<G: Ground> EventHeuristic<G> {
    /// The estimate that passes by what happens to this one of some landmarks.
    ///
    /// # Panics
    ///
    /// If there is no such landmark.
    pub fn new(landmarks: &[Landmark], event: LandmarkId) -> EventHeuristic<G> {
        let mark = &landmarks[event.index()];
        EventHeuristic {
            event: Some(event),
            place: mark.place,
            at: mark.at,
            approach: Approach::Straight,
            onward: Onward::Straight,
            from_event: Cost::ZERO,
        }
    }

    /// The estimate that passes by a place at which nothing ever happens: advice that is of no use, to
    /// see what it costs. The way there is always measured as the crow flies.
    pub fn nothing_at(ground: &G, place: usize) -> EventHeuristic<G> {
        EventHeuristic {
            event: None,
            place,
            at: ground.at(place),
            approach: Approach::Straight,
            onward: Onward::Straight,
            from_event: Cost::ZERO,
        }
    }

    /// The same, following demonstrations.
    #[must_use]
    pub fn following(mut self, following: TGraphHeuristic<G>) -> EventHeuristic<G> {
        self.onward = Onward::Training(following);
        self
    }

    /// The same, using demonstrated ways where they help.
    #[must_use]
    pub fn recalling(mut self, recalling: EGraphHeuristic) -> EventHeuristic<G> {
        self.onward = Onward::Experience(Box::new(recalling));
        self
    }

    /// The same, with another measure of the way to the event. What is shown is followed there as
    /// `following` follows it to the goal.
    #[must_use]
    pub fn measured(
        self,
        metric: EventMetric,
        following: &TGraphHeuristic<G>,
    ) -> EventHeuristic<G> {
        self.measured_by(metric, following, &EventPaths::default())
    }

    /// The same with ways that others take, too.
    pub(crate) fn measured_by(
        mut self,
        metric: EventMetric,
        following: &TGraphHeuristic<G>,
        paths: &EventPaths,
    ) -> EventHeuristic<G> {
        self.approach = match (metric, self.event) {
            (EventMetric::Straight, _) | (_, None) => Approach::Straight,
            (EventMetric::Path, Some(_)) => Approach::Path(None, paths.clone()),
            (EventMetric::Training, Some(event)) => {
                let there = Aim::Done(event);
                Approach::Training(following.toward(there))
            }
        };
        self
    }

    /// The time to the event.
    fn approach<Q: Game<Ground = G>>(&mut self, game: &Q, state: &Q::State) -> Cost {
        let (here, place) = (game.at(state), game.place(state));
        let far = here.seen_from_above(self.at.x, self.at.y);
        let straight = Cost::round_down(far / game.top_speed());
        match &mut self.approach {
            Approach::Straight | Approach::Path(None, _) => straight,
            Approach::Path(Some((_, field)), _) => field.at(place),
            Approach::Training(following) => {
                following.estimate_at(game, state, Some(place), here, straight)
            }
        }
    }

    fn prepare_approach<Q: Game<Ground = G>>(&mut self, game: &Q, budget: &mut Budget<'_>) -> bool {
        match (&mut self.approach, self.event) {
            (Approach::Straight, _) | (Approach::Path(..), None) => true,
            (Approach::Path(known, paths), Some(event)) => {
                let level = level_of(game);
                if known.as_ref().is_none_or(|(other, _)| *other != level) {
                    *known = None;
                    let field = paths.to(game, event, budget);
                    *known = field.map(|field| (level, field));
                }
                known.is_some()
            }
            (Approach::Training(following), _) => following.prepare(game, budget),
        }
    }
}

impl<Q: Game> Heuristic<Q> for EventHeuristic<Q::Ground> {
    fn estimate(&mut self, game: &Q, state: &Q::State) -> Cost {
        if !self.event.is_some_and(|event| game.is_done(state, event)) {
            return self.approach(game, state) + self.from_event;
        }
        match &mut self.onward {
            Onward::Straight => game.straight(state),
            Onward::Training(following) => following.estimate(game, state),
            Onward::Experience(recalling) => recalling.estimate(game, state),
        }
    }

    fn promise(&self) -> Promise {
        Promise::None
    }

    fn prepare(&mut self, game: &Q, budget: &mut Budget<'_>) -> bool {
        let is_ready = match &mut self.onward {
            Onward::Straight => true,
            Onward::Training(following) => following.prepare(game, budget),
            Onward::Experience(recalling) => recalling.prepare(game, budget),
        };
        if !is_ready || !self.prepare_approach(game, budget) {
            return false;
        }
        // Where it is now: games may move their things.
        let moved = self
            .event
            .map(|event| game.landmarks()[event.index()].place);
        let place = moved.unwrap_or(self.place);
        let (straight, at) = (game.straight_from(place), game.ground().at(place));
        self.from_event = match &mut self.onward {
            Onward::Straight => straight,
            Onward::Training(following) => {
                following.estimate_at(game, &game.start(), None, at, straight)
            }
            Onward::Experience(recalling) => recalling.estimate_from(place, at, straight),
        };
        true
    }
}
