//! How the planned agent fares: what is left of it, and what those who are after it will cost it.

use apprentice_game::Peril;

use crate::combat::{FLANKED, SHIELDED};
use crate::{AgentId, Gait, Manner, Rules, Scenario, World, perception};

impl World {
    /// How the planned agent fares if it fights whoever is after it.
    pub(crate) fn peril(&self, scenario: &Scenario) -> Peril {
        let npc = &self.actors[0];
        let mut peril = Peril::none(f64::from(npc.health));
        let rules = &scenario.actors[0];
        let is_shielded = npc.holding & scenario.tables.shields != 0;
        let mut fights = [(0.0, 0.0); Scenario::MOST_BEASTS];
        let mut count = 0;
        for (slot, state) in self.beasts[..scenario.tables.beasts.len()]
            .iter()
            .enumerate()
        {
            if !state.is_alive() || !state.mode.is_hostile() || state.target != 0 {
                continue;
            }
            let (_, beast) = scenario.beast(slot);
            let mut damage = beast.damage * if is_shielded { SHIELDED } else { 1.0 };
            let mut blow = rules.damage;
            // Whoever must be attacked together is, if there is somebody to help.
            if beast.attackers > 1 && self.has_helper(scenario) {
                damage /= FLANKED;
                blow += scenario.actors[1].damage;
            } else if beast.attackers > 1 {
                blow = 0.0;
            }
            let rate = damage / beast.period;
            let lasts = if blow > 0.0 {
                (f64::from(state.health) / blow).ceil() * rules.period
            } else {
                f64::INFINITY
            };
            fights[count] = (lasts, rate);
            count += 1;
            peril.rate += rate;
            peril.hunters |= 1 << slot;
        }
        // Whoever is dead soonest first: that is best, and near enough.
        let fights = &mut fights[..count];
        fights.sort_unstable_by(|one, other| one.0.total_cmp(&other.0));
        let mut passed = 0.0;
        for (lasts, rate) in fights {
            passed += *lasts;
            peril.harm += passed * *rate;
        }
        peril
    }

    /// Whether somebody is there who fights along.
    fn has_helper(&self, scenario: &Scenario) -> bool {
        scenario.actors.len() > 1 && self.actor_is_alive(1) && self.actors[1].stance.fights()
    }

    /// Whether an enemy, where it is now, would notice the planned agent in a place at this gait, or
    /// strike it there.
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
    /// assert!(world.would_notice(&scenario, grey, 3, Gait::Walk));
    /// assert!(!world.would_notice(&scenario, grey, 3, Gait::Sneak));
    /// # Ok::<(), apprentice_world::ScenarioError>(())
    /// ```
    pub fn would_notice(
        &self,
        scenario: &Scenario,
        enemy: AgentId,
        place: usize,
        gait: Gait,
    ) -> bool {
        let AgentId::Enemy(number) = enemy else {
            return false;
        };
        let Some(hostile) = scenario.enemies.get(usize::from(number)) else {
            return false;
        };
        if hostile.ignores(AgentId::NPC) || self.is_dead(enemy, scenario) {
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
