//! `apprentice demo lint`: says what may be wrong with demonstrations.

use std::fmt::Write;
use std::path::PathBuf;

use apprentice::experience::{Demonstration, Finding, Lint, Relevance, RelevanceFilter, Severity};
use apprentice::world::LevelGround;

use crate::commands::plan::Format;
use crate::demonstrations::{Loaded, load_file, load_own};
use crate::exit::{Exit, Failure, print, print_exactly};
use crate::scenario_source;
use apprentice::report::document::{
    FindingDocument, LintDocument, LookedOverDocument, RelevanceDocument,
};
use apprentice::report::numbers::{counted, finite, short};

/// Say what may be wrong with demonstrations, and whether a search would follow them here.
#[derive(clap::Args)]
#[command(after_help = HELP)]
pub(crate) struct Arguments {
    /// The scenario file
    scenario: PathBuf,

    /// Logs (.jsonl); without any, the scenario's own demonstrations are looked over
    files: Vec<PathBuf>,

    /// The inflation of everything that is not demonstrated [default: the root of 10, about 3.16]
    #[arg(long, value_name = "E", value_parser = factor, allow_hyphen_values = true)]
    epsilon: Option<f64>,

    /// Leave out demonstrations that take more than D times the straight way, whatever epsilon is
    #[arg(long, value_name = "D", value_parser = factor, allow_hyphen_values = true)]
    max_detour: Option<f64>,

    /// Fail if there is a warning
    #[arg(long)]
    strict: bool,

    /// What to print
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

const HELP: &str = "\
Notes are worth knowing: demonstrations may go through walls and off the map. Warnings are probably
not meant.

Exit codes: 0 done, whatever was found; 1 there are warnings and --strict was given; 3 a file is broken.";

/// Findings of one demonstration that are shown to people; documents have all.
const SHOWN: usize = 12;

fn factor(text: &str) -> Result<f64, String> {
    let number: f64 = text
        .parse()
        .map_err(|_| "write a number, at least 1".to_owned())?;
    if (1.0..=1e6).contains(&number) {
        Ok(number)
    } else {
        Err("write a number from 1 to 1000000".to_owned())
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let source = scenario_source::load(Some(&arguments.scenario))?;
    let loaded = if arguments.files.is_empty() {
        load_own(&source)?
    } else {
        let files = arguments.files.iter();
        files
            .map(|path| load_file(path))
            .collect::<Result<_, _>>()?
    };
    let ground = LevelGround::new(&source.id, &source.scenario);
    let epsilon = arguments.epsilon.unwrap_or(Lint::default().epsilon);
    let lint = Lint {
        epsilon,
        ..Lint::default()
    };
    let filter = RelevanceFilter {
        epsilon,
        max_detour: arguments.max_detour.unwrap_or(f64::INFINITY),
    };
    let headers = loaded
        .iter()
        .map(|it| it.header.clone())
        .collect::<Vec<_>>();
    let demonstrations: Vec<Demonstration> = loaded
        .into_iter()
        .map(|Loaded { demonstration, .. }| demonstration)
        .collect();
    let ranked = filter.rank(&demonstrations, &ground);
    let mut duplicates = lint.duplicates(&demonstrations);
    let looked_over = demonstrations
        .iter()
        .enumerate()
        .map(|(number, demonstration)| {
            let mut findings = lint.check(demonstration, &ground);
            if let Some(header) = &headers[number] {
                findings.extend(lint.check_header(header, &ground));
            }
            findings.extend(duplicates[number].take());
            let rank = ranked.iter().position(|(other, _)| *other == number);
            LookedOver {
                demonstration,
                relevance: Relevance::of(demonstration, &ground, epsilon),
                rank: rank.map(|rank| rank + 1),
                findings,
            }
        });
    let looked_over: Vec<LookedOver<'_>> = looked_over.collect();
    match arguments.format {
        Format::Text => {
            let texts = looked_over.iter().map(LookedOver::text);
            let mut text = texts.collect::<String>();
            if looked_over.is_empty() {
                text += "the scenario has no demonstrations; name files to look over\n";
            }
            print(&text)?;
        }
        Format::Json => {
            let document = LintDocument {
                demonstrations: looked_over.iter().map(LookedOver::document).collect(),
                epsilon,
                scenario: source.id.clone(),
            };
            let text = serde_json::to_string_pretty(&document);
            print_exactly(&(text.map_err(|error| Failure::Bug(error.to_string()))? + "\n"))?;
        }
    }
    let is_warning = |finding: &Finding| finding.flaw.severity() == Severity::Warning;
    let has_warnings = looked_over
        .iter()
        .any(|it| it.findings.iter().any(is_warning));
    Ok(if arguments.strict && has_warnings {
        Exit::Refuted
    } else {
        Exit::Done
    })
}

/// A demonstration, and what there is to say about it.
struct LookedOver<'a> {
    demonstration: &'a Demonstration,
    relevance: Option<Relevance>,
    /// Its place among those that attract a search and are no longer than allowed, from 1.
    rank: Option<usize>,
    findings: Vec<Finding>,
}

impl LookedOver<'_> {
    fn text(&self) -> String {
        let mut text = format!(
            "{}: {}, {} s\n",
            self.demonstration.name,
            counted(self.demonstration.samples.len(), "sample"),
            short(self.demonstration.duration(), 1),
        );
        if let (Some(relevance), Some(rank)) = (&self.relevance, self.rank) {
            let _ = writeln!(text, "  attracts a search, rank {rank}: {relevance}");
        }
        for finding in self.findings.iter().take(SHOWN) {
            let flaw = &finding.flaw;
            let place = match finding.at {
                Some((number, time, place)) => {
                    format!("sample {number}, {} s, {place}: ", short(time, 1))
                }
                None => String::new(),
            };
            let _ = writeln!(text, "  {}: {place}{flaw}", flaw.severity());
            let _ = writeln!(text, "      {}", flaw.remedy());
        }
        if self.findings.len() > SHOWN {
            let more = self.findings.len() - SHOWN;
            let _ = writeln!(text, "  and {more} more; --format json has all");
        }
        text
    }

    fn document(&self) -> LookedOverDocument {
        let findings = self.findings.iter().map(|finding| {
            let at = finding.at;
            FindingDocument {
                code: finding.flaw.code(),
                message: finding.flaw.to_string(),
                sample: at.map(|(number, ..)| number),
                severity: finding.flaw.severity().to_string(),
                t: at.map(|(_, time, _)| time),
                r#try: finding.flaw.remedy(),
                x: at.map(|(.., place)| place.x),
                y: at.map(|(.., place)| place.y),
                z: at.map(|(.., place)| place.z),
            }
        });
        LookedOverDocument {
            duration: finite(self.demonstration.duration()),
            findings: findings.collect(),
            name: self.demonstration.name.clone(),
            rank: self.rank,
            relevance: self.relevance.map(|it| RelevanceDocument {
                along: finite(it.along),
                approach: finite(it.approach),
                attracts: it.attracts(),
                benefit: finite(it.benefit()),
                detour: finite(it.detour()),
                onward: finite(it.onward),
                straight: finite(it.straight),
                total: finite(it.total()),
            }),
            samples: self.demonstration.samples.len(),
        }
    }
}
