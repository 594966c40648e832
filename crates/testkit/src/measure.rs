//! How often, how soon and at what price planners have an answer on levels of strangers.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use apprentice_behavior::{Planner, Settings};
use apprentice_search::{Budget, Status};
use apprentice_world::{Abilities, AnyQuest, Order, Quest, verify};

use crate::processor_time;
use crate::stranger::Stranger;

/// What a planner came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A plan that stood when it was lived through.
    Plan {
        /// Its length.
        steps: usize,
    },
    /// There is none, and that is proven.
    Proof,
    /// Nothing, in the time it had.
    Nothing,
    /// Something that must not be: a plan that doesn't hold, or a panic.
    Broken(String),
}

/// An answer, and what it took.
#[derive(Clone, Debug)]
pub struct Measured {
    /// The answer.
    pub answer: Answer,
    /// Processor time, with everything that comes before the search.
    pub time: Duration,
    /// Expansions.
    pub expanded: u64,
    /// Bytes held for states.
    pub bytes: u64,
}

/// Units between two looks at whether it takes too long, as on the command line.
const SLICE: u64 = 1 << 16;
/// As on the command line.
const MEMORY: u64 = 2 << 30;

/// Plans a level as `apprentice plan` does, with `auto` unless the settings say otherwise, up to the
/// first plan or so much processor time.
pub fn plan(level: &Stranger, settings: &Settings, most: Duration) -> Measured {
    let begun = processor_time::of_this_thread();
    let attempt = catch_unwind(AssertUnwindSafe(|| {
        let checked = settings.check(&level.scenario, level.demonstrations.clone());
        let planner = match checked {
            Ok(checked) => checked.planner,
            Err(error) => return (Answer::Broken(error.to_string()), 0, 0),
        };
        match level.scenario.quest_with(Abilities::default()) {
            AnyQuest::Still(quest) => answer(&quest, &planner, begun + most),
            AnyQuest::Moving(quest) => answer(&quest, &planner, begun + most),
        }
    }));
    let (answer, expanded, bytes) = attempt.unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
        let text = text.unwrap_or_default();
        (Answer::Broken(format!("a panic: {text}")), 0, 0)
    });
    Measured {
        answer,
        time: processor_time::of_this_thread() - begun,
        expanded,
        bytes,
    }
}

fn answer<Q: Quest + 'static>(quest: &Q, planner: &Planner, until: Duration) -> (Answer, u64, u64) {
    let mut search = match planner.search(quest) {
        Ok(named) => named.search,
        Err(error) => return (Answer::Broken(error.to_string()), 0, 0),
    };
    let status = loop {
        let slice = Budget::units(SLICE).within_memory(MEMORY);
        let mut slice = slice.until_by(&processor_time::of_this_thread, until);
        let status = search.run(quest, &mut slice);
        let is_late = processor_time::of_this_thread() >= until;
        if status != Status::Paused || is_late || slice.taken() == 0 {
            break status;
        }
    };
    let answer = match search.path() {
        // A path that is not proven yet is no answer.
        Some(path) if status != Status::Paused => {
            let orders: Vec<Order> = path.actions().copied().collect();
            match verify(quest.scenario(), quest.start_world(), &orders, quest.goal()) {
                Ok(lived) if lived.cost == path.cost => Answer::Plan {
                    steps: orders.len(),
                },
                Ok(lived) => Answer::Broken(format!(
                    "a plan that should cost {} and costs {}",
                    path.cost, lived.cost
                )),
                Err(why) => Answer::Broken(format!("a plan that does not hold: {why}")),
            }
        }
        None if status == Status::Unsolvable => Answer::Proof,
        _ => Answer::Nothing,
    };
    let statistics = search.statistics();
    (answer, statistics.expanded, statistics.bytes)
}

/// Does the same for each number below `count`, on so many threads, and keeps the order.
///
/// # Panics
///
/// If the work panics.
pub fn each<T: Send>(count: usize, threads: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= count {
                        break;
                    }
                    let result = work(number);
                    done.lock().expect("nobody panicked").push((number, result));
                }
            });
        }
    });
    let mut done = done.into_inner().expect("nobody panicked");
    done.sort_by_key(|(number, _)| *number);
    done.into_iter().map(|(_, result)| result).collect()
}

/// What many answers have in common.
#[derive(Clone, Debug, Default)]
pub struct Summary {
    /// How many levels there were.
    pub levels: usize,
    /// For how many there was a plan.
    pub plans: usize,
    /// For how many it was proven that there is none.
    pub proofs: usize,
    /// Median and 95th percentile of milliseconds of all levels; those without an answer took as
    /// long as they were given.
    pub milliseconds: [f64; 2],
    /// The same of expansions for each step of a plan.
    pub expansions: [f64; 2],
    /// The same of mebibytes.
    pub mebibytes: [f64; 2],
}

impl Summary {
    /// What they have in common.
    pub fn of<'m>(measured: impl Iterator<Item = &'m Measured> + Clone) -> Summary {
        let plans = measured.clone().filter_map(|it| match it.answer {
            Answer::Plan { steps } => Some((it, steps)),
            _ => None,
        });
        let proofs = measured.clone().filter(|it| it.answer == Answer::Proof);
        let milliseconds = measured.clone().map(|it| it.time.as_secs_f64() * 1e3);
        let expansions = plans
            .clone()
            .map(|(it, steps)| it.expanded as f64 / steps.max(1) as f64);
        Summary {
            levels: measured.clone().count(),
            plans: plans.clone().count(),
            proofs: proofs.count(),
            milliseconds: percentiles(milliseconds),
            expansions: percentiles(expansions),
            mebibytes: percentiles(measured.map(|it| it.bytes as f64 / f64::from(1 << 20))),
        }
    }

    /// How many of a hundred had an answer.
    pub fn answered(&self) -> f64 {
        100.0 * (self.plans + self.proofs) as f64 / self.levels.max(1) as f64
    }

    /// What [`Summary::row`] has in its columns.
    pub const HEADING: &'static str =
        "levels  answered  plans  proofs      ms    95 %  expansions/step    95 %     MiB    95 %";

    /// A row of a table.
    pub fn row(&self) -> String {
        let [ms, most_ms] = self.milliseconds;
        let [expansions, most_expansions] = self.expansions;
        let [mebibytes, most_mebibytes] = self.mebibytes;
        format!(
            "{:6}  {:6.1} %  {:5}  {:6}  {ms:6.1}  {most_ms:6.0}  {expansions:15.2}  {most_expansions:6.1}  {mebibytes:6.2}  {most_mebibytes:6.1}",
            self.levels,
            self.answered(),
            self.plans,
            self.proofs
        )
    }
}

/// The median and the 95th percentile.
fn percentiles(numbers: impl Iterator<Item = f64>) -> [f64; 2] {
    let mut numbers: Vec<f64> = numbers.collect();
    numbers.sort_by(f64::total_cmp);
    [50, 95].map(|percent| {
        let rank = (numbers.len() * percent).div_ceil(100).saturating_sub(1);
        numbers.get(rank).copied().unwrap_or(0.0)
    })
}
