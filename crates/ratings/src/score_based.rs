//! Ratings from scores (Guo and others, 2012): by how much somebody won says how far apart they are.

use skillratings::trueskill::{
    TrueSkillConfig, TrueSkillRating, expected_score_two_teams, match_quality_two_teams,
};

use crate::roll::Roll;
use crate::{Ending, Match, PlayerId, Profile, Rating, RatingSystem};

/// A score is taken for the difference of two performances. It is distributed normally, so learning
/// from it is exact. A win without a score counts as one by 1, a draw as one by 0.
///
/// ```
/// use apprentice_ratings::{Matches, Played, Profile, RatingSystem, ScoreBased};
///
/// let mut matches = Matches::new();
/// matches.add(&Played { score: Some(20.0), ..Played::won(&["anna"], &["ben"]) })?;
/// matches.add(&Played { score: Some(2.0), ..Played::won(&["carl"], &["dora"]) })?;
/// let mut system = ScoreBased::new(Profile::SCALED);
/// for game in matches.iter() {
///     system.rate(game);
/// }
/// let [anna, carl] = ["anna", "carl"].map(|name| system.rating(matches.find(name).unwrap()).value);
/// assert!(anna > carl && carl > 50.0);
/// # Ok::<(), apprentice_ratings::MatchWrong>(())
/// ```
#[derive(Clone, Debug)]
pub struct ScoreBased {
    /// How many points of rating one point of score is.
    pub scale: f64,
    /// How much a score varies besides the performances of those who play, as a standard deviation in
    /// points of rating.
    pub noise: f64,
    profile: Profile,
    roll: Roll<TrueSkillRating>,
}

impl ScoreBased {
    /// Everybody is a newcomer; a point of score is a point of rating, and there is no other noise.
    /// Of the profile, draws mean nothing here.
    pub fn new(profile: Profile) -> ScoreBased {
        ScoreBased {
            scale: 1.0,
            noise: 0.0,
            profile,
            roll: Roll::new(TrueSkillRating {
                rating: profile.mean,
                uncertainty: profile.deviation,
            }),
        }
    }

    /// How performances vary, with the noise of scores shared out among so many players.
    fn config(&self, players: usize) -> TrueSkillConfig {
        let performance = self.profile.performance * self.profile.performance;
        let noise = self.noise * self.noise / players as f64;
        TrueSkillConfig {
            beta: (performance + noise).sqrt(),
            ..TrueSkillConfig::new()
        }
    }
}

impl RatingSystem for ScoreBased {
    fn rate(&mut self, game: &Match) {
        let points = match game.ending {
            Ending::Won => game.score.unwrap_or(1.0),
            Ending::Drawn => 0.0,
        };
        let drift = self.profile.drift * self.profile.drift;
        let performance = self.profile.performance * self.profile.performance;
        let sides = [(&game.winners, 1.0), (&game.losers, -1.0)];
        let mut difference = 0.0;
        let mut variance = self.noise * self.noise;
        for (seats, sign) in sides {
            for rating in self.roll.seated(seats) {
                difference += sign * rating.rating;
                variance += rating.uncertainty * rating.uncertainty + drift + performance;
            }
        }
        let surprise = points * self.scale - difference;
        for (seats, sign) in sides {
            for seat in seats {
                let rating = self.roll.of(seat.player);
                let own = rating.uncertainty * rating.uncertainty + drift;
                let gain = own / variance;
                let updated = TrueSkillRating {
                    rating: rating.rating + sign * gain * surprise,
                    uncertainty: (own * (1.0 - gain)).sqrt(),
                };
                self.roll.set(seat.player, updated);
            }
        }
    }

    fn rating(&self, player: PlayerId) -> Rating {
        let rating = self.roll.of(player);
        Rating::normal(rating.rating, rating.uncertainty)
    }

    fn win_probability(&self, one: &[PlayerId], other: &[PlayerId]) -> Option<f64> {
        let config = self.config(one.len() + other.len());
        let (one, other) = (self.roll.all(one), self.roll.all(other));
        Some(expected_score_two_teams(&one, &other, &config).0)
    }

    fn match_quality(&self, one: &[PlayerId], other: &[PlayerId]) -> Option<f64> {
        let config = self.config(one.len() + other.len());
        let (one, other) = (self.roll.all(one), self.roll.all(other));
        Some(match_quality_two_teams(&one, &other, &config))
    }
}
