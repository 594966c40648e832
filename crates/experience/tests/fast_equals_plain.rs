//! Boxes, hints and memos give what looking at everything gives, to the bit.

use std::sync::Arc;

use crate::map::{STRAIGHT, graphs, maps, places, settings};
use apprentice_experience::*;
use apprentice_search::{Cost, Weight};
use proptest::prelude::*;

const SIZE: i32 = 12;

/// A long walk with small steps, some of them none, that crosses itself, and may climb meanwhile.
fn long_walk(steps: &[(i8, i8, u8)], pause: f64, climb: f64) -> Demonstration {
    let mut place = Place::flat(0.0, 0.0);
    let mut samples = Vec::new();
    let mut time = 0.0;
    for (x, y, repeats) in steps {
        for _ in 0..*repeats {
            place.x += f64::from(*x) / 100.0;
            place.y += f64::from(*y) / 100.0;
            place.z += climb;
            time += pause;
            samples.push(Sample {
                time,
                place,
                ..Sample::default()
            });
        }
    }
    Demonstration {
        name: "long walk".into(),
        samples,
    }
}

fn check(training: &TrainingGraph, questions: &[Place], goal: Place) {
    let mut hint = Hint::default();
    // What has no room is asked for every time.
    let mut narrow = Memo::new(Remember::Places, 0);
    let mut whole = Memo::new(Remember::Places, questions.len());
    let mut beside = whole.clone();
    let mut forgetful = Memo::new(Remember::Nothing, questions.len());
    for round in 0..2 {
        for (number, at) in questions.iter().enumerate() {
            let plain = training.guided_by_scan(*at);
            let fast = training.guided(*at, &mut hint);
            assert_eq!(fast.to_bits(), plain.to_bits(), "{fast} {plain} at {at}");
            let straight = Cost::round_down(STRAIGHT.between(*at, goal));
            let plain = training.rounded(plain, straight);
            assert_eq!(training.estimate(*at, straight), plain);
            assert_eq!(training.estimate_near(*at, straight, &mut hint), plain);
            for memo in [&mut narrow, &mut whole, &mut beside, &mut forgetful] {
                let found = memo.estimate(training, number as u32, *at, straight);
                assert_eq!(found, plain);
            }
        }
        assert!(whole.asked <= questions.len() as u64, "round {round}");
        assert_eq!(beside.asked, 0, "clones know what one was told");
    }
    let known = whole.asked;
    whole.clear();
    assert_eq!((whole.asked, beside.asked), (known, 0));
    let straight = Cost::round_down(STRAIGHT.between(questions[0], goal));
    let plain = training.estimate(questions[0], straight);
    assert_eq!(whole.estimate(training, 0, questions[0], straight), plain);
    assert_eq!(whole.asked, known + 1, "it was forgotten");
    assert_eq!(beside.estimate(training, 0, questions[0], straight), plain);
    assert_eq!(beside.asked, 0, "but not by others");
}

/// The same demonstrations, once by boxes and once by scan: which way gave the estimate, too.
fn check_attributions(
    boxes: &TrainingGraph,
    scan: &TrainingGraph,
    questions: &[Place],
    goal: Place,
) {
    let mut hint = Hint::default();
    for at in questions {
        let straight = STRAIGHT.between(*at, goal);
        let found = boxes.attribute_near(*at, straight, &mut hint);
        assert_eq!(found, scan.attribute(*at, straight), "at {at}");
    }
}

/// The point of a piece of a line that is nearest to a place.
fn nearest_on(place: Place, from: Place, to: Place) -> Place {
    let [x, y, z] = [to.x - from.x, to.y - from.y, to.z - from.z];
    let along = (place.x - from.x) * x + (place.y - from.y) * y + (place.z - from.z) * z;
    let length = x * x + y * y + z * z;
    let part = if length == 0.0 { 0.0 } else { along / length };
    from.toward(to, part.clamp(0.0, 1.0))
}

/// How much of a demonstration lies near a way and on its floor, by looking at every piece of the
/// way from every half of a cell.
fn plain_coverage(shown: &[Place], way: &[Place]) -> f64 {
    let mut points = Vec::new();
    for pair in shown.windows(2) {
        let count = (pair[0].distance_to(pair[1]) / 0.5).ceil().max(1.0) as u32;
        let along = (0..count).map(|part| f64::from(part) / f64::from(count));
        points.extend(along.map(|part| pair[0].toward(pair[1], part)));
    }
    points.extend(shown.last());
    let is_near = |point: &&Place| {
        let mut pieces = way.iter().zip(way.iter().skip(1).chain(way.last()));
        pieces.any(|(from, to)| {
            let nearest = nearest_on(**point, *from, *to);
            point.distance_to(nearest) <= 2.0 && (point.z - nearest.z).abs() <= 1.5
        })
    };
    points.iter().filter(is_near).count() as f64 / points.len() as f64
}

/// A place beside one that was demonstrated.
#[derive(Clone, Debug)]
struct Question {
    beside: prop::sample::Index,
    off: [f64; 3],
}

/// Exactly there, near by, some way off, and far away from everything.
fn questions() -> impl Strategy<Value = Question> {
    let far = prop_oneof![Just(0.0), Just(1.0), Just(20.0), Just(1000.0)];
    let high = prop_oneof![Just(0.0), Just(1.0)];
    let off = (-2.0..2.0f64, -2.0..2.0f64, -2.0..2.0f64);
    (any::<prop::sample::Index>(), off, far, high).prop_map(|(beside, (x, y, z), far, high)| {
        Question {
            beside,
            off: [x * far, y * far, z * far * high],
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn coverage_wherever_a_way_leads(
        shown in prop::collection::vec(places(SIZE), 1..9), way in prop::collection::vec(places(SIZE), 0..20),
    ) {
        let demonstration = Demonstration::drawn("shown", shown.iter().copied(), 1.0);
        prop_assert_eq!(coverage([&demonstration], &way), plain_coverage(&shown, &way));
    }

    #[test]
    fn on_odd_graphs(
        graph in graphs(SIZE), map in maps(SIZE), settings in settings(),
        start in places(SIZE), goal in places(SIZE),
        questions in prop::collection::vec(places(SIZE), 1..20),
    ) {
        let graph = Arc::new(graph);
        let journey = Journey { start: Some(start), goal: map.to(goal), ways: &map };
        let boxes = TrainingGraph::new(graph.clone(), STRAIGHT, settings, &journey);
        check(&boxes, &questions, goal);
        let settings = TrainingSettings { lookup: Lookup::Scan, ..settings };
        let scan = TrainingGraph::new(graph, STRAIGHT, settings, &journey);
        check_attributions(&boxes, &scan, &questions, goal);
    }

    #[test]
    fn on_long_demonstrations(
        walks in prop::collection::vec(
            prop::collection::vec((-100i8..100, -100i8..100, 1u8..60), 1..40), 1..4,
        ),
        pause in 0.0..3.0f64, climb in prop_oneof![Just(0.0), Just(0.01)],
        settings in settings(), scale in prop_oneof![Just(1.0), Just(1e-3), Just(1e5)],
        questions in prop::collection::vec(questions(), 1..30),
    ) {
        let mut graph = DemonstrationGraph::default();
        for steps in &walks {
            graph.add(&long_walk(steps, pause, climb));
        }
        let graph = graph.moved(|at| {
            Some(Place::new(at.x * scale, at.y * scale - 7.0 * scale, at.z * scale))
        });
        let near = |question: &Question| {
            let place = *question.beside.get(graph.places());
            let off = question.off.map(|x| x * scale);
            Place::new(place.x + off[0], place.y + off[1], place.z + off[2])
        };
        let questions: Vec<Place> = questions.iter().map(near).collect();
        let goal = Place::flat(3.0, 3.0);
        let ground = OpenGround { top_speed: 1.0 };
        let graph = Arc::new(graph);
        let journey = Journey { start: Some(Place::flat(-1.0, 2.0)), goal: ground.to(goal), ways: &ground };
        let boxes = TrainingGraph::new(graph.clone(), STRAIGHT, settings, &journey);
        check(&boxes, &questions, goal);
        let settings = TrainingSettings { lookup: Lookup::Scan, ..settings };
        let scan = TrainingGraph::new(graph, STRAIGHT, settings, &journey);
        check_attributions(&boxes, &scan, &questions, goal);
    }
}

/// A spiral of so many samples, followed from outside to its middle.
fn spiral(samples: usize) -> TrainingGraph {
    let mut points = Vec::new();
    let (mut x, mut y) = (0.0, 0.0);
    let (mut dx, mut dy) = (0.5, 0.0);
    let mut arm = 8;
    while points.len() < samples {
        for _ in 0..arm {
            x += dx;
            y += dy;
            points.push(Place::flat(x, y));
        }
        (dx, dy) = (-dy, dx);
        arm += 4;
    }
    points.truncate(samples);
    points.reverse();
    let mut graph = DemonstrationGraph::default();
    graph.add(&Demonstration::drawn("spiral", points, 1.0));
    let ground = OpenGround { top_speed: 1.0 };
    let journey = Journey {
        start: None,
        goal: ground.to(Place::flat(0.0, 0.0)),
        ways: &ground,
    };
    let settings = TrainingSettings {
        pieces: Pieces::Apart,
        ..TrainingSettings::with_inflation(Weight::new(10.0).unwrap())
    };
    TrainingGraph::new(Arc::new(graph), STRAIGHT, settings, &journey)
}

/// Counters instead of clocks: sixteen thousand samples cost little more than a hundred.
#[test]
fn a_hundred_times_the_samples_need_few_more_looks() {
    let looks = |samples: usize, asked: Asked| {
        let training = spiral(samples);
        let mut hint = Hint::default();
        let graph = training.graph().clone();
        let places = graph.places();
        // Along the demonstration, half a unit beside it, as a search that follows it does; and here
        // and there, none near the one before.
        let step = match asked {
            Asked::Along => 1,
            Asked::Anywhere => 389,
        };
        let questions = (0..1000).map(|number| number * step % 1000);
        for number in questions {
            let place = places[number * (places.len() - 1) / 1000];
            training.guided(Place::flat(place.x + 0.3, place.y + 0.4), &mut hint);
        }
        (hint.segments as f64 / 1000.0, hint.fans as f64 / 1000.0)
    };
    for asked in [Asked::Along, Asked::Anywhere] {
        let (few_rails, few_fans) = looks(164, asked);
        let (many_rails, many_fans) = looks(16_384, asked);
        println!(
            "{asked:?}: 164 samples: {few_rails} rails, {few_fans} fans; 16384: {many_rails}, {many_fans}"
        );
        assert!(
            many_rails <= 2.0 * few_rails && many_rails <= 3.0,
            "{asked:?}: {few_rails} {many_rails}"
        );
        assert!(
            many_fans <= few_fans + 2.0,
            "{asked:?}: {few_fans} {many_fans}"
        );
    }
}

#[derive(Clone, Copy, Debug)]
enum Asked {
    Along,
    Anywhere,
}
