//! Reads a text into a tree. Never fails: what cannot be read is left out and reported.

mod expressions;
mod tasks;

use crate::language::diagnostics::Diagnostic;
use crate::language::lexer::{Kind, Token, lex};
use crate::language::tree::*;
use crate::model::{Comparison, Span};

/// How deep parentheses and braces may be nested. No domain comes near; a text that does is refused
/// before it can exhaust the stack.
const DEEPEST: u32 = 100;

/// How many parts an expression without parentheses may have.
const LONGEST: usize = 500;

/// More errors than this are not reported: they are mostly echoes of the first ones.
pub(crate) const MOST_ERRORS: usize = 20;

/// Reads a text. What is wrong with it comes beside what could be read.
pub fn parse(text: &str, file: u32) -> (Tree, Vec<Diagnostic>) {
    let parsed = parse_text(text, file);
    (parsed.tree, parsed.wrong)
}

/// A text as far as it could be read.
pub(crate) struct Parsed {
    pub(crate) tree: Tree,
    pub(crate) wrong: Vec<Diagnostic>,
    /// Nothing is left out of the tree: all that is wrong are slips with one obvious meaning.
    pub(crate) is_whole: bool,
}

pub(crate) fn parse_text(text: &str, file: u32) -> Parsed {
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
        return Parsed {
            tree: Tree::default(),
            wrong: vec![wrong],
            is_whole: false,
        };
    }
    let (tokens, comments, wrong) = lex(text, file);
    let mut parser = Parser {
        text,
        tokens,
        at: 0,
        depth: 0,
        wrong,
        mended: 0,
    };
    // Each `=` alone was reported, and is read as what it stands for.
    let of_text = |token: &Token| &text[token.span.start as usize..token.span.end as usize];
    let tokens = parser.tokens.iter();
    parser.mended = tokens.filter(|token| of_text(token) == "=").count();
    let decls = parser.file();
    let is_whole = parser.wrong.len() == parser.mended && parser.wrong.len() < MOST_ERRORS;
    parser.wrong.sort_by_key(|diagnostic| diagnostic.span.start);
    parser.wrong.truncate(MOST_ERRORS);
    Parsed {
        tree: Tree { decls, comments },
        wrong: parser.wrong,
        is_whole,
    }
}

struct Parser<'t> {
    text: &'t str,
    tokens: Vec<Token>,
    at: usize,
    depth: u32,
    wrong: Vec<Diagnostic>,
    /// How many of these are slips that were read as what was obviously meant.
    mended: usize,
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

    /// Accepts `:=`, and `=` in its place: that is reported already.
    fn accept_becomes(&mut self) -> bool {
        self.accept(":=") || self.accept("=")
    }

    /// Whether two sides of a comparison have a lone `=` between them.
    fn is_slip(&self, left: &Expr, right: &Expr) -> bool {
        let between = left.at.0.end as usize..right.at.0.start as usize;
        let text = self.text.get(between).unwrap_or_default();
        text.contains('=') && !text.contains("==")
    }

    fn expect(&mut self, word: &str) -> Read<()> {
        if self.accept(word) {
            return Ok(());
        }
        if word == ";" && self.at > 0 {
            return self.missing_semicolon();
        }
        self.unexpected(&format!("`{word}`"))
    }

    /// Shows where a semicolon is missing. Where a line or a block ends, nothing else is, and
    /// reading goes on as if it were there.
    fn missing_semicolon(&mut self) -> Read<()> {
        let before = self.tokens[self.at - 1].span;
        let between = &self.text[before.end as usize..self.span().start as usize];
        let span = Span {
            start: before.end - 1,
            ..before
        };
        self.report(
            "E001",
            span,
            "a `;` is missing after this",
            "end the statement with `;`",
        );
        if !between.contains('\n') && !self.is("}") {
            return Err(Lost);
        }
        self.mended += 1;
        Ok(())
    }

    fn unexpected<T>(&mut self, expected: &str) -> Read<T> {
        let found = match self.kind() {
            Kind::End => "the file ends here".to_owned(),
            Kind::Keyword => format!("`{}` is a word of the language", self.word()),
            _ => format!("`{}` is unexpected here", self.word()),
        };
        let hint = format!("expected {expected}");
        let span = self.span();
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
        let default = match self.accept_becomes() {
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
        let (target, value) = match target.kind {
            ExprKind::Compare(Comparison::Equal, left, right) if self.is_slip(&left, &right) => {
                (self.lvalue(*left)?, *right)
            }
            _ => {
                let target = self.lvalue(target)?;
                self.expect(":=")?;
                (target, self.expr()?)
            }
        };
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
}
