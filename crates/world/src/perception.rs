//! Who notices whom: noise, distance and line of sight.

use crate::number_set::NumberSet;
use crate::scenario::Rules;
use crate::world::{Footing, Footings};
use crate::{AgentId, Cell, GridMap, Map, NavMesh, Point, Scenario, World, doors};

/// How much of its radius an enemy keeps for what it cannot see.
const HIDDEN: f64 = 0.5;

/// Lets every enemy notice the nearest actor it can. Returns those that notice somebody.
pub(crate) fn notice(
    world: &mut World,
    scenario: &Scenario,
    awake: &NumberSet,
    actors_at: &Footings,
) -> NumberSet {
    let mut noticing = NumberSet::default();
    for slot in awake {
        let at = world.beasts[slot].footing();
        let mut nearest = None;
        let (_, beast) = scenario.beast(slot);
        for (actor, actor_at) in actors_at.iter().enumerate() {
            let loud = beast.radius * Rules::noise(world.actors[actor].stance.gait());
            if !scenario.map.is_within(*actor_at, at, loud.max(beast.reach)) {
                continue;
            }
            let distance = scenario.map.apart(*actor_at, at);
            let is_nearer = nearest.is_none_or(|(other, _)| distance < other);
            if is_nearer && detects(world, scenario, slot, actor, *actor_at, distance) {
                nearest = Some((distance, actor));
            }
        }
        if let Some((_, actor)) = nearest {
            let now = world.milliseconds();
            let beast = &mut world.beasts[slot];
            beast.target = actor as u16;
            beast.seen_at = now;
            noticing.insert(slot);
        }
    }
    noticing
}

fn detects(
    world: &World,
    scenario: &Scenario,
    slot: usize,
    actor: usize,
    actor_at: Footing,
    distance: f64,
) -> bool {
    let (enemy, beast) = scenario.beast(slot);
    if !world.actor_is_alive(actor) || enemy.ignores(AgentId::Actor(actor as u16)) {
        return false;
    }
    if distance <= beast.reach {
        return true;
    }
    let loud = beast.radius * Rules::noise(world.actors[actor].stance.gait());
    let from = world.beasts[slot].footing();
    is_heard(world, scenario, from, actor_at, distance, loud)
}

/// The radius of notice between its own and a `wider` one with which an enemy that waits does not
/// notice anybody where they are; `None` if it does not with the wider one, or does with its own.
pub(crate) fn unnoticed_within(
    world: &World,
    scenario: &Scenario,
    slot: usize,
    wider: f64,
) -> Option<f64> {
    let (enemy, beast) = scenario.beast(slot);
    let state = &world.beasts[slot];
    if !state.is_alive() || state.mode.is_hostile() {
        return None;
    }
    let from = state.footing();
    let mut radius = wider;
    for actor in 0..scenario.actors.len() {
        if !world.actor_is_alive(actor) || enemy.ignores(AgentId::Actor(actor as u16)) {
            continue;
        }
        let to = world.actor_footing(scenario, actor);
        let distance = scenario.map.apart(to, from);
        let noise = Rules::noise(world.actors[actor].stance.gait());
        let is_heard = |radius| is_heard(world, scenario, from, to, distance, radius * noise);
        if distance <= beast.reach || is_heard(beast.radius) {
            return None;
        }
        if is_heard(wider) {
            let is_hidden = scenario.rules.line_of_sight && !sees(world, scenario, from, to);
            let far = if is_hidden {
                distance / HIDDEN
            } else {
                distance
            };
            // Half of what is left, so that there is a margin on either side.
            radius = f64::min(radius, (beast.radius + far / noise) / 2.0);
        }
    }
    (radius < wider).then_some(radius)
}

/// Whether somebody that is heard from as far as `loud` in the open is noticed at this distance.
#[inline]
pub(crate) fn is_heard(
    world: &World,
    scenario: &Scenario,
    from: Footing,
    to: Footing,
    distance: f64,
    loud: f64,
) -> bool {
    if distance > loud || !scenario.rules.line_of_sight {
        return distance <= loud;
    }
    distance <= loud * HIDDEN || sees(world, scenario, from, to)
}

/// Whether nothing but open floor lies on the straight line between two points.
pub(crate) fn sees(world: &World, scenario: &Scenario, from: Footing, to: Footing) -> bool {
    match &*scenario.map {
        Map::Grid(grid) => {
            let (Some(first), Some(last)) = (grid.cell_at(from.0), grid.cell_at(to.0)) else {
                return false;
            };
            scenario.tables.hindrances.spare_cells(first, last)
                || line_of_cells(grid, from.0, to.0, |cell| {
                    grid.is_free(cell) && doors::lets_in(world, scenario, grid.index(cell), 0)
                })
        }
        Map::Mesh(mesh) => {
            mesh.is_in_sight(from, to) && is_open_between(world, scenario, mesh, from, to)
        }
    }
}

/// Whether an enemy can walk straight from one point to another.
pub(crate) fn is_clear(world: &World, scenario: &Scenario, from: Footing, to: Footing) -> bool {
    let crosses = |mesh: &NavMesh| mesh.crosses_ledge(from.0, to.0);
    !scenario.map.mesh().is_some_and(crosses) && sees(world, scenario, from, to)
}

/// Whether an enemy could walk from one point to another in two straight legs, by way of a third, if
/// nothing but walls and ledges were in its way: what opens, shuts and moves does not count.
pub(crate) fn walls_allow(map: &Map, from: Point, by: Point, to: Footing) -> bool {
    match map {
        Map::Grid(grid) => {
            let is_whole = |from, to| line_of_cells(grid, from, to, |cell| grid.is_free(cell));
            is_whole(from, by) && is_whole(by, to.0)
        }
        Map::Mesh(mesh) => {
            !mesh.crosses_ledge(from, by)
                && !mesh.crosses_ledge(by, to.0)
                && mesh.is_joined(to.1, by, from)
        }
    }
}

/// Whether no door that is shut, and no obstacle, stands between two points of a navmesh.
fn is_open_between(
    world: &World,
    scenario: &Scenario,
    mesh: &NavMesh,
    from: Footing,
    to: Footing,
) -> bool {
    if scenario.doors.is_empty() && scenario.obstacles.is_empty() {
        return true;
    }
    // Footholds farther away than that are not near, and what rounding adds is far less than the rest.
    let margin = 2.5 * mesh.footholds.spacing();
    if (scenario.tables.hindrances).spare_points(from.0, to.0, margin) {
        return true;
    }
    let count = (from.0.distance_to(to.0) / mesh.footholds.spacing()).ceil() as u32;
    let heights = [from.1, to.1].map(|place| mesh.height_of(place));
    (1..=count).all(|number| {
        let part = f64::from(number) / f64::from(count);
        let at = Point::new(
            from.0.x + (to.0.x - from.0.x) * part,
            from.0.y + (to.0.y - from.0.y) * part,
        );
        // What is shut on the floor above or below is not in the way.
        let height = heights[0] + (heights[1] - heights[0]) * part;
        let place = mesh.footholds.near((at, Some(height)));
        place.is_none_or(|place| doors::lets_in(world, scenario, place, 0))
    })
}

/// Whether every cell on a line but the first is open. Walks from cell to cell along the line,
/// always across the border it meets first; where it meets a corner, both cells beside the corner
/// must be open.
pub(crate) fn line_of_cells(
    grid: &GridMap,
    from: Point,
    to: Point,
    is_open_cell: impl Fn(Cell) -> bool,
) -> bool {
    let (Some(mut cell), Some(last)) = (grid.cell_at(from), grid.cell_at(to)) else {
        return false;
    };
    let is_open = |x: i32, y: i32| is_open_cell(Cell::new(x as u16, y as u16));
    let (along_x, along_y) = (to.x - from.x, to.y - from.y);
    let step_x: i32 = if along_x > 0.0 { 1 } else { -1 };
    let step_y: i32 = if along_y > 0.0 { 1 } else { -1 };
    // At most every column and every row is crossed once.
    for _ in 0..=usize::from(grid.width()) + usize::from(grid.height()) {
        if cell == last {
            return true;
        }
        let border = |center: u16, step: i32| f64::from(center) + 0.5 * f64::from(step);
        // How far along the line the next border lies, as a part of the whole line.
        let part = |border: f64, start: f64, along: f64| {
            if along == 0.0 {
                f64::INFINITY
            } else {
                (border - start) / along
            }
        };
        let part_x = part(border(cell.x, step_x), from.x, along_x);
        let part_y = part(border(cell.y, step_y), from.y, along_y);
        let (x, y) = (i32::from(cell.x), i32::from(cell.y));
        let (next_x, next_y) = if part_x == part_y {
            if !is_open(x + step_x, y) || !is_open(x, y + step_y) {
                return false;
            }
            (x + step_x, y + step_y)
        } else if part_x < part_y {
            (x + step_x, y)
        } else {
            (x, y + step_y)
        };
        if !is_open(next_x, next_y) {
            return false;
        }
        cell = Cell::new(next_x as u16, next_y as u16);
    }
    false
}
