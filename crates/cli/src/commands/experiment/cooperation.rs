//! Table 6.1: what plans for a companion and its player take, beside what was published, and whether
//! what was said of them holds.

use std::fmt::Write;
use std::time::{Duration, Instant};

use apprentice::Level;
use apprentice::behavior::{Estimate, PlannerName, Settings};
use apprentice::experience::Demonstration;
use apprentice::report::numbers::{finite, grouped, short};
use apprentice::search::{Budget, Search, Status, Weight};
use apprentice::world::{
    Abilities, AgentId, AnyQuest, Event, Order, Quest, Scenario, Thing, Verified, World, rehearse,
    verify,
};
use serde_json::{Value, json};

use super::Run;
use crate::commands::plan::Format;
use crate::exit::{Failure, print, print_exactly};

/// The level, as it travels with the program.
const LEVEL: &str = include_str!("../../../shipped/coop_cave.toml");
const MESH: &str = include_str!("../../../shipped/coop_cave.mesh");

/// Searches that take more expansions are cut: three times the most that was published.
const PATIENCE: u64 = 3_000_000;
const PATIENCE_QUICK: u64 = 30_000;

/// Ticks of games, in milliseconds, in which plans are lived through.
const TICKS: [u64; 2] = [16, 33];

/// A row of the table.
pub(crate) struct Row {
    pub(crate) name: String,
    /// Expansions, seconds, and seconds of the plan.
    pub(crate) published: Option<(u64, f64, Option<f64>)>,
    pub(crate) expansions: u64,
    pub(crate) seconds: f64,
    /// Of the plan, if one was found.
    pub(crate) cost: Option<f64>,
    plan: Option<Plan>,
}

struct Plan {
    scenario: Scenario,
    orders: Vec<Order>,
    lived: Verified,
}

/// Whether something that was said holds.
pub(crate) struct Verdict {
    pub(crate) id: &'static str,
    pub(crate) claim: &'static str,
    pub(crate) holds: Option<bool>,
    pub(crate) measured: String,
    pub(crate) published: &'static str,
}

/// What is planned: nobody's model, or a style's; by which planner, and with which numbers.
struct Asked {
    name: &'static str,
    style: Option<&'static str>,
    settings: Settings,
    published: Option<(u64, f64, Option<f64>)>,
}

pub(super) fn run(run: &Run) -> Result<(), Failure> {
    let patience = if run.quick { PATIENCE_QUICK } else { PATIENCE };
    let rows = rows(patience)?;
    let verdicts = verdicts(&rows);
    match run.format {
        Format::Text => print(&text(&rows, &verdicts)),
        Format::Json => print_exactly(&format!("{:#}\n", document(&rows, &verdicts))),
    }
}

/// Plans everything. A search is cut after so many expansions.
pub(crate) fn rows(patience: u64) -> Result<Vec<Row>, Failure> {
    let bug = |error: &dyn std::fmt::Display| Failure::Bug(format!("the shipped level: {error}"));
    let level = shipped_cave()?;
    let mut rows = Vec::new();
    for asked in asked()? {
        let (scenario, shown) = match asked.style {
            None => (level.scenario.clone(), level.demonstrations.clone()),
            Some(style) => together(&level, style).map_err(|error| bug(&error))?,
        };
        rows.push(measure(&asked, &scenario, &shown, patience)?);
    }
    Ok(rows)
}

/// The cave that travels with the program.
pub(super) fn shipped_cave() -> Result<Level, Failure> {
    let level = Level::read(LEVEL, |name| match name {
        "coop_cave.mesh" => Ok(MESH.as_bytes().to_vec()),
        _ => Err("there is no such file".to_owned()),
    });
    level.map_err(|error| Failure::Bug(format!("the shipped level: {error}")))
}

fn asked() -> Result<Vec<Asked>, Failure> {
    let weight = |number: f64| Weight::new(number).map_err(|error| Failure::Bug(error.to_string()));
    let wastar = |w: f64| {
        Ok::<_, Failure>(Settings {
            planner: PlannerName::Wastar,
            w: Some(weight(w)?),
            estimate: Some(Estimate::Path),
            ..Settings::default()
        })
    };
    let tgraph = |w: f64, epsilon: f64| {
        Ok::<_, Failure>(Settings {
            planner: PlannerName::Tgraph,
            w: Some(weight(w)?),
            epsilon: Some(weight(epsilon)?),
            ..Settings::default()
        })
    };
    let mha = |w: f64, epsilon: f64| {
        Ok::<_, Failure>(Settings {
            planner: PlannerName::Mha,
            w1: Some(weight(w)?),
            w2: Some(weight(epsilon)?),
            epsilon: Some(weight(epsilon)?),
            estimate: Some(Estimate::Path),
            ..Settings::default()
        })
    };
    let row = |name, style, settings, published| Asked {
        name,
        style,
        settings,
        published,
    };
    let (combat, sneak) = (Some("combat"), Some("sneak"));
    let cost = Some;
    Ok(vec![
        row(
            "alone, T-Graph (20, 5)",
            None,
            tgraph(20.0, 5.0)?,
            Some((478, 0.135, None)),
        ),
        row(
            "COMBAT, T-Graph (20, 5)",
            combat,
            tgraph(20.0, 5.0)?,
            Some((1_797, 0.497, None)),
        ),
        row(
            "SNEAK, weighted A* along ways (10)",
            sneak,
            wastar(10.0)?,
            Some((898_008, 306.0, cost(140.1))),
        ),
        row(
            "SNEAK, T-Graph (10, 10)",
            sneak,
            tgraph(10.0, 10.0)?,
            Some((578_781, 185.2, cost(137.1))),
        ),
        row(
            "SNEAK, MHA* (10, 10)",
            sneak,
            mha(10.0, 10.0)?,
            Some((345_208, 117.9, cost(197.3))),
        ),
        row(
            "SNEAK, T-Graph (20, 5)",
            sneak,
            tgraph(20.0, 5.0)?,
            Some((17_261, 4.985, cost(137.1))),
        ),
        row(
            "SNEAK, MHA* (20, 5)",
            sneak,
            mha(20.0, 5.0)?,
            Some((9_356, 2.047, cost(166.7))),
        ),
        row("alone, auto", None, Settings::default(), None),
        row("COMBAT, auto", combat, Settings::default(), None),
        row("SNEAK, auto", sneak, Settings::default(), None),
    ])
}

/// The level with a model of the player, and what was shown to those who accompany such a player.
fn together(
    level: &Level,
    style: &str,
) -> Result<(Scenario, Vec<Demonstration>), Box<dyn std::error::Error>> {
    let scenario = &level.scenario;
    let style = scenario.style(style)?;
    let mut numbered = scenario.styles().iter().zip(&level.exemplars);
    let exemplar = numbered.find(|(it, _)| it.id == style.id);
    let (_, exemplar) = exemplar.ok_or("the style has no exemplar")?;
    let shown = style.demonstrations.iter();
    let shown = shown.filter_map(|number| level.demonstrations.get(*number));
    let shown = shown.cloned().collect();
    Ok((scenario.with_player_model(style, exemplar)?, shown))
}

fn measure(
    asked: &Asked,
    scenario: &Scenario,
    shown: &[Demonstration],
    patience: u64,
) -> Result<Row, Failure> {
    let bug = |error: &dyn std::fmt::Display| Failure::Bug(format!("{}: {error}", asked.name));
    let checked = asked.settings.check(scenario, shown.to_vec());
    let planner = checked.map_err(|error| bug(&error))?.planner;
    let abilities = Abilities {
        waits: asked.style.is_some(),
        ..Abilities::default()
    };
    let AnyQuest::Moving(quest) = scenario.quest_with(abilities) else {
        return Err(Failure::Bug("in the shipped level enemies move".to_owned()));
    };
    let begun = Instant::now();
    let mut search = planner.search(&quest).map_err(|error| bug(&error))?.search;
    // Units are more than expansions where enemies hunt; searches are cut by expansions here.
    let mut status = Status::Paused;
    while status.is_unfinished() && search.statistics().expanded < patience {
        status = search.run(&quest, &mut Budget::units(10_000));
    }
    let seconds = begun.elapsed().as_secs_f64();
    let path = search.path();
    let plan = path.map(|path| {
        let orders: Vec<Order> = path.actions().copied().collect();
        let planned_in = quest.scenario();
        let lived = verify(planned_in, quest.start_world(), &orders, planned_in.goal());
        lived.map(|lived| Plan {
            scenario: scenario.clone(),
            orders,
            lived,
        })
    });
    let plan = plan.transpose().map_err(|error| bug(&error))?;
    Ok(Row {
        name: asked.name.to_owned(),
        published: asked.published,
        expansions: search.statistics().expanded,
        seconds,
        cost: plan.as_ref().map(|plan| plan.lived.cost.as_seconds()),
        plan,
    })
}

impl Plan {
    /// Who is dead in the end, lived through in ticks; or why it cannot be.
    fn deaths(&self, tick: u64) -> Result<Vec<String>, String> {
        let (scenario, tick) = (&self.scenario, Duration::from_millis(tick));
        let start = World::new(scenario);
        let lived = rehearse(scenario, &start, &self.orders, scenario.goal(), tick);
        let lived = lived.map_err(|why| why.to_string())?;
        let end = lived.steps.last().map_or(&start, |step| &step.world);
        let both = [AgentId::NPC, AgentId::PLAYER].into_iter();
        let dead = both.filter(|agent| end.is_dead(*agent, scenario));
        let names = dead.map(|agent| scenario.id_of(Thing::Agent(agent)).to_owned());
        Ok(names.collect())
    }

    fn stands(&self) -> bool {
        TICKS
            .iter()
            .all(|tick| self.deaths(*tick).is_ok_and(|dead| dead.is_empty()))
    }

    fn bear(&self) -> Option<AgentId> {
        match self.scenario.thing("bear")? {
            Thing::Agent(agent) => Some(agent),
            _ => None,
        }
    }

    /// Whether the bear dies, and by whose blows.
    fn bear_falls_to_both(&self) -> bool {
        let Some(bear) = self.bear() else {
            return false;
        };
        let events = || self.lived.steps.iter().flat_map(|step| &step.events);
        let struck_by = |who: AgentId| {
            events().any(|event| matches!(event, Event::Hurt { agent, by, .. } if *agent == bear && *by == who))
        };
        let dies = events().any(|event| *event == Event::Died { agent: bear });
        dies && struck_by(AgentId::NPC) && struck_by(AgentId::PLAYER)
    }

    /// How near the companion comes to the bear.
    fn nearest_to_bear(&self) -> f64 {
        let Some(bear) = self.bear() else {
            return f64::INFINITY;
        };
        let worlds = self.lived.steps.iter().map(|step| &step.world);
        let distances = worlds.map(|world| {
            let at = world.position(AgentId::NPC, &self.scenario);
            at.distance_to(world.position(bear, &self.scenario))
        });
        distances.fold(f64::INFINITY, f64::min)
    }

    /// How near it comes to the nearest superwolf.
    fn passes_superwolves(&self) -> bool {
        let wolves = ["red", "black"].map(|id| self.scenario.thing(id));
        let worlds = || self.lived.steps.iter().map(|step| &step.world);
        wolves.into_iter().flatten().any(|wolf| {
            let Thing::Agent(wolf) = wolf else {
                return false;
            };
            worlds().any(|world| {
                let at = world.position(AgentId::NPC, &self.scenario);
                at.distance_to(world.position(wolf, &self.scenario)) <= WOLF_HEARS
            })
        })
    }
}

/// As far as a wolf hears somebody who walks.
const WOLF_HEARS: f64 = 8.0;
/// As far as the bear reaches.
const BEAR_REACHES: f64 = 2.0;

/// What was said of the table, held against the rows.
pub(crate) fn verdicts(rows: &[Row]) -> Vec<Verdict> {
    let row = |name: &str| rows.iter().find(|row| row.name == name);
    let expansions = |name: &str| {
        row(name)
            .filter(|row| row.plan.is_some())
            .map(|row| row.expansions)
    };
    let plan = |name: &str| row(name).and_then(|row| row.plan.as_ref());
    let told = |count: Option<u64>| count.map_or_else(|| "no plan".to_owned(), grouped);
    let less = |one: Option<u64>, other: Option<u64>| Some(one? < other?);
    let [wastar, tten, mten, ttwenty, mtwenty] = [
        "SNEAK, weighted A* along ways (10)",
        "SNEAK, T-Graph (10, 10)",
        "SNEAK, MHA* (10, 10)",
        "SNEAK, T-Graph (20, 5)",
        "SNEAK, MHA* (20, 5)",
    ]
    .map(expansions);
    let (alone, combat) = (
        expansions("alone, T-Graph (20, 5)"),
        expansions("COMBAT, T-Graph (20, 5)"),
    );
    let cost = |name: &str| row(name).and_then(|row| row.cost);
    let lone = plan("alone, auto");
    let (fights, sneaks) = (plan("COMBAT, auto"), plan("SNEAK, auto"));
    let and = |one: Option<bool>, other: Option<bool>| Some(one? && other?);
    let costs = [
        "SNEAK, T-Graph (10, 10)",
        "SNEAK, MHA* (10, 10)",
        "SNEAK, T-Graph (20, 5)",
        "SNEAK, MHA* (20, 5)",
    ]
    .map(cost);
    let seconds = |cost: Option<f64>| cost.map_or_else(|| "none".to_owned(), |cost| short(cost, 1));
    vec![
        Verdict {
            id: "A32",
            claim: "a model of the player takes more expansions",
            holds: and(less(alone, combat), less(alone, ttwenty)),
            measured: format!(
                "alone {}, COMBAT {}, SNEAK {}",
                told(alone),
                told(combat),
                told(ttwenty)
            ),
            published: "alone 478, COMBAT 1,797, SNEAK 17,261",
        },
        Verdict {
            id: "A33",
            claim: "COMBAT defeats the bear and both live; SNEAK never comes within its reach; in ticks of 16 and 33 ms",
            holds: and(
                fights.map(|plan| plan.bear_falls_to_both() && plan.stands()),
                sneaks.map(|plan| plan.nearest_to_bear() > BEAR_REACHES && plan.stands()),
            ),
            measured: format!(
                "COMBAT {}; SNEAK keeps {} m away from it",
                match fights {
                    Some(plan) if plan.bear_falls_to_both() && plan.stands() =>
                        "defeats it, both live",
                    Some(_) => "does not, or not in ticks",
                    None => "has no plan",
                },
                sneaks.map_or_else(|| "?".to_owned(), |plan| short(plan.nearest_to_bear(), 1)),
            ),
            published: "as in Figs 6.5 and 6.6",
        },
        Verdict {
            id: "A34",
            claim: "expansions: MHA* < T-Graph < weighted A* along ways, at (10, 10)",
            holds: and(less(mten, tten), less(tten, wastar)),
            measured: format!("{} < {} < {}", told(mten), told(tten), told(wastar)),
            published: "345,208 < 578,781 < 898,008",
        },
        Verdict {
            id: "A35",
            claim: "plans of MHA* may cost more than those of the T-Graph",
            // It may, so nothing that is measured says otherwise, as long as all found plans.
            holds: costs.iter().all(Option::is_some).then_some(true),
            measured: format!(
                "T-Graph {} and {}, MHA* {} and {} s",
                seconds(costs[0]),
                seconds(costs[2]),
                seconds(costs[1]),
                seconds(costs[3])
            ),
            published: "T-Graph 137.1 and 137.1, MHA* 197.3 and 166.7 s",
        },
        Verdict {
            id: "A36",
            claim: "(20, 5) takes fewer expansions than (10, 10), with both",
            holds: and(less(ttwenty, tten), less(mtwenty, mten)),
            measured: format!(
                "T-Graph {} and {}, MHA* {} and {}",
                told(ttwenty),
                told(tten),
                told(mtwenty),
                told(mten)
            ),
            published: "T-Graph 17,261 and 578,781, MHA* 9,356 and 345,208",
        },
        Verdict {
            id: "A38",
            claim: "alone, one goes past the superwolves, and lives in ticks of 16 ms",
            holds: lone.map(|plan| {
                plan.passes_superwolves() && plan.deaths(16).is_ok_and(|dead| dead.is_empty())
            }),
            measured: lone.map_or_else(
                || "no plan".to_owned(),
                |plan| {
                    format!(
                        "{} s, {} m away from the bear",
                        short(plan.lived.cost.as_seconds(), 1),
                        short(plan.nearest_to_bear(), 1)
                    )
                },
            ),
            published: "Fig. 6.4",
        },
    ]
}

fn text(rows: &[Row], verdicts: &[Verdict]) -> String {
    let mut text = String::from(
        "                                        measured                       published\n\
         with                                expanded      ms    cost s    expanded       ms  cost s\n",
    );
    for row in rows {
        let cost = row
            .cost
            .map_or_else(|| "no plan".to_owned(), |cost| format!("{cost:.1}"));
        let _ = write!(
            text,
            "{:<36} {:>9} {:>7.0} {:>9}",
            row.name,
            grouped(row.expansions),
            row.seconds * 1e3,
            cost
        );
        let _ = match row.published {
            None => writeln!(text),
            Some((expansions, seconds, cost)) => {
                let cost = cost.map_or_else(String::new, |cost| format!("{cost:.1}"));
                writeln!(
                    text,
                    " {:>11} {:>8.0} {cost:>7}",
                    grouped(expansions),
                    seconds * 1e3
                )
            }
        };
    }
    text.push_str(
        "\n(w, epsilon): MHA* has w1 = w and w2 = epsilon, so that all prove the same.\n\n",
    );
    for verdict in verdicts {
        let holds = match verdict.holds {
            Some(true) => "holds",
            Some(false) => "fails",
            None => "not evaluated: a search found no plan",
        };
        let _ = writeln!(
            text,
            "{} {holds}: {}\n    measured: {}; published: {}",
            verdict.id, verdict.claim, verdict.measured, verdict.published
        );
    }
    text
}

fn document(rows: &[Row], verdicts: &[Verdict]) -> Value {
    let rows: Vec<Value> = rows
        .iter()
        .map(|row| {
            json!({
                "name": row.name,
                "expansions": row.expansions,
                "ms": finite(row.seconds * 1e3),
                "cost": row.cost.and_then(finite),
                "published": row.published.map(|(expansions, seconds, cost)| {
                    json!({ "expansions": expansions, "ms": finite(seconds * 1e3), "cost": cost })
                }),
            })
        })
        .collect();
    let verdicts: Vec<Value> = verdicts
        .iter()
        .map(|verdict| {
            let why = match verdict.holds {
                None => "a search found no plan",
                Some(_) => verdict.claim,
            };
            json!({
                "id": verdict.id,
                "holds": verdict.holds,
                "measured": verdict.measured,
                "published": verdict.published,
                "why": why,
            })
        })
        .collect();
    json!({ "rows": rows, "verdicts": verdicts })
}
