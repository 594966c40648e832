//! The parts of a grid that only doors divide, and what can happen in each.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use crate::scenario::{LEVER_REACH, marks};
use crate::{Abilities, Direction, GridMap, Manner, Scenario};

/// The parts of a grid that only doors divide, and what can happen in each: enough to tell what a
/// quest can come to without looking at the cells again. Worked out once for all quests in a level.
#[derive(Debug)]
pub(crate) struct Regions {
    /// A small number for every cell that is no wall, and how many there are.
    pub(crate) numbers: Arc<[u32]>,
    pub(crate) free_cells: u32,
    /// The region of every cell that is no wall.
    of_cells: Vec<u32>,
    regions: Vec<Region>,
    /// What was worked out for quests lately, the oldest first.
    ranks: Mutex<Vec<(Beginning, Ranks)>>,
}

/// Cells between which nothing can shut, or one cell that can.
#[derive(Debug, Default)]
struct Region {
    /// The cell that can be shut, if this is one.
    shuts: Option<u32>,
    /// The regions a step away. Between two of them at least one can be shut.
    beside: Vec<u32>,
    /// The cells in which something happens, one for everything that can.
    special: Vec<u32>,
}

/// A small number for every combination of flags and health that can occur; empty if there are too
/// many.
pub(crate) type Ranks = Arc<[u32]>;

/// What decides which combinations can occur, in one level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Beginning {
    /// Where it begins: see [`Regions::at`].
    pub(crate) region: u32,
    pub(crate) flags: u32,
    pub(crate) lost: u32,
    pub(crate) levels: u32,
    /// The bits of the unit of health.
    pub(crate) unit: u64,
    /// Doors, a bit each: those open, and those with a flag.
    pub(crate) open: u32,
    pub(crate) watched: u32,
    pub(crate) abilities: Abilities,
}

/// Cells in which something may happen to whoever arrives.
pub(crate) const SPECIAL: u8 = marks::ITEM | marks::LEVER | marks::DANGER | marks::SHUTS;

/// Numbers that are kept at most, for all beginnings together: a mebibyte.
const MOST_KEPT: usize = 1 << 18;

const NOWHERE: u32 = u32::MAX;

impl Regions {
    pub(crate) fn new(scenario: &Scenario, grid: &GridMap) -> Regions {
        let mut numbers = vec![0; grid.len()];
        let mut free_cells = 0;
        for cell in grid.free_cells() {
            numbers[grid.index(cell)] = free_cells;
            free_cells += 1;
        }
        let mut regions = Regions {
            numbers: numbers.into(),
            free_cells,
            of_cells: vec![NOWHERE; grid.len()],
            regions: Vec::new(),
            ranks: Mutex::default(),
        };
        for cell in grid.free_cells() {
            let cell = grid.index(cell);
            if regions.of_cells[cell] == NOWHERE {
                regions.add(scenario, grid, cell);
            }
        }
        regions.connect(grid);
        regions
    }

    /// The region of a cell that is no wall.
    pub(crate) fn at(&self, cell: usize) -> u32 {
        self.of_cells[cell]
    }

    /// The ranks for a beginning. Whoever asks has a way to work them out.
    pub(crate) fn ranks(&self, beginning: Beginning, work_out: impl FnOnce() -> Ranks) -> Ranks {
        // What is kept is true even if somebody panicked while it was being kept.
        let lock = || self.ranks.lock().unwrap_or_else(PoisonError::into_inner);
        let known = |kept: &[(Beginning, Ranks)]| {
            let known = kept.iter().find(|(other, _)| *other == beginning);
            known.map(|(_, ranks)| Arc::clone(ranks))
        };
        if let Some(ranks) = known(&lock()) {
            return ranks;
        }
        let ranks = work_out();
        let mut kept = lock();
        if known(&kept).is_none() {
            kept.push((beginning, Arc::clone(&ranks)));
            // Those without any still take an entry.
            let mut size: usize = kept.iter().map(|(_, ranks)| ranks.len() + SIZE).sum();
            while size > MOST_KEPT && kept.len() > 1 {
                size -= kept.remove(0).1.len() + SIZE;
            }
        }
        ranks
    }

    /// Visits the cells in which something happens, one for everything that can, among those that
    /// can be reached from a region through what `lets_in` lets one in. `met` is scratch memory.
    pub(crate) fn for_each_special(
        &self,
        from: u32,
        met: &mut Met,
        lets_in: impl Fn(usize) -> bool,
        mut visit: impl FnMut(usize),
    ) {
        met.begin(self.regions.len());
        met.add(from);
        let mut next = 0;
        while let Some(region) = met.open.get(next).map(|region| *region as usize) {
            next += 1;
            let region = &self.regions[region];
            region.special.iter().for_each(|cell| visit(*cell as usize));
            for beside in &region.beside {
                let shuts = self.regions[*beside as usize].shuts;
                if shuts.is_none_or(|cell| lets_in(cell as usize)) {
                    met.add(*beside);
                }
            }
        }
    }

    /// Finds the region that a cell belongs to.
    fn add(&mut self, scenario: &Scenario, grid: &GridMap, first: usize) {
        let number = self.regions.len() as u32;
        let shuts = |cell: usize| scenario.marks_at(cell) & marks::SHUTS != 0;
        let mut region = Region {
            shuts: shuts(first).then_some(first as u32),
            ..Region::default()
        };
        let mut happenings = BTreeSet::new();
        let mut open = vec![first];
        self.of_cells[first] = number;
        while let Some(cell) = open.pop() {
            if scenario.marks_at(cell) & SPECIAL != 0
                && happenings.insert(Happening::at(scenario, grid, cell))
            {
                region.special.push(cell as u32);
            }
            if region.shuts.is_some() {
                break;
            }
            for to in cells_beside(grid, cell) {
                if self.of_cells[to] == NOWHERE && !shuts(to) {
                    self.of_cells[to] = number;
                    open.push(to);
                }
            }
        }
        self.regions.push(region);
    }

    fn connect(&mut self, grid: &GridMap) {
        let shut = |(number, region): (usize, &Region)| Some((number as u32, region.shuts?));
        let shut: Vec<_> = self.regions.iter().enumerate().filter_map(shut).collect();
        for (number, cell) in shut {
            for to in cells_beside(grid, cell as usize) {
                let beside = self.of_cells[to];
                self.regions[number as usize].beside.push(beside);
                self.regions[beside as usize].beside.push(number);
            }
        }
        for region in &mut self.regions {
            region.beside.sort_unstable();
            region.beside.dedup();
        }
    }
}

/// What an entry without numbers counts as.
const SIZE: usize = size_of::<(Beginning, Ranks)>() / size_of::<u32>();

/// The regions that were met, in the order in which they were.
#[derive(Default)]
pub(crate) struct Met {
    is_met: Vec<bool>,
    open: Vec<u32>,
}

impl Met {
    fn begin(&mut self, regions: usize) {
        self.is_met.resize(regions, false);
        for region in self.open.drain(..) {
            self.is_met[region as usize] = false;
        }
    }

    fn add(&mut self, region: u32) {
        if !std::mem::replace(&mut self.is_met[region as usize], true) {
            self.open.push(region);
        }
    }
}

/// Everything that can happen to whoever arrives in a cell, so that it is tried in one of many.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Happening {
    marks: u8,
    /// A bit each.
    items: u32,
    levers: u32,
    doors: u32,
    /// The guards that strike whoever walks, and whoever sneaks.
    guards: [Vec<u16>; 2],
    traps: u32,
}

impl Happening {
    fn at(scenario: &Scenario, grid: &GridMap, cell: usize) -> Happening {
        let center = grid.cell(cell).center();
        let strikes = |guard: &&u16, sneaks: bool| {
            let enemy = &scenario.enemies[usize::from(**guard)];
            let Manner::Guard(guard) = &enemy.kind.manner else {
                return false;
            };
            let radius = if sneaks {
                guard.sneak_radius
            } else {
                guard.radius
            };
            enemy.home.distance_to(center) <= radius
        };
        let marks = scenario.marks_at(cell) & SPECIAL;
        let guards = match marks & marks::DANGER {
            0 => &[],
            _ => &scenario.tables.guards[..],
        };
        Happening {
            marks,
            items: set(&scenario.items, |item| item.place as usize == cell),
            levers: set(&scenario.levers, |lever| {
                lever.at.distance_to(center) <= LEVER_REACH
            }),
            doors: set(&scenario.doors, |door| door.places.contains(&cell)),
            traps: set(&scenario.traps, |trap| trap.is_in(cell)),
            guards: [false, true].map(|sneaks| {
                let here = guards.iter().filter(|guard| strikes(guard, sneaks));
                here.copied().collect()
            }),
        }
    }
}

/// Those of at most 32 things of which something is true, a bit each.
fn set<T>(things: &[T], is_true: impl Fn(&T) -> bool) -> u32 {
    let bits = things.iter().enumerate();
    bits.fold(0, |set, (number, thing)| {
        set | u32::from(is_true(thing)) << number
    })
}

fn cells_beside(grid: &GridMap, cell: usize) -> impl Iterator<Item = usize> + '_ {
    let exits = grid.exits(cell);
    Direction::ALL
        .into_iter()
        .filter(move |direction| exits >> *direction as u8 & 1 == 1)
        .map(move |direction| grid.beside(cell, direction))
}
