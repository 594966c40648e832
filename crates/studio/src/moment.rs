//! A moment of a game as a scenario of its own, so that it can be a test: what is held lies on the
//! start, what is open starts open, everybody is where they were.

use apprentice::world::{
    AgentId, DoorId, FULL_HEALTH, ItemId, ItemKind, LeverId, Manner, Point, Scenario, Thing, World,
};
use toml_edit::{Array, DocumentMut, Item, TableLike, Value, value};

use crate::protocol::Edit;
use crate::{scenario_text, scene};

/// The text of the moment, and what of it a scenario cannot say.
pub(crate) fn text(
    scenario: &Scenario,
    world: &World,
    text: &str,
    name: &str,
) -> Result<(String, Vec<String>), String> {
    let mut notes = Vec::new();
    let mut edits = Vec::new();
    let mut gone: Vec<String> = Vec::new();
    let start = scene::footing(scenario, world);
    edits.push(move_to("start", start));
    for (number, item) in (0..).zip(scenario.items()) {
        let id = ItemId::new(number);
        let holder = [AgentId::NPC, AgentId::PLAYER]
            .into_iter()
            .find(|agent| world.holds(*agent, id));
        if let Some(agent) = holder {
            edits.push(move_to(&item.id, footing(scenario, world, agent)));
        } else if !world.is_lying(id) {
            gone.push(item.id.clone());
            if !matches!(item.kind, ItemKind::Pack { .. }) {
                notes.push(format!("`{}` is gone and left out", item.id));
            }
        }
    }
    for (number, door) in (0..).zip(scenario.doors()) {
        let id = DoorId::new(number);
        if door.cycle.is_some() {
            notes.push(format!("`{}` begins its times of opening anew", door.id));
        } else if world.is_open(id) != door.starts_open {
            let (thing, open) = (door.id.clone(), world.is_open(id));
            edits.push(Edit::Door { thing, open });
        }
    }
    for (number, lever) in (0..).zip(scenario.levers()) {
        if world.is_on(LeverId::new(number)) {
            gone.push(lever.id.clone());
        }
    }
    for (number, enemy) in (0..).zip(scenario.enemies()) {
        let agent = AgentId::Enemy(number);
        let Manner::Beast(beast) = &enemy.kind.manner else {
            continue;
        };
        if world.is_dead(agent, scenario) {
            gone.push(enemy.id.clone());
            continue;
        }
        edits.push(move_to(&enemy.id, footing(scenario, world, agent)));
        if world.health(agent, scenario) < beast.health {
            notes.push(format!("`{}` is unhurt again", enemy.id));
        }
    }
    if scenario.actors().len() > 1 {
        edits.push(move_to("player", footing(scenario, world, AgentId::PLAYER)));
    }
    let edited = scenario_text::edited(text, &edits)?;
    let health = |agent| world.health(agent, scenario).clamp(0.001, FULL_HEALTH);
    let changed = scenario_text::changed(&edited, |document| {
        document.insert("name", value(name));
        document.insert("health", value(health(AgentId::NPC)));
        if let Some(player) = document.get_mut("player").and_then(Item::as_table_like_mut) {
            player.insert("health", value(health(AgentId::PLAYER)));
        }
        document.remove("demonstration");
        document.remove("needs");
        for id in &gone {
            remove(document, id);
        }
    })?;
    Ok((changed, notes))
}

fn move_to(thing: &str, at: Point) -> Edit {
    Edit::Move {
        thing: thing.to_owned(),
        x: at.x,
        y: at.y,
    }
}

/// The middle of the place somebody is in.
fn footing(scenario: &Scenario, world: &World, agent: AgentId) -> Point {
    if agent == AgentId::NPC {
        return scene::footing(scenario, world);
    }
    let place = scenario.map().place_at(world.position(agent, scenario));
    place.map_or_else(
        || scenario.position_of(Thing::Agent(agent)),
        |place| scene::point_of(scenario, place),
    )
}

/// Takes a thing out of the lists it is in, and out of the events.
fn remove(document: &mut DocumentMut, id: &str) {
    let is_it = |table: &dyn TableLike| table.get("id").and_then(Item::as_str) == Some(id);
    for list in ["key", "shield", "item", "pack", "lever", "enemy"] {
        match document.get_mut(list) {
            Some(Item::ArrayOfTables(tables)) => tables.retain(|table| !is_it(table)),
            Some(Item::Value(Value::Array(array))) => {
                array.retain(|entry| !entry.as_inline_table().is_some_and(|table| is_it(table)));
            }
            _ => {}
        }
    }
    for list in ["events", "undetectable_by"] {
        if let Some(array) = document.get_mut(list).and_then(Item::as_array_mut) {
            let left = array.iter().filter(|name| name.as_str() != Some(id));
            let left: Array = left.cloned().collect();
            *array = left;
        }
    }
}
