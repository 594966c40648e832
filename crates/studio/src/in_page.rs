//! A studio inside a page: without threads, sockets or a disk. A worker of the page hands its messages
//! over and asks for a slice of planning whenever it has nothing else to do, so that a newer question
//! can stop an older one.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::clock::Clock;
use crate::folder::Folder;
use crate::kept::Prepared;
use crate::memory::Memory;
use crate::planning::Planning;
use crate::protocol::{Answer, PlanAnswer, PlanAsk, Refusal, Side};
use crate::session::{Heard, Session, reply};

/// A studio inside a page, which answers what [`MESSAGES`](crate::MESSAGES) describes.
///
/// ```
/// use std::time::Duration;
///
/// use apprentice_studio::InPage;
///
/// let mut studio = InPage::new(|| Duration::ZERO);
/// let mut said = Vec::new();
/// let question = r#"{ "id": 1, "ask": "new", "name": "Yard", "width": 8, "height": 8 }"#;
/// studio.hear(question, &mut |reply| said.push(reply));
/// assert!(said[0].starts_with(r#"{"id":1,"answer":"opened""#));
/// ```
pub struct InPage {
    folder: Arc<Folder>,
    memory: Memory,
    session: Session,
    clock: Clock,
    /// One for each side.
    seats: [Seat; Side::ALL.len()],
    /// Whose turn it is.
    turn: usize,
}

/// Where the plan of a side is made.
#[derive(Default)]
struct Seat {
    prepared: Prepared,
    plan: Option<Plan>,
}

/// The plan that was asked for last.
struct Plan {
    id: u64,
    state: State,
    /// Whether its last answer was given.
    is_answered: bool,
}

enum State {
    Asked(Box<PlanAsk>),
    UnderWay(Box<Planning>),
}

impl InPage {
    /// A studio with nothing in its folder.
    pub fn new(clock: Clock) -> InPage {
        let memory = Memory::default();
        let folder = Arc::new(Folder::of(memory.clone()));
        InPage {
            session: Session::new(Arc::clone(&folder), clock),
            folder,
            memory,
            clock,
            seats: Side::ALL.map(|_| Seat::default()),
            turn: 0,
        }
    }

    /// Puts a file in that the browser has kept, or a person has brought along.
    ///
    /// # Errors
    ///
    /// Why it cannot be one of the studio's files, in words.
    pub fn put(&mut self, path: &str, text: String) -> Result<(), String> {
        self.memory.put(path, text)
    }

    /// Takes a file out.
    pub fn remove(&mut self, path: &str) {
        self.memory.remove(path);
    }

    /// The files that were written since this was last asked: paths and texts.
    pub fn take_written(&mut self) -> Vec<(String, String)> {
        self.memory.take_written()
    }

    /// Hears a message of the page. Answers go to `say`; a plan that is asked for takes the place of
    /// the one before on its side, and is made by [`go_on`](InPage::go_on).
    pub fn hear(&mut self, message: &str, say: &mut dyn FnMut(String)) {
        match self.session.hear(message) {
            Heard::Answered(reply) => say(reply),
            Heard::Plan(id, ask) => {
                let seat = &mut self.seats[ask.side as usize];
                let plan = Plan {
                    id,
                    state: State::Asked(ask),
                    is_answered: false,
                };
                if let Some(dropped) = seat.plan.replace(plan) {
                    if let State::UnderWay(planning) = dropped.state {
                        planning.give_back(&mut seat.prepared);
                    }
                    say(reply(dropped.id, Answer::Superseded));
                }
            }
        }
    }

    /// Plans for a few milliseconds, for one side after the other. Returns whether there is more to be
    /// done.
    pub fn go_on(&mut self, say: &mut dyn FnMut(String)) -> bool {
        let sides = self.seats.len();
        let waits = |turn: &usize| self.seats[turn % sides].plan.is_some();
        let Some(turn) = (self.turn..self.turn + sides).find(waits) else {
            return false;
        };
        self.turn = (turn + 1) % sides;
        let place = (&*self.folder, self.clock);
        self.seats[turn % sides].go_on(place, say);
        self.seats.iter().any(|seat| seat.plan.is_some())
    }
}

impl Seat {
    fn go_on(&mut self, place: (&Folder, Clock), say: &mut dyn FnMut(String)) {
        let Some(mut plan) = self.plan.take() else {
            return;
        };
        let mut hand_over = |answer: PlanAnswer| {
            plan.is_answered |= answer.done;
            say(reply(plan.id, Answer::Plan(Box::new(answer))));
        };
        match self.slice(place, plan.state, &mut hand_over) {
            Err(refusal) => say(reply(plan.id, Answer::Refused(refusal))),
            Ok(None) if !plan.is_answered => say(reply(plan.id, Answer::Superseded)),
            Ok(None) => {}
            Ok(Some(rest)) => {
                plan.state = State::UnderWay(Box::new(rest));
                self.plan = Some(plan);
            }
        }
    }

    fn slice(
        &mut self,
        (folder, clock): (&Folder, Clock),
        state: State,
        hand_over: &mut dyn FnMut(PlanAnswer),
    ) -> Result<Option<Planning>, Refusal> {
        let prepared = &mut self.prepared;
        match state {
            State::Asked(ask) => Planning::begin((folder, clock), prepared, &ask, hand_over),
            State::UnderWay(planning) => {
                // Whoever asks anew does so between two slices.
                let never = AtomicBool::new(false);
                planning.slice(folder, prepared, &never, hand_over)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::clock;

    const LEVEL: &str = "built-in:quest_compound.toml";

    fn ask(studio: &mut InPage, question: &Value) -> Vec<Value> {
        let mut said = Vec::new();
        studio.hear(&question.to_string(), &mut |reply| said.push(reply));
        let read = |reply: &String| serde_json::from_str(reply).expect("it is JSON");
        said.iter().map(read).collect()
    }

    /// All that is said until nothing is left to do.
    fn rest(studio: &mut InPage) -> Vec<Value> {
        let mut said = Vec::new();
        while studio.go_on(&mut |reply| said.push(reply)) {}
        let read = |reply: &String| serde_json::from_str(reply).expect("it is JSON");
        said.iter().map(read).collect()
    }

    fn plan_of(id: u64, text: &Value, side: &str) -> Value {
        json!({
            "id": id, "ask": "plan", "side": side, "detail": "live", "path": LEVEL, "text": text,
            "demonstrations": [], "settings": { "planner": "astar" },
        })
    }

    #[test]
    fn a_newer_question_takes_the_place_of_an_older_one_on_its_side() {
        let mut studio = InPage::new(clock::by_the_computer);
        let opened = ask(
            &mut studio,
            &json!({ "id": 1, "ask": "open", "path": LEVEL }),
        );
        let text = &opened[0]["text"];
        assert!(ask(&mut studio, &plan_of(2, text, "left")).is_empty());
        assert!(studio.go_on(&mut |_| panic!("a slice is not enough for this level")));
        assert!(ask(&mut studio, &plan_of(3, text, "right")).is_empty());
        let dropped = ask(&mut studio, &plan_of(4, text, "left"));
        assert_eq!(dropped[0]["answer"], "superseded");
        assert_eq!(dropped[0]["id"], 2);
        let mut planned: Vec<(u64, String, bool)> = (rest(&mut studio).iter())
            .map(|reply| {
                let status = reply["plan"]["status"].as_str().unwrap_or_default();
                let id = reply["id"].as_u64().unwrap_or_default();
                (id, status.to_owned(), reply["done"] == true)
            })
            .collect();
        planned.sort();
        let found = |id| (id, "found".to_owned(), true);
        assert_eq!(planned, [found(3), found(4)]);
    }

    #[test]
    fn what_was_got_ready_for_a_dropped_plan_is_kept_for_the_next() {
        let mut studio = InPage::new(clock::by_the_computer);
        let open = json!({ "id": 1, "ask": "open", "path": LEVEL });
        let text = ask(&mut studio, &open)[0]["text"].clone();
        let plan = |id: u64| {
            let mut question = plan_of(id, &text, "left");
            question["settings"] = json!({ "planner": "auto" });
            question
        };
        ask(&mut studio, &plan(2));
        // It begins, and gets ready.
        for _ in 0..2 {
            assert!(studio.go_on(&mut |_| {}), "it is still under way");
        }
        ask(&mut studio, &plan(3));
        let after = rest(&mut studio);
        let spent = |said: &[Value]| said.last().map(|it| it["plan"]["preparation"].as_u64());
        let mut anew = InPage::new(clock::by_the_computer);
        ask(&mut anew, &open);
        ask(&mut anew, &plan(3));
        assert!(spent(&after) < spent(&rest(&mut anew)), "{after:?}");
    }

    #[test]
    fn what_is_saved_is_handed_over_and_is_there() {
        let mut studio = InPage::new(clock::by_the_computer);
        let path = "yard.toml";
        let save = json!({ "id": 1, "ask": "save", "path": path, "text": "map" });
        assert_eq!(ask(&mut studio, &save)[0]["answer"], "saved");
        let written = [(path.to_owned(), "map".to_owned())];
        assert_eq!(studio.take_written(), written);
        let again = json!({ "id": 2, "ask": "save", "path": path, "text": "other" });
        assert_eq!(ask(&mut studio, &again)[0]["answer"], "exists");
        studio.remove(path);
        assert_eq!(ask(&mut studio, &again)[0]["answer"], "saved");
        assert!(studio.put("../yard.toml", String::new()).is_err());
    }
}
