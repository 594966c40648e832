//! What a cell came to.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::cell::Cell;

/// A cell and what it came to: one line of a journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// What was done.
    pub cell: Cell,
    /// What came of it: the same on every machine.
    pub measured: Measured,
    /// How long it took: otherwise every time, and never compared.
    pub clocks: Clocks,
}

/// What came of a cell. The same on every machine, however many cores it has.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Measured {
    /// `found`, `impossible` or `budget`; `done` where nothing was planned.
    pub status: String,
    /// States whose successors were listed.
    pub expansions: u64,
    /// Those that had been before.
    pub reexpansions: u64,
    /// Successors listed.
    pub generated: u64,
    /// Units of budget.
    pub units: u64,
    /// Units times branching, by which searches with few steps and with many are compared.
    pub work: u64,
    /// Seconds the plan takes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
    /// How many times the best it costs at most, if that is proven.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proven: Option<f64>,
    /// How many steps it has.
    pub steps: u64,
    /// The part of the demonstrations it comes by.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub coverage: Option<f64>,
    /// How much it is like the one it is most like, from 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fidelity: Option<f64>,
    /// How far apart they are in all (dynamic time warping).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub warping: Option<f64>,
    /// How far apart they are at the worst moment, each kept to its order (discrete Fréchet).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub frechet: Option<f64>,
    /// What is picked up, pulled and opened, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub taken: Vec<String>,
    /// How far it keeps from where enemies live, as part of how far they hear somebody who walks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nearest: Option<f64>,
    /// The number of the places it leads over, to tell ways apart.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub way: String,
    /// What else was measured, by name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub values: BTreeMap<String, f64>,
}

/// How long a cell took: the time of the processor, where the system counts it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Clocks {
    /// Milliseconds for all of the planning.
    pub time_ms: f64,
    /// Those of them until the first state was expanded.
    pub preparing_ms: f64,
}

impl Measured {
    /// Whether there is a plan.
    pub fn is_found(&self) -> bool {
        self.status == "found"
    }
}
