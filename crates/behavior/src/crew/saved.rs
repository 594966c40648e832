//! Crews as they are saved.

use std::time::Duration;

use apprentice_game::Savable;
use apprentice_search::Budget;
use apprentice_search::saved::{LoadError, Version, unsound};
use serde::{Deserialize, Serialize};

use super::{Crew, Lane, Member, MemberId, Membership, Place, State};
use crate::Character;
use crate::character::saved::{Cast, SaveError, Together, check_level};
use crate::plan::saved::check_duration;

/// A crew as it is saved, with everybody in it, who waits and whose turn it is: see
/// [`SavedCharacter`](crate::SavedCharacter).
///
/// ```
/// # use apprentice_behavior::{Cast, Character, Crew, SavedCrew, Settings};
/// # use apprentice_search::Budget;
/// # use apprentice_world::{Abilities, Performer, Scenario, World};
/// # let scenario = Scenario::parse("format = 1\nstart = [0, 0]\ngoal = { within = { at = [2, 0], radius = 0.0 } }\nmap = { rows = ['...'] }")?;
/// # let world = World::new(&scenario);
/// # let planner = Settings::default().check(&scenario, [])?.planner;
/// let mut crew: Crew<Scenario> = Crew::default();
/// let who = Performer::from(Abilities::default());
/// for _ in 0..3 {
///     crew.add(Character::new(planner.clone(), who.clone()));
/// }
/// let _ = crew.think(&scenario, |_| &world, &mut Budget::units(5));
/// let text = serde_json::to_string(&crew.save(&scenario)?)?;
///
/// let saved: SavedCrew<Scenario> = serde_json::from_str(&text)?;
/// let cast = Cast { planners: &[planner], who: &[who] };
/// let mut again = saved.load(&scenario, &cast, &mut Budget::unlimited())?;
/// let units = 1_000;
/// let frame = crew.think(&scenario, |_| &world, &mut Budget::units(units));
/// assert_eq!(again.think(&scenario, |_| &world, &mut Budget::units(units)), frame);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Serialize, Deserialize)]
#[serde(bound = "L: Savable")]
pub struct SavedCrew<L: Savable> {
    version: Version<1>,
    level: u64,
    lanes: Vec<SavedLane<L>>,
    next: u32,
    first: u64,
}

#[derive(Serialize, Deserialize)]
#[serde(bound = "L: Savable")]
struct SavedLane<L: Savable> {
    all: Together<L>,
    members: Vec<SavedMember>,
    waiting: Vec<u32>,
    thinking: Vec<u32>,
    next: u64,
    frames: u64,
}

#[derive(Serialize, Deserialize)]
struct SavedMember {
    id: MemberId,
    membership: Membership,
    looks_at: Duration,
    failures: u32,
    waits_since: u64,
    turn: u64,
    state: State,
}

impl<L: Savable> Crew<L> {
    /// This crew, to be written down. It goes on as if nobody had asked.
    ///
    /// # Errors
    ///
    /// If somebody outside it shares what is [prepared](crate::Prepared) in it, or if the level is not the one
    /// they think about.
    pub fn save(&self, level: &L) -> Result<SavedCrew<L>, SaveError> {
        let lanes = self.lanes.iter().map(|lane| lane.save(level));
        Ok(SavedCrew {
            version: Version,
            level: level.digest(),
            lanes: lanes.collect::<Result<_, _>>()?,
            next: self.next,
            first: self.first as u64,
        })
    }
}

impl<L: Savable> Lane<L> {
    fn save(&self, level: &L) -> Result<SavedLane<L>, SaveError> {
        let members = self.members.iter();
        Ok(SavedLane {
            all: Together::save(level, members.map(|member| &member.character))?,
            members: self.members.iter().map(SavedMember::of).collect(),
            waiting: self.waiting.iter().map(|it| *it as u32).collect(),
            thinking: self.thinking.iter().map(|it| *it as u32).collect(),
            next: self.next as u64,
            frames: self.frames,
        })
    }
}

impl SavedMember {
    fn of<L: Savable>(member: &Member<L>) -> SavedMember {
        SavedMember {
            id: member.id,
            membership: member.membership,
            looks_at: member.looks_at,
            failures: member.failures,
            waits_since: member.waits_since,
            turn: member.turn,
            state: member.state,
        }
    }

    fn load<L: Savable>(
        self,
        character: Character<L>,
        frames: u64,
    ) -> Result<Member<L>, LoadError> {
        check_duration(self.looks_at)?;
        check_duration(self.membership.looks_every)?;
        if self.waits_since > frames || self.failures > MOST_FAILURES {
            return Err(unsound(
                "somebody has waited for longer than there was time",
            ));
        }
        Ok(Member {
            id: self.id,
            character,
            membership: self.membership,
            looks_at: self.looks_at,
            failures: self.failures,
            waits_since: self.waits_since,
            turn: self.turn,
            state: self.state,
        })
    }
}

/// Nobody failed more often.
const MOST_FAILURES: u32 = 1 << 30;
/// No game had more frames.
const MOST_FRAMES: u64 = 1 << 60;

impl<L: Savable> SavedCrew<L> {
    /// The crew that was saved: see [`SavedCharacter::load`](crate::SavedCharacter::load).
    ///
    /// # Errors
    ///
    /// As there.
    pub fn load(
        self,
        level: &L,
        cast: &Cast<'_, L>,
        budget: &mut Budget<'_>,
    ) -> Result<Crew<L>, LoadError> {
        check_level(level, self.level)?;
        let first = self.first as usize;
        if first >= self.lanes.len() {
            return Err(unsound("there is no such lane"));
        }
        let mut lanes = Vec::new();
        for lane in self.lanes {
            lanes.push(lane.load(level, cast, budget)?);
        }
        let mut places = Vec::new();
        for (lane, members) in lanes.iter().map(|lane| &lane.members).enumerate() {
            for (number, member) in members.iter().enumerate() {
                places.push(Place {
                    id: member.id,
                    lane: lane as u32,
                    number: number as u32,
                });
            }
        }
        places.sort_by_key(|place| place.id);
        if places.windows(2).any(|pair| pair[0].id == pair[1].id) {
            return Err(unsound("two have the same number in a crew"));
        }
        if places.last().is_some_and(|last| last.id.0 >= self.next) {
            return Err(unsound("somebody has a number that nobody was given yet"));
        }
        Ok(Crew {
            lanes,
            places,
            next: self.next,
            first,
        })
    }

    /// How many units of budget it takes to load it.
    pub fn units(&self) -> u64 {
        let lanes = self.lanes.iter().map(|lane| lane.all.units());
        lanes.fold(0, u64::saturating_add)
    }
}

impl<L: Savable> SavedLane<L> {
    fn load(
        self,
        level: &L,
        cast: &Cast<'_, L>,
        budget: &mut Budget<'_>,
    ) -> Result<Lane<L>, LoadError> {
        let count = self.members.len();
        if self.all.len() != count || self.frames > MOST_FRAMES {
            return Err(unsound("a crew has members that are nobody"));
        }
        let (prepared, characters) = self.all.load(level, cast, budget)?;
        let members = self.members.into_iter().zip(characters);
        let members: Result<Vec<Member<L>>, LoadError> = members
            .map(|(member, character)| member.load(character, self.frames))
            .collect();
        let members = members?;
        let listed = |numbers: Vec<u32>, state: State| -> Result<Vec<usize>, LoadError> {
            let mut is_listed = vec![false; count];
            for number in &numbers {
                let member = members.get(*number as usize);
                let is_so = member.is_some_and(|member| member.state == state);
                if !is_so || std::mem::replace(&mut is_listed[*number as usize], true) {
                    return Err(unsound("somebody has two turns at once"));
                }
            }
            Ok(numbers.into_iter().map(|it| it as usize).collect())
        };
        Ok(Lane {
            prepared: prepared.unwrap_or_default(),
            waiting: listed(self.waiting, State::Waiting)?,
            thinking: listed(self.thinking, State::Thinking)?.into(),
            members,
            next: self.next as usize,
            frames: self.frames,
        })
    }
}
