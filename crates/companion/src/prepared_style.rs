//! What a companion needs to accompany players of one style.

use std::sync::Arc;

use apprentice_behavior::{Planner, Settings};
use apprentice_experience::Demonstration;
use apprentice_world::{Abilities, AgentId, Goal, Performer, PlayerModel, Scenario, Style};

use crate::CompanionError;

/// What a companion needs to accompany players of one style.
pub(crate) struct PreparedStyle {
    pub(crate) id: String,
    /// Which of the classes that are believed it is.
    pub(crate) class: usize,
    /// Who the companion is, and how it takes the player to behave.
    pub(crate) who: Performer,
    pub(crate) model: Arc<PlayerModel>,
    pub(crate) planner: Planner,
    pub(crate) goal: Goal,
}

impl PreparedStyle {
    pub(crate) fn new(
        scenario: &Scenario,
        style: &Style,
        exemplar: &Demonstration,
        demonstrations: &[Demonstration],
        settings: &Settings,
        class: usize,
    ) -> Result<PreparedStyle, CompanionError> {
        let wrong = |error: &dyn std::fmt::Display| CompanionError::Style {
            style: style.id.clone(),
            why: error.to_string(),
        };
        let together = scenario.with_player_model(style, exemplar);
        let together = together.map_err(|error| wrong(&error))?;
        let model = PlayerModel::new(scenario, exemplar, style.stance);
        let shown: Vec<Demonstration> = match style.demonstrations.is_empty() {
            true => demonstrations.to_vec(),
            false => {
                let named = style.demonstrations.iter();
                let named = named.filter_map(|number| demonstrations.get(*number));
                named.cloned().collect()
            }
        };
        let checked = settings.check(scenario, shown);
        Ok(PreparedStyle {
            id: style.id.clone(),
            class,
            who: Performer {
                role: Some(together.role()),
                abilities: PATIENT,
            },
            model: Arc::new(model.map_err(|error| wrong(&error))?),
            planner: checked.map_err(|error| wrong(&error))?.planner,
            goal: together.goal().clone(),
        })
    }
}

/// Who accompanies somebody may have to wait.
pub(crate) const PATIENT: Abilities = Abilities {
    branching: apprentice_world::Branching::Sixteen,
    fights: true,
    waits: true,
    runs: false,
};

/// The player, of whom all of this is.
pub(crate) const PLAYER: AgentId = AgentId::PLAYER;
