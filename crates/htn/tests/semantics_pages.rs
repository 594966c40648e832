//! The pages of testdata/htn say what the language means; the interpreter agrees.

use apprentice_htn::language::read;
use apprentice_htn::{Aim, LoadedDomain, Memory, Planner};
use apprentice_search::{Budget, Status};

#[test]
fn the_pages_are_right() {
    let cases = crate::semantics::cases();
    assert!(cases.len() > 10);
    for case in cases {
        let reading = read(&case.name, &case.text);
        let model = reading
            .model
            .as_ref()
            .unwrap_or_else(|| panic!("{}", reading.report()));
        let domain = LoadedDomain::new(model.clone()).expect("it loads");
        for memory in [Memory::Nothing, Memory::DeadEnds] {
            let mut planner = Planner::new(domain.initial_state(), domain.goal())
                .aim(Aim::Every)
                .memory(memory);
            let mut plans = Vec::new();
            while planner.run(&domain, &mut Budget::unlimited()) == Status::Improved {
                let plan = planner.plan().expect("there is one");
                let steps: Vec<String> = plan.tasks().map(|task| domain.show(task)).collect();
                plans.push(steps.join(" "));
            }
            assert_eq!(planner.fault(), None, "{}", case.name);
            assert_eq!(plans, case.plans, "{}", case.name);
        }
    }
}
