//! The step: which rule runs when, in one list.

use std::time::Duration;

use crate::order::PlayerOrder;
use crate::scenario::FULL_HEALTH;
use crate::{
    Gait, Mode, Orders, Point, Rules, Scenario, Witness, World, combat, doors, enemies, items,
    movement, perception,
};

/// The world is cut into moments this long, in nanoseconds. A tenth of a second is a third of what
/// the fastest enemy needs for a cell, so nobody jumps over anybody's reach.
pub(crate) const MOMENT: u64 = 100_000_000;

/// No step brings anybody nearer than this many times the distance between two places: a diagonal,
/// and a little for rounding.
const LONGEST_STEP: f64 = 1.5;

impl World {
    /// Lets `duration` pass. Same world, orders and duration: same next world, on every machine.
    ///
    /// Time passes in moments of a tenth of a second and one shorter moment for the rest. Advancing
    /// by t and then by u is the same as advancing by t + u if t is a whole number of moments.
    ///
    /// ```
    /// use std::time::Duration;
    /// use apprentice_world::{AgentId, Event, Order, Orders, Scenario, World};
    ///
    /// let scenario = Scenario::parse(r#"
    ///     format = 1
    ///     start = [0, 0]
    ///     goal = { dead = "grey" }
    ///     map = { rows = ["......"] }
    ///     enemy = [{ id = "grey", kind = "wolf", at = [5, 0] }]
    /// "#)?;
    /// let mut world = World::new(&scenario);
    /// let mut events = Vec::new();
    /// world.advance(&scenario, &Orders::new(Order::WAIT), Duration::from_secs(2), &mut events);
    /// assert_eq!(
    ///     events[0],
    ///     Event::NoticedBy { agent: AgentId::NPC, enemy: AgentId::Enemy(0) },
    /// );
    /// # Ok::<(), apprentice_world::ScenarioError>(())
    /// ```
    pub fn advance<W: Witness + ?Sized>(
        &mut self,
        scenario: &Scenario,
        orders: &Orders<'_>,
        duration: Duration,
        witness: &mut W,
    ) {
        let mut left = u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX);
        // What would be many moments in which nothing happens can be one long one.
        let longest = if self.stays_quiet(scenario, orders, left) {
            left
        } else {
            MOMENT
        };
        while left > 0 {
            let moment = left.min(longest);
            self.pass_moment(scenario, orders, moment, witness);
            left -= moment;
        }
    }

    /// Whether `duration` passes without anybody else doing anything, and without the agent ending
    /// a step before its end.
    fn stays_quiet(&self, scenario: &Scenario, orders: &Orders<'_>, duration: u64) -> bool {
        let npc = &self.actors[0];
        let stance = orders.npc.stance();
        let place = npc.place as usize;
        let is_one_step = match orders.npc.action() {
            None => true,
            Some(action) => duration <= scenario.time_of(place, action, stance),
        };
        let far = orders
            .npc
            .action()
            .and_then(|action| scenario.map.follow(place, action));
        let far = far.map_or(0.0, |step| step.length);
        let only_the_agent_acts = self.player_rests(scenario, orders)
            && scenario.tables.repeats_after == 1
            && npc.step.is_none()
            && npc.stamina >= FULL_HEALTH as f32
            && stance.gait() != Gait::Run;
        if !is_one_step || !only_the_agent_acts {
            return false;
        }
        let longest_step = (LONGEST_STEP * scenario.map.spacing()).max(1.1 * far);
        let here = scenario.map.point_of(place);
        (0..scenario.tables.beasts.len()).all(|slot| {
            let (_, beast) = scenario.beast(slot);
            let state = &self.beasts[slot];
            if !state.is_alive() {
                return true;
            }
            // The agent is heard as it was before it hears the order.
            let gaits = [stance.gait(), npc.stance.gait()];
            let noise = gaits.map(Rules::noise).into_iter().fold(0.0, f64::max);
            let is_far = |actor: usize, at: Point, noise: f64, moves: f64| {
                let heard = beast.radius * noise;
                let near = heard.max(beast.reach).max(scenario.actors[actor].reach);
                state.at().distance_to(at) > near + moves
            };
            let player_is_far = || {
                let player = &self.actors[1];
                let at = scenario.map.point_of(player.place as usize);
                player.health <= 0.0 || is_far(1, at, Rules::noise(player.stance.gait()), 0.0)
            };
            state.mode == Mode::Idle
                && is_far(0, here, noise, longest_step)
                && (scenario.actors.len() == 1 || player_is_far())
        })
    }

    /// Whether there is no player, or one who is dead or at the end of the route and at rest.
    fn player_rests(&self, scenario: &Scenario, orders: &Orders<'_>) -> bool {
        let Some(player) = scenario.actors.get(1) else {
            return true;
        };
        let state = &self.actors[1];
        let is_at_the_end = matches!(orders.player, PlayerOrder::Scenario)
            && state.memory as usize >= player.route.len()
            && state.step.is_none()
            && state.stance == player.stance
            && state.stamina >= FULL_HEALTH as f32;
        is_at_the_end || state.health <= 0.0
    }

    /// One moment. This is the order of the rules, and there is no other.
    fn pass_moment<W: Witness + ?Sized>(
        &mut self,
        scenario: &Scenario,
        orders: &Orders<'_>,
        moment: u64,
        witness: &mut W,
    ) {
        // 1. The clock: automatic doors and moving obstacles.
        self.time += moment;
        doors::follow_the_clock(self, scenario, witness);
        // 2. Who notices whom.
        let noticed = perception::notice(self, scenario);
        // 3. Everybody decides: actors first, then enemies, each in ascending order.
        movement::set_out(self, scenario, orders);
        enemies::decide(self, scenario, noticed, witness);
        // 4. Everybody moves.
        let arrivals = movement::go_on(self, scenario, orders, moment, witness);
        enemies::move_on(self, scenario, moment);
        // 5. All blows at once, from the healths before them.
        let living = combat::living(self);
        combat::strike(self, scenario, &arrivals, witness);
        // 6. The dead lie down.
        combat::bury(self, scenario, living, witness);
        // 7. Whoever arrived picks up what lies there, pulls levers, opens the door it stands in.
        for (actor, arrival) in arrivals.iter().enumerate() {
            if let Some(arrival) = arrival {
                items::reach_out(self, scenario, actor, arrival.pulls, witness);
            }
        }
    }
}
