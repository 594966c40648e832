//! What longer demonstrations and advice of no use cost: Figures 7.15 to 7.17.

use super::{Assertion, Judged, Missing, assertion, at, listed};
use crate::cell::{PlannerSpec, Planning};
use crate::results::Results;

pub(super) const ASSERTIONS: [Assertion; 3] = [
    assertion(
        "A29",
        "the time of the T-Graph grows linearly with its edges, R² of 0.95 and more (published: 7.9 times as long with 603 edges as with 3)",
        a29,
    ),
    assertion(
        "A30",
        "random events that mean nothing make it slower in trend; how much differs between levels",
        a30,
    ),
    assertion(
        "A31",
        "events that are there already slow it much less than random ones; on close some of them speed it up (published: up to about 50)",
        a31,
    ),
];

const GROUP: [&str; 5] = ["k1d1_exact", "k1d1_close", "k1d1_far", "k5d1", "k5d5"];

/// Times, or expansions, by how much something is varied; means over repeats.
fn series(
    results: &Results<'_>,
    level: &str,
    spec: &PlannerSpec,
    varied: fn(&Planning) -> Option<u32>,
    of: fn(&crate::Row) -> f64,
) -> Result<Vec<(f64, f64)>, Missing> {
    let question = results.ask().scenario(level).branching(16).planner(spec);
    let question = question.plan("varied", |it| varied(it).is_some() && it.items.is_none());
    let mut sums = std::collections::BTreeMap::<u32, (f64, f64)>::new();
    for row in question.rows() {
        if let Some(number) = row.cell.planning().and_then(varied) {
            let sum = sums.entry(number).or_default();
            *sum = (sum.0 + of(row), sum.1 + 1.0);
        }
    }
    if sums.len() < 3 {
        return Err(Missing(question.in_words().to_owned()));
    }
    let means = sums
        .into_iter()
        .map(|(number, (sum, count))| (f64::from(number), sum / count));
    Ok(means.collect())
}

fn cuts(planning: &Planning) -> Option<u32> {
    (planning.random_events + planning.repeated_events == 0).then_some(planning.cuts)
}

fn random(planning: &Planning) -> Option<u32> {
    (planning.cuts + planning.repeated_events == 0).then_some(planning.random_events)
}

fn repeated(planning: &Planning) -> Option<u32> {
    (planning.cuts + planning.random_events == 0).then_some(planning.repeated_events)
}

fn time(row: &crate::Row) -> f64 {
    row.clocks.time_ms
}

fn count(row: &crate::Row) -> f64 {
    row.measured.expansions as f64
}

/// The slope of the line of least squares, and how much of the variation it explains.
fn fit(points: &[(f64, f64)]) -> (f64, f64) {
    let n = points.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| points.iter().map(of).sum::<f64>() / n;
    let (x, y) = (mean(|it| it.0), mean(|it| it.1));
    let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
    for point in points {
        xx += (point.0 - x) * (point.0 - x);
        xy += (point.0 - x) * (point.1 - y);
        yy += (point.1 - y) * (point.1 - y);
    }
    let explained = if yy > 0.0 { xy * xy / (xx * yy) } else { 1.0 };
    (xy / xx, explained)
}

fn a29(results: &Results<'_>) -> Result<Judged, Missing> {
    let forgetful = PlannerSpec {
        forgetful: true,
        ..at("tgraph", 100.0)
    };
    let as_published = PlannerSpec {
        scan: true,
        ..forgetful.clone()
    };
    let factor = |spec: &PlannerSpec| {
        let times = series(results, "k1d1_close", spec, cuts, time)?;
        Ok::<f64, Missing>(times[times.len() - 1].1 / times[0].1)
    };
    let times = series(results, "k1d1_close", &as_published, cuts, time)?;
    let counts = series(results, "k1d1_close", &as_published, cuts, count)?;
    let (slope, explained) = fit(&times);
    let (published, boxes, kept) = (
        factor(&as_published)?,
        factor(&forgetful)?,
        factor(&at("tgraph", 100.0))?,
    );
    let (least, most) = counts
        .iter()
        .fold((f64::INFINITY, 0.0f64), |(low, high), it| {
            (low.min(it.1), high.max(it.1))
        });
    Ok(Judged {
        holds: slope > 0.0 && explained >= 0.95,
        measured: format!(
            "R² = {explained:.3}; {published:.1} times as long with 603 edges; {least} to {most} expansions"
        ),
        why: format!(
            "as published, every estimate looks at every edge; as planners do it here, by boxes around edges, {boxes:.1} times as long, and {kept:.1} times where estimates are kept by place, too"
        ),
    })
}

fn a30(results: &Results<'_>) -> Result<Judged, Missing> {
    let mut told = Vec::new();
    let (mut rising, mut factors) = (0, Vec::new());
    for level in GROUP {
        let times = series(results, level, &at("mha", 100.0), random, time)?;
        let (slope, _) = fit(&times);
        let factor = times[times.len() - 1].1 / times[0].1;
        rising += usize::from(slope > 0.0);
        factors.push(factor);
        told.push(format!("{level} {factor:.1}"));
    }
    let differ = factors.iter().fold(0.0f64, |high, it| high.max(*it))
        > 1.2 * factors.iter().fold(f64::INFINITY, |low, it| low.min(*it));
    Ok(Judged {
        holds: rising == GROUP.len() && differ,
        measured: format!(
            "rises in {rising} of 5; times as long with the most: {}",
            listed(told)
        ),
        why: String::new(),
    })
}

fn a31(results: &Results<'_>) -> Result<Judged, Missing> {
    let (mut told, mut counted) = (Vec::new(), Vec::new());
    let (mut slower, mut fewer_of) = (0, 0);
    for level in GROUP {
        let at_fifty = |varied, of| {
            let points = series(results, level, &at("mha", 100.0), varied, of)?;
            let last = points.iter().rev().find(|it| it.0 <= 50.0);
            Ok::<f64, Missing>(last.map_or(1.0, |it| it.1) / points[0].1)
        };
        let (useless, again) = (at_fifty(random, time)?, at_fifty(repeated, time)?);
        slower += usize::from(useless > again);
        told.push(format!("{level} {again:.1} against {useless:.1}"));
        let (useless, again) = (at_fifty(random, count)?, at_fifty(repeated, count)?);
        fewer_of += usize::from(useless > again);
        counted.push(format!("{level} {again:.1} against {useless:.1}"));
    }
    let close = series(results, "k1d1_close", &at("mha", 100.0), repeated, count)?;
    let fewer = close.iter().filter(|it| it.1 < close[0].1);
    let fewer: Vec<String> = fewer.map(|it| it.0.to_string()).collect();
    let speeds = !fewer.is_empty();
    Ok(Judged {
        holds: slower == GROUP.len() && speeds,
        measured: format!(
            "times as long with 50, again against random: {}; fewer expansions on close with {} more",
            listed(told),
            if speeds {
                fewer.join(", ")
            } else {
                "none".to_owned()
            }
        ),
        why: format!(
            "in expansions those again cost less in {fewer_of} of 5: {}. Whoever says the same as somebody else proposes what has been looked at already, so that it costs nothing but its own estimates, and gains nothing either: {}",
            listed(counted),
            if speeds {
                "what fewer expansions there are come of turns that are shared out otherwise"
            } else {
                "on this map nothing is left to be gained, as advice leads nearly straight to the goal"
            }
        ),
    })
}
