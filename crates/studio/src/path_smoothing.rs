//! Ways as they are drawn. On a navmesh plans lead from foothold to foothold, and people walk
//! straight: there the way is pulled like a string between the points where something happens, but
//! nowhere far from where it leads. What follows a wall or keeps off a bear is seen to do so.

use apprentice::world::{Scenario, VerifiedStep};

/// How far from where it leads a way is pulled, in distances between footholds: a zigzag is straight
/// then, and a bend is still a bend.
const SLACK: f64 = 1.5;

/// Where the character is drawn when it leaves `start` and after each of the steps.
pub(crate) fn drawn(scenario: &Scenario, start: usize, steps: &[VerifiedStep]) -> Vec<[f64; 2]> {
    let spot = |place: usize| {
        let at = scenario.map().point_of(place);
        [at.x, at.y]
    };
    let places: Vec<usize> = std::iter::once(start)
        .chain(steps.iter().map(|step| step.place))
        .collect();
    let mut drawn: Vec<[f64; 2]> = places.iter().map(|place| spot(*place)).collect();
    if scenario.map().mesh().is_none() {
        return drawn;
    }
    let gait = |step: &VerifiedStep| step.order.stance().gait();
    let is_one_pull = |a: &VerifiedStep, b: &VerifiedStep| {
        gait(a) == gait(b) && a.events.is_empty() && a.place != b.place
    };
    let mut first = 0;
    for together in steps.chunk_by(is_one_pull) {
        let last = first + together.len();
        while first < last {
            let bend = next_bend(scenario, &drawn[first..=last]);
            let piece = first..=first + bend;
            pull(scenario, &places[piece.clone()], &mut drawn[piece]);
            first += bend;
        }
    }
    drawn
}

/// How far along a way the line from its beginning keeps near all of it.
fn next_bend(scenario: &Scenario, way: &[[f64; 2]]) -> usize {
    let slack = SLACK * scenario.map().spacing();
    let is_near = |end: usize| {
        let (from, to) = (way[0], way[end]);
        way[1..end].iter().all(|at| off(*at, from, to) <= slack)
    };
    let farther = (2..way.len()).take_while(|end| is_near(*end));
    farther.last().unwrap_or(1)
}

/// How far a point is from the line between two others.
fn off(at: [f64; 2], from: [f64; 2], to: [f64; 2]) -> f64 {
    let [along, beside] = [
        [to[0] - from[0], to[1] - from[1]],
        [at[0] - from[0], at[1] - from[1]],
    ];
    let length = along[0] * along[0] + along[1] * along[1];
    let dot = along[0] * beside[0] + along[1] * beside[1];
    let part = if length > 0.0 {
        (dot / length).clamp(0.0, 1.0)
    } else {
        0.0
    };
    (beside[0] - along[0] * part).hypot(beside[1] - along[1] * part)
}

/// Pulls one piece straight: between two corners everything lies on the line, as far along it as it
/// is along the way.
fn pull(scenario: &Scenario, places: &[usize], drawn: &mut [[f64; 2]]) {
    let corners = scenario.pulled_straight(places);
    let mut from = 0;
    for corner in corners.iter().skip(1) {
        let is_corner = |at: &[f64; 2]| *at == [corner.x, corner.y];
        let Some(further) = drawn[from + 1..].iter().position(is_corner) else {
            return;
        };
        let to = from + 1 + further;
        let mut along = vec![0.0];
        for pair in drawn[from..=to].windows(2) {
            let length = (pair[1][0] - pair[0][0]).hypot(pair[1][1] - pair[0][1]);
            along.push(along[along.len() - 1] + length);
        }
        let (start, end, whole) = (drawn[from], drawn[to], along[along.len() - 1]);
        for (point, far) in drawn[from..=to].iter_mut().zip(along) {
            let part = if whole > 0.0 { far / whole } else { 1.0 };
            *point = [0, 1].map(|axis| start[axis] + (end[axis] - start[axis]) * part);
        }
        from = to;
    }
}

#[cfg(test)]
mod tests {
    use apprentice::world::{Direction, Gait, Order, Stance, World, verify};

    use super::*;

    /// A square hall of thirty metres with footholds a metre apart.
    const HALL: &str = r#"
        format = 1
        start = [1, 1]
        goal = { all = [] }
        map = { file = "hall.mesh", spacing = 1.0 }
    "#;
    const MESH: &str =
        "mesh\n2\n4 1\n0 0 1 0\n30 0 1 0\n30 30 1 0\n0 30 1 0\n4 0 1 2 3 -1 -1 -1 -1\n";

    #[test]
    fn zigzag_on_a_mesh_is_drawn_as_a_line_and_nothing_is_left_out() {
        let scenario = Scenario::parse_with(HALL, |_| Ok(MESH.to_owned())).unwrap();
        let world = World::new(&scenario);
        let step = |direction| Order::Step(direction, Stance::new(Gait::Walk));
        let orders: Vec<Order> = [Direction::East, Direction::SouthEast, Direction::East]
            .iter()
            .cycle()
            .take(12)
            .map(|direction| step(*direction))
            .collect();
        let lived = verify(&scenario, &world, &orders, scenario.goal()).unwrap();
        let start = world.place(apprentice::world::AgentId::NPC, &scenario);
        let drawn = drawn(&scenario, start, &lived.steps);
        assert_eq!(drawn.len(), 13);
        let ([x, y], [right, bottom]) = (drawn[0], drawn[12]);
        for pair in drawn.windows(2) {
            assert!(pair[1][0] > pair[0][0], "it goes on");
        }
        for [px, py] in &drawn {
            let off = (px - x) * (bottom - y) - (py - y) * (right - x);
            assert!(off.abs() < 1e-9, "{px} {py} is off the line");
        }
    }

    #[test]
    fn a_detour_stays_a_detour() {
        let scenario = Scenario::parse_with(HALL, |_| Ok(MESH.to_owned())).unwrap();
        let world = World::new(&scenario);
        let step = |direction| Order::Step(direction, Stance::new(Gait::Walk));
        let mut orders = vec![step(Direction::East); 12];
        orders.extend([step(Direction::South); 12]);
        let lived = verify(&scenario, &world, &orders, scenario.goal()).unwrap();
        let start = world.place(apprentice::world::AgentId::NPC, &scenario);
        let drawn = drawn(&scenario, start, &lived.steps);
        for (at, step) in drawn[1..].iter().zip(&lived.steps) {
            let far = (at[0] - step.at.x).hypot(at[1] - step.at.y);
            assert!(far <= SLACK + 1.0, "{at:?} is far from {}", step.at);
        }
    }

    #[test]
    fn on_a_grid_everything_is_drawn_where_it_is() {
        let text =
            "format = 1\nstart = [0, 0]\ngoal = { all = [] }\nmap = { rows = ['...', '...'] }";
        let scenario = Scenario::parse(text).unwrap();
        let world = World::new(&scenario);
        let step = |direction| Order::Step(direction, Stance::new(Gait::Walk));
        let orders = [step(Direction::East), step(Direction::SouthEast)];
        let lived = verify(&scenario, &world, &orders, scenario.goal()).unwrap();
        let expected = [[0.0, 0.0], [1.0, 0.0], [2.0, 1.0]];
        assert_eq!(drawn(&scenario, 0, &lived.steps), expected);
    }
}
