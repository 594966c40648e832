//! Finds what may be wrong with a demonstration: where, and what to try.

use std::fmt;

use crate::{Demonstration, LogHeader, Place, Relevance, Sample, Unit};

/// The level a demonstration is looked at in. Implemented by whoever knows the game.
pub trait Ground {
    /// What the level is called, and what its coordinates are given in.
    fn level(&self) -> (&str, Unit);
    /// Whether a place is on the map.
    fn is_on_map(&self, place: Place) -> bool;
    /// Whether one could stand at a place. Doors and enemies don't count.
    fn is_free(&self, place: Place) -> bool;
    /// Whether one could walk straight from one free place to another.
    fn is_walkable(&self, from: Place, to: Place) -> bool;
    /// The greatest speed a plan can have.
    fn top_speed(&self) -> f64;
    /// Seconds from the start to a place along the shortest way; infinite if there is none.
    fn time_from_start(&self, place: Place) -> f64;
    /// Seconds from a place to the goal along the shortest way; infinite if there is none.
    fn time_to_goal(&self, place: Place) -> f64;
    /// Seconds from the start to the goal as the crow flies.
    fn straight_time(&self) -> f64;
    /// Whether there is a gait of this name.
    fn knows_gait(&self, gait: &str) -> bool;
    /// Whether there is something with this id that can be held.
    fn knows_item(&self, id: &str) -> bool;
}

/// Looks for what may be wrong with demonstrations.
///
/// ```
/// use apprentice_experience::{Demonstration, Flaw, Ground, Lint, Place, Unit};
///
/// struct Meadow;
/// impl Ground for Meadow {
///     fn level(&self) -> (&str, Unit) { ("meadow", Unit::Metre) }
///     fn is_on_map(&self, _: Place) -> bool { true }
///     fn is_free(&self, _: Place) -> bool { true }
///     fn is_walkable(&self, _: Place, _: Place) -> bool { true }
///     fn top_speed(&self) -> f64 { 2.0 }
///     fn time_from_start(&self, place: Place) -> f64 { place.distance_to(Place::default()) / 2.0 }
///     fn time_to_goal(&self, place: Place) -> f64 { place.distance_to(Place::flat(10.0, 0.0)) / 2.0 }
///     fn straight_time(&self) -> f64 { 5.0 }
///     fn knows_gait(&self, _: &str) -> bool { true }
///     fn knows_item(&self, _: &str) -> bool { true }
/// }
///
/// // Somebody ran: faster than this character can be.
/// let run = Demonstration::drawn("run", [Place::default(), Place::flat(10.0, 0.0)], 4.0);
/// let findings = Lint::default().check(&run, &Meadow);
/// assert!(matches!(findings[0].flaw, Flaw::TooFast { .. }));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lint {
    /// The inflation of everything that is not demonstrated.
    pub epsilon: f64,
    /// Longer demonstrations are mentioned, in seconds.
    pub longest: f64,
    /// So are those with more samples.
    pub most_samples: usize,
    /// Whoever moves this many times faster than anybody can has jumped.
    pub jump: f64,
    /// Longer stays at one place are mentioned, in seconds.
    pub longest_wait: f64,
}

impl Default for Lint {
    fn default() -> Lint {
        Lint {
            // What planners take by default: the square root of their bound of ten.
            epsilon: 10.0f64.sqrt(),
            longest: 600.0,
            most_samples: 4096,
            jump: 3.0,
            longest_wait: 10.0,
        }
    }
}

/// How much a finding matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// Worth knowing. Demonstrations may leave the map and go through walls, that is no mistake.
    Note,
    /// Probably not meant.
    Warning,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
        })
    }
}

/// Something that may be wrong with a demonstration.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// What.
    pub flaw: Flaw,
    /// Where: the number of a sample, counted from 0, its time and place. `None` if it concerns all.
    pub at: Option<(usize, f64, Place)>,
}

/// What may be wrong with a demonstration.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Flaw {
    /// It has no samples.
    Empty,
    /// All samples are at one place.
    NeverMoves,
    /// It is nearly the same as another.
    Duplicate {
        /// Which.
        of: String,
    },
    /// It takes very long.
    TooLong {
        /// Seconds.
        duration: f64,
        /// Seconds that are enough.
        longest: f64,
    },
    /// It has very many samples.
    TooManySamples {
        /// How many.
        samples: usize,
        /// How many are enough.
        most: usize,
    },
    /// Two samples in a row are too far apart for anybody to have walked.
    Jump {
        /// How far.
        distance: f64,
        /// In how many seconds.
        seconds: f64,
    },
    /// The demonstrator is faster than a plan can be.
    TooFast {
        /// The greatest speed.
        speed: f64,
        /// The greatest speed of a plan.
        top_speed: f64,
        /// For how many samples in a row.
        samples: usize,
    },
    /// The demonstrator stays at one place.
    Waits {
        /// For how many seconds.
        seconds: f64,
    },
    /// Samples are off the map.
    OffTheMap {
        /// How many in a row.
        samples: usize,
    },
    /// Samples are inside a wall.
    InAWall {
        /// How many in a row.
        samples: usize,
    },
    /// The line between two samples goes through a wall.
    ThroughAWall {
        /// Where it ends.
        to: Place,
    },
    /// No search is drawn to it at the start.
    Irrelevant {
        /// The numbers.
        relevance: Relevance,
    },
    /// No way leads from the start to its beginning, or from its end to the goal.
    OutOfReach {
        /// Which part cannot be reached.
        part: &'static str,
    },
    /// It was recorded in another level.
    OtherLevel {
        /// In which.
        recorded: String,
        /// This one.
        here: String,
    },
    /// Its coordinates are of another unit.
    OtherUnit {
        /// Which.
        recorded: Unit,
        /// The one of this level.
        here: Unit,
    },
    /// Nobody here moves like that.
    UnknownGait {
        /// Like what.
        gait: String,
    },
    /// Something is held that is not in this level.
    UnknownItem {
        /// What.
        id: String,
    },
}

impl Flaw {
    /// How much it matters.
    pub fn severity(&self) -> Severity {
        match self {
            Flaw::OffTheMap { .. }
            | Flaw::InAWall { .. }
            | Flaw::ThroughAWall { .. }
            | Flaw::TooFast { .. }
            | Flaw::Waits { .. }
            | Flaw::TooManySamples { .. }
            | Flaw::TooLong { .. }
            | Flaw::OtherLevel { .. }
            | Flaw::UnknownGait { .. }
            | Flaw::UnknownItem { .. } => Severity::Note,
            _ => Severity::Warning,
        }
    }

    /// One word for scripts.
    pub fn code(&self) -> &'static str {
        match self {
            Flaw::Empty => "empty",
            Flaw::NeverMoves => "never-moves",
            Flaw::Duplicate { .. } => "duplicate",
            Flaw::TooLong { .. } => "too-long",
            Flaw::TooManySamples { .. } => "too-many-samples",
            Flaw::Jump { .. } => "jump",
            Flaw::TooFast { .. } => "too-fast",
            Flaw::Waits { .. } => "waits",
            Flaw::OffTheMap { .. } => "off-the-map",
            Flaw::InAWall { .. } => "in-a-wall",
            Flaw::ThroughAWall { .. } => "through-a-wall",
            Flaw::Irrelevant { .. } => "irrelevant",
            Flaw::OutOfReach { .. } => "out-of-reach",
            Flaw::OtherLevel { .. } => "other-level",
            Flaw::OtherUnit { .. } => "other-unit",
            Flaw::UnknownGait { .. } => "unknown-gait",
            Flaw::UnknownItem { .. } => "unknown-item",
        }
    }

    /// What to do about it.
    pub fn remedy(&self) -> String {
        match self {
            Flaw::Empty => "record it again, or leave the file out".to_owned(),
            Flaw::NeverMoves => "record again and move, or leave it out".to_owned(),
            Flaw::Duplicate { .. } => "leave one of them out: it teaches nothing new".to_owned(),
            Flaw::TooLong { .. } => "record one tactic at a time, or cut the log".to_owned(),
            Flaw::TooManySamples { .. } => "thin it out with `apprentice demo simplify`".to_owned(),
            Flaw::Jump { .. } => {
                "cut the log in two here, or record without teleporting or pausing".to_owned()
            }
            Flaw::TooFast { .. } => {
                "nothing need be done: its pieces count as long as the character needs for them"
                    .to_owned()
            }
            Flaw::Waits { .. } => {
                "cut the wait if it is no part of the tactic: its time counts as cost".to_owned()
            }
            Flaw::OffTheMap { .. } | Flaw::InAWall { .. } | Flaw::ThroughAWall { .. } => {
                "plans go round it and come back; move the points if it was not meant".to_owned()
            }
            Flaw::Irrelevant { relevance } => match relevance.epsilon_needed() {
                Some(needed) => format!(
                    "try --epsilon {needed} or more, or begin it nearer to the start and end it nearer to the goal"
                ),
                None if relevance.straight == 0.0 => {
                    "the start is at the goal, so there is nothing to follow".to_owned()
                }
                None => "begin it where the character can get to".to_owned(),
            },
            Flaw::OutOfReach { .. } => "move its ends to where the character can get to".to_owned(),
            Flaw::OtherLevel { .. } => "use it if the places mean the same here".to_owned(),
            Flaw::OtherUnit { .. } => "convert its coordinates, or record it here".to_owned(),
            Flaw::UnknownGait { .. } | Flaw::UnknownItem { .. } => {
                "nothing need be done: what is not known is not followed".to_owned()
            }
        }
    }
}

impl fmt::Display for Flaw {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Flaw::Empty => f.write_str("it has no samples"),
            Flaw::NeverMoves => f.write_str("it never moves"),
            Flaw::Duplicate { of } => write!(f, "it goes the same way as `{of}`"),
            Flaw::TooLong { duration, longest } => {
                write!(f, "it takes {} s, more than {longest} s", round(*duration))
            }
            Flaw::TooManySamples { samples, most } => {
                write!(f, "it has {samples} samples, more than {most}")
            }
            Flaw::Jump { distance, seconds } => {
                write!(f, "it jumps: {} in {} s", round(*distance), round(*seconds))
            }
            Flaw::TooFast {
                speed,
                top_speed,
                samples,
            } => write!(
                f,
                "it moves at {} a second for {}, and plans at {} at most",
                round(*speed),
                count(*samples, "sample"),
                round(*top_speed)
            ),
            Flaw::Waits { seconds } => write!(f, "it waits here for {} s", round(*seconds)),
            Flaw::OffTheMap { samples } => {
                write!(f, "it is off the map for {}", count(*samples, "sample"))
            }
            Flaw::InAWall { samples } => {
                write!(f, "it is inside a wall for {}", count(*samples, "sample"))
            }
            Flaw::ThroughAWall { to } => write!(f, "it goes through a wall on the way to {to}"),
            Flaw::Irrelevant { relevance } => {
                write!(f, "a search ignores it at the start: {relevance}")
            }
            Flaw::OutOfReach { part } => write!(f, "no way leads {part}"),
            Flaw::OtherLevel { recorded, here } => {
                write!(f, "it was recorded in `{recorded}`, this is `{here}`")
            }
            Flaw::OtherUnit { recorded, here } => write!(
                f,
                "its coordinates are given in {recorded}s, those of this level in {here}s"
            ),
            Flaw::UnknownGait { gait } => write!(f, "nobody here moves like `{gait}`"),
            Flaw::UnknownItem { id } => write!(f, "`{id}` is held and not in this level"),
        }
    }
}

fn round(number: f64) -> f64 {
    (number * 100.0).round() / 100.0
}

fn count(number: usize, what: &str) -> String {
    match number {
        1 => format!("1 {what}"),
        _ => format!("{number} {what}s"),
    }
}

/// Speeds are measured, so a little more than what is possible is not too fast.
const MEASURED: f64 = 1.05;
/// Within this distance somebody stays at a place.
const SAME_PLACE: f64 = 0.25;

impl Lint {
    /// Everything that may be wrong with a demonstration, in the order of its samples; what
    /// concerns all of it comes last.
    pub fn check(&self, demonstration: &Demonstration, ground: &dyn Ground) -> Vec<Finding> {
        let samples = &demonstration.samples;
        let mut findings = Vec::new();
        if samples.is_empty() {
            return vec![Finding {
                flaw: Flaw::Empty,
                at: None,
            }];
        }
        let at = |number: usize| Some((number, samples[number].time, samples[number].place));
        let mut add = |number: usize, flaw: Flaw| {
            findings.push(Finding {
                flaw,
                at: at(number),
            });
        };
        let is_off = |sample: &Sample| !ground.is_on_map(sample.place);
        let is_in_wall = |sample: &Sample| !is_off(sample) && !ground.is_free(sample.place);
        for (from, length) in runs(samples, is_off) {
            add(from, Flaw::OffTheMap { samples: length });
        }
        for (from, length) in runs(samples, is_in_wall) {
            add(from, Flaw::InAWall { samples: length });
        }
        let pairs: Vec<(&Sample, &Sample)> = samples.iter().zip(samples.iter().skip(1)).collect();
        for (number, (from, to)) in pairs.iter().enumerate() {
            let (from, to) = (from.place, to.place);
            let ends_are_free = ground.is_free(from) && ground.is_free(to);
            if ends_are_free && !ground.is_walkable(from, to) {
                add(number, Flaw::ThroughAWall { to });
            }
        }
        let top_speed = ground.top_speed();
        let speed = |pair: &(&Sample, &Sample)| speed(pair.0, pair.1);
        let is_jump = |pair: &(&Sample, &Sample)| speed(pair) > self.jump * top_speed * MEASURED;
        let is_fast =
            |pair: &(&Sample, &Sample)| !is_jump(pair) && speed(pair) > top_speed * MEASURED;
        for (number, pair) in pairs.iter().enumerate().filter(|(_, pair)| is_jump(pair)) {
            let distance = pair.0.place.distance_to(pair.1.place);
            let seconds = pair.1.time - pair.0.time;
            add(number, Flaw::Jump { distance, seconds });
        }
        for (from, length) in runs(&pairs, is_fast) {
            let speeds = pairs[from..from + length].iter().map(speed);
            let flaw = Flaw::TooFast {
                speed: speeds.fold(0.0, f64::max),
                top_speed,
                samples: length,
            };
            add(from, flaw);
        }
        for (number, seconds) in waits(samples, self.longest_wait) {
            add(number, Flaw::Waits { seconds });
        }
        for (number, flaw) in strangers(samples, ground) {
            add(number, flaw);
        }
        findings.sort_by_key(|finding| finding.at.map(|(number, ..)| number));
        findings.extend(
            self.check_whole(demonstration, ground)
                .map(|flaw| Finding { flaw, at: None }),
        );
        findings
    }

    /// What concerns all of a demonstration that has samples.
    fn check_whole(
        &self,
        demonstration: &Demonstration,
        ground: &dyn Ground,
    ) -> impl Iterator<Item = Flaw> {
        let mut flaws = Vec::new();
        let first = demonstration.samples[0].place;
        let stays = |place: Place| place.distance_to(first) < SAME_PLACE;
        if demonstration.places().all(stays) {
            flaws.push(Flaw::NeverMoves);
        }
        let (duration, longest) = (demonstration.duration(), self.longest);
        if duration > longest {
            flaws.push(Flaw::TooLong { duration, longest });
        }
        let (samples, most) = (demonstration.samples.len(), self.most_samples);
        if samples > most {
            flaws.push(Flaw::TooManySamples { samples, most });
        }
        if let Some(relevance) = Relevance::of(demonstration, ground, self.epsilon) {
            if relevance.approach.is_infinite() {
                let part = "from the start to its beginning";
                flaws.push(Flaw::OutOfReach { part });
            }
            if relevance.onward.is_infinite() {
                let part = "from its end to the goal";
                flaws.push(Flaw::OutOfReach { part });
            }
            if relevance.total().is_finite() && !relevance.attracts() {
                flaws.push(Flaw::Irrelevant { relevance });
            }
        }
        flaws.into_iter()
    }

    /// What may be wrong with the header of a log.
    pub fn check_header(&self, header: &LogHeader, ground: &dyn Ground) -> Vec<Finding> {
        let (level, unit) = ground.level();
        let mut flaws = Vec::new();
        if let Some(recorded) = header.scenario.as_deref().filter(|name| *name != level) {
            let (recorded, here) = (recorded.to_owned(), level.to_owned());
            flaws.push(Flaw::OtherLevel { recorded, here });
        }
        if let Some(recorded) = header.unit.filter(|recorded| *recorded != unit) {
            let here = unit;
            flaws.push(Flaw::OtherUnit { recorded, here });
        }
        let findings = flaws.into_iter();
        findings.map(|flaw| Finding { flaw, at: None }).collect()
    }

    /// For each demonstration, the first before it that goes the same way.
    pub fn duplicates(&self, demonstrations: &[Demonstration]) -> Vec<Option<Finding>> {
        let ways: Vec<Vec<Place>> = demonstrations.iter().map(way).collect();
        let is_same = |a: &[Place], b: &[Place]| {
            a.len() == b.len()
                && !a.is_empty()
                && a.iter().zip(b).all(|(a, b)| a.distance_to(*b) < SAME_PLACE)
        };
        let original = |number: usize| {
            let earlier = &ways[..number];
            earlier
                .iter()
                .position(|other| is_same(other, &ways[number]))
        };
        let finding = |original: usize| Finding {
            flaw: Flaw::Duplicate {
                of: demonstrations[original].name.clone(),
            },
            at: None,
        };
        (0..ways.len())
            .map(|number| original(number).map(finding))
            .collect()
    }
}

/// Places without those that repeat the one before.
fn way(demonstration: &Demonstration) -> Vec<Place> {
    let mut places: Vec<Place> = Vec::new();
    for place in demonstration.places() {
        if places
            .last()
            .is_none_or(|last| last.distance_to(place) >= SAME_PLACE)
        {
            places.push(place);
        }
    }
    places
}

/// Where in a row something holds, and for how long.
fn runs<T>(list: &[T], holds: impl Fn(&T) -> bool) -> Vec<(usize, usize)> {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for (number, _) in list.iter().enumerate().filter(|(_, item)| holds(item)) {
        match runs.last_mut() {
            Some((from, length)) if *from + *length == number => *length += 1,
            _ => runs.push((number, 1)),
        }
    }
    runs
}

fn speed(from: &Sample, to: &Sample) -> f64 {
    let distance = from.place.distance_to(to.place);
    if distance == 0.0 {
        return 0.0;
    }
    distance / (to.time - from.time)
}

/// Where somebody stays for longer than this, and for how long.
fn waits(samples: &[Sample], longest: f64) -> Vec<(usize, f64)> {
    let mut waits = Vec::new();
    let mut from = 0;
    for number in 1..=samples.len() {
        let stays = samples
            .get(number)
            .is_some_and(|sample| sample.place.distance_to(samples[from].place) < SAME_PLACE);
        if !stays {
            let seconds = samples[number - 1].time - samples[from].time;
            if seconds > longest {
                waits.push((from, seconds));
            }
            from = number;
        }
    }
    waits
}

/// Gaits and items this level does not know, where each is first met.
fn strangers(samples: &[Sample], ground: &dyn Ground) -> Vec<(usize, Flaw)> {
    let mut seen: Vec<(bool, &str)> = Vec::new();
    let mut strangers = Vec::new();
    for (number, sample) in samples.iter().enumerate() {
        let gait = sample.stance.gait.iter().map(|gait| (true, gait.as_str()));
        let items = sample.stance.holding.iter().map(|id| (false, id.as_str()));
        for (is_gait, word) in gait.chain(items) {
            if seen.len() >= MOST_WORDS || seen.contains(&(is_gait, word)) {
                continue;
            }
            seen.push((is_gait, word));
            let word = word.to_owned();
            if is_gait && !ground.knows_gait(&word) {
                strangers.push((number, Flaw::UnknownGait { gait: word }));
            } else if !is_gait && !ground.knows_item(&word) {
                strangers.push((number, Flaw::UnknownItem { id: word }));
            }
        }
    }
    strangers
}

/// More different words than any game has gaits and items; looking further would only take time.
const MOST_WORDS: usize = 256;
