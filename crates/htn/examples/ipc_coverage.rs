//! Solves every HDDL instance below a folder and prints a table: solved, time, plan length, verified.
//!
//! `cargo run --release -p apprentice-htn --example ipc_coverage -- FOLDER [SECONDS] [FILTER] [general]`
//!
//! With `general`, the planner of all front ends is used instead of the one for HDDL.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use apprentice_htn::LoadedDomain;
use apprentice_htn::hddl::{
    self, Outcome, PlanFile, Problem, compile, plan_file, read_domain, read_problem, verify,
};
use apprentice_search::Budget;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let folder = arguments.next().expect("a folder with a folder per domain");
    let seconds: f64 = arguments
        .next()
        .map_or(10.0, |text| text.parse().expect("a number of seconds"));
    let filter = arguments.next().unwrap_or_default();
    let is_general = arguments.next().is_some_and(|word| word == "general");
    let mut totals = (0, 0, 0);
    let mut table = Vec::new();
    for domain in sorted(Path::new(&folder)) {
        if !domain.is_dir() {
            continue;
        }
        let mut of_domain = (0, 0);
        for problem in sorted(&domain) {
            let name = problem.display().to_string();
            let is_problem = name.ends_with(".hddl") && !name.ends_with("domain.hddl");
            if !is_problem || !name.contains(&filter) {
                continue;
            }
            let short = problem.file_name().unwrap_or_default().to_string_lossy();
            print!(
                "{:28} {:44}",
                last(&domain),
                short.chars().take(44).collect::<String>()
            );
            of_domain.0 += 1;
            totals.0 += 1;
            match solve(&problem, Duration::from_secs_f64(seconds), is_general) {
                Ok((text, solved, rejected)) => {
                    println!("{text}");
                    of_domain.1 += usize::from(solved);
                    totals.1 += usize::from(solved);
                    totals.2 += usize::from(rejected);
                }
                Err(message) => println!("{message}"),
            }
        }
        table.push((last(&domain), of_domain));
    }
    println!();
    for (name, (instances, solved)) in table {
        if instances > 0 {
            println!("{name:32} {solved:3} of {instances}");
        }
    }
    println!(
        "\n{} of {} solved within {seconds} s each ({:.0} %); {} plans rejected",
        totals.1,
        totals.0,
        100.0 * totals.1 as f64 / f64::from(totals.0.max(1) as u32),
        totals.2
    );
}

fn solve(file: &Path, time: Duration, is_general: bool) -> Result<(String, bool, bool), String> {
    let begin = Instant::now();
    let own = PathBuf::from(file.display().to_string().replace(".hddl", "-domain.hddl"));
    let folder = file.parent().unwrap_or(Path::new("."));
    let domain_file = [
        own,
        folder.join("domain.hddl"),
        folder.join("../domain.hddl"),
    ]
    .into_iter()
    .find(|path| path.exists())
    .ok_or("no domain")?;
    let text = |path: &Path| std::fs::read_to_string(path).map_err(|error| error.to_string());
    let domain = read_domain(&domain_file.display().to_string(), &text(&domain_file)?)
        .map_err(|mistakes| mistakes.to_string())?;
    let problem = read_problem(&domain, &file.display().to_string(), &text(file)?)
        .map_err(|mistakes| mistakes.to_string())?;
    let end = begin + time;
    let (plan, iterations, status) = if is_general {
        general(&problem, end)?
    } else {
        special(&problem, end)
    };
    let seconds = begin.elapsed().as_secs_f64();
    let Some(plan) = plan else {
        return Ok((
            format!("{seconds:8.3} s {iterations:9} iterations  {status}"),
            false,
            false,
        ));
    };
    // What is checked is what would be written.
    let plan = PlanFile::read("plan", &plan.to_string()).map_err(|error| error.to_string())?;
    let (verdict, rejected) = match verify(&problem, &plan) {
        Ok(_) => ("valid".to_owned(), false),
        Err(refusal) => (refusal.to_string(), true),
    };
    let length = plan.steps.len();
    Ok((
        format!("{seconds:8.3} s {iterations:9} iterations  {length:6} steps  {verdict}"),
        !rejected,
        rejected,
    ))
}

fn special(problem: &Problem, end: Instant) -> (Option<PlanFile>, u64, String) {
    let mut planner = hddl::Planner::new(problem);
    let outcome = loop {
        let outcome = planner.run(200);
        if outcome != Outcome::Interrupted || Instant::now() > end {
            break outcome;
        }
    };
    let plan = planner.plan().cloned();
    (plan, planner.iterations(), format!("{outcome:?}"))
}

fn general(problem: &Problem, end: Instant) -> Result<(Option<PlanFile>, u64, String), String> {
    let domain = LoadedDomain::new(compile(problem)).map_err(|error| error.to_string())?;
    let mut planner = apprentice_htn::Planner::new(domain.initial_state(), domain.goal());
    let status = planner.run(&domain, &mut Budget::unlimited().until(end));
    let plan = planner.plan().map(|plan| plan_file(&domain, plan));
    Ok((plan, planner.effort().iterations, format!("{status:?}")))
}

fn sorted(folder: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("a folder that can be read")
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .collect();
    entries.sort();
    entries
}

fn last(path: &Path) -> String {
    path.file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}
