//! What happens, as one word: what it was, and to or with what.

use apprentice_world::{Event, Scenario, Thing};

use crate::numbers::short;

/// An event as one word; in front of it who, unless it is the planned agent. Plans and logs
/// bear the same words.
pub fn word(scenario: &Scenario, event: Event) -> String {
    let id = |thing: Thing| scenario.id_of(thing);
    let (agent, text) = match event {
        Event::PickedUp { agent, item } => (agent, format!("picked_up:{}", id(Thing::Item(item)))),
        Event::DoorOpened { door } => {
            let text = format!("door_opened:{}", id(Thing::Door(door)));
            (scenario.agent(), text)
        }
        Event::DoorClosed { door } => {
            let text = format!("door_closed:{}", id(Thing::Door(door)));
            (scenario.agent(), text)
        }
        Event::LeverPulled { agent, lever } => {
            (agent, format!("lever_pulled:{}", id(Thing::Lever(lever))))
        }
        Event::NoticedBy { agent, enemy } => {
            (agent, format!("noticed_by:{}", id(Thing::Agent(enemy))))
        }
        Event::Hurt { agent, by, damage } => {
            let (by, damage) = (id(Thing::Agent(by)), short(damage, 3));
            (agent, format!("hurt_by:{by}:{damage}"))
        }
        Event::Trapped {
            agent,
            trap,
            damage,
        } => {
            let trap = &scenario.traps()[trap.index()].id;
            (agent, format!("trapped_by:{trap}:{}", short(damage, 3)))
        }
        Event::Died { agent } => (agent, "died".to_owned()),
        Event::TurnedBack { agent } => (agent, "turned_back".to_owned()),
    };
    match agent {
        agent if agent == scenario.agent() => text,
        other => format!("{}:{text}", id(Thing::Agent(other))),
    }
}

/// All of them.
pub fn words(scenario: &Scenario, events: &[Event]) -> Vec<String> {
    events.iter().map(|event| word(scenario, *event)).collect()
}
