//! Searches that are kept from one plan to the next, with their memory and what they got ready.

use std::any::Any;

use apprentice_game::{Game, Live, Quests, Rehearsing, StepIn, Visit};
use apprentice_search::{BoxedSearch, Budget, Search, Spent, Status};

use crate::eyes::Eyes;
use crate::sound::{check_landmarks, check_start};
use crate::{BadSetting, Planner};

/// Searches that are kept from one plan to the next. Each heuristic knows what it was made ready for
/// and does again only what another start, goal or level asks for, so that what is found is the same
/// as by a new search.
pub(crate) struct Searches<L: Live> {
    kept: Kept,
    /// What was found, while it is lived through.
    found: Option<Box<dyn Rehearsing<L>>>,
}

/// The searches themselves.
#[derive(Default)]
struct Kept {
    /// The level they were made for.
    level: Option<u64>,
    /// A `BoxedSearch` for each kind of quests.
    searches: Vec<Box<dyn Any + Send + Sync>>,
}

/// What became of a slice of searching.
pub(crate) enum Searching<L: Live> {
    Found(Vec<StepIn<L>>),
    NotYet,
    /// It is proven that there is nothing.
    Hopeless,
    /// It holds all the memory it may have.
    Full,
}

impl<L: Live> Default for Searches<L> {
    fn default() -> Searches<L> {
        Searches {
            kept: Kept::default(),
            found: None,
        }
    }
}

impl<L: Live> Searches<L> {
    /// Begins a search for a quest, as this planner would; whatever was searched for before is given
    /// up.
    ///
    /// # Errors
    ///
    /// If the game contradicts itself, or the planner makes no search.
    pub(crate) fn begin(&mut self, planner: &Planner, quest: &L::Quest) -> Result<(), BadSetting> {
        self.found = None;
        let kept = &mut self.kept;
        quest.visit(Begin { kept, planner })
    }

    /// Goes on with the search that was begun for this quest, which begins in the world `from`.
    pub(crate) fn run(
        &mut self,
        eyes: Eyes<'_, L>,
        quest: &L::Quest,
        from: &L::World,
        goal: &L::Goal,
        budget: &mut Budget<'_>,
    ) -> Searching<L> {
        let mut lives = match self.found.take() {
            Some(lives) => lives,
            None => {
                let kept = &mut self.kept;
                match quest.visit(Run { kept, budget }) {
                    Outcome::Found(orders) => eyes.level.expectation(eyes.who, quest, from, orders),
                    Outcome::NotYet => return Searching::NotYet,
                    Outcome::Hopeless => return Searching::Hopeless,
                    Outcome::Full => return Searching::Full,
                }
            }
        };
        budget.change_pace();
        match lives.go_on(eyes.level, goal, budget) {
            None => {
                self.found = Some(lives);
                Searching::NotYet
            }
            Some(Ok(())) => Searching::Found(lives.into_lived()),
            // A search only finds what can be lived through.
            Some(Err(_)) => Searching::Hopeless,
        }
    }

    /// How many expansions were made for this quest.
    pub(crate) fn expanded(&self, quest: &L::Quest) -> u64 {
        quest.visit(Expanded { kept: &self.kept })
    }
}

impl Kept {
    fn of<Q: Game + 'static>(&self) -> Option<&BoxedSearch<Q>> {
        let mut searches = self.searches.iter();
        searches.find_map(|search| search.downcast_ref())
    }

    fn of_mut<Q: Game + 'static>(&mut self) -> Option<&mut BoxedSearch<Q>> {
        let mut searches = self.searches.iter_mut();
        searches.find_map(|search| search.downcast_mut())
    }
}

struct Begin<'a> {
    kept: &'a mut Kept,
    planner: &'a Planner,
}

impl<O> Visit<O> for Begin<'_> {
    type Answer = Result<(), BadSetting>;

    fn visit<Q: Game<Action = O> + 'static>(self, quest: &Q) -> Result<(), BadSetting> {
        check_start(quest)?;
        // Some of a search is made for what there is in a level, such as one adviser for each event.
        let level = Some(quest.level());
        if self.kept.level != level {
            check_landmarks(quest)?;
            *self.kept = Kept {
                level,
                ..Kept::default()
            };
        }
        if let Some(search) = self.kept.of_mut::<Q>() {
            search.restart();
        } else {
            let search = self.planner.search(quest)?.search;
            self.kept.searches.push(Box::new(search));
        }
        Ok(())
    }
}

struct Run<'a, 'b, 'c> {
    kept: &'a mut Kept,
    budget: &'b mut Budget<'c>,
}

/// What became of a slice of a search.
enum Outcome<O> {
    Found(Vec<O>),
    NotYet,
    Hopeless,
    Full,
}

impl<O: Clone> Visit<O> for Run<'_, '_, '_> {
    type Answer = Outcome<O>;

    fn visit<Q: Game<Action = O> + 'static>(self, quest: &Q) -> Outcome<O> {
        let Some(search) = self.kept.of_mut::<Q>() else {
            return Outcome::Hopeless;
        };
        let status = search.run(quest, self.budget);
        // More of the same budget brings nothing where the memory is spent.
        let is_full = self.budget.spent_by() == Some(Spent::Memory);
        // Some searches have a path before they have proven how good it is. That is no plan yet: where
        // the budget happens to end must not decide which plan is found.
        if status == Status::Paused && !is_full {
            return Outcome::NotYet;
        }
        match search.path() {
            Some(path) => Outcome::Found(path.actions().cloned().collect()),
            None if is_full => Outcome::Full,
            None => Outcome::Hopeless,
        }
    }
}

struct Expanded<'a> {
    kept: &'a Kept,
}

impl<O> Visit<O> for Expanded<'_> {
    type Answer = u64;

    fn visit<Q: Game<Action = O> + 'static>(self, _quest: &Q) -> u64 {
        let search = self.kept.of::<Q>();
        search.map_or(0, |search| search.statistics().expanded)
    }
}
