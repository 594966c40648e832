//! A set of small numbers: who is awake, who lives, whom somebody ignores.

/// A set of small numbers. The numbers below 64, which is all that most levels need, take a machine
/// word; only what is beyond asks for memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct NumberSet {
    first: u64,
    more: Vec<u64>,
}

impl NumberSet {
    #[inline]
    pub(crate) fn insert(&mut self, number: usize) {
        if number < 64 {
            self.first |= 1 << number;
        } else {
            self.insert_beyond(number);
        }
    }

    #[cold]
    fn insert_beyond(&mut self, number: usize) {
        let word = number / 64 - 1;
        if self.more.len() <= word {
            self.more.resize(word + 1, 0);
        }
        self.more[word] |= 1 << (number % 64);
    }

    #[inline]
    pub(crate) fn contains(&self, number: usize) -> bool {
        let word = match number / 64 {
            0 => self.first,
            word => self.more.get(word - 1).copied().unwrap_or(0),
        };
        word >> (number % 64) & 1 == 1
    }

    #[inline]
    pub(crate) fn len(&self) -> u64 {
        let more = self.more.iter().map(|word| word.count_ones());
        u64::from(self.first.count_ones() + more.sum::<u32>())
    }

    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.first == 0 && self.more.iter().all(|word| *word == 0)
    }

    /// In ascending order.
    #[inline]
    pub(crate) fn iter(&self) -> Members<'_> {
        Members {
            word: self.first,
            from: 0,
            more: &self.more,
        }
    }

    /// The numbers, 64 to a word; at least one word, and the last of several is never empty.
    pub(crate) fn words(&self) -> impl Iterator<Item = u64> + '_ {
        std::iter::once(self.first).chain(self.more.iter().copied())
    }
}

impl<'s> IntoIterator for &'s NumberSet {
    type Item = usize;
    type IntoIter = Members<'s>;

    #[inline]
    fn into_iter(self) -> Members<'s> {
        self.iter()
    }
}

/// The numbers of a set, in ascending order.
pub(crate) struct Members<'s> {
    word: u64,
    from: usize,
    more: &'s [u64],
}

impl Iterator for Members<'_> {
    type Item = usize;

    #[inline]
    fn next(&mut self) -> Option<usize> {
        while self.word == 0 {
            let (word, more) = self.more.split_first()?;
            (self.word, self.more) = (*word, more);
            self.from += 64;
        }
        let number = self.from + self.word.trailing_zeros() as usize;
        self.word &= self.word - 1;
        Some(number)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    /// A set of ours is the set of the standard library.
    #[test]
    fn numbers_of_any_size_are_kept_in_order() {
        let mut dice = 7_u64;
        for most in [5, 64, 65, 300] {
            let (mut set, mut known) = (NumberSet::default(), BTreeSet::new());
            for _ in 0..40 {
                dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let number = (dice >> 33) as usize % most;
                set.insert(number);
                known.insert(number);
                assert!(set.iter().eq(known.iter().copied()), "{set:?}");
                assert_eq!(set.len(), known.len() as u64);
                assert!(!set.is_empty() && !set.contains(most));
                assert!((0..most).all(|one| set.contains(one) == known.contains(&one)));
            }
        }
        assert!(NumberSet::default().is_empty());
    }
}
