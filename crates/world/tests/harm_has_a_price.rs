//! Health that is lost and being noticed cost what the level says, in every plan and wherever a plan is
//! lived through.

use apprentice_search::{Search, astar_search};
use apprentice_world::{AnyQuest, Order, Prices, Quest, Scenario, StraightLine, Verified, verify};

/// A guard beside the straight way, and room to go round it.
const BESIDE_A_GUARD: &str = r#"
format = 1
start = [0, 4]
goal = { within = { at = [14, 4], radius = 0.0 } }
enemy = [{ id = "guard", kind = "guard", at = [7, 2] }]
[map]
rows = [
  "...............",
  "...............",
  "...............",
  "...............",
  "...............",
  "...............",
  "...............",
]
"#;

/// A wolf that hears whoever walks past it, and nobody who sneaks far enough away.
const BESIDE_A_WOLF: &str = r#"
format = 1
start = [0, 7]
goal = { within = { at = [20, 7], radius = 0.0 } }
enemy = [{ id = "grey", kind = "wolf", at = [10, 0] }]
[map]
rows = [
  ".....................",
  ".....................",
  ".....................",
  ".....................",
  ".....................",
  ".....................",
  ".....................",
  ".....................",
]
"#;

fn best(scenario: &Scenario) -> Option<Verified> {
    match &scenario.quest() {
        AnyQuest::Still(quest) => best_of(quest),
        AnyQuest::Moving(quest) => best_of(quest),
    }
}

/// The best plan, lived through without the search: it costs what the search says.
fn best_of<Q: Quest>(quest: &Q) -> Option<Verified> {
    let search = astar_search(quest, StraightLine);
    let path = search.path()?;
    let orders: Vec<Order> = path.actions().copied().collect();
    let lived = verify(quest.scenario(), quest.start_world(), &orders, quest.goal());
    let lived = lived.unwrap_or_else(|invalid| panic!("{invalid}"));
    assert_eq!(lived.cost, path.cost);
    Some(lived)
}

fn lost(lived: &Verified) -> f64 {
    let last = lived.steps.last();
    last.map_or(0.0, |step| 100.0 - step.health)
}

#[test]
fn a_wound_is_worth_a_detour() {
    let scenario = Scenario::parse(BESIDE_A_GUARD).unwrap_or_else(|error| panic!("{error}"));
    let hasty = best(&scenario).expect("there is a way");
    assert_eq!(hasty.cost, hasty.time());
    assert!(lost(&hasty) > 0.0, "the straight way passes the guard");
    let priced = scenario.with_prices(Prices::new(1.0, 0.0).expect("it is a price"));
    let wary = best(&priced).expect("there is a way");
    assert_eq!(lost(&wary), 0.0);
    assert!(wary.time() > hasty.time(), "the way round takes longer");
    assert!(wary.cost.as_seconds() <= hasty.cost.as_seconds() + lost(&hasty));
}

#[test]
fn being_noticed_is_worth_a_detour() {
    let scenario = Scenario::parse(BESIDE_A_WOLF).unwrap_or_else(|error| panic!("{error}"));
    let noticed = |lived: &Verified| {
        let worlds = lived.steps.iter().map(|step| &step.world);
        let grey = apprentice_world::AgentId::Enemy(0);
        worlds
            .clone()
            .any(|world| world.target(grey, &scenario).is_some())
    };
    let hasty = best(&scenario).expect("there is a way");
    assert!(noticed(&hasty));
    let prices = Prices::new(0.0, 60.0).expect("it is a price");
    let wary = best(&scenario.clone().with_prices(prices)).expect("there is a way");
    assert!(!noticed(&wary));
    assert!(wary.time() > hasty.time());
}

#[test]
fn what_costs_nothing_changes_nothing() {
    let text = BESIDE_A_GUARD.replace("[map]", "[prices]\nharm = 0\n[map]");
    let free = Scenario::parse(BESIDE_A_GUARD).unwrap_or_else(|error| panic!("{error}"));
    let said = Scenario::parse(&text).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(free.digest(), said.digest());
    let priced = Scenario::parse(&text.replace("harm = 0", "harm = 0.5"));
    let priced = priced.unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(priced.prices().harm(), 0.5);
    assert_ne!(free.digest(), priced.digest());
    assert_eq!(priced.with_prices(Prices::NONE).digest(), free.digest());
}

#[test]
fn what_is_no_price_is_told() {
    for (line, says) in [
        ("harm = -1", "harm"),
        ("notice = 1e9", "notice"),
        ("harm = 'much'", "harm"),
        ("pain = 1", "pain"),
    ] {
        let text = BESIDE_A_GUARD.replace("[map]", &format!("[prices]\n{line}\n[map]"));
        let error = Scenario::parse(&text)
            .expect_err("that is no price")
            .to_string();
        assert!(error.contains(says), "{line}: {error}");
    }
}
