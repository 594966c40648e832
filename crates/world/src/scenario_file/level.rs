//! Reads the level of a scenario: rows of cells, or a file of one of the known formats, and what
//! the scenario adds to it.

use std::sync::Arc;

use super::error::{ScenarioError, ScenarioErrorKind};
use super::kept_maps::{KeptMaps, MadeOf};
use super::tables::{Limits, Table, Value};
use crate::{GridMap, Ledge, Link, Map, MapError, MapFileError, NavMesh, NavMeshParts};

/// Finds the text of a file by its name.
pub(crate) type Files<'f> = &'f mut dyn FnMut(&str) -> Result<String, String>;

/// The files that are read, by the ends of their names.
const KNOWN: &str = "`.map`, `.tmx`, `.tmj`, `.mesh` and `.obj`";

pub(crate) fn read(
    file: &Table<'_>,
    map: &Table<'_>,
    files: Files<'_>,
    mut kept: Option<&mut KeptMaps>,
) -> Result<Arc<Map>, ScenarioError> {
    map.allow(&["rows", "file", "spacing", "falls"])?;
    let level = match (map.get("rows"), map.get("file")) {
        (Some(_), Some(file)) => {
            let wrong = ScenarioErrorKind::Both {
                first: "rows",
                second: "file",
            };
            return Err(map.reader.error(file.span().start, wrong));
        }
        (None, None) => return Err(map.missing("rows")),
        (Some(value), None) => Level::Grid(read_rows(map, value)?),
        (None, Some(value)) => read_file(map, value, files, kept.as_deref_mut())?,
    };
    let made_of = match level {
        Level::Grid(grid) => {
            refuse_what_needs_a_mesh(file, map)?;
            MadeOf::Grid(grid)
        }
        Level::Mesh(parts) => MadeOf::Mesh(Box::new(with_additions(file, map, parts)?)),
    };
    let Some(kept) = kept else {
        return Ok(Arc::new(make(file, map, made_of)?));
    };
    if let Some(same) = kept.find(&made_of) {
        return Ok(same);
    }
    let new = Arc::new(make(file, map, made_of.clone())?);
    kept.keep(made_of, &new);
    Ok(new)
}

/// What a file describes.
enum Level {
    Grid(GridMap),
    Mesh(NavMeshParts),
}

fn read_rows(map: &Table<'_>, value: &Value<'_>) -> Result<GridMap, ScenarioError> {
    let reader = map.reader;
    let rows = reader.list("rows", value)?;
    let rows: Vec<_> = rows
        .iter()
        .map(|row| Ok((row.span().start, reader.string("rows", row)?)))
        .collect::<Result<_, ScenarioError>>()?;
    let texts: Vec<&str> = rows.iter().map(|(_, text)| *text).collect();
    GridMap::from_rows(&texts).map_err(|error| {
        let place = match error {
            // One more for the quotation mark.
            MapError::Character { row, column, .. } => rows[row].0 + 1 + column,
            MapError::Ragged { row, .. } => rows[row].0,
            MapError::Empty | MapError::TooLarge { .. } => value.span().start,
        };
        reader.error(place, ScenarioErrorKind::Map(error))
    })
}

fn read_file(
    map: &Table<'_>,
    value: &Value<'_>,
    files: Files<'_>,
    kept: Option<&mut KeptMaps>,
) -> Result<Level, ScenarioError> {
    let name = map.reader.string("file", value)?;
    let unreadable = |message: String| {
        let name = name.to_owned();
        let wrong = ScenarioErrorKind::File { name, message };
        map.reader.error(value.span().start, wrong)
    };
    let broken = |error: MapFileError| unreadable(error.to_string());
    let kind = name.rsplit_once('.').map_or("", |(_, kind)| kind);
    if !["map", "tmx", "tmj", "mesh", "obj"].contains(&kind) {
        let message = format!("{KNOWN} files are read; or write the map as `rows`");
        return Err(unreadable(message));
    }
    let text = files(name).map_err(unreadable)?;
    let tilesets = |set: &str| files(&beside(name, set));
    Ok(match kind {
        "tmx" => Level::Grid(GridMap::from_tmx(&text, tilesets).map_err(broken)?),
        "tmj" => Level::Grid(GridMap::from_tmj(&text, tilesets).map_err(broken)?),
        "obj" => {
            let parts = match kept {
                Some(kept) => kept.walkable(&text, read_obj),
                None => read_obj(&text),
            };
            Level::Mesh(parts.map_err(broken)?)
        }
        "mesh" => Level::Mesh(NavMeshParts::from_polyanya(&text).map_err(broken)?),
        _ => Level::Grid(GridMap::from_movingai(&text).map_err(broken)?),
    })
}

/// The name of a file that another one names as seen from itself.
fn beside(file: &str, name: &str) -> String {
    if name.starts_with('/') {
        return name.to_owned();
    }
    let mut path: Vec<&str> = file.split('/').collect();
    path.pop();
    for part in name.split('/') {
        match part {
            "." => {}
            ".." if path
                .last()
                .is_some_and(|last| !["", "..", "."].contains(last)) =>
            {
                path.pop();
            }
            part => path.push(part),
        }
    }
    path.join("/")
}

#[cfg(feature = "obj")]
fn read_obj(text: &str) -> Result<NavMeshParts, MapFileError> {
    NavMeshParts::from_obj(text)
}

#[cfg(not(feature = "obj"))]
fn read_obj(_: &str) -> Result<NavMeshParts, MapFileError> {
    Err(MapFileError {
        line: 1,
        column: 1,
        message:
            "this program was built without the feature `obj`; build it with, or use a .mesh file"
                .to_owned(),
    })
}

/// Ledges, links, footholds and falls mean nothing on a grid.
fn refuse_what_needs_a_mesh(file: &Table<'_>, map: &Table<'_>) -> Result<(), ScenarioError> {
    let keys = [
        (map, "spacing"),
        (map, "falls"),
        (file, "ledge"),
        (file, "link"),
    ];
    match keys
        .into_iter()
        .find(|(table, key)| table.get(key).is_some())
    {
        Some((table, key)) => Err(table.error_at(key, ScenarioErrorKind::NoMesh { key })),
        None => Ok(()),
    }
}

/// The parts of a mesh, with what the scenario adds to them.
fn with_additions(
    file: &Table<'_>,
    map: &Table<'_>,
    mut parts: NavMeshParts,
) -> Result<NavMeshParts, ScenarioError> {
    let spacing = Limits::new(0.05, 100.0);
    parts.spacing = map.number("spacing", spacing, Some(NavMesh::USUAL_SPACING))?;
    parts.highest_fall = map.number("falls", Limits::new(0.0, 100.0), Some(0.0))?;
    for table in file.tables("ledge")? {
        table.allow(&["from", "to", "height"])?;
        let reader = table.reader;
        let ledge = Ledge {
            from: reader.point("from", table.need("from")?)?,
            to: reader.point("to", table.need("to")?)?,
            height: table.number("height", Limits::new(0.01, 100.0), None)?,
        };
        if ledge.from == ledge.to {
            let wrong = ScenarioErrorKind::Number {
                key: "to".to_owned(),
                found: ledge.to.to_string(),
                expected: "another point than `from`".to_owned(),
            };
            return Err(table.error_at("to", wrong));
        }
        parts.ledges.push(ledge);
    }
    for table in &file.tables("link")? {
        table.allow(&["from", "to", "both_ways", "seconds"])?;
        let reader = table.reader;
        parts.links.push(Link {
            from: reader.spot("from", table.need("from")?)?,
            to: reader.spot("to", table.need("to")?)?,
            both_ways: table.flag("both_ways", false)?,
            delay: table.number("seconds", Limits::new(0.0, 3600.0), Some(0.0))?,
        });
    }
    Ok(parts)
}

/// Puts a map together.
fn make(file: &Table<'_>, map: &Table<'_>, made_of: MadeOf) -> Result<Map, ScenarioError> {
    let parts = match made_of {
        MadeOf::Grid(grid) => return Ok(Map::Grid(grid)),
        MadeOf::Mesh(parts) => *parts,
    };
    let links = file.tables("link")?;
    let built = parts.build().map_err(|error| match error {
        crate::MeshError::LinkOff { link } | crate::MeshError::CrowdedLink { link } => {
            links[link].error(ScenarioErrorKind::Mesh(error))
        }
        _ => map.error_at("file", ScenarioErrorKind::Mesh(error)),
    });
    Ok(Map::Mesh(built?))
}
