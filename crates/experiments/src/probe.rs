//! Measurements that are not how much a plan took: hollows of estimates, what a plan does past a bear,
//! and tasks of SimpleFPS.

use std::collections::BTreeMap;
use std::time::Duration;

use apprentice_behavior::{EGraphHeuristic, PlannerName, Settings};
use apprentice_experience::{Demonstration, ExperienceMode, Place, Projection};
use apprentice_htn::language::read_files;
use apprentice_htn::simplefps::generate;
use apprentice_htn::{Aim, LoadedDomain, Planner};
use apprentice_search::{Budget, Heuristic, Problem, Status, Weight};
use apprentice_world::{
    AgentId, Event, Gait, Manner, Order, Prices, QuestAtPlace, Rules, Scenario, Stance, Thing,
    World, rehearse, verify,
};

use crate::cell::{PlannerSpec, Planning, Probing};
use crate::levels::{Level, SIMPLE_FPS};
use crate::measure::{Footprints, Planned, planned, rounded};
use crate::measured::{Clocks, Measured};
use crate::stopwatch::Stopwatch;

/// What can be measured.
pub(crate) const NAMES: [&str; 5] = [
    "hollows",
    "sneaking",
    "company",
    "first-plan",
    "better-plans",
];

/// A measurement in a level, or in none.
pub(crate) fn measure(
    level: Option<&Level>,
    probing: &Probing,
) -> Result<(Measured, Clocks), String> {
    let needed = || level.ok_or_else(|| "there is no such level".to_owned());
    let begun = Stopwatch::start();
    let (values, took) = match &*probing.probe {
        "hollows" => (hollows(needed()?, probing.number)?, None),
        "sneaking" => (sneaking(needed()?, probing.number)?, None),
        "company" => (company(needed()?, probing.number)?, None),
        "first-plan" => tasks(probing, Aim::First)?,
        "better-plans" => tasks(probing, Aim::Best)?,
        other => return Err(format!("there is no measurement `{other}`")),
    };
    let took = took.unwrap_or_else(|| begun.elapsed());
    let measured = Measured {
        status: "done".to_owned(),
        values,
        ..Measured::default()
    };
    let clocks = Clocks {
        time_ms: took.as_secs_f64() * 1e3,
        preparing_ms: 0.0,
    };
    Ok((measured, clocks))
}

type Values = BTreeMap<String, f64>;

fn named<const N: usize>(values: [(&str, f64); N]) -> Values {
    values.map(|(name, value)| (name.to_owned(), value)).into()
}

/// Cells between the samples of a demonstration whose hollows are counted: farther than a step, as when
/// somebody draws.
const SPARSE: f64 = 8.0;

/// Hollows within so many cells of a demonstration count.
const NEAR: f64 = 3.0;

/// Strict local minima of two estimates beside sparse demonstrations: an E-Graph that only guides, and a
/// T-Graph.
fn hollows(level: &Level, epsilon: f64) -> Result<Values, String> {
    let scenario = &level.scenario;
    let shown = level.demonstrations.iter();
    let shown: Vec<Demonstration> = shown.map(|shown| sampled(shown, SPARSE)).collect();
    let settings = Settings {
        planner: PlannerName::Tgraph,
        w: Weight::new(1.0).ok(),
        epsilon: Some(Weight::new(epsilon).map_err(|error| error.to_string())?),
        projection: Some(Projection::Consistent),
        ..Settings::default()
    };
    let checked = settings.check(scenario, &shown[..]);
    let planner = checked.map_err(|error| error.to_string())?.planner;
    let recalling = EGraphHeuristic::new(
        planner.demonstrations().clone(),
        planner.epsilon(),
        ExperienceMode::HeuristicOnly,
    );
    Ok(named([
        ("egraph", minima(scenario, &shown, recalling) as f64),
        (
            "tgraph",
            minima(scenario, &shown, planner.following()) as f64,
        ),
    ]))
}

fn minima<H>(scenario: &Scenario, shown: &[Demonstration], mut heuristic: H) -> usize
where
    H: for<'a> Heuristic<QuestAtPlace<'a>>,
{
    let world = World::new(scenario);
    let there = QuestAtPlace::new(scenario, &world, scenario.goal());
    heuristic.prepare(&there, &mut Budget::unlimited());
    let map = scenario.map();
    let values: Vec<_> = (0..map.places())
        .map(|place| heuristic.estimate(&there, &place))
        .collect();
    let is_near = |place: &usize| {
        let at = map.point_of(*place);
        let at = Place::flat(at.x, at.y);
        let mut here = shown.iter().filter_map(|shown| shown.whereabouts(at, 0.0));
        map.is_walkable(*place) && here.any(|here| here.distance <= NEAR)
    };
    let is_hollow = |place: &usize| {
        let mut steps = map.steps_from(*place);
        !there.is_goal(place) && steps.all(|step| values[step.place] > values[*place])
    };
    let near = (0..map.places()).filter(is_near);
    near.filter(is_hollow).count()
}

/// The same line with a sample every so many cells.
fn sampled(shown: &Demonstration, every: f64) -> Demonstration {
    let mut places = Vec::new();
    for pair in shown.samples.windows(2) {
        let (from, to) = (pair[0].place, pair[1].place);
        let pieces = (from.distance_to(to) / every).round().max(1.0) as u32;
        let part = |piece: u32| f64::from(piece) / f64::from(pieces);
        places.extend((0..pieces).map(|piece| from.toward(to, part(piece))));
    }
    places.extend(shown.samples.last().map(|last| last.place));
    Demonstration::drawn(shown.name.clone(), places, 1.0)
}

/// The ticks of a game at sixty frames a second, nearly.
const TICK: Duration = Duration::from_millis(16);

/// What a plan does that was shown a way past a bear, and for which being noticed costs as many seconds as
/// `notice` says: where it sneaks, whether it is heard, what would become of somebody who walks, and whether
/// demonstrations that lead elsewhere change anything.
fn sneaking(level: &Level, notice: f64) -> Result<Values, String> {
    let prices = Prices::new(0.0, notice).map_err(|error| format!("the number: {error}"))?;
    let level = &Level {
        scenario: level.scenario.clone().with_prices(prices),
        ..level.clone()
    };
    let planning = Planning {
        branching: 16,
        limit: 5_000_000,
        planner: PlannerSpec {
            planner: "tgraph".to_owned(),
            bound: Some(10.0),
            ..PlannerSpec::default()
        },
        ..Planning::default()
    };
    let found = planned(level, &planning, Footprints::No)?;
    let Some(plan) = &found.outcome.plan else {
        return Err("there is no plan".to_owned());
    };
    let scenario = found.scenario.for_planning();
    let beasts = scenario
        .enemies()
        .iter()
        .find_map(|enemy| match &enemy.kind.manner {
            Manner::Beast(beast) => Some((enemy.home, beast.radius)),
            _ => None,
        });
    let (home, radius) = beasts.ok_or("there is no bear")?;
    let is_sneaked =
        |order: &Order| matches!(order, Order::Step(_, stance) if stance.gait() == Gait::Sneak);
    let sneaked: Vec<usize> = (0..plan.steps.len())
        .filter(|step| is_sneaked(&plan.steps[*step].order))
        .collect();
    let pieces = sneaked
        .windows(2)
        .filter(|pair| pair[1] != pair[0] + 1)
        .count();
    let distance = |step: &&usize| plan.steps[**step].at.distance_to(home);
    let inside = sneaked
        .iter()
        .filter(|step| distance(step) <= radius)
        .count();
    let too_near = sneaked
        .iter()
        .filter(|step| distance(step) <= radius * Rules::noise(Gait::Sneak))
        .count();
    let noticed = |events: &[Event]| {
        let by = |event: &&Event| {
            matches!(
                event,
                Event::NoticedBy {
                    agent: AgentId::NPC,
                    ..
                } | Event::Hurt {
                    agent: AgentId::NPC,
                    ..
                }
            )
        };
        events.iter().filter(by).count()
    };
    let noticed_in_plan: usize = plan.steps.iter().map(|step| noticed(&step.events)).sum();
    let orders: Vec<Order> = plan.steps.iter().map(|step| step.order).collect();
    let (start, goal) = (&found.outcome.start, found.scenario.goal());
    let lived = rehearse(&scenario, start, &orders, goal, TICK);
    let in_ticks = lived.as_ref().map_or(-1.0, |lived| {
        let noticed: usize = lived.steps.iter().map(|step| noticed(&step.events)).sum();
        noticed as f64
    });
    let walked: Vec<Order> = orders
        .iter()
        .map(|order| match order {
            Order::Step(direction, stance) if stance.gait() == Gait::Sneak => {
                Order::Step(*direction, Stance::new(Gait::Walk))
            }
            other => *other,
        })
        .collect();
    let is_deadly = verify(&scenario, start, &walked, goal).is_err();
    let mut relevant = level.clone();
    relevant.demonstrations.truncate(2);
    let without: Planned = planned(&relevant, &planning, Footprints::No)?;
    Ok(named([
        ("sneaked", sneaked.len() as f64),
        (
            "pieces",
            if sneaked.is_empty() {
                0.0
            } else {
                pieces as f64 + 1.0
            },
        ),
        ("inside", inside as f64),
        ("too_near", too_near as f64),
        ("noticed", noticed_in_plan as f64),
        ("noticed_in_ticks", in_ticks),
        ("walking_is_deadly", f64::from(u8::from(is_deadly))),
        (
            "same_way_without_irrelevant",
            f64::from(u8::from(without.way() == found.way())),
        ),
    ]))
}

/// Ticks of games in which a plan for two is lived through: sixty and thirty frames a second, nearly.
const TICKS: [Duration; 2] = [TICK, Duration::from_millis(33)];

/// What `auto` does for somebody who is alone (0), or who accompanies a player of the level's first, second …
/// style: who meets whom, and who is alive in the end, also when the plan is lived through in ticks of a game.
fn company(level: &Level, number: f64) -> Result<Values, String> {
    let style = match number as usize {
        0 => None,
        number => {
            let style = level.scenario.styles().get(number - 1);
            Some(style.ok_or_else(|| format!("there is no style {number} in this level"))?)
        }
    };
    let planning = Planning {
        branching: 16,
        limit: 5_000_000,
        planner: PlannerSpec {
            planner: "auto".to_owned(),
            player_model: style.map(|style| style.id.clone()),
            ..PlannerSpec::default()
        },
        ..Planning::default()
    };
    let found = planned(level, &planning, Footprints::No)?;
    let Some(plan) = &found.outcome.plan else {
        return Ok(named([("found", 0.0)]));
    };
    let scenario = &found.scenario;
    let beast = |id: &str| match scenario.thing(id) {
        Some(Thing::Agent(agent)) => Ok(agent),
        _ => Err(format!("nobody is called `{id}` in this level")),
    };
    let nearest = |beast: AgentId| {
        let distances = plan.steps.iter().map(|step| {
            let at = step.world.position(AgentId::NPC, scenario);
            at.distance_to(step.world.position(beast, scenario))
        });
        distances.fold(f64::INFINITY, f64::min)
    };
    let (bear, red, black) = (beast("bear")?, beast("red")?, beast("black")?);
    let events = || plan.steps.iter().flat_map(|step| &step.events);
    let struck_by = |who: AgentId| {
        events().any(
            |event| matches!(event, Event::Hurt { agent, by, .. } if *agent == bear && *by == who),
        )
    };
    let falls = events().any(|event| *event == Event::Died { agent: bear });
    let orders: Vec<Order> = plan.steps.iter().map(|step| step.order).collect();
    let start = World::new(scenario);
    let survives = |tick: Duration| {
        let lived = rehearse(scenario, &start, &orders, scenario.goal(), tick);
        lived.is_ok_and(|lived| {
            let end = lived.steps.last().map_or(&start, |step| &step.world);
            let player = style.map(|_| AgentId::PLAYER);
            let mut all = [AgentId::NPC].into_iter().chain(player);
            all.all(|agent| !end.is_dead(agent, scenario))
        })
    };
    let yes = |switch: bool| f64::from(u8::from(switch));
    let both = struck_by(AgentId::NPC) && struck_by(AgentId::PLAYER);
    Ok(named([
        ("found", 1.0),
        ("expansions", found.outcome.statistics.expanded as f64),
        ("cost", plan.cost.as_seconds()),
        ("nearest_to_bear", rounded(nearest(bear))),
        (
            "nearest_to_superwolf",
            rounded(nearest(red).min(nearest(black))),
        ),
        ("bear_falls_to_both", yes(falls && both)),
        ("alive_in_ticks", yes(TICKS.into_iter().all(survives))),
    ]))
}

/// Areas of every SimpleFPS problem, as published.
const AREAS: u32 = 10;

/// Points of interest of the problem whose plan is made better.
const POINTS: u32 = 60;

/// More decisions than any first plan takes.
const MOST_DECISIONS: u64 = 1_000_000;

/// A problem of SimpleFPS: the first plan for as many points of interest as the number says, or how
/// good the plan is after so many decisions.
fn tasks(probing: &Probing, aim: Aim) -> Result<(Values, Option<Duration>), String> {
    let number = probing.number.max(0.0);
    let (points, decisions) = match aim {
        Aim::First => (number as u32, MOST_DECISIONS),
        _ => (POINTS, number as u64),
    };
    let problem = generate(AREAS, points, probing.seed.unwrap_or(1));
    let files = [("simplefps.htn", SIMPLE_FPS), ("problem.htn", &problem)];
    let reading = read_files(&files, &|_| None);
    if reading.has_errors() {
        return Err(reading.report());
    }
    let model = reading.model.ok_or("there is no problem")?;
    let domain = LoadedDomain::new(model).map_err(|error| error.to_string())?;
    let begun = Stopwatch::start();
    let mut planner = Planner::new(domain.initial_state(), domain.goal()).aim(aim);
    let mut left = decisions;
    let status = loop {
        let mut budget = Budget::units(left);
        let status = planner.run(&domain, &mut budget);
        left -= budget.taken().min(left);
        if status != Status::Improved || left == 0 {
            break status;
        }
    };
    let took = begun.elapsed();
    let mut values = named([
        ("decisions", planner.statistics().iterations as f64),
        ("solved", f64::from(u8::from(planner.plan().is_some()))),
        ("finished", f64::from(u8::from(!status.is_unfinished()))),
    ]);
    if let (Some(plan), Some(first)) = (planner.plan(), planner.improvements().first()) {
        let costs: Vec<_> = planner.improvements().iter().map(|it| it.cost).collect();
        let falls = costs.windows(2).all(|pair| pair[1] < pair[0]);
        values.extend(named([
            ("steps", plan.len() as f64),
            ("first_steps", first.steps as f64),
            ("falls", f64::from(u8::from(falls))),
        ]));
    }
    Ok((values, Some(took)))
}
