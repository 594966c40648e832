//! The pages of testdata/htn: domains and the plans they have.

// Every test file uses a part of this.
#![allow(dead_code)]

/// A domain with a problem, and every plan it has.
pub(crate) struct Case {
    /// The page and the number on it, as a name for a module.
    pub(crate) name: String,
    /// The domain and the problem.
    pub(crate) text: String,
    /// The problem alone.
    pub(crate) problem: String,
    /// All plans, in order.
    pub(crate) plans: Vec<String>,
}

pub(crate) fn cases() -> Vec<Case> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/htn");
    let mut pages: Vec<_> = std::fs::read_dir(folder)
        .expect("it is there")
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .collect();
    pages.sort();
    let mut cases = Vec::new();
    for page in pages {
        let text = std::fs::read_to_string(&page).expect("it can be read");
        let stem = page.file_stem().expect("it has a name").to_string_lossy();
        let stem = stem.trim_start_matches(|c: char| c.is_ascii_digit() || c == '_');
        let mut domain: Option<String> = None;
        let mut number = 0;
        let mut blocks = text.split("```");
        blocks.next();
        while let (Some(block), _) = (blocks.next(), blocks.next()) {
            let (tag, body) = block.split_once('\n').expect("a tag and lines");
            match tag {
                "htn" => domain = Some(body.to_owned()),
                "every plan" => {
                    number += 1;
                    let letter = char::from(b'a' + number - 1);
                    let text = domain.take().expect("a domain before its plans");
                    let at = text.find("problem ").expect("a problem");
                    cases.push(Case {
                        name: format!("{stem}_{letter}"),
                        problem: text[at..].to_owned(),
                        text,
                        plans: body.lines().map(str::to_owned).collect(),
                    });
                }
                tag => panic!("{}: a block is called `{tag}`", page.display()),
            }
        }
    }
    cases
}
