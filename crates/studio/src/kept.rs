//! What is kept from one question to the next, by content: levels that were read, maps they are on,
//! logs, searches with what they got ready, and plans for what is dragged. Whatever was asked before,
//! answers are the same; they only come sooner.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use apprentice::behavior::NamedSearch;
use apprentice::experience::{Demonstration, DemonstrationLog};
use apprentice::world::{KeptMaps, Quest, QuestProblem, Scenario, StillQuest};

use crate::protocol::{Line, PlanAnswer, PlannerSettings};

/// Levels that are kept: two sides, a few moves back each.
const MOST_LEVELS: usize = 16;
/// Logs that are kept: more are not shown at once.
const MOST_LOGS: usize = 32;
/// Plans that are kept: a hand that goes to and fro comes by the same places.
const MOST_ANSWERS: usize = 64;
/// A search that holds more is let go: it would be in the way of whatever else needs memory.
const MOST_BYTES: f64 = (64 << 20) as f64;

/// What sessions keep and share.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    maps: Mutex<KeptMaps>,
    levels: Mutex<Vec<KeptLevel>>,
    logs: Mutex<Vec<(String, Arc<DemonstrationLog>)>>,
}

#[derive(Debug)]
struct KeptLevel {
    path: String,
    text: String,
    /// The files it names, and what was in them.
    files: Vec<(String, String)>,
    scenario: Scenario,
}

impl Kept {
    /// The scenario in a text, if it was read before, and the files it names are what they were.
    pub(crate) fn level(
        &self,
        path: &str,
        text: &str,
        read: impl Fn(&str) -> Result<String, String>,
    ) -> Option<Scenario> {
        let mut levels = lock(&self.levels);
        let place = levels.iter().position(|kept| {
            let mut files = kept.files.iter();
            kept.path == path
                && kept.text == text
                && files.all(|(name, was)| read(name).as_ref() == Ok(was))
        })?;
        let kept = levels.remove(place);
        let scenario = kept.scenario.clone();
        levels.insert(0, kept);
        Some(scenario)
    }

    /// Keeps a scenario that was read.
    pub(crate) fn keep_level(
        &self,
        (path, text): (&str, &str),
        files: Vec<(String, String)>,
        scenario: &Scenario,
    ) {
        let mut levels = lock(&self.levels);
        levels.truncate(MOST_LEVELS - 1);
        let kept = KeptLevel {
            path: path.to_owned(),
            text: text.to_owned(),
            files,
            scenario: scenario.clone(),
        };
        levels.insert(0, kept);
    }

    /// The maps of those levels.
    pub(crate) fn maps(&self) -> MutexGuard<'_, KeptMaps> {
        lock(&self.maps)
    }

    /// The log in a text.
    pub(crate) fn log(&self, text: &str) -> Result<Arc<DemonstrationLog>, String> {
        let mut logs = lock(&self.logs);
        if let Some(place) = logs.iter().position(|(was, _)| was == text) {
            let kept = logs.remove(place);
            logs.insert(0, kept);
            return Ok(Arc::clone(&logs[0].1));
        }
        let log = Arc::new(crate::demonstrations::read_log(text)?);
        logs.truncate(MOST_LOGS - 1);
        logs.insert(0, (text.to_owned(), Arc::clone(&log)));
        Ok(log)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // What is kept is complete before it is put there, whoever panicked.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What somebody who plans keeps for the next plan.
#[derive(Default)]
pub(crate) struct Prepared {
    still: Option<(SearchKey, NamedSearch<StillQuest>)>,
    moving: Option<(SearchKey, NamedSearch<QuestProblem>)>,
    answers: Vec<(AnswerKey, PlanAnswer)>,
}

/// What a search is made from. Each of its heuristics knows itself what it was made ready for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SearchKey {
    pub(crate) settings: PlannerSettings,
    pub(crate) improves: bool,
    pub(crate) shown: Vec<Demonstration>,
    /// Some of a search is made for what there is in a level, such as one adviser for each event.
    pub(crate) level: u64,
}

/// What a plan for something that is being dragged depends on.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct AnswerKey {
    pub(crate) path: String,
    pub(crate) text: String,
    /// The files it names are told by this.
    pub(crate) scenario: u64,
    pub(crate) demonstrations: Vec<Line>,
    pub(crate) settings: PlannerSettings,
}

impl Prepared {
    /// The plan that was made for the same.
    pub(crate) fn answer(&mut self, key: &AnswerKey) -> Option<PlanAnswer> {
        let place = self.answers.iter().position(|(kept, _)| kept == key)?;
        let kept = self.answers.remove(place);
        self.answers.insert(0, kept);
        Some(self.answers[0].1.clone())
    }

    /// Keeps a plan.
    pub(crate) fn keep_answer(&mut self, key: AnswerKey, answer: PlanAnswer) {
        self.answers.truncate(MOST_ANSWERS - 1);
        self.answers.insert(0, (key, answer));
    }
}

/// Quests whose searches are kept.
pub(crate) trait Searched: Quest + Sized + 'static {
    /// Where the search is kept.
    fn kept(prepared: &mut Prepared) -> &mut Option<(SearchKey, NamedSearch<Self>)>;

    /// The search that was made from the same, ready to begin anew. It is taken away: whoever fails
    /// with it leaves none behind.
    fn take(prepared: &mut Prepared, key: &SearchKey) -> Option<NamedSearch<Self>> {
        let (kept, mut named) = Self::kept(prepared).take()?;
        (kept == *key).then(|| {
            named.search.restart();
            named
        })
    }

    /// Keeps a search, unless it holds too much.
    fn keep(prepared: &mut Prepared, key: SearchKey, named: NamedSearch<Self>) {
        let statistics = named.search.statistics();
        let bytes = statistics.states as f64 * statistics.bytes_per_state();
        if bytes <= MOST_BYTES {
            *Self::kept(prepared) = Some((key, named));
        }
    }
}

impl Searched for StillQuest {
    fn kept(prepared: &mut Prepared) -> &mut Option<(SearchKey, NamedSearch<Self>)> {
        &mut prepared.still
    }
}

impl Searched for QuestProblem {
    fn kept(prepared: &mut Prepared) -> &mut Option<(SearchKey, NamedSearch<Self>)> {
        &mut prepared.moving
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::time::Duration;

    use apprentice::world::{Order, Orders, World};

    use super::*;

    #[test]
    fn a_level_is_kept_as_long_as_the_files_it_names_are_what_they_were() {
        let level = "format = 1\nstart = [0, 0]\ngoal = { all = [] }\nmap = { file = 'a.map' }";
        let file = RefCell::new("type octile\nheight 1\nwidth 2\nmap\n..\n".to_owned());
        let read = |_: &str| Ok(file.borrow().clone());
        let kept = Kept::default();
        let scenario = Scenario::parse_with(level, read).expect("a scenario");
        let files = vec![("a.map".to_owned(), file.borrow().clone())];
        kept.keep_level(("a.toml", level), files, &scenario);
        assert!(kept.level("a.toml", level, read).is_some());
        assert!(kept.level("b.toml", level, read).is_none());
        assert!(
            kept.level("a.toml", &level.replace("[0,", "[1,"), read)
                .is_none()
        );
        file.replace("type octile\nheight 1\nwidth 3\nmap\n...\n".to_owned());
        assert!(kept.level("a.toml", level, read).is_none());
    }

    /// The digests of a scenario, and of its world after its enemies have moved about for a while.
    fn digests(scenario: &Scenario) -> [u64; 3] {
        let mut world = World::new(scenario);
        let orders = Orders::new(Order::WAIT);
        for _ in 0..200 {
            world.advance(scenario, &orders, Duration::from_millis(100), &mut ());
        }
        [scenario.digest(), scenario.layout_digest(), world.digest()]
    }

    #[test]
    fn levels_on_kept_maps_are_what_they_would_be_on_new_ones() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenarios/");
        let read = |name: &str| {
            let text = std::fs::read_to_string(format!("{folder}{name}"));
            text.map_err(|error| error.to_string())
        };
        let mut kept = KeptMaps::default();
        for level in ["coop_cave", "quest_compound", "coop_cave", "bear_bypass"] {
            let text = read(&format!("{level}.toml")).expect("it is there");
            for (from, to) in [
                ("", ""),
                ("at = [16, 30]", "at = [17, 31]"),
                ("spacing = 1.0", "spacing = 0.8"),
            ] {
                let text = text.replace(from, to);
                let with = Scenario::parse_keeping(&text, read, &mut kept);
                let without = Scenario::parse_with(&text, read).expect("a scenario");
                let with = with.expect("a scenario");
                assert_eq!(digests(&with), digests(&without), "{level} with {to}");
            }
        }
    }
}
