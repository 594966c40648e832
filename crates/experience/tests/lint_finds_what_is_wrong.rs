//! Every flaw is found where it is, and only there; what is relevant follows from the numbers.

use apprentice_experience::{
    Demonstration, Finding, Flaw, Ground, Lint, LogHeader, Place, Relevance, RelevanceFilter,
    Sample, Severity, Stance, Unit,
};

/// A hall of 20 by 9 with a wall from (10, 0) to (10, 6). The start is at the west, the goal at the
/// east. Nothing is beyond the walls, so ways are known by geometry.
struct Hall;

const START: Place = Place::flat(2.0, 4.0);
const GOAL: Place = Place::flat(18.0, 4.0);
const GAP: Place = Place::flat(10.0, 7.0);

fn shortest(from: Place, to: Place) -> f64 {
    if (from.x < 10.0) == (to.x < 10.0) {
        from.distance_to(to)
    } else {
        from.distance_to(GAP) + GAP.distance_to(to)
    }
}

impl Ground for Hall {
    fn level(&self) -> (&str, Unit) {
        ("hall", Unit::Cell)
    }
    fn is_on_map(&self, place: Place) -> bool {
        (0.0..20.0).contains(&place.x) && (0.0..9.0).contains(&place.y)
    }
    fn is_free(&self, place: Place) -> bool {
        self.is_on_map(place) && !((9.5..10.5).contains(&place.x) && place.y < 6.5)
    }
    fn is_walkable(&self, from: Place, to: Place) -> bool {
        (0..=100).all(|part| self.is_free(from.toward(to, f64::from(part) / 100.0)))
    }
    fn top_speed(&self) -> f64 {
        1.0
    }
    fn time_from_start(&self, place: Place) -> f64 {
        if place.y > 100.0 {
            f64::INFINITY
        } else {
            shortest(START, place)
        }
    }
    fn time_to_goal(&self, place: Place) -> f64 {
        shortest(place, GOAL)
    }
    fn straight_time(&self) -> f64 {
        START.distance_to(GOAL)
    }
    fn knows_gait(&self, gait: &str) -> bool {
        gait == "walk"
    }
    fn knows_item(&self, id: &str) -> bool {
        id == "red"
    }
}

fn timed(samples: &[(f64, f64, f64)]) -> Demonstration {
    let sample = |(time, x, y): &(f64, f64, f64)| Sample {
        time: *time,
        place: Place::flat(*x, *y),
        stance: Stance::default(),
    };
    Demonstration {
        name: "timed".to_owned(),
        samples: samples.iter().map(sample).collect(),
    }
}

fn walked(points: &[(f64, f64)]) -> Demonstration {
    let places = points.iter().map(|(x, y)| Place::flat(*x, *y));
    Demonstration::drawn("walked", places, 1.0)
}

/// The findings as `code@sample`.
fn codes(findings: &[Finding]) -> Vec<String> {
    let told = |finding: &Finding| match finding.at {
        Some((number, ..)) => format!("{}@{number}", finding.flaw.code()),
        None => finding.flaw.code().to_owned(),
    };
    findings.iter().map(told).collect()
}

#[track_caller]
fn check(demonstration: &Demonstration, expected: &[&str]) {
    let findings = Lint::default().check(demonstration, &Hall);
    assert_eq!(codes(&findings), expected);
    for finding in findings {
        assert!(!finding.flaw.to_string().is_empty());
        assert!(!finding.flaw.remedy().is_empty());
    }
}

#[test]
fn a_demonstration_through_the_gap_is_clean() {
    check(&walked(&[(2.0, 4.0), (10.0, 7.0), (18.0, 4.0)]), &[]);
}

#[test]
fn every_flaw_is_found_where_it_is() {
    check(&Demonstration::default(), &["empty"]);
    check(&walked(&[(2.0, 4.0)]), &["never-moves"]);
    check(
        &walked(&[(2.0, 4.0), (8.0, 4.0), (12.0, 4.0), (18.0, 4.0)]),
        &["through-a-wall@1"],
    );
    check(
        &walked(&[(2.0, 4.0), (10.0, 4.0), (10.0, 5.0), (18.0, 4.0)]),
        &["in-a-wall@1"],
    );
    check(
        &walked(&[(2.0, 4.0), (2.0, -1.0), (3.0, -1.0), (3.0, 4.0), (3.0, 9.5)]),
        &["off-the-map@1", "off-the-map@4"],
    );
    check(
        &timed(&[
            (0.0, 2.0, 4.0),
            (1.0, 3.0, 4.0),
            (2.0, 7.0, 7.0),
            (20.0, 10.0, 7.0),
        ]),
        &["jump@1"],
    );
    check(
        &timed(&[(0.0, 2.0, 4.0), (0.0, 3.0, 4.0), (9.0, 10.0, 7.0)]),
        &["jump@0"],
    );
    check(
        &timed(&[
            (0.0, 2.0, 7.0),
            (1.0, 4.0, 7.0),
            (2.0, 6.0, 7.0),
            (5.0, 9.0, 7.0),
        ]),
        &["too-fast@0"],
    );
    check(
        &timed(&[
            (0.0, 2.0, 4.0),
            (1.0, 3.0, 4.0),
            (9.0, 3.1, 4.0),
            (14.0, 3.0, 4.0),
            (15.0, 4.0, 4.0),
        ]),
        &["waits@1"],
    );
}

#[test]
fn what_is_too_long_is_mentioned_and_ignored() {
    let long = timed(&[(0.0, 2.0, 4.0), (601.0, 10.0, 7.0)]);
    check(&long, &["too-long", "irrelevant"]);
    let many: Vec<_> = (0..5000)
        .map(|it| (f64::from(it) / 250.0, 2.0 + f64::from(it % 2), 4.0))
        .collect();
    let findings = Lint {
        jump: 1e9,
        ..Lint::default()
    }
    .check(&timed(&many), &Hall);
    assert_eq!(
        codes(&findings),
        ["too-fast@0", "too-many-samples", "irrelevant"]
    );
}

#[test]
fn strangers_are_named_once() {
    let mut walk = walked(&[(2.0, 4.0), (5.0, 5.0), (10.0, 7.0), (18.0, 4.0)]);
    for sample in &mut walk.samples[1..] {
        sample.stance.gait = Some("swim".to_owned());
        sample.stance.holding = vec!["red".to_owned(), "green".to_owned()];
    }
    check(&walk, &["unknown-gait@1", "unknown-item@1"]);
}

#[test]
fn what_cannot_be_reached_is_said() {
    let far = walked(&[(2.0, 101.0), (18.0, 4.0)]);
    check(&far, &["off-the-map@0", "out-of-reach"]);
}

#[test]
fn headers_of_other_levels_and_units_are_mentioned() {
    let header = LogHeader {
        scenario: Some("attic".to_owned()),
        unit: Some(Unit::Metre),
        ..LogHeader::default()
    };
    let found = Lint::default().check_header(&header, &Hall);
    assert_eq!(codes(&found), ["other-level", "other-unit"]);
    assert_eq!(
        Lint::default().check_header(&LogHeader::default(), &Hall),
        []
    );
}

#[test]
fn the_same_way_twice_is_found() {
    let once = walked(&[(2.0, 4.0), (10.0, 7.0), (18.0, 4.0)]);
    let again = walked(&[(2.0, 4.1), (2.0, 4.0), (10.0, 7.1), (18.0, 4.0)]);
    let back = walked(&[(18.0, 4.0), (10.0, 7.0), (2.0, 4.0)]);
    let found = Lint::default().duplicates(&[once, back, again]);
    assert_eq!(
        found
            .iter()
            .map(|it| it.as_ref().map(|it| it.flaw.clone()))
            .collect::<Vec<_>>(),
        [
            None,
            None,
            Some(Flaw::Duplicate {
                of: "walked".to_owned()
            })
        ]
    );
    assert_eq!(
        Lint::default().duplicates(&[Demonstration::default(), Demonstration::default()]),
        [None, None]
    );
}

#[test]
fn irrelevance_is_said_with_its_numbers_and_the_epsilon_it_takes() {
    let far = walked(&[
        (2.0, 4.0),
        (2.0, 1.0),
        (2.0, 8.0),
        (2.0, 1.0),
        (2.0, 8.0),
        (2.0, 4.0),
    ]);
    let lint = Lint {
        epsilon: 2.0,
        ..Lint::default()
    };
    let findings = lint.check(&far, &Hall);
    let [Finding { flaw, .. }] = &findings[..] else {
        panic!("{findings:?}")
    };
    let relevance = Relevance::of(&far, &Hall, 2.0).expect("samples");
    assert_eq!(relevance.along, 28.0);
    let straight = Hall.straight_time();
    assert_eq!(relevance.total(), 28.0 + shortest(START, GOAL));
    assert!(relevance.total() >= 2.0 * straight);
    assert!(flaw.to_string().contains("28 s along it"), "{flaw}");
    assert_eq!(flaw.severity(), Severity::Warning);
    // The epsilon it names is enough, and a little less is not.
    let needed = relevance.epsilon_needed().expect("there is a way");
    assert!(
        flaw.remedy().contains(&format!("--epsilon {needed} ")),
        "{}",
        flaw.remedy()
    );
    let with = |epsilon| {
        Relevance {
            epsilon,
            ..relevance
        }
        .attracts()
    };
    assert!(with(needed) && !with(needed - 0.02));
}

#[test]
fn pieces_faster_than_anybody_count_as_long_as_they_take() {
    let run = timed(&[(0.0, 2.0, 4.0), (1.0, 10.0, 7.0), (20.0, 18.0, 4.0)]);
    let relevance = Relevance::of(&run, &Hall, 3.0).expect("samples");
    let first = START.distance_to(GAP);
    assert_eq!(relevance.along, first + 19.0);
}

#[test]
fn the_filter_keeps_what_attracts_and_ranks_it() {
    let good = walked(&[(2.0, 4.0), (10.0, 7.0), (18.0, 4.0)]);
    let longer = walked(&[(2.0, 4.0), (2.0, 8.0), (10.0, 7.0), (18.0, 4.0)]);
    let endless = timed(&[(0.0, 2.0, 4.0), (500.0, 18.0, 4.0)]);
    let all = [longer, endless, Demonstration::default(), good];
    let rank = |epsilon, max_detour| {
        let filter = RelevanceFilter {
            epsilon,
            max_detour,
        };
        let kept = filter.rank(&all, &Hall);
        kept.iter().map(|(number, _)| *number).collect::<Vec<_>>()
    };
    assert_eq!(rank(3.0, f64::INFINITY), [3, 0]);
    assert_eq!(rank(100.0, f64::INFINITY), [3, 0, 1]);
    assert_eq!(rank(100.0, 1.2), [3]);
    assert_eq!(rank(1.0, f64::INFINITY), [0; 0]);
}
