//! The exact cost of an abstraction: what is still to be fetched, pulled and passed before the goal,
//! and the shortest round of it.

mod abstraction;
mod corridors;
mod field;
mod field_pool;
mod rounds;

use std::sync::{Arc, Mutex};

use apprentice_game::{Aim, Foes, Game, Ground, Landmark, LandmarkId, Others, Survey};
use apprentice_search::{Budget, Cost, Heuristic, Promise};

use crate::TGraphHeuristic;
use crate::danger::{DangerKey, Dangers, Prices};
use crate::ground::level_of;
use crate::shelf::{Shelf, open};
use crate::trail::{LaidTrail, SharedTrail};
use abstraction::{AgendaKey, Groundwork, KeyDoorAbstraction};
use field_pool::FieldPool;

/// The time of the shortest round that fetches keys, pulls levers, passes doors and ends at the
/// goal, as if no enemy were about.
///
/// It is the exact cost of a simpler quest, in which only walls and doors matter, so it is
/// consistent and sees what straight lines and shortest ways don't: that a locked door means a way
/// to its key first. One sweep over the map for each thing, and then a table of rounds. Which doors
/// are locked, and which keys there are, is asked of the world the quest begins in: whatever has been
/// opened until then, by whomever, is no errand any more, and what was taken away opens nothing. What
/// a player might open or pull on its route is nothing that must be done. Whoever is to be met and never
/// leaves some ground must be met there ([`Game::territory_of`]).
///
/// Others promise nothing and serve as advisers. With a [`Trail`](crate::Trail), steps along demonstrations
/// count less than others, so the round keeps to what was shown and leaves it only for what lies
/// elsewhere. With things to fetch first, the round passes by one of them even if no door asks for it:
/// a shield, say. Those that are unaided count on no player; those that are wary keep away from enemies.
///
/// Clones share what they get ready, and as much as is the same if they are made otherwise
/// afterwards.
///
/// ```
/// use apprentice_behavior::KeyDoorHeuristic;
/// use apprentice_search::{Budget, Cost, Heuristic, Problem};
/// use apprentice_world::{AnyQuest, Scenario};
///
/// let scenario = Scenario::parse(r##"
///     format = 1
///     start = [2, 0]
///     goal = { within = { at = [4, 0], radius = 0.0 } }
///     map = { rows = ["....."] }
///     key = [{ id = "red", at = [0, 0], opens = ["gate"] }]
///     door = [{ id = "gate", at = [[3, 0]] }]
/// "##)?;
/// let AnyQuest::Still(quest) = scenario.quest() else { panic!("nothing moves here") };
/// let mut errands = KeyDoorHeuristic::default();
/// assert!(errands.prepare(&quest, &mut Budget::unlimited()));
/// // Two steps back for the key, four to the goal.
/// assert_eq!(errands.estimate(&quest, &quest.start()), Cost::from_seconds(6.0));
/// # Ok::<(), apprentice_world::ScenarioError>(())
/// ```
#[derive(Clone)]
pub struct KeyDoorHeuristic<G> {
    trail: Option<SharedTrail<G>>,
    first: Vec<LandmarkId>,
    is_unaided: bool,
    is_wary: bool,
    agenda: Option<Arc<KeyDoorAbstraction>>,
    /// What is worked out for one search only, because it depends on where that begins.
    own: Arc<Mutex<Own>>,
    works: Arc<Works>,
}

/// What depends on where a search begins.
#[derive(Default)]
struct Own {
    making: Option<KeyDoorAbstraction>,
    ready: Option<Arc<KeyDoorAbstraction>>,
}

/// What is got ready for all searches in a level, whoever begins with it and wherever.
#[derive(Default)]
struct Works {
    /// What others might do.
    others: Mutex<Shelf<Box<dyn Survey>>>,
    danger: Mutex<Shelf<Dangers>>,
    making: Mutex<Shelf<KeyDoorAbstraction>>,
    ready: Mutex<Shelf<Arc<KeyDoorAbstraction>>>,
    /// What agendas that depend on the start have in common.
    groundwork: Mutex<Shelf<Arc<Groundwork>>>,
    /// What is swept for one of them serves all, however they are made.
    fields: FieldPool,
}

impl<G> Default for KeyDoorHeuristic<G> {
    fn default() -> KeyDoorHeuristic<G> {
        KeyDoorHeuristic {
            trail: None,
            first: Vec::new(),
            is_unaided: false,
            is_wary: false,
            agenda: None,
            own: Arc::default(),
            works: Arc::default(),
        }
    }
}

impl<G: Ground> KeyDoorHeuristic<G> {
    /// The round that passes by one of these things first.
    #[must_use]
    pub fn with_first(
        mut self,
        things: impl IntoIterator<Item = LandmarkId>,
    ) -> KeyDoorHeuristic<G> {
        self.first.extend(things);
        self.anew()
    }

    /// The round that keeps to the trail of what is followed, by the shortest ways to it and from
    /// it. Steps off it count `inflation` times. Where the way along a demonstration takes more
    /// than that many times the shortest, but less than `reach` times, steps along it count as much
    /// less than once as it takes to prefer it; along those that take longer they count once. The trail is laid when it is needed, and clones share
    /// it.
    #[must_use]
    pub fn along(
        self,
        following: TGraphHeuristic<G>,
        inflation: f64,
        reach: f64,
    ) -> KeyDoorHeuristic<G> {
        self.along_trail(SharedTrail::new(following, inflation, reach))
    }

    /// The same with a trail that others keep to, too.
    pub(crate) fn along_trail(mut self, trail: SharedTrail<G>) -> KeyDoorHeuristic<G> {
        self.trail = Some(trail);
        self.anew()
    }

    /// The round of somebody who counts on nobody to open a door or pull a lever for it.
    #[must_use]
    pub fn unaided(mut self) -> KeyDoorHeuristic<G> {
        self.is_unaided = true;
        self.anew()
    }

    /// The round of somebody who counts on nobody and keeps away from enemies, as far as what they
    /// would cost is more than the way round them.
    #[must_use]
    pub fn wary(mut self) -> KeyDoorHeuristic<G> {
        self.is_wary = true;
        self.unaided()
    }

    /// One that is made otherwise than its clones begins otherwise.
    fn anew(mut self) -> KeyDoorHeuristic<G> {
        (self.own, self.agenda) = (Arc::default(), None);
        self
    }

    /// The same for another search, which may begin elsewhere.
    pub(crate) fn apart(&self) -> KeyDoorHeuristic<G> {
        let mut apart = self.clone().anew();
        apart.trail = self.trail.as_ref().map(SharedTrail::apart);
        apart
    }

    /// Whether it is nothing but the simpler quest, and so a lower bound.
    fn is_plain(&self) -> bool {
        self.trail.is_none() && self.first.is_empty() && !self.is_unaided
    }

    /// What others might do, one by one; `None` if the budget is spent first.
    fn left_to_others<Q: Game<Ground = G>>(
        &self,
        game: &Q,
        budget: &mut Budget<'_>,
    ) -> Option<Vec<LandmarkId>> {
        let all = (0..game.landmarks().len() as u32).map(LandmarkId::new);
        if !self.is_plain() {
            return Some(Vec::new());
        }
        let survey = match game.others() {
            Others::Nobody => {
                return Some(
                    all.filter(|id| game.landmarks()[id.index()].is_shared)
                        .collect(),
                );
            }
            Others::Anything => {
                let may = |id: &LandmarkId| {
                    let mark = &game.landmarks()[id.index()];
                    mark.is_shared || mark.bars
                };
                return Some(all.filter(may).collect());
            }
            Others::Survey(survey) => survey,
        };
        let mut known = open(&self.works.others);
        let key = survey.key();
        let survey = known.find_or_put(|known| known.key() == key, || survey);
        let is_done = survey.go_on(budget);
        is_done.then(|| all.filter(|landmark| survey.might_do(*landmark)).collect())
    }

    /// What enemies cost whoever comes near them, and who they are; `None` if the budget is spent
    /// first.
    #[allow(clippy::option_option)]
    fn danger<Q: Game<Ground = G>>(
        &self,
        game: &Q,
        budget: &mut Budget<'_>,
    ) -> Option<Option<(DangerKey, Arc<Prices>)>> {
        if !self.is_wary {
            return Some(None);
        }
        let key = DangerKey::of(game);
        let mut known = open(&self.works.danger);
        let begun = || Dangers::new(game, key.clone());
        let danger = known.find_or_put(|danger| *danger.key() == key, begun);
        let is_ready = danger.go_on(game, budget);
        // Where nobody waits steps count what they count to whoever is not wary.
        is_ready.then(|| Some((key, danger.prices())).filter(|(key, _)| !key.is_empty()))
    }

    /// From where those are met who move and may have to be met. A lower bound counts only on those who
    /// are never met elsewhere.
    fn moving<Q: Game<Ground = G>>(&self, game: &Q) -> Vec<(LandmarkId, Vec<usize>)> {
        if self.is_plain() {
            let asked_for = game
                .aim()
                .parts()
                .into_iter()
                .filter_map(|part| match part {
                    Aim::Done(landmark) => Some(*landmark),
                    _ => None,
                });
            let territory = |id| game.territory_of(id).map(|places| (id, places));
            return asked_for.filter_map(territory).collect();
        }
        let is_wanted = |id: &LandmarkId| {
            let mark = &game.landmarks()[id.index()];
            let is_aim = |part: &&Aim| matches!(part, Aim::Done(aim) if aim == id);
            let opens = |mark: &Landmark| mark.opened_by.contains(id);
            mark.moves
                && (game.landmarks().iter().any(opens)
                    || self.first.contains(id)
                    || game.aim().parts().iter().any(is_aim))
        };
        let all = (0..game.landmarks().len() as u32).map(LandmarkId::new);
        let wanted = all.filter(is_wanted);
        wanted.map(|id| (id, game.places_of(id))).collect()
    }

    /// Goes on with an agenda until it is ready. False: the budget is spent, call again.
    fn work_out<Q: Game<Ground = G>>(
        &self,
        game: &Q,
        agenda: &mut KeyDoorAbstraction,
        laid: Option<&LaidTrail>,
        budget: &mut Budget<'_>,
    ) -> bool {
        let (ground, speed, works) = (&**game.ground(), game.top_speed(), &*self.works);
        if let Some(laid) = laid {
            if agenda.is_untouched() {
                let mut known = open(&works.groundwork);
                if let Some(known) = known.find(|known| agenda.stands_on(known, laid)) {
                    agenda.take_over(known.clone());
                }
            }
            if !agenda.add_corridors(laid, budget) {
                return false;
            }
        }
        if !agenda.lay_ground(ground, speed, &works.fields, budget) {
            return false;
        }
        if !agenda.work_out(ground, speed, budget) {
            return false;
        }
        if let Some(laid) = laid
            && let Some(groundwork) = agenda.groundwork(laid)
        {
            open(&works.groundwork).put(groundwork);
        }
        true
    }
}

impl<Q: Game> Heuristic<Q> for KeyDoorHeuristic<Q::Ground> {
    fn estimate(&mut self, game: &Q, state: &Q::State) -> Cost {
        let Some(agenda) = &self.agenda else {
            debug_assert!(false, "prepare comes before the first estimate");
            return Cost::ZERO;
        };
        let settled = agenda.settled(game, state);
        agenda.left(settled, game.place(state)) + agenda.fights_left(settled, game, state)
    }

    fn promise(&self) -> Promise {
        if self.is_plain() {
            Promise::Consistent
        } else {
            Promise::None
        }
    }

    fn prepare(&mut self, game: &Q, budget: &mut Budget<'_>) -> bool {
        let trail = match &mut self.trail {
            Some(shared) => match shared.laid(game, budget) {
                Some(trail) => Some(trail),
                None => return false,
            },
            None => None,
        };
        let laid = trail.as_deref();
        let Some(left_to_others) = self.left_to_others(game, budget) else {
            return false;
        };
        let Some(danger) = self.danger(game, budget) else {
            return false;
        };
        let (danger, prices) = danger.unzip();
        let landmarks = || (0..game.landmarks().len() as u32).map(LandmarkId::new);
        let is_left = |id: &LandmarkId| left_to_others.contains(id);
        let is_locked = |id: &LandmarkId| {
            let openers = &game.landmarks()[id.index()].opened_by;
            game.is_shut(*id) && !is_left(id) && !openers.iter().any(is_left)
        };
        let key = AgendaKey {
            level: level_of(game),
            aim: if self.is_wary {
                game.aim().without_fights(game.landmarks())
            } else {
                game.aim().clone()
            },
            start: laid.map(|_| game.place(&game.start())),
            first: self.first.clone(),
            is_plain: self.is_plain(),
            moving: self.moving(game),
            locked: landmarks().filter(is_locked).collect(),
            gone: landmarks().filter(|id| game.is_gone(*id)).collect(),
            left_to_others,
            danger,
        };
        let is_same =
            |agenda: &KeyDoorAbstraction| agenda.is_for(&key, laid.map(|laid| &laid.trail));
        let begun = || {
            let trail = laid.map(|laid| laid.trail.clone());
            KeyDoorAbstraction::new(game, trail, prices, key.clone())
        };
        if laid.is_some() {
            let own = Arc::clone(&self.own);
            let own = &mut *open(&own);
            if !own.ready.as_ref().is_some_and(|ready| is_same(ready)) {
                let making = own.making.take().filter(|making| is_same(making));
                let mut making = making.unwrap_or_else(begun);
                if !self.work_out(game, &mut making, laid, budget) {
                    own.making = Some(making);
                    return false;
                }
                own.ready = Some(Arc::new(making));
            }
            self.agenda.clone_from(&own.ready);
            return true;
        }
        let known = open(&self.works.ready)
            .find(|ready| is_same(ready))
            .cloned();
        if known.is_some() {
            self.agenda = known;
            return true;
        }
        let mut half_made = open(&self.works.making);
        let mut making = half_made.take(is_same).unwrap_or_else(begun);
        if !self.work_out(game, &mut making, None, budget) {
            half_made.put(making);
            return false;
        }
        let ready = Arc::new(making);
        open(&self.works.ready).put(Arc::clone(&ready));
        self.agenda = Some(ready);
        true
    }
}

/// What a round should pass by first although no door asks for it, where somebody might strike: a
/// shield.
pub(crate) fn worth_fetching<Q: Game>(game: &Q, events: &[LandmarkId]) -> Vec<LandmarkId> {
    let protects = |event: &&LandmarkId| game.landmarks()[event.index()].protects;
    let is_needed = game.foes() != Foes::None;
    let shields = events.iter().filter(|_| is_needed).filter(protects);
    shields.copied().collect()
}

/// Whether it can be of any use to have something, or to have done it: the goal asks for it, something
/// is opened by it, or it protects where somebody might strike.
pub(crate) fn serves<Q: Game>(game: &Q, event: LandmarkId) -> bool {
    let landmarks = game.landmarks();
    let mark = &landmarks[event.index()];
    let is_aim = |part: &&Aim| matches!(part, Aim::Done(aim) if *aim == event);
    let is_asked_for = game.aim().parts().iter().any(is_aim);
    let protects = mark.protects && game.foes() != Foes::None;
    let opens = landmarks
        .iter()
        .any(|other| other.bars && other.opened_by.contains(&event));
    is_asked_for || protects || opens || mark.bars || mark.moves
}
