//! A search that is told when there is nothing to be found: somebody looks for a proof beside it.

use apprentice_game::{Game, Refutation, Refuted};
use apprentice_search::{
    BoxedSearch, Budget, Guarantee, Observer, Path, Search, Statistics, Status,
};

/// A search, and beside it somebody who looks for a proof that there is no plan
/// ([`Game::refutation`]). Whoever is done first has the answer.
///
/// Plans are those of the search alone. Only a search that has looked at many states without success
/// shares its budget, half and half, for as long as a proof may be found.
pub(crate) struct Refuting<Q: Game> {
    search: BoxedSearch<Q>,
    beside: Beside<Q>,
    /// Units that are left of the turn of whoever has it.
    left: u64,
    is_refuting: bool,
    /// What the search and the other have done together, once the other has begun.
    statistics: Option<Statistics>,
    taken: u64,
}

/// How the search for a proof stands.
enum Beside<Q> {
    Waiting,
    Looking(Box<dyn Refutation<Q>>),
    Proven,
    Over,
}

/// Where plans are found they are mostly found sooner.
const PATIENCE: u64 = 512;

/// Units of each turn: long enough that nobody notices the change, and few beside what a proof takes.
const A_TURN: u64 = 512;

/// At most this part of the memory that a search may hold is for the proof.
const PART_OF_MEMORY: u64 = 4;

impl<Q: Game> Refuting<Q> {
    pub(crate) fn new(search: BoxedSearch<Q>) -> Refuting<Q> {
        Refuting {
            search,
            beside: Beside::Waiting,
            left: A_TURN,
            is_refuting: false,
            statistics: None,
            taken: 0,
        }
    }

    /// Lets the search, or the other, go on until the turn is over or there is an answer.
    fn take_turns(
        &mut self,
        quest: &Q,
        budget: &mut Budget<'_>,
        mut run: impl FnMut(&mut BoxedSearch<Q>, &mut Budget<'_>) -> Status,
    ) -> Status {
        loop {
            match self.beside {
                Beside::Proven => return Status::Unsolvable,
                Beside::Over => return run(&mut self.search, budget),
                _ => {}
            }
            let before = budget.taken();
            if self.is_refuting {
                budget.at_most(self.left, |part| self.look(quest, part));
                self.taken += budget.taken() - before;
            } else {
                let answer = budget.at_most(self.left, |part| run(&mut self.search, part));
                if answer != Status::Paused {
                    return answer;
                }
            }
            self.left = self.left.saturating_sub(budget.taken() - before);
            if budget.spent_by().is_some() {
                return Status::Paused;
            }
            if self.left == 0 {
                self.pass_on(quest);
            } else if budget.taken() == before && !self.is_refuting {
                return Status::Paused;
            }
        }
    }

    /// Goes on looking for a proof.
    fn look(&mut self, quest: &Q, budget: &mut Budget<'_>) {
        let Beside::Looking(refutation) = &mut self.beside else {
            return;
        };
        let memory = budget.memory() / PART_OF_MEMORY;
        match refutation.go_on(quest, budget) {
            Refuted::NotYet if refutation.bytes() <= memory => {}
            Refuted::Proven => self.beside = Beside::Proven,
            Refuted::No | Refuted::NotYet => self.beside = Beside::Over,
        }
    }

    /// The turn is over. Whoever has a plan already, and only looks for a better one, needs no proof.
    fn pass_on(&mut self, quest: &Q) {
        self.left = A_TURN;
        if self.search.guarantee() != Guarantee::NoSolution {
            self.beside = Beside::Over;
        } else if matches!(self.beside, Beside::Waiting)
            && self.search.statistics().expanded >= PATIENCE
        {
            self.beside = quest.refutation().map_or(Beside::Over, Beside::Looking);
            self.is_refuting = false;
        }
        self.is_refuting = matches!(self.beside, Beside::Looking(_)) && !self.is_refuting;
    }

    /// Adds up what both have done.
    fn add_up(&mut self) {
        if self.taken == 0 {
            return;
        }
        let mut both = self.search.statistics().clone();
        both.upkeep += self.taken;
        if let Beside::Looking(refutation) = &self.beside {
            both.bytes += refutation.bytes();
        }
        self.statistics = Some(both);
    }
}

impl<Q: Game> Search<Q> for Refuting<Q> {
    fn run(&mut self, problem: &Q, budget: &mut Budget<'_>) -> Status {
        let status = self.take_turns(problem, budget, |search, part| search.run(problem, part));
        self.add_up();
        status
    }

    fn run_observed(
        &mut self,
        problem: &Q,
        budget: &mut Budget<'_>,
        observer: &mut dyn Observer<Q>,
    ) -> Status {
        let run = |search: &mut BoxedSearch<Q>, part: &mut Budget<'_>| {
            search.run_observed(problem, part, observer)
        };
        let status = self.take_turns(problem, budget, run);
        self.add_up();
        status
    }

    fn path(&self) -> Option<Path<Q::State, Q::Action>> {
        self.search.path()
    }

    fn statistics(&self) -> &Statistics {
        self.statistics
            .as_ref()
            .unwrap_or_else(|| self.search.statistics())
    }

    fn guarantee(&self) -> Guarantee {
        match self.beside {
            Beside::Proven => Guarantee::Impossible,
            _ => self.search.guarantee(),
        }
    }

    fn restart(&mut self) {
        self.search.restart();
        self.beside = Beside::Waiting;
        self.left = A_TURN;
        self.is_refuting = false;
        self.statistics = None;
        self.taken = 0;
    }
}
