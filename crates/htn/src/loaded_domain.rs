//! A domain that was read from a file, interpreted: plans can be made of it without compiling
//! anything.

mod analysis;
mod bindings;
mod code;
mod generate_rust;
mod layout;
mod refine;
#[cfg(feature = "serde")]
mod saved;

use std::cell::Cell;
use std::fmt;

use apprentice_search::Cost;
use smallvec::SmallVec;

use crate::agenda::mix;
use crate::domain::{ChoiceKind, Domain, Refinements};
use crate::model::{Body, FunctionId, Model, Span, TaskId, ValueType, float, number};
use crate::network::Network;
use bindings::{NetPiece, Scope, ScopeBuilder, Test};
use code::{Code, Scene};
use layout::Layouts;

pub(crate) use analysis::{least_costs, walk_block};
pub(crate) use bindings::Index;
pub use code::HostFunction;
pub(crate) use code::{compare, too_many_to_try};
pub use code::{fractional, whole};
pub use generate_rust::generate_rust;
pub(crate) use layout::Layout;
pub use layout::LoadedState;
pub use refine::ordered_bits;
pub(crate) use refine::{Change, checked_cost, finish};

/// A task of a loaded domain, with its arguments as [`model`](crate::model) has values.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LoadedTask {
    /// Which task.
    pub id: TaskId,
    /// Its arguments.
    #[cfg_attr(feature = "serde", serde(with = "saved::few"))]
    pub args: SmallVec<[i64; 4]>,
}

/// A domain and one problem in it, ready to be planned with. It never changes, and can be shared by
/// many planners and threads.
#[derive(Clone)]
pub struct LoadedDomain {
    model: Model,
    layouts: Layouts,
    externals: Vec<HostFunction>,
    indices: Vec<Index>,
    tasks: Vec<Ready>,
    initial: LoadedState,
    goal: Network<LoadedTask>,
    least_costs: Vec<Cost>,
    /// For each task, the words of a state that hold digests of what it looks at.
    situations: Vec<Vec<u32>>,
    /// Where each line of each file begins: whoever asks why hears a line with every reason.
    lines: Vec<Vec<u32>>,
}

/// A task, ready to be refined.
#[derive(Clone, Debug)]
struct Ready {
    slots: u32,
    body: ReadyBody,
}

#[derive(Clone, Debug)]
enum ReadyBody {
    Primitive {
        tests: Vec<Test>,
        effects: Vec<ReadyEffect>,
        cost: Option<(Code, bool)>,
    },
    /// Methods, each with its branches, numbered through.
    Compound(Vec<(u32, Vec<Scope>)>),
}

#[derive(Clone, Debug)]
struct ReadyEffect {
    vars: Vec<(u32, u32)>,
    when: Option<Code>,
    function: FunctionId,
    keys: Vec<bindings::Key>,
    value: Code,
}

/// Why a model cannot be planned with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CannotLoad(pub String);

impl fmt::Display for CannotLoad {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for CannotLoad {}

impl fmt::Debug for LoadedDomain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LoadedDomain")
            .field("tasks", &self.model.tasks.len())
            .field("objects", &self.model.objects.len())
            .finish_non_exhaustive()
    }
}

impl LoadedDomain {
    /// Makes a model ready to be planned with.
    ///
    /// # Errors
    ///
    /// If it has external functions, which need the host ([`LoadedDomain::with_externals`]), if its
    /// states are too large, or if the arguments of its goal cannot be worked out.
    pub fn new(model: Model) -> Result<LoadedDomain, CannotLoad> {
        LoadedDomain::with_externals(model, |_| None)
    }

    /// As [`LoadedDomain::new`], with functions of the host, found by their names. The file says
    /// which types they take and give, and calls them with nothing else. Values are numbers:
    /// objects their places in [`Model::objects`], truth 0 and 1, and broken numbers what
    /// [`float`](crate::model::float) makes of them.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use apprentice_htn::{LoadedDomain, Planner, language::read};
    /// use apprentice_htn::model::float;
    /// use apprentice_search::{Budget, Status};
    ///
    /// let text = "type Room; instance Room hall, attic;
    ///             external float noise(Room r);
    ///             task Sleep(Room r) { { noise(r) < 0.5; } }
    ///             task Rest() { method anywhere { exists (Room r) { true; ordered(Sleep(r)); } } }
    ///             problem p { goal ordered(Rest()); }";
    /// let model = read("rest.htn", text).model.expect("no mistakes");
    /// let loudness = [0.9, 0.1];
    /// let domain = LoadedDomain::with_externals(model, |name| match name {
    ///     "noise" => Some(Arc::new(move |args: &[i64]| float(loudness[args[0] as usize]))),
    ///     _ => None,
    /// })?;
    /// let mut planner = Planner::new(domain.initial_state(), domain.goal());
    /// assert_eq!(planner.run(&domain, &mut Budget::unlimited()), Status::Improved);
    /// let plan = planner.plan().expect("there is one");
    /// assert_eq!(domain.show(plan.tasks().next().expect("a step")), "Sleep(attic)");
    /// # Ok::<(), apprentice_htn::CannotLoad>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`LoadedDomain::new`], and if a function is not found.
    pub fn with_externals(
        model: Model,
        find: impl Fn(&str) -> Option<HostFunction>,
    ) -> Result<LoadedDomain, CannotLoad> {
        let mut externals = Vec::new();
        for external in &model.externals {
            externals.push(find(&external.name).ok_or_else(|| {
                CannotLoad(format!(
                    "E061 nobody registered the external function `{}`; \
                     the game that loads this domain must provide it",
                    external.name
                ))
            })?);
        }
        let mut layouts = Layouts::new(&model).map_err(CannotLoad)?;
        let initial = layouts.fill(&model).map_err(CannotLoad)?;
        let mut builder = ScopeBuilder {
            model: &model,
            layouts: &layouts,
            initial: &initial,
            indices: Vec::new(),
        };
        let tasks: Vec<Ready> = model
            .tasks
            .iter()
            .map(|task| Ready {
                slots: task.slots.max(task.params.len() as u32),
                body: ready_body(&mut builder, &task.body),
            })
            .collect();
        let mut goal_pieces = Vec::new();
        builder.net(&model.goal, &mut goal_pieces);
        let indices = builder.indices;
        let looked_at = analysis::looked_at(&model);
        let situations = looked_at
            .iter()
            .map(|functions| {
                let looked_at = (0..functions.len()).filter(|&function| functions[function]);
                looked_at
                    .map(|function| &layouts.functions[function])
                    .filter(|layout| !layout.is_constant)
                    .map(|layout| layout.digest)
                    .collect()
            })
            .collect();
        let least_costs = analysis::least_costs(&model);
        let lines = (model.files.iter().map(|file| line_starts(&file.text))).collect();
        let mut domain = LoadedDomain {
            model,
            layouts,
            externals,
            indices,
            tasks,
            initial,
            goal: Network::empty(),
            least_costs,
            situations,
            lines,
        };
        domain.goal = domain.work_out(&goal_pieces)?;
        Ok(domain)
    }

    fn work_out(&self, pieces: &[NetPiece]) -> Result<Network<LoadedTask>, CannotLoad> {
        let mut out = Refinements::<LoadedState, LoadedTask>::new();
        let scene = self.scene(&self.initial);
        match refine::emit_pieces(&scene, pieces, &mut [], &mut out) {
            Ok(()) => Ok(Network { pieces: out.pieces }),
            Err(fault) => Err(CannotLoad(format!("in the goal: {}", fault.message))),
        }
    }

    /// The state at the start of the problem.
    pub fn initial_state(&self) -> LoadedState {
        self.initial.clone()
    }

    /// What the problem asks for.
    pub fn goal(&self) -> Network<LoadedTask> {
        self.goal.clone()
    }

    /// The model it was made of.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The line that a span begins in, from 1: what [`Model::place`] says, without reading the file.
    fn line_of(&self, span: Span) -> Option<usize> {
        let starts = self.lines.get(span.file as usize)?;
        Some(starts.partition_point(|start| *start <= span.start))
    }

    /// The same, in the first of the files.
    fn line_in_first_file(&self, span: Span) -> Option<usize> {
        (span.file == 0).then(|| self.line_of(span)).flatten()
    }

    /// The line a task is declared in, counted from 1, if that is in the first of the files.
    pub(crate) fn line_of_task(&self, task: &LoadedTask) -> Option<usize> {
        self.line_in_first_file(self.model.tasks[task.id as usize].span)
    }

    /// The line a method of a task begins in, likewise.
    pub(crate) fn line_of_method(&self, task: &LoadedTask, number: u32) -> Option<usize> {
        let Body::Compound(methods) = &self.model.tasks[task.id as usize].body else {
            return self.line_of_task(task);
        };
        let branches = methods.iter().flat_map(|method| {
            let is_only = method.branches.len() == 1;
            let branches = method.branches.iter();
            branches.map(move |branch| if is_only { method.span } else { branch.span })
        });
        let span = branches.into_iter().nth(number as usize)?;
        self.line_in_first_file(span)
    }

    /// The task of that name with objects of those names. `None`: there is no such task or object,
    /// or an argument is missing or of the wrong type.
    pub fn task(&self, name: &str, args: &[&str]) -> Option<LoadedTask> {
        let id = self.model.task(name)?;
        let params = &self.model.tasks[id as usize].params;
        if params.len() != args.len() {
            return None;
        }
        let mut values = SmallVec::new();
        for (param, arg) in params.iter().zip(args) {
            values.push(self.parse_value(arg, param.ty)?);
        }
        Some(LoadedTask { id, args: values })
    }

    fn parse_value(&self, text: &str, ty: ValueType) -> Option<i64> {
        match ty {
            ValueType::Bool => Some(i64::from(text.parse::<bool>().ok()?)),
            ValueType::Int => text.parse().ok(),
            ValueType::Float => Some(float(text.parse().ok()?)),
            ValueType::Optional(_) if text == "none" => Some(crate::model::NONE),
            ValueType::Object(_) | ValueType::Optional(_) => {
                let objects = &self.model.objects;
                let value = objects.iter().position(|object| object.name == text)? as i64;
                let range = &self.layouts.ranges[Layouts::range_of(ty) as usize];
                range.contains(value).then_some(value)
            }
        }
    }

    /// The value of the state variable `function(args)`, as text. `None`: there is no such variable.
    pub fn read(&self, state: &LoadedState, function: &str, args: &[&str]) -> Option<String> {
        let (function, index) = self.variable(function, args)?;
        let value = self.layouts.value(state, function, index);
        let ty = self.model.functions[function as usize].result;
        Some(self.model.show(value, ty))
    }

    /// Sets the state variable `function(args)`: how a game tells what it observed. False: there is
    /// no such variable, it never changes, or the value is not of its type.
    #[must_use]
    pub fn write(
        &self,
        state: &mut LoadedState,
        function: &str,
        args: &[&str],
        value: &str,
    ) -> bool {
        let Some((function, index)) = self.variable(function, args) else {
            return false;
        };
        let layout = &self.layouts.functions[function as usize];
        let ty = self.model.functions[function as usize].result;
        let Some(value) = self.parse_value(value, ty) else {
            return false;
        };
        if layout.is_constant {
            return false;
        }
        layout.set(state, function, index, value);
        true
    }

    fn variable(&self, name: &str, args: &[&str]) -> Option<(FunctionId, u64)> {
        let function = self.model.functions.iter().position(|f| f.name == name)?;
        let params = &self.model.functions[function].params;
        if params.len() != args.len() {
            return None;
        }
        let mut values = SmallVec::<[i64; 4]>::new();
        for (param, arg) in params.iter().zip(args) {
            values.push(self.parse_value(arg, *param)?);
        }
        let function = function as FunctionId;
        Some((function, self.layouts.index(function, &values)?))
    }

    /// What is so after a task that is done by itself; none if it cannot be done in this state, or is
    /// done by other tasks.
    ///
    /// ```
    /// use apprentice_htn::{LoadedDomain, language::read};
    ///
    /// let text = "fluent bool dark := true; task Light() { { dark == true :-> false; } }";
    /// let domain = LoadedDomain::new(read("lamp.htn", text).model.expect("no mistakes"))?;
    /// let light = domain.task("Light", &[]).expect("there is one");
    /// let lit = domain.after(&light, &domain.initial_state()).expect("it is dark");
    /// assert_eq!(domain.read(&lit, "dark", &[]).as_deref(), Some("false"));
    /// assert!(domain.after(&light, &lit).is_none());
    /// # Ok::<(), apprentice_htn::CannotLoad>(())
    /// ```
    pub fn after(&self, task: &LoadedTask, state: &LoadedState) -> Option<LoadedState> {
        let mut out = Refinements::new();
        out.begin_task(0);
        self.refine(task, state, &mut out);
        if out.fault.is_some() {
            return None;
        }
        out.choices.drain(..).find_map(|choice| match choice.kind {
            ChoiceKind::Act { state, .. } => Some(state),
            _ => None,
        })
    }

    /// A task as it is written: its name, and its arguments in parentheses.
    pub fn show(&self, task: &LoadedTask) -> String {
        let words = self.words(task);
        format!("{}({})", words[0], words[1..].join(", "))
    }

    /// The name of a task, and its arguments.
    pub fn words(&self, task: &LoadedTask) -> Vec<String> {
        let declared = &self.model.tasks[task.id as usize];
        let args = task.args.iter().zip(&declared.params);
        let mut words = vec![declared.name.clone()];
        words.extend(args.map(|(&value, param)| self.model.show(value, param.ty)));
        words
    }

    pub(crate) fn layouts(&self) -> &Layouts {
        &self.layouts
    }

    /// What an external function of the host says. For generated code.
    #[doc(hidden)]
    pub fn ask(&self, external: u32, args: &[i64]) -> i64 {
        self.externals[external as usize](args)
    }

    /// The situation of the task of that number and digest. For generated code.
    #[doc(hidden)]
    pub fn situation_of(&self, id: TaskId, digest: u64, state: &LoadedState) -> Option<u64> {
        let mut seen = 0;
        for &word in &self.situations[id as usize] {
            seen ^= state.words[word as usize];
        }
        Some(mix(digest, seen))
    }

    /// How a method of the task of that number is called. For generated code.
    #[doc(hidden)]
    pub fn method_name_of(&self, id: TaskId, number: u32) -> String {
        let Body::Compound(methods) = &self.model.tasks[id as usize].body else {
            return String::new();
        };
        let mut left = number as usize;
        for method in methods {
            if let Some(branch) = method.branches.get(left) {
                return match (&branch.name, method.branches.len()) {
                    (_, 1) => method.name.clone(),
                    (Some(name), _) => format!("{}.{name}", method.name),
                    (None, _) => format!("{}.{}", method.name, left + 1),
                };
            }
            left -= method.branches.len();
        }
        format!("method {number}")
    }

    fn scene<'a>(&'a self, state: &'a LoadedState) -> Scene<'a> {
        Scene {
            layouts: &self.layouts,
            externals: &self.externals,
            state,
            tried: Cell::new(0),
        }
    }
}

fn ready_body(builder: &mut ScopeBuilder<'_>, body: &Body) -> ReadyBody {
    let (model, layouts) = (builder.model, builder.layouts);
    match body {
        Body::Primitive(primitive) => ReadyBody::Primitive {
            tests: primitive
                .conditions
                .iter()
                .map(|expr| Test {
                    code: Code::compile(model, layouts, expr),
                    expr: expr.clone(),
                })
                .collect(),
            effects: primitive
                .effects
                .iter()
                .map(|effect| {
                    let layout = &layouts.functions[effect.function as usize];
                    let keys = effect.args.iter().zip(&layout.params);
                    ReadyEffect {
                        vars: effect
                            .vars
                            .iter()
                            .map(|var| (var.slot, Layouts::range_of(var.ty)))
                            .collect(),
                        when: effect
                            .when
                            .as_ref()
                            .map(|expr| Code::compile(model, layouts, expr)),
                        function: effect.function,
                        keys: keys
                            .map(|(arg, param)| bindings::Key {
                                code: Code::compile(model, layouts, arg),
                                range: param.range,
                                stride: param.stride,
                            })
                            .collect(),
                        value: Code::compile_as(
                            model,
                            layouts,
                            &effect.value,
                            model.functions[effect.function as usize].result,
                        ),
                    }
                })
                .collect(),
            cost: primitive.cost.as_ref().map(|expr| {
                let code = Code::compile(model, layouts, expr);
                (code, expr.ty == ValueType::Float)
            }),
        },
        Body::Compound(methods) => {
            let mut number = 0;
            let methods = methods.iter().map(|method| {
                let first = number;
                number += method.branches.len() as u32;
                let branches = method.branches.iter();
                let scopes = branches.map(|branch| builder.scope(&branch.block, &[]));
                (first, scopes.collect())
            });
            ReadyBody::Compound(methods.collect())
        }
    }
}

/// Where each line of a text begins.
fn line_starts(text: &str) -> Vec<u32> {
    let later = text.match_indices('\n').map(|(end, _)| end as u32 + 1);
    std::iter::once(0).chain(later).collect()
}

impl Domain for LoadedDomain {
    type State = LoadedState;
    type Task = LoadedTask;

    fn refine(
        &self,
        task: &LoadedTask,
        state: &LoadedState,
        out: &mut Refinements<LoadedState, LoadedTask>,
    ) {
        refine::refine(self, task, state, out);
    }

    fn state_digest(&self, state: &LoadedState) -> Option<u64> {
        let digests = &state.words[self.layouts.value_words as usize..];
        Some(digests.iter().fold(0, |sum, &digest| sum ^ digest))
    }

    fn task_digest(&self, task: &LoadedTask) -> Option<u64> {
        Some(crate::compiled::digest(task.id, &task.args))
    }

    fn situation(&self, task: &LoadedTask, state: &LoadedState) -> Option<u64> {
        let digest = crate::compiled::digest(task.id, &task.args);
        self.situation_of(task.id, digest, state)
    }

    fn least_cost(&self, task: &LoadedTask) -> Cost {
        self.least_costs[task.id as usize]
    }

    fn method_name(&self, task: &LoadedTask, number: u32) -> String {
        self.method_name_of(task.id, number)
    }
}

/// A number that a cost or a key has.
fn as_number(value: i64, is_float: bool) -> f64 {
    if is_float {
        number(value)
    } else {
        value as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_those_that_are_counted() {
        for text in ["", "\n", "one", "one\n\ntwo\n", "\u{e4}\n\u{fc}ber\nend"] {
            let starts = line_starts(text);
            for (at, _) in text.char_indices().chain([(text.len(), ' ')]) {
                let line = starts.partition_point(|start| *start as usize <= at);
                assert_eq!(
                    line,
                    text[..at].matches('\n').count() + 1,
                    "{at} in {text:?}"
                );
            }
        }
    }
}
