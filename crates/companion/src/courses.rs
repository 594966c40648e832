//! How well a player keeps to the ways of each style.

use std::collections::VecDeque;
use std::time::Duration;

use apprentice_recognition::Costs;
use apprentice_search::Cost;
use apprentice_world::{AgentId, Gait, PlayerModel, Point, Scenario, World};

/// Where a player went lately, held against how players of each style go.
///
/// Whoever plays a style goes on along its way. So it is asked of each way how much longer it has become
/// by what the player did, as it is asked of goals ([`Recognition`](apprentice_recognition::Recognition)):
/// nothing for whoever keeps to it, and twice the way for whoever turned back. Whoever stands still says
/// nothing, and wandering about evens out.
#[derive(Clone, Debug, Default)]
pub(crate) struct Courses {
    been: VecDeque<Footstep>,
}

#[derive(Clone, Debug)]
struct Footstep {
    time: Duration,
    at: Point,
    /// How long a walk it was from where the player was first seen, in seconds.
    walked: f64,
    /// Of each style: how far along its way, how long a walk is left, and how long the player has gone at
    /// another gait than was shown.
    by_style: Vec<(usize, f64, f64)>,
}

/// Older steps tell nothing: whoever changes their style should be noticed soon.
const LATELY: Duration = Duration::from_secs(8);
/// What a second at another gait counts, in seconds of detour.
const OTHER_GAIT: f64 = 0.25;

impl Courses {
    /// The player is somewhere, now. To be called at every look.
    pub(crate) fn look<'m>(
        &mut self,
        scenario: &Scenario,
        world: &World,
        models: impl Iterator<Item = &'m PlayerModel>,
    ) {
        let (time, at) = (world.time(), world.position(AgentId::PLAYER, scenario));
        let place = world.place(AgentId::PLAYER, scenario);
        let speed = scenario.rules().speed(Gait::Walk);
        let last = self.been.back();
        let moved = last.map_or(0.0, |last| last.at.distance_to(at));
        let passed = last.map_or(0.0, |last| time.saturating_sub(last.time).as_secs_f64());
        let gait = world.stance(AgentId::PLAYER).map(|stance| stance.gait());
        let by_style = models.enumerate().map(|(style, model)| {
            let before = last.and_then(|last| last.by_style.get(style)).copied();
            let (along, _, otherwise) = before.unwrap_or_default();
            let (along, left) = model.left_from(scenario, place, along);
            let is_other = moved > 0.0 && gait != Some(model.stance_at(along).gait());
            let otherwise = otherwise + if is_other { passed } else { 0.0 };
            (along, left, otherwise)
        });
        let now = Footstep {
            time,
            at,
            walked: last.map_or(0.0, |last| last.walked) + moved / speed,
            by_style: by_style.collect(),
        };
        self.been.push_back(now);
        let is_old = |first: &Footstep| time.saturating_sub(first.time) > LATELY;
        while self.been.front().is_some_and(is_old) {
            self.been.pop_front();
        }
    }

    /// What each style costs by what was seen lately; nothing before anybody was.
    pub(crate) fn costs(&self) -> Vec<Costs> {
        let (Some(first), Some(last)) = (self.been.front(), self.been.back()) else {
            return Vec::new();
        };
        let walked = last.walked - first.walked;
        let styles = first.by_style.iter().zip(&last.by_style);
        let costs = styles.map(|((_, before, so_far), (_, left, otherwise))| {
            let otherwise = OTHER_GAIT * (otherwise - so_far);
            Costs {
                at_best: seconds(*before),
                explaining: seconds(walked + left + otherwise),
                settled: true,
            }
        });
        costs.collect()
    }
}

fn seconds(number: f64) -> Cost {
    match number.is_finite() {
        true => Cost::from_seconds(number),
        false => Cost::INFINITE,
    }
}
