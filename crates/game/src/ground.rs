//! Where one can stand, and how long it takes at least from one place to the next.

use apprentice_experience::Place;
use apprentice_search::Cost;

/// Where one can stand, and the steps from place to place, as far as walls are concerned.
///
/// Places are numbered from 0. Doors, enemies and whatever else changes are no part of it. A game
/// without a map of its own can list its places as [`Waypoints`](crate::Waypoints).
///
/// Those who plan share it; that it can be cloned only makes them so.
pub trait Ground: Clone + Send + Sync + 'static {
    /// How many places there are.
    fn places(&self) -> usize;

    /// Where a place is.
    ///
    /// # Panics
    ///
    /// If there is no such place.
    fn at(&self, place: usize) -> Place;

    /// The place nearest to somewhere, on the same floor; `None` if that is far away.
    fn nearest(&self, at: Place) -> Option<usize>;

    /// The places at most `radius` from a point, on the floor of this height, if one is given; in the
    /// order of their numbers.
    fn within(&self, x: f64, y: f64, height: Option<f64>, radius: f64) -> Vec<usize>;

    /// The steps that leave a place.
    fn each_step_from(&self, place: usize, pace: &Pace, visit: impl FnMut(Step));

    /// The steps that lead to a place, each with the place it comes from.
    fn each_step_into(&self, place: usize, pace: &Pace, visit: impl FnMut(Step));

    /// The distance between a place and its nearest neighbours, about.
    fn spacing(&self) -> f64;

    /// Whether one can stand there; false for walls that are numbered too, and for numbers no place has.
    #[inline]
    fn is_walkable(&self, place: usize) -> bool {
        place < self.places()
    }

    /// A few of the places nearest to somewhere, with their distances, nearest first: where ways enter
    /// the ground that begin off it. Somewhere that is a place is its own entrance, and needs no other.
    fn entrances(&self, at: Place) -> [Option<(f64, usize)>; ENTRANCES] {
        let mut entrances = [None; ENTRANCES];
        let nearest = self.nearest(at);
        entrances[0] = nearest.map(|place| (at.distance_to(self.at(place)), place));
        entrances
    }

    /// Whether all of it is at one height, which is 0.
    fn is_flat(&self) -> bool {
        true
    }

    /// The greatest speed through space of anybody who goes at `speed` over the ground: up a ramp the
    /// way is longer than it looks from above, and a fall is faster than any walk.
    fn speed_through_space(&self, speed: f64) -> f64 {
        speed
    }
}

/// How many places are tried for a way that begins off the ground.
pub const ENTRANCES: usize = 4;

/// A step between two places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The place at its other end.
    pub place: usize,
    /// How long it takes at least.
    pub cost: Cost,
    /// Which of the steps it is that leave the place it leaves, if it has a number below
    /// [`Step::EXITS`]; those that have one go straight to a neighbour.
    pub exit: Option<u8>,
}

impl Step {
    /// As many steps that leave a place can have a number.
    pub const EXITS: usize = 8;
}

/// How fast one goes over a ground, with the costs of its usual steps worked out once.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pace {
    speed: f64,
    straight: Cost,
    diagonal: Cost,
}

impl Pace {
    /// At `speed` over places that are so far from each other.
    ///
    /// ```
    /// use apprentice_game::Pace;
    /// use apprentice_search::Cost;
    ///
    /// let pace = Pace::new(2.0, 1.0);
    /// assert_eq!(pace.straight(), Cost::from_seconds(0.5));
    /// assert_eq!(pace.cost(3.0, 0.25), Cost::from_seconds(1.75));
    /// ```
    pub fn new(speed: f64, spacing: f64) -> Pace {
        let cost = |length: f64| Cost::round_up(length * spacing / speed);
        Pace {
            speed,
            straight: cost(1.0),
            diagonal: cost(std::f64::consts::SQRT_2),
        }
    }

    /// Of a step of this length that takes so many seconds besides, however fast one is.
    #[inline]
    pub fn cost(&self, length: f64, delay: f64) -> Cost {
        Cost::round_up(length / self.speed + delay)
    }

    /// Of a step to the nearest neighbour.
    #[inline]
    pub const fn straight(&self) -> Cost {
        self.straight
    }

    /// Of a step across the corner between two of them.
    #[inline]
    pub const fn diagonal(&self) -> Cost {
        self.diagonal
    }

    /// The speed.
    #[inline]
    pub const fn speed(&self) -> f64 {
        self.speed
    }
}
