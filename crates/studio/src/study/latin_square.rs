//! Orders in which nobody is always first: each of four comes once in each place, and once right after
//! each other (a balanced Latin square; Williams, 1949).

/// How many there are to be ordered.
pub(crate) const SIZE: usize = 4;

/// The row of a balanced Latin square that a participant gets. Four participants in a row get all four.
pub(crate) fn row(number: usize) -> [usize; SIZE] {
    // 0, 1, 3, 2: forwards and backwards in turn. Every other row is this one, moved on.
    let first = [0, 1, SIZE - 1, 2];
    first.map(|place| (place + number) % SIZE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_comes_once_in_each_place_and_once_after_each_other() {
        let rows: Vec<[usize; SIZE]> = (0..SIZE).map(row).collect();
        for one in 0..SIZE {
            for place in 0..SIZE {
                let times = rows.iter().filter(|row| row[place] == one).count();
                assert_eq!(times, 1, "{one} in place {place}");
            }
            for other in (0..SIZE).filter(|other| *other != one) {
                let pairs = rows.iter().flat_map(|row| row.windows(2));
                let times = pairs.filter(|pair| **pair == [one, other]).count();
                assert_eq!(times, 1, "{other} after {one}");
            }
        }
        assert_eq!(row(5), row(1));
    }
}
