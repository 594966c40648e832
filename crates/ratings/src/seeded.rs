//! Numbers from a seed (SplitMix64, Steele, Lea and Flood, 2014), the same everywhere.

pub(crate) struct Seeded(u64);

impl Seeded {
    pub(crate) fn new(seed: u64) -> Seeded {
        Seeded(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = self.0;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        word ^ (word >> 31)
    }

    /// A number below another. What a remainder prefers is less than one in a billion for any number
    /// of matches that fits into memory.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        ((u128::from(self.next()) * end as u128) >> 64) as usize
    }

    /// Puts things into any order (Fisher and Yates).
    pub(crate) fn shuffle<T>(&mut self, things: &mut [T]) {
        for end in (1..things.len()).rev() {
            things.swap(end, self.below(end + 1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_order_comes_as_often_as_any() {
        let mut seeded = Seeded::new(7);
        let mut counts = std::collections::BTreeMap::new();
        for _ in 0..6_000 {
            let mut things = [0, 1, 2];
            seeded.shuffle(&mut things);
            *counts.entry(things).or_insert(0) += 1;
        }
        assert_eq!(counts.len(), 6);
        assert!(
            counts.values().all(|count| (850..1_150).contains(count)),
            "{counts:?}"
        );
    }

    #[test]
    fn the_sequence_is_the_published_one() {
        // The first outputs for the seed 1234567, as implementations in many languages list them.
        let mut seeded = Seeded::new(1_234_567);
        assert_eq!(seeded.next(), 6_457_827_717_110_365_317);
        assert_eq!(seeded.next(), 3_203_168_211_198_807_973);
    }
}
