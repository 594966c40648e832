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

/// Graphs of up to 24 nodes with steps that cost nothing, little, much or are forbidden.
pub fn graphs() -> impl Strategy<Value = Graph> {
    let cost = prop_oneof![
        1 => Just(0u64),
        6 => 1u64..10,
        3 => 1_000u64..2_000_000_000,
        1 => Just(u64::MAX),
    ];
    (1usize..24).prop_flat_map(move |nodes| {
        let step = (0..nodes, 0..nodes, cost.clone());
        let steps = prop::collection::vec(step, 0..nodes * 4);
        let goals = prop::collection::vec(prop::bool::weighted(0.1), nodes);
        (steps, goals, any::<bool>()).prop_map(move |(list, goals, indexed)| {
            let mut steps = vec![vec![]; nodes];
            for (from, to, cost) in list {
                steps[from].push((to, cost));
            }
            Graph {
                steps,
                goals,
                start: 0,
                indexed,
                revision: 0,
            }
        })
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

/// Advisers that do their worst: random, the wrong way round, nothing, huge, and out of reach.
pub fn hostile(graph: &Graph, seed: u64) -> Vec<Table> {
    let remaining = graph.remaining();
    let nodes = remaining.len() as u64;
    let finite = |cost: &&Cost| cost.is_finite();
    let farthest = remaining
        .iter()
        .filter(finite)
        .max()
        .copied()
        .unwrap_or(Cost::ZERO);
    let table = |estimate: &dyn Fn(u64, Cost) -> Cost| Table {
        estimates: (0..nodes)
            .map(|node| estimate(node, remaining[node as usize]))
            .collect(),
        promise: Promise::None,
    };
    vec![
        table(&|node, _| Cost::from_ticks(mix(seed ^ node) % (2 * farthest.ticks() / 2 + 10))),
        table(&|_, remaining| farthest.less(remaining)),
        table(&|_, _| Cost::ZERO),
        table(&|_, _| Cost::from_ticks(u64::MAX / 2)),
        table(&|_, _| Cost::INFINITE),
        table(&|node, remaining| {
            if mix(seed ^ node) & 1 == 0 {
                Cost::INFINITE
            } else {
                remaining
            }
        }),
    ]
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
    let advisers = || -> Vec<BoxedHeuristic<Graph>> {
        let boxed = |table| Box::new(table) as BoxedHeuristic<Graph>;
        // All of them, or one, or none.
        let kept = mix(seed ^ 3) % 8;
        let some = hostile(graph, seed).into_iter().enumerate();
        some.filter(|(number, _)| kept > 5 || *number as u64 == kept)
            .map(|(_, t)| boxed(t))
            .collect()
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
    let lanes = advisers().len() as u64 + 1;
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
