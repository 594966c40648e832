//! Texts that are handed out, and sessions that answer lines.

use std::ffi::c_char;
use std::sync::{Arc, LazyLock, Mutex};
use std::time::{Duration, Instant};

use apprentice_session::Session;

use crate::borders::{copy_out, put, room, text};
use crate::guard::guarded;
use crate::handles::{self, ApprenticeHandle, Object, keep, with_session};
use crate::status::{ApprenticeStatus, Failure};

/// The time since this library was first asked for it. Only the times in documents depend on it.
pub(crate) fn clock() -> Duration {
    static BEGAN: LazyLock<Instant> = LazyLock::new(Instant::now);
    BEGAN.elapsed()
}

/// Keeps a text and hands its handle out.
///
/// # Safety
///
/// `to` is null, or points to room for a handle.
pub(crate) unsafe fn hand_out(
    what: &str,
    content: String,
    to: *mut ApprenticeHandle,
) -> Result<(), Failure> {
    room(what, to)?;
    let handle = keep(Object::Text(content.into()))?;
    // SAFETY: the caller says that there is room.
    unsafe { put(what, to, handle) }
}

/// How many bytes a text has, without a zero at its end.
///
/// # Safety
///
/// `length` points to room for a number, or is null, which is an error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn apprentice_text_length(
    text: ApprenticeHandle,
    length: *mut usize,
) -> ApprenticeStatus {
    guarded(|| {
        let text = handles::text(text)?;
        // SAFETY: the caller says that there is room.
        unsafe { put("length", length, text.len()) }
    })
}

/// Copies a text: at most `capacity` bytes, the last of which is a zero. A buffer that is too small has
/// the beginning of it, and it is an error.
///
/// # Safety
///
/// `buffer` has room for `capacity` bytes, or is null, which is an error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn apprentice_text_copy(
    text: ApprenticeHandle,
    buffer: *mut c_char,
    capacity: usize,
) -> ApprenticeStatus {
    guarded(|| {
        let text = handles::text(text)?;
        room("buffer", buffer)?;
        // SAFETY: the caller says that there is room.
        unsafe { copy_out(&text, buffer, capacity) };
        if text.len() >= capacity {
            let words = format!(
                "the text needs {} bytes, and there is room for {capacity}",
                text.len() + 1
            );
            return Err(Failure::new(ApprenticeStatus::BadValue, words));
        }
        Ok(())
    })
}

/// Begins a session, which answers questions in JSON as `apprentice serve --stdio` does.
///
/// # Safety
///
/// `session` points to room for a handle, or is null, which is an error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn apprentice_session_new(
    session: *mut ApprenticeHandle,
) -> ApprenticeStatus {
    guarded(|| {
        room("session", session)?;
        let made = Session::new(&clock);
        let handle = keep(Object::Session(Arc::new(Mutex::new(made))))?;
        // SAFETY: the caller says that there is room.
        unsafe { put("session", session, handle) }
    })
}

/// Answers a question: a line without its end, in JSON. The answer is a text, also where it says that
/// something is wrong.
///
/// # Safety
///
/// `line` points to `length` bytes, and `answer` to room for a handle; null is an error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn apprentice_session_answer(
    session: ApprenticeHandle,
    line: *const c_char,
    length: usize,
    answer: *mut ApprenticeHandle,
) -> ApprenticeStatus {
    guarded(|| {
        room("answer", answer)?;
        // SAFETY: the caller says that these bytes are there.
        let line = unsafe { text("line", line, length) }?;
        let said = with_session(session, |session| Ok(session.answer(line)))?;
        // SAFETY: the caller says that there is room.
        unsafe { hand_out("answer", said, answer) }
    })
}
