//! Carries plans out: follows one, notices when the world has gone another way, and makes a new one
//! while it keeps going.
//!
//! An [`Executor`] is asked for an order at every tick of a game and always has one. It reads no
//! clock and spends no more than the budget it is given, so that the same world and budgets give
//! the same orders on every machine.

use std::time::Duration;

use apprentice_search::{BoxedSearch, Budget, Search, Spent, Status};
use apprentice_world::{
    Abilities, AgentId, AnyQuest, Gait, Goal, Margins, Order, Orders, Point, Quest, QuestProblem,
    Rehearsal, Scenario, Stance, StillQuest, Thing, VerifiedStep, World, verify,
};

use crate::deviation::{
    ELSEWHERE, enemy_elsewhere, enemy_that_noticed, flag_that_differs, hurt, living_enemies,
};
use crate::{Deviation, Planner};

/// A character farther than this from where it planned to be has left its plan. In cells or metres.
const ASTRAY: f64 = 2.0;
/// The old plan is followed for this long while a new one is made, if nothing speaks against it.
const LEAD: Duration = Duration::from_millis(1500);
/// What comes this much earlier or later than expected is as expected: two and a half moments of
/// the world, because a game's ticks may be longer than one.
const GRACE: Duration = Duration::from_millis(250);
/// No game has shorter ticks.
const LEAST_TICK: Duration = Duration::from_millis(1);
/// The tick of a game that has not shown its own yet.
const USUAL_TICK: Duration = Duration::from_millis(16);
/// How much more than its margin says enemies are taken to hurt by somebody who is careful: what
/// was one blow is two, so that a plan that gets away by a moment is no plan.
const CAREFUL: f64 = 2.0;

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

/// A plan that is being followed.
struct Plan {
    /// The world it begins in.
    start: World,
    steps: Vec<VerifiedStep>,
    /// How many steps are over.
    done: usize,
    /// Whether the character has reached the place the plan begins at.
    begun: bool,
    /// How much later than expected it did: thinking takes time.
    delay: Duration,
}

/// A plan that is being made.
struct Thought {
    /// The world it began in.
    began: World,
    /// The world the plan will begin in: where the character gets to until then.
    from: World,
    /// What it does until then.
    lead: Option<Plan>,
    work: Work,
    /// How enemies are taken to be, by number, and which of these were tried.
    caution: usize,
    tried: u32,
    /// The plan, once it is found.
    found: Option<Found>,
    /// The first plan that was found, if it did not stand the rehearsal.
    fallback: Option<Found>,
    /// Units of budget that were spent on searching: for the first plan, and then for others.
    spent: u64,
    /// How many may be spent for others, before the first plan is better than none.
    patience: u64,
}

/// A plan that stands its rehearsal may cost so many times what the first one did, and so many
/// units of budget more.
const PATIENCE: (u64, u64) = (4, 20_000);

/// A plan that was found.
#[derive(Clone)]
struct Found {
    /// The world it begins in.
    start: World,
    steps: Vec<VerifiedStep>,
    /// Lives through it in the game's world and ticks; none if that is over, or not needed.
    rehearsal: Option<Rehearsal>,
}

/// A quest and the search for it.
// There is one of these at a time.
#[allow(clippy::large_enum_variant)]
enum Work {
    Still(StillQuest, BoxedSearch<StillQuest>),
    Moving(QuestProblem, BoxedSearch<QuestProblem>),
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

impl Thought {
    fn search(&mut self, budget: &mut Budget<'_>) -> Thinking {
        match &mut self.work {
            Work::Still(quest, search) => run(quest, &mut **search, budget),
            Work::Moving(quest, search) => run(quest, &mut **search, budget),
        }
    }

    /// Keeps a plan that was found. Where others move it is lived through before it is followed.
    fn keep(
        &mut self,
        scenario: &Scenario,
        world: &World,
        steps: Vec<VerifiedStep>,
        tick: Duration,
    ) {
        self.found = Some(match self.work {
            Work::Still(..) => Found {
                start: self.from,
                steps,
                rehearsal: None,
            },
            Work::Moving(..) => {
                let start = self.start(scenario, world);
                Found {
                    start,
                    steps,
                    rehearsal: Some(Rehearsal::new(&start, tick)),
                }
            }
        });
    }

    /// The world in which a plan would begin that is found now: thinking takes time, and nobody
    /// waits for it.
    fn start(&self, scenario: &Scenario, world: &World) -> World {
        let is_there = spot(scenario, world) == spot(scenario, &self.from);
        if is_there && is_standing(world) && self.is_near(world) {
            *world
        } else {
            self.from
        }
    }

    /// Whether the next order is the first of the plan.
    fn is_near(&self, world: &World) -> bool {
        let lead = self.lead.as_ref();
        lead.is_none_or(|lead| lead.is_ending(world))
    }

    /// Whether the character will not get to where the plan begins.
    fn is_lost(&self, scenario: &Scenario, world: &World) -> bool {
        let here = spot(scenario, world);
        let Some(lead) = &self.lead else {
            let is_there = here == spot(scenario, &self.from);
            let is_coming = here == spot(scenario, &self.began) && !is_standing(world);
            return !is_there && !is_coming;
        };
        let last = lead.done.checked_sub(1).map(|last| &lead.steps[last].world);
        here != spot(scenario, last.unwrap_or(&lead.start))
    }
}

impl Found {
    /// Goes on with the rehearsal. Whether the plan stands it; `None` if the budget is spent first.
    /// What was expected of the world with all margins gives way to what is going to happen.
    fn rehearse(
        &mut self,
        scenario: &Scenario,
        goal: &Goal,
        budget: &mut Budget<'_>,
    ) -> Option<bool> {
        let Some(rehearsal) = &mut self.rehearsal else {
            return Some(true);
        };
        let orders: Vec<Order> = self.steps.iter().map(|step| step.order).collect();
        let outcome = rehearsal.go_on(scenario, &orders, goal, budget)?;
        self.rehearsal = None;
        let stands = outcome.is_ok();
        if let Ok(lived) = outcome {
            self.steps = lived.steps;
        }
        Some(stands)
    }
}

/// How much worse than they are enemies are taken to be, in the order in which it is tried: as the
/// scenario says, then so that nobody gets away by a moment; and both again with the radii enemies
/// have, because whoever is to be lured comes only from there.
fn cautions(margins: Margins) -> Vec<Margins> {
    let careful = |margins: Margins| Margins {
        damage: margins.damage * CAREFUL,
        ..margins
    };
    let luring = Margins {
        radius: 1.0,
        ..margins
    };
    let mut cautions = vec![margins, careful(margins)];
    if luring != margins {
        cautions.extend([luring, careful(luring)]);
    }
    cautions
}

/// What became of a slice of thinking.
enum Thinking {
    Found(Vec<VerifiedStep>),
    NotYet,
    Hopeless,
}

fn run<Q: Quest>(quest: &Q, search: &mut dyn Search<Q>, budget: &mut Budget<'_>) -> Thinking {
    let status = search.run(quest, budget);
    let Some(path) = search.path() else {
        // More of the same budget brings nothing where the memory is spent.
        let is_full = status == Status::Paused && budget.spent_by() == Some(Spent::Memory);
        return match status {
            Status::Paused | Status::Improved if !is_full => Thinking::NotYet,
            _ => Thinking::Hopeless,
        };
    };
    let orders: Vec<Order> = path.actions().copied().collect();
    let lived = verify(quest.scenario(), quest.start_world(), &orders, quest.goal());
    // A search only finds what can be lived through.
    lived.map_or(Thinking::Hopeless, |lived| Thinking::Found(lived.steps))
}

/// Where the character will be when it has ended its step and followed its old plan a little
/// further, and that part of the plan. It is not followed into anything that hurts or shuts.
fn look_ahead(scenario: &Scenario, world: &World, old: Option<Plan>) -> (World, Option<Plan>) {
    let mut ahead = *world;
    // A step is never broken off.
    if !is_standing(world) {
        finish_step(scenario, &mut ahead);
    }
    let Some(old) = old.filter(|old| old.begun) else {
        return (ahead, None);
    };
    let first = old.done;
    // The step under way counts as done in `ahead`, whatever became of it.
    let next = if is_standing(world) { first } else { first + 1 };
    let until = world.time() + LEAD;
    let mut kept = old.steps.get(first..next).unwrap_or(&[]).to_vec();
    for step in old.steps.get(next..).unwrap_or(&[]) {
        let mut then = ahead;
        let started = step_time(&old, step);
        then.advance(scenario, &Orders::new(step.order), started, &mut ());
        let arrives = spot(scenario, &then) == spot(scenario, &step.world);
        let unhurt = then.health(AgentId::NPC, scenario) >= ahead.health(AgentId::NPC, scenario);
        if !arrives || !unhurt || then.time() > until {
            break;
        }
        kept.push(step.clone());
        ahead = then;
    }
    let lead = Plan {
        start: *world,
        steps: kept,
        done: 0,
        begun: true,
        delay: old.delay,
    };
    (ahead, (!lead.steps.is_empty()).then_some(lead))
}

/// How long a step of a plan takes.
fn step_time(plan: &Plan, step: &VerifiedStep) -> Duration {
    let before = plan
        .steps
        .iter()
        .take_while(|other| other.time < step.time)
        .last()
        .map_or(0, |other| other.time.ticks());
    Duration::from_nanos(step.time.ticks() - before)
}

/// Lets the world go on until the character stands, for at most a minute.
fn finish_step(scenario: &Scenario, world: &mut World) {
    let moment = Duration::from_millis(100);
    let from = spot(scenario, world);
    for _ in 0..600 {
        world.advance(scenario, &Orders::new(Order::WAIT), moment, &mut ());
        if spot(scenario, world) != from || is_standing(world) {
            break;
        }
    }
}

/// The place the character is in; the one it comes from while it makes a step.
fn spot(scenario: &Scenario, world: &World) -> usize {
    world.place(AgentId::NPC, scenario)
}

/// Whether the character stands, and hears the next order at once.
fn is_standing(world: &World) -> bool {
    !world.is_under_way(AgentId::NPC)
}

impl Plan {
    /// Notes which steps are over.
    fn progress(&mut self, scenario: &Scenario, world: &World) {
        if !self.begun && spot(scenario, world) == spot(scenario, &self.start) {
            self.begun = true;
            self.delay = world.time().saturating_sub(self.start.time());
        }
        while self.begun && self.done < self.steps.len() {
            let step = &self.steps[self.done];
            let last = self.done.checked_sub(1).map(|last| &self.steps[last].world);
            let from = spot(scenario, last.unwrap_or(&self.start));
            let to = spot(scenario, &step.world);
            // Who stays where it is has done so when the time is over.
            let is_over = if from == to {
                world.time() >= step.world.time() + self.delay
            } else {
                spot(scenario, world) == to
            };
            if !is_over {
                break;
            }
            self.done += 1;
        }
    }

    /// The order the character should hear next; none if the plan is over.
    fn order(&self, world: &World) -> Option<Order> {
        // Who is under way hears the next order at the end of the step.
        let next = match (self.begun, is_standing(world)) {
            (true, false) => self.done + 1,
            _ => self.done,
        };
        self.steps.get(next).map(|step| step.order)
    }

    /// Whether the next order that is heard comes after the end of the plan.
    fn is_ending(&self, world: &World) -> bool {
        self.order(world).is_none()
    }

    /// How the world differs from what was expected, if it does.
    fn deviation(&self, scenario: &Scenario, world: &World) -> Option<Deviation> {
        if self.begun && self.done == self.steps.len() && is_standing(world) {
            return Some(Deviation::NotThere);
        }
        let before = match self.done {
            0 => &self.start,
            done => &self.steps[done - 1].world,
        };
        let after = self.steps.get(self.done).map_or(before, |step| &step.world);
        // Orders are for those who follow them from where they were meant.
        let is_on_its_way = !self.begun && !is_standing(world);
        if !is_on_its_way && spot(scenario, world) != spot(scenario, before) {
            let meant = scenario.map().point_of(spot(scenario, before));
            let distance = world.position(AgentId::NPC, scenario).distance_to(meant);
            return Some(Deviation::Astray { distance });
        }
        // Before its beginning is reached, what happens on the way there has not happened.
        let flag = flag_that_differs(scenario, world, &[before, after]);
        if let Some(deviation) = flag.filter(|_| self.begun) {
            return Some(deviation);
        }
        let now = world.time().saturating_sub(self.delay);
        let (earlier, later) = self.around(now);
        let part = part_between(earlier.time(), later.time(), now);
        let expected = |agent| {
            let (from, to) = (
                earlier.position(agent, scenario),
                later.position(agent, scenario),
            );
            Point::new(
                from.x + (to.x - from.x) * part,
                from.y + (to.y - from.y) * part,
            )
        };
        let here = world.position(AgentId::NPC, scenario);
        let distance = here.distance_to(expected(AgentId::NPC));
        if distance > ASTRAY {
            return Some(Deviation::Astray { distance });
        }
        let (before, _) = self.around(now.saturating_sub(GRACE));
        let (_, after) = self.around(now + GRACE);
        let expected_worlds = [before, earlier, later, after];
        let surprise = enemy_that_noticed(scenario, world, &expected_worlds)
            .or_else(|| hurt(scenario, world, &expected_worlds));
        if let Some(deviation) = surprise.filter(|_| self.begun) {
            return Some(deviation);
        }
        living_enemies(scenario, world).find_map(|enemy| {
            let distance = world.position(enemy, scenario).distance_to(expected(enemy));
            (distance > ELSEWHERE).then(|| Deviation::EnemyElsewhere {
                id: scenario.id_of(Thing::Agent(enemy)).to_owned(),
                distance,
            })
        })
    }

    /// The worlds expected before and after a time.
    fn around(&self, time: Duration) -> (&World, &World) {
        let next = self.steps.partition_point(|step| step.world.time() <= time);
        let before = match next {
            0 => &self.start,
            next => &self.steps[next - 1].world,
        };
        let after = self.steps.get(next).map_or(before, |step| &step.world);
        (before, after)
    }
}

/// How much of the time between two moments has passed: 0 to 1.
fn part_between(from: Duration, to: Duration, now: Duration) -> f64 {
    let whole = to.saturating_sub(from).as_nanos() as f64;
    let passed = now.saturating_sub(from).as_nanos() as f64;
    if whole == 0.0 {
        1.0
    } else {
        (passed / whole).min(1.0)
    }
}
