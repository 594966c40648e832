//! Numbers that were published, or worked out by hand from what was.

use std::path::Path;

use apprentice_ratings::{
    Elo, Evaluation, Glicko, GlickoTwo, LimitRule, Margins, Matches, Order, Played, Procedure,
    Profile, RatingSystem, ScoreBased, Selection, SystemKind, Trials, TrueSkill, WinRate,
    read_trials,
};

/// The ratings of all players after some matches, in the order in which they are named.
fn after(mut system: impl RatingSystem, played: &[Played<'_>]) -> Vec<(f64, f64)> {
    let mut matches = Matches::new();
    for played in played {
        matches.add(played).expect("a match");
    }
    for game in matches.iter() {
        system.rate(game);
    }
    let table = system.table(&matches);
    let pair =
        |rating: apprentice_ratings::Rating| (rating.value, rating.deviation.unwrap_or(f64::NAN));
    table.into_iter().map(pair).collect()
}

#[track_caller]
fn check(found: &[(f64, f64)], expected: &[(f64, f64)], within: f64) {
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        assert!(
            (found.0 - expected.0).abs() < within,
            "{found:?} {expected:?}"
        );
        assert!(
            (found.1 - expected.1).abs() < within,
            "{found:?} {expected:?}"
        );
    }
}

#[test]
fn trueskill_of_one_against_one() {
    let won = [Played::won(&["a"], &["b"])];
    let standard = TrueSkill::new(Profile::STANDARD);
    let expected = [(29.39583, 7.17148), (20.60417, 7.17148)];
    check(&after(standard, &won), &expected, 5e-5);
    let without_draws = TrueSkill::new(Profile {
        draws: 0.0,
        ..Profile::STANDARD
    });
    let expected = [(29.20547, 7.19482), (20.79453, 7.19482)];
    check(&after(without_draws, &won), &expected, 5e-5);
}

#[test]
fn trueskill_of_one_against_two() {
    let standard = || TrueSkill::new(Profile::STANDARD);
    let expected = [(33.7307, 7.3174), (16.2693, 7.3174), (16.2693, 7.3174)];
    let won = [Played::won(&["a"], &["b", "c"])];
    check(&after(standard(), &won), &expected, 1e-4);
    let expected = [(25.6042, 8.0749), (25.6042, 8.0749), (24.3958, 8.0749)];
    let won = [Played::won(&["b", "c"], &["a"])];
    check(&after(standard(), &won), &expected, 1e-4);
}

#[test]
fn trueskill_of_a_planner_against_a_level_and_a_limit() {
    let scaled = || TrueSkill::new(Profile::SCALED);
    let won = [Played::won(&["planner"], &["level", "limit"])];
    let expected = [(67.0470, 14.6459), (32.9530, 14.6459), (32.9530, 14.6459)];
    check(&after(scaled(), &won), &expected, 1e-3);
    let lost = [Played::won(&["level", "limit"], &["planner"])];
    let expected = [(51.1011, 16.1837), (51.1011, 16.1837), (48.8989, 16.1837)];
    check(&after(scaled(), &lost), &expected, 1e-3);
}

/// How much a newcomer wins who played a part of the match against another who played all of it.
fn gain_by_part(part: f64) -> f64 {
    let won = [Played {
        weights: &[part, 1.0],
        ..Played::won(&["a"], &["b"])
    }];
    after(TrueSkill::new(Profile::SCALED), &won)[0].0 - 50.0
}

#[test]
fn partial_play_does_not_reward_faster_wins() {
    let published = [
        (1.0, 8.41),
        (0.8, 10.08),
        (0.6, 11.21),
        (0.5, 11.25),
        (0.4, 10.71),
        (0.3, 9.41),
        (0.2, 7.21),
        (0.1, 4.06),
    ];
    for (part, expected) in published {
        let gain = gain_by_part(part);
        assert!((gain - expected).abs() < 0.006, "{part}: {gain} {expected}");
    }
    let parts = (1..=100).map(|part| f64::from(part) / 100.0);
    let best = parts.max_by(|one, other| gain_by_part(*one).total_cmp(&gain_by_part(*other)));
    assert!((0.5..=0.7).contains(&best.unwrap()), "{best:?}");
    assert!(gain_by_part(0.2) < gain_by_part(1.0));
}

#[test]
fn predictions_from_the_published_ratings() {
    let mut names = Matches::new();
    names
        .add(&Played::won(&["planner"], &["level", "limit"]))
        .unwrap();
    let ids: Vec<_> = names.ids().collect();
    // Table 7.2, with deviations a third of the way to the conservative ratings.
    let wastar_on_one_way = [(68.2, 1.0), (21.9, 1.07), (48.4, 0.94)];
    let mha_where_it_was_shown = [(80.2, 1.1), (22.9, 1.04), (11.2, 3.2)];
    for (ratings, expected) in [(wastar_on_one_way, 0.443), (mha_where_it_was_shown, 0.999)] {
        let system = TrueSkill::starting_from(Profile::SCALED, ratings);
        let wins = system.win_probability(&ids[..1], &ids[1..]).unwrap();
        assert!((wins - expected).abs() < 0.001, "{wins}");
        let conservative: Vec<f64> = system
            .table(&names)
            .iter()
            .map(|rating| rating.conservative().unwrap())
            .collect();
        let ahead = conservative[0] - conservative[1] - conservative[2];
        assert!(if expected < 0.5 {
            ahead.abs() < 1.5
        } else {
            ahead > 50.0
        });
    }
}

#[test]
fn match_quality_of_newcomers_and_of_equals() {
    let mut names = Matches::new();
    names.add(&Played::won(&["a"], &["b"])).unwrap();
    let [a, b] = names.ids().collect::<Vec<_>>()[..] else {
        panic!("two players")
    };
    let newcomers = TrueSkill::new(Profile::STANDARD);
    let quality = newcomers.match_quality(&[a], &[b]).unwrap();
    assert!((quality - 0.2_f64.sqrt()).abs() < 1e-9, "{quality}");
    let equals = TrueSkill::starting_from(Profile::STANDARD, [(30.0, 0.0), (30.0, 0.0)]);
    assert!((equals.match_quality(&[a], &[b]).unwrap() - 1.0).abs() < 1e-9);
}

/// Glickman's example: 1500 against three, in one period.
fn glickmans_games() -> Matches {
    let mut matches = Matches::new();
    for played in [
        Played::won(&["player"], &["weaker"]),
        Played::won(&["even"], &["player"]),
        Played::won(&["stronger"], &["player"]),
    ] {
        matches.add(&played).unwrap();
    }
    matches
}

#[test]
fn glicko_by_its_authors_example() {
    let matches = glickmans_games();
    let known = [
        (1500.0, 200.0),
        (1400.0, 30.0),
        (1550.0, 100.0),
        (1700.0, 300.0),
    ];
    let mut system = Glicko::starting_from(known);
    system.rate_period(&matches.iter().collect::<Vec<_>>());
    let player = system.rating(matches.find("player").unwrap());
    assert!((player.value - 1464.1).abs() < 0.05, "{player:?}");
    assert!(
        (player.deviation.unwrap() - 151.4).abs() < 0.05,
        "{player:?}"
    );
}

#[test]
fn glicko_two_by_its_authors_example() {
    let matches = glickmans_games();
    let known = [
        (1500.0, 200.0),
        (1400.0, 30.0),
        (1550.0, 100.0),
        (1700.0, 300.0),
    ];
    let mut system = GlickoTwo::starting_from(known.map(|(value, by)| (value, by, 0.06)));
    system.rate_period(&matches.iter().collect::<Vec<_>>());
    let player = matches.find("player").unwrap();
    let rating = system.rating(player);
    assert!((rating.value - 1464.05).abs() < 0.01, "{rating:?}");
    assert!(
        (rating.deviation.unwrap() - 151.52).abs() < 0.01,
        "{rating:?}"
    );
    assert!((system.volatility(player) - 0.059996).abs() < 1e-6);
}

#[test]
fn elo_of_one_against_one_and_of_teams() {
    let found = after(Elo::new(), &[Played::won(&["a"], &["b"])]);
    assert_eq!((found[0].0, found[1].0), (1516.0, 1484.0));
    // A match of newcomers is even, however many they are, and they share what they win.
    let found = after(Elo::new(), &[Played::won(&["a"], &["b", "c"])]);
    let values: Vec<f64> = found.iter().map(|it| it.0).collect();
    assert_eq!(values, [1516.0, 1492.0, 1492.0]);
}

#[test]
fn elo_with_margins_by_the_published_form() {
    let margin = |score: f64| {
        let won = [Played {
            score: Some(score),
            ..Played::won(&["a"], &["b"])
        }];
        after(Elo::with_margins(Margins::Counted), &won)[0].0 - 1500.0
    };
    assert!((margin(10.0) - 16.0 * 11.0_f64.ln()).abs() < 1e-9);
    assert!((margin(1.0) - 16.0 * 2.0_f64.ln()).abs() < 1e-9);
    assert_eq!(margin(0.0), 0.0);
}

#[test]
fn scores_are_learned_from_exactly() {
    // By hand: newcomers (50, 50/3), drift 1/6, performance 25/3, two players, a score of 20.
    let own = (50.0_f64 / 3.0).powi(2) + 1.0 / 36.0;
    let gain = own / (2.0 * (own + (25.0_f64 / 3.0).powi(2)));
    let deviation = (own * (1.0 - gain)).sqrt();
    let won = [Played {
        score: Some(20.0),
        ..Played::won(&["a"], &["b"])
    }];
    let expected = [
        (50.0 + 20.0 * gain, deviation),
        (50.0 - 20.0 * gain, deviation),
    ];
    check(
        &after(ScoreBased::new(Profile::SCALED), &won),
        &expected,
        1e-9,
    );
}

/// Sixty times that fit the margins of Table 7.3.
fn published_trials() -> Trials {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/ratings");
    let text = std::fs::read_to_string(data.join("published_margins.csv")).expect("it is there");
    let selection = Selection {
        measure: Some("seconds".to_owned()),
        ..Selection::default()
    };
    read_trials(&text, &selection).expect("trials")
}

fn published_matches() -> Matches {
    let trials = published_trials();
    let limits = (1..=10).map(|number| f64::from(3 * number)).collect();
    let limits = trials.limits(&LimitRule::Given(limits)).expect("limits");
    trials.matches(&limits).expect("matches")
}

#[test]
fn the_margins_of_the_published_win_rates() {
    let trials = published_trials();
    assert_eq!((trials.beyond(3.0), trials.beyond(30.0)), (42, 2));
    let matches = published_matches();
    assert_eq!(matches.len(), 600);
    let mut rates = WinRate::new();
    for game in matches.iter() {
        rates.rate(game);
    }
    let mut expected: Vec<(String, f64, f64)> = Vec::new();
    for (name, wins) in [("wastar", 111), ("tgraph", 116), ("mha", 172)] {
        expected.push((name.to_owned(), f64::from(wins), 200.0));
    }
    for (name, wins) in [
        ("exact", 22),
        ("close", 30),
        ("far", 48),
        ("k5d1", 22),
        ("k5d5", 79),
    ] {
        expected.push((name.to_owned(), f64::from(wins), 120.0));
    }
    for (number, wins) in [42, 38, 37, 30, 14, 13, 11, 9, 5, 2]
        .into_iter()
        .enumerate()
    {
        expected.push((format!("limit {}", 3 * number + 3), f64::from(wins), 60.0));
    }
    assert_eq!(matches.players(), expected.len());
    for (name, wins, all) in expected {
        let player = matches.find(&name).expect("it played");
        assert_eq!(rates.rating(player).value, wins / all, "{name}");
    }
    let evaluation = Evaluation::of(&matches, SystemKind::WinRate, &Procedure::default());
    let wins: u64 = evaluation.standings.iter().map(|row| row.wins).sum();
    assert_eq!(wins, 399 + 2 * 201);
}

#[test]
fn limits_on_other_machines_are_as_hard_as_the_published_ones() {
    let trials = published_trials();
    let limits = trials.limits(&LimitRule::LikePublished).expect("limits");
    assert_eq!(trials.beyond(*limits.last().unwrap()), 2);
    assert_eq!(limits.len(), 10);
    // A machine a thousand times as fast has the same matches.
    let mut fast = trials.clone();
    for trial in &mut fast.trials {
        trial.took = trial.took.map(|took| took / 1_000.0);
    }
    let fast_limits = fast.limits(&LimitRule::LikePublished).expect("limits");
    let endings = |trials: &Trials, limits: &[f64]| -> Vec<usize> {
        limits.iter().map(|limit| trials.beyond(*limit)).collect()
    };
    assert_eq!(endings(&trials, &limits), endings(&fast, &fast_limits));
}

/// Ten passes that carry over, as the dissertation did it.
fn as_published() -> Procedure {
    Procedure {
        passes: 10,
        order: Order::Shuffled { seed: 1 },
        ..Procedure::default()
    }
}

/// The names of some players as a system ranks them.
fn ranked<'a>(evaluation: &'a Evaluation<'_>, among: &[&str]) -> Vec<&'a str> {
    let names = evaluation.standings.iter().map(|row| &*row.name);
    names.filter(|name| among.contains(name)).collect()
}

#[test]
fn the_order_of_planners_levels_and_limits() {
    let matches = published_matches();
    let kind = SystemKind::TrueSkill(Profile::DISSERTATION);
    let evaluation = Evaluation::of(&matches, kind, &as_published());
    assert_eq!(ranked(&evaluation, &["wastar", "tgraph", "mha"])[0], "mha");
    let levels = ranked(&evaluation, &["exact", "close", "far", "k5d1", "k5d5"]);
    assert_eq!(levels[..3], ["k5d5", "far", "close"]);
    let limits: Vec<String> = (1..=10)
        .map(|number| format!("limit {}", 3 * number))
        .collect();
    let limits: Vec<&str> = limits.iter().map(String::as_str).collect();
    assert_eq!(ranked(&evaluation, &limits), limits);
    // The most one-sided results leave most open.
    let by_deviation = evaluation.standings.iter();
    let least_known = by_deviation
        .max_by(|one, other| {
            let deviation = |row: &apprentice_ratings::Standing| row.rating.deviation.unwrap();
            deviation(one).total_cmp(&deviation(other))
        })
        .unwrap();
    assert_eq!(least_known.name, "limit 30");
    // About as large as published: 0.93 to 1.27 for all but the last limit.
    for row in evaluation
        .standings
        .iter()
        .filter(|row| row.name != "limit 30")
    {
        let deviation = row.rating.deviation.unwrap();
        assert!((0.9..1.4).contains(&deviation), "{}: {deviation}", row.name);
    }
    let rating = |name: &str| {
        let row = evaluation.standings.iter().find(|row| row.name == name);
        row.unwrap().rating.value
    };
    let gap = rating("mha") - rating("wastar");
    assert!((8.0..18.0).contains(&gap), "published 12.0, found {gap}");
}

#[test]
fn every_system_that_predicts_agrees_who_is_first_and_hardest() {
    let matches = published_matches();
    for name in SystemKind::NAMES {
        let kind: SystemKind = name.parse().expect("a name");
        let procedure = Procedure {
            resamples: 20,
            ..as_published()
        };
        let evaluation = Evaluation::of(&matches, kind, &procedure);
        // Scores of levels are all alike, so they say little.
        if kind.minds_scores() {
            continue;
        }
        let planners = ranked(&evaluation, &["wastar", "tgraph", "mha"]);
        assert_eq!(planners[0], "mha", "{name}");
        let levels = ranked(&evaluation, &["exact", "close", "far", "k5d1", "k5d5"]);
        assert_eq!(levels[0], "k5d5", "{name}: {levels:?}");
    }
}
