//! Where harm has a price, `auto` goes round what hurts; and it fetches nothing that serves nothing.

use apprentice_behavior::Settings;
use apprentice_search::{Budget, Search};
use apprentice_world::{AnyQuest, Order, Prices, Quest, Scenario, Verified, verify};

/// What `auto` finds within a budget, lived through.
fn planned(scenario: &Scenario) -> Option<Verified> {
    match &scenario.quest() {
        AnyQuest::Still(quest) => planned_in(quest),
        AnyQuest::Moving(quest) => planned_in(quest),
    }
}

fn planned_in<Q: Quest + 'static>(quest: &Q) -> Option<Verified> {
    let planner = Settings::default().check(quest.scenario(), []);
    let planner = planner.unwrap_or_else(|error| panic!("{error}")).planner;
    let mut named = planner
        .search(quest)
        .unwrap_or_else(|error| panic!("{error}"));
    named.search.run(quest, &mut Budget::units(50_000));
    let path = named.search.path()?;
    let orders: Vec<Order> = path.actions().copied().collect();
    let lived = verify(quest.scenario(), quest.start_world(), &orders, quest.goal());
    let lived = lived.unwrap_or_else(|invalid| panic!("{invalid}"));
    assert_eq!(lived.cost, path.cost);
    Some(lived)
}

fn read(text: &str) -> Scenario {
    Scenario::parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// A guard at `at` in a field of 15 by 9 cells, which is to be crossed.
fn field(at: (u32, u32)) -> Scenario {
    let row = "...............";
    let rows = [row; 9];
    read(&format!(
        "format = 1\nstart = [0, 4]\ngoal = {{ within = {{ at = [14, 4], radius = 0.0 }} }}\n\
         enemy = [{{ id = \"guard\", kind = \"guard\", at = [{}, {}] }}]\nmap = {{ rows = {rows:?} }}\n",
        at.0, at.1
    ))
}

#[test]
fn a_guard_in_the_way_is_gone_round() {
    for at in [(7, 2), (7, 3), (7, 6), (5, 5), (9, 2)] {
        let prices = Prices::new(0.5, 0.0).expect("it is a price");
        let lived = planned(&field(at).with_prices(prices)).expect("there is a way");
        let health = lived.steps.last().map(|step| step.health);
        assert_eq!(health, Some(100.0), "a guard at {at:?}");
    }
}

#[test]
fn a_key_that_opens_nothing_is_left_where_it_is() {
    let scenario = read(
        r#"
        format = 1
        start = [0, 0]
        goal = { within = { at = [9, 0], radius = 0.0 } }
        map = { rows = ["..........", "..........", "..........", "..........", ".........."] }
        key = [{ id = "rusty", at = [4, 4], opens = ["cellar"] }, { id = "odd", at = [2, 4], opens = [] }]
        door = [{ id = "cellar", at = [[0, 4]] }]
        item = [{ id = "cup", at = [6, 4] }]
    "#,
    );
    let lived = planned(&scenario).expect("there is a way");
    let holding = lived.steps.last().map(|step| step.holding.len());
    assert_eq!(holding, Some(0));
    assert_eq!(lived.cost.as_seconds(), 9.0);
}
