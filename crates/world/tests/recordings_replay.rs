//! A recording replays to the digest it ended with: those made just now, and those committed.

use std::time::Duration;

use crate::dungeon::{Dice, Inhabitants};
use apprentice_world::{Direction, Gait, Order, Recording, ReplayError, Scenario, Stance, World};
use proptest::prelude::*;

fn record(scenario: &Scenario, seed: u64, moments: usize) -> (Recording, World) {
    let mut dice = Dice::new(seed);
    let mut world = World::new(scenario);
    let mut recording = Recording::begin(scenario);
    for _ in 0..moments {
        let mut order = || {
            let stance = Stance::new(Gait::ALL[dice.below(2)]).fighting();
            Order::Step(Direction::ALL[dice.below(8)], stance)
        };
        let (npc, player) = (order(), order());
        let player = (scenario.actors().len() > 1 && dice.once_in(2)).then_some(player);
        let duration = Duration::from_millis(100 * (1 + dice.below(30) as u64));
        recording.advance(&mut world, scenario, npc, player, duration, &mut ());
    }
    (recording, world)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_was_just_recorded(seed: u64) {
        let (_, scenario) = crate::dungeon::random(seed, Inhabitants::Moving);
        let (recording, world) = record(&scenario, seed, 50);
        assert_eq!(recording.replay(&scenario), Ok(world));
        let read_back: Recording = recording.to_string().parse().unwrap();
        assert_eq!(read_back, recording);
    }

    #[test]
    fn broken_text_is_an_error_and_no_panic(cut in 0usize..400, garbage in "\\PC{0,12}") {
        let (_, scenario) = crate::dungeon::random(7, Inhabitants::Moving);
        let mut text = record(&scenario, 7, 8).0.to_string();
        let mut cut = cut.min(text.len());
        while !text.is_char_boundary(cut) {
            cut -= 1;
        }
        text.truncate(cut);
        text.push_str(&garbage);
        let _ = text.parse::<Recording>();
    }
}

fn shipped(name: &str) -> Scenario {
    let path = crate::golden::root().join(format!("scenarios/{name}.toml"));
    let beside = |name: &str| Ok(crate::golden::read(&path.with_file_name(name)));
    Scenario::parse_with(&crate::golden::read(&path), beside).unwrap()
}

fn committed(name: &str) -> String {
    let file = format!("testdata/recordings/{name}.recording");
    crate::golden::read(&crate::golden::root().join(file))
}

/// Two are of the second version, and tell of their end what lay in the past then.
#[test]
fn what_was_committed() {
    for name in ["bear_bypass", "multi_demo", "quest_compound"] {
        let scenario = shipped(name);
        // Those of an earlier version stay as they are for as long as their levels do.
        let is_of_another_level = || {
            let kept: Result<Recording, _> = committed(name).parse();
            kept.is_ok_and(|kept| kept.replay(&scenario).is_err())
        };
        if crate::golden::is_updating() && is_of_another_level() {
            let file = format!("recordings/{name}.recording");
            crate::golden::check(&file, &record(&scenario, 1, 60).0.to_string());
        }
        let text = committed(name);
        let recording: Recording = text
            .parse()
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        recording
            .replay(&scenario)
            .unwrap_or_else(|error| panic!("{name}: {error}"));
    }
}

#[test]
fn another_scenario_is_refused_and_another_end_is_told() {
    let (_, scenario) = crate::dungeon::random(1, Inhabitants::Moving);
    let (_, other) = crate::dungeon::random(2, Inhabitants::Moving);
    let (mut recording, _) = record(&scenario, 1, 5);
    assert!(matches!(
        recording.replay(&other),
        Err(ReplayError::OtherScenario { .. })
    ));
    recording.digest ^= 1;
    assert!(matches!(
        recording.replay(&scenario),
        Err(ReplayError::OtherEnd { .. })
    ));
}

/// Recordings of version 1 name their scenario by a number nobody can make any more.
#[test]
fn recordings_that_name_their_scenario_in_an_older_way_still_replay() {
    let (scenario, other) = (shipped("bear_bypass"), shipped("multi_demo"));
    let digest = format!("{:016x}", scenario.digest());
    let old = committed("bear_bypass").replace("recording 2", "recording 1");
    let old = old.replace(&digest, "6b41a9a813093589");
    let old: Recording = old.parse().expect("it can be read");
    assert!(old.replay(&scenario).is_ok());
    assert!(
        old.to_string()
            .starts_with("recording 1\nscenario 6b41a9a813093589 ")
    );
    let error = old.replay(&other).expect_err("it is another one");
    assert!(matches!(
        &error,
        ReplayError::OldRecording { version: 1, .. }
    ));
    let message = error.to_string();
    let says = ["made in the scenario", "record it anew", "(1, now 3)"];
    assert!(says.iter().all(|part| message.contains(part)), "{message}");
}

#[test]
fn what_is_no_recording_is_named_with_its_line() {
    let cases = [
        ("", "line 1: the text is empty"),
        (
            "recording 0",
            "line 1: a recording begins with `recording 3`",
        ),
        (
            "recording 9",
            "line 1: this is a recording of version 9, and the newest known here is 3; use a newer Apprentice",
        ),
        (
            "recording 1\nscenario x",
            "line 2: write `scenario`, its digest and its name",
        ),
        (
            "recording 1\nscenario 0 a\nseed -1",
            "line 3: write `seed` and a whole number",
        ),
        (
            "recording 1\nscenario 0 a\nseed 1\n1 hop",
            "line 4: `hop` is no part of an order",
        ),
        (
            "recording 1\nscenario 0 a\nseed 1\nsoon wait",
            "line 4: write nanoseconds and an order",
        ),
        (
            "recording 1\nscenario 0 a\nseed 1\n9999999999999999 wait",
            "line 4: an order lasts at most",
        ),
        (
            "recording 1\nscenario 0 a\nseed 1\n1 wait\n",
            "line 5: the line that begins with `end`",
        ),
    ];
    for (text, expected) in cases {
        let error = text.parse::<Recording>().unwrap_err().to_string();
        assert!(
            error.starts_with(expected),
            "{error} should start with {expected}"
        );
    }
}
