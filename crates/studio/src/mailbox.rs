//! A place for one job: a newer one takes the place of one that has not begun, and stops one that
//! has.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// A place for one job. Clones are the same place.
pub(crate) struct Mailbox<T> {
    inside: Arc<Inside<T>>,
}

struct Inside<T> {
    slot: Mutex<Slot<T>>,
    changed: Condvar,
}

struct Slot<T> {
    next: Option<T>,
    /// Raised when the job under way has become useless.
    stop: Arc<AtomicBool>,
    closed: bool,
}

impl<T> Clone for Mailbox<T> {
    fn clone(&self) -> Self {
        Mailbox {
            inside: Arc::clone(&self.inside),
        }
    }
}

impl<T> Mailbox<T> {
    pub(crate) fn new() -> Self {
        Mailbox {
            inside: Arc::new(Inside {
                slot: Mutex::new(Slot {
                    next: None,
                    stop: Arc::new(AtomicBool::new(false)),
                    closed: false,
                }),
                changed: Condvar::new(),
            }),
        }
    }

    /// Puts a job in, and stops the one under way. Returns the one that will never begin.
    pub(crate) fn put(&self, job: T) -> Option<T> {
        let mut slot = self.lock();
        slot.stop.store(true, Ordering::Relaxed);
        let replaced = slot.next.replace(job);
        self.inside.changed.notify_one();
        replaced
    }

    /// Waits for a job. It comes with the flag that says it has become useless.
    pub(crate) fn take(&self) -> Option<(T, Arc<AtomicBool>)> {
        let mut slot = self.lock();
        loop {
            if slot.closed {
                return None;
            }
            if let Some(job) = slot.next.take() {
                slot.stop = Arc::new(AtomicBool::new(false));
                return Some((job, Arc::clone(&slot.stop)));
            }
            slot = self
                .inside
                .changed
                .wait(slot)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// No more jobs; whoever waits for one, or is at one, stops.
    pub(crate) fn close(&self) {
        let mut slot = self.lock();
        slot.closed = true;
        slot.next = None;
        slot.stop.store(true, Ordering::Relaxed);
        self.inside.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, Slot<T>> {
        let slot = self.inside.slot.lock();
        slot.unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_newest_job_waits_and_the_one_under_way_is_told() {
        let mailbox = Mailbox::new();
        assert_eq!(mailbox.put(1), None);
        let (job, stop) = mailbox.take().unwrap();
        assert_eq!((job, stop.load(Ordering::Relaxed)), (1, false));
        assert_eq!(mailbox.put(2), None);
        assert!(stop.load(Ordering::Relaxed));
        assert_eq!(mailbox.put(3), Some(2));
        let (job, stop) = mailbox.take().unwrap();
        assert_eq!((job, stop.load(Ordering::Relaxed)), (3, false));
        mailbox.close();
        assert!(stop.load(Ordering::Relaxed));
        assert!(mailbox.take().is_none());
    }
}
