//! Reads who there is: kinds of enemies, enemies, and those who take orders.

use std::collections::BTreeMap;

use super::error::{ScenarioError, ScenarioErrorKind};
use super::tables::{Limits, Table};
use super::things::Things;
use crate::number_set::NumberSet;
use crate::{
    Actor, AgentId, Beast, Enemy, FULL_HEALTH, Gait, Guard, Kind, Manner, Scenario, Stance, Thing,
};

/// What the tables of those who take orders may say.
const ACTOR_KEYS: [&str; 10] = [
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
];

const WHOLE_HEALTH: Limits = Limits::new(0.001, FULL_HEALTH);

/// What the blows of anybody but the player cost, if the file says nothing else.
const USUAL_DAMAGE: f64 = 10.0;

impl Things<'_> {
    pub(super) fn kinds(&self) -> Result<BTreeMap<String, Kind>, ScenarioError> {
        let known = Kind::KNOWN.into_iter().filter_map(Kind::known);
        let mut kinds: BTreeMap<String, Kind> =
            known.map(|kind| (kind.name.clone(), kind)).collect();
        let Some(own) = self.file.table("kinds")? else {
            return Ok(kinds);
        };
        for (name, table) in own.children()? {
            if Kind::KNOWN.contains(&name.as_str()) {
                return Err(table.error(ScenarioErrorKind::TakenKind { id: name }));
            }
            let kind = read_kind(&name, &table)?;
            kinds.insert(name, kind);
        }
        Ok(kinds)
    }

    pub(super) fn enemies(
        &mut self,
        kinds: &BTreeMap<String, Kind>,
    ) -> Result<Vec<Enemy>, ScenarioError> {
        let mut enemies: Vec<Enemy> = Vec::new();
        for table in self.file.tables("enemy")? {
            table.allow(&["id", "kind", "at"])?;
            if enemies.len() == Scenario::MOST_ENEMIES {
                return Err(table.error(ScenarioErrorKind::TooMany {
                    what: "enemies",
                    most: Scenario::MOST_ENEMIES,
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
            let (home, place) = self.foothold(&table, "at", &id)?;
            enemies.push(Enemy {
                kind: kind.clone(),
                home,
                place,
                id,
                ignores: NumberSet::default(),
                slot: None,
                ground: None,
            });
        }
        Ok(enemies)
    }

    /// The character at `start`, the player if there is one, and all others.
    pub(super) fn actors(
        &mut self,
        kinds: &BTreeMap<String, Kind>,
        enemies: &mut [Enemy],
    ) -> Result<Vec<Actor>, ScenarioError> {
        let (start, place) = self.foothold(self.file, "start", "the start")?;
        let mut actors = vec![Actor {
            id: "npc".to_owned(),
            start,
            place,
            stance: Stance::new(Gait::Walk),
            health: self
                .file
                .number("health", WHOLE_HEALTH, Some(FULL_HEALTH))?,
            damage: USUAL_DAMAGE,
            period: 1.0,
            reach: 1.5,
            route: Vec::new(),
            must_survive: false,
            goal: None,
        }];
        self.hide(self.file, 0, kinds, enemies)?;
        if let Some(table) = self.file.table("player")? {
            table.allow(&ACTOR_KEYS)?;
            actors.push(self.read_actor(&table, "player".to_owned(), "the player", 20.0)?);
            self.hide(&table, 1, kinds, enemies)?;
        }
        for table in self.file.tables("actor")? {
            let own: Vec<&str> = ["id", "goal"].into_iter().chain(ACTOR_KEYS).collect();
            table.allow(&own)?;
            let number = actors.len();
            if number == Scenario::MOST_ACTORS {
                return Err(table.error(ScenarioErrorKind::TooMany {
                    what: "actors, with the character at `start` and the player,",
                    most: Scenario::MOST_ACTORS,
                }));
            }
            let id = self.register(&table, Thing::Agent(AgentId::Actor(number as u16)))?;
            let what = id.clone();
            actors.push(self.read_actor(&table, id, &what, USUAL_DAMAGE)?);
            self.hide(&table, number, kinds, enemies)?;
        }
        Ok(actors)
    }

    /// Somebody who takes orders and has a table of its own.
    fn read_actor(
        &self,
        table: &Table<'_>,
        id: String,
        what: &str,
        damage: f64,
    ) -> Result<Actor, ScenarioError> {
        let stance = self.stance_of(table)?;
        let route = match table.get("route") {
            Some(value) => self.points("route", "the route", value)?,
            None => Vec::new(),
        };
        let (start, place) = self.foothold(table, "at", what)?;
        Ok(Actor {
            id,
            start,
            place,
            stance,
            health: table.number("health", WHOLE_HEALTH, Some(FULL_HEALTH))?,
            damage: table.number("damage", Limits::DAMAGE, Some(damage))?,
            period: whole_milliseconds(table.number("period", Limits::WAIT, Some(1.0))?),
            reach: table.number("reach", Limits::LENGTH, Some(1.5))?,
            route,
            must_survive: table.flag("must_survive", false)?,
            goal: None,
        })
    }

    /// The goals that actors have of their own: read when everybody they may be about is known.
    pub(super) fn goals_of(&self, actors: &mut [Actor]) -> Result<(), ScenarioError> {
        let tables = self.file.tables("actor")?;
        let first = actors.len() - tables.len();
        for (actor, table) in actors[first..].iter_mut().zip(&tables) {
            if let Some(goal) = table.get("goal") {
                actor.goal = Some(self.whole_goal(goal)?);
            }
        }
        Ok(())
    }

    /// Notes which enemies an actor is beyond the notice of: by id, or all of a kind.
    pub(super) fn hide(
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
                enemy.ignores.insert(actor);
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
            let attackers = Limits::new(1.0, f64::from(u8::MAX));
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

/// Blows fall in whole milliseconds.
fn whole_milliseconds(seconds: f64) -> f64 {
    (seconds * 1000.0 + 0.5).floor() / 1000.0
}
