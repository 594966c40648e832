//! `apprentice playstyle watch`: follows a play event by event.

use std::fmt::Write;
use std::path::PathBuf;

use apprentice::playstyle::{Activity, Playstyles, Recogniser, StyleBelief};
use serde_json::{Map, Value, json};

use super::chart::{Chart, Line};
use super::{mention_strangers, plays_in, styles_in};
use crate::commands::plan::Format;
use crate::exit::{Exit, Failure, print, print_exactly};
use crate::output_file;
use apprentice::report::numbers::{finite, short};

/// Follow one play event by event, and draw what is believed of it over time.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// What was learned: from `apprentice playstyle learn`
    model: PathBuf,

    /// A log with one play, or with several if `--play` names one
    #[arg(value_name = "LOG")]
    log: PathBuf,

    /// Which play of the log to follow
    #[arg(long, value_name = "ID")]
    play: Option<String>,

    /// Draw how sure one can be over time to this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    /// What to print
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// What is believed after an event.
struct Moment<'a> {
    time: f64,
    event: &'a str,
    /// By everything since the play began.
    so_far: Vec<f64>,
    /// By what was done lately.
    lately: Vec<f64>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let styles = styles_in(&arguments.model)?;
    let plays = plays_in(&arguments.log)?;
    let play = chosen(&plays, arguments.play.as_deref())?;
    if let Some(path) = &arguments.svg {
        output_file::check(path)?;
    }
    mention_strangers(&styles, std::slice::from_ref(play));
    let moments = follow(&styles, play);
    if let Some(path) = &arguments.svg {
        output_file::write(path, &drawn(&styles, play, &moments))?;
    }
    match arguments.format {
        Format::Text => print(&text(&styles, &moments))?,
        Format::Json => print_exactly(&format!("{:#}\n", document(&styles, play, &moments)))?,
    }
    Ok(Exit::Done)
}

fn chosen<'a>(plays: &'a [Activity], id: Option<&str>) -> Result<&'a Activity, Failure> {
    let ids = || {
        let ids: Vec<String> = plays
            .iter()
            .take(10)
            .map(|play| format!("`{}`", play.id))
            .collect();
        ids.join(", ")
    };
    match (id, plays) {
        (None, [play]) => Ok(play),
        (None, _) => Err(Failure::input(format!(
            "there are {} plays in the log; name one with --play: {}",
            plays.len(),
            ids()
        ))),
        (Some(id), _) => plays.iter().find(|play| play.id == id).ok_or_else(|| {
            Failure::input(format!(
                "there is no play `{id}` in the log; there is {}",
                ids()
            ))
        }),
    }
}

fn follow<'a>(styles: &Playstyles, play: &'a Activity) -> Vec<Moment<'a>> {
    let mut watching = Recogniser::new(styles.clone()).watch();
    let mut belief = StyleBelief::new(styles.clone());
    let moments = play.events.iter().map(|event| {
        watching.observe(event.time, &event.name);
        belief.observe(&event.name);
        Moment {
            time: event.time,
            event: &event.name,
            so_far: watching.now().probabilities().to_vec(),
            lately: belief.now().probabilities().to_vec(),
        }
    });
    moments.collect()
}

/// The most likely class and how likely it is, in words.
fn most_likely(styles: &Playstyles, probabilities: &[f64]) -> String {
    let mut best = 0;
    for (class, probability) in probabilities.iter().enumerate() {
        if *probability > probabilities[best] {
            best = class;
        }
    }
    format!(
        "{} {} %",
        styles.classes()[best].name,
        short(probabilities[best] * 100.0, 0)
    )
}

fn text(styles: &Playstyles, moments: &[Moment<'_>]) -> String {
    let mut text = format!(
        "{:>8}  {:<24} {:<24} lately\n",
        "seconds", "event", "so far"
    );
    for moment in moments {
        let _ = writeln!(
            text,
            "{:>8}  {:<24} {:<24} {}",
            short(moment.time, 1),
            moment.event,
            most_likely(styles, &moment.so_far),
            most_likely(styles, &moment.lately)
        );
    }
    text
}

fn document(styles: &Playstyles, play: &Activity, moments: &[Moment<'_>]) -> Value {
    let by_name = |probabilities: &[f64]| -> Map<String, Value> {
        let classes = styles.classes().iter().zip(probabilities);
        classes
            .map(|(class, probability)| (class.name.clone(), json!(finite(*probability))))
            .collect()
    };
    let moments = moments.iter().map(|moment| {
        json!({
            "t": finite(moment.time),
            "e": moment.event,
            "so_far": by_name(&moment.so_far),
            "lately": by_name(&moment.lately),
        })
    });
    json!({"id": play.id, "moments": moments.collect::<Vec<_>>()})
}

fn drawn(styles: &Playstyles, play: &Activity, moments: &[Moment<'_>]) -> String {
    let lines = styles.classes().iter().enumerate().map(|(number, class)| {
        let points = |of: for<'m> fn(&'m Moment<'_>) -> &'m [f64]| {
            let points = moments
                .iter()
                .map(|moment| (moment.time, of(moment)[number]));
            points.collect()
        };
        Line {
            name: class.name.clone(),
            solid: points(|moment| &moment.so_far),
            dashed: points(|moment| &moment.lately),
        }
    });
    let chart = Chart {
        title: format!("How {} plays", play.id),
        lines: lines.collect(),
    };
    chart.svg()
}
