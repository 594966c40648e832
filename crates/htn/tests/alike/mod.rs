//! Whether two domains plan alike: the same plans, costs, work, traces and explanations. The tests
//! use it on problems somebody wrote, the fuzz target on those nobody would.

use apprentice_htn::compiled::Args;
use apprentice_htn::{
    Aim, Domain, Event, Fault, Improvement, LoadedDomain, LoadedTask, Network, Planner, explain,
};
use apprentice_search::{Budget, Cost, Status};

/// A task, by number and arguments.
type Plain = (u32, Vec<i64>);

/// All that can be seen of a run.
#[derive(Debug, PartialEq)]
struct Seen {
    statuses: Vec<Status>,
    plans: Vec<(Vec<Plain>, Cost)>,
    improvements: Vec<Improvement>,
    iterations: u64,
    fault: Option<Fault>,
    trace: Vec<(Plain, String)>,
    why: Vec<String>,
}

fn see<D: Domain>(
    domain: &D,
    state: &D::State,
    goal: &Network<D::Task>,
    aim: Aim,
    plain: impl Fn(&D::Task) -> Plain,
) -> Seen {
    let mut planner = Planner::new(state.clone(), goal.clone())
        .aim(aim)
        .traced(300);
    let mut budget = Budget::units(500);
    let (mut statuses, mut plans) = (Vec::new(), Vec::new());
    loop {
        let status = planner.run(domain, &mut budget);
        statuses.push(status);
        if let Some(plan) = planner.plan() {
            plans.push((plan.tasks().map(&plain).collect(), plan.cost));
        }
        if status != Status::Improved {
            break;
        }
    }
    let events = &planner.trace().events;
    let event = |event: &Event<D::Task>| {
        (
            plain(&event.task),
            format!("{} {:?}", event.depth, event.what),
        )
    };
    let why = planner.plan().map_or(Vec::new(), |plan| {
        let explanations = explain(domain, state.clone(), goal, plan).expect("it is its own plan");
        let said = explanations.iter().map(|one| {
            format!(
                "{:?} {:?} {} {:?} {}",
                plain(&one.task),
                one.taken,
                one.with,
                one.notes,
                one.passed_over
            )
        });
        said.collect()
    });
    Seen {
        statuses,
        plans,
        improvements: planner.improvements().to_vec(),
        iterations: planner.statistics().iterations,
        fault: planner.fault().cloned(),
        trace: events.iter().map(event).collect(),
        why,
    }
}

/// Compares a loaded domain with a generated one on a goal, for every aim.
#[track_caller]
pub(crate) fn compare<D: Domain<State = apprentice_htn::LoadedState>>(
    name: &str,
    loaded: &LoadedDomain,
    generated: &D,
    goal: &Network<LoadedTask>,
    make: impl Fn(u32, &[i64]) -> Option<D::Task>,
    parts: impl Fn(&D::Task) -> (u32, Args),
) {
    let state = loaded.initial_state();
    let same = goal
        .clone()
        .map(|task: LoadedTask| make(task.id, &task.args).expect("the task exists"));
    for aim in [Aim::First, Aim::Best, Aim::Every] {
        let a = see(loaded, &state, goal, aim, |task| {
            (task.id, task.args.to_vec())
        });
        let b = see(generated, &state, &same, aim, |task| {
            let (id, args) = parts(task);
            (id, args.to_vec())
        });
        assert_eq!(a, b, "{name} {aim:?}");
    }
}
