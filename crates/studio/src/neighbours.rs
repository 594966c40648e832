//! What paths mean beside each other: a scenario names its map and its logs as seen from where it lies.

use toml_edit::{Item, Value};

use crate::scenario_text::{changed, parse};

/// The file of its map, if it has one, as the text calls it.
pub(crate) fn map_file(text: &str) -> Result<Option<String>, String> {
    let document = parse(text)?;
    let map = document.get("map").and_then(Item::as_table_like);
    let file = map.and_then(|map| map.get("file")).and_then(Item::as_str);
    Ok(file.map(ToOwned::to_owned))
}

/// The text as a file at `to` has it, if it came from one at `from`: the file of its map stays the
/// same file.
pub(crate) fn with_map_from(text: &str, from: &str, to: &str) -> Result<String, String> {
    let file = map_file(text)?;
    let Some(path) = file.and_then(|name| beside(from, &name)) else {
        return Ok(text.to_owned());
    };
    changed(text, |document| {
        let map = document.get_mut("map").and_then(Item::as_table_like_mut);
        if let Some(Item::Value(file)) = map.and_then(|map| map.get_mut("file")) {
            let decor = file.decor().clone();
            *file = Value::from(from_beside(to, &path));
            *file.decor_mut() = decor;
        }
    })
}

/// The path of a file that the file at `path` calls by a name relative to itself; none if it leads
/// out of the folder all paths begin in.
pub(crate) fn beside(path: &str, name: &str) -> Option<String> {
    let mut parts: Vec<&str> = path.split('/').collect();
    parts.pop();
    for part in name.split('/') {
        match part {
            "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// What the file at `path` calls another.
pub(crate) fn from_beside(path: &str, other: &str) -> String {
    let mut here: Vec<&str> = path.split('/').collect();
    here.pop();
    let there: Vec<&str> = other.split('/').collect();
    let shared = here.iter().zip(&there).take_while(|(a, b)| a == b).count();
    let up = here[shared..].iter().map(|_| "..");
    up.chain(there[shared..].iter().copied())
        .collect::<Vec<_>>()
        .join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_map_stays_the_same_file() {
        let text = "map = { file = \"caves/a.mesh\" } # deep\n";
        for (from, to, file) in [
            ("b.toml", "c.toml", "caves/a.mesh"),
            ("levels/b.toml", "moments/c.toml", "../levels/caves/a.mesh"),
            ("levels/b.toml", "c.toml", "levels/caves/a.mesh"),
            ("b.toml", "moments/old/c.toml", "../../caves/a.mesh"),
        ] {
            let expected = text.replace("caves/a.mesh", file);
            assert_eq!(with_map_from(text, from, to).unwrap(), expected);
            assert_eq!(beside(to, file), beside(from, "caves/a.mesh"));
        }
        assert_eq!(beside("levels/b.toml", "../../a.mesh"), None);
        let drawn = "map = { rows = ['...'] }\n";
        assert_eq!(with_map_from(drawn, "a.toml", "b/c.toml").unwrap(), drawn);
    }
}
