//! Handles: numbers that stand for what this library keeps. A number that was freed is never given
//! again, so that whoever uses it is told.

use std::sync::{Arc, LazyLock, Mutex, MutexGuard, TryLockError};

use apprentice_session::{Cast, NamedLevel, Session, Tasks};

use crate::guard::guarded;
use crate::status::{ApprenticeStatus, Failure};

/// What this library keeps for its caller; 0 is nothing.
pub type ApprenticeHandle = u64;

/// What a handle stands for.
#[derive(Clone)]
pub(crate) enum Object {
    Level(Arc<Mutex<NamedLevel>>),
    Cast(Arc<Mutex<Cast>>),
    Tasks(Arc<Tasks>),
    Session(Arc<Mutex<Session<'static>>>),
    Text(Arc<str>),
}

impl Object {
    fn kind(&self) -> &'static str {
        match self {
            Object::Level(_) => "a level",
            Object::Cast(_) => "a cast",
            Object::Tasks(_) => "a domain of tasks",
            Object::Session(_) => "a session",
            Object::Text(_) => "a text",
        }
    }
}

/// The lower half of a handle is the number of a slot, counted from 1; the upper is how often the slot
/// was used before.
struct Slot {
    generation: u32,
    object: Option<Object>,
}

#[derive(Default)]
struct Table {
    slots: Vec<Slot>,
    free: Vec<u32>,
}

static TABLE: LazyLock<Mutex<Table>> = LazyLock::new(Mutex::default);

/// The table. It is never left half changed: nothing that is done while it is locked can panic, but for
/// want of memory.
fn table() -> MutexGuard<'static, Table> {
    TABLE
        .lock()
        .unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// Keeps something.
pub(crate) fn keep(object: Object) -> Result<ApprenticeHandle, Failure> {
    let mut table = table();
    let index = match table.free.pop() {
        Some(index) => index,
        None => {
            let Ok(index) = u32::try_from(table.slots.len()) else {
                let words = "there are no more handles; free some";
                return Err(Failure::new(ApprenticeStatus::BadValue, words));
            };
            table.slots.push(Slot {
                generation: 0,
                object: None,
            });
            index
        }
    };
    let slot = &mut table.slots[index as usize];
    slot.object = Some(object);
    Ok(u64::from(slot.generation) << 32 | (u64::from(index) + 1))
}

fn slot_of(handle: ApprenticeHandle) -> Option<(usize, u32)> {
    let index = (handle & u64::from(u32::MAX)).checked_sub(1)?;
    Some((index as usize, (handle >> 32) as u32))
}

/// What a handle stands for.
fn find(handle: ApprenticeHandle) -> Result<Object, Failure> {
    let found = slot_of(handle).and_then(|(index, generation)| {
        let table = table();
        let slot = table.slots.get(index)?;
        let object = slot.object.as_ref()?;
        (slot.generation == generation).then(|| object.clone())
    });
    found.ok_or_else(|| missing(handle))
}

fn missing(handle: ApprenticeHandle) -> Failure {
    let words = format!("handle {handle} was freed, or never was");
    Failure::new(ApprenticeStatus::BadHandle, words)
}

fn other(handle: ApprenticeHandle, is: &Object, wanted: &str) -> Failure {
    let words = format!("handle {handle} is {}, and {wanted} is needed", is.kind());
    Failure::new(ApprenticeStatus::BadHandle, words)
}

/// Something of which only one caller at a time can have hold.
fn held<T>(lock: &Mutex<T>) -> Result<MutexGuard<'_, T>, Failure> {
    lock.try_lock().map_err(|error| match error {
        TryLockError::WouldBlock => {
            let words = "another thread, or a function further up, is using this handle";
            Failure::new(ApprenticeStatus::Busy, words)
        }
        TryLockError::Poisoned(_) => {
            let words = "a bug in apprentice has left this handle useless; free it";
            Failure::new(ApprenticeStatus::Bug, words)
        }
    })
}

/// Does something with a level.
pub(crate) fn with_level<T>(
    handle: ApprenticeHandle,
    work: impl FnOnce(&mut NamedLevel) -> Result<T, Failure>,
) -> Result<T, Failure> {
    match find(handle)? {
        Object::Level(level) => work(&mut *held(&level)?),
        is => Err(other(handle, &is, "a level")),
    }
}

/// Does something with a cast.
pub(crate) fn with_cast<T>(
    handle: ApprenticeHandle,
    work: impl FnOnce(&mut Cast) -> Result<T, Failure>,
) -> Result<T, Failure> {
    match find(handle)? {
        Object::Cast(cast) => work(&mut *held(&cast)?),
        is => Err(other(handle, &is, "a cast")),
    }
}

/// Does something with a session.
pub(crate) fn with_session<T>(
    handle: ApprenticeHandle,
    work: impl FnOnce(&mut Session<'static>) -> Result<T, Failure>,
) -> Result<T, Failure> {
    match find(handle)? {
        Object::Session(session) => work(&mut *held(&session)?),
        is => Err(other(handle, &is, "a session")),
    }
}

/// A domain of tasks.
pub(crate) fn tasks(handle: ApprenticeHandle) -> Result<Arc<Tasks>, Failure> {
    match find(handle)? {
        Object::Tasks(tasks) => Ok(tasks),
        is => Err(other(handle, &is, "a domain of tasks")),
    }
}

/// A text.
pub(crate) fn text(handle: ApprenticeHandle) -> Result<Arc<str>, Failure> {
    match find(handle)? {
        Object::Text(text) => Ok(text),
        is => Err(other(handle, &is, "a text")),
    }
}

/// Frees whatever a handle stands for. Another thread that is using it goes on to its end. A handle that
/// was freed already is an error and no harm.
#[unsafe(no_mangle)]
pub extern "C" fn apprentice_free(handle: ApprenticeHandle) -> ApprenticeStatus {
    guarded(|| {
        let freed = slot_of(handle).and_then(|(index, generation)| {
            let mut table = table();
            let slot = table.slots.get_mut(index)?;
            if slot.generation != generation {
                return None;
            }
            let object = slot.object.take()?;
            // A slot that was used four thousand million times is never used again.
            if let Some(next) = slot.generation.checked_add(1) {
                slot.generation = next;
                table.free.push(index as u32);
            }
            Some(object)
        });
        // It is dropped here, when the table is not locked any more.
        freed.map(drop).ok_or_else(|| missing(handle))
    })
}

/// How many handles there are that were not freed: to look for those that were forgotten.
#[unsafe(no_mangle)]
pub extern "C" fn apprentice_handles() -> usize {
    let table = table();
    table
        .slots
        .iter()
        .filter(|slot| slot.object.is_some())
        .count()
}
