//! A quest in which one may also go along a whole demonstrated way at once.

use std::sync::Arc;

use apprentice_experience::{Demonstration, Place, Stance};
use apprentice_game::{
    Aim, Danger, Foes, Game, Ground, Landmark, LandmarkId, Others, Pace, Peril, Prices, Wraps,
};
use apprentice_search::{Cost, Path, Problem, Successors};

/// A quest in which one may also go along a whole demonstrated way at once: from one place that was shown
/// to the next, and to a place that was shown from close by. So an E-Graph is used that is not on the graph
/// of the map (mode `connect`).
///
/// What is gone at once is made of the quest's own steps, one after the other, where all of them can be
/// made. So plans are plans of the quest, the best of them cost the same, and whatever bound holds here
/// holds for the quest.
pub struct ConnectedQuest<Q> {
    quest: Q,
    /// Ways to be gone at once: the places after the first, one step from each other.
    ways: Vec<Vec<usize>>,
    /// Which of them leave a place: pairs of place and way, in the order of places. From one place to
    /// another there is one.
    leaving: Vec<(usize, usize)>,
}

/// From how many steps away one may go to a place that was shown: as far as it takes from the middle between
/// two that are recorded twice a second.
const SNAP: f64 = 1.5;

impl<Q: Game> ConnectedQuest<Q> {
    /// The quest with what was shown connected to it.
    pub fn new(quest: Q, demonstrations: &[Demonstration]) -> ConnectedQuest<Q> {
        let ground = &**quest.ground();
        let pace = Pace::new(quest.top_speed(), ground.spacing());
        let (mut ways, mut leaving) = (Vec::new(), Vec::new());
        let mut add = |from: usize, to: usize| {
            if let Some(way) = straight_way(ground, &pace, from, to) {
                leaving.push((from, ways.len()));
                ways.push(way);
            }
        };
        for shown in demonstrations {
            let places: Vec<usize> = shown.places().filter_map(|at| ground.nearest(at)).collect();
            for pair in places.windows(2) {
                add(pair[0], pair[1]);
            }
            for place in places {
                let at = ground.at(place);
                let height = (!ground.is_flat()).then_some(at.z);
                for from in ground.within(at.x, at.y, height, SNAP * ground.spacing()) {
                    add(from, place);
                }
            }
        }
        leaving.sort_by_key(|(from, way)| (*from, ways[*way].last().copied()));
        leaving.dedup_by_key(|(from, way)| (*from, ways[*way].last().copied()));
        ConnectedQuest {
            quest,
            ways,
            leaving,
        }
    }

    /// Goes along a way step by step, as fast as one can; tells every step, and says whether all of them
    /// could be made.
    fn go(
        &self,
        state: &Q::State,
        way: &[usize],
        mut tell: impl FnMut(Q::Action, &Q::State, Cost),
    ) -> bool {
        let mut here = state.clone();
        let mut out = Successors::new();
        for place in way {
            out.clear();
            self.quest.successors(&here, &mut out);
            let steps = out
                .iter()
                .filter(|step| self.quest.place(&step.state) == *place);
            let Some(step) = steps.min_by_key(|step| step.cost) else {
                return false;
            };
            tell(step.action.clone(), &step.state, step.cost);
            let then = step.state.clone();
            here = then;
        }
        true
    }

    /// The ways that leave a place.
    fn ways_from(&self, place: usize) -> impl Iterator<Item = &[usize]> {
        let first = self.leaving.partition_point(|(from, _)| *from < place);
        let here = self.leaving[first..].iter();
        let here = here.take_while(move |(from, _)| *from == place);
        here.map(|(_, way)| &*self.ways[*way])
    }
}

/// The steps from one place to another that keep nearest to the straight line; nothing where they are one
/// step or less apart, or no step leads nearer.
fn straight_way<G: Ground>(ground: &G, pace: &Pace, from: usize, to: usize) -> Option<Vec<usize>> {
    let goal = ground.at(to);
    let (mut way, mut here) = (Vec::new(), from);
    while here != to {
        let left = ground.at(here).distance_to(goal);
        let mut best: Option<(f64, usize)> = None;
        ground.each_step_from(here, pace, |step| {
            let distance = ground.at(step.place).distance_to(goal);
            let is_better = best.is_none_or(|(least, place)| {
                distance < least || distance == least && step.place < place
            });
            if ground.is_walkable(step.place) && distance < left && is_better {
                best = Some((distance, step.place));
            }
        });
        here = best?.1;
        way.push(here);
    }
    (way.len() > 1).then_some(way)
}

impl<Q: Game> Problem for ConnectedQuest<Q> {
    type State = Q::State;
    type Key = Q::Key;
    type Action = Q::Action;
    const LISTS_IN_PARTS: bool = Q::LISTS_IN_PARTS;

    fn start(&self) -> Self::State {
        self.quest.start()
    }

    fn key(&self, state: &Self::State) -> Self::Key {
        self.quest.key(state)
    }

    fn is_goal(&self, state: &Self::State) -> bool {
        self.quest.is_goal(state)
    }

    fn successors(&self, state: &Self::State, out: &mut Successors<Self::State, Q::Action>) {
        self.successors_from(state, 0, out, &mut |_| true);
    }

    fn successors_from(
        &self,
        state: &Self::State,
        from: usize,
        out: &mut Successors<Self::State, Q::Action>,
        go_on: &mut dyn FnMut(u64) -> bool,
    ) -> Option<usize> {
        if from == 0 {
            for way in self.ways_from(self.quest.place(state)) {
                let (mut cost, mut last) = (Cost::ZERO, None);
                let can_be_gone = self.go(state, way, |action, state, step| {
                    cost = cost + step;
                    last = Some((action, state.clone()));
                });
                if let (true, Some((action, state))) = (can_be_gone, last) {
                    out.push(action, state, cost);
                }
            }
        }
        self.quest.successors_from(state, from, out, go_on)
    }

    fn index(&self, key: &Self::Key) -> Option<u32> {
        self.quest.index(key)
    }

    fn revision(&self) -> u64 {
        self.quest.revision()
    }
}

impl<Q: Game> Game for ConnectedQuest<Q> {
    type Ground = Q::Ground;

    fn ground(&self) -> &Arc<Q::Ground> {
        self.quest.ground()
    }

    fn place(&self, state: &Self::State) -> usize {
        self.quest.place(state)
    }

    fn top_speed(&self) -> f64 {
        self.quest.top_speed()
    }

    fn aim(&self) -> &Aim {
        self.quest.aim()
    }

    fn level(&self) -> u64 {
        self.quest.level()
    }

    fn straight_to(&self, part: &Aim, from: Place, state: &Self::State) -> Cost {
        self.quest.straight_to(part, from, state)
    }

    fn straight(&self, state: &Self::State) -> Cost {
        self.quest.straight(state)
    }

    fn straight_from(&self, place: usize) -> Cost {
        self.quest.straight_from(place)
    }

    fn at(&self, state: &Self::State) -> Place {
        self.quest.at(state)
    }

    fn landmarks(&self) -> &[Landmark] {
        self.quest.landmarks()
    }

    fn is_done(&self, state: &Self::State, landmark: LandmarkId) -> bool {
        self.quest.is_done(state, landmark)
    }

    fn is_shut(&self, landmark: LandmarkId) -> bool {
        self.quest.is_shut(landmark)
    }

    fn is_gone(&self, landmark: LandmarkId) -> bool {
        self.quest.is_gone(landmark)
    }

    fn places_of(&self, landmark: LandmarkId) -> Vec<usize> {
        self.quest.places_of(landmark)
    }

    fn territory_of(&self, landmark: LandmarkId) -> Option<Vec<usize>> {
        self.quest.territory_of(landmark)
    }

    fn whereabouts(&self, state: &Self::State, landmark: LandmarkId) -> Place {
        self.quest.whereabouts(state, landmark)
    }

    fn time_left(&self, state: &Self::State, landmark: LandmarkId) -> Cost {
        self.quest.time_left(state, landmark)
    }

    fn is_helped(&self) -> bool {
        self.quest.is_helped()
    }

    fn others(&self) -> Others {
        self.quest.others()
    }

    fn foes(&self) -> Foes {
        self.quest.foes()
    }

    fn dangers(&self) -> Vec<Danger> {
        self.quest.dangers()
    }

    fn outlook(&self, dangers: &[Danger]) -> u64 {
        self.quest.outlook(dangers)
    }

    fn would_notice(&self, danger: &Danger, place: usize, quietly: bool) -> bool {
        self.quest.would_notice(danger, place, quietly)
    }

    fn quiet_slowness(&self) -> f64 {
        self.quest.quiet_slowness()
    }

    fn peril(&self, state: &Self::State) -> Peril {
        self.quest.peril(state)
    }

    fn prices(&self) -> Prices {
        self.quest.prices()
    }

    fn hunter_prices(&self) -> Vec<Cost> {
        self.quest.hunter_prices()
    }

    fn goes_as(&self, state: &Self::State, shown: &Stance) -> bool {
        self.quest.goes_as(state, shown)
    }

    fn moves_by_itself(&self) -> bool {
        self.quest.moves_by_itself()
    }

    fn is_in_step(&self, state: &Self::State) -> Option<bool> {
        self.quest.is_in_step(state)
    }

    fn is_usual(&self, shown: &Stance) -> bool {
        self.quest.is_usual(shown)
    }
}

impl<Q: Game> Wraps for ConnectedQuest<Q> {
    type Inside = Q;

    fn inside(&self) -> &Q {
        &self.quest
    }

    fn state_inside<'a>(&self, state: &'a Self::State) -> &'a Q::State {
        state
    }

    /// With every step of what is gone at once.
    fn actions(&self, path: &Path<Q::State, Q::Action>) -> Vec<Q::Action> {
        let mut actions = Vec::new();
        let mut here = &path.start;
        for (action, then) in &path.steps {
            let to = self.quest.place(then);
            let mut ways = self.ways_from(self.quest.place(here));
            match ways.find(|way| way.last() == Some(&to)) {
                Some(way) => {
                    self.go(here, way, |action, _, _| actions.push(action));
                }
                None => actions.push(action.clone()),
            }
            here = then;
        }
        actions
    }
}
