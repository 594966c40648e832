//! Whether a demonstration is worth following from where a search starts.

/// Whether a demonstration attracts a search where it starts, in numbers: it does if going to its
/// beginning, along it and on to the goal takes less than the inflated straight line.
///
/// ```
/// use apprentice_experience::Attraction;
///
/// let detour = Attraction { trace: 0, to_beginning: 10.0, from_beginning: 52.0, straight: 10.0 };
/// assert_eq!(detour.detour(), 6.2);
/// assert!(detour.attracts(10.0) && !detour.attracts(5.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Attraction {
    /// Which demonstration.
    pub trace: u32,
    /// Seconds from the start to its beginning, along the shortest way.
    pub to_beginning: f64,
    /// Seconds along it and on to the goal; infinite if it leads nowhere.
    pub from_beginning: f64,
    /// Seconds from the start to the goal, straight.
    pub straight: f64,
}

impl Attraction {
    /// Whether it attracts with that inflation.
    pub fn attracts(&self, inflation: f64) -> bool {
        self.to_beginning + self.from_beginning < inflation * self.straight
    }

    /// How many times the straight line it takes: with more inflation than this it attracts.
    /// Infinite if it never does.
    pub fn detour(&self) -> f64 {
        let detour = (self.to_beginning + self.from_beginning) / self.straight;
        if detour.is_nan() {
            f64::INFINITY
        } else {
            detour
        }
    }
}
