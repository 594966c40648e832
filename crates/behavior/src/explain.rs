//! Which demonstration a plan follows where, where it leaves it, and why.

use apprentice_experience::{Demonstration, NEAR, Place, Relevance, distance_to_line};
use apprentice_game::{Because, Deed, Landmark, LandmarkId, Obstacle, Story, Verb};

/// A plan explained: step by step which demonstration it follows, where it leaves one and why, why
/// it sneaks where it does, and what was ignored.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Explanation {
    /// The plan from its start to its end, in stretches.
    pub stretches: Vec<Stretch>,
    /// Where it sneaks, and because of whom.
    pub sneaking: Vec<Sneaking>,
    /// Where it runs: the seconds of the plan, from and to.
    pub running: Vec<(f64, f64)>,
    /// Demonstrations it hardly follows anywhere.
    pub ignored: Vec<Ignored>,
}

/// Steps of a plan in a row that follow the same demonstration, or none.
#[derive(Clone, Debug, PartialEq)]
pub struct Stretch {
    /// The number of its first step, counting from 1.
    pub first: usize,
    /// The number of its last step.
    pub last: usize,
    /// The seconds of the plan it takes, from and to.
    pub time: (f64, f64),
    /// What it follows.
    pub follows: Option<Followed>,
    /// Why it goes elsewhere, and what it does on the way.
    pub reasons: Vec<Reason>,
}

/// A part of a demonstration that is followed.
#[derive(Clone, Debug, PartialEq)]
pub struct Followed {
    /// Its number.
    pub demonstration: usize,
    /// What people call it.
    pub name: String,
    /// The seconds of the demonstration, from and to.
    pub time: (f64, f64),
    /// How long all of it takes.
    pub of: f64,
}

/// Why a plan is not where a demonstration is, or what it does there.
#[derive(Clone, Debug, PartialEq)]
pub enum Reason {
    /// Something is fetched, pulled, opened or defeated.
    Does {
        /// What is done.
        deed: NamedDeed,
        /// How far from the nearest demonstration it is, and in which direction; `None` if it lies
        /// on one, or there is none.
        off: Option<(f64, &'static str)>,
    },
    /// A wall stands where the demonstration leads.
    Wall {
        /// Where it begins.
        at: Place,
    },
    /// The demonstration leads off the map.
    OffMap {
        /// Where.
        at: Place,
    },
    /// The demonstration passes somebody too closely.
    Enemy {
        /// Who.
        id: String,
        /// How near it passes.
        distance: f64,
        /// From how far they notice somebody who walks.
        notices: f64,
    },
    /// Another way to where the demonstration leads takes less time.
    Shorter {
        /// So many seconds less.
        saves: f64,
    },
    /// A part of the demonstration leads elsewhere than to what is done: nobody comes nearer to it by
    /// following that part than by leaving the demonstration where it begins, or joining it where it
    /// ends.
    LeftOut {
        /// What people call the demonstration.
        name: String,
        /// The seconds of the demonstration, from and to.
        time: (f64, f64),
    },
    /// The demonstration has not begun here.
    Begins,
    /// The demonstration ends elsewhere.
    Ends,
}

/// What is done on the way, to what, and what for. Everything goes by the name of its landmark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedDeed {
    /// What is done.
    pub verb: Verb,
    /// What people call things of this sort, if the game has a word for it.
    pub sort: Option<&'static str>,
    /// Which thing.
    pub name: String,
    /// What for, or with what.
    pub purpose: Option<Purpose>,
}

/// What something is done for, or with what.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Purpose {
    /// This needs it.
    NeededBy {
        /// What people call things of its sort, if the game has a word for it.
        sort: Option<&'static str>,
        /// Which thing.
        name: String,
    },
    /// It opens these.
    Opens(Vec<String>),
    /// It is done with this.
    With(String),
}

/// Steps in a row that are sneaked.
#[derive(Clone, Debug, PartialEq)]
pub struct Sneaking {
    /// The number of the first step, counting from 1.
    pub first: usize,
    /// The number of the last step.
    pub last: usize,
    /// The seconds of the plan, from and to.
    pub time: (f64, f64),
    /// Who would notice somebody who walks: their id, how near the plan comes, and from how far
    /// they notice walkers and sneakers. `None` if nobody would.
    pub because_of: Option<Listener>,
}

/// Somebody who would notice a walker.
#[derive(Clone, Debug, PartialEq)]
pub struct Listener {
    /// Who.
    pub id: String,
    /// How near the plan comes.
    pub distance: f64,
    /// From how far they notice somebody who walks.
    pub walking: f64,
    /// From how far they notice somebody who sneaks.
    pub sneaking: f64,
}

/// A demonstration that is hardly followed.
#[derive(Clone, Debug, PartialEq)]
pub struct Ignored {
    /// Its number.
    pub demonstration: usize,
    /// What people call it.
    pub name: String,
    /// Why.
    pub why: WhyIgnored,
}

/// Why a demonstration is hardly followed.
#[derive(Clone, Debug, PartialEq)]
pub enum WhyIgnored {
    /// The way along it takes more than the inflation, or the bound of `auto`, allows.
    TooLong {
        /// How many times the direct way it takes.
        detour: f64,
        /// How many times the direct way it may take.
        epsilon: f64,
    },
    /// No way leads from its end to the goal.
    LeadsNowhere,
    /// It shows no way at all.
    Empty,
    /// The planner does not look at demonstrations.
    NotAsked,
    /// Something else serves better.
    Better,
}

/// What is explained.
#[derive(Clone, Copy)]
pub struct Explained<'a, S> {
    /// The plan, as it is told.
    pub story: S,
    /// The demonstrations there were.
    pub demonstrations: &'a [Demonstration],
    /// Whether each of them attracted, if the planner follows demonstrations; none for one without
    /// a way to follow.
    pub relevances: Option<&'a [Option<Relevance>]>,
}

/// A stretch of a demonstration shorter than this is crossed, not followed.
const SHORTEST: usize = 3;
/// A plan that leaves a demonstration for no more than this has not left it.
const SHORTEST_LEAVE: usize = 2;
/// A demonstration of which less is followed is ignored.
const IGNORED: f64 = 0.1;
/// Things nearer than this are on the demonstration, in cells or metres.
const ON_IT: f64 = 1.0;
/// Seconds of a demonstration one may fall back and still follow it: corners are cut.
const BACKWARDS: f64 = 2.0;
/// A part of a demonstration that is shorter, in seconds, is not missed.
const SHORTEST_LEFT_OUT: f64 = 3.0;
/// Seconds that are worth mentioning.
const WORTH_MENTIONING: f64 = 0.5;

impl<S: Story> Explained<'_, S> {
    /// The explanation.
    pub fn explain(&self) -> Explanation {
        if self.story.steps() == 0 {
            return Explanation::default();
        }
        let on_ground = self.story.on_ground(self.demonstrations);
        Told {
            story: &self.story,
            demonstrations: on_ground.as_deref().unwrap_or(self.demonstrations),
            relevances: self.relevances,
        }
        .explain()
    }
}

/// What is explained, with demonstrations on the floors of the level.
struct Told<'a, S> {
    story: &'a S,
    demonstrations: &'a [Demonstration],
    relevances: Option<&'a [Option<Relevance>]>,
}

impl<S: Story> Told<'_, S> {
    fn explain(&self) -> Explanation {
        let way: Vec<Place> = (0..=self.story.steps())
            .map(|steps| self.story.at(steps))
            .collect();
        let followed = self.followed_at(&way);
        let stretches = self.stretches(&way, &followed);
        Explanation {
            sneaking: self.sneaking(&way),
            running: self.running(),
            ignored: self.ignored(&stretches),
            stretches,
        }
    }

    fn time_of(&self, number: usize) -> f64 {
        self.story.time(number)
    }

    fn landmark(&self, landmark: LandmarkId) -> Option<&Landmark> {
        self.story.landmarks().get(landmark.index())
    }

    fn name(&self, landmark: LandmarkId) -> &str {
        self.landmark(landmark).map_or("", |mark| &mark.name)
    }

    /// For each point of the plan, the demonstration that is followed there and its second.
    fn followed_at(&self, way: &[Place]) -> Vec<Option<(usize, f64)>> {
        let mut since = vec![0.0; self.demonstrations.len()];
        let mut now: Option<usize> = None;
        let mut all = Vec::with_capacity(way.len());
        for at in way {
            let near: Vec<(usize, f64, f64)> = self
                .demonstrations
                .iter()
                .enumerate()
                .filter_map(|(number, shown)| {
                    let here = shown.whereabouts(*at, since[number])?;
                    // Whoever goes backwards does not follow.
                    let goes_on = here.time >= since[number] - BACKWARDS;
                    let is_near = here.distance <= NEAR && at.is_on_floor_of(here.nearest);
                    let follows = is_near && goes_on;
                    follows.then_some((number, here.time, here.distance))
                })
                .collect();
            let stays = near.iter().find(|(number, ..)| Some(*number) == now);
            let nearest = || near.iter().min_by(|a, b| a.2.total_cmp(&b.2));
            let chosen = stays
                .or_else(nearest)
                .map(|(number, time, _)| (*number, *time));
            if let Some((number, time)) = chosen {
                since[number] = since[number].max(time);
            }
            now = chosen.map(|(number, _)| number);
            all.push(chosen);
        }
        // Short stretches are accidents: of crossing a demonstration, or of cutting a corner.
        let demonstrations = |all: &[Option<(usize, f64)>]| -> Vec<Option<usize>> {
            all.iter().map(|at| at.map(|(number, _)| number)).collect()
        };
        for run in runs(&demonstrations(&all)) {
            let (first, last) = (run.start, run.end);
            if all[first].is_some() && last - first < SHORTEST && last - first < all.len() {
                all[first..last].fill(None);
            }
        }
        for run in runs(&demonstrations(&all)) {
            let between = run.start > 0 && run.end < all.len();
            if all[run.start].is_none() && between && run.end - run.start <= SHORTEST_LEAVE {
                let (before, after) = (all[run.start - 1], all[run.end]);
                if before.map(|(number, _)| number) == after.map(|(number, _)| number) {
                    for at in run {
                        all[at] = before;
                    }
                }
            }
        }
        all
    }

    fn stretches(&self, way: &[Place], followed: &[Option<(usize, f64)>]) -> Vec<Stretch> {
        // A step belongs to what is followed where it ends.
        let steps: Vec<Option<usize>> = followed[1..]
            .iter()
            .map(|at| at.map(|(number, _)| number))
            .collect();
        let runs = runs(&steps);
        let mut stretches = Vec::with_capacity(runs.len());
        for run in &runs {
            let (first, last) = (run.start + 1, run.end);
            let follows = steps[run.start].map(|number| {
                let shown = &self.demonstrations[number];
                let seconds = followed[first..=last].iter().flatten();
                let seconds = seconds.map(|(_, time)| *time);
                Followed {
                    demonstration: number,
                    name: shown.name.clone(),
                    time: (
                        seconds.clone().fold(f64::INFINITY, f64::min),
                        seconds.fold(f64::NEG_INFINITY, f64::max),
                    ),
                    of: shown.duration(),
                }
            });
            let mut reasons = self.deeds(first, last);
            if follows.is_none() {
                let before = (run.start > 0).then(|| followed[run.start]).flatten();
                let after = followed.get(run.end + 1).copied().flatten();
                let mut others = self.reasons_to_leave(way, (first, last), before, after);
                if !reasons.is_empty() {
                    // Whoever goes to fetch something needs no other reason, but a wall is one.
                    others.retain(Reason::is_obstacle);
                    reasons.extend(self.leads_elsewhere((first, last), before, after));
                }
                reasons.extend(others);
            }
            stretches.push(Stretch {
                first,
                last,
                time: (self.time_of(first - 1), self.time_of(last)),
                follows,
                reasons,
            });
        }
        stretches
    }

    /// What is done in these steps.
    fn deeds(&self, first: usize, last: usize) -> Vec<Reason> {
        let deeds = (first - 1..last).flat_map(|step| self.story.deeds(step));
        deeds.map(|deed| self.does(&deed)).collect()
    }

    fn does(&self, deed: &Deed) -> Reason {
        let at = self.landmark(deed.landmark).map(|mark| mark.at);
        Reason::Does {
            deed: NamedDeed {
                verb: deed.verb,
                sort: deed.sort,
                name: self.name(deed.landmark).to_owned(),
                purpose: deed.because.as_ref().and_then(|why| self.purpose(why)),
            },
            off: at.and_then(|at| self.off_demonstrations(at)),
        }
    }

    fn purpose(&self, why: &Because) -> Option<Purpose> {
        let name = |landmark: &LandmarkId| self.name(*landmark).to_owned();
        Some(match why {
            Because::NeededBy(landmark, sort) => Purpose::NeededBy {
                sort: *sort,
                name: name(landmark),
            },
            Because::Opens(landmarks) => Purpose::Opens(landmarks.iter().map(name).collect()),
            Because::With(landmark) => Purpose::With(name(landmark)),
            _ => return None,
        })
    }

    /// The part of a demonstration that is left out in these steps, if it leads elsewhere than to
    /// what is done in them.
    fn leads_elsewhere(
        &self,
        (first, last): (usize, usize),
        before: Option<(usize, f64)>,
        after: Option<(usize, f64)>,
    ) -> Option<Reason> {
        let (number, from, to) = self.left_out(before, after)?;
        let deeds = (first - 1..last).flat_map(|step| self.story.deeds(step));
        let places: Vec<Place> = deeds
            .filter_map(|deed| Some(self.landmark(deed.landmark)?.at))
            .collect();
        let shown = &self.demonstrations[number];
        let part = points_between(shown, from, to);
        let comes_no_nearer = |place: &Place| {
            let distances = part.iter().map(|at| at.distance_to(*place));
            let ends = [part.first()?, part.last()?].map(|at| at.distance_to(*place));
            let ends = ends[0].min(ends[1]);
            let least = distances.fold(f64::INFINITY, f64::min);
            Some(ends >= ON_IT && least > ends - ON_IT)
        };
        let is_useless = places
            .iter()
            .all(|place| comes_no_nearer(place) == Some(true));
        let is_long = to - from >= SHORTEST_LEFT_OUT;
        (is_long && is_useless && !places.is_empty()).then(|| Reason::LeftOut {
            name: shown.name.clone(),
            time: (from, to),
        })
    }

    /// Which demonstration is left between two points of a plan that follow it, or before or after
    /// one that does, and the seconds of it that are left out.
    fn left_out(
        &self,
        before: Option<(usize, f64)>,
        after: Option<(usize, f64)>,
    ) -> Option<(usize, f64, f64)> {
        match (before, after) {
            (Some((number, from)), Some((next, to))) if number == next => Some((number, from, to)),
            (Some((number, from)), None) => {
                Some((number, from, self.demonstrations[number].duration()))
            }
            (None, Some((number, to))) => Some((number, 0.0, to)),
            _ => None,
        }
    }

    /// How far a place is from the nearest demonstration, and in which direction.
    fn off_demonstrations(&self, place: Place) -> Option<(f64, &'static str)> {
        let mut nearest: Option<(f64, Place)> = None;
        for shown in self.demonstrations {
            let Some(here) = shown.whereabouts(place, 0.0) else {
                continue;
            };
            if nearest.is_none_or(|(distance, _)| here.distance < distance) {
                nearest = Some((here.distance, here.nearest));
            }
        }
        let (distance, point) = nearest?;
        (distance >= ON_IT).then(|| (distance, direction(point, place)))
    }

    /// Why nothing is followed in these steps, judged by the part of the demonstration that is left
    /// out.
    fn reasons_to_leave(
        &self,
        way: &[Place],
        (first, last): (usize, usize),
        before: Option<(usize, f64)>,
        after: Option<(usize, f64)>,
    ) -> Vec<Reason> {
        let Some((number, from, to)) = self.left_out(before, after) else {
            return Vec::new();
        };
        if to - from < WORTH_MENTIONING {
            match (before, after) {
                (Some(_), None) => return vec![Reason::Ends],
                (None, Some(_)) => return vec![Reason::Begins],
                _ => {}
            }
        }
        let shown = &self.demonstrations[number];
        let mut reasons = Vec::new();
        let part = points_between(shown, from, to);
        reasons.extend(self.obstacle(&part));
        reasons.extend(self.enemy_beside(&part));
        let takes = self.time_of(last) - self.time_of(first - 1);
        let saves = (to - from) - takes;
        if reasons.is_empty() && saves >= WORTH_MENTIONING {
            reasons.push(Reason::Shorter { saves });
        }
        if reasons.is_empty() && after.is_none() && way.len() == last + 1 {
            reasons.push(Reason::Ends);
        }
        reasons
    }

    /// Where nobody can walk along these points, if so.
    fn obstacle(&self, part: &[Place]) -> Option<Reason> {
        part.iter().find_map(|at| {
            let at = *at;
            Some(match self.story.obstacle(at)? {
                Obstacle::Wall => Reason::Wall { at },
                Obstacle::OffMap => Reason::OffMap { at },
            })
        })
    }

    /// The enemy somebody who walks along these points would meet most closely.
    fn enemy_beside(&self, part: &[Place]) -> Option<Reason> {
        let mut worst: Option<(f64, Reason)> = None;
        for ears in self.story.listeners() {
            let notices = ears.walking;
            let distances = part
                .windows(2)
                .map(|pair| distance_to_line(ears.home, pair[0], pair[1]));
            let distance = distances.fold(f64::INFINITY, f64::min);
            let depth = notices - distance;
            if depth > 0.0 && worst.as_ref().is_none_or(|(other, _)| depth > *other) {
                let reason = Reason::Enemy {
                    id: self.name(ears.landmark).to_owned(),
                    distance,
                    notices,
                };
                worst = Some((depth, reason));
            }
        }
        worst.map(|(_, reason)| reason)
    }

    fn sneaking(&self, way: &[Place]) -> Vec<Sneaking> {
        let steps = 0..self.story.steps();
        let sneaks: Vec<bool> = steps.map(|step| self.story.is_sneaked(step)).collect();
        let runs = runs(&sneaks).into_iter();
        runs.filter(|run| sneaks[run.start])
            .map(|run| {
                let (first, last) = (run.start + 1, run.end);
                Sneaking {
                    first,
                    last,
                    time: (self.time_of(first - 1), self.time_of(last)),
                    because_of: self.listener(way, first, last),
                }
            })
            .collect()
    }

    fn running(&self) -> Vec<(f64, f64)> {
        let steps = 0..self.story.steps();
        let runs_in: Vec<bool> = steps.map(|step| self.story.is_run(step)).collect();
        let stretches = runs(&runs_in).into_iter();
        let run = stretches.filter(|stretch| runs_in[stretch.start]);
        run.map(|stretch| (self.time_of(stretch.start), self.time_of(stretch.end)))
            .collect()
    }

    /// Who would hear a walker in these steps, the one that is deepest in its hearing.
    fn listener(&self, way: &[Place], first: usize, last: usize) -> Option<Listener> {
        let mut worst: Option<(f64, Listener)> = None;
        for ears in self.story.listeners() {
            let distances = (first..=last).map(|steps| {
                let listener = self.story.whereabouts(steps, ears.landmark);
                way[steps].distance_to(listener)
            });
            let distance = distances.fold(f64::INFINITY, f64::min);
            let depth = ears.walking - distance;
            if depth >= 0.0 && worst.as_ref().is_none_or(|(other, _)| depth > *other) {
                let listener = Listener {
                    id: self.name(ears.landmark).to_owned(),
                    distance,
                    walking: ears.walking,
                    sneaking: ears.sneaking,
                };
                worst = Some((depth, listener));
            }
        }
        worst.map(|(_, listener)| listener)
    }

    fn ignored(&self, stretches: &[Stretch]) -> Vec<Ignored> {
        let mut ignored = Vec::new();
        for (number, shown) in self.demonstrations.iter().enumerate() {
            let followed = stretches
                .iter()
                .filter_map(|stretch| stretch.follows.as_ref())
                .filter(|followed| followed.demonstration == number)
                .map(|followed| followed.time.1 - followed.time.0);
            let followed: f64 = followed.sum();
            let is_followed = stretches.iter().any(|stretch| {
                let follows = stretch.follows.as_ref();
                follows.is_some_and(|followed| followed.demonstration == number)
            });
            if is_followed && followed >= IGNORED * shown.duration() {
                continue;
            }
            let relevance = self
                .relevances
                .map(|all| all.get(number).and_then(Option::as_ref));
            let why = match relevance {
                None => WhyIgnored::NotAsked,
                Some(None) => WhyIgnored::Empty,
                Some(Some(relevance)) if !relevance.onward.is_finite() => WhyIgnored::LeadsNowhere,
                Some(Some(relevance)) if !relevance.attracts() => WhyIgnored::TooLong {
                    detour: relevance.detour(),
                    epsilon: relevance.epsilon,
                },
                Some(Some(_)) => WhyIgnored::Better,
            };
            ignored.push(Ignored {
                demonstration: number,
                name: shown.name.clone(),
                why,
            });
        }
        ignored
    }
}

/// Equal values in a row.
fn runs<T: PartialEq>(values: &[T]) -> Vec<std::ops::Range<usize>> {
    let mut runs: Vec<std::ops::Range<usize>> = Vec::new();
    for (place, value) in values.iter().enumerate() {
        match runs.last_mut() {
            Some(run) if values[run.start] == *value => run.end = place + 1,
            _ => runs.push(place..place + 1),
        }
    }
    runs
}

/// Where a demonstration is at a second of it.
fn point_at(shown: &Demonstration, time: f64) -> Place {
    let begins = shown.samples.first().map_or(0.0, |first| first.time);
    let time = time + begins;
    for pair in shown.samples.windows(2) {
        if time <= pair[1].time {
            let span = pair[1].time - pair[0].time;
            let part = if span > 0.0 {
                (time - pair[0].time) / span
            } else {
                0.0
            };
            return pair[0].place.toward(pair[1].place, part.clamp(0.0, 1.0));
        }
    }
    shown
        .samples
        .last()
        .map(|last| last.place)
        .unwrap_or_default()
}

/// Points of a demonstration between two of its seconds, four a second and a thousand at most.
fn points_between(shown: &Demonstration, from: f64, to: f64) -> Vec<Place> {
    let count = ((to - from) * 4.0).ceil().clamp(1.0, 1_000.0) as u32;
    (0..=count)
        .map(|number| {
            point_at(
                shown,
                from + (to - from) * f64::from(number) / f64::from(count),
            )
        })
        .collect()
}

/// In which direction it is from one place to another.
fn direction(from: Place, to: Place) -> &'static str {
    let (x, y) = (to.x - from.x, to.y - from.y);
    // The tangent of an eighth of a right angle's half: where north becomes north-east.
    const HALF: f64 = 0.414_213_562_373_095;
    let (wide, high) = (x.abs(), y.abs());
    match () {
        () if high < wide * HALF => {
            if x > 0.0 {
                "east"
            } else {
                "west"
            }
        }
        () if wide < high * HALF => {
            if y > 0.0 {
                "south"
            } else {
                "north"
            }
        }
        () => match (x > 0.0, y > 0.0) {
            (true, true) => "south-east",
            (true, false) => "north-east",
            (false, true) => "south-west",
            (false, false) => "north-west",
        },
    }
}

impl Reason {
    fn is_obstacle(&self) -> bool {
        matches!(self, Reason::Wall { .. } | Reason::OffMap { .. })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_are_those_of_the_map() {
        let here = Place::flat(0.0, 0.0);
        for (x, y, name) in [
            (1.0, 0.1, "east"),
            (1.0, 1.0, "south-east"),
            (0.1, 1.0, "south"),
            (-1.0, 1.0, "south-west"),
            (-1.0, 0.0, "west"),
            (-1.0, -1.0, "north-west"),
            (0.0, -1.0, "north"),
            (1.0, -1.0, "north-east"),
        ] {
            assert_eq!(direction(here, Place::flat(x, y)), name);
        }
    }

    #[test]
    fn equal_values_in_a_row_are_one_run() {
        assert_eq!(runs(&[1, 1, 2, 1]), [0..2, 2..3, 3..4]);
        assert!(runs::<u8>(&[]).is_empty());
    }
}
