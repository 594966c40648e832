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
    /// What the variable in a slot is called now.
    names: HashMap<u32, String>,
    /// Function, position and bound positions of every list that is used.
    lists: Vec<(u32, usize, Vec<usize>)>,
    ranges: BTreeSet<u32>,
    label: u32,
}

const KEYWORDS: [&str; 42] = [
    "as", "break", "const", "continue", "crate", "else", "enum", "extern", "false", "fn", "for",
    "if", "impl", "in", "let", "loop", "match", "mod", "move", "mut", "pub", "ref", "return",
    "self", "static", "struct", "super", "trait", "true", "type", "unsafe", "use", "where",
    "while", "async", "await", "dyn", "gen", "try", "yield", "state", "out",
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
    if KEYWORDS.contains(&text.as_str()) || text.starts_with(|c: char| c.is_ascii_digit()) {
        text.insert(0, 'a');
        text.insert(1, '_');
    }
    text
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
    if text.starts_with(|c: char| c.is_ascii_digit()) || text == "Self" {
        text.insert(0, 'T');
    }
    text
}

/// Names made different from each other.
fn distinct(names: impl Iterator<Item = String>) -> Vec<String> {
    let mut used = BTreeSet::new();
    names
        .map(|name| {
            let mut unique = name.clone();
            let mut number = 2;
            while !used.insert(unique.clone()) {
                unique = format!("{name}_{number}");
                number += 1;
            }
            unique
        })
        .collect()
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

    fn open(&mut self, text: &str) {
        self.line(&format!("{text} {{"));
        self.indent += 1;
    }

    fn close(&mut self) {
        self.indent -= 1;
        self.line("}");
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
            ValueType::Object(_) => format!("{}({value})", self.field_type(ty)),
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
                ValueType::Object(_) => format!("{name}.0"),
                ValueType::Optional(_) => format!("{name}.map_or(NONE, |object| object.0)"),
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
        let name = camel(name);
        // Bodies first: they say which tables are needed.
        self.indent = 1;
        for task in 0..tasks.len() {
            self.task(task, &tasks);
        }
        let bodies = std::mem::take(&mut self.out);
        self.indent = 0;
        self.head(&name, source, &tasks);
        self.tables(&name, &functions);
        self.domain_impl(&name, &tasks);
        self.line("");
        self.open(&format!("impl {name}"));
        self.close();
        // The bodies go inside the braces just written.
        self.out.truncate(self.out.trim_end().len() - 1);
        self.out.push_str(&bodies);
        self.out.push_str("}\n");
        std::mem::take(&mut self.out)
    }

    fn head(&mut self, name: &str, source: &str, tasks: &[String]) {
        self.line("// Generated by `apprentice htn compile`. Change the domain, not this file.");
        self.line("#![allow(clippy::all, unused, missing_docs, unreachable_pub)]");
        self.line("");
        self.line("use apprentice_htn::compiled::*;");
        self.line("use apprentice_htn::language::{Reading, read_files};");
        self.line(
            "use apprentice_htn::{CannotLoad, Direction, Domain, LoadedDomain, LoadedState, Refinements};",
        );
        self.line("use apprentice_search::Cost;");
        self.line("");
        self.line("/// The domain as it was written.");
        self.line(&format!("pub const SOURCE: &str = {source:?};"));
        self.line(&format!(
            "const FINGERPRINT: u64 = {:#x};",
            fingerprint(self.domain)
        ));
        self.line("");
        self.objects();
        self.line("/// What can be done.");
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
        let _ = name;
    }

    /// Types of objects, so that a door is never taken for a key, and the objects that every problem
    /// has.
    fn objects(&mut self) {
        let model = &self.domain.model;
        let names = self.type_names();
        self.line("/// What there is, by type.");
        self.open("pub mod objects");
        self.line("use apprentice_htn::compiled::{self, object, object_name};");
        for (id, name) in names.iter().enumerate() {
            self.line("");
            self.line(&format!("/// `type {}`", model.types[id].name));
            self.line("#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]");
            self.line(&format!("pub struct {name}(pub(super) i64);"));
            self.line("");
            self.open(&format!("impl {name}"));
            self.line("/// The one of that name in a problem.");
            self.open(
                "pub fn named(source: &apprentice_htn::LoadedDomain, name: &str) -> std::option::Option<Self>",
            );
            self.line(&format!("object(source, {id}, name).map(Self)"));
            self.close();
            self.line("");
            self.line("/// Its name.");
            self.open("pub fn name(self, source: &apprentice_htn::LoadedDomain) -> &str");
            self.line("object_name(source, self.0)");
            self.close();
            self.line("");
            self.open("pub(super) fn or_none(value: i64) -> std::option::Option<Self>");
            self.line("(value != compiled::NONE).then_some(Self(value))");
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
                self.line("Self(object.0)");
                self.close();
                self.close();
                above = model.types[parent as usize].parent;
            }
        }
        let constants = distinct(
            model
                .objects
                .iter()
                .map(|object| snake(&object.name).to_uppercase()),
        );
        if !constants.is_empty() {
            self.line("");
        }
        for (id, (object, constant)) in model.objects.iter().zip(&constants).enumerate() {
            let ty = &names[object.ty as usize];
            self.line(&format!("pub const {constant}: {ty} = {ty}({id});"));
        }
        self.close();
        self.line("");
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
        self.line("#[derive(Clone, Debug)]");
        self.open(&format!("pub struct {name}"));
        for (field, ty, _) in &fields {
            self.line(&format!("{field}: {ty},"));
        }
        self.line("source: LoadedDomain,");
        self.close();
        self.line("");
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
        self.open("if fingerprint(&source) != FINGERPRINT");
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
                method_name(task),
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
        self.open("fn task_digest(&self, task: &Task) -> u64");
        self.open("match *task");
        for (id, task) in tasks.iter().enumerate() {
            let params = self.param_names(id);
            self.line(&format!(
                "Task::{} => digest({id}, &[{}]),",
                pattern(task, &params),
                self.plain_params(id).join(", ")
            ));
        }
        self.close();
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
        match range {
            0 => "truth_values".to_owned(),
            range => format!(
                "all_{}",
                snake(&self.domain.model.types[range as usize - 1].name)
            ),
        }
    }
}

fn pattern(task: &str, params: &[String]) -> String {
    match params.is_empty() {
        true => task.to_owned(),
        false => format!("{task} {{ {} }}", params.join(", ")),
    }
}

fn method_name(task: &str) -> String {
    format!("refine_{}", snake(task))
}
