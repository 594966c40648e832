//! Ways to play: plays that are alike, and which of them a further play is like.

use std::fmt;
use std::sync::Arc;

use crate::dominant_sets::cohesion_of;
use crate::{
    Activity, Distribution, Gram, Histogram, Peeling, Similarities, Vocabulary, Weighing,
    dominant_sets,
};

/// A way to play.
#[derive(Clone, Debug, PartialEq)]
pub struct Class {
    /// Its label, or a name that was made up: `style-1`.
    pub name: String,
    /// Which plays formed it, by their place among all.
    pub members: Vec<usize>,
    /// How well each of them fits; adds up to 1.
    pub participation: Vec<f64>,
    /// How well they hold together.
    pub cohesion: f64,
}

/// What is told about a play.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// The class it is most like.
    pub class: usize,
    /// How likely it is each class.
    pub distribution: Distribution,
    /// Whether it is like any class at all.
    pub known: bool,
}

/// A sequence of events that tells a class from the others.
#[derive(Clone, Debug, PartialEq)]
pub struct Telling {
    /// The names of the events, one right after the other.
    pub events: Vec<String>,
    /// Which share of the plays of the class has it.
    pub here: f64,
    /// Which share of all other plays has it.
    pub elsewhere: f64,
}

/// Why nothing can be learned from some plays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TooFewPlays {
    /// There must be two in which something happens.
    Fewer {
        /// So many there are.
        plays: usize,
    },
    /// Classes are taken from labels, and this play has none.
    Unlabelled {
        /// Which one.
        id: String,
    },
}

impl fmt::Display for TooFewPlays {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TooFewPlays::Fewer { plays } => write!(
                f,
                "styles are learned by comparing plays, and there is {}; give at least two plays \
                 in which something happens",
                match plays {
                    0 => "none in which anything happens",
                    _ => "only one in which anything happens",
                }
            ),
            TooFewPlays::Unlabelled { id } => write!(
                f,
                "the play `{id}` has no label; add `\"label\"` to it, or learn without labels"
            ),
        }
    }
}

impl std::error::Error for TooFewPlays {}

/// A play is like a class if its likeness is at least this share of how well the class holds together.
const NOVELTY: f64 = 0.6;

/// So many of the plays of a class are compared with, those that fit best: with more, comparing takes
/// longer and tells the same.
pub(crate) const EXEMPLARS: usize = 16;

/// The ways to play that were found among some plays. Copies share everything.
#[derive(Clone, Debug)]
pub struct Playstyles {
    inside: Arc<Inside>,
}

#[derive(Debug)]
struct Inside {
    vocabulary: Vocabulary,
    plays: Vec<Activity>,
    numbers: Vec<Vec<u32>>,
    histograms: Vec<Histogram>,
    classes: Vec<Class>,
    unclassified: Vec<usize>,
    weighing: Weighing,
}

impl Playstyles {
    /// Finds classes among plays without knowing any: dominant sets of plays that are alike.
    ///
    /// ```
    /// use apprentice_playstyle::{Activity, Playstyles};
    ///
    /// let plays = ["SSSG", "SSG", "CCG", "CG"].map(Activity::of_letters);
    /// let styles = Playstyles::learn(&plays)?;
    /// assert_eq!(styles.classes()[0].members, [0, 1]);
    /// assert_eq!(styles.classes()[1].members, [2, 3]);
    /// # Ok::<(), apprentice_playstyle::TooFewPlays>(())
    /// ```
    pub fn learn(plays: &[Activity]) -> Result<Playstyles, TooFewPlays> {
        Playstyles::learn_by(plays, Weighing::default(), &Peeling::default())
    }

    /// The same, with other weights, or another end.
    pub fn learn_by(
        plays: &[Activity],
        weighing: Weighing,
        peeling: &Peeling,
    ) -> Result<Playstyles, TooFewPlays> {
        let mut inside = Inside::of(plays, weighing)?;
        let similarities = inside.similarities(&(0..plays.len()).collect::<Vec<_>>());
        let clusters = dominant_sets(&similarities, peeling);
        let numbered = clusters.sets.into_iter().enumerate();
        inside.classes = numbered
            .map(|(number, set)| Class {
                name: format!("style-{}", number + 1),
                members: set.members,
                participation: set.participation,
                cohesion: set.cohesion,
            })
            .collect();
        inside.unclassified = clusters.unclassified;
        if inside.classes.is_empty() {
            // Plays that have nothing in common are one class that holds nothing together: whatever is
            // asked about, there is an answer.
            let everybody: Vec<usize> = (0..plays.len()).collect();
            let class = inside.class("style-1".to_owned(), everybody);
            inside.classes.push(class);
            inside.unclassified.clear();
        }
        Ok(Playstyles::from(inside))
    }

    /// Takes the labels of plays for their classes, in the order in which they are first met.
    ///
    /// How well a play fits is how alike it is to the others of its class on average: one round of what
    /// finds classes where there are no labels, so that nobody is left out.
    pub fn learn_labelled(plays: &[Activity]) -> Result<Playstyles, TooFewPlays> {
        let mut inside = Inside::of(plays, Weighing::default())?;
        let mut groups: Vec<(String, Vec<usize>)> = Vec::new();
        for (number, play) in plays.iter().enumerate() {
            let Some(label) = &play.label else {
                let id = play.id.clone();
                return Err(TooFewPlays::Unlabelled { id });
            };
            match groups.iter_mut().find(|(name, _)| name == label) {
                Some((_, members)) => members.push(number),
                None => groups.push((label.clone(), vec![number])),
            }
        }
        let classes = groups
            .into_iter()
            .map(|(name, members)| inside.class(name, members));
        inside.classes = classes.collect();
        Ok(Playstyles::from(inside))
    }

    /// Classes that somebody found earlier: see [`read_model`](crate::read_model).
    pub(crate) fn restored(
        plays: &[Activity],
        classes: Vec<Class>,
        unclassified: Vec<usize>,
    ) -> Result<Playstyles, TooFewPlays> {
        let mut inside = Inside::of(plays, Weighing::default())?;
        inside.classes = classes;
        inside.unclassified = unclassified;
        Ok(Playstyles::from(inside))
    }

    /// The classes that were found.
    pub fn classes(&self) -> &[Class] {
        &self.inside.classes
    }

    /// Those plays that belong to no class.
    pub fn unclassified(&self) -> &[usize] {
        &self.inside.unclassified
    }

    /// The plays that were learned from.
    pub fn plays(&self) -> &[Activity] {
        &self.inside.plays
    }

    /// The names of all events that occurred.
    pub fn vocabulary(&self) -> &Vocabulary {
        &self.inside.vocabulary
    }

    /// How plays are compared.
    pub fn weighing(&self) -> &Weighing {
        &self.inside.weighing
    }

    /// The class of a play that was learned from, if it has one.
    pub fn class_of(&self, play: usize) -> Option<usize> {
        let mut classes = self.classes().iter();
        classes.position(|class| class.members.contains(&play))
    }

    /// Which class a play is like: its likeness to a class is that to its members, each as much as it
    /// fits (equation 6.2 of the dissertation). As these add up to 1, large classes have no advantage.
    pub fn classify(&self, activity: &Activity) -> Verdict {
        let numbers = self.inside.vocabulary.numbers_of(activity);
        let histogram = Histogram::of(&numbers);
        let likenesses = self.classes().iter().map(|class| {
            let pairs = class.members.iter().zip(&class.participation);
            let terms = pairs.map(|(member, share)| {
                let member = &self.inside.histograms[*member];
                self.inside.weighing.similarity(&histogram, member) * share
            });
            terms.sum()
        });
        let likenesses: Vec<f64> = likenesses.collect();
        let cohesions = self.classes().iter().map(|class| class.cohesion);
        Verdict::of(likenesses, &cohesions.collect::<Vec<_>>())
    }

    /// The n-grams that tell a class best: many of its plays have them, few others do. At most `most`,
    /// and none that is part of a longer one that tells as much.
    pub fn telling(&self, class: usize, most: usize) -> Vec<Telling> {
        let Some(class) = self.classes().get(class) else {
            return Vec::new();
        };
        let mut shares: std::collections::BTreeMap<Gram, (f64, f64)> =
            std::collections::BTreeMap::new();
        let is_member = |play: &usize| class.members.contains(play);
        let others = (self.plays().len() - class.members.len()).max(1) as f64;
        for (play, histogram) in self.inside.histograms.iter().enumerate() {
            let here = is_member(&play);
            for (gram, _) in histogram.counts() {
                let (of_class, elsewhere) = shares.entry(*gram).or_default();
                if here {
                    *of_class += 1.0 / class.members.len() as f64;
                } else {
                    *elsewhere += 1.0 / others;
                }
            }
        }
        let mut ranked: Vec<(Gram, f64, f64)> = shares
            .into_iter()
            .map(|(gram, (here, elsewhere))| (gram, here, elsewhere))
            .filter(|(_, here, elsewhere)| here > elsewhere)
            .collect();
        let tells = |(_, here, elsewhere): &(Gram, f64, f64)| here - elsewhere;
        ranked.sort_by(|a, b| {
            let by_tell = tells(b).total_cmp(&tells(a));
            by_tell
                .then(a.0.length().cmp(&b.0.length()))
                .then(a.0.cmp(&b.0))
        });
        let names = self.inside.vocabulary.names();
        let told = ranked
            .into_iter()
            .take(most)
            .map(|(gram, here, elsewhere)| Telling {
                events: gram.events().map(|it| names[it as usize].clone()).collect(),
                here: here.min(1.0),
                elsewhere: elsewhere.min(1.0),
            });
        told.collect()
    }

    /// The plays of each class that fit best, with how well they fit, made to add up to 1.
    pub(crate) fn exemplars(&self) -> Vec<Vec<(usize, f64)>> {
        let classes = self.classes().iter().map(|class| {
            let mut fitting: Vec<(usize, f64)> = class
                .members
                .iter()
                .copied()
                .zip(class.participation.iter().copied())
                .collect();
            fitting.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
            fitting.truncate(EXEMPLARS);
            let sum: f64 = fitting.iter().map(|(_, share)| share).sum();
            for (_, share) in &mut fitting {
                *share /= sum;
            }
            fitting
        });
        classes.collect()
    }

    /// The events of a play as numbers.
    pub(crate) fn numbers_of_play(&self, play: usize) -> &[u32] {
        &self.inside.numbers[play]
    }
}

impl Verdict {
    /// From how like a play is to each class, and how well each holds together.
    pub(crate) fn of(likenesses: Vec<f64>, cohesions: &[f64]) -> Verdict {
        let mut fits = likenesses.iter().zip(cohesions);
        let known = fits.any(|(likeness, cohesion)| *likeness > cohesion * NOVELTY);
        let distribution = Distribution::in_proportion(likenesses);
        Verdict {
            class: distribution.most_likely(),
            distribution,
            known,
        }
    }
}

impl From<Inside> for Playstyles {
    fn from(inside: Inside) -> Playstyles {
        let inside = Arc::new(inside);
        Playstyles { inside }
    }
}

impl Inside {
    fn of(plays: &[Activity], weighing: Weighing) -> Result<Inside, TooFewPlays> {
        let happening = plays.iter().filter(|play| !play.events.is_empty()).count();
        if happening < 2 {
            return Err(TooFewPlays::Fewer { plays: happening });
        }
        let mut vocabulary = Vocabulary::default();
        let numbers: Vec<Vec<u32>> = plays
            .iter()
            .map(|play| {
                let events = play.events.iter();
                events.map(|event| vocabulary.number(&event.name)).collect()
            })
            .collect();
        Ok(Inside {
            vocabulary,
            plays: plays.to_vec(),
            histograms: numbers.iter().map(|it| Histogram::of(it)).collect(),
            numbers,
            classes: Vec::new(),
            unclassified: Vec::new(),
            weighing,
        })
    }

    fn similarities(&self, plays: &[usize]) -> Similarities {
        Similarities::of(plays.len(), |one, other| {
            let one = &self.histograms[plays[one]];
            self.weighing
                .similarity(one, &self.histograms[plays[other]])
        })
    }

    fn class(&self, name: String, members: Vec<usize>) -> Class {
        let similarities = self.similarities(&members);
        let count = members.len();
        let all: Vec<usize> = (0..count).collect();
        let mut participation: Vec<f64> = all
            .iter()
            .map(|one| {
                all.iter()
                    .map(|other| similarities.of_pair(*one, *other))
                    .sum()
            })
            .collect();
        let sum: f64 = participation.iter().sum();
        for share in &mut participation {
            *share = if sum > 0.0 {
                *share / sum
            } else {
                1.0 / count as f64
            };
        }
        Class {
            name,
            cohesion: cohesion_of(&similarities, &all, &participation),
            members,
            participation,
        }
    }
}
