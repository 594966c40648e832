//! A character for which somebody else decides now and then.

use apprentice_game::Live;

use crate::Character;

impl<L: Live> Character<L> {
    /// Says that it does something else now than it would: somebody else has decided so. It goes on
    /// thinking, and takes that for its own last order. To be called instead of
    /// [`order`](Character::order).
    pub fn obey(&mut self, order: &L::Order, world: &L::World) {
        self.is_up_to_date = false;
        self.last = Some((order.clone(), world.clone()));
    }

    /// Whether its orders come from a plan, or from what is kept of one while it makes another;
    /// otherwise it waits.
    pub fn has_way(&self) -> bool {
        let lead = self.replanning.as_ref();
        let lead = lead.and_then(|replanning| replanning.lead.as_ref());
        lead.or(self.plan.as_ref())
            .is_some_and(|plan| !plan.is_over())
    }
}
