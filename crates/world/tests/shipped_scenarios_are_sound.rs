//! Every shipped scenario is what it claims to be: solvable, its needs necessary, its items within
//! reach before they are needed, and as hard as it was when it was last looked at.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::{Mutex, PoisonError};

use apprentice_search::{BestFirst, Budget, Problem, Search, Statistics, Status, Weight};
use apprentice_world::{
    Abilities, AgentId, AnyQuest, Branching, Drawn, Gait, Goal, Order, Point, Quest, Scenario,
    ShortestPath, Spot, StillQuest, StraightLine, Thing, World, verify,
};

fn shipped() -> Vec<(String, Scenario)> {
    let files = crate::golden::files("scenarios", "toml");
    let read = |path: &std::path::PathBuf| {
        let name = crate::golden::stem(path);
        let beside = |name: &str| Ok(crate::golden::read(&path.with_file_name(name)));
        let scenario = Scenario::parse_with(&crate::golden::read(path), beside);
        (
            name.clone(),
            scenario.unwrap_or_else(|error| panic!("{name}: {error}")),
        )
    };
    files.iter().map(read).collect()
}

/// Those whose best plan A* finds in a test: instead of the shared cave, in which a hunt can go on in too
/// many ways, one in which the bear is lured.
fn within_reach_of_astar() -> Vec<(String, Scenario)> {
    let mut all = shipped();
    all.retain(|(name, _)| name != SHARED_CAVE);
    let path = crate::golden::root().join("testdata/scenarios/lured_bear.toml");
    let beside = |name: &str| Ok(crate::golden::read(&path.with_file_name(name)));
    let lured = Scenario::parse_with(&crate::golden::read(&path), beside);
    let lured = lured.unwrap_or_else(|error| panic!("{error}"));
    all.push(("lured_bear".to_owned(), lured));
    all
}

const SHARED_CAVE: &str = "coop_cave";

fn scenario(name: &str) -> Scenario {
    let found = shipped().into_iter().find(|(other, _)| other == name);
    found.unwrap_or_else(|| panic!("there is no {name}")).1
}

#[derive(Clone)]
struct Outcome {
    status: Status,
    statistics: Statistics,
    cost: f64,
    orders: Vec<Order>,
}

/// Several tests look at the same plans, and some take a while to be found.
fn solve(scenario: &Scenario, along_ways: bool) -> Outcome {
    type Known = BTreeMap<(u64, bool), Outcome>;
    static KNOWN: Mutex<Known> = Mutex::new(Known::new());
    let key = (scenario.digest(), along_ways);
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    known
        .entry(key)
        .or_insert_with(|| work_out(scenario, along_ways))
        .clone()
}

fn work_out(scenario: &Scenario, along_ways: bool) -> Outcome {
    fn run<Q: Quest>(quest: &Q, along_ways: bool) -> Outcome {
        let weight = Weight::new(10.0).expect("a weight");
        let is_shared = quest.scenario().name() == "Two in the cave";
        let mut search: Box<dyn Search<Q>> = if is_shared {
            Box::new(BestFirst::weighted_astar(StraightLine, weight))
        } else if along_ways {
            Box::new(BestFirst::astar(ShortestPath::default()))
        } else {
            Box::new(BestFirst::astar(StraightLine))
        };
        let status = search.run(quest, &mut Budget::units(30_000_000));
        let path = search.path();
        Outcome {
            status,
            statistics: search.statistics().clone(),
            cost: path
                .as_ref()
                .map_or(f64::INFINITY, |path| path.cost.as_seconds()),
            orders: path.map_or_else(Vec::new, |path| path.actions().copied().collect()),
        }
    }
    match scenario.quest() {
        AnyQuest::Still(quest) => run(&quest, along_ways),
        AnyQuest::Moving(quest) => run(&quest, along_ways),
    }
}

#[test]
fn all_of_them_are_there() {
    let names: Vec<String> = shipped().into_iter().map(|(name, _)| name).collect();
    for name in [
        "bear_bypass",
        "bear_lever",
        "cave_left",
        "cave_offgraph",
        "coop_cave",
        "empty_tutorial",
        "far_demo",
        "grotto",
        "k1d1_close",
        "k1d1_exact",
        "k1d1_far",
        "k5d1",
        "k5d5",
        "multi_demo",
        "quest_compound",
        "quest_key",
        "quest_shield",
    ] {
        assert!(names.iter().any(|other| other == name), "{name} is missing");
    }
}

#[test]
fn each_is_as_solvable_as_it_claims_and_its_plan_works() {
    for (name, scenario) in shipped() {
        let outcome = solve(&scenario, false);
        assert_eq!(
            outcome.status == Status::Finished,
            scenario.claims_solvable(),
            "{name}"
        );
        let planning = scenario.for_planning();
        // With the margins, and without them.
        for scenario in [&planning, &scenario] {
            let lived = verify(
                scenario,
                &World::new(scenario),
                &outcome.orders,
                scenario.goal(),
            );
            lived.unwrap_or_else(|invalid| panic!("{name}: {invalid}"));
        }
    }
}

#[test]
fn what_is_needed_is_necessary() {
    let mut needs = 0;
    for (name, scenario) in shipped() {
        for item in scenario.needs() {
            let without = solve(&scenario.without(*item), false);
            let id = scenario.id_of(Thing::Item(*item));
            assert_eq!(without.status, Status::Unsolvable, "{name} without {id}");
            needs += 1;
        }
    }
    assert_eq!(
        needs,
        1 + 1 + 1 + 2 + 3 + 5,
        "as many needs as the scenarios name"
    );
}

#[test]
fn what_is_needed_is_within_reach_before_it_is_needed() {
    for (name, scenario) in shipped() {
        for item in scenario.needs() {
            let goal = Goal::Holds(*item);
            let world = World::new(&scenario);
            let AnyQuest::Still(quest) =
                AnyQuest::new(&scenario, &world, &goal, Abilities::default())
            else {
                panic!("{name} names needs, and nothing moves there");
            };
            let path = apprentice_search::astar(&quest, ShortestPath::default());
            assert!(
                path.is_some(),
                "{name}: {} cannot be got",
                scenario.id_of(Thing::Item(*item))
            );
        }
    }
}

#[test]
fn the_compound_quest_without_its_shield_is_exhausted_after_14256_states() {
    let compound = scenario("quest_compound");
    let Some(Thing::Item(shield)) = compound.thing("shield") else {
        panic!("it has a shield")
    };
    let outcome = solve(&compound.without(shield), false);
    assert_eq!(outcome.status, Status::Unsolvable);
    assert_eq!(outcome.statistics.states, 14_256);
}

#[test]
fn both_items_are_picked_up_before_guard_and_door_are_passed() {
    let compound = scenario("quest_compound");
    let orders = solve(&compound, false).orders;
    let lived = verify(&compound, &World::new(&compound), &orders, compound.goal()).unwrap();
    let first = |wanted: &dyn Fn(Point, usize) -> bool| {
        lived
            .steps
            .iter()
            .position(|step| wanted(step.at, step.holding.len()))
            .unwrap()
    };
    let both_held = first(&|_, held| held == 2);
    assert!(both_held < first(&|cell, _| cell == Point::new(25.0, 24.0)));
    assert!(both_held < first(&|cell, _| cell == Point::new(36.0, 42.0)));
}

#[test]
fn the_way_round_the_bear_is_out_of_its_hearing() {
    let bypass = scenario("bear_bypass");
    let orders = solve(&bypass, false).orders;
    let lived = verify(&bypass, &World::new(&bypass), &orders, bypass.goal()).unwrap();
    assert!(lived.steps.iter().all(|step| step.events.is_empty()));
    assert!(
        lived.steps.iter().any(|step| step.at.y == 13.0),
        "it goes through the corridor"
    );
}

#[test]
fn the_lever_is_pulled_beside_a_bear_that_notices_nothing() {
    let lever = scenario("bear_lever");
    let orders = solve(&lever, false).orders;
    let lived = verify(&lever, &World::new(&lever), &orders, lever.goal()).unwrap();
    assert_eq!(
        lived
            .steps
            .last()
            .unwrap()
            .world
            .health(AgentId::NPC, &lever),
        100.0
    );
    let Some(Thing::Lever(handle)) = lever.thing("lever") else {
        panic!("it has a lever")
    };
    assert!(lived.steps.last().unwrap().world.is_on(handle));
}

#[test]
fn demonstrations_have_points_and_those_of_the_quests_begin_at_the_start() {
    for (name, scenario) in shipped() {
        assert!(!scenario.demonstrations().is_empty(), "{name}");
        for demonstration in scenario.demonstrations() {
            let Drawn::Points(points) = demonstration else {
                panic!("{name}: they are drawn")
            };
            assert!(points.len() >= 2, "{name}");
            if name.starts_with("quest_") || name.starts_with('k') {
                assert_eq!(points[0].point(), scenario.actors()[0].start, "{name}");
            }
        }
    }
}

#[test]
fn astar_works_as_hard_as_it_did() {
    let mut table = String::from("scenario estimate expansions states cost\n");
    for (name, scenario) in within_reach_of_astar() {
        for (kind, along_ways) in [("straight", false), ("path", true)] {
            let outcome = solve(&scenario, along_ways);
            let Statistics {
                expanded, states, ..
            } = outcome.statistics;
            writeln!(
                table,
                "{name} {kind} {expanded} {states} {:.9}",
                outcome.cost
            )
            .unwrap();
        }
    }
    crate::golden::check("world/astar.txt", &table);
}

#[test]
fn a_state_of_a_still_quest_takes_at_most_64_bytes() {
    // What a search keeps for a state: cost, parent and stamp, the key, the state, the action, a
    // place in the open list and one in the table of numbers.
    let bookkeeping = 16 + 24 + 4;
    let state = size_of::<<StillQuest as Problem>::State>();
    let key = size_of::<<StillQuest as Problem>::Key>();
    let action = size_of::<Option<<StillQuest as Problem>::Action>>();
    assert!(bookkeeping + state + key + action <= 64);
    let mut still = 0;
    for (name, scenario) in shipped() {
        if matches!(scenario.quest(), AnyQuest::Still(_)) {
            let bytes = solve(&scenario, false).statistics.bytes_per_state();
            assert!(bytes <= 64.0, "{name} needs {bytes} bytes a state");
            still += 1;
        }
    }
    assert!(still >= 10, "only {still} quests in which nothing moves");
}

#[test]
fn the_shipped_quests_are_still_and_numbered() {
    for (name, scenario) in shipped() {
        let moves = ["bear_bypass", "bear_lever", "multi_demo"].contains(&name.as_str())
            || scenario.map().mesh().is_some();
        for branching in [Branching::Sixteen, Branching::TwoHundredFiftySix] {
            match scenario.quest_with(Abilities {
                branching,
                ..Abilities::default()
            }) {
                AnyQuest::Still(quest) => {
                    assert!(!moves, "{name}");
                    assert!(quest.index(&quest.key(&quest.start())).is_some(), "{name}");
                }
                AnyQuest::Moving(_) => assert!(moves, "{name}"),
            }
        }
    }
}

#[test]
fn random_items_are_west_of_the_wall_and_the_quest_stays_solvable() {
    let compound = scenario("quest_compound");
    let mut places = std::collections::HashSet::new();
    for seed in 0..30 {
        let random = compound.with_random_items(seed);
        assert_ne!(random.digest(), compound.digest());
        for item in random.items() {
            assert!(item.at.x < 24.0, "{} is at {}", item.id, item.at);
            places.insert((item.at.x as i64, item.at.y as i64));
        }
        assert_eq!(
            solve(&random, false).status,
            Status::Finished,
            "seed {seed}"
        );
    }
    assert!(places.len() > 40, "only {} different places", places.len());
}

/// Where a demonstration's points are: on the floor of a cave, or in its rock.
fn on_the_floor(scenario: &Scenario) -> Vec<bool> {
    let Drawn::Points(points) = &scenario.demonstrations()[0] else {
        panic!("it is drawn")
    };
    let map = scenario.map();
    let is_near = |at: &Spot| {
        let nearest = map.nearest_places::<1>(*at)[0];
        nearest.is_some_and(|(distance, _)| distance <= map.spacing())
    };
    points.iter().map(is_near).collect()
}

#[test]
fn caves_are_meshes_and_their_demonstrations_lie_where_they_should() {
    for name in ["grotto", "cave_left", "coop_cave"] {
        let cave = scenario(name);
        assert!(cave.map().mesh().is_some(), "{name}");
        assert!(on_the_floor(&cave).into_iter().all(|on| on), "{name}");
    }
    let elsewhere = on_the_floor(&scenario("cave_offgraph"));
    let in_the_rock = elsewhere.iter().filter(|on| !**on).count();
    assert!(
        in_the_rock * 10 >= elsewhere.len() * 6,
        "{in_the_rock} of {}",
        elsewhere.len()
    );
}

#[test]
fn the_short_way_sneaks_past_the_den_and_the_long_one_is_out_of_hearing() {
    let cave = scenario("cave_left");
    let orders = solve(&cave, true).orders;
    assert!(
        orders
            .iter()
            .any(|order| order.stance().gait() == Gait::Sneak)
    );
    let Drawn::Points(points) = &cave.demonstrations()[0] else {
        panic!("it is drawn")
    };
    let bear = cave.enemies()[0].home;
    assert!(points.iter().all(|at| at.point().distance_to(bear) > 15.0));
}

#[test]
fn the_grotto_is_half_a_kilometre_long_and_six_others_live_in_the_shared_cave() {
    let grotto = solve(&scenario("grotto"), true);
    assert!(
        grotto.cost * 2.0 > 450.0,
        "{} s at two metres a second",
        grotto.cost
    );
    let coop = scenario("coop_cave");
    assert_eq!(coop.enemies().len() + coop.actors().len() - 1, 6);
    let bytes = solve(&coop, true).statistics.bytes_per_state();
    assert!(bytes <= 256.0, "{bytes} bytes a state");
}
