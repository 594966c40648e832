//! Changes a scenario's text and keeps everything else in it as it was: comments, layout, order.

use toml_edit::{Array, DocumentMut, Item, Table, TableLike, Value, value};

use crate::midway_text::{move_midway, open_midway, remove_midway_player};
use crate::protocol::Edit;
use crate::{editor_text, fields, furnishing, planning_text, walls};

/// Tables whose entries have an id and a place.
pub(crate) const WITH_PLACE: [&str; 7] =
    ["key", "shield", "item", "pack", "lever", "enemy", "actor"];

/// A text that was changed.
#[derive(Debug, PartialEq)]
pub(crate) struct Edited {
    pub(crate) text: String,
    /// What else had to be changed, or was left as it was, in words.
    pub(crate) notes: Vec<String>,
}

/// The text with all changes made, one after the other.
pub(crate) fn edited(text: &str, edits: &[Edit]) -> Result<Edited, String> {
    let mut notes = Vec::new();
    let text = if edits.is_empty() {
        text.to_owned()
    } else {
        let mut document = parse(text)?;
        for edit in edits {
            apply(&mut document, edit, &mut notes)?;
        }
        document.to_string()
    };
    Ok(Edited { text, notes })
}

pub(crate) fn parse(text: &str) -> Result<DocumentMut, String> {
    text.parse::<DocumentMut>()
        .map_err(|error| error.to_string())
}

fn apply(document: &mut DocumentMut, edit: &Edit, notes: &mut Vec<String>) -> Result<(), String> {
    match edit {
        Edit::Paint { with, cells } => walls::paint(document, *with, cells, notes),
        Edit::PaintRectangle { with, from, to } => {
            walls::paint_rectangle(document, *with, *from, *to, notes)
        }
        Edit::PaintFill { with, at } => walls::fill(document, *with, *at),
        Edit::Add {
            what,
            x,
            y,
            height,
            opened_by,
        } => {
            let (x, y, height) = (*x, *y, *height);
            let to = Spot { x, y, height };
            furnishing::add(document, what, to, opened_by.as_deref())
        }
        Edit::Copy {
            thing,
            x,
            y,
            height,
        } => {
            let (x, y, height) = (*x, *y, *height);
            furnishing::copy(document, thing, Spot { x, y, height })
        }
        Edit::Remove { thing } => furnishing::remove(document, thing, notes),
        Edit::Expect { expect } => {
            planning_text::expect(document, expect.as_ref());
            Ok(())
        }
        Edit::Price { harm } => {
            planning_text::price(document, *harm);
            Ok(())
        }
        Edit::Underlay { picture } => {
            editor_text::set_picture(document, picture.as_ref());
            Ok(())
        }
        Edit::Bind { tasks } => {
            editor_text::set_tasks(document, tasks.as_ref());
            Ok(())
        }
        Edit::Set {
            thing,
            field,
            value,
        } => fields::set(document, thing, field, value.as_deref(), notes),
        Edit::Move {
            thing,
            x,
            y,
            height,
            heights,
        } => {
            let (x, y, height) = (*x, *y, *height);
            let to = Spot { x, y, height };
            move_thing(document, thing, to, heights)?;
            move_midway(document, thing, to);
            Ok(())
        }
        Edit::Door { thing, open } => {
            let door = find(document, &["door"], thing)?;
            door.insert("open", value(*open));
            open_midway(document, thing, *open);
            Ok(())
        }
        Edit::AddPlayer { x, y, height } => {
            let (x, y, height) = (*x, *y, *height);
            add_player(document, Spot { x, y, height });
            Ok(())
        }
        Edit::RemovePlayer => {
            remove_player(document);
            Ok(())
        }
    }
}

/// Puts a player into the level, instead of one who may be there.
pub(crate) fn add_player(document: &mut DocumentMut, to: Spot) {
    let mut player = Table::new();
    player.insert("at", value(place(to, None)));
    document.insert("player", Item::Table(player));
}

/// Takes the player out.
pub(crate) fn remove_player(document: &mut DocumentMut) {
    document.remove("player");
    remove_midway_player(document);
}

/// Where something is put.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spot {
    pub(crate) x: f64,
    pub(crate) y: f64,
    /// How high; without it, as high as what is put there was before.
    pub(crate) height: Option<f64>,
}

impl Spot {
    pub(crate) const fn seen_from_above(x: f64, y: f64) -> Spot {
        let height = None;
        Spot { x, y, height }
    }
}

/// The text with things put elsewhere.
pub(crate) fn with_moved(text: &str, things: &[(&str, Spot)]) -> Result<String, String> {
    let mut document = parse(text)?;
    for (thing, to) in things {
        move_thing(&mut document, thing, *to, &[])?;
        move_midway(&mut document, thing, *to);
    }
    Ok(document.to_string())
}

/// A place instead of an old one. A place without a height is on the lowest floor, so whatever was
/// written about it stays.
pub(crate) fn place(to: Spot, old: Option<&Value>) -> Array {
    let height = to.height.map(number).or_else(|| {
        let mut height = old?.as_array()?.get(2)?.clone();
        height.decor_mut().clear();
        Some(height)
    });
    [number(to.x), number(to.y)]
        .into_iter()
        .chain(height)
        .collect()
}

/// A coordinate, written as a whole number where it is one.
pub(crate) fn number(number: f64) -> Value {
    if number.fract() == 0.0 && number.abs() < 1e9 {
        Value::from(number as i64)
    } else {
        Value::from(thousandths(number) / 1e3)
    }
}

/// Nobody drags to more than a thousandth.
pub(crate) fn thousandths(number: f64) -> f64 {
    (number * 1e3).round()
}

/// The first two numbers of a place.
pub(crate) fn seen_from_above(place: &Value) -> Option<[f64; 2]> {
    Some([coordinate(place, 0)?, coordinate(place, 1)?])
}

/// One of the numbers of a place. The third is its height.
pub(crate) fn coordinate(place: &Value, index: usize) -> Option<f64> {
    let value = place.as_array()?.get(index)?;
    value.as_float().or(value.as_integer().map(|it| it as f64))
}

pub(crate) fn move_thing(
    document: &mut DocumentMut,
    thing: &str,
    to: Spot,
    heights: &[f64],
) -> Result<(), String> {
    match thing {
        "start" => set_place(document.as_table_mut(), "start", to),
        "player" => {
            let player = document.get_mut("player").and_then(Item::as_table_like_mut);
            let player = player.ok_or("there is no player to move")?;
            set_place(player, "at", to);
        }
        _ if thing == "goal" || thing.starts_with("goal:") => {
            let number = thing.strip_prefix("goal:").unwrap_or("0");
            let number: usize = number.parse().map_err(|_| unknown(thing))?;
            let goal = document.get_mut("goal").ok_or("there is no goal to move")?;
            if !at_goal_place(goal, number, &mut |place| set_place(place, "at", to)) {
                return Err(unknown(thing));
            }
        }
        _ => {
            if let Ok(table) = find(document, &WITH_PLACE, thing) {
                set_place(table, "at", to);
                return Ok(());
            }
            let door = find(document, &["door"], thing)?;
            let cells = door.get_mut("at").and_then(Item::as_array_mut);
            move_cells(cells.ok_or_else(|| unknown(thing))?, to, heights);
        }
    }
    Ok(())
}

/// Replaces a place and keeps how high it is, and what stands around it.
pub(crate) fn set_place(table: &mut dyn TableLike, key: &str, to: Spot) {
    let new = place(to, table.get(key).and_then(Item::as_value));
    set(table, key, new);
}

/// Puts a value in the place of another and keeps what stands around it.
pub(crate) fn replace(old: &mut Value, new: Value) {
    let decor = old.decor().clone();
    *old = new;
    *old.decor_mut() = decor;
}

/// Replaces a list and keeps what stands around it.
pub(crate) fn set(table: &mut dyn TableLike, key: &str, new: Array) {
    match table.get_mut(key).and_then(Item::as_value_mut) {
        Some(old) => replace(old, Value::Array(new)),
        None => {
            table.insert(key, value(new));
        }
    }
}

/// Moves all cells so that the first is at a place; on uneven ground each has a height of its own.
pub(crate) fn move_cells(cells: &mut Array, to: Spot, heights: &[f64]) {
    let Some([first_x, first_y]) = cells.get(0).and_then(seen_from_above) else {
        return;
    };
    for (number, cell) in cells.iter_mut().enumerate() {
        let Some([x, y]) = seen_from_above(cell) else {
            continue;
        };
        let to = Spot {
            x: x - first_x + to.x,
            y: y - first_y + to.y,
            height: heights.get(number).copied().or(to.height),
        };
        let decor = cell.decor().clone();
        *cell = Value::Array(place(to, Some(cell)));
        *cell.decor_mut() = decor;
    }
}

/// Does something at the goal's place of this number; returns whether there is one.
pub(crate) fn at_goal_place(
    goal: &mut Item,
    number: usize,
    act: &mut dyn FnMut(&mut dyn TableLike),
) -> bool {
    let mut before = number;
    count_down(goal, &mut before, act)
}

fn count_down(
    goal: &mut Item,
    before: &mut usize,
    act: &mut dyn FnMut(&mut dyn TableLike),
) -> bool {
    let Some(table) = goal.as_table_like_mut() else {
        return false;
    };
    for way in ["within", "agent_within"] {
        if let Some(within) = table.get_mut(way).and_then(Item::as_table_like_mut) {
            if *before == 0 {
                act(within);
                return true;
            }
            *before -= 1;
            return false;
        }
    }
    if let Some(not) = table.get_mut("not") {
        return count_down(not, before, act);
    }
    for way in ["all", "any", "in_order"] {
        let Some(list) = table.get_mut(way).and_then(Item::as_array_mut) else {
            continue;
        };
        for part in list.iter_mut() {
            let mut item = Item::Value(part.clone());
            let is_done = count_down(&mut item, before, act);
            if let (true, Ok(changed)) = (is_done, item.into_value()) {
                *part = changed;
                return true;
            }
        }
    }
    false
}

/// The entry of this id in one of these lists.
pub(crate) fn find<'d>(
    document: &'d mut DocumentMut,
    lists: &[&str],
    id: &str,
) -> Result<&'d mut dyn TableLike, String> {
    let list = lists.iter().find(|list| {
        let mut entries = document.get(list).into_iter().flat_map(entries);
        entries.any(|entry| is_called(entry, id))
    });
    let list = list.ok_or_else(|| unknown(id))?;
    let mut entries = document.get_mut(list).into_iter().flat_map(entries_mut);
    let found = entries.find(|entry| is_called(*entry, id));
    found.ok_or_else(|| unknown(id))
}

pub(crate) fn is_called(entry: &dyn TableLike, id: &str) -> bool {
    entry.get("id").and_then(Item::as_str) == Some(id)
}

/// The entries of a list, in whichever of the two ways it is written.
pub(crate) fn entries(item: &Item) -> Vec<&dyn TableLike> {
    match item {
        Item::ArrayOfTables(tables) => tables.iter().map(|table| table as _).collect(),
        Item::Value(Value::Array(array)) => {
            let tables = array.iter().filter_map(Value::as_inline_table);
            tables.map(|table| table as _).collect()
        }
        _ => Vec::new(),
    }
}

pub(crate) fn entries_mut(item: &mut Item) -> Vec<&mut dyn TableLike> {
    match item {
        Item::ArrayOfTables(tables) => tables.iter_mut().map(|table| table as _).collect(),
        Item::Value(Value::Array(array)) => {
            let tables = array.iter_mut().filter_map(Value::as_inline_table_mut);
            tables.map(|table| table as _).collect()
        }
        _ => Vec::new(),
    }
}

pub(crate) fn unknown(id: &str) -> String {
    format!("there is nothing called `{id}` to change")
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
        Edit::Move {
            thing: thing.to_owned(),
            x,
            y,
            height: None,
            heights: Vec::new(),
        }
    }

    fn after(text: &str, edits: &[Edit]) -> String {
        edited(text, edits).unwrap().text
    }

    fn check(edit: Edit, old: &str, new: &str) {
        let expected = TEXT.replacen(old, new, 1);
        assert_ne!(expected, TEXT, "the test changes nothing");
        assert_eq!(after(TEXT, &[edit]), expected);
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
        let changed = after(text, &[move_to("bear", 5.0, 6.0)]);
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
    fn what_is_moved_stays_on_its_floor() {
        let text = TEXT
            .replace("[0, 0] #", "[0,0,3.5] #")
            .replace("[4, 0]", "[4, 0, 3]")
            .replace("[1, 0]", "[1, 0, 3]")
            .replace("[[3, 0], [3, 1]]", "[[3, 0, 2], [3, 1]]");
        for (thing, old, new) in [
            ("start", "[0,0,3.5]", "[5, 6, 3.5]"),
            ("goal", "[4, 0, 3]", "[5, 6, 3]"),
            ("red", "[1, 0, 3]", "[5, 6, 3]"),
            ("gate", "[[3, 0, 2], [3, 1]]", "[[5, 6, 2], [5, 7]]"),
        ] {
            let moved = after(&text, &[move_to(thing, 5.0, 6.0)]);
            assert_eq!(moved, text.replace(old, new), "{thing}");
        }
        for (height, at) in [(Some(3.5), "[0.25, 0, 3.5]"), (None, "[0.25, 0]")] {
            let (x, y) = (0.25, 0.0);
            let joined = after(&text, &[Edit::AddPlayer { x, y, height }]);
            assert!(
                joined.contains(&format!("[player]\nat = {at}\n")),
                "{joined}"
            );
        }
    }

    #[test]
    fn every_cell_of_a_door_has_its_own_height() {
        let to = |heights: &[f64]| Edit::Move {
            thing: "gate".to_owned(),
            x: 5.0,
            y: 6.0,
            height: Some(1.0),
            heights: heights.to_vec(),
        };
        let (old, up) = ("[[3, 0], [3, 1]]", "[[5, 6, 1], [5, 7, 1.25]]");
        check(to(&[1.0, 1.25]), old, up);
        check(to(&[1.0, 1.25, 1.5]), old, up);
        // Nobody said how high the second is.
        check(to(&[]), old, "[[5, 6, 1], [5, 7, 1]]");
    }
}
