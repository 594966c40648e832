//! Simplifying leaves out what is short or straight and nothing else: compared with a plain
//! version, and held to its tolerance, its limit and its changes.

use apprentice_experience::{
    Demonstration, DemonstrationLog, LogHeader, LoggedSample, Place, Sample, Simplification,
    Stance, TooManyChanges,
};
use proptest::prelude::*;

fn demonstration(points: &[(f64, f64, f64)], gaits: &[usize]) -> Demonstration {
    let named = |gait: usize| Some(["walk", "sneak", "run"][gait].to_owned());
    let samples = points.iter().enumerate();
    Demonstration {
        name: "random".to_owned(),
        samples: samples
            .map(|(number, (x, y, z))| Sample {
                time: number as f64 * 0.5,
                place: Place::new(*x, *y, *z),
                stance: Stance {
                    gait: gaits.get(number).copied().and_then(named),
                    ..Stance::default()
                },
            })
            .collect(),
    }
}

fn distance(point: Place, from: Place, to: Place) -> f64 {
    let length = from.distance_to(to);
    if length == 0.0 {
        return point.distance_to(from);
    }
    let dot = (point.x - from.x) * (to.x - from.x)
        + (point.y - from.y) * (to.y - from.y)
        + (point.z - from.z) * (to.z - from.z);
    let part = (dot / (length * length)).clamp(0.0, 1.0);
    point.distance_to(from.toward(to, part))
}

/// Ramer, Douglas and Peucker, word for word.
fn plain(places: &[Place], first: usize, last: usize, tolerance: f64, kept: &mut Vec<usize>) {
    let far = |number: &usize| distance(places[*number], places[first], places[last]);
    let mut farthest = first;
    for number in first + 1..last {
        if farthest == first || far(&number) > far(&farthest) {
            farthest = number;
        }
    }
    if farthest != first && far(&farthest) > tolerance {
        plain(places, first, farthest, tolerance, kept);
        plain(places, farthest, last, tolerance, kept);
    } else {
        kept.push(last);
    }
}

fn only(tolerance: f64) -> Simplification {
    Simplification {
        min_step: 0.0,
        tolerance,
        segments: None,
    }
}

fn points() -> impl Strategy<Value = Vec<(f64, f64, f64)>> {
    // Places of a coarse grid come again and again; others are all different.
    let coarse = (-3i32..3, -3i32..3).prop_map(|(x, y)| (f64::from(x), f64::from(y), 0.0));
    let fine = (-9.0..9.0f64, -9.0..9.0f64, -1.0..1.0f64);
    prop_oneof![
        prop::collection::vec(coarse, 1..40),
        prop::collection::vec(fine, 1..40),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn it_keeps_what_the_plain_version_keeps(points in points(), tolerance in 0.05..4.0f64) {
        let demonstration = demonstration(&points, &[]);
        let kept = only(tolerance).choose(&demonstration.samples, |_| false).expect("no limit");
        let places: Vec<Place> = demonstration.places().collect();
        let mut expected = vec![0];
        if places.len() > 1 {
            plain(&places, 0, places.len() - 1, tolerance, &mut expected);
        }
        // Where two samples are equally far from a line, either may be kept; then both versions
        // keep within the tolerance, which is checked below.
        let ties = kept.samples != expected;
        if ties {
            for pair in kept.samples.windows(2) {
                for number in pair[0]..=pair[1] {
                    let far = distance(places[number], places[pair[0]], places[pair[1]]);
                    prop_assert!(far <= tolerance + 1e-6);
                }
            }
        }
        let has_equals = points.iter().all(|(x, y, _)| x.fract() == 0.0 && y.fract() == 0.0);
        prop_assert!(!ties || has_equals, "{:?} instead of {:?}", kept.samples, expected);
    }

    #[test]
    fn nothing_is_farther_than_the_tolerance_and_no_change_is_lost(
        points in points(),
        gaits in prop::collection::vec(0usize..3, 40),
        calm in 1usize..12,
        simplification in (0.0..1.0f64, 0.0..3.0f64).prop_map(|(min_step, tolerance)| {
            Simplification { min_step, tolerance, segments: None }
        }),
    ) {
        let gaits: Vec<usize> = (0..40).map(|number| gaits[number / calm]).collect();
        let whole = demonstration(&points, &gaits);
        let simple = simplification.apply(&whole).expect("no limit");
        prop_assert_eq!(simple.duration(), whole.duration());
        prop_assert_eq!(simple.samples.first(), whole.samples.first());
        prop_assert_eq!(simple.samples.last(), whole.samples.last());
        let most = simplification.tolerance.max(1e-6) + simplification.min_step + 1e-6;
        for sample in &whole.samples {
            let after = simple.samples.partition_point(|kept| kept.time <= sample.time);
            let from = &simple.samples[after - 1];
            let to = simple.samples.get(after).unwrap_or(from);
            let far = distance(sample.place, from.place, to.place);
            prop_assert!(far <= most, "{far} at {}", sample.time);
            // At every moment, the last sample that was kept says how the demonstrator moved.
            prop_assert_eq!(&from.stance, &sample.stance, "at {}", sample.time);
        }
    }

    #[test]
    fn a_limit_is_kept_and_no_tighter_than_it_must(points in points(), limit in 1usize..12) {
        let whole = demonstration(&points, &[]);
        let limited = Simplification { segments: Some(limit), ..only(0.01) };
        let kept = limited.choose(&whole.samples, |_| false).expect("no changes");
        prop_assert!(kept.samples.len() <= limit + 1);
        let finer = only(kept.tolerance * 0.999).choose(&whole.samples, |_| false).expect("no limit");
        let fits = kept.tolerance <= 0.01;
        prop_assert!(fits || finer.samples.len() > limit + 1);
    }
}

#[test]
fn a_limit_below_the_changes_says_how_many_there_are() {
    let points: Vec<_> = (0..20).map(|x| (f64::from(x), 0.0, 0.0)).collect();
    let gaits: Vec<usize> = (0..20).map(|number| number / 5 % 2).collect();
    let limited = Simplification {
        segments: Some(2),
        ..Simplification::default()
    };
    let refused = limited.apply(&demonstration(&points, &gaits));
    let needed = TooManyChanges {
        segments: 2,
        needed: 7,
    };
    assert_eq!(refused, Err(needed));
}

#[test]
fn steps_on_the_spot_are_left_out_unless_something_changes() {
    let points = [0.0, 0.1, 0.2, 0.3, 0.35, 0.4, 5.0].map(|x| (x, 0.0, 0.0));
    let kept = |gaits: &[usize]| {
        let whole = demonstration(&points, gaits);
        let found = Simplification {
            tolerance: 0.0,
            ..Simplification::default()
        }
        .choose(&whole.samples, |_| false);
        found.expect("no limit").samples
    };
    assert_eq!(kept(&[]), [0, 6]);
    assert_eq!(kept(&[0, 0, 1, 1, 1, 1, 1]), [0, 2, 6]);
}

#[test]
fn a_zigzag_that_grows_takes_no_deep_stack() {
    let zigzag = |number: i32| {
        let far = f64::from(number) * 0.01;
        (far, if number % 2 == 0 { far } else { -far }, 0.0)
    };
    let points: Vec<_> = (0..20_000).map(zigzag).collect();
    let whole = demonstration(&points, &[]);
    let simple = Simplification::default().apply(&whole).expect("no limit");
    assert!(simple.samples.len() < whole.samples.len());
}

#[test]
fn a_log_keeps_its_events_and_all_it_says() {
    let sample = |x: i32| LoggedSample {
        time: f64::from(x),
        place: Place::flat(f64::from(x), 0.0),
        health: Some(f64::from(x)),
        events: if x == 3 {
            vec!["lever_pulled:gate".to_owned()]
        } else {
            Vec::new()
        },
        ..LoggedSample::default()
    };
    let log = DemonstrationLog {
        header: LogHeader {
            interval: Some(1.0),
            ..LogHeader::default()
        },
        samples: (0..9).map(sample).collect(),
    };
    let (simple, _) = Simplification::default()
        .apply_to_log(&log)
        .expect("no limit");
    assert_eq!(simple.samples, [0, 3, 8].map(sample));
    assert_eq!(simple.header.interval, None);
}

#[test]
fn nothing_and_next_to_nothing_stay_what_they_are() {
    for length in 0..3 {
        let points: Vec<_> = (0..length).map(|_| (1.0, 1.0, 0.0)).collect();
        let whole = demonstration(&points, &[]);
        let simple = Simplification {
            segments: Some(1),
            ..Simplification::default()
        }
        .apply(&whole)
        .expect("few");
        assert_eq!(simple, whole);
    }
}
