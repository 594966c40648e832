//! Finds room for labels: where they cover as little as possible of what is already there.

/// A rectangle in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Area {
    pub(crate) x: f64,
    pub(crate) y: f64,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

impl Area {
    /// The square around a place.
    pub(crate) fn around(x: f64, y: f64, size: f64) -> Area {
        Area {
            x: x - size / 2.0,
            y: y - size / 2.0,
            width: size,
            height: size,
        }
    }

    /// The line from a label to a symbol of this size, if the label is so far off that it might
    /// belong to another.
    pub(crate) fn leader(&self, x: f64, y: f64, size: f64) -> Option<[(f64, f64); 2]> {
        let near = (
            x.clamp(self.x, self.x + self.width),
            y.clamp(self.y, self.y + self.height),
        );
        let (dx, dy) = (near.0 - x, near.1 - y);
        let far = (dx * dx + dy * dy).sqrt();
        let from = (x + dx / far * size * 0.5, y + dy / far * size * 0.5);
        (far > size * 0.5 + FARTHEST_ALONE).then_some([from, near])
    }

    /// With room around it.
    fn padded(&self, by: f64) -> Area {
        Area {
            x: self.x - by,
            y: self.y - by,
            width: self.width + 2.0 * by,
            height: self.height + 2.0 * by,
        }
    }

    fn shared_with(&self, other: &Area) -> f64 {
        let overlap = |a: f64, a_size: f64, b: f64, b_size: f64| {
            ((a + a_size).min(b + b_size) - a.max(b)).max(0.0)
        };
        overlap(self.x, self.width, other.x, other.width)
            * overlap(self.y, self.height, other.y, other.height)
    }
}

/// What is taken, and where labels may be.
pub(crate) struct Labels {
    frame: Area,
    taken: Vec<(Area, f64)>,
}

/// Labels weigh more than symbols, symbols more than lines.
pub(crate) const LABEL: f64 = 6.0;
pub(crate) const SYMBOL: f64 = 4.0;
pub(crate) const LINE: f64 = 1.0;
pub(crate) const FAINT: f64 = 0.25;

/// Pixels from a symbol beyond which its label needs a line to it.
const FARTHEST_ALONE: f64 = 14.0;

/// Pixels between labels: without any, two of them read like one, and the rims cover each other.
const BETWEEN: f64 = 2.0;

/// How far off labels may be, in gaps, and how bad that is. A label that is far away says nothing, or
/// names something else: covering a wall is better than that.
const DISTANCES: [(f64, f64); 4] = [(1.0, 0.0), (1.7, 14.0), (2.6, 70.0), (3.8, 140.0)];

impl Labels {
    pub(crate) fn within(frame: Area) -> Labels {
        Labels {
            frame,
            taken: Vec::new(),
        }
    }

    /// Something is here; covering it is as bad as `weight` says.
    pub(crate) fn take(&mut self, area: Area, weight: f64) {
        self.taken.push((area, weight));
    }

    /// The best place for a label of this size near a place, `gap` pixels off at least. Takes it.
    pub(crate) fn place(&mut self, x: f64, y: f64, width: f64, height: f64, gap: f64) -> Area {
        let mut best = (
            f64::INFINITY,
            Area {
                x,
                y,
                width,
                height,
            },
        );
        for (far, wandered) in DISTANCES {
            let (dx, dy) = (gap * far + width / 2.0, gap * far + height / 2.0);
            // Beside, then above and below, then the corners.
            let places = [
                (dx, 0.0),
                (-dx, 0.0),
                (0.0, -dy),
                (0.0, dy),
                (dx * 0.8, -dy * 0.8),
                (dx * 0.8, dy * 0.8),
                (-dx * 0.8, -dy * 0.8),
                (-dx * 0.8, dy * 0.8),
            ];
            for (order, (dx, dy)) in places.into_iter().enumerate() {
                let area = Area {
                    x: x + dx - width / 2.0,
                    y: y + dy - height / 2.0,
                    width,
                    height,
                };
                let inside = area.shared_with(&self.frame);
                let covered: f64 = self
                    .taken
                    .iter()
                    .map(|(taken, weight)| taken.shared_with(&area) * weight)
                    .sum();
                // Places beside come first where all else is alike.
                let cost = covered + (width * height - inside) * 20.0 + wandered + order as f64;
                if cost < best.0 {
                    best = (cost, area);
                }
            }
        }
        self.take(best.1.padded(BETWEEN), LABEL);
        best.1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_avoid_each_other_and_the_border() {
        let mut labels = Labels::within(Area {
            x: 0.0,
            y: 0.0,
            width: 100.0,
            height: 100.0,
        });
        let first = labels.place(50.0, 50.0, 30.0, 10.0, 5.0);
        let second = labels.place(50.0, 50.0, 30.0, 10.0, 5.0);
        assert_eq!(first.shared_with(&second), 0.0);
        assert_eq!(
            first.padded(1.0).shared_with(&second),
            0.0,
            "there is room between"
        );
        let third = labels.place(98.0, 50.0, 30.0, 10.0, 5.0);
        assert!(third.x + third.width <= 100.0, "{third:?}");
    }

    #[test]
    fn labels_far_off_have_a_line_to_what_they_name() {
        let label = Area {
            x: 60.0,
            y: 45.0,
            width: 30.0,
            height: 10.0,
        };
        assert_eq!(label.leader(45.0, 50.0, 20.0), None);
        let leader = label.leader(20.0, 50.0, 20.0);
        assert_eq!(leader, Some([(30.0, 50.0), (60.0, 50.0)]));
    }
}
