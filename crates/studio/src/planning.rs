//! Makes plans for the page: the first one at once, better ones while nothing newer is asked.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use apprentice::behavior::{
    Checked, Explained, Explanation, NamedSearch, NoWay, Parameter, Planner, PlannerName, Settings,
    WhyIgnored,
};
use apprentice::experience::{Demonstration, Place, coverage};
use apprentice::game::Ground;
use apprentice::search::{Budget, Expansion, Observer, Search, Spent, Status, Weight};
use apprentice::world::{
    Abilities, AgentId, AnyQuest, LivedPlan, Order, Quest, Scenario, Verified, World, verify,
};

use crate::folder::Folder;
use crate::level::{self, ReadLevel};
use crate::protocol::{
    Detail, Explored, ParameterValue, PlanAnswer, PlanAsk, PlanDocument, PlannerSettings,
    ShownImprovement, ShownStep, ShownStretch, Side,
};
use crate::{deeds, demonstrations, pulling, scene};

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
    folder: &Folder,
    ask: &PlanAsk,
    stop: &AtomicBool,
    mut hand_over: impl FnMut(PlanAnswer),
) -> Result<(), String> {
    let level = level::read(folder, &ask.level)?;
    let shown = demonstrations::read(&level.scenario, &ask.demonstrations)?;
    let mut settings = settings(&ask.settings)?;
    // Where nothing was shown there is nothing to be faithful to: the best plan is wanted.
    settings.improve =
        settings.planner == PlannerName::Auto && ask.detail == Detail::Full && shown.is_empty();
    let checked = settings.check(&level.scenario, shown.clone());
    let Checked { planner, notes } = checked.map_err(|error| error.to_string())?;
    let job = Job {
        level: &level,
        shown: &shown,
        planner: &planner,
        notes: &notes,
        side: ask.side,
        detail: ask.detail,
        stop,
    };
    match &level.scenario.quest_with(Abilities::default()) {
        AnyQuest::Still(quest) => job.run(quest, &mut hand_over),
        AnyQuest::Moving(quest) => job.run(quest, &mut hand_over),
    }
}

struct Job<'a> {
    level: &'a ReadLevel,
    shown: &'a [Demonstration],
    planner: &'a Planner,
    notes: &'a [String],
    side: Side,
    detail: Detail,
    stop: &'a AtomicBool,
}

impl Job<'_> {
    fn run<Q: Quest + 'static>(
        &self,
        quest: &Q,
        hand_over: &mut dyn FnMut(PlanAnswer),
    ) -> Result<(), String> {
        let begun = Instant::now();
        let named = self.planner.search(quest);
        let NamedSearch {
            mut search,
            heuristics,
        } = named.map_err(|error| error.to_string())?;
        let mut track = Track::new(quest, self.detail);
        let mut taken = 0;
        let mut deadline = begun + PATIENCE;
        let mut improvements: Vec<ShownImprovement> = Vec::new();
        loop {
            let mut slice = Budget::expansions(SLICE)
                .within_memory(MEMORY)
                .until(deadline)
                .unless(self.stop);
            let status = if self.detail == Detail::Full || track.ready.is_none() {
                search.run_observed(quest, &mut slice, &mut track)
            } else {
                search.run(quest, &mut slice)
            };
            taken += slice.taken();
            let spent = slice.spent_by();
            let is_over = match status {
                Status::Improved => false,
                Status::Paused => spent != Some(Spent::Expansions),
                _ => true,
            };
            let is_new = improvement(&*search, improvements.last());
            let is_better = is_new.is_some();
            if improvements.is_empty() && is_better {
                deadline = deadline.min(Instant::now() + IMPROVING);
            }
            improvements.extend(is_new);
            let is_enough = self.detail == Detail::Live && !improvements.is_empty();
            let done = is_over || is_enough;
            if spent == Some(Spent::Cancelled) && improvements.is_empty() {
                return Ok(());
            }
            if is_better || done {
                let run = Run {
                    heuristics: &heuristics,
                    status,
                    taken,
                    preparing: track.ready.unwrap_or_else(Instant::now) - begun,
                    elapsed: begun.elapsed(),
                    done,
                    improvements: &improvements,
                };
                hand_over(self.answer(quest, &*search, &track, &run)?);
            }
            if done || self.stop.load(Ordering::Relaxed) {
                return Ok(());
            }
        }
    }

    /// Why the plan is as it is. What was ignored is only found out where there is time.
    fn explain<Q: Quest>(&self, quest: &Q, lived: Option<&Verified>) -> Explanation {
        let Some(lived) = lived else {
            return Explanation::default();
        };
        let relevances = match self.detail {
            Detail::Full => self.planner.relevances(quest),
            Detail::Live => None,
        };
        let mut explanation = Explained {
            story: LivedPlan {
                scenario: quest.scenario(),
                start: quest.start_world(),
                steps: &lived.steps,
            },
            demonstrations: self.shown,
            relevances: relevances.as_deref(),
        }
        .explain();
        if self.detail == Detail::Live {
            explanation.ignored.clear();
        }
        explanation
    }

    fn answer<Q: Quest>(
        &self,
        quest: &Q,
        search: &dyn Search<Q>,
        track: &Track<'_, Q>,
        run: &Run<'_>,
    ) -> Result<PlanAnswer, String> {
        let path = search.path();
        let lived = path.as_ref().map(|path| {
            let orders: Vec<Order> = path.actions().copied().collect();
            verify(quest.scenario(), quest.start_world(), &orders, quest.goal())
                .map_err(|why| format!("the plan that was found is invalid: {why}"))
        });
        let lived = lived.transpose()?;
        let scenario = quest.scenario();
        let steps = lived.as_ref().map_or_else(Vec::new, |lived| {
            steps(scenario, quest.start_world(), lived)
        });
        let places = lived.iter().flat_map(|lived| &lived.steps);
        let start = quest.start_world().place(AgentId::NPC, scenario);
        let way: Vec<Place> = (lived.iter().map(|_| start))
            .chain(places.map(|step| step.place))
            .map(|place| scenario.map().at(place))
            .collect();
        let shown = self.planner.demonstrations();
        let covered = shown.iter().map(|shown| coverage([shown], &way));
        let explanation = self.explain(quest, lived.as_ref());
        let statistics = search.statistics();
        let has_time = self.detail == Detail::Full;
        let expanded_by = path.iter().filter(|_| has_time).flat_map(|path| {
            let by = |state| track.by.get(&quest.key(state)).map(|by| usize::from(*by));
            path.states().map(by)
        });
        let guarantee = search.guarantee();
        let is_proven = has_time && lived.is_none() && run.status == Status::Unsolvable;
        let mut until_stopped = Budget::unlimited().unless(self.stop);
        let no_way = is_proven.then(|| NoWay::of(quest, &mut until_stopped));
        let no_way = no_way.flatten();
        Ok(PlanAnswer {
            side: self.side,
            done: run.done,
            implied_bound: self.planner.proves().as_f64(),
            notes: self.notes.to_vec(),
            drawn: lived.as_ref().map_or_else(Vec::new, |lived| {
                let start = quest.start_world().place(AgentId::NPC, scenario);
                pulling::drawn(scenario, start, &lived.steps)
            }),
            stretches: stretches(&explanation),
            no_way: no_way.map(|no_way| no_way.to_string()),
            ignored: ignored(&explanation),
            covered: covered.collect(),
            others: lived.as_ref().map_or_else(Vec::new, |lived| {
                others(scenario, quest.start_world(), lived)
            }),
            explored: has_time.then(|| Explored {
                places: track.places.clone(),
                by: track.who.clone(),
                all: statistics.expanded,
            }),
            expanded_by: expanded_by.collect(),
            heuristics: run.heuristics.to_vec(),
            improvements: run.improvements.to_vec(),
            plan: PlanDocument {
                scenario: level::short_name(&self.level.path).to_owned(),
                planner: self.planner.name().to_string(),
                parameters: parameters(self.planner, scenario),
                status: match (&lived, run.status) {
                    (Some(_), _) => "found",
                    (None, Status::Unsolvable) => "impossible",
                    (None, _) => "budget",
                },
                cost: lived.as_ref().map(|lived| lived.cost.as_seconds()),
                bound: guarantee.factor(),
                guarantee: quest.proven(&guarantee),
                budget_spent: run.taken,
                preparation: run.taken - statistics.expanded - statistics.upkeep,
                expansions: statistics.expanded,
                upkeep: statistics.upkeep,
                reexpansions: statistics.reexpanded,
                generated: statistics.generated,
                states: statistics.states,
                bytes_per_state: statistics.bytes_per_state(),
                expanded_by: (run.heuristics.iter().cloned())
                    .zip(statistics.expanded_by.iter().copied())
                    .collect(),
                time_ms: milliseconds(run.elapsed),
                preparation_ms: milliseconds(run.preparing),
                followed: coverage(&shown[..], &way),
                steps,
            },
        })
    }
}

/// What is followed where, in words.
fn stretches(explanation: &Explanation) -> Vec<ShownStretch> {
    let stretches = explanation.stretches.iter().map(|stretch| {
        let reasons: Vec<String> = stretch.reasons.iter().map(ToString::to_string).collect();
        let reasons = reasons.join("; ");
        let text = match (&stretch.follows, reasons.is_empty()) {
            (Some(followed), true) => format!("follows “{}”", followed.name),
            (Some(followed), false) => format!("follows “{}”; {reasons}", followed.name),
            (None, true) => "on its own way".to_owned(),
            (None, false) => format!("on its own way: {reasons}"),
        };
        ShownStretch {
            first: stretch.first,
            last: stretch.last,
            follows: stretch.follows.as_ref().map(|it| it.demonstration),
            text,
        }
    });
    let sneaking = explanation.sneaking.iter().filter_map(|sneaking| {
        let listener = sneaking.because_of.as_ref()?;
        Some(ShownStretch {
            first: sneaking.first,
            last: sneaking.last,
            follows: None,
            text: format!(
                "sneaks because `{}`, {:.1} away, notices walkers from {:.1} and sneakers only from {:.1}",
                listener.id, listener.distance, listener.walking, listener.sneaking
            ),
        })
    });
    stretches.chain(sneaking).collect()
}

/// What is hardly followed, in words.
fn ignored(explanation: &Explanation) -> Vec<String> {
    let told = explanation.ignored.iter().map(|ignored| {
        let why = match &ignored.why {
            // In the page nobody gives a bound or an epsilon.
            WhyIgnored::TooLong { detour, epsilon } => format!(
                "the way along it takes {detour:.1} times the direct way, and at most \
                 {epsilon:.1} times is followed; the slider towards Faithful follows more"
            ),
            why => why.to_string(),
        };
        format!("“{}” is hardly followed: {why}", ignored.name)
    });
    told.collect()
}

/// What is known about a run when an answer is given.
struct Run<'a> {
    heuristics: &'a [String],
    status: Status,
    /// Units of budget.
    taken: u64,
    preparing: Duration,
    elapsed: Duration,
    done: bool,
    improvements: &'a [ShownImprovement],
}

fn milliseconds(time: Duration) -> f64 {
    time.as_micros() as f64 / 1e3
}

/// What is better now than it was at the last improvement.
fn improvement<Q: Quest>(
    search: &dyn Search<Q>,
    last: Option<&ShownImprovement>,
) -> Option<ShownImprovement> {
    let found = ShownImprovement {
        expansions: search.statistics().expanded,
        cost: search.path()?.cost.as_seconds(),
        bound: search.guarantee().factor(),
    };
    let is_new = last.is_none_or(|last| (last.cost, last.bound) != (found.cost, found.bound));
    is_new.then_some(found)
}

fn parameters(planner: &Planner, scenario: &Scenario) -> Vec<(String, ParameterValue)> {
    let parameters = planner.parameters(scenario.landmarks()).into_iter();
    let shown = parameters.map(|(name, parameter)| {
        let value = match parameter {
            Parameter::Number(number) => ParameterValue::Number(number),
            Parameter::Switch(switch) => ParameterValue::Switch(switch),
            Parameter::Word(word) => ParameterValue::Word(word),
            Parameter::Names(names) => ParameterValue::Names(names),
        };
        (name.to_owned(), value)
    });
    shown.collect()
}

fn steps(scenario: &Scenario, start: &World, lived: &Verified) -> Vec<ShownStep> {
    let step = |t: f64, action: String, world: &World, events: Vec<String>| {
        let at = scene::footing(scenario, world);
        let map = scenario.map();
        let height = || map.height_of(world.place(AgentId::NPC, scenario));
        ShownStep {
            t,
            action,
            x: at.x,
            y: at.y,
            // As exact as `verify` wants it.
            z: (!map.is_flat()).then(height),
            gait: scene::gait(world, AgentId::NPC).to_string(),
            health: world.health(AgentId::NPC, scenario),
            holding: scene::holding(scenario, world, AgentId::NPC),
            events,
        }
    };
    let first = step(0.0, "start".to_owned(), start, Vec::new());
    let rest = lived.steps.iter().map(|lived| {
        let events = deeds::words(scenario, &lived.events);
        let time = lived.time.as_seconds();
        step(time, lived.order.to_string(), &lived.world, events)
    });
    std::iter::once(first).chain(rest).collect()
}

/// Where enemies that move, and the player, are at each step; nothing if nobody is there.
fn others(scenario: &Scenario, start: &World, lived: &Verified) -> Vec<Vec<[f64; 2]>> {
    let enemies = (0..scenario.enemies().len() as u16).map(AgentId::Enemy);
    let player = (scenario.actors().len() > 1).then_some(AgentId::PLAYER);
    let agents: Vec<AgentId> = enemies.chain(player).collect();
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

/// When a search was ready, and, where there is time, what it looked at, in order, and on whose
/// behalf.
struct Track<'q, Q: Quest> {
    quest: &'q Q,
    detail: Detail,
    /// When it met its first state.
    ready: Option<Instant>,
    places: Vec<u32>,
    who: Vec<u8>,
    by: HashMap<Q::Key, u8>,
}

impl<'q, Q: Quest> Track<'q, Q> {
    fn new(quest: &'q Q, detail: Detail) -> Self {
        Track {
            quest,
            detail,
            ready: None,
            places: Vec::new(),
            who: Vec::new(),
            by: HashMap::new(),
        }
    }
}

impl<Q: Quest> Observer<Q> for Track<'_, Q> {
    fn expanded(&mut self, expansion: Expansion<'_, Q>) {
        // Advisers get ready just before.
        self.ready.get_or_insert_with(Instant::now);
        if self.detail == Detail::Live || self.places.len() >= MOST_SHOWN {
            return;
        }
        let by = expansion.by.min(255) as u8;
        self.places.push(self.quest.place(expansion.state) as u32);
        self.who.push(by);
        self.by.insert(self.quest.key(expansion.state), by);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        plan(&folder, &ask, &stop, |answer| answers.push(answer)).unwrap();
        answers
    }

    #[test]
    fn a_question_that_was_superseded_is_not_answered_with_no_plan() {
        let all = answers("astar", "live", false);
        assert_eq!(all.last().map(|answer| answer.plan.status), Some("found"));
        assert!(answers("astar", "live", true).is_empty());
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
