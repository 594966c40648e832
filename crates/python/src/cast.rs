//! Characters that a game drives.

use std::sync::Mutex;

use apprentice_session::{AskedGoal, Recruit, Seen};
use pyo3::prelude::*;

use crate::error::{failure, held, not_understood, refused, written};
use crate::level::Level;

/// The characters of a level, and what each of them sees.
#[pyclass(frozen)]
pub(crate) struct Cast {
    cast: Mutex<apprentice_session::Cast>,
}

#[pymethods]
impl Cast {
    #[new]
    fn new(level: &Level) -> PyResult<Cast> {
        let cast = apprentice_session::Cast::new(&*held(&level.level)?);
        let cast = Mutex::new(cast);
        Ok(Cast { cast })
    }

    /// Somebody joins; returns its number.
    fn add(&self, py: Python<'_>, name: &str, recruit: &str) -> PyResult<usize> {
        let recruit: Recruit = serde_json::from_str(recruit).map_err(not_understood)?;
        py.detach(|| held(&self.cast)?.add(name, &recruit).map_err(refused))
    }

    /// Somebody is after something else.
    fn pursue(&self, number: usize, goal: &str) -> PyResult<()> {
        let goal: AskedGoal = serde_json::from_str(goal).map_err(not_understood)?;
        held(&self.cast)?.pursue(number, &goal).map_err(refused)
    }

    /// Somebody leaves.
    fn dismiss(&self, number: usize) -> PyResult<()> {
        held(&self.cast)?.dismiss(number).map_err(refused)
    }

    /// Time passes.
    fn pass_time(&self, py: Python<'_>, seconds: f64) -> PyResult<()> {
        py.detach(|| held(&self.cast)?.pass(seconds).map_err(refused))
    }

    /// Something is so in the game.
    fn observe(&self, by: Option<usize>, seen: &str) -> PyResult<()> {
        let seen: Seen = serde_json::from_str(seen).map_err(not_understood)?;
        let mut cast = held(&self.cast)?;
        for observation in seen.observations() {
            cast.check(&observation).map_err(refused)?;
        }
        for observation in seen.observations() {
            cast.observe(by, &observation).map_err(refused)?;
        }
        Ok(())
    }

    /// Everybody thinks, for at most so many units together; what those went to.
    fn think(&self, py: Python<'_>, units: u64) -> PyResult<String> {
        let spent = py.detach(|| Ok::<_, PyErr>(held(&self.cast)?.think(units)))?;
        written(&spent)
    }

    /// What somebody is to do now.
    fn intention(&self, number: usize) -> PyResult<String> {
        let intention = held(&self.cast)?.intention(number);
        let nobody = || failure("no_such", format!("there is no character of number {number}"));
        written(&intention.ok_or_else(nobody)?)
    }

    /// What somebody means to do, step by step.
    fn ahead(&self, py: Python<'_>, number: usize) -> PyResult<String> {
        let steps = py.detach(|| held(&self.cast)?.ahead(number).map_err(refused))?;
        written(&steps)
    }
}
