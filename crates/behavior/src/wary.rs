//! An adviser that would rather go round enemies than fight them, and rather fight than die.

use apprentice_game::{FULL_HEALTH, Game, Ground, Peril, SECONDS_FOR_HEALTH};
use apprentice_search::{Budget, Cost, Heuristic, Promise};

use crate::KeyDoorHeuristic;

/// A round of errands that keeps away from enemies, and what has become of whoever goes it: health
/// that is lost, and health that those who are after it are going to cost.
///
/// So a search it leads leaves whoever was noticed alone as long as others are unnoticed, and whoever
/// is doomed until nobody else is left. It promises nothing.
#[derive(Clone)]
pub struct Wary<G> {
    round: KeyDoorHeuristic<G>,
    /// The round of somebody whom enemies are nothing to: how long it takes.
    plain: KeyDoorHeuristic<G>,
    /// How healthy somebody is who has lost nothing.
    whole: f64,
    /// What the round counts for passing each enemy that moves.
    prices: Vec<Cost>,
    /// How many seconds a point of health is worth that is lost, or about to be.
    worth: f64,
    /// Whether it would rather try everything else than lose any health, whatever that is worth.
    is_unharmed: bool,
}

/// Somebody who is going to die counts as if it lost this much: more than any fight costs.
const DOOMED: f64 = 4.0 * FULL_HEALTH;

/// What a point of health is worth, in seconds, to whoever tries everything else first: a fight that
/// can be won costs as much as minutes on the way.
const UNHARMED: f64 = 10.0 * SECONDS_FOR_HEALTH;

impl<G: Ground> Wary<G> {
    /// The wary form of a round; how long it takes is asked of a plain one.
    pub fn new(round: KeyDoorHeuristic<G>, plain: KeyDoorHeuristic<G>) -> Wary<G> {
        Wary {
            round: round.wary(),
            plain,
            whole: 0.0,
            prices: Vec::new(),
            worth: SECONDS_FOR_HEALTH,
            is_unharmed: false,
        }
    }

    /// The same round for somebody who would rather try everything else than lose any health.
    ///
    /// Who minds less arrives sooner, but may have lost by then what the last enemy on its way takes.
    #[must_use]
    pub fn unharmed(mut self) -> Wary<G> {
        self.worth = UNHARMED;
        self.is_unharmed = true;
        self
    }

    /// What the round counts for passing those who are after somebody already.
    fn paid(&self, peril: &Peril) -> Cost {
        let hunters = self.prices.iter().enumerate();
        let hunters = hunters.filter(|(slot, _)| peril.hunters >> slot & 1 == 1);
        hunters.fold(Cost::ZERO, |sum, (_, price)| sum + *price)
    }
}

/// The health that those who are after somebody are going to cost, whose round takes so long.
fn harm(peril: &Peril, left: Cost) -> f64 {
    if peril.harm < peril.health {
        peril.harm
    } else if peril.is_deadly_within(left.as_seconds()) {
        DOOMED
    } else {
        // Whoever is there before it is dead has won.
        peril.rate * left.as_seconds()
    }
}

impl<Q: Game> Heuristic<Q> for Wary<Q::Ground> {
    fn estimate(&mut self, game: &Q, state: &Q::State) -> Cost {
        let mut left = self.round.estimate(game, state);
        if !left.is_finite() {
            return left;
        }
        let peril = game.peril(state);
        let mut lost = (self.whole - peril.health).max(0.0);
        let mut doom = 0.0;
        if peril.hunters != 0 {
            let takes = self.plain.estimate(game, state);
            // Whoever is noticed has nothing more to lose by coming near.
            left = left.less(self.paid(&peril)).max(takes);
            let harm = harm(&peril, takes);
            // What kills is never cheap.
            if harm < peril.health || self.worth >= SECONDS_FOR_HEALTH {
                lost += harm;
            } else {
                doom = harm * SECONDS_FOR_HEALTH;
            }
        }
        left + Cost::from_seconds(lost * self.worth + doom)
    }

    fn promise(&self) -> Promise {
        Promise::None
    }

    fn prepare(&mut self, game: &Q, budget: &mut Budget<'_>) -> bool {
        self.whole = game.peril(&game.start()).health;
        self.prices = game.hunter_prices();
        let prices = game.prices();
        if !prices.is_none() && !self.is_unharmed {
            self.worth = prices.harm();
        }
        self.plain.prepare(game, budget) && self.round.prepare(game, budget)
    }
}
