//! What is worked out about a scenario when it is first asked for.

use std::sync::{Arc, OnceLock};

use super::Scenario;
use crate::digest::Digest;
use crate::game::Landmarks;

/// What is worked out about a scenario when it is first asked for, for it and all its copies.
#[derive(Debug, Default)]
pub(crate) struct Known {
    /// Everything its digest tells before the margins.
    pub(super) told: OnceLock<Digest>,
    pub(super) digest: OnceLock<u64>,
    pub(super) layout_digest: OnceLock<u64>,
    /// What may have to be done in it; depends on nothing that its layout digest does not tell.
    pub(super) landmarks: OnceLock<Arc<Landmarks>>,
    /// The same scenario as bad as its margins say. Never itself, which could not be given back.
    pub(super) for_planning: OnceLock<Scenario>,
}

impl Known {
    /// What is known of a scenario that differs from another only in how bad its enemies are.
    pub(super) fn of_layout(scenario: &Scenario) -> Known {
        Known {
            layout_digest: OnceLock::from(scenario.layout_digest()),
            landmarks: OnceLock::from(Arc::clone(scenario.shared_landmarks())),
            ..Known::default()
        }
    }

    /// What is known of a scenario that differs from this one only in its margins.
    pub(super) fn but_for_margins(scenario: &Scenario) -> Known {
        Known {
            told: OnceLock::from(scenario.told_before_margins()),
            ..Known::of_layout(scenario)
        }
    }
}
