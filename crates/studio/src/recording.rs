//! What a person has played to have it recorded. The page keeps the orders; worlds and the log are
//! made from them whenever they are asked for, so that there is nothing here to be lost.

use apprentice::experience::{LogHeader, LoggedAgent, LoggedSample, Place, Recorder};
use apprentice::report::events;
use apprentice::world::{
    AgentId, Event, Gait, Order, Orders, Scenario, Stance, Thing, World, where_is,
};

use crate::level::{self, ReadLevel};
use crate::playing::{MOMENT, MOST_FRAMES};
use crate::protocol::Ordered;
use crate::{demonstrations, scene, sliding};

/// The order of every moment that was played.
pub(crate) fn orders(played: &[Ordered]) -> Result<Vec<Order>, String> {
    let mut orders = Vec::new();
    for Ordered(order, moments) in played {
        let order: Order = order.parse().map_err(|error| format!("{error}"))?;
        let moments = *moments as usize;
        // The beginning is a frame too.
        if moments >= MOST_FRAMES - orders.len() {
            return Err("a recording is an hour long at most".to_owned());
        }
        orders.extend(std::iter::repeat_n(order, moments));
    }
    Ok(orders)
}

/// One moment later. Says what happened in it.
pub(crate) fn pass(scenario: &Scenario, world: &mut World, order: Order, events: &mut Vec<Event>) {
    let order = sliding::slid(scenario, world, AgentId::NPC, order);
    world.advance(scenario, &Orders::new(order), MOMENT, events);
}

/// The log of everything that was played.
pub(crate) fn log(level: &ReadLevel, played: &[Ordered]) -> Result<String, String> {
    let scenario = &level.scenario;
    let header = LogHeader {
        scenario: Some(level::short_name(&level.path).to_owned()),
        unit: Some(demonstrations::unit(scenario)),
        ..LogHeader::default()
    };
    let begun = Recorder::new(header).map_err(|error| error.to_string())?;
    let (mut recorder, mut log) = begun;
    let mut world = World::new(scenario);
    // A level may begin midway; its recordings begin at zero.
    recorder.start(world.time().as_secs_f64());
    let mut see = |recorder: &mut Recorder, world: &World| {
        let now = world.time().as_secs_f64();
        let line = recorder.see(now, || sample(scenario, world));
        log.extend(line.map_err(|error| error.to_string())?);
        Ok::<(), String>(())
    };
    see(&mut recorder, &world)?;
    let mut events = Vec::new();
    for order in orders(played)? {
        pass(scenario, &mut world, order, &mut events);
        for event in events.drain(..) {
            recorder.happened(events::word(scenario, event));
        }
        see(&mut recorder, &world)?;
    }
    let last = recorder.stop(world.time().as_secs_f64(), || sample(scenario, &world));
    log.extend(last.map_err(|error| error.to_string())?);
    Ok(log)
}

/// What a recording says about a moment.
fn sample(scenario: &Scenario, world: &World) -> LoggedSample {
    let gait = world.stance(AgentId::NPC).map_or(Gait::Walk, Stance::gait);
    let others = scene::enemies_at(scenario, world).into_iter().map(|enemy| {
        let place = match scenario.thing(&enemy.id) {
            Some(Thing::Agent(agent)) => where_is(scenario, world, agent),
            _ => Place::flat(enemy.x, enemy.y),
        };
        let agent = LoggedAgent {
            place,
            health: enemy.health,
            mode: Some(enemy.mode.to_owned()),
            unknown: Vec::new(),
        };
        (enemy.id, agent)
    });
    LoggedSample {
        place: where_is(scenario, world, AgentId::NPC),
        gait: Some(gait.to_string()),
        health: Some(world.health(AgentId::NPC, scenario)),
        stamina: Some(world.stamina(AgentId::NPC)),
        holding: scene::holding(scenario, world, AgentId::NPC),
        agents: others.collect(),
        ..LoggedSample::default()
    }
}

#[cfg(test)]
mod tests {
    use apprentice::experience::DemonstrationLog;

    use super::*;

    fn level(text: &str) -> ReadLevel {
        ReadLevel {
            path: "levels/hall.toml".to_owned(),
            text: text.to_owned(),
            scenario: Scenario::parse(text).expect("a scenario"),
            notes: Vec::new(),
        }
    }

    const HALL: &str = "format = 1\nstart = [1, 1]\ngoal = { all = [] }\n\
        map = { rows = ['......', '......', '......'] }\n[[item]]\nid = 'star'\nat = [3, 1]\n";

    fn played(orders: &[(&str, u32)]) -> Vec<Ordered> {
        let ordered = orders
            .iter()
            .map(|(order, moments)| Ordered((*order).to_owned(), *moments));
        ordered.collect()
    }

    fn samples(level: &ReadLevel, orders: &[(&str, u32)]) -> Vec<LoggedSample> {
        let text = log(level, &played(orders)).expect("a log");
        DemonstrationLog::read(&text).expect("a log").log.samples
    }

    #[test]
    fn a_log_tells_when_who_was_where_and_what_happened() {
        let samples = samples(&level(HALL), &[("wait", 7), ("walk east", 31)]);
        let times: Vec<f64> = samples.iter().map(|sample| sample.time).collect();
        assert_eq!(times, [0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 3.8]);
        assert_eq!(samples[1].place, Place::flat(1.0, 1.0));
        assert!(samples[8].place.x > 3.0);
        let events: Vec<&String> = samples.iter().flat_map(|sample| &sample.events).collect();
        assert_eq!(events, ["picked_up:star"]);
    }

    #[test]
    fn it_makes_no_difference_how_orders_are_counted() {
        let level = level(HALL);
        let at_once = log(&level, &played(&[("walk east", 12), ("sneak south", 5)]));
        let one_by_one = [vec![("walk east", 1); 12], vec![("sneak south", 1); 5]].concat();
        assert_eq!(log(&level, &played(&one_by_one)), at_once);
    }

    #[test]
    fn a_recording_begins_at_zero_also_where_the_level_begins_midway() {
        let midway = format!("{HALL}[midway]\ntime = 12.3\n");
        let samples = samples(&level(&midway), &[("walk east", 10)]);
        let times: Vec<f64> = samples.iter().map(|sample| sample.time).collect();
        assert_eq!(times.len(), 3, "{times:?}");
        assert!(
            times[0] == 0.0 && (times[2] - 1.0).abs() < 1e-9,
            "{times:?}"
        );
    }

    #[test]
    fn what_nobody_can_have_played_is_refused() {
        let longest = u32::try_from(MOST_FRAMES).expect("an hour") - 1;
        assert!(orders(&played(&[("wait", longest)])).is_ok());
        for refused in [
            &[("wait", longest + 1)][..],
            &[("wait", longest), ("wait", 1)],
            &[("wait", u32::MAX)],
            &[("fly east", 1)],
            &[("", 1)],
        ] {
            assert!(orders(&played(refused)).is_err(), "{refused:?}");
        }
    }
}
