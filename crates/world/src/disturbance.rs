//! What nobody planned for: somebody outside the world changes it.

use crate::{AgentId, DoorId, ItemId, Point, Scenario, World};

/// A change of a world from outside: a game's script, a designer, a test. The rules of the world
/// never make one.
///
/// ```
/// use apprentice_world::{Disturbance, DoorId, Scenario, World};
///
/// let scenario = Scenario::parse(r#"
///     format = 1
///     start = [0, 0]
///     goal = { within = { at = [4, 0], radius = 0.0 } }
///     map = { rows = ["....."] }
///     door = [{ id = "gate", at = [[2, 0]], open = true }]
/// "#)?;
/// let mut world = World::new(&scenario);
/// world.disturb(&scenario, Disturbance::Shut(DoorId::new(0)));
/// assert!(!world.is_open(DoorId::new(0)));
/// # Ok::<(), apprentice_world::ScenarioError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Disturbance {
    /// A door opens. One that goes by the clock follows the clock again at once.
    Open(DoorId),
    /// A door shuts. Whoever stands in it can leave.
    Shut(DoorId),
    /// An item is gone, wherever it was.
    Remove(ItemId),
    /// An item lies again where it lay at the beginning, whoever had it.
    Return(ItemId),
    /// Somebody is elsewhere, in the place nearest to a point, and standing. Guards don't move:
    /// nothing happens to them.
    Move(AgentId, Point),
}

impl World {
    /// Changes the world from outside. What the scenario doesn't have cannot be changed, and nobody
    /// is put into a wall.
    pub fn disturb(&mut self, scenario: &Scenario, disturbance: Disturbance) {
        match disturbance {
            Disturbance::Open(door) if door.index() < scenario.doors.len() => {
                self.doors |= door.bit();
            }
            Disturbance::Shut(door) => self.doors &= !door.bit(),
            Disturbance::Remove(item) if item.index() < scenario.items.len() => {
                self.taken |= item.bit();
                self.let_go(item);
            }
            Disturbance::Return(item) if item.index() < scenario.items.len() => {
                self.taken &= !item.bit();
                self.let_go(item);
            }
            Disturbance::Move(agent, point) => {
                if let Some(place) = scenario.map().place_at(point) {
                    self.put(scenario, agent, place);
                }
            }
            _ => {}
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
                    let at = scenario.map().point_of(place);
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
        world.disturb(&scenario, Disturbance::Remove(key));
        assert!(!world.holds(AgentId::NPC, key) && !world.is_lying(key));
        world.advance(&scenario, &Orders::new(EAST), 3 * second, &mut ());
        assert_eq!(
            world.position(AgentId::NPC, &scenario),
            Point::new(2.0, 0.0)
        );
        world.disturb(&scenario, Disturbance::Return(key));
        assert!(world.is_lying(key));
    }

    #[test]
    fn nobody_is_put_into_a_wall_and_guards_stay() {
        let scenario = hall();
        let mut world = World::new(&scenario);
        let before = world;
        for (agent, point) in [
            (AgentId::NPC, Point::new(99.0, 99.0)),
            (AgentId::Enemy(1), Point::new(0.0, 0.0)),
            (AgentId::Enemy(7), Point::new(0.0, 0.0)),
            (AgentId::PLAYER, Point::new(0.0, 0.0)),
        ] {
            world.disturb(&scenario, Disturbance::Move(agent, point));
        }
        world.disturb(&scenario, Disturbance::Open(DoorId::new(5)));
        assert_eq!(world, before);
        let wall = Point::new(4.0, 1.0);
        world.disturb(&scenario, Disturbance::Move(AgentId::Enemy(0), wall));
        let beside = Cell::new(4, 0).center();
        assert_eq!(world.position(AgentId::Enemy(0), &scenario), beside);
    }
}
