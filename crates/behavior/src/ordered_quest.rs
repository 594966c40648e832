//! A quest whose states know how far along a demonstration one has come.

use std::sync::Arc;

use apprentice_experience::{
    Adding, Demonstration, DemonstrationGraph, Hint, InOrder, InOrderSettings, Journey,
    LearningInOrder, Place, ProgressState, WaysTo, WithProgress,
};
use apprentice_search::{Budget, Cost, Heuristic, Problem, Promise, Successors, Weight};
use apprentice_world::{
    DistanceField, Gait, Goal, Order, Point, Quest, Scenario, StraightLine, World,
};

use crate::following::goal_places;
use crate::ground::{Ground, place_of, straight};

/// A quest whose states know how far along a demonstration one has come, so that one that crosses
/// itself, or circles back, is followed in order: out to lure the bear, and then home.
///
/// Steps and costs are those of the quest; only the states are told apart more finely. So whatever
/// bound holds for plans here holds for the quest.
pub struct OrderedQuest<Q: Quest> {
    progressing: WithProgress<Q, PlaceIn<Q>>,
}

/// Where one is in a state of a quest.
type PlaceIn<Q> = fn(&Q, &<Q as Problem>::State) -> Place;

/// States whose progress differs by less are the same, in seconds of the demonstration.
const QUANTUM: f64 = 2.0;

impl<Q: Quest> OrderedQuest<Q> {
    /// The quest with progress along one demonstration, all at once; see [`OrderingQuest`].
    pub fn new(quest: Q, shown: &Demonstration, inflation: Weight) -> OrderedQuest<Q> {
        let mut ordering = OrderingQuest::new(quest, shown.clone(), inflation);
        ordering.go_on(&mut Budget::unlimited());
        ordering.finish()
    }

    /// The adviser that follows the demonstration in order.
    pub fn adviser(&self) -> FollowingInOrder {
        FollowingInOrder {
            in_order: self.progressing.in_order().clone(),
            hint: Hint::default(),
        }
    }
}

/// An [`OrderedQuest`] that is being made, a little at a time: two sweeps over the map, and what is to
/// be learned from the demonstration.
pub struct OrderingQuest<Q> {
    quest: Q,
    shown: Demonstration,
    /// The ways to the goal: being swept, and swept.
    goal: Option<DistanceField>,
    to_goal: Option<Arc<dyn WaysTo>>,
    ground: Ground,
    graph: DemonstrationGraph,
    adding: Adding,
    learning: LearningInOrder,
}

impl<Q: Quest> OrderingQuest<Q> {
    /// Begins with a quest and the demonstration it is to be done in the order of; whatever that does
    /// not show counts `inflation` times.
    pub fn new(quest: Q, shown: Demonstration, inflation: Weight) -> OrderingQuest<Q> {
        let scenario = quest.scenario();
        let map = scenario.shared_map();
        let speed = quest.top_speed();
        let settings = InOrderSettings::with_inflation(inflation);
        let straight = straight(&map, speed);
        OrderingQuest {
            goal: Some(DistanceField::to(
                &map,
                goal_places(quest.goal(), scenario),
                speed,
            )),
            to_goal: None,
            ground: Ground::new(map, speed),
            quest,
            shown,
            graph: DemonstrationGraph::default(),
            adding: Adding::default(),
            learning: LearningInOrder::new(0, straight, settings),
        }
    }

    /// Goes on; one unit of budget for each place that is swept, every 32 samples and every 64 pieces
    /// of the demonstration. False: the budget is spent, call again.
    pub fn go_on(&mut self, budget: &mut Budget<'_>) -> bool {
        let map = self.quest.scenario().map();
        if let Some(goal) = &mut self.goal
            && !goal.sweep(map, budget)
        {
            return false;
        }
        if let Some(goal) = self.goal.take() {
            self.to_goal = Some(self.ground.to_nearest(goal));
        }
        if !self.adding.go_on(&mut self.graph, &self.shown, budget) {
            return false;
        }
        let first = self.graph.traces().first();
        let first = first.map(|trace| self.graph.place(trace.first()));
        if let Some(first) = first
            && !self.ground.get_ready(first, budget)
        {
            return false;
        }
        let Some(to_goal) = &self.to_goal else {
            return true;
        };
        let journey = Journey {
            start: Some(place_of(&self.quest, &self.quest.start())),
            goal: to_goal.clone(),
            ways: &self.ground,
        };
        self.learning.go_on(&self.graph, &journey, budget)
    }

    /// The quest, once [`go_on`](OrderingQuest::go_on) has said that all is done.
    ///
    /// # Panics
    ///
    /// If it has not.
    pub fn finish(self) -> OrderedQuest<Q> {
        let in_order = Arc::new(self.learning.finish());
        let place: PlaceIn<Q> = place_of::<Q>;
        OrderedQuest {
            progressing: WithProgress::new(self.quest, in_order, place, QUANTUM),
        }
    }
}

impl<Q: Quest> Problem for OrderedQuest<Q> {
    type State = ProgressState<Q::State>;
    type Key = (Q::Key, u32);
    type Action = Order;

    fn start(&self) -> Self::State {
        self.progressing.start()
    }

    fn key(&self, state: &Self::State) -> Self::Key {
        self.progressing.key(state)
    }

    fn is_goal(&self, state: &Self::State) -> bool {
        self.progressing.is_goal(state)
    }

    fn successors(&self, state: &Self::State, out: &mut Successors<Self::State, Order>) {
        self.progressing.successors(state, out);
    }

    fn revision(&self) -> u64 {
        self.progressing.revision()
    }
}

impl<Q: Quest> Quest for OrderedQuest<Q> {
    type View<'a>
        = Q::View<'a>
    where
        Self: 'a;

    fn view<'a>(&'a self, state: &'a Self::State) -> Q::View<'a> {
        self.progressing.problem().view(&state.state)
    }

    fn place(&self, state: &Self::State) -> usize {
        self.progressing.problem().place(&state.state)
    }

    fn position(&self, state: &Self::State) -> Point {
        self.progressing.problem().position(&state.state)
    }

    fn gait(&self, state: &Self::State) -> Gait {
        self.progressing.problem().gait(&state.state)
    }

    fn scenario(&self) -> &Scenario {
        self.progressing.problem().scenario()
    }

    fn start_world(&self) -> &World {
        self.progressing.problem().start_world()
    }

    fn goal(&self) -> &Goal {
        self.progressing.problem().goal()
    }

    fn top_speed(&self) -> f64 {
        self.progressing.problem().top_speed()
    }

    fn coarseness(&self) -> Option<&'static str> {
        self.progressing.problem().coarseness()
    }
}

/// The T-Graph estimate in which credit along the demonstration depends on how far one has come.
#[derive(Clone)]
pub struct FollowingInOrder {
    in_order: Arc<InOrder>,
    hint: Hint,
}

impl<Q: Quest> Heuristic<OrderedQuest<Q>> for FollowingInOrder {
    fn estimate(&mut self, quest: &OrderedQuest<Q>, state: &ProgressState<Q::State>) -> Cost {
        let straight = StraightLine.estimate(quest, state);
        let at = place_of(quest, state);
        let progress = state.progress;
        self.in_order
            .estimate(at, straight, progress, &mut self.hint)
    }

    /// With its inflation it is never too high; states are told apart too coarsely for more.
    fn promise(&self) -> Promise {
        Promise::Admissible
    }

    fn inflation(&self) -> Weight {
        self.in_order.inflation()
    }
}
