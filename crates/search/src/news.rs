//! What advisers have yet to hear of: a queue, of which each of them has read a part.

use std::collections::VecDeque;

/// The news, numbered from the first there ever was. What everybody has read is dropped, some at a
/// time, and nothing moves.
pub(crate) struct News<T> {
    /// Full ones, the oldest first, and the one that is being filled.
    pages: VecDeque<Vec<T>>,
    last: Vec<T>,
    /// The number of the oldest that is kept, and of the next there will be.
    start: usize,
    end: usize,
    /// Empty pages, which keep their memory.
    spare: Vec<Vec<T>>,
}

/// News on a page.
const PAGE: usize = 512;
/// There is room for so many at first.
const FIRST: usize = 4;

impl<T> News<T> {
    pub(crate) const fn new() -> Self {
        News {
            pages: VecDeque::new(),
            last: Vec::new(),
            start: 0,
            end: 0,
            spare: Vec::new(),
        }
    }

    /// The number of the next there will be.
    #[inline]
    pub(crate) fn end(&self) -> usize {
        self.end
    }

    /// How many are kept.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.end - self.start
    }

    #[inline]
    pub(crate) fn push(&mut self, news: T) {
        if self.last.len() == self.last.capacity() {
            self.make_room();
        }
        self.last.push(news);
        self.end += 1;
    }

    #[cold]
    #[inline(never)]
    fn make_room(&mut self) {
        let len = self.last.len();
        if len < PAGE {
            self.last.reserve_exact(len.clamp(FIRST, PAGE));
        } else {
            let empty = self.spare.pop();
            let empty = empty.unwrap_or_else(|| Vec::with_capacity(PAGE));
            let full = std::mem::replace(&mut self.last, empty);
            self.pages.push_back(full);
        }
    }

    /// The news from a number on, as far as they are on one page.
    #[inline]
    pub(crate) fn from(&self, number: usize) -> &[T] {
        let beyond = number - self.start;
        let page = self.pages.get(beyond / PAGE).unwrap_or(&self.last);
        page.get(beyond % PAGE..).unwrap_or(&[])
    }

    /// Drops pages that lie wholly before a number.
    pub(crate) fn drop_before(&mut self, number: usize) {
        while number - self.start >= PAGE
            && let Some(mut page) = self.pages.pop_front()
        {
            page.clear();
            self.spare.push(page);
            self.start += PAGE;
        }
    }

    /// Forgets everything, keeps the memory.
    pub(crate) fn clear(&mut self) {
        for mut page in self.pages.drain(..) {
            page.clear();
            self.spare.push(page);
        }
        self.last.clear();
        (self.start, self.end) = (0, 0);
    }
}
