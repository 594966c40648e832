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
    /// How many numbers the methods are made of.
    numbers: usize,
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
/// More work than this is not spent on listing the methods of one task: it cannot be interrupted.
const MOST_STEPS: u64 = 1 << 20;
/// More memory than this, in numbers kept, is not used.
const LARGEST: usize = 50_000_000;

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
            numbers: 0,
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
        if grounding.stage == Stage::Listing {
            grounding.list_first(lifted);
        }
        grounding
    }

    /// Works for about so many steps; says how many it took.
    pub(crate) fn run(&mut self, lifted: &Lifted, most: u64) -> u64 {
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
                steps += self.list_first(lifted);
                continue;
            }
            let instance = self.next as Instance;
            self.next += 1;
            steps += self.list(lifted, instance);
            if self.methods.len() > MOST_METHODS || self.size() > LARGEST {
                self.stage = Stage::GaveUp;
            }
        }
        steps
    }

    /// How much it keeps in memory, in numbers.
    fn size(&self) -> usize {
        self.instances.size() + self.numbers
    }

    /// Lists the methods of a task, or what an action brings about; says how many steps it took.
    fn list(&mut self, lifted: &Lifted, instance: Instance) -> u64 {
        let task = self.instances.task(instance);
        if lifted.tasks[task].action.is_some() {
            return self.try_action(lifted, instance);
        }
        let version = self.depends[task]
            .iter()
            .map(|predicate| self.versions[*predicate])
            .sum();
        if self.listed.len() < self.instances.len() {
            self.listed.resize(self.instances.len(), None);
        }
        if self.listed[instance as usize] == Some(version) {
            return 0;
        }
        self.listed[instance as usize] = Some(version);
        let arguments = self.instances.arguments(instance).to_vec();
        (self.binding.steps, self.binding.most_steps) = (0, MOST_STEPS);
        for method in &lifted.tasks[task].methods {
            self.list_method(
                lifted,
                &lifted.methods[*method],
                (Some(instance), *method, &arguments),
            );
        }
        self.binding.steps
    }

    fn list_first(&mut self, lifted: &Lifted) -> u64 {
        (self.binding.steps, self.binding.most_steps) = (0, MOST_STEPS);
        self.list_method(lifted, &lifted.first, (None, usize::MAX, &[]));
        self.binding.steps
    }

    fn try_action(&mut self, lifted: &Lifted, instance: Instance) -> u64 {
        let before = self.instances.size();
        let action = self.instances.action(lifted, &mut self.facts, instance);
        if action.impossible || !action.needed.iter().all(|fact| self.reached.holds(*fact)) {
            return 0;
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
        (self.instances.size() - before) as u64
    }

    /// Lists the ways to use a method. If these are too many, the whole listing gives up: what was
    /// listed in part would prove nothing.
    fn list_method(
        &mut self,
        lifted: &Lifted,
        method: &LiftedMethod,
        (task, number, arguments): (Option<Instance>, usize, &[Thing]),
    ) {
        let relaxed = match task {
            None => &self.relaxed_first,
            Some(_) => &self.relaxed[number],
        };
        if relaxed.hopeless {
            return;
        }
        let mut all: Vec<Vec<Thing>> = Vec::new();
        let room = MOST_METHODS - self.methods.len().min(MOST_METHODS);
        let view = View {
            domain: &lifted.problem.domain,
            facts: &self.facts,
            state: &self.reached,
        };
        let is_all = self.binding.each(view, relaxed, arguments, &mut |values| {
            all.push(values.to_vec());
            all.len() <= room
        });
        if !is_all {
            self.stage = Stage::GaveUp;
            return;
        }
        let condition = super::conditions::Condition {
            literals: method.condition.clone(),
            rest: Vec::new(),
        };
        for values in all {
            let Some((needed, forbidden, _)) =
                super::instances::ground_condition(&mut self.facts, &condition, &values)
            else {
                continue;
            };
            let subtasks: Vec<Instance> = method
                .subtasks
                .iter()
                .map(|(task, terms)| {
                    let values = terms.iter().map(|term| super::value(*term, &values));
                    self.instances.meet(*task, values)
                })
                .collect();
            // The same subtasks under the same condition are the same, whatever the other values.
            let mut key = vec![task.map_or(u32::MAX, |task| task), number as u32];
            key.extend(&subtasks);
            key.push(u32::MAX);
            key.extend(&needed);
            key.push(u32::MAX);
            key.extend(&forbidden);
            let length = key.len();
            if self.known.insert(key) {
                self.has_changed = true;
                self.numbers += 2 * length;
                self.methods.push(GroundMethod {
                    task,
                    method: number,
                    needed,
                    forbidden,
                    subtasks,
                });
            }
        }
    }

    /// Whether a fact may become true.
    pub(crate) fn is_reached(&self, fact: Fact) -> bool {
        self.reached.holds(fact)
    }
}
