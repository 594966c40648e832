//! A problem in which every variable has its value: tasks, methods and facts are numbers, and only
//! facts that can change are kept.

use super::facts::Fact;
use super::first_state;
use super::grounding::Grounding;
use super::instances::{GroundAction, Instance, ground_condition};
use super::lifted::Lifted;

/// A changing fact by its number, counted without gaps.
pub(crate) type Fluent = u32;

pub(crate) struct Grounded {
    pub(crate) fluents: usize,
    /// For each task with arguments, its action if it is one that can be done.
    pub(crate) actions: Vec<Option<Action>>,
    pub(crate) methods: Vec<Method>,
    /// For each task with arguments, its methods in the order of the text.
    pub(crate) methods_of: Vec<Vec<u32>>,
    /// Ways to give the first network values.
    pub(crate) first: Vec<Method>,
    pub(crate) start: Vec<u64>,
    pub(crate) goal: Condition,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Condition {
    pub(crate) needed: Vec<Fluent>,
    pub(crate) forbidden: Vec<Fluent>,
}

#[derive(Clone, Debug)]
pub(crate) struct Action {
    pub(crate) condition: Condition,
    pub(crate) removed: Vec<Fluent>,
    pub(crate) added: Vec<Fluent>,
    pub(crate) conditional: Vec<(Condition, Fluent, bool)>,
}

#[derive(Clone, Debug)]
pub(crate) struct Method {
    pub(crate) number: usize,
    pub(crate) condition: Condition,
    pub(crate) subtasks: Vec<Instance>,
}

impl Condition {
    pub(crate) fn holds(&self, state: &[u64]) -> bool {
        self.needed.iter().all(|fluent| is_true(state, *fluent))
            && !self.forbidden.iter().any(|fluent| is_true(state, *fluent))
    }
}

pub(crate) fn is_true(state: &[u64], fluent: Fluent) -> bool {
    state[fluent as usize / 64] >> (fluent % 64) & 1 == 1
}

/// Whether that changed anything.
fn set(state: &mut [u64], fluent: Fluent, becomes: bool) -> bool {
    let has_changed = is_true(state, fluent) != becomes;
    state[fluent as usize / 64] ^= u64::from(has_changed) << (fluent % 64);
    has_changed
}

impl Action {
    /// Changes the state. False if it certainly is the same as before.
    pub(crate) fn apply(&self, state: &mut [u64]) -> bool {
        let happening: Vec<(Fluent, bool)> = self
            .conditional
            .iter()
            .filter(|(condition, _, _)| condition.holds(state))
            .map(|(_, fluent, becomes)| (*fluent, *becomes))
            .collect();
        let mut has_changed = false;
        for fluent in &self.removed {
            has_changed |= set(state, *fluent, false);
        }
        for (fluent, _) in happening.iter().filter(|(_, becomes)| !becomes) {
            has_changed |= set(state, *fluent, false);
        }
        for fluent in &self.added {
            has_changed |= set(state, *fluent, true);
        }
        for (fluent, _) in happening.iter().filter(|(_, becomes)| *becomes) {
            has_changed |= set(state, *fluent, true);
        }
        has_changed
    }
}

/// What is known of a fact.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Truth {
    Always,
    Never,
    Changes(Fluent),
}

impl Grounded {
    /// None if the first network cannot be done even if nothing ever becomes false: then there is
    /// no plan.
    pub(crate) fn new(lifted: &Lifted, grounding: &mut Grounding) -> Option<Self> {
        let instances = grounding.instances.len();
        let ground: Vec<Option<GroundAction>> = (0..instances as Instance)
            .map(|instance| {
                let task = grounding.instances.task(instance);
                lifted.tasks[task].action.as_ref()?;
                let action = grounding
                    .instances
                    .action(lifted, &mut grounding.facts, instance)
                    .clone();
                let possible = !action.impossible
                    && action.needed.iter().all(|fact| grounding.is_reached(*fact));
                possible.then_some(action)
            })
            .collect();
        let can_be_done = feasible(grounding, &ground);
        if !grounding.methods.iter().any(|method| {
            method.task.is_none()
                && method
                    .subtasks
                    .iter()
                    .all(|task| can_be_done[*task as usize])
        }) {
            return None;
        }

        let goal = super::conditions::Condition {
            literals: lifted.goal.literals.clone(),
            rest: Vec::new(),
        };
        let goal = ground_condition(&mut grounding.facts, &goal, &[])?;
        let (_, start) = first_state(lifted);
        let count = grounding.facts.len();
        let (mut may_rise, mut may_fall) = (vec![false; count], vec![false; count]);
        let used = |instance: usize| can_be_done[instance];
        for (_, action) in ground.iter().enumerate().filter(|(index, _)| used(*index)) {
            let Some(action) = action else { continue };
            for fact in &action.added {
                may_rise[*fact as usize] = true;
            }
            for fact in &action.removed {
                may_fall[*fact as usize] = true;
            }
            for effect in &action.conditional {
                let list = if effect.becomes {
                    &mut may_rise
                } else {
                    &mut may_fall
                };
                list[effect.fact as usize] = true;
            }
        }
        let mut fluents = 0;
        let truths: Vec<Truth> = (0..count)
            .map(|fact| {
                let is_true = start.holds(fact as Fact);
                match (is_true, may_rise[fact], may_fall[fact]) {
                    (true, _, false) => Truth::Always,
                    (false, false, _) => Truth::Never,
                    _ => {
                        fluents += 1;
                        Truth::Changes(fluents - 1)
                    }
                }
            })
            .collect();
        let condition = |needed: &[Fact], forbidden: &[Fact]| -> Option<Condition> {
            let mut condition = Condition::default();
            for (facts, wanted, list) in [
                (needed, Truth::Always, &mut condition.needed),
                (forbidden, Truth::Never, &mut condition.forbidden),
            ] {
                for fact in facts {
                    match truths[*fact as usize] {
                        Truth::Changes(fluent) => list.push(fluent),
                        truth if truth == wanted => {}
                        _ => return None,
                    }
                }
            }
            Some(condition)
        };
        let changing = |facts: &[Fact]| -> Vec<Fluent> {
            facts
                .iter()
                .filter_map(|fact| match truths[*fact as usize] {
                    Truth::Changes(fluent) => Some(fluent),
                    Truth::Always | Truth::Never => None,
                })
                .collect()
        };
        let actions: Vec<Option<Action>> = ground
            .iter()
            .enumerate()
            .map(|(index, action)| {
                let action = action.as_ref().filter(|_| used(index))?;
                Some(Action {
                    condition: condition(&action.needed, &action.forbidden)?,
                    removed: changing(&action.removed),
                    added: changing(&action.added),
                    conditional: action
                        .conditional
                        .iter()
                        .filter_map(|effect| {
                            let fluent = *changing(&[effect.fact]).first()?;
                            let condition = condition(&effect.needed, &effect.forbidden)?;
                            Some((condition, fluent, effect.becomes))
                        })
                        .collect(),
                })
            })
            .collect();
        let (mut methods, mut first) = (Vec::new(), Vec::new());
        let mut methods_of = vec![Vec::new(); instances];
        for method in &grounding.methods {
            if !method.subtasks.iter().all(|task| used(*task as usize)) {
                continue;
            }
            let Some(condition) = condition(&method.needed, &method.forbidden) else {
                continue;
            };
            let ready = Method {
                number: method.method,
                condition,
                subtasks: method.subtasks.clone(),
            };
            match method.task {
                None => first.push(ready),
                Some(task) => {
                    methods_of[task as usize].push(methods.len() as u32);
                    methods.push(ready);
                }
            }
        }
        for list in &mut methods_of {
            list.sort_by_key(|method| methods[*method as usize].number);
        }
        let mut words = vec![0; (fluents as usize).div_ceil(64)];
        for (fact, truth) in truths.iter().enumerate() {
            if let Truth::Changes(fluent) = truth
                && start.holds(fact as Fact)
            {
                set(&mut words, *fluent, true);
            }
        }
        Some(Self {
            fluents: fluents as usize,
            actions,
            methods,
            methods_of,
            first,
            start: words,
            goal: condition(&goal.0, &goal.1)?,
        })
    }
}

/// Which tasks can be finished, if nothing ever becomes false.
fn feasible(grounding: &Grounding, ground: &[Option<GroundAction>]) -> Vec<bool> {
    let mut can = vec![false; ground.len()];
    let mut waiting: Vec<Vec<u32>> = vec![Vec::new(); ground.len()];
    let mut missing: Vec<usize> = Vec::with_capacity(grounding.methods.len());
    let mut queue: Vec<Instance> = Vec::new();
    let mut reach = |task: Option<Instance>, queue: &mut Vec<Instance>| {
        if let Some(task) = task
            && !can[task as usize]
        {
            can[task as usize] = true;
            queue.push(task);
        }
    };
    for (number, method) in grounding.methods.iter().enumerate() {
        for subtask in &method.subtasks {
            waiting[*subtask as usize].push(number as u32);
        }
        missing.push(method.subtasks.len());
        if method.subtasks.is_empty() {
            reach(method.task, &mut queue);
        }
    }
    for (instance, action) in ground.iter().enumerate() {
        if action.is_some() {
            reach(Some(instance as Instance), &mut queue);
        }
    }
    while let Some(task) = queue.pop() {
        for number in &waiting[task as usize] {
            missing[*number as usize] -= 1;
            if missing[*number as usize] == 0 {
                reach(grounding.methods[*number as usize].task, &mut queue);
            }
        }
    }
    can
}
