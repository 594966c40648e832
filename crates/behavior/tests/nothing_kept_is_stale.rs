//! What characters and heuristics keep from one plan to the next is what they would make anew, and
//! making it anew is what they are spared.

use std::sync::Arc;
use std::time::Duration;

use crate::quests::{drawn, shipped, states};
use apprentice_behavior::{
    Character, Doing, EGraphHeuristic, EventHeuristic, EventMetric, KeyDoorHeuristic,
    MannerHeuristic, PlannerName, Settings, TGraphHeuristic, Wary,
};
use apprentice_experience::{
    Corridor, Demonstration, ExperienceMode, Projection, StartEdge, TrainingSettings,
};
use apprentice_game::LandmarkId;
use apprentice_search::{Budget, Cost, Heuristic, Weight};
use apprentice_world::{
    Abilities, AgentId, AnyQuest, DoorId, Goal, ItemId, LeverId, Map, Margins, Observation, Orders,
    Point, Quest, QuestProblem, Scenario, StillQuest, World, WorldStep,
};
use proptest::prelude::*;

/// Keys, a lever, doors, two demonstrations, one of which is sneaked; and somebody who moves, if
/// `enemy` says so.
fn level(enemy: &str) -> Scenario {
    parse(&text(enemy))
}

/// The same with fewer walls, and the key elsewhere.
fn rebuilt(enemy: &str) -> Scenario {
    parse(
        &text(enemy)
            .replace("##", "..")
            .replace("[2, 0], opens", "[4, 0], opens"),
    )
}

fn parse(text: &str) -> Scenario {
    Scenario::parse(text).unwrap_or_else(|error| panic!("{error}"))
}

fn text(enemy: &str) -> String {
    format!(
        "format = 1
        start = [0, 3]
        goal = {{ within = {{ at = [15, 3], radius = 0.0 }} }}
        key = [{{ id = 'red', at = [2, 0], opens = ['north'] }}]
        item = [{{ id = 'ring', at = [3, 6] }}]
        lever = [{{ id = 'crank', at = [1, 6], opens = ['south'] }}]
        door = [{{ id = 'north', at = [[8, 1]] }}, {{ id = 'south', at = [[8, 5]] }}]
        demonstration = [
            {{ points = [[0, 3], [2, 0], [6, 1], [12, 1], [14, 2]] }},
            {{ points = [[3, 5], [8, 5], [13, 6]] }},
        ]
        {enemy}
        [map]
        rows = [
            '........#.......',
            '................',
            '...##...#..##...',
            '........#.......',
            '...##...#..##...',
            '................',
            '........#.......',
        ]"
    )
}

fn still_level() -> Scenario {
    level("")
}

const WOLF: &str = "enemy = [{ id = 'grey', kind = 'wolf', at = [15, 6] }]";

fn level_with_a_wolf() -> Scenario {
    level(WOLF)
}

const RED: ItemId = ItemId::new(0);
const RING: ItemId = ItemId::new(1);
const CRANK: LeverId = LeverId::new(0);

/// What somebody outside does. Places are numbers of the map, and may be walls.
fn disturbances() -> impl Strategy<Value = Observation> {
    let place = 0..7 * 16usize;
    prop_oneof![
        4 => place.prop_map(|place| {
            let at = still_level().map().point_of(place);
            Observation::Move(AgentId::NPC, at, None)
        }),
        1 => (0..2u8).prop_map(|door| Observation::Open(DoorId::new(door))),
        1 => (0..2u8).prop_map(|door| Observation::Shut(DoorId::new(door))),
        1 => Just(Observation::Give(AgentId::NPC, RED)),
        1 => Just(Observation::Return(RED)),
    ]
}

/// What else may come to be wanted.
fn goals() -> impl Strategy<Value = Goal> {
    let within = |place: usize| {
        let at = still_level().map().point_of(place);
        Goal::Within {
            at,
            height: None,
            radius: 1.0,
        }
    };
    prop_oneof![
        Just(still_level().goal().clone()),
        (0..7 * 16usize).prop_map(within),
        Just(Goal::Holds(RING)),
        Just(Goal::All(vec![Goal::Holds(RED), Goal::LeverOn(CRANK)])),
    ]
}

fn demonstrations(scenario: &Scenario) -> Vec<Demonstration> {
    let mut shown = drawn(scenario);
    for sample in &mut shown[1].samples {
        sample.stance.gait = Some("sneak".to_owned());
    }
    shown
}

/// What happens in a game at a time, in ticks after what happened before.
#[derive(Clone, Debug)]
enum Happens {
    Observation(Observation),
    Pursue(Goal),
    Careful,
    /// Somebody changes the level and says so.
    Rebuilt,
}

fn happenings() -> impl Strategy<Value = Happens> {
    prop_oneof![
        4 => disturbances().prop_map(Happens::Observation),
        2 => goals().prop_map(Happens::Pursue),
        1 => Just(Happens::Careful),
        1 => Just(Happens::Rebuilt),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// A character that keeps everything gives the same orders as one that forgets everything as
    /// soon as it has a plan.
    #[test]
    fn characters_plan_as_if_they_had_kept_nothing(
        happenings in prop::collection::vec((0..25u32, happenings()), 1..10),
        planner in prop::sample::select(PlannerName::ALL.to_vec()),
        shows in any::<bool>(),
        has_wolf in any::<bool>(),
    ) {
        let mut scenario = if has_wolf { level_with_a_wolf() } else { still_level() };
        let shown = if shows { demonstrations(&scenario) } else { Vec::new() };
        let settings = Settings { planner, ..Settings::default() };
        let character = || {
            let checked = settings.check(&scenario, &shown[..]);
            Character::new(checked.expect("the settings fit").planner, Abilities::default())
        };
        let (mut keeps, mut forgets) = (character(), character());
        let mut world = World::new(&scenario);
        let end = (60, Happens::Careful);
        for (ticks, happens) in happenings.into_iter().chain([end]) {
            for _ in 0..ticks {
                // So that nobody is late who has more to get ready.
                let orders = [&mut keeps, &mut forgets].map(|character| {
                    character.decide(&scenario, &world, &mut Budget::unlimited())
                });
                forgets.forget();
                prop_assert_eq!(orders[0], orders[1]);
                prop_assert_eq!(keeps.doing(), forgets.doing());
                prop_assert_eq!(keeps.plans(), forgets.plans());
                prop_assert_eq!(keeps.ahead(&scenario), forgets.ahead(&scenario));
                world.advance(&scenario, &Orders::new(orders[0]), Duration::from_millis(100), &mut ());
            }
            match happens {
                Happens::Observation(disturbance) => world.observe(&scenario, disturbance),
                Happens::Pursue(goal) => {
                    keeps.pursue(goal.clone());
                    forgets.pursue(goal);
                }
                Happens::Careful => {
                    scenario = scenario.with_margins(Margins { damage: 2.0, radius: 1.5 });
                }
                Happens::Rebuilt => {
                    scenario = rebuilt(if has_wolf { WOLF } else { "" });
                    keeps.level_changed();
                    forgets.level_changed();
                }
            }
        }
    }
}

/// Makes a plan in a world that waits for it, in decisions of so many units.
fn plan_in_slices(
    character: &mut Character<Scenario>,
    scenario: &Scenario,
    world: &World,
    units: u64,
) -> (Doing, Vec<WorldStep>) {
    loop {
        character.decide(scenario, world, &mut Budget::units(units));
        if character.doing() != Doing::Thinking {
            return (character.doing(), character.ahead(scenario));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Where thinking is interrupted makes no difference to what is thought: a plan is followed once
    /// it is as good as its planner proves, not once there is one. Nor does what was kept before.
    #[test]
    fn plans_are_the_same_however_thinking_is_cut(
        units in prop_oneof![1..4u64, 4..1500u64],
        planner in prop::sample::select(PlannerName::ALL.to_vec()),
        bound in prop::sample::select(vec![None, Weight::new(1.01).ok(), Weight::new(1.2).ok()]),
        goal in goals(),
        shows in any::<bool>(),
        has_wolf in any::<bool>(),
    ) {
        let scenario = if has_wolf { level_with_a_wolf() } else { still_level() };
        let shown = if shows { demonstrations(&scenario) } else { Vec::new() };
        // The nearer the plan must be to the best, the longer there is one that is not proven.
        let settings = Settings { planner, bound, ..Settings::default() };
        let checked = settings.check(&scenario, &shown[..]).expect("the settings fit");
        let world = World::new(&scenario);
        let mut character = Character::new(checked.planner, Abilities::default());
        let plan = |character: &mut Character<Scenario>, units: u64| {
            character.pursue(goal.clone());
            plan_in_slices(character, &scenario, &world, units)
        };
        let whole = plan(&mut character, u64::MAX);
        prop_assert_eq!(&plan(&mut character, units), &whole, "what was made ready is kept");
        character.forget();
        prop_assert_eq!(&plan(&mut character, units), &whole, "nothing is kept");
    }
}

/// What a heuristic is asked about, one after the other: a world that was disturbed, a goal, and how
/// many units it may spend.
type Asked = (Vec<Observation>, Goal, u64);

/// States looked at in each quest.
const MOST_STATES: usize = 150;

/// Asks one heuristic after every other, and a new one each time they are ready.
fn check<Q: Quest, H: Heuristic<Q>>(
    quests: &[(Q, u64)],
    name: &str,
    made: impl Fn() -> H,
) -> Result<(), TestCaseError> {
    let mut kept = made();
    for (quest, units) in quests {
        if !kept.prepare(quest, &mut Budget::units(*units)) {
            // It is interrupted, and the next one asks for something else.
            continue;
        }
        let mut anew = made();
        anew.prepare(quest, &mut Budget::unlimited());
        let estimates = |heuristic: &mut H| -> Vec<Cost> {
            let states = states(quest, MOST_STATES);
            let estimates = states.iter().map(|state| heuristic.estimate(quest, state));
            estimates.collect()
        };
        prop_assert_eq!(estimates(&mut kept), estimates(&mut anew), "{}", name);
        prop_assert_eq!(kept.promise(), anew.promise());
        prop_assert_eq!(kept.inflation(), anew.inflation());
    }
    Ok(())
}

/// The landmarks that are events of a scenario.
fn events(scenario: &Scenario) -> Vec<LandmarkId> {
    let events = scenario.events().iter();
    events
        .filter_map(|event| scenario.landmark(*event))
        .collect()
}

fn check_all<Q: Quest>(quests: &[(Q, u64)], scenario: &Scenario) -> Result<(), TestCaseError> {
    let inflation = Weight::new(5.0).expect("a weight");
    let shown: Arc<[Demonstration]> = demonstrations(scenario).into();
    for mode in [ExperienceMode::ProjectNodes, ExperienceMode::HeuristicOnly] {
        let made = || EGraphHeuristic::new(shown.clone(), inflation, mode);
        check(quests, "E-Graph", made)?;
        let by_event =
            || EventHeuristic::new(scenario.landmarks(), events(scenario)[0]).recalling(made());
        check(quests, "event by E-Graph", by_event)?;
    }
    let proven = TrainingSettings::with_inflation(inflation);
    let published = TrainingSettings {
        projection: Projection::Perpendicular,
        corridor: Corridor::Field,
        ..proven
    };
    let asked = TrainingSettings {
        start_edge: StartEdge::Query,
        ..published
    };
    for settings in [proven, published, asked] {
        let following = || TGraphHeuristic::new(shown.clone(), settings);
        check(quests, "T-Graph", following)?;
        check(quests, "gaits", || MannerHeuristic::new(following()))?;
        for metric in [
            EventMetric::Straight,
            EventMetric::Path,
            EventMetric::Training,
        ] {
            let by_event = || {
                let by_event = EventHeuristic::new(scenario.landmarks(), events(scenario)[0])
                    .following(following());
                by_event.measured(metric, &following())
            };
            check(quests, "event", by_event)?;
        }
    }
    let first = events(scenario).into_iter().take(1);
    check(quests, "errands", KeyDoorHeuristic::default)?;
    check(quests, "wary", || {
        Wary::new(KeyDoorHeuristic::default(), KeyDoorHeuristic::default())
    })?;
    check(quests, "first", || {
        KeyDoorHeuristic::default().with_first(first.clone())
    })?;
    for reach in [5.0, 100.0] {
        let along = || {
            let following = TGraphHeuristic::new(shown.clone(), proven);
            KeyDoorHeuristic::default().along(following, inflation.as_f64(), reach)
        };
        check(quests, "trail", along)?;
        check(quests, "first along the trail", || {
            along().with_first(first.clone())
        })?;
    }
    Ok(())
}

/// Quests in order, each with the units it may be prepared with.
#[derive(Default)]
struct Quests {
    still: Vec<(StillQuest, u64)>,
    moving: Vec<(QuestProblem, u64)>,
}

impl Quests {
    fn of(scenario: &Scenario, asked: &[Asked]) -> Quests {
        let mut quests = Quests::default();
        for (number, (disturbances, goal, units)) in asked.iter().enumerate() {
            let mut world = World::new(scenario);
            for disturbance in disturbances {
                world.observe(scenario, *disturbance);
            }
            let margins = Margins {
                damage: 1.0 + number as f64,
                radius: 1.0,
            };
            let scenario = scenario.clone().with_margins(margins);
            match AnyQuest::new(&scenario, &world, goal, Abilities::default()) {
                AnyQuest::Still(quest) => quests.still.push((quest, *units)),
                AnyQuest::Moving(quest) => quests.moving.push((quest, *units)),
            }
        }
        quests
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Wherever a heuristic was asked before and however it was interrupted, it says what a new one
    /// says.
    #[test]
    fn heuristics_say_what_new_ones_say(
        asked in prop::collection::vec(
            (
                prop::collection::vec(disturbances(), 0..3),
                goals(),
                prop_oneof![Just(u64::MAX), 0..400u64],
            ),
            2..6,
        ),
        has_wolf in any::<bool>(),
    ) {
        let scenario = if has_wolf { level_with_a_wolf() } else { still_level() };
        let quests = Quests::of(&scenario, &asked);
        check_all(&quests.still, &scenario)?;
        check_all(&quests.moving, &scenario)?;
    }
}

/// A wolf behind a door: who is in its sight changes when the door does, although it stays where it
/// is.
#[test]
fn what_enemies_see_is_looked_at_again_when_doors_change() {
    let wolf = "enemy = [{ id = 'grey', kind = 'wolf', at = [10, 5] }]
        rules = { line_of_sight = true }";
    let scenario = level(wolf);
    let south = DoorId::new(1);
    let before_the_door = Goal::Within {
        at: Point::new(6.0, 5.0),
        height: None,
        radius: 0.0,
    };
    let quests = [Observation::Open(south), Observation::Shut(south)].map(|disturbance| {
        let mut world = World::new(&scenario);
        world.observe(&scenario, disturbance);
        match AnyQuest::new(&scenario, &world, &before_the_door, Abilities::default()) {
            AnyQuest::Moving(quest) => (quest, u64::MAX),
            AnyQuest::Still(_) => panic!("the wolf moves"),
        }
    });
    let made = || Wary::new(KeyDoorHeuristic::default(), KeyDoorHeuristic::default());
    check(&quests, "wary", made).unwrap_or_else(|error| panic!("{error}"));
}

/// Rounds that are made otherwise, but go to the same places, are spared the sweeps, and say what
/// they would have said.
#[test]
fn what_is_swept_for_one_round_serves_others() {
    let scenario = still_level();
    let AnyQuest::Still(quest) = scenario.quest() else {
        panic!("nothing moves here")
    };
    let prepared = |mut errands: KeyDoorHeuristic<Map>| {
        let mut budget = Budget::unlimited();
        assert!(errands.prepare(&quest, &mut budget));
        let states = states(&quest, MOST_STATES);
        let estimates = states.iter().map(|state| errands.estimate(&quest, state));
        (budget.taken(), estimates.collect::<Vec<Cost>>())
    };
    let first = events(&scenario).into_iter().take(1);
    let mut plain = KeyDoorHeuristic::default();
    assert!(plain.prepare(&quest, &mut Budget::unlimited()));
    let others: [&dyn Fn(KeyDoorHeuristic<Map>) -> KeyDoorHeuristic<Map>; 3] = [
        &|errands| errands.unaided(),
        &|errands| errands.wary(),
        &|errands| errands.with_first(first.clone()),
    ];
    for other in others {
        let (units, estimates) = prepared(other(plain.clone()));
        let (alone, expected) = prepared(other(KeyDoorHeuristic::default()));
        assert!(units * 4 < alone, "{units} instead of {alone}");
        assert_eq!(estimates, expected);
    }
}

/// The units of budget that the first plan takes, and one from further on after something changed.
fn units(
    scenario: &Scenario,
    shown: &[Demonstration],
    is_further_on: impl Fn(&World) -> bool,
) -> (u64, u64) {
    let checked = Settings::default().check(scenario, shown);
    let planner = checked.expect("the settings fit").planner;
    let mut character = Character::new(planner, Abilities::default());
    let mut world = World::new(scenario);
    let tick = |character: &mut Character<Scenario>, world: &mut World| {
        let mut budget = Budget::unlimited();
        let order = character.decide(scenario, world, &mut budget);
        world.advance(
            scenario,
            &Orders::new(order),
            Duration::from_millis(100),
            &mut (),
        );
        budget.taken()
    };
    let first = tick(&mut character, &mut world);
    assert_eq!(character.doing(), Doing::Following);
    while !is_further_on(&world) {
        assert_eq!(tick(&mut character, &mut world), 0);
        assert_eq!(character.doing(), Doing::Following);
    }
    character.level_changed();
    let second = tick(&mut character, &mut world);
    // It goes on along the old plan for a moment, and begins the new one there.
    while character.doing() == Doing::Thinking {
        assert_eq!(tick(&mut character, &mut world), 0);
    }
    assert_eq!(character.plans(), 2);
    (first, second)
}

#[test]
fn another_plan_takes_a_fraction_of_the_first() {
    for (name, part) in [("k1d1_close", 10), ("quest_compound", 10), ("grotto", 5)] {
        let scenario = shipped(name);
        for shown in [drawn(&scenario), Vec::new()] {
            let is_later = |world: &World| world.time() > Duration::from_secs(4);
            let (first, second) = units(&scenario, &shown, is_later);
            assert!(second < first / part, "{name}: {first}, then {second}");
        }
    }
}

/// Whoever holds the key of a door gets through whether it is open or not.
#[test]
fn a_door_that_the_character_opened_itself_changes_nothing_that_is_kept() {
    let scenario = shipped("k1d1_close");
    let is_through = |world: &World| world.is_open(DoorId::new(0));
    let (first, second) = units(&scenario, &[], is_through);
    assert!(second < first / 10, "{first}, then {second}");
}
