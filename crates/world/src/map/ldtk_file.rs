//! Reads projects of the level editor LDtk (`.ldtk`): the walls and the entities of one of their levels.

use serde_json::Value;

use super::drawn_map::{DrawnMap, DrawnObject, Measured};
use crate::{GridMap, MapFileError, Point};

/// Names of layers of walls.
const WALLS: [&str; 4] = ["walls", "wall", "collisions", "collision"];

pub(super) fn read(text: &str, level: Option<&str>) -> Result<DrawnMap, MapFileError> {
    let project: Value = serde_json::from_str(text).map_err(|error| MapFileError {
        line: error.line().max(1),
        column: error.column().max(1),
        message: format!("this is not JSON: {error}; save the project again from LDtk"),
    })?;
    read_project(&project, level).map_err(|message| MapFileError {
        line: 1,
        column: 1,
        message,
    })
}

fn read_project(project: &Value, wanted: Option<&str>) -> Result<DrawnMap, String> {
    let own = project["levels"].as_array();
    let worlds = project["worlds"].as_array().into_iter().flatten();
    let in_worlds = worlds.filter_map(|world| world["levels"].as_array());
    let levels = own.into_iter().chain(in_worlds).flatten();
    let levels: Vec<&Value> = levels.collect();
    let name = |level: &Value| level["identifier"].as_str().unwrap_or("").to_owned();
    let level = match wanted {
        None => levels.first().copied(),
        Some(wanted) => levels.iter().find(|level| name(level) == wanted).copied(),
    };
    let level = level.ok_or_else(|| {
        let names: Vec<String> = levels.iter().map(|level| name(level)).collect();
        match wanted {
            _ if names.is_empty() => "there are no levels in it; name a project of LDtk".to_owned(),
            Some(wanted) => format!(
                "no level is called `{wanted}`; there are {}",
                names.join(", ")
            ),
            None => "there are no levels in it".to_owned(),
        }
    })?;
    let layers = level["layerInstances"].as_array().ok_or_else(|| {
        format!(
            "the level `{}` is in a file of its own; switch off `Save levels to separate files` in the project and save it again",
            name(level)
        )
    })?;
    let (grid, cell) = walls(project, level, layers)?;
    let mut objects = Vec::new();
    for layer in layers {
        let entities = layer["entityInstances"].as_array();
        let side = layer["__gridSize"].as_f64().filter(|side| *side > 0.0);
        let Some(side) = side else {
            continue;
        };
        let sides = Sides { cell, entity: side };
        let entities = entities.into_iter().flatten();
        objects.extend(entities.map(|entity| object(entity, layer, &sides, &grid)));
    }
    let others = levels.iter().filter(|other| !std::ptr::eq(**other, level));
    let other_levels = others.map(|other| name(other)).collect();
    Ok(DrawnMap {
        grid,
        objects,
        other_levels,
    })
}

/// Sides in pixels. Each layer of a project may have a grid of its own.
struct Sides {
    /// Of a cell of the map: one of the layer of walls.
    cell: f64,
    /// Of a cell of the layer an entity is on, in which the points it names are counted.
    entity: f64,
}

impl Sides {
    /// Where the middle of a cell of the entity's layer is on the map.
    fn along(&self, number: f64) -> f64 {
        (number + 0.5) * self.entity / self.cell - 0.5
    }
}

/// The walls of a level: its one layer of them; and the side of its cells in pixels.
fn walls(project: &Value, level: &Value, layers: &[Value]) -> Result<(GridMap, f64), String> {
    let grids = layers.iter().filter(|layer| layer["__type"] == "IntGrid");
    let grids: Vec<&Value> = grids.collect();
    let is_named = |layer: &&&Value| {
        let name = layer["__identifier"].as_str().unwrap_or("");
        WALLS.iter().any(|wall| name.eq_ignore_ascii_case(wall))
    };
    let with_wall = |layer: &&&Value| !wall_values(project, layer).is_empty();
    let chosen = (grids.iter().find(is_named))
        .or_else(|| grids.iter().find(with_wall))
        .or(match &grids[..] {
            [only] => Some(only),
            _ => None,
        });
    let layer = chosen.ok_or_else(|| {
        format!(
            "nothing says where walls are in the level `{}`; call an IntGrid layer `Walls`, or one of its values `wall`",
            level["identifier"].as_str().unwrap_or("")
        )
    })?;
    let side = |name: &str| {
        let side = layer[name].as_u64();
        side.ok_or_else(|| format!("a layer has no `{name}`; save the project again from LDtk"))
    };
    let (width, height) = (side("__cWid")?, side("__cHei")?);
    // Nothing can be measured by cells without a side.
    let cell = side("__gridSize")?.max(1) as f64;
    GridMap::check_size(width, height).map_err(|error| error.to_string())?;
    let values = layer["intGridCsv"].as_array();
    let values = values.ok_or("a layer has no `intGridCsv`; save the project again from LDtk")?;
    if values.len() as u64 != width * height {
        return Err(format!(
            "a layer has {} values, but {width} by {height} cells; save the project again from LDtk",
            values.len()
        ));
    }
    let solid = wall_values(project, layer);
    let free = values.iter().map(|value| match value.as_u64() {
        None | Some(0) => true,
        Some(value) => !(solid.is_empty() || solid.contains(&value)),
    });
    let grid = GridMap::new(width as u16, height as u16, free.collect());
    Ok((grid, cell))
}

/// The values of a layer that are called walls.
fn wall_values(project: &Value, layer: &Value) -> Vec<u64> {
    let defined = project["defs"]["layers"].as_array().into_iter().flatten();
    let mut defined = defined.filter(|defined| {
        let same = |key: &str, of: &str| !layer[of].is_null() && defined[key] == layer[of];
        same("uid", "layerDefUid") || same("identifier", "__identifier")
    });
    let values = defined.next().and_then(|it| it["intGridValues"].as_array());
    let walls = values.into_iter().flatten().filter(|value| {
        let name = value["identifier"].as_str().unwrap_or("");
        WALLS.iter().any(|wall| name.eq_ignore_ascii_case(wall))
    });
    walls.filter_map(|value| value["value"].as_u64()).collect()
}

fn object(entity: &Value, layer: &Value, sides: &Sides, grid: &GridMap) -> DrawnObject {
    let number = |value: &Value| value.as_f64().unwrap_or(0.0);
    let pair = |value: &Value| [number(&value[0]), number(&value[1])];
    let size = [number(&entity["width"]), number(&entity["height"])];
    let (px, pivot) = (pair(&entity["px"]), pair(&entity["__pivot"]));
    let measured = Measured {
        at: [px[0] - pivot[0] * size[0], px[1] - pivot[1] * size[1]],
        size,
        cell: [sides.cell, sides.cell],
    };
    let mut object = DrawnObject {
        kind: entity["__identifier"].as_str().unwrap_or("").to_owned(),
        layer: layer["__identifier"].as_str().unwrap_or("").to_owned(),
        cells: measured.cells(grid),
        ..DrawnObject::default()
    };
    let fields = entity["fieldInstances"].as_array().into_iter().flatten();
    for field in fields {
        let name = field["__identifier"].as_str().unwrap_or("");
        let value = &field["__value"];
        let points = value.as_array().into_iter().flatten();
        let points: Vec<Point> = points
            .filter_map(|point| {
                let along = |key: &str| Some(sides.along(point[key].as_f64()?));
                Some(Point::new(along("cx")?, along("cy")?))
            })
            .collect();
        if !points.is_empty() {
            object.line = points;
        } else if ["id", "name"]
            .iter()
            .any(|it| name.eq_ignore_ascii_case(it))
        {
            object.name = said(value);
        } else if !value.is_null() {
            object.properties.push((name.to_owned(), said(value)));
        }
    }
    object
}

/// A value as a person would write it.
fn said(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(values) => {
            let values: Vec<String> = values.iter().map(said).collect();
            values.join(", ")
        }
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Cell;

    const PROJECT: &str = r#"{
      "defs": { "layers": [{ "identifier": "Ground", "uid": 3, "intGridValues": [{ "value": 1, "identifier": "water" }, { "value": 2, "identifier": "wall" }] }] },
      "levels": [{ "identifier": "Cellar", "layerInstances": [
        { "__identifier": "Things", "__type": "Entities", "__gridSize": 8, "__cWid": 4, "__cHei": 2, "entityInstances": [
          { "__identifier": "Key", "px": [12, 4], "width": 8, "height": 8, "__pivot": [0.5, 0.5],
            "fieldInstances": [{ "__identifier": "id", "__value": "red" }, { "__identifier": "opens", "__value": ["gate", "hatch"] }] },
          { "__identifier": "Guard", "px": [24, 8], "width": 8, "height": 8, "__pivot": [0, 0],
            "fieldInstances": [{ "__identifier": "route", "__value": [{ "cx": 3, "cy": 1 }, { "cx": 0, "cy": 1 }] }] }] },
        { "__identifier": "Ground", "__type": "IntGrid", "layerDefUid": 3, "__gridSize": 8, "__cWid": 4, "__cHei": 2, "intGridCsv": [0, 1, 2, 0, 0, 0, 2, 0] }
      ] }] }"#;

    #[test]
    fn walls_and_entities_are_read() {
        let map = read(PROJECT, None).unwrap();
        let rows: Vec<String> = map.grid.rows().collect();
        assert_eq!(rows, ["..#.", "..#."]);
        let [key, guard] = &map.objects[..] else {
            panic!("there are two");
        };
        assert_eq!((&*key.kind, &*key.name), ("Key", "red"));
        assert_eq!(key.cells, [Cell::new(1, 0)]);
        assert_eq!(key.property("Opens"), Some("gate, hatch"));
        assert_eq!(guard.cells, [Cell::new(3, 1)]);
        assert_eq!(guard.line, [Point::new(3.0, 1.0), Point::new(0.0, 1.0)]);
    }

    #[test]
    fn entities_on_a_finer_grid_are_measured_by_the_cells_of_the_walls() {
        let text = PROJECT.replacen(
            r#""layerDefUid": 3, "__gridSize": 8"#,
            r#""layerDefUid": 3, "__gridSize": 16"#,
            1,
        );
        let map = read(&text, None).unwrap();
        let [key, guard] = &map.objects[..] else {
            panic!("there are two");
        };
        assert_eq!(key.cells, [Cell::new(0, 0)]);
        assert_eq!(guard.cells, [Cell::new(1, 0)]);
        assert_eq!(
            guard.line,
            [Point::new(1.25, 0.25), Point::new(-0.25, 0.25)]
        );
    }

    #[test]
    fn whatever_is_wrong_is_said() {
        for (from, to, why) in [
            (
                "Cellar",
                "Cellar",
                "no level is called `Attic`; there are Cellar",
            ),
            ("\"layerInstances\": [", "\"other\": [", "separate files"),
            ("[0, 1, 2, 0, 0, 0, 2, 0]", "[0]", "1 values, but 4 by 2"),
            (
                "\"__cWid\": 4, \"__cHei\": 2, \"intGridCsv\"",
                "\"intGridCsv\"",
                "no `__cWid`",
            ),
            ("IntGrid\"", "Tiles\"", "nothing says where walls are"),
            ("\"levels\"", "\"lovels\"", "there are no levels"),
            ("{", "", "not JSON"),
        ] {
            let text = PROJECT.replacen(from, to, 1);
            let wanted = (from == to).then_some("Attic");
            let error = read(&text, wanted).unwrap_err().to_string();
            assert!(error.contains(why), "{why}: {error}");
        }
    }
}
