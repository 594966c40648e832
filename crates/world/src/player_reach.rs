//! What those who follow routes might open and pull on the way.

use std::collections::BTreeSet;

use apprentice_search::Budget;

use crate::map::Move;
use crate::scenario::marks;
use crate::script::NEAR_ENOUGH;
use crate::{AgentId, Direction, DoorId, ItemId, LeverId, Scenario, World};

/// What those who go on along their routes might open and pull, at the most: whatever doors stand in
/// their way or not, and whoever stops them. Lower bounds cannot count on these being left to the
/// planned agent; on everything else they can.
///
/// ```
/// use apprentice_search::Budget;
/// use apprentice_world::{DoorId, LeverId, PlayerReach, Scenario, World};
///
/// let scenario = Scenario::parse(r#"
///     format = 1
///     start = [0, 0]
///     goal = { within = { at = [6, 0], radius = 0.0 } }
///     player = { at = [2, 0], route = [[4, 0]] }
///     map = { rows = ["........."] }
///     door = [{ id = "near", at = [[3, 0]] }, { id = "far", at = [[5, 0]] }]
///     lever = [{ id = "winch", at = [8, 0], opens = ["far"] }]
///     key = [{ id = "red", at = [2, 0], opens = ["near"] }]
/// "#)?;
/// let mut reach = PlayerReach::new(&scenario, &World::new(&scenario));
/// assert!(reach.go_on(&scenario, &mut Budget::unlimited()));
/// assert!(reach.might_open(DoorId::new(0)) && !reach.might_open(DoorId::new(1)));
/// assert!(!reach.might_pull(LeverId::new(0)));
/// # Ok::<(), apprentice_world::ScenarioError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlayerReach {
    /// Where they might come to.
    met: BTreeSet<Heading>,
    /// Those that were not looked at yet.
    open: Vec<Heading>,
    /// What they might hold.
    items: u32,
    /// The doors they might stand in.
    doorways: u32,
    doors: u32,
    levers: u32,
}

/// Somebody in a place, and the point of its route it heads for then.
type Heading = (u16, u32, u32);

impl PlayerReach {
    /// Begins to look, from how everybody stands in a world but who is planned for. Nobody does
    /// anything who is not there, or dead.
    pub fn new(scenario: &Scenario, world: &World) -> PlayerReach {
        PlayerReach::of_all_but(scenario.agent, scenario, world)
    }

    /// Begins to look, from how everybody but one stands in a world.
    pub fn of_all_but(agent: AgentId, scenario: &Scenario, world: &World) -> PlayerReach {
        let mut reach = PlayerReach::default();
        for (number, actor) in world.actors.iter().enumerate().take(scenario.actors.len()) {
            let id = number as u16;
            if agent == AgentId::Actor(id) || !world.actor_is_alive(number) {
                continue;
            }
            // Whoever has what: that makes a bound lower, never wrong.
            reach.items |= actor.holding;
            reach.meet((id, actor.place, actor.memory));
            let under_way = actor
                .step
                .and_then(|step| scenario.map.follow(actor.place as usize, step));
            if let Some(step) = under_way {
                reach.meet((id, step.place as u32, actor.memory));
            }
        }
        reach
    }

    /// They might do anything.
    pub fn everything() -> PlayerReach {
        PlayerReach {
            items: u32::MAX,
            doors: u32::MAX,
            levers: u32::MAX,
            ..PlayerReach::default()
        }
    }

    /// Goes on; a unit of budget for each place. False: the budget is spent, call again.
    pub fn go_on(&mut self, scenario: &Scenario, budget: &mut Budget<'_>) -> bool {
        while let Some((actor, place, memory)) = self.open.last().copied() {
            if !budget.take() {
                return false;
            }
            self.open.pop();
            self.reach_out(scenario, place as usize);
            self.go(scenario, actor, place as usize, memory);
        }
        for (number, door) in scenario.doors.iter().enumerate() {
            let id = DoorId::new(number as u8);
            if self.doorways & id.bit() != 0 && door.keys & self.items != 0 {
                self.doors |= id.bit();
            }
        }
        true
    }

    fn meet(&mut self, there: Heading) {
        if self.met.insert(there) {
            self.open.push(there);
        }
    }

    /// Whether one of them might open a door.
    pub fn might_open(&self, door: DoorId) -> bool {
        self.doors & door.bit() != 0
    }

    /// Whether one of them might pull a lever.
    pub fn might_pull(&self, lever: LeverId) -> bool {
        self.levers & lever.bit() != 0
    }

    /// What they might hold, a bit each.
    pub(crate) fn might_take(&self) -> u32 {
        self.items
    }

    /// Where they might come to.
    pub(crate) fn places(&self) -> impl Iterator<Item = usize> {
        self.met.iter().map(|(_, place, _)| *place as usize)
    }

    /// Notes what they might do in a place.
    fn reach_out(&mut self, scenario: &Scenario, place: usize) {
        let marks = scenario.marks_at(place);
        if marks & marks::ITEM != 0 {
            for (number, item) in scenario.items.iter().enumerate() {
                if item.is_at_hand(&scenario.map, place as u32) {
                    self.items |= ItemId::new(number as u8).bit();
                }
            }
        }
        if marks & marks::LEVER != 0 {
            for (number, lever) in scenario.levers.iter().enumerate() {
                if lever.is_at_hand(&scenario.map, place) {
                    self.levers |= LeverId::new(number as u8).bit();
                    self.doors |= lever.opens | lever.toggles;
                }
            }
        }
        if marks & marks::SHUTS != 0 {
            for (number, door) in scenario.doors.iter().enumerate() {
                if door.places.contains(&place) {
                    self.doorways |= DoorId::new(number as u8).bit();
                }
            }
        }
    }

    /// Notes where somebody might go next: to the neighbour that is nearest to the next point of its route,
    /// or to another that is nearer than it is now, if whatever shuts is in the way of those before.
    fn go(&mut self, scenario: &Scenario, actor: u16, here: usize, mut memory: u32) {
        let map = &scenario.map;
        let route = &scenario.actors[usize::from(actor)].route;
        while let Some(next) = route.get(memory as usize) {
            let is_there = map.point_of(here).distance_to(next.point())
                <= NEAR_ENOUGH * map.spacing()
                && next.is_on_floor(map.height_of(here));
            if !is_there {
                break;
            }
            memory += 1;
        }
        let Some(next) = route.get(memory as usize) else {
            return;
        };
        let distance = map.spot_of(here).distance_to(*next);
        let mut nearer: Vec<(f64, usize)> = Vec::new();
        for direction in Direction::ALL {
            if let Some(step) = map.follow(here, Move::Step(direction)) {
                let left = map.spot_of(step.place).distance_to(*next);
                if left < distance {
                    nearer.push((left, step.place));
                }
            }
        }
        nearer.sort_by(|one, other| one.0.total_cmp(&other.0));
        // Where nothing shuts, it goes to the nearest; of those that are equally near, to any.
        if scenario.marks_at(here) & marks::NEAR_SHUTS == 0
            && let Some((least, _)) = nearer.first().copied()
        {
            nearer.retain(|(left, _)| *left == least);
        }
        for (_, place) in nearer {
            self.meet((actor, place as u32, memory));
        }
    }
}
