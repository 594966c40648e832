//! Makes plans for the page: the first one at once, better ones while nothing newer is asked.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use apprentice::behavior::{
    Checked, Explanation, Hindrance, NoWay, Planner, PlannerName, Settings,
};
use apprentice::experience::{Demonstration, coverage};
use apprentice::report::Report;
use apprentice::report::document::PlanDocument;
use apprentice::report::phrases::{self, Ids};
use apprentice::report::run::{Ending, Halted, Improvement, Reasons, Run};
use apprentice::search::{Budget, Expansion, Observer, Spent, Weight};
use apprentice::world::{
    Abilities, AgentId, AnyQuest, Quest, QuestProblem, Scenario, StillQuest, Verified, World,
};

use crate::clock::Clock;
use crate::folder::Folder;
use crate::kept::{AnswerKey, Prepared, SearchKey, Searched};
use crate::level::{self, ReadLevel};
use crate::protocol::{
    Detail, Explored, PlanAnswer, PlanAsk, PlannerSettings, Refusal, ShownIgnored,
    ShownImprovement, ShownStretch, Side,
};
use crate::{blockers, demonstrations, path_smoothing};

/// Expansions between two looks at the clock and the flag: a few milliseconds.
const SLICE: u64 = 1 << 12;
/// A first plan may take so long.
const PATIENCE: Duration = Duration::from_secs(20);
/// So may better ones, after it.
const IMPROVING: Duration = Duration::from_secs(2);
/// Small enough for a laptop, large enough for some ten million states.
const MEMORY: u64 = 1 << 30;
/// More would take the page longer to draw than to understand.
const MOST_SHOWN: usize = 60_000;

/// The planner that is used unless another is chosen: the one games ship with.
pub(crate) const DEFAULT: PlannerName = PlannerName::Auto;

/// A planner's settings, as the page has them.
pub(crate) fn settings(asked: &PlannerSettings) -> Result<Settings, String> {
    let planner = if asked.planner.is_empty() {
        DEFAULT
    } else {
        let named = PlannerName::from_name(&asked.planner);
        named.ok_or_else(|| format!("there is no planner called `{}`", asked.planner))?
    };
    let weight = |number: Option<f64>| {
        let weight = number.map(Weight::new).transpose();
        weight.map_err(|error| error.to_string())
    };
    Ok(Settings {
        planner,
        faithful: asked.faithful,
        w: weight(asked.w)?,
        epsilon: weight(asked.epsilon)?,
        w1: weight(asked.w1)?,
        w2: weight(asked.w2)?,
        reopen: asked.reopen,
        events: asked.events.clone(),
        calibrate: !asked.no_calibration,
        ..Settings::default()
    })
}

/// The planner for a scenario and what was shown.
pub(crate) fn planner(
    scenario: &Scenario,
    asked: &PlannerSettings,
    shown: &[Demonstration],
) -> Result<Checked, String> {
    let checked = settings(asked)?.check(scenario, shown.to_vec());
    checked.map_err(|error| error.to_string())
}

/// Plans, and hands over every answer that is better than the one before; the last one says that
/// it is the last. Stops when the flag is raised; if nothing was found by then, nothing is handed
/// over: that somebody asked anew says nothing about whether there is a plan.
pub(crate) fn plan(
    (folder, clock): (&Folder, Clock),
    prepared: &mut Prepared,
    ask: &PlanAsk,
    stop: &AtomicBool,
    mut hand_over: impl FnMut(PlanAnswer),
) -> Result<(), Refusal> {
    let mut planning = Planning::begin((folder, clock), prepared, ask, &mut hand_over)?;
    while let Some(under_way) = planning {
        planning = under_way.slice(folder, prepared, stop, &mut hand_over)?;
    }
    Ok(())
}

/// A plan that is being made, a slice at a time.
pub(crate) struct Planning {
    job: Job,
    key: AnswerKey,
    search: Searching,
}

/// The search for it.
enum Searching {
    Still(UnderWay<StillQuest>),
    Moving(UnderWay<QuestProblem>),
}

impl Planning {
    /// Reads the question. One that was answered before is answered at once, and nothing is left to do.
    pub(crate) fn begin(
        (folder, clock): (&Folder, Clock),
        prepared: &mut Prepared,
        ask: &PlanAsk,
        hand_over: &mut dyn FnMut(PlanAnswer),
    ) -> Result<Option<Planning>, Refusal> {
        let level = level::read(folder, &ask.level)?;
        let shown = demonstrations::read(&folder.kept, &level.scenario, &ask.demonstrations)?;
        let key = AnswerKey {
            path: level.path.clone(),
            text: level.text.clone(),
            scenario: level.scenario.digest(),
            demonstrations: ask.demonstrations.clone(),
            settings: ask.settings.clone(),
        };
        let is_live = ask.detail == Detail::Live;
        if let Some(mut answer) = prepared.answer(&key).filter(|_| is_live) {
            answer.side = ask.side;
            hand_over(answer);
            return Ok(None);
        }
        let mut settings = settings(&ask.settings)?;
        // Where nothing was shown there is nothing to be faithful to: the best plan is wanted.
        settings.improve =
            settings.planner == PlannerName::Auto && ask.detail == Detail::Full && shown.is_empty();
        let improves = settings.improve;
        let checked = settings.check(&level.scenario, shown.clone());
        let Checked { planner, notes } = checked.map_err(|error| error.to_string())?;
        let job = Job {
            level,
            shown,
            planner,
            settings: ask.settings.clone(),
            improves,
            notes,
            side: ask.side,
            detail: ask.detail,
            clock,
        };
        let search = match job.level.scenario.quest_with(Abilities::default()) {
            AnyQuest::Still(quest) => Searching::Still(UnderWay::begin(&job, quest, prepared)?),
            AnyQuest::Moving(quest) => Searching::Moving(UnderWay::begin(&job, quest, prepared)?),
        };
        Ok(Some(Planning { job, key, search }))
    }

    /// Searches for a few milliseconds, and returns what is left to do. Whoever fails leaves no search
    /// behind.
    pub(crate) fn slice(
        self,
        folder: &Folder,
        prepared: &mut Prepared,
        stop: &AtomicBool,
        hand_over: &mut dyn FnMut(PlanAnswer),
    ) -> Result<Option<Planning>, Refusal> {
        let Planning { job, key, search } = self;
        let is_live = job.detail == Detail::Live;
        let mut last = None;
        let mut hand_over = |answer: PlanAnswer| {
            last = (is_live && answer.done).then(|| answer.clone());
            hand_over(answer);
        };
        let (todo, hand_over) = ((&job, folder), &mut hand_over);
        let rest = match search {
            Searching::Still(search) => {
                let rest = search.slice(todo, prepared, stop, hand_over)?;
                rest.map(Searching::Still)
            }
            Searching::Moving(search) => {
                let rest = search.slice(todo, prepared, stop, hand_over)?;
                rest.map(Searching::Moving)
            }
        };
        // A live answer that is done is the last.
        if let Some(answer) = last {
            prepared.keep_answer(key, answer);
            return Ok(None);
        }
        Ok(rest.map(|search| Planning { job, key, search }))
    }
}

impl Planning {
    /// Gives up, and leaves what was got ready to the next.
    pub(crate) fn give_back(self, prepared: &mut Prepared) {
        match self.search {
            Searching::Still(search) => search.give_back(prepared),
            Searching::Moving(search) => search.give_back(prepared),
        }
    }
}

/// What is to be planned.
struct Job {
    level: ReadLevel,
    shown: Vec<Demonstration>,
    planner: Planner,
    settings: PlannerSettings,
    improves: bool,
    notes: Vec<String>,
    side: Side,
    detail: Detail,
    clock: Clock,
}

/// A search under way.
struct UnderWay<Q: Quest> {
    quest: Q,
    key: SearchKey,
    halted: Halted<Q>,
    track: Track<Q>,
    /// When it began, and when it has to end, by the clock.
    begun: Duration,
    deadline: Duration,
}

impl<Q: Searched> UnderWay<Q> {
    /// Begins, with what was got ready for plans before.
    fn begin(job: &Job, quest: Q, prepared: &mut Prepared) -> Result<Self, Refusal> {
        let key = SearchKey {
            settings: job.settings.clone(),
            improves: job.improves,
            shown: job.shown.clone(),
            level: quest.scenario().layout_digest(),
        };
        let named = match Q::take(prepared, &key) {
            Some(kept) => kept,
            None => {
                let named = job.planner.search(&quest);
                named.map_err(|error| error.to_string())?
            }
        };
        let begun = (job.clock)();
        let halted = Run::new(&quest, named, &|| begun).halt();
        Ok(UnderWay {
            quest,
            key,
            halted,
            track: Track::default(),
            begun,
            deadline: begun + PATIENCE,
        })
    }

    /// Keeps the search without going on with it.
    fn give_back(self, prepared: &mut Prepared) {
        let begun = self.begun;
        let named = Run::resume(&self.quest, self.halted, &|| begun).into_search();
        Q::keep(prepared, self.key, named);
    }

    /// One slice of it. Returns what is left to do; nothing if it is over.
    fn slice(
        mut self,
        (job, folder): (&Job, &Folder),
        prepared: &mut Prepared,
        stop: &AtomicBool,
        hand_over: &mut dyn FnMut(PlanAnswer),
    ) -> Result<Option<Self>, Refusal> {
        let clock = || (job.clock)().saturating_sub(self.begun);
        let mut run = Run::resume(&self.quest, self.halted, &clock);
        let mut budget = Budget::units(SLICE)
            .within_memory(MEMORY)
            .until_by(&job.clock, self.deadline)
            .unless(stop);
        let has_time = job.detail == Detail::Full;
        let mut tracking = Tracking {
            quest: &self.quest,
            track: &mut self.track,
        };
        let observer = has_time.then_some(&mut tracking as &mut dyn Observer<Q>);
        let had_none = run.improvements().is_empty();
        let slice = run.slice(&mut budget, observer);
        let has_none = run.improvements().is_empty();
        if had_none && !has_none {
            self.deadline = self.deadline.min((job.clock)() + IMPROVING);
        }
        let is_dropped = slice.spent == Some(Spent::Cancelled) && has_none;
        let ending = slice.ending(Some(Spent::Expansions));
        let is_enough = job.detail == Detail::Live && !has_none;
        let done = ending.is_some() || is_enough;
        if !is_dropped && (slice.is_better || done) {
            let ending = ending.unwrap_or(Ending {
                status: slice.status,
                spent: None,
            });
            let found = (&run, &self.track);
            hand_over(job.answer(folder, &self.quest, found, (ending, done), stop)?);
        }
        if is_dropped || done || stop.load(Ordering::Relaxed) {
            let named = run.into_search();
            Q::keep(prepared, self.key, named);
            return Ok(None);
        }
        self.halted = run.halt();
        Ok(Some(self))
    }
}

impl Job {
    fn answer<Q: Quest>(
        &self,
        folder: &Folder,
        quest: &Q,
        (run, track): (&Run<'_, Q>, &Track<Q>),
        (ending, done): (Ending, bool),
        stop: &AtomicBool,
    ) -> Result<PlanAnswer, String> {
        // What was ignored, and what stands in the way, is only found out where there is time.
        let has_time = self.detail == Detail::Full;
        let reasons = match self.detail {
            Detail::Full => Reasons::OfDemonstrations,
            Detail::Live => Reasons::OfPlan,
        };
        let outcome = run.outcome(&self.planner, ending, reasons);
        let mut outcome = outcome.map_err(|error| error.to_string())?;
        if has_time && outcome.is_impossible() {
            let mut until_stopped = Budget::unlimited().unless(stop);
            outcome.no_way = NoWay::of(quest, &mut until_stopped);
        }
        let report = Report {
            scenario_id: level::short_name(&self.level.path),
            scenario: quest.scenario(),
            demonstrations: &self.shown,
            planner: &self.planner,
            limits: None,
            explains: false,
            outcome: &outcome,
        };
        let way = report.way();
        let shown = self.planner.demonstrations().iter();
        let covered: Vec<f64> = shown.map(|shown| coverage([shown], &way)).collect();
        let path = run.search().path();
        let expanded_by = path.iter().filter(|_| has_time).flat_map(|path| {
            let by = |state| track.by.get(&quest.key(state)).map(|by| usize::from(*by));
            path.states().map(by)
        });
        let scenario = quest.scenario();
        let lived = outcome.plan.as_ref();
        let explanation = outcome.explanation.as_ref();
        Ok(PlanAnswer {
            side: self.side,
            done,
            implied_bound: self.planner.proves().as_f64(),
            notes: self.notes.clone(),
            drawn: lived.map_or_else(Vec::new, |lived| {
                let start = outcome.start.place(scenario.agent(), scenario);
                path_smoothing::drawn(scenario, start, &lived.steps)
            }),
            stretches: explanation.map_or_else(Vec::new, stretches),
            no_way: (outcome.no_way.as_ref()).map(|no_way| {
                let blockers = match no_way.hindrance {
                    Hindrance::Others => blockers::of(
                        (folder, self.clock),
                        &self.level,
                        (&self.settings, &self.shown),
                        stop,
                    ),
                    _ => Vec::new(),
                };
                phrases::no_way_past(no_way, &blockers, scenario, Ids::Spoken)
            }),
            ignored: (explanation.filter(|_| has_time))
                .map_or_else(Vec::new, |explanation| ignored(explanation, &covered)),
            covered,
            others: lived.map_or_else(Vec::new, |lived| others(scenario, &outcome.start, lived)),
            explored: has_time.then(|| Explored {
                places: track.places.clone(),
                by: track.who.clone(),
                all: outcome.statistics.expanded,
            }),
            expanded_by: expanded_by.collect(),
            heuristics: outcome.heuristics.clone(),
            improvements: outcome.improvements.iter().map(shown_improvement).collect(),
            plan: PlanDocument::of(&report),
        })
    }
}

fn shown_improvement(improvement: &Improvement) -> ShownImprovement {
    ShownImprovement {
        expansions: improvement.expansions,
        cost: improvement.cost.as_seconds(),
        bound: improvement.bound,
    }
}

/// What is followed where, in words.
fn stretches(explanation: &Explanation) -> Vec<ShownStretch> {
    let stretches = explanation.stretches.iter().map(|stretch| ShownStretch {
        first: stretch.first,
        last: stretch.last,
        follows: stretch.follows.as_ref().map(|it| it.demonstration),
        text: phrases::stretch(stretch, Ids::Spoken),
    });
    let sneaking = explanation.sneaking.iter().filter_map(|sneaking| {
        let listener = sneaking.because_of.as_ref()?;
        Some(ShownStretch {
            first: sneaking.first,
            last: sneaking.last,
            follows: None,
            text: phrases::sneaks_because(listener, Ids::Spoken),
        })
    });
    stretches.chain(sneaking).collect()
}

/// Whatever is passed by more of than this is not ignored, whatever the search was drawn to.
const HARDLY: f64 = 0.5;

/// What is hardly followed, in words. How much of each demonstration the plan passes by is what
/// people see; nothing else may be said of it.
fn ignored(explanation: &Explanation, covered: &[f64]) -> Vec<ShownIgnored> {
    let followed = |number: usize| covered.get(number).is_some_and(|part| *part >= HARDLY);
    let ignored = explanation.ignored.iter();
    let ignored = ignored.filter(|ignored| !followed(ignored.demonstration));
    let told = ignored.map(|ignored| {
        let why = phrases::why_ignored(&ignored.why, Ids::Spoken);
        ShownIgnored {
            demonstration: Some(ignored.demonstration),
            text: format!("“{}” is hardly followed: {why}", ignored.name),
        }
    });
    told.collect()
}

/// Where enemies, and all others who take orders, are at each step; nothing if nobody is there.
fn others(scenario: &Scenario, start: &World, lived: &Verified) -> Vec<Vec<[f64; 2]>> {
    let enemies = (0..scenario.enemies().len() as u16).map(AgentId::Enemy);
    let actors = (1..scenario.actors().len() as u16).map(AgentId::Actor);
    let agents: Vec<AgentId> = enemies.chain(actors).collect();
    if agents.is_empty() {
        return Vec::new();
    }
    let places = |world: &World| {
        let at = agents.iter().map(|agent| world.position(*agent, scenario));
        at.map(|at| [at.x, at.y]).collect()
    };
    let worlds = std::iter::once(start).chain(lived.steps.iter().map(|step| &step.world));
    worlds.map(places).collect()
}

/// What a search looked at, in order, and on whose behalf.
struct Track<Q: Quest> {
    places: Vec<u32>,
    who: Vec<u8>,
    by: HashMap<Q::Key, u8>,
}

impl<Q: Quest> Default for Track<Q> {
    fn default() -> Self {
        Track {
            places: Vec::new(),
            who: Vec::new(),
            by: HashMap::new(),
        }
    }
}

/// Notes it.
struct Tracking<'a, Q: Quest> {
    quest: &'a Q,
    track: &'a mut Track<Q>,
}

impl<Q: Quest> Observer<Q> for Tracking<'_, Q> {
    fn expanded(&mut self, expansion: Expansion<'_, Q>) {
        let Tracking { quest, track } = self;
        if track.places.len() >= MOST_SHOWN {
            return;
        }
        let by = expansion.by.min(255) as u8;
        track.places.push(quest.place(expansion.state) as u32);
        track.who.push(by);
        track.by.insert(quest.key(expansion.state), by);
    }
}

#[cfg(test)]
mod tests {
    use apprentice::report::document::PlanStatus;

    use super::*;
    use crate::clock;

    /// Plans with a planner, with the flag down, or raised before the first expansion.
    fn answers(planner: &str, detail: &str, is_superseded: bool) -> Vec<PlanAnswer> {
        let folder = Folder::open(&std::env::temp_dir()).unwrap();
        let path = "built-in:quest_key.toml";
        let ask = serde_json::json!({
            "path": path,
            "text": folder.read(path).unwrap(),
            "demonstrations": [],
            "settings": { "planner": planner },
            "detail": detail,
        });
        let ask: PlanAsk = serde_json::from_value(ask).unwrap();
        let mut answers = Vec::new();
        let stop = AtomicBool::new(is_superseded);
        let prepared = &mut Prepared::default();
        plan(
            (&folder, clock::by_the_computer),
            prepared,
            &ask,
            &stop,
            |answer| {
                answers.push(answer);
            },
        )
        .unwrap();
        answers
    }

    #[test]
    fn a_question_that_was_superseded_is_not_answered_with_no_plan() {
        let all = answers("astar", "live", false);
        assert_eq!(
            all.last().map(|answer| answer.plan.status),
            Some(PlanStatus::Found)
        );
        assert!(answers("astar", "live", true).is_empty());
    }

    /// An answer without its clocks, and without what it took to get ready: what is kept is not got
    /// ready again.
    fn without_work(answer: &PlanAnswer) -> serde_json::Value {
        let mut answer = serde_json::to_value(answer).unwrap();
        let plan = answer["plan"].as_object_mut().unwrap();
        plan.retain(|name, _| {
            let is_work = ["budget_spent", "preparation", "bytes_per_state"].contains(&&**name);
            !is_work && !name.ends_with("_ms")
        });
        answer
    }

    #[test]
    fn what_was_asked_before_makes_no_difference() {
        let folder = Folder::open(&std::env::temp_dir()).unwrap();
        let never = AtomicBool::new(false);
        let mut kept = Prepared::default();
        for (level, thing) in [("quest_key", "key"), ("bear_bypass", "bear")] {
            let path = format!("built-in:{level}.toml");
            let text = folder.read(&path).unwrap();
            let (shown, _) = {
                let scenario = level::parse(&folder, &path, &text).unwrap();
                demonstrations::own(&folder, &path, &scenario)
            };
            let lines = serde_json::to_value(&shown).unwrap();
            let moves = [
                ("start", 4),
                ("start", 6),
                (thing, 20),
                (thing, 21),
                ("start", 4),
                (thing, 20),
            ];
            for (number, (thing, x)) in moves.into_iter().enumerate() {
                let ask = serde_json::json!({
                    "path": path,
                    "text": text,
                    "edits": [{ "edit": "move", "thing": thing, "x": x, "y": 20 }],
                    "demonstrations": lines,
                    "settings": { "planner": "auto" },
                    "detail": if number == 3 { "full" } else { "live" },
                });
                let ask: PlanAsk = serde_json::from_value(ask).unwrap();
                let plans = |prepared: &mut Prepared| {
                    let mut last = None;
                    let made = plan(
                        (&folder, clock::by_the_computer),
                        prepared,
                        &ask,
                        &never,
                        |answer| {
                            last = Some(without_work(&answer));
                        },
                    );
                    made.map(|()| last)
                };
                let expected = plans(&mut Prepared::default());
                assert_eq!(plans(&mut kept), expected, "{level}: {thing} at {x}");
            }
        }
    }

    #[test]
    fn what_getting_ready_takes_is_told_apart_from_what_looking_takes() {
        for (planner, sweeps) in [("auto", true), ("ara", false)] {
            for detail in ["live", "full"] {
                let all = answers(planner, detail, false);
                let plan = &all.last().unwrap().plan;
                assert_eq!(plan.preparation > 0, sweeps, "{planner}, {detail}");
                assert!(plan.expansions > 0);
                let units = plan.preparation + plan.expansions + plan.upkeep;
                assert_eq!(plan.budget_spent, units);
                assert!(plan.preparation_ms <= plan.time_ms);
            }
        }
    }
}
