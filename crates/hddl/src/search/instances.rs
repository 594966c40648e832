//! Tasks with arguments as numbers, networks as shared lists of them, and how actions change states.

use super::super::{FxHashMap, FxHashSet};

use super::super::model::{Formula, Term};
use super::binding::{View, evaluate};
use super::conditions::{Condition, Literal};
use super::facts::{Fact, Facts, State, Thing};
use super::lifted::Lifted;

/// The number of a task with arguments.
pub(crate) type Instance = u32;
/// The number of a list of tasks still to do.
pub(crate) type List = u32;

/// The list of nothing.
pub(crate) const DONE: List = 0;

/// Every task with arguments met so far.
#[derive(Default)]
pub(crate) struct Instances {
    numbers: FxHashMap<Box<[u32]>, Instance>,
    tasks: Vec<Box<[u32]>>,
    actions: Vec<Option<Box<GroundAction>>>,
    scratch: Vec<u32>,
    size: usize,
}

/// An action with arguments, in facts.
#[derive(Clone, Debug, Default)]
pub(crate) struct GroundAction {
    /// It contradicts itself, so it is never possible.
    pub(crate) impossible: bool,
    pub(crate) needed: Vec<Fact>,
    pub(crate) forbidden: Vec<Fact>,
    pub(crate) rest: Vec<(Formula, Vec<Thing>)>,
    pub(crate) removed: Vec<Fact>,
    pub(crate) added: Vec<Fact>,
    pub(crate) conditional: Vec<GroundEffect>,
}

/// An effect that happens under a condition.
#[derive(Clone, Debug)]
pub(crate) struct GroundEffect {
    pub(crate) needed: Vec<Fact>,
    pub(crate) forbidden: Vec<Fact>,
    pub(crate) rest: Vec<(Formula, Vec<Thing>)>,
    pub(crate) fact: Fact,
    pub(crate) becomes: bool,
}

impl Instances {
    pub(crate) fn meet(&mut self, task: usize, arguments: impl Iterator<Item = Thing>) -> Instance {
        self.scratch.clear();
        self.scratch.push(task as u32);
        self.scratch.extend(arguments);
        if let Some(number) = self.numbers.get(self.scratch.as_slice()) {
            return *number;
        }
        let number = self.tasks.len() as Instance;
        let key: Box<[u32]> = self.scratch.as_slice().into();
        self.size += 2 * key.len();
        self.tasks.push(key.clone());
        self.actions.push(None);
        self.numbers.insert(key, number);
        number
    }

    pub(crate) fn len(&self) -> usize {
        self.tasks.len()
    }

    /// How much is kept in memory, in numbers.
    pub(crate) fn size(&self) -> usize {
        self.size
    }

    pub(crate) fn task(&self, instance: Instance) -> usize {
        self.tasks[instance as usize][0] as usize
    }

    pub(crate) fn arguments(&self, instance: Instance) -> &[Thing] {
        &self.tasks[instance as usize][1..]
    }

    /// The action in facts; worked out when first asked for.
    pub(crate) fn action(
        &mut self,
        lifted: &Lifted,
        facts: &mut Facts,
        instance: Instance,
    ) -> &GroundAction {
        let key = &self.tasks[instance as usize];
        self.actions[instance as usize].get_or_insert_with(|| {
            let action = ground_action(lifted, facts, key[0] as usize, &key[1..]);
            self.size += action.size();
            Box::new(action)
        })
    }
}

fn ground_action(
    lifted: &Lifted,
    facts: &mut Facts,
    task: usize,
    arguments: &[Thing],
) -> GroundAction {
    let mut ground = GroundAction::default();
    let Some(action) = &lifted.tasks[task].action else {
        ground.impossible = true;
        return ground;
    };
    let mut values = arguments.to_vec();
    match ground_condition(facts, &action.condition, &values) {
        Some((needed, forbidden, rest)) => {
            ground.needed = needed;
            ground.forbidden = forbidden;
            ground.rest = rest;
        }
        None => ground.impossible = true,
    }
    for effect in &action.effects {
        let variables = &effect.effect.variables;
        if let Some((last, _)) = variables.iter().max_by_key(|(variable, _)| *variable)
            && values.len() <= *last
        {
            values.resize(*last + 1, 0);
        }
        let mut choices = vec![0; variables.len()];
        let ranges: Vec<Vec<usize>> = variables
            .iter()
            .map(|(_, types)| lifted.problem.domain.objects_of(types))
            .collect();
        if ranges.iter().any(Vec::is_empty) {
            continue;
        }
        loop {
            for ((variable, _), (range, choice)) in
                variables.iter().zip(ranges.iter().zip(&choices))
            {
                values[*variable] = range[*choice] as Thing;
            }
            if let Some((needed, forbidden, rest)) =
                ground_condition(facts, &effect.condition, &values)
            {
                let fact = meet(
                    facts,
                    effect.effect.predicate,
                    &effect.effect.arguments,
                    &values,
                );
                let becomes = effect.effect.becomes;
                if needed.is_empty() && forbidden.is_empty() && rest.is_empty() {
                    let list = if becomes {
                        &mut ground.added
                    } else {
                        &mut ground.removed
                    };
                    list.push(fact);
                } else {
                    ground.conditional.push(GroundEffect {
                        needed,
                        forbidden,
                        rest,
                        fact,
                        becomes,
                    });
                }
            }
            // The next choice, like the digits of a counter.
            let Some(digit) =
                (0..choices.len()).rfind(|digit| choices[*digit] + 1 < ranges[*digit].len())
            else {
                break;
            };
            choices[digit] += 1;
            choices[digit + 1..].fill(0);
        }
    }
    let added: FxHashSet<Fact> = ground.added.iter().copied().collect();
    ground.removed.retain(|fact| !added.contains(fact));
    ground
}

fn meet(facts: &mut Facts, predicate: usize, terms: &[Term], values: &[Thing]) -> Fact {
    let arguments: Vec<Thing> = terms
        .iter()
        .map(|term| match term {
            Term::Object(object) => *object as Thing,
            Term::Variable(variable) => values[*variable],
        })
        .collect();
    facts.meet(predicate, &arguments)
}

type Ground = (Vec<Fact>, Vec<Fact>, Vec<(Formula, Vec<Thing>)>);

/// The facts a condition needs and forbids; none if it is false whatever the state.
pub(crate) fn ground_condition(
    facts: &mut Facts,
    condition: &Condition,
    values: &[Thing],
) -> Option<Ground> {
    let (mut needed, mut forbidden) = (Vec::new(), Vec::new());
    for literal in &condition.literals {
        match literal {
            Literal::Fact(sign, predicate, terms) => {
                let fact = meet(facts, *predicate, terms, values);
                if *sign {
                    needed.push(fact);
                } else {
                    forbidden.push(fact);
                }
            }
            Literal::Same(sign, one, other) => {
                let value = |term: &Term| match term {
                    Term::Object(object) => *object as Thing,
                    Term::Variable(variable) => values[*variable],
                };
                if (value(one) == value(other)) != *sign {
                    return None;
                }
            }
        }
    }
    let rest = condition
        .rest
        .iter()
        .map(|formula| (formula.clone(), values.to_vec()))
        .collect();
    Some((needed, forbidden, rest))
}

/// Whether a condition in facts holds. Adds the facts that its rest asks about to `asked`.
pub(crate) fn holds(
    view: View<'_>,
    needed: &[Fact],
    forbidden: &[Fact],
    rest: &[(Formula, Vec<Thing>)],
    asked: &mut u64,
) -> bool {
    needed.iter().all(|fact| view.state.holds(*fact))
        && !forbidden.iter().any(|fact| view.state.holds(*fact))
        && rest
            .iter()
            .all(|(formula, values)| evaluate(view, formula, &mut values.clone(), asked))
}

impl GroundAction {
    /// How much it keeps in memory, in numbers.
    fn size(&self) -> usize {
        let conditional = self.conditional.iter().map(|effect| {
            let rest = effect.rest.iter().map(|(_, values)| 16 + values.len());
            // Three lists that may be empty take some memory, too.
            24 + effect.needed.len() + effect.forbidden.len() + rest.sum::<usize>()
        });
        let facts = self.needed.len() + self.forbidden.len();
        facts + self.added.len() + self.removed.len() + conditional.sum::<usize>()
    }

    pub(crate) fn is_possible(&self, view: View<'_>, asked: &mut u64) -> bool {
        !self.impossible && holds(view, &self.needed, &self.forbidden, &self.rest, asked)
    }

    /// Changes the state. What becomes both false and true becomes true.
    pub(crate) fn apply(&self, lifted: &Lifted, facts: &Facts, state: &mut State, asked: &mut u64) {
        let happening: Vec<(Fact, bool)> = self
            .conditional
            .iter()
            .filter(|effect| {
                let view = View {
                    domain: &lifted.problem.domain,
                    facts,
                    state,
                };
                holds(view, &effect.needed, &effect.forbidden, &effect.rest, asked)
            })
            .map(|effect| (effect.fact, effect.becomes))
            .collect();
        for fact in &self.removed {
            state.set(*fact, false);
        }
        for (fact, _) in happening.iter().filter(|(_, becomes)| !becomes) {
            state.set(*fact, false);
        }
        for fact in &self.added {
            state.set(*fact, true);
        }
        for (fact, _) in happening.iter().filter(|(_, becomes)| *becomes) {
            state.set(*fact, true);
        }
    }
}

/// Lists of tasks still to do. Equal lists are one list, so they can be compared by number.
pub(crate) struct Lists {
    cells: Vec<Cell>,
    numbers: FxHashMap<(Instance, List), List>,
}

#[derive(Clone, Copy)]
struct Cell {
    first: Instance,
    rest: List,
    length: u32,
}

impl Lists {
    pub(crate) fn new() -> Self {
        Self {
            cells: vec![Cell {
                first: Instance::MAX,
                rest: DONE,
                length: 0,
            }],
            numbers: FxHashMap::default(),
        }
    }

    pub(crate) fn put(&mut self, first: Instance, rest: List) -> List {
        let next = self.cells.len() as List;
        let number = *self.numbers.entry((first, rest)).or_insert(next);
        if number == next {
            let length = self.cells[rest as usize].length + 1;
            self.cells.push(Cell {
                first,
                rest,
                length,
            });
        }
        number
    }

    pub(crate) fn first(&self, list: List) -> Instance {
        self.cells[list as usize].first
    }

    pub(crate) fn rest(&self, list: List) -> List {
        self.cells[list as usize].rest
    }

    pub(crate) fn length(&self, list: List) -> u32 {
        self.cells[list as usize].length
    }

    pub(crate) fn count(&self) -> usize {
        self.cells.len()
    }
}
