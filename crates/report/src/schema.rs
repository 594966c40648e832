//! What documents look like: as JSON Schema, and as types of TypeScript made from it, so that there is
//! one definition and nobody has to keep three alike.

use std::fmt::Write;

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value};

use crate::document::{LintDocument, LogDocument, PlanDocument, ReadingDocument, TaskPlanDocument};

/// A kind of document that programs read.
#[derive(Clone, Copy)]
pub struct Described {
    /// What it goes by.
    pub name: &'static str,
    /// What writes it.
    pub about: &'static str,
    /// The name of its type in TypeScript.
    pub type_name: &'static str,
    schema: fn() -> Schema,
}

impl Described {
    /// A document that is written, by its type.
    pub const fn written<T: JsonSchema>(
        name: &'static str,
        about: &'static str,
        type_name: &'static str,
    ) -> Described {
        Described {
            name,
            about,
            type_name,
            schema: || {
                let settings = SchemaSettings::draft2020_12().for_serialize();
                settings.into_generator().into_root_schema_for::<T>()
            },
        }
    }

    /// A document that is read, by its type.
    pub const fn read<T: JsonSchema>(
        name: &'static str,
        about: &'static str,
        type_name: &'static str,
    ) -> Described {
        Described {
            name,
            about,
            type_name,
            schema: || {
                let settings = SchemaSettings::draft2020_12().for_deserialize();
                settings.into_generator().into_root_schema_for::<T>()
            },
        }
    }

    /// Its JSON Schema.
    ///
    /// ```
    /// let [plan, ..] = apprentice_report::schema::DOCUMENTS;
    /// assert_eq!(plan.name, "plan");
    /// assert_eq!(plan.schema()["properties"]["steps"]["type"], "array");
    /// ```
    pub fn schema(&self) -> Value {
        let mut schema = (self.schema)().to_value();
        if let Some(fields) = schema.as_object_mut() {
            fields.insert("title".to_owned(), self.type_name.into());
        }
        schema
    }
}

/// The documents that the command line prints with `--format json`.
pub const DOCUMENTS: [Described; 5] = [
    Described::written::<PlanDocument>(
        "plan",
        "apprentice plan --format json, and plans that the studio saves",
        "Plan",
    ),
    Described::written::<Vec<ReadingDocument>>(
        "heuristic",
        "apprentice heuristic --format json",
        "Readings",
    ),
    Described::written::<TaskPlanDocument>(
        "htn-plan",
        "apprentice htn plan --format json",
        "TaskPlan",
    ),
    Described::written::<LintDocument>("demo-lint", "apprentice demo lint --format json", "Lint"),
    Described::written::<LogDocument>(
        "demo-inspect",
        "apprentice demo inspect --format json",
        "Log",
    ),
];

/// A schema as it stands in a file.
#[must_use]
pub fn to_text(schema: &Value) -> String {
    format!("{schema:#}\n")
}

/// The same documents as types of TypeScript.
///
/// ```
/// use apprentice_report::schema::{DOCUMENTS, typescript};
///
/// let types = typescript(&DOCUMENTS);
/// assert!(types.contains("export interface Plan {"));
/// assert!(types.contains("export type PlanStatus ="));
/// ```
#[must_use]
pub fn typescript(documents: &[Described]) -> String {
    let mut types: Map<String, Value> = Map::new();
    for document in documents {
        let mut schema = document.schema();
        if let Some(Value::Object(definitions)) = schema.get_mut("$defs").map(Value::take) {
            types.extend(definitions);
        }
        types.insert(document.type_name.to_owned(), schema);
    }
    let mut text = String::from(
        "// Made from the types of Apprentice; `UPDATE_GOLDEN=1 cargo test` makes it anew.\n",
    );
    for (name, schema) in &types {
        text.push('\n');
        describe(&mut text, "", schema);
        let shape = shape(schema, "");
        // What has other shapes beside its own fields is no interface.
        if shape.starts_with('{') && shape.find("\n}") == Some(shape.len() - 2) {
            let _ = writeln!(text, "export interface {name} {shape}");
        } else {
            let _ = writeln!(text, "export type {name} = {shape};");
        }
    }
    text
}

/// What a type or a field is for.
fn describe(text: &mut String, indent: &str, schema: &Value) {
    if let Some(about) = schema["description"].as_str() {
        let about = about.replace('\n', " ");
        let _ = writeln!(text, "{indent}/** {about} */");
    }
}

/// The type that a schema asks for.
fn shape(schema: &Value, indent: &str) -> String {
    if let Some(is) = schema.get("const") {
        return is.to_string();
    }
    if let Some(words) = schema["enum"].as_array() {
        let words: Vec<String> = words.iter().map(Value::to_string).collect();
        return words.join(" | ");
    }
    let mut all = Vec::new();
    if let Some(name) = schema["$ref"].as_str() {
        all.push(name.rsplit('/').next().unwrap_or(name).to_owned());
    }
    if schema["properties"].is_object() || is_of(schema, "object") {
        all.push(object(schema, indent));
    }
    let both = schema["allOf"].as_array().into_iter().flatten();
    all.extend(both.map(|one| shape(one, indent)));
    for key in ["anyOf", "oneOf"] {
        let Some(some) = schema[key].as_array() else {
            continue;
        };
        let alternatives = either(some.iter().map(|one| shape(one, indent)));
        if all.is_empty() {
            all.push(alternatives);
        } else {
            all.push(format!("({alternatives})"));
        }
    }
    if all.is_empty() {
        return simple(schema, indent);
    }
    all.join(" & ")
}

fn either(shapes: impl Iterator<Item = String>) -> String {
    let mut different: Vec<String> = Vec::new();
    for shape in shapes {
        if !different.contains(&shape) {
            different.push(shape);
        }
    }
    different.join(" | ")
}

fn is_of(schema: &Value, kind: &str) -> bool {
    let is = &schema["type"];
    is == kind
        || is
            .as_array()
            .is_some_and(|some| some.iter().any(|one| one == kind))
}

/// Numbers, words, lists, and what may be one of these.
fn simple(schema: &Value, indent: &str) -> String {
    let kinds: Vec<&str> = match &schema["type"] {
        Value::String(kind) => vec![kind],
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect(),
        _ => return "unknown".to_owned(),
    };
    either(kinds.into_iter().map(|kind| match kind {
        "integer" | "number" => "number".to_owned(),
        "array" => list(schema, indent),
        kind => kind.to_owned(),
    }))
}

fn list(schema: &Value, indent: &str) -> String {
    if let Some(items) = schema["prefixItems"].as_array() {
        let items: Vec<String> = items.iter().map(|item| shape(item, indent)).collect();
        return format!("[{}]", items.join(", "));
    }
    let item = shape(&schema["items"], indent);
    let many = |item: &str| match item.contains(' ') {
        true => format!("({item})[]"),
        false => format!("{item}[]"),
    };
    match (schema["minItems"].as_u64(), schema["maxItems"].as_u64()) {
        (Some(least), Some(most)) if least == most => {
            format!("[{}]", vec![item; most as usize].join(", "))
        }
        _ => many(&item),
    }
}

fn object(schema: &Value, indent: &str) -> String {
    let deeper = format!("{indent}  ");
    let Some(fields) = schema["properties"].as_object() else {
        let value = &schema["additionalProperties"];
        let value = if value.is_object() {
            shape(value, indent)
        } else {
            "unknown".to_owned()
        };
        return format!("{{ [name: string]: {value} }}");
    };
    let required: Vec<&str> = match schema["required"].as_array() {
        Some(names) => names.iter().filter_map(Value::as_str).collect(),
        None => Vec::new(),
    };
    let mut text = String::from("{\n");
    for (name, field) in fields {
        describe(&mut text, &deeper, field);
        let may_be_left_out = if required.contains(&name.as_str()) {
            ""
        } else {
            "?"
        };
        let _ = writeln!(
            text,
            "{deeper}{name}{may_be_left_out}: {};",
            shape(field, &deeper)
        );
    }
    text + indent + "}"
}
