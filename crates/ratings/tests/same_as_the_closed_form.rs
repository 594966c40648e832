//! What the library computes by its factor graph is what the formula for two teams says, with integrals
//! that are summed up step by step.

use apprentice_ratings::{Ending, Matches, Played, Profile, RatingSystem, TrueSkill};
use proptest::prelude::*;

/// The density of the normal distribution.
fn density(x: f64) -> f64 {
    (-x * x / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt()
}

/// Its integral, by Simpson's rule from far away.
fn integral(from: f64, to: f64) -> f64 {
    let steps = 20_000;
    let width = (to - from) / f64::from(steps);
    let sum: f64 = (0..=steps)
        .map(|step| {
            let weight = match step {
                0 => 1.0,
                last if last == steps => 1.0,
                odd if odd % 2 == 1 => 4.0,
                _ => 2.0,
            };
            weight * density(from + width * f64::from(step))
        })
        .sum();
    sum * width / 3.0
}

/// Where the integral up to a point is `part`.
fn quantile(part: f64) -> f64 {
    let (mut low, mut high) = (-10.0, 10.0);
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if 0.5 + integral(0.0, middle) < part {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

#[derive(Debug)]
struct Player {
    mean: f64,
    deviation: f64,
    weight: f64,
    sign: f64,
}

/// The update of two teams in closed form (Herbrich and others, 2006).
fn closed_form(
    profile: Profile,
    margin: f64,
    ending: Ending,
    players: &[Player],
) -> Vec<(f64, f64)> {
    let square = |x: f64| x * x;
    let variance = |player: &Player| square(player.deviation) + square(profile.drift);
    let spread: f64 = players
        .iter()
        .map(|it| square(it.weight) * (variance(it) + square(profile.performance)))
        .sum();
    let spread = spread.sqrt();
    let ahead: f64 = players.iter().map(|it| it.sign * it.weight * it.mean).sum();
    let (t, e) = (ahead / spread, margin / spread);
    let (v, w) = match ending {
        Ending::Won => {
            let v = density(t - e) / integral(-12.0 - t.abs() - e, t - e);
            (v, v * (v + t - e))
        }
        Ending::Drawn => {
            let inside = integral(-e - t, e - t);
            let v = (density(-e - t) - density(e - t)) / inside;
            let tails = (e - t) * density(e - t) + (e + t) * density(e + t);
            (v, v * v + tails / inside)
        }
    };
    let update = |it: &Player| {
        let own = variance(it);
        let mean = it.mean + it.sign * it.weight * own * v / spread;
        let left = 1.0 - square(it.weight) * own * w / square(spread);
        (mean, (own * left).sqrt())
    };
    players.iter().map(update).collect()
}

fn any_player(sign: f64) -> impl Strategy<Value = Player> {
    let weight = prop_oneof![Just(1.0), 0.05..1.0_f64];
    (15.0..35.0_f64, 0.5..9.0_f64, weight).prop_map(move |(mean, deviation, weight)| Player {
        mean,
        deviation,
        weight,
        sign,
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn teams_of_any_size_and_weights(
        winners in prop::collection::vec(any_player(1.0), 1..4),
        losers in prop::collection::vec(any_player(-1.0), 1..4),
        drawn in any::<bool>(),
    ) {
        let profile = Profile::STANDARD;
        let ending = if drawn { Ending::Drawn } else { Ending::Won };
        let names: Vec<String> = (0..winners.len() + losers.len()).map(|n| n.to_string()).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let (first, second) = names.split_at(winners.len());
        let players: Vec<Player> = winners.into_iter().chain(losers).collect();
        let weights: Vec<f64> = players.iter().map(|it| it.weight).collect();
        let mut matches = Matches::new();
        let played = Played { ending, weights: &weights, ..Played::won(first, second) };
        matches.add(&played).unwrap();
        let known = players.iter().map(|it| (it.mean, it.deviation));
        let mut system = TrueSkill::starting_from(profile, known);
        system.rate(matches.iter().next().unwrap());

        let count = players.len() as f64;
        let margin = quantile((profile.draws + 1.0) / 2.0) * count.sqrt() * profile.performance;
        let expected = closed_form(profile, margin, ending, &players);
        for (found, expected) in system.table(&matches).iter().zip(expected) {
            let deviation = found.deviation.unwrap();
            prop_assert!((found.value - expected.0).abs() < 2e-4, "{found:?} {expected:?}");
            prop_assert!((deviation - expected.1).abs() < 2e-4, "{found:?} {expected:?}");
        }
    }
}
