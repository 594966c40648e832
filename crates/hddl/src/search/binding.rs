//! Finds the values of a method's variables with which its condition holds in a state.

use super::super::model::{Domain, Formula, Term};
use super::conditions::Literal;
use super::facts::{Facts, State, Thing};
use super::lifted::LiftedMethod;

/// A fact may have so many arguments.
pub(crate) const MOST_ARGUMENTS: usize = 16;

/// A variable without a value.
pub(crate) const OPEN: Thing = Thing::MAX;

/// Scratch memory for finding values.
#[derive(Default)]
pub(crate) struct Binding {
    pub(crate) values: Vec<Thing>,
    settled: Vec<bool>,
    trail: Vec<usize>,
    /// Steps it has taken: values it gave to variables, and facts it asked about.
    pub(crate) steps: u64,
    /// More steps than this it does not begin: some methods have very many candidates.
    pub(crate) most_steps: u64,
}

/// What a search for values looks at.
#[derive(Clone, Copy)]
pub(crate) struct View<'a> {
    pub(crate) domain: &'a Domain,
    pub(crate) facts: &'a Facts,
    pub(crate) state: &'a State,
}

impl Binding {
    /// Calls `found` with the values of all variables, for each way to give them values.
    /// `found` says whether to go on. False if it did not go on to the end.
    pub(crate) fn each(
        &mut self,
        view: View<'_>,
        method: &LiftedMethod,
        arguments: &[Thing],
        found: &mut dyn FnMut(&[Thing]) -> bool,
    ) -> bool {
        self.values.clear();
        self.values.resize(method.allowed.len(), OPEN);
        self.settled.clear();
        self.settled.resize(method.condition.len(), false);
        self.trail.clear();
        for (term, object) in method.arguments.iter().zip(arguments) {
            match term {
                Term::Object(constant) if *constant as Thing != *object => return true,
                Term::Object(_) => {}
                Term::Variable(variable) => {
                    let value = &mut self.values[*variable];
                    if *value != OPEN && *value != *object
                        || !method.allowed[*variable][*object as usize]
                    {
                        return true;
                    }
                    *value = *object;
                }
            }
        }
        self.extend(view, method, found)
    }

    fn value(&self, term: Term) -> Thing {
        match term {
            Term::Object(object) => object as Thing,
            Term::Variable(variable) => self.values[variable],
        }
    }

    fn extend(
        &mut self,
        view: View<'_>,
        method: &LiftedMethod,
        found: &mut dyn FnMut(&[Thing]) -> bool,
    ) -> bool {
        if self.steps >= self.most_steps {
            return false;
        }
        self.steps += 1;
        let mark = self.trail.len();
        let goes_on = self.extend_from(view, method, found);
        for index in self.trail.drain(mark..) {
            self.settled[index] = false;
        }
        goes_on
    }

    fn extend_from(
        &mut self,
        view: View<'_>,
        method: &LiftedMethod,
        found: &mut dyn FnMut(&[Thing]) -> bool,
    ) -> bool {
        // Settle what has values for all its variables; choose the fact with fewest candidates.
        let mut best: Option<(usize, usize, &[u32])> = None;
        for (index, literal) in method.condition.iter().enumerate() {
            if self.settled[index] {
                continue;
            }
            match literal {
                Literal::Same(sign, one, other) => {
                    let (one, other) = (self.value(*one), self.value(*other));
                    if one != OPEN && other != OPEN {
                        if (one == other) != *sign {
                            return true;
                        }
                        self.settled[index] = true;
                        self.trail.push(index);
                    }
                }
                Literal::Fact(sign, predicate, terms) => {
                    let open = terms.iter().any(|term| self.value(*term) == OPEN);
                    if !open {
                        let fact = view
                            .facts
                            .find(*predicate, terms.iter().map(|term| self.value(*term)));
                        if fact.is_some_and(|fact| view.state.holds(fact)) != *sign {
                            return true;
                        }
                        self.settled[index] = true;
                        self.trail.push(index);
                    } else if *sign {
                        let mut candidates = view.facts.of(*predicate);
                        for (position, term) in terms.iter().enumerate() {
                            let object = self.value(*term);
                            if object != OPEN {
                                let with = view.facts.with(*predicate, position, object);
                                if with.len() < candidates.len() {
                                    candidates = with;
                                }
                            }
                        }
                        if candidates.is_empty() {
                            return true;
                        }
                        if best.is_none_or(|(count, _, _)| candidates.len() < count) {
                            best = Some((candidates.len(), index, candidates));
                        }
                    }
                }
            }
        }
        let open = (0..self.values.len())
            .filter(|variable| self.values[*variable] == OPEN)
            .min_by_key(|variable| method.values[*variable].len());
        let Some(open) = open else {
            let (values, steps) = (&mut self.values, &mut self.steps);
            let holds = method
                .rest
                .iter()
                .all(|formula| evaluate(view, formula, values, steps));
            return !holds || found(&self.values);
        };
        let fewest = method.values[open].len();
        match best {
            Some((count, index, candidates)) if count <= fewest * 4 + 4 => {
                let Literal::Fact(_, _, terms) = &method.condition[index] else {
                    return true;
                };
                self.settled[index] = true;
                self.trail.push(index);
                let before: [Thing; MOST_ARGUMENTS] = std::array::from_fn(|position| {
                    terms.get(position).map_or(OPEN, |term| self.value(*term))
                });
                let mut goes_on = true;
                for fact in candidates {
                    if view.state.holds(*fact) && self.bind(view, method, terms, *fact) {
                        goes_on = self.extend(view, method, found);
                    }
                    for (position, term) in terms.iter().enumerate() {
                        if let Term::Variable(variable) = term
                            && before[position] == OPEN
                        {
                            self.values[*variable] = OPEN;
                        }
                    }
                    if !goes_on {
                        break;
                    }
                }
                goes_on
            }
            _ => {
                for index in 0..fewest {
                    self.values[open] = method.values[open][index];
                    let goes_on = self.extend(view, method, found);
                    self.values[open] = OPEN;
                    if !goes_on {
                        return false;
                    }
                }
                true
            }
        }
    }

    /// Gives the open variables of a fact's terms the values of the fact.
    fn bind(&mut self, view: View<'_>, method: &LiftedMethod, terms: &[Term], fact: u32) -> bool {
        terms.iter().enumerate().all(|(position, term)| {
            let object = view.facts.argument(fact, position);
            match term {
                Term::Object(constant) => *constant as Thing == object,
                Term::Variable(variable) => {
                    let value = &mut self.values[*variable];
                    if *value == OPEN {
                        *value = object;
                        method.allowed[*variable][object as usize]
                    } else {
                        *value == object
                    }
                }
            }
        })
    }
}

/// Whether a formula holds; all its free variables have values. Adds the facts it asks about to
/// `asked`.
pub(crate) fn evaluate(
    view: View<'_>,
    formula: &Formula,
    values: &mut Vec<Thing>,
    asked: &mut u64,
) -> bool {
    let value = |term: Term, values: &[Thing]| match term {
        Term::Object(object) => object as Thing,
        Term::Variable(variable) => values[variable],
    };
    match formula {
        Formula::And(parts) => parts.iter().all(|part| evaluate(view, part, values, asked)),
        Formula::Or(parts) => parts.iter().any(|part| evaluate(view, part, values, asked)),
        Formula::Not(inner) => !evaluate(view, inner, values, asked),
        Formula::Same(one, other) => {
            *asked += 1;
            value(*one, values) == value(*other, values)
        }
        Formula::Fact(predicate, terms) => {
            *asked += 1;
            view.facts
                .find(*predicate, terms.iter().map(|term| value(*term, values)))
                .is_some_and(|fact| view.state.holds(fact))
        }
        Formula::Forall(variable, types, inner) | Formula::Exists(variable, types, inner) => {
            let for_all = matches!(formula, Formula::Forall(..));
            let before = values.len();
            if values.len() <= *variable {
                values.resize(*variable + 1, OPEN);
            }
            let differs = view.domain.objects_of(types).into_iter().any(|object| {
                values[*variable] = object as Thing;
                // An object takes its time even where nothing is asked about it.
                let at_least = *asked + 1;
                let holds = evaluate(view, inner, values, asked);
                *asked = at_least.max(*asked);
                holds != for_all
            });
            values.truncate(before);
            for_all != differs
        }
    }
}
