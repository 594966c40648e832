//! Who played with whom against whom, and how it ended.

use std::collections::BTreeMap;
use std::fmt;

/// A player of some [`Matches`]: they are numbered as they come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PlayerId(u32);

impl PlayerId {
    /// The number, from 0.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Somebody who took part in a match.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Seat {
    /// Who.
    pub player: PlayerId,
    /// Which part of the match they played: more than 0, at most 1.
    pub weight: f64,
}

/// How a match ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ending {
    /// The winners won.
    #[default]
    Won,
    /// Nobody won; who is called a winner makes no difference.
    Drawn,
}

/// A match that was checked: two sides, nobody on both, everybody with a weight. Those of weight 0
/// did not play and are not in it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Match {
    /// Who won.
    pub winners: Vec<Seat>,
    /// Who lost.
    pub losers: Vec<Seat>,
    /// Whether they did.
    pub ending: Ending,
    /// By how much they won, in whatever the game counts.
    pub score: Option<f64>,
}

impl Match {
    /// What the winners got of the one point that there was.
    pub(crate) fn points(&self) -> f64 {
        match self.ending {
            Ending::Won => 1.0,
            Ending::Drawn => 0.5,
        }
    }

    /// Everybody who played.
    pub fn seats(&self) -> impl Iterator<Item = &Seat> {
        self.winners.iter().chain(&self.losers)
    }

    pub(crate) fn has_whole_weights(&self) -> bool {
        self.seats().all(|seat| seat.weight == 1.0)
    }
}

/// A match as somebody tells it, by names.
#[derive(Clone, Copy, Debug, Default)]
pub struct Played<'a> {
    /// Who won.
    pub winners: &'a [&'a str],
    /// Who lost.
    pub losers: &'a [&'a str],
    /// Whether they did.
    pub ending: Ending,
    /// By how much the winners won.
    pub score: Option<f64>,
    /// Which part of the match each of them played, from 0 to 1, the winners first; everybody all of
    /// it if there is nothing.
    pub weights: &'a [f64],
    /// Matches of the same group stand and fall together, as those do that one measurement decided:
    /// they are one observation, not several.
    pub group: Option<&'a str>,
}

impl<'a> Played<'a> {
    /// These won against those.
    pub fn won(winners: &'a [&'a str], losers: &'a [&'a str]) -> Played<'a> {
        Played {
            winners,
            losers,
            ..Played::default()
        }
    }

    /// These and those drew.
    pub fn drawn(ones: &'a [&'a str], others: &'a [&'a str]) -> Played<'a> {
        Played {
            ending: Ending::Drawn,
            ..Played::won(ones, others)
        }
    }
}

/// One of the two sides of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Who won.
    Winners,
    /// Who lost.
    Losers,
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Side::Winners => "winners",
            Side::Losers => "losers",
        })
    }
}

/// Why something is no match.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum MatchWrong {
    /// A side is empty.
    Nobody(Side),
    /// A name is empty.
    Nameless(Side),
    /// Somebody is there twice, on one side or on both.
    Twice {
        /// Who.
        name: String,
    },
    /// There are not as many weights as players.
    WeightCount {
        /// How many players there are.
        players: usize,
        /// How many weights there are.
        weights: usize,
    },
    /// A weight is no part of a match.
    Weight {
        /// Whose.
        name: String,
        /// What it is.
        weight: f64,
    },
    /// Everybody of a side has weight 0.
    DidNotPlay(Side),
    /// A score is no margin of victory.
    Score {
        /// What it is.
        score: f64,
    },
    /// It is called a draw, and somebody won by something.
    DrawnWithScore {
        /// By how much.
        score: f64,
    },
    /// There are more players than can be numbered.
    TooManyPlayers,
}

impl fmt::Display for MatchWrong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MatchWrong::Nobody(side) => write!(
                f,
                "nobody is named among the {side}; name at least one, several joined by `+`"
            ),
            MatchWrong::Nameless(side) => write!(
                f,
                "a name among the {side} is empty; write names joined by one `+`, as in `anna+ben`"
            ),
            MatchWrong::Twice { name } => write!(
                f,
                "`{name}` plays twice in this match; each player is on one side, once"
            ),
            MatchWrong::WeightCount { players, weights } => write!(
                f,
                "the number of weights is {weights}, of players {players}; give one for each, the \
                 winners first, joined by `+`, or none"
            ),
            MatchWrong::Weight { name, weight } => write!(
                f,
                "the weight of `{name}` is {weight}; it is the part of the match they played, from 0 to 1"
            ),
            MatchWrong::DidNotPlay(side) => write!(
                f,
                "the {side} did not play: all their weights are 0; leave the match out, or correct the weights"
            ),
            MatchWrong::Score { score } => write!(
                f,
                "the score is {score}; it is by how much the winners won, 0 or more"
            ),
            MatchWrong::DrawnWithScore { score } => write!(
                f,
                "it is a draw, and yet won by {score}; leave out one of the two"
            ),
            MatchWrong::TooManyPlayers => write!(f, "there are more than four billion players"),
        }
    }
}

impl std::error::Error for MatchWrong {}

/// Matches in the order in which they were played, with the names of those who played.
///
/// ```
/// use apprentice_ratings::{Matches, MatchWrong, Played};
///
/// let mut matches = Matches::new();
/// matches.add(&Played::won(&["mha"], &["k5d5", "limit 6"]))?;
/// assert_eq!((matches.len(), matches.players()), (1, 3));
///
/// let wrong = matches.add(&Played::won(&["mha"], &["mha"]));
/// assert_eq!(wrong, Err(MatchWrong::Twice { name: "mha".to_owned() }));
/// # Ok::<(), MatchWrong>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Matches {
    names: Vec<String>,
    ids: BTreeMap<String, PlayerId>,
    played: Vec<Match>,
    /// The group of each match.
    groups: Vec<usize>,
    group_ids: BTreeMap<String, usize>,
    group_count: usize,
}

impl Matches {
    /// None yet.
    pub fn new() -> Matches {
        Matches::default()
    }

    /// One more. If something is wrong with it, nothing is changed.
    pub fn add(&mut self, played: &Played<'_>) -> Result<(), MatchWrong> {
        check(played)?;
        let weight = |place: usize| played.weights.get(place).copied().unwrap_or(1.0);
        let mut place = 0;
        let mut seats_of = |names: &[&str]| -> Result<Vec<Seat>, MatchWrong> {
            let mut seats = Vec::with_capacity(names.len());
            for name in names {
                let player = self.player_called(name)?;
                let weight = weight(place);
                place += 1;
                if weight > 0.0 {
                    seats.push(Seat { player, weight });
                }
            }
            Ok(seats)
        };
        let winners = seats_of(played.winners)?;
        let losers = seats_of(played.losers)?;
        let next = self.group_count;
        let group = match played.group {
            Some(name) => *self.group_ids.entry(name.to_owned()).or_insert(next),
            None => next,
        };
        self.group_count = next.max(group + 1);
        self.groups.push(group);
        self.played.push(Match {
            winners,
            losers,
            ending: played.ending,
            score: played.score,
        });
        Ok(())
    }

    /// The matches, in order.
    pub fn iter(&self) -> impl Iterator<Item = &Match> {
        self.played.iter()
    }

    /// How many matches there are.
    pub fn len(&self) -> usize {
        self.played.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.played.is_empty()
    }

    /// How many players were named, those included who never played.
    pub fn players(&self) -> usize {
        self.names.len()
    }

    /// Every player, in the order in which they came.
    pub fn ids(&self) -> impl Iterator<Item = PlayerId> + use<> {
        (0..self.names.len() as u32).map(PlayerId)
    }

    /// Who is called so.
    pub fn find(&self, name: &str) -> Option<PlayerId> {
        self.ids.get(name).copied()
    }

    /// What a player is called.
    ///
    /// # Panics
    ///
    /// If the player belongs to other matches that have more players.
    pub fn name(&self, player: PlayerId) -> &str {
        &self.names[player.index()]
    }

    /// The names of all players, by their numbers.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }

    /// The same matches, where every side of several players is one player of its own: whether a
    /// scenario and its limit are two opponents or one (the author of the idea considered both).
    ///
    /// ```
    /// # use apprentice_ratings::{Matches, Played};
    /// let mut matches = Matches::new();
    /// matches.add(&Played::won(&["mha"], &["k5d5", "limit 6"]))?;
    /// matches.add(&Played::won(&["limit 6", "k5d5"], &["mha"]))?;
    /// let as_one = matches.with_teams_as_one();
    /// assert_eq!(as_one.names().collect::<Vec<_>>(), ["mha", "k5d5+limit 6"]);
    /// # Ok::<(), apprentice_ratings::MatchWrong>(())
    /// ```
    pub fn with_teams_as_one(&self) -> Matches {
        let mut whole = Matches {
            groups: self.groups.clone(),
            group_ids: self.group_ids.clone(),
            group_count: self.group_count,
            ..Matches::default()
        };
        let mut teams: BTreeMap<Vec<PlayerId>, PlayerId> = BTreeMap::new();
        let mut seat_of = |seats: &[Seat]| {
            let mut members: Vec<PlayerId> = seats.iter().map(|seat| seat.player).collect();
            members.sort();
            let player = *teams.entry(members).or_insert_with(|| {
                let names: Vec<&str> = seats.iter().map(|seat| self.name(seat.player)).collect();
                let player = PlayerId(whole.names.len() as u32);
                whole.names.push(names.join("+"));
                player
            });
            let weights: f64 = seats.iter().map(|seat| seat.weight).sum();
            vec![Seat {
                player,
                weight: weights / seats.len() as f64,
            }]
        };
        for game in &self.played {
            whole.played.push(Match {
                winners: seat_of(&game.winners),
                losers: seat_of(&game.losers),
                ending: game.ending,
                score: game.score,
            });
        }
        let names = whole.names.iter().cloned().zip(whole.ids());
        whole.ids = names.collect();
        whole
    }

    /// The numbers of the matches in each group.
    pub(crate) fn groups(&self) -> Vec<Vec<usize>> {
        let mut groups = vec![Vec::new(); self.group_count];
        for (place, group) in self.groups.iter().enumerate() {
            groups[*group].push(place);
        }
        groups
    }

    pub(crate) fn at(&self, place: usize) -> &Match {
        &self.played[place]
    }

    fn player_called(&mut self, name: &str) -> Result<PlayerId, MatchWrong> {
        if let Some(player) = self.find(name) {
            return Ok(player);
        }
        let number = u32::try_from(self.names.len()).map_err(|_| MatchWrong::TooManyPlayers)?;
        self.names.push(name.to_owned());
        self.ids.insert(name.to_owned(), PlayerId(number));
        Ok(PlayerId(number))
    }
}

pub(crate) fn check(played: &Played<'_>) -> Result<(), MatchWrong> {
    let sides = [
        (Side::Winners, played.winners),
        (Side::Losers, played.losers),
    ];
    for (side, names) in sides {
        if names.is_empty() {
            return Err(MatchWrong::Nobody(side));
        }
        if names.iter().any(|name| name.is_empty()) {
            return Err(MatchWrong::Nameless(side));
        }
    }
    let names: Vec<&str> = played
        .winners
        .iter()
        .chain(played.losers)
        .copied()
        .collect();
    let mut sorted = names.clone();
    sorted.sort_unstable();
    if let Some(pair) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
        let name = pair[0].to_owned();
        return Err(MatchWrong::Twice { name });
    }
    check_weights(played, &names)?;
    match played.score {
        // Written so that what is no number is refused, too.
        Some(score) if !(score >= 0.0 && score.is_finite()) => Err(MatchWrong::Score { score }),
        Some(score) if score > 0.0 && played.ending == Ending::Drawn => {
            Err(MatchWrong::DrawnWithScore { score })
        }
        _ => Ok(()),
    }
}

fn check_weights(played: &Played<'_>, names: &[&str]) -> Result<(), MatchWrong> {
    let weights = played.weights;
    if weights.is_empty() {
        return Ok(());
    }
    if weights.len() != names.len() {
        return Err(MatchWrong::WeightCount {
            players: names.len(),
            weights: weights.len(),
        });
    }
    let is_part = |weight: f64| (0.0..=1.0).contains(&weight);
    let mut both = names.iter().zip(weights);
    if let Some((name, weight)) = both.find(|(_, weight)| !is_part(**weight)) {
        return Err(MatchWrong::Weight {
            name: (*name).to_owned(),
            weight: *weight,
        });
    }
    let (winners, losers) = weights.split_at(played.winners.len());
    for (side, weights) in [(Side::Winners, winners), (Side::Losers, losers)] {
        if weights.iter().all(|weight| *weight == 0.0) {
            return Err(MatchWrong::DidNotPlay(side));
        }
    }
    Ok(())
}
