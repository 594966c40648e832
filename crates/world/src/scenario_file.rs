//! Reads and checks scenario files.
//!
//! Every mistake is an error with its line and column, the value that is wrong and, where there is
//! one, a suggestion. What has been read needs no further checks.

mod level;
mod midway;
mod mistakes;
mod tables;

use std::collections::BTreeMap;
use std::sync::Arc;

use toml::de::DeTable;

pub use mistakes::{ScenarioError, Wrong};

use crate::scenario_file::tables::{Limits, Reader, Table, Value};
use crate::{
    Actor, AgentId, Beast, Cycle, Door, DoorId, Drawn, Enemy, FULL_HEALTH, Gait, Goal, Guard, Item,
    ItemId, ItemKind, Kind, Lever, LeverId, Manner, Map, Margins, Obstacle, Point, Rules, Scenario,
    Stance, Thing,
};

/// Goals may be nested this deeply; nobody can read more.
const DEEPEST_GOAL: usize = 16;
/// Enough for any level, and few enough to keep a step quick.
const MOST_ENEMIES: usize = 1000;

const KEYS: [&str; 22] = [
    "format",
    "name",
    "start",
    "goal",
    "events",
    "health",
    "undetectable_by",
    "solvable",
    "needs",
    "seed",
    "map",
    "key",
    "door",
    "shield",
    "item",
    "pack",
    "lever",
    "obstacle",
    "enemy",
    "kinds",
    "player",
    "demonstration",
];
const MORE_KEYS: [&str; 5] = ["rules", "margins", "ledge", "link", "midway"];

impl Scenario {
    /// Reads a scenario whose map is written into it.
    ///
    /// ```
    /// use apprentice_world::Scenario;
    ///
    /// let error = Scenario::parse("format = 1\nstrat = [0, 0]\n").unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "line 2, column 1: unknown key `strat` in the file; did you mean `start`?",
    /// );
    /// ```
    pub fn parse(text: &str) -> Result<Scenario, ScenarioError> {
        Scenario::parse_with(text, |_| {
            Err(
                "this reader was given no other files; pass one with Scenario::parse_with"
                    .to_owned(),
            )
        })
    }

    /// Reads a scenario that may name other files. `files` is given a name as it is written and
    /// returns the text of the file, or why there is none.
    ///
    /// ```
    /// use apprentice_world::Scenario;
    ///
    /// let text = r#"
    ///     format = 1
    ///     start = [0, 0]
    ///     goal = { within = { at = [2, 0], radius = 0.0 } }
    ///     map = { file = "hall.map" }
    /// "#;
    /// let scenario = Scenario::parse_with(text, |name| match name {
    ///     "hall.map" => Ok("type octile\nheight 1\nwidth 3\nmap\n...\n".to_owned()),
    ///     _ => Err("no such file".to_owned()),
    /// })?;
    /// assert_eq!(scenario.map().places(), 3);
    /// # Ok::<(), apprentice_world::ScenarioError>(())
    /// ```
    pub fn parse_with(
        text: &str,
        mut files: impl FnMut(&str) -> Result<String, String>,
    ) -> Result<Scenario, ScenarioError> {
        let reader = Reader::new(text);
        let document = DeTable::parse(text).map_err(|error| {
            let place = error.span().map_or(0, |span| span.start);
            reader.error(
                place,
                Wrong::Syntax {
                    message: error.message().replace('\n', ", "),
                },
            )
        })?;
        let file = Table::whole(&reader, document.get_ref());
        read(&file, &mut files)
    }
}

fn read(
    file: &Table<'_>,
    files: &mut dyn FnMut(&str) -> Result<String, String>,
) -> Result<Scenario, ScenarioError> {
    let allowed: Vec<&str> = KEYS.into_iter().chain(MORE_KEYS).collect();
    file.allow(&allowed)?;
    let format = file.need("format")?;
    if file.reader.number("format", format, Limits::ANY)? != 1.0 {
        return Err(file.reader.error(
            format.span().start,
            Wrong::Format {
                found: format_text(format),
            },
        ));
    }
    let map = file.table("map")?.ok_or_else(|| file.missing("map"))?;
    let map = level::read(file, &map, files)?;
    let mut things = Things {
        file,
        map: &map,
        ids: BTreeMap::new(),
    };
    for (number, id) in ["npc", "player"].into_iter().enumerate() {
        things.ids.insert(
            id.to_owned(),
            (None, Thing::Agent(AgentId::Actor(number as u8))),
        );
    }
    let mut doors = things.doors()?;
    let items = things.items(&mut doors)?;
    let levers = things.levers()?;
    let obstacles = things.obstacles()?;
    let kinds = things.kinds()?;
    let mut enemies = things.enemies(&kinds)?;
    let actors = things.actors(&kinds, &mut enemies)?;
    if actors.len() == 1 {
        things.ids.remove("player");
    }
    let goal = things.goal(file.need("goal")?, 0)?;
    let events = things.events(&items, &levers)?;
    let demonstrations = things.demonstrations()?;
    let (mut rules, margins) = (read_rules(file, &map)?, read_margins(file)?);
    if let Some(player) = file.table("player")? {
        rules.player_must_survive = player.flag("must_survive", false)?;
    }
    let needs = things.listed(file, "needs", "item", |thing| match thing {
        Thing::Item(item) => Some(item),
        _ => None,
    })?;
    let name = file
        .get("name")
        .map(|name| file.reader.string("name", name))
        .transpose()?;
    let seed = file
        .get("seed")
        .map(|seed| file.reader.whole("seed", seed, Limits::new(0.0, 9e15)));
    let mut scenario = Scenario {
        name: name.unwrap_or("").to_owned(),
        actors,
        goal,
        items,
        doors,
        levers,
        obstacles,
        enemies,
        demonstrations,
        events,
        rules,
        margins,
        solvable: file.flag("solvable", true)?,
        needs,
        seed: seed.transpose()?.unwrap_or(0),
        absent: 0,
        midway: None,
        tables: Arc::default(),
        map: Arc::new(map),
    };
    scenario.work_out_tables();
    scenario.midway = midway::read(file, &scenario)?.map(Box::new);
    Ok(scenario)
}

fn format_text(value: &Value<'_>) -> String {
    value
        .get_ref()
        .as_integer()
        .map_or_else(|| "?".to_owned(), |number| number.as_str().to_owned())
}

fn read_rules(file: &Table<'_>, map: &Map) -> Result<Rules, ScenarioError> {
    let usual = Rules::usual(map);
    let Some(table) = file.table("rules")? else {
        return Ok(usual);
    };
    table.allow(&["walk", "sneak", "run", "line_of_sight", "block_slows"])?;
    let speed = Limits::new(0.01, 1000.0);
    let walk = table.number("walk", speed, Some(usual.speed(Gait::Walk)))?;
    let sneak = table.number("sneak", speed, Some(walk * 0.5))?;
    let run = Limits::new(0.0, 1000.0);
    let run = table.number("run", run, Some(usual.speed(Gait::Run)))?;
    if sneak > walk {
        let wrong = Wrong::Number {
            key: "sneak".to_owned(),
            found: sneak.to_string(),
            expected: format!("at most the walking speed of {walk}"),
        };
        return Err(table.error_at("sneak", wrong));
    }
    let mut rules = Rules::new([walk, sneak, run], map.spacing());
    rules.line_of_sight = table.flag("line_of_sight", usual.line_of_sight)?;
    rules.block_slows = table.flag("block_slows", false)?;
    Ok(rules)
}

fn read_margins(file: &Table<'_>) -> Result<Margins, ScenarioError> {
    let default = Margins::default();
    let Some(table) = file.table("margins")? else {
        return Ok(default);
    };
    table.allow(&["damage", "radius"])?;
    let factor = Limits::new(1.0, 100.0);
    Ok(Margins {
        damage: table.number("damage", factor, Some(default.damage))?,
        radius: table.number("radius", factor, Some(default.radius))?,
    })
}

/// Reads everything that has an id, and remembers where each was given.
struct Things<'t> {
    file: &'t Table<'t>,
    map: &'t Map,
    /// Where an id was given, and to what.
    ids: BTreeMap<String, (Option<usize>, Thing)>,
}

impl<'t> Things<'t> {
    fn doors(&mut self) -> Result<Vec<Door>, ScenarioError> {
        let mut doors = Vec::new();
        for table in self.file.tables("door")? {
            table.allow(&["id", "at", "radius", "open", "consume_key", "cycle"])?;
            let id = self.new_id(&table, doors.len(), |number| {
                Thing::Door(DoorId::new(number))
            })?;
            let spots = self.spots(&table, "at", &id)?;
            let radius = self.radius(&table)?;
            let places = self.map.places_along(&spots, radius);
            let cycle = table
                .table("cycle")?
                .map(|cycle| read_cycle(&cycle))
                .transpose()?;
            doors.push(Door {
                id,
                places,
                starts_open: table.flag("open", false)?,
                consumes_key: table.flag("consume_key", false)?,
                cycle,
                keys: 0,
            });
        }
        Ok(doors)
    }

    fn items(&mut self, doors: &mut [Door]) -> Result<Vec<Item>, ScenarioError> {
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
                let (at, place) = self.spot(&table, "at", &id)?;
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
    fn radius(&self, table: &Table<'_>) -> Result<f64, ScenarioError> {
        match self.map {
            Map::Grid(_) if table.get("radius").is_some() => {
                let wrong = Wrong::NoMesh { key: "radius" };
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

    fn levers(&mut self) -> Result<Vec<Lever>, ScenarioError> {
        let mut levers = Vec::new();
        for table in self.file.tables("lever")? {
            table.allow(&["id", "at", "opens", "toggles"])?;
            let id = self.new_id(&table, levers.len(), |number| {
                Thing::Lever(LeverId::new(number))
            })?;
            let bits = |doors: Vec<DoorId>| doors.iter().fold(0, |bits, door| bits | door.bit());
            let opens = bits(self.doors_listed(&table, "opens")?);
            let toggles = bits(self.doors_listed(&table, "toggles")?);
            let (at, place) = self.spot(&table, "at", &id)?;
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

    fn obstacles(&mut self) -> Result<Vec<Obstacle>, ScenarioError> {
        let mut obstacles: Vec<Obstacle> = Vec::new();
        for table in self.file.tables("obstacle")? {
            table.allow(&["id", "path", "radius", "seconds"])?;
            let id = self.file.reader.string("id", table.need("id")?)?.to_owned();
            let path = self.spots(&table, "path", &id)?;
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

    fn kinds(&self) -> Result<BTreeMap<String, Kind>, ScenarioError> {
        let known = Kind::KNOWN.into_iter().filter_map(Kind::known);
        let mut kinds: BTreeMap<String, Kind> =
            known.map(|kind| (kind.name.clone(), kind)).collect();
        let Some(own) = self.file.table("kinds")? else {
            return Ok(kinds);
        };
        for (name, table) in own.children()? {
            if Kind::KNOWN.contains(&name.as_str()) {
                return Err(table.error(Wrong::TakenKind { id: name }));
            }
            let kind = read_kind(&name, &table)?;
            kinds.insert(name, kind);
        }
        Ok(kinds)
    }

    fn enemies(&mut self, kinds: &BTreeMap<String, Kind>) -> Result<Vec<Enemy>, ScenarioError> {
        let mut enemies: Vec<Enemy> = Vec::new();
        let mut beasts = 0;
        for table in self.file.tables("enemy")? {
            table.allow(&["id", "kind", "at"])?;
            if enemies.len() == MOST_ENEMIES {
                return Err(table.error(Wrong::TooMany {
                    what: "enemies",
                    most: MOST_ENEMIES,
                }));
            }
            let number = enemies.len() as u16;
            let thing = Thing::Agent(AgentId::Enemy(number));
            let id = self.register(&table, thing)?;
            let kind = table.need("kind")?;
            let name = self.file.reader.string("kind", kind)?;
            let Some(kind) = kinds.get(name) else {
                let names: Vec<&str> = kinds.keys().map(String::as_str).collect();
                return Err(self
                    .file
                    .reader
                    .unknown_id(kind, name, "kind of enemy", &names));
            };
            beasts += usize::from(matches!(kind.manner, Manner::Beast(_)));
            if beasts > Scenario::MOST_BEASTS {
                let what = "enemies that move";
                return Err(table.error(Wrong::TooMany {
                    what,
                    most: Scenario::MOST_BEASTS,
                }));
            }
            let (home, place) = self.foothold(&table, "at", &id)?;
            enemies.push(Enemy {
                kind: kind.clone(),
                home,
                place,
                id,
                ignores: 0,
                slot: None,
                ground: None,
            });
        }
        Ok(enemies)
    }

    /// The planned agent and, if there is one, the player.
    fn actors(
        &self,
        kinds: &BTreeMap<String, Kind>,
        enemies: &mut [Enemy],
    ) -> Result<Vec<Actor>, ScenarioError> {
        let whole_health = Limits::new(0.001, FULL_HEALTH);
        let (start, place) = self.foothold(self.file, "start", "the start")?;
        let mut actors = vec![Actor {
            id: "npc".to_owned(),
            start,
            place,
            stance: Stance::new(Gait::Walk),
            health: self
                .file
                .number("health", whole_health, Some(FULL_HEALTH))?,
            damage: 10.0,
            period: 1.0,
            reach: 1.5,
            route: Vec::new(),
        }];
        self.hide(self.file, 0, kinds, enemies)?;
        let Some(table) = self.file.table("player")? else {
            return Ok(actors);
        };
        table.allow(&[
            "at",
            "health",
            "damage",
            "period",
            "reach",
            "gait",
            "fights",
            "route",
            "undetectable_by",
            "must_survive",
        ])?;
        let gait = match table.get("gait") {
            None => Gait::Walk,
            Some(value) => {
                let name = self.file.reader.string("gait", value)?;
                let names = ["walk", "sneak", "run"];
                let unknown = || self.file.reader.unknown_id(value, name, "gait", &names);
                Gait::from_name(name).ok_or_else(unknown)?
            }
        };
        let stance = Stance::new(gait);
        let route = match table.get("route") {
            Some(value) => self.points("route", value)?,
            None => Vec::new(),
        };
        let (start, place) = self.foothold(&table, "at", "the player")?;
        actors.push(Actor {
            id: "player".to_owned(),
            start,
            place,
            stance: if table.flag("fights", true)? {
                stance.fighting()
            } else {
                stance
            },
            health: table.number("health", whole_health, Some(FULL_HEALTH))?,
            damage: table.number("damage", Limits::DAMAGE, Some(20.0))?,
            period: whole_milliseconds(table.number("period", Limits::WAIT, Some(1.0))?),
            reach: table.number("reach", Limits::LENGTH, Some(1.5))?,
            route,
        });
        self.hide(&table, 1, kinds, enemies)?;
        Ok(actors)
    }

    /// Notes which enemies an actor is beyond the notice of: by id, or all of a kind.
    fn hide(
        &self,
        table: &Table<'_>,
        actor: usize,
        kinds: &BTreeMap<String, Kind>,
        enemies: &mut [Enemy],
    ) -> Result<(), ScenarioError> {
        let Some(value) = table.get("undetectable_by") else {
            return Ok(());
        };
        for value in self.file.reader.list("undetectable_by", value)? {
            let name = self.file.reader.string("undetectable_by", value)?;
            let mut is_known = kinds.contains_key(name);
            for enemy in enemies
                .iter_mut()
                .filter(|enemy| enemy.id == name || enemy.kind.name == name)
            {
                enemy.ignores |= 1 << actor;
                is_known = true;
            }
            if !is_known {
                let ids = enemies.iter().map(|enemy| enemy.id.as_str());
                let names: Vec<&str> = kinds.keys().map(String::as_str).chain(ids).collect();
                return Err(self.file.reader.unknown_id(
                    value,
                    name,
                    "enemy or kind of enemy",
                    &names,
                ));
            }
        }
        Ok(())
    }

    fn goal(&self, value: &Value<'_>, depth: usize) -> Result<Goal, ScenarioError> {
        const WAYS: [&str; 9] = [
            "within",
            "agent_within",
            "dead",
            "holds",
            "lever",
            "open",
            "all",
            "any",
            "not",
        ];
        let reader = self.file.reader;
        let place = value.span().start;
        let table = Table::of(reader, "the goal", "goal", value)?;
        table.allow(&WAYS)?;
        if depth == DEEPEST_GOAL {
            return Err(reader.error(place, Wrong::TooDeep { most: DEEPEST_GOAL }));
        }
        let mut parts = table.entries.iter();
        let (Some((way, value)), None) = (parts.next(), parts.next()) else {
            return Err(reader.error(
                place,
                Wrong::OneOf {
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
                let at = self.place(at_value)?;
                if self.map.places_within(at, radius).is_empty() {
                    let wrong = Wrong::NowhereToStand { at, radius };
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
                    Goal::AgentWithin { agent, at, radius }
                } else {
                    Goal::Within { at, radius }
                }
            }
        })
    }

    /// The events the file names, or every key, shield, item and lever.
    fn events(&self, items: &[Item], levers: &[Lever]) -> Result<Vec<Thing>, ScenarioError> {
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

    fn demonstrations(&self) -> Result<Vec<Drawn>, ScenarioError> {
        let reader = self.file.reader;
        let mut demonstrations = Vec::new();
        for table in self.file.tables("demonstration")? {
            table.allow(&["points", "file"])?;
            demonstrations.push(match (table.get("points"), table.get("file")) {
                (Some(_), Some(file)) => {
                    let wrong = Wrong::Both {
                        first: "points",
                        second: "file",
                    };
                    return Err(reader.error(file.span().start, wrong));
                }
                (None, None) => return Err(table.missing("points")),
                (Some(value), None) => Drawn::Points(self.points("points", value)?),
                (None, Some(value)) => Drawn::File(reader.string("file", value)?.to_owned()),
            });
        }
        Ok(demonstrations)
    }

    /// At least one point. They may lie anywhere.
    fn points(&self, key: &str, value: &Value<'_>) -> Result<Vec<Point>, ScenarioError> {
        let list = self.file.reader.list(key, value)?;
        if list.is_empty() {
            let key = key.to_owned();
            return Err(self
                .file
                .reader
                .error(value.span().start, Wrong::Empty { key }));
        }
        list.iter()
            .map(|point| self.file.reader.point(key, point))
            .collect()
    }

    /// A point on the map.
    fn place(&self, value: &Value<'_>) -> Result<Point, ScenarioError> {
        let reader = self.file.reader;
        let at = reader.point("at", value)?;
        if !self.map.is_on(at) {
            return Err(reader.error(value.span().start, self.off_the_map("the goal", at)));
        }
        Ok(at)
    }

    fn off_the_map(&self, what: &str, at: Point) -> Wrong {
        let (first, last) = self.map.bounds();
        Wrong::OffTheMap {
            what: what.to_owned(),
            at,
            first,
            last,
        }
    }

    /// Where somebody can stand.
    fn spot(
        &self,
        table: &Table<'_>,
        key: &'static str,
        what: &str,
    ) -> Result<(Point, u32), ScenarioError> {
        self.walkable(key, table.need(key)?, what)
    }

    /// The place nearest to where somebody is to stand, and where that is.
    fn foothold(
        &self,
        table: &Table<'_>,
        key: &'static str,
        what: &str,
    ) -> Result<(Point, u32), ScenarioError> {
        let (_, place) = self.spot(table, key, what)?;
        Ok((self.map.point_of(place as usize), place))
    }

    /// At least one place where somebody can stand.
    fn spots(
        &self,
        table: &Table<'_>,
        key: &'static str,
        what: &str,
    ) -> Result<Vec<(Point, u32)>, ScenarioError> {
        let value = table.need(key)?;
        let list = self.file.reader.list(key, value)?;
        if list.is_empty() {
            let key = key.to_owned();
            return Err(self
                .file
                .reader
                .error(value.span().start, Wrong::Empty { key }));
        }
        list.iter()
            .map(|spot| self.walkable(key, spot, what))
            .collect()
    }

    fn walkable(
        &self,
        key: &str,
        value: &Value<'_>,
        what: &str,
    ) -> Result<(Point, u32), ScenarioError> {
        let (at, height) = match self.map {
            Map::Grid(_) => (self.file.reader.point(key, value)?, None),
            Map::Mesh(_) => self.file.reader.spot(key, value)?,
        };
        let error = |wrong| Err(self.file.reader.error(value.span().start, wrong));
        let in_a_wall = || Wrong::InAWall {
            what: what.to_owned(),
            at,
        };
        match self.map {
            Map::Grid(_) if at.x != at.x.floor() || at.y != at.y.floor() => {
                error(Wrong::NotACell {
                    key: key.to_owned(),
                    at,
                })
            }
            Map::Grid(grid) => match grid.cell_at(at) {
                None => error(self.off_the_map(what, at)),
                Some(cell) if !grid.is_free(cell) => error(in_a_wall()),
                Some(cell) => Ok((at, grid.index(cell) as u32)),
            },
            Map::Mesh(mesh) => {
                let (first, last) = mesh.bounds();
                let is_inside =
                    (first.x..=last.x).contains(&at.x) && (first.y..=last.y).contains(&at.y);
                match mesh.footholds.near((at, height)) {
                    Some(place) => Ok((at, place as u32)),
                    None if is_inside => error(in_a_wall()),
                    None => error(self.off_the_map(what, at)),
                }
            }
        }
    }

    /// The id of one of at most 32 things of a sort.
    fn new_id(
        &mut self,
        table: &Table<'_>,
        number: usize,
        thing: impl Fn(u8) -> Thing,
    ) -> Result<String, ScenarioError> {
        if number == Scenario::MOST_THINGS {
            let wrong = Wrong::TooMany {
                what: "items, doors or levers",
                most: Scenario::MOST_THINGS,
            };
            return Err(table.error(wrong));
        }
        self.register(table, thing(number as u8))
    }

    fn register(&mut self, table: &Table<'_>, thing: Thing) -> Result<String, ScenarioError> {
        let reader = self.file.reader;
        let value = table.need("id")?;
        let id = reader.string("id", value)?;
        let place = value.span().start;
        if id.is_empty() {
            return Err(reader.error(
                place,
                Wrong::Empty {
                    key: "id".to_owned(),
                },
            ));
        }
        if let Some((first, _)) = self.ids.get(id) {
            let line = first.map(|first| reader.place(first).0);
            return Err(reader.error(
                place,
                Wrong::TakenId {
                    id: id.to_owned(),
                    line,
                },
            ));
        }
        self.ids.insert(id.to_owned(), (Some(place), thing));
        Ok(id.to_owned())
    }

    fn doors_listed(&self, table: &Table<'_>, key: &str) -> Result<Vec<DoorId>, ScenarioError> {
        self.listed(table, key, "door", |thing| match thing {
            Thing::Door(door) => Some(door),
            _ => None,
        })
    }

    /// Ids of things of one sort; none if the key is missing.
    fn listed<T>(
        &self,
        table: &Table<'_>,
        key: &str,
        sort: &'static str,
        is_it: impl Fn(Thing) -> Option<T>,
    ) -> Result<Vec<T>, ScenarioError> {
        let Some(value) = table.get(key) else {
            return Ok(Vec::new());
        };
        let list = self.file.reader.list(key, value)?;
        list.iter()
            .map(|value| self.one(value, key, sort, &is_it))
            .collect()
    }

    /// The id of a thing of one sort.
    fn one<T>(
        &self,
        value: &Value<'_>,
        key: &str,
        sort: &'static str,
        is_it: impl Fn(Thing) -> Option<T>,
    ) -> Result<T, ScenarioError> {
        let id = self.file.reader.string(key, value)?;
        let found = self.ids.get(id).and_then(|(_, thing)| is_it(*thing));
        found.ok_or_else(|| {
            let fitting = self
                .ids
                .iter()
                .filter(|(_, (_, thing))| is_it(*thing).is_some());
            let names: Vec<&str> = fitting.map(|(name, _)| name.as_str()).collect();
            self.file.reader.unknown_id(value, id, sort, &names)
        })
    }
}

fn read_kind(name: &str, table: &Table<'_>) -> Result<Kind, ScenarioError> {
    const GUARD: [&str; 4] = ["like", "radius", "sneak_radius", "damage"];
    const BEAST: [&str; 11] = [
        "like",
        "health",
        "speed",
        "radius",
        "reach",
        "damage",
        "period",
        "leash",
        "memory",
        "attackers",
        "splash",
    ];
    let like = match table.get("like") {
        None => None,
        Some(value) => {
            let name = table.reader.string("like", value)?;
            let unknown = || {
                table
                    .reader
                    .unknown_id(value, name, "kind of enemy", &Kind::KNOWN)
            };
            Some(Kind::known(name).ok_or_else(unknown)?.manner)
        }
    };
    let manner = match like {
        Some(Manner::Guard(guard)) => {
            table.allow(&GUARD)?;
            let radius = table.number("radius", Limits::LENGTH, Some(guard.radius))?;
            Manner::Guard(Guard {
                radius,
                sneak_radius: table.number(
                    "sneak_radius",
                    Limits::LENGTH,
                    Some(guard.sneak_radius),
                )?,
                damage: table.number("damage", Limits::DAMAGE, Some(guard.damage))?,
            })
        }
        like => {
            table.allow(&BEAST)?;
            let base = match like {
                Some(Manner::Beast(beast)) => Some(beast),
                _ => None,
            };
            let number = |key, limits, of: fn(&Beast) -> f64| {
                table.number(key, limits, base.as_ref().map(of))
            };
            let reach = Limits::new(0.1, 100.0);
            let attackers = Limits::new(1.0, 2.0);
            let attackers_base = base.map_or(1.0, |base| f64::from(base.attackers));
            let attackers = table
                .get("attackers")
                .map(|value| table.reader.whole("attackers", value, attackers));
            Manner::Beast(Beast {
                health: number("health", Limits::new(0.001, 1e6), |base| base.health)?,
                speed: number("speed", Limits::new(0.0, 100.0), |base| base.speed)?,
                radius: number("radius", Limits::LENGTH, |base| base.radius)?,
                reach: number("reach", reach, |base| base.reach)?,
                damage: number("damage", Limits::DAMAGE, |base| base.damage)?,
                period: whole_milliseconds(number("period", Limits::WAIT, |base| base.period)?),
                leash: number("leash", Limits::LENGTH, |base| base.leash)?,
                memory: table.number(
                    "memory",
                    Limits::WAIT,
                    Some(base.map_or(3.0, |base| base.memory)),
                )?,
                attackers: attackers
                    .transpose()?
                    .map_or(attackers_base as u8, |number| number as u8),
                splash: table.number(
                    "splash",
                    Limits::LENGTH,
                    Some(base.map_or(0.0, |base| base.splash)),
                )?,
            })
        }
    };
    Ok(Kind {
        name: name.to_owned(),
        manner,
    })
}

fn read_cycle(table: &Table<'_>) -> Result<Cycle, ScenarioError> {
    table.allow(&["open", "closed", "offset"])?;
    Ok(Cycle {
        open: nanoseconds(table.number("open", Limits::DURATION, None)?),
        closed: nanoseconds(table.number("closed", Limits::DURATION, None)?),
        offset: nanoseconds(table.number("offset", Limits::new(0.0, 3600.0), Some(0.0))?),
    })
}

pub(crate) fn nanoseconds(seconds: f64) -> u64 {
    (seconds * 1e9 + 0.5) as u64
}

/// Blows fall in whole milliseconds.
fn whole_milliseconds(seconds: f64) -> f64 {
    (seconds * 1000.0 + 0.5).floor() / 1000.0
}
