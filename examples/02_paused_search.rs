//! Searches a little in every frame, improves while there is time, and says how good the answer is.

use apprentice::search::{
    AraSchedule, AraStar, Budget, Cost, Estimate, Problem, Promise, Search, Status, Successors,
};

const SIZE: u32 = 120;

/// Crossing a square field of mud: every cell takes one to six seconds.
struct Field;

impl Problem for Field {
    type State = (u32, u32);
    type Key = (u32, u32);
    type Action = ();

    fn start(&self) -> (u32, u32) {
        (0, 0)
    }

    fn key(&self, cell: &(u32, u32)) -> (u32, u32) {
        *cell
    }

    fn is_goal(&self, cell: &(u32, u32)) -> bool {
        *cell == (SIZE - 1, SIZE - 1)
    }

    fn successors(&self, (x, y): &(u32, u32), out: &mut Successors<(u32, u32), ()>) {
        for (dx, dy) in [(1, 0), (0, -1), (-1, 0), (0, 1)] {
            if let (Some(x), Some(y)) = (x.checked_add_signed(dx), y.checked_add_signed(dy))
                && x < SIZE
                && y < SIZE
            {
                let mud = (x / 5 * 3 + y / 7 * 5) % 6;
                out.push((), (x, y), Cost::from_seconds(f64::from(1 + mud)));
            }
        }
    }

    /// A number for every cell spares the search its hash table.
    fn index(&self, (x, y): &(u32, u32)) -> Option<u32> {
        Some(y * SIZE + x)
    }
}

fn main() {
    let distance = Estimate::new(Promise::Consistent, |(x, y): &(u32, u32)| {
        Cost::from_seconds(f64::from(2 * (SIZE - 1) - x - y))
    });
    let schedule = AraSchedule::new(5.0, 1.0, 1.0).expect("weights that go down");
    let mut search = AraStar::new(distance, schedule);

    for frame in 1.. {
        // This much in every frame, and not one expansion more.
        let mut budget = Budget::units(1_000);
        let status = search.run(&Field, &mut budget);
        if let (Status::Improved | Status::Finished, Some(path)) = (status, search.path()) {
            println!(
                "frame {frame:>2}: {} after {:>5} expansions, {}",
                path.cost,
                search.statistics().expanded,
                search.guarantee(),
            );
        }
        assert!(budget.taken() <= 1_000);
        if !status.is_unfinished() {
            break;
        }
    }
    assert_eq!(search.guarantee().factor(), Some(1.0));
}
