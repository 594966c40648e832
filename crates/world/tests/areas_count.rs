//! Areas in which a second counts as more or as less: plans go around them or through them, what is
//! proven is proven of what they cost, and no bound promises more.

use std::time::Duration;

use crate::consistency::{MOST_STATES, check_consistency};
use crate::dungeon::{Dice, Inhabitants};
use apprentice_search::{BestFirst, Blind, Budget, Heuristic, Search, Status, astar};
use apprentice_world::{
    Abilities, AnyQuest, Order, Quest, QuestProblem, Scenario, ShortestPath, StraightLine,
    Verified, World, rehearse, verify,
};
use proptest::prelude::*;

fn parsed(text: &str) -> Scenario {
    Scenario::parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// A field seven cells wide with an area in its middle column.
fn field(more: &str) -> Scenario {
    parsed(&format!(
        "format = 1\nstart = [0, 2]\ngoal = {{ within = {{ at = [6, 2], radius = 0.0 }} }}\n\
         map = {{ rows = ['.......', '.......', '.......', '.......', '.......'] }}\n{more}"
    ))
}

fn lived_through<Q: Quest>(quest: &Q) -> Verified {
    let path = astar(quest, StraightLine).expect("there is a way");
    let orders: Vec<Order> = path.actions().copied().collect();
    let (scenario, start) = (quest.scenario(), quest.start_world());
    let lived = verify(scenario, start, &orders, quest.goal());
    let lived = lived.unwrap_or_else(|invalid| panic!("{invalid}"));
    assert_eq!(lived.cost, path.cost);
    for tick in [16, 33] {
        let tick = Duration::from_millis(tick);
        let played = rehearse(scenario, start, &orders, quest.goal(), tick);
        let played = played.unwrap_or_else(|invalid| panic!("{tick:?}: {invalid}"));
        assert_eq!(played.cost, lived.cost);
    }
    lived
}

/// The best plan, which is the same whether states are whole worlds or eight bytes.
fn best(scenario: &Scenario) -> Verified {
    let AnyQuest::Still(still) = scenario.quest() else {
        panic!("nothing moves")
    };
    let world = World::new(scenario);
    let whole = QuestProblem::new(scenario, &world, scenario.goal(), Abilities::default());
    let (still, whole) = (lived_through(&still), lived_through(&whole));
    assert_eq!(still.cost, whole.cost);
    still
}

fn seconds_in(lived: &Verified, scenario: &Scenario) -> usize {
    let places = &scenario.areas()[0].places;
    let inside = lived
        .steps
        .iter()
        .filter(|step| places.contains(&step.place));
    inside.count()
}

#[test]
fn one_keeps_out_of_where_a_second_counts_as_more() {
    let swamp = "area = [{ id = 'swamp', from = [2, 1], to = [4, 3], counts = 5.0 }]";
    let scenario = field(swamp);
    let lived = best(&scenario);
    assert_eq!(seconds_in(&lived, &scenario), 0);
    assert_eq!(lived.cost, lived.time(), "nothing was paid for");
    // Where there is no other way it is gone through, and costs what it costs.
    let wide = field("area = [{ id = 'swamp', from = [3, 0], to = [3, 4], counts = 5.0 }]");
    let lived = best(&wide);
    assert_eq!(
        (lived.time().as_seconds(), lived.cost.as_seconds()),
        (6.0, 10.0)
    );
}

#[test]
fn one_goes_where_a_second_counts_as_less() {
    let road = "area = [{ id = 'road', from = [0, 0], to = [6, 0], counts = 0.1 }]";
    let scenario = field(road);
    let lived = best(&scenario);
    assert!(seconds_in(&lived, &scenario) >= 3, "{:?}", lived.time());
    assert!(lived.time().as_seconds() > 6.0 && lived.cost.as_seconds() < 6.0);
}

#[test]
fn areas_that_overlap_count_together_and_some_mind_only_some() {
    let round = "area = [{ id = 'fire', at = [3, 2], radius = 1.0, counts = 2.0, who = ['player'] }]\n\
                 player = { at = [0, 0] }";
    let scenario = field(round);
    assert_eq!(scenario.areas()[0].places.len(), 5);
    assert_eq!(best(&scenario).cost.as_seconds(), 6.0);
    let both = "area = [{ id = 'a', from = [3, 0], to = [3, 4], counts = 2.0 },\n\
                { id = 'b', from = [3, 4], to = [3, 0], counts = 3.0, who = ['npc'] }]";
    assert_eq!(best(&field(both)).cost.as_seconds(), 11.0);
}

#[test]
fn what_makes_no_sense_is_an_error() {
    for (more, said) in [
        (
            "area = [{ id = 'a', from = [1, 0], to = [2, 0] }]",
            "counts",
        ),
        (
            "area = [{ id = 'a', from = [1, 0], to = [2, 0], counts = 0 }]",
            "counts",
        ),
        ("area = [{ id = 'a', from = [1, 0], counts = 2 }]", "to"),
        (
            "area = [{ id = 'a', at = [1, 0], to = [2, 0], counts = 2 }]",
            "to",
        ),
        (
            "area = [{ id = 'a', at = [1, 0], counts = 2, who = ['nobody'] }]",
            "nobody",
        ),
    ] {
        let text = format!(
            "format = 1\nstart = [0, 0]\ngoal = {{ all = [] }}\nmap = {{ rows = ['.....'] }}\n{more}"
        );
        let error = Scenario::parse(&text).expect_err(more).to_string();
        assert!(
            error.contains(said) && error.contains("line 5"),
            "{more}: {error}"
        );
    }
}

/// A random level with areas in it, some that cost and some that are liked.
fn patched(seed: u64, inhabitants: Inhabitants) -> (String, Scenario) {
    let (text, scenario) = crate::dungeon::random(seed, inhabitants);
    let mut dice = Dice::new(!seed);
    let (_, last) = scenario.map().bounds();
    let point = |dice: &mut Dice| {
        let (x, y) = (
            dice.below(last.x as usize + 1),
            dice.below(last.y as usize + 1),
        );
        format!("[{x}, {y}]")
    };
    let mut text = text;
    for number in 0..1 + dice.below(3) {
        let (from, to) = (point(&mut dice), point(&mut dice));
        let counts = [0.25, 0.7, 1.0, 1.3, 3.0, 20.0][dice.below(6)];
        text += &format!(
            "[[area]]\nid = \"area{number}\"\nfrom = {from}\nto = {to}\ncounts = {counts}\n"
        );
    }
    let scenario = parsed(&text);
    (text, scenario)
}

fn check<Q: Quest>(quest: &Q, text: &str) {
    let mut along = ShortestPath::default();
    check_consistency(quest, &mut StraightLine, text);
    check_consistency(quest, &mut along, text);
    let promised = along.estimate(quest, &quest.start());
    let mut search = BestFirst::astar(Blind);
    search.run(quest, &mut Budget::units(MOST_STATES));
    let Some(path) = search.path() else { return };
    assert!(
        promised <= path.cost,
        "{promised} promised, {} needed\n{text}",
        path.cost
    );
    let orders: Vec<Order> = path.actions().copied().collect();
    let lived = verify(quest.scenario(), quest.start_world(), &orders, quest.goal());
    let lived = lived.unwrap_or_else(|invalid| panic!("{invalid}\n{text}"));
    assert_eq!(lived.cost, path.cost, "{text}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn bounds_hold_in_areas(seed: u64, still: bool, waits: bool, runs: bool) {
        let inhabitants = if still { Inhabitants::Still } else { Inhabitants::Moving };
        let (text, scenario) = patched(seed, inhabitants);
        let abilities = Abilities { waits, runs, ..Abilities::default() };
        match scenario.quest_with(abilities) {
            AnyQuest::Still(quest) => check(&quest, &text),
            AnyQuest::Moving(quest) => check(&quest, &text),
        }
    }

    #[test]
    fn small_states_cost_the_same(seed: u64) {
        let (text, scenario) = patched(seed, Inhabitants::Still);
        let AnyQuest::Still(still) = scenario.quest() else { return Ok(()) };
        let world = World::new(&scenario);
        let whole = QuestProblem::new(&scenario, &world, scenario.goal(), Abilities::default());
        let units = 40 * MOST_STATES;
        let (mut first, mut second) = (BestFirst::astar(Blind), BestFirst::astar(Blind));
        let first_status = first.run(&still, &mut Budget::units(units));
        let second_status = second.run(&whole, &mut Budget::units(units));
        if first_status == Status::Finished && second_status == Status::Finished {
            let (first, second) = (first.path(), second.path());
            assert_eq!(first.map(|it| it.cost), second.map(|it| it.cost), "{text}");
        }
    }
}
