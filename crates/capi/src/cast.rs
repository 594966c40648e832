//! Characters that a game drives: observations in, orders out.

use std::ffi::c_char;
use std::sync::{Arc, Mutex};

use apprentice::behavior::Doing;
use apprentice::experience::Place;
use apprentice::world::{Gait, Order};
use apprentice_session::{AskedGoal, Cast, Observation, Recruit};

use crate::borders::{put, room, text};
use crate::guard::guarded;
use crate::handles::{ApprenticeHandle, Object, keep, with_cast, with_level};
use crate::status::{ApprenticeStatus, Failure};
use crate::text::hand_out;

/// In place of the number of a character: everybody.
pub const APPRENTICE_EVERYBODY: u32 = u32::MAX;

/// A place: in cells on grids, in metres on navmeshes.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ApprenticePlace {
    /// To the east.
    pub x: f64,
    /// To the south.
    pub y: f64,
    /// Upwards.
    pub z: f64,
}

impl From<Place> for ApprenticePlace {
    fn from(place: Place) -> ApprenticePlace {
        let Place { x, y, z } = place;
        ApprenticePlace { x, y, z }
    }
}

/// What the budget went to.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ApprenticeSpent {
    /// Units that were spent: never more than were given.
    pub units: u64,
    /// How many looked whether their plan still holds.
    pub looked: u64,
    /// How many have made a plan and follow it now.
    pub planned: u64,
    /// How many make a plan.
    pub thinking: u64,
    /// How many wait for their turn.
    pub waiting: u64,
}

/// What a character is to do now.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ApprenticeOrder {
    /// 0 wait, 1 go to the neighbour at `east` and `south`, 2 follow a link of a navmesh, 3 use what is
    /// here.
    pub kind: i32,
    /// -1, 0 or 1.
    pub east: i32,
    /// -1, 0 or 1.
    pub south: i32,
    /// 0 walk, 1 sneak, 2 run.
    pub gait: i32,
    /// 1 if it is willing to fight.
    pub fights: i32,
    /// 1 if it blocks.
    pub blocks: i32,
    /// 0 following, 1 thinking, 2 done, 3 stuck, 4 dead.
    pub doing: i32,
    /// How many plans it has made so far.
    pub plans: u32,
    /// 1 if it is to go somewhere else.
    pub has_destination: i32,
    /// Where to: where the step it is in the middle of leads, or else its order.
    pub destination: ApprenticePlace,
    /// Where the character is thought to be.
    pub at: ApprenticePlace,
}

/// A cast for a level as it is now: nobody yet.
///
/// # Safety
///
/// `cast` points to room for a handle; null is an error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn apprentice_cast_new(
    level: ApprenticeHandle,
    cast: *mut ApprenticeHandle,
) -> ApprenticeStatus {
    guarded(|| {
        room("cast", cast)?;
        let made = with_level(level, |level| Ok(Cast::new(level)))?;
        let handle = keep(Object::Cast(Arc::new(Mutex::new(made))))?;
        // SAFETY: the caller says that there is room.
        unsafe { put("cast", cast, handle) }
    })
}

/// Somebody joins. `recruit` is JSON, such as {"at":[3,4],"goal":{"holds":"amulet"},"importance":8}, or
/// empty for the character of the level. `number` is what it goes by.
///
/// # Safety
///
/// Texts point to as many bytes as their lengths say, and `number` to room for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn apprentice_cast_add(
    cast: ApprenticeHandle,
    name: *const c_char,
    name_length: usize,
    recruit: *const c_char,
    recruit_length: usize,
    number: *mut u32,
) -> ApprenticeStatus {
    guarded(|| {
        room("number", number)?;
        // SAFETY: the caller says that these bytes are there.
        let name = unsafe { text("name", name, name_length) }?;
        // SAFETY: the same.
        let recruit = unsafe { text("recruit", recruit, recruit_length) }?;
        let recruit: Recruit = match recruit.trim() {
            "" => Recruit::default(),
            recruit => read("recruit", recruit)?,
        };
        let added = with_cast(cast, |cast| Ok(cast.add(name, &recruit)?))?;
        // SAFETY: the caller says that there is room.
        unsafe { put("number", number, added as u32) }
    })
}

fn read<T: for<'t> serde::Deserialize<'t>>(what: &str, json: &str) -> Result<T, Failure> {
    serde_json::from_str(json).map_err(|error| {
        let words = format!("`{what}`: {error}");
        Failure::new(ApprenticeStatus::NotUnderstood, words)
    })
}

/// Somebody is after something else: a goal in JSON, as scenario files write it.
///
/// # Safety
///
/// `goal` points to `length` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn apprentice_cast_pursue(
    cast: ApprenticeHandle,
    number: u32,
    goal: *const c_char,
    length: usize,
) -> ApprenticeStatus {
    guarded(|| {
        // SAFETY: the caller says that these bytes are there.
        let goal: AskedGoal = read("goal", unsafe { text("goal", goal, length) }?)?;
        with_cast(cast, |cast| Ok(cast.pursue(number as usize, &goal)?))
    })
}

/// Somebody leaves.
#[unsafe(no_mangle)]
pub extern "C" fn apprentice_cast_dismiss(cast: ApprenticeHandle, number: u32) -> ApprenticeStatus {
    guarded(|| with_cast(cast, |cast| Ok(cast.dismiss(number as usize)?)))
}

/// Time passes: everybody goes on by its last order, in the world it sees. At most 60 seconds.
#[unsafe(no_mangle)]
pub extern "C" fn apprentice_cast_pass(cast: ApprenticeHandle, seconds: f64) -> ApprenticeStatus {
    guarded(|| with_cast(cast, |cast| Ok(cast.pass(seconds)?)))
}

fn observe(cast: ApprenticeHandle, by: u32, seen: &Observation) -> Result<(), Failure> {
    let by = (by != APPRENTICE_EVERYBODY).then_some(by as usize);
    with_cast(cast, |cast| Ok(cast.observe(by, seen)?))
}

/// What the character `by` sees, or everybody: where somebody is. `id` is its id in the level; empty for
/// the one who sees it.
///
/// # Safety
///
/// `id` points to `length` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn apprentice_cast_observe_place(
    cast: ApprenticeHandle,
    by: u32,
    id: *const c_char,
    length: usize,
    place: ApprenticePlace,
) -> ApprenticeStatus {
    guarded(|| {
        // SAFETY: the caller says that these bytes are there.
        let id = unsafe { text("id", id, length) }?;
        let seen = Observation::Agent {
            id: (!id.is_empty()).then(|| id.to_owned()),
            at: Some(vec![place.x, place.y, place.z]),
            health: None,
            holding: None,
        };
        observe(cast, by, &seen)
    })
}

/// How well somebody is, from 0, which is dead.
///
/// # Safety
///
/// `id` points to `length` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn apprentice_cast_observe_health(
    cast: ApprenticeHandle,
    by: u32,
    id: *const c_char,
    length: usize,
    health: f64,
) -> ApprenticeStatus {
    guarded(|| {
        // SAFETY: the caller says that these bytes are there.
        let id = unsafe { text("id", id, length) }?;
        let seen = Observation::Agent {
            id: (!id.is_empty()).then(|| id.to_owned()),
            at: None,
            health: Some(health),
            holding: None,
        };
        observe(cast, by, &seen)
    })
}

/// What somebody holds: all of it, as ids with a comma between any two. What it held besides is gone.
///
/// # Safety
///
/// Texts point to as many bytes as their lengths say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn apprentice_cast_observe_holding(
    cast: ApprenticeHandle,
    by: u32,
    id: *const c_char,
    length: usize,
    items: *const c_char,
    items_length: usize,
) -> ApprenticeStatus {
    guarded(|| {
        // SAFETY: the caller says that these bytes are there.
        let id = unsafe { text("id", id, length) }?;
        // SAFETY: the same.
        let items = unsafe { text("items", items, items_length) }?;
        let items = items.split(',').map(str::trim).filter(|it| !it.is_empty());
        let seen = Observation::Agent {
            id: (!id.is_empty()).then(|| id.to_owned()),
            at: None,
            health: None,
            holding: Some(items.map(str::to_owned).collect()),
        };
        observe(cast, by, &seen)
    })
}

/// Whether a door is open.
///
/// # Safety
///
/// `id` points to `length` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn apprentice_cast_observe_door(
    cast: ApprenticeHandle,
    by: u32,
    id: *const c_char,
    length: usize,
    open: i32,
) -> ApprenticeStatus {
    guarded(|| {
        // SAFETY: the caller says that these bytes are there.
        let id = unsafe { text("id", id, length) }?.to_owned();
        let open = open != 0;
        observe(cast, by, &Observation::Door { id, open })
    })
}

/// Whether an item lies where it lay at the beginning; otherwise it is gone, unless somebody has it.
///
/// # Safety
///
/// `id` points to `length` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn apprentice_cast_observe_item(
    cast: ApprenticeHandle,
    by: u32,
    id: *const c_char,
    length: usize,
    lies: i32,
) -> ApprenticeStatus {
    guarded(|| {
        // SAFETY: the caller says that these bytes are there.
        let id = unsafe { text("id", id, length) }?.to_owned();
        let lies = lies != 0;
        observe(cast, by, &Observation::Item { id, lies })
    })
}

/// Whether a lever was pulled.
///
/// # Safety
///
/// `id` points to `length` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn apprentice_cast_observe_lever(
    cast: ApprenticeHandle,
    by: u32,
    id: *const c_char,
    length: usize,
    pulled: i32,
) -> ApprenticeStatus {
    guarded(|| {
        // SAFETY: the caller says that these bytes are there.
        let id = unsafe { text("id", id, length) }?.to_owned();
        let pulled = pulled != 0;
        observe(cast, by, &Observation::Lever { id, pulled })
    })
}

/// Everybody looks up and thinks, for at most so many units together, and has an order. `spent` may be
/// null.
///
/// # Safety
///
/// `spent` points to room for what it says, or is null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn apprentice_cast_think(
    cast: ApprenticeHandle,
    units: u64,
    spent: *mut ApprenticeSpent,
) -> ApprenticeStatus {
    guarded(|| {
        let thought = with_cast(cast, |cast| Ok(cast.think(units)))?;
        if spent.is_null() {
            return Ok(());
        }
        let told = ApprenticeSpent {
            units: thought.units,
            looked: thought.looked as u64,
            planned: thought.planned as u64,
            thinking: thought.thinking as u64,
            waiting: thought.waiting as u64,
        };
        // SAFETY: the caller says that there is room.
        unsafe { put("spent", spent, told) }
    })
}

/// What somebody is to do now.
///
/// # Safety
///
/// `order` points to room for one; null is an error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn apprentice_cast_order(
    cast: ApprenticeHandle,
    number: u32,
    order: *mut ApprenticeOrder,
) -> ApprenticeStatus {
    guarded(|| {
        room("order", order)?;
        let told = with_cast(cast, |cast| told(cast, number as usize))?;
        // SAFETY: the caller says that there is room.
        unsafe { put("order", order, told) }
    })
}

fn nobody(number: usize) -> Failure {
    let words = format!("there is no character of number {number}");
    Failure::new(ApprenticeStatus::NoSuch, words)
}

fn told(cast: &Cast, number: usize) -> Result<ApprenticeOrder, Failure> {
    let all = cast
        .order(number)
        .zip(cast.doing(number))
        .zip(cast.place(number));
    let ((order, (doing, plans)), at) = all.ok_or_else(|| nobody(number))?;
    let destination = cast.destination(number);
    let (kind, (east, south)) = match order {
        Order::Wait(_) => (0, (0, 0)),
        Order::Step(direction, _) => (1, direction.offset()),
        Order::Leap(_) => (2, (0, 0)),
        Order::Use(_) => (3, (0, 0)),
    };
    let stance = order.stance();
    Ok(ApprenticeOrder {
        kind,
        east: i32::from(east),
        south: i32::from(south),
        gait: match stance.gait() {
            Gait::Walk => 0,
            Gait::Sneak => 1,
            Gait::Run => 2,
        },
        fights: i32::from(stance.fights()),
        blocks: i32::from(stance.blocks()),
        doing: match doing {
            Doing::Following => 0,
            Doing::Thinking => 1,
            Doing::Done => 2,
            Doing::Stuck => 3,
            Doing::Dead => 4,
        },
        plans,
        has_destination: i32::from(destination.is_some()),
        destination: destination.map(ApprenticePlace::from).unwrap_or_default(),
        at: at.into(),
    })
}

/// Why somebody is stuck, or left its last plan; a text without letters if it never did.
///
/// # Safety
///
/// `why` points to room for a handle; null is an error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn apprentice_cast_why(
    cast: ApprenticeHandle,
    number: u32,
    why: *mut ApprenticeHandle,
) -> ApprenticeStatus {
    guarded(|| {
        room("why", why)?;
        let number = number as usize;
        let words = with_cast(cast, |cast| match cast.doing(number) {
            Some(_) => Ok(cast.why(number).unwrap_or_default()),
            None => Err(nobody(number)),
        })?;
        // SAFETY: the caller says that there is room.
        unsafe { hand_out("why", words, why) }
    })
}

/// What somebody means to do, step by step, as a JSON document.
///
/// # Safety
///
/// `steps` points to room for a handle; null is an error.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn apprentice_cast_ahead(
    cast: ApprenticeHandle,
    number: u32,
    steps: *mut ApprenticeHandle,
) -> ApprenticeStatus {
    guarded(|| {
        room("steps", steps)?;
        let ahead = with_cast(cast, |cast| Ok(cast.ahead(number as usize)?))?;
        let written = serde_json::to_string(&ahead)
            .map_err(|error| Failure::new(ApprenticeStatus::Bug, error.to_string()))?;
        // SAFETY: the caller says that there is room.
        unsafe { hand_out("steps", written, steps) }
    })
}

/// The orders of several characters at once, for games with many: those of the numbers from `first` on.
///
/// # Safety
///
/// `orders` points to room for `count` of them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn apprentice_cast_orders(
    cast: ApprenticeHandle,
    first: u32,
    orders: *mut ApprenticeOrder,
    count: usize,
) -> ApprenticeStatus {
    guarded(|| {
        if count > 0 {
            room("orders", orders)?;
        }
        let told = with_cast(cast, |cast| {
            let numbers = (first as usize..).take(count);
            numbers
                .map(|number| told(cast, number))
                .collect::<Result<Vec<_>, Failure>>()
        })?;
        for (place, one) in told.into_iter().enumerate() {
            // SAFETY: there are `count` of them, for which the caller says that there is room.
            unsafe { orders.add(place).write(one) };
        }
        Ok(())
    })
}
