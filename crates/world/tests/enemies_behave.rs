//! The kinds of enemies are what their descriptions say: who is beaten by whom, and who hears what.

use std::time::Duration;

use apprentice_search::{BestFirst, Budget, Search, Status, astar};
use apprentice_world::{
    Abilities, AgentId, Direction, Event, Gait, Goal, Margins, Mode, Order, Orders, Point, Quest,
    QuestProblem, Scenario, Stance, StraightLine, World,
};

const FIGHT: Order = Order::Wait(Stance::new(Gait::Walk).fighting());
const BEAST: AgentId = AgentId::Enemy(0);

/// A hall of 40 by 21 cells with somebody hostile in it.
fn hall(kind: &str, npc: [u16; 2], beast: [u16; 2], more: &str) -> Scenario {
    let rows = vec![".".repeat(40); 21].join("\", \"");
    let text = format!(
        "format = 1\nstart = {npc:?}\ngoal = {{ dead = \"beast\" }}\nmap = {{ rows = [\"{rows}\"] }}\n\
         enemy = [{{ id = \"beast\", kind = \"{kind}\", at = {beast:?} }}]\n{more}"
    );
    Scenario::parse(&text).unwrap_or_else(|error| panic!("{error}"))
}

/// Fights until one of the two is dead. Returns the health that is left of the agent.
fn duel(scenario: &Scenario) -> f64 {
    let mut world = World::new(scenario);
    for _ in 0..600 {
        world.advance(
            scenario,
            &Orders::new(FIGHT),
            Duration::from_millis(100),
            &mut (),
        );
        if world.is_dead(AgentId::NPC, scenario) || world.is_dead(BEAST, scenario) {
            return world.health(AgentId::NPC, scenario);
        }
    }
    panic!("nobody won within a minute");
}

#[test]
fn a_wolf_is_easy_to_beat() {
    assert_eq!(duel(&hall("wolf", [5, 5], [6, 5], "")), 80.0);
}

#[test]
fn a_superwolf_is_not() {
    assert_eq!(duel(&hall("superwolf", [5, 5], [6, 5], "")), 0.0);
}

#[test]
fn a_bear_costs_64_and_with_margins_96() {
    let scenario = hall("bear", [5, 5], [6, 5], "");
    assert_eq!(duel(&scenario), 36.0);
    assert_eq!(duel(&scenario.for_planning()), 4.0);
}

#[test]
fn an_enemy_is_after_somebody_as_long_as_it_lives() {
    let scenario = hall("wolf", [5, 5], [6, 5], "");
    let mut world = World::new(&scenario);
    let tick = Duration::from_millis(100);
    let mut hunted = 0;
    while !world.is_dead(BEAST, &scenario) {
        hunted += u32::from(world.target(BEAST, &scenario) == Some(AgentId::NPC));
        world.advance(&scenario, &Orders::new(FIGHT), tick, &mut ());
    }
    assert!(hunted > 10, "{hunted} ticks");
    assert_eq!(world.target(BEAST, &scenario), None);
    assert_eq!(world.mode(BEAST, &scenario), Some(Mode::Attack));
}

#[test]
fn nobody_beats_a_killer_bear_alone() {
    let scenario = hall("killer_bear", [5, 5], [6, 5], "");
    assert_eq!(duel(&scenario), 0.0);
    let mut events = Vec::new();
    let mut world = World::new(&scenario);
    world.advance(
        &scenario,
        &Orders::new(FIGHT),
        Duration::from_secs(9),
        &mut events,
    );
    assert!(
        !events
            .iter()
            .any(|event| matches!(event, Event::Hurt { agent: BEAST, .. }))
    );
}

#[test]
fn two_together_beat_a_killer_bear_and_live() {
    let scenario = hall("killer_bear", [5, 5], [6, 5], "player = { at = [7, 5] }");
    for scenario in [scenario.for_planning(), scenario] {
        let mut world = World::new(&scenario);
        world.advance(
            &scenario,
            &Orders::new(FIGHT),
            Duration::from_secs(10),
            &mut (),
        );
        assert!(world.is_dead(BEAST, &scenario));
        assert!(!world.is_dead(AgentId::NPC, &scenario));
        assert!(!world.is_dead(AgentId::PLAYER, &scenario));
    }
}

#[test]
fn walking_away_is_no_defence() {
    let scenario = hall("wolf", [10, 10], [9, 10], "");
    let mut world = World::new(&scenario);
    let mut events = Vec::new();
    let east = Orders::new(Order::Step(Direction::East, Stance::new(Gait::Walk)));
    world.advance(&scenario, &east, Duration::from_secs(8), &mut events);
    let blows = events
        .iter()
        .filter(|event| matches!(event, Event::Hurt { .. }))
        .count();
    assert_eq!(blows, 8);
}

/// Passes a beast at a distance, from west to east. Returns whether it was noticed.
fn passes_unnoticed(kind: &str, distance: u16, gait: Gait) -> bool {
    let scenario = hall(kind, [0, 10], [20, 10 - distance], "");
    let mut world = World::new(&scenario);
    let mut events = Vec::new();
    let east = Orders::new(Order::Step(Direction::East, Stance::new(gait)));
    world.advance(&scenario, &east, Duration::from_secs(80), &mut events);
    let noticed = events
        .iter()
        .any(|event| matches!(event, Event::NoticedBy { .. }));
    let hurt = events
        .iter()
        .any(|event| matches!(event, Event::Hurt { .. }));
    assert_eq!(
        noticed, hurt,
        "in an open hall whoever is noticed is caught"
    );
    !noticed
}

#[test]
fn who_sneaks_three_cells_away_passes_a_superwolf_and_who_walks_five_away_does_not() {
    assert!(passes_unnoticed("superwolf", 3, Gait::Sneak));
    assert!(!passes_unnoticed("superwolf", 2, Gait::Sneak));
    assert!(!passes_unnoticed("superwolf", 5, Gait::Walk));
    assert!(passes_unnoticed("superwolf", 9, Gait::Walk));
}

#[test]
fn whoever_is_undetectable_passes_everybody() {
    let scenario = hall("wolf", [10, 10], [12, 10], "undetectable_by = [\"wolf\"]");
    let mut world = World::new(&scenario);
    let mut events = Vec::new();
    let east = Orders::new(Order::Step(Direction::East, Stance::new(Gait::Walk)));
    world.advance(&scenario, &east, Duration::from_secs(10), &mut events);
    assert_eq!(events, []);
}

/// Beside a guard, in a level where nobody moves and in one where somebody does.
#[test]
fn a_guard_strikes_nobody_it_does_not_notice() {
    for others in ["", "{ id = \"grey\", kind = \"wolf\", at = [60, 0] }"] {
        let level = |hidden: &str, of_the_player: &str| {
            let corridor = ".".repeat(61);
            let text = format!(
                "format = 1\nstart = [0, 0]\ngoal = {{ within = {{ at = [8, 0], radius = 0.0 }} }}\n{hidden}\n\
                 map = {{ rows = [\"{corridor}\", \"{corridor}\"] }}\n\
                 enemy = [{{ id = \"sentry\", kind = \"guard\", at = [4, 1] }}, {others}]\n\
                 [player]\nat = [0, 1]\nroute = [[8, 1]]\n{of_the_player}\n"
            );
            Scenario::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
        };
        let healths = |scenario: &Scenario| {
            let mut world = World::new(scenario);
            let east = Orders::new(Order::Step(Direction::East, Stance::new(Gait::Walk)));
            world.advance(scenario, &east, Duration::from_secs(9), &mut ());
            [AgentId::NPC, AgentId::PLAYER].map(|agent| world.health(agent, scenario))
        };
        let by = [
            "undetectable_by = [\"guard\"]",
            "undetectable_by = [\"sentry\"]",
        ];
        assert_eq!(healths(&level("", "")), [0.0, 0.0]);
        for by in by {
            assert_eq!(healths(&level(by, "")), [100.0, 0.0], "{by}");
            assert_eq!(healths(&level("", by)), [0.0, 100.0], "{by}");
            assert_eq!(healths(&level(by, by)), [100.0, 100.0], "{by}");
        }
    }
}

#[test]
fn an_enemy_gives_up_at_its_leash_and_goes_home() {
    let scenario = hall("wolf", [6, 10], [1, 10], "[rules]\nwalk = 5.0\n");
    let mut world = World::new(&scenario);
    let mut modes = Vec::new();
    let east = Orders::new(Order::Step(Direction::East, Stance::new(Gait::Walk)));
    for _ in 0..400 {
        world.advance(&scenario, &east, Duration::from_millis(100), &mut ());
        let mode = world.mode(BEAST, &scenario).unwrap();
        if modes.last() != Some(&mode) {
            modes.push(mode);
        }
    }
    assert_eq!(modes, [Mode::Pursue, Mode::Return, Mode::Idle]);
    assert_eq!(world.position(BEAST, &scenario), Point::new(1.0, 10.0));
}

#[test]
fn an_enemy_finds_its_way_home_round_a_wall() {
    let scenario = Scenario::parse(
        r##"
        format = 1
        start = [8, 0]
        goal = { dead = "grey" }
        enemy = [{ id = "grey", kind = "hound", at = [2, 3] }]

        [map]
        rows = [
            "...........",
            "....#......",
            ".####......",
            "....#......",
            "...........",
        ]

        [kinds.hound]
        like = "wolf"
        memory = 0.5
        leash = 9.0
        "##,
    )
    .unwrap();
    let mut world = World::new(&scenario);
    let east = Orders::new(Order::Step(Direction::East, Stance::new(Gait::Sneak)));
    world.advance(&scenario, &east, Duration::from_secs(60), &mut ());
    assert_eq!(world.mode(BEAST, &scenario), Some(Mode::Idle));
    assert_eq!(world.position(BEAST, &scenario), Point::new(2.0, 3.0));
}

#[test]
fn walls_muffle_where_line_of_sight_counts() {
    for (line_of_sight, noticed) in [(false, true), (true, false)] {
        let scenario = Scenario::parse(&format!(
            "format = 1\nstart = [0, 0]\ngoal = {{ dead = \"grey\" }}\n\
             map = {{ rows = [\"...#...\", \"...#...\", \".......\"] }}\n\
             enemy = [{{ id = \"grey\", kind = \"wolf\", at = [6, 0] }}]\n\
             [rules]\nline_of_sight = {line_of_sight}\n"
        ))
        .unwrap();
        let mut world = World::new(&scenario);
        world.advance(
            &scenario,
            &Orders::new(Order::WAIT),
            Duration::from_millis(100),
            &mut (),
        );
        assert_eq!(world.mode(BEAST, &scenario) == Some(Mode::Pursue), noticed);
    }
}

#[test]
fn blocking_halves_damage_and_a_shield_halves_it_again() {
    let after_one_blow = |order: Order, more: &str| {
        let scenario = hall("superwolf", [5, 5], [6, 5], more);
        let mut world = World::new(&scenario);
        world.advance(
            &scenario,
            &Orders::new(order),
            Duration::from_millis(100),
            &mut (),
        );
        world.health(AgentId::NPC, &scenario)
    };
    let block = Order::Wait(Stance::new(Gait::Walk).fighting().blocking());
    let shield = "shield = [{ id = \"round\", at = [5, 5] }]";
    assert_eq!(after_one_blow(FIGHT, ""), 80.0);
    assert_eq!(after_one_blow(block, ""), 90.0);
    assert_eq!(after_one_blow(FIGHT, shield), 90.0);
    assert_eq!(after_one_blow(block, shield), 95.0);
}

#[test]
fn who_blocks_or_is_unwilling_does_not_strike() {
    for stance in [
        Stance::new(Gait::Walk),
        Stance::new(Gait::Walk).fighting().blocking(),
    ] {
        let scenario = hall("wolf", [5, 5], [6, 5], "");
        let mut world = World::new(&scenario);
        world.advance(
            &scenario,
            &Orders::new(Order::Wait(stance)),
            Duration::from_secs(5),
            &mut (),
        );
        assert_eq!(world.health(BEAST, &scenario), 40.0);
    }
}

#[test]
fn splash_damage_hurts_whoever_stands_near() {
    let hurt = |splash: f64| {
        let more = format!(
            "player = {{ at = [4, 5], fights = false }}\nkinds.ogre = {{ like = \"wolf\", splash = {splash:?}, damage = 30 }}"
        );
        let scenario = hall("ogre", [5, 5], [6, 5], &more);
        let mut world = World::new(&scenario);
        world.advance(
            &scenario,
            &Orders::new(Order::WAIT),
            Duration::from_millis(100),
            &mut (),
        );
        [AgentId::NPC, AgentId::PLAYER].map(|agent| world.health(agent, &scenario))
    };
    assert_eq!(hurt(0.0), [70.0, 100.0]);
    assert_eq!(hurt(1.5), [70.0, 70.0]);
}

#[test]
fn running_tires_and_rest_restores() {
    let scenario = hall("wolf", [0, 20], [39, 0], "[rules]\nrun = 4.0\n");
    let run = |direction| Orders::new(Order::Step(direction, Stance::new(Gait::Run)));
    let mut world = World::new(&scenario);
    world.advance(
        &scenario,
        &run(Direction::East),
        Duration::from_secs(5),
        &mut (),
    );
    assert_eq!(world.stamina(AgentId::NPC), 50.0);
    assert_eq!(world.position(AgentId::NPC, &scenario).x, 20.0);
    world.advance(
        &scenario,
        &Orders::new(Order::WAIT),
        Duration::from_secs(4),
        &mut (),
    );
    assert_eq!(world.stamina(AgentId::NPC), 70.0);
    for direction in [Direction::West, Direction::East, Direction::West] {
        world.advance(&scenario, &run(direction), Duration::from_secs(3), &mut ());
    }
    assert!(
        world.stamina(AgentId::NPC) < 10.0,
        "tired, and walking again"
    );
}

/// The least distance from the bear on the way across a hall with a killer bear in its middle, at
/// the given margins. Walks all the way: sneaking takes twice as long.
fn least_distance(margins: Margins) -> f64 {
    let rows = vec![".".repeat(50); 50].join("\", \"");
    let scenario = Scenario::parse(&format!(
        "format = 1\nstart = [2, 25]\ngoal = {{ within = {{ at = [47, 25], radius = 0.0 }} }}\n\
         map = {{ rows = [\"{rows}\"] }}\nenemy = [{{ id = \"bear\", kind = \"killer_bear\", at = [25, 25] }}]"
    ))
    .unwrap()
    .with_margins(margins);
    let world = World::new(&scenario);
    let quest = QuestProblem::new(&scenario, &world, scenario.goal(), Abilities::default());
    let path = astar(&quest, StraightLine).expect("there is a way round");
    assert!(
        path.actions()
            .all(|order| order.stance().gait() == Gait::Walk)
    );
    let bear = Point::new(25.0, 25.0);
    path.states()
        .map(|state| quest.position(state).distance_to(bear))
        .fold(f64::MAX, f64::min)
}

#[test]
fn without_margins_plans_graze_the_radius_and_with_them_they_keep_away() {
    let radius = 10.0;
    let grazing = least_distance(Margins::NONE);
    assert!((radius..1.1 * radius).contains(&grazing), "{grazing} away");
    let careful = least_distance(Margins::default());
    assert!(careful >= 1.1 * radius, "{careful} away");
}

#[test]
fn guards_are_exempt_from_margins() {
    let scenario = hall("guard", [5, 5], [9, 5], "");
    assert_eq!(
        scenario.for_planning().enemies()[0].kind,
        scenario.enemies()[0].kind
    );
}

/// A corridor of three cells with a guard in a niche beside its middle, and a shield if asked for.
fn choke_point(shield: &str) -> Scenario {
    Scenario::parse(&format!(
        "format = 1\nstart = [0, 1]\ngoal = {{ within = {{ at = [8, 1], radius = 0.0 }} }}\n\
         map = {{ rows = [\"...#.#...\", \".........\", \"...###...\"] }}\n\
         enemy = [{{ id = \"guard\", kind = \"guard\", at = [4, 0] }}]\n{shield}"
    ))
    .unwrap()
}

const SHIELD: &str = "shield = [{ id = \"round\", at = [1, 1] }]";

/// The health with which the corridor is left on its far side, at one gait throughout.
fn health_beyond(shield: &str, gait: Gait) -> f64 {
    let scenario = choke_point(shield);
    let mut world = World::new(&scenario);
    let east = Orders::new(Order::Step(Direction::East, Stance::new(gait)));
    world.advance(&scenario, &east, Duration::from_secs(16), &mut ());
    world.health(AgentId::NPC, &scenario)
}

#[test]
fn a_guard_is_passed_alive_only_walking_and_with_a_shield() {
    assert_eq!(health_beyond("", Gait::Walk), 0.0);
    assert_eq!(health_beyond("", Gait::Sneak), 0.0);
    assert_eq!(health_beyond(SHIELD, Gait::Sneak), 0.0);
    assert_eq!(health_beyond(SHIELD, Gait::Walk), 40.0);
}

#[test]
fn no_plan_passes_a_guard_without_the_shield() {
    for (shield, expected) in [
        ("", Status::Unsolvable),
        (SHIELD, Status::Finished),
        // Or unnoticed.
        ("undetectable_by = [\"guard\"]", Status::Finished),
    ] {
        for branching in [
            apprentice_world::Branching::Sixteen,
            apprentice_world::Branching::TwoHundredFiftySix,
        ] {
            let scenario = choke_point(shield);
            let abilities = Abilities {
                branching,
                ..Abilities::default()
            };
            let apprentice_world::AnyQuest::Still(quest) = scenario.quest_with(abilities) else {
                panic!("guards don't move");
            };
            let mut search = BestFirst::astar(StraightLine);
            assert_eq!(search.run(&quest, &mut Budget::unlimited()), expected);
        }
    }
}

#[test]
fn a_shield_protects_from_the_step_after_it_was_picked_up() {
    let scenario = choke_point("shield = [{ id = \"round\", at = [3, 1] }]");
    let mut world = World::new(&scenario);
    let east = Orders::new(Order::Step(Direction::East, Stance::new(Gait::Walk)));
    let mut healths = Vec::new();
    for _ in 0..8 {
        world.advance(&scenario, &east, Duration::from_secs(1), &mut ());
        healths.push(world.health(AgentId::NPC, &scenario));
    }
    assert_eq!(healths, [100.0, 100.0, 60.0, 40.0, 20.0, 20.0, 20.0, 20.0]);
}

#[test]
fn a_sneaking_step_takes_longer_and_so_costs_more() {
    let scenario = choke_point("");
    let mut world = World::new(&scenario);
    let sneak = Orders::new(Order::Step(Direction::East, Stance::new(Gait::Sneak)));
    world.advance(&scenario, &sneak, Duration::from_secs(6), &mut ());
    assert_eq!(world.position(AgentId::NPC, &scenario).x, 3.0);
    assert_eq!(world.health(AgentId::NPC, &scenario), 20.0);
}

#[test]
fn a_wolf_can_be_killed_on_purpose() {
    let scenario = hall("wolf", [5, 5], [15, 5], "");
    let world = World::new(&scenario);
    let quest = QuestProblem::new(&scenario, &world, scenario.goal(), Abilities::default());
    let path = astar(&quest, StraightLine).expect("a wolf is easy to beat");
    assert_eq!(scenario.goal(), &Goal::Dead(BEAST));
    assert!(
        path.cost.as_seconds() >= 3.0,
        "four blows take three seconds"
    );
    let pacifist = Abilities {
        fights: false,
        ..Abilities::default()
    };
    let quest = QuestProblem::new(&scenario, &world, scenario.goal(), pacifist);
    let mut search = BestFirst::astar(StraightLine);
    assert_ne!(
        search.run(&quest, &mut Budget::units(2_000)),
        Status::Finished
    );
}

#[test]
fn a_door_that_shuts_before_an_enemy_keeps_it_out() {
    // The wolf hears the player, sets out while the door is open, and cuts the corner to it. The
    // door shuts after two seconds, before it is there.
    let text = r#"
        format = 1
        start = [0, 5]
        goal = { all = [] }
        undetectable_by = ["grey"]
        map = { rows = [
            '......#...........',
            '......#...........',
            '......#...........',
            '..................',
            '......#...........',
            '......#...........',
        ] }
        door = [{ id = "gate", at = [[6, 3]], cycle = { open = 2.0, closed = 600.0 } }]
        enemy = [{ id = "grey", kind = "keen", at = [12, 0] }]
        kinds = { keen = { like = "wolf", radius = 11.1 } }
        player = { at = [1, 1], fights = false, route = [[4, 1]] }
    "#;
    let scenario = Scenario::parse(text).unwrap();
    let mut world = World::new(&scenario);
    let wait = Orders::new(Order::WAIT);
    for _ in 0..60 {
        world.advance(&scenario, &wait, Duration::from_millis(100), &mut ());
        let at = world.position(BEAST, &scenario);
        assert!(at.x > 6.5, "at {at} after {:?}", world.time());
    }
    assert_eq!(world.mode(BEAST, &scenario), Some(Mode::Pursue));
    let at = world.position(BEAST, &scenario);
    assert!(at.x < 8.0, "it waits before the door: {at}");
}
