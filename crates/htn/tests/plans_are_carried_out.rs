//! Plans are made a piece at a time, carried out, and repaired where they break.

use apprentice_htn::language::read;
use apprentice_htn::{
    Aim, LoadedDomain, LoadedState, Lookahead, Memory, Next, Planner, TaskExecutor, find_prefix,
};
use apprentice_search::{Budget, Status};

/// A guard brings things through a door that somebody may lock again.
const HOUSE: &str = "
type Room; type Thing;
instance Room hall, vault;
instance Thing crown, orb;
fluent Room at := hall;
fluent bool open;
fluent bool holding(Thing t);
constant Room place(Thing t);
task Heist() { method all { ordered(Fetch(crown), Fetch(orb), GoTo(hall)); } }
task Fetch(Thing t) { method go_and_take { ordered(GoTo(place(t)), Take(t)); } }
task GoTo(Room r) {
  method way {
    branch there { at == r; ordered(); }
    branch through { open; ordered(Step(r)); }
    branch locked { ordered(Unlock(), Step(r)); }
  }
}
task Step(Room r) { { open; at != r; at := r; } }
task Unlock() { { open == false :-> true; } }
task Take(Thing t) { { at == place(t); holding(t) == false :-> true; } }
problem night { init { place(crown) := vault; place(orb) := hall; } goal ordered(Heist()); }
";

fn house() -> LoadedDomain {
    let reading = read("house.htn", HOUSE);
    let model = reading
        .model
        .as_ref()
        .unwrap_or_else(|| panic!("{}", reading.report()));
    LoadedDomain::new(model.clone()).expect("it loads")
}

/// The state after a step.
fn after(
    domain: &LoadedDomain,
    state: &LoadedState,
    task: &apprentice_htn::LoadedTask,
) -> LoadedState {
    let mut planner = Planner::new(state.clone(), task.clone()).aim(Aim::First);
    assert_eq!(
        planner.run(domain, &mut Budget::unlimited()),
        Status::Finished
    );
    let prefix = find_prefix(
        domain,
        state.clone(),
        task.clone(),
        usize::MAX,
        Lookahead::None,
        &mut Budget::unlimited(),
    );
    prefix.expect("it can be done").state
}

/// Carries the heist out; `disturb` may change the world before each step.
fn carry_out(
    steps: usize,
    lookahead: Lookahead,
    disturb: impl Fn(usize, &LoadedDomain, &mut LoadedState),
) -> (Vec<String>, LoadedState, apprentice_htn::Repairs) {
    carry_out_in_slices(steps, lookahead, u64::MAX, disturb)
}

/// The same, asking again with another such budget as long as there is no answer.
fn carry_out_in_slices(
    steps: usize,
    lookahead: Lookahead,
    slice: u64,
    disturb: impl Fn(usize, &LoadedDomain, &mut LoadedState),
) -> (Vec<String>, LoadedState, apprentice_htn::Repairs) {
    let domain = house();
    let mut state = domain.initial_state();
    let mut executor = TaskExecutor::new(domain.goal(), steps, lookahead);
    let mut done = Vec::new();
    disturb(0, &domain, &mut state);
    for _ in 0..5_000 {
        let mut budget = Budget::units(slice);
        let next = executor.next(&domain, &state, &mut budget);
        assert!(budget.taken() <= slice);
        match next {
            Next::Do(task) => {
                state = after(&domain, &state, &task);
                done.push(domain.show(&task));
                disturb(done.len(), &domain, &mut state);
            }
            Next::Done => return (done, state, executor.repairs()),
            Next::Thinking if slice < u64::MAX => {}
            other => panic!("{other:?} after {done:?}"),
        }
    }
    panic!("it never ends: {done:?}");
}

#[test]
fn pieces_lead_where_the_whole_plan_leads() {
    let (whole, end, repairs) = carry_out(0, Lookahead::None, |_, _, _| {});
    assert_eq!(
        whole,
        [
            "Unlock()",
            "Step(vault)",
            "Take(crown)",
            "Step(hall)",
            "Take(orb)"
        ]
    );
    assert_eq!(repairs, apprentice_htn::Repairs::default());
    for steps in 1..7 {
        for lookahead in [Lookahead::None, Lookahead::Full] {
            let (pieces, state, _) = carry_out(steps, lookahead, |_, _, _| {});
            assert_eq!((pieces, &state), (whole.clone(), &end));
        }
    }
}

#[test]
fn a_door_that_is_locked_again_is_unlocked_again() {
    for steps in [0, 1, 2, 3] {
        let (done, state, repairs) = carry_out(steps, Lookahead::None, |number, domain, state| {
            if number == 1 {
                assert!(domain.write(state, "open", &[], "false"));
            }
        });
        let domain = house();
        assert_eq!(
            domain.read(&state, "holding", &["crown"]).as_deref(),
            Some("true"),
            "{done:?}"
        );
        assert_eq!(
            domain.read(&state, "holding", &["orb"]).as_deref(),
            Some("true")
        );
        assert_eq!(domain.read(&state, "at", &[]).as_deref(), Some("hall"));
        assert_eq!(
            done,
            [
                "Unlock()",
                "Unlock()",
                "Step(vault)",
                "Take(crown)",
                "Step(hall)",
                "Take(orb)"
            ]
        );
        // Only the way through the door is planned again, not the whole heist.
        assert_eq!(repairs.from_scratch, 0, "{steps}");
        if steps == 0 {
            assert_eq!((repairs.broken, repairs.levels), (1, 1));
        }
    }
}

#[test]
fn what_cannot_be_repaired_is_given_up() {
    let domain = house();
    let mut state = domain.initial_state();
    let mut executor = TaskExecutor::new(domain.goal(), 0, Lookahead::None);
    let first = executor.next(&domain, &state, &mut Budget::unlimited());
    assert!(matches!(first, Next::Do(_)));
    // Somebody else has the crown already, and keeps it.
    assert!(domain.write(&mut state, "holding", &["crown"], "true"));
    assert!(domain.write(&mut state, "open", &[], "true"));
    let mut last = first;
    for _ in 0..10 {
        last = executor.next(&domain, &state, &mut Budget::unlimited());
        match &last {
            Next::Do(task) => state = after(&domain, &state, task),
            _ => break,
        }
    }
    assert_eq!(last, Next::Impossible);
    assert!(executor.repairs().from_scratch >= 1);
}

#[test]
fn a_prefix_says_what_is_left() {
    let domain = house();
    for lookahead in [Lookahead::None, Lookahead::Full] {
        let prefix = find_prefix(
            &domain,
            domain.initial_state(),
            domain.goal(),
            2,
            lookahead,
            &mut Budget::unlimited(),
        );
        let prefix = prefix.expect("there is a plan");
        assert_eq!(prefix.plan.len(), 2);
        assert_eq!(prefix.plan.cost.as_seconds(), 2.0);
        let rest = prefix.rest.map(|task| domain.show(&task)).to_string();
        assert_eq!(rest, "ordered(Take(crown), Fetch(orb), GoTo(hall))");
        assert_eq!(
            domain.read(&prefix.state, "at", &[]).as_deref(),
            Some("vault")
        );
    }
}

#[test]
fn a_spent_budget_is_said_and_thinking_goes_on() {
    let lock = |number, domain: &LoadedDomain, state: &mut LoadedState| {
        if number == 1 {
            assert!(domain.write(state, "open", &[], "false"));
        }
    };
    for steps in [0, 1, 3] {
        for lookahead in [Lookahead::None, Lookahead::Full] {
            let whole = carry_out(steps, lookahead, lock);
            for slice in [1, 2, 7] {
                let sliced = carry_out_in_slices(steps, lookahead, slice, lock);
                assert_eq!(sliced, whole, "{steps} steps, {slice} at a time");
            }
        }
    }
    let domain = house();
    let mut executor = TaskExecutor::new(domain.goal(), 0, Lookahead::None);
    let next = executor.next(&domain, &domain.initial_state(), &mut Budget::units(2));
    assert_eq!(next, Next::Thinking);
}

#[test]
fn what_changes_during_a_thought_is_seen_at_its_end() {
    let domain = house();
    let mut state = domain.initial_state();
    let mut executor = TaskExecutor::new(domain.goal(), 0, Lookahead::None);
    let mut asked = 0;
    let first = loop {
        let next = executor.next(&domain, &state, &mut Budget::units(2));
        if next != Next::Thinking {
            break next;
        }
        asked += 1;
        // Somebody opens the door: `Unlock` is no longer possible.
        assert!(domain.write(&mut state, "open", &[], "true"));
    };
    assert!(asked > 1);
    let Next::Do(first) = first else {
        panic!("{first:?}")
    };
    assert_eq!(domain.show(&first), "Step(vault)");
}

#[test]
fn a_character_that_patrols_for_ever_remembers_no_more() {
    let text = "
        type Room; instance Room north, south; fluent Room at := north; fluent int rounds;
        task Duty() { method day { ordered(Patrol()); } }
        task Patrol() {
          method there_and_back { ordered(Visit(south), Visit(north), Report()); }
        }
        task Visit(Room r) {
          method go { at != r; ordered(GoTo(r)); }
          method there { ordered(); }
        }
        task Report() { method and_again { ordered(Tell(), Patrol()); } }
        task GoTo(Room r) { { at != r; at := r; } }
        task Tell() { { rounds := rounds + 1; } }
        problem watch { goal ordered(Duty()); }";
    let reading = read("watch.htn", text);
    let report = reading.report();
    let domain = LoadedDomain::new(reading.model.unwrap_or_else(|| panic!("{report}")));
    let domain = domain.expect("it loads");
    let mut state = domain.initial_state();
    let mut executor = TaskExecutor::new(domain.goal(), 1, Lookahead::None);
    let mut most = 0;
    for number in 0..600 {
        match executor.next(&domain, &state, &mut Budget::units(1_000)) {
            Next::Do(task) => state = after(&domain, &state, &task),
            other => panic!("{other:?} after {number} steps"),
        }
        most = most.max(executor.unfinished());
    }
    assert_eq!(domain.read(&state, "rounds", &[]).as_deref(), Some("200"));
    assert!(most <= 8, "{most} unfinished tasks");
}

fn load(text: &str) -> LoadedDomain {
    let reading = read("test.htn", text);
    let report = reading.report();
    let model = reading.model.unwrap_or_else(|| panic!("{report}"));
    LoadedDomain::new(model).expect("it loads")
}

#[test]
fn a_fault_of_the_domain_is_not_called_impossible() {
    let domain = load(
        "fluent int people := 0;
         task Share() { cost := 10 / people; { true; } }
         problem p { goal ordered(Share()); }",
    );
    for steps in [0, 1] {
        let mut executor = TaskExecutor::new(domain.goal(), steps, Lookahead::None);
        let state = domain.initial_state();
        let next = executor.next(&domain, &state, &mut Budget::unlimited());
        assert_eq!(next, Next::GaveUp);
        let fault = executor.fault().expect("it is said");
        assert!(fault.message.contains("zero"), "{fault}");
    }
}

#[test]
fn a_limit_is_not_called_impossible() {
    let domain = load(
        "fluent int n;
         task Dig() {
           method deeper { ordered(Dig(), Shovel()); }
           method there { n > 0; ordered(); }
         }
         task Shovel() { { n := n + 1; } }
         problem p { goal ordered(Dig()); }",
    );
    let mut executor = TaskExecutor::new(domain.goal(), 0, Lookahead::Full);
    let state = domain.initial_state();
    let next = executor.next(&domain, &state, &mut Budget::unlimited());
    assert_eq!(next, Next::GaveUp);
    assert_eq!(executor.fault(), None);
    assert_eq!(executor.limit(), Some(apprentice_htn::Limit::Depth));
}

#[test]
fn what_was_impossible_when_a_thought_began_is_tried_again_before_anything_is_repaired() {
    let domain = load(
        "fluent bool ready;
         fluent int begun;
         task Both() { method m { ordered(Begin(), Finish()); } }
         task Begin() { { begun := begun + 1; } }
         task Finish() { method m { ordered(Close()); } }
         task Close() { method m { ready; ordered(End()); } }
         task End() { { ready; } }
         problem p { goal ordered(Both()); }",
    );
    let mut state = domain.initial_state();
    let mut executor = TaskExecutor::new(domain.goal(), 1, Lookahead::None);
    let mut done = Vec::new();
    let mut asked = 0;
    loop {
        match executor.next(&domain, &state, &mut Budget::units(1)) {
            Next::Do(task) => {
                done.push(domain.show(&task));
                state = after(&domain, &state, &task);
            }
            Next::Thinking => asked += 1,
            Next::Done => break,
            other => panic!("{other:?} after {done:?}"),
        }
        // Ready only when somebody thinks about the end already.
        if done.len() == 1 && executor.unfinished() > 0 && asked > 2 {
            assert!(domain.write(&mut state, "ready", &[], "true"));
        }
    }
    assert_eq!(done, ["Begin()", "End()"]);
    assert_eq!(executor.repairs(), apprentice_htn::Repairs::default());
}

#[test]
fn tasks_nested_thousands_deep_are_carried_out_step_by_step() {
    let domain = load(
        "fluent int steps;
         task Down(int n) {
           method more { n > 0; ordered(Down(n - 1), Step()); }
           method there { n == 0; ordered(); }
         }
         task Step() { { steps := steps + 1; } }
         problem p { goal ordered(Down(3000)); }",
    );
    let mut state = domain.initial_state();
    let mut executor = TaskExecutor::new(domain.goal(), 1, Lookahead::None);
    for _ in 0..3000 {
        match executor.next(&domain, &state, &mut Budget::unlimited()) {
            Next::Do(task) => state = after(&domain, &state, &task),
            other => panic!("{other:?}"),
        }
        assert!(executor.unfinished() <= 3001);
    }
    let next = executor.next(&domain, &state, &mut Budget::unlimited());
    assert_eq!(next, Next::Done);
    assert_eq!(domain.read(&state, "steps", &[]).as_deref(), Some("3000"));
}

/// Between two posts, and back to where it began with every second step.
fn rounds() -> LoadedDomain {
    load(
        "type Post; instance Post gate, tower; fluent Post at := gate;
         task Guard() {
           method to_the_tower { at == gate; ordered(GoTo(tower), Guard()); }
           method to_the_gate { at == tower; ordered(GoTo(gate), Guard()); }
         }
         task GoTo(Post p) { { at := p; } }
         problem watch { goal ordered(Guard()); }",
    )
}

#[test]
fn the_beginning_of_an_endless_task_may_be_longer_than_a_round() {
    let domain = rounds();
    for memory in [Memory::Nothing, Memory::Branch, Memory::DeadEnds] {
        for steps in [1, 2, 3, 7, 20] {
            let mut planner = Planner::new(domain.initial_state(), domain.goal())
                .aim(Aim::First)
                .memory(memory)
                .only_first(steps);
            let status = planner.run(&domain, &mut Budget::units(10_000));
            assert_eq!(status, Status::Finished, "{steps} steps with {memory:?}");
            assert_eq!(planner.plan().expect("it begins").len(), steps);
        }
    }
    let mut state = domain.initial_state();
    let mut executor = TaskExecutor::new(domain.goal(), 5, Lookahead::None);
    for number in 0..50 {
        match executor.next(&domain, &state, &mut Budget::units(1_000)) {
            Next::Do(task) => state = after(&domain, &state, &task),
            other => panic!("{other:?} after {number} steps"),
        }
    }
}

#[test]
fn a_world_that_never_stands_still_does_not_keep_it_from_being_done() {
    let domain = load(
        "fluent int clock; fluent bool wanted;
         task Work() {
           method serve { wanted; ordered(Serve()); }
           method rest { ordered(Idle()); }
         }
         task Idle() { method nothing { ordered(); } }
         task Serve() { { wanted := false; } }
         problem evening { goal ordered(Work()); }",
    );
    let mut state = domain.initial_state();
    let mut executor = TaskExecutor::new(domain.goal(), 0, Lookahead::None);
    for time in 0..100 {
        assert!(domain.write(&mut state, "clock", &[], &time.to_string()));
        match executor.next(&domain, &state, &mut Budget::units(1)) {
            Next::Thinking => {}
            Next::Done => return,
            other => panic!("{other:?}"),
        }
    }
    panic!("it never says that nothing is to be done");
}
