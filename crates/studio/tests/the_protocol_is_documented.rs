//! The book names the version of the protocol it was written for, so that one who changes the
//! protocol reads the book again; and what messages look like is kept as JSON Schema and TypeScript, which
//! the tests of the page hold every answer against.

use std::path::Path;

use apprentice::report::schema::{to_text, typescript};
use apprentice_studio::MESSAGES;

#[test]
fn the_book_knows_the_protocol() {
    let protocol = include_str!("../src/protocol.rs");
    let book = include_str!("../../../book/src/studio.md");
    // FNV-1a over the text without line ends, which differ between systems.
    let bytes = protocol.bytes().filter(|byte| !b"\r\n".contains(byte));
    let digest = bytes.fold(0xcbf2_9ce4_8422_2325_u64, |digest, byte| {
        (digest ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    let digest = format!("{digest:016x}");
    assert!(
        book.contains(&digest),
        "protocol.rs has changed: read book/src/studio.md, mend what is no longer true, and put the digest {digest} into it"
    );
}

#[track_caller]
fn check(name: &str, text: &str) {
    let kept = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("schema")
        .join(name);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&kept, text).expect("it can be written");
    }
    let is = std::fs::read_to_string(&kept).unwrap_or_default();
    assert!(
        is.replace('\r', "") == text,
        "{} is out of date; UPDATE_GOLDEN=1 makes it anew",
        kept.display()
    );
}

#[test]
fn the_schemas_of_messages_are_up_to_date() {
    for message in MESSAGES {
        check(
            &format!("{}.schema.json", message.name),
            &to_text(&message.schema()),
        );
    }
    check("messages.d.ts", &typescript(&MESSAGES));
}
