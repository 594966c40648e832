//! What the planner promises, one sentence a test.

use apprentice_htn::{Aim, Domain, Label, Limit, Limits, Memory, Network, Planner, Refinements};
use apprentice_search::{Budget, Cost, Status};

const STEP: Cost = Cost::from_ticks(1);

/// Independent primitives: every task can always be done.
struct Free;

impl Domain for Free {
    type State = ();
    type Task = u8;
    fn refine(&self, _: &u8, (): &(), out: &mut Refinements<(), u8>) {
        out.act((), STEP);
    }
}

fn every_plan(goal: Network<u8>) -> Vec<Vec<u8>> {
    let mut planner = Planner::<Free>::new((), goal).aim(Aim::Every);
    let mut plans = Vec::new();
    while planner.run(&Free, &mut Budget::unlimited()) == Status::Improved {
        plans.push(
            planner
                .plan()
                .expect("there is one")
                .tasks()
                .copied()
                .collect(),
        );
    }
    plans
}

#[test]
fn unordered_tasks_are_done_in_every_order() {
    for k in 0..6u8 {
        let plans = every_plan(Network::unordered(0..k));
        assert_eq!(plans.len() as u64, (1..=u64::from(k)).product::<u64>());
        let mut different = plans.clone();
        different.sort();
        different.dedup();
        assert_eq!(different.len(), plans.len());
    }
}

#[test]
fn nested_networks_keep_their_order() {
    let pair = Network::ordered([1u8, 2]);
    let plans = every_plan(Network::unordered([pair, Network::from(3)]));
    assert_eq!(plans, [[1, 2, 3], [1, 3, 2], [3, 1, 2]]);
}

#[test]
fn siblings_share_neither_plan_nor_cost() {
    // Two ready tasks, both possible: each branch has its own plan, cost and network.
    let plans = every_plan(Network::unordered([1u8, 2]));
    assert_eq!(plans, [[1, 2], [2, 1]]);
    let mut planner = Planner::<Free>::new((), Network::unordered([1u8, 2])).aim(Aim::Every);
    while planner.run(&Free, &mut Budget::unlimited()) == Status::Improved {
        assert_eq!(planner.plan().expect("there is one").cost, STEP + STEP);
    }
}

#[test]
fn nothing_to_do_is_a_plan() {
    let mut planner = Planner::<Free>::new((), Network::empty());
    assert_eq!(
        planner.run(&Free, &mut Budget::unlimited()),
        Status::Improved
    );
    assert!(planner.plan().expect("there is one").is_empty());
    assert_eq!(
        planner.run(&Free, &mut Budget::unlimited()),
        Status::Finished
    );
}

/// `0` never ends; `1` does, but only after as many rounds as the state says.
struct Loops;

impl Domain for Loops {
    type State = u32;
    type Task = u8;
    fn refine(&self, task: &u8, rounds: &u32, out: &mut Refinements<u32, u8>) {
        match task {
            0 => out.method("again").replace_by([0]),
            1 if *rounds == 0 => out.method("enough").replace_by([]),
            1 => out.method("one more").replace_by([2, 1]),
            2 => out.act(rounds - 1, STEP),
            3 => out.method("grow").replace_by([3, 2]),
            _ => {}
        }
    }
    fn state_digest(&self, rounds: &u32) -> Option<u64> {
        Some(u64::from(*rounds))
    }
    fn task_digest(&self, task: &u8) -> Option<u64> {
        Some(u64::from(*task))
    }
}

#[test]
fn endless_recursion_is_reported() {
    let mut planner = Planner::new(0, 0u8).memory(Memory::Nothing);
    assert_eq!(
        planner.run(&Loops, &mut Budget::unlimited()),
        Status::GaveUp
    );
    assert_eq!(planner.limit(), Some(Limit::Depth));
    assert!(planner.plan().is_none());
    assert_eq!(
        planner.run(&Loops, &mut Budget::unlimited()),
        Status::GaveUp
    );
}

#[test]
fn a_repeated_state_is_recognised() {
    let mut planner = Planner::new(0, 0u8);
    assert_eq!(
        planner.run(&Loops, &mut Budget::unlimited()),
        Status::Unsolvable
    );
    assert!(planner.statistics().iterations < 5);
}

#[test]
fn circles_are_noticed_without_any_other_memory() {
    let mut planner = Planner::new(0, 0u8).memory(Memory::Branch);
    assert_eq!(
        planner.run(&Loops, &mut Budget::unlimited()),
        Status::Unsolvable
    );
    assert!(planner.statistics().iterations < 5);
}

#[test]
fn a_network_that_only_grows_is_reported() {
    let mut planner = Planner::new(0, 3u8);
    assert_eq!(
        planner.run(&Loops, &mut Budget::unlimited()),
        Status::GaveUp
    );
    assert_eq!(planner.limit(), Some(Limit::Depth));
}

#[test]
fn deep_and_long_plans_need_no_stack() {
    let limits = Limits {
        depth: 0,
        ..Limits::default()
    };
    let mut planner = Planner::new(200_000, 1u8).limits(limits).aim(Aim::First);
    assert_eq!(
        planner.run(&Loops, &mut Budget::unlimited()),
        Status::Finished
    );
    let plan = planner.plan().expect("there is one");
    assert_eq!(plan.len(), 200_000);
    assert_eq!(plan.chain(199_999).count(), 200_000);
    assert_eq!(plan.decompositions[0].method, Label::Named("one more"));
}

#[test]
fn too_long_a_plan_is_reported() {
    let limits = Limits {
        plan_length: 10,
        ..Limits::default()
    };
    let mut planner = Planner::new(11, 1u8).limits(limits);
    assert_eq!(
        planner.run(&Loops, &mut Budget::unlimited()),
        Status::GaveUp
    );
    assert_eq!(planner.limit(), Some(Limit::PlanLength));
}

#[test]
fn budgets_are_kept() {
    let mut planner = Planner::new(1000, 1u8);
    for iterations in 1..100 {
        assert_eq!(planner.run(&Loops, &mut Budget::units(1)), Status::Paused);
        assert_eq!(planner.statistics().iterations, iterations);
    }
}

#[test]
fn steps_know_where_they_came_from() {
    let mut planner = Planner::new(2, 1u8);
    planner.run(&Loops, &mut Budget::unlimited());
    let plan = planner.plan().expect("there is one");
    let methods: Vec<_> = plan.chain(1).map(|part| part.method).collect();
    assert_eq!(
        methods,
        [Label::Named("one more"), Label::Named("one more")]
    );
    assert_eq!(plan.steps[1].origin.position, 0);
    assert_eq!(plan.decompositions[2].method, Label::Named("enough"));
    assert_eq!(plan.decompositions[2].before, 2);
}

#[test]
fn a_planner_can_be_used_again() {
    let mut planner = Planner::new(3, 1u8).aim(Aim::First);
    planner.run(&Loops, &mut Budget::unlimited());
    planner.restart(5, 1u8);
    assert_eq!(
        planner.run(&Loops, &mut Budget::unlimited()),
        Status::Finished
    );
    assert_eq!(planner.plan().map(|plan| plan.len()), Some(5));
}

/// Says when two states are the same, and forgot to say it of tasks.
struct Forgetful;

impl Domain for Forgetful {
    type State = u8;
    type Task = &'static str;
    fn refine(&self, task: &&'static str, state: &u8, out: &mut Refinements<u8, &'static str>) {
        match (*task, state) {
            ("enter", _) => {
                out.method("locked").replace_by(["push"]);
                out.method("open").replace_by(["pull"]);
            }
            ("pull", _) => out.act(*state, STEP),
            _ => {}
        }
    }
    fn state_digest(&self, state: &u8) -> Option<u64> {
        Some(u64::from(*state))
    }
}

#[test]
fn tasks_that_cannot_be_told_apart_are_not_taken_for_each_other() {
    for memory in [Memory::Nothing, Memory::Branch, Memory::DeadEnds] {
        for aim in [Aim::First, Aim::Best] {
            let mut planner = Planner::new(0, "enter").aim(aim).memory(memory);
            while planner.run(&Forgetful, &mut Budget::unlimited()) == Status::Improved {}
            let plan = planner.plan().expect("one can pull");
            assert_eq!(plan.tasks().collect::<Vec<_>>(), [&"pull"], "{memory:?}");
        }
    }
}
