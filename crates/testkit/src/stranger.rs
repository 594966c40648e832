//! A level as a stranger might make it on a first evening.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};

use apprentice_experience::{Demonstration, DemonstrationLog};
use apprentice_world::{Drawn, Scenario, ScenarioError, drawn_line};

use crate::dice::Dice;
use crate::furnishing::{Furnishing, spot};
use crate::ground::Ground;
use crate::hand::Drawing;
use crate::shape::{Shape, Terrain};

/// Whether anything is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// Nothing.
    Nothing,
    /// One to three demonstrations, by an idle hand.
    Something,
}

/// Who else is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Company {
    /// No player.
    Nobody,
    /// A player who stands.
    Stands,
    /// A player who goes somewhere.
    Walks,
    /// A player who goes to and fro for a long time.
    Wanders,
}

impl Company {
    /// All there are.
    pub const ALL: [Company; 4] = [
        Company::Nobody,
        Company::Stands,
        Company::Walks,
        Company::Wanders,
    ];
}

impl fmt::Display for Company {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Company::Nobody => "nobody",
            Company::Stands => "stands",
            Company::Walks => "walks",
            Company::Wanders => "wanders",
        })
    }
}

/// A level of a stranger: the text of its file, and what comes of it. The same seed is the same
/// level, whatever is shown in it and whoever else is about.
///
/// ```
/// use apprentice_testkit::stranger::{Company, Shown, Stranger};
///
/// let level = Stranger::new(7, Shown::Something, Company::Stands);
/// assert_eq!(level.text, Stranger::new(7, Shown::Something, Company::Stands).text);
/// assert!(!level.demonstrations.is_empty());
/// ```
pub struct Stranger {
    /// Which one it is.
    pub seed: u64,
    /// What its ground looks like.
    pub terrain: String,
    /// Whether anything is shown.
    pub shown: Shown,
    /// Who else is about.
    pub company: Company,
    /// How many keys, doors and enemies there are.
    pub keys: usize,
    /// Doors that begin shut, or go by the clock.
    pub doors: usize,
    /// Guards are counted, too.
    pub enemies: usize,
    /// The scenario file.
    pub text: String,
    /// The files it names, beside it.
    pub files: Vec<(String, String)>,
    /// The scenario.
    pub scenario: Scenario,
    /// What is shown in it.
    pub demonstrations: Vec<Demonstration>,
}

/// The shortest and the longest sides of levels.
const SIDES: [usize; 2] = [24, 96];
/// Half of all levels are as long and as wide as this.
const USUAL: usize = 64;

impl Stranger {
    /// A level, of any shape.
    pub fn new(seed: u64, shown: Shown, company: Company) -> Stranger {
        let mut dice = Dice::new(seed, "ground");
        let [width, height] = if dice.percent(50) {
            [USUAL, USUAL]
        } else {
            [0; 2].map(|_| dice.between(SIDES[0], SIDES[1]))
        };
        let shape = shape(seed, &mut dice);
        let terrain = Terrain::shaped(shape, width, height, &mut dice);
        Stranger::on(terrain, seed, shown, company)
    }

    /// A small level: for those who look at every moment of many.
    pub fn small(seed: u64, shown: Shown, company: Company) -> Stranger {
        Stranger::sized(seed, [16, 28], shown, company)
    }

    /// A tiny one: for those who look at every moment of very many.
    pub fn tiny(seed: u64, shown: Shown, company: Company) -> Stranger {
        Stranger::sized(seed, [10, 16], shown, company)
    }

    /// A level whose sides are no shorter and no longer than this.
    fn sized(
        seed: u64,
        [shortest, longest]: [usize; 2],
        shown: Shown,
        company: Company,
    ) -> Stranger {
        let mut dice = Dice::new(seed, "ground");
        let [width, height] = [0; 2].map(|_| dice.between(shortest, longest));
        let shape = shape(seed, &mut dice);
        let terrain = Terrain::shaped(shape, width, height, &mut dice);
        Stranger::on(terrain, seed, shown, company)
    }

    /// A level on given ground.
    ///
    /// # Panics
    ///
    /// If the level that was made cannot be read, which is a mistake in the generator.
    pub fn on(mut terrain: Terrain, seed: u64, shown: Shown, company: Company) -> Stranger {
        let ground = Ground::new(&terrain.map);
        let furnishing = Furnishing::new(&terrain, &ground, &mut Dice::new(seed, "things"));
        let mut text = format!("{}\n{}", furnishing.head, terrain.table);
        text += &furnishing.tables;
        text += &player(
            company,
            &furnishing,
            &ground,
            &mut Dice::new(seed, "player"),
        );
        if shown == Shown::Something {
            let drawing = Drawing::new(&furnishing, &ground, seed);
            text += &drawing.tables;
            terrain.files.extend(drawing.files);
        }
        let scenario = parse(&text, &terrain.files)
            .unwrap_or_else(|error| panic!("seed {seed}: {error}\n{text}"));
        let demonstrations = demonstrations(&scenario, &terrain.files);
        Stranger {
            seed,
            shown,
            company,
            keys: furnishing.keys(),
            doors: furnishing.doors.len(),
            enemies: furnishing.enemies,
            text,
            scenario,
            demonstrations,
            terrain: terrain.name,
            files: terrain.files,
        }
    }

    /// Reads another text with the files of this level: what is saved in the middle of a game.
    ///
    /// # Errors
    ///
    /// If it is no scenario.
    pub fn read(&self, text: &str) -> Result<Scenario, ScenarioError> {
        parse(text, &self.files)
    }

    /// Writes the level into a folder, as `apprentice plan` reads it. Says where.
    ///
    /// # Errors
    ///
    /// If the folder takes no files.
    pub fn write(&self, folder: &Path) -> io::Result<PathBuf> {
        std::fs::create_dir_all(folder)?;
        for (name, text) in &self.files {
            std::fs::write(folder.join(name), text)?;
        }
        let shown = match self.shown {
            Shown::Nothing => "nothing",
            Shown::Something => "shown",
        };
        let name = format!(
            "{}-{}-{shown}-{}.toml",
            self.seed, self.terrain, self.company
        );
        let path = folder.join(name);
        std::fs::write(&path, &self.text)?;
        Ok(path)
    }
}

fn parse(text: &str, files: &[(String, String)]) -> Result<Scenario, ScenarioError> {
    Scenario::parse_with(text, |name: &str| {
        let found = files.iter().find(|(file, _)| file == name);
        let text = found.map(|(_, text)| text.clone());
        text.ok_or_else(|| format!("there is no file `{name}`"))
    })
}

/// Most levels are grids, as they are easiest to write.
fn shape(seed: u64, dice: &mut Dice) -> Shape {
    let grid = *dice.one_of(&Shape::GRIDS);
    if Dice::new(seed, "floors").percent(15) {
        Shape::Floors
    } else {
        grid
    }
}

/// The demonstrations a scenario names, as the command line reads them.
fn demonstrations(scenario: &Scenario, files: &[(String, String)]) -> Vec<Demonstration> {
    let numbered = (1..).zip(scenario.demonstrations());
    let read = numbered.filter_map(|(number, drawn)| match drawn {
        Drawn::Points(points) => Some(drawn_line(scenario, format!("drawn {number}"), points)),
        Drawn::File { name, .. } => {
            let (_, text) = files.iter().find(|(file, _)| file == name)?;
            let read = DemonstrationLog::read(text.as_bytes()).ok()?;
            Some(read.log.demonstration(name.trim_end_matches(".jsonl")))
        }
    });
    read.collect()
}

/// The player, near the start, and where it goes.
fn player(
    company: Company,
    furnishing: &Furnishing,
    ground: &Ground<'_>,
    dice: &mut Dice,
) -> String {
    let stops = match company {
        Company::Nobody => return String::new(),
        Company::Stands => 0,
        Company::Walks => dice.between(1, 2),
        Company::Wanders => dice.between(6, 12),
    };
    let steps = ground.steps_from(furnishing.start);
    let far = dice.between(1, 10) as u32;
    let near = ground.places.iter().filter(|place| steps[**place] <= far);
    let near: Vec<usize> = near.copied().collect();
    let at = *dice.one_of(&near);
    let mut text = format!("\n[player]\nat = {}\n", spot(ground.map, at));
    if dice.percent(30) {
        text += "fights = false\n";
    }
    if dice.percent(10) {
        text += "must_survive = true\n";
    }
    let mut route = vec![at];
    let open = vec![false; ground.map.places()];
    for _ in 0..stops {
        let stop = *dice.one_of(&ground.places);
        let here = *route.last().unwrap_or(&at);
        route.extend(ground.way(here, stop, &open).unwrap_or_default());
    }
    if stops > 0 {
        // It goes straight from point to point, so there are some at every corner.
        let points = route.iter().step_by(2).chain(route.last());
        let points: Vec<String> = points.map(|place| spot(ground.map, *place)).collect();
        text += &format!("route = [{}]\n", points.join(", "));
    }
    text
}
