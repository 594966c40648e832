//! Where an adviser is wrong, a search tries each way into the dead end once, not once for every moment.

use std::fmt::Write;

use apprentice_behavior::Settings;
use apprentice_search::{Budget, Search, Statistics, Status};
use apprentice_world::{AnyQuest, Quest, Scenario};

/// What it takes `auto` to plan a level, and how many steps the plan has.
fn taken(text: &str) -> (Statistics, usize) {
    let scenario = Scenario::parse(text).unwrap_or_else(|error| panic!("{error}"));
    let planner = Settings::default().check(&scenario, []).unwrap().planner;
    fn run<Q: Quest + 'static>(
        quest: &Q,
        planner: &apprentice_behavior::Planner,
    ) -> (Statistics, usize) {
        let mut search = planner.search(quest).unwrap().search;
        let status = search.run(quest, &mut Budget::units(4_000_000));
        assert_eq!(status, Status::Finished);
        let steps = search.path().unwrap().steps.len();
        (search.statistics().clone(), steps)
    }
    match scenario.quest() {
        AnyQuest::Still(quest) => run(&quest, &planner),
        AnyQuest::Moving(quest) => run(&quest, &planner),
    }
}

/// Somebody who paces far away all the time.
fn pacing() -> String {
    let mut route = String::from("player = { at = [1, 12], fights = false, route = [");
    for round in 0..60 {
        let x = if round % 2 == 0 { 28 } else { 1 };
        let _ = write!(route, "[{x}, 12], ");
    }
    route.push_str("] }\n");
    route
}

/// A killer bear sleeps in the short way; the long one leads round a wall.
fn bear_in_the_way(more: &str) -> String {
    let rows = [
        "##############################",
        "#............................#",
        "#.##########################.#",
        "#.##########################.#",
        "#.##########################.#",
        "#.#####..............#######.#",
        "#.#####..............#######.#",
        "#............................#",
        "#######..............#########",
        "#######..............#########",
        "##############################",
        "##############################",
        "#............................#",
        "##############################",
    ];
    let rows: Vec<String> = rows.iter().map(|row| format!("\"{row}\"")).collect();
    format!(
        "format = 1\nstart = [1, 7]\ngoal = {{ within = {{ at = [28, 7], radius = 0.0 }} }}\n{more}\
         map = {{ rows = [{}] }}\nrules = {{ line_of_sight = true }}\n\
         kinds.sleeper = {{ like = \"killer_bear\", radius = 6, leash = 9 }}\n\
         enemy = [{{ id = \"grim\", kind = \"sleeper\", at = [14, 7] }}]\n",
        rows.join(", ")
    )
}

#[test]
fn somebody_who_paces_far_away_makes_a_dead_end_no_deeper() {
    let (alone, _) = taken(&bear_in_the_way(""));
    let (beside, _) = taken(&bear_in_the_way(&pacing()));
    assert!(
        beside.expanded <= 8 * alone.expanded.max(128),
        "{} expansions beside somebody who paces, {} without",
        beside.expanded,
        alone.expanded
    );
}

/// Two rooms and a passage, one behind the other, with a lever in the first doorway or behind it.
fn lever_at(y: u32) -> String {
    let room = ".".repeat(40);
    let first = format!("{}.{}", "#".repeat(20), "#".repeat(19));
    let second = format!("{}.", "#".repeat(39));
    let rows = (0..21).map(|row| match row {
        8 => format!("'{first}'"),
        17 => format!("'{second}'"),
        _ => format!("'{room}'"),
    });
    let rows: Vec<String> = rows.collect();
    format!(
        r#"
        format = 1
        start = [0, 0]
        goal = {{ within = {{ at = [0, 18], radius = 0.0 }} }}
        map = {{ rows = [{}] }}
        door = [{{ id = "first", at = [[20, 8]] }}, {{ id = "second", at = [[39, 17]] }}]
        key = [{{ id = "far", at = [39, 0], opens = ["first"] }}]
        lever = [{{ id = "winch", at = [20, {y}], opens = ["second"] }}]
        "#,
        rows.join(", ")
    )
}

/// A lever in a doorway is no lever before the door is open.
#[test]
fn what_lies_in_a_doorway_waits_for_its_door() {
    let (behind, _) = taken(&lever_at(9));
    let (inside, _) = taken(&lever_at(8));
    assert!(
        inside.expanded * 2 <= behind.expanded * 3,
        "{} expansions where it lies in the doorway, {} behind it",
        inside.expanded,
        behind.expanded
    );
}
