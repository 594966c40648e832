//! What becomes of a task of a loaded domain.

use apprentice_search::Cost;

use super::bindings::{
    Binding, BindingChoice, Leaf, NetPiece, Scope, ScopeThen, Source, Test, place_of,
};
use super::code::{Answer, Scene, any, fault};
use super::layout::NOT_HERE;
use super::{LoadedDomain, LoadedState, LoadedTask, ReadyBody, ReadyEffect, as_number};
use crate::domain::{Direction, Fault, Label, Refinements, Verdict};
use crate::model::{Conflicts, Expr, ExprKind};

type Out = Refinements<LoadedState, LoadedTask>;
type Done<V = ()> = Result<V, Box<Fault>>;

/// Memory that one refinement needs and the next one uses again.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scratch {
    env: Vec<i64>,
    /// What variables were bound to where the condition failed that is told of.
    env_of_why: Vec<i64>,
    pub(crate) changes: Vec<Change>,
}

/// A variable that gets a value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Change {
    pub(crate) function: u32,
    pub(crate) index: u64,
    pub(crate) value: i64,
    pub(crate) effect: u32,
}

pub(crate) fn refine(domain: &LoadedDomain, task: &LoadedTask, state: &LoadedState, out: &mut Out) {
    let mut scratch: Box<Scratch> = out.take_scratch();
    let ready = &domain.tasks[task.id as usize];
    scratch.env.clear();
    scratch.env.extend_from_slice(&task.args);
    scratch.env.resize(ready.slots as usize, 0);
    let mut refining = Refining {
        domain,
        scene: domain.scene(state),
        task,
        scratch: &mut scratch,
        why: None,
    };
    let done = match &ready.body {
        ReadyBody::Primitive {
            tests,
            effects,
            cost,
        } => refining.act(tests, effects, cost.as_ref(), state, out),
        ReadyBody::Compound(methods) => refining.decompose(methods, out),
    };
    out.tried += refining.scene.tried.get();
    if let Err(mut fault) = done {
        let span = domain.model.tasks[task.id as usize].span;
        fault.span.get_or_insert(span);
        out.fault(*fault);
    }
    out.keep_scratch(scratch);
}

/// A way to do a task takes as much memory as so many values may take time.
const VALUES_A_WAY: u64 = 8;

/// Most values of a variable that is scanned for are passed over quickly.
const SCANNED_A_VALUE: u64 = 8;

struct Refining<'a> {
    domain: &'a LoadedDomain,
    scene: Scene<'a>,
    task: &'a LoadedTask,
    scratch: &'a mut Scratch,
    /// What was met last of all and failed, and how deep among the binders, if somebody wants to
    /// know. It is put into words once, not for every value that was tried.
    why: Option<(usize, Obstacle<'a>)>,
}

/// Why a method cannot be used.
#[derive(Clone, Copy)]
enum Obstacle<'a> {
    Condition(&'a Expr),
    NoObject,
}

impl<'a> Refining<'a> {
    fn act(
        &mut self,
        tests: &'a [Test],
        effects: &'a [ReadyEffect],
        cost: Option<&(super::Code, bool)>,
        state: &LoadedState,
        out: &mut Out,
    ) -> Done {
        if !self.hold(tests, 0, out.is_traced())? {
            if let Some((_, why)) = self.why.take() {
                let line = self.line_of(&why);
                let why = self.explain(why);
                out.note_at(Label::Number(0), Verdict::Refused(why), line);
            }
            return Ok(());
        }
        let cost = match cost {
            None => Cost::from_seconds(1.0),
            Some((code, is_float)) => {
                let value = code.value(&self.scene, &mut self.scratch.env)?;
                checked_cost(self.domain, self.task, as_number(value, *is_float))?
            }
        };
        self.scratch.changes.clear();
        for (number, effect) in effects.iter().enumerate() {
            let Scratch { env, changes, .. } = &mut *self.scratch;
            let scene = &self.scene;
            any(scene, env, &effect.vars, &mut |env| {
                if let Some(when) = &effect.when
                    && !when.holds(scene, env)?
                {
                    return Ok(false);
                }
                let Some(index) = place_of(scene, &effect.keys, env)? else {
                    let span = effect_span(self.domain, self.task, number);
                    return fault("the function is applied to none", span);
                };
                changes.push(Change {
                    function: effect.function,
                    index,
                    value: effect.value.value(scene, env)?,
                    effect: number as u32,
                });
                Ok(false)
            })?;
        }
        finish(
            self.domain,
            self.task,
            state,
            &mut self.scratch.changes,
            cost,
            out,
        )
    }

    fn decompose(&mut self, methods: &'a [(u32, Vec<Scope>)], out: &mut Out) -> Done {
        for (first, branches) in methods {
            let before = out.ways();
            for (at, scope) in branches.iter().enumerate() {
                out.numbered_method(first + at as u32);
                self.why = None;
                self.scope(scope, 0, out)?;
                if out.ways() > before {
                    break;
                }
                if out.is_traced() {
                    let why = self.why.take();
                    let line = why.as_ref().and_then(|(_, why)| self.line_of(why));
                    let why = why.map_or("nothing fits".to_owned(), |(_, why)| self.explain(why));
                    out.note_at(
                        Label::Number(first + at as u32),
                        Verdict::Refused(why),
                        line,
                    );
                }
            }
        }
        Ok(())
    }

    fn scope(&mut self, scope: &'a Scope, depth: usize, out: &mut Out) -> Done {
        if !self.hold(&scope.tests, depth, out.is_traced())? {
            return Ok(());
        }
        match &scope.then {
            ScopeThen::Network(leaf) => self.emit(leaf, out),
            ScopeThen::Bind(binding) => self.bind(binding, depth, out),
        }
    }

    fn hold(&mut self, tests: &'a [Test], depth: usize, is_traced: bool) -> Done<bool> {
        for test in tests {
            if test.code.holds(&self.scene, &mut self.scratch.env)? {
                continue;
            }
            if is_traced && self.why.as_ref().is_none_or(|(known, _)| *known <= depth) {
                self.why = Some((depth, Obstacle::Condition(&test.expr)));
                let Scratch {
                    env, env_of_why, ..
                } = &mut *self.scratch;
                env_of_why.clone_from(env);
            }
            return Ok(false);
        }
        Ok(true)
    }

    fn bind(&mut self, binding: &'a Binding, depth: usize, out: &mut Out) -> Done {
        if !self.hold(&binding.before, depth, out.is_traced())? {
            return Ok(());
        }
        let sorting = out.begin_sorted();
        self.level(binding, 0, depth + 1, out)?;
        match &binding.choice {
            BindingChoice::Ascending(_) => out.end_sorted(&sorting, Direction::Ascending),
            BindingChoice::Descending(_) => out.end_sorted(&sorting, Direction::Descending),
            BindingChoice::Each | BindingChoice::First => {}
        }
        Ok(())
    }

    /// Tries the values of a variable. True: enough was found.
    fn level(
        &mut self,
        binding: &'a Binding,
        at: usize,
        depth: usize,
        out: &mut Out,
    ) -> Done<bool> {
        let Some(level) = binding.levels.get(at) else {
            return self.bound(binding, depth + at, out);
        };
        let domain = self.domain;
        let range = &domain.layouts.ranges[level.range as usize];
        match &level.source {
            Source::All => {
                for &value in &range.values {
                    if self.value(binding, at, depth, value, out)? {
                        return Ok(true);
                    }
                }
            }
            Source::Equal(code) => {
                let value = code.value(&self.scene, &mut self.scratch.env)?;
                if range.contains(value) {
                    return self.value(binding, at, depth, value, out);
                }
            }
            Source::Listed { index, keys } => {
                let Some(key) = place_of(&self.scene, keys, &mut self.scratch.env)? else {
                    return Ok(false);
                };
                for &value in domain.indices[*index as usize].values(key) {
                    if range.contains(value) && self.value(binding, at, depth, value, out)? {
                        return Ok(true);
                    }
                }
            }
            Source::Scanned {
                function,
                keys,
                stride,
                position: _,
                param_range,
            } => {
                let Some(base) = place_of(&self.scene, keys, &mut self.scratch.env)? else {
                    return Ok(false);
                };
                let layout = &domain.layouts.functions[*function as usize];
                let places = &domain.layouts.ranges[*param_range as usize];
                self.scene
                    .try_values(range.values.len() as u64 / SCANNED_A_VALUE)?;
                for &value in &range.values {
                    let place = places.place(value);
                    if place == NOT_HERE {
                        continue;
                    }
                    let index = base + u64::from(place) * stride;
                    if layout.unpack(&self.scene.state.words, index) != 0
                        && self.value(binding, at, depth, value, out)?
                    {
                        return Ok(true);
                    }
                }
            }
        }
        if out.is_traced() && self.why.is_none() {
            self.why = Some((0, Obstacle::NoObject));
        }
        Ok(false)
    }

    fn value(
        &mut self,
        binding: &'a Binding,
        at: usize,
        depth: usize,
        value: i64,
        out: &mut Out,
    ) -> Done<bool> {
        let level = &binding.levels[at];
        self.scene.try_values(1)?;
        self.scratch.env[level.slot as usize] = value;
        if !self.hold(&level.tests, depth + at, out.is_traced())? {
            return Ok(false);
        }
        self.level(binding, at + 1, depth, out)
    }

    /// All variables are bound. True: enough was found.
    fn bound(&mut self, binding: &'a Binding, depth: usize, out: &mut Out) -> Done<bool> {
        let start = out.ways();
        self.scope(&binding.inner, depth, out)?;
        let end = out.ways();
        if end == start {
            return Ok(false);
        }
        match &binding.choice {
            BindingChoice::Each => Ok(false),
            BindingChoice::First => Ok(true),
            BindingChoice::Ascending(key) | BindingChoice::Descending(key) => {
                let value = key.code.value(&self.scene, &mut self.scratch.env)?;
                let key = if key.is_float {
                    ordered_bits(value)
                } else {
                    value
                };
                out.sorted_ways(start, key);
                Ok(false)
            }
        }
    }

    fn emit(&mut self, leaf: &Leaf, out: &mut Out) -> Done {
        self.scene.try_values(VALUES_A_WAY)?;
        out.begin_network();
        emit_pieces(&self.scene, &leaf.pieces, &mut self.scratch.env, out)?;
        out.end_network();
        if out.is_traced() {
            let bound = leaf.bound.iter().map(|var| {
                let value = self.scratch.env[var.slot as usize];
                format!("{} = {}", var.name, self.domain.model.show(value, var.ty))
            });
            let with = bound.collect::<Vec<_>>().join(", ");
            out.words.resize(out.choices.len() - 1, String::new());
            out.words.push(with.clone());
            out.note(out.current_label(), Verdict::Offered(with));
        }
        Ok(())
    }

    /// The line of what stands in the way.
    fn line_of(&self, why: &Obstacle<'_>) -> Option<usize> {
        match why {
            Obstacle::NoObject => None,
            Obstacle::Condition(expr) => self.domain.line_in_first_file(expr.span),
        }
    }

    /// What stands in the way, in the words of the file.
    fn explain(&mut self, why: Obstacle<'_>) -> String {
        let expr = match why {
            Obstacle::NoObject => return "no object fits".to_owned(),
            Obstacle::Condition(expr) => expr,
        };
        let line = self.domain.line_of(expr.span);
        let line = line.map_or(String::new(), |line| format!("line {line}: "));
        // Words are no part of the work: whoever listens gets the same plan after the same work.
        let tried = self.scene.tried.get();
        let Scratch {
            env, env_of_why, ..
        } = &mut *self.scratch;
        std::mem::swap(env, env_of_why);
        let said = format!("{line}{} is false", self.say(expr));
        let Scratch {
            env, env_of_why, ..
        } = &mut *self.scratch;
        std::mem::swap(env, env_of_why);
        self.scene.tried.set(tried);
        said
    }

    /// An expression with the values it has now.
    fn say(&mut self, expr: &Expr) -> String {
        let model = &self.domain.model;
        match &expr.kind {
            ExprKind::Function(function, args) => {
                let name = model.functions[*function as usize].name.clone();
                if args.is_empty() {
                    return name;
                }
                let args: Vec<String> = args.iter().map(|arg| self.say_value(arg)).collect();
                format!("{name}({})", args.join(", "))
            }
            ExprKind::Not(inner) => format!("not {}", self.say(inner)),
            ExprKind::Compare(how, a, b) => {
                use crate::model::Comparison;
                let how = match how {
                    Comparison::Equal => "==",
                    Comparison::Different => "!=",
                    Comparison::Less => "<",
                    Comparison::AtMost => "<=",
                    Comparison::Greater => ">",
                    Comparison::AtLeast => ">=",
                };
                let mut side = |expr: &Expr| match &expr.kind {
                    ExprKind::Function(..) => {
                        format!("{} ({})", self.say(expr), self.say_value(expr))
                    }
                    _ => self.say_value(expr),
                };
                let (a, b) = (side(a), side(b));
                format!("{a} {how} {b}")
            }
            _ => {
                let text = model.files.get(expr.span.file as usize).and_then(|file| {
                    file.text
                        .get(expr.span.start as usize..expr.span.end as usize)
                });
                match text {
                    Some(text) if !text.is_empty() => text.to_owned(),
                    _ => "a condition".to_owned(),
                }
            }
        }
    }

    fn say_value(&mut self, expr: &Expr) -> String {
        let model = &self.domain.model;
        let code = super::Code::compile(model, &self.domain.layouts, expr);
        match code.value(&self.scene, &mut self.scratch.env) {
            Ok(value) => model.show(value, expr.ty),
            Err(_) => "?".to_owned(),
        }
    }
}

/// Makes all changes at once.
pub(crate) fn finish<T>(
    domain: &LoadedDomain,
    task: &LoadedTask,
    state: &LoadedState,
    changes: &mut [Change],
    cost: Cost,
    out: &mut Refinements<LoadedState, T>,
) -> Done {
    let greatest = domain.model.conflicts == Conflicts::Greatest;
    if !greatest {
        find_conflict(domain, task, changes)?;
    }
    let mut next = out.copy_of(state);
    let mut set = |change: &Change| {
        let layout = &domain.layouts.functions[change.function as usize];
        layout.set(&mut next, change.function, change.index, change.value);
    };
    if greatest {
        changes.iter().filter(|c| c.value == 0).for_each(&mut set);
        changes.iter().filter(|c| c.value != 0).for_each(set);
    } else {
        changes.iter().for_each(set);
    }
    out.act(next, cost);
    Ok(())
}

/// Two effects that give one variable different values.
fn find_conflict(domain: &LoadedDomain, task: &LoadedTask, changes: &mut [Change]) -> Done {
    if changes.len() < 2 {
        return Ok(());
    }
    changes.sort_unstable_by_key(|change| (change.function, change.index, change.effect));
    for pair in changes.windows(2) {
        let [a, b] = pair else { continue };
        if (a.function, a.index) == (b.function, b.index) && a.value != b.value {
            let name = &domain.model.functions[a.function as usize].name;
            let place = domain
                .model
                .place(effect_span(domain, task, a.effect as usize));
            let place = place.map_or(String::new(), |place| format!(" (the first at {place})"));
            return fault(
                format!(
                    "two effects of {} give `{name}` different values{place}",
                    domain.show(task),
                ),
                effect_span(domain, task, b.effect as usize),
            );
        }
    }
    Ok(())
}

/// A cost that was worked out.
pub(crate) fn checked_cost(domain: &LoadedDomain, task: &LoadedTask, value: f64) -> Done<Cost> {
    if value.is_nan() || value < 0.0 {
        let span = domain.model.tasks[task.id as usize].span;
        return fault(
            format!("the cost of {} is {value}", domain.show(task)),
            span,
        );
    }
    Ok(Cost::from_seconds(value))
}

fn effect_span(domain: &LoadedDomain, task: &LoadedTask, effect: usize) -> crate::model::Span {
    match &domain.model.tasks[task.id as usize].body {
        crate::model::Body::Primitive(primitive) => primitive.effects[effect].span,
        crate::model::Body::Compound(_) => crate::model::Span::default(),
    }
}

/// Bits of a float as an integer that compares as the float does.
pub fn ordered_bits(bits: i64) -> i64 {
    bits ^ ((bits >> 63) as u64 >> 1) as i64
}

pub(crate) fn emit_pieces(
    scene: &Scene<'_>,
    pieces: &[NetPiece],
    env: &mut [i64],
    out: &mut Out,
) -> Done {
    for piece in pieces {
        match piece {
            NetPiece::OpenOrdered => out.open_ordered(),
            NetPiece::CloseOrdered => out.close_ordered(),
            NetPiece::OpenUnordered => out.open_unordered(),
            NetPiece::CloseUnordered => out.close_unordered(),
            NetPiece::Task(id, args) => {
                let args: Result<_, Box<Fault>> = args
                    .iter()
                    .map(|arg| -> Answer { arg.value(scene, env) })
                    .collect();
                out.task(LoadedTask {
                    id: *id,
                    args: args?,
                });
            }
        }
    }
    Ok(())
}
