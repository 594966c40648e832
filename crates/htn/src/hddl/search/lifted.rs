//! Tasks and methods made ready for search, their variables still open.
//!
//! What every way to do a task needs is found out once per domain and asked before the task is
//! begun: conditions of actions are pulled up to the methods that contain them, and values no
//! action accepts are taken from the variables of methods. A search then meets far fewer dead ends.

use std::collections::BTreeSet;

use super::super::model::{Body, Effect, Formula, Problem, Term};
use super::conditions::{Condition, Literal};
use super::facts::Thing;

/// A domain and problem ready for search. Constant during a search.
pub(crate) struct Lifted {
    pub(crate) problem: Problem,
    pub(crate) tasks: Vec<LiftedTask>,
    pub(crate) methods: Vec<LiftedMethod>,
    /// The first task network as a method of a task that is not in the domain.
    pub(crate) first: LiftedMethod,
    pub(crate) goal: Condition,
    /// Which predicates some action changes.
    pub(crate) changes: Vec<bool>,
}

pub(crate) struct LiftedTask {
    /// None for compound tasks.
    pub(crate) action: Option<LiftedAction>,
    /// Methods, in the order of the text.
    pub(crate) methods: Vec<usize>,
}

pub(crate) struct LiftedAction {
    pub(crate) condition: Condition,
    pub(crate) effects: Vec<LiftedEffect>,
}

pub(crate) struct LiftedEffect {
    pub(crate) effect: Effect,
    pub(crate) condition: Condition,
}

#[derive(Clone)]
pub(crate) struct LiftedMethod {
    /// The method's number, or none for the first network.
    pub(crate) arguments: Vec<Term>,
    /// The values each variable may have, in the order of the text.
    pub(crate) values: Vec<Vec<Thing>>,
    /// The same as sets.
    pub(crate) allowed: Vec<Vec<bool>>,
    /// What must hold at the start: its own precondition and what its subtasks need.
    pub(crate) condition: Vec<Literal>,
    pub(crate) rest: Vec<Formula>,
    pub(crate) subtasks: Vec<(usize, Vec<Term>)>,
    /// No way to do it ends, or a subtask has no method.
    pub(crate) hopeless: bool,
}

impl Lifted {
    pub(crate) fn new(problem: &Problem) -> Self {
        let domain = &problem.domain;
        let mut changes = vec![false; domain.predicates.len()];
        let tasks: Vec<LiftedTask> = domain
            .tasks
            .iter()
            .map(|task| match &task.body {
                Body::Action {
                    precondition,
                    effects,
                } => {
                    for effect in effects {
                        changes[effect.predicate] = true;
                    }
                    LiftedTask {
                        action: Some(LiftedAction {
                            condition: Condition::of(domain, precondition),
                            effects: effects
                                .iter()
                                .map(|effect| LiftedEffect {
                                    effect: effect.clone(),
                                    condition: Condition::of(domain, &effect.condition),
                                })
                                .collect(),
                        }),
                        methods: Vec::new(),
                    }
                }
                Body::Compound(methods) => LiftedTask {
                    action: None,
                    methods: methods.clone(),
                },
            })
            .collect();
        let lift = |parameters: &[super::super::model::Parameter],
                    arguments: &[Term],
                    condition: &Formula,
                    subtasks: &[super::super::model::Subtask]| {
            let Condition { literals, rest } = Condition::of(domain, condition);
            let allowed: Vec<Vec<bool>> = parameters
                .iter()
                .map(|parameter| {
                    (0..domain.objects.len())
                        .map(|object| domain.belongs(object, &parameter.types))
                        .collect()
                })
                .collect();
            LiftedMethod {
                arguments: arguments.to_vec(),
                values: Vec::new(),
                allowed,
                condition: literals,
                rest,
                subtasks: subtasks
                    .iter()
                    .map(|subtask| (subtask.task, subtask.arguments.clone()))
                    .collect(),
                hopeless: false,
            }
        };
        let mut lifted = Self {
            methods: domain
                .methods
                .iter()
                .map(|method| {
                    lift(
                        &method.parameters,
                        &method.arguments,
                        &method.precondition,
                        &method.subtasks,
                    )
                })
                .collect(),
            first: lift(
                &problem.parameters,
                &[],
                &problem.constraints,
                &problem.subtasks,
            ),
            goal: Condition::of(domain, &problem.goal),
            problem: problem.clone(),
            tasks,
            changes,
        };
        lifted.narrow_values();
        lifted.pull_up();
        for method in lifted
            .methods
            .iter_mut()
            .chain(std::iter::once(&mut lifted.first))
        {
            method.values = method
                .allowed
                .iter()
                .map(|set| {
                    (0..set.len() as Thing)
                        .filter(|object| set[*object as usize])
                        .collect()
                })
                .collect();
        }
        lifted
    }

    /// Takes from variables the values that no action or method below accepts.
    fn narrow_values(&mut self) {
        let domain = &self.problem.domain;
        let objects = domain.objects.len();
        let mut accepted: Vec<Vec<Vec<bool>>> = domain
            .tasks
            .iter()
            .map(|task| {
                task.parameters
                    .iter()
                    .map(|parameter| {
                        (0..objects)
                            .map(|object| domain.belongs(object, &parameter.types))
                            .collect()
                    })
                    .collect()
            })
            .collect();
        let narrow = |method: &mut LiftedMethod, accepted: &[Vec<Vec<bool>>]| {
            let mut changed = false;
            for (task, arguments) in &method.subtasks {
                for (position, term) in arguments.iter().enumerate() {
                    if let Term::Variable(variable) = term {
                        for (mine, theirs) in method.allowed[*variable]
                            .iter_mut()
                            .zip(&accepted[*task][position])
                        {
                            changed |= *mine && !theirs;
                            *mine &= theirs;
                        }
                    }
                }
            }
            changed
        };
        loop {
            let mut changed = false;
            for method in &mut self.methods {
                changed |= narrow(method, &accepted);
            }
            for (task, lifted) in self.tasks.iter().enumerate() {
                if lifted.action.is_some() {
                    continue;
                }
                for (position, set) in accepted[task].iter_mut().enumerate() {
                    for (object, accepts) in set.iter_mut().enumerate() {
                        if !*accepts {
                            continue;
                        }
                        let by_any = lifted.methods.iter().any(|method| {
                            let method = &self.methods[*method];
                            match method.arguments[position] {
                                Term::Object(constant) => constant == object,
                                Term::Variable(variable) => method.allowed[variable][object],
                            }
                        });
                        changed |= !by_any;
                        *accepts = by_any;
                    }
                }
            }
            if !changed {
                break;
            }
        }
        narrow(&mut self.first, &accepted);
    }

    /// Adds to every method what its subtasks certainly need at its start.
    fn pull_up(&mut self) {
        let effects = self.possible_effects();
        // What a task certainly needs; none: not yet known, so that anything is. The greatest
        // solution is wanted, because a task that cannot be finished needs the impossible.
        let mut needs: Vec<Option<BTreeSet<Literal>>> = self
            .tasks
            .iter()
            .map(|task| {
                let action = task.action.as_ref()?;
                Some(action.condition.literals.iter().cloned().collect())
            })
            .collect();
        loop {
            let mut changed = false;
            for task in 0..self.tasks.len() {
                if self.tasks[task].action.is_some() {
                    continue;
                }
                let mut common: Option<BTreeSet<Literal>> = None;
                for method in &self.tasks[task].methods {
                    let method = &self.methods[*method];
                    let Some(needed) = needs_of(method, &needs, &effects) else {
                        continue;
                    };
                    // In the words of the task: its parameters instead of the method's.
                    let said: BTreeSet<Literal> = needed
                        .iter()
                        .filter_map(|literal| {
                            literal.map(|term| match term {
                                Term::Object(_) => Some(term),
                                Term::Variable(_) => method
                                    .arguments
                                    .iter()
                                    .position(|argument| *argument == term)
                                    .map(Term::Variable),
                            })
                        })
                        .collect();
                    common = Some(match common {
                        None => said,
                        Some(others) => others.intersection(&said).cloned().collect(),
                    });
                }
                if common != needs[task] {
                    needs[task] = common;
                    changed = true;
                }
            }
            if !changed {
                break;
            }
        }
        for method in self
            .methods
            .iter_mut()
            .chain(std::iter::once(&mut self.first))
        {
            match needs_of(method, &needs, &effects) {
                Some(needed) => method.condition = needed.into_iter().collect(),
                None => method.hopeless = true,
            }
        }
    }

    /// For each task, which predicates it may make true, and which false.
    fn possible_effects(&self) -> Vec<[Vec<bool>; 2]> {
        let predicates = self.problem.domain.predicates.len();
        let mut effects =
            vec![[vec![false; predicates], vec![false; predicates]]; self.tasks.len()];
        for (task, lifted) in self.tasks.iter().enumerate() {
            for LiftedEffect { effect, .. } in
                lifted.action.iter().flat_map(|action| &action.effects)
            {
                effects[task][usize::from(effect.becomes)][effect.predicate] = true;
            }
        }
        loop {
            let mut changed = false;
            for (task, lifted) in self.tasks.iter().enumerate() {
                for method in &lifted.methods {
                    for (subtask, _) in &self.methods[*method].subtasks {
                        for sign in 0..2 {
                            for predicate in 0..predicates {
                                if effects[*subtask][sign][predicate]
                                    && !effects[task][sign][predicate]
                                {
                                    effects[task][sign][predicate] = true;
                                    changed = true;
                                }
                            }
                        }
                    }
                }
            }
            if !changed {
                return effects;
            }
        }
    }
}

/// What a method certainly needs at its start, in its own variables; none if it cannot be done.
fn needs_of(
    method: &LiftedMethod,
    needs: &[Option<BTreeSet<Literal>>],
    effects: &[[Vec<bool>; 2]],
) -> Option<BTreeSet<Literal>> {
    let mut all: BTreeSet<Literal> = method.condition.iter().cloned().collect();
    for (index, (task, arguments)) in method.subtasks.iter().enumerate() {
        for literal in needs[*task].as_ref()? {
            // What an earlier subtask may bring about need not hold at the start.
            let arranged = match literal {
                Literal::Same(..) => false,
                Literal::Fact(sign, predicate, _) => method.subtasks[..index]
                    .iter()
                    .any(|(earlier, _)| effects[*earlier][usize::from(*sign)][*predicate]),
            };
            if arranged {
                continue;
            }
            let literal = literal.map(|term| match term {
                Term::Object(_) => Some(term),
                Term::Variable(variable) => arguments.get(variable).copied(),
            });
            // Variables of quantifiers are not arguments; such literals stay below.
            all.extend(literal);
        }
    }
    Some(all)
}
