//! Demonstrations with times and places that are none are refused by name, and do no harm to whoever
//! takes them unchecked: no panic, no endless work, no estimate that is not a number.

use std::sync::Arc;

use crate::map::{STRAIGHT, maps, places, settings};
use apprentice_experience::*;
use apprentice_search::{Budget, Cost, Weight};
use proptest::prelude::*;

const SIZE: i32 = 12;

/// A number, or what somebody took for one.
fn numbers() -> impl Strategy<Value = f64> {
    prop_oneof![
        4 => -5.0..20.0f64,
        1 => prop::sample::select(vec![
            f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300, -1e300, 1e18, 1e9, f64::MIN_POSITIVE,
        ]),
    ]
}

fn demonstrations() -> impl Strategy<Value = Demonstration> {
    let sample = (numbers(), numbers(), numbers(), any::<bool>());
    let sample = sample.prop_map(|(time, x, y, sneaks)| Sample {
        time,
        place: Place::flat(x, y),
        stance: Stance {
            gait: sneaks.then(|| "sneak".to_owned()),
            ..Stance::default()
        },
    });
    prop::collection::vec(sample, 0..12).prop_map(|samples| Demonstration {
        name: "nonsense".to_owned(),
        samples,
    })
}

/// An open square.
struct Square;

impl Ground for Square {
    fn level(&self) -> (&str, Unit) {
        ("square", Unit::Cell)
    }
    fn time_from_start(&self, at: Place) -> f64 {
        at.distance_to(Place::default())
    }
    fn time_to_goal(&self, at: Place) -> f64 {
        at.distance_to(Place::flat(9.0, 9.0))
    }
    fn straight_time(&self) -> f64 {
        13.0
    }
    fn knows_gait(&self, gait: &str) -> bool {
        gait == "sneak"
    }
    fn knows_item(&self, _: &str) -> bool {
        false
    }
    fn is_on_map(&self, at: Place) -> bool {
        (0.0..=f64::from(SIZE)).contains(&at.x) && (0.0..=f64::from(SIZE)).contains(&at.y)
    }
    fn is_free(&self, at: Place) -> bool {
        self.is_on_map(at)
    }
    fn is_walkable(&self, from: Place, to: Place) -> bool {
        self.is_on_map(from) && self.is_on_map(to)
    }
    fn top_speed(&self) -> f64 {
        1.0
    }
}

/// The samples among which a check finds nothing.
fn is_sound(demonstration: &Demonstration) -> bool {
    let is_anywhere = |place: Place| {
        [place.x, place.y, place.z]
            .iter()
            .all(|number| number.abs() <= Place::FARTHEST)
    };
    let mut before = f64::NEG_INFINITY;
    demonstration.samples.iter().all(|sample| {
        let is_later = sample.time >= before && sample.time.abs() <= Demonstration::LONGEST;
        before = sample.time;
        is_later && is_anywhere(sample.place)
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_first_bad_sample_is_named(shown in demonstrations()) {
        let checked = shown.check();
        prop_assert_eq!(checked.is_ok(), is_sound(&shown));
        let made = Demonstration::new("again", shown.samples.clone());
        let which = |bad: &BadSample| bad.sample;
        prop_assert_eq!(made.as_ref().err().map(which), checked.as_ref().err().map(which));
        if let Err(bad) = checked {
            let before = Demonstration { samples: shown.samples[..bad.sample].to_vec(), ..shown.clone() };
            prop_assert!(is_sound(&before) && bad.sample < shown.samples.len());
            let until = Demonstration { samples: shown.samples[..=bad.sample].to_vec(), ..shown };
            prop_assert!(!is_sound(&until));
        }
    }

    #[test]
    fn what_is_made_of_them_estimates_with_numbers(
        shown in prop::collection::vec(demonstrations(), 1..4), map in maps(SIZE), start in places(SIZE),
        goal in places(SIZE), settings in settings(), questions in prop::collection::vec(places(SIZE), 8),
        merges: bool,
    ) {
        let merging = if merges { Merging::Within(0.5) } else { Merging::Apart };
        let mut graph = DemonstrationGraph::merging(merging);
        for shown in &shown {
            graph.add(shown);
        }
        for way in graph.ways() {
            prop_assert!(way.cost >= 0.0 && way.cost.is_finite(), "{way:?}");
        }
        let sound = |place: &Place| place.is_finite() && place.x.abs() <= Place::FARTHEST;
        prop_assert!(graph.places().iter().all(sound));
        let graph = Arc::new(graph);
        let journey = Journey { start: Some(start), goal: map.to(goal), ways: &map };
        let training = TrainingGraph::new(graph.clone(), STRAIGHT, settings, &journey);
        let epsilon = Weight::new(3.0).unwrap();
        let recalled = ExperienceGraph::new(graph.clone(), STRAIGHT, epsilon, |at| at.distance_to(goal));
        let bounds = |estimate: f64, straight: f64, most: Weight| {
            estimate >= straight && estimate <= most.as_f64() * straight + 1e-6
        };
        for at in &questions {
            let straight = at.distance_to(goal);
            let seconds = training.seconds(*at, straight);
            prop_assert!(bounds(seconds, straight, training.inflation()), "{seconds} {straight}");
            let seconds = recalled.seconds(*at, straight);
            prop_assert!(bounds(seconds, straight, epsilon), "{seconds} {straight}");
            prop_assert!(training.estimate(*at, Cost::round_down(straight)).is_finite());
        }
        for trace in 0..graph.traces().len() as u32 {
            let how = InOrderSettings::with_inflation(epsilon);
            let in_order = InOrder::new(&graph, trace, STRAIGHT, how, &journey);
            for at in &questions {
                let straight = at.distance_to(goal);
                let seconds = in_order.seconds(*at, straight, 1.0);
                prop_assert!(bounds(seconds, straight, in_order.inflation()), "{seconds}");
                prop_assert!(in_order.advance(0.0, *at, 1.0).is_finite());
            }
        }
    }

    #[test]
    fn who_looks_at_them_gets_on_with_it(shown in demonstrations(), at in places(SIZE)) {
        let way = [Place::flat(0.0, 0.0), at];
        let covered = coverage([&shown], &way);
        prop_assert!((0.0..=1.0).contains(&covered), "{covered}");
        if let Some(here) = shown.whereabouts(at, 0.0) {
            prop_assert!(here.distance.is_finite() && here.nearest.is_finite() && here.time.is_finite());
        }
        prop_assert!(!shown.duration().is_nan());
        for segments in [None, Some(3)] {
            let simpler = Simplification { segments, ..Simplification::default() };
            if let Ok(simpler) = simpler.apply(&shown) {
                prop_assert!(simpler.samples.len() <= shown.samples.len());
            }
        }
        for finding in Lint::default().check(&shown, &Square) {
            let _ = (finding.flaw.to_string(), finding.flaw.remedy());
        }
        Lint::default().duplicates(&[shown.clone(), shown]);
    }
}

/// Lines that lead to the end of the world and back are looked at in as many points as any.
#[test]
fn long_lines_are_not_looked_at_for_ever() {
    let far = Place::FARTHEST;
    let points =
        (0..10_000).map(|number| Place::flat(if number % 2 == 0 { -far } else { far }, 0.0));
    let shown = Demonstration::drawn("to and fro", points, 1.0);
    let covered = coverage([&shown], &[Place::flat(-3.0, 0.0), Place::flat(3.0, 0.0)]);
    assert!((0.0..=1.0).contains(&covered));
}

#[test]
fn drawn_lines_have_times() {
    let points = [0.0, 4.0, f64::NAN, 8.0].map(|x| Place::flat(x, 0.0));
    for speed in [2.0, 0.0, -1.0, f64::NAN, f64::INFINITY] {
        let shown = Demonstration::drawn("line", points, speed);
        assert_eq!(shown.check(), Ok(()), "{speed}");
        assert_eq!(shown.samples.len(), 3, "{speed}");
    }
}

#[test]
fn messages_say_what_is_wrong_and_where() {
    let sample = |time, x| Sample {
        time,
        place: Place::flat(x, 0.0),
        ..Sample::default()
    };
    for (samples, expected) in [
        (
            vec![sample(0.0, 0.0), sample(f64::NAN, 1.0)],
            "the time of sample 2 is NaN; give it seconds, at most a thousand million",
        ),
        (
            vec![sample(0.0, 0.0), sample(2.0, 1.0), sample(1.5, 2.0)],
            "sample 3 is of second 1.5, and the one before it of second 2; sort them by time",
        ),
        (
            vec![sample(0.0, f64::INFINITY)],
            "sample 1 is at (inf, 0), which is on no map; give it numbers up to a thousand million",
        ),
    ] {
        let error = Demonstration::new("x", samples).unwrap_err();
        assert_eq!(error.to_string(), expected);
    }
}

#[test]
fn nothing_is_learned_of_nothing() {
    let nowhere = Demonstration {
        name: "nowhere".to_owned(),
        samples: vec![Sample {
            place: Place::flat(f64::NAN, 0.0),
            ..Sample::default()
        }],
    };
    let mut graph = DemonstrationGraph::default();
    assert_eq!(graph.add(&nowhere), None);
    let mut adding = DemonstrationGraphBuilder::default();
    assert!(adding.go_on(&mut graph, &nowhere, &mut Budget::unlimited()));
    assert_eq!(nowhere.whereabouts(Place::default(), 0.0), None);
}
