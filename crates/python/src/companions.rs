//! How somebody plays, what they are after, and how strong they are.

use apprentice::experience::DemonstrationLog;
use apprentice::playstyle::{Playstyles, Recogniser, read_model, read_plays, write_model};
use apprentice::ratings::{Evaluation, Order, Procedure, Profile, SystemKind, read_matches};
use apprentice::recognition::{Likelihood, Recognition};
use apprentice::report::numbers::finite;
use apprentice::search::{Budget, Cost};
use apprentice_session::{AskedGoal, NamedLevel, Sightings};
use pyo3::prelude::*;
use serde_json::{Map, Value, json};

use crate::error::{failure, not_understood, refused};

/// Learns styles from plays, in the form of any log that `apprentice playstyle learn` reads; a model.
#[pyfunction]
pub(crate) fn learn_styles(py: Python<'_>, plays: &str, name: &str, labelled: bool) -> PyResult<String> {
    py.detach(|| {
        let plays = read_plays(plays, name).map_err(|error| failure("bad_file", error))?;
        let styles = match labelled {
            true => Playstyles::learn_labelled(&plays),
            false => Playstyles::learn(&plays),
        };
        Ok(write_model(&styles.map_err(|error| failure("bad_value", error))?))
    })
}

/// Tells the style of plays, from all of each or up to a time.
#[pyfunction]
pub(crate) fn classify(
    py: Python<'_>,
    model: &str,
    plays: &str,
    name: &str,
    until: Option<f64>,
) -> PyResult<String> {
    py.detach(|| {
        let styles = read_model(model).map_err(|error| failure("bad_file", error))?;
        let plays = read_plays(plays, name).map_err(|error| failure("bad_file", error))?;
        if until.is_some_and(|until| !(until.is_finite() && until >= 0.0)) {
            return Err(failure("bad_value", "`until` is no time; give seconds since a play began"));
        }
        let recogniser = Recogniser::new(styles.clone());
        let as_of = until.map(|until| recogniser.as_of(until));
        let watching = recogniser.watch();
        let told = plays.iter().map(|play| {
            let (distribution, known) = match &as_of {
                Some(as_of) => {
                    let verdict = as_of.classify(play);
                    (verdict.distribution, verdict.known)
                }
                None => {
                    let mut watching = watching.anew();
                    watching.observe_all(play);
                    (watching.now().clone(), watching.is_known())
                }
            };
            let classes = styles.classes().iter().zip(distribution.probabilities());
            let probabilities: Map<String, Value> = classes
                .map(|(class, probability)| (class.name.clone(), json!(finite(*probability))))
                .collect();
            json!({
                "id": play.id,
                "class": styles.classes()[distribution.most_likely()].name,
                "probabilities": probabilities,
                "known": known,
            })
        });
        Ok(Value::Array(told.collect()).to_string())
    })
}

/// Rates players from matches in comma-separated values, as `apprentice rate` does.
#[pyfunction]
#[allow(clippy::too_many_arguments)]
pub(crate) fn rate(
    py: Python<'_>,
    matches: &str,
    system: &str,
    profile: Option<&str>,
    passes: u32,
    orders: Option<u32>,
    seed: Option<u64>,
    predict: Vec<(Vec<String>, Vec<String>)>,
) -> PyResult<String> {
    py.detach(|| {
        let matches = read_matches(matches).map_err(|errors| {
            let words: Vec<String> = errors.iter().map(ToString::to_string).collect();
            failure("bad_file", words.join("\n"))
        })?;
        let kind: SystemKind = system.parse().map_err(|error| failure("bad_settings", error))?;
        let profile = match profile {
            None => Profile::default(),
            Some(name) => Profile::ALL
                .into_iter()
                .find(|it| it.name == name)
                .ok_or_else(|| failure("bad_settings", format!("there is no profile `{name}`")))?,
        };
        let kind = kind.with_profile(profile);
        let usual = Procedure::default();
        let procedure = Procedure {
            passes,
            order: seed.map_or(Order::AsPlayed, |seed| Order::Shuffled { seed }),
            orders: orders.unwrap_or(usual.orders),
            ..usual
        };
        let evaluation = Evaluation::of(&matches, kind, &procedure);
        let ratings = evaluation.standings.iter().map(|it| {
            json!({
                "name": it.name,
                "rating": finite(it.rating.value),
                "deviation": it.rating.deviation.and_then(finite),
                "conservative": it.rating.conservative().and_then(finite),
                "matches": it.matches,
                "wins": it.wins,
                "draws": it.draws,
            })
        });
        let ratings: Vec<Value> = ratings.collect();
        let mut predictions = Vec::new();
        for (one, other) in &predict {
            let names = |side: &[String]| side.to_vec();
            let (one, other) = (names(one), names(other));
            let one: Vec<&str> = one.iter().map(String::as_str).collect();
            let other: Vec<&str> = other.iter().map(String::as_str).collect();
            let told = evaluation.predict(&one, &other);
            let told = told.map_err(|error| failure("no_such", error))?;
            predictions.push(json!({
                "one": one,
                "other": other,
                "probability": told.probability.and_then(finite),
                "quality": told.quality.and_then(finite),
            }));
        }
        let document = json!({
            "system": kind.name(),
            "profile": kind.profile().map(|profile| profile.name),
            "ratings": ratings,
            "matches": matches.len(),
            "predictions": predictions,
        });
        Ok(document.to_string())
    })
}

/// What somebody is after, from where a log says that they were.
pub(crate) fn recognise(
    level: &NamedLevel,
    goals: &[(String, String)],
    log: &[u8],
    mistake: f64,
    expansions: u64,
) -> PyResult<String> {
    let scenario = &level.level.scenario;
    let price = Cost::try_from_seconds(mistake)
        .map_err(|_| failure("bad_value", format!("`mistake` is {mistake}; give seconds, such as 4")))?;
    let log = DemonstrationLog::read(log).map_err(|error| failure("bad_file", error))?.log;
    let seen = Sightings::in_log(scenario.map(), &log);
    let mut costs = Vec::new();
    for (name, goal) in goals {
        let goal: AskedGoal = serde_json::from_str(goal).map_err(not_understood)?;
        let goal = goal.goal(scenario).map_err(refused)?;
        let mut budget = Budget::units(expansions);
        let found = seen.costs(scenario, &goal, price, &mut budget);
        costs.push(found.ok_or_else(|| {
            failure("budget", format!("after {expansions} expansions it is not known what `{name}` costs"))
        })?);
    }
    let recognition = Recognition::of(costs, None, &Likelihood::default());
    let seconds = |cost: Cost| (cost < Cost::INFINITE).then(|| finite(cost.as_seconds()));
    let told = goals.iter().zip(&recognition.costs).enumerate();
    let told = told.map(|(number, ((name, _), costs))| {
        json!({
            "name": name,
            "probability": finite(recognition.distribution.of(number)),
            "cost": seconds(costs.at_best),
            "cost_as_observed": seconds(costs.explaining),
            "detour": seconds(costs.detour()),
        })
    });
    let told: Vec<Value> = told.collect();
    let named: Vec<&str> = recognition.named.iter().map(|goal| &*goals[*goal].0).collect();
    let document = json!({
        "scenario": level.id,
        "observations": seen.places.len(),
        "goals": told,
        "named": named,
        "explained": recognition.explained,
    });
    Ok(document.to_string())
}
