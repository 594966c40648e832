//! An estimate that passes by a key, a lever or a door first.

use apprentice_search::{Budget, Cost, Heuristic, Promise};
use apprentice_world::{
    AgentId, DistanceField, Goal, Point, Quest, Scenario, Situation, StraightLine, Thing,
};

use crate::following::goal_places;
use crate::ground::{place_in, place_of};
use crate::{Following, Recalling, Standpoint};

/// An estimate that passes by an event: to its place and from there to the goal, as long as the
/// event has not happened; to the goal after that. From the event on, demonstrations are followed
/// if there are any. It promises nothing, because plans may do without the event.
///
/// After Drake, Safonova and Likhachev, "Towards adaptability of demonstration-based training of
/// NPC behavior" (AIIDE 2017), equation 2.
#[derive(Clone)]
pub struct ByEvent {
    event: Thing,
    place: Point,
    approach: Approach,
    onward: Onward,
    /// The time from the event to the goal, once prepared.
    from_event: Cost,
}

/// How the way to an event is measured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EventMetric {
    /// As the crow flies.
    #[default]
    Straight,
    /// Along the shortest way.
    Path,
    /// Along demonstrations, where there are any to follow.
    Training,
}

/// What leads from an event to the goal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EventGuide {
    /// Demonstrations are followed to their end.
    #[default]
    Training,
    /// Demonstrated ways are used where they help, as first published.
    Experience,
}

#[derive(Clone)]
enum Approach {
    Straight,
    /// The ways to it in the level with that digest, swept once prepared.
    Path(Option<(u64, DistanceField)>),
    Training(Following),
}

#[derive(Clone)]
enum Onward {
    Straight,
    Training(Following),
    Experience(Box<Recalling>),
}

impl ByEvent {
    /// The estimate that passes by what happens to this thing.
    pub fn new(scenario: &Scenario, event: Thing) -> ByEvent {
        ByEvent {
            event,
            place: scenario.position_of(event),
            approach: Approach::Straight,
            onward: Onward::Straight,
            from_event: Cost::ZERO,
        }
    }

    /// The same, following demonstrations.
    #[must_use]
    pub fn following(mut self, following: Following) -> ByEvent {
        self.onward = Onward::Training(following);
        self
    }

    /// The same, using demonstrated ways where they help.
    #[must_use]
    pub fn recalling(mut self, recalling: Recalling) -> ByEvent {
        self.onward = Onward::Experience(Box::new(recalling));
        self
    }

    /// The same, with another measure of the way to the event. What is shown is followed there as
    /// `following` follows it to the goal.
    #[must_use]
    pub fn measured(mut self, metric: EventMetric, following: &Following) -> ByEvent {
        self.approach = match metric {
            EventMetric::Straight => Approach::Straight,
            EventMetric::Path => Approach::Path(None),
            EventMetric::Training => Approach::Training(following.toward(self.goal())),
        };
        self
    }

    /// The event as a goal of its own.
    fn goal(&self) -> Goal {
        match self.event {
            Thing::Item(item) => Goal::Holds(item),
            Thing::Door(door) => Goal::DoorOpen(door),
            Thing::Lever(lever) => Goal::LeverOn(lever),
            Thing::Agent(agent) => Goal::Dead(agent),
        }
    }

    /// The time to the event.
    fn approach<Q: Quest>(&mut self, quest: &Q, state: &Q::State) -> Cost {
        let view = quest.view(state);
        let at = view.position(AgentId::NPC);
        let straight = Cost::round_down(at.distance_to(self.place) / quest.top_speed());
        match &mut self.approach {
            Approach::Straight | Approach::Path(None) => straight,
            Approach::Path(Some((_, field))) => field.at(quest.place(state)),
            Approach::Training(following) => {
                let here = place_of(quest, state);
                following.estimate_at(&view, Some(quest.place(state)), here, straight)
            }
        }
    }

    fn prepare_approach<Q: Quest>(&mut self, quest: &Q, budget: &mut Budget<'_>) -> bool {
        let goal = self.goal();
        match &mut self.approach {
            Approach::Straight => true,
            Approach::Path(known) => {
                let scenario = quest.scenario();
                let (digest, map) = (scenario.layout_digest(), scenario.map());
                let begun = || {
                    let places = goal_places(&goal, scenario);
                    (digest, DistanceField::to(map, places, quest.top_speed()))
                };
                if known.as_ref().is_some_and(|(other, _)| *other != digest) {
                    *known = None;
                }
                let (_, field) = known.get_or_insert_with(begun);
                field.sweep(map, budget)
            }
            Approach::Training(following) => following.prepare(quest, budget),
        }
    }
}

impl<Q: Quest> Heuristic<Q> for ByEvent {
    fn estimate(&mut self, quest: &Q, state: &Q::State) -> Cost {
        if !self.event.is_settled(&quest.view(state)) {
            return self.approach(quest, state) + self.from_event;
        }
        match &mut self.onward {
            Onward::Straight => StraightLine.estimate(quest, state),
            Onward::Training(following) => following.estimate(quest, state),
            Onward::Experience(recalling) => recalling.estimate(quest, state),
        }
    }

    fn promise(&self) -> Promise {
        Promise::None
    }

    fn prepare(&mut self, quest: &Q, budget: &mut Budget<'_>) -> bool {
        let is_ready = match &mut self.onward {
            Onward::Straight => true,
            Onward::Training(following) => following.prepare(quest, budget),
            Onward::Experience(recalling) => recalling.prepare(quest, budget),
        };
        if !is_ready || !self.prepare_approach(quest, budget) {
            return false;
        }
        let there = Standpoint {
            scenario: quest.scenario(),
            world: quest.start_world(),
            goal: quest.goal(),
        };
        let place = there.scenario.place_of(self.event);
        let straight = StraightLine.estimate(&there, &place);
        self.from_event = match &mut self.onward {
            Onward::Straight => straight,
            Onward::Training(following) => {
                let at = place_in(there.scenario.map(), place);
                following.estimate_at(&there.view(&place), None, at, straight)
            }
            Onward::Experience(recalling) => recalling.estimate(&there, &place),
        };
        true
    }
}
