//! Tables and values of a TOML text, and where in the text they are.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::scenario_file::error::{ScenarioError, ScenarioErrorKind, example, nearest};
use crate::text_place::line_and_column;
use crate::{Point, Spot};

/// A value and where it is.
pub(crate) type Value<'t> = Spanned<DeValue<'t>>;

/// Turns places in a text into lines and columns, and values into what they should be.
pub(crate) struct Reader<'t> {
    text: &'t str,
}

/// What a number must lie between.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    least: f64,
    most: f64,
}

impl Limits {
    pub(crate) const ANY: Limits = Limits::new(f64::MIN, f64::MAX);
    /// Metres.
    pub(crate) const LENGTH: Limits = Limits::new(0.0, 10_000.0);
    /// Points of health.
    pub(crate) const DAMAGE: Limits = Limits::new(0.0, 1e6);
    /// Seconds: between a moment and an hour.
    pub(crate) const DURATION: Limits = Limits::new(0.1, 3600.0);

    /// Seconds somebody waits: between a moment and a minute, because states keep it in two bytes.
    pub(crate) const WAIT: Limits = Limits::new(0.1, 60.0);

    pub(crate) const fn new(least: f64, most: f64) -> Limits {
        Limits { least, most }
    }
}

impl<'t> Reader<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        Reader { text }
    }

    /// The line and column of a place, counted from 1.
    pub(crate) fn place(&self, place: usize) -> (usize, usize) {
        line_and_column(self.text, place)
    }

    pub(crate) fn error(&self, place: usize, wrong: ScenarioErrorKind) -> ScenarioError {
        let (line, column) = self.place(place);
        ScenarioError {
            line,
            column,
            wrong,
        }
    }

    fn wrong_type(
        &self,
        key: &str,
        value: &Value<'_>,
        expected: impl Into<String>,
    ) -> ScenarioError {
        let found = value.get_ref().type_str();
        self.error(
            value.span().start,
            ScenarioErrorKind::Type {
                key: key.to_owned(),
                expected: expected.into(),
                found,
            },
        )
    }

    pub(crate) fn string<'v>(
        &self,
        key: &str,
        value: &'v Value<'_>,
    ) -> Result<&'v str, ScenarioError> {
        value
            .get_ref()
            .as_str()
            .ok_or_else(|| self.wrong_type(key, value, "a text in quotes"))
    }

    pub(crate) fn flag(&self, key: &str, value: &Value<'_>) -> Result<bool, ScenarioError> {
        value
            .get_ref()
            .as_bool()
            .ok_or_else(|| self.wrong_type(key, value, "`true` or `false`"))
    }

    pub(crate) fn list<'v, 'i>(
        &self,
        key: &str,
        value: &'v Value<'i>,
    ) -> Result<&'v [Value<'i>], ScenarioError> {
        let list = value.get_ref().as_array();
        list.map(|list| &list[..])
            .ok_or_else(|| self.wrong_type(key, value, "a list in brackets"))
    }

    /// A list of places with at least one in it.
    pub(crate) fn places<'v, 'i>(
        &self,
        key: &str,
        value: &'v Value<'i>,
    ) -> Result<&'v [Value<'i>], ScenarioError> {
        let places = self.list(key, value)?;
        match places.first().map(Spanned::get_ref) {
            None => {
                let key = key.to_owned();
                Err(self.error(value.span().start, ScenarioErrorKind::Empty { key }))
            }
            Some(DeValue::Integer(_) | DeValue::Float(_)) => {
                let key = key.to_owned();
                Err(self.error(value.span().start, ScenarioErrorKind::OnePlace { key }))
            }
            Some(_) => Ok(places),
        }
    }

    pub(crate) fn number(
        &self,
        key: &str,
        value: &Value<'_>,
        limits: Limits,
    ) -> Result<f64, ScenarioError> {
        let (text, number) = match value.get_ref() {
            DeValue::Integer(integer) => {
                let text = integer.as_str().replace('_', "");
                let number = i64::from_str_radix(&text, integer.radix()).ok();
                (text, number.map(|number| number as f64))
            }
            DeValue::Float(float) => {
                let text = float.as_str().replace('_', "");
                let number = text.parse().ok();
                (text, number)
            }
            _ => return Err(self.wrong_type(key, value, "a number")),
        };
        let fits = |number: &f64| (limits.least..=limits.most).contains(number);
        number.filter(fits).ok_or_else(|| {
            let expected = if limits.least == f64::MIN {
                "a finite number".to_owned()
            } else {
                format!("a number from {} to {}", limits.least, limits.most)
            };
            self.error(
                value.span().start,
                ScenarioErrorKind::Number {
                    key: key.to_owned(),
                    found: text,
                    expected,
                },
            )
        })
    }

    pub(crate) fn whole(
        &self,
        key: &str,
        value: &Value<'_>,
        limits: Limits,
    ) -> Result<u64, ScenarioError> {
        let number = self.number(key, value, limits)?;
        if number != number.floor() {
            let expected = "a whole number".to_owned();
            let wrong = ScenarioErrorKind::Number {
                key: key.to_owned(),
                found: number.to_string(),
                expected,
            };
            return Err(self.error(value.span().start, wrong));
        }
        Ok(number as u64)
    }

    pub(crate) fn point(&self, key: &str, value: &Value<'_>) -> Result<Point, ScenarioError> {
        // Far beyond any map, near enough for every distance to be exact to the millimetre.
        let anywhere = Limits::new(-1e6, 1e6);
        let list = value.get_ref().as_array();
        let Some([x, y]) = list.map(|list| &list[..]) else {
            return Err(self.wrong_type(key, value, "a place like [3, 4]"));
        };
        Ok(Point::new(
            self.number(key, x, anywhere)?,
            self.number(key, y, anywhere)?,
        ))
    }

    /// A point, and how high it is if that is said.
    pub(crate) fn spot(&self, key: &str, value: &Value<'_>) -> Result<Spot, ScenarioError> {
        let list = value.get_ref().as_array();
        let Some([x, y, z]) = list.map(|list| &list[..]) else {
            return Ok(self.point(key, value)?.into());
        };
        let anywhere = Limits::new(-1e6, 1e6);
        Ok(Spot {
            x: self.number(key, x, anywhere)?,
            y: self.number(key, y, anywhere)?,
            height: Some(self.number(key, z, anywhere)?),
        })
    }

    pub(crate) fn unknown_id(
        &self,
        value: &Value<'_>,
        id: &str,
        sort: &'static str,
        candidates: &[&str],
    ) -> ScenarioError {
        let suggestion = nearest(id, candidates);
        let known = candidates.join("`, `");
        let wrong = ScenarioErrorKind::UnknownId {
            id: id.to_owned(),
            sort,
            suggestion,
            known,
        };
        self.error(value.span().start, wrong)
    }
}

/// What the table of a whole file is called in messages.
const WHOLE_FILE: &str = "the file";

/// What stands above all sections of a file, and in none of them.
const KEYS_ABOVE: [&str; 5] = ["format", "name", "start", "goal", "events"];

/// A table, and what to call it in messages.
pub(crate) struct Table<'t> {
    pub(crate) reader: &'t Reader<'t>,
    pub(crate) entries: &'t DeTable<'t>,
    title: String,
    span: Range<usize>,
}

impl<'t> Table<'t> {
    /// The whole file.
    pub(crate) fn whole(reader: &'t Reader<'t>, entries: &'t DeTable<'t>) -> Self {
        Table {
            reader,
            entries,
            title: WHOLE_FILE.to_owned(),
            span: 0..0,
        }
    }

    pub(crate) fn of(
        reader: &'t Reader<'t>,
        title: &str,
        key: &str,
        value: &'t Value<'t>,
    ) -> Result<Self, ScenarioError> {
        let Some(entries) = value.get_ref().as_table() else {
            let table = example(key, title).unwrap_or("a table in braces");
            return Err(reader.wrong_type(key, value, table));
        };
        Ok(Table {
            reader,
            entries,
            title: title.to_owned(),
            span: value.span(),
        })
    }

    /// Refuses the first key, in the order of the text, that is not one of these.
    pub(crate) fn allow(&self, keys: &[&str]) -> Result<(), ScenarioError> {
        let unknown = self
            .entries
            .keys()
            .filter(|key| !keys.contains(&&**key.get_ref()));
        let Some(first) = unknown.min_by_key(|key| key.span().start) else {
            return Ok(());
        };
        let key = first.get_ref().to_string();
        // In TOML a line belongs to the last section above it.
        if self.title != WHOLE_FILE && KEYS_ABOVE.contains(&key.as_str()) {
            let table = self.title.clone();
            let wrong = ScenarioErrorKind::BelongsAbove { key, table };
            return Err(self.reader.error(first.span().start, wrong));
        }
        let suggestion = nearest(&key, keys);
        let known = keys.join("`, `");
        let wrong = ScenarioErrorKind::UnknownKey {
            key,
            table: self.title.clone(),
            suggestion,
            known,
        };
        Err(self.reader.error(first.span().start, wrong))
    }

    pub(crate) fn get(&self, key: &str) -> Option<&'t Value<'t>> {
        let found = self.entries.iter().find(|(name, _)| name.get_ref() == key);
        found.map(|(_, value)| value)
    }

    pub(crate) fn need(&self, key: &'static str) -> Result<&'t Value<'t>, ScenarioError> {
        self.get(key).ok_or_else(|| self.missing(key))
    }

    pub(crate) fn missing(&self, key: &'static str) -> ScenarioError {
        self.error(ScenarioErrorKind::Missing {
            key,
            table: self.title.clone(),
        })
    }

    /// An error about the table as a whole.
    pub(crate) fn error(&self, wrong: ScenarioErrorKind) -> ScenarioError {
        self.reader.error(self.span.start, wrong)
    }

    /// An error about one of its values.
    pub(crate) fn error_at(&self, key: &str, wrong: ScenarioErrorKind) -> ScenarioError {
        let place = self
            .get(key)
            .map_or(self.span.start, |value| value.span().start);
        self.reader.error(place, wrong)
    }

    pub(crate) fn flag(&self, key: &str, default: bool) -> Result<bool, ScenarioError> {
        self.get(key)
            .map_or(Ok(default), |value| self.reader.flag(key, value))
    }

    /// A number; without a default it must be there.
    pub(crate) fn number(
        &self,
        key: &'static str,
        limits: Limits,
        default: Option<f64>,
    ) -> Result<f64, ScenarioError> {
        match (self.get(key), default) {
            (Some(value), _) => self.reader.number(key, value, limits),
            (None, Some(default)) => Ok(default),
            (None, None) => Err(self.missing(key)),
        }
    }

    /// The table of this name, if there is one.
    pub(crate) fn table(&self, key: &str) -> Result<Option<Table<'t>>, ScenarioError> {
        let table = self
            .get(key)
            .map(|value| Table::of(self.reader, &format!("[{key}]"), key, value));
        table.transpose()
    }

    /// All tables of this name: `[[name]]`.
    pub(crate) fn tables(&self, key: &str) -> Result<Vec<Table<'t>>, ScenarioError> {
        let Some(value) = self.get(key) else {
            return Ok(Vec::new());
        };
        let title = format!("[[{key}]]");
        let Some(list) = value.get_ref().as_array() else {
            let tables = format!("[[{key}]]");
            return Err(self.reader.wrong_type(key, value, tables));
        };
        list.iter()
            .map(|value| Table::of(self.reader, &title, key, value))
            .collect()
    }

    /// All tables in this one, by name.
    pub(crate) fn children(&self) -> Result<Vec<(String, Table<'t>)>, ScenarioError> {
        let child = |(name, value): (&'t Spanned<toml::de::DeString<'t>>, &'t Value<'t>)| {
            let name = name.get_ref().to_string();
            let title = format!("[{}.{name}]", self.title.trim_matches(['[', ']']));
            Ok((name.clone(), Table::of(self.reader, &title, &name, value)?))
        };
        self.entries.iter().map(child).collect()
    }
}
