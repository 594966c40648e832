//! A plan in words: steps of one kind become one phrase, and what happens on the way its own.

use apprentice::world::{
    AgentId, Event, Gait, ItemKind, Order, Point, Scenario, Thing, VerifiedStep,
};

use crate::numbers::short;

/// A part of a plan, as people tell it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Phrase {
    /// What is done or happens.
    pub(crate) text: String,
    /// When it is over, in seconds.
    pub(crate) time: f64,
    /// Where the agent is then.
    pub(crate) at: Point,
    pub(crate) sort: Sort,
}

/// What a phrase is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sort {
    /// The agent goes somewhere, or waits.
    Way,
    /// Something happens.
    Happening,
}

/// Tells a plan.
pub(crate) fn tell(scenario: &Scenario, steps: &[VerifiedStep]) -> Vec<Phrase> {
    let mut parts: Vec<Part> = Vec::new();
    for step in steps {
        go_on(&mut parts, step);
        for event in &step.events {
            match *event {
                Event::Hurt { agent, by, damage } => {
                    let health = step.world.health(agent, scenario).max(0.0);
                    hurt(
                        &mut parts,
                        step,
                        Blows {
                            agent,
                            by,
                            damage,
                            count: 1,
                            health,
                        },
                    );
                }
                _ => parts.push(Part {
                    what: What::Event(*event),
                    ..Part::of(step)
                }),
            }
        }
    }
    parts
        .iter()
        .enumerate()
        .map(|(place, part)| part.phrase(scenario, &parts[..place]))
        .collect()
}

/// Part of a plan, before it is put into words.
#[derive(Clone, Copy)]
struct Part {
    what: What,
    time: f64,
    at: Point,
}

#[derive(Clone, Copy)]
enum What {
    /// At this gait, or waiting; blocking or not.
    Way {
        manner: Manner,
    },
    Event(Event),
    Blows(Blows),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Manner {
    Go { gait: Gait, blocks: bool },
    Wait,
}

/// Blows of the same enemy, or against it, in a row.
#[derive(Clone, Copy)]
struct Blows {
    agent: AgentId,
    by: AgentId,
    damage: f64,
    count: u32,
    health: f64,
}

/// The step continues the way, or begins another.
fn go_on(parts: &mut Vec<Part>, step: &VerifiedStep) {
    let manner = match step.order {
        Order::Wait(_) => Manner::Wait,
        Order::Step(_, stance) => Manner::Go {
            gait: stance.gait(),
            blocks: stance.blocks(),
        },
    };
    let part = Part {
        what: What::Way { manner },
        ..Part::of(step)
    };
    match parts.last_mut() {
        Some(Part {
            what: What::Way { manner: last },
            time,
            at,
        }) if *last == manner => {
            (*time, *at) = (part.time, part.at);
        }
        _ => parts.push(part),
    }
}

/// One more blow. A fight that goes on while the agent moves on in the same manner is one phrase.
fn hurt(parts: &mut Vec<Part>, step: &VerifiedStep, blow: Blows) {
    let (before, after) = match parts.as_mut_slice() {
        [
            ..,
            Part {
                what: What::Way { manner: first },
                ..
            },
            Part {
                what: What::Blows(blows),
                ..
            },
            Part {
                what: What::Way { manner: second },
                ..
            },
        ] if first == second && blows.is_same_as(&blow) => (*blows, 3),
        [
            ..,
            Part {
                what: What::Blows(blows),
                ..
            },
        ] if blows.is_same_as(&blow) => (*blows, 1),
        _ => {
            parts.push(Part {
                what: What::Blows(blow),
                ..Part::of(step)
            });
            return;
        }
    };
    let way = parts[parts.len() - 1];
    parts.truncate(parts.len() - after);
    if after == 3 {
        parts.push(way);
    }
    let all = Blows {
        damage: before.damage + blow.damage,
        count: before.count + 1,
        ..blow
    };
    parts.push(Part {
        what: What::Blows(all),
        ..Part::of(step)
    });
}

impl Blows {
    fn is_same_as(&self, other: &Blows) -> bool {
        (self.agent, self.by) == (other.agent, other.by)
    }
}

impl Part {
    fn of(step: &VerifiedStep) -> Part {
        Part {
            what: What::Way {
                manner: Manner::Wait,
            },
            time: step.time.as_seconds(),
            at: step.cell.center(),
        }
    }

    fn phrase(&self, scenario: &Scenario, before: &[Part]) -> Phrase {
        let Part { what, time, at } = *self;
        let (text, sort) = match what {
            What::Way {
                manner: Manner::Wait,
            } => (format!("wait at {at}"), Sort::Way),
            What::Way {
                manner: Manner::Go { gait, blocks },
            } => {
                let blocking = if blocks { ", blocking" } else { "" };
                (format!("{gait} to {at}{blocking}"), Sort::Way)
            }
            What::Event(event) => {
                let by_lever = before
                    .iter()
                    .rev()
                    .take_while(|part| part.time == time)
                    .any(|part| matches!(part.what, What::Event(Event::LeverPulled { .. })));
                (event_phrase(scenario, event, by_lever), Sort::Happening)
            }
            What::Blows(blows) => (blows.phrase(scenario), Sort::Happening),
        };
        Phrase {
            text,
            time,
            at,
            sort,
        }
    }
}

impl Blows {
    fn phrase(&self, scenario: &Scenario) -> String {
        let times = match self.count {
            1 => String::new(),
            count => format!(" {count} times"),
        };
        let (damage, health) = (short(self.damage, 1), short(self.health, 1));
        match (self.agent, self.by) {
            (AgentId::NPC, by) => {
                format!(
                    "hurt by {}{times}: {damage} lost, {health} left",
                    name(scenario, by)
                )
            }
            (agent, AgentId::NPC) => {
                format!(
                    "strike {}{times}: {damage} lost, {health} left",
                    name(scenario, agent)
                )
            }
            (agent, by) => {
                let (agent, by) = (name(scenario, agent), name(scenario, by));
                format!("{by} strikes {agent}{times}: {damage} lost, {health} left")
            }
        }
    }
}

fn event_phrase(scenario: &Scenario, event: Event, by_lever: bool) -> String {
    match event {
        Event::PickedUp { agent, item } => {
            let item = &scenario.items()[item.index()];
            let what = item_name(&item.id, item.kind);
            match (agent, item.kind) {
                (AgentId::NPC, ItemKind::Pack { .. }) => format!("use {what}"),
                (AgentId::NPC, _) => format!("pick up {what}"),
                (other, _) => format!("{} takes {what}", name(scenario, other)),
            }
        }
        Event::DoorOpened { door } => {
            let it = &scenario.doors()[door.index()];
            let what = sorted_name(&it.id, "door");
            if by_lever || it.cycle.is_some() {
                format!("{what} opens")
            } else {
                format!("open {what}")
            }
        }
        Event::DoorClosed { door } => {
            format!(
                "{} shuts",
                sorted_name(&scenario.doors()[door.index()].id, "door")
            )
        }
        Event::LeverPulled { agent, lever } => {
            let what = sorted_name(&scenario.levers()[lever.index()].id, "lever");
            match agent {
                AgentId::NPC => format!("pull {what}"),
                other => format!("{} pulls {what}", name(scenario, other)),
            }
        }
        Event::NoticedBy {
            agent: AgentId::NPC,
            enemy,
        } => {
            format!("noticed by {}", name(scenario, enemy))
        }
        Event::NoticedBy { agent, enemy } => {
            format!(
                "{} notices {}",
                name(scenario, enemy),
                name(scenario, agent)
            )
        }
        Event::Died { agent } => format!("{} dies", name(scenario, agent)),
        Event::TurnedBack {
            agent: AgentId::NPC,
        } => "turn back".to_owned(),
        Event::TurnedBack { agent } => format!("{} turns back", name(scenario, agent)),
        Event::Hurt { agent, by, damage } => {
            let (agent, by) = (name(scenario, agent), name(scenario, by));
            format!("{by} strikes {agent}: {} lost", short(damage, 1))
        }
    }
}

fn name(scenario: &Scenario, agent: AgentId) -> String {
    match agent {
        AgentId::NPC => "the agent".to_owned(),
        other => format!("the {}", plain(scenario.id_of(Thing::Agent(other)))),
    }
}

/// An item as one speaks of it: the red key, the shield, the amulet.
pub(crate) fn item_name(id: &str, kind: ItemKind) -> String {
    match kind {
        ItemKind::Treasure => format!("the {}", plain(id)),
        other => {
            let (id, kind) = (plain(id), other.to_string());
            let last = kind.rsplit(' ').next().unwrap_or(&kind);
            if id.contains(last) {
                format!("the {id}")
            } else {
                format!("the {id} {kind}")
            }
        }
    }
}

/// A thing with its sort in front: door vault, lever north; the lever, if that is all it is called.
fn sorted_name(id: &str, sort: &str) -> String {
    let id = plain(id);
    if id.contains(sort) {
        format!("the {id}")
    } else {
        format!("{sort} {id}")
    }
}

/// Ids are often written with underscores.
pub(crate) fn plain(id: &str) -> String {
    id.replace('_', " ")
}
