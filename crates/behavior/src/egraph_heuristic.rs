//! The E-Graph estimate for any quest: the cheapest mix of inflated ways and demonstrated ones.

use std::sync::{Arc, Mutex};

use apprentice_experience::{
    Cells, Demonstration, DemonstrationGraph, DemonstrationGraphBuilder, DownProjected,
    ExperienceGraph, ExperienceMode, Hint, Pairing, Place, Sample,
};
use apprentice_game::{Aim, Game, Ground, Pace};
use apprentice_search::{Budget, Cost, Heuristic, Promise, Weight};

use crate::ground::{level_of, straight};
use crate::shelf::{Shelf, open};
use crate::tgraph_heuristic::goal_places;

/// The E-Graph estimate. Demonstrations are first moved to where one can walk, place by place,
/// unless the mode says that they only guide.
///
/// It is consistent up to its inflation, whatever was demonstrated.
#[derive(Clone)]
pub struct EGraphHeuristic {
    demonstrations: Arc<[Demonstration]>,
    inflation: Weight,
    mode: ExperienceMode,
    /// What it is made for: the level, the goal, and the world if the goal is about more than
    /// places.
    key: Option<Key>,
    ready: Option<Ready>,
    /// What is ready, or being made so, for all clones.
    known: Arc<Mutex<Shelf<(Key, Known)>>>,
}

type Key = (u64, Aim, Option<u64>);

/// What is made ready once for all.
enum Known {
    Making(Making),
    Ready(Ready),
}

/// What is being made ready, a little at a time.
#[derive(Clone)]
enum Making {
    /// Demonstrations become one graph.
    Graph(Box<Gathering>),
    Straight(Box<Pairing>),
    Swept(DownProjected),
}

/// Demonstrations that become one graph.
#[derive(Clone, Default)]
struct Gathering {
    graph: DemonstrationGraph,
    /// So many are in it.
    added: usize,
    /// The one that is being added, with a sample at every step of its way if it is to be walked.
    adding: DemonstrationGraphBuilder,
    walked: Option<Demonstration>,
}

#[derive(Clone)]
enum Ready {
    /// Straight lines between places.
    Straight {
        experience: Arc<ExperienceGraph>,
        hint: Hint,
    },
    /// Shortest ways over the map, by one sweep.
    Swept(Arc<DownProjected>),
}

/// With more places than this, looking at every pair of them takes too long, and the map is swept.
const MOST_PAIRED: usize = 2_000;

impl EGraphHeuristic {
    /// Recalls these demonstrations; whatever was not shown counts `inflation` times.
    pub fn new(
        demonstrations: Arc<[Demonstration]>,
        inflation: Weight,
        mode: ExperienceMode,
    ) -> EGraphHeuristic {
        EGraphHeuristic {
            demonstrations,
            inflation,
            mode,
            key: None,
            ready: None,
            known: Arc::default(),
        }
    }

    /// Goes on with what is being made; `None` if the budget is spent first.
    fn go_on<Q: Game>(
        &self,
        game: &Q,
        making: &mut Making,
        budget: &mut Budget<'_>,
    ) -> Option<Ready> {
        let ground = &**game.ground();
        let steps = Steps {
            ground,
            pace: Pace::new(game.top_speed(), ground.spacing()),
        };
        if let Making::Graph(gathering) = making {
            while let Some(shown) = self.demonstrations.get(gathering.added) {
                let shown = if self.is_walked() {
                    let walked = || along(shown, ground.spacing());
                    &*gathering.walked.get_or_insert_with(walked)
                } else {
                    shown
                };
                if !gathering.adding.go_on(&mut gathering.graph, shown, budget) {
                    return None;
                }
                gathering.added += 1;
                gathering.adding = DemonstrationGraphBuilder::default();
                gathering.walked = None;
            }
            let mut graph = std::mem::take(&mut gathering.graph);
            if self.is_walked() {
                graph = graph.moved(|place| {
                    let nearest = ground.nearest(place);
                    nearest.map(|nearest| ground.at(nearest))
                });
            }
            *making = self.with_graph(game, graph, &steps);
        }
        match making {
            Making::Graph(..) => None,
            Making::Straight(pairing) => pairing.go_on(budget).then(|| Ready::Straight {
                experience: Arc::new((**pairing).clone().finish()),
                hint: Hint::default(),
            }),
            Making::Swept(field) => {
                let is_done = field.sweep(&steps, budget);
                is_done.then(|| Ready::Swept(Arc::new(field.clone())))
            }
        }
    }

    /// Whether demonstrations are moved to where one can walk.
    fn is_walked(&self) -> bool {
        self.mode != ExperienceMode::HeuristicOnly
    }

    fn with_graph<Q: Game>(
        &self,
        game: &Q,
        graph: DemonstrationGraph,
        steps: &Steps<'_, Q::Ground>,
    ) -> Making {
        let (ground, speed) = (steps.ground, steps.pace.speed());
        let straight = straight(ground, speed);
        if graph.places().len() > MOST_PAIRED {
            let goals = goal_places(game.aim(), game);
            let goals = goals.into_iter().map(|place| place as u32);
            let field = DownProjected::to(steps, &graph, &straight, self.inflation, goals);
            return Making::Swept(field);
        }
        let to_goal = |place: Place| match ground.nearest(place) {
            Some(number) => {
                let near = game.straight_from(number).as_seconds();
                // A place beside the nearest one may be nearer to the goal by that much.
                let beside = place.distance_to(ground.at(number));
                (near - beside / speed).max(0.0)
            }
            None => f64::INFINITY,
        };
        let graph = Arc::new(graph);
        let pairing = Pairing::new(graph, straight, self.inflation, to_goal);
        Making::Straight(Box::new(pairing))
    }
}

/// Whether how far a part of a goal is depends on more than where one is: on what is held, pulled,
/// or alive and where.
fn looks_at_the_world<Q: Game>(part: &Aim, game: &Q) -> bool {
    match part {
        Aim::Within { .. } | Aim::At(_) => false,
        Aim::Done(landmark) => {
            let mark = game.landmarks().get(landmark.index());
            mark.is_some_and(|mark| !mark.bars)
        }
        _ => true,
    }
}

/// The same demonstration with a sample at every step of its way.
fn along(shown: &Demonstration, step: f64) -> Demonstration {
    const MOST_PIECES: f64 = 10_000.0;
    let mut samples: Vec<Sample> = Vec::new();
    for pair in shown.samples.windows(2) {
        let length = pair[0].place.distance_to(pair[1].place);
        let pieces = (length / step).ceil().clamp(1.0, MOST_PIECES) as u32;
        for piece in 0..pieces {
            let part = f64::from(piece) / f64::from(pieces);
            samples.push(Sample {
                time: pair[0].time + (pair[1].time - pair[0].time) * part,
                place: pair[0].place.toward(pair[1].place, part),
                stance: pair[0].stance.clone(),
            });
        }
    }
    samples.extend(shown.samples.last().cloned());
    Demonstration {
        name: shown.name.clone(),
        samples,
    }
}

impl EGraphHeuristic {
    /// The estimate for somebody at a place, if the straight line says so much.
    pub(crate) fn estimate_from(&mut self, place: usize, at: Place, straight: Cost) -> Cost {
        match &mut self.ready {
            Some(Ready::Straight { experience, hint }) => {
                experience.estimate_near(at, straight, hint)
            }
            Some(Ready::Swept(field)) => {
                // Whatever the goal says beside places, the straight line knows.
                let highest = self.inflation.inflate(straight);
                field.estimate(place as u32).min(highest).max(straight)
            }
            None => {
                debug_assert!(false, "prepare comes before the first estimate");
                straight
            }
        }
    }
}

impl<Q: Game> Heuristic<Q> for EGraphHeuristic {
    fn estimate(&mut self, game: &Q, state: &Q::State) -> Cost {
        self.estimate_from(game.place(state), game.at(state), game.straight(state))
    }

    fn promise(&self) -> Promise {
        Promise::Consistent
    }

    fn inflation(&self) -> Weight {
        self.inflation
    }

    fn prepare(&mut self, game: &Q, budget: &mut Budget<'_>) -> bool {
        let parts = game.aim().parts().into_iter();
        let mut looks = parts.map(|part| looks_at_the_world(part, game));
        let world = looks.any(|looks| looks).then(|| game.revision());
        let key = (level_of(game), game.aim().clone(), world);
        if self.key.as_ref() == Some(&key) {
            return true;
        }
        let shared = Arc::clone(&self.known);
        let mut shared = open(&shared);
        let begun = || (key.clone(), Known::Making(Making::Graph(Box::default())));
        let (_, known) = shared.find_or_put(|(other, _)| *other == key, begun);
        if let Known::Making(making) = known {
            let Some(ready) = self.go_on(game, making, budget) else {
                return false;
            };
            *known = Known::Ready(ready);
        }
        if let Known::Ready(ready) = known {
            self.ready = Some(ready.clone());
        }
        self.key = Some(key);
        true
    }
}

/// The steps of a map, as a sweep sees them.
struct Steps<'a, G> {
    ground: &'a G,
    pace: Pace,
}

impl<G: Ground> Cells for Steps<'_, G> {
    fn count(&self) -> u32 {
        self.ground.places() as u32
    }

    fn cell(&self, place: Place) -> Option<u32> {
        self.ground.nearest(place).map(|place| place as u32)
    }

    fn place(&self, cell: u32) -> Place {
        self.ground.at(cell as usize)
    }

    fn steps_into(&self, cell: u32, found: &mut dyn FnMut(u32, f64)) {
        self.ground
            .each_step_into(cell as usize, &self.pace, |step| {
                found(step.place as u32, step.cost.as_seconds());
            });
    }
}
