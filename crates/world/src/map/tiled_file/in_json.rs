//! Tiled's JSON files: maps (`.tmj`) and tilesets (`.tsj`).

use std::collections::BTreeMap;

use serde_json::value::RawValue;

use super::super::drawn_map::{DrawnObject, Measured};
use super::{Files, INFINITE, NOT_SQUARE, Tiled, from_base64, means_wall, no_tile};
use crate::text_place::line_and_column;
use crate::{GridMap, MapFileError};

pub(super) fn read(text: &str, files: Files<'_>) -> Result<GridMap, MapFileError> {
    let map = Json::parse(text)?;
    let fields = map.fields();
    if let Some(infinite) = fields.get("infinite").filter(|it| it.value == "true") {
        return Err(infinite.error(INFINITE.to_owned()));
    }
    if let Some(orientation) = fields.get("orientation")
        && orientation.string().is_some_and(|it| it != "orthogonal")
    {
        return Err(orientation.error(NOT_SQUARE.to_owned()));
    }
    let (width, height) = (
        whole(map, &fields, "width")?,
        whole(map, &fields, "height")?,
    );
    let mut tiled =
        Tiled::of_size(width, height).map_err(|wrong| fields["width"].error(wrong.to_string()))?;
    for set in list(&fields, "tilesets") {
        let fields = set.fields();
        let first = whole(set, &fields, "firstgid")?;
        match fields.get("source").map(|source| (source, source.string())) {
            Some((source, Some(name))) => tiled
                .add_tileset(&name, first, files)
                .map_err(|why| source.error(why))?,
            _ => tiled.add_walls(first, walls_of(&fields)),
        }
    }
    add_layers(&fields, &mut tiled)?;
    tiled.grid().map_err(|why| map.error(why))
}

/// The objects of a map whose walls were read.
pub(in crate::map) fn objects(
    text: &str,
    grid: &GridMap,
) -> Result<Vec<DrawnObject>, MapFileError> {
    let map = Json::parse(text)?;
    let fields = map.fields();
    let side = |name: &str| {
        let side: f64 = whole(map, &fields, name)?;
        if side >= 1.0 {
            return Ok(side);
        }
        Err(fields[name].error("tiles are at least one pixel wide and high".to_owned()))
    };
    let cell = [side("tilewidth")?, side("tileheight")?];
    let mut objects = Vec::new();
    add_objects(&fields, cell, grid, &mut objects)?;
    Ok(objects)
}

fn add_objects(
    parent: &Fields<'_>,
    cell: [f64; 2],
    grid: &GridMap,
    objects: &mut Vec<DrawnObject>,
) -> Result<(), MapFileError> {
    for layer in list(parent, "layers") {
        let fields = layer.fields();
        let text = |name: &str| fields.get(name).and_then(Json::string);
        match text("type").as_deref() {
            Some("group") => add_objects(&fields, cell, grid, objects)?,
            Some("objectgroup") => {
                let name = text("name").unwrap_or_default();
                for object in list(&fields, "objects") {
                    objects.push(read_object(object, &name, cell, grid)?);
                }
            }
            _ => {}
        }
    }
    Ok(())
}

fn read_object(
    object: Json<'_>,
    layer: &str,
    cell: [f64; 2],
    grid: &GridMap,
) -> Result<DrawnObject, MapFileError> {
    let fields = object.fields();
    let text = |name: &str| fields.get(name).and_then(Json::string);
    let number = |name: &str, usual: Option<f64>| match (fields.get(name), usual) {
        (None, Some(usual)) => Ok(usual),
        (None, None) => Err(object.error(format!("an object needs a number as `{name}`"))),
        (Some(value), _) => value.value.parse::<f64>().map_err(|_| {
            let message = format!(
                "{} is no number; save the map again from Tiled",
                value.value
            );
            value.error(message)
        }),
    };
    let size = [number("width", Some(0.0))?, number("height", Some(0.0))?];
    let mut at = [number("x", None)?, number("y", None)?];
    // Tiles that were put down as objects stand on their lower edge.
    if fields.contains_key("gid") {
        at[1] -= size[1];
    }
    let measured = Measured { at, size, cell };
    let corners = ["polyline", "polygon"].into_iter();
    let corners = corners.flat_map(|shape| list(&fields, shape));
    let line = corners.filter_map(|corner| {
        let fields = corner.fields();
        let along = |name: &str| fields.get(name)?.value.parse::<f64>().ok();
        Some(measured.point([along("x")?, along("y")?]))
    });
    let properties = list(&fields, "properties")
        .into_iter()
        .filter_map(|property| {
            let fields = property.fields();
            let name = fields.get("name").and_then(Json::string)?;
            let value = fields.get("value")?;
            let value = value.string().unwrap_or_else(|| value.value.to_owned());
            Some((name, value))
        });
    Ok(DrawnObject {
        name: text("name").unwrap_or_default(),
        kind: (text("class").filter(|class| !class.is_empty()))
            .or_else(|| text("type"))
            .unwrap_or_default(),
        layer: layer.to_owned(),
        line: line.collect(),
        cells: measured.cells(grid),
        properties: properties.collect(),
    })
}

/// The tiles of a set that are walls.
pub(super) fn walls_of_tileset(text: &str) -> Result<Vec<u32>, MapFileError> {
    Ok(walls_of(&Json::parse(text)?.fields()))
}

/// A value of a JSON text, which knows where in it it is.
#[derive(Clone, Copy)]
struct Json<'t> {
    text: &'t str,
    /// A part of the text.
    value: &'t str,
}

type Fields<'t> = BTreeMap<String, Json<'t>>;

impl<'t> Json<'t> {
    /// Checks the whole text, so that no part of it needs to be checked again.
    fn parse(text: &'t str) -> Result<Json<'t>, MapFileError> {
        // Read once into values, which may be nested only so deep; parts of it are not deeper.
        let read: Result<serde_json::Value, _> = serde_json::from_str(text);
        match read {
            Ok(_) => Ok(Json {
                text,
                value: text.trim(),
            }),
            Err(error) => {
                // It ends with its place, which is said already.
                let (line, column) = (error.line(), error.column());
                let why = error.to_string();
                let place = format!(" at line {line} column {column}");
                let why = why.strip_suffix(&place).unwrap_or(&why);
                Err(MapFileError {
                    line: line.max(1),
                    column: column.max(1),
                    message: format!("this is not JSON: {why}; save the map again from Tiled"),
                })
            }
        }
    }

    fn part(&self, value: &'t RawValue) -> Json<'t> {
        Json {
            text: self.text,
            value: value.get(),
        }
    }

    /// What an object has; nothing if it is none.
    fn fields(&self) -> Fields<'t> {
        let fields: Result<BTreeMap<String, &RawValue>, _> = serde_json::from_str(self.value);
        let fields = fields.unwrap_or_default().into_iter();
        fields
            .map(|(name, value)| (name, self.part(value)))
            .collect()
    }

    /// What is in a list, if it is one.
    fn items(&self) -> Option<Vec<Json<'t>>> {
        let items: Vec<&RawValue> = serde_json::from_str(self.value).ok()?;
        Some(items.into_iter().map(|item| self.part(item)).collect())
    }

    fn string(&self) -> Option<String> {
        serde_json::from_str(self.value).ok()
    }

    fn error(&self, message: String) -> MapFileError {
        let place = self.value.as_ptr() as usize - self.text.as_ptr() as usize;
        let (line, column) = line_and_column(self.text, place);
        MapFileError {
            line,
            column,
            message,
        }
    }
}

fn whole<T: std::str::FromStr>(
    object: Json<'_>,
    fields: &Fields<'_>,
    name: &str,
) -> Result<T, MapFileError> {
    let field = fields.get(name);
    let number = field.and_then(|number| number.value.parse().ok());
    number.ok_or_else(|| {
        let message =
            format!("a whole number is needed as `{name}`; save the map again from Tiled");
        field.unwrap_or(&object).error(message)
    })
}

/// The items of a list; none if there is no such list.
fn list<'t>(fields: &Fields<'t>, name: &str) -> Vec<Json<'t>> {
    let list = fields.get(name).and_then(Json::items);
    list.unwrap_or_default()
}

/// Layers may be in groups. JSON is nested no deeper than its parser allows.
fn add_layers(parent: &Fields<'_>, tiled: &mut Tiled) -> Result<(), MapFileError> {
    for layer in list(parent, "layers") {
        let fields = layer.fields();
        let text = |name: &str| fields.get(name).and_then(Json::string);
        match text("type").as_deref() {
            Some("group") => add_layers(&fields, tiled)?,
            Some("tilelayer") => {
                let name = text("name").unwrap_or_default();
                let Some(data) = fields.get("data") else {
                    let message =
                        format!("layer {name:?} has no `data`; save the map again from Tiled");
                    return Err(layer.error(message));
                };
                let compression = text("compression").unwrap_or_default();
                let tiles = tiles_of(data, &compression, tiled.free.len())?;
                tiled
                    .add_layer(&name, has_wall(&fields), &tiles)
                    .map_err(|why| data.error(why))?;
            }
            _ => {}
        }
    }
    Ok(())
}

fn tiles_of(data: &Json<'_>, compression: &str, cells: usize) -> Result<Vec<u32>, MapFileError> {
    if let Some(numbers) = data.items() {
        let tile = |number: Json<'_>| {
            let wrong = |_| number.error(no_tile(number.value));
            number.value.parse().map_err(wrong)
        };
        return numbers.into_iter().map(tile).collect();
    }
    match data.string() {
        Some(text) => from_base64(&text, compression, cells).map_err(|why| data.error(why)),
        None => {
            Err(data.error("`data` is no list of tiles; save the map again from Tiled".to_owned()))
        }
    }
}

/// Whether there is the property `wall`.
fn has_wall(fields: &Fields<'_>) -> bool {
    list(fields, "properties").into_iter().any(|property| {
        let fields = property.fields();
        let name = fields.get("name").and_then(Json::string);
        name.is_some_and(|name| means_wall(&name))
            && fields
                .get("value")
                .is_none_or(|value| value.value != "false")
    })
}

/// The tiles of a set that are walls: by a property, or by their class.
fn walls_of(set: &Fields<'_>) -> Vec<u32> {
    let mut walls = Vec::new();
    for tile in list(set, "tiles") {
        let fields = tile.fields();
        let text = |name: &str| fields.get(name).and_then(Json::string);
        let class = text("class").or_else(|| text("type"));
        if (has_wall(&fields) || class.is_some_and(|class| means_wall(&class)))
            && let Some(id) = fields.get("id").and_then(|id| id.value.parse().ok())
        {
            walls.push(id);
        }
    }
    walls
}
