//! No search works for long without looking whether there is time, whoever has how much to catch up
//! with, and stopping makes no difference to what it finds.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use crate::grid::{Cell, Grid, Walk};
use apprentice_search::*;

/// A clock that goes on when states are estimated, and stands still otherwise.
#[derive(Clone, Default)]
struct Stopwatch(Arc<AtomicU64>);

impl Stopwatch {
    fn now(&self) -> Duration {
        Duration::from_nanos(self.0.load(Relaxed))
    }
}

/// An estimate that takes its time: 100 nanoseconds, several times as much as a straight line.
struct Slow {
    watch: Stopwatch,
    /// How much it exaggerates.
    times: u64,
}

impl<P: Remaining> Heuristic<P> for Slow {
    fn estimate(&mut self, problem: &P, state: &P::State) -> Cost {
        self.watch.0.fetch_add(100, Relaxed);
        Cost::from_ticks(problem.remaining(state) * self.times)
    }
    fn promise(&self) -> Promise {
        match self.times {
            0 | 1 => Promise::Consistent,
            _ => Promise::None,
        }
    }
}

/// A problem that knows about how far it is to the goal.
trait Remaining: Problem {
    fn remaining(&self, state: &Self::State) -> u64;
}

impl Remaining for Walk<'_> {
    fn remaining(&self, cell: &Cell) -> u64 {
        self.grid.octile(*cell, self.to)
    }
}

/// A tree in which sixteen steps leave every state and all cost the same: thousands of states are as
/// good as each other, and become candidates at once.
struct Tree;

const DEPTH: u32 = 4;

impl Problem for Tree {
    /// How deep it is, and the steps that led there.
    type State = (u32, u32);
    type Key = (u32, u32);
    type Action = u32;
    fn start(&self) -> (u32, u32) {
        (0, 0)
    }
    fn key(&self, state: &(u32, u32)) -> (u32, u32) {
        *state
    }
    fn is_goal(&self, (depth, steps): &(u32, u32)) -> bool {
        *depth == DEPTH && *steps == 0xFEDC
    }
    fn successors(&self, (depth, steps): &(u32, u32), out: &mut Successors<(u32, u32), u32>) {
        if *depth < DEPTH {
            let steps = (0..16).map(|step| (step, steps << 4 | step));
            out.extend(steps.map(|(action, steps)| Successor {
                action,
                state: (depth + 1, steps),
                cost: Cost::from_ticks(1_000_000),
            }));
        }
    }
}

impl Remaining for Tree {
    /// More than remains, by an amount that looks random, so that advisers can tell states apart.
    fn remaining(&self, (depth, steps): &(u32, u32)) -> u64 {
        let random = u64::from((steps + depth).wrapping_mul(0x9E37_79B1) >> 12);
        u64::from(DEPTH - depth) * 1_000_000 + random
    }
}

/// Every search that takes turns, in every way to share them.
fn searches<'a, P: Remaining + 'a>(
    watch: &Stopwatch,
    anchor: u64,
) -> Vec<(String, Box<dyn Search<P> + 'a>)> {
    let slow = |times| Slow {
        watch: watch.clone(),
        times,
    };
    let advisers = || -> Vec<BoxedHeuristic<P>> {
        let times = [3, 5, 2, 9];
        times.map(|times| Box::new(slow(times)) as _).into()
    };
    let weights = MhaWeights {
        inflation: Weight::new(1.2).expect("a weight"),
        trust: Weight::new(2.0).expect("a weight"),
    };
    let mut all: Vec<(String, Box<dyn Search<P> + 'a>)> = Vec::new();
    let turns = || {
        [
            ("each once", Turns::each_once()),
            ("one leads", Turns::each_once().led_by(1)),
            ("some hardly ever", Turns::with_repeats([2_000, 1, 1, 1])),
            ("adaptive", Turns::adaptive(3)),
        ]
    };
    for (name, turns) in turns() {
        let shared = MhaStar::new(slow(anchor), advisers(), weights).expect("an anchor");
        let shared = shared.with_turns(turns);
        all.push((format!("shared, {name}"), Box::new(shared)));
    }
    for (name, turns) in turns() {
        let shared = MhaStar::new(slow(anchor), advisers(), weights).expect("an anchor");
        let anytime = AnytimeMhaStar::from(shared.with_turns(turns));
        all.push((format!("anytime, {name}"), Box::new(anytime)));
    }
    for form in MhaForm::ALL {
        for (name, turns) in turns() {
            let improved = ImprovedMhaStar::new(form, slow(anchor), advisers(), weights.inflation);
            let improved = improved.expect("an anchor").with_turns(turns);
            all.push((format!("{form:?}, {name}"), Box::new(improved)));
        }
    }
    let astar = BestFirst::astar(slow(anchor));
    all.push(("A*".to_owned(), Box::new(astar)));
    let ara = AraStar::new(slow(anchor), AraSchedule::default());
    all.push(("ARA*".to_owned(), Box::new(ara)));
    all
}

/// A wall with its gap at the far end makes everybody look around.
fn hall() -> Grid {
    Grid::new(100, 80, |x, y| x != 50 || y == 79)
}

/// Runs every search whole and in slices of time, and compares them.
fn check<P: Remaining>(problem: &P, anchor: u64) {
    let (whole_watch, watch) = (Stopwatch::default(), Stopwatch::default());
    let clock = || watch.now();
    let all = searches(&whole_watch, anchor).into_iter();
    for ((name, mut whole), (_, mut search)) in all.zip(searches(&watch, anchor)) {
        while whole.run(problem, &mut Budget::unlimited()).is_unfinished() {}
        assert!(whole.statistics().expanded > 300, "{name}");
        let mut slices = 0;
        loop {
            slices += 1;
            let deadline = watch.now() + Duration::from_micros(100);
            let mut budget = Budget::unlimited().until_by(&clock, deadline);
            let status = search.run(problem, &mut budget);
            let overshot = watch.now().saturating_sub(deadline);
            assert!(
                overshot <= Duration::from_micros(50),
                "{name}: {overshot:?} in slice {slices}"
            );
            if !status.is_unfinished() {
                break;
            }
        }
        assert!(slices > 5, "{name} was stopped {slices} times");
        assert_eq!(search.statistics(), whole.statistics(), "{name}");
        assert_eq!(search.guarantee(), whole.guarantee(), "{name}");
        let costs = [&search, &whole].map(|search| search.path().expect("a way").cost);
        assert_eq!(costs[0], costs[1], "{name}");
    }
}

#[test]
fn a_deadline_is_overshot_by_little_in_a_hall() {
    let grid = hall();
    let walk = Walk::new(&grid, grid.cell(5, 5), grid.cell(95, 5));
    check(&walk, 1);
}

#[test]
fn a_deadline_is_overshot_by_little_where_thousands_become_candidates_at_once() {
    // The anchor knows nothing, so that it goes from layer to layer.
    check(&Tree, 0);
}

/// What is between two rounds of ARA* counts, too: every state that is sorted anew is paid for.
#[test]
fn rounds_that_improve_nothing_are_paid_for() {
    let grid = hall();
    let walk = Walk::new(&grid, grid.cell(5, 5), grid.cell(95, 5));
    // Many rounds, in hardly any of which there is something to expand.
    let schedule = AraSchedule::new(20.0, 0.01, 1.0).expect("a schedule");
    let too_low = Estimate::new(Promise::Admissible, |cell: &Cell| {
        Cost::from_ticks(grid.octile(*cell, walk.to) / 2)
    });
    let mut search = AraStar::new(too_low, schedule);
    let (mut taken, mut slices) = (0, 0);
    loop {
        let mut budget = Budget::units(50);
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
    let Statistics {
        expanded, upkeep, ..
    } = *search.statistics();
    assert!(upkeep > 500, "{upkeep} units for sorting");
    assert_eq!(taken, expanded + upkeep);
    assert!(slices >= taken / 50);
    assert_eq!(search.guarantee().factor(), Some(1.0));
}
