//! A text as tokens.

use crate::language::diagnostics::Diagnostic;
use crate::language::tree::{At, Comment};
use crate::model::Span;

/// A piece of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Identifier,
    Keyword,
    Number,
    String,
    Symbol,
    End,
}

/// Words that are no names.
pub(crate) const KEYWORDS: [&str; 37] = [
    "type",
    "instance",
    "constant",
    "fluent",
    "function",
    "external",
    "task",
    "cost",
    "method",
    "branch",
    "exists",
    "forall",
    "first",
    "sort-by",
    "ordered",
    "unordered",
    "if",
    "then",
    "else",
    "and",
    "or",
    "not",
    "implies",
    "true",
    "false",
    "none",
    "init",
    "problem",
    "goal",
    "include",
    "when",
    "bool",
    "int",
    "float",
    "min",
    "max",
    "abs",
];

/// Longer ones first.
const SYMBOLS: [&str; 28] = [
    ":->", ":=", "==", "!=", "<=", ">=", "&&", "||", "=>", "<", ">", "+", "-", "*", "/", "%", "!",
    "(", ")", "{", "}", ",", ";", ":", ".", "?", "[", "]",
];

/// The tokens, the comments between them, and what could not be read.
pub(crate) fn lex(text: &str, file: u32) -> (Vec<Token>, Vec<Comment>, Vec<Diagnostic>) {
    let bytes = text.as_bytes();
    let mut tokens = Vec::new();
    let mut comments = Vec::new();
    let mut wrong = Vec::new();
    let mut at = 0;
    // Where the last token ended.
    let mut last = 0;
    let span = |start: usize, end: usize| Span {
        file,
        start: start as u32,
        end: end as u32,
    };
    while at < bytes.len() {
        let start = at;
        let byte = bytes[at];
        if byte.is_ascii_whitespace() {
            at += 1;
            continue;
        }
        if text[at..].starts_with('\u{feff}') {
            at += 3;
            continue;
        }
        if bytes[at..].starts_with(b"//") {
            at = find(bytes, at, b'\n').unwrap_or(bytes.len());
            comments.push(Comment {
                text: text[start..at].trim_end().to_owned(),
                is_trailing: last > 0 && !text[last..start].contains('\n'),
                at: At(span(start, at)),
            });
            continue;
        }
        if bytes[at..].starts_with(b"/*") {
            match text[at + 2..].find("*/") {
                Some(length) => at += length + 4,
                None => {
                    wrong.push(Diagnostic::error(
                        "E002",
                        span(start, start + 2),
                        "this comment has no end",
                        "close it with `*/`",
                    ));
                    at = bytes.len();
                    continue;
                }
            }
            comments.push(Comment {
                text: text[start..at].to_owned(),
                is_trailing: last > 0 && !text[last..start].contains('\n'),
                at: At(span(start, at)),
            });
            continue;
        }
        let kind = if byte.is_ascii_alphabetic() || byte == b'_' {
            while at < bytes.len() && (bytes[at].is_ascii_alphanumeric() || bytes[at] == b'_') {
                at += 1;
            }
            let follows = |rest: &[u8]| {
                bytes[at..].starts_with(rest)
                    && !bytes
                        .get(at + rest.len())
                        .is_some_and(|next| next.is_ascii_alphanumeric() || *next == b'_')
            };
            if &text[start..at] == "sort" && follows(b"-by") {
                at += 3;
            }
            if KEYWORDS.contains(&&text[start..at]) {
                Kind::Keyword
            } else {
                Kind::Identifier
            }
        } else if byte.is_ascii_digit() {
            at = end_of_number(bytes, at);
            Kind::Number
        } else if byte == b'"' {
            let end = bytes[at + 1..]
                .iter()
                .position(|&byte| byte == b'"' || byte == b'\n');
            match end {
                Some(length) if bytes[at + 1 + length] == b'"' => at += length + 2,
                _ => {
                    wrong.push(Diagnostic::error(
                        "E002",
                        span(start, start + 1),
                        "this text has no end",
                        "close it with `\"` on the same line",
                    ));
                    at += 1 + end.unwrap_or(bytes.len() - at - 1);
                    continue;
                }
            }
            Kind::String
        } else if let Some(symbol) = SYMBOLS
            .iter()
            .find(|symbol| text[at..].starts_with(**symbol))
        {
            at += symbol.len();
            Kind::Symbol
        } else {
            let character = text[at..].chars().next().unwrap_or(' ');
            at += character.len_utf8();
            if character == '=' {
                // The commonest slip: read as `==` or `:=`, whichever fits, so that nothing else
                // seems wrong.
                wrong.push(Diagnostic::error(
                    "E001",
                    span(start, at),
                    "`=` alone means nothing here",
                    "write `==` to compare, or `:=` to give a value",
                ));
                last = at;
                tokens.push(Token {
                    kind: Kind::Symbol,
                    span: span(start, at),
                });
                continue;
            }
            wrong.push(Diagnostic::error(
                "E001",
                span(start, at),
                format!("`{character}` means nothing here"),
                "remove it; names are made of letters a to z, digits and `_`",
            ));
            continue;
        };
        last = at;
        tokens.push(Token {
            kind,
            span: span(start, at),
        });
    }
    tokens.push(Token {
        kind: Kind::End,
        span: span(bytes.len(), bytes.len()),
    });
    (tokens, comments, wrong)
}

fn find(bytes: &[u8], from: usize, wanted: u8) -> Option<usize> {
    let at = bytes[from..].iter().position(|&byte| byte == wanted)?;
    Some(from + at)
}

fn end_of_number(bytes: &[u8], mut at: usize) -> usize {
    let digits = |mut at: usize| {
        while at < bytes.len() && bytes[at].is_ascii_digit() {
            at += 1;
        }
        at
    };
    at = digits(at);
    if bytes.get(at) == Some(&b'.') && bytes.get(at + 1).is_some_and(u8::is_ascii_digit) {
        at = digits(at + 1);
    }
    if matches!(bytes.get(at), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(at + 1), Some(b'+' | b'-')));
        if bytes.get(at + 1 + sign).is_some_and(u8::is_ascii_digit) {
            at = digits(at + 1 + sign);
        }
    }
    at
}
