//! Changes a scenario's text and keeps everything else in it as it was: comments, layout, order.

use toml_edit::{Array, DocumentMut, Item, Table, TableLike, Value, value};

use crate::protocol::{Edit, Line};

/// Tables whose entries have an id and a place.
const WITH_PLACE: [&str; 6] = ["key", "shield", "item", "pack", "lever", "enemy"];

/// The text with all changes made, one after the other.
pub(crate) fn edited(text: &str, edits: &[Edit]) -> Result<String, String> {
    if edits.is_empty() {
        return Ok(text.to_owned());
    }
    let mut document = parse(text)?;
    for edit in edits {
        apply(&mut document, edit)?;
    }
    Ok(document.to_string())
}

fn parse(text: &str) -> Result<DocumentMut, String> {
    text.parse::<DocumentMut>()
        .map_err(|error| error.to_string())
}

fn apply(document: &mut DocumentMut, edit: &Edit) -> Result<(), String> {
    match edit {
        Edit::Move { thing, x, y } => {
            move_thing(document, thing, *x, *y)?;
            move_midway(document, thing, *x, *y);
            Ok(())
        }
        Edit::Door { thing, open } => {
            let door = find(document, &["door"], thing)?;
            door.insert("open", value(*open));
            open_midway(document, thing, *open);
            Ok(())
        }
        Edit::AddPlayer { x, y } => {
            let mut player = Table::new();
            player.insert("at", value(place(*x, *y)));
            document.insert("player", Item::Table(player));
            Ok(())
        }
        Edit::RemovePlayer => {
            document.remove("player");
            Ok(())
        }
    }
}

/// A place, written as a whole number where it is one.
fn place(x: f64, y: f64) -> Array {
    let number = |number: f64| {
        if number.fract() == 0.0 && number.abs() < 1e9 {
            Value::from(number as i64)
        } else {
            // Nobody drags to more than a thousandth.
            Value::from((number * 1e3).round() / 1e3)
        }
    };
    Array::from_iter([number(x), number(y)])
}

fn move_thing(document: &mut DocumentMut, thing: &str, x: f64, y: f64) -> Result<(), String> {
    match thing {
        "start" => set(document.as_table_mut(), "start", place(x, y)),
        "player" => {
            let player = document.get_mut("player").and_then(Item::as_table_like_mut);
            let player = player.ok_or("there is no player to move")?;
            set(player, "at", place(x, y));
        }
        _ if thing == "goal" || thing.starts_with("goal:") => {
            let number = thing.strip_prefix("goal:").unwrap_or("0");
            let number: usize = number.parse().map_err(|_| unknown(thing))?;
            let goal = document.get_mut("goal").ok_or("there is no goal to move")?;
            let mut before = number;
            if !move_goal(goal, &mut before, x, y) {
                return Err(unknown(thing));
            }
        }
        _ => {
            if let Ok(table) = find(document, &WITH_PLACE, thing) {
                set(table, "at", place(x, y));
                return Ok(());
            }
            let door = find(document, &["door"], thing)?;
            let cells = door.get_mut("at").and_then(Item::as_array_mut);
            move_cells(cells.ok_or_else(|| unknown(thing))?, x, y);
        }
    }
    Ok(())
}

/// Where runs begin midway, what is moved is elsewhere then too.
fn move_midway(document: &mut DocumentMut, thing: &str, x: f64, y: f64) {
    let midway = document.get_mut("midway").and_then(Item::as_table_like_mut);
    let Some(midway) = midway else {
        return;
    };
    if thing == "player" {
        // A step that had begun elsewhere leads nowhere.
        if let Some(player) = midway.get_mut("player").and_then(Item::as_table_like_mut) {
            player.remove("does");
            player.remove("moved");
        }
    }
    let enemies = midway.get_mut("enemy");
    let tables = enemies.and_then(Item::as_array_of_tables_mut);
    let mut tables = tables.into_iter().flat_map(|tables| tables.iter_mut());
    let is_it = |table: &&mut Table| table.get("id").and_then(Item::as_str) == Some(thing);
    if let Some(enemy) = tables.find(is_it) {
        set(enemy, "at", place(x, y));
        enemy.remove("place");
    }
}

/// Where runs begin midway, a door that is opened is open then too.
fn open_midway(document: &mut DocumentMut, thing: &str, open: bool) {
    let midway = document.get_mut("midway").and_then(Item::as_table_like_mut);
    let Some(midway) = midway else {
        return;
    };
    let listed = midway.get("open").and_then(Item::as_array);
    let listed = listed.into_iter().flat_map(Array::iter);
    let others = listed.filter(|door| door.as_str() != Some(thing)).cloned();
    let mut doors: Array = others.collect();
    if open {
        doors.push(thing);
    }
    set(midway, "open", doors);
}

/// Replaces a value and keeps what stands around it.
fn set(table: &mut dyn TableLike, key: &str, new: Array) {
    match table.get_mut(key).and_then(Item::as_value_mut) {
        Some(old) => {
            let decor = old.decor().clone();
            *old = Value::Array(new);
            *old.decor_mut() = decor;
        }
        None => {
            table.insert(key, value(new));
        }
    }
}

/// Moves all cells so that the first is at a place.
fn move_cells(cells: &mut Array, x: f64, y: f64) {
    let read = |cell: &Value| {
        let cell = cell.as_array()?;
        let number = |index: usize| {
            let value = cell.get(index)?;
            value.as_float().or(value.as_integer().map(|it| it as f64))
        };
        Some((number(0)?, number(1)?))
    };
    let Some((first_x, first_y)) = cells.get(0).and_then(read) else {
        return;
    };
    for cell in cells.iter_mut() {
        let Some((old_x, old_y)) = read(cell) else {
            continue;
        };
        let decor = cell.decor().clone();
        *cell = Value::Array(place(old_x - first_x + x, old_y - first_y + y));
        *cell.decor_mut() = decor;
    }
}

/// Moves the goal's place of this number; counts down to it.
fn move_goal(goal: &mut Item, before: &mut usize, x: f64, y: f64) -> bool {
    let Some(table) = goal.as_table_like_mut() else {
        return false;
    };
    for way in ["within", "agent_within"] {
        if let Some(within) = table.get_mut(way).and_then(Item::as_table_like_mut) {
            if *before == 0 {
                set(within, "at", place(x, y));
                return true;
            }
            *before -= 1;
            return false;
        }
    }
    if let Some(not) = table.get_mut("not") {
        return move_goal(not, before, x, y);
    }
    for way in ["all", "any"] {
        let Some(list) = table.get_mut(way).and_then(Item::as_array_mut) else {
            continue;
        };
        for part in list.iter_mut() {
            let mut item = Item::Value(part.clone());
            let moved = move_goal(&mut item, before, x, y);
            if let (true, Ok(changed)) = (moved, item.into_value()) {
                *part = changed;
                return true;
            }
        }
    }
    false
}

/// The entry of this id in one of these lists.
fn find<'d>(
    document: &'d mut DocumentMut,
    lists: &[&str],
    id: &str,
) -> Result<&'d mut dyn TableLike, String> {
    let is_it = |table: &dyn TableLike| table.get("id").and_then(Item::as_str) == Some(id);
    let list = lists.iter().find(|list| {
        document
            .get(list)
            .is_some_and(|item| entries(item).any(is_it))
    });
    let Some(list) = list else {
        return Err(unknown(id));
    };
    let item = document.get_mut(list).ok_or_else(|| unknown(id))?;
    let found = match item {
        Item::ArrayOfTables(tables) => tables
            .iter_mut()
            .find(|table| is_it(*table))
            .map(|table| table as &mut dyn TableLike),
        Item::Value(Value::Array(array)) => array
            .iter_mut()
            .filter_map(Value::as_inline_table_mut)
            .find(|table| is_it(*table))
            .map(|table| table as &mut dyn TableLike),
        _ => None,
    };
    found.ok_or_else(|| unknown(id))
}

fn entries(item: &Item) -> Box<dyn Iterator<Item = &dyn TableLike> + '_> {
    match item {
        Item::ArrayOfTables(tables) => Box::new(tables.iter().map(|table| table as _)),
        Item::Value(Value::Array(array)) => Box::new(
            array
                .iter()
                .filter_map(Value::as_inline_table)
                .map(|table| table as _),
        ),
        _ => Box::new(std::iter::empty()),
    }
}

fn unknown(id: &str) -> String {
    format!("there is nothing called `{id}` to change")
}

/// The text with these demonstrations instead of its own. `file` names the log of each recorded
/// one.
pub(crate) fn with_demonstrations(
    text: &str,
    lines: &[Line],
    mut file: impl FnMut(usize, &Line) -> String,
) -> Result<String, String> {
    let mut document = parse(text)?;
    document.remove("demonstration");
    let mut tables = toml_edit::ArrayOfTables::new();
    for (number, line) in lines.iter().enumerate() {
        let mut table = Table::new();
        if line.log.is_some() {
            table.insert("file", value(file(number, line)));
        } else {
            let points = line.points.iter().map(|[x, y]| Value::Array(place(*x, *y)));
            table.insert("points", value(Array::from_iter(points)));
        }
        tables.push(table);
    }
    if !tables.is_empty() {
        document.insert("demonstration", Item::ArrayOfTables(tables));
    }
    Ok(document.to_string())
}

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
fn from_beside(path: &str, other: &str) -> String {
    let mut here: Vec<&str> = path.split('/').collect();
    here.pop();
    let there: Vec<&str> = other.split('/').collect();
    let shared = here.iter().zip(&there).take_while(|(a, b)| a == b).count();
    let up = here[shared..].iter().map(|_| "..");
    up.chain(there[shared..].iter().copied())
        .collect::<Vec<_>>()
        .join("/")
}

/// The document itself, for changes that only one place makes.
pub(crate) fn changed(text: &str, change: impl FnOnce(&mut DocumentMut)) -> Result<String, String> {
    let mut document = parse(text)?;
    change(&mut document);
    Ok(document.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = r#"format = 1
start = [0, 0] # in the hall
goal = { all = [{ holds = "red" }, { within = { at = [4, 0], radius = 0.0 } }] }
map = { rows = ["....."] }

# Somebody lost it.
[[key]]
id = "red"
at = [1, 0]   # under the carpet
opens = ["gate"]

[[door]]
id = "gate"
at = [[3, 0], [3, 1]]
"#;

    fn move_to(thing: &str, x: f64, y: f64) -> Edit {
        let thing = thing.to_owned();
        Edit::Move { thing, x, y }
    }

    fn check(edit: Edit, old: &str, new: &str) {
        let expected = TEXT.replacen(old, new, 1);
        assert_ne!(expected, TEXT, "the test changes nothing");
        assert_eq!(edited(TEXT, &[edit]).unwrap(), expected);
    }

    #[test]
    fn what_is_not_changed_stays_as_it_was() {
        check(move_to("red", 2.0, 0.0), "[1, 0]", "[2, 0]");
        check(
            move_to("start", 1.0, 0.0),
            "start = [0, 0]",
            "start = [1, 0]",
        );
        check(move_to("goal", 3.5, 0.0), "at = [4, 0]", "at = [3.5, 0]");
        check(
            move_to("gate", 2.0, 1.0),
            "[[3, 0], [3, 1]]",
            "[[2, 1], [2, 2]]",
        );
    }

    #[test]
    fn lists_written_in_one_line_can_be_changed_too() {
        let text = "enemy = [{ id = \"bear\", kind = \"bear\", at = [1, 2] }]\n";
        let expected = text.replace("[1, 2]", "[5, 6]");
        let changed = edited(text, &[move_to("bear", 5.0, 6.0)]).unwrap();
        assert_eq!(changed, expected);
    }

    #[test]
    fn what_is_not_there_cannot_be_moved() {
        for thing in ["blue", "player", "goal:1", "goal:x", ""] {
            assert!(
                edited(TEXT, &[move_to(thing, 1.0, 1.0)]).is_err(),
                "{thing}"
            );
        }
        assert!(edited("format = ", &[move_to("red", 1.0, 1.0)]).is_err());
    }

    #[test]
    fn what_begins_midway_is_changed_there_too() {
        let text = format!(
            "{TEXT}[[enemy]]\nid = \"bear\"\nkind = \"bear\"\nat = [1, 1]\n\n[midway]\nopen = []\n\n\
             [[midway.enemy]]\nid = \"bear\"\nat = [2.5, 1.0]\nplace = 7\nhealth = 3.0\n"
        );
        let edits = [
            move_to("bear", 4.0, 1.0),
            Edit::Door {
                thing: "gate".to_owned(),
                open: true,
            },
        ];
        let changed = edited(&text, &edits).unwrap();
        let (_, midway) = changed.split_once("[midway]").unwrap();
        let expected =
            "\nopen = [\"gate\"]\n\n[[midway.enemy]]\nid = \"bear\"\nat = [4, 1]\nhealth = 3.0\n";
        assert_eq!(midway, expected);
    }

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
        assert_eq!(with_map_from(TEXT, "a.toml", "b/c.toml").unwrap(), TEXT);
    }

    #[test]
    fn demonstrations_are_replaced() {
        let lines = [
            Line {
                name: "drawn".to_owned(),
                points: vec![[0.0, 0.0], [1.25, 2.0]],
                log: None,
            },
            Line {
                name: "anna".to_owned(),
                points: vec![],
                log: Some(String::new()),
            },
        ];
        let once = with_demonstrations(TEXT, &lines, |_, line| format!("{}.jsonl", line.name));
        let once = once.unwrap();
        assert!(once.contains("points = [[0, 0], [1.25, 2]]"), "{once}");
        assert!(once.contains("file = \"anna.jsonl\""), "{once}");
        assert_eq!(
            with_demonstrations(&once, &[], |_, _| String::new()).unwrap(),
            TEXT
        );
    }
}
