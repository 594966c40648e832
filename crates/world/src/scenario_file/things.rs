//! Which ids a file gives to what, and whether what it says about places and ids can be true.

use std::collections::BTreeMap;

use super::error::{ScenarioError, ScenarioErrorKind};
use super::tables::{Reader, Table, Value};
use crate::map::is_same_floor;
use crate::{DoorId, Map, NavMesh, Point, Scenario, Spot, Thing};

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
            let wrong = ScenarioErrorKind::TooMany {
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
                ScenarioErrorKind::Empty {
                    key: "id".to_owned(),
                },
            ));
        }
        if let Some((first, _)) = self.ids.get(id) {
            let line = first.map(|first| reader.place(first).0);
            return Err(reader.error(
                place,
                ScenarioErrorKind::TakenId {
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
    pub(super) fn points(
        &self,
        key: &str,
        what: &str,
        value: &Value<'_>,
    ) -> Result<Vec<Spot>, ScenarioError> {
        let list = self.file.reader.places(key, value)?;
        list.iter()
            .map(|point| self.on_a_floor(key, what, point))
            .collect()
    }

    /// A point on the map, and how high the floor is on which it lies, where floors differ.
    pub(super) fn goal_place(&self, value: &Value<'_>) -> Result<Spot, ScenarioError> {
        let spot = self.on_a_floor("at", "the goal", value)?;
        if !self.map.is_on(spot.point()) {
            let wrong = off_the_map(self.map, "the goal", spot.point());
            return Err(self.file.reader.error(value.span().start, wrong));
        }
        Ok(spot)
    }

    /// A point anywhere, and how high the floor is on which it lies, where floors differ.
    pub(super) fn on_a_floor(
        &self,
        key: &str,
        what: &str,
        value: &Value<'_>,
    ) -> Result<Spot, ScenarioError> {
        let reader = self.file.reader;
        let spot = read_spot(reader, self.map, key, value)?;
        let Some(mesh) = self.map.mesh().filter(|mesh| !mesh.is_flat()) else {
            return Ok(spot.point().into());
        };
        // Inside a rock there is no floor: a goal there may have a wide radius, and a line may lead
        // through it.
        let Some(place) = mesh.footholds.near(spot) else {
            return Ok(spot);
        };
        check_floor(mesh, place, what, spot)
            .map_err(|wrong| reader.error(value.span().start, wrong))?;
        let height = Some(mesh.height_of(place));
        Ok(Spot { height, ..spot })
    }

    /// Where somebody can stand.
    pub(super) fn footing(
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
        let (_, place) = self.footing(table, key, what)?;
        Ok((self.map.point_of(place as usize), place))
    }

    /// At least one place where somebody can stand.
    pub(super) fn footings(
        &self,
        table: &Table<'_>,
        key: &'static str,
        what: &str,
    ) -> Result<Vec<(Point, u32)>, ScenarioError> {
        let value = table.need(key)?;
        let list = self.file.reader.places(key, value)?;
        list.iter()
            .map(|footing| self.walkable(key, footing, what))
            .collect()
    }

    pub(super) fn walkable(
        &self,
        key: &str,
        value: &Value<'_>,
        what: &str,
    ) -> Result<(Point, u32), ScenarioError> {
        let reader = self.file.reader;
        let spot = read_spot(reader, self.map, key, value)?;
        let at = spot.point();
        let error = |wrong| reader.error(value.span().start, wrong);
        if self.map.grid().is_some() && (at.x != at.x.floor() || at.y != at.y.floor()) {
            let key = key.to_owned();
            return Err(error(ScenarioErrorKind::NotACell { key, at }));
        }
        let place = place_to_stand(self.map, what, spot).map_err(error)?;
        Ok((at, place as u32))
    }
}

/// A point; on a mesh it may say how high it is.
pub(super) fn read_spot(
    reader: &Reader<'_>,
    map: &Map,
    key: &str,
    value: &Value<'_>,
) -> Result<Spot, ScenarioError> {
    match map {
        Map::Grid(_) => Ok(reader.point(key, value)?.into()),
        Map::Mesh(_) => reader.spot(key, value),
    }
}

/// The place somebody is in who is at a spot, or why nobody can be there.
pub(super) fn place_to_stand(
    map: &Map,
    what: &str,
    spot: Spot,
) -> Result<usize, ScenarioErrorKind> {
    let at = spot.point();
    let place = match map {
        Map::Grid(grid) => {
            let cell = grid.cell_at(at).filter(|cell| grid.is_free(*cell));
            cell.map(|cell| grid.index(cell))
        }
        Map::Mesh(mesh) => mesh.footholds.near(spot),
    };
    let Some(place) = place else {
        let what = what.to_owned();
        return Err(match map.is_on(at) {
            true => ScenarioErrorKind::InAWall { what, at },
            false => off_the_map(map, &what, at),
        });
    };
    if let Some(mesh) = map.mesh() {
        check_floor(mesh, place, what, spot)?;
    }
    Ok(place)
}

/// Whether the foothold found for a spot is as high as the file says the spot is.
fn check_floor(
    mesh: &NavMesh,
    place: usize,
    what: &str,
    spot: Spot,
) -> Result<(), ScenarioErrorKind> {
    // Nobody measures a level finer than that.
    let floor = (mesh.height_of(place) * 100.0).round() / 100.0;
    match spot.height {
        Some(height) if !is_same_floor(height, floor) => Err(ScenarioErrorKind::NoFloor {
            what: what.to_owned(),
            at: spot.point(),
            height,
            floor,
        }),
        _ => Ok(()),
    }
}

pub(super) fn off_the_map(map: &Map, what: &str, at: Point) -> ScenarioErrorKind {
    let (first, last) = map.bounds();
    ScenarioErrorKind::OffTheMap {
        what: what.to_owned(),
        at,
        first,
        last,
    }
}
