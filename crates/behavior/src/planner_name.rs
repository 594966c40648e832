//! The planners there are, by name.

use std::fmt;

/// A planner, by its name.
///
/// ```
/// use apprentice_behavior::PlannerName;
///
/// assert_eq!(PlannerName::from_name("mha-plus"), Some(PlannerName::MhaPlus));
/// assert_eq!(PlannerName::MhaPlus.to_string(), "mha-plus");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub enum PlannerName {
    /// The best plan, by the straight-line estimate.
    Astar,
    /// Weighted A*: sooner, at most W times the best.
    Wastar,
    /// ARA*: a plan soon, better ones while the budget lasts.
    Ara,
    /// Weighted A* with the E-Graph estimate: uses demonstrated ways where they help.
    Egraph,
    /// Weighted A* with the T-Graph estimate: follows demonstrations to their end.
    Tgraph,
    /// Shared MHA*.
    Mha,
    /// Independent MHA*: advisers share nothing.
    MhaIndependent,
    /// MHA*++: advisers need not be calibrated.
    MhaPlus,
    /// Focal-MHA*.
    MhaFocal,
    /// Unconstrained-MHA*.
    MhaUnconstrained,
    /// What a game ships: follows demonstrations, adapts, keeps its bound, improves if asked to.
    Auto,
}

impl PlannerName {
    /// All of them, the plainest first.
    pub const ALL: [PlannerName; 11] = [
        PlannerName::Astar,
        PlannerName::Wastar,
        PlannerName::Ara,
        PlannerName::Egraph,
        PlannerName::Tgraph,
        PlannerName::Mha,
        PlannerName::MhaIndependent,
        PlannerName::MhaPlus,
        PlannerName::MhaFocal,
        PlannerName::MhaUnconstrained,
        PlannerName::Auto,
    ];

    /// The planner of this name.
    pub fn from_name(name: &str) -> Option<PlannerName> {
        PlannerName::ALL
            .into_iter()
            .find(|planner| planner.name() == name)
    }

    /// What it is called.
    pub const fn name(self) -> &'static str {
        match self {
            PlannerName::Astar => "astar",
            PlannerName::Wastar => "wastar",
            PlannerName::Ara => "ara",
            PlannerName::Egraph => "egraph",
            PlannerName::Tgraph => "tgraph",
            PlannerName::Mha => "mha",
            PlannerName::MhaIndependent => "mha-independent",
            PlannerName::MhaPlus => "mha-plus",
            PlannerName::MhaFocal => "mha-focal",
            PlannerName::MhaUnconstrained => "mha-unconstrained",
            PlannerName::Auto => "auto",
        }
    }

    /// What it is, in a line.
    pub const fn about(self) -> &'static str {
        match self {
            PlannerName::Astar => "The best plan, by the straight-line estimate",
            PlannerName::Wastar => "Weighted A*: sooner, at most W times the best",
            PlannerName::Ara => "ARA*: a plan soon, better ones while the budget lasts",
            PlannerName::Mha => {
                "Shared MHA*: demonstrations and quest events advise, the straight line keeps the bound"
            }
            PlannerName::Egraph => "Weighted A* that uses demonstrated ways where they help",
            PlannerName::Tgraph => "Weighted A* that follows demonstrations to their end",
            PlannerName::MhaIndependent => "Independent MHA*: the same, but advisers share nothing",
            PlannerName::MhaPlus => "MHA*++: advisers need not be calibrated",
            PlannerName::MhaFocal => "Focal-MHA*: the same, within a focal list",
            PlannerName::MhaUnconstrained => "Unconstrained-MHA*: the same, advisers choose freely",
            PlannerName::Auto => {
                "Follows demonstrations, adapts what has moved, and keeps its bound"
            }
        }
    }

    /// Whether it is one of the MHA* family, which listens to advisers.
    pub const fn has_advisers(self) -> bool {
        !self.is_plain() && !self.is_led()
    }

    /// Whether demonstrations mean anything to it.
    pub const fn follows(self) -> bool {
        !self.is_plain()
    }

    /// Whether it knows straight lines only.
    const fn is_plain(self) -> bool {
        matches!(
            self,
            PlannerName::Astar | PlannerName::Wastar | PlannerName::Ara
        )
    }

    /// Whether the one heuristic it has is a demonstration's.
    pub(crate) const fn is_led(self) -> bool {
        matches!(self, PlannerName::Egraph | PlannerName::Tgraph)
    }

    /// Whether it goes by an [`Estimate`](crate::Estimate), alone or as its anchor.
    pub(crate) const fn goes_by_estimate(self) -> bool {
        self.is_plain() || self.has_advisers() && !matches!(self, PlannerName::Auto)
    }

    /// Whether its advisers are weighed against the anchor, so that their scale matters.
    pub const fn weighs_advisers(self) -> bool {
        matches!(
            self,
            PlannerName::Mha | PlannerName::MhaIndependent | PlannerName::Auto
        )
    }
}

impl fmt::Display for PlannerName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_leads_back_to_its_planner() {
        for planner in PlannerName::ALL {
            assert_eq!(PlannerName::from_name(planner.name()), Some(planner));
        }
        assert_eq!(PlannerName::from_name("dijkstra"), None);
    }
}
