//! How somebody fares: what is left of it, and what those who are after it will cost it.

use apprentice_game::Peril;
use smallvec::SmallVec;

use crate::combat::{FLANKED, SHIELDED};
use crate::world::FEW_BEASTS;
use crate::{AgentId, Gait, Manner, Rules, Scenario, World, perception};

/// Those who are after somebody have a bit each; all from this one on share the last.
pub(crate) const LAST_HUNTER: usize = 31;

impl World {
    /// How somebody fares if it fights whoever is after it.
    pub(crate) fn peril(&self, scenario: &Scenario, actor: usize) -> Peril {
        let agent = &self.actors[actor];
        let mut peril = Peril::none(f64::from(agent.health));
        let rules = &scenario.actors[actor];
        let is_shielded = agent.holding & scenario.tables.shields != 0;
        let mut fights: SmallVec<[(f64, f64); FEW_BEASTS]> = SmallVec::new();
        for (slot, state) in self.beasts.iter().enumerate() {
            let is_after = state.mode.is_hostile() && usize::from(state.target) == actor;
            if !state.is_alive() || !is_after {
                continue;
            }
            let (_, beast) = scenario.beast(slot);
            let mut damage = beast.damage * if is_shielded { SHIELDED } else { 1.0 };
            let mut blow = rules.damage;
            // Whoever must be attacked together is, if there is somebody to help.
            if beast.attackers > 1 {
                let (helpers, helped) = self.helpers_of(scenario, actor);
                if helpers + 1 >= usize::from(beast.attackers) {
                    damage /= FLANKED;
                    blow += helped;
                } else {
                    blow = 0.0;
                }
            }
            let rate = damage / beast.period;
            let lasts = if blow > 0.0 {
                (f64::from(state.health) / blow).ceil() * rules.period
            } else {
                f64::INFINITY
            };
            fights.push((lasts, rate));
            peril.rate += rate;
            peril.hunters |= 1 << slot.min(LAST_HUNTER);
        }
        // Whoever is dead soonest first: that is best, and near enough.
        fights.sort_unstable_by(|one, other| one.0.total_cmp(&other.0));
        let mut passed = 0.0;
        for (lasts, rate) in fights {
            passed += lasts;
            peril.harm += passed * rate;
        }
        peril
    }

    /// How many there are who fight along with somebody, and what their blows cost together.
    fn helpers_of(&self, scenario: &Scenario, actor: usize) -> (usize, f64) {
        let others = self.actors.iter().zip(&*scenario.actors).enumerate();
        let fights = |other: usize| other != actor && self.actor_is_alive(other);
        let helpers = others.filter(|(other, (state, _))| fights(*other) && state.stance.fights());
        helpers.fold((0, 0.0), |(count, damage), (_, (_, rules))| {
            (count + 1, damage + rules.damage)
        })
    }

    /// Whether an enemy, where it is now, would notice somebody in a place at this gait, or strike it
    /// there.
    ///
    /// ```
    /// use apprentice_world::{AgentId, Gait, Scenario, World};
    ///
    /// let scenario = Scenario::parse(r#"
    ///     format = 1
    ///     start = [0, 0]
    ///     goal = { dead = "grey" }
    ///     map = { rows = ["........."] }
    ///     enemy = [{ id = "grey", kind = "wolf", at = [8, 0] }]
    /// "#)?;
    /// let world = World::new(&scenario);
    /// let grey = AgentId::Enemy(0);
    /// assert!(world.would_notice(&scenario, grey, AgentId::NPC, 3, Gait::Walk));
    /// assert!(!world.would_notice(&scenario, grey, AgentId::NPC, 3, Gait::Sneak));
    /// # Ok::<(), apprentice_world::ScenarioError>(())
    /// ```
    pub fn would_notice(
        &self,
        scenario: &Scenario,
        enemy: AgentId,
        agent: AgentId,
        place: usize,
        gait: Gait,
    ) -> bool {
        let AgentId::Enemy(number) = enemy else {
            return false;
        };
        let Some(hostile) = scenario.enemies.get(usize::from(number)) else {
            return false;
        };
        if hostile.ignores(agent) || self.is_dead(enemy, scenario) {
            return false;
        }
        let there = (scenario.map.point_of(place), place);
        match &hostile.kind.manner {
            Manner::Guard(guard) => {
                let radius = match gait {
                    Gait::Sneak => guard.sneak_radius,
                    Gait::Walk | Gait::Run => guard.radius,
                };
                hostile.home.distance_to(there.0) <= radius
            }
            Manner::Beast(beast) => {
                let at = (self.position(enemy, scenario), self.place(enemy, scenario));
                let distance = scenario.map.apart(at, there);
                let loud = beast.radius * Rules::noise(gait);
                distance <= beast.reach
                    || perception::is_heard(self, scenario, at, there, distance, loud)
            }
        }
    }
}
