//! The walls of a level that are written in it: rows of `#` and `.`.

use std::collections::{BTreeMap, BTreeSet};

use toml_edit::{Array, DocumentMut, Item, Value};

use crate::protocol::Cover;
use crate::scenario_text::{self, WITH_PLACE, entries, seen_from_above};

/// A cell: column and row.
type Cell = [u32; 2];

/// Makes cells walls or floor. No wall is put where something stands; what was left free is noted.
pub(crate) fn paint(
    document: &mut DocumentMut,
    with: Cover,
    cells: &[Cell],
    notes: &mut Vec<String>,
) -> Result<(), String> {
    let standing = standing(document);
    let mut rows = Rows::read(document)?;
    let mut left_free = BTreeSet::new();
    for cell in cells {
        match standing.get(cell) {
            Some(thing) if with == Cover::Wall => {
                left_free.insert(thing.as_str());
            }
            _ => rows.put(*cell, with)?,
        }
    }
    let is_free = left_free.is_empty();
    let named: Vec<String> = left_free.iter().map(|id| format!("`{id}`")).collect();
    let named = named.join(", ");
    if !is_free && !rows.is_changed() {
        return Err(format!(
            "{named} stands there, and nothing stands in a wall; move it first"
        ));
    }
    if !is_free {
        notes.push(format!(
            "no wall was put where {named} stands: nothing stands in a wall"
        ));
    }
    rows.write(document);
    Ok(())
}

/// Makes all cells between two corners walls or floor.
pub(crate) fn paint_rectangle(
    document: &mut DocumentMut,
    with: Cover,
    from: Cell,
    to: Cell,
    notes: &mut Vec<String>,
) -> Result<(), String> {
    let rows = Rows::read(document)?;
    rows.check(from)?;
    rows.check(to)?;
    let between = |a: u32, b: u32| a.min(b)..=a.max(b);
    let cells = between(from[1], to[1])
        .flat_map(|y| between(from[0], to[0]).map(move |x| [x, y]))
        .collect::<Vec<Cell>>();
    paint(document, with, &cells, notes)
}

/// Makes everything that hangs together with a cell, and is what it is, a wall or floor.
pub(crate) fn fill(document: &mut DocumentMut, with: Cover, at: Cell) -> Result<(), String> {
    let standing = standing(document);
    let mut rows = Rows::read(document)?;
    rows.check(at)?;
    if rows.is(at, with) {
        return Ok(());
    }
    let mut next = vec![at];
    while let Some(cell) = next.pop() {
        if !rows.is_on(cell) || rows.is(cell, with) {
            continue;
        }
        if let Some(thing) = standing.get(&cell)
            && with == Cover::Wall
        {
            return Err(format!(
                "`{thing}` stands in there, and nothing stands in a wall; move it out, or close the room first"
            ));
        }
        rows.put(cell, with)?;
        let [x, y] = cell;
        next.extend([[x + 1, y], [x, y + 1]]);
        next.extend(x.checked_sub(1).map(|x| [x, y]));
        next.extend(y.checked_sub(1).map(|y| [x, y]));
    }
    rows.write(document);
    Ok(())
}

/// Makes an opening in the wall at these cells, if there is one, on levels that have their walls
/// written in them.
pub(crate) fn carve(document: &mut DocumentMut, cells: &[Cell]) {
    let Ok(mut rows) = Rows::read(document) else {
        return;
    };
    for cell in cells {
        // What is off the map is refused by whoever reads the level.
        let _ = rows.put(*cell, Cover::Floor);
    }
    rows.write(document);
}

/// Who stands in which cell.
pub(crate) fn standing(document: &DocumentMut) -> BTreeMap<Cell, String> {
    let mut standing = BTreeMap::new();
    let mut put = |at: &Value, thing: &str| {
        let Some([x, y]) = seen_from_above(at) else {
            return;
        };
        if x >= 0.0 && y >= 0.0 {
            // A place is in the cell whose middle is nearest.
            standing.insert([x.round() as u32, y.round() as u32], thing.to_owned());
        }
    };
    if let Some(start) = document.get("start").and_then(Item::as_value) {
        put(start, "start");
    }
    let player = document.get("player").and_then(Item::as_table_like);
    if let Some(at) = player.and_then(|player| player.get("at")?.as_value()) {
        put(at, "player");
    }
    for goal in document.get("goal").into_iter().flat_map(goal_places) {
        put(&goal, "goal");
    }
    let listed = WITH_PLACE
        .into_iter()
        .chain(["door", "actor", "obstacle", "trap"]);
    for entry in listed.flat_map(|list| document.get(list).into_iter().flat_map(entries)) {
        let id = entry.get("id").and_then(Item::as_str).unwrap_or_default();
        let place = entry.get("at").or(entry.get("path"));
        match place.and_then(Item::as_array) {
            Some(cells) if cells.iter().all(Value::is_array) => {
                cells.iter().for_each(|cell| put(cell, id));
            }
            Some(place) => put(&Value::Array(place.clone()), id),
            None => {}
        }
    }
    standing
}

/// The places a goal names.
fn goal_places(goal: &Item) -> Vec<Value> {
    let Some(table) = goal.as_table_like() else {
        return Vec::new();
    };
    let mut places = Vec::new();
    for (_, item) in table.iter() {
        if let Some(at) = item.as_table_like().and_then(|within| within.get("at")) {
            places.extend(at.as_value().cloned());
        } else if item.is_table_like() {
            places.extend(goal_places(item));
        } else if let Some(parts) = item.as_array() {
            let parts = parts.iter().map(|part| Item::Value(part.clone()));
            places.extend(parts.flat_map(|part| goal_places(&part)));
        }
    }
    places
}

/// The rows of a level, one byte a cell.
struct Rows {
    rows: Vec<Vec<u8>>,
    changed: BTreeSet<usize>,
}

impl Rows {
    fn read(document: &DocumentMut) -> Result<Rows, String> {
        let map = document.get("map").and_then(Item::as_table_like);
        let map = map.ok_or("the level has no map")?;
        if let Some(file) = map.get("file").and_then(Item::as_str) {
            return Err(format!(
                "the walls of this level are in the file `{file}`; change them there, or make a new level, whose walls are its own"
            ));
        }
        let rows = map.get("rows").and_then(Item::as_array);
        let rows = rows.into_iter().flat_map(Array::iter).map(|row| {
            let row = row.as_str().filter(|row| row.is_ascii());
            row.map(|row| row.as_bytes().to_vec())
        });
        let rows: Option<Vec<_>> = rows.collect();
        let rows = rows.filter(|rows| rows.iter().all(|row| row.len() == rows[0].len()));
        let rows = rows.filter(|rows| !rows.is_empty());
        Ok(Rows {
            rows: rows.ok_or("the rows of the map are no rows of cells")?,
            changed: BTreeSet::new(),
        })
    }

    fn is_on(&self, [x, y]: Cell) -> bool {
        (y as usize) < self.rows.len() && (x as usize) < self.rows[0].len()
    }

    fn check(&self, cell: Cell) -> Result<(), String> {
        if self.is_on(cell) {
            return Ok(());
        }
        let [x, y] = cell;
        let (width, height) = (self.rows[0].len(), self.rows.len());
        Err(format!(
            "({x}, {y}) is off the map, which has {width} by {height} cells"
        ))
    }

    fn is(&self, [x, y]: Cell, cover: Cover) -> bool {
        self.rows[y as usize][x as usize] == letter(cover)
    }

    fn put(&mut self, cell: Cell, cover: Cover) -> Result<(), String> {
        self.check(cell)?;
        if !self.is(cell, cover) {
            let [x, y] = cell.map(|number| number as usize);
            self.rows[y][x] = letter(cover);
            self.changed.insert(y);
        }
        Ok(())
    }

    fn is_changed(&self) -> bool {
        !self.changed.is_empty()
    }

    /// Writes the rows that have changed. What stands around them stays.
    fn write(self, document: &mut DocumentMut) {
        let map = document.get_mut("map").and_then(Item::as_table_like_mut);
        let rows = map.and_then(|map| map.get_mut("rows")?.as_array_mut());
        let Some(rows) = rows else {
            return;
        };
        for number in self.changed {
            let row = String::from_utf8_lossy(&self.rows[number]).into_owned();
            if let Some(old) = rows.get_mut(number) {
                scenario_text::replace(old, Value::from(row));
            }
        }
    }
}

const fn letter(cover: Cover) -> u8 {
    match cover {
        Cover::Wall => b'#',
        Cover::Floor => b'.',
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::Edit;
    use crate::scenario_text::{Edited, edited};
    use proptest::prelude::*;

    const LEVEL: &str = r#"format = 1
start = [0, 0] # here
goal = { any = [{ within = { at = [4, 2], radius = 0.0 } }] }

[map]
rows = [
    ".....", # north
    "..#..",
    ".....",
]

[[key]]
id = "red"
at = [3, 0]
"#;

    fn check(edit: Edit, rows: [&str; 3]) -> Vec<String> {
        let Edited { text, notes } = edited(LEVEL, &[edit]).unwrap();
        let mut expected = LEVEL.to_owned();
        let old = "    \".....\", # north\n    \"..#..\",\n    \".....\",\n";
        let [first, second, third] = rows;
        let new = format!("    \"{first}\", # north\n    \"{second}\",\n    \"{third}\",\n");
        expected = expected.replace(old, &new);
        assert_eq!(text, expected);
        notes
    }

    #[test]
    fn walls_are_painted_and_everything_else_stays() {
        let with = Cover::Wall;
        let cells = vec![[1, 0], [1, 1], [2, 1]];
        let notes = check(Edit::Paint { with, cells }, [".#...", ".##..", "....."]);
        assert_eq!(notes, Vec::<String>::new());
        let (from, to) = ([2, 2], [1, 1]);
        let edit = Edit::PaintRectangle { with, from, to };
        check(edit, [".....", ".##..", ".##.."]);
        let (with, at) = (Cover::Floor, [2, 1]);
        check(Edit::PaintFill { with, at }, [".....", ".....", "....."]);
    }

    #[test]
    fn nothing_is_walled_in() {
        let with = Cover::Wall;
        let (from, to) = ([0, 0], [4, 0]);
        let edit = Edit::PaintRectangle { with, from, to };
        let notes = check(edit, [".##.#", "..#..", "....."]);
        assert_eq!(
            notes,
            ["no wall was put where `red`, `start` stands: nothing stands in a wall"]
        );
        for (edit, why) in [
            (
                Edit::Paint {
                    with,
                    cells: vec![[4, 2]],
                },
                "`goal` stands there",
            ),
            (Edit::PaintFill { with, at: [1, 1] }, "stands in there"),
            (Edit::PaintFill { with, at: [5, 1] }, "off the map"),
            (
                Edit::Paint {
                    with,
                    cells: vec![[0, 3]],
                },
                "off the map",
            ),
        ] {
            let refused = edited(LEVEL, &[edit]).unwrap_err();
            assert!(refused.contains(why), "{refused}");
        }
        let elsewhere = "map = { file = 'caves/a.map' }";
        let refused = edited(elsewhere, &[Edit::PaintFill { with, at: [0, 0] }]).unwrap_err();
        assert!(refused.contains("in the file `caves/a.map`"), "{refused}");
    }

    /// The cells a fill reaches, found the slow way: by spreading until nothing more is reached.
    fn spread(rows: &[String], at: [u32; 2]) -> BTreeSet<[u32; 2]> {
        let letter = |[x, y]: [u32; 2]| rows.get(y as usize)?.as_bytes().get(x as usize).copied();
        let mut reached = BTreeSet::from([at]);
        loop {
            let around = reached.iter().flat_map(|[x, y]| {
                [
                    [x + 1, *y],
                    [*x, y + 1],
                    [x.wrapping_sub(1), *y],
                    [*x, y.wrapping_sub(1)],
                ]
            });
            let more: BTreeSet<_> = around.filter(|cell| letter(*cell) == letter(at)).collect();
            let before = reached.len();
            reached.extend(more);
            if reached.len() == before {
                return reached;
            }
        }
    }

    proptest! {
        #[test]
        fn a_fill_changes_exactly_what_hangs_together(
            cells in prop::collection::vec(prop::bool::weighted(0.4), 48),
            x in 0u32..8,
            y in 0u32..6,
        ) {
            let rows: Vec<String> = cells
                .chunks(8)
                .map(|row| row.iter().map(|wall| if *wall { '#' } else { '.' }).collect())
                .collect();
            let text = format!("[map]\nrows = {rows:?}\n");
            let is_wall = rows[y as usize].as_bytes()[x as usize] == b'#';
            let with = if is_wall { Cover::Floor } else { Cover::Wall };
            let filled = edited(&text, &[Edit::PaintFill { with, at: [x, y] }]).unwrap().text;
            let reached = spread(&rows, [x, y]);
            let expected: Vec<String> = (0..).zip(&rows).map(|(row, text)| {
                let letters = (0..).zip(text.chars());
                let changed = letters.map(|(column, letter)| match reached.contains(&[column, row]) {
                    true => char::from(super::letter(with)),
                    false => letter,
                });
                changed.collect()
            }).collect();
            prop_assert_eq!(filled, format!("[map]\nrows = {:?}\n", expected));
        }
    }
}
