//! Facts as numbers, and states as sets of such numbers that can be taken back.

use super::super::FxHashMap;

/// The number of a fact.
pub(crate) type Fact = u32;
/// The number of an object.
pub(crate) type Thing = u32;

/// Every fact met so far. Facts that never change are among them.
#[derive(Clone, Default)]
pub(crate) struct Facts {
    objects: u128,
    numbers: FxHashMap<u128, Fact>,
    places: Vec<(u32, u32)>,
    arguments: Vec<Thing>,
    predicates: Vec<Index>,
}

/// The facts of one predicate: all, and by the object at each position.
#[derive(Clone, Default)]
struct Index {
    all: Vec<Fact>,
    by_argument: Vec<Vec<Vec<Fact>>>,
}

impl Facts {
    pub(crate) fn new(objects: usize, arities: &[usize]) -> Self {
        Self {
            objects: objects as u128 + 1,
            predicates: arities
                .iter()
                .map(|arity| Index {
                    all: Vec::new(),
                    by_argument: vec![vec![Vec::new(); objects]; *arity],
                })
                .collect(),
            ..Self::default()
        }
    }

    /// Whether facts of this many arguments fit the keys.
    pub(crate) fn fits(objects: usize, predicates: usize, arity: usize) -> bool {
        let mut largest = predicates as u128 + 1;
        (0..arity).all(|_| match largest.checked_mul(objects as u128 + 1) {
            Some(product) => {
                largest = product;
                true
            }
            None => false,
        })
    }

    fn key(&self, predicate: usize, arguments: impl Iterator<Item = Thing>) -> u128 {
        // No digit is zero, so facts with more arguments never share a key with those with fewer.
        let digits = arguments.fold(0, |key, object| key * self.objects + u128::from(object) + 1);
        digits * self.predicates.len() as u128 + predicate as u128
    }

    /// The number of a fact, if it was met.
    pub(crate) fn find(
        &self,
        predicate: usize,
        arguments: impl Iterator<Item = Thing>,
    ) -> Option<Fact> {
        self.numbers.get(&self.key(predicate, arguments)).copied()
    }

    /// The number of a fact, which is met now if it was not before.
    pub(crate) fn meet(&mut self, predicate: usize, arguments: &[Thing]) -> Fact {
        let key = self.key(predicate, arguments.iter().copied());
        let next = self.places.len() as Fact;
        let fact = *self.numbers.entry(key).or_insert(next);
        if fact == next {
            self.places
                .push((predicate as u32, self.arguments.len() as u32));
            self.arguments.extend_from_slice(arguments);
            let index = &mut self.predicates[predicate];
            index.all.push(fact);
            for (position, object) in arguments.iter().enumerate() {
                index.by_argument[position][*object as usize].push(fact);
            }
        }
        fact
    }

    pub(crate) fn len(&self) -> usize {
        self.places.len()
    }

    pub(crate) fn predicate(&self, fact: Fact) -> usize {
        self.places[fact as usize].0 as usize
    }

    pub(crate) fn argument(&self, fact: Fact, position: usize) -> Thing {
        self.arguments[self.places[fact as usize].1 as usize + position]
    }

    /// All facts of a predicate.
    pub(crate) fn of(&self, predicate: usize) -> &[Fact] {
        &self.predicates[predicate].all
    }

    /// The facts of a predicate with this object at this position.
    pub(crate) fn with(&self, predicate: usize, position: usize, object: Thing) -> &[Fact] {
        &self.predicates[predicate].by_argument[position][object as usize]
    }
}

/// Which facts are true, with a trail by which changes are taken back.
#[derive(Clone, Default)]
pub(crate) struct State {
    bits: Vec<u64>,
    trail: Vec<Fact>,
    /// Changes with every fact that changes; equal for equal states.
    pub(crate) hash: u128,
}

impl State {
    pub(crate) fn holds(&self, fact: Fact) -> bool {
        self.bits
            .get(fact as usize / 64)
            .is_some_and(|word| word >> (fact % 64) & 1 == 1)
    }

    pub(crate) fn set(&mut self, fact: Fact, becomes: bool) {
        if self.holds(fact) != becomes {
            self.turn(fact);
            self.trail.push(fact);
        }
    }

    fn turn(&mut self, fact: Fact) {
        let word = fact as usize / 64;
        if self.bits.len() <= word {
            self.bits.resize(word + 1, 0);
        }
        self.bits[word] ^= 1 << (fact % 64);
        self.hash ^= scatter(u64::from(fact));
    }

    /// How much has changed since the beginning.
    pub(crate) fn mark(&self) -> usize {
        self.trail.len()
    }

    /// Takes back all changes after a mark.
    pub(crate) fn undo(&mut self, mark: usize) {
        while self.trail.len() > mark {
            if let Some(fact) = self.trail.pop() {
                self.turn(fact);
            }
        }
    }
}

/// Spreads a number over 128 bits (the finaliser of SplitMix64, twice).
pub(crate) fn scatter(number: u64) -> u128 {
    let half = |seed: u64| {
        let mut z = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    };
    let low = half(number.wrapping_mul(2));
    let high = half(number.wrapping_mul(2).wrapping_add(0x5851_F42D_4C95_7F2D));
    u128::from(high) << 64 | u128::from(low)
}
