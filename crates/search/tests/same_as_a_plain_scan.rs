//! The searches with many advisers expand the same states in the same order as versions of them that
//! look through all open states each time, which are slow and obviously right.

mod graph;

use apprentice_search::*;
use proptest::prelude::*;

use graph::{Graph, Table, graphs, hostile};

/// Which state was expanded on whose behalf.
type Expansions = Vec<(usize, usize)>;

#[derive(Default)]
struct Recorder(Expansions);

impl Observer<Graph> for Recorder {
    fn expanded(&mut self, expansion: Expansion<'_, Graph>) {
        self.0.push((*expansion.state, expansion.by));
    }
}

/// What a plain search knows of a state.
#[derive(Clone, Debug)]
struct State {
    cost: u64,
    open: bool,
    /// Counts up whenever a state is met, and when a cheaper way is found after it was expanded.
    met: usize,
    expanded: bool,
    closed: bool,
    advised: bool,
}

/// The part that all plain searches share.
struct Plain<'a> {
    graph: &'a Graph,
    states: Vec<Option<State>>,
    met: usize,
    goal: Option<u64>,
    anchor: &'a Table,
    log: Expansions,
}

impl<'a> Plain<'a> {
    fn new(graph: &'a Graph, anchor: &'a Table) -> Self {
        let mut plain = Plain {
            graph,
            states: vec![None; graph.steps.len()],
            met: 0,
            goal: None,
            anchor,
            log: Vec::new(),
        };
        plain.reach(0, 0);
        plain
    }

    /// A way of that cost to a state.
    fn reach(&mut self, state: usize, cost: u64) {
        let met = self.met;
        let known = &mut self.states[state];
        match known {
            Some(known) if known.closed || known.cost <= cost => return,
            Some(known) => {
                known.cost = cost;
                if known.expanded {
                    known.expanded = false;
                    known.met = met;
                    self.met += 1;
                }
            }
            None => {
                let fresh = State {
                    cost,
                    open: false,
                    met,
                    expanded: false,
                    closed: false,
                    advised: false,
                };
                *known = Some(fresh);
                self.met += 1;
            }
        }
        if self.anchor.estimates[state].is_finite() {
            if let Some(known) = &mut self.states[state] {
                known.open = true;
            }
            if self.graph.goals[state] && self.goal.is_none_or(|goal| cost < goal) {
                self.goal = Some(cost);
            }
        }
    }

    fn expand(&mut self, state: usize, by: usize) {
        self.log.push((state, by));
        let known = self.states[state]
            .as_mut()
            .expect("only a state that was met is expanded");
        (known.open, known.expanded) = (false, true);
        if by == 0 {
            known.closed = true;
        } else {
            known.advised = true;
        }
        let cost = known.cost;
        for (to, step) in &self.graph.steps[state] {
            if *step != u64::MAX {
                self.reach(*to, cost + step);
            }
        }
    }

    /// The first open state by a rank, among those that have one.
    fn first<R: Ord>(&self, rank: impl Fn(usize, &State) -> Option<R>) -> Option<(R, usize)> {
        let ranked = self
            .states
            .iter()
            .enumerate()
            .filter_map(|(number, state)| {
                let state = state.as_ref().filter(|state| state.open)?;
                Some((rank(number, state)?, state.met, number))
            });
        ranked
            .min_by(|a, b| (&a.0, a.1).cmp(&(&b.0, b.1)))
            .map(|(rank, _, number)| (rank, number))
    }

    fn anchor_of(&self, state: usize) -> u64 {
        self.anchor.estimates[state].ticks()
    }
}

fn priority(cost: u64, weight: u64, estimate: Cost) -> (u128, u64) {
    (
        u128::from(cost) + u128::from(weight) * u128::from(estimate.ticks()),
        estimate.ticks(),
    )
}

/// Shared MHA* (spec 3.5), looking through all states for every queue.
fn plain_shared(graph: &Graph, anchor: &Table, advisers: &[Table], w1: u64, w2: u64) -> Expansions {
    let mut plain = Plain::new(graph, anchor);
    let mut turn = 0;
    loop {
        let key = |estimates: &Table, number: usize, state: &State| {
            priority(state.cost, w1, estimates.estimates[number])
        };
        let Some((anchored, first)) = plain.first(|n, state| Some(key(anchor, n, state))) else {
            return plain.log;
        };
        let mut next = (anchored, first, 0);
        if !advisers.is_empty() {
            let adviser = turn % advisers.len();
            let admitted = plain.first(|number, state| {
                let own = key(&advisers[adviser], number, state);
                let limit = key(anchor, number, state).0 * u128::from(w2);
                let finite = advisers[adviser].estimates[number].is_finite();
                (!state.advised && finite && own.0 <= limit).then_some(own)
            });
            if let Some((own, number)) = admitted
                && own.0 <= anchored.0 * u128::from(w2)
            {
                next = (own, number, adviser + 1);
            }
        }
        if plain.goal.is_some_and(|goal| u128::from(goal) <= next.0.0) {
            return plain.log;
        }
        turn += 1;
        plain.expand(next.1, next.2);
    }
}

/// Improved MHA* (spec 3.6), looking through all states for every candidate.
fn plain_improved(
    graph: &Graph,
    anchor: &Table,
    advisers: &[Table],
    weight: u64,
    form: MhaForm,
    ranking: Ranking,
) -> Expansions {
    let mut plain = Plain::new(graph, anchor);
    let own_weight = if form == MhaForm::Focal { 1 } else { weight };
    let mut lower_bound = 0;
    loop {
        for turn in (1..=advisers.len()).chain([0]) {
            let first =
                plain.first(|n, state| Some(priority(state.cost, own_weight, anchor.estimates[n])));
            let Some((anchored, first)) = first else {
                return plain.log;
            };
            lower_bound = lower_bound.max(anchored.0);
            let limit = lower_bound * u128::from(if form == MhaForm::Focal { weight } else { 1 });
            if plain.goal.is_some_and(|goal| u128::from(goal) <= limit) {
                return plain.log;
            }
            if turn == 0 {
                plain.expand(first, 0);
                continue;
            }
            let candidate = plain.first(|number, state| {
                let through = u128::from(state.cost) + u128::from(plain.anchor_of(number));
                let allowed = match form {
                    MhaForm::Unconstrained => !graph.goals[number],
                    MhaForm::PlusPlus | MhaForm::Focal => through <= limit,
                };
                let estimate = advisers[turn - 1].estimates[number];
                let rank = match ranking {
                    Ranking::Uncalibrated => (u128::from(estimate.ticks()), state.cost),
                    Ranking::Calibrated => priority(state.cost, weight, estimate),
                };
                (!state.advised && allowed).then_some(rank)
            });
            if let Some((_, number)) = candidate {
                plain.expand(number, turn);
            }
        }
    }
}

/// Advisers whose priorities fit 64 bits, where a saturated order could differ from an exact one.
fn moderate(graph: &Graph, seed: u64) -> Vec<Table> {
    let mut all = hostile(graph, seed);
    all.remove(3);
    all
}

fn boxed(tables: &[Table]) -> Vec<BoxedHeuristic<Graph>> {
    tables
        .iter()
        .map(|table| Box::new(table.clone()) as BoxedHeuristic<Graph>)
        .collect()
}

fn recorded(search: &mut dyn Search<Graph>, graph: &Graph) -> Expansions {
    let mut recorder = Recorder::default();
    search.run_observed(graph, &mut Budget::unlimited(), &mut recorder);
    recorder.0
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn shared_mha(graph in graphs(), seed: u64, percent in 0u64..=100, w1 in 1u64..8, w2 in 1u64..4) {
        let anchor = graph::consistent(&graph, percent);
        let advisers = moderate(&graph, seed);
        let weight = |w: u64| Weight::new(w as f64).expect("a weight");
        let weights = MhaWeights { inflation: weight(w1), trust: weight(w2) };
        let mut search = MhaStar::new(anchor.clone(), boxed(&advisers), weights).expect("an anchor");
        prop_assert_eq!(
            recorded(&mut search, &graph),
            plain_shared(&graph, &anchor, &advisers, w1, w2)
        );
    }

    #[test]
    fn improved_mha(graph in graphs(), seed: u64, percent in 0u64..=100, w in 1u64..8) {
        let anchor = graph::consistent(&graph, percent);
        let mut advisers = moderate(&graph, seed);
        let weight = Weight::new(w as f64).expect("a weight");
        for form in MhaForm::ALL {
            for ranking in [Ranking::Uncalibrated, Ranking::Calibrated] {
                if ranking == Ranking::Calibrated {
                    // Out of reach times a weight has no exact value to compare with.
                    advisers.truncate(3);
                }
                let search = ImprovedMhaStar::new(form, anchor.clone(), boxed(&advisers), weight);
                let mut search = search.expect("an anchor").with_ranking(ranking);
                prop_assert_eq!(
                    recorded(&mut search, &graph),
                    plain_improved(&graph, &anchor, &advisers, w, form, ranking),
                    "{:?}, {:?}", form, ranking
                );
            }
        }
    }
}

/// S9: whether a successor goes to an adviser is decided by its own anchor priority, not by that of
/// the state it comes from.
#[test]
fn a_successor_is_admitted_by_its_own_priority() {
    // 0 to 1 costs 10. The anchor thinks 1 far away: its priority there is 10 + 20, at 0 it is 20.
    let graph = Graph {
        steps: vec![vec![(1, 10), (2, 10)], vec![(3, 20)], vec![(3, 25)], vec![]],
        goals: vec![false, false, false, true],
        start: 0,
        indexed: true,
        revision: 0,
    };
    let ticks = |numbers: [u64; 4]| numbers.map(Cost::from_ticks).to_vec();
    let anchor = Table {
        estimates: ticks([20, 20, 10, 0]),
        promise: Promise::Consistent,
    };
    // The adviser's priority at 1 is 10 + 15 = 25: above the anchor's at 0, below its own at 1.
    let adviser = Table {
        estimates: ticks([0, 15, 90, 0]),
        promise: Promise::None,
    };
    let search = MhaStar::new(anchor, boxed(&[adviser]), MhaWeights::default());
    let log = recorded(&mut search.expect("an anchor"), &graph);
    assert_eq!(log, [(0, 1), (2, 0), (1, 1)]);
}
