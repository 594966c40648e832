//! What a game must get right so that anybody can plan in it, as far as that can be seen at once.

use apprentice_game::{Aim, Game, Ground, Pace, Step};
use apprentice_search::Cost;

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

/// Whether every place is somewhere, and every step leads from one place to another, takes time, and is
/// known at both of its ends. Looks at every step, so ask once.
pub(crate) fn check_ground<G: Game>(game: &G) -> Result<(), BadSetting> {
    let ground = &**game.ground();
    let places = ground.places();
    let pace = Pace::new(game.top_speed(), ground.spacing());
    let from = |place: usize| steps(|visit| ground.each_step_from(place, &pace, visit));
    let into = |place: usize| steps(|visit| ground.each_step_into(place, &pace, visit));
    for place in (0..places).filter(|place| ground.is_walkable(*place)) {
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
    }
    Ok(())
}

/// The steps of a place, each with its other end and its cost.
fn steps(each: impl FnOnce(&mut dyn FnMut(Step))) -> Vec<(usize, Cost)> {
    let mut steps = Vec::new();
    each(&mut |step| steps.push((step.place, step.cost)));
    steps
}
