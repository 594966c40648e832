//! How long it takes at least from anywhere on a ground to the nearest of some places, and the way
//! there.

use apprentice_experience::Place;
use apprentice_search::{Budget, Cost};

use crate::{ByTime, ENTRANCES, Ground, Pace, Step, Sweep};

/// The cost of the shortest way from every place to the nearest target, by one sweep of Dijkstra's
/// algorithm from the targets backwards. Walls count; doors, enemies and everything else that
/// changes doesn't.
///
/// ```
/// use apprentice_experience::Place;
/// use apprentice_search::{Budget, Cost};
/// use apprentice_game::{DistanceField, Waypoints};
///
/// let points = [(0.0, 0.0), (3.0, 0.0), (3.0, 4.0)].map(|(x, y)| Place::flat(x, y));
/// let mut ground = Waypoints::new(points)?;
/// ground.connect(0, 1)?;
/// ground.connect(1, 2)?;
/// let mut field = DistanceField::to(&ground, [2], 1.0);
/// assert!(field.sweep(&ground, &mut Budget::unlimited()));
/// assert_eq!(field.from(&ground, Place::flat(0.0, 0.0)), 7.0);
/// assert_eq!(field.way(&ground, Place::flat(0.0, 0.0)).len(), 3);
/// # Ok::<(), apprentice_game::WaypointError>(())
/// ```
#[derive(Clone, Debug)]
pub struct DistanceField {
    sweep: Sweep,
    speed: f64,
    target: Option<Place>,
}

/// The cost of the shortest way to every place from the nearest of some: the same the other way
/// round. Ways need not lead back, so it is another field.
///
/// ```
/// use apprentice_experience::Place;
/// use apprentice_search::{Budget, Cost};
/// use apprentice_game::{OutwardField, Waypoints};
///
/// let points = [(0.0, 0.0), (3.0, 0.0), (3.0, 4.0)].map(|(x, y)| Place::flat(x, y));
/// let mut ground = Waypoints::new(points)?;
/// ground.connect(0, 1)?;
/// ground.connect(1, 2)?;
/// let mut field = OutwardField::from([(0, 0.0)], 1.0);
/// assert!(field.sweep(&ground, &mut Budget::unlimited()));
/// assert_eq!(field.at(2), Cost::from_seconds(7.0));
/// assert_eq!(field.way(&ground, 2), [0, 1, 2]);
/// # Ok::<(), apprentice_game::WaypointError>(())
/// ```
#[derive(Clone, Debug)]
pub struct OutwardField {
    sweep: Sweep,
    speed: f64,
}

impl OutwardField {
    /// Begins a field from these places, each after so many seconds, at `speed` cells or metres a
    /// second. Nothing is known before the [`sweep`](OutwardField::sweep).
    pub fn from(places: impl IntoIterator<Item = (usize, f64)>, speed: f64) -> Self {
        let places = places.into_iter();
        let sweep = Sweep::from(places.map(|(place, seconds)| (place, Cost::round_up(seconds))));
        OutwardField { sweep, speed }
    }

    /// Goes on with the sweep; one unit of budget for each place. False: the budget is spent, call
    /// again.
    pub fn sweep<G: Ground>(&mut self, ground: &G, budget: &mut Budget<'_>) -> bool {
        self.sweep.go_on(ground, self.speed, &ByTime, budget)
    }

    /// The cost to a place; infinite to walls and to where no way leads.
    #[inline]
    pub fn at(&self, place: usize) -> Cost {
        self.sweep.at(place)
    }

    /// The places of the shortest way to one, both ends included; the one by the first of them among
    /// equals. Empty if no way leads there.
    pub fn way<G: Ground>(&self, ground: &G, to: usize) -> Vec<usize> {
        if !self.at(to).is_finite() {
            return Vec::new();
        }
        let pace = Pace::new(self.speed, ground.spacing());
        let before = |place: usize| {
            let mut found = None;
            ground.each_step_into(place, &pace, |step| {
                // A way that takes no time leads nowhere.
                let is_earlier = self.at(step.place) < self.at(place);
                let reached = self.at(step.place) + step.cost;
                if found.is_none() && is_earlier && reached == self.at(place) {
                    found = Some(step.place);
                }
            });
            found
        };
        let mut way = vec![to];
        let mut place = to;
        while let Some(earlier) = before(place) {
            place = earlier;
            way.push(place);
        }
        way.reverse();
        way
    }
}

impl DistanceField {
    /// Begins a field for these targets at `speed` cells or metres a second. Nothing is known
    /// before the [`sweep`](DistanceField::sweep). Targets where nobody can stand are left out.
    pub fn to<G: Ground>(ground: &G, targets: impl IntoIterator<Item = usize>, speed: f64) -> Self {
        let mut last = None;
        let targets = targets.into_iter().inspect(|target| {
            if ground.is_walkable(*target) {
                last = Some(*target);
            }
        });
        let sweep = Sweep::to(targets.map(|target| (target, Cost::ZERO)));
        DistanceField {
            sweep,
            speed,
            target: last.map(|target| ground.at(target)),
        }
    }

    /// Goes on with the sweep; one unit of budget for each place. False: the budget is spent, call
    /// again.
    pub fn sweep<G: Ground>(&mut self, ground: &G, budget: &mut Budget<'_>) -> bool {
        self.sweep.go_on(ground, self.speed, &ByTime, budget)
    }

    /// The cost from a place to the nearest target; infinite from walls and from where no way leads.
    #[inline]
    pub fn at(&self, place: usize) -> Cost {
        self.sweep.at(place)
    }

    /// The seconds from anywhere, also off the ground or inside a wall: by way of the best of the
    /// few nearest places on the same floor; as the crow flies if there is none.
    ///
    /// ```
    /// # use apprentice_experience::Place;
    /// # use apprentice_game::{DistanceField, Waypoints};
    /// # use apprentice_search::Budget;
    /// let mut ground = Waypoints::new((0..3).map(|x| Place::flat(f64::from(x), 0.0)))?;
    /// ground.connect(0, 1)?;
    /// ground.connect(1, 2)?;
    /// let mut field = DistanceField::to(&ground, [2], 1.0);
    /// field.sweep(&ground, &mut Budget::unlimited());
    /// assert_eq!(field.from(&ground, Place::flat(2.0, -3.0)), 3.0); // beside the ground
    /// assert_eq!(field.from(&ground, Place::flat(2.0, -9.0)), 9.0); // too far from any place
    /// # Ok::<(), apprentice_game::WaypointError>(())
    /// ```
    pub fn from<G: Ground>(&self, ground: &G, from: Place) -> f64 {
        match (self.entrance(ground, from), self.target) {
            (Some((seconds, _)), _) => seconds,
            (None, Some(target)) => on(ground, from).distance_to(target) / self.speed,
            (None, None) => f64::INFINITY,
        }
    }

    /// The shortest way from somewhere to the nearest target, from place to place; it begins with
    /// where it begins, if that is no place. Empty if no way leads there.
    pub fn way<G: Ground>(&self, ground: &G, from: Place) -> Vec<Place> {
        let from = on(ground, from);
        let Some((seconds, mut place)) = self.entrance(ground, from) else {
            return Vec::new();
        };
        if !seconds.is_finite() {
            return Vec::new();
        }
        let mut way = vec![from];
        let entrance = ground.at(place);
        if (entrance.x, entrance.y) != (from.x, from.y) {
            way.push(entrance);
        }
        while self.at(place) > Cost::ZERO {
            let Some(next) = self.next(ground, place) else {
                return Vec::new();
            };
            place = next;
            way.push(ground.at(place));
        }
        way
    }

    /// The place after this one on the shortest way; the first of them among equals. `None` at a
    /// target, and where no way leads on.
    pub fn next<G: Ground>(&self, ground: &G, place: usize) -> Option<usize> {
        let here = self.at(place);
        if here == Cost::ZERO || !here.is_finite() {
            return None;
        }
        let mut best: Option<(Cost, usize)> = None;
        let pace = Pace::new(self.speed, ground.spacing());
        ground.each_step_from(place, &pace, |Step { place, cost, .. }| {
            // A step that takes no time leads nowhere.
            let total = self.at(place) + cost;
            let is_nearer = self.at(place) < here;
            if is_nearer && best.is_none_or(|(least, _)| total < least) {
                best = Some((total, place));
            }
        });
        let (_, best) = best?;
        self.at(best).is_finite().then_some(best)
    }

    /// The seconds from somewhere and the place at which that way enters the ground.
    fn entrance<G: Ground>(&self, ground: &G, from: Place) -> Option<(f64, usize)> {
        let nearest: [_; ENTRANCES] = ground.entrances(from);
        if let Some((0.0, place)) = nearest[0] {
            return Some((self.at(place).as_seconds(), place));
        }
        let mut best: Option<(f64, usize)> = None;
        for (distance, place) in nearest.into_iter().flatten() {
            let seconds = distance / self.speed + self.at(place).as_seconds();
            if best.is_none_or(|(least, _)| seconds < least) {
                best = Some((seconds, place));
            }
        }
        best
    }
}

/// Heights mean nothing where all is flat.
fn on<G: Ground>(ground: &G, place: Place) -> Place {
    if ground.is_flat() {
        Place { z: 0.0, ..place }
    } else {
        place
    }
}
