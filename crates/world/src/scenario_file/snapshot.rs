//! Reads where a run begins that does not begin at the beginning: the `[midway]` table.

use toml::de::DeValue;

use crate::doors;
use crate::enemies::kept;
use crate::packed_world::GRAIN;
use crate::scenario_file::error::{ScenarioError, ScenarioErrorKind};
use crate::scenario_file::mechanisms::nanoseconds;
use crate::scenario_file::tables::{Limits, Table, Value};
use crate::scenario_file::things::{off_the_map, place_to_stand, read_spot};
use crate::world::{ActorState, BeastState};
use crate::{
    Direction, DoorId, FULL_HEALTH, ItemId, LeverId, Map, Mode, Order, Point, Scenario, Spot,
    Thing, World, perception,
};

/// How long something that was put off, or noticed, can lie in the future or the past, in seconds:
/// nobody waits or remembers for longer than a minute, and time passes before it is looked at again.
/// States of searches keep it in two bytes, so it is less than 65.5.
const AGES: f64 = 61.0;

/// What can be said about somebody who takes orders.
const ACTOR_KEYS: [&str; 7] = [
    "does", "moved", "health", "stamina", "holding", "ready_at", "memory",
];

/// How far from an enemy the place can be that it is in, in metres: the nearest in sight, and generous.
const NEAR: f64 = 10.0;

/// How far beside the line an enemy can be that it went along at first, in metres. Its position is
/// rounded at every moment, so that one that is slow, or whose game has short ticks, goes along an
/// axis as long as it is not too far beside its line.
const ASTRAY: [f64; 3] = [1.0, 2.0, 3.0];

/// The world a run begins in, if the file says so.
pub(crate) fn read(file: &Table<'_>, scenario: &Scenario) -> Result<Option<World>, ScenarioError> {
    let Some(table) = file.table("midway")? else {
        return Ok(None);
    };
    table.allow(&[
        "time", "open", "pulled", "gone", "sprung", "npc", "player", "actor", "enemy",
    ])?;
    // Thirty years: more than any run lasts, and nanoseconds still fit into a word.
    let seconds = table.number("time", Limits::new(0.0, 1e9), Some(0.0))?;
    let snapshot = Snapshot { scenario, seconds };
    let mut world = World::at_the_beginning(scenario);
    let exact = table.get("time").and_then(exact_nanoseconds);
    world.time = exact.unwrap_or_else(|| nanoseconds(seconds));
    // What goes by the clock goes by the clock of this run.
    doors::follow_the_clock(&mut world, scenario, &mut ());
    let door = |thing| match thing {
        Thing::Door(door) => Some(DoorId::bit(door)),
        _ => None,
    };
    if let Some(open) = snapshot.set(&table, "open", "door", door)? {
        world.doors = open;
    }
    let lever = |thing| match thing {
        Thing::Lever(lever) => Some(LeverId::bit(lever)),
        _ => None,
    };
    if let Some(pulled) = snapshot.set(&table, "pulled", "lever", lever)? {
        world.levers = pulled;
    }
    if let Some(value) = table.get("sprung") {
        for value in table.reader.list("sprung", value)? {
            let trap = crate::scenario_file::mechanisms::trap_named(
                table.reader,
                "sprung",
                value,
                &scenario.traps,
                |trap| trap.springs_once,
            )?;
            world.sprung |= trap.bit();
        }
    }
    let actors = snapshot.actors(&table)?;
    snapshot.items(&table, &actors, &mut world)?;
    for (number, table) in &actors {
        snapshot.actor(table, *number, &mut world.actors[*number])?;
    }
    if let (Err(_), Some(_)) = (scenario.actor("player"), table.get("player")) {
        let wrong = ScenarioErrorKind::Missing {
            key: "player",
            table: "the file, and [midway] mentions one".to_owned(),
        };
        return Err(table.error_at("player", wrong));
    }
    for table in table.tables("enemy")? {
        let slot = snapshot.slot(&table)?;
        snapshot.beast(&table, slot, &mut world.beasts[slot])?;
    }
    Ok(Some(world))
}

struct Snapshot<'s> {
    scenario: &'s Scenario,
    /// How late it is.
    seconds: f64,
}

impl Snapshot<'_> {
    /// The tables about those who take orders, with their numbers: `[midway.npc]`, `[midway.player]`,
    /// and `[[midway.actor]]` for all others.
    fn actors<'t>(&self, table: &Table<'t>) -> Result<Vec<(usize, Table<'t>)>, ScenarioError> {
        let mut tables = Vec::new();
        for name in ["npc", "player"] {
            let number = self
                .scenario
                .actors
                .iter()
                .position(|actor| actor.id == name);
            if let (Some(number), Some(table)) = (number, table.table(name)?) {
                table.allow(&ACTOR_KEYS)?;
                tables.push((number, table));
            }
        }
        for table in table.tables("actor")? {
            let allowed: Vec<&str> = ["id"].into_iter().chain(ACTOR_KEYS).collect();
            table.allow(&allowed)?;
            let value = table.need("id")?;
            let id = table.reader.string("id", value)?;
            let others = self.scenario.actors.iter().enumerate();
            let others = others.filter(|(_, actor)| !["npc", "player"].contains(&&*actor.id));
            let names: Vec<(usize, &str)> = others.map(|(it, actor)| (it, &*actor.id)).collect();
            let Some((number, _)) = names.iter().find(|(_, name)| *name == id) else {
                let names: Vec<&str> = names.into_iter().map(|(_, name)| name).collect();
                return Err(table.reader.unknown_id(value, id, "actor", &names));
            };
            tables.push((*number, table));
        }
        Ok(tables)
    }

    fn actor(
        &self,
        table: &Table<'_>,
        number: usize,
        state: &mut ActorState,
    ) -> Result<(), ScenarioError> {
        let health = Some(f64::from(state.health));
        state.health = table.number("health", Limits::new(0.0, FULL_HEALTH), health)? as f32;
        if number == 0 && state.health <= 0.0 {
            let wrong = ScenarioErrorKind::Number {
                key: "health".to_owned(),
                found: state.health.to_string(),
                expected: format!(
                    "more than 0, up to {FULL_HEALTH}: nobody plans for a dead character"
                ),
            };
            return Err(table.error_at("health", wrong));
        }
        let stamina = Limits::new(0.0, FULL_HEALTH);
        state.stamina = table.number("stamina", stamina, Some(FULL_HEALTH))? as f32;
        state.ready_at = self.ready_at(table)?;
        let memory = Limits::new(0.0, f64::from(u32::MAX));
        if let Some(value) = table.get("memory") {
            state.memory = table.reader.whole("memory", value, memory)? as u32;
        }
        if let Some(value) = table.get("does") {
            self.does(table, value, number, state)?;
        }
        Ok(())
    }

    /// What somebody is doing, and for how long already.
    fn does(
        &self,
        table: &Table<'_>,
        value: &Value<'_>,
        number: usize,
        state: &mut ActorState,
    ) -> Result<(), ScenarioError> {
        let wrong = |message: String| {
            let wrong = ScenarioErrorKind::Order {
                key: "does",
                message,
            };
            Err(table.reader.error(value.span().start, wrong))
        };
        let order: Order = match table.reader.string("does", value)?.parse() {
            Ok(order) => order,
            Err(error) => return wrong(format!("{error}")),
        };
        state.stance = order.stance();
        let Some(action) = order.action() else {
            return Ok(());
        };
        if number == 0 {
            return wrong("plans begin with a character that stands; write `wait`".to_owned());
        }
        let place = state.place as usize;
        if self.scenario.map.follow(place, action).is_none() {
            return wrong("there is no way; write `wait`".to_owned());
        }
        let takes = self.scenario.time_of(place, action, order.stance());
        let limits = Limits::new(0.0, (takes.saturating_sub(1)) as f64 / 1e9);
        state.moved = nanoseconds(table.number("moved", limits, Some(0.0))?);
        state.step = Some(action);
        Ok(())
    }

    fn beast(
        &self,
        table: &Table<'_>,
        slot: usize,
        state: &mut BeastState,
    ) -> Result<(), ScenarioError> {
        let reader = table.reader;
        if let Some(value) = table.get("at") {
            let spot = read_spot(reader, &self.scenario.map, "at", value)?;
            let at = kept(spot.point());
            state.place = self.place(table, value, spot, slot)?;
            (state.x, state.y) = (at.x as f32, at.y as f32);
        }
        let health = Some(f64::from(state.health));
        state.health = table.number("health", Limits::new(0.0, 1e6), health)? as f32;
        if let Some(value) = table.get("mode") {
            let name = reader.string("mode", value)?;
            let names = Mode::ALL.map(Mode::name);
            let mode = Mode::ALL.into_iter().find(|mode| mode.name() == name);
            state.mode = mode.ok_or_else(|| reader.unknown_id(value, name, "mode", &names))?;
        }
        if let Some(value) = table.get("after") {
            let id = reader.string("after", value)?;
            let actors = &self.scenario.actors;
            let names: Vec<&str> = actors.iter().map(|actor| actor.id.as_str()).collect();
            let target = actors.iter().position(|actor| actor.id == id);
            let target = target.ok_or_else(|| reader.unknown_id(value, id, "agent", &names))?;
            state.target = target as u16;
        }
        state.ready_at = self.ready_at(table)?;
        let seen = Limits::new((self.seconds - AGES).max(0.0), self.seconds);
        state.seen_at = milliseconds(table.number("seen_at", seen, Some(self.seconds))?);
        Ok(())
    }

    /// The place an enemy is in or about to reach. It must be on the map, because it is not moved to
    /// the nearest place; and where its place is not said, it must be where it could be at home.
    ///
    /// Where it is said, the enemy is on its way there, and whatever can happen on the way is
    /// accepted: it cuts corners, its positions are rounded, and no foothold need be near.
    fn place(
        &self,
        table: &Table<'_>,
        value: &Value<'_>,
        spot: Spot,
        slot: usize,
    ) -> Result<u32, ScenarioError> {
        let (map, reader) = (&*self.scenario.map, table.reader);
        let id = reader.string("id", table.need("id")?)?;
        let error = |wrong| reader.error(value.span().start, wrong);
        if !is_on_but_for_rounding(map, kept(spot.point())) {
            return Err(error(off_the_map(map, id, spot.point())));
        }
        let Some(value) = table.get("place") else {
            return Ok(place_to_stand(map, id, spot).map_err(error)? as u32);
        };
        let places = Limits::new(0.0, map.places().saturating_sub(1) as f64);
        let place = reader.whole("place", value, places)? as usize;
        if !map.is_walkable(place) || !self.is_ahead(spot, place, slot) {
            let wrong = ScenarioErrorKind::Number {
                key: "place".to_owned(),
                found: place.to_string(),
                expected: format!("a place one can stand in near {spot}, or leave it out"),
            };
            return Err(reader.error(value.span().start, wrong));
        }
        Ok(place as u32)
    }

    /// Whether an enemy may be in a place or about to reach it: it is near, or on the ground on which
    /// the enemy hunts with no wall before it, and the floor that leads there is the one that is
    /// meant. As long as nothing is in between, an enemy looks a step further at every moment, so
    /// that what it is about to reach may be anywhere on that ground.
    fn is_ahead(&self, spot: Spot, place: usize, slot: usize) -> bool {
        let map = &*self.scenario.map;
        let ground = self.scenario.beast(slot).0.ground.as_deref();
        let is_near = map.point_of(place).distance_to(spot.point()) <= NEAR;
        let mesh = map.mesh();
        let under = mesh.and_then(|mesh| mesh.height_under((spot.point(), place)));
        let is_far_ahead = || {
            ground.is_some_and(|ground| ground.contains(place))
                && is_in_line(map, kept(spot.point()), place)
        };
        (is_near || is_far_ahead())
            && spot.is_on_floor(under.unwrap_or_else(|| map.height_of(place)))
    }

    /// Which of the enemies that move a table is about.
    fn slot(&self, table: &Table<'_>) -> Result<usize, ScenarioError> {
        table.allow(&[
            "id", "at", "place", "health", "mode", "after", "ready_at", "seen_at",
        ])?;
        let value = table.need("id")?;
        let id = table.reader.string("id", value)?;
        let beasts = &self.scenario.tables.beasts;
        let ids: Vec<&str> = beasts
            .iter()
            .map(|number| &*self.scenario.enemies[usize::from(*number)].id)
            .collect();
        let slot = ids.iter().position(|known| *known == id);
        let unknown = || table.reader.unknown_id(value, id, "enemy that moves", &ids);
        slot.ok_or_else(unknown)
    }

    fn ready_at(&self, table: &Table<'_>) -> Result<u64, ScenarioError> {
        let limits = Limits::new(0.0, self.seconds + AGES);
        Ok(milliseconds(table.number("ready_at", limits, Some(0.0))?))
    }

    /// Which items are gone, and who holds the others. What lies on a start is held or used from the
    /// beginning, unless one of the lists says something else about it.
    fn items(
        &self,
        table: &Table<'_>,
        actors: &[(usize, Table<'_>)],
        world: &mut World,
    ) -> Result<(), ScenarioError> {
        let item = |thing| match thing {
            Thing::Item(item) => Some(ItemId::bit(item)),
            _ => None,
        };
        let held = |world: &World| world.actors.iter().fold(0, |held, it| held | it.holding);
        let gone = self.set(table, "gone", "item", item)?;
        let mut holding: Vec<Option<u32>> = vec![None; self.scenario.actors.len()];
        let mut said = gone.unwrap_or(0);
        for (number, own) in actors {
            let held = self.set(own, "holding", "item", item)?;
            let others = holding.iter().flatten().fold(0, |held, it| held | it);
            if held.is_some_and(|held| held & others != 0) {
                let (first, second) = match *number {
                    1 => ("npc.holding", "player.holding"),
                    _ => ("holding", "holding of somebody else"),
                };
                return Err(own.error_at("holding", ScenarioErrorKind::Both { first, second }));
            }
            said |= held.unwrap_or(0);
            holding[*number] = held;
        }
        let gone = gone.unwrap_or(world.taken & !held(world));
        for (actor, holding) in world.actors.iter_mut().zip(holding) {
            actor.holding = holding.unwrap_or(actor.holding & !said);
        }
        world.taken = gone | held(world);
        Ok(())
    }

    /// The things of one sort that a list names, a bit each; `None` if there is no such list.
    fn set(
        &self,
        table: &Table<'_>,
        key: &'static str,
        sort: &'static str,
        bit: impl Fn(Thing) -> Option<u32>,
    ) -> Result<Option<u32>, ScenarioError> {
        let Some(value) = table.get(key) else {
            return Ok(None);
        };
        let mut set = 0;
        for value in table.reader.list(key, value)? {
            let id = table.reader.string(key, value)?;
            let found = self.scenario.thing(id).and_then(&bit);
            set |= found.ok_or_else(|| {
                let things = self.scenario.things();
                let known = things.filter(|thing| bit(*thing).is_some());
                let ids: Vec<&str> = known.map(|thing| self.scenario.id_of(thing)).collect();
                table.reader.unknown_id(value, id, sort, &ids)
            })?;
        }
        Ok(Some(set))
    }
}

/// Whether walls leave an enemy at a point a straight line to a place, or have left it one before it
/// went astray.
fn is_in_line(map: &Map, at: Point, place: usize) -> bool {
    let ahead = (map.point_of(place), place);
    let aside = ASTRAY.into_iter().flat_map(|far| {
        let around = Direction::ALL.map(Direction::offset);
        around.map(|(x, y)| Point::new(at.x + f64::from(x) * far, at.y + f64::from(y) * far))
    });
    let mut by = std::iter::once(at).chain(aside);
    by.any(|by| perception::walls_allow(map, at, by, ahead))
}

/// Whether a point is on the map, or was before it was rounded.
fn is_on_but_for_rounding(map: &Map, at: Point) -> bool {
    let (first, last) = map.bounds();
    let inwards = |at: f64, first: f64, last: f64| {
        let middle = (first + last) / 2.0;
        at + (middle - at).clamp(-GRAIN, GRAIN)
    };
    map.is_on(Point::new(
        inwards(at.x, first.x, last.x),
        inwards(at.y, first.y, last.y),
    ))
}

fn milliseconds(seconds: f64) -> u64 {
    (seconds * 1e3 + 0.5) as u64
}

/// Seconds that are written with at most nine digits behind the point, none of which is lost.
fn exact_nanoseconds(seconds: &Value<'_>) -> Option<u64> {
    let DeValue::Float(seconds) = seconds.get_ref() else {
        return None;
    };
    let (whole, part) = seconds.as_str().split_once('.')?;
    let rest = 9usize.checked_sub(part.len())?;
    let digits = [whole, part].concat();
    let is_plain = digits.bytes().all(|digit| digit.is_ascii_digit());
    let number: u64 = digits.parse().ok().filter(|_| is_plain)?;
    number.checked_mul(10u64.pow(rest as u32))
}
