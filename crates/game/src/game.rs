//! What a planner may ask of a game.

use std::sync::Arc;

use apprentice_experience::{Place, Stance};
use apprentice_search::{Budget, Cost, Problem};

use crate::{Aim, Danger, Foes, Ground, Landmark, LandmarkId, Peril, Prices, Refutation};

/// A quest in a game: who is planned for, where it is in every state, and what lies on its way.
///
/// Whatever implements this is planned with demonstrations, quest events, keys and doors. A game that
/// knows little answers the first five questions; each of the others buys something, and says what.
pub trait Game: Problem<State: Send + Sync, Key: Send + Sync, Action: Send + Sync> {
    /// Where one can stand.
    type Ground: Ground;

    /// Where one can stand, shared by all who plan there. Every step of the game from one place to
    /// another must be a step of the ground that costs no less: else lower bounds are wrong.
    fn ground(&self) -> &Arc<Self::Ground>;

    /// The place of the planned character in a state.
    fn place(&self, state: &Self::State) -> usize;

    /// The greatest speed it ever has over the ground.
    fn top_speed(&self) -> f64;

    /// What it is after, as far as places and landmarks say it.
    fn aim(&self) -> &Aim;

    /// A number that tells this level from others. What was prepared serves as long as it is the same:
    /// ground, landmarks and whatever never changes in play go into it.
    fn level(&self) -> u64;

    /// A number for everything that plans depend on: the level, the start, the goal, and what the
    /// character can do. Two quests with the same number have the same plans.
    ///
    /// Buys that characters with the same quest, who share what is prepared, share one search.
    fn identity(&self) -> Option<u64> {
        None
    }

    /// A lower bound of the cost from a place to where a part of the aim is met, as the crow flies,
    /// if all else is as in a state. It must be consistent: no step may lower it by more than it costs.
    ///
    /// Buys bounds for aims that are [`Aim::Other`]; the rest is measured already.
    fn straight_to(&self, part: &Aim, from: Place, state: &Self::State) -> Cost {
        let far = match part {
            Aim::Within { x, y, radius, .. } => from.seen_from_above(*x, *y) - radius,
            Aim::At(places) => {
                let ground = self.ground();
                let places = places.iter().filter(|place| ground.is_walkable(**place));
                let far = places.map(|place| from.distance_to(ground.at(*place)));
                far.fold(f64::INFINITY, f64::min)
            }
            Aim::Done(landmark) => {
                let Some(mark) = self.landmarks().get(landmark.index()) else {
                    return Cost::INFINITE;
                };
                if mark.bars || mark.moves || mark.is_shared || self.is_done(state, *landmark) {
                    return Cost::ZERO;
                }
                let ground = self.ground();
                let far = mark
                    .places
                    .iter()
                    .map(|place| from.distance_to(ground.at(*place)));
                far.fold(f64::INFINITY, f64::min)
            }
            Aim::All(_) | Aim::Any(_) | Aim::Other(_) => return Cost::ZERO,
        };
        let speed = self.ground().speed_through_space(self.top_speed());
        Cost::round_down(far.max(0.0) / speed)
    }

    /// A lower bound of the cost to the goal, as the crow flies; consistent.
    #[inline]
    fn straight(&self, state: &Self::State) -> Cost {
        let at = self.at(state);
        self.aim()
            .fold(&mut |part| self.straight_to(part, at, state))
    }

    /// The same for somebody who stands elsewhere at the start.
    fn straight_from(&self, place: usize) -> Cost {
        let (at, start) = (self.ground().at(place), self.start());
        self.aim()
            .fold(&mut |part| self.straight_to(part, at, &start))
    }

    /// Where the character is in a state.
    #[inline]
    fn at(&self, state: &Self::State) -> Place {
        self.ground().at(self.place(state))
    }

    /// What may have to be done on the way, or is part of the goal: keys, levers, doors, shields,
    /// somebody to be found. The same for all quests of a level.
    ///
    /// Buys the shortest round of keys and doors, quest events, and "no way" within a moment where keys
    /// and doors say so.
    fn landmarks(&self) -> &[Landmark] {
        &[]
    }

    /// Whether a landmark is done in a state.
    fn is_done(&self, _state: &Self::State, _landmark: LandmarkId) -> bool {
        false
    }

    /// Whether a landmark that bars its places does so at the start, until somebody opens it.
    fn is_shut(&self, landmark: LandmarkId) -> bool {
        let mark = self.landmarks().get(landmark.index());
        mark.is_some_and(|mark| mark.bars) && !self.is_done(&self.start(), landmark)
    }

    /// Whether a landmark can never be done any more: a key that was taken away, somebody who cannot
    /// die.
    fn is_gone(&self, _landmark: LandmarkId) -> bool {
        false
    }

    /// From where a landmark can be done at the start: of one that stays, the places it has in every
    /// quest of the level; of one that moves, from where it could be if it stayed.
    fn places_of(&self, landmark: LandmarkId) -> Vec<usize> {
        let mark = self.landmarks().get(landmark.index());
        mark.map_or_else(Vec::new, |mark| mark.places.clone())
    }

    /// From where a landmark that moves can be done at any time at all, if only the planned character
    /// does it; `None` if that may be anywhere, or if others might do it, too.
    ///
    /// Buys lower bounds for aims in which somebody must be met.
    fn territory_of(&self, _landmark: LandmarkId) -> Option<Vec<usize>> {
        None
    }

    /// Where a landmark is in a state.
    ///
    /// Buys demonstrations that are followed to somebody who moves.
    fn whereabouts(&self, _state: &Self::State, landmark: LandmarkId) -> Place {
        let mark = self.landmarks().get(landmark.index());
        mark.map_or(Place::default(), |mark| mark.at)
    }

    /// How long a landmark still takes once one is there: what is left of a fight after the first blow.
    fn time_left(&self, _state: &Self::State, _landmark: LandmarkId) -> Cost {
        Cost::ZERO
    }

    /// Whether somebody else is about who may do landmarks for it.
    fn is_helped(&self) -> bool {
        false
    }

    /// What others might do, so that a lower bound does not count it.
    fn others(&self) -> Others {
        Others::Nobody
    }

    /// Whether there are enemies in the level.
    fn foes(&self) -> Foes {
        Foes::None
    }

    /// Enemies who wait at the start, and what coming near them costs.
    ///
    /// Buys rounds that keep away from them.
    fn dangers(&self) -> Vec<Danger> {
        Vec::new()
    }

    /// A number for everything besides that decides whom enemies would notice where: doors that are
    /// open, and what stands between.
    fn outlook(&self, _dangers: &[Danger]) -> u64 {
        0
    }

    /// Whether an enemy who waits would notice somebody at a place who goes quietly, or does not.
    fn would_notice(&self, _danger: &Danger, _place: usize, _quietly: bool) -> bool {
        false
    }

    /// How many times longer it takes to go quietly.
    fn quiet_slowness(&self) -> f64 {
        1.0
    }

    /// How the character fares in a state: what is left of it, and what those who are after it will
    /// cost it.
    ///
    /// Buys plans that rather go round than fight, and rather fight than die.
    fn peril(&self, _state: &Self::State) -> Peril {
        Peril::none(FULL_HEALTH)
    }

    /// What each of those who can be after it costs, by their bits in [`Peril::hunters`].
    fn hunter_prices(&self) -> Vec<Cost> {
        Vec::new()
    }

    /// What plans pay for besides time. What steps cost has to include it; this tells advisers what is
    /// worth a detour.
    ///
    /// Buys plans that weigh a detour against a wound.
    fn prices(&self) -> Prices {
        Prices::NONE
    }

    /// Whether it goes about in a state as was shown: sneaking, fighting, whatever the game tells
    /// apart.
    ///
    /// Buys plans that sneak where the demonstration sneaks.
    fn goes_as(&self, _state: &Self::State, _shown: &Stance) -> bool {
        true
    }

    /// Whether it goes about in a state as the one does whom it accompanies: whether both sneak, or
    /// neither. `None` where it accompanies nobody, in any state.
    ///
    /// Buys plans that sneak when the player sneaks.
    fn is_in_step(&self, _state: &Self::State) -> Option<bool> {
        None
    }

    /// Whether what was shown is how anybody goes about, so that it need not be imitated.
    fn is_usual(&self, _shown: &Stance) -> bool {
        true
    }

    /// Whether things change by themselves, because others move or time matters, so that whoever comes
    /// somewhere later is in another state.
    ///
    /// Buys: a dead end is tried once, and not once for every moment.
    fn moves_by_itself(&self) -> bool {
        false
    }

    /// Somebody who looks for a proof that there is no plan.
    ///
    /// Buys "no way" where a search would have to try everything in every order.
    fn refutation(&self) -> Option<Box<dyn Refutation<Self>>> {
        None
    }
}

/// As healthy as one gets, where nothing else is said.
pub const FULL_HEALTH: f64 = 100.0;

/// What others might do.
pub enum Others {
    /// Nobody else does anything.
    Nobody,
    /// Anything.
    Anything,
    /// What this finds out.
    Survey(Box<dyn Survey>),
}

/// Finds out what others might do, a little at a time.
pub trait Survey: Send {
    /// A number for what it depends on.
    fn key(&self) -> u64;

    /// Goes on. False: the budget is spent, call again.
    fn go_on(&mut self, budget: &mut Budget<'_>) -> bool;

    /// Whether somebody might do a landmark.
    fn might_do(&self, landmark: LandmarkId) -> bool;
}
