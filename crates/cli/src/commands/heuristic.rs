//! `apprentice heuristic`: says what a heuristic estimates.

use std::fmt;
use std::path::PathBuf;

use apprentice::behavior::{KeyDoorHeuristic, Planner, PlannerName, Settings, event};
use apprentice::experience::Demonstration;
use apprentice::search::{Budget, Cost, Heuristic};
use apprentice::world::{
    Map, Point, Quest, QuestAtPlace, Scenario, ShortestPath, Spot, StraightLine, World,
};

use crate::commands::plan::Format;
use crate::demonstrations::{self, DemonstrationArguments};
use crate::exit::{Exit, Failure, note, print, print_exactly};
use crate::output_file;
use crate::planner::PlannerNumbers;
use crate::scenario_source;
use apprentice::report::document::ReadingDocument;
use apprentice::report::numbers::{coordinate, finite, short};
use apprentice::report::picture::Picture;

/// Say what a heuristic estimates, cell by cell or as a picture.
#[derive(clap::Args)]
#[command(group = clap::ArgGroup::new("what").required(true).multiple(true).args(["at", "svg"]))]
pub(crate) struct Arguments {
    /// The scenario file
    scenario: PathBuf,

    /// The heuristic: `straight`, `path`, `errands`, `egraph`, `tgraph`, or `event:ID` for the way
    /// past a key, a lever, a door
    #[arg(long, value_parser = Kind::parse)]
    kind: Kind,

    #[command(flatten)]
    demonstrations: DemonstrationArguments,

    #[command(flatten)]
    numbers: PlannerNumbers,

    /// Where to estimate from, a cell or metres, and how high where floors lie above each other; may
    /// be given again and again
    #[arg(long, value_name = "X,Y[,HEIGHT]", value_parser = spot, allow_hyphen_values = true)]
    at: Vec<Spot>,

    /// Draw the estimates of all cells to this file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    /// What to print
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// A heuristic, by its name.
#[derive(Clone, Debug)]
enum Kind {
    Straight,
    Path,
    Egraph,
    Tgraph,
    Errands,
    Event(String),
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Kind::Straight => f.write_str("straight"),
            Kind::Path => f.write_str("path"),
            Kind::Egraph => f.write_str("egraph"),
            Kind::Tgraph => f.write_str("tgraph"),
            Kind::Errands => f.write_str("errands"),
            Kind::Event(id) => write!(f, "event:{id}"),
        }
    }
}

impl Kind {
    fn parse(name: &str) -> Result<Kind, String> {
        match name {
            "straight" => Ok(Kind::Straight),
            "path" => Ok(Kind::Path),
            "egraph" => Ok(Kind::Egraph),
            "tgraph" => Ok(Kind::Tgraph),
            "errands" => Ok(Kind::Errands),
            _ => match name.strip_prefix("event:") {
                Some(id) if !id.is_empty() => Ok(Kind::Event(id.to_owned())),
                _ => Err(
                    "write `straight`, `path`, `errands`, `egraph`, `tgraph` or `event:ID`"
                        .to_owned(),
                ),
            },
        }
    }

    /// Whether it looks at demonstrations.
    fn follows(&self) -> bool {
        matches!(self, Kind::Egraph | Kind::Tgraph | Kind::Event(_))
    }

    fn title(&self) -> String {
        match self {
            Kind::Straight => "straight-line estimate".to_owned(),
            Kind::Path => "shortest-path estimate".to_owned(),
            Kind::Egraph => "estimate that uses demonstrated ways".to_owned(),
            Kind::Tgraph => "estimate that follows the demonstrations".to_owned(),
            Kind::Errands => "estimate of all errands".to_owned(),
            Kind::Event(id) => format!("estimate by way of {id}"),
        }
    }
}

pub(crate) fn spot(text: &str) -> Result<Spot, String> {
    let number = |text: &str| text.trim().parse().ok().filter(|it: &f64| it.is_finite());
    let numbers: Option<Vec<f64>> = text.split(',').map(number).collect();
    let (x, y, height) = match numbers.as_deref() {
        Some([x, y]) => (*x, *y, None),
        Some([x, y, height]) => (*x, *y, Some(*height)),
        _ => {
            let mistake =
                "write two numbers, as in 12,4, or three where floors lie above each other";
            return Err(mistake.to_owned());
        }
    };
    Ok(Spot { x, y, height })
}

impl Arguments {
    /// Options that were given and mean nothing to the heuristic, in words.
    fn idle(&self, settings: &Settings, demonstrations: &[Demonstration]) -> Vec<String> {
        let kind = &self.kind;
        let follows = kind.follows();
        let trains = follows && !matches!(kind, Kind::Egraph) && !demonstrations.is_empty();
        let inflates = follows && !demonstrations.is_empty();
        let is_used = |option: &str| match option {
            // The inflation follows from the bound and the weight, unless it is given.
            "--bound" | "--faithful" | "--w" => inflates && settings.epsilon.is_none(),
            "--epsilon" => inflates,
            "--projection" | "--corridor" | "--start-edge" | "--no-memo" => trains,
            "--event-metric" => matches!(kind, Kind::Event(_)),
            "--event-guide" => matches!(kind, Kind::Event(_)) && inflates,
            "--egraph-mode" => matches!(kind, Kind::Egraph) && inflates,
            // Pictures show them.
            "--demo" | "--no-demos" => follows || self.svg.is_some(),
            _ => false,
        };
        let mut notes: Vec<String> = settings
            .given()
            .chain(self.demonstrations.given())
            .filter(|option| !is_used(option))
            .map(|option| format!("{option} means nothing to --kind {kind} here"))
            .collect();
        if matches!(kind, Kind::Egraph | Kind::Tgraph) && demonstrations.is_empty() {
            notes.push(
                "there is no demonstration to follow, so this is the inflated straight line"
                    .to_owned(),
            );
        }
        notes
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    let source = scenario_source::load(Some(&arguments.scenario))?;
    if let Some(path) = &arguments.svg {
        output_file::check(path)?;
    }
    let demonstrations = demonstrations::load(&source, &arguments.demonstrations)?;
    let world = World::new(&source.scenario);
    // As bad as plans take enemies to be, because plans are what estimates are for.
    let scenario = source.scenario.for_planning();
    let there = QuestAtPlace::new(&scenario, &world, scenario.goal());
    let settings = Settings {
        planner: PlannerName::Tgraph,
        ..arguments.numbers.settings()
    };
    let planner = settings.check(&scenario, &demonstrations[..])?.planner;
    for text in arguments.idle(&settings, &demonstrations) {
        note(&text);
    }
    let mut estimate = prepare(&arguments.kind, &planner, &there)?;
    let places = arguments.at.iter().map(|at| on_the_map(&scenario, *at));
    let places: Vec<usize> = places.collect::<Result<_, _>>()?;
    let values: Vec<(Spot, f64)> = places
        .iter()
        .map(|place| (told(scenario.map(), *place), estimate(*place).as_seconds()))
        .collect();
    if let Some(path) = &arguments.svg {
        let all: Vec<f64> = (0..scenario.map().places())
            .map(|place| estimate(place).as_seconds())
            .collect();
        let title = arguments.kind.title();
        let asked: Vec<(Point, f64)> = values.iter().map(|(at, it)| (at.point(), *it)).collect();
        let picture = Picture::of_estimates(
            &source.scenario,
            &demonstrations,
            &world,
            &title,
            &all,
            &asked,
        );
        output_file::write(path, &picture.draw())?;
        note(&format!("drawn to {}", path.display()));
    }
    match arguments.format {
        Format::Text => {
            let lines = values.iter().map(|(at, value)| match finite(*value) {
                Some(value) => format!("{at}  {} s\n", short(value, 3)),
                None => format!("{at}  no way leads to the goal\n"),
            });
            print(&lines.collect::<String>())?;
        }
        Format::Json => {
            let readings: Vec<ReadingDocument> = values.iter().map(reading).collect();
            let text = serde_json::to_string_pretty(&readings);
            let text = text.map_err(|error| Failure::Bug(error.to_string()))?;
            print_exactly(&(text + "\n"))?;
        }
    }
    Ok(Exit::Done)
}

/// What is written about a place.
fn reading((at, value): &(Spot, f64)) -> ReadingDocument {
    ReadingDocument {
        x: coordinate(at.x),
        y: coordinate(at.y),
        z: at.height.map(coordinate),
        value: finite(*value),
    }
}

/// The estimate of a kind, ready to be asked.
fn prepare<'s>(
    kind: &Kind,
    planner: &Planner,
    there: &'s QuestAtPlace<'s>,
) -> Result<Box<dyn FnMut(usize) -> Cost + 's>, Failure> {
    let mut heuristic: Box<dyn Heuristic<QuestAtPlace<'s>> + 's> = match kind {
        Kind::Straight => Box::new(StraightLine),
        Kind::Path => Box::new(ShortestPath::default()),
        Kind::Egraph => Box::new(planner.recalling()),
        Kind::Tgraph => Box::new(planner.following()),
        Kind::Errands => Box::new(KeyDoorHeuristic::default()),
        Kind::Event(id) => {
            let event = event(there.scenario(), id)?;
            let following = planner.following();
            let following = Some(&following).filter(|_| !planner.demonstrations().is_empty());
            Box::new(planner.by_event(there.scenario().landmarks(), event, following))
        }
    };
    heuristic.prepare(there, &mut Budget::unlimited());
    Ok(Box::new(move |place| heuristic.estimate(there, &place)))
}

/// Where a place is, and how high where that matters. Nobody measures a level finer than that.
fn told(map: &Map, place: usize) -> Spot {
    let spot = map.spot_of(place);
    let height = spot.height.filter(|_| !map.is_flat());
    Spot {
        height: height.map(|height| (height * 100.0).round() / 100.0),
        ..spot
    }
}

/// The place of a spot on the map: its cell, also if that is a wall, or the nearest foothold, on the
/// floor that is meant.
pub(crate) fn on_the_map(scenario: &Scenario, at: Spot) -> Result<usize, Failure> {
    let map = scenario.map();
    if map.grid().is_some() && (at.x != at.x.trunc() || at.y != at.y.trunc()) {
        return Err(Failure::input(format!(
            "{at} is no cell; write two whole numbers, as in 12,4"
        )));
    }
    if map.grid().is_some() && at.height.is_some() {
        return Err(Failure::input(format!(
            "{at} has a height, and a grid has none; write {},{}",
            at.x, at.y
        )));
    }
    if let Some(floor) = map.floor_at(at).filter(|floor| !at.is_on_floor(*floor)) {
        let floor = short(floor, 2);
        return Err(Failure::input(format!(
            "there is no floor at {at}; the nearest one there is {floor} high: write {},{},{floor}",
            at.x, at.y
        )));
    }
    let place = match map {
        Map::Grid(grid) => grid.cell_at(at.point()).map(|cell| grid.index(cell)),
        Map::Mesh(_) => map.place_on_floor(at.point(), at.height),
    };
    place.ok_or_else(|| {
        let (first, last) = map.bounds();
        Failure::input(format!(
            "{at} is off the map; x goes from {} to {}, y from {} to {}",
            short(first.x, 1),
            short(last.x, 1),
            short(first.y, 1),
            short(last.y, 1)
        ))
    })
}
