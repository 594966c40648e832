//! Lives through a plan as a game does: tick by tick.
//!
//! A plan is made with whole steps, each cut into moments of its own. A game cuts time its own way,
//! and so whoever passes an enemy closely may be noticed a moment earlier there than planned.

use std::time::Duration;

use apprentice_search::{Budget, Cost, Debt};

use crate::quest_problem::duration_of;
use crate::toll::toll;
use crate::verify::{A_STEP, at_once, lost};
use crate::{
    AgentId, Event, Goal, Invalid, Order, Role, Scenario, Verified, VerifiedStep, Why, World,
};

/// Lives through a plan in ticks of a game, each order heard when the step before it ends. Looks
/// for the same as [`verify`](crate::verify) does; the end is reached as soon as the goal is met.
///
/// Each step says when it was planned to be over; its world is that of the first tick at which it
/// was, or of that very moment where nobody else moves.
///
/// ```
/// use std::time::Duration;
/// use apprentice_world::{Direction, Gait, Order, Scenario, Stance, World, rehearse};
///
/// let scenario = Scenario::parse(r#"
///     format = 1
///     start = [0, 0]
///     goal = { within = { at = [2, 0], radius = 0.0 } }
///     map = { rows = ["..."] }
/// "#)?;
/// let east = Order::Step(Direction::East, Stance::new(Gait::Walk));
/// let (world, tick) = (World::new(&scenario), Duration::from_millis(16));
/// let lived = rehearse(&scenario, &world, &[east, east], scenario.goal(), tick);
/// assert_eq!(lived.expect("it is valid").steps.len(), 2);
/// let too_short = rehearse(&scenario, &world, &[east], scenario.goal(), tick).unwrap_err();
/// assert_eq!(too_short.to_string(), "step 1: the plan ends at (1, 0) and the goal is not met");
/// # Ok::<(), apprentice_world::ScenarioError>(())
/// ```
///
/// # Panics
///
/// If a tick takes no time.
pub fn rehearse(
    scenario: &Scenario,
    start: &World,
    orders: &[Order],
    goal: &Goal,
    tick: Duration,
) -> Result<Verified, Invalid> {
    rehearse_as(&scenario.role(), scenario, start, orders, goal, tick)
}

/// Lives through a plan that was made for anybody in ticks of a game, while all others behave as the
/// role says: see [`rehearse`].
///
/// # Panics
///
/// If a tick takes no time.
pub fn rehearse_as(
    role: &Role,
    scenario: &Scenario,
    start: &World,
    orders: &[Order],
    goal: &Goal,
    tick: Duration,
) -> Result<Verified, Invalid> {
    let mut rehearsal = Rehearsal::new(start, orders.to_vec(), tick).in_role(role.clone());
    at_once(|budget| rehearsal.go_on(scenario, goal, budget))
}

/// A plan that is being lived through, a few ticks at a time.
///
/// ```
/// use std::time::Duration;
/// use apprentice_search::Budget;
/// use apprentice_world::{Direction, Gait, Order, Rehearsal, Scenario, Stance, World};
///
/// # let scenario = Scenario::parse("format = 1\nstart = [0, 0]\ngoal = { within = { at = [2, 0], radius = 0.0 } }\nmap = { rows = ['..............................'] }\nenemy = [{ id = 'grey', kind = 'wolf', at = [29, 0] }]").unwrap();
/// let orders = vec![Order::Step(Direction::East, Stance::new(Gait::Walk)); 2];
/// let mut rehearsal = Rehearsal::new(&World::new(&scenario), orders, Duration::from_millis(16));
/// let mut go_on = || rehearsal.go_on(&scenario, scenario.goal(), &mut Budget::units(10));
/// assert_eq!(go_on(), None);
/// assert!(go_on().is_some_and(|outcome| outcome.is_ok()));
/// ```
#[derive(Clone, Debug)]
pub struct Rehearsal {
    world: World,
    /// Whose plan it is; of whom the scenario plans for, if nobody says.
    role: Option<Role>,
    orders: Vec<Order>,
    tick: Duration,
    /// What was planned to be over so far takes this long.
    time: Cost,
    /// What all of it cost.
    cost: Cost,
    /// How many parts of a goal with an order were met.
    parts_met: usize,
    steps: Vec<VerifiedStep>,
    /// The step that is being lived through.
    under_way: Option<UnderWay>,
    debt: Debt,
}

/// A step that is being lived through.
#[derive(Clone, Debug)]
struct UnderWay {
    /// The place it leaves from, and the one it leads to.
    from: usize,
    to: usize,
    takes: Duration,
    /// When it was to be over.
    until: Duration,
    /// How many ticks of it were lived through.
    ticks: u64,
    events: Vec<Event>,
}

/// Ticks for a unit of budget: they are cheap beside the expansions of a search. Where many are about,
/// some more units pay for what takes longer.
const TICKS_A_UNIT: u64 = 8;

impl Rehearsal {
    /// One of these orders that begins in `start`. Ticks should be shorter than the shortest step.
    ///
    /// # Panics
    ///
    /// If a tick takes no time.
    pub fn new(start: &World, orders: Vec<Order>, tick: Duration) -> Rehearsal {
        assert!(!tick.is_zero(), "a tick takes time");
        Rehearsal {
            world: start.clone(),
            role: None,
            tick,
            time: Cost::ZERO,
            cost: Cost::ZERO,
            parts_met: 0,
            steps: Vec::with_capacity(orders.len()),
            orders,
            under_way: None,
            debt: Debt::default(),
        }
    }

    /// The same, of a plan for somebody else, while all others behave as the role says.
    #[must_use]
    pub fn in_role(mut self, role: Role) -> Rehearsal {
        self.role = Some(role);
        self
    }

    /// Goes on; a unit of budget for every eight ticks, at least one for each step, and more where
    /// ticks take long because many enemies are about. Where nobody else moves, steps are lived through
    /// at once, ten for a unit. `None`: the budget is spent, call again.
    pub fn go_on(
        &mut self,
        scenario: &Scenario,
        goal: &Goal,
        budget: &mut Budget<'_>,
    ) -> Option<Result<Verified, Invalid>> {
        budget.change_pace();
        let role = self.role.take();
        let role = role.unwrap_or_else(|| scenario.role());
        let outcome = self.go_on_as(&role, scenario, goal, budget);
        self.role = Some(role);
        outcome
    }

    fn go_on_as(
        &mut self,
        role: &Role,
        scenario: &Scenario,
        goal: &Goal,
        budget: &mut Budget<'_>,
    ) -> Option<Result<Verified, Invalid>> {
        if let Err(why) = role.check(scenario) {
            let why = Why::Nobody(why);
            return Some(Err(Invalid { step: 0, why }));
        }
        loop {
            if !self.debt.pay(budget) {
                return None;
            }
            let met = self.parts_met;
            self.parts_met = self.world.parts_met(goal, met, role.agent, scenario);
            let is_over = || {
                let is_done = self.steps.len() == self.orders.len();
                is_done || self.is_met(role, scenario, goal)
            };
            if self.under_way.is_none() && is_over() {
                break;
            }
            let ticks = self.under_way.as_ref().map_or(0, |step| step.ticks);
            let at_once = self.at_once(role, scenario, goal);
            if at_once.is_none() && ticks.is_multiple_of(TICKS_A_UNIT) && !budget.take() {
                return None;
            }
            if let Err(why) = self.live_through_a_tick(role, scenario, goal, at_once) {
                let step = self.steps.len() + 1;
                return Some(Err(Invalid { step, why }));
            }
        }
        if !self.is_met(role, scenario, goal) {
            let at = self.world.position(role.agent, scenario);
            let step = self.orders.len();
            return Some(Err(Invalid {
                step,
                why: Why::GoalNotMet { at },
            }));
        }
        Some(Ok(Verified {
            steps: std::mem::take(&mut self.steps),
            cost: self.cost,
        }))
    }

    fn is_met(&self, role: &Role, scenario: &Scenario, goal: &Goal) -> bool {
        let view = self.world.seen_by(role.agent, scenario);
        goal.is_met(&view.with_parts_met(self.parts_met))
    }

    /// The steps that were lived through so far, or until it came to grief.
    pub fn into_lived(self) -> Vec<VerifiedStep> {
        self.steps
    }

    /// What is left of a step in which nothing else happens: so many ticks may as well be one.
    fn at_once(&self, role: &Role, scenario: &Scenario, goal: &Goal) -> Option<Duration> {
        // Parts of a goal with an order may be met between two places.
        if goal.order().is_some() {
            return None;
        }
        let order = self.orders.get(self.steps.len())?;
        (self.world).rest_of_step(scenario, &role.orders(*order))
    }

    fn live_through_a_tick(
        &mut self,
        role: &Role,
        scenario: &Scenario,
        goal: &Goal,
        at_once: Option<Duration>,
    ) -> Result<(), Why> {
        let number = self.steps.len();
        let order = self.orders[number];
        // Who has nothing more to do stays as it is.
        let rest = Order::Wait(order.stance());
        let next = self.orders.get(number + 1).copied().unwrap_or(rest);
        let mut step = match self.under_way.take() {
            Some(step) => step,
            None => self.set_out(role.agent, scenario, order)?,
        };
        let agent = role.agent;
        let was_under_way = self.world.is_under_way(agent);
        let heard = if was_under_way { next } else { order };
        let before = step.events.len();
        let orders = role.orders(heard);
        let was = (!scenario.prices.is_none()).then(|| self.world.clone());
        let tick = at_once.unwrap_or(self.tick);
        let worked = (self.world).live(scenario, &orders, tick, &mut step.events);
        (self.debt).add(match at_once {
            Some(_) => A_STEP + worked,
            // The rest is paid by the tick's part of a unit.
            None => worked.saturating_sub(Debt::A_UNIT / TICKS_A_UNIT),
        });
        step.ticks += 1;
        if let Some(was) = was {
            let toll = toll(scenario, role.actor(), &was, &self.world);
            self.cost = self.cost + toll;
        }
        if self.world.is_dead(agent, scenario) {
            let at = self.world.position(agent, scenario);
            return Err(Why::Dies { at });
        }
        if let Some(lost) = lost(scenario, agent, &step.events[before..]) {
            return Err(lost);
        }
        let place = self.world.place(agent, scenario);
        let is_over = if step.from == step.to {
            self.world.time() >= step.until
        } else {
            place == step.to
        };
        if is_over || self.is_met(role, scenario, goal) {
            self.arrive(role, scenario, order, step);
            return Ok(());
        }
        let stands = !was_under_way && !self.world.is_under_way(agent);
        let is_turned_back = step.events[before..].contains(&Event::TurnedBack { agent });
        if place != step.from || is_turned_back || stands && step.from != step.to {
            return Err(blocked(scenario, step.from, order));
        }
        self.under_way = Some(step);
        Ok(())
    }

    /// A step that begins where the agent stands.
    fn set_out(&self, agent: AgentId, scenario: &Scenario, order: Order) -> Result<UnderWay, Why> {
        let from = self.world.place(agent, scenario);
        let takes = duration_of(scenario, from, order);
        let to = match order.action() {
            None => Some(from),
            Some(action) => scenario.map.follow(from, action).map(|step| step.place),
        };
        Ok(UnderWay {
            from,
            to: to.ok_or_else(|| blocked(scenario, from, order))?,
            takes,
            until: self.world.time() + takes,
            ticks: 0,
            events: Vec::new(),
        })
    }

    /// A step is over.
    fn arrive(&mut self, role: &Role, scenario: &Scenario, order: Order, step: UnderWay) {
        let (agent, time) = (role.agent, Cost::from_ticks(step.takes.as_nanos() as u64));
        self.time = self.time + time;
        let place = self.world.place(agent, scenario);
        self.cost = self.cost + scenario.cost_of_time(role.actor(), place, time);
        self.steps.push(VerifiedStep {
            time: self.time,
            order,
            place: self.world.place(agent, scenario),
            at: self.world.position(agent, scenario),
            health: self.world.health(agent, scenario),
            holding: self.world.holding(agent).collect(),
            events: step.events,
            world: self.world.clone(),
        });
    }
}

/// Why an order that leads nowhere from a place does not work.
fn blocked(scenario: &Scenario, from: usize, order: Order) -> Why {
    let from = scenario.map.point_of(from);
    match order {
        Order::Step(direction, _) => Why::Blocked { from, direction },
        _ => Why::NoLink { from },
    }
}
