//! The designers' language: text to tree, tree to model, and back to text in one canonical layout.

mod check;
mod diagnostics;
mod format;
mod lexer;
mod parser;
pub mod tree;

pub use diagnostics::{Diagnostic, Severity};
pub use format::format;
pub use parser::parse;

use crate::model::{File, Model, Span};
use parser::{MOST_ERRORS, Parsed, parse_text};
use tree::{DeclKind, Tree};

/// What came of reading files.
#[derive(Clone, Debug)]
pub struct Reading {
    /// The model, unless there are errors.
    pub model: Option<Model>,
    /// What is wrong, or looks wrong: errors first, each kind in order of place.
    pub diagnostics: Vec<Diagnostic>,
    /// The files that were read, for [`Diagnostic::render`].
    pub files: Vec<File>,
}

impl Reading {
    /// All that is wrong, as text.
    pub fn report(&self) -> String {
        self.diagnostics
            .iter()
            .map(|diagnostic| diagnostic.render(&self.files))
            .collect()
    }

    /// Whether anything is an error.
    pub fn has_errors(&self) -> bool {
        self.model.is_none()
    }
}

/// Reads one text that includes no other files.
///
/// ```
/// use apprentice_htn::language::read;
///
/// let reading = read("nap.htn", "task Nap() { { true; } } problem p { goal ordered(Nap()); }");
/// assert!(reading.model.is_some());
/// ```
pub fn read(name: &str, text: &str) -> Reading {
    read_files(&[(name, text)], &|_| None)
}

/// Reads several texts as one, and the files they include, which `find` finds: by the name of the
/// file that includes, with its last part replaced by the name that is included.
pub fn read_files(texts: &[(&str, &str)], find: &dyn Fn(&str) -> Option<String>) -> Reading {
    let mut reader = Reader {
        files: Vec::new(),
        trees: Vec::new(),
        wrong: Vec::new(),
        is_whole: true,
        find,
        open: Vec::new(),
    };
    for (name, text) in texts {
        reader.read(name, text);
    }
    let Reader {
        files,
        trees,
        mut wrong,
        is_whole,
        ..
    } = reader;
    let has_errors = |wrong: &[Diagnostic]| wrong.iter().any(|one| one.severity == Severity::Error);
    let mut model = None;
    // Without declarations that could not be read, everything that uses them would look wrong.
    if is_whole {
        let checked = check::check(files.clone(), &trees, &mut wrong);
        if !has_errors(&wrong) {
            model = Some(checked);
        }
    } else {
        wrong.truncate(MOST_ERRORS);
    }
    wrong.sort_by_key(|one| (one.severity, one.span));
    let errors = wrong
        .iter()
        .filter(|one| one.severity == Severity::Error)
        .count();
    if errors > MOST_ERRORS {
        wrong.drain(MOST_ERRORS..errors);
    }
    Reading {
        model,
        diagnostics: wrong,
        files,
    }
}

/// Whether something can be called so.
///
/// ```
/// use apprentice_htn::language::is_name;
///
/// assert!(is_name("red_key") && !is_name("red key") && !is_name("goal"));
/// ```
pub fn is_name(text: &str) -> bool {
    let mut letters = text.chars();
    let begins = |letter: char| letter.is_ascii_alphabetic() || letter == '_';
    letters.next().is_some_and(begins)
        && letters.all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
        && !lexer::KEYWORDS.contains(&text)
}

/// Turns the domain in several files, and those they include, into Rust that does the same; see
/// [`generate_rust`](crate::generate_rust). Problems in the files are left out: they are read at
/// run time. A build script calls this and writes the text into a file, which is included:
///
/// ```text
/// mod nap {
///     // Only where the crate is not called so: with the façade, or another name.
///     use apprentice::htn as apprentice_htn;
///     include!(concat!(env!("OUT_DIR"), "/nap.rs"));
/// }
/// ```
///
/// ```
/// use apprentice_htn::language::compile_to_rust;
///
/// let text = "task Nap() { { true; } }";
/// let rust = compile_to_rust("nap", &[("nap.htn", text)], &|_| None).expect("no mistakes");
/// assert!(rust.contains("pub struct Nap"));
/// ```
///
/// # Errors
///
/// What is wrong with the files, if they cannot be used.
pub fn compile_to_rust(
    name: &str,
    texts: &[(&str, &str)],
    find: &dyn Fn(&str) -> Option<String>,
) -> Result<String, Box<Reading>> {
    // Mistakes are reported at their places in the files.
    let reading = read_files(texts, find);
    if reading.has_errors() {
        return Err(Box::new(reading));
    }
    let mut reader = Reader {
        files: Vec::new(),
        trees: Vec::new(),
        wrong: Vec::new(),
        is_whole: true,
        find,
        open: Vec::new(),
    };
    for (name, text) in texts {
        reader.read(name, text);
    }
    let mut source = String::new();
    for tree in &mut reader.trees {
        tree.decls
            .retain(|decl| !matches!(decl.kind, DeclKind::Include(_) | DeclKind::Problem(_)));
        tree.comments.clear();
        source.push_str(&format(tree));
    }
    let mut reading = read("domain.htn", &source);
    let Some(model) = reading.model.take() else {
        return Err(Box::new(reading));
    };
    // Nobody asks the host anything before there is a game.
    let stub: crate::HostFunction = std::sync::Arc::new(|_: &[i64]| 0);
    let domain = crate::LoadedDomain::with_externals(model, |_| Some(stub.clone()));
    match domain {
        Ok(domain) => Ok(crate::generate_rust(&domain, name, &source)),
        Err(why) => {
            let whole = Span::default();
            let wrong = Diagnostic::error("E060", whole, why.to_string(), "");
            reading.diagnostics.push(wrong);
            Err(Box::new(reading))
        }
    }
}

struct Reader<'f> {
    files: Vec<File>,
    trees: Vec<Tree>,
    wrong: Vec<Diagnostic>,
    /// Nothing is left out of the trees.
    is_whole: bool,
    find: &'f dyn Fn(&str) -> Option<String>,
    /// The files that are being read, each included by the one before it.
    open: Vec<String>,
}

/// How deep files may include each other.
const DEEPEST_INCLUDE: usize = 50;

impl Reader<'_> {
    fn read(&mut self, name: &str, text: &str) {
        let file = self.files.len() as u32;
        self.files.push(File {
            name: name.to_owned(),
            text: text.to_owned(),
        });
        let Parsed {
            tree,
            mut wrong,
            is_whole,
        } = parse_text(text, file);
        self.wrong.append(&mut wrong);
        self.is_whole &= is_whole;
        self.open.push(name.to_owned());
        for decl in &tree.decls {
            if let DeclKind::Include(path) = &decl.kind {
                self.include(name, &path.text, path.at.0);
            }
        }
        self.open.pop();
        // What is included comes first.
        self.trees.push(tree);
    }

    fn include(&mut self, from: &str, path: &str, span: Span) {
        let name = beside(from, path);
        if self.open.contains(&name) || self.open.len() > DEEPEST_INCLUDE {
            self.wrong.push(Diagnostic::error(
                "E014",
                span,
                format!("`{path}` includes itself"),
                format!("the way there: {}", self.open.join(" → ")),
            ));
            self.is_whole = false;
            return;
        }
        // Read once, however often it is included.
        if self.files.iter().any(|file| file.name == name) {
            return;
        }
        match (self.find)(&name) {
            Some(text) => self.read(&name, &text),
            None => {
                self.wrong.push(Diagnostic::error(
                    "E014",
                    span,
                    format!("the file `{name}` cannot be read"),
                    "names are relative to the file that includes",
                ));
                self.is_whole = false;
            }
        }
    }
}

/// The file of that name beside another.
fn beside(from: &str, path: &str) -> String {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in path.split('/') {
        match (part, parts.last()) {
            ("." | "", _) => {}
            ("..", Some(&last)) if last != ".." && !last.is_empty() => {
                parts.pop();
            }
            _ => parts.push(part),
        }
    }
    parts.join("/")
}
