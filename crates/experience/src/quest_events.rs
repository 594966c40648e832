//! By way of something important: estimates that first lead to where a key lies, a lever stands or
//! a door is, and from there follow the demonstrations to the goal.
//!
//! After Drake, Safonova and Likhachev, "Towards adaptability of demonstration-based training of
//! NPC behavior" (AIIDE 2017). Each such estimate knows one event and nothing of the others. It may
//! be far too high, so it advises a search and never bounds it.

use std::sync::Arc;

use apprentice_search::Cost;

use crate::{
    DemonstrationGraph, Distance, Hint, Journey, Place, TrainingGraph, TrainingSettings, Ways,
    WaysTo,
};

/// Something important that happens at a place: an item is taken, a lever is pulled, a door is
/// opened.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct QuestEvent {
    /// What people call it.
    pub name: String,
    /// Where it can happen; any of them will do.
    pub places: Vec<Place>,
}

/// How the way to an event is estimated.
#[derive(Clone)]
pub enum EventMetric<'a> {
    /// As the crow flies.
    Straight,
    /// Along the shortest way.
    Path(&'a dyn Ways),
    /// Along demonstrations.
    Training {
        /// Which demonstrations.
        graph: Arc<DemonstrationGraph>,
        /// How they are followed.
        settings: TrainingSettings,
        /// Where the search starts.
        start: Option<Place>,
        /// The shortest ways.
        ways: &'a dyn Ways,
    },
}

/// An estimate that leads by way of one event.
///
/// ```
/// use apprentice_experience::{EventGuide, EventMetric, Hint, Place, QuestEvent, Straight};
/// use apprentice_search::Cost;
///
/// let key = QuestEvent { name: "red key".into(), places: vec![Place::flat(0.0, 4.0)] };
/// // Five seconds from the key to the goal, says the demonstration.
/// let by_key = EventGuide::new(&key, &EventMetric::Straight, Straight::default(), |_| 5.0);
/// let here = Place::flat(3.0, 4.0);
/// let then = || Cost::from_seconds(4.0);
/// assert_eq!(by_key.estimate(here, false, then, &mut Hint::default()), Cost::from_seconds(8.0));
/// assert_eq!(by_key.estimate(here, true, then, &mut Hint::default()), Cost::from_seconds(4.0));
/// ```
#[derive(Clone)]
pub struct EventGuide<D> {
    distance: D,
    spots: Vec<Spot<D>>,
}

/// One place an event can happen at.
#[derive(Clone)]
struct Spot<D> {
    place: Place,
    /// Seconds from there to the goal: the same whenever it is asked.
    afterwards: f64,
    way: Way<D>,
}

#[derive(Clone)]
enum Way<D> {
    Straight,
    Path(Arc<dyn WaysTo>),
    Training(Box<TrainingGraph<D>>),
}

impl<D: Distance + Clone> EventGuide<D> {
    /// Leads by way of `event`, after which `afterwards` says what remains from where it happened.
    /// Places from where nothing leads on are left out.
    pub fn new(
        event: &QuestEvent,
        metric: &EventMetric<'_>,
        distance: D,
        afterwards: impl Fn(Place) -> f64,
    ) -> EventGuide<D> {
        let mut spots = Vec::new();
        for &place in event.places.iter().filter(|place| place.is_finite()) {
            let afterwards = afterwards(place);
            if !afterwards.is_finite() {
                continue;
            }
            let way = match metric {
                EventMetric::Straight => Way::Straight,
                EventMetric::Path(ways) => Way::Path(ways.to(place)),
                EventMetric::Training {
                    graph,
                    settings,
                    start,
                    ways,
                } => {
                    let journey = Journey {
                        start: *start,
                        goal: ways.to(place),
                        ways: *ways,
                    };
                    let training =
                        TrainingGraph::new(graph.clone(), distance.clone(), *settings, &journey);
                    Way::Training(Box::new(training))
                }
            };
            spots.push(Spot {
                place,
                afterwards,
                way,
            });
        }
        EventGuide { distance, spots }
    }

    /// The estimate at `at`: by way of the event if it has not happened yet, or else what
    /// `otherwise` says, as a rule the estimate of the demonstrations themselves.
    pub fn estimate(
        &self,
        at: Place,
        has_happened: bool,
        otherwise: impl FnOnce() -> Cost,
        hint: &mut Hint,
    ) -> Cost {
        if has_happened {
            otherwise()
        } else {
            Cost::round_down(self.seconds(at, hint))
        }
    }

    /// Seconds from `at` by way of the event to the goal; infinite if it cannot happen anywhere.
    pub fn seconds(&self, at: Place, hint: &mut Hint) -> f64 {
        let mut least = f64::INFINITY;
        for spot in &self.spots {
            let straight = || self.distance.between(at, spot.place);
            let there = match &spot.way {
                Way::Straight => straight(),
                Way::Path(ways) => ways.from(at),
                Way::Training(training) => {
                    // Several places share the hint, which only ever changes what is asked first.
                    let inflated = straight() * training.inflation().as_f64();
                    training.guided(at, hint).min(inflated).max(straight())
                }
            };
            // What is no number is no better than anything.
            least = least.min(there + spot.afterwards);
        }
        least
    }
}
