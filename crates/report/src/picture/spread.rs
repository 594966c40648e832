//! Spreads the nodes of a graph over a plane: neighbours near each other, all others as far apart as
//! the ways between them are long, and no box on top of another. And lines between boxes.

/// Enough for a hundred nodes to come to rest.
const ROUNDS: usize = 300;

/// How far apart boxes are kept: a door and the numbers of steps fit between them.
const GAP: f64 = 62.0;

/// The middles of boxes of these sizes, the topmost and leftmost at zero. `edges` join them, and
/// neighbours are about `length` apart. The same graph gives the same places.
pub(crate) fn spread(
    sizes: &[(f64, f64)],
    edges: &[(usize, usize)],
    length: f64,
) -> Vec<(f64, f64)> {
    let count = sizes.len();
    let distances = distances(count, edges);
    // Nodes begin on a spiral: unlike on a circle, no two stand opposite each other and stay there.
    let mut places: Vec<(f64, f64)> = (0..count)
        .map(|node| {
            let (angle, radius) = (node as f64 * 2.399_963, (node as f64 + 0.5).sqrt());
            (radius * angle.cos() * length, radius * angle.sin() * length)
        })
        .collect();
    for _ in 0..ROUNDS {
        relax(&mut places, &distances, length);
    }
    // The more there is to see in width than in height, the better it fits on a screen.
    turn_wide(&mut places);
    for _ in 0..ROUNDS {
        if !push_apart(&mut places, sizes) {
            break;
        }
    }
    let left = edge(&places, sizes, |place, size| place.0 - size.0 / 2.0);
    let top = edge(&places, sizes, |place, size| place.1 - size.1 / 2.0);
    for place in &mut places {
        *place = (place.0 - left, place.1 - top);
    }
    places
}

fn edge(
    places: &[(f64, f64)],
    sizes: &[(f64, f64)],
    of: impl Fn((f64, f64), (f64, f64)) -> f64,
) -> f64 {
    let all = places.iter().zip(sizes);
    all.map(|(place, size)| of(*place, *size))
        .fold(f64::INFINITY, f64::min)
}

/// How many edges lie between any two nodes. Parts that are not joined lie a bit further apart than
/// anything that is.
fn distances(count: usize, edges: &[(usize, usize)]) -> Vec<Vec<f64>> {
    let mut neighbours = vec![Vec::new(); count];
    for &(a, b) in edges {
        neighbours[a].push(b);
        neighbours[b].push(a);
    }
    let mut all = Vec::with_capacity(count);
    for from in 0..count {
        let mut row = vec![usize::MAX; count];
        row[from] = 0;
        let mut queue = std::collections::VecDeque::from([from]);
        while let Some(node) = queue.pop_front() {
            for &next in &neighbours[node] {
                if row[next] == usize::MAX {
                    row[next] = row[node] + 1;
                    queue.push_back(next);
                }
            }
        }
        all.push(row);
    }
    let finite = all.iter().flatten().filter(|steps| **steps != usize::MAX);
    let far = 1 + finite.max().copied().unwrap_or(0);
    let steps = |steps: usize| (if steps == usize::MAX { far } else { steps }) as f64;
    all.into_iter()
        .map(|row| row.into_iter().map(steps).collect())
        .collect()
}

/// Moves every node to where all others would have it, each the more the nearer it is (stress
/// majorization, one node at a time).
fn relax(places: &mut [(f64, f64)], distances: &[Vec<f64>], length: f64) {
    for node in 0..places.len() {
        let (mut x, mut y, mut total) = (0.0, 0.0, 0.0);
        for other in 0..places.len() {
            if other == node {
                continue;
            }
            let wanted = distances[node][other] * length;
            let weight = 1.0 / (wanted * wanted);
            let (dx, dy) = (
                places[node].0 - places[other].0,
                places[node].1 - places[other].1,
            );
            let apart = (dx * dx + dy * dy).sqrt().max(1e-6);
            x += weight * (places[other].0 + dx / apart * wanted);
            y += weight * (places[other].1 + dy / apart * wanted);
            total += weight;
        }
        if total > 0.0 {
            places[node] = (x / total, y / total);
        }
    }
}

/// Turns everything so that it is as low as possible.
fn turn_wide(places: &mut [(f64, f64)]) {
    let height = |turn: f64| {
        let across = places
            .iter()
            .map(|place| place.1 * turn.cos() - place.0 * turn.sin());
        let (low, high) = across.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), y| {
            (low.min(y), high.max(y))
        });
        high - low
    };
    let turns = (0..36).map(|turn| f64::from(turn) * std::f64::consts::PI / 36.0);
    let best = turns.min_by(|a, b| height(*a).total_cmp(&height(*b)));
    let (cos, sin) = best.map_or((1.0, 0.0), |turn| (turn.cos(), turn.sin()));
    for place in places {
        *place = (place.0 * cos + place.1 * sin, place.1 * cos - place.0 * sin);
    }
}

/// Moves boxes that are too close to each other apart, the shorter way. Whether any were.
fn push_apart(places: &mut [(f64, f64)], sizes: &[(f64, f64)]) -> bool {
    let mut is_moved = false;
    for a in 0..places.len() {
        for b in 0..a {
            let (dx, dy) = (places[a].0 - places[b].0, places[a].1 - places[b].1);
            let over_x = (sizes[a].0 + sizes[b].0) / 2.0 + GAP - dx.abs();
            let over_y = (sizes[a].1 + sizes[b].1) / 2.0 + GAP - dy.abs();
            if over_x <= 0.01 || over_y <= 0.01 {
                continue;
            }
            is_moved = true;
            if over_x < over_y {
                let by = over_x / 2.0 * if dx < 0.0 { -1.0 } else { 1.0 };
                places[a].0 += by;
                places[b].0 -= by;
            } else {
                let by = over_y / 2.0 * if dy < 0.0 { -1.0 } else { 1.0 };
                places[a].1 += by;
                places[b].1 -= by;
            }
        }
    }
    is_moved
}

/// Where a line from the middle of a box to somewhere else leaves the box.
pub(crate) fn leave(middle: (f64, f64), size: (f64, f64), to: (f64, f64)) -> (f64, f64) {
    let (dx, dy) = (to.0 - middle.0, to.1 - middle.1);
    let part = (size.0 / 2.0 / dx.abs().max(1e-9)).min(size.1 / 2.0 / dy.abs().max(1e-9));
    let part = part.min(1.0);
    (middle.0 + dx * part, middle.1 + dy * part)
}

/// Whether a door at `mark` would touch a box.
pub(crate) fn is_near(mark: (f64, f64), middle: (f64, f64), size: (f64, f64)) -> bool {
    (mark.0 - middle.0).abs() < size.0 / 2.0 + 12.0
        && (mark.1 - middle.1).abs() < size.1 / 2.0 + 10.0
}

/// Whether a line crosses a box. Seen in steps of a few pixels, which no box escapes.
pub(crate) fn crosses(
    middle: (f64, f64),
    size: (f64, f64),
    from: (f64, f64),
    to: (f64, f64),
) -> bool {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let steps = ((dx.abs() + dy.abs()) / 8.0).ceil().max(1.0);
    (0..=steps as u32).any(|step| {
        let part = f64::from(step) / steps;
        (from.0 + dx * part - middle.0).abs() < size.0 / 2.0 + 4.0
            && (from.1 + dy * part - middle.1).abs() < size.1 / 2.0 + 4.0
    })
}

/// One pixel to the right of the way from one place to another.
pub(crate) fn normal(from: (f64, f64), to: (f64, f64)) -> (f64, f64) {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = (dx * dx + dy * dy).sqrt().max(1e-9);
    (-dy / length, dx / length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boxes_keep_apart_and_neighbours_near() {
        let edges = [(0, 1), (1, 2), (2, 3), (3, 0), (3, 4)];
        let sizes = [(80.0, 40.0); 6];
        let places = spread(&sizes, &edges, 150.0);
        assert_eq!(places, spread(&sizes, &edges, 150.0));
        for a in 0..places.len() {
            assert!(places[a].0 >= 39.9 && places[a].1 >= 19.9, "{places:?}");
            for b in 0..a {
                let (dx, dy) = (places[a].0 - places[b].0, places[a].1 - places[b].1);
                assert!(dx.abs() > 141.0 || dy.abs() > 101.0, "{places:?}");
            }
        }
        let apart = |a: usize, b: usize| {
            let (dx, dy) = (places[a].0 - places[b].0, places[a].1 - places[b].1);
            (dx * dx + dy * dy).sqrt()
        };
        assert!(edges.iter().all(|&(a, b)| apart(a, b) < 220.0));
        assert!(apart(1, 4) > apart(3, 4));
    }

    #[test]
    fn there_may_be_nothing_to_spread() {
        assert!(spread(&[], &[], 1.0).is_empty());
        assert_eq!(spread(&[(10.0, 6.0)], &[(0, 0)], 1.0), [(5.0, 3.0)]);
    }
}
