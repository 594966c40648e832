//! What a planning run came to, and how it is told to people.

use std::fmt::Write;

use apprentice_behavior::{Explanation, Planner};
use apprentice_experience::{Demonstration, Place, coverage};
use apprentice_game::Ground;
use apprentice_search::Spent;
use apprentice_world::{Branching, Scenario, VerifiedStep};

use crate::explanation;
use crate::numbers::{grouped, short};
use crate::phrases::{self, Ids};
use crate::run::{Outcome, Spending};

/// An outcome with everything it came from.
pub struct Report<'a> {
    /// The short name of the scenario: that of its file.
    pub scenario_id: &'a str,
    /// The scenario, as it is played.
    pub scenario: &'a Scenario,
    /// What was shown.
    pub demonstrations: &'a [Demonstration],
    /// The planner, with its numbers.
    pub planner: &'a Planner,
    /// What the run was given, where that is worth telling.
    pub limits: Option<Limits>,
    /// Whether people want to know why.
    pub explains: bool,
    /// What the search came to.
    pub outcome: &'a Outcome,
}

/// What a run was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// How many steps leave a state.
    pub branching: Branching,
    /// Units of budget.
    pub units: u64,
    /// Milliseconds.
    pub time: Option<u64>,
    /// Bytes.
    pub memory: u64,
}

impl Report<'_> {
    /// The steps of the plan; none if there is no plan.
    pub fn steps(&self) -> &[VerifiedStep] {
        self.outcome.plan.as_ref().map_or(&[], |plan| &plan.steps)
    }

    /// The explanation, if somebody wants to know and there is a plan.
    pub fn explanation(&self) -> Option<&Explanation> {
        let explanation = self.outcome.explanation.as_ref();
        explanation.filter(|_| self.explains)
    }

    /// The report for people.
    pub fn text(&self) -> String {
        let mut text = format!("{}\n", self.scenario.name());
        if !self.outcome.improvements.is_empty() {
            text.push('\n');
            self.tell_improvements(&mut text);
        }
        if self.outcome.plan.is_some() {
            text.push('\n');
            self.tell_plan(&mut text);
        }
        if let Some(explanation) = self.explanation() {
            text.push('\n');
            text += &explanation::text(explanation);
        }
        text.push('\n');
        let _ = writeln!(text, "{}", self.verdict());
        self.tell_statistics(&mut text);
        text
    }

    /// What is proven, in one sentence.
    pub fn verdict(&self) -> String {
        let outcome = self.outcome;
        if outcome.plan.is_some() {
            let unfinished = match outcome.ending.spent {
                Some(_) => format!("; {}", self.limit()),
                None => String::new(),
            };
            let verb = match outcome.guarantee.factor() {
                Some(1.0) => "is",
                Some(_) => "costs",
                None => "is valid, but",
            };
            return format!("The plan {verb} {}{unfinished}.", outcome.proven);
        }
        if outcome.is_impossible() {
            let why = (outcome.no_way.as_ref()).map(|it| phrases::no_way(it, Ids::Quoted));
            let coarseness = outcome.coarseness.map(|it| format!(", if {it}"));
            let text = format!(
                "There is no plan: every state that can be reached was looked at{}. {}",
                coarseness.unwrap_or_default(),
                why.unwrap_or_default()
            );
            return text.trim_end().to_owned();
        }
        format!("No plan yet: {}.", self.limit())
    }

    /// Which limit ended the search, and what to do about it.
    fn limit(&self) -> String {
        let Spending {
            preparation,
            is_ready,
            ..
        } = self.outcome.spending;
        let while_preparing = if preparation > 0 && !is_ready {
            " while getting ready, before the first expansion"
        } else {
            ""
        };
        // Those that only look ahead in a straight line have nothing to get ready.
        let otherwise = match while_preparing {
            "" => "",
            _ => ", or try --planner wastar, which starts at once",
        };
        match self.outcome.ending.spent {
            Some(Spent::Deadline) => {
                format!("the time ran out{while_preparing}, so raise --time for more{otherwise}")
            }
            Some(Spent::Memory) => format!(
                "the states filled the {} MiB they may take, so try a higher --bound",
                self.limits.map_or(0, |limits| limits.memory) >> 20
            ),
            _ => format!(
                "the budget of {} ran out{while_preparing}, so raise --expansions for more{otherwise}",
                grouped(
                    self.limits
                        .map_or(self.outcome.spending.units, |limits| limits.units)
                )
            ),
        }
    }

    fn tell_improvements(&self, text: &mut String) {
        let spending = &self.outcome.spending;
        let preparation = grouped(spending.preparation);
        let improvements = self.outcome.improvements.iter();
        let width = improvements.map(|improvement| grouped(improvement.expansions).len());
        let mut width = width.max().unwrap_or(0);
        if spending.preparation > 0 && spending.is_ready {
            width = width.max(preparation.len());
            let _ = writeln!(text, "ready after {preparation:>width$} units of budget");
        }
        for improvement in &self.outcome.improvements {
            let expansions = grouped(improvement.expansions);
            let seconds = improvement.cost.as_seconds();
            let bound = in_words(improvement.bound);
            let _ = writeln!(
                text,
                "found after {expansions:>width$} expansions  {seconds:>7.1} s  {bound}"
            );
        }
    }

    fn tell_plan(&self, text: &mut String) {
        let phrases = phrases::tell(self.scenario, &self.outcome.start, self.steps());
        if phrases.is_empty() {
            text.push_str("  nothing is to be done: the goal is met at the start\n");
        }
        let longest = phrases
            .iter()
            .map(|phrase| phrase.text.chars().count())
            .max();
        let width = longest.unwrap_or(0).min(60);
        for (number, phrase) in (1..).zip(&phrases) {
            let (words, time) = (&phrase.text, phrase.time);
            let _ = writeln!(text, "{number:>3}  {words:<width$}  {time:>7.1} s");
        }
    }

    fn tell_statistics(&self, text: &mut String) {
        let statistics = &self.outcome.statistics;
        let _ = writeln!(
            text,
            "{} expansions ({} of them again), {} states of {:.0} bytes, by {}",
            grouped(statistics.expanded),
            grouped(statistics.reexpanded),
            grouped(statistics.states),
            statistics.bytes_per_state(),
            self.planner.name(),
        );
        let spending = &self.outcome.spending;
        let upkeep = match statistics.upkeep {
            0 => String::new(),
            units => format!(" and {} on upkeep", grouped(units)),
        };
        let _ = writeln!(
            text,
            "{} units of budget spent: {} to get ready in {:.1} ms, {} on expansions{upkeep} in {:.1} ms",
            grouped(spending.preparation + statistics.expanded + statistics.upkeep),
            grouped(spending.preparation),
            spending.preparing.as_secs_f64() * 1e3,
            grouped(statistics.expanded),
            spending.searching.as_secs_f64() * 1e3,
        );
        if self.outcome.heuristics.len() > 1 {
            let counts = statistics.expanded_by.iter().map(|count| grouped(*count));
            let by: Vec<String> = self
                .outcome
                .heuristics
                .iter()
                .zip(counts)
                .map(|(name, count)| format!("{name} {count}"))
                .collect();
            let _ = writeln!(text, "expanded by {}", by.join(", "));
        }
    }

    /// Where the plan leads, from its start to its end; nowhere without one.
    pub fn way(&self) -> Vec<Place> {
        if self.outcome.plan.is_none() {
            return Vec::new();
        }
        let start = self
            .outcome
            .start
            .place(self.scenario.agent(), self.scenario);
        let rest = self.steps().iter().map(|step| step.place);
        std::iter::once(start)
            .chain(rest)
            .map(|place| self.scenario.map().at(place))
            .collect()
    }

    /// Which part of the demonstrations the plan follows; 0 if there is no plan or no demonstration.
    pub fn followed(&self) -> f64 {
        coverage(&self.planner.demonstrations()[..], &self.way())
    }
}

/// A bound in words.
pub(crate) fn in_words(bound: Option<f64>) -> String {
    match bound {
        Some(1.0) => "the best".to_owned(),
        // Upwards, because a bound that looks lower than it is would be none.
        Some(bound) => {
            let rounded = (bound * 100.0).ceil() / 100.0;
            format!("at most {}x the best", short(rounded, 2))
        }
        None => "no bound is proven".to_owned(),
    }
}
