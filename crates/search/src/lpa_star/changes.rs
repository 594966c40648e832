//! How changes are worked into what is known: what no longer stands is withdrawn, the rest is kept.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::LpaStar;
use super::learned_h::LearnedH;
use super::ways::{Length, NO_STEP, Place, Step};
use crate::nodes::NodeId;
use crate::shelves::Shelves;
use crate::{Cost, Heuristic, Problem, Promise, Search};

/// Whether a change could be worked into what a search knows.
///
/// ```
/// use apprentice_search::{Blind, Budget, LpaStar, Reuse, Search};
/// # use apprentice_search::{Cost, Problem, Successors};
/// # struct Line;
/// # impl Problem for Line {
/// #     type State = u32; type Key = u32; type Action = ();
/// #     fn start(&self) -> u32 { 0 }
/// #     fn key(&self, s: &u32) -> u32 { *s }
/// #     fn is_goal(&self, s: &u32) -> bool { *s == 5 }
/// #     fn successors(&self, s: &u32, out: &mut Successors<u32, ()>) {
/// #         out.push((), s + 1, Cost::from_seconds(1.0));
/// #     }
/// # }
/// let mut search = LpaStar::new(Blind);
/// // It has not run, so there is nothing to be kept.
/// assert_eq!(search.goal_changed(&Line), Reuse::Restarted);
/// search.run(&Line, &mut Budget::unlimited());
/// assert_eq!(search.goal_changed(&Line), Reuse::Kept);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[must_use = "a restarted search has forgotten its statistics"]
pub enum Reuse {
    /// What was learned is kept; the next run mends it.
    Kept,
    /// Too much has changed, or nothing that is known can serve; the next run begins anew.
    Restarted,
}

impl<P: Problem, H: Heuristic<P>> LpaStar<P, H> {
    /// The steps that leave these states may have changed: some are new, gone, cheaper or dearer.
    /// Whether a state is a goal may have changed as well. States that were never met are no news.
    ///
    /// Takes one expansion's work for each state; they count as expansions.
    ///
    /// ```
    /// # use apprentice_search::{Blind, Budget, Cost, LpaStar, Reuse, Search};
    /// # use apprentice_search::{Problem, Successors};
    /// # struct Row { start: u32, goal: u32, door: f64, revision: u64 }
    /// # impl Problem for Row {
    /// #     type State = u32; type Key = u32; type Action = ();
    /// #     fn start(&self) -> u32 { self.start }
    /// #     fn key(&self, s: &u32) -> u32 { *s }
    /// #     fn is_goal(&self, s: &u32) -> bool { *s == self.goal }
    /// #     fn successors(&self, s: &u32, out: &mut Successors<u32, ()>) {
    /// #         let seconds = if *s == 2 { self.door } else { 1.0 };
    /// #         out.push((), s + 1, Cost::from_seconds(seconds));
    /// #     }
    /// #     fn revision(&self) -> u64 { self.revision }
    /// # }
    /// let mut row = Row { start: 0, goal: 5, door: 1.0, revision: 0 };
    /// let mut search = LpaStar::new(Blind);
    /// search.run(&row, &mut Budget::unlimited());
    ///
    /// row.door = 7.0; // on the way from cell 2
    /// row.revision += 1;
    /// assert_eq!(search.steps_changed(&row, &[2]), Reuse::Kept);
    /// search.run(&row, &mut Budget::unlimited());
    /// assert_eq!(search.path().unwrap().cost, Cost::from_seconds(11.0));
    /// ```
    pub fn steps_changed(&mut self, problem: &P, states: &[P::State]) -> Reuse {
        if self.start.is_none() {
            self.restart();
            return Reuse::Restarted;
        }
        // Working that many changes in costs about as much as a new search.
        if states.len() as u64 > self.nodes.states_met() {
            self.restart();
            return Reuse::Restarted;
        }
        self.learn();
        self.standing.accept(problem);
        self.in_parts.forget();
        self.changed = true;
        let mut changed = Vec::new();
        for state in states {
            let Some(node) = self.nodes.find(problem, state) else {
                continue;
            };
            let was_goal = self.goals.contains(&node);
            let is_goal = problem.is_goal(self.nodes.state(node));
            if was_goal && !is_goal {
                self.goals.retain(|goal| *goal != node);
            } else if is_goal && !was_goal {
                self.goals.push(node);
                self.cheaper.push(node);
            }
            if self.places[node.index()].listed {
                self.places[node.index()].is_changed = true;
                changed.push(node);
            }
        }
        self.withdraw(problem, changed);
        self.note_size();
        Reuse::Kept
    }

    /// The goal is another. Everything that is known about costs stays true.
    ///
    /// ```
    /// # use apprentice_search::{Blind, Budget, Cost, LpaStar, Reuse, Search};
    /// # use apprentice_search::{Problem, Successors};
    /// # struct Row { start: u32, goal: u32, door: f64, revision: u64 }
    /// # impl Problem for Row {
    /// #     type State = u32; type Key = u32; type Action = ();
    /// #     fn start(&self) -> u32 { self.start }
    /// #     fn key(&self, s: &u32) -> u32 { *s }
    /// #     fn is_goal(&self, s: &u32) -> bool { *s == self.goal }
    /// #     fn successors(&self, s: &u32, out: &mut Successors<u32, ()>) {
    /// #         let seconds = if *s == 2 { self.door } else { 1.0 };
    /// #         out.push((), s + 1, Cost::from_seconds(seconds));
    /// #     }
    /// #     fn revision(&self) -> u64 { self.revision }
    /// # }
    /// let mut row = Row { start: 0, goal: 5, door: 1.0, revision: 0 };
    /// let mut search = LpaStar::new(Blind);
    /// search.run(&row, &mut Budget::unlimited());
    /// assert_eq!(search.statistics().expanded, 5);
    ///
    /// row.goal = 7;
    /// row.revision += 1;
    /// assert_eq!(search.goal_changed(&row), Reuse::Kept);
    /// search.run(&row, &mut Budget::unlimited());
    /// assert_eq!(search.path().unwrap().cost, Cost::from_seconds(7.0));
    /// assert_eq!(search.statistics().expanded, 7); // only two more
    /// ```
    pub fn goal_changed(&mut self, problem: &P) -> Reuse {
        if self.start.is_none() {
            self.restart();
            return Reuse::Restarted;
        }
        // What was learned is about another goal.
        self.learned_h = LearnedH::default();
        self.solved_by = None;
        self.standing.accept(problem);
        self.in_parts.forget();
        self.goals.clear();
        let nodes = (0..self.places.len()).map(NodeId::from_index);
        self.goals
            .extend(nodes.filter(|node| problem.is_goal(self.nodes.state(*node))));
        self.changed = true;
        Reuse::Kept
    }

    /// The search starts elsewhere, as when the character has walked on. What lies beyond the new
    /// start, as seen from the old one, stays known.
    ///
    /// ```
    /// # use apprentice_search::{Blind, Budget, Cost, LpaStar, Reuse, Search};
    /// # use apprentice_search::{Problem, Successors};
    /// # struct Row { start: u32, goal: u32, door: f64, revision: u64 }
    /// # impl Problem for Row {
    /// #     type State = u32; type Key = u32; type Action = ();
    /// #     fn start(&self) -> u32 { self.start }
    /// #     fn key(&self, s: &u32) -> u32 { *s }
    /// #     fn is_goal(&self, s: &u32) -> bool { *s == self.goal }
    /// #     fn successors(&self, s: &u32, out: &mut Successors<u32, ()>) {
    /// #         let seconds = if *s == 2 { self.door } else { 1.0 };
    /// #         out.push((), s + 1, Cost::from_seconds(seconds));
    /// #     }
    /// #     fn revision(&self) -> u64 { self.revision }
    /// # }
    /// let mut row = Row { start: 0, goal: 5, door: 1.0, revision: 0 };
    /// let mut search = LpaStar::new(Blind);
    /// search.run(&row, &mut Budget::unlimited());
    /// assert_eq!(search.statistics().expanded, 5);
    ///
    /// row.start = 2;
    /// row.revision += 1;
    /// assert_eq!(search.start_changed(&row), Reuse::Kept);
    /// search.run(&row, &mut Budget::unlimited());
    /// assert_eq!(search.path().unwrap().cost, Cost::from_seconds(3.0));
    /// assert_eq!(search.statistics().expanded, 5); // all of it was known
    /// ```
    pub fn start_changed(&mut self, problem: &P) -> Reuse {
        let start = problem.start();
        let known = if self.start.is_some() {
            self.nodes.find(problem, &start)
        } else {
            None
        };
        // A state that is itself in question has nothing certain beyond it.
        let Some(start) = known.filter(|node| self.places[node.index()].is_settled()) else {
            self.restart();
            return Reuse::Restarted;
        };
        self.learn();
        self.standing.accept(problem);
        self.in_parts.forget();
        if self.start != Some(start) {
            self.start = Some(start);
            self.forget_all_but_beyond(start);
        }
        self.changed = true;
        Reuse::Kept
    }

    /// A way that uses a cheaper step comes by a state it leaves from. From there the heuristic still
    /// holds; up to there, what was learned does.
    fn discount(&mut self, problem: &P) {
        let cheaper = std::mem::take(&mut self.cheaper);
        let is_other = self.learned_h.revision != self.heuristic.revision();
        // That what was learned holds up to there needs consistency.
        let is_consistent = self.heuristic.promise() == Promise::Consistent;
        if is_other || !cheaper.is_empty() && !is_consistent {
            self.learned_h = LearnedH::default();
        } else if !cheaper.is_empty() && !self.learned_h.remains.is_empty() {
            self.statistics.evaluated += cheaper.len() as u64;
            let known = cheaper.into_iter().map(|node| {
                let estimate = self.heuristic.estimate(problem, self.nodes.state(node));
                (self.learned_h.remains(node).max(estimate), estimate)
            });
            let known = known.collect();
            self.learned_h.discount(known);
        }
    }

    /// Works in that the steps of these states have changed. Those that still stand list their steps
    /// again; whoever came by a step that is gone is in doubt; whoever finds no other way is
    /// withdrawn, and whoever came by way of it is in doubt as well.
    ///
    /// The cheapest come first, so that it is already known of all others a state might turn to
    /// whether they stand.
    fn withdraw(&mut self, problem: &P, changed: Vec<NodeId>) {
        let told =
            |places: &Shelves<Place>, node: NodeId| Reverse((places[node.index()].told, node));
        let changed_states = changed.len();
        let mut queue: BinaryHeap<_> = changed
            .into_iter()
            .map(|node| told(&self.places, node))
            .collect();
        // These have to look for a way when it is known who stands.
        let mut lost = Vec::new();
        let mut fallen = Vec::new();
        while let Some(Reverse((told_then, node))) = queue.pop() {
            let place = self.places[node.index()];
            if place.told != told_then {
                continue;
            }
            // More steps at the same cost won't do: see `Length`.
            let stands = place.told != Length::INFINITE
                && (Some(node) == self.start
                    || self.steps.cheapest_way(&self.places, node).0 <= place.told);
            if stands && !place.is_changed {
                continue;
            }
            if !stands && place.told != Length::INFINITE {
                let place = &mut self.places[node.index()];
                (place.told, place.real, place.by) = (Length::INFINITE, Length::INFINITE, NO_STEP);
                self.withdrawn += 1;
                lost.push(node);
            }
            // Those who came by one of its steps.
            let mut at = place.leaving;
            while at != NO_STEP {
                let Step {
                    to, next_leaving, ..
                } = self.steps[at];
                if self.places[to.index()].by == at {
                    queue.push(told(&self.places, to));
                    lost.push(to);
                }
                at = next_leaving;
            }
            if place.is_changed {
                self.places[node.index()].is_changed = false;
                if stands {
                    self.list_again(problem, node, &mut lost);
                } else {
                    fallen.push(node);
                }
            }
        }
        // What leaves a fallen state could wait until it is reached again. But unless it is known not
        // to be cheaper, much of what was learned must be given up; that is worth a look where much
        // still stands.
        let standing = self
            .places
            .iter()
            .filter(|place| place.is_settled())
            .count();
        for node in fallen {
            if standing > 4 * changed_states {
                self.list_again(problem, node, &mut lost);
            } else {
                self.forget_steps(node);
                self.cheaper.push(node);
            }
        }
        for node in lost {
            self.find_way(node);
        }
    }

    /// Keeps what is reached by way of `start`, less the way to it, and forgets all other costs.
    fn forget_all_but_beyond(&mut self, start: NodeId) {
        let origin = self.places[start.index()].told;
        self.places[start.index()].by = NO_STEP;
        // A state is beyond the start if the state it comes from is. Short ways first, so that the
        // answer for that one is known.
        let mut order: Vec<NodeId> = (0..self.places.len()).map(NodeId::from_index).collect();
        order.sort_unstable_by_key(|node| self.places[node.index()].told);
        let mut beyond = vec![false; self.places.len()];
        beyond[start.index()] = true;
        for node in order {
            let place = &self.places[node.index()];
            if place.is_settled() && place.by != NO_STEP {
                beyond[node.index()] = beyond[self.steps[place.by].from.index()];
            }
        }
        for (place, beyond) in self.places.iter_mut().zip(&beyond) {
            if *beyond {
                place.told = place.told.less(origin);
                place.real = place.told;
            } else {
                (place.told, place.real, place.by) = (Length::INFINITE, Length::INFINITE, NO_STEP);
                self.withdrawn += 1;
            }
        }
        for (number, beyond) in beyond.into_iter().enumerate() {
            if !beyond {
                self.find_way(NodeId::from_index(number));
            }
        }
    }

    /// Estimates may be other than they were, so everything that is unsettled gets a new place in
    /// the open list.
    pub(super) fn take_up_changes(&mut self, problem: &P) {
        self.discount(problem);
        self.open.clear();
        for number in 0..self.places.len() {
            self.open_if_unsettled(problem, NodeId::from_index(number));
        }
        self.changed = false;
    }

    /// Lists them again, because they have changed. Where they lead there may be a cheaper way now.
    fn list_again(&mut self, problem: &P, node: NodeId, lost: &mut Vec<NodeId>) {
        let before = self.forget_steps(node);
        self.statistics.count_expansion(0, true);
        self.list(problem, node);
        let mut at = self.places[node.index()].leaving;
        while at != NO_STEP {
            let Step {
                to,
                cost,
                next_leaving,
                ..
            } = self.steps[at];
            let costs = before
                .iter()
                .filter(|(end, _)| *end == to)
                .map(|(_, cost)| *cost);
            if costs.min().is_none_or(|before| cost < before) {
                self.cheaper.push(node);
            }
            lost.push(to);
            at = next_leaving;
        }
    }

    /// Forgets the steps that leave a state. Returns where they led, and their costs.
    fn forget_steps(&mut self, node: NodeId) -> Vec<(NodeId, Cost)> {
        let mut before = Vec::new();
        let mut at = self.places[node.index()].leaving;
        while at != NO_STEP {
            let Step {
                to,
                cost,
                next_leaving,
                ..
            } = self.steps[at];
            before.push((to, cost));
            self.steps.unlink(&mut self.places, at);
            let place = &mut self.places[to.index()];
            if place.by == at {
                place.by = NO_STEP;
            }
            at = next_leaving;
        }
        let place = &mut self.places[node.index()];
        (place.leaving, place.listed) = (NO_STEP, false);
        before
    }
}
