//! What a planner is asked for: which plans, what to remember, where to look first, when to stop.

/// What a planner is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim {
    /// The first plan, then better and better ones until the best is proven.
    Best,
    /// The first plan, and that's it.
    First,
    /// Every plan there is, one a run, in the order in which they are found.
    Every,
}

/// What a planner remembers of the branches it has left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    /// Nothing, as published: it takes the same wrong turn as often as it comes by.
    Nothing,
    /// Where it is: a branch that comes back to a state with the same tasks left is cut off. Needs
    /// [digests](crate::Domain::state_digest).
    Branch,
    /// Where it was and which tasks cannot be done, if the domain has
    /// [digests](crate::Domain::state_digest). The first plan is the same, often much sooner.
    DeadEnds,
}

/// Where a planner looks for better plans first, once it has one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Improving {
    /// Near the end of the plan, as published: it goes back to the last decision, then to the one
    /// before.
    AtTheEnd,
    /// Everywhere: it first decides otherwise at one point of the plan, then at two, and so on
    /// (limited discrepancy search); the further down the list of choices, the more it counts. What
    /// the best plan does comes first in the list, and what leads nowhere is not counted. In the end
    /// it has looked at everything, as the other does.
    Everywhere,
}

/// What ends a branch, or all of the planning, instead of overflowing. Zero is no limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// How deep tasks may be nested in each other.
    pub depth: u32,
    /// How many steps a plan may have.
    pub plan_length: u32,
    /// How many decisions may be open at once.
    pub open: u32,
}

impl Default for Limits {
    /// Far above what domains need that are meant to end.
    fn default() -> Limits {
        Limits {
            depth: 10_000,
            plan_length: 5_000_000,
            open: 20_000_000,
        }
    }
}

/// Which limit cut branches off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Limit {
    /// [`Limits::depth`]
    Depth,
    /// [`Limits::plan_length`]
    PlanLength,
    /// [`Limits::open`]
    Open,
}
