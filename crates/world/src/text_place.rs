//! Where in a text something is.

/// The line and column of a byte of a text, both counted from 1; columns are characters.
pub(crate) fn line_and_column(text: &str, place: usize) -> (usize, usize) {
    let mut end = place.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let before = &text[..end];
    let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
    (
        before.matches('\n').count() + 1,
        before[line_start..].chars().count() + 1,
    )
}
