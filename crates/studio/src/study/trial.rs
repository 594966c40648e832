//! A game of two: a person with the arrow keys, and a character beside them.

use std::time::Duration;

use apprentice::behavior::{Character, Doing};
use apprentice::report::events;
use apprentice::world::{
    Abilities, AgentId, Direction, DoorId, Event, Gait, ItemId, LeverId, Order, Orders, Point,
    Stance, Thing, World,
};
use serde::Serialize;

use super::design::{Map, Npc};
use super::room::{NEAR_GOAL, Room, Use};
use super::rule_based::Wanderer;
use super::thinking::Thinker;
use crate::protocol::{ShownActor, ShownEnemy};
use crate::scene;

/// The world is made for one cell a second, and people want to get on: five seconds of it pass in one of
/// theirs. A tick is a tenth of a second for people, and so many moments for the world.
const MOMENTS: u32 = 5;
const MOMENT: Duration = Duration::from_millis(100);
/// An hour is long enough for anybody.
const MOST_TICKS: u32 = 36_000;

/// A game that is being played.
pub(crate) struct Trial {
    /// From 1 to 8; 0 while practising.
    pub(crate) number: usize,
    /// How often it was begun, with this one.
    pub(crate) attempt: usize,
    room: Room,
    world: World,
    npc: Mind,
    ticks: u32,
    /// What passed in attempts before.
    ticks_before: u32,
    player_arrived: Option<u32>,
    npc_arrived: Option<u32>,
}

enum Mind {
    /// In the practice room there is nobody else.
    Nobody,
    Plans(Thinker),
    Wanders(Wanderer),
}

/// What the page draws of a moment.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Moment {
    pub(crate) seconds: f64,
    pub(crate) player: ShownActor,
    pub(crate) npc: Option<ShownActor>,
    enemies: Vec<ShownEnemy>,
    open: Vec<String>,
    lying: Vec<String>,
    pulled: Vec<String>,
    /// following, thinking, waiting, done, or wandering.
    pub(crate) doing: &'static str,
    player_is_there: bool,
    npc_is_there: bool,
    /// Both are there.
    pub(crate) is_done: bool,
    /// The player has died: the trial begins anew.
    pub(crate) is_lost: bool,
    pub(crate) events: Vec<String>,
}

impl Trial {
    /// Begins a trial. Who plans begins to at once.
    pub(crate) fn begin(
        (number, attempt): (usize, usize),
        (map, npc): (Map, Option<Npc>),
        drawn: &[[f64; 2]],
        seed: u64,
    ) -> Result<Trial, String> {
        let room = Room::new(map, Use::Playing)?;
        let world = World::new(&room.scenario);
        let npc = match npc {
            None => Mind::Nobody,
            Some(npc) => match npc.settings() {
                None => Mind::Wanders(Wanderer::new(seed)),
                Some(settings) => {
                    let checked = settings.check(&room.scenario, room.shown(drawn));
                    let planner = checked.map_err(|error| error.to_string())?.planner;
                    let character = Character::new(planner, Abilities::default()).with_tick(MOMENT);
                    let scenario = room.scenario.clone();
                    Mind::Plans(Thinker::start(scenario, character, world.clone())?)
                }
            },
        };
        Ok(Trial {
            number,
            attempt,
            room,
            world,
            npc,
            ticks: 0,
            ticks_before: 0,
            player_arrived: None,
            npc_arrived: None,
        })
    }

    /// The same trial, after time that passed in an attempt before.
    #[must_use]
    pub(crate) fn after(mut self, other: &Trial) -> Trial {
        self.ticks_before = other.ticks_before + other.ticks;
        self
    }

    pub(crate) fn room(&self) -> &Room {
        &self.room
    }

    /// How long it has been played, in seconds as people count them.
    pub(crate) fn seconds(&self) -> f64 {
        seconds(self.ticks_before + self.ticks)
    }

    pub(crate) fn player_seconds(&self) -> Option<f64> {
        self.player_arrived.map(seconds)
    }

    pub(crate) fn npc_seconds(&self) -> Option<f64> {
        self.npc_arrived.map(seconds)
    }

    /// How long the character took to its first plan.
    pub(crate) fn ready_after(&self) -> Option<f64> {
        match &self.npc {
            Mind::Plans(thinker) => thinker.ready_after().map(|it| it.as_secs_f64()),
            Mind::Nobody | Mind::Wanders(_) => None,
        }
    }

    /// A tenth of a second passes, while the player wants to go somewhere.
    pub(crate) fn tick(&mut self, wish: Option<Direction>) -> Moment {
        let scenario = &self.room.scenario;
        let mut events: Vec<Event> = Vec::new();
        if self.ticks < MOST_TICKS && !self.is_over() {
            self.ticks += 1;
            if let Mind::Wanders(wanderer) = &mut self.npc {
                wanderer.tick(scenario, &self.world);
            }
            for _ in 0..MOMENTS {
                let npc = match &mut self.npc {
                    Mind::Nobody => Order::WAIT,
                    Mind::Plans(thinker) => thinker.order(&self.world),
                    Mind::Wanders(wanderer) => wanderer.order(scenario, &self.world),
                };
                let player = slide(&self.room, &self.world, wish);
                let orders = Orders::new(npc).with_player(player);
                self.world.advance(scenario, &orders, MOMENT, &mut events);
            }
            let now = self.ticks_before + self.ticks;
            if self.player_arrived.is_none() && self.is_there(AgentId::PLAYER) {
                self.player_arrived = Some(now);
            }
            if self.npc_arrived.is_none() && self.is_there(AgentId::NPC) {
                self.npc_arrived = Some(now);
            }
        }
        self.moment(&events)
    }

    fn is_over(&self) -> bool {
        self.is_done() || self.is_lost()
    }

    fn is_done(&self) -> bool {
        let alone = matches!(self.npc, Mind::Nobody);
        self.is_there(AgentId::PLAYER) && (alone || self.is_there(AgentId::NPC))
    }

    fn is_lost(&self) -> bool {
        let is_dead = |agent| self.world.is_dead(agent, &self.room.scenario);
        is_dead(AgentId::PLAYER) || is_dead(AgentId::NPC)
    }

    fn is_there(&self, agent: AgentId) -> bool {
        let [x, y] = self.room.goal();
        let at = self.world.position(agent, &self.room.scenario);
        at.distance_to(Point::new(x, y)) <= NEAR_GOAL
    }

    pub(crate) fn moment(&self, events: &[Event]) -> Moment {
        let scenario = &self.room.scenario;
        let world = &self.world;
        let seen = |thing: Thing| {
            let is_seen = self.room.is_seen(thing);
            is_seen.then(|| scenario.id_of(thing).to_owned())
        };
        let doors = (0..scenario.doors().len() as u8).map(DoorId::new);
        let doors = doors.filter(|door| world.is_open(*door));
        let items = (0..scenario.items().len() as u8).map(ItemId::new);
        let items = items.filter(|item| world.is_lying(*item));
        let levers = (0..scenario.levers().len() as u8).map(LeverId::new);
        let levers = levers.filter(|lever| world.is_on(*lever));
        let is_alone = matches!(self.npc, Mind::Nobody);
        Moment {
            seconds: self.seconds(),
            player: scene::actor(scenario, world, AgentId::PLAYER),
            npc: (!is_alone).then(|| scene::actor(scenario, world, AgentId::NPC)),
            enemies: scene::enemies_at(scenario, world),
            open: doors.filter_map(|door| seen(Thing::Door(door))).collect(),
            lying: items.filter_map(|item| seen(Thing::Item(item))).collect(),
            pulled: levers
                .filter_map(|lever| seen(Thing::Lever(lever)))
                .collect(),
            doing: self.doing(),
            player_is_there: self.is_there(AgentId::PLAYER),
            npc_is_there: !is_alone && self.is_there(AgentId::NPC),
            is_done: self.is_done(),
            is_lost: self.is_lost(),
            events: events::words(scenario, events),
        }
    }

    pub(crate) fn doing(&self) -> &'static str {
        match &self.npc {
            Mind::Nobody => "",
            Mind::Wanders(_) => "wandering",
            Mind::Plans(thinker) => match thinker.doing() {
                Doing::Following => "following",
                Doing::Thinking => "thinking",
                Doing::Done => "done",
                Doing::Stuck => "waiting",
                Doing::Dead => "dead",
            },
        }
    }
}

fn seconds(ticks: u32) -> f64 {
    f64::from(ticks) / 10.0
}

/// What somebody does who wants to go in a direction: whoever walks into a wall at an angle goes along it.
fn slide(room: &Room, world: &World, wish: Option<Direction>) -> Order {
    let Some(wish) = wish else {
        return Order::WAIT;
    };
    let scenario = &room.scenario;
    let map = scenario.map();
    let here = world.place(AgentId::PLAYER, scenario);
    let is_free = |direction: Direction| {
        let mut steps = map.level_steps(here);
        let to = steps.find(|(it, _)| *it == direction);
        to.is_some_and(|(_, to)| lets_in(room, world, to)) && {
            // Nobody passes the corner of a door that is shut.
            let (at, (x, y)) = (map.point_of(here), direction.offset());
            let corners = [(f64::from(x), 0.0), (0.0, f64::from(y))];
            let corners = corners.map(|(x, y)| map.place_at(Point::new(at.x + x, at.y + y)));
            (corners.into_iter().flatten())
                .all(|place| place == here || lets_in(room, world, place))
        }
    };
    let (x, y) = wish.offset();
    let along = Direction::ALL.into_iter().filter(|direction| {
        let (to_x, to_y) = direction.offset();
        (to_x, to_y) == (x, 0) || (to_x, to_y) == (0, y)
    });
    let mut tried = [wish].into_iter().chain(along.filter(|_| x != 0 && y != 0));
    let direction = tried.find(|direction| is_free(*direction)).unwrap_or(wish);
    Order::Step(direction, Stance::new(Gait::Walk))
}

/// Whether the player may enter a place.
fn lets_in(room: &Room, world: &World, place: usize) -> bool {
    let scenario = &room.scenario;
    let mut doors = (0..).zip(scenario.doors());
    doors.all(|(number, door)| {
        let id = DoorId::new(number);
        let mut keys = scenario.keys_of(id);
        !door.places.contains(&place)
            || world.is_open(id)
            || keys.any(|key| world.holds(AgentId::PLAYER, key))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::rule_based::Ways;

    /// The middle of where the bear does not hear who waits for the lever to be pulled.
    const WAITS_AT: Point = Point { x: 24.0, y: 5.0 };

    /// Where somebody goes who knows the game: to the goal if there is a way, otherwise to a key, to a
    /// door whose key the other one has, or to where one waits for the lever.
    fn wish(trial: &Trial) -> Option<Direction> {
        let scenario = &trial.room.scenario;
        let map = scenario.map();
        let here = trial.world.place(AgentId::PLAYER, scenario);
        let ways = Ways::of_keyholder(scenario, &trial.world, AgentId::PLAYER);
        let [x, y] = trial.room.goal();
        let items = (0..scenario.items().len() as u8).map(ItemId::new);
        let lying = items.filter(|item| trial.world.is_lying(*item));
        let keys = lying.map(|item| scenario.place_of(Thing::Item(item)));
        let wanted = map.place_at(Point::new(x, y)).into_iter().chain(keys);
        let to = wanted.into_iter().find(|place| ways.leads_to(*place));
        let mut doors = (0..scenario.doors().len() as u8).map(DoorId::new);
        let door = doors.find(|door| {
            let mut keys = scenario.keys_of(*door);
            !trial.world.is_open(*door) && keys.any(|key| trial.world.holds(AgentId::NPC, key))
        });
        let beside = || {
            let at = scenario.place_of(Thing::Door(door?));
            Some(ways.nearest_to(scenario, map.point_of(at)))
        };
        let to = to.or_else(beside).or_else(|| map.place_at(WAITS_AT))?;
        let next = *ways.to(to).get(1)?;
        let mut steps = map.level_steps(here);
        steps
            .find(|(_, to)| *to == next)
            .map(|(direction, _)| direction)
    }

    fn played(map: Map, npc: Npc) -> Trial {
        let drawn = [
            [2.0, 14.0],
            [23.0, 14.0],
            [23.0, 5.0],
            [26.0, 3.0],
            [24.0, 14.0],
            [37.0, 14.0],
        ];
        let mut trial = Trial::begin((1, 1), (map, Some(npc)), &drawn, 7).unwrap();
        for _ in 0..6_000 {
            if let Mind::Plans(thinker) = &trial.npc {
                thinker.wait();
            }
            let moment = trial.tick(wish(&trial));
            assert!(
                !moment.is_lost,
                "{npc:?} on {map:?} after {}",
                moment.seconds
            );
            if moment.is_done {
                return trial;
            }
        }
        panic!(
            "{npc:?} on {map:?} comes to no end; it is {}",
            trial.doing()
        );
    }

    #[test]
    fn both_games_can_be_won_beside_each_of_the_four() {
        for map in [Map::FiveDoors, Map::BearLever] {
            for npc in Npc::ALL {
                let trial = played(map, npc);
                assert!(trial.player_seconds().is_some() && trial.npc_seconds().is_some());
                assert_eq!(trial.ready_after().is_some(), npc != Npc::RuleBased);
                println!("{map:?} {npc:?}: {} s", trial.seconds());
            }
        }
    }

    #[test]
    fn whoever_goes_to_the_bear_loses_and_time_goes_on_in_the_next_attempt() {
        let game = (Map::BearLever, Some(Npc::RuleBased));
        let mut trial = Trial::begin((5, 1), game, &[], 1).unwrap();
        let scenario = &trial.room.scenario;
        let ways = Ways::of_keyholder(scenario, &trial.world, AgentId::PLAYER);
        let lever = scenario.thing("lever").unwrap();
        let way: Vec<usize> = ways.to(scenario.place_of(lever)).into();
        let mut events = Vec::new();
        for _ in 0..3_000 {
            let map = trial.room.scenario.map();
            let here = trial.world.place(AgentId::PLAYER, &trial.room.scenario);
            let next = way.iter().skip_while(|place| **place != here).nth(1);
            let steps: Vec<(Direction, usize)> = map.level_steps(here).collect();
            let wish = next.and_then(|next| steps.iter().find(|(_, to)| to == next));
            let wish = wish.map(|(direction, _)| *direction);
            let moment = trial.tick(wish);
            events.extend(moment.events.clone());
            if moment.is_lost {
                break;
            }
        }
        assert!(trial.is_lost(), "{events:?}");
        assert!(events.iter().any(|event| event == "player:noticed_by:bear"));
        let before = trial.seconds();
        let again = Trial::begin((5, 2), game, &[], 1).unwrap().after(&trial);
        assert_eq!(again.seconds(), before);
    }

    #[test]
    fn whoever_walks_into_a_wall_at_an_angle_goes_along_it() {
        let mut trial = Trial::begin((0, 1), (Map::Practice, None), &[], 0).unwrap();
        let at = |trial: &Trial| trial.world.position(AgentId::PLAYER, &trial.room.scenario);
        for _ in 0..200 {
            trial.tick(Some(Direction::SouthWest));
        }
        assert_eq!(at(&trial), Point::new(0.0, 19.0));
        for _ in 0..400 {
            trial.tick(Some(Direction::SouthEast));
        }
        assert_eq!(at(&trial), Point::new(29.0, 19.0));
    }
}
