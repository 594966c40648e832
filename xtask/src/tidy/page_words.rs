//! The page reads no sentences: whoever rewords a message of the program must not break it.
//!
//! Messages carry ids, numbers and words that are finished. A script that looks for a piece of a
//! sentence, or cuts one apart, reads facts out of English; such a script is found by what it looks
//! for: several words, or the backticks that ids in sentences stand between.

use super::finding::Finding;
use super::tree::Tree;

const FOLDER: &str = "crates/studio/web/";

/// Methods that look for something in a text, and operators that compare with one.
const LOOKING: [&str; 16] = [
    ".replace(",
    ".replaceAll(",
    ".match(",
    ".matchAll(",
    ".search(",
    ".includes(",
    ".indexOf(",
    ".lastIndexOf(",
    ".startsWith(",
    ".endsWith(",
    ".split(",
    "RegExp(",
    "=== ",
    "!== ",
    "case ",
    "(/",
];

pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, text) in tree.texts() {
        if !path.starts_with(FOLDER) || !path.ends_with(".js") {
            continue;
        }
        for (number, line) in (1..).zip(text.lines()) {
            if let Some(looked_for) = sentence_looked_for(line) {
                let what =
                    format!("`{looked_for}` is looked for as if it were a piece of a sentence");
                let remedy =
                    "let the message say what is meant: a kind, an id, a number, or finished words";
                findings.push(Finding::new(path, number, what, remedy));
            }
        }
    }
    findings
}

/// What a line looks for, if that reads like a sentence.
fn sentence_looked_for(line: &str) -> Option<&str> {
    LOOKING.iter().find_map(|looking| {
        let places = line.match_indices(looking);
        places
            .filter_map(|(at, _)| literal(&line[at + looking.trim_end_matches('/').len()..]))
            .find(|literal| is_of_sentence(literal))
    })
}

/// The text or the pattern that begins here, without what it stands between.
fn literal(rest: &str) -> Option<&str> {
    let begin = rest.chars().next().filter(|it| "'\"/".contains(*it))?;
    let inside = &rest[1..];
    let mut escaped = false;
    let end = inside.find(|letter: char| {
        let is_end = letter == begin && !escaped;
        escaped = letter == '\\' && !escaped;
        is_end
    })?;
    Some(&inside[..end])
}

/// Two words with a space between them, or a backtick.
fn is_of_sentence(literal: &str) -> bool {
    let is_part = |letter: char| letter.is_alphanumeric() || ")]+*,;:".contains(letter);
    let spaces = literal.match_indices(' ');
    let between_words = spaces.into_iter().any(|(at, _)| {
        let before = literal[..at].chars().next_back();
        let after = literal[at + 1..].chars().next();
        let begins = |letter: char| letter.is_alphanumeric() || "(\\[".contains(letter);
        before.is_some_and(is_part) && after.is_some_and(begins)
            || before.is_none() && after.is_some_and(char::is_alphanumeric)
    });
    between_words || literal.contains('`')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(line: &str) -> Option<String> {
        let tree = Tree::of(&[("crates/studio/web/words.js", line)]);
        let findings = check(&tree);
        findings.first().map(|finding| finding.what.clone())
    }

    #[test]
    fn scripts_that_read_sentences_are_found() {
        for line in [
            r"  return message.replace(/^line \d+, column \d+: /, '');",
            "  return text.replaceAll('`', '');",
            r"  return text.replaceAll(/\b(\w+) \1\b/g, '$1');",
            "  last.losses[told.text.split(' to ').pop()] = true;",
            "  step.action.replace(' fighting', ', ready to fight')",
            "  if (status === 'there is no plan') return;",
            "  if (/no plan/.test(status)) return;",
        ] {
            assert!(found(line).is_some(), "{line}");
        }
    }

    #[test]
    fn ids_and_single_letters_are_no_sentences() {
        for line in [
            "  return id.replaceAll('_', ' ');",
            "  return action.split(' ').map((word) => word).join('');",
            "  if (id.startsWith('event:')) return `the way by ${id}`;",
            "  const name = path.replace('built-in:', 'scenarios/');",
            r"  this.add(name.replace(/\.jsonl$/, ''), read.text);",
            "  case 'picked_up': return 'takes it up';",
            "  return number.toLocaleString('en').replaceAll(',', '\\u202f');",
            r"  if (/^[A-Z]/.test(token)) return 'type';",
        ] {
            assert_eq!(found(line), None, "{line}");
        }
    }
}
