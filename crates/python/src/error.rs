//! The one exception, and how refusals become it.

use std::fmt::Display;
use std::sync::{Mutex, MutexGuard, TryLockError};

use apprentice_session::Refusal;
use pyo3::create_exception;
use pyo3::exceptions::PyException;
use pyo3::prelude::*;

create_exception!(
    _apprentice,
    ApprenticeError,
    PyException,
    "Something was not done. The message says what is wrong and what to try; `code` is a word for programs."
);

/// An exception with its code.
pub(crate) fn failure(code: &str, message: impl Display) -> PyErr {
    Python::attach(|py| {
        let error = ApprenticeError::new_err(message.to_string());
        // An exception takes attributes; if this one did not, it would still be told.
        let _ = error.value(py).setattr("code", code);
        error
    })
}

/// What a refusal is in Python.
pub(crate) fn refused(refusal: Refusal) -> PyErr {
    let code = serde_json::to_value(refusal.code);
    let code = code.ok().and_then(|code| code.as_str().map(str::to_owned));
    failure(&code.unwrap_or_default(), refusal.message)
}

/// What is wrong with a question.
pub(crate) fn not_understood(error: serde_json::Error) -> PyErr {
    failure("not_understood", error)
}

/// Something of which only one thread at a time can have hold.
pub(crate) fn held<T>(lock: &Mutex<T>) -> PyResult<MutexGuard<'_, T>> {
    lock.try_lock().map_err(|error| match error {
        TryLockError::WouldBlock => failure("busy", "another thread is using this"),
        TryLockError::Poisoned(_) => failure("bug", "a bug in apprentice has left this useless"),
    })
}

/// A document as text.
pub(crate) fn written(document: &impl serde::Serialize) -> PyResult<String> {
    serde_json::to_string(document).map_err(|error| failure("bug", error))
}
