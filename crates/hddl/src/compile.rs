//! From HDDL to the form that all front ends meet: what the planner with a trace, branch and bound
//! and generated Rust work on.

mod conditions;

use std::collections::BTreeSet;

use super::model as hddl;
use super::model::{Formula, Id, Problem, Term};
use apprentice_htn::model::{
    Binder, Block, Body, Branch, Choice, Comparison, Conflicts, Effect, Expr, ExprKind, Function,
    FunctionId, Initial, Method, Model, Net, Object, Primitive, Slot, Span, Task, Then, Type,
    TypeId, ValueType, Variable, float,
};

/// The task at the end of the network, which can only be done where the goal holds. No HDDL name
/// has a space in it.
pub(super) const GOAL: &str = "goal holds";
/// The task for a first network with variables.
pub(super) const NETWORK: &str = "first network";

/// Turns a problem into a model that [`LoadedDomain`](apprentice_htn::LoadedDomain) can plan with.
///
/// The goal on the state becomes a last task that costs nothing and can only be done where the
/// goal holds.
///
/// ```
/// use apprentice_hddl::{compile, plan_file, read_domain, read_problem, verify};
/// use apprentice_htn::{LoadedDomain, Planner};
/// use apprentice_search::{Budget, Status};
///
/// let domain = read_domain(
///     "lamp.hddl",
///     "(define (domain lamp) (:types lamp) (:predicates (lit ?l - lamp))
///        (:task light :parameters (?l - lamp))
///        (:method by-switch :parameters (?l - lamp) :task (light ?l) :subtasks (press ?l))
///        (:action press :parameters (?l - lamp) :precondition (not (lit ?l)) :effect (lit ?l)))",
/// )?;
/// let text = "(define (problem dark) (:domain lamp) (:objects bulb - lamp)
///     (:htn :parameters (?any - lamp) :subtasks (light ?any)) (:init) (:goal (lit bulb)))";
/// let problem = read_problem(&domain, "dark.hddl", text)?;
/// let loaded = LoadedDomain::new(compile(&problem))?;
/// let mut planner = Planner::new(loaded.initial_state(), loaded.goal());
/// assert_eq!(planner.run(&loaded, &mut Budget::unlimited()), Status::Improved);
/// let plan = plan_file(&loaded, planner.plan().expect("there is one"));
/// assert_eq!(plan.to_string(), "==>\n0 press bulb\nroot 1\n1 light bulb -> by-switch 0\n<==\n");
/// assert!(verify(&problem, &plan).is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn compile(problem: &Problem) -> Model {
    let mut compiler = Compiler::new(problem);
    compiler.model.tasks = problem
        .domain
        .tasks
        .iter()
        .map(|task| compiler.task(task))
        .collect();
    compiler.finish()
}

struct Compiler<'p> {
    problem: &'p Problem,
    model: Model,
    /// The model's type for each type of the domain.
    types: Vec<TypeId>,
    /// Sets of objects that are no type of the model, and the constant functions that say who
    /// belongs to them.
    sets: Vec<(BTreeSet<Id>, FunctionId)>,
}

/// The variables of one task or method: their types, and the slots they live in.
struct Scope {
    types: Vec<Vec<Id>>,
    slots: Vec<Slot>,
    /// Slots for the variables of quantifiers begin here.
    next: Slot,
}

impl Scope {
    fn slot(&self, variable: usize) -> Slot {
        match self.slots.get(variable) {
            Some(slot) => *slot,
            None => self.next + (variable - self.slots.len()) as Slot,
        }
    }
}

fn boolean(kind: ExprKind) -> Expr {
    Expr::new(kind, ValueType::Bool)
}

impl<'p> Compiler<'p> {
    fn new(problem: &'p Problem) -> Self {
        let domain = &problem.domain;
        let mut compiler = Self {
            problem,
            model: Model {
                problem: Some(problem.name.clone()),
                conflicts: Conflicts::Greatest,
                ..Model::default()
            },
            types: vec![TypeId::MAX; domain.types.len()],
            sets: Vec::new(),
        };
        // Parents before children.
        while let Some(kind) = (0..domain.types.len()).find(|kind| {
            compiler.types[*kind] == TypeId::MAX
                && domain.types[*kind]
                    .parents
                    .first()
                    .is_none_or(|parent| compiler.types[*parent] != TypeId::MAX)
        }) {
            compiler.types[kind] = compiler.model.types.len() as TypeId;
            compiler.model.types.push(Type {
                name: domain.types[kind].name.clone(),
                parent: domain.types[kind]
                    .parents
                    .first()
                    .map(|parent| compiler.types[*parent]),
            });
        }
        compiler.model.objects = domain
            .objects
            .iter()
            .map(|object| Object {
                name: object.name.clone(),
                ty: compiler.types[object.types.first().copied().unwrap_or(hddl::OBJECT)],
            })
            .collect();
        compiler.model.functions = domain
            .predicates
            .iter()
            .map(|predicate| Function {
                name: predicate.name.clone(),
                params: predicate
                    .parameters
                    .iter()
                    .map(|parameter| ValueType::Object(compiler.type_of(&parameter.types)))
                    .collect(),
                result: ValueType::Bool,
                default: 0,
                is_observed: false,
            })
            .collect();
        compiler.model.init = problem
            .init
            .iter()
            .map(|(predicate, arguments)| Initial {
                function: *predicate as FunctionId,
                args: arguments.iter().map(|object| *object as i64).collect(),
                value: 1,
            })
            .collect();
        compiler
    }

    fn task(&mut self, task: &hddl::Task) -> Task {
        let count = task.parameters.len();
        let params: Vec<Variable> = task
            .parameters
            .iter()
            .enumerate()
            .map(|(slot, parameter)| Variable {
                name: parameter.name.clone(),
                ty: ValueType::Object(self.type_of(&parameter.types)),
                slot: slot as Slot,
            })
            .collect();
        let (body, slots) = match &task.body {
            hddl::Body::Action {
                precondition,
                effects,
            } => {
                let mut scope = Scope {
                    types: task
                        .parameters
                        .iter()
                        .map(|parameter| parameter.types.clone())
                        .collect(),
                    slots: (0..count as Slot).collect(),
                    next: count as Slot,
                };
                let mut conditions = Vec::new();
                self.conditions(precondition, &mut scope, &mut conditions);
                let effects: Vec<Effect> = effects
                    .iter()
                    .map(|effect| self.effect(effect, &mut scope))
                    .collect();
                let primitive = Primitive {
                    conditions,
                    effects,
                    cost: None,
                };
                (Body::Primitive(primitive), count + highest_variable(task))
            }
            hddl::Body::Compound(methods) => {
                let mut slots = count;
                let problem = self.problem;
                let methods = methods
                    .iter()
                    .map(|method| {
                        let method = &problem.domain.methods[*method];
                        let (method, used) = self.method(method, &task.parameters);
                        slots = slots.max(used);
                        method
                    })
                    .collect();
                (Body::Compound(methods), slots)
            }
        };
        Task {
            name: task.name.clone(),
            params,
            slots: slots as u32,
            body,
            span: Span::default(),
        }
    }

    fn effect(&mut self, effect: &hddl::Effect, scope: &mut Scope) -> Effect {
        let mut when = Vec::new();
        let mut vars = Vec::new();
        for (variable, types) in &effect.variables {
            let (bound, guard) = self.quantified(*variable, types, scope);
            vars.push(bound);
            when.extend(guard);
        }
        self.conditions(&effect.condition, scope, &mut when);
        let problem = self.problem;
        let parameters = &problem.domain.predicates[effect.predicate].parameters;
        if effect.variables.is_empty() {
            when.extend(self.guards(&effect.arguments, parameters, scope));
        }
        Effect {
            vars,
            when: (!when.is_empty()).then(|| Expr::all(when)),
            function: effect.predicate as FunctionId,
            args: effect
                .arguments
                .iter()
                .map(|term| self.term(*term, scope))
                .collect(),
            value: Expr::truth(effect.becomes),
            span: Span::default(),
        }
    }

    /// A method of a task with these parameters, and the slots it needs.
    fn method(&mut self, method: &hddl::Method, parameters: &[hddl::Parameter]) -> (Method, usize) {
        let count = parameters.len();
        let own = method.parameters.len();
        let mut scope = Scope {
            types: method
                .parameters
                .iter()
                .map(|parameter| parameter.types.clone())
                .collect(),
            slots: (0..own)
                .map(|variable| (count + variable) as Slot)
                .collect(),
            next: (count + own) as Slot,
        };
        let mut conditions = Vec::new();
        let mut is_bound = vec![false; own];
        for (position, (term, parameter)) in method.arguments.iter().zip(parameters).enumerate() {
            let value = Expr::new(
                ExprKind::Variable(position as Slot),
                ValueType::Object(self.type_of(&parameter.types)),
            );
            match term {
                Term::Variable(variable) if !is_bound[*variable] => {
                    is_bound[*variable] = true;
                    scope.slots[*variable] = position as Slot;
                    let range = self.objects(&parameter.types);
                    let types = &method.parameters[*variable].types;
                    conditions.extend(self.belongs(value, &range, types));
                }
                _ => conditions.push(boolean(ExprKind::Compare(
                    Comparison::Equal,
                    Box::new(self.term(*term, &scope)),
                    Box::new(value),
                ))),
            }
        }
        let free: Vec<usize> = (0..own).filter(|variable| !is_bound[*variable]).collect();
        let block = self.block(
            conditions,
            &free,
            &method.parameters,
            &method.precondition,
            &method.subtasks,
            &mut scope,
        );
        let highest = scope.next as usize + quantifier_variables(&method.precondition, own);
        let method = Method {
            name: method.name.clone(),
            branches: vec![Branch {
                name: None,
                block,
                span: Span::default(),
            }],
            span: Span::default(),
        };
        (method, highest)
    }

    /// Conditions, then the variables that are still free, then the network.
    fn block(
        &mut self,
        mut conditions: Vec<Expr>,
        free: &[usize],
        parameters: &[hddl::Parameter],
        precondition: &Formula,
        subtasks: &[hddl::Subtask],
        scope: &mut Scope,
    ) -> Block {
        let mut inner = Vec::new();
        let mut vars = Vec::new();
        for variable in self.joined(free, parameters, precondition) {
            let ty = self.type_of(&parameters[variable].types);
            let value = Expr::new(
                ExprKind::Variable(scope.slot(variable)),
                ValueType::Object(ty),
            );
            vars.push(Variable {
                name: parameters[variable].name.clone(),
                ty: ValueType::Object(ty),
                slot: scope.slot(variable),
            });
            let range = self.objects_of_type(ty);
            inner.extend(self.belongs(value, &range, &parameters[variable].types));
        }
        self.conditions(precondition, scope, &mut inner);
        let problem = self.problem;
        for subtask in subtasks {
            let called = &problem.domain.tasks[subtask.task].parameters;
            inner.extend(self.guards(&subtask.arguments, called, scope));
        }
        let net = Net::Ordered(
            subtasks
                .iter()
                .map(|subtask| {
                    Net::Task(
                        subtask.task as u32,
                        subtask
                            .arguments
                            .iter()
                            .map(|term| self.term(*term, scope))
                            .collect(),
                    )
                })
                .collect(),
        );
        if vars.is_empty() {
            conditions.append(&mut inner);
            return Block {
                conditions,
                then: Then::Network(net),
            };
        }
        Block {
            conditions,
            then: Then::Bind(Box::new(Binder {
                choice: Choice::Each,
                vars,
                block: Block {
                    conditions: inner,
                    then: Then::Network(net),
                },
            })),
        }
    }

    /// Free variables so ordered that each, if possible, is joined by a fact to those before it.
    fn joined(
        &self,
        free: &[usize],
        parameters: &[hddl::Parameter],
        precondition: &Formula,
    ) -> Vec<usize> {
        let mut facts = Vec::new();
        positive_facts(precondition, &mut facts);
        let mut left = free.to_vec();
        let mut order = Vec::new();
        while !left.is_empty() {
            let is_known = |term: &Term, left: &[usize]| match term {
                Term::Object(_) => true,
                Term::Variable(variable) => !left.contains(variable),
            };
            let best = left
                .iter()
                .enumerate()
                .min_by_key(|(_, variable)| {
                    let unknown = facts
                        .iter()
                        .filter(|terms| terms.contains(&Term::Variable(**variable)))
                        .map(|terms| {
                            let known = terms.iter().filter(|term| is_known(term, &left)).count();
                            (terms.len() - known, usize::from(known == 0))
                        })
                        .min()
                        .unwrap_or((usize::MAX, 0));
                    (
                        unknown.1,
                        unknown.0,
                        self.objects(&parameters[**variable].types).len(),
                    )
                })
                .map_or(0, |(index, _)| index);
            order.push(left.remove(best));
        }
        order
    }

    fn finish(mut self) -> Model {
        let problem = self.problem;
        let mut nets = Vec::new();
        let mut scope = Scope {
            types: problem
                .parameters
                .iter()
                .map(|parameter| parameter.types.clone())
                .collect(),
            slots: (0..problem.parameters.len() as Slot).collect(),
            next: problem.parameters.len() as Slot,
        };
        let free: Vec<usize> = (0..problem.parameters.len()).collect();
        let block = self.block(
            Vec::new(),
            &free,
            &problem.parameters,
            &problem.constraints,
            &problem.subtasks,
            &mut scope,
        );
        let span = Span::default();
        match block {
            Block {
                conditions,
                then: Then::Network(net),
            } if conditions.is_empty() => nets.push(net),
            block => {
                let slots = free.len() + quantifier_variables(&problem.constraints, free.len());
                nets.push(Net::Task(self.model.tasks.len() as u32, Vec::new()));
                self.model.tasks.push(Task {
                    name: NETWORK.to_owned(),
                    params: Vec::new(),
                    slots: slots as u32,
                    body: Body::Compound(vec![Method {
                        name: NETWORK.to_owned(),
                        branches: vec![Branch {
                            name: None,
                            block,
                            span,
                        }],
                        span,
                    }]),
                    span,
                });
            }
        }
        let mut conditions = Vec::new();
        let mut scope = Scope {
            types: Vec::new(),
            slots: Vec::new(),
            next: 0,
        };
        self.conditions(&problem.goal, &mut scope, &mut conditions);
        if !conditions.is_empty() {
            nets.push(Net::Task(self.model.tasks.len() as u32, Vec::new()));
            self.model.tasks.push(Task {
                name: GOAL.to_owned(),
                params: Vec::new(),
                slots: quantifier_variables(&problem.goal, 0) as u32,
                body: Body::Primitive(Primitive {
                    conditions,
                    effects: Vec::new(),
                    cost: Some(Expr::new(ExprKind::Value(float(0.0)), ValueType::Float)),
                }),
                span,
            });
        }
        self.model.goal = match nets.len() {
            1 => nets.remove(0),
            _ => Net::Ordered(nets),
        };
        self.model
    }
}

fn positive_facts<'f>(formula: &'f Formula, into: &mut Vec<&'f [Term]>) {
    match formula {
        Formula::And(parts) => parts.iter().for_each(|part| positive_facts(part, into)),
        Formula::Fact(_, terms) => into.push(terms),
        _ => {}
    }
}

/// How many variables beyond the first `count` a formula has.
fn quantifier_variables(formula: &Formula, count: usize) -> usize {
    match formula {
        Formula::And(parts) | Formula::Or(parts) => parts
            .iter()
            .map(|part| quantifier_variables(part, count))
            .max()
            .unwrap_or(0),
        Formula::Not(inner) => quantifier_variables(inner, count),
        Formula::Forall(variable, _, inner) | Formula::Exists(variable, _, inner) => {
            (variable + 1 - count).max(quantifier_variables(inner, count))
        }
        Formula::Fact(..) | Formula::Same(..) => 0,
    }
}

/// How many variables beyond its parameters an action has.
fn highest_variable(task: &hddl::Task) -> usize {
    let count = task.parameters.len();
    let hddl::Body::Action {
        precondition,
        effects,
    } = &task.body
    else {
        return 0;
    };
    let of_effects = effects.iter().map(|effect| {
        let own = effect
            .variables
            .iter()
            .map(|(variable, _)| variable + 1 - count);
        own.max()
            .unwrap_or(0)
            .max(quantifier_variables(&effect.condition, count))
    });
    of_effects
        .max()
        .unwrap_or(0)
        .max(quantifier_variables(precondition, count))
}
