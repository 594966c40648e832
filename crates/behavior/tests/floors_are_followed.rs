//! Where floors lie above each other, a demonstration is followed on its own, and none counts as one
//! that was shown above or below it.

use crate::dungeon::Dice;
use crate::quests::{drawn, plan, plan_with, weight, within};
use apprentice_behavior::{
    EGraphHeuristic, Explained, Explanation, Planner, PlannerName, Settings, TGraphHeuristic,
};
use apprentice_experience::{
    Corridor, Demonstration, ExperienceMode, Place, Projection, Relevance, TrainingSettings,
};
use apprentice_game::Game;
use apprentice_search::{Budget, Cost, Heuristic, Promise, Status, Weight};
use apprentice_world::{
    AnyQuest, Branching, LivedPlan, Point, Quest, QuestAtPlace, Scenario, Spot, World, on_floors,
};
use proptest::prelude::*;

/// A yard of 30 by 8 metres. Ramps lead from both ends up to a bridge three metres above it, from
/// x = 8 to x = 22 and two metres wide.
const YARD: &str = "\
v 0 0 0\nv 30 0 0\nv 30 0 8\nv 0 0 8
v 2 0 3\nv 2 0 5\nv 8 3 5\nv 8 3 3
v 22 3 3\nv 22 3 5\nv 28 0 3\nv 28 0 5
f 1 4 3 2
f 5 6 7 8
f 8 7 10 9
f 9 10 12 11
";

const OVER: &str = "[[1, 4], [22, 4, 3], [29, 4]]";
const UNDER: &str = "[[1, 4], [3, 2], [9, 4], [21, 4], [27, 2], [29, 4]]";

fn scenario(text: &str) -> Scenario {
    let text = format!("format = 1\n{text}\n[map]\nfile = \"yard.obj\"\n");
    Scenario::parse_with(&text, |_| Ok(YARD.to_owned())).unwrap_or_else(|error| panic!("{error}"))
}

/// From one end to the other, as somebody showed it.
fn shown(points: &str) -> Scenario {
    scenario(&format!(
        "start = [1, 4]\ngoal = {{ within = {{ at = [29, 4], radius = 0.5 }} }}\n\
         demonstration = [{{ points = {points} }}]"
    ))
}

fn settings(planner: PlannerName) -> Settings {
    Settings {
        planner,
        bound: weight(10.0),
        ..Settings::default()
    }
}

fn planner_of(scenario: &Scenario, settings: &Settings) -> Planner {
    let checked = settings.check(scenario, drawn(scenario));
    checked.unwrap_or_else(|error| panic!("{error}")).planner
}

fn with_quest<T>(scenario: &Scenario, ask: impl FnOnce(&apprentice_world::QuestProblem) -> T) -> T {
    let AnyQuest::Moving(quest) = scenario.quest() else {
        panic!("meshes have no still quests")
    };
    ask(&quest)
}

#[test]
fn a_demonstration_is_followed_on_its_floor() {
    for name in [PlannerName::Auto, PlannerName::Tgraph, PlannerName::Egraph] {
        for (points, other, is_over) in [(OVER, UNDER, true), (UNDER, OVER, false)] {
            let scenario = shown(points);
            let found = plan(&scenario, &settings(name));
            let high = found.way.iter().filter(|place| place.z > 1.5).count();
            assert_eq!(high > 20, is_over, "{name}: {high} places on the bridge");
            assert!(is_over || high == 0, "{name}: {high} places on the bridge");
            let on_the_ground = |points: &str| -> Vec<Demonstration> {
                let scenario = shown(points);
                let shown = drawn(&scenario);
                let shown = shown.iter().map(|it| on_floors(scenario.map(), it));
                shown.collect()
            };
            let own = found.covers(&on_the_ground(points));
            assert!(own > 0.95, "{name}: {own} of its own");
            let others = found.covers(&on_the_ground(other));
            // Both begin and end beside the same ramps.
            assert!(others < 0.6, "{name}: {others} of the other");
        }
    }
}

#[test]
fn whoever_is_under_a_bridge_is_beside_what_was_shown_on_it() {
    let scenario = shown(OVER);
    let map = scenario.map();
    let middle = Point::new(15.0, 4.0);
    let [above, below] = [3.0, 0.0].map(|height| map.place_on_floor(middle, Some(height)).unwrap());
    let planner = planner_of(&scenario, &settings(PlannerName::Tgraph));
    let world = World::new(&scenario);
    let there = QuestAtPlace::new(&scenario, &world, scenario.goal());
    let mut following = planner.following();
    following.prepare(&there, &mut Budget::unlimited());
    let mut recalling = planner.recalling();
    recalling.prepare(&there, &mut Budget::unlimited());
    let [high, low] = [above, below].map(|place| following.estimate(&there, &place).as_seconds());
    assert!(low > high + 1.0, "T-Graph: {low} below, {high} above");
    let [high, low] = [above, below].map(|place| recalling.estimate(&there, &place).as_seconds());
    assert!(low > high + 1.0, "E-Graph: {low} below, {high} above");
}

#[test]
fn the_way_to_a_demonstration_on_a_bridge_leads_up_to_it() {
    let from = |height: &str| -> Relevance {
        let scenario = scenario(&format!(
            "start = [15, 4, {height}]\ngoal = {{ within = {{ at = [29, 4], radius = 0.5 }} }}\n\
             demonstration = [{{ points = [[12, 4, 3], [22, 4, 3], [29, 4]] }}]"
        ));
        let planner = planner_of(&scenario, &settings(PlannerName::Auto));
        let relevances = with_quest(&scenario, |quest| planner.relevances(quest));
        relevances.expect("it is asked")[0].expect("it shows a way")
    };
    let (above, below) = (from("3").approach, from("0").approach);
    assert!(above < 2.0, "{above}");
    // To the foot of a ramp and back, two metres a second.
    assert!(below > 9.0, "{below}");
}

fn explained(scenario: &Scenario, settings: &Settings) -> (Explanation, f64) {
    let planner = planner_of(scenario, settings);
    let found = plan(scenario, settings);
    let lived = found.plan.as_ref().expect("there is a way");
    let covered = found.covers(planner.demonstrations());
    let shown = drawn(scenario);
    let explanation = with_quest(scenario, |quest| {
        Explained {
            story: LivedPlan {
                scenario: quest.scenario(),
                start: quest.start_world(),
                steps: &lived.steps,
            },
            // As they were drawn: whoever explains puts them on the ground.
            demonstrations: &shown,
            relevances: None,
        }
        .explain()
    });
    (explanation, covered)
}

#[test]
fn a_plan_under_a_bridge_does_not_follow_what_was_shown_on_it() {
    for (height, follows) in [(0, false), (3, true)] {
        let scenario = scenario(&format!(
            "start = [9, 4, {height}]\n\
             goal = {{ within = {{ at = [21, 4, {height}], radius = 0.5 }} }}\n\
             demonstration = [{{ points = [[9, 4, 3], [21, 4, 3]] }}]"
        ));
        let (explanation, covered) = explained(&scenario, &settings(PlannerName::Astar));
        let stretches = explanation.stretches.iter();
        let followed = stretches.filter(|it| it.follows.is_some()).count();
        assert_eq!(followed > 0, follows, "{height}");
        assert_eq!(explanation.ignored.is_empty(), follows, "{height}");
        assert_eq!(covered, if follows { 1.0 } else { 0.0 }, "{height}");
    }
}

#[test]
fn floors_are_the_same_to_worlds_and_to_demonstrations() {
    for number in -400..=400 {
        let height = f64::from(number) / 100.0;
        let spot = Spot {
            height: Some(0.0),
            ..Spot::default()
        };
        let place = Place::new(0.0, 0.0, height);
        assert_eq!(
            spot.is_on_floor(height),
            place.is_on_floor_of(Place::default()),
            "{height}"
        );
    }
}

#[test]
fn a_line_leads_over_ramps_and_not_through_the_air() {
    for (points, heights) in [
        (OVER, [(1.0, 0.0), (5.0, 1.5), (15.0, 3.0), (25.0, 1.5)]),
        (UNDER, [(1.0, 0.0), (5.0, 0.0), (15.0, 0.0), (25.0, 0.0)]),
    ] {
        let scenario = shown(points);
        let map = scenario.map();
        let once = on_floors(map, &drawn(&scenario)[0]);
        // Whoever does it again changes nothing.
        for line in [on_floors(map, &once), once] {
            for (x, height) in heights {
                let mut pieces = line.samples.windows(2);
                let piece = pieces.find(|pair| (pair[0].place.x..=pair[1].place.x).contains(&x));
                let [from, to] = piece.expect("it leads there") else {
                    panic!("a piece has two ends")
                };
                let (from, to) = (from.place, to.place);
                let at = from.toward(to, (x - from.x) / (to.x - from.x));
                // Levels are raised a little when they are read from geometry.
                assert!((at.z - height).abs() < 0.3, "{at} is not {height} high");
            }
        }
    }
}

/// Lines that were drawn with closed eyes: over and under the bridge, through the air and off the map.
fn scribbles(seed: u64) -> Vec<Demonstration> {
    let mut dice = Dice::new(seed ^ 0xf100);
    let count = 1 + dice.below(3);
    (0..count)
        .map(|number| {
            let length = 2 + dice.below(5);
            let points: Vec<Place> = (0..length)
                .map(|_| {
                    let x = dice.below(64) as f64 / 2.0 - 1.0;
                    let y = dice.below(20) as f64 / 2.0 - 1.0;
                    let z = [0.0, 3.0, 3.0, 1.0, 6.0][dice.below(5)];
                    // Often on the bridge.
                    let y = if z == 3.0 { 4.0 } else { y };
                    Place::new(x, y, z)
                })
                .collect();
            Demonstration::drawn(format!("scribble {number}"), points, 2.0)
        })
        .collect()
}

/// A start and a goal somewhere, with falls from the bridge and a ladder up to it or without.
fn somewhere(seed: u64) -> Scenario {
    let mut dice = Dice::new(seed);
    let mut spot = || match dice.below(2) {
        0 => format!("[{}, 4, 3]", 9 + dice.below(12)),
        _ => format!("[{}, {}, 0]", 9 + dice.below(20), 1 + dice.below(7)),
    };
    let (start, goal) = (spot(), spot());
    let falls = [0.0, 4.0][dice.below(2)];
    let ladder = match dice.below(2) {
        0 => "",
        _ => "[[link]]\nfrom = [15, 6]\nto = [15, 4, 3]\nseconds = 0.1\n",
    };
    let text = format!(
        "format = 1\nstart = {start}\ngoal = {{ within = {{ at = {goal}, radius = 0.5 }} }}\n\
         [map]\nfile = \"yard.obj\"\nfalls = {falls:?}\n{ladder}"
    );
    Scenario::parse_with(&text, |_| Ok(YARD.to_owned()))
        .unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// Holds an estimate to what it swears, from every place and for every step over the map.
fn check_promise<H>(scenario: &Scenario, heuristic: &mut H, shown: &[Demonstration])
where
    H: for<'s> Heuristic<QuestAtPlace<'s>>,
{
    let world = World::new(scenario);
    let there = QuestAtPlace::new(scenario, &world, scenario.goal());
    assert!(heuristic.prepare(&there, &mut Budget::unlimited()));
    let promise = Heuristic::<QuestAtPlace<'_>>::promise(heuristic);
    assert_eq!(promise, Promise::Consistent);
    let inflation = Heuristic::<QuestAtPlace<'_>>::inflation(heuristic);
    let map = scenario.map();
    let mut estimate = |place: usize| heuristic.estimate(&there, &place);
    for place in 0..map.places() {
        let here = estimate(place);
        for step in map.steps_from(place) {
            let cost = inflation.inflate(step.cost(there.top_speed()));
            let onward = estimate(step.place);
            let (from, to) = (map.spot_of(place), map.spot_of(step.place));
            assert!(
                // To the tick that each of the three is rounded by.
                here <= cost + onward + Cost::from_ticks(3),
                "{here} at {from}, {onward} at {to} after {cost}: {shown:?}"
            );
        }
    }
}

/// What is proven needs the projection and the corridors that can be.
fn proven(inflation: Weight) -> TrainingSettings {
    TrainingSettings {
        projection: Projection::Consistent,
        corridor: Corridor::Path,
        ..TrainingSettings::with_inflation(inflation)
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn estimates_keep_their_promise_on_all_floors(seed: u64) {
        let scenario = somewhere(seed);
        let map = scenario.map();
        let shown: Vec<Demonstration> = scribbles(seed).iter().map(|it| on_floors(map, it)).collect();
        let inflation = Weight::new([1.5, 3.0, 10.0][(seed % 3) as usize]).expect("a weight");
        let mut following = TGraphHeuristic::new(shown.clone().into(), proven(inflation));
        check_promise(&scenario, &mut following, &shown);
        for mode in [ExperienceMode::ProjectNodes, ExperienceMode::HeuristicOnly] {
            let mut recalling = EGraphHeuristic::new(shown.clone().into(), inflation, mode);
            check_promise(&scenario, &mut recalling, &shown);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn bounds_hold_on_all_floors(seed: u64) {
        let scenario = somewhere(seed);
        let shown = scribbles(seed);
        let best = plan_with(&scenario, &shown, &settings(PlannerName::Astar), Branching::Sixteen);
        let bound = [1.5, 3.0, 10.0][(seed % 3) as usize];
        for planner in PlannerName::ALL {
            let settings = Settings {
                bound: weight(bound),
                projection: Some(Projection::Consistent),
                ..settings(planner)
            };
            let found = plan_with(&scenario, &shown, &settings, Branching::Sixteen);
            assert_eq!(found.status, best.status, "{planner}");
            if best.status == Status::Finished {
                let factor = found.guarantee.factor().expect("a bound");
                let (cost, least) = (found.cost(), best.cost());
                assert!(within(cost, factor, least), "{planner}: {cost}, {factor} times {least}");
                assert!(factor <= bound + 1e-6, "{planner}: {factor}");
            }
        }
    }
}
