//! The levels people play in: those of the experiments, with a player in them.

use apprentice::experience::Demonstration;
use apprentice::world::{Drawn, Scenario, Spot, Thing, drawn_line};
use serde::Serialize;
use toml_edit::{Array, DocumentMut, Item, Table, value};

use super::design::Map;
use crate::protocol::{Ground, ShownThing};
use crate::scene;

/// How near the goal is near enough, for both: two who wait for each other need room to stand.
pub(crate) const NEAR_GOAL: f64 = 1.5;

/// In front of the bear's den, and behind it: sections of wall that are closed while the line is drawn,
/// and open in the game, so that whoever copies the line and whoever takes the shorter way differ.
const SECTIONS: [&str; 2] = ["western_gap", "southern_gap"];

/// Whether it is drawn on, or played in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Use {
    Drawing,
    Playing,
}

/// A level of the study.
pub(crate) struct Room {
    pub(crate) map: Map,
    pub(crate) scenario: Scenario,
    used: Use,
}

/// What the page draws of it.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct ShownRoom {
    map: Map,
    rows: Vec<String>,
    things: Vec<ShownThing>,
    near_goal: f64,
}

impl Room {
    pub(crate) fn new(map: Map, used: Use) -> Result<Room, String> {
        let text = text(map, used).map_err(|error| error.to_string())?;
        let scenario = Scenario::parse(&text).map_err(|error| error.to_string())?;
        Ok(Room {
            map,
            scenario,
            used,
        })
    }

    /// What characters that learn from demonstrations are shown here: the line that was drawn, where
    /// one is drawn, and otherwise that of the level.
    pub(crate) fn shown(&self, drawn: &[[f64; 2]]) -> Vec<Demonstration> {
        if self.map == Map::BearLever {
            let spots = drawn.iter().map(|[x, y]| Spot {
                x: *x,
                y: *y,
                height: None,
            });
            let spots: Vec<Spot> = spots.collect();
            return vec![drawn_line(&self.scenario, "the line", &spots)];
        }
        let own = self.scenario.demonstrations().iter();
        let own = own.filter_map(|drawn| match drawn {
            Drawn::Points(points) => Some(drawn_line(&self.scenario, "the line", points)),
            Drawn::File { .. } => None,
        });
        own.collect()
    }

    /// What the page draws.
    pub(crate) fn picture(&self) -> ShownRoom {
        let scene = scene::scene(&self.scenario);
        let mut rows: Vec<Vec<char>> = match scene.ground {
            Ground::Grid { rows } => rows.iter().map(|row| row.chars().collect()).collect(),
            Ground::Mesh { .. } => Vec::new(),
        };
        let mut things = scene.things;
        for section in things.iter().filter(|thing| is_section(&thing.id)) {
            let cell = if self.used == Use::Drawing { '#' } else { '.' };
            for [x, y] in &section.at {
                if let Some(there) =
                    (rows.get_mut(*y as usize)).and_then(|row| row.get_mut(*x as usize))
                {
                    *there = cell;
                }
            }
        }
        things.retain(|thing| !is_section(&thing.id));
        ShownRoom {
            map: self.map,
            rows: rows.into_iter().map(String::from_iter).collect(),
            things,
            near_goal: NEAR_GOAL,
        }
    }

    /// Where both are to go.
    pub(crate) fn goal(&self) -> [f64; 2] {
        let goal = scene::scene(&self.scenario).things;
        let goal = goal.iter().find(|thing| thing.kind == "goal");
        goal.map_or([0.0, 0.0], |goal| goal.at[0])
    }

    /// Whether an id is one of a thing that people see.
    pub(crate) fn is_seen(&self, thing: Thing) -> bool {
        !is_section(self.scenario.id_of(thing))
    }
}

fn is_section(id: &str) -> bool {
    SECTIONS.contains(&id)
}

/// The text of the level: that of the experiments, with a player, and a goal with room for two.
fn text(map: Map, used: Use) -> Result<String, toml_edit::TomlError> {
    let (original, player) = match map {
        Map::Practice => (include_str!("../../shipped/empty_tutorial.toml"), [4, 13]),
        Map::FiveDoors => (include_str!("../../shipped/k5d5.toml"), [2, 28]),
        Map::BearLever => (include_str!("../../shipped/bear_lever.toml"), [2, 16]),
    };
    let mut level: DocumentMut = original.parse()?;
    level["goal"]["within"]["radius"] = value(NEAR_GOAL);
    let mut table = Table::new();
    table["at"] = pair(player);
    level["player"] = Item::Table(table);
    if map == Map::BearLever {
        // The lever is nearer to the way in, and the bear deeper in its den, which still hears whoever
        // comes to the lever. So even a character that only ever stays within three cells of the player
        // comes to the lever while the player stands where the bear does not hear them.
        place(&mut level, "lever", "lever", [26, 3]);
        place(&mut level, "enemy", "bear", [35, 2]);
        if used == Use::Drawing {
            for section in SECTIONS {
                if let Some(door) = thing(&mut level, "door", section) {
                    door["open"] = value(false);
                }
            }
        }
    }
    Ok(level.to_string())
}

fn pair([x, y]: [i64; 2]) -> Item {
    value(Array::from_iter([x, y]))
}

fn thing<'a>(level: &'a mut DocumentMut, kind: &str, id: &str) -> Option<&'a mut Table> {
    let things = level.get_mut(kind)?.as_array_of_tables_mut()?;
    things
        .iter_mut()
        .find(|table| table.get("id").and_then(Item::as_str) == Some(id))
}

fn place(level: &mut DocumentMut, kind: &str, id: &str, at: [i64; 2]) {
    if let Some(thing) = thing(level, kind, id) {
        thing["at"] = pair(at);
    }
}

#[cfg(test)]
mod tests {
    use apprentice::world::{AgentId, Manner, Point};

    use super::*;

    fn at(room: &Room, id: &str) -> Point {
        room.scenario.position_of(room.scenario.thing(id).unwrap())
    }

    #[test]
    fn every_room_has_a_player_and_a_goal_with_room_for_two() {
        for map in [Map::Practice, Map::FiveDoors, Map::BearLever] {
            for used in [Use::Drawing, Use::Playing] {
                let room = Room::new(map, used).unwrap();
                assert_eq!(room.scenario.actors().len(), 2, "{map:?}");
                let [x, y] = room.goal();
                let near = room
                    .scenario
                    .map()
                    .places_within(Point::new(x, y), NEAR_GOAL);
                assert!(near.len() >= 4, "{map:?}: {near:?}");
            }
        }
    }

    #[test]
    fn sections_of_wall_are_closed_while_the_line_is_drawn_and_open_in_the_game() {
        let drawing = Room::new(Map::BearLever, Use::Drawing).unwrap();
        let playing = Room::new(Map::BearLever, Use::Playing).unwrap();
        let (closed, open) = (drawing.picture(), playing.picture());
        let differ = |y: usize| closed.rows[y] != open.rows[y];
        let rows: Vec<usize> = (0..30).filter(|y| differ(*y)).collect();
        assert_eq!(rows, [3, 4, 5, 13, 14, 15, 16]);
        assert_eq!(closed.rows[3].as_bytes()[7], b'#');
        assert_eq!(open.rows[3].as_bytes()[7], b'.');
        assert!(closed.things.iter().all(|thing| !is_section(&thing.id)));
        assert!(
            open.things
                .iter()
                .filter(|thing| thing.kind == "door")
                .count()
                == 2
        );
    }

    #[test]
    fn the_bear_hears_who_is_at_the_lever_and_not_who_waits_three_cells_away() {
        let room = Room::new(Map::BearLever, Use::Playing).unwrap();
        let (bear, lever) = (at(&room, "bear"), at(&room, "lever"));
        let Manner::Beast(beast) = &room.scenario.enemies()[0].kind.manner else {
            panic!("a bear is a beast");
        };
        assert!(bear.distance_to(lever) < beast.radius);
        assert!(room.scenario.enemies()[0].ignores(AgentId::NPC));
        assert!(!room.scenario.enemies()[0].ignores(AgentId::PLAYER));
        let map = room.scenario.map();
        let near = map.places_within(lever, 3.0);
        let unheard = near.iter().map(|place| map.point_of(*place));
        let unheard: Vec<Point> = unheard
            .filter(|at| at.distance_to(bear) > beast.radius)
            .collect();
        assert!(unheard.len() >= 3, "{unheard:?}");
    }
}
