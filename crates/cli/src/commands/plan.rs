//! `apprentice plan`: plans one quest, says what was found, and draws it.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use apprentice::behavior::{
    Checked, ConnectedQuest, NamedSearch, NoWay, OrderedQuest, Planner, PlannerName,
};
use apprentice::experience::ExperienceMode;
use apprentice::experiments::finely_cut;
use apprentice::report::document::PlanDocument;
use apprentice::report::numbers::grouped;
use apprentice::report::picture::Picture;
use apprentice::report::run::{Footprints, Outcome, Reasons, Run, Unverified};
use apprentice::report::{Limits, Report};
use apprentice::search::{BoxedHeuristic, Budget, Observer, Spent, Weight};
use apprentice::world::{Abilities, AnyQuest, Branching, Gait, Prices, Quest, Scenario};
use apprentice_session::{DEFAULT_UNITS, MEMORY};
use clap::ValueEnum;

use crate::demonstrations::{self, DemonstrationArguments};
use crate::exit::{Exit, Failure, note, print, print_exactly};
use crate::output_file;
use crate::planner::PlannerArguments;
use crate::player_model::PlayerModelSource;
use crate::progress::Progress;
use crate::scenario_source;

/// Plan one quest, say what was found and what is proven about it, and draw it.
#[derive(clap::Args)]
#[command(after_help = BUDGET_HELP)]
pub(crate) struct Arguments {
    /// The scenario file; without one, a built-in quest is planned and drawn
    scenario: Option<PathBuf>,

    #[command(flatten)]
    planner: PlannerArguments,

    #[command(flatten)]
    demonstrations: DemonstrationArguments,

    /// How many successors a state has in the open: with 256, plans also decide where to look,
    /// whether to fight and whether to block
    #[arg(long, value_enum, default_value_t = BranchingFactor::Sixteen)]
    branching: BranchingFactor,

    /// Put every key and shield at a random place first, drawn with this seed
    #[arg(long, value_name = "SEED")]
    random_items: Option<u64>,

    /// Cut every piece of a demonstration N times, which says nothing new and shows what it costs
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=10_000))]
    cut_demos: u32,

    /// Plan for this character instead of the one at `start`: the player or an [[actor]] of the
    /// scenario, with its own goal if it has one
    #[arg(long, value_name = "NAME")]
    agent: Option<String>,

    /// Plan for both: the player goes as players of this style do, and is to arrive alive, too. A
    /// [[style]] of the scenario or, with --plays, a class of that model
    #[arg(long, value_name = "CLASS", conflicts_with = "agent")]
    player_model: Option<String>,

    /// What was learned about how people play: from `apprentice playstyle learn`
    #[arg(long, value_name = "MODEL", requires = "player_model")]
    plays: Option<PathBuf>,

    /// Let plans wait for a second, too; with --player-model they may in any case
    #[arg(long)]
    wait: bool,

    /// Let plans run as long as stamina lasts, where the level has a speed for it
    #[arg(long)]
    run: bool,

    /// Let every step decide whether to fight: with 16 successors it is twice as many
    #[arg(long)]
    choose_fights: bool,

    /// What a point of lost health costs a plan, in seconds; otherwise as the scenario says, or nothing
    #[arg(long, value_name = "SECONDS")]
    harm: Option<f64>,

    /// What being noticed by an enemy costs a plan, in seconds; otherwise as the scenario says, or
    /// nothing
    #[arg(long, value_name = "SECONDS")]
    notice: Option<f64>,

    /// Stop after N units of budget: one for each expansion, more where enemies hunt, and one for each
    /// place looked at while getting ready
    #[arg(long, value_name = "N", default_value_t = DEFAULT_UNITS)]
    expansions: u64,

    /// Stop after MS milliseconds
    #[arg(long, value_name = "MS")]
    time: Option<u64>,

    /// Draw the plan to this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    /// Follow the first demonstration in order, also where it crosses itself or circles back (auto)
    #[arg(long)]
    in_order: bool,

    /// Say step by step what is followed, what is left and why
    #[arg(long)]
    explain: bool,

    /// Shade the cells the search looked at in the picture
    #[arg(long)]
    show_expanded: bool,

    /// What to print
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

const BUDGET_HELP: &str = "\
A search also stops once it holds more than 2 GiB for its states.
Exit codes: 0 found, 1 there is no plan, 2 the budget ran out, 3 bad input, 4 a bug in apprentice.";

/// What a run without a scenario draws to.
const DEFAULT_PICTURE: &str = "apprentice-plan.svg";

/// How many successors a state has in the open.
#[derive(Clone, Copy, ValueEnum)]
enum BranchingFactor {
    /// Eight directions, walking or sneaking
    #[value(name = "16")]
    Sixteen,
    /// The same, fighting or not
    #[value(name = "32")]
    ThirtyTwo,
    /// The same with four headings, fighting or not, blocking or not
    #[value(name = "256")]
    TwoHundredFiftySix,
}

/// What to print.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people
    Text,
    /// One JSON document; everything for people goes to stderr
    Json,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let mut source = scenario_source::load(arguments.scenario.as_deref())?;
    if let Some(name) = &arguments.agent {
        source.scenario = scenario_source::planned_for(&source.scenario, name)?;
    }
    if let Some(seed) = arguments.random_items {
        source.scenario = source.scenario.with_random_items(seed);
    }
    if let Some(path) = &arguments.svg {
        output_file::check(path)?;
    }
    let mut demonstrations = demonstrations::load(&source, &arguments.demonstrations)?;
    if let Some(class) = &arguments.player_model {
        let model = PlayerModelSource::of(&source, class, arguments.plays.as_deref())?;
        demonstrations = model.demonstrations(&arguments.demonstrations, demonstrations);
        source.scenario = model.scenario;
    }
    source.scenario = arguments.priced(source.scenario)?;
    let scenario = &source.scenario;
    for shown in &mut demonstrations {
        *shown = finely_cut(shown, arguments.cut_demos);
    }
    let Checked { planner, notes } =
        arguments
            .planner
            .check(scenario, &demonstrations, arguments.time.is_some())?;
    for text in notes {
        note(&format!("note: {text}"));
    }
    if arguments.show_expanded && arguments.picture().is_none() {
        note("note: --show-expanded does nothing without a picture; --svg FILE draws one");
    }
    let branching = match arguments.branching {
        BranchingFactor::Sixteen if !arguments.choose_fights => Branching::Sixteen,
        BranchingFactor::Sixteen | BranchingFactor::ThirtyTwo => Branching::ThirtyTwo,
        BranchingFactor::TwoHundredFiftySix => Branching::TwoHundredFiftySix,
    };
    let abilities = Abilities {
        branching,
        waits: arguments.wait || arguments.player_model.is_some(),
        runs: arguments.run,
        ..Abilities::default()
    };
    let rules = scenario.rules();
    if arguments.run && rules.speed(Gait::Run) <= rules.speed(Gait::Walk) {
        return Err(Failure::Input(
            "--run: nobody runs in this level; give it a `run` in [rules] that is more than its \
             walking speed"
                .to_owned(),
        ));
    }
    let begun = Instant::now();
    let outcome = match scenario.quest_with(abilities) {
        AnyQuest::Still(quest) => plan_in_order(quest, &planner, arguments, begun)?,
        AnyQuest::Moving(quest) => plan_in_order(quest, &planner, arguments, begun)?,
    };
    let report = Report {
        scenario_id: &source.id,
        scenario,
        demonstrations: &demonstrations,
        planner: &planner,
        limits: Some(Limits {
            branching,
            units: arguments.expansions,
            time: arguments.time,
            memory: MEMORY,
        }),
        explains: arguments.explain,
        outcome: &outcome,
    };
    // Whether or not there is a picture, nobody loses the plan.
    let (drawn, failure) = match draw(arguments, &report) {
        Ok(drawn) => (drawn, None),
        Err(failure) => (None, Some(failure)),
    };
    match arguments.format {
        Format::Text => {
            let mut text = report.text();
            if let Some(path) = drawn {
                text += &format!("\ndrawn to {}\n", path.display());
            }
            print(&text)?;
        }
        Format::Json => {
            if let Some(path) = drawn {
                note(&format!("drawn to {}", path.display()));
            }
            let text = PlanDocument::of(&report).to_text();
            print_exactly(&text.map_err(|error| Failure::Bug(error.to_string()))?)?;
        }
    }
    if let Some(failure) = failure {
        return Err(failure);
    }
    Ok(match outcome.plan {
        Some(_) => Exit::Done,
        None if outcome.is_impossible() => Exit::Refuted,
        None => Exit::BudgetSpent,
    })
}

/// Plans a quest; in the order of the first demonstration if that was asked for.
fn plan_in_order<Q: Quest + 'static>(
    quest: Q,
    planner: &Planner,
    arguments: &Arguments,
    begun: Instant,
) -> Result<Outcome, Failure> {
    let mut shown = planner.demonstrations().iter();
    let shown = shown.find(|shown| shown.samples.len() > 1);
    if planner.experience_mode() == ExperienceMode::Connect {
        let connected = ConnectedQuest::new(quest, planner.demonstrations());
        let named = planner.search(&connected)?;
        return plan(&connected, planner, arguments, named, begun);
    }
    let listens = planner.name() == PlannerName::Auto && planner.epsilon() > Weight::ONE;
    match shown {
        Some(shown) if arguments.in_order && listens => {
            let ordered = OrderedQuest::new(quest, shown, planner.epsilon());
            let adviser: BoxedHeuristic<_> = Box::new(ordered.adviser());
            let more = vec![("in-order".to_owned(), adviser)];
            let named = planner.advised_by(&ordered, more)?;
            plan(&ordered, planner, arguments, named, begun)
        }
        _ => {
            if arguments.in_order {
                note(
                    "note: --in-order does nothing here: it needs a demonstration, --planner auto, \
                     and a bound above 1",
                );
            }
            let named = planner.search(&quest)?;
            plan(&quest, planner, arguments, named, begun)
        }
    }
}

/// Plans, within the budget, and lives through what was found.
fn plan<Q: Quest + 'static>(
    quest: &Q,
    planner: &Planner,
    arguments: &Arguments,
    named: NamedSearch<Q>,
    begun: Instant,
) -> Result<Outcome, Failure> {
    let mut footprints = arguments.show_expanded.then(|| Footprints::new(quest));
    let deadline = arguments
        .time
        .map(|time| begun + Duration::from_millis(time));
    let ends_by = deadline.is_none().then_some("--time MS or --expansions N");
    let mut progress = Progress::new(begun, Some(arguments.expansions), ends_by);
    let clock = || begun.elapsed();
    let mut run = Run::new(quest, named, &clock);
    let ending = loop {
        // However long an expansion takes, somebody looks up from time to time.
        let look = Progress::next_look();
        let until = deadline.map_or(look, |deadline| deadline.min(look));
        let left = arguments.expansions - run.taken();
        let mut budget = Budget::units(left).within_memory(MEMORY).until(until);
        let observer = footprints.as_mut();
        let slice = run.slice(&mut budget, observer.map(|it| it as &mut dyn Observer<Q>));
        let only_looks_up = deadline.is_none_or(|end| Instant::now() < end);
        if let Some(ending) = slice.ending(only_looks_up.then_some(Spent::Deadline)) {
            break ending;
        }
        let states = grouped(run.search().statistics().states);
        progress.show(run.taken(), &format!(", {states} states"));
    };
    let reasons = if arguments.explain {
        Reasons::OfDemonstrations
    } else {
        Reasons::OfPlan
    };
    progress.clear();
    let mut outcome = run.outcome(planner, ending, reasons)?;
    if outcome.is_impossible() {
        outcome.no_way = NoWay::of(quest, &mut Budget::unlimited());
    }
    outcome.footprints = footprints.map(Footprints::into_counts);
    Ok(outcome)
}

/// A plan that was found and does not work is for us to mend.
impl From<Unverified> for Failure {
    fn from(error: Unverified) -> Failure {
        Failure::Bug(error.to_string())
    }
}

impl Arguments {
    /// The scenario in which plans pay for what was asked for.
    fn priced(&self, scenario: Scenario) -> Result<Scenario, Failure> {
        let said = scenario.prices();
        let harm = self.harm.unwrap_or(said.harm());
        let notice = self.notice.unwrap_or(said.notice());
        let prices = Prices::new(harm, notice)
            .map_err(|error| Failure::Input(format!("--{}: {error}", error.what)))?;
        Ok(scenario.with_prices(prices))
    }

    /// Where the picture goes, if there is one.
    fn picture(&self) -> Option<&Path> {
        match (&self.svg, &self.scenario) {
            (Some(path), _) => Some(path),
            (None, None) => Some(Path::new(DEFAULT_PICTURE)),
            (None, Some(_)) => None,
        }
    }
}

/// Draws what was asked for. Says where.
fn draw<'a>(arguments: &'a Arguments, report: &Report<'_>) -> Result<Option<&'a Path>, Failure> {
    let Some(path) = arguments.picture() else {
        return Ok(None);
    };
    let written = output_file::write(path, &Picture::of_plan(report).draw());
    match written {
        Ok(()) => Ok(Some(path)),
        // Nobody asked for the default picture by name, so a folder that takes none is no failure.
        Err(Failure::Input(why)) if arguments.svg.is_none() => {
            note(&format!("note: {why}"));
            Ok(None)
        }
        Err(failure) => Err(failure),
    }
}
