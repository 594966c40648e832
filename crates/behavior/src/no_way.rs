//! What stands in the way where there is no plan, as far as estimates that never exceed the truth can
//! tell: what takes forever in an easier world takes forever in this one.

use apprentice_game::{Foes, Game, LandmarkId, ShortestPath};
use apprentice_search::{Budget, Heuristic};

use crate::key_door_heuristic::KeyDoorHeuristic;

/// What stands in the way.
///
/// ```
/// use apprentice_behavior::{Hindrance, NoWay};
/// use apprentice_search::Budget;
/// use apprentice_world::{AnyQuest, Scenario};
///
/// let scenario = Scenario::parse(r#"
///     format = 1
///     start = [0, 0]
///     goal = { within = { at = [4, 0], radius = 0.0 } }
///     map = { rows = ["..#.."] }
/// "#)?;
/// let AnyQuest::Still(quest) = scenario.quest() else { panic!("nothing moves here") };
/// let no_way = NoWay::of(&quest, &mut Budget::unlimited()).expect("there is time to look");
/// assert_eq!(no_way.hindrance, Hindrance::Walls);
/// assert_eq!(NoWay::of(&quest, &mut Budget::units(1)), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoWay {
    /// What it is.
    pub hindrance: Hindrance,
    /// Doors that neither a key nor a lever opens: often one was forgotten, and that is why.
    pub never_opened: Vec<String>,
}

/// What kind of thing stands in the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hindrance {
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
    /// Looks for it in a quest that has no plan. `None`: the budget is spent first.
    pub fn of<Q: Game>(game: &Q, budget: &mut Budget<'_>) -> Option<NoWay> {
        let hindrance = if is_endless(ShortestPath::default(), game, budget)? {
            Hindrance::Walls
        } else if is_endless(KeyDoorHeuristic::default(), game, budget)? {
            Hindrance::Doors
        } else if game.foes() == Foes::None {
            Hindrance::Unknown
        } else {
            Hindrance::Others
        };
        Some(NoWay {
            hindrance,
            never_opened: never_opened(game),
        })
    }
}

fn never_opened<Q: Game>(game: &Q) -> Vec<String> {
    let landmarks = (0..).map(LandmarkId::new).zip(game.landmarks());
    let shut = landmarks.filter(|(id, mark)| game.is_shut(*id) && mark.opened_by.is_empty());
    shut.map(|(_, mark)| mark.name.clone()).collect()
}

/// Whether a quest takes forever by an estimate. `None`: the budget is spent first.
fn is_endless<Q: Game>(
    mut estimate: impl Heuristic<Q>,
    game: &Q,
    budget: &mut Budget<'_>,
) -> Option<bool> {
    let is_ready = estimate.prepare(game, budget);
    is_ready.then(|| !estimate.estimate(game, &game.start()).is_finite())
}

#[cfg(test)]
mod tests {
    use apprentice_world::{AnyQuest, Scenario};

    use super::*;

    /// Nothing opens the gate, and a guard stands behind it.
    const GATE: &str = r#"
        format = 1
        start = [0, 0]
        health = 1
        goal = { within = { at = [4, 0], radius = 0.0 } }
        map = { rows = ["....."] }
        door = [{ id = "gate", at = [[2, 0]] }]
        enemy = [{ id = "guard", kind = "guard", at = [3, 0] }]
    "#;

    fn check(midway: &str, hindrance: Hindrance, never_opened: &[&str]) {
        let scenario = Scenario::parse(&format!("{GATE}\n{midway}"));
        let scenario = scenario.unwrap_or_else(|error| panic!("{error}"));
        let AnyQuest::Still(quest) = scenario.quest() else {
            panic!("nothing moves here")
        };
        let no_way = NoWay::of(&quest, &mut Budget::unlimited()).expect("there is time to look");
        assert_eq!(no_way.hindrance, hindrance, "{midway}");
        assert_eq!(no_way.never_opened, never_opened, "{midway}");
    }

    #[test]
    fn a_gate_is_in_the_way_as_long_as_it_is_shut() {
        check("", Hindrance::Doors, &["gate"]);
        check("midway = { open = ['gate'] }", Hindrance::Others, &[]);
    }
}
