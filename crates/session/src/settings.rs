//! Planners and their numbers, by the names the command line has for them.

use apprentice::behavior::{EventGuide, EventMetric, PlannerName, Settings};
use apprentice::experience::{Corridor, Lookup, Projection, Remember, StartEdge};
use apprentice::search::Weight;
use apprentice::world::Scenario;
use schemars::JsonSchema;
use serde::Deserialize;

use crate::{Code, Refusal};

/// A planner and its numbers, each as the option of `apprentice plan` with that name; what is not given
/// follows from the bound.
///
/// ```
/// use apprentice_session::AskedSettings;
///
/// let asked = AskedSettings { planner: Some("wastar".into()), bound: Some(2.0), ..Default::default() };
/// assert!(asked.settings().is_ok());
/// let asked = AskedSettings { planner: Some("wastr".into()), ..Default::default() };
/// assert_eq!(
///     asked.settings().unwrap_err().to_string(),
///     "there is no planner `wastr`; did you mean `wastar`?"
/// );
/// ```
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq)]
#[serde(deny_unknown_fields, default)]
pub struct AskedSettings {
    /// The planner; if not given, what the level asks for, or `auto`.
    pub planner: Option<String>,
    /// Plans may cost at most this many times the best.
    pub bound: Option<f64>,
    /// From 0, the best plan, to 1, what was shown; sets the bound.
    pub faithful: Option<f64>,
    /// How many times estimates count.
    pub w: Option<f64>,
    /// How many times whatever was not demonstrated counts.
    pub epsilon: Option<f64>,
    /// How many times estimates count in `mha`, `mha-independent` and `auto`.
    pub w1: Option<f64>,
    /// How far advisers may exceed the anchor there.
    pub w2: Option<f64>,
    /// Whether states are expanded again when a cheaper way to them is found.
    pub reopen: bool,
    /// Where a demonstration is joined: `perpendicular` or `consistent`.
    pub projection: Option<String>,
    /// How the end of a demonstration leads to the goal: `printed` or `path`.
    pub corridor: Option<String>,
    /// How the start leads to a demonstration: `start`, `query` or `off`.
    pub start_edge: Option<String>,
    /// Further turns for the adviser that follows demonstrations.
    pub extra_turns: Option<u32>,
    /// The events that get an adviser each.
    pub events: Option<Vec<String>>,
    /// How the way to an event is measured: `straight`, `path` or `tgraph`.
    pub event_metric: Option<String>,
    /// What leads from an event to the goal: `tgraph` or `egraph`.
    pub event_guide: Option<String>,
    /// Whether advisers count in full.
    pub no_calibration: bool,
    /// Whether what demonstrations say is worked out anew for every state.
    pub no_memo: bool,
    /// Whether `auto` goes on to better plans while the budget lasts.
    pub improve: bool,
}

impl AskedSettings {
    /// The same, with what a level asks for itself where nothing else is asked for.
    ///
    /// ```
    /// use apprentice::world::Scenario;
    /// use apprentice_session::AskedSettings;
    ///
    /// let level = Scenario::parse(
    ///     "format = 1\nstart = [0, 0]\ngoal = { all = [] }\nmap = { rows = ['..'] }\n\
    ///      planning = { faithful = 0.8 }",
    /// )?;
    /// assert_eq!(AskedSettings::default().in_level(&level).faithful, Some(0.8));
    /// let asked = AskedSettings { bound: Some(2.0), ..Default::default() };
    /// assert_eq!(asked.in_level(&level).faithful, None);
    /// # Ok::<(), apprentice::world::ScenarioError>(())
    /// ```
    #[must_use]
    pub fn in_level(&self, level: &Scenario) -> AskedSettings {
        let planning = level.planning();
        let mut asked = self.clone();
        let is_its_planner = asked.planner.is_none() || asked.planner == planning.planner;
        let numbers = [
            self.bound,
            self.faithful,
            self.w,
            self.epsilon,
            self.w1,
            self.w2,
        ];
        if is_its_planner && numbers.iter().all(Option::is_none) {
            asked.faithful = planning.faithful;
        }
        asked.planner = asked.planner.or_else(|| planning.planner.clone());
        asked
    }

    /// The same for planners.
    ///
    /// # Errors
    ///
    /// If a name is none, or a number is no weight.
    pub fn settings(&self) -> Result<Settings, Refusal> {
        let names = PlannerName::ALL.map(|planner| (planner.name(), planner));
        let planner = chosen("planner", self.planner.as_deref(), &names)?;
        Ok(Settings {
            planner: planner.unwrap_or(PlannerName::Auto),
            bound: weight("bound", self.bound)?,
            faithful: self.faithful,
            w: weight("w", self.w)?,
            epsilon: weight("epsilon", self.epsilon)?,
            w1: weight("w1", self.w1)?,
            w2: weight("w2", self.w2)?,
            reopen: self.reopen,
            projection: chosen(
                "projection",
                self.projection.as_deref(),
                &[
                    ("perpendicular", Projection::Perpendicular),
                    ("consistent", Projection::Consistent),
                ],
            )?,
            corridor: chosen(
                "corridor",
                self.corridor.as_deref(),
                &[("printed", Corridor::Field), ("path", Corridor::Path)],
            )?,
            start_edge: chosen(
                "start edge",
                self.start_edge.as_deref(),
                &[
                    ("start", StartEdge::Start),
                    ("query", StartEdge::Query),
                    ("off", StartEdge::Off),
                ],
            )?,
            extra_turns: self.extra_turns,
            events: self.events.clone(),
            event_metric: chosen(
                "event metric",
                self.event_metric.as_deref(),
                &[
                    ("straight", EventMetric::Straight),
                    ("path", EventMetric::Path),
                    ("tgraph", EventMetric::Training),
                ],
            )?,
            event_guide: chosen(
                "event guide",
                self.event_guide.as_deref(),
                &[
                    ("tgraph", EventGuide::Training),
                    ("egraph", EventGuide::Experience),
                ],
            )?,
            // Only experiments vary these.
            estimate: None,
            experience_mode: None,
            extra_events: Vec::new(),
            lookup: Lookup::Boxes,
            calibrate: !self.no_calibration,
            improve: self.improve,
            remember: if self.no_memo {
                Remember::Nothing
            } else {
                Remember::Places
            },
        })
    }
}

fn chosen<T: Copy>(
    what: &str,
    name: Option<&str>,
    choices: &[(&str, T)],
) -> Result<Option<T>, Refusal> {
    let Some(name) = name else {
        return Ok(None);
    };
    match choices.iter().find(|(known, _)| *known == name) {
        Some((_, choice)) => Ok(Some(*choice)),
        None => {
            let known = choices.iter().map(|(known, _)| *known);
            let refusal = Refusal::no_such(what, name, known);
            Err(Refusal::new(Code::BadSettings, refusal))
        }
    }
}

fn weight(name: &str, number: Option<f64>) -> Result<Option<Weight>, Refusal> {
    let weight = number.map(Weight::new).transpose();
    weight.map_err(|error| Refusal::new(Code::BadSettings, format!("`{name}`: {error}")))
}
