//! The book names the version of the protocol it was written for, so that one who changes the
//! protocol reads the book again.

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
