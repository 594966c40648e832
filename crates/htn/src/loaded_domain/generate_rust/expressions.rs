//! Expressions as Rust: truth as `bool`, numbers as `i64` and `f64`.

use std::fmt::Write;

use super::{Generator, place};
use crate::loaded_domain::LoadedDomain;
use crate::loaded_domain::code::{Call, Code};
use crate::model::{Arithmetic, Comparison, Quantifier, Span, ValueType};

impl Generator<'_> {
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
    pub(super) fn argument(
        &mut self,
        code: &Code,
        range: u32,
        is_optional: bool,
        span: Span,
    ) -> String {
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
    pub(super) fn truth(&mut self, code: &Code) -> String {
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
                    let all = self.range_name(*range);
                    let name = self.bind(*slot, &quantified.names[at]);
                    let _ = write!(text, "for &{name} in &self.{all}.all {{ ");
                    closes += 1;
                }
                let body = self.truth(&quantified.body);
                self.unbind(quantified.vars.iter().map(|(slot, _)| *slot));
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
    pub(super) fn value(&mut self, code: &Code) -> String {
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
    pub(super) fn float(&mut self, code: &Code) -> String {
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
