//! Demonstrations that circle back are followed all the way, and stretches that were sneaked are
//! sneaked.

use crate::quests::{auto, plan_with};
use apprentice_behavior::{OrderedQuest, Settings};
use apprentice_experience::{Demonstration, Place, coverage};
use apprentice_search::{BoxedHeuristic, Budget, Search, Status};
use apprentice_world::{AnyQuest, Branching, Gait, Order, Quest, Scenario};

fn room(start: &str, goal: &str) -> Scenario {
    let rows = ["."; 1].map(|_| ".".repeat(30)).concat();
    let rows = vec![rows; 20].join("\", \"");
    let text = format!(
        "format = 1\nstart = {start}\ngoal = {{ within = {{ at = {goal}, radius = 0.0 }} }}\nmap = {{ rows = [\"{rows}\"] }}"
    );
    Scenario::parse(&text).unwrap_or_else(|error| panic!("{error}"))
}

fn shown(points: &[(f64, f64)]) -> Demonstration {
    let places = points.iter().map(|(x, y)| Place::flat(*x, *y));
    Demonstration::drawn("shown", places, 1.0)
}

/// The places of the plan that follows a demonstration in order.
fn in_order<Q: Quest + 'static>(
    quest: Q,
    shown: &Demonstration,
    settings: &Settings,
) -> Vec<Place> {
    let checked = settings.check(quest.scenario(), vec![shown.clone()]);
    let planner = checked.expect("it fits").planner;
    let ordered = OrderedQuest::new(quest, shown, planner.epsilon());
    let adviser: BoxedHeuristic<_> = Box::new(ordered.adviser());
    let named = planner.advised_by(&ordered, vec![("in-order".to_owned(), adviser)]);
    let mut search = named.expect("a search").search;
    assert_eq!(
        search.run(&ordered, &mut Budget::unlimited()),
        Status::Finished
    );
    let path = search.path().expect("it is finished");
    let states = path.steps.iter().map(|(_, state)| ordered.position(state));
    states.map(|point| Place::flat(point.x, point.y)).collect()
}

/// Out to the east, around, and back over its own way to a goal beside the start: whoever looks at
/// places only goes home at once.
#[test]
fn out_and_back_is_gone_out_and_back() {
    let scenario = room("[3, 10]", "[3, 4]");
    let circle = shown(&[
        (3.0, 10.0),
        (20.0, 10.0),
        (20.0, 18.0),
        (3.0, 18.0),
        (3.0, 4.0),
    ]);
    let there_and_back = shown(&[
        (3.0, 10.0),
        (18.0, 10.0),
        (18.0, 11.0),
        (3.0, 11.0),
        (3.0, 4.0),
    ]);
    let settings = auto(1000.0);
    for shown in [circle, there_and_back] {
        let AnyQuest::Still(quest) = scenario.quest() else {
            panic!("nothing moves here")
        };
        let way = in_order(quest, &shown, &settings);
        let covered = coverage([&shown], &way);
        // Corners are cut by as much as one may look ahead.
        assert!(covered >= 0.8, "{covered}");
        let plain = plan_with(
            &scenario,
            std::slice::from_ref(&shown),
            &settings,
            Branching::Sixteen,
        );
        let by_places = plain.covers(&[shown]);
        println!("{covered:.2} in order, {by_places:.2} by places only");
        assert!(by_places < covered - 0.3, "{by_places}");
    }
}

#[test]
fn the_plan_in_order_keeps_its_bound() {
    let scenario = room("[3, 10]", "[3, 4]");
    let shown = shown(&[(3.0, 10.0), (20.0, 10.0), (20.0, 4.0), (3.0, 4.0)]);
    for bound in [1.0, 2.0, 5.0] {
        let AnyQuest::Still(quest) = scenario.quest() else {
            panic!("nothing moves here")
        };
        let way = in_order(quest, &shown, &auto(bound));
        let start = Place::flat(3.0, 10.0);
        let all = std::iter::once(&start).chain(&way).collect::<Vec<_>>();
        let length: f64 = all
            .windows(2)
            .map(|pair| pair[0].distance_to(*pair[1]))
            .sum();
        assert!(length <= bound * 6.0 + 1e-6, "{length} for {bound}");
    }
}

/// A stretch that was sneaked is sneaked, although nobody listens; the rest is walked.
#[test]
fn a_sneaked_stretch_is_sneaked() {
    let scenario = room("[2, 10]", "[26, 10]");
    let mut shown = shown(&[(2.0, 10.0), (10.0, 10.0), (18.0, 10.0), (26.0, 10.0)]);
    shown.samples[0].stance.gait = Some("walk".to_owned());
    shown.samples[1].stance.gait = Some("sneak".to_owned());
    shown.samples[2].stance.gait = Some("walk".to_owned());
    let found = plan_with(&scenario, &[shown], &auto(10.0), Branching::Sixteen);
    let steps = &found.plan.as_ref().expect("there is a plan").steps;
    let mut sneaked = 0;
    for step in steps {
        let Order::Step(_, stance) = step.order else {
            panic!("nobody waits")
        };
        let sneaks = stance.gait() == Gait::Sneak;
        sneaked += u32::from(sneaks);
        assert!(!sneaks || (8.0..=20.0).contains(&step.at.x), "{}", step.at);
    }
    assert!(sneaked >= 6, "{sneaked} of 8 steps");
}
