//! The refit finds what climbing step by step finds, and its intervals hold the truth as often as they
//! say.

use apprentice_ratings::{
    BradleyTerry, Evaluation, Matches, Played, Procedure, RatingSystem, SystemKind,
};
use proptest::prelude::*;

/// Points of Elo for a unit of strength.
const POINTS: f64 = 400.0 / std::f64::consts::LN_10;

/// The most likely strengths, by following the slope in small steps until it is level.
fn climbed(players: usize, games: &[(Vec<usize>, Vec<usize>, f64)]) -> Vec<f64> {
    let prior = (POINTS / 350.0) * (POINTS / 350.0);
    let mut strengths = vec![0.0; players];
    for _ in 0..400_000 {
        let mut slope: Vec<f64> = strengths.iter().map(|it| -prior * it).collect();
        for (one, other, points) in games {
            let sum = |side: &[usize]| side.iter().map(|it| strengths[*it]).sum::<f64>();
            let likely = 1.0 / (1.0 + (sum(other) - sum(one)).exp());
            one.iter().for_each(|it| slope[*it] += points - likely);
            other.iter().for_each(|it| slope[*it] -= points - likely);
        }
        if slope.iter().all(|it| it.abs() < 1e-9) {
            break;
        }
        for (strength, slope) in strengths.iter_mut().zip(slope) {
            *strength += 0.05 * slope;
        }
    }
    strengths
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(30))]

    #[test]
    fn newtons_summit_is_the_one_that_climbing_finds(
        games in prop::collection::vec((0..3usize, 3..5usize, 5..7usize, 0..3u8), 1..25),
    ) {
        let names = ["p", "q", "r", "s", "t", "u", "v"];
        let mut matches = Matches::new();
        let mut plain = Vec::new();
        // Everybody is numbered as they are here.
        let mut numbers: Vec<usize> = Vec::new();
        let mut number = |player: usize| {
            let known = numbers.iter().position(|it| *it == player);
            known.unwrap_or_else(|| { numbers.push(player); numbers.len() - 1 })
        };
        for (planner, level, limit, ending) in &games {
            let (one, other) = ([names[*planner]], [names[*level], names[*limit]]);
            let (played, points) = match ending {
                0 => (Played::won(&one, &other), 1.0),
                1 => (Played::won(&other, &one), 0.0),
                _ => (Played::drawn(&one, &other), 0.5),
            };
            matches.add(&played).unwrap();
            // In the order in which the winners come first.
            let (one, other) = if *ending == 1 {
                let other = vec![number(*level), number(*limit)];
                (vec![number(*planner)], other)
            } else {
                let one = vec![number(*planner)];
                (one, vec![number(*level), number(*limit)])
            };
            plain.push((one, other, points));
        }
        let mut system = BradleyTerry::new();
        matches.iter().for_each(|game| system.rate(game));
        let expected = climbed(matches.players(), &plain);
        for (found, expected) in system.table(&matches).iter().zip(expected) {
            let strength = (found.value - 1500.0) / POINTS;
            prop_assert!((strength - expected).abs() < 1e-6, "{strength} {expected}");
        }
    }
}

/// Numbers from a seed, for tests.
fn next(state: &mut u64) -> f64 {
    *state = state
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    (*state >> 33) as f64 / (1u64 << 31) as f64
}

#[test]
fn intervals_hold_the_truth() {
    // Four players, 200 points apart: how often is the true difference of neighbours inside?
    let names = ["a", "b", "c", "d"];
    let truth = |player: usize| 1800.0 - 200.0 * player as f64;
    let mut state = 42;
    let (mut inside, mut all) = (0, 0);
    for _ in 0..40 {
        let mut matches = Matches::new();
        for _ in 0..60 {
            for one in 0..4 {
                for other in one + 1..4 {
                    let ahead: f64 = truth(one) - truth(other);
                    let wins = next(&mut state) < 1.0 / (1.0 + (-ahead / POINTS).exp());
                    let (one, other) = ([names[one]], [names[other]]);
                    let played = if wins {
                        Played::won(&one, &other)
                    } else {
                        Played::won(&other, &one)
                    };
                    matches.add(&played).unwrap();
                }
            }
        }
        let procedure = Procedure {
            resamples: 100,
            ..Procedure::default()
        };
        let evaluation = Evaluation::of(&matches, SystemKind::BradleyTerry, &procedure);
        for (player, name) in names.iter().enumerate() {
            let row = evaluation
                .standings
                .iter()
                .find(|row| row.name == *name)
                .unwrap();
            let interval = row.rating.interval.unwrap();
            all += 1;
            inside += u32::from((interval.low..=interval.high).contains(&truth(player)));
        }
    }
    // 95 of 100, give or take what 160 cases allow.
    let part = f64::from(inside) / f64::from(all);
    assert!((0.87..=1.0).contains(&part), "{part}");
}

#[test]
fn one_measurement_told_ten_times_is_one_measurement() {
    let interval = |grouped: bool| {
        let mut matches = Matches::new();
        for trial in 0..12 {
            let group = trial.to_string();
            for _ in 0..10 {
                let played = if trial % 3 == 0 {
                    Played::won(&["b"], &["a"])
                } else {
                    Played::won(&["a"], &["b"])
                };
                let group = grouped.then_some(&*group);
                matches.add(&Played { group, ..played }).unwrap();
            }
        }
        let evaluation = Evaluation::of(&matches, SystemKind::BradleyTerry, &Procedure::default());
        let interval = evaluation.standings[0].rating.interval.unwrap();
        interval.high - interval.low
    };
    let (apart, together) = (interval(false), interval(true));
    assert!(together > 2.0 * apart, "{together} {apart}");
}
