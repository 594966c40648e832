//! Apprentice for Python: what the package `apprentice` is made of. Documents go out as JSON, which the
//! package reads; whatever takes long lets other threads of Python run meanwhile.

mod cast;
mod companions;
mod error;
mod game;
mod level;
mod tasks;

use std::sync::LazyLock;
use std::time::{Duration, Instant};

use pyo3::prelude::*;

/// The time since this module was first asked for it. Only the times in documents depend on it.
fn clock() -> Duration {
    static BEGAN: LazyLock<Instant> = LazyLock::new(Instant::now);
    BEGAN.elapsed()
}

#[pymodule]
fn _apprentice(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("ApprenticeError", module.py().get_type::<error::ApprenticeError>())?;
    module.add_class::<level::Level>()?;
    module.add_class::<cast::Cast>()?;
    module.add_class::<tasks::Tasks>()?;
    module.add_function(wrap_pyfunction!(game::plan_game, module)?)?;
    module.add_function(wrap_pyfunction!(companions::learn_styles, module)?)?;
    module.add_function(wrap_pyfunction!(companions::classify, module)?)?;
    module.add_function(wrap_pyfunction!(companions::rate, module)?)?;
    Ok(())
}
