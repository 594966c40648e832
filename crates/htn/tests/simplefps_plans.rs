//! SimpleFPS instances made by others are planned, or proven impossible, with little work.

mod simplefps;

use apprentice_htn::language::read_files;
use apprentice_htn::{Aim, LoadedDomain, Planner};
use apprentice_search::{Budget, Status};

#[test]
fn every_instance_is_planned_or_proven_impossible() {
    let instances = simplefps::instances();
    if instances.is_empty() {
        println!("skipped: the instances are not beside the project");
    }
    let jshop = simplefps::jshop_lengths();
    let domain_text = simplefps::domain();
    for (name, problem) in instances {
        let reading = read_files(
            &[("simplefps.htn", &domain_text), (&name, &problem)],
            &|_| None,
        );
        assert!(!reading.has_errors(), "{name}: {}", reading.report());
        let domain = LoadedDomain::new(reading.model.expect("no errors")).expect("it loads");
        let mut planner = Planner::new(domain.initial_state(), domain.goal()).aim(Aim::First);
        let status = planner.run(&domain, &mut Budget::expansions(20_000));
        let length = planner.plan().map(|plan| plan.len());
        println!(
            "{name}: {status:?} {length:?} JSHOP2 {:?} {:?}",
            jshop.get(&name),
            planner.effort()
        );
        match jshop.get(&name) {
            Some((longest, _)) => {
                assert!(length.is_some_and(|length| length <= *longest), "{name}");
            }
            None => assert_eq!(status, Status::Unsolvable, "{name}"),
        }
    }
}
