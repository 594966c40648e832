//! All English about plans, in one place: facts come in, phrases go out. A plan is told in phrases:
//! steps of one kind become one, and what happens on the way its own.

use apprentice_behavior::{
    Deviation, Hindrance, Listener, NamedDeed, NoWay, Purpose, Reason, Stretch, WhyIgnored,
};
use apprentice_experience::{Flaw, Place, distance_to_line};
use apprentice_game::{Landmark, LandmarkId};
use apprentice_world::{
    AgentId, Event, Gait, Item, ItemKind, Manner as EnemyManner, Order, Point, Scenario, Thing,
    VerifiedStep, World,
};

use crate::numbers::short;

/// How ids are written in a sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ids {
    /// As they stand in files, between backticks: for those who have the file at hand.
    Quoted,
    /// As people say them: for those who see a map.
    Spoken,
}

impl Ids {
    /// The name of an id.
    ///
    /// ```
    /// use apprentice_report::phrases::Ids;
    ///
    /// assert_eq!(Ids::Quoted.name("red_key"), "`red_key`");
    /// assert_eq!(Ids::Spoken.name("red_key"), "red key");
    /// ```
    #[must_use]
    pub fn name(self, id: &str) -> String {
        match self {
            Ids::Quoted => format!("`{id}`"),
            Ids::Spoken => plain(id),
        }
    }

    /// The name of a thing of a kind. Ids that say what they are need not be told it twice.
    ///
    /// ```
    /// use apprentice_report::phrases::Ids;
    ///
    /// assert_eq!(Ids::Quoted.thing("key", "red_key"), "key `red_key`");
    /// assert_eq!(Ids::Spoken.thing("key", "red_key"), "red key");
    /// assert_eq!(Ids::Spoken.thing("door", "vault"), "door vault");
    /// ```
    #[must_use]
    pub fn thing(self, kind: &str, id: &str) -> String {
        match self {
            Ids::Quoted => format!("{kind} `{id}`"),
            Ids::Spoken if plain(id).contains(kind) => plain(id),
            Ids::Spoken => format!("{kind} {}", plain(id)),
        }
    }

    fn names(self, ids: &[String]) -> String {
        let names: Vec<String> = ids.iter().map(|id| self.name(id)).collect();
        names.join(", ")
    }
}

/// Why a plan is not where a demonstration is, or what it does there.
#[must_use]
pub fn reason(reason: &Reason, ids: Ids) -> String {
    match reason {
        Reason::Does { deed: done, off } => {
            let (what, because) = deed(done, ids);
            let off = off.map(|(distance, direction)| {
                format!(", {distance:.1} {direction} of the demonstration")
            });
            let because = because.map(|because| format!(" ({because})"));
            what + &off.unwrap_or_default() + &because.unwrap_or_default()
        }
        Reason::Wall { at } => format!(
            "a wall stands at ({:.0}, {:.0}), where the demonstration leads",
            at.x, at.y
        ),
        Reason::OffMap { at } => format!(
            "the demonstration leads off the map at ({:.0}, {:.0})",
            at.x, at.y
        ),
        Reason::Enemy {
            id,
            distance,
            notices,
        } => format!(
            "the demonstration passes {} at {distance:.1}, who notices walkers at {notices:.1}",
            ids.name(id)
        ),
        Reason::Shorter { saves } => format!("this way is {saves:.1} s shorter"),
        Reason::LeftOut {
            name,
            time: (from, to),
        } => format!(
            "{} comes no nearer to it in its {from:.1} to {to:.1} s, which are left out",
            demonstration(name, ids)
        ),
        Reason::Begins => "to where the demonstration begins".to_owned(),
        Reason::Ends => "from where the demonstration ends to the goal".to_owned(),
    }
}

/// What is done, and what for.
fn deed(deed: &NamedDeed, ids: Ids) -> (String, Option<String>) {
    let thing = |sort: Option<&str>, name: &str| match sort {
        Some(sort) => ids.thing(sort, name),
        None => ids.name(name),
    };
    let because = deed.purpose.as_ref().and_then(|purpose| match purpose {
        Purpose::NeededBy { sort, name } => Some(format!("{} needs it", thing(*sort, name))),
        Purpose::Opens(names) => Some(format!("it opens {}", ids.names(names))),
        Purpose::With(name) => Some(format!("with {}", ids.name(name))),
        _ => None,
    });
    let what = format!("{} {}", deed.verb, thing(deed.sort, &deed.name));
    (what, because)
}

/// What people call a demonstration is theirs: nothing in it is changed.
fn demonstration(name: &str, ids: Ids) -> String {
    match ids {
        Ids::Quoted => format!("`{name}`"),
        Ids::Spoken => format!("“{name}”"),
    }
}

/// Why a demonstration is hardly followed, and what to try.
#[must_use]
pub fn why_ignored(why: &WhyIgnored, ids: Ids) -> String {
    match why {
        WhyIgnored::TooLong { detour, epsilon } => {
            // Who sees a map has a slider, and gives neither a bound nor an epsilon.
            let remedy = match ids {
                Ids::Quoted => "a greater bound or epsilon follows more",
                Ids::Spoken => "the slider towards Faithful follows more",
            };
            format!(
                "the way along it takes {detour:.1} times the direct way, and at most {epsilon:.1} times is followed; {remedy}"
            )
        }
        WhyIgnored::Empty => "it shows no way to follow".to_owned(),
        WhyIgnored::LeadsNowhere => "no way leads along it to the goal".to_owned(),
        WhyIgnored::NotAsked => {
            "the planner does not look at demonstrations, or the goal moves".to_owned()
        }
        WhyIgnored::Better => "another way serves better".to_owned(),
    }
}

/// A stretch in one sentence, for those who see which steps it is about.
#[must_use]
pub fn stretch(stretch: &Stretch, ids: Ids) -> String {
    let reasons: Vec<String> = (stretch.reasons.iter()).map(|it| reason(it, ids)).collect();
    let reasons = reasons.join("; ");
    match (&stretch.follows, reasons.is_empty()) {
        (Some(followed), true) => format!("follows {}", demonstration(&followed.name, ids)),
        (Some(followed), false) => {
            format!("follows {}; {reasons}", demonstration(&followed.name, ids))
        }
        (None, true) => "on its own way".to_owned(),
        (None, false) => format!("on its own way: {reasons}"),
    }
}

/// Because of whom a plan sneaks.
#[must_use]
pub fn sneaks_because(listener: &Listener, ids: Ids) -> String {
    format!(
        "sneaks because {}, {:.1} away, notices walkers from {:.1} and sneakers only from {:.1}",
        ids.name(&listener.id),
        listener.distance,
        listener.walking,
        listener.sneaking
    )
}

/// What stands in the way, in sentences; none where nothing is known.
#[must_use]
pub fn no_way(no_way: &NoWay, ids: Ids) -> String {
    let why = match no_way.hindrance {
        Hindrance::Walls => {
            "Even with every door open, no way leads to what the goal asks for: look at the walls around it."
        }
        Hindrance::Doors => {
            "Even if nobody were about, the keys and levers that can be reached open no way to the goal."
        }
        Hindrance::Others => {
            "As far as walls, doors, keys and levers go, there may be a way to the goal: look at the enemies."
        }
        Hindrance::Unknown => "",
    };
    if no_way.never_opened.is_empty() {
        return why.to_owned();
    }
    let space = if why.is_empty() { "" } else { " " };
    let doors = ids.names(&no_way.never_opened);
    format!("{why}{space}No key and no lever opens {doors}.")
}

/// What stands in the way, in sentences, for those who have tried without each of these enemies and
/// found a way then.
#[must_use]
pub fn no_way_past(known: &NoWay, blockers: &[String], scenario: &Scenario, ids: Ids) -> String {
    if known.hindrance != Hindrance::Others {
        return no_way(known, ids);
    }
    let enemies = scenario.enemies();
    let all: Vec<String> = enemies.iter().map(|enemy| enemy.id.clone()).collect();
    let name = |id: &String| match ids {
        Ids::Quoted => ids.name(id),
        Ids::Spoken => format!("the {}", plain(id)),
    };
    let named = match (blockers, &*all) {
        ([], [only]) | ([only], _) => format!("{} blocks every way", name(only)),
        ([], several) => format!("together, {} block every way", ids.names(several)),
        (several, _) => {
            let names: Vec<String> = several.iter().map(name).collect();
            format!("each of {} blocks every way", names.join(", "))
        }
    };
    let guards = |id: &String| {
        let enemy = enemies.iter().find(|enemy| enemy.id == *id);
        enemy.is_some_and(|enemy| matches!(enemy.kind.manner, EnemyManner::Guard(_)))
    };
    let asked = if blockers.is_empty() { &all } else { blockers };
    let is_shield = |item: &Item| item.kind == ItemKind::Shield;
    let shield = match (
        asked.iter().any(guards),
        scenario.items().iter().any(is_shield),
    ) {
        (false, _) => "",
        (true, true) => ", and no shield is in reach",
        (true, false) => ", and there is no shield",
    };
    let mut letters = named.chars();
    let first: String = letters
        .next()
        .into_iter()
        .flat_map(char::to_uppercase)
        .collect();
    format!("{first}{}{shield}.", letters.as_str())
}

/// How the world differs from what a plan expected, in a level with these landmarks.
#[must_use]
pub fn deviation(deviation: &Deviation, landmarks: &[Landmark], ids: Ids) -> String {
    let name = |landmark: &LandmarkId| {
        let mark = landmarks.get(landmark.index());
        mark.map_or_else(|| "something".to_owned(), |mark| ids.name(&mark.name))
    };
    match deviation {
        Deviation::Flag { landmark, is } => format!("{} is {is}", name(landmark)),
        // Who sees a map sees how far.
        Deviation::EnemyElsewhere { landmark, .. } if ids == Ids::Spoken => {
            format!("{} is not where it was expected", name(landmark))
        }
        Deviation::EnemyElsewhere { landmark, distance } => {
            let name = name(landmark);
            format!("{name} is {distance:.1} away from where it was expected")
        }
        Deviation::Noticed { landmark } => {
            format!("{} attacks earlier than expected", name(landmark))
        }
        other => other.in_words(landmarks),
    }
}

/// That somebody was put elsewhere by hand.
#[must_use]
pub fn was_moved(landmark: &Landmark, ids: Ids) -> String {
    format!("{} was moved", ids.name(&landmark.name))
}

/// What may be wrong with a demonstration.
#[must_use]
pub fn flaw(flaw: &Flaw, ids: Ids) -> String {
    match flaw {
        Flaw::Duplicate { of } => format!("it goes the same way as {}", demonstration(of, ids)),
        Flaw::OtherLevel { recorded, here } => {
            let (recorded, here) = (ids.name(recorded), ids.name(here));
            format!("it was recorded in {recorded}, this is {here}")
        }
        Flaw::UnknownGait { gait } => format!("nobody here moves like {}", ids.name(gait)),
        Flaw::UnknownItem { id } => format!("{} is held and not in this level", ids.name(id)),
        other => other.to_string(),
    }
}

/// A part of a plan, as people tell it.
#[derive(Clone, Debug, PartialEq)]
pub struct Phrase {
    /// What is done or happens.
    pub text: String,
    /// When it is over, in seconds.
    pub time: f64,
    /// Where the agent is then.
    pub at: Point,
    /// What it is about.
    pub sort: Sort,
}

/// What a phrase is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// The agent goes somewhere, or waits.
    Way,
    /// Something happens.
    Happening,
}

/// Tells a plan that begins in a world.
pub fn tell(scenario: &Scenario, start: &World, steps: &[VerifiedStep]) -> Vec<Phrase> {
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
        Event::Trapped {
            agent,
            trap,
            damage,
        } => {
            let trap = sorted_name(&scenario.traps()[trap.index()].id, "trap");
            format!(
                "{trap} hurts {}: {} lost",
                name(scenario, agent),
                short(damage, 1)
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
pub fn item_name(id: &str, kind: ItemKind) -> String {
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
pub fn plain(id: &str) -> String {
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
