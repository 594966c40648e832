//! Lower bounds of what a quest still costs: as the crow flies, and along the shortest way.

use apprentice_search::{Budget, Cost, Heuristic, Promise};

use crate::{Aim, DistanceField, Game, Ground, LandmarkId};

/// The time to the goal as the crow flies at top speed, with everything the goal itself says taken
/// into account: nothing remains to be done for what is already achieved, and near enough is near
/// enough. See [`Game::straight`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StraightLine;

impl<G: Game> Heuristic<G> for StraightLine {
    #[inline]
    fn estimate(&mut self, game: &G, state: &G::State) -> Cost {
        game.straight(state)
    }

    /// No step brings anybody nearer than top speed allows.
    fn promise(&self) -> Promise {
        Promise::Consistent
    }
}

/// The time to the goal along the shortest way, as if all doors were open and nobody were about.
///
/// Swept once for every place the goal names, and kept until the goal or the level changes.
#[derive(Clone, Debug, Default)]
pub struct ShortestPath {
    /// What the fields were made for.
    made_for: Option<(u64, Aim, f64)>,
    /// One for each part of the aim; `None` where it has no place of its own.
    fields: Vec<Option<DistanceField>>,
    /// How many of them are swept.
    swept: usize,
}

impl<G: Game> Heuristic<G> for ShortestPath {
    #[inline]
    fn estimate(&mut self, game: &G, state: &G::State) -> Cost {
        debug_assert_eq!(
            self.swept,
            self.fields.len(),
            "prepare comes before the first estimate"
        );
        let place = game.place(state);
        let mut fields = self.fields.iter();
        game.aim().fold(&mut |part| {
            let Some(field) = fields.next().and_then(Option::as_ref) else {
                return game.straight_to(part, game.at(state), state);
            };
            match part {
                Aim::Done(landmark) if game.is_done(state, *landmark) => Cost::ZERO,
                _ => field.at(place),
            }
        })
    }

    /// Steps of the sweep cost what steps of the quest cost at least, to the tick.
    fn promise(&self) -> Promise {
        Promise::Consistent
    }

    fn prepare(&mut self, game: &G, budget: &mut Budget<'_>) -> bool {
        let (ground, speed) = (&**game.ground(), game.top_speed());
        let is_same = |(level, aim, at): &(u64, Aim, f64)| {
            (*level, aim, *at) == (game.level(), game.aim(), speed)
        };
        if !self.made_for.as_ref().is_some_and(is_same) {
            let parts = game.aim().parts();
            let field = |part: &&Aim| {
                let targets = targets(part, game)?;
                Some(DistanceField::to(ground, targets, speed))
            };
            self.fields = parts.iter().map(field).collect();
            self.swept = 0;
            self.made_for = Some((game.level(), game.aim().clone(), speed));
        }
        while let Some(field) = self.fields.get_mut(self.swept) {
            if let Some(field) = field
                && !field.sweep(ground, budget)
            {
                return false;
            }
            self.swept += 1;
        }
        true
    }
}

/// Where one has to be for a part of an aim, if that is somewhere in particular.
fn targets<G: Game>(part: &Aim, game: &G) -> Option<Vec<usize>> {
    match part {
        Aim::Within {
            x,
            y,
            height,
            radius,
        } => Some(game.ground().within(*x, *y, *height, *radius)),
        Aim::At(places) => Some(places.clone()),
        Aim::Done(landmark) if is_done_there(game, *landmark) => {
            Some(game.landmarks()[landmark.index()].places.clone())
        }
        _ => None,
    }
}

/// Whether a landmark is only done by going to where it is.
fn is_done_there<G: Game>(game: &G, landmark: LandmarkId) -> bool {
    let mark = game.landmarks().get(landmark.index());
    mark.is_some_and(|mark| !mark.bars && !mark.moves && !mark.is_shared)
}
