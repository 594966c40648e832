//! Who is planned for makes no difference but to who it is, and others behave in plans as they are said
//! to.

use std::sync::Arc;
use std::time::Duration;

use crate::dungeon::{Dice, Inhabitants};
use apprentice_search::{BestFirst, Budget, Search};
use apprentice_world::{
    Abilities, AgentId, AnyQuest, Direction, Gait, Order, PackedWorld, Point, Quest, Replayed,
    Role, RoleError, Scenario, Script, Stance, Standing, StillState, StraightLine, Why, World,
    rehearse_as, verify, verify_as,
};
use proptest::prelude::*;

const TICK: Duration = Duration::from_millis(16);

/// A plan that works: its orders, and what it took to find it.
fn plan<Q: Quest>(quest: &Q) -> (Option<Vec<Order>>, u64) {
    let mut search = BestFirst::astar(StraightLine);
    search.run(quest, &mut Budget::units(3_000));
    let path = search.path();
    let orders: Option<Vec<Order>> = path.map(|path| path.actions().copied().collect());
    if let Some(orders) = &orders {
        let (scenario, start) = (quest.scenario(), quest.start_world());
        let lived = verify_as(&quest.role(), scenario, start, orders, quest.goal());
        assert!(lived.is_ok(), "{lived:?}");
    }
    (orders, search.statistics().expanded)
}

fn plan_for(scenario: &Scenario, role: &Role) -> (Option<Vec<Order>>, u64) {
    let quest = scenario.quest_for(role, Abilities::default());
    match &quest.expect("it takes orders") {
        AnyQuest::Still(quest) => plan(quest),
        AnyQuest::Moving(quest) => plan(quest),
    }
}

/// A dungeon with one more character: at first the one at `start` is planned for, then the other,
/// which stands where the first stood.
fn swapped(seed: u64, inhabitants: Inhabitants) -> Option<(String, [Scenario; 2])> {
    let (text, scenario) = crate::dungeon::random(seed, inhabitants);
    let here = scenario.actors()[0].start;
    let mut dice = Dice::new(seed ^ 0xA11A);
    let free: Vec<_> = scenario
        .grid()?
        .free_cells()
        .map(|it| it.center())
        .collect();
    let there = free[dice.below(free.len())];
    if scenario.actors().len() > 1 || here == there {
        return None;
    }
    let hidden = "undetectable_by = ['guard', 'sentinel', 'wolf', 'superwolf', 'bear', 'killer_bear', 'wasp']\n";
    let health = scenario.actors()[0].health;
    let start = format!("start = [{}, {}]\n", here.x, here.y);
    assert!(text.contains(&start), "{text}");
    let level = |start_at: Point, anna_at: Point| {
        let is_first = start_at == here;
        let (mine, hers) = if is_first { ("", hidden) } else { (hidden, "") };
        let text = text.replace(
            &start,
            &format!("start = [{}, {}]\n{mine}", start_at.x, start_at.y),
        );
        let text = format!(
            "{text}\n[[actor]]\nid = 'anna'\nat = [{}, {}]\nhealth = {health}\nfights = false\n{hers}",
            anna_at.x, anna_at.y
        );
        Scenario::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
    };
    let levels = [level(here, there), level(there, here)];
    Some((text, levels))
}

/// Whether somebody who walks `way` from `start` may come by something that can be taken.
fn walks_over_things(scenario: &Scenario, start: Point, way: Direction) -> bool {
    let (dx, dy) = way.offset();
    let size = scenario
        .grid()
        .map_or(0, |grid| grid.width().max(grid.height()));
    scenario.items().iter().any(|item| {
        (0..=size).any(|steps| {
            let (x, y) = (
                start.x + f64::from(dx) * steps as f64,
                start.y + f64::from(dy) * steps as f64,
            );
            item.at.x == x && item.at.y == y
        })
    })
}

fn check_swapped(seed: u64, inhabitants: Inhabitants, way: Option<Direction>) {
    let Some((text, [first, second])) = swapped(seed, inhabitants) else {
        return;
    };
    // Of two who arrive at once, the one who is listed first takes what lies there: that is no
    // difference of plans.
    if way.is_some_and(|way| walks_over_things(&first, second.actors()[0].start, way)) {
        return;
    }
    let script = way.map(|way| Arc::new(Standing(Order::Step(way, Stance::new(Gait::Walk)))));
    let anna = first.actor("anna").expect("there she is");
    let roles = [(AgentId::NPC, anna), (anna, AgentId::NPC)].map(|(who, other)| {
        let role = Role::of(who);
        match &script {
            Some(script) => role.with(other, Arc::clone(script) as Arc<dyn Script + Send + Sync>),
            None => role,
        }
    });
    let plans = [plan_for(&first, &roles[0]), plan_for(&second, &roles[1])];
    assert_eq!(plans[0], plans[1], "{text}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn plans_are_the_same_where_two_are_swapped(seed: u64) {
        check_swapped(seed, Inhabitants::Still, None);
    }

    #[test]
    fn also_where_enemies_move(seed: u64) {
        check_swapped(seed, Inhabitants::Moving, None);
    }

    #[test]
    fn also_where_a_script_decides_for_the_other(seed: u64, direction in 0..8usize) {
        check_swapped(seed, Inhabitants::Still, Some(Direction::ALL[direction]));
    }
}

/// A gate that only somebody beyond it can open.
const GATE: &str = "
    format = 1
    start = [0, 0]
    goal = { within = { at = [2, 0], radius = 0.0 } }
    map = { rows = ['...#.....'] }
    door = [{ id = 'gate', at = [[1, 0]] }]
    lever = [{ id = 'winch', at = [8, 0], opens = ['gate'] }]
    player = { at = [4, 0] }
    actor = [{ id = 'anna', at = [6, 0], goal = { lever = 'winch' } }, { id = 'ben', at = [5, 0] }]
";

fn gate() -> Scenario {
    Scenario::parse(GATE).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn plans_count_on_what_others_are_said_to_do() {
    let scenario = gate();
    let world = World::new(&scenario);
    assert_eq!(plan_for(&scenario, &Role::default()).0, None);
    let east = Order::Step(Direction::East, Stance::new(Gait::Walk));
    let model = Replayed::new([
        (Duration::ZERO, east),
        (Duration::from_secs(9), Order::WAIT),
    ]);
    let role = Role::default().with(AgentId::PLAYER, Arc::new(model));
    let abilities = Abilities {
        waits: true,
        ..Abilities::default()
    };
    let quest = scenario
        .quest_for(&role, abilities)
        .expect("it takes orders");
    let AnyQuest::Moving(quest) = quest else {
        panic!("the player moves");
    };
    assert_eq!(quest.role(), role);
    let orders = plan(&quest).0.expect("the player opens the gate");
    let lived = verify_as(&role, &scenario, &world, &orders, scenario.goal());
    assert!(lived.is_ok(), "{lived:?}");
    let lived = rehearse_as(&role, &scenario, &world, &orders, scenario.goal(), TICK);
    assert!(lived.is_ok(), "{lived:?}");
    // Where the player stays where it is, the gate stays shut.
    let error = verify(&scenario, &world, &orders, scenario.goal()).unwrap_err();
    assert!(matches!(error.why, Why::Blocked { .. }), "{error}");
}

#[test]
fn everybody_has_a_goal() {
    let scenario = gate();
    let anna = scenario.actor("anna").expect("she is there");
    assert_eq!(anna, AgentId::Actor(2));
    let annas = scenario.for_agent(anna).expect("she takes orders");
    let orders = plan_for(&scenario, &Role::of(anna)).0.expect("she is near");
    let lived = verify(&annas, &World::new(&annas), &orders, annas.goal());
    // A step nearer it is within reach.
    assert_eq!(lived.expect("it works").steps.len(), 1);
    assert_ne!(annas.digest(), scenario.digest());
    let ben = scenario.actor("ben").expect("he is there");
    assert_eq!(scenario.goal_of(ben), scenario.goal());
}

#[test]
fn who_is_not_there_is_an_error() {
    let scenario = gate();
    let missing = RoleError::Missing {
        number: 9,
        count: 4,
    };
    assert_eq!(scenario.for_agent(AgentId::Actor(9)).err(), Some(missing));
    let enemy = Role::of(AgentId::Enemy(0));
    assert!(matches!(
        enemy.check(&scenario),
        Err(RoleError::Enemy { .. })
    ));
    let error = scenario.actor("bne").unwrap_err().to_string();
    assert!(error.contains("did you mean `ben`"), "{error}");
}

#[test]
fn mistakes_about_actors_are_named() {
    for (actor, message) in [
        ("{ at = [1, 0] }", "`id`"),
        (
            "{ id = 'a', at = [1, 0], rute = [[2, 0]] }",
            "did you mean `route`?",
        ),
        ("{ id = 'npc', at = [1, 0] }", "npc"),
        ("{ id = 'a', at = [9, 9] }", "a"),
        (
            "{ id = 'a', at = [1, 0], goal = { holds = 'ring' } }",
            "ring",
        ),
    ] {
        let text = format!(
            "format = 1\nstart = [0, 0]\ngoal = {{ all = [] }}\nmap = {{ rows = ['...'] }}\nactor = [{actor}]"
        );
        let error = Scenario::parse(&text).expect_err(actor).to_string();
        assert!(
            error.starts_with("line 5") && error.contains(message),
            "{error}"
        );
    }
    let too_many = |table: &str, most: usize| {
        let mut text = String::from(
            "format = 1\nstart = [0, 0]\ngoal = { all = [] }\nmap = { rows = ['...'] }\n",
        );
        for number in 0..=most {
            text += &format!("[[{table}]]\nid = 'a{number}'\nat = [1, 0]\n");
            if table == "enemy" {
                text += "kind = 'wolf'\n";
            }
        }
        let error = Scenario::parse(&text).expect_err("too many").to_string();
        assert!(error.contains("1000"), "{error}");
    };
    too_many("actor", Scenario::MOST_ACTORS);
    too_many("enemy", Scenario::MOST_ENEMIES);
}

#[test]
fn worlds_with_many_begin_midway() {
    let scenario = gate();
    let mut world = World::new(&scenario);
    let east = Order::Step(Direction::East, Stance::new(Gait::Walk));
    let others = [(AgentId::Actor(2), east), (AgentId::Actor(3), Order::WAIT)];
    let orders = apprentice_world::Orders::new(Order::WAIT).with_orders(&others);
    world.advance(&scenario, &orders, Duration::from_millis(1500), &mut ());
    let text = format!(
        "{}{}",
        GATE.replace("[6, 0]", "[7, 0]"),
        world.snapshot(&scenario)
    );
    let later = Scenario::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(World::new(&later).digest(), world.digest(), "{text}");
}

/// What fits into a state fits as it did.
#[test]
fn states_are_as_small_as_they_were() {
    assert!(size_of::<PackedWorld>() <= 208);
    assert_eq!(size_of::<StillState>(), 8);
}
