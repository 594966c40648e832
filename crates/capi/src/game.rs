//! A game of one's own, whose rules are functions of C.

use std::ffi::{c_char, c_void};

use apprentice_session::{
    AskedSettings, Lock, OwnGame, OwnRules, Pushed, Refusal, Way, plan_own_game,
};

use crate::borders::{room, slice, text};
use crate::cast::ApprenticePlace;
use crate::guard::guarded;
use crate::handles::ApprenticeHandle;
use crate::status::{ApprenticeStatus, Failure};
use crate::text::hand_out;

/// A way from one place to another, by their numbers.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ApprenticeWay {
    /// Where it begins.
    pub from: u64,
    /// Where it ends.
    pub to: u64,
    /// How long it is; at the top speed it takes this divided by that.
    pub length: f64,
}

/// A key, or whatever keys open.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ApprenticeLock {
    /// The place it is in.
    pub place: u64,
    /// 1 if nobody enters its place until it is open: a door.
    pub bars: i32,
    /// 1 if it uses up what opens it.
    pub uses_up: i32,
    /// Each of these opens it, by their numbers in the list.
    pub opened_by: *const u32,
    /// How many those are.
    pub opened_by_count: usize,
}

/// Lists the steps that leave a state: calls `apprentice_push` with `sink` for each, always in the same
/// order, and returns 0. Anything else ends the plan. It must not throw.
pub type ApprenticeSuccessors =
    Option<unsafe extern "C" fn(context: *mut c_void, state: u64, sink: *mut c_void) -> i32>;

/// Answers a question about a state by writing to `answer`, and returns 0. Anything else ends the plan.
/// It must not throw.
pub type ApprenticeQuestion = Option<
    unsafe extern "C" fn(context: *mut c_void, state: u64, number: u64, answer: *mut u64) -> i32,
>;

/// A game of one's own. States and actions are numbers that only the game understands.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ApprenticeGame {
    /// Handed to every callback.
    pub context: *mut c_void,
    /// Where places are.
    pub places: *const ApprenticePlace,
    /// How many there are.
    pub place_count: usize,
    /// The ways between them. Every step of the game from one place to another is one of these, and
    /// takes no less time: bounds rest on it.
    pub ways: *const ApprenticeWay,
    /// How many there are.
    pub way_count: usize,
    /// Keys and doors; none if there are none.
    pub locks: *const ApprenticeLock,
    /// How many there are.
    pub lock_count: usize,
    /// The places where it may end; none if `is_goal` says so.
    pub goals: *const u64,
    /// How many there are.
    pub goal_count: usize,
    /// A line that was shown; none if nothing was.
    pub shown: *const ApprenticePlace,
    /// How many points it has.
    pub shown_count: usize,
    /// The greatest speed over the ways.
    pub top_speed: f64,
    /// The state it begins in.
    pub start: u64,
    /// Which place somebody is at in a state; `number` is 0.
    pub place: ApprenticeQuestion,
    /// The steps that leave a state.
    pub successors: ApprenticeSuccessors,
    /// 1 if it may end in a state; null if `goals` says where. `number` is 0.
    pub is_goal: ApprenticeQuestion,
    /// 1 if the lock `number` is open in a state, or its key taken; null if there are no locks.
    pub is_done: ApprenticeQuestion,
}

/// The rules, as long as a plan is made.
struct Rules {
    context: *mut c_void,
    place: ApprenticeQuestion,
    successors: ApprenticeSuccessors,
    is_goal: ApprenticeQuestion,
    is_done: ApprenticeQuestion,
}

/// How a refusal begins that is a callback's.
const FAILED: &str = "the callback ";

impl Rules {
    fn ask(
        &self,
        what: &str,
        question: ApprenticeQuestion,
        state: u64,
        number: u64,
    ) -> Result<u64, String> {
        let Some(question) = question else {
            return Err(format!("{FAILED}`{what}` is null"));
        };
        let mut answer = 0;
        // SAFETY: whoever gave the game says that it takes these, with this context; the answer outlives
        // the call.
        match unsafe { question(self.context, state, number, &raw mut answer) } {
            0 => Ok(answer),
            code => Err(format!(
                "{FAILED}`{what}` returned {code} for state {state}"
            )),
        }
    }
}

/// What `apprentice_push` fills.
struct Sink<'s> {
    push: &'s mut dyn FnMut(Pushed),
}

impl OwnRules for Rules {
    fn place(&self, state: u64) -> Result<u64, String> {
        self.ask("place", self.place, state, 0)
    }

    fn successors(&self, state: u64, push: &mut dyn FnMut(Pushed)) -> Result<(), String> {
        let Some(successors) = self.successors else {
            return Err(format!("{FAILED}`successors` is null"));
        };
        let mut sink = Sink { push };
        let sink = (&raw mut sink).cast::<c_void>();
        // SAFETY: whoever gave the game says that it takes these, with this context; the sink outlives
        // the call.
        match unsafe { successors(self.context, state, sink) } {
            0 => Ok(()),
            code => Err(format!(
                "{FAILED}`successors` returned {code} for state {state}"
            )),
        }
    }

    fn is_goal(&self, state: u64) -> Result<bool, String> {
        Ok(self.ask("is_goal", self.is_goal, state, 0)? != 0)
    }

    fn is_done(&self, state: u64, lock: usize) -> Result<bool, String> {
        Ok(self.ask("is_done", self.is_done, state, lock as u64)? != 0)
    }
}

/// Says that a step leaves the state that was asked about.
///
/// # Safety
///
/// `sink` is what `ApprenticeSuccessors` was just called with.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn apprentice_push(
    sink: *mut c_void,
    action: u64,
    state: u64,
    seconds: f64,
) -> ApprenticeStatus {
    guarded(|| {
        room("sink", sink)?;
        // SAFETY: the caller says that this is the sink, which lives until the callback returns; nothing
        // else looks at it meanwhile.
        let sink = unsafe { &mut *sink.cast::<Sink<'_>>() };
        (sink.push)(Pushed {
            action,
            state,
            seconds,
        });
        Ok(())
    })
}

/// Plans in a game of one's own, by any planner, for at most so many units; 0 is as many as usual. The
/// text is JSON: status, cost, bound, guarantee, expansions, and steps with action, state, place and t.
/// `settings` is JSON, such as {"planner":"auto","bound":2}, or empty.
///
/// # Safety
///
/// `game` points to one whose pointers are null or point to as many as it says, and whose callbacks take
/// what they say with its context; `settings` points to `length` bytes, `document` to room for a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn apprentice_game_plan(
    game: *const ApprenticeGame,
    settings: *const c_char,
    length: usize,
    units: u64,
    document: *mut ApprenticeHandle,
) -> ApprenticeStatus {
    guarded(|| {
        room("document", document)?;
        // SAFETY: the caller says that there is one.
        let [game] = (unsafe { slice("game", game, 1) })? else {
            return Ok(());
        };
        // SAFETY: the caller says that these bytes are there.
        let settings: AskedSettings = match unsafe { text("settings", settings, length) }?.trim() {
            "" => AskedSettings::default(),
            settings => serde_json::from_str(settings).map_err(|error| {
                let words = format!("`settings`: {error}");
                Failure::new(ApprenticeStatus::NotUnderstood, words)
            })?,
        };
        // SAFETY: the caller says that what the game points to is there.
        let own = unsafe { read(game) }?;
        let rules = Rules {
            context: game.context,
            place: game.place,
            successors: game.successors,
            is_goal: game.is_goal,
            is_done: game.is_done,
        };
        let units = (units > 0).then_some(units);
        let planned = plan_own_game(&own, Box::new(rules), &settings, units).map_err(callback)?;
        let written = serde_json::to_string(&planned)
            .map_err(|error| Failure::new(ApprenticeStatus::Bug, error.to_string()))?;
        // SAFETY: the caller says that there is room.
        unsafe { hand_out("document", written, document) }
    })
}

/// What a callback did wrong is its own kind of failure.
fn callback(refusal: Refusal) -> Failure {
    let is_callback = refusal.message.contains(FAILED);
    let mut failure = Failure::from(refusal);
    if is_callback {
        failure.status = ApprenticeStatus::CallbackFailed;
    }
    failure
}

/// Copies what never changes.
///
/// # Safety
///
/// The pointers of the game are null or point to as many as it says.
unsafe fn read(game: &ApprenticeGame) -> Result<OwnGame, Failure> {
    let point = |place: &ApprenticePlace| vec![place.x, place.y, place.z];
    // SAFETY: the caller says that they are there; this holds for all of these.
    let places = unsafe { slice("places", game.places, game.place_count) }?;
    // SAFETY: as above.
    let ways = unsafe { slice("ways", game.ways, game.way_count) }?;
    // SAFETY: as above.
    let locks = unsafe { slice("locks", game.locks, game.lock_count) }?;
    // SAFETY: as above.
    let goals = unsafe { slice("goals", game.goals, game.goal_count) }?;
    // SAFETY: as above.
    let shown = unsafe { slice("shown", game.shown, game.shown_count) }?;
    let mut own = OwnGame {
        places: places.iter().map(point).collect(),
        ways: (ways.iter())
            .map(|way| Way {
                from: way.from,
                to: way.to,
                length: way.length,
            })
            .collect(),
        top_speed: game.top_speed,
        start: game.start,
        goals: goals.to_vec(),
        ..OwnGame::default()
    };
    for (number, lock) in locks.iter().enumerate() {
        // SAFETY: as above.
        let opened_by = unsafe { slice("opened_by", lock.opened_by, lock.opened_by_count) }?;
        own.locks.push(Lock {
            name: format!("lock {number}"),
            place: lock.place,
            bars: lock.bars != 0,
            uses_up: lock.uses_up != 0,
            opened_by: opened_by.to_vec(),
        });
    }
    if !shown.is_empty() {
        let line = shown.iter().map(point).collect();
        own.shown.push(("shown".to_owned(), line));
    }
    Ok(own)
}
