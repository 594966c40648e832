//! The searches with many advisers expand the same states in the same order as versions of them that
//! look through all open states each time, which are slow and obviously right.

use apprentice_search::*;
use proptest::prelude::*;

use crate::graph::{Graph, Hostile, Table, graphs, hostile, mix};

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
    /// The states that are open, in no order.
    open: Vec<usize>,
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
            open: Vec::new(),
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
            if let Some(known) = &mut self.states[state]
                && !known.open
            {
                known.open = true;
                self.open.push(state);
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
        self.open.retain(|open| *open != state);
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
        let ranked = self.open.iter().filter_map(|number| {
            let state = self.states[*number].as_ref()?;
            Some((rank(*number, state)?, state.met, *number))
        });
        ranked
            .min_by(|a, b| (&a.0, a.1).cmp(&(&b.0, b.1)))
            .map(|(rank, _, number)| (rank, number))
    }

    fn anchor_of(&self, state: usize) -> u64 {
        self.anchor.estimates[state].ticks()
    }
}

/// What a priority is counted in: one of 65,536 steps, as weights are.
const STEPS: u128 = 1 << 16;

/// The cost so far and the weighted estimate, in steps; then the estimate. Sums that 64 bits of whole
/// ticks cannot hold are all alike, and so are estimates beyond 48 bits where they only break ties.
fn priority(cost: u64, weight: Weight, estimate: Cost) -> (u128, u64) {
    const LAST: u128 = u64::MAX as u128 - 1;
    const ESTIMATE: u64 = (1 << 48) - 1;
    let exact = u128::from(cost) * STEPS + steps(weight) * u128::from(estimate.ticks());
    if exact / STEPS < LAST {
        (exact, estimate.ticks().min(ESTIMATE))
    } else {
        (LAST * STEPS, ESTIMATE)
    }
}

fn steps(weight: Weight) -> u128 {
    (weight.as_f64() * STEPS as f64) as u128
}

/// Whether a solution costs no more than that many steps.
fn is_within(solution: Option<u64>, limit: u128) -> bool {
    solution.is_some_and(|cost| u128::from(cost) * STEPS <= limit)
}

/// Whose turn it is.
#[derive(Clone, Copy)]
enum Schedule<'a> {
    /// So many turns a round for each adviser, one where the list ends.
    Repeats(&'a [u32]),
    /// As it was in a search that was recorded, where turns depend on how advisers get on. Whoever had
    /// its turn must have expanded what a scan finds for it.
    Recorded(&'a Expansions),
}

impl Schedule<'_> {
    /// The advisers of a round, counting from 1, where that is settled beforehand.
    fn round(self, advisers: usize) -> Option<Vec<usize>> {
        let Schedule::Repeats(repeats) = self else {
            return None;
        };
        let turns = |adviser: usize| repeats.get(adviser).map_or(1, |turns| *turns as usize);
        let round = (0..advisers).flat_map(|adviser| vec![adviser + 1; turns(adviser)]);
        Some(round.collect())
    }

    /// On whose behalf the recorded search expanded its next state after so many.
    fn recorded(self, expansions: usize) -> Option<usize> {
        match self {
            Schedule::Repeats(_) => None,
            Schedule::Recorded(log) => log.get(expansions).map(|(_, by)| *by),
        }
    }
}

/// Shared MHA* (spec 3.5), looking through all open states for every queue. Makes at most so many
/// expansions.
fn plain_shared(
    graph: &Graph,
    anchor: &Table,
    advisers: &[Table],
    weights: MhaWeights,
    schedule: Schedule<'_>,
    most: usize,
) -> Expansions {
    let mut plain = Plain::new(graph, anchor);
    let round = schedule.round(advisers.len());
    let mut turn = 0;
    let key = |estimates: &Table, number: usize, state: &State| {
        priority(state.cost, weights.inflation, estimates.estimates[number])
    };
    let is_trusted = |own: u128, anchored: u128| own * STEPS <= anchored * steps(weights.trust);
    // The bound holds as soon as the anchor's least priority covers a solution.
    let is_covered = |solution: Option<u64>, anchored: u128| {
        let is_enough =
            |cost: u64| u128::from(cost) * STEPS * STEPS <= anchored * steps(weights.trust);
        solution.is_some_and(is_enough)
    };
    while plain.log.len() < most {
        let Some((anchored, first)) = plain.first(|n, state| Some(key(anchor, n, state))) else {
            break;
        };
        // What an adviser would expand, if it may.
        let advised = |plain: &Plain<'_>, by: usize| {
            let adviser = &advisers[by - 1];
            let admitted = plain.first(|number, state| {
                let own = key(adviser, number, state);
                let its_anchored = key(anchor, number, state);
                let finite = adviser.estimates[number].is_finite();
                (!state.advised && finite && is_trusted(own.0, its_anchored.0)).then_some(own)
            });
            admitted.filter(|(own, _)| is_trusted(own.0, anchored.0))
        };
        let by = match (&round, schedule.recorded(plain.log.len())) {
            (Some(round), _) => round.get(turn % round.len().max(1)).copied().unwrap_or(0),
            (None, Some(0)) if !advisers.is_empty() => {
                // The anchor works only when somebody may not. Who that was is not on record.
                let may = |by| advised(&plain, by).is_some();
                assert!(!(1..=advisers.len()).all(may), "all advisers may");
                0
            }
            (None, Some(by)) => by,
            // The recorded search has ended: whoever's turn it was, the solution is good enough.
            (None, None) => {
                let enough = |by| advised(&plain, by).map_or(anchored.0, |(own, _)| own.0);
                let enough = |by| is_within(plain.goal, enough(by));
                let is_covered = is_covered(plain.goal, anchored.0);
                assert!(advisers.is_empty() || is_covered || (1..=advisers.len()).any(enough));
                break;
            }
        };
        let next = if by == 0 { None } else { advised(&plain, by) };
        let (own, number, by) = match next {
            Some((own, number)) => (own, number, by),
            None => (anchored, first, 0),
        };
        let is_advised = round.as_ref().is_some_and(|round| !round.is_empty());
        if round.is_some() && is_within(plain.goal, own.0)
            || is_advised && is_covered(plain.goal, anchored.0)
        {
            break;
        }
        turn += 1;
        plain.expand(number, by);
    }
    plain.log
}

/// Improved MHA* (spec 3.6), looking through all open states for every candidate. Makes at most so
/// many expansions.
#[allow(
    clippy::too_many_arguments,
    reason = "all that can be said of a search"
)]
fn plain_improved(
    graph: &Graph,
    anchor: &Table,
    advisers: &[Table],
    weight: Weight,
    form: MhaForm,
    ranking: Ranking,
    schedule: Schedule<'_>,
    most: usize,
) -> Expansions {
    let mut plain = Plain::new(graph, anchor);
    let (own_weight, slack) = match form {
        MhaForm::Focal => (Weight::ONE, weight),
        MhaForm::PlusPlus | MhaForm::Unconstrained => (weight, Weight::ONE),
    };
    let round = schedule.round(advisers.len());
    let (mut lower_bound, mut turn) = (0, 0);
    loop {
        let first =
            plain.first(|n, state| Some(priority(state.cost, own_weight, anchor.estimates[n])));
        let Some((anchored, first)) = first else {
            return plain.log;
        };
        lower_bound = lower_bound.max(anchored.0);
        let limit = lower_bound * steps(slack) / STEPS;
        if is_within(plain.goal, limit) || plain.log.len() == most {
            return plain.log;
        }
        // The anchor's turn comes last.
        let by = match &round {
            Some(round) => round.get(turn % (round.len() + 1)).copied().unwrap_or(0),
            None => {
                let by = schedule.recorded(plain.log.len());
                by.expect("a search ends only with a solution that is good enough")
            }
        };
        turn += 1;
        let Some(adviser) = by.checked_sub(1) else {
            plain.expand(first, 0);
            continue;
        };
        let candidate = plain.first(|number, state| {
            let through = u128::from(state.cost) + u128::from(plain.anchor_of(number));
            let allowed = match form {
                MhaForm::Unconstrained => !graph.goals[number],
                MhaForm::PlusPlus | MhaForm::Focal => through * STEPS <= limit,
            };
            let estimate = advisers[adviser].estimates[number];
            let rank = match ranking {
                Ranking::Uncalibrated => {
                    (u128::from(estimate.ticks().min(u64::MAX - 1)), state.cost)
                }
                Ranking::Calibrated => priority(state.cost, weight, estimate),
            };
            (!state.advised && allowed).then_some(rank)
        });
        match candidate {
            Some((_, number)) => plain.expand(number, by),
            None => assert!(round.is_some(), "expanded what is no candidate"),
        }
    }
}

fn boxed(tables: &[Table]) -> Vec<BoxedHeuristic<Graph>> {
    tables
        .iter()
        .map(|table| Box::new(table.clone()) as BoxedHeuristic<Graph>)
        .collect()
}

fn recorded(search: &mut dyn Search<Graph>, graph: &Graph, most: usize) -> Expansions {
    let mut recorder = Recorder::default();
    // What is sorted takes units as well.
    while let left @ 1.. = most - recorder.0.len() {
        let mut budget = Budget::units(left as u64);
        if !(search.run_observed(graph, &mut budget, &mut recorder)).is_unfinished() {
            break;
        }
    }
    recorder.0
}

/// Turns as a search takes them.
#[derive(Clone, Debug)]
enum Order {
    Repeats(Vec<u32>),
    LedBy(usize),
    Adaptive(u64),
}

impl Order {
    fn turns(&self) -> Turns {
        match self {
            Order::Repeats(repeats) => Turns::with_repeats(repeats.clone()),
            Order::LedBy(leaders) => Turns::with_repeats([2, 1]).led_by(*leaders),
            Order::Adaptive(seed) => Turns::adaptive(*seed),
        }
    }

    fn schedule<'a>(&'a self, log: &'a Expansions) -> Schedule<'a> {
        match self {
            Order::Repeats(repeats) => Schedule::Repeats(repeats),
            Order::LedBy(_) | Order::Adaptive(_) => Schedule::Recorded(log),
        }
    }
}

/// One comparison.
struct Case<'a> {
    graph: &'a Graph,
    anchor: Table,
    advisers: Vec<Table>,
    order: Order,
    /// Nobody makes more expansions than this.
    most: usize,
}

impl Case<'_> {
    /// Compares shared MHA* with its plain version. Returns how many states were expanded on whose
    /// behalf.
    fn check_shared(&self, weights: MhaWeights) -> Vec<u64> {
        let advisers = boxed(&self.advisers);
        let search = MhaStar::new(self.anchor.clone(), advisers, weights).expect("an anchor");
        let mut search = search.with_turns(self.order.turns());
        let log = recorded(&mut search, self.graph, self.most);
        let (anchor, advisers) = (&self.anchor, &self.advisers);
        let schedule = self.order.schedule(&log);
        let plain = plain_shared(self.graph, anchor, advisers, weights, schedule, self.most);
        compare(&log, &plain);
        search.statistics().expanded_by.clone()
    }

    /// The same for improved MHA*.
    fn check_improved(&self, form: MhaForm, ranking: Ranking, weight: Weight) -> Vec<u64> {
        let advisers = boxed(&self.advisers);
        let search = ImprovedMhaStar::new(form, self.anchor.clone(), advisers, weight);
        let search = search.expect("an anchor").with_ranking(ranking);
        let mut search = search.with_turns(self.order.turns());
        let log = recorded(&mut search, self.graph, self.most);
        let plain = plain_improved(
            self.graph,
            &self.anchor,
            &self.advisers,
            weight,
            form,
            ranking,
            self.order.schedule(&log),
            self.most,
        );
        compare(&log, &plain);
        search.statistics().expanded_by.clone()
    }
}

/// Says where the two part, which is easier to read than thousands of expansions.
fn compare(log: &Expansions, plain: &Expansions) {
    let parts = log.iter().zip(plain).position(|(one, other)| one != other);
    let at = parts.unwrap_or(log.len().min(plain.len()));
    let (one, other) = (log.get(at), plain.get(at));
    assert_eq!(
        one,
        other,
        "expansion {at} of {} and {}",
        log.len(),
        plain.len()
    );
}

fn weight(weight: f64) -> Weight {
    Weight::new(weight).expect("a weight")
}

fn orders() -> impl Strategy<Value = Order> {
    prop_oneof![
        2 => Just(Order::Repeats(vec![])),
        2 => prop::collection::vec(0u32..4, 1..7).prop_map(Order::Repeats),
        1 => (1usize..4).prop_map(Order::LedBy),
        2 => any::<u64>().prop_map(Order::Adaptive),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn shared_mha(
        graph in graphs(), seed: u64, percent in 0u64..=100, w1 in 2u32..16, w2 in 2u32..8, order in orders(),
    ) {
        let weights = MhaWeights {
            inflation: weight(f64::from(w1) / 2.0),
            trust: weight(f64::from(w2) / 2.0),
        };
        let anchor = crate::graph::consistent(&graph, percent);
        let advisers = hostile(&graph, seed);
        let case = Case { graph: &graph, anchor, advisers, order, most: usize::MAX };
        case.check_shared(weights);
    }

    #[test]
    fn improved_mha(
        graph in graphs(), seed: u64, percent in 0u64..=100, w in 2u32..16, order in orders(),
    ) {
        let anchor = crate::graph::consistent(&graph, percent);
        let advisers = hostile(&graph, seed);
        let case = Case { graph: &graph, anchor, advisers, order, most: usize::MAX };
        for form in MhaForm::ALL {
            for ranking in [Ranking::Uncalibrated, Ranking::Calibrated] {
                case.check_improved(form, ranking, weight(f64::from(w) / 2.0));
            }
        }
    }
}

/// Layers of states, each with a few steps into the next layers and some back. The goals are in the
/// last layer. Costs are of few kinds or of many, so that few states are alike or many.
fn layers(seed: u64) -> Graph {
    let random = |salt: u64, below: u64| mix(seed ^ mix(salt)) % below;
    let (count, width) = (20 + random(1, 21), 100 + random(2, 26));
    let kinds = [4, 50, 1_000_000][random(3, 3) as usize];
    let nodes = count * width;
    let mut graph = Graph {
        steps: vec![vec![]; nodes as usize],
        goals: (0..nodes).map(|node| node + 3 >= nodes).collect(),
        start: 0,
        indexed: random(4, 2) == 0,
        revision: 0,
    };
    for node in 0..nodes {
        let layer = node / width;
        for step in 0..3 + random(5 + node, 3) {
            let random = |salt: u64, below: u64| random((node + 1) << 32 | step << 8 | salt, below);
            let to = match random(0, 12) {
                0 => layer.saturating_sub(1),
                1 => layer,
                2 => layer + 2,
                _ => layer + 1,
            };
            let to = to.min(count - 1) * width + random(1, width);
            graph.steps[node as usize].push((to as usize, (1 + random(2, kinds)) * 10));
        }
    }
    // The whole first layer is met at once.
    graph.steps[0] = (1..width as usize).map(|to| (to, 10)).collect();
    graph
}

/// Everybody who does their worst, and two who say what is true of every other state.
fn hostile_and_half_hostile(graph: &Graph, seed: u64) -> Vec<Table> {
    let mut all = hostile(graph, seed);
    let truth = graph.remaining();
    for kind in [Hostile::Huge, Hostile::Random] {
        let number = Hostile::ALL.iter().position(|other| *other == kind);
        let mut table = all[number.expect("one of all")].clone();
        for (node, estimate) in table.estimates.iter_mut().enumerate() {
            if mix(seed ^ node as u64).is_multiple_of(2) {
                *estimate = truth[node];
            }
        }
        all.push(table);
    }
    all
}

/// Compares on graphs of thousands of states, on which the lists of advisers have a front, something
/// near and much that is far away, and the news are cleared away now and then. Returns how many
/// expansions were compared.
fn compare_on_layers(
    seeds: std::ops::Range<u64>,
    check: impl Fn(u64, &Case<'_>) -> Vec<u64>,
) -> u64 {
    let compared = seeds.map(|seed| {
        let graph = layers(seed);
        assert!((2_000..=5_000).contains(&graph.steps.len()));
        let mut advisers = hostile_and_half_hostile(&graph, seed);
        // Some of them, or all.
        advisers.rotate_left(mix(seed ^ 7) as usize % 8);
        advisers.truncate(3 + mix(seed ^ 8) as usize % 6);
        let case = Case {
            graph: &graph,
            anchor: crate::graph::consistent(&graph, mix(seed ^ 9) % 40),
            advisers,
            order: match seed % 4 {
                0 => Order::Repeats(vec![]),
                1 => Order::Repeats((0..6).map(|n| mix(seed ^ n) as u32 % 12).collect()),
                2 => Order::LedBy(2),
                _ => Order::Adaptive(seed),
            },
            most: usize::MAX,
        };
        check(seed, &case).iter().sum::<u64>()
    });
    compared.sum()
}

#[test]
fn shared_mha_on_large_graphs() {
    const GRAPHS: u64 = 32;
    let compared = compare_on_layers(0..GRAPHS, |seed, case| {
        let weights = MhaWeights {
            inflation: weight([1.0, 1.0625, 1.5][seed as usize % 3]),
            trust: weight([1.5, 1.0, 1.125][seed as usize / 3 % 3]),
        };
        case.check_shared(weights)
    });
    println!("{compared} expansions on {GRAPHS} graphs");
    assert!(compared > 1_000 * GRAPHS, "{compared}");
}

#[test]
fn improved_mha_on_large_graphs() {
    const GRAPHS: u64 = 48;
    let compared = compare_on_layers(0..GRAPHS, |seed, case| {
        let form = MhaForm::ALL[seed as usize % 3];
        let ranking = [Ranking::Uncalibrated, Ranking::Calibrated][seed as usize / 12 % 2];
        case.check_improved(form, ranking, weight([1.0, 1.25][seed as usize / 24]))
    });
    println!("{compared} expansions on {GRAPHS} graphs");
    assert!(compared > 1_000 * GRAPHS, "{compared}");
}

/// So many states are met at once that even advisers who are never asked have to read the news.
#[test]
fn in_a_crowd() {
    const CROWD: usize = 70_000;
    let cost = |node: usize| 10 + mix(node as u64) % 20;
    let mut steps = vec![(1..=CROWD).map(|node| (node, cost(node))).collect()];
    steps.extend((1..=CROWD).map(|node| vec![(CROWD + 1, cost(node + CROWD))]));
    steps.push(vec![]);
    let mut graph = Graph {
        goals: vec![false; steps.len()],
        steps,
        start: 0,
        indexed: true,
        revision: 0,
    };
    graph.goals[CROWD + 1] = true;
    let case = Case {
        anchor: crate::graph::consistent(&graph, 0),
        advisers: hostile_and_half_hostile(&graph, 1),
        order: Order::Repeats(vec![2, 0, 1, 1, 0, 3]),
        most: 100,
        graph: &graph,
    };
    let weights = MhaWeights {
        inflation: Weight::ONE,
        trust: Weight::ONE,
    };
    assert!(case.check_shared(weights).iter().sum::<u64>() > 10);
    for form in MhaForm::ALL {
        let expanded = case.check_improved(form, Ranking::Uncalibrated, Weight::ONE);
        assert!(expanded.iter().sum::<u64>() > 10, "{form:?}: {expanded:?}");
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
    let log = recorded(&mut search.expect("an anchor"), &graph, usize::MAX);
    assert_eq!(log, [(0, 1), (2, 0), (1, 1)]);
}
