//! The shipped cave.

use std::path::Path;

use apprentice_companion::Cave;
use apprentice_experience::Demonstration;
use apprentice_world::Scenario;

/// The shipped cave.
pub(crate) fn coop_cave() -> Cave {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios");
    let text = |name: &str| std::fs::read_to_string(folder.join(name));
    let level = text("coop_cave.toml").expect("the level is there");
    let scenario =
        Scenario::parse_with(&level, |name| text(name).map_err(|error| error.to_string()));
    let scenario = scenario.unwrap_or_else(|error| panic!("{error}"));
    Cave::of("coop_cave", &scenario).expect("all of it is drawn")
}

/// The level in which the player is a model of a style, and the demonstrations of that style.
pub(crate) fn together(cave: &Cave, style: &str) -> (Scenario, Vec<Demonstration>) {
    let number = cave.scenario.styles().iter().position(|it| it.id == style);
    let number = number.expect("the style is there");
    let style = &cave.scenario.styles()[number];
    let together = (cave.scenario).with_player_model(style, &cave.exemplars[number]);
    let shown = style.demonstrations.iter();
    let shown = shown.map(|number| cave.demonstrations[*number].clone());
    (together.expect("the style fits"), shown.collect())
}
