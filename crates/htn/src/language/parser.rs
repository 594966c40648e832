//! Reads a text into a tree. Never fails: what cannot be read is left out and reported.

use crate::language::diagnostics::Diagnostic;
use crate::language::lexer::{Kind, Token, lex};
use crate::language::tree::*;
use crate::model::{Arithmetic, Comparison, Quantifier, Span};

/// How deep parentheses and braces may be nested. No domain comes near; a text that does is refused
/// before it can exhaust the stack.
const DEEPEST: u32 = 100;

/// How many parts an expression without parentheses may have.
const LONGEST: usize = 500;

/// More errors than this are not reported: they are mostly echoes of the first ones.
pub(crate) const MOST_ERRORS: usize = 20;

/// Reads a text. What is wrong with it comes beside what could be read.
pub fn parse(text: &str, file: u32) -> (Tree, Vec<Diagnostic>) {
    if u32::try_from(text.len()).is_err() {
        let whole = Span {
            file,
            ..Span::default()
        };
        let wrong = Diagnostic::error(
            "E001",
            whole,
            "the file is larger than 4 GB",
            "split it, and use `include`",
        );
        return (Tree::default(), vec![wrong]);
    }
    let (tokens, comments, wrong) = lex(text, file);
    let mut parser = Parser {
        text,
        tokens,
        at: 0,
        depth: 0,
        wrong,
    };
    let decls = parser.file();
    parser.wrong.sort_by_key(|diagnostic| diagnostic.span.start);
    parser.wrong.truncate(MOST_ERRORS);
    (Tree { decls, comments }, parser.wrong)
}

struct Parser<'t> {
    text: &'t str,
    tokens: Vec<Token>,
    at: usize,
    depth: u32,
    wrong: Vec<Diagnostic>,
}

/// Something could not be read, and was reported.
struct Lost;

type Read<T> = Result<T, Lost>;

impl Parser<'_> {
    fn file(&mut self) -> Vec<Decl> {
        let mut decls = Vec::new();
        while self.kind() != Kind::End && self.wrong.len() < MOST_ERRORS {
            let start = self.span();
            match self.decl() {
                Ok(kind) => decls.push(Decl {
                    kind,
                    at: self.since(start),
                }),
                Err(Lost) => self.recover_declaration(),
            }
        }
        decls
    }

    // Tokens.

    fn token(&self) -> Token {
        self.tokens[self.at]
    }

    fn kind(&self) -> Kind {
        self.token().kind
    }

    fn span(&self) -> Span {
        self.token().span
    }

    fn word(&self) -> &str {
        let span = self.span();
        &self.text[span.start as usize..span.end as usize]
    }

    fn is(&self, word: &str) -> bool {
        matches!(self.kind(), Kind::Keyword | Kind::Symbol) && self.word() == word
    }

    fn advance(&mut self) {
        if self.kind() != Kind::End {
            self.at += 1;
        }
    }

    fn accept(&mut self, word: &str) -> bool {
        let is = self.is(word);
        if is {
            self.advance();
        }
        is
    }

    fn expect(&mut self, word: &str) -> Read<()> {
        if self.accept(word) {
            return Ok(());
        }
        self.unexpected(&format!("`{word}`"))
    }

    fn unexpected<T>(&mut self, expected: &str) -> Read<T> {
        let found = match self.kind() {
            Kind::End => "the file ends here".to_owned(),
            Kind::Keyword => format!("`{}` is a word of the language", self.word()),
            _ => format!("`{}` is unexpected here", self.word()),
        };
        let hint = format!("expected {expected}");
        // A missing semicolon is shown where it is missing.
        let mut span = self.span();
        if expected == "`;`" && self.at > 0 {
            let before = self.tokens[self.at - 1].span;
            span = Span {
                start: before.end - 1,
                ..before
            };
            self.report(
                "E001",
                span,
                "a `;` is missing after this",
                "end the statement with `;`",
            );
            return Err(Lost);
        }
        self.report("E001", span, found, hint);
        Err(Lost)
    }

    fn report(
        &mut self,
        code: &'static str,
        span: Span,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) {
        self.wrong
            .push(Diagnostic::error(code, span, message, hint));
    }

    fn since(&self, start: Span) -> At {
        let end = self.tokens[self.at.saturating_sub(1)].span.end;
        At(Span {
            end: end.max(start.end),
            ..start
        })
    }

    /// Goes on after the next `;`, or before the next `}` that is not opened on the way.
    fn recover_statement(&mut self) {
        let mut open = 0u32;
        while self.kind() != Kind::End {
            if self.is("{") {
                open += 1;
            } else if self.is("}") {
                if open == 0 {
                    return;
                }
                open -= 1;
                if open == 0 {
                    self.advance();
                    return;
                }
            } else if self.is(";") && open == 0 {
                self.advance();
                return;
            }
            self.advance();
        }
    }

    /// Goes on before the next word that begins a declaration.
    fn recover_declaration(&mut self) {
        let begins = [
            "include", "type", "instance", "constant", "fluent", "function", "external", "task",
            "init", "problem",
        ];
        self.depth = 0;
        self.advance();
        while self.kind() != Kind::End && !begins.iter().any(|word| self.is(word)) {
            self.advance();
        }
    }

    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        if self.depth >= DEEPEST {
            let span = self.span();
            self.report(
                "E001",
                span,
                format!("this is nested deeper than {DEEPEST} levels"),
                "simplify it, or split it into tasks or functions",
            );
            return Err(Lost);
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    fn name(&mut self, what: &str) -> Read<Name> {
        if self.kind() != Kind::Identifier {
            return self.unexpected(what);
        }
        let name = Name {
            text: self.word().to_owned(),
            at: At(self.span()),
        };
        self.advance();
        Ok(name)
    }

    fn list<T>(&mut self, mut read: impl FnMut(&mut Self) -> Read<T>) -> Read<Vec<T>> {
        let mut items = vec![read(self)?];
        while self.accept(",") {
            items.push(read(self)?);
        }
        Ok(items)
    }

    /// Items between parentheses, maybe none.
    fn parenthesised<T>(&mut self, read: impl FnMut(&mut Self) -> Read<T>) -> Read<Vec<T>> {
        self.expect("(")?;
        if self.accept(")") {
            return Ok(Vec::new());
        }
        let items = self.list(read)?;
        self.expect(")")?;
        Ok(items)
    }

    // Declarations.

    fn decl(&mut self) -> Read<DeclKind> {
        if self.accept("include") {
            if self.kind() != Kind::String {
                return self.unexpected("a file name in quotes");
            }
            let text = self.word().trim_matches('"').to_owned();
            let at = At(self.span());
            self.advance();
            self.expect(";")?;
            return Ok(DeclKind::Include(Name { text, at }));
        }
        if self.accept("type") {
            let types = self.list(|parser| {
                let name = parser.name("the name of a type")?;
                let parent = match parser.accept("<") {
                    true => Some(parser.name("the type it is a kind of")?),
                    false => None,
                };
                Ok((name, parent))
            })?;
            self.expect(";")?;
            return Ok(DeclKind::Types(types));
        }
        if self.is("instance") {
            return Ok(DeclKind::Instances(self.instances()?));
        }
        for (word, kind) in [
            ("constant", FunctionKind::Constant),
            ("fluent", FunctionKind::Fluent),
            ("function", FunctionKind::Function),
        ] {
            if self.accept(word) {
                return self.function(kind);
            }
        }
        if self.accept("external") {
            let ty = self.typed()?;
            let name = self.name("the name of the function")?;
            let params = self.parenthesised(Parser::function_param)?;
            self.expect(";")?;
            return Ok(DeclKind::External(ty, name, params));
        }
        if self.accept("task") {
            return self.task();
        }
        if self.accept("init") {
            return Ok(DeclKind::Init(self.init()?));
        }
        if self.accept("problem") {
            return self.problem();
        }
        self.unexpected("`type`, `instance`, `fluent`, `constant`, `function`, `external`, `task`, `init`, `problem` or `include`")
    }

    fn instances(&mut self) -> Read<Instances> {
        self.expect("instance")?;
        let ty = self.name("a type")?;
        let names = self.list(|parser| parser.name("the name of an object"))?;
        self.expect(";")?;
        Ok(Instances { ty, names })
    }

    fn typed(&mut self) -> Read<Typed> {
        let is_builtin = ["bool", "int", "float"].iter().any(|word| self.is(word));
        let name = if is_builtin {
            let name = Name {
                text: self.word().to_owned(),
                at: At(self.span()),
            };
            self.advance();
            name
        } else {
            self.name("a type")?
        };
        Ok(Typed {
            name,
            is_optional: self.accept("?"),
        })
    }

    fn function_param(&mut self) -> Read<Param> {
        let ty = self.typed()?;
        let name = match self.kind() {
            Kind::Identifier => Some(self.name("a name")?),
            _ => None,
        };
        Ok(Param { ty, name })
    }

    fn param(&mut self) -> Read<Param> {
        let ty = self.typed()?;
        let name = self.name("the name of the variable")?;
        Ok(Param {
            ty,
            name: Some(name),
        })
    }

    fn function(&mut self, kind: FunctionKind) -> Read<DeclKind> {
        let ty = self.typed()?;
        let name = self.name("the name of the function")?;
        let params = match self.is("(") {
            true => self.parenthesised(Parser::function_param)?,
            false => Vec::new(),
        };
        let default = match self.accept(":=") {
            true => Some(self.expr()?),
            false => None,
        };
        self.expect(";")?;
        Ok(DeclKind::Function(FunctionDecl {
            kind,
            ty,
            name,
            params,
            default,
        }))
    }

    fn task(&mut self) -> Read<DeclKind> {
        let name = self.name("the name of the task")?;
        let params = self.parenthesised(Parser::param)?;
        self.expect("{")?;
        let mut cost = None;
        let mut statements = None;
        let mut methods = Vec::new();
        while !self.is("}") {
            let start = self.span();
            if self.accept("cost") {
                self.expect(":=")?;
                cost = Some(self.expr()?);
                self.expect(";")?;
            } else if self.is("{") {
                statements = Some(self.statements()?);
            } else if self.is("method") {
                methods.push(self.method()?);
            } else {
                return self
                    .unexpected("`method`, or `cost := …;` and statements between `{` and `}`");
            }
            if (cost.is_some() || statements.is_some()) && !methods.is_empty() {
                let at = self.since(start);
                self.report(
                    "E040",
                    at.0,
                    format!("`{}` is done by itself and by other tasks", name.text),
                    "keep either the methods, or the cost and the statements",
                );
                methods.clear();
            }
        }
        let end = self.span();
        self.expect("}")?;
        let body = match statements {
            Some(statements) => TaskBody::Primitive(cost, statements),
            None if methods.is_empty() => {
                self.report(
                    "E041",
                    end,
                    format!("`{}` has no method", name.text),
                    "add `method name { … }`, or statements between `{` and `}`",
                );
                TaskBody::Compound(methods)
            }
            None => TaskBody::Compound(methods),
        };
        Ok(DeclKind::Task(TaskDecl { name, params, body }))
    }

    fn statements(&mut self) -> Read<Vec<Stmt>> {
        self.nested(|parser| {
            parser.expect("{")?;
            let mut statements = Vec::new();
            while !parser.is("}") && parser.kind() != Kind::End {
                let start = parser.span();
                match parser.statement() {
                    Ok(kind) => statements.push(Stmt {
                        kind,
                        at: parser.since(start),
                    }),
                    Err(Lost) => parser.recover_statement(),
                }
                if parser.wrong.len() >= MOST_ERRORS {
                    return Err(Lost);
                }
            }
            parser.expect("}")?;
            Ok(statements)
        })
    }

    fn statement(&mut self) -> Read<StmtKind> {
        if self.accept("when") {
            self.expect("(")?;
            let when = self.expr()?;
            self.expect(")")?;
            return Ok(StmtKind::When(when, self.statements()?));
        }
        if self.is("forall") && self.is_followed_by_body() {
            self.advance();
            let params = self.parenthesised(Parser::param)?;
            let when = match self.accept("when") {
                true => {
                    self.expect("(")?;
                    let when = self.expr()?;
                    self.expect(")")?;
                    Some(when)
                }
                false => None,
            };
            return Ok(StmtKind::Forall(params, when, self.statements()?));
        }
        let expr = self.expr()?;
        if self.accept(":=") {
            let target = self.lvalue(expr)?;
            let value = self.expr()?;
            self.expect(";")?;
            return Ok(StmtKind::Assign(target, value));
        }
        if self.is(":->") {
            let ExprKind::Compare(Comparison::Equal, left, old) = expr.kind else {
                let span = self.span();
                self.report(
                    "E001",
                    span,
                    "`:->` needs the old value before it",
                    "write `variable == old :-> new;`",
                );
                return Err(Lost);
            };
            self.advance();
            let target = self.lvalue(*left)?;
            let new = self.expr()?;
            self.expect(";")?;
            return Ok(StmtKind::Transition(target, *old, new));
        }
        self.expect(";")?;
        Ok(StmtKind::Condition(expr))
    }

    /// Whether the parentheses after this word are followed by `{` or `when`: then it is no
    /// expression.
    fn is_followed_by_body(&self) -> bool {
        let mut open = 0;
        for token in &self.tokens[self.at + 1..] {
            let word = &self.text[token.span.start as usize..token.span.end as usize];
            match (token.kind, word) {
                (Kind::Symbol, "(") => open += 1,
                (Kind::Symbol, ")") => open -= 1,
                (Kind::Symbol, "{") | (Kind::Keyword, "when") => return open == 0,
                (Kind::Symbol, ";" | "}") | (Kind::End, _) => return false,
                _ => {
                    if open == 0 {
                        return false;
                    }
                }
            }
            if open == 0 && word != ")" {
                return false;
            }
        }
        false
    }

    fn lvalue(&mut self, expr: Expr) -> Read<Lvalue> {
        match expr.kind {
            ExprKind::Name(name, args) => Ok(Lvalue {
                name,
                args,
                at: expr.at,
            }),
            _ => {
                self.report(
                    "E001",
                    expr.at.0,
                    "only a state variable can get a value",
                    "write its name, with its arguments in parentheses",
                );
                Err(Lost)
            }
        }
    }

    fn method(&mut self) -> Read<MethodDecl> {
        let start = self.span();
        self.expect("method")?;
        let name = match self.kind() {
            Kind::Identifier => Some(self.name("a name")?),
            _ => None,
        };
        self.expect("{")?;
        let mut branches = Vec::new();
        let has_branches = self.is("branch");
        if has_branches {
            while self.is("branch") {
                let start = self.span();
                self.advance();
                let name = match self.kind() {
                    Kind::Identifier => Some(self.name("a name")?),
                    _ => None,
                };
                self.expect("{")?;
                let body = self.branch_body()?;
                self.expect("}")?;
                branches.push(BranchDecl {
                    name,
                    body,
                    at: self.since(start),
                });
            }
        } else {
            let start = self.span();
            let body = self.branch_body()?;
            branches.push(BranchDecl {
                name: None,
                body,
                at: self.since(start),
            });
        }
        self.expect("}")?;
        Ok(MethodDecl {
            name,
            branches,
            has_branches,
            at: self.since(start),
        })
    }

    fn branch_body(&mut self) -> Read<BranchBody> {
        self.nested(|parser| {
            let mut conditions = Vec::new();
            loop {
                if parser.is("ordered") || parser.is("unordered") {
                    let net = parser.net()?;
                    parser.expect(";")?;
                    return Ok(BranchBody {
                        conditions,
                        then: BranchThen::Network(net),
                    });
                }
                let is_binder = parser.is("first")
                    || parser.is("sort-by")
                    || parser.is("exists") && parser.is_followed_by_body();
                if is_binder {
                    let binder = parser.binder()?;
                    return Ok(BranchBody {
                        conditions,
                        then: BranchThen::Bind(Box::new(binder)),
                    });
                }
                if parser.is("}") {
                    return Ok(BranchBody {
                        conditions,
                        then: BranchThen::Missing(At(parser.span())),
                    });
                }
                let condition = parser.expr().and_then(|condition| {
                    parser.expect(";")?;
                    Ok(condition)
                });
                match condition {
                    Ok(condition) => conditions.push(condition),
                    Err(Lost) if parser.wrong.len() < MOST_ERRORS && parser.kind() != Kind::End => {
                        parser.recover_statement();
                    }
                    Err(Lost) => return Err(Lost),
                }
            }
        })
    }

    fn binder(&mut self) -> Read<BinderDecl> {
        let start = self.span();
        let (choice, params) = if self.accept("sort-by") {
            self.expect("(")?;
            let params = self.list(Parser::param)?;
            self.expect(";")?;
            let key = self.expr()?;
            self.expect(";")?;
            let choice = if self.accept("<") {
                BinderChoice::Ascending(key)
            } else if self.accept(">") {
                BinderChoice::Descending(key)
            } else {
                return self
                    .unexpected("`<` for the smallest first, or `>` for the greatest first");
            };
            self.expect(")")?;
            (choice, params)
        } else {
            let choice = match self.accept("first") {
                true => BinderChoice::First,
                false => {
                    self.expect("exists")?;
                    BinderChoice::Exists
                }
            };
            (choice, self.parenthesised(Parser::param)?)
        };
        self.expect("{")?;
        let body = self.branch_body()?;
        self.expect("}")?;
        Ok(BinderDecl {
            choice,
            params,
            body,
            at: self.since(start),
        })
    }

    fn net(&mut self) -> Read<NetExpr> {
        self.nested(|parser| {
            let start = parser.span();
            let is_ordered = parser.is("ordered");
            if is_ordered || parser.is("unordered") {
                parser.advance();
                let items = parser.parenthesised(Parser::net)?;
                let at = parser.since(start);
                return Ok(match is_ordered {
                    true => NetExpr::Ordered(items, at),
                    false => NetExpr::Unordered(items, at),
                });
            }
            let name = parser.name("a task, `ordered(…)` or `unordered(…)`")?;
            let args = parser.parenthesised(Parser::expr)?;
            Ok(NetExpr::Task(name, args))
        })
    }

    fn init(&mut self) -> Read<Vec<InitStmt>> {
        self.nested(|parser| {
            parser.expect("{")?;
            let mut statements = Vec::new();
            while !parser.is("}") && parser.kind() != Kind::End {
                match parser.init_statement() {
                    Ok(statement) => statements.push(statement),
                    Err(Lost) => parser.recover_statement(),
                }
                if parser.wrong.len() >= MOST_ERRORS {
                    return Err(Lost);
                }
            }
            parser.expect("}")?;
            Ok(statements)
        })
    }

    fn init_statement(&mut self) -> Read<InitStmt> {
        let start = self.span();
        if self.accept("forall") {
            let params = self.parenthesised(Parser::param)?;
            let when = match self.accept("when") {
                true => {
                    self.expect("(")?;
                    let when = self.expr()?;
                    self.expect(")")?;
                    Some(when)
                }
                false => None,
            };
            let body = self.init()?;
            return Ok(InitStmt::Forall(params, when, body, self.since(start)));
        }
        let target = self.expr()?;
        let target = self.lvalue(target)?;
        self.expect(":=")?;
        let value = self.expr()?;
        self.expect(";")?;
        Ok(InitStmt::Assign(target, value))
    }

    fn problem(&mut self) -> Read<DeclKind> {
        let name = self.name("the name of the problem")?;
        self.expect("{")?;
        let mut parts = Vec::new();
        let mut goal = None;
        while !self.is("}") {
            let start = self.span();
            if self.is("instance") {
                let instances = self.instances()?;
                parts.push(ProblemPart::Instances(instances, self.since(start)));
            } else if self.accept("init") {
                let init = self.init()?;
                parts.push(ProblemPart::Init(init, self.since(start)));
            } else if self.accept("goal") {
                goal = Some(self.net()?);
                self.expect(";")?;
            } else {
                return self.unexpected("`instance`, `init` or `goal`");
            }
        }
        self.expect("}")?;
        Ok(DeclKind::Problem(ProblemDecl { name, parts, goal }))
    }

    // Expressions, from the weakest to the strongest.

    fn expr(&mut self) -> Read<Expr> {
        self.nested(|parser| {
            let start = parser.span();
            let left = parser.or()?;
            if !parser.accept("implies") && !parser.accept("=>") {
                return Ok(left);
            }
            let right = parser.expr()?;
            Ok(Expr {
                kind: ExprKind::Implies(Box::new(left), Box::new(right)),
                at: parser.since(start),
            })
        })
    }

    fn chain_is_too_long<T>(&mut self, items: &[T]) -> Read<()> {
        if items.len() <= LONGEST {
            return Ok(());
        }
        let span = self.span();
        self.report(
            "E001",
            span,
            format!("this expression has more than {LONGEST} parts"),
            "split it into several conditions",
        );
        Err(Lost)
    }

    fn or(&mut self) -> Read<Expr> {
        let start = self.span();
        let mut items = vec![self.and()?];
        while self.accept("or") || self.accept("||") {
            items.push(self.and()?);
            self.chain_is_too_long(&items)?;
        }
        Ok(self.several(items, start, ExprKind::Or))
    }

    fn and(&mut self) -> Read<Expr> {
        let start = self.span();
        let mut items = vec![self.not()?];
        while self.accept("and") || self.accept("&&") {
            items.push(self.not()?);
            self.chain_is_too_long(&items)?;
        }
        Ok(self.several(items, start, ExprKind::And))
    }

    fn several(
        &self,
        mut items: Vec<Expr>,
        start: Span,
        kind: impl FnOnce(Vec<Expr>) -> ExprKind,
    ) -> Expr {
        if items.len() == 1 {
            return items.remove(0);
        }
        Expr {
            kind: kind(items),
            at: self.since(start),
        }
    }

    fn not(&mut self) -> Read<Expr> {
        let start = self.span();
        if self.accept("not") || self.accept("!") {
            let inner = self.nested(Parser::not)?;
            return Ok(Expr {
                kind: ExprKind::Not(Box::new(inner)),
                at: self.since(start),
            });
        }
        self.compare()
    }

    fn compare(&mut self) -> Read<Expr> {
        let start = self.span();
        let left = self.sum()?;
        let comparison = [
            ("==", Comparison::Equal),
            ("!=", Comparison::Different),
            ("<=", Comparison::AtMost),
            (">=", Comparison::AtLeast),
            ("<", Comparison::Less),
            (">", Comparison::Greater),
        ]
        .into_iter()
        .find(|(word, _)| self.is(word));
        let Some((_, comparison)) = comparison else {
            return Ok(left);
        };
        self.advance();
        let right = self.sum()?;
        if ["==", "!=", "<=", ">=", "<", ">"]
            .iter()
            .any(|word| self.is(word))
        {
            let span = self.span();
            self.report(
                "E001",
                span,
                "comparisons cannot be chained",
                "write `a < b and b < c`",
            );
            return Err(Lost);
        }
        Ok(Expr {
            kind: ExprKind::Compare(comparison, Box::new(left), Box::new(right)),
            at: self.since(start),
        })
    }

    fn sum(&mut self) -> Read<Expr> {
        let signs = [("+", Arithmetic::Add), ("-", Arithmetic::Subtract)];
        self.chain(&signs, Parser::term)
    }

    fn term(&mut self) -> Read<Expr> {
        let signs = [
            ("*", Arithmetic::Multiply),
            ("/", Arithmetic::Divide),
            ("%", Arithmetic::Remainder),
        ];
        self.chain(&signs, Parser::unary)
    }

    fn chain(
        &mut self,
        signs: &[(&str, Arithmetic)],
        read: fn(&mut Self) -> Read<Expr>,
    ) -> Read<Expr> {
        let start = self.span();
        let first = read(self)?;
        let mut rest = Vec::new();
        while let Some((_, sign)) = signs.iter().find(|(word, _)| self.is(word)) {
            self.advance();
            rest.push((*sign, read(self)?));
            self.chain_is_too_long(&rest)?;
        }
        if rest.is_empty() {
            return Ok(first);
        }
        Ok(Expr {
            kind: ExprKind::Chain(Box::new(first), rest),
            at: self.since(start),
        })
    }

    fn unary(&mut self) -> Read<Expr> {
        let start = self.span();
        if self.accept("-") {
            let inner = self.nested(Parser::unary)?;
            return Ok(Expr {
                kind: ExprKind::Negate(Box::new(inner)),
                at: self.since(start),
            });
        }
        self.atom()
    }

    fn atom(&mut self) -> Read<Expr> {
        let start = self.span();
        if self.accept("(") {
            let inner = self.expr()?;
            self.expect(")")?;
            return Ok(inner);
        }
        let kind = match self.kind() {
            Kind::Number => {
                let text = self.word().to_owned();
                self.advance();
                ExprKind::Number(text)
            }
            Kind::Identifier => {
                let name = self.name("a name")?;
                let args = match self.is("(") {
                    true => Some(self.parenthesised(Parser::expr)?),
                    false => None,
                };
                ExprKind::Name(name, args)
            }
            _ if self.accept("true") => ExprKind::Bool(true),
            _ if self.accept("false") => ExprKind::Bool(false),
            _ if self.accept("none") => ExprKind::None,
            _ if self.is("exists") || self.is("forall") => {
                let kind = match self.is("exists") {
                    true => Quantifier::Exists,
                    false => Quantifier::Forall,
                };
                self.advance();
                let params = self.parenthesised(Parser::param)?;
                self.expect("(")?;
                let body = self.expr()?;
                self.expect(")")?;
                ExprKind::Quantifier(kind, params, Box::new(body))
            }
            _ if self.accept("if") => {
                let when = self.expr()?;
                self.expect("then")?;
                let then = self.expr()?;
                self.expect("else")?;
                let otherwise = self.expr()?;
                ExprKind::If(Box::new(when), Box::new(then), Box::new(otherwise))
            }
            _ if self.is("min") || self.is("max") || self.is("abs") => {
                let builtin = match self.word() {
                    "min" => Builtin::Min,
                    "max" => Builtin::Max,
                    _ => Builtin::Abs,
                };
                self.advance();
                let args = self.parenthesised(Parser::expr)?;
                self.chain_is_too_long(&args)?;
                ExprKind::Builtin(builtin, args)
            }
            _ => {
                return self
                    .unexpected("a value: a name, a number, `true`, `false`, `none` or `(`");
            }
        };
        Ok(Expr {
            kind,
            at: self.since(start),
        })
    }
}
