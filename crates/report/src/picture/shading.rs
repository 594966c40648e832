//! Shades cells: estimates from near to far, and where a search has been.

use std::fmt::Write;

use apprentice_world::{Cell, GridMap, Map, Point};

use super::canvas::{Canvas, px};

use super::frame::Frame;
use super::palette;

/// Cells in bands of one shade each.
pub(crate) struct Shading {
    /// For each cell its band; `None` for cells without a shade.
    bands: Vec<Option<usize>>,
    /// The colour of each band.
    pub(crate) colors: Vec<String>,
    pub(crate) scale: Scale,
    /// What it shows.
    pub(crate) caption: String,
    /// Whether there are free cells without a shade, and that means something.
    marks_bare: bool,
}

/// What stands below the colours in the legend.
pub(crate) enum Scale {
    /// The limits between bands, one more than there are bands.
    Limits(Vec<f64>),
    /// The name of each band.
    Names(Vec<&'static str>),
}

/// Enough for contours, few enough to tell apart.
const MOST_BANDS: usize = 16;

impl Shading {
    /// Bands of equal width, with limits that are round numbers.
    pub(crate) fn of_estimates(map: &Map, values: &[f64], caption: String) -> Shading {
        let free = |place: &usize| map.is_walkable(*place) && values[*place].is_finite();
        let finite = (0..values.len()).filter(free);
        let greatest = finite.map(|index| values[index]).fold(0.0, f64::max);
        let step = round_step(greatest / MOST_BANDS as f64);
        let count = (greatest / step).floor() as usize + 1;
        let band = |index: usize| free(&index).then(|| (values[index] / step) as usize);
        Shading {
            bands: (0..values.len()).map(band).collect(),
            colors: (0..count).map(|band| palette::band(band, count)).collect(),
            scale: Scale::Limits((0..=count).map(|band| band as f64 * step).collect()),
            caption,
            marks_bare: (0..values.len())
                .any(|place| map.is_walkable(place) && !values[place].is_finite()),
        }
    }

    /// Each band is four times the one before.
    pub(crate) fn of_footprints(counts: &[u32]) -> Shading {
        let names = vec!["1", "2–7", "8–31", "32–127", "more"];
        let band = |count: &u32| match count {
            0 => None,
            count => Some(
                ((31 - count.leading_zeros()) as usize)
                    .div_ceil(2)
                    .min(names.len() - 1),
            ),
        };
        Shading {
            bands: counts.iter().map(band).collect(),
            colors: palette::FOOTPRINTS.map(str::to_owned).to_vec(),
            scale: Scale::Names(names),
            caption: "how often the search looked at a cell".to_owned(),
            marks_bare: false,
        }
    }

    /// Whether some cells cannot have a value, and are marked.
    pub(crate) fn leaves_out(&self) -> bool {
        self.marks_bare
    }

    /// Whether shades stand for values that are to be read off.
    pub(crate) fn is_exact(&self) -> bool {
        matches!(self.scale, Scale::Limits(_))
    }

    /// Whether a cell has no shade.
    pub(crate) fn is_bare(&self, index: usize) -> bool {
        self.bands[index].is_none()
    }

    /// Squares around footholds, where there is floor.
    pub(crate) fn draw_footholds(&self, canvas: &mut Canvas, map: &Map, frame: &Frame) {
        let half = map.spacing() / 2.0;
        canvas.group("clip-path=\"url(#floor)\"");
        let bare = (0..map.places()).filter(|place| self.marks_bare && self.is_bare(*place));
        let bands = self.colors.iter().enumerate().map(|(band, color)| {
            let places = (0..map.places()).filter(move |place| self.bands[*place] == Some(band));
            (places.collect::<Vec<usize>>(), color.as_str())
        });
        let bands: Vec<(String, &str)> = bands
            .chain([(bare.collect(), "url(#no-way)")])
            .map(|(places, color)| (squares(map, frame, &places), color))
            .collect();
        // Between the last foothold and the wall there is floor too: first everything a little
        // wider, then as it is.
        let rim = 2.0 * half * frame.cell;
        for (data, color) in bands.iter().take(self.colors.len()) {
            let width = px(rim);
            canvas.path(
                data,
                &format!("fill=\"none\" stroke=\"{color}\" stroke-width=\"{width}\""),
            );
        }
        for (data, color) in &bands {
            let look = format!("fill=\"{color}\" shape-rendering=\"crispEdges\"");
            canvas.path(data, &look);
        }
        canvas.end_group();
    }

    pub(crate) fn draw(&self, canvas: &mut Canvas, grid: &GridMap, frame: &Frame) {
        for (band, color) in self.colors.iter().enumerate() {
            let cells = merged(grid, frame, |cell| {
                self.bands[grid.index(cell)] == Some(band)
            });
            canvas.path(
                &cells,
                &format!("fill=\"{color}\" shape-rendering=\"crispEdges\""),
            );
        }
    }
}

/// Squares around footholds as one path. Footholds side by side have consecutive numbers and become
/// one rectangle.
fn squares(map: &Map, frame: &Frame, places: &[usize]) -> String {
    let half = map.spacing() / 2.0;
    let is_next = |a: &usize, b: &usize| {
        let (from, to) = (map.point_of(*a), map.point_of(*b));
        *b == *a + 1 && from.y == to.y && (to.x - from.x - 2.0 * half).abs() < 1e-6
    };
    let mut data = String::new();
    for run in places.chunk_by(is_next) {
        let (first, last) = (map.point_of(run[0]), map.point_of(run[run.len() - 1]));
        let (left, top) = frame.place(Point::new(first.x - half, first.y - half));
        let (right, bottom) = frame.place(Point::new(last.x + half, last.y + half));
        let (left, top) = (px(left), px(top));
        let _ = write!(data, "M{left} {top}H{}V{}H{left}Z", px(right), px(bottom));
    }
    data
}

/// The least of 0.5, 1, 2, 5, 10, … that is at least this.
fn round_step(least: f64) -> f64 {
    let mut power = 0.1;
    loop {
        for factor in [1.0, 2.0, 5.0] {
            let step = power * factor;
            if step >= least {
                return step;
            }
        }
        power *= 10.0;
    }
}

/// The cells that are wanted as one path of few, large rectangles: runs in a row, joined with equal
/// runs in the rows below.
pub(crate) fn merged(grid: &GridMap, frame: &Frame, is_wanted: impl Fn(Cell) -> bool) -> String {
    let mut data = String::new();
    let mut open: Vec<Run> = Vec::new();
    for y in 0..=grid.height() {
        let mut runs = if y < grid.height() {
            runs(grid, y, &is_wanted)
        } else {
            Vec::new()
        };
        open.retain(|run| {
            let continued = runs
                .iter()
                .position(|below| (below.from, below.to) == (run.from, run.to));
            if let Some(place) = continued {
                runs[place].top = run.top;
                return false;
            }
            let (left, top) = frame.corner(run.from, run.top);
            let (right, bottom) = frame.corner(run.to, y);
            let _ = write!(
                data,
                "M{} {}H{}V{}H{}Z",
                px(left),
                px(top),
                px(right),
                px(bottom),
                px(left)
            );
            false
        });
        open = runs;
    }
    data
}

/// Cells side by side, from the row it began in.
#[derive(Clone, Copy)]
struct Run {
    from: u16,
    /// One past the last.
    to: u16,
    top: u16,
}

fn runs(grid: &GridMap, y: u16, is_wanted: &impl Fn(Cell) -> bool) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for x in (0..grid.width()).filter(|x| is_wanted(Cell::new(*x, y))) {
        match runs.last_mut() {
            Some(run) if run.to == x => run.to = x + 1,
            _ => runs.push(Run {
                from: x,
                to: x + 1,
                top: y,
            }),
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_runs_become_one_rectangle() {
        let grid = GridMap::from_rows(&["##.", "##.", "#.#"]).unwrap();
        let frame = Frame {
            left: 0.0,
            top: 0.0,
            cell: 10.0,
            first: Point::new(-0.5, -0.5),
            last: Point::new(2.5, 2.5),
        };
        let data = merged(&grid, &frame, |cell| !grid.is_free(cell));
        assert_eq!(data, "M0 0H20V20H0ZM0 20H10V30H0ZM20 20H30V30H20Z");
    }

    #[test]
    fn bands_have_round_limits() {
        for (least, step) in [(0.01, 0.1), (0.3, 0.5), (3.2, 5.0), (51.0, 100.0)] {
            assert!((round_step(least) - step).abs() < 1e-9, "{least}");
        }
    }

    #[test]
    fn footprints_are_shaded_in_steps_of_four() {
        let shading = Shading::of_footprints(&[0, 1, 2, 7, 8, 31, 32, 1_000_000]);
        let bands = [
            None,
            Some(0),
            Some(1),
            Some(1),
            Some(2),
            Some(2),
            Some(3),
            Some(4),
        ];
        assert_eq!(shading.bands, bands);
    }
}
