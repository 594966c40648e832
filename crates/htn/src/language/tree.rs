//! A source text as a tree: everything that was written, with its place.

use crate::model::{Arithmetic, Comparison, Quantifier, Span};

/// A place. Trees are equal if they say the same, wherever it stands.
#[derive(Clone, Copy, Debug, Default)]
pub struct At(pub Span);

impl PartialEq for At {
    fn eq(&self, _: &At) -> bool {
        true
    }
}

/// A whole file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tree {
    /// What it declares.
    pub decls: Vec<Decl>,
    /// Its comments, in order.
    pub comments: Vec<Comment>,
}

/// A comment, as it was written.
#[derive(Clone, Debug, PartialEq)]
pub struct Comment {
    /// With its slashes.
    pub text: String,
    /// Whether something stands before it on its line.
    pub is_trailing: bool,
    /// Where it stands.
    pub at: At,
}

/// A name and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Name {
    /// The name.
    pub text: String,
    /// Where it stands.
    pub at: At,
}

/// A declaration.
#[derive(Clone, Debug, PartialEq)]
pub struct Decl {
    /// What it declares.
    pub kind: DeclKind,
    /// Where it stands.
    pub at: At,
}

/// Kinds of declarations.
#[derive(Clone, Debug, PartialEq)]
pub enum DeclKind {
    /// `include "file";`
    Include(Name),
    /// `type A, B < A;`
    Types(Vec<(Name, Option<Name>)>),
    /// `instance T a, b;`
    Instances(Instances),
    /// `fluent bool open(Door d) := false;`
    Function(FunctionDecl),
    /// `external float noise(Area a);`
    External(Typed, Name, Vec<Param>),
    /// `task …`
    Task(TaskDecl),
    /// `init { … }`
    Init(Vec<InitStmt>),
    /// `problem p { … goal ordered(…); }`
    Problem(ProblemDecl),
}

/// Objects of one type.
#[derive(Clone, Debug, PartialEq)]
pub struct Instances {
    /// The type.
    pub ty: Name,
    /// The objects.
    pub names: Vec<Name>,
}

/// State variables.
#[derive(Clone, Debug, PartialEq)]
pub struct FunctionDecl {
    /// Whether tasks may change it.
    pub kind: FunctionKind,
    /// What it gives.
    pub ty: Typed,
    /// Its name.
    pub name: Name,
    /// Its parameters.
    pub params: Vec<Param>,
    /// Its value where none is given.
    pub default: Option<Expr>,
}

/// Whether tasks may change a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FunctionKind {
    /// They must not.
    Constant,
    /// They may.
    Fluent,
    /// It shows from the tasks.
    Function,
}

/// A type of values, as it is written.
#[derive(Clone, Debug, PartialEq)]
pub struct Typed {
    /// `bool`, `int`, `float`, or a type of objects.
    pub name: Name,
    /// Whether it may be none.
    pub is_optional: bool,
}

/// A parameter. Those of functions need no name.
#[derive(Clone, Debug, PartialEq)]
pub struct Param {
    /// Its type.
    pub ty: Typed,
    /// Its name.
    pub name: Option<Name>,
}

/// A task.
#[derive(Clone, Debug, PartialEq)]
pub struct TaskDecl {
    /// Its name.
    pub name: Name,
    /// Its parameters.
    pub params: Vec<Param>,
    /// How it is done.
    pub body: TaskBody,
}

/// How a task is done.
#[derive(Clone, Debug, PartialEq)]
pub enum TaskBody {
    /// By itself.
    Primitive(Option<Expr>, Vec<Stmt>),
    /// By other tasks.
    Compound(Vec<MethodDecl>),
}

/// A statement of a primitive task.
#[derive(Clone, Debug, PartialEq)]
pub struct Stmt {
    /// What it says.
    pub kind: StmtKind,
    /// Where it stands.
    pub at: At,
}

/// Kinds of statements.
#[derive(Clone, Debug, PartialEq)]
pub enum StmtKind {
    /// `x;`
    Condition(Expr),
    /// `f(x) == a :-> b;`
    Transition(Lvalue, Expr, Expr),
    /// `f(x) := a;`
    Assign(Lvalue, Expr),
    /// `when (x) { … }`
    When(Expr, Vec<Stmt>),
    /// `forall (T x) when (y) { … }`
    Forall(Vec<Param>, Option<Expr>, Vec<Stmt>),
}

/// A state variable that gets a value.
#[derive(Clone, Debug, PartialEq)]
pub struct Lvalue {
    /// The function.
    pub name: Name,
    /// Its arguments; none if there are no parentheses.
    pub args: Option<Vec<Expr>>,
    /// Where it stands.
    pub at: At,
}

/// `method name { … }`
#[derive(Clone, Debug, PartialEq)]
pub struct MethodDecl {
    /// Its name.
    pub name: Option<Name>,
    /// Its branches; a method without the word has one.
    pub branches: Vec<BranchDecl>,
    /// Whether the word `branch` was used.
    pub has_branches: bool,
    /// Where it stands.
    pub at: At,
}

/// `branch name { … }`
#[derive(Clone, Debug, PartialEq)]
pub struct BranchDecl {
    /// Its name.
    pub name: Option<Name>,
    /// What is in it.
    pub body: BranchBody,
    /// Where it stands.
    pub at: At,
}

/// Conditions, and what comes of them.
#[derive(Clone, Debug, PartialEq)]
pub struct BranchBody {
    /// The conditions.
    pub conditions: Vec<Expr>,
    /// What comes of them; nothing if it is missing.
    pub then: BranchThen,
}

/// What a branch leads to.
#[derive(Clone, Debug, PartialEq)]
pub enum BranchThen {
    /// Nothing was written.
    Missing(At),
    /// A network.
    Network(NetExpr),
    /// Variables to be bound first.
    Bind(Box<BinderDecl>),
}

/// `exists (T x) { … }`, `first …`, `sort-by …`
#[derive(Clone, Debug, PartialEq)]
pub struct BinderDecl {
    /// Which bindings count.
    pub choice: BinderChoice,
    /// What is bound.
    pub params: Vec<Param>,
    /// What must hold, and what follows.
    pub body: BranchBody,
    /// Where it stands.
    pub at: At,
}

/// Which bindings count, and in which order.
#[derive(Clone, Debug, PartialEq)]
pub enum BinderChoice {
    /// All.
    Exists,
    /// The first.
    First,
    /// All, by a key, smallest first.
    Ascending(Expr),
    /// All, by a key, greatest first.
    Descending(Expr),
}

/// A network.
#[derive(Clone, Debug, PartialEq)]
pub enum NetExpr {
    /// One task.
    Task(Name, Vec<Expr>),
    /// One after the other.
    Ordered(Vec<NetExpr>, At),
    /// In any order.
    Unordered(Vec<NetExpr>, At),
}

/// A statement of `init`.
#[derive(Clone, Debug, PartialEq)]
pub enum InitStmt {
    /// `f(x) := a;`
    Assign(Lvalue, Expr),
    /// `forall (T x) when (y) { … }`
    Forall(Vec<Param>, Option<Expr>, Vec<InitStmt>, At),
}

/// A problem.
#[derive(Clone, Debug, PartialEq)]
pub struct ProblemDecl {
    /// Its name.
    pub name: Name,
    /// Its objects and initial values, in order.
    pub parts: Vec<ProblemPart>,
    /// What is to be done.
    pub goal: Option<NetExpr>,
}

/// A part of a problem.
#[derive(Clone, Debug, PartialEq)]
pub enum ProblemPart {
    /// Objects.
    Instances(Instances, At),
    /// Initial values.
    Init(Vec<InitStmt>, At),
}

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it stands.
    pub at: At,
}

/// Kinds of expressions.
#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// A number, as it was written.
    Number(String),
    /// `true` or `false`
    Bool(bool),
    /// `none`
    None,
    /// A variable, a function, or an object.
    Name(Name, Option<Vec<Expr>>),
    /// `not x`
    Not(Box<Expr>),
    /// `-x`
    Negate(Box<Expr>),
    /// `x and y and z`
    And(Vec<Expr>),
    /// `x or y or z`
    Or(Vec<Expr>),
    /// `x implies y`
    Implies(Box<Expr>, Box<Expr>),
    /// `x < y`
    Compare(Comparison, Box<Expr>, Box<Expr>),
    /// `x + y - z`, or `x * y / z`: one level of precedence, from left to right.
    Chain(Box<Expr>, Vec<(Arithmetic, Expr)>),
    /// `exists (T x) (y)`
    Quantifier(Quantifier, Vec<Param>, Box<Expr>),
    /// `if x then y else z`
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `min(x, y)`, `max(x, y)`, `abs(x)`
    Builtin(Builtin, Vec<Expr>),
}

/// Functions the language has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Builtin {
    /// The smallest.
    Min,
    /// The greatest.
    Max,
    /// Without the sign.
    Abs,
}
