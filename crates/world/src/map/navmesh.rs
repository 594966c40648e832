//! A mesh of convex polygons one can walk on, at any angle and on several layers.
//!
//! Planning needs a countable number of places, so the mesh is covered by footholds: the points of
//! a square lattice that lie on it. Everything that moves freely is traced over the polygons
//! themselves.

mod footholds;

use std::fmt;

use crate::map::is_same_floor;
use crate::{Point, Spot};
pub(crate) use footholds::Footholds;

/// What a navmesh is made of. Only [`build`](NavMeshParts::build) tells whether it makes sense.
///
/// ```
/// use apprentice_world::{Map, NavMeshParts, Point};
///
/// let mesh = NavMeshParts {
///     vertices: vec![[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [2.0, 1.0, 0.0], [0.0, 1.0, 0.0]],
///     polygons: vec![vec![0, 1, 2, 3]],
///     ..NavMeshParts::default()
/// }
/// .build()?;
/// let map = Map::Mesh(mesh);
/// assert_eq!(map.places(), 15); // five by three footholds, half a metre apart
/// assert_eq!(map.place_at(Point::new(2.1, 1.1)), Some(14));
/// # Ok::<(), apprentice_world::MeshError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct NavMeshParts {
    /// East, south, up; metres.
    pub vertices: Vec<[f64; 3]>,
    /// Convex, with their corners in either order. Polygons that share an edge are neighbours.
    pub polygons: Vec<Vec<u32>>,
    /// Metres between footholds.
    pub spacing: f64,
    /// Lines across the mesh over which one can fall but not climb.
    pub ledges: Vec<Ledge>,
    /// Ways beside the mesh.
    pub links: Vec<Link>,
    /// Where the mesh ends above another part of itself, one may fall at most this far.
    pub highest_fall: f64,
}

/// A line across the mesh over which one can fall but not climb.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ledge {
    /// One end.
    pub from: Point,
    /// The other. Whoever looks there from the first end has the upper side on the left.
    pub to: Point,
    /// How deep one falls, in metres.
    pub height: f64,
}

/// A way beside the mesh: a ladder, a jump, a crawlway.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Link {
    /// Where it begins, and how high if there are several layers.
    pub from: Spot,
    /// Where it ends.
    pub to: Spot,
    /// Whether it also leads back.
    pub both_ways: bool,
    /// Seconds it takes beyond what its length takes.
    pub delay: f64,
}

impl Default for NavMeshParts {
    fn default() -> NavMeshParts {
        NavMeshParts {
            vertices: Vec::new(),
            polygons: Vec::new(),
            spacing: NavMesh::USUAL_SPACING,
            ledges: Vec::new(),
            links: Vec::new(),
            highest_fall: 0.0,
        }
    }
}

/// Why parts make no navmesh. Everything is counted from 0.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum MeshError {
    /// There is no polygon.
    Empty,
    /// A polygon has fewer than three corners.
    TooFewCorners {
        /// Which polygon.
        polygon: usize,
    },
    /// A corner is a vertex that does not exist.
    NoSuchVertex {
        /// Which polygon.
        polygon: usize,
        /// The number it gives.
        vertex: u64,
    },
    /// A polygon is dented, crosses itself or has no area.
    NotConvex {
        /// Which polygon.
        polygon: usize,
    },
    /// An edge has more than two polygons.
    CrowdedEdge {
        /// The polygon that is one too many.
        polygon: usize,
    },
    /// A coordinate is no number, or too far from the others.
    TooFar {
        /// Which vertex.
        vertex: usize,
    },
    /// More polygons or footholds than can be kept.
    TooLarge {
        /// How many, roughly.
        footholds: f64,
    },
    /// There is no foothold at all.
    NoFootholds,
    /// One end of a link is not on the mesh.
    LinkOff {
        /// Which link.
        link: usize,
    },
    /// More links than fit begin at one foothold.
    CrowdedLink {
        /// The link that is one too many.
        link: usize,
    },
}

impl fmt::Display for MeshError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MeshError::Empty => f.write_str("the mesh has no polygons; it needs at least one"),
            MeshError::TooFewCorners { polygon } => {
                write!(f, "polygon {polygon} has fewer than three corners")
            }
            MeshError::NoSuchVertex { polygon, vertex } => write!(
                f,
                "polygon {polygon} has vertex {vertex}, which does not exist; vertices count from 0"
            ),
            MeshError::NotConvex { polygon } => write!(
                f,
                "polygon {polygon} is dented, crosses itself or has no area; split it into convex ones"
            ),
            MeshError::CrowdedEdge { polygon } => write!(
                f,
                "an edge of polygon {polygon} already has two polygons; layers must not share vertices"
            ),
            MeshError::TooFar { vertex } => write!(
                f,
                "vertex {vertex} is no point of a level; coordinates are finite and at most {} m apart",
                NavMesh::LONGEST_SIDE
            ),
            MeshError::TooLarge { footholds } => write!(
                f,
                "the mesh would have some {footholds:.0} footholds; at most {} fit: widen `spacing`",
                NavMesh::MOST_FOOTHOLDS
            ),
            MeshError::NoFootholds => {
                f.write_str("no foothold lies on the mesh; make `spacing` smaller")
            }
            MeshError::LinkOff { link } => write!(
                f,
                "link {link} begins or ends off the mesh; move both ends onto it"
            ),
            MeshError::CrowdedLink { link } => write!(
                f,
                "link {link} begins where {} others do; move it half a metre",
                NavMesh::MOST_LEAPS
            ),
        }
    }
}

impl std::error::Error for MeshError {}

/// Convex polygons one can walk on, covered by footholds. Made by [`NavMeshParts::build`].
#[derive(Clone, Debug)]
pub struct NavMesh {
    vertices: Vec<[f64; 3]>,
    /// The corners of all polygons, one polygon after the other, each with its inside on the right.
    corners: Vec<u32>,
    /// What lies beyond the edge that begins at each corner: a polygon, or nothing.
    beyond: Vec<u32>,
    /// Where each polygon's corners begin; one more at the end.
    begins: Vec<u32>,
    ledges: Vec<Ledge>,
    links: Vec<Link>,
    bounds: (Point, Point),
    /// How high all of it is, if it is flat.
    flat_at: Option<f64>,
    pub(crate) footholds: Footholds,
}

/// No polygon.
const NOTHING: u32 = u32::MAX;
/// Metres within which two points are one.
const NEARLY: f64 = 1e-7;

/// Where a straight line over the mesh ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Traced {
    /// The polygon it ends in.
    pub(crate) polygon: u32,
    /// Which part of the line is on the mesh: 1 if all of it.
    pub(crate) part: f64,
}

impl Traced {
    /// Whether all of the line is on the mesh.
    #[inline]
    pub(crate) fn is_whole(&self) -> bool {
        self.part >= 1.0
    }
}

/// Where a straight line leaves a polygon.
#[derive(Clone, Copy)]
struct Exit {
    /// At which part of the line.
    part: f64,
    through: Through,
}

#[derive(Clone, Copy)]
enum Through {
    Edge(usize),
    Vertex(u32),
}

/// Which of the two edges a polygon has at a vertex.
#[derive(Clone, Copy)]
enum Turn {
    /// The one that leads away from it.
    Leaving,
    /// The one that leads to it.
    Arriving,
}

impl NavMeshParts {
    /// Puts the parts together.
    pub fn build(self) -> Result<NavMesh, MeshError> {
        NavMesh::check_vertices(&self.vertices)?;
        if self.polygons.is_empty() {
            return Err(MeshError::Empty);
        }
        let mut mesh = NavMesh {
            vertices: self.vertices,
            corners: Vec::new(),
            beyond: Vec::new(),
            begins: vec![0],
            ledges: self.ledges,
            links: self.links,
            bounds: (Point::new(0.0, 0.0), Point::new(0.0, 0.0)),
            flat_at: None,
            footholds: Footholds::default(),
        };
        for (polygon, corners) in self.polygons.iter().enumerate() {
            mesh.add_polygon(polygon, corners)?;
        }
        mesh.join_polygons()?;
        mesh.bounds = mesh.measure();
        let height = mesh.vertices[0][2];
        let is_flat = mesh.vertices.iter().all(|vertex| vertex[2] == height);
        mesh.flat_at = is_flat.then_some(height);
        mesh.footholds = Footholds::cover(&mesh, self.spacing, self.highest_fall)?;
        Ok(mesh)
    }
}

impl NavMesh {
    /// Metres between footholds, unless something else is asked for.
    pub const USUAL_SPACING: f64 = 0.5;
    /// A million footholds cover a quarter of a square kilometre at half a metre.
    pub const MOST_FOOTHOLDS: usize = 1 << 20;
    /// The longest side of a mesh, in metres.
    pub const LONGEST_SIDE: f64 = 4096.0;
    /// How many links may begin at one foothold.
    pub const MOST_LEAPS: usize = 4;

    fn check_vertices(vertices: &[[f64; 3]]) -> Result<(), MeshError> {
        let Some(first) = vertices.first() else {
            return Err(MeshError::Empty);
        };
        let (mut least, mut most) = (*first, *first);
        for (vertex, place) in vertices.iter().enumerate() {
            for axis in 0..3 {
                least[axis] = least[axis].min(place[axis]);
                most[axis] = most[axis].max(place[axis]);
                let is_near = most[axis] - least[axis] <= NavMesh::LONGEST_SIDE;
                // Positions farther from the origin could not be kept to two millimetres.
                if !is_near || !place[axis].is_finite() || place[axis].abs() > 16_384.0 {
                    return Err(MeshError::TooFar { vertex });
                }
            }
        }
        Ok(())
    }

    fn add_polygon(&mut self, polygon: usize, corners: &[u32]) -> Result<(), MeshError> {
        if corners.len() < 3 {
            return Err(MeshError::TooFewCorners { polygon });
        }
        let missing = |vertex: &&u32| **vertex as usize >= self.vertices.len();
        if let Some(vertex) = corners.iter().find(missing) {
            let vertex = u64::from(*vertex);
            return Err(MeshError::NoSuchVertex { polygon, vertex });
        }
        let at = |place: usize| self.flat(corners[place % corners.len()]);
        let turn = |place: usize| cross(at(place), at(place + 1), at(place + 2));
        let count = corners.len();
        let area: f64 = (1..count - 1)
            .map(|place| cross(at(0), at(place), at(place + 1)))
            .sum();
        let is_convex = (0..count).all(|place| turn(place) * area.signum() >= -NEARLY)
            // A star with many points turns the same way at each of them, but more than once.
            && (1..count - 1)
                .all(|place| cross(at(0), at(place), at(place + 1)) * area.signum() >= -NEARLY);
        if !is_convex || area.abs() < NEARLY {
            return Err(MeshError::NotConvex { polygon });
        }
        if area > 0.0 {
            self.corners.extend(corners);
        } else {
            self.corners.extend(corners.iter().rev());
        }
        self.begins.push(self.corners.len() as u32);
        Ok(())
    }

    /// Finds out which polygons share an edge.
    fn join_polygons(&mut self) -> Result<(), MeshError> {
        self.beyond = vec![NOTHING; self.corners.len()];
        let mut edges: Vec<(u32, u32, u32, u32)> = Vec::with_capacity(self.corners.len());
        for polygon in 0..self.polygons() as u32 {
            for (edge, from, to) in self.edges(polygon) {
                edges.push((from.min(to), from.max(to), edge as u32, polygon));
            }
        }
        edges.sort_unstable();
        for same in edges.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            match same {
                [_] => {}
                [one, other] => {
                    self.beyond[one.2 as usize] = other.3;
                    self.beyond[other.2 as usize] = one.3;
                }
                [_, _, crowd, ..] => {
                    let polygon = crowd.3 as usize;
                    return Err(MeshError::CrowdedEdge { polygon });
                }
                [] => {}
            }
        }
        Ok(())
    }

    /// How many polygons there are.
    pub fn polygons(&self) -> usize {
        self.begins.len() - 1
    }

    /// The corners of a polygon: east, south, up.
    ///
    /// # Panics
    ///
    /// If there is no such polygon.
    pub fn polygon(&self, number: usize) -> impl Iterator<Item = [f64; 3]> + '_ {
        let corners = &self.corners[self.range(number as u32)];
        corners.iter().map(|vertex| self.vertices[*vertex as usize])
    }

    /// Every edge that nothing lies beyond: the walls, as pairs of points.
    pub fn walls(&self) -> impl Iterator<Item = (Point, Point)> + '_ {
        (0..self.polygons() as u32).flat_map(|polygon| {
            let edges = self.edges(polygon);
            let walls = edges.filter(|(edge, ..)| self.beyond[*edge] == NOTHING);
            walls.map(|(_, from, to)| (self.flat(from), self.flat(to)))
        })
    }

    /// The lines over which one can fall but not climb.
    pub fn ledges(&self) -> &[Ledge] {
        &self.ledges
    }

    /// The ways beside the mesh.
    pub fn links(&self) -> &[Link] {
        &self.links
    }

    /// Whether all of it is at the same height.
    pub const fn is_flat(&self) -> bool {
        self.flat_at.is_some()
    }

    /// The least and the greatest coordinates of its corners.
    #[inline]
    pub const fn bounds(&self) -> (Point, Point) {
        self.bounds
    }

    fn measure(&self) -> (Point, Point) {
        let mut least = Point::new(f64::INFINITY, f64::INFINITY);
        let mut most = Point::new(f64::NEG_INFINITY, f64::NEG_INFINITY);
        for vertex in &self.corners {
            let at = self.flat(*vertex);
            least = Point::new(least.x.min(at.x), least.y.min(at.y));
            most = Point::new(most.x.max(at.x), most.y.max(at.y));
        }
        (least, most)
    }

    /// How high a foothold lies.
    #[inline]
    pub fn height_of(&self, place: usize) -> f64 {
        self.footholds.height_of(place)
    }

    /// Everything that can be said about it, as numbers.
    pub(crate) fn for_each_number(&self, mut visit: impl FnMut(f64)) {
        self.vertices.iter().flatten().copied().for_each(&mut visit);
        let whole = self.corners.iter().chain(&self.begins);
        whole.for_each(|number| visit(f64::from(*number)));
        visit(self.footholds.spacing());
        for ledge in &self.ledges {
            let numbers = [ledge.from.x, ledge.from.y, ledge.to.x, ledge.to.y];
            numbers.into_iter().for_each(&mut visit);
            visit(ledge.height);
        }
        self.footholds.for_each_leap_number(visit);
    }

    /// Whether a point lies on a polygon, and how high that is there.
    pub(crate) fn height_at(&self, polygon: u32, at: Point) -> Option<f64> {
        let is_inside = self.edges(polygon).all(|(_, from, to)| {
            let (from, to) = (self.flat(from), self.flat(to));
            cross(from, to, at) >= -NEARLY * from.distance_to(to)
        });
        is_inside.then(|| self.height_on(polygon, at))
    }

    /// How high the plane of a polygon is at a point: of the triangle of its fan the point is in.
    fn height_on(&self, polygon: u32, at: Point) -> f64 {
        if let Some(height) = self.flat_at {
            return height;
        }
        let corners = &self.corners[self.range(polygon)];
        let first = self.vertices[corners[0] as usize];
        let mut best = (f64::INFINITY, first[2]);
        for pair in corners[1..].windows(2) {
            let (b, c) = (
                self.vertices[pair[0] as usize],
                self.vertices[pair[1] as usize],
            );
            let flat = |v: [f64; 3]| Point::new(v[0], v[1]);
            let whole = cross(flat(first), flat(b), flat(c));
            if whole <= NEARLY {
                continue;
            }
            let of_c = cross(flat(first), flat(b), at) / whole;
            let of_first = cross(flat(b), flat(c), at) / whole;
            let of_b = 1.0 - of_c - of_first;
            // How far outside the triangle the point is; inside, nothing.
            let outside = (-of_b.min(of_c).min(of_first)).max(0.0);
            if outside < best.0 {
                best = (outside, of_first * first[2] + of_b * b[2] + of_c * c[2]);
            }
        }
        best.1
    }

    /// Follows a straight line over the mesh until it ends or leaves the mesh. `from` lies on
    /// `polygon`.
    pub(crate) fn trace(&self, polygon: u32, from: Point, to: Point) -> Traced {
        let length = from.distance_to(to);
        if length <= NEARLY {
            return Traced { polygon, part: 1.0 };
        }
        let tie = NEARLY / length;
        let mut here = polygon;
        let mut part = 0.0f64;
        // A line meets every convex polygon once.
        for _ in 0..=self.polygons() {
            let Some(exit) = self.exit(here, from, to, length) else {
                break;
            };
            if exit.part >= 1.0 - tie {
                return Traced {
                    polygon: here,
                    part: 1.0,
                };
            }
            part = part.max(exit.part);
            let next = match exit.through {
                Through::Edge(edge) => self.beyond[edge],
                Through::Vertex(vertex) => {
                    self.beyond_vertex(here, vertex, exit.part, (from, to, length))
                }
            };
            if next == NOTHING {
                break;
            }
            here = next;
        }
        Traced {
            polygon: here,
            part,
        }
    }

    /// Where a line leaves a polygon it meets.
    ///
    /// Polygons may have several edges in a row on one line, so it is not enough to see which edge
    /// the line comes to first: what counts is on which side of the line the corners lie.
    #[inline]
    fn exit(&self, polygon: u32, from: Point, to: Point, length: f64) -> Option<Exit> {
        let on_line = NEARLY * length;
        let side_of = |corner: u32| cross(from, to, self.flat(corner));
        let range = self.range(polygon);
        let corners = &self.corners[range.clone()];
        let (first, rest) = corners.split_first()?;
        let first_side = side_of(*first);
        let mut side = first_side;
        let mut at_vertex: Option<Exit> = None;
        // Each corner is looked at once: where one edge ends the next begins.
        for (edge, corner) in corners.iter().enumerate() {
            let next = rest.get(edge);
            let other = next.map_or(first_side, |next| side_of(*next));
            if side < -on_line {
                if other > on_line {
                    let (a, b) = (self.flat(*corner), self.flat(*next.unwrap_or(first)));
                    let part = cross(a, b, from) / (other - side);
                    let through = Through::Edge(range.start + edge);
                    return Some(Exit { part, through });
                }
            } else if side <= on_line {
                let part = part_of(self.flat(*corner), from, to, length);
                if at_vertex.as_ref().is_none_or(|exit| exit.part < part) {
                    let through = Through::Vertex(*corner);
                    at_vertex = Some(Exit { part, through });
                }
            }
            side = other;
        }
        at_vertex
    }

    /// Through a vertex a line goes on into one of the polygons around it, and that may have no edge
    /// in common with the last: the one in which it goes on longest, or nothing.
    #[cold]
    fn beyond_vertex(
        &self,
        here: u32,
        vertex: u32,
        part: f64,
        (from, to, length): (Point, Point, f64),
    ) -> u32 {
        let mut best = (part, NOTHING);
        // Round the vertex both ways, each until there is rock.
        for turn in [Turn::Leaving, Turn::Arriving] {
            let mut polygon = here;
            for _ in 0..self.polygons() {
                polygon = self.next_around(vertex, polygon, turn);
                if polygon == NOTHING || polygon == here {
                    break;
                }
                let exit = self.exit(polygon, from, to, length);
                if let Some(exit) = exit.filter(|exit| exit.part > best.0) {
                    best = (exit.part, polygon);
                }
            }
        }
        best.1
    }

    /// The polygon beyond one of the two edges that a polygon has at a vertex.
    fn next_around(&self, vertex: u32, polygon: u32, turn: Turn) -> u32 {
        let mut edges = self.edges(polygon);
        let edge = edges.find(|(_, a, b)| match turn {
            Turn::Leaving => *a == vertex,
            Turn::Arriving => *b == vertex,
        });
        edge.map_or(NOTHING, |(edge, ..)| self.beyond[edge])
    }

    /// Whether a straight line over the mesh joins two points that are in these places, or near
    /// them.
    pub(crate) fn is_in_sight(&self, from: (Point, usize), to: (Point, usize)) -> bool {
        let Some(polygon) = self.polygon_under(from) else {
            return false;
        };
        let traced = self.trace(polygon, from.0, to.0);
        let height = self.height_on(traced.polygon, to.0);
        traced.is_whole() && is_same_floor(height, self.height_of(to.1))
    }

    /// The nearest foothold in straight sight of a point that is in straight sight of another.
    pub(crate) fn place_in_sight(&self, place: usize, from: Point, to: Point) -> Option<usize> {
        let polygon = self.polygon_under((from, place))?;
        let traced = self.trace(polygon, from, to);
        if !traced.is_whole() {
            return None;
        }
        let height = self.height_on(traced.polygon, to);
        let nearest = |is_fit: &dyn Fn(usize) -> bool| {
            let mut best: Option<(f64, usize)> = None;
            let reach = 1.5 * self.footholds.spacing();
            self.footholds
                .for_each_within(to, reach, |place, distance| {
                    let is_nearer = best.is_none_or(|(least, _)| distance < least);
                    let is_level = || is_same_floor(self.height_of(place), height);
                    if is_nearer && is_level() && is_fit(place) {
                        best = Some((distance, place));
                    }
                });
            best.map(|(_, place)| place)
        };
        // Nearly always the nearest of all is in sight, and one look is enough.
        let is_in_sight = |place: usize| self.polygon_under((to, place)).is_some();
        match nearest(&|_| true) {
            Some(place) if is_in_sight(place) => Some(place),
            _ => nearest(&is_in_sight),
        }
    }

    /// Whether a straight line over the mesh leads from a place to a point, and another one on from
    /// there.
    pub(crate) fn is_joined(&self, place: usize, by: Point, to: Point) -> bool {
        let polygon = self.polygon_under((by, place));
        polygon.is_some_and(|polygon| self.trace(polygon, by, to).is_whole())
    }

    /// The polygon under a point that is in straight sight of its place.
    fn polygon_under(&self, (at, place): (Point, usize)) -> Option<u32> {
        let from = self.footholds.point_of(place);
        let traced = self.trace(self.footholds.polygon_of(place), from, at);
        traced.is_whole().then_some(traced.polygon)
    }

    /// How high the mesh is under a point, as far as a straight line over it leads there from a place.
    pub(crate) fn height_under(&self, (at, place): (Point, usize)) -> Option<f64> {
        let polygon = self.polygon_under((at, place))?;
        Some(self.height_on(polygon, at))
    }

    /// Whether a straight line crosses a ledge, in either direction.
    pub(crate) fn crosses_ledge(&self, from: Point, to: Point) -> bool {
        self.ledges
            .iter()
            .any(|ledge| ledge.side_of(from) != ledge.side_of(to) && ledge.is_met(from, to))
    }

    #[inline]
    fn flat(&self, vertex: u32) -> Point {
        let [x, y, _] = self.vertices[vertex as usize];
        Point::new(x, y)
    }

    #[inline]
    fn range(&self, polygon: u32) -> std::ops::Range<usize> {
        let polygon = polygon as usize;
        self.begins[polygon] as usize..self.begins[polygon + 1] as usize
    }

    /// Every edge of a polygon: its number, and the vertices it leads from and to.
    #[inline]
    fn edges(&self, polygon: u32) -> impl Iterator<Item = (usize, u32, u32)> + '_ {
        let range = self.range(polygon);
        let (begin, end) = (range.start, range.end);
        range.map(move |edge| {
            let next = if edge + 1 == end { begin } else { edge + 1 };
            (edge, self.corners[edge], self.corners[next])
        })
    }
}

impl Ledge {
    /// 1 on the lower side, 0 on the upper, which the line itself belongs to.
    fn side_of(&self, point: Point) -> u8 {
        u8::from(cross(self.from, self.to, point) > NEARLY)
    }

    /// Whether a line between both sides runs between the ledge's ends.
    fn is_met(&self, from: Point, to: Point) -> bool {
        let (one, other) = (cross(from, to, self.from), cross(from, to, self.to));
        (one <= NEARLY && other >= -NEARLY) || (one >= -NEARLY && other <= NEARLY)
    }

    /// What becomes of a step: nothing, a fall, or it is impossible.
    pub(crate) fn meets(&self, from: Point, to: Point) -> Crossed {
        match (self.side_of(from), self.side_of(to)) {
            (0, 1) if self.is_met(from, to) => Crossed::Down,
            (1, 0) if self.is_met(from, to) => Crossed::Up,
            _ => Crossed::Not,
        }
    }
}

/// How a step crosses a ledge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Crossed {
    Not,
    Down,
    Up,
}

/// Twice the area of a triangle; positive if `c` lies to the right of the line from `a` to `b`, as
/// one looks at a map with the south below.
#[inline]
fn cross(a: Point, b: Point, c: Point) -> f64 {
    (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x)
}

/// At which part of a line's length a point on it lies.
#[inline]
fn part_of(at: Point, from: Point, to: Point, length: f64) -> f64 {
    let along = (at.x - from.x) * (to.x - from.x) + (at.y - from.y) * (to.y - from.y);
    along / (length * length)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Six by six cells, each floor or rock, as strips: polygons with many corners in a row on one
    /// line, as merging the cells of a level makes them. Turned, so that nothing is exact.
    fn strips(cells: u64, cut: u64, turned: Turned) -> Option<NavMesh> {
        let mut text = String::new();
        let mut count = 0;
        for y in 0..6 {
            let mut x = 0;
            while x < 6 {
                let from = x;
                while x < 6 && is_floor(cells, x, y) && (x == from || cut >> (6 * y + x) & 1 == 0) {
                    x += 1;
                }
                if x == from {
                    x += 1;
                    continue;
                }
                let above = (from..=x).map(|x| 7 * y + x);
                let below = (from..=x).rev().map(|x| 7 * (y + 1) + x);
                let corners: Vec<String> = above
                    .chain(below)
                    .map(|corner| corner.to_string())
                    .collect();
                let beyond = " -1".repeat(corners.len());
                text += &format!("{} {}{beyond}\n", corners.len(), corners.join(" "));
                count += 1;
            }
        }
        let corners = (0..49).map(|corner| {
            let at = turned.at(f64::from(corner % 7), f64::from(corner / 7));
            format!("{} {} 1 -1\n", at.x, at.y)
        });
        let corners: String = corners.collect();
        let text = format!("mesh\n2\n49 {count}\n{corners}{text}");
        NavMeshParts::from_polyanya(&text).ok()?.build().ok()
    }

    fn is_floor(cells: u64, x: u64, y: u64) -> bool {
        x < 6 && y < 6 && cells >> (6 * y + x) & 1 == 1
    }

    #[derive(Clone, Copy)]
    enum Turned {
        Not,
        Some,
    }

    impl Turned {
        fn at(self, x: f64, y: f64) -> Point {
            match self {
                Turned::Not => Point::new(x, y),
                Turned::Some => Point::new(0.8 * x - 0.6 * y + 0.1, 0.6 * x + 0.8 * y + 0.3),
            }
        }
    }

    /// Whether all cells around a point that are nearer than this are floor.
    fn is_clear(cells: u64, x: f64, y: f64, near: f64) -> bool {
        [(-near, -near), (near, -near), (-near, near), (near, near)]
            .iter()
            .all(|(dx, dy)| {
                let (x, y) = ((x + dx).floor(), (y + dy).floor());
                x >= 0.0 && y >= 0.0 && is_floor(cells, x as u64, y as u64)
            })
    }

    /// Whether any cell that a point is in, or touches, is floor.
    fn is_touched(cells: u64, x: f64, y: f64) -> bool {
        let near = 1e-6;
        [(-near, -near), (near, -near), (-near, near), (near, near)]
            .iter()
            .any(|(dx, dy)| is_clear(cells, x + dx, y + dy, 0.0))
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

        /// A line that is whole is on floor everywhere; one that keeps off the rock is whole.
        #[test]
        fn lines_end_where_the_floor_does(
            cells: u64,
            more: u64,
            cut: u64,
            turn: bool,
            ends in prop::array::uniform4(0u32..=24),
        ) {
            let cells = cells | more;
            let turned = if turn { Turned::Some } else { Turned::Not };
            let [a, b, c, d] = ends.map(|end| f64::from(end) * 0.25);
            let Some(mesh) = strips(cells, cut, turned) else { return Ok(()) };
            let (from, to) = (turned.at(a, b), turned.at(c, d));
            let on_floor = (0..mesh.polygons() as u32).find(|polygon| {
                mesh.edges(*polygon).all(|(_, a, b)| cross(mesh.flat(a), mesh.flat(b), from) >= -1e-9)
            });
            let Some(polygon) = on_floor else { return Ok(()) };
            let traced = mesh.trace(polygon, from, to);
            let mut on_the_line = (0..=400).map(|part| {
                let part = f64::from(part) / 400.0;
                (a + (c - a) * part, b + (d - b) * part)
            });
            if traced.is_whole() {
                let off = on_the_line.find(|(x, y)| !is_touched(cells, *x, *y));
                prop_assert!(off.is_none(), "whole, but {:?} is rock", off);
            } else {
                prop_assert!(!on_the_line.all(|(x, y)| is_clear(cells, x, y, 0.02)), "{:?} is floor all the way", traced);
            }
        }
    }
}
