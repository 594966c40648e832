//! A plan that is being followed: how far it has come, and how the world differs from it.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use apprentice_experience::Place;
use apprentice_game::{Live, PlannedStep, StepIn};
use apprentice_search::{Budget, Cost};

use crate::Deviation;
use crate::eyes::{ELSEWHERE, Eyes};

#[cfg(feature = "serde")]
pub(crate) mod saved;

/// A character farther than this from where it planned to be has left its plan. In cells or metres.
const ASTRAY: f64 = 2.0;
/// The old plan is followed for this long while a new one is made, if nothing speaks against it.
const LEAD: Duration = Duration::from_millis(1500);
/// What comes this much earlier or later than expected is as expected: two and a half moments of
/// our world, because a game's ticks may be longer than one.
pub(crate) const GRACE: Duration = Duration::from_millis(250);

/// A plan that is being followed.
///
/// Whoever walks should take little memory. A world is kept for a step only where asking for the world
/// [after](Live::after) its order would not give the same; the others are worked out again when the
/// character comes near them.
pub(crate) struct Plan<L: Live> {
    /// What is to be done, and expected.
    way: Arc<Way<L>>,
    /// How many steps are over.
    done: usize,
    /// Whether the character has reached the place the plan begins at.
    pub(crate) begun: bool,
    /// How much later than expected it did: thinking takes time.
    delay: Duration,
    /// The worlds after so many steps and after those that follow, worked out again.
    near: (usize, VecDeque<L::World>),
}

impl<L: Live> Clone for Plan<L> {
    fn clone(&self) -> Plan<L> {
        Plan {
            way: Arc::clone(&self.way),
            near: self.near.clone(),
            ..*self
        }
    }
}

/// What is to be done, and what is expected. Characters that have the same to do share it.
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(bound = "L: apprentice_game::Savable"))]
pub(crate) struct Way<L: Live> {
    /// The world it begins in.
    start: L::World,
    steps: Vec<Step<L>>,
    /// How well the character is to be in the end.
    #[cfg_attr(feature = "serde", serde(with = "apprentice_search::saved::real"))]
    health: f64,
    lightening: Lightening<L>,
}

/// A step of it.
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(bound = "L: apprentice_game::Savable"))]
struct Step<L: Live> {
    time: Cost,
    order: L::Order,
    events: Vec<L::Event>,
    /// When it is over, by the world's own time, and where the character is then.
    at: Duration,
    spot: usize,
    /// The world as it is then, unless it can be worked out.
    world: Option<Box<L::World>>,
}

/// How far it is known which worlds can be worked out.
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(bound = "L: apprentice_game::Savable"))]
enum Lightening<L: Live> {
    /// So many steps were looked at; the world after the last of them, if it is not kept.
    Under(usize, Option<L::World>),
    Done,
}

/// So many steps are looked at for a unit of budget: where nobody else moves, each takes a fraction of a
/// microsecond.
const LIGHTENED_AT_ONCE: usize = 32;

impl<L: Live> Way<L> {
    /// One that begins in a world, and what is expected after each of its steps.
    pub(crate) fn new(eyes: Eyes<'_, L>, start: L::World, steps: Vec<StepIn<L>>) -> Way<L> {
        let end = steps.last().map_or(&start, |end| &end.world);
        let health = eyes.health(end);
        // Not collected, or they would keep the memory of what they are made of.
        let mut light = Vec::with_capacity(steps.len());
        light.extend(steps.into_iter().map(|step| Step::new(eyes, step)));
        Way {
            start,
            steps: light,
            health,
            lightening: Lightening::Under(0, None),
        }
    }

    /// Forgets worlds that can be worked out again, a unit of budget for every so many steps. False: the
    /// budget is spent, call again.
    pub(crate) fn lighten(&mut self, eyes: Eyes<'_, L>, budget: &mut Budget<'_>) -> bool {
        let Lightening::Under(seen, last) = &mut self.lightening else {
            return true;
        };
        while *seen < self.steps.len() {
            if !budget.take() {
                return false;
            }
            let end = self.steps.len().min(*seen + LIGHTENED_AT_ONCE);
            while *seen < end {
                let kept = seen.checked_sub(1).map(|last| &self.steps[last].world);
                let before = match (kept, &*last) {
                    (Some(Some(kept)), _) => kept,
                    (_, Some(last)) => last,
                    _ => &self.start,
                };
                let step = &self.steps[*seen];
                let after = eyes.level.after(eyes.who, before, &step.order);
                let after = after.ok().map(|(after, _)| after);
                let after = after.filter(|after| step.world.as_deref() == Some(after));
                let is_known = after.is_some();
                *last = after;
                if is_known {
                    self.steps[*seen].world = None;
                }
                *seen += 1;
            }
        }
        self.lightening = Lightening::Done;
        true
    }

    /// The same, of which every world is kept: for where others move, so that working worlds out again
    /// takes long and does not give the same.
    pub(crate) fn whole(eyes: Eyes<'_, L>, start: L::World, steps: Vec<StepIn<L>>) -> Way<L> {
        Way {
            lightening: Lightening::Done,
            ..Way::new(eyes, start, steps)
        }
    }

    /// The same steps for somebody who begins in another world than was thought.
    pub(crate) fn beginning_in(&self, eyes: Eyes<'_, L>, start: &L::World) -> Way<L> {
        let mut before = self.start.clone();
        let steps = self.steps.iter().map(|step| {
            before = step.world(eyes, &before);
            step.planned(before.clone())
        });
        Way::whole(eyes, start.clone(), steps.collect())
    }

    /// Whether it holds nothing that it can do without.
    pub(crate) fn is_light(&self) -> bool {
        matches!(self.lightening, Lightening::Done)
    }

    /// When it is over, from its beginning.
    pub(crate) fn time(&self) -> Cost {
        self.steps.last().map_or(Cost::ZERO, |step| step.time)
    }

    /// All orders.
    pub(crate) fn orders(&self) -> impl Iterator<Item = &L::Order> {
        self.steps.iter().map(|step| &step.order)
    }

    /// Where the character is to be after so many steps.
    fn spot_after(&self, eyes: Eyes<'_, L>, steps: usize) -> usize {
        match steps.checked_sub(1) {
            Some(last) => self.steps[last].spot,
            None => eyes.spot(&self.start),
        }
    }
}

impl<L: Live> Plan<L> {
    /// A plan that nobody has begun with.
    pub(crate) fn new(way: Arc<Way<L>>) -> Plan<L> {
        Plan {
            way,
            done: 0,
            begun: false,
            delay: Duration::ZERO,
            near: (0, VecDeque::new()),
        }
    }

    /// The same for somebody who has reached its beginning, as much later than expected.
    pub(crate) fn begun(mut self, delay: Duration) -> Plan<L> {
        (self.begun, self.delay) = (true, delay);
        self
    }

    /// Notes which steps are over.
    pub(crate) fn progress(&mut self, eyes: Eyes<'_, L>, world: &L::World) {
        let (now, here) = (eyes.time(world), eyes.spot(world));
        if !self.begun && here == eyes.spot(&self.way.start) {
            self.begun = true;
            self.delay = now.saturating_sub(eyes.time(&self.way.start));
        }
        while self.begun && self.done < self.way.steps.len() {
            let step = &self.way.steps[self.done];
            // Who stays where it is has done so when the time is over.
            let is_over = if self.way.spot_after(eyes, self.done) == step.spot {
                now >= step.at + self.delay
            } else {
                here == step.spot
            };
            if !is_over {
                break;
            }
            self.done += 1;
        }
    }

    /// Forgets worlds that can be worked out again. False: the budget is spent, call again.
    pub(crate) fn lighten(&mut self, eyes: Eyes<'_, L>, budget: &mut Budget<'_>) -> bool {
        // What others have, too, is light already.
        let way = Arc::get_mut(&mut self.way);
        way.is_none_or(|way| way.lighten(eyes, budget))
    }

    /// Whether it holds nothing that it can do without.
    pub(crate) fn is_light(&self) -> bool {
        self.way.is_light()
    }

    /// How well the character is to be in the end.
    pub(crate) fn health(&self) -> f64 {
        self.way.health
    }

    /// How many steps are ahead.
    pub(crate) fn left(&self) -> usize {
        self.way.steps.len() - self.done
    }

    /// How many steps are over.
    pub(crate) fn done(&self) -> usize {
        self.done
    }

    /// The orders after so many steps.
    pub(crate) fn orders_from(&self, first: usize) -> impl Iterator<Item = &L::Order> {
        self.way.steps.iter().skip(first).map(|step| &step.order)
    }

    /// The steps that are ahead, with the worlds after them.
    pub(crate) fn ahead(&self, eyes: Eyes<'_, L>) -> Vec<StepIn<L>> {
        let mut world = self.worked_out(eyes, self.done);
        let steps = self.way.steps[self.done..].iter();
        let steps = steps.map(|step| {
            world = step.world(eyes, &world);
            step.planned(world.clone())
        });
        steps.collect()
    }

    /// Worlds that are expected and kept.
    pub(crate) fn kept_worlds(&self) -> impl Iterator<Item = &L::World> {
        self.way
            .steps
            .iter()
            .filter_map(|step| step.world.as_deref())
    }

    /// The world after so many steps, if it is at hand.
    fn at_hand(&self, steps: usize) -> Option<&L::World> {
        let Some(last) = steps.checked_sub(1) else {
            return Some(&self.way.start);
        };
        let (first, near) = &self.near;
        let kept = self.way.steps.get(last)?.world.as_deref();
        kept.or_else(|| near.get(steps.checked_sub(*first)?))
    }

    /// The world after so many steps, worked out from the last one before that is at hand.
    fn worked_out(&self, eyes: Eyes<'_, L>, steps: usize) -> L::World {
        let mut before = (0..=steps).rev();
        let known = before.find_map(|steps| Some((steps, self.at_hand(steps)?)));
        let (known, world) = known.unwrap_or((0, &self.way.start));
        let mut world = world.clone();
        for step in &self.way.steps[known..steps] {
            world = step.world(eyes, &world);
        }
        world
    }

    /// Makes the worlds after so many steps, from one number to another, to be at hand.
    fn get_at_hand(&mut self, eyes: Eyes<'_, L>, from: usize, to: usize) {
        if (from..=to).all(|steps| self.at_hand(steps).is_some()) {
            return;
        }
        let (first, near) = &mut self.near;
        if !(*first..*first + near.len()).contains(&from) {
            let world = self.worked_out(eyes, from);
            self.near = (from, VecDeque::from([world]));
        } else {
            near.drain(..from - *first);
            *first = from;
        }
        let (first, near) = &mut self.near;
        while *first + near.len() <= to {
            let step = &self.way.steps[*first + near.len() - 1];
            let Some(last) = near.back() else { break };
            let next = step.world(eyes, last);
            near.push_back(next);
        }
    }

    /// The world after so many steps, which is at hand.
    fn world(&self, steps: usize) -> &L::World {
        let world = self.at_hand(steps);
        debug_assert!(world.is_some(), "what is looked at was worked out before");
        world.unwrap_or(&self.way.start)
    }

    /// The order the character should hear next; none if the plan is over.
    pub(crate) fn order(&self, eyes: Eyes<'_, L>, world: &L::World) -> Option<&L::Order> {
        // Who is under way hears the next order at the end of the step.
        let next = match (self.begun, eyes.is_standing(world)) {
            (true, false) => self.done + 1,
            _ => self.done,
        };
        self.way.steps.get(next).map(|step| &step.order)
    }

    /// Whether the next order that is heard comes after the end of the plan.
    pub(crate) fn is_ending(&self, eyes: Eyes<'_, L>, world: &L::World) -> bool {
        self.order(eyes, world).is_none()
    }

    /// Whether it has been carried out.
    pub(crate) fn is_over(&self) -> bool {
        self.done == self.way.steps.len()
    }

    /// Whether the character is in the place from which the next step is to be made, or on that step.
    pub(crate) fn is_in_place(&self, eyes: Eyes<'_, L>, world: &L::World) -> bool {
        eyes.spot(world) == self.way.spot_after(eyes, self.done)
    }

    /// How the world differs from what was expected, if it does.
    pub(crate) fn deviation(&mut self, eyes: Eyes<'_, L>, world: &L::World) -> Option<Deviation> {
        if self.begun && self.is_over() && eyes.is_standing(world) {
            return Some(Deviation::NotThere);
        }
        // Orders are for those who follow them from where they were meant.
        let is_on_its_way = !self.begun && !eyes.is_standing(world);
        let here = eyes.at(world);
        let spot = self.way.spot_after(eyes, self.done);
        if !is_on_its_way && eyes.spot(world) != spot {
            let meant = eyes.level.point(spot);
            let distance = here.seen_from_above(meant.x, meant.y);
            return Some(Deviation::Astray { distance });
        }
        let now = eyes.time(world).saturating_sub(self.delay);
        let next = self.way.steps.len().min(self.done + 1);
        let (first, _) = self.around(now.saturating_sub(GRACE));
        let (_, last) = self.around(now + GRACE);
        self.get_at_hand(eyes, first.min(self.done), last.max(next));
        let (before, after) = (self.world(self.done), self.world(next));
        // Before its beginning is reached, what happens on the way there has not happened.
        let change = eyes.change(world, &[before, after]);
        if let Some(deviation) = change.filter(|_| self.begun) {
            return Some(deviation);
        }
        let (earlier, later) = self.worlds_around(now);
        let part = part_between(eyes.time(earlier), eyes.time(later), now);
        let between = |from: Place, to: Place| {
            let x = from.x + (to.x - from.x) * part;
            let y = from.y + (to.y - from.y) * part;
            (x, y)
        };
        let (x, y) = between(eyes.at(earlier), eyes.at(later));
        let distance = here.seen_from_above(x, y);
        if distance > ASTRAY {
            return Some(Deviation::Astray { distance });
        }
        let (before, _) = self.worlds_around(now.saturating_sub(GRACE));
        let (_, after) = self.worlds_around(now + GRACE);
        let expected_worlds = [before, earlier, later, after];
        let surprise = eyes
            .noticed(world, &expected_worlds)
            .or_else(|| eyes.hurt(world, &expected_worlds));
        if let Some(deviation) = surprise.filter(|_| self.begun) {
            return Some(deviation);
        }
        let mut enemies = eyes.level.enemies(world);
        enemies.find_map(|landmark| {
            let whereabouts = |world| eyes.level.whereabouts(world, landmark);
            let (x, y) = between(whereabouts(earlier), whereabouts(later));
            let distance = whereabouts(world).seen_from_above(x, y);
            (distance > ELSEWHERE).then_some(Deviation::EnemyElsewhere { landmark, distance })
        })
    }

    /// After how many steps the worlds are that are expected before and after a time.
    fn around(&self, time: Duration) -> (usize, usize) {
        let before = self.way.steps.partition_point(|step| step.at <= time);
        (before, self.way.steps.len().min(before + 1))
    }

    fn worlds_around(&self, time: Duration) -> (&L::World, &L::World) {
        let (before, after) = self.around(time);
        (self.world(before), self.world(after))
    }
}

impl<L: Live> Step<L> {
    fn new(eyes: Eyes<'_, L>, step: StepIn<L>) -> Step<L> {
        Step {
            time: step.time,
            order: step.order,
            events: step.events,
            at: eyes.time(&step.world),
            spot: eyes.spot(&step.world),
            world: Some(Box::new(step.world)),
        }
    }

    /// The same with the world after it.
    fn planned(&self, world: L::World) -> StepIn<L> {
        PlannedStep {
            time: self.time,
            order: self.order.clone(),
            events: self.events.clone(),
            world,
        }
    }

    /// The world after it, if this is the one before.
    fn world(&self, eyes: Eyes<'_, L>, before: &L::World) -> L::World {
        if let Some(world) = &self.world {
            return L::World::clone(world);
        }
        // It could be carried out when the plan was made. If that is no longer so the level is another
        // one, and whoever looks at the world sees that it is not as was expected.
        let after = eyes.level.after(eyes.who, before, &self.order);
        after.map_or_else(|_| before.clone(), |(after, _)| after)
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

/// Where the character will be when it has ended its step and followed its old plan a little
/// further, and that part of the plan. It is not followed into anything that hurts or shuts. `wait` is
/// how the character waits, and how it ends a step.
pub(crate) fn look_ahead<L: Live>(
    eyes: Eyes<'_, L>,
    world: &L::World,
    old: Option<Plan<L>>,
    wait: &L::Order,
) -> (L::World, Option<Plan<L>>) {
    let (level, who) = (eyes.level, eyes.who);
    let stands = eyes.is_standing(world);
    // A step is never broken off.
    let mut ahead = if stands {
        world.clone()
    } else {
        level.end_of_step(who, world, wait)
    };
    let Some(old) = old.filter(|old| old.begun) else {
        return (ahead, None);
    };
    let first = old.done;
    // The step under way counts as done in `ahead`, whatever became of it.
    let next = if stands { first } else { first + 1 };
    let until = eyes.time(world) + LEAD;
    let mut kept = Vec::new();
    for (number, step) in old.way.steps.iter().enumerate().skip(first) {
        if number >= next {
            // Whoever was pushed to where a step leads would seem to arrive without making it.
            if eyes.spot(&ahead) != old.way.spot_after(eyes, number) {
                break;
            }
            let Ok((then, _)) = level.after(who, &ahead, &step.order) else {
                break;
            };
            let arrives = eyes.spot(&then) == step.spot;
            let unhurt = eyes.health(&then) >= eyes.health(&ahead);
            if !arrives || !unhurt || eyes.time(&then) > until {
                break;
            }
            ahead = then;
        }
        kept.push(step.planned(old.worked_out(eyes, number + 1)));
    }
    if kept.is_empty() {
        return (ahead, None);
    }
    let way = Way::whole(eyes, world.clone(), kept);
    (ahead, Some(Plan::new(Arc::new(way)).begun(old.delay)))
}
