//! Reads tasks: what they change, or the methods that do them.

use super::{Lost, MOST_ERRORS, Parser, Read};
use crate::language::diagnostics::nearest;
use crate::language::lexer::Kind;
use crate::language::tree::*;
use crate::model::Comparison;

impl Parser<'_> {
    pub(super) fn task(&mut self) -> Read<DeclKind> {
        let name = self.name("the name of the task")?;
        let params = self.parenthesised(Parser::param)?;
        self.expect("{")?;
        let mut cost = None;
        let mut statements = None;
        let mut methods = Vec::new();
        while !self.is("}") {
            let start = self.span();
            if self.accept("cost") {
                if !self.accept_becomes() {
                    self.expect(":=")?;
                }
                cost = Some(self.expr()?);
                self.expect(";")?;
            } else if self.is("{") {
                statements = Some(self.statements()?);
            } else if self.is("method") {
                methods.push(self.method()?);
            } else if let Some(word) = nearest(self.word(), ["method", "cost"].into_iter()) {
                return self.unexpected(&format!("`method` or `cost`; did you mean `{word}`?"));
            } else {
                return self.unexpected(
                    "`method`; what a task does by itself stands in braces of its own: `{ { … } }`",
                );
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

    pub(super) fn statements(&mut self) -> Read<Vec<Stmt>> {
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

    pub(super) fn statement(&mut self) -> Read<StmtKind> {
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
    pub(super) fn is_followed_by_body(&self) -> bool {
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

    pub(super) fn lvalue(&mut self, expr: Expr) -> Read<Lvalue> {
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

    pub(super) fn method(&mut self) -> Read<MethodDecl> {
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

    pub(super) fn branch_body(&mut self) -> Read<BranchBody> {
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

    pub(super) fn binder(&mut self) -> Read<BinderDecl> {
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

    pub(super) fn net(&mut self) -> Read<NetExpr> {
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
            if parser.is(",") || parser.is(")") {
                parser.report(
                    "E001",
                    name.at.0,
                    format!("`{}` needs parentheses", name.text),
                    format!("write `{}()`", name.text),
                );
                parser.mended += 1;
                return Ok(NetExpr::Task(name, Vec::new()));
            }
            let args = parser.parenthesised(Parser::expr)?;
            Ok(NetExpr::Task(name, args))
        })
    }
}
