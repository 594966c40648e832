//! What is ready for all characters in a level: estimates, searches to be lent, and plans.

use std::any::Any;
use std::sync::{Arc, Mutex, Weak};

use apprentice_game::{Aim, Foes, Game};
use apprentice_search::{BoxedSearch, Budget, Search, Spent, Status};

use crate::kit::Kit;
use crate::shelf::{Shelf, open};
use crate::sound::check_landmarks;
use crate::{BadSetting, Planner};

/// What characters share that plan alike: with the same settings, in the same level.
///
/// Distance fields, training graphs, trails and tables of keys and doors are made once, a little at a
/// time, by whoever needs them first; others use what is ready, and go on with what is half made. Searches
/// are lent while a character makes a plan, and go back when it has one. Characters that have the very
/// same quest share one search, and what it finds. Everything is told apart by value: settings,
/// demonstrations, levels and goals that are equal are the same, wherever they come from.
///
/// Clones are the same thing. Who is served first decides who pays; what is found is the same whoever
/// does. See [`Character::sharing`](crate::Character::sharing) and [`Crew`](crate::Crew).
#[derive(Clone, Default)]
pub struct Prepared {
    rooms: Arc<Mutex<Shelf<AnyRoom>>>,
    /// What is done with it, for saves; by the kind of level.
    #[cfg(feature = "serde")]
    records: Arc<Mutex<Vec<Arc<dyn Any + Send + Sync>>>>,
}

/// A room for quests of a kind.
type AnyRoom = Arc<dyn Any + Send + Sync>;

/// What is ready for one planner in one level, for quests of a kind.
struct Room<Q: Game> {
    planner: Planner,
    level: u64,
    kit: Kit<Q::Ground>,
    /// Searches that nobody uses.
    idle: Mutex<Shelf<Idle<Q>>>,
    /// Searches that somebody makes or has made, by the quest's identity.
    under_way: Mutex<Shelf<(u64, Weak<SharedLoan<Q>>)>>,
    /// What was found last, by the quest's identity.
    found: Mutex<Shelf<(u64, Arc<SharedLoan<Q>>)>>,
}

/// A loan that several may have.
type SharedLoan<Q> = Mutex<Loan<Q>>;

/// A search that nobody uses, and what it was made for.
struct Idle<Q: Game> {
    make: Make,
    search: BoxedSearch<Q>,
}

/// What decides which estimates a search is made of, besides planner and level.
#[derive(Clone, Copy, PartialEq)]
struct Make {
    foes: Foes,
    is_helped: bool,
    is_fight: bool,
}

impl Make {
    fn of<Q: Game>(game: &Q) -> Make {
        let is_fight = |part: &&Aim| match part {
            Aim::Done(landmark) => {
                let mark = game.landmarks().get(landmark.index());
                mark.is_some_and(|mark| mark.moves)
            }
            _ => false,
        };
        Make {
            foes: game.foes(),
            is_helped: game.is_helped(),
            is_fight: game.aim().parts().iter().any(is_fight),
        }
    }
}

/// A search that is lent to whoever looks for a plan for a quest, until there is one.
pub(crate) struct Loan<Q: Game> {
    /// Where it comes from.
    room: Weak<Room<Q>>,
    make: Make,
    /// None before it begins: who waits for its turn needs none.
    search: Option<BoxedSearch<Q>>,
    is_over: bool,
    /// What was found, once it was. Then the search is somebody else's; without it, there is no plan.
    orders: Option<Arc<[Q::Action]>>,
    expanded: u64,
    /// What is expected of it, for whoever knows what that is.
    pub(crate) expectation: Option<Arc<dyn Any + Send + Sync>>,
}

/// What became of a slice of a search.
pub(crate) enum Outcome<O> {
    Found(Arc<[O]>),
    NotYet,
    /// It is proven that there is nothing.
    Hopeless,
    /// It holds all the memory it may have.
    Full,
}

impl Prepared {
    /// Lends a search for a quest: the one that somebody else makes for the very same quest, or one of
    /// its own.
    ///
    /// # Errors
    ///
    /// If the game contradicts itself, or the planner makes no search.
    pub(crate) fn lend<Q: Game + 'static>(
        &self,
        planner: &Planner,
        game: &Q,
    ) -> Result<Arc<Mutex<Loan<Q>>>, BadSetting> {
        let room = self.room(planner, game)?;
        let identity = game.identity();
        let Some(identity) = identity else {
            return Ok(room.lend(game));
        };
        if let Some((_, same)) = open(&room.found).find(|(other, _)| *other == identity) {
            return Ok(same.clone());
        }
        let mut under_way = open(&room.under_way);
        let same = under_way.take(|(other, _)| *other == identity);
        let loan = match same.and_then(|(_, same)| same.upgrade()) {
            Some(same) => same,
            None => room.lend(game),
        };
        under_way.put((identity, Arc::downgrade(&loan)));
        Ok(loan)
    }

    /// Forgets everything that is ready, unless somebody uses it just now.
    pub(crate) fn forget(&self) {
        *open(&self.rooms) = Shelf::default();
    }

    /// What is done with it in levels of a kind.
    #[cfg(feature = "serde")]
    pub(crate) fn record<R: Default + Send + 'static>(&self) -> Arc<Mutex<R>> {
        let mut records = open(&self.records);
        let known = records
            .iter()
            .find_map(|record| record.clone().downcast().ok());
        known.unwrap_or_else(|| {
            let record: Arc<Mutex<R>> = Arc::default();
            records.push(record.clone());
            record
        })
    }

    /// Whether nobody else shares it.
    pub(crate) fn is_alone(&self) -> bool {
        Arc::strong_count(&self.rooms) == 1
    }

    fn room<Q: Game + 'static>(
        &self,
        planner: &Planner,
        game: &Q,
    ) -> Result<Arc<Room<Q>>, BadSetting> {
        let level = game.level();
        let known = |room: &AnyRoom| -> Option<Arc<Room<Q>>> {
            let room = room.clone().downcast::<Room<Q>>().ok()?;
            (room.level == level && room.planner == *planner).then_some(room)
        };
        let mut rooms = open(&self.rooms);
        if let Some(room) = rooms.find(|room| known(room).is_some())
            && let Some(room) = known(room)
        {
            return Ok(room);
        }
        check_landmarks(game)?;
        let room = Arc::new(Room {
            planner: planner.clone(),
            level,
            kit: Kit::new(planner),
            idle: Mutex::default(),
            under_way: Mutex::default(),
            found: Mutex::default(),
        });
        // Whether the numbers make a search is said at once.
        let make = Make::of(game);
        let search = room.search(game, make)?;
        open(&room.idle).put(Idle { make, search });
        rooms.put(room.clone());
        Ok(room)
    }
}

impl<Q: Game + 'static> Room<Q> {
    fn lend(self: &Arc<Room<Q>>, game: &Q) -> Arc<Mutex<Loan<Q>>> {
        Arc::new(Mutex::new(Loan {
            room: Arc::downgrade(self),
            make: Make::of(game),
            search: None,
            is_over: false,
            orders: None,
            expanded: 0,
            expectation: None,
        }))
    }

    /// A search that nobody uses.
    fn search(&self, game: &Q, make: Make) -> Result<BoxedSearch<Q>, BadSetting> {
        match open(&self.idle).take(|idle| idle.make == make) {
            Some(mut idle) => {
                idle.search.restart();
                Ok(idle.search)
            }
            None => Ok(self.planner.search_with(game, &self.kit.apart())?.search),
        }
    }
}

/// More searches than this that nobody uses are not kept: each has memory of its own.
const MOST_IDLE: usize = 8;

impl<Q: Game + 'static> Loan<Q> {
    /// Goes on with the search.
    pub(crate) fn go_on(
        this: &Arc<Mutex<Loan<Q>>>,
        game: &Q,
        budget: &mut Budget<'_>,
    ) -> Outcome<Q::Action> {
        let mut loan = open(this);
        if let Some(orders) = &loan.orders {
            return Outcome::Found(orders.clone());
        }
        if loan.search.is_none() && !loan.is_over {
            let room = loan.room.upgrade();
            loan.search = room.and_then(|room| room.search(game, loan.make).ok());
        }
        let Some(search) = &mut loan.search else {
            return Outcome::Hopeless;
        };
        let status = search.run(game, budget);
        let expanded = search.statistics().expanded;
        // More of the same budget brings nothing where the memory is spent.
        let is_full = budget.spent_by() == Some(Spent::Memory);
        // Some searches have a path before they have proven how good it is. That is no plan yet: where
        // the budget happens to end must not decide which plan is found.
        let is_paused = status == Status::Paused && !is_full;
        let path = if is_paused { None } else { search.path() };
        loan.expanded = expanded;
        if is_paused {
            return Outcome::NotYet;
        }
        let orders: Option<Arc<[Q::Action]>> = path.map(|path| path.actions().cloned().collect());
        // What memory put an end to, or a limit, is nothing for others, who may have more.
        if !is_full && (orders.is_some() || status == Status::Unsolvable) {
            loan.orders.clone_from(&orders);
            loan.is_over = true;
            loan.give_back();
            if let (Some(identity), Some(room)) = (game.identity(), loan.room.upgrade()) {
                open(&room.found).put((identity, this.clone()));
            }
        }
        match orders {
            Some(orders) => Outcome::Found(orders),
            None if is_full => Outcome::Full,
            None => Outcome::Hopeless,
        }
    }

    /// How many expansions were made.
    pub(crate) fn expanded(&self) -> u64 {
        self.expanded
    }
}

impl<Q: Game> Loan<Q> {
    fn give_back(&mut self) {
        let Some(search) = self.search.take() else {
            return;
        };
        let Some(room) = self.room.upgrade() else {
            return;
        };
        let mut idle = open(&room.idle);
        if idle.len() < MOST_IDLE {
            let make = self.make;
            idle.put(Idle { make, search });
        }
    }
}

impl<Q: Game> Drop for Loan<Q> {
    fn drop(&mut self) {
        self.give_back();
    }
}
