//! Whether planners relate as published where there are keys and doors: Figures 7.6 to 7.14.

use super::rated::{Measure, trials};
use super::{
    Assertion, Judged, Missing, Needed, assertion, at, expanded, expansions, first, listed, run,
};
use crate::cell::PlannerSpec;
use crate::measure::Seeded;
use crate::measured::Row;
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

/// Levels in which keys and shields were put elsewhere, too.
const MOVED: [&str; 4] = ["k1d1_close", "k5d1", "k5d5", "quest_compound"];

/// How often layouts are drawn anew to see how sure the best split is.
const DRAWS: usize = 400;

/// Which split is best where keys and shields lie elsewhere, each layout a level of its own.
fn best_elsewhere(results: &Results<'_>, splits: &[PlannerSpec]) -> Option<String> {
    let mut layouts: Vec<Vec<f64>> = Vec::new();
    for level in MOVED {
        let by_split: Vec<_> = splits
            .iter()
            .map(|spec| super::elsewhere(results, level, 16, spec))
            .collect();
        for seed in by_split.first()?.keys() {
            let counts = by_split.iter().map(|rows| expanded(rows.get(seed)?));
            // Where some split came to no end there is no sum to divide by.
            let Some(counts) = counts.collect::<Option<Vec<f64>>>() else {
                continue;
            };
            let total: f64 = counts.iter().sum();
            layouts.push(counts.iter().map(|count| count / total).collect());
        }
    }
    if layouts.is_empty() {
        return None;
    }
    let sums = |chosen: &mut dyn Iterator<Item = usize>| {
        let mut sums = vec![0.0; splits.len()];
        for number in chosen {
            for (sum, share) in sums.iter_mut().zip(&layouts[number]) {
                *sum += share;
            }
        }
        sums
    };
    let ratio = |sums: &[f64]| {
        let spec = &splits[least(sums)];
        spec.epsilon.unwrap_or(1.0) / spec.w.unwrap_or(1.0)
    };
    let all = sums(&mut (0..layouts.len()));
    let mut random = Seeded(1);
    let draws = (0..DRAWS).map(|_| {
        let drawn: Vec<usize> = layouts
            .iter()
            .map(|_| random.below(layouts.len()))
            .collect();
        ratio(&sums(&mut drawn.into_iter()))
    });
    let mut draws: Vec<f64> = draws.collect();
    draws.sort_by(f64::total_cmp);
    let (low, high) = (draws[DRAWS / 40], draws[DRAWS - 1 - DRAWS / 40]);
    let even = splits.iter().position(|spec| spec.w == spec.epsilon)?;
    Some(format!(
        "1:{:.1} over {} layouts of four levels (95 % 1:{low:.1} to 1:{high:.1}; 1:1 takes {:.0} % more)",
        ratio(&all),
        layouts.len(),
        (all[even] / all[least(&all)] - 1.0) * 100.0
    ))
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
        let elsewhere = best_elsewhere(results, &splits);
        others.extend(elsewhere.map(|it| format!("{it} at {product}")));
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
    let mut searching = 0;
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
            let ready = |planner: &str| {
                let question = run(results, "k1d1_exact", branching, &at(planner, *bound));
                let clocks =
                    question.mean(|row| Some(row.clocks.time_ms - row.clocks.preparing_ms));
                clocks.needed(&question)
            };
            let (plain, led, advised) = (ready("wastar")?, ready("tgraph")?, ready("mha")?);
            searching += usize::from(branching == 16 && led < plain && led < advised);
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
        why: {
            let strictly = match more.is_empty() {
                true => "without the 25 %, as published, expansions hold, too".to_owned(),
                false => format!(
                    "without the 25 %, as published, expansions hold at all bounds but {}",
                    listed(more)
                ),
            };
            let others = exact_elsewhere(results).map_or_else(String::new, |it| format!("; {it}"));
            format!(
                "{strictly}{others}. At branching 16 weighted A* expands 2,000 states in the time it takes to get a T-Graph ready: without that, the T-Graph is the fastest at {searching} of {each}"
            )
        },
    })
}

/// Levels with one key and a line over it, beside the published one.
const EXACT: [&str; 6] = [
    "exact_on_the_grid",
    "exact_north",
    "exact_north_west",
    "exact_south_west",
    "exact_south",
    "exact_south_east",
];

/// What comes of A22 where the key, and the line with it, lie elsewhere.
fn exact_elsewhere(results: &Results<'_>) -> Option<String> {
    let (mut fewest, mut fastest, mut all) = (0, [0, 0], 0);
    let mut on_the_grid = Vec::new();
    let branchings: Vec<u32> = [16, 256]
        .into_iter()
        .filter(|branching| {
            let question = run(results, EXACT[0], *branching, &at("tgraph", 10.0));
            !question.rows().is_empty()
        })
        .collect();
    for (number, branching) in branchings.iter().enumerate() {
        for level in EXACT {
            for bound in &BOUNDS[1..] {
                let asked =
                    PUBLISHED.map(|planner| run(results, level, *branching, &at(planner, *bound)));
                let [plain, led, advised] = &asked;
                let (led_count, advised_count) = (led.expansions()?, advised.expansions()?);
                all += 1;
                fewest += usize::from(led_count <= advised_count);
                if level == EXACT[0] {
                    on_the_grid.push(led_count <= advised_count);
                }
                let time = led.time()?;
                fastest[number] += usize::from(time < plain.time()? && time < advised.time()?);
            }
        }
    }
    if all == 0 {
        return None;
    }
    let each = all / branchings.len();
    let fastest: Vec<String> = branchings
        .iter()
        .zip(fastest)
        .map(|(branching, count)| format!("{count} of {each} with {branching}"))
        .collect();
    let first = on_the_grid.iter().filter(|fits| **fits).count();
    Some(format!(
        "with the key in six other places, and the line over it: no more expansions than MHA* in {fewest} of {all} ({first} of {} where every piece of the line goes along the grid), fastest in {}",
        on_the_grid.len(),
        listed(fastest)
    ))
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
        why: format!(
            "expansions of wA*, T-Graph and MHA*{}",
            five_keys_elsewhere(results).unwrap_or_default()
        ),
    })
}

/// Expansions of weighted A*, T-Graph and MHA* at a bound where keys lie elsewhere, layout by layout; those
/// where all three have a plan.
fn three_elsewhere(
    results: &Results<'_>,
    level: &str,
    branching: u32,
    bound: f64,
    of: impl Fn(&Row) -> Option<f64>,
) -> Vec<[f64; 3]> {
    let [plain, led, advised] =
        PUBLISHED.map(|planner| super::elsewhere(results, level, branching, &at(planner, bound)));
    let all = plain
        .iter()
        .filter_map(|(seed, row)| Some([of(row)?, of(led.get(seed)?)?, of(advised.get(seed)?)?]));
    all.collect()
}

/// In how many of these the third is less than both others.
fn third_wins(all: &[[f64; 3]]) -> usize {
    let wins = all.iter().filter(|it| it[2] < it[0] && it[2] < it[1]);
    wins.count()
}

/// What comes of A25 with the five keys elsewhere.
fn five_keys_elsewhere(results: &Results<'_>) -> Option<String> {
    let mut told = Vec::new();
    for branching in [16, 256] {
        let at_one = three_elsewhere(results, "k5d1", branching, 1.0, expanded);
        let high = three_elsewhere(results, "k5d1", branching, 1e3, expanded);
        if high.is_empty() {
            return None;
        }
        let beaten = at_one.iter().filter(|it| it[0] < it[2] && it[1] < it[2]);
        told.push(format!(
            "at branching {branching} beaten at bound 1 in {} of {}, and the first at 1000 in {} of {}",
            beaten.count(),
            at_one.len(),
            third_wins(&high),
            high.len()
        ));
    }
    Some(format!(
        "; with the keys elsewhere MHA* is {}",
        told.join("; ")
    ))
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
            "the limit is {limit:.0} units of work, which 2 in 60 exceed above bound 1, as published; by work MHA* is first at {least} of 3 bounds{}",
            five_rooms_elsewhere(results).unwrap_or_default()
        ),
    })
}

/// What comes of A26 with every key elsewhere in its room.
fn five_rooms_elsewhere(results: &Results<'_>) -> Option<String> {
    let mut told = Vec::new();
    for bound in [100.0, 1e3, 1e4] {
        let time = |row: &Row| Some(row.clocks.time_ms).filter(|_| row.measured.is_found());
        let work = |row: &Row| Some(row.measured.work as f64).filter(|_| row.measured.is_found());
        let times = three_elsewhere(results, "k5d5", 256, bound, time);
        let works = three_elsewhere(results, "k5d5", 256, bound, work);
        if times.is_empty() {
            return None;
        }
        told.push(format!(
            "at {bound} in {} of {} by time and {} by work",
            third_wins(&times),
            times.len(),
            third_wins(&works)
        ));
    }
    Some(format!(
        "; with every key elsewhere in its room it is first {}",
        listed(told)
    ))
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
        why: format!(
            "expansions at bounds 1, 10 and 100, branching 16{}",
            falling_elsewhere(results).unwrap_or_default()
        ),
    })
}

/// What comes of A28 with keys elsewhere: from bound 1 to 100, and with every larger bound.
fn falling_elsewhere(results: &Results<'_>) -> Option<String> {
    let mut told = Vec::new();
    for level in ["k5d1", "k5d5"] {
        let by_bound = BOUNDS.map(|bound| super::elsewhere(results, level, 16, &at("mha", bound)));
        let (mut falls, mut strictly, mut all) = (0, 0, 0);
        for seed in by_bound[0].keys() {
            let counts = by_bound.iter().map(|rows| expanded(rows.get(seed)?));
            let counts = counts.collect::<Option<Vec<f64>>>()?;
            all += 1;
            falls += usize::from(counts[2] < counts[0]);
            strictly += usize::from(counts.windows(2).all(|pair| pair[1] < pair[0]));
        }
        if all == 0 {
            return None;
        }
        told.push(format!(
            "{level} in {falls} of {all}, with every larger bound in {strictly}"
        ));
    }
    Some(format!(
        "; with keys elsewhere they fall on {}",
        listed(told)
    ))
}
