//! What was done with what characters share, from the beginning: so that a save can do it again.
//!
//! What a search takes depends on what was ready before it began, and that on everything that was
//! searched for earlier, by whomever. None of that is written down. Searches are deterministic and can be
//! cut into slices anywhere, so the same quests with the same units, in the same order, make the same
//! again.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use apprentice_game::{Game, Live, Quests, Savable, Visit};
use apprentice_search::Budget;
use apprentice_search::saved::{LoadError, unsound};
use serde::{Deserialize, Serialize};

use crate::character::saved::Cast;
use crate::eyes::Eyes;
use crate::searches::{Searches, Searching};
use crate::shelf::open;
use crate::{Planner, Prepared};

/// What was done with what some characters share.
pub(crate) struct Record<L: Live> {
    /// The number of the next who shares it, and how many do.
    next: u32,
    users: u32,
    planners: Vec<Planner>,
    deeds: Vec<Deed<L>>,
}

impl<L: Live> Default for Record<L> {
    fn default() -> Record<L> {
        Record {
            next: 0,
            users: 0,
            planners: Vec::new(),
            deeds: Vec::new(),
        }
    }
}

/// What somebody did.
enum Deed<L: Live> {
    Begin(Box<Begun<L>>),
    Run(Ran),
    /// Its search went back to where it was lent.
    GiveBack {
        by: u32,
    },
}

/// Somebody began to search.
struct Begun<L: Live> {
    by: u32,
    planner: u32,
    who: L::Who,
    from: L::World,
    goal: L::Goal,
    margin_level: usize,
    identity: Identity,
}

/// Somebody went on with its search.
#[derive(Clone, Copy, Serialize, Deserialize)]
struct Ran {
    by: u32,
    /// What it might hold.
    bytes: u64,
    units: u64,
    /// Whether something came of it.
    is_over: bool,
}

/// What a quest is known by: its level, and all that its plans depend on.
type Identity = (u64, Option<u64>);

/// Somebody whose searches are noted.
pub(crate) struct Noting<L: Live> {
    record: Arc<Mutex<Record<L>>>,
    number: u32,
}

impl<L: Live> Noting<L> {
    /// One more of those who share something.
    pub(crate) fn among(prepared: &Prepared) -> Noting<L> {
        let record: Arc<Mutex<Record<L>>> = prepared.record();
        let number = open(&record).next;
        Noting::numbered(record, number)
    }

    /// The one of a number.
    fn numbered(record: Arc<Mutex<Record<L>>>, number: u32) -> Noting<L> {
        let mut shared = open(&record);
        shared.next = shared.next.max(number.saturating_add(1));
        shared.users += 1;
        drop(shared);
        Noting { record, number }
    }

    pub(crate) fn begins(
        &self,
        planner: &Planner,
        quest: &L::Quest,
        (who, from, goal, margin_level): (&L::Who, &L::World, &L::Goal, usize),
    ) {
        let mut record = open(&self.record);
        let known = record.planners.iter().position(|known| known == planner);
        let planner = known.unwrap_or_else(|| {
            record.planners.push(planner.clone());
            record.planners.len() - 1
        });
        record.deeds.push(Deed::Begin(Box::new(Begun {
            by: self.number,
            planner: planner as u32,
            who: who.clone(),
            from: from.clone(),
            goal: goal.clone(),
            margin_level,
            identity: quest.visit(Identify),
        })));
    }

    pub(crate) fn runs(&self, bytes: u64, units: u64, is_over: bool) {
        let by = self.number;
        let mut record = open(&self.record);
        // Slices make no difference as long as nobody else comes between.
        if let Some(Deed::Run(last)) = record.deeds.last_mut()
            && (last.by, last.bytes, last.is_over) == (by, bytes, false)
        {
            last.units += units;
            last.is_over = is_over;
            return;
        }
        record.deeds.push(Deed::Run(Ran {
            by,
            bytes,
            units,
            is_over,
        }));
    }

    pub(crate) fn gives_back(&self) {
        let by = self.number;
        open(&self.record).deeds.push(Deed::GiveBack { by });
    }

    pub(crate) fn forgets(&self) {
        let mut record = open(&self.record);
        record.deeds = Vec::new();
        record.planners = Vec::new();
    }

    /// Its number among those who share something.
    pub(crate) fn number(&self) -> u32 {
        self.number
    }

    /// Whether somebody else shares the same.
    pub(crate) fn is_with(&self, other: &Noting<L>) -> bool {
        Arc::ptr_eq(&self.record, &other.record)
    }

    /// How many others there are.
    pub(crate) fn others(&self) -> u32 {
        open(&self.record).users - 1
    }
}

impl<L: Live> Drop for Noting<L> {
    fn drop(&mut self) {
        open(&self.record).users -= 1;
    }
}

struct Identify;

impl<O> Visit<O> for Identify {
    type Answer = Identity;

    fn visit<G: Game<Action = O> + 'static>(self, game: &G) -> Identity {
        (game.level(), game.identity())
    }
}

/// A record as it is saved.
#[derive(Serialize, Deserialize)]
#[serde(bound = "L: Savable")]
pub(crate) struct SavedRecord<L: Savable> {
    next: u32,
    planners: Vec<u64>,
    deeds: Vec<SavedDeed<L>>,
}

#[derive(Serialize, Deserialize)]
#[serde(bound = "L: Savable")]
enum SavedDeed<L: Savable> {
    Begin {
        by: u32,
        planner: u32,
        who: u64,
        from: L::World,
        goal: L::Goal,
        margin_level: u32,
        identity: Identity,
    },
    Run(Ran),
    GiveBack {
        by: u32,
    },
}

impl<L: Savable> Noting<L> {
    /// The record as it is saved, and who is in the middle of a search for a level that is no more. What
    /// was got ready for that one is of no use any more.
    pub(crate) fn save(&self, level: &L) -> (SavedRecord<L>, Vec<u32>) {
        let record = open(&self.record);
        // Those whose last search was for another level.
        let mut elsewhere: Vec<u32> = Vec::new();
        let mut deeds = Vec::new();
        for deed in &record.deeds {
            match deed {
                Deed::Begin(begun) => {
                    let Begun {
                        by,
                        planner,
                        who,
                        from,
                        goal,
                        margin_level,
                        identity,
                    } = &**begun;
                    elsewhere.retain(|other| other != by);
                    let quest = level.quest(who, from, goal, *margin_level);
                    if quest.visit(Identify) != *identity {
                        elsewhere.push(*by);
                        continue;
                    }
                    deeds.push(SavedDeed::Begin {
                        by: *by,
                        planner: *planner,
                        who: level.digest_of(who),
                        from: from.clone(),
                        goal: goal.clone(),
                        margin_level: *margin_level as u32,
                        identity: *identity,
                    });
                }
                Deed::Run(ran) if !elsewhere.contains(&ran.by) => deeds.push(SavedDeed::Run(*ran)),
                Deed::GiveBack { by } if elsewhere.contains(by) => {
                    elsewhere.retain(|other| other != by);
                }
                Deed::GiveBack { by } => deeds.push(SavedDeed::GiveBack { by: *by }),
                Deed::Run(_) => {}
            }
        }
        let saved = SavedRecord {
            next: record.next,
            planners: record.planners.iter().map(Planner::digest).collect(),
            deeds,
        };
        (saved, elsewhere)
    }
}

/// Somebody who searches again as it did.
struct Searcher<'a, L: Live> {
    searches: Searches<L>,
    /// What for, if it does.
    quest: Option<Sought<'a, L>>,
}

/// What somebody searches for.
struct Sought<'a, L: Live> {
    who: &'a L::Who,
    quest: L::Quest,
    from: L::World,
    goal: L::Goal,
}

impl<L: Savable> SavedRecord<L> {
    /// How many units it takes to do it all again.
    pub(crate) fn units(&self) -> u64 {
        let units = self.deeds.iter().map(|deed| match deed {
            SavedDeed::Run(ran) => ran.units,
            _ => 0,
        });
        units.fold(0, u64::saturating_add)
    }

    /// Does it all again. Those who share it, by their numbers.
    pub(crate) fn replay(
        self,
        level: &L,
        cast: &Cast<'_, L>,
        budget: &mut Budget<'_>,
    ) -> Result<Replayed<L>, LoadError> {
        if self.next > MOST_USERS {
            return Err(unsound("it was shared by too many"));
        }
        let prepared = Prepared::default();
        let all = self.units();
        let planners: Result<Vec<&Planner>, LoadError> =
            self.planners.iter().map(|it| cast.planner(*it)).collect();
        let planners = planners?;
        let mut searchers: BTreeMap<u32, Searcher<'_, L>> = BTreeMap::new();
        for deed in self.deeds {
            match deed {
                SavedDeed::Begin {
                    by,
                    planner,
                    who,
                    from,
                    goal,
                    margin_level,
                    identity,
                } => {
                    level.check(&from).map_err(unsound)?;
                    let planner = planners.get(planner as usize);
                    let planner = planner.ok_or_else(|| unsound("there is no such planner"))?;
                    let who = cast.who(level, who)?;
                    let margin_level = check_margin_level(level, margin_level as usize)?;
                    if by >= self.next {
                        return Err(unsound("somebody searches who is not there"));
                    }
                    let searcher = searchers.entry(by).or_insert_with(|| Searcher {
                        searches: numbered(&prepared, by),
                        quest: None,
                    });
                    let eyes = Eyes { level, who };
                    let quest = searcher
                        .searches
                        .begin(planner, eyes, &from, &goal, margin_level)
                        .map_err(|error| unsound(error.to_string()))?;
                    if quest.visit(Identify) != identity {
                        return Err(LoadError::Otherwise { what: "a quest" });
                    }
                    searcher.quest = Some(Sought {
                        who,
                        quest,
                        from,
                        goal,
                    });
                }
                SavedDeed::Run(ran) => {
                    let searcher = searchers.get_mut(&ran.by);
                    let searcher =
                        searcher.and_then(|it| Some((&mut it.searches, it.quest.as_ref()?)));
                    let Some((searches, sought)) = searcher else {
                        return Err(unsound("somebody goes on with a search that never began"));
                    };
                    repeat(level, searches, sought, ran, budget).map_err(|error| match error {
                        LoadError::Spent { .. } => LoadError::Spent { units: all },
                        error => error,
                    })?;
                }
                SavedDeed::GiveBack { by } => {
                    if let Some(searcher) = searchers.get_mut(&by) {
                        searcher.searches.give_back();
                    }
                }
            }
        }
        let record: Arc<Mutex<Record<L>>> = prepared.record();
        open(&record).next = self.next;
        let searchers = searchers.into_iter();
        let searches = searchers.map(|(by, searcher)| (by, searcher.searches));
        Ok(Replayed {
            searches: searches.collect(),
            prepared,
            next: self.next,
        })
    }
}

/// More than this never shared anything.
const MOST_USERS: u32 = 1 << 30;

/// What some characters share, as it was.
pub(crate) struct Replayed<L: Live> {
    pub(crate) prepared: Prepared,
    /// Those who have searched, by their numbers.
    searches: BTreeMap<u32, Searches<L>>,
    next: u32,
}

impl<L: Live> Replayed<L> {
    /// The searches of somebody.
    pub(crate) fn take(&mut self, number: u32) -> Result<Searches<L>, LoadError> {
        if number >= self.next {
            return Err(unsound("somebody is not among those who share it"));
        }
        let known = self.searches.remove(&number);
        Ok(known.unwrap_or_else(|| numbered(&self.prepared, number)))
    }
}

fn numbered<L: Live>(prepared: &Prepared, number: u32) -> Searches<L> {
    Searches::noted(prepared, Noting::numbered(prepared.record(), number))
}

/// Goes on with a search as somebody did.
fn repeat<L: Live>(
    level: &L,
    searches: &mut Searches<L>,
    sought: &Sought<'_, L>,
    ran: Ran,
    budget: &mut Budget<'_>,
) -> Result<(), LoadError> {
    let Sought {
        who,
        quest,
        from,
        goal,
    } = sought;
    let eyes = Eyes { level, who };
    let before = budget.taken();
    // Whoever comes to an end need not stop for want of a unit.
    let most = ran.units.saturating_add(u64::from(ran.is_over));
    let outcome = budget.at_most(most, |budget| {
        budget.holding_at_most(ran.bytes, |budget| {
            searches.run(eyes, quest, from, goal, budget)
        })
    });
    let is_over = !matches!(outcome, Searching::NotYet);
    if budget.taken() - before == ran.units && is_over == ran.is_over {
        return Ok(());
    }
    Err(match budget.spent_by() {
        Some(_) => LoadError::Spent { units: ran.units },
        None => LoadError::Otherwise { what: "a search" },
    })
}

/// A margin level that there is.
pub(crate) fn check_margin_level<L: Live>(level: &L, number: usize) -> Result<usize, LoadError> {
    let levels = level.margin_levels().clamp(1, u32::BITS as usize);
    match number < levels {
        true => Ok(number),
        false => Err(unsound(format!(
            "enemies are taken to be as number {number} says, and there are {levels}"
        ))),
    }
}
