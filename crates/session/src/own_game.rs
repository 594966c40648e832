//! A game of one's own for whoever cannot implement a trait: states are numbers, and rules are asked.

use std::cell::RefCell;
use std::sync::Arc;

use apprentice::experience::{Demonstration, Place};
use apprentice::game::{Aim, Game, Landmark, LandmarkId, Waypoints};
use apprentice::search::{Budget, Cost, Path, Problem, Status, Successors};
use schemars::JsonSchema;
use serde::Serialize;

use crate::levels::spot;
use crate::{AskedSettings, Code, DEFAULT_UNITS, MEMORY, Refusal};

/// What changes in a game of one's own: states, by numbers that only the game understands.
///
/// A rule that fails says why, and ends the plan with those words.
pub trait OwnRules {
    /// The place somebody is at in a state, by its number.
    fn place(&self, state: u64) -> Result<u64, String>;

    /// The steps that leave a state, always in the same order.
    fn successors(&self, state: u64, push: &mut dyn FnMut(Pushed)) -> Result<(), String>;

    /// Whether the search may stop in a state. Asked only where the game names no goals by place.
    fn is_goal(&self, state: u64) -> Result<bool, String>;

    /// Whether a lock's key was taken, or the lock is open, in a state. Asked only where there are locks.
    fn is_done(&self, _state: u64, _lock: usize) -> Result<bool, String> {
        Ok(false)
    }
}

/// A step that leaves a state.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pushed {
    /// What is done, by a number that only the game understands.
    pub action: u64,
    /// What it leads to.
    pub state: u64,
    /// How long it takes.
    pub seconds: f64,
}

/// What never changes: places, ways between them, and what may have to be done there.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OwnGame {
    /// Where places are: two coordinates each, or three.
    pub places: Vec<Vec<f64>>,
    /// The ways between them. Every step of the game from one place to another must be one of these, and
    /// take no less time: bounds rest on it.
    pub ways: Vec<Way>,
    /// The greatest speed over them.
    pub top_speed: f64,
    /// The state it begins in.
    pub start: u64,
    /// The places where it may end; if there are none, the rules are asked.
    pub goals: Vec<u64>,
    /// Keys and locks, if the game has any. `Lock::opened_by` names others of the list.
    pub locks: Vec<Lock>,
    /// What was shown: lines of points, each with its name.
    pub shown: Vec<(String, Vec<Vec<f64>>)>,
}

/// A way from one place to another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Way {
    /// Where it begins.
    pub from: u64,
    /// Where it ends.
    pub to: u64,
    /// How long it is; at the greatest speed it takes this divided by that.
    pub length: f64,
}

/// Something that may have to be done on the way: a key, or whatever it opens.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lock {
    /// What people call it.
    pub name: String,
    /// The place it is in.
    pub place: u64,
    /// Whether nobody enters its place until it is open: a door.
    pub bars: bool,
    /// Each of these opens it, by their numbers in the list.
    pub opened_by: Vec<u32>,
    /// Whether it uses up what opens it.
    pub uses_up: bool,
}

/// A plan in a game of one's own.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct OwnPlan {
    /// `found`, `impossible` or `budget`.
    pub status: String,
    /// How long it takes; null without one.
    pub cost: Option<f64>,
    /// How many times the best plan's cost this one's is at most; null if nothing is proven.
    pub bound: Option<f64>,
    /// The same in a sentence, with the reason.
    pub guarantee: String,
    /// How many states were expanded.
    pub expansions: u64,
    /// Units of budget.
    pub budget_spent: u64,
    /// What to do, step by step.
    pub steps: Vec<OwnStep>,
}

/// A step of a plan in a game of one's own.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct OwnStep {
    /// What is done.
    pub action: u64,
    /// What it leads to.
    pub state: u64,
    /// The place that is in.
    pub place: u64,
    /// When it is over, in seconds.
    pub t: f64,
}

/// Plans in a game of one's own, by any planner.
///
/// ```
/// use apprentice_session::{AskedSettings, OwnGame, OwnRules, Pushed, Way, plan_own_game};
///
/// /// A corridor of five places; a state is a place.
/// struct Corridor;
///
/// impl OwnRules for Corridor {
///     fn place(&self, state: u64) -> Result<u64, String> { Ok(state) }
///     fn successors(&self, state: u64, push: &mut dyn FnMut(Pushed)) -> Result<(), String> {
///         for next in [state.wrapping_sub(1), state + 1] {
///             if next < 5 {
///                 push(Pushed { action: next, state: next, seconds: 1.0 });
///             }
///         }
///         Ok(())
///     }
///     fn is_goal(&self, _: u64) -> Result<bool, String> { Ok(false) }
/// }
///
/// let way = |from, to| Way { from, to, length: 1.0 };
/// let game = OwnGame {
///     places: (0..5).map(|x| vec![f64::from(x), 0.0]).collect(),
///     ways: (0..4).flat_map(|from| [way(from, from + 1), way(from + 1, from)]).collect(),
///     top_speed: 1.0,
///     start: 1,
///     goals: vec![4],
///     ..OwnGame::default()
/// };
/// let plan = plan_own_game(&game, Box::new(Corridor), &AskedSettings::default(), None)?;
/// assert_eq!(plan.cost, Some(3.0));
/// # Ok::<(), apprentice_session::Refusal>(())
/// ```
///
/// # Errors
///
/// If the game or the settings make no sense, or a rule fails.
pub fn plan_own_game(
    game: &OwnGame,
    rules: Box<dyn OwnRules>,
    settings: &AskedSettings,
    units: Option<u64>,
) -> Result<OwnPlan, Refusal> {
    let mut game_of = Erased::new(game, rules)?;
    let shown = game.shown.iter().map(|(name, points)| {
        let places = points.iter().map(|point| place_at(point));
        let places: Vec<Place> = places.collect::<Result<_, Refusal>>()?;
        Ok(Demonstration::drawn(name, places, game.top_speed))
    });
    let shown: Vec<Demonstration> = shown.collect::<Result<_, Refusal>>()?;
    let bad = |error| Refusal::new(Code::BadSettings, error);
    let checked = settings.settings()?.check_for(&game_of, shown);
    game_of.look_for_failure()?;
    let planner = checked.map_err(bad)?.planner;
    let mut search = planner.search(&game_of).map_err(bad)?.search;
    let mut left = units.unwrap_or(DEFAULT_UNITS);
    let status = loop {
        // A rule that fails is noticed soon.
        let slice = left.min(SLICE);
        let mut budget = Budget::units(slice).within_memory(MEMORY);
        let status = search.run(&game_of, &mut budget);
        left -= budget.taken();
        game_of.look_for_failure()?;
        let is_spent = left == 0 || status == Status::Paused && budget.taken() == 0;
        if !status.is_unfinished() || is_spent {
            break status;
        }
    };
    let (path, guarantee) = (search.path(), search.guarantee());
    let steps = path.as_ref().map(|path| told(&game_of, path));
    game_of.look_for_failure()?;
    Ok(OwnPlan {
        status: match (&path, status) {
            (Some(_), _) => "found",
            (None, Status::Unsolvable) => "impossible",
            (None, _) => "budget",
        }
        .to_owned(),
        cost: path.as_ref().map(|path| path.cost.as_seconds()),
        bound: guarantee.factor(),
        guarantee: guarantee.to_string(),
        expansions: search.statistics().expanded,
        budget_spent: units.unwrap_or(DEFAULT_UNITS) - left,
        steps: steps.unwrap_or_default(),
    })
}

/// The steps of a path, each with when it is over.
fn told(game: &Erased, path: &Path<u64, u64>) -> Vec<OwnStep> {
    let (mut before, mut time) = (path.start, Cost::ZERO);
    let mut listed = Successors::new();
    let step = |&(action, state): &(u64, u64)| {
        listed.clear();
        game.successors(&before, &mut listed);
        let same = listed
            .iter()
            .filter(|it| (it.action, it.state) == (action, state));
        time = time + same.map(|it| it.cost).min().unwrap_or(Cost::ZERO);
        before = state;
        OwnStep {
            action,
            state,
            place: game.place(&state) as u64,
            t: time.as_seconds(),
        }
    };
    path.steps.iter().map(step).collect()
}

/// So many units pass before somebody looks whether a rule has failed.
const SLICE: u64 = 256;

/// Any game, as planners see it.
struct Erased {
    rules: Box<dyn OwnRules>,
    ground: Arc<Waypoints>,
    landmarks: Vec<Landmark>,
    aim: Aim,
    start: u64,
    top_speed: f64,
    /// Planners cannot be told that a rule has failed; so it is noted, and looked for between slices.
    failure: RefCell<Option<String>>,
}

fn place_at(point: &[f64]) -> Result<Place, Refusal> {
    let spot = spot(point)?;
    Ok(Place::new(spot.x, spot.y, spot.height.unwrap_or(0.0)))
}

impl Erased {
    fn new(game: &OwnGame, rules: Box<dyn OwnRules>) -> Result<Erased, Refusal> {
        let bad = |wrong: String| Refusal::new(Code::BadValue, wrong);
        if !(game.top_speed > 0.0 && game.top_speed.is_finite()) {
            let wrong = format!("a top speed of {} makes no sense", game.top_speed);
            return Err(bad(wrong));
        }
        let places = game.places.iter().map(|point| place_at(point));
        let places: Vec<Place> = places.collect::<Result<_, Refusal>>()?;
        let count = places.len();
        let known = |place: u64| match usize::try_from(place) {
            Ok(place) if place < count => Ok(place),
            _ => Err(bad(format!("there is no place {place}; there are {count}"))),
        };
        let unsound = |error: apprentice::game::WaypointError| bad(error.to_string());
        let mut ground = Waypoints::new(places.iter().copied()).map_err(unsound)?;
        for way in &game.ways {
            let (from, to) = (known(way.from)?, known(way.to)?);
            ground.add(from, to, way.length, 0.0).map_err(unsound)?;
        }
        let mut landmarks = Vec::new();
        for lock in &game.locks {
            let place = known(lock.place)?;
            if let Some(other) =
                (lock.opened_by.iter()).find(|it| **it as usize >= game.locks.len())
            {
                let wrong = format!(
                    "`{}` is opened by number {other}, which is not there",
                    lock.name
                );
                return Err(bad(wrong));
            }
            landmarks.push(Landmark {
                bars: lock.bars,
                uses_up: lock.uses_up,
                opened_by: lock
                    .opened_by
                    .iter()
                    .copied()
                    .map(LandmarkId::new)
                    .collect(),
                ..Landmark::at_place(&lock.name, places[place], place)
            });
        }
        let goals = game.goals.iter().map(|place| known(*place));
        let goals: Vec<usize> = goals.collect::<Result<_, Refusal>>()?;
        Ok(Erased {
            rules,
            ground: Arc::new(ground),
            landmarks,
            aim: match goals.is_empty() {
                true => Aim::Other(0),
                false => Aim::At(goals),
            },
            start: game.start,
            top_speed: game.top_speed,
            failure: RefCell::new(None),
        })
    }

    fn note<T>(&self, answer: Result<T, String>) -> Option<T> {
        match answer {
            Ok(answer) => Some(answer),
            Err(why) => {
                self.failure.borrow_mut().get_or_insert(why);
                None
            }
        }
    }

    fn look_for_failure(&mut self) -> Result<(), Refusal> {
        match self.failure.get_mut().take() {
            None => Ok(()),
            Some(why) => Err(Refusal::new(
                Code::BadValue,
                format!("a rule of the game failed: {why}"),
            )),
        }
    }
}

impl Problem for Erased {
    type State = u64;
    type Key = u64;
    type Action = u64;

    fn start(&self) -> u64 {
        self.start
    }

    fn key(&self, state: &u64) -> u64 {
        *state
    }

    fn is_goal(&self, state: &u64) -> bool {
        match &self.aim {
            Aim::At(places) => places.contains(&self.place(state)),
            _ => self.note(self.rules.is_goal(*state)).unwrap_or(false),
        }
    }

    fn successors(&self, state: &u64, out: &mut Successors<u64, u64>) {
        if self.failure.borrow().is_some() {
            return;
        }
        let mut wrong = None;
        let listed =
            self.rules.successors(
                *state,
                &mut |step| match Cost::try_from_seconds(step.seconds) {
                    Ok(cost) if cost.is_finite() => out.push(step.action, step.state, cost),
                    _ => wrong = Some(format!("a step takes {} seconds", step.seconds)),
                },
            );
        self.note(wrong.map_or(listed, Err));
    }
}

impl Game for Erased {
    type Ground = Waypoints;

    fn ground(&self) -> &Arc<Waypoints> {
        &self.ground
    }

    fn place(&self, state: &u64) -> usize {
        let count = apprentice::game::Ground::places(&*self.ground);
        let place = self
            .rules
            .place(*state)
            .and_then(|place| match usize::try_from(place) {
                Ok(place) if place < count => Ok(place),
                _ => Err(format!(
                    "state {state} is at place {place}, and there are {count}"
                )),
            });
        self.note(place).unwrap_or(0)
    }

    fn top_speed(&self) -> f64 {
        self.top_speed
    }

    fn aim(&self) -> &Aim {
        &self.aim
    }

    fn level(&self) -> u64 {
        // Nothing that is prepared outlives the one plan it is made for.
        0
    }

    fn landmarks(&self) -> &[Landmark] {
        &self.landmarks
    }

    fn is_done(&self, state: &u64, landmark: LandmarkId) -> bool {
        let done = self.rules.is_done(*state, landmark.index());
        self.note(done).unwrap_or(false)
    }
}
