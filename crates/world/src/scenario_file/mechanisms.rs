//! Reads everything on the map that has an id: doors, items, traps, levers, obstacles.

use super::error::{ScenarioError, ScenarioErrorKind};
use super::tables::{Limits, Reader, Table, Value};
use super::things::Things;
use crate::{
    AgentId, Area, Cycle, Door, DoorId, FULL_HEALTH, Item, ItemId, ItemKind, Lever, LeverId, Map,
    Obstacle, Scenario, Spot, Thing, Trap, TrapId,
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

    /// Those who mind them are read later, and so are areas.
    pub(super) fn areas(&self) -> Result<Vec<Area>, ScenarioError> {
        let (mut areas, mut lines): (Vec<Area>, Vec<usize>) = (Vec::new(), Vec::new());
        for table in self.file.tables("area")? {
            table.allow(&["id", "from", "to", "at", "radius", "counts", "who"])?;
            let value = table.need("id")?;
            let id = self.file.reader.string("id", value)?.to_owned();
            if let Some(first) = areas.iter().position(|area| area.id == id) {
                let line = Some(lines[first]);
                return Err(table.error_at("id", ScenarioErrorKind::TakenId { id, line }));
            }
            lines.push(self.file.reader.place(value.span().start).0);
            let counts = table.number("counts", Limits::new(Area::LEAST, Area::MOST), None)?;
            let mut places = self.places_of_area(&table, &id)?;
            places.retain(|place| self.map.is_walkable(*place));
            places.sort_unstable();
            places.dedup();
            let actor = |thing| match thing {
                Thing::Agent(agent @ AgentId::Actor(_)) => Some(agent),
                _ => None,
            };
            let who = self.listed(&table, "who", "agent who takes orders", actor)?;
            areas.push(Area {
                id,
                places,
                counts,
                who,
            });
        }
        Ok(areas)
    }

    /// What lies in a rectangle, or around a point.
    fn places_of_area(&self, table: &Table<'_>, id: &str) -> Result<Vec<usize>, ScenarioError> {
        if table.get("at").is_some() {
            let other = ["from", "to"]
                .into_iter()
                .find(|key| table.get(key).is_some());
            if let Some(second) = other {
                let first = "at";
                return Err(table.error_at(second, ScenarioErrorKind::Both { first, second }));
            }
            let at = self.points_of(table, "at", id)?;
            let radius = table.number("radius", Limits::new(0.0, 1e6), Some(2.0))?;
            return Ok(self.map.places_on_floor(at.point(), at.height, radius));
        }
        if table.get("radius").is_some() {
            let (first, second) = ("from", "radius");
            return Err(table.error_at(second, ScenarioErrorKind::Both { first, second }));
        }
        let (from, to) = (
            self.points_of(table, "from", id)?.point(),
            self.points_of(table, "to", id)?.point(),
        );
        let is_between =
            |at: f64, one: f64, other: f64| at >= one.min(other) && at <= one.max(other);
        let is_in = |place: &usize| {
            let at = self.map.point_of(*place);
            is_between(at.x, from.x, to.x) && is_between(at.y, from.y, to.y)
        };
        Ok((0..self.map.places()).filter(is_in).collect())
    }

    fn points_of(
        &self,
        table: &Table<'_>,
        key: &'static str,
        id: &str,
    ) -> Result<Spot, ScenarioError> {
        self.on_a_floor(key, id, table.need(key)?)
    }

    pub(super) fn traps(&mut self) -> Result<Vec<Trap>, ScenarioError> {
        let (mut traps, mut lines): (Vec<Trap>, Vec<usize>) = (Vec::new(), Vec::new());
        for table in self.file.tables("trap")? {
            table.allow(&["id", "at", "radius", "damage", "once"])?;
            if traps.len() == Scenario::MOST_THINGS {
                let most = Scenario::MOST_THINGS;
                return Err(table.error(ScenarioErrorKind::TooMany {
                    what: "traps",
                    most,
                }));
            }
            let value = table.need("id")?;
            let id = self.file.reader.string("id", value)?.to_owned();
            if let Some(first) = traps.iter().position(|trap| trap.id == id) {
                let line = Some(lines[first]);
                return Err(table.error_at("id", ScenarioErrorKind::TakenId { id, line }));
            }
            lines.push(self.file.reader.place(value.span().start).0);
            let footings = self.footings(&table, "at", &id)?;
            let radius = self.radius(&table)?;
            let mut places = self.map.places_along(&footings, radius);
            places.sort_unstable();
            places.dedup();
            let at = footings.into_iter().map(|(at, place)| (at, place as usize));
            traps.push(Trap {
                id,
                at: at.collect(),
                places,
                damage: table.number("damage", Limits::DAMAGE, None)?,
                springs_once: table.flag("once", false)?,
                levers: 0,
            });
        }
        Ok(traps)
    }

    pub(super) fn levers(&mut self, traps: &mut [Trap]) -> Result<Vec<Lever>, ScenarioError> {
        let mut levers = Vec::new();
        for table in self.file.tables("lever")? {
            table.allow(&["id", "at", "opens", "toggles", "disarms"])?;
            let id = self.new_id(&table, levers.len(), |number| {
                Thing::Lever(LeverId::new(number))
            })?;
            let bits = |doors: Vec<DoorId>| doors.iter().fold(0, |bits, door| bits | door.bit());
            let opens = bits(self.doors_listed(&table, "opens")?);
            let toggles = bits(self.doors_listed(&table, "toggles")?);
            if let Some(value) = table.get("disarms") {
                let own = LeverId::new(levers.len() as u8).bit();
                for value in self.file.reader.list("disarms", value)? {
                    let reader = self.file.reader;
                    let trap = trap_named(reader, "disarms", value, traps, |_| true)?;
                    traps[trap.index()].levers |= own;
                }
            }
            let (at, place) = self.footing(&table, "at", &id)?;
            levers.push(Lever {
                at,
                place,
                id,
                opens,
                toggles,
            });
        }
        // States keep both in one number.
        let once = traps.iter().rposition(|trap| trap.springs_once);
        let most = Scenario::MOST_THINGS;
        if let Some(last) = once.filter(|last| levers.len() + last + 1 > most) {
            let what = "levers and traps that hurt only once, together";
            let tables = self.file.tables("trap")?;
            return Err(tables[last].error(ScenarioErrorKind::TooMany { what, most }));
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

/// The trap that a list names.
pub(super) fn trap_named(
    reader: &Reader<'_>,
    key: &str,
    value: &Value<'_>,
    traps: &[Trap],
    is_it: impl Fn(&Trap) -> bool,
) -> Result<TrapId, ScenarioError> {
    let id = reader.string(key, value)?;
    let found = traps.iter().position(|trap| trap.id == id && is_it(trap));
    let found = found.ok_or_else(|| {
        let known = traps.iter().filter(|trap| is_it(trap));
        let known: Vec<&str> = known.map(|trap| trap.id.as_str()).collect();
        reader.unknown_id(value, id, "trap", &known)
    })?;
    Ok(TrapId::new(found as u8))
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
