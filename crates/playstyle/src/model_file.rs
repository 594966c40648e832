//! Keeps playstyles in a file: the plays, and which class each is of. What else is needed is learned
//! again from them, to the same bit, in a moment.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{Activity, Class, Event, Playstyles};

/// What a file of this kind calls itself.
const FORMAT: &str = "apprentice-playstyles";
const VERSION: u32 = 1;

#[derive(Serialize, Deserialize)]
struct Document {
    format: String,
    version: u32,
    /// The names of all events; plays speak of them by number.
    events: Vec<String>,
    classes: Vec<ClassEntry>,
    plays: Vec<PlayEntry>,
}

#[derive(Serialize, Deserialize)]
struct ClassEntry {
    name: String,
    cohesion: f64,
}

#[derive(Serialize, Deserialize)]
struct PlayEntry {
    id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    label: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    class: Option<usize>,
    #[serde(default, skip_serializing_if = "is_nothing")]
    participation: f64,
    events: Vec<(f64, usize)>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_nothing(number: &f64) -> bool {
    *number == 0.0
}

/// Why a file is no model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadModel(String);

impl fmt::Display for BadModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}; `apprentice playstyle learn PLAYS.jsonl -o MODEL.json` makes one",
            self.0
        )
    }
}

impl std::error::Error for BadModel {}

/// Playstyles as a JSON text.
pub fn write_model(styles: &Playstyles) -> String {
    let names = styles.vocabulary();
    let classes = styles.classes();
    let mut plays: Vec<PlayEntry> = styles
        .plays()
        .iter()
        .map(|play| PlayEntry {
            id: play.id.clone(),
            label: play.label.clone(),
            class: None,
            participation: 0.0,
            events: play
                .events
                .iter()
                .map(|event| {
                    (
                        event.time,
                        names.get(&event.name).map_or(0, |it| it as usize),
                    )
                })
                .collect(),
        })
        .collect();
    for (number, class) in classes.iter().enumerate() {
        for (member, share) in class.members.iter().zip(&class.participation) {
            plays[*member].class = Some(number);
            plays[*member].participation = *share;
        }
    }
    let document = Document {
        format: FORMAT.to_owned(),
        version: VERSION,
        events: names.names().to_vec(),
        classes: classes
            .iter()
            .map(|class| ClassEntry {
                name: class.name.clone(),
                cohesion: class.cohesion,
            })
            .collect(),
        plays,
    };
    // Nothing in it can fail to be written: its maps have text for keys, and its numbers are finite.
    serde_json::to_string(&document).unwrap_or_default() + "\n"
}

/// Playstyles from a JSON text.
///
/// ```
/// use apprentice_playstyle::{Activity, Playstyles, read_model, write_model};
///
/// let plays = ["SSSG", "SSG", "CCG", "CG"].map(Activity::of_letters);
/// let styles = Playstyles::learn(&plays)?;
/// let again = read_model(&write_model(&styles))?;
/// assert_eq!(again.classes(), styles.classes());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_model(text: &str) -> Result<Playstyles, BadModel> {
    let bad = |why: String| BadModel(why);
    let document: Document =
        serde_json::from_str(text).map_err(|error| bad(format!("it is no model: {error}")))?;
    if document.format != FORMAT || document.version != VERSION {
        return Err(bad(format!(
            "it is `{}` version {}, and `{FORMAT}` version {VERSION} is needed",
            document.format, document.version
        )));
    }
    let mut classes: Vec<Class> = document
        .classes
        .into_iter()
        .map(|class| Class {
            name: class.name,
            members: Vec::new(),
            participation: Vec::new(),
            cohesion: class.cohesion,
        })
        .collect();
    let mut unclassified = Vec::new();
    let mut plays: Vec<Activity> = Vec::new();
    for (number, entry) in document.plays.into_iter().enumerate() {
        match entry.class {
            None => unclassified.push(number),
            Some(class) => {
                let count = classes.len();
                let class = classes.get_mut(class).ok_or_else(|| {
                    bad(format!(
                        "the play `{}` is of class {class}, and there are {count}",
                        entry.id
                    ))
                })?;
                if !(entry.participation >= 0.0 && entry.participation <= 1.0) {
                    return Err(bad(format!(
                        "the play `{}` takes part {} in its class, and that is no share",
                        entry.id, entry.participation
                    )));
                }
                class.members.push(number);
                class.participation.push(entry.participation);
            }
        }
        let mut play = Activity::new(entry.id);
        play.label = entry.label;
        for (time, event) in entry.events {
            let backwards = play.events.last().is_some_and(|last| last.time > time);
            let name = document.events.get(event);
            let Some(name) = name.filter(|_| !backwards) else {
                return Err(bad(format!(
                    "the play `{}` has an event that cannot be",
                    play.id
                )));
            };
            let name = name.clone();
            play.events.push(Event { time, name });
        }
        plays.push(play);
    }
    if let Some(class) = classes.iter().find(|class| class.members.is_empty()) {
        return Err(bad(format!("the class `{}` has no plays", class.name)));
    }
    if classes.is_empty() {
        return Err(bad("it has no classes".to_owned()));
    }
    Playstyles::restored(&plays, classes, unclassified).map_err(|error| bad(error.to_string()))
}
