//! What the page calls, and what it is asked for.

use std::cell::RefCell;
use std::time::Duration;

use apprentice_studio::InPage;

#[link(wasm_import_module = "page")]
// SAFETY: the page has these functions (`planner.js`). They only read what they are given, while they run.
unsafe extern "C" {
    /// Milliseconds since some moment.
    safe fn now() -> f64;
    /// An answer.
    safe fn say(text: *const u8, length: usize);
    /// A file that was written.
    safe fn wrote(path: *const u8, path_length: usize, text: *const u8, length: usize);
    /// Why something was refused, or what went wrong before everything ends.
    safe fn complain(text: *const u8, length: usize);
}

struct Studio {
    studio: InPage,
    /// What the page has put in.
    room: Vec<u8>,
}

thread_local! {
    static STUDIO: RefCell<Studio> = RefCell::new(Studio::new());
}

impl Studio {
    fn new() -> Studio {
        std::panic::set_hook(Box::new(|about| {
            let words = about.to_string();
            complain(words.as_ptr(), words.len());
        }));
        Studio {
            studio: InPage::new(clock),
            room: Vec::new(),
        }
    }

    /// Takes a text of so many bytes that begins there out of what the page has put in.
    fn text(&self, from: usize, length: usize) -> String {
        let bytes = self.room.get(from..from + length).unwrap_or_default();
        String::from_utf8_lossy(bytes).into_owned()
    }
}

fn clock() -> Duration {
    Duration::try_from_secs_f64(now() / 1000.0).unwrap_or_default()
}

fn tell(reply: &str) {
    say(reply.as_ptr(), reply.len());
}

fn with<T>(act: impl FnOnce(&mut Studio) -> T) -> T {
    STUDIO.with_borrow_mut(act)
}

/// Room for so many bytes of the page. It is good until the next call.
// SAFETY: nothing else is called so.
#[unsafe(no_mangle)]
pub extern "C" fn room(length: usize) -> *mut u8 {
    with(|studio| {
        studio.room.clear();
        studio.room.resize(length, 0);
        studio.room.as_mut_ptr()
    })
}

/// Hears a message of so many bytes.
// SAFETY: nothing else is called so.
#[unsafe(no_mangle)]
pub extern "C" fn hear(length: usize) {
    with(|studio| {
        let message = studio.text(0, length);
        studio.room = Vec::new();
        studio.studio.hear(&message, &mut |reply| tell(&reply));
        for (path, text) in studio.studio.take_written() {
            wrote(path.as_ptr(), path.len(), text.as_ptr(), text.len());
        }
    });
}

/// Plans for a few milliseconds. Returns 1 if there is more to be done.
// SAFETY: nothing else is called so.
#[unsafe(no_mangle)]
pub extern "C" fn go_on() -> u32 {
    with(|studio| u32::from(studio.studio.go_on(&mut |reply| tell(&reply))))
}

/// Puts a file in: a path of so many bytes, and right after it a text of so many. Returns 1 if that
/// could be done.
// SAFETY: nothing else is called so.
#[unsafe(no_mangle)]
pub extern "C" fn put(path_length: usize, length: usize) -> u32 {
    with(|studio| {
        let path = studio.text(0, path_length);
        let text = studio.text(path_length, length);
        studio.room = Vec::new();
        let done = studio.studio.put(&path, text);
        if let Err(why) = &done {
            complain(why.as_ptr(), why.len());
        }
        u32::from(done.is_ok())
    })
}

/// Takes the file out whose path has so many bytes.
// SAFETY: nothing else is called so.
#[unsafe(no_mangle)]
pub extern "C" fn remove(length: usize) {
    with(|studio| {
        let path = studio.text(0, length);
        studio.studio.remove(&path);
    });
}
