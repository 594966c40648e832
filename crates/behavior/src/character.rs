//! Carries plans out: follows one, notices when the world has gone another way, and makes a new one
//! while it keeps going.
//!
//! A [`Character`] is asked for an order at every tick of a game and always has one. It reads no
//! clock and spends no more than the budget it is given, so that the same world and budgets give
//! the same orders on every machine.

pub(crate) mod obeying;
mod options;
#[cfg(feature = "serde")]
pub(crate) mod saved;

use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Duration;

use apprentice_game::{Live, StepIn};
use apprentice_search::{Budget, Cost};

use self::options::Anew;
use crate::check::{Check, Checked, Terms};
use crate::eyes::Eyes;
use crate::pace::Pace;
use crate::plan::{GRACE, Plan, Way, look_ahead};
pub use crate::replanning::Patience;
use crate::replanning::Replanning;
use crate::searches::{Searches, Searching};
use crate::stuck::{Change, Stuck};
use crate::{BadSetting, Deviation, Planner, Prepared, WhyStuck};

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
/// use apprentice_behavior::{Doing, Character, Settings};
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
/// let mut character = Character::new(planner, Abilities::default());
/// let mut world = World::new(&scenario);
/// while character.doing() != Doing::Done {
///     let order = character.decide(&scenario, &world, &mut Budget::units(100));
///     world.advance(&scenario, &Orders::new(order), Duration::from_millis(100), &mut ());
/// }
/// assert_eq!(character.plans(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Character<L: Live> {
    planner: Planner,
    /// Who it is, and what it can do.
    who: L::Who,
    /// What it is after, if that is not the goal of the level.
    goal: Option<L::Goal>,
    /// What is left of that, if a part of it was met that need not stay so. What is being thought about
    /// goes on as it was begun.
    left: Option<L::Goal>,
    plan: Option<Plan<L>>,
    /// Apart, so that whoever walks need not keep room for it.
    replanning: Option<Box<Replanning<L>>>,
    searches: Searches<L>,
    doing: Doing,
    deviation: Option<Deviation>,
    /// Whether the rest of its plan still works, while it finds out.
    check: Option<Check<L>>,
    /// Why it waits, if it does.
    stuck: Option<Stuck<L>>,
    /// How often in a row it got stuck without anything great having changed.
    times_stuck: u32,
    pace: Pace,
    patience: Patience,
    /// What was asked last, and the world it was asked in.
    last: Option<(L::Order, L::World)>,
    /// The world it has looked at last.
    observed: Option<L::World>,
    /// Whether nothing else has happened since.
    is_up_to_date: bool,
    /// How often in a row it thought again at once, because the world had changed when it found
    /// nothing.
    in_haste: u32,
    /// What has changed since the last decision that never changes by itself.
    news: Option<Deviation>,
    plans: u32,
    /// How the plan that is followed came to grief in its rehearsal, or the best of those that are
    /// not followed.
    rehearsal_failure: Option<L::Failure>,
    /// The least that plans were to leave undone that were followed in spite of their rehearsal,
    /// since anything else happened than what was rehearsed.
    undone: Option<Cost>,
    /// How enemies were taken to be in the plan that is followed, by number; the next is made so, too.
    margin_level: usize,
    /// The time between the last two decisions, or what was said to be.
    tick: Duration,
    /// How often it makes another plan although its own holds.
    anew: Option<Anew>,
}

/// What a character is at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Doing {
    /// Follows a plan that holds.
    Following,
    /// Makes a plan. What it does meanwhile belongs to the old one, if there was one.
    Thinking,
    /// The goal is met.
    Done,
    /// It found no plan, or none that is worth following ([why](Character::why_stuck)); it waits for
    /// the world to change.
    Stuck,
    /// Died.
    Dead,
}

impl<L: Live> Character<L> {
    /// One that has no plan yet: who it is, and what it can do.
    pub fn new(planner: Planner, who: impl Into<L::Who>) -> Character<L> {
        Character {
            planner,
            who: who.into(),
            goal: None,
            left: None,
            plan: None,
            replanning: None,
            searches: Searches::sharing(&Prepared::default()),
            doing: Doing::Thinking,
            deviation: None,
            check: None,
            stuck: None,
            times_stuck: 0,
            pace: Pace::default(),
            patience: Patience::default(),
            last: None,
            observed: None,
            is_up_to_date: false,
            in_haste: 0,
            news: None,
            plans: 0,
            rehearsal_failure: None,
            undone: None,
            margin_level: 0,
            tick: USUAL_TICK,
            anew: None,
        }
    }

    /// What to do now. To be called before every advance of the world, with ticks shorter than the
    /// shortest step. There is always an answer, and it takes no more than the budget.
    pub fn decide(&mut self, level: &L, world: &L::World, budget: &mut Budget<'_>) -> L::Order {
        self.think(level, world, budget);
        self.order(level, world)
    }

    /// Thinks, and asks for no order: for games that think at another moment than they need orders,
    /// or on another thread. To be called any number of times between two [orders](Character::order),
    /// with the world as it is or as it was lately; it takes no more than the budget. Thinking and
    /// then asking for an order in the same world is what [`decide`](Character::decide) does.
    ///
    /// ```
    /// use std::time::Duration;
    /// use apprentice_behavior::{Doing, Character, Settings};
    /// use apprentice_search::Budget;
    /// use apprentice_world::{Abilities, Orders, Scenario, World};
    ///
    /// # let scenario = Scenario::parse("format = 1\nstart = [0, 0]\ngoal = { within = { at = [4, 0], radius = 0.0 } }\nmap = { rows = ['.....'] }")?;
    /// let planner = Settings::default().check(&scenario, [])?.planner;
    /// let mut character = Character::new(planner, Abilities::default());
    /// let mut world = World::new(&scenario);
    /// while character.doing() != Doing::Done {
    ///     let order = character.order(&scenario, &world);
    ///     // While the frame is drawn, somebody else thinks about the world it shows.
    ///     let shown = world.clone();
    ///     std::thread::scope(|scope| {
    ///         scope.spawn(|| character.think(&scenario, &shown, &mut Budget::units(100)));
    ///         world.advance(&scenario, &Orders::new(order), Duration::from_millis(100), &mut ());
    ///     });
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn think(&mut self, level: &L, world: &L::World, budget: &mut Budget<'_>) {
        let who = self.who.clone();
        let eyes = Eyes { level, who: &who };
        self.observe(eyes, world);
        if self.doing == Doing::Dead {
            return;
        }
        if self.check.is_some() {
            self.look_over(eyes, world, budget);
        }
        if self.replanning.is_some() {
            self.think_through(eyes, world, budget);
        }
        if let Some(plan) = &mut self.plan {
            plan.lighten(eyes, budget);
        }
    }

    /// What to do now, without [thinking](Character::think): it only looks whether its plan still
    /// holds. To be called before every advance of the world. There is always an answer.
    pub fn order(&mut self, level: &L, world: &L::World) -> L::Order {
        let who = self.who.clone();
        let eyes = Eyes { level, who: &who };
        self.observe(eyes, world);
        self.order_noted(eyes, world)
    }

    /// The order at hand, which is remembered as the last.
    fn order_noted(&mut self, eyes: Eyes<'_, L>, world: &L::World) -> L::Order {
        let order = match self.doing {
            Doing::Dead => eyes.level.idle(eyes.who),
            _ => self.order_at_hand(eyes, world),
        };
        self.is_up_to_date = false;
        match &mut self.last {
            Some((last, before)) => {
                last.clone_from(&order);
                before.clone_from(world);
            }
            None => self.last = Some((order.clone(), world.clone())),
        }
        order
    }

    /// Looks at the world: whether its plan still holds, and the goal is met. It begins to think if not,
    /// but spends nothing. [`think`](Character::think) and [`order`](Character::order) look by
    /// themselves.
    pub fn look(&mut self, level: &L, world: &L::World) {
        let who = self.who.clone();
        self.observe(Eyes { level, who: &who }, world);
    }

    /// What to do now, by somebody who does not look up from its plan.
    pub(crate) fn order_without_looking(&mut self, level: &L, world: &L::World) -> L::Order {
        let who = self.who.clone();
        let eyes = Eyes { level, who: &who };
        self.progress(eyes, world);
        self.order_noted(eyes, world)
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
    /// otherwise it is [stuck](Doing::Stuck), with how the best plan it had came to grief, until
    /// something else happens than what was rehearsed.
    pub fn rehearsal_failure(&self) -> Option<&L::Failure> {
        self.rehearsal_failure.as_ref()
    }

    /// Why it is [stuck](Doing::Stuck); none if it is not.
    ///
    /// It thinks again as soon as something changes that plans depend on: where it is, how well it is,
    /// what lies, is open or pulled, how well enemies are, or where, by more than three cells or
    /// metres. What changes all the time, or goes by the clock, is looked at after a second, then after
    /// two, and so on up to sixteen.
    pub fn why_stuck(&self) -> Option<&WhyStuck<L::Failure>> {
        self.stuck.as_ref().map(|stuck| &stuck.why)
    }

    /// What is still ahead of the plan it follows, for those who show it: worlds that are expected are
    /// worked out anew for it.
    pub fn ahead(&self, level: &L) -> Vec<StepIn<L>> {
        let who = &self.who;
        let plan = self.plan.as_ref();
        plan.map_or_else(Vec::new, |plan| plan.ahead(Eyes { level, who }))
    }

    /// How many steps are still ahead of the plan it follows.
    pub fn steps_ahead(&self) -> usize {
        self.plan.as_ref().map_or(0, Plan::left)
    }

    /// Whether it would make use of a budget as far as it knows: it makes a plan, looks over the one it
    /// has, or puts it away where it takes little memory. Whoever walks needs none.
    pub fn is_busy(&self) -> bool {
        let is_heavy = self.plan.as_ref().is_some_and(|plan| !plan.is_light());
        self.replanning.is_some() || self.check.is_some() || is_heavy
    }

    /// Says that something has changed which never changes in a run: the map, a place, a rule. The
    /// next decision makes a new plan.
    pub fn level_changed(&mut self) {
        // Whoever has another goal makes a new plan anyway, and does not go on with the old one.
        self.news.get_or_insert(Deviation::LevelChanged);
        self.is_up_to_date = false;
    }

    /// Makes something else its goal, instead of the level's: the next decision stops where it
    /// is and makes a plan for that. So a planner of tasks leads a character from one to the next.
    ///
    /// ```
    /// use std::time::Duration;
    /// use apprentice_behavior::{Doing, Character, Settings};
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
    /// let mut character = Character::new(planner, Abilities::default());
    /// let mut world = World::new(&scenario);
    /// for x in [0.0, 3.0] {
    ///     let at = Point::new(x, 0.0);
    ///     character.pursue(Goal::Within { at, height: None, radius: 0.0 });
    ///     while character.doing() != Doing::Done {
    ///         let order = character.decide(&scenario, &world, &mut Budget::units(100));
    ///         world.advance(&scenario, &Orders::new(order), Duration::from_millis(100), &mut ());
    ///     }
    ///     assert_eq!(world.position(AgentId::NPC, &scenario), at);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn pursue(&mut self, goal: L::Goal) {
        self.goal = Some(goal);
        self.left = None;
        self.doing = Doing::Thinking;
        self.news = Some(Deviation::NewGoal);
        self.is_up_to_date = false;
    }

    /// Who it is, and what it takes others to do.
    pub fn who(&self) -> &L::Who {
        &self.who
    }

    /// Is somebody else from now on, or takes others to behave otherwise; the next decision makes a plan
    /// for that, and what was begun goes on meanwhile.
    pub fn change_who(&mut self, who: impl Into<L::Who>) {
        self.who = who.into();
        self.replanning = None;
        self.searches.give_back();
        self.level_changed();
    }

    /// Thinks with another planner from now on, beginning with the next decision.
    pub fn change_planner(&mut self, planner: Planner) {
        self.planner = planner;
        self.searches.give_back();
        self.level_changed();
    }

    /// Gives back the memory it keeps from one plan to the next: of its searches, and of what they
    /// got ready. For a character that will not think for a while: what it does is the same, only its
    /// next plan takes longer. While it makes one, nothing is given back.
    ///
    /// ```
    /// # use apprentice_behavior::{Doing, Character, Settings};
    /// # use apprentice_search::Budget;
    /// # use apprentice_world::{Abilities, Scenario, World};
    /// # let scenario = Scenario::parse("format = 1\nstart = [0, 0]\ngoal = { within = { at = [2, 0], radius = 0.0 } }\nmap = { rows = ['...'] }")?;
    /// # let world = World::new(&scenario);
    /// # let planner = Settings::default().check(&scenario, [])?.planner;
    /// let mut character = Character::new(planner, Abilities::default());
    /// let plan_anew = |character: &mut Character<Scenario>| {
    ///     let mut budget = Budget::unlimited();
    ///     character.pursue(scenario.goal().clone());
    ///     character.decide(&scenario, &world, &mut budget);
    ///     budget.taken()
    /// };
    /// let first = plan_anew(&mut character);
    /// assert!(plan_anew(&mut character) < first);
    /// character.forget();
    /// assert_eq!(plan_anew(&mut character), first);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn forget(&mut self) {
        if self.replanning.is_none() {
            self.searches.forget();
        }
    }

    /// Whether it makes a plan, and uses what is ready.
    pub(crate) fn is_thinking(&self) -> bool {
        self.replanning.is_some()
    }

    /// Gives back whatever search was lent to it, as somebody who will not think again.
    pub(crate) fn give_back(&mut self) {
        self.replanning = None;
        self.searches.give_back();
    }

    /// Gives back what is ready for all who share it.
    pub(crate) fn forget_shared(&self) {
        self.searches.forget_all();
    }

    /// Shares what is got ready for plans, and the memory of searches, with all who are given the same.
    /// What it does is what it would do alone, only sooner.
    ///
    /// ```
    /// use apprentice_behavior::{Character, Prepared, Settings};
    /// use apprentice_search::Budget;
    /// use apprentice_world::{Abilities, Scenario, World};
    ///
    /// # let scenario = Scenario::parse("format = 1\nstart = [0, 0]\ngoal = { within = { at = [2, 0], radius = 0.0 } }\nmap = { rows = ['...'] }")?;
    /// # let world = World::new(&scenario);
    /// let planner = Settings::default().check(&scenario, [])?.planner;
    /// let prepared = Prepared::default();
    /// let units = [(); 2].map(|()| {
    ///     let character = Character::new(planner.clone(), Abilities::default());
    ///     let mut budget = Budget::unlimited();
    ///     character.sharing(&prepared).decide(&scenario, &world, &mut budget);
    ///     budget.taken()
    /// });
    /// // The first has got everything ready.
    /// assert!(units[1] < units[0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn sharing(mut self, prepared: &Prepared) -> Character<L> {
        self.searches = Searches::sharing(prepared);
        self
    }

    /// Looks at the world, unless it has done so since it was last asked for an order.
    fn observe(&mut self, eyes: Eyes<'_, L>, world: &L::World) {
        if self.is_up_to_date && self.observed.as_ref() == Some(world) {
            return;
        }
        self.is_up_to_date = true;
        match &mut self.observed {
            Some(observed) => observed.clone_from(world),
            None => self.observed = Some(world.clone()),
        }
        let now = eyes.time(world);
        if let Some((_, before)) = &self.last {
            let tick = now.saturating_sub(eyes.time(before));
            // Pauses are no ticks, nor is what is left of a frame.
            if (LEAST_TICK..=GRACE).contains(&tick) {
                self.tick = tick;
            }
        }
        if let Some(why) = eyes.level.refuses(eyes.who) {
            let why = WhyStuck::Unsound(BadSetting(why));
            if self.why_stuck() != Some(&why) {
                self.give_up(eyes, why, world.clone(), world);
            }
            return;
        }
        if eyes.level.is_dead(eyes.who, world) {
            self.doing = Doing::Dead;
            return;
        }
        let left = self.left.as_ref();
        let left = left.unwrap_or_else(|| self.goal(eyes));
        let is_met = eyes.level.is_met(eyes.who, left, world);
        if let Some(left) = eyes.level.left(eyes.who, left, world) {
            self.left = Some(left);
        }
        if is_met {
            self.doing = Doing::Done;
            self.plan = None;
            self.replanning = None;
            self.searches.give_back();
            self.check = None;
            self.stuck = None;
            self.rehearsal_failure = None;
            self.undone = None;
            self.margin_level = 0;
            self.in_haste = 0;
            self.pace.forget();
            return;
        }
        self.progress(eyes, world);
        self.notice(eyes, world);
    }

    /// Notes which steps of its plan are over.
    fn progress(&mut self, eyes: Eyes<'_, L>, world: &L::World) {
        let lead = self.replanning.as_mut();
        let lead = lead.and_then(|replanning| replanning.lead.as_mut());
        for plan in self.plan.as_mut().into_iter().chain(lead) {
            plan.progress(eyes, world);
        }
    }

    /// What it is after.
    fn goal<'a>(&'a self, eyes: Eyes<'a, L>) -> &'a L::Goal {
        let goal = self.goal.as_ref();
        goal.unwrap_or_else(|| eyes.level.goal(eyes.who))
    }

    /// Looks whether the plan still holds, and begins to think if it doesn't.
    fn notice(&mut self, eyes: Eyes<'_, L>, world: &L::World) {
        if let Some(news) = self.news.take() {
            self.margin_level = 0;
            self.reconsider(eyes, world, Some(news));
            return;
        }
        if let Some(stuck) = &self.stuck {
            match stuck.change(eyes, world) {
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
        if let Some(replanning) = &self.replanning {
            let is_lost = replanning.is_lost(eyes, world);
            let news = replanning.news(eyes, world);
            if is_lost || news.is_some() || self.came_to_nothing(eyes, world) {
                self.reconsider(eyes, world, news);
            }
            return;
        }
        let is_blocked = self.came_to_nothing(eyes, world);
        let Some(plan) = &mut self.plan else {
            return self.reconsider(eyes, world, None);
        };
        let deviation = if is_blocked {
            Some(Deviation::Blocked)
        } else {
            plan.deviation(eyes, world)
        };
        let Some(deviation) = deviation else {
            self.check = None;
            let now = eyes.time(world);
            if self.anew.is_some_and(|anew| anew.is_due(now)) && !plan.is_over() {
                self.reconsider(eyes, world, Some(Deviation::Due));
            }
            return;
        };
        let is_on_its_way = plan.begun && self.rehearsal_failure.is_none() && !plan.is_over();
        let may_not_matter = match &deviation {
            Deviation::Flag { .. } | Deviation::EnemyElsewhere { .. } => true,
            Deviation::Astray { .. } => plan.is_in_place(eyes, world),
            _ => false,
        };
        if !is_on_its_way || !may_not_matter {
            self.reconsider(eyes, world, Some(deviation));
        } else if self.check.is_none() {
            if self.replanning.is_none()
                && let Some(left) = self.left.take()
            {
                self.goal = Some(left);
            }
            let goal = self.goal(eyes);
            let quest = (eyes.level).quest(eyes.who, world, goal, self.margin_level);
            if let Some(plan) = &self.plan {
                let terms = Terms {
                    why: deviation,
                    start: world.clone(),
                    first: plan.done(),
                    tick: self.tick,
                };
                self.check = Some(Check::new(terms, plan, &quest, eyes));
            }
        }
    }

    /// Goes on finding out whether the rest of the plan still works, and begins to think if not.
    fn look_over(&mut self, eyes: Eyes<'_, L>, world: &L::World, budget: &mut Budget<'_>) {
        let Some(check) = self.check.take() else {
            return;
        };
        let (check, outcome) = check.go_on(eyes, self.goal(eyes), budget);
        self.check = check;
        match outcome {
            Checked::NotYet => {}
            Checked::Holds(mut plan) => {
                plan.progress(eyes, world);
                self.plan = Some(*plan);
            }
            Checked::Fails(why) => self.reconsider(eyes, world, Some(why)),
        }
    }

    /// Whether nothing came of the last order.
    fn came_to_nothing(&self, eyes: Eyes<'_, L>, world: &L::World) -> bool {
        let last = self.last.as_ref();
        last.is_some_and(|(order, before)| {
            eyes.level.came_to_nothing(eyes.who, order, before, world)
        })
    }

    /// Begins to make a plan from where the character will be in a moment.
    fn reconsider(&mut self, eyes: Eyes<'_, L>, world: &L::World, why: Option<Deviation>) {
        if let Some(left) = self.left.take() {
            self.goal = Some(left);
        }
        // What was rehearsed ends where a doubtful plan does, or in waiting; everything else nobody
        // knew, such as what interrupts a thought.
        let is_known = match why {
            Some(Deviation::NotThere) => self.rehearsal_failure.is_some(),
            None => self.replanning.is_none(),
            _ => false,
        };
        if !is_known {
            self.undone = None;
        }
        // Only what others do all the time makes anybody pace.
        let is_common = matches!(
            why,
            None | Some(
                Deviation::EnemyElsewhere { .. }
                    | Deviation::Noticed { .. }
                    | Deviation::NotThere
                    | Deviation::Due
            )
        );
        if !is_common {
            self.pace.forget();
        }
        if why.is_some() {
            self.in_haste = 0;
        }
        self.deviation = why.or(self.deviation.take());
        self.rehearsal_failure = None;
        self.stuck = None;
        self.check = None;
        let lead = self.replanning.take().and_then(|thought| thought.lead);
        if let Some(anew) = &mut self.anew {
            anew.last = eyes.time(world);
        }
        let old = self.plan.take().or(lead);
        let kept = old.clone().filter(|_| matches!(why, Some(Deviation::Due)));
        // The rest of a plan that leads nowhere, or elsewhere, is no way to begin.
        let is_worthless = matches!(
            self.deviation,
            Some(Deviation::Blocked | Deviation::NewGoal)
        );
        let wait = self.wait(eyes);
        let (from, lead) = look_ahead(eyes, world, old.filter(|_| !is_worthless), &wait);
        match self.begin_search(eyes, &from, self.margin_level) {
            Ok(quest) => {
                self.doing = Doing::Thinking;
                let level = self.margin_level;
                let patience = Replanning::first_patience(eyes.level, &quest, level, self.patience);
                let patience = patience / IN_HASTE.pow(self.in_haste);
                self.replanning = Some(Box::new(Replanning {
                    began: world.clone(),
                    from,
                    lead,
                    kept,
                    quest,
                    margin_level: level,
                    tried: 1 << level,
                    found: None,
                    fallback: None,
                    is_last: false,
                    patience,
                    in_vain: 0,
                }));
            }
            Err(why) => self.give_up(eyes, WhyStuck::Unsound(why), world.clone(), world),
        }
    }

    /// The quest that begins in a world, and begins to search for it.
    fn begin_search(
        &mut self,
        eyes: Eyes<'_, L>,
        from: &L::World,
        margin_level: usize,
    ) -> Result<L::Quest, BadSetting> {
        let goal = self.goal.as_ref();
        let goal = goal.unwrap_or_else(|| eyes.level.goal(eyes.who));
        self.searches
            .begin(&self.planner, eyes, from, goal, margin_level)
    }

    /// Waits for the world to change from the one that was thought about.
    fn give_up(
        &mut self,
        eyes: Eyes<'_, L>,
        why: WhyStuck<L::Failure>,
        thought_about: L::World,
        world: &L::World,
    ) {
        self.replanning = None;
        self.searches.give_back();
        self.plan = None;
        self.check = None;
        let now = eyes.time(world);
        self.stuck = Some(Stuck::new(why, thought_about, now, self.times_stuck));
        self.times_stuck += 1;
        self.doing = Doing::Stuck;
    }

    /// Goes on with the plan that is being made, and follows it once it is found, has been
    /// rehearsed, and its beginning is reached. One that comes to grief is made again, as long as
    /// the budget lasts: nobody waits a tick to think on.
    fn think_through(&mut self, eyes: Eyes<'_, L>, world: &L::World, budget: &mut Budget<'_>) {
        while self.think_on(eyes, world, budget).is_continue() {}
    }

    /// Searches and rehearses a plan; whether to go on with another at once.
    fn think_on(
        &mut self,
        eyes: Eyes<'_, L>,
        world: &L::World,
        budget: &mut Budget<'_>,
    ) -> ControlFlow<()> {
        let goal = self.goal.as_ref();
        let goal = goal.unwrap_or_else(|| eyes.level.goal(eyes.who));
        let Some(replanning) = &mut self.replanning else {
            return ControlFlow::Break(());
        };
        if replanning.found.is_none() {
            let bytes = self.patience.bytes;
            match replanning.search(&mut self.searches, eyes, goal, bytes, budget) {
                Some(Searching::Found(way)) => replanning.keep(eyes, world, way, self.tick),
                Some(Searching::Hopeless) => return self.think_otherwise(eyes, world),
                Some(Searching::NotYet) => return ControlFlow::Break(()),
                Some(Searching::Full) | None => {
                    replanning.lose_patience(&self.searches);
                    return self.think_otherwise(eyes, world);
                }
            }
        }
        let Some(found) = &mut replanning.found else {
            return ControlFlow::Break(());
        };
        match found.rehearse(eyes, goal, budget) {
            None => {}
            Some(true) => {
                self.margin_level = found.margin_level;
                self.set_out(eyes, world);
            }
            Some(false) if !replanning.is_last => {
                replanning.put_aside();
                return self.think_otherwise(eyes, world);
            }
            Some(false) if replanning.kept.is_none() && self.is_worthwhile() => {
                self.margin_level = 0;
                self.set_out(eyes, world);
            }
            Some(false) => self.find_nothing(eyes, world),
        }
        ControlFlow::Break(())
    }

    /// Follows the plan that was found, if its beginning is reached.
    fn set_out(&mut self, eyes: Eyes<'_, L>, world: &L::World) {
        let Some(replanning) = &mut self.replanning else {
            return;
        };
        if !replanning.is_near(eyes, world) {
            return;
        }
        let Some(found) = replanning.found.take() else {
            return;
        };
        let (failure, way) = match found.failure {
            Some(failure) => {
                let way = Arc::new(Way::whole(eyes, found.start, failure.lived));
                (Some((failure.why, failure.undone)), way)
            }
            None => (None, found.way),
        };
        let left = way.time();
        let mut plan = Plan::new(way);
        self.replanning = None;
        self.searches.give_back();
        self.times_stuck = 0;
        self.in_haste = 0;
        if self.pace.takes_up(left, eyes.time(world)) {
            self.pace.forget();
            self.give_up(eyes, WhyStuck::Pacing, world.clone(), world);
            return;
        }
        self.plans += 1;
        self.doing = Doing::Following;
        plan.progress(eyes, world);
        let outdated = plan.deviation(eyes, world);
        self.plan = Some(plan);
        (self.rehearsal_failure, self.undone) = failure.unzip();
        // The world did not wait for the thought.
        if outdated.is_some() {
            self.reconsider(eyes, world, outdated);
        }
    }

    /// Whether a plan that came to grief gets the character anywhere, and nearer than those before.
    fn is_worthwhile(&self) -> bool {
        let replanning = self.replanning.as_ref();
        let found = replanning.and_then(|replanning| replanning.found.as_ref());
        let failure = found.and_then(|found| found.failure.as_ref());
        failure.is_some_and(|failure| {
            let is_nearer = self.undone.is_none_or(|undone| failure.undone < undone);
            is_nearer && !failure.lived.is_empty()
        })
    }

    /// There is no plan as enemies were taken to be, or it came to grief in the rehearsal. Takes
    /// them to be otherwise; if everything was tried, makes do with the best there was.
    fn think_otherwise(&mut self, eyes: Eyes<'_, L>, world: &L::World) -> ControlFlow<()> {
        let Some(mut replanning) = self.replanning.take() else {
            return ControlFlow::Break(());
        };
        // Where nobody moves, enemies are what they are.
        let next = if eyes.level.others_move(&replanning.quest) {
            replanning.next_margin_level(eyes.level)
        } else {
            None
        };
        if let Some(margin_level) = next {
            replanning.from = replanning.start(eyes, world).clone();
            replanning.end_search(&self.searches);
            if let Ok(quest) = self.begin_search(eyes, &replanning.from, margin_level) {
                replanning.begin_anew(quest, margin_level);
                self.replanning = Some(replanning);
                return ControlFlow::Continue(());
            }
        }
        let has_something = replanning.make_do(eyes, world, self.tick);
        self.replanning = Some(replanning);
        if has_something {
            return ControlFlow::Continue(());
        }
        self.find_nothing(eyes, world);
        ControlFlow::Break(())
    }

    /// All thinking came to nothing that is worth following.
    fn find_nothing(&mut self, eyes: Eyes<'_, L>, world: &L::World) {
        let Some(mut replanning) = self.replanning.take() else {
            return;
        };
        if let Some(kept) = replanning.kept.take() {
            return self.keep_to(kept, eyes, world);
        }
        let failure = replanning.found.and_then(|found| found.failure);
        self.rehearsal_failure = failure.map(|failure| failure.why);
        self.margin_level = 0;
        let why = match (&self.rehearsal_failure, replanning.in_vain) {
            (Some(failure), _) => WhyStuck::Doubtful(failure.clone()),
            (None, 0) => WhyStuck::NoPlan,
            (None, expanded) => WhyStuck::GaveUp { expanded },
        };
        // What was proven holds for the world that was thought about.
        self.give_up(eyes, why, replanning.from, world);
        let stuck = self.stuck.as_ref();
        let change = stuck.map(|stuck| stuck.change(eyes, world));
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

    /// Goes on with a plan that held when another was looked for, and none was found.
    fn keep_to(&mut self, mut kept: Plan<L>, eyes: Eyes<'_, L>, world: &L::World) {
        self.searches.give_back();
        self.doing = Doing::Following;
        kept.progress(eyes, world);
        let outdated = kept.deviation(eyes, world);
        self.plan = Some(kept);
        if outdated.is_some() {
            self.reconsider(eyes, world, outdated);
        }
    }

    /// The order of the plan that is followed, or what is done until there is one.
    fn order_at_hand(&self, eyes: Eyes<'_, L>, world: &L::World) -> L::Order {
        let replanning = self.replanning.as_ref();
        let lead = replanning.and_then(|replanning| replanning.lead.as_ref());
        let plan = lead.or(self.plan.as_ref());
        let order = plan.and_then(|plan| plan.order(eyes, world));
        order.cloned().unwrap_or_else(|| self.wait(eyes))
    }

    /// Stays where it is, ready for what comes.
    fn wait(&self, eyes: Eyes<'_, L>) -> L::Order {
        let last = self.last.as_ref().map(|(order, _)| order);
        let last = last.filter(|_| self.doing != Doing::Done);
        eyes.level.wait(eyes.who, last)
    }
}
