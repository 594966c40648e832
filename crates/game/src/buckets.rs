//! What comes next in a sweep: places in the order of their costs, to within a bucket.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use apprentice_search::Cost;

/// A queue of places, of which one of the cheapest comes next: those of a bucket in any order.
///
/// Costs that differ only in their last bits share a bucket, and buckets lie in a ring, so that
/// putting a place in and taking it out again takes as long however many there are. What costs so
/// much that it is beyond the ring waits in a heap. After Dial, "Algorithm 360: shortest-path forest
/// with topological ordering" (1969).
#[derive(Clone, Debug)]
pub(crate) struct Buckets {
    /// Costs that are the same without this many bits are in one bucket.
    shift: u32,
    /// The number of the bucket that comes next; no place in the queue costs less.
    current: u64,
    /// The first entry of each bucket of the ring.
    first: Vec<u32>,
    /// A bit for each bucket of the ring: whether there is an entry.
    filled: [u64; RING / 64],
    entries: Vec<Entry>,
    /// Entries that can be used again, each naming the next.
    unused: u32,
    beyond: BinaryHeap<Reverse<(Cost, u32)>>,
}

/// A place in the queue, at a cost.
#[derive(Clone, Copy, Debug)]
struct Entry {
    cost: Cost,
    place: u32,
    /// The next in its bucket.
    next: u32,
}

const NONE: u32 = u32::MAX;

/// Buckets in the ring: with one for the least step, those that count some hundred times as much are
/// within it, and it still fits the nearest cache.
pub(crate) const RING: usize = 1024;

impl Buckets {
    /// An empty queue whose buckets are about as wide as this.
    pub(crate) fn of_width(width: Cost) -> Buckets {
        Buckets {
            shift: width.ticks().max(1).ilog2(),
            current: 0,
            first: vec![NONE; RING],
            filled: [0; RING / 64],
            entries: Vec::new(),
            unused: NONE,
            beyond: BinaryHeap::new(),
        }
    }

    /// Puts a place in that costs at least as much as whatever was taken out last.
    #[inline]
    pub(crate) fn push(&mut self, cost: Cost, place: u32) {
        let bucket = cost.ticks() >> self.shift;
        debug_assert!(bucket >= self.current, "costs only ever grow");
        if bucket - self.current >= RING as u64 {
            self.beyond.push(Reverse((cost, place)));
            return;
        }
        let slot = bucket as usize % RING;
        let entry = Entry {
            cost,
            place,
            next: self.first[slot],
        };
        self.filled[slot / 64] |= 1 << (slot % 64);
        if self.unused == NONE {
            self.first[slot] = self.entries.len() as u32;
            self.entries.push(entry);
        } else {
            self.first[slot] = self.unused;
            let kept = &mut self.entries[self.unused as usize];
            self.unused = kept.next;
            *kept = entry;
        }
    }

    /// The place that comes next, and its cost.
    #[inline]
    pub(crate) fn peek(&mut self) -> Option<(Cost, u32)> {
        let mut first = self.first[self.current as usize % RING];
        if first == NONE {
            self.advance()?;
            first = self.first[self.current as usize % RING];
        }
        let entry = self.entries[first as usize];
        Some((entry.cost, entry.place))
    }

    /// Takes out what [`peek`](Buckets::peek) has shown.
    #[inline]
    pub(crate) fn pop(&mut self) {
        let slot = self.current as usize % RING;
        let first = self.first[slot];
        let Some(entry) = self.entries.get_mut(first as usize) else {
            return;
        };
        self.first[slot] = entry.next;
        entry.next = self.unused;
        self.unused = first;
        if self.first[slot] == NONE {
            self.filled[slot / 64] &= !(1 << (slot % 64));
        }
    }

    /// Goes on to the next bucket that is not empty.
    fn advance(&mut self) -> Option<()> {
        match self.next_filled() {
            Some(ahead) => self.current += ahead,
            None => {
                let Reverse((cost, _)) = self.beyond.peek()?;
                self.current = cost.ticks() >> self.shift;
            }
        }
        // Whatever the ring has come to is no longer beyond it.
        while let Some(Reverse((cost, place))) = self.beyond.peek().copied() {
            if (cost.ticks() >> self.shift) - self.current >= RING as u64 {
                break;
            }
            self.beyond.pop();
            self.push(cost, place);
        }
        Some(())
    }

    /// How many buckets ahead the next one is that is not empty.
    fn next_filled(&self) -> Option<u64> {
        let slot = self.current as usize % RING;
        let (word, bit) = (slot / 64, slot % 64);
        let words = self.filled.len();
        // The first word comes again at the end, with the bits before this bucket's.
        for ahead in 0..=words {
            let mut bits = self.filled[(word + ahead) % words];
            if ahead == 0 {
                bits &= u64::MAX << bit;
            }
            if bits != 0 {
                let found = ahead * 64 + bits.trailing_zeros() as usize;
                return Some((found - bit) as u64);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Puts places in and takes them out, as a sweep would; they come out in the order of buckets.
    fn check(width: u64, seeds: &[u64], steps: &[u64]) {
        let mut queue = Buckets::of_width(Cost::from_ticks(width));
        let mut heap = BinaryHeap::new();
        for (place, ticks) in seeds.iter().enumerate() {
            queue.push(Cost::from_ticks(*ticks), place as u32);
            heap.push(Reverse(*ticks));
        }
        let (mut taken, mut expected) = (Vec::new(), Vec::new());
        let mut more = steps.iter();
        while let Some((cost, _)) = queue.peek() {
            queue.pop();
            taken.push(cost.ticks());
            expected.extend(heap.pop().map(|Reverse(least)| least));
            if let Some(step) = more.next() {
                let next = cost.ticks() + step;
                queue.push(Cost::from_ticks(next), 0);
                heap.push(Reverse(next));
            }
        }
        assert!(heap.is_empty());
        let shift = width.ilog2();
        let bucket = |ticks: &u64| ticks >> shift;
        assert!(taken.is_sorted_by_key(bucket), "{taken:?}");
        taken.sort_unstable();
        expected.sort_unstable();
        if steps
            .iter()
            .all(|step| step % width.next_power_of_two() == 0)
        {
            assert_eq!(taken, expected);
        }
        assert_eq!(taken.len(), seeds.len() + steps.len());
    }

    #[test]
    fn places_come_out_in_the_order_of_their_buckets() {
        check(8, &[0, 3, 5, 900], &[8, 16, 24, 8]);
        // Around the ring, and beyond it.
        check(4, &[0, 1 << 20, 1 << 40], &[4 * 1023, 4 * 1024, 1 << 30, 4]);
        check(1, &[7], &[1023; 50]);
        check(1 << 30, &[5, 5, 5], &[0, 0, 1 << 30]);
    }

    #[test]
    fn entries_are_used_again() {
        let mut queue = Buckets::of_width(Cost::from_ticks(4));
        queue.push(Cost::from_ticks(3), 1);
        queue.push(Cost::from_ticks(9), 2);
        for _ in 0..10_000 {
            let (cost, place) = queue.peek().unwrap();
            queue.pop();
            queue.push(cost + Cost::from_ticks(5), place);
        }
        assert_eq!(queue.entries.len(), 2);
    }
}
