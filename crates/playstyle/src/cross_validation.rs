//! How well labels of plays are told from their beginnings, by plays that were not learned from.

use std::collections::BTreeMap;

use crate::{Activity, Dice, Gram, Growing, Histogram, Playstyles, Recogniser, TooFewPlays};

/// What tells the label of a play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// A [`Recogniser`].
    Recogniser(Growing),
    /// The formula of the dissertation alone: likeness of n-grams, by [`Playstyles::classify`].
    Formula,
    /// What others would try first: the seven plays whose n-grams, weighed by rarity, point most nearly
    /// the same way.
    Neighbours,
}

/// Labels that were told right.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Told {
    /// So many were.
    pub right: usize,
    /// Of so many.
    pub plays: usize,
}

impl Told {
    /// Which share that is, from 0 to 1.
    pub fn accuracy(self) -> f64 {
        self.right as f64 / self.plays.max(1) as f64
    }
}

/// Parts plays into `folds` parts, by a seed; learns from all parts but one and tells the labels of that
/// one, by what was done until an age in seconds. So every play is told once, by others.
///
/// Plays that are learned from are cut at the same age. Without a label, plays are not told.
pub fn cross_validate(
    plays: &[Activity],
    method: Method,
    age: f64,
    folds: usize,
    seed: u64,
) -> Result<Told, TooFewPlays> {
    let mut order: Vec<usize> = (0..plays.len()).collect();
    Dice::new(seed).shuffle(&mut order);
    let mut told = Told::default();
    for fold in 0..folds.min(plays.len()) {
        let is_told = |place: usize| place % folds == fold;
        let part = |wanted: bool| {
            let places = order.iter().enumerate();
            let fitting = places.filter(move |(place, _)| is_told(*place) == wanted);
            fitting.map(|(_, play)| plays[*play].clone())
        };
        let learned: Vec<Activity> = part(false).collect();
        let asked: Vec<Activity> = part(true).map(|play| play.until(age)).collect();
        let answers = answers(&learned, &asked, method, age)?;
        for (play, answer) in asked.iter().zip(answers) {
            told.plays += 1;
            told.right += usize::from(play.label.as_deref() == Some(answer.as_str()));
        }
    }
    Ok(told)
}

/// What a method says about each of some plays.
fn answers(
    learned: &[Activity],
    asked: &[Activity],
    method: Method,
    age: f64,
) -> Result<Vec<String>, TooFewPlays> {
    let name = |styles: &Playstyles, class: usize| styles.classes()[class].name.clone();
    match method {
        Method::Recogniser(growing) => {
            let styles = Playstyles::learn_labelled(learned)?;
            let recogniser = Recogniser::growing(styles, growing).as_of(age);
            let verdicts = asked.iter().map(|play| recogniser.classify(play).class);
            Ok(verdicts
                .map(|class| name(recogniser.styles(), class))
                .collect())
        }
        Method::Formula => {
            let cut: Vec<Activity> = learned.iter().map(|play| play.until(age)).collect();
            let styles = Playstyles::learn_labelled(&cut)?;
            let verdicts = asked.iter().map(|play| styles.classify(play).class);
            Ok(verdicts.map(|class| name(&styles, class)).collect())
        }
        Method::Neighbours => {
            let cut: Vec<Activity> = learned.iter().map(|play| play.until(age)).collect();
            Ok(by_neighbours(&Playstyles::learn_labelled(&cut)?, asked))
        }
    }
}

/// So many of the nearest plays have a vote.
const VOTERS: usize = 7;

fn by_neighbours(styles: &Playstyles, asked: &[Activity]) -> Vec<String> {
    let plays = styles.plays();
    let histograms = (0..plays.len()).map(|play| Histogram::of(styles.numbers_of_play(play)));
    let histograms: Vec<Histogram> = histograms.collect();
    let mut containing: BTreeMap<Gram, f64> = BTreeMap::new();
    for (gram, _) in histograms.iter().flat_map(|histogram| histogram.counts()) {
        *containing.entry(*gram).or_default() += 1.0;
    }
    let count = plays.len() as f64;
    // Term frequency times inverse document frequency, smoothed as is usual, of length 1.
    let direction = |histogram: &Histogram| -> Vec<(Gram, f64)> {
        let known = histogram.counts().iter();
        let mut weights: Vec<(Gram, f64)> = known
            .filter_map(|(gram, times)| {
                let containing = containing.get(gram)?;
                let rarity = crate::exactly::ln((1.0 + count) / (1.0 + containing)) + 1.0;
                Some((*gram, f64::from(*times) * rarity))
            })
            .collect();
        let length = weights.iter().map(|(_, it)| it * it).sum::<f64>().sqrt();
        for (_, weight) in &mut weights {
            *weight /= length.max(f64::MIN_POSITIVE);
        }
        weights
    };
    let directions: Vec<Vec<(Gram, f64)>> = histograms.iter().map(direction).collect();
    let asked = asked.iter().map(|play| {
        let own = direction(&Histogram::of(&styles.vocabulary().numbers_of(play)));
        let others = directions.iter().enumerate();
        let mut near: Vec<(f64, usize)> = others
            .map(|(play, other)| (product(&own, other), play))
            .collect();
        near.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let mut votes: Vec<(usize, &str)> = Vec::new();
        for (_, play) in near.iter().take(VOTERS) {
            let label = plays[*play].label.as_deref().unwrap_or_default();
            match votes.iter_mut().find(|(_, name)| *name == label) {
                Some((votes, _)) => *votes += 1,
                None => votes.push((1, label)),
            }
        }
        // Of equally many votes, those of the nearest win.
        let most = votes.iter().map(|(votes, _)| *votes).max();
        let winner = votes.iter().find(|(votes, _)| Some(*votes) == most);
        winner.map_or_else(String::new, |(_, label)| (*label).to_owned())
    });
    asked.collect()
}

/// The sum over what two sorted lists have in common.
fn product(mut a: &[(Gram, f64)], mut b: &[(Gram, f64)]) -> f64 {
    let mut sum = 0.0;
    while let ([(gram, weight), rest @ ..], [(other, theirs), others @ ..]) = (a, b) {
        match gram.cmp(other) {
            std::cmp::Ordering::Less => a = rest,
            std::cmp::Ordering::Greater => b = others,
            std::cmp::Ordering::Equal => {
                sum += weight * theirs;
                (a, b) = (rest, others);
            }
        }
    }
    sum
}
