//! The same level with some of its things elsewhere: each at a random place of the room it is in.

use std::collections::BTreeSet;

use apprentice_world::Scenario;
use toml::{Table, Value};

use crate::levels::Level;
use crate::measure::Seeded;

/// A cell: to the east, and to the south.
type Cell = (i64, i64);

/// What has a place in a level.
const KINDS: [&str; 6] = ["key", "shield", "item", "pack", "lever", "door"];

impl Level {
    /// The level with these things at random places of the rooms they are in: wherever one gets from
    /// where they are without passing a door. The same seed gives the same places.
    ///
    /// # Errors
    ///
    /// If the level is no grid that is written in its file, or there is no such thing on one cell of it.
    pub fn scattered(&self, names: &[String], seed: u64) -> Result<Scenario, String> {
        let mut table: Table = toml::from_str(&self.text).map_err(|error| error.to_string())?;
        let floor = floor(&table).ok_or("only levels with `rows` can have their things moved")?;
        let mut random = Seeded(seed);
        for name in names {
            let from = place_of(&table, name)
                .ok_or_else(|| format!("there is no `{name}` on one cell of this level"))?;
            let mut taken: BTreeSet<Cell> = places(&table).map(|(_, _, cell)| cell).collect();
            taken.extend(table.get("start").and_then(cell));
            let doors = places(&table).filter(|(kind, id, _)| *kind == "door" && *id != Some(name));
            let doors: BTreeSet<Cell> = doors.map(|(_, _, cell)| cell).collect();
            let mut room = room(from, |cell| floor.contains(&cell) && !doors.contains(&cell));
            room.retain(|cell| *cell == from || !taken.contains(cell));
            let room: Vec<Cell> = room.into_iter().collect();
            move_to(&mut table, name, room[random.below(room.len())]);
        }
        let text = toml::to_string(&table).map_err(|error| error.to_string())?;
        Scenario::parse(&text).map_err(|error| error.to_string())
    }
}

/// The cells one can walk on.
fn floor(table: &Table) -> Option<BTreeSet<Cell>> {
    let rows = table.get("map")?.get("rows")?.as_array()?;
    let mut floor = BTreeSet::new();
    for (y, row) in (0..).zip(rows) {
        let row = (0..).zip(row.as_str()?.chars());
        floor.extend(row.filter(|(_, it)| *it != '#').map(|(x, _)| (x, y)));
    }
    Some(floor)
}

/// Every cell on which something is: its kind, its name and the cell.
fn places(table: &Table) -> impl Iterator<Item = (&'static str, Option<&str>, Cell)> {
    KINDS.into_iter().flat_map(|kind| {
        let things = table.get(kind).and_then(Value::as_array);
        things.into_iter().flatten().flat_map(move |thing| {
            let id = thing.get("id").and_then(Value::as_str);
            let cells = thing.get("at").map(cells).unwrap_or_default();
            cells.into_iter().map(move |cell| (kind, id, cell))
        })
    })
}

/// One cell, or those of a list.
fn cells(at: &Value) -> Vec<Cell> {
    let several = at.as_array().into_iter().flatten().filter_map(cell);
    cell(at).into_iter().chain(several).collect()
}

fn cell(at: &Value) -> Option<Cell> {
    match at.as_array()?.as_slice() {
        [x, y] => Some((x.as_integer()?, y.as_integer()?)),
        _ => None,
    }
}

/// Where the thing of this name is, if that is one cell.
fn place_of(table: &Table, name: &str) -> Option<Cell> {
    let mut found = places(table).filter(|(_, id, _)| *id == Some(name));
    let (_, _, cell) = found.next()?;
    found.next().is_none().then_some(cell)
}

fn move_to(table: &mut Table, name: &str, (x, y): Cell) {
    let at = Value::Array(vec![Value::Integer(x), Value::Integer(y)]);
    for kind in KINDS {
        let things = table.get_mut(kind).and_then(Value::as_array_mut);
        for thing in things.into_iter().flatten().filter_map(Value::as_table_mut) {
            if thing.get("id").and_then(Value::as_str) == Some(name) {
                let is_list = kind == "door";
                let at = if is_list {
                    Value::Array(vec![at.clone()])
                } else {
                    at.clone()
                };
                thing.insert("at".to_owned(), at);
            }
        }
    }
}

/// All cells one gets to from a cell.
fn room(from: Cell, is_free: impl Fn(Cell) -> bool) -> BTreeSet<Cell> {
    let mut met = BTreeSet::from([from]);
    let mut open = vec![from];
    while let Some((x, y)) = open.pop() {
        for next in [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)] {
            if is_free(next) && met.insert(next) {
                open.push(next);
            }
        }
    }
    met
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue::Catalogue;

    #[test]
    fn lever_key_and_chest_lie_anywhere_in_their_rooms() {
        let catalogue = Catalogue::shipped();
        let level = catalogue.levels().find("open_chest");
        let level = level.expect("it is there");
        let names = ["lever", "key", "chest"].map(str::to_owned);
        let mut met: [BTreeSet<Cell>; 3] = Default::default();
        for seed in 0..400 {
            let one = level.scattered(&names, seed).expect("it can be moved");
            let again = level.scattered(&names, seed).expect("it can be moved");
            let place = |scenario: &Scenario, name: &str| {
                let thing = scenario.thing(name).expect("it is there");
                let at = scenario.map().point_of(scenario.place_of(thing));
                (at.x as i64, at.y as i64)
            };
            for (name, met) in names.iter().zip(&mut met) {
                assert_eq!(place(&one, name), place(&again, name));
                met.insert(place(&one, name));
            }
        }
        let [lever, key, chest] = met;
        assert!(lever.len() > 150 && key.len() > 150 && chest.len() > 150);
        assert!(lever.iter().chain(&key).all(|(x, _)| *x < 14));
        assert!(chest.iter().all(|(x, _)| *x > 14));
    }

    #[test]
    fn what_is_not_there_cannot_be_moved() {
        let catalogue = Catalogue::shipped();
        let level = catalogue.levels().find("open_chest");
        let level = level.expect("it is there");
        let error = level.scattered(&["crown".to_owned()], 1).unwrap_err();
        assert!(error.contains("`crown`"), "{error}");
        let cave = catalogue.levels().find("grotto").expect("it is there");
        assert!(cave.scattered(&["bear".to_owned()], 1).is_err());
    }
}
