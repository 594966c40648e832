//! Tiled's XML files: maps (`.tmx`) and tilesets (`.tsx`).

use roxmltree::{Document, Node};

use super::super::drawn_map::{DrawnObject, Measured};
use super::{Files, INFINITE, NOT_SQUARE, Tiled, from_base64, means_wall, no_tile};
use crate::{GridMap, MapFileError};

pub(super) fn read(text: &str, files: Files<'_>) -> Result<GridMap, MapFileError> {
    let document = parse(text)?;
    let map = document.root_element();
    if map.tag_name().name() != "map" {
        let found = map.tag_name().name();
        let message = format!("a Tiled map begins with <map>, not <{found}>; name the .tmx file");
        return Err(error(map, message));
    }
    if map.attribute("infinite") == Some("1") {
        return Err(error_in(map, "infinite", INFINITE.to_owned()));
    }
    if map
        .attribute("orientation")
        .is_some_and(|it| it != "orthogonal")
    {
        return Err(error_in(map, "orientation", NOT_SQUARE.to_owned()));
    }
    let mut tiled = Tiled::of_size(whole(map, "width")?, whole(map, "height")?)
        .map_err(|wrong| error_in(map, "width", wrong.to_string()))?;
    for set in map.children().filter(|node| node.has_tag_name("tileset")) {
        let first = whole(set, "firstgid")?;
        match set.attribute("source") {
            None => tiled.add_walls(first, walls_of(set)),
            Some(name) => tiled
                .add_tileset(name, first, files)
                .map_err(|why| error_in(set, "source", why))?,
        }
    }
    // Layers may be in groups, and groups in groups.
    for layer in map.descendants().filter(|node| node.has_tag_name("layer")) {
        let name = layer.attribute("name").unwrap_or("");
        let data = layer.children().find(|node| node.has_tag_name("data"));
        let data = data.ok_or_else(|| {
            let message = format!("layer {name:?} has no <data>; save the map again from Tiled");
            error(layer, message)
        })?;
        let tiles = tiles_of(data, tiled.free.len())?;
        tiled
            .add_layer(name, has_wall(layer), &tiles)
            .map_err(|why| error(layer, why))?;
    }
    tiled.grid().map_err(|why| error(map, why))
}

/// The objects of a map whose walls were read.
pub(in crate::map) fn objects(
    text: &str,
    grid: &GridMap,
) -> Result<Vec<DrawnObject>, MapFileError> {
    let document = parse(text)?;
    let map = document.root_element();
    let cell = [
        side_of_tile(map, "tilewidth")?,
        side_of_tile(map, "tileheight")?,
    ];
    let groups = map.descendants();
    let groups = groups.filter(|node| node.has_tag_name("objectgroup"));
    // Tiles have groups, too: of shapes that nobody has put onto the map.
    let groups = groups.filter(|group| group.ancestors().all(|it| !it.has_tag_name("tileset")));
    let mut objects = Vec::new();
    for group in groups {
        let layer = group.attribute("name").unwrap_or("");
        let drawn = group.children().filter(|node| node.has_tag_name("object"));
        for object in drawn {
            objects.push(read_object(object, layer, cell, grid)?);
        }
    }
    Ok(objects)
}

fn side_of_tile(map: Node<'_, '_>, name: &str) -> Result<f64, MapFileError> {
    let side = map.attribute(name).and_then(|it| it.trim().parse().ok());
    let side = side.filter(|side: &f64| *side >= 1.0 && side.is_finite());
    side.ok_or_else(|| {
        let message = format!("<map> needs the size of its tiles as `{name}`");
        error_in(map, name, message)
    })
}

fn read_object(
    object: Node<'_, '_>,
    layer: &str,
    cell: [f64; 2],
    grid: &GridMap,
) -> Result<DrawnObject, MapFileError> {
    let text = |name: &str| object.attribute(name).unwrap_or("").to_owned();
    let number = |name: &str, usual: Option<f64>| match object.attribute(name) {
        None => usual.ok_or_else(|| error(object, format!("<object> needs a number as `{name}`"))),
        Some(text) => {
            let number = text.trim().parse::<f64>().ok().filter(|it| it.is_finite());
            let message = || format!("{text:?} is no number; save the map again from Tiled");
            number.ok_or_else(|| error_in(object, name, message()))
        }
    };
    let size = [number("width", Some(0.0))?, number("height", Some(0.0))?];
    let mut at = [number("x", None)?, number("y", None)?];
    // Tiles that were put down as objects stand on their lower edge.
    if object.attribute("gid").is_some() {
        at[1] -= size[1];
    }
    let measured = Measured { at, size, cell };
    let shape = object.children().find_map(|child| {
        let is_line = child.has_tag_name("polyline") || child.has_tag_name("polygon");
        child.attribute("points").filter(|_| is_line)
    });
    let corners = shape.unwrap_or("").split_whitespace();
    let corners = corners.filter_map(|corner| {
        let (x, y) = corner.split_once(',')?;
        Some([x.parse().ok()?, y.parse().ok()?])
    });
    let properties = object.children().filter(|it| it.has_tag_name("properties"));
    let properties = properties.flat_map(|all| all.children());
    let properties = properties.filter_map(|property| {
        let name = property.attribute("name")?;
        let value = property.attribute("value").or_else(|| property.text())?;
        Some((name.to_owned(), value.to_owned()))
    });
    let class = object
        .attribute("class")
        .or_else(|| object.attribute("type"));
    Ok(DrawnObject {
        name: text("name"),
        kind: class.unwrap_or("").to_owned(),
        layer: layer.to_owned(),
        line: corners.map(|corner| measured.point(corner)).collect(),
        cells: measured.cells(grid),
        properties: properties.collect(),
    })
}

/// The tiles of a set that are walls.
pub(super) fn walls_of_tileset(text: &str) -> Result<Vec<u32>, MapFileError> {
    Ok(walls_of(parse(text)?.root_element()))
}

fn parse(text: &str) -> Result<Document<'_>, MapFileError> {
    let options = roxmltree::ParsingOptions {
        // A document type of its own is where XML bombs are hidden.
        allow_dtd: false,
        // Far more than a map of the largest size takes.
        nodes_limit: 1 << 23,
        ..roxmltree::ParsingOptions::default()
    };
    Document::parse_with_options(text, options).map_err(|error| {
        let place = error.pos();
        // It ends with its place, which is said already.
        let why = error.to_string();
        let why = why.strip_suffix(&format!(" at {place}")).unwrap_or(&why);
        MapFileError {
            line: place.row as usize,
            column: place.col as usize,
            message: format!("this is not XML: {why}; save the map again from Tiled"),
        }
    })
}

/// A mistake at this place of the text.
fn error_at(node: Node<'_, '_>, place: usize, message: String) -> MapFileError {
    let place = node.document().text_pos_at(place);
    MapFileError {
        line: place.row as usize,
        column: place.col as usize,
        message,
    }
}

/// A mistake in an element.
fn error(node: Node<'_, '_>, message: String) -> MapFileError {
    error_at(node, node.range().start, message)
}

/// A mistake in one of an element's attributes, or in its missing.
fn error_in(node: Node<'_, '_>, attribute: &str, message: String) -> MapFileError {
    match node.attribute_node(attribute) {
        Some(attribute) => error_at(node, attribute.range_value().start, message),
        None => error(node, message),
    }
}

fn whole<T: std::str::FromStr>(node: Node<'_, '_>, name: &str) -> Result<T, MapFileError> {
    let number = node
        .attribute(name)
        .and_then(|number| number.trim().parse().ok());
    number.ok_or_else(|| {
        let element = node.tag_name().name();
        let message = format!("<{element}> needs a whole number as `{name}`");
        error_in(node, name, message)
    })
}

fn tiles_of(data: Node<'_, '_>, cells: usize) -> Result<Vec<u32>, MapFileError> {
    match data.attribute("encoding") {
        Some("csv") => from_csv(data),
        Some("base64") => {
            let compression = data.attribute("compression").unwrap_or("");
            from_base64(data.text().unwrap_or(""), compression, cells)
                .map_err(|why| error(data, why))
        }
        Some(other) => {
            let message = format!("the encoding {other:?} is not known; use CSV");
            Err(error_in(data, "encoding", message))
        }
        None => from_elements(data),
    }
}

fn from_csv(data: Node<'_, '_>) -> Result<Vec<u32>, MapFileError> {
    let Some(node) = data.first_child().filter(Node::is_text) else {
        return Ok(Vec::new());
    };
    let text = node.text().unwrap_or("");
    let mut tiles = Vec::new();
    for (rank, field) in text.split(',').enumerate() {
        let number = field.trim();
        if !number.is_empty() {
            let wrong = |_| error_at(node, place_of(node, rank, number), no_tile(number));
            tiles.push(number.parse().map_err(wrong)?);
        }
    }
    Ok(tiles)
}

/// Where in the file a number of a list is, or the list if that cannot be told: the text of a node
/// is shorter than what was written, which has other ends of lines, and letters spelt by number.
fn place_of(node: Node<'_, '_>, rank: usize, number: &str) -> usize {
    let range = node.range();
    let written = &node.document().input_text()[range.clone()];
    let before = written.split(',').take(rank).map(|field| field.len() + 1);
    let before = before.sum::<usize>().min(written.len());
    let field = written[before..].split(',').next().unwrap_or("");
    let within = field.find(number).map(|within| before + within);
    range.start + within.unwrap_or(0)
}

fn from_elements(data: Node<'_, '_>) -> Result<Vec<u32>, MapFileError> {
    let tiles = data.children().filter(|node| node.has_tag_name("tile"));
    tiles
        .map(|tile| {
            let number = tile.attribute("gid").unwrap_or("0");
            let wrong = |_| error_in(tile, "gid", no_tile(number));
            number.parse().map_err(wrong)
        })
        .collect()
}

/// Whether an element has the property `wall`.
fn has_wall(node: Node<'_, '_>) -> bool {
    let properties = node
        .children()
        .filter(|child| child.has_tag_name("properties"));
    let mut properties = properties.flat_map(|all| all.children());
    properties.any(|property| {
        property.attribute("name").is_some_and(means_wall)
            && property.attribute("value") != Some("false")
    })
}

/// The tiles of a set that are walls: by a property, or by their class.
fn walls_of(set: Node<'_, '_>) -> Vec<u32> {
    let tiles = set.children().filter(|node| node.has_tag_name("tile"));
    let walls = tiles.filter(|tile| {
        let class = tile.attribute("class").or_else(|| tile.attribute("type"));
        has_wall(*tile) || class.is_some_and(means_wall)
    });
    walls
        .filter_map(|tile| tile.attribute("id")?.parse().ok())
        .collect()
}
