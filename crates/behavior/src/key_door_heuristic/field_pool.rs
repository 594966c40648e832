//! Fields that several rounds have in common, swept once.

use std::sync::{Arc, Mutex, Weak};

use apprentice_game::Ground;
use apprentice_search::Budget;

use super::field::{Field, StepPrices};
use crate::Trail;
use crate::danger::DangerKey;
use crate::shelf::{Shelf, open};

/// The fields that were swept lately, and those that are being swept: whoever would sweep one of them
/// again takes it over, or goes on with it.
#[derive(Default)]
pub(super) struct FieldPool {
    swept: Mutex<Shelf<Known<Arc<Field>>>>,
    sweeping: Mutex<Shelf<Known<Field>>>,
}

/// A field, and what it is swept over.
struct Known<F> {
    ground: Arc<FieldGround>,
    field: F,
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
    /// A field like this one, swept over its ground; one unit of budget for each place, unless others
    /// have paid for it. `None`: the budget is spent, call again.
    pub(super) fn sweep<G: Ground>(
        &self,
        ground: &Arc<FieldGround>,
        field: &Field,
        prices: &StepPrices<'_, G>,
        budget: &mut Budget<'_>,
    ) -> Option<Arc<Field>> {
        let mut swept = open(&self.swept);
        let found =
            swept.find(|known| known.field.leads_like(field) && known.ground.is_same(ground));
        if let Some(known) = found {
            return Some(known.field.clone());
        }
        let mut sweeping = open(&self.sweeping);
        let begun =
            sweeping.take(|known| known.field.leads_like(field) && known.ground.is_same(ground));
        let mut begun = begun.unwrap_or_else(|| Known {
            ground: ground.clone(),
            field: field.like(),
        });
        if !begun.field.sweep(prices, budget) {
            sweeping.put(begun);
            return None;
        }
        let field = Arc::new(begun.field);
        swept.put(Known {
            ground: ground.clone(),
            field: field.clone(),
        });
        Some(field)
    }
}
