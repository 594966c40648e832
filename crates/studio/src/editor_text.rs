//! What a scenario's text says to those who make the level: its table `editor`, which nobody else reads.

use toml_edit::{DocumentMut, InlineTable, Item, TableLike, Value};

use crate::protocol::{BoundTasks, Underlay};
use crate::scenario_text::{number, parse};

const EDITOR: &str = "editor";
const PICTURE: &str = "picture";
const TASKS: &str = "tasks";

/// The picture under the level, if there is one.
pub(crate) fn picture(text: &str) -> Option<Underlay> {
    let document = read(text)?;
    let table = said(&document, PICTURE)?;
    let number = |key: &str| {
        let value = table.get(key)?;
        value.as_float().or(value.as_integer().map(|it| it as f64))
    };
    Some(Underlay {
        file: table.get("file")?.as_str()?.to_owned(),
        x: number("x").unwrap_or(-0.5),
        y: number("y").unwrap_or(-0.5),
        width: number("width").filter(|width| *width > 0.0)?,
    })
}

/// The tasks that are done in the level, if any are.
pub(crate) fn tasks(text: &str) -> Option<BoundTasks> {
    let document = read(text)?;
    let table = said(&document, TASKS)?;
    let text = |key: &str| table.get(key).and_then(Item::as_str).map(str::to_owned);
    Some(BoundTasks {
        file: text("file")?,
        goal: text("goal").unwrap_or_default(),
        who: text("who"),
    })
}

/// Writes which picture lies under the level.
pub(crate) fn set_picture(document: &mut DocumentMut, picture: Option<&Underlay>) {
    let table = picture.map(|picture| {
        let mut table = InlineTable::new();
        table.insert("file", Value::from(&*picture.file));
        for (key, value) in [("x", picture.x), ("y", picture.y), ("width", picture.width)] {
            table.insert(key, number(value));
        }
        table
    });
    set(document, PICTURE, table);
}

/// Writes which tasks are done in the level.
pub(crate) fn set_tasks(document: &mut DocumentMut, tasks: Option<&BoundTasks>) {
    let table = tasks.map(|tasks| {
        let mut table = InlineTable::new();
        table.insert("file", Value::from(&*tasks.file));
        if !tasks.goal.is_empty() {
            table.insert("goal", Value::from(&*tasks.goal));
        }
        if let Some(who) = &tasks.who {
            table.insert("who", Value::from(&**who));
        }
        table
    });
    set(document, TASKS, table);
}

/// Most levels say nothing, and are not read for that.
fn read(text: &str) -> Option<DocumentMut> {
    text.contains(EDITOR).then(|| parse(text).ok()).flatten()
}

fn said<'d>(document: &'d DocumentMut, key: &str) -> Option<&'d dyn TableLike> {
    let editor = document.get(EDITOR)?.as_table_like()?;
    editor.get(key)?.as_table_like()
}

fn set(document: &mut DocumentMut, key: &str, value: Option<InlineTable>) {
    if !document.contains_key(EDITOR) {
        if value.is_none() {
            return;
        }
        document.insert(EDITOR, Item::Table(toml_edit::Table::new()));
    }
    let Some(editor) = document[EDITOR].as_table_like_mut() else {
        return;
    };
    match value {
        Some(value) => {
            editor.insert(key, Item::Value(Value::InlineTable(value)));
        }
        None => {
            editor.remove(key);
        }
    }
    if editor.is_empty() {
        document.remove(EDITOR);
    }
}

#[cfg(test)]
mod tests {
    use apprentice::world::Scenario;

    use super::*;
    use crate::scenario_text::changed;

    const TEXT: &str =
        "format = 1\nstart = [0, 0]\ngoal = { all = [] }\n\n[map]\nrows = [\"..\"]\n";

    #[test]
    fn what_is_said_to_those_who_make_a_level_changes_nothing_in_it() {
        let under = Underlay {
            file: "castle.png".to_owned(),
            x: -0.5,
            y: 2.0,
            width: 20.0,
        };
        let bound = BoundTasks {
            file: "guard.htn".to_owned(),
            goal: "ordered(Nap())".to_owned(),
            who: None,
        };
        let text = changed(TEXT, |document| {
            set_picture(document, Some(&under));
            set_tasks(document, Some(&bound));
        })
        .expect("it is written");
        assert_eq!(picture(&text), Some(under));
        assert_eq!(tasks(&text), Some(bound));
        let [plain, told] = [TEXT, &text].map(|text| Scenario::parse(text).expect("a level"));
        assert_eq!(plain.digest(), told.digest());
        let back = changed(&text, |document| {
            set_picture(document, None);
            set_tasks(document, None);
        });
        assert_eq!(back.as_deref(), Ok(TEXT));
    }
}
