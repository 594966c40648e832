//! Rooms full of things, and those who explore them: what is asked, and what becomes of it.

use std::collections::BTreeMap;
use std::time::Duration;

use apprentice::rooms::{
    Asked, Explorer, Facing, Moves, News, Objective, RoomDemonstration, RoomLevel, RoomPlan,
    RoomStep, Rooms, Sighting, plan,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Clock, Code, Refusal};

/// Rooms to plan in.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PlanRoomsAsk {
    /// What is known of them, and what is to be done.
    pub rooms: RoomLevel,
    /// How somebody did it in other rooms: a recording's text.
    #[serde(default)]
    pub shown: Option<String>,
    /// What plan.
    #[serde(default)]
    pub ask: Asked,
}

/// A plan in rooms.
#[derive(Debug, Serialize, JsonSchema)]
pub struct RoomsPlanAnswer {
    /// The plan, or that there is none.
    pub plan: RoomPlan,
    /// How long it took to make.
    pub time_ms: f64,
}

/// Somebody who knows only what they are told they see.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ExplorerAsk {
    /// What they are to be called, in place of another of that name.
    pub explorer: String,
    /// What is to be done: groups one after the other, and each group's parts in any order.
    pub goal: Vec<Vec<Objective>>,
    /// How one moves.
    #[serde(default)]
    pub moves: Moves,
    /// How somebody did it in other rooms: a recording's text.
    #[serde(default)]
    pub shown: Option<String>,
    /// What plans.
    #[serde(default)]
    pub ask: Asked,
}

/// What an explorer sees.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LookAsk {
    /// Who.
    pub explorer: String,
    /// Where they are: column and row, from wherever one likes.
    pub at: [i32; 2],
    /// Where they look.
    #[serde(default)]
    pub facing: Facing,
    /// What they see. What is not listed stays as it was thought to be.
    #[serde(default)]
    pub sees: Vec<Sighting>,
    /// The kind and the colour of what they find in their hands; what was thought stays if nothing is
    /// said.
    #[serde(default)]
    pub carries: Option<[String; 2]>,
    /// Other words for the goal, if better ones are known by now.
    #[serde(default)]
    pub goal: Option<Vec<Vec<Objective>>>,
}

/// What an explorer does next.
#[derive(Debug, Serialize, JsonSchema)]
pub struct StepAnswer {
    /// The move; null if everything is done, or nobody knows what to do.
    pub step: Option<RoomStep>,
    /// Whether the plan only leads to a look at what has not been seen.
    pub explores: bool,
    /// The plan, if another was made; it has no steps here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plan: Option<RoomPlan>,
    /// How long that took.
    pub time_ms: f64,
}

/// Everybody who explores, by name.
#[derive(Default)]
pub(crate) struct Explorers {
    named: BTreeMap<String, Explorer>,
}

impl Explorers {
    pub(crate) fn join(&mut self, ask: ExplorerAsk) -> Result<(), Refusal> {
        let shown = shown(ask.shown.as_deref())?;
        let explorer = Explorer::new(ask.goal, ask.moves, ask.ask).shown(shown);
        self.named.insert(ask.explorer, explorer);
        Ok(())
    }

    pub(crate) fn look(&mut self, ask: LookAsk, clock: Clock<'_>) -> Result<StepAnswer, Refusal> {
        let Some(explorer) = self.named.get_mut(&ask.explorer) else {
            let known = self.named.keys().map(String::as_str);
            return Err(Refusal::no_such("explorer", &ask.explorer, known));
        };
        let began = clock();
        if let Some(goal) = ask.goal {
            explorer.pursue(goal);
        }
        explorer.see(&News {
            at: ask.at,
            facing: ask.facing,
            sees: ask.sees,
            carries: ask.carries,
        });
        let decided = explorer.decide();
        let (step, mut plan) = decided.map_err(|wrong| Refusal::new(Code::BadValue, wrong))?;
        if let Some(plan) = &mut plan {
            plan.steps.clear();
        }
        Ok(StepAnswer {
            step,
            explores: explorer.explores(),
            plan,
            time_ms: milliseconds(clock().saturating_sub(began)),
        })
    }

    pub(crate) fn forget(&mut self, name: &str) -> Result<(), Refusal> {
        if self.named.remove(name).is_none() {
            let known = self.named.keys().map(String::as_str);
            return Err(Refusal::no_such("explorer", name, known));
        }
        Ok(())
    }
}

pub(crate) fn plan_rooms(ask: &PlanRoomsAsk, clock: Clock<'_>) -> Result<RoomsPlanAnswer, Refusal> {
    let began = clock();
    let rooms = Rooms::new(&ask.rooms).map_err(|wrong| Refusal::new(Code::BadValue, wrong))?;
    let rooms = rooms.following(&shown(ask.shown.as_deref())?, 0);
    let plan = plan(&rooms, &ask.ask);
    Ok(RoomsPlanAnswer {
        plan,
        time_ms: milliseconds(clock().saturating_sub(began)),
    })
}

fn shown(text: Option<&str>) -> Result<RoomDemonstration, Refusal> {
    let shown = text.map(RoomDemonstration::read).transpose();
    let shown = shown.map_err(|wrong| Refusal::new(Code::BadFile, wrong))?;
    Ok(shown.unwrap_or_default())
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
