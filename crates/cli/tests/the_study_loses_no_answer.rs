//! Whenever the study is killed, whatever was taken is there when it goes on, and in its tables.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};

use serde_json::{Value, json};
use tungstenite::client::IntoClientRequest;
use tungstenite::protocol::WebSocket;
use tungstenite::{Message, client};

use crate::command::{apprentice, folder, run};

/// The study, running, with a page that talks to it.
struct Running {
    child: Child,
    socket: WebSocket<TcpStream>,
    asked: u64,
}

impl Running {
    fn start(out: &Path) -> Running {
        let mut child = apprentice()
            .args(["study", "--no-open", "--port", "0", "--out"])
            .arg(out)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("it runs");
        let mut said = String::new();
        let mut out = BufReader::new(child.stdout.take().expect("it speaks"));
        out.read_line(&mut said).expect("it says where it is");
        let (_, address) = said.split_once("http://").expect("an address");
        let (host, query) = address.trim().split_once("/?").expect("a token");
        let stream = TcpStream::connect(host).expect("it listens");
        let request = format!("ws://{host}/socket?{query}");
        let mut request = request.into_client_request().expect("an address");
        let origin = format!("http://{host}").parse().expect("a header");
        request.headers_mut().insert("Origin", origin);
        let (socket, _) = client(request, stream).expect("it is let in");
        Running {
            child,
            socket,
            asked: 0,
        }
    }

    fn send(&mut self, mut question: Value) {
        self.asked += 1;
        question["id"] = json!(self.asked);
        self.socket
            .send(Message::text(question.to_string()))
            .expect("it listens");
    }

    fn hear(&mut self) -> Value {
        let text = self.socket.read().expect("there is an answer");
        let answer: Value = serde_json::from_str(text.to_text().expect("text")).expect("JSON");
        assert_eq!(answer["id"], json!(self.asked));
        answer
    }

    fn ask(&mut self, question: Value) -> Value {
        self.send(question);
        self.hear()
    }

    fn kill(&mut self) {
        self.child.kill().expect("it runs");
        self.child.wait().expect("it ends");
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What the program has said that it took.
#[derive(Default)]
struct Taken {
    answers: BTreeMap<(u64, u64), i64>,
    comments: BTreeMap<u64, String>,
    remarks: Vec<String>,
}

/// What somebody does next who is at this step, and what has been taken when it is answered. `turn`
/// counts what was done, so that each answer is another one.
fn next(state: &Value, playing: &mut Option<u32>, taken: &Taken, turn: u64) -> Value {
    let trial = state["trial"].as_u64().unwrap_or(0);
    match state["step"].as_str().expect("a step") {
        "consent" => json!({"ask": "consent"}),
        "practice" | "trial" => match playing {
            None => {
                *playing = Some(0);
                json!({"ask": "start"})
            }
            Some(ticks) if *ticks < 12 => {
                *ticks += 1;
                json!({"ask": "tick", "wish": if turn.is_multiple_of(2) { "east" } else { "north_east" }})
            }
            Some(_) => json!({"ask": "give_up"}),
        },
        "drawing" if state["drawn"].as_array().is_none_or(Vec::is_empty) => {
            json!({"ask": "draw", "points": [[2, 14], [23, 14], [23, 5], [37, 14]]})
        }
        "drawing" => json!({"ask": "drawing_done"}),
        "questions" => {
            let statements = state["statements"].as_array().expect("statements").len() as u64;
            let is_open = |statement: &u64| !taken.answers.contains_key(&(trial, *statement));
            match (1..=statements).find(is_open) {
                Some(statement) => {
                    let answer = turn as i64 % 5 - 2;
                    json!({"ask": "answer", "trial": trial, "statement": statement, "answer": answer})
                }
                None if !taken.comments.contains_key(&trial) => {
                    json!({"ask": "comment", "trial": trial, "text": format!("turn {turn}, \"really\"")})
                }
                None => json!({"ask": "questions_done", "trial": trial}),
            }
        }
        "farewell" => json!({"ask": "end", "comment": "that was fun"}),
        step => panic!("nothing is to be done at {step}"),
    }
}

fn empty_folder(name: &str) -> PathBuf {
    let folder = folder("study").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    folder
}

#[test]
fn whoever_is_killed_at_ten_random_moments_loses_nothing_that_was_taken() {
    let out = empty_folder("killed");
    let mut study = Running::start(&out);
    let mut state =
        study.ask(json!({"ask": "begin", "times_shown": true, "seventh": "too_exactly"}));
    let id = state["participant"].as_str().expect("an id").to_owned();
    let mut taken = Taken::default();
    let (mut playing, mut kills, mut turn) = (None, 0, 0);
    let mut chance = 41_u64;
    let mut any = |below: u64| {
        chance = chance
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (chance >> 33) % below
    };
    let mut until_killed = any(24);
    while state["step"] != "over" {
        turn += 1;
        let question = next(&state, &mut playing, &taken, turn);
        study.send(question.clone());
        let dies = kills < 10 && until_killed == 0;
        until_killed = until_killed.saturating_sub(1);
        // Half of the time it dies before anybody knows whether it heard.
        let is_heard = !dies || any(2) == 0;
        if is_heard {
            let answer = study.hear();
            assert_ne!(answer["answer"], "refused", "{question}: {answer}");
            match question["ask"].as_str().expect("a question") {
                "answer" => {
                    let number = |key: &str| question[key].as_u64().expect("a number");
                    let place = (number("trial"), number("statement"));
                    let answer = question["answer"].as_i64().expect("a number");
                    taken.answers.insert(place, answer);
                }
                "comment" => {
                    let trial = question["trial"].as_u64().expect("a number");
                    let text = question["text"].as_str().expect("text").to_owned();
                    taken.comments.insert(trial, text);
                }
                _ => {}
            }
            if turn % 9 == 0 {
                let text = format!("note {turn}");
                assert_eq!(
                    study.ask(json!({"ask": "remark", "text": text}))["answer"],
                    "noted"
                );
                taken.remarks.push(text);
            }
        }
        if dies {
            study.kill();
            kills += 1;
            until_killed = any(24);
            study = Running::start(&out);
            playing = None;
        }
        if dies || question["ask"] != "start" && question["ask"] != "tick" {
            if question["ask"] == "give_up" {
                playing = None;
            }
            state = study.ask(json!({"ask": "resume", "participant": id}));
        }
        // What was taken is what the page is shown again.
        if state["step"] == "questions" {
            let trial = state["trial"].as_u64().expect("a trial");
            for (place, answer) in taken.answers.range((trial, 0)..(trial + 1, 0)) {
                assert_eq!(state["answers"][place.1 as usize - 1], json!(answer));
            }
        }
    }
    assert_eq!(kills, 10);
    assert_eq!(taken.answers.len(), 4 * 4 + 4 * 7);

    let text = std::fs::read_to_string(out.join(format!("{id}.jsonl"))).expect("a file");
    let lines = text
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
    let lines: Vec<Value> = lines.collect();
    for ((trial, statement), answer) in &taken.answers {
        let about = |line: &&Value| {
            line["entry"] == "answered"
                && line["trial"] == json!(trial)
                && line["statement"] == json!(statement)
        };
        let last = lines.iter().rfind(about).expect("an answer");
        assert_eq!(last["answer"], json!(answer), "{trial}, {statement}");
    }
    for remark in &taken.remarks {
        let kept = lines
            .iter()
            .any(|line| line["entry"] == "remarked" && line["text"] == json!(remark));
        assert!(kept, "{remark}");
    }
    let out = out.to_str().expect("text");
    let report = run(&["study", "report", out, "--format", "json"]);
    assert_eq!(report.code, 0, "{}", report.err);
    let document = report.json();
    assert_eq!(document["participants"], 1);
    assert_eq!(document["rows"][0]["answers"][0]["n"], 2, "both maps count");
    assert_eq!(
        document["rows"][0]["answers"][4]["n"], 1,
        "only one map has a line"
    );
    let mean =
        |row: usize, statement: usize| document["rows"][row]["answers"][statement]["mean"].clone();
    assert!((0..4).all(|row| (0..7).all(|statement| mean(row, statement).is_number())));
    let table = std::fs::read_to_string(Path::new(out).join("answers.csv")).expect("a table");
    assert_eq!(table.lines().count(), 1 + 8, "{table}");
    for comment in taken.comments.values() {
        assert!(table.contains(&comment.replace('"', "\"\"")), "{comment}");
    }
    let positions = Path::new(out).join(format!("{id}.positions.csv"));
    let positions = std::fs::read_to_string(positions).expect("positions");
    let columns = positions.lines().map(|line| line.split(',').count());
    assert!(columns.clone().count() > 9 * 12 && columns.min() == Some(8));
}

#[test]
fn what_is_no_result_is_told_with_its_place_and_what_to_try() {
    for (name, files, expected) in [
        ("nothing", &[][..], "there are no results in"),
        (
            "foreign",
            &[("log.jsonl", "{\"format\":1,\"unit\":\"cell\"}\n")],
            "was not written by a study",
        ),
        (
            "binary",
            &[("log.jsonl", "\u{0}\u{1}\n")],
            "was not written by a study",
        ),
        (
            "newer",
            &[("p.jsonl", "{\"at\":1,\"entry\":\"begun\",\"format\":7}\n")],
            "has format 7",
        ),
    ] {
        let out = empty_folder(name);
        std::fs::create_dir_all(&out).expect("there is room");
        for (file, text) in files {
            std::fs::write(out.join(file), text).expect("there is room");
        }
        let ended = run(&["study", "report", out.to_str().expect("text")]);
        assert_eq!(ended.code, 3, "{name}: {}", ended.err);
        assert!(ended.err.contains(expected), "{name}: {}", ended.err);
    }
    let missing = empty_folder("missing");
    let ended = run(&["study", "report", missing.to_str().expect("text")]);
    assert_eq!(ended.code, 3);
    assert!(ended.err.contains("missing"), "{}", ended.err);
    let file = empty_folder("file");
    std::fs::create_dir_all(file.parent().expect("a folder")).expect("there is room");
    std::fs::write(&file, "text").expect("there is room");
    let ended = run(&["study", "--no-open", "--out", file.to_str().expect("text")]);
    assert_eq!(ended.code, 3, "{}", ended.err);
    assert!(
        ended.err.contains("the study cannot be opened"),
        "{}",
        ended.err
    );
}
