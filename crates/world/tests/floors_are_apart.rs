//! Where floors lie above each other, nothing is achieved, fetched, shut or hidden on the wrong one.
#![cfg(feature = "obj")]

use std::time::Duration;

use apprentice_experience::Place;
use apprentice_game::Ground;
use apprentice_search::{BestFirst, Budget, Heuristic, Problem, Search, Status};
use apprentice_world::{
    Abilities, AgentId, Goal, Mode, Observation, Order, Orders, Point, Quest, QuestProblem,
    Scenario, ScenarioError, ShortestPath, StraightLine, World, verify,
};

/// A yard of 20 by 8 metres. A ramp leads from its western end up to a bridge of three metres above
/// it, 16 metres long and two wide.
const YARD: &str = "\
v 0 0 0\nv 20 0 0\nv 20 0 8\nv 0 0 8
v 2 0 3\nv 2 0 5\nv 8 3 5\nv 8 3 3
v 18 3 3\nv 18 3 5
f 1 4 3 2
f 5 6 7 8
f 8 7 10 9
";

fn read(text: &str) -> Result<Scenario, ScenarioError> {
    let text = format!("format = 1\n{text}\n[map]\nfile = \"yard.obj\"\n");
    Scenario::parse_with(&text, |_| Ok(YARD.to_owned()))
}

fn scenario(text: &str) -> Scenario {
    read(text).unwrap_or_else(|error| panic!("{error}"))
}

/// The world after the best plan, if there is one, and the seconds it takes. Both estimates find
/// plans that cost the same, and neither says more than that at the beginning.
fn after_the_plan(scenario: &Scenario) -> Option<(World, f64)> {
    let world = World::new(scenario);
    let quest = QuestProblem::new(scenario, &world, scenario.goal(), Abilities::default());
    let mut straight = BestFirst::astar(StraightLine);
    let mut path = BestFirst::astar(ShortestPath::default());
    let status = straight.run(&quest, &mut Budget::units(500_000));
    assert_eq!(path.run(&quest, &mut Budget::units(500_000)), status);
    let (found, same) = match status {
        Status::Finished => (straight.path().unwrap(), path.path().unwrap()),
        Status::Unsolvable => return None,
        other => panic!("the budget is enough: {other:?}"),
    };
    assert_eq!(found.cost, same.cost);
    assert!(estimated(&quest) <= found.cost.as_seconds());
    let orders: Vec<Order> = found.steps.iter().map(|step| step.0).collect();
    let planning = scenario.for_planning();
    let lived = verify(&planning, quest.start_world(), &orders, scenario.goal());
    let steps = lived.expect("a plan is valid").steps;
    let end = steps.last().map_or(world, |step| step.world.clone());
    Some((end, found.cost.as_seconds()))
}

fn estimated(quest: &QuestProblem) -> f64 {
    let mut path = ShortestPath::default();
    assert!(path.prepare(quest, &mut Budget::unlimited()));
    path.estimate(quest, &quest.start()).as_seconds()
}

fn height(world: &World, scenario: &Scenario) -> f64 {
    let place = world.place(AgentId::NPC, scenario);
    scenario.map().height_of(place)
}

#[test]
fn a_goal_on_a_bridge_is_not_under_it() {
    let below = "start = [14, 4]\n";
    let here = scenario(&format!(
        "{below}goal = {{ within = {{ at = [14, 4], radius = 1.0 }} }}"
    ));
    let (world, seconds) = after_the_plan(&here).unwrap();
    assert_eq!(seconds, 0.0, "without a height the lowest floor is meant");
    assert!(height(&world, &here) < 0.5);

    let above = scenario(&format!(
        "{below}goal = {{ within = {{ at = [14, 4, 3], radius = 1.0 }} }}"
    ));
    let (world, seconds) = after_the_plan(&above).unwrap();
    assert!((height(&world, &above) - 3.0).abs() < 0.3);
    // Twelve metres back to the foot of the ramp and eleven along it, two a second.
    assert!(seconds > 10.0, "{seconds}");
    let start = World::new(&above);
    let quest = QuestProblem::new(&above, &start, above.goal(), Abilities::default());
    assert!(
        estimated(&quest) > 4.0,
        "the way up is part of the estimate, at top speed"
    );
}

#[test]
fn whoever_is_to_leave_the_bridge_may_stay_under_it() {
    let text = "start = [14, 4]\ngoal = { not = { within = { at = [14, 4, 3], radius = 5.0 } } }";
    let (_, seconds) = after_the_plan(&scenario(text)).unwrap();
    assert_eq!(seconds, 0.0);
}

#[test]
fn others_are_within_a_place_only_on_its_floor() {
    let text = "start = [1, 1]\n\
        goal = { agent_within = { agent = \"player\", at = [14, 4, 3], radius = 2.0 } }\n";
    for (at, is_met) in [("[14, 4]", false), ("[14, 4, 3]", true)] {
        let scenario = scenario(&format!("{text}player = {{ at = {at} }}\n"));
        let world = World::new(&scenario);
        assert_eq!(scenario.goal().is_met(&world.seen_in(&scenario)), is_met);
    }
}

#[test]
fn a_goal_made_by_a_program_may_be_on_any_floor() {
    let scenario = scenario("start = [14, 4, 3]\ngoal = { within = { at = [14, 4] } }");
    let world = World::new(&scenario);
    let goal = |height| Goal::Within {
        at: world.position(AgentId::NPC, &scenario),
        height,
        radius: 1.0,
    };
    for (height, is_met) in [(None, true), (Some(3.0), true), (Some(0.0), false)] {
        assert_eq!(goal(height).is_met(&world.seen_in(&scenario)), is_met);
    }
}

#[test]
fn things_on_a_bridge_are_out_of_reach_from_below() {
    for (thing, goal) in [
        ("[[item]]\nid = \"it\"", "holds"),
        ("[[lever]]\nid = \"it\"", "lever"),
    ] {
        let text =
            format!("start = [13, 4]\ngoal = {{ {goal} = \"it\" }}\n{thing}\nat = [14, 4, 3]\n");
        let scenario = scenario(&text);
        let (world, seconds) = after_the_plan(&scenario).unwrap();
        assert!((height(&world, &scenario) - 3.0).abs() < 0.3, "{goal}");
        assert!(seconds > 10.0, "{goal}: {seconds}");
    }
}

#[test]
fn what_is_shut_or_in_the_way_on_one_floor_is_not_on_another() {
    // Both fill the bridge's width.
    let door = "[[door]]\nid = \"gate\"\nat = [AT]\nradius = 1.0\n";
    let obstacle = "[[obstacle]]\nid = \"cart\"\npath = [AT]\nradius = 1.0\n";
    let across = "start = [9, 4, 3]\ngoal = { within = { at = [17, 4, 3], radius = 0.5 } }\n";
    for barrier in [door, obstacle] {
        let with = |at: &str| scenario(&format!("{across}{}", barrier.replace("AT", at)));
        let (_, free) = after_the_plan(&with("[13, 4, 0]")).unwrap();
        assert!(free < 4.0, "straight across, two metres a second: {free}");
        assert!(after_the_plan(&with("[13, 4, 3]")).is_none(), "{barrier}");
    }
}

#[test]
fn a_shut_door_hides_only_those_on_its_own_floor() {
    let text = "start = [9, 4, 3]\ngoal = { all = [] }\n\
        [[enemy]]\nid = \"bruno\"\nkind = \"bear\"\nat = [17, 4, 3]\n\
        [[door]]\nid = \"gate\"\nat = [AT]\nradius = 1.0\n";
    // Eight metres are within a bear's radius of ten, but not within the half of it that is left
    // when a door is between them.
    for (at, mode) in [("[13, 4, 0]", Mode::Pursue), ("[13, 4, 3]", Mode::Idle)] {
        let scenario = scenario(&text.replace("AT", at));
        let mut world = World::new(&scenario);
        let wait = Orders::new(Order::WAIT);
        world.advance(&scenario, &wait, Duration::from_millis(500), &mut ());
        assert_eq!(world.mode(AgentId::Enemy(0), &scenario), Some(mode), "{at}");
    }
}

#[test]
fn a_height_without_a_floor_is_a_mistake() {
    let goal = "goal = { within = { at = [14, 4] } }\n";
    for (text, message) in [
        (
            format!("start = [14, 4, 9]\n{goal}"),
            "line 2, column 9: the start is at (14, 4) and 9 high, where there is no floor; \
             the nearest one there is 3",
        ),
        (
            "start = [1, 1]\ngoal = { within = { at = [14, 7, 3] } }\n".to_owned(),
            "line 3, column 26: the goal is at (14, 7) and 3 high, where there is no floor; \
             the nearest one there is 0",
        ),
        (
            format!(
                "start = [1, 1]\n{goal}demonstration = [{{ points = [[1, 1], [14, 7, 3]] }}]\n"
            ),
            "line 4, column 38: the demonstration is at (14, 7) and 3 high, where there is no \
             floor; the nearest one there is 0",
        ),
        (
            format!("start = [1, 1]\n{goal}player = {{ at = [1, 2], route = [[14, 4, 9]] }}\n"),
            "line 4, column 34: the route is at (14, 4) and 9 high, where there is no floor; \
             the nearest one there is 3",
        ),
    ] {
        let error = read(&text).unwrap_err().to_string();
        assert!(error.starts_with(message), "{error}");
    }
}

#[test]
fn a_route_leads_to_the_floor_it_names() {
    // From the foot of the ramp, up and along the bridge, or past it on the ground.
    let text = "start = [1, 1]\ngoal = { all = [] }\n\
        player = { at = [1, 4], route = [[2, 4], ROUTE, [17, 4, HEIGHT]] }\n";
    for (route, height) in [("[9, 4, 3]", 3.0), ("[2, 1], [9, 1]", 0.0)] {
        let text = text.replace("ROUTE", route);
        let scenario = scenario(&text.replace("HEIGHT", &height.to_string()));
        let mut world = World::new(&scenario);
        let wait = Orders::new(Order::WAIT);
        world.advance(&scenario, &wait, Duration::from_secs(30), &mut ());
        let place = world.place(AgentId::PLAYER, &scenario);
        let spot = scenario.map().spot_of(place);
        assert!(
            spot.point().distance_to(Point::new(17.0, 4.0)) < 0.5,
            "{spot}"
        );
        assert!(
            (scenario.map().height_of(place) - height).abs() < 0.3,
            "{spot}"
        );
    }
}

#[test]
fn a_route_to_a_bridge_is_not_over_under_it() {
    let text = "start = [1, 1]\ngoal = { all = [] }\n\
        player = { at = [12, 4], route = [[14, 4, HEIGHT], [14, 6]] }\n";
    for (height, end) in [("0", 6.0), ("3", 4.0)] {
        let scenario = scenario(&text.replace("HEIGHT", height));
        let mut world = World::new(&scenario);
        let wait = Orders::new(Order::WAIT);
        world.advance(&scenario, &wait, Duration::from_secs(10), &mut ());
        let at = world.position(AgentId::PLAYER, &scenario);
        assert!(
            at.distance_to(Point::new(14.0, end)) < 0.5,
            "{height}: {at}"
        );
    }
}

#[test]
fn nobody_is_faster_than_the_map_says() {
    let goal = "start = [1, 1]\ngoal = { all = [] }\n";
    let link = "[[link]]\nfrom = [19, 4]\nto = [17, 4, 3]\n";
    for (falls, more) in [(0.0, ""), (0.0, link), (4.0, ""), (4.0, link)] {
        let text =
            format!("format = 1\n{goal}[map]\nfile = \"yard.obj\"\nfalls = {falls:?}\n{more}");
        let scenario = Scenario::parse_with(&text, |_| Ok(YARD.to_owned())).unwrap();
        let map = scenario.map();
        for speed in [1.0, 2.0, 4.0] {
            let fastest = map.speed_through_space(speed);
            assert!(fastest > speed, "the ramp is longer than it looks");
            let mut reached = 0.0f64;
            for place in 0..map.places() {
                for step in map.steps_from(place) {
                    let far = map.spot_of(place).distance_to(map.spot_of(step.place));
                    let seconds = step.cost(speed).as_seconds();
                    assert!(
                        far / seconds <= fastest,
                        "{far} in {seconds} s at {fastest}"
                    );
                    reached = reached.max(far / seconds);
                }
            }
            assert!(reached > fastest * 0.999_999, "{reached} of {fastest}");
        }
    }
}

#[test]
fn a_game_puts_somebody_on_the_floor_it_names() {
    let scenario = scenario(
        "start = [1, 1]\ngoal = { all = [] }\nenemy = [{ id = \"grey\", kind = \"wolf\", at = [19, 7] }]",
    );
    let middle = Point::new(14.0, 4.0);
    for agent in [AgentId::NPC, AgentId::Enemy(0)] {
        for (height, floor) in [(Some(3.0), 3.0), (Some(0.0), 0.0)] {
            let mut world = World::new(&scenario);
            world.observe(&scenario, Observation::Move(agent, middle, height));
            let place = world.place(agent, &scenario);
            let (at, high) = (
                scenario.map().point_of(place),
                scenario.map().height_of(place),
            );
            assert!(at.distance_to(middle) < 1.0, "{agent:?} {at}");
            assert!((high - floor).abs() < 0.5, "{agent:?} {high}");
        }
        let mut world = World::new(&scenario);
        let before = world.clone();
        world.observe(&scenario, Observation::Move(agent, middle, Some(9.0)));
        assert_eq!(world, before);
    }
}

#[test]
fn whoever_stands_on_a_place_enters_there() {
    let scenario = scenario("start = [1, 1]\ngoal = { within = { at = [19, 1], radius = 1.0 } }");
    let map = scenario.map();
    for place in (0..map.places()).filter(|place| map.is_walkable(*place)) {
        let at = Ground::at(map, place);
        let entrances = map.entrances(at);
        assert_eq!(entrances[0], Some((0.0, place)), "at {at}");
        assert_eq!(entrances[1], None, "at {at}");
        // Beside it there are several to choose from, the nearest first.
        let beside = Place {
            x: at.x + 0.1,
            ..at
        };
        let nearest = map.nearest_places(map.spot_at(beside));
        assert_eq!(map.entrances(beside), nearest);
        assert!(nearest[1].is_some());
    }
}
