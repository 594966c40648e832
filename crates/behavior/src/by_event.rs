//! An estimate that passes by a key, a lever or a door first.

use apprentice_search::{Budget, Cost, Heuristic, Promise};
use apprentice_world::{AgentId, Point, Quest, Scenario, Situation, StraightLine, Thing};

use crate::Standpoint;

/// An estimate that passes by an event: straight to its place and from there straight to the goal,
/// as long as the event has not happened; straight to the goal after that. It promises nothing,
/// because plans may do without the event.
#[derive(Clone, Debug)]
pub struct ByEvent {
    event: Thing,
    place: Point,
    /// The time from there to the goal, once prepared.
    onward: Cost,
}

impl ByEvent {
    /// The estimate that passes by what happens to this thing.
    pub fn new(scenario: &Scenario, event: Thing) -> ByEvent {
        let place = scenario.position_of(event);
        ByEvent {
            event,
            place,
            onward: Cost::ZERO,
        }
    }
}

impl<Q: Quest> Heuristic<Q> for ByEvent {
    fn estimate(&mut self, quest: &Q, state: &Q::State) -> Cost {
        let view = quest.view(state);
        if self.event.is_settled(&view) {
            return StraightLine.estimate(quest, state);
        }
        let distance = view.position(AgentId::NPC).distance_to(self.place);
        Cost::round_down(distance / quest.top_speed()) + self.onward
    }

    fn promise(&self) -> Promise {
        Promise::None
    }

    fn prepare(&mut self, quest: &Q, _: &mut Budget<'_>) -> bool {
        let there = Standpoint {
            scenario: quest.scenario(),
            world: quest.start_world(),
            goal: quest.goal(),
        };
        if let Some(place) = there.scenario.map().place_at(self.place) {
            self.onward = StraightLine.estimate(&there, &place);
        }
        true
    }
}
