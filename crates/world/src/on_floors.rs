//! A demonstration on the floors of a level.

use apprentice_experience::{Demonstration, Place, Sample};

use crate::{AgentId, Map, Scenario, Spot, World};

/// A demonstration on the floors of a level: each of its samples as high as the floor nearest to it,
/// and with further samples where a ramp begins or ends between two of them, so that a line to a
/// bridge leads up to it and not through the air. On a flat level all of it is at height 0. Over
/// rock, heights stay as they are.
///
/// ```
/// use apprentice_experience::{Demonstration, Place};
/// use apprentice_world::{Map, NavMeshParts, on_floors};
///
/// // A yard, a ramp from (2, 1) to (5, 1), and a bridge from there on, two metres high.
/// let mesh = NavMeshParts {
///     vertices: vec![
///         [0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [2.0, 2.0, 0.0], [0.0, 2.0, 0.0],
///         [5.0, 0.0, 2.0], [5.0, 2.0, 2.0], [9.0, 0.0, 2.0], [9.0, 2.0, 2.0],
///         [5.0, 0.0, 0.0], [9.0, 0.0, 0.0], [9.0, 2.0, 0.0], [5.0, 2.0, 0.0],
///     ],
///     polygons: vec![vec![0, 1, 2, 3], vec![1, 4, 5, 2], vec![4, 6, 7, 5], vec![8, 9, 10, 11]],
///     ..NavMeshParts::default()
/// };
/// let map = Map::Mesh(mesh.build()?);
/// let line = [Place::new(0.0, 1.0, 0.0), Place::new(9.0, 1.0, 2.0)];
/// let shown = on_floors(&map, &Demonstration::drawn("up", line, 1.0));
/// let heights: Vec<(f64, f64)> = shown.places().map(|place| (place.x, place.z)).collect();
/// assert_eq!(heights, [(0.0, 0.0), (2.0, 0.0), (5.0, 2.0), (9.0, 2.0)]);
/// # Ok::<(), apprentice_world::MeshError>(())
/// ```
pub fn on_floors(map: &Map, shown: &Demonstration) -> Demonstration {
    let mut samples: Vec<Sample> = Vec::with_capacity(shown.samples.len());
    for sample in &shown.samples {
        let place = at_rest(map, sample.place);
        if let Some(before) = samples.last() {
            let between = between(map, before, place, sample.time);
            samples.extend(between);
        }
        samples.push(Sample {
            place,
            ..sample.clone()
        });
    }
    Demonstration {
        name: shown.name.clone(),
        samples,
    }
}

/// A line that was drawn over a level, at the pace of one who walks. Points of which nobody knows how
/// high they are, because they lie in rock, are as high as those before them.
///
/// ```
/// use apprentice_world::{Scenario, Spot, drawn_line};
///
/// let level = Scenario::parse(
///     "format = 1\nstart = [0, 0]\ngoal = { all = [] }\nmap = { rows = [\"...\"] }",
/// )?;
/// let spot = |x, height| Spot { x, y: 0.0, height };
/// let line = [spot(0.0, None), spot(1.0, Some(10.0)), spot(2.0, None)];
/// let shown = drawn_line(&level, "over the hill", &line);
/// assert!(shown.places().all(|place| place.z == 10.0));
/// # Ok::<(), apprentice_world::ScenarioError>(())
/// ```
pub fn drawn_line(scenario: &Scenario, name: impl Into<String>, points: &[Spot]) -> Demonstration {
    let mut height = points.iter().find_map(|at| at.height).unwrap_or(0.0);
    let places = points.iter().map(|at| {
        height = at.height.unwrap_or(height);
        Place::new(at.x, at.y, height)
    });
    Demonstration::drawn(name, places, scenario.rules().top_speed())
}

/// Where somebody is in a world, as demonstrations see it.
///
/// ```
/// use apprentice_experience::Place;
/// use apprentice_world::{AgentId, Scenario, World, where_is};
///
/// let level = Scenario::parse(
///     "format = 1\nstart = [1, 0]\ngoal = { all = [] }\nmap = { rows = [\"...\"] }",
/// )?;
/// let place = where_is(&level, &World::new(&level), AgentId::NPC);
/// assert_eq!(place, Place::flat(1.0, 0.0));
/// # Ok::<(), apprentice_world::ScenarioError>(())
/// ```
pub fn where_is(scenario: &Scenario, world: &World, agent: AgentId) -> Place {
    let (at, map) = (world.position(agent, scenario), scenario.map());
    let spot = Spot {
        height: Some(map.height_of(world.place(agent, scenario))),
        ..at.into()
    };
    // In the middle of a step it is between two heights.
    let height = map.floor_at(spot).filter(|_| !map.is_flat());
    Place::new(at.x, at.y, height.unwrap_or(0.0))
}

/// Whether there is nothing to be done, as far as that is seen at a glance: on a flat level.
pub(crate) fn are_on_floors(map: &Map, shown: &[Demonstration]) -> bool {
    let mut places = shown.iter().flat_map(Demonstration::places);
    map.is_flat() && places.all(|place| place.z == 0.0)
}

/// A stretch that is longer is a mistake of the demonstration, and not looked at this closely.
const MOST_PIECES: f64 = 4_000.0;
/// Heights that differ by less are the same: a centimetre.
const LEVEL: f64 = 0.01;

fn floor_at(map: &Map, place: Place, height: f64) -> Option<f64> {
    map.floor_at(Spot {
        x: place.x,
        y: place.y,
        height: Some(height),
    })
}

/// A place on the floor nearest to it.
fn at_rest(map: &Map, place: Place) -> Place {
    let z = if map.is_flat() {
        0.0
    } else {
        floor_at(map, place, place.z).unwrap_or(place.z)
    };
    Place { z, ..place }
}

/// The samples between two where the slope of the floor changes.
fn between(map: &Map, before: &Sample, to: Place, time: f64) -> Vec<Sample> {
    let from = before.place;
    let (x, y) = (to.x - from.x, to.y - from.y);
    let pieces = ((x * x + y * y).sqrt() / map.spacing()).ceil();
    if map.is_flat() || !(2.0..=MOST_PIECES).contains(&pieces) {
        return Vec::new();
    }
    let pieces = pieces as u32;
    let part = |number: u32| f64::from(number) / f64::from(pieces);
    let places: Vec<Place> = (0..=pieces)
        .map(|number| from.toward(to, part(number)))
        .collect();
    let Some(heights) = heights_along(map, &places) else {
        return Vec::new();
    };
    // A sample is kept if without it the line would run beside the floor: the slopes from the last
    // one that keep to all floors since are an interval.
    let mut kept = vec![0];
    let (mut least, mut most) = (f64::NEG_INFINITY, f64::INFINITY);
    for number in 1..heights.len() - 1 {
        let first = kept[kept.len() - 1];
        let slope =
            |to: usize, more: f64| (heights[to] + more - heights[first]) / (to - first) as f64;
        least = least.max(slope(number, -LEVEL));
        most = most.min(slope(number, LEVEL));
        if !(least..=most).contains(&slope(number + 1, 0.0)) {
            kept.push(number);
            (least, most) = (f64::NEG_INFINITY, f64::INFINITY);
        }
    }
    let samples = kept.into_iter().skip(1).map(|number| Sample {
        time: before.time + (time - before.time) * part(number as u32),
        place: Place {
            z: heights[number],
            ..places[number]
        },
        stance: before.stance.clone(),
    });
    samples.collect()
}

/// How high the floor is along a line whose ends are on it, if one floor leads from end to end:
/// seen from either, because a floor may lie under a ramp, too.
fn heights_along(map: &Map, places: &[Place]) -> Option<Vec<f64>> {
    let walk = |places: &mut dyn Iterator<Item = &Place>| -> Option<Vec<f64>> {
        let mut heights: Vec<f64> = Vec::new();
        let mut last = None;
        for place in places {
            let height = floor_at(map, *place, heights.last().copied().unwrap_or(place.z))?;
            let is_step = heights
                .last()
                .is_none_or(|before| (before - height).abs() <= Place::STOREY);
            is_step.then_some(())?;
            heights.push(height);
            last = Some(*place);
        }
        let end = Place {
            z: *heights.last()?,
            ..last?
        };
        end.is_on_floor_of(last?).then_some(heights)
    };
    walk(&mut places.iter()).or_else(|| {
        let mut heights = walk(&mut places.iter().rev())?;
        heights.reverse();
        Some(heights)
    })
}
