//! Where something was.

use std::fmt;

/// A point of the world: x to the east, y to the south, z upwards. In cells on grids, where z is
/// zero, and in metres elsewhere.
///
/// ```
/// use apprentice_experience::Place;
///
/// assert_eq!(Place::flat(0.0, 0.0).distance_to(Place::flat(3.0, 4.0)), 5.0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Place {
    /// To the east.
    pub x: f64,
    /// To the south.
    pub y: f64,
    /// Upwards.
    pub z: f64,
}

impl Place {
    /// The place at `x`, `y` and `z`.
    pub const fn new(x: f64, y: f64, z: f64) -> Place {
        Place { x, y, z }
    }

    /// The place at `x`, `y` of a flat world.
    pub const fn flat(x: f64, y: f64) -> Place {
        Place { x, y, z: 0.0 }
    }

    /// How far it is to `other` as the crow flies.
    #[inline]
    pub fn distance_to(self, other: Place) -> f64 {
        let (x, y, z) = (other.x - self.x, other.y - self.y, other.z - self.z);
        (x * x + y * y + z * z).sqrt()
    }

    /// How far a point is, seen from above.
    ///
    /// ```
    /// # use apprentice_experience::Place;
    /// assert_eq!(Place::new(0.0, 0.0, 9.0).seen_from_above(3.0, 4.0), 5.0);
    /// ```
    #[inline]
    pub fn seen_from_above(self, x: f64, y: f64) -> f64 {
        let (x, y) = (x - self.x, y - self.y);
        (x * x + y * y).sqrt()
    }

    /// Heights farther apart than this belong to different floors: nobody stands upright between
    /// them.
    pub const STOREY: f64 = 1.5;

    /// Whether somebody here is on the same floor as something there.
    ///
    /// ```
    /// # use apprentice_experience::Place;
    /// let bridge = Place::new(4.0, 0.0, 3.0);
    /// assert!(!bridge.is_on_floor_of(Place::flat(4.0, 0.0)));
    /// assert!(bridge.is_on_floor_of(Place::new(6.0, 0.0, 2.0)), "a little down the ramp");
    /// ```
    #[inline]
    pub fn is_on_floor_of(self, other: Place) -> bool {
        (self.z - other.z).abs() <= Place::STOREY
    }

    /// The place `part` of the way to `other`: 0 is here, 1 is there.
    ///
    /// ```
    /// # use apprentice_experience::Place;
    /// let half = Place::flat(0.0, 0.0).toward(Place::flat(4.0, 2.0), 0.5);
    /// assert_eq!(half, Place::flat(2.0, 1.0));
    /// ```
    pub fn toward(self, other: Place, part: f64) -> Place {
        Place {
            x: self.x + (other.x - self.x) * part,
            y: self.y + (other.y - self.y) * part,
            z: self.z + (other.z - self.z) * part,
        }
    }

    /// No level is so large that something is farther away than this, in cells or metres. What is
    /// farther is a mistake, and squares of distances must stay numbers.
    pub const FARTHEST: f64 = 1e9;

    /// Whether it could be on a map: its coordinates are numbers up to [`Place::FARTHEST`].
    ///
    /// ```
    /// # use apprentice_experience::Place;
    /// assert!(Place::flat(-3.0, 4.5).is_anywhere());
    /// assert!(!Place::flat(f64::NAN, 0.0).is_anywhere() && !Place::flat(1e12, 0.0).is_anywhere());
    /// ```
    pub fn is_anywhere(self) -> bool {
        let is_near = |coordinate: f64| coordinate.abs() <= Place::FARTHEST;
        is_near(self.x) && is_near(self.y) && is_near(self.z)
    }

    /// Whether all coordinates are finite.
    pub fn is_finite(self) -> bool {
        self.x.is_finite() && self.y.is_finite() && self.z.is_finite()
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.z == 0.0 {
            write!(f, "({}, {})", self.x, self.y)
        } else {
            write!(f, "({}, {}, {})", self.x, self.y, self.z)
        }
    }
}
