//! An adviser that would rather see something new: what was seen before, but for where others were
//! meanwhile, counts the more the more often it was seen.

use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};

use apprentice_game::{Game, LandmarkId};
use apprentice_search::{Budget, Cost, Heuristic, Promise};

/// Another estimate, which counts more for states that are much like others.
///
/// Where others move, and where things go by the clock, whoever comes somewhere a moment later is in
/// another world. So a search that is led into a dead end tries every way into it at every moment before it
/// leaves. Whoever prefers what is new (as width-based search does) tries each once: states are alike here
/// if the planned character is in the same place, the same landmarks are done, it is about as healthy, and
/// it is hunted by the same enemies; how much of a goal in order was met is not looked at. It promises
/// nothing.
#[derive(Clone, Debug)]
pub(crate) struct Novelty<H> {
    plain: H,
    /// For each sketch of a state, how many states it was seen in.
    seen: BTreeMap<u64, u32>,
    /// For each state, how many had the same sketch that came before: asked again, the answer is the same.
    ranks: BTreeMap<u64, u32>,
}

/// How many states that are alike count as twice as far as the first of them.
const DOUBLES_AFTER: f64 = 4.0;
/// More are not kept in mind, so that it never holds more than a few megabytes.
const MOST_STATES: usize = 1 << 17;
/// Healths by the quarter: more would tell every blow apart.
const ABOUT_AS_HEALTHY: f64 = 25.0;

impl<H> Novelty<H> {
    pub(crate) fn new(plain: H) -> Novelty<H> {
        Novelty {
            plain,
            seen: BTreeMap::new(),
            ranks: BTreeMap::new(),
        }
    }

    /// How many states were met before this one that are like it.
    fn rank<Q: Game>(&mut self, game: &Q, state: &Q::State) -> u32 {
        let mut hash = EverywhereAlike::default();
        game.key(state).hash(&mut hash);
        let hash = hash.finish();
        if self.ranks.len() >= MOST_STATES && !self.ranks.contains_key(&hash) {
            return 0;
        }
        *self.ranks.entry(hash).or_insert_with(|| {
            let count = self.seen.entry(sketch(game, state)).or_insert(0);
            *count += 1;
            *count - 1
        })
    }
}

/// What a state looks like to somebody who does not mind where others are.
fn sketch<Q: Game>(game: &Q, state: &Q::State) -> u64 {
    let mut hash = EverywhereAlike::default();
    let peril = game.peril(state);
    hash.write_u64(game.place(state) as u64);
    hash.write_u64((peril.health / ABOUT_AS_HEALTHY) as u64);
    hash.write_u32(peril.hunters);
    for landmark in (0..game.landmarks().len() as u32).map(LandmarkId::new) {
        hash.write_u8(u8::from(game.is_done(state, landmark)));
    }
    hash.finish()
}

impl<Q: Game, H: Heuristic<Q>> Heuristic<Q> for Novelty<H> {
    fn estimate(&mut self, game: &Q, state: &Q::State) -> Cost {
        let plain = self.plain.estimate(game, state);
        if !plain.is_finite() {
            return plain;
        }
        let rank = self.rank(game, state);
        let times = 1.0 + f64::from(rank) / DOUBLES_AFTER;
        Cost::from_seconds(plain.as_seconds() * times)
    }

    fn promise(&self) -> Promise {
        Promise::None
    }

    fn prepare(&mut self, game: &Q, budget: &mut Budget<'_>) -> bool {
        self.seen.clear();
        self.ranks.clear();
        self.plain.prepare(game, budget)
    }
}

/// A hash of 64 bits that is the same on all machines: searches are to find the same everywhere. After
/// FNV-1a, a word at a time, and mixed in the end.
struct EverywhereAlike(u64);

impl Default for EverywhereAlike {
    fn default() -> EverywhereAlike {
        EverywhereAlike(0xCBF2_9CE4_8422_2325)
    }
}

impl Hasher for EverywhereAlike {
    fn write(&mut self, bytes: &[u8]) {
        for bytes in bytes.chunks(8) {
            let number = bytes
                .iter()
                .rev()
                .fold(0, |all, byte| all << 8 | u64::from(*byte));
            self.write_u64(number);
        }
    }

    fn write_u8(&mut self, number: u8) {
        self.write_u64(u64::from(number));
    }

    fn write_u16(&mut self, number: u16) {
        self.write_u64(u64::from(number));
    }

    fn write_u32(&mut self, number: u32) {
        self.write_u64(u64::from(number));
    }

    fn write_u64(&mut self, number: u64) {
        let mixed = (self.0 ^ number).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.0 = mixed ^ (mixed >> 29);
    }

    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64);
    }

    fn finish(&self) -> u64 {
        let mixed = (self.0 ^ (self.0 >> 32)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        mixed ^ (mixed >> 32)
    }
}
