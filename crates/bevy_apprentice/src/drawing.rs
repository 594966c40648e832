//! What there is to see of plans, as lines: for whatever draws them.

use std::collections::BTreeMap;

use apprentice::experience::Place;
use bevy_app::{App, Plugin, PostUpdate};
use bevy_ecs::prelude::*;
use bevy_math::Vec3;

use crate::{Apprentices, Doing, PlanState};

/// Keeps a [`Drawing`] of what characters mean to do, in every frame.
///
/// It draws nothing itself: lines are data, so that a game may draw them with gizmos, sprites or text,
/// in two dimensions or three, and a test may count them.
pub struct ApprenticeDrawingPlugin;

impl Plugin for ApprenticeDrawingPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Drawing>();
        app.add_systems(PostUpdate, draw);
    }
}

/// Lines of what was shown and what everybody means to do, in the coordinates of the level.
#[derive(Resource, Debug, Default)]
pub struct Drawing {
    /// All of them; anew in every frame.
    pub lines: Vec<Line>,
    /// The way of each plan, and which plan that is: worked out once for each.
    ways: BTreeMap<Entity, (u32, Vec<Vec3>)>,
}

/// A straight line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// Where it begins: x and y of the level, and the height.
    pub from: Vec3,
    /// Where it ends.
    pub to: Vec3,
    /// What it shows.
    pub of: LineOf,
    /// Whose it is; nobody's if it was shown.
    pub entity: Option<Entity>,
}

/// What a line shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum LineOf {
    /// What was shown.
    Demonstration,
    /// What is ahead of a plan.
    Way,
    /// Where the order at hand leads.
    Order,
    /// Somebody is stuck here: the strokes of a cross.
    Stuck,
}

fn draw(
    apprentices: Option<Res<Apprentices>>,
    characters: Query<&PlanState>,
    mut drawing: ResMut<Drawing>,
) {
    let Drawing { lines, ways } = &mut *drawing;
    lines.clear();
    let Some(apprentices) = apprentices else {
        ways.clear();
        return;
    };
    for shown in apprentices.demonstrations() {
        let points: Vec<Vec3> = shown.samples.iter().map(|it| point(it.place)).collect();
        strip(&points, LineOf::Demonstration, None, lines);
    }
    ways.retain(|entity, _| apprentices.number(*entity).is_some());
    let spacing = apprentices.cast().scenario().map().spacing() as f32;
    for who in apprentices.roster.keys() {
        let (Some(number), Ok(state)) = (apprentices.number(*who), characters.get(*who)) else {
            continue;
        };
        let cast = apprentices.cast();
        let Some(at) = cast.place(number).map(point) else {
            continue;
        };
        let entity = Some(*who);
        match state.doing {
            Doing::Following | Doing::Thinking => {
                let way = ways.entry(*who).or_default();
                if way.0 != state.plans || way.1.len() < state.steps_ahead {
                    *way = (
                        state.plans,
                        cast.way(number).into_iter().map(point).collect(),
                    );
                }
                let done = way.1.len() - state.steps_ahead;
                let ahead = std::iter::once(at).chain(way.1[done..].iter().copied());
                strip(&ahead.collect::<Vec<Vec3>>(), LineOf::Way, entity, lines);
                if let Some(to) = cast.destination(number).map(point) {
                    strip(&[at, to], LineOf::Order, entity, lines);
                }
            }
            Doing::Stuck => {
                let arm = spacing / 2.0;
                for (x, y) in [(arm, arm), (arm, -arm)] {
                    let arm = Vec3::new(x, y, 0.0);
                    strip(&[at - arm, at + arm], LineOf::Stuck, entity, lines);
                }
            }
            Doing::Done | Doing::Dead => {}
        }
    }
}

/// Lines from each point to the next.
fn strip(points: &[Vec3], of: LineOf, entity: Option<Entity>, lines: &mut Vec<Line>) {
    let pairs = points.windows(2).filter(|pair| pair[0] != pair[1]);
    lines.extend(pairs.map(|pair| Line {
        from: pair[0],
        to: pair[1],
        of,
        entity,
    }));
}

fn point(place: Place) -> Vec3 {
    Vec3::new(place.x as f32, place.y as f32, place.z as f32)
}
