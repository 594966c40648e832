//! Checks a plan by living through it and its decomposition, without any planning code.

use std::fmt;

use super::{FxHashMap, FxHashSet};

use super::model::{Body, Domain, Effect, Formula, Id, Parameter, Problem, Subtask, Term};
use super::plan_file::PlanFile;

/// What a valid plan consists of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// Its steps.
    pub steps: usize,
    /// Its decompositions.
    pub decompositions: usize,
}

/// Why a plan is not valid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The step or decomposition that is wrong: `step 3 (id 7), move(r1, t1)`; or `the plan`.
    pub at: String,
    /// What is wrong with it.
    pub why: String,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.at, self.why)
    }
}

impl std::error::Error for Refusal {}

fn refuse<T>(at: impl Into<String>, why: impl Into<String>) -> Result<T, Refusal> {
    Err(Refusal {
        at: at.into(),
        why: why.into(),
    })
}

/// Checks that a plan solves a problem.
///
/// A plan is valid if the tasks of the first network are done, each by a method that suits it or by
/// an action, completely and in order; if every method's precondition holds where its first subtask
/// starts, and every action's where it is done; and if the goal holds at the end.
///
/// ```
/// use apprentice_hddl::{PlanFile, read_domain, read_problem, verify};
///
/// let domain = read_domain(
///     "lamp.hddl",
///     "(define (domain lamp) (:predicates (lit))
///        (:task light :parameters ())
///        (:method by-switch :task (light) :subtasks (press))
///        (:action press :precondition (not (lit)) :effect (lit)))",
/// )?;
/// let text = "(define (problem dark) (:domain lamp) (:htn :subtasks (light)) (:init) (:goal (lit)))";
/// let problem = read_problem(&domain, "dark.hddl", text)?;
/// let plan = PlanFile::read("plan", "==>\n0 press\nroot 1\n1 light -> by-switch 0\n<==")?;
/// assert_eq!(verify(&problem, &plan)?.steps, 1);
///
/// let lazy = PlanFile::read("plan", "==>\nroot 1\n1 light -> by-switch\n<==")?;
/// let refusal = verify(&problem, &lazy).unwrap_err();
/// assert_eq!(
///     refusal.to_string(),
///     "task 1, light(): the method by-switch has 1 subtasks, the plan gives 0"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// The first thing found to be wrong.
pub fn verify(problem: &Problem, plan: &PlanFile) -> Result<Verdict, Refusal> {
    let domain = &problem.domain;
    let nodes = look_up(domain, plan)?;
    let mut walk = Walk {
        problem,
        state: problem
            .init
            .iter()
            .map(|(predicate, arguments)| fact(*predicate, arguments))
            .collect(),
        done: 0,
    };

    // The first network is like a method of a task nobody else does.
    let roots = subtasks_of(&nodes, &plan.roots, "the first task network")?;
    walk.suits(
        "the first task network",
        "it",
        &problem.parameters,
        vec![None; problem.parameters.len()],
        &problem.constraints,
        &problem.subtasks,
        &roots,
    )?;

    let mut used: FxHashSet<u64> = FxHashSet::default();
    let mut to_do: Vec<&Node<'_>> = roots.into_iter().rev().collect();
    while let Some(node) = to_do.pop() {
        if !used.insert(node.id) {
            return refuse(
                &node.title,
                "it is used twice: each task is part of one network",
            );
        }
        let Some((method_id, subtasks)) = node.method else {
            walk.take_step(node, plan)?;
            continue;
        };
        let method = &domain.methods[method_id];
        let children = subtasks_of(&nodes, subtasks, &node.title)?;
        let mut values = vec![None; method.parameters.len()];
        for (term, value) in method.arguments.iter().zip(&node.arguments) {
            if !unify(*term, *value, &mut values) {
                return refuse(
                    &node.title,
                    format!("its arguments do not suit the method {}", method.name),
                );
            }
        }
        walk.suits(
            &node.title,
            &format!("the method {}", method.name),
            &method.parameters,
            values,
            &method.precondition,
            &method.subtasks,
            &children,
        )?;
        to_do.extend(children.into_iter().rev());
    }
    if walk.done < plan.steps.len() {
        let title = &nodes[&plan.steps[walk.done].id].title;
        return refuse(title, "no task asks for it: it is part of no decomposition");
    }
    if let Some(stray) = plan
        .decompositions
        .iter()
        .find(|task| !used.contains(&task.id))
    {
        return refuse(
            &nodes[&stray.id].title,
            "no task asks for it: it is part of no other decomposition",
        );
    }
    if !walk.holds(&problem.goal, &mut Vec::new()) {
        return refuse(
            "the plan",
            format!(
                "the goal does not hold at the end{}",
                walk.first_failure(&problem.goal, &mut Vec::new())
            ),
        );
    }
    Ok(Verdict {
        steps: plan.steps.len(),
        decompositions: plan.decompositions.len(),
    })
}

/// A step or decomposition whose names were looked up.
struct Node<'plan> {
    id: u64,
    /// How messages call it.
    title: String,
    task: Id,
    arguments: Vec<Id>,
    method: Option<(Id, &'plan [u64])>,
}

fn look_up<'plan>(
    domain: &Domain,
    plan: &'plan PlanFile,
) -> Result<FxHashMap<u64, Node<'plan>>, Refusal> {
    let mut nodes = FxHashMap::default();
    let steps = plan.steps.iter().enumerate().map(|(number, step)| {
        let title = format!("step {} (id {})", number + 1, step.id);
        (title, step.id, &step.action, &step.arguments, None)
    });
    let tasks = plan.decompositions.iter().map(|task| {
        let how = Some((&task.method, task.subtasks.as_slice()));
        let title = format!("task {}", task.id);
        (title, task.id, &task.task, &task.arguments, how)
    });
    for (title, id, name, words, how) in steps.chain(tasks) {
        let title = format!("{title}, {name}({})", words.join(", "));
        let Some(task) = domain.task(name) else {
            return refuse(title, format!("the domain has no task or action {name}"));
        };
        let declared = &domain.tasks[task];
        if declared.is_action() != how.is_none() {
            return refuse(
                title,
                if how.is_none() {
                    format!("{name} is no action: the plan must say how it is done")
                } else {
                    format!("{name} is an action: it has no method")
                },
            );
        }
        if words.len() != declared.parameters.len() {
            return refuse(
                title,
                format!(
                    "{name} takes {} arguments, here are {}",
                    declared.parameters.len(),
                    words.len()
                ),
            );
        }
        let mut arguments = Vec::with_capacity(words.len());
        for (word, parameter) in words.iter().zip(&declared.parameters) {
            let Some(object) = domain.object(word) else {
                return refuse(title, format!("there is no object {word}"));
            };
            if !domain.belongs(object, &parameter.types) {
                return refuse(
                    title,
                    format!("{word} is not of the type {} needs", parameter.name),
                );
            }
            arguments.push(object);
        }
        let method = match how {
            None => None,
            Some((name, subtasks)) => {
                let Some(method) = domain.method(name) else {
                    return refuse(title, format!("the domain has no method {name}"));
                };
                if domain.methods[method].task != task {
                    let other = &domain.tasks[domain.methods[method].task].name;
                    return refuse(title, format!("the method {name} is one of {other}"));
                }
                Some((method, subtasks))
            }
        };
        let node = Node {
            id,
            title,
            task,
            arguments,
            method,
        };
        if let Some(other) = nodes.insert(id, node) {
            return refuse(other.title, format!("the id {id} is given twice"));
        }
    }
    Ok(nodes)
}

fn subtasks_of<'a, 'plan>(
    nodes: &'a FxHashMap<u64, Node<'plan>>,
    ids: &[u64],
    title: &str,
) -> Result<Vec<&'a Node<'plan>>, Refusal> {
    ids.iter()
        .map(|id| match nodes.get(id) {
            Some(node) => Ok(node),
            None => refuse(title, format!("the plan has no task with the id {id}")),
        })
        .collect()
}

/// Gives a variable a value, or compares. False if they differ.
fn unify(term: Term, value: Id, values: &mut [Option<Id>]) -> bool {
    match term {
        Term::Object(object) => object == value,
        Term::Variable(variable) => *values[variable].get_or_insert(value) == value,
    }
}

type Fact = Vec<u32>;

fn fact(predicate: Id, arguments: &[Id]) -> Fact {
    std::iter::once(predicate as u32)
        .chain(arguments.iter().map(|object| *object as u32))
        .collect()
}

/// The world while the plan is carried out.
struct Walk<'problem> {
    problem: &'problem Problem,
    state: FxHashSet<Fact>,
    /// Steps taken.
    done: usize,
}

impl Walk<'_> {
    fn take_step(&mut self, node: &Node<'_>, plan: &PlanFile) -> Result<(), Refusal> {
        match plan.steps.get(self.done) {
            Some(step) if step.id == node.id => {}
            _ => {
                return refuse(
                    &node.title,
                    format!(
                        "the decomposition asks for it as step {}: the order of the plan differs",
                        self.done + 1
                    ),
                );
            }
        }
        let Body::Action {
            precondition,
            effects,
        } = &self.problem.domain.tasks[node.task].body
        else {
            return refuse(&node.title, "it is no action");
        };
        let mut values: Vec<Option<Id>> = node.arguments.iter().copied().map(Some).collect();
        if !self.holds(precondition, &mut values) {
            return refuse(
                &node.title,
                format!(
                    "its precondition does not hold{}",
                    self.first_failure(precondition, &mut values)
                ),
            );
        }
        let (mut added, mut removed) = (Vec::new(), Vec::new());
        for effect in effects {
            self.collect(effect, 0, &mut values, &mut added, &mut removed);
        }
        for fact in &removed {
            self.state.remove(fact);
        }
        self.state.extend(added);
        self.done += 1;
        Ok(())
    }

    fn collect(
        &self,
        effect: &Effect,
        bound: usize,
        values: &mut Vec<Option<Id>>,
        added: &mut Vec<Fact>,
        removed: &mut Vec<Fact>,
    ) {
        let Some((variable, types)) = effect.variables.get(bound) else {
            if self.holds(&effect.condition, values) {
                let list = if effect.becomes { added } else { removed };
                list.push(ground(effect.predicate, &effect.arguments, values));
            }
            return;
        };
        for object in self.problem.domain.objects_of(types) {
            set(values, *variable, Some(object));
            self.collect(effect, bound + 1, values, added, removed);
        }
        set(values, *variable, None);
    }

    /// Whether the subtasks in the plan are those of a method or of the first network, and whether
    /// there are values for all its variables with which its condition holds here.
    #[allow(clippy::too_many_arguments)]
    fn suits(
        &self,
        title: &str,
        what: &str,
        parameters: &[Parameter],
        mut values: Vec<Option<Id>>,
        condition: &Formula,
        subtasks: &[Subtask],
        children: &[&Node<'_>],
    ) -> Result<(), Refusal> {
        let domain = &self.problem.domain;
        if subtasks.len() != children.len() {
            return refuse(
                title,
                format!(
                    "{what} has {} subtasks, the plan gives {}",
                    subtasks.len(),
                    children.len()
                ),
            );
        }
        for (number, (subtask, child)) in subtasks.iter().zip(children).enumerate() {
            let number = number + 1;
            if subtask.task != child.task {
                return refuse(
                    title,
                    format!(
                        "subtask {number} of {what} is {}, the plan gives {}",
                        domain.tasks[subtask.task].name, child.title
                    ),
                );
            }
            for (term, value) in subtask.arguments.iter().zip(&child.arguments) {
                if !unify(*term, *value, &mut values) {
                    return refuse(
                        title,
                        format!(
                            "the argument {} of subtask {number}, {}, contradicts the values that \
                             the other tasks of {what} give its variables",
                            domain.objects[*value].name, child.title
                        ),
                    );
                }
            }
        }
        for (parameter, value) in parameters.iter().zip(&values) {
            if let Some(value) = value
                && !domain.belongs(*value, &parameter.types)
            {
                return refuse(
                    title,
                    format!(
                        "{} is not of the type that {} of {what} needs",
                        domain.objects[*value].name, parameter.name
                    ),
                );
            }
        }
        let free: Vec<usize> = (0..values.len())
            .filter(|variable| values[*variable].is_none())
            .collect();
        if self.has_values(&free, parameters, condition, &mut values) {
            return Ok(());
        }
        let failure = if free.is_empty() {
            self.first_failure(condition, &mut values)
        } else {
            " for any values of the variables that the plan leaves open".to_owned()
        };
        refuse(
            title,
            format!(
                "the precondition of {what} does not hold where its first subtask starts{failure}"
            ),
        )
    }

    /// Tries all values of the free variables, giving up early where a part is already false.
    fn has_values(
        &self,
        free: &[usize],
        parameters: &[Parameter],
        condition: &Formula,
        values: &mut Vec<Option<Id>>,
    ) -> bool {
        if self.is_refuted(condition, values) {
            return false;
        }
        let Some((first, rest)) = free.split_first() else {
            return self.holds(condition, values);
        };
        let found = self
            .problem
            .domain
            .objects_of(&parameters[*first].types)
            .into_iter()
            .any(|object| {
                values[*first] = Some(object);
                self.has_values(rest, parameters, condition, values)
            });
        values[*first] = None;
        found
    }

    /// Whether a part of a conjunction is false and has values for all its variables.
    fn is_refuted(&self, condition: &Formula, values: &mut Vec<Option<Id>>) -> bool {
        match condition {
            Formula::And(parts) => parts.iter().any(|part| self.is_refuted(part, values)),
            Formula::Fact(_, terms) => {
                terms.iter().all(|term| value(*term, values).is_some())
                    && !self.holds(condition, values)
            }
            Formula::Same(one, other) => {
                value(*one, values).is_some()
                    && value(*other, values).is_some()
                    && !self.holds(condition, values)
            }
            Formula::Not(inner) => match &**inner {
                Formula::Fact(_, terms) => {
                    terms.iter().all(|term| value(*term, values).is_some())
                        && !self.holds(condition, values)
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// Whether a condition holds; all its free variables have values.
    fn holds(&self, formula: &Formula, values: &mut Vec<Option<Id>>) -> bool {
        match formula {
            Formula::And(parts) => parts.iter().all(|part| self.holds(part, values)),
            Formula::Or(parts) => parts.iter().any(|part| self.holds(part, values)),
            Formula::Not(inner) => !self.holds(inner, values),
            Formula::Same(one, other) => value(*one, values) == value(*other, values),
            Formula::Fact(predicate, terms) => self
                .state
                .contains(ground(*predicate, terms, values).as_slice()),
            Formula::Forall(variable, types, inner) | Formula::Exists(variable, types, inner) => {
                let for_all = matches!(formula, Formula::Forall(..));
                let mut holds = for_all;
                for object in self.problem.domain.objects_of(types) {
                    set(values, *variable, Some(object));
                    if self.holds(inner, values) != for_all {
                        holds = !for_all;
                        break;
                    }
                }
                set(values, *variable, None);
                holds
            }
        }
    }

    /// Names the first part of a conjunction that does not hold, if it is a simple one.
    fn first_failure(&self, formula: &Formula, values: &mut Vec<Option<Id>>) -> String {
        let domain = &self.problem.domain;
        let said = |predicate: Id, terms: &[Term], values: &[Option<Id>]| {
            let arguments: Vec<Id> = terms
                .iter()
                .filter_map(|term| value(*term, values))
                .collect();
            domain.call(&domain.predicates[predicate].name, &arguments)
        };
        match formula {
            Formula::And(parts) => parts
                .iter()
                .find(|part| !self.holds(part, values))
                .map_or(String::new(), |part| self.first_failure(part, values)),
            Formula::Fact(predicate, terms) => {
                format!(": {} is false", said(*predicate, terms, values))
            }
            Formula::Not(inner) => match &**inner {
                Formula::Fact(predicate, terms) => {
                    format!(": {} is true", said(*predicate, terms, values))
                }
                Formula::Same(one, _) => match value(*one, values) {
                    Some(object) => format!(": both are {}", domain.objects[object].name),
                    None => String::new(),
                },
                _ => String::new(),
            },
            Formula::Same(one, other) => match (value(*one, values), value(*other, values)) {
                (Some(one), Some(other)) => format!(
                    ": {} is not {}",
                    domain.objects[one].name, domain.objects[other].name
                ),
                _ => String::new(),
            },
            _ => String::new(),
        }
    }
}

fn value(term: Term, values: &[Option<Id>]) -> Option<Id> {
    match term {
        Term::Object(object) => Some(object),
        Term::Variable(variable) => values.get(variable).copied().flatten(),
    }
}

fn set(values: &mut Vec<Option<Id>>, variable: usize, object: Option<Id>) {
    if values.len() <= variable {
        values.resize(variable + 1, None);
    }
    values[variable] = object;
}

fn ground(predicate: Id, terms: &[Term], values: &[Option<Id>]) -> Fact {
    std::iter::once(predicate as u32)
        .chain(
            terms
                .iter()
                .map(|term| value(*term, values).map_or(u32::MAX, |object| object as u32)),
        )
        .collect()
}
