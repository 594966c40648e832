//! Ways over the map: demonstrations, the plan, and where others went meanwhile.

use apprentice_behavior::Explanation;
use apprentice_experience::{Demonstration, Place, Simplification};
use apprentice_world::{AgentId, Gait, Order, Point, Scenario, VerifiedStep, World};

use super::canvas::{Canvas, line_data};
use super::frame::Frame;
use super::labels::{Area, FAINT, LINE, Labels};
use super::palette::{DEMONSTRATION, ENEMY, FOLLOWED, PAPER, PLAN, PLAYER};

/// Dashed lines with a dot at each point and an arrow at the end.
pub(crate) fn draw_demonstrations(
    canvas: &mut Canvas,
    scenario: &Scenario,
    demonstrations: &[Demonstration],
    frame: &Frame,
) {
    let mut seen: Vec<[(f64, f64); 2]> = Vec::new();
    for points in demonstrations.iter().map(line) {
        let places: Vec<(f64, f64)> = points.iter().map(|point| frame.place(*point)).collect();
        // Where two demonstrations go the same way, the dashes of one would fill the gaps of the
        // other.
        let is_new = |pair: &[(f64, f64)]| !seen.contains(&[pair[0], pair[1]]);
        let mut data = String::new();
        let mut from = 0;
        while from + 1 < places.len() {
            let new = places[from..]
                .windows(2)
                .take_while(|pair| is_new(pair))
                .count();
            if new > 0 {
                data += &line_data(&places[from..=from + new]);
            }
            from += new.max(1);
        }
        // Rock is dark, and demonstrations may lead through it.
        if scenario.map().mesh().is_some() {
            canvas.path(&data, &format!("fill=\"none\" {}", light_casing()));
        }
        canvas.path(&data, &format!("fill=\"none\" {}", demonstration_look()));
        seen.extend(places.windows(2).map(|pair| [pair[0], pair[1]]));
        for (x, y) in &places {
            canvas.circle(*x, *y, 2.2, &format!("fill=\"{DEMONSTRATION}\""));
        }
        if let [.., from, to] = places.as_slice() {
            let look = format!("stroke=\"{DEMONSTRATION}\" stroke-width=\"1.8\"");
            canvas.line(&arrow(*from, *to, 9.0), &look);
        }
    }
}

/// More samples than this would look like a caterpillar.
const MOST_DOTS: usize = 24;

/// A demonstration as a line.
fn line(demonstration: &Demonstration) -> Vec<Point> {
    let point = |place: Place| Point::new(place.x, place.y);
    if demonstration.samples.len() > MOST_DOTS {
        let thinner = Simplification::default().apply(demonstration);
        // Without a limit of segments, nothing stands in the way of simplifying.
        if let Ok(thinner) = thinner {
            return thinner.places().map(point).collect();
        }
    }
    demonstration.places().map(point).collect()
}

fn light_casing() -> String {
    format!(
        "stroke=\"{PAPER}\" stroke-opacity=\"0.6\" stroke-width=\"4.6\" stroke-linejoin=\"round\""
    )
}

pub(crate) fn demonstration_look() -> String {
    format!(
        "stroke=\"{DEMONSTRATION}\" stroke-width=\"1.8\" stroke-dasharray=\"11 5\" stroke-linejoin=\"round\""
    )
}

/// A broad band under every stretch of the plan that follows a demonstration. Stretches count steps,
/// and so does the way.
pub(crate) fn draw_followed(
    canvas: &mut Canvas,
    scenario: &Scenario,
    start: &World,
    steps: &[VerifiedStep],
    explanation: &Explanation,
    frame: &Frame,
) {
    let way = way(scenario, start, steps);
    let places: Vec<(f64, f64)> = way.iter().map(|(point, _)| frame.place(*point)).collect();
    for stretch in &explanation.stretches {
        let range = stretch.first - 1..stretch.last + 1;
        if let (Some(_), Some(part)) = (&stretch.follows, places.get(range)) {
            canvas.line(&straightened(part), &followed_look());
        }
    }
}

pub(crate) fn followed_look() -> String {
    format!(
        "stroke=\"{FOLLOWED}\" stroke-width=\"14\" stroke-opacity=\"0.55\" stroke-linejoin=\"round\" stroke-linecap=\"round\""
    )
}

/// Walking is solid, sneaking dotted, running dashed.
pub(crate) fn draw_plan(
    canvas: &mut Canvas,
    scenario: &Scenario,
    start: &World,
    steps: &[VerifiedStep],
    frame: &Frame,
) {
    let way = way(scenario, start, steps);
    let places: Vec<(f64, f64)> = way.iter().map(|(point, _)| frame.place(*point)).collect();
    if places.len() < 2 {
        return;
    }
    canvas.line(&straightened(&places), &casing_look());
    let mut from = 0;
    while from + 1 < way.len() {
        let gait = way[from + 1].1;
        let same = way[from + 1..]
            .iter()
            .take_while(|(_, other)| *other == gait)
            .count();
        canvas.line(&straightened(&places[from..=from + same]), &plan_look(gait));
        from += same;
    }
    draw_chevrons(canvas, &places, frame);
}

pub(crate) fn casing_look() -> String {
    format!(
        "stroke=\"{PAPER}\" stroke-width=\"7\" stroke-opacity=\"0.85\" stroke-linejoin=\"round\" stroke-linecap=\"round\""
    )
}

pub(crate) fn plan_look(gait: Gait) -> String {
    let dashes = match gait {
        Gait::Walk => "stroke-linecap=\"round\"",
        Gait::Sneak => "stroke-linecap=\"round\" stroke-dasharray=\"0.1 7\"",
        Gait::Run => "stroke-dasharray=\"10 5\"",
    };
    let width = if gait == Gait::Sneak { 4.4 } else { 3.4 };
    format!("stroke=\"{PLAN}\" stroke-width=\"{width}\" stroke-linejoin=\"round\" {dashes}")
}

/// Pixels between two marks that show which way the plan goes.
const BETWEEN_CHEVRONS: f64 = 90.0;

fn draw_chevrons(canvas: &mut Canvas, places: &[(f64, f64)], frame: &Frame) {
    let mut since = BETWEEN_CHEVRONS * 0.5;
    let mut data = String::new();
    for pair in places.windows(2) {
        since += distance(pair[0], pair[1]);
        if since >= BETWEEN_CHEVRONS {
            since = 0.0;
            let middle = ((pair[0].0 + pair[1].0) / 2.0, (pair[0].1 + pair[1].1) / 2.0);
            data += &line_data(&arrow(pair[0], middle, (frame.cell * 0.55).clamp(6.0, 9.0)));
        }
    }
    for (color, width) in [(PAPER, 5.0), (PLAN, 2.4)] {
        let look = format!(
            "fill=\"none\" stroke=\"{color}\" stroke-width=\"{width}\" stroke-linejoin=\"round\" stroke-linecap=\"round\""
        );
        canvas.path(&data, &look);
    }
}

/// Where the agent is after each step, and how it got there; the start first. This is where it
/// walks, from place to place: a straighter line would show a way that nobody goes.
fn way(scenario: &Scenario, start: &World, steps: &[VerifiedStep]) -> Vec<(Point, Gait)> {
    let mut gait = Gait::Walk;
    let mut way = vec![(start.position(scenario.agent(), scenario), gait)];
    way.extend(steps.iter().map(|step| {
        // Whoever waits stays where it is, however it waits.
        if matches!(step.order, Order::Step(..) | Order::Leap(_)) {
            gait = step.order.stance().gait();
        }
        (step.at, gait)
    }));
    way
}

/// Where others went while the plan was carried out.
pub(crate) fn draw_trails(
    canvas: &mut Canvas,
    scenario: &Scenario,
    start: &World,
    steps: &[VerifiedStep],
    frame: &Frame,
) {
    for agent in movers(scenario, start, steps) {
        let color = trail_color(agent);
        let worlds = std::iter::once(start).chain(steps.iter().map(|step| &step.world));
        let places: Vec<(f64, f64)> = worlds
            .map(|world| frame.place(world.position(agent, scenario)))
            .collect();
        canvas.line(&straightened(&places), &trail_look(color));
        if let Some((x, y)) = places.last() {
            canvas.circle(
                *x,
                *y,
                3.5,
                &format!("fill=\"{PAPER}\" stroke=\"{color}\" stroke-width=\"1.6\""),
            );
        }
    }
}

/// Those who moved, apart from the planned agent.
pub(crate) fn movers(scenario: &Scenario, start: &World, steps: &[VerifiedStep]) -> Vec<AgentId> {
    let actors = (0..scenario.actors().len()).map(|actor| AgentId::Actor(actor as u16));
    let actors = actors.filter(|actor| *actor != scenario.agent());
    let enemies = (0..scenario.enemies().len()).map(|enemy| AgentId::Enemy(enemy as u16));
    let moved = |agent: &AgentId| {
        let home = start.position(*agent, scenario);
        steps
            .iter()
            .any(|step| step.world.position(*agent, scenario).distance_to(home) > 0.5)
    };
    actors.chain(enemies).filter(moved).collect()
}

pub(crate) fn trail_color(agent: AgentId) -> &'static str {
    match agent {
        AgentId::Actor(_) => PLAYER,
        AgentId::Enemy(_) => ENEMY,
    }
}

pub(crate) fn trail_look(color: &str) -> String {
    format!("stroke=\"{color}\" stroke-width=\"1.8\" stroke-dasharray=\"3 3\"")
}

/// Labels keep off the plan.
pub(crate) fn take_room(
    labels: &mut Labels,
    scenario: &Scenario,
    start: &World,
    steps: &[VerifiedStep],
    frame: &Frame,
) {
    let size = frame.cell.clamp(4.0, 12.0);
    for (point, _) in way(scenario, start, steps) {
        let (x, y) = frame.place(point);
        labels.take(Area::around(x, y, size), LINE * 2.0);
    }
}

/// Labels keep off demonstrations if they can.
pub(crate) fn take_room_of_demonstrations(
    labels: &mut Labels,
    demonstrations: &[Demonstration],
    frame: &Frame,
) {
    for points in demonstrations.iter().map(line) {
        for pair in points.windows(2) {
            let count = pair[0].distance_to(pair[1]).ceil().clamp(1.0, 1000.0);
            for place in 0..=count as u32 {
                let part = f64::from(place) / count;
                let (x, y) = frame.place(Point::new(
                    pair[0].x + (pair[1].x - pair[0].x) * part,
                    pair[0].y + (pair[1].y - pair[0].y) * part,
                ));
                labels.take(Area::around(x, y, 5.0), FAINT * 2.0);
            }
        }
    }
}

/// The same line without points in the middle of straight pieces.
fn straightened(places: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let mut kept: Vec<(f64, f64)> = Vec::new();
    for place in places {
        if let [.., a, b] = kept.as_slice() {
            let (before, after) = ((b.0 - a.0, b.1 - a.1), (place.0 - b.0, place.1 - b.1));
            let cross = before.0 * after.1 - before.1 * after.0;
            let same_way = before.0 * after.0 + before.1 * after.1 >= 0.0;
            if cross.abs() < 1e-6 && same_way {
                kept.pop();
            }
        }
        if kept.last() != Some(place) {
            kept.push(*place);
        }
    }
    kept
}

/// The two strokes of an arrowhead at `to`.
fn arrow(from: (f64, f64), to: (f64, f64), size: f64) -> [(f64, f64); 3] {
    let length = distance(from, to).max(1e-9);
    let (x, y) = (
        (to.0 - from.0) / length * size,
        (to.1 - from.1) / length * size,
    );
    [
        (to.0 - x * 0.8 + y * 0.6, to.1 - y * 0.8 - x * 0.6),
        to,
        (to.0 - x * 0.8 - y * 0.6, to.1 - y * 0.8 + x * 0.6),
    ]
}

fn distance(a: (f64, f64), b: (f64, f64)) -> f64 {
    let (x, y) = (b.0 - a.0, b.1 - a.1);
    (x * x + y * y).sqrt()
}
