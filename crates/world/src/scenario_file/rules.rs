//! Reads speeds, options, margins and prices.

use super::error::{ScenarioError, ScenarioErrorKind};
use super::tables::{Limits, Table};
use crate::{Gait, Map, Margins, Rules};
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
