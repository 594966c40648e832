//! Changes a scenario's text and keeps everything else in it as it was: comments, layout, order.

use apprentice::world::Mode;
use toml_edit::{Array, DocumentMut, Item, Table, TableLike, Value, value};

use crate::protocol::{Dot, Edit};
use crate::{demonstrations, fields, furnishing, planning_text, walls};

/// Tables whose entries have an id and a place.
pub(crate) const WITH_PLACE: [&str; 6] = ["key", "shield", "item", "pack", "lever", "enemy"];

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
    const fn seen_from_above(x: f64, y: f64) -> Spot {
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
fn thousandths(number: f64) -> f64 {
    (number * 1e3).round()
}

/// The first two numbers of a place.
pub(crate) fn seen_from_above(place: &Value) -> Option<[f64; 2]> {
    Some([coordinate(place, 0)?, coordinate(place, 1)?])
}

/// One of the numbers of a place. The third is its height.
fn coordinate(place: &Value, index: usize) -> Option<f64> {
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

/// Where runs begin midway, what is moved is elsewhere then too.
fn move_midway(document: &mut DocumentMut, thing: &str, to: Spot) {
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
    let mut enemies = midway.get_mut("enemy").into_iter().flat_map(entries_mut);
    if let Some(enemy) = enemies.find(|enemy| is_called(*enemy, thing)) {
        set_place(enemy, "at", to);
        // It is in the place nearest to where it is now.
        enemy.remove("place");
    }
}

/// Where runs begin midway, nothing is said about a player who isn't there.
fn remove_midway_player(document: &mut DocumentMut) {
    let midway = document.get_mut("midway").and_then(Item::as_table_like_mut);
    let Some(midway) = midway else {
        return;
    };
    midway.remove("player");
    for enemy in midway.get_mut("enemy").into_iter().flat_map(entries_mut) {
        if enemy.get("after").and_then(Item::as_str) != Some("player") {
            continue;
        }
        // Whoever loses the one it is after gives up and goes home.
        enemy.remove("after");
        enemy.remove("seen_at");
        let mode = enemy.get_mut("mode").and_then(Item::as_value_mut);
        if let Some(mode) = mode
            && [Mode::Pursue, Mode::Attack]
                .iter()
                .any(|hostile| mode.as_str() == Some(hostile.name()))
        {
            let decor = mode.decor().clone();
            *mode = Value::from(Mode::Return.name());
            *mode.decor_mut() = decor;
        }
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

/// Replaces a place and keeps how high it is, and what stands around it.
fn set_place(table: &mut dyn TableLike, key: &str, to: Spot) {
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
fn set(table: &mut dyn TableLike, key: &str, new: Array) {
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

/// A demonstration as a scenario has it.
#[derive(Clone, Debug)]
pub(crate) struct Shown<'l> {
    pub(crate) what: ShownAs<'l>,
    pub(crate) name: &'l str,
    /// Whether it is left out for now.
    pub(crate) hidden: bool,
}

/// How something is shown.
#[derive(Clone, Debug)]
pub(crate) enum ShownAs<'l> {
    /// A line on the map.
    Points(&'l [Dot]),
    /// The name of a log.
    File(String),
}

impl Shown<'_> {
    fn is(&self, entry: &dyn TableLike) -> bool {
        match &self.what {
            ShownAs::File(name) => file_of(entry) == Some(name),
            ShownAs::Points(points) => {
                let written = entry.get("points").and_then(Item::as_array);
                let same = |(written, dot): (&Value, &Dot)| {
                    let height = coordinate(written, 2).map(thousandths);
                    let point = dot.seen_from_above().map(thousandths);
                    seen_from_above(written).map(|it| it.map(thousandths)) == Some(point)
                        && dot
                            .height()
                            .map(thousandths)
                            .is_none_or(|it| height == Some(it))
                };
                written.is_some_and(|written| {
                    written.len() == points.len() && written.iter().zip(*points).all(same)
                })
            }
        }
    }

    fn table(&self) -> Table {
        let mut table = Table::new();
        match &self.what {
            ShownAs::File(name) => table.insert("file", value(name)),
            ShownAs::Points(points) => {
                let places = points.iter().map(|dot| {
                    let [x, y] = dot.seen_from_above();
                    let at = Spot::seen_from_above(x, y);
                    let height = dot.height();
                    Value::Array(place(Spot { height, ..at }, None))
                });
                table.insert("points", value(Array::from_iter(places)))
            }
        };
        table
    }

    /// Writes down what it is called, unless that is what it goes by anyway, and whether it is left
    /// out.
    fn mark(&self, table: &mut Table, number: usize) {
        let file = match &self.what {
            ShownAs::File(name) => Some(name.as_str()),
            ShownAs::Points(_) => None,
        };
        let written = table.get("name").and_then(Item::as_str);
        let usual = demonstrations::usual_name(number, file);
        if written.unwrap_or(&usual) != self.name {
            table.insert("name", value(self.name));
        }
        let is_used = table.get("used").and_then(Item::as_bool);
        if self.hidden {
            table.insert("used", value(false));
        } else if is_used == Some(false) {
            table.remove("used");
        }
    }
}

fn file_of(demonstration: &dyn TableLike) -> Option<&str> {
    demonstration.get("file").and_then(Item::as_str)
}

/// The logs a scenario names, as it calls them.
pub(crate) fn log_files(text: &str) -> Result<Vec<String>, String> {
    let document = parse(text)?;
    let all = document.get("demonstration").into_iter().flat_map(entries);
    Ok(all.filter_map(file_of).map(ToOwned::to_owned).collect())
}

/// The text with these demonstrations instead of its own. Entries that say the same stay as they
/// are. Logs that could not be read stay too: `left_out` says what they are called now.
pub(crate) fn with_demonstrations(
    text: &str,
    shown: &[Shown<'_>],
    left_out: impl Fn(&str) -> Option<String>,
) -> Result<String, String> {
    let mut document = parse(text)?;
    let old: Vec<Table> = match document.get("demonstration") {
        Some(Item::ArrayOfTables(tables)) => tables.iter().cloned().collect(),
        Some(Item::Value(Value::Array(array))) => {
            let tables = array.iter().filter_map(Value::as_inline_table).cloned();
            tables.map(toml_edit::InlineTable::into_table).collect()
        }
        _ => Vec::new(),
    };
    let still_left_out = |table: &Table| {
        let name = file_of(table)?;
        let new = left_out(name)?;
        let mut table = table.clone();
        if new != name {
            table.insert("file", value(new));
        }
        Some(table)
    };
    let mut tables: Vec<Table> = Vec::new();
    // Tables are written in the order they were read in, so only those that are still in it stay.
    let mut rest = &old[..];
    for shown in shown {
        if let Some(at) = rest.iter().position(|table| shown.is(table)) {
            tables.extend(rest[..at].iter().filter_map(still_left_out));
            tables.push(rest[at].clone());
            rest = &rest[at + 1..];
        } else {
            let mut table = shown.table();
            // Where the one before it is, or the one after it was.
            let near = tables.last().or(old.first());
            table.set_position(near.and_then(Table::position));
            tables.push(table);
        }
        let number = tables.len();
        if let Some(table) = tables.last_mut() {
            shown.mark(table, number);
        }
    }
    tables.extend(rest.iter().filter_map(still_left_out));
    let is_same = |(new, old): (&Table, &Table)| new.to_string() == old.to_string();
    if tables.len() == old.len() && tables.iter().zip(&old).all(is_same) {
        return Ok(text.to_owned());
    }
    document.remove("demonstration");
    if !tables.is_empty() {
        let tables: toml_edit::ArrayOfTables = tables.into_iter().collect();
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
        let changed = after(&text, &edits);
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

    fn line_at<'l>(points: &'l [Dot], name: &'l str) -> Shown<'l> {
        let (what, hidden) = (ShownAs::Points(points), false);
        Shown { what, name, hidden }
    }

    fn log(name: &str) -> Shown<'_> {
        let (what, hidden) = (ShownAs::File(format!("{name}.jsonl")), false);
        Shown { what, name, hidden }
    }

    #[test]
    fn names_and_what_is_left_out_are_saved() {
        let points = [Dot::Low([0.0, 0.0]), Dot::Low([1.0, 2.0])];
        let mut shown = [line_at(&points, "by the river"), log("anna")];
        shown[1].hidden = true;
        let once = with_demonstrations(TEXT, &shown, |_| None).unwrap();
        assert!(once.contains("name = \"by the river\""), "{once}");
        assert!(
            once.contains("file = \"anna.jsonl\"\nused = false"),
            "{once}"
        );
        let again = with_demonstrations(&once, &shown, |_| None).unwrap();
        assert_eq!(again, once);
        shown[0].name = "over the hill";
        shown[1].hidden = false;
        let then = with_demonstrations(&once, &shown, |_| None).unwrap();
        assert!(then.contains("name = \"over the hill\""), "{then}");
        assert!(!then.contains("used"), "{then}");
    }

    #[test]
    fn demonstrations_are_replaced() {
        let points = [Dot::Low([0.0, 0.0]), Dot::High([1.25, 2.0, 3.0])];
        let shown = [line_at(&points, "Line 1"), log("anna")];
        let once = with_demonstrations(TEXT, &shown, |_| None).unwrap();
        assert!(once.contains("points = [[0, 0], [1.25, 2, 3]]"), "{once}");
        assert!(once.contains("file = \"anna.jsonl\""), "{once}");
        assert_eq!(with_demonstrations(&once, &[], |_| None).unwrap(), TEXT);
    }

    #[test]
    fn demonstrations_that_stay_are_left_alone() {
        let anna = "# By Anna.\n[[demonstration]]\nfile = \"anna.jsonl\" # slow\n\n";
        let lost = "# Where is it?\n[[demonstration]]\nfile = \"lost.jsonl\"\n\n";
        let line = "[[demonstration]]\npoints = [\n  [0, 0, 3], # above\n  [1.2345, 2],\n]\n\n";
        let end = "[[shield]]\nid = \"s\"\nat = [1, 1]\n";
        let text = format!("{TEXT}\n{anna}{lost}{line}{end}");
        let left_out = |name: &str| (name == "lost.jsonl").then(|| name.to_owned());
        let points = [Dot::High([0.0, 0.0, 3.0]), Dot::Low([1.234_51, 2.0])];
        let is_anna = log("anna");
        let is_line = line_at(&points, "Line 3");
        let check = |shown: &[Shown<'_>], expected: String| {
            let saved = with_demonstrations(&text, shown, left_out).unwrap();
            assert_eq!(saved, expected);
        };
        check(&[is_anna.clone(), is_line.clone()], text.clone());
        check(
            &[line_at(&points, "Line 2")],
            format!("{TEXT}\n{lost}{line}{end}"),
        );
        let new = "\n[[demonstration]]\nfile = \"new.jsonl\"\n";
        let all = [is_anna, log("new"), line_at(&points, "Line 4")];
        let expected = format!(
            "{TEXT}\n{}{new}\n{lost}{line}{end}",
            anna.trim_end_matches("\n\n").to_owned() + "\n"
        );
        check(&all, expected);
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

    #[test]
    fn what_is_moved_to_another_floor_is_there_midway_too() {
        let text = format!(
            "{TEXT}[[enemy]]\nid = \"bear\"\nkind = \"bear\"\nat = [9, 1]\n\n\
             [[midway.enemy]]\nid = \"bear\"\nat = [9.5, 1.0]\nplace = 7\n"
        );
        let to = |thing: &str| Edit::Move {
            thing: thing.to_owned(),
            x: 5.0,
            y: 6.0,
            height: Some(7.25),
            heights: Vec::new(),
        };
        let moved = after(&text, &[to("start"), to("bear")]);
        let expected = text
            .replace("start = [0, 0]", "start = [5, 6, 7.25]")
            .replace("[9, 1]", "[5, 6, 7.25]")
            .replace("[9.5, 1.0]\nplace = 7", "[5, 6, 7.25]");
        assert_eq!(moved, expected);
    }

    #[test]
    fn without_a_player_nothing_is_said_about_one_midway() {
        let text = format!(
            "{TEXT}[player]\nat = [1, 1]\n\n[midway]\ntime = 2.0\n\n[midway.player]\nhealth = 3.0\n\n\
             [[midway.enemy]]\nid = \"bear\"\nmode = \"pursue\" # cross\nafter = \"player\"\nseen_at = 1.5\n\n\
             [[midway.enemy]]\nid = \"wolf\"\nmode = \"attack\"\nafter = \"npc\"\nseen_at = 1.5\n\n\
             [[midway.enemy]]\nid = \"lazy\"\nmode = \"idle\"\nafter = \"player\"\n"
        );
        let changed = after(&text, &[Edit::RemovePlayer]);
        let expected = "[[midway.enemy]]\nid = \"bear\"\nmode = \"return\" # cross\n\n\
             [[midway.enemy]]\nid = \"wolf\"\nmode = \"attack\"\nafter = \"npc\"\nseen_at = 1.5\n\n\
             [[midway.enemy]]\nid = \"lazy\"\nmode = \"idle\"\n";
        assert!(!changed.contains("player"), "{changed}");
        assert!(changed.ends_with(expected), "{changed}");
    }

    #[test]
    fn what_begins_midway_in_one_line_is_changed_there_too() {
        let text = format!(
            "{TEXT}[[enemy]]\nid = \"bear\"\nkind = \"bear\"\nat = [1, 1]\n\n[midway]\n\
             enemy = [{{ id = \"bear\", at = [2.5, 1.0], place = 7, after = \"player\" }}]\n"
        );
        let changed = after(&text, &[move_to("bear", 4.0, 1.0), Edit::RemovePlayer]);
        let (_, midway) = changed.split_once("[midway]").unwrap();
        let is_moved = midway.contains("at = [4, 1]") && !midway.contains("place");
        assert!(is_moved && !midway.contains("after"), "{midway}");
    }
}
