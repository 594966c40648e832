//! A level that is being played: time passes when the page says so, the character carries out its
//! plan or does what it is told, and every moment so far can be gone back to.

use std::time::Duration;

use apprentice::behavior::{Character, Doing};
use apprentice::experience::Demonstration;
use apprentice::report::events;
use apprentice::report::phrases::{self, Ids};
use apprentice::search::Budget;
use apprentice::world::{
    Abilities, AgentId, Disturbance, DoorId, Event, ItemId, LeverId, Order, Orders, Point,
    Scenario, Thing, VerifiedStep, World,
};

use crate::folder::Folder;
use crate::level::{self, ReadLevel};
use crate::protocol::{
    Disturb, Edit, Frame, Go, Held, Line, Mind, PlannerSettings, PlayAsk, Refusal,
};
use crate::{demonstrations, planning, pulling, recording, scenario_text, scene};

/// What passes at once. Enemies decide this often.
pub(crate) const MOMENT: Duration = Duration::from_millis(100);
/// No more passes between two pictures.
const MOST_MOMENTS: u32 = 600;
/// An hour of moments.
pub(crate) const MOST_FRAMES: usize = 36_000;
/// What the character may think in a moment: a few milliseconds.
const EXPANSIONS: u64 = 10_000;
/// What it may remember while it thinks.
const MEMORY: u64 = 512 << 20;

/// A level that is being played.
pub(crate) struct Stage {
    pub(crate) level: ReadLevel,
    settings: PlannerSettings,
    lines: Vec<Line>,
    shown: Vec<Demonstration>,
    actor: Lead,
    /// The world at every moment so far.
    worlds: Vec<World>,
    /// The moment that is shown.
    at: usize,
}

/// Who decides what the character does.
// There is one of these at a time.
#[allow(clippy::large_enum_variant)]
enum Lead {
    /// The character itself.
    Character(Character<Scenario>),
    /// The person at the keyboard, to have it recorded.
    Person,
}

impl Stage {
    pub(crate) fn open(folder: &Folder, ask: &PlayAsk) -> Result<Stage, Refusal> {
        let level = level::read(folder, &ask.level)?;
        let shown = demonstrations::read(&folder.kept, &level.scenario, &ask.demonstrations)?;
        let planner = planning::planner(&level.scenario, &ask.settings, &shown)?.planner;
        let world = World::new(&level.scenario);
        let mut stage = Stage {
            actor: Lead::Character(Character::new(planner, Abilities::default())),
            settings: ask.settings.clone(),
            lines: ask.demonstrations.clone(),
            shown,
            worlds: vec![world],
            at: 0,
            level,
        };
        if let Some(played) = &ask.recording {
            stage.actor = Lead::Person;
            for order in recording::orders(played)? {
                stage.pass_moment(Some(order), &mut Vec::new());
            }
        }
        Ok(stage)
    }

    /// The planner's settings that are played with.
    pub(crate) fn settings(&self) -> &PlannerSettings {
        &self.settings
    }

    /// What was shown, as the page has it.
    pub(crate) fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// The world as it is shown.
    pub(crate) fn world(&self) -> &World {
        &self.worlds[self.at]
    }

    /// Lets time pass.
    pub(crate) fn go(&mut self, go: &Go) -> Result<Frame, String> {
        if self.hour_is_up() {
            return Err(match self.actor {
                Lead::Person => "an hour is recorded, and a recording takes no more; keep it",
                Lead::Character(_) => {
                    "an hour has been played, and a game takes no more; go back to an earlier moment, or to the beginning"
                }
            }
            .to_owned());
        }
        let order = go.order.as_deref().map(str::parse::<Order>).transpose();
        let order = order.map_err(|error| error.to_string())?;
        if go.held.is_some() {
            self.leave_recordings_alone()?;
        }
        let held = go.held.as_ref().map(|held| self.carry(held));
        let held = held.transpose()?;
        self.forget_later()?;
        let mut events = Vec::new();
        let left = (MOST_FRAMES - self.worlds.len()).min(MOST_MOMENTS as usize);
        for _ in 0..left.min(go.moments as usize) {
            if let Some(held) = held {
                self.worlds[self.at].disturb(&self.level.scenario, held);
            }
            self.pass_moment(order, &mut events);
        }
        Ok(self.frame(&events))
    }

    /// Whether no moment fits after the one that is shown.
    fn hour_is_up(&self) -> bool {
        self.at + 1 >= MOST_FRAMES
    }

    fn pass_moment(&mut self, order: Option<Order>, events: &mut Vec<Event>) {
        let scenario = &self.level.scenario;
        let mut world = self.worlds[self.at].clone();
        match &mut self.actor {
            Lead::Character(character) => {
                let mut budget = Budget::expansions(EXPANSIONS).within_memory(MEMORY);
                let orders = Orders::new(character.decide(scenario, &world, &mut budget));
                let orders = order.map_or(orders, |player| orders.with_player(player));
                world.advance(scenario, &orders, MOMENT, events);
            }
            Lead::Person => {
                recording::pass(scenario, &mut world, order.unwrap_or(Order::WAIT), events);
            }
        }
        self.worlds.push(world);
        self.at += 1;
    }

    /// What was seen after the moment that is shown will come differently.
    fn forget_later(&mut self) -> Result<(), String> {
        if self.at + 1 == self.worlds.len() {
            return Ok(());
        }
        if matches!(self.actor, Lead::Person) {
            return Err("a recording goes forward only; stop it and trim it".to_owned());
        }
        self.worlds.truncate(self.at + 1);
        self.think_anew()
    }

    /// The character forgets its plan.
    fn think_anew(&mut self) -> Result<(), String> {
        if let Lead::Character(character) = &mut self.actor {
            let checked = planning::planner(&self.level.scenario, &self.settings, &self.shown)?;
            *character = Character::new(checked.planner, Abilities::default());
        }
        Ok(())
    }

    /// Shows another moment.
    pub(crate) fn seek(&mut self, frame: usize) -> Frame {
        self.at = frame.min(self.worlds.len() - 1);
        self.frame(&[])
    }

    /// A recording is its orders: whatever else happened would not be in it.
    fn leave_recordings_alone(&self) -> Result<(), String> {
        match self.actor {
            Lead::Person => Err("the level stays as it is while it is recorded".to_owned()),
            Lead::Character(_) => Ok(()),
        }
    }

    /// Changes the world from outside.
    pub(crate) fn disturb(&mut self, disturb: &Disturb) -> Result<Frame, String> {
        self.leave_recordings_alone()?;
        self.forget_later()?;
        let scenario = &self.level.scenario;
        let door = |id: &str| match scenario.thing(id) {
            Some(Thing::Door(door)) => Ok(door),
            _ => Err(format!("no door is called `{id}`")),
        };
        let item = |id: &str| match scenario.thing(id) {
            Some(Thing::Item(item)) => Ok(item),
            _ => Err(format!("no item is called `{id}`")),
        };
        let disturbance = match disturb {
            Disturb::Open { thing } => Disturbance::Open(door(thing)?),
            Disturb::Shut { thing } => Disturbance::Shut(door(thing)?),
            Disturb::Remove { thing } => Disturbance::Remove(item(thing)?),
            Disturb::Return { thing } => Disturbance::Return(item(thing)?),
            Disturb::Move(held) => self.carry(held)?,
        };
        let mut world = self.worlds[self.at].clone();
        world.disturb(scenario, disturbance);
        self.worlds[self.at] = world;
        Ok(self.frame(&[]))
    }

    /// Somebody is put elsewhere.
    fn carry(&self, held: &Held) -> Result<Disturbance, String> {
        match self.level.scenario.thing(&held.thing) {
            Some(Thing::Agent(agent)) => {
                let to = Point::new(held.x, held.y);
                Ok(Disturbance::Move(agent, to, held.height))
            }
            _ => Err(format!("nobody in the level is called `{}`", held.thing)),
        }
    }

    /// Changes the level under the feet of those who play in it.
    pub(crate) fn rearrange(&mut self, folder: &Folder, edits: &[Edit]) -> Result<Frame, Refusal> {
        self.leave_recordings_alone()?;
        self.forget_later()?;
        let text = scenario_text::edited(&self.level.text, edits)?;
        let scenario = level::parse(folder, &self.level.path, &text)?;
        if scenario.actors().len() != self.level.scenario.actors().len() {
            return Err("players come and go only before the game begins".into());
        }
        self.level.text = text;
        self.level.scenario = scenario;
        if let Lead::Character(character) = &mut self.actor {
            let planner =
                planning::planner(&self.level.scenario, &self.settings, &self.shown)?.planner;
            character.change_planner(planner);
        }
        let mut frame = self.frame(&[]);
        frame.scene = Some(scene::scene(&self.level.scenario));
        Ok(frame)
    }

    /// The moment that is shown.
    pub(crate) fn frame(&self, events: &[Event]) -> Frame {
        let scenario = &self.level.scenario;
        let world = self.world();
        let id = |thing: Thing| scenario.id_of(thing).to_owned();
        let doors = (0..scenario.doors().len() as u8).map(DoorId::new);
        let items = (0..scenario.items().len() as u8).map(ItemId::new);
        let levers = (0..scenario.levers().len() as u8).map(LeverId::new);
        let has_player = scenario.actors().len() > 1;
        Frame {
            number: self.at,
            count: self.worlds.len(),
            time: world.time().as_secs_f64(),
            npc: scene::actor(scenario, world, AgentId::NPC),
            player: has_player.then(|| scene::actor(scenario, world, AgentId::PLAYER)),
            enemies: scene::enemies_at(scenario, world),
            open: doors
                .filter(|door| world.is_open(*door))
                .map(|door| id(Thing::Door(door)))
                .collect(),
            lying: items
                .filter(|item| world.is_lying(*item))
                .map(|item| id(Thing::Item(item)))
                .collect(),
            pulled: levers
                .filter(|lever| world.is_on(*lever))
                .map(|lever| id(Thing::Lever(lever)))
                .collect(),
            events: events::words(scenario, events),
            goal_met: scenario.goal().is_met(&world.seen_in(scenario)),
            hour_is_up: self.hour_is_up(),
            mind: self.mind(),
            scene: None,
        }
    }

    fn mind(&self) -> Option<Mind> {
        let Lead::Character(character) = &self.actor else {
            return None;
        };
        let scenario = &self.level.scenario;
        let ahead: Vec<VerifiedStep> = character
            .ahead(scenario)
            .iter()
            .map(|step| VerifiedStep::of_plan(scenario, AgentId::NPC, step))
            .collect();
        let ahead = match &*ahead {
            [] => Vec::new(),
            [first, rest @ ..] => pulling::drawn(scenario, first.place, rest),
        };
        Some(Mind {
            state: match character.doing() {
                Doing::Following => "following",
                Doing::Thinking => "thinking",
                Doing::Done => "done",
                Doing::Stuck => "stuck",
                Doing::Dead => "dead",
            },
            plans: character.plans(),
            why: (character.deviation())
                .map(|why| phrases::deviation(why, scenario.landmarks(), Ids::Spoken)),
            ahead,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A game in which there is nothing to do, or a recording of so many moments in it.
    fn stage(recorded: Option<usize>) -> Stage {
        let text =
            "format = 1\nstart = [1, 1]\ngoal = { all = [] }\nmap = { rows = ['....', '....'] }\n";
        let mut ask = serde_json::json!({
            "path": "hall.toml",
            "text": text,
            "demonstrations": [],
            "settings": { "planner": "" },
        });
        if let Some(moments) = recorded {
            ask["recording"] = serde_json::json!([["wait", moments]]);
        }
        let ask: PlayAsk = serde_json::from_value(ask).unwrap();
        Stage::open(&Folder::open(&std::env::temp_dir()).unwrap(), &ask).unwrap()
    }

    fn go(stage: &mut Stage, moments: u32) -> Result<Frame, String> {
        stage.go(&Go {
            moments,
            order: None,
            held: None,
        })
    }

    #[test]
    fn the_last_moment_of_a_recording_says_that_it_is_the_last() {
        let mut stage = stage(Some(MOST_FRAMES - 3));
        assert!(!go(&mut stage, 1).unwrap().hour_is_up);
        let last = go(&mut stage, 5).unwrap();
        assert_eq!((last.count, last.hour_is_up), (MOST_FRAMES, true));
        assert!(go(&mut stage, 1).unwrap_err().contains("keep it"));
        assert_eq!(stage.frame(&[]).count, MOST_FRAMES, "nothing is lost");
    }

    #[test]
    fn whoever_goes_back_in_a_game_that_is_an_hour_long_can_go_on_from_there() {
        let mut stage = stage(None);
        while !go(&mut stage, MOST_MOMENTS).unwrap().hour_is_up {}
        assert!(go(&mut stage, 1).unwrap_err().contains("go back"));
        assert!(!stage.seek(20).hour_is_up);
        assert_eq!(go(&mut stage, 1).unwrap().count, 22);
    }
}
