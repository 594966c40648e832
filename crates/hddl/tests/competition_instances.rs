//! Published instances of the 2020 planning competition: all are read, most are solved
//! with little work, and every plan passes the checker.

use std::path::{Path, PathBuf};

use apprentice_hddl::{PlanFile, Planner, Problem, read_domain, read_problem, verify};
use apprentice_search::{Budget, Status};

/// All instances, by domain and name. `None`, loudly, where they are not to be had.
fn instances() -> Option<Vec<(String, Problem)>> {
    let folder = crate::published_data::find_or_say("htn/ipc2020-total-order")?;
    let mut all = Vec::new();
    for domain in sorted(&folder).into_iter().filter(|path| path.is_dir()) {
        for file in sorted(&domain) {
            let name = file.display().to_string();
            if !name.ends_with(".hddl") || name.ends_with("domain.hddl") {
                continue;
            }
            let own = PathBuf::from(name.replace(".hddl", "-domain.hddl"));
            let domain_file = if own.exists() {
                own
            } else {
                domain.join("domain.hddl")
            };
            let text = |path: &Path| std::fs::read_to_string(path).expect("a readable file");
            let domain = read_domain(&domain_file.display().to_string(), &text(&domain_file))
                .unwrap_or_else(|mistakes| panic!("{mistakes}"));
            let problem = read_problem(&domain, &name, &text(&file))
                .unwrap_or_else(|mistakes| panic!("{mistakes}"));
            all.push((name, problem));
        }
    }
    Some(all)
}

fn sorted(folder: &Path) -> Vec<PathBuf> {
    let mut entries: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("a readable folder")
        .map(|entry| entry.expect("a readable entry").path())
        .collect();
    entries.sort();
    entries
}

#[test]
fn every_instance_is_read_and_every_plan_is_valid() {
    let Some(instances) = instances() else { return };
    assert!(!instances.is_empty(), "the folder is there, but holds none");
    let mut solved = 0;
    for (name, problem) in &instances {
        let mut planner = Planner::new(problem).expect("short facts");
        if planner.run(&mut Budget::units(3_000)) != Status::Finished {
            continue;
        }
        let text = planner.plan().expect("a plan was found").to_string();
        let plan = PlanFile::read(name, &text).unwrap_or_else(|mistakes| panic!("{mistakes}"));
        if let Err(refusal) = verify(problem, &plan) {
            panic!("{name}: {refusal}");
        }
        solved += 1;
    }
    println!(
        "{solved} of {} solved in 3,000 iterations each",
        instances.len()
    );
    assert!(
        solved * 100 >= instances.len() * 60,
        "only {solved} of {}",
        instances.len()
    );
}

#[test]
fn where_the_depth_is_endless_an_estimate_leads_on() {
    let Some(instances) = instances() else { return };
    for wanted in [
        "Blocksworld-GTOHP/p23.hddl",
        "Entertainment/pfile10.hddl",
        "Woodworking/07--p03-part1.hddl",
    ] {
        let (name, problem) = instances
            .iter()
            .find(|(name, _)| name.ends_with(wanted))
            .expect("it is among the instances");
        let mut planner = Planner::new(problem).expect("short facts");
        assert_eq!(
            planner.run(&mut Budget::units(200_000)),
            Status::Finished,
            "{name}"
        );
        let plan = planner.plan().expect("a plan was found");
        if let Err(refusal) = verify(problem, plan) {
            panic!("{name}: {refusal}");
        }
    }
}

#[test]
fn the_longest_tower_is_moved_without_stack_trouble() {
    let Some(instances) = instances() else { return };
    let (_, problem) = instances
        .iter()
        .find(|(name, _)| name.contains("Towers") && name.ends_with("pfile_16.hddl"))
        .expect("the tower of sixteen rings");
    let mut planner = Planner::new(problem).expect("short facts");
    assert_eq!(planner.run(&mut Budget::units(2_000_000)), Status::Finished);
    let plan = planner.plan().expect("a plan was found");
    assert_eq!(plan.steps.len(), 65_535);
    let verdict = verify(problem, plan).unwrap_or_else(|refusal| panic!("{refusal}"));
    assert_eq!(verdict.steps, 65_535);
}
