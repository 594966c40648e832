//! Lists every task with arguments and every method with values that a plan could use, by ignoring
//! that facts become false. What cannot be reached even so is left out; if that is the first task
//! network, there is no plan.

use super::super::FxHashSet;
use super::binding::{Binding, View};
use super::conditions::Literal;
use super::facts::{Fact, Facts, State, Thing};
use super::first_state;
use super::instances::{Instance, Instances};
use super::lifted::{Lifted, LiftedMethod};

/// A method with values.
#[derive(Clone, Debug)]
pub(crate) struct GroundMethod {
    /// What it does; none for the first network.
    pub(crate) task: Option<Instance>,
    pub(crate) method: usize,
    pub(crate) needed: Vec<Fact>,
    pub(crate) forbidden: Vec<Fact>,
    pub(crate) subtasks: Vec<Instance>,
}

/// Where the listing is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    Listing,
    Done,
    /// Too much, or with conditions it cannot treat.
    GaveUp,
}

pub(crate) struct Grounding {
    pub(crate) facts: Facts,
    pub(crate) instances: Instances,
    pub(crate) methods: Vec<GroundMethod>,
    /// Everything that may become true.
    reached: State,
    /// For each predicate, how often something of it was reached.
    versions: Vec<u64>,
    /// For each instance, the sum of the versions it was last listed with.
    listed: Vec<Option<u64>>,
    known: FxHashSet<Vec<u32>>,
    /// The relaxed methods, and the predicates each task's listing depends on.
    relaxed: Vec<LiftedMethod>,
    relaxed_first: LiftedMethod,
    depends: Vec<Vec<usize>>,
    next: usize,
    has_changed: bool,
    binding: Binding,
    pub(crate) stage: Stage,
}

/// More methods with values than this are too many to work with.
const MOST_METHODS: usize = 400_000;

impl Grounding {
    pub(crate) fn new(lifted: &Lifted) -> Self {
        let (facts, reached) = first_state(lifted);
        let relax = |method: &LiftedMethod| {
            let mut relaxed = method.clone();
            relaxed.condition.retain(|literal| match literal {
                Literal::Fact(sign, predicate, _) => *sign || !lifted.changes[*predicate],
                Literal::Same(..) => true,
            });
            relaxed
        };
        let relaxed: Vec<LiftedMethod> = lifted.methods.iter().map(relax).collect();
        let depends = lifted
            .tasks
            .iter()
            .map(|task| {
                let mut predicates: Vec<usize> = task
                    .methods
                    .iter()
                    .flat_map(|method| &relaxed[*method].condition)
                    .filter_map(|literal| match literal {
                        Literal::Fact(_, predicate, _) => Some(*predicate),
                        Literal::Same(..) => None,
                    })
                    .filter(|predicate| lifted.changes[*predicate])
                    .collect();
                predicates.sort_unstable();
                predicates.dedup();
                predicates
            })
            .collect();
        let has_rest = lifted.methods.iter().any(|method| !method.rest.is_empty())
            || !lifted.first.rest.is_empty()
            || !lifted.goal.rest.is_empty()
            || lifted.tasks.iter().any(|task| {
                task.action.as_ref().is_some_and(|action| {
                    !action.condition.rest.is_empty()
                        || action
                            .effects
                            .iter()
                            .any(|effect| !effect.condition.rest.is_empty())
                })
            });
        let mut grounding = Self {
            facts,
            instances: Instances::default(),
            methods: Vec::new(),
            reached,
            versions: vec![0; lifted.problem.domain.predicates.len()],
            listed: Vec::new(),
            known: FxHashSet::default(),
            relaxed_first: relax(&lifted.first),
            relaxed,
            depends,
            next: 0,
            has_changed: false,
            binding: Binding::default(),
            stage: if has_rest {
                Stage::GaveUp
            } else {
                Stage::Listing
            },
        };
        grounding.binding.steps_left = u64::MAX;
        grounding.list_first(lifted);
        grounding
    }

    /// Works for about so many steps; says how many it took.
    pub(crate) fn run(&mut self, lifted: &Lifted, most: u64) -> u64 {
        self.binding.steps_left = u64::MAX;
        let mut steps = 0;
        while self.stage == Stage::Listing && steps < most {
            steps += 1;
            if self.next == self.instances.len() {
                if !self.has_changed {
                    self.stage = Stage::Done;
                    break;
                }
                self.has_changed = false;
                self.next = 0;
                self.list_first(lifted);
                continue;
            }
            let instance = self.next as Instance;
            self.next += 1;
            let before = self.binding.steps_left;
            self.list(lifted, instance);
            steps += before - self.binding.steps_left;
            if self.methods.len() > MOST_METHODS {
                self.stage = Stage::GaveUp;
            }
        }
        steps
    }

    fn list(&mut self, lifted: &Lifted, instance: Instance) {
        let task = self.instances.task(instance);
        if lifted.tasks[task].action.is_some() {
            self.try_action(lifted, instance);
            return;
        }
        let version = self.depends[task]
            .iter()
            .map(|predicate| self.versions[*predicate])
            .sum();
        if self.listed.len() < self.instances.len() {
            self.listed.resize(self.instances.len(), None);
        }
        if self.listed[instance as usize] == Some(version) {
            return;
        }
        self.listed[instance as usize] = Some(version);
        let arguments = self.instances.arguments(instance).to_vec();
        for method in &lifted.tasks[task].methods {
            let relaxed = &self.relaxed[*method];
            if relaxed.hopeless {
                continue;
            }
            list_method(
                lifted,
                &mut Lists {
                    facts: &mut self.facts,
                    instances: &mut self.instances,
                    methods: &mut self.methods,
                    known: &mut self.known,
                    has_changed: &mut self.has_changed,
                },
                &self.reached,
                &mut self.binding,
                relaxed,
                &lifted.methods[*method],
                (Some(instance), *method, &arguments),
            );
        }
    }

    fn list_first(&mut self, lifted: &Lifted) {
        if self.relaxed_first.hopeless {
            return;
        }
        list_method(
            lifted,
            &mut Lists {
                facts: &mut self.facts,
                instances: &mut self.instances,
                methods: &mut self.methods,
                known: &mut self.known,
                has_changed: &mut self.has_changed,
            },
            &self.reached,
            &mut self.binding,
            &self.relaxed_first,
            &lifted.first,
            (None, usize::MAX, &[]),
        );
    }

    fn try_action(&mut self, lifted: &Lifted, instance: Instance) {
        let action = self.instances.action(lifted, &mut self.facts, instance);
        if action.impossible || !action.needed.iter().all(|fact| self.reached.holds(*fact)) {
            return;
        }
        let conditional = action
            .conditional
            .iter()
            .filter(|effect| {
                effect.becomes && effect.needed.iter().all(|fact| self.reached.holds(*fact))
            })
            .map(|effect| effect.fact);
        let rising: Vec<Fact> = action.added.iter().copied().chain(conditional).collect();
        for fact in rising {
            if !self.reached.holds(fact) {
                self.reached.set(fact, true);
                self.versions[self.facts.predicate(fact)] += 1;
                self.has_changed = true;
            }
        }
    }

    /// Whether a fact may become true.
    pub(crate) fn is_reached(&self, fact: Fact) -> bool {
        self.reached.holds(fact)
    }
}

struct Lists<'a> {
    facts: &'a mut Facts,
    instances: &'a mut Instances,
    methods: &'a mut Vec<GroundMethod>,
    known: &'a mut FxHashSet<Vec<u32>>,
    has_changed: &'a mut bool,
}

#[allow(clippy::too_many_arguments)]
fn list_method(
    lifted: &Lifted,
    lists: &mut Lists<'_>,
    reached: &State,
    binding: &mut Binding,
    relaxed: &LiftedMethod,
    method: &LiftedMethod,
    (task, number, arguments): (Option<Instance>, usize, &[Thing]),
) {
    let mut all: Vec<Vec<Thing>> = Vec::new();
    let room = MOST_METHODS - lists.methods.len().min(MOST_METHODS);
    let view = View {
        domain: &lifted.problem.domain,
        facts: lists.facts,
        state: reached,
    };
    binding.each(view, relaxed, arguments, &mut |values| {
        all.push(values.to_vec());
        all.len() <= room
    });
    for values in all {
        let condition = super::conditions::Condition {
            literals: method.condition.clone(),
            rest: Vec::new(),
        };
        let Some((needed, forbidden, _)) =
            super::instances::ground_condition(lists.facts, &condition, &values)
        else {
            continue;
        };
        let subtasks: Vec<Instance> = method
            .subtasks
            .iter()
            .map(|(task, terms)| {
                let values = terms.iter().map(|term| super::value(*term, &values));
                lists.instances.meet(*task, values)
            })
            .collect();
        // The same subtasks under the same condition are the same, whatever the other values.
        let mut key = vec![task.map_or(u32::MAX, |task| task), number as u32];
        key.extend(&subtasks);
        key.push(u32::MAX);
        key.extend(&needed);
        key.push(u32::MAX);
        key.extend(&forbidden);
        if lists.known.insert(key) {
            *lists.has_changed = true;
            lists.methods.push(GroundMethod {
                task,
                method: number,
                needed,
                forbidden,
                subtasks,
            });
        }
    }
}
