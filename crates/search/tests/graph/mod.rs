//! Random graphs as problems, heuristics that keep or break every promise, and every search there
//! is, for the property tests.

#![allow(
    dead_code,
    unreachable_pub,
    reason = "each test uses the part it needs"
)]

use apprentice_search::*;
use proptest::prelude::*;

/// A graph.
#[derive(Clone, Debug)]
pub struct Graph {
    /// For each node, where its steps lead and what they cost in ticks (`u64::MAX`: forbidden).
    pub steps: Vec<Vec<(usize, u64)>>,
    pub goals: Vec<bool>,
    pub start: usize,
    /// Whether the search is given an index, or has to hash.
    pub indexed: bool,
    pub revision: u64,
}

impl Problem for Graph {
    type State = usize;
    type Key = usize;
    /// Which of the steps it is.
    type Action = usize;

    fn start(&self) -> usize {
        self.start
    }
    fn key(&self, node: &usize) -> usize {
        *node
    }
    fn is_goal(&self, node: &usize) -> bool {
        self.goals[*node]
    }
    fn successors(&self, node: &usize, out: &mut Successors<usize, usize>) {
        for (number, (to, cost)) in self.steps[*node].iter().enumerate() {
            out.push(number, *to, Cost::from_ticks(*cost));
        }
    }
    fn index(&self, node: &usize) -> Option<u32> {
        self.indexed.then_some(*node as u32)
    }
    fn revision(&self) -> u64 {
        self.revision
    }
}

impl Graph {
    fn without_steps(goals: Vec<bool>, indexed: bool) -> Graph {
        Graph {
            steps: vec![vec![]; goals.len()],
            goals,
            start: 0,
            indexed,
            revision: 0,
        }
    }

    /// Adds steps: where from, where to, and what they cost.
    fn add_steps(&mut self, steps: Vec<(usize, usize, u64)>) {
        for (from, to, cost) in steps {
            self.steps[from].push((to, cost));
        }
    }

    /// The cost from every node to its nearest goal: relaxing every step until nothing changes, which
    /// is slow and obviously right.
    pub fn remaining(&self) -> Vec<Cost> {
        let cost = |goal: &bool| if *goal { Cost::ZERO } else { Cost::INFINITE };
        let mut remaining: Vec<Cost> = self.goals.iter().map(cost).collect();
        loop {
            let mut changed = false;
            for (from, steps) in self.steps.iter().enumerate() {
                for (to, cost) in steps {
                    let through = Cost::from_ticks(*cost) + remaining[*to];
                    changed |= through < remaining[from];
                    remaining[from] = remaining[from].min(through);
                }
            }
            if !changed {
                return remaining;
            }
        }
    }

    /// What the cheapest solution costs.
    pub fn optimum(&self) -> Cost {
        self.remaining()[self.start]
    }

    /// Checks that a path is what it says: real steps, their sum, from the start to a goal.
    pub fn check_path(&self, path: &Path<usize, usize>) {
        assert_eq!(path.start, self.start);
        let (mut at, mut sum) = (self.start, Cost::ZERO);
        for (step, to) in &path.steps {
            let (leads_to, cost) = self.steps[at][*step];
            assert_eq!(leads_to, *to, "{path:?}");
            assert_ne!(cost, u64::MAX, "a forbidden step in {path:?}");
            sum = sum + Cost::from_ticks(cost);
            at = *to;
        }
        assert_eq!(sum, path.cost, "{path:?}");
        assert!(self.goals[at], "{path:?} ends at no goal");
    }
}

/// Graphs of up to 24 nodes: most with a way that costs something, and odd ones.
pub fn graphs() -> impl Strategy<Value = Graph> {
    prop_oneof![4 => graphs_with_a_way(), 1 => odd_graphs()]
}

/// What a step costs that somebody might take: nothing, little or much.
fn costs() -> impl Strategy<Value = u64> + Clone {
    prop_oneof![
        1 => Just(0u64),
        6 => 1u64..10,
        3 => 1_000u64..2_000_000_000,
    ]
}

/// Steps from anywhere to anywhere, up to four for each node; some are forbidden.
fn any_steps(nodes: usize) -> impl Strategy<Value = Vec<(usize, usize, u64)>> {
    let cost = prop_oneof![10 => costs(), 1 => Just(u64::MAX)];
    prop::collection::vec((0..nodes, 0..nodes, cost), 0..nodes * 4)
}

/// Whatever comes: often the start is a goal, or there is no way.
fn odd_graphs() -> impl Strategy<Value = Graph> {
    (1usize..24).prop_flat_map(|nodes| {
        let goals = prop::collection::vec(prop::bool::weighted(0.1), nodes);
        (any_steps(nodes), goals, any::<bool>()).prop_map(|(steps, goals, indexed)| {
            let mut graph = Graph::without_steps(goals, indexed);
            graph.add_steps(steps);
            graph
        })
    })
}

/// A way from node to node leads to the last one, which is a goal, and other steps lead anywhere: past
/// a part of it, back, and now and then to another goal. The start is none.
fn graphs_with_a_way() -> impl Strategy<Value = Graph> {
    (3usize..24).prop_flat_map(|nodes| {
        let way = prop::collection::vec(costs(), nodes - 1);
        let goals = prop::collection::vec(prop::bool::weighted(0.04), nodes);
        // Whether the steps of the way come before the others of the same node, or after them.
        let order = any::<bool>();
        (way, any_steps(nodes), goals, order, any::<bool>()).prop_map(
            |(way, steps, mut goals, way_first, indexed)| {
                let last = goals.len() - 1;
                (goals[0], goals[last]) = (false, true);
                let mut graph = Graph::without_steps(goals, indexed);
                let way = way.into_iter().enumerate();
                let way: Vec<_> = way.map(|(from, cost)| (from, from + 1, cost)).collect();
                let (first, second) = if way_first {
                    (way, steps)
                } else {
                    (steps, way)
                };
                graph.add_steps(first);
                graph.add_steps(second);
                graph
            },
        )
    })
}

/// Estimates by table.
#[derive(Clone, Debug)]
pub struct Table {
    pub estimates: Vec<Cost>,
    pub promise: Promise,
}

impl Heuristic<Graph> for Table {
    fn estimate(&mut self, _: &Graph, node: &usize) -> Cost {
        self.estimates[*node]
    }
    fn promise(&self) -> Promise {
        self.promise
    }
}

/// A fraction of the true cost, which is consistent.
pub fn consistent(graph: &Graph, percent: u64) -> Table {
    let part = |cost: Cost| match cost.is_finite() {
        true => Cost::from_ticks((u128::from(cost.ticks()) * u128::from(percent) / 100) as u64),
        false => cost,
    };
    let estimates = graph.remaining().into_iter().map(part).collect();
    Table {
        estimates,
        promise: Promise::Consistent,
    }
}

/// Somewhere between nothing and the true cost, which is admissible and hardly ever consistent.
pub fn admissible(graph: &Graph, seed: u64) -> Table {
    let part = |(node, cost): (usize, Cost)| match cost.is_finite() && cost > Cost::ZERO {
        true => Cost::from_ticks(mix(seed ^ node as u64) % (cost.ticks() + 1)),
        false => cost,
    };
    let estimates = graph
        .remaining()
        .into_iter()
        .enumerate()
        .map(part)
        .collect();
    Table {
        estimates,
        promise: Promise::Admissible,
    }
}

/// What an adviser does that does its worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Hostile {
    Random,
    /// What is near is said to be far, and the other way round.
    WrongWayRound,
    Zero,
    Huge,
    Infinite,
    /// Every other state is out of reach; of the others it says what is true.
    HalfInfinite,
}

impl Hostile {
    pub const ALL: [Hostile; 6] = [
        Hostile::Random,
        Hostile::WrongWayRound,
        Hostile::Zero,
        Hostile::Huge,
        Hostile::Infinite,
        Hostile::HalfInfinite,
    ];
}

/// One of each, in the order of [`Hostile::ALL`].
pub fn hostile(graph: &Graph, seed: u64) -> Vec<Table> {
    let remaining = graph.remaining();
    let finite = |cost: &&Cost| cost.is_finite();
    let farthest = remaining
        .iter()
        .filter(finite)
        .max()
        .copied()
        .unwrap_or(Cost::ZERO);
    let estimate = |kind: Hostile, node: u64, remaining: Cost| match kind {
        Hostile::Random => Cost::from_ticks(mix(seed ^ node) % (2 * farthest.ticks() + 10)),
        Hostile::WrongWayRound => farthest.less(remaining),
        Hostile::Zero => Cost::ZERO,
        Hostile::Huge => Cost::from_ticks(u64::MAX / 2),
        Hostile::Infinite => Cost::INFINITE,
        Hostile::HalfInfinite if mix(seed ^ node) & 1 == 0 => Cost::INFINITE,
        Hostile::HalfInfinite => remaining,
    };
    let table = |kind: Hostile| Table {
        estimates: (0..)
            .zip(&remaining)
            .map(|(node, remaining)| estimate(kind, node, *remaining))
            .collect(),
        promise: Promise::None,
    };
    Hostile::ALL.map(table).to_vec()
}

/// Which hostile advisers a search is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Company {
    Nobody,
    Only(Hostile),
    Everybody,
}

impl Company {
    /// Somebody alone, more often everybody together, now and then nobody.
    pub fn of(seed: u64) -> Company {
        match mix(seed ^ 3) % 9 {
            8 => Company::Nobody,
            6 | 7 => Company::Everybody,
            kind => Company::Only(Hostile::ALL[kind as usize]),
        }
    }

    fn tables(self, graph: &Graph, seed: u64) -> Vec<Table> {
        let all = Hostile::ALL.into_iter().zip(hostile(graph, seed));
        let is_here = |kind: Hostile| match self {
            Company::Nobody => false,
            Company::Only(only) => kind == only,
            Company::Everybody => true,
        };
        all.filter(|(kind, _)| is_here(*kind))
            .map(|(_, table)| table)
            .collect()
    }
}

/// A well-mixed number from any number.
pub fn mix(number: u64) -> u64 {
    let mut z = number.wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// A search with the name it goes by in messages.
pub struct Named {
    pub name: String,
    pub search: Box<dyn Search<Graph>>,
    /// Who advises it, where it takes advisers.
    pub company: Option<Company>,
    /// How often a state may be expanded.
    pub expansions: u64,
    /// What the solution may cost, times the optimum; `None` where nothing is promised.
    pub bound: Option<Weight>,
}

/// Every search there is, with these hostile advisers where it takes any.
pub fn every_search(graph: &Graph, seed: u64) -> Vec<Named> {
    let weight =
        |number: u64| Weight::new([1.0, 1.5, 2.0, 3.16, 10.0, 1000.0][number as usize % 6]);
    let weight = |number: u64| weight(number).expect("a good weight");
    let (w, v) = (weight(mix(seed)), weight(mix(seed ^ 1)));
    let anchor = consistent(graph, mix(seed ^ 2) % 101);
    let loose = admissible(graph, seed);
    let company = Company::of(seed);
    let tables = company.tables(graph, seed);
    let advisers = || -> Vec<BoxedHeuristic<Graph>> {
        let boxed = |table: &Table| Box::new(table.clone()) as BoxedHeuristic<Graph>;
        tables.iter().map(boxed).collect()
    };
    let turns = || match mix(seed ^ 4) % 3 {
        0 => Turns::each_once(),
        1 => Turns::with_repeats([3, 0, 2]),
        _ => Turns::adaptive(seed),
    };
    let weights = MhaWeights {
        inflation: w,
        trust: v,
    };
    let mut all: Vec<Named> = Vec::new();
    let mut add = |name: &str, expansions, bound, search: Box<dyn Search<Graph>>| {
        all.push(Named {
            name: name.to_owned(),
            search,
            company: name.contains("MHA*").then_some(company),
            expansions,
            bound,
        });
    };
    let often = u64::MAX;
    add(
        "A*",
        1,
        Some(Weight::ONE),
        Box::new(BestFirst::astar(anchor.clone())),
    );
    add(
        "Dijkstra",
        1,
        Some(Weight::ONE),
        Box::new(BestFirst::dijkstra()),
    );
    add(
        "weighted A*",
        1,
        Some(w),
        Box::new(BestFirst::weighted_astar(anchor.clone(), w)),
    );
    add(
        "greedy",
        1,
        None,
        Box::new(BestFirst::greedy(anchor.clone())),
    );
    let reopening = BestFirst::weighted_astar(loose.clone(), w).with_reopening(Reopening::Always);
    add(
        "weighted A*, admissible, re-opening",
        often,
        Some(w),
        Box::new(reopening),
    );
    let inflated = Scaled::new(loose.clone(), 2.5).expect("a good factor");
    let reopening = BestFirst::astar(inflated).with_reopening(Reopening::Always);
    add(
        "A*, inflated, re-opening",
        often,
        Weight::new(2.5).ok(),
        Box::new(reopening),
    );
    let hopeless = hostile(graph, seed).swap_remove(mix(seed ^ 5) as usize % 6);
    add(
        "A*, hostile",
        1,
        None,
        Box::new(BestFirst::astar(hopeless.clone())),
    );
    let schedule = AraSchedule::new(w.as_f64(), 0.5 + (seed % 7) as f64, 1.0).expect("a schedule");
    add(
        "ARA*",
        often,
        Some(Weight::ONE),
        Box::new(AraStar::new(anchor.clone(), schedule)),
    );
    add(
        "ARA*, admissible",
        often,
        None,
        Box::new(AraStar::new(loose.clone(), schedule)),
    );
    let shared = MhaStar::new(anchor.clone(), advisers(), weights).expect("a good anchor");
    add(
        "shared MHA*",
        2,
        Some(weights.bound()),
        Box::new(shared.with_turns(turns())),
    );
    let anytime = MhaStar::new(anchor.clone(), advisers(), weights).expect("a good anchor");
    add(
        "anytime MHA*",
        // Twice in every round, and what exceeds 1 is halved from round to round.
        2 * 64,
        Some(Weight::ONE),
        Box::new(AnytimeMhaStar::from(anytime.with_turns(turns()))),
    );
    let alone = IndependentMhaStar::new(anchor.clone(), advisers(), weights).expect("an anchor");
    let lanes = tables.len() as u64 + 1;
    add(
        "independent MHA*",
        lanes,
        Some(weights.bound()),
        Box::new(alone.with_turns(turns())),
    );
    for form in MhaForm::ALL {
        for ranking in [Ranking::Uncalibrated, Ranking::Calibrated] {
            let search = ImprovedMhaStar::new(form, anchor.clone(), advisers(), w);
            let search = search
                .expect("a good anchor")
                .with_turns(turns())
                .with_ranking(ranking);
            add(
                &format!("{form:?} MHA*, {ranking:?}"),
                2,
                Some(w),
                Box::new(search),
            );
        }
    }
    add(
        "LPA*",
        often,
        Some(Weight::ONE),
        Box::new(LpaStar::new(anchor)),
    );
    add(
        "LPA*, admissible",
        often,
        Some(Weight::ONE),
        Box::new(LpaStar::new(loose)),
    );
    add(
        "LPA*, hostile",
        often,
        None,
        Box::new(LpaStar::new(hopeless)),
    );
    all
}

/// Runs to the end.
pub fn run_out<P: Problem>(search: &mut dyn Search<P>, problem: &P) -> Status {
    loop {
        let status = search.run(problem, &mut Budget::unlimited());
        if !status.is_unfinished() {
            return status;
        }
    }
}
