//! What a planning run came to, and how it is told to people.

use std::fmt::Write;
use std::time::Duration;

use apprentice::behavior::{Explanation, NoWay, Planner, place_in};
use apprentice::experience::{Demonstration, Place, coverage};
use apprentice::search::{Cost, Guarantee, Spent, Statistics, Status};
use apprentice::world::{Branching, Scenario, Verified, VerifiedStep, World};

use crate::explanation;
use crate::numbers::{grouped, short};
use crate::phrases;

/// What a search came to.
pub(crate) struct Outcome {
    pub(crate) status: Status,
    /// What the budget ran out of, if it did.
    pub(crate) spent: Option<Spent>,
    pub(crate) improvements: Vec<Improvement>,
    pub(crate) guarantee: Guarantee,
    /// The same in words.
    pub(crate) proven: String,
    /// What was taken for the same, if anything was.
    pub(crate) coarseness: Option<&'static str>,
    pub(crate) statistics: Statistics,
    /// The names of the heuristics, in the order of `Statistics::expanded_by`.
    pub(crate) heuristics: Vec<String>,
    pub(crate) spending: Spending,
    /// The world the plan begins in.
    pub(crate) start: World,
    /// The plan, and how it went when it was lived through.
    pub(crate) plan: Option<Verified>,
    /// What it follows where, and why it leaves it; none if there is no plan.
    pub(crate) explanation: Option<Explanation>,
    /// What stands in the way, if it is proven that there is no plan.
    pub(crate) no_way: Option<NoWay>,
    /// How often each cell was expanded in, if anybody wants to know.
    pub(crate) footprints: Option<Vec<u32>>,
}

/// Where budget and time went. A unit of budget is an expansion, or a place looked at while getting
/// ready.
pub(crate) struct Spending {
    /// Units that were not expansions.
    pub(crate) preparation: u64,
    /// Whether the search came as far as its first state.
    pub(crate) is_ready: bool,
    pub(crate) preparing: Duration,
    pub(crate) searching: Duration,
}

/// A plan, or a better one, or a better proof, and when it was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Improvement {
    pub(crate) expansions: u64,
    pub(crate) cost: Cost,
    pub(crate) bound: Option<f64>,
}

/// An outcome with everything it came from.
pub(crate) struct Report<'a> {
    pub(crate) scenario_id: &'a str,
    pub(crate) scenario: &'a Scenario,
    pub(crate) demonstrations: &'a [Demonstration],
    pub(crate) planner: &'a Planner,
    pub(crate) branching: Branching,
    /// The budget: expansions, milliseconds, bytes.
    pub(crate) expansions: u64,
    pub(crate) time: Option<u64>,
    pub(crate) memory: u64,
    /// Whether people want to know why.
    pub(crate) explains: bool,
    pub(crate) outcome: &'a Outcome,
}

impl Report<'_> {
    /// The steps of the plan; none if there is no plan.
    pub(crate) fn steps(&self) -> &[VerifiedStep] {
        self.outcome.plan.as_ref().map_or(&[], |plan| &plan.steps)
    }

    /// The explanation, if somebody wants to know and there is a plan.
    pub(crate) fn explanation(&self) -> Option<&Explanation> {
        let explanation = self.outcome.explanation.as_ref();
        explanation.filter(|_| self.explains)
    }

    /// The report for people.
    pub(crate) fn text(&self) -> String {
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
    pub(crate) fn verdict(&self) -> String {
        let outcome = self.outcome;
        if outcome.plan.is_some() {
            let unfinished = match outcome.spent {
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
        if outcome.status == Status::Unsolvable {
            let why = outcome.no_way.as_ref().map(ToString::to_string);
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
        match self.outcome.spent {
            Some(Spent::Deadline) => {
                format!("the time ran out{while_preparing}, so raise --time for more{otherwise}")
            }
            Some(Spent::Memory) => format!(
                "the states filled the {} MiB they may take, so try a higher --bound",
                self.memory >> 20
            ),
            _ => format!(
                "the budget of {} ran out{while_preparing}, so raise --expansions for more{otherwise}",
                grouped(self.expansions)
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

    /// Which part of the demonstrations the plan follows; 0 if there is no plan or no demonstration.
    pub(crate) fn followed(&self) -> f64 {
        if self.outcome.plan.is_none() {
            return 0.0;
        }
        let start = self
            .outcome
            .start
            .place(self.scenario.agent(), self.scenario);
        let rest = self.steps().iter().map(|step| step.place);
        let way: Vec<Place> = std::iter::once(start)
            .chain(rest)
            .map(|place| place_in(self.scenario.map(), place))
            .collect();
        coverage(&self.planner.demonstrations()[..], &way)
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
