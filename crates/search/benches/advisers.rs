//! What sixteen advisers cost beside one: time per expansion and bytes per state of shared MHA*.
//!
//! `cargo bench -p apprentice-search --bench advisers`

#[path = "../tests/grid/mod.rs"]
mod grid;

use std::time::{Duration, Instant};

use apprentice_search::*;

use grid::{Cell, Grid, Walk};

const ROUNDS: usize = 25;
const EXPANSIONS: u64 = 60_000;
/// So many expansions are timed at once: little enough that a busy machine leaves most of them
/// undisturbed.
const SLICE: u64 = 500;

/// Pulls the search by way of a cell, from where it is known how far it is.
struct By {
    cell: Cell,
    rest: u64,
}

impl<'a> Heuristic<Walk<'a>> for By {
    fn estimate(&mut self, walk: &Walk<'a>, cell: &Cell) -> Cost {
        Cost::from_ticks(walk.grid.octile(*cell, self.cell) + self.rest)
    }
}

/// The same walk with states of sixteen bytes and sixteen steps, and no index.
struct Sneak<'a>(Walk<'a>);

impl Problem for Sneak<'_> {
    type State = [u32; 4];
    type Key = [u32; 4];
    type Action = u8;

    fn start(&self) -> [u32; 4] {
        [self.0.from.0, 0, 0, 0]
    }
    fn key(&self, state: &[u32; 4]) -> [u32; 4] {
        *state
    }
    fn is_goal(&self, state: &[u32; 4]) -> bool {
        state[0] == self.0.to.0
    }
    fn successors(&self, state: &[u32; 4], out: &mut Successors<[u32; 4], u8>) {
        for (action, to, cost) in self.0.grid.moves(Cell(state[0])) {
            out.push(action, [to.0, 0, 0, 0], Cost::from_ticks(cost));
            out.push(action + 8, [to.0, 1, 0, 0], Cost::from_ticks(2 * cost));
        }
    }
}

impl<'a> Heuristic<Sneak<'a>> for By {
    fn estimate(&mut self, problem: &Sneak<'a>, state: &[u32; 4]) -> Cost {
        self.estimate(&problem.0, &Cell(state[0]))
    }
}

/// The distance to the goal, for the anchor.
struct Straight;

impl<'a> Heuristic<Walk<'a>> for Straight {
    fn estimate(&mut self, walk: &Walk<'a>, cell: &Cell) -> Cost {
        Cost::from_ticks(walk.grid.octile(*cell, walk.to))
    }
    fn promise(&self) -> Promise {
        Promise::Consistent
    }
}

impl<'a> Heuristic<Sneak<'a>> for Straight {
    fn estimate(&mut self, problem: &Sneak<'a>, state: &[u32; 4]) -> Cost {
        self.estimate(&problem.0, &Cell(state[0]))
    }
    fn promise(&self) -> Promise {
        Promise::Consistent
    }
}

fn search<P: Problem>(grid: &Grid, advisers: u32) -> MhaStar<P, Straight>
where
    Straight: Heuristic<P>,
    By: Heuristic<P>,
{
    let boxed = |number: u32| -> BoxedHeuristic<P> {
        // Cells all over the map, in no order.
        let cell = grid.cell(number * 197 % grid.width, number * 331 % grid.height);
        let rest = grid.octile(cell, grid.cell(511, 511));
        Box::new(By { cell, rest })
    };
    let weight = |weight| Weight::new(weight).expect("a weight");
    let weights = MhaWeights {
        inflation: weight(2.0),
        trust: weight(10.0),
    };
    MhaStar::new(Straight, (1..=advisers).map(boxed).collect(), weights).expect("an anchor")
}

/// A search, and how long each of its slices takes at the fastest.
struct Measured<P: Problem> {
    search: MhaStar<P, Straight>,
    slices: Vec<Duration>,
}

impl<P: Problem> Measured<P>
where
    Straight: Heuristic<P>,
{
    /// One more warm run. It does the same as the one before, slice by slice.
    fn run(&mut self, problem: &P) {
        self.search.restart();
        for fastest in &mut self.slices {
            let began = Instant::now();
            self.search.run(problem, &mut Budget::units(SLICE));
            *fastest = began.elapsed().min(*fastest);
        }
    }

    fn nanoseconds(&self) -> f64 {
        let time: Duration = self.slices.iter().sum();
        time.as_nanos() as f64 / self.search.statistics().expanded as f64
    }
}

/// Several warm runs, one and sixteen in turn.
fn compare<P: Problem>(name: &str, grid: &Grid, problem: &P)
where
    Straight: Heuristic<P>,
    By: Heuristic<P>,
{
    let mut both = [1, 16].map(|advisers| Measured {
        search: search::<P>(grid, advisers),
        slices: vec![Duration::MAX; (EXPANSIONS / SLICE) as usize],
    });
    for _ in 0..ROUNDS {
        for measured in &mut both {
            measured.run(problem);
        }
    }
    let [one, sixteen] = &both;
    let [of_one, of_sixteen] = both.each_ref().map(|both| both.search.statistics());
    println!(
        "{name:<34} {:>7} {:>8.0} ns {:>7} {:>8.0} ns {:>7.2} {:>10.0} {:>8.0}",
        of_one.expanded,
        one.nanoseconds(),
        of_sixteen.expanded,
        sixteen.nanoseconds(),
        sixteen.nanoseconds() / one.nanoseconds(),
        of_one.bytes_per_state(),
        of_sixteen.bytes_per_state(),
    );
}

fn main() {
    // One cell in eight is a wall; the goal is walled in, so that everybody works to the end.
    let hash = |x: u32, y: u32| (x * 7_919 + y * 104_729).wrapping_mul(2_654_435_761) >> 20;
    let grid = Grid::new(512, 512, |x, y| {
        let near_start = x.abs_diff(20) < 3 && y.abs_diff(24) < 3;
        near_start || !hash(x, y).is_multiple_of(8) && (x < 500 || y < 500)
    });
    let walk = Walk::new(&grid, grid.cell(20, 24), grid.cell(511, 511));
    println!("shared MHA*: one adviser beside sixteen (goals: at most 2.5 times, 200 bytes)");
    println!(
        "{:<34} {:>7} {:>11} {:>7} {:>11} {:>7} {:>10} {:>8}",
        "", "expans.", "one", "expans.", "sixteen", "ratio", "bytes: one", "sixteen"
    );
    compare("grid with an index, 8 steps", &grid, &walk);
    compare("hashed states of 16 bytes, 16 steps", &grid, &Sneak(walk));
}
