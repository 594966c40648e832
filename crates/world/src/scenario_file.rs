//! Reads and checks scenario files.
//!
//! Every mistake is an error with its line and column, the value that is wrong and, where there is
//! one, a suggestion. What has been read needs no further checks.

mod agents;
mod error;
mod goals;
mod kept_maps;
mod level;
mod mechanisms;
mod rules;
mod snapshot;
mod styles;
mod tables;
mod things;

use std::collections::BTreeMap;
use std::sync::Arc;

use toml::de::DeTable;

pub(crate) use error::nearest;
pub use error::{ScenarioError, ScenarioErrorKind};
pub use kept_maps::KeptMaps;
use tables::{Limits, Reader, Table, Value};
use things::Things;

use crate::{AgentId, Conduct, Scenario, Thing};

const KEYS: [&str; 23] = [
    "format",
    "name",
    "start",
    "goal",
    "events",
    "health",
    "undetectable_by",
    "solvable",
    "needs",
    "seed",
    "map",
    "key",
    "door",
    "shield",
    "item",
    "pack",
    "lever",
    "obstacle",
    "enemy",
    "kinds",
    "player",
    "actor",
    "demonstration",
];
const MORE_KEYS: [&str; 12] = [
    "rules", "margins", "prices", "planning", "expect", "ledge", "link", "midway", "style",
    "editor", "trap", "area",
];

impl Scenario {
    /// Reads a scenario whose map is written into it.
    ///
    /// ```
    /// use apprentice_world::Scenario;
    ///
    /// let error = Scenario::parse("format = 1\nstrat = [0, 0]\n").unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "line 2, column 1: unknown key `strat` in the file; did you mean `start`?",
    /// );
    /// ```
    pub fn parse(text: &str) -> Result<Scenario, ScenarioError> {
        Scenario::parse_with(text, |_| {
            Err(
                "this reader was given no other files; pass one with Scenario::parse_with"
                    .to_owned(),
            )
        })
    }

    /// Reads a scenario that may name other files. `files` is given a name as it is written and
    /// returns the text of the file, or why there is none.
    ///
    /// ```
    /// use apprentice_world::Scenario;
    ///
    /// let text = r#"
    ///     format = 1
    ///     start = [0, 0]
    ///     goal = { within = { at = [2, 0], radius = 0.0 } }
    ///     map = { file = "hall.map" }
    /// "#;
    /// let scenario = Scenario::parse_with(text, |name| match name {
    ///     "hall.map" => Ok("type octile\nheight 1\nwidth 3\nmap\n...\n".to_owned()),
    ///     _ => Err("no such file".to_owned()),
    /// })?;
    /// assert_eq!(scenario.map().places(), 3);
    /// # Ok::<(), apprentice_world::ScenarioError>(())
    /// ```
    pub fn parse_with(
        text: &str,
        files: impl FnMut(&str) -> Result<String, String>,
    ) -> Result<Scenario, ScenarioError> {
        Scenario::parse_reusing(text, files, None)
    }

    /// Reads a scenario as [`Scenario::parse_with`] does, to the same, and takes over what was made
    /// for those that were read before on the same map.
    ///
    /// ```
    /// use apprentice_world::{KeptMaps, Scenario};
    ///
    /// let text = "format = 1\nstart = [0, 0]\ngoal = { all = [] }\nmap = { rows = ['...'] }";
    /// let none = |_: &str| Err("there are no files here".to_owned());
    /// let mut kept = KeptMaps::default();
    /// let scenario = Scenario::parse_keeping(text, none, &mut kept)?;
    /// assert_eq!(scenario.digest(), Scenario::parse(text)?.digest());
    /// # Ok::<(), apprentice_world::ScenarioError>(())
    /// ```
    pub fn parse_keeping(
        text: &str,
        files: impl FnMut(&str) -> Result<String, String>,
        kept: &mut KeptMaps,
    ) -> Result<Scenario, ScenarioError> {
        Scenario::parse_reusing(text, files, Some(kept))
    }

    fn parse_reusing(
        text: &str,
        mut files: impl FnMut(&str) -> Result<String, String>,
        kept: Option<&mut KeptMaps>,
    ) -> Result<Scenario, ScenarioError> {
        let reader = Reader::new(text);
        let document = DeTable::parse(text).map_err(|error| {
            let place = error.span().map_or(0, |span| span.start);
            reader.error(
                place,
                ScenarioErrorKind::Syntax {
                    message: error.message().replace('\n', ", "),
                },
            )
        })?;
        let file = Table::whole(&reader, document.get_ref());
        read(&file, &mut files, kept)
    }
}

fn read(
    file: &Table<'_>,
    files: &mut dyn FnMut(&str) -> Result<String, String>,
    mut kept: Option<&mut KeptMaps>,
) -> Result<Scenario, ScenarioError> {
    let allowed: Vec<&str> = KEYS.into_iter().chain(MORE_KEYS).collect();
    file.allow(&allowed)?;
    let format = file.need("format")?;
    if file.reader.number("format", format, Limits::ANY)? != 1.0 {
        return Err(file.reader.error(
            format.span().start,
            ScenarioErrorKind::Format {
                found: format_text(format),
            },
        ));
    }
    // What is in it is for those who make levels.
    file.table("editor")?;
    let map = file.table("map")?.ok_or_else(|| file.missing("map"))?;
    let map = level::read(file, &map, files, kept.as_deref_mut())?;
    let mut things = Things {
        file,
        map: &map,
        ids: BTreeMap::new(),
    };
    for agent in [("npc", AgentId::NPC), ("player", AgentId::PLAYER)] {
        let (id, agent) = agent;
        things
            .ids
            .insert(id.to_owned(), (None, Thing::Agent(agent)));
    }
    let mut doors = things.doors()?;
    let items = things.items(&mut doors)?;
    let mut traps = things.traps()?;
    let levers = things.levers(&mut traps)?;
    let obstacles = things.obstacles()?;
    let kinds = things.kinds()?;
    let mut enemies = things.enemies(&kinds)?;
    let mut actors = things.actors(&kinds, &mut enemies)?;
    if file.get("player").is_none() {
        things.ids.remove("player");
    }
    let areas = things.areas()?;
    let goal = things.whole_goal(file.need("goal")?)?;
    things.goals_of(&mut actors)?;
    let events = things.events(&items, &levers)?;
    let drawings = things.drawings()?;
    let used = drawings.iter().filter(|drawing| drawing.is_used);
    let demonstrations: Vec<_> = used.map(|drawing| drawing.drawn.clone()).collect();
    let styles = things.styles(&drawings)?;
    let (mut rules, margins) = (rules::read(file, &map)?, rules::read_margins(file)?);
    let players = actors.iter().filter(|actor| actor.id == "player");
    rules.player_must_survive = players.into_iter().any(|player| player.must_survive);
    let needs = things.listed(file, "needs", "item", |thing| match thing {
        Thing::Item(item) => Some(item),
        _ => None,
    })?;
    let name = file
        .get("name")
        .map(|name| file.reader.string("name", name))
        .transpose()?;
    let seed = file
        .get("seed")
        .map(|seed| file.reader.whole("seed", seed, Limits::new(0.0, 9e15)));
    let mut scenario = Scenario {
        name: Arc::from(name.unwrap_or("")),
        actors: actors.into(),
        agent: AgentId::NPC,
        others: Conduct::ROUTES,
        modelled: None,
        goal: Arc::new(goal),
        items: items.into(),
        doors: doors.into(),
        levers: levers.into(),
        traps: traps.into(),
        areas: areas.into(),
        obstacles: obstacles.into(),
        enemies: enemies.into(),
        demonstrations: demonstrations.into(),
        drawings: drawings.into(),
        styles: styles.into(),
        events: events.into(),
        planning: rules::read_planning(file, &rules)?.into(),
        rules,
        margins,
        expected: rules::read_expectation(file)?.map(Arc::new),
        prices: rules::read_prices(file)?,
        feared: None,
        solvable: file.flag("solvable", true)?,
        needs: needs.into(),
        seed: seed.transpose()?.unwrap_or(0),
        absent: 0,
        snapshot: None,
        tables: Arc::default(),
        known: Arc::default(),
        map,
    };
    let known = kept.as_deref().and_then(|kept| {
        let enemies = Arc::make_mut(&mut scenario.enemies);
        kept.lend(&scenario.map, enemies)
    });
    scenario.work_out_tables_with(known);
    if let Some(kept) = kept {
        kept.take_over(&scenario);
    }
    scenario.snapshot = snapshot::read(file, &scenario)?.map(Arc::new);
    // What was asked about it without this is not true of it.
    scenario.known = Arc::default();
    Ok(scenario)
}

fn format_text(value: &Value<'_>) -> String {
    value
        .get_ref()
        .as_integer()
        .map_or_else(|| "?".to_owned(), |number| number.as_str().to_owned())
}
