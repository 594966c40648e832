//! Levels that are passed together, with what is shown in them: any that is drawn, and random ones with
//! two routes.

use apprentice_experience::Demonstration;
use apprentice_playstyle::Dice;
use apprentice_world::{Drawn, Scenario, drawn_line};

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
        })
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
