//! Where no plan stands its rehearsal, a character thinks no longer about others than it is worth,
//! goes as far as the best of them is safe, says what it doubts, and does not pace to and fro.

use std::time::Duration;

use apprentice_behavior::{Character, Doing, Planner, Settings, WhyStuck};
use apprentice_search::{Budget, Status};
use apprentice_world::{
    Abilities, AgentId, AnyQuest, Margins, Observation, Orders, Scenario, Why, World, WorldStep,
};

const TICK: Duration = Duration::from_millis(250);

/// A bear sleeps beside the only way, so near the goal that whoever is careful sees no way, and
/// whoever is not gets there with whole steps, but is bitten once too often in the ticks of a game.
/// West of it there may be a field to look for other ways in.
fn way_past_a_bear(field: usize) -> Scenario {
    way_past_a_bear_and(field, "", "")
}

/// The same with other enemies, which live south of a wall, and whatever else there is.
fn way_past_a_bear_and(field: usize, others: &str, more: &str) -> Scenario {
    let open = ".".repeat(field);
    let mut rows = vec![
        format!("{open}...........#......."),
        format!("{open}........#.........."),
        format!("{open}..................."),
    ];
    rows.extend(vec![format!("{open}........###########"); field]);
    rows.push("#".repeat(field + 19));
    rows.extend(vec![".".repeat(field + 19); 12]);
    let text = format!(
        "format = 1
        start = [0, 0]
        health = 40
        goal = {{ within = {{ at = [{}, 0], radius = 0.0 }} }}
        map = {{ rows = {rows:?} }}
        enemy = [{{ id = 'bear', kind = 'bear', at = [{}, 0] }}{others}]
        {more}",
        field + 18,
        field + 15,
    );
    let scenario = Scenario::parse(&text).expect("the scenario is sound");
    scenario.with_margins(Margins::NONE)
}

fn planner(scenario: &Scenario) -> Planner {
    let checked = Settings::default().check(scenario, []);
    checked.expect("the settings fit").planner
}

fn character(scenario: &Scenario) -> Character<Scenario> {
    Character::new(planner(scenario), Abilities::default()).with_tick(TICK)
}

/// Plays for that many seconds; the places it was in, in order.
fn play(
    scenario: &Scenario,
    world: &mut World,
    character: &mut Character<Scenario>,
    expansions: u64,
    seconds: u32,
) -> Vec<usize> {
    let mut places = vec![world.place(AgentId::NPC, scenario)];
    for _ in 0..seconds * 4 {
        let order = character.decide(scenario, world, &mut Budget::units(expansions));
        if character.doing() == Doing::Done {
            break;
        }
        world.advance(scenario, &Orders::new(order), TICK, &mut ());
        places.push(world.place(AgentId::NPC, scenario));
    }
    places.dedup();
    places
}

#[test]
fn it_goes_as_far_as_is_safe_and_waits_there() {
    let scenario = way_past_a_bear(0);
    for expansions in [3_000, 50_000, u64::MAX] {
        let (mut world, mut character) = (World::new(&scenario), character(&scenario));
        let mut places = play(&scenario, &mut world, &mut character, expansions, 120);
        // It has come nearer, never turned round, and is unhurt.
        assert_eq!(character.doing(), Doing::Stuck, "{expansions}");
        assert!(places.len() > 8, "{places:?}");
        let steps = places.len();
        places.sort_unstable();
        places.dedup();
        assert_eq!(places.len(), steps, "it was somewhere twice");
        assert_eq!(world.health(AgentId::NPC, &scenario), 40.0);
        // From there no plan leads past the bear, none that anybody has the patience to find, or only
        // one that dies on the way.
        match character.why_stuck() {
            Some(WhyStuck::NoPlan | WhyStuck::GaveUp { .. }) => {
                assert_eq!(character.rehearsal_failure(), None);
            }
            Some(WhyStuck::Doubtful(doubt)) => {
                assert!(matches!(doubt.why, Why::Dies { .. }), "{doubt}");
                assert_eq!(character.rehearsal_failure(), Some(doubt));
            }
            other => panic!("it knows why it waits: {other:?}"),
        }
        // It stays, and does not think about the same again and again.
        let plans = character.plans();
        let more = play(&scenario, &mut world, &mut character, expansions, 60);
        assert_eq!((more.len(), character.plans()), (1, plans));
        // Without the bear there is nothing to doubt.
        world.observe(&scenario, Observation::Health(AgentId::Enemy(0), 0.0));
        play(&scenario, &mut world, &mut character, expansions, 60);
        assert_eq!(character.doing(), Doing::Done);
        assert_eq!(
            (character.rehearsal_failure(), character.plans()),
            (None, plans + 1)
        );
    }
}

/// What a plan that came to grief is expected to do is what it did in the rehearsal, until shortly
/// before that.
#[test]
fn what_is_followed_is_what_went_well() {
    let scenario = way_past_a_bear(0);
    let (mut world, mut character) = (World::new(&scenario), character(&scenario));
    let order = character.decide(&scenario, &world, &mut Budget::unlimited());
    let doubt = character
        .rehearsal_failure()
        .expect("no plan stands")
        .clone();
    let ahead: Vec<WorldStep> = character.ahead(&scenario);
    assert!(!ahead.is_empty() && ahead.len() < doubt.step, "{doubt}");
    world.advance(&scenario, &Orders::new(order), TICK, &mut ());
    for step in ahead {
        while world.time() < step.world.time() {
            let order = character.decide(&scenario, &world, &mut Budget::unlimited());
            assert_eq!(character.deviation(), None);
            world.advance(&scenario, &Orders::new(order), TICK, &mut ());
        }
        let place = |world: &World| world.place(AgentId::NPC, &scenario);
        let health = |world: &World| world.health(AgentId::NPC, &scenario);
        assert_eq!(place(&world), place(&step.world));
        assert_eq!(health(&world), health(&step.world));
    }
}

/// A wolf that is after somebody else is no reason to go where one dies.
#[test]
fn who_attacks_the_player_does_not_count() {
    let wolf = ", { id = 'grey', kind = 'wolf', at = [4, 15] }";
    let hunt = "player = { at = [0, 15] }
        undetectable_by = ['grey']
        midway = { enemy = [{ id = 'grey', mode = 'pursue', after = 'player' }] }";
    let ahead = |scenario: &Scenario| {
        let mut character = character(scenario);
        character.decide(scenario, &World::new(scenario), &mut Budget::unlimited());
        let doubt = character.rehearsal_failure().expect("no plan stands");
        assert!(matches!(doubt.why, Why::Dies { .. }), "{doubt}");
        character.steps_ahead()
    };
    let hunted = way_past_a_bear_and(0, wolf, hunt);
    let player = World::new(&hunted).target(AgentId::Enemy(1), &hunted);
    assert_eq!(player, Some(AgentId::PLAYER));
    assert_eq!(ahead(&hunted), ahead(&way_past_a_bear(0)));
}

/// Somebody who is attacked already does not wait for it to end.
#[test]
fn who_is_attacked_does_something() {
    let text = "format = 1
        start = [0, 0]
        health = 61
        goal = { within = { at = [9, 0], radius = 0.0 } }
        map = { rows = ['..........', '......#...', '....#.....', '..........'] }
        enemy = [{ id = 'one', kind = 'wolf', at = [0, 0] }, { id = 'two', kind = 'wolf', at = [6, 3] }]";
    let scenario = Scenario::parse(text).expect("the scenario is sound");
    let scenario = scenario.with_margins(Margins::NONE);
    let tick = Duration::from_millis(33);
    let mut world = World::new(&scenario);
    let mut character = character(&scenario).with_tick(tick);
    let mut has_doubted = false;
    while !matches!(character.doing(), Doing::Done | Doing::Dead) {
        let order = character.decide(&scenario, &world, &mut Budget::units(5_000));
        has_doubted |= character.rehearsal_failure().is_some();
        world.advance(&scenario, &Orders::new(order), tick, &mut ());
    }
    assert!(has_doubted);
    assert_eq!(character.doing(), Doing::Done);
}

/// Units of budget to get ready, and expansions, for a quest with enemies that hurt so many times
/// as much; `None` if there is no plan within `most` units.
fn first_plan(scenario: &Scenario, damage: f64, most: u64) -> Option<(u64, u64)> {
    let margins = Margins {
        damage,
        ..Margins::NONE
    };
    let scenario = scenario.clone().with_margins(margins);
    let AnyQuest::Moving(quest) = scenario.quest() else {
        panic!("the bear moves")
    };
    let mut search = planner(&scenario).search(&quest).expect("a search").search;
    let (mut left, mut taken) = (most, 0);
    let status = loop {
        let mut budget = Budget::units(left);
        let status = search.run(&quest, &mut budget);
        // However long each state takes.
        let units = budget.taken() - budget.overtime();
        (left, taken) = (left - units, taken + units);
        if status != Status::Paused || left == 0 {
            break status;
        }
    };
    let expanded = search.statistics().expanded;
    (status != Status::Paused).then_some((taken - expanded, expanded))
}

/// Other plans than the first are looked for with four times its expansions and 20,000 more, however
/// large the budget is, and however it is cut.
#[test]
fn there_is_an_end_to_being_careful() {
    let scenario = way_past_a_bear(10);
    let (ready, expanded) = first_plan(&scenario, 1.0, u64::MAX).expect("there is a plan");
    let patience = 4 * expanded + 20_000;
    let careful = first_plan(&scenario, 2.0, ready + patience + 1_000);
    assert_eq!(careful, None, "somebody careful would look for longer");

    let world = World::new(&scenario);
    let think = |units: u64| {
        let mut character = character(&scenario);
        let mut taken = 0;
        while character.doing() == Doing::Thinking {
            let mut budget = Budget::units(units);
            character.decide(&scenario, &world, &mut budget);
            taken += budget.taken() - budget.overtime();
        }
        let steps = character.steps_ahead();
        (
            taken,
            steps,
            character.rehearsal_failure().map(ToString::to_string),
        )
    };
    let (taken, steps, doubt) = think(u64::MAX);
    assert!(steps > 0 && doubt.is_some());
    // What is left is for getting ready and for the rehearsal.
    let most = expanded + patience + 2 * ready + 1_000;
    assert!((expanded + patience..most).contains(&taken), "{taken}");
    assert_eq!(think(1_700), (taken, steps, doubt));
}
