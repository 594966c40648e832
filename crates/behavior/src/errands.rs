//! What is still to be fetched, pulled and passed before the goal, and the shortest round of it.

mod agenda;
mod corridors;
mod field;
mod field_pool;
mod rounds;

use std::sync::{Arc, Mutex, PoisonError};

use apprentice_game::{Foes, Game, Ground, LandmarkId, Others, Survey};
use apprentice_search::{Budget, Cost, Heuristic, Promise};

use crate::Following;
use crate::danger::{DangerKey, Dangers};
use crate::ground::level_of;
use crate::trail::SharedTrail;
use agenda::{Agenda, AgendaKey, Aims};
use field_pool::FieldPool;

/// The time of the shortest round that fetches keys, pulls levers, passes doors and ends at the
/// goal, as if no enemy were about.
///
/// It is the exact cost of a simpler quest, in which only walls and doors matter, so it is
/// consistent and sees what straight lines and shortest ways don't: that a locked door means a way
/// to its key first. One sweep over the map for each thing, and then a table of rounds. Which doors
/// are locked, and which keys there are, is asked of the world the quest begins in: whatever has been
/// opened until then, by whomever, is no errand any more, and what was taken away opens nothing. What
/// a player might open or pull on its route is nothing that must be done.
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
/// use apprentice_behavior::Errands;
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
/// let mut errands = Errands::default();
/// assert!(errands.prepare(&quest, &mut Budget::unlimited()));
/// // Two steps back for the key, four to the goal.
/// assert_eq!(errands.estimate(&quest, &quest.start()), Cost::from_seconds(6.0));
/// # Ok::<(), apprentice_world::ScenarioError>(())
/// ```
#[derive(Clone)]
pub struct Errands<G> {
    trail: Option<SharedTrail<G>>,
    first: Vec<LandmarkId>,
    is_unaided: bool,
    is_wary: bool,
    agenda: Option<Arc<Agenda>>,
    works: Arc<Mutex<Works>>,
    /// What is swept for one of them serves all, however they are made.
    fields: Arc<FieldPool>,
}

/// What is being got ready, for all clones.
#[derive(Default)]
struct Works {
    /// What others might do.
    others: Option<Box<dyn Survey>>,
    danger: Option<Dangers>,
    agenda: Option<Agenda>,
    /// The last agenda that was ready: fields that were swept for it are taken over.
    ready: Option<Arc<Agenda>>,
}

impl<G> Default for Errands<G> {
    fn default() -> Errands<G> {
        Errands {
            trail: None,
            first: Vec::new(),
            is_unaided: false,
            is_wary: false,
            agenda: None,
            works: Arc::default(),
            fields: Arc::default(),
        }
    }
}

impl<G: Ground> Errands<G> {
    /// The round that passes by one of these things first.
    #[must_use]
    pub fn with_first(mut self, things: impl IntoIterator<Item = LandmarkId>) -> Errands<G> {
        self.first.extend(things);
        self.anew()
    }

    /// The round that keeps to the trail of what is followed, by the shortest ways to it and from
    /// it. Steps off it count `inflation` times. Where the way along a demonstration takes more
    /// than that many times the shortest, but less than `reach` times, steps along it count as much
    /// less than once as it takes to prefer it; along those that take longer they count once. The trail is laid when it is needed, and clones share
    /// it.
    #[must_use]
    pub fn along(mut self, following: Following<G>, inflation: f64, reach: f64) -> Errands<G> {
        self.trail = Some(SharedTrail::new(following, inflation, reach));
        self.anew()
    }

    /// The round of somebody who counts on nobody to open a door or pull a lever for it.
    #[must_use]
    pub fn unaided(mut self) -> Errands<G> {
        self.is_unaided = true;
        self.anew()
    }

    /// The round of somebody who counts on nobody and keeps away from enemies, as far as what they
    /// would cost is more than the way round them.
    #[must_use]
    pub fn wary(mut self) -> Errands<G> {
        self.is_wary = true;
        self.unaided()
    }

    /// One that is made otherwise than its clones shares nothing with them but a trail and fields.
    fn anew(mut self) -> Errands<G> {
        self.works = Arc::default();
        self
    }

    /// Whether it is nothing but the simpler quest, and so a lower bound.
    fn is_plain(&self) -> bool {
        self.trail.is_none() && self.first.is_empty() && !self.is_unaided
    }

    /// What others might do, one by one; `None` if the budget is spent first.
    fn left_to_others<Q: Game<Ground = G>>(
        &self,
        known: &mut Option<Box<dyn Survey>>,
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
        if known
            .as_ref()
            .is_none_or(|known| known.key() != survey.key())
        {
            *known = Some(survey);
        }
        let survey = known.as_mut()?;
        let is_done = survey.go_on(budget);
        is_done.then(|| all.filter(|landmark| survey.might_do(*landmark)).collect())
    }

    /// What enemies cost whoever comes near them; `None` if the budget is spent first.
    fn danger<'w, Q: Game<Ground = G>>(
        &self,
        works: &'w mut Option<Dangers>,
        game: &Q,
        budget: &mut Budget<'_>,
    ) -> Option<Option<&'w Dangers>> {
        if !self.is_wary {
            return Some(None);
        }
        let key = DangerKey::of(game);
        if works.as_ref().is_none_or(|danger| *danger.key() != key) {
            *works = Some(Dangers::new(game, key));
        }
        let danger = works.as_mut()?;
        let is_ready = danger.go_on(game, budget);
        // Where nobody waits steps count what they count to whoever is not wary.
        is_ready.then(|| Some(&*danger).filter(|danger| !danger.key().is_empty()))
    }
}

impl<Q: Game> Heuristic<Q> for Errands<Q::Ground> {
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
        // Nothing is left half done by a panic that would matter to anybody else.
        let shared = Arc::clone(&self.works);
        let mut works = shared.lock().unwrap_or_else(PoisonError::into_inner);
        let works = &mut *works;
        let left_to_others = self.left_to_others(&mut works.others, game, budget);
        let Some(left_to_others) = left_to_others else {
            return false;
        };
        let Some(danger) = self.danger(&mut works.danger, game, budget) else {
            return false;
        };
        let landmarks = || (0..game.landmarks().len() as u32).map(LandmarkId::new);
        let is_left = |id: &LandmarkId| left_to_others.contains(id);
        let is_locked = |id: &LandmarkId| {
            let openers = &game.landmarks()[id.index()].opened_by;
            game.is_shut(*id) && !is_left(id) && !openers.iter().any(is_left)
        };
        let key = AgendaKey {
            level: level_of(game),
            aim: game.aim().clone(),
            start: laid.map(|_| game.place(&game.start())),
            locked: landmarks().filter(is_locked).collect(),
            gone: landmarks().filter(|id| game.is_gone(*id)).collect(),
            left_to_others,
            danger: danger.map(|danger| danger.key().clone()),
        };
        if let Some(ready) = works.ready.as_ref().filter(|ready| ready.key == key) {
            self.agenda = Some(Arc::clone(ready));
            return true;
        }
        if works.agenda.as_ref().is_none_or(|agenda| agenda.key != key) {
            let aims = Aims {
                first: &self.first,
                is_plain: self.is_plain(),
            };
            let trail = laid.map(|laid| laid.trail.clone());
            let prices = danger.map(Dangers::prices);
            works.agenda = Some(Agenda::new(game, aims, trail, prices, key));
        }
        let (ground, speed) = (&**game.ground(), game.top_speed());
        let Some(agenda) = &mut works.agenda else {
            return true;
        };
        if let Some(laid) = laid
            && !agenda.add_corridors(laid, budget)
        {
            return false;
        }
        if !agenda.work_out(ground, speed, &self.fields, budget) {
            return false;
        }
        works.ready = works.agenda.take().map(Arc::new);
        self.agenda = works.ready.clone();
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
