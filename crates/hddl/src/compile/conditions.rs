//! Terms, types and conditions of HDDL as expressions of the model.

use std::collections::BTreeSet;

use super::super::model as hddl;
use super::super::model::{Formula, Id, Term};
use super::{Compiler, Scope, boolean};
use apprentice_htn::model::{
    Comparison, Expr, ExprKind, Function, FunctionId, Initial, Quantifier, TypeId, ValueType,
    Variable,
};

impl Compiler<'_> {
    pub(super) fn objects(&self, types: &[Id]) -> BTreeSet<Id> {
        self.problem.domain.objects_of(types).into_iter().collect()
    }

    pub(super) fn objects_of_type(&self, ty: TypeId) -> BTreeSet<Id> {
        self.model
            .objects_of(ty)
            .into_iter()
            .map(|object| object as Id)
            .collect()
    }

    /// A type of the model with these objects, or the type of all.
    pub(super) fn type_of(&self, types: &[Id]) -> TypeId {
        let wanted = self.objects(types);
        types
            .iter()
            .map(|kind| self.types[*kind])
            .find(|ty| types.len() == 1 && self.objects_of_type(*ty) == wanted)
            .unwrap_or(self.types[hddl::OBJECT])
    }

    /// That a value of type `from` is of one of the types, if that is not certain.
    pub(super) fn belongs(
        &mut self,
        value: Expr,
        from: &BTreeSet<Id>,
        types: &[Id],
    ) -> Option<Expr> {
        let wanted = self.objects(types);
        if from.is_subset(&wanted) {
            return None;
        }
        let ty = self.type_of(types);
        if self.objects_of_type(ty) == wanted {
            return Some(boolean(ExprKind::IsA(Box::new(value), ty)));
        }
        let function = match self.sets.iter().find(|(set, _)| *set == wanted) {
            Some((_, function)) => *function,
            None => {
                let function = self.model.functions.len() as FunctionId;
                self.model.functions.push(Function {
                    name: format!("belongs to {}", self.sets.len()),
                    params: vec![ValueType::Object(self.types[hddl::OBJECT])],
                    result: ValueType::Bool,
                    default: 0,
                    is_observed: false,
                });
                self.model.init.extend(wanted.iter().map(|object| Initial {
                    function,
                    args: vec![*object as i64],
                    value: 1,
                }));
                self.sets.push((wanted, function));
                function
            }
        };
        Some(boolean(ExprKind::Function(function, vec![value])))
    }

    pub(super) fn term(&self, term: Term, scope: &Scope) -> Expr {
        let object = ValueType::Object(self.types[hddl::OBJECT]);
        match term {
            Term::Object(id) => Expr::new(ExprKind::Value(id as i64), object),
            Term::Variable(variable) => {
                let ty = scope
                    .types
                    .get(variable)
                    .map_or(object, |types| ValueType::Object(self.type_of(types)));
                Expr::new(ExprKind::Variable(scope.slot(variable)), ty)
            }
        }
    }

    /// The objects a term may stand for.
    pub(super) fn range(&self, term: Term, scope: &Scope) -> BTreeSet<Id> {
        match term {
            Term::Object(object) => BTreeSet::from([object]),
            Term::Variable(variable) => match scope.types.get(variable) {
                Some(types) => self.objects(types),
                None => (0..self.problem.domain.objects.len()).collect(),
            },
        }
    }

    /// Conditions under which the terms may stand at these parameters.
    pub(super) fn guards(
        &mut self,
        terms: &[Term],
        parameters: &[hddl::Parameter],
        scope: &Scope,
    ) -> Vec<Expr> {
        terms
            .iter()
            .zip(parameters)
            .filter_map(|(term, parameter)| {
                let (value, range) = (self.term(*term, scope), self.range(*term, scope));
                self.belongs(value, &range, &parameter.types)
            })
            .collect()
    }

    /// The parts of a conjunction.
    pub(super) fn conditions(
        &mut self,
        formula: &Formula,
        scope: &mut Scope,
        into: &mut Vec<Expr>,
    ) {
        match formula {
            Formula::And(parts) => {
                for part in parts {
                    self.conditions(part, scope, into);
                }
            }
            _ => {
                let condition = self.condition(formula, scope);
                into.push(condition);
            }
        }
    }

    pub(super) fn condition(&mut self, formula: &Formula, scope: &mut Scope) -> Expr {
        match formula {
            Formula::And(parts) => {
                let parts = parts
                    .iter()
                    .map(|part| self.condition(part, scope))
                    .collect();
                boolean(ExprKind::And(parts))
            }
            Formula::Or(parts) => {
                let parts = parts
                    .iter()
                    .map(|part| self.condition(part, scope))
                    .collect();
                boolean(ExprKind::Or(parts))
            }
            Formula::Not(inner) => boolean(ExprKind::Not(Box::new(self.condition(inner, scope)))),
            Formula::Same(one, other) => boolean(ExprKind::Compare(
                Comparison::Equal,
                Box::new(self.term(*one, scope)),
                Box::new(self.term(*other, scope)),
            )),
            Formula::Fact(predicate, terms) => {
                let problem = self.problem;
                let parameters = &problem.domain.predicates[*predicate].parameters;
                let mut all = self.guards(terms, parameters, scope);
                let args = terms.iter().map(|term| self.term(*term, scope)).collect();
                let fact = boolean(ExprKind::Function(*predicate as FunctionId, args));
                if all.is_empty() {
                    return fact;
                }
                all.push(fact);
                Expr::all(all)
            }
            Formula::Forall(variable, types, inner) | Formula::Exists(variable, types, inner) => {
                let is_forall = matches!(formula, Formula::Forall(..));
                let (bound, guard) = self.quantified(*variable, types, scope);
                let inner = self.condition(inner, scope);
                let inner = match guard {
                    None => inner,
                    Some(guard) if is_forall => boolean(ExprKind::Or(vec![
                        boolean(ExprKind::Not(Box::new(guard))),
                        inner,
                    ])),
                    Some(guard) => Expr::all(vec![guard, inner]),
                };
                let quantifier = if is_forall {
                    Quantifier::Forall
                } else {
                    Quantifier::Exists
                };
                boolean(ExprKind::Quantifier(
                    quantifier,
                    vec![bound],
                    Box::new(inner),
                ))
            }
        }
    }

    /// A variable of a quantifier, and what its values must satisfy beyond their type.
    pub(super) fn quantified(
        &mut self,
        variable: usize,
        types: &[Id],
        scope: &mut Scope,
    ) -> (Variable, Option<Expr>) {
        let ty = self.type_of(types);
        let bound = Variable {
            name: format!("?{variable}"),
            ty: ValueType::Object(ty),
            slot: scope.slot(variable),
        };
        let value = Expr::new(ExprKind::Variable(bound.slot), bound.ty);
        let range = self.objects_of_type(ty);
        (bound, self.belongs(value, &range, types))
    }
}
