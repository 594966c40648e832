//! Domains of tasks.

use apprentice_session::TaskAsk;
use pyo3::prelude::*;

use crate::clock;
use crate::error::{not_understood, refused, written};

/// A domain of tasks, in the designers' language.
#[pyclass(frozen)]
pub(crate) struct Tasks {
    tasks: apprentice_session::Tasks,
}

#[pymethods]
impl Tasks {
    /// Reads texts, each with its name, as one domain.
    #[new]
    fn new(texts: Vec<(String, String)>) -> PyResult<Tasks> {
        let texts: Vec<(&str, &str)> = texts.iter().map(|(name, text)| (&**name, &**text)).collect();
        let tasks = apprentice_session::Tasks::read(&texts).map_err(refused)?;
        Ok(Tasks { tasks })
    }

    /// What looks wrong, and is no error.
    fn warnings(&self) -> String {
        self.tasks.warnings.clone()
    }

    /// Plans: the document that `apprentice htn plan --format json` prints.
    fn plan(&self, py: Python<'_>, ask: &str) -> PyResult<String> {
        let ask: TaskAsk = serde_json::from_str(ask).map_err(not_understood)?;
        let document = py.detach(|| self.tasks.plan(&ask, &clock)).map_err(refused)?;
        Ok(written(&document)? + "\n")
    }
}
