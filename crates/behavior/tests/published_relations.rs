//! What the papers report about following demonstrations, as relations between counts and costs on
//! the shipped scenarios. Times are never compared.

use crate::quests::{
    auto, drawn, mha, optimum, plan, plan_with, shipped, tgraph, tgraph_of, wastar, weight,
};
use apprentice_behavior::{EGraphHeuristic, PlannerName, Settings};
use apprentice_experience::{Demonstration, ExperienceMode, Place, Projection};
use apprentice_search::{Budget, Heuristic, Problem};
use apprentice_world::{
    AgentId, Branching, Event, Gait, Manner, Order, QuestAtPlace, Rules, Scenario, Thing, World,
};

const TRAINING: [&str; 8] = [
    "bear_bypass",
    "grotto",
    "k1d1_exact",
    "k1d1_close",
    "k1d1_far",
    "k5d1",
    "far_demo",
    "quest_key",
];

/// All that come with drawn demonstrations, but for `coop_cave`, in which nobody waits for the best plan;
/// `lured_bear` is a cave of that kind in which the best plan lures the bear.
const WITH_DEMONSTRATIONS: [&str; 17] = [
    "bear_bypass",
    "bear_lever",
    "cave_left",
    "cave_offgraph",
    "lured_bear",
    "empty_tutorial",
    "far_demo",
    "grotto",
    "k1d1_close",
    "k1d1_exact",
    "k1d1_far",
    "k5d1",
    "k5d5",
    "multi_demo",
    "quest_compound",
    "quest_key",
    "quest_shield",
];

/// With inflation 1 nothing is followed, and the T-Graph search is weighted A* to the expansion.
#[test]
fn without_inflation_a_t_graph_changes_nothing() {
    for name in TRAINING {
        let scenario = shipped(name);
        for w in [1.0, 10.0, 100.0] {
            let (led, plain) = (
                plan(&scenario, &tgraph(w, 1.0)),
                plan(&scenario, &wastar(w)),
            );
            assert_eq!(led.expanded(), plain.expanded(), "{name}, w = {w}");
            assert_eq!(led.cost(), plain.cost(), "{name}, w = {w}");
            assert_eq!(led.way, plain.way, "{name}, w = {w}");
        }
    }
}

/// The way around the bear: a third of the expansions, all of the demonstration, and no bear.
#[test]
fn the_bear_is_bypassed_as_demonstrated() {
    let scenario = shipped("bear_bypass");
    let best = optimum(&scenario);
    let shown = drawn(&scenario);
    let bear = &scenario.enemies()[0];
    let Manner::Beast(beast) = &bear.kind.manner else {
        panic!("a bear is a beast")
    };
    for (w, epsilon) in [(1.0, 10.0), (10.0, 10.0), (1.0, 100.0)] {
        let led = plan(&scenario, &tgraph(w, epsilon));
        let plain = plan(&scenario, &wastar(w * epsilon));
        assert!(
            3 * led.expanded() <= plain.expanded(),
            "({w}, {epsilon}): {} against {}",
            led.expanded(),
            plain.expanded()
        );
        assert!(led.cost() <= 1.3 * best, "({w}, {epsilon}): {}", led.cost());
        assert!(led.covers(&shown) >= 0.9, "({w}, {epsilon})");
        let home = Place::flat(bear.home.x, bear.home.y);
        let nearest = led.way.iter().map(|at| at.distance_to(home));
        assert!(nearest.fold(f64::INFINITY, f64::min) > beast.radius);
    }
    for w in [1.0, 10.0, 100.0] {
        let plain = plan(&scenario, &wastar(w));
        assert!(
            plain.cost() <= w * best && plain.cost() <= 1.3 * best,
            "{w}: {}",
            plain.cost()
        );
    }
    assert_eq!(plan(&scenario, &tgraph(1.0, 1.0)).cost(), best);
}

/// A demonstration far away attracts where the straight way, inflated, is longer; and not before.
#[test]
fn a_far_demonstration_is_followed_only_with_enough_inflation() {
    let scenario = shipped("far_demo");
    let shown = drawn(&scenario);
    let ignored = plan(&scenario, &tgraph(2.0, 5.0)).covers(&shown);
    let followed = plan(&scenario, &tgraph(2.0, 10.0)).covers(&shown);
    assert!(ignored < 0.1, "{ignored}");
    assert!(followed >= 0.9, "{followed}");
}

/// `auto` goes to a demonstration however far it is, along it and on to the goal, if it may take that
/// long: at faithful 1 up to the bound.
#[test]
fn whoever_wants_it_faithful_goes_far_for_it() {
    let rows = vec![".".repeat(60); 45].join("\", \"");
    let shown = |y: f64| {
        let points = [(12.0, y - 3.0), (28.0, y), (44.0, y - 2.0)];
        let places = points.map(|(x, y)| Place::flat(x, y));
        [Demonstration::drawn("far", places, 1.0)]
    };
    for (goal, y, detour) in [(40, 20.0, 4.4), (30, 30.0, 15.8), (28, 40.0, 28.0)] {
        let text = format!(
            "format = 1\nstart = [24, 2]\ngoal = {{ within = {{ at = [{goal}, 2], radius = 0.0 }} }}\nmap = {{ rows = [\"{rows}\"] }}"
        );
        let scenario = Scenario::parse(&text).unwrap_or_else(|error| panic!("{error}"));
        let shown = shown(y);
        let best = optimum(&scenario);
        let mut last = 0.0;
        for faithful in [0.25, 0.5, 0.75, 1.0] {
            let settings = Settings {
                faithful: Some(faithful),
                ..Settings::default()
            };
            let found = plan_with(&scenario, &shown, &settings, Branching::Sixteen);
            let (covered, times) = (found.covers(&shown), found.cost() / best);
            println!(
                "goal {goal}, faithful {faithful}: {covered:.2}, {times:.1} times the best, {} expansions",
                found.expanded()
            );
            assert!(covered >= last, "{goal}, {faithful}");
            last = covered;
            if covered >= 0.9 {
                assert!((0.9..1.2).contains(&(times / detour)), "{goal}: {times}");
                assert_eq!(found.expanded() + 1, found.way.len() as u64, "{goal}");
            }
        }
        assert!(last >= 0.95, "{goal}: {last}");
    }
}

/// Past the bear one sneaks, exactly where it would hear a walker; irrelevant demonstrations change
/// nothing.
#[test]
fn the_plan_sneaks_where_the_bear_would_hear_a_walker() {
    let scenario = shipped("multi_demo");
    let settings = tgraph(10f64.sqrt(), 10f64.sqrt());
    let found = plan(&scenario, &settings);
    let planned = scenario.for_planning();
    let bear = &planned.enemies()[0];
    let Manner::Beast(beast) = &bear.kind.manner else {
        panic!("a bear is a beast")
    };
    let steps = &found.plan.as_ref().expect("there is a plan").steps;
    let sneaked: Vec<usize> = (0..steps.len())
        .filter(|step| matches!(steps[*step].order, Order::Step(_, stance) if stance.gait() == Gait::Sneak))
        .collect();
    assert!(!sneaked.is_empty());
    // In one piece, inside the walking radius and outside the sneaking one.
    assert_eq!(
        sneaked.len(),
        sneaked[sneaked.len() - 1] - sneaked[0] + 1,
        "{sneaked:?}"
    );
    for step in &sneaked {
        let distance = steps[*step].at.distance_to(bear.home);
        assert!(
            distance > beast.radius * Rules::noise(Gait::Sneak),
            "{distance}"
        );
    }
    let inside = sneaked
        .iter()
        .filter(|step| steps[**step].at.distance_to(bear.home) <= beast.radius);
    assert!(inside.count() + 2 >= sneaked.len());
    let is_told = |event: &&Event| matches!(event, Event::NoticedBy { .. } | Event::Hurt { .. });
    let told = steps.iter().flat_map(|step| &step.events).find(is_told);
    assert_eq!(told, None);
    // Without the demonstrations that lead elsewhere, the way is the same.
    let all = drawn(&scenario);
    let relevant: Vec<Demonstration> = all[..2].to_vec();
    let without = plan_with(&scenario, &relevant, &settings, Branching::Sixteen);
    assert_eq!(found.way, without.way);
}

/// The key that is taken in the end, by its id.
fn key_taken(scenario: &Scenario, settings: &Settings) -> (String, f64) {
    let found = plan(scenario, settings);
    let events = found.plan.iter().flat_map(|plan| &plan.steps);
    let mut taken = events
        .flat_map(|step| &step.events)
        .filter_map(|event| match event {
            Event::PickedUp {
                agent: AgentId::NPC,
                item,
            } => Some(*item),
            _ => None,
        });
    let first = taken.next().expect("a key is taken");
    let id = scenario.id_of(Thing::Item(first)).to_owned();
    (id, found.covers(&drawn(scenario)))
}

/// Extra turns for the adviser that follows the demonstration decide which of five keys is taken.
#[test]
fn extra_turns_bring_the_demonstrated_key() {
    let scenario = shipped("k5d1");
    let with_turns = |turns: Option<u32>| Settings {
        planner: PlannerName::Mha,
        w1: weight(100.0),
        w2: weight(1.0),
        epsilon: weight(10.0),
        extra_turns: turns,
        ..Settings::default()
    };
    let (few, covered) = key_taken(&scenario, &with_turns(None));
    assert!(few != "south_west" || covered < 0.9, "{few}, {covered}");
    let mut from = None;
    for turns in [0, 10, 20, 30, 40, 50] {
        let (key, covered) = key_taken(&scenario, &with_turns(Some(turns)));
        println!("{turns} extra turns: key {key}, {covered:.2} of the demonstration");
        let follows = key == "south_west" && covered >= 0.9;
        from = if follows { from.or(Some(turns)) } else { None };
    }
    let from = from.expect("with enough turns the demonstration is followed");
    assert!(from <= 50);
    println!("followed from {from} extra turns on");
}

/// Key and shield before guard and door, in either order.
#[test]
fn the_compound_quest_fetches_both_things_first() {
    let scenario = shipped("quest_compound");
    for settings in [wastar(10.0), tgraph_of(10.0), mha(10.0), auto(10.0)] {
        let found = plan(&scenario, &settings);
        let steps = &found.plan.as_ref().expect("there is a plan").steps;
        let when = |id: &str| {
            let Some(Thing::Item(item)) = scenario.thing(id) else {
                panic!("{id} is an item")
            };
            let taken = Event::PickedUp {
                agent: AgentId::NPC,
                item,
            };
            let step = steps.iter().position(|step| step.events.contains(&taken));
            step.unwrap_or_else(|| panic!("{:?} takes no {id}", settings.planner))
        };
        let passes_guard = steps.iter().position(|step| step.at.x >= 24.0).unwrap();
        let passes_door = steps
            .iter()
            .position(|step| step.at.x == 36.0 && step.at.y == 42.0)
            .unwrap();
        assert!(when("shield") < passes_guard);
        assert!(when("key") < passes_door);
    }
}

/// One key, one door: where the demonstration is good, following it is best; where it is far from
/// the key, a T-Graph alone is misled, and events make up for it.
#[test]
fn near_demonstrations_help_and_far_ones_need_events() {
    let [exact, close, far] = ["k1d1_exact", "k1d1_close", "k1d1_far"].map(shipped);
    for bound in [10.0, 100.0, 1000.0] {
        let plain = [&exact, &close, &far].map(|scenario| plan(scenario, &wastar(bound)));
        assert_eq!(plain[0].expanded(), plain[1].expanded());
        assert_eq!(plain[0].expanded(), plain[2].expanded());
        assert_eq!(plain[0].way, plain[2].way);
        let led =
            [&exact, &close, &far].map(|scenario| plan(scenario, &tgraph_of(bound)).expanded());
        let advised = [&exact, &close, &far].map(|scenario| plan(scenario, &mha(bound)).expanded());
        println!(
            "bound {bound}: wastar {}, tgraph {led:?}, mha {advised:?}",
            plain[0].expanded()
        );
        assert!(led[0] < led[1] && led[1] < led[2], "{bound}: {led:?}");
        assert!(led[2] > plain[2].expanded(), "{bound}");
        // On the spot, the T-Graph needs hardly more than all advisers together.
        assert!(4 * led[0] <= 5 * advised[0], "{bound}");
        assert!(
            advised[2] < led[2] && advised[2] < plain[2].expanded(),
            "{bound}"
        );
        if bound >= 100.0 {
            assert!(
                advised[1] < led[1] && advised[1] < plain[1].expanded(),
                "{bound}"
            );
        }
    }
}

/// Bounds may reach ten thousand; plans hardly cost twice the best.
#[test]
fn plans_cost_far_less_than_their_bounds_allow() {
    let mut published = Vec::new();
    for name in ["k1d1_exact", "k1d1_close", "k1d1_far", "k5d1", "k5d5"] {
        let scenario = shipped(name);
        let best = optimum(&scenario);
        for bound in [1.0, 10.0, 100.0, 1000.0, 10_000.0] {
            for settings in [wastar(bound), tgraph_of(bound), mha(bound), auto(bound)] {
                let ratio = plan(&scenario, &settings).cost() / best;
                assert!(ratio <= 2.0, "{name} {} {bound}: {ratio}", settings.planner);
                if settings.planner != PlannerName::Auto {
                    published.push((ratio, settings.planner, name, bound));
                }
            }
        }
    }
    published.sort_by(|a, b| b.0.total_cmp(&a.0));
    println!("{:?}", &published[..8]);
    // A T-Graph alone is misled most where the demonstration is far from the key, or leads to one
    // of five that is far.
    assert_eq!(published[0].1, PlannerName::Tgraph);
    assert_eq!(published[0].2, "k1d1_far");
    let mut with_five = published.iter().filter(|(_, _, name, _)| *name == "k5d1");
    let worst = with_five.next().expect("it was planned");
    assert_eq!((worst.1, worst.3), (PlannerName::Tgraph, 10.0));
}

/// What `auto` takes, beside the limit of one expansion a step.
#[test]
fn auto_needs_few_expansions_a_step() {
    let limits = [
        ("k1d1_exact", 5.0),
        ("k1d1_close", 5.0),
        ("k1d1_far", 5.0),
        ("k5d1", 5.0),
        ("quest_key", 5.0),
        ("quest_compound", 20.0),
        ("k5d5", 10.0),
    ];
    for (name, limit) in limits {
        let scenario = shipped(name);
        let found = plan(&scenario, &auto(10.0));
        let steps = found.plan.as_ref().expect("there is a plan").steps.len();
        let ratio = found.expanded() as f64 / steps as f64;
        println!(
            "{name}: {} expansions for {steps} steps, {ratio:.2} a step",
            found.expanded()
        );
        assert!(ratio <= limit, "{name}: {ratio}");
        assert_eq!(found.guarantee.factor(), Some(10.0), "{name}");
    }
}

/// How much of the demonstration it follows best a plan follows. Where several show different ways,
/// nobody can follow all.
fn follows_best(scenario: &Scenario, shown: &[Demonstration], faithful: f64) -> f64 {
    let settings = Settings {
        faithful: Some(faithful),
        ..Settings::default()
    };
    let found = plan_with(scenario, shown, &settings, Branching::Sixteen);
    let each = shown.iter().map(std::slice::from_ref);
    each.map(|shown| found.covers(shown)).fold(0.0, f64::max)
}

/// More faithful never means that less of the demonstration is followed, on any level that comes
/// with one: not by more than one point in a hundred, because plans go from cell to cell.
#[test]
fn more_faithful_follows_more() {
    const CELLS: f64 = 0.01;
    for name in WITH_DEMONSTRATIONS {
        let scenario = shipped(name);
        let shown = drawn(&scenario);
        let covered =
            [0.0, 0.25, 0.5, 0.75, 1.0].map(|faithful| follows_best(&scenario, &shown, faithful));
        println!("{name}: {covered:.3?}");
        // The best plan there defeats the bear, side by side with the player, on the very line of
        // the demonstration. Nothing draws a search to that fight: advisers know of no enemies, and
        // it takes A* 67,000 expansions to find. A plan that sneaks around the bear costs a few
        // percent more, is within the bound and is found after 2,500; but it has to keep further
        // from the bear than counts as following. Neither the measure nor the trail is wrong there:
        // at the same bound, an epsilon of 2.5 instead of 1.8 makes leaving the line dear enough to
        // fight, after 18,000 expansions; the balance between what is shown and what it takes to
        // find it is what this setting is. From what is left of the demonstration on, more faithful
        // follows more, and in the end fights.
        let from = if name == "lured_bear" { 1 } else { 0 };
        assert!(from == 0 || covered[from] >= 0.8, "{name}: {covered:.3?}");
        for pair in covered[from..].windows(2) {
            assert!(pair[1] >= pair[0] - CELLS, "{name}: {covered:.3?}");
        }
        assert!(covered[4] >= covered[0] - CELLS, "{name}: {covered:.3?}");
    }
}

/// In a small room a detour is near everywhere, and is followed all the same, drawn with its corners
/// or recorded in small pieces.
#[test]
fn a_detour_through_a_small_hall_is_followed_into_its_corners() {
    let rows = vec![".".repeat(19); 12].join("\", \"");
    let text = format!(
        "format = 1\nstart = [2, 2]\ngoal = {{ within = {{ at = [16, 2], radius = 0.0 }} }}\nrules = {{ walk = 5.0, run = 8.0 }}\nmap = {{ rows = [\"{rows}\"] }}"
    );
    let scenario = Scenario::parse(&text).unwrap_or_else(|error| panic!("{error}"));
    for (depth, end) in [(8.0, 2.0), (9.0, 3.0)] {
        let corners = [(2.0, 2.0), (2.0, depth), (16.0, depth), (16.0, end)];
        let drawn = Demonstration::drawn("hall", corners.map(|(x, y)| Place::flat(x, y)), 5.0);
        for shown in [sampled(&drawn, 0.5), drawn] {
            let shown = [shown];
            let covered =
                [0.5, 0.75, 1.0].map(|faithful| follows_best(&scenario, &shown, faithful));
            println!(
                "{depth} deep, {} samples: {covered:.2?}",
                shown[0].samples.len()
            );
            assert!(covered.iter().all(|covered| *covered >= 0.9), "{covered:?}");
        }
    }
}

/// One demonstration, and the key anywhere: every quest is solved, and what can still be followed
/// is.
#[test]
fn a_moved_key_is_fetched_wherever_it_is() {
    let scenario = shipped("k1d1_exact");
    let shown = drawn(&scenario);
    let mut covered = 0.0;
    for seed in 1..=200 {
        let moved = scenario.with_random_items(seed);
        let found = plan_with(&moved, &shown, &auto(10.0), Branching::Sixteen);
        let steps = found.plan.as_ref().expect("it can be done").steps.len();
        let most = 10 * steps as u64;
        assert!(
            found.expanded() <= most,
            "{seed}: {} for {steps} steps",
            found.expanded()
        );
        covered += found.covers(&shown);
    }
    let mean = covered / 200.0;
    println!("{mean:.2} of the demonstration is followed on average");
    assert!(mean >= 0.5, "{mean}");
}

/// Strict local minima of an estimate on the free cells near a demonstration.
fn minima<H>(scenario: &Scenario, shown: &[Demonstration], mut heuristic: H) -> usize
where
    H: for<'a> Heuristic<QuestAtPlace<'a>>,
{
    let world = World::new(scenario);
    let standpoint = QuestAtPlace::new(scenario, &world, scenario.goal());
    heuristic.prepare(&standpoint, &mut Budget::unlimited());
    let map = scenario.map();
    let mut values = Vec::new();
    for place in 0..map.places() {
        let estimate = heuristic.estimate(&standpoint, &place);
        values.push(estimate);
    }
    let near = (0..map.places()).filter(|place| {
        let at = map.point_of(*place);
        let at = Place::flat(at.x, at.y);
        let near = shown.iter().any(|shown| {
            let here = shown.whereabouts(at, 0.0);
            here.is_some_and(|here| here.distance <= 3.0)
        });
        map.is_walkable(*place) && near
    });
    near.filter(|place| {
        let goal = standpoint.is_goal(place);
        let mut steps = map.steps_from(*place);
        !goal && steps.all(|step| values[step.place] > values[*place])
    })
    .count()
}

/// The same line with a sample every so many cells.
fn sampled(shown: &Demonstration, every: f64) -> Demonstration {
    let mut places = Vec::new();
    for pair in shown.samples.windows(2) {
        let (from, to) = (pair[0].place, pair[1].place);
        let pieces = (from.distance_to(to) / every).round().max(1.0) as u32;
        let part = |piece: u32| f64::from(piece) / f64::from(pieces);
        places.extend((0..pieces).map(|piece| from.toward(to, part(piece))));
    }
    places.extend(shown.samples.last().map(|last| last.place));
    Demonstration::drawn(shown.name.clone(), places, 1.0)
}

/// Hollows with an E-Graph that only guides, and with a T-Graph, beside demonstrations with a sample
/// every eight cells.
fn hollows(name: &str, epsilon: f64) -> (usize, usize) {
    let scenario = shipped(name);
    let shown: Vec<Demonstration> = drawn(&scenario)
        .iter()
        .map(|shown| sampled(shown, 8.0))
        .collect();
    let settings = Settings {
        projection: Some(Projection::Consistent),
        ..tgraph(1.0, epsilon)
    };
    let checked = settings.check(&scenario, &shown[..]);
    let planner = checked.expect("it fits").planner;
    let recalling = EGraphHeuristic::new(
        planner.demonstrations().clone(),
        planner.epsilon(),
        ExperienceMode::HeuristicOnly,
    );
    let by_experience = minima(&scenario, &shown, recalling);
    let by_training = minima(&scenario, &shown, planner.following());
    println!(
        "{name}, {epsilon}: {by_experience} hollows with an E-Graph, {by_training} with a T-Graph"
    );
    (by_experience, by_training)
}

/// Along a sparse demonstration an E-Graph that only guides has a hollow at every demonstrated
/// place; a T-Graph slopes nearly all the way. Not where the demonstration attracts nobody with so
/// little inflation, and in caves the rock makes the same hollows in both.
#[test]
fn an_e_graph_has_hollows_where_a_t_graph_slopes() {
    let alike = [
        "cave_left",
        "cave_offgraph",
        "lured_bear",
        "far_demo",
        "grotto",
    ];
    for name in WITH_DEMONSTRATIONS {
        let (by_experience, by_training) = hollows(name, 2.0);
        assert!(by_experience >= by_training, "{name}");
        assert!(
            by_experience > by_training || alike.contains(&name),
            "{name}"
        );
    }
    // With more inflation it is so where demonstrations go along rows and columns; beside oblique
    // ones the cells themselves make hollows in both.
    for name in [
        "bear_bypass",
        "bear_lever",
        "lured_bear",
        "empty_tutorial",
        "k1d1_exact",
    ] {
        let (by_experience, by_training) = hollows(name, 10.0);
        assert!(by_experience > by_training, "{name}");
    }
}

/// The bear's cave has two ways: without inflation the plan is weighted A*'s, with it the long way
/// on the left, as demonstrated.
#[test]
fn the_left_way_through_the_cave_is_taken_as_demonstrated() {
    let scenario = shipped("cave_left");
    let shown = drawn(&scenario);
    let (led, plain) = (
        plan(&scenario, &tgraph(10.0, 1.0)),
        plan(&scenario, &wastar(10.0)),
    );
    assert_eq!(led.way, plain.way);
    assert!(plain.covers(&shown) < 0.2);
    assert!(plan(&scenario, &tgraph(1.0, 10.0)).covers(&shown) >= 0.9);
    assert!(plan(&scenario, &auto(10.0)).covers(&shown) >= 0.9);
}

/// A demonstration from another cave, most of it inside rock, is ignored with little inflation and
/// imitated with much.
#[test]
fn a_demonstration_from_another_cave_is_imitated() {
    let scenario = shipped("cave_offgraph");
    let shown = drawn(&scenario);
    let little = plan(&scenario, &tgraph(2.0, 1.5)).covers(&shown);
    let much = plan(&scenario, &tgraph(1.0, 10.0)).covers(&shown);
    println!("{little:.2} with little inflation, {much:.2} with much");
    assert!(little < 0.2, "{little}");
    assert!(much >= 0.6, "{much}");
    // `auto` goes along the rock it leads through, as soon as it may take that long.
    let along = plan(&scenario, &auto(10.0));
    assert!(along.covers(&shown) >= 0.8, "{}", along.covers(&shown));
    let steps = along.way.len() as u64;
    assert!(along.expanded() <= steps + steps / 10);
}

/// In the grotto following the demonstration takes no more expansions than weighting alone, and the
/// plan becomes longer, because the demonstration is.
#[test]
fn in_the_grotto_the_demonstration_costs_time_and_saves_work() {
    let scenario = shipped("grotto");
    let counts = [(100.0, 1.0), (10.0, 10.0)].map(|(w, epsilon)| {
        let found = plan(&scenario, &tgraph(w, epsilon));
        (found.expanded(), found.cost())
    });
    println!("weighted {:?}, led {:?}", counts[0], counts[1]);
    assert!(10 * counts[1].0 <= 11 * counts[0].0, "{counts:?}");
    let costs = [1.0, 10.0, 100.0].map(|epsilon| plan(&scenario, &tgraph(1.0, epsilon)).cost());
    println!("costs {costs:?}");
    assert!(costs[0] < costs[1] && costs[1] < costs[2], "{costs:?}");
    assert!(costs[2] <= 1.3 * costs[0], "{costs:?}");
}
