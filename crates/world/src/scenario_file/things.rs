//! Which ids a file gives to what, and whether what it says about places and ids can be true.

use std::collections::BTreeMap;

use super::mistakes::{ScenarioError, Wrong};
use super::tables::{Table, Value};
use crate::map::is_same_floor;
use crate::{DoorId, Map, NavMesh, Point, Scenario, Thing};

/// Reads everything that has an id, and remembers where each was given.
pub(super) struct Things<'t> {
    pub(super) file: &'t Table<'t>,
    pub(super) map: &'t Map,
    /// Where an id was given, and to what.
    pub(super) ids: BTreeMap<String, (Option<usize>, Thing)>,
}

impl Things<'_> {
    /// The id of one of at most 32 things of a sort.
    pub(super) fn new_id(
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

    pub(super) fn register(
        &mut self,
        table: &Table<'_>,
        thing: Thing,
    ) -> Result<String, ScenarioError> {
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

    pub(super) fn doors_listed(
        &self,
        table: &Table<'_>,
        key: &str,
    ) -> Result<Vec<DoorId>, ScenarioError> {
        self.listed(table, key, "door", |thing| match thing {
            Thing::Door(door) => Some(door),
            _ => None,
        })
    }

    /// Things of things of one sort; none if the key is missing.
    pub(super) fn listed<T>(
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
    pub(super) fn one<T>(
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

    /// At least one point. They may lie anywhere.
    pub(super) fn points(&self, key: &str, value: &Value<'_>) -> Result<Vec<Point>, ScenarioError> {
        let list = self.file.reader.places(key, value)?;
        list.iter()
            .map(|point| self.file.reader.point(key, point))
            .collect()
    }

    /// A point on the map, and how high the floor is on which it lies, where floors differ.
    pub(super) fn goal_place(
        &self,
        value: &Value<'_>,
    ) -> Result<(Point, Option<f64>), ScenarioError> {
        let reader = self.file.reader;
        let (at, height) = self.point_and_height("at", value)?;
        if !self.map.is_on(at) {
            return Err(reader.error(value.span().start, self.off_the_map("the goal", at)));
        }
        let Some(mesh) = self.map.mesh().filter(|mesh| !mesh.is_flat()) else {
            return Ok((at, None));
        };
        // Inside a rock a goal may have a wide radius and no floor of its own.
        let Some(place) = mesh.footholds.near((at, height)) else {
            return Ok((at, height));
        };
        self.check_floor(mesh, place, "the goal", (at, height), value)?;
        Ok((at, Some(mesh.height_of(place))))
    }

    /// A point; on a mesh it may say how high it is.
    fn point_and_height(
        &self,
        key: &str,
        value: &Value<'_>,
    ) -> Result<(Point, Option<f64>), ScenarioError> {
        match self.map {
            Map::Grid(_) => Ok((self.file.reader.point(key, value)?, None)),
            Map::Mesh(_) => self.file.reader.spot(key, value),
        }
    }

    /// Whether the foothold found for a point is as high as the file says the point is.
    fn check_floor(
        &self,
        mesh: &NavMesh,
        place: usize,
        what: &str,
        (at, height): (Point, Option<f64>),
        value: &Value<'_>,
    ) -> Result<(), ScenarioError> {
        // Nobody measures a level finer than that.
        let floor = (mesh.height_of(place) * 100.0).round() / 100.0;
        match height {
            Some(height) if !is_same_floor(height, floor) => {
                let what = what.to_owned();
                let wrong = Wrong::NoFloor {
                    what,
                    at,
                    height,
                    floor,
                };
                Err(self.file.reader.error(value.span().start, wrong))
            }
            _ => Ok(()),
        }
    }

    pub(super) fn off_the_map(&self, what: &str, at: Point) -> Wrong {
        let (first, last) = self.map.bounds();
        Wrong::OffTheMap {
            what: what.to_owned(),
            at,
            first,
            last,
        }
    }

    /// Where somebody can stand.
    pub(super) fn spot(
        &self,
        table: &Table<'_>,
        key: &'static str,
        what: &str,
    ) -> Result<(Point, u32), ScenarioError> {
        self.walkable(key, table.need(key)?, what)
    }

    /// The place nearest to where somebody is to stand, and where that is.
    pub(super) fn foothold(
        &self,
        table: &Table<'_>,
        key: &'static str,
        what: &str,
    ) -> Result<(Point, u32), ScenarioError> {
        let (_, place) = self.spot(table, key, what)?;
        Ok((self.map.point_of(place as usize), place))
    }

    /// At least one place where somebody can stand.
    pub(super) fn spots(
        &self,
        table: &Table<'_>,
        key: &'static str,
        what: &str,
    ) -> Result<Vec<(Point, u32)>, ScenarioError> {
        let value = table.need(key)?;
        let list = self.file.reader.places(key, value)?;
        list.iter()
            .map(|spot| self.walkable(key, spot, what))
            .collect()
    }

    pub(super) fn walkable(
        &self,
        key: &str,
        value: &Value<'_>,
        what: &str,
    ) -> Result<(Point, u32), ScenarioError> {
        let (at, height) = self.point_and_height(key, value)?;
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
                    Some(place) => {
                        self.check_floor(mesh, place, what, (at, height), value)?;
                        Ok((at, place as u32))
                    }
                    None if is_inside => error(in_a_wall()),
                    None => error(self.off_the_map(what, at)),
                }
            }
        }
    }
}
