//! A level with nothing in it but a start and a goal.

use toml_edit::{Array, DocumentMut, InlineTable, Item, Table, Value, value};

use crate::folder::Folder;
use crate::furnishing::free_name;

/// Sides shorter than this leave no room between start and goal.
const SHORTEST_SIDE: u64 = 3;
/// Larger levels are slow to look at.
const LONGEST_SIDE: u64 = 1000;
/// Letters of the name, as a file.
const LONGEST_STEM: usize = 60;

/// The path and the text of a new level. The path is one at which there is no file yet.
pub(crate) fn write(
    folder: &Folder,
    name: &str,
    width: u64,
    height: u64,
) -> Result<(String, String), String> {
    for (side, length) in [("wide", width), ("high", height)] {
        if !(SHORTEST_SIDE..=LONGEST_SIDE).contains(&length) {
            return Err(format!(
                "a level is from {SHORTEST_SIDE} to {LONGEST_SIDE} cells {side}, not {length}"
            ));
        }
    }
    let name = name.trim();
    let name = if name.is_empty() { "New level" } else { name };
    let stem = stem(name);
    let path = free_name(&stem, |stem| folder.has(&format!("{stem}.toml")));
    Ok((format!("{path}.toml"), text(name, width, height)))
}

/// The name of a file for something that people call by this name.
pub(crate) fn stem(name: &str) -> String {
    let words = name.split(|letter: char| !letter.is_ascii_alphanumeric());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let mut stem = words.join("_").to_lowercase();
    stem.truncate(LONGEST_STEM);
    if stem.is_empty() {
        "level".to_owned()
    } else {
        stem
    }
}

fn text(name: &str, width: u64, height: u64) -> String {
    let middle = height / 2;
    let place = |x: u64| [x, middle].map(|number| number as i64);
    let mut within = InlineTable::new();
    within.insert("at", Value::Array(Array::from_iter(place(width - 2))));
    within.insert("radius", Value::from(0.0));
    let mut goal = InlineTable::new();
    goal.insert("within", Value::InlineTable(within));
    let row = Value::from(".".repeat(width as usize));
    let mut rows: Array = (0..height)
        .map(|_| row.clone().decorated("\n    ", ""))
        .collect();
    rows.set_trailing(",\n");
    let mut map = Table::new();
    map.insert("rows", value(rows));
    let mut document = DocumentMut::new();
    document.insert("format", value(1));
    document.insert("name", value(name));
    document.insert("start", value(Array::from_iter(place(1))));
    document.insert("goal", value(goal));
    document.insert("map", Item::Table(map));
    document.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use apprentice::world::Scenario;

    #[test]
    fn a_new_level_is_a_level_with_a_way_through_it() {
        let root = tempfile::tempdir().unwrap();
        let folder = Folder::open(root.path()).unwrap();
        let (path, text) = write(&folder, " The \"old\" mill ", 5, 3).unwrap();
        assert_eq!(path, "the_old_mill.toml");
        let expected = "format = 1\nname = 'The \"old\" mill'\nstart = [1, 1]\ngoal = { within = { at = [3, 1], radius = 0.0 } }\n\n\
             [map]\nrows = [\n    \".....\",\n    \".....\",\n    \".....\",\n]\n";
        assert_eq!(text, expected);
        for (width, height) in [(3, 3), (3, 1000), (1000, 3), (1000, 1000)] {
            let (_, text) = write(&folder, "", width, height).unwrap();
            let scenario = Scenario::parse(&text).unwrap();
            assert_eq!(scenario.map().places() as u64, width * height);
            assert_eq!(scenario.name(), "New level");
        }
    }

    #[test]
    fn no_file_is_in_the_way_and_no_size_out_of_bounds() {
        let root = tempfile::tempdir().unwrap();
        let folder = Folder::open(root.path()).unwrap();
        folder.write("mill.toml", "taken").unwrap();
        assert_eq!(write(&folder, "Mill", 9, 9).unwrap().0, "mill_2.toml");
        assert_eq!(write(&folder, "水車", 9, 9).unwrap().0, "level.toml");
        let long = write(&folder, &"a".repeat(500), 9, 9).unwrap().0;
        assert_eq!(long.len(), LONGEST_STEM + ".toml".len());
        for (width, height) in [(0, 9), (2, 9), (9, 1001), (u64::MAX, 9)] {
            let refused = write(&folder, "Mill", width, height).unwrap_err();
            assert!(refused.contains("from 3 to 1000"), "{refused}");
        }
    }
}
