//! Checks a plan by living through it, as `apprentice verify` does.

use apprentice::report::document::ClaimedPlan;
use schemars::JsonSchema;
use serde::Serialize;

use crate::{Code, NamedLevel, Refusal};

/// Whether a plan works.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Verdict {
    /// Whether it does.
    pub valid: bool,
    /// Why not; only if it does not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// How many steps it has; only if it works.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub steps: Option<usize>,
    /// How many seconds it takes; only if it works.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
}

/// Lives through a plan, without any search code, and compares how it goes with what it says. `document`
/// is what `apprentice plan --format json` prints.
///
/// ```
/// use apprentice_session::{NamedLevel, verify};
///
/// let text = "format = 1\nstart = [0, 0]\ngoal = { within = { at = [1, 0], radius = 0.0 } }\nmap = { rows = ['..'] }";
/// let level = NamedLevel::read("hall", text, |_| Err(String::new()))?;
/// assert!(verify(&level, r#"{"steps":[{"action":"walk east"}]}"#)?.valid);
/// let verdict = verify(&level, r#"{"steps":[{"action":"walk north"}]}"#)?;
/// assert!(!verdict.valid && verdict.why.is_some());
/// # Ok::<(), apprentice_session::Refusal>(())
/// ```
///
/// # Errors
///
/// If the document is no plan, or is for somebody who is not there.
pub fn verify(level: &NamedLevel, document: &str) -> Result<Verdict, Refusal> {
    let claimed: ClaimedPlan = serde_json::from_str(document).map_err(|error| {
        let wrong = format!("this is no plan: {error}; `apprentice plan --format json` writes one");
        Refusal::new(Code::BadFile, wrong)
    })?;
    let mut scenario = level.level.scenario.clone();
    if let Some(name) = &claimed.agent {
        let planned = (scenario.actor(name)).and_then(|agent| scenario.for_agent(agent));
        scenario = planned.map_err(|error| Refusal::new(Code::NoSuch, error))?;
    }
    let orders = (claimed.orders()).map_err(|why| Refusal::new(Code::BadFile, why))?;
    let invalid = |why: String| Verdict {
        valid: false,
        why: Some(why),
        steps: None,
        cost: None,
    };
    let status = claimed.status.as_deref();
    if let Some(status) = status.filter(|status| *status != "found") {
        return Ok(invalid(format!(
            "the document has no plan, its status is `{status}`"
        )));
    }
    Ok(match claimed.live_through(&scenario, &orders) {
        Ok(lived) => Verdict {
            valid: true,
            why: None,
            steps: Some(lived.steps.len()),
            cost: Some(lived.cost.as_seconds()),
        },
        Err(why) => invalid(why),
    })
}
