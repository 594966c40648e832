//! Doing it the way it was shown: estimates that rise where somebody moves differently, or has other
//! things, than the demonstrator had beside them.

use apprentice_search::Cost;

use crate::{Distance, Guide, Hint, Place, Stance, TrainingGraph};

impl<D: Distance> TrainingGraph<D> {
    /// The estimate at `at`, and `penalty` more if the demonstration that is followed there was not
    /// gone in a way that `agrees` with the state in question, so that a stretch that was sneaked is
    /// sneaked. Not to be relied on for bounds, so for advisers only.
    ///
    /// ```
    /// # use std::sync::Arc;
    /// # use apprentice_experience::*;
    /// # use apprentice_search::{Cost, Weight};
    /// # let ground = OpenGround { top_speed: 1.0 };
    /// # let goal = Place::flat(9.0, 0.0);
    /// let mut shown = Demonstration::drawn("past the bear", [Place::flat(0.0, 0.0), goal], 1.0);
    /// shown.samples[0].stance.gait = Some("sneak".into());
    /// # let mut graph = DemonstrationGraph::default();
    /// graph.add(&shown);
    /// # let training = TrainingGraph::new(
    /// #     Arc::new(graph), Straight::default(), TrainingSettings::with_inflation(Weight::new(5.0)?),
    /// #     &Journey { start: None, goal: ground.to(goal), ways: &ground });
    /// # let (at, straight) = (Place::flat(3.0, 0.0), Cost::from_seconds(6.0));
    /// let penalty = Cost::from_seconds(2.0);
    /// let mut hint = Hint::default();
    /// let mut estimate = |gait: &str| training.estimate_in_stance(
    ///     at, straight, penalty, |shown| shown.gait.as_deref() == Some(gait), &mut hint,
    /// );
    /// assert_eq!(estimate("walk"), estimate("sneak") + penalty);
    /// # Ok::<(), apprentice_search::BadWeight>(())
    /// ```
    pub fn estimate_in_stance(
        &self,
        at: Place,
        straight: Cost,
        penalty: Cost,
        agrees: impl FnOnce(&Stance) -> bool,
        hint: &mut Hint,
    ) -> Cost {
        if !straight.is_finite() {
            return straight;
        }
        let attribution = self.attribute_near(at, straight.as_seconds(), hint);
        let estimate = self.rounded(attribution.estimate, straight);
        let Guide::Way { way, .. } = attribution.guide else {
            return estimate;
        };
        match self.graph().stance(way) {
            Some(shown) if !agrees(shown) => estimate + penalty,
            _ => estimate,
        }
    }
}
