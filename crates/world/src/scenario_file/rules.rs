//! Reads speeds, options, margins, prices, how plans are to be made, and what is expected.

use super::error::{ScenarioError, ScenarioErrorKind};
use super::tables::{Limits, Table};
use crate::{Expectation, Gait, Map, Margins, Planning, Rules};
use apprentice_game::Prices;

pub(super) fn read(file: &Table<'_>, map: &Map) -> Result<Rules, ScenarioError> {
    let usual = Rules::usual(map);
    let Some(table) = file.table("rules")? else {
        return Ok(usual);
    };
    table.allow(&["walk", "sneak", "run", "line_of_sight", "block_slows"])?;
    let speed = Limits::new(0.01, 1000.0);
    let walk = table.number("walk", speed, Some(usual.speed(Gait::Walk)))?;
    let sneak = table.number("sneak", speed, Some(walk * 0.5))?;
    let run = Limits::new(0.0, 1000.0);
    let run = table.number("run", run, Some(usual.speed(Gait::Run)))?;
    if sneak > walk {
        let wrong = ScenarioErrorKind::Number {
            key: "sneak".to_owned(),
            found: sneak.to_string(),
            expected: format!("at most the walking speed of {walk}"),
        };
        return Err(table.error_at("sneak", wrong));
    }
    let mut rules = Rules::new([walk, sneak, run], map.spacing());
    rules.line_of_sight = table.flag("line_of_sight", usual.line_of_sight)?;
    rules.block_slows = table.flag("block_slows", false)?;
    Ok(rules)
}

pub(super) fn read_margins(file: &Table<'_>) -> Result<Margins, ScenarioError> {
    let default = Margins::default();
    let Some(table) = file.table("margins")? else {
        return Ok(default);
    };
    table.allow(&["damage", "radius"])?;
    let factor = Limits::new(1.0, 100.0);
    Ok(Margins {
        damage: table.number("damage", factor, Some(default.damage))?,
        radius: table.number("radius", factor, Some(default.radius))?,
    })
}

pub(super) fn read_planning(file: &Table<'_>, rules: &Rules) -> Result<Planning, ScenarioError> {
    let Some(table) = file.table("planning")? else {
        return Ok(Planning::default());
    };
    table.allow(&["planner", "faithful", "run"])?;
    let planner = table.get("planner");
    let planner = planner.map(|name| file.reader.string("planner", name));
    let part = Limits::new(0.0, 1.0);
    let faithful = table.get("faithful");
    let faithful = faithful.map(|value| file.reader.number("faithful", value, part));
    let runs = table.flag("run", false)?;
    let (run, walk) = (rules.speed(Gait::Run), rules.speed(Gait::Walk));
    if runs && run <= walk {
        let wrong = ScenarioErrorKind::Number {
            key: "run".to_owned(),
            found: format!("true where one runs at {run} and walks at {walk}"),
            expected: "a `run` in [rules] that is more than the walking speed".to_owned(),
        };
        return Err(table.error_at("run", wrong));
    }
    Ok(Planning {
        planner: planner.transpose()?.map(str::to_owned),
        faithful: faithful.transpose()?,
        runs,
    })
}

pub(super) fn read_expectation(file: &Table<'_>) -> Result<Option<Expectation>, ScenarioError> {
    let Some(table) = file.table("expect")? else {
        return Ok(None);
    };
    table.allow(&["arrives", "within", "health", "unnoticed", "followed"])?;
    let number = |key: &str, limits: Limits| {
        let value = table.get(key);
        value
            .map(|value| file.reader.number(key, value, limits))
            .transpose()
    };
    Ok(Some(Expectation {
        arrives: table.flag("arrives", true)?,
        within: number("within", Limits::new(0.1, 3600.0))?,
        health: number("health", Limits::DAMAGE)?,
        unnoticed: table.flag("unnoticed", false)?,
        followed: number("followed", Limits::new(0.0, 1.0))?,
    }))
}

pub(super) fn read_prices(file: &Table<'_>) -> Result<Prices, ScenarioError> {
    let Some(table) = file.table("prices")? else {
        return Ok(Prices::NONE);
    };
    table.allow(&["harm", "notice"])?;
    let seconds = Limits::new(0.0, Prices::DEAREST);
    let harm = table.number("harm", seconds, Some(0.0))?;
    let notice = table.number("notice", seconds, Some(0.0))?;
    Ok(Prices::new(harm, notice).unwrap_or(Prices::NONE))
}
