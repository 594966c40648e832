//! What is put into a level, copied, and taken out of it again.

use std::collections::BTreeSet;

use toml_edit::{Array, ArrayOfTables, DocumentMut, Item, Table, Value, value};

use crate::references;
use crate::scenario_text::{
    self, Spot, add_player, entries, find, is_called, move_cells, place, remove_player, unknown,
};
use crate::walls;

/// What can be put into a level besides a player and enemies, by the name of its list.
const THINGS: [&str; 6] = ["key", "door", "shield", "item", "pack", "lever"];
/// Somebody else who takes orders.
const CHARACTER: &str = "character";
/// Whose lists have ids of things in them.
const LISTS: [&str; 10] = [
    "key", "door", "shield", "item", "pack", "lever", "enemy", "actor", "trap", "area",
];
/// Those that only cover places, and are not put elsewhere.
const PATCHES: [&str; 2] = ["trap", "area"];

/// Puts something new into the level: a thing of this name, a player, or an enemy of this kind.
pub(crate) fn add(
    document: &mut DocumentMut,
    what: &str,
    to: Spot,
    opened_by: Option<&str>,
) -> Result<(), String> {
    if what == "player" {
        if document.contains_key("player") {
            return Err("there is a player already; drag it to where it should be".to_owned());
        }
        add_player(document, to);
        return Ok(());
    }
    let list = match what {
        CHARACTER => "actor",
        _ if THINGS.contains(&what) => what,
        _ => "enemy",
    };
    let id = free_id(document, what);
    let mut entry = Table::new();
    entry.insert("id", value(id.as_str()));
    if list == "enemy" {
        entry.insert("kind", value(what));
    }
    let at = place(to, None);
    if what == "door" {
        walls::carve(document, &cells_of(std::slice::from_ref(&at)));
        entry.insert("at", value(Array::from_iter([Value::Array(at)])));
    } else {
        entry.insert("at", value(at));
    }
    push(document, list, entry);
    if let Some(key) = opened_by {
        open_with(document, &id, key)?;
    }
    Ok(())
}

/// A door is opened by a key or a lever, too.
pub(crate) fn open_with(document: &mut DocumentMut, door: &str, by: &str) -> Result<(), String> {
    let opener = find(document, &["key", "lever"], by)
        .map_err(|_| format!("no key or lever is called `{by}`; choose one that is there"))?;
    match opener.get_mut("opens").and_then(Item::as_array_mut) {
        Some(doors) => doors.push(door),
        None => {
            opener.insert("opens", value(Array::from_iter([door])));
        }
    }
    Ok(())
}

/// Puts another of the same kind, and with the same numbers, into the level.
pub(crate) fn copy(document: &mut DocumentMut, thing: &str, to: Spot) -> Result<(), String> {
    let list = list_of(document, thing).ok_or_else(|| not_copied(thing))?;
    if PATCHES.contains(&list) {
        return Err(format!(
            "`{thing}` covers places that only the file says; write another `[[{list}]]` there"
        ));
    }
    let original = find(document, &[list], thing)?;
    let mut entry = Table::new();
    for (key, item) in original.iter() {
        entry.insert(key, item.clone());
    }
    let base = thing.trim_end_matches(|letter: char| letter.is_ascii_digit());
    let base = if base.len() < thing.len() {
        base.trim_end_matches('_')
    } else {
        thing
    };
    let id = free_id(document, base);
    entry.insert("id", value(id.as_str()));
    if list == "door" {
        let cells = entry.get_mut("at").and_then(Item::as_array_mut);
        let cells = cells.ok_or_else(|| unknown(thing))?;
        move_cells(cells, to, &[]);
        let cells: Vec<Array> = cells.iter().filter_map(Value::as_array).cloned().collect();
        walls::carve(document, &cells_of(&cells));
    } else {
        let at = place(to, entry.get("at").and_then(Item::as_value));
        entry.insert("at", value(at));
    }
    push(document, list, entry);
    references::mention_beside(document, thing, &id);
    Ok(())
}

/// Takes a thing out. Who referred to it no longer does; what the goal asks for stays.
pub(crate) fn remove(
    document: &mut DocumentMut,
    thing: &str,
    notes: &mut Vec<String>,
) -> Result<(), String> {
    match thing {
        "start" => return Err("every level has a start; drag it elsewhere".to_owned()),
        _ if thing == "goal" || thing.starts_with("goal:") => {
            return Err(
                "every level has a goal; drag it elsewhere, or write another one".to_owned(),
            );
        }
        _ => {}
    }
    if let Some(goal) = references::in_goal_of(document, thing) {
        return Err(format!(
            "{goal} asks for `{thing}`, so it stays; write another goal first"
        ));
    }
    if thing == "player" {
        remove_player(document);
        return Ok(());
    }
    let list = list_of(document, thing).ok_or_else(|| unknown(thing))?;
    let doors = opened_by(document, thing);
    match document.get_mut(list) {
        Some(Item::ArrayOfTables(tables)) => {
            tables.retain(|entry| !is_called(entry, thing));
            if tables.is_empty() {
                document.remove(list);
            }
        }
        Some(Item::Value(Value::Array(array))) => array.retain(|entry| {
            let entry = entry.as_inline_table();
            entry.is_none_or(|entry| !is_called(entry, thing))
        }),
        _ => return Err(unknown(thing)),
    }
    for door in doors {
        if references::openers(document, &door).is_empty() {
            notes.push(format!(
                "`{thing}` opened `{door}`; nothing opens `{door}` now"
            ));
        }
    }
    references::forget(document, thing, notes);
    Ok(())
}

/// The doors a key or a lever opens.
fn opened_by(document: &DocumentMut, thing: &str) -> Vec<String> {
    let lists = ["key", "lever"].into_iter();
    let mut entries = lists.flat_map(|list| document.get(list).into_iter().flat_map(entries));
    let Some(entry) = entries.find(|entry| is_called(*entry, thing)) else {
        return Vec::new();
    };
    let fields = ["opens", "toggles"].into_iter();
    let doors = fields.filter_map(|field| entry.get(field)?.as_array());
    let doors: BTreeSet<String> = doors
        .flat_map(|doors| references::names(doors).map(ToOwned::to_owned))
        .collect();
    doors.into_iter().collect()
}

/// The list a thing is in.
pub(crate) fn list_of(document: &DocumentMut, thing: &str) -> Option<&'static str> {
    LISTS.into_iter().find(|list| {
        let mut entries = document.get(list).into_iter().flat_map(entries);
        entries.any(|entry| is_called(entry, thing))
    })
}

/// An id that nothing has: the word itself, or with a number.
fn free_id(document: &DocumentMut, word: &str) -> String {
    let lists = LISTS.into_iter().chain(["obstacle"]);
    let listed = lists.flat_map(|list| document.get(list).into_iter().flat_map(entries));
    let mut taken: BTreeSet<&str> = listed
        .filter_map(|entry| entry.get("id")?.as_str())
        .collect();
    taken.extend(["npc", "player", "start", "goal"]);
    free_name(word, |name| taken.contains(name))
}

/// The word itself, or with the first number with which it is not taken.
pub(crate) fn free_name(word: &str, is_taken: impl Fn(&str) -> bool) -> String {
    let numbered = (2..).map(|number: u32| format!("{word}_{number}"));
    let mut names = std::iter::once(word.to_owned()).chain(numbered);
    names.find(|name| !is_taken(name)).unwrap_or_default()
}

/// Puts an entry at the end of a list, written as the list is.
fn push(document: &mut DocumentMut, list: &str, entry: Table) {
    match document.get_mut(list) {
        Some(Item::ArrayOfTables(tables)) => tables.push(entry),
        Some(Item::Value(Value::Array(array))) => array.push(entry.into_inline_table()),
        _ => {
            let tables: ArrayOfTables = std::iter::once(entry).collect();
            document.insert(list, Item::ArrayOfTables(tables));
        }
    }
}

/// The cells of places.
fn cells_of(places: &[Array]) -> Vec<[u32; 2]> {
    let places = places.iter().map(|place| Value::Array(place.clone()));
    let cells = places.filter_map(|place| scenario_text::seen_from_above(&place));
    let on_the_map = cells.filter(|cell| cell.iter().all(|number| *number >= 0.0));
    on_the_map
        .map(|cell| cell.map(|number| number.round() as u32))
        .collect()
}

fn not_copied(thing: &str) -> String {
    format!("`{thing}` is there once in every level; copy a thing or an enemy")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::Edit;
    use crate::scenario_text::{Edited, edited};
    use apprentice::world::Scenario;

    const LEVEL: &str = r#"format = 1
start = [0, 0]
goal = { all = [{ holds = "pearl" }, { within = { at = [4, 0], radius = 0.0 } }] }
needs = ["red"]

[map]
rows = [
    "..#..",
    "..#..",
]

# Under the carpet.
[[key]]
id = "red"
at = [1, 0]
opens = ["gate"]

[[door]]
id = "gate"
at = [[3, 0]]

[[item]]
id = "pearl"
at = [1, 1]
"#;

    /// What comes out is a level, too.
    fn after(edits: &[Edit]) -> Edited {
        let edited = edited(LEVEL, edits).unwrap();
        Scenario::parse(&edited.text).unwrap_or_else(|error| panic!("{error}\n{}", edited.text));
        edited
    }

    fn add(what: &str, x: f64, y: f64) -> Edit {
        Edit::Add {
            what: what.to_owned(),
            x,
            y,
            height: None,
            opened_by: None,
        }
    }

    fn remove(thing: &str) -> Edit {
        let thing = thing.to_owned();
        Edit::Remove { thing }
    }

    fn copy(thing: &str, x: f64, y: f64) -> Edit {
        let (thing, height) = (thing.to_owned(), None);
        Edit::Copy {
            thing,
            x,
            y,
            height,
        }
    }

    #[test]
    fn everything_that_can_be_put_into_a_level_is_read_again() {
        let enemies = apprentice::world::Kind::KNOWN.into_iter();
        for what in THINGS
            .into_iter()
            .chain(enemies)
            .chain(["player", CHARACTER])
        {
            let Edited { text, .. } = after(&[add(what, 3.0, 1.0)]);
            assert!(text.contains("# Under the carpet.\n[[key]]"), "{text}");
            let again = after(&[add(what, 3.0, 1.0), remove(what)]);
            assert_eq!(again.text, LEVEL, "{what} leaves nothing behind");
        }
        assert!(edited(LEVEL, &[add("player", 0.0, 1.0), add("player", 3.0, 1.0)]).is_err());
    }

    #[test]
    fn a_door_makes_an_opening_and_is_opened_by_its_key() {
        let door = Edit::Add {
            what: "door".to_owned(),
            x: 2.0,
            y: 1.0,
            height: None,
            opened_by: Some("red".to_owned()),
        };
        let Edited { text, .. } = after(&[door]);
        assert!(text.contains("\"..#..\",\n    \".....\""), "{text}");
        assert!(text.contains("opens = [\"gate\", \"door\"]"), "{text}");
        assert!(text.contains("id = \"door\"\nat = [[2, 1]]"), "{text}");
        let lost = Edit::Add {
            what: "door".to_owned(),
            x: 2.0,
            y: 1.0,
            height: None,
            opened_by: Some("blue".to_owned()),
        };
        assert!(edited(LEVEL, &[lost]).unwrap_err().contains("`blue`"));
    }

    #[test]
    fn copies_have_names_of_their_own_and_the_same_numbers() {
        let Edited { text, .. } = after(&[copy("red", 3.0, 1.0), copy("red_2", 4.0, 1.0)]);
        for id in ["red_2", "red_3"] {
            assert!(text.contains(&format!("id = \"{id}\"\n")), "{text}");
        }
        assert_eq!(text.matches("opens = [\"gate\"]").count(), 3);
        let Edited { text, .. } = after(&[copy("gate", 2.0, 0.0)]);
        assert!(text.contains("opens = [\"gate\", \"gate_2\"]"), "{text}");
        assert!(text.contains("\".....\",\n    \"..#..\""), "{text}");
        for once in ["start", "goal", "player"] {
            assert!(edited(LEVEL, &[copy(once, 0.0, 1.0)]).is_err());
        }
    }

    #[test]
    fn whoever_referred_to_what_is_taken_out_is_named() {
        let Edited { text, notes } = after(&[remove("gate")]);
        assert!(!text.contains("gate"), "{text}");
        assert_eq!(notes, ["`red` no longer opens `gate`"]);
        let Edited { text, notes } = after(&[remove("red")]);
        assert!(!text.contains("red") && !text.contains("carpet"), "{text}");
        assert_eq!(
            notes,
            [
                "`red` opened `gate`; nothing opens `gate` now",
                "`needs` no longer names `red`"
            ]
        );
        for (thing, why) in [
            ("pearl", "the goal asks for `pearl`"),
            ("start", "every level has a start"),
            ("goal", "every level has a goal"),
            ("unicorn", "nothing called `unicorn`"),
        ] {
            let refused = edited(LEVEL, &[remove(thing)]).unwrap_err();
            assert!(refused.contains(why), "{refused}");
        }
    }
}
