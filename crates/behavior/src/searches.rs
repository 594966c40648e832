//! The search a character makes for a plan, lent to it until it has one.

use std::any::Any;
use std::sync::{Arc, Mutex};

use apprentice_game::{Game, Live, Quests, Rehearsing, Visit};
use apprentice_search::Budget;

use crate::eyes::Eyes;
use crate::plan::Way;
use crate::prepared::{Loan, Outcome};
#[cfg(feature = "serde")]
use crate::record::Noting;
use crate::shelf::open;
use crate::sound::check_start;
use crate::{BadSetting, Planner, Prepared};

/// The search a character makes, and what it shares with others. Each heuristic knows what it was made
/// ready for and does again only what another start, goal or level asks for, so that what is found is
/// the same as by a new search.
pub(crate) struct Searches<L: Live> {
    prepared: Prepared,
    /// What is done with it, for saves.
    #[cfg(feature = "serde")]
    noting: Noting<L>,
    /// An `Arc<Mutex<Loan>>` for the kind of quest it is.
    lent: Option<Box<dyn Any + Send + Sync>>,
    /// What was found, while it is lived through, and then while it is made light.
    found: Option<Box<dyn Rehearsing<L>>>,
    heavy: Option<Way<L>>,
}

/// What became of a slice of searching.
pub(crate) enum Searching<L: Live> {
    Found(Arc<Way<L>>),
    NotYet,
    /// It is proven that there is nothing.
    Hopeless,
    /// It holds all the memory it may have.
    Full,
}

impl<L: Live> Searches<L> {
    /// Those of somebody who shares this with others.
    pub(crate) fn sharing(prepared: &Prepared) -> Searches<L> {
        Searches {
            prepared: prepared.clone(),
            #[cfg(feature = "serde")]
            noting: Noting::among(prepared),
            lent: None,
            found: None,
            heavy: None,
        }
    }

    /// The same of somebody who has a number among them.
    #[cfg(feature = "serde")]
    pub(crate) fn noted(prepared: &Prepared, noting: Noting<L>) -> Searches<L> {
        Searches {
            prepared: prepared.clone(),
            noting,
            lent: None,
            found: None,
            heavy: None,
        }
    }

    /// What was done with what it shares.
    #[cfg(feature = "serde")]
    pub(crate) fn noting(&self) -> &Noting<L> {
        &self.noting
    }

    /// Begins a search for the quest that begins in a world, with enemies taken to be so, by number, as
    /// this planner would; whatever was searched for before is given up.
    ///
    /// # Errors
    ///
    /// If the game contradicts itself, or the planner makes no search.
    pub(crate) fn begin(
        &mut self,
        planner: &Planner,
        eyes: Eyes<'_, L>,
        from: &L::World,
        goal: &L::Goal,
        margin_level: usize,
    ) -> Result<L::Quest, BadSetting> {
        self.give_back();
        let quest = eyes.level.quest(eyes.who, from, goal, margin_level);
        let prepared = &self.prepared;
        self.lent = Some(quest.visit(Begin { prepared, planner })?);
        #[cfg(feature = "serde")]
        self.noting
            .begins(planner, &quest, (eyes.who, from, goal, margin_level));
        Ok(quest)
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
        #[cfg(feature = "serde")]
        let before = budget.taken();
        let outcome = self.go_on(eyes, quest, from, goal, budget);
        #[cfg(feature = "serde")]
        self.noting.runs(
            budget.memory(),
            budget.taken() - before,
            !matches!(outcome, Searching::NotYet),
        );
        outcome
    }

    fn go_on(
        &mut self,
        eyes: Eyes<'_, L>,
        quest: &L::Quest,
        from: &L::World,
        goal: &L::Goal,
        budget: &mut Budget<'_>,
    ) -> Searching<L> {
        if let Some(way) = self.expected(quest) {
            return Searching::Found(way);
        }
        if let Some(heavy) = self.heavy.take() {
            return self.lighten(eyes, quest, heavy, budget);
        }
        let mut lives = match self.found.take() {
            Some(lives) => lives,
            None => {
                let Some(lent) = &self.lent else {
                    return Searching::Hopeless;
                };
                match quest.visit(Run { lent, budget }) {
                    Outcome::Found(orders) => {
                        let orders = orders.to_vec();
                        eyes.level.expectation(eyes.who, quest, from, orders)
                    }
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
            Some(Ok(())) => {
                let lived = lives.into_lived();
                // Where others move it is rehearsed, and something else expected then.
                if eyes.level.others_move(quest) {
                    let way = Way::whole(eyes, from.clone(), lived);
                    return Searching::Found(Arc::new(way));
                }
                let way = Way::new(eyes, from.clone(), lived);
                self.lighten(eyes, quest, way, budget)
            }
            // A search only finds what can be lived through.
            Some(Err(_)) => Searching::Hopeless,
        }
    }

    /// Makes what was found light, and keeps it for whoever has the same quest.
    fn lighten(
        &mut self,
        eyes: Eyes<'_, L>,
        quest: &L::Quest,
        mut way: Way<L>,
        budget: &mut Budget<'_>,
    ) -> Searching<L> {
        if !way.lighten(eyes, budget) {
            self.heavy = Some(way);
            return Searching::NotYet;
        }
        let way = Arc::new(way);
        let expectation: Arc<dyn Any + Send + Sync> = way.clone();
        if let Some(lent) = &self.lent {
            quest.visit(Expect { lent, expectation });
        }
        Searching::Found(way)
    }

    /// What somebody else with the same quest expects of what was found.
    fn expected(&self, quest: &L::Quest) -> Option<Arc<Way<L>>> {
        let known = quest.visit(Expected {
            lent: self.lent.as_ref()?,
        });
        known?.downcast().ok()
    }

    /// How many expansions were made for this quest.
    pub(crate) fn expanded(&self, quest: &L::Quest) -> u64 {
        let lent = self.lent.as_ref();
        lent.map_or(0, |lent| quest.visit(Expanded { lent }))
    }

    /// Gives the search back: it is over, or given up.
    pub(crate) fn give_back(&mut self) {
        #[cfg(feature = "serde")]
        if self.lent.is_some() {
            self.noting.gives_back();
        }
        (self.lent, self.found, self.heavy) = (None, None, None);
    }

    /// Gives everything back, and forgets what is ready unless others share it.
    pub(crate) fn forget(&mut self) {
        self.give_back();
        if self.prepared.is_alone() {
            self.forget_all();
        }
    }

    /// Forgets what is ready, for all who share it. Nobody must be using it.
    pub(crate) fn forget_all(&self) {
        self.prepared.forget();
        #[cfg(feature = "serde")]
        self.noting.forgets();
    }
}

/// A search that goes back to where it was lent is noted, or others would have another one.
#[cfg(feature = "serde")]
impl<L: Live> Drop for Searches<L> {
    fn drop(&mut self) {
        self.give_back();
    }
}

type Lent = Box<dyn Any + Send + Sync>;

fn loan<Q: Game + 'static>(lent: &Lent) -> Option<&Arc<Mutex<Loan<Q>>>> {
    lent.downcast_ref()
}

struct Begin<'a> {
    prepared: &'a Prepared,
    planner: &'a Planner,
}

impl<O> Visit<O> for Begin<'_> {
    type Answer = Result<Lent, BadSetting>;

    fn visit<Q: Game<Action = O> + 'static>(self, quest: &Q) -> Result<Lent, BadSetting> {
        check_start(quest)?;
        Ok(Box::new(self.prepared.lend(self.planner, quest)?))
    }
}

struct Run<'a, 'b, 'c> {
    lent: &'a Lent,
    budget: &'b mut Budget<'c>,
}

impl<O> Visit<O> for Run<'_, '_, '_> {
    type Answer = Outcome<O>;

    fn visit<Q: Game<Action = O> + 'static>(self, quest: &Q) -> Outcome<O> {
        match loan(self.lent) {
            Some(loan) => Loan::go_on(loan, quest, self.budget),
            None => Outcome::Hopeless,
        }
    }
}

struct Expanded<'a> {
    lent: &'a Lent,
}

impl<O> Visit<O> for Expanded<'_> {
    type Answer = u64;

    fn visit<Q: Game<Action = O> + 'static>(self, _quest: &Q) -> u64 {
        loan::<Q>(self.lent).map_or(0, |loan| open(loan).expanded())
    }
}

struct Expected<'a> {
    lent: &'a Lent,
}

impl<O> Visit<O> for Expected<'_> {
    type Answer = Option<Arc<dyn Any + Send + Sync>>;

    fn visit<Q: Game<Action = O> + 'static>(self, _quest: &Q) -> Self::Answer {
        open(loan::<Q>(self.lent)?).expectation.clone()
    }
}

struct Expect<'a> {
    lent: &'a Lent,
    expectation: Arc<dyn Any + Send + Sync>,
}

impl<O> Visit<O> for Expect<'_> {
    type Answer = ();

    fn visit<Q: Game<Action = O> + 'static>(self, _quest: &Q) {
        if let Some(loan) = loan::<Q>(self.lent) {
            open(loan).expectation = Some(self.expectation);
        }
    }
}
