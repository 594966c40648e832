//! What stands in the way where there is no plan, as far as estimates that never exceed the truth can
//! tell: what takes forever in an easier world takes forever in this one.

use std::fmt;

use apprentice::behavior::Errands;
use apprentice::search::{Budget, Heuristic};
use apprentice::world::{Quest, ShortestPath};

/// What stands in the way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NoWay {
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
    pub(crate) fn of<Q: Quest>(quest: &Q) -> NoWay {
        if is_endless(ShortestPath::default(), quest) {
            NoWay::Walls
        } else if is_endless(Errands::default(), quest) {
            NoWay::Doors
        } else if quest.scenario().enemies().is_empty() {
            NoWay::Unknown
        } else {
            NoWay::Others
        }
    }
}

/// Whether a quest takes forever by an estimate.
fn is_endless<Q: Quest>(mut estimate: impl Heuristic<Q>, quest: &Q) -> bool {
    // With an unlimited budget it is always ready.
    estimate.prepare(quest, &mut Budget::unlimited());
    !estimate.estimate(quest, &quest.start()).is_finite()
}

/// As another sentence.
impl fmt::Display for NoWay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NoWay::Walls => {
                " Even with every door open, no way leads to what the goal asks for: look at the walls around it."
            }
            NoWay::Doors => {
                " Even if nobody were about, the keys and levers that can be reached open no way to the goal."
            }
            NoWay::Others => {
                " As far as walls, doors, keys and levers go, there may be a way to the goal: look at the enemies."
            }
            NoWay::Unknown => "",
        })
    }
}
