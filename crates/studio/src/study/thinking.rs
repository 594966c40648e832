//! A character that plans beside the game, on a thread of its own: the player can go at once, and the
//! character when it has a plan.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use apprentice::behavior::{Character, Doing};
use apprentice::search::Budget;
use apprentice::world::{Order, Scenario, World};

/// Units of budget between two looks at whether the game waits: a millisecond or two.
const SLICE: u64 = 2_000;
/// What it may remember while it thinks.
const MEMORY: u64 = 512 << 20;

/// A character, and the thread that thinks for it.
pub(crate) struct Thinker {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

struct Shared {
    scenario: Scenario,
    mind: Mutex<Mind>,
    changed: Condvar,
    /// Raised while the game waits for an order: it goes first.
    is_asked: AtomicBool,
    stop: AtomicBool,
    begun: Instant,
}

struct Mind {
    character: Character<Scenario>,
    /// The world as it was lately.
    world: World,
    /// Whether the thread has not thought about that world yet.
    is_new: bool,
    ready_after: Option<Duration>,
}

impl Thinker {
    pub(crate) fn start(
        scenario: Scenario,
        character: Character<Scenario>,
        world: World,
    ) -> Result<Thinker, String> {
        let shared = Arc::new(Shared {
            scenario,
            mind: Mutex::new(Mind {
                character,
                world,
                is_new: true,
                ready_after: None,
            }),
            changed: Condvar::new(),
            is_asked: AtomicBool::new(false),
            stop: AtomicBool::new(false),
            begun: Instant::now(),
        });
        let beside = Arc::clone(&shared);
        let thread = thread::Builder::new()
            .name("study planner".to_owned())
            .spawn(move || beside.think());
        let thread =
            thread.map_err(|error| format!("nothing can plan beside the game: {error}"))?;
        Ok(Thinker {
            shared,
            thread: Some(thread),
        })
    }

    /// What to do now. Waits for no plan.
    pub(crate) fn order(&self, world: &World) -> Order {
        let mut mind = self.shared.asked();
        let order = mind.character.order(&self.shared.scenario, world);
        mind.world.clone_from(world);
        mind.is_new = true;
        self.shared.changed.notify_one();
        order
    }

    /// Waits until it has thought everything through, so that a test does not depend on how fast it is.
    #[cfg(test)]
    pub(crate) fn wait(&self) {
        loop {
            let mind = self.shared.asked();
            if !mind.is_new && !mind.character.is_busy() {
                return;
            }
            drop(mind);
            thread::yield_now();
        }
    }

    /// What it is at.
    pub(crate) fn doing(&self) -> Doing {
        self.shared.asked().character.doing()
    }

    /// How long it took to its first plan, if it has one.
    pub(crate) fn ready_after(&self) -> Option<Duration> {
        self.shared.asked().ready_after
    }
}

impl Drop for Thinker {
    fn drop(&mut self) {
        self.shared.stop.store(true, Ordering::Relaxed);
        drop(self.shared.asked());
        self.shared.changed.notify_all();
        if let Some(thread) = self.thread.take() {
            // A thread that panicked has already said so.
            let _ = thread.join();
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Mind> {
        self.mind.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// For the game, which does not wait longer than for a slice.
    fn asked(&self) -> MutexGuard<'_, Mind> {
        self.is_asked.store(true, Ordering::Relaxed);
        let mind = self.lock();
        self.is_asked.store(false, Ordering::Relaxed);
        mind
    }

    fn think(&self) {
        loop {
            while self.is_asked.load(Ordering::Relaxed) {
                thread::yield_now();
            }
            let mut mind = self.lock();
            while !mind.is_new && !mind.character.is_busy() {
                if self.stop.load(Ordering::Relaxed) {
                    return;
                }
                mind = (self.changed.wait(mind)).unwrap_or_else(PoisonError::into_inner);
            }
            if self.stop.load(Ordering::Relaxed) {
                return;
            }
            let Mind {
                character,
                world,
                is_new,
                ready_after,
            } = &mut *mind;
            let mut budget = Budget::units(SLICE).within_memory(MEMORY);
            character.think(&self.scenario, world, &mut budget);
            *is_new = false;
            if ready_after.is_none() && character.plans() > 0 {
                *ready_after = Some(self.begun.elapsed());
            }
        }
    }
}
