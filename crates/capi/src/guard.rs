//! No panic leaves: each function runs inside this.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::status::{ApprenticeStatus, Failure, note};

/// Does something, and says how it ended.
pub(crate) fn guarded(work: impl FnOnce() -> Result<(), Failure>) -> ApprenticeStatus {
    // What a panic leaves half done is behind a lock that knows it, and refuses from then on.
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(())) => ApprenticeStatus::Ok,
        Ok(Err(failure)) => {
            note(failure.words);
            failure.status
        }
        Err(_) => {
            note("a bug in apprentice: please report it, with what was asked".to_owned());
            ApprenticeStatus::Bug
        }
    }
}
