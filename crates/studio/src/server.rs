//! Answers browsers on this machine: the page, and a socket for everything that happens on it.

use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, SocketAddrV4, TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, SyncSender};
use std::thread;
use std::time::{Duration, Instant};

use tungstenite::handshake::derive_accept_key;

use crate::assets::asset;
use crate::connection;
use crate::folder::Folder;
use crate::request::{Refusal, Request};
use crate::study::{Study, StudyOptions};
use crate::talk;
use crate::token::Token;

/// Where the studio works and listens.
#[derive(Clone, Debug)]
pub struct Options {
    /// The working folder. Nothing outside it is read or written.
    pub folder: PathBuf,
    /// The port; without one, the first free one from [`Studio::FIRST_PORT`] on, so that the page
    /// finds what it remembers under the same address. 0 is any free port.
    pub port: Option<u16>,
}

/// A studio that listens.
pub struct Studio {
    listener: TcpListener,
    shared: Arc<Shared>,
}

/// What every request needs.
struct Shared {
    port: u16,
    serves: Serves,
    token: Token,
}

/// What browsers are shown.
enum Serves {
    Studio(Arc<Folder>),
    Study(Arc<Study>),
}

impl Serves {
    /// The page at a path. Both are served by either, but only one answers its page.
    fn page<'a>(&self, path: &'a str) -> &'a str {
        match (self, path) {
            (Serves::Study(_), "/") => "/study.html",
            _ => path,
        }
    }
}

/// Requests and sockets at the same time; a browser opens some six for a page.
const MOST_CONNECTIONS: usize = 48;
/// How many ports are tried when none is asked for.
const PORTS_TRIED: u16 = 20;
/// Whoever needs longer for a request is no browser on this machine.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long is listened to those who have their answer.
const LAST_WORDS: Duration = Duration::from_millis(200);

impl Studio {
    /// The port that is tried first.
    pub const FIRST_PORT: u16 = 7307;

    /// Listens on this machine, and nowhere else.
    ///
    /// # Errors
    ///
    /// If the folder does not exist, or there is no free port.
    pub fn open(options: &Options) -> io::Result<Studio> {
        let folder = Arc::new(Folder::open(&options.folder)?);
        Studio::listen(options.port, Serves::Studio(folder))
    }

    /// Listens for participants of a study on this machine, and nowhere else.
    ///
    /// # Errors
    ///
    /// If the folder of the results cannot be made, or there is no free port.
    pub fn open_study(options: &StudyOptions) -> io::Result<Studio> {
        let study = Arc::new(Study::open(&options.out)?);
        Studio::listen(options.port, Serves::Study(study))
    }

    fn listen(port: Option<u16>, serves: Serves) -> io::Result<Studio> {
        let bind = |port| TcpListener::bind(SocketAddrV4::new(Ipv4Addr::LOCALHOST, port));
        let listener = match port {
            Some(port) => bind(port)?,
            None => (Studio::FIRST_PORT..Studio::FIRST_PORT + PORTS_TRIED)
                .find_map(|port| bind(port).ok())
                .map_or_else(|| bind(0), Ok)?,
        };
        let shared = Arc::new(Shared {
            port: listener.local_addr()?.port(),
            serves,
            token: Token::new()?,
        });
        Ok(Studio { listener, shared })
    }

    /// The address to open in a browser. It holds the token without which nobody is let in.
    pub fn address(&self) -> String {
        let Shared { port, token, .. } = &*self.shared;
        format!("http://127.0.0.1:{port}/?token={}", token.text())
    }

    /// An address that is good for one visit, for places where others can read it: the arguments
    /// of a program. The one given before is good no longer.
    ///
    /// # Errors
    ///
    /// If the system has no random numbers.
    pub fn address_for_one_visit(&self) -> io::Result<String> {
        let ticket = self.shared.token.issue_ticket()?;
        Ok(format!(
            "http://127.0.0.1:{}/?ticket={ticket}",
            self.shared.port
        ))
    }

    /// The port it listens on.
    pub fn port(&self) -> u16 {
        self.shared.port
    }

    /// Answers until the process ends.
    pub fn serve(&self) {
        let connections = Arc::new(AtomicUsize::new(0));
        let too_many = refuse_elsewhere();
        for stream in self.listener.incoming() {
            // A browser that gave up before it was heard is no trouble.
            let Ok(stream) = stream else { continue };
            let held = Held::one_more(&connections);
            if held.count > MOST_CONNECTIONS {
                // Where even these are too many, who is dropped hears nothing and tries again.
                let _ = too_many.try_send(stream);
                continue;
            }
            let shared = Arc::clone(&self.shared);
            // Without a thread there is no answer, and the browser tries again.
            let _ = thread::Builder::new()
                .name("studio page".to_owned())
                .spawn(move || {
                    answer(stream, &shared);
                    drop(held);
                });
        }
    }
}

/// A thread that tells those who are too many, so that who accepts them need not wait for them.
fn refuse_elsewhere() -> SyncSender<TcpStream> {
    let (sender, refused) = mpsc::sync_channel::<TcpStream>(MOST_CONNECTIONS);
    // Without a thread they are dropped.
    let _ = thread::Builder::new()
        .name("studio refusals".to_owned())
        .spawn(move || {
            for mut stream in refused {
                let _ = stream.set_write_timeout(Some(LAST_WORDS));
                refuse(&mut stream, Refusal::Busy);
            }
        });
    sender
}

/// One of the connections there are.
struct Held {
    connections: Arc<AtomicUsize>,
    count: usize,
}

impl Held {
    fn one_more(connections: &Arc<AtomicUsize>) -> Held {
        Held {
            count: connections.fetch_add(1, Ordering::Relaxed) + 1,
            connections: Arc::clone(connections),
        }
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.connections.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Answers one request, or holds one socket.
fn answer(mut stream: TcpStream, shared: &Shared) {
    let _ = stream.set_write_timeout(Some(PATIENCE));
    let until = Instant::now() + PATIENCE;
    let request = Request::read(&mut Hurried {
        stream: &stream,
        until,
    });
    let request = match request {
        Ok(request) => request,
        Err(refusal) => return refuse(&mut stream, refusal),
    };
    if let Err(refusal) = request.check(shared.port) {
        return refuse(&mut stream, refusal);
    }
    let is_admitted = shared.token.admits(request.asked("token"));
    match request.path.as_str() {
        "/socket" if !is_admitted => return refuse(&mut stream, Refusal::NoToken),
        "/socket" => {
            return match accept(&mut stream, &request) {
                Ok(()) => talk(stream, request.rest, &shared.serves),
                Err(refusal) => refuse(&mut stream, refusal),
            };
        }
        // So that the page can tell a wrong token from a studio that is not running.
        "/admits" if !is_admitted => return refuse(&mut stream, Refusal::NoToken),
        "/admits" => return respond(&mut stream, "204 No Content", "", ""),
        _ => {}
    }
    if let Some(ticket) = request.asked("ticket") {
        if !shared.token.takes_ticket(ticket) {
            return refuse(&mut stream, Refusal::NoToken);
        }
        let head = format!(
            "Location: /?token={}\r\nContent-Length: 0\r\n",
            shared.token.text()
        );
        return respond(&mut stream, "303 See Other", &head, "");
    }
    match asset(shared.serves.page(&request.path)) {
        Some(asset) => {
            let body = if request.method == "HEAD" {
                ""
            } else {
                asset.text
            };
            let length = asset.text.len();
            let head = format!(
                "Content-Type: {}\r\nContent-Length: {length}\r\n",
                asset.kind
            );
            respond(&mut stream, "200 OK", &head, body);
        }
        None => refuse(&mut stream, Refusal::NotFound),
    }
}

/// Reads until a moment, however often something comes.
struct Hurried<'a> {
    stream: &'a TcpStream,
    until: Instant,
}

impl Read for Hurried<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let left = self.until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        self.stream.set_read_timeout(Some(left))?;
        self.stream.read(into)
    }
}

fn accept(stream: &mut TcpStream, request: &Request) -> Result<(), Refusal> {
    let key = request.header("sec-websocket-key");
    let (true, Some(key)) = (request.is_upgrade(), key) else {
        return Err(Refusal::Malformed);
    };
    let answer = format!(
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
         Sec-WebSocket-Accept: {}\r\n\r\n",
        derive_accept_key(key.as_bytes())
    );
    let written = stream.write_all(answer.as_bytes());
    written.map_err(|_| Refusal::Malformed)
}

fn talk(stream: TcpStream, already_read: Vec<u8>, serves: &Serves) {
    let Ok((inbox, outbox)) = connection::open(stream, already_read) else {
        return;
    };
    match serves {
        Serves::Studio(folder) => talk::run(inbox, &outbox, folder),
        Serves::Study(study) => study.talk(inbox, &outbox),
    }
}

fn refuse(stream: &mut TcpStream, refusal: Refusal) {
    let status = refusal.status();
    let length = status.len();
    let head = format!("Content-Type: text/plain\r\nContent-Length: {length}\r\n");
    respond(stream, status, &head, status);
}

/// Nothing but the page's own files may be loaded by it, and no other page may frame it.
const RULES: &str = "Content-Security-Policy: default-src 'none'; script-src 'self'; \
style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; base-uri 'none'; \
form-action 'none'; frame-ancestors 'none'\r\n\
X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n\
Cross-Origin-Opener-Policy: same-origin\r\nCross-Origin-Resource-Policy: same-origin\r\n\
Cache-Control: no-store\r\nConnection: close\r\n";

fn respond(stream: &mut TcpStream, status: &str, head: &str, body: &str) {
    let text = format!("HTTP/1.1 {status}\r\n{head}{RULES}\r\n{body}");
    // Whoever hangs up early wanted no answer.
    if stream.write_all(text.as_bytes()).is_ok() {
        finish(stream);
    }
}

/// What a client still sends must be read, or the answer may be lost on its way.
fn finish(stream: &mut TcpStream) {
    let _ = stream.shutdown(std::net::Shutdown::Write);
    let mut rest = Hurried {
        stream,
        until: Instant::now() + LAST_WORDS,
    };
    let mut piece = [0; 4096];
    for _ in 0..64 {
        match rest.read(&mut piece) {
            Ok(1..) => {}
            _ => break,
        }
    }
}
