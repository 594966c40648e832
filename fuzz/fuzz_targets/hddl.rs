//! Whatever HDDL files contain: they are read or refused with reasons that can be shown; what is
//! read is planned for within a budget, sliced as well as whole; and a plan that is found, written
//! and read again passes the check that knows nothing of planning.

#![no_main]

use apprentice_hddl::{PlanFile, Planner, Problem, read_domain, read_problem, verify};
use apprentice_search::{Budget, Status};
use libfuzzer_sys::fuzz_target;

/// Iterations a problem is planned with: enough for the second search, which lists everything that
/// could be done, to have its turn after the first.
const ITERATIONS: u64 = 5000;

fuzz_target!(|text: &str| {
    // The domain, the problem, and a plan that somebody wrote.
    let mut parts = text.split("\n---\n");
    let domain = match read_domain("domain.hddl", parts.next().unwrap_or_default()) {
        Ok(domain) => domain,
        Err(mistakes) => {
            assert!(!mistakes.to_string().is_empty());
            return;
        }
    };
    let problem = match read_problem(&domain, "problem.hddl", parts.next().unwrap_or_default()) {
        Ok(problem) => problem,
        Err(mistakes) => {
            assert!(!mistakes.to_string().is_empty());
            return;
        }
    };
    if let Some(plan) = parts.next()
        && let Ok(plan) = PlanFile::read("plan", plan)
    {
        let _ = verify(&problem, &plan).map_err(|refusal| refusal.to_string());
    }
    let whole = planned(&problem, ITERATIONS);
    let sliced = planned(&problem, 7);
    assert_eq!(whole, sliced);
});

/// How planning ended, and with which plan. `None`: it could not begin.
type Planned = Option<(Status, Option<PlanFile>)>;

/// What comes of planning with so many iterations at a time.
fn planned(problem: &Problem, slice: u64) -> Planned {
    // It may have too much in it, and says so.
    let mut planner = Planner::new(problem).map_err(|why| why.to_string()).ok()?;
    let mut status = Status::Paused;
    while status == Status::Paused && planner.iterations() < ITERATIONS {
        let left = ITERATIONS - planner.iterations();
        status = planner.run(&mut Budget::units(slice.min(left)));
    }
    if let Some(plan) = planner.plan() {
        let written = PlanFile::read("plan", &plan.to_string()).expect("it can be read again");
        verify(problem, &written).expect("it is a plan");
    }
    Some((status, planner.plan().cloned()))
}
