//! Draws a SimpleFPS problem and a plan for it: areas as boxes with what is in them, the doors
//! between them, and the way of the character with the numbers of its steps.

use std::collections::BTreeMap;

use apprentice_htn::model::{TypeId, ValueType};
use apprentice_htn::{LoadedDomain, LoadedState, LoadedTask};

use super::canvas::{Anchor, Canvas, Font, px};
use super::spread::{crosses, is_near, leave, normal, spread};
use super::{palette, symbols};

/// More areas than this would not fit on any screen.
const MOST_AREAS: usize = 120;

/// How far apart neighbours are drawn.
const LENGTH: f64 = 235.0;

const MARGIN: f64 = 24.0;
/// Where the titles end.
const TOP: f64 = 84.0;
const LINE: f64 = 16.0;
/// The size of a door.
const MARK: (f64, f64) = (16.0, 14.0);
const PADDING: f64 = 9.0;
const PANEL_WIDTH: f64 = 290.0;

const NAME: Font = Font::PLAIN.bold();
const ENTRY: Font = Font::PLAIN.sized(11.5);

/// What there is to see of a problem.
pub struct AreaMap {
    title: String,
    areas: Vec<Area>,
    doors: Vec<Door>,
    steps: Vec<Shown>,
    start: usize,
}

struct Area {
    name: String,
    is_lighted: bool,
    things: Vec<Thing>,
    /// The steps that are taken in it.
    steps: Vec<usize>,
}

struct Thing {
    name: String,
    kind: String,
    notes: Vec<&'static str>,
    /// The doors it opens, if it is a key.
    opens: Vec<usize>,
    /// The steps that name it.
    steps: Vec<usize>,
}

struct Door {
    name: String,
    between: (usize, usize),
    is_open: bool,
    /// Whether a key opens it.
    has_key: bool,
    /// The steps that go through it, or open it.
    steps: Vec<usize>,
    opened_by: Option<usize>,
}

/// A step of the plan, in words.
struct Shown {
    text: String,
    /// From where to where it goes, and through which door.
    way: Option<(usize, usize, usize)>,
}

/// Words that a domain must have to be drawn: functions with the types of their arguments.
const FUNCTIONS: [(&str, &[&str]); 4] = [
    ("npc_at", &[]),
    ("present", &["Poi", "Area"]),
    ("connected", &["Area", "Area", "Waypoint"]),
    ("open", &["Waypoint"]),
];

/// What of a domain's own words is missing for a picture.
fn missing(domain: &LoadedDomain) -> Option<String> {
    let model = domain.model();
    let is_a = |ty: ValueType, name: &str| {
        ty.object()
            .is_some_and(|ty| model.types[ty as usize].name == name)
    };
    for (name, params) in FUNCTIONS {
        let found = model.functions.iter().any(|function| {
            let types = function.params.iter().zip(params);
            function.name == name
                && function.params.len() == params.len()
                && types.into_iter().all(|(ty, name)| is_a(*ty, name))
        });
        if !found {
            let params = params.join(", ");
            return Some(format!("`{name}({params})`"));
        }
    }
    let goes = model.task("GoThrough").is_some_and(|task| {
        let params = &model.tasks[task as usize].params;
        params.len() == 2 && is_a(params[0].ty, "Area") && is_a(params[1].ty, "Waypoint")
    });
    (!goes).then(|| "`task GoThrough(Area, Waypoint)`".to_owned())
}

impl AreaMap {
    /// Looks at a problem as it is at the start, and at the steps of a plan, if there is one.
    pub fn new<'a>(
        domain: &'a LoadedDomain,
        steps: impl Iterator<Item = &'a LoadedTask>,
    ) -> Result<AreaMap, String> {
        if let Some(word) = missing(domain) {
            return Err(format!(
                "only domains with the words of SimpleFPS can be drawn, and {word} is missing; \
                 leave out `--svg`, or see `domains/simplefps.htn`"
            ));
        }
        let state = domain.initial_state();
        let areas: Vec<Area> = of_type(domain, "Area")
            .into_iter()
            .map(|name| Area {
                is_lighted: is_true(domain, &state, "lighted", &[&name]),
                things: Vec::new(),
                steps: Vec::new(),
                name,
            })
            .collect();
        if areas.is_empty() || areas.len() > MOST_AREAS {
            return Err(format!(
                "between 1 and {MOST_AREAS} areas can be drawn, and there are {}; leave out `--svg`",
                areas.len()
            ));
        }
        let start = domain.read(&state, "npc_at", &[]).unwrap_or_default();
        let start = areas.iter().position(|area| area.name == start);
        let mut map = AreaMap {
            title: domain.model().problem.clone().unwrap_or_default(),
            start: start.unwrap_or(0),
            areas,
            doors: Vec::new(),
            steps: Vec::new(),
        };
        map.find_doors(domain, &state);
        map.find_things(domain, &state);
        map.follow(domain, steps);
        Ok(map)
    }

    fn find_doors(&mut self, domain: &LoadedDomain, state: &LoadedState) {
        let keys = of_type(domain, "Keycard");
        for name in of_type(domain, "Waypoint") {
            let sides: Vec<usize> = (0..self.areas.len())
                .filter(|at| is_true(domain, state, "present", &[&name, &self.areas[*at].name]))
                .collect();
            for (at, &a) in sides.iter().enumerate() {
                for &b in &sides[at + 1..] {
                    let [x, y] = [a, b].map(|side| self.areas[side].name.as_str());
                    let is_way = |x, y| is_true(domain, state, "connected", &[x, y, &name]);
                    if is_way(x, y) || is_way(y, x) {
                        let is_key =
                            |key: &String| is_true(domain, state, "unlocks", &[key, &name]);
                        self.doors.push(Door {
                            is_open: is_true(domain, state, "open", &[&name]),
                            has_key: keys.iter().any(is_key),
                            between: (a, b),
                            steps: Vec::new(),
                            opened_by: None,
                            name: name.clone(),
                        });
                    }
                }
            }
        }
    }

    fn find_things(&mut self, domain: &LoadedDomain, state: &LoadedState) {
        let model = domain.model();
        for name in of_type(domain, "Poi") {
            let object = model.objects.iter().find(|object| object.name == name);
            let Some(kind) = object.map(|object| model.types[object.ty as usize].name.clone())
            else {
                continue;
            };
            if kind == "Waypoint" {
                continue;
            }
            let notes = [("loaded", "loaded"), ("nightvision", "night vision")]
                .into_iter()
                .filter(|(function, _)| is_true(domain, state, function, &[&name]))
                .map(|(_, note)| note)
                .collect::<Vec<_>>();
            let is_opened = |door: &Door| is_true(domain, state, "unlocks", &[&name, &door.name]);
            let opens: Vec<usize> = (0..self.doors.len())
                .filter(|door| kind == "Keycard" && is_opened(&self.doors[*door]))
                .collect();
            for area in &mut self.areas {
                if is_true(domain, state, "present", &[&name, &area.name]) {
                    area.things.push(Thing {
                        name: name.clone(),
                        kind: kind.clone(),
                        notes: notes.clone(),
                        opens: opens.clone(),
                        steps: Vec::new(),
                    });
                }
            }
        }
    }

    /// Notes where every step is taken and what it is about.
    fn follow<'a>(&mut self, domain: &LoadedDomain, steps: impl Iterator<Item = &'a LoadedTask>) {
        let mut at = self.start;
        for (number, task) in (1..).zip(steps) {
            let words = domain.words(task);
            for word in &words[1..] {
                for thing in self.areas.iter_mut().flat_map(|area| &mut area.things) {
                    if thing.name == *word {
                        thing.steps.push(number);
                    }
                }
            }
            let mut way = None;
            if words[0] == "OpenWaypoint" || words[0] == "GoThrough" {
                let to = self
                    .areas
                    .iter()
                    .position(|area| words.contains(&area.name));
                let door = self.doors.iter_mut().enumerate().find(|(_, door)| {
                    let (a, b) = door.between;
                    words.contains(&door.name)
                        && to.is_none_or(|to| (a, b) == (at, to) || (b, a) == (at, to))
                });
                if let Some((index, door)) = door {
                    door.steps.push(number);
                    match to {
                        Some(to) => way = Some((at, to, index)),
                        None => door.opened_by = Some(number),
                    }
                }
                at = to.unwrap_or(at);
            }
            if way.is_none() {
                self.areas[at].steps.push(number);
            }
            self.steps.push(Shown {
                text: domain.show(task),
                way,
            });
        }
    }

    /// The picture as SVG text. `subtitle` says what came of the planning.
    pub fn draw(&self, subtitle: &str) -> String {
        let mut canvas = Canvas::default();
        let title = Font::PLAIN.sized(20.0).bold();
        canvas.text(MARGIN, 38.0, &self.title, Anchor::Start, title);
        let font = Font::PLAIN.sized(13.5);
        canvas.text(MARGIN, 58.0, subtitle, Anchor::Start, font);
        let contents: Vec<Vec<Entry>> = self.areas.iter().map(|area| self.entries(area)).collect();
        let sizes: Vec<(f64, f64)> = self
            .areas
            .iter()
            .zip(&contents)
            .map(|(area, entries)| size(area, entries))
            .collect();
        let edges: Vec<(usize, usize)> = self.doors.iter().map(|door| door.between).collect();
        let mut places = spread(&sizes, &edges, LENGTH);
        let (mut width, mut height) = (0.0_f64, 0.0_f64);
        for (place, size) in places.iter_mut().zip(&sizes) {
            *place = (place.0 + MARGIN, place.1 + TOP);
            width = width.max(place.0 + size.0 / 2.0);
            height = height.max(place.1 + size.1 / 2.0);
        }
        let marks = self.draw_ways(&mut canvas, &places, &sizes);
        for mark in &marks {
            // With room for the numbers beside it.
            width = width.max(mark.0 + 60.0);
            height = height.max(mark.1 + 10.0);
        }
        width = width.max(420.0) + 30.0;
        for (area, entries) in contents.iter().enumerate() {
            self.draw_area(&mut canvas, area, entries, places[area], sizes[area]);
        }
        for (door, at) in marks.iter().enumerate() {
            self.draw_door(&mut canvas, door, *at, &places, &sizes);
        }
        let bottom = self.draw_panel(&mut canvas, width);
        let height = height.max(bottom) + MARGIN;
        let told: Vec<String> = (1..)
            .zip(&self.steps)
            .map(|(number, step)| format!("{number} {}", step.text))
            .collect();
        let description = format!("{subtitle}. {}", told.join("; "));
        canvas.finish(width + PANEL_WIDTH, height, &self.title, &description)
    }

    /// What is written in the box of an area: what the plan is about by name, all else by number.
    fn entries(&self, area: &Area) -> Vec<Entry> {
        let mut entries = Vec::new();
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for thing in &area.things {
            let color = self.color_of_key(thing);
            if thing.steps.is_empty() && color.is_none() && thing.kind != "Player" {
                *counts.entry(&thing.kind).or_default() += 1;
                continue;
            }
            let notes = match thing.notes.is_empty() {
                true => String::new(),
                false => format!(" ({})", thing.notes.join(", ")),
            };
            entries.push(Entry {
                text: format!("{}{notes}", thing.name),
                color,
                is_player: thing.kind == "Player",
                steps: spans(&thing.steps),
            });
        }
        for (kind, count) in counts {
            let kind = match kind {
                "ControlBox" => "light switch",
                "CoverPoint" => "cover",
                "Medikit" => "medikit",
                "Knife" => "knife",
                "Gun" => "gun",
                "Ammo" => "ammunition",
                "Keycard" => "key that opens nothing",
                other => other,
            };
            entries.push(Entry {
                text: match count {
                    1 => kind.to_owned(),
                    count => format!("{kind} ×{count}"),
                },
                color: None,
                is_player: false,
                steps: String::new(),
            });
        }
        entries
    }

    /// Keys and the doors they open have one colour.
    fn color_of_key(&self, thing: &Thing) -> Option<&'static str> {
        thing.opens.first().map(|door| self.color_of_door(*door))
    }

    fn color_of_door(&self, door: usize) -> &'static str {
        let locked = |door: &Door| door.has_key;
        if !locked(&self.doors[door]) {
            return palette::PLAIN_DOOR;
        }
        let before = self.doors[..door]
            .iter()
            .filter(|door| locked(door))
            .count();
        palette::KEYS[before % palette::KEYS.len()]
    }

    /// The lines between areas and the way along them. Returns where the doors are.
    fn draw_ways(
        &self,
        canvas: &mut Canvas,
        places: &[(f64, f64)],
        sizes: &[(f64, f64)],
    ) -> Vec<(f64, f64)> {
        let mut marks: Vec<(f64, f64)> = Vec::new();
        let mut lines: Vec<[(f64, f64); 3]> = Vec::new();
        for door in &self.doors {
            let (a, b) = door.between;
            let from = leave(places[a], sizes[a], places[b]);
            let to = leave(places[b], sizes[b], places[a]);
            // Doors stand beside each other, and lines go round areas that are in their way.
            let (nx, ny) = normal(places[a], places[b]);
            let marks_at = (0..40).map(|step: i32| {
                let aside = f64::from((step + 1) / 2 * (1 - step % 2 * 2)) * 22.0;
                let middle = ((from.0 + to.0) / 2.0, (from.1 + to.1) / 2.0);
                (middle.0 + nx * aside, middle.1 + ny * aside)
            });
            let in_the_way = |mark: (f64, f64)| {
                let boxes = (0..places.len()).filter(|area| {
                    let crosses = |end| crosses(places[*area], sizes[*area], mark, places[end]);
                    is_near(mark, places[*area], sizes[*area])
                        || (*area != a && *area != b && (crosses(a) || crosses(b)))
                });
                let size = (34.0, 8.0);
                let doors = marks.iter().filter(|other| {
                    let crosses = |end| crosses(**other, MARK, mark, places[end]);
                    is_near(mark, **other, size) || crosses(a) || crosses(b)
                });
                // A door on the line of another would seem to be on the way through that.
                let lines = lines.iter().filter(|line| {
                    let mut pieces = line.windows(2);
                    pieces.any(|piece| crosses(mark, MARK, piece[0], piece[1]))
                });
                let is_outside = mark.0 < MARGIN || mark.1 < TOP;
                boxes.count() + doors.count() + lines.count() + usize::from(is_outside)
            };
            // The first is the best where nothing is in the way, and mostly that is soon found.
            let free = marks_at.clone().find(|mark| in_the_way(*mark) == 0);
            let mark = free.or_else(|| marks_at.min_by_key(|mark| in_the_way(*mark)));
            let mark = mark.unwrap_or(places[a]);
            let look = format!("stroke=\"{}\" stroke-width=\"2.5\"", palette::METAL);
            let dashes = match door.is_open {
                true => "",
                false => " stroke-dasharray=\"5 4\"",
            };
            canvas.line(&[places[a], mark, places[b]], &format!("{look}{dashes}"));
            marks.push(mark);
            lines.push([places[a], mark, places[b]]);
        }
        let mut passed: BTreeMap<usize, usize> = BTreeMap::new();
        for step in &self.steps {
            let Some((a, b, door)) = step.way else {
                continue;
            };
            let times = passed.entry(door).or_default();
            *times += 1;
            // Every passage keeps to the right, and the next ones further out.
            let (nx, ny) = normal(places[a], places[b]);
            let aside = 4.0 + 5.0 * ((*times - 1) / 2) as f64;
            let shift = |place: (f64, f64)| (place.0 + nx * aside, place.1 + ny * aside);
            let from = shift(leave(places[a], sizes[a], marks[door]));
            let to = shift(leave(places[b], sizes[b], marks[door]));
            let look = format!(
                "stroke=\"{}\" stroke-width=\"2.6\" stroke-linecap=\"round\"",
                palette::PLAN
            );
            canvas.line(&[from, shift(marks[door]), to], &look);
            arrow(canvas, shift(marks[door]), to);
        }
        marks
    }

    fn draw_area(
        &self,
        canvas: &mut Canvas,
        index: usize,
        entries: &[Entry],
        place: (f64, f64),
        size: (f64, f64),
    ) {
        let area = &self.areas[index];
        let (left, top) = (place.0 - size.0 / 2.0, place.1 - size.1 / 2.0);
        let (fill, ink) = match area.is_lighted {
            true => ("#fff6cf", palette::INK),
            false => ("#e4e4ea", palette::INK),
        };
        let (stroke, weight) = match area.steps.is_empty() && index != self.start {
            true => (palette::FAINT_INK, 1.2),
            false => (palette::PLAN, 2.4),
        };
        canvas.rect(
            left,
            top,
            size.0,
            size.1,
            &format!(
                "rx=\"8\" fill=\"{fill}\" stroke=\"{stroke}\" stroke-width=\"{}\"",
                px(weight)
            ),
        );
        let mut y = top + PADDING + 11.0;
        let mut x = left + PADDING;
        if index == self.start {
            symbols::start(canvas, x + 6.0, y - 4.5, 16.0);
            x += 17.0;
        }
        let name = Font { color: ink, ..NAME };
        canvas.text(x, y, &area.name, Anchor::Start, name);
        let numbers = spans(&area.steps);
        if !numbers.is_empty() {
            let middle = left + size.0 - PADDING - symbols::number_width(&numbers) / 2.0;
            symbols::number(canvas, middle, y - 4.5, &numbers);
        }
        for entry in entries {
            y += LINE;
            let mut x = left + PADDING;
            if let Some(color) = entry.color {
                let look = format!("fill=\"{color}\" stroke=\"{}\"", palette::INK);
                canvas.rect(x + 0.5, y - 9.0, 9.0, 9.0, &look);
                x += 15.0;
            }
            if entry.is_player {
                symbols::player(canvas, x + 6.0, y - 4.0, 14.0);
                x += 17.0;
            }
            let font = match entry.steps.is_empty() {
                true => ENTRY,
                false => ENTRY.bold(),
            };
            canvas.text(x, y, &entry.text, Anchor::Start, font);
            let right = left + size.0 - PADDING;
            let steps = Font {
                color: palette::PLAN,
                ..ENTRY.bold()
            };
            canvas.text(right, y, &entry.steps, Anchor::End, steps);
        }
    }

    /// A door, and the numbers of the steps at it, on the side where they cover no area.
    fn draw_door(
        &self,
        canvas: &mut Canvas,
        index: usize,
        at: (f64, f64),
        places: &[(f64, f64)],
        sizes: &[(f64, f64)],
    ) {
        let door = &self.doors[index];
        door_mark(canvas, at, door.is_open, self.color_of_door(index));
        let numbers = spans(&door.steps);
        if !numbers.is_empty() {
            let aside = 11.0 + symbols::number_width(&numbers) / 2.0;
            let beside = [(aside, 0.0), (-aside, 0.0), (0.0, -18.0), (0.0, 18.0)];
            let room = (aside * 2.0 - 46.0, 0.0);
            let covered = |(dx, dy): (f64, f64)| {
                let middle = (at.0 + dx, at.1 + dy);
                let boxes = places.iter().zip(sizes);
                let wider = |size: (f64, f64)| (size.0 + room.0, size.1);
                boxes
                    .filter(|(place, size)| is_near(middle, **place, wider(**size)))
                    .count()
            };
            let (dx, dy) = beside
                .into_iter()
                .min_by_key(|shift| covered(*shift))
                .unwrap_or_default();
            symbols::number(canvas, at.0 + dx, at.1 + dy, &numbers);
        }
    }

    /// The plan in words, and what the marks mean. Returns where it ends.
    fn draw_panel(&self, canvas: &mut Canvas, left: f64) -> f64 {
        let mut y = TOP + 6.0;
        let heading = Font::PLAIN.sized(14.0).bold();
        if !self.steps.is_empty() {
            canvas.text(left, y, "The plan", Anchor::Start, heading);
            for (number, step) in (1..).zip(&self.steps) {
                y += LINE + 1.0;
                canvas.text(
                    left + 22.0,
                    y,
                    &number.to_string(),
                    Anchor::End,
                    ENTRY.faint(),
                );
                let font = match step.way {
                    Some(_) => Font {
                        color: palette::PLAN,
                        ..ENTRY.bold()
                    },
                    None => ENTRY,
                };
                canvas.text(left + 30.0, y, &step.text, Anchor::Start, font);
            }
            y += 32.0;
        }
        canvas.text(left, y, "What is what", Anchor::Start, heading);
        let mut entry = |canvas: &mut Canvas, text: &str, draw: &dyn Fn(&mut Canvas, f64, f64)| {
            y += LINE + 6.0;
            draw(canvas, left + 14.0, y - 4.0);
            canvas.text(left + 36.0, y, text, Anchor::Start, ENTRY);
        };
        let area = |fill: &'static str| {
            move |canvas: &mut Canvas, x: f64, y: f64| {
                let look = format!("rx=\"3\" fill=\"{fill}\" stroke=\"{}\"", palette::FAINT_INK);
                canvas.rect(x - 10.0, y - 6.0, 20.0, 12.0, &look);
            }
        };
        entry(canvas, "where the character starts", &|canvas, x, y| {
            symbols::start(canvas, x, y, 16.0);
        });
        entry(
            canvas,
            "an area with light, and one without",
            &|canvas, x, y| {
                area("#fff6cf")(canvas, x - 6.0, y - 2.0);
                area("#e4e4ea")(canvas, x + 2.0, y + 3.0);
            },
        );
        entry(canvas, "an open door", &|canvas, x, y| {
            door_mark(canvas, (x, y), true, palette::PLAIN_DOOR);
        });
        entry(
            canvas,
            "a closed door, in the colour of its key",
            &|canvas, x, y| {
                door_mark(canvas, (x, y), false, palette::KEYS[0]);
            },
        );
        entry(canvas, "a closed door without a key", &|canvas, x, y| {
            door_mark(canvas, (x, y), false, palette::PLAIN_DOOR);
        });
        if !self.steps.is_empty() {
            entry(
                canvas,
                "the way; numbers are steps of the plan",
                &|canvas, x, y| {
                    let look = format!("stroke=\"{}\" stroke-width=\"2.6\"", palette::PLAN);
                    canvas.line(&[(x - 12.0, y), (x + 10.0, y)], &look);
                    arrow(canvas, (x - 12.0, y), (x + 12.0, y));
                },
            );
        }
        y
    }
}

/// A line in the box of an area.
struct Entry {
    text: String,
    color: Option<&'static str>,
    is_player: bool,
    steps: String,
}

/// How big the box of an area is.
fn size(area: &Area, entries: &[Entry]) -> (f64, f64) {
    let numbers = spans(&area.steps);
    let head = NAME.width(&area.name) + 17.0 + 10.0 + symbols::number_width(&numbers);
    let lines = entries.iter().map(|entry| {
        let steps = ENTRY.bold().width(&entry.steps);
        ENTRY.bold().width(&entry.text) + 17.0 + 10.0 + steps
    });
    let width = lines.fold(head, f64::max);
    let height = PADDING * 2.0 + 10.0 + LINE * entries.len() as f64;
    (width + PADDING * 2.0, height + 2.0)
}

fn of_type(domain: &LoadedDomain, name: &str) -> Vec<String> {
    let model = domain.model();
    let Some(ty) = model.types.iter().position(|ty| ty.name == name) else {
        return Vec::new();
    };
    let objects = model.objects_of(ty as TypeId).into_iter();
    objects
        .map(|object| model.objects[object as usize].name.clone())
        .collect()
}

fn is_true(domain: &LoadedDomain, state: &LoadedState, function: &str, args: &[&str]) -> bool {
    domain.read(state, function, args).as_deref() == Some("true")
}

/// Numbers that rise, with runs of them as `3–5`.
fn spans(numbers: &[usize]) -> String {
    let runs = numbers.chunk_by(|a, b| a + 1 == *b);
    let shown = runs.map(|run| match (run[0], run[run.len() - 1]) {
        (first, last) if first == last => first.to_string(),
        (first, last) => format!("{first}–{last}"),
    });
    shown.collect::<Vec<_>>().join(", ")
}

fn door_mark(canvas: &mut Canvas, at: (f64, f64), is_open: bool, color: &str) {
    let look = |fill: &str| {
        format!(
            "rx=\"1.5\" fill=\"{fill}\" stroke=\"{}\" stroke-width=\"1.3\"",
            palette::INK
        )
    };
    if is_open {
        // Two posts with nothing between them.
        for side in [-8.0, 4.0] {
            canvas.rect(at.0 + side, at.1 - 7.0, 4.0, 14.0, &look(palette::PAPER));
        }
    } else {
        canvas.rect(at.0 - 8.0, at.1 - 7.0, 16.0, 14.0, &look(color));
    }
}

/// The head of an arrow that ends at `to`.
fn arrow(canvas: &mut Canvas, from: (f64, f64), to: (f64, f64)) {
    let (nx, ny) = normal(from, to);
    // The normal turned back by a right angle is the direction of the arrow.
    let (dx, dy) = (ny, -nx);
    let back = (to.0 - dx * 9.0, to.1 - dy * 9.0);
    let data = format!(
        "M{} {}L{} {}L{} {}Z",
        px(to.0),
        px(to.1),
        px(back.0 + nx * 4.5),
        px(back.1 + ny * 4.5),
        px(back.0 - nx * 4.5),
        px(back.1 - ny * 4.5)
    );
    canvas.path(&data, &format!("fill=\"{}\"", palette::PLAN));
}
