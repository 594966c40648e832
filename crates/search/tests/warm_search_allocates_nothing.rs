//! A search that has run once runs again without asking the allocator for anything.

mod grid;

use apprentice_search::*;

use grid::{Cell, Grid, Octile, Walk};

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
    let taken = allocation_counter::measure(|| run(&mut *search));
    assert_eq!(taken.count_total, 0, "{name} allocated in its second run");
    assert_eq!(search.statistics().expanded, expanded, "{name}");
}

/// All searches over one kind of problem.
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
