//! What a loaded domain looks at before it takes up what was saved.

use std::fmt::Write;

use super::{Layouts, LoadedDomain, LoadedState, LoadedTask};
use crate::agenda::mix;
use crate::model::{NONE, ValueType};
use crate::task_executor::saved::SavableDomain;

impl SavableDomain for LoadedDomain {
    /// Of everything in the domain that means something: comments and the names of files do not.
    fn digest(&self) -> u64 {
        let model = &self.model;
        let mut digest = Spelled(0xCBF2_9CE4_8422_2325);
        // Everything it is made of can be shown.
        let _ = write!(
            digest,
            "{:?}{:?}{:?}{:?}{:?}{:?}{:?}",
            model.types,
            model.objects,
            model.functions,
            model.externals,
            model.tasks,
            model.init,
            model.conflicts
        );
        digest.0
    }

    fn check_task(&self, task: &LoadedTask) -> Result<(), String> {
        let Some(known) = self.model.tasks.get(task.id as usize) else {
            return Err(format!("there is no task {}", task.id));
        };
        let (wanted, given) = (known.params.len(), task.args.len());
        if wanted != given {
            let name = &known.name;
            return Err(format!(
                "`{name}` takes {wanted} arguments, and not {given}"
            ));
        }
        let mut args = known.params.iter().zip(&task.args);
        match args.find(|(param, arg)| !self.is_value(param.ty, **arg)) {
            Some((_, arg)) => Err(format!("{arg} is no argument of `{}`", known.name)),
            None => Ok(()),
        }
    }

    fn check_state(&self, state: &LoadedState) -> Result<(), String> {
        let wanted = (self.layouts.value_words + self.layouts.digests) as usize;
        if state.words.len() != wanted {
            return Err(format!(
                "a state has {} words, and not {wanted}",
                state.words.len()
            ));
        }
        let functions = self.model.functions.iter().zip(&self.layouts.functions);
        for (number, (function, layout)) in functions.enumerate() {
            if layout.is_constant {
                continue;
            }
            let mut digest = 0;
            for index in 0..layout.size {
                let value = layout.unpack(&state.words, index);
                if !self.is_value(function.result, value) {
                    let name = &function.name;
                    return Err(format!("{value} is no value of `{name}`"));
                }
                digest ^= layout.weigh(mix(number as u64, index), value);
            }
            if state.words[layout.digest as usize] != digest {
                let name = &function.name;
                return Err(format!(
                    "the values of `{name}` are not those it was saved with"
                ));
            }
        }
        Ok(())
    }
}

impl LoadedDomain {
    /// Whether a type has a value.
    fn is_value(&self, ty: ValueType, value: i64) -> bool {
        let range = || self.layouts.ranges.get(Layouts::range_of(ty) as usize);
        match ty {
            ValueType::Int | ValueType::Float => true,
            ValueType::Optional(_) if value == NONE => true,
            _ => range().is_some_and(|range| value >= 0 && range.contains(value)),
        }
    }
}

/// The 64-bit FNV-1a hash of a text that nobody keeps.
struct Spelled(u64);

impl Write for Spelled {
    fn write_str(&mut self, text: &str) -> std::fmt::Result {
        for byte in text.bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
        }
        Ok(())
    }
}

/// Something of which there are mostly few, for `#[serde(with = "…")]`.
pub(super) mod few {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};
    use smallvec::SmallVec;

    pub(crate) fn serialize<S: Serializer>(
        few: &SmallVec<[i64; 4]>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        few.as_slice().serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<SmallVec<[i64; 4]>, D::Error> {
        // A list believes nobody who says how long it will be.
        Ok(SmallVec::from_vec(Vec::deserialize(deserializer)?))
    }
}
