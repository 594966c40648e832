//! A number that sums up many numbers, the same on every machine.

/// The 64-bit FNV-1a hash, finished by one more round of mixing.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Digest(u64);

impl Digest {
    pub(crate) const fn new() -> Digest {
        Digest(0xCBF2_9CE4_8422_2325)
    }

    pub(crate) fn number(&mut self, number: u64) {
        for byte in number.to_le_bytes() {
            self.byte(byte);
        }
    }

    /// A real number by its bits; equal numbers count the same.
    pub(crate) fn real(&mut self, real: f64) {
        // Adding nothing makes -0 the 0 it is equal to.
        self.number((real + 0.0).to_bits());
    }

    pub(crate) fn text(&mut self, text: &str) {
        text.bytes().for_each(|byte| self.byte(byte));
        // Separates it from the next.
        self.byte(0xFF);
    }

    pub(crate) fn value(self) -> u64 {
        let mixed = (self.0 ^ self.0 >> 32).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        mixed ^ mixed >> 29
    }

    fn byte(&mut self, byte: u8) {
        self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
    }
}
