//! What the published study found (dissertation, Table 7.1): seconds to complete, and the mean of every
//! answer, from −2, strongly disagree, to 2, strongly agree.

use super::design::{Npc, STATEMENTS};

/// A row of the published table.
pub(crate) struct Row {
    pub(crate) seconds: f64,
    pub(crate) answers: [f64; STATEMENTS],
}

pub(crate) const fn row(npc: Npc) -> Row {
    let (seconds, answers) = match npc {
        Npc::Wastar => (43.5, [0.5, 0.4, 0.8, 0.6, 0.3, -0.2, -1.0]),
        Npc::Tgraph => (44.6, [0.6, 0.5, 1.1, 0.8, 1.7, -1.3, 0.0]),
        Npc::Mha => (42.8, [1.5, -0.9, 1.4, 1.3, 1.2, -0.7, 0.2]),
        Npc::RuleBased => (67.3, [-1.3, 0.7, -0.8, -1.2, -1.3, 1.5, -1.5]),
    };
    Row { seconds, answers }
}
