//! `apprentice htn`: plans, checks, formats and compiles what designers wrote.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use apprentice::hddl;
use apprentice::htn::language::{self, Diagnostic, Reading};
use apprentice::htn::model::File;
use apprentice::htn::{
    Aim, Domain, Improving, Limit, Limits, LineKind, LoadedDomain, LoadedTask, Memory, Network,
    Plan, Planner, explain, explained_in_words, simplefps, trace_in_words,
};
use apprentice::search::{Budget, Status};
use serde_json::Number;

use super::htn_hddl::{self, Format};
use super::htn_verify;
use crate::exit::{Exit, Failure, note, print, print_exactly};
use crate::input_file::{self, Kind};
use crate::output_file;
use crate::progress::Progress;
use apprentice::report::document::{TaskImprovementDocument, TaskPlanDocument, TaskPlanStatus};
use apprentice::report::numbers::{counted, grouped, short};
use apprentice::report::picture::AreaMap;

/// Plan, check and format what designers wrote: tasks and the methods that do them.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Find steps that do what the problem asks for
    Plan(PlanArguments),
    /// Say what is wrong with a file, or looks wrong
    Check(FileArguments),
    /// Print a file in the canonical layout
    Fmt(FormatArguments),
    /// Print Rust that does the same as the file, without interpreting anything
    Compile(CompileArguments),
    /// Check a plan for an HDDL problem, without any planning code
    Verify(htn_verify::Arguments),
    /// Print a problem for the domain SimpleFPS, made from a seed
    Simplefps(SimplefpsArguments),
    /// Plan every HDDL problem below a folder, check every plan, and print a table
    Coverage(htn_hddl::CoverageArguments),
}

#[derive(clap::Args)]
struct PlanArguments {
    /// Files that are read as one (.htn), where something like "ordered(Guard(gate))" is the goal;
    /// or a domain and a problem (.hddl)
    #[arg(required = true)]
    files: Vec<String>,

    /// Look for the best plan, not only for the first
    #[arg(long)]
    best: bool,

    /// Say why each method was taken or refused
    #[arg(long)]
    why: bool,

    /// Plan only the first steps: for tasks that never come to an end
    #[arg(long, value_name = "N", conflicts_with = "best")]
    steps: Option<usize>,

    /// How many decisions to look at before giving up
    #[arg(long, value_name = "N")]
    iterations: Option<u64>,

    /// How many milliseconds to plan before giving up
    #[arg(long, value_name = "MS")]
    time: Option<u64>,

    /// How deep tasks may be nested in each other, a task that ends with itself too; 0: without end.
    /// Without it, 10,000; for HDDL as deep as fits into memory, whatever it says, unless --best,
    /// --why, --steps, --plain or --svg is given
    #[arg(long, value_name = "N")]
    depth: Option<u32>,

    /// Remember nothing of the branches that were left, as published; only circles are noticed
    #[arg(long)]
    plain: bool,

    /// What to print
    #[arg(long, value_enum, default_value = "text")]
    format: Format,

    /// Draw the areas and the plan's way through them; for domains with the words of SimpleFPS
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

#[derive(clap::Args)]
struct FileArguments {
    /// Files that are read as one
    #[arg(required = true)]
    files: Vec<String>,
}

#[derive(clap::Args)]
struct FormatArguments {
    /// The file
    file: PathBuf,

    /// Write the file instead of printing it
    #[arg(long)]
    write: bool,
}

#[derive(clap::Args)]
struct CompileArguments {
    /// Files that are read as one; the first gives the module its name
    #[arg(required = true)]
    files: Vec<String>,

    /// Write the Rust to this file instead of printing it
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(clap::Args)]
struct SimplefpsArguments {
    /// How many areas
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=1000))]
    areas: u32,

    /// How many weapons, medikits and places to take cover
    #[arg(long, default_value_t = 40, value_parser = clap::value_parser!(u32).range(..=100_000))]
    points: u32,

    /// Another seed, another problem
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Exit, Failure> {
    match &arguments.command {
        Command::Plan(arguments) => plan(arguments),
        Command::Check(arguments) => check(arguments),
        Command::Fmt(arguments) => format(arguments),
        Command::Compile(arguments) => compile(arguments),
        Command::Verify(arguments) => htn_verify::run(arguments),
        Command::Simplefps(arguments) => {
            let SimplefpsArguments {
                areas,
                points,
                seed,
            } = *arguments;
            print_exactly(&simplefps::generate(areas, points, seed))?;
            Ok(Exit::Done)
        }
        Command::Coverage(arguments) => htn_hddl::coverage(arguments),
    }
}

/// Reads files as one. What looks like a goal and is no file becomes a problem of its own.
fn read(arguments: &[String]) -> Result<Reading, Failure> {
    let mut texts: Vec<(String, String)> = Vec::new();
    let mut goal: Option<&str> = None;
    for argument in arguments {
        let path = Path::new(argument);
        if argument.contains('(') && !path.exists() {
            goal = Some(argument);
            continue;
        }
        let text = text_of(path)?;
        texts.push((argument.clone(), text));
    }
    if let Some(goal) = goal {
        let goal = goal.trim().trim_end_matches(';');
        let problem = format!("problem goal_of_the_command_line {{ goal {goal}; }}");
        texts.push(("the goal".to_owned(), problem));
    }
    let texts: Vec<(&str, &str)> = texts
        .iter()
        .map(|(name, text)| (name.as_str(), text.as_str()))
        .collect();
    let find = |name: &str| input_file::read_text(Path::new(name), Kind::Tasks).ok();
    let reading = language::read_files(&texts, &find);
    if reading.model.is_none() {
        refuse_other_kinds(&texts, &reading.diagnostics, &reading.files)?;
    }
    Ok(reading)
}

/// Where reading failed, a file whose name says that it is something else may be why: then that comes
/// first, and of what a reader of tasks has to say about it the beginning is enough.
fn refuse_other_kinds(
    texts: &[(&str, &str)],
    diagnostics: &[Diagnostic],
    files: &[File],
) -> Result<(), Failure> {
    let is_error = |one: &&Diagnostic| one.severity == language::Severity::Error;
    let errors: Vec<&Diagnostic> = diagnostics.iter().filter(is_error).collect();
    let told = errors.iter().take(TOLD_OF_OTHER_KINDS);
    let mut wrong: String = told.map(|one| one.render(files)).collect();
    if let Some(more @ 1..) = errors.len().checked_sub(TOLD_OF_OTHER_KINDS) {
        wrong += &format!("and {} more", counted(more, "error"));
    }
    let mut paths = texts.iter().map(|(name, _)| Path::new(name));
    match paths.find_map(|path| input_file::other_kind(path, Kind::Tasks, wrong.trim_end())) {
        Some(other) => Err(other),
        None => Ok(()),
    }
}

/// How many errors are told of a file that seems to be of another kind. What has no tasks in it has
/// dozens, and they would hide what is said first.
const TOLD_OF_OTHER_KINDS: usize = 3;

/// The text of a file with tasks.
fn text_of(path: &Path) -> Result<String, Failure> {
    input_file::text_of(path, Kind::Tasks)
}

/// A domain without mistakes; warnings are said.
fn load(files: &[String]) -> Result<LoadedDomain, Failure> {
    if let Some((domain, problem)) = htn_hddl::pair(files) {
        let model = hddl::compile(&htn_verify::read(domain, problem)?);
        return LoadedDomain::new(model).map_err(|why| Failure::input(why.to_string()));
    }
    let reading = read(files)?;
    if !reading.diagnostics.is_empty() {
        note(reading.report().trim_end());
    }
    let Some(model) = reading.model else {
        return Err(Failure::input("the domain cannot be used as it is"));
    };
    LoadedDomain::new(model).map_err(|why| Failure::input(why.to_string()))
}

fn check(arguments: &FileArguments) -> Result<Exit, Failure> {
    if let Some(checked) = htn_hddl::check(&arguments.files) {
        return checked;
    }
    let reading = read(&arguments.files)?;
    if !reading.diagnostics.is_empty() {
        note(reading.report().trim_end());
    }
    let count = |severity| {
        let of_it = |one: &&Diagnostic| one.severity == severity;
        reading.diagnostics.iter().filter(of_it).count()
    };
    let errors = count(language::Severity::Error);
    let warnings = counted(count(language::Severity::Warning), "warning");
    let Some(model) = &reading.model else {
        note(&format!("{}, {warnings}", counted(errors, "error")));
        return Ok(Exit::BadInput);
    };
    let changing = model.changing();
    let constants = changing.iter().filter(|is_changing| !**is_changing).count();
    print(&format!(
        "no errors, {warnings}: {}, {} ({constants} never change), {}\n",
        counted(model.tasks.len(), "task"),
        counted(model.functions.len(), "function"),
        counted(model.objects.len(), "object"),
    ))?;
    Ok(Exit::Done)
}

fn format(arguments: &FormatArguments) -> Result<Exit, Failure> {
    let name = arguments.file.display().to_string();
    let text = text_of(&arguments.file)?;
    let (tree, wrong) = language::parse(&text, 0);
    if !wrong.is_empty() {
        let files = [File { name, text }];
        refuse_other_kinds(&[(&files[0].name, &files[0].text)], &wrong, &files)?;
        for one in &wrong {
            note(one.render(&files).trim_end());
        }
        return Err(Failure::input("a file with errors is left as it is"));
    }
    let formatted = language::format(&tree);
    if !arguments.write {
        print_exactly(&formatted)?;
    } else if formatted != text {
        output_file::replace(&arguments.file, &formatted)?;
    }
    Ok(Exit::Done)
}

fn compile(arguments: &CompileArguments) -> Result<Exit, Failure> {
    if let Some(path) = &arguments.output {
        output_file::check(path)?;
    }
    let mut texts: Vec<(String, String)> = Vec::new();
    for file in &arguments.files {
        let text = text_of(Path::new(file))?;
        texts.push((file.clone(), text));
    }
    let name = Path::new(&arguments.files[0]).file_stem();
    let name = name.map_or("domain".into(), |name| name.to_string_lossy());
    let texts: Vec<(&str, &str)> = texts
        .iter()
        .map(|(name, text)| (name.as_str(), text.as_str()))
        .collect();
    let find = |name: &str| input_file::read_text(Path::new(name), Kind::Tasks).ok();
    let rust = language::compile_to_rust(&name, &texts, &find).map_err(|reading| {
        if let Err(other) = refuse_other_kinds(&texts, &reading.diagnostics, &reading.files) {
            return other;
        }
        note(reading.report().trim_end());
        Failure::input("the domain cannot be used as it is")
    })?;
    match &arguments.output {
        None => print_exactly(&rust)?,
        Some(path) => output_file::write(path, &rust)?,
    }
    Ok(Exit::Done)
}

/// An improvement with the time it took.
struct Improved {
    cost: f64,
    iterations: u64,
    microseconds: u128,
}

fn plan(arguments: &PlanArguments) -> Result<Exit, Failure> {
    // HDDL has a planner of its own, which is the better one where a plan is all that is asked for.
    if let Some((domain, problem)) = htn_hddl::pair(&arguments.files)
        && !(arguments.best || arguments.why || arguments.plain)
        && arguments.steps.is_none()
        && arguments.svg.is_none()
    {
        if arguments.depth.is_some() {
            note(
                "note: --depth makes no difference here: the planner for HDDL has no such limit; with --best, --why, --steps, --plain or --svg another one plans, which has",
            );
        }
        return htn_hddl::plan(&htn_hddl::Request {
            domain,
            problem,
            iterations: arguments.iterations,
            time: arguments.time.map(Duration::from_millis),
            format: arguments.format,
        });
    }
    let domain = load(&arguments.files)?;
    if domain.model().problem.is_none() {
        return Err(Failure::input(
            "there is no problem to plan for; add a file with one, or a goal like \"ordered(Guard(gate))\"",
        ));
    }
    if let Some(path) = &arguments.svg {
        output_file::check(path)?;
        // Nobody wants to wait for a plan first to hear that it cannot be drawn.
        AreaMap::new(&domain, std::iter::empty()).map_err(Failure::input)?;
    }
    let depth = arguments.depth.unwrap_or(Limits::default().depth);
    let goal = domain.goal();
    let began = Instant::now();
    let mut planner = Planner::new(domain.initial_state(), goal.clone())
        .aim(match arguments.best {
            true => Aim::Best,
            false => Aim::First,
        })
        .memory(match arguments.plain {
            true => Memory::Branch,
            false => Memory::DeadEnds,
        })
        .improving(match arguments.plain {
            true => Improving::AtTheEnd,
            false => Improving::Everywhere,
        })
        .limits(Limits {
            depth,
            ..Limits::default()
        })
        // Without a plan, the decisions met say why; one screen of them is enough.
        .traced(if arguments.why { 200 } else { 0 });
    if let Some(steps) = arguments.steps {
        planner = planner.only_first(steps);
    }
    let deadline = arguments
        .time
        .map(|time| began + Duration::from_millis(time));
    let is_limited = deadline.is_some() || arguments.iterations.is_some();
    let ends_by = (!is_limited).then_some("--time MS or --iterations N");
    let mut progress = Progress::new(began, arguments.iterations, ends_by);
    let mut left = arguments.iterations.unwrap_or(u64::MAX);
    let mut improvements = Vec::new();
    let status = loop {
        let look = Progress::next_look();
        let until = deadline.map_or(look, |deadline| deadline.min(look));
        let mut slice = Budget::units(left).until(until);
        let status = planner.run(&domain, &mut slice);
        left -= slice.taken();
        if let Some(found) = planner.improvements().get(improvements.len()) {
            improvements.push(Improved {
                cost: found.cost.as_seconds(),
                iterations: found.iterations,
                microseconds: began.elapsed().as_micros(),
            });
        }
        let is_over = left == 0 || deadline.is_some_and(|end| Instant::now() >= end);
        match status {
            Status::Improved => {}
            Status::Paused if !is_over => progress.show(planner.statistics().iterations, ""),
            status => break status,
        }
    };
    progress.clear();
    let microseconds = began.elapsed().as_micros();
    if let Some(fault) = planner.fault() {
        let place = fault.span.and_then(|span| domain.model().place(span));
        let place = place.map_or(String::new(), |place| format!("{place}  "));
        return Err(Failure::input(format!("{place}{fault}")));
    }
    let (found, exit) = match (planner.plan(), status) {
        (Some(_), _) => (TaskPlanStatus::Found, Exit::Done),
        (None, Status::Unsolvable) => (TaskPlanStatus::Impossible, Exit::Refuted),
        (None, Status::GaveUp) => (TaskPlanStatus::Limit, Exit::BudgetSpent),
        (None, _) => (TaskPlanStatus::Budget, Exit::BudgetSpent),
    };
    if let Some(limit) = planner.limit() {
        note(&format!("note: {}", beyond(limit, depth)));
    }
    let text = match arguments.format {
        Format::Json => {
            let plan = planner.plan();
            let improvements = improvements.iter().map(|one| TaskImprovementDocument {
                cost: Number::from_f64(one.cost),
                iterations: one.iterations,
                time_us: one.microseconds as u64,
            });
            let document = TaskPlanDocument {
                cost: plan.and_then(|plan| Number::from_f64(plan.cost.as_seconds())),
                improvements: improvements.collect(),
                iterations: planner.statistics().iterations,
                limit: planner.limit().map(name_of),
                plan: plan.map_or(Vec::new(), |plan| {
                    steps(&domain, plan)
                        .map(|task| domain.words(task))
                        .collect()
                }),
                status: found,
                time_us: microseconds as u64,
            };
            htn_hddl::line(&document)?
        }
        Format::Ipc => planner.plan().map_or(String::new(), |plan| {
            hddl::plan_file(&domain, plan).to_string()
        }),
        Format::Text => {
            let mut text = String::new();
            for one in &improvements {
                text += &format!(
                    "found after {:>6} {}   cost {}\n",
                    one.iterations,
                    if one.iterations == 1 {
                        "iteration"
                    } else {
                        "iterations"
                    },
                    short(one.cost, 3)
                );
            }
            match planner.plan() {
                Some(plan) => {
                    for (index, task) in steps(&domain, plan).enumerate() {
                        text += &format!("{:3}  {}\n", index + 1, domain.show(task));
                    }
                    if status == Status::Finished && arguments.best {
                        text += "there is no better one\n";
                    }
                }
                None if found == TaskPlanStatus::Impossible => {
                    text += "there is no plan";
                    let is_endless = |task: &&LoadedTask| !domain.least_cost(task).is_finite();
                    if let Some(task) = goal.tasks().find(is_endless) {
                        let task = domain.show(task);
                        text += &format!(
                            ": {task} never comes to an end; `--steps 10` plans how it begins"
                        );
                    } else if !arguments.why {
                        text += "; `--why` says what was tried";
                    }
                    text.push('\n');
                }
                None => text += &format!("{}\n", without_a_plan(found, planner.limit())),
            }
            text
        }
    };
    match arguments.format {
        Format::Text => print(&text)?,
        Format::Json | Format::Ipc => print_exactly(&text)?,
    }
    if arguments.why {
        let why = match planner.plan() {
            Some(plan) => explained(&domain, &goal, plan),
            None => met(&domain, &planner),
        };
        match arguments.format {
            Format::Text => print(&why)?,
            Format::Json | Format::Ipc => note(why.trim_end()),
        }
    }
    // Last, so that a picture that fails takes no plan with it.
    if let Some(path) = &arguments.svg {
        let otherwise = without_a_plan(found, planner.limit());
        output_file::write(path, &drawn(&domain, planner.plan(), otherwise)?)?;
    }
    Ok(exit)
}

/// What is known if there is no plan.
fn without_a_plan(found: TaskPlanStatus, limit: Option<Limit>) -> &'static str {
    match (found, limit) {
        (TaskPlanStatus::Impossible, _) => "there is no plan",
        (TaskPlanStatus::Limit, _) | (_, Some(_)) => {
            "no plan was found within the limits; there may be one beyond them"
        }
        (_, None) => "no plan was found before the budget was spent",
    }
}

/// Which limit cut branches off, for programs.
fn name_of(limit: Limit) -> &'static str {
    match limit {
        Limit::Depth => "depth",
        Limit::PlanLength => "plan_length",
        Limit::Open => "open",
    }
}

/// Which limit cut branches off, and what to do about it.
fn beyond(limit: Limit, depth: u32) -> String {
    let limits = Limits::default();
    match limit {
        Limit::Depth => format!(
            "tasks are nested in each other more than {} deep, and were not looked into any further; is there a recursion without end? `--depth {}` allows more",
            grouped(depth.into()),
            // Where there are no larger numbers, 0 allows everything.
            depth.checked_mul(10).unwrap_or(0)
        ),
        Limit::PlanLength => format!(
            "plans of more than {} steps were not looked into any further; `--steps 10` plans how they begin",
            grouped(limits.plan_length.into())
        ),
        Limit::Open => format!(
            "there were more than {} open decisions, which is all there may be; fewer methods and objects to choose from leave fewer",
            grouped(limits.open.into())
        ),
    }
}

/// A picture of the problem and the plan, if there is one; otherwise with these words.
fn drawn(
    domain: &LoadedDomain,
    plan: Option<&Plan<LoadedTask>>,
    otherwise: &str,
) -> Result<String, Failure> {
    let shown = plan.into_iter().flat_map(|plan| steps(domain, plan));
    let map = AreaMap::new(domain, shown).map_err(Failure::input)?;
    Ok(map.draw(&match plan {
        Some(plan) => format!(
            "{}, cost {}",
            counted(steps(domain, plan).count(), "step"),
            short(plan.cost.as_seconds(), 3)
        ),
        None => otherwise.to_owned(),
    }))
}

/// Why the plan is as it is.
fn explained(domain: &LoadedDomain, goal: &Network<LoadedTask>, plan: &Plan<LoadedTask>) -> String {
    let mut text = String::from("\nwhy:\n");
    let why = explain(domain, domain.initial_state(), goal, plan).unwrap_or_default();
    for line in explained_in_words(domain, &why) {
        text += &"  ".repeat(line.depth.min(20));
        if line.kind != LineKind::Task {
            text += "  ";
        }
        text += &line.text;
        text.push('\n');
    }
    text
}

/// What the planner met where there is no plan.
fn met(domain: &LoadedDomain, planner: &Planner<LoadedDomain>) -> String {
    let mut text = String::from("\nwhat was tried:\n");
    let trace = planner.trace();
    for line in trace_in_words(domain, trace) {
        text += &format!("  {}\n", line.text);
    }
    if trace.left_out > 0 {
        let left_out = counted(trace.left_out as usize, "more task");
        text += &format!("  … and {left_out}\n");
    }
    text
}

/// The steps of a plan, without those that only HDDL's goals are made of.
fn steps<'a>(
    domain: &'a LoadedDomain,
    plan: &'a Plan<LoadedTask>,
) -> impl Iterator<Item = &'a LoadedTask> {
    plan.tasks().filter(|task| {
        domain
            .words(task)
            .first()
            .is_none_or(|name| !hddl::is_added(name))
    })
}
