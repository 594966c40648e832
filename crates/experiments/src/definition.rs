//! What an experiment is: a file that says which levels, bounds and planners there are, and what is drawn.

use std::fmt;

use serde::Deserialize;

use crate::cell::{Cell, PlannerSpec, Planning, Probing, Task};
use crate::form;
use crate::levels::Levels;

/// An experiment, as its file says it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Definition {
    /// The version of the format: 1.
    pub format: u32,
    /// What it is called on the command line.
    pub id: String,
    /// What it is called in the report.
    pub title: String,
    /// What it shows, in a few sentences.
    pub about: String,
    /// What it reproduces.
    #[serde(default)]
    pub source: String,
    /// About how many seconds of one core all of it takes, quick and full, where it was last measured.
    #[serde(default)]
    pub core_seconds: [f64; 2],
    /// Levels that are written in the same file.
    #[serde(default)]
    pub level: Vec<OwnLevel>,
    /// Planners in levels.
    #[serde(default)]
    pub grid: Vec<Grid>,
    /// Other measurements.
    #[serde(default)]
    pub probe: Vec<ProbeGrid>,
    /// What is drawn of the results.
    #[serde(default)]
    pub chart: Vec<ChartSpec>,
    /// Plans and estimates that are drawn on their maps.
    #[serde(default)]
    pub picture: Vec<PictureSpec>,
    /// What was published, beside which ours is shown.
    #[serde(default)]
    pub published: Vec<Published>,
    /// Tables that are shown as they were published.
    #[serde(default)]
    pub form: Vec<Form>,
    /// Whether planners, levels and limits are rated.
    #[serde(default)]
    pub rates: bool,
    /// The assertions that are read off it.
    #[serde(default)]
    pub asserts: Vec<String>,
}

/// A level that an experiment brings along.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OwnLevel {
    /// What grids call it.
    pub name: String,
    /// Another level, from which comes whatever this one does not say itself.
    #[serde(default)]
    pub like: Option<String>,
    /// The level, as its own file would say it.
    pub text: String,
}

/// All combinations of these.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Grid {
    /// The levels.
    pub scenarios: Vec<String>,
    /// The planners.
    pub planners: Vec<PlannerSpec>,
    /// Everything else, in full.
    #[serde(default)]
    pub branching: Option<Vec<u32>>,
    /// How many times the best plans may cost.
    #[serde(default)]
    pub bounds: Option<Vec<f64>>,
    /// In how many layouts keys and shields are put at random.
    #[serde(default)]
    pub layouts: Option<u32>,
    /// What is put at random instead of keys and shields, by name: each somewhere in its room.
    #[serde(default)]
    pub moves: Vec<String>,
    /// How often the pieces of demonstrations are cut.
    #[serde(default)]
    pub cuts: Option<Vec<u32>>,
    /// How many events that mean nothing are added.
    #[serde(default)]
    pub random_events: Option<Vec<u32>>,
    /// How many events are added once more.
    #[serde(default)]
    pub repeated_events: Option<Vec<u32>>,
    /// How often each is run.
    #[serde(default)]
    pub repeats: Option<u32>,
    /// Units of budget at most.
    #[serde(default)]
    pub limit: Option<u64>,
    /// What is otherwise when there is little time.
    #[serde(default)]
    pub quick: Lists,
}

/// The lists of a grid that may be shorter when there is little time.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Lists {
    scenarios: Option<Vec<String>>,
    branching: Option<Vec<u32>>,
    bounds: Option<Vec<f64>>,
    layouts: Option<u32>,
    cuts: Option<Vec<u32>>,
    random_events: Option<Vec<u32>>,
    repeated_events: Option<Vec<u32>>,
    repeats: Option<u32>,
    limit: Option<u64>,
}

/// Another measurement, for all combinations of these.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProbeGrid {
    /// Which.
    pub probe: String,
    /// The levels.
    pub scenarios: Vec<String>,
    /// The numbers it takes.
    #[serde(default)]
    pub numbers: Vec<f64>,
    /// How many seeds it draws with; none if it draws nothing.
    #[serde(default)]
    pub seeds: u64,
    /// How often each is run.
    #[serde(default)]
    pub repeats: Option<u32>,
    /// What is otherwise when there is little time.
    #[serde(default)]
    pub quick: ProbeLists,
}

/// The lists of a measurement that may be shorter when there is little time.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ProbeLists {
    numbers: Option<Vec<f64>>,
    seeds: Option<u64>,
    repeats: Option<u32>,
}

/// A chart: one for each level and branching, with a line for each planner.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChartSpec {
    /// What it shows.
    pub title: String,
    /// What goes to the right: `bound`, `cuts`, `random_events`, `repeated_events`, `epsilon`, `w1`,
    /// `extra_turns`, `layout` or `number`.
    pub x: String,
    /// What goes up: `expansions`, `work`, `time_ms`, `cost`, `ratio` (of the best cost), `coverage`,
    /// `fidelity`, or a value of a measurement.
    pub y: String,
    /// Which axes are logarithmic.
    #[serde(default)]
    pub log: Vec<String>,
    /// Whether all levels go into one chart, each with lines of its own.
    #[serde(default)]
    pub together: bool,
    /// Whether each line is shown as many times its first point.
    #[serde(default)]
    pub relative: bool,
    /// Whether each line is divided by its sum, and all levels are added up.
    #[serde(default)]
    pub normalised: bool,
    /// Whether the points of each line are sorted by what goes up, as where layouts have no order.
    #[serde(default)]
    pub sorted: bool,
    /// Only these levels.
    #[serde(default)]
    pub scenarios: Vec<String>,
    /// Only this measurement.
    #[serde(default)]
    pub probe: Option<String>,
}

/// A plan, or what an estimate says, drawn on its map.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PictureSpec {
    /// What it shows.
    pub title: String,
    /// Where.
    pub scenario: String,
    /// The plan of whom, with which numbers.
    #[serde(default)]
    pub planner: PlannerSpec,
    /// Instead of a plan, an estimate: `straight`, `path`, `egraph`, `egraph-heuristic`, `tgraph`.
    #[serde(default)]
    pub estimate: Option<String>,
    /// Whether the places that the search looked at are shaded.
    #[serde(default)]
    pub expanded: bool,
    /// Instead of a plan, how players of each style go.
    #[serde(default)]
    pub styles: bool,
}

/// What was published of one planner in one level.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Published {
    /// The level.
    pub scenario: String,
    /// The planner, by its label.
    pub label: String,
    /// For this bound.
    pub bound: Option<f64>,
    /// States that were expanded.
    pub expansions: Option<f64>,
    /// Seconds the plan takes.
    pub cost: Option<f64>,
    /// Milliseconds it took to make.
    pub time_ms: Option<f64>,
}

/// A table that is shown as it was published, with what was measured here below that.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Form {
    /// What it says.
    pub caption: String,
    /// What stands above.
    pub columns: Vec<String>,
    /// Its lines.
    #[serde(default)]
    pub rows: Vec<Vec<String>>,
    /// Further lines, of what was measured here.
    #[serde(default)]
    pub measured: Vec<MeasuredLine>,
}

/// A line of a table, of what a planner did.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MeasuredLine {
    /// The level.
    pub scenario: String,
    /// How many steps leave a state in the open.
    #[serde(default = "usual_branching")]
    pub branching: u32,
    /// Who, with which numbers.
    pub planner: PlannerSpec,
    /// Somebody else of whom the line says something, too: names that begin with `beside.`
    #[serde(default)]
    pub beside: Option<PlannerSpec>,
    /// What stands in its cells. Names in braces become numbers: see [`form`](crate::form).
    pub cells: Vec<String>,
}

fn usual_branching() -> u32 {
    16
}

/// How much of an experiment is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// What says the most in little time.
    Quick,
    /// All of it.
    Full,
}

/// A cell, and what a definition calls its planner.
#[derive(Clone, Debug, PartialEq)]
pub struct PlannedCell {
    /// What is done.
    pub cell: Cell,
    /// The planner's label.
    pub label: String,
}

/// What is wrong with an experiment file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DefinitionError {
    /// It is not written as experiments are.
    Text {
        /// What is wrong, with the line.
        why: String,
    },
    /// It is of another format.
    Format {
        /// Which.
        format: u32,
    },
    /// It names a level that is not there.
    Level {
        /// Which.
        name: String,
        /// Those there are.
        known: Vec<String>,
    },
    /// It names a planner that is not there.
    Planner {
        /// Which.
        name: String,
    },
    /// It asks for a measurement that is not there.
    Probe {
        /// Which.
        name: String,
    },
    /// A number makes no sense.
    Number {
        /// Which, and why.
        why: String,
    },
}

impl fmt::Display for DefinitionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DefinitionError::Text { why } => write!(f, "{}", why.trim_end()),
            DefinitionError::Format { format } => write!(
                f,
                "it is of format {format}, and this program reads format 1; write `format = 1` and look into what has changed"
            ),
            DefinitionError::Level { name, known } => write!(
                f,
                "there is no level `{name}`; there is {}, or name a file that ends in `.toml`",
                known.join(", ")
            ),
            DefinitionError::Planner { name } => write!(
                f,
                "there is no planner `{name}`; `apprentice plan --help` lists them"
            ),
            DefinitionError::Probe { name } => write!(
                f,
                "there is no measurement `{name}`; there is {}",
                crate::probe::NAMES.join(", ")
            ),
            DefinitionError::Number { why } => f.write_str(why),
        }
    }
}

impl std::error::Error for DefinitionError {}

/// Units of budget, if a grid says nothing: more than ten times what most cells take, and little enough
/// that a cell which never ends is a gap after a minute.
const LIMIT: u64 = 20_000_000;

/// The numbers a chart can have to the right.
const ACROSS: [&str; 9] = [
    "bound",
    "cuts",
    "random_events",
    "repeated_events",
    "epsilon",
    "w1",
    "extra_turns",
    "layout",
    "number",
];

impl Definition {
    /// Reads an experiment file.
    ///
    /// # Errors
    ///
    /// If it is not written as experiments are, or says something that makes no sense by itself.
    ///
    /// ```
    /// use apprentice_experiments::Definition;
    ///
    /// let text = "format = 1\nid = 'mine'\ntitle = 'Mine'\nabout = ''\n\
    ///             [[grid]]\nscenarios = ['k5d1']\nplanners = [{ planer = 'auto' }]\n";
    /// let error = Definition::parse(text).unwrap_err().to_string();
    /// assert!(error.contains("line 7") && error.contains("unknown field `planer`"), "{error}");
    /// ```
    pub fn parse(text: &str) -> Result<Definition, DefinitionError> {
        let definition: Definition =
            toml::from_str(text).map_err(|error| DefinitionError::Text {
                why: error.to_string(),
            })?;
        definition.check()?;
        Ok(definition)
    }

    fn check(&self) -> Result<(), DefinitionError> {
        let number = |why: String| Err(DefinitionError::Number { why });
        if self.format != 1 {
            return Err(DefinitionError::Format {
                format: self.format,
            });
        }
        let is_word = |id: &str| {
            !id.is_empty()
                && id
                    .chars()
                    .all(|it| it.is_ascii_alphanumeric() || "-_.".contains(it))
        };
        if !is_word(&self.id) {
            return number(format!(
                "the id `{}` must be letters, digits, `-`, `_` and `.`, so that it can name files",
                self.id
            ));
        }
        for chart in &self.chart {
            if !ACROSS.contains(&&*chart.x) {
                return number(format!(
                    "the chart `{}` has x = \"{}\"; it can be {}",
                    chart.title,
                    chart.x,
                    ACROSS.join(", ")
                ));
            }
            if let Some(axis) = chart
                .log
                .iter()
                .find(|axis| !["x", "y"].contains(&&***axis))
            {
                return number(format!(
                    "the chart `{}` has a logarithmic axis `{axis}`; there are x and y",
                    chart.title
                ));
            }
        }
        for grid in &self.grid {
            for spec in &grid.planners {
                let modes = spec.experience_mode().map(|_| ());
                let modes = modes.and_then(|()| spec.estimate().map(|_| ()));
                modes.map_err(|why| DefinitionError::Number { why })?;
            }
            let named = grid.planners.iter().map(|it| &it.planner);
            for name in named {
                if apprentice_behavior::PlannerName::from_name(name).is_none() {
                    return Err(DefinitionError::Planner { name: name.clone() });
                }
            }
            if !grid.moves.is_empty() && grid.layouts.is_none() {
                return number(
                    "`moves` says what is put at random; say in how many `layouts`".to_owned(),
                );
            }
            for extent in [Extent::Quick, Extent::Full] {
                let lists = grid.lists(extent);
                for branching in &lists.branching {
                    if apprentice_world::Branching::of(*branching).is_none() {
                        return number(format!("branching {branching}: it is 16, 32 or 256"));
                    }
                }
                if let Some(bound) = lists
                    .bounds
                    .iter()
                    .find(|it| !(**it >= 1.0 && it.is_finite()))
                {
                    return number(format!(
                        "the bound {bound}: plans cost at least once the best, so write 1 or more"
                    ));
                }
                if lists.limit == 0 || lists.repeats == 0 {
                    return number(
                        "a limit or a number of repeats is 0, so nothing would be run".to_owned(),
                    );
                }
            }
        }
        for line in self.form.iter().flat_map(|form| &form.measured) {
            let wrong = line.cells.iter().find_map(|cell| form::unknown_name(cell));
            if let Some(name) = wrong {
                return number(format!(
                    "a table asks for `{{{name}}}`; there is {}",
                    form::NAMES.join(", ")
                ));
            }
        }
        for probe in &self.probe {
            if !crate::probe::NAMES.contains(&&*probe.probe) {
                return Err(DefinitionError::Probe {
                    name: probe.probe.clone(),
                });
            }
        }
        Ok(())
    }

    /// Every cell, in order, with the label of its planner.
    ///
    /// # Errors
    ///
    /// If a level is not there.
    pub fn cells(
        &self,
        levels: &Levels,
        extent: Extent,
        seed: u64,
    ) -> Result<Vec<PlannedCell>, DefinitionError> {
        let mut cells = Vec::new();
        for grid in &self.grid {
            grid.add_cells(levels, extent, seed, &mut cells)?;
        }
        for probe in &self.probe {
            probe.add_cells(levels, extent, seed, &mut cells)?;
        }
        Ok(cells)
    }

    /// The levels that files must be looked for, because their names end so.
    pub fn level_files(&self) -> impl Iterator<Item = &str> {
        let of_grids = self.grid.iter().flat_map(|grid| {
            let quick = grid.quick.scenarios.iter().flatten();
            grid.scenarios.iter().chain(quick)
        });
        let of_probes = self.probe.iter().flat_map(|probe| &probe.scenarios);
        let of_pictures = self.picture.iter().map(|picture| &picture.scenario);
        let all = of_grids.chain(of_probes).chain(of_pictures);
        all.map(|name| &**name)
            .filter(|name| name.ends_with(".toml"))
    }
}

/// A grid's lists for an extent.
struct Chosen<'a> {
    scenarios: &'a [String],
    branching: Vec<u32>,
    bounds: Vec<f64>,
    layouts: Option<u32>,
    cuts: Vec<u32>,
    random_events: Vec<u32>,
    repeated_events: Vec<u32>,
    repeats: u32,
    limit: u64,
}

impl Grid {
    fn lists(&self, extent: Extent) -> Chosen<'_> {
        let nothing = Lists::default();
        let quick = match extent {
            Extent::Quick => &self.quick,
            Extent::Full => &nothing,
        };
        fn list<T: Clone>(
            quick: &Option<Vec<T>>,
            full: &Option<Vec<T>>,
            otherwise: &[T],
        ) -> Vec<T> {
            let chosen = quick.as_ref().or(full.as_ref());
            chosen.cloned().unwrap_or_else(|| otherwise.to_vec())
        }
        let repeats = match extent {
            Extent::Quick => self.quick.repeats.or(Some(1)),
            Extent::Full => self.repeats,
        };
        let of_quick = match extent {
            Extent::Quick => self.quick.scenarios.as_deref(),
            Extent::Full => None,
        };
        Chosen {
            scenarios: of_quick.unwrap_or(&self.scenarios),
            branching: list(&quick.branching, &self.branching, &[16]),
            bounds: list(&quick.bounds, &self.bounds, &[]),
            layouts: quick.layouts.or(self.layouts),
            cuts: list(&quick.cuts, &self.cuts, &[0]),
            random_events: list(&quick.random_events, &self.random_events, &[0]),
            repeated_events: list(&quick.repeated_events, &self.repeated_events, &[0]),
            repeats: repeats.unwrap_or(1),
            limit: quick.limit.or(self.limit).unwrap_or(LIMIT),
        }
    }

    fn add_cells(
        &self,
        levels: &Levels,
        extent: Extent,
        seed: u64,
        cells: &mut Vec<PlannedCell>,
    ) -> Result<(), DefinitionError> {
        let lists = self.lists(extent);
        let layouts: Vec<Option<u64>> = match lists.layouts {
            None => vec![None],
            Some(count) => (0..u64::from(count))
                .map(|number| Some(seed.wrapping_add(number)))
                .collect(),
        };
        for scenario in lists.scenarios {
            let level = level(levels, scenario)?;
            let mut plannings = Vec::new();
            for branching in &lists.branching {
                for items in &layouts {
                    for cuts in &lists.cuts {
                        for random_events in &lists.random_events {
                            for repeated_events in &lists.repeated_events {
                                plannings.push(Planning {
                                    branching: *branching,
                                    items: *items,
                                    moves: self.moves.clone(),
                                    cuts: *cuts,
                                    random_events: *random_events,
                                    repeated_events: *repeated_events,
                                    seed: (*random_events > 0).then_some(seed),
                                    limit: lists.limit,
                                    planner: PlannerSpec::default(),
                                });
                            }
                        }
                    }
                }
            }
            for planning in plannings {
                for planner in &self.planners {
                    for planner in with_bounds(planner, &lists.bounds) {
                        for repeat in 0..lists.repeats {
                            let label = planner.shown_as().to_owned();
                            let planning = Planning {
                                planner: PlannerSpec {
                                    label: None,
                                    ..planner.clone()
                                },
                                ..planning.clone()
                            };
                            cells.push(PlannedCell {
                                label,
                                cell: Cell {
                                    scenario: scenario.clone(),
                                    level: level.clone(),
                                    task: Task::Plan(planning),
                                    repeat,
                                },
                            });
                        }
                    }
                }
            }
        }
        Ok(())
    }
}

impl ProbeGrid {
    fn add_cells(
        &self,
        levels: &Levels,
        extent: Extent,
        seed: u64,
        cells: &mut Vec<PlannedCell>,
    ) -> Result<(), DefinitionError> {
        let is_quick = extent == Extent::Quick;
        let numbers = self.quick.numbers.as_ref().filter(|_| is_quick);
        let numbers = numbers.unwrap_or(&self.numbers);
        let numbers = if numbers.is_empty() {
            &vec![0.0]
        } else {
            numbers
        };
        let seeds = self.quick.seeds.filter(|_| is_quick).unwrap_or(self.seeds);
        let repeats = if is_quick {
            self.quick.repeats.unwrap_or(1)
        } else {
            self.repeats.unwrap_or(1)
        };
        let seeds: Vec<Option<u64>> = match seeds {
            0 => vec![None],
            count => (0..count)
                .map(|number| Some(seed.wrapping_add(number)))
                .collect(),
        };
        for scenario in &self.scenarios {
            let level = if scenario == "-" {
                String::new()
            } else {
                level(levels, scenario)?
            };
            for number in numbers {
                for seed in &seeds {
                    for repeat in 0..repeats {
                        let probing = Probing {
                            probe: self.probe.clone(),
                            number: *number,
                            seed: *seed,
                        };
                        cells.push(PlannedCell {
                            label: self.probe.clone(),
                            cell: Cell {
                                scenario: scenario.clone(),
                                level: level.clone(),
                                task: Task::Probe(probing),
                                repeat,
                            },
                        });
                    }
                }
            }
        }
        Ok(())
    }
}

fn level(levels: &Levels, name: &str) -> Result<String, DefinitionError> {
    let found = levels.find(name).map(|level| level.digest.clone());
    found.ok_or_else(|| DefinitionError::Level {
        name: name.to_owned(),
        known: levels.names().map(str::to_owned).collect(),
    })
}

/// The planner at every bound that its own numbers allow: where less is proven than its inflation of
/// what was not shown, there is no such planner.
fn with_bounds(planner: &PlannerSpec, bounds: &[f64]) -> Vec<PlannerSpec> {
    if bounds.is_empty() || planner.bound.is_some() {
        return vec![planner.clone()];
    }
    let is_led = ["tgraph", "egraph"].contains(&&*planner.planner);
    let least = if is_led {
        planner.epsilon.unwrap_or(1.0)
    } else {
        1.0
    };
    let allowed = bounds.iter().filter(|bound| **bound >= least);
    allowed
        .map(|bound| PlannerSpec {
            bound: Some(*bound),
            ..planner.clone()
        })
        .collect()
}
