//! Who sneaks and who fights, found among six plays, and believed while a seventh goes on and changes.

use apprentice::playstyle::{Activity, Playstyles, PotentialEvent, StyleBelief};

/// What was done, one event every ten seconds.
fn play(id: &str, events: &[&str]) -> Activity {
    let mut activity = Activity::new(id);
    for (number, event) in events.iter().enumerate() {
        activity.push(10.0 * number as f64, *event);
    }
    activity
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let plays = [
        play(
            "anna",
            &["hide", "sneak_past", "pick_up", "sneak_past", "leave"],
        ),
        play("ben", &["shout", "fight", "pick_up", "fight", "leave"]),
        play(
            "cleo",
            &["hide", "sneak_past", "sneak_past", "pick_up", "leave"],
        ),
        play("dora", &["fight", "fight", "pick_up", "leave"]),
        play("emil", &["hide", "hide", "sneak_past", "leave"]),
        play("finn", &["shout", "fight", "fight", "leave"]),
    ];
    let styles = Playstyles::learn(&plays)?;
    for (number, class) in styles.classes().iter().enumerate() {
        let members: Vec<&str> = class
            .members
            .iter()
            .map(|it| plays[*it].id.as_str())
            .collect();
        let telling = &styles.telling(number, 1)[0].events;
        println!("{}: {members:?}, told by {telling:?}", class.name);
    }
    let (sneaks, fights) = (styles.class_of(0), styles.class_of(1));
    assert_ne!(sneaks, fights);
    let (Some(sneaks), Some(fights)) = (sneaks, fights) else {
        return Err("both have a class".into());
    };

    let mut belief = StyleBelief::new(styles);
    // Nothing was done yet, but the player goes straight to the bear, upright.
    let bear = |distance: f64| PotentialEvent {
        name: "fight".to_owned(),
        distance,
        distance_before: distance + 3.0,
    };
    belief.moved(&[bear(9.0)]);
    println!(
        "on the way to the bear: {:.0} % a fighter",
        belief.now().of(fights) * 100.0
    );
    assert!(belief.now().of(fights) > belief.now().of(sneaks));

    belief.moved(&[]);
    for event in ["shout", "fight", "fight"] {
        belief.observe(event);
    }
    println!(
        "after two fights: {:.0} % a fighter",
        belief.now().of(fights) * 100.0
    );
    for event in [
        "hide",
        "sneak_past",
        "hide",
        "sneak_past",
        "sneak_past",
        "pick_up",
    ] {
        belief.observe(event);
    }
    println!(
        "six events later: {:.0} % a sneak",
        belief.now().of(sneaks) * 100.0
    );
    assert!(belief.now().of(sneaks) > belief.now().of(fights));
    Ok(())
}
