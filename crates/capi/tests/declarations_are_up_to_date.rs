//! The header is the one that the source makes, and the declarations for C# name every function of it.

use std::collections::BTreeSet;
use std::path::Path;

fn folder() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn the_header_is_that_of_the_source() {
    let config = cbindgen::Config::from_file(folder().join("cbindgen.toml")).expect("it is sound");
    let bindings = cbindgen::Builder::new()
        .with_crate(folder())
        .with_config(config)
        .generate();
    let mut made = Vec::new();
    bindings.expect("the source can be read").write(&mut made);
    let made = String::from_utf8(made).expect("text");
    let header = folder().join("include/apprentice.h");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&header, &made).expect("it can be written");
    }
    let kept = std::fs::read_to_string(&header).unwrap_or_default();
    assert!(
        kept.replace('\r', "") == made,
        "{} is out of date; UPDATE_GOLDEN=1 makes it anew",
        header.display()
    );
}

/// The functions that a text declares.
fn functions(text: &str) -> BTreeSet<String> {
    let words =
        text.split(|letter: char| !(letter.is_alphanumeric() || letter == '_' || letter == '('));
    let called = words.filter_map(|word| word.split_once('('));
    let names = called
        .map(|(name, _)| name)
        .filter(|name| name.starts_with("apprentice_"));
    names.map(str::to_owned).collect()
}

#[test]
fn every_function_is_declared_for_c_sharp() {
    let read = |name: &str| std::fs::read_to_string(folder().join(name)).expect("it is there");
    let header = functions(&read("include/apprentice.h"));
    assert!(header.len() > 25, "{header:?}");
    assert_eq!(functions(&read("csharp/Apprentice.cs")), header);
}
