//! A level made of a map that was drawn with Tiled or LDtk: its walls, and the things of its object
//! layers, in the words of the scenario file.

use apprentice::world::{Cell, DrawnMap, DrawnObject, GridMap, Kind};
use toml_edit::{Array, InlineTable, Item, Table, Value, value};

use crate::folder::Folder;
use crate::furnishing::free_name;
use crate::level;
use crate::new_level;
use crate::protocol::{Dot, Edit, OwnLine};
use crate::{fields, scenario_text};

/// The ends of the names of files that are taken in.
pub(crate) const READ: [&str; 3] = ["tmx", "tmj", "ldtk"];
/// What objects may be, besides kinds of enemies; some have more than one word.
const WORDS: [(&str, &str); 20] = [
    ("start", "start"),
    ("npc", "start"),
    ("spawn", "start"),
    ("goal", "goal"),
    ("exit", "goal"),
    ("end", "goal"),
    ("player", "player"),
    ("character", "character"),
    ("actor", "character"),
    ("key", "key"),
    ("door", "door"),
    ("gate", "door"),
    ("shield", "shield"),
    ("item", "item"),
    ("treasure", "item"),
    ("pack", "pack"),
    ("health", "pack"),
    ("lever", "lever"),
    ("switch", "lever"),
    ("line", "demonstration"),
];
/// Objects that are lines somebody shows.
const DEMONSTRATIONS: [&str; 2] = ["demonstration", "line"];

/// What came of a file.
pub(crate) struct Imported {
    pub(crate) path: String,
    pub(crate) text: String,
    pub(crate) lines: Vec<OwnLine>,
    /// What was left out, or is different, in words.
    pub(crate) notes: Vec<String>,
}

/// Reads a file of the folder, and makes a level of it that is in no file yet.
pub(crate) fn read(folder: &Folder, path: &str, text: &str) -> Result<Imported, String> {
    let kind = path.rsplit_once('.').map_or("", |(_, kind)| kind);
    let beside = |name: &str| folder.read_beside(path, name);
    let wrong = |error: apprentice::world::MapFileError| format!("`{path}`: {error}");
    let map = match kind {
        "tmx" => DrawnMap::from_tmx(text, beside).map_err(wrong)?,
        "tmj" => DrawnMap::from_tmj(text, beside).map_err(wrong)?,
        "ldtk" => DrawnMap::from_ldtk(text, None).map_err(wrong)?,
        _ => {
            return Err(format!(
                "`{path}` is no map of Tiled (.tmx, .tmj) or LDtk (.ldtk)"
            ));
        }
    };
    let name = level::short_name(path).replace('_', " ");
    let stem = free_name(&new_level::stem(&name), |stem| {
        folder.has(&format!("{stem}.toml"))
    });
    let mut making = Making {
        text: first_text(&name, &map.grid)?,
        grid: &map.grid,
        lines: Vec::new(),
        notes: Vec::new(),
    };
    if !map.other_levels.is_empty() {
        making.notes.push(format!(
            "only the first level of `{path}` was read, without `{}`; to have another, put it first in LDtk",
            map.other_levels.join("`, `")
        ));
    }
    let mut put = Vec::new();
    for object in &map.objects {
        if let Some(thing) = making.put(object) {
            put.push((object, thing));
        }
    }
    Ok(Imported {
        path: format!("{stem}.toml"),
        text: making.finish(&put),
        lines: making.lines,
        notes: making.notes,
    })
}

/// A level with these walls, a start, and a goal as far from it as there is floor.
fn first_text(name: &str, grid: &GridMap) -> Result<String, String> {
    let rows: Vec<String> = grid.rows().collect();
    let free = (0..).zip(&rows).flat_map(|(y, row)| {
        let cells = (0..).zip(row.bytes());
        let cells = cells.filter(|(_, cell)| *cell == b'.');
        cells.map(move |(x, _)| Cell::new(x, y))
    });
    let free: Vec<Cell> = free.collect();
    let (Some(first), Some(last)) = (free.first(), free.last()) else {
        return Err("there is nothing but walls on this map".to_owned());
    };
    let place = |cell: &Cell| Array::from_iter([i64::from(cell.x), i64::from(cell.y)]);
    let mut within = InlineTable::new();
    within.insert("at", Value::Array(place(last)));
    within.insert("radius", Value::from(0.0));
    let mut goal = InlineTable::new();
    goal.insert("within", Value::InlineTable(within));
    let rows = rows.into_iter();
    let mut rows: Array = rows
        .map(|row| Value::from(row).decorated("\n    ", ""))
        .collect();
    rows.set_trailing(",\n");
    let mut map = Table::new();
    map.insert("rows", value(rows));
    let mut document = toml_edit::DocumentMut::new();
    document.insert("format", value(1));
    document.insert("name", value(name));
    document.insert("start", value(place(first)));
    document.insert("goal", value(goal));
    document.insert("map", Item::Table(map));
    Ok(document.to_string())
}

/// A level that is being made.
struct Making<'m> {
    text: String,
    grid: &'m GridMap,
    lines: Vec<OwnLine>,
    notes: Vec<String>,
}

impl Making<'_> {
    /// Puts an object into the level, or notes why not; returns how the level calls it, if it is a thing.
    fn put(&mut self, object: &DrawnObject) -> Option<String> {
        let called = called(object);
        let Some(what) = what_is(object) else {
            let kinds = Kind::KNOWN.join("`, `");
            self.notes.push(format!(
                "{called} was left out: nothing says what it is; give it a class, such as `key`, `door` or `{kinds}`"
            ));
            return None;
        };
        if DEMONSTRATIONS.contains(&&*what) {
            self.show(object);
            return None;
        }
        let Some(cell) = object.cell() else {
            self.notes
                .push(format!("{called} was left out: it is off the map"));
            return None;
        };
        let (x, y) = (f64::from(cell.x), f64::from(cell.y));
        let is_place = ["start", "goal"].contains(&&*what);
        let edits = if is_place {
            vec![
                floor_at(cell),
                Edit::Move {
                    thing: what.clone(),
                    x,
                    y,
                    height: None,
                    heights: Vec::new(),
                },
            ]
        } else {
            vec![
                floor_at(cell),
                Edit::Add {
                    what: what.clone(),
                    x,
                    y,
                    height: None,
                    opened_by: None,
                },
            ]
        };
        let added = self.try_out(&edits, &called)?;
        let mut thing = match (&*what, is_place) {
            (_, true) | ("player", _) => what.clone(),
            _ => added,
        };
        if !is_place && what != "player" && !object.name.is_empty() {
            let name = id_of(&object.name);
            if name != thing && ids(&self.text).contains(&name) {
                self.notes.push(format!(
                    "{called} is called `{thing}`: something else is called `{name}` already"
                ));
            } else if name != thing && self.set(&thing, "id", &name, &called) {
                thing = name;
            }
        }
        if what == "door" && object.cells.len() > 1 {
            let cells = object.cells.iter();
            let cells = cells.map(|cell| format!("[{}, {}]", cell.x, cell.y));
            let cells: Vec<String> = cells.collect();
            self.try_out(
                &[Edit::Paint {
                    with: crate::protocol::Cover::Floor,
                    cells: object.cells.iter().map(pair).collect(),
                }],
                &called,
            );
            self.set(&thing, "at", &format!("[{}]", cells.join(", ")), &called);
        }
        if object.line.is_empty() {
            return Some(thing);
        }
        if ["player", "character"].contains(&&*what) {
            let points = object.line.iter();
            // Whole numbers, because nobody writes -0.
            let points =
                points.map(|at| format!("[{}, {}]", at.x.round() as i64, at.y.round() as i64));
            let points: Vec<String> = points.collect();
            self.set(
                &thing,
                "route",
                &format!("[{}]", points.join(", ")),
                &called,
            );
        } else {
            self.notes.push(format!(
                "the line of {called} was left out: only a `player` or a `character` goes a route"
            ));
        }
        Some(thing)
    }

    /// The text, once whatever refers to other things was written, too.
    fn finish(&mut self, put: &[(&DrawnObject, String)]) -> String {
        for (object, thing) in put {
            for (name, value) in &object.properties {
                let name = name.to_ascii_lowercase();
                // It has been said already.
                if ["id", "name", "kind", "class"].contains(&&*name) || value.is_empty() {
                    continue;
                }
                self.set(thing, &name, value, &called(object));
            }
        }
        std::mem::take(&mut self.text)
    }

    /// Writes a field in its own words; returns whether that could be.
    fn set(&mut self, thing: &str, field: &str, typed: &str, called: &str) -> bool {
        let known = self.fields_of(thing);
        if !known.iter().any(|name| name == field) {
            self.notes.push(format!(
                "what is said of {called} as `{field}` was left out; known are {}",
                known.join(", ")
            ));
            return false;
        }
        let edit = Edit::Set {
            thing: thing.to_owned(),
            field: field.to_owned(),
            value: Some(typed.to_owned()),
        };
        self.try_out(&[edit], called).is_some()
    }

    fn fields_of(&self, thing: &str) -> Vec<String> {
        let scenario = apprentice::world::Scenario::parse(&self.text);
        let Ok(scenario) = scenario else {
            return Vec::new();
        };
        let read = level::ReadLevel {
            path: String::new(),
            text: self.text.clone(),
            scenario,
            notes: Vec::new(),
        };
        let fields = fields::of(&read, thing).unwrap_or_default().into_iter();
        fields.map(|field| field.name).collect()
    }

    /// Makes changes, if what comes out is a level; returns the id of what was added, if something was.
    fn try_out(&mut self, edits: &[Edit], called: &str) -> Option<String> {
        let edited = match scenario_text::edited(&self.text, edits) {
            Ok(edited) => edited,
            Err(why) => {
                self.notes.push(format!("{called} was left out: {why}"));
                return None;
            }
        };
        match apprentice::world::Scenario::parse(&edited.text) {
            Ok(_) => {
                let before = ids(&self.text);
                let added = ids(&edited.text)
                    .into_iter()
                    .find(|id| !before.contains(id));
                self.text = edited.text;
                Some(added.unwrap_or_default())
            }
            Err(error) => {
                self.notes
                    .push(format!("{called} was left out: {}", error.wrong));
                None
            }
        }
    }

    /// A line that somebody shows.
    fn show(&mut self, object: &DrawnObject) {
        let inside = |at: f64, most: u16| at.clamp(0.0, f64::from(most) - 1.0);
        let points: Vec<Dot> = object
            .line
            .iter()
            .map(|at| {
                Dot::Low([
                    inside(at.x, self.grid.width()),
                    inside(at.y, self.grid.height()),
                ])
            })
            .collect();
        if points.len() < 2 {
            self.notes.push(format!(
                "{} was left out: a line has two points at least",
                called(object)
            ));
            return;
        }
        let name = match &*object.name {
            "" => format!("Line {}", self.lines.len() + 1),
            name => name.to_owned(),
        };
        self.lines.push(OwnLine {
            name,
            hidden: false,
            points,
            log: None,
        });
    }
}

/// Nothing stands in a wall.
fn floor_at(cell: Cell) -> Edit {
    Edit::Paint {
        with: crate::protocol::Cover::Floor,
        cells: vec![pair(&cell)],
    }
}

fn pair(cell: &Cell) -> [u32; 2] {
    [u32::from(cell.x), u32::from(cell.y)]
}

/// How notes call an object.
fn called(object: &DrawnObject) -> String {
    let named = match (&*object.name, &*object.kind) {
        ("", "") => "an object".to_owned(),
        ("", kind) => format!("a `{kind}`"),
        (name, _) => format!("`{name}`"),
    };
    match object.cell() {
        Some(cell) => format!("{named} at {}, {}", cell.x, cell.y),
        None => named,
    }
}

/// What an object is: by its class, its name, or the layer it is on.
fn what_is(object: &DrawnObject) -> Option<String> {
    let said = object.property("kind").unwrap_or("");
    let words = [said, &object.kind, &object.name, &object.layer];
    words.into_iter().find_map(|word| {
        let word = id_of(word);
        let singular = word.strip_suffix('s').unwrap_or(&word);
        let known = |word: &str| {
            let known = WORDS.iter().find(|(is, _)| *is == word);
            let thing = known.map(|(_, what)| (*what).to_owned());
            let is_enemy = Kind::KNOWN.contains(&word) || DEMONSTRATIONS.contains(&word);
            thing.or_else(|| is_enemy.then(|| word.to_owned()))
        };
        known(&word).or_else(|| known(singular))
    })
}

/// A name as ids are written.
fn id_of(name: &str) -> String {
    let words = name.split(|letter: char| !letter.is_alphanumeric());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    words.join("_").to_lowercase()
}

/// The ids of everything in a level.
fn ids(text: &str) -> Vec<String> {
    let Ok(document) = scenario_text::parse(text) else {
        return Vec::new();
    };
    let lists = scenario_text::WITH_PLACE.into_iter().chain(["door"]);
    let entries = lists.flat_map(|list| {
        let list = document.get(list).into_iter();
        list.flat_map(scenario_text::entries)
    });
    let ids = entries.filter_map(|entry| entry.get("id")?.as_str().map(ToOwned::to_owned));
    ids.collect()
}

#[cfg(test)]
mod tests {
    use apprentice::world::Scenario;

    use super::*;

    const TMX: &str = r#"<map orientation="orthogonal" width="8" height="3" tilewidth="16" tileheight="16">
 <layer name="walls" width="8" height="3"><data encoding="csv">
0,0,0,1,0,0,0,0,
0,0,0,1,0,0,0,0,
0,0,0,1,0,0,0,0
</data></layer>
 <objectgroup name="things">
  <object name="Red key" class="key" x="16" y="0" width="16" height="16"><properties><property name="opens" value="gate"/></properties></object>
  <object name="gate" type="door" x="48" y="16" width="16" height="32"/>
  <object name="old tom" class="bear" x="104" y="40"><point/><properties><property name="radius" value="3"/><property name="mood" value="bad"/></properties></object>
  <object class="start" x="8" y="24"><point/></object>
  <object class="goal" x="112" y="0" width="16" height="16"/>
  <object name="mystery" x="0" y="0"/>
  <object class="demonstration" x="8" y="24"><polyline points="0,0 48,0 96,-16"/></object>
 </objectgroup>
</map>"#;

    fn folder() -> Folder {
        Folder::open(&std::env::temp_dir()).expect("there is a folder")
    }

    #[test]
    fn walls_and_objects_become_a_level() {
        let made = read(&folder(), "maps/Old_mill.tmx", TMX).expect("it is a map");
        let scenario =
            Scenario::parse(&made.text).unwrap_or_else(|error| panic!("{error}\n{}", made.text));
        assert!(made.path.starts_with("old_mill"), "{}", made.path);
        assert_eq!(scenario.name(), "Old mill");
        let text = &made.text;
        for part in [
            "start = [0, 1]",
            "at = [7, 0]",
            "id = \"red_key\"",
            "opens = [\"gate\"]",
            "[[3, 1], [3, 2]]",
            "id = \"old_tom\"",
            "radius = 3",
        ] {
            assert!(text.contains(part), "{part}\n{text}");
        }
        assert_eq!(scenario.enemies()[0].kind.name, "bear_2");
        assert_eq!(made.lines.len(), 1);
        let notes = made.notes.join("\n");
        assert!(notes.contains("`mystery` at 0, 0 was left out"), "{notes}");
        assert!(notes.contains("`mood` was left out"), "{notes}");
        assert_eq!(made.notes.len(), 2, "{notes}");
    }

    #[test]
    fn what_is_said_of_an_object_is_said_of_no_other() {
        let objects = r#"<objectgroup name="things">
  <object class="pack" x="0" y="0"><point/><properties><property name="health" value="11"/></properties></object>
  <object name="herbs" class="pack" x="16" y="0"><point/><properties><property name="health" value="12"/></properties></object>
  <object name="herbs" class="pack" x="32" y="0"><point/><properties><property name="health" value="13"/></properties></object>
  <object name="tom" class="bear" x="104" y="40"><polyline points="0,0 -16,0"/></object>
 </objectgroup>
</map>"#;
        let walls = TMX.split_once(" <objectgroup").expect("it has objects").0;
        let made = read(&folder(), "mill.tmx", &format!("{walls}{objects}")).expect("it is a map");
        for pack in [
            "id = \"pack\"\nat = [0, 0]\nhealth = 11\n",
            "id = \"herbs\"\nat = [1, 0]\nhealth = 12\n",
            "id = \"pack_2\"\nat = [2, 0]\nhealth = 13\n",
        ] {
            assert!(made.text.contains(pack), "{pack}\n{}", made.text);
        }
        let [second, line] = &made.notes[..] else {
            panic!("there are two: {:?}", made.notes);
        };
        assert!(second.contains("is called `pack_2`"), "{second}");
        assert!(line.starts_with("the line of `tom` at "), "{line}");
    }

    #[test]
    fn levels_that_are_not_read_are_named() {
        let level = |name: &str| {
            format!(
                r#"{{ "identifier": "{name}", "layerInstances": [{{ "__identifier": "Walls", "__type": "IntGrid", "__gridSize": 8, "__cWid": 2, "__cHei": 1, "intGridCsv": [0, 0] }}] }}"#
            )
        };
        let levels = ["Cellar", "Attic", "Roof"].map(level).join(", ");
        let project = format!(r#"{{ "levels": [{levels}] }}"#);
        let made = read(&folder(), "house.ldtk", &project).expect("it is a project");
        let [note] = &made.notes[..] else {
            panic!("there is one: {:?}", made.notes);
        };
        assert!(note.contains("without `Attic`, `Roof`"), "{note}");
    }

    #[test]
    fn what_is_no_map_is_refused_with_its_place() {
        for (path, text, why) in [
            ("a.tmx", "<map", "line 1"),
            ("a.tmj", "{}", "width"),
            ("a.ldtk", "{}", "no levels"),
            ("a.png", "", "no map of Tiled"),
        ] {
            let wrong = read(&folder(), path, text).err().expect("it is refused");
            assert!(wrong.contains(why), "{wrong}");
        }
    }
}
