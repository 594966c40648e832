//! An estimate that passes by a key, a lever or a door first.

use apprentice_search::{Budget, Cost, Heuristic, Promise};
use apprentice_world::{AgentId, Point, Quest, Scenario, Situation, StraightLine, Thing};

use crate::{Following, Standpoint};

/// An estimate that passes by an event: straight to its place and from there to the goal, as long
/// as the event has not happened; to the goal after that. From the event on, demonstrations are
/// followed if there are any. It promises nothing, because plans may do without the event.
#[derive(Clone)]
pub struct ByEvent {
    event: Thing,
    place: Point,
    /// Follows demonstrations to the goal; `None`: straight to the goal.
    following: Option<Following>,
    /// The time from the event to the goal, once prepared.
    onward: Cost,
}

impl ByEvent {
    /// The estimate that passes by what happens to this thing.
    pub fn new(scenario: &Scenario, event: Thing) -> ByEvent {
        ByEvent {
            event,
            place: scenario.position_of(event),
            following: None,
            onward: Cost::ZERO,
        }
    }

    /// The same, following demonstrations.
    #[must_use]
    pub fn following(mut self, following: Following) -> ByEvent {
        self.following = Some(following);
        self
    }
}

impl<Q: Quest> Heuristic<Q> for ByEvent {
    fn estimate(&mut self, quest: &Q, state: &Q::State) -> Cost {
        let view = quest.view(state);
        if !self.event.is_settled(&view) {
            let distance = view.position(AgentId::NPC).distance_to(self.place);
            return Cost::round_down(distance / quest.top_speed()) + self.onward;
        }
        match &mut self.following {
            Some(following) => following.estimate(quest, state),
            None => StraightLine.estimate(quest, state),
        }
    }

    fn promise(&self) -> Promise {
        Promise::None
    }

    fn prepare(&mut self, quest: &Q, budget: &mut Budget<'_>) -> bool {
        if let Some(following) = &mut self.following
            && !following.prepare(quest, budget)
        {
            return false;
        }
        let there = Standpoint {
            scenario: quest.scenario(),
            world: quest.start_world(),
            goal: quest.goal(),
        };
        if let Some(place) = there.scenario.map().place_at(self.place) {
            let straight = StraightLine.estimate(&there, &place);
            let at = there.scenario.map().point_of(place);
            self.onward = match &mut self.following {
                Some(following) => following.estimate_at(&there.view(&place), None, at, straight),
                None => straight,
            };
        }
        true
    }
}
