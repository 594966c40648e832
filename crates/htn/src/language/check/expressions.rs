//! Names and types of expressions.

use super::{Checker, suggest};
use crate::language::tree::{Builtin, Expr, ExprKind, Lvalue, Name, Param};
use crate::model::{
    self, Arithmetic, Comparison, NONE, Slot, Span, TypeId, ValueType, Variable, float,
};

/// The variables that can be seen.
#[derive(Default)]
pub(super) struct Scope {
    pub(super) variables: Vec<Seen>,
    /// How many slots are taken at most.
    pub(super) slots: u32,
}

pub(super) struct Seen {
    pub(super) variable: Variable,
    pub(super) span: Span,
    pub(super) is_used: bool,
    pub(super) is_param: bool,
}

/// What `none` is before it is known of what type.
const NO_TYPE: ValueType = ValueType::Optional(TypeId::MAX);

impl Checker<'_> {
    /// Brings variables into scope. The caller removes them with [`Checker::leave`].
    pub(super) fn enter(
        &mut self,
        params: &[Param],
        scope: &mut Scope,
        is_param: bool,
    ) -> Vec<Variable> {
        let mut variables = Vec::new();
        for param in params {
            let Some(name) = &param.name else { continue };
            let Some(ty) = self.value_type(&param.ty) else {
                continue;
            };
            if !is_param && ty.is_numeric() {
                self.error(
                    "E080",
                    param.ty.name.at.0,
                    "a number cannot be bound: there are endlessly many",
                    "use a type of objects, or `bool`",
                );
                continue;
            }
            let shadowed = scope
                .variables
                .iter()
                .find(|seen| seen.variable.name == name.text)
                .map(|seen| seen.span);
            if let Some(first) = shadowed {
                let place = self.model.place(first);
                let place = place.map_or(String::new(), |place| format!("the first is at {place}"));
                self.error(
                    "E050",
                    name.at.0,
                    format!("there is already a variable `{}`", name.text),
                    format!("give it another name; {place}"),
                );
            }
            let variable = Variable {
                name: name.text.clone(),
                ty,
                slot: scope.variables.len() as Slot,
            };
            scope.variables.push(Seen {
                variable: variable.clone(),
                span: name.at.0,
                is_used: false,
                is_param,
            });
            scope.slots = scope.slots.max(scope.variables.len() as u32);
            variables.push(variable);
        }
        variables
    }

    /// Removes variables from the scope, and says which were never used.
    pub(super) fn leave(&mut self, count: usize, scope: &mut Scope) {
        let keep = scope.variables.len() - count;
        for seen in scope.variables.drain(keep..) {
            if !seen.is_used && !seen.is_param {
                self.warn(
                    "W051",
                    seen.span,
                    format!("`{}` is bound, but never used", seen.variable.name),
                    "remove it, or use it in a condition",
                );
            }
        }
    }

    /// An expression that must be true or false.
    pub(super) fn condition(&mut self, expr: &Expr, scope: &mut Scope) -> Option<model::Expr> {
        let checked = self.expr(expr, scope)?;
        if checked.ty != ValueType::Bool {
            let found = self.type_name(checked.ty);
            self.error(
                "E022",
                expr.at.0,
                format!("a condition must be true or false, but this is {found}"),
                "compare it with something",
            );
            return None;
        }
        Some(checked)
    }

    /// An expression that must be a number.
    pub(super) fn numeric(
        &mut self,
        expr: &Expr,
        scope: &mut Scope,
        what: &str,
    ) -> Option<model::Expr> {
        let checked = self.expr(expr, scope)?;
        if !checked.ty.is_numeric() {
            let found = self.type_name(checked.ty);
            self.error(
                "E023",
                expr.at.0,
                format!("{what} must be a number, but this is {found}"),
                "",
            );
            return None;
        }
        Some(checked)
    }

    /// An expression whose value goes where `wanted` belongs.
    pub(super) fn expr_for(
        &mut self,
        expr: &Expr,
        wanted: ValueType,
        scope: &mut Scope,
    ) -> Option<model::Expr> {
        let checked = self.expr(expr, scope)?;
        self.fits(&checked, wanted, expr.at.0).then_some(checked)
    }

    fn fits(&mut self, expr: &model::Expr, wanted: ValueType, span: Span) -> bool {
        let is_kind = |ty: TypeId, of: TypeId| self.model.is_kind_of(ty, of);
        let fits = match (expr.ty, wanted) {
            (NO_TYPE, ValueType::Optional(_)) => true,
            (NO_TYPE, _) => false,
            (ValueType::Object(ty), ValueType::Object(of) | ValueType::Optional(of))
            | (ValueType::Optional(ty), ValueType::Optional(of)) => is_kind(ty, of),
            (ValueType::Int, ValueType::Float) => true,
            (found, wanted) => found == wanted,
        };
        if !fits {
            let hint = match (expr.ty, wanted) {
                (NO_TYPE, _) => "write `?` after the type to admit none".to_owned(),
                (ValueType::Optional(ty), ValueType::Object(of)) if is_kind(ty, of) => format!(
                    "it may be none; bind it first: `first ({} x) {{ x == …; … }}`",
                    self.model.types[of as usize].name
                ),
                _ => String::new(),
            };
            let (found, wanted) = (self.type_name(expr.ty), self.type_name(wanted));
            self.error(
                "E020",
                span,
                format!("expected {wanted}, found {found}"),
                hint,
            );
        }
        fits
    }

    pub(super) fn type_name(&self, ty: ValueType) -> String {
        match ty {
            ValueType::Bool => "a truth value".to_owned(),
            ValueType::Int => "a whole number".to_owned(),
            ValueType::Float => "a number".to_owned(),
            NO_TYPE => "none".to_owned(),
            ValueType::Object(ty) => format!("`{}`", self.model.types[ty as usize].name),
            ValueType::Optional(ty) => {
                format!("`{}` or none", self.model.types[ty as usize].name)
            }
        }
    }

    /// The value of a literal, `none` or an object.
    pub(super) fn constant_value(&mut self, expr: &Expr, wanted: ValueType) -> Option<i64> {
        let checked = self.expr_for(expr, wanted, &mut Scope::default())?;
        let value = match checked.kind {
            model::ExprKind::Value(value) => value,
            model::ExprKind::Negate(inner) => match (inner.kind, inner.ty) {
                (model::ExprKind::Value(value), ValueType::Int) => -value,
                (model::ExprKind::Value(value), _) => float(-model::number(value)),
                _ => return self.not_constant(expr),
            },
            _ => return self.not_constant(expr),
        };
        Some(match (checked.ty, wanted) {
            (ValueType::Int, ValueType::Float) => float(value as f64),
            _ => value,
        })
    }

    fn not_constant(&mut self, expr: &Expr) -> Option<i64> {
        self.error(
            "E020",
            expr.at.0,
            "a default must be a plain value",
            "write a number, `true`, `false`, `none` or an object; use `init` for more",
        );
        None
    }

    pub(super) fn expr(&mut self, expr: &Expr, scope: &mut Scope) -> Option<model::Expr> {
        let span = expr.at.0;
        let made = |kind, ty| Some(model::Expr { kind, ty, span });
        match &expr.kind {
            ExprKind::Number(text) => self.number(text, span),
            ExprKind::Bool(value) => {
                made(model::ExprKind::Value(i64::from(*value)), ValueType::Bool)
            }
            ExprKind::None => made(model::ExprKind::Value(NONE), NO_TYPE),
            ExprKind::Name(name, args) => self.named(name, args.as_deref(), span, scope),
            ExprKind::Not(inner) => {
                let inner = self.condition(inner, scope)?;
                made(model::ExprKind::Not(Box::new(inner)), ValueType::Bool)
            }
            ExprKind::And(items) => {
                let items = self.conditions(items, scope)?;
                made(model::ExprKind::And(items), ValueType::Bool)
            }
            ExprKind::Or(items) => {
                let items = self.conditions(items, scope)?;
                made(model::ExprKind::Or(items), ValueType::Bool)
            }
            ExprKind::Implies(a, b) => {
                let (a, b) = (self.condition(a, scope), self.condition(b, scope));
                let (a, b) = (a?, b?);
                let not_a = model::Expr {
                    span: a.span,
                    ty: ValueType::Bool,
                    kind: model::ExprKind::Not(Box::new(a)),
                };
                made(model::ExprKind::Or(vec![not_a, b]), ValueType::Bool)
            }
            ExprKind::Compare(how, a, b) => {
                let (a, b) = (self.expr(a, scope), self.expr(b, scope));
                let (a, b) = (a?, b?);
                self.comparable(*how, &a, &b, span)?;
                made(
                    model::ExprKind::Compare(*how, Box::new(a), Box::new(b)),
                    ValueType::Bool,
                )
            }
            ExprKind::Negate(inner) => {
                let inner = self.numeric(inner, scope, "what follows `-`")?;
                let ty = inner.ty;
                made(model::ExprKind::Negate(Box::new(inner)), ty)
            }
            ExprKind::Chain(first, rest) => {
                let mut sum = self.numeric(first, scope, "an operand")?;
                for (what, item) in rest {
                    let item = self.numeric(item, scope, "an operand")?;
                    sum = arithmetic(*what, sum, item, span);
                }
                Some(sum)
            }
            ExprKind::Builtin(builtin, args) => self.builtin(*builtin, args, span, scope),
            ExprKind::If(when, then, otherwise) => {
                let when = self.condition(when, scope);
                let (then, otherwise) = (self.expr(then, scope), self.expr(otherwise, scope));
                let (when, then, otherwise) = (when?, then?, otherwise?);
                let ty = self.common_type(&then, &otherwise, span)?;
                made(
                    model::ExprKind::If(Box::new(when), Box::new(then), Box::new(otherwise)),
                    ty,
                )
            }
            ExprKind::Quantifier(kind, params, body) => {
                let vars = self.enter(params, scope, false);
                let body = self.condition(body, scope);
                self.leave(vars.len(), scope);
                made(
                    model::ExprKind::Quantifier(*kind, vars, Box::new(body?)),
                    ValueType::Bool,
                )
            }
        }
    }

    fn conditions(&mut self, items: &[Expr], scope: &mut Scope) -> Option<Vec<model::Expr>> {
        let checked: Vec<_> = items
            .iter()
            .map(|item| self.condition(item, scope))
            .collect();
        checked.into_iter().collect()
    }

    fn number(&mut self, text: &str, span: Span) -> Option<model::Expr> {
        if let Ok(whole) = text.parse::<i64>() {
            return Some(model::Expr {
                kind: model::ExprKind::Value(whole),
                ty: ValueType::Int,
                span,
            });
        }
        match text.parse::<f64>() {
            Ok(value) if value.is_finite() && text.contains(['.', 'e', 'E']) => Some(model::Expr {
                kind: model::ExprKind::Value(float(value)),
                ty: ValueType::Float,
                span,
            }),
            _ => {
                self.error("E020", span, "this number is too large", "");
                None
            }
        }
    }

    fn named(
        &mut self,
        name: &Name,
        args: Option<&[Expr]>,
        span: Span,
        scope: &mut Scope,
    ) -> Option<model::Expr> {
        if args.is_none() {
            // A variable, else a function without arguments, else an object.
            let seen = scope
                .variables
                .iter_mut()
                .rev()
                .find(|seen| seen.variable.name == name.text);
            if let Some(seen) = seen {
                seen.is_used = true;
                return Some(model::Expr {
                    kind: model::ExprKind::Variable(seen.variable.slot),
                    ty: seen.variable.ty,
                    span,
                });
            }
            if let Some(&object) = self.objects.get(&name.text) {
                let ty = self.model.objects[object as usize].ty;
                return Some(model::Expr {
                    kind: model::ExprKind::Value(i64::from(object)),
                    ty: ValueType::Object(ty),
                    span,
                });
            }
        }
        let args = args.unwrap_or_default();
        if let Some(&function) = self.functions.get(&name.text) {
            let declared = &self.model.functions[function as usize];
            let (params, ty) = (declared.params.clone(), declared.result);
            let args = self.args(name, args, &params, scope)?;
            return Some(model::Expr {
                kind: model::ExprKind::Function(function, args),
                ty,
                span,
            });
        }
        if let Some(&external) = self.externals.get(&name.text) {
            let declared = &self.model.externals[external as usize];
            let (params, ty) = (declared.params.clone(), declared.result);
            let args = self.args(name, args, &params, scope)?;
            return Some(model::Expr {
                kind: model::ExprKind::External(external, args),
                ty,
                span,
            });
        }
        let known = scope
            .variables
            .iter()
            .map(|seen| seen.variable.name.as_str())
            .chain(self.functions.keys().map(String::as_str))
            .chain(self.externals.keys().map(String::as_str))
            .chain(self.objects.keys().map(String::as_str));
        let mut hint = suggest(&name.text, known);
        if self.tasks.contains_key(&name.text) {
            hint = "a task cannot be used as a value; put it into `ordered(…)`".to_owned();
        }
        self.error(
            "E011",
            name.at.0,
            format!(
                "there is no variable, function or object called `{}`",
                name.text
            ),
            hint,
        );
        None
    }

    /// Arguments of a function. One that may be none is allowed: it must not be when it is used.
    fn args(
        &mut self,
        name: &Name,
        args: &[Expr],
        params: &[ValueType],
        scope: &mut Scope,
    ) -> Option<Vec<model::Expr>> {
        if args.len() != params.len() {
            self.error(
                "E021",
                name.at.0,
                format!(
                    "`{}` has {}, but here it gets {}",
                    name.text,
                    count(params.len(), "parameter"),
                    count(args.len(), "argument")
                ),
                "",
            );
            return None;
        }
        let checked: Vec<_> = args
            .iter()
            .zip(params)
            .map(|(arg, &param)| {
                let wanted = match param {
                    ValueType::Object(ty) => ValueType::Optional(ty),
                    param => param,
                };
                let checked = self.expr(arg, scope)?;
                if checked.ty == NO_TYPE && !matches!(param, ValueType::Optional(_)) {
                    self.fits(&checked, param, arg.at.0);
                    return None;
                }
                // What fits an argument that may be none is fine; otherwise the parameter's own
                // type is named.
                let reported = self.wrong.len();
                if !self.fits(&checked, wanted, arg.at.0) {
                    self.wrong.truncate(reported);
                    self.fits(&checked, param, arg.at.0);
                    return None;
                }
                Some(checked)
            })
            .collect();
        checked.into_iter().collect()
    }

    fn comparable(
        &mut self,
        how: Comparison,
        a: &model::Expr,
        b: &model::Expr,
        span: Span,
    ) -> Option<()> {
        let is_equality = matches!(how, Comparison::Equal | Comparison::Different);
        let related = match (a.ty, b.ty) {
            (a, b) if a.is_numeric() && b.is_numeric() => true,
            (ValueType::Bool, ValueType::Bool) => is_equality,
            (NO_TYPE, NO_TYPE | ValueType::Optional(_)) | (ValueType::Optional(_), NO_TYPE) => {
                is_equality
            }
            (NO_TYPE, ValueType::Object(_)) | (ValueType::Object(_), NO_TYPE) => false,
            (a, b) => match (a.object(), b.object()) {
                (Some(a), Some(b)) => {
                    is_equality && (self.model.is_kind_of(a, b) || self.model.is_kind_of(b, a))
                }
                _ => false,
            },
        };
        if related {
            return Some(());
        }
        let (a, b) = (self.type_name(a.ty), self.type_name(b.ty));
        let hint = if b == "none" || a == "none" {
            "it is never none: its type has no `?`"
        } else if a == b {
            "only numbers are less or greater"
        } else {
            ""
        };
        self.error(
            "E024",
            span,
            format!("{a} and {b} cannot be compared like this"),
            hint,
        );
        None
    }

    fn common_type(&mut self, a: &model::Expr, b: &model::Expr, span: Span) -> Option<ValueType> {
        let common = match (a.ty, b.ty) {
            (a, b) if a == b => Some(a),
            (a, b) if a.is_numeric() && b.is_numeric() => Some(ValueType::Float),
            (NO_TYPE, other) | (other, NO_TYPE) => other.object().map(ValueType::Optional),
            (a, b) => match (a.object(), b.object()) {
                (Some(x), Some(y)) => {
                    let wide = if self.model.is_kind_of(x, y) {
                        Some(y)
                    } else if self.model.is_kind_of(y, x) {
                        Some(x)
                    } else {
                        None
                    };
                    let may_be_none =
                        matches!(a, ValueType::Optional(_)) || matches!(b, ValueType::Optional(_));
                    wide.map(|ty| match may_be_none {
                        true => ValueType::Optional(ty),
                        false => ValueType::Object(ty),
                    })
                }
                _ => None,
            },
        };
        if common.is_none() {
            let (a, b) = (self.type_name(a.ty), self.type_name(b.ty));
            self.error(
                "E020",
                span,
                format!("`then` gives {a}, but `else` gives {b}"),
                "let both give the same type",
            );
        }
        common
    }

    fn builtin(
        &mut self,
        builtin: Builtin,
        args: &[Expr],
        span: Span,
        scope: &mut Scope,
    ) -> Option<model::Expr> {
        let what = match builtin {
            Builtin::Min => "min",
            Builtin::Max => "max",
            Builtin::Abs => "abs",
        };
        let is_right = match builtin {
            Builtin::Abs => args.len() == 1,
            Builtin::Min | Builtin::Max => !args.is_empty(),
        };
        if !is_right {
            let wanted = match builtin {
                Builtin::Abs => "one number",
                _ => "at least one number",
            };
            self.error("E021", span, format!("`{what}` needs {wanted}"), "");
            return None;
        }
        let checked: Vec<_> = args
            .iter()
            .map(|arg| self.numeric(arg, scope, "an argument of `min`, `max` or `abs`"))
            .collect();
        let mut checked = checked.into_iter().collect::<Option<Vec<_>>>()?.into_iter();
        let first = checked.next()?;
        if builtin == Builtin::Abs {
            let ty = first.ty;
            return Some(model::Expr {
                kind: model::ExprKind::Absolute(Box::new(first)),
                ty,
                span,
            });
        }
        let what = match builtin {
            Builtin::Min => Arithmetic::Min,
            _ => Arithmetic::Max,
        };
        Some(checked.fold(first, |a, b| arithmetic(what, a, b, span)))
    }

    /// A state variable that gets a value.
    pub(super) fn lvalue(
        &mut self,
        lvalue: &Lvalue,
        scope: &mut Scope,
    ) -> Option<(u32, Vec<model::Expr>, ValueType)> {
        let name = &lvalue.name;
        if lvalue.args.is_none()
            && scope
                .variables
                .iter()
                .any(|seen| seen.variable.name == name.text)
        {
            self.error(
                "E031",
                name.at.0,
                format!(
                    "`{}` is a variable of the task, not of the state",
                    name.text
                ),
                "only fluents can get a value",
            );
            return None;
        }
        if self.externals.contains_key(&name.text) {
            self.error(
                "E031",
                name.at.0,
                format!("`{}` belongs to the game, not to the state", name.text),
                "only fluents can get a value",
            );
            return None;
        }
        let Some(&function) = self.functions.get(&name.text) else {
            let hint = suggest(&name.text, self.functions.keys().map(String::as_str));
            self.error(
                "E011",
                name.at.0,
                format!("there is no state variable called `{}`", name.text),
                hint,
            );
            return None;
        };
        let declared = &self.model.functions[function as usize];
        let (params, result) = (declared.params.clone(), declared.result);
        let args = lvalue.args.as_deref().unwrap_or_default();
        let args = self.args(name, args, &params, scope)?;
        Some((function, args, result))
    }
}

fn arithmetic(what: Arithmetic, a: model::Expr, b: model::Expr, span: Span) -> model::Expr {
    let ty = match (a.ty, b.ty) {
        (ValueType::Int, ValueType::Int) => ValueType::Int,
        _ => ValueType::Float,
    };
    model::Expr {
        kind: model::ExprKind::Arithmetic(what, Box::new(a), Box::new(b)),
        ty,
        span,
    }
}

pub(super) fn count(number: usize, thing: &str) -> String {
    match number {
        1 => format!("one {thing}"),
        0 => format!("no {thing}s"),
        number => format!("{number} {thing}s"),
    }
}
