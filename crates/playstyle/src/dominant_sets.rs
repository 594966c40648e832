//! Finds groups in which everybody is alike: dominant sets, after Pavan & Pelillo 2003.

use crate::Dice;

/// How alike each two of some things are: symmetric, not below 0, and nothing is compared with itself.
#[derive(Clone, Debug)]
pub struct Similarities {
    count: usize,
    values: Vec<f64>,
}

impl Similarities {
    /// Asks for each pair once.
    pub fn of(count: usize, mut similarity: impl FnMut(usize, usize) -> f64) -> Similarities {
        let mut values = vec![0.0; count * count];
        for one in 0..count {
            for other in 0..one {
                let value = similarity(one, other).max(0.0);
                values[one * count + other] = value;
                values[other * count + one] = value;
            }
        }
        Similarities { count, values }
    }

    /// How many things there are.
    pub fn count(&self) -> usize {
        self.count
    }

    /// How alike two of them are; 0 for one and itself.
    pub fn of_pair(&self, one: usize, other: usize) -> f64 {
        self.values[one * self.count + other]
    }
}

/// When to stop looking for further groups.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Peeling {
    /// If no two of the rest are more alike than this, each is a group of its own.
    pub least_similarity: f64,
    /// If those who are left hold together less than this, they belong to no group.
    pub least_cohesion: f64,
    /// Whoever takes part less than this share of whoever takes part most is no member.
    pub least_participation: f64,
    /// A seed, to begin beside the middle: ties that the exact middle keeps are broken then.
    pub perturbed_by: Option<u64>,
}

impl Default for Peeling {
    fn default() -> Peeling {
        Peeling {
            least_similarity: 0.05,
            least_cohesion: 0.1,
            least_participation: 1e-4,
            perturbed_by: None,
        }
    }
}

/// A group in which everybody is alike, and unlike the others.
#[derive(Clone, Debug, PartialEq)]
pub struct DominantSet {
    /// Who belongs to it, in the order in which they came.
    pub members: Vec<usize>,
    /// How well each of them fits; adds up to 1.
    pub participation: Vec<f64>,
    /// How well all of them hold together: xᵀAx.
    pub cohesion: f64,
}

/// All groups, and whoever belongs to none.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Clusters {
    /// The groups, the one that holds together best for its size first.
    pub sets: Vec<DominantSet>,
    /// Whoever belongs to none.
    pub unclassified: Vec<usize>,
}

/// Peels one dominant set after the other off what is left.
///
/// ```
/// use apprentice_playstyle::{Peeling, Similarities, dominant_sets};
///
/// let alike = Similarities::of(4, |one, other| if one.max(other) < 3 { 0.9 } else { 0.1 });
/// let clusters = dominant_sets(&alike, &Peeling::default());
/// assert_eq!(clusters.sets[0].members, [0, 1, 2]);
/// assert!((clusters.sets[0].cohesion - 0.6).abs() < 1e-9);
/// ```
pub fn dominant_sets(similarities: &Similarities, peeling: &Peeling) -> Clusters {
    let mut clusters = Clusters::default();
    let mut remaining: Vec<usize> = (0..similarities.count).collect();
    while !remaining.is_empty() {
        let most_alike = remaining.iter().flat_map(|one| {
            let others = remaining.iter();
            others.map(|other| similarities.of_pair(*one, *other))
        });
        let most_alike = most_alike.fold(0.0, f64::max);
        if remaining.len() == 1 || most_alike <= peeling.least_similarity {
            clusters
                .sets
                .extend(remaining.iter().map(|alone| DominantSet {
                    members: vec![*alone],
                    participation: vec![1.0],
                    cohesion: 0.0,
                }));
            break;
        }
        let set = strongest(similarities, &remaining, peeling);
        if set.cohesion < peeling.least_cohesion {
            clusters.unclassified = remaining;
            break;
        }
        remaining.retain(|one| set.members.binary_search(one).is_err());
        clusters.sets.push(set);
    }
    clusters
}

/// Replicator dynamics end when a round changes less than this.
const STILL: f64 = 1e-10;

/// Rounds at most.
const ROUNDS: usize = 10_000;

/// Whoever takes part less than this is left out of further rounds: so much less than what makes a
/// member that it could not come back, and if it could, it is asked again at the end.
const FADED: f64 = 1e-12;

/// The dominant set that replicator dynamics find from the middle.
fn strongest(similarities: &Similarities, remaining: &[usize], peeling: &Peeling) -> DominantSet {
    let mut dice = peeling.perturbed_by.map(Dice::new);
    let mut shares: Vec<f64> = remaining
        .iter()
        .map(|_| 1.0 + dice.as_mut().map_or(0.0, |dice| dice.unit() * 1e-6))
        .collect();
    normalise(&mut shares);
    let mut rounds = 0;
    let mut alive: Vec<usize> = (0..remaining.len()).collect();
    loop {
        run(
            similarities,
            remaining,
            &mut alive,
            &mut shares,
            &mut rounds,
        );
        if rounds >= ROUNDS || !revive(similarities, remaining, &mut alive, &mut shares) {
            break;
        }
    }
    let most = shares.iter().copied().fold(0.0, f64::max);
    let kept: Vec<usize> = (0..remaining.len())
        .filter(|one| shares[*one] > peeling.least_participation * most)
        .collect();
    let mut participation: Vec<f64> = kept.iter().map(|one| shares[*one]).collect();
    normalise(&mut participation);
    let members: Vec<usize> = kept.iter().map(|one| remaining[*one]).collect();
    let cohesion = cohesion_of(similarities, &members, &participation);
    DominantSet {
        members,
        participation,
        cohesion,
    }
}

/// xᵀAx: how alike two members are on average, each taken as often as it takes part.
pub(crate) fn cohesion_of(similarities: &Similarities, members: &[usize], shares: &[f64]) -> f64 {
    let pairs = members.iter().zip(shares);
    let sums = pairs.map(|(one, share)| {
        let others = members.iter().zip(shares);
        let alike = others.map(|(other, theirs)| similarities.of_pair(*one, *other) * theirs);
        share * alike.sum::<f64>()
    });
    sums.sum()
}

/// Rounds of replicator dynamics, x ← x ∘ (Ax) / xᵀAx, among those who are alive.
fn run(
    similarities: &Similarities,
    remaining: &[usize],
    alive: &mut Vec<usize>,
    shares: &mut [f64],
    rounds: &mut usize,
) {
    let mut compact: Vec<f64> = Vec::new();
    let mut rows: Vec<f64> = Vec::new();
    let mut gather = true;
    while *rounds < ROUNDS {
        *rounds += 1;
        if gather {
            // The rows of those who are alive, side by side: a round reads nothing else.
            rows.clear();
            for one in alive.iter() {
                let row = &similarities.values[remaining[*one] * similarities.count..];
                rows.extend(alive.iter().map(|other| row[remaining[*other]]));
            }
            compact = alive.iter().map(|one| shares[*one]).collect();
            gather = false;
        }
        let fitness: Vec<f64> = rows
            .chunks_exact(alive.len())
            .map(|row| product(row, &compact))
            .collect();
        let mean = product(&fitness, &compact);
        if mean <= 0.0 {
            break;
        }
        let mut change = 0.0;
        for (share, fitness) in compact.iter_mut().zip(&fitness) {
            let next = *share * fitness / mean;
            change += (next - *share).abs();
            *share = next;
        }
        // Rounding must not add up over ten thousand rounds.
        normalise(&mut compact);
        if change < STILL {
            break;
        }
        let most = compact.iter().copied().fold(0.0, f64::max);
        if compact.iter().any(|share| *share < FADED * most) {
            for (one, share) in alive.iter().zip(&compact) {
                shares[*one] = *share;
            }
            alive.retain(|one| {
                let lives = shares[*one] >= FADED * most;
                if !lives {
                    shares[*one] = 0.0;
                }
                lives
            });
            gather = true;
        }
    }
    if !gather {
        for (one, share) in alive.iter().zip(&compact) {
            shares[*one] = *share;
        }
    }
    normalise(shares);
}

/// Takes those back in who would grow among those who were left; whether there are any.
fn revive(
    similarities: &Similarities,
    remaining: &[usize],
    alive: &mut Vec<usize>,
    shares: &mut [f64],
) -> bool {
    let members: Vec<usize> = alive.iter().map(|one| remaining[*one]).collect();
    let theirs: Vec<f64> = alive.iter().map(|one| shares[*one]).collect();
    let cohesion = cohesion_of(similarities, &members, &theirs);
    let others = (0..remaining.len()).filter(|one| alive.binary_search(one).is_err());
    let wrongly_left_out: Vec<usize> = others
        .filter(|one| {
            let pairs = members.iter().zip(&theirs);
            let alike: f64 = pairs
                .map(|(other, share)| similarities.of_pair(remaining[*one], *other) * share)
                .sum();
            alike > cohesion * (1.0 + 1e-9)
        })
        .collect();
    for one in &wrongly_left_out {
        shares[*one] = 1e-6;
    }
    alive.extend(&wrongly_left_out);
    alive.sort_unstable();
    normalise(shares);
    !wrongly_left_out.is_empty()
}

/// Eight sums side by side, always added up in the same order.
fn product(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; 8];
    let (chunks, others) = (a.chunks_exact(8), b.chunks_exact(8));
    let rest: f64 = {
        let pairs = chunks.remainder().iter().zip(others.remainder());
        pairs.map(|(a, b)| a * b).sum()
    };
    for (a, b) in chunks.zip(others) {
        for lane in 0..8 {
            sums[lane] += a[lane] * b[lane];
        }
    }
    sums.iter().sum::<f64>() + rest
}

fn normalise(shares: &mut [f64]) {
    let sum: f64 = shares.iter().sum();
    if sum > 0.0 {
        for share in shares {
            *share /= sum;
        }
    }
}
