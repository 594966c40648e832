//! A character for which somebody else decides now and then.

use apprentice_game::Live;

use crate::Character;
use crate::eyes::Eyes;
use crate::plan::Plan;

/// What a character is about to do: a copy of its plan, to be carried out in a world that is only
/// imagined.
pub struct Intent<L: Live> {
    plan: Plan<L>,
    who: L::Who,
}

impl<L: Live> Intent<L> {
    /// What it would do now. To be asked before every advance of the imagined world; `None` when the plan
    /// is over.
    pub fn order(&mut self, level: &L, world: &L::World) -> Option<&L::Order> {
        let eyes = Eyes {
            level,
            who: &self.who,
        };
        self.plan.progress(eyes, world);
        self.plan.order(eyes, world)
    }
}

// Nothing of it needs to be copied but what it shares with the character.
impl<L: Live> Clone for Intent<L> {
    fn clone(&self) -> Intent<L> {
        Intent {
            plan: self.plan.clone(),
            who: self.who.clone(),
        }
    }
}

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

    /// What it is about to do, for whoever wants to know what would come of it in a world that is not as
    /// was planned; none if it has no plan.
    pub fn intent(&self) -> Option<Intent<L>> {
        let lead = self.replanning.as_ref();
        let lead = lead.and_then(|replanning| replanning.lead.as_ref());
        let plan = lead.or(self.plan.as_ref())?;
        Some(Intent {
            plan: plan.clone(),
            who: self.who.clone(),
        })
    }
}
