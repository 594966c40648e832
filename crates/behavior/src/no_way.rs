//! What stands in the way where there is no plan, as far as estimates that never exceed the truth can
//! tell: what takes forever in an easier world takes forever in this one.

use std::fmt;

use apprentice_search::{Budget, Heuristic};
use apprentice_world::{DoorId, Quest, Scenario, ShortestPath};

use crate::errands::Errands;

/// What stands in the way, in words for whoever made the level.
///
/// ```
/// use apprentice_behavior::NoWay;
/// use apprentice_world::{AnyQuest, Scenario};
///
/// let scenario = Scenario::parse(r#"
///     format = 1
///     start = [0, 0]
///     goal = { within = { at = [4, 0], radius = 0.0 } }
///     map = { rows = ["..#.."] }
/// "#)?;
/// let AnyQuest::Still(quest) = scenario.quest() else { panic!("nothing moves here") };
/// assert!(NoWay::of(&quest).to_string().contains("look at the walls"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoWay {
    /// What it is.
    pub obstacle: Obstacle,
    /// Doors that neither a key nor a lever opens: often one was forgotten, and that is why.
    pub never_opened: Vec<String>,
}

/// What kind of thing stands in the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// There is no way, whatever is open and whoever is about.
    Walls,
    /// There is no way with the keys and levers that can be reached, whoever is about.
    Doors,
    /// Neither is known to be in the way, and there are enemies.
    Others,
    /// Neither is known to be in the way, and nobody else is there.
    Unknown,
}

impl NoWay {
    /// Looks for it in a quest that has no plan.
    pub fn of<Q: Quest>(quest: &Q) -> NoWay {
        let obstacle = if is_endless(ShortestPath::default(), quest) {
            Obstacle::Walls
        } else if is_endless(Errands::default(), quest) {
            Obstacle::Doors
        } else if quest.scenario().enemies().is_empty() {
            Obstacle::Unknown
        } else {
            Obstacle::Others
        };
        NoWay {
            obstacle,
            never_opened: never_opened(quest.scenario()),
        }
    }
}

fn never_opened(scenario: &Scenario) -> Vec<String> {
    let doors = (0..).map(DoorId::new).zip(scenario.doors());
    let shut = doors.filter(|(id, door)| {
        let is_opened = door.starts_open || door.cycle.is_some();
        !is_opened && scenario.keys_of(*id).count() + scenario.levers_of(*id).count() == 0
    });
    shut.map(|(_, door)| door.id.clone()).collect()
}

/// Whether a quest takes forever by an estimate.
fn is_endless<Q: Quest>(mut estimate: impl Heuristic<Q>, quest: &Q) -> bool {
    // With an unlimited budget it is always ready.
    estimate.prepare(quest, &mut Budget::unlimited());
    !estimate.estimate(quest, &quest.start()).is_finite()
}

/// As sentences; none where nothing is known.
impl fmt::Display for NoWay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let why = match self.obstacle {
            Obstacle::Walls => {
                "Even with every door open, no way leads to what the goal asks for: look at the walls around it."
            }
            Obstacle::Doors => {
                "Even if nobody were about, the keys and levers that can be reached open no way to the goal."
            }
            Obstacle::Others => {
                "As far as walls, doors, keys and levers go, there may be a way to the goal: look at the enemies."
            }
            Obstacle::Unknown => "",
        };
        f.write_str(why)?;
        if self.never_opened.is_empty() {
            return Ok(());
        }
        let space = if why.is_empty() { "" } else { " " };
        let names: Vec<String> = (self.never_opened.iter())
            .map(|door| format!("`{door}`"))
            .collect();
        write!(f, "{space}No key and no lever opens {}.", names.join(", "))
    }
}
