//! Reads maps of the level editor Tiled, from its XML files (`.tmx`) and its JSON files (`.tmj`).
//!
//! A cell is a wall where a layer called `walls`, or one with the property `wall`, has a tile;
//! where any layer has a tile with the property `wall`; and, if there is a layer called `floor`,
//! where that has none.

use std::collections::BTreeSet;

use roxmltree::{Document, Node};
use serde_json::Value;

use super::MapFileError;
use crate::{GridMap, MapError};

/// Finds the text of another file by its name.
type Files<'f> = &'f mut dyn FnMut(&str) -> Result<String, String>;

/// What both kinds of files say.
#[derive(Default)]
struct Tiled {
    width: u64,
    height: u64,
    layers: Vec<Layer>,
    /// The numbers of tiles that are walls wherever they are.
    walls: BTreeSet<u32>,
}

struct Layer {
    name: String,
    is_wall: bool,
    tiles: Vec<u32>,
}

/// The highest bits of a tile's number say how it is turned.
const TURNED: u32 = 0xF000_0000;
const WALLS: &str = "walls";
const FLOOR: &str = "floor";

impl GridMap {
    /// Reads an XML map of Tiled. Tilesets of their own are asked of `files`.
    ///
    /// ```
    /// use apprentice_world::{Cell, GridMap};
    ///
    /// let text = r#"<map orientation="orthogonal" width="3" height="1">
    ///   <layer name="walls" width="3" height="1"><data encoding="csv">0,7,0</data></layer>
    /// </map>"#;
    /// let grid = GridMap::from_tmx(text, |_| Err("no other files".to_owned()))?;
    /// assert!(grid.is_free(Cell::new(0, 0)) && !grid.is_free(Cell::new(1, 0)));
    /// # Ok::<(), apprentice_world::MapFileError>(())
    /// ```
    pub fn from_tmx(
        text: &str,
        mut files: impl FnMut(&str) -> Result<String, String>,
    ) -> Result<GridMap, MapFileError> {
        read_tmx(text, &mut files)?.grid()
    }

    /// Reads a JSON map of Tiled. Tilesets of their own are asked of `files`.
    pub fn from_tmj(
        text: &str,
        mut files: impl FnMut(&str) -> Result<String, String>,
    ) -> Result<GridMap, MapFileError> {
        read_tmj(text, &mut files)?.grid()
    }
}

impl Tiled {
    fn grid(&self) -> Result<GridMap, MapFileError> {
        let is_called = |layer: &Layer, name: &str| layer.name.eq_ignore_ascii_case(name);
        let floor = self.layers.iter().find(|layer| is_called(layer, FLOOR));
        let is_wall = |layer: &Layer| layer.is_wall || is_called(layer, WALLS);
        if floor.is_none() && self.walls.is_empty() && !self.layers.iter().any(is_wall) {
            let message = "nothing says where walls are: call a tile layer `walls`, or give tiles a property `wall`";
            return Err(at_start(message.to_owned()));
        }
        let is_free = |cell: usize| {
            let walled = self.layers.iter().any(|layer| {
                let tile = layer.tiles[cell] & !TURNED;
                tile != 0 && (is_wall(layer) || self.walls.contains(&tile))
            });
            !walled && floor.is_none_or(|floor| floor.tiles[cell] & !TURNED != 0)
        };
        let free = (0..(self.width * self.height) as usize)
            .map(is_free)
            .collect();
        Ok(GridMap::new(self.width as u16, self.height as u16, free))
    }

    fn check_size(&self) -> Result<(), MapError> {
        GridMap::check_size(self.width, self.height)
    }

    /// Takes a layer's tiles, if there are as many as cells.
    fn add_layer(&mut self, name: &str, is_wall: bool, tiles: Vec<u32>) -> Result<(), String> {
        let cells = (self.width * self.height) as usize;
        if tiles.len() != cells {
            return Err(format!(
                "layer {name:?} has {} tiles, but the map has {cells} cells",
                tiles.len()
            ));
        }
        self.layers.push(Layer {
            name: name.to_owned(),
            is_wall,
            tiles,
        });
        Ok(())
    }
}

fn at_start(message: String) -> MapFileError {
    MapFileError {
        line: 1,
        column: 1,
        message,
    }
}

const INFINITE: &str = "infinite maps have no size; switch `Infinite` off in the map's properties";
const NOT_SQUARE: &str = "only orthogonal maps are read";

fn read_tmx(text: &str, files: Files<'_>) -> Result<Tiled, MapFileError> {
    let document = parse_xml(text)?;
    let error = |node: Node<'_, '_>, message: String| {
        let place = document.text_pos_at(node.range().start);
        MapFileError {
            line: place.row as usize,
            column: place.col as usize,
            message,
        }
    };
    let map = document.root_element();
    if map.tag_name().name() != "map" {
        return Err(error(map, "a Tiled map begins with <map>".to_owned()));
    }
    if map.attribute("infinite") == Some("1") {
        return Err(error(map, INFINITE.to_owned()));
    }
    if map
        .attribute("orientation")
        .is_some_and(|it| it != "orthogonal")
    {
        return Err(error(map, NOT_SQUARE.to_owned()));
    }
    let side = |name: &str| {
        let side = map.attribute(name).and_then(|side| side.parse().ok());
        side.ok_or_else(|| error(map, format!("<map> needs a whole number as `{name}`")))
    };
    let mut tiled = Tiled {
        width: side("width")?,
        height: side("height")?,
        ..Tiled::default()
    };
    tiled
        .check_size()
        .map_err(|wrong| error(map, wrong.to_string()))?;
    for set in map.children().filter(|node| node.has_tag_name("tileset")) {
        let first = set
            .attribute("firstgid")
            .and_then(|first| first.parse().ok());
        let first = first.ok_or_else(|| {
            error(
                set,
                "<tileset> needs a whole number as `firstgid`".to_owned(),
            )
        })?;
        match set.attribute("source") {
            None => mark_walls(set, first, &mut tiled.walls),
            Some(name) => {
                let named = |why: String| error(set, format!("`{name}` cannot be used: {why}"));
                let text = files(name).map_err(named)?;
                mark_tileset(name, &text, first, &mut tiled.walls).map_err(named)?;
            }
        }
    }
    // Layers may be in groups, and groups in groups.
    for layer in map.descendants().filter(|node| node.has_tag_name("layer")) {
        let name = layer.attribute("name").unwrap_or("");
        let data = layer.children().find(|node| node.has_tag_name("data"));
        let data = data.ok_or_else(|| error(layer, format!("layer {name:?} has no <data>")))?;
        let tiles = match data.attribute("encoding") {
            Some("csv") => from_csv(data.text().unwrap_or("")),
            Some("base64") => {
                let compression = data.attribute("compression").unwrap_or("");
                from_base64(data.text().unwrap_or(""), compression, &tiled)
            }
            Some(other) => Err(format!("the encoding {other:?} is not known; use CSV")),
            None => from_elements(data),
        };
        let tiles = tiles.map_err(|why| error(data, why))?;
        tiled
            .add_layer(name, has_wall(layer), tiles)
            .map_err(|why| error(layer, why))?;
    }
    Ok(tiled)
}

fn parse_xml(text: &str) -> Result<Document<'_>, MapFileError> {
    let options = roxmltree::ParsingOptions {
        // A document type of its own is where XML bombs are hidden.
        allow_dtd: false,
        // Far more than a map of the largest size takes.
        nodes_limit: 1 << 23,
        ..roxmltree::ParsingOptions::default()
    };
    Document::parse_with_options(text, options).map_err(|error| {
        let place = error.pos();
        MapFileError {
            line: place.row as usize,
            column: place.col as usize,
            message: format!("this is not XML: {error}"),
        }
    })
}

/// Whether an element has the property `wall`.
fn has_wall(node: Node<'_, '_>) -> bool {
    let properties = node
        .children()
        .filter(|child| child.has_tag_name("properties"));
    let mut properties = properties.flat_map(|all| all.children());
    properties.any(|property| {
        property
            .attribute("name")
            .is_some_and(|name| name.eq_ignore_ascii_case("wall"))
            && property.attribute("value") != Some("false")
    })
}

/// Notes the tiles of a set that are walls: by a property, or by their class.
fn mark_walls(set: Node<'_, '_>, first: u32, walls: &mut BTreeSet<u32>) {
    for tile in set.children().filter(|node| node.has_tag_name("tile")) {
        let class = tile.attribute("class").or_else(|| tile.attribute("type"));
        let is_wall = has_wall(tile) || class.is_some_and(|it| it.eq_ignore_ascii_case("wall"));
        let id = tile.attribute("id").and_then(|id| id.parse::<u32>().ok());
        if let Some(id) = id.filter(|_| is_wall) {
            walls.insert(first.saturating_add(id));
        }
    }
}

/// The same for a set in a file of its own, in XML or JSON.
fn mark_tileset(
    name: &str,
    text: &str,
    first: u32,
    walls: &mut BTreeSet<u32>,
) -> Result<(), String> {
    if name.ends_with(".tsx") {
        let document = parse_xml(text).map_err(|error| error.to_string())?;
        mark_walls(document.root_element(), first, walls);
    } else {
        let set = parse_json(text).map_err(|error| error.to_string())?;
        mark_json_walls(&set, first, walls);
    }
    Ok(())
}

fn from_csv(text: &str) -> Result<Vec<u32>, String> {
    let numbers = text
        .split(',')
        .map(str::trim)
        .filter(|text| !text.is_empty());
    numbers
        .map(|text| {
            text.parse()
                .map_err(|_| format!("{text:?} is no tile's number"))
        })
        .collect()
}

fn from_elements(data: Node<'_, '_>) -> Result<Vec<u32>, String> {
    let tiles = data.children().filter(|node| node.has_tag_name("tile"));
    tiles
        .map(|tile| {
            let number = tile.attribute("gid").unwrap_or("0");
            number
                .parse()
                .map_err(|_| format!("{number:?} is no tile's number"))
        })
        .collect()
}

fn from_base64(text: &str, compression: &str, tiled: &Tiled) -> Result<Vec<u32>, String> {
    use base64::Engine;
    let text: String = text.split_whitespace().collect();
    let bytes = base64::engine::general_purpose::STANDARD.decode(text);
    let mut bytes = bytes.map_err(|error| format!("the tiles are no base64: {error}"))?;
    match compression {
        "" => {}
        "zlib" => {
            // A few bytes may claim to be many: no more than the map has cells are unpacked.
            let most = 4 * (tiled.width * tiled.height) as usize;
            bytes = miniz_oxide::inflate::decompress_to_vec_zlib_with_limit(&bytes, most)
                .map_err(|error| format!("the tiles cannot be unpacked: {error}"))?;
        }
        other => {
            return Err(format!(
                "the compression {other:?} is not known; set the map's tile layer format to CSV or zlib"
            ));
        }
    }
    let (numbers, rest) = bytes.as_chunks::<4>();
    if !rest.is_empty() {
        return Err("the last tile is incomplete".to_owned());
    }
    Ok(numbers
        .iter()
        .map(|bytes| u32::from_le_bytes(*bytes))
        .collect())
}

fn parse_json(text: &str) -> Result<Value, MapFileError> {
    serde_json::from_str(text).map_err(|error| MapFileError {
        line: error.line().max(1),
        column: error.column().max(1),
        message: format!("this is not JSON: {error}"),
    })
}

fn read_tmj(text: &str, files: Files<'_>) -> Result<Tiled, MapFileError> {
    let map = parse_json(text)?;
    // Of a JSON value that is well-formed nobody knows the line any more; what it is called tells.
    let error = at_start;
    if map["infinite"].as_bool() == Some(true) {
        return Err(error(INFINITE.to_owned()));
    }
    if map["orientation"]
        .as_str()
        .is_some_and(|it| it != "orthogonal")
    {
        return Err(error(NOT_SQUARE.to_owned()));
    }
    let side = |name: &str| {
        let side = map[name].as_u64();
        side.ok_or_else(|| error(format!("a Tiled map needs a whole number as `{name}`")))
    };
    let mut tiled = Tiled {
        width: side("width")?,
        height: side("height")?,
        ..Tiled::default()
    };
    tiled
        .check_size()
        .map_err(|wrong| error(wrong.to_string()))?;
    for (place, set) in map["tilesets"].as_array().into_iter().flatten().enumerate() {
        let first = set["firstgid"]
            .as_u64()
            .and_then(|first| u32::try_from(first).ok());
        let first = first.ok_or_else(|| {
            error(format!(
                "`tilesets[{place}]` needs a whole number as `firstgid`"
            ))
        })?;
        match set["source"].as_str() {
            None => mark_json_walls(set, first, &mut tiled.walls),
            Some(name) => {
                let named = |why: String| error(format!("`{name}` cannot be used: {why}"));
                let text = files(name).map_err(named)?;
                mark_tileset(name, &text, first, &mut tiled.walls).map_err(named)?;
            }
        }
    }
    add_json_layers(&map, &mut tiled).map_err(error)?;
    Ok(tiled)
}

/// Layers may be in groups. JSON is nested no deeper than its parser allows.
fn add_json_layers(parent: &Value, tiled: &mut Tiled) -> Result<(), String> {
    for layer in parent["layers"].as_array().into_iter().flatten() {
        let name = layer["name"].as_str().unwrap_or("");
        match layer["type"].as_str() {
            Some("group") => add_json_layers(layer, tiled)?,
            Some("tilelayer") => {
                let tiles =
                    json_tiles(layer, tiled).map_err(|why| format!("layer {name:?}: {why}"))?;
                tiled.add_layer(name, has_json_wall(layer), tiles)?;
            }
            _ => {}
        }
    }
    Ok(())
}

fn json_tiles(layer: &Value, tiled: &Tiled) -> Result<Vec<u32>, String> {
    match &layer["data"] {
        Value::Array(numbers) => {
            let number = |number: &Value| {
                let tile = number.as_u64().and_then(|tile| u32::try_from(tile).ok());
                tile.ok_or_else(|| format!("{number} is no tile's number"))
            };
            numbers.iter().map(number).collect()
        }
        Value::String(text) => {
            from_base64(text, layer["compression"].as_str().unwrap_or(""), tiled)
        }
        _ => Err("there is no `data`".to_owned()),
    }
}

fn has_json_wall(value: &Value) -> bool {
    let properties = value["properties"].as_array().into_iter().flatten();
    let mut properties = properties.filter(|property| {
        property["name"]
            .as_str()
            .is_some_and(|name| name.eq_ignore_ascii_case("wall"))
    });
    properties.any(|property| property["value"].as_bool() != Some(false))
}

fn mark_json_walls(set: &Value, first: u32, walls: &mut BTreeSet<u32>) {
    for tile in set["tiles"].as_array().into_iter().flatten() {
        let class = tile["class"].as_str().or_else(|| tile["type"].as_str());
        let is_wall =
            has_json_wall(tile) || class.is_some_and(|class| class.eq_ignore_ascii_case("wall"));
        let id = tile["id"].as_u64().and_then(|id| u32::try_from(id).ok());
        if let Some(id) = id.filter(|_| is_wall) {
            walls.insert(first.saturating_add(id));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nothing(_: &str) -> Result<String, String> {
        Err("there is no such file".to_owned())
    }

    fn tmx(data: &str) -> Result<Vec<String>, MapFileError> {
        let text = format!(
            "<map width=\"3\" height=\"2\">\n<tileset firstgid=\"5\" source=\"set.tsx\"/>\n<group><layer name=\"ground\">{data}</layer></group></map>"
        );
        let set = "<tileset><tile id=\"0\"/><tile id=\"2\"><properties><property name=\"wall\" type=\"bool\" value=\"true\"/></properties></tile></tileset>";
        let grid = GridMap::from_tmx(&text, |name| {
            if name == "set.tsx" {
                Ok(set.to_owned())
            } else {
                nothing(name)
            }
        })?;
        Ok(grid.rows().collect())
    }

    #[test]
    fn every_way_to_write_tiles_is_read() {
        let rows = [".#.", "..#"];
        // Tile 7 is the wall; 0x80000007 is the same tile, turned.
        for data in [
            "<data encoding=\"csv\">5,7,5,\n0,5,2147483655</data>",
            "<data encoding=\"base64\">BQAAAAcAAAAFAAAAAAAAAAUAAAAHAACA</data>",
            "<data><tile gid=\"5\"/><tile gid=\"7\"/><tile/><tile/><tile/><tile gid=\"7\"/></data>",
        ] {
            assert_eq!(tmx(data).unwrap(), rows, "{data}");
        }
    }

    #[test]
    fn packed_tiles_are_unpacked() {
        let mut bytes = Vec::new();
        for tile in [5u32, 7, 5, 0, 5, 7] {
            bytes.extend(tile.to_le_bytes());
        }
        let packed = miniz_oxide::deflate::compress_to_vec_zlib(&bytes, 6);
        use base64::Engine;
        let text = base64::engine::general_purpose::STANDARD.encode(packed);
        let data = format!("<data encoding=\"base64\" compression=\"zlib\">{text}</data>");
        assert_eq!(tmx(&data).unwrap(), [".#.", "..#"]);
    }

    #[test]
    fn json_and_xml_say_the_same() {
        let text = r#"{ "width": 3, "height": 2, "orientation": "orthogonal", "infinite": false,
            "tilesets": [{ "firstgid": 5, "tiles": [{ "id": 2, "class": "wall" }] }],
            "layers": [
                { "type": "tilelayer", "name": "floor", "data": [5, 5, 5, 0, 5, 5] },
                { "type": "objectgroup", "name": "things" },
                { "type": "group", "layers": [{ "type": "tilelayer", "name": "more", "data": [0, 7, 0, 0, 0, 7] }] }
            ] }"#;
        let grid = GridMap::from_tmj(text, nothing).unwrap();
        assert_eq!(grid.rows().collect::<Vec<_>>(), [".#.", "#.#"]);
    }

    #[test]
    fn mistakes_have_a_place_and_a_reason() {
        for (text, line, reason) in [
            ("<map", 1, "not XML"),
            (
                "<map width=\"3\" height=\"1\">\n<layer name=\"walls\"/></map>",
                2,
                "no <data>",
            ),
            (
                "<map width=\"3\" height=\"1\">\n<layer name=\"walls\"><data encoding=\"csv\">1,2</data></layer></map>",
                2,
                "has 2 tiles",
            ),
            (
                "<map width=\"3\" height=\"1\"><layer name=\"walls\">\n<data encoding=\"csv\">1,x,2</data></layer></map>",
                2,
                "no tile's number",
            ),
            ("<map width=\"100000\" height=\"10000\"/>", 1, "too large"),
            ("<map infinite=\"1\"/>", 1, "Infinite"),
            (
                "<map width=\"1\" height=\"1\"><layer><data encoding=\"csv\">0</data></layer></map>",
                1,
                "where walls are",
            ),
            ("<!DOCTYPE map [<!ENTITY a \"b\">]><map/>", 1, "not XML"),
        ] {
            let error = GridMap::from_tmx(text, nothing).unwrap_err();
            assert_eq!(error.line, line, "{text}: {error}");
            assert!(error.to_string().contains(reason), "{error}");
        }
        let error = GridMap::from_tmj("{\n\"width\": }", nothing).unwrap_err();
        assert_eq!(error.line, 2);
    }
}
