//! What a step of a plan pays besides its time: health that is lost, and being noticed.

use apprentice_search::Cost;

use crate::{Scenario, World};

/// What a step pays that leads from one world to another: for what an actor and those who must survive
/// have less of than before it, and for each enemy that is after one of them and was not.
pub(crate) fn toll(scenario: &Scenario, actor: usize, before: &World, after: &World) -> Cost {
    let prices = scenario.prices();
    if prices.is_none() {
        return Cost::ZERO;
    }
    let counts = |it: usize| {
        let other = scenario.actors.get(it);
        it == actor || other.is_some_and(|other| other.must_survive)
    };
    let mut seconds = 0.0;
    for (number, (was, is)) in before.actors.iter().zip(&after.actors).enumerate() {
        if is.health < was.health && counts(number) {
            seconds += f64::from(was.health - is.health) * prices.harm();
        }
    }
    for (was, is) in before.beasts.iter().zip(&after.beasts) {
        let is_after = is.mode.is_hostile() && is.is_alive();
        if is_after && !was.mode.is_hostile() && counts(usize::from(is.target)) {
            seconds += prices.notice();
        }
    }
    Cost::from_seconds(seconds)
}
