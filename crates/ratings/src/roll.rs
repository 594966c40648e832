//! What is known of each player; of newcomers, the same of all.

use crate::{PlayerId, Seat};

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Roll<T> {
    newcomer: T,
    known: Vec<T>,
}

impl<T: Copy> Roll<T> {
    pub(crate) fn new(newcomer: T) -> Roll<T> {
        Roll {
            newcomer,
            known: Vec::new(),
        }
    }

    /// The first players are no newcomers.
    pub(crate) fn starting_from(newcomer: T, known: Vec<T>) -> Roll<T> {
        Roll { newcomer, known }
    }

    pub(crate) fn of(&self, player: PlayerId) -> T {
        let known = self.known.get(player.index());
        known.copied().unwrap_or(self.newcomer)
    }

    pub(crate) fn all(&self, players: &[PlayerId]) -> Vec<T> {
        players.iter().map(|player| self.of(*player)).collect()
    }

    pub(crate) fn seated(&self, seats: &[Seat]) -> Vec<T> {
        seats.iter().map(|seat| self.of(seat.player)).collect()
    }

    pub(crate) fn set(&mut self, player: PlayerId, to: T) {
        let place = player.index();
        if place >= self.known.len() {
            self.known.resize(place + 1, self.newcomer);
        }
        self.known[place] = to;
    }
}
