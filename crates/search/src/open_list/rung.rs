//! A rung of the ladder: a stretch of positions cut into equal buckets.

use super::Far;
use super::pile::{Sheaves, make_room, move_last, put_by};

/// Buckets in a rung.
const BUCKETS: usize = 256;

/// A stretch of positions cut into equal buckets.
#[derive(Debug)]
pub(super) struct Rung<F> {
    start: u64,
    /// The first position beyond.
    pub(super) end: u64,
    /// A bucket is 2^shift positions wide.
    shift: u32,
    /// The first bucket that was not emptied yet.
    next: usize,
    /// The last sheaf of each bucket, which keeps its memory.
    buckets: Box<[Vec<F>; BUCKETS]>,
    /// The others, which are full, with the number of their bucket.
    full: Vec<(usize, Vec<F>)>,
}

impl<F: Far> Rung<F> {
    pub(super) fn new() -> Self {
        let buckets = Box::new([const { Vec::new() }; BUCKETS]);
        Rung {
            start: 0,
            end: 0,
            shift: 0,
            next: 0,
            buckets,
            full: Vec::new(),
        }
    }

    /// Covers `lowest..end`, with buckets fit to spread what lies in `lowest..=highest`. The last
    /// bucket takes all the rest.
    pub(super) fn cover(&mut self, lowest: u64, highest: u64, end: u64) {
        let bits = u64::BITS - (highest - lowest).leading_zeros();
        self.shift = bits.saturating_sub(BUCKETS.trailing_zeros());
        (self.start, self.end) = (lowest, end);
        self.next = 0;
    }

    #[inline]
    pub(super) fn push(&mut self, far: F, position: u64, spare: &mut Sheaves<F>) {
        let bucket = ((position - self.start) >> self.shift).min(BUCKETS as u64 - 1) as usize;
        let sheaf = &mut self.buckets[bucket];
        if sheaf.len() == sheaf.capacity()
            && let Some(full) = make_room(sheaf, spare)
        {
            self.full.push((bucket, full));
        }
        sheaf.push(far);
    }

    pub(super) fn push_all(&mut self, contents: &[F], spare: &mut Sheaves<F>) {
        for far in contents {
            self.push(*far, far.position(), spare);
        }
    }

    /// The next bucket that holds something. Nothing is pushed into those before it any more.
    pub(super) fn next(&mut self) -> Option<usize> {
        let next = (self.next..BUCKETS).find(|bucket| !self.buckets[*bucket].is_empty())?;
        self.next = next + 1;
        Some(next)
    }

    /// Takes the entries out of a bucket, if they are no more than a sheaf. It wants the memory back.
    /// Otherwise they go to where the others are.
    pub(super) fn take(
        &mut self,
        bucket: usize,
        others: &mut Sheaves<F>,
        spare: &mut Sheaves<F>,
    ) -> Option<Vec<F>> {
        if !self.full.is_empty() {
            let full = self.full.extract_if(.., |(of, _)| *of == bucket);
            others.extend(full.map(|(_, sheaf)| sheaf));
        }
        let last = &mut self.buckets[bucket];
        if others.is_empty() {
            return Some(std::mem::take(last));
        }
        move_last(last, others, spare);
        None
    }

    /// Keeps the memory of an empty sheaf for the bucket it comes from.
    pub(super) fn keep(&mut self, bucket: usize, sheaf: Vec<F>) {
        self.buckets[bucket] = sheaf;
    }

    /// The sheaves of buckets that were not opened yet.
    pub(super) fn sheaves(&mut self) -> impl Iterator<Item = &mut Vec<F>> {
        let full = self.full.iter_mut().map(|(_, sheaf)| sheaf);
        full.chain(&mut self.buckets[self.next..])
    }

    /// Forgets all entries, keeps the memory.
    pub(super) fn clear(&mut self, spare: &mut Sheaves<F>) {
        self.buckets.iter_mut().for_each(Vec::clear);
        let full = self.full.drain(..);
        full.for_each(|(_, sheaf)| put_by(sheaf, spare));
    }

    /// The first position beyond a bucket.
    pub(super) fn end_of(&self, bucket: usize) -> u64 {
        if bucket == BUCKETS - 1 {
            return self.end;
        }
        self.start
            .saturating_add((bucket as u64 + 1) << self.shift)
            .min(self.end)
    }
}
