//! An HDDL domain and problem after reading: every name is resolved to a number.
//!
//! HDDL names are compared without regard to upper and lower case; the spelling of the declaration
//! is kept for printing.

use super::FxHashMap;

/// The number of a type, an object, a predicate, a task or a method in its list.
pub type Id = usize;

/// The type every type descends from.
pub const OBJECT: Id = 0;

/// All a domain declares. The objects of a problem are added to its constants.
#[derive(Clone, Debug, Default)]
pub struct Domain {
    /// The name after `domain`.
    pub name: String,
    /// Types; the first is `object`.
    pub types: Vec<Type>,
    /// Constants of the domain, then objects of the problem.
    pub objects: Vec<Object>,
    /// Predicates.
    pub predicates: Vec<Predicate>,
    /// Actions and compound tasks.
    pub tasks: Vec<Task>,
    /// Methods, in the order of the text.
    pub methods: Vec<Method>,
    pub(crate) names: Names,
}

/// A domain with what a problem file adds: objects, a first task network, a state and a goal.
#[derive(Clone, Debug, Default)]
pub struct Problem {
    /// The domain, with the problem's objects.
    pub domain: Domain,
    /// The name after `problem`.
    pub name: String,
    /// The variables of the first task network.
    pub parameters: Vec<Parameter>,
    /// What must hold of those variables at the start.
    pub constraints: Formula,
    /// The first task network, in order.
    pub subtasks: Vec<Subtask>,
    /// What is true at first.
    pub init: Vec<(Id, Vec<Id>)>,
    /// What must be true at the end.
    pub goal: Formula,
}

/// A type and the types it directly descends from.
#[derive(Clone, Debug)]
pub struct Type {
    /// Its name.
    pub name: String,
    /// Its parents.
    pub parents: Vec<Id>,
}

/// A thing of one type, or of several (`either`).
#[derive(Clone, Debug)]
pub struct Object {
    /// Its name.
    pub name: String,
    /// Its types.
    pub types: Vec<Id>,
}

/// A predicate: what facts are made of.
#[derive(Clone, Debug)]
pub struct Predicate {
    /// Its name.
    pub name: String,
    /// The types of its arguments.
    pub parameters: Vec<Parameter>,
}

/// A variable and the types its values may have: any one of them.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Its name with the question mark.
    pub name: String,
    /// Its types.
    pub types: Vec<Id>,
}

/// Something to be done.
#[derive(Clone, Debug)]
pub struct Task {
    /// Its name.
    pub name: String,
    /// Its parameters; they are the first variables.
    pub parameters: Vec<Parameter>,
    /// How it is done.
    pub body: Body,
}

/// How a task is done.
#[derive(Clone, Debug)]
pub enum Body {
    /// By itself: a step of a plan.
    Action {
        /// What must hold before.
        precondition: Formula,
        /// What changes.
        effects: Vec<Effect>,
    },
    /// By the subtasks of a method; the methods that do it, in the order of the text.
    Compound(Vec<Id>),
}

/// A way to do a compound task.
#[derive(Clone, Debug)]
pub struct Method {
    /// Its name.
    pub name: String,
    /// Its parameters; they are the first variables.
    pub parameters: Vec<Parameter>,
    /// What it does.
    pub task: Id,
    /// The arguments of what it does.
    pub arguments: Vec<Term>,
    /// What must hold where the first subtask starts.
    pub precondition: Formula,
    /// The subtasks, in order.
    pub subtasks: Vec<Subtask>,
}

/// A task with arguments, in a method or in the first task network.
#[derive(Clone, Debug)]
pub struct Subtask {
    /// The task.
    pub task: Id,
    /// Its arguments.
    pub arguments: Vec<Term>,
}

/// A variable or an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Term {
    /// A variable by its number: parameters first, then those of quantifiers.
    Variable(usize),
    /// An object.
    Object(Id),
}

/// A condition on a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Formula {
    /// All of them. None: true.
    And(Vec<Formula>),
    /// One of them. None: false.
    Or(Vec<Formula>),
    /// Not this.
    Not(Box<Formula>),
    /// For every value of the variable of these types.
    Forall(usize, Vec<Id>, Box<Formula>),
    /// For one value of the variable of these types.
    Exists(usize, Vec<Id>, Box<Formula>),
    /// A fact.
    Fact(Id, Vec<Term>),
    /// Both are the same.
    Same(Term, Term),
}

impl Default for Formula {
    fn default() -> Self {
        Self::And(Vec::new())
    }
}

/// A change of one fact, for all values of its own variables, where its condition holds before.
#[derive(Clone, Debug)]
pub struct Effect {
    /// Variables of `forall` and their types.
    pub variables: Vec<(usize, Vec<Id>)>,
    /// Under which condition.
    pub condition: Formula,
    /// The predicate.
    pub predicate: Id,
    /// Its arguments.
    pub arguments: Vec<Term>,
    /// Whether the fact becomes true or false. Where an action does both, it becomes true.
    pub becomes: bool,
}

/// From names in lower case to numbers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    pub(crate) types: FxHashMap<String, Id>,
    pub(crate) objects: FxHashMap<String, Id>,
    pub(crate) predicates: FxHashMap<String, Id>,
    pub(crate) tasks: FxHashMap<String, Id>,
    pub(crate) methods: FxHashMap<String, Id>,
}

impl Domain {
    /// Whether a thing of type `kind` is one of type `ancestor`.
    #[must_use]
    pub fn descends(&self, kind: Id, ancestor: Id) -> bool {
        // Most types have one parent and few have ancestors that are met twice.
        let mut at = kind;
        loop {
            if at == ancestor {
                return true;
            }
            match self.types[at].parents.as_slice() {
                [] => return false,
                [parent] => at = *parent,
                _ => break,
            }
        }
        let mut seen = vec![false; self.types.len()];
        let mut open = vec![at];
        while let Some(kind) = open.pop() {
            if kind == ancestor {
                return true;
            }
            for parent in &self.types[kind].parents {
                if !std::mem::replace(&mut seen[*parent], true) {
                    open.push(*parent);
                }
            }
        }
        false
    }

    /// Whether an object may be the value of a parameter of these types.
    #[must_use]
    pub fn belongs(&self, object: Id, types: &[Id]) -> bool {
        self.objects[object]
            .types
            .iter()
            .any(|kind| types.iter().any(|wanted| self.descends(*kind, *wanted)))
    }

    /// All objects of any of these types, in the order of the text.
    #[must_use]
    pub fn objects_of(&self, types: &[Id]) -> Vec<Id> {
        (0..self.objects.len())
            .filter(|object| self.belongs(*object, types))
            .collect()
    }

    /// The task of this name.
    #[must_use]
    pub fn task(&self, name: &str) -> Option<Id> {
        self.names.tasks.get(&name.to_lowercase()).copied()
    }

    /// The method of this name.
    #[must_use]
    pub fn method(&self, name: &str) -> Option<Id> {
        self.names.methods.get(&name.to_lowercase()).copied()
    }

    /// The object of this name.
    #[must_use]
    pub fn object(&self, name: &str) -> Option<Id> {
        self.names.objects.get(&name.to_lowercase()).copied()
    }

    /// A task, fact or method call as people read it: `move(r1, t1)`.
    #[must_use]
    pub fn call(&self, name: &str, arguments: &[Id]) -> String {
        let arguments: Vec<&str> = arguments
            .iter()
            .map(|object| self.objects[*object].name.as_str())
            .collect();
        format!("{name}({})", arguments.join(", "))
    }
}

impl Task {
    /// Whether it is a step of a plan.
    #[must_use]
    pub fn is_action(&self) -> bool {
        matches!(self.body, Body::Action { .. })
    }
}
