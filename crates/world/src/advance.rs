//! The step: which rule runs when, in one list.

use std::time::Duration;

use crate::number_set::NumberSet;
use crate::order::Decider;
use crate::scenario::FULL_HEALTH;
use crate::world::{Footings, OfActors};
use crate::{
    AgentId, Gait, Mode, Orders, Rules, Scenario, Stance, Witness, World, combat, doors, enemies,
    items, movement, perception,
};

/// The world is cut into moments this long, in nanoseconds. A tenth of a second is a third of what
/// the fastest enemy needs for a cell, so nobody jumps over anybody's reach.
pub(crate) const MOMENT: u64 = 100_000_000;

/// A call lives through at most so many moments, so that none lasts for ever.
const MOST_MOMENTS: usize = 1 << 20;

/// How many nanoseconds a moment takes a computer, about, in which somebody or something else moves,
/// and how many more for each enemy that may do something: whom it notices, where it goes and whom it
/// strikes.
const A_MOMENT: u64 = 300;
const AN_ENEMY: u64 = 250;

/// What is added to how far somebody comes, in metres, so that rounding makes no difference.
const ROOM: f64 = 0.01;

impl World {
    /// Lets `duration` pass. Same world, orders and duration: same next world, on every machine.
    ///
    /// Time passes in moments of a tenth of a second and one shorter moment for the rest. Advancing
    /// by t and then by u is the same as advancing by t + u if t is a whole number of moments.
    ///
    /// However long `duration` is, this returns: a call lives through at most a million moments in
    /// which somebody may do something, more than a day, and leaves the rest out. As long as nobody
    /// does anything but wait, or go one step, years pass at once. [`time`](World::time) says how far
    /// it came; it ends after 584 years.
    ///
    /// # Panics
    ///
    /// If the world was made in a scenario with fewer actors or enemies.
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
        self.live(scenario, orders, duration, witness);
    }

    /// The same; returns how many nanoseconds that takes a computer, about and by count, beyond the one
    /// moment it always takes.
    pub(crate) fn live<W: Witness + ?Sized>(
        &mut self,
        scenario: &Scenario,
        orders: &Orders<'_>,
        duration: Duration,
        witness: &mut W,
    ) -> u64 {
        let left = u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX);
        // Where the clock ends, time does.
        let mut left = left.min(u64::MAX - self.time);
        let mut at = self.footings(scenario);
        let mut watch = Watch::default();
        let (mut moments, mut awake) = (0_u64, 0);
        for _ in 0..MOST_MOMENTS {
            if left == 0 {
                break;
            }
            if watch.holds < MOMENT {
                watch = self.look_around(scenario, orders, &at);
            }
            let mut moment = left.min(MOMENT);
            if watch.awake.is_empty() {
                // What would be many moments in which nobody else does anything can be one long one.
                moment = self.longest_rest(scenario, orders, left).min(watch.holds);
            }
            let is_struck =
                self.pass_moment(scenario, orders, moment, &watch.awake, &mut at, witness);
            // Whoever was struck may be dead.
            watch.holds = if is_struck { 0 } else { watch.holds - moment };
            left -= moment;
            moments += 1;
            awake += watch.awake.len();
        }
        A_MOMENT * moments.saturating_sub(1) + AN_ENEMY * awake
    }

    /// Which enemies may do anything soon: all that live and are not idle, and those an actor can
    /// come near.
    fn look_around(&self, scenario: &Scenario, orders: &Orders<'_>, at: &Footings) -> Watch {
        let mut watch = Watch {
            awake: NumberSet::default(),
            holds: u64::MAX,
        };
        if scenario.tables.beasts.is_empty() {
            return watch;
        }
        let actors = 0..scenario.actors.len();
        let actors = actors.map(|actor| self.loudest_and_fastest(scenario, orders, actor));
        let actors: OfActors<(f64, f64)> = actors.collect();
        for slot in 0..scenario.tables.beasts.len() {
            let state = &self.beasts[slot];
            if !state.is_alive() {
                continue;
            }
            if state.mode != Mode::Idle {
                watch.awake.insert(slot);
                watch.holds = watch.holds.min(RESTLESS);
                continue;
            }
            let (enemy, beast) = scenario.beast(slot);
            let mut sleeps = u64::MAX;
            for (number, actor) in scenario.actors.iter().enumerate() {
                if !self.actor_is_alive(number) {
                    continue;
                }
                let (noise, speed) = actors[number];
                let notices = match enemy.ignores(AgentId::Actor(number as u16)) {
                    true => 0.0,
                    false => beast.reach.max(beast.radius * noise),
                };
                let room = state.at().distance_to(at[number].0) - notices.max(actor.reach);
                sleeps = sleeps.min(moments_until(room, speed));
            }
            if sleeps < SHORTEST_SLEEP {
                watch.awake.insert(slot);
                watch.holds = watch.holds.min(DROWSY);
            } else {
                watch.holds = watch.holds.min(sleeps);
            }
        }
        watch
    }

    /// How loud and how fast an actor can be, with these orders.
    fn loudest_and_fastest(
        &self,
        scenario: &Scenario,
        orders: &Orders<'_>,
        actor: usize,
    ) -> (f64, f64) {
        let is_own = orders.are_of(actor);
        let asked = if is_own {
            orders.order().stance()
        } else if self.rests(scenario, orders, actor) {
            return (Rules::noise(self.actors[actor].stance.gait()), 0.0);
        } else {
            match orders.decider(actor) {
                Decider::Given(order) => order.stance(),
                Decider::Route => scenario.actors[actor].stance,
                // Nobody knows what a script asks for.
                Decider::Script(_) => Stance::new(Gait::Run),
            }
        };
        let gaits = [self.actors[actor].stance.gait(), asked.gait()];
        let waits = is_own && orders.order().action().is_none();
        let waits = waits && self.actors[actor].step.is_none();
        // Whoever cannot run walks.
        let walk = if gaits.contains(&Gait::Run) {
            Gait::Walk
        } else {
            gaits[0]
        };
        let most = |of: &dyn Fn(Gait) -> f64| of(gaits[0]).max(of(gaits[1])).max(of(walk));
        let speed = match waits {
            true => 0.0,
            false => most(&|gait| scenario.rules.speed(gait)),
        };
        (most(&Rules::noise), speed)
    }

    /// How long nobody who takes orders does anything that depends on how time is cut: all others
    /// rest, and the one whose orders these are goes on with one step, or waits, and is not tired.
    fn longest_rest(&self, scenario: &Scenario, orders: &Orders<'_>, left: u64) -> u64 {
        let usual = left.min(MOMENT);
        let others_rest = self.others_rest(scenario, orders) && scenario.tables.repeats_after == 1;
        if left == usual || !others_rest {
            return usual;
        }
        let Some(agent) = self.actors.get(orders.agent()) else {
            // Nobody hears these orders, and all others rest.
            return left;
        };
        let (action, stance) = agent.goes_on_with(orders);
        let is_dead = agent.health <= 0.0;
        if !agent.is_fresh(stance) && !is_dead {
            return usual;
        }
        let Some(action) = action.filter(|_| !is_dead) else {
            return left;
        };
        let takes = scenario.time_of(agent.place as usize, action, stance);
        let rest = takes.saturating_sub(agent.moved);
        let leads_to = || movement::step_leads_to(self, scenario, orders.agent(), action);
        let stays = || agent.step.is_none() && leads_to().is_none();
        if left <= rest || stays() {
            return left;
        }
        // It must not have arrived before the last moment.
        (rest.saturating_sub(1) / MOMENT * MOMENT).max(usual)
    }

    /// How long the step still takes that the one whose orders these are goes on with, or begins, where
    /// nothing else happens until then, so that it makes no difference how time is cut; `None` where
    /// something may, or it makes no step.
    pub(crate) fn rest_of_step(
        &self,
        scenario: &Scenario,
        orders: &Orders<'_>,
    ) -> Option<Duration> {
        if !scenario.tables.beasts.is_empty()
            || scenario.tables.repeats_after != 1
            || !self.others_rest(scenario, orders)
        {
            return None;
        }
        let agent = self.actors.get(orders.agent())?;
        let (action, stance) = agent.goes_on_with(orders);
        let is_able = agent.health > 0.0 && agent.is_fresh(stance);
        let action = action.filter(|_| is_able)?;
        let takes = scenario.time_of(agent.place as usize, action, stance);
        let rest = takes.checked_sub(agent.moved).filter(|rest| *rest > 0)?;
        Some(Duration::from_nanos(rest))
    }

    /// Whether everybody rests but the one whose orders these are.
    #[inline]
    pub(crate) fn others_rest(&self, scenario: &Scenario, orders: &Orders<'_>) -> bool {
        let mut all = 0..scenario.actors.len();
        all.all(|actor| orders.are_of(actor) || self.rests(scenario, orders, actor))
    }

    /// Whether somebody whose orders these are not is dead, or at the end of the route and at rest.
    #[inline]
    pub(crate) fn rests(&self, scenario: &Scenario, orders: &Orders<'_>, actor: usize) -> bool {
        let (rules, state) = (&scenario.actors[actor], &self.actors[actor]);
        let is_at_the_end = matches!(orders.decider(actor), Decider::Route)
            && state.memory as usize >= rules.route.len()
            && state.step.is_none()
            && state.stance == rules.stance
            && state.stance.gait() != Gait::Run
            && state.stamina >= FULL_HEALTH as f32;
        is_at_the_end || state.health <= 0.0
    }

    /// One moment. This is the order of the rules, and there is no other. Returns whether there was a
    /// blow.
    fn pass_moment<W: Witness + ?Sized>(
        &mut self,
        scenario: &Scenario,
        orders: &Orders<'_>,
        moment: u64,
        awake: &NumberSet,
        at: &mut Footings,
        witness: &mut W,
    ) -> bool {
        // 1. The clock: automatic doors and moving obstacles.
        self.time += moment;
        doors::follow_the_clock(self, scenario, witness);
        // 2. Who notices whom.
        let noticing = perception::notice(self, scenario, awake, at);
        // 3. Everybody decides: actors first, then enemies, each in ascending order.
        movement::set_out(self, scenario, orders);
        enemies::decide(self, scenario, awake, &noticing, at, witness);
        // 4. Everybody moves.
        let mut moving = NumberSet::default();
        for (actor, state) in self.actors.iter().enumerate() {
            if state.step.is_some() {
                moving.insert(actor);
            }
        }
        let arrivals = movement::go_on(self, scenario, orders, moment, witness);
        for actor in &moving {
            at[actor] = self.actor_footing(scenario, actor);
        }
        enemies::move_on(self, scenario, awake, at, moment);
        // 5. All blows at once, from the healths before them.
        let living = combat::living(self, awake);
        let is_struck = combat::strike(self, scenario, awake, at, &living, &arrivals, witness);
        if is_struck {
            // 6. The dead lie down.
            combat::bury(self, scenario, &living, witness);
        }
        // 7. Whoever arrived picks up what lies there, pulls levers, opens the door it stands in.
        for (actor, arrival) in arrivals {
            items::reach_out(self, scenario, actor, arrival.pulls, witness);
        }
        is_struck
    }

    /// Where all who take orders are.
    fn footings(&self, scenario: &Scenario) -> Footings {
        let actors = 0..scenario.actors.len();
        let at = actors.map(|actor| self.actor_footing(scenario, actor));
        at.collect()
    }
}

/// Which enemies may do anything, and for how many nanoseconds that holds. It is always right to
/// count too many among them, as long as they live.
#[derive(Default)]
struct Watch {
    awake: NumberSet,
    holds: u64,
}

/// Whoever may wake sooner counts as awake.
const SHORTEST_SLEEP: u64 = 2 * MOMENT;
/// Whoever only counts as awake is looked at again after this time.
const DROWSY: u64 = 5 * MOMENT;
/// Whoever is awake may have come home after this time.
const RESTLESS: u64 = 30 * MOMENT;

/// How long somebody at this speed takes for more than this many metres at least, in whole moments.
fn moments_until(room: f64, speed: f64) -> u64 {
    if room <= ROOM {
        return 0;
    }
    // Endless where nobody moves; in any case less than what might have been rounded.
    let seconds = (room - ROOM) / speed;
    if seconds < 1e9 {
        (seconds * 10.0) as u64 * MOMENT
    } else {
        u64::MAX
    }
}
