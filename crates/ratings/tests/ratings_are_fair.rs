//! Who is who, and who is named first, makes no difference; whoever did not play is not touched; and
//! whatever was played, numbers stay numbers.

use apprentice_ratings::{Evaluation, Matches, Order, Played, Procedure, Rating, SystemKind};
use proptest::prelude::*;

fn every_kind() -> Vec<SystemKind> {
    SystemKind::NAMES
        .iter()
        .map(|name| name.parse().expect("a name"))
        .collect()
}

const QUICK: Procedure = Procedure {
    passes: 2,
    order: Order::AsPlayed,
    orders: 1,
    resamples: 5,
};

/// A match as a test makes it up: players by number, nobody on both sides.
#[derive(Clone, Debug)]
struct MadeUp {
    winners: Vec<usize>,
    losers: Vec<usize>,
    drawn: bool,
    score: Option<f64>,
    weights: Vec<f64>,
}

fn any_match() -> impl Strategy<Value = MadeUp> {
    let order = Just((0..6usize).collect::<Vec<_>>()).prop_shuffle();
    let score = prop::option::of(prop_oneof![0.0..20.0_f64, Just(1e12)]);
    let weight = prop_oneof![Just(1.0), 0.01..1.0_f64];
    let weights = prop::collection::vec(weight, 6);
    (order, 1..4usize, 1..3usize, any::<bool>(), score, weights).prop_map(
        |(order, first, second, drawn, score, weights)| MadeUp {
            winners: order[..first].to_vec(),
            losers: order[first..first + second].to_vec(),
            drawn,
            score: score.filter(|_| !drawn),
            weights: weights[..first + second].to_vec(),
        },
    )
}

/// The matches, with players called by this alphabet.
fn matches_of(made_up: &[MadeUp], alphabet: &[&str]) -> Matches {
    let mut matches = Matches::new();
    for game in made_up {
        let names = |side: &[usize]| side.iter().map(|it| alphabet[*it]).collect::<Vec<_>>();
        let (winners, losers) = (names(&game.winners), names(&game.losers));
        let played = if game.drawn {
            Played::drawn(&winners, &losers)
        } else {
            Played::won(&winners, &losers)
        };
        let played = Played {
            score: game.score,
            weights: &game.weights,
            ..played
        };
        matches.add(&played).expect("a match");
    }
    matches
}

fn rating_of(evaluation: &Evaluation<'_>, name: &str) -> Option<Rating> {
    let row = evaluation.standings.iter().find(|row| row.name == name);
    row.map(|row| row.rating)
}

fn is_near(one: Rating, other: Rating) -> bool {
    let near = |one: f64, other: f64| (one - other).abs() <= 1e-6 * one.abs().max(1.0);
    let deviations = (one.deviation.unwrap_or(0.0), other.deviation.unwrap_or(0.0));
    near(one.value, other.value) && near(deviations.0, deviations.1)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn names_make_no_difference(made_up in prop::collection::vec(any_match(), 1..12)) {
        let (one, other) = (["a", "b", "c", "d", "e", "f"], ["z", "y", "x", "w", "v", "u"]);
        let (first, second) = (matches_of(&made_up, &one), matches_of(&made_up, &other));
        for kind in every_kind() {
            let first = Evaluation::of(&first, kind, &QUICK);
            let second = Evaluation::of(&second, kind, &QUICK);
            for (one, other) in one.iter().zip(other) {
                prop_assert_eq!(rating_of(&first, one), rating_of(&second, other));
            }
        }
    }

    #[test]
    fn who_is_named_first_in_a_team_makes_no_difference(
        made_up in prop::collection::vec(any_match(), 1..12),
    ) {
        let names = ["a", "b", "c", "d", "e", "f"];
        let mut turned = made_up.clone();
        for game in &mut turned {
            game.winners.reverse();
            game.losers.reverse();
            let first = game.winners.len();
            game.weights[..first].reverse();
            game.weights[first..].reverse();
        }
        let (first, second) = (matches_of(&made_up, &names), matches_of(&turned, &names));
        for kind in every_kind() {
            let first = Evaluation::of(&first, kind, &QUICK);
            let second = Evaluation::of(&second, kind, &QUICK);
            for name in names {
                let ratings = (rating_of(&first, name), rating_of(&second, name));
                if let (Some(one), Some(other)) = ratings {
                    prop_assert!(is_near(one, other), "{}: {one:?} {other:?}", kind.name());
                }
            }
        }
    }

    #[test]
    fn a_draw_is_the_same_from_both_sides(made_up in prop::collection::vec(any_match(), 1..12)) {
        let names = ["a", "b", "c", "d", "e", "f"];
        let mut turned = made_up.clone();
        for game in turned.iter_mut().filter(|game| game.drawn) {
            let first = game.winners.len();
            game.weights.rotate_left(first);
            std::mem::swap(&mut game.winners, &mut game.losers);
        }
        let (first, second) = (matches_of(&made_up, &names), matches_of(&turned, &names));
        for kind in every_kind() {
            let first = Evaluation::of(&first, kind, &QUICK);
            let second = Evaluation::of(&second, kind, &QUICK);
            for name in names {
                let ratings = (rating_of(&first, name), rating_of(&second, name));
                if let (Some(one), Some(other)) = ratings {
                    prop_assert!(is_near(one, other), "{}: {one:?} {other:?}", kind.name());
                }
            }
        }
    }

    #[test]
    fn the_order_of_a_file_makes_no_difference_where_none_is_minded(
        made_up in prop::collection::vec(any_match(), 1..12),
    ) {
        let names = ["a", "b", "c", "d", "e", "f"];
        let backward: Vec<MadeUp> = made_up.iter().rev().cloned().collect();
        let (first, second) = (matches_of(&made_up, &names), matches_of(&backward, &names));
        for kind in every_kind().into_iter().filter(|kind| !kind.minds_order()) {
            let procedure = Procedure { resamples: 0, ..QUICK };
            let first = Evaluation::of(&first, kind, &procedure);
            let second = Evaluation::of(&second, kind, &procedure);
            for name in names {
                let ratings = (rating_of(&first, name), rating_of(&second, name));
                if let (Some(one), Some(other)) = ratings {
                    prop_assert!(is_near(one, other), "{}: {one:?} {other:?}", kind.name());
                }
            }
        }
    }

    #[test]
    fn who_did_not_play_is_not_there(made_up in prop::collection::vec(any_match(), 1..8)) {
        let names = ["a", "b", "c", "d", "e", "f"];
        let without = matches_of(&made_up, &names);
        // The same, and each time somebody on the bench of each side.
        let mut with = Matches::new();
        for game in &made_up {
            let side = |side: &[usize], bench| {
                let names = side.iter().map(|it| names[*it]);
                names.chain([bench]).collect::<Vec<_>>()
            };
            let (winners, losers) = (side(&game.winners, "bench 1"), side(&game.losers, "bench 2"));
            let mut weights = game.weights.clone();
            weights.insert(game.winners.len(), 0.0);
            weights.push(0.0);
            let played = if game.drawn {
                Played::drawn(&winners, &losers)
            } else {
                Played::won(&winners, &losers)
            };
            with.add(&Played { score: game.score, weights: &weights, ..played }).unwrap();
        }
        for kind in every_kind() {
            let procedure = Procedure { resamples: 0, ..QUICK };
            let with = Evaluation::of(&with, kind, &procedure);
            let without = Evaluation::of(&without, kind, &procedure);
            for row in &without.standings {
                let same = rating_of(&with, &row.name).unwrap();
                prop_assert!(is_near(row.rating, same), "{}", kind.name());
            }
            for bench in ["bench 1", "bench 2"] {
                let row = with.standings.iter().find(|row| row.name == bench).unwrap();
                prop_assert_eq!(row.matches, 0);
                prop_assert!(row.rating.value.is_finite());
            }
        }
    }

    #[test]
    fn predictions_are_the_same_from_both_sides(
        made_up in prop::collection::vec(any_match(), 1..12),
    ) {
        let names = ["a", "b", "c", "d", "e", "f"];
        let matches = matches_of(&made_up, &names);
        let there: Vec<&str> = matches.names().collect();
        for kind in every_kind() {
            let evaluation = Evaluation::of(&matches, kind, &QUICK);
            let (one, other) = (&there[..1], &there[1..2]);
            let there = evaluation.predict(one, other).unwrap();
            let back = evaluation.predict(other, one).unwrap();
            prop_assert_eq!(there.probability.is_some(), kind != SystemKind::WinRate);
            if let (Some(there), Some(back)) = (there.probability, back.probability) {
                prop_assert!((there + back - 1.0).abs() < 1e-6, "{}: {there} {back}", kind.name());
                prop_assert!((0.0..=1.0).contains(&there));
            }
            prop_assert_eq!(there.met, back.met);
            prop_assert_eq!(there.won + back.won, there.met as f64);
        }
    }

    #[test]
    fn winning_never_harms(made_up in prop::collection::vec(any_match(), 0..8)) {
        let names = ["a", "b", "c", "d", "e", "f"];
        let mut matches = matches_of(&made_up, &names);
        matches.add(&Played::won(&["a"], &["b"])).unwrap();
        let mut more = matches.clone();
        // By no less than is expected of anybody, so that scores are no bad news either.
        more.add(&Played { score: Some(1e13), ..Played::won(&["a"], &["b"]) }).unwrap();
        for kind in every_kind() {
            let procedure = Procedure { passes: 1, resamples: 0, ..QUICK };
            let before = rating_of(&Evaluation::of(&matches, kind, &procedure), "a").unwrap();
            let after = rating_of(&Evaluation::of(&more, kind, &procedure), "a").unwrap();
            prop_assert!(after.value >= before.value - 1e-6, "{}", kind.name());
        }
    }
}

#[test]
fn nothing_comes_of_nothing() {
    let matches = Matches::new();
    for kind in every_kind() {
        let evaluation = Evaluation::of(&matches, kind, &Procedure::default());
        assert!(evaluation.standings.is_empty());
        assert!(evaluation.untried(10, |_, _| true).is_empty());
        assert!(evaluation.predict(&["a"], &["b"]).is_err());
    }
}

#[test]
fn one_sided_matches_in_great_number_stay_numbers() {
    let mut matches = Matches::new();
    for _ in 0..20_000 {
        matches.add(&Played::won(&["a"], &["b", "c"])).unwrap();
    }
    // And the one surprise nobody expected.
    matches
        .add(&Played {
            weights: &[1e-9, 1.0, 1.0],
            ..Played::won(&["b", "c"], &["a"])
        })
        .unwrap();
    let tiny = Played {
        weights: &[1e-300, 1.0],
        ..Played::won(&["c"], &["a"])
    };
    matches.add(&tiny).unwrap();
    for kind in every_kind() {
        let procedure = Procedure {
            resamples: 2,
            ..QUICK
        };
        let evaluation = Evaluation::of(&matches, kind, &procedure);
        assert_eq!(evaluation.standings[0].name, "a", "{}", kind.name());
        for row in &evaluation.standings {
            let rating = row.rating;
            assert!(rating.value.is_finite(), "{}: {rating:?}", kind.name());
            assert!(
                rating.deviation.unwrap().is_finite(),
                "{}: {rating:?}",
                kind.name()
            );
            assert!(rating.deviation.unwrap() >= 0.0);
        }
    }
}

#[test]
fn teams_of_thousands_stay_numbers() {
    let names: Vec<String> = (0..4_000).map(|number| number.to_string()).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut matches = Matches::new();
    let (one, other) = names.split_at(3_999);
    for _ in 0..3 {
        matches.add(&Played::won(one, other)).unwrap();
        matches.add(&Played::won(other, one)).unwrap();
    }
    for kind in every_kind() {
        // A match of thousands takes some systems the square of that.
        let procedure = Procedure {
            passes: 1,
            resamples: 1,
            ..QUICK
        };
        let evaluation = Evaluation::of(&matches, kind, &procedure);
        let is_sound = |rating: Rating| rating.value.is_finite();
        assert!(
            evaluation.standings.iter().all(|row| is_sound(row.rating)),
            "{}",
            kind.name()
        );
    }
}

#[test]
fn the_same_seed_makes_the_same_ratings_and_another_one_others() {
    let mut matches = Matches::new();
    for (winner, loser) in [("a", "b"), ("b", "c"), ("c", "a"), ("a", "d"), ("d", "b")] {
        matches.add(&Played::won(&[winner], &[loser])).unwrap();
    }
    let with_seed = |seed| {
        let procedure = Procedure {
            order: Order::Shuffled { seed },
            passes: 3,
            ..QUICK
        };
        Evaluation::of(&matches, SystemKind::default(), &procedure).standings
    };
    assert_eq!(with_seed(5), with_seed(5));
    assert_ne!(with_seed(5), with_seed(6));
    let spread = Evaluation::of(&matches, SystemKind::default(), &Procedure::default());
    let over_orders = spread.standings[0].over_orders.expect("ten orders");
    assert!(over_orders.deviation > 0.0);
}

#[test]
fn pairings_that_never_were_are_found_the_best_first() {
    let mut matches = Matches::new();
    for (winner, loser) in [("a", "b"), ("b", "c"), ("c", "d")] {
        for _ in 0..5 {
            matches.add(&Played::won(&[winner], &[loser])).unwrap();
        }
    }
    let evaluation = Evaluation::of(&matches, SystemKind::BradleyTerry, &Procedure::default());
    let untried = evaluation.untried(10, |_, _| true);
    let pairs: Vec<(&str, &str)> = untried
        .iter()
        .map(|it| (&*it.one[0], &*it.other[0]))
        .collect();
    assert_eq!(pairs.len(), 3, "a-c, b-d, a-d: {pairs:?}");
    assert_eq!(pairs[2], ("a", "d"), "the most uneven");
    for prediction in &untried {
        assert_eq!(prediction.met, 0);
        assert!(prediction.probability.unwrap() > 0.5);
        let interval = prediction.interval.expect("from draws");
        assert!(interval.low <= interval.high);
    }
    assert!(evaluation.untried(10, |_, _| false).is_empty());
    assert_eq!(evaluation.untried(1, |_, _| true).len(), 1);
}
