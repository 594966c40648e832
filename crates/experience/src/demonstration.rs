//! How someone did it: timed samples.

use crate::Place;

/// How someone did it: samples in the order of their times. Need not be reachable, nor on any
/// graph.
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
    /// A line drawn on the map, taken at `top_speed` from point to point.
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
        for place in points {
            let time = samples.last().map_or(0.0, |last| {
                last.time + last.place.distance_to(place) / top_speed
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
        match (self.samples.first(), self.samples.last()) {
            (Some(first), Some(last)) => last.time - first.time,
            _ => 0.0,
        }
    }

    /// The places, in order.
    pub fn places(&self) -> impl Iterator<Item = Place> + '_ {
        self.samples.iter().map(|sample| sample.place)
    }
}
