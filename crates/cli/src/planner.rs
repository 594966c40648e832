//! The options that choose a planner and its numbers.

use apprentice::behavior::{
    BadSetting, Checked, Estimate, EventGuide, EventMetric, PlannerName, Settings,
};
use apprentice::experience::{
    Corridor, Demonstration, ExperienceMode, Lookup, Projection, Remember, StartEdge,
};
use apprentice::search::Weight;
use apprentice::world::{Scenario, Spot};
use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};

use crate::commands::heuristic::{on_the_map, spot};
use crate::exit::Failure;

/// Which search, and how far from the best its plans may be.
#[derive(clap::Args, Default)]
pub(crate) struct PlannerArguments {
    /// The search to use [default: what the scenario asks for, or auto]
    #[arg(long, value_parser = planner_names())]
    planner: Option<PlannerName>,

    #[command(flatten)]
    numbers: PlannerNumbers,

    /// Give a place an adviser in the mha family as if something happened there, which shows what advice
    /// costs that is of no use; may be given again
    #[arg(long, value_name = "X,Y", value_parser = spot)]
    extra_event: Vec<Spot>,

    /// Go on to better plans while the budget lasts (auto); `--time` asks for that too
    #[arg(long)]
    improve: bool,
}

/// The numbers of a planner.
#[derive(clap::Args, Default)]
pub(crate) struct PlannerNumbers {
    /// Plans may cost at most B times the best; sets the weights that are not given [default: 10]
    #[arg(long, value_name = "B", value_parser = weight)]
    bound: Option<Weight>,

    /// From 0, the best plan, to 1, what was shown: sets the bound, from 1 to 100
    #[arg(long, value_name = "F", conflicts_with = "bound")]
    faithful: Option<f64>,

    /// How many times estimates count [default: B; tgraph, egraph: the root of B]
    #[arg(long, value_name = "W", value_parser = weight)]
    w: Option<Weight>,

    /// How many times whatever was not demonstrated counts [default: the root of B]
    #[arg(long, value_name = "E", value_parser = weight)]
    epsilon: Option<Weight>,

    /// How many times estimates count in mha, mha-independent and auto [default: B / W2]
    #[arg(long, value_name = "W1", value_parser = weight)]
    w1: Option<Weight>,

    /// How far advisers may exceed the anchor in mha, mha-independent and auto [default: 1]
    #[arg(long, value_name = "W2", value_parser = weight)]
    w2: Option<Weight>,

    /// Expand states again when a cheaper way to them is found (astar, wastar, tgraph, egraph)
    #[arg(long)]
    reopen: bool,

    /// Where a demonstration is joined [default: perpendicular; auto: consistent]
    #[arg(long, value_enum)]
    projection: Option<ProjectionName>,

    /// How the end of a demonstration leads to the goal [default: printed; with the consistent
    /// projection: path]
    #[arg(long, value_enum)]
    corridor: Option<CorridorName>,

    /// How the start leads to a demonstration [default: start]
    #[arg(long, value_enum)]
    start_edge: Option<StartEdgeName>,

    /// How demonstrated ways that are not on the map's own graph are used (egraph) [default: project]
    #[arg(long, value_enum)]
    egraph_mode: Option<EgraphModeName>,

    /// Further turns in each round for the adviser that follows demonstrations (mha family, auto)
    #[arg(long, value_name = "K")]
    extra_turns: Option<u32>,

    /// The events that get an adviser each in the mha family [default: those of the scenario]
    #[arg(long, value_name = "ID", value_delimiter = ',')]
    events: Option<Vec<String>>,

    /// How an event's adviser measures the way to it [default: straight]
    #[arg(long, value_enum)]
    event_metric: Option<EventMetricName>,

    /// What leads an event's adviser from there to the goal [default: tgraph]
    #[arg(long, value_enum)]
    event_guide: Option<EventGuideName>,

    /// What astar, wastar and ara go by, and what anchors the mha family [default: straight]
    #[arg(long, value_enum)]
    estimate: Option<EstimateName>,

    /// Let advisers of mha and mha-independent count in full
    #[arg(long)]
    no_calibration: bool,

    /// Work out what demonstrations say anew for every state; slower, and the same plans
    #[arg(long)]
    no_memo: bool,

    /// Look at every piece of the demonstrations for every estimate, as published; slower, and the same
    /// plans
    #[arg(long)]
    scan: bool,
}

/// Where on a demonstrated way somebody beside it is thought to join it.
#[derive(Clone, Copy, ValueEnum)]
enum ProjectionName {
    /// At the nearest point, as published; proves no bound by itself
    Perpendicular,
    /// At the best point, which keeps the estimate consistent
    Consistent,
}

/// How one is drawn from the end of a demonstration to the goal.
#[derive(Clone, Copy, ValueEnum)]
enum CorridorName {
    /// As published: by how far one is from the shortest ways; proves no bound by itself
    Printed,
    /// Along the shortest way
    Path,
}

/// How one is drawn from the start to the beginning of a demonstration.
#[derive(Clone, Copy, ValueEnum)]
enum StartEdgeName {
    /// From the start of the search
    Start,
    /// From wherever one is: the literal reading
    Query,
    /// Not at all
    Off,
}

/// How an E-Graph is used whose places are not on the graph that is searched.
#[derive(Clone, Copy, ValueEnum)]
enum EgraphModeName {
    /// One may also go along a whole demonstrated way at once, where it can be walked
    Connect,
    /// Its places are moved to where one can be
    Project,
    /// It only guides, which leaves a hollow at every place that was shown
    Heuristic,
}

/// What a search goes by that nothing leads.
#[derive(Clone, Copy, ValueEnum)]
enum EstimateName {
    /// As the crow flies
    Straight,
    /// Along the shortest way
    Path,
}

/// How the way to an event is measured.
#[derive(Clone, Copy, ValueEnum)]
enum EventMetricName {
    /// As the crow flies
    Straight,
    /// Along the shortest way
    Path,
    /// Along the demonstrations
    Tgraph,
}

/// What leads from an event to the goal.
#[derive(Clone, Copy, ValueEnum)]
enum EventGuideName {
    /// The demonstrations, to their end
    Tgraph,
    /// Demonstrated ways where they help, as first published
    Egraph,
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

impl PlannerArguments {
    /// The planner these options ask for, and what people should know about them.
    pub(crate) fn check(
        &self,
        scenario: &Scenario,
        demonstrations: &[Demonstration],
        in_time: bool,
    ) -> Result<Checked, Failure> {
        let planner = match (self.planner, &scenario.planning().planner) {
            (Some(planner), _) => planner,
            (None, None) => PlannerName::Auto,
            (None, Some(name)) => PlannerName::from_name(name).ok_or_else(|| {
                Failure::input(format!(
                    "the scenario asks for the planner `{name}`, and there is none; name one with --planner"
                ))
            })?,
        };
        let places = self.extra_event.iter().map(|at| on_the_map(scenario, *at));
        let settings = Settings {
            planner,
            extra_events: places.collect::<Result<_, _>>()?,
            improve: self.improve || in_time && planner == PlannerName::Auto,
            faithful: self.faithful(scenario),
            ..self.numbers.settings()
        };
        Ok(settings.check(scenario, demonstrations)?)
    }
}

impl PlannerArguments {
    /// How faithful plans shall be: as the scenario asks for, unless something else is asked for.
    fn faithful(&self, scenario: &Scenario) -> Option<f64> {
        let PlannerNumbers {
            bound,
            faithful,
            w,
            epsilon,
            w1,
            w2,
            ..
        } = &self.numbers;
        let planning = scenario.planning();
        let named = self.planner.map(PlannerName::name);
        let is_its_planner = named.is_none() || named == planning.planner.as_deref();
        let is_asked = [bound, w, epsilon, w1, w2].iter().any(|it| it.is_some());
        let own = planning.faithful.filter(|_| is_its_planner && !is_asked);
        faithful.or(own)
    }
}

impl PlannerNumbers {
    /// The settings these options ask for.
    pub(crate) fn settings(&self) -> Settings {
        Settings {
            bound: self.bound,
            faithful: self.faithful,
            w: self.w,
            epsilon: self.epsilon,
            w1: self.w1,
            w2: self.w2,
            reopen: self.reopen,
            estimate: self.estimate.map(|name| match name {
                EstimateName::Straight => Estimate::Straight,
                EstimateName::Path => Estimate::Path,
            }),
            projection: self.projection.map(|name| match name {
                ProjectionName::Perpendicular => Projection::Perpendicular,
                ProjectionName::Consistent => Projection::Consistent,
            }),
            corridor: self.corridor.map(|name| match name {
                CorridorName::Printed => Corridor::Field,
                CorridorName::Path => Corridor::Path,
            }),
            start_edge: self.start_edge.map(|name| match name {
                StartEdgeName::Start => StartEdge::Start,
                StartEdgeName::Query => StartEdge::Query,
                StartEdgeName::Off => StartEdge::Off,
            }),
            experience_mode: self.egraph_mode.map(|name| match name {
                EgraphModeName::Connect => ExperienceMode::Connect,
                EgraphModeName::Project => ExperienceMode::ProjectNodes,
                EgraphModeName::Heuristic => ExperienceMode::HeuristicOnly,
            }),
            extra_turns: self.extra_turns,
            events: self.events.clone(),
            event_metric: self.event_metric.map(|name| match name {
                EventMetricName::Straight => EventMetric::Straight,
                EventMetricName::Path => EventMetric::Path,
                EventMetricName::Tgraph => EventMetric::Training,
            }),
            event_guide: self.event_guide.map(|name| match name {
                EventGuideName::Tgraph => EventGuide::Training,
                EventGuideName::Egraph => EventGuide::Experience,
            }),
            calibrate: !self.no_calibration,
            remember: if self.no_memo {
                Remember::Nothing
            } else {
                Remember::Places
            },
            lookup: if self.scan {
                Lookup::Scan
            } else {
                Lookup::Boxes
            },
            ..Settings::default()
        }
    }
}

/// Settings that don't fit are the user's to mend.
impl From<BadSetting> for Failure {
    fn from(error: BadSetting) -> Failure {
        Failure::input(error.to_string())
    }
}
