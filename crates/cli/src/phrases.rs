//! A plan in words: steps of one kind become one phrase, and what happens on the way its own.

use apprentice::experience::{Place, distance_to_line};
use apprentice::world::{
    AgentId, Event, Gait, ItemKind, Order, Point, Scenario, Thing, VerifiedStep, World,
};

use crate::numbers::short;

/// A part of a plan, as people tell it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Phrase {
    /// What is done or happens.
    pub(crate) text: String,
    /// When it is over, in seconds.
    pub(crate) time: f64,
    /// Where the agent is then.
    pub(crate) at: Point,
    pub(crate) sort: Sort,
}

/// What a phrase is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sort {
    /// The agent goes somewhere, or waits.
    Way,
    /// Something happens.
    Happening,
}

/// Tells a plan that begins in a world.
pub(crate) fn tell(scenario: &Scenario, start: &World, steps: &[VerifiedStep]) -> Vec<Phrase> {
    let mut parts: Vec<Part> = Vec::new();
    for (number, step) in (1..).zip(steps) {
        go_on(&mut parts, number, step);
        for event in &step.events {
            match *event {
                _ if goes_by_the_clock(scenario, *event) => {}
                Event::Hurt { agent, by, damage } => {
                    let health = step.world.health(agent, scenario).max(0.0);
                    hurt(
                        &mut parts,
                        step,
                        Blows {
                            agent,
                            by,
                            damage,
                            count: 1,
                            health,
                        },
                    );
                }
                _ => parts.push(Part::new(step, What::Event(*event))),
            }
        }
    }
    let first = start.position(scenario.agent(), scenario);
    let places = std::iter::once(first).chain(steps.iter().map(|step| step.at));
    let places: Vec<Point> = places.collect();
    parts
        .iter()
        .enumerate()
        .map(|(before, part)| part.phrase(scenario, &places, &parts[..before]))
        .collect()
}

/// Whether something would have happened without anybody.
fn goes_by_the_clock(scenario: &Scenario, event: Event) -> bool {
    match event {
        Event::DoorOpened { door } | Event::DoorClosed { door } => {
            scenario.doors()[door.index()].cycle.is_some()
        }
        _ => false,
    }
}

/// Part of a plan, before it is put into words.
#[derive(Clone, Copy)]
struct Part {
    what: What,
    time: f64,
    at: Point,
}

#[derive(Clone, Copy)]
enum What {
    Way(Way),
    Event(Event),
    Blows(Blows),
}

/// Steps of one manner in a row: from the place of number `from` to that of number `to`, where the
/// start has number 0.
#[derive(Clone, Copy)]
struct Way {
    manner: Manner,
    from: usize,
    to: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Manner {
    Go { gait: Gait, blocks: bool },
    Leap,
    Use,
    Wait,
}

/// Blows of the same enemy, or against it, in a row.
#[derive(Clone, Copy)]
struct Blows {
    agent: AgentId,
    by: AgentId,
    damage: f64,
    count: u32,
    health: f64,
}

/// The step continues the way, or begins another.
fn go_on(parts: &mut Vec<Part>, number: usize, step: &VerifiedStep) {
    let manner = match step.order {
        Order::Wait(_) => Manner::Wait,
        Order::Leap(_) => Manner::Leap,
        Order::Use(_) => Manner::Use,
        Order::Step(_, stance) => Manner::Go {
            gait: stance.gait(),
            blocks: stance.blocks(),
        },
    };
    let mut from = number - 1;
    if let Some(What::Way(last)) = parts.last().map(|part| part.what)
        && last.manner == manner
    {
        from = last.from;
        parts.pop();
    }
    let to = number;
    parts.push(Part::new(step, What::Way(Way { manner, from, to })));
}

/// One more blow. Blows of the same sort that follow soon are one phrase, and the steps between them
/// are one way.
fn hurt(parts: &mut Vec<Part>, step: &VerifiedStep, blow: Blows) {
    let now = step.time.as_seconds();
    let fight = parts.iter().rev().take_while(|part| {
        now - part.time <= SAME_FIGHT && matches!(part.what, What::Way(_) | What::Blows(_))
    });
    let fight = parts.len() - fight.count();
    let same = parts[fight..]
        .iter()
        .position(|part| part.blows().is_some_and(|it| it.is_same_as(&blow)));
    let mut all = blow;
    if let Some(before) = same.and_then(|place| parts.remove(fight + place).blows()) {
        all.damage += before.damage;
        all.count += before.count;
    }
    parts.push(Part::new(step, What::Blows(all)));
    join_ways(parts, fight.saturating_sub(1));
}

/// Seconds after which another blow is another fight.
const SAME_FIGHT: f64 = 4.0;

/// Joins ways of the same manner that follow each other directly, from this part on.
fn join_ways(parts: &mut Vec<Part>, from: usize) {
    let mut place = from;
    while place + 1 < parts.len() {
        match (parts[place].what, parts[place + 1].what) {
            (What::Way(first), What::Way(second)) if first.manner == second.manner => {
                parts.remove(place);
                parts[place].what = What::Way(Way {
                    from: first.from,
                    ..second
                });
            }
            _ => place += 1,
        }
    }
}

impl Blows {
    fn is_same_as(&self, other: &Blows) -> bool {
        (self.agent, self.by) == (other.agent, other.by)
    }
}

impl Way {
    fn phrase(&self, places: &[Point]) -> String {
        let (over, end) = (&places[self.from..=self.to], places[self.to]);
        let (gait, blocks) = match self.manner {
            Manner::Go { gait, blocks } => (gait, blocks),
            Manner::Leap => return format!("leap from {} to {end}", over[0]),
            Manner::Use => return format!("use what is at hand at {end}"),
            Manner::Wait => return format!("wait at {end}"),
        };
        let by = match turning_points(over).as_slice() {
            [] => String::new(),
            [one] => format!(" by {one}"),
            [some @ .., last] => {
                let some: Vec<String> = some.iter().map(Point::to_string).collect();
                format!(" by {} and {last}", some.join(", "))
            }
        };
        let blocking = if blocks { ", blocking" } else { "" };
        format!("{gait}{by} to {end}{blocking}")
    }
}

/// A way is told by at most this many places between its ends.
const MOST_TURNING_POINTS: usize = 3;
/// Places nearer than this to the straight way, in cells, are not worth telling.
const WORTH_TELLING: f64 = 3.0;

/// The places that tell a way from a straight line, as Douglas and Peucker choose them.
fn turning_points(way: &[Point]) -> Vec<Point> {
    let flat = |place: usize| Place::flat(way[place].x, way[place].y);
    let off_line =
        |place: usize, from: usize, to: usize| distance_to_line(flat(place), flat(from), flat(to));
    let mut chosen = vec![0, way.len() - 1];
    while chosen.len() < MOST_TURNING_POINTS + 2 {
        let farthest = chosen
            .windows(2)
            .flat_map(|pair| (pair[0] + 1..pair[1]).map(|place| (place, pair[0], pair[1])))
            .map(|(place, from, to)| (off_line(place, from, to), place))
            .max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
        match farthest {
            Some((far, place)) if far >= WORTH_TELLING => chosen.push(place),
            _ => break,
        }
        chosen.sort_unstable();
    }
    chosen[1..chosen.len() - 1]
        .iter()
        .map(|place| way[*place])
        .collect()
}

impl Part {
    fn new(step: &VerifiedStep, what: What) -> Part {
        Part {
            what,
            time: step.time.as_seconds(),
            at: step.at,
        }
    }

    fn blows(&self) -> Option<Blows> {
        match self.what {
            What::Blows(blows) => Some(blows),
            _ => None,
        }
    }

    fn phrase(&self, scenario: &Scenario, places: &[Point], before: &[Part]) -> Phrase {
        let Part { what, time, at } = *self;
        let (text, sort) = match what {
            What::Way(way) => (way.phrase(places), Sort::Way),
            What::Event(event) => {
                let by_lever = before
                    .iter()
                    .rev()
                    .take_while(|part| part.time == time)
                    .any(|part| matches!(part.what, What::Event(Event::LeverPulled { .. })));
                (event_phrase(scenario, event, by_lever), Sort::Happening)
            }
            What::Blows(blows) => (blows.phrase(scenario), Sort::Happening),
        };
        Phrase {
            text,
            time,
            at,
            sort,
        }
    }
}

impl Blows {
    fn phrase(&self, scenario: &Scenario) -> String {
        let times = match self.count {
            1 => String::new(),
            count => format!(" {count} times"),
        };
        let (damage, health) = (short(self.damage, 1), short(self.health, 1));
        let own = scenario.agent();
        match (self.agent, self.by) {
            (agent, by) if agent == own => {
                format!(
                    "hurt by {}{times}: {damage} lost, {health} left",
                    name(scenario, by)
                )
            }
            (agent, by) if by == own => {
                format!(
                    "strike {}{times}: {damage} lost, {health} left",
                    name(scenario, agent)
                )
            }
            (agent, by) => {
                let (agent, by) = (name(scenario, agent), name(scenario, by));
                format!("{by} strikes {agent}{times}: {damage} lost, {health} left")
            }
        }
    }
}

fn event_phrase(scenario: &Scenario, event: Event, by_lever: bool) -> String {
    match event {
        Event::PickedUp { agent, item } => {
            let item = &scenario.items()[item.index()];
            let what = item_name(&item.id, item.kind);
            match (agent, item.kind) {
                (agent, ItemKind::Pack { .. }) if agent == scenario.agent() => {
                    format!("use {what}")
                }
                (agent, _) if agent == scenario.agent() => format!("pick up {what}"),
                (other, _) => format!("{} takes {what}", name(scenario, other)),
            }
        }
        Event::DoorOpened { door } => {
            let it = &scenario.doors()[door.index()];
            let what = sorted_name(&it.id, "door");
            if by_lever {
                format!("{what} opens")
            } else {
                format!("open {what}")
            }
        }
        Event::DoorClosed { door } => {
            format!(
                "{} shuts",
                sorted_name(&scenario.doors()[door.index()].id, "door")
            )
        }
        Event::LeverPulled { agent, lever } => {
            let what = sorted_name(&scenario.levers()[lever.index()].id, "lever");
            match agent {
                agent if agent == scenario.agent() => format!("pull {what}"),
                other => format!("{} pulls {what}", name(scenario, other)),
            }
        }
        Event::NoticedBy { agent, enemy } if agent == scenario.agent() => {
            format!("noticed by {}", name(scenario, enemy))
        }
        Event::NoticedBy { agent, enemy } => {
            format!(
                "{} notices {}",
                name(scenario, enemy),
                name(scenario, agent)
            )
        }
        Event::Died { agent } => format!("{} dies", name(scenario, agent)),
        Event::TurnedBack { agent } if agent == scenario.agent() => "turn back".to_owned(),
        Event::TurnedBack { agent } => format!("{} turns back", name(scenario, agent)),
        Event::Hurt { agent, by, damage } => {
            let (agent, by) = (name(scenario, agent), name(scenario, by));
            format!("{by} strikes {agent}: {} lost", short(damage, 1))
        }
    }
}

fn name(scenario: &Scenario, agent: AgentId) -> String {
    match agent {
        agent if agent == scenario.agent() => "the agent".to_owned(),
        // Whom a file calls by a name is called by it.
        AgentId::Actor(actor) if scenario.actors()[usize::from(actor)].id != "player" => {
            plain(scenario.id_of(Thing::Agent(agent)))
        }
        other => format!("the {}", plain(scenario.id_of(Thing::Agent(other)))),
    }
}

/// An item as one speaks of it: the red key, the shield, the amulet.
pub(crate) fn item_name(id: &str, kind: ItemKind) -> String {
    match kind {
        ItemKind::Treasure => format!("the {}", plain(id)),
        other => {
            let (id, kind) = (plain(id), other.to_string());
            let last = kind.rsplit(' ').next().unwrap_or(&kind);
            if id.contains(last) {
                format!("the {id}")
            } else {
                format!("the {id} {kind}")
            }
        }
    }
}

/// A thing with its sort in front: door vault, lever north; the lever, if that is all it is called.
fn sorted_name(id: &str, sort: &str) -> String {
    let id = plain(id);
    if id.contains(sort) {
        format!("the {id}")
    } else {
        format!("{sort} {id}")
    }
}

/// Ids are often written with underscores.
pub(crate) fn plain(id: &str) -> String {
    id.replace('_', " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_way_is_told_by_its_turning_points() {
        let way = |points: &[(f64, f64)]| -> Vec<Point> {
            points.iter().map(|(x, y)| Point::new(*x, *y)).collect()
        };
        let straight = way(&[(0.0, 0.0), (1.0, 1.0), (9.0, 0.0)]);
        assert!(turning_points(&straight).is_empty());
        let round = way(&[(0.0, 0.0), (0.0, 8.0), (9.0, 8.0), (9.0, 0.0)]);
        assert_eq!(turning_points(&round), way(&[(0.0, 8.0), (9.0, 8.0)]));
        assert!(turning_points(&round[..1]).is_empty());
    }
}
