//! `apprentice verify --all`: runs every test of a folder. Tests are levels that say what is expected of
//! whoever plays in them, and levels with a plan beside them that must work.

use std::fs;
use std::path::{Path, PathBuf};

use apprentice::behavior::Checked;
use apprentice::report::numbers::{counted, short};
use apprentice::report::trial;

use crate::demonstrations::{self, DemonstrationArguments};
use crate::exit::{Exit, Failure, print};
use crate::plan_file;
use crate::planner::PlannerArguments;
use crate::scenario_source::{self, Source};

/// Deeper folders are not looked through.
const DEEPEST: usize = 8;

/// Runs every test below a folder, and says how each went.
pub(crate) fn run(folder: &Path) -> Result<Exit, Failure> {
    let mut paths = Vec::new();
    look_through(folder, 0, &mut paths).map_err(|error| {
        Failure::input(format!("`{}` cannot be read: {error}", folder.display()))
    })?;
    paths.sort();
    let (mut ran, mut failed) = (0, 0);
    for path in paths {
        let went = match scenario_source::load(Some(&path)) {
            Ok(source) if source.scenario.expected().is_none() && !has_plan(&path) => continue,
            Ok(source) => verdict(&source, &path),
            // Other programs write .toml files, too: what is no level is no test.
            Err(_) if !has_plan(&path) && !expects_something(&path) => continue,
            Err(unreadable) => Err(unreadable),
        };
        ran += 1;
        // A test that cannot be run has failed, and the others are run all the same.
        let went = went.or_else(|failure| match failure {
            Failure::Input(wrong) => Ok(Err(vec![wrong])),
            bug @ Failure::Bug(_) => Err(bug),
        })?;
        let shown = path.display();
        match went {
            Ok(went) => print(&format!("ok      {shown}{went}\n"))?,
            Err(unmet) => {
                failed += 1;
                print(&format!("FAILED  {shown}: {}\n", unmet.join("; ")))?;
            }
        }
    }
    if ran == 0 {
        return Err(Failure::input(format!(
            "no level in `{}` is a test; give one an `expect` table, or save a moment as a test in the studio",
            folder.display()
        )));
    }
    let all = counted(ran, "test");
    print(&match failed {
        0 => format!("{all}, all as expected\n"),
        failed => format!("{all}, {failed} failed\n"),
    })?;
    Ok(if failed == 0 {
        Exit::Done
    } else {
        Exit::Refuted
    })
}

fn plan_of(path: &Path) -> PathBuf {
    path.with_extension("plan.json")
}

fn has_plan(path: &Path) -> bool {
    plan_of(path).is_file()
}

/// Whether a file that cannot be read was meant to be a test.
fn expects_something(path: &Path) -> bool {
    fs::read_to_string(path).is_ok_and(|text| {
        let mut lines = text.lines().map(str::trim_start);
        lines.any(|line| {
            let key = line.strip_prefix('[').unwrap_or(line).trim_start();
            let rest = key.strip_prefix("expect").map(str::trim_start);
            rest.is_some_and(|rest| rest.starts_with(['=', ']', '.']))
        })
    })
}

/// How a test went: well, with a few figures, or what was not met.
fn verdict(source: &Source, path: &Path) -> Result<Result<String, Vec<String>>, Failure> {
    let mut unmet = Vec::new();
    let mut went = String::new();
    if has_plan(path)
        && let Err(why) = live_through(source, &plan_of(path))?
    {
        unmet.push(format!("its plan no longer works: {why}"));
    }
    if let Some(expected) = source.scenario.expected() {
        let shown = demonstrations::load(source, &DemonstrationArguments::default())?;
        let Checked { planner, .. } =
            PlannerArguments::default().check(&source.scenario, &shown, false)?;
        let played = trial::play(&source.scenario, &planner);
        let missed = trial::unmet(expected, &played);
        unmet.extend(missed.iter().map(ToString::to_string));
        went = format!(
            ": {} s, {} health",
            short(played.time, 1),
            short(played.health, 1)
        );
        if let Some(part) = played.followed {
            went += &format!(", {:.0} % followed", 100.0 * part);
        }
    }
    Ok(if unmet.is_empty() {
        Ok(went)
    } else {
        Err(unmet)
    })
}

fn live_through(source: &Source, path: &Path) -> Result<Result<(), String>, Failure> {
    let document = plan_file::load(path)?;
    let planned = match &document.agent {
        Some(name) => scenario_source::planned_for(&source.scenario, name)?,
        None => source.scenario.clone(),
    };
    Ok(document
        .orders()
        .and_then(|orders| document.live_through(&planned, &orders).map(|_| ())))
}

fn look_through(folder: &Path, depth: usize, paths: &mut Vec<PathBuf>) -> std::io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let kind = entry.file_type()?;
        if name.starts_with('.') || name == "target" || name == "node_modules" {
            continue;
        }
        if kind.is_dir() && depth < DEEPEST {
            look_through(&entry.path(), depth + 1, paths)?;
        } else if kind.is_file() && name.ends_with(".toml") {
            paths.push(entry.path());
        }
    }
    Ok(())
}
