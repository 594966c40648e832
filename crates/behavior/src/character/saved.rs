//! Characters as they are saved: what they do, know and expect, and what it takes to think on.

use std::fmt;
use std::time::Duration;

use apprentice_game::{Live, Savable};
use apprentice_search::saved::{LoadError, Version, unsound};
use apprentice_search::{Budget, Cost};
use serde::{Deserialize, Serialize};

use super::options::Anew;
use super::{Character, Doing, Patience, TIMES_IN_HASTE};
use crate::check::{Check, Terms};
use crate::eyes::Eyes;
use crate::pace::Pace;
use crate::plan::saved::{SavedPlan, SavedWays, check_duration};
use crate::record::{Replayed, SavedRecord, check_margin_level};
use crate::replanning::{Found, RehearsalFailure, Replanning};
use crate::stuck::Stuck;
use crate::tried::Tried;
use crate::{Deviation, Planner};

/// A character as it is saved, with its plan, and with its thoughts in the middle of them: plain data
/// for `serde`, in any format. Loaded in another process it gives the same orders, with the same
/// budgets, as the one that was saved.
///
/// A search is saved as what it began with and the units it was given, together with all searches before
/// it that made something ready; the [`load`](SavedCharacter::load) repeats them. That is work of
/// the load: what a character spends afterwards is what it would have spent. As long as a character
/// thinks for itself, and has not [forgotten](Character::forget), each plan adds a few hundred bytes to
/// its saves, and to what it keeps. Whoever saves often lets its characters forget now and then.
///
/// The level, the planner and who the character is are not in it: they are named by numbers, and whoever
/// loads it brings them along ([`Cast`]).
///
/// ```
/// use std::time::Duration;
/// use apprentice_behavior::{Cast, Character, Doing, SavedCharacter, Settings};
/// use apprentice_search::Budget;
/// use apprentice_world::{Abilities, Orders, Performer, SavedWorld, Scenario, World};
///
/// let scenario = Scenario::parse(r#"
///     format = 1
///     start = [0, 0]
///     goal = { within = { at = [4, 0], radius = 0.0 } }
///     map = { rows = ["....."] }
/// "#)?;
/// let planner = Settings::default().check(&scenario, [])?.planner;
/// let who = Performer::from(Abilities::default());
/// let mut character = Character::new(planner.clone(), who.clone());
/// let mut world = World::new(&scenario);
/// // A unit in every frame: it will still be thinking.
/// for _ in 0..3 {
///     let order = character.decide(&scenario, &world, &mut Budget::units(1));
///     world.advance(&scenario, &Orders::new(order), Duration::from_millis(100), &mut ());
/// }
/// assert_eq!(character.doing(), Doing::Thinking);
/// let text = serde_json::to_string(&(world.save(&scenario), character.save(&scenario)?))?;
///
/// // In another process:
/// let (saved_world, saved): (SavedWorld, SavedCharacter<Scenario>) = serde_json::from_str(&text)?;
/// let mut other_world = saved_world.load(&scenario)?;
/// let cast = Cast { planners: &[planner], who: &[who] };
/// let mut other = saved.load(&scenario, &cast, &mut Budget::unlimited())?;
/// while character.doing() != Doing::Done {
///     let order = character.decide(&scenario, &world, &mut Budget::units(1));
///     assert_eq!(other.decide(&scenario, &other_world, &mut Budget::units(1)), order);
///     for world in [&mut world, &mut other_world] {
///         world.advance(&scenario, &Orders::new(order), Duration::from_millis(100), &mut ());
///     }
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Serialize, Deserialize)]
#[serde(bound = "L: Savable")]
pub struct SavedCharacter<L: Savable> {
    version: Version<1>,
    level: u64,
    all: Together<L>,
}

/// Characters that share what is [prepared](crate::Prepared), as they are saved: see
/// [`SavedCharacter`]. Who pays for what depends on all of them, so they are saved together.
///
/// ```
/// # use apprentice_behavior::{Cast, Character, Prepared, SavedCharacters, Settings};
/// # use apprentice_search::Budget;
/// # use apprentice_world::{Abilities, Performer, Scenario, World};
/// # let scenario = Scenario::parse("format = 1\nstart = [0, 0]\ngoal = { within = { at = [2, 0], radius = 0.0 } }\nmap = { rows = ['...'] }")?;
/// # let world = World::new(&scenario);
/// # let planner = Settings::default().check(&scenario, [])?.planner;
/// let (prepared, who) = (Prepared::default(), Performer::from(Abilities::default()));
/// let mut both = [(); 2].map(|()| Character::new(planner.clone(), who.clone()).sharing(&prepared));
/// both[0].decide(&scenario, &world, &mut Budget::units(3));
/// let saved = SavedCharacters::save(&both, &scenario)?;
///
/// let cast = Cast { planners: &[planner], who: &[who] };
/// let loaded = saved.load(&scenario, &cast, &mut Budget::unlimited())?;
/// assert_eq!(loaded.len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Serialize, Deserialize)]
#[serde(bound = "L: Savable")]
pub struct SavedCharacters<L: Savable> {
    version: Version<1>,
    level: u64,
    all: Together<L>,
}

/// What a save only names, and whoever loads it brings along: everything that was in use since the
/// characters were made, or have [forgotten](Character::forget). More does no harm.
///
/// ```
/// use apprentice_behavior::{Cast, Settings};
/// use apprentice_world::{Abilities, Scenario};
///
/// # let scenario = Scenario::parse("format = 1\nstart = [0, 0]\ngoal = { all = [] }\nmap = { rows = ['.'] }")?;
/// let planner = Settings::default().check(&scenario, [])?.planner;
/// let cast: Cast<'_, Scenario> = Cast { planners: &[planner], who: &[Abilities::default().into()] };
/// # let _ = cast;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Cast<'a, L: Live> {
    /// The planners, made again of the same settings and demonstrations.
    pub planners: &'a [Planner],
    /// Who characters are, and what they can do.
    pub who: &'a [L::Who],
}

impl<'a, L: Savable> Cast<'a, L> {
    pub(crate) fn planner(&self, digest: u64) -> Result<&'a Planner, LoadError> {
        let mut planners = self.planners.iter();
        let found = planners.find(|planner| planner.digest() == digest);
        found.ok_or(LoadError::Missing {
            what: "planner",
            digest,
        })
    }

    pub(crate) fn who(&self, level: &L, digest: u64) -> Result<&'a L::Who, LoadError> {
        let found = self.who.iter().find(|who| level.digest_of(who) == digest);
        found.ok_or(LoadError::Missing {
            what: "character",
            digest,
        })
    }
}

/// Why a character cannot be saved.
///
/// ```
/// use apprentice_behavior::SaveError;
///
/// assert!(SaveError::Shares { others: 2 }.to_string().contains("`SavedCharacters`"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SaveError {
    /// It shares what is prepared with others, who are not saved with it.
    Shares {
        /// How many.
        others: u32,
    },
    /// Those who are to be saved together do not share what is prepared.
    Apart,
    /// It is in the middle of a thought about a level that is no more.
    LevelChanged,
}

impl fmt::Display for SaveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SaveError::Shares { others } => write!(
                f,
                "what is prepared is shared with {others} more; save all of them together, by \
                 `SavedCharacters` or as a `Crew`"
            ),
            SaveError::Apart => {
                f.write_str("these characters do not share what is prepared; save each by itself")
            }
            SaveError::LevelChanged => f.write_str(
                "the level is not the one that is thought about; say `level_changed` before saving",
            ),
        }
    }
}

impl std::error::Error for SaveError {}

impl<L: Savable> Character<L> {
    /// This character, to be written down: with its plan, and with its thoughts in the middle of them.
    /// It goes on as if nobody had asked.
    ///
    /// # Errors
    ///
    /// If it shares what is [prepared](crate::Prepared) with others, or if the level is not the one it
    /// thinks about.
    pub fn save(&self, level: &L) -> Result<SavedCharacter<L>, SaveError> {
        Ok(SavedCharacter {
            version: Version,
            level: level.digest(),
            all: Together::save(level, [self])?,
        })
    }
}

impl<L: Savable> SavedCharacter<L> {
    /// The character that was saved, in the level as it was. What it takes of the budget is to think
    /// again what was being thought: [`units`](SavedCharacter::units) in all.
    ///
    /// # Errors
    ///
    /// If it is of another level, if a planner or who it is was not brought along, if it makes no sense,
    /// or if the budget is spent.
    pub fn load(
        self,
        level: &L,
        cast: &Cast<'_, L>,
        budget: &mut Budget<'_>,
    ) -> Result<Character<L>, LoadError> {
        check_level(level, self.level)?;
        let (_, mut characters) = self.all.load(level, cast, budget)?;
        match (characters.pop(), characters.is_empty()) {
            (Some(character), true) => Ok(character),
            _ => Err(unsound("it should be one character")),
        }
    }

    /// How many units of budget it takes to load it.
    pub fn units(&self) -> u64 {
        self.all.units()
    }
}

impl<L: Savable> SavedCharacters<L> {
    /// Characters that share what is prepared, to be written down.
    ///
    /// # Errors
    ///
    /// If they do not, or others do, too, or if the level is not the one they think about.
    pub fn save(characters: &[Character<L>], level: &L) -> Result<SavedCharacters<L>, SaveError> {
        Ok(SavedCharacters {
            version: Version,
            level: level.digest(),
            all: Together::save(level, characters)?,
        })
    }

    /// The characters that were saved: see [`SavedCharacter::load`].
    ///
    /// # Errors
    ///
    /// As there.
    pub fn load(
        self,
        level: &L,
        cast: &Cast<'_, L>,
        budget: &mut Budget<'_>,
    ) -> Result<Vec<Character<L>>, LoadError> {
        check_level(level, self.level)?;
        let (_, characters) = self.all.load(level, cast, budget)?;
        Ok(characters)
    }

    /// How many units of budget it takes to load them.
    pub fn units(&self) -> u64 {
        self.all.units()
    }
}

pub(crate) fn check_level<L: Savable>(level: &L, saved: u64) -> Result<(), LoadError> {
    let given = level.digest();
    match saved == given {
        true => Ok(()),
        false => Err(LoadError::AnotherLevel { saved, given }),
    }
}

/// Characters and what they share.
#[derive(Serialize, Deserialize)]
#[serde(bound = "L: Savable")]
pub(crate) struct Together<L: Savable> {
    record: Option<SavedRecord<L>>,
    ways: SavedWays<L>,
    minds: Vec<Mind<L>>,
}

impl<L: Savable> Together<L> {
    pub(crate) fn save<'a>(
        level: &L,
        characters: impl IntoIterator<Item = &'a Character<L>>,
    ) -> Result<Together<L>, SaveError> {
        let characters: Vec<&Character<L>> = characters.into_iter().collect();
        let mut together = Together {
            record: None,
            ways: SavedWays::default(),
            minds: Vec::new(),
        };
        let Some(first) = characters.first() else {
            return Ok(together);
        };
        let noting = first.searches.noting();
        if !(characters.iter()).all(|it| it.searches.noting().is_with(noting)) {
            return Err(SaveError::Apart);
        }
        let all = noting.others() + 1;
        if all as usize != characters.len() {
            let others = all.saturating_sub(characters.len() as u32);
            return Err(SaveError::Shares { others });
        }
        let (record, elsewhere) = noting.save(level);
        for character in characters {
            let is_lost = elsewhere.contains(&character.searches.noting().number());
            if is_lost && character.replanning.is_some() && character.news.is_none() {
                return Err(SaveError::LevelChanged);
            }
            together
                .minds
                .push(Mind::of(level, character, &mut together.ways));
        }
        together.record = Some(record);
        Ok(together)
    }

    pub(crate) fn load(
        self,
        level: &L,
        cast: &Cast<'_, L>,
        budget: &mut Budget<'_>,
    ) -> Result<(Option<crate::Prepared>, Vec<Character<L>>), LoadError> {
        self.ways.check(level)?;
        let Some(record) = self.record else {
            return match self.minds.is_empty() {
                true => Ok((None, Vec::new())),
                false => Err(unsound("nobody knows what was done before")),
            };
        };
        let mut replayed = record.replay(level, cast, budget)?;
        let ways = &self.ways;
        let minds = self.minds.into_iter();
        let characters: Result<Vec<Character<L>>, LoadError> = minds
            .map(|mind| mind.load(level, cast, ways, &mut replayed, budget))
            .collect();
        Ok((Some(replayed.prepared), characters?))
    }

    pub(crate) fn units(&self) -> u64 {
        let record = self.record.as_ref().map_or(0, SavedRecord::units);
        let minds = self.minds.iter().map(Mind::units);
        minds.fold(record, u64::saturating_add)
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.minds.len()
    }
}

/// What a character does, knows and expects.
#[derive(Serialize, Deserialize)]
#[serde(bound = "L: Savable")]
struct Mind<L: Savable> {
    /// Its number among those who share what is prepared.
    number: u32,
    planner: u64,
    who: u64,
    goal: Option<L::Goal>,
    left: Option<L::Goal>,
    plan: Option<SavedPlan>,
    replanning: Option<SavedReplanning<L>>,
    doing: Doing,
    deviation: Option<Deviation>,
    check: Option<SavedCheck<L>>,
    stuck: Option<Stuck<L>>,
    times_stuck: u32,
    pace: Pace,
    patience: Patience,
    last: Option<(L::Order, L::World)>,
    observed: Option<L::World>,
    is_up_to_date: bool,
    in_haste: u32,
    news: Option<Deviation>,
    plans: u32,
    rehearsal_failure: Option<L::Failure>,
    undone: Option<Cost>,
    margin_level: u32,
    tick: Duration,
    anew: Option<Anew>,
}

/// A plan that is being made, without the search for it.
#[derive(Serialize, Deserialize)]
#[serde(bound = "L: Savable")]
struct SavedReplanning<L: Savable> {
    began: L::World,
    from: L::World,
    lead: Option<SavedPlan>,
    kept: Option<SavedPlan>,
    margin_level: u32,
    tried: u32,
    found: Option<SavedFound<L>>,
    fallback: Option<SavedFound<L>>,
    is_last: bool,
    patience: u64,
    in_vain: u64,
    /// How many states the search has expanded, to see that it is the same.
    expanded: u64,
}

/// A plan that was found, and how far its rehearsal has come.
#[derive(Serialize, Deserialize)]
#[serde(bound = "L: Savable")]
struct SavedFound<L: Savable> {
    start: L::World,
    way: u32,
    margin_level: u32,
    /// The units that were spent on it, if it is not over.
    rehearsal: Option<u64>,
    tick: Duration,
    failure: Option<RehearsalFailure<L>>,
}

/// A look at what is left of a plan, and how far it has come.
#[derive(Serialize, Deserialize)]
#[serde(bound = "L: Savable")]
struct SavedCheck<L: Savable> {
    terms: Terms<L>,
    spent: (Option<u64>, u64),
}

impl<L: Savable> Mind<L> {
    fn of(level: &L, character: &Character<L>, ways: &mut SavedWays<L>) -> Mind<L> {
        let replanning = character.replanning.as_deref();
        // Whoever was told something new drops its thoughts at the next look, and goes on with what it
        // did meanwhile.
        let is_doomed = character.news.is_some();
        let lead = replanning.and_then(|replanning| replanning.lead.as_ref());
        let plan = character.plan.as_ref().or(lead.filter(|_| is_doomed));
        let replanning = replanning.filter(|_| !is_doomed);
        let check = character.check.as_ref().filter(|_| !is_doomed);
        Mind {
            number: character.searches.noting().number(),
            planner: character.planner.digest(),
            who: level.digest_of(&character.who),
            goal: character.goal.clone(),
            left: character.left.clone(),
            plan: plan.map(|plan| ways.save(plan)),
            replanning: replanning.map(|it| SavedReplanning::of(it, character, ways)),
            doing: character.doing,
            deviation: character.deviation,
            check: check.map(|check| SavedCheck {
                terms: check.terms.copied(),
                spent: check.spent(),
            }),
            stuck: character.stuck.as_ref().map(Stuck::copied),
            times_stuck: character.times_stuck,
            pace: character.pace.clone(),
            patience: character.patience,
            last: character.last.clone(),
            observed: character.observed.clone(),
            is_up_to_date: character.is_up_to_date,
            in_haste: character.in_haste,
            news: character.news,
            plans: character.plans,
            rehearsal_failure: character.rehearsal_failure.clone(),
            undone: character.undone,
            margin_level: character.margin_level as u32,
            tick: character.tick,
            anew: character.anew,
        }
    }

    fn units(&self) -> u64 {
        let replanning = self.replanning.as_ref();
        let found = replanning.map(|it| [&it.found, &it.fallback]);
        let found = found.into_iter().flatten().flatten();
        let found = found.filter_map(|found| found.rehearsal);
        let check = self.check.as_ref().map_or((None, 0), |check| check.spent);
        let check = [check.0.unwrap_or(0), check.1];
        found.chain(check).fold(0, u64::saturating_add)
    }

    fn load(
        self,
        level: &L,
        cast: &Cast<'_, L>,
        ways: &SavedWays<L>,
        replayed: &mut Replayed<L>,
        budget: &mut Budget<'_>,
    ) -> Result<Character<L>, LoadError> {
        let check = |world: &L::World| level.check(world).map_err(unsound);
        self.last
            .as_ref()
            .map_or(Ok(()), |(_, world)| check(world))?;
        self.observed.as_ref().map_or(Ok(()), check)?;
        if let Some(stuck) = &self.stuck {
            check(&stuck.world)?;
            stuck.check()?;
        }
        self.pace.check()?;
        check_duration(self.tick)?;
        if let Some(anew) = self.anew {
            check_duration(anew.every)?;
            check_duration(anew.last)?;
        }
        if self.tick < super::LEAST_TICK || self.in_haste > TIMES_IN_HASTE {
            return Err(unsound("a character is in too much of a hurry"));
        }
        if self.times_stuck.max(self.plans) > MOST_TIMES {
            return Err(unsound(
                "a character has made more plans than anybody could",
            ));
        }
        let mut character = Character::new(
            cast.planner(self.planner)?.clone(),
            cast.who(level, self.who)?.clone(),
        );
        character.searches = replayed.take(self.number)?;
        character.goal = self.goal;
        character.left = self.left;
        character.plan = self.plan.map(|plan| ways.load(&plan)).transpose()?;
        character.doing = self.doing;
        character.deviation = self.deviation;
        character.stuck = self.stuck;
        character.times_stuck = self.times_stuck;
        character.pace = self.pace;
        character.patience = self.patience;
        character.last = self.last;
        character.observed = self.observed;
        character.is_up_to_date = self.is_up_to_date;
        character.in_haste = self.in_haste;
        character.news = self.news;
        character.plans = self.plans;
        character.rehearsal_failure = self.rehearsal_failure;
        character.undone = self.undone;
        character.margin_level = check_margin_level(level, self.margin_level as usize)?;
        character.tick = self.tick;
        character.anew = self.anew;
        let who = character.who.clone();
        let eyes = Eyes { level, who: &who };
        let goal = character.goal(eyes).clone();
        if let Some(saved) = self.check {
            let Some(plan) = &character.plan else {
                return Err(unsound("somebody looks over a plan that it does not have"));
            };
            let terms = saved.terms;
            check(&terms.start)?;
            check_tick(terms.tick)?;
            // While a plan is looked over, enemies are taken to be as they were in it.
            let margin_level = character.margin_level;
            let quest = level.quest(eyes.who, &terms.start, &goal, margin_level);
            let mut check = Check::new(terms, plan, &quest, eyes);
            check.repeat(eyes, &goal, saved.spent, budget)?;
            character.check = Some(check);
        }
        if let Some(saved) = self.replanning {
            let replanning = saved.load(eyes, &goal, ways, &character, budget)?;
            character.replanning = Some(Box::new(replanning));
        }
        Ok(character)
    }
}

/// Nobody does anything more often.
const MOST_TIMES: u32 = 1 << 30;

impl<L: Savable> SavedReplanning<L> {
    fn of(
        replanning: &Replanning<L>,
        character: &Character<L>,
        ways: &mut SavedWays<L>,
    ) -> SavedReplanning<L> {
        let mut found = |found: &Found<L>| SavedFound {
            start: found.start.clone(),
            way: ways.number(&found.way),
            margin_level: found.margin_level as u32,
            rehearsal: found.rehearsal.as_ref().map(|tried| tried.units),
            tick: found.tick,
            failure: found.failure.as_ref().map(RehearsalFailure::copied),
        };
        SavedReplanning {
            began: replanning.began.clone(),
            from: replanning.from.clone(),
            margin_level: replanning.margin_level as u32,
            tried: replanning.tried,
            found: replanning.found.as_ref().map(&mut found),
            fallback: replanning.fallback.as_ref().map(&mut found),
            is_last: replanning.is_last,
            patience: replanning.patience,
            in_vain: replanning.in_vain,
            expanded: character.searches.expanded(&replanning.quest),
            lead: replanning.lead.as_ref().map(|lead| ways.save(lead)),
            kept: replanning.kept.as_ref().map(|kept| ways.save(kept)),
        }
    }

    fn load(
        self,
        eyes: Eyes<'_, L>,
        goal: &L::Goal,
        ways: &SavedWays<L>,
        character: &Character<L>,
        budget: &mut Budget<'_>,
    ) -> Result<Replanning<L>, LoadError> {
        let level = eyes.level;
        level.check(&self.began).map_err(unsound)?;
        level.check(&self.from).map_err(unsound)?;
        let margin_level = check_margin_level(level, self.margin_level as usize)?;
        let quest = level.quest(eyes.who, &self.from, goal, margin_level);
        if character.searches.expanded(&quest) != self.expanded {
            return Err(LoadError::Otherwise { what: "a search" });
        }
        let mut found = |found: Option<SavedFound<L>>| {
            let found = found.map(|found| found.load(eyes, goal, ways, budget));
            found.transpose()
        };
        Ok(Replanning {
            lead: self.lead.map(|lead| ways.load(&lead)).transpose()?,
            kept: self.kept.map(|kept| ways.load(&kept)).transpose()?,
            quest,
            margin_level,
            tried: self.tried,
            found: found(self.found)?,
            fallback: found(self.fallback)?,
            is_last: self.is_last,
            patience: self.patience,
            in_vain: self.in_vain.min(u64::MAX / 2),
            began: self.began,
            from: self.from,
        })
    }
}

impl<L: Savable> SavedFound<L> {
    fn load(
        self,
        eyes: Eyes<'_, L>,
        goal: &L::Goal,
        ways: &SavedWays<L>,
        budget: &mut Budget<'_>,
    ) -> Result<Found<L>, LoadError> {
        let level = eyes.level;
        level.check(&self.start).map_err(unsound)?;
        check_tick(self.tick)?;
        if let Some(failure) = &self.failure {
            for step in &failure.lived {
                level.check(&step.world).map_err(unsound)?;
            }
        }
        let way = ways.get(self.way)?;
        let rehearsal = match self.rehearsal {
            None => None,
            Some(units) => {
                let orders = way.orders().cloned().collect();
                let rehearsal = level.rehearsal(eyes.who, &self.start, orders, self.tick, None);
                let rehearsal = rehearsal.ok_or_else(|| unsound("nobody rehearses here"))?;
                let mut tried = Tried::new(rehearsal);
                tried.repeat(level, goal, units, budget)?;
                Some(tried)
            }
        };
        Ok(Found {
            start: self.start,
            way,
            margin_level: check_margin_level(level, self.margin_level as usize)?,
            rehearsal,
            tick: self.tick,
            failure: self.failure,
        })
    }
}

fn check_tick(tick: Duration) -> Result<(), LoadError> {
    match (super::LEAST_TICK..=super::GRACE).contains(&tick) {
        true => Ok(()),
        false => Err(unsound("a tick is too short, or too long")),
    }
}

impl<L: Live> Terms<L> {
    fn copied(&self) -> Terms<L> {
        Terms {
            why: self.why,
            start: self.start.clone(),
            first: self.first,
            tick: self.tick,
        }
    }
}

impl<L: Live> RehearsalFailure<L> {
    fn copied(&self) -> RehearsalFailure<L> {
        RehearsalFailure {
            why: self.why.clone(),
            lived: self.lived.clone(),
            undone: self.undone,
        }
    }
}
