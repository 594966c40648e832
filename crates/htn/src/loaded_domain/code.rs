//! Expressions, ready to be worked out quickly.

use std::cell::Cell;

use crate::domain::Fault;
use crate::loaded_domain::layout::{Layouts, LoadedState, NOT_HERE};
use crate::model::{
    Arithmetic, Comparison, Expr, ExprKind, Model, Quantifier, Slot, Span, ValueType, float, number,
};

/// A function of the host game: pure, of values as [`model`](crate::model) has them.
pub type HostFunction = std::sync::Arc<dyn Fn(&[i64]) -> i64 + Send + Sync>;

/// What is needed to work out an expression.
pub(crate) struct Scene<'a> {
    pub(crate) layouts: &'a Layouts,
    pub(crate) externals: &'a [HostFunction],
    pub(crate) state: &'a LoadedState,
    /// Values of variables that were tried.
    pub(crate) tried: Cell<u64>,
}

/// More values than this are not tried for one task: about as many as are looked through in a
/// second. Nobody can interrupt that.
const MOST_TRIED: u64 = 1 << 24;

/// What is said where they are more.
pub(crate) fn too_many_to_try(most: u64) -> String {
    format!(
        "more than {} million combinations of objects would have to be looked through; \
         use fewer variables at once, or a condition that leaves few of them after each",
        most >> 20
    )
}

impl Scene<'_> {
    /// Counts values that are about to be tried.
    pub(crate) fn try_values(&self, count: u64) -> Result<(), Box<Fault>> {
        let tried = self.tried.get() + count;
        self.tried.set(tried);
        if tried <= MOST_TRIED {
            return Ok(());
        }
        Err(Box::new(Fault {
            message: too_many_to_try(MOST_TRIED),
            span: None,
        }))
    }
}

/// An expression.
#[derive(Clone, Debug)]
pub(crate) enum Code {
    Value(i64),
    Variable(Slot),
    /// A variable of a function without arguments.
    Nullary(u32),
    Function(Box<Call>),
    External(u32, Box<[Code]>),
    IsA(Box<Code>, u32),
    Not(Box<Code>),
    And(Box<[Code]>),
    Or(Box<[Code]>),
    Same(Box<Code>, Box<Code>),
    Differ(Box<Code>, Box<Code>),
    CompareInts(Comparison, Box<Code>, Box<Code>),
    CompareFloats(Comparison, Box<Code>, Box<Code>),
    Ints(Arithmetic, Box<(Code, Code, Span)>),
    Floats(Arithmetic, Box<(Code, Code, Span)>),
    NegateInt(Box<(Code, Span)>),
    NegateFloat(Box<Code>),
    AbsoluteInt(Box<(Code, Span)>),
    AbsoluteFloat(Box<Code>),
    ToFloat(Box<Code>),
    If(Box<(Code, Code, Code)>),
    Quantifier(Box<Quantified>),
}

#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) function: u32,
    pub(crate) args: Box<[CallArg]>,
    /// Whether a variable among the arguments may be none.
    pub(crate) has_optional: bool,
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) struct CallArg {
    pub(crate) code: Code,
    pub(crate) range: u32,
    stride: u64,
}

#[derive(Clone, Debug)]
pub(crate) struct Quantified {
    pub(crate) kind: Quantifier,
    pub(crate) vars: Box<[(Slot, u32)]>,
    /// What the variables are called.
    pub(crate) names: Box<[String]>,
    pub(crate) body: Code,
}

pub(crate) type Answer = Result<i64, Box<Fault>>;

pub(crate) fn fault<V>(message: impl Into<String>, span: Span) -> Result<V, Box<Fault>> {
    Err(Box::new(Fault {
        message: message.into(),
        span: Some(span),
    }))
}

impl Code {
    pub(crate) fn compile(model: &Model, layouts: &Layouts, expr: &Expr) -> Code {
        let go = |expr: &Expr| Code::compile(model, layouts, expr);
        let boxed = |expr: &Expr| Box::new(go(expr));
        let list = |exprs: &[Expr]| exprs.iter().map(go).collect::<Box<[Code]>>();
        let as_float = |expr: &Expr| match expr.ty {
            ValueType::Int => match go(expr) {
                Code::Value(value) => Code::Value(float(value as f64)),
                code => Code::ToFloat(Box::new(code)),
            },
            _ => go(expr),
        };
        match &expr.kind {
            ExprKind::Value(value) => Code::Value(*value),
            ExprKind::Variable(slot) => Code::Variable(*slot),
            ExprKind::Function(function, args) if args.is_empty() => Code::Nullary(*function),
            ExprKind::Function(function, args) => {
                let params = &layouts.functions[*function as usize].params;
                let has_optional = args.iter().any(|arg| {
                    let is_variable = matches!(arg.kind, ExprKind::Variable(_));
                    is_variable && matches!(arg.ty, ValueType::Optional(_))
                });
                let args = args.iter().zip(params).map(|(arg, param)| CallArg {
                    code: go(arg),
                    range: param.range,
                    stride: param.stride,
                });
                Code::Function(Box::new(Call {
                    function: *function,
                    args: args.collect(),
                    has_optional,
                    span: expr.span,
                }))
            }
            ExprKind::External(external, args) => {
                let params = &model.externals[*external as usize].params;
                let args = args.iter().zip(params).map(|(arg, param)| match param {
                    ValueType::Float => as_float(arg),
                    _ => go(arg),
                });
                Code::External(*external, args.collect())
            }
            ExprKind::IsA(inner, ty) => Code::IsA(boxed(inner), ty + 1),
            ExprKind::Not(inner) => Code::Not(boxed(inner)),
            ExprKind::And(exprs) => match exprs.as_slice() {
                [one] => go(one),
                exprs => Code::And(list(exprs)),
            },
            ExprKind::Or(exprs) => match exprs.as_slice() {
                [one] => go(one),
                exprs => Code::Or(list(exprs)),
            },
            ExprKind::Compare(how, a, b) => match (a.ty, b.ty) {
                (ValueType::Float, _) | (_, ValueType::Float) => {
                    Code::CompareFloats(*how, Box::new(as_float(a)), Box::new(as_float(b)))
                }
                _ => match how {
                    Comparison::Equal => Code::Same(boxed(a), boxed(b)),
                    Comparison::Different => Code::Differ(boxed(a), boxed(b)),
                    how => Code::CompareInts(*how, boxed(a), boxed(b)),
                },
            },
            ExprKind::Arithmetic(what, a, b) => match expr.ty {
                ValueType::Float => {
                    Code::Floats(*what, Box::new((as_float(a), as_float(b), expr.span)))
                }
                _ => Code::Ints(*what, Box::new((go(a), go(b), expr.span))),
            },
            ExprKind::Negate(inner) => match expr.ty {
                ValueType::Float => Code::NegateFloat(boxed(inner)),
                _ => Code::NegateInt(Box::new((go(inner), expr.span))),
            },
            ExprKind::Absolute(inner) => match expr.ty {
                ValueType::Float => Code::AbsoluteFloat(boxed(inner)),
                _ => Code::AbsoluteInt(Box::new((go(inner), expr.span))),
            },
            ExprKind::If(when, then, otherwise) => {
                let (then, otherwise) = match expr.ty {
                    ValueType::Float => (as_float(then), as_float(otherwise)),
                    _ => (go(then), go(otherwise)),
                };
                Code::If(Box::new((go(when), then, otherwise)))
            }
            ExprKind::Quantifier(kind, vars, body) => Code::Quantifier(Box::new(Quantified {
                kind: *kind,
                vars: vars
                    .iter()
                    .map(|var| (var.slot, Layouts::range_of(var.ty)))
                    .collect(),
                names: vars.iter().map(|var| var.name.clone()).collect(),
                body: go(body),
            })),
        }
    }

    /// As [`Code::compile`], for a value that is stored where a float belongs.
    pub(crate) fn compile_as(model: &Model, layouts: &Layouts, expr: &Expr, ty: ValueType) -> Code {
        let code = Code::compile(model, layouts, expr);
        match (ty, expr.ty) {
            (ValueType::Float, ValueType::Int) => match code {
                Code::Value(value) => Code::Value(float(value as f64)),
                code => Code::ToFloat(Box::new(code)),
            },
            _ => code,
        }
    }

    /// The value in a scene, with variables in `env`.
    pub(crate) fn value(&self, scene: &Scene<'_>, env: &mut [i64]) -> Answer {
        match self {
            Code::Value(value) => Ok(*value),
            Code::Variable(slot) => Ok(env[*slot as usize]),
            Code::Nullary(function) => Ok(scene.layouts.value(scene.state, *function, 0)),
            Code::Function(call) => {
                let mut index = 0;
                for arg in &call.args {
                    let value = arg.code.value(scene, env)?;
                    let place = scene.layouts.ranges[arg.range as usize].place(value);
                    if place == NOT_HERE {
                        return fault("the function is applied to none", call.span);
                    }
                    index += u64::from(place) * arg.stride;
                }
                Ok(scene.layouts.value(scene.state, call.function, index))
            }
            Code::External(external, args) => {
                let mut values = smallvec::SmallVec::<[i64; 6]>::new();
                for arg in args {
                    values.push(arg.value(scene, env)?);
                }
                Ok(scene.externals[*external as usize](&values))
            }
            Code::IsA(inner, range) => {
                let value = inner.value(scene, env)?;
                Ok(i64::from(
                    scene.layouts.ranges[*range as usize].contains(value),
                ))
            }
            Code::Not(inner) => Ok(1 - inner.value(scene, env)?),
            Code::And(list) => {
                for code in list {
                    if code.value(scene, env)? == 0 {
                        return Ok(0);
                    }
                }
                Ok(1)
            }
            Code::Or(list) => {
                for code in list {
                    if code.value(scene, env)? != 0 {
                        return Ok(1);
                    }
                }
                Ok(0)
            }
            Code::Same(a, b) => Ok(i64::from(a.value(scene, env)? == b.value(scene, env)?)),
            Code::Differ(a, b) => Ok(i64::from(a.value(scene, env)? != b.value(scene, env)?)),
            Code::CompareInts(how, a, b) => {
                let (a, b) = (a.value(scene, env)?, b.value(scene, env)?);
                Ok(i64::from(compare(*how, &a, &b)))
            }
            Code::CompareFloats(how, a, b) => {
                let a = number(a.value(scene, env)?);
                let b = number(b.value(scene, env)?);
                Ok(i64::from(compare(*how, &a, &b)))
            }
            Code::Ints(what, operands) => {
                let (a, b, span) = operands.as_ref();
                let (a, b) = (a.value(scene, env)?, b.value(scene, env)?);
                match whole(*what, a, b) {
                    Ok(value) => Ok(value),
                    Err(message) => fault(message, *span),
                }
            }
            Code::Floats(what, operands) => {
                let (a, b, span) = operands.as_ref();
                let a = number(a.value(scene, env)?);
                let b = number(b.value(scene, env)?);
                match fractional(*what, a, b) {
                    Ok(value) => Ok(float(value)),
                    Err(message) => fault(message, *span),
                }
            }
            Code::NegateInt(inner) => match inner.0.value(scene, env)?.checked_neg() {
                Some(value) => Ok(value),
                None => fault(OVERFLOW, inner.1),
            },
            Code::NegateFloat(inner) => Ok(float(-number(inner.value(scene, env)?))),
            Code::AbsoluteInt(inner) => match inner.0.value(scene, env)?.checked_abs() {
                Some(value) => Ok(value),
                None => fault(OVERFLOW, inner.1),
            },
            Code::AbsoluteFloat(inner) => Ok(float(number(inner.value(scene, env)?).abs())),
            Code::ToFloat(inner) => Ok(float(inner.value(scene, env)? as f64)),
            Code::If(parts) => {
                let (when, then, otherwise) = parts.as_ref();
                if when.value(scene, env)? != 0 {
                    then.value(scene, env)
                } else {
                    otherwise.value(scene, env)
                }
            }
            Code::Quantifier(quantified) => {
                let wanted = quantified.kind == Quantifier::Exists;
                let found = any(scene, env, &quantified.vars, &mut |env| {
                    Ok((quantified.body.value(scene, env)? != 0) == wanted)
                })?;
                Ok(i64::from(found == wanted))
            }
        }
    }

    pub(crate) fn holds(&self, scene: &Scene<'_>, env: &mut [i64]) -> Result<bool, Box<Fault>> {
        Ok(self.value(scene, env)? != 0)
    }
}

/// A question about the values of variables.
type Testing<'a> = &'a mut dyn FnMut(&mut [i64]) -> Result<bool, Box<Fault>>;

/// Whether `test` says yes for any values of the variables, tried in order.
pub(crate) fn any(
    scene: &Scene<'_>,
    env: &mut [i64],
    vars: &[(Slot, u32)],
    test: Testing<'_>,
) -> Result<bool, Box<Fault>> {
    let Some(((slot, range), rest)) = vars.split_first() else {
        return test(env);
    };
    for &value in &scene.layouts.ranges[*range as usize].values {
        env[*slot as usize] = value;
        scene.try_values(1)?;
        if any(scene, env, rest, test)? {
            return Ok(true);
        }
    }
    Ok(false)
}

pub(crate) const OVERFLOW: &str = "the result is too large for a whole number";
pub(crate) const DIVISION_BY_ZERO: &str = "division by zero";

pub(crate) fn compare<N: PartialOrd>(how: Comparison, a: &N, b: &N) -> bool {
    match how {
        Comparison::Equal => a == b,
        Comparison::Different => a != b,
        Comparison::Less => a < b,
        Comparison::AtMost => a <= b,
        Comparison::Greater => a > b,
        Comparison::AtLeast => a >= b,
    }
}

/// Arithmetic of whole numbers; a message if there is no result.
pub fn whole(what: Arithmetic, a: i64, b: i64) -> Result<i64, &'static str> {
    let result = match what {
        Arithmetic::Divide | Arithmetic::Remainder if b == 0 => return Err(DIVISION_BY_ZERO),
        Arithmetic::Add => a.checked_add(b),
        Arithmetic::Subtract => a.checked_sub(b),
        Arithmetic::Multiply => a.checked_mul(b),
        Arithmetic::Divide => a.checked_div(b),
        Arithmetic::Remainder => a.checked_rem(b),
        Arithmetic::Min => Some(a.min(b)),
        Arithmetic::Max => Some(a.max(b)),
    };
    result.ok_or(OVERFLOW)
}

/// Arithmetic of floats; a message if there is no result.
pub fn fractional(what: Arithmetic, a: f64, b: f64) -> Result<f64, &'static str> {
    Ok(match what {
        Arithmetic::Divide | Arithmetic::Remainder if b == 0.0 => return Err(DIVISION_BY_ZERO),
        Arithmetic::Add => a + b,
        Arithmetic::Subtract => a - b,
        Arithmetic::Multiply => a * b,
        Arithmetic::Divide => a / b,
        Arithmetic::Remainder => a % b,
        Arithmetic::Min => a.min(b),
        Arithmetic::Max => a.max(b),
    })
}
