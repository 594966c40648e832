//! What becomes of each task, as Rust.

use super::super::bindings::{
    Binding, BindingChoice, Key, Leaf, Level, NetPiece, Scope, ScopeThen, Source,
};
use super::super::code::Code;
use super::super::{ReadyBody, ReadyEffect, Test};
use super::Generator;
use crate::model::{Span, ValueType};

impl Generator<'_> {
    pub(super) fn task(&mut self, id: usize) {
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
            self.method_names()[id],
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
        tests: &[Test],
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
                self.ranges.insert(*range);
                let all = self.range_name(*range);
                let name = self.bind(*slot, &variable.name);
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
            self.unbind(effect.vars.iter().map(|(slot, _)| *slot));
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
    fn tests(&mut self, tests: &[Test]) -> bool {
        if tests.is_empty() {
            return false;
        }
        let conditions: Vec<String> = tests.iter().map(|test| self.truth(&test.code)).collect();
        self.open(&format!("if {}", conditions.join(" && ")));
        true
    }

    fn leaf(&mut self, leaf: &Leaf) {
        // Arguments are worked out before the network is begun, as a fault would leave it half done.
        self.line("out.begin_network();");
        for piece in &leaf.pieces {
            let line = match piece {
                NetPiece::OpenOrdered => "out.open_ordered();".to_owned(),
                NetPiece::CloseOrdered => "out.close_ordered();".to_owned(),
                NetPiece::OpenUnordered => "out.open_unordered();".to_owned(),
                NetPiece::CloseUnordered => "out.close_unordered();".to_owned(),
                NetPiece::Task(id, args) => {
                    let args: Vec<String> = args.iter().map(|arg| self.value(arg)).collect();
                    format!("out.task({});", self.constructed(*id as usize, &args))
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
        self.unbind(binding.levels.iter().map(|level| level.slot));
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

    /// What the variables of a binding are called in the domain.
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
                variable.map_or(format!("v{}", level.slot), |variable| variable.name.clone())
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
                let name = self.bind(level.slot, name);
                self.open(&format!("for &{name} in &self.{all}.all"));
            }
            Source::Equal(code) => {
                let value = self.value(code);
                let name = self.bind(level.slot, name);
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
                let name = self.bind(level.slot, name);
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
                let name = self.bind(level.slot, name);
                args.insert(*position, name.clone());
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
}
