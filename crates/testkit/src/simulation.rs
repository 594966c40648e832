//! A character lives through a game that one seed decides: the level, who else is about, how time is
//! cut, how much it may think, and what nobody planned for. Laws are held against it at every tick.

mod laws;
mod mischief;
mod second_opinion;

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use apprentice_behavior::{Character, Doing, Settings, WhyStuck};
use apprentice_search::Budget;
use apprentice_world::{Abilities, AgentId, Goal, Orders, Scenario, World};

use crate::dice::Dice;
use crate::ground::Ground;
use crate::processor_time;
use crate::stranger::{Company, Shown, Stranger};

use laws::Laws;
pub use laws::{Fault, Law};
use second_opinion::Opinion;

/// How much of a game is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// A quarter of a minute or so in a tiny level.
    Tiny,
    /// Half a minute or so in a small level.
    Short,
    /// Up to some minutes in any level.
    Full,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The goal was met.
    Reached,
    /// The character died.
    Died,
    /// It waits, and there really is no plan.
    Stuck,
    /// It waits and says that there may be a plan: none was found in time, or none stands its
    /// rehearsal.
    GaveUp,
    /// It waits because there is no plan, and nobody knows whether it is right.
    Unchecked,
    /// It was under way when a law was broken, or when its game had gone on for far too long.
    UnderWay,
}

impl Extent {
    /// All there are.
    pub const ALL: [Extent; 3] = [Extent::Tiny, Extent::Short, Extent::Full];

    /// The one of this name.
    pub fn named(name: &str) -> Option<Extent> {
        Extent::ALL.into_iter().find(|it| it.to_string() == name)
    }
}

impl Ending {
    /// All there are.
    pub const ALL: [Ending; 6] = [
        Ending::Reached,
        Ending::Died,
        Ending::Stuck,
        Ending::GaveUp,
        Ending::Unchecked,
        Ending::UnderWay,
    ];

    /// In a word, for files.
    pub fn word(self) -> &'static str {
        match self {
            Ending::Reached => "reached",
            Ending::Died => "died",
            Ending::Stuck => "stuck",
            Ending::GaveUp => "gave-up",
            Ending::Unchecked => "unchecked",
            Ending::UnderWay => "under-way",
        }
    }
}

impl fmt::Display for Extent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Extent::Tiny => "tiny",
            Extent::Short => "short",
            Extent::Full => "full",
        })
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Ending::Reached => "reached",
            Ending::Died => "died",
            Ending::Stuck => "stuck with a true reason",
            Ending::GaveUp => "gave up",
            Ending::Unchecked => "stuck, unchecked",
            Ending::UnderWay => "still under way",
        })
    }
}

/// A game that was played.
#[derive(Clone, Debug)]
pub struct Played {
    /// How it ended.
    pub ending: Ending,
    /// The laws that were broken.
    pub faults: Vec<Fault>,
    /// A number that sums up every tick.
    pub digest: u64,
    /// Units of budget that were taken.
    pub units: u64,
    /// What was played, in a few words.
    pub about: String,
    /// Processor time, by what it was taken for.
    pub took: Took,
}

/// Processor time of a game, by what it was taken for.
#[derive(Clone, Copy, Debug, Default)]
pub struct Took {
    /// For making the level and the character.
    pub making: Duration,
    /// For the decisions of the character.
    pub deciding: Duration,
    /// For the world to go on, mischief and laws.
    pub playing: Duration,
    /// For asking others whether a character that has given up is right.
    pub asking: Duration,
    /// For comparing plans with those of A*, and with those made in slices.
    pub comparing: Duration,
}

impl Took {
    /// Each part, with what it was taken for.
    pub fn parts(&self) -> [(&'static str, Duration); 5] {
        [
            ("making levels", self.making),
            ("deciding", self.deciding),
            ("the world and laws", self.playing),
            ("second opinions", self.asking),
            ("comparing plans", self.comparing),
        ]
    }

    /// The parts in this order.
    pub fn from_parts(parts: [Duration; 5]) -> Took {
        let [making, deciding, playing, asking, comparing] = parts;
        Took {
            making,
            deciding,
            playing,
            asking,
            comparing,
        }
    }

    /// All of it.
    pub fn total(&self) -> Duration {
        self.parts().into_iter().map(|(_, took)| took).sum()
    }
}

/// Plays the game of a seed. A panic is a broken law like any other.
pub fn play(seed: u64, extent: Extent) -> Played {
    let began = processor_time::of_this_thread();
    let played = catch_unwind(AssertUnwindSafe(|| {
        let mut game = Game::new(seed, extent);
        game.took.making = processor_time::of_this_thread().saturating_sub(began);
        game.play();
        game.end(began)
    }));
    let mut played = played.unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().cloned();
        let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
        let what = text.unwrap_or_default();
        Played {
            ending: Ending::UnderWay,
            faults: vec![Fault::new(Law::Panic, Duration::ZERO, what)],
            digest: 0,
            units: 0,
            about: String::new(),
            took: Took::default(),
        }
    });
    let played_until = processor_time::of_this_thread();
    if extent != Extent::Full || seed.is_multiple_of(4) {
        let faults = catch_unwind(|| second_opinion::about_plans(&level(seed, extent)));
        match faults {
            Ok(faults) => played.faults.extend(faults),
            Err(_) => {
                let what = "while planning".to_owned();
                let fault = Fault::new(Law::Panic, Duration::ZERO, what);
                played.faults.push(fault);
            }
        }
    }
    played.took.comparing = processor_time::of_this_thread().saturating_sub(played_until);
    played
}

/// What a character may think in a frame.
#[derive(Clone, Copy, Debug)]
pub enum FrameBudget {
    /// So many units.
    Units(u64),
    /// So much time.
    Time(Duration),
}

/// Plays games at sixty frames a second, one seed after the other, with mischief all the time. Returns
/// the processor time that deciding took in each frame.
pub fn frames(first_seed: u64, count: usize, allowed: FrameBudget) -> Vec<Duration> {
    let mut took = Vec::with_capacity(count);
    for seed in first_seed.. {
        if took.len() >= count {
            break;
        }
        let mut game = Game::new(seed, Extent::Full);
        game.mischief_every = Some(2_000);
        game.calm_from = Duration::MAX;
        while took.len() < count && game.world.time() < Duration::from_secs(60) {
            game.do_mischief();
            let began = processor_time::of_this_thread();
            let mut budget = match allowed {
                FrameBudget::Units(units) => Budget::units(units),
                FrameBudget::Time(time) => Budget::unlimited().until(Instant::now() + time),
            };
            let order = (game.character).decide(&game.scenario, &game.world, &mut budget);
            took.push(processor_time::of_this_thread().saturating_sub(began));
            if matches!(game.character.doing(), Doing::Dead) {
                break;
            }
            let (orders, frame) = (Orders::new(order), Duration::from_nanos(16_666_667));
            game.world.advance(&game.scenario, &orders, frame, &mut ());
        }
    }
    took
}

/// How time is cut.
#[derive(Clone, Copy, Debug)]
enum Ticks {
    /// All alike, in milliseconds.
    Fixed(usize),
    /// As it comes, up to this.
    Jittering(usize),
}

/// How much it may think at each tick, in units.
#[derive(Clone, Copy, Debug)]
enum Allowance {
    Fixed(usize),
    /// As it comes, from nothing to this.
    Varying(usize),
}

/// A game that is being played.
struct Game {
    extent: Extent,
    level: Stranger,
    /// The level, or one that was saved midway and read again.
    scenario: Scenario,
    /// Everywhere one can be put.
    places: Vec<usize>,
    world: World,
    goal: Goal,
    character: Character<Scenario>,
    dice: Dice,
    ticks: Ticks,
    allowance: Allowance,
    /// When the game is over for whoever waits. Whoever is under way then plays on until it is not.
    until: Duration,
    /// From when on nobody does mischief any more, and so everything comes to its end.
    calm_from: Duration,
    /// When mischief is done next.
    next_mischief: Duration,
    /// Milliseconds between two, on average; none if there is none.
    mischief_every: Option<usize>,
    laws: Laws,
    units: u64,
    /// Units that were taken but for overtime.
    thoughts: u64,
    digest: u64,
    took: Took,
}

/// Characters give up sooner than this where others move.
const EXPANSIONS_OF_A_PROOF: u64 = 40_000;
/// Nobody is under way for so long: a game that takes longer is cut short.
const LONGEST_GAME: Duration = Duration::from_secs(1_800);
/// After so many freezes that could have been thought through a game is over for whoever waits, so
/// that many games can be played.
const MANY_THOUGHTS: u64 = 2;
/// And after so many for anybody.
const MOST_THOUGHTS: u64 = 20;

/// The level of a seed.
fn level(seed: u64, extent: Extent) -> Stranger {
    let mut dice = Dice::new(seed, "simulation");
    let shown = *dice.one_of(&[Shown::Nothing, Shown::Something]);
    let company = *dice.one_of(&Company::ALL);
    match extent {
        Extent::Tiny => Stranger::tiny(seed, shown, company),
        Extent::Full if !dice.percent(60) => Stranger::new(seed, shown, company),
        Extent::Short | Extent::Full => Stranger::small(seed, shown, company),
    }
}

impl Game {
    fn new(seed: u64, extent: Extent) -> Game {
        let level = level(seed, extent);
        let mut dice = Dice::new(seed, "game");
        let ticks = if dice.percent(60) {
            Ticks::Fixed(*dice.one_of(&[1, 8, 16, 16, 16, 33, 50, 100]))
        } else {
            Ticks::Jittering(*dice.one_of(&[20, 50, 100]))
        };
        let most = *dice.one_of(&[5, 20, 50, 200, 500, 1_000, 2_000]);
        let allowance = if dice.percent(60) {
            Allowance::Fixed(most)
        } else {
            Allowance::Varying(most)
        };
        let seconds = match (extent, ticks) {
            (Extent::Tiny, _) => dice.between(10, 25),
            (Extent::Short, _) | (_, Ticks::Fixed(1)) => dice.between(20, 40),
            (Extent::Full, _) => dice.between(60, 240),
        };
        let until = Duration::from_secs(seconds as u64);
        let mischief_every = dice.percent(70).then(|| dice.between(500, 15_000));
        let scenario = level.scenario.clone();
        let world = World::new(&scenario);
        Game {
            extent,
            places: Ground::new(scenario.map()).places,
            goal: scenario.goal().clone(),
            character: character(&level, &scenario),
            laws: Laws::new(&scenario, &world),
            scenario,
            world,
            level,
            dice,
            ticks,
            allowance,
            until,
            calm_from: until.mul_f64(0.4),
            next_mischief: Duration::ZERO,
            mischief_every,
            units: 0,
            thoughts: 0,
            digest: 0,
            took: Took::default(),
        }
    }

    /// Whether the game need not go on.
    fn is_over(&self) -> bool {
        let thoughts = self.thoughts / laws::units_of_a_freeze(&self.scenario);
        let is_late = self.world.time() >= self.until || thoughts >= MANY_THOUGHTS;
        let is_far_too_late = self.world.time() >= LONGEST_GAME || thoughts >= MOST_THOUGHTS;
        let waits =
            self.character.doing() == Doing::Stuck && !self.world.is_under_way(AgentId::NPC);
        self.laws.is_over() || is_far_too_late || is_late && waits
    }

    fn play(&mut self) {
        while !self.is_over() {
            self.do_mischief();
            let most = match self.allowance {
                Allowance::Fixed(units) => units,
                Allowance::Varying(units) => self.dice.between(0, units),
            };
            let mut budget = Budget::units(most as u64);
            let began = processor_time::of_this_thread();
            let order = self
                .character
                .decide(&self.scenario, &self.world, &mut budget);
            self.took.deciding += processor_time::of_this_thread().saturating_sub(began);
            self.units += budget.taken();
            self.thoughts += budget.taken() - budget.overtime();
            self.laws.decided(
                &self.scenario,
                &self.world,
                &self.goal,
                &self.character,
                order,
                [budget.taken(), budget.overtime(), most as u64],
            );
            if self
                .laws
                .wants_a_second_opinion(&self.character, &self.world)
            {
                self.ask_around();
            }
            let is_calm = self.mischief_every.is_none() || self.world.time() >= self.calm_from;
            match self.character.doing() {
                Doing::Dead => return,
                Doing::Done if is_calm => return,
                _ => {}
            }
            let tick = self.tick();
            let orders = Orders::new(order);
            self.world.advance(&self.scenario, &orders, tick, &mut ());
            self.laws.advanced(&self.scenario, &self.world);
            self.digest = (self.digest ^ self.world.digest())
                .rotate_left(7)
                .wrapping_mul(0x9E37_79B9_7F4A_7C15);
        }
    }

    fn tick(&mut self) -> Duration {
        let milliseconds = match self.ticks {
            Ticks::Fixed(milliseconds) => milliseconds,
            Ticks::Jittering(most) => self.dice.between(1, most),
        };
        Duration::from_millis(milliseconds as u64)
    }

    /// The ticks of this game, or some that are like them.
    fn usual_tick(&self) -> Duration {
        let (Ticks::Fixed(tick) | Ticks::Jittering(tick)) = self.ticks;
        Duration::from_millis(tick as u64)
    }

    /// Asks others whether a character that has given up is right.
    fn ask_around(&mut self) -> Opinion {
        self.ask_at_length(match self.extent {
            Extent::Tiny | Extent::Short => 4_000,
            Extent::Full => 12_000,
        })
    }

    fn ask_at_length(&mut self, expansions: u64) -> Opinion {
        let tick = self.usual_tick();
        let began = processor_time::of_this_thread();
        let opinion = second_opinion::about_giving_up(
            &self.scenario,
            &self.world,
            &self.goal,
            tick,
            expansions,
        );
        self.took.asking += processor_time::of_this_thread().saturating_sub(began);
        if let Opinion::Disagrees(why) = &opinion {
            self.laws
                .broken(Law::StuckFalsely, self.world.time(), why.clone());
        }
        opinion
    }

    fn end(mut self, began: Duration) -> Played {
        let ending = match self.character.doing() {
            Doing::Done => Ending::Reached,
            Doing::Dead => Ending::Died,
            Doing::Stuck if !self.laws.is_over() && !self.world.is_under_way(AgentId::NPC) => {
                // Who says that there is no plan has proven it, so that others can, too.
                let is_sure = self.character.why_stuck() == Some(&WhyStuck::NoPlan);
                let opinion = match self.ask_around() {
                    Opinion::Unknown if is_sure => self.ask_at_length(EXPANSIONS_OF_A_PROOF),
                    opinion => opinion,
                };
                match opinion {
                    Opinion::Agrees => Ending::Stuck,
                    _ if is_sure => Ending::Unchecked,
                    _ => Ending::GaveUp,
                }
            }
            _ => Ending::UnderWay,
        };
        let about = format!(
            "{}, {} enemies, {} keys, {} doors, player {}, ticks {:?}, units {:?}, mischief {:?}",
            self.level.terrain,
            self.level.enemies,
            self.level.keys,
            self.level.doors,
            self.level.company,
            self.ticks,
            self.allowance,
            self.mischief_every
        );
        let about = match ending {
            Ending::UnderWay => format!(
                "{about}, {:?} after {:.0} s and {} units",
                self.character.doing(),
                self.world.time().as_secs_f64(),
                self.units
            ),
            _ => about,
        };
        let took = processor_time::of_this_thread().saturating_sub(began);
        self.took.playing = took.saturating_sub(self.took.total());
        Played {
            took: self.took,
            ending,
            faults: self.laws.into_faults(),
            digest: self.digest,
            units: self.units,
            about,
        }
    }
}

/// A character that thinks with `auto`, as games have it unless they ask for something else.
fn character(level: &Stranger, scenario: &Scenario) -> Character<Scenario> {
    let checked = Settings::default().check(scenario, level.demonstrations.clone());
    let planner = checked.unwrap_or_else(|error| panic!("{error}")).planner;
    Character::new(planner, Abilities::default())
}
