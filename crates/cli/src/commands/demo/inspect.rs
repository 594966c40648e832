//! `apprentice demo inspect`: says what is in a recorded demonstration.

use std::fmt::Write;
use std::path::PathBuf;

use apprentice::experience::{Demonstration, DemonstrationLog, LoggedSample, Place};

use crate::commands::plan::Format;
use crate::demonstrations::{name_of, read_log};
use crate::exit::{Exit, Failure, print, print_exactly};
use apprentice::report::document::{HoldingDocument, LogDocument, LoggedEventDocument};
use apprentice::report::numbers::{counted, finite, short};

/// Say what is in a recorded demonstration.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The log (.jsonl)
    file: PathBuf,

    /// What to print
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let read = read_log(&arguments.file)?;
    let summary = Summary::of(&read.log, name_of(&arguments.file));
    match arguments.format {
        Format::Text => print(&summary.text())?,
        Format::Json => {
            let document = LogDocument {
                file: arguments.file.display().to_string(),
                cut_line: read.cut_line,
                ..summary.document()
            };
            let text = serde_json::to_string_pretty(&document);
            print_exactly(&(text.map_err(|error| Failure::Bug(error.to_string()))? + "\n"))?;
        }
    }
    Ok(Exit::Done)
}

/// What is in a log.
struct Summary<'a> {
    log: &'a DemonstrationLog,
    demonstration: Demonstration,
    length: f64,
    /// Seconds at each gait, in the order in which they are first met.
    gaits: Vec<(String, f64)>,
    /// What is held from when on.
    holdings: Vec<(f64, &'a [String])>,
    events: Vec<(f64, &'a str)>,
}

/// Samples that name no gait.
const NO_GAIT: &str = "unknown";

impl<'a> Summary<'a> {
    fn of(log: &'a DemonstrationLog, name: String) -> Summary<'a> {
        let samples = &log.samples;
        let pairs = || samples.iter().zip(samples.iter().skip(1));
        let mut gaits: Vec<(String, f64)> = Vec::new();
        for (from, to) in pairs() {
            let gait = to.gait.as_deref().unwrap_or(NO_GAIT);
            let seconds = to.time - from.time;
            match gaits.iter_mut().find(|(name, _)| name == gait) {
                Some((_, sum)) => *sum += seconds,
                None => gaits.push((gait.to_owned(), seconds)),
            }
        }
        let mut holdings: Vec<(f64, &[String])> = Vec::new();
        for sample in samples {
            let before = holdings.last().map_or(&[][..], |(_, held)| held);
            if sample.holding != before {
                holdings.push((sample.time, &sample.holding));
            }
        }
        let events = samples.iter().flat_map(|sample| {
            let events = sample.events.iter();
            events.map(|event| (sample.time, event.as_str()))
        });
        Summary {
            log,
            demonstration: log.demonstration(name),
            length: pairs()
                .map(|(from, to)| from.place.distance_to(to.place))
                .sum(),
            gaits,
            holdings,
            events: events.collect(),
        }
    }

    fn text(&self) -> String {
        let header = &self.log.header;
        let unit = header
            .unit
            .map_or_else(|| "unit".to_owned(), |unit| unit.to_string());
        let mut text = format!(
            "{}: {}, {} s, {} {unit}s\n",
            self.demonstration.name,
            counted(self.log.samples.len(), "sample"),
            short(self.demonstration.duration(), 1),
            short(self.length, 1),
        );
        let mut tell = |what: &str, content: String| {
            let _ = writeln!(text, "  {what:<9} {content}");
        };
        if let Some(scenario) = &header.scenario {
            tell("scenario", scenario.clone());
        }
        if let Some(interval) = header.interval {
            tell("interval", format!("{} s", short(interval, 3)));
        }
        if let [first, .., last] = &self.log.samples[..] {
            let place = |place: Place| {
                // Adding zero leaves no negative one.
                let tidy = |value: f64| (value * 100.0).round() / 100.0 + 0.0;
                Place::new(tidy(place.x), tidy(place.y), tidy(place.z)).to_string()
            };
            tell(
                "way",
                format!("{} to {}", place(first.place), place(last.place)),
            );
        }
        for (gait, seconds) in &self.gaits {
            tell("gait", format!("{gait} for {} s", short(*seconds, 1)));
        }
        for (time, held) in &self.holdings {
            let held = if held.is_empty() {
                "nothing".to_owned()
            } else {
                held.join(", ")
            };
            tell("holding", format!("{held} from {} s", short(*time, 1)));
        }
        for (time, event) in &self.events {
            tell("event", format!("{event} at {} s", short(*time, 1)));
        }
        text
    }

    /// All but the file and what is cut off from it.
    fn document(&self) -> LogDocument {
        let header = &self.log.header;
        let place = |sample: &LoggedSample| {
            let Place { x, y, z } = sample.place;
            [x, y, z]
        };
        let gaits = self.gaits.iter();
        let holdings = self.holdings.iter().map(|(t, held)| HoldingDocument {
            holding: held.to_vec(),
            t: *t,
        });
        let events = self.events.iter().map(|(t, event)| LoggedEventDocument {
            event: (*event).to_owned(),
            t: *t,
        });
        LogDocument {
            cut_line: None,
            duration: finite(self.demonstration.duration()),
            events: events.collect(),
            file: String::new(),
            from: self.log.samples.first().map(place),
            gaits: gaits
                .map(|(gait, time)| (gait.clone(), finite(*time)))
                .collect(),
            holdings: holdings.collect(),
            interval: header.interval,
            length: finite(self.length),
            name: self.demonstration.name.clone(),
            samples: self.log.samples.len(),
            scenario: header.scenario.clone(),
            to: self.log.samples.last().map(place),
            unit: header.unit.map(|unit| unit.to_string()),
        }
    }
}
