//! Traps: what becomes of whoever ends a step in one.

use crate::scenario::marks;
use crate::{AgentId, Event, Scenario, Trap, TrapId, Witness, World};

impl Trap {
    /// Whether it hurts, with these levers pulled and these traps sprung.
    #[inline]
    pub(crate) fn is_armed(&self, number: usize, levers: u32, sprung: u32) -> bool {
        self.levers & levers == 0 && sprung >> number & 1 == 0
    }
}

impl World {
    /// Whether a trap still hurts whoever steps into it: no lever has disarmed it, and it has not hurt
    /// somebody once and for all.
    pub fn is_armed(&self, trap: TrapId, scenario: &Scenario) -> bool {
        let found = scenario.traps.get(trap.index());
        found.is_some_and(|it| it.is_armed(trap.index(), self.levers, self.sprung))
    }
}

/// An actor has ended a step: every trap in its place that is armed hurts it. Returns whether one did.
pub(crate) fn spring<W: Witness + ?Sized>(
    world: &mut World,
    scenario: &Scenario,
    actor: usize,
    witness: &mut W,
) -> bool {
    let place = world.actors[actor].place as usize;
    if scenario.marks_at(place) & marks::DANGER == 0 {
        return false;
    }
    let (health, sprung, is_hurt) = after_traps(
        scenario,
        place,
        world.levers,
        world.sprung,
        |trap, damage| {
            let agent = AgentId::Actor(actor as u16);
            witness.saw(Event::Trapped {
                agent,
                trap,
                damage,
            });
        },
    );
    let state = &mut world.actors[actor];
    state.health = (f64::from(state.health) - health) as f32;
    world.sprung = sprung;
    is_hurt
}

/// The health that the traps in a place cost, which traps have sprung for good then, and whether one
/// hurt at all.
pub(crate) fn after_traps(
    scenario: &Scenario,
    place: usize,
    levers: u32,
    sprung: u32,
    mut hurts: impl FnMut(TrapId, f64),
) -> (f64, u32, bool) {
    let (mut lost, mut then, mut is_hurt) = (0.0, sprung, false);
    for (number, trap) in scenario.traps.iter().enumerate() {
        if !trap.is_in(place) || !trap.is_armed(number, levers, sprung) {
            continue;
        }
        let id = TrapId::new(number as u8);
        hurts(id, trap.damage);
        lost += trap.damage;
        is_hurt = true;
        if trap.springs_once {
            then |= id.bit();
        }
    }
    (lost, then, is_hurt)
}
