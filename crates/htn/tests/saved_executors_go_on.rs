//! An executor that is saved at any moment, while it plans or carries out, and loaded goes on to say the
//! same, for the same units; and what is no save of it is refused with a reason.

use apprentice_htn::language::read;
use apprentice_htn::{
    LoadedDomain, LoadedState, LoadedTask, Lookahead, Next, SavedExecutor, TaskExecutor,
    find_prefix,
};
use apprentice_search::Budget;
use apprentice_search::saved::LoadError;
use proptest::prelude::*;

/// A thief brings things through a door that somebody may lock again, in any order.
const HOUSE: &str = "
type Room; type Thing;
instance Room hall, vault;
instance Thing crown, orb, ring;
fluent Room at := hall;
fluent bool open;
fluent bool holding(Thing t);
constant Room place(Thing t);
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
problem night {
  init { place(crown) := vault; place(orb) := hall; place(ring) := vault; }
  goal ordered(unordered(Fetch(crown), Fetch(orb), Fetch(ring)), GoTo(hall));
}
";

type Saved = SavedExecutor<LoadedDomain>;

fn house(text: &str) -> LoadedDomain {
    let reading = read("house.htn", text);
    let model = reading.model.as_ref();
    let model = model.unwrap_or_else(|| panic!("{}", reading.report()));
    LoadedDomain::new(model.clone()).expect("it loads")
}

/// The state after a step, if it can be made.
fn after(domain: &LoadedDomain, state: &LoadedState, task: &LoadedTask) -> Option<LoadedState> {
    let (state, task) = (state.clone(), task.clone());
    let unlimited = &mut Budget::unlimited();
    let prefix = find_prefix(domain, state, task, usize::MAX, Lookahead::None, unlimited);
    prefix.map(|prefix| prefix.state)
}

type Executor = TaskExecutor<LoadedDomain>;

/// Carries it out, with mischief, and lets whoever was loaded go on beside whoever was not.
fn check(
    (steps, lookahead): (usize, Lookahead),
    units: u64,
    saved_at: &[usize],
    locked_at: &[usize],
) -> (usize, usize) {
    let domain = house(HOUSE);
    let mut executors: Vec<Executor> = vec![TaskExecutor::new(domain.goal(), steps, lookahead)];
    let mut state = domain.initial_state();
    let (mut thinking, mut others) = (0, 0);
    let mut last = None;
    for asked in 0..120 {
        if saved_at.contains(&asked) {
            match last {
                Some(Next::Thinking) => thinking += 1,
                _ => others += 1,
            }
            let text = serde_json::to_string(&executors[0].save(&domain)).expect("it is written");
            let saved: Saved = serde_json::from_str(&text).expect("it is read");
            let bytes = postcard::to_stdvec(&saved).expect("it is written");
            let saved: Saved = postcard::from_bytes(&bytes).expect("it is read");
            let (units, mut budget) = (saved.units(), Budget::unlimited());
            let loaded = saved.load(&domain, &mut budget);
            let loaded = loaded.unwrap_or_else(|error| panic!("{error}\n{text}"));
            assert_eq!(budget.taken(), units);
            let again = serde_json::to_string(&loaded.save(&domain)).expect("it is written");
            assert_eq!(again, text);
            executors.push(loaded);
        }
        if locked_at.contains(&asked) {
            assert!(domain.write(&mut state, "open", &[], "false"));
        }
        let answers: Vec<_> = executors
            .iter_mut()
            .map(|executor| {
                let mut budget = Budget::units(units);
                let next = executor.next(&domain, &state, &mut budget);
                (
                    next,
                    budget.taken(),
                    executor.repairs(),
                    executor.unfinished(),
                )
            })
            .collect();
        assert!(answers.iter().all(|it| *it == answers[0]), "{answers:?}");
        let (next, ..) = answers[0].clone();
        if let Next::Do(task) = &next {
            state = after(&domain, &state, task).expect("it was looked at");
        }
        last = Some(next);
    }
    (thinking, others)
}

proptest! {
    /// Whenever it is saved, whatever happens.
    #[test]
    fn and_say_the_same(
        steps in 0..3usize,
        is_full in any::<bool>(),
        units in 1..9u64,
        saved_at in prop::collection::vec(0..60usize, 1..4),
        locked_at in prop::collection::vec(0..60usize, 0..4),
    ) {
        let lookahead = if is_full { Lookahead::Full } else { Lookahead::None };
        check((steps, lookahead), units, &saved_at, &locked_at);
    }

    /// Bytes that were changed, left out or cut off are refused, or make an executor: nothing panics.
    #[test]
    fn or_are_refused(
        asked in 0..12usize,
        changes in prop::collection::vec((any::<prop::sample::Index>(), 0..4u8, any::<u8>()), 1..4),
    ) {
        let domain = house(HOUSE);
        let state = domain.initial_state();
        let mut executor: Executor = TaskExecutor::new(domain.goal(), 2, Lookahead::None);
        for _ in 0..asked {
            let _ = executor.next(&domain, &state, &mut Budget::units(3));
        }
        let text = serde_json::to_string(&executor.save(&domain)).expect("it is written");
        let mut bytes = text.into_bytes();
        for (at, how, byte) in changes {
            if bytes.is_empty() {
                break;
            }
            let at = at.index(bytes.len());
            match how {
                0 | 1 if bytes[at].is_ascii_digit() => bytes[at] = b'0' + byte % 10,
                0 | 1 => bytes[at] = byte,
                2 => drop(bytes.remove(at)),
                _ => bytes.truncate(at),
            }
        }
        let Ok(saved) = serde_json::from_slice::<Saved>(&bytes) else {
            return Ok(());
        };
        if let Ok(mut executor) = saved.load(&domain, &mut Budget::units(10_000)) {
            for _ in 0..30 {
                let _ = executor.next(&domain, &state, &mut Budget::units(100));
            }
        }
    }
}

/// In the middle of planning, and between two steps.
#[test]
fn at_every_moment() {
    let (mut thinking, mut others) = (0, 0);
    for saved_at in 0..40 {
        let counts = check((0, Lookahead::Full), 3, &[saved_at], &[8, 21]);
        thinking += counts.0;
        others += counts.1;
    }
    assert!(thinking >= 4 && others >= 4, "{thinking} and {others}");
}

#[test]
fn of_another_domain_or_version_and_for_too_little() {
    let domain = house(HOUSE);
    let state = domain.initial_state();
    let mut executor: Executor = TaskExecutor::new(domain.goal(), 0, Lookahead::None);
    assert_eq!(
        executor.next(&domain, &state, &mut Budget::units(5)),
        Next::Thinking
    );
    let text = serde_json::to_string(&executor.save(&domain)).expect("it is written");
    let read = |text: &str| serde_json::from_str::<Saved>(text);
    let load = |domain: &LoadedDomain, units: u64| {
        let saved = read(&text).expect("it is one");
        saved.load(domain, &mut Budget::units(units)).err()
    };
    assert_eq!(load(&domain, 5), None);
    assert_eq!(load(&domain, 4), Some(LoadError::Spent { units: 5 }));
    let another = house(&HOUSE.replace("branch there", "branch here"));
    assert!(matches!(
        load(&another, 5),
        Some(LoadError::AnotherLevel { .. })
    ));
    // What means nothing does no harm.
    let renamed = HOUSE.replace("problem night", "problem other");
    assert_eq!(load(&house(&renamed), 5), None);
    let newer = text.replacen("\"version\":1", "\"version\":2", 1);
    let error = read(&newer)
        .err()
        .expect("it is another version")
        .to_string();
    assert!(error.contains("this save is of version 2, and this program reads version 1"));
}
