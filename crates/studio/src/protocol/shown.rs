//! What the page draws and tells, as it is sent: a level, a plan, a moment of a game.

use apprentice::report::document::PlanDocument;
use schemars::JsonSchema;
use serde::Serialize;

use super::{BoundTasks, ShownExpectation, Side, Underlay};

/// A level as the page draws it.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct Scene {
    pub(crate) name: String,
    pub(crate) ground: Ground,
    pub(crate) things: Vec<ShownThing>,
    /// The goal in words.
    pub(crate) goal: String,
    pub(crate) can_run: bool,
    /// How many seconds a point of lost health counts in plans.
    pub(crate) harm: f64,
    /// What estimates there are to show.
    pub(crate) estimates: Vec<ListedEstimate>,
    /// The kinds of enemies there are: those every level knows, and its own.
    pub(crate) kinds: Vec<ListedKind>,
    /// What is expected of whoever plays in it.
    pub(crate) expects: Option<ShownExpectation>,
    /// The picture under it.
    pub(crate) picture: Option<Underlay>,
    /// The tasks that are done in it when it is played.
    pub(crate) tasks: Option<BoundTasks>,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct ListedKind {
    pub(crate) name: String,
    /// guard or beast.
    pub(crate) kind: &'static str,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct ListedEstimate {
    pub(crate) id: String,
    pub(crate) about: String,
}

/// Where one can stand.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum Ground {
    /// Square cells, '#' wall and '.' floor, row by row; places are numbered the same way.
    Grid { rows: Vec<String> },
    /// Polygons, walked at any angle, and the footholds places stand for.
    Mesh {
        polygons: Vec<Vec<[f64; 2]>>,
        /// How high the middle of each polygon is, where they are not all the same.
        storeys: Option<Vec<f64>>,
        /// Left, top, right, bottom.
        bounds: [f64; 4],
        places: Vec<[f64; 2]>,
        /// How high each of the places is, where they are not all the same.
        heights: Option<Vec<f64>>,
        spacing: f64,
    },
}

/// Something on the map.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct ShownThing {
    /// What edits and disturbances call it.
    pub(crate) id: String,
    /// start, goal, player, actor, key, shield, item, pack, door, lever, guard, beast, obstacle, trap, liked, avoided.
    pub(crate) kind: &'static str,
    /// In words, for people.
    pub(crate) title: String,
    /// Where the scenario puts it; a door may have several cells, of which the first counts.
    pub(crate) at: Vec<[f64; 2]>,
    /// The places it closes, if they are others.
    pub(crate) closes: Option<Vec<[f64; 2]>>,
    /// How high it is, where not all is at the same height.
    pub(crate) height: Option<f64>,
    /// Whether it can be dragged.
    pub(crate) movable: bool,
    /// Which colour tells what belongs together: keys and their doors.
    pub(crate) color: Option<usize>,
    /// How near is too near, walking; of a goal, how near is near enough.
    pub(crate) radius: Option<f64>,
    pub(crate) sneak_radius: Option<f64>,
    /// How far from its home it follows anybody.
    pub(crate) leash: Option<f64>,
    /// Of a door.
    pub(crate) open: Option<bool>,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct PlanAnswer {
    pub(crate) side: Side,
    /// Whether no better answer follows.
    pub(crate) done: bool,
    pub(crate) plan: PlanDocument,
    /// How far from the best this planner's plans may be, as far as its numbers say.
    pub(crate) implied_bound: f64,
    pub(crate) notes: Vec<String>,
    /// Where the character is drawn at each step.
    pub(crate) drawn: Vec<[f64; 2]>,
    /// What is followed where, and why it is left.
    pub(crate) stretches: Vec<ShownStretch>,
    /// What stands in the way, if it is proven that there is no plan; in words.
    pub(crate) no_way: Option<String>,
    /// What is hardly followed, and why.
    pub(crate) ignored: Vec<ShownIgnored>,
    /// How much of each demonstration the plan passes by, from 0 to 1.
    pub(crate) covered: Vec<f64>,
    /// Where others are at each step.
    pub(crate) others: Vec<Vec<[f64; 2]>>,
    /// What the search looked at, in order: the place, and on whose behalf.
    pub(crate) explored: Option<Explored>,
    /// On whose behalf each step's state was looked at.
    pub(crate) expanded_by: Vec<Option<usize>>,
    pub(crate) heuristics: Vec<String>,
    pub(crate) improvements: Vec<ShownImprovement>,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct Explored {
    pub(crate) places: Vec<u32>,
    pub(crate) by: Vec<u8>,
    /// How many there were; more than are listed if there were very many.
    pub(crate) all: u64,
}

/// A demonstration that is hardly followed.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct ShownIgnored {
    /// Its number among those that were asked with.
    pub(crate) demonstration: Option<usize>,
    /// Why, in words.
    pub(crate) text: String,
}

/// Steps in a row that follow the same demonstration, or none; or that are sneaked.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct ShownStretch {
    /// The numbers of its first and its last step, counting from 1.
    pub(crate) first: usize,
    pub(crate) last: usize,
    /// The number of the demonstration.
    pub(crate) follows: Option<usize>,
    /// Why, in words.
    pub(crate) text: String,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct ShownImprovement {
    pub(crate) expansions: u64,
    pub(crate) cost: f64,
    pub(crate) bound: Option<f64>,
}

/// The world at one moment of playing.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct Frame {
    pub(crate) number: usize,
    /// How many there are.
    pub(crate) count: usize,
    pub(crate) time: f64,
    pub(crate) npc: ShownActor,
    pub(crate) player: Option<ShownActor>,
    pub(crate) enemies: Vec<ShownEnemy>,
    /// Ids of doors that are open, items that lie around, levers that were pulled.
    pub(crate) open: Vec<String>,
    pub(crate) lying: Vec<String>,
    pub(crate) pulled: Vec<String>,
    pub(crate) events: Vec<String>,
    pub(crate) goal_met: bool,
    /// Whether no moment fits after this one: an hour has been played.
    pub(crate) hour_is_up: bool,
    pub(crate) mind: Option<Mind>,
    /// All others who take orders, but for the player.
    pub(crate) members: Vec<ShownMember>,
    /// How far the tasks are that are carried out, if any are.
    pub(crate) errand: Option<ShownErrand>,
    /// The level, if it has changed.
    pub(crate) scene: Option<Scene>,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct ShownActor {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) height: Option<f64>,
    pub(crate) health: f64,
    pub(crate) stamina: f64,
    pub(crate) gait: String,
    pub(crate) holding: Vec<String>,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct ShownEnemy {
    pub(crate) id: String,
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) height: Option<f64>,
    /// None: it cannot be hurt.
    pub(crate) health: Option<f64>,
    pub(crate) mode: &'static str,
}

/// What the character is thinking.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct Mind {
    /// following, thinking, done, stuck, dead.
    pub(crate) state: &'static str,
    /// How many plans were made so far.
    pub(crate) plans: u32,
    /// Why the last one was left.
    pub(crate) why: Option<String>,
    /// The way still ahead.
    pub(crate) ahead: Vec<[f64; 2]>,
}

/// One of the others who take orders, at a moment.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(crate) struct ShownMember {
    pub(crate) id: String,
    pub(crate) actor: ShownActor,
    /// What it is thinking, if it decides for itself.
    pub(crate) mind: Option<Mind>,
}

/// How far somebody has come with tasks.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub(crate) struct ShownErrand {
    /// doing, done, failed.
    pub(crate) state: &'static str,
    /// The task that is being done.
    pub(crate) step: Option<String>,
    /// Why it cannot be done.
    pub(crate) why: Option<String>,
}
