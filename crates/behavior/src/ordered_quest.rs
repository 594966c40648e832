//! A quest whose states know how far along a demonstration one has come.

use std::sync::Arc;

use apprentice_experience::{
    Demonstration, DemonstrationGraph, DemonstrationGraphBuilder, Hint, InOrder, InOrderBuilder,
    InOrderSettings, Journey, Place, ProgressState, Stance, WaysTo, WithProgress,
};
use apprentice_game::{
    Aim, Danger, DistanceField, Foes, Game, Landmark, LandmarkId, Others, Peril, Prices, Wraps,
};
use apprentice_search::{Budget, Cost, Heuristic, Problem, Promise, Successors, Weight};

use crate::ground::{GroundWays, straight};
use crate::tgraph_heuristic::goal_places;

/// A quest whose states know how far along a demonstration one has come, so that one that crosses
/// itself, or circles back, is followed in order: out to lure the bear, and then home.
///
/// Steps and costs are those of the quest; only the states are told apart more finely. So whatever
/// bound holds for plans here holds for the quest.
pub struct OrderedQuest<Q: Game> {
    progressing: WithProgress<Q, PlaceIn<Q>>,
}

/// Where one is in a state of a quest.
type PlaceIn<Q> = fn(&Q, &<Q as Problem>::State) -> Place;

/// States whose progress differs by less are the same, in seconds of the demonstration.
const QUANTUM: f64 = 2.0;

impl<Q: Game> OrderedQuest<Q> {
    /// The quest with progress along one demonstration, all at once; see [`OrderedQuestBuilder`].
    pub fn new(quest: Q, shown: &Demonstration, inflation: Weight) -> OrderedQuest<Q> {
        let mut ordering = OrderedQuestBuilder::new(quest, shown.clone(), inflation);
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
pub struct OrderedQuestBuilder<Q: Game> {
    quest: Q,
    shown: Demonstration,
    /// The ways to the goal: being swept, and swept.
    goal: Option<DistanceField>,
    to_goal: Option<Arc<dyn WaysTo>>,
    ways: GroundWays<Q::Ground>,
    graph: DemonstrationGraph,
    adding: DemonstrationGraphBuilder,
    learning: InOrderBuilder,
}

impl<Q: Game> OrderedQuestBuilder<Q> {
    /// Begins with a quest and the demonstration it is to be done in the order of; whatever that does
    /// not show counts `inflation` times.
    pub fn new(quest: Q, shown: Demonstration, inflation: Weight) -> OrderedQuestBuilder<Q> {
        let ground = quest.ground().clone();
        let speed = quest.top_speed();
        let settings = InOrderSettings::with_inflation(inflation);
        let straight = straight(&*ground, speed);
        OrderedQuestBuilder {
            goal: Some(DistanceField::to(
                &*ground,
                goal_places(quest.aim(), &quest),
                speed,
            )),
            to_goal: None,
            ways: GroundWays::new(ground, speed),
            quest,
            shown,
            graph: DemonstrationGraph::default(),
            adding: DemonstrationGraphBuilder::default(),
            learning: InOrderBuilder::new(0, straight, settings),
        }
    }

    /// Goes on; one unit of budget for each place that is swept, every 32 samples and every 64 pieces
    /// of the demonstration. False: the budget is spent, call again.
    pub fn go_on(&mut self, budget: &mut Budget<'_>) -> bool {
        if let Some(goal) = &mut self.goal
            && !goal.sweep(&**self.quest.ground(), budget)
        {
            return false;
        }
        if let Some(goal) = self.goal.take() {
            self.to_goal = Some(self.ways.to_nearest(goal));
        }
        if !self.adding.go_on(&mut self.graph, &self.shown, budget) {
            return false;
        }
        let first = self.graph.traces().first();
        let first = first.map(|trace| self.graph.place(trace.first()));
        if let Some(first) = first
            && !self.ways.get_ready(first, budget)
        {
            return false;
        }
        let Some(to_goal) = &self.to_goal else {
            return true;
        };
        let journey = Journey {
            start: Some(self.quest.at(&self.quest.start())),
            goal: to_goal.clone(),
            ways: &self.ways,
        };
        self.learning.go_on(&self.graph, &journey, budget)
    }

    /// The quest, once [`go_on`](OrderedQuestBuilder::go_on) has said that all is done.
    ///
    /// # Panics
    ///
    /// If it has not.
    pub fn finish(self) -> OrderedQuest<Q> {
        let in_order = Arc::new(self.learning.finish());
        let place: PlaceIn<Q> = Q::at;
        OrderedQuest {
            progressing: WithProgress::new(self.quest, in_order, place, QUANTUM),
        }
    }
}

impl<Q: Game> Problem for OrderedQuest<Q> {
    type State = ProgressState<Q::State>;
    type Key = (Q::Key, u32);
    type Action = Q::Action;
    const LISTS_IN_PARTS: bool = Q::LISTS_IN_PARTS;

    fn start(&self) -> Self::State {
        self.progressing.start()
    }

    fn key(&self, state: &Self::State) -> Self::Key {
        self.progressing.key(state)
    }

    fn is_goal(&self, state: &Self::State) -> bool {
        self.progressing.is_goal(state)
    }

    fn successors(&self, state: &Self::State, out: &mut Successors<Self::State, Q::Action>) {
        self.progressing.successors(state, out);
    }

    fn successors_from(
        &self,
        state: &Self::State,
        from: usize,
        out: &mut Successors<Self::State, Q::Action>,
        go_on: &mut dyn FnMut(u64) -> bool,
    ) -> Option<usize> {
        self.progressing.successors_from(state, from, out, go_on)
    }

    fn revision(&self) -> u64 {
        self.progressing.revision()
    }
}

impl<Q: Game> OrderedQuest<Q> {
    fn game(&self) -> &Q {
        self.progressing.problem()
    }
}

impl<Q: Game> Game for OrderedQuest<Q> {
    type Ground = Q::Ground;

    fn ground(&self) -> &Arc<Q::Ground> {
        self.game().ground()
    }

    fn place(&self, state: &Self::State) -> usize {
        self.game().place(&state.state)
    }

    fn top_speed(&self) -> f64 {
        self.game().top_speed()
    }

    fn aim(&self) -> &Aim {
        self.game().aim()
    }

    fn level(&self) -> u64 {
        self.game().level()
    }

    fn straight_to(&self, part: &Aim, from: Place, state: &Self::State) -> Cost {
        self.game().straight_to(part, from, &state.state)
    }

    fn straight(&self, state: &Self::State) -> Cost {
        self.game().straight(&state.state)
    }

    fn straight_from(&self, place: usize) -> Cost {
        self.game().straight_from(place)
    }

    fn at(&self, state: &Self::State) -> Place {
        self.game().at(&state.state)
    }

    fn landmarks(&self) -> &[Landmark] {
        self.game().landmarks()
    }

    fn is_done(&self, state: &Self::State, landmark: LandmarkId) -> bool {
        self.game().is_done(&state.state, landmark)
    }

    fn is_shut(&self, landmark: LandmarkId) -> bool {
        self.game().is_shut(landmark)
    }

    fn is_gone(&self, landmark: LandmarkId) -> bool {
        self.game().is_gone(landmark)
    }

    fn places_of(&self, landmark: LandmarkId) -> Vec<usize> {
        self.game().places_of(landmark)
    }

    fn territory_of(&self, landmark: LandmarkId) -> Option<Vec<usize>> {
        self.game().territory_of(landmark)
    }

    fn whereabouts(&self, state: &Self::State, landmark: LandmarkId) -> Place {
        self.game().whereabouts(&state.state, landmark)
    }

    fn time_left(&self, state: &Self::State, landmark: LandmarkId) -> Cost {
        self.game().time_left(&state.state, landmark)
    }

    fn is_helped(&self) -> bool {
        self.game().is_helped()
    }

    fn others(&self) -> Others {
        self.game().others()
    }

    fn foes(&self) -> Foes {
        self.game().foes()
    }

    fn dangers(&self) -> Vec<Danger> {
        self.game().dangers()
    }

    fn outlook(&self, dangers: &[Danger]) -> u64 {
        self.game().outlook(dangers)
    }

    fn would_notice(&self, danger: &Danger, place: usize, quietly: bool) -> bool {
        self.game().would_notice(danger, place, quietly)
    }

    fn quiet_slowness(&self) -> f64 {
        self.game().quiet_slowness()
    }

    fn peril(&self, state: &Self::State) -> Peril {
        self.game().peril(&state.state)
    }

    fn hunter_prices(&self) -> Vec<Cost> {
        self.game().hunter_prices()
    }

    fn prices(&self) -> Prices {
        self.game().prices()
    }

    fn goes_as(&self, state: &Self::State, shown: &Stance) -> bool {
        self.game().goes_as(&state.state, shown)
    }

    fn moves_by_itself(&self) -> bool {
        self.game().moves_by_itself()
    }

    fn is_in_step(&self, state: &Self::State) -> Option<bool> {
        self.game().is_in_step(&state.state)
    }

    fn is_usual(&self, shown: &Stance) -> bool {
        self.game().is_usual(shown)
    }
}

impl<Q: Game> Wraps for OrderedQuest<Q> {
    type Inside = Q;

    fn inside(&self) -> &Q {
        self.game()
    }

    fn state_inside<'a>(&self, state: &'a Self::State) -> &'a Q::State {
        &state.state
    }
}

/// The T-Graph estimate in which credit along the demonstration depends on how far one has come.
#[derive(Clone)]
pub struct FollowingInOrder {
    in_order: Arc<InOrder>,
    hint: Hint,
}

impl<Q: Game> Heuristic<OrderedQuest<Q>> for FollowingInOrder {
    fn estimate(&mut self, quest: &OrderedQuest<Q>, state: &ProgressState<Q::State>) -> Cost {
        let (at, straight) = (quest.at(state), quest.straight(state));
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
