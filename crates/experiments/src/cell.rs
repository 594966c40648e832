//! One run of one experiment: what is planned, by whom, with which numbers.

use serde::{Deserialize, Serialize};

/// One run of one experiment. Two cells that are equal would do the same, so it is done once,
/// whichever experiments ask for it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    /// The level, by the name of its file.
    pub scenario: String,
    /// What stands in that file, as a number: results of a level that was changed are not those of
    /// the level as it is.
    pub level: String,
    /// What is done there.
    pub task: Task,
    /// Which of several runs of the same; only clocks may differ.
    #[serde(default)]
    pub repeat: u32,
}

/// What is done in a level.
// A cell is made once, and a few thousand are many: their size doesn't matter.
#[allow(clippy::large_enum_variant)]
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Task {
    /// Its quest is planned.
    Plan(Planning),
    /// Something else is measured.
    Probe(Probing),
}

/// A quest to be planned: how the level is varied, and who plans.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Planning {
    /// How many steps leave a state in the open: 16, 32 or 256.
    pub branching: u32,
    /// Keys and shields lie at places drawn with this seed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub items: Option<u64>,
    /// Instead of keys and shields, these lie at places drawn with that seed: each somewhere in its room.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub moves: Vec<String>,
    /// Every piece of a demonstration is cut this many times.
    #[serde(skip_serializing_if = "is_zero")]
    pub cuts: u32,
    /// So many events are advised about that mean nothing.
    #[serde(skip_serializing_if = "is_zero")]
    pub random_events: u32,
    /// So many events are advised about once more, in turn.
    #[serde(skip_serializing_if = "is_zero")]
    pub repeated_events: u32,
    /// What draws places.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// Units of budget at most.
    pub limit: u64,
    /// Who plans.
    pub planner: PlannerSpec,
}

/// A planner and its numbers, as experiment files write them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PlannerSpec {
    /// Its name, as on the command line.
    pub planner: String,
    /// What charts call it; its name if nothing else is said.
    #[serde(skip_serializing)]
    pub label: Option<String>,
    /// How many times the best a plan may cost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bound: Option<f64>,
    /// How many times estimates count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub w: Option<f64>,
    /// How many times whatever is not shown counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub epsilon: Option<f64>,
    /// How many times estimates count in the MHA* family.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub w1: Option<f64>,
    /// How far advisers may exceed the anchor.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub w2: Option<f64>,
    /// Further turns for the adviser that follows demonstrations.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub extra_turns: Option<u32>,
    /// Advisers count in full.
    #[serde(skip_serializing_if = "is_false")]
    pub uncalibrated: bool,
    /// States are expanded again when a cheaper way to them is found.
    #[serde(skip_serializing_if = "is_false")]
    pub reopen: bool,
    /// What demonstrations say is worked out anew for every state.
    #[serde(skip_serializing_if = "is_false")]
    pub forgetful: bool,
    /// What demonstrations say is worked out from every piece of them, as published.
    #[serde(skip_serializing_if = "is_false")]
    pub scan: bool,
    /// How an E-Graph is used that is not on the graph of the map: `connect`, `project` or `heuristic`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub egraph_mode: Option<String>,
    /// What weighted A* goes by, and what anchors MHA*: `straight` or `path`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimate: Option<String>,
    /// Demonstrations are left out.
    #[serde(skip_serializing_if = "is_false")]
    pub untaught: bool,
    /// The player goes as players of this style of the level do, and is to arrive alive, too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub player_model: Option<String>,
}

/// Something that is measured without a plan, or about one.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Probing {
    /// Which measurement.
    pub probe: String,
    /// A number it takes.
    pub number: f64,
    /// What it draws with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
}

impl PlannerSpec {
    /// What charts call it.
    pub fn shown_as(&self) -> &str {
        self.label.as_deref().unwrap_or(&self.planner)
    }
}

impl Cell {
    /// What tells it from all others, on one line.
    pub fn key(&self) -> String {
        // Nothing in it can fail to be written.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// What is planned, if anything is.
    pub fn planning(&self) -> Option<&Planning> {
        match &self.task {
            Task::Plan(planning) => Some(planning),
            Task::Probe(_) => None,
        }
    }

    /// In a few words, for people who watch.
    pub fn in_words(&self) -> String {
        match &self.task {
            Task::Plan(planning) => {
                let bound = planning.planner.bound;
                let bound = bound.map_or_else(String::new, |bound| format!(", bound {bound}"));
                format!("{} on {}{bound}", planning.planner.planner, self.scenario)
            }
            Task::Probe(probing) => format!("{} on {}", probing.probe, self.scenario),
        }
    }
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

fn is_false(switch: &bool) -> bool {
    !switch
}
