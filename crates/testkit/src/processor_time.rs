//! How long this thread has been working: others on the same machine make no difference.

use std::time::Duration;

/// The processor time this thread has taken so far.
#[cfg(unix)]
pub fn of_this_thread() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
    Duration::new(seconds, u32::try_from(time.tv_nsec).unwrap_or(0))
}

/// The time since this was first asked: elsewhere nobody tells how much of it was this thread's.
#[cfg(not(unix))]
pub fn of_this_thread() -> Duration {
    static BEGINNING: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    BEGINNING.get_or_init(std::time::Instant::now).elapsed()
}
