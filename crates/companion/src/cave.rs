//! Levels that are passed together, with what is shown in them: any that is drawn, and random ones with
//! two routes.

use std::sync::OnceLock;

use apprentice_behavior::Settings;
use apprentice_experience::Demonstration;
use apprentice_playstyle::{Dice, Playstyles};
use apprentice_world::{AgentId, Drawn, Replayed, Scenario, World, drawn_line};

use crate::{Companion, CompanionError, plays_of, time_machine};

/// A level that is passed together, with what is shown in it.
///
/// ```
/// let cave = apprentice_companion::Cave::with_two_routes(1);
/// assert_eq!(cave.exemplars.len(), 2);
/// ```
#[derive(Clone, Debug)]
pub struct Cave {
    /// What it is called.
    pub name: String,
    /// The level.
    pub scenario: Scenario,
    /// How players of each style go about it, in the order of its styles.
    pub exemplars: Vec<Demonstration>,
    /// What characters were shown.
    pub demonstrations: Vec<Demonstration>,
    /// What was recorded of companions, once anybody has asked for it.
    recordings: OnceLock<Vec<Replayed>>,
}

impl Cave {
    /// A level in which everything that is shown is drawn; none if some of it was recorded.
    pub fn of(name: &str, scenario: &Scenario) -> Option<Cave> {
        let line = |name: &str, shown: &Drawn| match shown {
            Drawn::Points(points) => Some(drawn_line(scenario, name, points)),
            Drawn::File { .. } => None,
        };
        let styles = scenario.styles().iter();
        let shown = scenario.demonstrations().iter();
        Some(Cave {
            name: name.to_owned(),
            exemplars: styles
                .map(|style| line(&style.id, &style.shown))
                .collect::<Option<_>>()?,
            demonstrations: shown
                .map(|shown| line("drawn", shown))
                .collect::<Option<_>>()?,
            scenario: scenario.clone(),
            recordings: OnceLock::new(),
        })
    }

    /// A companion for it that was told the styles by how their exemplars go.
    ///
    /// # Errors
    ///
    /// If nobody can be accompanied in it.
    pub fn companion(&self) -> Result<Companion, CompanionError> {
        let wrong = |error: &dyn std::fmt::Display| CompanionError::Style {
            style: "shown".to_owned(),
            why: error.to_string(),
        };
        let plays = plays_of(&self.scenario, &self.exemplars).map_err(|error| wrong(&error))?;
        let classes = Playstyles::learn_labelled(&plays).map_err(|error| wrong(&error))?;
        Companion::new(
            &self.scenario,
            &self.exemplars,
            &self.demonstrations,
            classes,
            &Settings::default(),
        )
    }

    /// For each of its styles, what a companion did beside a player who went exactly as was shown, to be
    /// done again by the clock. Recorded when it is first asked for.
    ///
    /// # Errors
    ///
    /// If nobody can be accompanied in it.
    pub fn recordings(&self) -> Result<&[Replayed], CompanionError> {
        if let Some(known) = self.recordings.get() {
            return Ok(known);
        }
        let recorded = time_machine::recordings(self)?;
        Ok(self.recordings.get_or_init(|| recorded))
    }

    /// Whether somebody is alive where they want to be.
    pub(crate) fn has_arrived(&self, world: &World, agent: AgentId) -> bool {
        let goal = self.scenario.goal_of(agent);
        goal.is_met(&world.seen_by(agent, &self.scenario)) && !world.is_dead(agent, &self.scenario)
    }

    /// Whether both have arrived, or died.
    pub(crate) fn is_over(&self, world: &World) -> bool {
        let mut both = [AgentId::NPC, AgentId::PLAYER].into_iter();
        both.all(|agent| world.is_dead(agent, &self.scenario) || self.has_arrived(world, agent))
    }

    /// A level with two routes, drawn with a seed: the north past a bear that only two can defeat, in a corridor in which it
    /// hears everybody, the south past wolves that sleep in niches.
    ///
    /// # Panics
    ///
    /// Never: whatever the seed, the level can be read.
    pub fn with_two_routes(seed: u64) -> Cave {
        let mut dice = Dice::new(seed);
        let width = 44 + dice.below(12);
        let gap = 8 + dice.below(4);
        let (north, south) = (2, 2 + gap);
        let mut rows = vec![vec!['#'; width + 2]; south + 8];
        let mut carve = |x0: usize, x1: usize, y0: usize, y1: usize| {
            for row in &mut rows[y0..=y1] {
                row[x0..=x1].fill('.');
            }
        };
        carve(1, width, north - 1, north + 1);
        carve(1, width, south - 1, south + 1);
        carve(1, 5, north - 1, south + 1);
        carve(width - 4, width, north - 1, south + 1);
        let bear = width / 2 - 3 + dice.below(7);
        let wolves = [width / 3 + dice.below(4), 2 * width / 3 - dice.below(4)];
        for wolf in wolves {
            carve(wolf - 1, wolf + 1, south + 2, south + 5);
        }
        let rows: Vec<String> = rows.iter().map(|row| row.iter().collect()).collect();
        let (end, middle, deep) = (width - 2, (north + south) / 2, south + 5);
        let kind = ["wolf", "superwolf"][dice.below(2)];
        let text = format!(
            r#"
format = 1
name = "Two routes {seed}"
start = [2, {middle}]
goal = {{ within = {{ at = [{end}, {middle}], radius = 2.0 }} }}
[map]
rows = {rows:?}
[player]
at = [4, {middle}]
[[enemy]]
id = "bear"
kind = "killer_bear"
at = [{bear}, {north}]
[[enemy]]
id = "grey"
kind = "{kind}"
at = [{}, {deep}]
[[enemy]]
id = "white"
kind = "wolf"
at = [{}, {deep}]
[[demonstration]]
points = [[2, {middle}], [4, {north}], [{bear}, {north}], [{end}, {north}], [{end}, {middle}]]
[[demonstration]]
points = [[2, {middle}], [4, {south}], [{end}, {south}], [{end}, {middle}]]
[[style]]
id = "combat"
points = [[4, {middle}], [4, {north}], [{bear}, {north}], [{end}, {north}], [{end}, {middle}]]
demonstrations = [1]
[[style]]
id = "sneak"
points = [[4, {middle}], [4, {south}], [{end}, {south}], [{end}, {middle}]]
gait = "sneak"
fights = false
demonstrations = [2]
    "#,
            wolves[0], wolves[1]
        );
        let scenario = Scenario::parse(&text).expect("what is written here can be read");
        Cave::of(&format!("two routes {seed}"), &scenario).expect("all of it is drawn")
    }
}
