//! Reads maps of the level editor Tiled, from its XML files (`.tmx`) and its JSON files (`.tmj`).
//!
//! A cell is a wall where a layer called `walls`, or one with the property `wall`, has a tile;
//! where any layer has a tile with the property `wall`; and, if there is a layer called `floor`,
//! where that has none.

pub(super) mod in_json;
pub(super) mod in_xml;

use std::collections::BTreeSet;

use super::MapFileError;
use crate::{GridMap, MapError};

/// Finds the text of another file by its name.
type Files<'f> = &'f mut dyn FnMut(&str) -> Result<String, String>;

/// What both kinds of files say, as far as it has been read. The tiles of a layer are not kept: small
/// files may unpack to very many.
struct Tiled {
    width: u64,
    height: u64,
    /// The numbers of tiles that are walls wherever they are. All are known before the first layer.
    walls: BTreeSet<u32>,
    /// The names of the layers.
    layers: Vec<String>,
    /// Whether a layer was called `floor`.
    has_floor: bool,
    /// Whether a layer was one of walls.
    has_walls: bool,
    /// The cells, row by row, that no layer has made a wall yet.
    free: Vec<bool>,
}

/// The highest bits of a tile's number say how it is turned.
const TURNED: u32 = 0xF000_0000;
/// In all layers together: 64 layers of the largest map.
const MOST_TILES: u64 = 64 * GridMap::MOST_CELLS;
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
        in_xml::read(text, &mut files)
    }

    /// Reads a JSON map of Tiled. Tilesets of their own are asked of `files`.
    pub fn from_tmj(
        text: &str,
        mut files: impl FnMut(&str) -> Result<String, String>,
    ) -> Result<GridMap, MapFileError> {
        in_json::read(text, &mut files)
    }
}

impl Tiled {
    fn of_size(width: u64, height: u64) -> Result<Tiled, MapError> {
        GridMap::check_size(width, height)?;
        Ok(Tiled {
            width,
            height,
            walls: BTreeSet::new(),
            layers: Vec::new(),
            has_floor: false,
            has_walls: false,
            free: vec![true; (width * height) as usize],
        })
    }

    fn grid(self) -> Result<GridMap, String> {
        if self.walls.is_empty() && !self.has_floor && !self.has_walls {
            return Err(self.nothing_is_a_wall());
        }
        Ok(GridMap::new(
            self.width as u16,
            self.height as u16,
            self.free,
        ))
    }

    fn nothing_is_a_wall(&self) -> String {
        let layers = match &self.layers[..] {
            [] => "there is no tile layer: add one and call it".to_owned(),
            [name] => format!("call the tile layer {name:?}"),
            names => format!("call one of the tile layers {names:?}"),
        };
        format!("nothing says where walls are; {layers} `walls`, or give tiles a property `wall`")
    }

    /// Notes what a layer's tiles say about the cells, if there are as many.
    fn add_layer(&mut self, name: &str, is_wall: bool, tiles: &[u32]) -> Result<(), String> {
        let cells = self.free.len();
        if tiles.len() != cells {
            return Err(format!(
                "layer {name:?} has {} tiles, but the map has {cells} cells; save it again from Tiled",
                tiles.len()
            ));
        }
        // A small file can hold a great many layers of nothing.
        if (self.layers.len() * cells) as u64 >= MOST_TILES {
            return Err(format!(
                "{} layers of {cells} cells are too many; leave out those that have no walls",
                self.layers.len() + 1
            ));
        }
        let is_wall = is_wall || name.eq_ignore_ascii_case(WALLS);
        // If several are called so, the first is the floor.
        let is_floor = name.eq_ignore_ascii_case(FLOOR) && !self.has_floor;
        for (free, tile) in self.free.iter_mut().zip(tiles) {
            *free &= match tile & !TURNED {
                0 => !is_floor,
                tile => !is_wall && !self.walls.contains(&tile),
            };
        }
        self.has_walls |= is_wall;
        self.has_floor |= is_floor;
        self.layers.push(name.to_owned());
        Ok(())
    }

    /// Notes the walls of a tileset in a file of its own, in XML or JSON.
    fn add_tileset(&mut self, name: &str, first: u32, files: Files<'_>) -> Result<(), String> {
        let unusable = |why: String| format!("`{name}` cannot be used: {why}");
        let text = files(name).map_err(unusable)?;
        let walls = if name.ends_with(".tsx") {
            in_xml::walls_of_tileset(&text)
        } else {
            in_json::walls_of_tileset(&text)
        };
        let walls = walls.map_err(|error| unusable(error.to_string()))?;
        self.add_walls(first, walls);
        Ok(())
    }

    /// Notes which tiles of a set are walls. In a map they are counted from `first`.
    fn add_walls(&mut self, first: u32, walls: Vec<u32>) {
        let counted = walls.into_iter().map(|tile| first.saturating_add(tile));
        self.walls.extend(counted);
    }
}

/// Whether the name of a layer's or tile's property, or a tile's class, says that it is a wall.
fn means_wall(name: &str) -> bool {
    name.eq_ignore_ascii_case("wall")
}

const INFINITE: &str = "infinite maps have no size; switch `Infinite` off in the map's properties";
const NOT_SQUARE: &str =
    "only orthogonal maps are read; choose that `Orientation` in the map's properties";

fn no_tile(found: &str) -> String {
    format!("{found} is no tile's number; write a whole number, 0 for no tile")
}

fn from_base64(text: &str, compression: &str, cells: usize) -> Result<Vec<u32>, String> {
    use base64::Engine;
    let text: String = text.split_whitespace().collect();
    let bytes = base64::engine::general_purpose::STANDARD.decode(text);
    let mut bytes =
        bytes.map_err(|error| format!("the tiles are no base64 ({error}); {OTHER_FORMAT}"))?;
    match compression {
        "" => {}
        "zlib" => {
            // A few bytes may claim to be many: no more than the map has cells are unpacked.
            let most = 4 * cells;
            bytes = miniz_oxide::inflate::decompress_to_vec_zlib_with_limit(&bytes, most).map_err(
                |error| format!("the tiles cannot be unpacked ({error}); {OTHER_FORMAT}"),
            )?;
        }
        other => {
            return Err(format!(
                "the compression {other:?} is not known; {OTHER_FORMAT}"
            ));
        }
    }
    let (numbers, rest) = bytes.as_chunks::<4>();
    if !rest.is_empty() {
        return Err(format!("the last tile is incomplete; {OTHER_FORMAT}"));
    }
    Ok(numbers
        .iter()
        .map(|bytes| u32::from_le_bytes(*bytes))
        .collect())
}

const OTHER_FORMAT: &str = "set the map's `Tile Layer Format` to CSV and save it again";

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
    fn layers_of_nothing_come_to_an_end() {
        let mut tiled = Tiled::of_size(2048, 2048).unwrap();
        let nothing = vec![0; 2048 * 2048];
        for layer in 0..64 {
            assert_eq!(
                tiled.add_layer("nothing", false, &nothing),
                Ok(()),
                "{layer}"
            );
        }
        assert_eq!(
            tiled.add_layer("nothing", false, &nothing).unwrap_err(),
            "65 layers of 4194304 cells are too many; leave out those that have no walls"
        );
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
    fn mistakes_in_xml_have_a_place_and_a_remedy() {
        for (text, expected) in [
            (
                "<map>\n</mop>",
                "line 2, column 1: this is not XML: expected 'map' tag, not 'mop'; save the map again from Tiled",
            ),
            (
                "<!DOCTYPE map [<!ENTITY a \"b\">]><map/>",
                "line 1, column 1: this is not XML: XML with DTD detected; save the map again from Tiled",
            ),
            (
                "\n  <tileset/>",
                "line 2, column 3: a Tiled map begins with <map>, not <tileset>; name the .tmx file",
            ),
            (
                "<map width=\"3\"\n  height=\"tall\"/>",
                "line 2, column 11: <map> needs a whole number as `height`",
            ),
            (
                "<map infinite=\"1\"/>",
                "line 1, column 16: infinite maps have no size; switch `Infinite` off in the map's properties",
            ),
            (
                "<map orientation=\"hexagonal\"/>",
                "line 1, column 19: only orthogonal maps are read; choose that `Orientation` in the map's properties",
            ),
            (
                "<map width=\"3\" height=\"1\">\n<tileset firstgid=\"1\" source=\"set.tsx\"/></map>",
                "line 2, column 31: `set.tsx` cannot be used: there is no such file",
            ),
            (
                "<map width=\"3\" height=\"1\">\n<layer name=\"walls\"/></map>",
                "line 2, column 1: layer \"walls\" has no <data>; save the map again from Tiled",
            ),
            (
                "<map width=\"3\" height=\"1\">\n<layer name=\"walls\"><data encoding=\"csv\">1,2</data></layer></map>",
                "line 2, column 1: layer \"walls\" has 2 tiles, but the map has 3 cells; save it again from Tiled",
            ),
            (
                "<map width=\"3\" height=\"2\"><layer name=\"walls\"><data encoding=\"csv\">\n1,2,1,\n1, x,2</data></layer></map>",
                "line 3, column 4: x is no tile's number; write a whole number, 0 for no tile",
            ),
            (
                "<map width=\"3\" height=\"1\"><layer><data encoding=\"csv\">1,\r\n\u{a0}x</data></layer></map>",
                "line 2, column 2: x is no tile's number; write a whole number, 0 for no tile",
            ),
            (
                "<map width=\"3\" height=\"3\"><layer><data encoding=\"csv\">\r\n1,2,1,\r\n&#49;,\u{e4},2</data></layer></map>",
                "line 3, column 7: \u{e4} is no tile's number; write a whole number, 0 for no tile",
            ),
            (
                "<map width=\"3\" height=\"1\"><layer>\n<data encoding=\"csv\"><![CDATA[1,x]]></data></layer></map>",
                "line 2, column 33: x is no tile's number; write a whole number, 0 for no tile",
            ),
            (
                "<map width=\"3\" height=\"1\"><layer>\n<data encoding=\"csv\">1&#44;x,\u{e4}</data></layer></map>",
                "line 2, column 22: x is no tile's number; write a whole number, 0 for no tile",
            ),
            (
                "<map width=\"1\" height=\"1\"><layer><data>\n<tile gid=\"-1\"/></data></layer></map>",
                "line 2, column 12: -1 is no tile's number; write a whole number, 0 for no tile",
            ),
            (
                "<map width=\"1\" height=\"1\"><layer>\n<data encoding=\"base64\" compression=\"zstd\">AA==</data></layer></map>",
                "line 2, column 1: the compression \"zstd\" is not known; set the map's `Tile Layer Format` to CSV and save it again",
            ),
            (
                "<map width=\"1\" height=\"1\"><layer name=\"ground\"><data encoding=\"csv\">0</data></layer></map>",
                "line 1, column 1: nothing says where walls are; call the tile layer \"ground\" `walls`, or give tiles a property `wall`",
            ),
        ] {
            let error = GridMap::from_tmx(text, nothing).unwrap_err();
            assert_eq!(error.to_string(), expected, "{text}");
        }
        let error =
            GridMap::from_tmx("<map width=\"100000\" height=\"10000\"/>", nothing).unwrap_err();
        assert!(
            error.to_string().starts_with("line 1, column 13: "),
            "{error}"
        );
        assert!(error.to_string().contains("too large"), "{error}");
    }

    #[test]
    fn mistakes_in_json_have_a_place_and_a_remedy() {
        let with = |layer: &str| {
            format!("{{ \"width\": 3, \"height\": 1,\n\"layers\": [\n  {layer}\n] }}")
        };
        for (text, expected) in [
            (
                "{\n\"width\": }".to_owned(),
                "line 2, column 10: this is not JSON: expected value; save the map again from Tiled",
            ),
            (
                "[]".to_owned(),
                "line 1, column 1: a whole number is needed as `width`; save the map again from Tiled",
            ),
            (
                "{ \"width\": 3,\n \"height\": \"tall\" }".to_owned(),
                "line 2, column 12: a whole number is needed as `height`; save the map again from Tiled",
            ),
            (
                "{\n \"infinite\": true }".to_owned(),
                "line 2, column 14: infinite maps have no size; switch `Infinite` off in the map's properties",
            ),
            (
                "{\n \"orientation\": \"isometric\" }".to_owned(),
                "line 2, column 17: only orthogonal maps are read; choose that `Orientation` in the map's properties",
            ),
            (
                "{ \"width\": 3, \"height\": 1, \"tilesets\": [\n { \"firstgid\": 1 },\n { \"firstgid\": -1 }] }".to_owned(),
                "line 3, column 16: a whole number is needed as `firstgid`; save the map again from Tiled",
            ),
            (
                "{ \"width\": 3, \"height\": 1, \"tilesets\": [\n { \"firstgid\": 1,\n \"source\": \"set.tsj\" }] }".to_owned(),
                "line 3, column 12: `set.tsj` cannot be used: there is no such file",
            ),
            (
                with("{ \"type\": \"tilelayer\", \"name\": \"walls\" }"),
                "line 3, column 3: layer \"walls\" has no `data`; save the map again from Tiled",
            ),
            (
                with("{ \"type\": \"tilelayer\", \"name\": \"walls\", \"data\": [0, 1] }"),
                "line 3, column 51: layer \"walls\" has 2 tiles, but the map has 3 cells; save it again from Tiled",
            ),
            (
                with("{ \"type\": \"tilelayer\", \"name\": \"walls\", \"data\": [0,\n 1.5, 2] }"),
                "line 4, column 2: 1.5 is no tile's number; write a whole number, 0 for no tile",
            ),
            (
                with("{ \"type\": \"tilelayer\", \"name\": \"w\u{e4}nde\", \"data\": 7 }"),
                "line 3, column 51: `data` is no list of tiles; save the map again from Tiled",
            ),
            (
                with("{ \"type\": \"group\", \"layers\": [\n { \"type\": \"tilelayer\", \"data\": \"AAA\" }] }"),
                "line 4, column 33: the tiles are no base64 (Invalid padding); set the map's `Tile Layer Format` to CSV and save it again",
            ),
            (
                with("{ \"type\": \"tilelayer\", \"name\": \"a\", \"data\": [0, 0, 0] },\n{ \"type\": \"tilelayer\", \"name\": \"b\", \"data\": [0, 0, 0] }"),
                "line 1, column 1: nothing says where walls are; call one of the tile layers [\"a\", \"b\"] `walls`, or give tiles a property `wall`",
            ),
        ] {
            let error = GridMap::from_tmj(&text, nothing).unwrap_err();
            assert_eq!(error.to_string(), expected, "{text}");
        }
        // Nested too deep for the stack.
        let deep = "[".repeat(100_000);
        assert!(GridMap::from_tmj(&deep, nothing).is_err());
    }
}
