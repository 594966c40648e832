//! Whether ratings of planners, levels and limits come out as published: Tables 7.2 and 7.3.

use apprentice_experience::Fidelity;
use apprentice_ratings::{
    Evaluation, LimitRule, Matches, Procedure, Profile, Standing, SystemKind, Trial, Trials,
};

use super::{Assertion, Judged, Missing, assertion, listed};
use crate::results::Results;

pub(super) const ASSERTIONS: [Assertion; 6] = [
    assertion("B1", "MHA* is first by TrueSkill and by won matches", b1),
    assertion(
        "B2",
        "five rooms are hardest; five keys or exact easiest; exact < close < far",
        b2,
    ),
    assertion("B3", "the longer the limit, the less hard it is", b3),
    assertion(
        "B4",
        "levels, and limits, come in the same order by TrueSkill and by won matches",
        b4,
    ),
    assertion(
        "B5",
        "wA* and T-Graph may come in different orders by the two (published: they do)",
        b5,
    ),
    assertion(
        "B6",
        "the deviation is largest where results are most one-sided (published: the longest limit)",
        b6,
    ),
];

/// By what planners are held to their limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Measure {
    /// Units of budget times branching: the same on every machine.
    Work,
    /// Milliseconds.
    Time,
    /// Work again, and only plans count that follow what was shown: how well somebody can be trained.
    Following,
}

/// The ratings by one measure.
#[derive(Clone, Debug)]
pub struct Table {
    /// By what.
    pub measure: Measure,
    /// How many trials exceed the shortest limit, of how many.
    pub beyond: (usize, usize),
    /// The limits.
    pub limits: Vec<f64>,
    /// By TrueSkill with the numbers of the dissertation: planners, levels, limits.
    pub skills: [Vec<Standing>; 3],
    /// By won matches.
    pub rates: [Vec<Standing>; 3],
}

const PLANNERS: [(&str, &str); 3] = [("wastar", "wA*"), ("tgraph", "T-Graph"), ("mha", "MHA*")];
const LEVELS: [&str; 5] = ["k1d1_exact", "k1d1_close", "k1d1_far", "k5d1", "k5d5"];
const BOUNDS: [f64; 4] = [10.0, 100.0, 1e3, 1e4];

/// What planners took: three planners, five levels, four bounds.
pub(super) fn trials(results: &Results<'_>, measure: Measure) -> Result<Trials, Missing> {
    let mut trials = Trials::default();
    for (planner, label) in PLANNERS {
        for level in LEVELS {
            for bound in BOUNDS {
                let question = super::run(results, level, 256, &super::at(planner, bound));
                super::first(&question)?;
                let follows = |row: &crate::Row| {
                    let fidelity = row.measured.fidelity.unwrap_or(0.0);
                    row.measured.is_found() && fidelity >= Fidelity::FOLLOWED
                };
                let work = |row: &crate::Row| Some(row.measured.work as f64);
                let took = match measure {
                    Measure::Work => {
                        question.mean(|row| work(row).filter(|_| row.measured.is_found()))
                    }
                    Measure::Following => question.mean(|row| work(row).filter(|_| follows(row))),
                    Measure::Time => question.time(),
                };
                trials.trials.push(Trial {
                    planner: label.to_owned(),
                    scenario: level.to_owned(),
                    circumstances: bound.to_string(),
                    took,
                });
            }
        }
    }
    Ok(trials)
}

/// The ratings, by work, by time, and by following what was shown; none where nothing was measured.
pub fn rating_tables(results: &Results<'_>) -> Vec<Table> {
    let measures = [Measure::Work, Measure::Time, Measure::Following];
    let tables = measures.into_iter().map(|measure| table(results, measure));
    tables.filter_map(Result::ok).collect()
}

fn table(results: &Results<'_>, measure: Measure) -> Result<Table, Missing> {
    let wrong = |error: &dyn std::fmt::Display| Missing(error.to_string());
    let trials = trials(results, measure)?;
    // Whoever shall follow, too, has as long as whoever shall only arrive.
    let limited = match measure {
        Measure::Following => &self::trials(results, Measure::Work)?,
        _ => &trials,
    };
    let limits = limited
        .limits(&LimitRule::LikePublished)
        .map_err(|error| wrong(&error))?;
    within(&trials, limits, measure)
}

/// The ratings with these limits.
fn within(trials: &Trials, limits: Vec<f64>, measure: Measure) -> Result<Table, Missing> {
    let matches = trials.matches(&limits);
    let matches = matches.map_err(|error| Missing(error.to_string()))?;
    let beyond = limits.first().map_or(0, |limit| trials.beyond(*limit));
    Ok(Table {
        measure,
        beyond: (beyond, trials.trials.len()),
        skills: standings(
            &matches,
            trials,
            SystemKind::TrueSkill(Profile::DISSERTATION),
        ),
        rates: standings(&matches, trials, SystemKind::WinRate),
        limits,
    })
}

/// So many longest limits are tried that the rule allows as well as ours.
const OTHER_LIMITS: u32 = 10;

/// With how many other longest limits, which as many trials exceed, something holds, too; and of how many.
fn with_other_limits(
    results: &Results<'_>,
    measure: Measure,
    look: impl Fn(&Table) -> (bool, String),
) -> Result<(usize, u32), Missing> {
    let trials = trials(results, measure)?;
    let limits = trials.limits(&LimitRule::LikePublished);
    let limits = limits.map_err(|error| Missing(error.to_string()))?;
    let longest = limits.last().copied().unwrap_or(0.0);
    let took = trials.trials.iter().filter_map(|trial| trial.took);
    let next = took
        .filter(|took| *took > longest)
        .fold(f64::INFINITY, f64::min);
    if !next.is_finite() {
        return Ok((0, 0));
    }
    let mut holds = 0;
    for part in 1..=OTHER_LIMITS {
        let part = f64::from(part) / f64::from(OTHER_LIMITS + 1);
        let longest = longest + (next - longest) * part;
        let limits = (1..=10).map(|number| longest * f64::from(number) / 10.0);
        holds += usize::from(look(&within(&trials, limits.collect(), measure)?).0);
    }
    Ok((holds, OTHER_LIMITS))
}

fn standings(matches: &Matches, trials: &Trials, kind: SystemKind) -> [Vec<Standing>; 3] {
    let procedure = Procedure {
        passes: 10,
        ..Procedure::default()
    };
    let evaluation = Evaluation::of(matches, kind, &procedure);
    let (planners, levels) = (trials.planners(), trials.scenarios());
    let mut parts = [Vec::new(), Vec::new(), Vec::new()];
    for standing in evaluation.standings {
        let part = if planners.contains(&*standing.name) {
            0
        } else if levels.contains(&*standing.name) {
            1
        } else {
            2
        };
        parts[part].push(standing);
    }
    parts
}

/// Both measures, each by name.
fn both(results: &Results<'_>) -> Result<[(&'static str, Table); 2], Missing> {
    let work = table(results, Measure::Work)?;
    Ok([
        ("by work", work),
        ("by time", table(results, Measure::Time)?),
    ])
}

fn names(standings: &[Standing]) -> Vec<&str> {
    standings.iter().map(|it| &*it.name).collect()
}

/// Looks at both measures.
fn judged(
    results: &Results<'_>,
    why: &str,
    look: impl Fn(&Table) -> (bool, String),
) -> Result<Judged, Missing> {
    let mut told = Vec::new();
    let mut holds = true;
    for (name, table) in both(results)? {
        let (here, mut what) = look(&table);
        holds &= here;
        if !here {
            // Whether that is due to where exactly the longest limit is.
            if let (also, 1..) = with_other_limits(results, table.measure, &look)? {
                what += &format!(
                    "; with {OTHER_LIMITS} other longest limits that as many exceed it holds in {also}"
                );
            }
        }
        let word = if here { "" } else { " (fails)" };
        told.push(format!("{name}{word}: {what}"));
    }
    Ok(Judged {
        holds,
        measured: told.join("; "),
        why: why.to_owned(),
    })
}

/// A rating with the interval that holds it in 95 of 100 cases.
fn rated(standing: &Standing) -> String {
    let rating = &standing.rating;
    let interval = rating.interval.map_or_else(String::new, |it| {
        format!(" ({:.0} to {:.0})", it.low, it.high)
    });
    format!("{} {:.1}{interval}", standing.name, rating.value)
}

fn b1(results: &Results<'_>) -> Result<Judged, Missing> {
    judged(results, "with 95 % intervals", |table| {
        let [skills, rates] = [&table.skills[0], &table.rates[0]];
        let holds = skills[0].name == "MHA*" && rates[0].name == "MHA*";
        let rate = |it: &Standing| format!("{} of {}", it.wins, it.matches);
        (
            holds,
            format!(
                "{}; won {}",
                listed(skills.iter().map(rated)),
                listed(rates.iter().map(rate))
            ),
        )
    })
}

fn b2(results: &Results<'_>) -> Result<Judged, Missing> {
    judged(
        results,
        "the hardest level first, with 95 % intervals",
        |table| {
            let order = names(&table.skills[1]);
            let place = |level: &str| order.iter().position(|it| *it == level);
            let easiest = order.last().copied().unwrap_or_default();
            let holds = order.first() == Some(&"k5d5")
                && ["k5d1", "k1d1_exact"].contains(&easiest)
                && place("k1d1_far") < place("k1d1_close")
                && place("k1d1_close") < place("k1d1_exact");
            (holds, listed(table.skills[1].iter().map(rated)))
        },
    )
}

/// Limits from the shortest to the longest, with what each is rated on the average of several orders, and
/// how often it won.
fn limits(standings: &[Standing]) -> Vec<(f64, f64, u64)> {
    let number = |it: &Standing| it.name.trim_start_matches("limit ").parse::<f64>().ok();
    let rating = |it: &Standing| it.over_orders.map_or(it.rating.value, |over| over.mean);
    let rated = standings
        .iter()
        .filter_map(|it| Some((number(it)?, rating(it), it.wins)));
    let mut rated: Vec<(f64, f64, u64)> = rated.collect();
    rated.sort_by(|one, other| one.0.total_cmp(&other.0));
    rated
}

fn b3(results: &Results<'_>) -> Result<Judged, Missing> {
    judged(
        results,
        "ratings from the shortest limit to the longest, on the average of ten orders of the matches; limits between which no trial ends have the same results, and then chance decides",
        |table| {
            let rated = limits(&table.skills[2]);
            let holds = rated.windows(2).all(|pair| pair[0].1 > pair[1].1);
            let rising = || rated.windows(2).filter(|pair| pair[0].1 <= pair[1].1);
            let alike = rising().filter(|pair| pair[0].2 == pair[1].2).count();
            let told = listed(rated.iter().map(|(_, rating, _)| format!("{rating:.1}")));
            (
                holds,
                match rising().count() {
                    0 => told,
                    rising => format!(
                        "{told}, {rising} of 9 steps do not fall, {alike} of them between limits with the same results"
                    ),
                },
            )
        },
    )
}

fn b4(results: &Results<'_>) -> Result<Judged, Missing> {
    judged(results, "ties in won matches are allowed", |table| {
        let mut wrong = Vec::new();
        for part in [1, 2] {
            let rate = |name: &str| {
                let found = table.rates[part].iter().find(|it| it.name == name);
                found.map_or(0.0, |it| it.rating.value)
            };
            for pair in table.skills[part].windows(2) {
                if rate(&pair[0].name) < rate(&pair[1].name) {
                    wrong.push(format!(
                        "{} and {} are the other way round",
                        pair[0].name, pair[1].name
                    ));
                }
            }
        }
        let told = if wrong.is_empty() {
            "the same".to_owned()
        } else {
            listed(&wrong)
        };
        (wrong.is_empty(), told)
    })
}

fn b5(results: &Results<'_>) -> Result<Judged, Missing> {
    judged(
        results,
        "whatever comes out is allowed; nothing forces the two to agree",
        |table| {
            let [by_skill, by_rate] = [&table.skills[0], &table.rates[0]].map(|it| names(it));
            let told = format!("{} against {}", listed(&by_skill), listed(&by_rate));
            (true, told)
        },
    )
}

fn b6(results: &Results<'_>) -> Result<Judged, Missing> {
    judged(
        results,
        "how one-sided: part of matches that went one way. A match whose end was foreseen teaches little, and so leaves the deviation large: that goes for whoever differs most from those it meets, which need not be whoever wins or loses most",
        |table| {
            let all: Vec<&Standing> = table.skills.iter().flatten().collect();
            let deviation = |it: &&&Standing| it.rating.deviation.unwrap_or(0.0);
            let largest = all
                .iter()
                .max_by(|one, other| deviation(one).total_cmp(&deviation(other)));
            let share = |it: &Standing| {
                let won = it.wins as f64 / it.matches.max(1) as f64;
                won.max(1.0 - won)
            };
            let most = all.iter().map(|it| share(it)).fold(0.0, f64::max);
            let Some(largest) = largest else {
                return (false, "there is nobody".to_owned());
            };
            let told = format!(
                "{} with {:.2}, {:.0} % one way; the most one-sided has {:.0} %",
                largest.name,
                deviation(&largest),
                share(largest) * 100.0,
                most * 100.0
            );
            (share(largest) >= most, told)
        },
    )
}
