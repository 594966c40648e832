//! From a planner's name and numbers to a search and the heuristics it follows.

use std::sync::Arc;

use apprentice_experience::{
    Corridor, Demonstration, ExperienceMode, Projection, Relevance, Remember, StartEdge,
    TrainingSettings,
};
use apprentice_game::{Aim, Foes, Game, Ground, Landmark, LandmarkId, ShortestPath, StraightLine};
use apprentice_search::{
    AnytimeMhaStar, AraSchedule, AraStar, BestFirst, BoxedHeuristic, BoxedSearch, Budget,
    Heuristic, Highest, ImprovedMhaStar, IndependentMhaStar, MhaForm, MhaStar, MhaWeights,
    Reopening, Scaled, Turns, WeakAnchor, Weight,
};

use crate::key_door_heuristic::{serves, worth_fetching};
use crate::kit::Kit;
use crate::matched::Matched;
use crate::novelty::Novelty;
use crate::refuting::Refuting;
use crate::{
    BadSetting, EGraphHeuristic, Estimate, EventGuide, EventHeuristic, EventMetric, InStep,
    KeyDoorHeuristic, MannerHeuristic, PlannerName, TGraphHeuristic, Wary,
};

/// How many times longer than the best what was shown may well be. An adviser beyond the anchor is
/// not heard, so that much is taken off.
const DETOUR: f64 = 2.0;

/// How many times longer than the anchor knows a round may well be that fetches things first which
/// no door asks for.
const FIRST_DETOUR: f64 = 1.5;

/// Turns in each round of `auto` for an adviser that knows the whole round of errands; the others
/// have one, in case it is wrong.
const TURNS_OF_ERRANDS: u32 = 4;

/// Turns at first for whoever leads along what was shown and gets no further, before others lead elsewhere:
/// enough to find a way round somebody who stands in it. So many times what is not shown counts, since
/// whoever wants to follow more may look longer for a way to.
const TURNS_OF_TRAILS: f64 = 1024.0;

/// Rounds before somebody has a turn who minds what is new: by then whoever gets on without is at the goal.
const ROUNDS_BEFORE_NOVELTY: u32 = 16;

/// A planner with all its numbers, checked against a scenario.
#[derive(Clone, Debug, PartialEq)]
pub struct Planner {
    pub(crate) name: PlannerName,
    pub(crate) w: Weight,
    pub(crate) weights: MhaWeights,
    pub(crate) reopening: Reopening,
    pub(crate) training: TrainingSettings,
    /// How many times the shortest way a demonstration may take for `auto` to follow it.
    pub(crate) reach: f64,
    pub(crate) experience_mode: ExperienceMode,
    pub(crate) extra_turns: Option<u32>,
    pub(crate) events: Vec<LandmarkId>,
    /// Places at which nothing happens, and which advisers lead past all the same.
    pub(crate) extra_events: Vec<usize>,
    pub(crate) event_metric: EventMetric,
    pub(crate) event_guide: EventGuide,
    pub(crate) estimate: Estimate,
    pub(crate) calibrates: bool,
    pub(crate) improves: bool,
    pub(crate) remember: Remember,
    pub(crate) demonstrations: Arc<[Demonstration]>,
}

/// A search, and what the heuristics it follows are called: the anchor first.
pub struct NamedSearch<Q: Game> {
    /// The search.
    pub search: BoxedSearch<Q>,
    /// The names of its heuristics, in the order of `Statistics::expanded_by`.
    pub heuristics: Vec<String>,
}

/// A number of a planner, for documents.
#[derive(Clone, Debug, PartialEq)]
pub enum Parameter {
    /// A number.
    Number(f64),
    /// Yes or no.
    Switch(bool),
    /// A word.
    Word(&'static str),
    /// Names.
    Names(Vec<String>),
}

/// Advisers as they are gathered: their names, and their turns in each round.
struct AdviserSet<Q: Game> {
    advisers: Vec<BoxedHeuristic<Q>>,
    names: Vec<String>,
    turns: Vec<u32>,
    /// Turns they have besides at first.
    patience: Vec<u32>,
    /// Rounds they let pass before their first turn.
    reserve: Vec<u32>,
    /// So many of the first know the whole way, and go on for as long as they get on.
    leaders: usize,
}

impl<Q: Game> AdviserSet<Q> {
    fn new(anchor: &str) -> AdviserSet<Q> {
        AdviserSet {
            advisers: Vec::new(),
            names: vec![anchor.to_owned()],
            turns: Vec::new(),
            patience: Vec::new(),
            reserve: Vec::new(),
            leaders: 0,
        }
    }

    /// Adds one that goes on for as long as it gets on. These come before all others.
    fn add_leader(&mut self, name: String, turns: u32, adviser: BoxedHeuristic<Q>) {
        debug_assert_eq!(self.leaders, self.advisers.len(), "leaders come first");
        self.leaders += 1;
        self.add(name, turns, adviser);
    }

    fn add(&mut self, name: String, turns: u32, adviser: BoxedHeuristic<Q>) {
        self.advisers.push(adviser);
        self.names.push(name);
        self.turns.push(turns);
        self.patience.push(0);
        self.reserve.push(0);
    }

    /// Gives the one that was added last more turns before others have their first.
    fn wait_for(&mut self, turns: u32) {
        if let Some(patience) = self.patience.last_mut() {
            *patience = turns;
        }
    }

    /// Keeps the one that was added last in reserve for so many rounds.
    fn hold_back(&mut self, rounds: u32) {
        if let Some(reserve) = self.reserve.last_mut() {
            *reserve = rounds;
        }
    }
}

impl Planner {
    /// What it is called.
    pub fn name(&self) -> PlannerName {
        self.name
    }

    /// How it uses demonstrated ways that are not on the graph of the map, if it is the E-Graph planner;
    /// `connect` asks for a [`ConnectedQuest`](crate::ConnectedQuest).
    pub fn experience_mode(&self) -> ExperienceMode {
        self.experience_mode
    }

    /// The demonstrations it follows.
    pub fn demonstrations(&self) -> &Arc<[Demonstration]> {
        &self.demonstrations
    }

    /// How many times whatever is not shown counts.
    pub fn epsilon(&self) -> Weight {
        self.training.inflation
    }

    /// A number that two planners share only if they plan alike, the same on every machine: saves name
    /// planners by it.
    #[cfg(feature = "serde")]
    pub fn digest(&self) -> u64 {
        let mut digest = Spelled(0xCBF2_9CE4_8422_2325);
        // Everything it is made of can be shown, and reals are shown to the last bit.
        let _ = std::fmt::Write::write_fmt(&mut digest, format_args!("{self:?}"));
        digest.0
    }

    /// The estimate that follows the demonstrations.
    pub fn following<G: Ground>(&self) -> TGraphHeuristic<G> {
        TGraphHeuristic::new(self.demonstrations.clone(), self.training).remembering(self.remember)
    }

    /// The estimate that uses demonstrated ways where they help.
    pub fn recalling(&self) -> EGraphHeuristic {
        let mode = self.experience_mode;
        EGraphHeuristic::new(self.demonstrations.clone(), self.epsilon(), mode)
    }

    /// Whether each demonstration attracts a search where it starts, and none for one that shows
    /// no way; `None` if this planner does not look at demonstrations, or the goal is nowhere in
    /// particular. `auto` measures them against the shortest way there is, the others against the
    /// straight line. Takes a sweep over the map for each, so ask only if somebody wants to know.
    pub fn relevances<Q: Game>(&self, game: &Q) -> Option<Vec<Option<Relevance>>> {
        if !self.name.follows() {
            return None;
        }
        let mut following = self.following();
        following.prepare(game, &mut Budget::unlimited());
        let start = game.start();
        let at = game.at(&start);
        if self.name == PlannerName::Auto {
            let mut relevances = following.relevances(at, following.shortest(at)?)?;
            for relevance in relevances.iter_mut().flatten() {
                relevance.epsilon = self.reach;
            }
            return Some(relevances);
        }
        let straight = game.straight(&start).as_seconds();
        following.relevances(at, straight)
    }

    /// The search for a quest.
    ///
    /// # Errors
    ///
    /// If the numbers make no search.
    pub fn search<Q: Game + 'static>(&self, game: &Q) -> Result<NamedSearch<Q>, BadSetting> {
        let mut named = self.search_with(game, &Kit::new(self))?;
        // Characters go without: they have an end to their patience, and ask again when things change.
        if self.name == PlannerName::Auto {
            named.search = Box::new(Refuting::new(named.search));
        }
        Ok(named)
    }

    /// The same, made of what others use, too.
    pub(crate) fn search_with<Q: Game + 'static>(
        &self,
        game: &Q,
        kit: &Kit<Q::Ground>,
    ) -> Result<NamedSearch<Q>, BadSetting> {
        let alone = |search: BoxedSearch<Q>, heuristic: &str| {
            let heuristics = vec![heuristic.to_owned()];
            Ok(NamedSearch { search, heuristics })
        };
        match self.name {
            PlannerName::Astar | PlannerName::Wastar | PlannerName::Ara => match self.estimate {
                Estimate::Straight => alone(self.plain(StraightLine)?, "straight"),
                Estimate::Path => alone(self.plain(ShortestPath::default())?, "path"),
            },
            PlannerName::Egraph => {
                let search = BestFirst::weighted_astar(kit.recalling.clone(), self.w);
                alone(Box::new(search.with_reopening(self.reopening)), "egraph")
            }
            PlannerName::Tgraph => {
                let search = BestFirst::weighted_astar(kit.following().clone(), self.w);
                alone(Box::new(search.with_reopening(self.reopening)), "tgraph")
            }
            PlannerName::Auto => self.auto(game, kit, Vec::new()),
            _ => self.advised(game, kit),
        }
    }

    /// The search of `auto`, whatever this planner is called, with further advisers that take the
    /// part of those that only look at places.
    ///
    /// # Errors
    ///
    /// If the numbers make no search.
    pub fn advised_by<Q: Game + 'static>(
        &self,
        game: &Q,
        more: Vec<(String, BoxedHeuristic<Q>)>,
    ) -> Result<NamedSearch<Q>, BadSetting> {
        self.auto(game, &Kit::new(self), more)
    }

    /// A search that goes by one estimate.
    fn plain<Q, H>(&self, estimate: H) -> Result<BoxedSearch<Q>, BadSetting>
    where
        Q: Game + 'static,
        H: Heuristic<Q> + Clone + Send + Sync + 'static,
    {
        Ok(match self.name {
            PlannerName::Ara => Box::new(AraStar::new(estimate, self.schedule()?)),
            PlannerName::Astar => {
                Box::new(BestFirst::astar(estimate).with_reopening(self.reopening))
            }
            _ => {
                let search = BestFirst::weighted_astar(estimate, self.w);
                Box::new(search.with_reopening(self.reopening))
            }
        })
    }

    /// The MHA* family as published: the straight line is the anchor, or the shortest way, and every
    /// event has an adviser. Whoever accompanies somebody has one that keeps in step.
    fn advised<Q: Game + 'static>(
        &self,
        game: &Q,
        kit: &Kit<Q::Ground>,
    ) -> Result<NamedSearch<Q>, BadSetting> {
        let landmarks = game.landmarks();
        let mut adviser_set = AdviserSet::new(self.estimate.name());
        let shows = !self.demonstrations.is_empty();
        let following = kit.following();
        if !shows {
            let adviser = self.calibrated(ShortestPath::default(), 1.0);
            adviser_set.add("path".to_owned(), 1, adviser);
        } else if self.extra_turns.is_some() || self.events.is_empty() {
            let turns = self.extra_turns.unwrap_or(0).saturating_add(1);
            let adviser = self.calibrated(following.clone(), self.epsilon().as_f64());
            adviser_set.add("tgraph".to_owned(), turns, adviser);
        }
        for event in &self.events {
            let by_event = self.passing_by(landmarks, *event, kit, shows);
            let inflation = if shows { self.epsilon().as_f64() } else { 1.0 };
            let adviser = self.calibrated(by_event, inflation);
            adviser_set.add(self.event_name(landmarks, *event), 1, adviser);
        }
        let places = game.ground().places();
        for place in self.extra_events.iter().filter(|place| **place < places) {
            let nothing = EventHeuristic::nothing_at(&**game.ground(), *place);
            let nothing = self.going_on(nothing, kit, shows);
            let inflation = if shows { self.epsilon().as_f64() } else { 1.0 };
            let adviser = self.calibrated(nothing, inflation);
            adviser_set.add(format!("place:{place}"), 1, adviser);
        }
        if game.is_in_step(&game.start()).is_some() {
            let adviser = self.calibrated(InStep::new(ShortestPath::default()), 1.0);
            adviser_set.add("in step".to_owned(), 1, adviser);
        }
        let names = adviser_set.names.clone();
        let search = match self.estimate {
            Estimate::Straight => self.anchored(StraightLine, adviser_set)?,
            Estimate::Path => self.anchored(ShortestPath::default(), adviser_set)?,
        };
        Ok(NamedSearch {
            search,
            heuristics: names,
        })
    }

    /// A search of the MHA* family with its anchor.
    fn anchored<Q, H>(
        &self,
        anchor: H,
        adviser_set: AdviserSet<Q>,
    ) -> Result<BoxedSearch<Q>, BadSetting>
    where
        Q: Game + 'static,
        H: Heuristic<Q> + Clone + Send + Sync + 'static,
    {
        let AdviserSet {
            advisers, turns, ..
        } = adviser_set;
        let turns = Turns::with_repeats(turns);
        Ok(match self.name {
            PlannerName::Mha => {
                let search = MhaStar::new(anchor, advisers, self.weights);
                Box::new(search.map_err(|error| weak(&error))?.with_turns(turns))
            }
            PlannerName::MhaIndependent => {
                let search = IndependentMhaStar::new(anchor, advisers, self.weights);
                Box::new(search.map_err(|error| weak(&error))?.with_turns(turns))
            }
            name => {
                let form = match name {
                    PlannerName::MhaPlus => MhaForm::PlusPlus,
                    PlannerName::MhaFocal => MhaForm::Focal,
                    _ => MhaForm::Unconstrained,
                };
                let search = ImprovedMhaStar::new(form, anchor, advisers, self.w);
                Box::new(search.map_err(|error| weak(&error))?.with_turns(turns))
            }
        })
    }

    /// Shared MHA* anchored on the errands, which are a lower bound that knows of doors and keys,
    /// and advised by everything there is.
    ///
    /// The anchor's estimates are not inflated where advisers are trusted instead: its least priority
    /// never falls below what it promised at the start, so that advisers are heard however near the
    /// goal others have come who got no further. Advisers are inflated by as much as they are trusted.
    fn auto<Q: Game + 'static>(
        &self,
        game: &Q,
        kit: &Kit<Q::Ground>,
        more: Vec<(String, BoxedHeuristic<Q>)>,
    ) -> Result<NamedSearch<Q>, BadSetting> {
        let landmarks = game.landmarks();
        let mut adviser_set = AdviserSet::new("errands");
        let errands = kit.errands.clone();
        let greed = self.weights.trust.as_f64();
        let shows = !self.demonstrations.is_empty() && self.epsilon() > Weight::ONE;
        let extra = self.extra_turns.unwrap_or(0);
        // Where harm is paid for, nobody leads who does not know of it: they would be at the goal first.
        let pays = !game.prices().is_none() && game.foes() != Foes::None;
        let worthwhile = worth_fetching(game, &self.events);
        let events: Vec<LandmarkId> = if pays {
            Vec::new()
        } else {
            let events = self.events.iter().copied();
            events.filter(|event| serves(game, *event)).collect()
        };
        let epsilon = self.epsilon().as_f64();
        if shows {
            let following = kit.following();
            let along = errands.clone().along_trail(kit.trail.clone());
            // Never more than ε times the anchor, so it is always heard.
            let scale =
                |errands: KeyDoorHeuristic<Q::Ground>| self.scaled(errands, greed / epsilon);
            let imitates = MannerHeuristic::<Q::Ground>::is_worthwhile(game, &self.demonstrations);
            let imitates = imitates && !pays;
            let often = extra.saturating_add(TURNS_OF_ERRANDS);
            // Whether somebody who moves lets one by only shows after many states; a guard shows at once.
            let patience = if game.foes() == Foes::Moving {
                (TURNS_OF_TRAILS * epsilon) as u32
            } else {
                0
            };
            if imitates {
                let adviser = MannerHeuristic::new(following.clone());
                let adviser = self.scaled(adviser, greed / epsilon);
                adviser_set.add_leader("gaits".to_owned(), often, adviser);
                adviser_set.wait_for(patience);
            }
            if more.is_empty() {
                let accompanies = game.is_in_step(&game.start()).is_some();
                if accompanies && !pays {
                    let adviser = self.scaled(InStep::new(along.clone()), greed / epsilon);
                    adviser_set.add_leader("trail in step".to_owned(), often, adviser);
                    adviser_set.wait_for(patience);
                }
                // The trail knows nothing of gaits, so it must not be first where they matter.
                let (turns, patience) = if imitates || accompanies {
                    (1, 0)
                } else {
                    (often, patience)
                };
                if !pays {
                    adviser_set.add_leader("trail".to_owned(), turns, scale(along.clone()));
                    adviser_set.wait_for(patience);
                }
                if game.foes() != Foes::None {
                    let wary = Wary::new(along.clone(), errands.clone());
                    let names = ["wary trail", "unharmed trail"];
                    self.add_wary(&mut adviser_set, names, wary, &errands);
                }
                if !worthwhile.is_empty() {
                    let first = along.with_first(worthwhile.iter().copied());
                    let adviser = self.scaled(first, greed / (epsilon * FIRST_DETOUR));
                    adviser_set.add_leader(self.first_name(landmarks, &worthwhile), turns, adviser);
                    adviser_set.wait_for(patience);
                }
                self.add_rounds(&mut adviser_set, game, &errands);
                if !pays {
                    let adviser = self.scaled(following.clone(), greed / epsilon);
                    adviser_set.add("tgraph".to_owned(), extra.saturating_add(1), adviser);
                }
            }
            // Whoever knows more than places takes the part of those who don't: they would be at
            // the goal before it has gone half its way.
            for (name, adviser) in more {
                if let Some(scaled) = Scaled::new(adviser, greed / epsilon) {
                    adviser_set.add_leader(name, often, Box::new(scaled));
                }
            }
            for event in &events {
                let adviser = self.passing_by(landmarks, *event, kit, true);
                let name = self.event_name(landmarks, *event);
                adviser_set.add(name, 1, self.calibrated(adviser, epsilon / greed));
            }
        } else {
            self.add_rounds(&mut adviser_set, game, &errands);
            if !worthwhile.is_empty() {
                let first = errands.clone().with_first(worthwhile.iter().copied());
                let adviser = self.scaled(first, greed / DETOUR);
                adviser_set.add(
                    self.first_name(landmarks, &worthwhile),
                    TURNS_OF_ERRANDS,
                    adviser,
                );
            }
            for event in &events {
                let by_event = self.passing_by(landmarks, *event, kit, false);
                let adviser = self.calibrated(by_event, 1.0 / greed);
                adviser_set.add(self.event_name(landmarks, *event), 1, adviser);
            }
        }
        let anchor = Highest::new(vec![
            Box::new(StraightLine) as BoxedHeuristic<Q>,
            Box::new(errands),
        ]);
        let turns = Turns::with_repeats(adviser_set.turns)
            .with_patience(adviser_set.patience)
            .with_reserve(adviser_set.reserve)
            .led_by(adviser_set.leaders);
        let search = MhaStar::new(anchor, adviser_set.advisers, self.weights);
        let search = search.map_err(|error| weak(&error))?.with_turns(turns);
        let search: BoxedSearch<Q> = if self.improves {
            Box::new(AnytimeMhaStar::from(search))
        } else {
            Box::new(search)
        };
        Ok(NamedSearch {
            search,
            heuristics: adviser_set.names,
        })
    }

    /// Adds those who know the whole round, whatever is shown: the shortest, and one that keeps away
    /// from enemies.
    fn add_rounds<Q: Game + 'static>(
        &self,
        adviser_set: &mut AdviserSet<Q>,
        game: &Q,
        errands: &KeyDoorHeuristic<Q::Ground>,
    ) {
        let greed = self.weights.trust.as_f64();
        // What a player might do on its way is no errand to the anchor, nor is somebody to be found
        // and fought; but here they are.
        let is_fight = |part: &&Aim| match part {
            Aim::Done(landmark) => {
                let mark = game.landmarks().get(landmark.index());
                mark.is_some_and(|mark| mark.moves)
            }
            _ => false,
        };
        let round = if game.is_helped() || game.aim().parts().iter().any(is_fight) {
            errands.clone().unaided()
        } else {
            errands.clone()
        };
        let pays = !game.prices().is_none() && game.foes() != Foes::None;
        if !pays {
            let adviser = self.scaled(Matched::new(round, errands.clone()), greed / DETOUR);
            adviser_set.add_leader("round".to_owned(), TURNS_OF_ERRANDS, adviser);
        }
        if game.foes() != Foes::None {
            let wary = Wary::new(errands.clone(), errands.clone());
            self.add_wary(adviser_set, ["wary", "unharmed"], wary, errands);
        }
        if game.moves_by_itself() {
            let wary = Wary::new(errands.clone(), errands.clone());
            let matched = Matched::new(wary, errands.clone());
            let adviser = self.scaled(Novelty::new(matched), greed / DETOUR);
            adviser_set.add_leader("novelty".to_owned(), TURNS_OF_ERRANDS, adviser);
            adviser_set.hold_back(ROUNDS_BEFORE_NOVELTY);
        }
        if game.is_in_step(&game.start()).is_some() {
            let wary = Wary::new(errands.clone(), errands.clone()).unharmed();
            let matched = Matched::new(InStep::new(wary), errands.clone());
            let adviser = self.scaled(matched, greed / DETOUR);
            adviser_set.add_leader("in step".to_owned(), TURNS_OF_ERRANDS, adviser);
        }
    }

    /// Adds two who keep away from enemies: one minds what it loses, the other minds more.
    fn add_wary<Q: Game + 'static>(
        &self,
        adviser_set: &mut AdviserSet<Q>,
        names: [&str; 2],
        wary: Wary<Q::Ground>,
        errands: &KeyDoorHeuristic<Q::Ground>,
    ) {
        let greed = self.weights.trust.as_f64();
        let turns = self
            .extra_turns
            .unwrap_or(0)
            .saturating_add(TURNS_OF_ERRANDS);
        for (name, adviser) in names.into_iter().zip([wary.clone(), wary.unharmed()]) {
            let matched = Matched::new(adviser, errands.clone());
            let adviser = self.scaled(matched, greed / DETOUR);
            adviser_set.add_leader(name.to_owned(), turns, adviser);
        }
    }

    /// The estimate that passes by an event, and then follows demonstrations if there are any.
    pub fn by_event<G: Ground>(
        &self,
        landmarks: &[Landmark],
        event: LandmarkId,
        following: Option<&TGraphHeuristic<G>>,
    ) -> EventHeuristic<G> {
        let mut kit = Kit::new(self);
        if let Some(following) = following {
            kit = kit.with_following(following.clone());
        }
        self.passing_by(landmarks, event, &kit, following.is_some())
    }

    /// The same, made of what others use, too; whether anything is followed.
    fn passing_by<G: Ground>(
        &self,
        landmarks: &[Landmark],
        event: LandmarkId,
        kit: &Kit<G>,
        follows: bool,
    ) -> EventHeuristic<G> {
        self.going_on(EventHeuristic::new(landmarks, event), kit, follows)
    }

    /// The same, told how to go there and on from there.
    fn going_on<G: Ground>(
        &self,
        by_event: EventHeuristic<G>,
        kit: &Kit<G>,
        follows: bool,
    ) -> EventHeuristic<G> {
        let following = kit.following();
        if !follows {
            // There is nothing to go along but the ways there are.
            let metric = match self.event_metric {
                EventMetric::Training => EventMetric::Straight,
                metric => metric,
            };
            return by_event.measured_by(metric, following, &kit.paths);
        }
        let by_event = match self.event_guide {
            EventGuide::Training => by_event.following(following.clone()),
            EventGuide::Experience => by_event.recalling(kit.recalling.clone()),
        };
        by_event.measured_by(self.event_metric, following, &kit.paths)
    }

    fn event_name(&self, landmarks: &[Landmark], event: LandmarkId) -> String {
        format!("event:{}", landmarks[event.index()].name)
    }

    fn first_name(&self, landmarks: &[Landmark], first: &[LandmarkId]) -> String {
        let names = first.iter().map(|event| &*landmarks[event.index()].name);
        let names: Vec<&str> = names.collect();
        format!("first:{}", names.join("+"))
    }

    /// The numbers that matter to the planner, for documents.
    pub fn parameters(&self, landmarks: &[Landmark]) -> Vec<(&'static str, Parameter)> {
        let number = |weight: Weight| Parameter::Number(weight.as_f64());
        let mut parameters = vec![("bound", number(self.proves()))];
        match self.name {
            PlannerName::Astar => {}
            name if name.weighs_advisers() => {
                parameters.push(("w1", number(self.weights.inflation)));
                parameters.push(("w2", number(self.weights.trust)));
                parameters.push(("calibration", Parameter::Switch(self.calibrates)));
            }
            _ => parameters.push(("w", number(self.w))),
        }
        if self.name.follows() {
            parameters.push(("epsilon", number(self.epsilon())));
            // What is usual goes without saying, as it did before there was a choice.
            let mode = match self.experience_mode {
                ExperienceMode::Connect => Some("connect"),
                ExperienceMode::ProjectNodes => None,
                ExperienceMode::HeuristicOnly => Some("heuristic"),
            };
            if self.name == PlannerName::Egraph {
                parameters.extend(mode.map(|mode| ("egraph_mode", Parameter::Word(mode))));
            } else {
                let projection = match self.training.projection {
                    Projection::Perpendicular => "perpendicular",
                    Projection::Consistent => "consistent",
                };
                let corridor = match self.training.corridor {
                    Corridor::Field => "printed",
                    Corridor::Path => "path",
                };
                let start_edge = match self.training.start_edge {
                    StartEdge::Start => "start",
                    StartEdge::Query => "query",
                    StartEdge::Off => "off",
                };
                parameters.push(("projection", Parameter::Word(projection)));
                parameters.push(("corridor", Parameter::Word(corridor)));
                parameters.push(("start_edge", Parameter::Word(start_edge)));
            }
            let names = self.demonstrations.iter().map(|shown| shown.name.clone());
            parameters.push(("demonstrations", Parameter::Names(names.collect())));
        }
        if matches!(self.name, PlannerName::Astar | PlannerName::Wastar) || self.name.is_led() {
            let reopens = self.reopening == Reopening::Always;
            parameters.push(("reopen", Parameter::Switch(reopens)));
        }
        if self.name.has_advisers() {
            let extra = f64::from(self.extra_turns.unwrap_or(0));
            parameters.push(("extra_turns", Parameter::Number(extra)));
            let ids = self.events.iter();
            let ids = ids
                .map(|event| landmarks[event.index()].name.clone())
                .collect();
            parameters.push(("events", Parameter::Names(ids)));
            let metric = match self.event_metric {
                EventMetric::Straight => "straight",
                EventMetric::Path => "path",
                EventMetric::Training => "tgraph",
            };
            let guide = match self.event_guide {
                EventGuide::Training => "tgraph",
                EventGuide::Experience => "egraph",
            };
            parameters.push(("event_metric", Parameter::Word(metric)));
            parameters.push(("event_guide", Parameter::Word(guide)));
        }
        if self.estimate != Estimate::Straight && self.name.goes_by_estimate() {
            parameters.push(("estimate", Parameter::Word(self.estimate.name())));
        }
        if self.name == PlannerName::Auto {
            parameters.push(("improve", Parameter::Switch(self.improves)));
        }
        parameters
    }

    /// How many times the best its first plan may cost, if that can be proven at all.
    pub fn proves(&self) -> Weight {
        match self.name {
            PlannerName::Astar => Weight::ONE,
            name if name.is_led() => self.w.times(self.training.inflation),
            name if name.weighs_advisers() => self.weights.bound(),
            _ => self.w,
        }
    }

    /// From the bound to the best in eight steps, or in steps of a quarter where that is fewer.
    fn schedule(&self) -> Result<AraSchedule, BadSetting> {
        let first = self.w.as_f64();
        let step = ((first - 1.0) / 8.0).max(0.25);
        AraSchedule::new(first, step, 1.0).map_err(|error| BadSetting(error.to_string()))
    }

    /// Improved MHA* only compares the estimates of one adviser with each other, so that their
    /// scale does not matter; the others weigh them against the anchor. `inflation` is taken off,
    /// and what a demonstration may be longer than the best.
    fn calibrated<Q, H>(&self, adviser: H, inflation: f64) -> BoxedHeuristic<Q>
    where
        Q: Game + 'static,
        H: Heuristic<Q> + Clone + Send + Sync + 'static,
    {
        self.scaled(adviser, 1.0 / (DETOUR * inflation))
    }

    fn scaled<Q, H>(&self, adviser: H, factor: f64) -> BoxedHeuristic<Q>
    where
        Q: Game + 'static,
        H: Heuristic<Q> + Clone + Send + Sync + 'static,
    {
        let scaled = Scaled::new(adviser.clone(), factor)
            .filter(|_| self.name.weighs_advisers() && self.calibrates);
        match scaled {
            Some(scaled) => Box::new(scaled),
            None => Box::new(adviser),
        }
    }
}

/// The 64-bit FNV-1a hash of a text that nobody keeps.
#[cfg(feature = "serde")]
struct Spelled(u64);

#[cfg(feature = "serde")]
impl std::fmt::Write for Spelled {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        for byte in text.bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
        }
        Ok(())
    }
}

fn weak(error: &WeakAnchor) -> BadSetting {
    BadSetting(error.to_string())
}
