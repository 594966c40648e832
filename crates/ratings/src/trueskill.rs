//! TrueSkill (Herbrich, Minka and Graepel, 2006) for two teams, also for players who were there for a
//! part of the match only.
//!
//! The name is a trademark, and the method was patented: look into that before you sell something
//! with it. [`WengLin`](crate::WengLin) is free and nearly the same.

use std::cmp::Ordering;

use skillratings::trueskill::{
    TrueSkillConfig, TrueSkillRating, expected_score_two_teams, match_quality_two_teams,
    trueskill_multi_team, trueskill_two_teams,
};
use skillratings::{MultiTeamOutcome, Outcomes};

use crate::roll::Roll;
use crate::{Ending, Match, PlayerId, Profile, Rating, RatingSystem, Seat};

/// TrueSkill.
///
/// ```
/// use apprentice_ratings::{Matches, Played, Profile, RatingSystem, TrueSkill};
///
/// let mut matches = Matches::new();
/// matches.add(&Played::won(&["anna"], &["ben"]))?;
/// let mut system = TrueSkill::new(Profile::STANDARD);
/// for game in matches.iter() {
///     system.rate(game);
/// }
/// let anna = system.rating(matches.find("anna").expect("she played"));
/// assert!((anna.value - 29.396).abs() < 0.001);
/// # Ok::<(), apprentice_ratings::MatchWrong>(())
/// ```
#[derive(Clone, Debug)]
pub struct TrueSkill {
    config: TrueSkillConfig,
    roll: Roll<TrueSkillRating>,
}

impl TrueSkill {
    /// Everybody is a newcomer.
    pub fn new(profile: Profile) -> TrueSkill {
        TrueSkill::starting_from(profile, [])
    }

    /// The first players have these ratings and deviations already.
    pub fn starting_from(
        profile: Profile,
        known: impl IntoIterator<Item = (f64, f64)>,
    ) -> TrueSkill {
        let rating = |(rating, uncertainty)| TrueSkillRating {
            rating,
            uncertainty,
        };
        TrueSkill {
            config: TrueSkillConfig {
                draw_probability: profile.draws,
                beta: profile.performance,
                dynamics_factor: profile.drift,
            },
            roll: Roll::starting_from(
                rating((profile.mean, profile.deviation)),
                known.into_iter().map(rating).collect(),
            ),
        }
    }

    /// What both sides are rated after a match.
    fn updated(&self, game: &Match) -> [Vec<TrueSkillRating>; 2] {
        let sides = [&game.winners, &game.losers].map(|side| self.roll.seated(side));
        let [winners, losers] = &sides;
        if game.has_whole_weights() {
            let outcome = match game.ending {
                Ending::Won => Outcomes::WIN,
                Ending::Drawn => Outcomes::DRAW,
            };
            return trueskill_two_teams(winners, losers, &outcome, &self.config).into();
        }
        let second = match game.ending {
            Ending::Won => 2,
            Ending::Drawn => 1,
        };
        let first = Team::new(winners, &game.winners);
        let other = Team::new(losers, &game.losers);
        let teams = [
            (&first.ratings[..], MultiTeamOutcome::new(1)),
            (&other.ratings[..], MultiTeamOutcome::new(second)),
        ];
        // Nobody here has weight 0, for which this function returns what is no number.
        let weights = [&first.weights[..], &other.weights[..]];
        let updated = trueskill_multi_team(&teams, &self.config, Some(&weights));
        match updated.map(<[Vec<TrueSkillRating>; 2]>::try_from) {
            Ok(Ok([one, two])) => [first.as_named(&one), other.as_named(&two)],
            _ => sides,
        }
    }
}

/// A team in an order that depends on nobody's name, nor on who is named first: what is worked out by
/// approaching it ends a little elsewhere in another order.
struct Team {
    /// Which of those who are named comes next.
    order: Vec<usize>,
    ratings: Vec<TrueSkillRating>,
    weights: Vec<f64>,
}

impl Team {
    fn new(ratings: &[TrueSkillRating], seats: &[Seat]) -> Team {
        let numbers = |number: usize| {
            let rating = &ratings[number];
            [rating.rating, rating.uncertainty, seats[number].weight]
        };
        let mut order: Vec<usize> = (0..seats.len()).collect();
        order.sort_by(|one, other| {
            let pairs = numbers(*one).into_iter().zip(numbers(*other));
            let differs = pairs.map(|(one, other)| one.total_cmp(&other));
            differs
                .reduce(|first, then| first.then(then))
                .unwrap_or(Ordering::Equal)
        });
        Team {
            ratings: order.iter().map(|number| ratings[*number]).collect(),
            weights: order.iter().map(|number| seats[*number].weight).collect(),
            order,
        }
    }

    /// Ratings of this order in the order in which everybody is named.
    fn as_named(&self, ratings: &[TrueSkillRating]) -> Vec<TrueSkillRating> {
        let mut named = self.ratings.clone();
        for (number, rating) in self.order.iter().zip(ratings) {
            named[*number] = *rating;
        }
        named
    }
}

impl RatingSystem for TrueSkill {
    fn rate(&mut self, game: &Match) {
        let updated = self.updated(game);
        let is_sound =
            |rating: &TrueSkillRating| rating.rating.is_finite() && rating.uncertainty.is_finite();
        // What is beyond the numbers there are, such as a weight that vanishes beside another,
        // teaches nothing.
        if !updated.iter().flatten().all(is_sound) {
            return;
        }
        for (seat, rating) in game.seats().zip(updated.into_iter().flatten()) {
            self.roll.set(seat.player, rating);
        }
    }

    fn rating(&self, player: PlayerId) -> Rating {
        let rating = self.roll.of(player);
        Rating::normal(rating.rating, rating.uncertainty)
    }

    fn win_probability(&self, one: &[PlayerId], other: &[PlayerId]) -> Option<f64> {
        let (one, other) = (self.roll.all(one), self.roll.all(other));
        Some(expected_score_two_teams(&one, &other, &self.config).0)
    }

    fn match_quality(&self, one: &[PlayerId], other: &[PlayerId]) -> Option<f64> {
        let (one, other) = (self.roll.all(one), self.roll.all(other));
        Some(match_quality_two_teams(&one, &other, &self.config))
    }
}
