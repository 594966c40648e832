//! What time it is: whoever has the studio at work says it, for a browser has another clock than a
//! computer.

use std::time::Duration;

/// How much time has passed since some moment.
pub type Clock = fn() -> Duration;

/// The computer's clock, since it was first asked.
#[cfg(any(feature = "server", test))]
pub(crate) fn by_the_computer() -> Duration {
    use std::sync::OnceLock;
    use std::time::Instant;

    static BEGUN: OnceLock<Instant> = OnceLock::new();
    BEGUN.get_or_init(Instant::now).elapsed()
}
