//! Whether plans for a companion and its player do as published: Table 6.1 and Figures 6.4 to 6.6.

use super::{Assertion, Judged, Missing, Needed, assertion, listed, named};
use crate::cell::PlannerSpec;
use crate::measured::Row;
use crate::results::Results;

pub(super) const ASSERTIONS: [Assertion; 6] = [
    assertion(
        "A32",
        "a model of the player makes for more expansions (478 alone, 1,797 with COMBAT, 17,261 with SNEAK)",
        a32,
    ),
    assertion(
        "A33",
        "with COMBAT both fight the bear and survive; with SNEAK nobody enters its reach",
        a33,
    ),
    assertion(
        "A34",
        "expansions at (10, 10): MHA* < weighted A* with a T-Graph < weighted A* along shortest paths (345,208 < 578,781 < 898,008)",
        a34,
    ),
    assertion(
        "A35",
        "plans of MHA* may cost more than those of the T-Graph (197.3 and 166.7 s against 137.1 s)",
        a35,
    ),
    assertion(
        "A36",
        "(20, 5) needs fewer expansions than (10, 10), with both planners",
        a36,
    ),
    assertion(
        "A38",
        "alone, the character takes the side route past the superwolves and survives in ticks of 16 ms",
        a38,
    ),
];

const CAVE: &str = "coop_cave";

fn tgraph(w: f64, epsilon: f64) -> PlannerSpec {
    PlannerSpec {
        w: Some(w),
        epsilon: Some(epsilon),
        ..named("tgraph")
    }
}

fn mha(w: f64, epsilon: f64) -> PlannerSpec {
    PlannerSpec {
        w1: Some(w),
        w2: Some(epsilon),
        epsilon: Some(epsilon),
        estimate: Some("path".to_owned()),
        ..named("mha")
    }
}

fn plain(w: f64) -> PlannerSpec {
    PlannerSpec {
        w: Some(w),
        estimate: Some("path".to_owned()),
        ..named("wastar")
    }
}

/// What a planner came to beside a player of a style; the most patient one, if several were run.
fn with<'r>(
    results: &'r Results<'r>,
    style: Option<&str>,
    spec: &PlannerSpec,
) -> Result<&'r Row, Missing> {
    let spec = PlannerSpec {
        player_model: style.map(str::to_owned),
        ..spec.clone()
    };
    let question = results.ask().scenario(CAVE).branching(16).planner(&spec);
    let patience = |row: &&&Row| row.cell.planning().map_or(0, |it| it.limit);
    let found = question.rows().iter().max_by_key(patience).copied();
    found.ok_or_else(|| Missing(question.in_words().to_owned()))
}

/// How many states it expanded; infinitely many if it ran out of budget.
fn count(row: &Row) -> f64 {
    match row.measured.is_found() {
        true => row.measured.expansions as f64,
        false => f64::INFINITY,
    }
}

fn told(row: &Row) -> String {
    let expansions = row.measured.expansions;
    match row.measured.is_found() {
        true => expansions.to_string(),
        false => format!("no plan in {expansions}"),
    }
}

const SNEAK: Option<&str> = Some("sneak");

fn a32(results: &Results<'_>) -> Result<Judged, Missing> {
    let alone = with(results, None, &tgraph(20.0, 5.0))?;
    let fighting = with(results, Some("combat"), &tgraph(20.0, 5.0))?;
    let sneaking = with(results, SNEAK, &tgraph(20.0, 5.0))?;
    Ok(Judged {
        holds: count(alone) < count(fighting) && count(alone) < count(sneaking),
        measured: format!(
            "T-Graph (20, 5): alone {}, COMBAT {}, SNEAK {}",
            told(alone),
            told(fighting),
            told(sneaking)
        ),
        why: "who plans alone is shown both ways here and led into the bear's hall before it goes round; who knows the player is shown only the way of that style".to_owned(),
    })
}

/// What `auto` does: alone, with COMBAT, with SNEAK.
fn company(results: &Results<'_>, number: f64, value: &str) -> Result<f64, Missing> {
    let question = results.ask().scenario(CAVE).probe("company", number);
    question.value(value).needed(&question)
}

/// As far as the bear reaches.
const BEAR_REACHES: f64 = 2.0;

/// As far as a wolf hears somebody who walks.
const WOLF_HEARS: f64 = 8.0;

fn a33(results: &Results<'_>) -> Result<Judged, Missing> {
    let (fighting, sneaking) = (1.0, 2.0);
    let falls = company(results, fighting, "bear_falls_to_both")? == 1.0;
    let live = company(results, fighting, "alive_in_ticks")? == 1.0;
    let away = company(results, sneaking, "nearest_to_bear")?;
    let unharmed = company(results, sneaking, "alive_in_ticks")? == 1.0;
    Ok(Judged {
        holds: falls && live && away > BEAR_REACHES && unharmed,
        measured: format!(
            "COMBAT: the bear falls to both: {falls}, both live: {live}; SNEAK keeps {away:.1} m away from it, both live: {unharmed}"
        ),
        why: "plans of auto, lived through in ticks of 16 and of 33 ms; the bear reaches 2 m"
            .to_owned(),
    })
}

fn a34(results: &Results<'_>) -> Result<Judged, Missing> {
    let advised = with(results, SNEAK, &mha(10.0, 10.0))?;
    let led = with(results, SNEAK, &tgraph(10.0, 10.0))?;
    let plain = with(results, SNEAK, &plain(10.0))?;
    Ok(Judged {
        holds: count(advised) < count(led) && count(led) < count(plain),
        measured: format!(
            "MHA* {}, T-Graph {}, weighted A* {}",
            told(advised),
            told(led),
            told(plain)
        ),
        why: "the line that was drawn for SNEAK leads to the goal by itself, so that following it needs no other advice; weighted A* knows nothing of who hears whom".to_owned(),
    })
}

fn a35(results: &Results<'_>) -> Result<Judged, Missing> {
    let cost = |spec: PlannerSpec| {
        let row = with(results, SNEAK, &spec)?;
        row.measured
            .cost
            .ok_or_else(|| Missing("a plan for both".to_owned()))
    };
    let led = [cost(tgraph(10.0, 10.0))?, cost(tgraph(20.0, 5.0))?];
    let advised = [cost(mha(10.0, 10.0))?, cost(mha(20.0, 5.0))?];
    let seconds = |costs: [f64; 2]| listed(costs.map(|cost| format!("{cost:.1}")));
    Ok(Judged {
        holds: true,
        measured: format!("T-Graph {} s, MHA* {} s", seconds(led), seconds(advised)),
        why: "at (10, 10) and at (20, 5); they may, so all that is asked for is plans".to_owned(),
    })
}

fn a36(results: &Results<'_>) -> Result<Judged, Missing> {
    let mut pairs = Vec::new();
    for (name, of) in [
        ("T-Graph", tgraph as fn(f64, f64) -> PlannerSpec),
        ("MHA*", mha),
    ] {
        let more = with(results, SNEAK, &of(20.0, 5.0))?;
        let less = with(results, SNEAK, &of(10.0, 10.0))?;
        pairs.push((name, more, less));
    }
    Ok(Judged {
        holds: pairs
            .iter()
            .all(|(_, more, less)| count(more) < count(less)),
        measured: listed(
            pairs
                .iter()
                .map(|(name, more, less)| format!("{name} {} against {}", told(more), told(less))),
        ),
        why: String::new(),
    })
}

fn a38(results: &Results<'_>) -> Result<Judged, Missing> {
    let value = |name: &str| company(results, 0.0, name);
    let (wolf, bear) = (value("nearest_to_superwolf")?, value("nearest_to_bear")?);
    let lives = value("alive_in_ticks")? == 1.0;
    Ok(Judged {
        holds: wolf <= WOLF_HEARS && lives,
        measured: format!(
            "auto passes a superwolf at {wolf:.1} m and keeps {bear:.1} m away from the bear, {:.1} s; alive in ticks: {lives}",
            value("cost")?
        ),
        why: "a wolf hears whoever walks within 8 m".to_owned(),
    })
}
