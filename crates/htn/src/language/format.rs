//! Writes a tree in the one canonical layout.

use crate::language::tree::*;
use crate::model::{Arithmetic, Comparison, Quantifier, Span};

/// The tree as text: one statement a line, two spaces a level, comments where they belong.
///
/// ```
/// use apprentice_htn::language::{format, parse};
///
/// let (tree, wrong) = parse("task Wait( ){{true ;}}// nothing else", 0);
/// assert!(wrong.is_empty());
/// assert_eq!(format(&tree), "task Wait() {\n  {\n    true;\n  }\n} // nothing else\n");
/// ```
pub fn format(tree: &Tree) -> String {
    let mut writer = Writer {
        out: String::new(),
        indent: 0,
        comments: &tree.comments,
        is_line_full: false,
    };
    let mut before: Option<&Decl> = None;
    for decl in &tree.decls {
        let is_apart = before.is_some_and(|before| {
            let is_long = |decl: &Decl| {
                matches!(
                    decl.kind,
                    DeclKind::Task(_) | DeclKind::Init(_) | DeclKind::Problem(_)
                )
            };
            is_long(before)
                || is_long(decl)
                || std::mem::discriminant(&before.kind) != std::mem::discriminant(&decl.kind)
        });
        writer.trailing_comments();
        writer.comments_before(decl.at.0.start, is_apart);
        writer.decl(decl);
        before = Some(decl);
    }
    writer.comments_before(u32::MAX, false);
    writer.out
}

struct Writer<'t> {
    out: String,
    indent: usize,
    comments: &'t [Comment],
    /// Whether no comment can follow in the last line: it would be a part of the one before it, or
    /// no longer belong to a statement.
    is_line_full: bool,
}

impl Writer<'_> {
    fn line(&mut self, text: &str) {
        self.is_line_full = false;
        for _ in 0..self.indent {
            self.out.push_str("  ");
        }
        self.out.push_str(text);
        self.out.push('\n');
    }

    fn open(&mut self, text: &str) {
        self.line(&format!("{text} {{"));
        self.indent += 1;
    }

    fn close(&mut self) {
        self.indent -= 1;
        self.line("}");
    }

    /// Writes the comments that stand before a place in the source, each on its own line.
    fn comments_before(&mut self, place: u32, is_apart: bool) {
        if is_apart {
            self.out.push('\n');
        }
        while let Some((first, rest)) = self.comments.split_first() {
            if first.at.0.start >= place {
                return;
            }
            let is_beside = first.is_trailing && !self.is_line_full && self.out.ends_with('\n');
            for (index, line) in first.text.lines().enumerate() {
                let line = line.trim();
                if index == 0 && is_beside {
                    let end = self.out.trim_end_matches('\n').len();
                    self.out.insert_str(end, &format!(" {line}"));
                    continue;
                }
                // Lines of a block comment are kept apart from its first.
                let lead = if line.starts_with("/*") || line.starts_with("//") {
                    ""
                } else {
                    " "
                };
                self.line(&format!("{lead}{line}"));
            }
            self.is_line_full =
                !is_beside || first.text.starts_with("//") || first.text.contains('\n');
            self.comments = rest;
        }
    }

    /// Writes the comments that stand at the end of the last line.
    fn trailing_comments(&mut self) {
        while let Some(first) = self.comments.first() {
            let is_beside = first.is_trailing && !self.is_line_full && !self.out.is_empty();
            if !is_beside || first.text.contains('\n') {
                return;
            }
            let end = self.out.len();
            self.comments_before(first.at.0.start + 1, false);
            if self.out.len() == end {
                return;
            }
        }
    }

    fn decl(&mut self, decl: &Decl) {
        match &decl.kind {
            DeclKind::Include(path) => self.line(&format!("include \"{}\";", path.text)),
            DeclKind::Types(types) => {
                let types: Vec<String> = types
                    .iter()
                    .map(|(name, parent)| match parent {
                        Some(parent) => format!("{} < {}", name.text, parent.text),
                        None => name.text.clone(),
                    })
                    .collect();
                self.wrapped("type ", &types, ";");
            }
            DeclKind::Instances(instances) => self.instances(instances),
            DeclKind::Function(function) => {
                let kind = match function.kind {
                    FunctionKind::Constant => "constant",
                    FunctionKind::Fluent => "fluent",
                    FunctionKind::Function => "function",
                };
                let params = match function.params.as_slice() {
                    [] => String::new(),
                    params => format!("({})", show_params(params)),
                };
                let default = match &function.default {
                    Some(default) => format!(" := {}", show(default)),
                    None => String::new(),
                };
                self.line(&format!(
                    "{kind} {} {}{params}{default};",
                    show_typed(&function.ty),
                    function.name.text
                ));
            }
            DeclKind::External(ty, name, params) => self.line(&format!(
                "external {} {}({});",
                show_typed(ty),
                name.text,
                show_params(params)
            )),
            DeclKind::Task(task) => self.task(task, decl.at.0),
            DeclKind::Init(statements) => {
                self.open("init");
                self.init(statements);
                self.comments_before(decl.at.0.end, false);
                self.close();
            }
            DeclKind::Problem(problem) => self.problem(problem, decl.at.0),
        }
    }

    /// A list that goes on in the next line where the line gets too long.
    fn wrapped(&mut self, head: &str, items: &[String], tail: &str) {
        let mut line = head.to_owned();
        for (index, item) in items.iter().enumerate() {
            let is_last = index + 1 == items.len();
            let end = if is_last { tail } else { "," };
            let gap = if index == 0 { "" } else { " " };
            if index > 0 && line.len() + item.len() + end.len() + 1 + 2 * self.indent > 100 {
                self.line(&line);
                line = format!("  {item}{end}");
            } else {
                line.push_str(gap);
                line.push_str(item);
                line.push_str(end);
            }
        }
        self.line(&line);
    }

    fn instances(&mut self, instances: &Instances) {
        let names: Vec<String> = instances
            .names
            .iter()
            .map(|name| name.text.clone())
            .collect();
        self.wrapped(&format!("instance {} ", instances.ty.text), &names, ";");
    }

    fn task(&mut self, task: &TaskDecl, span: Span) {
        self.open(&format!(
            "task {}({})",
            task.name.text,
            show_params(&task.params)
        ));
        match &task.body {
            TaskBody::Primitive(cost, statements) => {
                if let Some(cost) = cost {
                    self.comments_before(cost.at.0.start, false);
                    self.line(&format!("cost := {};", show(cost)));
                }
                self.line("{");
                self.indent += 1;
                self.statements(statements);
                self.comments_before(span.end, false);
                self.close();
            }
            TaskBody::Compound(methods) => {
                for method in methods {
                    self.comments_before(method.at.0.start, false);
                    match &method.name {
                        Some(name) => self.open(&format!("method {}", name.text)),
                        None => self.open("method"),
                    }
                    for branch in &method.branches {
                        if !method.has_branches {
                            self.branch_body(&branch.body);
                            continue;
                        }
                        self.comments_before(branch.at.0.start, false);
                        match &branch.name {
                            Some(name) => self.open(&format!("branch {}", name.text)),
                            None => self.open("branch"),
                        }
                        self.branch_body(&branch.body);
                        self.comments_before(branch.at.0.end, false);
                        self.close();
                    }
                    self.comments_before(method.at.0.end, false);
                    self.close();
                }
                self.comments_before(span.end, false);
            }
        }
        self.close();
    }

    fn statements(&mut self, statements: &[Stmt]) {
        for statement in statements {
            self.comments_before(statement.at.0.start, false);
            match &statement.kind {
                StmtKind::Condition(expr) => self.line(&format!("{};", show(expr))),
                StmtKind::Transition(target, old, new) => self.line(&format!(
                    "{} == {} :-> {};",
                    show_lvalue(target),
                    show_inside(old, SUM),
                    show(new)
                )),
                StmtKind::Assign(target, value) => {
                    self.line(&format!("{} := {};", show_lvalue(target), show(value)));
                }
                StmtKind::When(when, inner) => {
                    self.open(&format!("when ({})", show(when)));
                    self.statements(inner);
                    self.comments_before(statement.at.0.end, false);
                    self.close();
                }
                StmtKind::Forall(params, when, inner) => {
                    let when = match when {
                        Some(when) => format!(" when ({})", show(when)),
                        None => String::new(),
                    };
                    self.open(&format!("forall ({}){when}", show_params(params)));
                    self.statements(inner);
                    self.comments_before(statement.at.0.end, false);
                    self.close();
                }
            }
        }
    }

    fn branch_body(&mut self, body: &BranchBody) {
        for condition in &body.conditions {
            self.comments_before(condition.at.0.start, false);
            self.line(&format!("{};", show(condition)));
        }
        match &body.then {
            BranchThen::Missing(at) => self.comments_before(at.0.start, false),
            BranchThen::Network(net) => {
                self.comments_before(net_start(net), false);
                self.net(net);
            }
            BranchThen::Bind(binder) => {
                self.comments_before(binder.at.0.start, false);
                let params = show_params(&binder.params);
                let head = match &binder.choice {
                    BinderChoice::Exists => format!("exists ({params})"),
                    BinderChoice::First => format!("first ({params})"),
                    BinderChoice::Ascending(key) => format!("sort-by ({params}; {}; <)", show(key)),
                    BinderChoice::Descending(key) => {
                        format!("sort-by ({params}; {}; >)", show(key))
                    }
                };
                self.open(&head);
                self.branch_body(&binder.body);
                self.comments_before(binder.at.0.end, false);
                self.close();
            }
        }
    }

    fn net(&mut self, net: &NetExpr) {
        let text = show_net(net);
        if text.len() + 2 * self.indent < 100 {
            return self.line(&format!("{text};"));
        }
        match net {
            NetExpr::Ordered(items, _) => self.wrapped_net("ordered(", items),
            NetExpr::Unordered(items, _) => self.wrapped_net("unordered(", items),
            NetExpr::Task(..) => self.line(&format!("{text};")),
        }
    }

    fn wrapped_net(&mut self, head: &str, items: &[NetExpr]) {
        let items: Vec<String> = items.iter().map(show_net).collect();
        self.wrapped(head, &items, ");");
    }

    fn init(&mut self, statements: &[InitStmt]) {
        for statement in statements {
            match statement {
                InitStmt::Assign(target, value) => {
                    self.comments_before(target.at.0.start, false);
                    self.line(&format!("{} := {};", show_lvalue(target), show(value)));
                }
                InitStmt::Forall(params, when, inner, at) => {
                    self.comments_before(at.0.start, false);
                    let when = match when {
                        Some(when) => format!(" when ({})", show(when)),
                        None => String::new(),
                    };
                    self.open(&format!("forall ({}){when}", show_params(params)));
                    self.init(inner);
                    self.comments_before(at.0.end, false);
                    self.close();
                }
            }
        }
    }

    fn problem(&mut self, problem: &ProblemDecl, span: Span) {
        self.open(&format!("problem {}", problem.name.text));
        for part in &problem.parts {
            match part {
                ProblemPart::Instances(instances, at) => {
                    self.comments_before(at.0.start, false);
                    self.instances(instances);
                }
                ProblemPart::Init(statements, at) => {
                    self.comments_before(at.0.start, false);
                    self.open("init");
                    self.init(statements);
                    self.comments_before(at.0.end, false);
                    self.close();
                }
            }
        }
        if let Some(goal) = &problem.goal {
            self.comments_before(net_start(goal), false);
            self.line(&format!("goal {};", show_net(goal)));
        }
        self.comments_before(span.end, false);
        self.close();
    }
}

fn net_start(net: &NetExpr) -> u32 {
    match net {
        NetExpr::Task(name, _) => name.at.0.start,
        NetExpr::Ordered(_, at) | NetExpr::Unordered(_, at) => at.0.start,
    }
}

fn show_typed(ty: &Typed) -> String {
    let mark = if ty.is_optional { "?" } else { "" };
    format!("{}{mark}", ty.name.text)
}

fn show_params(params: &[Param]) -> String {
    let params = params.iter().map(|param| match &param.name {
        Some(name) => format!("{} {}", show_typed(&param.ty), name.text),
        None => show_typed(&param.ty),
    });
    params.collect::<Vec<_>>().join(", ")
}

pub(crate) fn show_lvalue(lvalue: &Lvalue) -> String {
    match &lvalue.args {
        Some(args) => format!("{}({})", lvalue.name.text, show_list(args)),
        None => lvalue.name.text.clone(),
    }
}

fn show_list(exprs: &[Expr]) -> String {
    exprs.iter().map(show).collect::<Vec<_>>().join(", ")
}

fn show_net(net: &NetExpr) -> String {
    let list = |nets: &[NetExpr]| nets.iter().map(show_net).collect::<Vec<_>>().join(", ");
    match net {
        NetExpr::Task(name, args) => format!("{}({})", name.text, show_list(args)),
        NetExpr::Ordered(nets, _) => format!("ordered({})", list(nets)),
        NetExpr::Unordered(nets, _) => format!("unordered({})", list(nets)),
    }
}

// How strongly the parts of an expression hold together.
const IMPLIES: u8 = 0;
const OR: u8 = 1;
const AND: u8 = 2;
const NOT: u8 = 3;
const COMPARE: u8 = 4;
const SUM: u8 = 5;
const TERM: u8 = 6;
const UNARY: u8 = 7;
const ATOM: u8 = 8;

/// An expression as it is written.
pub(crate) fn show(expr: &Expr) -> String {
    show_inside(expr, IMPLIES)
}

/// An expression as a part of one that holds together that strongly.
fn show_inside(expr: &Expr, outer: u8) -> String {
    let join = |items: &[Expr], word: &str, inner: u8| {
        let items: Vec<String> = items.iter().map(|item| show_inside(item, inner)).collect();
        items.join(word)
    };
    let (strength, text) = match &expr.kind {
        ExprKind::Number(text) => (ATOM, text.clone()),
        ExprKind::Bool(value) => (ATOM, value.to_string()),
        ExprKind::None => (ATOM, "none".to_owned()),
        ExprKind::Name(name, None) => (ATOM, name.text.clone()),
        ExprKind::Name(name, Some(args)) => (ATOM, format!("{}({})", name.text, show_list(args))),
        ExprKind::Not(inner) => (NOT, format!("not {}", show_inside(inner, NOT))),
        ExprKind::Negate(inner) => (UNARY, format!("-{}", show_inside(inner, UNARY))),
        ExprKind::And(items) => (AND, join(items, " and ", NOT)),
        ExprKind::Or(items) => (OR, join(items, " or ", AND)),
        ExprKind::Implies(a, b) => (
            IMPLIES,
            format!("{} implies {}", show_inside(a, OR), show_inside(b, IMPLIES)),
        ),
        ExprKind::Compare(how, a, b) => (
            COMPARE,
            format!(
                "{} {} {}",
                show_inside(a, SUM),
                comparison(*how),
                show_inside(b, SUM)
            ),
        ),
        ExprKind::Chain(first, rest) => {
            let is_sum = matches!(
                rest.first(),
                Some((Arithmetic::Add | Arithmetic::Subtract, _))
            );
            let (own, inner) = if is_sum { (SUM, TERM) } else { (TERM, UNARY) };
            let mut text = show_inside(first, inner);
            for (sign, item) in rest {
                let sign = match sign {
                    Arithmetic::Add => "+",
                    Arithmetic::Subtract => "-",
                    Arithmetic::Multiply => "*",
                    Arithmetic::Divide => "/",
                    _ => "%",
                };
                text.push_str(&format!(" {sign} {}", show_inside(item, inner)));
            }
            (own, text)
        }
        ExprKind::Quantifier(kind, params, body) => {
            let word = match kind {
                Quantifier::Exists => "exists",
                Quantifier::Forall => "forall",
            };
            (
                ATOM,
                format!("{word} ({}) ({})", show_params(params), show(body)),
            )
        }
        // Its last part takes everything that follows, so it is put in parentheses inside others.
        ExprKind::If(when, then, otherwise) => (
            IMPLIES,
            format!(
                "if {} then {} else {}",
                show(when),
                show(then),
                show(otherwise)
            ),
        ),
        ExprKind::Builtin(builtin, args) => {
            let word = match builtin {
                Builtin::Min => "min",
                Builtin::Max => "max",
                Builtin::Abs => "abs",
            };
            (ATOM, format!("{word}({})", show_list(args)))
        }
    };
    if strength < outer {
        format!("({text})")
    } else {
        text
    }
}

pub(crate) fn comparison(how: Comparison) -> &'static str {
    match how {
        Comparison::Equal => "==",
        Comparison::Different => "!=",
        Comparison::Less => "<",
        Comparison::AtMost => "<=",
        Comparison::Greater => ">",
        Comparison::AtLeast => ">=",
    }
}
