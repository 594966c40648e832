//! Navmeshes are worlds like grids: the same rules, with metres, footholds, ledges and links.

use std::time::Duration;

use apprentice_game::{DistanceField, Ground};
use apprentice_search::{BestFirst, Budget, Cost, Heuristic, Problem, Search, Status, Successors};
use apprentice_world::{
    Abilities, AgentId, Branching, Direction, Event, Gait, Ledge, Link, Map, Mode, NavMesh,
    NavMeshParts, Order, Orders, Point, Quest, QuestProblem, Scenario, ShortestPath, Stance,
    StraightLine, WalkProblem, World, verify,
};
use proptest::prelude::*;

/// Rectangles side by side as a mesh file: x, y, width, height. Corners that coincide are shared.
fn mesh_of(rectangles: &[[f64; 4]]) -> String {
    let mut vertices: Vec<[f64; 2]> = Vec::new();
    let mut polygons = String::new();
    for [x, y, width, height] in rectangles {
        let corners = [
            [*x, *y],
            [x + width, *y],
            [x + width, y + height],
            [*x, y + height],
        ];
        let numbers = corners.map(|corner| {
            let known = vertices.iter().position(|vertex| *vertex == corner);
            known.unwrap_or_else(|| {
                vertices.push(corner);
                vertices.len() - 1
            })
        });
        polygons += &format!(
            "4 {} {} {} {} -1 -1 -1 -1\n",
            numbers[0], numbers[1], numbers[2], numbers[3]
        );
    }
    let lines = vertices.iter().map(|[x, y]| format!("{x} {y} 1 -1\n"));
    format!(
        "mesh\n2\n{} {}\n{}{polygons}",
        vertices.len(),
        rectangles.len(),
        lines.collect::<String>()
    )
}

fn scenario(rectangles: &[[f64; 4]], more: &str) -> Scenario {
    let text = format!("format = 1\n{more}\n[map]\nfile = \"level.mesh\"\n");
    Scenario::parse_with(&text, |_| Ok(mesh_of(rectangles))).unwrap_or_else(|e| panic!("{e}"))
}

const HERE: &str = "start = [2, 2]\ngoal = { within = { at = [9, 2], radius = 0.5 } }\n";
/// A room of ten by four metres.
const ROOM: [[f64; 4]; 1] = [[0.0, 0.0, 10.0, 4.0]];

fn successors(scenario: &Scenario, branching: Branching) -> Vec<(Order, Cost)> {
    let abilities = Abilities {
        branching,
        ..Abilities::default()
    };
    let world = World::new(scenario);
    let quest = QuestProblem::new(scenario, &world, scenario.goal(), abilities);
    let mut out = Successors::new();
    quest.successors(&quest.start(), &mut out);
    out.iter().map(|step| (step.action, step.cost)).collect()
}

/// The best plan, verified.
fn plan(scenario: &Scenario) -> Option<Vec<Order>> {
    let world = World::new(scenario);
    let quest = QuestProblem::new(scenario, &world, scenario.goal(), Abilities::default());
    let mut search = BestFirst::astar(StraightLine);
    let status = search.run(&quest, &mut Budget::units(500_000));
    assert_ne!(status, Status::Paused, "the budget is enough");
    let path = search.path()?;
    let orders: Vec<Order> = path.steps.iter().map(|step| step.0).collect();
    let lived = verify(
        &scenario.for_planning(),
        quest.start_world(),
        &orders,
        scenario.goal(),
    );
    assert_eq!(lived.expect("a plan is valid").cost, path.cost);
    Some(orders)
}

fn walk(direction: Direction) -> Order {
    Order::Step(direction, Stance::new(Gait::Walk))
}

#[test]
fn sixteen_and_256_in_the_open_six_and_96_in_a_corner() {
    for (start, sixteen, all) in [([2, 2], 16, 256), ([0, 0], 6, 96), ([10, 4], 6, 96)] {
        let text = format!("start = {start:?}\ngoal = {{ all = [] }}");
        let room = scenario(&ROOM, &text);
        assert_eq!(successors(&room, Branching::Sixteen).len(), sixteen);
        assert_eq!(successors(&room, Branching::TwoHundredFiftySix).len(), all);
    }
}

#[test]
fn one_walks_two_metres_a_second_and_sneaks_one() {
    let listed = successors(&scenario(&ROOM, HERE), Branching::Sixteen);
    assert_eq!(listed[0].1, Cost::from_seconds(0.25));
    assert_eq!(listed[1].1, Cost::from_seconds(0.5));
    let mut world = World::new(&scenario(&ROOM, HERE));
    let room = scenario(&ROOM, HERE);
    let east = Orders::new(walk(Direction::East));
    world.advance(&room, &east, Duration::from_secs(3), &mut ());
    assert_eq!(world.position(AgentId::NPC, &room), Point::new(8.0, 2.0));
}

#[test]
fn the_wall_between_two_rooms_is_no_way_and_its_gap_is() {
    // Two rooms and a passage of a metre in the south.
    let rooms = [
        [0.0, 0.0, 4.0, 3.0],
        [0.0, 3.0, 4.0, 1.0],
        [4.0, 3.0, 1.0, 1.0],
        [5.0, 3.0, 5.0, 1.0],
        [5.0, 0.0, 5.0, 3.0],
    ];
    let scenario = scenario(&rooms, HERE);
    let orders = plan(&scenario).expect("through the passage");
    let lived = verify(&scenario, &World::new(&scenario), &orders, scenario.goal()).unwrap();
    assert!(lived.steps.iter().any(|step| step.at.y >= 3.0));
    let crossed = lived
        .steps
        .iter()
        .filter(|step| step.at.x > 4.0 && step.at.x < 5.0);
    assert!(crossed.clone().all(|step| step.at.y >= 3.0));
    assert!(crossed.count() > 0);
}

#[test]
fn one_falls_off_a_ledge_and_cannot_climb_it() {
    let ledge = "[[ledge]]\nfrom = [5, 4]\nto = [5, 0]\nheight = 1.962\n";
    // Looking north along it, the west is on the left: the upper side.
    let down = scenario(&ROOM, &format!("{HERE}{ledge}"));
    let orders = plan(&down).expect("one falls");
    let lived = verify(&down, &World::new(&down), &orders, down.goal()).unwrap();
    // 6.5 m at 2 m/s, and 1.962 m take 0.6325 s to fall.
    assert!((lived.cost.as_seconds() - 3.25 - 0.4f64.sqrt()).abs() < 1e-6);
    let up = HERE.replace("[2, 2]", "[8, 2]").replace("[9, 2]", "[1, 2]");
    assert_eq!(plan(&scenario(&ROOM, &format!("{up}{ledge}"))), None);
    // Round its end it goes.
    let short = ledge.replace("[5, 4]", "[5, 3.25]");
    let orders = plan(&scenario(&ROOM, &format!("{up}{short}"))).expect("round the end");
    assert!(orders.contains(&Order::Step(Direction::SouthWest, orders[0].stance())));
}

#[test]
fn links_lead_over_gaps_one_way_or_both() {
    let islands = [[0.0, 0.0, 4.0, 4.0], [6.0, 0.0, 4.0, 4.0]];
    assert_eq!(plan(&scenario(&islands, HERE)), None);
    let link = "[[link]]\nfrom = [4, 2]\nto = [6, 2]\nseconds = 1.5\n";
    let there = scenario(&islands, &format!("{HERE}{link}"));
    let orders = plan(&there).expect("over the link");
    assert!(orders.iter().any(|order| matches!(order, Order::Leap(_))));
    let lived = verify(&there, &World::new(&there), &orders, there.goal()).unwrap();
    assert_eq!(lived.cost, Cost::from_seconds(6.5 / 2.0 + 1.5));
    let back = HERE.replace("[2, 2]", "[8, 2]").replace("[9, 2]", "[1, 2]");
    assert_eq!(plan(&scenario(&islands, &format!("{back}{link}"))), None);
    let both = format!("{back}{link}both_ways = true\n");
    assert!(plan(&scenario(&islands, &both)).is_some());
}

#[test]
fn doors_items_and_levers_work_on_a_mesh() {
    let door = "[[door]]\nid = \"gate\"\nat = [[6, 0], [6, 4]]\n";
    assert_eq!(plan(&scenario(&ROOM, &format!("{HERE}{door}"))), None);
    let key = "[[key]]\nid = \"red\"\nat = [1.2, 3.9]\nopens = [\"gate\"]\n";
    let with_key = scenario(&ROOM, &format!("{HERE}{door}{key}"));
    let orders = plan(&with_key).expect("with the key");
    let lived = verify(&with_key, &World::new(&with_key), &orders, with_key.goal()).unwrap();
    let picked = lived
        .steps
        .iter()
        .find(|step| !step.events.is_empty())
        .unwrap();
    assert!(picked.at.distance_to(Point::new(1.2, 3.9)) <= 1.0);
    let lever = "[[lever]]\nid = \"bar\"\nat = [1, 1]\nopens = [\"gate\"]\n";
    let with_lever = scenario(&ROOM, &format!("{HERE}{door}{lever}"));
    let orders = plan(&with_lever).expect("with the lever");
    assert!(orders.iter().any(|order| matches!(order, Order::Use(_))));
    let text = orders.iter().map(Order::to_string).collect::<Vec<_>>();
    assert!(text.contains(&"use fighting".to_owned()), "{text:?}");
}

#[test]
fn layers_above_each_other_are_apart() {
    // A floor, a ramp up its eastern end, and a gallery back over it.
    let vertex = |x: f64, y: f64, z: f64| [x, y, z];
    let parts = |highest_fall: f64| NavMeshParts {
        vertices: vec![
            vertex(0.0, 0.0, 0.0),
            vertex(8.0, 0.0, 0.0),
            vertex(8.0, 2.0, 0.0),
            vertex(0.0, 2.0, 0.0),
            vertex(14.0, 0.0, 3.0),
            vertex(14.0, 2.0, 3.0),
            vertex(14.0, 5.0, 3.0),
            vertex(8.0, 5.0, 3.0),
            vertex(8.0, 2.2, 3.0),
            vertex(0.0, 2.2, 3.0),
            vertex(0.0, 1.0, 3.0),
            vertex(8.0, 1.0, 3.0),
        ],
        polygons: vec![vec![0, 1, 2, 3], vec![1, 4, 5, 2], vec![8, 9, 10, 11]],
        highest_fall,
        ..NavMeshParts::default()
    };
    let map = Map::Mesh(parts(0.0).build().unwrap());
    let stacked = map.places_within(Point::new(4.0, 1.5), 0.1);
    assert_eq!(stacked.len(), 2);
    assert_eq!(
        stacked
            .iter()
            .map(|place| map.height_of(*place))
            .collect::<Vec<_>>(),
        [0.0, 3.0]
    );
    let way_up = |map: &Map, from: usize, to: usize| {
        let mut field = DistanceField::to(map, [to], 2.0);
        field.sweep(map, &mut Budget::unlimited());
        field.at(from)
    };
    assert_eq!(way_up(&map, stacked[0], stacked[1]), Cost::INFINITE);
    assert_eq!(way_up(&map, stacked[1], stacked[0]), Cost::INFINITE);
    // Whoever may fall four metres can step off the gallery's edge, and never gets back.
    let map = Map::Mesh(parts(4.0).build().unwrap());
    let down = way_up(&map, stacked[1], stacked[0]);
    assert!(down.is_finite() && down.as_seconds() > (2.0f64 * 3.0 / 9.81).sqrt());
    assert_eq!(way_up(&map, stacked[0], stacked[1]), Cost::INFINITE);
}

#[test]
fn enemies_go_round_walls_and_come_home_again() {
    // A pillar of four metres stands between them.
    let around = [
        [0.0, 0.0, 3.0, 3.0],
        [3.0, 0.0, 4.0, 3.0],
        [7.0, 0.0, 3.0, 3.0],
        [0.0, 3.0, 3.0, 4.0],
        [7.0, 3.0, 3.0, 4.0],
        [0.0, 7.0, 3.0, 3.0],
        [3.0, 7.0, 4.0, 3.0],
        [7.0, 7.0, 3.0, 3.0],
    ];
    let text = "start = [1, 5]\ngoal = { all = [] }\n\
        [[enemy]]\nid = \"grey\"\nkind = \"wolf\"\nat = [9, 5]\n[rules]\nline_of_sight = false\n";
    let scenario = scenario(&around, text);
    let wolf = AgentId::Enemy(0);
    let mut world = World::new(&scenario);
    let mut events = Vec::new();
    let wait = Orders::new(Order::WAIT);
    world.advance(&scenario, &wait, Duration::from_secs(6), &mut events);
    assert!(
        events
            .iter()
            .any(|event| matches!(event, Event::Hurt { .. })),
        "{events:?}"
    );
    let mut met = Vec::new();
    for _ in 0..600 {
        world.advance(
            &scenario,
            &Orders::new(walk(Direction::West)),
            Duration::from_millis(100),
            &mut (),
        );
        met.push(world.position(wolf, &scenario));
    }
    let inside = |at: &Point| at.x > 3.01 && at.x < 6.99 && at.y > 3.01 && at.y < 6.99;
    assert!(!met.iter().any(inside));
    assert!(world.is_dead(AgentId::NPC, &scenario));
    assert_eq!(world.mode(wolf, &scenario), Some(Mode::Idle));
    assert_eq!(world.position(wolf, &scenario), Point::new(9.0, 5.0));
}

#[test]
fn a_wall_hides_on_a_mesh_unless_one_is_near() {
    let rooms = [[0.0, 0.0, 4.0, 4.0], [4.2, 0.0, 6.0, 4.0]];
    for (x, is_noticed) in [("8", false), ("6", true)] {
        let text = format!(
            "start = [2, 2]\ngoal = {{ all = [] }}\n[[enemy]]\nid = \"b\"\nkind = \"bear\"\nat = [{x}, 2]\n"
        );
        let scenario = scenario(&rooms, &text);
        let mut world = World::new(&scenario);
        let mut events = Vec::new();
        world.advance(
            &scenario,
            &Orders::new(Order::WAIT),
            Duration::from_secs(1),
            &mut events,
        );
        assert_eq!(!events.is_empty(), is_noticed, "at {x}");
    }
}

/// Whether a point is on a polygon of a mesh, or nearly.
fn is_on(mesh: &NavMesh, at: Point) -> bool {
    (0..mesh.polygons()).any(|polygon| {
        let corners: Vec<[f64; 3]> = mesh.polygon(polygon).collect();
        let next = corners.iter().cycle().skip(1);
        corners.iter().zip(next).all(|([ax, ay, _], [bx, by, _])| {
            (bx - ax) * (at.y - ay) - (by - ay) * (at.x - ax) >= -1e-6
        })
    })
}

/// The caves are strips with many corners in a row on one line.
#[test]
fn ways_in_shipped_caves_are_not_pulled_through_rock() {
    for path in crate::golden::files("scenarios", "toml") {
        let beside = |name: &str| Ok(crate::golden::read(&path.with_file_name(name)));
        let scenario = Scenario::parse_with(&crate::golden::read(&path), beside).unwrap();
        let map = scenario.map();
        let Some(mesh) = map.mesh() else { continue };
        for target in 0..6 {
            let target = map.places() * target / 6;
            let mut field = DistanceField::to(map, [target], 2.0);
            field.sweep(map, &mut Budget::unlimited());
            for from in 0..10 {
                let mut places = vec![map.places() * from / 10];
                while let Some(next) = field.next(map, places[places.len() - 1]) {
                    places.push(next);
                }
                for pair in scenario.pulled_straight(&places).windows(2) {
                    for part in 0..=20 {
                        let part = f64::from(part) / 20.0;
                        let (x, y) = (
                            pair[0].x + (pair[1].x - pair[0].x) * part,
                            pair[0].y + (pair[1].y - pair[0].y) * part,
                        );
                        assert!(
                            is_on(mesh, Point::new(x, y)),
                            "{}: ({x}, {y}) between {} and {} is rock",
                            path.display(),
                            pair[0],
                            pair[1],
                        );
                    }
                }
            }
        }
    }
}

/// A random mesh: rectangles of whole metres in a raster, some missing, with ledges and links.
fn random_mesh(seed: u64) -> Option<Map> {
    let mut state = seed | 1;
    let mut dice = move |sides: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % sides
    };
    let mut rectangles = Vec::new();
    for y in 0..4 {
        for x in 0..5 {
            if dice(4) > 0 {
                rectangles.push([f64::from(x) * 1.5, f64::from(y) * 1.5, 1.5, 1.5]);
            }
        }
    }
    let mut parts = NavMeshParts::from_polyanya(&mesh_of(&rectangles)).ok()?;
    let mut point = || Point::new(dice(16) as f64 * 0.5, dice(13) as f64 * 0.5);
    let (a, b, c, d) = (point(), point(), point(), point());
    if a != b {
        parts.ledges.push(Ledge {
            from: a,
            to: b,
            height: 1.0,
        });
    }
    let link = Link {
        from: c.into(),
        to: d.into(),
        both_ways: seed.is_multiple_of(2),
        delay: 0.25,
    };
    let with_link = NavMeshParts {
        links: vec![link],
        ..parts.clone()
    };
    with_link
        .build()
        .or_else(|_| parts.build())
        .ok()
        .map(Map::Mesh)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    /// Steps to a place are exactly the steps from others that lead there.
    #[test]
    fn steps_lead_where_they_come_from(seed: u64) {
        let Some(map) = random_mesh(seed) else { return Ok(()) };
        let mut forward: Vec<(usize, usize, u64)> = Vec::new();
        let mut backward = Vec::new();
        for place in 0..map.places() {
            forward.extend(map.steps_from(place).map(|step| (place, step.place, step.cost(2.0).ticks())));
            backward.extend(map.steps_to(place).map(|step| (step.place, place, step.cost(2.0).ticks())));
        }
        forward.sort_unstable();
        backward.sort_unstable();
        prop_assert_eq!(forward, backward);
    }

    /// The field is what a plain repeated relaxation of all steps comes to, and its ways cost that.
    #[test]
    fn fields_and_ways_are_shortest(seed: u64, target in 0usize..100) {
        let Some(map) = random_mesh(seed) else { return Ok(()) };
        let target = target % map.places();
        let mut field = DistanceField::to(&map, [target], 2.0);
        field.sweep(&map, &mut Budget::unlimited());
        let mut plain = vec![Cost::INFINITE; map.places()];
        plain[target] = Cost::ZERO;
        for _ in 0..map.places() {
            for place in 0..map.places() {
                for step in map.steps_from(place) {
                    plain[place] = plain[place].min(plain[step.place] + step.cost(2.0));
                }
            }
        }
        for (place, cost) in plain.iter().enumerate() {
            prop_assert_eq!(field.at(place), *cost);
            let way = field.way(&map, map.at(place));
            // Points of layers coincide on no random mesh, so the way begins where it is asked to.
            prop_assert_eq!(way.is_empty(), !cost.is_finite());
        }
    }

    /// No straight line between neighbours leaves the mesh, judged by the rectangles themselves.
    #[test]
    fn steps_stay_on_the_mesh(seed: u64) {
        let Some(map) = random_mesh(seed) else { return Ok(()) };
        let mesh = map.mesh().unwrap();
        let boxes: Vec<[f64; 4]> = (0..mesh.polygons()).map(|polygon| {
            let corners: Vec<_> = mesh.polygon(polygon).collect();
            let least = |axis: usize| corners.iter().map(|c| c[axis]).fold(f64::INFINITY, f64::min);
            let most = |axis: usize| corners.iter().map(|c| c[axis]).fold(f64::NEG_INFINITY, f64::max);
            [least(0), least(1), most(0), most(1)]
        }).collect();
        let is_on = |x: f64, y: f64| boxes.iter().any(|b| {
            x >= b[0] - 1e-6 && x <= b[2] + 1e-6 && y >= b[1] - 1e-6 && y <= b[3] + 1e-6
        });
        for place in 0..map.places() {
            let from = map.point_of(place);
            for step in map.steps_from(place).filter(|step| step.length <= 0.75 && step.delay != 0.25) {
                let to = map.point_of(step.place);
                for part in 0..=20 {
                    let part = f64::from(part) / 20.0;
                    prop_assert!(is_on(from.x + (to.x - from.x) * part, from.y + (to.y - from.y) * part));
                }
            }
        }
    }

    /// A pulled way joins the same ends, is no longer, and stays on the mesh.
    #[test]
    fn pulled_ways_stay_on_the_mesh(seed: u64, from in 0usize..100, to in 0usize..100) {
        let rectangles: Vec<[f64; 4]> = (0..20).filter(|place| seed >> (2 * place) & 3 != 0).map(|place| {
            [f64::from(place % 5) * 1.5, f64::from(place / 5) * 1.5, 1.5, 1.5]
        }).collect();
        let text = "format = 1\nstart = [0, 0]\ngoal = { all = [] }\n[map]\nfile = \"level.mesh\"\n";
        let Ok(scenario) = Scenario::parse_with(text, |_| Ok(mesh_of(&rectangles))) else { return Ok(()) };
        let map = scenario.map();
        let (from, to) = (from % map.places(), to % map.places());
        let mut field = DistanceField::to(map, [to], 2.0);
        field.sweep(map, &mut Budget::unlimited());
        let mut places = vec![from];
        while let Some(next) = field.next(map, places[places.len() - 1]) {
            places.push(next);
        }
        let pulled = scenario.pulled_straight(&places);
        prop_assert_eq!(pulled[0], map.point_of(from));
        prop_assert_eq!(pulled[pulled.len() - 1], map.point_of(places[places.len() - 1]));
        let length = |way: &[Point]| way.windows(2).map(|pair| pair[0].distance_to(pair[1])).sum::<f64>();
        let points: Vec<Point> = places.iter().map(|place| map.point_of(*place)).collect();
        prop_assert!(length(&pulled) <= length(&points) + 1e-9);
        for pair in pulled.windows(2) {
            for part in 0..=50 {
                let part = f64::from(part) / 50.0;
                let (x, y) = (pair[0].x + (pair[1].x - pair[0].x) * part, pair[0].y + (pair[1].y - pair[0].y) * part);
                let is_on = rectangles.iter().any(|[left, top, width, height]| {
                    x >= left - 1e-6 && x <= left + width + 1e-6 && y >= top - 1e-6 && y <= top + height + 1e-6
                });
                prop_assert!(is_on, "({}, {})", x, y);
            }
        }
    }

    /// Both estimates are consistent, and the walk A* finds is what the field says.
    #[test]
    fn estimates_keep_their_promise(seed: u64) {
        let rectangles: Vec<[f64; 4]> = (0..20).filter(|place| seed >> place & 3 != 0).map(|place| {
            [f64::from(place % 5) * 1.5, f64::from(place / 5) * 1.5, 1.5, 1.5]
        }).collect();
        let text = format!("start = [0, 0]\ngoal = {{ all = [] }}\n[[ledge]]\nfrom = [{}, 0]\nto = [3, 6]\nheight = 2\n", seed % 7);
        let text = format!("format = 1\n{text}[map]\nfile = \"level.mesh\"\n");
        let Ok(scenario) = Scenario::parse_with(&text, |_| Ok(mesh_of(&rectangles))) else { return Ok(()) };
        let map = scenario.map();
        let to = map.point_of(map.places() - 1);
        let walk = WalkProblem::new(&scenario, 0, to, 0.0);
        let mut path = ShortestPath::default();
        path.prepare(&walk, &mut Budget::unlimited());
        let mut out = Successors::new();
        for place in 0..map.places() as u32 {
            out.clear();
            walk.successors(&place, &mut out);
            for step in &out {
                prop_assert!(StraightLine.estimate(&walk, &place) <= step.cost + StraightLine.estimate(&walk, &step.state));
                prop_assert!(path.estimate(&walk, &place) <= step.cost + path.estimate(&walk, &step.state));
            }
        }
        let mut search = BestFirst::astar(StraightLine);
        search.run(&walk, &mut Budget::unlimited());
        let found = search.path().map_or(Cost::INFINITE, |path| path.cost);
        prop_assert_eq!(found, path.estimate(&walk, &0));
    }
}
