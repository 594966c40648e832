//! What a scenario's text says about how plans in it are to be made, and what is expected of them.

use toml_edit::{DocumentMut, InlineTable, Item, Value};

use crate::protocol::{LevelPlanning, ShownExpectation};
use crate::scenario_text;

/// The text with how plans are to be made; what it says besides stays as it is. What is as it would be
/// without a word is not written.
pub(crate) fn with_planning(text: &str, planning: &LevelPlanning) -> Result<String, String> {
    let wanted = [
        ("planner", planning.planner.clone().map(Value::from)),
        ("faithful", planning.faithful.map(hundredths)),
    ];
    scenario_text::changed(text, |document| write(document, "planning", wanted))
}

/// Writes what a point of lost health counts, in seconds; nothing, if it counts nothing.
pub(crate) fn price(document: &mut DocumentMut, harm: f64) {
    let harm = (harm > 0.0).then(|| scenario_text::number(harm));
    write(document, "prices", [("harm", harm)]);
}

/// Writes what a table says, or no longer says; without anything to say there is no table.
fn write<const N: usize>(
    document: &mut DocumentMut,
    name: &str,
    wanted: [(&str, Option<Value>); N],
) {
    if !document.contains_key(name) {
        if wanted.iter().all(|(_, value)| value.is_none()) {
            return;
        }
        let table = Item::Value(Value::InlineTable(InlineTable::new()));
        document.insert(name, table);
    }
    let Some(table) = document[name].as_table_like_mut() else {
        return;
    };
    for (key, value) in wanted {
        match value {
            None => {
                table.remove(key);
            }
            Some(value) => match table.get_mut(key).and_then(Item::as_value_mut) {
                Some(old) if old.to_string().trim() == value.to_string().trim() => {}
                Some(old) => scenario_text::replace(old, value),
                None => {
                    table.insert(key, Item::Value(value));
                }
            },
        }
    }
    if table.is_empty() {
        document.remove(name);
    }
}

/// Writes what is expected of whoever plays in the level; nothing, if nothing is.
pub(crate) fn expect(document: &mut DocumentMut, expected: Option<&ShownExpectation>) {
    document.remove("expect");
    let Some(expected) = expected else {
        return;
    };
    let mut table = InlineTable::new();
    table.insert("arrives", Value::from(expected.arrives));
    let numbers = [
        ("within", expected.within),
        ("health", expected.health),
        ("followed", expected.followed),
    ];
    for (key, value) in numbers {
        if let Some(value) = value {
            table.insert(key, scenario_text::number(value));
        }
    }
    if expected.unnoticed {
        table.insert("unnoticed", Value::from(true));
    }
    document.insert("expect", Item::Value(Value::InlineTable(table)));
}

/// A slider has a hundred places.
fn hundredths(part: f64) -> Value {
    Value::from((part * 100.0).round() / 100.0)
}

#[cfg(test)]
mod tests {
    use apprentice::world::Scenario;

    use super::*;

    const TEXT: &str =
        "format = 1\nstart = [0, 0] # here\ngoal = { all = [] }\nmap = { rows = ['..'] }\n";

    fn with(text: &str, planner: Option<&str>, faithful: Option<f64>) -> String {
        let planner = planner.map(str::to_owned);
        with_planning(text, &LevelPlanning { planner, faithful }).expect("it can be written")
    }

    #[test]
    fn what_is_asked_for_is_written_and_read_and_can_be_taken_back() {
        let written = with(TEXT, Some("wastar"), Some(0.25));
        let read = Scenario::parse(&written).expect("it is a scenario");
        assert_eq!(read.planning().planner.as_deref(), Some("wastar"));
        assert_eq!(read.planning().faithful, Some(0.25));
        assert_eq!(with(&written, Some("wastar"), Some(0.25)), written);
        let other = with(&written, None, Some(0.75));
        assert!(
            !other.contains("wastar") && other.contains("0.75"),
            "{other}"
        );
        assert_eq!(with(&other, None, None), TEXT);
        assert_eq!(with(TEXT, None, None), TEXT);
    }

    #[test]
    fn a_price_is_written_beside_others_and_taken_back() {
        let priced = |text: &str, harm: f64| {
            scenario_text::changed(text, |document| price(document, harm)).expect("it is written")
        };
        let written = priced(TEXT, 0.5);
        let read = Scenario::parse(&written).expect("it is a scenario");
        assert_eq!(read.prices().harm(), 0.5);
        assert_eq!(priced(&written, 0.0), TEXT);
        let both = format!("{TEXT}\n[prices]\nnotice = 3 # quietly\n");
        let read = Scenario::parse(&priced(&both, 2.0)).expect("it is a scenario");
        assert_eq!((read.prices().harm(), read.prices().notice()), (2.0, 3.0));
        assert_eq!(priced(&priced(&both, 2.0), 0.0), both);
    }

    #[test]
    fn tables_and_their_comments_stay() {
        let text = format!("{TEXT}\n[planning]\nfaithful = 0.5 # as we like it\n");
        let other = with(&text, None, Some(0.6));
        assert!(
            other.ends_with("[planning]\nfaithful = 0.6 # as we like it\n"),
            "{other}"
        );
    }
}
