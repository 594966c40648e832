//! A level that is being played: time passes when the page says so, the character carries out its
//! plan or does what it is told, and every moment so far can be gone back to.

mod cast;
mod errand;

use std::rc::Rc;
use std::time::Duration;

use apprentice::behavior::{Deviation, Doing};
use apprentice::experience::Demonstration;
use apprentice::game::LandmarkId;
use apprentice::report::events;
use apprentice::report::phrases::{self, Ids};
use apprentice::world::{
    AgentId, DoorId, Event, ItemId, LeverId, Observation, Order, Orders, Point, Scenario, Thing,
    VerifiedStep, World,
};

use crate::folder::Folder;
use crate::level::{self, ReadLevel};
use crate::protocol::{
    Disturb, Edit, Frame, Go, Held, Line, Mind, PlannerSettings, PlayAsk, PlayedTasks, Refusal,
    ShownErrand, ShownMember,
};
use crate::scenario_text::{self, Edited};
use crate::{demonstrations, path_smoothing, recording, scene, sliding};
use cast::{Cast, Member};
use errand::TaskBook;

/// What passes at once. Enemies decide this often.
pub(crate) const MOMENT: Duration = Duration::from_millis(100);
/// No more passes between two pictures.
const MOST_MOMENTS: u32 = 600;
/// An hour of moments.
pub(crate) const MOST_FRAMES: usize = 36_000;
/// Whoever is put elsewhere is expected there after so many moments.
const RECENT: usize = 100;

/// A level that is being played.
pub(crate) struct Stage {
    /// The level as it was at first, and as it became, with the moments from which on it was so.
    levels: Vec<(usize, ReadLevel)>,
    settings: PlannerSettings,
    lines: Vec<Line>,
    shown: Vec<Demonstration>,
    /// The tasks that are done, if any are, and the moments from which on they were these.
    tasks: Vec<(usize, Option<TaskBook>)>,
    actor: Lead,
    /// The world at every moment so far. Everybody has decided in each but the last.
    worlds: Vec<World>,
    /// What each of them was at in each of these moments.
    moods: Vec<Vec<Mood>>,
    /// Who was put elsewhere by hand, and in which moment.
    moved: Vec<(usize, String)>,
    /// The moment that is shown.
    at: usize,
    /// The level that is on the map of the page, by number.
    on_map: usize,
}

/// What somebody was at, and why.
#[derive(Clone)]
struct Mood {
    doing: Doing,
    plans: u32,
    why: Option<Rc<str>>,
    errand: Option<Rc<ShownErrand>>,
}

/// Who decides what the character does.
enum Lead {
    /// It itself does, and so do others.
    Cast(Cast),
    /// The person at the keyboard, to have it recorded.
    Person,
}

impl Stage {
    pub(crate) fn open(folder: &Folder, ask: &PlayAsk) -> Result<Stage, Refusal> {
        let level = level::read(folder, &ask.level)?;
        let shown = demonstrations::read(&folder.kept, &level.scenario, &ask.demonstrations)?;
        let tasks = ask
            .tasks
            .as_ref()
            .map(|tasks| TaskBook::read(folder, tasks));
        let tasks = tasks.transpose()?;
        let cast = Cast::of(&level.scenario, &ask.settings, &shown, tasks.as_ref())?;
        let world = World::new(&level.scenario);
        let mut stage = Stage {
            actor: Lead::Cast(cast),
            tasks: vec![(0, tasks)],
            settings: ask.settings.clone(),
            lines: ask.demonstrations.clone(),
            shown,
            worlds: vec![world],
            moods: Vec::new(),
            moved: Vec::new(),
            at: 0,
            levels: vec![(0, level)],
            on_map: 0,
        };
        if let Some(played) = &ask.recording {
            stage.actor = Lead::Person;
            for order in recording::orders(played)? {
                stage.pass_moment(Some(order), &mut Vec::new());
            }
        }
        stage.note_mood();
        Ok(stage)
    }

    /// The level as it is in the moment that is shown.
    pub(crate) fn level(&self) -> &ReadLevel {
        &self.levels[self.level_at(self.at)].1
    }

    /// The number of the level in which a moment was played.
    fn level_at(&self, moment: usize) -> usize {
        let later = |(from, _): &(usize, ReadLevel)| *from <= moment;
        self.levels.partition_point(later) - 1
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
                Lead::Cast(_) => {
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
        if let Some(held) = &go.held {
            self.note_moved(&held.thing);
        }
        let mut events = Vec::new();
        let left = (MOST_FRAMES - self.worlds.len()).min(MOST_MOMENTS as usize);
        for _ in 0..left.min(go.moments as usize) {
            if let Some(held) = held {
                let level = self.level_at(self.at);
                self.worlds[self.at].observe(&self.levels[level].1.scenario, held);
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
        let level = self.level_at(self.at);
        let scenario = &self.levels[level].1.scenario;
        let mut world = self.worlds[self.at].clone();
        match &mut self.actor {
            Lead::Cast(cast) => {
                let given = cast.decide(scenario, &world);
                let (lead, others) = given.split_at(1);
                let orders = Orders::new(lead[0].1).with_orders(others);
                // Without a player, somebody else has the player's number.
                let orders = match order.filter(|_| scene::has_player(scenario)) {
                    Some(order) => {
                        let player = AgentId::PLAYER;
                        orders.with_player(sliding::slid(scenario, &world, player, order))
                    }
                    None => orders,
                };
                world.advance(scenario, &orders, MOMENT, events);
            }
            Lead::Person => {
                recording::pass(scenario, &mut world, order.unwrap_or(Order::WAIT), events);
            }
        }
        self.worlds.push(world);
        self.at += 1;
        self.note_mood();
    }

    fn note_mood(&mut self) {
        let Lead::Cast(cast) = &self.actor else {
            return;
        };
        let last = self.moods.last();
        let numbered = cast.members().iter().enumerate();
        let moods = numbered.map(|(number, member)| {
            let last = last.and_then(|moods| moods.get(number));
            self.mood(member, last)
        });
        let moods = moods.collect();
        self.moods.truncate(self.at);
        self.moods.push(moods);
    }

    /// What somebody is at. What was the same in the moment before is kept once.
    fn mood(&self, member: &Member, last: Option<&Mood>) -> Mood {
        let level = self.level_at(self.at);
        let landmarks = self.levels[level].1.scenario.landmarks();
        let why = member.deviation();
        let why = why.map(|why| match why {
            Deviation::EnemyElsewhere { landmark, .. } if self.was_moved(*landmark) => {
                phrases::was_moved(&landmarks[landmark.index()], Ids::Spoken)
            }
            // Whoever is put down elsewhere lives there: the level is another one because of that.
            Deviation::LevelChanged if self.last_moved().is_some() => {
                let mark = self.last_moved().map(|number| &landmarks[number]);
                mark.map_or_else(String::new, |mark| phrases::was_moved(mark, Ids::Spoken))
            }
            why => phrases::deviation(why, landmarks, Ids::Spoken),
        });
        let before = last.and_then(|mood| mood.why.clone());
        let why = match (why, before) {
            (Some(why), Some(before)) if *before == *why => Some(before),
            (why, _) => why.map(Rc::from),
        };
        let errand = member.errand.as_ref().map(errand::Errand::shown);
        let before = last.and_then(|mood| mood.errand.clone());
        let errand = match (errand, before) {
            (Some(errand), Some(before)) if *before == errand => Some(before),
            (errand, _) => errand.map(Rc::new),
        };
        Mood {
            doing: member.doing(),
            plans: member.mind.plans(),
            why,
            errand,
        }
    }

    /// The number of the landmark that was put elsewhere last, not long ago.
    fn last_moved(&self) -> Option<usize> {
        let (at, who) = self.moved.last()?;
        let is_recent = at + RECENT >= self.at;
        let landmarks = self.level().scenario.landmarks();
        let place = landmarks.iter().position(|mark| mark.name == *who);
        place.filter(|_| is_recent)
    }

    /// Whether somebody is elsewhere because a hand has put it there, not long ago.
    fn was_moved(&self, landmark: LandmarkId) -> bool {
        let landmarks = self.level().scenario.landmarks();
        let name = landmarks.get(landmark.index()).map(|mark| &*mark.name);
        let recent = self.at.saturating_sub(RECENT)..=self.at;
        let mut moved = self.moved.iter();
        moved.any(|(at, who)| recent.contains(at) && Some(&**who) == name)
    }

    /// Whatever was seen and done after the moment that is shown has not happened, and will come as
    /// the character makes it.
    fn forget_later(&mut self) -> Result<(), String> {
        if self.at + 1 == self.worlds.len() {
            return Ok(());
        }
        if matches!(self.actor, Lead::Person) {
            return Err("a recording goes forward only; stop it and trim it".to_owned());
        }
        let levels = self.level_at(self.at) + 1;
        self.recall()?;
        self.worlds.truncate(self.at + 1);
        self.moods.truncate(self.at + 1);
        self.levels.truncate(levels);
        self.tasks.retain(|(from, _)| *from <= self.at);
        self.moved.retain(|(at, _)| *at <= self.at);
        Ok(())
    }

    /// The character is of the mind it was of in the moment that is shown. It gets there as it got
    /// there before: the same worlds, and the same budget in each, so that it goes on as it did.
    fn recall(&mut self) -> Result<(), String> {
        let Lead::Cast(cast) = &self.actor else {
            return Ok(());
        };
        if cast.decided == self.at {
            return Ok(());
        }
        let mut cast: Option<Cast> = None;
        for (number, (from, level)) in self.levels.iter().enumerate() {
            if *from > self.at {
                break;
            }
            let scenario = &level.scenario;
            let cast = match &mut cast {
                None => {
                    let (_, tasks) = &self.tasks[0];
                    let first = Cast::of(scenario, &self.settings, &self.shown, tasks.as_ref())?;
                    cast.insert(first)
                }
                Some(cast) => {
                    cast.rearrange(scenario, &self.settings, &self.shown)?;
                    cast
                }
            };
            let next = self.levels.get(number + 1);
            let until = next.map_or(self.at, |(next, _)| *next).min(self.at);
            for moment in *from..until {
                self.take_up_at(moment, cast, scenario)?;
                cast.decide(scenario, &self.worlds[moment]);
            }
            if until == self.at {
                self.take_up_at(self.at, cast, scenario)?;
            }
        }
        if let Some(cast) = cast {
            self.actor = Lead::Cast(cast);
        }
        Ok(())
    }

    /// Takes up the tasks that were given in a moment.
    fn take_up_at(
        &self,
        moment: usize,
        cast: &mut Cast,
        scenario: &Scenario,
    ) -> Result<(), String> {
        let given = self.tasks.iter().skip(1);
        for (_, tasks) in given.filter(|(from, _)| *from == moment) {
            cast.take_up(scenario, tasks.as_ref())?;
        }
        Ok(())
    }

    /// Gives other tasks while the game goes on, or none. Tasks with a mistake in them change nothing.
    pub(crate) fn retask(
        &mut self,
        folder: &Folder,
        tasks: Option<&PlayedTasks>,
    ) -> Result<Frame, Refusal> {
        self.leave_recordings_alone()?;
        let tasks = tasks.map(|tasks| TaskBook::read(folder, tasks));
        let tasks = tasks.transpose()?;
        if let Some(tasks) = &tasks {
            tasks.agent(&self.level().scenario)?;
        }
        self.forget_later()?;
        let level = self.level_at(self.at);
        if let Lead::Cast(cast) = &mut self.actor {
            cast.take_up(&self.levels[level].1.scenario, tasks.as_ref())?;
        }
        self.tasks.push((self.at, tasks));
        self.note_mood();
        Ok(self.frame(&[]))
    }

    /// Shows another moment. Whoever stays there sees what the character was about to do, too.
    pub(crate) fn seek(&mut self, frame: usize, stays: bool) -> Result<Frame, String> {
        self.at = frame.min(self.worlds.len() - 1);
        if stays {
            self.recall()?;
        }
        let mut frame = self.frame(&[]);
        let level = self.level_at(self.at);
        if level != self.on_map {
            self.on_map = level;
            frame.scene = Some(scene::scene_of(&self.level().scenario, &self.level().text));
        }
        Ok(frame)
    }

    /// A recording is its orders: whatever else happened would not be in it.
    fn leave_recordings_alone(&self) -> Result<(), String> {
        match self.actor {
            Lead::Person => Err("the level stays as it is while it is recorded".to_owned()),
            Lead::Cast(_) => Ok(()),
        }
    }

    /// Changes the world from outside.
    pub(crate) fn disturb(&mut self, folder: &Folder, disturb: &Disturb) -> Result<Frame, Refusal> {
        self.leave_recordings_alone()?;
        self.forget_later()?;
        // Before it is put down, so that it is where it was put, and not only at home there.
        let moved = match disturb {
            Disturb::Settle(held) if self.is_enemy(&held.thing) => {
                let home = self.home_at(held)?;
                self.rearrange(folder, &[home])?.scene
            }
            _ => None,
        };
        let scenario = &self.level().scenario;
        let door = |id: &str| match scenario.thing(id) {
            Some(Thing::Door(door)) => Ok(door),
            _ => Err(format!("no door is called `{id}`")),
        };
        let item = |id: &str| match scenario.thing(id) {
            Some(Thing::Item(item)) => Ok(item),
            _ => Err(format!("no item is called `{id}`")),
        };
        let disturbance = match disturb {
            Disturb::Open { thing } => Observation::Open(door(thing)?),
            Disturb::Shut { thing } => Observation::Shut(door(thing)?),
            Disturb::Remove { thing } => Observation::Remove(item(thing)?),
            Disturb::Return { thing } => Observation::Return(item(thing)?),
            Disturb::Move(held) | Disturb::Settle(held) => self.carry(held)?,
        };
        if let Disturb::Move(held) | Disturb::Settle(held) = disturb {
            self.note_moved(&held.thing);
        }
        let scenario = &self.level().scenario;
        let mut world = self.worlds[self.at].clone();
        world.observe(scenario, disturbance);
        self.worlds[self.at] = world;
        Ok(Frame {
            scene: moved,
            ..self.frame(&[])
        })
    }

    fn note_moved(&mut self, thing: &str) {
        self.moved.retain(|(_, who)| who != thing);
        self.moved.push((self.at, thing.to_owned()));
    }

    fn is_enemy(&self, thing: &str) -> bool {
        let thing = self.level().scenario.thing(thing);
        matches!(thing, Some(Thing::Agent(AgentId::Enemy(_))))
    }

    /// The home of somebody who is put down: the place it stands in then. With its home elsewhere it
    /// would leave whoever passes alone and go back there.
    fn home_at(&self, held: &Held) -> Result<Edit, String> {
        let scenario = &self.level().scenario;
        let to = Point::new(held.x, held.y);
        let place = scenario.map().place_on_floor(to, held.height);
        let place =
            place.ok_or_else(|| format!("there is no floor at {to} for {} to live", held.thing))?;
        let at = scene::point_of(scenario, place);
        Ok(Edit::Move {
            thing: held.thing.clone(),
            x: at.x,
            y: at.y,
            height: scene::height_of(scenario, place),
            heights: Vec::new(),
        })
    }

    /// Somebody is put elsewhere.
    fn carry(&self, held: &Held) -> Result<Observation, String> {
        match self.level().scenario.thing(&held.thing) {
            Some(Thing::Agent(agent)) => {
                let to = Point::new(held.x, held.y);
                Ok(Observation::Move(agent, to, held.height))
            }
            _ => Err(format!("nobody in the level is called `{}`", held.thing)),
        }
    }

    /// Changes the level under the feet of those who play in it.
    pub(crate) fn rearrange(&mut self, folder: &Folder, edits: &[Edit]) -> Result<Frame, Refusal> {
        self.leave_recordings_alone()?;
        self.forget_later()?;
        let level = self.level();
        let Edited { text, notes } = scenario_text::edited(&level.text, edits)?;
        let scenario = level::parse(folder, &level.path, &text)?;
        if scenario.actors().len() != level.scenario.actors().len() {
            return Err("players come and go only before the game begins".into());
        }
        let path = level.path.clone();
        for edit in edits {
            if let Edit::Move { thing, .. } = edit {
                self.note_moved(thing);
            }
        }
        if let Lead::Cast(cast) = &mut self.actor {
            cast.rearrange(&scenario, &self.settings, &self.shown)?;
        }
        let read = ReadLevel {
            path,
            text,
            scenario,
            notes,
        };
        // Of all that was tried in one moment, the last counts.
        match &mut *self.levels {
            [_, .., (from, last)] if *from == self.at => *last = read,
            _ => self.levels.push((self.at, read)),
        }
        self.on_map = self.levels.len() - 1;
        self.note_mood();
        let mut frame = self.frame(&[]);
        frame.scene = Some(scene::scene_of(&self.level().scenario, &self.level().text));
        Ok(frame)
    }

    /// The moment that is shown.
    pub(crate) fn frame(&self, events: &[Event]) -> Frame {
        let scenario = &self.level().scenario;
        let world = self.world();
        let id = |thing: Thing| scenario.id_of(thing).to_owned();
        let doors = (0..scenario.doors().len() as u8).map(DoorId::new);
        let items = (0..scenario.items().len() as u8).map(ItemId::new);
        let levers = (0..scenario.levers().len() as u8).map(LeverId::new);
        let has_player = scene::has_player(scenario);
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
            goal_met: self.goal_is_met(),
            hour_is_up: self.hour_is_up(),
            mind: self.mind(),
            members: self.members(),
            errand: self.errand(),
            scene: None,
        }
    }

    /// Whether the character has done what it is to do: its tasks, if it has any.
    fn goal_is_met(&self) -> bool {
        match self.errand_of(AgentId::NPC) {
            Some(errand) => errand.state == "done",
            None => self.level_goal_is_met(),
        }
    }

    /// Whether the goal of the level is met; where its parts have an order, by all that was so far.
    fn level_goal_is_met(&self) -> bool {
        let scenario = &self.level().scenario;
        let mut goal = scenario.goal().clone();
        if goal.order().is_some() {
            for world in &self.worlds[..self.at] {
                let left = world.left_of(&goal, scenario.agent(), scenario);
                goal = left.unwrap_or(goal);
            }
        }
        goal.is_met(&self.world().seen_in(scenario))
    }

    /// What became of the tasks that are done, if any are, by the moment that is shown.
    fn errand(&self) -> Option<ShownErrand> {
        let moods = self.moods.get(self.at)?;
        let errand = moods.iter().find_map(|mood| mood.errand.as_deref());
        errand.cloned()
    }

    fn errand_of(&self, agent: AgentId) -> Option<&ShownErrand> {
        let (number, _) = self.member(agent)?;
        self.moods.get(self.at)?.get(number)?.errand.as_deref()
    }

    /// Somebody who decides, and its number among them.
    fn member(&self, agent: AgentId) -> Option<(usize, &Member)> {
        let Lead::Cast(cast) = &self.actor else {
            return None;
        };
        let mut members = cast.members().iter().enumerate();
        members.find(|(_, member)| member.agent == agent)
    }

    fn mind(&self) -> Option<Mind> {
        self.mind_of(AgentId::NPC)
    }

    fn mind_of(&self, agent: AgentId) -> Option<Mind> {
        let Lead::Cast(cast) = &self.actor else {
            return None;
        };
        let (number, member) = self.member(agent)?;
        let scenario = &self.level().scenario;
        let mood = self.moods.get(self.at)?.get(number)?;
        let is_of_then = cast.decided == self.at;
        let ahead = is_of_then.then(|| member.mind.ahead(scenario));
        let ahead: Vec<VerifiedStep> = (ahead.iter().flatten())
            .map(|step| VerifiedStep::of_plan(scenario, agent, step))
            .collect();
        let ahead = match &*ahead {
            [] => Vec::new(),
            [first, rest @ ..] => path_smoothing::drawn(scenario, first.place, rest),
        };
        Some(Mind {
            state: doing_word(mood.doing),
            plans: mood.plans,
            why: mood.why.as_deref().map(str::to_owned),
            ahead,
        })
    }

    /// All others who take orders, but for the player.
    fn members(&self) -> Vec<ShownMember> {
        let scenario = &self.level().scenario;
        let others = scene::others(scenario);
        let shown = others.map(|(agent, id)| ShownMember {
            id: id.to_owned(),
            actor: scene::actor(scenario, self.world(), agent),
            mind: self.mind_of(agent),
        });
        shown.collect()
    }
}

fn doing_word(doing: Doing) -> &'static str {
    match doing {
        Doing::Following => "following",
        Doing::Thinking => "thinking",
        Doing::Done => "done",
        Doing::Stuck => "stuck",
        Doing::Dead => "dead",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How often each level is gone back in.
    const REWINDS: usize = 100;

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

    /// A level that comes with the program, played with the demonstrations it names.
    fn shipped(name: &str) -> (Folder, Stage) {
        let folder = Folder::open(&std::env::temp_dir()).unwrap();
        let stage = begin(&folder, &format!("built-in:{name}"));
        (folder, stage)
    }

    /// Any level, likewise.
    fn begin(folder: &Folder, path: &str) -> Stage {
        let text = folder.read(path).unwrap();
        let scenario = level::parse(folder, path, &text).unwrap();
        let (lines, _) = demonstrations::own(folder, path, &scenario);
        let ask: PlayAsk = serde_json::from_value(serde_json::json!({
            "path": path,
            "text": text,
            "demonstrations": lines,
            "settings": { "planner": "" },
        }))
        .unwrap();
        Stage::open(folder, &ask).unwrap()
    }

    /// What anybody can see of a game, moment by moment.
    fn seen(stage: &Stage) -> Vec<(String, u32, &'static str)> {
        let moments = stage.worlds.iter().zip(&stage.moods);
        let seen = moments.map(|(world, moods)| {
            let world = format!("{:?}", world.digest());
            (world, moods[0].plans, doing_word(moods[0].doing))
        });
        seen.collect()
    }

    #[test]
    fn whoever_goes_back_sees_the_same_again() {
        let mut random = 11_u32;
        let mut any = |below: usize| {
            random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (random >> 8) as usize % below.max(1)
        };
        let scenarios = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenarios");
        let folder = Folder::open(std::path::Path::new(scenarios)).unwrap();
        let levels = folder.list("toml");
        assert!(levels.len() >= 18, "all shipped levels are there");
        for found in levels {
            let mut stage = begin(&folder, &found.path);
            go(&mut stage, 100).unwrap();
            let first = seen(&stage);
            for _ in 0..REWINDS {
                let moment = any(first.len());
                stage.seek(any(first.len()), false).unwrap();
                stage.seek(moment, any(2) == 0).unwrap();
                go(&mut stage, (first.len() - 1 - moment) as u32).unwrap();
                assert_eq!(seen(&stage), first, "{} from moment {moment}", found.path);
            }
        }
    }

    #[test]
    fn what_was_done_later_has_not_happened_for_whoever_goes_back() {
        let (folder, mut stage) = shipped("quest_key.toml");
        go(&mut stage, 30).unwrap();
        let first = seen(&stage);
        stage.seek(10, true).unwrap();
        let key = stage.level().scenario.items()[0].id.clone();
        let take = Disturb::Remove { thing: key.clone() };
        stage.disturb(&folder, &take).unwrap();
        go(&mut stage, 20).unwrap();
        assert_ne!(seen(&stage), first);
        stage.seek(5, false).unwrap();
        go(&mut stage, 25).unwrap();
        assert_eq!(seen(&stage), first);
        // The level goes back with the moments, too.
        stage.seek(12, true).unwrap();
        let text = stage.level().text.clone();
        let at = stage.level().scenario.items()[0].at;
        let edit = Edit::Move {
            thing: key,
            x: at.x + 1.0,
            y: at.y,
            height: None,
            heights: Vec::new(),
        };
        assert!(stage.rearrange(&folder, &[edit]).unwrap().scene.is_some());
        go(&mut stage, 20).unwrap();
        assert_ne!(stage.level().text, text);
        let back = stage.seek(11, true).unwrap();
        assert!(back.scene.is_some(), "the map shows the level of then");
        assert_eq!(stage.level().text, text);
        go(&mut stage, 19).unwrap();
        assert_eq!(seen(&stage), first);
    }

    #[test]
    fn an_enemy_that_is_put_down_lives_there_and_one_that_is_carried_does_not() {
        let (folder, mut stage) = shipped("bear_bypass.toml");
        go(&mut stage, 20).unwrap();
        let (home, at) = (stage.level().scenario.enemies()[0].home, (14.0, 29.0));
        let held = Held {
            thing: stage.level().scenario.enemies()[0].id.clone(),
            x: at.0,
            y: at.1,
            height: None,
        };
        let carried = stage
            .disturb(&folder, &Disturb::Move(held.clone()))
            .unwrap();
        assert!(carried.scene.is_none(), "nothing is drawn anew in a hand");
        assert_eq!(stage.level().scenario.enemies()[0].home, home);
        let down = stage.disturb(&folder, &Disturb::Settle(held)).unwrap();
        assert!(down.scene.is_some());
        assert_eq!((down.enemies[0].x, down.enemies[0].y), at);
        let new = stage.level().scenario.enemies()[0].home;
        assert_eq!((new.x, new.y), at);
        // Whoever is near is pursued, farther from its old home than it would go.
        let modes = (0..20).map(|_| go(&mut stage, 1).unwrap().enemies[0].mode);
        assert!(
            modes
                .into_iter()
                .any(|mode| ["pursue", "attack"].contains(&mode))
        );
        // A moment before it was put there is as it was.
        stage.seek(10, true).unwrap();
        assert_eq!(stage.level().scenario.enemies()[0].home, home);
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
        assert!(!stage.seek(20, true).unwrap().hour_is_up);
        assert_eq!(go(&mut stage, 1).unwrap().count, 22);
    }
}
