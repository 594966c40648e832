//! What goals cost in a world of keys and locks, exactly and soon.
//!
//! Three things make the searches short, and none changes a cost. A lock that is not observed being
//! opened is opened when its place is entered first, in one step. A key that is not observed being picked
//! up is picked up only if its lock is opened later. And the estimate is the shortest round of all that
//! is certainly still to be fetched, opened and observed, in an order in which that can be done.

use std::collections::HashMap;

use apprentice_search::{BestFirst, Budget, Cost, Heuristic, Problem, Promise, Search, Successors};
use rustc_hash::FxBuildHasher;

use crate::landmarks::{Landmarks, Things};
use crate::{Costs, Deed, Explained, GridState, KeyGrid, Likelihood, Recognition};

/// How likely each of some places is to be where somebody wants to get to, by some of their deeds.
///
/// Goals that are certainly much less likely than another are not looked into any further: beyond
/// [`Likelihood::settled_within`] their costs are lower bounds.
///
/// # Panics
///
/// Panics if there are no goals.
pub fn recognise_on_grid(
    grid: &KeyGrid,
    goals: &[usize],
    observations: &[Deed],
    likelihood: &Likelihood,
) -> Recognition {
    let prepared = Prepared::of(grid);
    // The most promising goal comes first: what it costs is what the others are held to.
    let mut order: Vec<(Cost, usize, Costs)> = goals
        .iter()
        .enumerate()
        .map(|(number, goal)| {
            let at_best = cost(grid, &prepared, *goal, &[], Cost::INFINITE);
            let quest = GridQuest::new(grid, *goal, observations);
            let estimate = RemainingRound::new(&prepared).estimate(&quest, &quest.start());
            let costs = Costs {
                at_best,
                explaining: estimate.max(at_best),
                settled: at_best == Cost::INFINITE,
            };
            (costs.detour(), number, costs)
        })
        .collect();
    order.sort_by_key(|(detour, number, _)| (*detour, *number));
    let mut least = Cost::INFINITE;
    let mut costs = vec![None; goals.len()];
    for (_, number, mut of_goal) in order {
        let ceiling = of_goal.at_best + least + Cost::from_seconds(likelihood.settled_within);
        if !of_goal.settled && of_goal.explaining < ceiling {
            of_goal.explaining = cost(grid, &prepared, goals[number], observations, ceiling);
            of_goal.settled = of_goal.explaining < ceiling || ceiling == Cost::INFINITE;
        }
        if of_goal.settled {
            least = least.min(of_goal.detour());
        }
        costs[number] = Some(of_goal);
    }
    Recognition::of(costs.into_iter().flatten().collect(), None, likelihood)
}

/// What a goal costs, or the ceiling if it costs as much or more.
fn cost(
    grid: &KeyGrid,
    prepared: &Prepared,
    goal: usize,
    observations: &[Deed],
    ceiling: Cost,
) -> Cost {
    let quest = GridQuest::new(grid, goal, observations).up_to(ceiling);
    let mut search = BestFirst::astar(RemainingRound::new(prepared));
    search.run(&quest, &mut Budget::unlimited());
    search.path().map_or(Cost::INFINITE, |path| path.cost)
}

/// What all goals have in common.
struct Prepared {
    /// Steps from each place to each, as if nothing were locked; by place, then by place.
    steps: Vec<u16>,
    landmarks: Landmarks,
}

/// There is no way at all.
const NO_WAY: u16 = u16::MAX;

impl Prepared {
    fn of(grid: &KeyGrid) -> Prepared {
        let count = grid.places.len();
        let mut steps = vec![NO_WAY; count * count];
        let mut queue = Vec::with_capacity(count);
        for from in 0..count {
            let row = &mut steps[from * count..(from + 1) * count];
            row[from] = 0;
            queue.clear();
            queue.push(from);
            let mut next = 0;
            while let Some(place) = queue.get(next).copied() {
                next += 1;
                for to in &grid.connected[place] {
                    if row[usize::from(*to)] == NO_WAY {
                        row[usize::from(*to)] = row[place] + 1;
                        queue.push(usize::from(*to));
                    }
                }
            }
        }
        Prepared {
            steps,
            landmarks: Landmarks::of(grid),
        }
    }
}

/// The way of somebody to a goal on which observations happen, in order.
pub struct GridQuest<'a> {
    grid: &'a KeyGrid,
    goal: u16,
    observations: &'a [Deed],
    /// The one lock that a key is good for, where shapes occur once.
    use_of: Vec<Option<u16>>,
    /// Keys whose shape no lock has.
    useless: u64,
    /// By how many observations are behind: what was picked up in them.
    behind: Vec<u64>,
    /// By how many observations are behind: what is picked up and opened in the others.
    ahead: Vec<Things>,
    /// At this price one may give up.
    ceiling: Cost,
}

/// The state of whoever gave up: no observation has this number.
const GAVE_UP: u32 = u32::MAX;

impl<'a> GridQuest<'a> {
    /// The way to a goal.
    pub fn new(grid: &'a KeyGrid, goal: usize, observations: &'a [Deed]) -> GridQuest<'a> {
        let of_shape = |shape: usize| {
            let locks = grid.locks.iter().enumerate();
            let mut locks = locks.filter(move |(_, lock)| lock.shape == shape);
            (
                locks.next().map(|(lock, _)| lock as u16),
                locks.next().is_some(),
            )
        };
        let mut use_of = vec![None; grid.keys.len()];
        let mut useless = 0;
        for (number, key) in grid.keys.iter().enumerate() {
            let alike = grid
                .keys
                .iter()
                .filter(|other| other.shape == key.shape)
                .count();
            match of_shape(key.shape) {
                (None, _) => useless |= 1 << number,
                (lock, false) if alike == 1 => use_of[number] = lock,
                _ => {}
            }
        }
        let count = observations.len();
        let mut behind = vec![0; count + 1];
        let mut ahead = vec![Things::NONE; count + 1];
        for (number, deed) in observations.iter().enumerate() {
            behind[number + 1] = behind[number];
            if let Deed::PickUp { key } = deed {
                behind[number + 1] |= 1 << key;
            }
        }
        for (number, deed) in observations.iter().enumerate().rev() {
            ahead[number] = ahead[number + 1];
            match deed {
                Deed::PickUp { key } => ahead[number].keys |= 1 << key,
                Deed::Unlock { lock, .. } => ahead[number].locks |= 1 << lock,
                Deed::Move { .. } => {}
            }
        }
        GridQuest {
            grid,
            goal: goal as u16,
            observations,
            use_of,
            useless,
            behind,
            ahead,
            ceiling: Cost::INFINITE,
        }
    }

    /// The same, but at this price one may give up at the start: whatever costs more is not looked into.
    #[must_use]
    pub fn up_to(mut self, ceiling: Cost) -> GridQuest<'a> {
        self.ceiling = ceiling;
        self
    }

    /// Locks that have to be opened because their keys were picked up for it.
    fn promised(&self, state: &Explained<GridState>) -> u64 {
        let mut keys = state.state.keys & !self.behind[state.observations as usize];
        let mut locks = 0;
        while keys != 0 {
            let key = keys.trailing_zeros() as usize;
            keys &= keys - 1;
            if let Some(lock) = self.use_of[key] {
                locks |= 1 << lock;
            }
        }
        locks & !state.state.open
    }

    fn after(&self, observations: u32, deed: Deed) -> u32 {
        let next = self.observations.get(observations as usize);
        observations + u32::from(next == Some(&deed))
    }
}

impl Problem for GridQuest<'_> {
    type State = Explained<GridState>;
    type Key = Explained<GridState>;
    /// What is done, and what is done right after it.
    type Action = (Deed, Option<Deed>);

    fn start(&self) -> Self::State {
        Explained {
            state: self.grid.start(),
            observations: 0,
        }
    }

    fn key(&self, state: &Self::State) -> Self::Key {
        *state
    }

    fn is_goal(&self, state: &Self::State) -> bool {
        state.observations == GAVE_UP
            || state.state.place == self.goal
                && state.observations as usize == self.observations.len()
                && self.promised(state) == 0
    }

    fn successors(&self, at: &Self::State, out: &mut Successors<Self::State, Self::Action>) {
        let Explained {
            state,
            observations,
        } = *at;
        if observations == GAVE_UP {
            return;
        }
        if *at == self.start() && self.ceiling < Cost::INFINITE {
            let given_up = Explained {
                state,
                observations: GAVE_UP,
            };
            let standing = Deed::Move {
                from: state.place,
                to: state.place,
            };
            out.push((standing, None), given_up, self.ceiling);
        }
        let from = state.place;
        let ahead = self.ahead[observations as usize];
        let next = self.observations.get(observations as usize).copied();
        for to in self.grid.connected[usize::from(from)].iter().copied() {
            let there = GridState { place: to, ..state };
            let step = Deed::Move { from, to };
            let Some(lock) =
                self.grid.lock_of[usize::from(to)].filter(|lock| state.open >> lock & 1 == 0)
            else {
                let then = Explained {
                    state: there,
                    observations: self.after(observations, step),
                };
                out.push((step, None), then, KeyGrid::A_DEED);
                continue;
            };
            let open = state.open | 1 << lock;
            let observed = match next {
                Some(Deed::Unlock {
                    from: seen_from,
                    lock: seen,
                    key,
                }) if seen_from == from && seen == lock && state.keys >> key & 1 == 1 => Some(key),
                _ => None,
            };
            if let Some(key) = observed {
                let then = Explained {
                    state: GridState { open, ..state },
                    observations: observations + 1,
                };
                let deed = Deed::Unlock { from, lock, key };
                out.push((deed, None), then, KeyGrid::A_DEED);
                continue;
            }
            // What is observed being opened later cannot be opened before.
            if ahead.locks >> lock & 1 == 1 {
                continue;
            }
            if let Some(key) = self.grid.fitting(lock, state.keys) {
                let deed = Deed::Unlock { from, lock, key };
                let then = Explained {
                    state: GridState { open, ..there },
                    observations: self.after(observations, step),
                };
                out.push((deed, Some(step)), then, KeyGrid::A_DEED + KeyGrid::A_DEED);
            }
        }
        for (number, key) in self.grid.keys.iter().enumerate() {
            if key.place != usize::from(from) || state.keys >> number & 1 == 1 {
                continue;
            }
            let deed = Deed::PickUp { key: number as u16 };
            let is_observed = next == Some(deed);
            let is_pointless = self.useless >> number & 1 == 1
                || self.use_of[number].is_some_and(|lock| state.open >> lock & 1 == 1)
                || ahead.keys >> number & 1 == 1;
            if is_observed || !is_pointless {
                let then = Explained {
                    state: GridState {
                        keys: state.keys | 1 << number,
                        ..state
                    },
                    observations: observations + u32::from(is_observed),
                };
                out.push((deed, None), then, KeyGrid::A_DEED);
            }
        }
    }
}

/// The shortest round of all that is certainly still to be done, as if nothing else were locked.
pub struct RemainingRound<'a> {
    prepared: &'a Prepared,
    /// The lengths of rounds that were worked out.
    known: HashMap<Round, u32, FxBuildHasher>,
}

/// A round: from where, what is to be fetched and opened, and how many observations are behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Round {
    from: u16,
    observations: u16,
    left: Things,
}

/// No round is so long.
const ENDLESS: u32 = u32::MAX / 2;

impl<'a> RemainingRound<'a> {
    fn new(prepared: &'a Prepared) -> RemainingRound<'a> {
        RemainingRound {
            prepared,
            known: HashMap::default(),
        }
    }

    /// Whoever may give up pays no more for it than that.
    fn at_most_the_ceiling(
        &self,
        quest: &GridQuest<'_>,
        at: &Explained<GridState>,
        estimate: Cost,
    ) -> Cost {
        if *at == quest.start() {
            estimate.min(quest.ceiling)
        } else {
            estimate
        }
    }

    fn steps(&self, from: u16, to: usize) -> u32 {
        let count = self.prepared.landmarks.places.len();
        match self.prepared.steps[usize::from(from) * count + to] {
            NO_WAY => ENDLESS,
            steps => u32::from(steps),
        }
    }

    /// What certainly has to be fetched and opened from a state on; `None`: there is no way.
    fn left(&self, quest: &GridQuest<'_>, at: &Explained<GridState>) -> Option<Things> {
        let landmarks = &self.prepared.landmarks;
        let mut left = landmarks.places[usize::from(quest.goal)]?;
        let mut promised = quest.promised(at);
        while promised != 0 {
            let lock = promised.trailing_zeros() as usize;
            promised &= promised - 1;
            left = left.and(landmarks.locks[lock]?);
        }
        let ahead = quest.ahead[at.observations as usize];
        Some(Things {
            keys: left.keys & !at.state.keys & !ahead.keys,
            locks: left.locks & !at.state.open & !ahead.locks,
        })
    }

    /// How long a round takes at least, in deeds.
    fn length(&mut self, quest: &GridQuest<'_>, round: Round) -> u32 {
        let observation = quest.observations.get(usize::from(round.observations));
        if round.left.is_empty() && observation.is_none() {
            return self.steps(round.from, usize::from(quest.goal));
        }
        let mut best = ENDLESS;
        if let Some(deed) = observation {
            let (begin, end) = match *deed {
                Deed::Move { from, to } => (from, to),
                Deed::PickUp { key } => {
                    let place = quest.grid.keys[usize::from(key)].place as u16;
                    (place, place)
                }
                Deed::Unlock { from, .. } => (from, from),
            };
            let there = self.steps(round.from, usize::from(begin)) + 1;
            let rest = Round {
                from: end,
                observations: round.observations + 1,
                left: round.left,
            };
            best = best.min(there + self.known_length(quest, rest));
        }
        let mut keys = round.left.keys;
        while keys != 0 {
            let key = keys.trailing_zeros() as usize;
            keys &= keys - 1;
            let own = Things {
                keys: 1 << key,
                locks: 0,
            };
            let needed = self.prepared.landmarks.keys[key];
            best = best.min(self.by(quest, round, quest.grid.keys[key].place, own, needed));
        }
        let mut locks = round.left.locks;
        while locks != 0 {
            let lock = locks.trailing_zeros() as usize;
            locks &= locks - 1;
            let own = Things {
                keys: 0,
                locks: 1 << lock,
            };
            let needed = self.prepared.landmarks.locks[lock];
            best = best.min(self.by(quest, round, quest.grid.locks[lock].place, own, needed));
        }
        best
    }

    /// The round that goes to a thing first, if nothing is left that has to be had before it.
    fn by(
        &mut self,
        quest: &GridQuest<'_>,
        round: Round,
        place: usize,
        own: Things,
        needed: Option<Things>,
    ) -> u32 {
        let Some(needed) = needed else {
            return ENDLESS;
        };
        if needed.common(round.left) != own {
            return ENDLESS;
        }
        let rest = Round {
            from: place as u16,
            observations: round.observations,
            left: Things {
                keys: round.left.keys & !own.keys,
                locks: round.left.locks & !own.locks,
            },
        };
        let there = self.steps(round.from, place) + 1;
        (there + self.known_length(quest, rest)).min(ENDLESS)
    }

    fn known_length(&mut self, quest: &GridQuest<'_>, round: Round) -> u32 {
        if let Some(length) = self.known.get(&round) {
            return *length;
        }
        let length = self.length(quest, round).min(ENDLESS);
        self.known.insert(round, length);
        length
    }
}

impl Heuristic<GridQuest<'_>> for RemainingRound<'_> {
    fn estimate(&mut self, quest: &GridQuest<'_>, at: &Explained<GridState>) -> Cost {
        if at.observations == GAVE_UP {
            return Cost::ZERO;
        }
        let Some(left) = self.left(quest, at) else {
            return self.at_most_the_ceiling(quest, at, Cost::INFINITE);
        };
        let round = Round {
            from: at.state.place,
            observations: at.observations as u16,
            left,
        };
        let estimate = match self.length(quest, round) {
            ENDLESS.. => Cost::INFINITE,
            deeds => Cost::from_ticks(u64::from(deeds) * KeyGrid::A_DEED.ticks()),
        };
        self.at_most_the_ceiling(quest, at, estimate)
    }

    fn promise(&self) -> Promise {
        Promise::Consistent
    }
}
