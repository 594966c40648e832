//! Tasks are taken apart, and one step after the other becomes the goal of a character.

use std::fs;

use bevy_app::App;
use bevy_apprentice::{
    ApprenticeWatchPlugin, Apprentices, AskedGoal, PlanState, Pursues, Reload, Seen, Task,
};
use bevy_ecs::prelude::*;
use bevy_math::Vec2;

use crate::bodies::{HALL, body, frames, game, told, told_of_nobody};

const VAULT: &str = "
format = 1
start = [1, 2]
goal = { within = { at = [1, 2], radius = 0.0 } }
map = { rows = ['...........#....', '...........#....', '................',
                '...........#....', '...........#....'] }
key = [{ id = 'red', at = [6, 0], opens = ['gate'] }, { id = 'blue', at = [2, 4], opens = ['gate'] }]
item = [{ id = 'crown', at = [14, 2] }]
door = [{ id = 'gate', at = [[11, 2]] }]";

const HEIST: &str = "
type Item; instance Item red, blue, crown;
type Door; instance Door gate;
constant bool unlocks(Item i);
fluent bool lying(Item i); fluent bool holding(Item i); fluent bool open(Door d); fluent bool dark;
task Heist() { method sneak_in { ordered(Wait(), GetIn(), Fetch(crown), Leave()); } }
task Wait() { { dark; } }
task GetIn() {
  method by_the_open_door { open(gate); ordered(); }
  method with_a_key { exists (Item k) { unlocks(k); lying(k); ordered(Fetch(k), Unlock(k, gate)); } }
}
task Fetch(Item i) { { lying(i) == true :-> false; holding(i) := true; } }
task Unlock(Item k, Door d) { { holding(k); open(d) == false :-> true; } }
task Leave() { { holding(crown); } }
problem night { init { unlocks(red) := true; unlocks(blue) := true; } goal ordered(Heist()); }";

fn goal_of(words: &[String]) -> Option<AskedGoal> {
    let words: Vec<&str> = words.iter().map(|word| &**word).collect();
    match *words {
        ["Fetch", item] => Some(AskedGoal::Holds(item.to_owned())),
        ["Unlock", _, door] => Some(AskedGoal::Open(door.to_owned())),
        ["Wait"] => Some(AskedGoal::All(Vec::new())),
        ["Leave"] => Some(Pursues::within(Vec2::new(1.0, 2.0), 0.0).0),
        _ => None,
    }
}

fn vault() -> Apprentices {
    let vault = Apprentices::read("vault", VAULT);
    vault.unwrap_or_else(|error| panic!("{error}"))
}

fn heist() -> App {
    let apprentices = vault().with_tasks(&[("heist.htn", HEIST)], goal_of);
    let mut apprentices = apprentices.unwrap_or_else(|error| panic!("{error}"));
    apprentices
        .say("dark", &[], "true")
        .expect("there is such a variable");
    apprentices.units = 100;
    game(apprentices)
}

/// Somebody whose body does what it is told: what it holds is taken to be as it was ordered.
fn thief(app: &mut App) -> Entity {
    let task = Task::default();
    app.world_mut()
        .spawn((body(Vec2::new(1.0, 2.0)), task))
        .id()
}

fn steps<'a>(told: &[&'a str]) -> Vec<&'a str> {
    told.iter()
        .filter_map(|it| it.strip_prefix("begins "))
        .collect()
}

#[test]
fn a_task_becomes_one_goal_after_the_other() {
    let mut app = heist();
    let thief = thief(&mut app);
    frames(&mut app, 60);
    app.world_mut().write_message(Seen::item("red", false));
    frames(&mut app, 1_500);
    let told = told(&app, thief);
    assert_eq!(told.last(), Some(&"task done"), "{told:?}");
    let steps = steps(&told);
    assert_eq!(steps.first(), Some(&"Wait()"));
    assert_eq!(
        steps[steps.len() - 3..],
        ["Unlock(blue, gate)", "Fetch(crown)", "Leave()"]
    );
    assert!(
        steps.contains(&"Fetch(red)") && steps.contains(&"Fetch(blue)"),
        "{steps:?}"
    );
    let state = app.world().get::<PlanState>(thief).expect("a state");
    assert_eq!(state.task, None);
}

#[test]
fn tasks_that_are_none_are_refused() {
    let mut app = heist();
    let thief = thief(&mut app);
    let apprentices = &mut *app.world_mut().resource_mut::<Apprentices>();
    let wrong = apprentices
        .say("drak", &[], "true")
        .unwrap_err()
        .to_string();
    assert!(wrong.contains("`drak()`"), "{wrong}");
    // By day it cannot be done.
    apprentices
        .say("dark", &[], "false")
        .expect("there is such a variable");
    frames(&mut app, 100);
    let of_thief = told(&app, thief);
    let expected = "Task refused: the problem of the tasks cannot be done, however it is tried";
    assert_eq!(of_thief, [expected]);
    // At night, told again, it can.
    let apprentices = &mut *app.world_mut().resource_mut::<Apprentices>();
    apprentices
        .say("dark", &[], "true")
        .expect("there is such a variable");
    app.world_mut().entity_mut(thief).insert(Task::default());
    frames(&mut app, 1_500);
    assert_eq!(told(&app, thief).last(), Some(&"task done"));
}

#[test]
fn a_broken_domain_changes_nothing_and_another_is_taken_up() {
    let mut app = heist();
    let thief = thief(&mut app);
    frames(&mut app, 30);
    let broken = vec![(
        "heist.htn".to_owned(),
        HEIST.replace("GetIn(), Fetch", "GetOut(), Fetch"),
    )];
    app.world_mut().write_message(Reload::Tasks(broken));
    // Right by itself, but nobody could go on with what they are at.
    let other = vec![("nap.htn".to_owned(), "task Nap() { { true; } }".to_owned())];
    app.world_mut().write_message(Reload::Tasks(other));
    frames(&mut app, 5);
    let said = told_of_nobody(&app);
    assert_eq!(said.len(), 2, "{said:?}");
    assert!(
        said[0].starts_with("Tasks refused: ") && said[0].contains("GetOut"),
        "{said:?}"
    );
    assert!(
        said[1].starts_with("Tasks refused: ") && said[1].contains("no problem"),
        "{said:?}"
    );
    // From now on the crown stays where it is.
    let modest = HEIST.replace("GetIn(), Fetch(crown), Leave()", "GetIn()");
    app.world_mut()
        .write_message(Reload::Tasks(vec![("heist.htn".to_owned(), modest)]));
    frames(&mut app, 800);
    assert_eq!(told_of_nobody(&app)[2..], ["Tasks reloaded"]);
    let told = told(&app, thief);
    assert_eq!(told.last(), Some(&"task done"), "{told:?}");
    assert!(!steps(&told).contains(&"Fetch(crown)"));
}

#[test]
fn files_of_tasks_are_watched() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("heist.htn");
    fs::write(&file, HEIST).expect("it can be written");
    let apprentices = vault().with_task_files(&[&file], goal_of);
    let apprentices = apprentices.unwrap_or_else(|error| panic!("{error}"));
    let mut app = game(apprentices);
    app.add_plugins(ApprenticeWatchPlugin::default());
    frames(&mut app, 20);
    fs::write(&file, HEIST.replace("task Wait()", "task Wiat()")).expect("it can be written");
    frames(&mut app, 20);
    fs::write(&file, HEIST.replace("{ dark; }", "{ true; }")).expect("it can be written");
    frames(&mut app, 20);
    let said = told_of_nobody(&app);
    assert_eq!(said.len(), 2, "{said:?}");
    assert!(
        said[0].starts_with("Tasks refused: ") && said[0].contains("heist.htn"),
        "{said:?}"
    );
    assert_eq!(said[1], "Tasks reloaded");
    // It need not be dark any longer.
    let thief = thief(&mut app);
    frames(&mut app, 1_500);
    assert_eq!(told(&app, thief).last(), Some(&"task done"));
}

#[test]
fn goals_that_are_misspelt_are_refused() {
    let nap = "task Nap() { { true; } } task Snore() { { true; } }";
    let goal_of = |words: &[String]| (words[0] == "Nap").then(|| AskedGoal::All(Vec::new()));
    let apprentices = vault().with_tasks(&[("nap.htn", nap)], goal_of);
    let mut app = game(apprentices.unwrap_or_else(|error| panic!("{error}")));
    let refused = [
        (
            Task::new("ordered(Snap())"),
            "there is no task called `Snap`",
        ),
        (
            Task::new("ordered(Snore())"),
            "nobody said what `Snore()` is to a character",
        ),
        (Task::default(), "there is no problem in the tasks"),
    ];
    let refused = refused.map(|(task, why)| {
        let sleeper = (body(Vec2::new(1.0, 2.0)), task);
        (app.world_mut().spawn(sleeper).id(), why)
    });
    let sleeper = (
        body(Vec2::new(1.0, 2.0)),
        Task::new("ordered(Nap(), Nap())"),
    );
    let sleeper = app.world_mut().spawn(sleeper).id();
    frames(&mut app, 40);
    for (who, why) in refused {
        let told = told(&app, who);
        assert_eq!(told.len(), 1, "{told:?}");
        assert!(
            told[0].starts_with("Task refused: ") && told[0].contains(why),
            "{told:?}"
        );
    }
    let expected = [
        "begins Nap()",
        "arrived",
        "begins Nap()",
        "arrived",
        "task done",
    ];
    assert_eq!(told(&app, sleeper), expected);
}

/// Where a domain knows of nothing better, whoever is stuck waits, and is not told the same in every frame.
#[test]
fn whoever_is_stuck_at_a_step_goes_on_when_it_can() {
    let closed = HALL.replace("'...........'] }", "'.....#.....'] }");
    let fetching = "type Item; instance Item crown;
        fluent bool lying(Item i); fluent bool holding(Item i);
        task Fetch(Item i) { { lying(i) == true :-> false; holding(i) := true; } }
        task Leave() { { holding(crown); } }";
    let apprentices = Apprentices::read("hall", &closed);
    let apprentices = apprentices.and_then(|it| it.with_tasks(&[("fetch.htn", fetching)], goal_of));
    let mut app = game(apprentices.unwrap_or_else(|error| panic!("{error}")));
    app.world_mut().write_message(Seen::door("gate", false));
    let task = Task::new("ordered(Fetch(crown), Leave())");
    let thief = (body(Vec2::new(0.0, 1.0)), task);
    let thief = app.world_mut().spawn(thief).id();
    frames(&mut app, 200);
    let stuck = ["begins Fetch(crown)", "stuck: there is no plan"];
    assert_eq!(told(&app, thief), stuck);
    app.world_mut().write_message(Seen::door("gate", true));
    frames(&mut app, 800);
    let freed = [
        "plan 1",
        "arrived",
        "begins Leave()",
        "plan 2",
        "arrived",
        "task done",
    ];
    assert_eq!(told(&app, thief)[2..], freed);
}
