//! The shortest rounds from one stop to the next until the goal is met.

use apprentice_search::{Budget, Cost};

/// A set of things, a bit each, by their place on an agenda.
pub(super) type Things = u32;

/// What there is to be done at a stop.
#[derive(Clone, Copy, Debug)]
pub(super) struct Errand {
    /// What is settled by being there.
    pub(super) settles: Things,
    /// One of these must be settled before; none if there is nothing to unlock.
    pub(super) unlocked_by: Option<Things>,
}

impl Errand {
    /// What is settled after going there; `None` if that is useless or impossible.
    #[inline]
    fn after(&self, settled: Things) -> Option<Things> {
        match self.unlocked_by {
            Some(keys) => (keys & settled != 0).then_some(settled | self.settles),
            None => (self.settles & !settled != 0).then_some(settled | self.settles),
        }
    }

    /// Whether somebody with this settled may have just been there.
    fn is_done(&self, settled: Things) -> bool {
        let is_unlocked = self.unlocked_by.is_none_or(|keys| keys & settled != 0);
        self.settles & !settled == 0 && is_unlocked
    }
}

/// What must be settled for a way to meet the goal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Needs {
    pub(super) all_of: Things,
    /// One of these must be settled, too, if there are any.
    pub(super) one_of: Things,
}

impl Needs {
    /// Whether everything is settled.
    #[inline]
    pub(super) fn are_met(&self, settled: Things) -> bool {
        self.all_of & !settled == 0 && (self.one_of == 0 || self.one_of & settled != 0)
    }
}

/// How far stops and finishes are from each stop, by number.
#[derive(Clone, Debug, Default)]
pub(super) struct Legs {
    stops: usize,
    finishes: usize,
    /// For each stop, to all stops and then to all finishes.
    costs: Vec<Cost>,
}

impl Legs {
    pub(super) fn new(stops: usize, finishes: usize) -> Legs {
        Legs {
            stops,
            finishes,
            costs: Vec::with_capacity(stops * (stops + finishes)),
        }
    }

    /// Measures them all, one unit of budget for each; `measure` is asked for the cost from one stop
    /// to another or to a finish. False: the budget is spent, call again.
    pub(super) fn go_on(
        &mut self,
        budget: &mut Budget<'_>,
        measure: impl Fn(usize, Result<usize, usize>) -> Cost,
    ) -> bool {
        let row = self.stops + self.finishes;
        while self.costs.len() < self.stops * row {
            if !budget.take() {
                return false;
            }
            let (from, to) = (self.costs.len() / row, self.costs.len() % row);
            let to = to.checked_sub(self.stops).map_or(Ok(to), Err);
            self.costs.push(measure(from, to));
        }
        true
    }

    fn to_stops(&self, from: usize) -> &[Cost] {
        &self.costs[from * (self.stops + self.finishes)..][..self.stops]
    }

    fn to_finishes(&self, from: usize) -> &[Cost] {
        &self.costs[from * (self.stops + self.finishes) + self.stops..][..self.finishes]
    }
}

/// For each set of things that are settled: the stops worth going to next, and the cost from there
/// to the end.
///
/// Worked out from the set of all things downwards, because going somewhere only ever adds to the set.
#[derive(Clone, Debug, Default)]
pub(super) struct Rounds {
    errands: Vec<Errand>,
    needs: Vec<Needs>,
    /// How many sets there are.
    sets: usize,
    /// For each set, from that of all things, and each stop: the cost of the rest of a round that has
    /// just been there.
    left: Vec<Cost>,
    /// For each set, in the same order, where its stops end.
    ends: Vec<u32>,
    next: Vec<(u32, Cost)>,
    /// Of the set that is being worked out, stops that leave it as it is.
    passed: Vec<usize>,
}

/// So many sets are worked out for a unit of budget.
const SETS_AT_ONCE: usize = 4;

impl Rounds {
    pub(super) fn new(things: usize, errands: Vec<Errand>, needs: Vec<Needs>) -> Rounds {
        let sets = 1 << things;
        Rounds {
            left: Vec::with_capacity(sets * errands.len()),
            ends: Vec::with_capacity(sets),
            errands,
            needs,
            sets,
            next: Vec::new(),
            passed: Vec::new(),
        }
    }

    /// Goes on; a unit of budget for every four sets. False: the budget is spent, call again.
    pub(super) fn go_on(&mut self, legs: &Legs, budget: &mut Budget<'_>) -> bool {
        while self.ends.len() < self.sets {
            if !budget.take() {
                return false;
            }
            for _ in 0..SETS_AT_ONCE.min(self.sets - self.ends.len()) {
                self.work_out(legs, (self.sets - 1 - self.ends.len()) as Things);
            }
        }
        // Only the stops that come next are asked for.
        self.left = Vec::new();
        true
    }

    /// What comes next once all of this is settled, each with the cost from there to the end.
    #[inline]
    pub(super) fn next(&self, settled: Things) -> &[(u32, Cost)] {
        let rank = self.sets - 1 - settled as usize;
        let begin = rank.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.next[begin as usize..self.ends[rank] as usize]
    }

    fn left(&self, settled: Things, stop: usize) -> Cost {
        let rank = self.sets - 1 - settled as usize;
        self.left[rank * self.errands.len() + stop]
    }

    fn work_out(&mut self, legs: &Legs, settled: Things) {
        let begin = self.next.len();
        self.passed.clear();
        for (stop, errand) in self.errands.iter().enumerate() {
            match errand.after(settled) {
                Some(after) if after == settled => self.passed.push(stop),
                Some(after) => {
                    let onward = self.left(after, stop);
                    if onward.is_finite() {
                        self.next.push((stop as u32, onward));
                    }
                }
                None => {}
            }
        }
        let base = self.left.len();
        for (from, errand) in self.errands.iter().enumerate() {
            let mut least = Cost::INFINITE;
            // Nobody asks about those where nobody can have been.
            if errand.is_done(settled) {
                let finishes = self.needs.iter().zip(legs.to_finishes(from));
                for (needs, cost) in finishes {
                    if needs.are_met(settled) {
                        least = least.min(*cost);
                    }
                }
                let to = legs.to_stops(from);
                for (stop, onward) in &self.next[begin..] {
                    least = least.min(to[*stop as usize] + *onward);
                }
            }
            self.left.push(least);
        }
        // Passing a door leaves the set as it is, so that values are improved until nothing changes.
        let left = &mut self.left[base..];
        let mut changed = true;
        while changed {
            changed = false;
            for from in &self.passed {
                let to = legs.to_stops(*from);
                for stop in &self.passed {
                    let total = to[*stop] + left[*stop];
                    if total < left[*from] {
                        left[*from] = total;
                        changed = true;
                    }
                }
            }
        }
        for (from, errand) in self.errands.iter().enumerate() {
            if errand.unlocked_by.is_some() || !errand.is_done(settled) {
                continue;
            }
            let to = legs.to_stops(from);
            for stop in &self.passed {
                left[from] = left[from].min(to[*stop] + left[*stop]);
            }
        }
        for stop in &self.passed {
            if left[*stop].is_finite() {
                self.next.push((*stop as u32, left[*stop]));
            }
        }
        self.ends.push(self.next.len() as u32);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The cost of the rest of a round by trying everything, in as many rounds as it takes.
    fn by_trying(
        things: usize,
        errands: &[Errand],
        needs: &[Needs],
        legs: &Legs,
    ) -> Vec<Vec<Cost>> {
        let sets = 1usize << things;
        let mut left = vec![vec![Cost::INFINITE; errands.len()]; sets];
        let mut changed = true;
        while changed {
            changed = false;
            for settled in 0..sets {
                for from in 0..errands.len() {
                    let ends = needs.iter().zip(legs.to_finishes(from));
                    let ends = ends.filter(|(needs, _)| needs.are_met(settled as Things));
                    let mut least = ends.map(|(_, cost)| *cost).min().unwrap_or(Cost::INFINITE);
                    for (to, errand) in errands.iter().enumerate() {
                        if let Some(after) = errand.after(settled as Things) {
                            least = least.min(legs.to_stops(from)[to] + left[after as usize][to]);
                        }
                    }
                    if least < left[settled][from] {
                        left[settled][from] = least;
                        changed = true;
                    }
                }
            }
        }
        left
    }

    /// Things, what is done at each stop, what each finish needs, and the legs between them.
    fn agendas() -> impl Strategy<Value = (usize, Vec<Errand>, Vec<Needs>, Legs)> {
        let sizes = (1..6usize, 0..8usize, 1..4usize);
        sizes.prop_flat_map(|(things, stops, finishes)| {
            let all = (1u32 << things) - 1;
            let errand = (0..=all, prop::option::of(0..=all), any::<bool>());
            let errand = errand.prop_map(|(settles, unlocked_by, is_door)| Errand {
                // Most doors settle nothing.
                settles: if is_door && unlocked_by.is_some() {
                    0
                } else {
                    settles
                },
                unlocked_by,
            });
            let needs = (0..=all, 0..=all, any::<bool>());
            let needs = needs.prop_map(|(all_of, one_of, is_any)| Needs {
                all_of,
                one_of: if is_any { one_of } else { 0 },
            });
            let cost = prop_oneof![
                6 => (0..50u64).prop_map(Cost::from_ticks),
                1 => Just(Cost::INFINITE),
            ];
            let legs = prop::collection::vec(cost, stops * (stops + finishes));
            let legs = legs.prop_map(move |costs| Legs {
                stops,
                finishes,
                costs,
            });
            (
                Just(things),
                prop::collection::vec(errand, stops),
                prop::collection::vec(needs, finishes),
                legs,
            )
        })
    }

    proptest! {
        /// The stops that come next, and what is left from there, are those found by trying
        /// everything; also if it is worked out a little at a time.
        #[test]
        fn rounds_are_the_shortest((things, errands, needs, legs) in agendas()) {
            let left = by_trying(things, &errands, &needs, &legs);
            let mut rounds = Rounds::new(things, errands.clone(), needs);
            let mut units = 1;
            while !rounds.go_on(&legs, &mut Budget::units(1)) {
                units += 1;
            }
            prop_assert_eq!(units, (1usize << things).div_ceil(SETS_AT_ONCE));
            for settled in 0..1 << things {
                let mut next = rounds.next(settled).to_vec();
                next.sort_unstable();
                let expected = errands.iter().enumerate().filter_map(|(stop, errand)| {
                    let onward = left[errand.after(settled)? as usize][stop];
                    onward.is_finite().then_some((stop as u32, onward))
                });
                prop_assert_eq!(next, expected.collect::<Vec<_>>());
            }
        }
    }
}
