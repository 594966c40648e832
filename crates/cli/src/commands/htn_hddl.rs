//! Plans for HDDL problems on the command line: one problem, or every problem below a folder.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use apprentice::hddl::{PlanFile, Planner, Problem, verify};
use apprentice::search::{Budget, Status};
use serde_json::Number;

use super::htn_verify::{read, read_alone};
use crate::exit::{Exit, Failure, note, print, print_exactly};
use crate::progress::Progress;
use apprentice::report::document::{TaskImprovementDocument, TaskPlanDocument, TaskPlanStatus};
use apprentice::report::numbers::counted;

/// How a plan is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Format {
    /// For people
    Text,
    /// One JSON document
    Json,
    /// With its decomposition, in the form of the 2020 planning competition
    Ipc,
}

/// What to plan, how long, and how to print it.
pub(crate) struct Request<'a> {
    pub(crate) domain: &'a Path,
    pub(crate) problem: &'a Path,
    pub(crate) iterations: Option<u64>,
    pub(crate) time: Option<Duration>,
    pub(crate) format: Format,
}

/// The domain and the problem, if these are HDDL files.
pub(crate) fn pair(files: &[String]) -> Option<(&Path, &Path)> {
    match files {
        [domain, problem] if is_hddl(domain) && is_hddl(problem) => {
            Some((Path::new(domain), Path::new(problem)))
        }
        _ => None,
    }
}

fn is_hddl(file: &str) -> bool {
    Path::new(file)
        .extension()
        .is_some_and(|ending| ending.eq_ignore_ascii_case("hddl"))
}

/// Says what is wrong with an HDDL domain, or with a domain and a problem. None if these are no
/// HDDL files.
pub(crate) fn check(files: &[String]) -> Option<Result<Exit, Failure>> {
    let checked = match files {
        [domain] if is_hddl(domain) => read_alone(Path::new(domain)),
        _ => {
            let (domain, problem) = pair(files)?;
            read(domain, problem).map(|problem| problem.domain)
        }
    };
    Some(checked.and_then(|domain| {
        print(&format!(
            "no errors: {}, {}, {}, {}\n",
            counted(domain.tasks.len(), "task"),
            counted(domain.methods.len(), "method"),
            counted(domain.predicates.len(), "predicate"),
            counted(domain.objects.len(), "object")
        ))?;
        Ok(Exit::Done)
    }))
}

/// Plans one problem and prints the plan.
pub(crate) fn plan(request: &Request<'_>) -> Result<Exit, Failure> {
    let problem = read(request.domain, request.problem)?;
    let begin = Instant::now();
    let mut planner = planner_of(&problem)?;
    let end = request.time.map(|time| begin + time);
    let is_limited = end.is_some() || request.iterations.is_some();
    let ends_by = (!is_limited).then_some("--time MS or --iterations N");
    let mut progress = Progress::new(begin, request.iterations, ends_by);
    let status = run(&mut planner, request.iterations, end, Some(&mut progress));
    progress.clear();
    let time = begin.elapsed();
    let plan = planner.plan();
    if let Some(plan) = plan
        && let Err(refusal) = verify(&problem, plan)
    {
        return Err(Failure::Bug(format!(
            "the plan found is invalid: {refusal}"
        )));
    }
    let text = match request.format {
        Format::Json => document(status, plan, planner.iterations(), time)?,
        Format::Ipc => plan.map_or(String::new(), PlanFile::to_string),
        Format::Text => plan.map_or(String::new(), steps),
    };
    match request.format {
        Format::Text => print(&text)?,
        Format::Json | Format::Ipc => print_exactly(&text)?,
    }
    let iterations = planner.iterations();
    let seconds = time.as_secs_f64();
    let (said, exit) = match status {
        Status::Finished | Status::Improved => ("a plan was found", Exit::Done),
        Status::Unsolvable => ("it is proven that there is no plan", Exit::Refuted),
        Status::GaveUp => (
            "every search gave up without a plan: there is too much to list, to remember or to \
             write; there may be one",
            Exit::BudgetSpent,
        ),
        Status::Paused | Status::ProblemChanged => {
            ("the budget ran out without a plan", Exit::BudgetSpent)
        }
    };
    let iterations = counted(iterations as usize, "iteration");
    note(&format!("{said}: {iterations}, {seconds:.3} s"));
    Ok(exit)
}

fn planner_of(problem: &Problem) -> Result<Planner, Failure> {
    Planner::new(problem).map_err(|error| Failure::input(error.to_string()))
}

fn run(
    planner: &mut Planner,
    iterations: Option<u64>,
    end: Option<Instant>,
    mut progress: Option<&mut Progress>,
) -> Status {
    loop {
        let left = iterations.map_or(u64::MAX, |most| most - planner.iterations());
        let look = Progress::next_look();
        let until = end.map_or(look, |end| end.min(look));
        let status = planner.run(&mut Budget::units(left).until(until));
        let is_over = iterations == Some(planner.iterations())
            || end.is_some_and(|end| Instant::now() >= end);
        if status != Status::Paused || is_over {
            return status;
        }
        if let Some(progress) = &mut progress {
            progress.show(planner.iterations(), "");
        }
    }
}

fn steps(plan: &PlanFile) -> String {
    let mut text = String::new();
    for (number, step) in plan.steps.iter().enumerate() {
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{:4}  {}({})",
            number + 1,
            step.action,
            step.arguments.join(", ")
        );
    }
    text
}

fn document(
    status: Status,
    plan: Option<&PlanFile>,
    iterations: u64,
    time: Duration,
) -> Result<String, Failure> {
    let time_us = time.as_micros() as u64;
    let steps = plan.iter().flat_map(|plan| &plan.steps).map(|step| {
        let action = std::iter::once(step.action.clone());
        action.chain(step.arguments.iter().cloned()).collect()
    });
    let cost = plan.map(|plan| Number::from(plan.steps.len()));
    let improvements = cost.iter().map(|cost| TaskImprovementDocument {
        cost: Some(cost.clone()),
        iterations,
        time_us,
    });
    line(&TaskPlanDocument {
        improvements: improvements.collect(),
        cost,
        iterations,
        // What there is to list or to remember is kept within a limit of memory, and no other.
        limit: (status == Status::GaveUp).then_some("memory"),
        plan: steps.collect(),
        status: match status {
            Status::Finished | Status::Improved => TaskPlanStatus::Found,
            Status::Unsolvable => TaskPlanStatus::Impossible,
            Status::GaveUp => TaskPlanStatus::Limit,
            Status::Paused | Status::ProblemChanged => TaskPlanStatus::Budget,
        },
        time_us,
    })
}

/// A document on one line.
pub(crate) fn line(document: &TaskPlanDocument) -> Result<String, Failure> {
    let text = serde_json::to_string(document);
    Ok(text.map_err(|error| Failure::Bug(error.to_string()))? + "\n")
}

/// Plan every HDDL problem below a folder, check every plan, and print a table.
///
/// Problems are the files that end in `.hddl`. The domain of `p.hddl` is `p-domain.hddl`, or
/// `domain.hddl` beside it or in the folder above.
#[derive(clap::Args)]
pub(crate) struct CoverageArguments {
    /// The folder
    folder: PathBuf,

    /// Seconds for each problem, reading it included
    #[arg(long, default_value_t = 10.0)]
    time: f64,

    /// Only problems whose path contains this
    #[arg(long, default_value = "")]
    only: String,
}

/// Problems met, solved, and solved with a plan that the checker rejects.
#[derive(Clone, Copy, Default)]
struct Count {
    problems: usize,
    solved: usize,
    rejected: usize,
}

/// Plans everything below a folder.
pub(crate) fn coverage(arguments: &CoverageArguments) -> Result<Exit, Failure> {
    if !(arguments.time > 0.0 && arguments.time < 1e6) {
        return Err(Failure::input("--time must be more than 0 seconds"));
    }
    let mut problems = Vec::new();
    find(&arguments.folder, &mut problems)?;
    let mut table: Vec<(String, Count)> = Vec::new();
    for problem in problems {
        let path = problem.display().to_string();
        if !path.contains(&arguments.only) {
            continue;
        }
        let folder = problem.parent().map(name_of).unwrap_or_default();
        if table.last().is_none_or(|(last, _)| *last != folder) {
            table.push((folder.clone(), Count::default()));
        }
        let mut line = format!("{folder:28} {:46.46}", name_of(&problem));
        let outcome = one(&problem, Duration::from_secs_f64(arguments.time));
        if let Some((_, count)) = table.last_mut() {
            count.problems += 1;
            match &outcome {
                Ok((_, Checked::Valid)) => count.solved += 1,
                Ok((_, Checked::Rejected)) => count.rejected += 1,
                Ok((_, Checked::NoPlan)) | Err(_) => {}
            }
        }
        let _ = match &outcome {
            Ok((text, _)) => writeln!(line, "{text}"),
            Err(Failure::Input(why) | Failure::Bug(why)) => writeln!(line, "{why}"),
        };
        print(&line)?;
    }
    if table.is_empty() {
        return Err(Failure::input(format!(
            "there are no problems (.hddl) below `{}`",
            arguments.folder.display()
        )));
    }
    let mut text = String::from("\n");
    let mut total = Count::default();
    for (folder, count) in &table {
        let _ = writeln!(text, "{folder:28} {} of {}", count.solved, count.problems);
        total.problems += count.problems;
        total.solved += count.solved;
        total.rejected += count.rejected;
    }
    let _ = writeln!(
        text,
        "\n{} of {} solved within {} s each ({:.0} %), {} plans rejected by the checker",
        total.solved,
        total.problems,
        arguments.time,
        100.0 * total.solved as f64 / total.problems as f64,
        total.rejected
    );
    print(&text)?;
    Ok(if total.rejected == 0 {
        Exit::Done
    } else {
        Exit::Bug
    })
}

enum Checked {
    NoPlan,
    Valid,
    Rejected,
}

fn one(file: &Path, time: Duration) -> Result<(String, Checked), Failure> {
    let end = Instant::now() + time;
    let begin = Instant::now();
    let own = PathBuf::from(file.display().to_string().replace(".hddl", "-domain.hddl"));
    let folder = file.parent().unwrap_or(Path::new("."));
    let choices = [
        own,
        folder.join("domain.hddl"),
        folder.join("../domain.hddl"),
    ];
    let Some(domain) = choices.iter().find(|path| path.exists()) else {
        return Err(Failure::input("there is no domain.hddl beside it"));
    };
    let problem: Problem = read(domain, file)?;
    let mut planner = planner_of(&problem)?;
    let status = run(&mut planner, None, Some(end), None);
    let mut text = format!(
        "{:8.3} s {:9} iterations  ",
        begin.elapsed().as_secs_f64(),
        planner.iterations()
    );
    let Some(plan) = planner.plan() else {
        text += match status {
            Status::Unsolvable => "no plan exists",
            Status::GaveUp => "gave up",
            _ => "out of time",
        };
        return Ok((text, Checked::NoPlan));
    };
    // What is checked is what `--format ipc` would write.
    let written = PlanFile::read("plan", &plan.to_string())
        .map_err(|mistakes| Failure::Bug(mistakes.to_string()))?;
    let _ = write!(text, "{:6} steps  ", plan.steps.len());
    Ok(match verify(&problem, &written) {
        Ok(_) => (text + "valid", Checked::Valid),
        Err(refusal) => (format!("{text}REJECTED: {refusal}"), Checked::Rejected),
    })
}

/// Problems below a folder, sorted by path.
fn find(folder: &Path, problems: &mut Vec<PathBuf>) -> Result<(), Failure> {
    let unreadable = |error: std::io::Error| {
        let why = match error.kind() {
            std::io::ErrorKind::NotFound => "there is no such folder".to_owned(),
            _ if folder.is_file() => "it is a file; name the folder it is in".to_owned(),
            _ => error.to_string(),
        };
        Failure::input(format!("`{}` cannot be read: {why}", folder.display()))
    };
    let mut entries = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        entries.push(entry.map_err(unreadable)?.path());
    }
    entries.sort();
    for path in entries {
        let name = name_of(&path);
        if path.is_dir() {
            find(&path, problems)?;
        } else if name.ends_with(".hddl") && !name.ends_with("domain.hddl") {
            problems.push(path);
        }
    }
    Ok(())
}

fn name_of(path: &Path) -> String {
    path.file_name()
        .map(|name| name.to_string_lossy().into_owned())
        .unwrap_or_default()
}
