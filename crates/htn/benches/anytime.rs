//! How soon plans get better: the cost reached after 10 ms, 100 ms and 1 s, beside plain
//! branch-and-bound as published, which gets ten times as long. Plain means that nothing is
//! remembered of branches that were left; circles are noticed, or it would not find any plan.

#[rustfmt::skip]
#[path = "../tests/generated/simplefps.rs"]
mod generated;

use std::time::{Duration, Instant};

use apprentice_htn::{Aim, LoadedDomain, Memory, Planner};
use apprentice_search::{Budget, Status};

const MOMENTS: [u64; 4] = [10, 100, 1_000, 10_000];

/// The cost of the best plan after each of the moments, in milliseconds, and whether it is proven.
fn costs(domain: &LoadedDomain, memory: Memory, moments: &[u64]) -> (Vec<Option<f64>>, bool) {
    let compiled = generated::Simplefps::new(domain.clone()).expect("the same version");
    let goal = domain.goal();
    let goal = goal.map(|task| generated::Task::of(task.id, &task.args).expect("it exists"));
    let mut planner = Planner::new(domain.initial_state(), goal)
        .aim(Aim::Best)
        .memory(memory);
    let began = Instant::now();
    let mut reached = Vec::new();
    let mut status = Status::Paused;
    for moment in moments {
        let deadline = began + Duration::from_millis(*moment);
        while Instant::now() < deadline && status.is_unfinished() {
            status = planner.run(&compiled, &mut Budget::unlimited().until(deadline));
        }
        reached.push(planner.plan().map(|plan| plan.cost.as_seconds()));
    }
    (reached, status == Status::Finished)
}

fn show(cost: Option<f64>) -> String {
    cost.map_or("-".to_owned(), |cost| cost.to_string())
}

fn main() {
    // The ten problems among the first 200 whose first plans are the longest.
    let mut problems = Vec::new();
    for seed in 0..200 {
        let text = apprentice_htn::simplefps::generate(10, 20 + (seed as u32 % 8) * 10, seed);
        let model = generated::Simplefps::read("problem", &text)
            .model
            .expect("no errors");
        let domain = LoadedDomain::new(model).expect("it loads");
        let mut planner = Planner::new(domain.initial_state(), domain.goal()).aim(Aim::First);
        planner.run(&domain, &mut Budget::unlimited());
        let length = planner.plan().map_or(0, |plan| plan.len());
        problems.push((length, seed, domain));
    }
    problems.sort_by_key(|(length, seed, _)| (usize::MAX - length, *seed));
    println!("seed  first   ours: 10 ms  100 ms  1 s          plain: 10 ms  100 ms  1 s  10 s");
    for (length, seed, domain) in &problems[..10] {
        let (ours, proven) = costs(domain, Memory::DeadEnds, &MOMENTS[..3]);
        let (plain, plain_proven) = costs(domain, Memory::Branch, &MOMENTS);
        println!(
            "{seed:4} {length:6} {:>13} {:>7} {:>4}{:9} {:>12} {:>7} {:>4} {:>5}{}",
            show(ours[0]),
            show(ours[1]),
            show(ours[2]),
            if proven { " (best)" } else { "" },
            show(plain[0]),
            show(plain[1]),
            show(plain[2]),
            show(plain[3]),
            if plain_proven { " (best)" } else { "" },
        );
    }
}
