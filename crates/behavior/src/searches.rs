//! Searches that are kept from one plan to the next, with their memory and what they got ready.

use apprentice_search::{BoxedSearch, Budget, Search, Spent, Status};
use apprentice_world::{AnyQuest, Quest, QuestProblem, StillQuest, Verification, VerifiedStep};

use crate::Planner;

/// Searches that are kept from one plan to the next. Each heuristic knows what it was made ready for
/// and does again only what another start, goal or level asks for, so that what is found is the same
/// as by a new search.
#[derive(Default)]
pub(crate) struct Searches {
    /// The level they were made for.
    level: Option<u64>,
    still: Option<BoxedSearch<StillQuest>>,
    moving: Option<BoxedSearch<QuestProblem>>,
    /// What was found, while it is lived through.
    found: Option<Verification>,
}

/// What became of a slice of searching.
pub(crate) enum Searching {
    Found(Vec<VerifiedStep>),
    NotYet,
    /// It is proven that there is nothing.
    Hopeless,
    /// It holds all the memory it may have.
    Full,
}

impl Searches {
    /// Begins a search for a quest, as this planner would; whatever was searched for before is given
    /// up. False: the planner makes no search.
    pub(crate) fn begin(&mut self, planner: &Planner, quest: &AnyQuest) -> bool {
        let scenario = match quest {
            AnyQuest::Still(quest) => quest.scenario(),
            AnyQuest::Moving(quest) => quest.scenario(),
        };
        // Some of a search is made for what there is in a level, such as one adviser for each event.
        let level = Some(scenario.layout_digest());
        if self.level != level {
            *self = Searches {
                level,
                ..Searches::default()
            };
        }
        self.found = None;
        match quest {
            AnyQuest::Still(quest) => begin(&mut self.still, planner, quest),
            AnyQuest::Moving(quest) => begin(&mut self.moving, planner, quest),
        }
    }

    /// Goes on with the search that was begun for this quest.
    pub(crate) fn run(&mut self, quest: &AnyQuest, budget: &mut Budget<'_>) -> Searching {
        match quest {
            AnyQuest::Still(quest) => run(&mut self.still, &mut self.found, quest, budget),
            AnyQuest::Moving(quest) => run(&mut self.moving, &mut self.found, quest, budget),
        }
    }

    /// How many expansions were made for this quest.
    pub(crate) fn expanded(&self, quest: &AnyQuest) -> u64 {
        let statistics = match quest {
            AnyQuest::Still(_) => self.still.as_ref().map(|search| search.statistics()),
            AnyQuest::Moving(_) => self.moving.as_ref().map(|search| search.statistics()),
        };
        statistics.map_or(0, |statistics| statistics.expanded)
    }
}

fn begin<Q: Quest + 'static>(
    kept: &mut Option<BoxedSearch<Q>>,
    planner: &Planner,
    quest: &Q,
) -> bool {
    match kept {
        Some(search) => search.restart(),
        None => *kept = planner.search(quest).ok().map(|named| named.search),
    }
    kept.is_some()
}

fn run<Q: Quest>(
    kept: &mut Option<BoxedSearch<Q>>,
    found: &mut Option<Verification>,
    quest: &Q,
    budget: &mut Budget<'_>,
) -> Searching {
    if found.is_none() {
        match search(kept, quest, budget) {
            Ok(orders) => *found = Some(orders),
            Err(none) => return none,
        }
    }
    let Some(verification) = found else {
        return Searching::NotYet;
    };
    budget.change_pace();
    let lived = verification.go_on(quest.scenario(), quest.goal(), budget);
    let Some(lived) = lived else {
        return Searching::NotYet;
    };
    *found = None;
    // A search only finds what can be lived through.
    lived.map_or(Searching::Hopeless, |lived| Searching::Found(lived.steps))
}

/// Goes on with a search until there is a plan, which is to be lived through, or why there is none.
fn search<Q: Quest>(
    kept: &mut Option<BoxedSearch<Q>>,
    quest: &Q,
    budget: &mut Budget<'_>,
) -> Result<Verification, Searching> {
    let Some(search) = kept else {
        return Err(Searching::Hopeless);
    };
    let status = search.run(quest, budget);
    // More of the same budget brings nothing where the memory is spent.
    let is_full = budget.spent_by() == Some(Spent::Memory);
    // Some searches have a path before they have proven how good it is. That is no plan yet: where
    // the budget happens to end must not decide which plan is found.
    if status == Status::Paused && !is_full {
        return Err(Searching::NotYet);
    }
    let Some(path) = search.path() else {
        return Err(if is_full {
            Searching::Full
        } else {
            Searching::Hopeless
        });
    };
    let orders = path.actions().copied().collect();
    Ok(Verification::new(quest.start_world(), orders))
}
