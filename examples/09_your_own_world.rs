//! Demonstrations in a world of your own: a diver who needs air. All that Apprentice knows of it is
//! which steps there are and where a state is.

use std::sync::Arc;

use apprentice::experience::{
    Demonstration, DemonstrationGraph, Hint, Journey, OpenGround, Place, Straight, TrainingGraph,
    TrainingSettings, Ways, coverage,
};
use apprentice::search::{
    Budget, Cost, Estimate, Heuristic, MhaStar, MhaWeights, Problem, Promise, Scaled, Search,
    Successors, Weight, astar,
};

const WIDTH: i32 = 40;
const DEPTH: i32 = 14;
/// Strokes that one breath lasts.
const BREATH: i32 = 24;
/// Where air has gathered under a ledge.
const POCKET: (i32, i32) = (18, 12);
const TREASURE: (i32, i32) = (38, 9);

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Diver {
    x: i32,
    depth: i32,
    air: i32,
}

impl Diver {
    fn place(&self) -> Place {
        Place::flat(f64::from(self.x), f64::from(self.depth))
    }

    /// A lower bound that falls by no more than a stroke takes.
    fn straight(&self) -> Cost {
        Cost::round_down(self.place().distance_to(treasure()))
    }
}

fn treasure() -> Place {
    Place::flat(f64::from(TREASURE.0), f64::from(TREASURE.1))
}

/// A bay with a reef in it, which leaves a passage near the top and one at the bottom.
struct Bay;

impl Bay {
    fn is_reef(x: i32, depth: i32) -> bool {
        x == 20 && !(1..=3).contains(&depth) && depth < 12
    }
}

impl Problem for Bay {
    type State = Diver;
    type Key = Diver;
    type Action = ();

    fn start(&self) -> Diver {
        Diver {
            x: 1,
            depth: 0,
            air: BREATH,
        }
    }

    fn key(&self, diver: &Diver) -> Diver {
        *diver
    }

    fn is_goal(&self, diver: &Diver) -> bool {
        (diver.x, diver.depth) == TREASURE
    }

    fn successors(&self, diver: &Diver, out: &mut Successors<Diver, ()>) {
        for (dx, down) in [
            (1, 0),
            (1, 1),
            (0, 1),
            (-1, 1),
            (-1, 0),
            (-1, -1),
            (0, -1),
            (1, -1),
        ] {
            let (x, depth) = (diver.x + dx, diver.depth + down);
            let is_inside = (0..WIDTH).contains(&x) && (0..DEPTH).contains(&depth);
            if !is_inside || Self::is_reef(x, depth) || diver.air == 0 {
                continue;
            }
            let breathes = depth == 0 || (x, depth) == POCKET;
            let air = if breathes { BREATH } else { diver.air - 1 };
            let seconds = f64::from(dx * dx + down * down).sqrt();
            out.push((), Diver { x, depth, air }, Cost::from_seconds(seconds));
        }
    }
}

/// Swims as it was shown.
struct Following {
    shown: TrainingGraph,
    hint: Hint,
}

impl Heuristic<Bay> for Following {
    fn estimate(&mut self, _: &Bay, diver: &Diver) -> Cost {
        self.shown
            .estimate_near(diver.place(), diver.straight(), &mut self.hint)
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Somebody drew a line: down to the ledge, and through the passage at the bottom.
    let line = [(1.0, 0.0), (18.0, 12.5), (22.0, 12.5), (38.0, 9.0)];
    let line = Demonstration::drawn("below", line.map(|(x, y)| Place::flat(x, y)), 1.0);
    let mut graph = DemonstrationGraph::default();
    graph.add(&line);

    let bound = Weight::new(3.0)?;
    let settings = TrainingSettings::with_inflation(bound);
    let water = OpenGround { top_speed: 1.0 };
    let journey = Journey {
        start: Some(Bay.start().place()),
        goal: water.to(treasure()),
        ways: &water,
    };
    let shown = TrainingGraph::new(Arc::new(graph), Straight::default(), settings, &journey);
    let following = Following {
        shown,
        hint: Hint::default(),
    };
    let adviser = Scaled::new(following, settings.calibration(1.0)).ok_or("a factor in range")?;

    let anchor = Estimate::new(Promise::Consistent, Diver::straight);
    let weights = MhaWeights {
        inflation: bound,
        trust: Weight::ONE,
    };
    let mut search = MhaStar::new(anchor, vec![Box::new(adviser)], weights)?;
    search.run(&Bay, &mut Budget::units(100_000));
    let path = search.path().ok_or("the treasure is out of reach")?;
    let best = astar(&Bay, anchor).ok_or("the treasure is out of reach")?;

    let follows = |states: Vec<Place>| coverage([&line], &states);
    let as_shown = follows(path.states().map(Diver::place).collect());
    let as_is_best = follows(best.states().map(Diver::place).collect());
    println!(
        "as shown: {:.1}, {:.0} % of the line; {}",
        path.cost,
        100.0 * as_shown,
        search.guarantee()
    );
    println!(
        "the best: {:.1}, {:.0} % of the line",
        best.cost,
        100.0 * as_is_best
    );
    println!("{} expansions", search.statistics().expanded);
    assert!(as_shown > 0.9 && as_is_best < 0.5);
    Ok(())
}
