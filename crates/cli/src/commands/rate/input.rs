//! What is rated: matches, or results of planners that become matches.

use std::path::Path;

use apprentice::ratings::{
    CsvError, LimitRule, Matches, PlayerId, Selection, Trials, UnknownPlayer, read_matches,
    read_trials,
};

use super::Arguments;
use crate::exit::Failure;
use crate::input_file::{self, Kind};
use apprentice::report::numbers::counted;

pub(super) struct Input {
    /// The name of the file, without its ending.
    pub(super) name: String,
    pub(super) matches: Matches,
    pub(super) source: Source,
}

pub(super) enum Source {
    /// The file has them.
    Matches,
    /// They were made from what planners took.
    Results { trials: Trials, limits: Vec<f64> },
}

/// Mistakes that are told of one file; the rest is counted.
const MOST_MISTAKES: usize = 12;

impl Input {
    pub(super) fn read(arguments: &Arguments) -> Result<Input, Failure> {
        let path = &arguments.file;
        let text = input_file::text_of(path, Kind::Matches)?;
        let name = path.file_stem().unwrap_or(path.as_os_str());
        let (matches, source) = if has_results(&text) {
            results(arguments, path, &text)?
        } else {
            let matches = read_matches(&text).map_err(|errors| mistakes(path, &errors))?;
            (matches, Source::Matches)
        };
        let matches = if arguments.as_one {
            matches.with_teams_as_one()
        } else {
            matches
        };
        Ok(Input {
            name: name.to_string_lossy().into_owned(),
            matches,
            source,
        })
    }

    /// The names of a side as they are written on the command line. A team that is one player has its
    /// name whole.
    pub(super) fn side<'a>(&self, side: &'a str) -> Vec<&'a str> {
        if self.matches.find(side).is_some() {
            return vec![side];
        }
        side.split('+').map(str::trim).collect()
    }

    /// Whether two sides could meet: planners play against levels, not against each other.
    pub(super) fn may_meet(&self, one: &[PlayerId], other: &[PlayerId]) -> bool {
        let Source::Results { trials, .. } = &self.source else {
            return true;
        };
        let planners = trials.planners();
        let is_planner = |side: &[PlayerId]| {
            let mut names = side.iter().map(|player| self.matches.name(*player));
            names.any(|name| planners.contains(name))
        };
        is_planner(one) != is_planner(other)
    }

    /// What is wrong with a prediction, and who may be meant.
    pub(super) fn nearest(&self, error: &UnknownPlayer) -> String {
        let UnknownPlayer::Nobody { name } = error else {
            return error.to_string();
        };
        let near = self.matches.names().filter_map(|known| {
            let distance = strsim::osa_distance(name, known);
            (distance <= 1 + name.chars().count() / 4).then_some((distance, known))
        });
        match near.min() {
            Some((_, known)) => format!("{error}; did you mean `{known}`?"),
            None => {
                let some: Vec<&str> = self.matches.names().take(10).collect();
                format!("{error}; there is {}", some.join(", "))
            }
        }
    }
}

/// Whether the header is one of results: it names planners, and no winners.
fn has_results(text: &str) -> bool {
    let text = text.trim_start_matches('\u{feff}');
    let header = text.lines().find(|line| !line.starts_with('#'));
    let columns = header.unwrap_or_default().split(',');
    let columns: Vec<&str> = columns.map(|it| it.trim().trim_matches('"')).collect();
    columns.contains(&"planner") && !columns.contains(&"winners")
}

fn results(arguments: &Arguments, path: &Path, text: &str) -> Result<(Matches, Source), Failure> {
    let mut selection = Selection {
        measure: arguments.measure.clone(),
        ..Selection::default()
    };
    for least in &arguments.at_least {
        let parts = least.split_once('=');
        let parts = parts.and_then(|(column, number)| Some((column, number.trim().parse().ok()?)));
        let Some((column, number)) = parts else {
            return Err(Failure::input(format!(
                "--at-least {least}: write a column and a number, as in --at-least fidelity=0.5"
            )));
        };
        selection.at_least.push((column.trim().to_owned(), number));
    }
    for only in &arguments.only {
        let Some((column, values)) = only.split_once('=') else {
            return Err(Failure::input(format!(
                "--only {only}: write a column and its values, as in --only bound=10,100"
            )));
        };
        let values = values.split(',').map(|value| value.trim().to_owned());
        selection
            .only
            .push((column.trim().to_owned(), values.collect()));
    }
    let trials = read_trials(text, &selection).map_err(|errors| mistakes(path, &errors))?;
    let rule = if arguments.limits.is_empty() {
        LimitRule::LikePublished
    } else {
        LimitRule::Given(arguments.limits.clone())
    };
    let wrong = |error| Failure::input(format!("`{}`: {error}", path.display()));
    // Where nothing was tried nothing is limited.
    let limits = if trials.trials.is_empty() {
        Vec::new()
    } else {
        trials.limits(&rule).map_err(wrong)?
    };
    let matches = trials.matches(&limits).map_err(wrong)?;
    Ok((matches, Source::Results { trials, limits }))
}

/// Everything that is wrong with a file, line by line.
fn mistakes(path: &Path, errors: &[CsvError]) -> Failure {
    let told = errors.iter().take(MOST_MISTAKES);
    let told: Vec<String> = told.map(ToString::to_string).collect();
    let more = match errors.len().saturating_sub(MOST_MISTAKES) {
        0 => String::new(),
        more => format!("\nand {}", counted(more, "more mistake")),
    };
    let wrong = format!("`{}`: {}{more}", path.display(), told.join("\n"));
    input_file::unreadable(path, Kind::Matches, &wrong)
}
