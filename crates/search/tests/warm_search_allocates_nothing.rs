//! A search that has run once runs again without asking the allocator for anything.

mod grid;

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicU64, Ordering};

use apprentice_search::*;

use grid::{Cell, Grid, Octile, Walk};

/// Counts the calls that hand out memory.
struct Counting;

static CALLS: AtomicU64 = AtomicU64::new(0);

#[allow(
    unsafe_code,
    reason = "an allocator is unsafe to write; this one only counts"
)]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        CALLS.fetch_add(1, Ordering::Relaxed);
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        CALLS.fetch_add(1, Ordering::Relaxed);
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The same walk without an index, so that it is hashed.
struct Hashed<'a>(Walk<'a>);

impl Problem for Hashed<'_> {
    type State = Cell;
    type Key = Cell;
    type Action = u8;
    fn start(&self) -> Cell {
        self.0.start()
    }
    fn key(&self, cell: &Cell) -> Cell {
        *cell
    }
    fn is_goal(&self, cell: &Cell) -> bool {
        self.0.is_goal(cell)
    }
    fn successors(&self, cell: &Cell, out: &mut Successors<Cell, u8>) {
        self.0.successors(cell, out);
    }
}

impl<'a> Heuristic<Hashed<'a>> for Octile {
    fn estimate(&mut self, problem: &Hashed<'a>, cell: &Cell) -> Cost {
        self.estimate(&problem.0, cell)
    }
    fn promise(&self) -> Promise {
        Promise::Consistent
    }
}

fn check<'a, P: Problem + 'a>(name: &str, problem: &P, mut search: Box<dyn Search<P> + 'a>) {
    let run = |search: &mut dyn Search<P>| {
        while search
            .run(problem, &mut Budget::unlimited())
            .is_unfinished()
        {}
    };
    run(&mut *search);
    let expanded = search.statistics().expanded;
    assert!(
        expanded > 1_000,
        "{name} has too little to do: {expanded} expansions"
    );
    search.restart();
    let before = CALLS.load(Ordering::Relaxed);
    run(&mut *search);
    let calls = CALLS.load(Ordering::Relaxed) - before;
    assert_eq!(calls, 0, "{name} called the allocator in its second run");
    assert_eq!(search.statistics().expanded, expanded, "{name}");
}

/// All searches over one kind of problem. (One test, because the count is one for the process.)
fn check_all<P: Problem>(problem: &P)
where
    Octile: Heuristic<P>,
{
    let weight = |weight| Weight::new(weight).expect("a weight");
    let advisers = || -> Vec<BoxedHeuristic<P>> {
        vec![
            Box::new(Octile),
            Box::new(Scaled::new(Octile, 3.0).expect("a factor")),
        ]
    };
    let weights = MhaWeights {
        inflation: weight(1.5),
        trust: weight(2.0),
    };
    check("A*", problem, Box::new(BestFirst::astar(Octile)));
    check(
        "weighted A*",
        problem,
        Box::new(BestFirst::weighted_astar(Octile, weight(1.2))),
    );
    check("Dijkstra", problem, Box::new(BestFirst::astar(Blind)));
    check("greedy", problem, Box::new(BestFirst::greedy(Octile)));
    let reopening = BestFirst::weighted_astar(Octile, weight(3.0));
    let reopening = reopening.with_reopening(Reopening::Always);
    check("weighted A*, re-opening", problem, Box::new(reopening));
    check(
        "ARA*",
        problem,
        Box::new(AraStar::new(Octile, AraSchedule::default())),
    );
    check("LPA*", problem, Box::new(LpaStar::new(Octile)));
    let shared = || MhaStar::new(Octile, advisers(), weights).expect("anchor");
    check("MHA*", problem, Box::new(shared()));
    let adaptive = shared().with_turns(Turns::adaptive(1));
    check("MHA*, adaptive", problem, Box::new(adaptive));
    let anytime = AnytimeMhaStar::from(shared());
    check("anytime MHA*", problem, Box::new(anytime));
    let alone = IndependentMhaStar::new(Octile, advisers(), weights).expect("anchor");
    check("independent MHA*", problem, Box::new(alone));
    for form in MhaForm::ALL {
        let search = ImprovedMhaStar::new(form, Octile, advisers(), weight(1.5)).expect("anchor");
        check("improved MHA*", problem, Box::new(search));
    }
}

#[test]
fn any_search_after_its_first_run() {
    // A wall with its gap at the far end makes everybody look around.
    let grid = Grid::new(100, 80, |x, y| x != 50 || y == 79);
    let walk = Walk::new(&grid, grid.cell(5, 5), grid.cell(95, 5));
    check_all(&walk);
    check_all(&Hashed(walk));
}
