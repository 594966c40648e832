//! No float function whose last bit may differ between platforms.
//!
//! The crates that search and simulate promise the same answer everywhere. `+`, `-`, `*`, `/` and
//! `sqrt` are rounded correctly on every platform. The functions below come from the platform's
//! own library, or may be fused, and are not.

use super::finding::Finding;
use super::rust_tokens::{Token, is_path_separator, tokens};
use super::tree::Tree;

/// Crates whose results must not depend on the platform.
const CRATES: [&str; 5] = ["search", "experience", "world", "playstyle", "recognition"];

const DENIED: [&str; 27] = [
    "sin", "cos", "tan", "sin_cos", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh",
    "asinh", "acosh", "atanh", "exp", "exp2", "exp_m1", "ln", "ln_1p", "log", "log2", "log10",
    "powf", "powi", "cbrt", "hypot", "mul_add",
];

pub(crate) fn check(tree: &Tree) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, text) in tree.sources_of(&CRATES) {
        let tokens = tokens(text);
        for (at, token) in tokens.iter().enumerate() {
            let Some(name) = token.word().filter(|name| DENIED.contains(name)) else {
                continue;
            };
            if is_method_call(&tokens, at) || is_in_a_float_type(&tokens, at) {
                let what = format!("`{name}` may give another last bit on another platform");
                let remedy = "use + - * / and sqrt, or a table";
                findings.push(Finding::new(path, token.line, what, remedy));
            }
        }
    }
    findings
}

/// `.name(`
fn is_method_call(tokens: &[Token], at: usize) -> bool {
    let is_after_dot = at > 0 && tokens[at - 1].is('.');
    is_after_dot && tokens.get(at + 1).is_some_and(|next| next.is('('))
}

/// `f64::name` or `<f64>::name`
fn is_in_a_float_type(tokens: &[Token], at: usize) -> bool {
    if at < 3 || !is_path_separator(tokens, at - 2) {
        return false;
    }
    let before = &tokens[..at - 2];
    let before = match before {
        [rest @ .., bracket] if bracket.is('>') => rest,
        _ => before,
    };
    matches!(before.last().and_then(Token::word), Some("f32" | "f64"))
}

#[cfg(test)]
mod tests {
    use super::super::finding::places;
    use super::*;

    fn lines(source: &str) -> Vec<usize> {
        let findings = check(&Tree::of(&[("crates/search/src/cost.rs", source)]));
        findings.iter().map(|finding| finding.line).collect()
    }

    #[test]
    fn exact_operations_are_clean() {
        assert_eq!(
            lines("fn f(x: f64) -> f64 { (x * x + 1.0).sqrt().floor() }"),
            [] as [usize; 0]
        );
    }

    #[test]
    fn method_calls_are_found() {
        assert_eq!(
            lines("let a = x.sin();\nlet b = 2.0_f64\n    .powf(x);"),
            [1, 3]
        );
    }

    #[test]
    fn paths_are_found() {
        assert_eq!(
            lines("f64::sin(x);\nxs.map(f32::ln);\n<f64>::exp2(x);"),
            [1, 2, 3]
        );
    }

    #[test]
    fn comments_text_and_other_names_do_not_count() {
        let source =
            "/// Like `x.sin()`.\n// f64::cos\nlet s = \"x.tan()\"; point.log; Log::log(x);";
        assert_eq!(lines(source), [] as [usize; 0]);
    }

    #[test]
    fn only_sources_of_crates_that_promise_it_are_checked() {
        let source = "let a = x.sin();";
        let tree = Tree::of(&[
            ("crates/experience/src/graph.rs", source),
            ("crates/studio/src/server.rs", source),
            ("crates/world/benches/steps.rs", source),
        ]);
        assert_eq!(places(&check(&tree)), ["crates/experience/src/graph.rs:1"]);
    }
}
