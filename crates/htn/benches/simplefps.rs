//! SimpleFPS: how long a plan takes, beside the figures of other planners on the same instances.
//!
//! `cargo bench -p apprentice-htn` prints microseconds for a plan from a warm planner: the median
//! and the 99th percentile of repeated runs, one instance after the other so that a busy machine
//! disturbs all of them alike.

#[rustfmt::skip]
#[path = "../tests/generated/simplefps.rs"]
mod generated;
#[path = "../tests/simplefps/mod.rs"]
mod simplefps;

use std::time::Instant;

use apprentice_htn::language::read_files;
use apprentice_htn::{Aim, Domain, LoadedDomain, Network, Planner, Refinements, is_still_possible};
use apprentice_search::{Budget, Status};

fn percentile(sorted: &[f64], part: f64) -> f64 {
    let at = ((sorted.len() - 1) as f64 * part).round() as usize;
    sorted[at]
}

struct Timed {
    status: Status,
    length: Option<usize>,
    iterations: u64,
    microseconds: Vec<f64>,
}

/// Plans again and again with one planner.
fn time<D: Domain>(domain: &D, state: &D::State, goal: &Network<D::Task>, rounds: usize) -> Timed {
    let mut planner = Planner::new(state.clone(), goal.clone()).aim(Aim::First);
    let mut status = planner.run(domain, &mut Budget::unlimited());
    let mut microseconds = Vec::new();
    for _ in 0..rounds {
        let (state, goal) = (state.clone(), goal.clone());
        let began = Instant::now();
        planner.restart(state, goal);
        status = planner.run(domain, &mut Budget::unlimited());
        microseconds.push(began.elapsed().as_secs_f64() * 1e6);
    }
    microseconds.sort_by(f64::total_cmp);
    Timed {
        status,
        length: planner.plan().map(|plan| plan.len()),
        iterations: planner.statistics().iterations,
        microseconds,
    }
}

/// A thousand characters in one world, each with a plan. An open waypoint is locked; each plan is
/// looked at, and made again if it broke. Prints how long the best of ten rounds took.
fn thousand_characters() {
    let problem = apprentice_htn::simplefps::generate(10, 60, 7);
    let model = generated::Simplefps::read("level", &problem)
        .model
        .expect("no errors");
    let loaded = LoadedDomain::new(model).expect("it loads");
    let domain = generated::Simplefps::new(loaded.clone()).expect("the same version");
    let goal = generated::Task::Behave;
    let mut planner = Planner::new(loaded.initial_state(), goal).aim(Aim::First);
    let mut characters = Vec::new();
    for number in 0..1000 {
        let mut state = loaded.initial_state();
        let area = format!("area{}", number % 10);
        assert!(loaded.write(&mut state, "npc_at", &[], &area));
        planner.restart(state.clone(), goal);
        planner.run(&domain, &mut Budget::unlimited());
        characters.push((state, planner.plan().cloned()));
    }
    // The waypoint that most plans use.
    let doors = loaded
        .model()
        .objects
        .iter()
        .map(|object| object.name.clone());
    let open: Vec<String> = doors
        .filter(|name| loaded.read(&characters[0].0, "open", &[name]).as_deref() == Some("true"))
        .collect();
    let mut out = Refinements::new();
    let mut worst = (0, 0.0, String::new());
    for door in &open {
        let mut best = f64::INFINITY;
        let mut planned = 0;
        for _ in 0..10 {
            let mut now = characters.clone();
            for (state, _) in &mut now {
                assert!(loaded.write(state, "open", &[door], "false"));
            }
            planned = 0;
            let began = Instant::now();
            for (state, plan) in &mut now {
                let is_fine = match plan {
                    Some(plan) => is_still_possible(&domain, state, plan, &mut out),
                    None => true,
                };
                if !is_fine {
                    planned += 1;
                    planner.restart(state.clone(), goal);
                    planner.run(&domain, &mut Budget::unlimited());
                    *plan = planner.plan().cloned();
                }
            }
            best = f64::min(best, began.elapsed().as_secs_f64() * 1e3);
        }
        if planned >= worst.0 {
            worst = (planned, best, door.clone());
        }
    }
    let (planned, milliseconds, door) = worst;
    println!(
        "1000 characters, {door} locked: {planned} plans made again, the others looked at, in {milliseconds:.2} ms"
    );
}

fn main() {
    thousand_characters();
    let instances = simplefps::instances();
    if instances.is_empty() {
        println!("skipped: the instances are not beside the project");
        return;
    }
    let jshop = simplefps::jshop_lengths();
    let mut all = Vec::new();
    let mut all_compiled = Vec::new();
    let mut loads = Vec::new();
    println!(
        "instance       answer      steps  JSHOP2's   iterations   median µs    p99 µs   generated: median µs    p99 µs   JSHOP2 µs"
    );
    for (name, problem) in &instances {
        for _ in 0..10 {
            let began = Instant::now();
            let reading = generated::Simplefps::read(name, problem);
            let loaded = LoadedDomain::new(reading.model.expect("no errors"));
            loads.push(began.elapsed().as_secs_f64() * 1e6);
            drop(loaded);
        }
        let reading = read_files(
            &[("domain.htn", generated::SOURCE), (name, problem)],
            &|_| None,
        );
        let model = reading.model.expect("no errors");
        let domain = LoadedDomain::new(model).expect("it loads");
        let timed = time(&domain, &domain.initial_state(), &domain.goal(), 300);
        let compiled = generated::Simplefps::new(domain.clone()).expect("the same version");
        let goal = domain.goal();
        let goal = goal.map(|task| generated::Task::of(task.id, &task.args).expect("it exists"));
        let timed_compiled = time(&compiled, &domain.initial_state(), &goal, 300);
        assert_eq!(timed.iterations, timed_compiled.iterations);
        let other = jshop.get(name);
        println!(
            "{name:14} {:10} {:>6} {:>9} {:>12} {:>11.1} {:>9.1} {:>20.1} {:>9.1} {:>11}",
            format!("{:?}", timed.status),
            timed
                .length
                .map_or("-".to_owned(), |length| length.to_string()),
            other.map_or("-".to_owned(), |(length, _)| length.to_string()),
            timed.iterations,
            percentile(&timed.microseconds, 0.5),
            percentile(&timed.microseconds, 0.99),
            percentile(&timed_compiled.microseconds, 0.5),
            percentile(&timed_compiled.microseconds, 0.99),
            other.map_or("-".to_owned(), |(_, ms)| format!("{:.0}", ms * 1000.0)),
        );
        if timed.length.is_some() {
            all.extend(timed.microseconds);
            all_compiled.extend(timed_compiled.microseconds);
        }
    }
    all.sort_by(f64::total_cmp);
    all_compiled.sort_by(f64::total_cmp);
    loads.sort_by(f64::total_cmp);
    println!();
    println!(
        "interpreted, all instances with a plan: median {:.1} µs, p99 {:.1} µs",
        percentile(&all, 0.5),
        percentile(&all, 0.99)
    );
    println!(
        "generated, all instances with a plan:   median {:.1} µs, p99 {:.1} µs",
        percentile(&all_compiled, 0.5),
        percentile(&all_compiled, 0.99)
    );
    println!(
        "load and check of domain and problem: median {:.0} µs, p99 {:.0} µs",
        percentile(&loads, 0.5),
        percentile(&loads, 0.99)
    );
    println!();
    println!("others, on a busy machine with two processors:");
    println!(
        "  JSHOP2, warm            median 3200 µs, worst 549000 µs, two without an answer in 120 s"
    );
    println!("  HyperTensioN, compiled  130 to 320 µs, plans 2 to 4.8 times as long");
    println!("  GTPyhop                 10000 to 114000 µs");
}
