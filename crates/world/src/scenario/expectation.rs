//! What a level's maker expects of whoever plays in it, so that a level can be a test.

/// What is expected of a character that is let play in a level.
///
/// ```
/// use apprentice_world::Scenario;
///
/// let scenario = Scenario::parse(
///     "format = 1\nstart = [0, 0]\ngoal = { all = [] }\nmap = { rows = ['..'] }\n\
///      expect = { within = 30.0, health = 50 }",
/// )?;
/// let expected = scenario.expected().expect("it says so");
/// assert!(expected.arrives);
/// assert_eq!(expected.within, Some(30.0));
/// # Ok::<(), apprentice_world::ScenarioError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Expectation {
    /// Whether it reaches the goal; it may also be expected not to.
    pub arrives: bool,
    /// In so many seconds at most.
    pub within: Option<f64>,
    /// With so much health at least.
    pub health: Option<f64>,
    /// Whether nobody notices it.
    pub unnoticed: bool,
    /// How much of what was shown it passes by at least, from 0 to 1.
    pub followed: Option<f64>,
}

impl Default for Expectation {
    fn default() -> Expectation {
        Expectation {
            arrives: true,
            within: None,
            health: None,
            unnoticed: false,
            followed: None,
        }
    }
}
