//! Numbers as people and documents want them.

use serde_json::Number;

/// A count with its thousands apart: `12,345`.
pub fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A count with what is counted: `1 step`, `1,200 enemies`.
pub fn counted(count: usize, what: &str) -> String {
    let number = grouped(count as u64);
    // Entries, but plays.
    let stem = what.strip_suffix('y');
    match (
        count,
        stem.filter(|stem| !stem.ends_with(['a', 'e', 'o', 'u'])),
    ) {
        (1, _) => format!("{number} {what}"),
        (_, Some(stem)) => format!("{number} {stem}ies"),
        (_, None) => format!("{number} {what}s"),
    }
}

/// A number with at most that many decimals and no zeros at the end.
pub fn short(number: f64, decimals: usize) -> String {
    let text = format!("{number:.decimals$}");
    let text = if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.')
    } else {
        &text
    };
    if text == "-0" {
        "0".to_owned()
    } else {
        text.to_owned()
    }
}

/// A number as JSON documents give it: without noise in the last digits, `None` if infinite.
pub fn finite(number: f64) -> Option<f64> {
    number.is_finite().then(|| (number * 1e9).round() / 1e9)
}

/// A coordinate as JSON documents give it: a whole number where it is one, as on grids.
pub fn coordinate(number: f64) -> Number {
    let rounded = (number * 1e9).round() / 1e9;
    if rounded == rounded.trunc() {
        Number::from(rounded as i64)
    } else {
        Number::from_f64(rounded).unwrap_or_else(|| Number::from(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_apart() {
        for (count, text) in [
            (0, "0"),
            (999, "999"),
            (1000, "1,000"),
            (1234567, "1,234,567"),
        ] {
            assert_eq!(grouped(count), text);
        }
    }

    #[test]
    fn one_is_no_plural() {
        for (count, what, text) in [
            (0, "error", "0 errors"),
            (1, "error", "1 error"),
            (1, "enemy", "1 enemy"),
            (1000, "enemy", "1,000 enemies"),
        ] {
            assert_eq!(counted(count, what), text);
        }
    }

    #[test]
    fn short_numbers_have_no_zeros_at_the_end() {
        for (number, text) in [
            (1.0, "1"),
            (2.5, "2.5"),
            (10.0, "10"),
            (-0.001, "0"),
            (0.126, "0.13"),
        ] {
            assert_eq!(short(number, 2), text);
        }
        assert_eq!(short(100.0, 0), "100");
    }

    #[test]
    fn coordinates_are_whole_where_they_can_be() {
        for (number, text) in [
            (12.0, "12"),
            (-0.0, "0"),
            (0.25, "0.25"),
            (1.23456, "1.23456"),
        ] {
            assert_eq!(coordinate(number).to_string(), text);
        }
    }
}
