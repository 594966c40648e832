//! Fields that several rounds have in common, swept once.

use std::sync::{Arc, Mutex, PoisonError, Weak};

use super::field::Field;
use crate::Trail;
use crate::danger::DangerKey;

/// The fields that somebody still needs, so that whoever would sweep one of them again takes it over.
#[derive(Default)]
pub(super) struct FieldPool {
    known: Mutex<Vec<Known>>,
}

/// A field, and what it was swept over.
struct Known {
    ground: Arc<FieldGround>,
    field: Weak<Field>,
}

/// What a field is swept over: two that begin alike on the same ground are the same.
pub(super) struct FieldGround {
    pub(super) level: u64,
    /// The places of the doors that are shut.
    pub(super) shut: Vec<usize>,
    /// As long as it is known here no other trail has its address.
    pub(super) trail: Option<Weak<Trail>>,
    pub(super) danger: Option<DangerKey>,
}

impl FieldGround {
    fn is_same(&self, other: &FieldGround) -> bool {
        let same_trail = match (&self.trail, &other.trail) {
            (Some(trail), Some(other)) => Weak::ptr_eq(trail, other),
            (trail, other) => trail.is_none() && other.is_none(),
        };
        same_trail
            && self.level == other.level
            && self.shut == other.shut
            && self.danger == other.danger
    }
}

impl FieldPool {
    /// The same field, if it was swept over the same ground.
    pub(super) fn find(&self, ground: &FieldGround, field: &Field) -> Option<Arc<Field>> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let mut same = known.iter().filter_map(|known| {
            let other = known.field.upgrade()?;
            let is_same = other.leads_like(field) && known.ground.is_same(ground);
            is_same.then_some(other)
        });
        same.next()
    }

    /// Keeps a field in mind that was swept.
    pub(super) fn add(&self, ground: &Arc<FieldGround>, field: &Arc<Field>) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.retain(|known| known.field.strong_count() > 0);
        known.push(Known {
            ground: ground.clone(),
            field: Arc::downgrade(field),
        });
    }
}
