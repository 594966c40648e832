//! `apprentice rate`: says how strong players are, from who won against whom, and draws it.

mod document;
mod input;
mod table;

use std::path::PathBuf;

use apprentice::ratings::{
    Chart, Evaluation, Order, Prediction, Procedure, Profile, Section, Standing, SystemKind,
};
use clap::builder::PossibleValuesParser;

use crate::commands::plan::Format;
use crate::exit::{Exit, Failure, note, print, print_exactly};
use crate::output_file;
use input::{Input, Source};

/// Rate players from their matches, or planners and levels from results, and draw the ratings.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// The matches (.csv): a header `winners,losers[,score][,weights][,draw][,group]`, names joined by
    /// `+`; or results of planners: a header with `planner`, `scenario` and what was measured
    file: PathBuf,

    /// The rating system
    #[arg(long, default_value = "weng-lin", value_parser = PossibleValuesParser::new(SystemKind::NAMES))]
    system: String,

    /// The numbers TrueSkill and its relatives begin with: around 25, around 50, or as the
    /// dissertation had them [default: scaled]
    #[arg(long, value_parser = PossibleValuesParser::new(Profile::ALL.map(|profile| profile.name)))]
    profile: Option<String>,

    /// How often each match is rated, ratings carrying over [default: 1; 10 for results]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    passes: Option<u32>,

    /// Rate matches in the order of the file, instead of in any
    #[arg(long)]
    in_file_order: bool,

    /// The seed of orders and draws
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// In how many orders matches are rated, to see how much that matters
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=1000))]
    orders: u32,

    /// How often matches are drawn anew for intervals, where the system has none of its own
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(0..=100_000))]
    resamples: u32,

    /// Rate every team as one player
    #[arg(long)]
    as_one: bool,

    /// Say what to expect of one side against another, names joined by `+`
    #[arg(long, num_args = 2, value_names = ["ONE", "OTHER"], action = clap::ArgAction::Append)]
    predict: Vec<String>,

    /// List the N best matches that were never played
    #[arg(long, value_name = "N", default_value_t = 0)]
    untried: usize,

    /// Of results: the column that says what a planner took [default: work, units or time_ms]
    #[arg(long, value_name = "COLUMN")]
    measure: Option<String>,

    /// Of results: the limits planners are held to [default: ten, up to one that 2 in 60 exceed]
    #[arg(long, value_name = "N,N,…", value_delimiter = ',')]
    limits: Vec<f64>,

    /// Of results: only rows with one of these values in a column
    #[arg(long, value_name = "COLUMN=VALUE,…")]
    only: Vec<String>,

    /// Of results: only what has at least this much in a column counts as done, such as fidelity=0.5
    #[arg(long, value_name = "COLUMN=NUMBER")]
    at_least: Vec<String>,

    /// Draw the ratings with their intervals
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    /// What to print
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// What was found, for those who print it.
struct Outcome<'a> {
    input: &'a Input,
    evaluation: &'a Evaluation<'a>,
    procedure: Procedure,
    predictions: Vec<Prediction>,
    untried: Vec<Prediction>,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    if let Some(path) = &arguments.svg {
        output_file::check(path)?;
    }
    let input = Input::read(arguments)?;
    if let Some(path) = &arguments.svg {
        output_file::refuse_inputs(path)?;
    }
    let kind = arguments.kind()?;
    let procedure = arguments.procedure(&input);
    arguments.note_what_does_nothing(kind, &input);

    let evaluation = Evaluation::of(&input.matches, kind, &procedure);
    let outcome = Outcome {
        predictions: arguments.predictions(&evaluation, &input)?,
        untried: evaluation.untried(arguments.untried, |one, other| input.may_meet(one, other)),
        input: &input,
        evaluation: &evaluation,
        procedure,
    };
    if let Some(path) = &arguments.svg {
        output_file::write(path, &chart(&outcome).svg())?;
        note(&format!("drawn: {}", path.display()));
    }
    match arguments.format {
        Format::Text => print(&table::text(&outcome))?,
        Format::Json => print_exactly(&document::json(&outcome)?)?,
    }
    Ok(Exit::Done)
}

impl Arguments {
    fn kind(&self) -> Result<SystemKind, Failure> {
        let kind: SystemKind = self
            .system
            .parse()
            .map_err(|error| Failure::input(format!("{error}")))?;
        let named = |name: &String| Profile::ALL.into_iter().find(|it| it.name == name);
        let profile = self.profile.as_ref().and_then(named);
        Ok(kind.with_profile(profile.unwrap_or_default()))
    }

    fn procedure(&self, input: &Input) -> Procedure {
        let usual = match input.source {
            Source::Matches => 1,
            // As the dissertation did it.
            Source::Results { .. } => 10,
        };
        Procedure {
            passes: self.passes.unwrap_or(usual),
            order: if self.in_file_order {
                Order::AsPlayed
            } else {
                Order::Shuffled { seed: self.seed }
            },
            orders: self.orders,
            resamples: self.resamples,
        }
    }

    /// Options, and columns, that mean nothing to what was asked for.
    fn note_what_does_nothing(&self, kind: SystemKind, input: &Input) {
        let system = kind.name();
        if self.profile.is_some() && kind.profile().is_none() {
            note(&format!("note: --profile means nothing to {system}"));
        }
        if (self.passes.is_some() || self.in_file_order) && !kind.minds_order() {
            note(&format!(
                "note: {system} looks at all matches at once; passes and orders mean nothing to it"
            ));
        }
        let mut seats = input.matches.iter().flat_map(|game| game.seats());
        if !kind.minds_weights() && seats.any(|seat| seat.weight < 1.0) {
            note(&format!(
                "note: {system} knows no weights: whoever played at all counts in full; trueskill and \
                 bradley-terry know them"
            ));
        }
        if kind.minds_scores() && input.matches.iter().any(|game| game.score.is_none()) {
            note(&format!(
                "note: matches without a score count to {system} as won by 1"
            ));
        }
        let of_results = self.measure.is_some()
            || !self.limits.is_empty()
            || !self.only.is_empty()
            || !self.at_least.is_empty();
        if of_results && matches!(input.source, Source::Matches) {
            note(
                "note: --measure, --limits, --only and --at-least are for results of planners; these are matches",
            );
        }
    }

    fn predictions(
        &self,
        evaluation: &Evaluation<'_>,
        input: &Input,
    ) -> Result<Vec<Prediction>, Failure> {
        let pairs = self.predict.chunks_exact(2);
        let predict = |pair: &[String]| {
            let [one, other] = [&pair[0], &pair[1]].map(|side| input.side(side));
            let prediction = evaluation.predict(&one, &other);
            prediction
                .map_err(|error| Failure::input(format!("--predict: {}", input.nearest(&error))))
        };
        pairs.map(predict).collect()
    }
}

/// The picture: planners, levels and limits apart, where these are known.
fn chart<'a>(outcome: &'a Outcome<'a>) -> Chart<'a> {
    let evaluation = outcome.evaluation;
    let mut chart = Chart::of(evaluation, &format!("Ratings: {}", outcome.input.name));
    if let Source::Results { trials, .. } = &outcome.input.source {
        let (planners, scenarios) = (trials.planners(), trials.scenarios());
        let section = |heading: &str, is_in: &dyn Fn(&str) -> bool| Section {
            heading: heading.to_owned(),
            rows: evaluation
                .standings
                .iter()
                .filter(|row: &&Standing| is_in(&row.name))
                .collect(),
        };
        let is_planner = |name: &str| planners.contains(name);
        let is_scenario = |name: &str| scenarios.contains(name);
        let is_limit = |name: &str| !is_planner(name) && !is_scenario(name);
        let sections = [
            section("Planners: further right is stronger", &is_planner),
            section("Levels: further right is harder", &is_scenario),
            section("Limits: further right is harder", &is_limit),
        ];
        chart.sections = sections
            .into_iter()
            .filter(|it| !it.rows.is_empty())
            .collect();
    }
    chart
}
