//! Levels, what is shown in them, and plans as a whole.

use std::ffi::{c_char, c_void};
use std::path::Path;
use std::sync::{Arc, Mutex};

use apprentice_session::{NamedLevel, PlanAsk, plan, plan_with, verify};

use crate::borders::{put, room, slice, text};
use crate::guard::guarded;
use crate::handles::{ApprenticeHandle, Object, keep, with_level};
use crate::status::{ApprenticeStatus, Failure};
use crate::text::{clock, hand_out};

/// Asked for a file that a level names: whoever is asked calls `apprentice_supply` with `sink` and what
/// is in it, and returns 0; anything else says that there is no such file. The name is UTF-8 without a
/// zero at its end. It must not throw.
pub type ApprenticeFiles = Option<
    unsafe extern "C" fn(
        context: *mut c_void,
        name: *const c_char,
        name_length: usize,
        sink: *mut c_void,
    ) -> i32,
>;

/// Reads a level from a file, with whatever it names from beside it.
///
/// # Safety
///
/// `path` points to `length` bytes, and `level` to room for a handle; null is an error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn apprentice_level_load(
    path: *const c_char,
    length: usize,
    level: *mut ApprenticeHandle,
) -> ApprenticeStatus {
    guarded(|| {
        room("level", level)?;
        // SAFETY: the caller says that these bytes are there.
        let path = unsafe { text("path", path, length) }?;
        let loaded = NamedLevel::load(Path::new(path))?;
        let handle = keep(Object::Level(Arc::new(Mutex::new(loaded))))?;
        // SAFETY: the caller says that there is room.
        unsafe { put("level", level, handle) }
    })
}

/// Reads a level from a text. `name` is what it is to be called, as the name of its file would be;
/// `files` is asked for whatever it names, and may be null if that is nothing.
///
/// # Safety
///
/// Texts point to as many bytes as their lengths say, `level` to room for a handle, and `files` takes
/// what it says, with this context.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn apprentice_level_read(
    name: *const c_char,
    name_length: usize,
    content: *const c_char,
    content_length: usize,
    files: ApprenticeFiles,
    context: *mut c_void,
    level: *mut ApprenticeHandle,
) -> ApprenticeStatus {
    guarded(|| {
        room("level", level)?;
        // SAFETY: the caller says that these bytes are there.
        let name = unsafe { text("name", name, name_length) }?;
        // SAFETY: the same.
        let content = unsafe { text("content", content, content_length) }?;
        let read = NamedLevel::read(name, content, |wanted| {
            let Some(files) = files else {
                return Err("there is nobody to ask for files".to_owned());
            };
            let mut supplied: Option<Vec<u8>> = None;
            let sink = (&raw mut supplied).cast::<c_void>();
            // SAFETY: the caller says that it takes these; the name and the sink outlive the call.
            let answer = unsafe { files(context, wanted.as_ptr().cast(), wanted.len(), sink) };
            match (answer, supplied) {
                (0, Some(content)) => Ok(content),
                _ => Err("there is no such file".to_owned()),
            }
        })?;
        let handle = keep(Object::Level(Arc::new(Mutex::new(read))))?;
        // SAFETY: the caller says that there is room.
        unsafe { put("level", level, handle) }
    })
}

/// Says what is in a file that was asked for.
///
/// # Safety
///
/// `sink` is what `ApprenticeFiles` was just called with, and `content` points to `length` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn apprentice_supply(
    sink: *mut c_void,
    content: *const c_char,
    length: usize,
) -> ApprenticeStatus {
    guarded(|| {
        room("sink", sink)?;
        // SAFETY: the caller says that these bytes are there.
        let content = unsafe { slice("content", content.cast::<u8>(), length) }?;
        // SAFETY: the caller says that this is the sink, which lives until the callback returns; nothing
        // else looks at it meanwhile.
        unsafe { *sink.cast::<Option<Vec<u8>>>() = Some(content.to_vec()) };
        Ok(())
    })
}

/// Shows a recorded log in a level, to plans and to casts that are made later.
///
/// # Safety
///
/// Texts point to as many bytes as their lengths say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn apprentice_level_show_log(
    level: ApprenticeHandle,
    name: *const c_char,
    name_length: usize,
    log: *const c_char,
    log_length: usize,
) -> ApprenticeStatus {
    guarded(|| {
        // SAFETY: the caller says that these bytes are there.
        let name = unsafe { text("name", name, name_length) }?;
        // SAFETY: the same.
        let log = unsafe { slice("log", log.cast::<u8>(), log_length) }?;
        with_level(level, |level| Ok(level.show_log(name, log)?))
    })
}

/// Shows a line that was drawn: `points` are `count` times x and y.
///
/// # Safety
///
/// The name points to as many bytes as its length says, and `points` to twice `count` numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn apprentice_level_show_line(
    level: ApprenticeHandle,
    name: *const c_char,
    name_length: usize,
    points: *const f64,
    count: usize,
) -> ApprenticeStatus {
    guarded(|| {
        // SAFETY: the caller says that these bytes are there.
        let name = unsafe { text("name", name, name_length) }?;
        // SAFETY: the caller says that these numbers are there.
        let numbers = unsafe { slice("points", points, count.saturating_mul(2)) }?;
        let line: Vec<Vec<f64>> = numbers.chunks(2).map(<[f64]>::to_vec).collect();
        with_level(level, |level| Ok(level.show_line(name, &line)?))
    })
}

fn asked(json: &str) -> Result<PlanAsk, Failure> {
    if json.trim().is_empty() {
        return Ok(PlanAsk::default());
    }
    serde_json::from_str(json).map_err(|error| {
        let words = format!("`ask`: {error}");
        Failure::new(ApprenticeStatus::NotUnderstood, words)
    })
}

/// Plans a quest: the text is what `apprentice plan --format json` prints. `ask` is JSON, such as
/// {"settings":{"bound":2},"expansions":100000,"explain":true}, or empty for a plan as usual.
///
/// # Safety
///
/// `ask` points to `length` bytes, and `document` to room for a handle; null is an error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn apprentice_plan(
    level: ApprenticeHandle,
    ask: *const c_char,
    length: usize,
    document: *mut ApprenticeHandle,
) -> ApprenticeStatus {
    guarded(|| {
        room("document", document)?;
        // SAFETY: the caller says that these bytes are there.
        let ask = asked(unsafe { text("ask", ask, length) }?)?;
        let written = with_level(level, |level| Ok(plan(level, &ask, &clock)?.to_text()))?;
        let written =
            written.map_err(|error| Failure::new(ApprenticeStatus::Bug, error.to_string()))?;
        // SAFETY: the caller says that there is room.
        unsafe { hand_out("document", written, document) }
    })
}

/// Plans a quest, and says in words what was found, what is proven, what is followed, and why.
///
/// # Safety
///
/// As `apprentice_plan`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn apprentice_explain(
    level: ApprenticeHandle,
    ask: *const c_char,
    length: usize,
    words: *mut ApprenticeHandle,
) -> ApprenticeStatus {
    guarded(|| {
        room("words", words)?;
        // SAFETY: the caller says that these bytes are there.
        let mut ask = asked(unsafe { text("ask", ask, length) }?)?;
        ask.explain = true;
        let told = with_level(level, |level| {
            Ok(plan_with(level, &ask, &clock, |report| report.text())?)
        })?;
        // SAFETY: the caller says that there is room.
        unsafe { hand_out("words", told, words) }
    })
}

/// Lives through a plan, without any search code. `valid` is 1 if it works; if not it is 0, and `why`,
/// unless it is null, a text that says why.
///
/// # Safety
///
/// `document` points to `length` bytes, `valid` to room for a number, and `why` to room for a handle or
/// is null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn apprentice_verify(
    level: ApprenticeHandle,
    document: *const c_char,
    length: usize,
    valid: *mut i32,
    why: *mut ApprenticeHandle,
) -> ApprenticeStatus {
    guarded(|| {
        room("valid", valid)?;
        // SAFETY: the caller says that these bytes are there.
        let document = unsafe { text("document", document, length) }?;
        let verdict = with_level(level, |level| Ok(verify(level, document)?))?;
        if !why.is_null() {
            // SAFETY: the caller says that there is room.
            unsafe { put("why", why, 0) }?;
        }
        if let Some(words) = verdict.why
            && !why.is_null()
        {
            // SAFETY: the same.
            unsafe { hand_out("why", words, why) }?;
        }
        // SAFETY: the caller says that there is room.
        unsafe { put("valid", valid, i32::from(verdict.valid)) }
    })
}
