//! Tasks for what is in a level, as a text to begin with: its things by their names, the words in
//! which a domain and a level meet, and ways through its doors.

use std::fmt::Write;

use apprentice::htn::language;
use apprentice::world::{DoorId, Goal, Scenario, Thing};

/// What the place of the goal is called: the language has another use for `goal`.
pub(crate) const DESTINATION: &str = "destination";

/// The text.
pub(crate) fn text(scenario: &Scenario) -> String {
    let things = Things::of(scenario);
    let mut text = String::new();
    let name = match scenario.name() {
        "" => "this level",
        name => name,
    };
    let _ = writeln!(
        text,
        "// Tasks for {name}. What a character holds, and what is open, pulled, dead or near it, is so here, too."
    );
    text.push_str("type Thing;\n");
    for (kind, ids) in things.listed() {
        if !ids.is_empty() {
            let _ = writeln!(text, "type {kind} < Thing;");
            let _ = writeln!(text, "instance {kind} {};", ids.join(", "));
        }
    }
    text.push_str("\nfluent bool near(Thing t);\n");
    let words = [
        ("Item", &things.items, "holding"),
        ("Door", &things.doors, "open"),
        ("Lever", &things.levers, "pulled"),
        ("Enemy", &things.enemies, "dead"),
    ];
    for (kind, ids, word) in words {
        if !ids.is_empty() {
            let _ = writeln!(text, "fluent bool {word}({kind} it);");
        }
    }
    let openers = things.openers(scenario);
    if !openers.is_empty() {
        text.push_str("constant bool opens(Thing t, Door d);\n");
    }
    text.push_str(
        "\n// What a task changes here is what the character brings about in the level.\n",
    );
    let has = |kind: fn(&Thing) -> bool| openers.iter().any(|(opener, ..)| kind(opener));
    let has_key = has(|opener| matches!(opener, Thing::Item(_)));
    let has_lever = has(|opener| matches!(opener, Thing::Lever(_)));
    let goes = !openers.is_empty() || things.places.contains(&DESTINATION);
    let steps = [
        ("Go", "Thing", true, "near", goes),
        ("Take", "Item", !things.items.is_empty(), "holding", has_key),
        ("Open", "Door", !things.doors.is_empty(), "open", has_key),
        (
            "Pull",
            "Lever",
            !things.levers.is_empty(),
            "pulled",
            has_lever,
        ),
        ("Defeat", "Enemy", !things.enemies.is_empty(), "dead", false),
    ];
    let there = steps.into_iter().filter(|(_, _, is_there, ..)| *is_there);
    for (task, kind, _, word, is_used) in there {
        let step = format!("task {task}({kind} it) {{ {{ {word}(it) := true; }} }}");
        // What the goal never leads to would be warned of.
        let _ = writeln!(text, "{}{step}", if is_used { "" } else { "// " });
    }
    if !openers.is_empty() {
        text.push_str("\n// Ways through a door, best first.\ntask Enter(Door d) {\n");
        text.push_str("  method it_is_open {\n    open(d);\n    ordered(Go(d));\n  }\n");
        if has_key {
            text.push_str("  method with_a_key {\n    first (Item it) {\n      opens(it, d);\n      holding(it);\n      ordered(Open(d));\n    }\n  }\n");
            text.push_str("  method fetch_a_key {\n    exists (Item it) {\n      opens(it, d);\n      not holding(it);\n      ordered(Take(it), Open(d));\n    }\n  }\n");
        }
        if has_lever {
            text.push_str("  method by_a_lever {\n    exists (Lever it) {\n      opens(it, d);\n      ordered(Pull(it));\n    }\n  }\n");
        }
        text.push_str("}\n");
    }
    text.push_str("\nproblem in_this_level {\n");
    if !openers.is_empty() {
        text.push_str("  init {\n");
        for (_, opener, door) in &openers {
            let _ = writeln!(text, "    opens({opener}, {door}) := true;");
        }
        text.push_str("  }\n");
    }
    let mut doors: Vec<&str> = openers.iter().map(|(_, _, door)| *door).collect();
    doors.dedup();
    let mut goals: Vec<String> = doors.iter().map(|door| format!("Enter({door})")).collect();
    let places = things.places.iter().filter(|place| **place == DESTINATION);
    goals.extend(places.map(|place| format!("Go({place})")));
    let _ = writeln!(text, "  goal ordered({});\n}}", goals.join(", "));
    text
}

/// The things of a level that have names the language can say.
struct Things<'s> {
    items: Vec<&'s str>,
    doors: Vec<&'s str>,
    levers: Vec<&'s str>,
    enemies: Vec<&'s str>,
    others: Vec<&'s str>,
    places: Vec<&'s str>,
}

impl<'s> Things<'s> {
    fn of(scenario: &'s Scenario) -> Things<'s> {
        let named = |id: &&str| language::is_name(id);
        let items = scenario.items().iter().map(|it| &*it.id);
        let doors = scenario.doors().iter().map(|it| &*it.id);
        let levers = scenario.levers().iter().map(|it| &*it.id);
        let enemies = scenario.enemies().iter().map(|it| &*it.id);
        let others = scenario.actors().iter().skip(1).map(|it| &*it.id);
        let leaves = scenario.goal().leaves();
        let has_place = leaves
            .iter()
            .any(|leaf| matches!(leaf, Goal::Within { .. } | Goal::AgentWithin { .. }));
        Things {
            items: items.filter(named).collect(),
            doors: doors.filter(named).collect(),
            levers: levers.filter(named).collect(),
            enemies: enemies.filter(named).collect(),
            others: others.filter(named).collect(),
            places: if has_place {
                vec!["start", DESTINATION]
            } else {
                vec!["start"]
            },
        }
    }

    fn listed(&self) -> [(&'static str, &Vec<&'s str>); 6] {
        [
            ("Item", &self.items),
            ("Door", &self.doors),
            ("Lever", &self.levers),
            ("Enemy", &self.enemies),
            ("Character", &self.others),
            ("Place", &self.places),
        ]
    }

    /// What opens which door.
    fn openers(&self, scenario: &'s Scenario) -> Vec<(Thing, &'s str, &'s str)> {
        let mut openers = Vec::new();
        for (number, door) in (0..).zip(scenario.doors()) {
            let door_id = DoorId::new(number);
            let keys = scenario.keys_of(door_id).map(Thing::Item);
            let levers = scenario.levers_of(door_id).map(Thing::Lever);
            for opener in keys.chain(levers) {
                let id = scenario.id_of(opener);
                if language::is_name(id) && language::is_name(&door.id) {
                    openers.push((opener, id, &*door.id));
                }
            }
        }
        openers
    }
}

#[cfg(test)]
mod tests {
    use apprentice::htn::{LoadedDomain, Planner, language};
    use apprentice::search::Budget;

    use super::*;
    use crate::folder::Folder;
    use crate::level;

    #[test]
    fn the_tasks_of_every_shipped_level_have_no_mistakes_and_a_plan() {
        let folder = Folder::open(&std::env::temp_dir()).expect("there is a folder");
        for found in Folder::built_in() {
            let scenario = level::parse(&folder, &found.path, &found.text).expect("it is shipped");
            let text = text(&scenario);
            let reading = language::read("level.htn", &text);
            assert_eq!(reading.report(), "", "{text}");
            let domain = LoadedDomain::new(reading.model.expect("no mistakes")).expect("it loads");
            let mut planner = Planner::new(domain.initial_state(), domain.goal());
            planner.run(&domain, &mut Budget::units(10_000));
            assert!(planner.plan().is_some(), "{text}");
        }
    }
}
