//! The same work, side by side with the `pathfinding` crate, in one run.
use std::cell::Cell as Counter;
use std::hint::black_box;
use std::time::{Duration, Instant};

use apprentice_search::*;
#[path = "../tests/grid/mod.rs"]
#[allow(dead_code)]
mod grid;
use grid::*;

fn main() {
    let Some(maps) = published() else { return };
    for map in &maps {
        let n = map.lines.len();
        let lines: Vec<Line> = map
            .lines
            .iter()
            .skip(n - n / 10)
            .step_by(4)
            .take(25)
            .copied()
            .collect();
        let (mut ours, mut theirs) = (Duration::MAX, Duration::MAX);
        let (mut our_exp, mut their_exp) = (0, 0);
        let mut bytes = 0.0;
        for _ in 0..5 {
            our_exp = 0;
            their_exp = 0;
            let begin = Instant::now();
            let mut search = BestFirst::astar(Octile);
            for line in &lines {
                search.restart();
                search.run(
                    &Walk::new(&map.grid, line.from, line.to),
                    &mut Budget::unlimited(),
                );
                our_exp += search.statistics().expanded;
                bytes = search.statistics().bytes_per_state();
            }
            ours = ours.min(begin.elapsed());
            let count = Counter::new(0u64);
            let begin = Instant::now();
            for line in &lines {
                let found = pathfinding::prelude::astar(
                    &line.from,
                    |cell| {
                        count.set(count.get() + 1);
                        let mut out = Vec::with_capacity(8);
                        map.grid
                            .for_each_move(*cell, |_, to, cost| out.push((to, cost)));
                        out
                    },
                    |cell| map.grid.octile(*cell, line.to),
                    |cell| *cell == line.to,
                );
                black_box(found);
            }
            theirs = theirs.min(begin.elapsed());
            their_exp = count.get();
        }
        let (a, b) = (
            ours.as_nanos() as f64 / our_exp as f64,
            theirs.as_nanos() as f64 / their_exp as f64,
        );
        println!(
            "{:20} ours {our_exp:>9} exp {a:6.1} ns   peer {their_exp:>9} exp {b:6.1} ns   ratio {:.2}  {bytes:.0} bytes",
            map.name,
            b / a
        );
    }
}
