//! How long a cell takes: time of the processor where the system counts it for a thread, so that a busy
//! machine is no slower planner; time of the clock elsewhere.

use std::time::Duration;
#[cfg(not(unix))]
use std::time::Instant;

/// Running since it was made, on the thread that made it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stopwatch {
    #[cfg(unix)]
    begun: Duration,
    #[cfg(not(unix))]
    begun: Instant,
}

#[cfg(unix)]
impl Stopwatch {
    pub(crate) fn start() -> Stopwatch {
        Stopwatch { begun: spent() }
    }

    pub(crate) fn elapsed(self) -> Duration {
        spent().saturating_sub(self.begun)
    }
}

#[cfg(not(unix))]
impl Stopwatch {
    pub(crate) fn start() -> Stopwatch {
        Stopwatch {
            begun: Instant::now(),
        }
    }

    pub(crate) fn elapsed(self) -> Duration {
        self.begun.elapsed()
    }
}

/// What this thread has had of the processor.
#[cfg(unix)]
fn spent() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    let seconds = u64::try_from(time.tv_sec).unwrap_or(0);
    Duration::new(seconds, u32::try_from(time.tv_nsec).unwrap_or(0))
}
