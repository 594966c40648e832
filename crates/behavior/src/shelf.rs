//! A few things of a kind that are kept because they may be wanted again.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Things that may be wanted again, the one that was wanted last at the end. When there are too many,
/// those go that nobody has wanted for longest.
pub(crate) struct Shelf<T> {
    things: Vec<T>,
}

/// So many are kept: enough for the goals and the locked doors of a level that many characters are in,
/// and looked through within a microsecond or two.
const MOST: usize = 64;

impl<T> Default for Shelf<T> {
    fn default() -> Shelf<T> {
        Shelf { things: Vec::new() }
    }
}

impl<T> Shelf<T> {
    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.things.len()
    }

    /// Adds one.
    pub(crate) fn put(&mut self, thing: T) {
        if self.things.len() == MOST {
            self.things.remove(0);
        }
        self.things.push(thing);
    }

    /// One of which this is so.
    pub(crate) fn find(&mut self, is_it: impl Fn(&T) -> bool) -> Option<&mut T> {
        let found = self.things.iter().rposition(is_it)?;
        self.things[found..].rotate_left(1);
        self.things.last_mut()
    }

    /// Takes one away of which this is so.
    pub(crate) fn take(&mut self, is_it: impl Fn(&T) -> bool) -> Option<T> {
        let found = self.things.iter().rposition(is_it)?;
        Some(self.things.remove(found))
    }

    /// One of which this is so; it is made if there is none.
    pub(crate) fn find_or_put(
        &mut self,
        is_it: impl Fn(&T) -> bool,
        made: impl FnOnce() -> T,
    ) -> &mut T {
        match self.things.iter().rposition(is_it) {
            Some(found) => self.things[found..].rotate_left(1),
            None => self.put(made()),
        }
        let last = self.things.len() - 1;
        &mut self.things[last]
    }
}

/// Opens what several share. Nothing in here is left half done by a panic that would matter to anybody
/// else.
pub(crate) fn open<T: ?Sized>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_wanted_for_longest_goes_first() {
        let mut shelf = Shelf::default();
        for number in 0..MOST {
            shelf.put(number);
        }
        assert_eq!(shelf.find(|number| *number == 0), Some(&mut 0));
        shelf.put(MOST);
        assert_eq!(shelf.take(|number| *number == 1), None);
        assert_eq!(shelf.take(|number| *number == 0), Some(0));
        let mut made = 0;
        for _ in 0..2 {
            shelf.find_or_put(
                |number| *number == 1,
                || {
                    made += 1;
                    1
                },
            );
        }
        assert_eq!(made, 1);
    }
}
