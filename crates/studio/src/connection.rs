//! The socket of one page: messages in, messages out, from whichever thread has something to say.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tungstenite::protocol::frame::Frame;
use tungstenite::protocol::frame::coding::{Data, OpCode};
use tungstenite::protocol::{Role, WebSocket, WebSocketConfig};
use tungstenite::{Error, Message};

/// The largest scenario there can be takes a quarter of this.
pub(crate) const LARGEST_MESSAGE: usize = 16 << 20;

/// A page that takes nothing for so long is gone.
const PATIENCE: Duration = Duration::from_secs(10);

/// Where answers go. Whole messages only, so that those of several threads don't mix.
#[derive(Clone)]
pub(crate) struct Outbox {
    stream: Arc<Mutex<TcpStream>>,
}

impl Outbox {
    /// Sends a message. A page that is gone, or takes nothing, hears nothing more.
    pub(crate) fn send(&self, text: String) {
        let frame = Frame::message(text.into_bytes(), OpCode::Data(Data::Text), true);
        let mut bytes = Vec::new();
        if frame.format(&mut bytes).is_ok() && self.write(&bytes).is_err() {
            // Half a message may have been written, so nothing can follow.
            let stream = self.stream.lock().unwrap_or_else(PoisonError::into_inner);
            let _ = stream.shutdown(Shutdown::Both);
        }
    }

    fn write(&self, bytes: &[u8]) -> io::Result<()> {
        let mut stream = self.stream.lock().unwrap_or_else(PoisonError::into_inner);
        stream.write_all(bytes)
    }
}

/// What a WebSocket reads from, and answers pings through.
struct Wire {
    reader: TcpStream,
    outbox: Outbox,
}

impl Read for Wire {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.reader.read(into)
    }
}

impl Write for Wire {
    /// All or nothing, so that what other threads write comes before or after.
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.outbox.write(bytes)?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Where messages come from.
pub(crate) struct Inbox {
    socket: WebSocket<Wire>,
}

impl Inbox {
    /// The next text. None: the page is gone, or sends what no page sends.
    pub(crate) fn next(&mut self) -> Option<String> {
        loop {
            match self.socket.read() {
                Ok(Message::Text(text)) => return Some(text.as_str().to_owned()),
                Ok(Message::Ping(_) | Message::Pong(_) | Message::Frame(_)) => {}
                Ok(Message::Binary(_) | Message::Close(_)) => {
                    let _ = self.socket.close(None);
                    let _ = self.socket.flush();
                    return None;
                }
                Err(Error::Io(error)) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => return None,
            }
        }
    }
}

/// Both ends of a socket whose handshake is done.
pub(crate) fn open(stream: TcpStream, already_read: Vec<u8>) -> io::Result<(Inbox, Outbox)> {
    stream.set_read_timeout(None)?;
    stream.set_write_timeout(Some(PATIENCE))?;
    stream.set_nodelay(true)?;
    let outbox = Outbox {
        stream: Arc::new(Mutex::new(stream.try_clone()?)),
    };
    let wire = Wire {
        reader: stream,
        outbox: outbox.clone(),
    };
    let limits = WebSocketConfig::default()
        .max_message_size(Some(LARGEST_MESSAGE))
        .max_frame_size(Some(LARGEST_MESSAGE));
    let socket = WebSocket::from_partially_read(wire, already_read, Role::Server, Some(limits));
    Ok((Inbox { socket }, outbox))
}
