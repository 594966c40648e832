//! `apprentice playstyle classify`: tells the style of plays.

use std::fmt::Write;
use std::path::PathBuf;

use apprentice::playstyle::{Activity, Distribution, Playstyles, Recogniser};
use serde_json::{Map, Value, json};

use super::{mention_strangers, plays_in, styles_in};
use crate::commands::plan::Format;
use crate::exit::{Exit, Failure, print, print_exactly};
use apprentice::report::numbers::{finite, short};

/// Tell the style of plays.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// What was learned: from `apprentice playstyle learn`
    model: PathBuf,

    /// Logs of plays
    #[arg(required = true, value_name = "PLAYS")]
    plays: Vec<PathBuf>,

    /// Look only at what was done until then, in seconds; without, at all of each play, and at as much of
    /// those that were learned from
    #[arg(long, value_name = "SECONDS")]
    until: Option<f64>,

    /// What to print
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// What is told of a play.
struct Told {
    id: String,
    distribution: Distribution,
    known: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    if let Some(until) = arguments
        .until
        .filter(|until| !(until.is_finite() && *until >= 0.0))
    {
        return Err(Failure::input(format!(
            "--until {until} is no time; give seconds since a play began, such as 300"
        )));
    }
    let styles = styles_in(&arguments.model)?;
    let mut plays: Vec<Activity> = Vec::new();
    for path in &arguments.plays {
        plays.extend(plays_in(path)?);
    }
    mention_strangers(&styles, &plays);
    let told = tell(&styles, &plays, arguments.until);
    match arguments.format {
        Format::Text => print(&text(&styles, &told))?,
        Format::Json => print_exactly(&format!("{:#}\n", document(&styles, &told)))?,
    }
    Ok(Exit::Done)
}

fn tell(styles: &Playstyles, plays: &[Activity], until: Option<f64>) -> Vec<Told> {
    let recogniser = Recogniser::new(styles.clone());
    if let Some(until) = until {
        let as_of = recogniser.as_of(until);
        let told = plays.iter().map(|play| {
            let verdict = as_of.classify(play);
            Told {
                id: play.id.clone(),
                distribution: verdict.distribution,
                known: verdict.known,
            }
        });
        return told.collect();
    }
    let watching = recogniser.watch();
    let told = plays.iter().map(|play| {
        let mut watching = watching.anew();
        watching.observe_all(play);
        Told {
            id: play.id.clone(),
            distribution: watching.now().clone(),
            known: watching.is_known(),
        }
    });
    told.collect()
}

fn text(styles: &Playstyles, told: &[Told]) -> String {
    let mut text = String::new();
    for told in told {
        let class = told.distribution.most_likely();
        let _ = writeln!(
            text,
            "{}: {} ({} %){}",
            told.id,
            styles.classes()[class].name,
            short(told.distribution.of(class) * 100.0, 0),
            if told.known {
                ""
            } else {
                ", but like nothing that was learned"
            }
        );
    }
    text
}

fn document(styles: &Playstyles, told: &[Told]) -> Value {
    let plays = told.iter().map(|told| {
        let classes = styles
            .classes()
            .iter()
            .zip(told.distribution.probabilities());
        let probabilities: Map<String, Value> = classes
            .map(|(class, probability)| (class.name.clone(), json!(finite(*probability))))
            .collect();
        json!({
            "id": told.id,
            "class": styles.classes()[told.distribution.most_likely()].name,
            "probabilities": probabilities,
            "known": told.known,
        })
    });
    Value::Array(plays.collect())
}
