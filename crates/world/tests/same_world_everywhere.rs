//! The same causes have the same effects on every machine, in every build and on any number of
//! threads: the digests of long runs are a committed file.

use std::fmt::Write;
use std::time::Duration;

use crate::dungeon::{Dice, Inhabitants};
use apprentice_world::{Direction, Gait, Order, Orders, Scenario, Stance, World};

/// An order that lets much happen: mostly steps, often fighting, sometimes running.
fn order(dice: &mut Dice) -> Order {
    let mut stance = Stance::new(Gait::ALL[dice.below(3)]).heading_to(dice.below(4) as u8);
    if !dice.once_in(3) {
        stance = stance.fighting();
    }
    if dice.once_in(5) {
        stance = stance.blocking();
    }
    match dice.below(10) {
        number @ 0..8 => Order::Step(Direction::ALL[number], stance),
        _ => Order::Wait(stance),
    }
}

/// The digest of a run of some ten minutes.
fn long_run(scenario: &Scenario, seed: u64) -> u64 {
    let mut dice = Dice::new(seed);
    let mut world = World::new(scenario);
    for _ in 0..300 {
        let orders = Orders::new(order(&mut dice));
        let orders = if dice.once_in(2) {
            orders.with_player(order(&mut dice))
        } else {
            orders
        };
        let duration = Duration::from_nanos(dice.below(4_000_000_000) as u64);
        world.advance(scenario, &orders, duration, &mut ());
    }
    world.digest()
}

fn all_runs() -> String {
    let mut digests = String::new();
    for seed in 0..200 {
        let inhabitants = match seed % 4 {
            0 => Inhabitants::Still,
            _ if seed < 160 => Inhabitants::Moving,
            _ => Inhabitants::Scattered,
        };
        let (_, scenario) = crate::dungeon::random(seed, inhabitants);
        writeln!(digests, "dungeon {seed} {:016x}", long_run(&scenario, seed)).unwrap();
    }
    for path in crate::golden::files("scenarios", "toml") {
        let beside = |name: &str| Ok(crate::golden::read(&path.with_file_name(name)));
        let scenario = Scenario::parse_with(&crate::golden::read(&path), beside).unwrap();
        let digest = long_run(&scenario, 1);
        writeln!(digests, "{} {digest:016x}", crate::golden::stem(&path)).unwrap();
    }
    digests
}

#[test]
fn digests_are_those_of_the_committed_file() {
    crate::golden::check("world/digests.txt", &all_runs());
}

#[test]
fn digests_are_the_same_on_many_threads() {
    let alone = all_runs();
    let threads: Vec<_> = (0..4).map(|_| std::thread::spawn(all_runs)).collect();
    for thread in threads {
        assert_eq!(thread.join().expect("no run panics"), alone);
    }
}
