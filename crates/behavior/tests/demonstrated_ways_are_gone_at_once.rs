//! Going along a whole demonstrated way at once changes how much is looked at, and neither what the best
//! plan costs nor what is proven: every plan is a plan of the quest itself.

use apprentice_behavior::{ConnectedQuest, PlannerName, Settings};
use apprentice_experience::{Demonstration, ExperienceMode, Place};
use apprentice_search::{Budget, Cost, Search, Status, Weight};
use apprentice_world::{Abilities, AnyQuest, Order, Quest, Scenario, verify_as};
use proptest::prelude::*;

/// What an E-Graph search came to: what the plan costs, and how many states were expanded.
fn found<Q: Quest + 'static>(
    quest: Q,
    settings: &Settings,
    shown: &[Demonstration],
) -> (Cost, u64) {
    let checked = settings.check(quest.scenario(), shown.to_vec());
    let planner = checked.expect("it fits").planner;
    if planner.experience_mode() == ExperienceMode::Connect {
        let connected = ConnectedQuest::new(quest, shown);
        return run(&connected, &planner);
    }
    run(&quest, &planner)
}

fn run<Q: Quest + 'static>(quest: &Q, planner: &apprentice_behavior::Planner) -> (Cost, u64) {
    let mut search = planner.search(quest).expect("a search").search;
    let status = search.run(quest, &mut Budget::unlimited());
    assert_eq!(status, Status::Finished);
    let path = search.path().expect("it is finished");
    let orders: Vec<Order> = quest.orders(&path);
    let (scenario, start) = (quest.scenario(), quest.start_world());
    let lived = verify_as(&quest.role(), scenario, start, &orders, quest.goal());
    let lived = lived.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(
        lived.cost, path.cost,
        "what is gone at once is paid for in full"
    );
    (path.cost, search.statistics().expanded)
}

fn planned(
    scenario: &Scenario,
    mode: ExperienceMode,
    [w, epsilon]: [f64; 2],
    shown: &[Demonstration],
) -> (Cost, u64) {
    let settings = Settings {
        planner: PlannerName::Egraph,
        w: Weight::new(w).ok(),
        epsilon: Weight::new(epsilon).ok(),
        experience_mode: Some(mode),
        ..Settings::default()
    };
    match scenario.quest_with(Abilities::default()) {
        AnyQuest::Still(quest) => found(quest, &settings, shown),
        AnyQuest::Moving(quest) => found(quest, &settings, shown),
    }
}

/// A room with walls at these cells, never where one begins or ends.
fn room(walls: &[(u32, u32)], more: &str) -> Scenario {
    let rows = (0..ROOM.1).map(|y| {
        let row = (0..ROOM.0).map(|x| {
            let is_end = (x, y) == (0, 0) || (x, y) == (ROOM.0 - 1, ROOM.1 - 1);
            if walls.contains(&(x, y)) && !is_end {
                '#'
            } else {
                '.'
            }
        });
        row.collect::<String>()
    });
    let rows = rows.collect::<Vec<_>>().join("\", \"");
    let text = format!(
        "format = 1\nstart = [0, 0]\ngoal = {{ within = {{ at = [{}, {}], radius = 0.0 }} }}\n\
         map = {{ rows = [\"{rows}\"] }}\n{more}",
        ROOM.0 - 1,
        ROOM.1 - 1
    );
    Scenario::parse(&text).unwrap_or_else(|error| panic!("{error}"))
}

const ROOM: (u32, u32) = (14, 10);

fn drawn(points: &[(f64, f64)]) -> Vec<Demonstration> {
    let places = points.iter().map(|(x, y)| Place::flat(*x, *y));
    vec![Demonstration::drawn("shown", places, 1.0)]
}

#[test]
fn along_a_sparse_line_fewer_states_are_expanded() {
    let scenario = room(&[], "");
    let shown = drawn(&[(0.0, 0.0), (0.0, 9.0), (7.0, 9.0), (13.0, 9.0)]);
    let [connected, projected] = [ExperienceMode::Connect, ExperienceMode::ProjectNodes]
        .map(|mode| planned(&scenario, mode, [1.0, 10.0], &shown));
    // Three ways, and nothing else.
    assert_eq!(connected.1, 3, "{connected:?} {projected:?}");
    assert!(connected.1 < projected.1, "{connected:?} {projected:?}");
}

#[test]
fn where_a_door_is_shut_a_way_is_not_gone_at_once() {
    let wall: Vec<(u32, u32)> = (0..ROOM.1).filter(|y| *y != 4).map(|y| (6, y)).collect();
    let scenario = room(
        &wall,
        "key = [{ id = 'red', at = [2, 8], opens = ['gate'] }]\ndoor = [{ id = 'gate', at = [[6, 4]] }]",
    );
    let shown = drawn(&[(0.0, 0.0), (3.0, 4.0), (9.0, 4.0), (13.0, 9.0)]);
    let best = planned(&scenario, ExperienceMode::HeuristicOnly, [1.0, 1.0], &shown);
    let connected = planned(&scenario, ExperienceMode::Connect, [1.0, 10.0], &shown);
    let most = 10.0 * best.0.as_seconds();
    assert!(connected.0.as_seconds() <= most, "{connected:?} {best:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn the_best_costs_the_same_and_bounds_hold(
        walls in proptest::collection::vec((0..ROOM.0, 0..ROOM.1), 0..30),
        points in proptest::collection::vec((0.0..14.0f64, 0.0..10.0f64), 2..7),
        w in 1.0..4.0f64,
        epsilon in 1.0..8.0f64,
    ) {
        let scenario = room(&walls, "");
        let shown = drawn(&points);
        let there_is_a_way = matches!(
            scenario.quest_with(Abilities::default()),
            AnyQuest::Still(quest) if apprentice_search::astar(&quest, apprentice_search::Blind).is_some()
        );
        prop_assume!(there_is_a_way);
        let best = planned(&scenario, ExperienceMode::HeuristicOnly, [1.0, 1.0], &shown);
        let same = planned(&scenario, ExperienceMode::Connect, [1.0, 1.0], &shown);
        prop_assert_eq!(best.0, same.0);
        let dear = planned(&scenario, ExperienceMode::Connect, [w, epsilon], &shown);
        prop_assert!(dear.0.as_seconds() <= best.0.as_seconds() * w * epsilon * (1.0 + 1e-9));
    }
}
