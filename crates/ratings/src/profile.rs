//! The numbers that TrueSkill and its relatives begin with.

/// Where newcomers begin, and how much luck there is, for systems that keep normal distributions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Profile {
    /// How it is called.
    pub name: &'static str,
    /// The rating of newcomers.
    pub mean: f64,
    /// Its standard deviation.
    pub deviation: f64,
    /// How much the same player varies from match to match: the standard deviation of a performance.
    pub performance: f64,
    /// How much a player may have changed since the last match.
    pub drift: f64,
    /// How likely equal players draw.
    pub draws: f64,
}

impl Profile {
    /// As Herbrich, Minka and Graepel published TrueSkill (2006).
    pub const STANDARD: Profile = Profile {
        name: "standard",
        mean: 25.0,
        deviation: 25.0 / 3.0,
        performance: 25.0 / 6.0,
        drift: 25.0 / 300.0,
        draws: 0.1,
    };

    /// The same around 50, everything in proportion, for matches that are never drawn, such as those
    /// of a planner against a level.
    pub const SCALED: Profile = Profile {
        name: "scaled",
        mean: 50.0,
        deviation: 50.0 / 3.0,
        performance: 25.0 / 3.0,
        drift: 1.0 / 6.0,
        draws: 0.0,
    };

    /// What Drake's dissertation (2018) seems to have used: newcomers at 50, and the rest as
    /// published for 25. It gives only the first two numbers; the others are what fits its tables.
    pub const DISSERTATION: Profile = Profile {
        name: "dissertation",
        mean: 50.0,
        deviation: 50.0 / 3.0,
        performance: 25.0 / 6.0,
        drift: 25.0 / 300.0,
        draws: 0.0,
    };

    /// Those there are.
    pub const ALL: [Profile; 3] = [Profile::STANDARD, Profile::SCALED, Profile::DISSERTATION];
}

impl Default for Profile {
    fn default() -> Profile {
        Profile::SCALED
    }
}
