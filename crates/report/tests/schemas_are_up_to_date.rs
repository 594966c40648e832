//! The JSON Schemas and the types of TypeScript that are kept are those of the documents as they are.

use std::path::Path;

use apprentice_report::schema::{DOCUMENTS, to_text, typescript};

#[track_caller]
fn check(name: &str, text: &str) {
    let kept = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("schema")
        .join(name);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&kept, text).expect("it can be written");
    }
    let is = std::fs::read_to_string(&kept).unwrap_or_default();
    // Line ends differ between systems.
    assert!(
        is.replace('\r', "") == text,
        "{} is out of date; UPDATE_GOLDEN=1 makes it anew",
        kept.display()
    );
}

#[test]
fn every_document_has_its_schema() {
    for document in DOCUMENTS {
        let name = format!("{}.schema.json", document.name);
        check(&name, &to_text(&document.schema()));
    }
}

#[test]
fn and_its_type() {
    check("documents.d.ts", &typescript(&DOCUMENTS));
}
