//! Several floors above each other, joined by ramps and perhaps a ladder: the triangles of a level, as
//! modelling programs write them.

use std::fmt::Write;

use apprentice_world::{Map, Scenario};

use super::{Canvas, Terrain, house, rooms};
use crate::dice::Dice;
use crate::furnishing::spot;

/// Metres: the side of a cell, so that passages are wide enough for somebody who keeps off the walls,
/// and from one floor to the next.
const CELL: f64 = 2.0;
const STOREY: f64 = 3.0;
/// Cells a ramp is long: it rises at less than thirty degrees.
const RAMP: usize = 3;

/// A ramp up to the east: the cell before its foot.
struct Ramp {
    foot: [usize; 2],
    storey: usize,
}

pub(super) fn build(dice: &mut Dice) -> Terrain {
    let (width, height) = (dice.between(12, 24), dice.between(12, 24));
    let mut storeys: Vec<Canvas> = Vec::new();
    for _ in 0..dice.between(2, 3) {
        let mut canvas = Canvas::filled(width, height);
        if dice.percent(50) {
            house::carve(&mut canvas, dice);
        } else {
            rooms::carve(&mut canvas, dice);
        }
        storeys.push(canvas);
    }
    let mut ramps = Vec::new();
    for storey in 0..storeys.len() - 1 {
        for _ in 0..dice.between(1, 2) {
            let foot = [
                dice.between(2, width - RAMP - 4),
                dice.between(1, height - 2),
            ];
            ramps.push(Ramp { foot, storey });
        }
    }
    for Ramp { foot, storey } in &ramps {
        let [x, y] = *foot;
        // Below a ramp and above it is nothing.
        for storey in [*storey, *storey + 1] {
            storeys[storey].fill([x + 1, y], [RAMP, 1], false);
        }
        // From its foot and its top on one comes to where there is floor.
        let west = (1..=x)
            .rev()
            .take_while(|x| !storeys[*storey].is_free(*x, y));
        for x in west.collect::<Vec<_>>() {
            storeys[*storey].set(x, y, true);
        }
        let above = &mut storeys[storey + 1];
        let east = (x + RAMP + 1..width - 1).take_while(|x| !above.is_free(*x, y));
        for x in east.collect::<Vec<_>>() {
            above.set(x, y, true);
        }
    }
    let name = format!("floors-{:08x}.obj", dice.bits() >> 32);
    let falls = if dice.percent(30) {
        "falls = 4.0\n"
    } else {
        ""
    };
    let table = format!("[map]\nfile = \"{name}\"\n{falls}");
    let mut terrain = Terrain {
        name: "floors".to_owned(),
        map: Map::Grid(storeys[0].grid()),
        table,
        files: vec![(name, triangles(&storeys, &ramps))],
    };
    let [x, y] = ramps[0].foot;
    let start = [(x as f64 + 0.5) * CELL, (y as f64 + 0.5) * CELL];
    terrain.read(start);
    if dice.percent(30)
        && let Some(ladder) = ladder(&terrain.map, dice)
    {
        terrain.table += &ladder;
        terrain.read(start);
    }
    terrain
}

impl Terrain {
    /// Reads the map as a scenario with that start would have it.
    fn read(&mut self, start: [f64; 2]) {
        let [x, y] = start;
        let head = format!("format = 1\nstart = [{x}, {y}]\ngoal = {{ all = [] }}\n\n");
        let scenario = Scenario::parse_with(&(head + &self.table), |_| Ok(self.files[0].1.clone()));
        let scenario = scenario.unwrap_or_else(|error| panic!("floors nobody can read: {error}"));
        self.map = scenario.map().clone();
    }
}

/// A link from one floor to another nearby.
fn ladder(map: &Map, dice: &mut Dice) -> Option<String> {
    for _ in 0..50 {
        let (from, to) = (dice.below(map.places()), dice.below(map.places()));
        let is_near = map.point_of(from).distance_to(map.point_of(to)) < 4.0;
        if is_near && (map.height_of(from) - map.height_of(to)).abs() > STOREY / 2.0 {
            let (from, to) = (spot(map, from), spot(map, to));
            return Some(format!(
                "\n[[link]]\nfrom = {from}\nto = {to}\nboth_ways = true\nseconds = 2.0\n"
            ));
        }
    }
    None
}

/// All floors and ramps, the second coordinate up.
fn triangles(storeys: &[Canvas], ramps: &[Ramp]) -> String {
    let mut text = String::new();
    let mut corners = 0;
    let mut quad = |[x, y]: [usize; 2], [width, height]: [usize; 2], low: f64, high: f64| {
        let (west, north) = (x as f64 * CELL, y as f64 * CELL);
        let (east, south) = (west + width as f64 * CELL, north + height as f64 * CELL);
        for [x, up, y] in [
            [west, low, north],
            [west, low, south],
            [east, high, south],
            [east, high, north],
        ] {
            let _ = writeln!(text, "v {x} {up} {y}");
        }
        let first = corners + 1;
        let _ = writeln!(text, "f {first} {} {} {}", first + 1, first + 2, first + 3);
        corners += 4;
    };
    for (number, storey) in storeys.iter().enumerate() {
        let up = number as f64 * STOREY;
        for y in 0..storey.height {
            let mut x = 0;
            while x < storey.width {
                let free = (x..storey.width).take_while(|x| storey.is_free(*x, y));
                let run = free.count();
                if run > 0 {
                    quad([x, y], [run, 1], up, up);
                }
                x += run + 1;
            }
        }
    }
    for Ramp { foot, storey } in ramps {
        let low = *storey as f64 * STOREY;
        quad([foot[0] + 1, foot[1]], [RAMP, 1], low, low + STOREY);
    }
    text
}
