//! Plans depth first, with a stack of its own: it can be paused after every iteration, improves
//! while there is time, and remembers where it failed.

use std::collections::{HashMap, HashSet};

use apprentice_search::{Budget, Cost, Status};
use rustc_hash::FxBuildHasher;

use crate::agenda::{Agenda, DONE, First, Mark, NodeId, ROOT, mix};
use crate::domain::{Choice, ChoiceKind, Domain, Fault, Label, Refinements};
use crate::network::Network;
use crate::plan::{Decomposition, Plan, Step, Taken};
use crate::preferred_methods::PreferredMethods;
use crate::request::{Aim, Improving, Limit, Limits, Memory};
use crate::states::States;
use crate::statistics::{Improvement, Statistics};
use crate::trace::Trace;

/// Finds plans. It can be paused and continued, and run again for other characters with the memory
/// it has.
#[derive(Clone, Debug)]
pub struct Planner<D: Domain> {
    aim: Aim,
    memory: Memory,
    improving: Improving,
    limits: Limits,

    out: Refinements<D::State, D::Task>,
    agenda: Agenda<D::Task>,
    states: States<D::State>,
    /// The branch that is being looked at, from the start.
    frames: Vec<Frame>,
    /// The steps and decompositions of that branch.
    steps: Vec<(NodeId, Cost)>,
    decompositions: Vec<Part>,

    visited: HashMap<(u64, u64), Visited, FxBuildHasher>,
    hopeless: HashSet<u64, FxBuildHasher>,
    preferred: PreferredMethods,

    start: D::State,
    goal: Network<D::Task>,
    /// How many other decisions a branch may take.
    allowed: u32,
    /// Whether a branch took more.
    is_cut: bool,
    is_started: bool,
    is_over: bool,
    best: Option<Plan<D::Task>>,
    statistics: Statistics,
    /// Iterations that were worked and have not been taken from a budget yet.
    owed: u64,
    improvements: Vec<Improvement>,
    limit: Option<Limit>,
    fault: Option<Fault>,
    trace: Trace<D::Task>,
    /// Stop as soon as a branch has that many steps.
    pub(crate) prefix: Option<usize>,
}

#[derive(Clone, Copy, Debug)]
struct Part {
    node: NodeId,
    method: Label,
    before: u32,
    depth: u32,
}

/// A decision on the current branch.
#[derive(Clone, Copy, Debug)]
struct Frame {
    state: u32,
    network: NodeId,
    cost: Cost,
    taken: Taken,
    /// Choices from here on are its own, the next one last.
    choices: u32,
    pieces: u32,
    agenda: Mark,
    steps: u32,
    decompositions: u32,
    has_state: bool,
    /// How many other decisions were taken on the way here, and how far they lie from the first.
    others: u32,
    /// Whether something below was left for another reason than that it leads nowhere.
    is_cut: bool,
    /// How many of its choices were left for such a reason.
    viable: u32,
    /// What it is known by, if that is remembered.
    key: Option<(u64, u64)>,
    situation: Option<u64>,
    /// The fewest tasks that were left anywhere below.
    low: u32,
    /// The topmost decision that something below came back to.
    link: u32,
}

#[derive(Clone, Copy, Debug)]
struct Visited {
    cost: Cost,
    low: u32,
    others: u32,
    /// Where on the current branch it is; [`CLOSED`] if it was left.
    open_at: u32,
}

/// How many other decisions are counted; after that all are allowed.
const MOST_OTHERS: u32 = 6;

/// An iteration in which at least so many values of variables are tried counts as several. What
/// games ask for is far below that, so that compiled domains, which do not count values, take as
/// many iterations as interpreted ones.
const TRIED_AN_ITERATION: u64 = 1 << 16;

/// An iteration in which at least so many tasks can be done next counts as several.
const READY_AN_ITERATION: u64 = 16;

const CLOSED: u32 = u32::MAX;
const NOWHERE: u32 = u32::MAX;

impl<D: Domain> Planner<D> {
    /// A planner for the tasks of `goal`, from `state` on. It looks for the best plan and remembers
    /// dead ends.
    pub fn new(state: D::State, goal: impl Into<Network<D::Task>>) -> Planner<D> {
        let mut planner = Planner {
            aim: Aim::Best,
            memory: Memory::DeadEnds,
            improving: Improving::Everywhere,
            limits: Limits::default(),
            out: Refinements::new(),
            agenda: Agenda::new(),
            states: States::new(),
            frames: Vec::new(),
            steps: Vec::new(),
            decompositions: Vec::new(),
            visited: HashMap::default(),
            hopeless: HashSet::default(),
            preferred: PreferredMethods::default(),
            start: state.clone(),
            goal: Network::empty(),
            allowed: u32::MAX,
            is_cut: false,
            is_started: false,
            is_over: false,
            best: None,
            statistics: Statistics::default(),
            owed: 0,
            improvements: Vec::new(),
            limit: None,
            fault: None,
            trace: Trace::new(),
            prefix: None,
        };
        planner.restart(state, goal);
        planner
    }

    /// What to look for.
    #[must_use]
    pub fn aim(mut self, aim: Aim) -> Self {
        self.aim = aim;
        self
    }

    /// What to remember.
    #[must_use]
    pub fn memory(mut self, memory: Memory) -> Self {
        self.memory = memory;
        self
    }

    /// Where to look for better plans first.
    #[must_use]
    pub fn improving(mut self, improving: Improving) -> Self {
        self.improving = improving;
        self
    }

    /// What ends a branch instead of overflowing.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Is content with the first steps of a plan, for tasks that never end. Whether there is a rest,
    /// nobody looks.
    #[must_use]
    pub fn only_first(mut self, steps: usize) -> Self {
        self.prefix = Some(steps);
        self
    }

    /// Keeps a [`Trace`] of at most that many events: why each method was taken or refused.
    #[must_use]
    pub fn traced(mut self, events: usize) -> Self {
        self.trace = Trace::with_limit(events);
        self.out.notes_wanted = self.trace.notes_wanted();
        self
    }

    /// Starts again from another state, with other tasks, in the memory it already has.
    pub fn restart(&mut self, state: D::State, goal: impl Into<Network<D::Task>>) {
        self.start.clone_from(&state);
        self.goal = goal.into();
        self.begin(state);
        self.hopeless.clear();
        self.preferred.clear();
        self.improvements.clear();
        self.allowed = u32::MAX;
        self.is_over = false;
        self.best = None;
        self.statistics = Statistics::default();
        self.owed = 0;
        self.limit = None;
        self.fault = None;
        self.trace.clear();
        self.out.notes_wanted = self.trace.notes_wanted();
    }

    /// Goes back to the start, and keeps what is known.
    fn begin(&mut self, state: D::State) {
        while let Some(frame) = self.frames.pop() {
            self.leave(&frame);
        }
        for choice in self.out.choices.drain(..) {
            if let ChoiceKind::Act { state, .. } = choice.kind {
                self.out.spare.push(state);
            }
        }
        self.out.pieces.clear();
        self.out.fault = None;
        self.agenda.cut_back(Mark::default());
        self.steps.clear();
        self.decompositions.clear();
        self.visited.clear();
        self.is_started = false;
        self.is_cut = false;
        let state = self.states.insert(state);
        self.frames.push(Frame {
            state,
            network: DONE,
            cost: Cost::ZERO,
            taken: Taken {
                ready: 0,
                choice: 0,
            },
            choices: 0,
            pieces: 0,
            agenda: Mark::default(),
            steps: 0,
            decompositions: 0,
            has_state: true,
            others: 0,
            is_cut: false,
            viable: 0,
            key: None,
            situation: None,
            low: u32::MAX,
            link: NOWHERE,
        });
    }

    /// Starts again with more freedom to decide otherwise, if that can bring anything.
    fn begin_with_more_freedom(&mut self) {
        self.allowed = match self.allowed {
            u32::MAX => 1,
            // All of it, as soon as looking at some of it takes nearly as long.
            MOST_OTHERS.. => u32::MAX,
            allowed => allowed + 1,
        };
        let state = self.out.copy_of(&self.start);
        self.begin(state);
    }

    /// Plans until the budget is spent or there is something to say.
    ///
    /// [`Status::Improved`]: there is a (better) plan; [`Status::Finished`]: no better one will
    /// come; [`Status::Unsolvable`]: there is none; [`Status::GaveUp`]: a [limit](Planner::limit)
    /// or a [fault](Planner::fault) of the domain ended it. Cut into slices it does the same.
    pub fn run(&mut self, domain: &D, budget: &mut Budget<'_>) -> Status {
        loop {
            while self.owed > 0 {
                if !budget.take() {
                    return Status::Paused;
                }
                self.owed -= 1;
                self.statistics.iterations += 1;
            }
            if self.is_over {
                return self.verdict();
            }
            if !self.is_started && !budget.take() {
                return Status::Paused;
            }
            if !self.is_started {
                self.is_started = true;
                self.statistics.iterations += 1;
                let goal = std::mem::replace(&mut self.goal, Network::empty());
                let network = self.agenda.build(domain, &goal.pieces, ROOT, DONE);
                self.goal = goal;
                self.frames[0].network = network;
                if let Some(status) = self.enter(domain) {
                    return status;
                }
                continue;
            }
            // Decisions without choices are left before anything is counted.
            let Some(frame) = self.frames.last() else {
                if self.is_cut {
                    self.begin_with_more_freedom();
                } else {
                    self.is_over = true;
                }
                continue;
            };
            if self.out.choices.len() == frame.choices as usize {
                self.close();
                continue;
            }
            if !budget.take() {
                return Status::Paused;
            }
            self.statistics.iterations += 1;
            self.descend(domain);
            if let Some(status) = self.enter(domain) {
                return status;
            }
        }
    }

    fn verdict(&self) -> Status {
        if self.fault.is_some() {
            return Status::GaveUp;
        }
        match (&self.best, self.limit) {
            (Some(_), None) => Status::Finished,
            // A plan that was asked to be the first is all that was wanted.
            (Some(_), Some(_)) if self.aim == Aim::First => Status::Finished,
            (None, None) => Status::Unsolvable,
            (_, Some(_)) => Status::GaveUp,
        }
    }

    /// Takes the next choice of the last decision: a new decision, not looked at yet.
    fn descend(&mut self, domain: &D) {
        let at = self.frames.len() - 1;
        let parent = self.frames[at];
        self.agenda.cut_back(parent.agenda);
        self.steps.truncate(parent.steps as usize);
        self.decompositions.truncate(parent.decompositions as usize);
        let Some(Choice {
            ready,
            number,
            kind,
        }) = self.out.choices.pop()
        else {
            unreachable!("a decision without choices was left")
        };
        let left = self.out.choices.len() as u32 - parent.choices;
        let taken = Taken {
            ready,
            choice: number,
        };
        self.agenda.find_ready(parent.network);
        let ready = self.agenda.ready[ready as usize];
        // The further down the list, the bigger the step aside: the second way counts one, the
        // next two count two, the next four three.
        let others = parent.others + parent.viable.checked_ilog2().map_or(0, |log| log + 1);
        let mut cost = parent.cost;
        let (network, state) = match kind {
            ChoiceKind::Act { state, cost: added } => {
                cost = cost + added;
                let network = self.agenda.replace(domain, ready, &[], ROOT);
                self.steps.push((ready.node, added));
                (network, self.states.insert(state))
            }
            ChoiceKind::Replace { label, start, end } => {
                let part = self.decompositions.len() as u32;
                let depth = match &self.agenda.node(ready.node).first {
                    First::Task { parent, .. } if *parent != ROOT => {
                        self.decompositions[*parent as usize].depth + 1
                    }
                    _ => 1,
                };
                self.decompositions.push(Part {
                    node: ready.node,
                    method: label,
                    before: self.steps.len() as u32,
                    depth,
                });
                let pieces = &self.out.pieces[start..end];
                let network = self.agenda.replace(domain, ready, pieces, part);
                self.states.share(parent.state);
                (network, parent.state)
            }
        };
        if left == 0 {
            // Nobody will ask for the state of a decision that has no choices left.
            self.frames[at].has_state = false;
            self.states.release(parent.state, &mut self.out.spare);
        }
        self.frames.push(Frame {
            state,
            network,
            cost,
            taken,
            choices: self.out.choices.len() as u32,
            pieces: self.out.pieces.len() as u32,
            agenda: self.agenda.mark(),
            steps: self.steps.len() as u32,
            decompositions: self.decompositions.len() as u32,
            has_state: true,
            others,
            is_cut: false,
            viable: 0,
            key: None,
            situation: None,
            low: self.agenda.len(network),
            link: NOWHERE,
        });
    }

    /// Looks at the decision that was just reached: leaves it at once, or lists its choices.
    fn enter(&mut self, domain: &D) -> Option<Status> {
        let at = self.frames.len() - 1;
        let frame = &mut self.frames[at];
        // What lies behind the start is not part of any branch.
        frame.agenda = self.agenda.mark();
        frame.low = self.agenda.len(frame.network);
        let frame = *frame;
        let best = match self.aim {
            Aim::Every => None,
            Aim::First | Aim::Best => self.best.as_ref().map(|plan| plan.cost),
        };
        // Tasks without an end have beginnings.
        let hoped = match self.prefix {
            Some(_) => frame.cost,
            None => frame.cost + self.agenda.bound(frame.network),
        };
        if best.is_some_and(|best| hoped >= best) || !hoped.is_finite() {
            self.statistics.pruned += 1;
            // What is left could have been done, at a price: no task below counts as hopeless.
            self.frames[at].low = 0;
            self.frames[at].link = 0;
            self.frames[at].is_cut = true;
            return None;
        }
        if frame.others > self.allowed {
            self.statistics.pruned += 1;
            self.is_cut = true;
            self.frames[at].low = 0;
            self.frames[at].link = 0;
            self.frames[at].is_cut = true;
            return None;
        }
        let reached_prefix = self.prefix.is_some_and(|length| self.steps.len() >= length);
        if frame.network == DONE || reached_prefix {
            self.frames[at].low = 0;
            self.frames[at].is_cut = true;
            return Some(self.found(domain, &frame));
        }
        if let Some(limit) = self.limit_here() {
            self.limit = Some(limit);
            self.statistics.limited += 1;
            self.frames[at].low = 0;
            self.frames[at].link = 0;
            self.frames[at].is_cut = true;
            if limit == Limit::Open {
                self.is_over = true;
            }
            return None;
        }
        if self.memory != Memory::Nothing && self.is_dead_end(domain, at) {
            self.statistics.dead_ends += 1;
            return None;
        }
        self.expand(domain, at)
    }

    fn limit_here(&self) -> Option<Limit> {
        let over = |value: usize, limit: u32| limit > 0 && value > limit as usize;
        let depth = self.decompositions.last().map_or(0, |part| part.depth);
        if over(depth as usize, self.limits.depth) {
            Some(Limit::Depth)
        } else if over(self.steps.len(), self.limits.plan_length) {
            Some(Limit::PlanLength)
        } else if over(self.frames.len() + self.out.choices.len(), self.limits.open) {
            Some(Limit::Open)
        } else {
            None
        }
    }

    /// Whether it is known that no plan, or no better one, comes of the decision.
    fn is_dead_end(&mut self, domain: &D, at: usize) -> bool {
        let frame = self.frames[at];
        let state = self.states.get(frame.state);
        if self.memory == Memory::DeadEnds
            && let First::Task { task, .. } = &self.agenda.node(frame.network).first
        {
            let situation = domain.situation(task, state);
            if let Some(situation) = situation {
                if self.hopeless.contains(&situation) {
                    return true;
                }
                self.frames[at].situation = Some(situation);
            }
        }
        if self.aim == Aim::Every && self.memory == Memory::DeadEnds {
            return false;
        }
        let Some(digest) = domain.state_digest(state) else {
            return false;
        };
        let mut tasks = self.agenda.digest(frame.network);
        if self.prefix.is_some() {
            // Who is content with some steps gets on with every step, also one that leads back to
            // where it was: a patrol goes round and round.
            tasks = mix(tasks, self.steps.len() as u64);
        }
        let key = (digest, tasks);
        let is_known = self.visited.get(&key).copied();
        if let Some(known) = is_known {
            // Nothing comes of it at any cost: as long as there is no plan at all, or if none of
            // its ends was reached. Otherwise the cheaper way here counts.
            let is_hopeless = self.best.is_none() || known.low > 0;
            let is_covered = known.cost <= frame.cost && known.others <= frame.others;
            if is_hopeless || is_covered {
                let below = &mut self.frames[at];
                below.is_cut = !is_hopeless;
                if known.open_at == CLOSED {
                    below.low = known.low.min(below.low);
                } else {
                    below.link = known.open_at.min(below.link);
                }
                // Either way it is not this decision that showed its first task to be hopeless.
                below.situation = None;
                return true;
            }
        }
        self.visited.insert(
            key,
            Visited {
                cost: frame.cost,
                low: 0,
                others: frame.others,
                open_at: at as u32,
            },
        );
        self.frames[at].key = Some(key);
        false
    }

    /// Lists what can be done next.
    fn expand(&mut self, domain: &D, at: usize) -> Option<Status> {
        let frame = self.frames[at];
        let state = self.states.get(frame.state);
        let base = self.out.choices.len();
        if let First::Task { task, .. } = &self.agenda.node(frame.network).first {
            self.out.begin_task(0);
            domain.refine(task, state, &mut self.out);
            let is_hopeless = self.out.choices.len() == base;
            let depth = self.decompositions.len();
            self.trace
                .take_notes(task, depth, &mut self.out.notes, is_hopeless);
            self.out.notes_wanted = self.trace.notes_wanted();
        } else {
            self.agenda.find_ready(frame.network);
            self.owed += self.agenda.ready.len() as u64 / READY_AN_ITERATION;
            for ready in 0..self.agenda.ready.len() {
                let task = self.agenda.task(self.agenda.ready[ready].node);
                self.out.begin_task(ready as u32);
                domain.refine(task, state, &mut self.out);
                let depth = self.decompositions.len();
                self.trace
                    .take_notes(task, depth, &mut self.out.notes, false);
                self.out.notes_wanted = self.trace.notes_wanted();
            }
        }
        self.out.words.clear();
        self.owed += std::mem::take(&mut self.out.tried) / TRIED_AN_ITERATION;
        if let Some(fault) = self.out.fault.take() {
            self.fault = Some(fault);
            self.is_over = true;
            return Some(Status::GaveUp);
        }
        for (number, choice) in self.out.choices[base..].iter_mut().enumerate() {
            choice.number = number as u32;
        }
        if !self.preferred.is_empty()
            && let First::Task { digest, .. } = self.agenda.node(frame.network).first
        {
            let choices = &mut self.out.choices[base..];
            let pieces = &self.out.pieces;
            self.preferred.put_first(domain, digest, choices, pieces);
        }
        self.out.choices[base..].reverse();
        None
    }

    fn found(&mut self, domain: &D, frame: &Frame) -> Status {
        self.statistics.plans += 1;
        let plan = self.extract(frame);
        self.improvements.push(Improvement {
            cost: plan.cost,
            iterations: self.statistics.iterations,
            steps: plan.steps.len(),
        });
        if self.aim == Aim::Best && self.improving == Improving::Everywhere {
            self.preferred.learn(domain, &plan);
        }
        self.best = Some(plan);
        let is_first = self.statistics.plans == 1;
        if is_first && self.aim == Aim::Best && self.improving == Improving::Everywhere {
            self.begin_with_more_freedom();
        }
        match self.aim {
            Aim::First => {
                self.is_over = true;
                Status::Finished
            }
            Aim::Best | Aim::Every => Status::Improved,
        }
    }

    /// The plan of the current branch.
    fn extract(&self, frame: &Frame) -> Plan<D::Task> {
        let origin = |node: NodeId| self.agenda.origin(node);
        Plan {
            steps: self
                .steps
                .iter()
                .map(|&(node, cost)| Step {
                    task: self.agenda.task(node).clone(),
                    cost,
                    origin: origin(node),
                })
                .collect(),
            cost: frame.cost,
            decompositions: self
                .decompositions
                .iter()
                .map(|part| Decomposition {
                    task: self.agenda.task(part.node).clone(),
                    method: part.method,
                    origin: origin(part.node),
                    before: part.before as usize,
                })
                .collect(),
            choices: self.frames[1..].iter().map(|frame| frame.taken).collect(),
        }
    }

    /// Leaves the last decision for good.
    fn close(&mut self) {
        let Some(frame) = self.frames.pop() else {
            return;
        };
        let at = self.frames.len() as u32;
        // What came back to a decision further up is not settled before that one is.
        let is_settled = frame.link >= at;
        if self.memory == Memory::Branch
            && let Some(key) = &frame.key
        {
            self.visited.remove(key);
        } else if let Some(key) = frame.key
            && let Some(visited) = self.visited.get_mut(&key)
        {
            visited.open_at = CLOSED;
            visited.low = if is_settled { frame.low } else { 0 };
        }
        if let Some(situation) = frame.situation
            && is_settled
            && frame.low > self.agenda.len(self.agenda.node(frame.network).next)
        {
            self.hopeless.insert(situation);
        }
        if let Some(parent) = self.frames.last_mut() {
            parent.low = parent.low.min(frame.low);
            parent.is_cut |= frame.is_cut;
            parent.viable += u32::from(frame.is_cut);
            if !is_settled {
                parent.link = parent.link.min(frame.link);
            }
        }
        self.leave(&frame);
    }

    /// Gives back what a decision held.
    fn leave(&mut self, frame: &Frame) {
        if frame.has_state {
            self.states.release(frame.state, &mut self.out.spare);
        }
        self.out.pieces.truncate(frame.pieces as usize);
    }

    /// What it began with.
    #[cfg(feature = "serde")]
    pub(crate) fn beginning(&self) -> (&D::State, &Network<D::Task>) {
        (&self.start, &self.goal)
    }

    /// The best plan so far; for [`Aim::Every`], the last one.
    pub fn plan(&self) -> Option<&Plan<D::Task>> {
        self.best.as_ref()
    }

    /// Every plan that was better than those before it.
    pub fn improvements(&self) -> &[Improvement] {
        &self.improvements
    }

    /// What it did so far.
    pub fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// Which limit cut branches off, if one did. Without a plan this means that there may be one.
    pub fn limit(&self) -> Option<Limit> {
        self.limit
    }

    /// What is wrong with the domain, if that ended the planning.
    pub fn fault(&self) -> Option<&Fault> {
        self.fault.as_ref()
    }

    /// Why each method was taken or refused, if [that was asked for](Planner::traced).
    pub fn trace(&self) -> &Trace<D::Task> {
        &self.trace
    }
}
