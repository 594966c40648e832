//! Levels that are tests: those that say what is expected of whoever plays in them, and those with a
//! plan beside them that must work.

use apprentice::report::document::ClaimedPlan;
use apprentice::report::trial;
use apprentice::world::Scenario;

use crate::folder::Folder;
use crate::level;
use crate::protocol::{Line, ListedTest, PlannerSettings, Refusal, ShownExpectation, Tested};
use crate::{demonstrations, planning};

/// All tests of the folder, in the order of their paths.
pub(crate) fn list(folder: &Folder) -> Vec<ListedTest> {
    let found = folder.list("toml").into_iter();
    let tests = found.filter_map(|found| {
        let has_plan = folder.has(&plan_of(&found.path));
        let scenario = level::parse(folder, &found.path, &found.text).ok()?;
        if scenario.expected().is_none() && !has_plan {
            return None;
        }
        Some(ListedTest {
            name: match scenario.name() {
                "" => level::short_name(&found.path).to_owned(),
                name => name.to_owned(),
            },
            expects: expectation(&scenario),
            has_plan,
            path: found.path,
        })
    });
    tests.collect()
}

/// The plan that must work in a level: the file beside it that bears its name.
fn plan_of(path: &str) -> String {
    let stem = path.strip_suffix(".toml").unwrap_or(path);
    format!("{stem}.plan.json")
}

/// What a level expects, as the page has it.
pub(crate) fn expectation(scenario: &Scenario) -> Option<ShownExpectation> {
    let expected = scenario.expected()?;
    Some(ShownExpectation {
        arrives: expected.arrives,
        within: expected.within,
        health: expected.health,
        unnoticed: expected.unnoticed,
        followed: expected.followed,
    })
}

/// Runs a test. It is played as the command line plays it: with the planner its file asks for, and what
/// it shows.
pub(crate) fn run(folder: &Folder, path: &str) -> Result<Tested, Refusal> {
    let text = folder.read(path)?;
    let scenario = level::parse(folder, path, &text)?;
    let mut unmet = Vec::new();
    let plan = plan_of(path);
    if folder.has(&plan)
        && let Err(why) = live_through(&scenario, &folder.read(&plan)?)
    {
        unmet.push(format!("its plan no longer works: {why}"));
    }
    let mut tested = Tested {
        path: path.to_owned(),
        passed: false,
        unmet: Vec::new(),
        time: None,
        health: None,
        followed: None,
    };
    if let Some(expected) = scenario.expected() {
        let (own, _) = demonstrations::own(folder, path, &scenario);
        let used = own.into_iter().filter(|line| !line.hidden);
        let lines: Vec<Line> = used
            .map(|line| Line {
                name: line.name,
                points: line.points,
                log: line.log,
                hidden: false,
            })
            .collect();
        let shown = demonstrations::read(&folder.kept, &scenario, &lines)?;
        let asked = PlannerSettings {
            planner: scenario.planning().planner.clone().unwrap_or_default(),
            faithful: scenario.planning().faithful,
            ..PlannerSettings::default()
        };
        let planner = planning::planner(&scenario, &asked, &shown)?.planner;
        let went = trial::play(&scenario, &planner);
        let missed = trial::unmet(expected, &went);
        unmet.extend(missed.iter().map(ToString::to_string));
        tested.time = Some(went.time);
        tested.health = Some(went.health);
        tested.followed = went.followed;
    }
    tested.passed = unmet.is_empty();
    tested.unmet = unmet;
    Ok(tested)
}

fn live_through(scenario: &Scenario, text: &str) -> Result<(), String> {
    let plan: ClaimedPlan = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let planned = plan.agent.as_deref().map(|name| {
        let agent = scenario.actor(name).map_err(|error| error.to_string())?;
        scenario.for_agent(agent).map_err(|error| error.to_string())
    });
    let planned = planned.transpose()?;
    let scenario = planned.as_ref().unwrap_or(scenario);
    let orders = plan.orders()?;
    plan.live_through(scenario, &orders).map(|_| ())
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEVEL: &str = "format = 1\nstart = [0, 0]\ngoal = { within = { at = [8, 0], radius = 0.0 } }\nmap = { rows = ['.........'] }\n";

    #[test]
    fn levels_that_expect_something_are_run_and_say_what_was_not_met() {
        let root = tempfile::tempdir().expect("a folder");
        let folder = Folder::open(root.path()).expect("it is one");
        let level = |expect: &str| format!("{LEVEL}expect = {{ {expect} }}\n");
        let write = |name: &str, text: &str| folder.write(name, text).expect("there is room");
        write("plain.toml", LEVEL);
        write("slow.toml", &level("within = 60"));
        write("quick.toml", &level("within = 0.5, unnoticed = true"));
        write("never.toml", &level("arrives = false"));
        let paths: Vec<String> = list(&folder).into_iter().map(|test| test.path).collect();
        assert_eq!(paths, ["never.toml", "quick.toml", "slow.toml"]);
        let passed = |path: &str| run(&folder, path).expect("it can be run");
        assert!(passed("slow.toml").passed);
        assert_eq!(passed("quick.toml").unmet.len(), 1);
        assert!(!passed("never.toml").passed);
    }
}
