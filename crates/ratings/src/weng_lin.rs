//! Weng and Lin's Bayesian approximation (2011), by the model of Bradley and Terry: as good as
//! TrueSkill, faster, and free.

use skillratings::Outcomes;
use skillratings::trueskill::{TrueSkillConfig, TrueSkillRating, match_quality_two_teams};
use skillratings::weng_lin::{
    WengLinConfig, WengLinRating, expected_score_two_teams, weng_lin_two_teams,
};

use crate::roll::Roll;
use crate::{Ending, Match, PlayerId, Profile, Rating, RatingSystem};

/// Weng and Lin's system. It knows no weights: whoever played at all played all the match.
///
/// ```
/// use apprentice_ratings::{Matches, Played, Profile, RatingSystem, WengLin};
///
/// let mut matches = Matches::new();
/// matches.add(&Played::won(&["anna", "ben"], &["carl"]))?;
/// let mut system = WengLin::new(Profile::STANDARD);
/// for game in matches.iter() {
///     system.rate(game);
/// }
/// let [anna, ben, carl] = ["anna", "ben", "carl"].map(|name| matches.find(name).unwrap());
/// assert_eq!(system.rating(anna), system.rating(ben));
/// assert!(system.rating(anna).value > 25.0 && system.rating(carl).value < 25.0);
/// # Ok::<(), apprentice_ratings::MatchWrong>(())
/// ```
#[derive(Clone, Debug)]
pub struct WengLin {
    config: WengLinConfig,
    roll: Roll<WengLinRating>,
}

impl WengLin {
    /// Everybody is a newcomer. Of the profile, drift and draws mean nothing here.
    pub fn new(profile: Profile) -> WengLin {
        WengLin {
            config: WengLinConfig {
                beta: profile.performance,
                ..WengLinConfig::new()
            },
            roll: Roll::new(WengLinRating {
                rating: profile.mean,
                uncertainty: profile.deviation,
            }),
        }
    }
}

/// Takes as much from the first player of both sides as makes the weaker side's sum zero. Only
/// differences count, and large sums are beyond what the exponential function can do. Returns how
/// much that was.
fn levelled(one: &mut [WengLinRating], other: &mut [WengLinRating]) -> f64 {
    let sum = |side: &[WengLinRating]| side.iter().map(|player| player.rating).sum::<f64>();
    let level = sum(one).min(sum(other));
    for side in [one, other] {
        if let Some(first) = side.first_mut() {
            first.rating -= level;
        }
    }
    level
}

impl RatingSystem for WengLin {
    fn rate(&mut self, game: &Match) {
        let outcome = match game.ending {
            Ending::Won => Outcomes::WIN,
            Ending::Drawn => Outcomes::DRAW,
        };
        let mut winners = self.roll.seated(&game.winners);
        let mut losers = self.roll.seated(&game.losers);
        let level = levelled(&mut winners, &mut losers);
        let (mut winners, mut losers) =
            weng_lin_two_teams(&winners, &losers, &outcome, &self.config);
        for side in [&mut winners, &mut losers] {
            side[0].rating += level;
        }
        let updated = || winners.iter().chain(&losers);
        let is_sound =
            |rating: &WengLinRating| rating.rating.is_finite() && rating.uncertainty.is_finite();
        if !updated().all(is_sound) {
            return;
        }
        for (seat, rating) in game.seats().zip(updated()) {
            self.roll.set(seat.player, *rating);
        }
    }

    fn rating(&self, player: PlayerId) -> Rating {
        let rating = self.roll.of(player);
        Rating::normal(rating.rating, rating.uncertainty)
    }

    fn win_probability(&self, one: &[PlayerId], other: &[PlayerId]) -> Option<f64> {
        let (mut one, mut other) = (self.roll.all(one), self.roll.all(other));
        levelled(&mut one, &mut other);
        Some(expected_score_two_teams(&one, &other, &self.config).0)
    }

    fn match_quality(&self, one: &[PlayerId], other: &[PlayerId]) -> Option<f64> {
        let normal = |players| -> Vec<TrueSkillRating> {
            let ratings = self.roll.all(players).into_iter();
            ratings.map(TrueSkillRating::from).collect()
        };
        let config = TrueSkillConfig {
            beta: self.config.beta,
            ..TrueSkillConfig::new()
        };
        Some(match_quality_two_teams(
            &normal(one),
            &normal(other),
            &config,
        ))
    }
}
