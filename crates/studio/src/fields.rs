//! What a scenario says about a thing, field by field, in the words of its file; and what a person
//! types instead.

use apprentice::world::{Beast, Kind, Manner};
use toml_edit::{Array, DocumentMut, InlineTable, Item, Table, TableLike, Value, value};

use crate::furnishing::{free_name, list_of, open_with};
use crate::level::ReadLevel;
use crate::protocol::{Field, FieldSort};
use crate::references;
use crate::scenario_text::{at_goal_place, entries, entries_mut, find, parse, replace, unknown};

use FieldSort::{Choice, Flag, Number, Place, Several, Text, Written};

/// A word of the file: how it is changed, what it is if the file says nothing, and what it means.
type Known = (&'static str, FieldSort, &'static str, &'static str);

const ID: Known = ("id", Text, "", "What the file calls it");
const AT: Known = ("at", Place, "", "Where it is");

const KEY: &[Known] = &[ID, AT, ("opens", Several, "", "The doors it opens")];
const THING: &[Known] = &[ID, AT];
const PACK: &[Known] = &[
    ID,
    AT,
    ("health", Number, "40", "How much health it gives back"),
];
const LEVER: &[Known] = &[
    ID,
    AT,
    ("opens", Several, "", "The doors it opens"),
    (
        "toggles",
        Several,
        "",
        "The doors it opens if they are shut, and shuts if they are open",
    ),
    ("disarms", Several, "", "The traps it disarms"),
];
const DOOR: &[Known] = &[
    ID,
    ("at", Written, "", "The cells it closes"),
    OPENED_BY,
    ("open", Flag, "false", "Whether it is open at the beginning"),
    ("consume_key", Flag, "false", "Whether the key is used up"),
    (
        "radius",
        Number,
        "1",
        "How far around its places it is in the way",
    ),
    (
        "cycle",
        Written,
        "",
        "A door that goes by the clock: { open = 3.0, closed = 2.0 }",
    ),
];
/// The one word that is written elsewhere: at the keys and levers.
const OPENED_BY: Known = (
    "opened_by",
    Several,
    "",
    "Which keys and levers open it; it is they that say so in the file, by `opens`",
);
const ENEMY: &[Known] = &[
    ID,
    ("kind", Choice, "", "What it is"),
    ("at", Place, "", "Where it lives"),
];
const ACTOR: &[Known] = &[
    AT,
    (
        "health",
        Number,
        "100",
        "How much health there is at the beginning",
    ),
    ("damage", Number, "10", "What a blow costs others"),
    ("period", Number, "1", "Seconds between blows"),
    ("reach", Number, "1.5", "From how far it strikes"),
    ("gait", Choice, "walk", "How it goes"),
    ("fights", Flag, "true", "Whether it strikes back"),
    ("route", Written, "", "Where it goes: [[3, 4], [5, 4]]"),
    (
        "undetectable_by",
        Several,
        "",
        "Enemies, and kinds of them, that never notice it",
    ),
    (
        "must_survive",
        Flag,
        "false",
        "Whether everything is lost with it",
    ),
];
const TRAP: &[Known] = &[
    ID,
    ("at", Written, "", "The cells it covers"),
    ("damage", Number, "", "How much health a step onto it costs"),
    (
        "once",
        Flag,
        "false",
        "Whether it hurts only the first time",
    ),
    ("radius", Number, "1", "How far around its places it hurts"),
];
const AREA: &[Known] = &[
    ID,
    ("from", Place, "", "One corner of it"),
    ("to", Place, "", "The corner across"),
    ("at", Place, "", "Instead of corners: its middle"),
    ("radius", Number, "2", "How far around its middle it goes"),
    (
        "counts",
        Number,
        "",
        "How much a second in it counts: less than 1 is liked, more is avoided",
    ),
    (
        "who",
        Several,
        "",
        "For whom it counts so; for all if nobody is named",
    ),
];
/// Of those who are no players.
const CHARACTER: &[Known] = &[
    ID,
    (
        "goal",
        Written,
        "",
        "What it is to achieve: { holds = \"gem\" }; without one it goes its route",
    ),
    ACTOR[0],
    ACTOR[1],
    ACTOR[2],
    ACTOR[3],
    ACTOR[4],
    ACTOR[5],
    ACTOR[6],
    ACTOR[7],
    ACTOR[8],
    ACTOR[9],
];
const START: &[Known] = &[
    ("start", Place, "", "Where the character begins"),
    (
        "health",
        Number,
        "100",
        "How much health it has at the beginning",
    ),
    (
        "undetectable_by",
        Several,
        "",
        "Enemies, and kinds of them, that never notice it",
    ),
];
const GOAL: &[Known] = &[
    ("at", Place, "", "Where to be"),
    ("radius", Number, "2", "How near is near enough"),
];
const LEVEL: &[Known] = &[
    ("name", Text, "", "What people call the level"),
    (
        "goal",
        Written,
        "",
        "What is to be achieved: { holds = \"gem\" }, or { all = [ … ] } of several",
    ),
];
const GUARD_KIND: &[Known] = &[
    ("radius", Number, "", "How near is too near, walking"),
    ("sneak_radius", Number, "", "How near is too near, sneaking"),
    (
        "damage",
        Number,
        "",
        "What a step of a second costs whoever is too near",
    ),
];
const BEAST_KIND: &[Known] = &[
    (
        "radius",
        Number,
        "",
        "From how far it notices somebody who walks",
    ),
    ("damage", Number, "", "What a blow costs"),
    (
        "leash",
        Number,
        "",
        "How far from its home it follows anybody",
    ),
    ("speed", Number, "", "How fast it pursues"),
    ("health", Number, "", "How much damage it survives"),
    ("reach", Number, "", "From how far it attacks"),
    ("period", Number, "", "Seconds between blows"),
    (
        "memory",
        Number,
        "",
        "After how many seconds without notice it gives up",
    ),
    (
        "attackers",
        Number,
        "",
        "How many must attack it together before it can be hurt",
    ),
    (
        "splash",
        Number,
        "",
        "How far from whoever is struck a blow hurts others too",
    ),
];

/// The words for the entries of a list.
fn known_of(list: &str) -> &'static [Known] {
    match list {
        "key" => KEY,
        "pack" => PACK,
        "lever" => LEVER,
        "door" => DOOR,
        "enemy" => ENEMY,
        "shield" | "item" => THING,
        "actor" => CHARACTER,
        "trap" => TRAP,
        "area" => AREA,
        _ => &[],
    }
}

/// What the file says about a thing; about the level itself if the thing has no name.
pub(crate) fn of(level: &ReadLevel, thing: &str) -> Result<Vec<Field>, String> {
    let mut document = parse(&level.text)?;
    let document = &mut document;
    let is_mesh = level.scenario.map().mesh().is_some();
    if let Some(number) = goal_number(thing) {
        let mut fields = Vec::new();
        let goal = document.get_mut("goal").ok_or_else(|| unknown(thing))?;
        at_goal_place(goal, number, &mut |place| {
            fields = GOAL.iter().map(|known| field(known, place)).collect();
        });
        fields.extend(
            LEVEL
                .iter()
                .filter(|(name, ..)| *name == "goal")
                .map(|known| field(known, document.as_table())),
        );
        return Ok(fields);
    }
    let known = words_for(document, thing).ok_or_else(|| unknown(thing))?;
    // Things on a grid fill their cells; only areas are as large as one likes there.
    let has_radius = is_mesh || list_of(document, thing) == Some("area");
    let table = table_of(document, thing)?;
    let known = known
        .iter()
        .filter(|(name, ..)| *name != "radius" || has_radius);
    let mut fields: Vec<Field> = known.map(|known| field(known, table)).collect();
    for field in &mut fields {
        field.options = options(document, thing, &field.name);
        if field.name == OPENED_BY.0 {
            field.value = references::openers(document, thing).join(", ");
        }
    }
    let enemy = level.scenario.enemies().iter().find(|one| one.id == thing);
    if let Some(enemy) = enemy {
        fields.extend(of_kind(document, &enemy.kind));
    }
    Ok(fields)
}

/// The numbers of a kind of enemy.
fn of_kind<'k>(document: &DocumentMut, kind: &'k Kind) -> impl Iterator<Item = Field> + use<'k> {
    let own = own_kinds(document).and_then(|kinds| kinds.get(&kind.name)?.as_table_like());
    let base = own
        .and_then(|own| own.get("like")?.as_str())
        .map(ToOwned::to_owned);
    let base = base.map_or_else(|| Kind::known(&kind.name), |like| Kind::known(&like));
    let words = match kind.manner {
        Manner::Guard(_) => GUARD_KIND,
        Manner::Beast(_) => BEAST_KIND,
    };
    words.iter().map(move |(name, sort, _, about)| Field {
        name: (*name).to_owned(),
        sort: *sort,
        value: number_of(&kind.manner, name).unwrap_or_default(),
        usual: base.as_ref().and_then(|base| number_of(&base.manner, name)),
        options: Vec::new(),
        about: (*about).to_owned(),
        of_kind: Some(kind.name.clone()),
    })
}

/// One of the numbers of a kind, by its word.
fn number_of(manner: &Manner, name: &str) -> Option<String> {
    let number = match manner {
        Manner::Guard(guard) => match name {
            "radius" => guard.radius,
            "sneak_radius" => guard.sneak_radius,
            "damage" => guard.damage,
            _ => return None,
        },
        Manner::Beast(beast) => number_of_beast(beast, name)?,
    };
    Some(number.to_string())
}

fn number_of_beast(beast: &Beast, name: &str) -> Option<f64> {
    Some(match name {
        "health" => beast.health,
        "speed" => beast.speed,
        "radius" => beast.radius,
        "reach" => beast.reach,
        "damage" => beast.damage,
        "period" => beast.period,
        "leash" => beast.leash,
        "memory" => beast.memory,
        "attackers" => f64::from(beast.attackers),
        "splash" => beast.splash,
        _ => return None,
    })
}

fn field((name, sort, usual, about): &Known, table: &dyn TableLike) -> Field {
    let written = table.get(name).and_then(Item::as_value).cloned();
    let written = written.or_else(|| {
        // A goal may be a table of its own.
        let table = table.get(name)?.as_table()?.clone();
        Some(Value::InlineTable(table.into_inline_table()))
    });
    Field {
        name: (*name).to_owned(),
        sort: *sort,
        value: written.map_or_else(String::new, |value| typed(*sort, value)),
        usual: Some(*usual)
            .filter(|usual| !usual.is_empty())
            .map(ToOwned::to_owned),
        options: Vec::new(),
        about: (*about).to_owned(),
        of_kind: None,
    }
}

/// A value as a person would type it.
fn typed(sort: FieldSort, mut value: Value) -> String {
    value.decor_mut().clear();
    match (sort, &value) {
        (Text | Choice, Value::String(text)) => text.value().clone(),
        (Several, Value::Array(list)) => references::names(list).collect::<Vec<_>>().join(", "),
        (Place, Value::Array(numbers)) => {
            let numbers = numbers.iter().cloned().map(|mut number| {
                number.decor_mut().clear();
                number.to_string()
            });
            numbers.collect::<Vec<_>>().join(", ")
        }
        _ => value.to_string(),
    }
}

/// What can be chosen from.
fn options(document: &DocumentMut, thing: &str, field: &str) -> Vec<String> {
    let ids = |lists: &[&str]| {
        let entries = lists
            .iter()
            .flat_map(|list| document.get(list).into_iter().flat_map(entries));
        let ids = entries.filter_map(|entry| entry.get("id")?.as_str());
        ids.filter(|id| *id != thing)
            .map(ToOwned::to_owned)
            .collect::<Vec<_>>()
    };
    match field {
        "opens" | "toggles" => ids(&["door"]),
        "disarms" => ids(&["trap"]),
        "opened_by" => ids(&["key", "lever"]),
        "kind" => kinds(document),
        "undetectable_by" => [ids(&["enemy"]), kinds(document)].concat(),
        "who" => {
            let player = document.contains_key("player").then(|| "player".to_owned());
            let first = std::iter::once("npc".to_owned()).chain(player);
            first.chain(ids(&["actor"])).collect()
        }
        "gait" => ["walk", "sneak", "run"].map(ToOwned::to_owned).to_vec(),
        _ => Vec::new(),
    }
}

/// The kinds of enemies every level knows, and its own.
fn kinds(document: &DocumentMut) -> Vec<String> {
    let own = own_kinds(document).into_iter().flat_map(TableLike::iter);
    let own = own.map(|(name, _)| name.to_owned());
    Kind::KNOWN
        .map(ToOwned::to_owned)
        .into_iter()
        .chain(own)
        .collect()
}

fn own_kinds(document: &DocumentMut) -> Option<&dyn TableLike> {
    document.get("kinds")?.as_table_like()
}

/// The number of a place of the goal, if the thing is one.
fn goal_number(thing: &str) -> Option<usize> {
    match thing {
        "goal" => Some(0),
        _ => thing.strip_prefix("goal:")?.parse().ok(),
    }
}

fn words_for(document: &DocumentMut, thing: &str) -> Option<&'static [Known]> {
    match thing {
        "" => Some(LEVEL),
        "start" => Some(START),
        "player" => Some(ACTOR),
        _ => list_of(document, thing).map(known_of),
    }
}

/// Where the file says something about a thing.
fn table_of<'d>(
    document: &'d mut DocumentMut,
    thing: &str,
) -> Result<&'d mut dyn TableLike, String> {
    match thing {
        "" | "start" => Ok(document.as_table_mut()),
        "player" => {
            let player = document.get_mut("player").and_then(Item::as_table_like_mut);
            player.ok_or_else(|| "there is no player".to_owned())
        }
        _ => {
            let list = list_of(document, thing).ok_or_else(|| unknown(thing))?;
            find(document, &[list], thing)
        }
    }
}

/// Writes what a person typed. Whether it makes sense is for the reader of scenarios to say.
pub(crate) fn set(
    document: &mut DocumentMut,
    thing: &str,
    field: &str,
    typed: Option<&str>,
    notes: &mut Vec<String>,
) -> Result<(), String> {
    let typed = typed.map(str::trim).filter(|typed| !typed.is_empty());
    if let Some(number) = goal_number(thing).filter(|_| field != "goal") {
        let goal = document.get_mut("goal").ok_or_else(|| unknown(thing))?;
        let mut outcome = Err(unknown(thing));
        at_goal_place(goal, number, &mut |place| {
            outcome = write(place, sort_of(GOAL, field), field, typed);
        });
        return outcome;
    }
    let thing = if goal_number(thing).is_some() {
        ""
    } else {
        thing
    };
    if field == OPENED_BY.0 {
        return set_openers(document, thing, typed.unwrap_or_default());
    }
    let words = words_for(document, thing).ok_or_else(|| unknown(thing))?;
    let is_of_kind =
        list_of(document, thing) == Some("enemy") && words.iter().all(|(name, ..)| *name != field);
    if is_of_kind {
        return set_of_kind(document, thing, field, typed, notes);
    }
    if let (true, Some(new)) = (field == "id", typed) {
        table_of(document, thing)?;
        references::rename(document, thing, new);
        return Ok(());
    }
    let sort = sort_of(words, field);
    write(table_of(document, thing)?, sort, field, typed)
}

fn sort_of(words: &[Known], field: &str) -> FieldSort {
    let known = words.iter().find(|(name, ..)| *name == field);
    known.map_or(Written, |(_, sort, ..)| *sort)
}

fn write(
    table: &mut dyn TableLike,
    sort: FieldSort,
    field: &str,
    typed: Option<&str>,
) -> Result<(), String> {
    let Some(typed) = typed else {
        table.remove(field);
        return Ok(());
    };
    let new = read(sort, typed).map_err(|why| format!("`{field}`: {why}"))?;
    match table.get_mut(field) {
        Some(Item::Value(old)) => replace(old, new),
        _ => {
            table.insert(field, value(new));
        }
    }
    Ok(())
}

/// What was typed as a value. What is no number, or no place, becomes a text, and the reader of
/// scenarios says what it should be.
fn read(sort: FieldSort, typed: &str) -> Result<Value, String> {
    let text = || Value::from(typed);
    Ok(match sort {
        Text | Choice => text(),
        Number => number(typed).unwrap_or_else(text),
        Flag => typed.parse::<bool>().map_or_else(|_| text(), Value::from),
        Several => {
            let names = typed
                .split(',')
                .map(str::trim)
                .filter(|name| !name.is_empty());
            Value::Array(names.collect::<Array>())
        }
        Place => {
            let numbers = typed.trim_matches(['[', ']']).split(',');
            let numbers: Option<Array> = numbers.map(|it| number(it.trim())).collect();
            numbers.map_or_else(text, Value::Array)
        }
        Written => {
            let value = typed.parse::<Value>();
            value.map_err(|error| error.to_string().replace('\n', " "))?
        }
    })
}

fn number(typed: &str) -> Option<Value> {
    let whole = typed.parse::<i64>().map(Value::from);
    whole
        .or_else(|_| typed.parse::<f64>().map(Value::from))
        .ok()
}

/// These keys and levers open a door, and no others.
fn set_openers(document: &mut DocumentMut, door: &str, typed: &str) -> Result<(), String> {
    find(document, &["door"], door)?;
    let wanted: Vec<&str> = typed
        .split(',')
        .map(str::trim)
        .filter(|id| !id.is_empty())
        .collect();
    let opening = references::openers(document, door);
    for list in ["key", "lever"] {
        for entry in document.get_mut(list).into_iter().flat_map(entries_mut) {
            let id = entry.get("id").and_then(Item::as_str).unwrap_or_default();
            if !wanted.contains(&id) {
                for field in ["opens", "toggles"] {
                    references::strike_out(entry, field, door);
                }
            }
        }
    }
    let new = wanted
        .into_iter()
        .filter(|id| opening.iter().all(|known| known != id));
    new.into_iter()
        .try_for_each(|id| open_with(document, door, id))
}

/// Changes a number of the kind an enemy is of. Kinds that every level knows are left alone: the
/// enemy becomes one of a new kind like its old one.
fn set_of_kind(
    document: &mut DocumentMut,
    thing: &str,
    field: &str,
    typed: Option<&str>,
    notes: &mut Vec<String>,
) -> Result<(), String> {
    let enemy = find(document, &["enemy"], thing)?;
    let kind = enemy.get("kind").and_then(Item::as_str);
    let kind = kind.unwrap_or_default().to_owned();
    if !Kind::KNOWN.contains(&kind.as_str()) {
        let own = document.get_mut("kinds").and_then(Item::as_table_like_mut);
        let own = own.and_then(|kinds| kinds.get_mut(&kind)?.as_table_like_mut());
        let own = own.ok_or_else(|| format!("there is no kind `{kind}`"))?;
        return write(own, Number, field, typed);
    }
    if typed.is_none() {
        return Ok(());
    }
    let taken = kinds(document);
    let new = free_name(&kind, |name| taken.iter().any(|known| known == name));
    let enemy = find(document, &["enemy"], thing)?;
    if let Some(Item::Value(old)) = enemy.get_mut("kind") {
        replace(old, Value::from(new.as_str()));
    }
    let mut own = Table::new();
    own.insert("like", value(kind.as_str()));
    write(&mut own, Number, field, typed)?;
    match document.get_mut("kinds") {
        Some(Item::Value(Value::InlineTable(kinds))) => {
            let own: InlineTable = own.into_inline_table();
            kinds.insert(&new, Value::InlineTable(own));
        }
        Some(Item::Table(kinds)) => {
            kinds.insert(&new, Item::Table(own));
        }
        _ => {
            let mut kinds = Table::new();
            // Its own line would say nothing.
            kinds.set_implicit(true);
            kinds.insert(&new, Item::Table(own));
            document.insert("kinds", Item::Table(kinds));
        }
    }
    notes.push(format!(
        "`{thing}` is of a kind of its own now, `{new}`, like `{kind}`"
    ));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::Edit;
    use crate::scenario_text::{Edited, edited};
    use apprentice::world::{Scenario, ScenarioErrorKind};

    const LEVEL_TEXT: &str = r#"format = 1
name = "A hall"
start = [0, 0] # by the door
goal = { all = [{ holds = "pearl" }, { within = { at = [4, 0], radius = 0.5 } }] }
map = { rows = [".....", "....."] }

[[key]]
id = "red"
at = [1, 0]
opens = ["gate"]

[[door]]
id = "gate"
at = [[3, 0]]

[[shield]]
id = "round"
at = [0, 1]

[[item]]
id = "pearl"
at = [1, 1]

[[pack]]
id = "herbs"
at = [2, 0]

[[lever]]
id = "crank"
at = [2, 1]

[[enemy]]
id = "grizzly" # beware
kind = "bear"
at = [4, 1]

[player]
at = [3, 1]

[[actor]]
id = "anna"
at = [4, 0]

[[trap]]
id = "spikes"
at = [[2, 0], [2, 1]]
damage = 5

[[area]]
id = "meadow"
from = [0, 0]
to = [1, 1]
counts = 0.5
who = ["anna"]
"#;

    fn level(text: &str) -> ReadLevel {
        ReadLevel {
            path: "hall.toml".to_owned(),
            text: text.to_owned(),
            scenario: Scenario::parse(text).unwrap_or_else(|error| panic!("{error}\n{text}")),
            notes: Vec::new(),
        }
    }

    fn set(thing: &str, field: &str, value: &str) -> Edit {
        Edit::Set {
            thing: thing.to_owned(),
            field: field.to_owned(),
            value: Some(value.to_owned()).filter(|value| !value.is_empty()),
        }
    }

    fn after(edits: &[Edit]) -> Edited {
        let edited = edited(LEVEL_TEXT, edits).unwrap();
        level(&edited.text);
        edited
    }

    fn value_of(text: &str, thing: &str, name: &str) -> String {
        let fields = of(&level(text), thing).unwrap();
        let found = fields.into_iter().find(|field| field.name == name);
        found
            .unwrap_or_else(|| panic!("no {name} of {thing}"))
            .value
    }

    #[test]
    fn what_is_read_from_a_field_and_typed_again_changes_nothing() {
        let things = [
            "", "start", "goal", "player", "red", "gate", "round", "pearl", "herbs", "crank",
            "grizzly", "spikes", "meadow",
        ];
        for thing in things {
            for field in of(&level(LEVEL_TEXT), thing).unwrap() {
                if field.of_kind.is_some() {
                    continue;
                }
                let same = after(&[set(thing, &field.name, &field.value)]);
                assert_eq!(same.text, LEVEL_TEXT, "{} of {thing}", field.name);
            }
        }
    }

    #[test]
    fn fields_are_the_words_of_the_file() {
        // The reader lists the words it knows to whoever writes another.
        for (list, thing) in [
            ("key", "red"),
            ("door", "gate"),
            ("shield", "round"),
            ("item", "pearl"),
            ("pack", "herbs"),
            ("lever", "crank"),
            ("enemy", "grizzly"),
            ("actor", "anna"),
            ("trap", "spikes"),
            ("area", "meadow"),
        ] {
            let wrong = LEVEL_TEXT.replace(
                &format!("[[{list}]]\n"),
                &format!("[[{list}]]\nxyzzy = 1\n"),
            );
            let ScenarioErrorKind::UnknownKey { known, .. } =
                Scenario::parse(&wrong).unwrap_err().wrong
            else {
                panic!("it is refused for something else");
            };
            let mut known: Vec<&str> = known.split("`, `").collect();
            let ours = known_of(list).iter().map(|(name, ..)| *name);
            let mut ours: Vec<&str> = ours.filter(|name| *name != OPENED_BY.0).collect();
            known.sort_unstable();
            ours.sort_unstable();
            assert_eq!(ours, known, "{thing}");
        }
        let wrong = LEVEL_TEXT.replace("[player]\n", "[player]\nxyzzy = 1\n");
        let ScenarioErrorKind::UnknownKey { known, .. } =
            Scenario::parse(&wrong).unwrap_err().wrong
        else {
            panic!("it is refused for something else");
        };
        let ours: Vec<&str> = ACTOR.iter().map(|(name, ..)| *name).collect();
        assert_eq!(ours.join("`, `"), known);
        for (like, words) in [("guard", GUARD_KIND), ("bear", BEAST_KIND)] {
            let kind = format!("[kinds.own]\nlike = \"{like}\"\nxyzzy = 1\n");
            let wrong = format!("{LEVEL_TEXT}\n{kind}");
            let ScenarioErrorKind::UnknownKey { known, .. } =
                Scenario::parse(&wrong).unwrap_err().wrong
            else {
                panic!("it is refused for something else");
            };
            let mut known: Vec<&str> = known.split("`, `").filter(|word| *word != "like").collect();
            let mut ours: Vec<&str> = words.iter().map(|(name, ..)| *name).collect();
            known.sort_unstable();
            ours.sort_unstable();
            assert_eq!(ours, known, "{like}");
        }
    }

    #[test]
    fn a_new_name_is_known_to_all_who_refer_to_it() {
        let Edited { text, .. } =
            after(&[set("gate", "id", "portcullis"), set("pearl", "id", "gem")]);
        assert_eq!(
            text,
            LEVEL_TEXT
                .replace("gate", "portcullis")
                .replace("pearl", "gem")
        );
    }

    #[test]
    fn what_covers_places_is_changed_like_everything_else() {
        let Edited { text, .. } = after(&[
            set("spikes", "damage", "7.5"),
            set("crank", "disarms", "spikes"),
            set("spikes", "id", "thorns"),
            set("meadow", "who", "npc, anna"),
            set("anna", "id", "berta"),
        ]);
        for part in [
            "id = \"thorns\"\nat = [[2, 0], [2, 1]]\ndamage = 7.5\n",
            "disarms = [\"thorns\"]",
            "who = [\"npc\", \"berta\"]",
        ] {
            assert!(text.contains(part), "{part}\n{text}");
        }
        let fields = of(&level(LEVEL_TEXT), "meadow").unwrap();
        let who = fields.into_iter().find(|field| field.name == "who");
        assert_eq!(who.unwrap().options, ["npc", "player", "anna"]);
        // Nobody mentions them afterwards.
        let remove = |thing: &str| Edit::Remove {
            thing: thing.to_owned(),
        };
        let Edited { text, notes } = after(&[
            set("crank", "disarms", "spikes"),
            remove("spikes"),
            remove("anna"),
        ]);
        assert!(!text.contains("spikes") && !text.contains("anna"), "{text}");
        assert_eq!(
            notes,
            [
                "`crank` no longer disarms `spikes`",
                "`meadow` no longer names `anna`, and counts so for everybody"
            ]
        );
        let copy = Edit::Copy {
            thing: "meadow".to_owned(),
            x: 0.0,
            y: 0.0,
            height: None,
        };
        let refused = edited(LEVEL_TEXT, &[copy]).unwrap_err();
        assert!(refused.contains("`meadow` covers places"), "{refused}");
    }

    #[test]
    fn an_enemy_with_numbers_of_its_own_is_of_a_kind_of_its_own() {
        let Edited { text, notes } = after(&[set("grizzly", "radius", "3")]);
        assert!(text.contains("kind = \"bear_2\"\n"), "{text}");
        assert!(
            text.ends_with("\n[kinds.bear_2]\nlike = \"bear\"\nradius = 3\n"),
            "{text}"
        );
        assert_eq!(
            notes,
            ["`grizzly` is of a kind of its own now, `bear_2`, like `bear`"]
        );
        assert_eq!(value_of(&text, "grizzly", "radius"), "3");
        assert_eq!(value_of(&text, "grizzly", "leash"), "15");
        let more = edited(
            &text,
            &[set("grizzly", "leash", "4.5"), set("grizzly", "radius", "")],
        );
        let Edited { text, notes } = more.unwrap();
        assert!(
            text.ends_with("\n[kinds.bear_2]\nlike = \"bear\"\nleash = 4.5\n"),
            "{text}"
        );
        assert_eq!(notes, Vec::<String>::new());
        assert_eq!(value_of(&text, "grizzly", "radius"), "10");
    }

    #[test]
    fn doors_say_what_opens_them() {
        assert_eq!(value_of(LEVEL_TEXT, "gate", "opened_by"), "red");
        let Edited { text, .. } = after(&[set("gate", "opened_by", "crank")]);
        assert!(!text.contains("at = [1, 0]\nopens"), "{text}");
        assert!(text.contains("at = [2, 1]\nopens = [\"gate\"]"), "{text}");
        assert_eq!(
            after(&[set("gate", "opened_by", "red, crank")])
                .text
                .matches("opens")
                .count(),
            2
        );
        assert_eq!(
            after(&[set("gate", "opened_by", "")])
                .text
                .matches("opens")
                .count(),
            0
        );
    }

    #[test]
    fn what_makes_no_sense_is_refused_in_the_words_of_the_file() {
        for (thing, field, value, why) in [
            (
                "herbs",
                "health",
                "a lot",
                "`health` is of type string; write a number",
            ),
            (
                "herbs",
                "health",
                "900",
                "`health` is 900; write a number from 0.001 to 100",
            ),
            ("red", "at", "9, 9", "red is at (9, 9), off the map"),
            ("red", "at", "there", "write a place like [3, 4]"),
            (
                "red",
                "opens",
                "gaet",
                "no door is called `gaet`; did you mean `gate`?",
            ),
            ("red", "id", "pearl", "`pearl` is already the id"),
            ("red", "id", "", "`id` is missing"),
            ("grizzly", "kind", "baer", "did you mean `bear`?"),
            ("grizzly", "leash", "-1", "`leash` is -1"),
            ("goal", "radius", "-2", "`radius` is -2"),
            ("", "goal", "{ holds = \"perl\" }", "did you mean `pearl`?"),
        ] {
            let text = edited(LEVEL_TEXT, &[set(thing, field, value)])
                .unwrap()
                .text;
            let refused = Scenario::parse(&text).unwrap_err().to_string();
            assert!(refused.contains(why), "{refused}");
        }
        let no_toml = edited(LEVEL_TEXT, &[set("", "goal", "{ holds")]).unwrap_err();
        assert!(no_toml.starts_with("`goal`: "), "{no_toml}");
        assert!(edited(LEVEL_TEXT, &[set("unicorn", "at", "1, 1")]).is_err());
    }
}
