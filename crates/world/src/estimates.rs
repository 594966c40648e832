//! Lower bounds of the time a quest still takes: as the crow flies, and along the shortest way.

use apprentice_search::{Budget, Cost, Heuristic, Promise};

use crate::digest::Digest;
use crate::goal::Situation;
use crate::quest_problem::top_speed_of;
use crate::{AgentId, DistanceField, Goal, Quest, Scenario, Thing};

/// The time to the goal as the crow flies at top speed, with everything the goal itself says taken
/// into account: nothing remains to be done for what is already achieved, and near enough is near
/// enough.
///
/// ```
/// use apprentice_search::{Cost, Heuristic, Problem, Promise};
/// use apprentice_world::{AnyQuest, Scenario, StillQuest, StraightLine};
///
/// let scenario = Scenario::parse(r#"
///     format = 1
///     start = [0, 0]
///     goal = { within = { at = [3, 4], radius = 2.0 } }
///     map = { rows = ["....", "....", "....", "....", "...."] }
/// "#)?;
/// let AnyQuest::Still(quest) = scenario.quest() else { panic!("nothing moves here") };
/// assert_eq!(StraightLine.estimate(&quest, &quest.start()), Cost::from_seconds(3.0));
/// assert_eq!(Heuristic::<StillQuest>::promise(&StraightLine), Promise::Consistent);
/// # Ok::<(), apprentice_world::ScenarioError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StraightLine;

impl<Q: Quest> Heuristic<Q> for StraightLine {
    #[inline]
    fn estimate(&mut self, quest: &Q, state: &Q::State) -> Cost {
        straight(quest.goal(), quest, &quest.view(state))
    }

    /// No step brings anybody nearer than top speed allows, and blows need their time.
    fn promise(&self) -> Promise {
        Promise::Consistent
    }
}

/// The time to a goal, at least.
#[inline]
fn straight<Q: Quest, S: Situation>(goal: &Goal, quest: &Q, situation: &S) -> Cost {
    match goal {
        Goal::Within { at, radius, .. } => {
            let distance = situation.position(AgentId::NPC).distance_to(*at) - radius;
            Cost::round_down(distance.max(0.0) / quest.top_speed())
        }
        Goal::All(goals) => {
            let costs = goals.iter().map(|goal| straight(goal, quest, situation));
            costs.max().unwrap_or(Cost::ZERO)
        }
        Goal::Any(goals) => {
            let costs = goals.iter().map(|goal| straight(goal, quest, situation));
            costs.min().unwrap_or(Cost::INFINITE)
        }
        other => straight_to_rare(other, quest, situation),
    }
}

fn straight_to_rare<Q: Quest, S: Situation>(goal: &Goal, quest: &Q, situation: &S) -> Cost {
    let scenario = quest.scenario();
    let here = situation.position(AgentId::NPC);
    // Whoever cannot move never comes nearer.
    let approach = |distance: f64, speed: f64| {
        if distance <= 0.0 {
            Cost::ZERO
        } else {
            Cost::round_down(distance / speed)
        }
    };
    match goal {
        Goal::AgentWithin {
            agent: AgentId::NPC,
            at,
            radius,
            ..
        } => approach(here.distance_to(*at) - radius, quest.top_speed()),
        Goal::AgentWithin {
            agent, at, radius, ..
        } => {
            let speed = top_speed_of(scenario, *agent);
            approach(situation.position(*agent).distance_to(*at) - radius, speed)
        }
        Goal::Dead(agent) if situation.is_dead(*agent) => Cost::ZERO,
        Goal::Dead(agent @ AgentId::Enemy(_)) if scenario.actors.len() == 1 => {
            let speed = quest.top_speed() + top_speed_of(scenario, *agent);
            let distance = here.distance_to(situation.position(*agent)) - scenario.actors[0].reach;
            // The first blow can be made ready on the way, so the longer of the two counts.
            let (until_first, after_first) = situation.fight_left(*agent);
            approach(distance, speed).max(until_first) + after_first
        }
        Goal::Holds(item) if !situation.holds(*item) => {
            let place = scenario.items[item.index()].at;
            let reach = scenario.reach_for(*item);
            approach(here.distance_to(place) - reach, quest.top_speed())
        }
        Goal::LeverOn(lever) if !situation.is_on(*lever) => {
            let place = scenario.levers[lever.index()].at;
            let reach = scenario.reach_for_lever(*lever);
            let alone = approach(here.distance_to(place) - reach, quest.top_speed());
            // The player may be there first.
            let others = (1..scenario.actors.len() as u8).map(AgentId::Actor);
            let helped = others.map(|agent| {
                let distance = situation.position(agent).distance_to(place);
                approach(distance - reach, top_speed_of(scenario, agent))
            });
            helped.fold(alone, Cost::min)
        }
        _ => Cost::ZERO,
    }
}

/// The time to the goal along the shortest way, as if all doors were open and nobody were about.
/// Swept once for every place the goal names, and kept until the goal or the map changes.
///
/// ```
/// use apprentice_search::{Budget, Cost, Heuristic, Problem};
/// use apprentice_world::{AnyQuest, Scenario, ShortestPath};
///
/// let scenario = Scenario::parse(r###"
///     format = 1
///     start = [0, 0]
///     goal = { within = { at = [0, 2], radius = 0.0 } }
///     map = { rows = ["...", "##.", "..."] }
/// "###)?;
/// let AnyQuest::Still(quest) = scenario.quest() else { panic!("nothing moves here") };
/// let mut path = ShortestPath::default();
/// assert!(path.prepare(&quest, &mut Budget::unlimited()));
/// assert_eq!(path.estimate(&quest, &quest.start()), Cost::from_seconds(6.0));
/// # Ok::<(), apprentice_world::ScenarioError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct ShortestPath {
    /// What the fields were made for.
    made_for: Option<u64>,
    /// One for each leaf of the goal; `None` where it has no place of its own.
    fields: Vec<Option<DistanceField>>,
    /// How many of them are swept.
    swept: usize,
}

impl<Q: Quest> Heuristic<Q> for ShortestPath {
    #[inline]
    fn estimate(&mut self, quest: &Q, state: &Q::State) -> Cost {
        debug_assert_eq!(
            self.swept,
            self.fields.len(),
            "prepare comes before the first estimate"
        );
        let mut fields = self.fields.iter();
        along_ways(
            quest.goal(),
            quest,
            &quest.view(state),
            quest.place(state),
            &mut fields,
        )
    }

    /// Steps of the sweep cost what steps of the quest cost at least, to the tick.
    fn promise(&self) -> Promise {
        Promise::Consistent
    }

    fn prepare(&mut self, quest: &Q, budget: &mut Budget<'_>) -> bool {
        let mut digest = Digest::new();
        digest.number(quest.scenario().tables.map_digest);
        digest.number(quest.goal().digest());
        digest.real(quest.top_speed());
        digest.number(quest.scenario().actors.len() as u64);
        // Things may be elsewhere in another scenario on the same map.
        quest.goal().for_each_leaf(&mut |leaf| {
            let thing = match leaf {
                Goal::Holds(item) => Thing::Item(*item),
                Goal::LeverOn(lever) => Thing::Lever(*lever),
                _ => return,
            };
            let at = quest.scenario().position_of(thing);
            digest.real(at.x);
            digest.real(at.y);
            digest.number(quest.scenario().place_of(thing) as u64);
        });
        if self.made_for != Some(digest.value()) {
            let leaves = quest.goal().leaves();
            let field = |leaf: &&Goal| {
                let targets = field_targets(leaf, quest.scenario())?;
                Some(DistanceField::to(
                    &quest.scenario().map,
                    targets,
                    quest.top_speed(),
                ))
            };
            self.fields = leaves.iter().map(field).collect();
            self.swept = 0;
            self.made_for = Some(digest.value());
        }
        while let Some(field) = self.fields.get_mut(self.swept) {
            if let Some(field) = field
                && !field.sweep(&quest.scenario().map, budget)
            {
                return false;
            }
            self.swept += 1;
        }
        true
    }
}

/// The places in which a leaf of a goal is achieved by being there.
fn field_targets(leaf: &Goal, scenario: &Scenario) -> Option<Vec<usize>> {
    let map = &scenario.map;
    match leaf {
        Goal::Within { at, height, radius }
        | Goal::AgentWithin {
            agent: AgentId::NPC,
            at,
            height,
            radius,
        } => Some(map.places_on_floor(*at, *height, *radius)),
        Goal::Holds(item) => Some(scenario.places_at_hand(*item)),
        Goal::LeverOn(lever) if scenario.actors.len() == 1 => {
            Some(scenario.places_at_lever(*lever))
        }
        _ => None,
    }
}

#[inline]
fn along_ways<Q: Quest, S: Situation>(
    goal: &Goal,
    quest: &Q,
    situation: &S,
    place: usize,
    fields: &mut std::slice::Iter<'_, Option<DistanceField>>,
) -> Cost {
    match goal {
        Goal::All(goals) => {
            let costs = goals
                .iter()
                .map(|goal| along_ways(goal, quest, situation, place, fields));
            costs.max().unwrap_or(Cost::ZERO)
        }
        Goal::Any(goals) => {
            let costs = goals
                .iter()
                .map(|goal| along_ways(goal, quest, situation, place, fields));
            costs.min().unwrap_or(Cost::INFINITE)
        }
        Goal::Not(inner) => {
            // Its fields are passed over.
            for _ in inner.leaves() {
                fields.next();
            }
            Cost::ZERO
        }
        leaf => {
            let field = fields.next().and_then(Option::as_ref);
            match (field, leaf) {
                (Some(_), Goal::Holds(item)) if situation.holds(*item) => Cost::ZERO,
                (Some(_), Goal::LeverOn(lever)) if situation.is_on(*lever) => Cost::ZERO,
                (Some(field), _) => field.at(place),
                (None, _) => straight(leaf, quest, situation),
            }
        }
    }
}
