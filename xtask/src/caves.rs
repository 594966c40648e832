//! Carves the caves of the shipped scenarios out of the rock: `cargo xtask caves` writes their
//! meshes, the same on every machine.

mod mesh;

use mesh::Mesh;

/// A cave: chambers along tunnels, in metres, and the seed of its rough walls.
struct Cave {
    name: &'static str,
    seed: u64,
    /// Chains of chambers: x to the east, y to the south, radius. Tunnels join those that follow
    /// each other, as wide as the chambers at their ends.
    tunnels: &'static [&'static [[f64; 3]]],
    /// How far walls bulge in and out.
    roughness: f64,
    /// Metres between the points at which the rock is measured.
    step: f64,
}

const CAVES: [Cave; 3] = [
    // Half a kilometre in three bends, with a wide hall at its end where the bear lives.
    Cave {
        name: "grotto",
        seed: 1,
        tunnels: &[
            &[
                [12.0, 14.0, 6.0],
                [34.0, 18.0, 4.5],
                [58.0, 11.0, 5.5],
                [84.0, 18.0, 4.0],
                [108.0, 12.0, 7.0],
                [134.0, 17.0, 4.5],
                [158.0, 14.0, 6.0],
                [168.0, 32.0, 4.5],
                [150.0, 46.0, 5.0],
                [124.0, 42.0, 6.5],
                [98.0, 49.0, 4.0],
                [72.0, 43.0, 5.5],
                [46.0, 49.0, 4.5],
                [20.0, 45.0, 6.0],
                [11.0, 62.0, 4.5],
                [22.0, 78.0, 5.5],
                [48.0, 76.0, 4.0],
                [74.0, 82.0, 6.0],
                [100.0, 75.0, 4.5],
                [122.0, 80.0, 6.0],
                [146.0, 80.0, 13.0],
                [166.0, 84.0, 5.0],
            ],
            // Pockets and blind alleys.
            &[[84.0, 18.0, 3.0], [88.0, 29.0, 3.5]],
            &[[134.0, 17.0, 3.0], [136.0, 28.0, 3.0]],
            &[[98.0, 49.0, 3.0], [94.0, 61.0, 3.5]],
            &[[46.0, 49.0, 3.0], [48.0, 61.0, 3.0], [58.0, 64.0, 3.5]],
            &[[100.0, 75.0, 3.0], [104.0, 64.0, 3.5]],
        ],
        roughness: 1.6,
        step: 2.0,
    },
    // The short way north leads past a den in the east, the long one through the west.
    Cave {
        name: "cave_left",
        seed: 7,
        tunnels: &[
            &[
                [62.0, 66.0, 5.0],
                [66.0, 54.0, 3.5],
                [64.0, 44.0, 4.0],
                [66.0, 34.0, 9.0],
                [63.0, 25.0, 4.0],
                [60.0, 18.0, 4.5],
            ],
            // The den.
            &[[66.0, 34.0, 7.0], [74.0, 34.0, 5.0]],
            &[
                [62.0, 66.0, 2.4],
                [48.0, 58.0, 1.9],
                [36.0, 47.0, 1.9],
                [24.0, 38.0, 1.9],
                [16.0, 26.0, 1.9],
                [18.0, 14.0, 1.9],
                [30.0, 7.0, 1.9],
                [45.0, 12.0, 1.9],
                [60.0, 18.0, 2.4],
            ],
            // Blind alleys.
            &[[36.0, 47.0, 1.8], [28.0, 55.0, 2.6]],
            &[[24.0, 38.0, 1.8], [34.0, 31.0, 2.6]],
        ],
        roughness: 0.6,
        step: 1.25,
    },
    // The straight way leads through the bear's hall, the other past the wolves in the south.
    Cave {
        name: "coop_cave",
        seed: 11,
        tunnels: &[
            &[
                [7.0, 14.0, 4.5],
                [16.0, 13.0, 3.0],
                [27.0, 13.0, 2.6],
                [38.0, 12.0, 3.0],
                [48.0, 14.0, 4.5],
            ],
            &[
                [7.0, 14.0, 3.0],
                [8.0, 25.0, 2.8],
                [18.0, 32.0, 4.8],
                [28.0, 33.0, 2.8],
                [38.0, 31.0, 4.8],
                [46.0, 25.0, 2.8],
                [48.0, 14.0, 3.0],
            ],
            &[[28.0, 33.0, 2.0], [29.0, 26.0, 2.5]],
        ],
        roughness: 0.8,
        step: 1.5,
    },
];

/// The files of all caves: name and text.
pub(crate) fn carve() -> Vec<(String, String)> {
    CAVES
        .iter()
        .map(|cave| (format!("{}.mesh", cave.name), Mesh::of(cave).to_string()))
        .collect()
}

impl Cave {
    /// How deep a point is inside the cave; negative in the rock.
    fn depth(&self, x: f64, y: f64) -> f64 {
        let mut depth = f64::NEG_INFINITY;
        for tunnel in self.tunnels {
            for pair in tunnel.windows(2) {
                let ([x0, y0, r0], [x1, y1, r1]) = (pair[0], pair[1]);
                let (dx, dy) = (x1 - x0, y1 - y0);
                let part = ((x - x0) * dx + (y - y0) * dy) / (dx * dx + dy * dy);
                let part = part.clamp(0.0, 1.0);
                let (off_x, off_y) = (x - x0 - dx * part, y - y0 - dy * part);
                let distance = (off_x * off_x + off_y * off_y).sqrt();
                // Chambers stand out from the tunnels between them.
                let bulge = 2.0 * (part - 0.5).abs();
                let radius = r0 + (r1 - r0) * part;
                let narrow = radius.min(r0.min(r1)).max(0.7 * radius);
                depth = f64::max(depth, narrow + (radius - narrow) * bulge * bulge - distance);
            }
            for [x0, y0, radius] in *tunnel {
                let distance = ((x - x0) * (x - x0) + (y - y0) * (y - y0)).sqrt();
                depth = depth.max(radius - distance);
            }
        }
        depth + self.roughness * (self.noise(x / 7.0, y / 7.0) + 0.5 * self.noise(x / 3.1, y / 3.1))
    }

    /// Smooth noise between -1 and 1, by value at whole coordinates.
    fn noise(&self, x: f64, y: f64) -> f64 {
        let (left, top) = (x.floor(), y.floor());
        let ease = |part: f64| part * part * (3.0 - 2.0 * part);
        let (across, down) = (ease(x - left), ease(y - top));
        let corner = |dx: f64, dy: f64| {
            let (x, y) = ((left + dx) as i64, (top + dy) as i64);
            let mut hash = self.seed ^ 0x9E37_79B9_7F4A_7C15;
            for number in [x, y] {
                hash = (hash ^ number as u64).wrapping_mul(0xBF58_476D_1CE4_E5B9);
                hash ^= hash >> 29;
            }
            (hash >> 11) as f64 / (1u64 << 52) as f64 - 1.0
        };
        let upper = corner(0.0, 0.0) + (corner(1.0, 0.0) - corner(0.0, 0.0)) * across;
        let lower = corner(0.0, 1.0) + (corner(1.0, 1.0) - corner(0.0, 1.0)) * across;
        upper + (lower - upper) * down
    }

    /// The least and the greatest coordinates it can reach.
    fn bounds(&self) -> [[f64; 2]; 2] {
        let mut bounds = [[f64::INFINITY; 2], [f64::NEG_INFINITY; 2]];
        for [x, y, radius] in self.tunnels.iter().flat_map(|tunnel| tunnel.iter()) {
            let rim = radius + 2.0 * self.roughness + 2.0;
            bounds[0] = [bounds[0][0].min(x - rim), bounds[0][1].min(y - rim)];
            bounds[1] = [bounds[1][0].max(x + rim), bounds[1][1].max(y + rim)];
        }
        bounds
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shipped_caves_are_what_the_generator_makes() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../scenarios");
        for (name, text) in carve() {
            let shipped = std::fs::read_to_string(folder.join(&name)).unwrap_or_default();
            assert!(shipped == text, "{name} differs; run `cargo xtask caves`");
        }
    }
}
