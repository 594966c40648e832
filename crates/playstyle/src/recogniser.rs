//! Which class a play is of, told from when and in which order things were done for the first time.

use std::sync::Arc;

use crate::forest::{Forest, Plays};
use crate::milestones::{Milestones, NEVER, Progress};
use crate::{
    Activity, Distribution, Growing, Histogram, Playstyles, Similarities, Verdict, Vocabulary,
};

/// Tells the class of a play that is under way.
///
/// A play of five minutes is held against what others had done after five minutes. Two kinds of
/// evidence are heard. A forest of questions, learned from all plays: had this been done by then, and
/// was it done before that? What is telling stays so however long a play goes on, because a milestone
/// that was passed is never forgotten. And the likeness of n-grams to the plays that fit each class
/// best, the formula of [`Playstyles::classify`] on plays that were cut at the same age. With few plays
/// the likeness decides, with many the forest: eight plays a class make them equal.
///
/// ```
/// use apprentice_playstyle::{Activity, Playstyles, Recogniser};
///
/// let plays: Vec<Activity> = (0..20)
///     .map(|play| {
///         // Who rushes builds barracks first.
///         let order = [["barracks", "farm"], ["farm", "barracks"]][play % 2];
///         let mut activity = Activity::new(format!("play {play}")).labelled(["rush", "grow"][play % 2]);
///         activity.push(10.0 + play as f64, order[0]);
///         activity.push(40.0 + play as f64, order[1]);
///         activity
///     })
///     .collect();
/// let recogniser = Recogniser::new(Playstyles::learn_labelled(&plays)?);
/// let mut watching = recogniser.watch();
/// watching.observe(12.0, "barracks");
/// assert!(watching.now().of(0) > 0.8); // a rush, after one event
/// # Ok::<(), apprentice_playstyle::TooFewPlays>(())
/// ```
#[derive(Clone, Debug)]
pub struct Recogniser {
    known: Arc<Known>,
}

#[derive(Debug)]
struct Known {
    styles: Playstyles,
    growing: Growing,
    milestones: Milestones,
    /// When each play that has a class reached each milestone, by play.
    times: Vec<Vec<f32>>,
    class_of: Vec<u32>,
    exemplars: Vec<Vec<(usize, f64)>>,
    /// How much the forest counts, from 0 to 1.
    trust_in_forest: f64,
    /// Ages at which plays are looked at by those who watch, from young to old.
    ages: Vec<f64>,
}

/// With so many plays a class, the forest counts as much as likeness.
const HALF_TRUST: f64 = 8.0;

/// So many ages share all events of all plays equally.
const AGES: usize = 12;

/// Each of the ages has the trees of a forest divided by this.
const TREES_SHARED: usize = 4;

impl Recogniser {
    /// Gets to know the plays that the classes were found in.
    pub fn new(styles: Playstyles) -> Recogniser {
        Recogniser::growing(styles, Growing::default())
    }

    /// The same, with more or fewer trees.
    pub fn growing(styles: Playstyles, growing: Growing) -> Recogniser {
        let mut timed = Vec::new();
        let mut class_of = Vec::new();
        let mut class_of_play: Vec<Option<u32>> = vec![None; styles.plays().len()];
        for (number, class) in styles.classes().iter().enumerate() {
            for member in &class.members {
                class_of_play[*member] = Some(number as u32);
            }
        }
        for (play, class) in class_of_play.iter().enumerate() {
            if let Some(class) = class {
                let numbers = styles.numbers_of_play(play).iter().copied();
                let times = styles.plays()[play].events.iter().map(|event| event.time);
                timed.push(times.zip(numbers).collect::<Vec<(f64, u32)>>());
                class_of.push(*class);
            }
        }
        let milestones = Milestones::of(&timed);
        let times = timed.iter().map(|play| milestones.times_of(play)).collect();
        let plays_a_class = class_of.len() as f64 / styles.classes().len() as f64;
        let trust_in_forest = if milestones.count() == 0 {
            0.0
        } else {
            plays_a_class / (plays_a_class + HALF_TRUST)
        };
        Recogniser {
            known: Arc::new(Known {
                exemplars: styles.exemplars(),
                ages: ages(&timed),
                styles,
                growing,
                milestones,
                times,
                class_of,
                trust_in_forest,
            }),
        }
    }

    /// The classes this is about.
    pub fn styles(&self) -> &Playstyles {
        &self.known.styles
    }

    /// What all plays looked like at an age, in seconds, to hold many against it.
    pub fn as_of(&self, age: f64) -> AsOf {
        AsOf::new(self, age, &self.known.growing)
    }

    /// Follows a play from its beginning. What plays look like at some ages is learned here, once: see
    /// [`Watching`].
    pub fn watch(&self) -> Watching {
        // Neighbouring ages are heard together, and steady each other.
        let growing = Growing {
            trees: self.known.growing.trees.div_ceil(TREES_SHARED),
            ..self.known.growing
        };
        let ages = self.known.ages.iter();
        let moments: Vec<AsOf> = ages.map(|age| AsOf::new(self, *age, &growing)).collect();
        Watching {
            moments: moments.into(),
            trace: Trace::new(self),
            now: Distribution::uniform(self.styles().classes().len()),
            known: false,
        }
    }
}

/// Ages between which equally many events lie, the last one that of the last event.
fn ages(plays: &[Vec<(f64, u32)>]) -> Vec<f64> {
    let mut times: Vec<f64> = plays.iter().flatten().map(|(time, _)| *time).collect();
    times.sort_by(f64::total_cmp);
    let at = |part: usize| times.get((times.len() * part).div_ceil(AGES).saturating_sub(1));
    let mut ages: Vec<f64> = (1..=AGES).filter_map(at).copied().collect();
    ages.dedup();
    ages
}

/// What all plays looked like at an age.
#[derive(Clone, Debug)]
pub struct AsOf {
    known: Arc<Known>,
    age: f64,
    forest: Forest,
    /// By class: how much each of its best plays counts, and its n-grams by then.
    exemplars: Vec<Vec<(f64, Histogram)>>,
    /// By class: how well these hold together by then.
    cohesions: Vec<f64>,
}

impl AsOf {
    fn new(recogniser: &Recogniser, age: f64, growing: &Growing) -> AsOf {
        let known = &recogniser.known;
        let milestones = 0..known.milestones.count();
        let columns = milestones.map(|milestone| {
            let reached = known.times.iter().map(|times| times[milestone]);
            reached
                .map(|time| if f64::from(time) <= age { time } else { NEVER })
                .collect()
        });
        let plays = Plays {
            times: columns.collect(),
            class_of: known.class_of.clone(),
            classes: known.styles.classes().len(),
            singles: known.milestones.singles(),
        };
        let exemplars: Vec<Vec<(f64, Histogram)>> = known
            .exemplars
            .iter()
            .map(|plays| {
                let cut = plays.iter().map(|(play, share)| {
                    let events = known.styles.plays()[*play].events.iter();
                    let by_then = events.take_while(|event| event.time <= age).count();
                    let numbers = &known.styles.numbers_of_play(*play)[..by_then];
                    (*share, Histogram::of(numbers))
                });
                cut.collect()
            })
            .collect();
        let cohesions = exemplars.iter().map(|plays| {
            let similarities = Similarities::of(plays.len(), |one, other| {
                known
                    .styles
                    .weighing()
                    .similarity(&plays[one].1, &plays[other].1)
            });
            let members: Vec<usize> = (0..plays.len()).collect();
            let shares: Vec<f64> = plays.iter().map(|(share, _)| *share).collect();
            crate::dominant_sets::cohesion_of(&similarities, &members, &shares)
        });
        AsOf {
            age,
            forest: Forest::grow(&plays, growing),
            cohesions: cohesions.collect(),
            exemplars,
            known: known.clone(),
        }
    }

    /// How old plays are here, in seconds.
    pub fn age(&self) -> f64 {
        self.age
    }

    /// The classes this is about.
    pub fn styles(&self) -> &Playstyles {
        &self.known.styles
    }

    /// Which class a play is of, by what had been done at this age.
    pub fn classify(&self, activity: &Activity) -> Verdict {
        let by_then = activity.until(self.age);
        let numbers = self.known.styles.vocabulary().numbers_of(&by_then);
        let times = by_then.events.iter().map(|event| event.time);
        let timed: Vec<(f64, u32)> = times.zip(numbers.iter().copied()).collect();
        let times = self.known.milestones.times_of(&timed);
        let mut weights = vec![0.0; self.cohesions.len()];
        let known = self.hear(&times, &Histogram::of(&numbers), 1.0, &mut weights);
        let distribution = Distribution::in_proportion(weights);
        Verdict {
            class: distribution.most_likely(),
            distribution,
            known,
        }
    }

    /// Adds what the evidence says, with this weight; whether the play is like any class.
    fn hear(&self, times: &[f32], histogram: &Histogram, weight: f64, out: &mut [f64]) -> bool {
        let trust = self.known.trust_in_forest;
        if trust > 0.0 {
            self.forest.ask(times, weight * trust, out);
        }
        let weighing = self.known.styles.weighing();
        let likenesses = self.exemplars.iter().map(|plays| {
            let alike = plays.iter();
            let alike = alike.map(|(share, play)| share * weighing.similarity(histogram, play));
            alike.sum()
        });
        let verdict = Verdict::of(likenesses.collect(), &self.cohesions);
        for (out, probability) in out.iter_mut().zip(verdict.distribution.probabilities()) {
            *out += probability * weight * (1.0 - trust);
        }
        verdict.known
    }
}

/// A play that is being followed.
///
/// What it is held against was learned for a dozen ages; between two of them both are heard, the nearer
/// one more.
#[derive(Clone, Debug)]
pub struct Watching {
    moments: Arc<[AsOf]>,
    trace: Trace,
    now: Distribution,
    known: bool,
}

/// What was done so far in a play.
#[derive(Clone, Debug)]
struct Trace {
    known: Arc<Known>,
    progress: Progress,
    times: Vec<f32>,
    histogram: Histogram,
    latest: Vec<u32>,
    strangers: Vocabulary,
}

impl Trace {
    fn new(recogniser: &Recogniser) -> Trace {
        Trace {
            known: recogniser.known.clone(),
            progress: Progress::default(),
            times: vec![NEVER; recogniser.known.milestones.count()],
            histogram: Histogram::default(),
            latest: Vec::new(),
            strangers: Vocabulary::default(),
        }
    }

    fn observe(&mut self, time: f64, name: &str) {
        let vocabulary = self.known.styles.vocabulary();
        let event = vocabulary.get(name).unwrap_or_else(|| {
            let stranger = self.strangers.number(name) as usize;
            (vocabulary.names().len() + stranger).min(Vocabulary::LARGEST) as u32
        });
        let milestones = &self.known.milestones;
        milestones.note(&mut self.progress, time, event, &mut self.times);
        if self.latest.len() == crate::Gram::LONGEST {
            self.latest.remove(0);
        }
        self.latest.push(event);
        self.histogram.push(&self.latest);
    }
}

impl Watching {
    /// The player did something, so many seconds after the play began.
    pub fn observe(&mut self, time: f64, name: &str) {
        self.trace.observe(time, name);
        self.at(time);
    }

    /// The player did all of this, in order: the same as event by event, but only what is believed in the
    /// end is worked out.
    pub fn observe_all(&mut self, activity: &Activity) {
        for event in &activity.events {
            self.trace.observe(event.time, &event.name);
        }
        self.at(activity.events.last().map_or(0.0, |event| event.time));
    }

    /// So much time has passed: what was not done in it tells something, too.
    pub fn at(&mut self, time: f64) {
        let mut weights = vec![0.0; self.now.probabilities().len()];
        let later = self.moments.iter().position(|moment| moment.age >= time);
        let (earlier, later) = match later {
            Some(0) => (None, self.moments.first()),
            Some(later) => (self.moments.get(later - 1), self.moments.get(later)),
            None => (self.moments.last(), None),
        };
        let share = match (earlier, later) {
            (Some(earlier), Some(later)) => (time - earlier.age) / (later.age - earlier.age),
            (_, later) => f64::from(u8::from(later.is_some())),
        };
        self.known = false;
        for (moment, weight) in [(earlier, 1.0 - share), (later, share)] {
            if let Some(moment) = moment.filter(|_| weight > 0.0) {
                let Trace {
                    times, histogram, ..
                } = &self.trace;
                self.known |= moment.hear(times, histogram, weight, &mut weights);
            }
        }
        self.now = Distribution::in_proportion(weights);
    }

    /// How likely each class is now.
    pub fn now(&self) -> &Distribution {
        &self.now
    }

    /// Whether the play is like any class at all.
    pub fn is_known(&self) -> bool {
        self.known
    }

    /// The same watcher at the beginning of another play: what was learned is kept.
    #[must_use]
    pub fn anew(&self) -> Watching {
        Watching {
            moments: self.moments.clone(),
            trace: Trace::new(&Recogniser {
                known: self.trace.known.clone(),
            }),
            now: Distribution::uniform(self.now.probabilities().len()),
            known: false,
        }
    }
}
