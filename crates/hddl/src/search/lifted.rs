//! Tasks and methods made ready for search, their variables still open.
//!
//! What every way to do a task needs is found out once per domain and asked before the task is
//! begun: conditions of actions are pulled up to the methods that contain them, and values no
//! action accepts are taken from the variables of methods. A search then meets far fewer dead ends.

use std::collections::BTreeSet;

use super::super::model::{Body, Effect, Formula, Parameter, Problem, Subtask, Term};
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
    /// Which objects each of its parameters accepts.
    accepts: Vec<Vec<bool>>,
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
        let accepts = |parameters: &[Parameter]| -> Vec<Vec<bool>> {
            let of = |parameter: &Parameter| {
                (0..domain.objects.len())
                    .map(|object| domain.belongs(object, &parameter.types))
                    .collect()
            };
            parameters.iter().map(of).collect()
        };
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
                        accepts: accepts(&task.parameters),
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
                    accepts: accepts(&task.parameters),
                    action: None,
                    methods: methods.clone(),
                },
            })
            .collect();
        let lift = |parameters: &[Parameter],
                    arguments: &[Term],
                    condition: &Formula,
                    subtasks: &[Subtask]| {
            let Condition { literals, rest } = Condition::of(domain, condition);
            LiftedMethod {
                arguments: arguments.to_vec(),
                values: Vec::new(),
                allowed: accepts(parameters),
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
        lifted.delay_values();
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

    /// Lets values be chosen as late as possible: a variable that only one subtask uses, and not the
    /// first, gets its value when that subtask's turn comes. For that the subtask is put into a task
    /// of its own, with a method that has the variable. Otherwise a network with many such variables
    /// would have as many beginnings as there are combinations of all their values.
    fn delay_values(&mut self) {
        let mut late = LateTasks {
            task: self.tasks.len(),
            method: self.methods.len(),
            tasks: Vec::new(),
            methods: Vec::new(),
        };
        for method in &mut self.methods {
            delay(method, &mut late);
        }
        delay(&mut self.first, &mut late);
        self.tasks.append(&mut late.tasks);
        self.methods.append(&mut late.methods);
    }

    /// Takes from variables the values that no action or method below accepts.
    fn narrow_values(&mut self) {
        let mut accepted: Vec<Vec<Vec<bool>>> =
            self.tasks.iter().map(|task| task.accepts.clone()).collect();
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
                        let theirs = effects[*subtask].clone();
                        for (mine, theirs) in effects[task].iter_mut().zip(&theirs) {
                            for (mine, theirs) in mine.iter_mut().zip(theirs) {
                                changed |= *theirs && !*mine;
                                *mine |= *theirs;
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

/// Tasks that are not in the domain, and their methods; and which numbers they have.
struct LateTasks {
    task: usize,
    method: usize,
    tasks: Vec<LiftedTask>,
    methods: Vec<LiftedMethod>,
}

fn delay(method: &mut LiftedMethod, late: &mut LateTasks) {
    let mut uses: Vec<usize> = vec![0; method.allowed.len()];
    for (_, arguments) in &method.subtasks {
        let distinct: BTreeSet<usize> = arguments.iter().filter_map(variable).collect();
        for used in distinct {
            uses[used] += 1;
        }
    }
    let mut early: BTreeSet<usize> = method.arguments.iter().filter_map(variable).collect();
    for literal in &method.condition {
        literal.map(|term| {
            early.extend(variable(&term));
            Some(term)
        });
    }
    for formula in &method.rest {
        variables_of(formula, &mut early);
    }
    for (task, arguments) in method.subtasks.iter_mut().skip(1) {
        let is_late = |term: &Term| {
            variable(term).is_some_and(|used| uses[used] == 1 && !early.contains(&used))
        };
        if !arguments.iter().any(is_late) {
            continue;
        }
        let mut given: Vec<usize> = Vec::new();
        let mut own: Vec<usize> = Vec::new();
        for term in arguments.iter() {
            let list = if is_late(term) { &mut own } else { &mut given };
            list.extend(variable(term).filter(|used| !list.contains(used)));
        }
        let order: Vec<usize> = given.iter().chain(&own).copied().collect();
        let renamed = |term: &Term| match variable(term) {
            Some(used) => {
                let place = order.iter().position(|other| *other == used);
                Term::Variable(place.unwrap_or(0))
            }
            None => *term,
        };
        late.methods.push(LiftedMethod {
            arguments: (0..given.len()).map(Term::Variable).collect(),
            values: Vec::new(),
            allowed: order
                .iter()
                .map(|used| method.allowed[*used].clone())
                .collect(),
            condition: Vec::new(),
            rest: Vec::new(),
            subtasks: vec![(*task, arguments.iter().map(renamed).collect())],
            hopeless: false,
        });
        late.tasks.push(LiftedTask {
            accepts: given
                .iter()
                .map(|used| method.allowed[*used].clone())
                .collect(),
            action: None,
            methods: vec![late.method + late.methods.len() - 1],
        });
        *task = late.task + late.tasks.len() - 1;
        *arguments = given.into_iter().map(Term::Variable).collect();
    }
    // Variables that are gone get any value, once.
    for (used, count) in uses.iter().enumerate() {
        let still = method
            .subtasks
            .iter()
            .any(|(_, arguments)| arguments.contains(&Term::Variable(used)));
        if *count > 0
            && !still
            && let Some(first) = method.allowed[used].iter().position(|allowed| *allowed)
        {
            for (object, allowed) in method.allowed[used].iter_mut().enumerate() {
                *allowed = object == first;
            }
        }
    }
}

fn variable(term: &Term) -> Option<usize> {
    match term {
        Term::Variable(variable) => Some(*variable),
        Term::Object(_) => None,
    }
}

fn variables_of(formula: &Formula, into: &mut BTreeSet<usize>) {
    match formula {
        Formula::And(parts) | Formula::Or(parts) => {
            parts.iter().for_each(|part| variables_of(part, into));
        }
        Formula::Not(inner) | Formula::Forall(_, _, inner) | Formula::Exists(_, _, inner) => {
            variables_of(inner, into);
        }
        Formula::Fact(_, terms) => into.extend(terms.iter().filter_map(variable)),
        Formula::Same(one, other) => into.extend([one, other].into_iter().filter_map(variable)),
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
