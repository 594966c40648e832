//! What the searches of a planner are made of: estimates that share what they get ready.

use apprentice_game::Ground;

use crate::event_heuristic::EventPaths;
use crate::trail::SharedTrail;
use crate::{EGraphHeuristic, KeyDoorHeuristic, Planner, TGraphHeuristic};

/// The estimates of one search. Those of [another](Kit::apart) share with them what does not depend on
/// where a search begins.
pub(crate) struct Kit<G> {
    /// The trail, and with it what is followed.
    pub(crate) trail: SharedTrail<G>,
    pub(crate) errands: KeyDoorHeuristic<G>,
    pub(crate) recalling: EGraphHeuristic,
    pub(crate) paths: EventPaths,
}

impl<G: Ground> Kit<G> {
    /// Those of a planner, which share nothing with others yet.
    pub(crate) fn new(planner: &Planner) -> Kit<G> {
        let (epsilon, reach) = (planner.epsilon().as_f64(), planner.reach);
        Kit {
            trail: SharedTrail::new(planner.following(), epsilon, reach),
            errands: KeyDoorHeuristic::default(),
            recalling: planner.recalling(),
            paths: EventPaths::default(),
        }
    }

    /// The same for another search, which may begin elsewhere.
    pub(crate) fn apart(&self) -> Kit<G> {
        Kit {
            trail: self.trail.apart(),
            errands: self.errands.apart(),
            recalling: self.recalling.clone(),
            paths: self.paths.clone(),
        }
    }

    /// The same with something else that is followed.
    pub(crate) fn with_following(mut self, following: TGraphHeuristic<G>) -> Kit<G> {
        self.trail = self.trail.with_following(following);
        self
    }

    /// What is followed.
    pub(crate) fn following(&self) -> &TGraphHeuristic<G> {
        self.trail.following()
    }
}
