//! A scenario, and a moment in its world, as the page draws them. This is the one file that asks
//! the map what it is made of.

use apprentice::world::{
    AgentId, DoorId, Gait, Goal, ItemId, ItemKind, Kind, LeverId, Manner, Map, Point, Scenario,
    Stance, Thing, World,
};

use crate::protocol::{
    Ground, ListedEstimate, ListedKind, Scene, ShownActor, ShownEnemy, ShownThing,
};
use crate::{editor_text, trials};

/// What the page draws of a scenario.
pub(crate) fn scene(scenario: &Scenario) -> Scene {
    Scene {
        name: scenario.name().to_owned(),
        ground: ground(scenario),
        things: things(scenario),
        goal: goal_in_words(scenario, scenario.goal()),
        can_run: scenario.rules().speed(Gait::Run) > 0.0,
        harm: scenario.prices().harm(),
        estimates: estimates(scenario),
        kinds: kinds(scenario),
        expects: trials::expectation(scenario),
        picture: None,
        tasks: None,
    }
}

/// The same, with what its text says to those who make it.
pub(crate) fn scene_of(scenario: &Scenario, text: &str) -> Scene {
    Scene {
        picture: editor_text::picture(text),
        tasks: editor_text::tasks(text),
        ..scene(scenario)
    }
}

/// The kinds of enemies every level knows, and those of this one.
fn kinds(scenario: &Scenario) -> Vec<ListedKind> {
    let mut kinds: Vec<Kind> = Kind::KNOWN.into_iter().filter_map(Kind::known).collect();
    for enemy in scenario.enemies() {
        if kinds.iter().all(|kind| kind.name != enemy.kind.name) {
            kinds.push(enemy.kind.clone());
        }
    }
    let listed = kinds.into_iter().map(|kind| ListedKind {
        kind: match kind.manner {
            Manner::Guard(_) => "guard",
            Manner::Beast(_) => "beast",
        },
        name: kind.name,
    });
    listed.collect()
}

fn ground(scenario: &Scenario) -> Ground {
    match scenario.map() {
        Map::Grid(grid) => Ground::Grid {
            rows: grid.rows().collect(),
        },
        map @ Map::Mesh(mesh) => {
            let (first, last) = map.bounds();
            let polygons = (0..mesh.polygons()).map(|number| {
                let corners = mesh.polygon(number);
                corners.map(|[x, y, _]| [x, y]).collect()
            });
            let storeys = (0..mesh.polygons()).map(|number| {
                let corners = mesh.polygon(number).map(|[_, _, height]| height);
                let (sum, count) = corners.fold((0.0, 0.0), |(sum, count), height| {
                    (sum + height, count + 1.0)
                });
                hundredths(sum / count)
            });
            Ground::Mesh {
                storeys: (!mesh.is_flat()).then(|| storeys.collect()),
                polygons: polygons.collect(),
                bounds: [first.x, first.y, last.x, last.y],
                places: (0..map.places())
                    .map(|place| pair(map.point_of(place)))
                    .collect(),
                heights: (!mesh.is_flat()).then(|| {
                    let heights = (0..map.places()).map(|place| map.height_of(place));
                    heights.map(hundredths).collect()
                }),
                spacing: map.spacing(),
            }
        }
    }
}

/// Where the character stands, or comes from while it makes a step.
pub(crate) fn footing(scenario: &Scenario, world: &World) -> Point {
    point_of(scenario, world.place(AgentId::NPC, scenario))
}

/// Where a place is.
pub(crate) fn point_of(scenario: &Scenario, place: usize) -> Point {
    scenario.map().point_of(place)
}

/// How high a place is, where not all are at the same height.
pub(crate) fn height_of(scenario: &Scenario, place: usize) -> Option<f64> {
    let mesh = scenario.map().mesh()?;
    (!mesh.is_flat()).then(|| hundredths(mesh.height_of(place)))
}

/// Nobody measures a level finer than that.
fn hundredths(height: f64) -> f64 {
    (height * 100.0).round() / 100.0
}

fn pair(point: Point) -> [f64; 2] {
    [point.x, point.y]
}

/// Areas and traps.
fn patches(scenario: &Scenario) -> Vec<ShownThing> {
    let mut things = Vec::new();
    for area in scenario.areas() {
        let places = area.places.iter();
        let at: Vec<[f64; 2]> = places
            .map(|place| pair(point_of(scenario, *place)))
            .collect();
        let title = format!("area {}, where a second counts {} s", area.id, area.counts);
        // What has no place on the map cannot be shown there.
        if !at.is_empty() {
            let sort = if area.counts < 1.0 {
                "liked"
            } else {
                "avoided"
            };
            things.push(plain(&area.id, sort, title, at));
        }
    }
    for trap in scenario.traps() {
        let places = trap.places.iter();
        let at = places.map(|place| pair(point_of(scenario, *place)));
        let title = format!("trap {}, {} points of health a step", trap.id, trap.damage);
        things.push(plain(&trap.id, "trap", title, at.collect()));
    }
    things
}

/// Everything as it is when a run begins.
fn things(scenario: &Scenario) -> Vec<ShownThing> {
    let world = &World::new(scenario);
    let mut things = Vec::new();
    // What covers places lies under everything else.
    things.extend(patches(scenario));
    things.extend(doors(scenario, world));
    things.extend(levers(scenario));
    things.extend(items(scenario, world));
    for obstacle in scenario.obstacles() {
        let places = obstacle.path.iter();
        let at = places.map(|place| pair(point_of(scenario, *place)));
        let title = format!("obstacle {}", obstacle.id);
        things.push(plain(&obstacle.id, "obstacle", title, at.collect()));
    }
    things.extend(enemies(scenario, world));
    things.extend(goals(scenario));
    let start = spot_of(scenario, Thing::Agent(AgentId::NPC));
    things.push(movable("start", "start", "start".to_owned(), start));
    if has_player(scenario) {
        let at = spot_of(scenario, Thing::Agent(AgentId::PLAYER));
        things.push(movable("player", "player", "player".to_owned(), at));
    }
    for (agent, id) in others(scenario) {
        let at = spot_of(scenario, Thing::Agent(agent));
        things.push(movable(id, "actor", named("character", id), at));
    }
    things
}

/// Whether somebody at the page can join in: there is a player in the level.
pub(crate) fn has_player(scenario: &Scenario) -> bool {
    let first = scenario.actors().get(1);
    first.is_some_and(|actor| actor.id == "player")
}

/// All who take orders but the character at `start` and the player, with their ids.
pub(crate) fn others(scenario: &Scenario) -> impl Iterator<Item = (AgentId, &str)> {
    let first = if has_player(scenario) { 2 } else { 1 };
    let numbered = (0..).zip(scenario.actors()).skip(first);
    numbered.map(|(number, actor)| (AgentId::Actor(number), &*actor.id))
}

fn plain(id: &str, kind: &'static str, title: String, at: Vec<[f64; 2]>) -> ShownThing {
    ShownThing {
        id: id.to_owned(),
        kind,
        title,
        at,
        closes: None,
        height: None,
        movable: false,
        color: None,
        radius: None,
        sneak_radius: None,
        leash: None,
        open: None,
    }
}

/// Where something is at the beginning, and how high, where not all is at the same height.
type Spot = (Point, Option<f64>);

fn spot_of(scenario: &Scenario, thing: Thing) -> Spot {
    let height = height_of(scenario, scenario.place_of(thing));
    (scenario.position_of(thing), height)
}

fn movable(id: &str, kind: &'static str, title: String, (at, height): Spot) -> ShownThing {
    ShownThing {
        movable: true,
        height,
        ..plain(id, kind, title, vec![pair(at)])
    }
}

/// Keys and the doors they open share a colour, by the number of the first key of a door.
fn color_of_key(scenario: &Scenario, item: ItemId) -> Option<usize> {
    let doors = (0..scenario.doors().len() as u8).map(DoorId::new);
    let mut opened = doors.filter(|door| scenario.keys_of(*door).any(|key| key == item));
    let first = opened.next()?;
    color_of_door(scenario, first)
}

fn color_of_door(scenario: &Scenario, door: DoorId) -> Option<usize> {
    let first = scenario.keys_of(door).next()?;
    let is_key = |item: &&apprentice::world::Item| item.kind == ItemKind::Key;
    let before = scenario.items().iter().take(first.index());
    Some(before.filter(is_key).count())
}

/// What lies around; what lies on the start too, so that it can be moved away.
fn items<'a>(
    scenario: &'a Scenario,
    world: &'a World,
) -> impl Iterator<Item = ShownThing> + use<'a> {
    let numbered = (0..).zip(scenario.items());
    let is_there = |number| !scenario.begins_midway() || world.is_lying(ItemId::new(number));
    let lying = numbered.filter(move |(number, _)| is_there(*number));
    lying.map(move |(number, item)| {
        let id = ItemId::new(number);
        let kind = match item.kind {
            ItemKind::Key => "key",
            ItemKind::Shield => "shield",
            ItemKind::Treasure => "item",
            ItemKind::Pack { .. } => "pack",
        };
        let at = spot_of(scenario, Thing::Item(id));
        ShownThing {
            color: color_of_key(scenario, id),
            ..movable(&item.id, kind, named(&item.kind.to_string(), &item.id), at)
        }
    })
}

/// What a thing is called where its id may already say what it is.
fn named(kind: &str, id: &str) -> String {
    let id = id.replace('_', " ");
    if id.contains(kind) {
        id
    } else {
        format!("{kind} {id}")
    }
}

fn doors<'a>(
    scenario: &'a Scenario,
    world: &'a World,
) -> impl Iterator<Item = ShownThing> + use<'a> {
    (0..).zip(scenario.doors()).map(move |(number, door)| {
        let at = door.at.iter().map(|(at, _)| pair(*at));
        let closes = door.places.iter();
        let closes = closes.map(|place| pair(point_of(scenario, *place)));
        ShownThing {
            movable: true,
            closes: scenario.map().mesh().map(|_| closes.collect()),
            height: height_of(scenario, door.at[0].1),
            color: color_of_door(scenario, DoorId::new(number)),
            open: Some(world.is_open(DoorId::new(number))),
            ..plain(&door.id, "door", named("door", &door.id), at.collect())
        }
    })
}

fn levers(scenario: &Scenario) -> impl Iterator<Item = ShownThing> + '_ {
    (0..).zip(scenario.levers()).map(move |(number, lever)| {
        let at = spot_of(scenario, Thing::Lever(LeverId::new(number)));
        movable(&lever.id, "lever", named("lever", &lever.id), at)
    })
}

fn enemies<'a>(
    scenario: &'a Scenario,
    world: &'a World,
) -> impl Iterator<Item = ShownThing> + use<'a> {
    let numbered = (0..).zip(scenario.enemies());
    let living = numbered.filter(|(number, _)| !world.is_dead(AgentId::Enemy(*number), scenario));
    living.map(move |(number, enemy)| {
        let agent = AgentId::Enemy(number);
        let height = height_of(scenario, world.place(agent, scenario));
        let at = (world.position(agent, scenario), height);
        let (kind, radius, sneak_radius, leash) = match &enemy.kind.manner {
            Manner::Guard(guard) => ("guard", guard.radius, guard.sneak_radius, None),
            Manner::Beast(beast) => {
                let quiet = beast.radius * apprentice::world::Rules::noise(Gait::Sneak);
                ("beast", beast.radius, quiet, Some(beast.leash))
            }
        };
        // Who can be noticed by nobody walks through its circles: there are none.
        let everybody = 0..scenario.actors().len() as u16;
        let is_blind = everybody
            .map(AgentId::Actor)
            .all(|actor| enemy.ignores(actor));
        let breed = enemy.kind.name.replace('_', " ");
        ShownThing {
            radius: (!is_blind).then_some(radius),
            sneak_radius: (!is_blind).then_some(sneak_radius),
            leash: leash.filter(|_| !is_blind),
            ..movable(&enemy.id, kind, named(&breed, &enemy.id), at)
        }
    })
}

/// The places of the goal, numbered in the order in which the goal names them.
fn goals(scenario: &Scenario) -> impl Iterator<Item = ShownThing> + '_ {
    let places = scenario.goal().leaves().into_iter();
    let places = places.filter_map(|leaf| match leaf {
        Goal::Within { at, radius, height }
        | Goal::AgentWithin {
            at, radius, height, ..
        } => Some(((*at, height.map(hundredths)), *radius)),
        _ => None,
    });
    (0..).zip(places).map(|(number, (at, radius))| {
        let id = match number {
            0 => "goal".to_owned(),
            number => format!("goal:{number}"),
        };
        ShownThing {
            radius: Some(radius),
            ..movable(&id, "goal", "goal".to_owned(), at)
        }
    })
}

/// A goal in words.
fn goal_in_words(scenario: &Scenario, goal: &Goal) -> String {
    let id = |thing: Thing| scenario.id_of(thing);
    let join = |goals: &[Goal], word: &str| {
        let parts: Vec<String> = goals
            .iter()
            .map(|goal| goal_in_words(scenario, goal))
            .collect();
        parts.join(word)
    };
    match goal {
        Goal::Within { at, radius, .. } if *radius < 1.0 => format!("be at {at}"),
        Goal::Within { at, radius, .. } => format!("be within {radius} of {at}"),
        Goal::AgentWithin {
            agent, at, radius, ..
        } => {
            format!("{} within {radius} of {at}", id(Thing::Agent(*agent)))
        }
        Goal::Near { agent, radius } => {
            format!("be within {radius} of {}", id(Thing::Agent(*agent)))
        }
        Goal::Dead(agent) => format!("{} is dead", id(Thing::Agent(*agent))),
        Goal::Holds(item) => format!("hold {}", id(Thing::Item(*item))),
        Goal::LeverOn(lever) => format!("pull {}", id(Thing::Lever(*lever))),
        Goal::DoorOpen(door) => format!("{} is open", id(Thing::Door(*door))),
        Goal::All(goals) if goals.is_empty() => "nothing to do".to_owned(),
        Goal::All(goals) => join(goals, " and "),
        Goal::Any(goals) if goals.is_empty() => "impossible".to_owned(),
        Goal::Any(goals) => join(goals, " or "),
        Goal::Not(goal) => format!("not: {}", goal_in_words(scenario, goal)),
        Goal::InOrder(goals) => join(goals, ", then "),
    }
}

fn estimates(scenario: &Scenario) -> Vec<ListedEstimate> {
    let listed = |id: &str, about: String| ListedEstimate {
        id: id.to_owned(),
        about,
    };
    let mut estimates = vec![
        listed("straight", "in a straight line".to_owned()),
        listed("path", "along the shortest way".to_owned()),
        listed("tgraph", "along what you showed".to_owned()),
        listed("egraph", "from place to place you showed".to_owned()),
        listed("errands", "by way of all errands".to_owned()),
    ];
    for event in scenario.events() {
        let id = scenario.id_of(*event);
        estimates.push(listed(&format!("event:{id}"), format!("by way of {id}")));
    }
    estimates
}

/// Somebody who takes orders, at a moment.
pub(crate) fn actor(scenario: &Scenario, world: &World, agent: AgentId) -> ShownActor {
    let at = world.position(agent, scenario);
    ShownActor {
        x: at.x,
        y: at.y,
        height: height_of(scenario, world.place(agent, scenario)),
        health: world.health(agent, scenario),
        stamina: world.stamina(agent),
        gait: gait(world, agent).to_string(),
        holding: holding(scenario, world, agent),
    }
}

/// How somebody moves.
pub(crate) fn gait(world: &World, agent: AgentId) -> Gait {
    world.stance(agent).map_or(Gait::Walk, Stance::gait)
}

/// The ids of what somebody holds.
pub(crate) fn holding(scenario: &Scenario, world: &World, agent: AgentId) -> Vec<String> {
    let held = world.holding(agent);
    held.map(|item| scenario.id_of(Thing::Item(item)).to_owned())
        .collect()
}

/// All enemies at a moment.
pub(crate) fn enemies_at(scenario: &Scenario, world: &World) -> Vec<ShownEnemy> {
    let numbers = 0..scenario.enemies().len() as u16;
    let shown = numbers.map(|number| {
        let agent = AgentId::Enemy(number);
        let at = world.position(agent, scenario);
        let health = world.health(agent, scenario);
        let mode = match world.mode(agent, scenario) {
            _ if health <= 0.0 => "dead",
            Some(apprentice::world::Mode::Pursue) => "pursue",
            Some(apprentice::world::Mode::Attack) => "attack",
            Some(apprentice::world::Mode::Return) => "return",
            _ => "idle",
        };
        ShownEnemy {
            id: scenario.id_of(Thing::Agent(agent)).to_owned(),
            x: at.x,
            y: at.y,
            height: height_of(scenario, world.place(agent, scenario)),
            health: health.is_finite().then_some(health),
            mode,
        }
    });
    shown.collect()
}
