//! How long this thread has worked, whatever else the machine is busy with.

use std::time::{Duration, Instant};

/// A moment, by what the thread has worked until then.
pub(crate) struct Working {
    worked: Option<Duration>,
    began: Instant,
}

impl Working {
    /// Now.
    pub(crate) fn now() -> Working {
        Working {
            worked: worked(),
            began: Instant::now(),
        }
    }

    /// Milliseconds the thread has worked since; where nobody counts that, those that have passed.
    pub(crate) fn ms(&self) -> f64 {
        let time = match (self.worked, worked()) {
            (Some(before), Some(after)) => after.saturating_sub(before),
            _ => self.began.elapsed(),
        };
        time.as_secs_f64() * 1e3
    }
}

/// Linux counts it, and is up to date whenever another thread might have had its turn.
fn worked() -> Option<Duration> {
    std::thread::yield_now();
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds = text.split_whitespace().next()?.parse().ok()?;
    Some(Duration::from_nanos(nanoseconds))
}
