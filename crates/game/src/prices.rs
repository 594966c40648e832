//! What a plan pays for besides time: health that is lost, and being noticed.

use std::fmt;

use apprentice_search::Cost;

/// What a plan pays for besides time, in seconds: what a point of lost health counts, and what being
/// noticed counts. Nothing, if nobody says so: then whoever arrives sooner has the better plan, however
/// badly hurt.
///
/// The cost of a plan is its time and what it pays besides, and what is proven about a plan is proven
/// of that sum. Those who must survive are paid for as the planned agent is.
///
/// ```
/// use apprentice_game::Prices;
///
/// let prices = Prices::new(0.5, 10.0)?;
/// assert_eq!(prices.of_harm(40.0).as_seconds(), 20.0);
/// assert!(Prices::new(-1.0, 0.0).is_err());
/// # Ok::<(), apprentice_game::BadPrice>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Prices {
    harm: f64,
    notice: f64,
}

impl Prices {
    /// The dearest there is: an hour. More for a point of health would say no more than this does.
    pub const DEAREST: f64 = 3600.0;

    /// Nothing but time counts.
    pub const NONE: Prices = Prices {
        harm: 0.0,
        notice: 0.0,
    };

    /// The seconds that a point of lost health counts, and those that being noticed counts.
    ///
    /// # Errors
    ///
    /// If one of them is no number from 0 to 3600.
    pub fn new(harm: f64, notice: f64) -> Result<Prices, BadPrice> {
        for (what, price) in [("harm", harm), ("notice", notice)] {
            if !(0.0..=Prices::DEAREST).contains(&price) {
                return Err(BadPrice { what, price });
            }
        }
        Ok(Prices { harm, notice })
    }

    /// The seconds that a point of lost health counts.
    pub const fn harm(&self) -> f64 {
        self.harm
    }

    /// The seconds that being noticed counts.
    pub const fn notice(&self) -> f64 {
        self.notice
    }

    /// Whether nothing but time counts.
    pub fn is_none(&self) -> bool {
        *self == Prices::NONE
    }

    /// What so much lost health costs.
    pub fn of_harm(&self, health: f64) -> Cost {
        Cost::from_seconds(health * self.harm)
    }
}

/// A price that is none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BadPrice {
    /// What it is the price of.
    pub what: &'static str,
    /// The price.
    pub price: f64,
}

impl fmt::Display for BadPrice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let BadPrice { what, price } = self;
        write!(
            f,
            "the price of {what} is a number of seconds from 0 to {}, and this is {price}",
            Prices::DEAREST
        )
    }
}

impl std::error::Error for BadPrice {}
