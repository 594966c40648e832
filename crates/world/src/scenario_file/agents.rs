//! Reads who there is: kinds of enemies, enemies, the planned agent and the player.

use std::collections::BTreeMap;

use super::mistakes::{ScenarioError, Wrong};
use super::tables::{Limits, Table};
use super::things::Things;
use crate::{
    Actor, AgentId, Beast, Enemy, FULL_HEALTH, Gait, Guard, Kind, Manner, Scenario, Stance, Thing,
};

/// Enough for any level, and few enough to keep a step quick.
const MOST_ENEMIES: usize = 1000;

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
                return Err(table.error(Wrong::TakenKind { id: name }));
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
    pub(super) fn actors(
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
            Some(value) => self.points("route", "the route", value)?,
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

/// Blows fall in whole milliseconds.
fn whole_milliseconds(seconds: f64) -> f64 {
    (seconds * 1000.0 + 0.5).floor() / 1000.0
}
