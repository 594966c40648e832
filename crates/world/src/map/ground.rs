//! The map as planners of any game ask about their ground.

use apprentice_experience::Place;
use apprentice_game::{ENTRANCES, Ground, Pace, Step};

use super::{Exits, Map, NavMesh, Point};

impl Ground for Map {
    #[inline]
    fn places(&self) -> usize {
        Map::places(self)
    }

    #[inline]
    fn is_walkable(&self, place: usize) -> bool {
        Map::is_walkable(self, place)
    }

    #[inline]
    fn at(&self, place: usize) -> Place {
        let at = self.point_of(place);
        match self {
            Map::Mesh(mesh) if !mesh.is_flat() => Place::new(at.x, at.y, mesh.height_of(place)),
            _ => Place::flat(at.x, at.y),
        }
    }

    fn nearest(&self, at: Place) -> Option<usize> {
        let spot = self.spot_at(at);
        self.place_on_floor(spot.point(), spot.height)
    }

    fn entrances(&self, at: Place) -> [Option<(f64, usize)>; ENTRANCES] {
        let spot = self.spot_at(at);
        // Nearly everybody who asks stands on a place, and needs no other.
        let here = self.nearest_places_within::<1>(spot, 0.0)[0];
        if let Some((0.0, _)) = here {
            return std::array::from_fn(|rank| here.filter(|_| rank == 0));
        }
        self.nearest_places(spot)
    }

    fn within(&self, x: f64, y: f64, height: Option<f64>, radius: f64) -> Vec<usize> {
        self.places_on_floor(Point::new(x, y), height, radius)
    }

    fn each_step_from(&self, place: usize, pace: &Pace, mut visit: impl FnMut(Step)) {
        for (step, exit) in Exits::new(self, place).numbered() {
            visit(step.paced(pace, exit));
        }
        if let Map::Mesh(mesh) = self {
            for number in 0..NavMesh::MOST_LEAPS as u8 {
                let Some(step) = mesh.footholds.leap(place, number) else {
                    break;
                };
                visit(step.paced(pace, None));
            }
        }
    }

    #[inline]
    fn each_step_into(&self, place: usize, pace: &Pace, mut visit: impl FnMut(Step)) {
        // Directions go round, and every other one is diagonal.
        let costs = [pace.straight(), pace.diagonal()];
        let level = |near: usize, direction: usize| Step {
            place: near,
            cost: costs[direction & 1],
            exit: Some((direction as u8 + 4) & 7),
        };
        match self {
            Map::Grid(grid) => {
                let strides = grid.strides();
                let mut left = grid.exits(place);
                while left != 0 {
                    let number = left.trailing_zeros() as usize;
                    left &= left - 1;
                    let near = place.wrapping_add_signed(strides[number]);
                    visit(level(near, number));
                }
            }
            Map::Mesh(mesh) => {
                for (direction, near) in mesh.footholds.level_steps(place) {
                    visit(level(near, direction as usize));
                }
                for step in mesh.footholds.arrivals(place) {
                    visit(step.paced(pace, None));
                }
            }
        }
    }

    fn spacing(&self) -> f64 {
        Map::spacing(self)
    }

    fn is_flat(&self) -> bool {
        Map::is_flat(self)
    }

    fn speed_through_space(&self, speed: f64) -> f64 {
        Map::speed_through_space(self, speed)
    }
}
