//! A planner that has planned once asks the allocator for next to nothing the second time: for the
//! plan it gives away, and not for looking for it.

use apprentice_htn::language::read_files;
use apprentice_htn::{Aim, LoadedDomain, Planner};
use apprentice_search::Budget;

mod simplefps;

#[test]
fn a_warm_planner_allocates_only_the_plan() {
    let text = simplefps::domain();
    for seed in [3, 7, 11] {
        let problem = apprentice_htn::simplefps::generate(10, 60, seed);
        let reading = read_files(&[("domain", &text), ("problem", &problem)], &|_| None);
        let domain = LoadedDomain::new(reading.model.expect("no errors")).expect("it loads");
        let mut planner = Planner::new(domain.initial_state(), domain.goal()).aim(Aim::First);
        planner.run(&domain, &mut Budget::unlimited());
        for _ in 0..2 {
            planner.restart(domain.initial_state(), domain.goal());
            planner.run(&domain, &mut Budget::unlimited());
        }
        let (state, goal) = (domain.initial_state(), domain.goal());
        let taken = allocation_counter::measure(|| {
            planner.restart(state, goal);
            planner.run(&domain, &mut Budget::unlimited());
        });
        let allocated = taken.count_total;
        let iterations = planner.statistics().iterations;
        // Steps, decompositions, decisions and the list of improvements of a plan.
        let most = if planner.plan().is_some() { 4 } else { 0 };
        assert!(allocated <= most, "{allocated} in {iterations} iterations");
        assert!(iterations > 10);
    }
}
