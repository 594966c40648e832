//! What a game must get right so that anybody can plan in it, as far as that can be seen at once.

use apprentice_game::{Aim, Game, Ground, Pace, Step};
use apprentice_search::{Budget, Cost};

use crate::BadSetting;

fn bad(what: String) -> Result<(), BadSetting> {
    Err(BadSetting(what))
}

/// Whether the character is somewhere at the start, and gets on.
pub(crate) fn check_start<G: Game>(game: &G) -> Result<(), BadSetting> {
    let speed = game.top_speed();
    if !(speed > 0.0 && speed.is_finite()) {
        return bad(format!(
            "the top speed is {speed}; give it a number above 0"
        ));
    }
    let (start, places) = (game.place(&game.start()), game.ground().places());
    if start >= places {
        return bad(format!(
            "the start is in place {start}, and there are {places} places"
        ));
    }
    Ok(())
}

/// Whether landmarks and the aim speak of what is there.
pub(crate) fn check_landmarks<G: Game>(game: &G) -> Result<(), BadSetting> {
    let (places, landmarks) = (game.ground().places(), game.landmarks());
    for mark in landmarks {
        let name = &mark.name;
        let mut all = mark.places.iter().chain([&mark.place]);
        if let Some(place) = all.find(|place| **place >= places) {
            return bad(format!(
                "the landmark `{name}` is in place {place}, and there are {places} places"
            ));
        }
        let mut others = mark.opened_by.iter().chain(&mark.opens);
        if let Some(other) = others.find(|other| other.index() >= landmarks.len()) {
            let (number, count) = (other.index(), landmarks.len());
            return bad(format!(
                "the landmark `{name}` speaks of landmark {number}, and there are {count}"
            ));
        }
        if !mark.at.is_anywhere() {
            return bad(format!("the landmark `{name}` is at {}", mark.at));
        }
    }
    for part in game.aim().parts() {
        match part {
            Aim::Within {
                x,
                y,
                height,
                radius,
            } => {
                let numbers = [*x, *y, height.unwrap_or(0.0), *radius];
                if numbers.iter().any(|number| number.is_nan()) || *radius < 0.0 {
                    return bad(format!("the aim makes no sense: {part:?}"));
                }
            }
            Aim::At(there) => {
                if let Some(place) = there.iter().find(|place| **place >= places) {
                    return bad(format!(
                        "the aim is in place {place}, and there are {places} places"
                    ));
                }
            }
            Aim::Done(landmark) if landmark.index() >= landmarks.len() => {
                let (number, count) = (landmark.index(), landmarks.len());
                return bad(format!(
                    "the aim is landmark {number}, and there are {count}"
                ));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Looks whether a ground makes sense, a little at a time: whether every place is somewhere, and every
/// step leads from one place to another, takes time, and is known at both of its ends.
///
/// ```
/// use apprentice_behavior::GroundCheck;
/// use apprentice_game::{Aim, Game, Waypoints};
/// # use std::sync::Arc;
/// # use apprentice_experience::Place;
/// # use apprentice_search::{Budget, Problem, Successors};
/// # struct Corridor { ground: Arc<Waypoints>, aim: Aim }
/// # impl Problem for Corridor {
/// #     type State = usize; type Key = usize; type Action = usize;
/// #     fn start(&self) -> usize { 0 }
/// #     fn key(&self, place: &usize) -> usize { *place }
/// #     fn is_goal(&self, _: &usize) -> bool { false }
/// #     fn successors(&self, _: &usize, _: &mut Successors<usize, usize>) {}
/// # }
/// # impl Game for Corridor {
/// #     type Ground = Waypoints;
/// #     fn ground(&self) -> &Arc<Waypoints> { &self.ground }
/// #     fn place(&self, place: &usize) -> usize { *place }
/// #     fn top_speed(&self) -> f64 { 1.0 }
/// #     fn aim(&self) -> &Aim { &self.aim }
/// #     fn level(&self) -> u64 { 0 }
/// # }
/// # let mut ground = Waypoints::new((0..5).map(|x| Place::flat(f64::from(x), 0.0)))?;
/// # for place in 0..4 { ground.connect(place, place + 1)?; }
/// # let corridor = Corridor { ground: Arc::new(ground), aim: Aim::At(vec![4]) };
///
/// // A unit for each place.
/// let mut check = GroundCheck::default();
/// assert_eq!(check.go_on(&corridor, &mut Budget::units(3)), None);
/// assert_eq!(check.go_on(&corridor, &mut Budget::units(3)), Some(Ok(())));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GroundCheck {
    /// The place that is looked at next.
    next: usize,
}

impl GroundCheck {
    /// Goes on, with a unit of budget for each place. `None`: the budget is spent, call again, with the
    /// same ground.
    pub fn go_on<G: Game>(
        &mut self,
        game: &G,
        budget: &mut Budget<'_>,
    ) -> Option<Result<(), BadSetting>> {
        // Nobody gets anywhere without a speed.
        if let Err(error) = check_start(game) {
            return Some(Err(error));
        }
        while self.next < game.ground().places() {
            if !budget.take() {
                return None;
            }
            if let Err(error) = check_place(game, self.next) {
                return Some(Err(error));
            }
            self.next += 1;
        }
        Some(Ok(()))
    }
}

/// Whether a place is somewhere, and every step from it and to it makes sense.
fn check_place<G: Game>(game: &G, place: usize) -> Result<(), BadSetting> {
    let ground = &**game.ground();
    let places = ground.places();
    let pace = Pace::new(game.top_speed(), ground.spacing());
    let from = |place: usize| steps(|visit| ground.each_step_from(place, &pace, visit));
    let into = |place: usize| steps(|visit| ground.each_step_into(place, &pace, visit));
    if !ground.is_walkable(place) {
        return Ok(());
    }
    let at = ground.at(place);
    if !at.is_anywhere() {
        return bad(format!(
            "place {place} of the ground is at {at}; say that nobody can walk there, or give it coordinates"
        ));
    }
    for (to, cost) in from(place) {
        if !ground.is_walkable(to) {
            return bad(format!(
                "the ground has a hole: a step leads from place {place} to {to}, where nobody can stand; there are {places} places"
            ));
        }
        if cost == Cost::ZERO || !cost.is_finite() {
            return bad(format!(
                "the step of the ground from place {place} to {to} takes {cost}; it must take some time, and not forever"
            ));
        }
        if !into(to).contains(&(place, cost)) {
            return bad(format!(
                "the ground has a hole: a step leads from place {place} to {to} in {cost}, and is not among those that lead into {to}"
            ));
        }
    }
    for (near, cost) in into(place) {
        if !ground.is_walkable(near) || !from(near).contains(&(place, cost)) {
            return bad(format!(
                "the ground has a hole: a step is said to lead into place {place} from {near}, and none leaves {near} for {place} in {cost}"
            ));
        }
    }
    Ok(())
}

/// The steps of a place, each with its other end and its cost.
fn steps(each: impl FnOnce(&mut dyn FnMut(Step))) -> Vec<(usize, Cost)> {
    let mut steps = Vec::new();
    each(&mut |step| steps.push((step.place, step.cost)));
    steps
}
