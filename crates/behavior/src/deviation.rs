//! How a world differs from what was expected of it.

use apprentice_game::{Condition, Landmark, LandmarkId};

/// How the world differs from what a plan expected.
///
/// ```
/// use apprentice_behavior::Deviation;
///
/// assert_eq!(Deviation::Blocked.in_words(&[]), "the way is blocked");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Deviation {
    /// A step came to nothing.
    Blocked,
    /// The character is not where it should be by now.
    Astray {
        /// How far from there it is.
        #[cfg_attr(feature = "serde", serde(with = "apprentice_search::saved::real"))]
        distance: f64,
    },
    /// A thing is not as it should be: held, lying, open, pulled or alive.
    Flag {
        /// Which of the level's landmarks.
        landmark: LandmarkId,
        /// How it is.
        is: Condition,
    },
    /// An enemy is not where it was expected.
    EnemyElsewhere {
        /// Which of the level's landmarks it is.
        landmark: LandmarkId,
        /// How far from there it is.
        #[cfg_attr(feature = "serde", serde(with = "apprentice_search::saved::real"))]
        distance: f64,
    },
    /// An enemy is after the character earlier than expected.
    Noticed {
        /// Which of the level's landmarks it is.
        landmark: LandmarkId,
    },
    /// The character has less health than expected.
    Hurt {
        /// How much less.
        #[cfg_attr(feature = "serde", serde(with = "apprentice_search::saved::real"))]
        lost: f64,
    },
    /// The plan has been carried out and the goal is not met.
    NotThere,
    /// It holds, but it is time for another: see
    /// [`planning_anew_every`](crate::Character::planning_anew_every).
    Due,
    /// Something that never changes in a run was changed.
    LevelChanged,
    /// It was told to do something else.
    NewGoal,
}

impl Deviation {
    /// For people, with the names that the landmarks of the level have.
    ///
    /// ```
    /// use apprentice_behavior::Deviation;
    /// use apprentice_experience::Place;
    /// use apprentice_game::{Condition, Landmark, LandmarkId};
    ///
    /// let gate = Landmark::at_place("gate", Place::flat(3.0, 1.0), 8);
    /// let shut = Deviation::Flag { landmark: LandmarkId::new(0), is: Condition::Shut };
    /// assert_eq!(shut.in_words(&[gate]), "`gate` is shut");
    /// ```
    pub fn in_words(&self, landmarks: &[Landmark]) -> String {
        let name = |landmark: &LandmarkId| {
            let mark = landmarks.get(landmark.index());
            mark.map_or("something", |mark| &mark.name)
        };
        match self {
            Deviation::Blocked => "the way is blocked".to_owned(),
            Deviation::Astray { distance } => format!("{distance:.1} away from where it should be"),
            Deviation::Flag { landmark, is } => format!("`{}` is {is}", name(landmark)),
            Deviation::EnemyElsewhere { landmark, distance } => format!(
                "`{}` is {distance:.1} away from where it was expected",
                name(landmark)
            ),
            Deviation::Noticed { landmark } => {
                format!("`{}` attacks earlier than expected", name(landmark))
            }
            Deviation::Hurt { lost } => format!("it has {lost:.0} health less than expected"),
            Deviation::NotThere => "the plan is over and the goal is not met".to_owned(),
            Deviation::Due => "it is time to look whether there is anything better".to_owned(),
            Deviation::LevelChanged => "the level has changed".to_owned(),
            Deviation::NewGoal => "there is something else to do".to_owned(),
        }
    }
}
