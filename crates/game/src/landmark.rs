//! What may have to be done on the way, and what a goal is in terms of it.

use apprentice_experience::Place;
use apprentice_search::Cost;

/// A thing to be done: where, what it needs first, which places it opens.
#[derive(Clone, Debug, PartialEq)]
pub struct Landmark {
    /// What people call it.
    pub name: String,
    /// Where it is.
    pub at: Place,
    /// The place it is in.
    pub place: usize,
    /// From where it can be done, and from nowhere else. Of one that bars: the places that nobody enters until it is opened.
    pub places: Vec<usize>,
    /// Whether it bars its places: a door.
    pub bars: bool,
    /// Each of these opens it: its keys, its levers. If there are none, nothing ever does.
    pub opened_by: Vec<LandmarkId>,
    /// What is done with it, too: doors that a lever opens. They name it in `opened_by`.
    pub opens: Vec<LandmarkId>,
    /// Whether it uses up what opens it.
    pub uses_up: bool,
    /// Whether it goes about: somebody.
    pub moves: bool,
    /// Whether others might do it too, so that a lower bound cannot count on the way there.
    pub is_shared: bool,
    /// Whether having it makes enemies less dangerous: a shield.
    pub protects: bool,
}

impl Landmark {
    /// One that is done by standing where it is.
    pub fn at_place(name: impl Into<String>, at: Place, place: usize) -> Landmark {
        Landmark {
            name: name.into(),
            at,
            place,
            places: vec![place],
            bars: false,
            opened_by: Vec::new(),
            opens: Vec::new(),
            uses_up: false,
            moves: false,
            is_shared: false,
            protects: false,
        }
    }
}

/// A landmark of a level, by its place in the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LandmarkId(u32);

impl LandmarkId {
    /// The one with this number.
    pub const fn new(number: u32) -> LandmarkId {
        LandmarkId(number)
    }

    /// Its number.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a character is after, as far as places and landmarks say it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Aim {
    /// To be at most so far from a point, seen from above; on the floor of this height, if one is given.
    Within {
        /// To the east.
        #[cfg_attr(feature = "serde", serde(with = "apprentice_search::saved::real"))]
        x: f64,
        /// To the south.
        #[cfg_attr(feature = "serde", serde(with = "apprentice_search::saved::real"))]
        y: f64,
        /// How high the floor is; `None` if any will do.
        #[cfg_attr(
            feature = "serde",
            serde(with = "apprentice_search::saved::maybe_real")
        )]
        height: Option<f64>,
        /// How far is near enough.
        #[cfg_attr(feature = "serde", serde(with = "apprentice_search::saved::real"))]
        radius: f64,
    },
    /// To be at one of these places.
    At(Vec<usize>),
    /// That a landmark is done.
    Done(LandmarkId),
    /// All of these.
    All(Vec<Aim>),
    /// One of these.
    Any(Vec<Aim>),
    /// Something else, which only the game itself can tell, by a number of its own.
    Other(u32),
}

impl Aim {
    /// The parts that are not made of others, in order.
    pub fn parts(&self) -> Vec<&Aim> {
        let mut parts = Vec::new();
        self.for_each_part(&mut |part| parts.push(part));
        parts
    }

    /// Visits the parts that are not made of others, in order.
    pub fn for_each_part<'a>(&'a self, visit: &mut impl FnMut(&'a Aim)) {
        match self {
            Aim::All(aims) | Aim::Any(aims) => {
                aims.iter().for_each(|aim| aim.for_each_part(visit));
            }
            part => visit(part),
        }
    }

    /// The same without fights where there is a choice: of several ways to meet it, those in which
    /// nobody who moves is to be found, if there are any.
    pub fn without_fights(&self, landmarks: &[Landmark]) -> Aim {
        let is_fight = |aim: &&Aim| match aim {
            Aim::Done(id) => landmarks.get(id.index()).is_some_and(|mark| mark.moves),
            _ => false,
        };
        match self {
            Aim::All(aims) => {
                let aims = aims.iter().map(|aim| aim.without_fights(landmarks));
                Aim::All(aims.collect())
            }
            Aim::Any(aims) => {
                let aims: Vec<Aim> = aims
                    .iter()
                    .map(|aim| aim.without_fights(landmarks))
                    .collect();
                let is_peaceful = |aim: &Aim| !aim.parts().iter().any(is_fight);
                if !aims.iter().any(is_peaceful) {
                    return Aim::Any(aims);
                }
                Aim::Any(aims.into_iter().filter(is_peaceful).collect())
            }
            part => part.clone(),
        }
    }

    /// A lower bound of the cost to the whole, from those to its parts: the highest of all, the least
    /// of any.
    #[inline]
    pub fn fold(&self, cost: &mut impl FnMut(&Aim) -> Cost) -> Cost {
        match self {
            Aim::All(aims) => aims
                .iter()
                .fold(Cost::ZERO, |highest, aim| highest.max(aim.fold(cost))),
            Aim::Any(aims) => aims
                .iter()
                .fold(Cost::INFINITE, |least, aim| least.min(aim.fold(cost))),
            part => cost(part),
        }
    }
}
