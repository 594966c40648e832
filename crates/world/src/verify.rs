//! Checks a plan by living through it, without any search code.

use std::fmt;

use apprentice_search::{Budget, Cost, Debt};

use crate::quest_problem::duration_of;
use crate::toll::toll;
use crate::{
    AgentId, Direction, Event, Gait, Goal, ItemId, Order, Point, Role, RoleError, Scenario, Step,
    World,
};

/// Lives through a plan: follows its orders one by one in the world and looks whether each can be
/// carried out, whether the agent survives, and whether the goal is met in the end.
///
/// Give it [`Scenario::for_planning`] to check a plan in the world it was made for, or the scenario
/// itself to find out whether it also works without the margins.
///
/// ```
/// use apprentice_world::{Direction, Gait, Order, Scenario, Stance, Why, World, verify};
///
/// let scenario = Scenario::parse(r#"
///     format = 1
///     start = [0, 0]
///     goal = { within = { at = [2, 0], radius = 0.0 } }
///     map = { rows = ["..."] }
/// "#)?;
/// let world = World::new(&scenario);
/// let east = Order::Step(Direction::East, Stance::new(Gait::Walk));
/// let lived = verify(&scenario, &world, &[east, east], scenario.goal()).expect("it is valid");
/// assert_eq!(lived.cost.as_seconds(), 2.0);
///
/// let too_far = verify(&scenario, &world, &[east, east, east], scenario.goal()).unwrap_err();
/// assert_eq!(too_far.to_string(), "step 3: one cannot go east from (2, 0)");
/// # Ok::<(), apprentice_world::ScenarioError>(())
/// ```
pub fn verify(
    scenario: &Scenario,
    start: &World,
    orders: &[Order],
    goal: &Goal,
) -> Result<Verified, Invalid> {
    verify_as(&scenario.role(), scenario, start, orders, goal)
}

/// Lives through a plan that was made for anybody, while all others behave as the role says: see
/// [`verify`].
///
/// ```
/// use apprentice_world::{AgentId, Direction, Gait, Order, Role, Scenario, Stance, World, verify_as};
///
/// let scenario = Scenario::parse(r#"
///     format = 1
///     start = [0, 0]
///     goal = { within = { at = [2, 0], radius = 0.0 } }
///     map = { rows = ["....."] }
///     actor = [{ id = "anna", at = [4, 0] }]
/// "#)?;
/// let world = World::new(&scenario);
/// let west = Order::Step(Direction::West, Stance::new(Gait::Walk));
/// let anna = Role::of(scenario.actor("anna")?);
/// assert!(verify_as(&anna, &scenario, &world, &[west, west], scenario.goal()).is_ok());
///
/// let nobody = Role::of(AgentId::Actor(9));
/// let error = verify_as(&nobody, &scenario, &world, &[west], scenario.goal()).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "step 0: nobody of number 9 takes orders here; those who do have the numbers 0 to 1",
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn verify_as(
    role: &Role,
    scenario: &Scenario,
    start: &World,
    orders: &[Order],
    goal: &Goal,
) -> Result<Verified, Invalid> {
    let mut verification = Verification::new(start, orders.to_vec()).in_role(role.clone());
    at_once(|budget| verification.go_on(scenario, goal, budget))
}

/// Does in one go what can be done a little at a time.
pub(crate) fn at_once<T>(mut go_on: impl FnMut(&mut Budget<'_>) -> Option<T>) -> T {
    loop {
        if let Some(outcome) = go_on(&mut Budget::unlimited()) {
            return outcome;
        }
    }
}

/// A plan that is being checked, a few steps at a time.
///
/// ```
/// use apprentice_search::Budget;
/// use apprentice_world::{Direction, Gait, Order, Scenario, Stance, Verification, World};
///
/// # let scenario = Scenario::parse("format = 1\nstart = [0, 0]\ngoal = { within = { at = [2, 0], radius = 0.0 } }\nmap = { rows = ['...'] }").unwrap();
/// let orders = vec![Order::Step(Direction::East, Stance::new(Gait::Walk)); 2];
/// let mut verification = Verification::new(&World::new(&scenario), orders);
/// let outcome = verification.go_on(&scenario, scenario.goal(), &mut Budget::units(10));
/// assert!(outcome.is_some_and(|outcome| outcome.is_ok()));
/// ```
#[derive(Clone, Debug)]
pub struct Verification {
    world: World,
    /// Whose plan it is; of whom the scenario plans for, if nobody says.
    role: Option<Role>,
    orders: Vec<Order>,
    time: Cost,
    /// What all of it cost.
    cost: Cost,
    /// How many parts of a goal with an order were met.
    parts_met: usize,
    steps: Vec<VerifiedStep>,
    debt: Debt,
}

/// How many nanoseconds a step takes, about, where nobody else moves, with keeping the world as it is
/// then.
const A_STEP: u64 = 500;

impl Verification {
    /// Of these orders, in a world that begins so.
    pub fn new(start: &World, orders: Vec<Order>) -> Verification {
        Verification {
            world: start.clone(),
            role: None,
            time: Cost::ZERO,
            cost: Cost::ZERO,
            parts_met: 0,
            steps: Vec::with_capacity(orders.len()),
            orders,
            debt: Debt::default(),
        }
    }

    /// The same, of a plan for somebody else, while all others behave as the role says.
    #[must_use]
    pub fn in_role(mut self, role: Role) -> Verification {
        self.role = Some(role);
        self
    }

    /// Goes on; a unit of budget for ten steps where nobody else moves, and more where they
    /// take longer. `None`: the budget is spent, call again.
    pub fn go_on(
        &mut self,
        scenario: &Scenario,
        goal: &Goal,
        budget: &mut Budget<'_>,
    ) -> Option<Result<Verified, Invalid>> {
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
        while self.debt.pay(budget) {
            let met = self.parts_met;
            self.parts_met = self.world.parts_met(goal, met, role.agent, scenario);
            let number = self.steps.len();
            let Some(order) = self.orders.get(number) else {
                return Some(self.end(role, scenario, goal));
            };
            if let Err(why) = self.live_through_a_step(role, scenario, *order) {
                let step = number + 1;
                return Some(Err(Invalid { step, why }));
            }
        }
        None
    }

    fn live_through_a_step(
        &mut self,
        role: &Role,
        scenario: &Scenario,
        order: Order,
    ) -> Result<(), Why> {
        let (world, agent) = (&mut self.world, role.agent);
        let from = world.place(agent, scenario);
        let map = &scenario.map;
        if world.is_dead(agent, scenario) {
            return Err(Why::AlreadyDead);
        }
        let stance = order.stance();
        if stance.gait() == Gait::Run && scenario.rules.speed(Gait::Run) == 0.0 {
            return Err(Why::NobodyRuns);
        }
        let duration = duration_of(scenario, from, order);
        let mut events = Vec::new();
        let before = (!scenario.prices.is_none()).then(|| world.clone());
        let worked = world.live(scenario, &role.orders(order), duration, &mut events);
        self.debt.add(A_STEP + worked);
        let time = Cost::from_ticks(duration.as_nanos() as u64);
        self.time = self.time + time;
        let (actor, place) = (role.actor(), world.place(agent, scenario));
        self.cost = self.cost + scenario.cost_of_time(actor, place, time);
        if let Some(before) = before {
            self.cost = self.cost + toll(scenario, actor, &before, world);
        }
        if world.is_dead(agent, scenario) {
            return Err(Why::Dies {
                at: world.position(agent, scenario),
            });
        }
        if let Some(lost) = lost(scenario, agent, &events) {
            return Err(lost);
        }
        let leads_to = order.action().map(|action| map.follow(from, action));
        let arrived = |step: Step| step.place == place;
        if leads_to.is_some_and(|step| !step.is_some_and(arrived)) {
            let from = map.point_of(from);
            return Err(match order {
                Order::Step(direction, _) => Why::Blocked { from, direction },
                _ => Why::NoLink { from },
            });
        }
        self.steps.push(VerifiedStep {
            time: self.time,
            order,
            place,
            at: world.position(agent, scenario),
            health: world.health(agent, scenario),
            holding: world.holding(agent).collect(),
            events,
            world: world.clone(),
        });
        Ok(())
    }

    fn end(&mut self, role: &Role, scenario: &Scenario, goal: &Goal) -> Result<Verified, Invalid> {
        let agent = role.agent;
        let view = self.world.seen_by(agent, scenario);
        if !goal.is_met(&view.with_parts_met(self.parts_met)) {
            return Err(Invalid {
                step: self.orders.len(),
                why: Why::GoalNotMet {
                    at: self.world.position(agent, scenario),
                },
            });
        }
        Ok(Verified {
            steps: std::mem::take(&mut self.steps),
            cost: self.cost,
        })
    }
}

/// Whether somebody else has died who must survive.
pub(crate) fn lost(scenario: &Scenario, planned: AgentId, events: &[Event]) -> Option<Why> {
    let mut died = events.iter().filter_map(|event| match event {
        Event::Died { agent } if *agent != planned => Some(*agent),
        _ => None,
    });
    let must_survive = |agent: &AgentId| {
        let actor = scenario.actor_of(*agent);
        actor.is_some_and(|actor| actor.must_survive)
    };
    died.find(must_survive)
        .map(|agent| Why::OtherDies { agent })
}

/// A plan that works, and how it went.
#[derive(Clone, Debug, PartialEq)]
pub struct Verified {
    /// What each order led to.
    pub steps: Vec<VerifiedStep>,
    /// How long all of it takes, as seconds count where they are spent ([`Area`](crate::Area)), and what it
    /// pays besides ([`Prices`](crate::Prices)).
    pub cost: Cost,
}

impl Verified {
    /// How long all of it takes.
    pub fn time(&self) -> Cost {
        self.steps.last().map_or(Cost::ZERO, |step| step.time)
    }
}

/// What one order led to.
#[derive(Clone, Debug, PartialEq)]
pub struct VerifiedStep {
    /// When it was done.
    pub time: Cost,
    /// What was asked.
    pub order: Order,
    /// The place of the map the agent was in then.
    pub place: usize,
    /// Where that is.
    pub at: Point,
    /// Its health.
    pub health: f64,
    /// What it held.
    pub holding: Vec<ItemId>,
    /// What happened meanwhile.
    pub events: Vec<Event>,
    /// The world as it was then.
    pub world: World,
}

/// A plan that does not work: at which step, counted from 1, and why.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Invalid {
    /// The step; the last one if the goal is not met after it, 0 if there is none.
    pub step: usize,
    /// The reason.
    pub why: Why,
}

/// Why a plan does not work.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Why {
    /// A wall, a door, an obstacle or a corner is in the way.
    Blocked {
        /// Where the agent was.
        from: Point,
        /// Where it was to go.
        direction: Direction,
    },
    /// No such link begins there, or a door is in the way.
    NoLink {
        /// Where the agent was.
        from: Point,
    },
    /// Running has no speed in this scenario.
    NobodyRuns,
    /// The agent dies.
    Dies {
        /// Where.
        at: Point,
    },
    /// The agent was dead before.
    AlreadyDead,
    /// Somebody else dies who must not.
    OtherDies {
        /// Who.
        agent: AgentId,
    },
    /// Nobody there takes such orders.
    Nobody(RoleError),
    /// The goal is not met after the last step.
    GoalNotMet {
        /// Where the agent is then.
        at: Point,
    },
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.why {
            Why::Blocked { from, direction } => {
                write!(
                    f,
                    "step {}: one cannot go {direction} from {from}",
                    self.step
                )
            }
            Why::NoLink { from } => {
                write!(f, "step {}: one cannot leap from {from}", self.step)
            }
            Why::NobodyRuns => write!(
                f,
                "step {}: nobody runs here; give `run` a speed under [rules], or walk",
                self.step
            ),
            Why::Dies { at } => write!(f, "step {}: the agent dies at {at}", self.step),
            Why::AlreadyDead => write!(f, "step {}: the agent is dead", self.step),
            Why::OtherDies {
                agent: AgentId::PLAYER,
            } => write!(f, "step {}: the player dies", self.step),
            Why::OtherDies { agent } => {
                write!(f, "step {}: {agent:?} dies and must survive", self.step)
            }
            Why::Nobody(error) => write!(f, "step {}: {error}", self.step),
            Why::GoalNotMet { at } => {
                write!(
                    f,
                    "step {}: the plan ends at {at} and the goal is not met",
                    self.step
                )
            }
        }
    }
}

impl std::error::Error for Invalid {}
