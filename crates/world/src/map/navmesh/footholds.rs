//! The places of a navmesh: points of a square lattice that lie on it, and the steps between them.

use super::{Crossed, MeshError, NEARLY, NavMesh};
use crate::{Direction, Point, Spot, Step};

/// The footholds of a mesh, numbered row by row from the north, from west to east, from below to
/// above.
#[derive(Clone, Debug, Default)]
pub(crate) struct Footholds {
    spacing: f64,
    all: Vec<Foothold>,
    /// The first row of the lattice, and where each row begins; one more at the end.
    first_row: i32,
    rows: Vec<u32>,
    /// Where a step in each direction leads.
    steps: Vec<[u32; 8]>,
    /// Steps that are longer or take longer than others, by where they begin.
    falls: Vec<Special>,
    leaps: Vec<Special>,
    /// The same, by where they end.
    arrivals: Vec<Special>,
    /// What begins or ends at each foothold: a set of the constants below.
    flags: Vec<u8>,
    /// How many times as long as it looks from above the steepest step is that is no fall.
    steepest: f64,
}

/// A point of the lattice on a polygon.
#[derive(Clone, Copy, Debug)]
struct Foothold {
    column: i32,
    row: i32,
    polygon: u32,
    height: f32,
}

/// A step that is not as long as others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Special {
    from: u32,
    /// The direction of a fall, the number of a leap.
    number: u8,
    to: u32,
    length: f64,
    delay: f64,
}

const FALLS: u8 = 1;
const LEAPS: u8 = 2;
const ARRIVALS: u8 = 4;
/// No foothold.
const NOWHERE: u32 = u32::MAX;
/// Two polygons at one point of the lattice are one place if they are no farther apart than this.
const SAME_LAYER: f64 = 0.1;
/// How far one step may lead up or down without being a fall.
const STAIR: f64 = 0.6;
/// Metres a second, every second.
const GRAVITY: f64 = 9.81;
/// How far beyond the edge of the mesh somebody who falls may land: the mesh ends a little before
/// a ledge, and begins a little beyond the foot of its wall.
const WIDEST_GAP: f64 = 1.5;

impl Footholds {
    /// Covers a mesh.
    pub(crate) fn cover(
        mesh: &NavMesh,
        spacing: f64,
        highest_fall: f64,
    ) -> Result<Footholds, MeshError> {
        let mut all = footholds_of(mesh, spacing)?;
        all.sort_unstable_by(|a, b| {
            let height = a.height.total_cmp(&b.height);
            (a.row, a.column)
                .cmp(&(b.row, b.column))
                .then(height)
                .then(a.polygon.cmp(&b.polygon))
        });
        all.dedup_by(|next, kept| {
            let is_near = f64::from(next.height - kept.height) <= SAME_LAYER;
            (next.row, next.column) == (kept.row, kept.column) && is_near
        });
        let (Some(first), Some(last)) = (all.first(), all.last()) else {
            return Err(MeshError::NoFootholds);
        };
        let first_row = first.row;
        let count = (last.row - first_row) as usize + 1;
        let mut rows = vec![0u32; count + 1];
        for foothold in &all {
            rows[(foothold.row - first_row) as usize + 1] += 1;
        }
        for row in 0..count {
            rows[row + 1] += rows[row];
        }
        let mut footholds = Footholds {
            spacing,
            first_row,
            rows,
            steps: vec![[NOWHERE; 8]; all.len()],
            flags: vec![0; all.len()],
            all,
            ..Footholds::default()
        };
        footholds.join(mesh);
        footholds.keep_what_leads_back();
        if highest_fall > 0.0 {
            footholds.fall_off_edges(highest_fall);
        }
        footholds.link(mesh)?;
        footholds.sort_specials();
        footholds.steepest = footholds.steepest();
        Ok(footholds)
    }

    /// Finds the steps that lead straight over the mesh, and the falls over ledges.
    fn join(&mut self, mesh: &NavMesh) {
        for place in 0..self.all.len() {
            let Foothold { column, row, .. } = self.all[place];
            for direction in Direction::ALL {
                let (x, y) = direction.offset();
                let to = self.lattice_point(column + i32::from(x), row + i32::from(y));
                let from = self.point_of(place);
                let traced = mesh.trace(self.all[place].polygon, from, to);
                if !traced.is_whole() {
                    continue;
                }
                let height = mesh.height_on(traced.polygon, to);
                let there = self.at(column + i32::from(x), row + i32::from(y), height);
                let Some(there) = there else { continue };
                let mut delay = 0.0f64;
                let mut is_up = false;
                for ledge in &mesh.ledges {
                    match ledge.meets(from, to) {
                        Crossed::Not => {}
                        Crossed::Down => delay += fall_time(ledge.height),
                        Crossed::Up => is_up = true,
                    }
                }
                if is_up {
                    continue;
                }
                self.steps[place][direction as usize] = there as u32;
                if delay > 0.0 {
                    let length = direction.length() * self.spacing;
                    self.falls.push(Special {
                        from: place as u32,
                        number: direction as u8,
                        to: there as u32,
                        length,
                        delay,
                    });
                }
            }
        }
    }

    /// Lines along a wall may be free in one direction only, by a rounding error: then they are in
    /// none. What is no fall leads back.
    fn keep_what_leads_back(&mut self) {
        let is_fall = |falls: &[Special], from: usize, direction: Direction| {
            falls
                .binary_search_by_key(&(from as u32, direction as u8), |fall| {
                    (fall.from, fall.number)
                })
                .is_ok()
        };
        for place in 0..self.steps.len() {
            for direction in Direction::ALL {
                let to = self.steps[place][direction as usize];
                let back = direction.opposite();
                if to != NOWHERE
                    && self.steps[to as usize][back as usize] != place as u32
                    && !is_fall(&self.falls, place, direction)
                {
                    self.steps[place][direction as usize] = NOWHERE;
                }
            }
        }
    }

    /// Where the mesh ends above another part of itself, one may step off and fall.
    fn fall_off_edges(&mut self, highest: f64) {
        let farthest = (WIDEST_GAP / self.spacing) as i32 + 1;
        for place in 0..self.all.len() {
            let Foothold {
                column,
                row,
                height,
                ..
            } = self.all[place];
            for direction in Direction::ALL {
                if self.steps[place][direction as usize] != NOWHERE {
                    continue;
                }
                let (x, y) = direction.offset();
                let landing = (1..=farthest).find_map(|far| {
                    let (column, row) = (column + far * i32::from(x), row + far * i32::from(y));
                    let below = f64::from(height) - STAIR;
                    let lowest = f64::from(height) - highest;
                    let there = self.highest_between(column, row, lowest, below)?;
                    Some((far, there))
                });
                let Some((far, there)) = landing else {
                    continue;
                };
                self.steps[place][direction as usize] = there as u32;
                let deep = f64::from(height) - self.height_of(there);
                self.falls.push(Special {
                    from: place as u32,
                    number: direction as u8,
                    to: there as u32,
                    length: direction.length() * self.spacing * f64::from(far),
                    delay: fall_time(deep),
                });
            }
        }
        self.falls
            .sort_unstable_by_key(|fall| (fall.from, fall.number));
    }

    fn link(&mut self, mesh: &NavMesh) -> Result<(), MeshError> {
        for (number, link) in mesh.links.iter().enumerate() {
            let off = MeshError::LinkOff { link: number };
            let from = self.near(link.from).ok_or_else(|| off.clone())?;
            let to = self.near(link.to).ok_or(off)?;
            let high = self.height_of(to) - self.height_of(from);
            let flat = self.point_of(from).distance_to(self.point_of(to));
            let length = (flat * flat + high * high).sqrt();
            let ways = [(from, to, true), (to, from, link.both_ways)];
            for (from, to, _) in ways.into_iter().filter(|(.., is_open)| *is_open) {
                let here = self.leaps.iter().filter(|leap| leap.from == from as u32);
                let rank = here.count();
                if rank == NavMesh::MOST_LEAPS {
                    return Err(MeshError::CrowdedLink { link: number });
                }
                self.leaps.push(Special {
                    from: from as u32,
                    number: rank as u8,
                    to: to as u32,
                    length,
                    delay: link.delay,
                });
            }
        }
        self.leaps
            .sort_unstable_by_key(|leap| (leap.from, leap.number));
        Ok(())
    }

    fn sort_specials(&mut self) {
        self.arrivals = self.falls.iter().chain(&self.leaps).copied().collect();
        self.arrivals
            .sort_unstable_by_key(|special| (special.to, special.from, special.number));
        for fall in &self.falls {
            self.flags[fall.from as usize] |= FALLS;
        }
        for leap in &self.leaps {
            self.flags[leap.from as usize] |= LEAPS;
        }
        for arrival in &self.arrivals {
            self.flags[arrival.to as usize] |= ARRIVALS;
        }
    }

    fn steepest(&self) -> f64 {
        let mut steepest = 1.0f64;
        for place in 0..self.all.len() {
            let steps = Direction::ALL.into_iter();
            let steps = steps.filter_map(|direction| self.measured(place, direction));
            for step in steps.filter(|step| step.delay == 0.0) {
                let rise = (self.height_of(step.place) - self.height_of(place)) / step.length;
                steepest = steepest.max((1.0 + rise * rise).sqrt());
            }
        }
        steepest
    }

    /// See [`Map::speed_through_space`](crate::Map::speed_through_space).
    pub(crate) fn speed_through_space(&self, speed: f64) -> f64 {
        let mut fastest = speed * self.steepest;
        for special in &self.arrivals {
            let [from, to] = [special.from, special.to].map(|place| place as usize);
            let flat = self.point_of(from).distance_to(self.point_of(to));
            let high = self.height_of(to) - self.height_of(from);
            let seconds = special.length / speed + special.delay;
            fastest = fastest.max((flat * flat + high * high).sqrt() / seconds);
        }
        // Lengths are rounded, and nobody may be faster than this.
        const ROUNDING: f64 = 1e-9;
        if fastest > speed {
            fastest * (1.0 + ROUNDING)
        } else {
            speed
        }
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.all.len()
    }

    #[inline]
    pub(crate) const fn spacing(&self) -> f64 {
        self.spacing
    }

    #[inline]
    pub(crate) fn point_of(&self, place: usize) -> Point {
        let foothold = &self.all[place];
        self.lattice_point(foothold.column, foothold.row)
    }

    #[inline]
    pub(crate) fn height_of(&self, place: usize) -> f64 {
        f64::from(self.all[place].height)
    }

    #[inline]
    pub(crate) fn polygon_of(&self, place: usize) -> u32 {
        self.all[place].polygon
    }

    #[inline]
    fn lattice_point(&self, column: i32, row: i32) -> Point {
        Point::new(
            f64::from(column) * self.spacing,
            f64::from(row) * self.spacing,
        )
    }

    /// Where a step in this direction leads.
    #[inline]
    pub(crate) fn step(&self, place: usize, direction: Direction) -> Option<usize> {
        let to = self.steps[place][direction as usize];
        (to != NOWHERE).then_some(to as usize)
    }

    /// The same step, with its length and delay.
    #[inline]
    pub(crate) fn measured(&self, place: usize, direction: Direction) -> Option<Step> {
        let to = self.step(place, direction)?;
        if self.flags[place] & FALLS != 0
            && let Some(fall) = find(&self.falls, place, direction as u8)
        {
            return Some(fall.ahead());
        }
        Some(Step {
            place: to,
            length: direction.length() * self.spacing,
            delay: 0.0,
        })
    }

    /// A link that begins here.
    #[inline]
    pub(crate) fn leap(&self, place: usize, number: u8) -> Option<Step> {
        if self.flags[place] & LEAPS == 0 {
            return None;
        }
        find(&self.leaps, place, number).map(Special::ahead)
    }

    /// The steps on which one neither falls nor leaps, and which lead back: their directions, and
    /// the places they lead to.
    #[inline]
    pub(crate) fn level_steps(
        &self,
        place: usize,
    ) -> impl Iterator<Item = (Direction, usize)> + '_ {
        let falls = self.flags[place] & FALLS != 0;
        let steps = Direction::ALL.into_iter().zip(&self.steps[place]);
        steps.filter_map(move |(direction, to)| {
            let is_fall = || falls && find(&self.falls, place, direction as u8).is_some();
            (*to != NOWHERE && !is_fall()).then_some((direction, *to as usize))
        })
    }

    /// The steps that lead to a place and not back: falls and leaps.
    pub(crate) fn arrivals(&self, place: usize) -> impl Iterator<Item = Step> + '_ {
        let first = if self.flags[place] & ARRIVALS == 0 {
            self.arrivals.len()
        } else {
            self.arrivals
                .partition_point(|arrival| (arrival.to as usize) < place)
        };
        let here = self.arrivals[first..].iter();
        here.take_while(move |arrival| arrival.to as usize == place)
            .map(|arrival| Step {
                place: arrival.from as usize,
                length: arrival.length,
                delay: arrival.delay,
            })
    }

    /// The foothold of a point of the lattice that is about this high.
    fn at(&self, column: i32, row: i32, height: f64) -> Option<usize> {
        let near = self.stack(column, row);
        let apart = |place: &usize| (self.height_of(*place) - height).abs();
        near.filter(|place| apart(place) <= STAIR)
            .min_by(|a, b| apart(a).total_cmp(&apart(b)))
    }

    /// The highest foothold of a point of the lattice between two heights.
    fn highest_between(&self, column: i32, row: i32, lowest: f64, highest: f64) -> Option<usize> {
        let within = |place: &usize| (lowest..=highest).contains(&self.height_of(*place));
        self.stack(column, row).rev().find(within)
    }

    /// The footholds of a point of the lattice, from below.
    fn stack(&self, column: i32, row: i32) -> std::ops::Range<usize> {
        let Some(range) = self.row(row) else {
            return 0..0;
        };
        let begin = range.start;
        let in_row = &self.all[range];
        let first = in_row.partition_point(|foothold| foothold.column < column);
        let count = in_row[first..]
            .iter()
            .take_while(|foothold| foothold.column == column)
            .count();
        begin + first..begin + first + count
    }

    fn row(&self, row: i32) -> Option<std::ops::Range<usize>> {
        let row = usize::try_from(row.checked_sub(self.first_row)?).ok()?;
        let (begin, end) = (*self.rows.get(row)?, *self.rows.get(row + 1)?);
        Some(begin as usize..end as usize)
    }

    /// The footholds at most `radius` from a point, in the order of their numbers.
    pub(crate) fn for_each_within(
        &self,
        at: Point,
        radius: f64,
        mut visit: impl FnMut(usize, f64),
    ) {
        // Rows and columns that don't exist need not be looked at.
        let reach = radius.min(2.0 * NavMesh::LONGEST_SIDE) + NEARLY;
        let lattice = |value: f64| (value / self.spacing).clamp(-1e9, 1e9);
        let last_row = self.first_row + self.rows.len() as i32 - 2;
        let rows = (lattice(at.y - reach).ceil() as i32).max(self.first_row)
            ..=(lattice(at.y + reach).floor() as i32).min(last_row);
        let from = lattice(at.x - reach).ceil() as i32;
        let to = lattice(at.x + reach).floor() as i32;
        for row in rows {
            let Some(range) = self.row(row) else { continue };
            let begin = range.start;
            let in_row = &self.all[range];
            let first = in_row.partition_point(|foothold| foothold.column < from);
            let wanted = in_row[first..].iter().enumerate();
            for (place, _) in wanted.take_while(|(_, foothold)| foothold.column <= to) {
                let place = begin + first + place;
                let distance = self.point_of(place).distance_to(at);
                if distance <= radius {
                    visit(place, distance);
                }
            }
        }
    }

    /// The foothold nearest to a point, no farther than a lattice point can be from any point of
    /// the mesh around it; nearest in height too if that is given.
    pub(crate) fn near(&self, spot: impl Into<Spot>) -> Option<usize> {
        let spot = spot.into();
        let mut best: Option<(f64, usize)> = None;
        self.for_each_within(spot.point(), 2.0 * self.spacing, |place, distance| {
            let high = spot
                .height
                .map_or(0.0, |height| self.height_of(place) - height);
            let far = distance * distance + high * high;
            if best.is_none_or(|(least, _)| far < least) {
                best = Some((far, place));
            }
        });
        best.map(|(_, place)| place)
    }

    pub(crate) fn for_each_leap_number(&self, mut visit: impl FnMut(f64)) {
        for special in &self.arrivals {
            visit(f64::from(special.number));
            for place in [special.from, special.to] {
                let at = self.point_of(place as usize);
                visit(at.x);
                visit(at.y);
                visit(self.height_of(place as usize));
            }
            visit(special.length);
            visit(special.delay);
        }
    }
}

impl Special {
    fn ahead(&self) -> Step {
        Step {
            place: self.to as usize,
            length: self.length,
            delay: self.delay,
        }
    }
}

fn find(specials: &[Special], from: usize, number: u8) -> Option<&Special> {
    let key = (from as u32, number);
    let found = specials.binary_search_by_key(&key, |special| (special.from, special.number));
    found.ok().map(|place| &specials[place])
}

/// How long it takes to fall so deep.
fn fall_time(height: f64) -> f64 {
    (2.0 * height / GRAVITY).sqrt()
}

/// Every point of the lattice on every polygon, in no order.
fn footholds_of(mesh: &NavMesh, spacing: f64) -> Result<Vec<Foothold>, MeshError> {
    let mut all = Vec::new();
    let mut looked_at = 0.0;
    for polygon in 0..mesh.polygons() as u32 {
        let (mut least, mut most) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        for corner in mesh.polygon(polygon as usize) {
            for axis in 0..2 {
                least[axis] = least[axis].min(corner[axis]);
                most[axis] = most[axis].max(corner[axis]);
            }
        }
        let first = least.map(|value| ((value - NEARLY) / spacing).ceil());
        let last = most.map(|value| ((value + NEARLY) / spacing).floor());
        // Long thin polygons have few footholds and many points around them.
        looked_at += (last[0] - first[0] + 1.0).max(0.0) * (last[1] - first[1] + 1.0).max(0.0);
        if looked_at > 8.0 * NavMesh::MOST_FOOTHOLDS as f64 {
            return Err(MeshError::TooLarge {
                footholds: looked_at,
            });
        }
        for row in first[1] as i32..=last[1] as i32 {
            for column in first[0] as i32..=last[0] as i32 {
                let at = Point::new(f64::from(column) * spacing, f64::from(row) * spacing);
                if let Some(height) = mesh.height_at(polygon, at) {
                    all.push(Foothold {
                        column,
                        row,
                        polygon,
                        height: height as f32,
                    });
                }
            }
        }
        if all.len() > NavMesh::MOST_FOOTHOLDS {
            let footholds = all.len() as f64;
            return Err(MeshError::TooLarge { footholds });
        }
    }
    Ok(all)
}
