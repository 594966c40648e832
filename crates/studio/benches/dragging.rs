//! How long the studio takes to answer while something is dragged: one question at a time, as the page
//! asks them, over the socket the page uses. Milliseconds are for people and differ from machine to
//! machine; the digest of all answers without their clocks tells whether a faster studio answers the same.
//!
//! `cargo bench -p apprentice-studio`

use std::net::TcpStream;
use std::path::Path;
use std::time::{Duration, Instant};
use std::{fs, thread};

use apprentice_studio::{Options, Studio};
use serde_json::{Value, json};
use tungstenite::client::IntoClientRequest;
use tungstenite::http::HeaderValue;
use tungstenite::protocol::WebSocket;
use tungstenite::{Message, client};

/// Movements of the hand in a drag, as in the tests in browsers.
const MOVES: usize = 24;
/// How far the hand goes around the place of a thing, in cells or metres.
const REACH: f64 = 4.0;
/// Drags of each thing. In the first the hand comes to every place for the first time.
const ROUNDS: usize = 3;

const DRAGGED: [(&str, &[&str]); 2] = [
    (
        "quest_compound",
        &["key", "shield", "guard", "start", "goal"],
    ),
    ("coop_cave", &["bear", "grey", "player", "start", "goal"]),
];

fn main() {
    let folder = tempfile::tempdir().expect("there is room for a folder");
    let scenarios = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenarios");
    for name in ["quest_compound.toml", "coop_cave.toml", "coop_cave.mesh"] {
        fs::copy(scenarios.join(name), folder.path().join(name)).expect("there is room for a file");
    }
    let mut page = Page::open(folder.path());
    for (level, things) in DRAGGED {
        let opened = page.ask(&json!({ "ask": "open", "path": format!("{level}.toml") }));
        // Nothing is warm at first.
        page.ask(&question(&opened, "goal", [1.0, 1.0]));
        let (mut all_first, mut all_again) = (Vec::new(), Vec::new());
        for thing in things {
            let (mut first, mut again, mut digest) = (Vec::new(), Vec::new(), FNV);
            for round in 0..ROUNDS {
                for place in around(&opened, thing) {
                    let begun = Instant::now();
                    let answer = page.ask(&question(&opened, thing, place));
                    let time = begun.elapsed();
                    if round == 0 {
                        first.push(time);
                        digest = taken_in(digest, &without_clocks(answer));
                    } else {
                        again.push(time);
                    }
                }
            }
            println!(
                "{level:16} {thing:8} first {} {digest:016x}",
                figures(&mut first)
            );
            println!("{level:16} {thing:8} again {}", figures(&mut again));
            all_first.extend(first);
            all_again.extend(again);
        }
        println!("{level:16} {:8} first {}", "all", figures(&mut all_first));
        println!("{level:16} {:8} again {}", "all", figures(&mut all_again));
    }
}

/// The places of a hand that goes around a thing once.
fn around(opened: &Value, thing: &str) -> Vec<[f64; 2]> {
    let things = opened["scene"]["things"].as_array().expect("things");
    let thing = things.iter().find(|it| it["id"] == thing).expect("a thing");
    let at = |axis: usize| thing["at"][0][axis].as_f64().expect("a number");
    let moves = (1..=MOVES).map(|number| {
        let angle = number as f64 / MOVES as f64 * std::f64::consts::TAU;
        let (x, y) = (REACH * angle.sin(), REACH * (1.0 - angle.cos()));
        [(at(0) + x).round(), (at(1) + y).round()]
    });
    moves.collect()
}

fn question(opened: &Value, thing: &str, [x, y]: [f64; 2]) -> Value {
    json!({
        "ask": "plan",
        "path": opened["path"],
        "text": opened["text"],
        "edits": [{ "edit": "move", "thing": thing, "x": x, "y": y }],
        "demonstrations": opened["demonstrations"],
        "settings": { "planner": "auto" },
        "side": "left",
        "detail": "live",
    })
}

fn figures(times: &mut [Duration]) -> String {
    times.sort();
    let milliseconds = |time: Duration| time.as_secs_f64() * 1e3;
    let mean = times.iter().sum::<Duration>() / times.len() as u32;
    format!(
        "median {:7.2} ms, mean {:7.2} ms, worst {:7.2} ms",
        milliseconds(times[times.len() / 2]),
        milliseconds(mean),
        milliseconds(times[times.len() - 1]),
    )
}

/// Numbers of questions, clocks and bytes are not what an answer says.
fn without_clocks(mut answer: Value) -> String {
    if let Some(fields) = answer.as_object_mut() {
        fields.remove("id");
    }
    if let Some(plan) = answer["plan"].as_object_mut() {
        plan.retain(|name, _| !name.ends_with("_ms") && name != "bytes_per_state");
        // What is kept from one question to the next is not prepared again.
        plan.retain(|name, _| name != "preparation" && name != "budget_spent");
    }
    answer.to_string()
}

/// Where the 64-bit FNV-1a hash begins.
const FNV: u64 = 0xcbf2_9ce4_8422_2325;

fn taken_in(digest: u64, text: &str) -> u64 {
    text.bytes().fold(digest, |digest, byte| {
        (digest ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// A page of a studio.
struct Page {
    socket: WebSocket<TcpStream>,
    asked: u64,
}

impl Page {
    fn open(folder: &Path) -> Page {
        let studio = Studio::open(&Options {
            folder: folder.to_owned(),
            port: Some(0),
        });
        let studio = studio.expect("there is a free port");
        let address = studio.address();
        let (_, query) = address.split_once('?').expect("it lets one in");
        let host = format!("127.0.0.1:{}", studio.port());
        let request = format!("ws://{host}/socket?{query}").into_client_request();
        let mut request = request.expect("an address");
        let origin = HeaderValue::from_str(&format!("http://{host}"));
        let headers = request.headers_mut();
        headers.insert("Origin", origin.expect("a header"));
        let stream = TcpStream::connect(&host).expect("the studio listens");
        stream.set_nodelay(true).expect("it can be set");
        // Ends with the program.
        thread::spawn(move || studio.serve());
        let (socket, _) = client(request, stream).expect("the page is let in");
        Page { socket, asked: 0 }
    }

    /// The last answer to a question.
    fn ask(&mut self, question: &Value) -> Value {
        self.asked += 1;
        let mut question = question.clone();
        question["id"] = json!(self.asked);
        let text = question.to_string();
        self.socket.send(Message::text(text)).expect("it listens");
        loop {
            let message = self.socket.read().expect("it answers");
            let Message::Text(text) = message else {
                continue;
            };
            let answer: Value = serde_json::from_str(&text).expect("an answer");
            if answer["done"] != json!(false) {
                return answer;
            }
        }
    }
}
