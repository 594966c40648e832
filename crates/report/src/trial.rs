//! A level that is played by its character, once, and held against what is expected of it.

use std::fmt;
use std::time::Duration;

use apprentice_behavior::{Character, Doing, Planner};
use apprentice_experience::{Place, coverage};
use apprentice_search::Budget;
use apprentice_world::{Abilities, Event, Expectation, Orders, Scenario, World, where_is};

use crate::numbers::short;

/// What passes at once. Enemies decide this often.
const TICK: Duration = Duration::from_millis(100);
/// What the character may think in a tick.
const UNITS: u64 = 10_000;
/// What it may remember while it thinks.
const MEMORY: u64 = 512 << 20;
/// Who has not arrived after so many seconds does not.
const LONGEST: f64 = 600.0;
/// Who knows no way for so many seconds has none.
const STUCK_FOR: f64 = 30.0;

/// How it went.
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    /// Whether the goal was met.
    pub arrives: bool,
    /// When it was over, in seconds.
    pub time: f64,
    /// The health that was left.
    pub health: f64,
    /// Whether somebody noticed it.
    pub noticed: bool,
    /// How much of what was shown it passed by, from 0 to 1; none if nothing was shown.
    pub followed: Option<f64>,
    /// How many plans it made.
    pub plans: u32,
}

/// An expectation that was not met.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Unmet {
    /// It does not arrive.
    Arrives,
    /// It arrives, and should not.
    StaysAway,
    /// It takes longer: how long it may take, and takes.
    Within(f64, f64),
    /// It has less health: how much it should have, and has.
    Health(f64, f64),
    /// It is noticed.
    Unnoticed,
    /// It follows less: how much it should follow, and follows.
    Followed(f64, f64),
}

impl fmt::Display for Unmet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unmet::Arrives => f.write_str("it does not reach the goal"),
            Unmet::StaysAway => f.write_str("it reaches the goal, and should not"),
            Unmet::Within(most, took) => {
                write!(
                    f,
                    "it takes {} s, more than {} s",
                    short(*took, 1),
                    short(*most, 1)
                )
            }
            Unmet::Health(least, left) => write!(
                f,
                "{} health is left, less than {}",
                short(*left, 1),
                short(*least, 1)
            ),
            Unmet::Unnoticed => f.write_str("it is noticed"),
            Unmet::Followed(least, part) => write!(
                f,
                "it follows {:.0} % of what was shown, less than {:.0} %",
                100.0 * part,
                100.0 * least
            ),
        }
    }
}

/// Lets the character play a level until it has arrived, is dead, or is lost. The same level and
/// planner give the same on every machine.
///
/// ```
/// use apprentice_behavior::Settings;
/// use apprentice_report::trial::{play, unmet};
/// use apprentice_world::Scenario;
///
/// let scenario = Scenario::parse(
///     "format = 1\nstart = [0, 0]\ngoal = { within = { at = [4, 0], radius = 0.0 } }\n\
///      map = { rows = ['.....'] }\nexpect = { within = 0.1 }",
/// )?;
/// let planner = Settings::default().check(&scenario, [])?.planner;
/// let trial = play(&scenario, &planner);
/// assert!(trial.arrives);
/// let expected = scenario.expected().expect("it says so");
/// assert_eq!(unmet(expected, &trial).len(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn play(scenario: &Scenario, planner: &Planner) -> Trial {
    let agent = scenario.agent();
    let mut character = Character::new(planner.clone(), Abilities::default());
    let mut world = World::new(scenario);
    let mut events: Vec<Event> = Vec::new();
    let begun = world.time().as_secs_f64();
    let mut way: Vec<Place> = vec![where_is(scenario, &world, agent)];
    let mut noticed = false;
    let mut stuck_since = None;
    let mut goal = scenario.goal().clone();
    loop {
        let time = world.time().as_secs_f64() - begun;
        let arrives = goal.is_met(&world.seen_in(scenario));
        goal = world.left_of(&goal, agent, scenario).unwrap_or(goal);
        let is_lost = stuck_since.is_some_and(|since| time - since >= STUCK_FOR);
        let health = world.health(agent, scenario);
        if arrives || health <= 0.0 || is_lost || time >= LONGEST {
            let shown = planner.demonstrations();
            return Trial {
                arrives,
                time,
                health: health.max(0.0),
                noticed,
                followed: (!shown.is_empty()).then(|| coverage(&shown[..], &way)),
                plans: character.plans(),
            };
        }
        let mut budget = Budget::units(UNITS).within_memory(MEMORY);
        let order = character.decide(scenario, &world, &mut budget);
        stuck_since = match character.doing() {
            Doing::Stuck => stuck_since.or(Some(time)),
            _ => None,
        };
        events.clear();
        world.advance(scenario, &Orders::new(order), TICK, &mut events);
        noticed |= events
            .iter()
            .any(|event| matches!(event, Event::NoticedBy { agent: who, .. } if *who == agent));
        way.push(where_is(scenario, &world, agent));
    }
}

/// What was expected and did not happen.
#[must_use]
pub fn unmet(expected: &Expectation, trial: &Trial) -> Vec<Unmet> {
    if trial.arrives != expected.arrives {
        return vec![match expected.arrives {
            true => Unmet::Arrives,
            false => Unmet::StaysAway,
        }];
    }
    let within = expected
        .within
        .filter(|most| trial.arrives && trial.time > *most);
    let health = expected.health.filter(|least| trial.health < *least);
    let part = trial.followed.unwrap_or(0.0);
    let followed = expected.followed.filter(|least| part < *least);
    let all = [
        within.map(|most| Unmet::Within(most, trial.time)),
        health.map(|least| Unmet::Health(least, trial.health)),
        (expected.unnoticed && trial.noticed).then_some(Unmet::Unnoticed),
        followed.map(|least| Unmet::Followed(least, part)),
    ];
    all.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn went(arrives: bool) -> Trial {
        Trial {
            arrives,
            time: 20.0,
            health: 40.0,
            noticed: true,
            followed: Some(0.5),
            plans: 1,
        }
    }

    #[test]
    fn each_expectation_is_held_against_what_happened() {
        let strict = Expectation {
            arrives: true,
            within: Some(10.0),
            health: Some(50.0),
            unnoticed: true,
            followed: Some(0.8),
        };
        assert_eq!(
            unmet(&strict, &went(true)),
            [
                Unmet::Within(10.0, 20.0),
                Unmet::Health(50.0, 40.0),
                Unmet::Unnoticed,
                Unmet::Followed(0.8, 0.5)
            ]
        );
        assert_eq!(unmet(&strict, &went(false)), [Unmet::Arrives]);
        assert!(unmet(&Expectation::default(), &went(true)).is_empty());
        let never = Expectation {
            arrives: false,
            ..Expectation::default()
        };
        assert_eq!(unmet(&never, &went(true)), [Unmet::StaysAway]);
        assert!(unmet(&never, &went(false)).is_empty());
    }
}
