//! What nobody planned for: somebody outside the world changes it.

use crate::scenario::FULL_HEALTH;
use crate::{
    AgentId, DoorId, ItemId, LeverId, Mode, Point, Scenario, TrapId, World, enemies, items,
};

/// A change of a world from outside: a game's script, a designer, a test. The rules of the world
/// never make one. A game that moves its own world makes ours like it with these, before a character
/// decides.
///
/// ```
/// use apprentice_world::{Observation, DoorId, Scenario, World};
///
/// let scenario = Scenario::parse(r#"
///     format = 1
///     start = [0, 0]
///     goal = { within = { at = [4, 0], radius = 0.0 } }
///     map = { rows = ["....."] }
///     door = [{ id = "gate", at = [[2, 0]], open = true }]
/// "#)?;
/// let mut world = World::new(&scenario);
/// world.observe(&scenario, Observation::Shut(DoorId::new(0)));
/// assert!(!world.is_open(DoorId::new(0)));
/// # Ok::<(), apprentice_world::ScenarioError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Observation {
    /// A door opens. One that goes by the clock follows the clock again at once.
    Open(DoorId),
    /// A door shuts. Whoever stands in it can leave.
    Shut(DoorId),
    /// An item is gone, wherever it was.
    Remove(ItemId),
    /// An item lies again where it lay at the beginning, whoever had it.
    Return(ItemId),
    /// Somebody is elsewhere, in the place nearest to a point, and standing; on the floor of a height,
    /// if one is given. Guards don't move: nothing happens to them.
    Move(AgentId, Point, Option<f64>),
    /// Somebody who takes orders gets an item, wherever it was; a health pack is used at once.
    /// Enemies take nothing.
    Give(AgentId, ItemId),
    /// Somebody is as well as this: at least 0, which is dead, and at most as well as one can be. An
    /// enemy that comes back to life is after nobody.
    /// Not a number changes nothing, and guards cannot be hurt.
    Health(AgentId, f64),
    /// A lever has been pulled, or not yet. The doors it moves stay as they are; traps that it disarms
    /// hurt nobody, or hurt again.
    Pulled(LeverId, bool),
    /// A trap that hurts only once has done so, or not yet.
    Sprung(TrapId, bool),
}

impl World {
    /// Changes the world from outside. What the scenario doesn't have cannot be changed, and nobody
    /// is put into a wall.
    pub fn observe(&mut self, scenario: &Scenario, observation: Observation) {
        match observation {
            Observation::Open(door) if door.index() < scenario.doors.len() => {
                self.doors |= door.bit();
            }
            Observation::Shut(door) if door.index() < scenario.doors.len() => {
                self.doors &= !door.bit();
            }
            Observation::Remove(item) if item.index() < scenario.items.len() => {
                self.taken |= item.bit();
                self.let_go(item);
            }
            Observation::Return(item) if item.index() < scenario.items.len() => {
                self.taken &= !item.bit();
                self.let_go(item);
            }
            Observation::Move(agent, point, height) => {
                if let Some(place) = scenario.map().place_on_floor(point, height) {
                    self.put(scenario, agent, place);
                }
            }
            Observation::Give(AgentId::Actor(actor), item)
                if usize::from(actor) < scenario.actors.len()
                    && item.index() < scenario.items.len() =>
            {
                self.taken |= item.bit();
                self.let_go(item);
                items::receive(self, scenario, usize::from(actor), item);
            }
            Observation::Health(agent, health) if !health.is_nan() => {
                self.set_health(scenario, agent, health);
            }
            Observation::Pulled(lever, pulled) if lever.index() < scenario.levers.len() => {
                self.levers &= !lever.bit();
                self.levers |= u32::from(pulled) << lever.index();
            }
            Observation::Sprung(trap, sprung) => {
                let found = scenario.traps.get(trap.index());
                if found.is_some_and(|trap| trap.springs_once) {
                    self.sprung &= !trap.bit();
                    self.sprung |= u32::from(sprung) << trap.index();
                }
            }
            _ => {}
        }
    }

    fn set_health(&mut self, scenario: &Scenario, agent: AgentId, health: f64) {
        match agent {
            AgentId::Actor(actor) if usize::from(actor) < scenario.actors.len() => {
                self.actors[usize::from(actor)].health = health.clamp(0.0, FULL_HEALTH) as f32;
            }
            AgentId::Enemy(enemy) => {
                let slot = scenario.enemies.get(usize::from(enemy));
                if let Some(slot) = slot.and_then(|enemy| enemy.slot) {
                    let (_, beast) = scenario.beast(usize::from(slot));
                    let state = &mut self.beasts[usize::from(slot)];
                    if !state.is_alive() {
                        // Whoever comes back to life remembers nothing.
                        (state.mode, state.ready_at) = (Mode::Idle, 0);
                    }
                    state.health = health.clamp(0.0, beast.health) as f32;
                }
            }
            AgentId::Actor(_) => {}
        }
    }

    fn let_go(&mut self, item: ItemId) {
        for actor in &mut self.actors {
            actor.holding &= !item.bit();
        }
    }

    fn put(&mut self, scenario: &Scenario, agent: AgentId, place: usize) {
        match agent {
            AgentId::Actor(actor) if usize::from(actor) < scenario.actors.len() => {
                let state = &mut self.actors[usize::from(actor)];
                state.place = place as u32;
                state.step = None;
                state.moved = 0;
            }
            AgentId::Enemy(enemy) => {
                let slot = scenario.enemies.get(usize::from(enemy));
                if let Some(slot) = slot.and_then(|enemy| enemy.slot) {
                    let state = &mut self.beasts[usize::from(slot)];
                    let at = enemies::kept(scenario.map().point_of(place));
                    (state.x, state.y) = (at.x as f32, at.y as f32);
                    state.place = place as u32;
                }
            }
            AgentId::Actor(_) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::{Cell, Direction, Gait, Order, Orders, Stance};

    const EAST: Order = Order::Step(Direction::East, Stance::new(Gait::Walk));

    fn hall() -> Scenario {
        let text = r#"
            format = 1
            start = [0, 0]
            goal = { within = { at = [4, 0], radius = 0.0 } }
            map = { rows = [".....", "....#"] }
            door = [{ id = "gate", at = [[3, 0], [3, 1]] }]
            key = [{ id = "red", at = [1, 0], opens = ["gate"] }]
            enemy = [
                { id = "grey", kind = "wolf", at = [0, 1] },
                { id = "guard", kind = "guard", at = [2, 1] },
            ]
        "#;
        Scenario::parse(text).expect("the scenario is sound")
    }

    #[test]
    fn a_key_that_is_taken_away_opens_nothing() {
        let scenario = hall();
        let mut world = World::new(&scenario);
        let key = ItemId::new(0);
        let second = Duration::from_secs(1);
        world.advance(&scenario, &Orders::new(EAST), second, &mut ());
        assert!(world.holds(AgentId::NPC, key));
        world.observe(&scenario, Observation::Remove(key));
        assert!(!world.holds(AgentId::NPC, key) && !world.is_lying(key));
        world.advance(&scenario, &Orders::new(EAST), 3 * second, &mut ());
        assert_eq!(
            world.position(AgentId::NPC, &scenario),
            Point::new(2.0, 0.0)
        );
        world.observe(&scenario, Observation::Return(key));
        assert!(world.is_lying(key));
    }

    #[test]
    fn nobody_is_put_into_a_wall_and_guards_stay() {
        let scenario = hall();
        let mut world = World::new(&scenario);
        let before = world.clone();
        for (agent, point) in [
            (AgentId::NPC, Point::new(99.0, 99.0)),
            (AgentId::Enemy(1), Point::new(0.0, 0.0)),
            (AgentId::Enemy(7), Point::new(0.0, 0.0)),
            (AgentId::PLAYER, Point::new(0.0, 0.0)),
        ] {
            world.observe(&scenario, Observation::Move(agent, point, None));
        }
        world.observe(&scenario, Observation::Open(DoorId::new(5)));
        assert_eq!(world, before);
        let wall = Point::new(4.0, 1.0);
        world.observe(&scenario, Observation::Move(AgentId::Enemy(0), wall, None));
        let beside = Cell::new(4, 0).center();
        assert_eq!(world.position(AgentId::Enemy(0), &scenario), beside);
    }

    #[test]
    fn a_game_can_make_the_world_like_its_own() {
        let text = r#"
            format = 1
            start = [0, 0]
            goal = { within = { at = [4, 0], radius = 0.0 } }
            map = { rows = ["....."] }
            door = [{ id = "gate", at = [[3, 0]] }]
            key = [{ id = "red", at = [1, 0], opens = ["gate"] }]
            pack = [{ id = "herbs", at = [2, 0], health = 30 }]
            lever = [{ id = "winch", at = [4, 0], opens = ["gate"] }]
            enemy = [
                { id = "grey", kind = "wolf", at = [4, 0] },
                { id = "guard", kind = "guard", at = [2, 0] },
            ]
        "#;
        let scenario = Scenario::parse(text).expect("the scenario is sound");
        let mut world = World::new(&scenario);
        let (npc, wolf, guard) = (AgentId::NPC, AgentId::Enemy(0), AgentId::Enemy(1));
        let (key, herbs, winch) = (ItemId::new(0), ItemId::new(1), LeverId::new(0));

        world.observe(&scenario, Observation::Give(npc, key));
        assert!(world.holds(npc, key) && !world.is_lying(key));
        world.observe(&scenario, Observation::Health(npc, 50.0));
        world.observe(&scenario, Observation::Give(npc, herbs));
        assert_eq!(world.health(npc, &scenario), 80.0);
        assert!(!world.holds(npc, herbs) && !world.is_lying(herbs));

        let whole = world.health(wolf, &scenario);
        world.observe(&scenario, Observation::Health(wolf, whole * 9.0));
        assert_eq!(world.health(wolf, &scenario), whole);
        world.observe(&scenario, Observation::Health(wolf, -1.0));
        assert!(world.is_dead(wolf, &scenario));

        world.observe(&scenario, Observation::Pulled(winch, true));
        assert!(world.is_on(winch) && !world.is_open(DoorId::new(0)));
        world.observe(&scenario, Observation::Pulled(winch, false));
        assert!(!world.is_on(winch));

        let before = world.clone();
        for nothing in [
            Observation::Give(wolf, key),
            Observation::Give(AgentId::PLAYER, key),
            Observation::Give(npc, ItemId::new(9)),
            Observation::Health(npc, f64::NAN),
            Observation::Health(guard, 0.0),
            Observation::Health(AgentId::Enemy(9), 0.0),
            Observation::Pulled(LeverId::new(9), true),
        ] {
            world.observe(&scenario, nothing);
        }
        assert_eq!(world, before);
    }
}
