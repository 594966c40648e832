//! A problem in which one may also go to demonstrated places and along demonstrated ways. It is a
//! problem like any other, so that every search can use it.

use apprentice_search::{Budget, Cost, Heuristic, Problem, Promise, Successor, Successors, Weight};

use crate::{DemonstrationGraph, Place};

/// A problem whose states have places, between which one can go straight where nothing is in the
/// way.
pub trait Grounded: Problem {
    /// Where the character is in this state.
    fn place(&self, state: &Self::State) -> Place;

    /// Going straight from `state` to a place that need not be on any grid or lattice: what is
    /// done, where it leads and what it costs; `None` if something is in the way.
    fn go(&self, state: &Self::State, to: Place) -> Option<Successor<Self::State, Self::Action>>;
}

/// A problem with demonstrated places and ways added.
///
/// ```
/// use apprentice_experience::{Demonstration, DemonstrationGraph, Place, WithShortcuts};
/// # use apprentice_experience::{Grounded, Shortcut};
/// # use apprentice_search::{astar, Blind, Cost, Problem, Successor, Successors};
/// # /// Steps of one unit that take two seconds; a demonstrated way takes one second a unit.
/// # struct Walk;
/// # impl Problem for Walk {
/// #     type State = i32; type Key = i32; type Action = char;
/// #     fn start(&self) -> i32 { 0 }
/// #     fn key(&self, s: &i32) -> i32 { *s }
/// #     fn is_goal(&self, s: &i32) -> bool { *s == 9 }
/// #     fn successors(&self, s: &i32, out: &mut Successors<i32, char>) {
/// #         if *s < 20 { out.push('e', s + 1, Cost::from_seconds(2.0)); }
/// #     }
/// # }
/// # impl Grounded for Walk {
/// #     fn place(&self, s: &i32) -> Place { Place::flat(f64::from(*s), 0.0) }
/// #     fn go(&self, s: &i32, to: Place) -> Option<Successor<i32, char>> {
/// #         let far = (to.x - f64::from(*s)).abs();
/// #         Some(Successor { action: 'g', state: to.x as i32, cost: Cost::from_seconds(far) })
/// #     }
/// # }
/// let mut graph = DemonstrationGraph::default();
/// graph.add(&Demonstration::drawn("slide", [Place::flat(1.0, 0.0), Place::flat(8.0, 0.0)], 1.0));
///
/// let path = astar(&WithShortcuts::new(&Walk, &graph, 1.5), Blind).expect("there is a way");
/// assert_eq!(path.cost, Cost::from_seconds(1.0 + 7.0 + 2.0));
/// ```
pub struct WithShortcuts<'a, P> {
    problem: &'a P,
    graph: &'a DemonstrationGraph,
    /// How far a demonstrated place may be to be gone to.
    reach: f64,
    /// Demonstrated places from west to east.
    by_x: Vec<(f64, u32)>,
    /// Open ways by the place they leave.
    leaving: Vec<(u32, u32)>,
}

/// A state of a problem with shortcuts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShortcutState<S> {
    /// The problem's own state.
    pub state: S,
    /// The demonstrated place one stands at, if at one.
    pub at: Option<u32>,
}

/// What is done in a problem with shortcuts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shortcut<A> {
    /// A step of the problem's own.
    Step(A),
    /// Going to a demonstrated place.
    Onto {
        /// Which place.
        place: u32,
        /// What is done to get there.
        action: A,
    },
    /// Going along a demonstrated way.
    Along {
        /// Which way.
        way: u32,
        /// What is done to follow it.
        action: A,
    },
}

impl<'a, P: Grounded> WithShortcuts<'a, P> {
    /// Adds the graph's places and open ways to a problem. Places at most `reach` away are gone to.
    pub fn new(problem: &'a P, graph: &'a DemonstrationGraph, reach: f64) -> Self {
        let numbered = graph.places().iter().enumerate();
        let mut by_x: Vec<(f64, u32)> = numbered.map(|(n, at)| (at.x, n as u32)).collect();
        by_x.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let ways = graph.ways().iter().enumerate();
        let open = ways.filter(|(_, way)| way.is_open && way.from != way.to);
        let mut leaving: Vec<(u32, u32)> = open.map(|(n, way)| (way.from, n as u32)).collect();
        leaving.sort_unstable();
        WithShortcuts {
            problem,
            graph,
            reach,
            by_x,
            leaving,
        }
    }

    /// The problem without shortcuts.
    pub fn problem(&self) -> &'a P {
        self.problem
    }
}

impl<P: Grounded> Problem for WithShortcuts<'_, P> {
    type State = ShortcutState<P::State>;
    type Key = (P::Key, Option<u32>);
    type Action = Shortcut<P::Action>;

    const LISTS_IN_PARTS: bool = P::LISTS_IN_PARTS;

    fn start(&self) -> Self::State {
        ShortcutState {
            state: self.problem.start(),
            at: None,
        }
    }

    fn key(&self, state: &Self::State) -> Self::Key {
        (self.problem.key(&state.state), state.at)
    }

    fn is_goal(&self, state: &Self::State) -> bool {
        self.problem.is_goal(&state.state)
    }

    fn successors(&self, state: &Self::State, out: &mut Successors<Self::State, Self::Action>) {
        self.successors_from(state, 0, out, &mut |_| true);
    }

    fn successors_from(
        &self,
        state: &Self::State,
        from: usize,
        out: &mut Successors<Self::State, Self::Action>,
        go_on: &mut dyn FnMut(u64) -> bool,
    ) -> Option<usize> {
        if from == 0 {
            self.shortcuts(state, out);
        }
        let mut own = Successors::new();
        let next = (self.problem).successors_from(&state.state, from, &mut own, go_on);
        for step in &own {
            let then = ShortcutState {
                state: step.state.clone(),
                at: None,
            };
            out.push(Shortcut::Step(step.action.clone()), then, step.cost);
        }
        next
    }

    fn revision(&self) -> u64 {
        let graph = self.graph.revision();
        self.problem
            .revision()
            .wrapping_mul(0x9E37_79B9_7F4A_7C15)
            .wrapping_add(graph)
    }
}

impl<P: Grounded> WithShortcuts<'_, P> {
    /// Pushes what goes along demonstrations, and onto them.
    fn shortcuts(
        &self,
        state: &ShortcutState<P::State>,
        out: &mut Successors<ShortcutState<P::State>, Shortcut<P::Action>>,
    ) {
        if let Some(at) = state.at {
            let first = self.leaving.partition_point(|(from, _)| *from < at);
            for (_, way) in self.leaving[first..]
                .iter()
                .take_while(|(from, _)| *from == at)
            {
                let to = self.graph.ways()[*way as usize].to;
                if let Some(step) = self.problem.go(&state.state, self.graph.place(to)) {
                    let (way, action) = (*way, step.action);
                    let state = ShortcutState {
                        state: step.state,
                        at: Some(to),
                    };
                    out.push(Shortcut::Along { way, action }, state, step.cost);
                }
            }
        }
        let here = self.problem.place(&state.state);
        let first = self.by_x.partition_point(|(x, _)| *x < here.x - self.reach);
        let near = self.by_x[first..].iter();
        for (_, place) in near.take_while(|(x, _)| *x <= here.x + self.reach) {
            let there = self.graph.place(*place);
            if state.at == Some(*place) || here.distance_to(there) > self.reach {
                continue;
            }
            if let Some(step) = self.problem.go(&state.state, there) {
                let (place, action) = (*place, step.action);
                let state = ShortcutState {
                    state: step.state,
                    at: Some(place),
                };
                out.push(Shortcut::Onto { place, action }, state, step.cost);
            }
        }
    }
}

/// A heuristic of a problem, used where there are shortcuts. What it promises it must promise for
/// them too: as those do that rely on nothing but places and the time between them.
#[derive(Clone, Copy, Debug)]
pub struct OnShortcuts<H>(pub H);

impl<P: Grounded, H: Heuristic<P>> Heuristic<WithShortcuts<'_, P>> for OnShortcuts<H> {
    fn estimate(
        &mut self,
        problem: &WithShortcuts<'_, P>,
        state: &ShortcutState<P::State>,
    ) -> Cost {
        self.0.estimate(problem.problem, &state.state)
    }
    fn promise(&self) -> Promise {
        self.0.promise()
    }
    fn inflation(&self) -> Weight {
        self.0.inflation()
    }
    fn revision(&self) -> u64 {
        self.0.revision()
    }
    fn prepare(&mut self, problem: &WithShortcuts<'_, P>, budget: &mut Budget<'_>) -> bool {
        self.0.prepare(problem.problem, budget)
    }
}
