//! Reads what is to be achieved, what matters on the way, and how somebody did it.

use super::error::{ScenarioError, ScenarioErrorKind};
use super::tables::{Limits, Table, Value};
use super::things::Things;
use crate::{AgentId, Drawing, Goal, Item, ItemId, ItemKind, Lever, LeverId, Thing};

/// Goals may be nested this deeply; nobody can read more.
const DEEPEST_GOAL: usize = 16;

impl Things<'_> {
    /// A whole goal.
    pub(super) fn whole_goal(&self, value: &Value<'_>) -> Result<Goal, ScenarioError> {
        let goal = self.goal(value, 0)?;
        if let Err(error) = goal.check_order() {
            let message = error.to_string();
            let wrong = ScenarioErrorKind::Order {
                key: "in_order",
                message,
            };
            return Err(self.file.reader.error(value.span().start, wrong));
        }
        Ok(goal)
    }

    fn goal(&self, value: &Value<'_>, depth: usize) -> Result<Goal, ScenarioError> {
        const WAYS: [&str; 11] = [
            "within",
            "agent_within",
            "near",
            "dead",
            "holds",
            "lever",
            "open",
            "all",
            "any",
            "not",
            "in_order",
        ];
        let reader = self.file.reader;
        let place = value.span().start;
        let table = Table::of(reader, "the goal", "goal", value)?;
        table.allow(&WAYS)?;
        if depth == DEEPEST_GOAL {
            return Err(reader.error(place, ScenarioErrorKind::TooDeep { most: DEEPEST_GOAL }));
        }
        let mut parts = table.entries.iter();
        let (Some((way, value)), None) = (parts.next(), parts.next()) else {
            return Err(reader.error(
                place,
                ScenarioErrorKind::OneOf {
                    keys: WAYS.join("`, `"),
                },
            ));
        };
        let way: &str = way.get_ref();
        let goals = |value: &Value<'_>| {
            let list = reader.list(way, value)?;
            let goals = list.iter().map(|goal| self.goal(goal, depth + 1));
            goals.collect::<Result<Vec<_>, _>>()
        };
        Ok(match way {
            "all" => Goal::All(goals(value)?),
            "any" => Goal::Any(goals(value)?),
            "in_order" => Goal::in_order(goals(value)?),
            "not" => Goal::Not(Box::new(self.goal(value, depth + 1)?)),
            "dead" => Goal::Dead(self.one(value, "dead", "agent", |thing| match thing {
                Thing::Agent(agent) => Some(agent),
                _ => None,
            })?),
            "holds" => Goal::Holds(self.one(value, "holds", "item", |thing| match thing {
                Thing::Item(item) => Some(item),
                _ => None,
            })?),
            "lever" => Goal::LeverOn(self.one(value, "lever", "lever", |thing| match thing {
                Thing::Lever(lever) => Some(lever),
                _ => None,
            })?),
            "open" => Goal::DoorOpen(self.one(value, "open", "door", |thing| match thing {
                Thing::Door(door) => Some(door),
                _ => None,
            })?),
            "near" => {
                let table = Table::of(reader, "the goal", way, value)?;
                table.allow(&["agent", "radius"])?;
                let radius = table.number("radius", Limits::new(0.0, 1e6), Some(2.0))?;
                let agent = self.one(
                    table.need("agent")?,
                    "agent",
                    "agent",
                    |thing| match thing {
                        Thing::Agent(agent) => Some(agent),
                        _ => None,
                    },
                )?;
                Goal::Near { agent, radius }
            }
            _ => {
                let table = Table::of(reader, "the goal", way, value)?;
                let with_agent = way == "agent_within";
                table.allow(if with_agent {
                    &["agent", "at", "radius"]
                } else {
                    &["at", "radius"]
                })?;
                let radius = table.number("radius", Limits::new(0.0, 1e6), Some(2.0))?;
                let at_value = table.need("at")?;
                let spot = self.goal_place(at_value)?;
                let (at, height) = (spot.point(), spot.height);
                if self.map.places_on_floor(at, height, radius).is_empty() {
                    let wrong = ScenarioErrorKind::NowhereToStand { at, radius };
                    return Err(reader.error(at_value.span().start, wrong));
                }
                if with_agent {
                    let agent =
                        self.one(
                            table.need("agent")?,
                            "agent",
                            "agent",
                            |thing| match thing {
                                Thing::Agent(agent) => Some(agent),
                                _ => None,
                            },
                        )?;
                    Goal::AgentWithin {
                        agent,
                        at,
                        height,
                        radius,
                    }
                } else {
                    Goal::Within { at, height, radius }
                }
            }
        })
    }

    /// The events the file names, or every key, shield, item and lever.
    pub(super) fn events(
        &self,
        items: &[Item],
        levers: &[Lever],
    ) -> Result<Vec<Thing>, ScenarioError> {
        if self.file.get("events").is_some() {
            return self.listed(self.file, "events", "item, door, lever or enemy", |thing| {
                match thing {
                    Thing::Agent(AgentId::Actor(_)) => None,
                    thing => Some(thing),
                }
            });
        }
        let is_event = |item: &Item| !matches!(item.kind, ItemKind::Pack { .. });
        let items = items.iter().enumerate().filter(|(_, item)| is_event(item));
        let mut events: Vec<Thing> = items
            .map(|(number, _)| Thing::Item(ItemId::new(number as u8)))
            .collect();
        events.extend((0..levers.len() as u8).map(|number| Thing::Lever(LeverId::new(number))));
        Ok(events)
    }

    pub(super) fn drawings(&self) -> Result<Vec<Drawing>, ScenarioError> {
        let reader = self.file.reader;
        let mut drawings = Vec::new();
        for table in self.file.tables("demonstration")? {
            table.allow(&["points", "file", "name", "used"])?;
            let name = table.get("name");
            let name = name.map(|name| reader.string("name", name)).transpose()?;
            drawings.push(Drawing {
                name: name.map(ToOwned::to_owned),
                is_used: table.flag("used", true)?,
                drawn: self.shown(&table, "the demonstration")?,
            });
        }
        Ok(drawings)
    }
}
