//! Prints what a crowd takes: 40, 500 and 2,000 characters with 50 goals in a dungeon of 64×64 cells in
//! which doors are locked, at 60 frames a second, with a budget in units and with one by the clock.
//! The clock is that of the processor, so that others on the machine make no difference.

use std::fmt::Write;
use std::time::Duration;

use apprentice_behavior::{Character, Crew, Doing, Settings};
use apprentice_search::Budget;
use apprentice_world::{
    Abilities, AgentId, DoorId, Goal, Observation, Orders, Point, Scenario, World,
};

const SIDE: usize = 64;
const GOALS: usize = 50;
const FRAME: Duration = Duration::from_nanos(16_666_667);
const SECONDS: u64 = 20;
const UNITS: u64 = 4_000;
const CLOCK: Duration = Duration::from_millis(2);
/// A door is locked or opened again every so many frames.
const EVERY: u64 = 30;

enum Limit {
    Units,
    Clock,
}

fn main() {
    let scenario = dungeon();
    println!(
        "{} doors, {GOALS} goals, {SECONDS} s",
        scenario.doors().len()
    );
    println!(
        "| characters | budget of a frame | worst frame ms | mean ms | longest wait s | plans | units | bytes a character |"
    );
    println!("|---|---|---|---|---|---|---|---|");
    for limit in [Limit::Units, Limit::Clock] {
        for count in [40, 500, 2_000] {
            crowd(&scenario, count, &limit);
        }
    }
}

fn crowd(scenario: &Scenario, count: usize, limit: &Limit) {
    let mut dice = Dice(7);
    let places: Vec<Point> = (0..SIDE * SIDE)
        .map(|number| Point::new((number % SIDE) as f64, (number / SIDE) as f64))
        .filter(|at| at.x as usize % 8 != 7 && at.y as usize % 8 != 7)
        .collect();
    let goals: Vec<Goal> = (0..GOALS)
        .map(|_| Goal::Within {
            at: places[dice.below(places.len())],
            height: None,
            radius: 0.0,
        })
        .collect();
    let planner = Settings::default()
        .check(scenario, [])
        .expect("they fit")
        .planner;
    let mut worlds = Vec::with_capacity(count);
    for _ in 0..count {
        let mut world = World::new(scenario);
        let at = places[dice.below(places.len())];
        world.observe(scenario, Observation::Move(AgentId::NPC, at, None));
        worlds.push(world);
    }
    let (mut worst, mut all, mut units) = (Duration::ZERO, Duration::ZERO, 0);
    let mut since: Vec<Option<u64>> = vec![None; count];
    let (mut longest, mut plans) = (0, 0);
    let mut crew: Option<Crew<Scenario>> = None;
    let frames = SECONDS * 60;
    let held = allocation_counter::measure(|| {
        let mut members = Crew::default();
        for number in 0..count {
            let mut character = Character::new(planner.clone(), Abilities::default());
            character.pursue(goals[number % GOALS].clone());
            members.add(character);
        }
        for frame in 0..frames {
            let began = of_this_thread();
            let mut budget = match limit {
                Limit::Units => Budget::units(UNITS),
                Limit::Clock => Budget::unlimited().until_by(&of_this_thread, began + CLOCK),
            };
            let thought = members.think(scenario, |id| &worlds[id.index()], &mut budget);
            let took = of_this_thread() - began;
            (worst, all, units) = (worst.max(took), all + took, units + thought.units);
            plans += thought.planned;
            for id in members.ids() {
                let world = &mut worlds[id.index()];
                let order = members.order(id, scenario, world).expect("a member");
                world.advance(scenario, &Orders::new(order), FRAME, &mut ());
                let doing = members.member(id).map(Character::doing);
                match doing {
                    Some(Doing::Thinking) => {
                        let since = since[id.index()].get_or_insert(frame);
                        longest = longest.max(frame - *since);
                    }
                    Some(Doing::Done) => {
                        since[id.index()] = None;
                        let goal = goals[dice.below(GOALS)].clone();
                        if let Some(character) = members.member_mut(id) {
                            character.pursue(goal);
                        }
                    }
                    _ => since[id.index()] = None,
                }
            }
            if frame % EVERY == 0 {
                let door = DoorId::new(dice.below(scenario.doors().len()) as u8);
                let is_open = worlds[0].is_open(door);
                for world in &mut worlds {
                    world.observe(
                        scenario,
                        if is_open {
                            Observation::Shut(door)
                        } else {
                            Observation::Open(door)
                        },
                    );
                }
            }
        }
        crew = Some(members);
    });
    let bytes = held.bytes_current / count as i64;
    let what = match limit {
        Limit::Units => format!("{UNITS} units"),
        Limit::Clock => format!("{} ms", CLOCK.as_millis()),
    };
    let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
    println!(
        "| {count} | {what} | {:.2} | {:.3} | {:.2} | {plans} | {units} | {bytes} |",
        milliseconds(worst),
        milliseconds(all) / frames as f64,
        longest as f64 / 60.0,
    );
}

/// Rooms of seven by seven cells with openings in the middle of every wall. Some have doors, which
/// begin open.
fn dungeon() -> Scenario {
    let mut doors = String::new();
    let mut number = 0;
    for (x, y) in (0..8).flat_map(|y| (0..7).map(move |x| (x, y))) {
        if (x + y) % 2 == 0 && number < 24 {
            let (x, y) = (x * 8 + 7, y * 8 + 3);
            let next = y + 1;
            let _ = writeln!(
                doors,
                "[[door]]\nid = 'd{number}'\nat = [[{x}, {y}], [{x}, {next}]]\nopen = true"
            );
            number += 1;
        }
    }
    let mut text = String::from(
        "format = 1\nstart = [1, 1]\ngoal = { within = { at = [60, 60], radius = 0.0 } }\n[map]\nrows = [\n",
    );
    for y in 0..SIDE {
        let row = (0..SIDE).map(|x| match (x % 8, y % 8) {
            (7, 3 | 4) | (3 | 4, 7) => '.',
            (7, _) | (_, 7) => '#',
            _ => '.',
        });
        let _ = writeln!(text, "'{}',", row.collect::<String>());
    }
    let text = format!("{text}]\n{doors}");
    Scenario::parse(&text).unwrap_or_else(|error| panic!("{error}"))
}

/// The processor time this thread has taken so far.
#[cfg(unix)]
fn of_this_thread() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
    Duration::new(seconds, u32::try_from(time.tv_nsec).unwrap_or(0))
}

/// The time that has passed: elsewhere nobody tells how much of it was this thread's.
#[cfg(not(unix))]
fn of_this_thread() -> Duration {
    static BEGINNING: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    BEGINNING.get_or_init(std::time::Instant::now).elapsed()
}

/// The same numbers on every machine.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % most as u64) as usize
    }
}
