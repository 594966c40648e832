//! Ids are numbers, and those of another level name nothing here: nothing is true of them, nothing
//! happens to them, and nobody panics.

use crate::dungeon::Inhabitants;
use apprentice_search::{BestFirst, Blind, Budget, Guarantee, Search, Status};
use apprentice_world::{
    Abilities, AgentId, AnyQuest, DoorId, Goal, GoalError, ItemId, LeverId, Map, Observation,
    Point, Quest, QuestProblem, Scenario, ShortestPath, StraightLine, Thing, World, rehearse,
    verify,
};

/// Ten doors, two items, no lever, no player.
fn level(more: &str) -> Scenario {
    let door = |number: usize| format!("{{ id = 'd{number}', at = [[{number}, 1]], open = true }}");
    let doors: Vec<String> = (0..10).map(door).collect();
    let text = format!(
        "format = 1\nstart = [0, 0]\ngoal = {{ holds = 'ring' }}
         map = {{ rows = ['..........', '..........'] }}\ndoor = [{}]
         item = [{{ id = 'ring', at = [3, 0] }}, {{ id = 'orb', at = [4, 0] }}]\n{more}",
        doors.join(", ")
    );
    Scenario::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

const WOLF: &str = "enemy = [{ id = 'grey', kind = 'wolf', at = [9, 0] }]";

fn agents() -> Vec<AgentId> {
    let actors = [1, 2, 7, 32, 255].map(AgentId::Actor);
    let enemies = [1, 3, 40, u16::MAX].map(AgentId::Enemy);
    actors.into_iter().chain(enemies).collect()
}

/// Goals about what the level does not have, each alone.
fn leaves() -> Vec<Goal> {
    let (at, radius) = (Point::new(0.0, 0.0), 100.0);
    let mut goals = Vec::new();
    for agent in agents() {
        goals.push(Goal::Dead(agent));
        goals.push(Goal::AgentWithin {
            agent,
            at,
            height: None,
            radius,
        });
    }
    for number in [10, 31, 32, 40, 255] {
        goals.push(Goal::Holds(ItemId::new(number)));
        goals.push(Goal::LeverOn(LeverId::new(number)));
        goals.push(Goal::DoorOpen(DoorId::new(number)));
    }
    goals
}

/// The same, alone and as parts of others.
fn goals() -> Vec<Goal> {
    let everywhere = Goal::Within {
        at: Point::new(0.0, 0.0),
        height: None,
        radius: 100.0,
    };
    let nowhere = Goal::Any(Vec::new());
    let around = |leaf: Goal| {
        [
            leaf.clone(),
            Goal::Not(Box::new(leaf.clone())),
            Goal::Any(vec![everywhere.clone(), leaf.clone()]),
            Goal::Not(Box::new(Goal::All(vec![nowhere.clone(), leaf]))),
        ]
    };
    leaves().into_iter().flat_map(around).collect()
}

fn find<Q: Quest>(quest: &Q) -> (Status, Guarantee) {
    let mut search = BestFirst::astar(ShortestPath::default());
    let status = search.run(quest, &mut Budget::unlimited());
    let mut straight = BestFirst::astar(StraightLine);
    assert_eq!(straight.run(quest, &mut Budget::unlimited()), status);
    let mut blind = BestFirst::astar(Blind);
    // Without an estimate it takes all states to find out.
    blind.run(quest, &mut Budget::units(50));
    assert!(blind.path().is_none());
    (status, search.guarantee())
}

#[test]
fn goals_about_them_are_never_met() {
    for scenario in [level(""), level(WOLF)] {
        let world = World::new(&scenario);
        for goal in goals() {
            assert!(
                matches!(goal.check(&scenario), Err(GoalError::Missing { .. })),
                "{goal:?}"
            );
            assert!(!goal.is_met(&world.seen_in(&scenario)), "{goal:?}");
            let found = match AnyQuest::new(&scenario, &world, &goal, Abilities::default()) {
                AnyQuest::Still(quest) => find(&quest),
                AnyQuest::Moving(quest) => find(&quest),
            };
            assert_eq!(
                found,
                (Status::Unsolvable, Guarantee::Impossible),
                "{goal:?}"
            );
            let quest = QuestProblem::new(&scenario, &world, &goal, Abilities::default());
            assert_eq!(find(&quest).0, Status::Unsolvable, "{goal:?}");
            assert!(!goal.is_met(&quest.view(&apprentice_search::Problem::start(&quest))));
            assert!(verify(&scenario, &world, &[], &goal).is_err());
            let tick = std::time::Duration::from_millis(16);
            assert!(rehearse(&scenario, &world, &[], &goal, tick).is_err());
        }
    }
}

#[test]
fn numbers_that_are_none_are_refused() {
    let scenario = level("");
    let world = World::new(&scenario);
    let nan = f64::NAN;
    for (x, height, radius, what) in [
        (nan, None, 1.0, "x"),
        (0.0, Some(nan), 1.0, "height"),
        (0.0, None, nan, "radius"),
        (0.0, None, -1.0, "radius"),
    ] {
        let at = Point::new(x, 0.0);
        let goal = Goal::Within { at, height, radius };
        let error = goal.check(&scenario).unwrap_err();
        assert!(
            matches!(error, GoalError::Number { what: found, .. } if found == what),
            "{error}"
        );
        let AnyQuest::Still(quest) = AnyQuest::new(&scenario, &world, &goal, Abilities::default())
        else {
            panic!("nothing moves here")
        };
        assert_eq!(find(&quest).0, Status::Unsolvable, "{goal:?}");
    }
}

#[test]
fn goals_of_the_level_pass_their_check() {
    for seed in 0..100 {
        let (text, scenario) = crate::dungeon::random(seed, Inhabitants::Moving);
        assert_eq!(scenario.goal().check(&scenario), Ok(()), "{text}");
    }
}

#[test]
fn nothing_is_true_of_them() {
    for scenario in [level(""), level(WOLF)] {
        let world = World::new(&scenario);
        for agent in agents() {
            assert!(!scenario.has(Thing::Agent(agent)));
            assert!(world.position(agent, &scenario).x.is_nan(), "{agent:?}");
            assert!(scenario.position_of(Thing::Agent(agent)).x.is_nan());
            assert_eq!(world.place(agent, &scenario), Map::NO_PLACE);
            assert_eq!(scenario.place_of(Thing::Agent(agent)), Map::NO_PLACE);
            assert_eq!(scenario.id_of(Thing::Agent(agent)), "");
            assert!(world.health(agent, &scenario).is_nan());
            assert!(!world.is_dead(agent, &scenario) && !world.is_under_way(agent));
            assert_eq!(world.mode(agent, &scenario), None);
            assert_eq!(world.target(agent, &scenario), None);
            assert_eq!(world.stance(agent), None);
            assert_eq!(world.holding(agent).count(), 0);
            assert!(!world.holds(agent, ItemId::new(0)));
            let mut enemies = scenario.enemies().iter();
            assert!(!enemies.any(|enemy| enemy.ignores(agent)));
        }
        for number in [10, 32, 40, 64, 255] {
            let (item, door, lever) = (
                ItemId::new(number),
                DoorId::new(number),
                LeverId::new(number),
            );
            assert!(
                !world.holds(AgentId::NPC, item) && !world.is_open(door) && !world.is_on(lever)
            );
            assert!(scenario.places_at_hand(item).is_empty());
            assert!(scenario.places_at_lever(lever).is_empty());
            assert_eq!(
                scenario.keys_of(door).count() + scenario.levers_of(door).count(),
                0
            );
            for thing in [Thing::Item(item), Thing::Door(door), Thing::Lever(lever)] {
                assert_eq!(
                    (scenario.id_of(thing), scenario.place_of(thing)),
                    ("", Map::NO_PLACE)
                );
                assert!(scenario.position_of(thing).x.is_nan());
            }
        }
        assert!(!world.is_lying(ItemId::new(32)));
    }
}

#[test]
fn nothing_happens_to_them() {
    let scenario = level(WOLF);
    let mut world = World::new(&scenario);
    let before = world.clone();
    for number in [10, 31, 32, 40, 64, 255] {
        let (item, door, lever) = (
            ItemId::new(number),
            DoorId::new(number),
            LeverId::new(number),
        );
        for disturbance in [
            Observation::Open(door),
            Observation::Shut(door),
            Observation::Remove(item),
            Observation::Return(item),
            Observation::Give(AgentId::NPC, item),
            Observation::Pulled(lever, true),
            Observation::Pulled(lever, false),
        ] {
            world.observe(&scenario, disturbance);
            assert_eq!(world, before, "{disturbance:?}");
        }
    }
    for agent in agents() {
        for disturbance in [
            Observation::Move(agent, Point::new(5.0, 0.0), None),
            Observation::Health(agent, 1.0),
            Observation::Give(agent, ItemId::new(0)),
        ] {
            world.observe(&scenario, disturbance);
            assert_eq!(world, before, "{disturbance:?}");
        }
    }
    // A point that is none is no place either.
    world.observe(
        &scenario,
        Observation::Move(AgentId::NPC, Point::NOWHERE, None),
    );
    assert_eq!(world, before);
}
