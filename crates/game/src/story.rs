//! A plan as it is told: where it leads, what is done on the way, and what stands beside it.

use apprentice_experience::{Demonstration, Place};
use apprentice_search::{Cost, Path, Successors};

use crate::{Game, Ground, Landmark, LandmarkId};

/// What explanations ask about a plan. [`PathStory`] tells that of any game; one that knows more can
/// tell it better.
pub trait Story {
    /// How many steps it has.
    fn steps(&self) -> usize;

    /// Where the character is after so many steps.
    fn at(&self, steps: usize) -> Place;

    /// When that is, in seconds.
    fn time(&self, steps: usize) -> f64;

    /// The landmarks of the level.
    fn landmarks(&self) -> &[Landmark];

    /// What is done in a step; the first has the number 0.
    fn deeds(&self, step: usize) -> Vec<Deed>;

    /// Demonstrations put on the floors of the level; `None` if they are.
    fn on_ground(&self, _shown: &[Demonstration]) -> Option<Vec<Demonstration>> {
        None
    }

    /// Why nobody can walk here, if nobody can.
    fn obstacle(&self, _at: Place) -> Option<Obstacle> {
        None
    }

    /// Those who may notice somebody, and from how far.
    ///
    /// Buys why a plan keeps away from where the demonstration leads, and why it sneaks.
    fn listeners(&self) -> Vec<Ears> {
        Vec::new()
    }

    /// Where one of them is after so many steps.
    fn whereabouts(&self, _steps: usize, listener: LandmarkId) -> Place {
        let mark = self.landmarks().get(listener.index());
        mark.map_or(Place::default(), |mark| mark.at)
    }

    /// Whether a step is sneaked.
    fn is_sneaked(&self, _step: usize) -> bool {
        false
    }

    /// Whether a step is made at a run.
    fn is_run(&self, _step: usize) -> bool {
        false
    }
}

/// Something that is done on the way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Deed {
    /// What is done.
    pub verb: Verb,
    /// What people call things of this sort, if the game has a word for it: a key, a door.
    pub sort: Option<&'static str>,
    /// Which thing.
    pub landmark: LandmarkId,
    /// What for, or with what.
    pub because: Option<Because>,
}

/// What is done to a thing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Verb {
    /// It is taken along.
    Fetch,
    /// It is pulled, and opens something elsewhere.
    Pull,
    /// It is opened.
    Open,
    /// It is fought until it is dead.
    Defeat,
    /// Something else.
    Do,
}

impl std::fmt::Display for Verb {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Verb::Fetch => "fetch",
            Verb::Pull => "pull",
            Verb::Open => "open",
            Verb::Defeat => "defeat",
            Verb::Do => "do",
        })
    }
}

/// What something is done for, or with what.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Because {
    /// This needs it, and people call things of its sort so, if the game has a word for it.
    NeededBy(LandmarkId, Option<&'static str>),
    /// It opens these.
    Opens(Vec<LandmarkId>),
    /// It is done with this.
    With(LandmarkId),
}

/// Why nobody can walk somewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// A wall is there.
    Wall,
    /// The map does not reach there.
    OffMap,
}

/// Somebody who may notice others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ears {
    /// Who.
    pub landmark: LandmarkId,
    /// Where it is at first.
    pub home: Place,
    /// From how far it notices somebody who walks.
    pub walking: f64,
    /// From how far it notices somebody who sneaks.
    pub sneaking: f64,
}

/// What a search found, as a story: things are done when their landmarks are.
///
/// ```
/// use std::sync::Arc;
/// use apprentice_experience::Place;
/// use apprentice_game::{Aim, Because, Game, Landmark, LandmarkId, PathStory, Story, Verb, Waypoints};
/// use apprentice_search::{Cost, Path, Problem, Successors};
///
/// /// Three places in a row: a key lies in the second, and the third is locked.
/// struct Row { ground: Arc<Waypoints>, landmarks: [Landmark; 2], aim: Aim }
/// # impl Problem for Row {
/// #     type State = usize;
/// #     type Key = usize;
/// #     type Action = ();
/// #     fn start(&self) -> usize { 0 }
/// #     fn key(&self, place: &usize) -> usize { *place }
/// #     fn is_goal(&self, place: &usize) -> bool { *place == 2 }
/// #     fn successors(&self, place: &usize, out: &mut Successors<usize, ()>) {
/// #         if *place < 2 { out.push((), place + 1, Cost::from_seconds(1.5)); }
/// #     }
/// # }
/// # impl Game for Row {
/// #     type Ground = Waypoints;
/// #     fn ground(&self) -> &Arc<Waypoints> { &self.ground }
/// #     fn place(&self, place: &usize) -> usize { *place }
/// #     fn top_speed(&self) -> f64 { 1.0 }
/// #     fn aim(&self) -> &Aim { &self.aim }
/// #     fn level(&self) -> u64 { 0 }
/// #     fn landmarks(&self) -> &[Landmark] { &self.landmarks }
/// #     fn is_done(&self, place: &usize, it: LandmarkId) -> bool { *place > it.index() }
/// # }
/// # let at = |x: usize| Place::flat(x as f64, 0.0);
/// # let mut ground = Waypoints::new((0..3).map(at))?;
/// # ground.connect(0, 1)?;
/// # ground.connect(1, 2)?;
/// let [key, door] = [0, 1].map(LandmarkId::new);
/// let landmarks = [
///     Landmark::at_place("key", at(1), 1),
///     Landmark { bars: true, opened_by: vec![key], ..Landmark::at_place("door", at(2), 2) },
/// ];
/// let row = Row { ground: Arc::new(ground), landmarks, aim: Aim::At(vec![2]) };
/// let path = Path { start: 0, steps: vec![((), 1), ((), 2)], cost: Cost::from_seconds(3.0) };
/// let story = PathStory::new(&row, &path);
/// assert_eq!((story.steps(), story.time(2)), (2, 3.0));
/// assert_eq!(story.deeds(0)[0].verb, Verb::Fetch);
/// assert_eq!(story.deeds(0)[0].because, Some(Because::NeededBy(door, None)));
/// assert_eq!(story.deeds(1)[0].because, Some(Because::With(key)));
/// # Ok::<(), apprentice_game::WaypointError>(())
/// ```
pub struct PathStory<'a, G: Game> {
    game: &'a G,
    states: Vec<&'a G::State>,
    /// When each of them is reached.
    times: Vec<Cost>,
}

impl<'a, G: Game> PathStory<'a, G> {
    /// Of a path through a game.
    pub fn new(game: &'a G, path: &'a Path<G::State, G::Action>) -> PathStory<'a, G> {
        let states: Vec<&G::State> = path.states().collect();
        let mut times = vec![Cost::ZERO];
        for pair in states.windows(2) {
            let takes = step_cost(game, pair[0], pair[1]);
            times.push(times[times.len() - 1] + takes);
        }
        PathStory {
            game,
            states,
            times,
        }
    }

    fn is_done(&self, steps: usize, landmark: LandmarkId) -> bool {
        let state = self.states.get(steps);
        state.is_some_and(|state| self.game.is_done(state, landmark))
    }

    /// Whether a landmark is done in a step, and was not before.
    fn is_deed(&self, step: usize, landmark: LandmarkId) -> bool {
        self.is_done(step + 1, landmark) && !self.is_done(step, landmark)
    }

    fn because(&self, step: usize, id: LandmarkId, mark: &Landmark) -> Option<Because> {
        if mark.bars {
            let mut openers = mark.opened_by.iter();
            let with = openers.find(|opener| self.is_done(step, **opener));
            return with.map(|opener| Because::With(*opener));
        }
        if !mark.opens.is_empty() {
            return Some(Because::Opens(mark.opens.clone()));
        }
        let mut later = (step + 1..self.steps()).flat_map(|later| {
            let all = (0..).map(LandmarkId::new).zip(self.game.landmarks());
            all.map(move |(door, mark)| (later, door, mark))
        });
        let needs = later.find(|(later, door, mark)| {
            mark.bars && mark.opened_by.contains(&id) && self.is_deed(*later, *door)
        });
        needs.map(|(_, door, _)| Because::NeededBy(door, None))
    }
}

/// What the cheapest step from one state to another costs.
fn step_cost<G: Game>(game: &G, from: &G::State, to: &G::State) -> Cost {
    let mut out = Successors::new();
    game.successors(from, &mut out);
    let key = game.key(to);
    let steps = out.iter().filter(|step| game.key(&step.state) == key);
    let costs = steps.map(|step| step.cost);
    costs.min().unwrap_or(Cost::ZERO)
}

impl<G: Game> Story for PathStory<'_, G> {
    fn steps(&self) -> usize {
        self.states.len() - 1
    }

    fn at(&self, steps: usize) -> Place {
        self.game.at(self.states[steps])
    }

    fn time(&self, steps: usize) -> f64 {
        self.times[steps].as_seconds()
    }

    fn landmarks(&self) -> &[Landmark] {
        self.game.landmarks()
    }

    fn deeds(&self, step: usize) -> Vec<Deed> {
        let all = (0..).map(LandmarkId::new).zip(self.game.landmarks());
        let done = all.filter(|(id, _)| self.is_deed(step, *id));
        let deeds = done.map(|(landmark, mark)| {
            let because = self.because(step, landmark, mark);
            let verb = match because {
                _ if mark.bars => Verb::Open,
                Some(Because::Opens(_)) => Verb::Pull,
                Some(Because::NeededBy(..)) => Verb::Fetch,
                _ => Verb::Do,
            };
            Deed {
                verb,
                sort: None,
                landmark,
                because,
            }
        });
        deeds.collect()
    }

    fn obstacle(&self, at: Place) -> Option<Obstacle> {
        let is_near = self.game.ground().nearest(at).is_some();
        (!is_near).then_some(Obstacle::OffMap)
    }
}
