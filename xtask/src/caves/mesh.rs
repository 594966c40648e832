//! The floor of a cave as convex polygons, in the format of Polyanya.

use std::collections::BTreeMap;
use std::fmt;

use super::Cave;

/// Convex polygons that share their corners. Coordinates are centimetres.
pub(crate) struct Mesh {
    vertices: Vec<[i64; 2]>,
    polygons: Vec<Vec<usize>>,
}

/// Squares in a row that are all floor become one polygon, up to this many.
const LONGEST_RUN: usize = 5;
/// Walls keep this part of a step away from the points of the raster: slivers help nobody.
const CLEAR: f64 = 0.12;

impl Mesh {
    /// Measures the cave on a square raster and cuts each square where the wall runs.
    pub(crate) fn of(cave: &Cave) -> Mesh {
        let [first, last] = cave.bounds();
        let side = |axis: usize| {
            let first = (first[axis] / cave.step).floor() as i64;
            let last = (last[axis] / cave.step).ceil() as i64;
            first..last
        };
        let (columns, rows) = (side(0), side(1));
        let mut carving = Carving {
            cave,
            numbers: BTreeMap::new(),
            mesh: Mesh {
                vertices: Vec::new(),
                polygons: Vec::new(),
            },
        };
        for row in rows {
            let mut run = 0;
            for column in columns.clone() {
                let corners = carving.corners(column, row);
                let is_floor = corners.iter().all(|(_, depth)| *depth > 0.0);
                if run > 0 && (!is_floor || run == LONGEST_RUN) {
                    carving.add_run(column - run as i64, row, run);
                    run = 0;
                }
                if is_floor {
                    run += 1;
                } else {
                    carving.add_cut(&corners);
                }
            }
            if run > 0 {
                carving.add_run(columns.end - run as i64, row, run);
            }
        }
        carving.mesh.largest_part()
    }

    /// Only what hangs together with the largest part: bubbles in the rock are no use.
    fn largest_part(self) -> Mesh {
        let mut parts: Vec<usize> = (0..self.polygons.len()).collect();
        let mut edges: BTreeMap<(usize, usize), usize> = BTreeMap::new();
        for (polygon, corners) in self.polygons.iter().enumerate() {
            for place in 0..corners.len() {
                let (a, b) = (corners[place], corners[(place + 1) % corners.len()]);
                if let Some(other) = edges.insert((a.min(b), a.max(b)), polygon) {
                    let (from, to) = (root(&parts, polygon), root(&parts, other));
                    parts[from.max(to)] = from.min(to);
                }
            }
        }
        let mut sizes: BTreeMap<usize, usize> = BTreeMap::new();
        for polygon in 0..parts.len() {
            *sizes.entry(root(&parts, polygon)).or_default() += 1;
        }
        let largest = sizes.into_iter().max_by_key(|(_, size)| *size);
        let largest = largest.map(|(part, _)| part);
        let mut numbers = BTreeMap::new();
        let mut mesh = Mesh {
            vertices: Vec::new(),
            polygons: Vec::new(),
        };
        for (polygon, corners) in self.polygons.iter().enumerate() {
            if Some(root(&parts, polygon)) != largest {
                continue;
            }
            let corners = corners.iter().map(|corner| {
                *numbers.entry(*corner).or_insert_with(|| {
                    mesh.vertices.push(self.vertices[*corner]);
                    mesh.vertices.len() - 1
                })
            });
            let corners = corners.collect();
            mesh.polygons.push(corners);
        }
        mesh
    }
}

fn root(parts: &[usize], mut part: usize) -> usize {
    while parts[part] != part {
        part = parts[part];
    }
    part
}

struct Carving<'c> {
    cave: &'c Cave,
    numbers: BTreeMap<[i64; 2], usize>,
    mesh: Mesh,
}

impl Carving<'_> {
    /// The corners of a square, clockwise from the north-west, and how deep in the cave they are.
    fn corners(&self, column: i64, row: i64) -> [([f64; 2], f64); 4] {
        [[0, 0], [1, 0], [1, 1], [0, 1]].map(|[dx, dy]| {
            let (x, y) = (
                (column + dx) as f64 * self.cave.step,
                (row + dy) as f64 * self.cave.step,
            );
            ([x, y], self.cave.depth(x, y))
        })
    }

    fn vertex(&mut self, [x, y]: [f64; 2]) -> usize {
        let place = [(x * 100.0).round() as i64, (y * 100.0).round() as i64];
        *self.numbers.entry(place).or_insert_with(|| {
            self.mesh.vertices.push(place);
            self.mesh.vertices.len() - 1
        })
    }

    /// Squares side by side as one polygon. It keeps the corners of all of them, so that its
    /// neighbours share whole edges with it.
    fn add_run(&mut self, column: i64, row: i64, length: usize) {
        let step = self.cave.step;
        let last = column + length as i64;
        let upper = (column..=last).map(|column| (column, row));
        let lower = (column..=last).rev().map(|column| (column, row + 1));
        let corners: Vec<(i64, i64)> = upper.chain(lower).collect();
        let polygon = corners
            .into_iter()
            .map(|(column, row)| self.vertex([column as f64 * step, row as f64 * step]))
            .collect();
        self.mesh.polygons.push(polygon);
    }

    /// The floor of a square the wall runs through.
    fn add_cut(&mut self, corners: &[([f64; 2], f64); 4]) {
        let is_floor = corners.map(|(_, depth)| depth > 0.0);
        // Two opposite corners are two pieces of floor.
        let is_saddle = is_floor[0] == is_floor[2] && is_floor[1] == is_floor[3];
        let mut pieces: Vec<Vec<usize>> = Vec::new();
        let mut piece: Vec<usize> = Vec::new();
        for place in 0..4 {
            let (here, next) = (corners[place], corners[(place + 1) % 4]);
            if is_floor[place] {
                if is_saddle {
                    let before = corners[(place + 3) % 4];
                    let entered = self.vertex(wall_between(before, here));
                    piece.push(entered);
                }
                let corner = self.vertex(here.0);
                piece.push(corner);
            }
            if is_floor[place] != is_floor[(place + 1) % 4] && (!is_saddle || is_floor[place]) {
                let crossed = self.vertex(wall_between(here, next));
                piece.push(crossed);
            }
            if is_saddle && !piece.is_empty() {
                pieces.push(std::mem::take(&mut piece));
            }
        }
        pieces.push(piece);
        let whole = pieces.into_iter().filter(|piece| piece.len() >= 3);
        self.mesh.polygons.extend(whole);
    }
}

/// Where the wall runs between a point in the cave and one in the rock. From both sides it is the
/// same point.
fn wall_between(a: ([f64; 2], f64), b: ([f64; 2], f64)) -> [f64; 2] {
    let (a, b) = if (a.0[0], a.0[1]) <= (b.0[0], b.0[1]) {
        (a, b)
    } else {
        (b, a)
    };
    let part = (a.1 / (a.1 - b.1)).clamp(CLEAR, 1.0 - CLEAR);
    [0, 1].map(|axis| a.0[axis] + (b.0[axis] - a.0[axis]) * part)
}

impl fmt::Display for Mesh {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut edges: BTreeMap<(usize, usize), Vec<usize>> = BTreeMap::new();
        let mut around = vec![Vec::new(); self.vertices.len()];
        for (polygon, corners) in self.polygons.iter().enumerate() {
            for place in 0..corners.len() {
                let (a, b) = (corners[place], corners[(place + 1) % corners.len()]);
                edges.entry((a.min(b), a.max(b))).or_default().push(polygon);
                around[a].push(polygon);
            }
        }
        writeln!(
            f,
            "mesh\n2\n{} {}",
            self.vertices.len(),
            self.polygons.len()
        )?;
        for ([x, y], polygons) in self.vertices.iter().zip(&around) {
            let (x, y) = (*x as f64 / 100.0, *y as f64 / 100.0);
            write!(f, "{x} {y} {}", polygons.len())?;
            polygons
                .iter()
                .try_for_each(|polygon| write!(f, " {polygon}"))?;
            writeln!(f)?;
        }
        for (polygon, corners) in self.polygons.iter().enumerate() {
            write!(f, "{}", corners.len())?;
            corners
                .iter()
                .try_for_each(|corner| write!(f, " {corner}"))?;
            for place in 0..corners.len() {
                // The neighbour across the edge that ends at this corner.
                let before = corners[(place + corners.len() - 1) % corners.len()];
                let edge = (before.min(corners[place]), before.max(corners[place]));
                let other = edges[&edge].iter().find(|other| **other != polygon);
                match other {
                    Some(other) => write!(f, " {other}")?,
                    None => f.write_str(" -1")?,
                }
            }
            writeln!(f)?;
        }
        Ok(())
    }
}
