//! Whether planners relate as published where there are keys and doors: Figures 7.6 to 7.14.

use super::rated::{Measure, trials};
use super::{Assertion, Judged, Missing, Needed, assertion, at, expansions, first, listed, run};
use crate::cell::PlannerSpec;
use crate::results::Results;
use apprentice_ratings::LimitRule;

pub(super) const ASSERTIONS: [Assertion; 10] = [
    assertion(
        "A19",
        "T-Graph, product 10 and 100: the fewest expansions with w : ε from 1:1 to 1:2 (asserted: from 1:1 to 1:4, and ε = 1 is the worst)",
        a19,
    ),
    assertion(
        "A20",
        "calibrated MHA*: the fewest expansions with w2 = 1",
        a20,
    ),
    assertion(
        "A21",
        "weighted A* does the same whether the demonstration is exact, close or far",
        a21,
    ),
    assertion(
        "A22",
        "exact, above bound 1: the T-Graph is the fastest, with no more expansions than MHA* (asserted: 25 % more)",
        a22,
    ),
    assertion(
        "A23",
        "T-Graph expansions from bound 10 on: exact < close < far, and on far more than weighted A*",
        a23,
    ),
    assertion(
        "A24",
        "MHA* needs the fewest on far, and on close from bound 100 on",
        a24,
    ),
    assertion(
        "A25",
        "five keys: at bound 1 weighted A* and T-Graph beat MHA*, at high bounds MHA* wins (loosened: at branching 16 too)",
        a25,
    ),
    assertion(
        "A26",
        "five rooms, branching 256: at bound 1 nothing finishes within the limit; from bound 100 on MHA* is clearly the fastest",
        a26,
    ),
    assertion(
        "A27",
        "every cost is at most twice the best; the largest are the T-Graph's on far, and on five keys at bound 10",
        a27,
    ),
    assertion(
        "A28",
        "from bound 1 to 100 MHA*'s expansions fall in every level of this group and on the compound quest",
        a28,
    ),
];

const LEVELS: [&str; 6] = [
    "k1d1_exact",
    "k1d1_close",
    "k1d1_far",
    "k5d1",
    "k5d5",
    "quest_compound",
];
const GROUP: [&str; 5] = ["k1d1_exact", "k1d1_close", "k1d1_far", "k5d1", "k5d5"];
const BOUNDS: [f64; 5] = [1.0, 10.0, 100.0, 1e3, 1e4];
const PUBLISHED: [&str; 3] = ["wastar", "tgraph", "mha"];

/// Levels beside them in which one line leads to the goal.
const MORE_LEVELS: [&str; 7] = [
    "bear_bypass",
    "bear_lever",
    "cave_left",
    "far_demo",
    "grotto",
    "quest_key",
    "quest_shield",
];

/// Expansions over splits, each level divided by its sum, added up.
fn shares(
    results: &Results<'_>,
    levels: &[&str],
    splits: &[PlannerSpec],
) -> Result<Vec<f64>, Missing> {
    let mut sums = vec![0.0; splits.len()];
    for level in levels {
        let counts = splits
            .iter()
            .map(|spec| expansions(results, level, 16, spec));
        let counts: Vec<f64> = counts.collect::<Result<_, _>>()?;
        let total: f64 = counts.iter().sum();
        for (sum, count) in sums.iter_mut().zip(counts) {
            *sum += count / total;
        }
    }
    Ok(sums)
}

/// A planner with every split that was run of a product, as the definition writes its numbers.
fn splits(results: &Results<'_>, planner: &str, product: f64) -> Vec<PlannerSpec> {
    let mut found: Vec<PlannerSpec> = Vec::new();
    let question = results.ask().scenario("k5d5").branching(16).unvaried();
    let question = question.plan(planner, |it| it.planner.planner == planner);
    for row in question.rows() {
        let Some(spec) = row.cell.planning().map(|it| &it.planner) else {
            continue;
        };
        let factors = if planner == "mha" {
            (spec.w1, spec.w2)
        } else {
            (spec.w, spec.epsilon)
        };
        let (Some(one), Some(other)) = factors else {
            continue;
        };
        let is_product = (one * other / product - 1.0).abs() < 1e-3;
        if spec.bound.is_none() && is_product && !found.contains(spec) {
            found.push(spec.clone());
        }
    }
    found
}

fn least(shares: &[f64]) -> usize {
    let order = (0..shares.len()).min_by(|one, other| shares[*one].total_cmp(&shares[*other]));
    order.unwrap_or(0)
}

fn a19(results: &Results<'_>) -> Result<Judged, Missing> {
    let mut told = Vec::new();
    let (mut holds, mut as_published, mut count) = (true, true, 0);
    let mut others = Vec::new();
    for product in [10.0, 100.0] {
        let splits = splits(results, "tgraph", product);
        if splits.len() < 3 {
            return Err(Missing(format!("splits of {product}")));
        }
        count = splits.len();
        let ratio_of = |levels: &[&str]| {
            let shares = shares(results, levels, &splits).ok()?;
            let spec = &splits[least(&shares)];
            Some(spec.epsilon.unwrap_or(1.0) / spec.w.unwrap_or(1.0))
        };
        let all: Vec<&str> = LEVELS.iter().chain(&MORE_LEVELS).copied().collect();
        for (ratio, which) in [
            (ratio_of(&GROUP), "the five with keys and doors"),
            (ratio_of(&all), "thirteen"),
        ] {
            others.extend(ratio.map(|it| format!("1:{it:.1} over {which} at {product}")));
        }
        let shares = shares(results, &LEVELS, &splits)?;
        let best = least(&shares);
        let even = splits
            .iter()
            .position(|spec| spec.w == spec.epsilon)
            .unwrap_or(0);
        let (w, epsilon) = (
            splits[best].w.unwrap_or(1.0),
            splits[best].epsilon.unwrap_or(1.0),
        );
        let plain = splits
            .iter()
            .position(|spec| spec.epsilon == Some(1.0))
            .unwrap_or(0);
        let worst = shares.iter().all(|share| *share <= shares[plain]);
        let ratio = epsilon / w;
        holds &= worst && (0.99..=4.01).contains(&ratio);
        as_published &= (0.99..=2.01).contains(&ratio);
        told.push(format!(
            "product {product}: least at 1:{ratio:.1}; ε = 1 takes {:.1} times as many, 1:1 {:.0} % more",
            shares[plain] / shares[best],
            (shares[even] / shares[best] - 1.0) * 100.0
        ));
    }
    Ok(Judged {
        holds,
        measured: told.join("; "),
        why: format!(
            "six levels, {count} splits; which split is best depends on the levels, and the best is hardly better than its neighbours; the range as published, 1:1 to 1:2, {}; least at {}",
            if as_published {
                "holds, too"
            } else {
                "is missed"
            },
            listed(others)
        ),
    })
}

fn a20(results: &Results<'_>) -> Result<Judged, Missing> {
    let mut told = Vec::new();
    let mut holds = true;
    for product in [10.0, 100.0] {
        let splits = splits(results, "mha", product);
        if splits.len() < 3 {
            return Err(Missing(format!("splits of {product}")));
        }
        let shares = shares(results, &LEVELS, &splits)?;
        let best = least(&shares);
        holds &= splits[best].w2 == Some(1.0);
        let shares = shares.iter().map(|share| format!("{share:.2}"));
        told.push(format!(
            "product {product}: least at w1 = {}, sums {}",
            splits[best].w1.unwrap_or(1.0),
            listed(shares)
        ));
    }
    Ok(Judged {
        holds,
        measured: told.join("; "),
        why: String::new(),
    })
}

fn a21(results: &Results<'_>) -> Result<Judged, Missing> {
    let (mut alike, mut all) = (0, 0);
    for branching in [16, 256] {
        for bound in BOUNDS {
            let rows = GROUP[..3].iter().map(|level| {
                let row = first(&run(results, level, branching, &at("wastar", bound)))?;
                Ok((row.measured.expansions, row.measured.way.clone()))
            });
            let rows: Vec<(u64, String)> = rows.collect::<Result<_, _>>()?;
            all += 1;
            alike += usize::from(rows[0] == rows[1] && rows[1] == rows[2]);
        }
    }
    Ok(Judged {
        holds: alike == all,
        measured: format!("alike at {alike} of {all} bounds and branchings"),
        why: String::new(),
    })
}

fn a22(results: &Results<'_>) -> Result<Judged, Missing> {
    let (mut fastest, mut all, mut worst) = ([0, 0], 0, 0.0f64);
    let mut more = Vec::new();
    for (number, branching) in [16, 256].into_iter().enumerate() {
        for bound in &BOUNDS[1..] {
            let time = |planner: &str| {
                let question = run(results, "k1d1_exact", branching, &at(planner, *bound));
                question.time().needed(&question)
            };
            let (plain, led, advised) = (time("wastar")?, time("tgraph")?, time("mha")?);
            all += 1;
            fastest[number] += usize::from(led < plain && led < advised);
            let counts = ["tgraph", "mha"]
                .map(|planner| expansions(results, "k1d1_exact", branching, &at(planner, *bound)));
            let [led, advised] = counts;
            let (led, advised) = (led?, advised?);
            worst = worst.max(led / advised);
            if led > advised {
                more.push(format!("{bound} at {branching} ({led} against {advised})"));
            }
        }
    }
    let each = all / 2;
    Ok(Judged {
        holds: fastest[0] + fastest[1] == all && worst <= 1.25,
        measured: format!(
            "fastest at {} of {each} bounds with branching 16, {} of {each} with 256; at most {worst:.2} times MHA*'s expansions",
            fastest[0], fastest[1]
        ),
        why: if more.is_empty() {
            "without the 25 %, as published, expansions hold, too".to_owned()
        } else {
            format!(
                "without the 25 %, as published, expansions hold at all bounds but {}. At branching 16 weighted A* expands 2,000 states in the time it takes to get a T-Graph ready",
                listed(more)
            )
        },
    })
}

fn a23(results: &Results<'_>) -> Result<Judged, Missing> {
    let mut told = Vec::new();
    let mut holds = true;
    for branching in [16, 256] {
        for bound in &BOUNDS[1..] {
            let led = GROUP[..3]
                .iter()
                .map(|level| expansions(results, level, branching, &at("tgraph", *bound)));
            let led: Vec<f64> = led.collect::<Result<_, _>>()?;
            let plain = expansions(results, "k1d1_far", branching, &at("wastar", *bound))?;
            let fits = led[0] < led[1] && led[1] < led[2] && led[2] > plain;
            holds &= fits;
            if branching == 16 || !fits {
                told.push(format!(
                    "{bound} at {branching}: {} < {} < {}, wA* {plain}",
                    led[0], led[1], led[2]
                ));
            }
        }
    }
    Ok(Judged {
        holds,
        measured: told.join("; "),
        why: String::new(),
    })
}

fn a24(results: &Results<'_>) -> Result<Judged, Missing> {
    let (mut wins, mut all, mut told) = (0, 0, Vec::new());
    for branching in [16, 256] {
        for (level, from) in [("k1d1_far", 10.0), ("k1d1_close", 100.0)] {
            for bound in BOUNDS.iter().filter(|bound| **bound >= from) {
                let counts = PUBLISHED
                    .map(|planner| expansions(results, level, branching, &at(planner, *bound)));
                let [plain, led, advised] = counts;
                let (plain, led, advised) = (plain?, led?, advised?);
                all += 1;
                if advised < plain && advised < led {
                    wins += 1;
                } else {
                    told.push(format!(
                        "{level}, {bound} at {branching}: {advised} against {}",
                        plain.min(led)
                    ));
                }
            }
        }
    }
    Ok(Judged {
        holds: wins == all,
        measured: format!("MHA* needs the fewest in {wins} of {all}"),
        why: listed(told),
    })
}

fn a25(results: &Results<'_>) -> Result<Judged, Missing> {
    let mut told = Vec::new();
    let mut holds = true;
    for branching in [16, 256] {
        let counts = |bound: f64| {
            let counts = PUBLISHED
                .map(|planner| expansions(results, "k5d1", branching, &at(planner, bound)));
            let [plain, led, advised] = counts;
            Ok::<_, Missing>([plain?, led?, advised?])
        };
        let [plain, led, advised] = counts(1.0)?;
        holds &= plain < advised && led < advised;
        told.push(format!(
            "at bound 1 and {branching}: {plain}, {led}, {advised}"
        ));
        for bound in [1e3, 1e4] {
            let [plain, led, advised] = counts(bound)?;
            holds &= advised < plain && advised < led;
            told.push(format!("at {bound}: {plain}, {led}, {advised}"));
        }
    }
    Ok(Judged {
        holds,
        measured: told.join("; "),
        why: "expansions of wA*, T-Graph and MHA*".to_owned(),
    })
}

fn a26(results: &Results<'_>) -> Result<Judged, Missing> {
    let trials = trials(results, Measure::Work)?;
    let limits = trials.limits(&LimitRule::LikePublished);
    let limit = limits.map_err(|error| Missing(error.to_string()))?;
    let limit = limit.last().copied().unwrap_or(f64::INFINITY);
    let mut beyond = 0;
    for planner in PUBLISHED {
        let row = first(&run(results, "k5d5", 256, &at(planner, 1.0)))?;
        beyond += usize::from(!row.measured.is_found() || row.measured.work as f64 > limit);
    }
    let mut told = Vec::new();
    let (mut fastest, mut least) = (true, 0);
    for bound in [100.0, 1e3, 1e4] {
        let time = |planner: &str| {
            let question = run(results, "k5d5", 256, &at(planner, bound));
            question.time().needed(&question)
        };
        let (plain, led, advised) = (time("wastar")?, time("tgraph")?, time("mha")?);
        fastest &= advised < plain && advised < led;
        let work = |planner: &str| {
            let question = run(results, "k5d5", 256, &at(planner, bound));
            let work = question.mean(|row| Some(row.measured.work as f64));
            work.needed(&question)
        };
        least += usize::from(work("mha")? < work("wastar")?.min(work("tgraph")?));
        told.push(format!("at {bound}: {plain:.0}, {led:.0}, {advised:.0} ms"));
    }
    Ok(Judged {
        holds: beyond == PUBLISHED.len() && fastest,
        measured: format!(
            "{beyond} of 3 are beyond the limit at bound 1; wA*, T-Graph, MHA* {}",
            told.join("; ")
        ),
        why: format!(
            "the limit is {limit:.0} units of work, which 2 in 60 exceed above bound 1, as published; by work MHA* is first at {least} of 3 bounds"
        ),
    })
}

fn a27(results: &Results<'_>) -> Result<Judged, Missing> {
    let mut ratios = Vec::new();
    for branching in [16, 256] {
        for level in GROUP {
            for bound in BOUNDS {
                for planner in PUBLISHED {
                    let question = run(results, level, branching, &at(planner, bound));
                    first(&question)?;
                    // What ran out of budget has no cost, and where the best is not known there is no ratio.
                    if let Some(ratio) = question.ratio() {
                        ratios.push((ratio, planner, level, bound, branching));
                    }
                }
            }
        }
    }
    ratios.sort_by(|one, other| other.0.total_cmp(&one.0));
    let Some(worst) = ratios.first() else {
        return Err(Missing("costs beside the best".to_owned()));
    };
    let five = ratios.iter().find(|it| it.2 == "k5d1" && it.1 == "tgraph");
    let is_there = worst.1 == "tgraph" && worst.2 == "k1d1_far";
    let five_at_ten = five.is_some_and(|it| it.3 == 10.0);
    let told = ratios
        .iter()
        .take(3)
        .map(|(ratio, planner, level, bound, branching)| {
            format!("{ratio:.2} ({planner}, {level}, bound {bound}, branching {branching})")
        });
    Ok(Judged {
        holds: worst.0 <= 2.0 && is_there && five_at_ten,
        measured: format!(
            "of {} plans the dearest cost {}",
            ratios.len(),
            listed(told)
        ),
        why: "in times the best; known where somebody has proven which that is".to_owned(),
    })
}

fn a28(results: &Results<'_>) -> Result<Judged, Missing> {
    let mut told = Vec::new();
    let mut holds = true;
    for level in LEVELS {
        let counts =
            [1.0, 10.0, 100.0].map(|bound| expansions(results, level, 16, &at("mha", bound)));
        let [one, ten, hundred] = counts;
        let (one, ten, hundred) = (one?, ten?, hundred?);
        holds &= hundred < one;
        told.push(format!("{level} {one}, {ten}, {hundred}"));
    }
    Ok(Judged {
        holds,
        measured: told.join("; "),
        why: "expansions at bounds 1, 10 and 100, branching 16".to_owned(),
    })
}
