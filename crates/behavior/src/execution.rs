//! Carries plans out: follows one, notices when the world has gone another way, and makes a new one
//! while it keeps going.
//!
//! An [`Executor`] is asked for an order at every tick of a game and always has one. It reads no
//! clock and spends no more than the budget it is given, so that the same world and budgets give
//! the same orders on every machine.

use std::ops::ControlFlow;
use std::time::Duration;

use apprentice_search::{Budget, Cost};
use apprentice_world::{
    Abilities, AgentId, AnyQuest, Gait, Goal, Invalid, Order, Scenario, Stance, VerifiedStep, World,
};

use crate::check::{Check, Checked};
use crate::pace::Pace;
use crate::plan::{GRACE, Plan, is_standing, look_ahead};
use crate::searches::{Searches, Searching};
use crate::stuck::{Change, Stuck};
pub use crate::thought::Patience;
use crate::thought::{Caution, Thought, cautions};
use crate::{Deviation, Planner, WhyStuck};

/// No game has shorter ticks.
const LEAST_TICK: Duration = Duration::from_millis(1);
/// The tick of a game that has not shown its own yet.
const USUAL_TICK: Duration = Duration::from_millis(16);

/// Whoever finds nothing, and sees that the world has changed meanwhile, thinks again at once, but each
/// time with so many times less patience, and only so often: where enemies are on the move it always
/// has, and nobody thinks for ever.
const IN_HASTE: u64 = 4;
const TIMES_IN_HASTE: u32 = 2;

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
    searches: Searches,
    doing: Doing,
    deviation: Option<Deviation>,
    /// Whether the rest of its plan still works, while it finds out.
    check: Option<Check>,
    /// Why it waits, if it does.
    stuck: Option<Stuck>,
    /// How often in a row it got stuck without anything great having changed.
    times_stuck: u32,
    pace: Pace,
    patience: Patience,
    /// What was asked last, and the world it was asked in.
    last: Option<(Order, World)>,
    /// The world it has looked at since, if nothing else has happened.
    observed: Option<World>,
    /// How often in a row it thought again at once, because the world had changed when it found
    /// nothing.
    in_haste: u32,
    /// What has changed since the last decision that never changes by itself.
    news: Option<Deviation>,
    plans: u32,
    /// How the plan that is followed came to grief in its rehearsal, or the best of those that are
    /// not followed.
    doubt: Option<Invalid>,
    /// The least that plans were to leave undone that were followed in spite of their rehearsal,
    /// since anything else happened than what was rehearsed.
    undone: Option<Cost>,
    /// How enemies were taken to be in the plan that is followed, by number; the next is made so, too.
    caution: usize,
    /// The time between the last two decisions, or what was said to be.
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
    /// It found no plan, or none that is worth following ([why](Executor::why_stuck)); it waits for
    /// the world to change.
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
            searches: Searches::default(),
            doing: Doing::Thinking,
            deviation: None,
            check: None,
            stuck: None,
            times_stuck: 0,
            pace: Pace::default(),
            patience: Patience::default(),
            last: None,
            observed: None,
            in_haste: 0,
            news: None,
            plans: 0,
            doubt: None,
            undone: None,
            caution: 0,
            tick: USUAL_TICK,
        }
    }

    /// Says beforehand in which ticks it will be asked, so that its first plan is rehearsed in them,
    /// too. Later ones are rehearsed in the time that lay between the last two decisions; without
    /// this, the first is in ticks of 16 milliseconds. Ticks shorter than a millisecond or longer
    /// than a quarter of a second are taken for those.
    ///
    /// ```
    /// use std::time::Duration;
    /// use apprentice_behavior::{Executor, Settings};
    /// use apprentice_world::{Abilities, Scenario};
    ///
    /// # let scenario = Scenario::parse("format = 1\nstart = [0, 0]\ngoal = { all = [] }\nmap = { rows = ['.'] }")?;
    /// let planner = Settings::default().check(&scenario, [])?.planner;
    /// let thirty_a_second = Duration::from_nanos(1_000_000_000 / 30);
    /// let executor = Executor::new(planner, Abilities::default()).with_tick(thirty_a_second);
    /// # let _ = executor;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_tick(mut self, tick: Duration) -> Executor {
        self.tick = tick.clamp(LEAST_TICK, GRACE);
        self
    }

    /// Says how long it looks for a plan before it waits and looks again later: a first search takes no
    /// more than this, whatever the budgets are, and so does its memory.
    ///
    /// ```
    /// use apprentice_behavior::{Executor, Patience, Settings};
    /// use apprentice_world::{Abilities, Scenario};
    ///
    /// # let scenario = Scenario::parse("format = 1\nstart = [0, 0]\ngoal = { all = [] }\nmap = { rows = ['.'] }")?;
    /// let planner = Settings::default().check(&scenario, [])?.planner;
    /// let hasty = Patience { expansions: 2_000, ..Patience::default() };
    /// let executor = Executor::new(planner, Abilities::default()).with_patience(hasty);
    /// # let _ = executor;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_patience(mut self, patience: Patience) -> Executor {
        self.patience = patience;
        self
    }

    /// What to do now. To be called before every advance of the world, with ticks shorter than the
    /// shortest step. There is always an answer, and it takes no more than the budget.
    pub fn decide(&mut self, scenario: &Scenario, world: &World, budget: &mut Budget<'_>) -> Order {
        self.think(scenario, world, budget);
        self.order(scenario, world)
    }

    /// Thinks, and asks for no order: for games that think at another moment than they need orders,
    /// or on another thread. To be called any number of times between two [orders](Executor::order),
    /// with the world as it is or as it was lately; it takes no more than the budget. Thinking and
    /// then asking for an order in the same world is what [`decide`](Executor::decide) does.
    ///
    /// ```
    /// use std::time::Duration;
    /// use apprentice_behavior::{Doing, Executor, Settings};
    /// use apprentice_search::Budget;
    /// use apprentice_world::{Abilities, Orders, Scenario, World};
    ///
    /// # let scenario = Scenario::parse("format = 1\nstart = [0, 0]\ngoal = { within = { at = [4, 0], radius = 0.0 } }\nmap = { rows = ['.....'] }")?;
    /// let planner = Settings::default().check(&scenario, [])?.planner;
    /// let mut executor = Executor::new(planner, Abilities::default());
    /// let mut world = World::new(&scenario);
    /// while executor.doing() != Doing::Done {
    ///     let order = executor.order(&scenario, &world);
    ///     // While the frame is drawn, somebody else thinks about the world it shows.
    ///     let shown = world;
    ///     std::thread::scope(|scope| {
    ///         scope.spawn(|| executor.think(&scenario, &shown, &mut Budget::expansions(100)));
    ///         world.advance(&scenario, &Orders::new(order), Duration::from_millis(100), &mut ());
    ///     });
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn think(&mut self, scenario: &Scenario, world: &World, budget: &mut Budget<'_>) {
        self.observe(scenario, world);
        if self.doing == Doing::Dead {
            return;
        }
        if self.check.is_some() {
            self.look_over(scenario, world, budget);
        }
        if self.thought.is_some() {
            self.think_through(scenario, world, budget);
        }
    }

    /// What to do now, without [thinking](Executor::think): it only looks whether its plan still
    /// holds. To be called before every advance of the world. There is always an answer.
    pub fn order(&mut self, scenario: &Scenario, world: &World) -> Order {
        self.observe(scenario, world);
        let order = match self.doing {
            Doing::Dead => Order::WAIT,
            _ => self.order_at_hand(world),
        };
        self.last = Some((order, world.clone()));
        self.observed = None;
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

    /// How the plan it follows came to grief when it was rehearsed; none if it stood.
    ///
    /// Where no plan stands its rehearsal, the one is followed that leaves least of its way undone,
    /// and only up to where it comes to grief; if it dies there, up to three seconds before
    /// somebody comes after it, unless somebody is already. There the character thinks again. It follows another such
    /// plan only if that leaves less undone than all before, so that it does not pace to and fro;
    /// otherwise it is [stuck](Doing::Stuck), with the doubt about the best plan it had, until
    /// something else happens than what was rehearsed.
    pub fn doubt(&self) -> Option<&Invalid> {
        self.doubt.as_ref()
    }

    /// Why it is [stuck](Doing::Stuck); none if it is not.
    ///
    /// It thinks again as soon as something changes that plans depend on: where it is, how well it is,
    /// what lies, is open or pulled, how well enemies are, or where, by more than three cells or
    /// metres. What changes all the time, or goes by the clock, is looked at after a second, then after
    /// two, and so on up to sixteen.
    pub fn why_stuck(&self) -> Option<&WhyStuck> {
        self.stuck.as_ref().map(|stuck| &stuck.why)
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
        // Whoever has another goal makes a new plan anyway, and does not go on with the old one.
        self.news.get_or_insert(Deviation::LevelChanged);
        self.observed = None;
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
        self.observed = None;
    }

    /// Thinks with another planner from now on, beginning with the next decision.
    pub fn change_planner(&mut self, planner: Planner) {
        self.planner = planner;
        self.searches = Searches::default();
        self.level_changed();
    }

    /// Gives back the memory it keeps from one plan to the next: of its searches, and of what they
    /// got ready. For a character that will not think for a while: what it does is the same, only its
    /// next plan takes longer. While it makes one, nothing is given back.
    ///
    /// ```
    /// # use apprentice_behavior::{Doing, Executor, Settings};
    /// # use apprentice_search::Budget;
    /// # use apprentice_world::{Abilities, Scenario, World};
    /// # let scenario = Scenario::parse("format = 1\nstart = [0, 0]\ngoal = { within = { at = [2, 0], radius = 0.0 } }\nmap = { rows = ['...'] }")?;
    /// # let world = World::new(&scenario);
    /// # let planner = Settings::default().check(&scenario, [])?.planner;
    /// let mut executor = Executor::new(planner, Abilities::default());
    /// let plan_anew = |executor: &mut Executor| {
    ///     let mut budget = Budget::unlimited();
    ///     executor.pursue(scenario.goal().clone());
    ///     executor.decide(&scenario, &world, &mut budget);
    ///     budget.taken()
    /// };
    /// let first = plan_anew(&mut executor);
    /// assert!(plan_anew(&mut executor) < first);
    /// executor.forget();
    /// assert_eq!(plan_anew(&mut executor), first);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn forget(&mut self) {
        if self.thought.is_none() {
            self.searches = Searches::default();
        }
    }

    /// Looks at the world, unless it has done so since it was last asked for an order.
    fn observe(&mut self, scenario: &Scenario, world: &World) {
        if self.observed.as_ref() == Some(world) {
            return;
        }
        self.observed = Some(world.clone());
        if let Some((_, before)) = &self.last {
            let tick = world.time().saturating_sub(before.time());
            // Pauses are no ticks, nor is what is left of a frame.
            if (LEAST_TICK..=GRACE).contains(&tick) {
                self.tick = tick;
            }
        }
        if world.is_dead(AgentId::NPC, scenario) {
            self.doing = Doing::Dead;
            return;
        }
        let goal = self.goal.as_ref().unwrap_or(scenario.goal());
        if goal.is_met(&world.seen_in(scenario)) {
            self.doing = Doing::Done;
            self.plan = None;
            self.thought = None;
            self.check = None;
            self.stuck = None;
            self.doubt = None;
            self.undone = None;
            self.caution = 0;
            self.in_haste = 0;
            self.pace.forget();
            return;
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
    }

    /// Looks whether the plan still holds, and begins to think if it doesn't.
    fn notice(&mut self, scenario: &Scenario, world: &World) {
        if let Some(news) = self.news.take() {
            self.caution = 0;
            self.reconsider(scenario, world, Some(news));
            return;
        }
        if let Some(stuck) = &self.stuck {
            match stuck.change(scenario, world) {
                Change::None => {
                    self.doing = Doing::Stuck;
                    return;
                }
                Change::Small => {}
                Change::Great => {
                    self.undone = None;
                    self.times_stuck = 0;
                }
            }
            self.stuck = None;
        }
        if let Some(thought) = &self.thought {
            let is_lost = thought.is_lost(scenario, world);
            let news = thought.news(scenario, world);
            if is_lost || news.is_some() || self.came_to_nothing(scenario, world) {
                self.reconsider(scenario, world, news);
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
        let Some(deviation) = deviation else {
            self.check = None;
            return;
        };
        let is_on_its_way = plan.begun && self.doubt.is_none() && !plan.is_over();
        let may_not_matter = match &deviation {
            Deviation::Flag { .. } | Deviation::EnemyElsewhere { .. } => true,
            Deviation::Astray { .. } => plan.is_in_place(scenario, world),
            _ => false,
        };
        if !is_on_its_way || !may_not_matter {
            self.reconsider(scenario, world, Some(deviation));
        } else if self.check.is_none() {
            let quest = self.quest(scenario, world, self.caution);
            self.check = Some(Check::new(deviation, plan, &quest, world, self.tick));
        }
    }

    /// Goes on finding out whether the rest of the plan still works, and begins to think if not.
    fn look_over(&mut self, scenario: &Scenario, world: &World, budget: &mut Budget<'_>) {
        let Some(check) = self.check.take() else {
            return;
        };
        let goal = self.goal.as_ref().unwrap_or(scenario.goal());
        let (check, outcome) = check.go_on(scenario, goal, budget);
        self.check = check;
        match outcome {
            Checked::NotYet => {}
            Checked::Holds(mut plan) => {
                plan.progress(scenario, world);
                self.plan = Some(*plan);
            }
            Checked::Fails(why) => self.reconsider(scenario, world, Some(why)),
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
        // What was rehearsed ends where a doubtful plan does, or in waiting; everything else nobody
        // knew, such as what interrupts a thought.
        let is_known = match why {
            Some(Deviation::NotThere) => self.doubt.is_some(),
            None => self.thought.is_none(),
            _ => false,
        };
        if !is_known {
            self.undone = None;
        }
        // Only what others do all the time makes anybody pace.
        let is_common = matches!(
            why,
            None | Some(
                Deviation::EnemyElsewhere { .. } | Deviation::Noticed { .. } | Deviation::NotThere
            )
        );
        if !is_common {
            self.pace.forget();
        }
        if why.is_some() {
            self.in_haste = 0;
        }
        self.deviation = why.or(self.deviation.take());
        self.doubt = None;
        self.stuck = None;
        self.check = None;
        let lead = self.thought.take().and_then(|thought| thought.lead);
        let old = self.plan.take().or(lead);
        // The rest of a plan that leads nowhere, or elsewhere, is no way to begin.
        let is_worthless = matches!(
            self.deviation,
            Some(Deviation::Blocked | Deviation::NewGoal)
        );
        let (from, lead) = look_ahead(scenario, world, old.filter(|_| !is_worthless), self.wait());
        // A planner was checked against its scenario; one that makes no search has no plan.
        match self.begin_search(scenario, &from, self.caution) {
            Some(quest) => {
                self.doing = Doing::Thinking;
                let patience = Thought::first_patience(&quest, self.caution, self.patience);
                let patience = patience / IN_HASTE.pow(self.in_haste);
                self.thought = Some(Thought {
                    began: world.clone(),
                    from,
                    lead,
                    quest,
                    caution: self.caution,
                    tried: 1 << self.caution,
                    found: None,
                    fallback: None,
                    is_last: false,
                    patience,
                    in_vain: 0,
                });
            }
            None => self.give_up(WhyStuck::NoPlan, world, world),
        }
    }

    /// The quest that begins in a world, and begins to search for it.
    fn begin_search(
        &mut self,
        scenario: &Scenario,
        from: &World,
        caution: usize,
    ) -> Option<AnyQuest> {
        let quest = self.quest(scenario, from, caution);
        let begins = self.searches.begin(&self.planner, &quest);
        begins.then_some(quest)
    }

    /// The quest that begins in a world, with enemies taken to be so, by number.
    fn quest(&self, scenario: &Scenario, from: &World, caution: usize) -> AnyQuest {
        let goal = self.goal.as_ref().unwrap_or(scenario.goal());
        match cautions(scenario.margins()).get(caution) {
            Some(Caution(margins)) if caution > 0 => {
                let scenario = scenario.with_margins_from(from, *margins);
                AnyQuest::new(&scenario, from, goal, self.abilities)
            }
            _ => AnyQuest::new(scenario, from, goal, self.abilities),
        }
    }

    /// Waits for the world to change from the one that was thought about.
    fn give_up(&mut self, why: WhyStuck, thought_about: &World, world: &World) {
        self.thought = None;
        self.plan = None;
        self.check = None;
        self.stuck = Some(Stuck::new(
            why,
            thought_about.clone(),
            world.time(),
            self.times_stuck,
        ));
        self.times_stuck += 1;
        self.doing = Doing::Stuck;
    }

    /// Goes on with the plan that is being made, and follows it once it is found, has been
    /// rehearsed, and its beginning is reached. One that comes to grief is made again, as long as
    /// the budget lasts: nobody waits a tick to think on.
    fn think_through(&mut self, scenario: &Scenario, world: &World, budget: &mut Budget<'_>) {
        while self.think_on(scenario, world, budget).is_continue() {}
    }

    /// Searches and rehearses a plan; whether to go on with another at once.
    fn think_on(
        &mut self,
        scenario: &Scenario,
        world: &World,
        budget: &mut Budget<'_>,
    ) -> ControlFlow<()> {
        let Some(thought) = &mut self.thought else {
            return ControlFlow::Break(());
        };
        if thought.found.is_none() {
            match thought.search(&mut self.searches, self.patience.bytes, budget) {
                Some(Searching::Found(steps)) => thought.keep(scenario, world, steps, self.tick),
                Some(Searching::Hopeless) => return self.think_otherwise(scenario, world),
                Some(Searching::NotYet) => return ControlFlow::Break(()),
                Some(Searching::Full) | None => {
                    thought.lose_patience(&self.searches);
                    return self.think_otherwise(scenario, world);
                }
            }
        }
        let goal = self.goal.as_ref().unwrap_or(scenario.goal());
        let Some(found) = &mut thought.found else {
            return ControlFlow::Break(());
        };
        match found.rehearse(scenario, goal, budget) {
            None => {}
            Some(true) => {
                self.caution = found.caution;
                self.set_out(scenario, world);
            }
            Some(false) if !thought.is_last => {
                thought.put_aside();
                return self.think_otherwise(scenario, world);
            }
            Some(false) if self.is_worthwhile() => {
                self.caution = 0;
                self.set_out(scenario, world);
            }
            Some(false) => self.find_nothing(scenario, world),
        }
        ControlFlow::Break(())
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
        let (doubt, steps) = match found.doubt {
            Some(doubt) => (Some((doubt.why, doubt.undone)), doubt.lived),
            None => (None, found.steps),
        };
        let mut plan = Plan {
            start: found.start,
            steps,
            done: 0,
            begun: false,
            delay: Duration::ZERO,
        };
        self.thought = None;
        self.times_stuck = 0;
        self.in_haste = 0;
        let left = plan.steps.last().map_or(Cost::ZERO, |step| step.time);
        if self.pace.takes_up(left, world.time()) {
            self.pace.forget();
            self.give_up(WhyStuck::Pacing, world, world);
            return;
        }
        self.plans += 1;
        self.doing = Doing::Following;
        plan.progress(scenario, world);
        let outdated = plan.deviation(scenario, world);
        self.plan = Some(plan);
        (self.doubt, self.undone) = doubt.unzip();
        // The world did not wait for the thought.
        if outdated.is_some() {
            self.reconsider(scenario, world, outdated);
        }
    }

    /// Whether a plan that came to grief gets the character anywhere, and nearer than those before.
    fn is_worthwhile(&self) -> bool {
        let found = self
            .thought
            .as_ref()
            .and_then(|thought| thought.found.as_ref());
        let doubt = found.and_then(|found| found.doubt.as_ref());
        doubt.is_some_and(|doubt| {
            let is_nearer = self.undone.is_none_or(|undone| doubt.undone < undone);
            is_nearer && !doubt.lived.is_empty()
        })
    }

    /// There is no plan as enemies were taken to be, or it came to grief in the rehearsal. Takes
    /// them to be otherwise; if everything was tried, makes do with the best there was.
    fn think_otherwise(&mut self, scenario: &Scenario, world: &World) -> ControlFlow<()> {
        let Some(mut thought) = self.thought.take() else {
            return ControlFlow::Break(());
        };
        // Where nobody moves, enemies are what they are.
        let next = match thought.quest {
            AnyQuest::Still(_) => None,
            AnyQuest::Moving(_) => thought.next_caution(&cautions(scenario.margins())),
        };
        if let Some(caution) = next {
            thought.from = thought.start(scenario, world);
            thought.end_search(&self.searches);
            if let Some(quest) = self.begin_search(scenario, &thought.from, caution) {
                thought.begin_anew(quest, caution);
                self.thought = Some(thought);
                return ControlFlow::Continue(());
            }
        }
        let has_something = thought.make_do(scenario, world, self.tick);
        self.thought = Some(thought);
        if has_something {
            return ControlFlow::Continue(());
        }
        self.find_nothing(scenario, world);
        ControlFlow::Break(())
    }

    /// All thinking came to nothing that is worth following.
    fn find_nothing(&mut self, scenario: &Scenario, world: &World) {
        let Some(thought) = self.thought.take() else {
            return;
        };
        let doubt = thought.found.and_then(|found| found.doubt);
        self.doubt = doubt.map(|doubt| doubt.why);
        // What was proven holds for the world that was thought about.
        let from = thought.from;
        self.caution = 0;
        let why = match (&self.doubt, thought.in_vain) {
            (Some(doubt), _) => WhyStuck::Doubtful(doubt.clone()),
            (None, 0) => WhyStuck::NoPlan,
            (None, expanded) => WhyStuck::GaveUp { expanded },
        };
        self.give_up(why, &from, world);
        let change = self
            .stuck
            .as_ref()
            .map(|stuck| stuck.change(scenario, world));
        if change != Some(Change::Great) {
            self.in_haste = 0;
        } else if self.in_haste < TIMES_IN_HASTE {
            self.in_haste += 1;
            self.doing = Doing::Thinking;
        } else if let Some(stuck) = &mut self.stuck {
            self.in_haste = 0;
            stuck.enemies_move = true;
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

    /// Stays where it is, ready for what comes. Whoever sneaked there does not get up within sight.
    fn wait(&self) -> Order {
        let last = self.last.as_ref().map(|(order, _)| order.stance().gait());
        let gait = last.filter(|gait| *gait == Gait::Sneak && self.doing != Doing::Done);
        let stance = Stance::new(gait.unwrap_or(Gait::Walk));
        Order::Wait(if self.abilities.fights {
            stance.fighting()
        } else {
            stance
        })
    }
}
