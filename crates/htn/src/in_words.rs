//! Why a plan is as it is, and what was met where there is none, in words: one place for everybody
//! who tells it.

use crate::domain::{Domain, Label, Verdict};
use crate::explain::Explanation;
use crate::loaded_domain::{LoadedDomain, LoadedTask};
use crate::trace::{Happened, Trace};

/// A line of an explanation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// How many tasks the one it is about is a part of.
    pub depth: usize,
    /// What it tells.
    pub kind: LineKind,
    /// What it says.
    pub text: String,
    /// The line of the text it is about, counted from 1: where a task or a method begins, or what a
    /// method asks for and is not so.
    pub line: Option<usize>,
}

/// What a line of an explanation tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineKind {
    /// Which task the next lines are about.
    Task,
    /// A method that cannot be used, or a task that cannot be done.
    Refused,
    /// A method that was taken, or can be used.
    Taken,
}

/// Tells how a goal was taken apart, and why each method was refused or taken.
///
/// ```
/// use apprentice_htn::{LoadedDomain, Planner, explain, explained_in_words, language::read};
/// use apprentice_search::Budget;
///
/// let text = "fluent bool dark := true;
///             task Read() {
///               method by_day { not dark; ordered(Open()); }
///               method by_lamp { ordered(Light(), Open()); }
///             }
///             task Light() { { dark; dark := false; } }
///             task Open() { { true; } }
///             problem evening { goal ordered(Read()); }";
/// let domain = LoadedDomain::new(read("read.htn", text).model.expect("no mistakes"))?;
/// let mut planner = Planner::new(domain.initial_state(), domain.goal());
/// planner.run(&domain, &mut Budget::unlimited());
/// let plan = planner.plan().expect("there is one");
/// let why = explain(&domain, domain.initial_state(), &domain.goal(), plan);
/// let lines = explained_in_words(&domain, &why.expect("the plan is for this goal"));
/// let lines: Vec<&str> = lines.iter().map(|line| line.text.as_str()).collect();
/// assert_eq!(lines, ["Read()", "`by_day` refused: line 3: not dark is false", "`by_lamp` taken"]);
/// # Ok::<(), apprentice_htn::CannotLoad>(())
/// ```
pub fn explained_in_words(
    domain: &LoadedDomain,
    explanations: &[Explanation<LoadedTask>],
) -> Vec<Line> {
    let mut lines = Vec::new();
    for one in explanations {
        let mut say = |kind, text, line| {
            lines.push(Line {
                depth: one.depth,
                kind,
                text,
                line,
            });
        };
        let line_of = |label| line_of_method(domain, &one.task, label);
        let line = domain.line_of_task(&one.task);
        say(LineKind::Task, domain.show(&one.task), line);
        for note in &one.notes {
            if let Verdict::Refused(because) = &note.verdict {
                let name = method_name(domain, &one.task, note.label);
                let line = note.line.or_else(|| line_of(note.label));
                say(
                    LineKind::Refused,
                    format!("`{name}` refused: {because}"),
                    line,
                );
            }
        }
        let name = method_name(domain, &one.task, one.taken);
        let with = with(&one.with);
        let passed = match one.passed_over {
            0 => String::new(),
            1 => ", after one way that led nowhere".to_owned(),
            ways => format!(", after {ways} ways that led nowhere"),
        };
        let text = format!("`{name}` taken{with}{passed}");
        say(LineKind::Taken, text, line_of(one.taken));
    }
    lines
}

/// Tells what a planner met where there is no plan.
pub fn trace_in_words(domain: &LoadedDomain, trace: &Trace<LoadedTask>) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut is_said = false;
    for event in &trace.events {
        // Why a task cannot be done says that it cannot.
        if std::mem::take(&mut is_said) && event.what == Happened::Nothing {
            continue;
        }
        let task = domain.show(&event.task);
        let (kind, text) = match &event.what {
            Happened::Offered(label, bound) => {
                let name = method_name(domain, &event.task, *label);
                let with = with(bound);
                (
                    LineKind::Taken,
                    format!("{task}: `{name}` can be used{with}"),
                )
            }
            Happened::Refused(label, because) => {
                let text = match method_name(domain, &event.task, *label).as_str() {
                    "" => {
                        is_said = true;
                        format!("{task} cannot be done: {because}")
                    }
                    name => format!("{task}: `{name}` refused: {because}"),
                };
                (LineKind::Refused, text)
            }
            Happened::Nothing => (LineKind::Refused, format!("{task} cannot be done")),
        };
        let line = event.line.or(match &event.what {
            Happened::Offered(label, _) | Happened::Refused(label, _) => {
                line_of_method(domain, &event.task, *label)
            }
            Happened::Nothing => domain.line_of_task(&event.task),
        });
        lines.push(Line {
            depth: 0,
            kind,
            text,
            line,
        });
    }
    lines
}

fn with(bound: &str) -> String {
    match bound {
        "" => String::new(),
        bound => format!(" with {bound}"),
    }
}

fn line_of_method(domain: &LoadedDomain, task: &LoadedTask, label: Label) -> Option<usize> {
    match label {
        Label::Named(_) => domain.line_of_task(task),
        Label::Number(number) => domain.line_of_method(task, number),
    }
}

fn method_name(domain: &LoadedDomain, task: &LoadedTask, label: Label) -> String {
    match label {
        Label::Named(name) => name.to_owned(),
        Label::Number(number) => domain.method_name(task, number),
    }
}
