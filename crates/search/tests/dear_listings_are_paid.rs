//! Where listing the steps of a state takes long, every search pays for it, can be stopped after any
//! part of it, and finds what it would find otherwise.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use apprentice_search::*;

const WIDTH: u32 = 24;
const HEIGHT: u32 = 16;

/// A hall with pillars. Where each step leads to takes long to work out, in some places longer than in
/// others; `worked` says how many nanoseconds it has taken so far.
struct Hall<const IN_PARTS: bool> {
    worked: AtomicU64,
}

/// No part takes longer.
const LONGEST: u64 = 21_000;

impl<const IN_PARTS: bool> Hall<IN_PARTS> {
    fn new() -> Self {
        Hall {
            worked: AtomicU64::new(0),
        }
    }

    fn worked(&self) -> u64 {
        self.worked.load(Relaxed)
    }

    /// The way to the goal, as the crow flies in steps to all eight sides.
    fn remaining(state: u32) -> u64 {
        let (x, y) = (state % WIDTH, state / WIDTH);
        u64::from(x.abs_diff(WIDTH - 1).max(y.abs_diff(HEIGHT - 1)))
    }
}

impl<const IN_PARTS: bool> Problem for Hall<IN_PARTS> {
    type State = u32;
    type Key = u32;
    type Action = u8;

    const LISTS_IN_PARTS: bool = IN_PARTS;

    fn start(&self) -> u32 {
        0
    }
    fn key(&self, state: &u32) -> u32 {
        *state
    }
    fn is_goal(&self, state: &u32) -> bool {
        Self::remaining(*state) == 0
    }
    fn successors(&self, state: &u32, out: &mut Successors<u32, u8>) {
        assert_eq!(self.successors_from(state, 0, out, &mut |_| true), None);
    }
    fn successors_from(
        &self,
        state: &u32,
        from: usize,
        out: &mut Successors<u32, u8>,
        go_on: &mut dyn FnMut(u64) -> bool,
    ) -> Option<usize> {
        for part in from..8 {
            let (x, y) = (state % WIDTH, state / WIDTH);
            let side = [
                (0, 1),
                (0, 2),
                (1, 2),
                (2, 2),
                (2, 1),
                (2, 0),
                (1, 0),
                (0, 0),
            ][part];
            let (x, y) = (x + side.0, y + side.1);
            let is_free = (1..=WIDTH).contains(&x) && (1..=HEIGHT).contains(&y);
            if is_free && (x % 4 != 2 || y % 3 != 2) {
                let to = (y - 1) * WIDTH + x - 1;
                let cost = Cost::from_ticks(1 + u64::from(to % 3));
                out.push(part as u8, to, cost);
            }
            let nanoseconds = LONGEST - u64::from(state * 8 + part as u32) * 101 % 20_000;
            self.worked.fetch_add(nanoseconds, Relaxed);
            if !go_on(nanoseconds) {
                return Some(part + 1);
            }
        }
        None
    }
}

/// An adviser that exaggerates.
fn adviser<P: Problem<State = u32> + 'static>(times: u64) -> BoxedHeuristic<P> {
    Box::new(Estimate::new(Promise::None, move |state: &u32| {
        Cost::from_ticks(Hall::<true>::remaining(*state) * times)
    }))
}

fn anchor() -> Estimate<impl Fn(&u32) -> Cost> {
    Estimate::new(Promise::Consistent, |state: &u32| {
        Cost::from_ticks(Hall::<true>::remaining(*state))
    })
}

type Named<P> = (&'static str, Box<dyn Search<P>>);

fn every_search<const IN_PARTS: bool>() -> Vec<Named<Hall<IN_PARTS>>> {
    let weight = |weight| Weight::new(weight).expect("a weight");
    let weights = MhaWeights {
        inflation: weight(2.0),
        trust: weight(2.0),
    };
    let advisers = || vec![adviser(3), adviser(7)];
    vec![
        ("astar", Box::new(BestFirst::astar(anchor()))),
        (
            "weighted",
            Box::new(BestFirst::weighted_astar(anchor(), weight(3.0))),
        ),
        ("greedy", Box::new(BestFirst::greedy(anchor()))),
        (
            "ara",
            Box::new(AraStar::new(anchor(), AraSchedule::default())),
        ),
        (
            "mha",
            Box::new(MhaStar::new(anchor(), advisers(), weights).expect("it is consistent")),
        ),
        (
            "independent",
            Box::new(
                IndependentMhaStar::new(anchor(), advisers(), weights).expect("it is consistent"),
            ),
        ),
        ("lpa", Box::new(LpaStar::new(anchor()))),
    ]
}

/// What a search finds and does, but for what it pays.
type Answer = (Option<Path<u32, u8>>, Guarantee, u64, u64);

fn answer<P: Problem<State = u32, Action = u8>>(search: &dyn Search<P>) -> Answer {
    let statistics = search.statistics();
    (
        search.path(),
        search.guarantee(),
        statistics.expanded,
        statistics.generated,
    )
}

/// Runs a search to its end, in slices of so many units, and looks how much is done in each.
fn run(search: &mut dyn Search<Hall<true>>, hall: &Hall<true>, slice: u64) -> (Answer, u64) {
    let mut units = 0;
    loop {
        let before = hall.worked();
        let mut budget = Budget::units(slice);
        let status = search.run(hall, &mut budget);
        units += budget.taken();
        let worked = hall.worked() - before;
        // Each expansion has a unit of its own, so there may be a little less to pay than was done.
        let most = (budget.taken() + 1) * Debt::A_UNIT + LONGEST;
        assert!(worked <= most, "{worked} ns for {} units", budget.taken());
        if !status.is_unfinished() {
            return (answer(search), units);
        }
        assert!(slice == u64::MAX || budget.taken() == slice || status == Status::Improved);
    }
}

#[test]
fn every_search_pays_and_finds_the_same() {
    let plain = every_search::<false>();
    for ((name, mut search), (_, mut plain)) in every_search::<true>().into_iter().zip(plain) {
        while (plain.run(&Hall::new(), &mut Budget::unlimited())).is_unfinished() {}
        let hall = Hall::new();
        let (whole, units) = run(&mut *search, &hall, u64::MAX);
        assert_eq!(whole, answer(&*plain), "{name}");
        let statistics = search.statistics().clone();
        assert_eq!(units, statistics.expanded + statistics.upkeep, "{name}");
        // Less than a unit of each expansion is paid by its own.
        let (least, most) = (hall.worked() / Debt::A_UNIT, statistics.upkeep);
        assert!(most >= least - statistics.expanded, "{name}: {most}");
        for slice in [1, 3, 50] {
            search.restart();
            let (sliced, taken) = run(&mut *search, &hall, slice);
            assert_eq!((sliced, taken), (whole.clone(), units), "{name} by {slice}");
            assert_eq!(*search.statistics(), statistics, "{name} by {slice}");
        }
    }
}

#[test]
fn a_search_that_is_stopped_in_a_listing_can_begin_anew() {
    for (name, mut search) in every_search::<true>() {
        let hall = Hall::new();
        let (whole, _) = run(&mut *search, &hall, u64::MAX);
        for units in 1..40 {
            search.restart();
            search.run(&hall, &mut Budget::units(units));
            search.restart();
            let (anew, _) = run(&mut *search, &hall, u64::MAX);
            assert_eq!(anew, whole, "{name} after {units}");
        }
    }
}

#[test]
fn nothing_is_done_without_a_budget() {
    for (name, mut search) in every_search::<true>() {
        let hall = Hall::new();
        search.run(&hall, &mut Budget::units(0));
        assert_eq!(hall.worked(), 0, "{name}");
    }
}

#[test]
fn a_deadline_is_overshot_by_no_more_than_a_part() {
    for (name, mut search) in every_search::<true>() {
        let hall = Hall::new();
        let clock = || Duration::from_nanos(hall.worked());
        loop {
            let deadline = clock() + Duration::from_micros(100);
            let mut budget = Budget::unlimited().until_by(&clock, deadline);
            let status = search.run(&hall, &mut budget);
            let overshot = clock().saturating_sub(deadline);
            let most = Duration::from_nanos(LONGEST + Debt::A_UNIT);
            assert!(overshot <= most, "{name}: {overshot:?}");
            if !status.is_unfinished() {
                break;
            }
        }
    }
}
