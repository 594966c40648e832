//! Conditions taken apart: into literals, which a search can work with, and a rest, which is only
//! evaluated.

use super::super::model::{Domain, Formula, Term};

/// What must hold, or must not, of variables and objects.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Literal {
    /// A fact, and whether it must be true.
    Fact(bool, usize, Vec<Term>),
    /// Two terms, and whether they must be the same.
    Same(bool, Term, Term),
}

/// A condition: all literals, and all formulas of the rest.
#[derive(Clone, Debug, Default)]
pub(crate) struct Condition {
    pub(crate) literals: Vec<Literal>,
    pub(crate) rest: Vec<Formula>,
}

/// Quantifiers over more objects than this are evaluated where they stand; smaller ones become
/// literals.
const LARGEST_EXPANSION: usize = 3000;

impl Condition {
    pub(crate) fn of(domain: &Domain, formula: &Formula) -> Self {
        let mut condition = Self::default();
        let mut budget = LARGEST_EXPANSION;
        condition.take(domain, formula, true, &mut budget);
        condition.literals.sort();
        condition.literals.dedup();
        condition
    }

    fn take(&mut self, domain: &Domain, formula: &Formula, sign: bool, budget: &mut usize) {
        match (formula, sign) {
            (Formula::And(parts), true) | (Formula::Or(parts), false) => {
                for part in parts {
                    self.take(domain, part, sign, budget);
                }
            }
            (Formula::Or(parts) | Formula::And(parts), _) if parts.len() == 1 => {
                self.take(domain, &parts[0], sign, budget);
            }
            (Formula::Not(inner), _) => self.take(domain, inner, !sign, budget),
            (Formula::Fact(predicate, terms), _) => {
                self.literals
                    .push(Literal::Fact(sign, *predicate, terms.clone()));
            }
            (Formula::Same(one, other), _) => {
                self.literals.push(Literal::Same(sign, *one, *other));
            }
            (Formula::Forall(variable, types, inner), true)
            | (Formula::Exists(variable, types, inner), false) => {
                let objects = domain.objects_of(types);
                if objects.len() > *budget {
                    self.leave(formula, sign);
                    return;
                }
                *budget -= objects.len();
                for object in objects {
                    let instance = replace(inner, *variable, Term::Object(object));
                    self.take(domain, &instance, sign, budget);
                }
            }
            _ => self.leave(formula, sign),
        }
    }

    fn leave(&mut self, formula: &Formula, sign: bool) {
        self.rest.push(if sign {
            formula.clone()
        } else {
            Formula::Not(Box::new(formula.clone()))
        });
    }
}

/// The formula with a term in place of a variable.
fn replace(formula: &Formula, variable: usize, by: Term) -> Formula {
    let term = |term: &Term| {
        if *term == Term::Variable(variable) {
            by
        } else {
            *term
        }
    };
    let many = |parts: &[Formula]| {
        parts
            .iter()
            .map(|part| replace(part, variable, by))
            .collect()
    };
    let one = |inner: &Formula| Box::new(replace(inner, variable, by));
    match formula {
        Formula::And(parts) => Formula::And(many(parts)),
        Formula::Or(parts) => Formula::Or(many(parts)),
        Formula::Not(inner) => Formula::Not(one(inner)),
        Formula::Forall(v, types, inner) => Formula::Forall(*v, types.clone(), one(inner)),
        Formula::Exists(v, types, inner) => Formula::Exists(*v, types.clone(), one(inner)),
        Formula::Fact(predicate, terms) => {
            Formula::Fact(*predicate, terms.iter().map(term).collect())
        }
        Formula::Same(one, other) => Formula::Same(term(one), term(other)),
    }
}

impl Literal {
    /// The literal with every term changed.
    pub(crate) fn map(&self, mut change: impl FnMut(Term) -> Option<Term>) -> Option<Self> {
        Some(match self {
            Self::Fact(sign, predicate, terms) => Self::Fact(
                *sign,
                *predicate,
                terms
                    .iter()
                    .map(|term| change(*term))
                    .collect::<Option<_>>()?,
            ),
            Self::Same(sign, one, other) => Self::Same(*sign, change(*one)?, change(*other)?),
        })
    }
}
