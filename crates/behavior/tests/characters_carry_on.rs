//! A character that carries out a plan notices when the world has gone another way, keeps going
//! while it thinks, and always has an order to give.

use std::time::Duration;

use apprentice_behavior::{Character, Deviation, Doing, Patience, PlannerName, Settings};
use apprentice_search::{Budget, Search, Status, astar_search};
use apprentice_world::{
    Abilities, AgentId, AnyQuest, DoorId, Goal, ItemId, Observation, Orders, Point, Quest,
    Scenario, StraightLine, World, WorldStep,
};
use proptest::prelude::*;

const TICK: Duration = Duration::from_millis(100);

/// A character in its world.
struct Game {
    scenario: Scenario,
    world: World,
    character: Character<Scenario>,
    /// What it may spend in a tick.
    expansions: u64,
}

impl Game {
    fn new(scenario: Scenario, planner: PlannerName, expansions: u64) -> Game {
        let settings = Settings {
            planner,
            ..Settings::default()
        };
        let planner = settings
            .check(&scenario, [])
            .expect("the settings fit")
            .planner;
        Game {
            world: World::new(&scenario),
            character: Character::new(planner, Abilities::default()),
            scenario,
            expansions,
        }
    }

    /// Why it left its last plan, in words; nothing if it left none.
    fn deviation(&self) -> String {
        let why = self.character.deviation();
        why.map_or_else(String::new, |why| why.in_words(self.scenario.landmarks()))
    }

    fn tick(&mut self) {
        let mut budget = Budget::units(self.expansions);
        let order = self
            .character
            .decide(&self.scenario, &self.world, &mut budget);
        assert!(budget.taken() <= self.expansions);
        self.world
            .advance(&self.scenario, &Orders::new(order), TICK, &mut ());
    }

    fn ticks(&mut self, count: u32) {
        for _ in 0..count {
            self.tick();
        }
    }

    /// Lets time pass until it is done or stuck.
    fn finish(&mut self) -> Doing {
        for _ in 0..20_000 {
            self.tick();
            if matches!(
                self.character.doing(),
                Doing::Done | Doing::Stuck | Doing::Dead
            ) {
                break;
            }
        }
        self.character.doing()
    }

    fn observe(&mut self, disturbance: Observation) {
        self.world.observe(&self.scenario, disturbance);
    }

    fn position(&self) -> Point {
        self.world.position(AgentId::NPC, &self.scenario)
    }
}

/// Two ways from west to east, a door in each, both open; and a key that is not needed.
fn two_ways() -> Scenario {
    let text = r#"
        format = 1
        start = [0, 3]
        goal = { within = { at = [10, 3], radius = 0.0 } }
        door = [
            { id = "north", at = [[5, 1]], open = true },
            { id = "south", at = [[5, 6]], open = true },
        ]
        [map]
        rows = [
            ".....#.....",
            "...........",
            ".....#.....",
            ".....#.....",
            ".....#.....",
            ".....#.....",
            "...........",
        ]
    "#;
    Scenario::parse(text).expect("the scenario is sound")
}

const NORTH: DoorId = DoorId::new(0);
const SOUTH: DoorId = DoorId::new(1);

/// A vault that only a key opens.
fn vault() -> Scenario {
    let text = r#"
        format = 1
        start = [0, 0]
        goal = { within = { at = [8, 0], radius = 0.0 } }
        key = [{ id = "red", at = [2, 2], opens = ["vault"] }]
        door = [{ id = "vault", at = [[6, 0]] }]
        map = { rows = [".........", "......#..", "......#.."] }
    "#;
    Scenario::parse(text).expect("the scenario is sound")
}

const RED: ItemId = ItemId::new(0);

/// A gate that nothing opens but somebody outside, and a second one with a key far beyond it.
fn gates() -> Scenario {
    let text = r#"
        format = 1
        start = [0, 0]
        goal = { within = { at = [9, 0], radius = 0.0 } }
        key = [{ id = "red", at = [4, 4], opens = ["second"] }]
        door = [{ id = "first", at = [[2, 0]] }, { id = "second", at = [[6, 0]] }]
        map = { rows = ["..........", "..#...#...", "..#...#...", "..#...#...", "..#...#..."] }
    "#;
    Scenario::parse(text).expect("the scenario is sound")
}

const FIRST: DoorId = DoorId::new(0);
const SECOND: DoorId = DoorId::new(1);

#[test]
fn an_undisturbed_plan_is_carried_out_in_the_time_it_takes() {
    for planner in PlannerName::ALL {
        let mut game = Game::new(two_ways(), planner, 10_000);
        game.tick();
        let planned = game
            .character
            .ahead(&game.scenario)
            .last()
            .expect("there is a plan")
            .time;
        assert_eq!(game.finish(), Doing::Done, "{planner}");
        assert_eq!(game.character.plans(), 1, "{planner}");
        assert_eq!(game.character.deviation(), None, "{planner}");
        // It is noticed at the tick after.
        let late = game.world.time().as_secs_f64() - planned.as_seconds();
        assert!((0.0..0.3).contains(&late), "{planner}: {late}");
    }
}

#[test]
fn a_door_that_shuts_is_noticed_and_the_other_way_taken() {
    let mut game = Game::new(two_ways(), PlannerName::Astar, 10_000);
    game.ticks(20);
    game.observe(Observation::Shut(NORTH));
    game.tick();
    assert_eq!(game.deviation(), "`north` is shut");
    assert_eq!(game.finish(), Doing::Done);
    assert_eq!(game.character.plans(), 2);
}

#[test]
fn without_a_way_it_waits_until_there_is_one() {
    let mut game = Game::new(two_ways(), PlannerName::Astar, 10_000);
    game.ticks(10);
    game.observe(Observation::Shut(NORTH));
    game.observe(Observation::Shut(SOUTH));
    assert_eq!(game.finish(), Doing::Stuck);
    let before = game.character.plans();
    game.ticks(50);
    assert_eq!(
        (game.character.doing(), game.character.plans()),
        (Doing::Stuck, before)
    );
    game.observe(Observation::Open(SOUTH));
    game.tick();
    assert_ne!(game.character.doing(), Doing::Stuck);
    assert_eq!(game.finish(), Doing::Done);
}

/// What was shut at the beginning and is opened by somebody else is no longer in the way.
#[test]
fn a_gate_that_somebody_else_opens_is_gone_through() {
    for planner in PlannerName::ALL {
        let mut game = Game::new(gates(), planner, 10_000);
        assert_eq!(game.finish(), Doing::Stuck, "{planner}");
        game.observe(Observation::Open(FIRST));
        assert_eq!(game.finish(), Doing::Done, "{planner}");
        assert!(game.world.holds(AgentId::NPC, RED), "{planner}");

        // With both of them open nobody goes for the key, though there is one.
        let mut game = Game::new(gates(), planner, 10_000);
        game.observe(Observation::Open(FIRST));
        game.observe(Observation::Open(SECOND));
        assert_eq!(game.finish(), Doing::Done, "{planner}");
        assert!(!game.world.holds(AgentId::NPC, RED), "{planner}");

        // One that shuts again is in the way again.
        let mut game = Game::new(gates(), planner, 10_000);
        game.observe(Observation::Open(FIRST));
        game.ticks(5);
        game.observe(Observation::Shut(FIRST));
        assert_eq!(game.finish(), Doing::Stuck, "{planner}");
    }
}

#[test]
fn a_key_that_is_taken_away_is_fetched_again() {
    let mut game = Game::new(vault(), PlannerName::Astar, 10_000);
    while !game.world.holds(AgentId::NPC, RED) {
        game.tick();
    }
    game.ticks(5);
    game.observe(Observation::Return(RED));
    game.tick();
    assert!(matches!(
        game.character.deviation(),
        Some(Deviation::Flag { .. })
    ));
    assert!(game.deviation().starts_with("`red` is "));
    assert_eq!(game.finish(), Doing::Done);
    game = Game::new(vault(), PlannerName::Astar, 10_000);
    game.ticks(5);
    game.observe(Observation::Remove(RED));
    assert_eq!(game.finish(), Doing::Stuck);
}

#[test]
fn somebody_who_was_carried_off_finds_the_way_back() {
    let mut game = Game::new(two_ways(), PlannerName::Astar, 10_000);
    game.ticks(20);
    game.observe(Observation::Move(AgentId::NPC, Point::new(0.0, 6.0), None));
    game.tick();
    assert!(matches!(
        game.character.deviation(),
        Some(Deviation::Astray { .. })
    ));
    assert_eq!(game.finish(), Doing::Done);
}

#[test]
fn an_enemy_elsewhere_makes_it_think_again() {
    let text = r#"
        format = 1
        start = [0, 0]
        goal = { within = { at = [30, 0], radius = 0.0 } }
        enemy = [{ id = "grey", kind = "wolf", at = [30, 14] }]
        [map]
        rows = [ROWS]
    "#;
    let rows = vec!["\"...............................\""; 21].join(", ");
    let scenario = Scenario::parse(&text.replace("ROWS", &rows)).expect("the scenario is sound");
    let mut game = Game::new(scenario, PlannerName::Wastar, 10_000);
    game.ticks(10);
    assert_eq!(game.character.deviation(), None);
    // Nowhere near the way, and so nothing to think about.
    let put = |game: &mut Game, x, y| {
        let at = Point::new(x, y);
        game.observe(Observation::Move(AgentId::Enemy(0), at, None));
        game.tick();
    };
    put(&mut game, 24.0, 18.0);
    assert_eq!(game.character.deviation(), None);
    put(&mut game, 24.0, 5.0);
    assert!(matches!(
        game.character.deviation(),
        Some(Deviation::EnemyElsewhere { .. })
    ));
    assert!(game.deviation().starts_with("`grey` is "));
}

/// A hall in which a wolf sleeps far enough from the way.
fn hall_of_a_wolf() -> Scenario {
    let rows = ["'..............................'"; 12].join(", ");
    let text = format!(
        "format = 1
        start = [0, 0]
        goal = {{ within = {{ at = [29, 0], radius = 0.0 }} }}
        map = {{ rows = [{rows}] }}
        enemy = [{{ id = 'grey', kind = 'wolf', at = [15, 11] }}]"
    );
    Scenario::parse(&text).expect("the scenario is sound")
}

#[test]
fn an_enemy_that_attacks_unexpectedly_makes_it_think_again() {
    let mut game = Game::new(hall_of_a_wolf(), PlannerName::Wastar, 10_000);
    while game.position().x < 14.0 {
        game.tick();
    }
    assert_eq!(game.character.deviation(), None);
    // Nearer, but not yet elsewhere.
    let nearer = Point::new(15.0, 8.0);
    assert!(nearer.distance_to(game.position()) > 8.0);
    game.observe(Observation::Move(AgentId::Enemy(0), nearer, None));
    game.ticks(15);
    assert_eq!(game.deviation(), "`grey` attacks earlier than expected");
    assert_eq!(game.finish(), Doing::Done);
}

/// What is expected happens at the end of a tick, so it tells in which ticks a plan was rehearsed.
#[test]
fn the_first_plan_is_rehearsed_in_the_ticks_that_were_announced() {
    let times_of_the_first_plan = |announced: Option<u64>| {
        let mut game = Game::new(hall_of_a_wolf(), PlannerName::Wastar, 10_000);
        if let Some(tick) = announced {
            game.character = game.character.with_tick(Duration::from_millis(tick));
        }
        game.tick();
        assert!(game.character.steps_ahead() > 0);
        let at = |step: &WorldStep| step.world.time().as_millis() as u64;
        game.character
            .ahead(&game.scenario)
            .iter()
            .map(at)
            .collect::<Vec<u64>>()
    };
    let ticks_of_the_first_plan = |announced| {
        let times = times_of_the_first_plan(announced);
        [1, 16, 33, 100, 250]
            .into_iter()
            .filter(|tick| times.iter().all(|time| time % tick == 0))
            .max()
    };
    for tick in [16, 33, 250] {
        assert_eq!(ticks_of_the_first_plan(Some(tick)), Some(tick));
    }
    assert_eq!(ticks_of_the_first_plan(None), Some(16));
    // No game has such ticks: these are a millisecond, in which steps of a second end on time,
    // and a quarter of a second.
    assert_eq!(
        times_of_the_first_plan(Some(0)),
        times_of_the_first_plan(Some(1))
    );
    assert_ne!(
        times_of_the_first_plan(Some(0)),
        times_of_the_first_plan(None)
    );
    assert_eq!(ticks_of_the_first_plan(Some(u64::MAX)), Some(250));
}

#[test]
fn somebody_who_is_worse_off_than_expected_thinks_again() {
    let mut game = Game::new(hall_of_a_wolf(), PlannerName::Wastar, 10_000);
    game.ticks(20);
    assert_eq!(game.character.deviation(), None);
    game.observe(Observation::Health(AgentId::NPC, 60.0));
    game.tick();
    let hurt = Deviation::Hurt { lost: 40.0 };
    assert_eq!(game.character.deviation(), Some(&hurt));
    assert_eq!(game.finish(), Doing::Done);
    assert_eq!(game.character.plans(), 2);
}

#[test]
fn it_keeps_going_while_it_thinks() {
    let mut game = Game::new(two_ways(), PlannerName::Astar, 10_000);
    game.ticks(10);
    // From now on it thinks slowly. The way shuts far ahead, so the old plan is good for a while.
    game.expansions = 1;
    game.observe(Observation::Shut(NORTH));
    let before = game.position();
    game.ticks(12);
    assert_eq!(game.character.doing(), Doing::Thinking);
    assert!(
        game.position().distance_to(before) >= 0.9,
        "it stands still"
    );
    assert_eq!(game.finish(), Doing::Done);
    assert_eq!(game.character.plans(), 2);
}

#[test]
fn a_level_that_changes_is_planned_anew() {
    let mut game = Game::new(vault(), PlannerName::Astar, 10_000);
    game.ticks(5);
    game.character.level_changed();
    game.tick();
    assert_eq!(game.character.deviation(), Some(&Deviation::LevelChanged));
    assert_eq!(game.finish(), Doing::Done);
    assert_eq!(game.character.plans(), 2);
}

#[test]
fn a_goal_that_is_met_and_a_death_end_it() {
    let text = "format = 1\nstart = [0, 0]\ngoal = { within = { at = [0, 0], radius = 0.0 } }\nmap = { rows = ['..'] }";
    let scenario = Scenario::parse(text).expect("the scenario is sound");
    let mut game = Game::new(scenario, PlannerName::Ara, 10);
    assert_eq!(game.finish(), Doing::Done);
    assert_eq!(game.character.plans(), 0);
    let text = "format = 1\nstart = [0, 0]\nhealth = 1\ngoal = { within = { at = [2, 0], radius = 0.0 } }\nmap = { rows = ['...'] }\nenemy = [{ id = 'grey', kind = 'wolf', at = [2, 0] }]";
    let scenario = Scenario::parse(text).expect("the scenario is sound");
    let mut game = Game::new(scenario, PlannerName::Ara, 10);
    assert!(matches!(game.finish(), Doing::Dead | Doing::Stuck));
    game.ticks(100);
    assert_eq!(game.character.doing(), Doing::Dead);
}

/// Whether there is a plan from this world, by a search of its own.
fn can_be_done(scenario: &Scenario, world: &World) -> bool {
    fn solve<Q: Quest>(quest: &Q) -> bool {
        let mut search = astar_search(quest, StraightLine);
        search.run(quest, &mut Budget::unlimited()) != Status::Unsolvable
    }
    match AnyQuest::new(scenario, world, scenario.goal(), Abilities::default()) {
        AnyQuest::Still(quest) => solve(&quest),
        AnyQuest::Moving(quest) => solve(&quest),
    }
}

fn disturbances() -> impl Strategy<Value = Observation> {
    prop_oneof![
        (0..2u8).prop_map(|door| Observation::Open(DoorId::new(door))),
        (0..2u8).prop_map(|door| Observation::Shut(DoorId::new(door))),
        Just(Observation::Remove(RED)),
        Just(Observation::Return(RED)),
        (0..11u8, 0..7u8).prop_map(|(x, y)| {
            Observation::Move(AgentId::NPC, Point::new(f64::from(x), f64::from(y)), None)
        }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    /// However it is disturbed and however slowly it thinks: in the end it has arrived, or there
    /// is no way.
    #[test]
    fn in_the_end_it_arrives_or_there_is_no_way(
        disturbances in prop::collection::vec((0..30u32, disturbances()), 0..12),
        expansions in prop_oneof![Just(1u64), Just(7), Just(1000)],
        planner in prop::sample::select(PlannerName::ALL.to_vec()),
        level in prop::sample::select(vec![two_ways as fn() -> Scenario, vault, gates]),
    ) {
        let mut game = Game::new(level(), planner, expansions);
        for (ticks, disturbance) in disturbances {
            game.ticks(ticks);
            game.observe(disturbance);
        }
        match game.finish() {
            Doing::Done => {}
            Doing::Stuck => prop_assert!(!can_be_done(&game.scenario, &game.world)),
            other => prop_assert!(false, "it is {other:?}"),
        }
    }

    /// The same world, disturbances and budgets give the same orders.
    #[test]
    fn the_same_game_is_played_twice(
        disturbances in prop::collection::vec((0..30u32, disturbances()), 0..8),
        expansions in 1..50u64,
    ) {
        let play = || {
            let mut game = Game::new(two_ways(), PlannerName::Mha, expansions);
            for (ticks, disturbance) in &disturbances {
                game.ticks(*ticks);
                game.observe(*disturbance);
            }
            game.ticks(50);
            game.world.digest()
        };
        prop_assert_eq!(play(), play());
    }
}

#[test]
fn told_to_do_something_else_it_turns_at_once() {
    let mut game = Game::new(two_ways(), PlannerName::Auto, 200);
    game.ticks(25);
    let west = Point::new(0.0, 0.0);
    let before = game.position();
    assert!(before.x > 0.5, "it is under way: {before}");
    game.character.pursue(Goal::Within {
        at: west,
        height: None,
        radius: 0.0,
    });
    assert_eq!(game.character.doing(), Doing::Thinking);
    game.tick();
    assert_eq!(game.character.deviation(), Some(&Deviation::NewGoal));
    assert_eq!(game.finish(), Doing::Done);
    assert_eq!(game.position(), west);
    // What cannot be is not waited for with a plan.
    game.character.pursue(Goal::Any(vec![]));
    assert_eq!(game.finish(), Doing::Stuck);
}

/// Whatever else a game says in the same frame, nobody goes on with a plan for what it no longer
/// wants.
#[test]
fn told_to_do_something_else_it_turns_at_once_whatever_else_is_new() {
    let planner = || {
        let settings = Settings::default();
        let checked = settings.check(&two_ways(), []);
        checked.expect("the settings fit").planner
    };
    type News<'a> = &'a dyn Fn(&mut Character<Scenario>);
    let news: [News<'_>; 3] = [
        &|_| {},
        &|character| character.level_changed(),
        &|character| {
            character.change_planner(planner());
        },
    ];
    let west = Goal::Within {
        at: Point::new(0.0, 0.0),
        height: None,
        radius: 0.0,
    };
    let turned = |before: &dyn Fn(&mut Character<Scenario>),
                  after: &dyn Fn(&mut Character<Scenario>)| {
        let mut game = Game::new(two_ways(), PlannerName::Auto, 10_000);
        game.ticks(20);
        // From now on it thinks slowly.
        game.expansions = 1;
        before(&mut game.character);
        game.character.pursue(west.clone());
        after(&mut game.character);
        game.tick();
        assert_eq!(game.character.deviation(), Some(&Deviation::NewGoal));
        let place = game.world.place(AgentId::NPC, &game.scenario);
        // It comes to the end of its step, and no further.
        game.ticks(25);
        assert_eq!(game.character.doing(), Doing::Thinking);
        let next = game.world.place(AgentId::NPC, &game.scenario);
        let map = game.scenario.map();
        assert!(map.point_of(place).distance_to(map.point_of(next)) < 1.5);
        game.position()
    };
    let at_once = turned(news[0], news[0]);
    for other in &news[1..] {
        assert_eq!(turned(news[0], other), at_once);
        assert_eq!(turned(other, news[0]), at_once);
    }
}

/// Components of an engine are visited by whatever thread is free.
#[test]
fn a_character_may_think_on_another_thread_every_time() {
    for planner in PlannerName::ALL {
        let mut at_home = Game::new(vault(), planner, 3);
        let mut travelling = Game::new(vault(), planner, 3);
        for _ in 0..300 {
            at_home.tick();
            travelling = std::thread::scope(|scope| {
                let thread = scope.spawn(move || {
                    travelling.tick();
                    travelling
                });
                thread.join().expect("it thinks without trouble")
            });
            assert_eq!(travelling.position(), at_home.position(), "{planner}");
        }
        assert_eq!(travelling.character.doing(), at_home.character.doing());
    }
}

/// A short way past a gate that only others open, and a long one.
fn gate_of_others() -> Scenario {
    let text = r#"
        format = 1
        start = [0, 0]
        goal = { within = { at = [10, 0], radius = 0.0 } }
        door = [{ id = "gate", at = [[5, 0]] }]
        [map]
        rows = [
            "...........",
            ".....#.....",
            ".....#.....",
            ".....#.....",
            ".....#.....",
            ".....#.....",
            "...........",
        ]
    "#;
    Scenario::parse(text).expect("the scenario is sound")
}

const GATE: DoorId = DoorId::new(0);

/// A plan that holds is kept, however good another would be by now, unless plans are made anew at
/// intervals.
#[test]
fn at_intervals_it_looks_whether_there_is_anything_better() {
    let play = |interval: Option<Duration>| {
        let mut game = Game::new(gate_of_others(), PlannerName::Astar, 2_000);
        if let Some(interval) = interval {
            game.character = game.character.planning_anew_every(interval);
        }
        game.ticks(8);
        game.observe(Observation::Open(GATE));
        assert_eq!(game.finish(), Doing::Done);
        game
    };
    let usual = play(None);
    assert_eq!(
        (usual.character.plans(), usual.character.deviation()),
        (1, None)
    );
    let anew = play(Some(Duration::from_secs(1)));
    assert!(anew.character.plans() > 1);
    assert_eq!(anew.character.deviation(), Some(&Deviation::Due));
    let (soon, late) = (anew.world.time(), usual.world.time());
    assert!(soon + Duration::from_secs(2) < late, "{soon:?}, {late:?}");
}

/// Whoever looks for something better and finds nothing goes on as planned.
#[test]
fn whoever_finds_nothing_better_keeps_to_its_plan() {
    let mut game = Game::new(gate_of_others(), PlannerName::Astar, 2_000);
    game.ticks(2);
    let nothing = Patience {
        expansions: 0,
        ..Patience::default()
    };
    game.character = (game.character)
        .with_patience(nothing)
        .planning_anew_every(Duration::from_secs(1));
    game.ticks(40);
    assert_eq!(game.character.deviation(), Some(&Deviation::Due));
    assert_eq!(game.finish(), Doing::Done);
    assert_eq!(game.character.plans(), 1);
    // It never stood still for it.
    let usual = {
        let mut game = Game::new(gate_of_others(), PlannerName::Astar, 2_000);
        assert_eq!(game.finish(), Doing::Done);
        game.world.time()
    };
    assert_eq!(game.world.time(), usual);
}
