//! SimpleFPS instances made by others are planned, or proven impossible, with little work.

use apprentice_htn::language::read_files;
use apprentice_htn::{Aim, LoadedDomain, Planner};
use apprentice_search::{Budget, Status};

#[test]
fn every_instance_is_planned_or_proven_impossible() {
    if crate::simplefps::published_data::find_or_say(crate::simplefps::PUBLISHED).is_none() {
        return;
    }
    let instances = crate::simplefps::instances();
    let jshop = crate::simplefps::jshop_lengths();
    let domain_text = crate::simplefps::domain();
    for (name, problem) in instances {
        let reading = read_files(
            &[("simplefps.htn", &domain_text), (&name, &problem)],
            &|_| None,
        );
        assert!(!reading.has_errors(), "{name}: {}", reading.report());
        let domain = LoadedDomain::new(reading.model.expect("no errors")).expect("it loads");
        let mut planner = Planner::new(domain.initial_state(), domain.goal()).aim(Aim::First);
        let status = planner.run(&domain, &mut Budget::units(20_000));
        let length = planner.plan().map(|plan| plan.len());
        println!(
            "{name}: {status:?} {length:?} JSHOP2 {:?} {:?}",
            jshop.get(&name),
            planner.statistics()
        );
        match jshop.get(&name) {
            Some((longest, _)) => {
                assert!(length.is_some_and(|length| length <= *longest), "{name}");
            }
            None => assert_eq!(status, Status::Unsolvable, "{name}"),
        }
    }
}

#[test]
fn one_domain_serves_many_characters_on_many_threads() {
    let problem = apprentice_htn::simplefps::generate(10, 60, 7);
    let files = [
        ("simplefps.htn", crate::simplefps::domain()),
        ("problem.htn", problem),
    ];
    let files = files.each_ref().map(|(name, text)| (*name, text.as_str()));
    let model = read_files(&files, &|_| None).model.expect("no errors");
    let domain = LoadedDomain::new(model).expect("it loads");
    let plans = |domain: &LoadedDomain| -> Vec<Option<Vec<String>>> {
        let starts = (0..10).map(|number| {
            let mut state = domain.initial_state();
            let area = format!("area{number}");
            assert!(domain.write(&mut state, "npc_at", &[], &area));
            state
        });
        let plan = |state| {
            let mut planner = Planner::new(state, domain.goal()).aim(Aim::First);
            planner.run(domain, &mut Budget::unlimited());
            let plan = planner.plan()?;
            Some(plan.tasks().map(|task| domain.show(task)).collect())
        };
        starts.map(plan).collect()
    };
    let alone = plans(&domain);
    assert!(alone.iter().any(Option::is_some));
    let together: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(|| plans(&domain))).collect();
        let ended = threads.into_iter().map(|thread| thread.join());
        ended.map(|plans| plans.expect("no panic")).collect()
    });
    for plans in together {
        assert_eq!(plans, alone);
    }
}
