//! Entries in no order, kept in sheaves: so none of them moves when there are more.

use crate::front::SHEAF;

/// Sheaves of at most [`SHEAF`] entries.
pub(super) type Sheaves<F> = Vec<Vec<F>>;

/// The entries.
#[derive(Debug)]
pub(super) struct Pile<F> {
    full: Sheaves<F>,
    /// Has as much room as was ever needed, a sheaf at most, and never goes elsewhere: so the same
    /// search finds the same memory in the same place when it runs again.
    last: Vec<F>,
}

impl<F: Copy> Pile<F> {
    pub(super) const fn new() -> Self {
        Pile {
            full: Vec::new(),
            last: Vec::new(),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.full.iter().map(Vec::len).sum::<usize>() + self.last.len()
    }

    /// Adds an entry, with an empty sheaf of these where one is needed.
    #[inline(always)]
    pub(super) fn push(&mut self, far: F, spare: &mut Sheaves<F>) {
        if self.last.len() == self.last.capacity()
            && let Some(full) = make_room(&mut self.last, spare)
        {
            self.full.push(full);
        }
        self.last.push(far);
    }

    /// The sheaves there are.
    pub(super) fn sheaves(&mut self) -> impl Iterator<Item = &mut Vec<F>> {
        self.full.iter_mut().chain(std::iter::once(&mut self.last))
    }

    /// Takes all entries out, if they are no more than a sheaf. It wants the memory back.
    pub(super) fn take_only(&mut self) -> Option<Vec<F>> {
        self.full.is_empty().then(|| std::mem::take(&mut self.last))
    }

    /// Keeps the memory of what it held.
    pub(super) fn keep(&mut self, sheaf: Vec<F>) {
        self.last = sheaf;
    }

    /// Takes all entries out.
    pub(super) fn take(&mut self, sheaves: &mut Sheaves<F>, spare: &mut Sheaves<F>) {
        sheaves.append(&mut self.full);
        move_last(&mut self.last, sheaves, spare);
    }

    /// Forgets all entries, keeps the memory.
    pub(super) fn clear(&mut self, spare: &mut Sheaves<F>) {
        self.last.clear();
        self.full.drain(..).for_each(|sheaf| put_by(sheaf, spare));
    }
}

/// Makes room in a sheaf that has none left. Returns what it held, if it is full.
#[cold]
#[inline(never)]
pub(super) fn make_room<F>(sheaf: &mut Vec<F>, spare: &mut Sheaves<F>) -> Option<Vec<F>> {
    let len = sheaf.len();
    if len < SHEAF {
        sheaf.reserve_exact(len.max(FIRST).min(SHEAF - len));
        return None;
    }
    Some(std::mem::replace(sheaf, empty(spare)))
}

/// An empty sheaf, with room for as many as there may be.
fn empty<F>(spare: &mut Sheaves<F>) -> Vec<F> {
    spare.pop().unwrap_or_else(|| Vec::with_capacity(SHEAF))
}

/// Empties a sheaf, and keeps it at hand.
pub(super) fn put_by<F>(mut sheaf: Vec<F>, spare: &mut Sheaves<F>) {
    sheaf.clear();
    spare.push(sheaf);
}

/// Moves the entries of a sheaf that stays where it is to one that goes with others.
pub(super) fn move_last<F: Copy>(
    last: &mut Vec<F>,
    others: &mut Sheaves<F>,
    spare: &mut Sheaves<F>,
) {
    let mut moved = empty(spare);
    moved.append(last);
    others.push(moved);
}

/// The entry of that number.
pub(super) fn nth<F>(sheaves: &Sheaves<F>, number: usize) -> Option<&F> {
    let mut before = 0;
    let sheaf = sheaves.iter().find(|sheaf| {
        let is_it = number < before + sheaf.len();
        before += if is_it { 0 } else { sheaf.len() };
        is_it
    })?;
    sheaf.get(number - before)
}

/// A sheaf has room for so many entries at first.
const FIRST: usize = 4;
