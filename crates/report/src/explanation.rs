//! The explanation of a plan, in lines for people and as a document for programs.

use std::fmt::Write;

use apprentice_behavior::{Explanation, NamedDeed, Purpose, Reason, Sneaking, Stretch, WhyIgnored};
use apprentice_experience::Place;
use apprentice_game::Verb;
use schemars::JsonSchema;
use serde::Serialize;

use crate::numbers::short;
use crate::phrases::{self, Ids};

/// An explanation for people, in lines.
pub fn text(explanation: &Explanation) -> String {
    let mut text = String::from("Why\n");
    for line in lines(explanation) {
        let _ = writeln!(text, "  {:>6.1} s  {}", line.time, line.text);
        for detail in &line.details {
            let _ = writeln!(text, "            - {detail}");
        }
    }
    for ignored in &explanation.ignored {
        let _ = writeln!(
            text,
            "  ignored   `{}`: {}",
            ignored.name,
            phrases::why_ignored(&ignored.why, Ids::Quoted)
        );
    }
    text
}

/// Something worth saying, and when in the plan.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// When, in seconds.
    pub time: f64,
    /// What.
    pub text: String,
    /// If there are several reasons, each of them.
    pub details: Vec<String>,
    /// Whether it is about something that is followed.
    pub follows: bool,
}

/// What there is to say, in the order of the plan.
pub fn lines(explanation: &Explanation) -> Vec<Line> {
    let stretches = explanation.stretches.iter().map(stretch_line);
    let sneaking = explanation.sneaking.iter().map(|sneaking| Line {
        time: sneaking.time.0,
        text: sneaking_text(sneaking),
        details: Vec::new(),
        follows: false,
    });
    let running = explanation.running.iter().map(|(from, to)| Line {
        time: *from,
        text: format!("runs until {} s", short(*to, 1)),
        details: Vec::new(),
        follows: false,
    });
    let mut lines: Vec<Line> = stretches.chain(sneaking).chain(running).collect();
    lines.sort_by(|a, b| a.time.total_cmp(&b.time));
    lines
}

/// One reason is told in the same breath; several are a list.
fn stretch_line(stretch: &Stretch) -> Line {
    let mut details: Vec<String> = (stretch.reasons.iter())
        .map(|reason| phrases::reason(reason, Ids::Quoted))
        .collect();
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

/// An explanation for programs. Fields are written in the order of their names.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ExplanationDocument {
    /// Demonstrations that nothing follows.
    pub ignored: Vec<IgnoredDocument>,
    /// Where the plan sneaks.
    pub sneaking: Vec<SneakingDocument>,
    /// The plan from beginning to end, cut where what is followed changes.
    pub stretches: Vec<StretchDocument>,
}

/// Steps in a row that follow the same demonstration, or none.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct StretchDocument {
    /// The demonstration; null where the plan goes its own way.
    pub follows: Option<FollowsDocument>,
    /// The number of its first step, counted from 1.
    pub from_step: usize,
    /// When it begins.
    pub from_t: f64,
    /// Why.
    pub reasons: Vec<ReasonDocument>,
    /// The number of its last step.
    pub to_step: usize,
    /// When it ends.
    pub to_t: f64,
}

/// A part of a demonstration that is followed.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct FollowsDocument {
    /// Its name.
    pub demonstration: String,
    /// Where the part begins, in its own seconds.
    pub from_s: f64,
    /// Which demonstration it is, counted from 0.
    pub number: usize,
    /// How long all of it is.
    pub of_s: f64,
    /// Where the part ends.
    pub to_s: f64,
}

/// Why a plan is not where a demonstration is, or what it does there.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ReasonDocument {
    /// What kind of reason it is, with its ids, numbers and places.
    #[serde(flatten)]
    pub facts: ReasonFacts,
    /// The same in words.
    pub text: String,
}

/// A kind of reason, in a word that stays, with what belongs to it.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum ReasonFacts {
    /// Something is fetched, pulled, opened or defeated here.
    Does {
        /// What is done.
        #[serde(flatten)]
        deed: DeedDocument,
        /// How far from the nearest demonstration that is; null if it lies on one.
        off: Option<f64>,
        /// In which direction from there.
        direction: Option<&'static str>,
    },
    /// A wall stands where the demonstration leads.
    Wall {
        /// Where it begins.
        x: f64,
        /// Where it begins.
        y: f64,
        /// Where it begins.
        z: f64,
    },
    /// The demonstration leads off the map.
    OffMap {
        /// Where.
        x: f64,
        /// Where.
        y: f64,
        /// Where.
        z: f64,
    },
    /// The demonstration passes somebody too closely.
    Enemy {
        /// Who.
        id: String,
        /// How near it passes.
        distance: f64,
        /// From how far they notice somebody who walks.
        notices: f64,
    },
    /// Another way to where the demonstration leads takes less time.
    Shorter {
        /// So many seconds less.
        saves: f64,
    },
    /// A part of the demonstration leads elsewhere than to what is done.
    LeftOut {
        /// The demonstration.
        demonstration: String,
        /// Where the part begins, in its own seconds.
        from_s: f64,
        /// Where the part ends.
        to_s: f64,
    },
    /// The demonstration has not begun here.
    Begins,
    /// The demonstration ends elsewhere.
    Ends,
}

/// What is done, to what, and what for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(tag = "deed", rename_all = "kebab-case")]
pub enum DeedDocument {
    /// An item is picked up.
    Fetch {
        /// Which.
        id: String,
        /// The doors that need it.
        opens: Vec<String>,
    },
    /// A lever is pulled.
    Pull {
        /// Which.
        id: String,
        /// The doors that it opens.
        opens: Vec<String>,
    },
    /// A door is opened with a key.
    Open {
        /// Which.
        id: String,
        /// The key.
        with: String,
    },
    /// Somebody is defeated.
    Defeat {
        /// Who.
        id: String,
    },
    /// Something else is done, in a game that has other things to do.
    Do {
        /// To what.
        id: String,
    },
}

/// Steps in a row that are sneaked.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SneakingDocument {
    /// Who would notice somebody who walks; null if nobody would.
    pub because_of: Option<ListenerDocument>,
    /// The number of the first step, counted from 1.
    pub from_step: usize,
    /// When it begins.
    pub from_t: f64,
    /// The number of the last step.
    pub to_step: usize,
    /// When it ends.
    pub to_t: f64,
}

/// Somebody who would notice a walker.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ListenerDocument {
    /// Who.
    pub agent: String,
    /// How near the plan comes.
    pub distance: f64,
    /// From how far they notice somebody who sneaks.
    pub notices_sneaking: f64,
    /// From how far they notice somebody who walks.
    pub notices_walking: f64,
}

/// A demonstration that is hardly followed.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct IgnoredDocument {
    /// Its name.
    pub demonstration: String,
    /// Which it is, counted from 0.
    pub number: usize,
    /// Why, with its numbers.
    #[serde(flatten)]
    pub facts: IgnoredFacts,
    /// The same in words.
    pub text: String,
}

/// Why a demonstration is hardly followed, in a word that stays, with what belongs to it.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum IgnoredFacts {
    /// The way along it takes longer than is followed.
    TooLong {
        /// How many times the direct way it takes.
        detour: f64,
        /// How many times the direct way it may take.
        epsilon: f64,
    },
    /// No way leads along it to the goal.
    LeadsNowhere,
    /// It shows no way at all.
    Empty,
    /// The planner does not look at demonstrations.
    NotAsked,
    /// Something else serves better.
    Better,
}

/// The document of an explanation.
pub fn document(explanation: &Explanation) -> ExplanationDocument {
    let stretches = explanation.stretches.iter().map(|stretch| {
        let follows = stretch.follows.as_ref().map(|followed| FollowsDocument {
            demonstration: followed.name.clone(),
            from_s: followed.time.0,
            number: followed.demonstration,
            of_s: followed.of,
            to_s: followed.time.1,
        });
        StretchDocument {
            follows,
            from_step: stretch.first,
            from_t: stretch.time.0,
            reasons: stretch.reasons.iter().map(reason).collect(),
            to_step: stretch.last,
            to_t: stretch.time.1,
        }
    });
    let sneaking = explanation.sneaking.iter().map(|sneaking| {
        let because_of = sneaking.because_of.as_ref();
        SneakingDocument {
            because_of: because_of.map(|listener| ListenerDocument {
                agent: listener.id.clone(),
                distance: listener.distance,
                notices_sneaking: listener.sneaking,
                notices_walking: listener.walking,
            }),
            from_step: sneaking.first,
            from_t: sneaking.time.0,
            to_step: sneaking.last,
            to_t: sneaking.time.1,
        }
    });
    let ignored = explanation.ignored.iter().map(|ignored| IgnoredDocument {
        demonstration: ignored.name.clone(),
        number: ignored.demonstration,
        facts: ignored_facts(&ignored.why),
        text: phrases::why_ignored(&ignored.why, Ids::Quoted),
    });
    ExplanationDocument {
        ignored: ignored.collect(),
        sneaking: sneaking.collect(),
        stretches: stretches.collect(),
    }
}

fn reason(reason: &Reason) -> ReasonDocument {
    ReasonDocument {
        facts: facts(reason),
        text: phrases::reason(reason, Ids::Quoted),
    }
}

fn facts(reason: &Reason) -> ReasonFacts {
    match reason {
        Reason::Does { deed: done, off } => ReasonFacts::Does {
            deed: deed(done),
            off: off.map(|(distance, _)| distance),
            direction: off.map(|(_, direction)| direction),
        },
        Reason::Wall { at } => {
            let Place { x, y, z } = *at;
            ReasonFacts::Wall { x, y, z }
        }
        Reason::OffMap { at } => {
            let Place { x, y, z } = *at;
            ReasonFacts::OffMap { x, y, z }
        }
        Reason::Enemy {
            id,
            distance,
            notices,
        } => ReasonFacts::Enemy {
            id: id.clone(),
            distance: *distance,
            notices: *notices,
        },
        Reason::Shorter { saves } => ReasonFacts::Shorter { saves: *saves },
        Reason::LeftOut { name, time } => ReasonFacts::LeftOut {
            demonstration: name.clone(),
            from_s: time.0,
            to_s: time.1,
        },
        Reason::Begins => ReasonFacts::Begins,
        Reason::Ends => ReasonFacts::Ends,
    }
}

fn deed(deed: &NamedDeed) -> DeedDocument {
    let id = deed.name.clone();
    let opens = match &deed.purpose {
        Some(Purpose::NeededBy { name, .. }) => vec![name.clone()],
        Some(Purpose::Opens(names)) => names.clone(),
        _ => Vec::new(),
    };
    match (deed.verb, &deed.purpose) {
        (Verb::Fetch, _) => DeedDocument::Fetch { id, opens },
        (Verb::Pull, _) => DeedDocument::Pull { id, opens },
        (Verb::Open, Some(Purpose::With(key))) => DeedDocument::Open {
            id,
            with: key.clone(),
        },
        (Verb::Defeat, _) => DeedDocument::Defeat { id },
        _ => DeedDocument::Do { id },
    }
}

fn ignored_facts(why: &WhyIgnored) -> IgnoredFacts {
    match *why {
        WhyIgnored::TooLong { detour, epsilon } => IgnoredFacts::TooLong { detour, epsilon },
        WhyIgnored::LeadsNowhere => IgnoredFacts::LeadsNowhere,
        WhyIgnored::Empty => IgnoredFacts::Empty,
        WhyIgnored::NotAsked => IgnoredFacts::NotAsked,
        WhyIgnored::Better => IgnoredFacts::Better,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHAPTER: &str = include_str!("../../../book/src/documents.md");

    #[test]
    fn the_book_tells_every_kind_of_reason() {
        let at = Place::new(1.0, 2.0, 0.0);
        let text = String::new;
        let reasons = [
            Reason::Does {
                deed: NamedDeed {
                    verb: Verb::Defeat,
                    sort: None,
                    name: text(),
                    purpose: None,
                },
                off: None,
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
            let document = serde_json::to_value(facts(reason)).expect("a document");
            let kind = document["kind"].as_str().expect("a word");
            assert!(CHAPTER.contains(&format!("| `{kind}` | ")), "{kind}");
        }
    }
}
