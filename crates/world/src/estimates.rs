//! Lower bounds of the time to a goal of our world, as the crow flies.

use apprentice_experience::Place;
use apprentice_game::Aim;
use apprentice_search::Cost;

use crate::game::Facts;
use crate::goal::Situation;
use crate::quest_problem::top_speed_of;
use crate::{AgentId, Goal, Point, Quest, Thing, ViewAtPlace};

/// Steps of others take whole nanoseconds, and so are now and then a little faster than their speed
/// says; an estimate that counts on them counts on this much more.
const ROUNDING: f64 = 1.0 + 1e-6;

/// The time to a goal, at least.
#[inline]
pub(crate) fn straight<Q: Quest, S: Situation>(goal: &Goal, quest: &Q, situation: &S) -> Cost {
    match goal {
        Goal::Within { at, radius, .. } => {
            let distance = situation.position(situation.agent()).distance_to(*at) - radius;
            Cost::round_down(distance.max(0.0) / quest.top_speed())
        }
        Goal::InOrder(goals) => straight_in_order(goals, quest, situation),
        Goal::All(goals) => {
            let costs = goals.iter().map(|goal| straight(goal, quest, situation));
            costs.max().unwrap_or(Cost::ZERO)
        }
        Goal::Any(goals) => {
            let costs = goals.iter().map(|goal| straight(goal, quest, situation));
            costs.min().unwrap_or(Cost::INFINITE)
        }
        other => straight_to_rare(other, quest, situation),
    }
}

/// The time to parts that are to be met one after the other, at least: to what is next and from there on
/// from place to place, and to each that is left, whichever is longest.
fn straight_in_order<Q: Quest, S: Situation>(goals: &[Goal], quest: &Q, situation: &S) -> Cost {
    let scenario = quest.scenario();
    let here = situation.position(situation.agent());
    // Items may be picked up before their turn comes, unless it is theirs. With what is next among the
    // stops and without it: either alone would drop by more than a step costs, now and then.
    let mut ways = [Way::from(here), Way::from(here)];
    let mut longest = Cost::ZERO;
    for (number, goal) in goals.iter().skip(situation.parts_met()).enumerate() {
        longest = longest.max(straight(goal, quest, situation));
        match goal {
            Goal::Within { at, radius, .. } => {
                ways.iter_mut().for_each(|way| way.go_on(*at, *radius));
            }
            Goal::Holds(item) if number == 0 && !situation.holds(*item) => {
                let at = scenario.items[item.index()].at;
                ways[0].go_on(at, scenario.reach_for(*item));
            }
            _ => {}
        }
    }
    let metres = ways.iter().map(|way| way.metres).fold(0.0, f64::max);
    longest.max(Cost::round_down(metres / quest.top_speed()))
}

/// How far it is at least from stop to stop.
struct Way {
    at: Point,
    /// How near the stop one may have been.
    room: f64,
    metres: f64,
}

impl Way {
    fn from(at: Point) -> Way {
        Way {
            at,
            room: 0.0,
            metres: 0.0,
        }
    }

    fn go_on(&mut self, at: Point, radius: f64) {
        self.metres += (self.at.distance_to(at) - self.room - radius).max(0.0);
        (self.at, self.room) = (at, radius);
    }
}

fn straight_to_rare<Q: Quest, S: Situation>(goal: &Goal, quest: &Q, situation: &S) -> Cost {
    let scenario = quest.scenario();
    let here = situation.position(situation.agent());
    // A second of a plan counts as this much at least, also where others need it.
    let least = scenario.least_counted(situation.agent());
    let top_speed_of = |scenario, agent| top_speed_of(scenario, agent) / least;
    // Whoever cannot move never comes nearer.
    let approach = |distance: f64, speed: f64| {
        if distance <= 0.0 {
            Cost::ZERO
        } else {
            Cost::round_down(distance / speed)
        }
    };
    match goal {
        Goal::AgentWithin {
            agent, at, radius, ..
        } if *agent == situation.agent() => {
            approach(here.distance_to(*at) - radius, quest.top_speed())
        }
        Goal::AgentWithin {
            agent, at, radius, ..
        } => {
            let speed = ROUNDING * top_speed_of(scenario, *agent);
            approach(situation.position(*agent).distance_to(*at) - radius, speed)
        }
        // Both may go towards each other.
        Goal::Near { agent, radius } if *agent != situation.agent() => {
            let distance = here.distance_to(situation.position(*agent)) - radius;
            let speed = quest.top_speed() + top_speed_of(scenario, *agent);
            approach(distance, ROUNDING * speed)
        }
        Goal::Dead(agent) if situation.is_dead(*agent) => Cost::ZERO,
        Goal::Dead(agent @ AgentId::Enemy(_)) if scenario.actors.len() == 1 => {
            let speed = quest.top_speed() + top_speed_of(scenario, *agent);
            let reach = scenario.actors[0].reach;
            let distance = here.distance_to(situation.position(*agent)) - reach;
            // The first blow can be made ready on the way, so the longer of the two counts.
            let (until_first, after_first) = situation.fight_left(*agent);
            let counted = |time| counted(time, least);
            let (until_first, after_first) = (counted(until_first), counted(after_first));
            approach(distance, speed).max(until_first) + after_first
        }
        Goal::Holds(item) if !situation.holds(*item) => {
            let place = scenario.items[item.index()].at;
            let reach = scenario.reach_for(*item);
            approach(here.distance_to(place) - reach, quest.top_speed())
        }
        Goal::LeverOn(lever) if !situation.is_on(*lever) => {
            let place = scenario.levers[lever.index()].at;
            let reach = scenario.reach_for_lever(*lever);
            let alone = approach(here.distance_to(place) - reach, quest.top_speed());
            // Somebody else may be there first.
            let all = (0..scenario.actors.len() as u16).map(AgentId::Actor);
            let others = all.filter(|other| *other != situation.agent());
            let helped = others.map(|agent| {
                let distance = situation.position(agent).distance_to(place);
                approach(distance - reach, top_speed_of(scenario, agent))
            });
            helped.fold(alone, Cost::min)
        }
        _ => Cost::ZERO,
    }
}

/// What so much time counts where a second counts so much at least.
pub(crate) fn counted(time: Cost, least: f64) -> Cost {
    match least < 1.0 {
        true => Cost::round_down(time.as_seconds() * least),
        false => time,
    }
}

/// The time from anywhere to a part of an aim, at least.
pub(crate) fn straight_to<Q: Quest>(
    quest: &Q,
    facts: &Facts,
    part: &Aim,
    from: Place,
    state: &Q::State,
) -> Cost {
    let at = Point::new(from.x, from.y);
    let goal = match part {
        Aim::Within { x, y, radius, .. } => {
            let distance = at.distance_to(Point::new(*x, *y)) - radius;
            return Cost::round_down(distance.max(0.0) / quest.top_speed());
        }
        Aim::Done(landmark) => match facts.thing(*landmark) {
            Some(Thing::Item(item)) => Goal::Holds(item),
            Some(Thing::Lever(lever)) => Goal::LeverOn(lever),
            Some(Thing::Door(door)) => Goal::DoorOpen(door),
            Some(Thing::Agent(agent)) => Goal::Dead(agent),
            None => return Cost::ZERO,
        },
        Aim::Other(number) => match facts.others.get(*number as usize) {
            // Whoever goes elsewhere first may meet parts of it on the way there.
            Some(Goal::InOrder(_)) if at != quest.position(state) => return Cost::ZERO,
            Some(goal) => goal.clone(),
            None => return Cost::ZERO,
        },
        _ => return Cost::ZERO,
    };
    let height = from.z;
    straight(
        &goal,
        quest,
        &ViewAtPlace::new(quest.view(state), at, height),
    )
}
