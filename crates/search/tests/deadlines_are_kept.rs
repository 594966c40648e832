//! No search works for long without looking whether there is time, whoever has how much to catch up
//! with, and stopping makes no difference to what it finds.

mod grid;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use apprentice_search::*;
use grid::{Cell, Grid, Octile, Walk};

/// A clock that goes on when states are estimated, and stands still otherwise.
#[derive(Clone, Default)]
struct Stopwatch(Arc<AtomicU64>);

impl Stopwatch {
    fn now(&self) -> Duration {
        Duration::from_nanos(self.0.load(Relaxed))
    }
}

/// An estimate that takes its time: 200 nanoseconds, as one that follows a demonstration may.
struct Slow {
    watch: Stopwatch,
    /// How much it exaggerates.
    times: u64,
}

impl<'a> Heuristic<Walk<'a>> for Slow {
    fn estimate(&mut self, walk: &Walk<'a>, cell: &Cell) -> Cost {
        self.watch.0.fetch_add(200, Relaxed);
        let estimate = Octile.estimate(walk, cell);
        Cost::from_ticks(estimate.ticks() * self.times)
    }
    fn promise(&self) -> Promise {
        match self.times {
            1 => Promise::Consistent,
            _ => Promise::None,
        }
    }
}

/// Every search that takes turns, in every way to share them.
fn searches<'a>(watch: &Stopwatch) -> Vec<(String, Box<dyn Search<Walk<'a>> + 'a>)> {
    let slow = |times| Slow {
        watch: watch.clone(),
        times,
    };
    let advisers = || -> Vec<BoxedHeuristic<Walk<'a>>> {
        let times = [3, 5, 2, 9];
        times.map(|times| Box::new(slow(times)) as _).into()
    };
    let weights = MhaWeights {
        inflation: Weight::new(1.2).expect("a weight"),
        trust: Weight::new(2.0).expect("a weight"),
    };
    let mut all: Vec<(String, Box<dyn Search<Walk<'a>> + 'a>)> = Vec::new();
    let turns = || {
        [
            ("each once", Turns::each_once()),
            ("one leads", Turns::each_once().led_by(1)),
            ("some hardly ever", Turns::with_repeats([2_000, 1, 1, 1])),
            ("adaptive", Turns::adaptive(3)),
        ]
    };
    for (name, turns) in turns() {
        let shared = MhaStar::new(slow(1), advisers(), weights).expect("an anchor");
        let shared = shared.with_turns(turns);
        all.push((format!("shared, {name}"), Box::new(shared)));
    }
    for (name, turns) in turns() {
        let shared = MhaStar::new(slow(1), advisers(), weights).expect("an anchor");
        let anytime = AnytimeMhaStar::from(shared.with_turns(turns));
        all.push((format!("anytime, {name}"), Box::new(anytime)));
    }
    for form in MhaForm::ALL {
        for (name, turns) in turns() {
            let improved = ImprovedMhaStar::new(form, slow(1), advisers(), weights.inflation);
            let improved = improved.expect("an anchor").with_turns(turns);
            all.push((format!("{form:?}, {name}"), Box::new(improved)));
        }
    }
    let astar = BestFirst::astar(slow(1));
    all.push(("A*".to_owned(), Box::new(astar)));
    let ara = AraStar::new(slow(1), AraSchedule::default());
    all.push(("ARA*".to_owned(), Box::new(ara)));
    all
}

/// A wall with its gap at the far end makes everybody look around.
fn hall() -> Grid {
    Grid::new(100, 80, |x, y| x != 50 || y == 79)
}

#[test]
fn a_deadline_is_overshot_by_little() {
    let grid = hall();
    let walk = Walk::new(&grid, grid.cell(5, 5), grid.cell(95, 5));
    let (whole_watch, watch) = (Stopwatch::default(), Stopwatch::default());
    let clock = || watch.now();
    let all = searches(&whole_watch).into_iter().zip(searches(&watch));
    for ((name, mut whole), (_, mut search)) in all {
        while whole.run(&walk, &mut Budget::unlimited()).is_unfinished() {}
        assert!(whole.statistics().expanded > 1_000, "{name}");
        let mut slices = 0;
        loop {
            slices += 1;
            let deadline = watch.now() + Duration::from_micros(100);
            let mut budget = Budget::unlimited().until_by(&clock, deadline);
            let status = search.run(&walk, &mut budget);
            let overshot = watch.now().saturating_sub(deadline);
            assert!(
                overshot <= Duration::from_micros(50),
                "{name}: {overshot:?} in slice {slices}"
            );
            if !status.is_unfinished() {
                break;
            }
        }
        assert!(slices > 10, "{name} was stopped {slices} times");
        assert_eq!(search.statistics(), whole.statistics(), "{name}");
        assert_eq!(search.guarantee(), whole.guarantee(), "{name}");
        let costs = [&search, &whole].map(|search| search.path().expect("a way").cost);
        assert_eq!(costs[0], costs[1], "{name}");
    }
}

/// What is between two rounds of ARA* counts, too: every state that is sorted anew is paid for.
#[test]
fn rounds_that_improve_nothing_are_paid_for() {
    let grid = hall();
    let walk = Walk::new(&grid, grid.cell(5, 5), grid.cell(95, 5));
    // Thousands of rounds, in hardly any of which there is something to expand.
    let schedule = AraSchedule::new(20.0, 0.01, 1.0).expect("a schedule");
    let hunch = Estimate::new(Promise::Admissible, |_: &Cell| Cost::ZERO);
    let mut search = AraStar::new(hunch, schedule);
    let (mut taken, mut slices) = (0, 0);
    loop {
        let mut budget = Budget::expansions(50);
        let status = search.run(&walk, &mut budget);
        assert!(budget.taken() <= 50);
        taken += budget.taken();
        slices += 1;
        match status {
            Status::Paused => assert_eq!(budget.spent_by(), Some(Spent::Expansions)),
            Status::Improved => {}
            _ => break,
        }
    }
    let expanded = search.statistics().expanded;
    assert!(taken > expanded && slices as u64 >= taken / 50);
    assert_eq!(search.guarantee().factor(), Some(1.0));
}
