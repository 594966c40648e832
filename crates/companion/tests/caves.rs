//! Levels that are passed together: the shipped cave, and random ones with two routes.

use std::path::Path;

use apprentice_experience::Demonstration;
use apprentice_playstyle::Dice;
use apprentice_world::{Drawn, Scenario, drawn_line};

/// A level with what is shown in it.
pub(crate) struct Cave {
    pub(crate) name: String,
    pub(crate) scenario: Scenario,
    /// One for each style.
    pub(crate) exemplars: Vec<Demonstration>,
    pub(crate) demonstrations: Vec<Demonstration>,
}

impl Cave {
    fn of(name: &str, scenario: &Scenario) -> Cave {
        let line = |name: &str, shown: &Drawn| match shown {
            Drawn::Points(points) => drawn_line(scenario, name, points),
            Drawn::File { name, .. } => panic!("{name} is not drawn"),
        };
        let styles = scenario.styles().iter();
        let shown = scenario.demonstrations().iter();
        Cave {
            name: name.to_owned(),
            exemplars: styles.map(|style| line(&style.id, &style.shown)).collect(),
            demonstrations: shown.map(|shown| line("drawn", shown)).collect(),
            scenario: scenario.clone(),
        }
    }

    /// The level in which the player is a model of a style, and the demonstrations of that style.
    pub(crate) fn together(&self, style: &str) -> (Scenario, Vec<Demonstration>) {
        let number = self.scenario.styles().iter().position(|it| it.id == style);
        let number = number.expect("the style is there");
        let style = &self.scenario.styles()[number];
        let together = self
            .scenario
            .with_player_model(style, &self.exemplars[number]);
        let shown = style.demonstrations.iter();
        let shown = shown.map(|number| self.demonstrations[*number].clone());
        (together.expect("the style fits"), shown.collect())
    }
}

/// The shipped cave.
pub(crate) fn coop_cave() -> Cave {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios");
    let text = |name: &str| std::fs::read_to_string(folder.join(name));
    let level = text("coop_cave.toml").expect("the level is there");
    let scenario =
        Scenario::parse_with(&level, |name| text(name).map_err(|error| error.to_string()));
    Cave::of(
        "coop_cave",
        &scenario.unwrap_or_else(|error| panic!("{error}")),
    )
}

/// A level with two routes: the north past a bear that only two can defeat, in a corridor in which it
/// hears everybody, the south past wolves that sleep in niches.
pub(crate) fn two_routes(seed: u64) -> Cave {
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
    let scenario = Scenario::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    Cave::of(&format!("two routes {seed}"), &scenario)
}
