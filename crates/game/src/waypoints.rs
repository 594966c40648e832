//! Places and the steps between them, listed: a ground for games that have no map.

use std::fmt;

use apprentice_experience::Place;

use crate::{Ground, Pace, Step};

/// A waypoint graph: points, and which can be walked from which.
///
/// ```
/// use apprentice_experience::Place;
/// use apprentice_game::{Ground, Waypoints};
///
/// let points = [(0.0, 0.0), (3.0, 0.0), (3.0, 4.0)].map(|(x, y)| Place::flat(x, y));
/// let mut waypoints = Waypoints::new(points)?;
/// waypoints.connect(0, 1)?;
/// waypoints.connect(1, 2)?;
/// assert_eq!(waypoints.nearest(Place::flat(2.5, 0.2)), Some(1));
/// # Ok::<(), apprentice_game::WaypointError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Waypoints {
    points: Vec<Place>,
    /// By place: where its steps lead, how far that is, and how long it takes besides.
    onward: Vec<Vec<Way>>,
    /// By place: where steps come from, and which of its steps it is there.
    back: Vec<Vec<(u32, u32)>>,
    spacing: f64,
    /// The fastest anybody gets along a step, as a multiple of its speed over the ground.
    steepest: f64,
    is_flat: bool,
}

#[derive(Clone, Copy, Debug)]
struct Way {
    to: u32,
    length: f64,
    delay: f64,
}

/// What is wrong with a waypoint graph.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum WaypointError {
    /// A point whose coordinates are no numbers, or too far away.
    Point {
        /// Its number.
        place: usize,
        /// Where it is said to be.
        at: Place,
    },
    /// A step from or to a place that is not there.
    NoPlace {
        /// The number that no place has.
        place: usize,
        /// How many places there are.
        places: usize,
    },
    /// A step that takes no time: nobody would know which way leads on.
    NoTime {
        /// Where it begins.
        from: usize,
        /// Where it ends.
        to: usize,
    },
    /// A step whose length or delay makes no sense.
    Length {
        /// What it was given.
        found: f64,
    },
}

impl fmt::Display for WaypointError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WaypointError::Point { place, at } => write!(
                f,
                "place {place} is at {at}; give it coordinates between -{0:e} and {0:e}",
                Place::FARTHEST
            ),
            WaypointError::NoPlace { place, places: 0 } => {
                write!(
                    f,
                    "a step names place {place}, and there are none; list points first"
                )
            }
            WaypointError::NoPlace { place, places } => write!(
                f,
                "a step names place {place}, and places have the numbers 0 to {}",
                places - 1
            ),
            WaypointError::NoTime { from, to } => write!(
                f,
                "the step from {from} to {to} takes no time; give it a length or a delay"
            ),
            WaypointError::Length { found } => {
                write!(
                    f,
                    "a step is {found} long or late; give it a number from 0 on"
                )
            }
        }
    }
}

impl std::error::Error for WaypointError {}

/// Beyond this distance, in spacings, a point belongs to no place.
const FAR: f64 = 5.0;

impl Waypoints {
    /// Points without steps between them.
    ///
    /// # Errors
    ///
    /// If one of them is nowhere.
    pub fn new(points: impl IntoIterator<Item = Place>) -> Result<Waypoints, WaypointError> {
        let points: Vec<Place> = points.into_iter().collect();
        let wrong = points.iter().position(|point| !point.is_anywhere());
        if let Some(place) = wrong {
            let at = points[place];
            return Err(WaypointError::Point { place, at });
        }
        Ok(Waypoints {
            onward: vec![Vec::new(); points.len()],
            back: vec![Vec::new(); points.len()],
            is_flat: points.iter().all(|point| point.z == 0.0),
            points,
            spacing: 0.0,
            steepest: 1.0,
        })
    }

    /// Adds a step there and back, as long as the straight line.
    ///
    /// # Errors
    ///
    /// If there is no such place.
    pub fn connect(&mut self, one: usize, other: usize) -> Result<(), WaypointError> {
        for (from, to) in [(one, other), (other, one)] {
            let length = self.straight(from, to)?;
            self.add(from, to, length, 0.0)?;
        }
        Ok(())
    }

    /// Adds a step that leads one way: so long, and so many seconds that it takes besides, however fast
    /// one is. It may be shorter than the straight line: a slide, a door to elsewhere.
    ///
    /// # Errors
    ///
    /// If there is no such place, or a number is negative or none.
    pub fn add(
        &mut self,
        from: usize,
        to: usize,
        length: f64,
        delay: f64,
    ) -> Result<(), WaypointError> {
        let straight = self.straight(from, to)?;
        for found in [length, delay] {
            if !(0.0..=Place::FARTHEST).contains(&found) {
                return Err(WaypointError::Length { found });
            }
        }
        if length + delay == 0.0 {
            return Err(WaypointError::NoTime { from, to });
        }
        let (number, way) = (self.onward[from].len() as u32, to as u32);
        self.onward[from].push(Way {
            to: way,
            length,
            delay,
        });
        self.back[to].push((from as u32, number));
        // What is shorter than the straight line is no distance between neighbours.
        let is_walk = length > 0.0 && length >= straight;
        if is_walk && (self.spacing == 0.0 || length < self.spacing) {
            self.spacing = length;
        }
        if straight > 0.0 {
            self.steepest = self.steepest.max(straight / length);
        }
        Ok(())
    }

    fn straight(&self, from: usize, to: usize) -> Result<f64, WaypointError> {
        let places = self.points.len();
        match (self.points.get(from), self.points.get(to)) {
            (Some(from), Some(to)) => Ok(from.distance_to(*to)),
            (None, _) => Err(WaypointError::NoPlace {
                place: from,
                places,
            }),
            (_, None) => Err(WaypointError::NoPlace { place: to, places }),
        }
    }

    /// The places near somewhere that any step leads to or from: nobody means the others.
    fn nearby(&self, at: Place) -> impl Iterator<Item = (f64, usize)> + '_ {
        let is_flat = self.is_flat;
        let at = if is_flat { Place { z: 0.0, ..at } } else { at };
        let points = self.points.iter().zip(0..);
        let near = points.filter(move |(point, place): &(_, usize)| {
            let is_connected = !self.onward[*place].is_empty() || !self.back[*place].is_empty();
            is_connected && (is_flat || at.is_on_floor_of(**point))
        });
        let reach = FAR * self.spacing();
        near.map(move |(point, place)| (at.distance_to(*point), place))
            .filter(move |(distance, _)| *distance <= reach)
    }
}

impl Ground for Waypoints {
    fn places(&self) -> usize {
        self.points.len()
    }

    /// Where a place is; a number that no place has is nowhere, and whoever is there gets nowhere.
    #[inline]
    fn at(&self, place: usize) -> Place {
        let point = self.points.get(place);
        point.copied().unwrap_or(Place::flat(f64::NAN, f64::NAN))
    }

    fn nearest(&self, at: Place) -> Option<usize> {
        let nearest = self.nearby(at).min_by(|a, b| a.0.total_cmp(&b.0));
        nearest.map(|(_, place)| place)
    }

    fn within(&self, x: f64, y: f64, height: Option<f64>, radius: f64) -> Vec<usize> {
        let at = Place::flat(x, y);
        let points = self.points.iter().zip(0..);
        let near = points.filter(|(point, _)| {
            let is_level = height.is_none_or(|z| Place { z, ..at }.is_on_floor_of(**point));
            is_level && at.distance_to(Place { z: 0.0, ..**point }) <= radius
        });
        near.map(|(_, place)| place).collect()
    }

    fn each_step_from(&self, place: usize, pace: &Pace, mut visit: impl FnMut(Step)) {
        let ways = self.onward.get(place).into_iter().flatten();
        for (number, way) in ways.enumerate() {
            visit(way.step(way.to, number, pace));
        }
    }

    fn each_step_into(&self, place: usize, pace: &Pace, mut visit: impl FnMut(Step)) {
        for (from, number) in self.back.get(place).into_iter().flatten() {
            let way = &self.onward[*from as usize][*number as usize];
            visit(way.step(*from, *number as usize, pace));
        }
    }

    fn spacing(&self) -> f64 {
        if self.spacing > 0.0 {
            self.spacing
        } else {
            1.0
        }
    }

    fn entrances(&self, at: Place) -> [Option<(f64, usize)>; crate::ENTRANCES] {
        let mut near: Vec<(f64, usize)> = self.nearby(at).collect();
        near.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mut near = near.into_iter();
        std::array::from_fn(|_| near.next())
    }

    fn is_flat(&self) -> bool {
        self.is_flat
    }

    fn speed_through_space(&self, speed: f64) -> f64 {
        speed * self.steepest
    }
}

impl Way {
    fn step(&self, other_end: u32, number: usize, pace: &Pace) -> Step {
        let is_plain = self.delay == 0.0 && number < Step::EXITS;
        Step {
            place: other_end as usize,
            cost: pace.cost(self.length, self.delay),
            exit: is_plain.then_some(number as u8),
        }
    }
}
