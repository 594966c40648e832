//! A game of one's own, whose rules are methods of an object of Python. Slow, and good for trying out.

use std::cell::RefCell;
use std::rc::Rc;

use apprentice_session::{AskedSettings, Lock, OwnGame, OwnRules, Pushed, Way, plan_own_game};
use pyo3::prelude::*;

use crate::error::{failure, not_understood, refused, written};

/// Rules that are asked in Python.
struct Rules {
    rules: Py<PyAny>,
    /// The exception that a rule has raised, to be told with the refusal.
    raised: Rc<RefCell<Option<PyErr>>>,
}

impl Rules {
    fn ask<T>(&self, ask: impl FnOnce(&Bound<'_, PyAny>) -> PyResult<T>) -> Result<T, String> {
        Python::attach(|py| {
            ask(self.rules.bind(py)).map_err(|error| {
                let words = error.to_string();
                self.raised.borrow_mut().get_or_insert(error);
                words
            })
        })
    }
}

impl OwnRules for Rules {
    fn place(&self, state: u64) -> Result<u64, String> {
        self.ask(|rules| rules.call_method1("place", (state,))?.extract())
    }

    fn successors(&self, state: u64, push: &mut dyn FnMut(Pushed)) -> Result<(), String> {
        self.ask(|rules| {
            for step in rules.call_method1("successors", (state,))?.try_iter()? {
                let (action, state, seconds) = step?.extract()?;
                push(Pushed { action, state, seconds });
            }
            Ok(())
        })
    }

    fn is_goal(&self, state: u64) -> Result<bool, String> {
        self.ask(|rules| rules.call_method1("is_goal", (state,))?.extract())
    }

    fn is_done(&self, state: u64, lock: usize) -> Result<bool, String> {
        self.ask(|rules| rules.call_method1("is_done", (state, lock))?.extract())
    }
}

/// A lock as Python has it: name, place, whether it bars, what opens it, whether it uses that up.
type AskedLock = (String, u64, bool, Vec<u32>, bool);

/// Plans in a game of one's own.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub(crate) fn plan_game(
    rules: Py<PyAny>,
    places: Vec<Vec<f64>>,
    ways: Vec<(u64, u64, f64)>,
    top_speed: f64,
    start: u64,
    goals: Vec<u64>,
    locks: Vec<AskedLock>,
    shown: Vec<(String, Vec<Vec<f64>>)>,
    settings: &str,
    units: Option<u64>,
) -> PyResult<String> {
    let settings: AskedSettings = serde_json::from_str(settings).map_err(not_understood)?;
    let game = OwnGame {
        places,
        ways: (ways.into_iter())
            .map(|(from, to, length)| Way { from, to, length })
            .collect(),
        top_speed,
        start,
        goals,
        locks: (locks.into_iter())
            .map(|(name, place, bars, opened_by, uses_up)| Lock {
                name,
                place,
                bars,
                opened_by,
                uses_up,
            })
            .collect(),
        shown,
    };
    let raised = Rc::new(RefCell::new(None));
    let rules = Rules {
        rules,
        raised: Rc::clone(&raised),
    };
    match plan_own_game(&game, Box::new(rules), &settings, units) {
        Ok(plan) => written(&plan),
        Err(refusal) => {
            let cause = raised.borrow_mut().take();
            let Some(cause) = cause else {
                return Err(refused(refusal));
            };
            let error = failure("rule_failed", refusal.message);
            Python::attach(|py| error.set_cause(py, Some(cause)));
            Err(error)
        }
    }
}
