//! The E-Graph estimate where straight lines are replaced by shortest ways: one sweep over the
//! cells of a map, in which steps count ε times and demonstrated ways once.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use apprentice_search::{Budget, Cost, Weight};

use crate::graph_ends::Seconds;
use crate::{DemonstrationGraph, Distance, Place};

/// The cells of a map, or whatever else one steps between, as a sweep from the goal sees them.
pub trait Cells {
    /// How many there are; they are numbered from zero.
    fn count(&self) -> u32;
    /// The cell a place is in; `None` if nobody can be there.
    fn cell(&self, place: Place) -> Option<u32>;
    /// The middle of a cell.
    fn place(&self, cell: u32) -> Place;
    /// Each cell from which one can step to `cell`, and the seconds that takes at least.
    fn steps_into(&self, cell: u32, found: &mut dyn FnMut(u32, f64));
}

/// What remains at each cell, by the cheapest mix of inflated steps and demonstrated ways. Never
/// less than what an [`ExperienceGraph`](crate::ExperienceGraph) says, because steps go around
/// walls; and it takes one sweep, however long the demonstrations are.
///
/// ```
/// use apprentice_experience::*;
/// use apprentice_search::Weight;
///
/// struct Corridor;
/// impl Cells for Corridor {
///     fn count(&self) -> u32 { 11 }
///     fn cell(&self, place: Place) -> Option<u32> { Some(place.x.round() as u32) }
///     fn place(&self, cell: u32) -> Place { Place::flat(f64::from(cell), 0.0) }
///     fn steps_into(&self, cell: u32, found: &mut dyn FnMut(u32, f64)) {
///         if cell > 0 { found(cell - 1, 1.0) }
///         if cell < 10 { found(cell + 1, 1.0) }
///     }
/// }
///
/// let mut graph = DemonstrationGraph::default();
/// graph.add(&Demonstration::drawn("middle", [Place::flat(2.0, 0.0), Place::flat(8.0, 0.0)], 1.0));
/// let field = DownProjected::new(
///     &Corridor, &graph, &Straight::default(), Weight::new(5.0)?, [10],
/// );
/// assert_eq!(field.seconds(0), 26.0);
/// # Ok::<(), apprentice_search::BadWeight>(())
/// ```
#[derive(Clone, Debug)]
pub struct DownProjected {
    inflation: Weight,
    seconds: Vec<f64>,
    /// Demonstrated ways by the cell they end in: to, from, and what they cost.
    ways: Vec<(u32, u32, f64)>,
    /// Cells whose neighbours are still to be looked at.
    open: BinaryHeap<Reverse<(Seconds, u32)>>,
}

impl DownProjected {
    /// Sweeps from the goal cells.
    pub fn new(
        cells: &impl Cells,
        graph: &DemonstrationGraph,
        distance: &impl Distance,
        inflation: Weight,
        goals: impl IntoIterator<Item = u32>,
    ) -> DownProjected {
        let mut field = DownProjected::to(cells, graph, distance, inflation, goals);
        field.sweep(cells, &mut Budget::unlimited());
        field
    }

    /// Begins a sweep from the goal cells. It holds once [`sweep`](DownProjected::sweep) says that
    /// all is done.
    pub fn to(
        cells: &impl Cells,
        graph: &DemonstrationGraph,
        distance: &impl Distance,
        inflation: Weight,
        goals: impl IntoIterator<Item = u32>,
    ) -> DownProjected {
        let count = cells.count() as usize;
        let mut ways: Vec<(u32, u32, f64)> = Vec::new();
        for way in graph.ways().iter().filter(|way| way.is_open) {
            let ends = (
                cells.cell(graph.place(way.from)),
                cells.cell(graph.place(way.to)),
            );
            if let (Some(from), Some(to)) = ends
                && (from as usize) < count
                && (to as usize) < count
            {
                let least = distance.between(cells.place(from), cells.place(to));
                ways.push((to, from, way.cost.max(least)));
            }
        }
        ways.sort_by(|a, b| (a.0, a.1).cmp(&(b.0, b.1)).then(a.2.total_cmp(&b.2)));
        let mut seconds = vec![f64::INFINITY; count];
        let mut open = BinaryHeap::new();
        for goal in goals {
            if let Some(value) = seconds.get_mut(goal as usize) {
                *value = 0.0;
                open.push(Reverse((Seconds(0.0), goal)));
            }
        }
        DownProjected {
            inflation,
            seconds,
            ways,
            open,
        }
    }

    /// Goes on with the sweep; one unit of budget for each cell. False: the budget is spent, call
    /// again.
    pub fn sweep(&mut self, cells: &impl Cells, budget: &mut Budget<'_>) -> bool {
        let factor = self.inflation.as_f64();
        let (seconds, open) = (&mut self.seconds, &mut self.open);
        while let Some(Reverse((Seconds(value), cell))) = open.peek().copied() {
            if value > seconds[cell as usize] {
                open.pop();
                continue;
            }
            if !budget.take() {
                return false;
            }
            open.pop();
            let mut offer = |from: u32, through: f64| {
                if through < seconds[from as usize] {
                    seconds[from as usize] = through;
                    open.push(Reverse((Seconds(through), from)));
                }
            };
            cells.steps_into(cell, &mut |from, step| offer(from, value + factor * step));
            let first = self.ways.partition_point(|way| way.0 < cell);
            for (_, from, cost) in self.ways[first..].iter().take_while(|way| way.0 == cell) {
                offer(*from, value + cost);
            }
        }
        true
    }

    /// Seconds that remain at a cell; infinite if the goal cannot be reached from it.
    pub fn seconds(&self, cell: u32) -> f64 {
        self.seconds
            .get(cell as usize)
            .copied()
            .unwrap_or(f64::INFINITY)
    }

    /// The cost that remains at a cell, rounded so that it may be relied on.
    pub fn estimate(&self, cell: u32) -> Cost {
        Cost::round_down(self.seconds(cell))
    }

    /// The factor for which the estimate is consistent.
    pub fn inflation(&self) -> Weight {
        self.inflation
    }
}
