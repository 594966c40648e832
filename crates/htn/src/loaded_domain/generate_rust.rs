//! Turns a loaded domain into Rust that does the same without interpreting anything.

use std::collections::{BTreeSet, HashMap};
use std::fmt::Write;

use super::bindings::{
    Binding, BindingChoice, Key, Leaf, Level, NetPiece, Scope, ScopeThen, Source,
};
use super::code::{Call, Code};
use super::{LoadedDomain, ReadyBody, ReadyEffect};
use crate::compiled::fingerprint;
use crate::model::{Arithmetic, Comparison, Quantifier, Span, ValueType};

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
        let model = &self.domain.model;
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
        for (id, object) in model.objects.iter().enumerate() {
            let constant = snake(&object.name).to_uppercase();
            self.line(&format!("pub const {constant}: i64 = {id};"));
        }
        if !model.objects.is_empty() {
            self.line("");
        }
        self.line("/// What can be done.");
        self.line("#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]");
        self.open("pub enum Task");
        for (id, task) in tasks.iter().enumerate() {
            let params = self.param_names(id);
            let fields: Vec<String> = params.iter().map(|name| format!("{name}: i64")).collect();
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
                params.join(", ")
            ));
        }
        self.close();
        self.close();
        self.line("");
        self.line("/// The task of a number, with its arguments. `None`: there is none.");
        self.open("pub fn of(id: u32, args: &[i64]) -> Option<Task>");
        self.open("Some(match (id, args)");
        for (id, task) in tasks.iter().enumerate() {
            let params = self.param_names(id);
            let pattern = pattern(task, &params);
            self.line(&format!(
                "({id}, &[{}]) => Task::{pattern},",
                params.join(", ")
            ));
        }
        self.line("_ => return None,");
        self.indent -= 1;
        self.line("})");
        self.close();
        self.close();
        self.line("");
        let _ = name;
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
            let mut args = params.clone();
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
                params.join(", ")
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
                params.join(", ")
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

    // Bodies.

    fn task(&mut self, id: usize, tasks: &[String]) {
        let model = &self.domain.model;
        let params = self.param_names(id);
        self.names = params
            .iter()
            .enumerate()
            .map(|(slot, name)| (slot as u32, name.clone()))
            .collect();
        self.label = 0;
        let mut signature: Vec<String> = params.iter().map(|name| format!("{name}: i64")).collect();
        signature.extend([
            "state: &LoadedState".to_owned(),
            "out: &mut Refinements<LoadedState, Task>".to_owned(),
        ]);
        self.line("");
        let shown: Vec<String> = model.tasks[id]
            .params
            .iter()
            .map(|p| p.name.clone())
            .collect();
        self.line(&format!(
            "/// `task {}({})`",
            model.tasks[id].name,
            shown.join(", ")
        ));
        self.open(&format!(
            "fn {}(&self, {}) -> Answer",
            method_name(&tasks[id]),
            signature.join(", ")
        ));
        let domain = self.domain;
        match &domain.tasks[id].body {
            ReadyBody::Primitive {
                tests,
                effects,
                cost,
            } => self.primitive(id, &params, tests, effects, cost.as_ref()),
            ReadyBody::Compound(methods) => {
                for (first, branches) in methods {
                    self.method(id, *first, branches);
                }
                self.line("Ok(())");
            }
        }
        self.close();
    }

    fn primitive(
        &mut self,
        id: usize,
        params: &[String],
        tests: &[super::Test],
        effects: &[ReadyEffect],
        cost: Option<&(Code, bool)>,
    ) {
        for test in tests {
            let condition = self.truth(&test.code);
            self.open(&format!("if !({condition})"));
            self.line("return Ok(());");
            self.close();
        }
        let args = format!("Args::from_slice(&[{}])", params.join(", "));
        match cost {
            None => self.line("let cost = Cost::from_seconds(1.0);"),
            Some((code, is_float)) => {
                let value = match is_float {
                    true => self.float(code),
                    false => format!("{} as f64", self.value(code)),
                };
                self.line(&format!(
                    "let cost = cost(&self.source, {id}, {args}, {value})?;"
                ));
            }
        }
        let functions = self.function_names();
        let mut targets: Vec<u32> = effects.iter().map(|effect| effect.function).collect();
        targets.sort_unstable();
        let is_simple = effects
            .iter()
            .all(|effect| effect.vars.is_empty() && effect.when.is_none())
            && targets.windows(2).all(|pair| pair[0] != pair[1]);
        if is_simple {
            // All are worked out before any is made.
            for (number, effect) in effects.iter().enumerate() {
                let keys = self.effect_keys(id, number, effect);
                let value = self.value(&effect.value);
                let function = &functions[effect.function as usize];
                self.line(&format!(
                    "let change_{number} = (self.{function}.index([{keys}]), {value});"
                ));
            }
            self.line("let mut next = out.copy_of(state);");
            for (number, effect) in effects.iter().enumerate() {
                let function = &functions[effect.function as usize];
                self.line(&format!(
                    "self.{function}.set(&mut next, change_{number}.0, change_{number}.1);"
                ));
            }
            self.line("out.act(next, cost);");
            self.line("Ok(())");
            return;
        }
        self.line("let mut changes = Changes::new();");
        for (number, effect) in effects.iter().enumerate() {
            let mut closes = 0;
            let variables = match &self.domain.model.tasks[id].body {
                crate::model::Body::Primitive(primitive) => primitive.effects[number].vars.clone(),
                crate::model::Body::Compound(_) => Vec::new(),
            };
            for ((slot, range), variable) in effect.vars.iter().zip(&variables) {
                let name = snake(&variable.name);
                self.ranges.insert(*range);
                let all = self.range_name(*range);
                self.names.insert(*slot, name.clone());
                self.open(&format!("for &{name} in &self.{all}.all"));
                closes += 1;
            }
            if let Some(when) = &effect.when {
                let condition = self.truth(when);
                self.open(&format!("if {condition}"));
                closes += 1;
            }
            let keys = self.effect_keys(id, number, effect);
            let value = self.value(&effect.value);
            let function = &functions[effect.function as usize];
            self.line(&format!(
                "changes.add(&self.{function}, [{keys}], {value}, {number});"
            ));
            for _ in 0..closes {
                self.close();
            }
        }
        self.line(&format!(
            "changes.make(&self.source, ({id}, {args}), state, cost, out)"
        ));
    }

    fn effect_keys(&mut self, id: usize, number: usize, effect: &ReadyEffect) -> String {
        let (span, optional): (Span, Vec<bool>) = match &self.domain.model.tasks[id].body {
            crate::model::Body::Primitive(primitive) => {
                let effect = &primitive.effects[number];
                let args = effect.args.iter();
                let optional = args.map(|arg| matches!(arg.ty, ValueType::Optional(_)));
                (effect.span, optional.collect())
            }
            crate::model::Body::Compound(_) => (Span::default(), Vec::new()),
        };
        let keys: Vec<String> = effect
            .keys
            .iter()
            .zip(optional)
            .map(|(key, is_optional)| self.argument(&key.code, key.range, is_optional, span))
            .collect();
        keys.join(", ")
    }

    fn method(&mut self, id: usize, first: u32, branches: &[Scope]) {
        let name = self.domain.method_name_of(id as u32, first);
        let name = name.split('.').next().unwrap_or_default().to_owned();
        self.line(&format!("// method {name}"));
        match branches {
            [] => {}
            [only] => {
                self.line(&format!("out.numbered_method({first});"));
                self.scope(only);
            }
            branches => {
                // The first branch that has a way is used.
                self.label += 1;
                let label = format!("'method_{}", self.label);
                self.line("let before = out.ways();");
                self.open(&format!("{label}:"));
                for (at, scope) in branches.iter().enumerate() {
                    self.line(&format!("out.numbered_method({});", first + at as u32));
                    self.scope(scope);
                    if at + 1 < branches.len() {
                        self.open("if out.ways() > before");
                        self.line(&format!("break {label};"));
                        self.close();
                    }
                }
                self.close();
            }
        }
    }

    fn scope(&mut self, scope: &Scope) {
        let is_open = self.tests(&scope.tests);
        match &scope.then {
            ScopeThen::Network(leaf) => self.leaf(leaf),
            ScopeThen::Bind(binding) => self.binding(binding),
        }
        if is_open {
            self.close();
        }
    }

    /// Opens an `if` for the tests. False: there are none.
    fn tests(&mut self, tests: &[super::Test]) -> bool {
        if tests.is_empty() {
            return false;
        }
        let conditions: Vec<String> = tests.iter().map(|test| self.truth(&test.code)).collect();
        self.open(&format!("if {}", conditions.join(" && ")));
        true
    }

    fn leaf(&mut self, leaf: &Leaf) {
        let tasks = self.task_names();
        // Arguments are worked out before the network is begun, as a fault would leave it half done.
        self.line("out.begin_network();");
        for piece in &leaf.pieces {
            let line = match piece {
                NetPiece::OpenOrdered => "out.open_ordered();".to_owned(),
                NetPiece::CloseOrdered => "out.close_ordered();".to_owned(),
                NetPiece::OpenUnordered => "out.open_unordered();".to_owned(),
                NetPiece::CloseUnordered => "out.close_unordered();".to_owned(),
                NetPiece::Task(id, args) => {
                    let params = self.param_names(*id as usize);
                    let args: Vec<String> = params
                        .iter()
                        .zip(args)
                        .map(|(param, arg)| format!("{param}: {}", self.value(arg)))
                        .collect();
                    let task = &tasks[*id as usize];
                    match args.is_empty() {
                        true => format!("out.task(Task::{task});"),
                        false => format!("out.task(Task::{task} {{ {} }});", args.join(", ")),
                    }
                }
            };
            self.line(&line);
        }
        self.line("out.end_network();");
    }

    fn binding(&mut self, binding: &Binding) {
        let is_open = self.tests(&binding.before);
        self.label += 1;
        let number = self.label;
        let is_sorted = matches!(
            binding.choice,
            BindingChoice::Ascending(_) | BindingChoice::Descending(_)
        );
        let is_first = matches!(binding.choice, BindingChoice::First);
        if is_sorted {
            self.line(&format!("let sorting_{number} = out.begin_sorted();"));
        }
        if is_first {
            self.line(&format!("'first_{number}: {{"));
            self.indent += 1;
        }
        let names = self.bound_names(binding);
        let mut closes = 0;
        for (level, name) in binding.levels.iter().zip(&names) {
            closes += self.level(level, name);
        }
        let needs_start = is_sorted || is_first;
        if needs_start {
            self.line(&format!("let start_{number} = out.ways();"));
        }
        self.scope(&binding.inner);
        if needs_start {
            self.open(&format!("if out.ways() > start_{number}"));
            match &binding.choice {
                BindingChoice::Ascending(key) | BindingChoice::Descending(key) => {
                    let value = self.value(&key.code);
                    let value = match key.is_float {
                        true => format!("ordered({value})"),
                        false => value,
                    };
                    self.line(&format!("out.sorted_ways(start_{number}, {value});"));
                }
                _ => self.line(&format!("break 'first_{number};")),
            }
            self.close();
        }
        for _ in 0..closes {
            self.close();
        }
        if is_first {
            self.close();
        }
        if is_sorted {
            let direction = match binding.choice {
                BindingChoice::Descending(_) => "Descending",
                _ => "Ascending",
            };
            self.line(&format!(
                "out.end_sorted(&sorting_{number}, Direction::{direction});"
            ));
        }
        if is_open {
            self.close();
        }
    }

    /// What the variables of a binding are called: as in the source.
    fn bound_names(&self, binding: &Binding) -> Vec<String> {
        fn leaf(scope: &Scope) -> &Leaf {
            match &scope.then {
                ScopeThen::Network(leaf_here) => leaf_here,
                ScopeThen::Bind(binding) => leaf(&binding.inner),
            }
        }
        let bound = &leaf(&binding.inner).bound;
        binding
            .levels
            .iter()
            .map(|level| {
                let variable = bound.iter().find(|variable| variable.slot == level.slot);
                variable.map_or(format!("v{}", level.slot), |variable| snake(&variable.name))
            })
            .collect()
    }

    /// Opens the loop for a variable, and the tests in it; gives how many braces are open.
    fn level(&mut self, level: &Level, name: &str) -> usize {
        self.ranges.insert(level.range);
        let all = self.range_name(level.range);
        let mut closes = 1;
        match &level.source {
            Source::All => {
                self.names.insert(level.slot, name.to_owned());
                self.open(&format!("for &{name} in &self.{all}.all"));
            }
            Source::Equal(code) => {
                let value = self.value(code);
                self.names.insert(level.slot, name.to_owned());
                self.line(&format!("let {name} = {value};"));
                self.open(&format!("if self.{all}.contain({name})"));
            }
            Source::Listed { index, keys } => {
                let index = &self.domain.indices[*index as usize];
                let wanted = (index.function, index.position, index.bound.clone());
                let number = match self.lists.iter().position(|list| *list == wanted) {
                    Some(number) => number,
                    None => {
                        self.lists.push(wanted);
                        self.lists.len() - 1
                    }
                };
                // Keys are stored from the last to the first.
                let keys: Vec<String> =
                    keys.iter().rev().map(|key| self.value(&key.code)).collect();
                self.names.insert(level.slot, name.to_owned());
                self.open(&format!(
                    "for &{name} in self.list_{number}.of([{}])",
                    keys.join(", ")
                ));
                let function = &self.domain.layouts.functions[index.function as usize];
                if function.params[index.position].range != level.range {
                    self.open(&format!("if self.{all}.contain({name})"));
                    closes += 1;
                }
            }
            Source::Scanned {
                function,
                position,
                keys,
                ..
            } => {
                let keys: Vec<&Key> = keys.iter().collect();
                let mut args: Vec<String> = keys.iter().map(|key| self.value(&key.code)).collect();
                args.insert(*position, name.to_owned());
                self.names.insert(level.slot, name.to_owned());
                let table = &self.function_names()[*function as usize];
                self.open(&format!("for &{name} in &self.{all}.all"));
                self.open(&format!(
                    "if self.{table}.holds(state, [{}])",
                    args.join(", ")
                ));
                closes += 1;
            }
        }
        if self.tests(&level.tests) {
            closes += 1;
        }
        closes
    }

    // Expressions.

    fn is_optional_arg(code: &Code, domain: &LoadedDomain) -> bool {
        match code {
            Code::Nullary(function) => matches!(
                domain.model.functions[*function as usize].result,
                ValueType::Optional(_)
            ),
            Code::Function(call) => matches!(
                domain.model.functions[call.function as usize].result,
                ValueType::Optional(_)
            ),
            Code::Value(value) => *value < 0,
            Code::If(_) | Code::External(..) => true,
            _ => false,
        }
    }

    /// An argument of a table: checked if it may be none.
    fn argument(&mut self, code: &Code, range: u32, is_optional: bool, span: Span) -> String {
        let value = self.value(code);
        if !is_optional {
            return value;
        }
        self.ranges.insert(range);
        let all = self.range_name(range);
        format!("self.{all}.checked({value}, {})?", place(span))
    }

    fn call(&mut self, call: &Call) -> String {
        let table = self.function_names()[call.function as usize].clone();
        let args: Vec<String> = call
            .args
            .iter()
            .map(|arg| {
                let is_parameter = matches!(arg.code, Code::Variable(_));
                let is_optional = is_parameter && call.has_optional
                    || Generator::is_optional_arg(&arg.code, self.domain);
                self.argument(&arg.code, arg.range, is_optional, call.span)
            })
            .collect();
        let is_constant = self.domain.layouts.functions[call.function as usize].is_constant;
        let state = if is_constant { "" } else { "state, " };
        format!("self.{table}.VERB({state}[{}])", args.join(", "))
    }

    fn table(&mut self, code: &Code) -> Option<(String, ValueType)> {
        match code {
            Code::Nullary(function) => {
                let table = &self.function_names()[*function as usize];
                let is_constant = self.domain.layouts.functions[*function as usize].is_constant;
                let state = if is_constant { "" } else { "state, " };
                Some((
                    format!("self.{table}.VERB({state}[])"),
                    self.domain.model.functions[*function as usize].result,
                ))
            }
            Code::Function(call) => Some((
                self.call(call),
                self.domain.model.functions[call.function as usize].result,
            )),
            _ => None,
        }
    }

    /// An expression of type `bool`.
    fn truth(&mut self, code: &Code) -> String {
        if let Some((text, _)) = self.table(code) {
            return text.replacen("VERB", "holds", 1);
        }
        match code {
            Code::Value(value) => (*value != 0).to_string(),
            Code::Not(inner) => format!("!({})", self.truth(inner)),
            Code::And(list) => self.joined(list, " && ", "true"),
            Code::Or(list) => self.joined(list, " || ", "false"),
            Code::Same(a, b) => format!("({} == {})", self.value(a), self.value(b)),
            Code::Differ(a, b) => format!("({} != {})", self.value(a), self.value(b)),
            Code::CompareInts(how, a, b) => {
                format!("({} {} {})", self.value(a), sign(*how), self.value(b))
            }
            Code::CompareFloats(how, a, b) => {
                format!("({} {} {})", self.float(a), sign(*how), self.float(b))
            }
            Code::IsA(inner, range) => {
                self.ranges.insert(*range);
                let all = self.range_name(*range);
                format!("self.{all}.contain({})", self.value(inner))
            }
            Code::If(parts) => format!(
                "(if {} {{ {} }} else {{ {} }})",
                self.truth(&parts.0),
                self.truth(&parts.1),
                self.truth(&parts.2)
            ),
            Code::Quantifier(quantified) => {
                self.label += 1;
                let label = format!("'quantifier_{}", self.label);
                let (found, otherwise, wanted) = match quantified.kind {
                    Quantifier::Exists => ("true", "false", ""),
                    Quantifier::Forall => ("false", "true", "!"),
                };
                let mut text = format!("{label}: {{ ");
                let mut closes = 0;
                for (at, (slot, range)) in quantified.vars.iter().enumerate() {
                    self.ranges.insert(*range);
                    let name = snake(&quantified.names[at]);
                    let all = self.range_name(*range);
                    self.names.insert(*slot, name.clone());
                    let _ = write!(text, "for &{name} in &self.{all}.all {{ ");
                    closes += 1;
                }
                let body = self.truth(&quantified.body);
                let _ = write!(text, "if {wanted}({body}) {{ break {label} {found}; }}");
                text.push_str(&" }".repeat(closes));
                let _ = write!(text, " {otherwise} }}");
                // A block at the start of a condition must be in parentheses.
                format!("({text})")
            }
            code => format!("({} != 0)", self.value(code)),
        }
    }

    fn joined(&mut self, list: &[Code], sign: &str, empty: &str) -> String {
        if list.is_empty() {
            return empty.to_owned();
        }
        let parts: Vec<String> = list.iter().map(|code| self.truth(code)).collect();
        format!("({})", parts.join(sign))
    }

    /// An expression of type `i64`.
    fn value(&mut self, code: &Code) -> String {
        if let Some((text, _)) = self.table(code) {
            return text.replacen("VERB", "get", 1);
        }
        match code {
            Code::Value(value) if *value == -1 => "NONE".to_owned(),
            Code::Value(value) => value.to_string(),
            Code::Variable(slot) => self
                .names
                .get(slot)
                .cloned()
                .unwrap_or_else(|| format!("v{slot}")),
            Code::External(external, args) => {
                let args: Vec<String> = args.iter().map(|arg| self.value(arg)).collect();
                format!("self.source.ask({external}, &[{}])", args.join(", "))
            }
            Code::Ints(what, operands) => {
                let (a, b) = (self.value(&operands.0), self.value(&operands.1));
                format!(
                    "result(whole({}, {a}, {b}), {})?",
                    arithmetic(*what),
                    place(operands.2)
                )
            }
            Code::NegateInt(inner) => {
                let value = self.value(&inner.0);
                let place = place(inner.1);
                format!(
                    "result(whole({}, 0, {value}), {place})?",
                    arithmetic(Arithmetic::Subtract)
                )
            }
            Code::AbsoluteInt(inner) => {
                let value = self.value(&inner.0);
                let place = place(inner.1);
                format!(
                    "result(({value}).checked_abs().ok_or(\"the result is too large for a whole number\"), {place})?"
                )
            }
            Code::If(parts) => format!(
                "(if {} {{ {} }} else {{ {} }})",
                self.truth(&parts.0),
                self.value(&parts.1),
                self.value(&parts.2)
            ),
            Code::Floats(..) | Code::NegateFloat(_) | Code::AbsoluteFloat(_) | Code::ToFloat(_) => {
                format!("float({})", self.float(code))
            }
            code => format!("i64::from({})", self.truth(code)),
        }
    }

    /// An expression of type `f64`.
    fn float(&mut self, code: &Code) -> String {
        match code {
            Code::Value(value) => format!("{:?}_f64", crate::model::number(*value)),
            Code::Floats(what, operands) => {
                let (a, b) = (self.float(&operands.0), self.float(&operands.1));
                format!(
                    "result(fractional({}, {a}, {b}), {})?",
                    arithmetic(*what),
                    place(operands.2)
                )
            }
            Code::NegateFloat(inner) => format!("(-{})", self.float(inner)),
            Code::AbsoluteFloat(inner) => format!("({}).abs()", self.float(inner)),
            Code::ToFloat(inner) => format!("(({}) as f64)", self.value(inner)),
            code => format!("number({})", self.value(code)),
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

fn sign(how: Comparison) -> &'static str {
    match how {
        Comparison::Equal => "==",
        Comparison::Different => "!=",
        Comparison::Less => "<",
        Comparison::AtMost => "<=",
        Comparison::Greater => ">",
        Comparison::AtLeast => ">=",
    }
}

fn arithmetic(what: Arithmetic) -> String {
    format!("Arithmetic::{what:?}")
}
