//! The ground of a level as those see it who put things there: what can be reached, and where it is
//! narrow.

use apprentice_world::{Map, Point};

/// Where one can walk on a map, as far as it hangs together.
pub struct Ground<'m> {
    /// The map.
    pub map: &'m Map,
    /// The places of its largest part.
    pub places: Vec<usize>,
}

/// Where a few places from wall to wall are all there is between two sides.
#[derive(Clone, Debug)]
pub struct Narrow {
    /// From wall to wall.
    pub places: Vec<usize>,
    /// The places before and behind.
    pub sides: [usize; 2],
    /// Whether it is wider on one side: a doorway, and not the middle of a passage.
    pub is_doorway: bool,
}

/// Doorways are up to so many cells, or metres, wide.
const WIDEST: f64 = 3.0;

impl<'m> Ground<'m> {
    /// The largest part of a map: the most that can be reached from anywhere.
    pub fn new(map: &'m Map) -> Ground<'m> {
        let mut seen = vec![false; map.places()];
        let mut ground = Ground {
            map,
            places: Vec::new(),
        };
        let open = vec![false; map.places()];
        for place in 0..map.places() {
            if !map.is_walkable(place) || seen[place] {
                continue;
            }
            let reached = ground.reach(place, &open);
            let part: Vec<usize> = (0..reached.len()).filter(|place| reached[*place]).collect();
            part.iter().for_each(|place| seen[*place] = true);
            if part.len() > ground.places.len() {
                ground.places = part;
            }
        }
        ground
    }

    /// Which places can be reached if some are shut.
    pub fn reach(&self, from: usize, shut: &[bool]) -> Vec<bool> {
        let mut reached = vec![false; self.map.places()];
        self.flood(from, shut, |_, place| reached[place] = true);
        reached
    }

    /// How many steps every place is from one; as many as there are numbers if there is no way.
    pub fn steps_from(&self, from: usize) -> Vec<u32> {
        let mut steps = vec![u32::MAX; self.map.places()];
        let open = vec![false; self.map.places()];
        self.flood(from, &open, |before, place| {
            steps[place] = before.map_or(0, |before| steps[before] + 1);
        });
        steps
    }

    /// A way of fewest steps, with both of its ends.
    pub fn way(&self, from: usize, to: usize, shut: &[bool]) -> Option<Vec<usize>> {
        let mut before = vec![usize::MAX; self.map.places()];
        self.flood(from, shut, |parent, place| {
            before[place] = parent.unwrap_or(place);
        });
        let mut way = vec![to];
        let mut here = to;
        while here != from {
            here = before[here];
            if here == usize::MAX {
                return None;
            }
            way.push(here);
        }
        way.reverse();
        Some(way)
    }

    /// Visits all that can be reached, nearest first, each with the place before it.
    fn flood(&self, from: usize, shut: &[bool], mut visit: impl FnMut(Option<usize>, usize)) {
        let mut seen = vec![false; self.map.places()];
        seen[from] = true;
        visit(None, from);
        let mut queue = vec![from];
        let mut next = 0;
        while let Some(&here) = queue.get(next) {
            next += 1;
            for step in self.map.steps_from(here) {
                if !seen[step.place] && !shut[step.place] {
                    seen[step.place] = true;
                    visit(Some(here), step.place);
                    queue.push(step.place);
                }
            }
        }
    }

    /// Everywhere it is narrow.
    pub fn narrows(&self) -> Vec<Narrow> {
        let axes: &[[f64; 2]] = match self.map {
            Map::Grid(_) => &[[1.0, 0.0], [0.0, 1.0]],
            Map::Mesh(_) => &[[1.0, 0.0], [0.0, 1.0], [1.0, 1.0], [1.0, -1.0]],
        };
        let mut narrows = Vec::new();
        for &place in &self.places {
            for &axis in axes {
                // Each is found from its first place.
                if self.beside(place, back(axis)).is_some() {
                    continue;
                }
                let Some(across) = self.span(place, axis) else {
                    continue;
                };
                let middle = across[across.len() / 2];
                let ahead = [-axis[1], axis[0]];
                let sides = (self.beside(middle, ahead), self.beside(middle, back(ahead)));
                let (Some(one), Some(other)) = sides else {
                    continue;
                };
                let is_wider = |side| {
                    let width = self.width(side, axis);
                    width.is_none_or(|width| width > across.len())
                };
                narrows.push(Narrow {
                    is_doorway: is_wider(one) || is_wider(other),
                    places: across,
                    sides: [one, other],
                });
            }
        }
        narrows
    }

    /// Whether there is no way from one side to the other but through it.
    pub fn separates(&self, narrow: &Narrow) -> bool {
        let mut shut = vec![false; self.map.places()];
        self.shut(narrow, &mut shut);
        let [one, other] = narrow.sides;
        !self.reach(one, &shut)[other]
    }

    /// Shuts what a door there would shut.
    pub fn shut(&self, narrow: &Narrow, shut: &mut [bool]) {
        for place in self.closed_by(narrow) {
            shut[place] = true;
        }
    }

    /// What a door there would shut.
    pub fn closed_by(&self, narrow: &Narrow) -> Vec<usize> {
        match self.map {
            Map::Grid(_) => narrow.places.clone(),
            Map::Mesh(_) => {
                let around = narrow.places.iter().flat_map(|place| {
                    let height = Some(self.map.height_of(*place));
                    let at = self.map.point_of(*place);
                    self.map.places_on_floor(at, height, self.door_radius())
                });
                around.collect()
            }
        }
    }

    /// How far around their line doors on a navmesh close everything.
    pub fn door_radius(&self) -> f64 {
        1.25 * self.map.spacing()
    }

    /// The places from here on to the next wall, unless there are too many for a doorway.
    fn span(&self, place: usize, axis: [f64; 2]) -> Option<Vec<usize>> {
        let mut across = vec![place];
        let mut here = place;
        while let Some(next) = self.beside(here, axis) {
            across.push(next);
            here = next;
            if across.len() as f64 * self.map.spacing() > WIDEST {
                return None;
            }
        }
        Some(across)
    }

    /// How many places there are from wall to wall, unless it is too wide for a doorway.
    fn width(&self, place: usize, axis: [f64; 2]) -> Option<usize> {
        let (there, back) = (self.span(place, axis)?, self.span(place, back(axis))?);
        Some(there.len() + back.len() - 1)
    }

    /// The next place in a direction.
    fn beside(&self, place: usize, [dx, dy]: [f64; 2]) -> Option<usize> {
        let (at, spacing) = (self.map.point_of(place), self.map.spacing());
        let next = Point::new(at.x + dx * spacing, at.y + dy * spacing);
        let mut steps = self.map.steps_from(place).filter(|step| step.delay == 0.0);
        let found =
            steps.find(|step| self.map.point_of(step.place).distance_to(next) < 0.1 * spacing);
        found.map(|step| step.place)
    }
}

fn back([dx, dy]: [f64; 2]) -> [f64; 2] {
    [-dx, -dy]
}
