//! Turns a loaded domain into Rust that does the same without interpreting anything.

mod bodies;
mod expressions;

use std::collections::{BTreeSet, HashMap};

use super::LoadedDomain;
use crate::compiled::fingerprint;
use crate::model::{Span, ValueType};

/// Rust that implements [`Domain`](crate::Domain) for the domain as `name`, the same way: the same
/// plans, costs and explanations. `source` is the text of the domain, without any problem: it goes
/// into the generated code, so that problems can be read at run time. A build script calls this; so
/// does `apprentice htn compile`.
pub fn generate_rust(domain: &LoadedDomain, name: &str, source: &str) -> String {
    let mut generator = Generator {
        domain,
        out: String::new(),
        indent: 0,
        names: HashMap::new(),
        lists: Vec::new(),
        ranges: BTreeSet::new(),
        label: 0,
    };
    generator.module(name, source)
}

struct Generator<'d> {
    domain: &'d LoadedDomain,
    out: String,
    indent: usize,
    /// What the variable in a slot is called, for all that are in scope now.
    names: HashMap<u32, String>,
    /// Function, position and bound positions of every list that is used.
    lists: Vec<(u32, usize, Vec<usize>)>,
    ranges: BTreeSet<u32>,
    label: u32,
}

/// Names that mean something in Rust, or in the code around what is generated.
const TAKEN: [&str; 68] = [
    "abstract",
    "as",
    "async",
    "await",
    "become",
    "box",
    "break",
    "const",
    "continue",
    "crate",
    "do",
    "dyn",
    "else",
    "enum",
    "extern",
    "false",
    "final",
    "fn",
    "for",
    "gen",
    "if",
    "impl",
    "in",
    "let",
    "loop",
    "macro",
    "match",
    "mod",
    "move",
    "mut",
    "override",
    "priv",
    "pub",
    "ref",
    "return",
    "self",
    "static",
    "struct",
    "super",
    "trait",
    "true",
    "try",
    "type",
    "typeof",
    "unsafe",
    "unsized",
    "use",
    "virtual",
    "where",
    "while",
    "yield", // Rust
    "before",
    "changes",
    "cost",
    "digest",
    "explain",
    "fault",
    "float",
    "fractional",
    "next",
    "number",
    "ordered",
    "out",
    "result",
    "source",
    "state",
    "truth_values",
    "whole", // ours
];

/// How names begin that are made here.
const TAKEN_BEGINNINGS: [&str; 5] = ["all_", "change_", "list_", "sorting_", "start_"];

/// Types of the code around what is generated.
const TAKEN_TYPES: [&str; 19] = [
    "Answer",
    "Args",
    "Arithmetic",
    "CannotLoad",
    "Changes",
    "Constant",
    "Cost",
    "Direction",
    "Domain",
    "Fluent",
    "List",
    "LoadedDomain",
    "LoadedState",
    "Objects",
    "Option",
    "Reading",
    "Refinements",
    "Result",
    "Task",
];

/// A name as Rust wants it for values.
fn snake(name: &str) -> String {
    let mut text = String::new();
    let mut was_lower = false;
    for character in name.chars() {
        if character.is_ascii_uppercase() {
            if was_lower {
                text.push('_');
            }
            text.push(character.to_ascii_lowercase());
            was_lower = false;
        } else if character.is_ascii_alphanumeric() || character == '_' {
            text.push(character);
            was_lower = character != '_';
        } else {
            text.push('_');
            was_lower = false;
        }
    }
    let is_taken = TAKEN.contains(&text.as_str())
        || TAKEN_BEGINNINGS.iter().any(|taken| text.starts_with(taken))
        || text.starts_with(|c: char| c.is_ascii_digit())
        || text.chars().all(|c| c == '_');
    match is_taken {
        true => format!("a_{text}"),
        false => text,
    }
}

/// A name as Rust wants it for types.
fn camel(name: &str) -> String {
    let mut text = String::new();
    let mut is_start = true;
    for character in name.chars() {
        if !character.is_ascii_alphanumeric() {
            is_start = true;
        } else if is_start {
            text.push(character.to_ascii_uppercase());
            is_start = false;
        } else {
            text.push(character);
        }
    }
    if text.is_empty() || text.starts_with(|c: char| c.is_ascii_digit()) || text == "Self" {
        text.insert(0, 'T');
    }
    text
}

/// Names made different from each other.
fn distinct(names: impl Iterator<Item = String>) -> Vec<String> {
    let mut used = BTreeSet::new();
    names
        .map(|name| {
            let unique = unused(&name, |name| used.contains(name));
            used.insert(unique.clone());
            unique
        })
        .collect()
}

/// The name, or, where it is used already, the first one with a number that is not.
fn unused(name: &str, is_used: impl Fn(&str) -> bool) -> String {
    let mut unique = name.to_owned();
    let mut number = 2;
    while is_used(&unique) {
        unique = format!("{name}_{number}");
        number += 1;
    }
    unique
}

fn place(span: Span) -> String {
    format!("({}, {}, {})", span.file, span.start, span.end)
}

impl Generator<'_> {
    fn line(&mut self, text: &str) {
        if text.is_empty() {
            self.out.push('\n');
            return;
        }
        for _ in 0..self.indent {
            self.out.push_str("    ");
        }
        self.out.push_str(text);
        self.out.push('\n');
    }

    /// Begins an item. Each is excused for itself: what is included in another file cannot begin
    /// with a word about all of it.
    fn item(&mut self) {
        self.line(
            "#[allow(clippy::all, nonstandard_style, unused, missing_docs, unreachable_pub)]",
        );
    }

    fn open(&mut self, text: &str) {
        self.line(&format!("{text} {{"));
        self.indent += 1;
    }

    fn close(&mut self) {
        self.indent -= 1;
        self.line("}");
    }

    /// Begins the scope of a variable; gives what it is called there. No other in scope is called
    /// the same, even where the domain's names differ only in what Rust's names leave out.
    fn bind(&mut self, slot: u32, name: &str) -> String {
        let name = unused(&snake(name), |name| {
            self.names.values().any(|used| used == name)
        });
        self.names.insert(slot, name.clone());
        name
    }

    /// Ends the scope of variables.
    fn unbind(&mut self, slots: impl IntoIterator<Item = u32>) {
        for slot in slots {
            self.names.remove(&slot);
        }
    }

    fn task_names(&self) -> Vec<String> {
        distinct(self.domain.model.tasks.iter().map(|task| camel(&task.name)))
    }

    fn function_names(&self) -> Vec<String> {
        let functions = &self.domain.model.functions;
        distinct(functions.iter().map(|function| snake(&function.name)))
    }

    fn param_names(&self, task: usize) -> Vec<String> {
        let params = &self.domain.model.tasks[task].params;
        distinct(params.iter().map(|param| snake(&param.name)))
    }

    fn type_names(&self) -> Vec<String> {
        distinct(self.domain.model.types.iter().map(|ty| camel(&ty.name)))
    }

    /// The functions that refine the tasks.
    fn method_names(&self) -> Vec<String> {
        let tasks = self.task_names();
        distinct(tasks.iter().map(|task| format!("refine_{}", snake(task))))
    }

    /// The type of a task's field: objects have types of their own.
    fn field_type(&self, ty: ValueType) -> String {
        let name = |ty: u32| format!("objects::{}", self.type_names()[ty as usize]);
        match ty {
            ValueType::Object(ty) => name(ty),
            ValueType::Optional(ty) => format!("Option<{}>", name(ty)),
            ValueType::Bool | ValueType::Int | ValueType::Float => "i64".to_owned(),
        }
    }

    /// A field made of a plain value.
    fn to_field(&self, ty: ValueType, value: &str) -> String {
        match ty {
            ValueType::Object(_) => format!("{}::of({value})", self.field_type(ty)),
            ValueType::Optional(object) => {
                let name = self.field_type(ValueType::Object(object));
                format!("{name}::or_none({value})")
            }
            ValueType::Bool | ValueType::Int | ValueType::Float => value.to_owned(),
        }
    }

    /// The fields of a task as plain values, which bodies work with.
    fn plain_params(&self, task: usize) -> Vec<String> {
        let params = self.domain.model.tasks[task].params.iter();
        params
            .zip(self.param_names(task))
            .map(|(param, name)| match param.ty {
                ValueType::Object(_) => format!("{name}.value()"),
                ValueType::Optional(_) => format!("{name}.map_or(NONE, |object| object.value())"),
                ValueType::Bool | ValueType::Int | ValueType::Float => name,
            })
            .collect()
    }

    /// A task with its fields made of plain values.
    fn constructed(&self, task: usize, values: &[String]) -> String {
        let params = self.domain.model.tasks[task].params.iter();
        let names = self.param_names(task);
        let fields: Vec<String> = params
            .zip(&names)
            .zip(values)
            .map(|((param, name), value)| format!("{name}: {}", self.to_field(param.ty, value)))
            .collect();
        let task = &self.task_names()[task];
        match fields.is_empty() {
            true => format!("Task::{task}"),
            false => format!("Task::{task} {{ {} }}", fields.join(", ")),
        }
    }

    fn module(&mut self, name: &str, source: &str) -> String {
        let tasks = self.task_names();
        let functions = self.function_names();
        let mut name = camel(name);
        if TAKEN_TYPES.contains(&name.as_str()) {
            name.push_str("Domain");
        }
        // Bodies first: they say which tables are needed.
        self.indent = 1;
        for task in 0..tasks.len() {
            self.task(task);
        }
        let bodies = std::mem::take(&mut self.out);
        self.indent = 0;
        self.head(source, &tasks);
        self.tables(&name, &functions);
        self.domain_impl(&name, &tasks);
        self.line("");
        self.item();
        self.open(&format!("impl {name}"));
        self.close();
        // The bodies go inside the braces just written.
        self.out.truncate(self.out.trim_end().len() - 1);
        self.out.push_str(&bodies);
        self.out.push_str("}\n");
        std::mem::take(&mut self.out)
    }

    fn head(&mut self, source: &str, tasks: &[String]) {
        self.line("// Generated by `apprentice htn compile`. Change the domain, not this file.");
        self.line("");
        self.item();
        self.line("use apprentice_htn::compiled::*;");
        self.line("");
        self.line("/// The domain as it was written.");
        self.item();
        self.line(&format!("pub const SOURCE: &str = {source:?};"));
        self.line("");
        self.line(&format!(
            "const FINGERPRINT: u64 = {:#x};",
            fingerprint(self.domain)
        ));
        self.line("");
        let objects = self.domain.model.objects.iter();
        let objects: Vec<(&str, u32)> = objects
            .map(|object| (object.name.as_str(), object.ty))
            .collect();
        self.line("/// The objects that every problem has, with their types.");
        self.line(&format!("const OBJECTS: &[(&str, u32)] = &{objects:?};"));
        self.line("");
        self.objects();
        self.line("/// What can be done.");
        self.item();
        self.line("#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]");
        self.open("pub enum Task");
        for (id, task) in tasks.iter().enumerate() {
            let params = self.domain.model.tasks[id].params.iter();
            let fields: Vec<String> = params
                .zip(self.param_names(id))
                .map(|(param, name)| format!("{name}: {}", self.field_type(param.ty)))
                .collect();
            match fields.is_empty() {
                true => self.line(&format!("{task},")),
                false => self.line(&format!("{task} {{ {} }},", fields.join(", "))),
            }
        }
        self.close();
        self.line("");
        self.item();
        self.open("impl Task");
        self.line("/// Its number and its arguments.");
        self.open("pub fn parts(&self) -> (u32, Args)");
        self.open("match *self");
        for (id, task) in tasks.iter().enumerate() {
            let params = self.param_names(id);
            let pattern = pattern(task, &params);
            self.line(&format!(
                "Task::{pattern} => ({id}, Args::from_slice(&[{}])),",
                self.plain_params(id).join(", ")
            ));
        }
        self.close();
        self.close();
        self.line("");
        self.line("/// The task of a number, with its arguments. `None`: there is none.");
        self.open("pub fn of(id: u32, args: &[i64]) -> Option<Task>");
        self.open("Some(match (id, args)");
        for id in 0..tasks.len() {
            let params = self.param_names(id);
            let task = self.constructed(id, &params);
            self.line(&format!("({id}, &[{}]) => {task},", params.join(", ")));
        }
        self.line("_ => return None,");
        self.indent -= 1;
        self.line("})");
        self.close();
        self.close();
        self.line("");
    }

    /// Types of objects, so that a door is never taken for a key.
    fn objects(&mut self) {
        let model = &self.domain.model;
        let names = self.type_names();
        self.line("/// What there is, by type. Objects of the domain have names here; those that come with a");
        self.line("/// problem are known by number, as other problems have others.");
        self.item();
        self.open("pub mod objects");
        for (id, name) in names.iter().enumerate() {
            let known = self.known_objects(id as u32);
            self.line("");
            self.line(&format!("/// `type {}`", model.types[id].name));
            self.line("#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]");
            if known.is_empty() {
                self.line(&format!("pub struct {name}(u32);"));
            } else {
                self.open(&format!("pub enum {name}"));
                for (_, variant) in &known {
                    self.line(&format!("{variant},"));
                }
                self.line("/// One that came with the problem, by number.");
                self.line("Other(u32),");
                self.close();
            }
            self.line("");
            self.open(&format!("impl {name}"));
            self.line("/// The one of that name in a problem.");
            self.open(
                "pub fn named(source: &super::LoadedDomain, name: &str) -> std::option::Option<Self>",
            );
            self.line(&format!("super::object(source, {id}, name).map(Self::of)"));
            self.close();
            self.line("");
            self.line("/// Its name.");
            self.open("pub fn name(self, source: &super::LoadedDomain) -> &str");
            self.line("super::object_name(source, self.value())");
            self.close();
            self.line("");
            self.open("pub(super) fn of(value: i64) -> Self");
            if known.is_empty() {
                self.line("Self(value as u32)");
            } else {
                self.open("match value");
                for (object, variant) in &known {
                    self.line(&format!("{object} => Self::{variant},"));
                }
                self.line("other => Self::Other(other as u32),");
                self.close();
            }
            self.close();
            self.line("");
            self.open("pub(super) fn value(self) -> i64");
            if known.is_empty() {
                self.line("i64::from(self.0)");
            } else {
                self.open("match self");
                for (object, variant) in &known {
                    self.line(&format!("Self::{variant} => {object},"));
                }
                self.line("Self::Other(other) => i64::from(other),");
                self.close();
            }
            self.close();
            self.line("");
            self.open("pub(super) fn or_none(value: i64) -> std::option::Option<Self>");
            self.line("(value != super::NONE).then(|| Self::of(value))");
            self.close();
            self.close();
            let mut above = model.types[id].parent;
            while let Some(parent) = above {
                let parent_name = &names[parent as usize];
                self.line("");
                self.open(&format!(
                    "impl std::convert::From<{name}> for {parent_name}"
                ));
                self.open(&format!("fn from(object: {name}) -> Self"));
                self.line("Self::of(object.value())");
                self.close();
                self.close();
                above = model.types[parent as usize].parent;
            }
        }
        self.close();
        self.line("");
    }

    /// The objects of a type that every problem has, by number, with names for them.
    fn known_objects(&self, ty: u32) -> Vec<(usize, String)> {
        let model = &self.domain.model;
        let (numbers, names): (Vec<usize>, Vec<&str>) = model
            .objects
            .iter()
            .enumerate()
            .filter(|(_, object)| model.is_kind_of(object.ty, ty))
            .map(|(number, object)| (number, object.name.as_str()))
            .unzip();
        let reserved = std::iter::once("Other".to_owned());
        let names = distinct(reserved.chain(names.into_iter().map(camel)));
        numbers.into_iter().zip(names.into_iter().skip(1)).collect()
    }

    fn tables(&mut self, name: &str, functions: &[String]) {
        let model = &self.domain.model;
        let mut fields: Vec<(String, String, String)> = Vec::new();
        for (id, function) in functions.iter().enumerate() {
            let arity = model.functions[id].params.len();
            let is_constant = self.domain.layouts.functions[id].is_constant;
            let kind = if is_constant { "Constant" } else { "Fluent" };
            fields.push((
                function.clone(),
                format!("{kind}<{arity}>"),
                format!("{kind}::new(&source, {id})"),
            ));
        }
        for range in &self.ranges {
            let ty = match range {
                0 => "None".to_owned(),
                range => format!("Some({})", range - 1),
            };
            fields.push((
                self.range_name(*range),
                "Objects".to_owned(),
                format!("Objects::new(&source, {ty})"),
            ));
        }
        for (number, (function, position, bound)) in self.lists.iter().enumerate() {
            fields.push((
                format!("list_{number}"),
                format!("List<{}>", bound.len()),
                format!("List::new(&source, {function}, {position}, {bound:?})"),
            ));
        }
        self.line("/// Tables of the domain and of one problem in it.");
        self.item();
        self.line("#[derive(Clone, Debug)]");
        self.open(&format!("pub struct {name}"));
        for (field, ty, _) in &fields {
            self.line(&format!("{field}: {ty},"));
        }
        self.line("source: LoadedDomain,");
        self.close();
        self.line("");
        self.item();
        self.open(&format!("impl {name}"));
        self.line("/// Reads a problem of this domain.");
        self.open("pub fn read(name: &str, problem: &str) -> Reading");
        self.line("read_files(&[(\"domain.htn\", SOURCE), (name, problem)], &|_| None)");
        self.close();
        self.line("");
        self.line(
            "/// The tables of a problem that [`read`](Self::read) read, and that was loaded.",
        );
        self.open("pub fn new(source: LoadedDomain) -> Result<Self, CannotLoad>");
        self.open("if fingerprint(&source) != FINGERPRINT || !has_objects(&source, OBJECTS)");
        self.line("return Err(CannotLoad(\"the problem was made for another version of the domain\".to_owned()));");
        self.close();
        self.open(&format!("Ok({name}"));
        for (field, _, value) in &fields {
            self.line(&format!("{field}: {value},"));
        }
        self.line("source,");
        self.indent -= 1;
        self.line("})");
        self.close();
        self.line("");
        self.line("/// The domain it does the same as.");
        self.open("pub fn source(&self) -> &LoadedDomain");
        self.line("&self.source");
        self.close();
        self.close();
        self.line("");
    }

    fn domain_impl(&mut self, name: &str, tasks: &[String]) {
        let methods = self.method_names();
        self.item();
        self.open(&format!("impl Domain for {name}"));
        self.line("type State = LoadedState;");
        self.line("type Task = Task;");
        self.line("");
        self.open(
            "fn refine(&self, task: &Task, state: &LoadedState, out: &mut Refinements<LoadedState, Task>)",
        );
        self.open("let done = match *task");
        for (id, task) in tasks.iter().enumerate() {
            let params = self.param_names(id);
            let mut args = self.plain_params(id);
            args.extend(["state".to_owned(), "out".to_owned()]);
            self.line(&format!(
                "Task::{} => self.{}({}),",
                pattern(task, &params),
                methods[id],
                args.join(", ")
            ));
        }
        self.indent -= 1;
        self.line("};");
        self.open("if out.is_traced()");
        self.line("explain(&self.source, task.parts(), state, out);");
        self.close();
        self.open("if let Err(fault) = done");
        self.line("out.fault(*fault);");
        self.close();
        self.close();
        self.line("");
        self.open("fn state_digest(&self, state: &LoadedState) -> Option<u64>");
        self.line("self.source.state_digest(state)");
        self.close();
        self.line("");
        self.open("fn task_digest(&self, task: &Task) -> Option<u64>");
        self.open("Some(match *task");
        for (id, task) in tasks.iter().enumerate() {
            let params = self.param_names(id);
            self.line(&format!(
                "Task::{} => digest({id}, &[{}]),",
                pattern(task, &params),
                self.plain_params(id).join(", ")
            ));
        }
        self.indent -= 1;
        self.line("})");
        self.close();
        self.line("");
        self.open("fn situation(&self, task: &Task, state: &LoadedState) -> Option<u64>");
        self.open("match *task");
        for (id, task) in tasks.iter().enumerate() {
            let params = self.param_names(id);
            self.line(&format!(
                "Task::{} => self.source.situation_of({id}, digest({id}, &[{}]), state),",
                pattern(task, &params),
                self.plain_params(id).join(", ")
            ));
        }
        self.close();
        self.close();
        self.line("");
        self.open("fn least_cost(&self, task: &Task) -> Cost");
        self.open("match *task");
        for (id, task) in tasks.iter().enumerate() {
            let cost = self.domain.least_costs[id].ticks();
            let params = self.param_names(id);
            let fields = if params.is_empty() { "" } else { " { .. }" };
            self.line(&format!(
                "Task::{task}{fields} => Cost::from_ticks({cost}),"
            ));
        }
        self.close();
        self.close();
        self.line("");
        self.open("fn method_name(&self, task: &Task, number: u32) -> String");
        self.line("self.source.method_name_of(task.parts().0, number)");
        self.close();
        self.close();
    }

    fn range_name(&self, range: u32) -> String {
        let types = self.domain.model.types.iter();
        let truth_values = std::iter::once("truth_values".to_owned());
        let names = truth_values.chain(types.map(|ty| format!("all_{}", snake(&ty.name))));
        distinct(names).swap_remove(range as usize)
    }
}

fn pattern(task: &str, params: &[String]) -> String {
    match params.is_empty() {
        true => task.to_owned(),
        false => format!("{task} {{ {} }}", params.join(", ")),
    }
}
