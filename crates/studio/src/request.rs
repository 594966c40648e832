//! The head of an HTTP request, and whether the one who sent it may be answered.
//!
//! Everything a page in the browser may do with its own studio, any other page the same person has
//! open could try too: by its own requests, or by a name of its own that leads to this machine. So
//! a request must name this studio as its host, and one that changes anything must come from this
//! studio's page.

use std::io::Read;

/// Longer heads come from no browser.
const LONGEST_HEAD: usize = 16 << 10;
/// Heads come in one piece or two; who sends letter by letter wants to keep us waiting.
const MOST_PIECES: usize = 64;
/// Browsers send some twenty.
const MOST_HEADERS: usize = 64;

/// What was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Request {
    pub(crate) method: String,
    /// The path, without a query.
    pub(crate) path: String,
    query: String,
    headers: Vec<(String, String)>,
    /// What came after the head, if anything did.
    pub(crate) rest: Vec<u8>,
}

/// Why a request is not answered, as a status line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// It is no HTTP, or too much of it.
    Malformed,
    /// It names another host: a foreign name that leads here.
    OtherHost,
    /// It comes from another page.
    OtherOrigin,
    /// It doesn't know the token.
    NoToken,
    /// Something other than reading.
    Method,
    /// There is nothing of that name.
    NotFound,
    /// Too many at once.
    Busy,
}

impl Refusal {
    pub(crate) const fn status(self) -> &'static str {
        match self {
            Refusal::Malformed => "400 Bad Request",
            Refusal::OtherHost => "421 Misdirected Request",
            Refusal::OtherOrigin | Refusal::NoToken => "403 Forbidden",
            Refusal::Method => "405 Method Not Allowed",
            Refusal::NotFound => "404 Not Found",
            Refusal::Busy => "503 Service Unavailable",
        }
    }
}

impl Request {
    /// Reads a head, and not much more.
    pub(crate) fn read(stream: &mut impl Read) -> Result<Request, Refusal> {
        let mut bytes = Vec::new();
        let mut piece = [0; 2048];
        for _ in 0..MOST_PIECES {
            let count = stream.read(&mut piece).map_err(|_| Refusal::Malformed)?;
            if count == 0 {
                return Err(Refusal::Malformed);
            }
            bytes.extend_from_slice(&piece[..count]);
            if let Some(request) = Request::parse(&bytes)? {
                return Ok(request);
            }
            if bytes.len() > LONGEST_HEAD {
                break;
            }
        }
        Err(Refusal::Malformed)
    }

    /// The request in these bytes, if they hold a whole head.
    pub(crate) fn parse(bytes: &[u8]) -> Result<Option<Request>, Refusal> {
        let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
        let mut head = httparse::Request::new(&mut headers);
        let status = head.parse(bytes).map_err(|_| Refusal::Malformed)?;
        let httparse::Status::Complete(length) = status else {
            return Ok(None);
        };
        let (Some(method), Some(target)) = (head.method, head.path) else {
            return Err(Refusal::Malformed);
        };
        let target = target.split('#').next().unwrap_or(target);
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let headers = head.headers.iter().map(|header| {
            let value = std::str::from_utf8(header.value).map_err(|_| Refusal::Malformed)?;
            Ok((header.name.to_ascii_lowercase(), value.trim().to_owned()))
        });
        Ok(Some(Request {
            method: method.to_owned(),
            path: path.to_owned(),
            query: query.to_owned(),
            headers: headers.collect::<Result<_, _>>()?,
            rest: bytes[length..].to_vec(),
        }))
    }

    /// What the query says about something. Our values need no escapes.
    pub(crate) fn asked(&self, name: &str) -> Option<&str> {
        let mut parts = self
            .query
            .split('&')
            .filter_map(|part| part.split_once('='));
        parts.find(|(is, _)| *is == name).map(|(_, value)| value)
    }

    /// The one value of a header; none if it is missing or given twice.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut values = self.headers.iter().filter(|(is, _)| is == name);
        let (_, value) = values.next()?;
        values.next().is_none().then_some(value)
    }

    /// Whether one of the words of a header is this one.
    fn has_word(&self, name: &str, word: &str) -> bool {
        let value = self.header(name).unwrap_or("");
        value
            .split(',')
            .any(|is| is.trim().eq_ignore_ascii_case(word))
    }

    /// Whether it asks for a WebSocket.
    pub(crate) fn is_upgrade(&self) -> bool {
        self.has_word("connection", "upgrade") && self.has_word("upgrade", "websocket")
    }

    /// Lets through what names the studio at `port` as its host and, where it says so, as its
    /// origin. A WebSocket must say so.
    pub(crate) fn check(&self, port: u16) -> Result<(), Refusal> {
        if !self.header("host").is_some_and(|host| is_own(host, port)) {
            return Err(Refusal::OtherHost);
        }
        let from_here = |origin: &str| {
            let host = origin.strip_prefix("http://");
            host.is_some_and(|host| is_own(host, port))
        };
        let named = self.headers.iter().any(|(name, _)| name == "origin");
        match self.header("origin") {
            Some(origin) if from_here(origin) => {}
            None if !named && !self.is_upgrade() => {}
            _ => return Err(Refusal::OtherOrigin),
        }
        if self.method != "GET" && self.method != "HEAD" {
            return Err(Refusal::Method);
        }
        Ok(())
    }
}

/// Whether a host is this machine's loopback at `port`.
fn is_own(host: &str, port: u16) -> bool {
    ["127.0.0.1", "localhost", "[::1]"].iter().any(|name| {
        host.strip_prefix(name)
            .and_then(|rest| rest.strip_prefix(':'))
            .is_some_and(|text| text == port.to_string())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(head: &str) -> Result<(), Refusal> {
        let bytes = format!("{}\r\n\r\n", head.replace('\n', "\r\n"));
        let request = Request::parse(bytes.as_bytes())?.expect("the head is whole");
        request.check(7307)
    }

    #[test]
    fn only_the_studio_itself_is_answered() {
        let page = "GET / HTTP/1.1\nHost: 127.0.0.1:7307";
        let socket = "GET /socket HTTP/1.1\nHost: localhost:7307\nConnection: keep-alive, Upgrade\nUpgrade: websocket";
        for (head, answer) in [
            (page.to_owned(), Ok(())),
            (format!("{page}\nOrigin: http://127.0.0.1:7307"), Ok(())),
            (format!("{socket}\nOrigin: http://localhost:7307"), Ok(())),
            (socket.to_owned(), Err(Refusal::OtherOrigin)),
            (
                format!("{socket}\nOrigin: https://evil.example"),
                Err(Refusal::OtherOrigin),
            ),
            (format!("{socket}\nOrigin: null"), Err(Refusal::OtherOrigin)),
            (
                format!("{socket}\nOrigin: http://localhost:7307\nOrigin: http://evil.example"),
                Err(Refusal::OtherOrigin),
            ),
            (
                format!("{page}\nOrigin: http://127.0.0.1:7307.evil.example"),
                Err(Refusal::OtherOrigin),
            ),
            (
                "GET / HTTP/1.1\nHost: evil.example:7307".to_owned(),
                Err(Refusal::OtherHost),
            ),
            (
                "GET / HTTP/1.1\nHost: 127.0.0.1:7308".to_owned(),
                Err(Refusal::OtherHost),
            ),
            ("GET / HTTP/1.1".to_owned(), Err(Refusal::OtherHost)),
            (
                "POST / HTTP/1.1\nHost: 127.0.0.1:7307".to_owned(),
                Err(Refusal::Method),
            ),
        ] {
            assert_eq!(check(&head), answer, "{head}");
        }
    }

    #[test]
    fn half_a_head_waits_for_the_rest_and_nonsense_does_not() {
        assert_eq!(Request::parse(b"GET / HTTP/1.1\r\nHo"), Ok(None));
        assert_eq!(Request::parse(b"\x16\x03\x01\x02"), Err(Refusal::Malformed));
    }

    #[test]
    fn a_query_is_no_part_of_the_path() {
        let request = Request::parse(b"GET /app.js?v=1&w=&x#y=2 HTTP/1.1\r\n\r\n");
        let request = request.unwrap().unwrap();
        assert_eq!(request.path, "/app.js");
        let asked = ["v", "w", "x", "y"].map(|name| request.asked(name));
        assert_eq!(asked, [Some("1"), Some(""), None, None]);
    }

    /// Somebody who sends a letter at a time.
    struct Dribble(usize);

    impl Read for Dribble {
        fn read(&mut self, into: &mut [u8]) -> std::io::Result<usize> {
            self.0 += 1;
            into[0] = *b"GET / HTTP/1.1\r\nHost: ".get(self.0 - 1).unwrap_or(&b'x');
            Ok(1)
        }
    }

    #[test]
    fn who_sends_letter_by_letter_is_not_waited_for() {
        let mut dribble = Dribble(0);
        assert_eq!(Request::read(&mut dribble), Err(Refusal::Malformed));
        assert_eq!(dribble.0, MOST_PIECES);
    }
}
