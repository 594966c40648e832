//! The T-Graph estimate, which follows demonstrations, for any quest.

use std::sync::{Arc, Mutex, MutexGuard};

use apprentice_experience::{
    Demonstration, DemonstrationGraph, DemonstrationGraphBuilder, GoalPlaces, Journey, Memo,
    MovingGoal, MovingGoalBuilder, MovingHint, Place, Relevance, Remember, TrainingGraph,
    TrainingGraphBuilder, TrainingSettings, Ways, WaysTo,
};
use apprentice_game::{Aim, DistanceField, Game, Ground, LandmarkId};
use apprentice_search::{Budget, Cost, Heuristic, Promise, Weight};

use crate::ground::{GroundWays, level_of};
use crate::shelf::{Shelf, open};
use crate::trail::FAR;

/// The T-Graph estimate: draws a search to demonstrations, along them to their end, and from there
/// to the goal. What can be proven with it depends on the settings; see [`TrainingSettings`].
///
/// Clones share what they know, so that several advisers cost one preparation.
///
/// Everything that takes longer on larger maps or with longer demonstrations is done in
/// [`prepare`](Heuristic::prepare), within its budget: 16,384 samples take some 4 milliseconds, no
/// unit of it more than a few hundredths of one. What is left is a few nanoseconds for each place of
/// the graph at one go, and, where the goal moves, the way to it from the end of each demonstration
/// whenever it enters a cell; with the printed corridor a sweep over the map.
#[derive(Clone)]
pub struct TGraphHeuristic<G> {
    cache: Arc<Mutex<TrainingCache<G>>>,
    settings: TrainingSettings,
    remember: Remember,
    ready: Option<Ready<G>>,
}

/// What one search has learned from the demonstrations, or is learning: from where it begins.
struct TrainingCache<G> {
    settings: TrainingSettings,
    /// Where they are followed to, if not to the goal of the quest.
    elsewhere: Option<Aim>,
    /// What it is made for: scenario, goal and start.
    key: Option<LessonKey>,
    /// The ways over the map, once those are known that all have in common.
    ground: Option<GroundWays<G>>,
    learning: Option<BeingLearned>,
    learned: Option<Learned<G>>,
    /// The shortest ways to the goal, once something is learned and if it stays where it is.
    to_goal: Option<Arc<dyn WaysTo>>,
    school: Arc<School<G>>,
}

/// What all searches have in common, wherever they begin.
struct School<G> {
    demonstrations: Arc<[Demonstration]>,
    read: Mutex<Read>,
    levels: Mutex<Shelf<LevelWays<G>>>,
}

/// The demonstrations as one graph, as far as they are in it.
#[derive(Default)]
struct Read {
    graph: Arc<DemonstrationGraph>,
    /// The trace of each demonstration in the graph; none for one that shows no way.
    traces: Arc<Vec<Option<u32>>>,
    /// The one that is being added.
    adding: DemonstrationGraphBuilder,
}

/// The ways over the map of a level: to where demonstrations begin and end, and to goals.
struct LevelWays<G> {
    level: u64,
    ground: GroundWays<G>,
    goals: Shelf<GoalWays>,
}

/// The ways to where a goal is at first: being swept, and swept.
struct GoalWays {
    places: Vec<usize>,
    sweeping: Option<DistanceField>,
    swept: Option<Arc<dyn WaysTo>>,
}

/// What is made of the graph.
enum BeingLearned {
    Fixed(Box<TrainingGraphBuilder>),
    Moving(Box<MovingGoalBuilder>),
}

#[derive(Clone, PartialEq)]
struct LessonKey {
    level: u64,
    aim: Aim,
    start: Place,
}

#[derive(Clone)]
enum Learned<G> {
    /// The goal stays where it is. What is said at each place is known to all who follow.
    Fixed(Arc<TrainingGraph>, Memo),
    /// The goal is wherever somebody is.
    Moving {
        prey: LandmarkId,
        moving: Arc<MovingGoal>,
        ground: Arc<GroundWays<G>>,
    },
}

/// What one adviser has at hand.
#[derive(Clone)]
enum Ready<G> {
    Fixed {
        training: Arc<TrainingGraph>,
        memo: Memo,
    },
    Moving {
        prey: LandmarkId,
        moving: Arc<MovingGoal>,
        ground: Arc<GroundWays<G>>,
        places: GoalPlaces,
        hint: MovingHint,
    },
}

/// The ways to a demonstration and from it.
pub(crate) struct Approach {
    /// From the start to its beginning: places of the map, and the seconds from there to the
    /// beginning. None if it leads off the map.
    pub(crate) to_beginning: Vec<(u32, f64)>,
    /// The same from its end to the goal.
    pub(crate) to_goal: Vec<(u32, f64)>,
    /// The seconds of the way along it, from the start to the goal.
    pub(crate) seconds: f64,
    /// Whether that is not too long.
    pub(crate) is_within_reach: bool,
}

/// The ways to demonstrations and from them that are being looked up, one demonstration after
/// another.
pub(crate) struct Approaching<G> {
    /// How far from the start each demonstration passes.
    distances: Vec<f64>,
    /// For each demonstration; none for one that shows no way, or if the goal moves.
    found: Vec<Option<Approach>>,
    /// The next one.
    next: Option<BeingApproached<G>>,
}

/// A demonstration to which and from which the ways are being looked up.
struct BeingApproached<G> {
    approach: Approach,
    ground: Arc<G>,
    to_beginning: TimedWay,
    to_goal: TimedWay,
}

/// A way, and how long the rest of it takes from each of its places.
struct TimedWay {
    ways: Arc<dyn WaysTo>,
    spots: Vec<Place>,
}

/// So many places of a way are timed for a unit of budget: those near each are looked through.
const TIMED_AT_ONCE: usize = 4;

impl TimedWay {
    /// Adds the next few places to `timed`. Whether that is all of them.
    fn go_on<G: Ground>(&mut self, ground: &G, timed: &mut Vec<(u32, f64)>) -> bool {
        for spot in self.spots.iter().skip(timed.len()).take(TIMED_AT_ONCE) {
            let Some(place) = ground.nearest(*spot) else {
                // Whatever leads off the map is no way over it.
                timed.clear();
                self.spots.clear();
                return true;
            };
            timed.push((place as u32, self.ways.from(*spot)));
        }
        timed.len() == self.spots.len()
    }
}

impl<G: Ground> BeingApproached<G> {
    /// Goes on a little. Whether that is all.
    fn go_on(&mut self) -> bool {
        let Approach {
            to_beginning,
            to_goal,
            ..
        } = &mut self.approach;
        let ground = &*self.ground;
        self.to_beginning.go_on(ground, to_beginning) && self.to_goal.go_on(ground, to_goal)
    }
}

impl<G> Default for Approaching<G> {
    fn default() -> Approaching<G> {
        Approaching {
            distances: Vec::new(),
            found: Vec::new(),
            next: None,
        }
    }
}

impl<G: Ground> Approaching<G> {
    /// Goes on, once [`prepare`](Heuristic::prepare) of what is followed is done; two units of
    /// budget for each demonstration, and more for the places of the ways to it and from it. Those
    /// that take less than `reach` times the shortest way are within reach. False: the budget is
    /// spent, call again.
    pub(crate) fn go_on(
        &mut self,
        following: &TGraphHeuristic<G>,
        reach: f64,
        budget: &mut Budget<'_>,
    ) -> bool {
        let demonstrations = following.demonstrations();
        while let Some(shown) = demonstrations.get(self.found.len()) {
            if !budget.take() {
                return false;
            }
            // All distances come first: the nearest matters to every approach.
            if let Some(shown) = demonstrations.get(self.distances.len()) {
                self.distances.push(following.distance_from_start(shown));
                continue;
            }
            let begun = self.next.take();
            let Some(mut next) = begun.or_else(|| self.approach(following, shown, reach)) else {
                self.found.push(None);
                continue;
            };
            if next.go_on() {
                self.found.push(Some(next.approach));
            } else {
                self.next = Some(next);
            }
        }
        true
    }

    /// The ways to the demonstration that comes next, and from it.
    fn approach(
        &self,
        following: &TGraphHeuristic<G>,
        shown: &Demonstration,
        reach: f64,
    ) -> Option<BeingApproached<G>> {
        let number = self.found.len();
        let nearest = self.distances.iter().copied().fold(f64::INFINITY, f64::min);
        let training = following.training()?;
        let traces = following.traces();
        let cache = following.cache();
        let (ground, goal) = (cache.ground.as_ref()?, cache.to_goal.as_ref()?);
        let start = cache.key.as_ref()?.start;
        let (first, last) = (shown.samples.first()?, shown.samples.last()?);
        let trace = traces.get(number).copied()??;
        let mut relevance = training.relevance(trace, start, goal.from(start), ground)?;
        relevance.epsilon = reach;
        // Whoever is beside it joins it there and need not go back to where it begins, and nobody
        // passes by one demonstration on the way to another.
        let distance = self.distances[number];
        let is_midway = distance < FAR && start.distance_to(first.place) >= FAR;
        let is_next = distance < nearest + FAR;
        let ways = ground.to(first.place);
        let spots = (is_next && !is_midway).then(|| ways.way(start));
        Some(BeingApproached {
            approach: Approach {
                to_beginning: Vec::new(),
                to_goal: Vec::new(),
                seconds: relevance.total(),
                is_within_reach: relevance.attracts(),
            },
            ground: ground.ground().clone(),
            to_beginning: TimedWay {
                spots: spots.unwrap_or_default(),
                ways,
            },
            to_goal: TimedWay {
                spots: goal.way(last.place),
                ways: goal.clone(),
            },
        })
    }

    pub(crate) fn found(&self) -> impl Iterator<Item = &Approach> {
        self.found.iter().flatten()
    }

    /// For each demonstration, whether it is.
    pub(crate) fn within_reach(&self) -> Vec<bool> {
        let is_within = |approach: &Option<Approach>| {
            let approach = approach.as_ref();
            approach.is_some_and(|approach| approach.is_within_reach)
        };
        self.found.iter().map(is_within).collect()
    }

    pub(crate) fn finish(self) -> Vec<Approach> {
        self.found.into_iter().flatten().collect()
    }
}

/// So many places of a goal that moves are kept ready.
const GOAL_PLACES: usize = 64;

impl<G: Ground> TGraphHeuristic<G> {
    /// Follows these demonstrations.
    pub fn new(
        demonstrations: Arc<[Demonstration]>,
        settings: TrainingSettings,
    ) -> TGraphHeuristic<G> {
        TGraphHeuristic::with(demonstrations, settings, None)
    }

    fn with(
        demonstrations: Arc<[Demonstration]>,
        settings: TrainingSettings,
        elsewhere: Option<Aim>,
    ) -> TGraphHeuristic<G> {
        let school = School {
            demonstrations,
            read: Mutex::default(),
            levels: Mutex::default(),
        };
        TGraphHeuristic::of(Arc::new(school), settings, elsewhere)
    }

    /// What these searches have in common, for another search.
    fn of(
        school: Arc<School<G>>,
        settings: TrainingSettings,
        elsewhere: Option<Aim>,
    ) -> TGraphHeuristic<G> {
        let cache = TrainingCache {
            settings,
            elsewhere,
            key: None,
            ground: None,
            learning: None,
            learned: None,
            to_goal: None,
            school,
        };
        TGraphHeuristic {
            cache: Arc::new(Mutex::new(cache)),
            settings,
            remember: Remember::Places,
            ready: None,
        }
    }

    /// The same for another search, which may begin elsewhere: it shares only what does not depend on
    /// where one begins.
    pub(crate) fn apart(&self) -> TGraphHeuristic<G> {
        let cache = self.cache();
        let (school, elsewhere) = (cache.school.clone(), cache.elsewhere.clone());
        TGraphHeuristic::of(school, self.settings, elsewhere).remembering(self.remember)
    }

    /// The same demonstrations, followed to another goal than that of the quest. To be asked by
    /// [`estimate_at`](TGraphHeuristic::estimate_at) only, with the straight line to that goal.
    pub(crate) fn toward(&self, aim: Aim) -> TGraphHeuristic<G> {
        let school = self.cache().school.clone();
        TGraphHeuristic::of(school, self.settings, Some(aim)).remembering(self.remember)
    }

    /// Says whether estimates are kept by place. They are the same; only slower if not.
    #[must_use]
    pub fn remembering(mut self, remember: Remember) -> TGraphHeuristic<G> {
        self.remember = remember;
        self
    }

    /// Whether each demonstration attracts somebody at `at`, from where the way they are measured
    /// against takes `straight` seconds; none for a demonstration without a way to follow. Known once
    /// [`prepare`](Heuristic::prepare) is done, if the goal stays where it is.
    pub fn relevances(&self, at: Place, straight: f64) -> Option<Vec<Option<Relevance>>> {
        let training = self.training()?.clone();
        let traces = self.traces();
        let cache = self.cache();
        let ground = cache.ground.as_ref()?;
        let of = |trace: u32| training.relevance(trace, at, straight, ground);
        Some(traces.iter().map(|trace| trace.and_then(of)).collect())
    }

    /// The seconds of the shortest way from a place to the goal, as if nothing were shut. Known once
    /// [`prepare`](Heuristic::prepare) is done, if the goal stays where it is.
    pub(crate) fn shortest(&self, from: Place) -> Option<f64> {
        let cache = self.cache();
        let to_goal = cache.to_goal.as_ref()?;
        Some(to_goal.from(from))
    }

    /// How far from the start of the quest a demonstration passes.
    fn distance_from_start(&self, shown: &Demonstration) -> f64 {
        let start = self.cache().key.as_ref().map(|key| key.start);
        let here = start.and_then(|start| shown.whereabouts(start, 0.0));
        here.map_or(f64::INFINITY, |here| here.distance)
    }

    /// What is followed.
    pub(crate) fn demonstrations(&self) -> Arc<[Demonstration]> {
        self.cache().school.demonstrations.clone()
    }

    /// The trace of each demonstration in the graph, as far as they are in it.
    fn traces(&self) -> Arc<Vec<Option<u32>>> {
        open(&self.cache().school.read).traces.clone()
    }

    /// The training graph, once [`prepare`](Heuristic::prepare) is done and if the goal stays where
    /// it is.
    pub fn training(&self) -> Option<&Arc<TrainingGraph>> {
        match &self.ready {
            Some(Ready::Fixed { training, .. }) => Some(training),
            _ => None,
        }
    }

    fn cache(&self) -> MutexGuard<'_, TrainingCache<G>> {
        // Nothing is left half done by a panic: a cache only ever gains parts.
        open(&self.cache)
    }

    /// The estimate at a point that need not be a state's, with the straight line from there.
    pub(crate) fn estimate_at<Q: Game<Ground = G>>(
        &mut self,
        game: &Q,
        state: &Q::State,
        place: Option<usize>,
        at: Place,
        straight: Cost,
    ) -> Cost {
        match &mut self.ready {
            Some(Ready::Fixed { training, memo }) => match place {
                Some(place) => memo.estimate(training, place as u32, at, straight),
                None => training.estimate(at, straight),
            },
            Some(Ready::Moving {
                prey,
                moving,
                ground,
                places,
                hint,
            }) => {
                let (number, goal) = ground.square_of(game.whereabouts(state, *prey));
                let goal = places.at(number, || moving.goal_at(ground.chased(goal)));
                moving.estimate(at, straight, &goal, hint)
            }
            None => {
                debug_assert!(false, "prepare comes before the first estimate");
                straight
            }
        }
    }
}

impl<Q: Game> Heuristic<Q> for TGraphHeuristic<Q::Ground> {
    #[inline]
    fn estimate(&mut self, game: &Q, state: &Q::State) -> Cost {
        let (place, at) = (game.place(state), game.at(state));
        self.estimate_at(game, state, Some(place), at, game.straight(state))
    }

    fn promise(&self) -> Promise {
        match &self.ready {
            Some(Ready::Fixed { training, .. }) if training.consistency().is_some() => {
                Promise::Consistent
            }
            Some(_) => Promise::Admissible,
            None => Promise::None,
        }
    }

    fn inflation(&self) -> Weight {
        match &self.ready {
            Some(Ready::Fixed { training, .. }) => {
                training.consistency().unwrap_or(self.settings.inflation)
            }
            _ => self.settings.inflation,
        }
    }

    fn prepare(&mut self, game: &Q, budget: &mut Budget<'_>) -> bool {
        let mut cache = self.cache();
        let is_new = cache.begin(game);
        if !cache.learn(game, budget) {
            return false;
        }
        let learned = cache.learned.clone();
        drop(cache);
        if is_new || self.ready.is_none() || !self.has(learned.as_ref()) {
            self.ready = learned.map(|learned| match learned {
                Learned::Fixed(training, memo) => Ready::Fixed {
                    training,
                    memo: match self.remember {
                        Remember::Places => memo,
                        Remember::Nothing => Memo::new(Remember::Nothing, 0),
                    },
                },
                Learned::Moving {
                    prey,
                    moving,
                    ground,
                } => Ready::Moving {
                    prey,
                    moving,
                    ground,
                    places: GoalPlaces::keeping(GOAL_PLACES),
                    hint: MovingHint::default(),
                },
            });
        }
        true
    }
}

impl<G> TGraphHeuristic<G> {
    /// Whether what is at hand is what was learned last.
    fn has(&self, learned: Option<&Learned<G>>) -> bool {
        match (&self.ready, learned) {
            (Some(Ready::Fixed { training, .. }), Some(Learned::Fixed(learned, _))) => {
                Arc::ptr_eq(training, learned)
            }
            (
                Some(Ready::Moving { moving, .. }),
                Some(Learned::Moving {
                    moving: learned, ..
                }),
            ) => Arc::ptr_eq(moving, learned),
            _ => false,
        }
    }
}

impl<G: Ground> School<G> {
    /// The ways to where demonstrations begin and end and to the goal, and the graph, as far as nobody
    /// has learned them yet. `None`: the budget is spent, call again.
    fn learn<Q: Game<Ground = G>>(
        &self,
        game: &Q,
        aim: &Aim,
        budget: &mut Budget<'_>,
    ) -> Option<Common<G>> {
        let (ground, speed, level) = (game.ground(), game.top_speed(), level_of(game));
        let mut levels = open(&self.levels);
        let ways = levels.find_or_put(
            |ways| ways.level == level,
            || LevelWays {
                level,
                ground: GroundWays::new(ground.clone(), speed),
                goals: Shelf::default(),
            },
        );
        for target in ends(&self.demonstrations) {
            if !ways.ground.get_ready(target, budget) {
                return None;
            }
        }
        if moving_goal(aim, game).is_some() {
            let lasts = self.demonstrations.iter();
            let lasts = lasts.filter_map(|shown| shown.samples.last());
            for last in lasts {
                if !ways.ground.get_ready_from(last.place, budget) {
                    return None;
                }
            }
        }
        let places = goal_places(aim, game);
        let goal = ways.goals.find_or_put(
            |goal| goal.places == places,
            || GoalWays {
                sweeping: Some(DistanceField::to(&**ground, places.iter().copied(), speed)),
                places: places.clone(),
                swept: None,
            },
        );
        if let Some(field) = &mut goal.sweeping
            && !field.sweep(&**ground, budget)
        {
            return None;
        }
        if let Some(field) = goal.sweeping.take() {
            goal.swept = Some(ways.ground.to_nearest(field));
        }
        let to_goal = goal.swept.clone()?;
        let mut read = open(&self.read);
        let read = &mut *read;
        while let Some(shown) = self.demonstrations.get(read.traces.len()) {
            // Nobody has it before it is whole.
            let graph = Arc::make_mut(&mut read.graph);
            if !read.adding.go_on(graph, shown, budget) {
                return None;
            }
            let added = std::mem::take(&mut read.adding);
            Arc::make_mut(&mut read.traces).push(added.trace);
        }
        Some(Common {
            ground: ways.ground.clone(),
            to_goal,
            graph: read.graph.clone(),
        })
    }
}

/// What all searches for a goal in a level have in common, once it is learned.
struct Common<G> {
    ground: GroundWays<G>,
    to_goal: Arc<dyn WaysTo>,
    graph: Arc<DemonstrationGraph>,
}

impl<G: Ground> TrainingCache<G> {
    /// Begins a new cache if the quest is another one.
    fn begin<Q: Game<Ground = G>>(&mut self, game: &Q) -> bool {
        let aim = self.elsewhere.as_ref().unwrap_or_else(|| game.aim());
        let key = LessonKey {
            level: level_of(game),
            aim: aim.clone(),
            start: game.at(&game.start()),
        };
        if self.key.as_ref() == Some(&key) {
            return false;
        }
        self.ground = None;
        self.learning = None;
        self.learned = None;
        self.to_goal = None;
        self.key = Some(key);
        true
    }

    fn learn<Q: Game<Ground = G>>(&mut self, game: &Q, budget: &mut Budget<'_>) -> bool {
        let (Some(key), None) = (&self.key, &self.learned) else {
            return true;
        };
        let aim = self.elsewhere.as_ref().unwrap_or_else(|| game.aim());
        let start = key.start;
        let Some(common) = self.school.learn(game, aim, budget) else {
            return false;
        };
        let (graph, swept) = (common.graph, common.to_goal);
        let ground = self.ground.get_or_insert(common.ground);
        if self.settings.asks_for_the_start() && !ground.get_ready(start, budget) {
            return false;
        }
        let learning = self.learning.get_or_insert_with(|| {
            let straight = ground.straight();
            if moving_goal(aim, game).is_some() {
                let start = Some(start);
                let learning = MovingGoalBuilder::new(&graph, straight, self.settings, start);
                return BeingLearned::Moving(Box::new(learning));
            }
            self.to_goal = Some(swept.clone());
            let journey = Journey {
                start: Some(start),
                goal: swept.clone(),
                ways: ground,
            };
            let learning =
                TrainingGraphBuilder::new(graph.clone(), straight, self.settings, &journey);
            BeingLearned::Fixed(Box::new(learning))
        });
        let is_done = match learning {
            BeingLearned::Fixed(learning) => learning.go_on(ground, budget),
            BeingLearned::Moving(learning) => learning.go_on(&graph, ground, budget),
        };
        if !is_done {
            return false;
        }
        self.learned = match self.learning.take() {
            Some(BeingLearned::Fixed(learning)) => {
                let memo = Memo::new(Remember::Places, game.ground().places());
                Some(Learned::Fixed(Arc::new(learning.finish()), memo))
            }
            Some(BeingLearned::Moving(learning)) => {
                moving_goal(aim, game).map(|prey| Learned::Moving {
                    prey,
                    moving: Arc::new(learning.finish()),
                    ground: Arc::new(ground.clone()),
                })
            }
            None => None,
        };
        true
    }
}

/// Where demonstrations begin and end.
fn ends(demonstrations: &[Demonstration]) -> impl Iterator<Item = Place> + '_ {
    demonstrations.iter().flat_map(|shown| {
        let ends = [shown.samples.first(), shown.samples.last()];
        ends.into_iter().flatten().map(|sample| sample.place)
    })
}

/// Whom a goal is about, if it is about somebody who moves and about no fixed place.
fn moving_goal<Q: Game>(aim: &Aim, game: &Q) -> Option<LandmarkId> {
    match aim {
        Aim::Done(landmark) => {
            let mark = game.landmarks().get(landmark.index())?;
            (mark.moves && !game.is_gone(*landmark)).then_some(*landmark)
        }
        Aim::All(aims) => {
            let has_place = aims
                .iter()
                .any(|aim| moving_goal(aim, game).is_none() && has_place(aim));
            let mut prey = aims.iter().filter_map(|aim| moving_goal(aim, game));
            prey.next_back().filter(|_| !has_place)
        }
        _ => None,
    }
}

fn has_place(aim: &Aim) -> bool {
    match aim {
        Aim::All(aims) | Aim::Any(aims) => aims.iter().any(has_place),
        Aim::Within { .. } | Aim::At(_) | Aim::Done(_) => true,
        _ => false,
    }
}

/// Where one has to be in the end, as far as the goal says: at its place if it names one, else at
/// whatever is to be fetched, pulled, opened or fought.
pub(crate) fn goal_places<Q: Game>(aim: &Aim, game: &Q) -> Vec<usize> {
    match aim {
        Aim::Within {
            x,
            y,
            height,
            radius,
        } => game.ground().within(*x, *y, *height, *radius),
        Aim::At(places) => places.clone(),
        Aim::Done(landmark) => match game.landmarks().get(landmark.index()) {
            Some(mark) if mark.bars => mark.places.clone(),
            Some(mark) => vec![mark.place],
            None => Vec::new(),
        },
        Aim::Any(aims) => {
            let places = aims.iter().flat_map(|aim| goal_places(aim, game));
            places.collect()
        }
        Aim::All(aims) => {
            let within = aims
                .iter()
                .find(|aim| matches!(aim, Aim::Within { .. } | Aim::At(_)));
            let last = || aims.iter().rev().find(|aim| has_place(aim));
            let chosen = within.or_else(last);
            chosen.map_or_else(Vec::new, |aim| goal_places(aim, game))
        }
        _ => Vec::new(),
    }
}
