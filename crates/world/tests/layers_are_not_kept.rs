//! Reading a map of many layers takes no more memory than reading one: a small file may unpack to
//! very many tiles.

use apprentice_world::GridMap;
use base64::Engine;

const SIDE: usize = 256;

/// A layer with one tile, packed as Tiled packs it.
fn packed(cell: usize, tile: u32) -> String {
    let mut bytes = vec![0; 4 * SIDE * SIDE];
    bytes[4 * cell..][..4].copy_from_slice(&tile.to_le_bytes());
    let packed = miniz_oxide::deflate::compress_to_vec_zlib(&bytes, 6);
    base64::engine::general_purpose::STANDARD.encode(packed)
}

/// The most bytes held while a map is read that has this many layers, each with a wall.
fn weight(layers: usize, is_json: bool) -> u64 {
    let layer = |number: usize| {
        let data = packed(number, 7);
        if is_json {
            format!(
                r#"{{ "type": "tilelayer", "name": "walls", "compression": "zlib", "data": "{data}" }}"#
            )
        } else {
            format!(
                r#"<layer name="walls"><data encoding="base64" compression="zlib">{data}</data></layer>"#
            )
        }
    };
    let all: Vec<String> = (0..layers).map(layer).collect();
    let text = if is_json {
        let all = all.join(",");
        format!(r#"{{ "width": {SIDE}, "height": {SIDE}, "layers": [{all}] }}"#)
    } else {
        let all = all.concat();
        format!(r#"<map width="{SIDE}" height="{SIDE}">{all}</map>"#)
    };
    drop(all);
    let nothing = |_: &str| Err("there is no such file".to_owned());
    let mut grid = None;
    let taken = allocation_counter::measure(|| {
        grid = Some(if is_json {
            GridMap::from_tmj(&text, nothing)
        } else {
            GridMap::from_tmx(&text, nothing)
        });
    });
    let grid = grid.expect("it was read").expect("the map is sound");
    let row = grid.rows().next();
    let row = row.expect("it has rows");
    assert_eq!(row, "#".repeat(layers) + &".".repeat(SIDE - layers));
    taken.bytes_max
}

#[test]
fn in_xml_or_json() {
    for is_json in [false, true] {
        let (few, many) = (weight(2, is_json), weight(100, is_json));
        // What is written in the file may be held for every layer, but not what it unpacks to.
        assert!(many < 2 * few, "{few} bytes for 2 layers, {many} for 100");
    }
}
