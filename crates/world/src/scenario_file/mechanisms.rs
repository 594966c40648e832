//! Reads everything on the map that has an id: doors, items, levers, obstacles.

use super::error::{ScenarioError, ScenarioErrorKind};
use super::tables::{Limits, Table};
use super::things::Things;
use crate::{
    Cycle, Door, DoorId, FULL_HEALTH, Item, ItemId, ItemKind, Lever, LeverId, Map, Obstacle, Thing,
};

impl Things<'_> {
    pub(super) fn doors(&mut self) -> Result<Vec<Door>, ScenarioError> {
        let mut doors = Vec::new();
        for table in self.file.tables("door")? {
            table.allow(&["id", "at", "radius", "open", "consume_key", "cycle"])?;
            let id = self.new_id(&table, doors.len(), |number| {
                Thing::Door(DoorId::new(number))
            })?;
            let footings = self.footings(&table, "at", &id)?;
            let radius = self.radius(&table)?;
            let places = self.map.places_along(&footings, radius);
            let cycle = table
                .table("cycle")?
                .map(|cycle| read_cycle(&cycle))
                .transpose()?;
            let at = footings.into_iter().map(|(at, place)| (at, place as usize));
            doors.push(Door {
                id,
                at: at.collect(),
                places,
                starts_open: table.flag("open", false)?,
                consumes_key: table.flag("consume_key", false)?,
                cycle,
                keys: 0,
            });
        }
        Ok(doors)
    }

    pub(super) fn items(&mut self, doors: &mut [Door]) -> Result<Vec<Item>, ScenarioError> {
        let mut items = Vec::new();
        for name in ["key", "shield", "item", "pack"] {
            for table in self.file.tables(name)? {
                let number = items.len();
                let id = self.new_id(&table, number, |number| Thing::Item(ItemId::new(number)))?;
                let kind = match name {
                    "key" => {
                        table.allow(&["id", "at", "opens"])?;
                        for door in self.doors_listed(&table, "opens")? {
                            doors[door.index()].keys |= ItemId::new(number as u8).bit();
                        }
                        ItemKind::Key
                    }
                    "pack" => {
                        table.allow(&["id", "at", "health"])?;
                        let health = Limits::new(0.001, FULL_HEALTH);
                        ItemKind::Pack {
                            health: table.number("health", health, Some(40.0))?,
                        }
                    }
                    _ => {
                        table.allow(&["id", "at"])?;
                        if name == "shield" {
                            ItemKind::Shield
                        } else {
                            ItemKind::Treasure
                        }
                    }
                };
                let (at, place) = self.footing(&table, "at", &id)?;
                items.push(Item {
                    id,
                    kind,
                    at,
                    place,
                });
            }
        }
        Ok(items)
    }

    /// How far around its places something on a navmesh is in the way. On grids it fills its cells.
    pub(super) fn radius(&self, table: &Table<'_>) -> Result<f64, ScenarioError> {
        match self.map {
            Map::Grid(_) if table.get("radius").is_some() => {
                let wrong = ScenarioErrorKind::NoMesh { key: "radius" };
                Err(table.error_at("radius", wrong))
            }
            Map::Grid(_) => Ok(0.0),
            // Narrower ones could be stepped over.
            Map::Mesh(_) => {
                let limits = Limits::new(self.map.spacing(), 100.0);
                table.number("radius", limits, Some(1.0f64.max(self.map.spacing())))
            }
        }
    }

    pub(super) fn levers(&mut self) -> Result<Vec<Lever>, ScenarioError> {
        let mut levers = Vec::new();
        for table in self.file.tables("lever")? {
            table.allow(&["id", "at", "opens", "toggles"])?;
            let id = self.new_id(&table, levers.len(), |number| {
                Thing::Lever(LeverId::new(number))
            })?;
            let bits = |doors: Vec<DoorId>| doors.iter().fold(0, |bits, door| bits | door.bit());
            let opens = bits(self.doors_listed(&table, "opens")?);
            let toggles = bits(self.doors_listed(&table, "toggles")?);
            let (at, place) = self.footing(&table, "at", &id)?;
            levers.push(Lever {
                at,
                place,
                id,
                opens,
                toggles,
            });
        }
        Ok(levers)
    }

    pub(super) fn obstacles(&mut self) -> Result<Vec<Obstacle>, ScenarioError> {
        let mut obstacles: Vec<Obstacle> = Vec::new();
        for table in self.file.tables("obstacle")? {
            table.allow(&["id", "path", "radius", "seconds"])?;
            let id = self.file.reader.string("id", table.need("id")?)?.to_owned();
            let path = self.footings(&table, "path", &id)?;
            let path = path.into_iter().map(|(_, place)| place as usize).collect();
            let dwell = nanoseconds(table.number("seconds", Limits::DURATION, Some(1.0))?);
            let radius = self.radius(&table)?;
            obstacles.push(Obstacle {
                id,
                path,
                dwell,
                radius,
            });
        }
        Ok(obstacles)
    }
}

fn read_cycle(table: &Table<'_>) -> Result<Cycle, ScenarioError> {
    table.allow(&["open", "closed", "offset"])?;
    Ok(Cycle {
        open: nanoseconds(table.number("open", Limits::DURATION, None)?),
        closed: nanoseconds(table.number("closed", Limits::DURATION, None)?),
        offset: nanoseconds(table.number("offset", Limits::new(0.0, 3600.0), Some(0.0))?),
    })
}

pub(super) fn nanoseconds(seconds: f64) -> u64 {
    (seconds * 1e9 + 0.5) as u64
}
