//! Where a scenario begins midway: what is changed in it is changed in that moment, too.

use apprentice::world::Mode;
use toml_edit::{Array, DocumentMut, Item, Value};

use crate::scenario_text::{Spot, entries_mut, is_called, set, set_place};

/// Where runs begin midway, what is moved is elsewhere then too.
pub(crate) fn move_midway(document: &mut DocumentMut, thing: &str, to: Spot) {
    let midway = document.get_mut("midway").and_then(Item::as_table_like_mut);
    let Some(midway) = midway else {
        return;
    };
    if thing == "player" {
        // A step that had begun elsewhere leads nowhere.
        if let Some(player) = midway.get_mut("player").and_then(Item::as_table_like_mut) {
            player.remove("does");
            player.remove("moved");
        }
    }
    let mut enemies = midway.get_mut("enemy").into_iter().flat_map(entries_mut);
    if let Some(enemy) = enemies.find(|enemy| is_called(*enemy, thing)) {
        set_place(enemy, "at", to);
        // It is in the place nearest to where it is now.
        enemy.remove("place");
    }
}

/// Where runs begin midway, nothing is said about a player who isn't there.
pub(crate) fn remove_midway_player(document: &mut DocumentMut) {
    let midway = document.get_mut("midway").and_then(Item::as_table_like_mut);
    let Some(midway) = midway else {
        return;
    };
    midway.remove("player");
    for enemy in midway.get_mut("enemy").into_iter().flat_map(entries_mut) {
        if enemy.get("after").and_then(Item::as_str) != Some("player") {
            continue;
        }
        // Whoever loses the one it is after gives up and goes home.
        enemy.remove("after");
        enemy.remove("seen_at");
        let mode = enemy.get_mut("mode").and_then(Item::as_value_mut);
        if let Some(mode) = mode
            && [Mode::Pursue, Mode::Attack]
                .iter()
                .any(|hostile| mode.as_str() == Some(hostile.name()))
        {
            let decor = mode.decor().clone();
            *mode = Value::from(Mode::Return.name());
            *mode.decor_mut() = decor;
        }
    }
}

/// Where runs begin midway, a door that is opened is open then too.
pub(crate) fn open_midway(document: &mut DocumentMut, thing: &str, open: bool) {
    let midway = document.get_mut("midway").and_then(Item::as_table_like_mut);
    let Some(midway) = midway else {
        return;
    };
    let listed = midway.get("open").and_then(Item::as_array);
    let listed = listed.into_iter().flat_map(Array::iter);
    let others = listed.filter(|door| door.as_str() != Some(thing)).cloned();
    let mut doors: Array = others.collect();
    if open {
        doors.push(thing);
    }
    set(midway, "open", doors);
}

#[cfg(test)]
mod tests {
    use crate::protocol::Edit;
    use crate::scenario_text::edited;

    const TEXT: &str = r#"format = 1
start = [0, 0] # in the hall
goal = { all = [{ holds = "red" }, { within = { at = [4, 0], radius = 0.0 } }] }
map = { rows = ["....."] }

# Somebody lost it.
[[key]]
id = "red"
at = [1, 0]   # under the carpet
opens = ["gate"]

[[door]]
id = "gate"
at = [[3, 0], [3, 1]]
"#;

    fn move_to(thing: &str, x: f64, y: f64) -> Edit {
        Edit::Move {
            thing: thing.to_owned(),
            x,
            y,
            height: None,
            heights: Vec::new(),
        }
    }

    fn after(text: &str, edits: &[Edit]) -> String {
        edited(text, edits).unwrap().text
    }

    #[test]
    fn what_begins_midway_is_changed_there_too() {
        let text = format!(
            "{TEXT}[[enemy]]\nid = \"bear\"\nkind = \"bear\"\nat = [1, 1]\n\n[midway]\nopen = []\n\n\
             [[midway.enemy]]\nid = \"bear\"\nat = [2.5, 1.0]\nplace = 7\nhealth = 3.0\n"
        );
        let edits = [
            move_to("bear", 4.0, 1.0),
            Edit::Door {
                thing: "gate".to_owned(),
                open: true,
            },
        ];
        let changed = after(&text, &edits);
        let (_, midway) = changed.split_once("[midway]").unwrap();
        let expected =
            "\nopen = [\"gate\"]\n\n[[midway.enemy]]\nid = \"bear\"\nat = [4, 1]\nhealth = 3.0\n";
        assert_eq!(midway, expected);
    }

    #[test]
    fn what_is_moved_to_another_floor_is_there_midway_too() {
        let text = format!(
            "{TEXT}[[enemy]]\nid = \"bear\"\nkind = \"bear\"\nat = [9, 1]\n\n\
             [[midway.enemy]]\nid = \"bear\"\nat = [9.5, 1.0]\nplace = 7\n"
        );
        let to = |thing: &str| Edit::Move {
            thing: thing.to_owned(),
            x: 5.0,
            y: 6.0,
            height: Some(7.25),
            heights: Vec::new(),
        };
        let moved = after(&text, &[to("start"), to("bear")]);
        let expected = text
            .replace("start = [0, 0]", "start = [5, 6, 7.25]")
            .replace("[9, 1]", "[5, 6, 7.25]")
            .replace("[9.5, 1.0]\nplace = 7", "[5, 6, 7.25]");
        assert_eq!(moved, expected);
    }

    #[test]
    fn without_a_player_nothing_is_said_about_one_midway() {
        let text = format!(
            "{TEXT}[player]\nat = [1, 1]\n\n[midway]\ntime = 2.0\n\n[midway.player]\nhealth = 3.0\n\n\
             [[midway.enemy]]\nid = \"bear\"\nmode = \"pursue\" # cross\nafter = \"player\"\nseen_at = 1.5\n\n\
             [[midway.enemy]]\nid = \"wolf\"\nmode = \"attack\"\nafter = \"npc\"\nseen_at = 1.5\n\n\
             [[midway.enemy]]\nid = \"lazy\"\nmode = \"idle\"\nafter = \"player\"\n"
        );
        let changed = after(&text, &[Edit::RemovePlayer]);
        let expected = "[[midway.enemy]]\nid = \"bear\"\nmode = \"return\" # cross\n\n\
             [[midway.enemy]]\nid = \"wolf\"\nmode = \"attack\"\nafter = \"npc\"\nseen_at = 1.5\n\n\
             [[midway.enemy]]\nid = \"lazy\"\nmode = \"idle\"\n";
        assert!(!changed.contains("player"), "{changed}");
        assert!(changed.ends_with(expected), "{changed}");
    }

    #[test]
    fn what_begins_midway_in_one_line_is_changed_there_too() {
        let text = format!(
            "{TEXT}[[enemy]]\nid = \"bear\"\nkind = \"bear\"\nat = [1, 1]\n\n[midway]\n\
             enemy = [{{ id = \"bear\", at = [2.5, 1.0], place = 7, after = \"player\" }}]\n"
        );
        let changed = after(&text, &[move_to("bear", 4.0, 1.0), Edit::RemovePlayer]);
        let (_, midway) = changed.split_once("[midway]").unwrap();
        let is_moved = midway.contains("at = [4, 1]") && !midway.contains("place");
        assert!(is_moved && !midway.contains("after"), "{midway}");
    }
}
