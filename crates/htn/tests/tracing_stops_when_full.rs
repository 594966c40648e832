//! Whoever asks why pays for what is read, not for what was met: a trace that is full makes no more
//! words, and words are made once, not for every value that was tried. The plan is the same.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use apprentice_htn::language::read;
use apprentice_htn::{
    Domain, Happened, HostFunction, Label, LoadedDomain, Network, Planner, Refinements, Verdict,
};
use apprentice_search::{Budget, Cost, Status};

/// Tasks above zero are done by two that are one less, in a way that comes after three that are
/// refused; zero cannot be done. Counts the reasons it was asked for.
struct Deep {
    reasons: Cell<u64>,
    refined: Cell<u64>,
}

impl Domain for Deep {
    type State = ();
    type Task = u32;
    fn refine(&self, task: &u32, (): &(), out: &mut Refinements<(), u32>) {
        self.refined.set(self.refined.get() + 1);
        for way in 0..3 {
            if out.is_traced() {
                self.reasons.set(self.reasons.get() + 1);
                let because = format!("way {way} of {task} is shut");
                out.note(Label::Number(way), Verdict::Refused(because));
            }
        }
        if *task > 0 {
            for _ in 0..2 {
                out.replace_by([task - 1, task - 1]);
            }
        }
    }
}

fn deep(events: usize) -> (Deep, Planner<Deep>) {
    let domain = Deep {
        reasons: Cell::new(0),
        refined: Cell::new(0),
    };
    let mut planner = Planner::new((), Network::ordered([9])).traced(events);
    let status = planner.run(&domain, &mut Budget::unlimited());
    assert_eq!(status, Status::Unsolvable);
    (domain, planner)
}

#[test]
fn a_full_trace_makes_no_more_reasons() {
    let (whole, everything) = deep(1_000_000);
    let refined = whole.refined.get();
    assert!(refined > 500, "{refined} is too small to show anything");
    assert_eq!(whole.reasons.get(), 3 * refined);
    assert_eq!(everything.trace().left_out, 0);
    for events in [0, 1, 2, 3, 20, 21, 200] {
        let (domain, planner) = deep(events);
        let trace = planner.trace();
        // What is told is the beginning of everything.
        assert_eq!(trace.events, everything.trace().events[..events]);
        assert_eq!(planner.statistics(), everything.statistics());
        // One more reason tells that there is more to say.
        let most = if events == 0 { 0 } else { events as u64 + 1 };
        assert!(domain.reasons.get() <= most, "{}", domain.reasons.get());
        // All but those whose last event is told.
        let (mut told, mut next) = (0, 0);
        while next < events {
            let is_hopeless = trace.events[next].task == 0;
            next += if is_hopeless { 4 } else { 3 };
            told += u64::from(next <= events);
        }
        let left_out = if events == 0 { 0 } else { refined - told };
        assert_eq!(trace.left_out, left_out, "of {events}");
    }
}

#[test]
fn a_planner_that_starts_again_traces_again() {
    let (domain, mut planner) = deep(20);
    let before = planner.trace().clone();
    planner.restart((), Network::ordered([9]));
    assert!(planner.trace().events.is_empty());
    planner.run(&domain, &mut Budget::unlimited());
    assert_eq!(*planner.trace(), before);
}

/// A hundred rooms, all of them too noisy to sleep in, each noisier than the one before. The game
/// counts how often it is asked about noise.
fn noisy(events: usize) -> (u64, Planner<LoadedDomain>) {
    let rooms: Vec<String> = (0..100).map(|number| format!("r{number}")).collect();
    let text = format!(
        "type Room;
         instance Room {};
         external int noise(Room r);
         task Rest() {{ method nap {{ exists (Room r) {{ noise(r) < 5; ordered(Sleep(r)); }} }} }}
         task Sleep(Room r) {{ {{ true; }} }}
         problem p {{ goal ordered(Rest()); }}",
        rooms.join(", ")
    );
    let reading = read("noisy.htn", &text);
    let report = reading.report();
    let asked = Arc::new(AtomicU64::new(0));
    let counting = asked.clone();
    let noise: HostFunction = Arc::new(move |room: &[i64]| {
        counting.fetch_add(1, Ordering::Relaxed);
        7 + room[0]
    });
    let domain =
        LoadedDomain::with_externals(reading.model.expect(&report), |_| Some(noise.clone()))
            .expect("it loads");
    let mut planner = Planner::new(domain.initial_state(), domain.goal()).traced(events);
    let status = planner.run(&domain, &mut Budget::unlimited());
    assert_eq!(status, Status::Unsolvable);
    (asked.load(Ordering::Relaxed), planner)
}

#[test]
fn a_reason_is_put_into_words_once_not_for_every_value() {
    let (untraced, _) = noisy(0);
    assert!(untraced >= 100);
    let (traced, planner) = noisy(10);
    let what = &planner.trace().events[0].what;
    let because = "line 4: 106 < 5 is false".to_owned();
    assert_eq!(*what, Happened::Refused(Label::Number(0), because));
    // The last value that was too high is asked for once more, to be told.
    assert!(traced - untraced <= 2, "{traced} instead of {untraced}");
}

#[test]
fn costs_are_the_same_whoever_listens() {
    let text = include_str!("../../../domains/guard.htn");
    let reading = read("guard.htn", text);
    let report = reading.report();
    let domain = LoadedDomain::new(reading.model.expect(&report)).expect("it loads");
    let plan = |events| {
        let mut planner = Planner::new(domain.initial_state(), domain.goal()).traced(events);
        let mut costs: Vec<Cost> = Vec::new();
        while planner.run(&domain, &mut Budget::unlimited()) == Status::Improved {
            costs.push(planner.plan().expect("there is one").cost);
        }
        (costs, planner.statistics(), planner.plan().cloned())
    };
    let alone = plan(0);
    assert!(alone.2.is_some());
    for events in [1, 5, 1_000_000] {
        assert_eq!(plan(events), alone);
    }
}
