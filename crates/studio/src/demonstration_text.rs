//! The demonstrations of a scenario's text: what it names, and the text with others in their place.

use toml_edit::{Array, Item, Table, TableLike, Value, value};

use crate::demonstrations;
use crate::protocol::Dot;
use crate::scenario_text::{Spot, coordinate, entries, parse, place, seen_from_above, thousandths};

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
}
