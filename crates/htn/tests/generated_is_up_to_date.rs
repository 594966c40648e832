//! The generated Rust that other tests use is what would be generated now.

use std::path::{Path, PathBuf};

use apprentice_htn::language::compile_to_rust;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/generated")
}

/// Generated code is checked in; it must be what would be generated now.
#[track_caller]
fn check_golden(file: &str, now: &str) {
    let path = folder().join(file);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, now).expect("it can be written");
    }
    let before = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(before == now, "{file} is old; run with UPDATE_GOLDEN=1");
}

/// A domain that is called as something in Rust.
const OPTION: &str = "type Thing; instance Thing rope; task Take(Thing? t) { { t != none; } }";

#[test]
fn the_generated_files_are_up_to_date() {
    let text = crate::simplefps::domain();
    let rust = compile_to_rust("simplefps", &[("simplefps.htn", &text)], &|_| None);
    check_golden(
        "simplefps.rs",
        &rust.unwrap_or_else(|wrong| panic!("{}", wrong.report())),
    );

    // Rust has a type of that name, which generated code uses.
    let rust = compile_to_rust("option", &[("option.htn", OPTION)], &|_| None);
    check_golden(
        "option.rs",
        &rust.unwrap_or_else(|wrong| panic!("{}", wrong.report())),
    );

    let mut modules = String::from("// One module for each domain of the pages in testdata/htn.\n");
    for case in crate::semantics::cases() {
        let name = case.name.clone();
        let rust = compile_to_rust("page", &[(&name, &case.text)], &|_| None);
        let rust = rust.unwrap_or_else(|wrong| panic!("{}", wrong.report()));
        check_golden(&format!("{name}.rs"), &rust);
        modules.push_str(&format!(
            "#[rustfmt::skip]\n#[path = \"{name}.rs\"]\npub(crate) mod {name};\n"
        ));
    }
    modules.push_str("\n/// Calls a macro with the names of all modules.\n#[macro_export]\nmacro_rules! for_all_pages {\n    ($call:ident) => {\n");
    for case in crate::semantics::cases() {
        modules.push_str(&format!("        $call!({});\n", case.name));
    }
    modules.push_str("    };\n}\n");
    check_golden("pages.rs", &modules);
}
