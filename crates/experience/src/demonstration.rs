//! How someone did it: timed samples.

use std::fmt;

use crate::Place;

/// How someone did it: samples in the order of their times. Need not be reachable, nor on any
/// graph.
///
/// [`Demonstration::new`] and [`Demonstration::check`] find times and places that are none. Whoever
/// takes demonstrations leaves such samples out.
///
/// ```
/// use apprentice_experience::{Demonstration, Place};
///
/// // A line on the map, to be walked at two metres a second.
/// let drawn = Demonstration::drawn("left", [Place::flat(0.0, 0.0), Place::flat(6.0, 8.0)], 2.0);
/// assert_eq!(drawn.duration(), 5.0);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Demonstration {
    /// What people call it.
    pub name: String,
    /// What was seen, earliest first.
    pub samples: Vec<Sample>,
}

/// What was seen at one moment of a demonstration.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sample {
    /// Seconds since the demonstration began.
    pub time: f64,
    /// Where the demonstrator was.
    pub place: Place,
    /// How the demonstrator moved and what they had, where that is known.
    pub stance: Stance,
}

/// What a sample says beside time and place. Everything may be unknown, as in a drawn line.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stance {
    /// `walk`, `sneak`, `run`, or what else a game knows.
    pub gait: Option<String>,
    /// The ids of what was held.
    pub holding: Vec<String>,
    /// Whatever else a game wants to tell apart, by name.
    pub flags: Vec<(String, String)>,
}

impl Demonstration {
    /// Nobody shows anything for longer, in seconds: thirty years.
    pub const LONGEST: f64 = 1e9;

    /// A demonstration of samples whose times and places are checked.
    ///
    /// # Errors
    ///
    /// If one of them is not later than the one before, or its time or place is none.
    ///
    /// ```
    /// # use apprentice_experience::{Demonstration, Place, Sample};
    /// let sample = |time, x| Sample { time, place: Place::flat(x, 0.0), ..Sample::default() };
    /// assert!(Demonstration::new("east", vec![sample(0.0, 0.0), sample(1.0, 1.5)]).is_ok());
    /// let error = Demonstration::new("east", vec![sample(0.0, f64::NAN)]).unwrap_err();
    /// assert_eq!(error.sample, 0);
    /// ```
    pub fn new(name: impl Into<String>, samples: Vec<Sample>) -> Result<Demonstration, BadSample> {
        let name = name.into();
        let demonstration = Demonstration { name, samples };
        demonstration.check()?;
        Ok(demonstration)
    }

    /// Whether all samples have a time and a place, and are in the order of their times; several may
    /// be of the same moment.
    ///
    /// # Errors
    ///
    /// The first sample of which that is not true.
    pub fn check(&self) -> Result<(), BadSample> {
        let mut before: Option<f64> = None;
        for (sample, it) in self.samples.iter().enumerate() {
            let wrong = match before {
                _ if !is_time(it.time) => SampleWrong::Time(it.time),
                Some(before) if it.time < before => SampleWrong::Earlier {
                    time: it.time,
                    before,
                },
                _ if !it.place.is_anywhere() => SampleWrong::Place(it.place),
                _ => {
                    before = Some(it.time);
                    continue;
                }
            };
            return Err(BadSample { sample, wrong });
        }
        Ok(())
    }

    /// A line drawn on the map, taken at `top_speed` from point to point. Points that are on no map
    /// are left out; a speed that is none takes no time.
    ///
    /// ```
    /// # use apprentice_experience::{Demonstration, Place};
    /// let dot = Demonstration::drawn("dot", [Place::flat(1.0, 1.0)], 1.0);
    /// assert_eq!(dot.duration(), 0.0);
    /// ```
    pub fn drawn(
        name: impl Into<String>,
        points: impl IntoIterator<Item = Place>,
        top_speed: f64,
    ) -> Demonstration {
        let mut samples: Vec<Sample> = Vec::new();
        for place in points.into_iter().filter(|place| place.is_anywhere()) {
            let time = samples.last().map_or(0.0, |last| {
                let seconds = last.place.distance_to(place) / top_speed;
                let is_time = seconds > 0.0 && is_time(last.time + seconds);
                last.time + if is_time { seconds } else { 0.0 }
            });
            samples.push(Sample {
                time,
                place,
                stance: Stance::default(),
            });
        }
        Demonstration {
            name: name.into(),
            samples,
        }
    }

    /// Seconds from the first sample to the last; none if there are none.
    pub fn duration(&self) -> f64 {
        let times = || self.samples.iter().map(|sample| sample.time);
        let first = times().find(|time| is_time(*time));
        let last = times().rfind(|time| is_time(*time));
        match (first, last) {
            (Some(first), Some(last)) => (last - first).max(0.0),
            _ => 0.0,
        }
    }

    /// The places, in order.
    pub fn places(&self) -> impl Iterator<Item = Place> + '_ {
        self.samples.iter().map(|sample| sample.place)
    }
}

/// Whether seconds can be a time of a demonstration.
pub(crate) fn is_time(seconds: f64) -> bool {
    seconds.abs() <= Demonstration::LONGEST
}

/// A sample of a demonstration that is no sample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BadSample {
    /// Which of them, from 0.
    pub sample: usize,
    /// What is wrong with it.
    pub wrong: SampleWrong,
}

/// What can be wrong with a sample.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum SampleWrong {
    /// Its time is no number of seconds.
    Time(f64),
    /// It comes after a sample of a later time.
    Earlier {
        /// Its time.
        time: f64,
        /// That of the one before.
        before: f64,
    },
    /// Its place can be on no map.
    Place(Place),
}

impl fmt::Display for BadSample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = self.sample + 1;
        match self.wrong {
            SampleWrong::Time(time) => write!(
                f,
                "the time of sample {number} is {time}; give it seconds, at most a thousand million"
            ),
            SampleWrong::Earlier { time, before } => write!(
                f,
                "sample {number} is of second {time}, and the one before it of second {before}; sort them by time"
            ),
            SampleWrong::Place(place) => write!(
                f,
                "sample {number} is at {place}, which is on no map; give it numbers up to a thousand million"
            ),
        }
    }
}

impl std::error::Error for BadSample {}
