//! Carries plans out: follows one, notices when the world has gone another way, and makes a new one
//! while it keeps going.
//!
//! An [`Executor`] is asked for an order at every tick of a game and always has one. It reads no
//! clock and spends no more than the budget it is given, so that the same world and budgets give
//! the same orders on every machine.

use std::time::Duration;

use apprentice_search::Budget;
use apprentice_world::{
    Abilities, AgentId, AnyQuest, Gait, Goal, Order, Scenario, Stance, VerifiedStep, World,
};

use crate::deviation::{enemy_elsewhere, flag_that_differs};
use crate::plan::{GRACE, Plan, is_standing, look_ahead, spot};
use crate::thought::{PATIENCE, Thinking, Thought, Work, cautions};
use crate::{Deviation, Planner};

/// No game has shorter ticks.
const LEAST_TICK: Duration = Duration::from_millis(1);
/// The tick of a game that has not shown its own yet.
const USUAL_TICK: Duration = Duration::from_millis(16);

/// Follows a plan, and makes another when the world has gone another way.
///
/// ```
/// use std::time::Duration;
/// use apprentice_behavior::{Doing, Executor, Settings};
/// use apprentice_search::Budget;
/// use apprentice_world::{Abilities, Orders, Scenario, World};
///
/// let scenario = Scenario::parse(r#"
///     format = 1
///     start = [0, 0]
///     goal = { within = { at = [4, 0], radius = 0.0 } }
///     map = { rows = ["....."] }
/// "#)?;
/// let planner = Settings::default().check(&scenario, [])?.planner;
/// let mut executor = Executor::new(planner, Abilities::default());
/// let mut world = World::new(&scenario);
/// while executor.doing() != Doing::Done {
///     let order = executor.decide(&scenario, &world, &mut Budget::expansions(100));
///     world.advance(&scenario, &Orders::new(order), Duration::from_millis(100), &mut ());
/// }
/// assert_eq!(executor.plans(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Executor {
    planner: Planner,
    abilities: Abilities,
    /// What it is after, if that is not the goal of the scenario.
    goal: Option<Goal>,
    plan: Option<Plan>,
    thought: Option<Thought>,
    doing: Doing,
    deviation: Option<Deviation>,
    /// The world in which it was proven that there is no plan.
    hopeless: Option<World>,
    /// What was asked last, and the world it was asked in.
    last: Option<(Order, World)>,
    /// What has changed since the last decision that never changes by itself.
    news: Option<Deviation>,
    plans: u32,
    /// How enemies were taken to be in the plan that is followed, by number; the next is made so, too.
    caution: usize,
    /// The time between the last two decisions.
    tick: Duration,
}

/// What a character is at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doing {
    /// Follows a plan that holds.
    Following,
    /// Makes a plan. What it does meanwhile belongs to the old one, if there was one.
    Thinking,
    /// The goal is met.
    Done,
    /// There is no plan; it waits for the world to change.
    Stuck,
    /// Died.
    Dead,
}

impl Executor {
    /// One that has no plan yet.
    pub fn new(planner: Planner, abilities: Abilities) -> Executor {
        Executor {
            planner,
            abilities,
            goal: None,
            plan: None,
            thought: None,
            doing: Doing::Thinking,
            deviation: None,
            hopeless: None,
            last: None,
            news: None,
            plans: 0,
            caution: 0,
            tick: USUAL_TICK,
        }
    }

    /// What to do now. To be called before every advance of the world, with ticks shorter than the
    /// shortest step. There is always an answer, and it takes no more than the budget.
    pub fn decide(&mut self, scenario: &Scenario, world: &World, budget: &mut Budget<'_>) -> Order {
        if let Some((_, before)) = &self.last {
            let tick = world.time().saturating_sub(before.time());
            // Pauses are no ticks, nor is what is left of a frame.
            if (LEAST_TICK..=GRACE).contains(&tick) {
                self.tick = tick;
            }
        }
        let order = self.next_order(scenario, world, budget);
        self.last = Some((order, *world));
        order
    }

    /// What it is at, since the last decision.
    pub fn doing(&self) -> Doing {
        self.doing
    }

    /// Why the last plan was left; none if none was.
    pub fn deviation(&self) -> Option<&Deviation> {
        self.deviation.as_ref()
    }

    /// How many plans it has found so far.
    pub fn plans(&self) -> u32 {
        self.plans
    }

    /// What is still ahead of the plan it follows.
    pub fn ahead(&self) -> &[VerifiedStep] {
        self.plan
            .as_ref()
            .map_or(&[], |plan| &plan.steps[plan.done..])
    }

    /// Says that something has changed which never changes in a run: the map, a place, a rule. The
    /// next decision makes a new plan.
    pub fn level_changed(&mut self) {
        self.news = Some(Deviation::LevelChanged);
    }

    /// Makes something else its goal, instead of the scenario's: the next decision stops where it
    /// is and makes a plan for that. So a planner of tasks leads a character from one to the next.
    ///
    /// ```
    /// use std::time::Duration;
    /// use apprentice_behavior::{Doing, Executor, Settings};
    /// use apprentice_search::Budget;
    /// use apprentice_world::{Abilities, AgentId, Goal, Orders, Point, Scenario, World};
    ///
    /// let scenario = Scenario::parse(r#"
    ///     format = 1
    ///     start = [2, 0]
    ///     goal = { within = { at = [4, 0], radius = 0.0 } }
    ///     map = { rows = ["....."] }
    /// "#)?;
    /// let planner = Settings::default().check(&scenario, [])?.planner;
    /// let mut executor = Executor::new(planner, Abilities::default());
    /// let mut world = World::new(&scenario);
    /// for x in [0.0, 3.0] {
    ///     let at = Point::new(x, 0.0);
    ///     executor.pursue(Goal::Within { at, height: None, radius: 0.0 });
    ///     while executor.doing() != Doing::Done {
    ///         let order = executor.decide(&scenario, &world, &mut Budget::expansions(100));
    ///         world.advance(&scenario, &Orders::new(order), Duration::from_millis(100), &mut ());
    ///     }
    ///     assert_eq!(world.position(AgentId::NPC, &scenario), at);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn pursue(&mut self, goal: Goal) {
        self.goal = Some(goal);
        self.doing = Doing::Thinking;
        self.news = Some(Deviation::NewGoal);
    }

    /// Thinks with another planner from now on, beginning with the next decision.
    pub fn change_planner(&mut self, planner: Planner) {
        self.planner = planner;
        self.news = Some(Deviation::LevelChanged);
    }

    fn next_order(&mut self, scenario: &Scenario, world: &World, budget: &mut Budget<'_>) -> Order {
        if world.is_dead(AgentId::NPC, scenario) {
            self.doing = Doing::Dead;
            return Order::WAIT;
        }
        let goal = self.goal.as_ref().unwrap_or(scenario.goal());
        if goal.is_met(&world.seen_in(scenario)) {
            self.doing = Doing::Done;
            self.plan = None;
            self.thought = None;
            return self.wait();
        }
        for plan in [
            self.plan.as_mut(),
            self.thought
                .as_mut()
                .and_then(|thought| thought.lead.as_mut()),
        ]
        .into_iter()
        .flatten()
        {
            plan.progress(scenario, world);
        }
        self.notice(scenario, world);
        if self.thought.is_some() {
            self.think(scenario, world, budget);
        }
        self.order_at_hand(world)
    }

    /// Looks whether the plan still holds, and begins to think if it doesn't.
    fn notice(&mut self, scenario: &Scenario, world: &World) {
        if let Some(news) = self.news.take() {
            self.caution = 0;
            self.reconsider(scenario, world, Some(news));
            return;
        }
        if let Some(hopeless) = &self.hopeless {
            // Nothing new, nothing to think about.
            let is_elsewhere =
                is_standing(world) && spot(scenario, world) != spot(scenario, hopeless);
            let changed = is_elsewhere
                || flag_that_differs(scenario, world, &[hopeless]).is_some()
                || enemy_elsewhere(scenario, world, hopeless).is_some();
            if !changed {
                self.doing = Doing::Stuck;
                return;
            }
            self.hopeless = None;
        }
        if let Some(thought) = &self.thought {
            let is_lost = thought.is_lost(scenario, world);
            if is_lost || self.came_to_nothing(scenario, world) {
                self.reconsider(scenario, world, None);
            }
            return;
        }
        let Some(plan) = &self.plan else {
            return self.reconsider(scenario, world, None);
        };
        let deviation = if self.came_to_nothing(scenario, world) {
            Some(Deviation::Blocked)
        } else {
            plan.deviation(scenario, world)
        };
        if deviation.is_some() {
            self.reconsider(scenario, world, deviation);
        }
    }

    /// Whether the last order was a step and nothing came of it.
    fn came_to_nothing(&self, scenario: &Scenario, world: &World) -> bool {
        let Some((Order::Step(..), before)) = &self.last else {
            return false;
        };
        let was = before.position(AgentId::NPC, scenario);
        let is = world.position(AgentId::NPC, scenario);
        was == is && is_standing(before) && before.time() < world.time()
    }

    /// Begins to make a plan from where the character will be in a moment.
    fn reconsider(&mut self, scenario: &Scenario, world: &World, why: Option<Deviation>) {
        self.deviation = why.or(self.deviation.take());
        self.hopeless = None;
        let old = self.plan.take();
        // The rest of a plan that leads nowhere, or elsewhere, is no way to begin.
        let is_worthless = matches!(
            self.deviation,
            Some(Deviation::Blocked | Deviation::NewGoal)
        );
        let (from, lead) = look_ahead(scenario, world, old.filter(|_| !is_worthless));
        // A planner was checked against its scenario; one that makes no search has no plan.
        match self.work(scenario, &from, self.caution) {
            Some(work) => {
                self.doing = Doing::Thinking;
                self.thought = Some(Thought {
                    began: *world,
                    from,
                    lead,
                    work,
                    caution: self.caution,
                    tried: 1 << self.caution,
                    found: None,
                    fallback: None,
                    spent: 0,
                    patience: u64::MAX,
                });
            }
            None => self.give_up(world),
        }
    }

    /// The quest that begins in a world, and the search for it.
    fn work(&self, scenario: &Scenario, from: &World, caution: usize) -> Option<Work> {
        let goal = self.goal.as_ref().unwrap_or(scenario.goal());
        let quest = match cautions(scenario.margins()).get(caution) {
            Some(margins) if caution > 0 => {
                let scenario = scenario.clone().with_margins(*margins);
                AnyQuest::new(&scenario, from, goal, self.abilities)
            }
            _ => AnyQuest::new(scenario, from, goal, self.abilities),
        };
        let work = match quest {
            AnyQuest::Still(quest) => {
                let search = self.planner.search(&quest);
                search.map(|named| Work::Still(quest, named.search))
            }
            AnyQuest::Moving(quest) => {
                let search = self.planner.search(&quest);
                search.map(|named| Work::Moving(quest, named.search))
            }
        };
        work.ok()
    }

    fn give_up(&mut self, world: &World) {
        self.thought = None;
        self.hopeless = Some(*world);
        self.doing = Doing::Stuck;
    }

    /// Goes on with the plan that is being made, and follows it once it is found, has been
    /// rehearsed, and its beginning is reached.
    fn think(&mut self, scenario: &Scenario, world: &World, budget: &mut Budget<'_>) {
        let Some(thought) = &mut self.thought else {
            return;
        };
        if thought.found.is_none() {
            let before = budget.taken();
            let outcome = thought.search(budget);
            thought.spent += budget.taken() - before;
            match outcome {
                Thinking::Found(steps) => thought.keep(scenario, world, steps, self.tick),
                Thinking::Hopeless => return self.think_otherwise(scenario, world),
                Thinking::NotYet if thought.spent > thought.patience => {
                    thought.tried = u32::MAX;
                    return self.think_otherwise(scenario, world);
                }
                Thinking::NotYet => {}
            }
        }
        let goal = self.goal.as_ref().unwrap_or(scenario.goal());
        let Some(found) = &mut thought.found else {
            return;
        };
        match found.rehearse(scenario, goal, budget) {
            None => return,
            Some(true) => self.caution = thought.caution,
            Some(false) => {
                let found = thought.found.take();
                if thought.fallback.is_none() {
                    thought.fallback = found;
                    let (times, more) = PATIENCE;
                    thought.patience = thought.spent.saturating_mul(times).saturating_add(more);
                    thought.spent = 0;
                }
                return self.think_otherwise(scenario, world);
            }
        }
        self.set_out(scenario, world);
    }

    /// Follows the plan that was found, if its beginning is reached.
    fn set_out(&mut self, scenario: &Scenario, world: &World) {
        let Some(thought) = &mut self.thought else {
            return;
        };
        if !thought.is_near(world) {
            return;
        }
        let Some(found) = thought.found.take() else {
            return;
        };
        let mut plan = Plan {
            start: found.start,
            steps: found.steps,
            done: 0,
            begun: false,
            delay: Duration::ZERO,
        };
        self.thought = None;
        self.plans += 1;
        self.doing = Doing::Following;
        plan.progress(scenario, world);
        let outdated = plan.deviation(scenario, world);
        self.plan = Some(plan);
        // The world did not wait for the thought.
        if outdated.is_some() {
            self.reconsider(scenario, world, outdated);
        }
    }

    /// There is no plan as enemies were taken to be, or it came to grief in the rehearsal. Takes
    /// them to be otherwise; if everything was tried, the first plan there was is better than none.
    fn think_otherwise(&mut self, scenario: &Scenario, world: &World) {
        let Some(mut thought) = self.thought.take() else {
            return;
        };
        let count = cautions(scenario.margins()).len();
        // Where there is no plan in the first place, being careful finds none.
        let is_hopeless = thought.caution == 0 && thought.fallback.is_none();
        let next = (0..count).find(|caution| thought.tried >> caution & 1 == 0);
        if let Some(caution) = next.filter(|_| !is_hopeless) {
            thought.from = thought.start(scenario, world);
            if let Some(work) = self.work(scenario, &thought.from, caution) {
                thought.tried |= 1 << caution;
                thought.work = work;
                thought.caution = caution;
                self.thought = Some(thought);
                return;
            }
        }
        if thought.fallback.is_some() {
            thought.found = thought.fallback.take();
            thought.caution = 0;
            self.thought = Some(thought);
            return;
        }
        // What was proven holds for the world that was thought about.
        let from = thought.from;
        self.caution = 0;
        self.give_up(&from);
        let has_changed = flag_that_differs(scenario, world, &[&from]).is_some();
        if has_changed || spot(scenario, world) != spot(scenario, &from) {
            self.doing = Doing::Thinking;
        }
    }

    /// The order of the plan that is followed, or what is done until there is one.
    fn order_at_hand(&self, world: &World) -> Order {
        let lead = self
            .thought
            .as_ref()
            .and_then(|thought| thought.lead.as_ref());
        let plan = lead.or(self.plan.as_ref());
        let order = plan.and_then(|plan| plan.order(world));
        order.unwrap_or_else(|| self.wait())
    }

    /// Stays where it is, ready for what comes.
    fn wait(&self) -> Order {
        let stance = Stance::new(Gait::Walk);
        Order::Wait(if self.abilities.fights {
            stance.fighting()
        } else {
            stance
        })
    }
}
