//! A navmesh as it looks from above: floor, rock, ledges and links.

use std::fmt::Write;

use apprentice_world::{NavMesh, Point};

use super::canvas::{Canvas, px};
use super::frame::Frame;
use super::palette::{FLOOR, INK, floor_shade};

/// The floor, also as what shades are clipped to.
pub(crate) fn draw_floor(canvas: &mut Canvas, mesh: &NavMesh, frame: &Frame) {
    let outlines: Vec<String> = (0..mesh.polygons())
        .map(|polygon| outline(mesh, frame, polygon))
        .collect();
    canvas.raw(&format!(
        "<defs><clipPath id=\"floor\"><path d=\"{}\"/></clipPath></defs>",
        outlines.concat()
    ));
    let Some((lowest, highest)) = heights(mesh) else {
        draw_part(canvas, &outlines.concat(), FLOOR);
        return;
    };
    // From below, so that a bridge covers what is under it.
    let mut floors: Vec<(f64, usize)> = (0..mesh.polygons())
        .map(|polygon| (middle_height(mesh, polygon), polygon))
        .collect();
    floors.sort_by(|a, b| a.0.total_cmp(&b.0));
    let shade = |height: f64| floor_shade((height - lowest) / (highest - lowest));
    for same in floors.chunk_by(|a, b| shade(a.0) == shade(b.0)) {
        let data: String = same.iter().map(|(_, it)| outlines[*it].as_str()).collect();
        draw_part(canvas, &data, &shade(same[0].0));
    }
}

/// A polygon's outline on the paper.
fn outline(mesh: &NavMesh, frame: &Frame, polygon: usize) -> String {
    let mut data = String::new();
    for (number, [x, y, _]) in mesh.polygon(polygon).enumerate() {
        let (x, y) = frame.place(Point::new(x, y));
        let letter = if number == 0 { 'M' } else { 'L' };
        let _ = write!(data, "{letter}{} {}", px(x), px(y));
    }
    data.push('Z');
    data
}

fn draw_part(canvas: &mut Canvas, data: &str, color: &str) {
    // A thin rim in the same colour closes the seams between polygons.
    canvas.path(
        data,
        &format!("fill=\"{color}\" stroke=\"{color}\" stroke-width=\"0.8\""),
    );
}

/// The lowest and the highest point of a mesh, if it has floors or slopes worth telling apart.
pub(crate) fn heights(mesh: &NavMesh) -> Option<(f64, f64)> {
    let all = (0..mesh.polygons()).flat_map(|polygon| mesh.polygon(polygon));
    let range =
        |(lowest, highest): (f64, f64), [_, _, z]: [f64; 3]| (lowest.min(z), highest.max(z));
    let (lowest, highest) = all.fold((f64::INFINITY, f64::NEG_INFINITY), range);
    (highest - lowest > 1.0).then_some((lowest, highest))
}

fn middle_height(mesh: &NavMesh, polygon: usize) -> f64 {
    let heights: Vec<f64> = mesh.polygon(polygon).map(|[_, _, z]| z).collect();
    heights.iter().sum::<f64>() / heights.len() as f64
}

/// Floors as the legend shows them, from below.
pub(crate) fn floor_sample(canvas: &mut Canvas, x: f64, y: f64) {
    let edge = format!("stroke=\"{INK}\" stroke-width=\"0.7\"");
    for (number, part) in [0.0, 0.5, 1.0].into_iter().enumerate() {
        let left = x - 15.0 + 10.0 * number as f64;
        let fill = format!("fill=\"{}\" {edge}", floor_shade(part));
        canvas.rect(left, y - 5.0, 10.0, 10.0, &fill);
    }
}

/// Walls as lines, ledges with teeth on their lower side, links as dotted arcs.
pub(crate) fn draw_edges(canvas: &mut Canvas, mesh: &NavMesh, frame: &Frame) {
    let mut walls = String::new();
    for (from, to) in mesh.walls() {
        let ((x, y), (to_x, to_y)) = (frame.place(from), frame.place(to));
        let _ = write!(walls, "M{} {}L{} {}", px(x), px(y), px(to_x), px(to_y));
    }
    let look = "fill=\"none\" stroke-linecap=\"round\"";
    canvas.path(
        &walls,
        &format!("{look} stroke=\"{INK}\" stroke-width=\"1.4\""),
    );
    for ledge in mesh.ledges() {
        canvas.path(
            &teeth(frame.place(ledge.from), frame.place(ledge.to)),
            &format!("{} clip-path=\"url(#floor)\"", ledge_look()),
        );
    }
    for link in mesh.links() {
        let ((x, y), (to_x, to_y)) = (frame.place(link.from.point()), frame.place(link.to.point()));
        // Bent a little to one side, so that it is not taken for a wall.
        let (bend_x, bend_y) = (
            (x + to_x) / 2.0 + (to_y - y) * 0.2,
            (y + to_y) / 2.0 - (to_x - x) * 0.2,
        );
        let arc = format!(
            "M{} {}Q{} {} {} {}",
            px(x),
            px(y),
            px(bend_x),
            px(bend_y),
            px(to_x),
            px(to_y)
        );
        canvas.path(&arc, &link_look());
        let ends = [Some((to_x, to_y)), link.both_ways.then_some((x, y))];
        for (x, y) in ends.into_iter().flatten() {
            canvas.circle(x, y, 3.0, &format!("fill=\"{LINK}\""));
        }
    }
}

/// The colour of links.
const LINK: &str = "#0b6e7c";
/// Pixels between two teeth of a ledge, and how long they are.
const TOOTH: f64 = 6.0;

/// A ledge as the legend shows it.
pub(crate) fn ledge_sample(canvas: &mut Canvas, x: f64, y: f64) {
    let line = teeth((x - 15.0, y - 3.0), (x + 15.0, y - 3.0));
    canvas.path(&line, &ledge_look());
}

/// A link as the legend shows it.
pub(crate) fn link_sample(canvas: &mut Canvas, x: f64, y: f64) {
    canvas.path(&format!("M{} {}h30", px(x - 15.0), px(y)), &link_look());
    canvas.circle(x + 15.0, y, 3.0, &format!("fill=\"{LINK}\""));
}

fn ledge_look() -> String {
    format!("fill=\"none\" stroke-linecap=\"round\" stroke=\"{INK}\" stroke-width=\"1.3\"")
}

fn link_look() -> String {
    format!(
        "fill=\"none\" stroke-linecap=\"round\" stroke=\"{LINK}\" stroke-width=\"2.2\" stroke-dasharray=\"1 4.5\""
    )
}

/// A line with teeth that point to where one falls, between two points of the paper.
fn teeth(from: (f64, f64), to: (f64, f64)) -> String {
    let (x, y) = (to.0 - from.0, to.1 - from.1);
    let length = (x * x + y * y).sqrt();
    if length < 1.0 {
        return String::new();
    }
    let (x, y) = (x / length, y / length);
    let mut data = format!("M{} {}L{} {}", px(from.0), px(from.1), px(to.0), px(to.1));
    let count = (length / TOOTH) as u32;
    for number in 0..count {
        let along = (f64::from(number) + 0.5) * TOOTH;
        let (at_x, at_y) = (from.0 + x * along, from.1 + y * along);
        // To the right of whoever looks along the ledge.
        let _ = write!(
            data,
            "M{} {}L{} {}",
            px(at_x),
            px(at_y),
            px(at_x - y * TOOTH),
            px(at_y + x * TOOTH)
        );
    }
    data
}
