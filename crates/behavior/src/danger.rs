//! What it costs to come near enemies, place by place.

use std::sync::Arc;

use apprentice_game::{Danger, Game, Ground};
use apprentice_search::{Budget, Cost};

use crate::ground::{around, level_of};
use crate::place_table::PlaceTable;

/// What steps count near enemies, as far as they keep still: those that are after somebody come along
/// anyway.
///
/// Where walking would be noticed and sneaking would not, steps count as if sneaked. Nearer than that,
/// what the fight would cost is spread over the way past.
pub(crate) struct Dangers {
    key: DangerKey,
    prices: Arc<Prices>,
    /// How many enemies were looked at.
    seen: usize,
    /// The places around the one that comes next, and how many of them were looked at.
    around: Option<(Vec<usize>, usize)>,
}

/// What it is made for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct DangerKey {
    level: u64,
    /// Who waits.
    waiting: Vec<Danger>,
    /// What decides whom they see.
    outlook: u64,
}

/// What steps count, by the place they lead to.
#[derive(Clone, Debug)]
pub(crate) struct Prices {
    /// How many times a step takes that is sneaked.
    slower: f64,
    near: PlaceTable<Near>,
}

/// What steps to a place count besides their time.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Near {
    is_sneaked: bool,
    extra: Cost,
}

/// So many places are looked at for a unit of budget: whether somebody there is in sight takes a
/// while.
const PLACES_AT_ONCE: usize = 16;

impl DangerKey {
    pub(crate) fn of<Q: Game>(game: &Q) -> DangerKey {
        let waiting = game.dangers();
        DangerKey {
            level: level_of(game),
            outlook: game.outlook(&waiting),
            waiting,
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }
}

impl Dangers {
    pub(crate) fn new<Q: Game>(game: &Q, key: DangerKey) -> Dangers {
        let prices = Prices {
            slower: game.quiet_slowness(),
            near: PlaceTable::new(game.ground().places()),
        };
        Dangers {
            key,
            prices: Arc::new(prices),
            seen: 0,
            around: None,
        }
    }

    pub(crate) fn key(&self) -> &DangerKey {
        &self.key
    }

    pub(crate) fn prices(&self) -> Arc<Prices> {
        Arc::clone(&self.prices)
    }

    /// Goes on; a unit of budget for every sixteen places near an enemy. False: the budget is spent,
    /// call again.
    pub(crate) fn go_on<Q: Game>(&mut self, game: &Q, budget: &mut Budget<'_>) -> bool {
        let ground = &**game.ground();
        while let Some(waiting) = self.key.waiting.get(self.seen).copied() {
            // Nobody reads prices before they are all known.
            let Some(prices) = Arc::get_mut(&mut self.prices) else {
                return true;
            };
            let at = ground.at(waiting.place);
            let found = || (around(ground, at, waiting.radius), 0);
            let (places, looked_at) = self.around.get_or_insert_with(found);
            while *looked_at < places.len() {
                if !budget.take() {
                    return false;
                }
                let next = places.len().min(*looked_at + PLACES_AT_ONCE);
                for near in &places[*looked_at..next] {
                    prices.add(game, &waiting, *near);
                }
                *looked_at = next;
            }
            self.around = None;
            self.seen += 1;
        }
        true
    }
}

impl Prices {
    /// Adds what steps to a place count because of an enemy.
    fn add<Q: Game>(&mut self, game: &Q, waiting: &Danger, place: usize) {
        let would_notice = |quietly| game.would_notice(waiting, place, quietly);
        if would_notice(true) {
            let near = self.near.get_or_insert_with(place, Near::default);
            near.extra = near.extra + waiting.price;
        } else if would_notice(false) {
            let near = self.near.get_or_insert_with(place, Near::default);
            near.is_sneaked = true;
        }
    }

    /// What steps to a place count besides their time, if anything.
    #[inline]
    pub(crate) fn near(&self, place: usize) -> Option<Near> {
        self.near.get(place).copied()
    }

    /// What a step counts that leads there.
    #[inline]
    pub(crate) fn of(&self, near: Near, cost: Cost) -> Cost {
        let cost = if near.is_sneaked {
            Cost::round_up(cost.as_seconds() * self.slower)
        } else {
            cost
        };
        cost + near.extra
    }

    /// How many times a step takes that is sneaked.
    pub(crate) fn slower(&self) -> f64 {
        self.slower
    }
}
