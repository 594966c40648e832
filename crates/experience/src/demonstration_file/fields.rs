//! Lines of a log and the fields in them, with their places in the text; and how they are written.

use std::collections::BTreeSet;
use std::fmt::{self, Display, Write};

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::{Json, LogError, LogErrorKind, check_number};

/// A line of a log.
#[derive(Clone, Copy)]
pub(super) struct Line<'a> {
    bytes: &'a [u8],
    /// Counted from 1.
    pub(super) number: usize,
    /// Where in the text it ends, its line end included.
    pub(super) end: usize,
    /// Whether nothing but blank lines follows.
    pub(super) is_last: bool,
    has_end: bool,
}

impl<'a> Line<'a> {
    /// The lines of a text. A mark of the byte order, as some editors write it, is no part of the
    /// first.
    pub(super) fn all(text: &'a [u8]) -> impl Iterator<Item = Line<'a>> {
        let last = text.trim_ascii_end().len();
        let mut begin = 0;
        let lines = text.split_inclusive(|byte| *byte == b'\n');
        (1..).zip(lines).map(move |(number, bytes)| {
            begin += bytes.len();
            let is_first = number == 1;
            let content = bytes.trim_ascii_end();
            let unmarked = content.strip_prefix("\u{feff}".as_bytes());
            Line {
                bytes: unmarked.filter(|_| is_first).unwrap_or(content),
                number,
                end: begin,
                is_last: begin >= last,
                has_end: bytes.ends_with(b"\n"),
            }
        })
    }

    pub(super) fn is_blank(&self) -> bool {
        self.bytes.trim_ascii().is_empty()
    }

    pub(super) fn text(self, longest: usize) -> Result<Text<'a>, LogError> {
        if self.bytes.len() > longest {
            return Err(self.error(LogErrorKind::LineTooLong { most: longest }));
        }
        match std::str::from_utf8(self.bytes) {
            Ok(text) => Ok(Text {
                line: self.number,
                whole: text,
            }),
            Err(error) => {
                let before = &self.bytes[..error.valid_up_to()];
                Err(LogError {
                    column: 1 + String::from_utf8_lossy(before).chars().count(),
                    ..self.error(LogErrorKind::NotText)
                })
            }
        }
    }

    /// Whether a line that cannot be read is one that ends in the middle: it has no line end, or
    /// the end comes where more of a value is expected.
    pub(super) fn is_cut(&self, longest: usize) -> bool {
        if self.bytes.len() > longest {
            return false;
        }
        let is_unfinished = || {
            let parsed = serde_json::from_slice::<Fields<'_>>(self.bytes);
            parsed.is_err_and(|error| error.is_eof())
        };
        // A whole value that is no object was not cut, it is wrong.
        let is_whole = serde_json::from_slice::<&RawValue>(self.bytes).is_ok();
        !is_whole && (!self.has_end || is_unfinished())
    }

    /// Whether a first line that cannot be read never was one of a log: it is no text, or ends
    /// without having begun as an object does.
    pub(super) fn is_of_no_log(&self, wrong: &LogErrorKind) -> bool {
        let begins = self.bytes.trim_ascii_start().starts_with(b"{");
        !begins && (matches!(wrong, LogErrorKind::NotText) || self.is_last && !self.has_end)
    }

    pub(super) fn error(&self, wrong: LogErrorKind) -> LogError {
        LogError {
            line: self.number,
            column: 1,
            wrong,
        }
    }
}

/// The text of a line, to tell where in it something is.
#[derive(Clone, Copy)]
pub(super) struct Text<'a> {
    line: usize,
    whole: &'a str,
}

impl Text<'_> {
    /// An error at a byte of the line.
    fn error(self, byte: usize, wrong: LogErrorKind) -> LogError {
        let before = self.whole.as_bytes().get(..byte).unwrap_or_default();
        LogError {
            line: self.line,
            column: 1 + String::from_utf8_lossy(before).chars().count(),
            wrong,
        }
    }
}

/// An object whose fields are taken out one by one.
pub(super) struct Reading<'a> {
    text: Text<'a>,
    begin: usize,
    /// The names of the objects around it, each with a dot.
    path: String,
    fields: Vec<(String, &'a RawValue)>,
}

impl<'a> Reading<'a> {
    /// The object a line consists of.
    pub(super) fn object(text: Text<'a>) -> Result<Reading<'a>, LogError> {
        Reading::within(text, 0, text.whole, String::new())
    }

    /// The object that a part of a line is. The part begins at byte `begin`.
    fn within(
        text: Text<'a>,
        begin: usize,
        part: &'a str,
        path: String,
    ) -> Result<Reading<'a>, LogError> {
        let fields = match serde_json::from_str::<Fields<'a>>(part) {
            Ok(Fields(fields)) => fields,
            Err(error) => {
                if let Ok(value) = serde_json::from_str::<&RawValue>(part) {
                    let field = path.trim_end_matches('.').to_owned();
                    let found = describe(value.get());
                    return Err(text.error(begin, LogErrorKind::NotAnObject { field, found }));
                }
                let column = begin + error.column().saturating_sub(1);
                let message = syntax_message(&error, part.get(column - begin..));
                return Err(text.error(column, LogErrorKind::Syntax { message }));
            }
        };
        let mut seen = BTreeSet::new();
        for (name, value) in &fields {
            if !seen.insert(name.as_str()) {
                let field = format!("{path}{}", shortened(name));
                let at = offset(text, value);
                return Err(text.error(at, LogErrorKind::Twice { field }));
            }
        }
        Ok(Reading {
            text,
            begin,
            path,
            fields,
        })
    }

    /// Takes a field out, if it is there.
    fn take(&mut self, name: &str) -> Option<Field<'a>> {
        let place = self.fields.iter().position(|(field, _)| field == name)?;
        let (name, value) = self.fields.remove(place);
        Some(self.field(&name, value))
    }

    fn field(&self, name: &str, value: &'a RawValue) -> Field<'a> {
        Field {
            text: self.text,
            name: format!("{}{}", self.path, shortened(name)),
            value,
        }
    }

    /// Takes a field out that must be there.
    pub(super) fn need(&mut self, name: &str) -> Result<Field<'a>, LogError> {
        let taken = self.take(name);
        taken.ok_or_else(|| {
            let field = format!("{}{name}", self.path);
            self.text.error(self.begin, LogErrorKind::Missing { field })
        })
    }

    pub(super) fn number(
        &mut self,
        name: &str,
        least: f64,
        most: f64,
    ) -> Result<Option<f64>, LogError> {
        let field = self.take(name);
        field.map(|field| field.number(least, most)).transpose()
    }

    /// A text, and the field it was in.
    pub(super) fn string(&mut self, name: &str) -> Result<Option<(String, Field<'a>)>, LogError> {
        let Some(field) = self.take(name) else {
            return Ok(None);
        };
        match serde_json::from_str(field.text()) {
            Ok(text) => Ok(Some((text, field))),
            Err(_) => Err(field.wrong_type("a text in quotes")),
        }
    }

    /// A list of texts; none if there is no such field.
    pub(super) fn strings(&mut self, name: &str) -> Result<Vec<String>, LogError> {
        let Some(field) = self.take(name) else {
            return Ok(Vec::new());
        };
        serde_json::from_str(field.text())
            .map_err(|_| field.wrong_type("a list of texts, as [\"red\", \"shield\"]"))
    }

    /// An object inside of this one.
    pub(super) fn inner(&mut self, name: &str) -> Result<Option<Reading<'a>>, LogError> {
        self.take(name).map(Field::into_object).transpose()
    }

    /// Takes all fields that are left.
    pub(super) fn take_all(&mut self) -> Vec<(String, Field<'a>)> {
        let fields = std::mem::take(&mut self.fields);
        let named = fields.into_iter().map(|(name, value)| {
            let field = self.field(&name, value);
            (name, field)
        });
        named.collect()
    }

    /// What nobody asked for, as it was written.
    pub(super) fn rest(self) -> Vec<(String, Json)> {
        let fields = self.fields.into_iter();
        fields
            .map(|(name, value)| (name, Json(value.get().to_owned())))
            .collect()
    }
}

/// A value in a line.
pub(super) struct Field<'a> {
    text: Text<'a>,
    /// With the names of the objects around it.
    name: String,
    value: &'a RawValue,
}

impl<'a> Field<'a> {
    pub(super) fn text(&self) -> &'a str {
        self.value.get()
    }

    pub(super) fn keep(&self) -> Json {
        Json(self.text().to_owned())
    }

    pub(super) fn is_list_or_object(&self) -> bool {
        self.text().starts_with(['[', '{'])
    }

    pub(super) fn number(&self, least: f64, most: f64) -> Result<f64, LogError> {
        let is_number = self
            .text()
            .starts_with(|first: char| first == '-' || first.is_ascii_digit());
        if !is_number {
            return Err(self.wrong_type("a number"));
        }
        // A number too large for a machine is refused like one that is too large for a map.
        let number = serde_json::from_str(self.text()).unwrap_or(f64::INFINITY);
        check_number(&self.name, number, least, most).map_err(|_| {
            self.error(LogErrorKind::Number {
                field: self.name.clone(),
                found: shortened(self.text()),
                least,
                most,
            })
        })?;
        Ok(number)
    }

    pub(super) fn into_object(self) -> Result<Reading<'a>, LogError> {
        let begin = offset(self.text, self.value);
        Reading::within(self.text, begin, self.value.get(), self.name + ".")
    }

    pub(super) fn describe(&self) -> String {
        describe(self.text())
    }

    pub(super) fn wrong_type(&self, expected: &'static str) -> LogError {
        self.error(LogErrorKind::Type {
            field: self.name.clone(),
            expected,
            found: self.describe(),
        })
    }

    pub(super) fn error(&self, wrong: LogErrorKind) -> LogError {
        self.text.error(offset(self.text, self.value), wrong)
    }
}

/// Where in its line a value begins.
fn offset(text: Text<'_>, value: &RawValue) -> usize {
    // The value borrows from the line.
    (value.get().as_ptr() as usize).saturating_sub(text.whole.as_ptr() as usize)
}

/// What a parser says, without the place, or what is so common that it can be said better.
fn syntax_message(error: &serde_json::Error, at: Option<&str>) -> String {
    let at = at.unwrap_or_default().trim_start_matches('-');
    for word in ["NaN", "nan", "Infinity", "inf"] {
        if at.starts_with(word) {
            return format!("`{word}` is no number that can be written in it");
        }
    }
    let message = error.to_string();
    let message = message.split(" at line ").next().unwrap_or_default();
    message.replace("EOF while parsing", "the end comes in the middle of")
}

/// A value for people, not too long.
fn describe(value: &str) -> String {
    match value.as_bytes().first() {
        Some(b'{') => "an object".to_owned(),
        Some(b'[') => format!("the list {}", shortened(value)),
        Some(b'"') => format!("the text {}", shortened(value)),
        _ => shortened(value),
    }
}

fn shortened(value: &str) -> String {
    const ENOUGH: usize = 40;
    if value.chars().count() <= ENOUGH {
        return value.to_owned();
    }
    value.chars().take(ENOUGH).chain(['…']).collect()
}

/// The fields of an object in the order of the text, names that come twice included.
struct Fields<'a>(Vec<(String, &'a RawValue)>);

impl<'de> Deserialize<'de> for Fields<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder;
        impl<'de> Visitor<'de> for InOrder {
            type Value = Fields<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields<'de>, A::Error> {
                let mut fields = Vec::new();
                while let Some(field) = map.next_entry()? {
                    fields.push(field);
                }
                Ok(Fields(fields))
            }
        }
        deserializer.deserialize_map(InOrder)
    }
}

/// Writes a field whose value is JSON as it prints.
pub(super) fn put(line: &mut String, name: &str, value: impl Display) {
    if !line.ends_with('{') {
        line.push(',');
    }
    let _ = write!(line, "{}:{value}", Json::string(name).text());
}

pub(super) fn put_text(line: &mut String, name: &str, text: &str) {
    put(line, name, Json::string(text).text());
}

/// Nothing is written about an empty list.
pub(super) fn put_list(line: &mut String, name: &str, texts: &[String]) {
    if texts.is_empty() {
        return;
    }
    let quoted: Vec<String> = texts.iter().map(|text| Json::string(text).0).collect();
    put(line, name, format_args!("[{}]", quoted.join(",")));
}

pub(super) fn put_object(
    line: &mut String,
    name: &str,
    content: impl FnOnce(&mut String) -> Result<(), LogErrorKind>,
) -> Result<(), LogErrorKind> {
    let mut object = String::from("{");
    content(&mut object)?;
    put(line, name, object + "}");
    Ok(())
}

pub(super) fn put_unknown(line: &mut String, fields: &[(String, Json)]) {
    for (name, value) in fields {
        put(line, name, value.text());
    }
}
