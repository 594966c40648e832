//! A level as one character sees it.

use std::time::Duration;

use apprentice_experience::Place;
use apprentice_game::{Condition, LandmarkId, Live};

use crate::Deviation;

/// An enemy farther than this from where it was expected has made the plan worthless.
pub(crate) const ELSEWHERE: f64 = 3.0;

/// A level as one character sees it.
pub(crate) struct Eyes<'a, L: Live> {
    pub(crate) level: &'a L,
    pub(crate) who: &'a L::Who,
}

impl<L: Live> Clone for Eyes<'_, L> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<L: Live> Copy for Eyes<'_, L> {}

impl<L: Live> Eyes<'_, L> {
    pub(crate) fn time(self, world: &L::World) -> Duration {
        self.level.time(world)
    }

    /// The place the character is in; the one it comes from while it makes a step.
    pub(crate) fn spot(self, world: &L::World) -> usize {
        self.level.spot(self.who, world)
    }

    /// Where the character is.
    pub(crate) fn at(self, world: &L::World) -> Place {
        self.level.at(self.who, world)
    }

    /// Whether the character stands, and hears the next order at once.
    pub(crate) fn is_standing(self, world: &L::World) -> bool {
        self.level.is_between_steps(self.who, world)
    }

    pub(crate) fn health(self, world: &L::World) -> f64 {
        self.level.health(self.who, world)
    }

    /// The first thing that is as none of the expected worlds says, and stays so by itself.
    pub(crate) fn lasting_change(
        self,
        world: &L::World,
        expected: &[&L::World],
    ) -> Option<Deviation> {
        self.change_among(world, expected, |landmark| self.level.lasts(landmark))
    }

    /// The first thing that is as none of the expected worlds says.
    pub(crate) fn change(self, world: &L::World, expected: &[&L::World]) -> Option<Deviation> {
        self.change_among(world, expected, |_| true)
    }

    fn change_among(
        self,
        world: &L::World,
        expected: &[&L::World],
        counts: impl Fn(LandmarkId) -> bool,
    ) -> Option<Deviation> {
        let condition = |world: &L::World, landmark| -> Condition {
            self.level.condition(self.who, world, landmark)
        };
        let landmarks = (0..self.level.things().len() as u32).map(LandmarkId::new);
        let mut landmarks = landmarks.filter(|landmark| counts(*landmark));
        landmarks.find_map(|landmark| {
            let is = condition(world, landmark);
            let mut then = expected.iter();
            let differs = then.all(|then| condition(then, landmark) != is);
            differs.then_some(Deviation::Flag { landmark, is })
        })
    }

    /// Whether an enemy is far from where it was in another world.
    pub(crate) fn is_any_enemy_elsewhere(self, world: &L::World, then: &L::World) -> bool {
        self.level.enemies(world).any(|enemy| {
            let is = self.level.whereabouts(world, enemy);
            let was = self.level.whereabouts(then, enemy);
            is.seen_from_above(was.x, was.y) > ELSEWHERE
        })
    }

    /// The first enemy that is after the character, as in none of the expected worlds.
    pub(crate) fn noticed(self, world: &L::World, expected: &[&L::World]) -> Option<Deviation> {
        let is_after = |world: &L::World, enemy| self.level.is_after(self.who, world, enemy);
        let mut hunters = self.level.enemies(world);
        let landmark = hunters.find(|enemy| {
            let mut then = expected.iter();
            is_after(world, *enemy) && !then.any(|then| is_after(then, *enemy))
        })?;
        Some(Deviation::Noticed { landmark })
    }

    /// Whether an enemy is after the character.
    pub(crate) fn is_hunted(self, world: &L::World) -> bool {
        let mut enemies = self.level.enemies(world);
        enemies.any(|enemy| self.level.is_after(self.who, world, enemy))
    }

    /// Less health than in any of the expected worlds.
    pub(crate) fn hurt(self, world: &L::World, expected: &[&L::World]) -> Option<Deviation> {
        let health = expected.iter().map(|then| self.health(then));
        let lost = health.reduce(f64::min)? - self.health(world);
        (lost > 0.0).then_some(Deviation::Hurt { lost })
    }
}
