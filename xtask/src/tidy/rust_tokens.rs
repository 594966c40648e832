//! Rust source as a list of tokens, without comments.
//!
//! The checks ask which names the code uses. Searching the text would also find them in comments
//! and strings, and would miss `std::{fs}`. This lexer knows just enough to avoid both: it tells
//! words, text literals and single marks apart, and does not check that the source is valid.

/// One token and where it starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    /// Counted from 1.
    pub(crate) line: usize,
    pub(crate) kind: Kind,
}

/// What a token is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// An identifier or keyword. Raw identifiers come without their `r#`.
    Word(String),
    /// The inside of a string literal of any sort, escapes left as written.
    Text(String),
    /// A number, a character or a lifetime: nothing a check asks for.
    Other,
    /// A single punctuation mark. `::` is two of them.
    Mark(char),
}

impl Token {
    /// The identifier or keyword, if it is one.
    pub(crate) fn word(&self) -> Option<&str> {
        match &self.kind {
            Kind::Word(word) => Some(word),
            _ => None,
        }
    }

    /// Whether it is this punctuation mark.
    pub(crate) fn is(&self, mark: char) -> bool {
        self.kind == Kind::Mark(mark)
    }
}

/// Whether the two tokens from `at` are `::`.
pub(crate) fn is_path_separator(tokens: &[Token], at: usize) -> bool {
    let is_colon = |index: usize| tokens.get(index).is_some_and(|token| token.is(':'));
    is_colon(at) && is_colon(at + 1)
}

/// All tokens of `source`, in order.
pub(crate) fn tokens(source: &str) -> Vec<Token> {
    let mut lexer = Lexer {
        characters: source.chars().collect(),
        at: 0,
        line: 1,
    };
    let mut tokens = Vec::new();
    while let Some(character) = lexer.peek(0) {
        let line = lexer.line;
        if let Some(kind) = lexer.token(character) {
            tokens.push(Token { line, kind });
        }
    }
    tokens
}

struct Lexer {
    characters: Vec<char>,
    at: usize,
    line: usize,
}

impl Lexer {
    /// Reads what starts with `first`. `None` for white space and comments.
    fn token(&mut self, first: char) -> Option<Kind> {
        match first {
            '/' if self.peek(1) == Some('/') => {
                self.take_while(|character| character != '\n');
                None
            }
            '/' if self.peek(1) == Some('*') => {
                self.skip_block_comment();
                None
            }
            '"' => Some(self.text()),
            '\'' => {
                self.skip_character_or_lifetime();
                Some(Kind::Other)
            }
            _ if first.is_ascii_digit() => {
                self.skip_number();
                Some(Kind::Other)
            }
            _ if is_word_character(first) => Some(self.word_or_prefixed_text()),
            _ => {
                self.next();
                (!first.is_whitespace()).then_some(Kind::Mark(first))
            }
        }
    }

    fn word_or_prefixed_text(&mut self) -> Kind {
        let word = self.take_while(is_word_character);
        match (word.as_str(), self.peek(0)) {
            ("b" | "c", Some('"')) => self.text(),
            ("r" | "br" | "cr", Some('"')) => self.raw_text(0),
            ("r" | "br" | "cr", Some('#')) => {
                let hashes = self.count('#');
                if self.peek(hashes) == Some('"') {
                    self.skip(hashes);
                    return self.raw_text(hashes);
                }
                self.skip(hashes);
                Kind::Word(self.take_while(is_word_character))
            }
            _ => Kind::Word(word),
        }
    }

    fn text(&mut self) -> Kind {
        self.next();
        let mut text = String::new();
        while let Some(character) = self.next() {
            match character {
                '"' => break,
                '\\' => {
                    text.push(character);
                    text.extend(self.next());
                }
                _ => text.push(character),
            }
        }
        Kind::Text(text)
    }

    fn raw_text(&mut self, hashes: usize) -> Kind {
        self.next();
        let mut text = String::new();
        while let Some(character) = self.next() {
            if character == '"' && self.count('#') >= hashes {
                self.skip(hashes);
                break;
            }
            text.push(character);
        }
        Kind::Text(text)
    }

    fn skip_block_comment(&mut self) {
        let mut depth = 0_usize;
        while let Some(character) = self.next() {
            match (character, self.peek(0)) {
                ('/', Some('*')) => {
                    self.next();
                    depth += 1;
                }
                ('*', Some('/')) => {
                    self.next();
                    depth -= 1;
                }
                _ => {}
            }
            if depth == 0 {
                break;
            }
        }
    }

    fn skip_character_or_lifetime(&mut self) {
        self.next();
        if self.peek(0) == Some('\\') {
            // The character after the backslash may itself be a quote.
            self.skip(2);
            self.take_while(|character| character != '\'');
            self.next();
        } else if self.peek(1) == Some('\'') {
            self.skip(2);
        } else {
            self.take_while(is_word_character);
        }
    }

    fn skip_number(&mut self) {
        self.take_while(is_word_character);
        // In `1.5` the dot belongs to the number, in `1.max(2)` and `1..2` it does not.
        if self.peek(0) == Some('.') && self.peek(1).is_some_and(|next| next.is_ascii_digit()) {
            self.next();
            self.take_while(is_word_character);
        }
    }

    fn peek(&self, ahead: usize) -> Option<char> {
        self.characters.get(self.at + ahead).copied()
    }

    fn next(&mut self) -> Option<char> {
        let character = self.peek(0)?;
        self.at += 1;
        if character == '\n' {
            self.line += 1;
        }
        Some(character)
    }

    fn skip(&mut self, count: usize) {
        for _ in 0..count {
            self.next();
        }
    }

    /// How many times `mark` stands here in a row.
    fn count(&self, mark: char) -> usize {
        let rest = &self.characters[self.at..];
        rest.iter()
            .take_while(|character| **character == mark)
            .count()
    }

    fn take_while(&mut self, is_wanted: impl Fn(char) -> bool) -> String {
        let mut taken = String::new();
        while let Some(character) = self.peek(0).filter(|character| is_wanted(*character)) {
            taken.push(character);
            self.next();
        }
        taken
    }
}

fn is_word_character(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(source: &str, expected: &str) {
        let shown: Vec<String> = tokens(source)
            .iter()
            .map(|token| match &token.kind {
                Kind::Word(word) => word.clone(),
                Kind::Text(text) => format!("\"{text}\""),
                Kind::Other => "_".to_owned(),
                Kind::Mark(mark) => mark.to_string(),
            })
            .collect();
        assert_eq!(shown.join(" "), expected, "tokens of {source}");
    }

    #[test]
    fn comments_are_left_out() {
        check("a // x.sin()\nb /* c /* nested */ d */ e", "a b e");
        check("/// docs\n//! more\n/**/ a", "a");
    }

    #[test]
    fn text_is_one_token_whatever_its_form() {
        check(r##"f("a // b") "\"" b"c" r"\" r#"d"e"# c"f" g"##, {
            r#"f ( "a // b" ) "\"" "c" "\" "d"e" "f" g"#
        });
    }

    #[test]
    fn characters_and_lifetimes_do_not_open_text() {
        check(
            r#"'"' '\'' b'"' &'a str '\u{1F600}' x"#,
            "_ _ b _ & _ str _ x",
        );
    }

    #[test]
    fn a_method_of_a_number_is_a_word() {
        check(
            "1.5.sin() x.0.cos() 2.0_f64.ln() 1..2",
            "_ . sin ( ) x . _ . cos ( ) _ . ln ( ) _ . . _",
        );
    }

    #[test]
    fn raw_identifiers_lose_their_prefix() {
        check("r#type::new()", "type : : new ( )");
    }

    #[test]
    fn lines_are_counted_through_text_and_comments() {
        let lines: Vec<usize> = tokens("a\n\"b\nc\" d\n/* e\n*/ f")
            .iter()
            .map(|token| token.line)
            .collect();
        assert_eq!(lines, [1, 2, 3, 5]);
    }
}
