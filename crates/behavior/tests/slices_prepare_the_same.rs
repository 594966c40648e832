//! What demonstrations teach is worked out a little at a time, and then says the same as if it had
//! been worked out at once: no demonstration is so long that a game has to wait for it.

use std::sync::Arc;

use crate::quests::{drawn, shipped, states};
use apprentice_behavior::{
    EGraphHeuristic, EventHeuristic, EventMetric, KeyDoorHeuristic, MannerHeuristic,
    OrderedQuestBuilder, TGraphHeuristic, Wary,
};
use apprentice_experience::{
    Corridor, Demonstration, ExperienceMode, Projection, StartEdge, TrainingSettings,
};
use apprentice_search::{Budget, Cost, Heuristic, Weight};
use apprentice_world::{AnyQuest, Map, Quest, Scenario};

/// States looked at in each quest.
const MOST_STATES: usize = 300;

/// Prepares with that many units at a time; how often that took, and what it says then.
fn prepared<Q: Quest>(quest: &Q, mut heuristic: impl Heuristic<Q>, units: u64) -> (u64, Vec<Cost>) {
    let mut slices = 0;
    loop {
        let mut budget = Budget::units(units);
        let is_done = heuristic.prepare(quest, &mut budget);
        slices += 1;
        assert!(budget.taken() <= units);
        if is_done {
            break;
        }
        assert_eq!(
            budget.taken(),
            units,
            "it stops only when the budget is spent"
        );
    }
    let estimates = states(quest, MOST_STATES);
    let estimates = estimates
        .iter()
        .map(|state| heuristic.estimate(quest, state));
    (slices, estimates.collect())
}

fn check<Q: Quest, H: Heuristic<Q>>(quest: &Q, name: &str, made: impl Fn() -> H) {
    let (_, whole) = prepared(quest, made(), u64::MAX);
    let mut most = 0;
    for units in [1, 97] {
        let (slices, sliced) = prepared(quest, made(), units);
        assert!(whole == sliced, "{name}, {units} at a time");
        most = slices.max(most);
    }
    assert!(most > 40, "{name} is one lump: {most} slices");
}

/// With samples at every tenth of a cell, so that there are many.
fn dense(shown: &Demonstration) -> Demonstration {
    let mut samples = Vec::new();
    for pair in shown.samples.windows(2) {
        let pieces = (pair[0].place.distance_to(pair[1].place) * 10.0).ceil() as u32;
        samples.extend((0..pieces).map(|piece| {
            let part = f64::from(piece) / f64::from(pieces);
            let mut sample = pair[0].clone();
            sample.time += (pair[1].time - pair[0].time) * part;
            sample.place = pair[0].place.toward(pair[1].place, part);
            sample
        }));
    }
    samples.extend(shown.samples.last().cloned());
    Demonstration {
        name: shown.name.clone(),
        samples,
    }
}

fn check_all<Q: Quest>(quest: &Q, scenario: &Scenario) {
    let inflation = Weight::new(5.0).expect("a weight");
    let shown: Arc<[Demonstration]> = drawn(scenario).into();
    let long: Arc<[Demonstration]> = shown.iter().map(dense).collect();
    let modes = [ExperienceMode::ProjectNodes, ExperienceMode::HeuristicOnly];
    for (mode, shown) in modes.into_iter().zip([&shown, &long]) {
        let made = || EGraphHeuristic::new(shown.clone(), inflation, mode);
        check(quest, &format!("E-Graph, {mode:?}"), made);
    }
    let proven = TrainingSettings::with_inflation(inflation);
    let published = TrainingSettings {
        projection: Projection::Perpendicular,
        corridor: Corridor::Field,
        start_edge: StartEdge::Query,
        ..proven
    };
    for settings in [proven, published] {
        let following = || TGraphHeuristic::new(long.clone(), settings);
        check(quest, "T-Graph", following);
        check(quest, "gaits", || MannerHeuristic::new(following()));
        for event in scenario
            .events()
            .iter()
            .filter_map(|event| scenario.landmark(*event))
        {
            let by_event =
                || EventHeuristic::new(scenario.landmarks(), event).following(following());
            check(quest, "event", by_event);
            for metric in [EventMetric::Path, EventMetric::Training] {
                let measured = || by_event().measured(metric, &following());
                check(quest, &format!("event, {metric:?}"), measured);
            }
        }
    }
    for event in scenario
        .events()
        .iter()
        .filter_map(|event| scenario.landmark(*event))
    {
        let recalling =
            || EGraphHeuristic::new(shown.clone(), inflation, ExperienceMode::ProjectNodes);
        let by_event = || EventHeuristic::new(scenario.landmarks(), event).recalling(recalling());
        check(quest, "event by E-Graph", by_event);
    }
    let along = |reach: f64| {
        let following = TGraphHeuristic::new(long.clone(), proven);
        KeyDoorHeuristic::default().along(following, inflation.as_f64(), reach)
    };
    check(quest, "round", KeyDoorHeuristic::default);
    check(quest, "wary", || {
        Wary::new(KeyDoorHeuristic::default(), KeyDoorHeuristic::default())
    });
    check(quest, "trail", || along(5.0));
    check(quest, "trail that reaches far", || along(100.0));
}

#[test]
fn of_every_heuristic() {
    for name in ["k1d1_close", "quest_compound", "grotto"] {
        let scenario = shipped(name);
        match scenario.quest() {
            AnyQuest::Still(quest) => check_all(&quest, &scenario),
            AnyQuest::Moving(quest) => check_all(&quest, &scenario),
        }
    }
}

/// The goal is wherever the wolf is: everything that takes a sweep is done beforehand, a little at a
/// time.
#[test]
fn of_a_goal_that_moves() {
    let rows = vec![".".repeat(24); 16].join("\", \"");
    let text = format!(
        "format = 1\nstart = [2, 8]\ngoal = {{ dead = \"grey\" }}\nmap = {{ rows = [\"{rows}\"] }}\n\
         enemy = [{{ id = \"grey\", kind = \"wolf\", at = [12, 8] }}]\n\
         demonstration = [{{ points = [[2, 8], [4, 2], [10, 4]] }}, {{ points = [[2, 8], [6, 14]] }}]"
    );
    let scenario = Scenario::parse(&text).unwrap_or_else(|error| panic!("{error}"));
    let AnyQuest::Moving(quest) = scenario.quest() else {
        panic!("the wolf moves")
    };
    let long: Arc<[Demonstration]> = drawn(&scenario).iter().map(dense).collect();
    let inflation = Weight::new(5.0).expect("a weight");
    for corridor in [Corridor::Path, Corridor::Field] {
        let settings = TrainingSettings {
            corridor,
            ..TrainingSettings::with_inflation(inflation)
        };
        let following = || TGraphHeuristic::new(long.clone(), settings);
        check(&quest, &format!("{corridor:?}"), following);
    }
}

/// So many samples that looking at every pair of them would take too long.
#[test]
fn of_a_recording_of_an_hour() {
    let scenario = shipped("quest_key");
    let AnyQuest::Still(quest) = scenario.quest() else {
        panic!("nothing moves here")
    };
    let shown = &drawn(&scenario)[0];
    let mut samples = Vec::new();
    for round in 0..30 {
        samples.extend(dense(shown).samples.into_iter().map(|mut sample| {
            sample.time += f64::from(round) * 120.0;
            sample
        }));
    }
    assert!(samples.len() > 10_000);
    let name = "all day".to_owned();
    let shown: Arc<[Demonstration]> = Arc::new([Demonstration { name, samples }]);
    let inflation = Weight::new(5.0).expect("a weight");
    let recalling = || EGraphHeuristic::new(shown.clone(), inflation, ExperienceMode::ProjectNodes);
    check(&quest, "E-Graph", recalling);
    let settings = TrainingSettings::with_inflation(inflation);
    check(&quest, "T-Graph", || {
        TGraphHeuristic::new(shown.clone(), settings)
    });
}

/// A quest in the order of a demonstration, made with that many units at a time: how many in all, and
/// what its adviser says along the way it shows.
fn ordered(scenario: &Scenario, shown: &Demonstration, units: u64) -> (u64, Vec<Cost>) {
    let AnyQuest::Still(quest) = scenario.quest() else {
        panic!("nothing moves here")
    };
    let inflation = Weight::new(5.0).expect("a weight");
    let mut ordering = OrderedQuestBuilder::new(quest, shown.clone(), inflation);
    let mut taken = 0;
    loop {
        let mut budget = Budget::units(units);
        let is_done = ordering.go_on(&mut budget);
        taken += budget.taken();
        if is_done {
            break;
        }
        assert_eq!(budget.taken(), units, "it stops when the budget is spent");
    }
    let quest = ordering.finish();
    let mut adviser = quest.adviser();
    let states = states(&quest, MOST_STATES);
    let estimates = states.iter().map(|state| adviser.estimate(&quest, state));
    (taken, estimates.collect())
}

#[test]
fn of_a_quest_in_order() {
    let scenario = shipped("quest_key");
    let shown = dense(&drawn(&scenario)[0]);
    let (taken, whole) = ordered(&scenario, &shown, u64::MAX);
    let places = scenario.map().places() as u64;
    let samples = shown.samples.len() as u64;
    assert!(taken > places / 2 + samples / 32, "{taken}");
    for units in [1, 97] {
        assert!(ordered(&scenario, &shown, units) == (taken, whole.clone()));
    }
}

/// The ways to demonstrations and from them are part of the budget: more for each.
#[test]
fn of_the_ways_to_many_demonstrations() {
    let scenario = shipped("quest_key");
    let AnyQuest::Still(quest) = scenario.quest() else {
        panic!("nothing moves here")
    };
    let inflation = Weight::new(5.0).expect("a weight");
    let settings = TrainingSettings::with_inflation(inflation);
    let taken = |mut heuristic: Box<dyn Heuristic<_>>| {
        let mut budget = Budget::unlimited();
        assert!(heuristic.prepare(&quest, &mut budget));
        budget.taken()
    };
    // A demonstration that stays where it is leaves no trail, so there is nothing else to be done.
    let mut stays = drawn(&scenario)[0].clone();
    stays.samples.truncate(1);
    let for_ways = |count: usize| {
        let shown: Arc<[Demonstration]> = vec![stays.clone(); count].into();
        // Clones would share what is known.
        let following = || TGraphHeuristic::new(shown.clone(), settings);
        let along = || KeyDoorHeuristic::default().along(following(), inflation.as_f64(), 5.0);
        check(&quest, "many", along);
        let others = taken(Box::<KeyDoorHeuristic<Map>>::default()) + taken(Box::new(following()));
        taken(Box::new(along())) - others
    };
    let (few, many) = (for_ways(1), for_ways(101));
    assert!(many >= few + 300, "{few}, {many}");
}
