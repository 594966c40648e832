//! What a search did, in numbers that are the same on every machine.

/// What a search did. There is no clock in it: the same search gives the same statistics on every
/// machine, in one run or in many slices.
///
/// ```
/// use apprentice_search::{Blind, BestFirst, Budget, Search};
/// # use apprentice_search::{Cost, Problem, Successors};
/// # struct Line;
/// # impl Problem for Line {
/// #     type State = u32; type Key = u32; type Action = ();
/// #     fn start(&self) -> u32 { 0 }
/// #     fn key(&self, s: &u32) -> u32 { *s }
/// #     fn is_goal(&self, s: &u32) -> bool { *s == 9 }
/// #     fn successors(&self, s: &u32, out: &mut Successors<u32, ()>) {
/// #         out.push((), s + 1, Cost::from_seconds(1.0));
/// #     }
/// # }
/// let mut search = BestFirst::astar(Blind);
/// search.run(&Line, &mut Budget::unlimited());
/// assert_eq!(search.statistics().expanded, 9);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// States whose successors were listed. The start counts, the goal that ends a search doesn't.
    pub expanded: u64,
    /// Those of them that had been expanded before.
    pub reexpanded: u64,
    /// Units of budget that were taken for other work than expansions since the start was met: for
    /// listing steps where that takes longer than a unit pays for, for sorting what is open between the
    /// rounds of an anytime search, or thousands of states at once, or for looking again whether
    /// something was left out. Advisers that get ready when their turn comes are not counted.
    pub upkeep: u64,
    /// Successors listed.
    pub generated: u64,
    /// Estimates asked for, of all heuristics together.
    pub evaluated: u64,
    /// Different states met.
    pub states: u64,
    /// The most entries all open lists held at once. An entry that was overtaken by a better one
    /// counts until it is cleared away; a state that advisers may expand counts once for each of
    /// them.
    pub peak_open: u64,
    /// Bytes held for the states met: the states themselves, their bookkeeping, the table that
    /// finds them, and the open lists at their longest.
    pub bytes: u64,
    /// Expansions on behalf of each heuristic: the anchor first, then the advisers. A search with
    /// one heuristic has one entry.
    pub expanded_by: Vec<u64>,
}

impl Statistics {
    /// Bytes held for each state met.
    ///
    /// ```
    /// # use apprentice_search::Statistics;
    /// let statistics = Statistics { states: 10, bytes: 640, ..Statistics::default() };
    /// assert_eq!(statistics.bytes_per_state(), 64.0);
    /// ```
    pub fn bytes_per_state(&self) -> f64 {
        if self.states == 0 {
            0.0
        } else {
            self.bytes as f64 / self.states as f64
        }
    }

    /// Nothing yet, for a search with that many heuristics.
    pub(crate) fn by(heuristics: usize) -> Statistics {
        Statistics {
            expanded_by: vec![0; heuristics],
            ..Statistics::default()
        }
    }

    /// Back to nothing, keeping the memory.
    pub(crate) fn clear(&mut self) {
        let mut expanded_by = std::mem::take(&mut self.expanded_by);
        expanded_by.fill(0);
        *self = Statistics {
            expanded_by,
            ..Statistics::default()
        };
    }

    /// The same as `other`, keeping the memory.
    pub(crate) fn become_like(&mut self, other: &Statistics) {
        let mut expanded_by = std::mem::take(&mut self.expanded_by);
        expanded_by.clear();
        expanded_by.extend_from_slice(&other.expanded_by);
        *self = Statistics {
            expanded_by,
            ..*other
        };
    }

    /// Counts an expansion on behalf of heuristic `by`.
    #[inline]
    pub(crate) fn count_expansion(&mut self, by: usize, again: bool) {
        self.expanded += 1;
        self.reexpanded += u64::from(again);
        self.expanded_by[by] += 1;
    }
}
