//! Reads expressions, from the weakest to the strongest.

use super::{LONGEST, Lost, Parser, Read};
use crate::language::lexer::Kind;
use crate::language::tree::{Builtin, Expr, ExprKind};
use crate::model::{Arithmetic, Comparison, Quantifier, Span};

impl Parser<'_> {
    pub(super) fn expr(&mut self) -> Read<Expr> {
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
            ("=", Comparison::Equal),
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
        if ["=", "==", "!=", "<=", ">=", "<", ">"]
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
                if self.is("{") {
                    return self.unexpected(
                        "`then`: `if` chooses between two values; a condition stands by itself \
                         and ends with `;`",
                    );
                }
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
