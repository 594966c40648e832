//! Levels and tasks are read anew while the game runs; what is broken changes nothing.

use std::collections::BTreeMap;
use std::fs;
use std::time::Duration;

use bevy_app::App;
use bevy_apprentice::{ApprenticeWatchPlugin, Apprentices, Doing, PlanState, Reload, Seen};
use bevy_math::Vec2;

use crate::bodies::{HALL, body, frames, game, hall, position, told, told_of_nobody};

/// The same hall with its goal elsewhere, and without the door.
fn other_hall() -> String {
    let other = HALL.replace("at = [10, 1], radius", "at = [3, 3], radius");
    other.replace("door = [{ id = 'gate', at = [[5, 1]], open = true }]\n", "")
}

fn level(text: &str) -> Reload {
    let (text, files) = (text.to_owned(), BTreeMap::new());
    Reload::Level { text, files }
}

#[test]
fn a_level_is_replaced_while_somebody_walks() {
    let mut app = game(hall());
    let guest = app.world_mut().spawn(body(Vec2::new(0.0, 1.0))).id();
    frames(&mut app, 20);
    let before = position(&app, guest);
    assert!(before.x > 0.5, "it is on its way");
    app.world_mut().write_message(level(&other_hall()));
    frames(&mut app, 200);
    assert_eq!(told_of_nobody(&app), ["Level reloaded"]);
    let expected = [
        "plan 1",
        "broke: the level has changed",
        "plan 2",
        "arrived",
    ];
    assert_eq!(told(&app, guest), expected);
    assert!(position(&app, guest).distance(Vec2::new(3.0, 3.0)) < 0.05);
}

#[test]
fn a_broken_level_changes_nothing() {
    let mut app = game(hall());
    let guest = app.world_mut().spawn(body(Vec2::new(0.0, 1.0))).id();
    frames(&mut app, 20);
    let broken = HALL.replace("start = [0, 1]", "start = [0, ");
    app.world_mut().write_message(level(&broken));
    let nowhere = HALL.replace("at = [10, 1], radius", "at = [99, 1], radius");
    app.world_mut().write_message(level(&nowhere));
    app.world_mut().write_message(Reload::LevelFile);
    app.world_mut().write_message(Reload::TaskFiles);
    frames(&mut app, 400);
    let said = told_of_nobody(&app);
    assert_eq!(said.len(), 4, "{said:?}");
    assert!(
        said[0].starts_with("Level refused: ") && said[0].contains("line 4"),
        "{}",
        said[0]
    );
    assert!(said[1].starts_with("Level refused: "), "{}", said[1]);
    assert_eq!(
        said[2],
        "Level refused: the level came from no file; give its text"
    );
    assert!(said[3].starts_with("Tasks refused: "), "{}", said[3]);
    assert_eq!(told(&app, guest), ["plan 1", "arrived"]);
}

/// What was said of things that are gone is told, and whoever has no place there waits for one.
#[test]
fn another_level_may_have_no_room() {
    let mut app = game(hall());
    app.world_mut().write_message(Seen::door("gate", true));
    let guest = app.world_mut().spawn(body(Vec2::new(0.0, 1.0))).id();
    frames(&mut app, 5);
    let walled = other_hall().replace(
        "['.....#.....', '...........',",
        "['###########', '###########',",
    );
    let walled = walled.replace("start = [0, 1]", "start = [0, 3]");
    app.world_mut().write_message(level(&walled));
    frames(&mut app, 5);
    let expected = [
        "Observation refused: there is no door `gate`, nor any other",
        "Level reloaded",
    ];
    let mut said = told_of_nobody(&app);
    said.sort_unstable();
    assert_eq!(said, ["Level reloaded", expected[0]]);
    let of_guest = told(&app, guest);
    assert_eq!(of_guest[1], "broke: the level has changed");
    if of_guest.len() > 2 && of_guest[2].starts_with("Character refused") {
        let state = app.world().get::<PlanState>(guest).expect("a state");
        assert_eq!(state.doing, Doing::Stuck);
    }
    app.world_mut().write_message(level(HALL));
    frames(&mut app, 400);
    assert_eq!(told(&app, guest).last(), Some(&"arrived"));
}

fn watching(app: &mut App) {
    let every = Duration::from_millis(200);
    app.add_plugins(ApprenticeWatchPlugin { every });
}

#[test]
fn files_are_watched() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("hall.toml");
    let line = folder.path().join("shown.jsonl");
    let shown = |y: u8| {
        format!("{{\"format\":1}}\n{{\"t\":0,\"x\":0,\"y\":{y}}}\n{{\"t\":9,\"x\":9,\"y\":{y}}}\n")
    };
    fs::write(&line, shown(1)).expect("it can be written");
    let text = format!("{HALL}demonstration = [{{ file = 'shown.jsonl' }}]\n");
    fs::write(&file, &text).expect("it can be written");
    let apprentices = Apprentices::load(&file).unwrap_or_else(|error| panic!("{error}"));
    let mut app = game(apprentices);
    watching(&mut app);
    let guest = app.world_mut().spawn(body(Vec2::new(0.0, 1.0))).id();
    frames(&mut app, 20);
    assert_eq!(told_of_nobody(&app), [""; 0], "nothing has changed");
    // Half of it is written; then all.
    fs::write(&file, &text[..60]).expect("it can be written");
    frames(&mut app, 10);
    let said = told_of_nobody(&app);
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(
        said[0].starts_with("Level refused: ") && said[0].contains("hall.toml"),
        "{said:?}"
    );
    let other = text.replace("at = [10, 1], radius", "at = [10, 3], radius");
    fs::write(&file, &other).expect("it can be written");
    frames(&mut app, 400);
    assert_eq!(told_of_nobody(&app)[1..], ["Level reloaded"]);
    assert!(position(&app, guest).distance(Vec2::new(10.0, 3.0)) < 0.05);
    // What the level names is watched, too.
    fs::write(&line, shown(3)).expect("it can be written");
    frames(&mut app, 10);
    assert_eq!(told_of_nobody(&app)[2..], ["Level reloaded"]);
    let shown = &app.world().resource::<Apprentices>().demonstrations()[0];
    assert_eq!(shown.samples[0].place.y, 3.0);
}
