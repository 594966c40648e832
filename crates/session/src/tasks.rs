//! Domains of tasks, and plans of them, as `apprentice htn plan` makes them.

use apprentice::htn::language;
use apprentice::htn::{Aim, Limit, LoadedDomain, Planner};
use apprentice::report::document::{TaskImprovementDocument, TaskPlanDocument, TaskPlanStatus};
use apprentice::search::{Budget, Status};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Number;

use crate::{Clock, Code, Refusal};

/// The texts of a domain, from which it is made anew with every goal.
#[derive(Clone, Debug)]
pub struct Tasks {
    texts: Vec<(String, String)>,
    /// With the problem of the texts, if they have one.
    domain: LoadedDomain,
    /// What looks wrong, and is no error.
    pub warnings: String,
}

/// What plan of tasks is asked for. Everything may be left out.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq)]
#[serde(deny_unknown_fields, default)]
pub struct TaskAsk {
    /// What is to be done, such as `ordered(Guard(gate))`; the problem of the texts if not given.
    pub goal: Option<String>,
    /// Whether the best plan is looked for, not only the first.
    pub best: bool,
    /// So many decisions may be looked at; any number if not given.
    pub iterations: Option<u64>,
    /// Plan only the first steps: for tasks that never come to an end.
    pub steps: Option<usize>,
}

impl Tasks {
    /// Reads texts, each with its name, as one domain.
    ///
    /// ```
    /// use std::time::Duration;
    /// use apprentice_session::{TaskAsk, Tasks};
    ///
    /// let tasks = Tasks::read(&[("nap.htn", "task Nap() { { true; } }")])?;
    /// let ask = TaskAsk { goal: Some("ordered(Nap(), Nap())".to_owned()), ..TaskAsk::default() };
    /// let document = tasks.plan(&ask, &|| Duration::ZERO)?;
    /// assert_eq!(document.plan, [vec!["Nap"], vec!["Nap"]]);
    /// # Ok::<(), apprentice_session::Refusal>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If there are mistakes in them; all are told, with their places.
    pub fn read(texts: &[(&str, &str)]) -> Result<Tasks, Refusal> {
        let (domain, warnings) = load(texts)?;
        Ok(Tasks {
            texts: (texts.iter())
                .map(|(name, text)| ((*name).to_owned(), (*text).to_owned()))
                .collect(),
            domain,
            warnings,
        })
    }

    /// Plans, and returns the document that `apprentice htn plan --format json` prints.
    ///
    /// # Errors
    ///
    /// If there is nothing to plan for, the goal has a mistake in it, or a number in the domain has no
    /// value.
    pub fn plan(&self, ask: &TaskAsk, clock: Clock<'_>) -> Result<TaskPlanDocument, Refusal> {
        let with_goal;
        let domain = match &ask.goal {
            None => &self.domain,
            Some(goal) => {
                with_goal = self.with_goal(goal)?;
                &with_goal
            }
        };
        if domain.model().problem.is_none() {
            let wrong =
                "there is no problem to plan for; give a goal like \"ordered(Guard(gate))\"";
            return Err(Refusal::new(Code::BadValue, wrong));
        }
        plan(domain, ask, clock)
    }

    /// The domain, with the problem of its texts if they have one.
    pub fn domain(&self) -> &LoadedDomain {
        &self.domain
    }

    /// The domain with another goal than that of its texts, to be carried out by a
    /// [`TaskExecutor`](apprentice::htn::TaskExecutor).
    ///
    /// ```
    /// use apprentice_session::Tasks;
    ///
    /// let tasks = Tasks::read(&[("nap.htn", "task Nap() { { true; } }")])?;
    /// assert!(tasks.with_goal("ordered(Nap())").is_ok());
    /// assert!(tasks.with_goal("ordered(Snap())").is_err());
    /// # Ok::<(), apprentice_session::Refusal>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If there are mistakes in the goal; all are told, with their places.
    pub fn with_goal(&self, goal: &str) -> Result<LoadedDomain, Refusal> {
        let goal = goal.trim().trim_end_matches(';');
        let problem = format!("problem goal_of_the_question {{ goal {goal}; }}");
        let own = self.texts.iter().map(|(name, text)| (&**name, &**text));
        let texts: Vec<(&str, &str)> = own.chain([("the goal", &*problem)]).collect();
        Ok(load(&texts)?.0)
    }
}

fn load(texts: &[(&str, &str)]) -> Result<(LoadedDomain, String), Refusal> {
    let reading = language::read_files(texts, &|_| None);
    let report = reading.report();
    let Some(model) = reading.model else {
        return Err(Refusal::new(Code::BadFile, report.trim_end()));
    };
    let domain = LoadedDomain::new(model).map_err(|why| Refusal::new(Code::BadFile, why))?;
    Ok((domain, report))
}

fn plan(
    domain: &LoadedDomain,
    ask: &TaskAsk,
    clock: Clock<'_>,
) -> Result<TaskPlanDocument, Refusal> {
    let began = clock();
    let microseconds = || clock().saturating_sub(began).as_micros() as u64;
    let aim = match ask.best {
        true => Aim::Best,
        false => Aim::First,
    };
    let mut planner = Planner::new(domain.initial_state(), domain.goal()).aim(aim);
    if let Some(steps) = ask.steps {
        planner = planner.only_first(steps);
    }
    let mut left = ask.iterations.unwrap_or(u64::MAX);
    let mut improvements = Vec::new();
    let status = loop {
        let mut budget = Budget::units(left);
        let status = planner.run(domain, &mut budget);
        left -= budget.taken();
        if let Some(found) = planner.improvements().get(improvements.len()) {
            improvements.push(TaskImprovementDocument {
                cost: Number::from_f64(found.cost.as_seconds()),
                iterations: found.iterations,
                time_us: microseconds(),
            });
        }
        match status {
            Status::Improved => {}
            Status::Paused if left > 0 => {}
            status => break status,
        }
    };
    if let Some(fault) = planner.fault() {
        let place = fault.span.and_then(|span| domain.model().place(span));
        let place = place.map_or(String::new(), |place| format!("{place}  "));
        return Err(Refusal::new(Code::BadFile, format!("{place}{fault}")));
    }
    let plan = planner.plan();
    Ok(TaskPlanDocument {
        cost: plan.and_then(|plan| Number::from_f64(plan.cost.as_seconds())),
        improvements,
        iterations: planner.statistics().iterations,
        limit: planner.limit().map(|limit| match limit {
            Limit::Depth => "depth",
            Limit::PlanLength => "plan_length",
            Limit::Open => "open",
        }),
        plan: plan.map_or(Vec::new(), |plan| {
            plan.tasks().map(|task| domain.words(task)).collect()
        }),
        status: match (plan, status) {
            (Some(_), _) => TaskPlanStatus::Found,
            (None, Status::Unsolvable) => TaskPlanStatus::Impossible,
            (None, Status::GaveUp) => TaskPlanStatus::Limit,
            (None, _) => TaskPlanStatus::Budget,
        },
        time_us: microseconds(),
    })
}
