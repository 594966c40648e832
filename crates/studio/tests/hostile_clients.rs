//! Whoever connects: strangers are refused, nonsense is survived, and nothing leaves the folder.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;
use std::{fs, thread};

use apprentice_studio::{Options, Studio};
use serde_json::json;
use tungstenite::client::IntoClientRequest;
use tungstenite::http::HeaderValue;
use tungstenite::protocol::WebSocket;
use tungstenite::{Message, client};

/// A studio in a folder of its own, with something beside the folder that nobody may see.
struct Opened {
    port: u16,
    /// The query that lets one in.
    query: String,
    ticket: String,
    around: PathBuf,
}

static NUMBER: AtomicU32 = AtomicU32::new(0);

impl Opened {
    fn new() -> Opened {
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("apprentice-studio-{}-{number}", std::process::id());
        let around = std::env::temp_dir().join(name);
        let folder = around.join("work");
        fs::create_dir_all(folder.join("levels")).expect("there is room for a folder");
        fs::write(around.join("secret.toml"), "secret").expect("there is room for a file");
        let studio = Studio::open(&Options {
            folder,
            port: Some(0),
        });
        let studio = studio.expect("there is a free port");
        let query = |address: &str| {
            let (_, query) = address.split_once('?').expect("it lets one in");
            query.to_owned()
        };
        let ticket = studio.address_for_one_visit();
        let opened = Opened {
            port: studio.port(),
            query: query(&studio.address()),
            ticket: query(&ticket.expect("there are random numbers")),
            around,
        };
        // Ends with the test.
        thread::spawn(move || studio.serve());
        opened
    }

    fn folder(&self) -> PathBuf {
        self.around.join("work")
    }

    fn stream(&self) -> TcpStream {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).expect("the studio listens");
        let patience = Some(Duration::from_secs(20));
        stream
            .set_read_timeout(patience)
            .expect("a timeout can be set");
        stream
    }

    /// The status line of the answer to a request.
    fn status(&self, request: &str) -> String {
        let answer = self.answer(request);
        answer.lines().next().unwrap_or("").to_owned()
    }

    /// The answer to a request for a path.
    fn get(&self, path: &str) -> String {
        let host = format!("127.0.0.1:{}", self.port);
        self.answer(&format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n"))
    }

    fn answer(&self, request: &str) -> String {
        let mut stream = self.stream();
        // Who is refused early may not get everything said.
        let _ = stream.write_all(request.as_bytes());
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    fn socket_from(&self, host: &str, origin: Option<&str>) -> Option<WebSocket<TcpStream>> {
        self.socket_with(&self.query, host, origin)
    }

    fn socket_with(
        &self,
        query: &str,
        host: &str,
        origin: Option<&str>,
    ) -> Option<WebSocket<TcpStream>> {
        let address = format!("ws://127.0.0.1:{}/socket?{query}", self.port);
        let mut request = address.into_client_request().expect("an address");
        let headers = request.headers_mut();
        headers.insert("Host", HeaderValue::from_str(host).expect("a header"));
        if let Some(origin) = origin {
            headers.insert("Origin", HeaderValue::from_str(origin).expect("a header"));
        }
        client(request, self.stream())
            .ok()
            .map(|(socket, _)| socket)
    }

    /// A socket as the studio's own page opens it.
    fn socket(&self) -> WebSocket<TcpStream> {
        let host = format!("127.0.0.1:{}", self.port);
        let socket = self.socket_from(&host, Some(&format!("http://{host}")));
        socket.expect("the page is let in")
    }

    /// The answer to a question.
    fn ask(&self, question: &str) -> String {
        let mut socket = self.socket();
        socket.send(Message::text(question)).expect("it listens");
        next(&mut socket)
    }
}

impl Opened {
    /// The same, as soon as there is a place for one more.
    fn ask_when_there_is_room(&self, question: &str) -> String {
        for _ in 0..10_000 {
            if self.get("/").starts_with("HTTP/1.1 200") {
                return self.ask(question);
            }
            thread::yield_now();
        }
        panic!("there is never room")
    }
}

impl Drop for Opened {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.around);
    }
}

fn next(socket: &mut WebSocket<TcpStream>) -> String {
    match socket.read().expect("there is an answer") {
        Message::Text(text) => text.as_str().to_owned(),
        other => panic!("this is no text: {other:?}"),
    }
}

const FILES: &str = r#"{"id":1,"ask":"files"}"#;

#[test]
fn strangers_are_refused() {
    let studio = Opened::new();
    let port = studio.port;
    let own = format!("127.0.0.1:{port}");
    for (request, status) in [
        (
            format!("GET / HTTP/1.1\r\nHost: {own}\r\n\r\n"),
            "HTTP/1.1 200 OK",
        ),
        (
            format!("GET /style.css HTTP/1.1\r\nHost: localhost:{port}\r\n\r\n"),
            "HTTP/1.1 200 OK",
        ),
        (
            format!("GET /nothing HTTP/1.1\r\nHost: {own}\r\n\r\n"),
            "HTTP/1.1 404 Not Found",
        ),
        (
            format!("GET /../secret.toml HTTP/1.1\r\nHost: {own}\r\n\r\n"),
            "HTTP/1.1 404 Not Found",
        ),
        (
            format!("GET /%2e%2e/secret.toml HTTP/1.1\r\nHost: {own}\r\n\r\n"),
            "HTTP/1.1 404 Not Found",
        ),
        (
            format!("GET / HTTP/1.1\r\nHost: evil.example:{port}\r\n\r\n"),
            "HTTP/1.1 421 Misdirected Request",
        ),
        (
            format!("GET / HTTP/1.1\r\nHost: {own}\r\nOrigin: http://evil.example\r\n\r\n"),
            "HTTP/1.1 403 Forbidden",
        ),
        (
            format!("POST / HTTP/1.1\r\nHost: {own}\r\nContent-Length: 0\r\n\r\n"),
            "HTTP/1.1 405 Method Not Allowed",
        ),
        (
            format!("GET /socket HTTP/1.1\r\nHost: {own}\r\n\r\n"),
            "HTTP/1.1 403 Forbidden",
        ),
        (
            format!(
                "GET /socket?{} HTTP/1.1\r\nHost: {own}\r\n\r\n",
                studio.query
            ),
            "HTTP/1.1 400 Bad Request",
        ),
        ("nonsense\r\n\r\n".to_owned(), "HTTP/1.1 400 Bad Request"),
        (
            format!(
                "GET / HTTP/1.1\r\nHost: {own}\r\nX: {}\r\n\r\n",
                "x".repeat(40_000)
            ),
            "HTTP/1.1 400 Bad Request",
        ),
    ] {
        assert_eq!(
            studio.status(&request),
            status,
            "{}",
            &request[..request.len().min(120)]
        );
    }
    assert!(
        studio
            .socket_from(&own, Some(&format!("http://{own}")))
            .is_some()
    );
    for (host, origin) in [
        (own.as_str(), None),
        (own.as_str(), Some("http://evil.example")),
        (own.as_str(), Some("null")),
        (own.as_str(), Some("https://127.0.0.1")),
        ("evil.example", Some("http://evil.example")),
    ] {
        assert!(
            studio.socket_from(host, origin).is_none(),
            "{host} {origin:?}"
        );
    }
}

#[test]
fn without_the_token_nobody_gets_in_and_a_ticket_is_good_for_one_visit() {
    let studio = Opened::new();
    let own = format!("127.0.0.1:{}", studio.port);
    let origin = format!("http://{own}");
    let opens = |query: &str| studio.socket_with(query, &own, Some(&origin)).is_some();
    let token = studio.query.strip_prefix("token=").expect("a token");
    let longer = format!("token={token}0");
    let shorter = format!("token={}", &token[1..]);
    let other = Opened::new();
    for query in [
        "",
        "token=",
        &longer,
        &shorter,
        &other.query,
        &studio.ticket,
    ] {
        assert!(!opens(query), "{query}");
        assert!(studio.get(&format!("/admits?{query}")).contains("403"));
    }
    assert!(opens(&studio.query));
    assert!(
        studio
            .get(&format!("/admits?{}", studio.query))
            .contains("204")
    );
    // The page itself is no secret, and holds none.
    let page = studio.get("/");
    assert!(page.starts_with("HTTP/1.1 200 OK") && !page.contains(token));
    let visit = format!("/?{}", studio.ticket);
    let foreign = format!("GET {visit} HTTP/1.1\r\nHost: evil.example\r\n\r\n");
    assert_eq!(studio.status(&foreign), "HTTP/1.1 421 Misdirected Request");
    let first = studio.get(&visit);
    assert!(first.starts_with("HTTP/1.1 303"), "{first}");
    assert!(
        first.contains(&format!("Location: /?token={token}\r\n")),
        "{first}"
    );
    assert!(studio.get(&visit).starts_with("HTTP/1.1 403"));
    assert!(studio.get("/?ticket=").starts_with("HTTP/1.1 403"));
}

#[test]
fn who_is_in_goes_on_while_others_keep_the_door_busy() {
    let studio = Opened::new();
    let mut socket = studio.socket();
    // More than there are places for, each with half a head.
    let slow: Vec<TcpStream> = (0..80)
        .map(|_| {
            let mut stream = studio.stream();
            let _ = stream.write_all(b"GET / HTTP/1.1\r\nHost: 127.0");
            stream
        })
        .collect();
    for _ in 0..20 {
        socket.send(Message::text(FILES)).expect("it listens");
        assert!(next(&mut socket).contains("planners"));
    }
    drop(slow);
    assert!(studio.ask_when_there_is_room(FILES).contains("planners"));
}

#[test]
fn a_game_that_is_hurried_answers_every_question_in_its_turn() {
    let studio = Opened::new();
    let mut socket = studio.socket();
    let open = r#"{"id":1,"ask":"open","path":"built-in:bear_bypass.toml"}"#;
    socket.send(Message::text(open)).expect("it listens");
    let opened: serde_json::Value = serde_json::from_str(&next(&mut socket)).expect("JSON");
    let play = json!({
        "id": 2, "ask": "play", "path": "built-in:bear_bypass.toml", "text": opened["text"],
        "demonstrations": [], "settings": {"planner": "mha"},
    });
    socket
        .send(Message::text(play.to_string()))
        .expect("it listens");
    assert!(next(&mut socket).contains("\"answer\":\"frame\""));
    let thing = "\"thing\":\"bear\"";
    for id in 3..=1000 {
        let question = match id % 4 {
            0 => format!(
                r#"{{"id":{id},"ask":"go","moments":1,"held":{{{thing},"x":{id},"y":1e300}}}}"#
            ),
            1 => format!(
                r#"{{"id":{id},"ask":"disturb","disturbance":"move",{thing},"x":30,"y":{id}}}"#
            ),
            2 => format!(
                r#"{{"id":{id},"ask":"go","moments":1,"held":{{"thing":"nobody","x":1,"y":1}}}}"#
            ),
            _ => format!(r#"{{"id":{id},"ask":"seek","frame":{id}}}"#),
        };
        socket.send(Message::text(question)).expect("it listens");
    }
    for id in 3..=1000 {
        let answer = next(&mut socket);
        assert!(
            answer.starts_with(&format!("{{\"id\":{id},")),
            "{id}: {answer}"
        );
        assert_eq!(answer.contains("refused"), id % 4 == 2, "{answer}");
    }
}

#[test]
fn what_somebody_else_has_changed_is_not_overwritten_by_accident() {
    let studio = Opened::new();
    let save = |text: &str, was: &str| {
        let was = format!(r#""was":"{was}","#);
        studio.ask(&format!(
            r#"{{"id":1,"ask":"save",{was}"path":"a.htn","text":"{text}"}}"#
        ))
    };
    assert!(save("one", "").contains("saved"), "there was none");
    assert!(save("two", "one").contains("saved"), "it is as it was");
    assert!(save("three", "one").contains("exists"));
    let written = fs::read_to_string(studio.folder().join("a.htn"));
    assert_eq!(written.expect("it was written"), "two");
}

/// Asks, and reads the answer.
fn asked(studio: &Opened, question: &serde_json::Value) -> serde_json::Value {
    serde_json::from_str(&studio.ask(&question.to_string())).expect("JSON")
}

#[test]
fn recorded_demonstrations_are_never_written_over() {
    let studio = Opened::new();
    let file = |name: &str| studio.folder().join(name);
    let read = |name: &str| fs::read_to_string(file(name)).expect("it is there");
    let path = "built-in:empty_tutorial.toml";
    let level = asked(&studio, &json!({"id": 1, "ask": "open", "path": path}));
    let log = |x: u32| {
        let line = json!({"name": "a", "points": [[1, 1], [x, 1]]});
        let log = asked(
            &studio,
            &json!({"id": 1, "ask": "write_log", "path": path, "text": level["text"], "demonstration": line}),
        );
        log["text"].as_str().expect("a log").to_owned()
    };
    let save = |level: &serde_json::Value, logs: &[&str]| {
        let lines = logs.iter().map(|log| json!({"name": "a", "log": log}));
        let lines: Vec<serde_json::Value> = lines.collect();
        let saved = asked(
            &studio,
            &json!({
                "id": 1, "ask": "save_scenario", "path": level["path"], "text": level["text"],
                "save_as": "castle.toml", "demonstrations": lines, "was": level["text"],
            }),
        );
        assert_eq!(saved["answer"], "saved", "{saved}");
        saved["paths"].clone()
    };
    let reopen = || {
        asked(
            &studio,
            &json!({"id": 1, "ask": "open", "path": "castle.toml"}),
        )
    };

    fs::write(file("castle-1.jsonl"), "somebody else's").expect("there is room");
    let (one, two, other) = (log(2), log(3), log(4));
    let paths = save(&level, &[&one, &two]);
    let expected = json!(["castle.toml", "castle-2.jsonl", "castle-3.jsonl"]);
    assert_eq!(paths, expected);
    assert_eq!(read("castle-1.jsonl"), "somebody else's");

    // What is in its file already is not written again.
    assert_eq!(save(&reopen(), &[&one, &two]), json!(["castle.toml"]));

    // Somebody changes one while the level is open.
    let opened = reopen();
    fs::write(file("castle-2.jsonl"), &other).expect("there is room");
    let paths = save(&opened, &[&one, &two]);
    assert_eq!(paths, json!(["castle.toml", "castle-4.jsonl"]));
    assert_eq!(read("castle-2.jsonl"), other);

    // What cannot be read when the level is opened stays with it, whatever else is recorded.
    fs::write(file("castle-4.jsonl"), "no log").expect("there is room");
    fs::remove_file(file("castle-3.jsonl")).expect("it is there");
    let opened = reopen();
    assert_eq!(opened["demonstrations"], json!([]), "{opened}");
    assert_eq!(
        save(&opened, &[&one]),
        json!(["castle.toml", "castle-5.jsonl"])
    );
    assert_eq!(read("castle-4.jsonl"), "no log");
    let text = read("castle.toml");
    for name in ["castle-3", "castle-4", "castle-5"] {
        assert!(text.contains(&format!("{name}.jsonl")), "{name}: {text}");
    }
}

#[test]
fn levels_of_tiled_may_have_their_tiles_in_another_file() {
    let studio = Opened::new();
    let write = |name: &str, text: &str| {
        fs::write(studio.folder().join(name), text).expect("there is room");
    };
    write(
        "hall.tmx",
        r#"<map width="3" height="1"><tileset firstgid="1" source="walls.tsx"/>
        <layer name="ground"><data encoding="csv">1,1,1</data></layer></map>"#,
    );
    write(
        "walls.tsx",
        r#"<tileset><tile id="1"><properties><property name="wall" type="bool" value="true"/>
        </properties></tile></tileset>"#,
    );
    write(
        "hall.tmj",
        r#"{"width": 3, "height": 1, "tilesets": [{"firstgid": 1, "source": "walls.tsj"}],
        "layers": [{"type": "tilelayer", "name": "ground", "data": [1, 1, 1]}]}"#,
    );
    write(
        "walls.tsj",
        r#"{"tiles": [{"id": 1, "properties": [{"name": "wall", "type": "bool", "value": true}]}]}"#,
    );
    for map in ["hall.tmx", "hall.tmj"] {
        let text = format!(
            "format = 1\nstart = [0, 0]\ngoal = {{ within = {{ at = [2, 0], radius = 0.0 }} }}\n\
             [map]\nfile = \"{map}\"\n"
        );
        write("hall.toml", &text);
        let opened = asked(
            &studio,
            &json!({"id": 1, "ask": "open", "path": "hall.toml"}),
        );
        assert_eq!(opened["answer"], "opened", "{opened}");
    }
}

/// A yard, and a bridge three metres above it.
const YARD: &str = "\
v 0 0 0\nv 20 0 0\nv 20 0 8\nv 0 0 8
v 2 0 3\nv 2 0 5\nv 8 3 5\nv 8 3 3
v 18 3 3\nv 18 3 5
f 1 4 3 2
f 5 6 7 8
f 8 7 10 9
";

#[test]
fn a_moment_on_a_bridge_begins_on_it() {
    let studio = Opened::new();
    let text = "format = 1\nstart = [14, 4, 3]\n\
                goal = { within = { at = [10, 4, 3], radius = 1.0 } }\n[map]\nfile = \"yard.obj\"\n";
    fs::write(studio.folder().join("yard.obj"), YARD).expect("there is room");
    fs::write(studio.folder().join("yard.toml"), text).expect("there is room");
    let mut socket = studio.socket();
    let mut ask = |question: serde_json::Value| {
        let question = Message::text(question.to_string());
        socket.send(question).expect("it listens");
        next(&mut socket)
    };
    let played = ask(json!({
        "id": 1, "ask": "play", "path": "yard.toml", "text": text, "demonstrations": [],
        "settings": {"planner": "astar"},
    }));
    assert!(played.contains("\"answer\":\"frame\""), "{played}");
    let saved = ask(json!({"id": 2, "ask": "save_moment", "name": "ab\u{202e}ove"}));
    assert!(saved.contains("\"answer\":\"saved\""), "{saved}");
    let moment = fs::read_to_string(studio.folder().join("moments/above.toml"));
    let moment = moment.expect("it was written");
    assert!(moment.contains("start = [14, 4, 3"), "{moment}");
    assert!(moment.contains("name = \"above\""), "{moment}");
    // A plan of that name that somebody else has made is left alone too.
    fs::write(studio.folder().join("moments/other.plan.json"), "mine").expect("there is room");
    let refused = ask(json!({"id": 3, "ask": "save_moment", "name": "other"}));
    assert!(refused.contains("\"answer\":\"exists\""), "{refused}");
}

#[test]
fn nonsense_is_answered_and_does_not_hurt() {
    let studio = Opened::new();
    let mut socket = studio.socket();
    for nonsense in [
        "",
        "{",
        "null",
        "[]",
        "{\"id\":7}",
        "{\"id\":7,\"ask\":\"fly\"}",
        "{\"id\":-1,\"ask\":\"files\"}",
        "{\"id\":7,\"ask\":\"go\",\"moments\":1}",
        "{\"id\":7,\"ask\":\"seek\",\"frame\":99}",
        "{\"id\":7,\"ask\":\"recorded\"}",
        "{\"id\":7,\"ask\":\"recorded\",\"path\":\"a.toml\",\"text\":\"format = 1\\nstart = [0, 0]\\ngoal = { all = [] }\\nmap = { rows = ['..'] }\",\"recording\":[[\"wait\",4000000000]]}",
        "{\"id\":7,\"ask\":\"open\",\"path\":\"none.toml\"}",
        "{\"id\":7,\"ask\":\"edit\",\"path\":\"a.toml\",\"text\":\"format = \",\"edits\":[]}",
        "{\"id\":7,\"ask\":\"read_log\",\"text\":\"no log\"}",
    ] {
        socket.send(Message::text(nonsense)).expect("it listens");
        let answer = next(&mut socket);
        assert!(
            answer.contains("\"answer\":\"refused\""),
            "{nonsense} was answered by {answer}"
        );
    }
    let deep = format!("{{\"id\":1,\"ask\":{}", "[".repeat(100_000));
    socket.send(Message::text(deep)).expect("it listens");
    assert!(next(&mut socket).contains("refused"));
    socket.send(Message::text(FILES)).expect("it still listens");
    assert!(next(&mut socket).contains("built-in:quest_key.toml"));
}

#[test]
fn oversized_binary_and_broken_messages_end_the_connection_only() {
    let studio = Opened::new();
    let mut socket = studio.socket();
    // Longer than any level can be.
    let _ = socket.send(Message::text("x".repeat(17 << 20)));
    assert!(socket.read().is_err() || socket.read().is_err());
    let mut socket = studio.socket();
    socket
        .send(Message::binary(vec![1, 2, 3]))
        .expect("it listens");
    assert!(matches!(socket.read(), Ok(Message::Close(_)) | Err(_)));
    // Frames that break the rules: not masked, and of a kind that does not exist.
    for bytes in [
        &[0x81, 0x01, b'x'][..],
        &[0x8f, 0x80, 0, 0, 0, 0],
        &[0xff; 64],
    ] {
        let mut socket = studio.socket();
        socket.get_mut().write_all(bytes).expect("it listens");
        assert!(!matches!(socket.read(), Ok(Message::Text(_))));
    }
    assert!(studio.ask(FILES).contains("planners"));
}

/// A question for a plan that takes a while: a large hall and A*.
fn plan_question(id: u64, detail: &str) -> String {
    let row = format!("\\\"{}\\\"", ".".repeat(60));
    let rows = vec![row; 60].join(", ");
    let text = format!(
        "format = 1\\nstart = [0, 0]\\ngoal = {{ within = {{ at = [59, 30], radius = 0.0 }} }}\\n[map]\\nrows = [{rows}]\\n"
    );
    format!(
        r#"{{"id":{id},"ask":"plan","path":"a.toml","text":"{text}","demonstrations":[],"settings":{{"planner":"astar"}},"detail":"{detail}"}}"#
    )
}

#[test]
fn a_thousand_questions_at_once_are_all_answered_and_the_newest_wins() {
    let studio = Opened::new();
    let mut socket = studio.socket();
    for id in 1..=1000 {
        socket
            .send(Message::text(plan_question(id, "live")))
            .expect("it listens");
    }
    let mut last_plan = 0;
    let mut answered = std::collections::BTreeSet::new();
    while answered.len() < 1000 {
        let answer = next(&mut socket);
        let id: u64 = answer
            .strip_prefix("{\"id\":")
            .and_then(|rest| rest.split(',').next())
            .and_then(|digits| digits.parse().ok())
            .expect("every answer has a number");
        if answer.contains("\"answer\":\"plan\"") {
            assert!(
                id >= last_plan,
                "the answer to {id} came after that to {last_plan}"
            );
            last_plan = id;
        }
        answered.insert(id);
    }
    assert_eq!(last_plan, 1000);
}

#[test]
fn who_hangs_up_in_the_middle_is_forgotten() {
    let studio = Opened::new();
    for round in 0..60 {
        let mut socket = studio.socket();
        socket
            .send(Message::text(plan_question(1, "full")))
            .expect("it listens");
        if round % 2 == 0 {
            // Half a frame.
            let _ = socket.get_mut().write_all(&[0x81, 0xfe, 0x10]);
        }
        drop(socket);
        let _ = studio.stream().write_all(b"GET / HT");
    }
    // There are places for some dozens at a time, so each of these must have been given back.
    let mut answer = String::new();
    for _ in 0..200 {
        answer = studio.status(&format!(
            "GET / HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n\r\n",
            studio.port
        ));
        if answer.contains("200") {
            break;
        }
        thread::yield_now();
    }
    assert_eq!(answer, "HTTP/1.1 200 OK");
    assert!(studio.ask(FILES).contains("planners"));
}

fn open_question(path: &str) -> String {
    format!(r#"{{"id":1,"ask":"open","path":"{path}"}}"#)
}

fn save_question(path: &str) -> String {
    format!(r#"{{"id":1,"ask":"save","path":"{path}","text":"mine","replace":true}}"#)
}

/// Every file below a folder, with its text.
fn everything(folder: &Path) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            found.extend(everything(&path));
        } else if let Ok(text) = fs::read_to_string(&path) {
            found.push((path, text));
        }
    }
    found.sort();
    found
}

#[test]
fn nothing_outside_the_folder_is_read_or_written() {
    let studio = Opened::new();
    let secret = studio.around.join("secret.toml");
    #[cfg(unix)]
    {
        use std::os::unix::fs::symlink;
        symlink(&secret, studio.folder().join("link.toml")).expect("a link");
        symlink(&studio.around, studio.folder().join("out")).expect("a link");
        symlink(&secret, studio.folder().join("levels/link.map")).expect("a link");
        symlink(&secret, studio.folder().join("levels/link.jsonl")).expect("a link");
        // Where a draft would be.
        symlink(&secret, studio.folder().join(".new.toml.draft")).expect("a link");
    }
    let before = everything(&studio.around);
    let absolute = secret.display().to_string();
    for path in [
        "../secret.toml",
        "levels/../../secret.toml",
        "./../secret.toml",
        "..\\\\secret.toml",
        "link.toml",
        "out/secret.toml",
        "out/new.toml",
        absolute.as_str(),
        "/etc/passwd",
        "C:/secret.toml",
        "levels",
        "levels/.hidden.toml",
        ".toml",
        "run.sh",
        "a.toml\\u0000.sh",
        "a\\u0000.toml",
        "..",
        "../",
        ".",
        "~/a.toml",
        "levels/...",
        "nul.toml",
        "levels/CON.toml",
        "com1.htn",
        "aux.plan.json",
        "levels/lpt9.toml",
        "levels\\\\a.toml",
        "//secret.toml",
        "file:///etc/passwd.toml",
        "a.toml/",
        "built-in:../secret.toml",
        "",
    ] {
        for question in [open_question(path), save_question(path)] {
            let answer = studio.ask(&question);
            assert!(
                answer.contains("\"answer\":\"refused\""),
                "{question} was answered by {answer}"
            );
            assert!(!answer.contains("secret\\n"), "{answer}");
        }
    }
    assert_eq!(everything(&studio.around), before);
    // A map that a scenario names is looked for in the same way.
    let text = "format = 1\\nstart = [0, 0]\\ngoal = { all = [] }\\nmap = { file = \\\"../../secret.map\\\" }";
    let question =
        format!(r#"{{"id":1,"ask":"edit","path":"levels/a.toml","text":"{text}","edits":[]}}"#);
    assert!(studio.ask(&question).contains("refused"));
    let linked = text.replace("../../secret.map", "link.map");
    let question =
        format!(r#"{{"id":1,"ask":"edit","path":"levels/a.toml","text":"{linked}","edits":[]}}"#);
    assert!(studio.ask(&question).contains("out of the working folder"));
    // Neither are the demonstrations it names.
    let level = "format = 1\nstart = [0, 0]\ngoal = { all = [] }\nmap = { rows = ['.'] }\n[[demonstration]]\nfile = 'link.jsonl'\n[[demonstration]]\nfile = '../../secret.jsonl'\n";
    fs::write(studio.folder().join("levels/own.toml"), level).expect("there is room");
    let answer = studio.ask(&open_question("levels/own.toml"));
    assert_eq!(
        answer.matches("out of the working folder").count(),
        2,
        "{answer}"
    );
    // A link that waits where a draft will be is not written through.
    let save = r#"{"id":1,"ask":"save","path":"new.toml","text":"mine"}"#;
    assert!(studio.ask(save).contains("\"answer\":\"saved\""));
    assert_eq!(fs::read_to_string(&secret).expect("it is there"), "secret");
    // What is inside can be written, and is not replaced by accident.
    let save = r#"{"id":1,"ask":"save","path":"new/a.toml","text":"one"}"#;
    assert!(studio.ask(save).contains("\"answer\":\"saved\""));
    assert!(studio.ask(save).contains("\"answer\":\"exists\""));
    let written = fs::read_to_string(studio.folder().join("new/a.toml"));
    assert_eq!(written.expect("it was written"), "one");
}

#[test]
fn a_folder_that_is_none_cannot_be_opened() {
    let options = Options {
        folder: PathBuf::from("no such folder"),
        port: Some(0),
    };
    assert!(Studio::open(&options).is_err());
}

#[test]
fn paths_with_letters_that_nobody_can_see_are_refused() {
    let studio = Opened::new();
    for hidden in [
        "\u{200b}", "\u{202e}", "\u{feff}", "\u{2066}", "\u{ad}", "\u{7f}",
    ] {
        let path = format!("a{hidden}b.htn");
        let question = json!({"id": 1, "ask": "save", "path": path, "text": "x", "was": ""});
        let answer = asked(&studio, &question).to_string();
        assert!(answer.contains("nobody can see"), "{answer}");
        assert!(!answer.contains(hidden), "{answer}");
    }
    let files = fs::read_dir(studio.folder()).expect("a folder");
    assert_eq!(files.count(), 1, "only the folder that was there");
}
