//! A search cut into slices is the same search: same path, cost and statistics (S7), on random
//! graphs and on maps.

use apprentice_search::*;
use proptest::prelude::*;

use crate::graph::{every_search, graphs};
use crate::grid::{Cell, Grid, Octile, Walk};

/// Everything a search says.
type Answer<P> = (
    Status,
    Option<Path<<P as Problem>::State, <P as Problem>::Action>>,
    Statistics,
    Guarantee,
);

fn in_slices<P: Problem>(search: &mut dyn Search<P>, problem: &P, slice: u64) -> Answer<P> {
    loop {
        let mut budget = Budget::units(slice);
        let status = search.run(problem, &mut budget);
        assert!(budget.taken() <= slice);
        if !status.is_unfinished() {
            return (
                status,
                search.path(),
                search.statistics().clone(),
                search.guarantee(),
            );
        }
        if status == Status::Paused {
            assert_eq!(budget.spent_by(), Some(Spent::Expansions));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn on_random_graphs(graph in graphs(), seed: u64) {
        for mut named in every_search(&graph, seed) {
            let whole = in_slices(&mut *named.search, &graph, u64::MAX);
            for slice in [1, 7, 1_000] {
                named.search.restart();
                let sliced = in_slices(&mut *named.search, &graph, slice);
                prop_assert_eq!(&whole, &sliced, "{} in slices of {}", named.name, slice);
            }
        }
    }
}

/// A hall with pillars, and a wall with one gap.
fn hall() -> Grid {
    Grid::new(60, 40, |x, y| {
        (x % 4 != 1 || y % 3 != 1) && (x != 30 || y == 35)
    })
}

/// Every search that a grid can be given to.
fn searches_of_the_hall() -> Vec<(&'static str, Box<dyn Search<Walk<'static>>>)> {
    let weight = |weight| Weight::new(weight).expect("a weight");
    // One that knows nothing of walls, one that is drawn to the gap, one that is drawn away.
    let advisers = || -> Vec<BoxedHeuristic<Walk<'static>>> {
        let gap = Estimate::new(Promise::None, |cell: &Cell| {
            Cost::from_ticks(u64::from(cell.0.abs_diff(35 << 6 | 30)) * 100_000_000)
        });
        let away = Estimate::new(Promise::None, |cell: &Cell| {
            Cost::from_ticks(40_000_000_000 - u64::from(cell.0 >> 6) * 1_000_000_000)
        });
        vec![Box::new(Octile), Box::new(gap), Box::new(away)]
    };
    let weights = MhaWeights {
        inflation: weight(3.0),
        trust: weight(2.0),
    };
    let mut all: Vec<(&'static str, Box<dyn Search<Walk<'static>>>)> = vec![
        ("A*", Box::new(BestFirst::astar(Octile))),
        (
            "weighted A*",
            Box::new(BestFirst::weighted_astar(Octile, weight(2.5))),
        ),
        ("greedy", Box::new(BestFirst::greedy(Octile))),
        ("Dijkstra", Box::new(BestFirst::dijkstra())),
        (
            "ARA*",
            Box::new(AraStar::new(Octile, AraSchedule::default())),
        ),
        ("LPA*", Box::new(LpaStar::new(Octile))),
        (
            "MHA*",
            Box::new(MhaStar::new(Octile, advisers(), weights).expect("an anchor")),
        ),
        (
            "MHA*, adaptive",
            Box::new(
                MhaStar::new(Octile, advisers(), weights)
                    .expect("an anchor")
                    .with_turns(Turns::adaptive(3)),
            ),
        ),
        (
            "anytime MHA*",
            Box::new(AnytimeMhaStar::new(Octile, advisers(), weights).expect("an anchor")),
        ),
        (
            "independent MHA*",
            Box::new(IndependentMhaStar::new(Octile, advisers(), weights).expect("an anchor")),
        ),
    ];
    for form in MhaForm::ALL {
        let search = ImprovedMhaStar::new(form, Octile, advisers(), weight(3.0));
        all.push(("improved MHA*", Box::new(search.expect("an anchor"))));
    }
    all
}

#[test]
fn in_a_hall_with_pillars() {
    let grid: &'static Grid = Box::leak(Box::new(hall()));
    let walk = Walk::new(grid, grid.cell(2, 2), grid.cell(57, 3));
    for (name, mut search) in searches_of_the_hall() {
        let whole = in_slices(&mut *search, &walk, u64::MAX);
        assert_eq!(whole.0, Status::Finished, "{name}");
        // A cell of the other half is only reached through the gap, so all of them work for it.
        assert!(whole.2.expanded > 50, "{name}: {:?}", whole.2);
        for slice in [1, 7, 1_000] {
            search.restart();
            assert_eq!(
                whole,
                in_slices(&mut *search, &walk, slice),
                "{name}, slices of {slice}"
            );
        }
    }
}

/// A hall with the goal right behind its far wall, and the only gap at the end of that wall: whoever
/// follows an estimate has to look at most of the hall before the way round.
fn long_way_round() -> Grid {
    Grid::new(150, 110, |x, y| x != 110 || y == 109)
}

/// An estimate between nothing and the distance, which goes up and down from cell to cell: it is
/// admissible and not consistent.
#[derive(Clone, Copy)]
struct Ragged;

impl<'a> Heuristic<Walk<'a>> for Ragged {
    fn estimate(&mut self, walk: &Walk<'a>, cell: &Cell) -> Cost {
        let distance = walk.grid.octile(*cell, walk.to);
        Cost::from_ticks(distance / 8 * (5 + crate::graph::mix(u64::from(cell.0)) % 4))
    }
    fn promise(&self) -> Promise {
        Promise::Admissible
    }
}

/// Every search there is, with all kinds of turns; none of the advisers knows of the gap.
fn searches_of_the_long_way() -> Vec<(String, Box<dyn Search<Walk<'static>>>)> {
    let weight = |weight| Weight::new(weight).expect("a weight");
    let advisers = || -> Vec<BoxedHeuristic<Walk<'static>>> {
        let random = Estimate::new(Promise::None, |cell: &Cell| {
            Cost::from_ticks(crate::graph::mix(u64::from(cell.0)) % 100_000_000_000)
        });
        // As if the goal were in a corner of the hall.
        let astray = Estimate::new(Promise::None, |cell: &Cell| {
            let (x, y) = (cell.0 & 255, cell.0 >> 8);
            Cost::from_ticks(u64::from(x.max(y)) * 1_000_000_000)
        });
        let unreachable = Estimate::new(Promise::None, |_: &Cell| Cost::INFINITE);
        vec![
            Box::new(Octile),
            Box::new(random),
            Box::new(astray),
            Box::new(unreachable),
        ]
    };
    let weights = MhaWeights {
        inflation: weight(1.5),
        trust: weight(2.0),
    };
    let mut all: Vec<(String, Box<dyn Search<Walk<'static>>>)> = Vec::new();
    let mut add = |name: String, search: Box<dyn Search<Walk<'static>>>| all.push((name, search));
    add("A*".into(), Box::new(BestFirst::astar(Octile)));
    add("Dijkstra".into(), Box::new(BestFirst::dijkstra()));
    add("greedy".into(), Box::new(BestFirst::greedy(Octile)));
    let weighted = BestFirst::weighted_astar(Octile, weight(2.5));
    add("weighted A*".into(), Box::new(weighted));
    let reopening = BestFirst::astar(Ragged).with_reopening(Reopening::Always);
    add("A*, re-opening".into(), Box::new(reopening));
    let reopening = BestFirst::weighted_astar(Ragged, weight(2.5));
    let reopening = reopening.with_reopening(Reopening::Always);
    add("weighted A*, re-opening".into(), Box::new(reopening));
    let schedule = AraSchedule::default();
    add("ARA*".into(), Box::new(AraStar::new(Octile, schedule)));
    let ragged = AraStar::new(Ragged, schedule);
    add("ARA*, admissible".into(), Box::new(ragged));
    add("LPA*".into(), Box::new(LpaStar::new(Octile)));
    add("LPA*, admissible".into(), Box::new(LpaStar::new(Ragged)));
    for (kind, turns) in [
        ("each once", Turns::each_once()),
        ("repeats", Turns::with_repeats([3, 0, 2])),
        ("led", Turns::with_repeats([2, 1]).led_by(1)),
        ("adaptive", Turns::adaptive(3)),
    ] {
        let turns = || turns.clone();
        let shared = || MhaStar::new(Octile, advisers(), weights).expect("an anchor");
        let shared = || shared().with_turns(turns());
        add(format!("MHA*, {kind}"), Box::new(shared()));
        let anytime = AnytimeMhaStar::from(shared());
        add(format!("anytime MHA*, {kind}"), Box::new(anytime));
        let alone = IndependentMhaStar::new(Octile, advisers(), weights).expect("an anchor");
        let alone = alone.with_turns(turns());
        add(format!("independent MHA*, {kind}"), Box::new(alone));
        for form in MhaForm::ALL {
            for ranking in [Ranking::Uncalibrated, Ranking::Calibrated] {
                let search = ImprovedMhaStar::new(form, Octile, advisers(), weight(1.5));
                let search = search.expect("an anchor").with_turns(turns());
                let search = search.with_ranking(ranking);
                let name = format!("{form:?} MHA*, {ranking:?}, {kind}");
                add(name, Box::new(search));
            }
        }
    }
    all
}

/// Where slices of 1,000 expansions are several.
#[test]
fn on_a_long_way_round() {
    let grid: &'static Grid = Box::leak(Box::new(long_way_round()));
    let walk = Walk::new(grid, grid.cell(30, 20), grid.cell(112, 12));
    for (name, mut search) in searches_of_the_long_way() {
        let whole = in_slices(&mut *search, &walk, u64::MAX);
        assert_eq!(whole.0, Status::Finished, "{name}");
        println!("{:>6}  {name}", whole.2.expanded);
        assert!(whole.2.expanded > 3_000, "{name}: {:?}", whole.2);
        for slice in [1, 7, 1_000] {
            search.restart();
            let sliced = in_slices(&mut *search, &walk, slice);
            assert!(whole == sliced, "{name} in slices of {slice}: {sliced:?}");
        }
    }
}

/// Many states that are all alike to an adviser, each with a dead end that looks better.
struct Plateau(u32);

impl Problem for Plateau {
    type State = u32;
    type Key = u32;
    type Action = ();

    fn start(&self) -> u32 {
        0
    }
    fn key(&self, state: &u32) -> u32 {
        *state
    }
    fn is_goal(&self, _: &u32) -> bool {
        false
    }
    fn successors(&self, state: &u32, out: &mut Successors<u32, ()>) {
        if *state == 0 {
            (1..=self.0).for_each(|near| out.push((), near, Cost::from_ticks(1)));
        } else if *state <= self.0 {
            out.push((), self.0 + state, Cost::from_ticks(1));
        }
    }
}

#[test]
fn on_a_plateau() {
    const WIDTH: u32 = 500;
    let plateau = Plateau(WIDTH);
    for form in MhaForm::ALL {
        let ticks = |state: &u32| Cost::from_seconds(if *state <= WIDTH { 5.0 } else { 4.0 });
        let adviser: BoxedHeuristic<Plateau> = Box::new(Estimate::new(Promise::None, ticks));
        let weight = Weight::new(3.0).expect("a weight");
        let mut search = ImprovedMhaStar::new(form, Blind, vec![adviser], weight)
            .expect("an anchor")
            .with_ranking(Ranking::Uncalibrated);
        let whole = in_slices(&mut search, &plateau, u64::MAX);
        assert_eq!(whole.0, Status::Unsolvable);
        // Nothing is estimated again and again only because something better came by.
        assert!(whole.2.evaluated < 10 * whole.2.states, "{:?}", whole.2);
        for slice in [1, 7, 1_000] {
            search.restart();
            assert_eq!(
                whole,
                in_slices(&mut search, &plateau, slice),
                "{form:?} {slice}"
            );
        }
    }
}
