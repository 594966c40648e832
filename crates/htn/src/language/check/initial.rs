//! Values of state variables at the start.

use std::collections::HashMap;

use super::Checker;
use super::expressions::Scope;
use crate::language::diagnostics::{Diagnostic, Severity};
use crate::language::tree::{Decl, DeclKind, InitStmt, ProblemPart};
use crate::loaded_domain::{compare, fractional, too_many_to_try, whole};
use crate::model::{
    self, Expr, ExprKind, Initial, Model, Quantifier, Span, ValueType, float, number,
};

/// More missing values than this are not listed one by one.
const MOST_MISSING: usize = 3;

/// More values of variables than this are not tried for one statement: that takes seconds.
const MOST_TRIED: u64 = 1 << 22;

type Values = HashMap<(u32, Vec<i64>), i64>;

impl Checker<'_> {
    pub(super) fn check_initial<'t>(&mut self, decls: impl Iterator<Item = &'t Decl>) {
        let mut values = Values::new();
        let mut order = Vec::new();
        let mut problem: Option<Span> = None;
        for decl in decls {
            match &decl.kind {
                DeclKind::Init(statements) => {
                    self.init(statements, &mut Scope::default(), &mut values, &mut order);
                }
                DeclKind::Problem(declared) => {
                    problem.get_or_insert(declared.name.at.0);
                    for part in &declared.parts {
                        if let ProblemPart::Init(statements, _) = part {
                            self.init(statements, &mut Scope::default(), &mut values, &mut order);
                        }
                    }
                }
                _ => {}
            }
        }
        if let Some(problem) = problem {
            self.find_missing(problem, &values);
        }
        for (function, args) in order {
            if let Some(value) = values.remove(&(function, args.clone())) {
                self.model.init.push(Initial {
                    function,
                    args,
                    value,
                });
            }
        }
    }

    fn init(
        &mut self,
        statements: &[InitStmt],
        scope: &mut Scope,
        values: &mut Values,
        order: &mut Vec<(u32, Vec<i64>)>,
    ) {
        // Check once, then work it out for every value of the variables around it.
        for statement in statements {
            let reported = self.wrong.len();
            let Some(checked) = self.init_statement(statement, scope) else {
                continue;
            };
            let is_error = |one: &Diagnostic| one.severity == Severity::Error;
            if self.wrong[reported..].iter().any(is_error) {
                continue;
            }
            let mut env = Env {
                slots: vec![0; scope.slots as usize],
                tried: 0,
            };
            if let Err((message, span)) = apply(&self.model, &checked, &mut env, values, order) {
                self.error("E020", span, message, "");
            }
        }
    }

    fn init_statement(&mut self, statement: &InitStmt, scope: &mut Scope) -> Option<Checked> {
        match statement {
            InitStmt::Assign(target, value) => {
                let (function, args, result) = self.lvalue(target, scope)?;
                let value = self.expr_for(value, result, scope)?;
                Some(Checked::Assign(function, args, value, target.at.0))
            }
            InitStmt::Forall(params, when, inner, at) => {
                let vars = self.enter(params, scope, false);
                let when = match when {
                    Some(when) => self.condition(when, scope),
                    None => Some(Expr::truth(true)),
                };
                let inner: Vec<_> = inner
                    .iter()
                    .filter_map(|statement| self.init_statement(statement, scope))
                    .collect();
                self.leave(vars.len(), scope);
                Some(Checked::Forall(vars, when?, inner, at.0))
            }
        }
    }

    fn find_missing(&mut self, problem: Span, values: &Values) {
        for function in 0..self.model.functions.len() {
            if !self.required[function] {
                continue;
            }
            let declared = &self.model.functions[function];
            let ranges: Vec<Vec<i64>> = declared
                .params
                .iter()
                .map(|&ty| self.model.values_of(ty))
                .collect();
            let mut missing = Vec::new();
            let mut places = vec![0; ranges.len()];
            let mut is_over = ranges.iter().any(Vec::is_empty);
            while !is_over && missing.len() <= MOST_MISSING {
                let args: Vec<i64> = places.iter().zip(&ranges).map(|(&at, r)| r[at]).collect();
                if !values.contains_key(&(function as u32, args.clone())) {
                    let args = args.iter().zip(&declared.params);
                    let args: Vec<String> =
                        args.map(|(&arg, &ty)| self.model.show(arg, ty)).collect();
                    missing.push(match args.is_empty() {
                        true => declared.name.clone(),
                        false => format!("{}({})", declared.name, args.join(", ")),
                    });
                }
                // The next combination, the last place fastest.
                is_over = true;
                for at in (0..places.len()).rev() {
                    places[at] += 1;
                    if places[at] < ranges[at].len() {
                        is_over = false;
                        break;
                    }
                    places[at] = 0;
                }
            }
            if missing.is_empty() {
                continue;
            }
            let more = if missing.len() > MOST_MISSING {
                missing.truncate(MOST_MISSING);
                " and others"
            } else {
                ""
            };
            let list = missing.join("`, `");
            let name = declared.name.clone();
            self.error(
                "E060",
                problem,
                format!("`{list}`{more} has no value at the start"),
                format!("set it in `init`, or declare `{name}` with `?` to admit none"),
            );
        }
    }
}

enum Checked {
    Assign(u32, Vec<Expr>, Expr, Span),
    Forall(Vec<model::Variable>, Expr, Vec<Checked>, Span),
}

/// Values of variables, and how many were tried.
struct Env {
    slots: Vec<i64>,
    tried: u64,
}

type Wrong = (String, Span);

fn apply(
    model: &Model,
    statement: &Checked,
    env: &mut Env,
    values: &mut Values,
    order: &mut Vec<(u32, Vec<i64>)>,
) -> Result<(), Wrong> {
    match statement {
        Checked::Assign(function, args, value, span) => {
            let mut key = Vec::with_capacity(args.len());
            for arg in args {
                key.push(value_of(model, arg, env, values)?);
            }
            if key.contains(&model::NONE) {
                return Err(("the function is applied to none".to_owned(), *span));
            }
            let wanted = model.functions[*function as usize].result;
            let value = convert(value_of(model, value, env, values)?, value.ty, wanted);
            if values.insert((*function, key.clone()), value).is_none() {
                order.push((*function, key));
            }
            Ok(())
        }
        Checked::Forall(vars, when, inner, span) => for_each(model, vars, *span, env, &mut |env| {
            if value_of(model, when, env, values)? == 0 {
                return Ok(true);
            }
            for statement in inner {
                apply(model, statement, env, values, order)?;
            }
            Ok(true)
        }),
    }
}

/// Calls `visit` for all values of the variables until it says stop.
fn for_each(
    model: &Model,
    vars: &[model::Variable],
    span: Span,
    env: &mut Env,
    visit: &mut dyn FnMut(&mut Env) -> Result<bool, Wrong>,
) -> Result<(), Wrong> {
    fn go(
        model: &Model,
        vars: &[model::Variable],
        span: Span,
        env: &mut Env,
        visit: &mut dyn FnMut(&mut Env) -> Result<bool, Wrong>,
    ) -> Result<bool, Wrong> {
        let Some((first, rest)) = vars.split_first() else {
            return visit(env);
        };
        for value in model.values_of(first.ty) {
            let slot = first.slot as usize;
            env.slots.resize(env.slots.len().max(slot + 1), 0);
            env.slots[slot] = value;
            env.tried += 1;
            if env.tried > MOST_TRIED {
                return Err((too_many_to_try(MOST_TRIED), span));
            }
            if !go(model, rest, span, env, visit)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
    go(model, vars, span, env, visit).map(|_| ())
}

fn convert(value: i64, from: ValueType, to: ValueType) -> i64 {
    match (from, to) {
        (ValueType::Int, ValueType::Float) => float(value as f64),
        _ => value,
    }
}

/// The value of an expression, in the values known so far.
fn value_of(model: &Model, expr: &Expr, env: &mut Env, values: &Values) -> Result<i64, Wrong> {
    let truth = |value: bool| Ok(i64::from(value));
    let go = |expr: &Expr, env: &mut Env| value_of(model, expr, env, values);
    match &expr.kind {
        ExprKind::Value(value) => Ok(*value),
        ExprKind::Variable(slot) => Ok(env.slots[*slot as usize]),
        ExprKind::Function(function, args) => {
            let mut key = Vec::with_capacity(args.len());
            for arg in args {
                key.push(go(arg, env)?);
            }
            if key.contains(&model::NONE) {
                return Err(("the function is applied to none".to_owned(), expr.span));
            }
            let default = model.functions[*function as usize].default;
            Ok(values.get(&(*function, key)).copied().unwrap_or(default))
        }
        ExprKind::External(..) => Err((
            "the game cannot be asked while the problem is read".to_owned(),
            expr.span,
        )),
        ExprKind::IsA(inner, ty) => {
            let value = go(inner, env)?;
            truth(
                usize::try_from(value)
                    .is_ok_and(|object| model.is_kind_of(model.objects[object].ty, *ty)),
            )
        }
        ExprKind::Not(inner) => Ok(1 - go(inner, env)?),
        ExprKind::And(items) => {
            for item in items {
                if go(item, env)? == 0 {
                    return Ok(0);
                }
            }
            Ok(1)
        }
        ExprKind::Or(items) => {
            for item in items {
                if go(item, env)? != 0 {
                    return Ok(1);
                }
            }
            Ok(0)
        }
        ExprKind::Compare(how, a, b) => {
            let (x, y) = (go(a, env)?, go(b, env)?);
            if a.ty == ValueType::Float || b.ty == ValueType::Float {
                let x = number(convert(x, a.ty, ValueType::Float));
                let y = number(convert(y, b.ty, ValueType::Float));
                return truth(compare(*how, &x, &y));
            }
            truth(compare(*how, &x, &y))
        }
        ExprKind::Arithmetic(what, a, b) => {
            let (x, y) = (go(a, env)?, go(b, env)?);
            let result = if expr.ty == ValueType::Float {
                let x = number(convert(x, a.ty, ValueType::Float));
                let y = number(convert(y, b.ty, ValueType::Float));
                fractional(*what, x, y).map(float)
            } else {
                whole(*what, x, y)
            };
            result.map_err(|message| (message.to_owned(), expr.span))
        }
        ExprKind::Negate(inner) => {
            let value = go(inner, env)?;
            match expr.ty {
                ValueType::Float => Ok(float(-number(value))),
                _ => Ok(value.wrapping_neg()),
            }
        }
        ExprKind::Absolute(inner) => {
            let value = go(inner, env)?;
            match expr.ty {
                ValueType::Float => Ok(float(number(value).abs())),
                _ => Ok(value.wrapping_abs()),
            }
        }
        ExprKind::If(when, then, otherwise) => {
            let part = if go(when, env)? != 0 { then } else { otherwise };
            Ok(convert(go(part, env)?, part.ty, expr.ty))
        }
        ExprKind::Quantifier(kind, vars, body) => {
            let wanted = *kind == Quantifier::Exists;
            let mut found = false;
            for_each(model, vars, expr.span, env, &mut |env| {
                found = (value_of(model, body, env, values)? != 0) == wanted;
                Ok(!found)
            })?;
            truth(found == wanted)
        }
    }
}
