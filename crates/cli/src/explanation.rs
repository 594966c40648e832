//! The explanation of a plan, in words and as JSON.

use std::fmt::Write;

use apprentice::behavior::{Explanation, Reason, Sneaking, Stretch};
use serde_json::{Value, json};

use crate::numbers::short;

/// An explanation for people, in lines.
pub(crate) fn text(explanation: &Explanation) -> String {
    let mut text = String::from("Why\n");
    for line in lines(explanation) {
        let _ = writeln!(text, "  {:>6.1} s  {}", line.time, line.text);
        for detail in &line.details {
            let _ = writeln!(text, "            - {detail}");
        }
    }
    for ignored in &explanation.ignored {
        let _ = writeln!(text, "  ignored   `{}`: {}", ignored.name, ignored.why);
    }
    text
}

/// Something worth saying, and when in the plan.
pub(crate) struct Line {
    pub(crate) time: f64,
    pub(crate) text: String,
    /// If there are several reasons, each of them.
    pub(crate) details: Vec<String>,
    /// Whether it is about something that is followed.
    pub(crate) follows: bool,
}

/// What there is to say, in the order of the plan.
pub(crate) fn lines(explanation: &Explanation) -> Vec<Line> {
    let stretches = explanation.stretches.iter().map(stretch_line);
    let sneaking = explanation.sneaking.iter().map(|sneaking| Line {
        time: sneaking.time.0,
        text: sneaking_text(sneaking),
        details: Vec::new(),
        follows: false,
    });
    let mut lines: Vec<Line> = stretches.chain(sneaking).collect();
    lines.sort_by(|a, b| a.time.total_cmp(&b.time));
    lines
}

/// One reason is told in the same breath; several are a list.
fn stretch_line(stretch: &Stretch) -> Line {
    let mut details: Vec<String> = stretch.reasons.iter().map(Reason::to_string).collect();
    let only = (details.len() == 1).then(|| details.remove(0));
    let text = match &stretch.follows {
        Some(followed) => {
            let (from, to) = (short(followed.time.0, 1), short(followed.time.1, 1));
            let of = short(followed.of, 1);
            let text = format!("follows `{}`, its {from} to {to} s of {of}", followed.name);
            match only {
                Some(reason) => format!("{text}; {reason}"),
                None => text,
            }
        }
        None => match only {
            Some(reason) => format!("on its own: {reason}"),
            None if details.is_empty() => "goes its own way".to_owned(),
            None => "on its own:".to_owned(),
        },
    };
    Line {
        time: stretch.time.0,
        text,
        details,
        follows: stretch.follows.is_some(),
    }
}

fn sneaking_text(sneaking: &Sneaking) -> String {
    let until = short(sneaking.time.1, 1);
    match &sneaking.because_of {
        Some(listener) => format!(
            "sneaks until {until} s: `{}` notices walkers at {}, sneakers at {}; the plan comes within {}",
            listener.id,
            short(listener.walking, 1),
            short(listener.sneaking, 1),
            short(listener.distance, 1),
        ),
        None => format!("sneaks until {until} s"),
    }
}

/// An explanation for programs.
pub(crate) fn json(explanation: &Explanation) -> Value {
    let stretches = explanation.stretches.iter().map(|stretch| {
        let follows = stretch.follows.as_ref().map(|followed| {
            json!({
                "demonstration": followed.name,
                "number": followed.demonstration,
                "from_s": followed.time.0,
                "to_s": followed.time.1,
                "of_s": followed.of,
            })
        });
        json!({
            "from_step": stretch.first,
            "to_step": stretch.last,
            "from_t": stretch.time.0,
            "to_t": stretch.time.1,
            "follows": follows,
            "reasons": stretch.reasons.iter().map(reason).collect::<Vec<_>>(),
        })
    });
    let sneaking = explanation.sneaking.iter().map(|sneaking| {
        let because = sneaking.because_of.as_ref().map(|listener| {
            json!({
                "agent": listener.id,
                "distance": listener.distance,
                "notices_walking": listener.walking,
                "notices_sneaking": listener.sneaking,
            })
        });
        json!({
            "from_step": sneaking.first,
            "to_step": sneaking.last,
            "from_t": sneaking.time.0,
            "to_t": sneaking.time.1,
            "because_of": because,
        })
    });
    let ignored = explanation.ignored.iter().map(|ignored| {
        json!({
            "demonstration": ignored.name,
            "number": ignored.demonstration,
            "text": ignored.why.to_string(),
        })
    });
    json!({
        "stretches": stretches.collect::<Vec<_>>(),
        "sneaking": sneaking.collect::<Vec<_>>(),
        "ignored": ignored.collect::<Vec<_>>(),
    })
}

fn reason(reason: &Reason) -> Value {
    json!({ "kind": kind_of(reason), "text": reason.to_string() })
}

/// What kind of reason it is, in a word that stays.
fn kind_of(reason: &Reason) -> &'static str {
    match reason {
        Reason::Does { .. } => "does",
        Reason::Wall { .. } => "wall",
        Reason::OffMap { .. } => "off-map",
        Reason::Enemy { .. } => "enemy",
        Reason::Shorter { .. } => "shorter",
        Reason::LeftOut { .. } => "left-out",
        Reason::Begins => "begins",
        Reason::Ends => "ends",
    }
}

#[cfg(test)]
mod tests {
    use apprentice::experience::Place;

    use super::*;

    const CHAPTER: &str = include_str!("../../../book/src/documents.md");

    #[test]
    fn the_book_tells_every_kind_of_reason() {
        let at = Place::new(1.0, 2.0, 0.0);
        let text = String::new;
        let reasons = [
            Reason::Does {
                what: text(),
                off: None,
                because: None,
            },
            Reason::Wall { at },
            Reason::OffMap { at },
            Reason::Enemy {
                id: text(),
                distance: 1.0,
                notices: 2.0,
            },
            Reason::Shorter { saves: 1.0 },
            Reason::LeftOut {
                name: text(),
                time: (0.0, 1.0),
            },
            Reason::Begins,
            Reason::Ends,
        ];
        for reason in &reasons {
            // Whoever adds a kind comes past here: it belongs to the list above, and into the book.
            match reason {
                Reason::Does { .. }
                | Reason::Wall { .. }
                | Reason::OffMap { .. }
                | Reason::Enemy { .. }
                | Reason::Shorter { .. }
                | Reason::LeftOut { .. }
                | Reason::Begins
                | Reason::Ends => {}
            }
            let kind = kind_of(reason);
            assert!(CHAPTER.contains(&format!("| `{kind}` | ")), "{kind}");
        }
    }
}
