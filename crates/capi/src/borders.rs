//! What comes in by pointers, and goes out by them.

use std::ffi::c_char;

use crate::status::{ApprenticeStatus, Failure};

/// A text that came in.
///
/// # Safety
///
/// `data` is null, or points to `length` bytes that nobody changes while the text is used.
pub(crate) unsafe fn text<'t>(
    what: &str,
    data: *const c_char,
    length: usize,
) -> Result<&'t str, Failure> {
    // SAFETY: the caller says the same of these bytes.
    let bytes = unsafe { slice(what, data.cast::<u8>(), length) }?;
    std::str::from_utf8(bytes).map_err(|error| {
        let words = format!("`{what}` is no UTF-8 from byte {} on", error.valid_up_to());
        Failure::new(ApprenticeStatus::BadText, words)
    })
}

/// Several things in a row that came in.
///
/// # Safety
///
/// `data` is null, or points to `length` things that nobody changes while they are used.
pub(crate) unsafe fn slice<'t, T>(
    what: &str,
    data: *const T,
    length: usize,
) -> Result<&'t [T], Failure> {
    if length == 0 {
        return Ok(&[]);
    }
    if data.is_null() {
        return Err(null(what));
    }
    if !data.is_aligned() || length > isize::MAX as usize / size_of::<T>().max(1) {
        let words = format!("`{what}` is no pointer to {length} of these");
        return Err(Failure::new(ApprenticeStatus::BadValue, words));
    }
    // SAFETY: it is not null, it is aligned, there are not more than fit, and the caller says that they
    // are there and stay as they are.
    Ok(unsafe { std::slice::from_raw_parts(data, length) })
}

/// Where an answer goes.
///
/// # Safety
///
/// `to` is null, or points to room for one of these.
pub(crate) unsafe fn put<T>(what: &str, to: *mut T, value: T) -> Result<(), Failure> {
    room(what, to)?;
    // SAFETY: it is neither null nor askew, and the caller says that there is room.
    unsafe { to.write(value) };
    Ok(())
}

/// Whether there is somewhere to put an answer; asked before the work.
pub(crate) fn room<T>(what: &str, to: *mut T) -> Result<(), Failure> {
    if to.is_null() {
        return Err(null(what));
    }
    if !to.is_aligned() {
        let words = format!("`{what}` is no pointer to one of these");
        return Err(Failure::new(ApprenticeStatus::BadValue, words));
    }
    Ok(())
}

/// Copies as much of a text as fits, with a zero at the end. Letters are never cut in two.
///
/// # Safety
///
/// `buffer` is null, or has room for `capacity` bytes.
pub(crate) unsafe fn copy_out(text: &str, buffer: *mut c_char, capacity: usize) {
    if buffer.is_null() || capacity == 0 {
        return;
    }
    let fits = text.len().min(capacity - 1);
    let end = (0..=fits).rfind(|end| text.is_char_boundary(*end));
    let end = end.unwrap_or(0);
    // SAFETY: at most `capacity` bytes are written, for which the caller says that there is room; and
    // nobody else has it, or it would be no room.
    unsafe {
        std::ptr::copy_nonoverlapping(text.as_ptr(), buffer.cast::<u8>(), end);
        buffer.add(end).write(0);
    }
}

fn null(what: &str) -> Failure {
    Failure::new(ApprenticeStatus::NullPointer, format!("`{what}` is null"))
}
