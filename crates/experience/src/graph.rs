//! Places and the ways demonstrators took between them.

use apprentice_search::Budget;

use crate::demonstration::is_time;
use crate::neighbors::Neighbors;
use crate::{Demonstration, Place, Sample, Stance};

/// Places, and observed ways between them. Demonstrations may cross, branch, merge and return to
/// where they were.
///
/// ```
/// use apprentice_experience::{Demonstration, DemonstrationGraph, Place};
///
/// let mut graph = DemonstrationGraph::default();
/// let points = [Place::flat(0.0, 0.0), Place::flat(0.0, 6.0), Place::flat(8.0, 6.0)];
/// graph.add(&Demonstration::drawn("around the pond", points, 1.0));
/// assert_eq!(graph.ways().iter().map(|way| way.cost).sum::<f64>(), 14.0);
/// assert_eq!(graph.traces()[0].name, "around the pond");
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DemonstrationGraph {
    places: Vec<Place>,
    ways: Vec<Way>,
    traces: Vec<Trace>,
    /// Each different stance once.
    stances: Vec<Stance>,
    merging: Merging,
    /// The places by where they are, if they merge.
    neighbors: Option<Neighbors>,
    revision: u64,
}

/// Whether places that are near each other are one place.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Merging {
    /// Every sample has a place of its own.
    #[default]
    Apart,
    /// A sample at most this far from a place that is already known is at that place.
    Within(f64),
}

/// An observed way from one place to another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Way {
    /// Where it begins: a number into [`DemonstrationGraph::places`].
    pub from: u32,
    /// Where it ends.
    pub to: u32,
    /// Seconds it took.
    pub cost: f64,
    /// Whether it may be used now.
    pub is_open: bool,
    /// Who went it, and when.
    pub seen: Option<Sighting>,
}

/// When in a demonstration a way was gone.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sighting {
    /// Which demonstration: a number into [`DemonstrationGraph::traces`].
    pub trace: u32,
    /// Seconds since the demonstration began, where the way begins.
    pub begins: f64,
    /// Seconds since the demonstration began, where the way ends.
    pub ends: f64,
    stance: u32,
}

/// One demonstration as it lies in the graph.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    /// What people call the demonstration.
    pub name: String,
    /// Where it was, in order; numbers into [`DemonstrationGraph::places`]. Never empty.
    pub places: Vec<u32>,
    /// Its ways, in order; numbers into [`DemonstrationGraph::ways`].
    pub ways: Vec<u32>,
    /// Seconds from its first sample to its last.
    pub duration: f64,
}

impl Trace {
    /// Where it began.
    pub fn first(&self) -> u32 {
        self.places[0]
    }

    /// Where it ended.
    pub fn last(&self) -> u32 {
        self.places[self.places.len() - 1]
    }
}

impl DemonstrationGraph {
    /// An empty graph that merges places as asked.
    ///
    /// ```
    /// use apprentice_experience::{Demonstration, DemonstrationGraph, Merging, Place};
    ///
    /// let mut graph = DemonstrationGraph::merging(Merging::Within(0.5));
    /// let crossing = Place::flat(5.0, 5.0);
    /// graph.add(&Demonstration::drawn("a", [Place::flat(0.0, 5.0), crossing], 1.0));
    /// graph.add(&Demonstration::drawn("b", [Place::flat(5.0, 0.0), crossing], 1.0));
    /// assert_eq!(graph.places().len(), 3);
    /// ```
    pub fn merging(merging: Merging) -> DemonstrationGraph {
        DemonstrationGraph {
            merging,
            neighbors: Neighbors::of(merging, &[]),
            ..DemonstrationGraph::default()
        }
    }

    /// Adds a demonstration, and returns its number among the traces; `None` if it has no sample
    /// that could be on a map. Samples elsewhere are left out, and time that runs backwards stands still.
    /// See [`DemonstrationGraphBuilder`] for long ones.
    pub fn add(&mut self, demonstration: &Demonstration) -> Option<u32> {
        let mut adding = DemonstrationGraphBuilder::default();
        adding.go_on(self, demonstration, &mut Budget::unlimited());
        adding.trace
    }

    /// Adds a place that belongs to no demonstration, for graphs that come from elsewhere. One
    /// that can be on no map is moved to the origin.
    pub fn add_place(&mut self, place: Place) -> u32 {
        self.revision += 1;
        let is_anywhere = place.is_anywhere();
        self.push_place(if is_anywhere { place } else { Place::default() })
    }

    fn push_place(&mut self, place: Place) -> u32 {
        self.places.push(place);
        if let Some(neighbors) = &mut self.neighbors {
            neighbors.push(place);
        }
        self.places.len() as u32 - 1
    }

    /// Adds a way between two places that belongs to no demonstration. Costs that are no time
    /// become zero; heuristics make them as long as the distance at least.
    ///
    /// # Panics
    ///
    /// If there is no such place.
    pub fn add_way(&mut self, from: u32, to: u32, cost: f64) -> u32 {
        let known = self.places.len() as u32;
        assert!(from < known && to < known, "no such place");
        self.revision += 1;
        self.ways.push(Way {
            from,
            to,
            cost: if is_time(cost) { cost.max(0.0) } else { 0.0 },
            is_open: true,
            seen: None,
        });
        self.ways.len() as u32 - 1
    }

    /// Opens the ways that `passable` lets pass and closes the others, as a locked door closes the
    /// ways through it. Returns how many changed.
    ///
    /// ```
    /// # use apprentice_experience::{Demonstration, DemonstrationGraph, Place};
    /// # let mut graph = DemonstrationGraph::default();
    /// # graph.add(&Demonstration::drawn("x", [Place::flat(0.0, 0.0), Place::flat(9.0, 0.0)], 1.0));
    /// let door = 5.0;
    /// assert_eq!(graph.revise(|from, to| from.x > door || to.x < door), 1);
    /// assert!(!graph.ways()[0].is_open);
    /// ```
    pub fn revise(&mut self, mut passable: impl FnMut(Place, Place) -> bool) -> usize {
        let mut changed = 0;
        for way in &mut self.ways {
            let (from, to) = (self.places[way.from as usize], self.places[way.to as usize]);
            let is_open = passable(from, to);
            changed += usize::from(is_open != way.is_open);
            way.is_open = is_open;
        }
        self.revision += u64::from(changed > 0);
        changed
    }

    /// The same ways between other places: each place where `place_for` moves it, such as to the
    /// nearest place a character can stand. What it cannot move stays. Costs are kept.
    ///
    /// ```
    /// # use apprentice_experience::{Demonstration, DemonstrationGraph, Place};
    /// # let mut graph = DemonstrationGraph::default();
    /// # graph.add(&Demonstration::drawn("x", [Place::flat(0.2, 0.0), Place::flat(9.0, 0.4)], 1.0));
    /// let centres = graph.moved(|place| Some(Place::flat(place.x.round(), place.y.round())));
    /// assert_eq!(centres.places(), [Place::flat(0.0, 0.0), Place::flat(9.0, 0.0)]);
    /// assert_eq!(centres.ways()[0].cost, graph.ways()[0].cost);
    /// ```
    pub fn moved(&self, mut place_for: impl FnMut(Place) -> Option<Place>) -> DemonstrationGraph {
        let mut graph = self.clone();
        for place in &mut graph.places {
            if let Some(other) = place_for(*place).filter(|other| other.is_anywhere()) {
                *place = other;
            }
        }
        graph.neighbors = Neighbors::of(graph.merging, &graph.places);
        graph.revision += 1;
        graph
    }

    /// All places.
    pub fn places(&self) -> &[Place] {
        &self.places
    }

    /// All ways, open or closed.
    pub fn ways(&self) -> &[Way] {
        &self.ways
    }

    /// The demonstrations in it.
    pub fn traces(&self) -> &[Trace] {
        &self.traces
    }

    /// How the demonstrator moved on a way, where that was seen.
    pub fn stance(&self, way: u32) -> Option<&Stance> {
        let seen = self.ways.get(way as usize)?.seen?;
        self.stances.get(seen.stance as usize)
    }

    /// The place with that number.
    ///
    /// # Panics
    ///
    /// If there is none.
    #[inline]
    pub fn place(&self, number: u32) -> Place {
        self.places[number as usize]
    }

    /// Changes whenever the graph does.
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// The number of the place for a sample: the nearest known one if it is near enough, or else a
    /// new one. Among equally near ones, the one somebody is at wins, then the oldest.
    fn place_for(&mut self, place: Place, current: Option<u32>) -> u32 {
        if let (Merging::Within(radius), Some(neighbors)) = (self.merging, &self.neighbors) {
            let mut best: Option<(f64, bool, u32)> = None;
            neighbors.for_each(place, |number| {
                let distance = self.places[number as usize].distance_to(place);
                let candidate = (distance, current != Some(number), number);
                if distance <= radius && best.is_none_or(|best| candidate < best) {
                    best = Some(candidate);
                }
            });
            if let Some((.., number)) = best {
                return number;
            }
        }
        self.push_place(place)
    }

    fn stance_for(&mut self, stance: &Stance) -> u32 {
        // There are few, and the last is the likeliest.
        let known = self.stances.iter().rposition(|known| known == stance);
        let number = known.unwrap_or_else(|| {
            self.stances.push(stance.clone());
            self.stances.len() - 1
        });
        number as u32
    }
}

/// A demonstration that is being added to a graph, a little at a time. Until it is done, the graph is
/// for nobody else.
///
/// ```
/// use apprentice_experience::{DemonstrationGraphBuilder, Demonstration, DemonstrationGraph, Place};
/// use apprentice_search::Budget;
///
/// let mut graph = DemonstrationGraph::default();
/// let points = [Place::flat(0.0, 0.0), Place::flat(0.0, 6.0), Place::flat(8.0, 6.0)];
/// let shown = Demonstration::drawn("around the pond", points, 1.0);
/// let mut adding = DemonstrationGraphBuilder::default();
/// while !adding.go_on(&mut graph, &shown, &mut Budget::units(1)) {
///     // Time for something else.
/// }
/// assert_eq!(adding.trace, Some(0));
/// assert_eq!(graph.ways().len(), 2);
/// ```
#[derive(Clone, Debug, Default)]
pub struct DemonstrationGraphBuilder {
    /// How many samples have been looked at.
    next: usize,
    places: Vec<u32>,
    ways: Vec<u32>,
    /// Time is counted anew, so that a log that starts at noon begins at zero.
    now: f64,
    left_at: f64,
    before: Option<f64>,
    stance: u32,
    is_done: bool,
    /// Its number among the traces, once all is done; `None` if it has no sample that could be on a
    /// map.
    pub trace: Option<u32>,
}

/// Adding so many samples takes about as long as a search takes to expand a state.
const SAMPLES_FOR_AN_EXPANSION: usize = 32;

impl DemonstrationGraphBuilder {
    /// Goes on with the demonstration it was begun with; one unit of budget for every 32 samples.
    /// False: the budget is spent, call again.
    pub fn go_on(
        &mut self,
        graph: &mut DemonstrationGraph,
        demonstration: &Demonstration,
        budget: &mut Budget<'_>,
    ) -> bool {
        while self.next < demonstration.samples.len() {
            if !budget.take() {
                return false;
            }
            let rest = &demonstration.samples[self.next..];
            let samples = &rest[..rest.len().min(SAMPLES_FOR_AN_EXPANSION)];
            for sample in samples {
                self.add(graph, sample);
            }
            self.next += samples.len();
        }
        if !self.is_done {
            self.is_done = true;
            self.finish(graph, demonstration);
        }
        true
    }

    fn add(&mut self, graph: &mut DemonstrationGraph, sample: &Sample) {
        if !sample.place.is_anywhere() {
            return;
        }
        // A time that is none has not passed.
        if is_time(sample.time) {
            let passed = self.before.map_or(0.0, |before| sample.time - before);
            self.before = Some(sample.time);
            self.now += passed.max(0.0);
        }
        let place = graph.place_for(sample.place, self.places.last().copied());
        if let Some(&from) = self.places.last() {
            if from == place {
                // Still at the same place: the time belongs to the way that leaves it.
                return;
            }
            self.ways.push(graph.ways.len() as u32);
            graph.ways.push(Way {
                from,
                to: place,
                cost: self.now - self.left_at,
                is_open: true,
                seen: Some(Sighting {
                    trace: graph.traces.len() as u32,
                    begins: self.left_at,
                    ends: self.now,
                    stance: self.stance,
                }),
            });
        }
        self.left_at = self.now;
        self.places.push(place);
        self.stance = graph.stance_for(&sample.stance);
    }

    fn finish(&mut self, graph: &mut DemonstrationGraph, demonstration: &Demonstration) {
        // Time that passed after the last place was reached belongs to the way that reached it.
        if let Some(&last) = self.ways.last() {
            let way = &mut graph.ways[last as usize];
            way.cost += self.now - self.left_at;
            if let Some(seen) = &mut way.seen {
                seen.ends = self.now;
            }
        }
        if self.places.is_empty() {
            return;
        }
        self.trace = Some(graph.traces.len() as u32);
        graph.traces.push(Trace {
            name: demonstration.name.clone(),
            places: std::mem::take(&mut self.places),
            ways: std::mem::take(&mut self.ways),
            duration: self.now,
        });
        graph.revision += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn line(name: &str, points: &[(f64, f64)]) -> Demonstration {
        Demonstration::drawn(name, points.iter().map(|(x, y)| Place::flat(*x, *y)), 1.0)
    }

    #[test]
    fn a_loop_keeps_its_first_and_last_place() {
        let mut graph = DemonstrationGraph::merging(Merging::Within(0.1));
        let number = graph.add(&line(
            "loop",
            &[(0.0, 0.0), (4.0, 0.0), (4.0, 3.0), (0.0, 0.0)],
        ));
        assert_eq!(number, Some(0));
        let trace = &graph.traces()[0];
        assert_eq!((trace.first(), trace.last()), (0, 0));
        assert_eq!(graph.places().len(), 3);
        assert_eq!(trace.ways, [0, 1, 2]);
        assert_eq!(trace.duration, 12.0);
    }

    /// The number of the place for a sample, by looking at all there are.
    fn plain_place_for(
        places: &[Place],
        radius: f64,
        place: Place,
        current: Option<u32>,
    ) -> Option<u32> {
        let mut best: Option<(f64, u32)> = None;
        for (number, known) in (0..).zip(places) {
            let distance = known.distance_to(place);
            let is_better = match best {
                None => true,
                Some((least, _)) if distance == least => current == Some(number),
                Some((least, _)) => distance < least,
            };
            if distance <= radius && is_better {
                best = Some((distance, number));
            }
        }
        best.map(|(_, number)| number)
    }

    fn graph_of(radius: f64, shown: &[Vec<(i32, i32)>]) -> DemonstrationGraph {
        let mut graph = DemonstrationGraph::merging(Merging::Within(radius));
        for points in shown {
            let quarters = |value: i32| f64::from(value) / 4.0;
            let points = points.iter().map(|(x, y)| (quarters(*x), quarters(*y)));
            graph.add(&line("walk", &points.collect::<Vec<_>>()));
        }
        graph
    }

    proptest! {
        #[test]
        fn places_merge_as_if_all_were_looked_at(
            shown in prop::collection::vec(
                prop::collection::vec((-12i32..12, -12i32..12), 1..40), 1..4,
            ),
            radius in prop_oneof![Just(0.0), Just(0.25), Just(0.5), Just(1.0), 0.0..2.0f64],
            moves in any::<bool>(),
        ) {
            let mut graph = graph_of(radius, &shown);
            if moves {
                // Where places were moved, they are looked for where they are now.
                graph = graph.moved(|place| Some(Place::flat(place.x.round(), place.y + 0.5)));
            }
            let mut current = None;
            for (x, y) in shown.iter().flatten() {
                let place = Place::flat(f64::from(*y) / 4.0, f64::from(*x) / 4.0);
                let plain = plain_place_for(graph.places(), radius, place, current);
                let expected = plain.unwrap_or(graph.places().len() as u32);
                let number = graph.place_for(place, current);
                prop_assert_eq!(number, expected);
                current = Some(number);
            }
        }
    }

    /// Ten times the samples mean ten times the work, and not a hundred times.
    #[test]
    fn merging_looks_at_few_places_however_many_there_are() {
        let looks = |samples: u32| {
            let mut graph = DemonstrationGraph::merging(Merging::Within(0.5));
            let (mut looks, mut at) = (0u64, Place::default());
            for number in 0..samples {
                // Rows to and fro, so that old places lie beside new ones.
                let (row, column) = (number / 100, number % 100);
                at = Place::flat(f64::from(column) * 0.4, f64::from(row) * 0.4);
                let neighbors = graph.neighbors.as_ref().expect("places merge");
                neighbors.for_each(at, |_| looks += 1);
                graph.place_for(at, None);
            }
            assert!(at.y > 1.0);
            (looks, graph.places().len())
        };
        let ((few, _), (many, places)) = (looks(1_000), looks(10_000));
        println!("{few} looks for 1,000 samples, {many} for 10,000 with {places} places");
        assert!(many < 12 * few, "{many} and {few}");
        assert!(many < 10 * 10_000, "{many} for 10,000 samples");
    }

    #[test]
    fn without_merging_crossing_demonstrations_stay_apart() {
        let mut graph = DemonstrationGraph::default();
        graph.add(&line("a", &[(0.0, 5.0), (5.0, 5.0), (9.0, 5.0)]));
        graph.add(&line("b", &[(5.0, 0.0), (5.0, 5.0), (5.0, 9.0)]));
        assert_eq!(graph.places().len(), 6);
    }

    #[test]
    fn time_spent_waiting_is_kept_when_places_merge() {
        let mut waiting = line("wait", &[(0.0, 0.0), (0.0, 0.0), (3.0, 0.0), (3.0, 0.0)]);
        for (sample, time) in waiting.samples.iter_mut().zip([10.0, 15.0, 18.0, 20.0]) {
            sample.time = time;
        }
        let mut apart = DemonstrationGraph::default();
        apart.add(&waiting);
        assert_eq!(apart.ways().len(), 3);
        let mut merged = DemonstrationGraph::merging(Merging::Within(0.0));
        merged.add(&waiting);
        assert_eq!(merged.ways().len(), 1);
        assert_eq!(merged.ways()[0].cost, 10.0);
        let seen = merged.ways()[0].seen.unwrap();
        assert_eq!((seen.begins, seen.ends), (0.0, 10.0));
    }

    #[test]
    fn odd_samples_are_left_out_and_time_never_runs_backwards() {
        let sample = |time: f64, x: f64| Sample {
            time,
            place: Place::flat(x, 0.0),
            ..Sample::default()
        };
        let mut graph = DemonstrationGraph::default();
        graph.add(&Demonstration {
            name: "odd".into(),
            samples: vec![
                sample(5.0, 0.0),
                sample(6.0, f64::NAN),
                sample(4.0, 1.0),
                sample(f64::NAN, 2.0),
                sample(7.0, 3.0),
            ],
        });
        let costs: Vec<f64> = graph.ways().iter().map(|way| way.cost).collect();
        // From second 4 to second 7 three have passed, whatever was noted in between.
        assert_eq!(costs, [0.0, 0.0, 3.0]);
        assert_eq!(graph.add(&Demonstration::default()), None);
    }

    #[test]
    fn a_way_knows_who_went_it_when_and_how() {
        let mut sneaking = line("sneak", &[(0.0, 0.0), (2.0, 0.0), (4.0, 0.0)]);
        sneaking.samples[1].stance.gait = Some("sneak".into());
        let mut graph = DemonstrationGraph::default();
        graph.add(&sneaking);
        assert_eq!(graph.stance(0), Some(&Stance::default()));
        assert_eq!(graph.stance(1).unwrap().gait.as_deref(), Some("sneak"));
        let seen = graph.ways()[1].seen.unwrap();
        assert_eq!((seen.trace, seen.begins, seen.ends), (0, 2.0, 4.0));
    }
}
