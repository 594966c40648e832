//! A plan that is being followed: how far it has come, and how the world differs from it.

use std::time::Duration;

use apprentice_experience::Place;
use apprentice_game::{Live, StepIn};

use crate::Deviation;
use crate::eyes::{ELSEWHERE, Eyes};

/// A character farther than this from where it planned to be has left its plan. In cells or metres.
const ASTRAY: f64 = 2.0;
/// The old plan is followed for this long while a new one is made, if nothing speaks against it.
const LEAD: Duration = Duration::from_millis(1500);
/// What comes this much earlier or later than expected is as expected: two and a half moments of
/// our world, because a game's ticks may be longer than one.
pub(crate) const GRACE: Duration = Duration::from_millis(250);

/// A plan that is being followed.
pub(crate) struct Plan<L: Live> {
    /// The world it begins in.
    pub(crate) start: L::World,
    pub(crate) steps: Vec<StepIn<L>>,
    /// How many steps are over.
    pub(crate) done: usize,
    /// Whether the character has reached the place the plan begins at.
    pub(crate) begun: bool,
    /// How much later than expected it did: thinking takes time.
    pub(crate) delay: Duration,
}

impl<L: Live> Plan<L> {
    /// Notes which steps are over.
    pub(crate) fn progress(&mut self, eyes: Eyes<'_, L>, world: &L::World) {
        let (now, here) = (eyes.time(world), eyes.spot(world));
        if !self.begun && here == eyes.spot(&self.start) {
            self.begun = true;
            self.delay = now.saturating_sub(eyes.time(&self.start));
        }
        while self.begun && self.done < self.steps.len() {
            let step = &self.steps[self.done];
            let from = eyes.spot(self.before());
            let to = eyes.spot(&step.world);
            // Who stays where it is has done so when the time is over.
            let is_over = if from == to {
                now >= eyes.time(&step.world) + self.delay
            } else {
                here == to
            };
            if !is_over {
                break;
            }
            self.done += 1;
        }
    }

    /// The world in which the next step was to begin.
    fn before(&self) -> &L::World {
        let last = self.done.checked_sub(1);
        last.map_or(&self.start, |last| &self.steps[last].world)
    }

    /// The order the character should hear next; none if the plan is over.
    pub(crate) fn order(&self, eyes: Eyes<'_, L>, world: &L::World) -> Option<&L::Order> {
        // Who is under way hears the next order at the end of the step.
        let next = match (self.begun, eyes.is_standing(world)) {
            (true, false) => self.done + 1,
            _ => self.done,
        };
        self.steps.get(next).map(|step| &step.order)
    }

    /// Whether the next order that is heard comes after the end of the plan.
    pub(crate) fn is_ending(&self, eyes: Eyes<'_, L>, world: &L::World) -> bool {
        self.order(eyes, world).is_none()
    }

    /// Whether it has been carried out.
    pub(crate) fn is_over(&self) -> bool {
        self.done == self.steps.len()
    }

    /// Whether the character is in the place from which the next step is to be made, or on that step.
    pub(crate) fn is_in_place(&self, eyes: Eyes<'_, L>, world: &L::World) -> bool {
        eyes.spot(world) == eyes.spot(self.before())
    }

    /// How the world differs from what was expected, if it does.
    pub(crate) fn deviation(&self, eyes: Eyes<'_, L>, world: &L::World) -> Option<Deviation> {
        if self.begun && self.is_over() && eyes.is_standing(world) {
            return Some(Deviation::NotThere);
        }
        let before = self.before();
        let after = self.steps.get(self.done).map_or(before, |step| &step.world);
        // Orders are for those who follow them from where they were meant.
        let is_on_its_way = !self.begun && !eyes.is_standing(world);
        let here = eyes.at(world);
        if !is_on_its_way && eyes.spot(world) != eyes.spot(before) {
            let meant = eyes.level.point(eyes.spot(before));
            let distance = here.seen_from_above(meant.x, meant.y);
            return Some(Deviation::Astray { distance });
        }
        // Before its beginning is reached, what happens on the way there has not happened.
        let change = eyes.change(world, &[before, after]);
        if let Some(deviation) = change.filter(|_| self.begun) {
            return Some(deviation);
        }
        let now = eyes.time(world).saturating_sub(self.delay);
        let (earlier, later) = self.around(eyes, now);
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
        let (before, _) = self.around(eyes, now.saturating_sub(GRACE));
        let (_, after) = self.around(eyes, now + GRACE);
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

    /// The worlds expected before and after a time.
    fn around(&self, eyes: Eyes<'_, L>, time: Duration) -> (&L::World, &L::World) {
        let next = self
            .steps
            .partition_point(|step| eyes.time(&step.world) <= time);
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
    let mut kept = old.steps.get(first..next).unwrap_or(&[]).to_vec();
    for (number, step) in old.steps.iter().enumerate().skip(next) {
        // Whoever was pushed to where a step leads would seem to arrive without making it.
        let before = number.checked_sub(1).map(|last| &old.steps[last].world);
        if eyes.spot(&ahead) != eyes.spot(before.unwrap_or(&old.start)) {
            break;
        }
        let Ok((then, _)) = level.after(who, &ahead, &step.order) else {
            break;
        };
        let arrives = eyes.spot(&then) == eyes.spot(&step.world);
        let unhurt = eyes.health(&then) >= eyes.health(&ahead);
        if !arrives || !unhurt || eyes.time(&then) > until {
            break;
        }
        kept.push(step.clone());
        ahead = then;
    }
    let lead = Plan {
        start: world.clone(),
        steps: kept,
        done: 0,
        begun: true,
        delay: old.delay,
    };
    (ahead, (!lead.steps.is_empty()).then_some(lead))
}
