//! Where models of players come from: the styles of a scenario, and classes that were learned.

use std::path::Path;

use apprentice::experience::Demonstration;
use apprentice::world::{Scenario, Style};

use crate::commands::playstyle::styles_in;
use crate::demonstrations::{self, DemonstrationArguments};
use crate::exit::Failure;
use crate::scenario_source::Source;

/// A scenario in which a model decides for the player.
pub(crate) struct PlayerModelSource {
    pub(crate) scenario: Scenario,
    /// Which of the scenario's demonstrations are for those who accompany such a player; all, if none.
    own: Vec<usize>,
}

impl PlayerModelSource {
    /// The scenario with the player as players of a class are: one of its styles or, where something
    /// was learned, the style that goes by the name of the class or was shown by the most typical of its
    /// plays.
    pub(crate) fn of(
        source: &Source,
        class: &str,
        plays: Option<&Path>,
    ) -> Result<PlayerModelSource, Failure> {
        let scenario = &source.scenario;
        let style = match plays {
            None => scenario.style(class).map_err(|error| input(&error)),
            Some(path) => learned(scenario, class, path),
        }?;
        let shown = demonstrations::load_drawn(source, &style.id, &style.shown)?;
        let shown = shown.demonstration;
        let modelled = scenario.with_player_model(style, &shown);
        let in_style = |error: &dyn std::fmt::Display| {
            Failure::input(format!("the style `{}`: {error}", style.id))
        };
        Ok(PlayerModelSource {
            own: style.demonstrations.clone(),
            scenario: modelled.map_err(|error| in_style(&error))?,
        })
    }

    /// Those of the demonstrations that are for who accompanies such a player: of the scenario's own,
    /// which come first, and all that were named beside them.
    pub(crate) fn demonstrations(
        &self,
        arguments: &DemonstrationArguments,
        all: Vec<Demonstration>,
    ) -> Vec<Demonstration> {
        if self.own.is_empty() || arguments.leaves_own_out() {
            return all;
        }
        let own = self.scenario.demonstrations().len();
        let numbered = all.into_iter().enumerate();
        let fitting = numbered.filter(|(number, _)| *number >= own || self.own.contains(number));
        fitting.map(|(_, shown)| shown).collect()
    }
}

fn input(error: &dyn std::fmt::Display) -> Failure {
    Failure::input(error.to_string())
}

/// The style of a scenario that is a class of what was learned.
fn learned<'s>(scenario: &'s Scenario, class: &str, path: &Path) -> Result<&'s Style, Failure> {
    let styles = styles_in(path)?;
    let Some(found) = styles.classes().iter().find(|it| it.name == class) else {
        let names: Vec<&str> = styles.classes().iter().map(|it| it.name.as_str()).collect();
        return Err(Failure::input(format!(
            "`{}` knows no class `{class}`; it knows `{}`",
            path.display(),
            names.join("`, `")
        )));
    };
    if let Ok(style) = scenario.style(class) {
        return Ok(style);
    }
    let mut members: Vec<(f64, &str)> = found
        .members
        .iter()
        .zip(&found.participation)
        .map(|(play, fits)| (*fits, styles.plays()[*play].id.as_str()))
        .collect();
    // The most typical first; those that are equally so in the order of the file.
    members.sort_by(|one, other| other.0.total_cmp(&one.0));
    let shown = |(_, id): &(f64, &str)| {
        let mut styles = scenario.styles().iter();
        styles.find(|style| style.plays.iter().any(|play| play == id))
    };
    members.iter().find_map(shown).ok_or_else(|| {
        Failure::input(format!(
            "no [[style]] of the level is called `{class}`, and none names a play of that class in `plays`; the most typical is `{}`",
            members.first().map_or("", |(_, id)| id)
        ))
    })
}
