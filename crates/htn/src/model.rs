//! A domain and one problem in it, typed and with names turned into numbers: what the designer's
//! language and HDDL are both compiled to, and what is interpreted or turned into Rust.
//!
//! Every value fits an `i64`: truth is 0 or 1, an object is its number, nothing is [`NONE`], and a
//! float is its bits. Which of these a value is, is known from the types, never from the value.

use std::fmt;

/// The value that stands for no object.
pub const NONE: i64 = -1;

/// A float as a value.
///
/// ```
/// use apprentice_htn::model::{float, number};
/// assert_eq!(number(float(1.5)), 1.5);
/// ```
pub fn float(value: f64) -> i64 {
    // Both zeros are one value, so that equal states have equal digests.
    (value + 0.0).to_bits() as i64
}

/// The float that a value stands for.
pub fn number(value: i64) -> f64 {
    f64::from_bits(value as u64)
}

/// Numbers of the things in a [`Model`]: positions in its lists.
pub type TypeId = u32;
/// The number of an object.
pub type ObjectId = u32;
/// The number of a function.
pub type FunctionId = u32;
/// The number of an external function.
pub type ExternalId = u32;
/// The number of a task.
pub type TaskId = u32;
/// Where a variable lives while a task is refined: its parameters come first.
pub type Slot = u32;

/// A place in a source text, in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// Which of [`Model::files`].
    pub file: u32,
    /// The first byte.
    pub start: u32,
    /// The byte after the last.
    pub end: u32,
}

/// A domain and one problem in it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Model {
    /// Names and texts of the files it came from, for messages.
    pub files: Vec<File>,
    /// The types. A parent stands before its children.
    pub types: Vec<Type>,
    /// The objects, in the order in which they are enumerated.
    pub objects: Vec<Object>,
    /// The functions: for each tuple of arguments one state variable.
    pub functions: Vec<Function>,
    /// Functions of the host.
    pub externals: Vec<External>,
    /// What can be done.
    pub tasks: Vec<Task>,
    /// Initial values; what is not listed has the function's default. Later ones win.
    pub init: Vec<Initial>,
    /// What is to be done.
    pub goal: Net,
    /// The name of the problem, if it has one.
    pub problem: Option<String>,
    /// What happens if two effects of one task give the same variable different values.
    pub conflicts: Conflicts,
}

/// A source text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct File {
    /// How messages call it.
    pub name: String,
    /// What it says.
    pub text: String,
}

/// What happens if two effects of one task give the same variable different values.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Conflicts {
    /// It is a fault of the domain.
    #[default]
    Fault,
    /// The greater value wins: true over false, as in PDDL, where facts are added after others are
    /// deleted.
    Greatest,
}

/// A type of objects.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Type {
    /// Its name.
    pub name: String,
    /// The type it is a kind of.
    pub parent: Option<TypeId>,
}

/// An object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object {
    /// Its name.
    pub name: String,
    /// Its most special type.
    pub ty: TypeId,
}

/// What values there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ValueType {
    /// Truth.
    Bool,
    /// A whole number.
    Int,
    /// A number.
    Float,
    /// An object of a type.
    Object(TypeId),
    /// An object of a type, or none.
    Optional(TypeId),
}

impl ValueType {
    /// Whether it is a number.
    pub const fn is_numeric(self) -> bool {
        matches!(self, ValueType::Int | ValueType::Float)
    }

    /// The type of the object, if it is one.
    pub const fn object(self) -> Option<TypeId> {
        match self {
            ValueType::Object(ty) | ValueType::Optional(ty) => Some(ty),
            _ => None,
        }
    }
}

/// State variables of one name.
#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// The types of its arguments: objects, or truth.
    pub params: Vec<ValueType>,
    /// What it gives.
    pub result: ValueType,
    /// The value where none is given.
    pub default: i64,
    /// Whether the game may change it, although no task does: what a character sees.
    pub is_observed: bool,
}

/// A function of the host game.
#[derive(Clone, Debug, PartialEq)]
pub struct External {
    /// Its name.
    pub name: String,
    /// The types of its arguments.
    pub params: Vec<ValueType>,
    /// What it gives.
    pub result: ValueType,
}

/// The value of a state variable at the start.
#[derive(Clone, Debug, PartialEq)]
pub struct Initial {
    /// The function.
    pub function: FunctionId,
    /// Its arguments, as values.
    pub args: Vec<i64>,
    /// Its value.
    pub value: i64,
}

/// A variable: a parameter of a task, or bound in a method, a quantifier or an effect.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: ValueType,
    /// Where its value is kept. Variables that are in scope at the same time have different slots.
    pub slot: Slot,
}

/// Something that can be done.
#[derive(Clone, Debug, PartialEq)]
pub struct Task {
    /// Its name.
    pub name: String,
    /// Its parameters, in slots 0, 1, …
    pub params: Vec<Variable>,
    /// How many slots it needs for all variables in it.
    pub slots: u32,
    /// How it is done.
    pub body: Body,
    /// Where it stands.
    pub span: Span,
}

/// How a task is done.
#[derive(Clone, Debug, PartialEq)]
pub enum Body {
    /// By itself.
    Primitive(Primitive),
    /// By other tasks. Methods are alternatives, in this order.
    Compound(Vec<Method>),
}

/// A task that is done by itself.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Primitive {
    /// What must hold before.
    pub conditions: Vec<Expr>,
    /// What holds afterwards. All are worked out in the state before.
    pub effects: Vec<Effect>,
    /// What it costs in the state before: a number. Nothing said: 1.
    pub cost: Option<Expr>,
}

/// A change of state variables.
#[derive(Clone, Debug, PartialEq)]
pub struct Effect {
    /// For all values of these.
    pub vars: Vec<Variable>,
    /// If this holds.
    pub when: Option<Expr>,
    /// This function
    pub function: FunctionId,
    /// at these arguments
    pub args: Vec<Expr>,
    /// gets this value.
    pub value: Expr,
    /// Where it stands.
    pub span: Span,
}

/// One way to do a compound task.
#[derive(Clone, Debug, PartialEq)]
pub struct Method {
    /// Its name; made up if the file has none.
    pub name: String,
    /// If, else if: the first branch that has a binding is used, and no other.
    pub branches: Vec<Branch>,
    /// Where it stands.
    pub span: Span,
}

/// One case of a method.
#[derive(Clone, Debug, PartialEq)]
pub struct Branch {
    /// Its name, if it has one.
    pub name: Option<String>,
    /// What it asks for, and what it leads to.
    pub block: Block,
    /// Where it stands.
    pub span: Span,
}

/// Conditions, and what comes of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    /// All must hold.
    pub conditions: Vec<Expr>,
    /// Then this.
    pub then: Then,
}

/// What a block leads to.
#[derive(Clone, Debug, PartialEq)]
pub enum Then {
    /// Tasks to do.
    Network(Net),
    /// Variables to be bound first.
    Bind(Box<Binder>),
}

/// Binds variables to all values for which its block holds: the last variable changes fastest, and
/// objects come in the order of [`Model::objects`].
#[derive(Clone, Debug, PartialEq)]
pub struct Binder {
    /// Which of the bindings count, and in which order.
    pub choice: Choice,
    /// What is bound. Only objects and truth.
    pub vars: Vec<Variable>,
    /// What must hold, and what follows.
    pub block: Block,
}

/// Which bindings count, and in which order.
#[derive(Clone, Debug, PartialEq)]
pub enum Choice {
    /// All, in order.
    Each,
    /// Only the first.
    First,
    /// All, smallest key first; equal keys stay in order.
    Ascending(Expr),
    /// All, greatest key first; equal keys stay in order.
    Descending(Expr),
}

/// Tasks to do, and which come first.
#[derive(Clone, Debug, PartialEq)]
pub enum Net {
    /// One task. Its arguments are worked out when the network is made.
    Task(TaskId, Vec<Expr>),
    /// One after the other.
    Ordered(Vec<Net>),
    /// In any order, also interleaved.
    Unordered(Vec<Net>),
}

impl Default for Net {
    fn default() -> Net {
        Net::Ordered(Vec::new())
    }
}

/// Something that has a value in a state.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// What it gives.
    pub ty: ValueType,
    /// Where it stands.
    pub span: Span,
}

/// Kinds of expressions.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// A value: truth, a whole number, an object, [`NONE`], or the bits of a float.
    Value(i64),
    /// A variable.
    Variable(Slot),
    /// A state variable.
    Function(FunctionId, Vec<Expr>),
    /// What the host says.
    External(ExternalId, Vec<Expr>),
    /// Whether an object (or none, which is of no type) is of a type.
    IsA(Box<Expr>, TypeId),
    /// Not.
    Not(Box<Expr>),
    /// All of them; what follows the first that does not hold is not looked at. Empty: true.
    And(Vec<Expr>),
    /// Any of them; what follows the first that holds is not looked at. Empty: false.
    Or(Vec<Expr>),
    /// Two values of one kind compared. A whole number beside a float counts as a float.
    Compare(Comparison, Box<Expr>, Box<Expr>),
    /// Two numbers.
    Arithmetic(Arithmetic, Box<Expr>, Box<Expr>),
    /// The other sign.
    Negate(Box<Expr>),
    /// Without its sign.
    Absolute(Box<Expr>),
    /// If, then, else.
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// Whether it holds for some, or for all, values.
    Quantifier(Quantifier, Vec<Variable>, Box<Expr>),
}

/// How two values compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// Equal.
    Equal,
    /// Not equal.
    Different,
    /// Less.
    Less,
    /// Less or equal.
    AtMost,
    /// Greater.
    Greater,
    /// Greater or equal.
    AtLeast,
}

/// What is done to two numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arithmetic {
    /// Sum.
    Add,
    /// Difference.
    Subtract,
    /// Product.
    Multiply,
    /// Quotient; of whole numbers, towards zero.
    Divide,
    /// What division leaves over, with the sign of the first.
    Remainder,
    /// The smaller.
    Min,
    /// The greater.
    Max,
}

/// Some or all.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantifier {
    /// For at least one.
    Exists,
    /// For all.
    Forall,
}

impl Expr {
    /// An expression without a place in a text.
    ///
    /// ```
    /// use apprentice_htn::model::{Expr, ExprKind, ValueType};
    /// assert!(Expr::new(ExprKind::Value(1), ValueType::Bool).is_true());
    /// ```
    pub fn new(kind: ExprKind, ty: ValueType) -> Expr {
        Expr {
            kind,
            ty,
            span: Span::default(),
        }
    }

    /// Truth.
    pub fn truth(value: bool) -> Expr {
        Expr::new(ExprKind::Value(i64::from(value)), ValueType::Bool)
    }

    /// All of them.
    pub fn all(exprs: Vec<Expr>) -> Expr {
        Expr::new(ExprKind::And(exprs), ValueType::Bool)
    }

    /// Whether it is the constant true.
    pub fn is_true(&self) -> bool {
        self.kind == ExprKind::Value(1) && self.ty == ValueType::Bool
    }

    /// Calls `visit` with this expression and all in it.
    pub fn walk<'e>(&'e self, visit: &mut dyn FnMut(&'e Expr)) {
        visit(self);
        match &self.kind {
            ExprKind::Value(_) | ExprKind::Variable(_) => {}
            ExprKind::Function(_, list)
            | ExprKind::External(_, list)
            | ExprKind::And(list)
            | ExprKind::Or(list) => list.iter().for_each(|e| e.walk(visit)),
            ExprKind::IsA(e, _)
            | ExprKind::Not(e)
            | ExprKind::Negate(e)
            | ExprKind::Absolute(e)
            | ExprKind::Quantifier(_, _, e) => e.walk(visit),
            ExprKind::Compare(_, a, b) | ExprKind::Arithmetic(_, a, b) => {
                a.walk(visit);
                b.walk(visit);
            }
            ExprKind::If(a, b, c) => {
                a.walk(visit);
                b.walk(visit);
                c.walk(visit);
            }
        }
    }
}

impl Model {
    /// Whether `ty` is `ancestor` or a kind of it.
    pub fn is_kind_of(&self, ty: TypeId, ancestor: TypeId) -> bool {
        let mut at = Some(ty);
        while let Some(ty) = at {
            if ty == ancestor {
                return true;
            }
            at = self.types[ty as usize].parent;
        }
        false
    }

    /// The objects of a type and of all its kinds, in order.
    pub fn objects_of(&self, ty: TypeId) -> Vec<ObjectId> {
        (0..self.objects.len() as ObjectId)
            .filter(|&object| self.is_kind_of(self.objects[object as usize].ty, ty))
            .collect()
    }

    /// The values a variable of that type can be bound to, in order; none for numbers, which are
    /// too many.
    pub fn values_of(&self, ty: ValueType) -> Vec<i64> {
        match ty {
            ValueType::Bool => vec![0, 1],
            ValueType::Int | ValueType::Float => Vec::new(),
            ValueType::Object(ty) | ValueType::Optional(ty) => {
                self.objects_of(ty).into_iter().map(i64::from).collect()
            }
        }
    }

    /// The number of a task.
    pub fn task(&self, name: &str) -> Option<TaskId> {
        let at = self.tasks.iter().position(|task| task.name == name)?;
        Some(at as TaskId)
    }

    /// How a value is written.
    pub fn show(&self, value: i64, ty: ValueType) -> String {
        match ty {
            ValueType::Bool => (value != 0).to_string(),
            ValueType::Int => value.to_string(),
            ValueType::Float => number(value).to_string(),
            ValueType::Object(_) | ValueType::Optional(_) => match usize::try_from(value) {
                Ok(object) if object < self.objects.len() => self.objects[object].name.clone(),
                _ => "none".to_owned(),
            },
        }
    }

    /// The functions that some task, or the game, changes.
    pub fn changing(&self) -> Vec<bool> {
        let observed = self.functions.iter().map(|function| function.is_observed);
        let mut changing: Vec<bool> = observed.collect();
        for task in &self.tasks {
            if let Body::Primitive(primitive) = &task.body {
                for effect in &primitive.effects {
                    changing[effect.function as usize] = true;
                }
            }
        }
        changing
    }

    /// The place a span stands for: file name, line and column from 1, and the line itself.
    pub fn place(&self, span: Span) -> Option<Place<'_>> {
        place_in(self.files.get(span.file as usize)?, span)
    }
}

pub(crate) fn place_in(file: &File, span: Span) -> Option<Place<'_>> {
    let start = (span.start as usize).min(file.text.len());
    let before = file.text.get(..start)?;
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    let line_end = file.text[start..]
        .find('\n')
        .map_or(file.text.len(), |at| start + at);
    Some(Place {
        file: &file.name,
        line: before.matches('\n').count() + 1,
        column: file.text[line_start..start].chars().count() + 1,
        text: &file.text[line_start..line_end],
    })
}

/// Where something stands, for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place<'m> {
    /// The file.
    pub file: &'m str,
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, in characters.
    pub column: usize,
    /// The whole line.
    pub text: &'m str,
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}
