//! Where demonstrations begin and end, also where they loop, branch and merge; and what it takes
//! from anywhere in a graph to such an end.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use apprentice_search::Budget;

use crate::{DemonstrationGraph, Distance};

/// Looking at so many places or ways takes about as long as a search takes to expand a state.
pub(crate) const WAYS_FOR_AN_EXPANSION: usize = 64;

/// The open ways of a graph, each at least as long as it must be, by where they begin and end.
#[derive(Clone, Debug)]
pub(crate) struct OpenWays {
    /// From, to, cost and number of each.
    pub ways: Vec<OpenWay>,
    leaving: Adjacency,
    arriving: Adjacency,
    /// How many ways of the graph have been looked at.
    seen: usize,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct OpenWay {
    pub from: u32,
    pub to: u32,
    /// At least the distance: a demonstrator faster than the character would otherwise promise
    /// what nobody can keep.
    pub cost: f64,
    /// Its number in the graph.
    pub number: u32,
}

impl OpenWays {
    /// None of the graph's ways yet.
    pub(crate) fn of(graph: &DemonstrationGraph) -> OpenWays {
        let places = graph.places().len();
        OpenWays {
            ways: Vec::new(),
            leaving: Adjacency::new(places),
            arriving: Adjacency::new(places),
            seen: 0,
        }
    }

    /// All of them.
    pub(crate) fn new(graph: &DemonstrationGraph, distance: &impl Distance) -> OpenWays {
        let mut open = OpenWays::of(graph);
        open.go_on(graph, distance, &mut Budget::unlimited());
        open
    }

    /// Takes in more ways; one unit of budget for every 64. False: the budget is spent, call again.
    pub(crate) fn go_on(
        &mut self,
        graph: &DemonstrationGraph,
        distance: &impl Distance,
        budget: &mut Budget<'_>,
    ) -> bool {
        while self.seen < graph.ways().len() {
            if !budget.take() {
                return false;
            }
            let end = (self.seen + WAYS_FOR_AN_EXPANSION).min(graph.ways().len());
            for number in self.seen..end {
                let way = &graph.ways()[number];
                if !way.is_open {
                    continue;
                }
                let least = distance.between(graph.place(way.from), graph.place(way.to));
                self.leaving.add(way.from);
                self.arriving.add(way.to);
                self.ways.push(OpenWay {
                    from: way.from,
                    to: way.to,
                    cost: way.cost.max(least),
                    number: number as u32,
                });
            }
            self.seen = end;
        }
        true
    }

    /// The ways that begin at a place, the last first.
    pub(crate) fn leaving(&self, place: u32) -> impl Iterator<Item = &OpenWay> {
        self.leaving.of(place).map(|way| &self.ways[way as usize])
    }

    /// The ways that end at a place, the last first.
    pub(crate) fn arriving(&self, place: u32) -> impl Iterator<Item = &OpenWay> {
        self.arriving.of(place).map(|way| &self.ways[way as usize])
    }

    /// Where demonstrations end: the last place of each trace; and, of ways that belong to none,
    /// the places nothing leaves, or where all of them go round in circles, the one from which
    /// `least` is least.
    pub(crate) fn ends(&self, graph: &DemonstrationGraph, least: impl Fn(u32) -> f64) -> Vec<u32> {
        let known = graph.traces().iter().map(|trace| trace.last()).collect();
        self.extremes(graph, &self.leaving, known, |way| way.to, least)
    }

    /// Where demonstrations begin, in the same way.
    pub(crate) fn beginnings(
        &self,
        graph: &DemonstrationGraph,
        least: impl Fn(u32) -> f64,
    ) -> Vec<u32> {
        let known = graph.traces().iter().map(|trace| trace.first()).collect();
        self.extremes(graph, &self.arriving, known, |way| way.from, least)
    }

    fn extremes(
        &self,
        graph: &DemonstrationGraph,
        onward: &Adjacency,
        mut found: Vec<u32>,
        next: impl Fn(&OpenWay) -> u32,
        least: impl Fn(u32) -> f64,
    ) -> Vec<u32> {
        let places = graph.places().len();
        let mut is_traced = vec![false; places];
        for trace in graph.traces() {
            for place in &trace.places {
                is_traced[*place as usize] = true;
            }
        }
        if is_traced.iter().any(|traced| !traced) {
            let component = components(places, |place| {
                onward.of(place).map(|way| next(&self.ways[way as usize]))
            });
            // For each component: whether one can leave it, or a demonstration passes through it;
            // and its best place.
            let mut passes = vec![false; places];
            let mut best: Vec<Option<(f64, u32)>> = vec![None; places];
            for place in 0..places as u32 {
                let here = component[place as usize] as usize;
                let mut nexts = onward.of(place).map(|way| next(&self.ways[way as usize]));
                passes[here] |= is_traced[place as usize]
                    || nexts.any(|next| component[next as usize] as usize != here);
                let value = least(place);
                if best[here].is_none_or(|(best, _)| value < best) {
                    best[here] = Some((value, place));
                }
            }
            let sinks = best.iter().zip(&passes).filter(|(_, passes)| !**passes);
            found.extend(sinks.filter_map(|(best, _)| best.map(|(_, place)| place)));
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}

/// What remains at each place of a graph if so much remains at its ends: a sweep against the ways.
#[derive(Clone, Debug)]
pub(crate) struct Sweep {
    /// Infinite where no end can be reached, or was reached so far.
    pub remaining: Vec<f64>,
    open: BinaryHeap<Reverse<(Seconds, u32)>>,
}

impl Sweep {
    pub(crate) fn new(places: usize) -> Sweep {
        Sweep {
            remaining: vec![f64::INFINITY; places],
            open: BinaryHeap::new(),
        }
    }

    /// Adds an end at which that much remains.
    pub(crate) fn begin_at(&mut self, place: u32, value: f64) {
        if value < self.remaining[place as usize] {
            self.remaining[place as usize] = value;
            self.open.push(Reverse((Seconds(value), place)));
        }
    }

    /// Goes on; one unit of budget for every 64 places. False: the budget is spent, call again.
    pub(crate) fn go_on(&mut self, open: &OpenWays, budget: &mut Budget<'_>) -> bool {
        while !self.open.is_empty() {
            if !budget.take() {
                return false;
            }
            for _ in 0..WAYS_FOR_AN_EXPANSION {
                let Some(Reverse((Seconds(value), place))) = self.open.pop() else {
                    break;
                };
                if value > self.remaining[place as usize] {
                    continue;
                }
                for way in open.arriving(place) {
                    self.begin_at(way.from, value + way.cost);
                }
            }
        }
        true
    }
}

/// Numbers of the ways at each place, the last first.
#[derive(Clone, Debug)]
struct Adjacency {
    /// By place.
    last: Vec<u32>,
    /// By way.
    before: Vec<u32>,
}

const NONE: u32 = u32::MAX;

impl Adjacency {
    fn new(places: usize) -> Adjacency {
        Adjacency {
            last: vec![NONE; places],
            before: Vec::new(),
        }
    }

    /// Adds the next way.
    fn add(&mut self, place: u32) {
        let number = self.before.len() as u32;
        let last = std::mem::replace(&mut self.last[place as usize], number);
        self.before.push(last);
    }

    fn of(&self, place: u32) -> impl Iterator<Item = u32> {
        let last = self.last[place as usize];
        let some = |way: u32| (way != NONE).then_some(way);
        std::iter::successors(some(last), move |way| some(self.before[*way as usize]))
    }
}

/// A number for each place, equal for places that can reach each other (Tarjan's algorithm, with a
/// stack of its own because demonstrations are long).
fn components<I: Iterator<Item = u32>>(places: usize, next: impl Fn(u32) -> I) -> Vec<u32> {
    const UNSEEN: u32 = u32::MAX;
    let mut order = vec![UNSEEN; places];
    let mut lowest = vec![0u32; places];
    let mut component = vec![UNSEEN; places];
    let mut waiting: Vec<u32> = Vec::new();
    let mut calls: Vec<(u32, I)> = Vec::new();
    let (mut met, mut found) = (0, 0);
    for root in 0..places as u32 {
        if order[root as usize] != UNSEEN {
            continue;
        }
        let mut enter = Some(root);
        loop {
            if let Some(place) = enter.take() {
                order[place as usize] = met;
                lowest[place as usize] = met;
                met += 1;
                waiting.push(place);
                calls.push((place, next(place)));
            }
            let Some((place, ways)) = calls.last_mut() else {
                break;
            };
            let place = *place as usize;
            if let Some(other) = ways.next() {
                if order[other as usize] == UNSEEN {
                    enter = Some(other);
                } else if component[other as usize] == UNSEEN {
                    lowest[place] = lowest[place].min(order[other as usize]);
                }
                continue;
            }
            calls.pop();
            if let Some((parent, _)) = calls.last() {
                let parent = *parent as usize;
                lowest[parent] = lowest[parent].min(lowest[place]);
            }
            if lowest[place] == order[place] {
                while let Some(member) = waiting.pop() {
                    component[member as usize] = found;
                    if member as usize == place {
                        break;
                    }
                }
                found += 1;
            }
        }
    }
    component
}

/// Seconds in an order that knows no exceptions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Seconds(pub f64);

impl Eq for Seconds {}

impl PartialOrd for Seconds {
    fn partial_cmp(&self, other: &Seconds) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Seconds {
    fn cmp(&self, other: &Seconds) -> std::cmp::Ordering {
        self.0.total_cmp(&other.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Demonstration, Place, Straight};

    fn graph(places: u32, ways: &[(u32, u32)]) -> DemonstrationGraph {
        let mut graph = DemonstrationGraph::default();
        for place in 0..places {
            graph.add_place(Place::flat(f64::from(place), 0.0));
        }
        for (from, to) in ways {
            graph.add_way(*from, *to, 0.0);
        }
        graph
    }

    fn check(ways: &[(u32, u32)], beginnings: &[u32], ends: &[u32]) {
        let graph = graph(6, ways);
        let open = OpenWays::new(&graph, &Straight::default());
        // The goal is far to the right, the start far to the left.
        assert_eq!(
            open.ends(&graph, |place| f64::from(10 - place)),
            ends,
            "ends of {ways:?}"
        );
        let beginnings_found = open.beginnings(&graph, f64::from);
        assert_eq!(beginnings_found, beginnings, "beginnings of {ways:?}");
    }

    #[test]
    fn chains_branches_and_circles_begin_and_end_somewhere() {
        check(&[(0, 1), (1, 2), (2, 3), (3, 4), (4, 5)], &[0], &[5]);
        check(&[(0, 1), (1, 2), (1, 3), (4, 5), (5, 3)], &[0, 4], &[2, 3]);
        check(&[(0, 1), (1, 2), (2, 0), (3, 4), (4, 5)], &[0, 3], &[2, 5]);
        check(
            &[(0, 1), (1, 2), (2, 1), (2, 3), (3, 4), (4, 5), (5, 3)],
            &[0],
            &[5],
        );
        check(
            &[(5, 0), (0, 1), (1, 2), (2, 3), (3, 4), (4, 5)],
            &[0],
            &[5],
        );
    }

    #[test]
    fn a_trace_begins_and_ends_where_it_did_even_in_a_loop() {
        let mut graph = DemonstrationGraph::merging(crate::Merging::Within(0.1));
        let points = [0.0, 3.0, 6.0, 0.0].map(|x| Place::flat(x, x * (6.0 - x)));
        graph.add(&Demonstration::drawn("loop", points, 1.0));
        let open = OpenWays::new(&graph, &Straight::default());
        assert_eq!(open.ends(&graph, |_| 0.0), [0]);
        assert_eq!(open.beginnings(&graph, |_| 0.0), [0]);
    }

    #[test]
    fn what_remains_is_counted_from_the_nearest_end() {
        let graph = graph(6, &[(0, 1), (1, 2), (1, 5), (3, 4)]);
        let open = OpenWays::new(&graph, &Straight::default());
        let mut sweep = Sweep::new(graph.places().len());
        sweep.begin_at(2, 10.0);
        sweep.begin_at(5, 1.0);
        assert!(sweep.go_on(&open, &mut Budget::unlimited()));
        let remaining = sweep.remaining;
        assert_eq!(remaining[..3], [6.0, 5.0, 10.0]);
        assert_eq!(remaining[3], f64::INFINITY);
    }
}
