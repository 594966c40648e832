//! Reads level geometry from `.obj` files and finds out where one can walk on it.

use glam::{UVec3, Vec3A};
use rerecast::{AreaType, BuildContoursFlags, HeightfieldBuilder, PolygonNavmesh, TriMesh};

use super::MapFileError;
use super::navmesh::NavMeshParts;

/// Metres between two columns of the raster a level is measured in, and between two of its heights.
const COLUMN: f32 = 0.2;
const HEIGHT: f32 = 0.1;
/// In columns and heights: how far one stays from walls, how much headroom one needs, how high one
/// can step.
const KEEPS_OFF: u16 = 2;
const HEADROOM: u16 = 18;
const STEP: u16 = 5;
/// Where the floor is steeper than 45 degrees nobody walks: the cosine of that.
const STEEPEST: f32 = std::f32::consts::FRAC_1_SQRT_2;
/// More triangles than in any level, and few enough to be measured in a few seconds.
const MOST_TRIANGLES: usize = 1 << 20;
/// How many columns of the raster all triangles together may touch.
const MOST_TOUCHED: f64 = (1u64 << 26) as f64;
/// The raster's longest side is some 800 m.
const LONGEST_SIDE: f32 = 4000.0 * COLUMN;

impl NavMeshParts {
    /// Reads the triangles of an `.obj` file, in metres with the second coordinate up, and makes a
    /// mesh of where one can walk on them: not too steep, with headroom, a little off the walls.
    ///
    /// ```
    /// use apprentice_world::NavMeshParts;
    ///
    /// let floor = "v 0 0 0\nv 8 0 0\nv 8 0 8\nv 0 0 8\nf 1 4 3 2\n";
    /// let parts = NavMeshParts::from_obj(floor)?;
    /// assert!(!parts.polygons.is_empty());
    /// # Ok::<(), apprentice_world::MapFileError>(())
    /// ```
    pub fn from_obj(text: &str) -> Result<NavMeshParts, MapFileError> {
        let triangles = read_triangles(text)?;
        let nowhere = |message: String| MapFileError {
            line: 1,
            column: 1,
            message,
        };
        let mesh = find_floor(&triangles).map_err(nowhere)?;
        let corner = |vertex: &glam::U16Vec3| {
            let at = |low: f32, steps: u16, step: f32| f64::from(low + f32::from(steps) * step);
            let low = mesh.aabb.min;
            [
                at(low.x, vertex.x, mesh.cell_size),
                at(low.z, vertex.z, mesh.cell_size),
                at(low.y, vertex.y, mesh.cell_height),
            ]
        };
        let parts = NavMeshParts {
            vertices: mesh.vertices.iter().map(corner).collect(),
            polygons: mesh
                .polygons()
                .map(|corners| corners.map(u32::from).collect())
                .collect(),
            ..NavMeshParts::default()
        };
        if parts.polygons.is_empty() {
            let message = "nobody can walk anywhere on it; is the second coordinate up, and are the units metres?";
            return Err(nowhere(message.to_owned()));
        }
        Ok(parts)
    }
}

fn read_triangles(text: &str) -> Result<TriMesh, MapFileError> {
    let mut mesh = TriMesh::default();
    let mut touched = 0.0;
    for (number, line) in (1..).zip(text.lines()) {
        let error = |message: String| MapFileError {
            line: number,
            column: 1,
            message,
        };
        let mut words = line.split_whitespace();
        match words.next() {
            Some("v") => {
                let mut axis = || {
                    let number = words.next().and_then(|word| word.parse::<f32>().ok());
                    number.filter(|number| number.abs() <= 1e5)
                };
                let (Some(x), Some(y), Some(z)) = (axis(), axis(), axis()) else {
                    return Err(error(
                        "a vertex has three coordinates of at most 100 km; write `v 1.0 0.0 2.5`"
                            .to_owned(),
                    ));
                };
                mesh.vertices.push(Vec3A::new(x, y, z));
            }
            Some("f") => {
                let count = mesh.vertices.len();
                let corners = words.map(|word| corner(word, count).ok_or(word));
                let corners: Vec<u32> = corners.collect::<Result<_, _>>().map_err(|word| {
                    error(format!(
                        "{word:?} is no vertex; {count} come before this line, counted from 1"
                    ))
                })?;
                if corners.len() < 3 {
                    return Err(error("a face has at least three corners".to_owned()));
                }
                // A fan of triangles.
                for pair in corners[1..].windows(2) {
                    touched += add(&mut mesh, UVec3::new(corners[0], pair[0], pair[1]));
                }
                if mesh.indices.len() > MOST_TRIANGLES || touched > MOST_TOUCHED {
                    return Err(error(
                        "the level is too large to be measured; split it, or check its units"
                            .to_owned(),
                    ));
                }
            }
            // Normals, materials, groups and whatever else there may be.
            _ => {}
        }
    }
    Ok(mesh)
}

/// The number of a vertex, as faces name it: from 1, or backwards from -1, before any slash.
fn corner(word: &str, count: usize) -> Option<u32> {
    let number: i64 = word.split('/').next()?.parse().ok()?;
    let number = if number < 0 {
        count as i64 + number
    } else {
        number - 1
    };
    let vertex = usize::try_from(number).ok()?;
    (vertex < count).then_some(vertex as u32)
}

/// Adds a triangle. Returns roughly how many columns of the raster it touches.
fn add(mesh: &mut TriMesh, corners: UVec3) -> f64 {
    let [a, b, c] = corners
        .to_array()
        .map(|corner| mesh.vertices[corner as usize].to_array());
    let between = |from: [f32; 3], to: [f32; 3]| [0, 1, 2].map(|axis| to[axis] - from[axis]);
    let (u, v) = (between(a, b), between(a, c));
    let normal = [
        u[1] * v[2] - u[2] * v[1],
        u[2] * v[0] - u[0] * v[2],
        u[0] * v[1] - u[1] * v[0],
    ];
    let length = (normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]).sqrt();
    mesh.indices.push(corners);
    mesh.area_types.push(if normal[1] > STEEPEST * length {
        AreaType::DEFAULT_WALKABLE
    } else {
        AreaType::NOT_WALKABLE
    });
    let side = |axis: usize| {
        let most = a[axis].max(b[axis]).max(c[axis]);
        let least = a[axis].min(b[axis]).min(c[axis]);
        f64::from((most - least) / COLUMN) + 1.0
    };
    side(0) * side(2)
}

/// Where one can walk on triangles.
fn find_floor(triangles: &TriMesh) -> Result<PolygonNavmesh, String> {
    let mut aabb = triangles
        .compute_aabb()
        .filter(|_| !triangles.indices.is_empty())
        .ok_or_else(|| "there are no faces; export the level as triangles".to_owned())?;
    let size = aabb.max - aabb.min;
    // Heights are kept in sixteen bits.
    if size.x.max(size.z) > LONGEST_SIDE || size.y > 8000.0 * HEIGHT {
        return Err(format!(
            "the level is {:.0} by {:.0} m and {:.0} m high; at most {LONGEST_SIDE} m are measured: split it, or check its units",
            size.x, size.z, size.y
        ));
    }
    // A level without any width would have no raster.
    let rim = glam::Vec3::new(2.0 * COLUMN, 2.0 * HEIGHT, 2.0 * COLUMN);
    aabb.min -= rim;
    aabb.max += rim;
    let failed = |error: &dyn std::fmt::Display| format!("the level cannot be measured: {error}");
    let mut raster = HeightfieldBuilder {
        aabb,
        cell_size: COLUMN,
        cell_height: HEIGHT,
    }
    .build()
    .map_err(|error| failed(&error))?;
    raster
        .rasterize_triangles(triangles, STEP)
        .map_err(|error| failed(&error))?;
    raster.filter_low_hanging_walkable_obstacles(STEP);
    raster.filter_ledge_spans(HEADROOM, STEP);
    raster.filter_walkable_low_height_spans(HEADROOM);
    let mut floor = raster
        .into_compact(HEADROOM, STEP)
        .map_err(|error| failed(&error))?;
    floor.erode_walkable_area(KEEPS_OFF);
    floor.build_distance_field();
    floor
        .build_regions(0, 8 * 8, 20 * 20)
        .map_err(|error| failed(&error))?;
    let contours = floor.build_contours(1.3, 60, BuildContoursFlags::DEFAULT);
    contours
        .into_polygon_mesh(6)
        .map_err(|error| failed(&error))
}
