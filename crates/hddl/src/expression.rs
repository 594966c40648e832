//! Nested lists of words, as HDDL files are written, with the place of each.

use super::mistake::{Complaint, Place};

/// A word, or a list in parentheses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Expression<'text> {
    pub(crate) place: Place,
    pub(crate) content: Content<'text>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Content<'text> {
    Word(&'text str),
    List(Vec<Expression<'text>>),
}

/// Deeper nesting is refused. Real files nest about ten deep, and what reads the lists may recurse.
const DEEPEST: usize = 200;

impl<'text> Expression<'text> {
    pub(crate) fn word(&self) -> Option<&'text str> {
        match self.content {
            Content::Word(word) => Some(word),
            Content::List(_) => None,
        }
    }

    pub(crate) fn list(&self) -> Option<&[Expression<'text>]> {
        match &self.content {
            Content::List(items) => Some(items),
            Content::Word(_) => None,
        }
    }

    /// The first word of a list: `and` in `(and …)`.
    pub(crate) fn head(&self) -> Option<&'text str> {
        self.list()?.first()?.word()
    }

    pub(crate) fn must_be_word(&self, what: &str) -> Result<&'text str, Complaint> {
        self.word().ok_or_else(|| {
            (
                self.place,
                format!("expected {what}, found a list"),
                String::new(),
            )
        })
    }

    pub(crate) fn must_be_list(&self, what: &str) -> Result<&[Expression<'text>], Complaint> {
        self.list().ok_or_else(|| {
            (
                self.place,
                format!(
                    "expected {what} in parentheses, found {:?}",
                    self.word().unwrap_or("")
                ),
                String::new(),
            )
        })
    }
}

/// Reads the one list a file consists of.
pub(crate) fn read(text: &str) -> Result<Expression<'_>, Complaint> {
    let mut open: Vec<(Place, Vec<Expression<'_>>)> = Vec::new();
    let mut whole: Option<Expression<'_>> = None;
    let (mut line, mut column) = (1, 1);
    let mut characters = text.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        let place = Place { line, column };
        column += 1;
        match character {
            '\n' => {
                line += 1;
                column = 1;
            }
            c if c.is_whitespace() || c == '\u{feff}' => {}
            ';' => while characters.next_if(|(_, c)| *c != '\n').is_some() {},
            _ if whole.is_some() => {
                return Err((
                    place,
                    "nothing may follow the closing parenthesis of (define …)".to_owned(),
                    "a parenthesis too many before this place closes the file's list early"
                        .to_owned(),
                ));
            }
            '(' => {
                if open.len() == DEEPEST {
                    return Err((
                        place,
                        format!("lists are nested more than {DEEPEST} deep"),
                        "is a closing parenthesis missing?".to_owned(),
                    ));
                }
                open.push((place, Vec::new()));
            }
            ')' => {
                let Some((place_of_opening, items)) = open.pop() else {
                    return Err((
                        place,
                        "this parenthesis closes nothing".to_owned(),
                        "take it away, or open a list before it".to_owned(),
                    ));
                };
                let list = Expression {
                    place: place_of_opening,
                    content: Content::List(items),
                };
                match open.last_mut() {
                    Some((_, outer)) => outer.push(list),
                    None => whole = Some(list),
                }
            }
            _ => {
                let mut end = at + character.len_utf8();
                while let Some((next, c)) =
                    characters.next_if(|(_, c)| !c.is_whitespace() && !matches!(c, '(' | ')' | ';'))
                {
                    end = next + c.len_utf8();
                    column += 1;
                }
                let word = Expression {
                    place,
                    content: Content::Word(&text[at..end]),
                };
                match open.last_mut() {
                    Some((_, items)) => items.push(word),
                    None => {
                        return Err((
                            place,
                            format!("expected (define …), found {:?}", &text[at..end]),
                            "an HDDL file is one list that begins with (define".to_owned(),
                        ));
                    }
                }
            }
        }
    }
    if let Some((place, items)) = open.pop() {
        let name = items.first().and_then(Expression::word).unwrap_or("");
        return Err((
            place,
            format!("the list ({name} … that begins here is never closed"),
            "a closing parenthesis is missing somewhere after this place".to_owned(),
        ));
    }
    whole.ok_or_else(|| {
        (
            Place { line, column },
            "the file is empty".to_owned(),
            "an HDDL file is one list that begins with (define".to_owned(),
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_count_lines_and_characters() {
        let whole = read("; a comment (with a list)\n(define\n\t(ä b))").unwrap();
        assert_eq!(whole.place, Place { line: 2, column: 1 });
        let inner = &whole.list().unwrap()[1];
        assert_eq!(inner.place, Place { line: 3, column: 2 });
        assert_eq!(inner.list().unwrap()[1].place, Place { line: 3, column: 5 });
    }

    #[test]
    fn what_does_not_close_or_closes_twice_is_refused_with_its_place() {
        let at = |text| read(text).unwrap_err().0;
        assert_eq!(at("(a (b)"), Place { line: 1, column: 1 });
        assert_eq!(at("(a (b"), Place { line: 1, column: 4 });
        assert_eq!(at("(a) (b)"), Place { line: 1, column: 5 });
        assert_eq!(at(")"), Place { line: 1, column: 1 });
        assert_eq!(at("\n  a"), Place { line: 2, column: 3 });
        assert_eq!(at(""), Place { line: 1, column: 1 });
    }

    #[test]
    fn a_hundred_thousand_parentheses_are_refused_not_a_crash() {
        let text = "(".repeat(100_000);
        assert!(read(&text).unwrap_err().1.contains("nested more than"));
    }
}
