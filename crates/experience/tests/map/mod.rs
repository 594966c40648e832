//! A small map with walls for the tests: shortest ways by sweeping, and walking as a problem.

#![allow(dead_code)] // Each test file uses its own part.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

use apprentice_experience::*;
use apprentice_search::{Cost, Problem, Successors};
use proptest::prelude::*;

pub(crate) const STRAIGHT: Straight = Straight { top_speed: 1.0 };

/// Cells one unit apart; one can step to all eight neighbours.
#[derive(Clone, Debug)]
pub(crate) struct Map {
    pub(crate) width: i32,
    pub(crate) height: i32,
    pub(crate) walls: Vec<bool>,
}

impl Map {
    pub(crate) fn open(width: i32, height: i32) -> Map {
        let walls = vec![false; (width * height) as usize];
        Map {
            width,
            height,
            walls,
        }
    }

    /// `#` is a wall.
    pub(crate) fn drawn(rows: &[&str]) -> Map {
        let walls = rows.iter().flat_map(|row| row.chars().map(|c| c == '#'));
        Map {
            width: rows[0].len() as i32,
            height: rows.len() as i32,
            walls: walls.collect(),
        }
    }

    pub(crate) fn cells(&self) -> u32 {
        (self.width * self.height) as u32
    }

    pub(crate) fn place(&self, cell: u32) -> Place {
        let cell = cell as i32;
        Place::flat(f64::from(cell % self.width), f64::from(cell / self.width))
    }

    pub(crate) fn cell(&self, x: i32, y: i32) -> Option<u32> {
        let inside = (0..self.width).contains(&x) && (0..self.height).contains(&y);
        let cell = inside.then(|| (y * self.width + x) as u32)?;
        (!self.walls[cell as usize]).then_some(cell)
    }

    pub(crate) fn steps(&self, cell: u32, mut step: impl FnMut(u32, f64)) {
        let (x, y) = (cell as i32 % self.width, cell as i32 / self.width);
        for (dx, dy) in [
            (1, 0),
            (0, 1),
            (-1, 0),
            (0, -1),
            (1, 1),
            (-1, 1),
            (-1, -1),
            (1, -1),
        ] {
            if let Some(next) = self.cell(x + dx, y + dy) {
                step(next, if dx != 0 && dy != 0 { 2f64.sqrt() } else { 1.0 });
            }
        }
    }

    /// The four nearest free cells at most five away, nearest first.
    fn near(&self, place: Place) -> Vec<(f64, u32)> {
        let mut near = Vec::new();
        let (x, y) = (place.x.round() as i32, place.y.round() as i32);
        for y in y.saturating_sub(5)..=y.saturating_add(5) {
            for x in x.saturating_sub(5)..=x.saturating_add(5) {
                if let Some(cell) = self.cell(x, y) {
                    near.push((self.place(cell).distance_to(place), cell));
                }
            }
        }
        near.retain(|(distance, _)| *distance <= 5.0);
        near.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        near.truncate(4);
        if near.first().is_some_and(|(distance, _)| *distance == 0.0) {
            near.truncate(1);
        }
        near
    }

    pub(crate) fn sweep(&self, targets: &[u32]) -> Vec<f64> {
        let mut seconds = vec![f64::INFINITY; self.cells() as usize];
        let mut open = BinaryHeap::new();
        for target in targets {
            seconds[*target as usize] = 0.0;
            open.push(Reverse((0u64, *target)));
        }
        while let Some(Reverse((bits, cell))) = open.pop() {
            let here = f64::from_bits(bits);
            if here > seconds[cell as usize] {
                continue;
            }
            self.steps(cell, |next, cost| {
                if here + cost < seconds[next as usize] {
                    seconds[next as usize] = here + cost;
                    open.push(Reverse(((here + cost).to_bits(), next)));
                }
            });
        }
        seconds
    }
}

pub(crate) struct Field {
    map: Map,
    target: Place,
    near: Vec<(f64, u32)>,
    fields: Vec<Vec<f64>>,
}

impl Field {
    /// The best way: its length, the cell it enters the map at, and which cell near the target.
    fn best(&self, place: Place) -> Option<(f64, u32, usize)> {
        let mut best: Option<(f64, u32, usize)> = None;
        for (to_map, cell) in self.map.near(place) {
            for (number, (from_map, _)) in self.near.iter().enumerate() {
                let seconds = to_map + self.fields[number][cell as usize] + from_map;
                if seconds.is_finite() && best.is_none_or(|(least, ..)| seconds < least) {
                    best = Some((seconds, cell, number));
                }
            }
        }
        best
    }
}

impl WaysTo for Field {
    fn from(&self, place: Place) -> f64 {
        if self.near.is_empty() || self.map.near(place).is_empty() {
            return place.distance_to(self.target);
        }
        self.best(place)
            .map_or(f64::INFINITY, |(seconds, ..)| seconds)
    }

    fn way(&self, place: Place) -> Vec<Place> {
        if self.near.is_empty() || self.map.near(place).is_empty() {
            return vec![place, self.target];
        }
        let Some((_, mut cell, number)) = self.best(place) else {
            return Vec::new();
        };
        let field = &self.fields[number];
        let mut way = vec![place, self.map.place(cell)];
        while field[cell as usize] > 0.0 {
            let here = field[cell as usize];
            let mut next = cell;
            self.map.steps(cell, |other, cost| {
                if (field[other as usize] + cost - here).abs() < 1e-9 && next == cell {
                    next = other;
                }
            });
            assert_ne!(next, cell, "fields lead to their target");
            cell = next;
            way.push(self.map.place(cell));
        }
        way.push(self.target);
        way
    }
}

impl Ways for Map {
    fn to(&self, target: Place) -> Arc<dyn WaysTo> {
        let near = self.near(target);
        let fields = near.iter().map(|(_, cell)| self.sweep(&[*cell])).collect();
        Arc::new(Field {
            map: self.clone(),
            target,
            near,
            fields,
        })
    }
}

impl Cells for Map {
    fn count(&self) -> u32 {
        self.cells()
    }
    fn cell(&self, place: Place) -> Option<u32> {
        Map::cell(self, place.x.round() as i32, place.y.round() as i32)
    }
    fn place(&self, cell: u32) -> Place {
        Map::place(self, cell)
    }
    fn steps_into(&self, cell: u32, found: &mut dyn FnMut(u32, f64)) {
        if !self.walls[cell as usize] {
            self.steps(cell, found);
        }
    }
}

/// Walking from cell to cell.
pub(crate) struct Walk<'a> {
    pub(crate) map: &'a Map,
    pub(crate) from: u32,
    pub(crate) to: u32,
}

impl Problem for Walk<'_> {
    type State = u32;
    type Key = u32;
    type Action = u32;

    fn start(&self) -> u32 {
        self.from
    }
    fn key(&self, cell: &u32) -> u32 {
        *cell
    }
    fn is_goal(&self, cell: &u32) -> bool {
        *cell == self.to
    }
    fn successors(&self, cell: &u32, out: &mut Successors<u32, u32>) {
        self.map.steps(*cell, |next, cost| {
            out.push(next, next, Cost::round_up(cost));
        });
    }
    fn index(&self, cell: &u32) -> Option<u32> {
        Some(*cell)
    }
}

/// A place on a map of that size, around it, or far away.
pub(crate) fn places(size: i32) -> impl Strategy<Value = Place> {
    let size = f64::from(size);
    let whole = (0.0..size, 0.0..size).prop_map(|(x, y)| Place::flat(x.floor(), y.floor()));
    let around = (-5.0..size + 5.0, -5.0..size + 5.0, -1.0..1.0f64)
        .prop_map(|(x, y, z)| Place::new(x, y, z));
    prop_oneof![4 => whole, 4 => around, 1 => Just(Place::flat(1e4, -3e3))]
}

/// Demonstrations that cross walls, leave the map, wait, loop, branch and merge; some too fast,
/// some slow; and ways that belong to none.
pub(crate) fn graphs(size: i32) -> impl Strategy<Value = DemonstrationGraph> {
    let trace = (
        prop::collection::vec(places(size), 0..9),
        0.3..4.0f64,
        prop::bool::weighted(0.3),
    );
    let traces = prop::collection::vec(trace, 0..4);
    let loose = prop::collection::vec((any::<u32>(), any::<u32>(), 0.0..30.0f64), 0..5);
    let merging = prop_oneof![Just(Merging::Apart), Just(Merging::Within(1.5))];
    (merging, traces, loose, 0u32..4).prop_map(|(merging, traces, loose, lone)| {
        let mut graph = DemonstrationGraph::merging(merging);
        for (number, (mut points, speed, waits)) in traces.into_iter().enumerate() {
            if waits {
                points.extend(points.last().copied());
                points.extend(points.first().copied());
            }
            let mut shown = Demonstration::drawn(format!("shown {number}"), points, speed);
            if waits {
                for (number, sample) in shown.samples.iter_mut().enumerate() {
                    sample.time += number as f64;
                }
            }
            graph.add(&shown);
        }
        for number in 0..lone {
            graph.add_place(Place::flat(f64::from(number) * 3.0, 4.0));
        }
        let known = graph.places().len() as u32;
        if known > 0 {
            for (from, to, cost) in loose {
                graph.add_way(from % known, to % known, cost);
            }
        }
        graph
    })
}

pub(crate) fn maps(size: i32) -> impl Strategy<Value = Map> {
    prop::collection::vec(prop::bool::weighted(0.25), (size * size) as usize).prop_map(
        move |walls| Map {
            width: size,
            height: size,
            walls,
        },
    )
}

/// Every way demonstrations can be followed.
pub(crate) fn settings() -> impl Strategy<Value = TrainingSettings> {
    use apprentice_search::Weight;
    let inflation = prop_oneof![1 => Just(1.0), 8 => 1.0..20.0f64, 1 => 20.0..1000.0f64];
    let projection = prop_oneof![
        Just(Projection::Consistent),
        Just(Projection::Perpendicular)
    ];
    let corridor = prop_oneof![Just(Corridor::Path), Just(Corridor::Field)];
    let start_edge = prop_oneof![
        Just(StartEdge::Start),
        Just(StartEdge::Query),
        Just(StartEdge::Off)
    ];
    (inflation, projection, corridor, start_edge).prop_map(
        |(inflation, projection, corridor, start_edge)| TrainingSettings {
            inflation: Weight::new(inflation).unwrap(),
            projection,
            corridor,
            start_edge,
            lookup: Lookup::Boxes,
            pieces: Pieces::Joined,
        },
    )
}
