//! Which playstyle a player follows, believed while they play.

use std::collections::{BTreeMap, VecDeque};

use crate::stretches::Stretches;
use crate::{Anticipation, Distribution, Playstyles, PotentialEvent, Vocabulary};

/// How a belief listens.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Listening {
    /// So many of the latest events count, so that a change of style is noticed.
    pub window: usize,
    /// With so many events, what was done counts as much as where the player is going.
    pub half_trust: f64,
    /// Which share of the belief before is kept; 0: none.
    pub smoothing: f64,
    /// How motion is read.
    pub anticipation: Anticipation,
}

impl Default for Listening {
    fn default() -> Listening {
        Listening {
            window: 12,
            half_trust: 3.0,
            smoothing: 0.0,
            anticipation: Anticipation::default(),
        }
    }
}

/// How likely each class is, from what was done lately and from where the player is going
/// (equation 6.3 of the dissertation; what its parts are is defined here).
///
/// The more was done, the more that counts: with m events in the window, m / (m + 3). The rest is told
/// by motion: each potential event is as likely as [`Anticipation`] says, and speaks for the classes
/// that what was done would be like if it happened next. Without potential events, what was done
/// speaks for itself.
///
/// What was done lately is compared with stretches of plays that are as long, not with whole plays:
/// otherwise a long play would be unlike everything short, whatever is in it.
///
/// ```
/// use apprentice_playstyle::{Activity, StyleBelief, Playstyles, PotentialEvent};
///
/// let plays = ["SSSG", "SSG", "SSSSG", "CCG", "CCCG", "CG"].map(Activity::of_letters);
/// let mut belief = StyleBelief::new(Playstyles::learn(&plays)?);
/// let before = belief.now().of(0);
/// // Nothing was done yet, but the player goes towards what is sneaked past, and sneaks.
/// belief.moved(&[
///     PotentialEvent { name: "S".into(), distance: 8.0, distance_before: 10.0 },
///     PotentialEvent { name: "C".into(), distance: 12.0, distance_before: 10.0 },
/// ]);
/// assert!(belief.now().of(0) > before);
/// # Ok::<(), apprentice_playstyle::TooFewPlays>(())
/// ```
#[derive(Clone, Debug)]
pub struct StyleBelief {
    styles: Playstyles,
    stretches: Stretches,
    listening: Listening,
    latest: VecDeque<u32>,
    /// Names that no play had, with numbers of their own.
    strangers: BTreeMap<String, u32>,
    anticipated: Vec<PotentialEvent>,
    now: Distribution,
}

impl StyleBelief {
    /// Nothing is known yet: every class is as likely as any other.
    pub fn new(styles: Playstyles) -> StyleBelief {
        StyleBelief::listening(styles, Listening::default())
    }

    /// The same, listening otherwise.
    pub fn listening(styles: Playstyles, listening: Listening) -> StyleBelief {
        StyleBelief {
            stretches: Stretches::of(&styles, listening.window),
            now: Distribution::uniform(styles.classes().len()),
            styles,
            listening,
            latest: VecDeque::new(),
            strangers: BTreeMap::new(),
            anticipated: Vec::new(),
        }
    }

    /// The player did something.
    pub fn observe(&mut self, name: &str) {
        let event = self.number(name);
        self.latest.push_back(event);
        while self.latest.len() > self.listening.window.max(1) {
            self.latest.pop_front();
        }
        self.update();
    }

    /// The player moved: what they might do next, and how far away that is. Call it whenever they have.
    pub fn moved(&mut self, toward: &[PotentialEvent]) {
        self.anticipated = toward.to_vec();
        self.update();
    }

    /// How likely each class is now.
    pub fn now(&self) -> &Distribution {
        &self.now
    }

    /// The classes this is about.
    pub fn styles(&self) -> &Playstyles {
        &self.styles
    }

    /// How much what was done counts, from 0 to 1; the rest is told by motion.
    pub fn trust_in_deeds(&self) -> f64 {
        let deeds = self.latest.len() as f64;
        deeds / (deeds + self.listening.half_trust)
    }

    fn update(&mut self) {
        let mut events: Vec<u32> = self.latest.iter().copied().collect();
        let done = if events.is_empty() {
            Distribution::uniform(self.styles.classes().len())
        } else {
            self.stretches.distribution(&self.styles, &events)
        };
        let anticipated = std::mem::take(&mut self.anticipated);
        let likely = self.listening.anticipation.probabilities(&anticipated);
        let new = if anticipated.is_empty() {
            done
        } else {
            let mut weights = vec![0.0; self.styles.classes().len()];
            for (event, probability) in anticipated.iter().zip(likely) {
                let next = self.number(&event.name);
                events.push(next);
                let then = self.stretches.distribution(&self.styles, &events);
                events.pop();
                for (weight, class) in weights.iter_mut().zip(then.probabilities()) {
                    *weight += probability * class;
                }
            }
            let by_motion = Distribution::in_proportion(weights);
            by_motion.mixed_with(&done, self.trust_in_deeds())
        };
        self.anticipated = anticipated;
        self.now = new.mixed_with(&self.now, self.listening.smoothing);
    }

    fn number(&mut self, name: &str) -> u32 {
        if let Some(number) = self.styles.vocabulary().get(name) {
            return number;
        }
        if let Some(number) = self.strangers.get(name) {
            return *number;
        }
        // Further ones are all the same: a log full of names nobody knows takes no memory.
        let next = self.strangers.len().min(STRANGERS);
        let number = self.styles.vocabulary().names().len() + next;
        let number = number.min(Vocabulary::LARGEST) as u32;
        if next < STRANGERS {
            self.strangers.insert(name.to_owned(), number);
        }
        number
    }
}

/// Names that no play had are told apart up to so many.
const STRANGERS: usize = 1024;
