//! What came of experiments, in the order of their definitions, as a table and to be asked.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::VERSION;
use crate::cell::{PlannerSpec, Planning, Task};
use crate::definition::{Definition, DefinitionError, Extent, PlannedCell};
use crate::levels::Levels;
use crate::measured::Row;

/// Where results come from, for whoever wants them again.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Header {
    /// What was typed.
    pub command: String,
    /// What drew places.
    pub seed: u64,
    /// On what.
    pub machine: String,
}

/// Reads the header of a table of results: pairs of names and values.
///
/// ```
/// let text = "# seed: 7\n# version: 0.1.0\nplanner,scenario\n";
/// let header = apprentice_experiments::read_header(text);
/// assert_eq!(header[0], ("seed".to_owned(), "7".to_owned()));
/// ```
pub fn read_header(text: &str) -> Vec<(String, String)> {
    let lines = text.lines().map_while(|line| line.strip_prefix("# "));
    let pairs = lines.filter_map(|line| line.split_once(": "));
    pairs
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect()
}

/// What came of some experiments.
#[derive(Clone, Debug)]
pub struct Results<'a> {
    /// The experiments, each with its cells in order and what came of them.
    pub experiments: Vec<Outcome<'a>>,
    /// Where they come from.
    pub header: Header,
    /// How much was run.
    pub extent: Extent,
    /// Every row once, in order, with the numbers of the experiments that it is of.
    unique: Vec<(Vec<usize>, &'a Row)>,
    /// What the best plans cost, by quest.
    optima: BTreeMap<String, f64>,
}

/// What came of one experiment.
#[derive(Clone, Debug)]
pub struct Outcome<'a> {
    /// The experiment.
    pub definition: &'a Definition,
    /// Its cells that were done, in order, by the labels of their planners.
    pub rows: Vec<(String, &'a Row)>,
    /// How many cells it has in all.
    pub all: usize,
}

/// The columns of the table.
pub(crate) const COLUMNS: [&str; 41] = [
    "experiments",
    "scenario",
    "branching",
    "planner",
    "bound",
    "w",
    "epsilon",
    "w1",
    "w2",
    "calibration",
    "extra_turns",
    "egraph_mode",
    "estimate",
    "reopen",
    "memo",
    "scan",
    "demonstrations",
    "player_model",
    "layout",
    "moves",
    "cuts",
    "random_events",
    "repeated_events",
    "number",
    "repeat",
    "status",
    "expansions",
    "reexpansions",
    "generated",
    "units",
    "work",
    "cost",
    "optimal",
    "proven",
    "steps",
    "coverage",
    "fidelity",
    "warping",
    "frechet",
    "time_ms",
    "preparing_ms",
];

impl<'a> Results<'a> {
    /// What rows say about experiments. Rows of other cells are left out.
    ///
    /// # Errors
    ///
    /// If a definition names a level that is not there.
    pub fn of(
        definitions: &[&'a Definition],
        levels: &Levels,
        extent: Extent,
        rows: &'a [Row],
        header: Header,
    ) -> Result<Results<'a>, DefinitionError> {
        let mut by_key: BTreeMap<String, &Row> = BTreeMap::new();
        for row in rows {
            by_key.entry(row.cell.key()).or_insert(row);
        }
        let mut experiments = Vec::new();
        for definition in definitions {
            let cells = definition.cells(levels, extent, header.seed)?;
            let all = cells.len();
            let rows = cells.into_iter().filter_map(|PlannedCell { cell, label }| {
                let row = by_key.get(&cell.key())?;
                Some((label, *row))
            });
            experiments.push(Outcome {
                definition,
                rows: rows.collect(),
                all,
            });
        }
        let unique = unique(&experiments);
        let mut optima = BTreeMap::new();
        for (_, row) in &unique {
            let is_best = row.measured.proven.is_some_and(|proven| proven <= 1.0);
            if let (true, Some(quest), Some(cost)) = (is_best, quest(row), row.measured.cost) {
                optima.entry(quest).or_insert(cost);
            }
        }
        Ok(Results {
            experiments,
            header,
            extent,
            unique,
            optima,
        })
    }

    /// Every row once, in order, with the experiments that it is of.
    pub fn rows(&self) -> impl Iterator<Item = (Vec<&str>, &'a Row)> {
        let id = |number: &usize| &*self.experiments[*number].definition.id;
        let rows = self.unique.iter();
        rows.map(move |(numbers, row)| (numbers.iter().map(id).collect(), *row))
    }

    /// All rows as comma-separated values, under a header that says how to get them again. The same
    /// cells make the same bytes but for clocks, whatever order they were done in.
    pub fn csv(&self) -> String {
        let Header {
            command,
            seed,
            machine,
        } = &self.header;
        let mut text = format!(
            "# command: {}\n# seed: {seed}\n# version: {VERSION}\n# machine: {}\n",
            one_line(command),
            one_line(machine)
        );
        text += &(COLUMNS.join(",") + "\n");
        for (ids, row) in self.rows() {
            let optimal = self.optimum(row);
            let _ = writeln!(text, "{}", csv_line(&ids, row, optimal));
        }
        text
    }

    /// What the best plan costs for the same quest, if somebody has found it and proven that.
    pub fn optimum(&self, row: &Row) -> Option<f64> {
        self.optima.get(&quest(row)?).copied()
    }

    /// Rows that somebody asks about.
    pub fn ask(&self) -> Question<'_> {
        Question {
            results: self,
            rows: self.unique.iter().map(|(_, row)| *row).collect(),
            asked: String::new(),
        }
    }
}

/// Cells of the same quest: they have the same best plan.
fn quest(row: &Row) -> Option<String> {
    let planning = row.cell.planning()?;
    let (branching, items, moves) = (planning.branching, planning.items, &planning.moves);
    Some(format!(
        "{} {branching} {items:?} {moves:?}",
        row.cell.scenario
    ))
}

fn unique<'a>(experiments: &[Outcome<'a>]) -> Vec<(Vec<usize>, &'a Row)> {
    let mut order: Vec<(Vec<usize>, &Row)> = Vec::new();
    let mut numbers: BTreeMap<String, usize> = BTreeMap::new();
    for (experiment, outcome) in experiments.iter().enumerate() {
        for (_, row) in &outcome.rows {
            let number = *numbers.entry(row.cell.key()).or_insert_with(|| {
                order.push((Vec::new(), row));
                order.len() - 1
            });
            let known = &mut order[number].0;
            if known.last() != Some(&experiment) {
                known.push(experiment);
            }
        }
    }
    order
}

fn one_line(text: &str) -> String {
    text.replace(['\n', '\r'], " ")
}

fn csv_line(ids: &[&str], row: &Row, optimal: Option<f64>) -> String {
    let text = |number: Option<f64>| number.map_or_else(String::new, |number| number.to_string());
    let nothing = Planning::default();
    let planning = row.cell.planning().unwrap_or(&nothing);
    let PlannerSpec {
        planner,
        bound,
        w,
        epsilon,
        w1,
        w2,
        extra_turns,
        egraph_mode,
        estimate,
        uncalibrated,
        reopen,
        forgetful,
        scan,
        untaught,
        player_model,
        ..
    } = &planning.planner;
    let (planner, number, is_plan) = match &row.cell.task {
        Task::Plan(_) => (planner.clone(), None, true),
        Task::Probe(probing) => (probing.probe.clone(), Some(probing.number), false),
    };
    let layout = match &row.cell.task {
        Task::Plan(planning) => planning.items,
        Task::Probe(probing) => probing.seed,
    };
    let count = |number: u64| {
        if is_plan {
            number.to_string()
        } else {
            String::new()
        }
    };
    let yes = |switch: bool| match (is_plan, switch) {
        (false, _) => "",
        (true, true) => "yes",
        (true, false) => "no",
    };
    let measured = &row.measured;
    let values = measured
        .values
        .iter()
        .map(|(name, value)| format!("{name}={value}"));
    let status = match values.collect::<Vec<_>>().join(" ") {
        values if values.is_empty() => measured.status.clone(),
        values => format!("{} {values}", measured.status),
    };
    let fields: [String; COLUMNS.len()] = [
        ids.join("+"),
        row.cell.scenario.clone(),
        count(u64::from(planning.branching)),
        planner,
        text(*bound),
        text(*w),
        text(*epsilon),
        text(*w1),
        text(*w2),
        yes(!uncalibrated).to_owned(),
        extra_turns.map_or_else(String::new, |turns| turns.to_string()),
        egraph_mode.clone().unwrap_or_default(),
        estimate.clone().unwrap_or_default(),
        yes(*reopen).to_owned(),
        yes(!forgetful).to_owned(),
        yes(*scan).to_owned(),
        yes(!untaught).to_owned(),
        player_model.clone().unwrap_or_default(),
        layout.map_or_else(String::new, |seed| seed.to_string()),
        planning.moves.join("+"),
        count(u64::from(planning.cuts)),
        count(u64::from(planning.random_events)),
        count(u64::from(planning.repeated_events)),
        text(number),
        row.cell.repeat.to_string(),
        status,
        count(measured.expansions),
        count(measured.reexpansions),
        count(measured.generated),
        count(measured.units),
        count(measured.work),
        text(measured.cost),
        text(optimal),
        text(measured.proven),
        count(measured.steps),
        text(measured.coverage),
        text(measured.fidelity),
        text(measured.warping),
        text(measured.frechet),
        format!("{:.3}", row.clocks.time_ms),
        format!("{:.3}", row.clocks.preparing_ms),
    ];
    fields.map(quoted).join(",")
}

fn quoted(field: String) -> String {
    if field.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field
    }
}

/// Rows that fit what was said so far. Conditions are added one after another; in the end something is
/// asked, and the answer is the mean over repeats.
#[derive(Clone, Debug)]
pub struct Question<'r> {
    results: &'r Results<'r>,
    rows: Vec<&'r Row>,
    asked: String,
}

impl<'r> Question<'r> {
    fn filtered(mut self, word: &str, mut fits: impl FnMut(&Row) -> bool) -> Question<'r> {
        self.rows.retain(|row| fits(row));
        if !self.asked.is_empty() {
            self.asked += ", ";
        }
        self.asked += word;
        self
    }

    /// Only these levels.
    #[must_use]
    pub fn scenario(self, name: &str) -> Question<'r> {
        self.filtered(name, |row| row.cell.scenario == name)
    }

    /// Only where a plan was asked for that fits.
    #[must_use]
    pub fn plan(self, word: &str, mut fits: impl FnMut(&Planning) -> bool) -> Question<'r> {
        self.filtered(word, |row| row.cell.planning().is_some_and(&mut fits))
    }

    /// Only this many steps from a state, and nothing varied.
    #[must_use]
    pub fn branching(self, branching: u32) -> Question<'r> {
        self.plan(&format!("branching {branching}"), |it| {
            it.branching == branching
        })
    }

    /// Only levels as they are: nothing drawn, cut or added.
    #[must_use]
    pub fn unvaried(self) -> Question<'r> {
        self.plan("as it is", |it| {
            it.items.is_none() && it.cuts + it.random_events + it.repeated_events == 0
        })
    }

    /// Only this planner with just these numbers; whatever is not given is not given there either.
    #[must_use]
    pub fn planner(self, spec: &PlannerSpec) -> Question<'r> {
        let word = serde_json::to_string(spec).unwrap_or_default();
        self.plan(&word, |it| it.planner == *spec)
    }

    /// Only a measurement of this name with this number.
    #[must_use]
    pub fn probe(self, name: &str, number: f64) -> Question<'r> {
        self.filtered(&format!("{name} {number}"), |row| match &row.cell.task {
            Task::Probe(probing) => probing.probe == name && probing.number == number,
            Task::Plan(_) => false,
        })
    }

    /// The rows.
    pub fn rows(&self) -> &[&'r Row] {
        &self.rows
    }

    /// The mean of something, if there are rows and all of them have it.
    pub fn mean(&self, of: impl Fn(&Row) -> Option<f64>) -> Option<f64> {
        let all: Option<Vec<f64>> = self.rows.iter().map(|row| of(row)).collect();
        let all = all.filter(|all| !all.is_empty())?;
        Some(all.iter().sum::<f64>() / all.len() as f64)
    }

    /// Expansions, if a plan was found.
    pub fn expansions(&self) -> Option<f64> {
        self.mean(|row| {
            row.measured
                .is_found()
                .then_some(row.measured.expansions as f64)
        })
    }

    /// What the plan costs, if one was found.
    pub fn cost(&self) -> Option<f64> {
        self.mean(|row| row.measured.cost)
    }

    /// How many times the best it costs.
    pub fn ratio(&self) -> Option<f64> {
        self.mean(|row| Some(row.measured.cost? / self.results.optimum(row)?))
    }

    /// Milliseconds.
    pub fn time(&self) -> Option<f64> {
        self.mean(|row| row.measured.is_found().then_some(row.clocks.time_ms))
    }

    /// How much of the demonstrations is covered.
    pub fn coverage(&self) -> Option<f64> {
        self.mean(|row| row.measured.coverage)
    }

    /// A value of a measurement.
    pub fn value(&self, name: &str) -> Option<f64> {
        self.mean(|row| row.measured.values.get(name).copied())
    }

    /// What was asked, in words, for those who hear that it was never run.
    pub fn in_words(&self) -> &str {
        &self.asked
    }
}
