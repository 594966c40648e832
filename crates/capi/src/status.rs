//! What kind of thing is wrong, and the words for it.

use std::cell::RefCell;
use std::ffi::c_char;

use apprentice_session::{Code, Refusal};

/// How a call ended. Numbers stay.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ApprenticeStatus {
    /// It was done.
    Ok = 0,
    /// A pointer is null that must not be.
    NullPointer = 1,
    /// A text is no UTF-8.
    BadText = 2,
    /// A handle was freed, never was, or is of another kind.
    BadHandle = 3,
    /// Another thread, or a function further up, is using it.
    Busy = 4,
    /// A question is no JSON, or a word or a field of it is missing, or nobody knows it.
    NotUnderstood = 5,
    /// Nothing, or nobody, of that name or number is there.
    NoSuch = 6,
    /// A file cannot be read, or a level, a log, a plan or a domain has a mistake in it.
    BadFile = 7,
    /// A planner, its numbers or its events make no sense here.
    BadSettings = 8,
    /// A number or a place makes no sense.
    BadValue = 9,
    /// A callback has failed.
    CallbackFailed = 10,
    /// A mistake of ours: please report it.
    Bug = 11,
}

/// A failure: its kind, and the words for it.
pub(crate) struct Failure {
    pub(crate) status: ApprenticeStatus,
    pub(crate) words: String,
}

impl Failure {
    pub(crate) fn new(status: ApprenticeStatus, words: impl Into<String>) -> Failure {
        let words = words.into();
        Failure { status, words }
    }
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Failure {
        let status = match refusal.code {
            Code::NotJson | Code::NotUnderstood => ApprenticeStatus::NotUnderstood,
            Code::NoSuch => ApprenticeStatus::NoSuch,
            Code::BadFile => ApprenticeStatus::BadFile,
            Code::BadSettings => ApprenticeStatus::BadSettings,
            Code::BadValue => ApprenticeStatus::BadValue,
            _ => ApprenticeStatus::Bug,
        };
        Failure::new(status, refusal.message)
    }
}

thread_local! {
    static LAST: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Notes what went wrong, for whoever asks on this thread.
pub(crate) fn note(words: String) {
    // The cell is borrowed by nothing else: no function below calls back.
    LAST.with_borrow_mut(|last| *last = words);
}

/// What went wrong last on this thread, and what to try. Writes at most `capacity` bytes, the last of
/// which is a zero, and returns how many bytes the whole needs without it; 0 if nothing went wrong yet.
///
/// # Safety
///
/// `buffer` has room for `capacity` bytes, or is null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn apprentice_last_error(buffer: *mut c_char, capacity: usize) -> usize {
    LAST.with_borrow(|last| {
        // SAFETY: the caller says that there is room.
        unsafe { crate::borders::copy_out(last, buffer, capacity) };
        last.len()
    })
}

/// The version of this library, such as "0.1.0", with a zero at its end. It is there for good.
#[unsafe(no_mangle)]
pub extern "C" fn apprentice_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}
