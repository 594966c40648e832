//! What demonstrations say at each place, kept once it is known.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use apprentice_search::Cost;

use crate::{Distance, Hint, Place, TrainingGraph};

/// What a [`TrainingGraph`] says, kept by the caller's number of a place: a cell, or a point of a
/// lattice. What depends on more than the place, the straight way to the goal, is not kept.
///
/// Clones share what they know, so that each place is asked for once however many advisers ask.
///
/// ```
/// # use std::sync::Arc;
/// # use apprentice_experience::*;
/// # use apprentice_search::{Cost, Weight};
/// # let ground = OpenGround { top_speed: 1.0 };
/// # let goal = Place::flat(9.0, 0.0);
/// # let mut graph = DemonstrationGraph::default();
/// # graph.add(&Demonstration::drawn("x", [Place::flat(0.0, 5.0), Place::flat(9.0, 5.0)], 1.0));
/// # let training = TrainingGraph::new(
/// #     Arc::new(graph), Straight::default(), TrainingSettings::with_inflation(Weight::new(10.0)?),
/// #     &Journey { start: None, goal: ground.to(goal), ways: &ground });
/// let mut memo = Memo::new(Remember::Places, 100);
/// let at = Place::flat(3.0, 2.0);
/// let straight = Cost::round_down(at.distance_to(goal));
/// let first = memo.estimate(&training, 23, at, straight);
/// assert_eq!(memo.estimate(&training, 23, at, straight), first);
/// assert_eq!(memo.asked, 1);
/// // Another adviser need not ask.
/// let mut beside = memo.clone();
/// assert_eq!(beside.estimate(&training, 23, at, straight), first);
/// assert_eq!(beside.asked, 1);
/// # Ok::<(), apprentice_search::BadWeight>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Memo {
    remember: Remember,
    known: Arc<Known>,
    hint: Hint,
    /// What it was last renewed for.
    revision: Option<u64>,
    /// How often the training graph was asked.
    pub asked: u64,
}

/// Seconds by number of the place, for several who ask. Whoever finds one writes it down; as all would
/// find the same, it does not matter who was first.
#[derive(Debug, Default)]
struct Known {
    /// So many places at a time, from the first of them on that somebody asked about.
    pages: Box<[OnceLock<Box<[AtomicU64]>>]>,
}

/// Places of a page: small enough that one is made in a microsecond.
const PAGE: usize = 512;

/// Stands where nothing is known yet.
const NOTHING: u64 = f64::NAN.to_bits();

impl Known {
    fn of(places: usize) -> Arc<Known> {
        let pages = (0..places.div_ceil(PAGE)).map(|_| OnceLock::new());
        Arc::new(Known {
            pages: pages.collect(),
        })
    }

    #[inline]
    fn get(&self, place: usize) -> Option<f64> {
        let page = self.pages.get(place / PAGE)?.get()?;
        let seconds = f64::from_bits(page[place % PAGE].load(Ordering::Relaxed));
        (!seconds.is_nan()).then_some(seconds)
    }

    fn put(&self, place: usize, seconds: f64) {
        let Some(page) = self.pages.get(place / PAGE) else {
            return;
        };
        let page = page.get_or_init(|| (0..PAGE).map(|_| AtomicU64::new(NOTHING)).collect());
        page[place % PAGE].store(seconds.to_bits(), Ordering::Relaxed);
    }
}

/// Whether a [`Memo`] keeps anything. Values are the same; not keeping them shows what they cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Remember {
    /// Each place is asked for once.
    #[default]
    Places,
    /// Nothing is kept.
    Nothing,
}

impl Memo {
    /// A memo that knows nothing yet of so many places, numbered from 0. Those with higher numbers are
    /// asked for whenever they come up.
    pub fn new(remember: Remember, places: usize) -> Memo {
        let places = match remember {
            Remember::Places => places,
            Remember::Nothing => 0,
        };
        Memo {
            remember,
            known: Known::of(places),
            ..Memo::default()
        }
    }

    /// What [`TrainingGraph::estimate`] says at `at`, the place with number `place`.
    #[inline]
    pub fn estimate<D: Distance>(
        &mut self,
        training: &TrainingGraph<D>,
        place: u32,
        at: Place,
        straight: Cost,
    ) -> Cost {
        if self.remember == Remember::Nothing {
            self.asked += 1;
            return training.estimate_near(at, straight, &mut self.hint);
        }
        training.rounded(self.guided(training, place, at), straight)
    }

    /// What [`TrainingGraph::guided`] says at `at`, the place with number `place`.
    #[inline]
    pub fn guided<D: Distance>(
        &mut self,
        training: &TrainingGraph<D>,
        place: u32,
        at: Place,
    ) -> f64 {
        let place = place as usize;
        if let Some(known) = self.known.get(place) {
            return known;
        }
        self.asked += 1;
        let guided = training.guided(at, &mut self.hint);
        self.known.put(place, guided);
        guided
    }

    /// Forgets everything if `revision` is not the one of the last call. To be called whenever the
    /// training graph may have become another one.
    pub fn renew(&mut self, revision: u64) {
        if self.revision != Some(revision) {
            self.revision = Some(revision);
            self.clear();
        }
    }

    /// Forgets everything, as when the training graph is another one. Clones know what they knew.
    pub fn clear(&mut self) {
        self.known = Known::of(self.known.pages.len() * PAGE);
        self.hint = Hint::default();
    }

    /// How much was looked at so far.
    pub fn looked(&self) -> &Hint {
        &self.hint
    }
}
