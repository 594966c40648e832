//! Players of two styles who do something else now and then.

use apprentice_playstyle::{Activity, Dice};

/// What anybody may do besides.
const ANYTHING: [&str; 8] = [
    "initiate_combat",
    "sneak_past",
    "pick_up",
    "open_door",
    "pull_lever",
    "rest",
    "look_around",
    "drop",
];

/// What a fighter, and what a sneak does again and again.
pub(crate) const STYLES: [(&str, [&str; 4]); 2] = [
    (
        "fights",
        ["initiate_combat", "kill", "pick_up", "open_door"],
    ),
    ("sneaks", ["sneak_past", "hide", "pick_up", "pull_lever"]),
];

/// A play of a style, in which a share of all events is anything.
pub(crate) fn play(style: usize, events: usize, noise: f64, dice: &mut Dice) -> Activity {
    let (label, habit) = STYLES[style];
    let mut activity = Activity::new(format!("{label} {}", dice.number())).labelled(label);
    let mut time = 0.0;
    for event in 0..events {
        time += 1.0 + dice.unit() * 9.0;
        let name = if dice.unit() < noise {
            ANYTHING[dice.below(ANYTHING.len())]
        } else {
            habit[event % habit.len()]
        };
        activity.push(time, name);
    }
    activity
}

/// So many plays of both styles in turn, each of some length.
pub(crate) fn plays(count: usize, noise: f64, seed: u64) -> Vec<Activity> {
    let mut dice = Dice::new(seed);
    let plays = (0..count).map(|number| {
        let events = 12 + dice.below(20);
        play(number % 2, events, noise, &mut dice)
    });
    plays.collect()
}
