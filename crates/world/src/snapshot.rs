//! A run that begins midway: a world, told in the words of a scenario file.

use std::fmt::Write;

use crate::world::{ActorState, BeastState};
use crate::{AgentId, DoorId, ItemId, LeverId, Order, Scenario, Thing, World};

impl World {
    /// The `[midway]` table of a scenario file that begins in this world: who holds what, is hurt or
    /// after whom, what is open, pulled and gone, and how late it is. Where those who take orders
    /// stand is not in it: that is the `start` of the file and the `at` of its player and actors.
    ///
    /// Everything that can still matter is told exactly. What lies in the past is not told: when
    /// somebody last struck, or was last noticed by an enemy that has given up or is dead.
    ///
    /// ```
    /// use std::time::Duration;
    /// use apprentice_world::{AgentId, Direction, Gait, Order, Orders, Scenario, Stance, World};
    ///
    /// let text = r#"
    ///     format = 1
    ///     start = [1, 0]
    ///     goal = { within = { at = [4, 0], radius = 0.0 } }
    ///     map = { rows = ["....."] }
    ///     key = [{ id = "red", at = [1, 0], opens = [] }]
    ///     enemy = [{ id = "grey", kind = "wolf", at = [4, 0] }]
    /// "#;
    /// let scenario = Scenario::parse(text)?;
    /// let mut world = World::new(&scenario);
    /// world.advance(&scenario, &Orders::new(Order::WAIT), Duration::from_secs(2), &mut ());
    ///
    /// let later = Scenario::parse(&format!("{text}{}", world.snapshot(&scenario)))?;
    /// let again = World::new(&later);
    /// assert_eq!(again.time(), world.time());
    /// assert_eq!(again.health(AgentId::NPC, &later), world.health(AgentId::NPC, &scenario));
    /// # Ok::<(), apprentice_world::ScenarioError>(())
    /// ```
    pub fn snapshot(&self, scenario: &Scenario) -> String {
        let ids = |bits: u32, thing: fn(u8) -> Thing| {
            let set = (0..Scenario::MOST_THINGS as u8).filter(|number| bits >> number & 1 == 1);
            let ids: Vec<String> = set
                .map(|number| quoted(scenario.id_of(thing(number))))
                .collect();
            format!("[{}]", ids.join(", "))
        };
        let held = self
            .actors
            .iter()
            .fold(0, |held, actor| held | actor.holding);
        let item = |number| Thing::Item(ItemId::new(number));
        let mut text = String::from("\n[midway]\n");
        // Writing to a text cannot fail.
        let _ = writeln!(text, "time = {}", exact_seconds(self.time));
        for (key, set) in [
            (
                "open",
                ids(self.doors, |number| Thing::Door(DoorId::new(number))),
            ),
            (
                "pulled",
                ids(self.levers, |number| Thing::Lever(LeverId::new(number))),
            ),
            ("gone", ids(self.taken & !held, item)),
        ] {
            let _ = writeln!(text, "{key} = {set}");
        }
        if self.sprung != 0 {
            let sprung = scenario.traps.iter().enumerate();
            let sprung = sprung.filter(|(number, _)| self.sprung >> number & 1 == 1);
            let ids: Vec<String> = sprung.map(|(_, trap)| quoted(&trap.id)).collect();
            let _ = writeln!(text, "sprung = [{}]", ids.join(", "));
        }
        for (number, actor) in scenario.actors.iter().enumerate() {
            let state = &self.actors[number];
            let _ = match actor.id.as_str() {
                id @ ("npc" | "player") => writeln!(text, "\n[midway.{id}]"),
                id => writeln!(text, "\n[[midway.actor]]\nid = {}", quoted(id)),
            };
            self.tell_actor(&mut text, state);
            let _ = writeln!(text, "holding = {}", ids(state.holding, item));
        }
        for (slot, enemy) in scenario.tables.beasts.iter().enumerate() {
            let id = scenario.id_of(Thing::Agent(AgentId::Enemy(*enemy)));
            let _ = writeln!(text, "\n[[midway.enemy]]\nid = {}", quoted(id));
            self.tell_beast(&mut text, scenario, &self.beasts[slot]);
        }
        text
    }

    fn tell_actor(&self, text: &mut String, state: &ActorState) {
        let _ = writeln!(text, "does = \"{}\"", Order::of(state.step, state.stance));
        if state.step.is_some() {
            let _ = writeln!(text, "moved = {:?}", state.moved as f64 / 1e9);
        }
        let _ = writeln!(text, "health = {:?}", f64::from(state.health));
        let _ = writeln!(text, "stamina = {:?}", f64::from(state.stamina));
        self.tell_ready(text, state.ready_at);
        if state.memory > 0 {
            let _ = writeln!(text, "memory = {}", state.memory);
        }
    }

    fn tell_beast(&self, text: &mut String, scenario: &Scenario, state: &BeastState) {
        let (x, y) = (f64::from(state.x), f64::from(state.y));
        let _ = writeln!(text, "at = [{x:?}, {y:?}]\nplace = {}", state.place);
        let _ = writeln!(text, "health = {:?}", f64::from(state.health));
        let _ = writeln!(text, "mode = \"{}\"", state.mode.name());
        if state.mode.is_hostile() || state.target > 0 {
            let after = scenario.id_of(Thing::Agent(AgentId::Actor(state.target)));
            let _ = writeln!(text, "after = {}", quoted(after));
        }
        if state.is_alive() && state.mode.is_hostile() {
            let _ = writeln!(text, "seen_at = {:?}", state.seen_at as f64 / 1e3);
        }
        self.tell_ready(text, state.ready_at);
    }

    fn tell_ready(&self, text: &mut String, ready_at: u64) {
        if !self.has_come(ready_at) {
            let _ = writeln!(text, "ready_at = {:?}", ready_at as f64 / 1e3);
        }
    }
}

/// Nanoseconds in seconds, every one of them: after a hundred days a real number has lost some.
fn exact_seconds(nanoseconds: u64) -> String {
    let (seconds, rest) = (nanoseconds / 1_000_000_000, nanoseconds % 1_000_000_000);
    let digits = format!("{rest:09}");
    let digits = digits.trim_end_matches('0');
    format!("{seconds}.{}", if digits.is_empty() { "0" } else { digits })
}

/// A text as TOML writes it.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            letter if letter.is_control() => {
                let _ = write!(quoted, "\\u{:04X}", u32::from(letter));
            }
            letter => quoted.push(letter),
        }
    }
    quoted.push('"');
    quoted
}
