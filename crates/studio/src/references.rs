//! Who refers to whom in the text of a scenario, by id.

use toml_edit::{Array, DocumentMut, Item, TableLike, Value};

use crate::scenario_text::{entries, entries_mut, is_called, replace};

/// Keys whose text, or each text in whose list, is the id of a thing.
const REFERRING: [&str; 17] = [
    "id",
    "opens",
    "toggles",
    "disarms",
    "events",
    "needs",
    "undetectable_by",
    "holds",
    "lever",
    "open",
    "dead",
    "agent",
    "pulled",
    "gone",
    "after",
    "sprung",
    "who",
];
/// The same, where runs begin midway.
const HOLDING: &str = "holding";
/// Whose ids are no ids of things.
const OTHER_NAMES: [&str; 2] = ["style", "demonstration"];

/// Gives a thing another id, wherever it is mentioned.
pub(crate) fn rename(document: &mut DocumentMut, from: &str, to: &str) {
    for (key, item) in document.as_table_mut().iter_mut() {
        // A style may be called like a thing, and its goal may be about one.
        if key == "style" {
            let goals = entries_mut(item).into_iter();
            let goals = goals.filter_map(|style| style.get_mut("goal"));
            goals.for_each(|goal| rename_in(goal, "goal", from, to));
        } else if !OTHER_NAMES.contains(&key.get()) {
            let key = key.get().to_owned();
            rename_in(item, &key, from, to);
        }
    }
}

fn rename_in(item: &mut Item, key: &str, from: &str, to: &str) {
    match item {
        Item::Table(table) => {
            for (key, item) in table.iter_mut() {
                let key = key.get().to_owned();
                rename_in(item, &key, from, to);
            }
        }
        Item::ArrayOfTables(tables) => {
            for (key, item) in tables.iter_mut().flat_map(|table| table.iter_mut()) {
                let key = key.get().to_owned();
                rename_in(item, &key, from, to);
            }
        }
        Item::Value(value) => rename_value(value, key, from, to),
        Item::None => {}
    }
}

fn rename_value(value: &mut Value, key: &str, from: &str, to: &str) {
    match value {
        Value::InlineTable(table) => {
            for (key, value) in table.iter_mut() {
                let key = key.get().to_owned();
                rename_value(value, &key, from, to);
            }
        }
        Value::Array(values) => {
            for value in values.iter_mut() {
                rename_value(value, key, from, to);
            }
        }
        Value::String(text)
            if text.value() == from && (REFERRING.contains(&key) || key == HOLDING) =>
        {
            replace(value, Value::from(to));
        }
        _ => {}
    }
}

/// Whose goal asks for a thing: the level's, or somebody's of this name.
pub(crate) fn in_goal_of(document: &DocumentMut, id: &str) -> Option<String> {
    let asks = |goal: Option<&Item>| goal.is_some_and(|goal| asks_for(goal, id));
    if asks(document.get("goal")) {
        return Some("the goal".to_owned());
    }
    let lists = ["actor", "style"].into_iter();
    let mut entries = lists.flat_map(|list| document.get(list).into_iter().flat_map(entries));
    let whose = entries.find(|entry| asks(entry.get("goal")))?;
    let name = whose.get("id").and_then(Item::as_str).unwrap_or_default();
    Some(format!("the goal of `{name}`"))
}

fn asks_for(goal: &Item, id: &str) -> bool {
    let Some(table) = goal.as_table_like() else {
        return false;
    };
    table.iter().any(|(key, item)| match item {
        Item::Value(Value::Array(parts)) => {
            let mut parts = parts.iter().map(|part| Item::Value(part.clone()));
            parts.any(|part| asks_for(&part, id))
        }
        item if item.is_table_like() => asks_for(item, id),
        item => REFERRING.contains(&key) && item.as_str() == Some(id),
    })
}

/// Nobody mentions a thing that is no more; what was mended is noted. Goals are left alone.
pub(crate) fn forget(document: &mut DocumentMut, id: &str, notes: &mut Vec<String>) {
    for list in ["key", "lever"] {
        for entry in document.get_mut(list).into_iter().flat_map(entries_mut) {
            let owner = entry.get("id").and_then(Item::as_str);
            let owner = owner.unwrap_or_default().to_owned();
            for field in ["opens", "toggles", "disarms"] {
                if strike_out(entry, field, id) {
                    notes.push(format!("`{owner}` no longer {field} `{id}`"));
                }
            }
        }
    }
    let whole = document.as_table_mut();
    for field in ["events", "needs"] {
        if strike_out(whole, field, id) {
            notes.push(format!("`{field}` no longer names `{id}`"));
        }
    }
    let mut hidden = strike_out(whole, "undetectable_by", id);
    if let Some(player) = document.get_mut("player").and_then(Item::as_table_like_mut) {
        hidden |= strike_out(player, "undetectable_by", id);
    }
    for actor in document.get_mut("actor").into_iter().flat_map(entries_mut) {
        hidden |= strike_out(actor, "undetectable_by", id);
    }
    if hidden {
        notes.push(format!("`undetectable_by` no longer names `{id}`"));
    }
    for area in document.get_mut("area").into_iter().flat_map(entries_mut) {
        if strike_out(area, "who", id) {
            let name = area.get("id").and_then(Item::as_str).unwrap_or_default();
            let now = match area.get("who") {
                Some(_) => "",
                None => ", and counts so for everybody",
            };
            notes.push(format!("`{name}` no longer names `{id}`{now}"));
        }
    }
    forget_midway(document, id);
}

fn forget_midway(document: &mut DocumentMut, id: &str) {
    let midway = document.get_mut("midway").and_then(Item::as_table_like_mut);
    let Some(midway) = midway else {
        return;
    };
    for field in ["open", "pulled", "gone", "sprung"] {
        strike_out(midway, field, id);
    }
    for who in ["npc", "player"] {
        if let Some(who) = midway.get_mut(who).and_then(Item::as_table_like_mut) {
            strike_out(who, HOLDING, id);
        }
    }
    match midway.get_mut("enemy") {
        Some(Item::ArrayOfTables(tables)) => tables.retain(|enemy| !is_called(enemy, id)),
        Some(Item::Value(Value::Array(enemies))) => enemies.retain(|enemy| {
            let enemy = enemy.as_inline_table();
            enemy.is_none_or(|enemy| !is_called(enemy, id))
        }),
        _ => {}
    }
}

/// Takes an id out of a list; returns whether it was in it. Nothing is said by an empty one.
pub(crate) fn strike_out(table: &mut dyn TableLike, field: &str, id: &str) -> bool {
    let Some(list) = table.get_mut(field).and_then(Item::as_array_mut) else {
        return false;
    };
    let before = list.len();
    list.retain(|one| one.as_str() != Some(id));
    let is_struck = list.len() < before;
    // Without `events` everything is one.
    if is_struck && list.is_empty() && field != "events" {
        table.remove(field);
    }
    is_struck
}

/// Whoever opens or toggles a door does the same with another.
pub(crate) fn mention_beside(document: &mut DocumentMut, id: &str, other: &str) {
    for list in ["key", "lever"] {
        for entry in document.get_mut(list).into_iter().flat_map(entries_mut) {
            for field in ["opens", "toggles"] {
                let doors = entry.get_mut(field).and_then(Item::as_array_mut);
                if let Some(doors) = doors.filter(|doors| names(doors).any(|door| door == id)) {
                    doors.push(other);
                }
            }
        }
    }
}

/// The ids of keys and levers that open a door.
pub(crate) fn openers(document: &DocumentMut, door: &str) -> Vec<String> {
    let lists = ["key", "lever"].into_iter();
    let entries = lists.flat_map(|list| document.get(list).into_iter().flat_map(entries));
    let openers = entries.filter(|entry| {
        let fields = ["opens", "toggles"].into_iter();
        let mut doors = fields.filter_map(|field| entry.get(field)?.as_array());
        doors.any(|doors| names(doors).any(|id| id == door))
    });
    let ids = openers.filter_map(|entry| entry.get("id")?.as_str());
    ids.map(ToOwned::to_owned).collect()
}

/// The texts in a list.
pub(crate) fn names(list: &Array) -> impl Iterator<Item = &str> {
    list.iter().filter_map(Value::as_str)
}

#[cfg(test)]
mod tests {
    use apprentice::world::Scenario;

    use super::*;
    use crate::folder::Folder;
    use crate::protocol::Edit;
    use crate::scenario_text::{Edited, edited, parse};

    /// The shipped levels, each with the ids of everything in it.
    fn shipped() -> Vec<(String, Vec<String>)> {
        let levels = Folder::built_in().into_iter().map(|found| {
            let document = parse(&found.text).unwrap();
            let lists = ["key", "door", "shield", "item", "pack", "lever", "enemy"];
            let entries = lists
                .iter()
                .flat_map(|list| document.get(list).into_iter().flat_map(entries));
            let ids = entries.filter_map(|entry| entry.get("id")?.as_str());
            let ids = ids.map(ToOwned::to_owned).collect();
            (found.text, ids)
        });
        levels.collect()
    }

    fn read(text: &str) -> Result<Scenario, String> {
        let folder = Folder::open(&std::env::temp_dir()).unwrap();
        let files = |name: &str| folder.read_beside("built-in:any.toml", name);
        Scenario::parse_with(text, files).map_err(|error| error.to_string())
    }

    #[test]
    fn things_of_shipped_levels_are_renamed_wherever_they_are_mentioned() {
        let set = |thing: &str, new: &str| Edit::Set {
            thing: thing.to_owned(),
            field: "id".to_owned(),
            value: Some(new.to_owned()),
        };
        let mut renamed = 0;
        for (text, ids) in shipped() {
            for id in ids {
                let there = edited(&text, &[set(&id, "somebody_new")]).unwrap().text;
                let is = read(&there).unwrap_or_else(|error| panic!("{id}: {error}"));
                assert!(is.thing("somebody_new").is_some() && is.thing(&id).is_none());
                let back = edited(&there, &[set("somebody_new", &id)]).unwrap().text;
                assert_eq!(back, text, "{id}");
                renamed += 1;
            }
        }
        assert!(renamed > 10, "{renamed}");
    }

    #[test]
    fn what_is_taken_out_of_a_shipped_level_or_copied_leaves_one_that_can_be_read() {
        let mut taken = 0;
        for (text, ids) in shipped() {
            for id in ids {
                let thing = id.clone();
                // None of them is what the goal asks for.
                let Edited { text: without, .. } =
                    edited(&text, &[Edit::Remove { thing }]).unwrap();
                let without = read(&without).unwrap_or_else(|error| panic!("{id}: {error}"));
                assert!(without.thing(&id).is_none());
                taken += 1;
                // Where the start is, there is room for everything.
                let level = read(&text).unwrap();
                let at = level.actors()[0].start;
                let thing = id.clone();
                let (x, y, height) = (at.x, at.y, None);
                let copied = edited(
                    &text,
                    &[Edit::Copy {
                        thing,
                        x,
                        y,
                        height,
                    }],
                )
                .unwrap()
                .text;
                let copied = read(&copied).unwrap_or_else(|error| panic!("{id}: {error}"));
                let count = |level: &Scenario| {
                    level.items().len()
                        + level.doors().len()
                        + level.levers().len()
                        + level.enemies().len()
                };
                assert_eq!(count(&copied), count(&level) + 1, "{id}");
            }
        }
        assert!(taken > 10, "{taken}");
    }
}
