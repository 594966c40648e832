//! Plans get better soon: where first plans are poor, the best plan is found after a small part of
//! the work that proves it. Counted in iterations, so that it is the same on every machine.

use apprentice_htn::{Aim, Improving, LoadedDomain, Memory, Planner, language, simplefps};
use apprentice_search::{Budget, Status};

/// The ten problems of the benchmark `anytime`, and the cost of their best plans, which plain
/// branch-and-bound has proven where it came to an end.
const PROBLEMS: [(u64, f64); 10] = [
    (178, 13.0),
    (56, 29.0),
    (120, 21.0),
    (28, 25.0),
    (38, 36.0),
    (108, 19.0),
    (112, 23.0),
    (121, 9.0),
    (143, 25.0),
    (176, 17.0),
];

fn load(seed: u64) -> LoadedDomain {
    let domain = include_str!("../../../domains/simplefps.htn");
    let problem = simplefps::generate(10, 20 + (seed as u32 % 8) * 10, seed);
    let reading = language::read_files(&[("domain", domain), ("problem", &problem)], &|_| None);
    LoadedDomain::new(reading.model.expect("no errors")).expect("it loads")
}

#[test]
fn forty_thousand_iterations_are_enough_for_the_best_plan() {
    for (seed, best) in PROBLEMS {
        let domain = load(seed);
        let mut planner = Planner::new(domain.initial_state(), domain.goal());
        let mut budget = Budget::units(40_000);
        while planner.run(&domain, &mut budget) == Status::Improved {}
        let plan = planner.plan().expect("there is one");
        assert_eq!(plan.cost.as_seconds(), best, "seed {seed}");
        let costs = planner.improvements().iter().map(|one| one.cost);
        assert!(costs.is_sorted_by(|a, b| a > b), "seed {seed}");
    }
}

#[test]
fn in_the_end_it_is_proven_as_without_memory() {
    for (seed, best) in [(108, 19.0), (176, 17.0)] {
        let domain = load(seed);
        let ways = [
            (Memory::DeadEnds, Improving::Everywhere),
            (Memory::DeadEnds, Improving::AtTheEnd),
            (Memory::Branch, Improving::AtTheEnd),
        ];
        for (memory, improving) in ways {
            let mut planner = Planner::new(domain.initial_state(), domain.goal())
                .aim(Aim::Best)
                .memory(memory)
                .improving(improving);
            let mut budget = Budget::unlimited();
            let status = loop {
                let status = planner.run(&domain, &mut budget);
                if status != Status::Improved {
                    break status;
                }
            };
            assert_eq!(status, Status::Finished);
            let cost = planner.plan().map(|plan| plan.cost.as_seconds());
            assert_eq!(cost, Some(best), "seed {seed}, {memory:?}, {improving:?}");
        }
    }
}

#[test]
fn slices_make_no_difference_while_it_improves() {
    let domain = load(28);
    let run = |slice: u64| {
        let mut planner = Planner::new(domain.initial_state(), domain.goal());
        while planner.statistics().iterations < 20_000 {
            let left = 20_000 - planner.statistics().iterations;
            let _ = planner.run(&domain, &mut Budget::units(slice.min(left)));
        }
        let plan = planner.plan().expect("there is one").clone();
        (planner.improvements().to_vec(), planner.statistics(), plan)
    };
    let whole = run(u64::MAX);
    assert!(whole.0.len() > 3);
    for slice in [1, 7, 1000] {
        assert_eq!(run(slice), whole);
    }
}
