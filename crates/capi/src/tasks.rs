//! Domains of tasks.

use std::ffi::c_char;
use std::sync::Arc;

use apprentice_session::{TaskAsk, Tasks};

use crate::borders::{put, room, text};
use crate::guard::guarded;
use crate::handles::{self, ApprenticeHandle, Object, keep};
use crate::status::{ApprenticeStatus, Failure};
use crate::text::{clock, hand_out};

/// Reads a domain of tasks, in the designers' language.
///
/// # Safety
///
/// Texts point to as many bytes as their lengths say, and `tasks` to room for a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn apprentice_tasks_read(
    name: *const c_char,
    name_length: usize,
    content: *const c_char,
    content_length: usize,
    tasks: *mut ApprenticeHandle,
) -> ApprenticeStatus {
    guarded(|| {
        room("tasks", tasks)?;
        // SAFETY: the caller says that these bytes are there.
        let name = unsafe { text("name", name, name_length) }?;
        // SAFETY: the same.
        let content = unsafe { text("content", content, content_length) }?;
        let read = Tasks::read(&[(name, content)])?;
        let handle = keep(Object::Tasks(Arc::new(read)))?;
        // SAFETY: the caller says that there is room.
        unsafe { put("tasks", tasks, handle) }
    })
}

/// Plans tasks: the text is what `apprentice htn plan --format json` prints. `ask` is JSON, such as
/// {"goal":"ordered(Guard(gate))","best":true,"iterations":10000}, or empty for the problem of the
/// domain.
///
/// # Safety
///
/// `ask` points to `length` bytes, and `document` to room for a handle; null is an error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn apprentice_tasks_plan(
    tasks: ApprenticeHandle,
    ask: *const c_char,
    length: usize,
    document: *mut ApprenticeHandle,
) -> ApprenticeStatus {
    guarded(|| {
        room("document", document)?;
        // SAFETY: the caller says that these bytes are there.
        let ask = unsafe { text("ask", ask, length) }?;
        let ask: TaskAsk = match ask.trim() {
            "" => TaskAsk::default(),
            ask => serde_json::from_str(ask).map_err(|error| {
                Failure::new(ApprenticeStatus::NotUnderstood, format!("`ask`: {error}"))
            })?,
        };
        let planned = handles::tasks(tasks)?.plan(&ask, &clock)?;
        let written = serde_json::to_string(&planned)
            .map_err(|error| Failure::new(ApprenticeStatus::Bug, error.to_string()))?;
        // SAFETY: the caller says that there is room.
        unsafe { hand_out("document", written + "\n", document) }
    })
}
