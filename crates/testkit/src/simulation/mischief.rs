//! What nobody planned for.

use std::time::Duration;

use apprentice_world::{
    AgentId, DoorId, FULL_HEALTH, Goal, ItemId, LeverId, Observation, Order, Orders, Scenario,
    World,
};

use super::laws::Law;
use super::{Game, character};

impl Game {
    /// Does some, if it is time for it.
    pub(super) fn do_mischief(&mut self) {
        let Some(every) = self.mischief_every else {
            return;
        };
        let now = self.world.time();
        if now < self.next_mischief || now >= self.calm_from {
            return;
        }
        let wait = self.dice.between(every / 4, every * 2) as u64;
        self.next_mischief = now + Duration::from_millis(wait);
        if self.world.is_dead(AgentId::NPC, &self.scenario) {
            return;
        }
        match self.dice.below(20) {
            0 => self.replace_character(),
            1 => self.character.forget(),
            2 => self.character.level_changed(),
            3 => self.save_and_load(),
            4 => self.want_something_else(),
            _ => {
                let disturbance = self.disturbance();
                self.world.observe(&self.scenario, disturbance);
            }
        }
        self.laws.disturbed(&self.scenario, &self.world);
    }

    fn disturbance(&mut self) -> Observation {
        let dice = &mut self.dice;
        let (scenario, world) = (&self.scenario, &self.world);
        let any = |dice: &mut crate::dice::Dice, count: usize| dice.below(count.max(1)) as u8;
        let door = DoorId::new(any(dice, scenario.doors().len()));
        let item = ItemId::new(any(dice, scenario.items().len()));
        let lever = LeverId::new(any(dice, scenario.levers().len()));
        let enemy = AgentId::Enemy(u16::from(any(dice, scenario.enemies().len())));
        let place = *dice.one_of(&self.places);
        let (anywhere, height) = (
            scenario.map().point_of(place),
            scenario.map().mesh().map(|mesh| mesh.height_of(place)),
        );
        let health = dice.part() * FULL_HEALTH;
        match dice.below(12) {
            0 | 1 if !scenario.doors().is_empty() => Observation::Open(door),
            2 | 3 if !scenario.doors().is_empty() => Observation::Shut(door),
            4 if !scenario.items().is_empty() => Observation::Remove(item),
            5 if !scenario.items().is_empty() => Observation::Return(item),
            6 if !scenario.items().is_empty() => Observation::Give(AgentId::NPC, item),
            7 if !scenario.levers().is_empty() => Observation::Pulled(lever, dice.percent(50)),
            8 if !scenario.enemies().is_empty() => Observation::Move(enemy, anywhere, height),
            9 if !scenario.enemies().is_empty() => Observation::Health(enemy, health.max(1.0)),
            10 => Observation::Health(AgentId::NPC, health.max(5.0)),
            11 if dice.percent(50) => Observation::Move(AgentId::NPC, anywhere, height),
            _ => {
                // A push.
                let here = world.place(AgentId::NPC, scenario);
                let beside: Vec<usize> = scenario
                    .map()
                    .steps_from(here)
                    .map(|step| step.place)
                    .collect();
                let to = if beside.is_empty() {
                    here
                } else {
                    *dice.one_of(&beside)
                };
                let height = scenario.map().mesh().map(|mesh| mesh.height_of(to));
                Observation::Move(AgentId::NPC, scenario.map().point_of(to), height)
            }
        }
    }

    /// Sends the character elsewhere, or after something.
    fn want_something_else(&mut self) {
        let items = self.scenario.items().len();
        self.goal = if items > 0 && self.dice.percent(30) {
            Goal::Holds(ItemId::new(self.dice.below(items) as u8))
        } else {
            let place = *self.dice.one_of(&self.places);
            let map = self.scenario.map();
            Goal::Within {
                at: map.point_of(place),
                height: map.mesh().map(|mesh| mesh.height_of(place)),
                radius: 1.0,
            }
        };
        self.character.pursue(self.goal.clone());
    }

    /// Saves the game as a scenario that begins midway, and goes on with what is read from it.
    fn save_and_load(&mut self) {
        // In a file the character stands.
        if self.world.is_under_way(AgentId::NPC) {
            return;
        }
        let text = self.saved();
        let now = self.world.time();
        let loaded = match self.level.read(&text) {
            Ok(loaded) => loaded,
            Err(error) => {
                let what = format!("what was saved cannot be read: {error}");
                self.laws.broken(Law::SavedOtherwise, now, what);
                return;
            }
        };
        let again = World::new(&loaded);
        if let Some(what) = difference(
            (&self.scenario, self.world.clone()),
            (&loaded, again.clone()),
        ) {
            self.laws.broken(Law::SavedOtherwise, now, what);
            return;
        }
        self.scenario = loaded;
        self.world = again;
        self.replace_character();
    }

    /// A new character that wants what the old one did.
    fn replace_character(&mut self) {
        self.character = character(&self.level, &self.scenario);
        if self.goal != *self.scenario.goal() {
            self.character.pursue(self.goal.clone());
        }
    }

    /// The level as a file that begins in this world.
    fn saved(&self) -> String {
        let map = self.scenario.map();
        let at = |agent| crate::furnishing::spot(map, self.world.place(agent, &self.scenario));
        let mut in_player = false;
        let lines = self.level.text.lines().map(|line| {
            if line.starts_with('[') {
                in_player = line == "[player]";
            }
            if line.starts_with("start = ") {
                format!("start = {}\n", at(AgentId::NPC))
            } else if in_player && line.starts_with("at = ") {
                format!("at = {}\n", at(AgentId::PLAYER))
            } else {
                format!("{line}\n")
            }
        });
        let text: String = lines.collect();
        text + &self.world.snapshot(&self.scenario)
    }
}

/// How two worlds differ that should go on the same, a second later or before.
fn difference(one: (&Scenario, World), other: (&Scenario, World)) -> Option<String> {
    let (mut one, mut other) = (one, other);
    for tick in 0..20 {
        let ((scenario, world), (loaded, again)) = (&one, &other);
        let actors = (0..scenario.actors().len() as u16).map(AgentId::Actor);
        let enemies = (0..scenario.enemies().len() as u16).map(AgentId::Enemy);
        for agent in actors.chain(enemies) {
            let (was, is) = (
                world.position(agent, scenario),
                again.position(agent, loaded),
            );
            if was != is {
                return Some(format!("{agent:?} at {is}, not {was}, {tick} ticks later"));
            }
            let (was, is) = (world.health(agent, scenario), again.health(agent, loaded));
            if was != is {
                return Some(format!("{agent:?} has {is}, not {was}, {tick} ticks later"));
            }
        }
        if world.snapshot(scenario) != again.snapshot(loaded) {
            return Some(format!("not the same {tick} ticks later"));
        }
        let (orders, tick) = (Orders::new(Order::WAIT), Duration::from_millis(50));
        one.1.advance(one.0, &orders, tick, &mut ());
        other.1.advance(other.0, &orders, tick, &mut ());
    }
    None
}
