//! Whatever a scenario file and the level file it names contain: the reader answers, with a scenario
//! or with an error whose line is in the file, and the world it makes can be lived in for a moment.
//!
//! An input is a scenario; after a line of five dashes, the text of whatever file it names.

#![no_main]

use std::time::Duration;

use apprentice_world::{Order, Orders, Scenario, World};
use libfuzzer_sys::fuzz_target;

const DIVIDER: &str = "\n-----\n";

fuzz_target!(|text: &str| {
    let (scenario, level) = text.split_once(DIVIDER).unwrap_or((text, ""));
    match Scenario::parse_with(scenario, |_| Ok(level.to_owned())) {
        Ok(scenario) => {
            let mut world = World::new(&scenario);
            let wait = Orders::new(Order::WAIT);
            world.advance(&scenario, &wait, Duration::from_millis(350), &mut ());
            // Equal digests, or the world depends on something it must not.
            let mut again = World::new(&scenario);
            again.advance(&scenario, &wait, Duration::from_millis(350), &mut ());
            assert_eq!(world.digest(), again.digest());
        }
        Err(error) => {
            assert!((1..=scenario.lines().count() + 1).contains(&error.line), "{error}");
            assert!(!error.to_string().is_empty());
        }
    }
});
