//! Whatever a task file contains: it is read or refused with reasons that can be shown; and what is
//! read keeps every declaration and comment when it is formatted, and no longer changes after that.

#![no_main]

use apprentice_htn::LoadedDomain;
use apprentice_htn::language::tree::Tree;
use apprentice_htn::language::{format, parse, read};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let reading = read("any.htn", text);
    let report = reading.report();
    assert_eq!(report.is_empty(), reading.diagnostics.is_empty(), "{report}");
    if let Some(model) = reading.model {
        // It may be too big to be loaded, and says so.
        let _ = LoadedDomain::new(model).map_err(|why| why.to_string());
    }

    let (tree, wrong) = parse(text, 0);
    if !wrong.is_empty() {
        return;
    }
    let formatted = format(&tree);
    let (again, wrong) = parse(&formatted, 0);
    assert!(wrong.is_empty(), "{wrong:?}\n{formatted}");
    assert_eq!(tree.decls, again.decls, "{formatted}");
    let words = |tree: &Tree| -> Vec<String> {
        let comments = tree.comments.iter();
        comments
            .map(|comment| comment.text.split_whitespace().collect())
            .collect()
    };
    assert_eq!(words(&tree), words(&again), "{formatted}");
    assert_eq!(format(&again), formatted);
});
