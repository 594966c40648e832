//! Things that are numbered as they come, and stay where they are when more come.
//!
//! A vector that is full moves all it holds to a larger place: a search that has met a million states
//! would stand still for it. Here, what does not fit any more goes on shelves of a fixed size, each of
//! which is got when the one before it is full. So what one more thing costs does not depend on how
//! many there are.

use std::ops::{Index, IndexMut};

/// Bytes of a shelf, at most: so few that getting one, and what the system does for that, takes no
/// longer than some expansions.
pub(crate) const SHELF: usize = 64 << 10;
/// Bytes that are kept in one piece, at most: giving back half as much takes a millisecond or two.
const PIECE: usize = 32 << 20;
/// Bytes that are got or given back at once while something is cleared, at most: that takes some tenths
/// of a millisecond.
pub(crate) const AT_ONCE: usize = 2 << 20;
/// At first there is room for so many things.
const FIRST: usize = 4;

/// Numbered things.
///
/// A few lie in one piece, where they are found fastest, and which may move; when there are more it
/// becomes the first shelf. As many as there were in an earlier search lie in one piece from the
/// beginning.
#[derive(Debug)]
pub(crate) struct Shelves<T> {
    piece: Vec<T>,
    /// What is not in the piece: first those that are full, then the one that is being filled.
    shelves: Vec<Vec<T>>,
    last: Vec<T>,
    /// How many things are on shelves.
    shelved: usize,
    /// Empty ones.
    spare: Vec<Vec<T>>,
}

impl<T> Shelves<T> {
    /// A shelf holds two to this many things. One is enough for those that take no room.
    const BITS: u32 = match SHELF.checked_div(size_of::<T>()) {
        None => usize::BITS - 1,
        Some(0) => 0,
        Some(things) => things.ilog2(),
    };
    const ON_SHELF: usize = 1 << Self::BITS;

    pub(crate) const fn new() -> Self {
        Shelves {
            piece: Vec::new(),
            shelves: Vec::new(),
            last: Vec::new(),
            shelved: 0,
            spare: Vec::new(),
        }
    }

    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.piece.len() + self.shelved
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether all things are in the piece.
    #[inline]
    pub(crate) fn is_one(&self) -> bool {
        self.shelved == 0
    }

    /// How many more things will be in the piece, if all are. A small piece is made larger for as many
    /// as are wanted.
    pub(crate) fn room_in_one(&mut self, wanted: usize) -> usize {
        self.widen(wanted);
        if self.is_one() {
            self.piece.capacity() - self.piece.len()
        } else {
            0
        }
    }

    /// Adds a thing. Its number is how many there were.
    #[inline]
    pub(crate) fn push(&mut self, thing: T) {
        if self.is_one() && (self.piece.len() < self.piece.capacity() || self.widen(1)) {
            self.piece.push(thing);
        } else {
            self.push_on_shelf(thing);
        }
    }

    #[inline]
    fn push_on_shelf(&mut self, thing: T) {
        if self.last.len() == self.last.capacity() {
            self.begin_shelf();
        }
        self.last.push(thing);
        self.shelved += 1;
    }

    #[cold]
    #[inline(never)]
    fn begin_shelf(&mut self) {
        if self.last.capacity() == 0 && self.piece.capacity() == Self::ON_SHELF {
            // Where some things are in a piece and others are not, nobody can predict where one is.
            self.last = std::mem::take(&mut self.piece);
            self.shelved = self.last.len();
            if self.shelved < Self::ON_SHELF {
                return;
            }
        }
        let empty = self.spare.pop();
        let empty = empty.unwrap_or_else(|| Vec::with_capacity(Self::ON_SHELF));
        let full = std::mem::replace(&mut self.last, empty);
        if !full.is_empty() {
            self.shelves.push(full);
        }
    }

    /// Makes a small piece larger, for so many more things. False: it would be no small piece.
    #[cold]
    #[inline(never)]
    fn widen(&mut self, more: usize) -> bool {
        let (len, capacity) = (self.piece.len(), self.piece.capacity());
        let fits = len + more <= Self::ON_SHELF && self.is_one() && self.last.capacity() == 0;
        if fits && len + more > capacity {
            let room = (2 * capacity).max(len + more).max(FIRST);
            self.piece.reserve_exact(room.min(Self::ON_SHELF) - len);
        }
        fits
    }

    #[inline(always)]
    pub(crate) fn get(&self, number: usize) -> Option<&T> {
        match self.piece.get(number) {
            None => {
                let beyond = number - self.piece.len();
                let (shelf, at) = (beyond >> Self::BITS, beyond & (Self::ON_SHELF - 1));
                match self.shelves.get(shelf) {
                    Some(shelf) => shelf.get(at),
                    None if shelf == self.shelves.len() => self.last.get(at),
                    None => None,
                }
            }
            thing => thing,
        }
    }

    #[inline(always)]
    pub(crate) fn get_mut(&mut self, number: usize) -> Option<&mut T> {
        let in_piece = self.piece.len();
        if number < in_piece {
            return self.piece.get_mut(number);
        }
        let (full, beyond) = (self.shelves.len(), number - in_piece);
        let (shelf, at) = (beyond >> Self::BITS, beyond & (Self::ON_SHELF - 1));
        match self.shelves.get_mut(shelf) {
            Some(shelf) => shelf.get_mut(at),
            None if shelf == full => self.last.get_mut(at),
            None => None,
        }
    }

    #[cold]
    #[inline(never)]
    fn beyond(&self, number: usize) -> Option<&T> {
        self.get(number)
    }

    #[cold]
    #[inline(never)]
    fn beyond_mut(&mut self, number: usize) -> Option<&mut T> {
        self.get_mut(number)
    }

    /// Takes out the thing that was added last.
    pub(crate) fn pop(&mut self) -> Option<T> {
        if self.is_one() {
            return self.piece.pop();
        }
        if self.last.is_empty() {
            let full = self.shelves.pop()?;
            self.spare.push(std::mem::replace(&mut self.last, full));
        }
        self.shelved -= 1;
        self.last.pop()
    }

    /// Looks at all things, in the order of their numbers.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &T> {
        let shelved = self.shelves.iter().flatten().chain(&self.last);
        self.piece.iter().chain(shelved)
    }

    /// The same for those who change them.
    pub(crate) fn iter_mut(&mut self) -> impl Iterator<Item = &mut T> {
        let shelved = self.shelves.iter_mut().flatten().chain(&mut self.last);
        self.piece.iter_mut().chain(shelved)
    }

    /// Forgets everything, keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.piece.clear();
        self.last.clear();
        for mut shelf in self.shelves.drain(..) {
            shelf.clear();
            self.spare.push(shelf);
        }
        self.shelved = 0;
    }

    /// Forgets everything. As many things as there were will have room in one piece, unless they are
    /// very many: most searches that run again need about as much as before.
    pub(crate) fn clear_into_one(&mut self) {
        let len = self.len();
        self.clear();
        let room = len.next_power_of_two().min(PIECE / size_of::<T>().max(1));
        if self.piece.capacity() < len && self.piece.capacity() < room {
            self.piece = Vec::new();
            self.piece.reserve_exact(room);
        }
        // What has room in the piece now needs no shelves.
        let needed = len.saturating_sub(self.piece.capacity()) >> Self::BITS;
        let kept = self.spare.len().saturating_sub(AT_ONCE / SHELF).max(needed);
        self.spare.truncate(kept);
    }
}

/// Where things are. Those who have much to do with them say so, and need not ask it each time.
pub(crate) trait Whereabouts {
    /// Whether all things are in one piece, and there is room for what is added.
    const ONE: bool = false;

    #[inline(always)]
    fn len<T>(things: &Shelves<T>) -> usize {
        things.len()
    }
    #[inline(always)]
    fn get<T>(things: &Shelves<T>, number: usize) -> Option<&T> {
        things.get(number)
    }
    #[inline(always)]
    fn get_mut<T>(things: &mut Shelves<T>, number: usize) -> Option<&mut T> {
        things.get_mut(number)
    }
    fn push<T>(things: &mut Shelves<T>, thing: T);
}

/// All things are in one piece, and there is room for what is added.
pub(crate) struct InOne;

impl Whereabouts for InOne {
    const ONE: bool = true;

    #[inline(always)]
    fn len<T>(things: &Shelves<T>) -> usize {
        things.piece.len()
    }
    #[inline(always)]
    fn get<T>(things: &Shelves<T>, number: usize) -> Option<&T> {
        things.piece.get(number)
    }
    #[inline(always)]
    fn get_mut<T>(things: &mut Shelves<T>, number: usize) -> Option<&mut T> {
        things.piece.get_mut(number)
    }
    #[inline(always)]
    fn push<T>(things: &mut Shelves<T>, thing: T) {
        debug_assert!(things.is_one() && things.piece.len() < things.piece.capacity());
        things.piece.push(thing);
    }
}

/// They may be anywhere, and nothing is added to the piece.
pub(crate) struct OnShelves;

impl Whereabouts for OnShelves {
    #[inline(always)]
    fn push<T>(things: &mut Shelves<T>, thing: T) {
        things.push_on_shelf(thing);
    }
}

/// They may be anywhere, and what is added goes wherever there is room.
pub(crate) struct Anywhere;

impl Whereabouts for Anywhere {
    #[inline(always)]
    fn push<T>(things: &mut Shelves<T>, thing: T) {
        things.push(thing);
    }
}

impl<T: Copy> Shelves<T> {
    /// Adds some things, one after the other.
    pub(crate) fn extend(&mut self, things: &[T]) {
        if self.is_one() && self.piece.capacity() - self.piece.len() >= things.len() {
            self.piece.extend_from_slice(things);
        } else {
            things.iter().for_each(|thing| self.push(*thing));
        }
    }
}

impl<T> Index<usize> for Shelves<T> {
    type Output = T;

    #[inline(always)]
    fn index(&self, number: usize) -> &T {
        match self.piece.get(number) {
            Some(thing) => thing,
            None => self.beyond(number).expect("a thing of that number"),
        }
    }
}

impl<T> IndexMut<usize> for Shelves<T> {
    #[inline(always)]
    fn index_mut(&mut self, number: usize) -> &mut T {
        if number < self.piece.len() {
            &mut self.piece[number]
        } else {
            self.beyond_mut(number).expect("a thing of that number")
        }
    }
}
