//! Numbers from a seed, the same on every machine (SplitMix64).

/// A source of numbers that look like chance and are always the same for a seed.
///
/// ```
/// use apprentice_playstyle::Dice;
///
/// assert_eq!(Dice::new(1).below(6), Dice::new(1).below(6));
/// ```
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    /// Dice that always fall the same for this seed.
    pub fn new(seed: u64) -> Dice {
        Dice(seed)
    }

    /// Any number.
    pub fn number(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number from 0 up to, but not including, `end`; 0 if `end` is 0.
    pub fn below(&mut self, end: usize) -> usize {
        // The upper half of a product: every number is as likely as any other, to within 2⁻⁶⁴ · end.
        ((u128::from(self.number()) * end as u128) >> 64) as usize
    }

    /// A number from 0 up to, but not including, 1.
    pub fn unit(&mut self) -> f64 {
        (self.number() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Puts things into an order by chance.
    pub fn shuffle<T>(&mut self, things: &mut [T]) {
        for end in (1..things.len()).rev() {
            things.swap(end, self.below(end + 1));
        }
    }
}
