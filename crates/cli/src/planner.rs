//! The options that choose a planner and its numbers.

use apprentice::behavior::{BadSetting, Checked, Parameter, Planner, PlannerName, Settings};
use apprentice::search::Weight;
use apprentice::world::Scenario;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use serde_json::{Map, Value, json};

use crate::exit::Failure;

/// Which search, and how far from the best its plans may be.
#[derive(clap::Args)]
pub(crate) struct PlannerArguments {
    /// The search to use
    #[arg(long, default_value = "ara", value_parser = planner_names())]
    planner: PlannerName,

    /// Plans may cost at most B times the best; sets the weights that are not given
    #[arg(long, value_name = "B", value_parser = weight)]
    bound: Option<Weight>,

    /// How many times estimates count [default: B]
    #[arg(long, value_name = "W", value_parser = weight)]
    w: Option<Weight>,

    /// How many times estimates count in mha and mha-independent [default: B / W2]
    #[arg(long, value_name = "W1", value_parser = weight)]
    w1: Option<Weight>,

    /// How far advisers may exceed the anchor in mha and mha-independent [default: 1]
    #[arg(long, value_name = "W2", value_parser = weight)]
    w2: Option<Weight>,

    /// Expand states again when a cheaper way to them is found (astar and wastar)
    #[arg(long)]
    reopen: bool,

    /// The events that get an adviser each in the mha family [default: those of the scenario]
    #[arg(long, value_name = "ID", value_delimiter = ',')]
    events: Option<Vec<String>>,

    /// Let advisers of mha and mha-independent count in full, not by half
    #[arg(long)]
    no_calibration: bool,
}

fn planner_names() -> impl TypedValueParser<Value = PlannerName> {
    let values =
        PlannerName::ALL.map(|planner| PossibleValue::new(planner.name()).help(planner.about()));
    PossibleValuesParser::new(values).try_map(|name| {
        PlannerName::from_name(&name).ok_or_else(|| format!("there is no planner `{name}`"))
    })
}

fn weight(text: &str) -> Result<Weight, String> {
    let number: f64 = text
        .parse()
        .map_err(|_| "write a number, at least 1".to_owned())?;
    Weight::new(number).map_err(|error| error.to_string())
}

/// Planners that the documentation knows and this version doesn't.
const STILL_TO_COME: [&str; 3] = ["egraph", "tgraph", "auto"];

/// What to use instead of a value that is not known.
pub(crate) fn hint_for_value(option: &str, value: &str) -> Option<&'static str> {
    let is_planned = STILL_TO_COME.contains(&value);
    (is_planned && option.contains("--planner")).then_some(
        "Planners that follow demonstrations (egraph, tgraph, auto) are not available yet. \
         Use `--planner mha`, which advises the search by shortest ways and quest events.",
    )
}

/// What to say about an option that is not known.
pub(crate) fn hint_for_option(option: &str) -> Option<&'static str> {
    let about_demonstrations = [
        "--epsilon",
        "--projection",
        "--corridor",
        "--start-edge",
        "--extra-turns",
    ];
    let name = option.split(['=', ' ']).next().unwrap_or(option);
    if about_demonstrations.contains(&name) {
        Some("Options for planners that follow demonstrations are not available yet.")
    } else if name == "--explain" {
        Some("Explanations are not available yet.")
    } else {
        None
    }
}

impl PlannerArguments {
    /// The planner these options ask for, and what people should know about them.
    pub(crate) fn check(&self, scenario: &Scenario) -> Result<Checked, Failure> {
        let settings = Settings {
            planner: self.planner,
            bound: self.bound,
            w: self.w,
            w1: self.w1,
            w2: self.w2,
            reopen: self.reopen,
            events: self.events.clone(),
            calibrate: !self.no_calibration,
        };
        Ok(settings.check(scenario)?)
    }
}

/// Settings that don't fit are the user's to mend.
impl From<BadSetting> for Failure {
    fn from(error: BadSetting) -> Failure {
        Failure::input(error.to_string())
    }
}

/// The numbers that matter to the planner, as JSON.
pub(crate) fn parameters(planner: &Planner, scenario: &Scenario) -> Map<String, Value> {
    let value = |parameter| match parameter {
        Parameter::Number(number) => json!(number),
        Parameter::Switch(switch) => json!(switch),
        Parameter::Names(names) => json!(names),
    };
    let parameters = planner.parameters(scenario).into_iter();
    parameters
        .map(|(name, parameter)| (name.to_owned(), value(parameter)))
        .collect()
}
