//! What demonstrations say at each place, kept once it is known.

use apprentice_search::Cost;

use crate::{Distance, Hint, Place, TrainingGraph};

/// What a [`TrainingGraph`] says, kept by the caller's number of a place: a cell, or a point of a
/// lattice. What depends on more than the place, the straight way to the goal, is not kept.
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
/// let mut memo = Memo::new(Remember::Places);
/// let at = Place::flat(3.0, 2.0);
/// let straight = Cost::round_down(at.distance_to(goal));
/// let first = memo.estimate(&training, 23, at, straight);
/// assert_eq!(memo.estimate(&training, 23, at, straight), first);
/// assert_eq!(memo.asked, 1);
/// # Ok::<(), apprentice_search::BadWeight>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Memo {
    remember: Remember,
    /// Seconds by number of the place; NaN where nothing is known yet.
    known: Vec<f64>,
    hint: Hint,
    /// What it was last renewed for.
    revision: Option<u64>,
    /// How often the training graph was asked.
    pub asked: u64,
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
    /// A memo that knows nothing yet.
    pub fn new(remember: Remember) -> Memo {
        Memo {
            remember,
            ..Memo::default()
        }
    }

    /// What [`TrainingGraph::estimate`] says at `at`, the place with number `place`. Numbers are
    /// small: memory is kept for all up to the largest.
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
        let index = place as usize;
        if let Some(known) = self.known.get(index)
            && !known.is_nan()
        {
            return *known;
        }
        self.asked += 1;
        let guided = training.guided(at, &mut self.hint);
        if self.remember == Remember::Places {
            if index >= self.known.len() {
                self.known.resize(index + 1, f64::NAN);
            }
            self.known[index] = guided;
        }
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

    /// Forgets everything and keeps the memory, as when the training graph is another one.
    pub fn clear(&mut self) {
        self.known.fill(f64::NAN);
        self.hint = Hint::default();
    }

    /// How much was looked at so far.
    pub fn looked(&self) -> &Hint {
        &self.hint
    }
}
