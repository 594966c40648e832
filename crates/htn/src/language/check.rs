//! Checks trees: names, types, and what can never work. What comes out is a [`Model`].

mod expressions;
mod initial;
mod reach;
mod tasks;

use std::collections::HashMap;

use crate::language::diagnostics::{Diagnostic, nearest};
use crate::language::tree::*;
use crate::model::{self, File, Model, Span, TypeId, ValueType};

/// Turns trees into a model. `None` if there is an error; warnings are no errors.
pub(crate) fn check(files: Vec<File>, trees: &[Tree], wrong: &mut Vec<Diagnostic>) -> Model {
    let mut checker = Checker {
        model: Model {
            files,
            ..Model::default()
        },
        wrong,
        types: HashMap::new(),
        functions: HashMap::new(),
        externals: HashMap::new(),
        objects: HashMap::new(),
        tasks: HashMap::new(),
        places: HashMap::new(),
        kinds: Vec::new(),
        required: Vec::new(),
        function_spans: Vec::new(),
        has_problem: false,
        problem_file: None,
    };
    checker.run(trees);
    checker.model
}

struct Checker<'w> {
    model: Model,
    wrong: &'w mut Vec<Diagnostic>,
    types: HashMap<String, TypeId>,
    functions: HashMap<String, u32>,
    externals: HashMap<String, u32>,
    objects: HashMap<String, u32>,
    tasks: HashMap<String, u32>,
    /// Where each name was declared first, by what it names.
    places: HashMap<(&'static str, String), Span>,
    kinds: Vec<FunctionKind>,
    /// Functions whose variables must all get a value.
    required: Vec<bool>,
    function_spans: Vec<Span>,
    has_problem: bool,
    problem_file: Option<u32>,
}

impl Checker<'_> {
    fn run(&mut self, trees: &[Tree]) {
        let decls = || trees.iter().flat_map(|tree| &tree.decls);
        self.declare_types(decls());
        for decl in decls() {
            match &decl.kind {
                DeclKind::Instances(instances) => self.declare_objects(instances),
                DeclKind::Problem(problem) => {
                    for part in &problem.parts {
                        if let ProblemPart::Instances(instances, _) = part {
                            self.declare_objects(instances);
                        }
                    }
                }
                _ => {}
            }
        }
        for decl in decls() {
            match &decl.kind {
                DeclKind::Function(function) => self.declare_function(function),
                DeclKind::External(ty, name, params) => self.declare_external(ty, name, params),
                _ => {}
            }
        }
        for decl in decls() {
            if let DeclKind::Task(task) = &decl.kind {
                self.declare_task(task, decl.at.0);
            }
        }
        let mut number = 0;
        for decl in decls() {
            if let DeclKind::Task(task) = &decl.kind {
                // A second task of the same name has no number.
                if self.places.get(&("task", task.name.text.clone())) == Some(&task.name.at.0) {
                    self.check_task(number, task);
                    number += 1;
                }
            }
        }
        self.check_initial(decls());
        self.check_problem(decls());
        self.check_reach();
    }

    fn error(
        &mut self,
        code: &'static str,
        span: Span,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) {
        self.wrong
            .push(Diagnostic::error(code, span, message, hint));
    }

    fn warn(
        &mut self,
        code: &'static str,
        span: Span,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) {
        self.wrong
            .push(Diagnostic::warning(code, span, message, hint));
    }

    /// Notes where a name is declared. False: it already is.
    fn is_new(&mut self, what: &'static str, name: &Name) -> bool {
        let key = (what, name.text.clone());
        if let Some(first) = self.places.get(&key).copied() {
            let place = self.model.place(first);
            let place = place.map_or(String::new(), |place| format!("the first is at {place}"));
            self.error(
                "E012",
                name.at.0,
                format!("`{}` is declared twice", name.text),
                place,
            );
            return false;
        }
        self.places.insert(key, name.at.0);
        true
    }

    fn declare_types<'t>(&mut self, decls: impl Iterator<Item = &'t Decl> + Clone) {
        let mut items: Vec<&(Name, Option<Name>)> = Vec::new();
        for decl in decls {
            if let DeclKind::Types(types) = &decl.kind {
                for item in types {
                    if self.is_new("type", &item.0) {
                        items.push(item);
                    }
                }
            }
        }
        let parents: HashMap<&str, Option<&Name>> = items
            .iter()
            .map(|(name, parent)| (name.text.as_str(), parent.as_ref()))
            .collect();
        // Parents before children, otherwise in order.
        let mut pending = items.clone();
        while !pending.is_empty() {
            let before = pending.len();
            pending.retain(|(name, parent)| {
                let known = match parent {
                    Some(parent) if parents.contains_key(parent.text.as_str()) => {
                        match self.types.get(&parent.text) {
                            Some(&parent) => Some(parent),
                            None => return true,
                        }
                    }
                    Some(parent) => {
                        let names: Vec<&str> = parents.keys().copied().collect();
                        let hint = suggest(&parent.text, names.into_iter());
                        self.wrong.push(Diagnostic::error(
                            "E010",
                            parent.at.0,
                            format!("there is no type called `{}`", parent.text),
                            hint,
                        ));
                        None
                    }
                    None => None,
                };
                self.types
                    .insert(name.text.clone(), self.model.types.len() as TypeId);
                self.model.types.push(model::Type {
                    name: name.text.clone(),
                    parent: known,
                });
                false
            });
            if pending.len() == before {
                let (name, _) = pending[0];
                self.error(
                    "E013",
                    name.at.0,
                    format!("`{}` is a kind of itself", name.text),
                    "let one of the types in the circle be a kind of nothing",
                );
                for (name, _) in pending.drain(..) {
                    self.types
                        .insert(name.text.clone(), self.model.types.len() as TypeId);
                    self.model.types.push(model::Type {
                        name: name.text.clone(),
                        parent: None,
                    });
                }
            }
        }
    }

    fn type_id(&mut self, name: &Name) -> Option<TypeId> {
        if let Some(&ty) = self.types.get(&name.text) {
            return Some(ty);
        }
        let mut hint = suggest(&name.text, self.types.keys().map(String::as_str));
        if hint.is_empty() {
            hint = format!("declare it: `type {};`", name.text);
        }
        self.error(
            "E010",
            name.at.0,
            format!("there is no type called `{}`", name.text),
            hint,
        );
        None
    }

    fn value_type(&mut self, ty: &Typed) -> Option<ValueType> {
        let builtin = match ty.name.text.as_str() {
            "bool" => Some(ValueType::Bool),
            "int" => Some(ValueType::Int),
            "float" => Some(ValueType::Float),
            _ => None,
        };
        match builtin {
            Some(builtin) if ty.is_optional => {
                self.error(
                    "E020",
                    ty.name.at.0,
                    format!("`{}` cannot be none", ty.name.text),
                    "only objects can; leave the `?` out",
                );
                Some(builtin)
            }
            Some(builtin) => Some(builtin),
            None => {
                let id = self.type_id(&ty.name)?;
                Some(match ty.is_optional {
                    true => ValueType::Optional(id),
                    false => ValueType::Object(id),
                })
            }
        }
    }

    fn declare_objects(&mut self, instances: &Instances) {
        let Some(ty) = self.type_id(&instances.ty) else {
            return;
        };
        for name in &instances.names {
            if self.is_new("value", name) {
                self.objects
                    .insert(name.text.clone(), self.model.objects.len() as u32);
                self.model.objects.push(model::Object {
                    name: name.text.clone(),
                    ty,
                });
            }
        }
    }

    fn declare_function(&mut self, function: &FunctionDecl) {
        if !self.is_new("value", &function.name) {
            return;
        }
        let result = self.value_type(&function.ty);
        let mut params = Vec::new();
        for param in &function.params {
            match self.value_type(&param.ty) {
                Some(ValueType::Int | ValueType::Float) => self.error(
                    "E080",
                    param.ty.name.at.0,
                    "a state variable cannot have a number as its argument",
                    "there would be endlessly many variables; use a type of objects",
                ),
                Some(ValueType::Optional(ty)) => params.push(ValueType::Object(ty)),
                Some(ty) => params.push(ty),
                None => {}
            }
        }
        let Some(result) = result else { return };
        if params.len() != function.params.len() {
            return;
        }
        let mut default = zero(result);
        if let Some(expr) = &function.default
            && let Some(value) = self.constant_value(expr, result)
        {
            default = value;
        }
        self.functions.insert(
            function.name.text.clone(),
            self.model.functions.len() as u32,
        );
        self.required
            .push(matches!(result, ValueType::Object(_)) && function.default.is_none());
        self.kinds.push(function.kind);
        self.function_spans.push(function.name.at.0);
        self.model.functions.push(model::Function {
            name: function.name.text.clone(),
            params,
            result,
            default,
            is_observed: function.kind == FunctionKind::Fluent,
        });
    }

    fn declare_external(&mut self, ty: &Typed, name: &Name, params: &[Param]) {
        if !self.is_new("value", name) {
            return;
        }
        let Some(result) = self.value_type(ty) else {
            return;
        };
        let params: Vec<ValueType> = params
            .iter()
            .filter_map(|param| self.value_type(&param.ty))
            .collect();
        self.externals
            .insert(name.text.clone(), self.model.externals.len() as u32);
        self.model.externals.push(model::External {
            name: name.text.clone(),
            params,
            result,
        });
    }

    fn check_problem<'t>(&mut self, decls: impl Iterator<Item = &'t Decl>) {
        let mut first: Option<Span> = None;
        for decl in decls {
            let DeclKind::Problem(problem) = &decl.kind else {
                continue;
            };
            if let Some(first) = first {
                let place = self.model.place(first);
                let place = place.map_or(String::new(), |place| format!("the first is at {place}"));
                self.error("E012", problem.name.at.0, "there are two problems", place);
                continue;
            }
            first = Some(problem.name.at.0);
            self.has_problem = true;
            self.problem_file = Some(problem.name.at.0.file);
            self.model.problem = Some(problem.name.text.clone());
            match &problem.goal {
                Some(goal) => {
                    let mut scope = expressions::Scope::default();
                    if let Some(net) = self.net(goal, &mut scope) {
                        self.model.goal = net;
                    }
                }
                None => self.error(
                    "E042",
                    problem.name.at.0,
                    format!("the problem `{}` has no goal", problem.name.text),
                    "add `goal ordered(…);`",
                ),
            }
        }
    }
}

/// The value of nothing said.
fn zero(ty: ValueType) -> i64 {
    match ty {
        ValueType::Float => model::float(0.0),
        ValueType::Bool | ValueType::Int => 0,
        ValueType::Object(_) | ValueType::Optional(_) => model::NONE,
    }
}

/// A question whether another name was meant, or nothing.
fn suggest<'k>(name: &str, known: impl Iterator<Item = &'k str>) -> String {
    let mut known: Vec<&str> = known.collect();
    known.sort_unstable();
    match nearest(name, known.into_iter()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => String::new(),
    }
}
