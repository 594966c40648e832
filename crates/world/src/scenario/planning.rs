//! How plans in a level are to be made, as far as its file says: whoever made the level has tried it
//! out, and everybody who plans in it gets what was seen then.

/// How plans in a level are to be made, as far as its file says. Whoever plans may ask for something
/// else.
///
/// ```
/// use apprentice_world::Scenario;
///
/// let scenario = Scenario::parse(
///     "format = 1\nstart = [0, 0]\ngoal = { all = [] }\nmap = { rows = ['..'] }\n\
///      planning = { faithful = 0.8 }",
/// )?;
/// assert_eq!(scenario.planning().faithful, Some(0.8));
/// assert_eq!(scenario.planning().planner, None);
/// # Ok::<(), apprentice_world::ScenarioError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Planning {
    /// The name of a planner. Which there are, those know who plan.
    pub planner: Option<String>,
    /// From 0, the best plan, to 1, what was shown.
    pub faithful: Option<f64>,
    /// Whether plans may run, whatever else they may decide.
    pub runs: bool,
}
