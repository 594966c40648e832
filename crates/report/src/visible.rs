//! What people can see of a name, and what they cannot: characters without a shape of their own can
//! make two names look the same, turn a text round, or give orders to a terminal.

use std::borrow::Cow;

/// Whether a character shows nothing by itself: it controls something, has no width, or changes the
/// direction of what is around it.
///
/// ```
/// use apprentice_report::visible::is_invisible;
///
/// assert!(is_invisible('\u{1b}') && is_invisible('\u{200b}') && is_invisible('\u{202e}'));
/// assert!(!is_invisible(' ') && !is_invisible('ü') && !is_invisible('門'));
/// ```
#[must_use]
pub fn is_invisible(character: char) -> bool {
    character.is_control()
        || matches!(
            character,
            // Soft hyphens, joiners and fillers.
            '\u{ad}' | '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{3164}' | '\u{ffa0}'
            // Spaces without width, and what is between lines and paragraphs.
            | '\u{200b}'..='\u{200d}' | '\u{2028}' | '\u{2029}' | '\u{2060}'..='\u{2065}'
            | '\u{feff}' | '\u{fff0}'..='\u{fffb}'
            // Directions.
            | '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{2066}'..='\u{206f}'
            // Of musical notation and shorthand, and tags.
            | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}'
        )
}

/// The text without what nobody can see.
///
/// ```
/// assert_eq!(apprentice_report::visible::only("gate\u{202e}\u{7}"), "gate");
/// ```
#[must_use]
pub fn only(text: &str) -> Cow<'_, str> {
    if text.contains(is_invisible) {
        let seen = text.chars().filter(|&character| !is_invisible(character));
        Cow::Owned(seen.collect())
    } else {
        Cow::Borrowed(text)
    }
}

/// The text for people, with the numbers of characters that they could not see in place of them.
/// Lines and tabs stay.
///
/// ```
/// assert_eq!(apprentice_report::visible::all("gate\u{1b}[2J\n"), "gate\\u{1b}[2J\n");
/// ```
#[must_use]
pub fn all(text: &str) -> Cow<'_, str> {
    let is_hidden = |character: char| is_invisible(character) && !matches!(character, '\n' | '\t');
    if !text.contains(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        if is_hidden(character) {
            shown.extend(character.escape_unicode());
        } else {
            shown.push(character);
        }
    }
    Cow::Owned(shown)
}
