//! The level: ground, walls, doors, things and those who live in it.

use apprentice_world::{
    Area as Patch, Door, DoorId, Enemy, Gait, Goal, Item, ItemId, ItemKind, Manner, Map, Point,
    Rules, Scenario, Thing,
};

use super::canvas::{Anchor, Canvas, Font, px};
use super::cave;
use super::frame::Frame;
use super::labels::{Area, FAINT, Labels, SYMBOL};
use super::palette::{AVOIDED, ENEMY, FAINT_INK, FLOOR, GUIDE, INK, KEYS, LIKED, PLAIN_DOOR, WALL};
use super::shading::{Shading, merged};
use super::symbols;
use crate::phrases::plain;

/// What other elements refer to.
pub(crate) fn define(canvas: &mut Canvas, frame: &Frame) {
    let Area {
        x,
        y,
        width,
        height,
    } = frame.area();
    let (x, y, width, height) = (px(x), px(y), px(width), px(height));
    canvas.raw(&format!(
        "<defs><clipPath id=\"map\"><rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"/></clipPath>\
         <pattern id=\"no-way\" width=\"7\" height=\"7\" patternUnits=\"userSpaceOnUse\">\
         <path d=\"M0 7L7 0\" stroke=\"{FAINT_INK}\" stroke-width=\"1\"/></pattern></defs>"
    ));
}

/// Floor, shades, guides with their numbers, and walls.
pub(crate) fn draw_ground(
    canvas: &mut Canvas,
    scenario: &Scenario,
    frame: &Frame,
    shading: Option<&Shading>,
) {
    let Area {
        x,
        y,
        width,
        height,
    } = frame.area();
    let grid = match scenario.map() {
        Map::Grid(grid) => grid,
        Map::Mesh(mesh) => {
            canvas.rect(x, y, width, height, &format!("fill=\"{WALL}\""));
            cave::draw_floor(canvas, mesh, frame);
            if let Some(shading) = shading {
                shading.draw_footholds(canvas, scenario.map(), frame);
            }
            draw_guides(canvas, frame, " clip-path=\"url(#floor)\"");
            cave::draw_edges(canvas, mesh, frame);
            return;
        }
    };
    canvas.rect(x, y, width, height, &format!("fill=\"{FLOOR}\""));
    if let Some(shading) = shading {
        shading.draw(canvas, grid, frame);
        if shading.leaves_out() {
            let cells = merged(grid, frame, |cell| {
                grid.is_free(cell) && shading.is_bare(grid.index(cell))
            });
            canvas.path(&cells, "fill=\"url(#no-way)\"");
        }
    }
    draw_guides(canvas, frame, "");
    let walls = merged(grid, frame, |cell| !grid.is_free(cell));
    canvas.path(
        &walls,
        &format!("fill=\"{WALL}\" shape-rendering=\"crispEdges\""),
    );
    canvas.rect(
        x,
        y,
        width,
        height,
        &format!("fill=\"none\" stroke=\"{WALL}\" stroke-width=\"1.5\""),
    );
}

/// Thin lines every so many cells, numbered like the cells they belong to.
fn draw_guides(canvas: &mut Canvas, frame: &Frame, clip: &str) {
    let every = guide_step(frame);
    let font = Font::PLAIN.sized(10.5).faint();
    let mut lines = String::new();
    for column in guides(frame.first.x, frame.last.x, every) {
        let x = frame.place(Point::new(column as f64, 0.0)).0;
        lines += &format!(
            "M{} {}V{}",
            px(x),
            px(frame.top),
            px(frame.top + frame.height())
        );
        canvas.text(
            x,
            frame.top - 7.0,
            &column.to_string(),
            Anchor::Middle,
            font,
        );
    }
    for row in guides(frame.first.y, frame.last.y, every) {
        let y = frame.place(Point::new(0.0, row as f64)).1;
        lines += &format!(
            "M{} {}H{}",
            px(frame.left),
            px(y),
            px(frame.left + frame.width())
        );
        canvas.text(
            frame.left - 7.0,
            y + 3.5,
            &row.to_string(),
            Anchor::End,
            font,
        );
    }
    canvas.path(
        &lines,
        &format!("fill=\"none\" stroke=\"{GUIDE}\" stroke-width=\"1\"{clip}"),
    );
}

/// The multiples of a step between two coordinates.
fn guides(first: f64, last: f64, every: usize) -> impl Iterator<Item = i64> {
    let every = every as i64;
    let from = (first / every as f64).ceil() as i64;
    let to = (last / every as f64).floor() as i64;
    (from..=to).map(move |number| number * every)
}

/// How many cells there are between two guides: a round number, some fifty pixels or more.
pub(crate) fn guide_step(frame: &Frame) -> usize {
    let steps = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];
    steps
        .into_iter()
        .find(|step| *step as f64 * frame.cell >= 48.0)
        .unwrap_or(1000)
}

/// How far an enemy notices or strikes, walking and sneaking, as plans take it to be.
pub(crate) fn zones(scenario: &Scenario, manner: &Manner) -> (f64, f64) {
    match manner {
        Manner::Guard(guard) => (guard.radius, guard.sneak_radius),
        Manner::Beast(beast) => {
            let radius = beast.radius * scenario.margins().radius;
            (radius, radius * Rules::noise(Gait::Sneak))
        }
    }
}

/// Solid around whoever notices walking, dashed for sneaking; an empty ring around whoever does not
/// notice the planned agent at all.
pub(crate) fn draw_zones(canvas: &mut Canvas, scenario: &Scenario, frame: &Frame) {
    for enemy in scenario.enemies() {
        let (x, y) = frame.place(enemy.home);
        let (walking, sneaking) = zones(scenario, &enemy.kind.manner);
        if enemy.ignores(scenario.agent()) {
            canvas.circle(x, y, walking * frame.cell, IGNORED_ZONE);
            continue;
        }
        canvas.circle(x, y, walking * frame.cell, WALKING_ZONE);
        canvas.circle(x, y, sneaking * frame.cell, SNEAKING_ZONE);
    }
}

pub(crate) const WALKING_ZONE: &str =
    "fill=\"#c8500a\" fill-opacity=\"0.1\" stroke=\"#c8500a\" stroke-width=\"1.6\"";
pub(crate) const SNEAKING_ZONE: &str = "fill=\"#c8500a\" fill-opacity=\"0.14\" stroke=\"#c8500a\" stroke-width=\"1.6\" stroke-dasharray=\"5 4\"";

/// Grey and empty: the planned agent may walk through it.
pub(crate) const IGNORED_ZONE: &str =
    "fill=\"none\" stroke=\"#8a8a8a\" stroke-width=\"1.4\" stroke-dasharray=\"2 5\"";

pub(crate) fn draw_doors(canvas: &mut Canvas, scenario: &Scenario, frame: &Frame) {
    for (number, door) in scenario.doors().iter().enumerate() {
        let color = door_color(scenario, number);
        for place in &door.places {
            let (x, y) = frame.place(scenario.map().point_of(*place));
            draw_door(canvas, x, y, frame.cell.max(7.0), color, door);
        }
    }
}

/// One cell of a door: filled with a keyhole if locked, barred if only a lever or the clock opens
/// it, an empty frame if it is open.
pub(crate) fn draw_door(
    canvas: &mut Canvas,
    x: f64,
    y: f64,
    size: f64,
    color: Option<&str>,
    door: &Door,
) {
    let half = size / 2.0;
    if door.starts_open && door.cycle.is_none() {
        let look =
            format!("fill=\"none\" stroke=\"{INK}\" stroke-width=\"1.2\" stroke-dasharray=\"2 2\"");
        canvas.rect(
            x - half + 0.6,
            y - half + 0.6,
            size - 1.2,
            size - 1.2,
            &look,
        );
        return;
    }
    let fill = color.unwrap_or(PLAIN_DOOR);
    let look = format!("fill=\"{fill}\" stroke=\"{INK}\" stroke-width=\"1.6\"");
    canvas.rect(x - half, y - half, size, size, &look);
    if color.is_some() {
        canvas.circle(x, y - size * 0.12, size * 0.16, &format!("fill=\"{INK}\""));
        canvas.line(
            &[(x, y), (x, y + size * 0.28)],
            &format!("stroke=\"{INK}\" stroke-width=\"{}\"", px(size * 0.14)),
        );
    } else {
        let bars = [-0.2, 0.2].map(|place| {
            format!(
                "M{} {}V{}",
                px(x + size * place),
                px(y - half),
                px(y + half)
            )
        });
        canvas.path(
            &bars.concat(),
            &format!("fill=\"none\" stroke=\"{INK}\" stroke-width=\"1.6\""),
        );
    }
}

/// The colour of a door's keys; `None` if it has none.
pub(crate) fn door_color(scenario: &Scenario, door: usize) -> Option<&'static str> {
    let mut keys = scenario.keys_of(DoorId::new(door as u8));
    keys.next().map(|key| item_color(scenario, key))
}

/// Keys that open the same door have one colour: that of the first door there is for each.
pub(crate) fn item_color(scenario: &Scenario, item: ItemId) -> &'static str {
    let locked = (0..scenario.doors().len()).map(|door| DoorId::new(door as u8));
    let mut locked = locked.filter(|door| scenario.keys_of(*door).next().is_some());
    let place = locked.position(|door| scenario.keys_of(door).any(|key| key == item));
    KEYS[place.unwrap_or(0) % KEYS.len()]
}

/// Places one would rather not be in are darker, and those one likes are green.
pub(crate) fn draw_areas(canvas: &mut Canvas, scenario: &Scenario, frame: &Frame) {
    for area in scenario.areas() {
        for place in &area.places {
            let (x, y) = frame.place(scenario.map().point_of(*place));
            let apart = scenario.map().spacing() * frame.cell;
            draw_area(canvas, x, y, apart, area);
        }
    }
}

/// One cell of an area.
pub(crate) fn draw_area(canvas: &mut Canvas, x: f64, y: f64, size: f64, area: &Patch) {
    let color = if area.counts < 1.0 { LIKED } else { AVOIDED };
    let look = format!("fill=\"{color}\" fill-opacity=\"0.3\"");
    canvas.rect(x - size / 2.0, y - size / 2.0, size, size, &look);
}

/// Cells that hurt: a grid of points, as spears look from above.
pub(crate) fn draw_traps(canvas: &mut Canvas, scenario: &Scenario, frame: &Frame) {
    for trap in scenario.traps() {
        for place in &trap.places {
            let (x, y) = frame.place(scenario.map().point_of(*place));
            let apart = scenario.map().spacing() * frame.cell;
            draw_trap(canvas, x, y, apart.max(5.0));
        }
    }
}

/// One cell of a trap.
pub(crate) fn draw_trap(canvas: &mut Canvas, x: f64, y: f64, size: f64) {
    let (half, quarter) = (size / 2.0, size / 4.0);
    let look = format!("fill=\"{ENEMY}\" fill-opacity=\"0.22\"");
    canvas.rect(x - half, y - half, size, size, &look);
    let point = format!("fill=\"{ENEMY}\"");
    for (across, down) in [(-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0)] {
        let radius = (size * 0.09).max(0.8);
        canvas.circle(x + across * quarter, y + down * quarter, radius, &point);
    }
}

/// The ways of what moves by the clock.
pub(crate) fn draw_obstacle_ways(canvas: &mut Canvas, scenario: &Scenario, frame: &Frame) {
    for obstacle in scenario.obstacles() {
        let way: Vec<(f64, f64)> = obstacle
            .path
            .iter()
            .map(|place| frame.place(scenario.map().point_of(*place)))
            .collect();
        canvas.line(
            &way,
            &format!("stroke=\"{INK}\" stroke-width=\"1.2\" stroke-dasharray=\"1 3\""),
        );
    }
}

/// What moves by the clock, where it is at the beginning. It may pass doors, and is seen before them.
pub(crate) fn draw_obstacles(canvas: &mut Canvas, scenario: &Scenario, frame: &Frame) {
    for obstacle in scenario.obstacles() {
        let (x, y) = frame.place(scenario.map().point_of(obstacle.path[0]));
        let size = frame.cell.max(7.0) * 0.8;
        let look = format!("fill=\"{WALL}\" stroke=\"{INK}\" stroke-width=\"1.2\"");
        canvas.rect(x - size / 2.0, y - size / 2.0, size, size, &look);
    }
}

/// Items, levers, those who live here, start and goal.
pub(crate) fn draw_things(canvas: &mut Canvas, scenario: &Scenario, frame: &Frame) {
    let size = frame.symbol();
    for (place, radius) in goal_places(scenario) {
        let (x, y) = frame.place(place);
        if radius > 0.0 {
            let look = format!(
                "fill=\"none\" stroke=\"{INK}\" stroke-width=\"1.4\" stroke-dasharray=\"7 3\""
            );
            canvas.circle(
                x,
                y,
                radius * frame.cell,
                &format!("{look} clip-path=\"url(#map)\""),
            );
        }
        symbols::goal(canvas, x, y, size);
    }
    for (number, Item { kind, at, .. }) in scenario.items().iter().enumerate() {
        let (x, y) = frame.place(*at);
        symbols::item(
            canvas,
            x,
            y,
            size,
            *kind,
            item_color(scenario, ItemId::new(number as u8)),
        );
    }
    for lever in scenario.levers() {
        let (x, y) = frame.place(lever.at);
        symbols::lever(canvas, x, y, size);
    }
    for enemy in scenario.enemies() {
        let (x, y) = frame.place(enemy.home);
        symbols::enemy(canvas, x, y, size, &enemy.kind.name);
    }
    for (number, actor) in scenario.actors().iter().enumerate() {
        let (x, y) = frame.place(actor.start);
        if number == 0 {
            symbols::start(canvas, x, y, size);
        } else {
            symbols::player(canvas, x, y, size);
        }
    }
}

/// Where the goal, or a part of it, is to be achieved, and how near is near enough.
fn goal_places(scenario: &Scenario) -> Vec<(Point, f64)> {
    let mut places = Vec::new();
    collect_goals(scenario.goal(), scenario, &mut places);
    places
}

fn collect_goals(goal: &Goal, scenario: &Scenario, places: &mut Vec<(Point, f64)>) {
    let mut at = |thing: Thing| places.push((scenario.position_of(thing), 0.0));
    match goal {
        Goal::Within { at, radius, .. } | Goal::AgentWithin { at, radius, .. } => {
            places.push((*at, *radius));
        }
        Goal::Dead(agent) | Goal::Near { agent, .. } => at(Thing::Agent(*agent)),
        Goal::Holds(item) => at(Thing::Item(*item)),
        Goal::LeverOn(lever) => at(Thing::Lever(*lever)),
        Goal::DoorOpen(door) => at(Thing::Door(*door)),
        Goal::All(goals) | Goal::Any(goals) | Goal::InOrder(goals) => {
            goals
                .iter()
                .for_each(|goal| collect_goals(goal, scenario, places));
        }
        // What is to be avoided is nowhere to go.
        Goal::Not(_) => {}
    }
}

/// Everything that has a name on the map: the name, the place, and how large the symbol is.
fn named(scenario: &Scenario, frame: &Frame) -> Vec<(String, Point, f64)> {
    let size = frame.symbol();
    let mut names = vec![(
        "start".to_owned(),
        scenario.position_of(Thing::Agent(scenario.agent())),
        size,
    )];
    names.extend(
        goal_places(scenario)
            .into_iter()
            .map(|(place, _)| ("goal".to_owned(), place, size)),
    );
    names.extend(
        scenario
            .items()
            .iter()
            .map(|item| (plain(&item.id), item.at, size)),
    );
    names.extend(
        scenario
            .levers()
            .iter()
            .map(|lever| (plain(&lever.id), lever.at, size)),
    );
    names.extend(
        scenario
            .enemies()
            .iter()
            .map(|enemy| (plain(&enemy.id), enemy.home, size)),
    );
    let others = scenario.actors().iter().skip(1);
    names.extend(others.map(|actor| (plain(&actor.id), actor.start, size)));
    for door in scenario.doors() {
        names.push((
            plain(&door.id),
            scenario.map().point_of(door.places[door.places.len() / 2]),
            frame.cell.max(7.0),
        ));
    }
    let obstacles = scenario.obstacles().iter();
    names.extend(obstacles.map(|it| {
        (
            plain(&it.id),
            scenario.map().point_of(it.path[0]),
            frame.cell.max(7.0),
        )
    }));
    names
}

/// Labels keep off symbols, doors, and walls if they can.
pub(crate) fn take_room(labels: &mut Labels, scenario: &Scenario, frame: &Frame) {
    for (_, place, size) in named(scenario, frame) {
        let (x, y) = frame.place(place);
        labels.take(Area::around(x, y, size), SYMBOL);
    }
    for door in scenario.doors() {
        for place in &door.places {
            let (x, y) = frame.place(scenario.map().point_of(*place));
            labels.take(Area::around(x, y, frame.cell), SYMBOL);
        }
    }
    // On huge maps looking at every wall would take longer than planning.
    if let Some(grid) = scenario.grid().filter(|grid| grid.len() <= 1 << 14) {
        let walls = (0..grid.len())
            .map(|index| grid.cell(index))
            .filter(|cell| !grid.is_free(*cell));
        for cell in walls {
            let (x, y) = frame.place(cell.center());
            labels.take(Area::around(x, y, frame.cell), FAINT);
        }
    }
}

pub(crate) fn draw_names(
    canvas: &mut Canvas,
    labels: &mut Labels,
    scenario: &Scenario,
    frame: &Frame,
) {
    let font = Font::PLAIN.rimmed();
    for (name, place, size) in named(scenario, frame) {
        let (x, y) = frame.place(place);
        let area = labels.place(x, y, font.width(&name), font.size, size * 0.5 + 6.0);
        if let Some(leader) = area.leader(x, y, size) {
            canvas.line(&leader, &format!("stroke=\"{INK}\" stroke-width=\"0.8\""));
        }
        canvas.text(
            area.x + area.width / 2.0,
            area.y + font.size * 0.82,
            &name,
            Anchor::Middle,
            font,
        );
    }
}

/// Whether a zone is drawn wider than it is in the game.
pub(crate) fn has_margin(scenario: &Scenario) -> bool {
    let is_widened = |enemy: &Enemy| matches!(enemy.kind.manner, Manner::Beast(_));
    scenario.margins().radius != 1.0 && scenario.enemies().iter().any(is_widened)
}

/// Whether there is an item of a kind.
pub(crate) fn has_item(scenario: &Scenario, is_kind: impl Fn(ItemKind) -> bool) -> bool {
    scenario.items().iter().any(|item| is_kind(item.kind))
}
