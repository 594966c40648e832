//! Domains of tasks: what is wrong with them, how they look at their best, what they plan, and why.

use apprentice::htn::language::{self, Diagnostic, Reading, Severity};
use apprentice::htn::model::{Body, File, Model, Task};
use apprentice::htn::{
    Line, LineKind, LoadedDomain, Planner, explain, explained_in_words, trace_in_words,
};
use apprentice::search::{Budget, Status};

use crate::folder::Folder;
use crate::protocol::{TaskDiagnostic, TaskLine, TasksAnswer, TasksAsk};

/// A designer at the keyboard waits no longer than this takes: a fraction of a second.
const ITERATIONS: u64 = 200_000;
/// What was tried where there is no plan; one screen is enough.
const MOST_TRIED: usize = 100;

/// What designers are working on: the last text without mistakes goes on working while the next
/// one is being written.
#[derive(Default)]
pub(crate) struct Tasks {
    good: Option<String>,
}

impl Tasks {
    /// Checks, formats and plans.
    pub(crate) fn answer(&mut self, folder: &Folder, ask: &TasksAsk) -> TasksAnswer {
        let asked = Asked::new(&ask.text, &ask.goal);
        let reading = read(folder, &ask.path, &asked.text);
        let diagnostics = reading.diagnostics.iter();
        let mut answer = TasksAnswer {
            diagnostics: diagnostics
                .map(|diagnostic| shown(diagnostic, &reading.files, &asked, &ask.text))
                .collect(),
            formatted: formatted(&ask.text).filter(|_| ask.format),
            ..TasksAnswer::default()
        };
        let model = match reading.model {
            Some(model) => {
                self.good = Some(ask.text.clone());
                Some(model)
            }
            None => {
                answer.stale = true;
                let good = self.good.as_deref();
                good.and_then(|text| {
                    let asked = Asked::new(text, &ask.goal);
                    read(folder, &ask.path, &asked.text).model
                })
            }
        };
        let Some(model) = model else {
            return answer;
        };
        match LoadedDomain::new(model) {
            Ok(domain) => plan(&domain, &mut answer),
            Err(why) => answer.status = why.to_string(),
        }
        answer
    }
}

/// A text that asks for something else than it did; for the same if nothing is asked.
pub(crate) fn asking(text: &str, goal: &str) -> String {
    Asked::new(text, goal).text
}

/// What a text means with another goal than its own.
struct Asked {
    text: String,
    /// Where the goal stood, and how long the other one is; nothing if none was asked for.
    replaced: Option<(std::ops::Range<usize>, usize)>,
    /// Where the goal that was asked for stands in the text; nothing if none was.
    goal: Option<std::ops::Range<usize>>,
}

impl Asked {
    fn new(text: &str, goal: &str) -> Asked {
        let goal = goal.trim().trim_end_matches(';');
        if goal.is_empty() {
            let text = text.to_owned();
            return Asked {
                text,
                replaced: None,
                goal: None,
            };
        }
        match goal_of(text) {
            Some(place) => {
                let new = format!("goal {goal}");
                let before = &text[..place.start];
                let after = &text[place.end..];
                Asked {
                    text: format!("{before}{new}{after}"),
                    goal: Some(place.start..place.start + new.len()),
                    replaced: Some((place, new.len())),
                }
            }
            None => {
                let asked = format!("{text}\nproblem asked_for {{ goal {goal}; }}\n");
                Asked {
                    goal: Some(text.len()..asked.len()),
                    replaced: None,
                    text: asked,
                }
            }
        }
    }

    /// Whether something is wrong with the goal that was asked for, and not with the file.
    fn is_in_goal(&self, at: usize) -> bool {
        self.goal.as_ref().is_some_and(|goal| goal.contains(&at))
    }

    /// Where a place of the text is in the one that was written.
    fn written(&self, at: usize) -> usize {
        match &self.replaced {
            Some((place, length)) if at >= place.start + length => at - length + place.len(),
            Some((place, _)) if at > place.start => at.min(place.end),
            _ => at,
        }
    }
}

/// From the word `goal` of the last problem to the semicolon.
fn goal_of(text: &str) -> Option<std::ops::Range<usize>> {
    let mut found = None;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let code = line.find("//").map_or(line, |comment| &line[..comment]);
        let words = code.match_indices("goal");
        let alone = words.filter(|(at, _)| {
            let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
            !code[..*at].ends_with(is_part) && !code[at + 4..].starts_with(is_part)
        });
        if let Some((at, _)) = alone.last() {
            found = Some(start + at);
        }
        start += line.len();
    }
    let first = found?;
    let end = text[first..].find(';').map(|length| first + length)?;
    Some(first..end)
}

fn read(folder: &Folder, path: &str, text: &str) -> Reading {
    let find = |name: &str| folder.read(name).ok();
    language::read_files(&[(path, text)], &find)
}

/// The text in the canonical layout; none if it cannot be read.
fn formatted(text: &str) -> Option<String> {
    let (tree, wrong) = language::parse(text, 0);
    wrong.is_empty().then(|| language::format(&tree))
}

fn shown(diagnostic: &Diagnostic, files: &[File], asked: &Asked, written: &str) -> TaskDiagnostic {
    let span = diagnostic.span;
    let (start, end) = (span.start as usize, span.end as usize);
    // The first file is the one that is being written.
    let other = files.get(span.file as usize).filter(|_| span.file > 0);
    let (text, start, end) = match other {
        Some(file) => (file.text.as_str(), start, end),
        None => (written, asked.written(start), asked.written(end)),
    };
    let start = start.min(text.len());
    let end = end.clamp(start, text.len());
    // Spans are counted in bytes, and browsers count differently.
    let units = |from: usize, to: usize| text.get(from..to).unwrap_or("").encode_utf16().count();
    TaskDiagnostic {
        severity: match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        },
        code: diagnostic.code,
        file: other.map(|file| file.name.clone()),
        in_goal: other.is_none() && asked.is_in_goal(span.start as usize),
        line: 1 + text.get(..start).unwrap_or("").matches('\n').count(),
        from: units(0, start),
        to: units(0, start) + units(start, end),
        message: diagnostic.message.clone(),
        hint: diagnostic.hint.clone(),
    }
}

fn plan(domain: &LoadedDomain, answer: &mut TasksAnswer) {
    if domain.model().problem.is_none() {
        answer.status = nothing_asked(domain.model());
        return;
    }
    let goal = domain.goal();
    let mut planner = Planner::new(domain.initial_state(), goal.clone()).traced(MOST_TRIED);
    let status = planner.run(domain, &mut Budget::units(ITERATIONS));
    if let Some(fault) = planner.fault() {
        let place = fault.span.and_then(|span| domain.model().place(span));
        let place = place.map_or(String::new(), |place| format!("{place}: "));
        answer.status = format!("{place}{fault}");
        return;
    }
    let Some(plan) = planner.plan() else {
        answer.status = match status {
            Status::Unsolvable => "there is no plan".to_owned(),
            _ => "no plan was found in reasonable time".to_owned(),
        };
        answer.why = shown_lines(trace_in_words(domain, planner.trace()));
        return;
    };
    answer.found = true;
    answer.status = format!("{} steps", plan.len());
    answer.cost = Some(plan.cost.as_seconds());
    answer.steps = plan.tasks().map(|task| domain.show(task)).collect();
    let why = explain(domain, domain.initial_state(), &goal, plan).unwrap_or_default();
    answer.why = shown_lines(explained_in_words(domain, &why));
}

/// What to write where nothing is asked for: something that this domain can do.
fn nothing_asked(model: &Model) -> String {
    let compound = |task: &&Task| matches!(task.body, Body::Compound(_));
    let task = model.tasks.iter().find(compound).or(model.tasks.first());
    match task {
        Some(task) => {
            let params = task.params.iter().map(|param| param.name.as_str());
            let params: Vec<&str> = params.collect();
            let (name, params) = (&task.name, params.join(", "));
            format!("nothing is asked for yet; write a goal, like ordered({name}({params}))")
        }
        None => "nothing is asked for, and there are no tasks yet".to_owned(),
    }
}

fn shown_lines(lines: Vec<Line>) -> Vec<TaskLine> {
    let shown = lines.into_iter().map(|line| TaskLine {
        depth: line.depth,
        kind: match line.kind {
            LineKind::Task => "task",
            LineKind::Refused => "refused",
            LineKind::Taken => "taken",
        },
        text: line.text,
        line: line.line,
    });
    shown.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "// the goal; is below\ntask Nap() { { true; } }\ntask Sleep() { { true; } }\nproblem p { goal ordered(Nap()); }\n";

    fn answer(text: &str, goal: &str) -> TasksAnswer {
        let folder = Folder::open(std::path::Path::new(".")).expect("there is a folder");
        let ask = TasksAsk {
            path: "nap.htn".to_owned(),
            text: text.to_owned(),
            goal: goal.to_owned(),
            format: false,
        };
        Tasks::default().answer(&folder, &ask)
    }

    #[test]
    fn a_goal_takes_the_place_of_the_one_in_the_file() {
        assert_eq!(answer(TEXT, "").steps, ["Nap()"]);
        assert_eq!(
            answer(TEXT, "ordered(Sleep(), Nap());").steps,
            ["Sleep()", "Nap()"]
        );
        let without = TEXT.replace("problem p { goal ordered(Nap()); }", "");
        assert_eq!(answer(&without, "ordered(Sleep())").steps, ["Sleep()"]);
    }

    #[test]
    fn mistakes_are_where_they_were_written() {
        let long = "ordered(Sleep(), Sleep(), Sleep(), Sleep(), Sleep())";
        let late = format!("{TEXT}task Wlk() {{ {{ Xyz; }} }}\n");
        let answer = answer(&late, long);
        let mistake = answer.diagnostics.first().expect("there is a mistake");
        let marked: String = late
            .chars()
            .skip(mistake.from)
            .take(mistake.to - mistake.from)
            .collect();
        assert_eq!((marked.as_str(), mistake.line), ("Xyz", 5));
    }

    #[test]
    fn a_mistake_in_the_goal_is_not_one_of_the_file() {
        let without = TEXT.replace("problem p { goal ordered(Nap()); }", "");
        for text in [TEXT, &without] {
            let answer = answer(text, "ordered(Fly())");
            assert!(answer.diagnostics.iter().any(|one| one.in_goal), "{text}");
        }
        let broken = TEXT.replace("{ true; }", "{ Xyz; }");
        let answer = answer(&broken, "ordered(Nap())");
        assert!(answer.diagnostics.iter().all(|one| !one.in_goal));
        assert!(!answer.diagnostics.is_empty());
    }

    #[test]
    fn where_nothing_is_asked_for_a_task_of_the_domain_is_proposed() {
        let without = TEXT.replace("problem p { goal ordered(Nap()); }", "");
        let status = answer(&without, "").status;
        assert!(status.contains("ordered(Nap())"), "{status}");
    }

    #[test]
    fn a_broken_text_leaves_the_last_good_one_at_work() {
        let folder = Folder::open(std::path::Path::new(".")).expect("there is a folder");
        let mut tasks = Tasks::default();
        let mut ask = TasksAsk {
            path: "nap.htn".to_owned(),
            text: TEXT.to_owned(),
            goal: String::new(),
            format: false,
        };
        assert!(!tasks.answer(&folder, &ask).stale);
        ask.text = TEXT.replace("Nap());", "Npa());");
        let answer = tasks.answer(&folder, &ask);
        assert!(answer.stale && answer.found);
        assert_eq!(answer.steps, ["Nap()"]);
    }
}
