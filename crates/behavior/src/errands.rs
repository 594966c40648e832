//! What is still to be fetched, pulled and passed before the goal, and the shortest round of it.

mod agenda;
mod corridors;
mod field;
mod field_pool;
mod rounds;

use std::borrow::Cow;
use std::sync::{Arc, Mutex, PoisonError};

use apprentice_search::{Budget, Cost, Heuristic, Promise};
use apprentice_world::{ItemKind, PlayerReach, Quest, Scenario, Thing, World};

use crate::Following;
use crate::danger::{Danger, DangerKey};
use crate::trail::SharedTrail;
use agenda::{Agenda, AgendaKey, Aims, dead, gone, locked};
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
#[derive(Clone, Default)]
pub struct Errands {
    trail: Option<SharedTrail>,
    first: Vec<Thing>,
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
    /// What the player might do, and what that was worked out for.
    reach: Option<(ReachKey, PlayerReach)>,
    danger: Option<Danger>,
    agenda: Option<Agenda>,
    /// The last agenda that was ready: fields that were swept for it are taken over.
    ready: Option<Arc<Agenda>>,
}

/// What a player's reach is worked out for: the level, and where the player is on its route.
type ReachKey = (u64, u64);

impl Errands {
    /// The round that passes by one of these things first.
    #[must_use]
    pub fn with_first(mut self, things: impl IntoIterator<Item = Thing>) -> Errands {
        self.first.extend(things);
        self.anew()
    }

    /// The round that keeps to the trail of what is followed, by the shortest ways to it and from
    /// it. Steps off it count `inflation` times. Where the way along a demonstration takes more
    /// than that many times the shortest, but less than `reach` times, steps along it count as much
    /// less than once as it takes to prefer it; along those that take longer they count once. The trail is laid when it is needed, and clones share
    /// it.
    #[must_use]
    pub fn along(mut self, following: Following, inflation: f64, reach: f64) -> Errands {
        self.trail = Some(SharedTrail::new(following, inflation, reach));
        self.anew()
    }

    /// The round of somebody who counts on nobody to open a door or pull a lever for it.
    #[must_use]
    pub fn unaided(mut self) -> Errands {
        self.is_unaided = true;
        self.anew()
    }

    /// The round of somebody who counts on nobody and keeps away from enemies, as far as what they
    /// would cost is more than the way round them.
    #[must_use]
    pub fn wary(mut self) -> Errands {
        self.is_wary = true;
        self.unaided()
    }

    /// One that is made otherwise than its clones shares nothing with them but a trail and fields.
    fn anew(mut self) -> Errands {
        self.works = Arc::default();
        self
    }

    /// Whether it is nothing but the simpler quest, and so a lower bound.
    fn is_plain(&self) -> bool {
        self.trail.is_none() && self.first.is_empty() && !self.is_unaided
    }

    /// What the player might do of what has to be done; `None` if the budget is spent first.
    fn reach<'w, Q: Quest>(
        &self,
        works: &'w mut Option<(ReachKey, PlayerReach)>,
        quest: &Q,
        budget: &mut Budget<'_>,
    ) -> Option<Cow<'w, PlayerReach>> {
        let (scenario, start) = (quest.scenario(), quest.start_world());
        if !self.is_plain() || scenario.actors().len() == 1 {
            return Some(Cow::Owned(PlayerReach::default()));
        }
        if quest.player_is_free() {
            return Some(Cow::Owned(PlayerReach::everything()));
        }
        let key = (scenario.layout_digest(), start.digest());
        if works.as_ref().is_none_or(|(known, _)| *known != key) {
            *works = Some((key, PlayerReach::new(scenario, start)));
        }
        let (_, reach) = works.as_mut()?;
        reach
            .go_on(scenario, budget)
            .then_some(Cow::Borrowed(reach))
    }

    /// What enemies cost whoever comes near them; `None` if the budget is spent first.
    fn danger<'w>(
        &self,
        works: &'w mut Option<Danger>,
        scenario: &Scenario,
        start: &World,
        budget: &mut Budget<'_>,
    ) -> Option<Option<&'w Danger>> {
        if !self.is_wary {
            return Some(None);
        }
        let key = DangerKey::of(scenario, start);
        if works.as_ref().is_none_or(|danger| *danger.key() != key) {
            *works = Some(Danger::new(scenario, key));
        }
        let danger = works.as_mut()?;
        let is_ready = danger.go_on(scenario, start, budget);
        // Where nobody waits steps count what they count to whoever is not wary.
        is_ready.then(|| Some(&*danger).filter(|danger| !danger.key().is_empty()))
    }
}

impl<Q: Quest> Heuristic<Q> for Errands {
    fn estimate(&mut self, quest: &Q, state: &Q::State) -> Cost {
        let Some(agenda) = &self.agenda else {
            debug_assert!(false, "prepare comes before the first estimate");
            return Cost::ZERO;
        };
        let view = quest.view(state);
        let settled = agenda.settled(&view);
        agenda.left(settled, quest.place(state)) + agenda.fights_left(settled, &view)
    }

    fn promise(&self) -> Promise {
        if self.is_plain() {
            Promise::Consistent
        } else {
            Promise::None
        }
    }

    fn prepare(&mut self, quest: &Q, budget: &mut Budget<'_>) -> bool {
        let trail = match &mut self.trail {
            Some(shared) => match shared.laid(quest, budget) {
                Some(trail) => Some(trail),
                None => return false,
            },
            None => None,
        };
        let laid = trail.as_deref();
        let (scenario, goal) = (quest.scenario(), quest.goal());
        let start = quest.start_world();
        // Nothing is left half done by a panic that would matter to anybody else.
        let shared = Arc::clone(&self.works);
        let mut works = shared.lock().unwrap_or_else(PoisonError::into_inner);
        let works = &mut *works;
        let Some(reach) = self.reach(&mut works.reach, quest, budget) else {
            return false;
        };
        let Some(danger) = self.danger(&mut works.danger, scenario, start, budget) else {
            return false;
        };
        let key = AgendaKey {
            scenario: scenario.layout_digest(),
            goal: goal.digest(),
            start: laid.map(|_| quest.place(&quest.start())),
            locked: locked(scenario, start, &reach),
            gone: gone(scenario, start),
            dead: dead(scenario, start, goal),
            left_to_others: agenda::left_to_others(scenario, &reach),
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
                start,
            };
            let trail = laid.map(|laid| laid.trail.clone());
            let prices = danger.map(Danger::prices);
            works.agenda = Some(Agenda::new(scenario, goal, aims, trail, prices, key));
        }
        let (map, speed) = (scenario.map(), quest.top_speed());
        let Some(agenda) = &mut works.agenda else {
            return true;
        };
        if let Some(laid) = laid
            && !agenda.add_corridors(laid, budget)
        {
            return false;
        }
        if !agenda.work_out(map, speed, &self.fields, budget) {
            return false;
        }
        works.ready = works.agenda.take().map(Arc::new);
        self.agenda = works.ready.clone();
        true
    }
}

/// What a round should pass by first although no door asks for it, where somebody might strike: a
/// shield.
pub(crate) fn worth_fetching(scenario: &Scenario, events: &[Thing]) -> Vec<Thing> {
    let is_shield = |thing: &&Thing| {
        matches!(thing, Thing::Item(item)
            if scenario.items()[item.index()].kind == ItemKind::Shield)
    };
    let is_needed = !scenario.enemies().is_empty();
    let shields = events.iter().filter(|_| is_needed).filter(is_shield);
    shields.copied().collect()
}
