//! Levels, what is shown in them, and plans as a whole.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Mutex;

use apprentice::report::picture::Picture;
use apprentice_session::{NamedLevel, PlanAsk, plan, plan_with, verify};
use pyo3::prelude::*;

use crate::clock;
use crate::error::{failure, held, not_understood, refused, written};

/// A level and what was shown in it.
#[pyclass(frozen)]
pub(crate) struct Level {
    pub(crate) level: Mutex<NamedLevel>,
}

#[pymethods]
impl Level {
    /// Reads a level from a file, with whatever it names from beside it.
    #[staticmethod]
    fn load(py: Python<'_>, path: PathBuf) -> PyResult<Level> {
        let level = py.detach(|| NamedLevel::load(&path)).map_err(refused)?;
        let level = Mutex::new(level);
        Ok(Level { level })
    }

    /// Reads a level from a text, and the files it names from a dictionary.
    #[staticmethod]
    fn read(py: Python<'_>, name: &str, text: &str, files: HashMap<String, Vec<u8>>) -> PyResult<Level> {
        let file = |name: &str| (files.get(name).cloned()).ok_or_else(|| "it is not among the files".to_owned());
        let level = py.detach(|| NamedLevel::read(name, text, file)).map_err(refused)?;
        let level = Mutex::new(level);
        Ok(Level { level })
    }

    /// What it goes by.
    fn id(&self) -> PyResult<String> {
        Ok(held(&self.level)?.id.clone())
    }

    /// Its name for people.
    fn name(&self) -> PyResult<String> {
        Ok(held(&self.level)?.level.scenario.name().to_owned())
    }

    /// The names of what was shown in it.
    fn demonstrations(&self) -> PyResult<Vec<String>> {
        let level = held(&self.level)?;
        Ok(level.level.demonstrations.iter().map(|it| it.name.clone()).collect())
    }

    /// Shows a recorded log.
    fn show_log(&self, name: &str, log: &[u8]) -> PyResult<()> {
        held(&self.level)?.show_log(name, log).map_err(refused)
    }

    /// Shows a line that was drawn.
    fn show_line(&self, name: &str, points: Vec<Vec<f64>>) -> PyResult<()> {
        held(&self.level)?.show_line(name, &points).map_err(refused)
    }

    /// Plans: the text that `apprentice plan --format json` prints.
    fn plan(&self, py: Python<'_>, ask: &str) -> PyResult<String> {
        let ask: PlanAsk = serde_json::from_str(ask).map_err(not_understood)?;
        let document = py.detach(|| {
            let level = held(&self.level)?;
            plan(&level, &ask, &clock).map_err(refused)
        })?;
        document.to_text().map_err(|error| failure("bug", error))
    }

    /// Plans, and says in words what was found and why.
    fn explain(&self, py: Python<'_>, ask: &str) -> PyResult<String> {
        let mut ask: PlanAsk = serde_json::from_str(ask).map_err(not_understood)?;
        ask.explain = true;
        py.detach(|| {
            let level = held(&self.level)?;
            plan_with(&level, &ask, &clock, |report| report.text()).map_err(refused)
        })
    }

    /// Plans, and draws it: an SVG picture.
    fn picture(&self, py: Python<'_>, ask: &str) -> PyResult<String> {
        let ask: PlanAsk = serde_json::from_str(ask).map_err(not_understood)?;
        py.detach(|| {
            let level = held(&self.level)?;
            plan_with(&level, &ask, &clock, |report| Picture::of_plan(report).draw()).map_err(refused)
        })
    }

    /// Lives through a plan.
    fn verify(&self, py: Python<'_>, document: &str) -> PyResult<String> {
        let verdict = py.detach(|| {
            let level = held(&self.level)?;
            verify(&level, document).map_err(refused)
        })?;
        written(&verdict)
    }

    /// What somebody is after, from where they were seen: goals by name, each as JSON.
    fn recognise(
        &self,
        py: Python<'_>,
        goals: Vec<(String, String)>,
        log: &[u8],
        mistake: f64,
        expansions: u64,
    ) -> PyResult<String> {
        py.detach(|| {
            let level = held(&self.level)?;
            crate::companions::recognise(&level, &goals, log, mistake, expansions)
        })
    }
}
