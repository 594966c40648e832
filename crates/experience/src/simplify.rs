//! Fewer samples for the same demonstration: what is short or straight is left out, what changes
//! is kept.

use std::fmt;

use crate::{Demonstration, DemonstrationLog, Place, Sample};

/// Leaves out samples that say nothing new: those that are hardly a step from the one before, and
/// those near the straight line between their neighbours. Kept are the ends, and where the gait,
/// a flag or what is held changes. The time between two samples that are kept stays what it was.
///
/// ```
/// use apprentice_experience::{Demonstration, Place, Simplification};
///
/// let corner = [(0.0, 0.0), (1.0, 0.1), (2.0, 0.0), (4.0, 0.0), (4.0, 3.0)];
/// let places = corner.map(|(x, y)| Place::flat(x, y));
/// let drawn = Demonstration::drawn("corner", places, 1.0);
/// let simple = Simplification::default().apply(&drawn)?;
/// assert_eq!(simple.samples.len(), 3);
/// assert_eq!(simple.duration(), drawn.duration());
/// # Ok::<(), apprentice_experience::TooManyChanges>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Simplification {
    /// Samples nearer to the one before are left out.
    pub min_step: f64,
    /// Samples nearer to the line between their neighbours are left out.
    pub tolerance: f64,
    /// If there would still be more pieces than this, the tolerance grows until there are not.
    pub segments: Option<usize>,
}

impl Default for Simplification {
    /// A quarter and a half of a cell, or metre; as many pieces as it takes.
    fn default() -> Simplification {
        Simplification {
            min_step: 0.25,
            tolerance: 0.5,
            segments: None,
        }
    }
}

/// Which samples are kept.
#[derive(Clone, Debug, PartialEq)]
pub struct Kept {
    /// Their numbers, counted from 0, in order.
    pub samples: Vec<usize>,
    /// The tolerance that was needed.
    pub tolerance: f64,
}

/// A limit of pieces that is too low for all the changes a demonstration has.
///
/// ```
/// use apprentice_experience::TooManyChanges;
///
/// assert_eq!(
///     TooManyChanges { segments: 2, needed: 5 }.to_string(),
///     "5 segments are needed to keep every change of gait, flags and what is held, and only 2 are allowed",
/// );
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooManyChanges {
    /// How many pieces there may be.
    pub segments: usize,
    /// How many it takes at least.
    pub needed: usize,
}

impl fmt::Display for TooManyChanges {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} segments are needed to keep every change of gait, flags and what is held, and only {} are allowed",
            self.needed, self.segments
        )
    }
}

impl std::error::Error for TooManyChanges {}

impl Simplification {
    /// The demonstration with fewer samples.
    pub fn apply(&self, demonstration: &Demonstration) -> Result<Demonstration, TooManyChanges> {
        let kept = self.choose(&demonstration.samples, |_| false)?;
        let samples = kept.samples.iter();
        Ok(Demonstration {
            name: demonstration.name.clone(),
            samples: samples
                .map(|sample| demonstration.samples[*sample].clone())
                .collect(),
        })
    }

    /// The log with fewer samples, and the tolerance that was needed. Samples with events are kept.
    pub fn apply_to_log(
        &self,
        log: &DemonstrationLog,
    ) -> Result<(DemonstrationLog, f64), TooManyChanges> {
        let samples = log.demonstration("").samples;
        let kept = self.choose(&samples, |sample| !log.samples[sample].events.is_empty())?;
        let mut header = log.header.clone();
        // What is left is not regular any more.
        header.interval = None;
        let samples = kept.samples.iter();
        let samples = samples.map(|sample| log.samples[*sample].clone()).collect();
        Ok((DemonstrationLog { header, samples }, kept.tolerance))
    }

    /// Which samples to keep; among them all that `is_pinned` names.
    pub fn choose(
        &self,
        samples: &[Sample],
        is_pinned: impl Fn(usize) -> bool,
    ) -> Result<Kept, TooManyChanges> {
        let steps = self.steps(samples, &is_pinned);
        let pins = pins(samples, &steps, &is_pinned);
        let tolerance = self.tolerance.max(FINEST);
        let all = straightened(samples, &steps, &pins, tolerance);
        let limit = match self.segments {
            Some(limit) if all.len() > limit.saturating_add(1) => limit,
            _ => {
                return Ok(Kept {
                    samples: all,
                    tolerance,
                });
            }
        };
        let most = straightened(samples, &steps, &pins, COARSEST);
        if most.len() > limit + 1 {
            return Err(TooManyChanges {
                segments: limit,
                needed: most.len() - 1,
            });
        }
        // A greater tolerance never keeps more, so halving finds the least that keeps few enough.
        let (mut too_fine, mut enough, mut kept) = (tolerance, COARSEST, most);
        for _ in 0..HALVINGS {
            let middle = (too_fine * enough).sqrt();
            let found = straightened(samples, &steps, &pins, middle);
            if found.len() > limit + 1 {
                too_fine = middle;
            } else {
                (enough, kept) = (middle, found);
            }
        }
        Ok(Kept {
            samples: kept,
            tolerance: enough,
        })
    }

    /// Samples that are at least a step apart, or differ in more than their place.
    fn steps(&self, samples: &[Sample], is_pinned: &impl Fn(usize) -> bool) -> Vec<usize> {
        let mut steps: Vec<usize> = Vec::new();
        for (number, sample) in samples.iter().enumerate() {
            let is_new = steps.last().is_none_or(|last| {
                let last = &samples[*last];
                last.place.distance_to(sample.place) >= self.min_step
                    || last.stance != sample.stance
            });
            if is_new || number + 1 == samples.len() || is_pinned(number) {
                steps.push(number);
            }
        }
        steps
    }
}

/// The fourth coordinate of a point is its number times this: large enough to be read back exactly,
/// too small to move anything by more than a hundredth of the finest tolerance.
const NUMBERING: f64 = 1.0 / (1u64 << 40) as f64;
/// A micrometre.
const FINEST: f64 = 1e-6;
/// Farther than any two places are apart.
const COARSEST: f64 = 1e7;
/// Halving the logarithm this often leaves eight digits of the tolerance.
const HALVINGS: u32 = 32;
/// The line is cut into pieces of this many samples at most, because the work may grow with the
/// square of their number, and the stack with the number itself.
const LONGEST_PIECE: usize = 2048;

/// Which of the steps must stay: the ends, those that are pinned, and those on both sides of a
/// change. As places in `steps`.
fn pins(samples: &[Sample], steps: &[usize], is_pinned: &impl Fn(usize) -> bool) -> Vec<usize> {
    let changes = |place: usize| {
        let stance = |place: usize| &samples[steps[place]].stance;
        place > 0 && stance(place) != stance(place - 1)
    };
    let last = steps.len().saturating_sub(1);
    let stays = |place: &usize| {
        *place == 0
            || *place == last
            || is_pinned(steps[*place])
            || changes(*place)
            || changes(*place + 1)
    };
    (0..steps.len()).filter(stays).collect()
}

/// The steps that remain when those near the line between their neighbours are left out, by the
/// method of Ramer, Douglas and Peucker.
fn straightened(samples: &[Sample], steps: &[usize], pins: &[usize], tolerance: f64) -> Vec<usize> {
    let mut kept: Vec<usize> = steps.first().copied().into_iter().collect();
    for pair in pins.windows(2) {
        let mut from = pair[0];
        while from < pair[1] {
            let to = pair[1].min(from + LONGEST_PIECE);
            let points: Vec<_> = (from..=to)
                .map(|place| {
                    let Place { x, y, z } = samples[steps[place]].place;
                    let number = (place - from) as f64 * NUMBERING;
                    simplify_polyline::Point {
                        vec: [x, y, z, number],
                    }
                })
                .collect();
            let left = simplify_polyline::simplify(&points, tolerance, true);
            let numbers = left.iter().skip(1);
            kept.extend(numbers.map(|point| {
                let number = point.vec[3] / NUMBERING;
                steps[from + number as usize]
            }));
            from = to;
        }
    }
    kept
}
