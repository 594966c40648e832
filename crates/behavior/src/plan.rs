//! A plan that is being followed: how far it has come, and how the world differs from it.

use std::time::Duration;

use apprentice_world::{AgentId, Order, Orders, Point, Scenario, Thing, VerifiedStep, World};

use crate::Deviation;
use crate::deviation::{ELSEWHERE, enemy_that_noticed, flag_that_differs, hurt, living_enemies};

/// A character farther than this from where it planned to be has left its plan. In cells or metres.
const ASTRAY: f64 = 2.0;
/// The old plan is followed for this long while a new one is made, if nothing speaks against it.
const LEAD: Duration = Duration::from_millis(1500);
/// What comes this much earlier or later than expected is as expected: two and a half moments of
/// the world, because a game's ticks may be longer than one.
pub(crate) const GRACE: Duration = Duration::from_millis(250);

/// A plan that is being followed.
pub(crate) struct Plan {
    /// The world it begins in.
    pub(crate) start: World,
    pub(crate) steps: Vec<VerifiedStep>,
    /// How many steps are over.
    pub(crate) done: usize,
    /// Whether the character has reached the place the plan begins at.
    pub(crate) begun: bool,
    /// How much later than expected it did: thinking takes time.
    pub(crate) delay: Duration,
}

impl Plan {
    /// Notes which steps are over.
    pub(crate) fn progress(&mut self, scenario: &Scenario, world: &World) {
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
    pub(crate) fn order(&self, world: &World) -> Option<Order> {
        // Who is under way hears the next order at the end of the step.
        let next = match (self.begun, is_standing(world)) {
            (true, false) => self.done + 1,
            _ => self.done,
        };
        self.steps.get(next).map(|step| step.order)
    }

    /// Whether the next order that is heard comes after the end of the plan.
    pub(crate) fn is_ending(&self, world: &World) -> bool {
        self.order(world).is_none()
    }

    /// Whether it has been carried out.
    pub(crate) fn is_over(&self) -> bool {
        self.done == self.steps.len()
    }

    /// Whether the character is in the place from which the next step is to be made, or on that step.
    pub(crate) fn is_in_place(&self, scenario: &Scenario, world: &World) -> bool {
        let before = match self.done {
            0 => &self.start,
            done => &self.steps[done - 1].world,
        };
        spot(scenario, world) == spot(scenario, before)
    }

    /// How the world differs from what was expected, if it does.
    pub(crate) fn deviation(&self, scenario: &Scenario, world: &World) -> Option<Deviation> {
        if self.begun && self.is_over() && is_standing(world) {
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

/// Where the character will be when it has ended its step and followed its old plan a little
/// further, and that part of the plan. It is not followed into anything that hurts or shuts. `wait` is
/// how the character waits, and how it ends a step.
pub(crate) fn look_ahead(
    scenario: &Scenario,
    world: &World,
    old: Option<Plan>,
    wait: Order,
) -> (World, Option<Plan>) {
    let mut ahead = world.clone();
    // A step is never broken off.
    if !is_standing(world) {
        finish_step(scenario, &mut ahead, wait);
    }
    let Some(old) = old.filter(|old| old.begun) else {
        return (ahead, None);
    };
    let first = old.done;
    // The step under way counts as done in `ahead`, whatever became of it.
    let next = if is_standing(world) { first } else { first + 1 };
    let until = world.time() + LEAD;
    let mut kept = old.steps.get(first..next).unwrap_or(&[]).to_vec();
    for (number, step) in old.steps.iter().enumerate().skip(next) {
        // Whoever was pushed to where a step leads would seem to arrive without making it.
        let before = number.checked_sub(1).map(|last| &old.steps[last].world);
        if spot(scenario, &ahead) != spot(scenario, before.unwrap_or(&old.start)) {
            break;
        }
        let mut then = ahead.clone();
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
        start: world.clone(),
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
fn finish_step(scenario: &Scenario, world: &mut World, wait: Order) {
    let moment = Duration::from_millis(100);
    let from = spot(scenario, world);
    for _ in 0..600 {
        world.advance(scenario, &Orders::new(wait), moment, &mut ());
        if spot(scenario, world) != from || is_standing(world) {
            break;
        }
    }
}

/// The place the character is in; the one it comes from while it makes a step.
pub(crate) fn spot(scenario: &Scenario, world: &World) -> usize {
    world.place(AgentId::NPC, scenario)
}

/// Whether the character stands, and hears the next order at once.
pub(crate) fn is_standing(world: &World) -> bool {
    !world.is_under_way(AgentId::NPC)
}
