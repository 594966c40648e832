//! Runs a search a slice at a time: what was found and when, what that took, and whether the plan
//! works.

use std::fmt;
use std::time::Duration;

use apprentice_behavior::{Explained, Explanation, NamedSearch, NoWay, Planner};
use apprentice_search::{
    Budget, Cost, Expansion, Guarantee, Observer, Search, Spent, Statistics, Status,
};
use apprentice_world::{Invalid, LivedPlan, Quest, Verified, World, verify_as};

/// A search under way. Whoever runs it decides how large its slices are and when it is enough, and
/// says what time it is: cut into slices it is the same search, and by another clock the same plan.
///
/// ```
/// use std::time::Duration;
///
/// use apprentice_behavior::Settings;
/// use apprentice_report::run::{Reasons, Run};
/// use apprentice_search::{Budget, Spent};
/// use apprentice_world::{AnyQuest, Scenario};
///
/// let scenario = Scenario::parse(r#"
///     format = 1
///     start = [0, 0]
///     goal = { within = { at = [4, 0], radius = 0.0 } }
///     map = { rows = ["....."] }
/// "#)?;
/// let planner = Settings::default().check(&scenario, [])?.planner;
/// let AnyQuest::Still(quest) = scenario.quest() else { panic!("nothing moves here") };
/// let clock = || Duration::ZERO;
/// let mut run = Run::new(&quest, planner.search(&quest)?, &clock);
/// let ending = loop {
///     let slice = run.slice(&mut Budget::units(2), None);
///     if let Some(ending) = slice.ending(Some(Spent::Expansions)) {
///         break ending;
///     }
/// };
/// let outcome = run.outcome(&planner, ending, Reasons::OfPlan)?;
/// assert_eq!(outcome.plan.expect("there is one").steps.len(), 4);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Run<'q, Q: Quest> {
    quest: &'q Q,
    /// How much time has passed since the work began.
    clock: &'q dyn Fn() -> Duration,
    halted: Halted<Q>,
}

/// A run between two slices, when nobody lends it a quest and a clock: for those who have other things
/// to do meanwhile and cannot wait in the middle of a function, as whoever answers in a browser.
pub struct Halted<Q: Quest> {
    named: NamedSearch<Q>,
    improvements: Vec<Improvement>,
    /// Units of budget.
    taken: u64,
    /// When the first state was expanded. Advisers get ready just before.
    ready: Option<Duration>,
}

/// A plan, or a better one, or a better proof, and when it was found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Improvement {
    /// After how many expansions.
    pub expansions: u64,
    /// What the plan costs.
    pub cost: Cost,
    /// How many times the best cost that is at most, if anything is proven.
    pub bound: Option<f64>,
}

/// What became of a slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slice {
    /// Where the search is.
    pub status: Status,
    /// What the slice ran out of, if it did.
    pub spent: Option<Spent>,
    /// Whether there is a plan, or a better one, or a better proof than before.
    pub is_better: bool,
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ending {
    /// Where the search was then.
    pub status: Status,
    /// What the budget ran out of, if it did.
    pub spent: Option<Spent>,
}

/// Which reasons are looked for. Why a demonstration is ignored takes another look at the map, for
/// which not everybody asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reasons {
    /// Why the plan is as it is.
    OfPlan,
    /// And why what it does not follow attracted nobody.
    OfDemonstrations,
}

/// What a search came to.
pub struct Outcome {
    /// How it ended.
    pub ending: Ending,
    /// What was found on the way.
    pub improvements: Vec<Improvement>,
    /// What is proven.
    pub guarantee: Guarantee,
    /// The same in words.
    pub proven: String,
    /// What was taken for the same, if anything was.
    pub coarseness: Option<&'static str>,
    /// What the search did.
    pub statistics: Statistics,
    /// The names of the heuristics, in the order of `Statistics::expanded_by`.
    pub heuristics: Vec<String>,
    /// Where budget and time went.
    pub spending: Spending,
    /// The world the plan begins in.
    pub start: World,
    /// The plan, and how it went when it was lived through.
    pub plan: Option<Verified>,
    /// What it follows where, and why it leaves it; none if there is no plan.
    pub explanation: Option<Explanation>,
    /// What stands in the way, if it is proven that there is no plan and somebody has looked.
    pub no_way: Option<NoWay>,
    /// How often each place was expanded in, if anybody wants to know.
    pub footprints: Option<Vec<u32>>,
}

impl Outcome {
    /// Whether it is proven that there is no plan.
    pub fn is_impossible(&self) -> bool {
        self.plan.is_none() && self.ending.status == Status::Unsolvable
    }
}

/// Where budget and time went. A unit of budget is an expansion, or a place looked at while getting
/// ready.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spending {
    /// All units.
    pub units: u64,
    /// Units that were neither expansions nor upkeep.
    pub preparation: u64,
    /// Whether the search came as far as its first state.
    pub is_ready: bool,
    /// How long that took.
    pub preparing: Duration,
    /// How long the rest took.
    pub searching: Duration,
}

/// A plan that was found and does not work: a mistake of ours.
#[derive(Clone, Debug, PartialEq)]
pub enum Unverified {
    /// It cannot be lived through.
    Invalid(Invalid),
    /// It costs something else than was thought.
    Cost {
        /// What was thought.
        said: Cost,
        /// What it costs.
        is: Cost,
    },
}

impl fmt::Display for Unverified {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unverified::Invalid(why) => write!(f, "the plan that was found is invalid: {why}"),
            Unverified::Cost { said, is } => {
                write!(f, "the plan should cost {said} and costs {is}")
            }
        }
    }
}

impl std::error::Error for Unverified {}

impl Slice {
    /// How the run ended, if it did. `own` is what cut only this slice, so that the next can follow.
    pub fn ending(&self, own: Option<Spent>) -> Option<Ending> {
        let Slice { status, spent, .. } = *self;
        let spent = match status {
            Status::Paused if spent.is_some() && spent == own => return None,
            // A search that can keep no more states pauses without naming a limit.
            Status::Paused => spent.or(Some(Spent::Memory)),
            status if status.is_unfinished() => return None,
            _ => None,
        };
        Some(Ending { status, spent })
    }
}

impl<'q, Q: Quest> Run<'q, Q> {
    /// Of a search that has just been made or restarted, for this quest. The clock shows how much
    /// time has passed since the work began.
    pub fn new(quest: &'q Q, named: NamedSearch<Q>, clock: &'q dyn Fn() -> Duration) -> Self {
        let halted = Halted {
            named,
            improvements: Vec::new(),
            taken: 0,
            ready: None,
        };
        Run::resume(quest, halted, clock)
    }

    /// Goes on with a run of the same quest, by the same clock.
    pub fn resume(quest: &'q Q, halted: Halted<Q>, clock: &'q dyn Fn() -> Duration) -> Self {
        Run {
            quest,
            clock,
            halted,
        }
    }

    /// Lays the run aside. Resumed, it is the same run.
    pub fn halt(self) -> Halted<Q> {
        self.halted
    }

    /// Goes on until the slice is spent, or something is found. `observer` sees every expansion.
    pub fn slice(
        &mut self,
        budget: &mut Budget<'_>,
        observer: Option<&mut dyn Observer<Q>>,
    ) -> Slice {
        let before = budget.taken();
        let Halted { named, ready, .. } = &mut self.halted;
        let search = &mut named.search;
        let status = match observer {
            None if ready.is_some() => search.run(self.quest, budget),
            observer => {
                let mut both = Onlooker {
                    clock: self.clock,
                    ready,
                    other: observer,
                };
                search.run_observed(self.quest, budget, &mut both)
            }
        };
        self.halted.taken += budget.taken() - before;
        let new = self.improvement();
        self.halted.improvements.extend(new);
        Slice {
            status,
            spent: budget.spent_by(),
            is_better: new.is_some(),
        }
    }

    /// What is better now than it was at the last improvement.
    fn improvement(&self) -> Option<Improvement> {
        let search = self.search();
        let found = Improvement {
            expansions: search.statistics().expanded,
            cost: search.path()?.cost,
            bound: search.guarantee().factor(),
        };
        let last = self.halted.improvements.last();
        let is_new = last.is_none_or(|last| (last.cost, last.bound) != (found.cost, found.bound));
        is_new.then_some(found)
    }

    /// What was found so far.
    pub fn improvements(&self) -> &[Improvement] {
        &self.halted.improvements
    }

    /// The units of budget that were taken so far.
    pub fn taken(&self) -> u64 {
        self.halted.taken
    }

    /// The search itself.
    pub fn search(&self) -> &dyn Search<Q> {
        &*self.halted.named.search
    }

    /// Ends the run. The search can be restarted, and keeps what it got ready.
    pub fn into_search(self) -> NamedSearch<Q> {
        self.halted.named
    }

    /// The plan as it goes when it is lived through, without any search code.
    pub fn verified(&self) -> Result<Option<Verified>, Unverified> {
        let quest = self.quest;
        let Some(path) = self.search().path() else {
            return Ok(None);
        };
        let orders = quest.orders(&path);
        let (scenario, start) = (quest.scenario(), quest.start_world());
        let lived = verify_as(&quest.role(), scenario, start, &orders, quest.goal());
        let lived = lived.map_err(Unverified::Invalid)?;
        if lived.cost != path.cost {
            let (said, is) = (path.cost, lived.cost);
            return Err(Unverified::Cost { said, is });
        }
        Ok(Some(lived))
    }

    /// What it has come to so far.
    pub fn outcome(
        &self,
        planner: &Planner,
        ending: Ending,
        reasons: Reasons,
    ) -> Result<Outcome, Unverified> {
        let (quest, search) = (self.quest, self.search());
        let ended = (self.clock)();
        let plan = self.verified()?;
        let explanation = plan.as_ref().map(|plan| {
            let relevances = match reasons {
                Reasons::OfPlan => None,
                Reasons::OfDemonstrations => planner.relevances(quest),
            };
            let explained = Explained {
                story: LivedPlan {
                    scenario: quest.scenario(),
                    start: quest.start_world(),
                    steps: &plan.steps,
                },
                demonstrations: planner.demonstrations(),
                relevances: relevances.as_deref(),
            };
            explained.explain()
        });
        let statistics = search.statistics().clone();
        let ready = self.halted.ready.unwrap_or(ended);
        let guarantee = search.guarantee();
        Ok(Outcome {
            ending,
            improvements: self.halted.improvements.clone(),
            proven: quest.proven(&guarantee),
            guarantee,
            coarseness: quest.coarseness(),
            spending: Spending {
                units: self.halted.taken,
                preparation: self.halted.taken - statistics.expanded - statistics.upkeep,
                is_ready: self.halted.ready.is_some(),
                preparing: ready,
                searching: ended - ready,
            },
            statistics,
            heuristics: self.halted.named.heuristics.clone(),
            start: quest.start_world().clone(),
            plan,
            explanation,
            no_way: None,
            footprints: None,
        })
    }
}

/// How often each place was expanded in.
pub struct Footprints<'q, Q> {
    quest: &'q Q,
    counts: Vec<u32>,
}

impl<'q, Q: Quest> Footprints<'q, Q> {
    /// None so far.
    pub fn new(quest: &'q Q) -> Self {
        let counts = vec![0; quest.scenario().map().places()];
        Footprints { quest, counts }
    }

    /// The counts, place by place.
    pub fn into_counts(self) -> Vec<u32> {
        self.counts
    }
}

impl<Q: Quest> Observer<Q> for Footprints<'_, Q> {
    fn expanded(&mut self, expansion: Expansion<'_, Q>) {
        self.counts[self.quest.place(expansion.state)] += 1;
    }
}

/// Notes when a search is ready, and lets somebody else look on.
struct Onlooker<'a, 'o, Q: Quest> {
    clock: &'a dyn Fn() -> Duration,
    ready: &'a mut Option<Duration>,
    other: Option<&'o mut dyn Observer<Q>>,
}

impl<Q: Quest> Observer<Q> for Onlooker<'_, '_, Q> {
    fn expanded(&mut self, expansion: Expansion<'_, Q>) {
        if self.ready.is_none() {
            *self.ready = Some((self.clock)());
        }
        if let Some(other) = &mut self.other {
            other.expanded(expansion);
        }
    }
}
