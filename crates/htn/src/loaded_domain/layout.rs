//! Where each state variable lives: functions that tasks change in a state of packed words, all
//! others in tables that never change.

use std::collections::HashMap;

use rustc_hash::FxBuildHasher;

use crate::agenda::mix;
use crate::model::{FunctionId, Model, NONE, ValueType};

/// A place that objects of other types do not have.
pub(crate) const NOT_HERE: u32 = u32::MAX;

/// More state variables than this are not kept in one table: 2 MB of truth values.
const MOST_IN_A_TABLE: u64 = 1 << 24;

/// A state may not need more memory than this, in words: it is copied for every step.
const MOST_WORDS: u64 = 1 << 21;

/// Everything that may change in a loaded domain: packed values, then one digest a function.
#[derive(Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct LoadedState {
    pub(crate) words: Vec<u64>,
}

impl Clone for LoadedState {
    fn clone(&self) -> Self {
        LoadedState {
            words: self.words.clone(),
        }
    }

    fn clone_from(&mut self, source: &Self) {
        self.words.clone_from(&source.words);
    }
}

/// Which objects, or truth values, an argument ranges over.
#[derive(Clone, Debug)]
pub(crate) struct Range {
    /// All values, in order.
    pub(crate) values: Vec<i64>,
    /// The place of each object among them.
    pub(crate) places: Vec<u32>,
}

impl Range {
    #[inline]
    pub(crate) fn place(&self, value: i64) -> u32 {
        // `NONE` becomes a number that no table is long enough for.
        self.places.get(value as usize).copied().unwrap_or(NOT_HERE)
    }

    #[inline]
    pub(crate) fn contains(&self, value: i64) -> bool {
        self.place(value) != NOT_HERE
    }
}

/// Where the variables of one function live.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    pub(crate) is_constant: bool,
    pub(crate) params: Vec<ParamLayout>,
    /// How many variables it has.
    pub(crate) size: u64,
    /// The first word.
    pub(crate) base: u32,
    /// Each variable takes two to the power of this many bits.
    pub(crate) log_bits: u32,
    /// Added before packing, so that none becomes zero.
    pub(crate) bias: i64,
    /// The word that holds the digest of its variables; for constants, none.
    pub(crate) digest: u32,
    /// Constants that are too many for a table.
    pub(crate) sparse: Option<HashMap<u64, i64, FxBuildHasher>>,
    pub(crate) default: i64,
}

#[derive(Clone, Debug)]
pub(crate) struct ParamLayout {
    pub(crate) range: u32,
    pub(crate) stride: u64,
}

#[derive(Clone, Debug)]
pub(crate) struct Layouts {
    pub(crate) ranges: Vec<Range>,
    pub(crate) functions: Vec<Layout>,
    /// The values that never change, packed.
    pub(crate) constants: Vec<u64>,
    /// How many words of a state hold values.
    pub(crate) value_words: u32,
    pub(crate) digests: u32,
}

impl Layouts {
    /// The number of the range of values of a type: of truth, or of one type of objects.
    pub(crate) fn range_of(ty: ValueType) -> u32 {
        match ty.object() {
            Some(ty) => ty + 1,
            None => 0,
        }
    }

    pub(crate) fn new(model: &Model) -> Result<Layouts, String> {
        let mut ranges = vec![Range {
            values: vec![0, 1],
            places: vec![0, 1],
        }];
        for ty in 0..model.types.len() {
            let values: Vec<i64> = model
                .objects_of(ty as u32)
                .into_iter()
                .map(i64::from)
                .collect();
            let mut places = vec![NOT_HERE; model.objects.len()];
            for (place, &value) in values.iter().enumerate() {
                places[value as usize] = place as u32;
            }
            ranges.push(Range { values, places });
        }
        let changing = model.changing();
        let mut layouts = Layouts {
            ranges,
            functions: Vec::with_capacity(model.functions.len()),
            constants: Vec::new(),
            value_words: 0,
            digests: 0,
        };
        let object_bits = match model.objects.len() {
            0..=254 => 3,
            255..=65_534 => 4,
            _ => 5,
        };
        for (function, is_changing) in model.functions.iter().zip(&changing) {
            let mut size = 1u64;
            let mut params = Vec::with_capacity(function.params.len());
            for &ty in function.params.iter().rev() {
                let range = Layouts::range_of(ty);
                params.push(ParamLayout {
                    range,
                    stride: size,
                });
                size = size.saturating_mul(layouts.ranges[range as usize].values.len() as u64);
            }
            params.reverse();
            let (log_bits, bias) = match function.result {
                ValueType::Bool => (0, 0),
                ValueType::Int | ValueType::Float => (6, 0),
                ValueType::Object(_) | ValueType::Optional(_) => (object_bits, 1),
            };
            let words = size.saturating_mul(1 << log_bits).div_ceil(64);
            let is_sparse = !is_changing && size > MOST_IN_A_TABLE;
            let mut base = 0;
            if !is_changing && !is_sparse {
                base = layouts.constants.len() as u32;
                let end = layouts.constants.len() + words as usize;
                layouts.constants.resize(end, 0);
            } else if *is_changing {
                let end = u64::from(layouts.value_words) + words;
                if end > MOST_WORDS {
                    return Err(format!(
                        "`{}` has {size} state variables, more than a state can hold; give its \
                         arguments narrower types, or call it a `constant` if it never changes",
                        function.name
                    ));
                }
                base = layouts.value_words;
                layouts.value_words = end as u32;
            }
            layouts.functions.push(Layout {
                is_constant: !is_changing,
                params,
                size,
                base,
                log_bits,
                bias,
                digest: 0,
                sparse: is_sparse.then(HashMap::default),
                default: function.default,
            });
        }
        for layout in &mut layouts.functions {
            if !layout.is_constant {
                layout.digest = layouts.value_words + layouts.digests;
                layouts.digests += 1;
            }
        }
        Ok(layouts)
    }

    /// The state at the start, and the tables of constants.
    pub(crate) fn fill(&mut self, model: &Model) -> Result<LoadedState, String> {
        let mut state = LoadedState {
            words: vec![0; (self.value_words + self.digests) as usize],
        };
        for function in 0..self.functions.len() {
            let layout = &self.functions[function];
            let default = layout.default;
            // Zero bits are what false, nothing and none look like.
            if default + layout.bias == 0 || layout.sparse.is_some() {
                continue;
            }
            for index in 0..layout.size {
                self.set_initial(&mut state, function, index, default);
            }
        }
        for initial in &model.init {
            let function = initial.function as usize;
            let index = self.index(initial.function, &initial.args).ok_or_else(|| {
                format!(
                    "an initial value of `{}` has arguments of the wrong types",
                    model.functions[function].name
                )
            })?;
            self.set_initial(&mut state, function, index, initial.value);
        }
        Ok(state)
    }

    fn set_initial(&mut self, state: &mut LoadedState, function: usize, index: u64, value: i64) {
        let layout = &mut self.functions[function];
        if let Some(sparse) = &mut layout.sparse {
            sparse.insert(index, value);
        } else if layout.is_constant {
            let layout = &self.functions[function];
            layout.pack(&mut self.constants, index, value);
        } else {
            self.functions[function].set(state, function as FunctionId, index, value);
        }
    }

    /// Which of a function's variables the arguments stand for.
    pub(crate) fn index(&self, function: FunctionId, args: &[i64]) -> Option<u64> {
        let layout = &self.functions[function as usize];
        if args.len() != layout.params.len() {
            return None;
        }
        let mut index = 0;
        for (param, &arg) in layout.params.iter().zip(args) {
            let place = self.ranges[param.range as usize].place(arg);
            if place == NOT_HERE {
                return None;
            }
            index += u64::from(place) * param.stride;
        }
        Some(index)
    }

    /// The value of a variable.
    pub(crate) fn value(&self, state: &LoadedState, function: FunctionId, index: u64) -> i64 {
        let layout = &self.functions[function as usize];
        if let Some(sparse) = &layout.sparse {
            return sparse.get(&index).copied().unwrap_or(layout.default);
        }
        layout.unpack(self.words_of(layout, state), index)
    }

    /// The packed words among which a function's variables are.
    fn words_of<'a>(&'a self, layout: &Layout, state: &'a LoadedState) -> &'a [u64] {
        if layout.is_constant {
            &self.constants
        } else {
            &state.words
        }
    }

    /// The variables of a function that are not zero, in no order. Most constants are zero nearly
    /// everywhere, so whole words of them are passed over.
    pub(crate) fn each_nonzero(
        &self,
        state: &LoadedState,
        function: FunctionId,
        mut visit: impl FnMut(u64),
    ) {
        let layout = &self.functions[function as usize];
        if let Some(sparse) = layout.sparse.as_ref().filter(|_| layout.default == 0) {
            let nonzero = sparse.iter().filter(|(_, value)| **value != 0);
            nonzero.for_each(|(index, _)| visit(*index));
            return;
        }
        let is_zero_bits = layout.bias == 0 && layout.sparse.is_none();
        let words = self.words_of(layout, state);
        let in_a_word = 64 >> layout.log_bits;
        let mut index = 0;
        while index < layout.size {
            let word = || words[layout.base as usize + (index / in_a_word) as usize];
            if is_zero_bits && index.is_multiple_of(in_a_word) && word() == 0 {
                index += in_a_word;
                continue;
            }
            if self.value(state, function, index) != 0 {
                visit(index);
            }
            index += 1;
        }
    }
}

impl Layout {
    #[inline]
    pub(crate) fn unpack(&self, words: &[u64], index: u64) -> i64 {
        let bit = index << self.log_bits;
        let word = words[self.base as usize + (bit >> 6) as usize];
        let shifted = word >> (bit & 63);
        let kept = u64::MAX >> (64 - (1 << self.log_bits));
        (shifted & kept) as i64 - self.bias
    }

    #[inline]
    pub(crate) fn pack(&self, words: &mut [u64], index: u64, value: i64) {
        let bit = index << self.log_bits;
        let word = &mut words[self.base as usize + (bit >> 6) as usize];
        let kept = u64::MAX >> (64 - (1 << self.log_bits));
        let shift = bit & 63;
        *word = *word & !(kept << shift) | ((((value + self.bias) as u64) & kept) << shift);
    }

    /// Changes a variable of a state, and the digest with it.
    #[inline]
    pub(crate) fn set(
        &self,
        state: &mut LoadedState,
        function: FunctionId,
        index: u64,
        value: i64,
    ) {
        let old = self.unpack(&state.words, index);
        if old == value {
            return;
        }
        self.pack(&mut state.words, index, value);
        let variable = mix(u64::from(function), index);
        let change = self.weigh(variable, old) ^ self.weigh(variable, value);
        state.words[self.digest as usize] ^= change;
    }

    /// What a variable with that value adds to its function's digest.
    pub(crate) fn weigh(&self, variable: u64, value: i64) -> u64 {
        if value + self.bias == 0 {
            0
        } else {
            mix(variable, value as u64)
        }
    }
}

/// Whether a value of that type can be none.
pub(crate) fn may_be_none(ty: ValueType, value: Option<i64>) -> bool {
    matches!(ty, ValueType::Optional(_)) && value.is_none_or(|value| value == NONE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::read;

    /// Tables and those that are too large for one, with defaults and without.
    #[test]
    fn what_is_not_zero_is_found() {
        let names: Vec<String> = (0..150).map(|number| format!("o{number}")).collect();
        let given = (0..150).step_by(7).map(|number| {
            let other = (number * 31 + 5) % 150;
            format!(
                "near(o{number}, o{other}) := true;
                far(o{number}, o{other}, o7, o9) := true;
                worth(o{number}) := {number};
                inside(o{number}) := o{other};
                shut(o{number}) := false;\n"
            )
        });
        let text = format!(
            "type Thing;
            instance Thing {};
            constant bool near(Thing a, Thing b);
            constant bool far(Thing a, Thing b, Thing c, Thing d);
            constant int worth(Thing a);
            constant Thing? inside(Thing a);
            constant bool shut(Thing a) := true;
            fluent bool open(Thing a);
            task Rest() {{ {{ true; open(o1) := true; }} }}
            problem p {{
                init {{ {} open(o3) := true; }}
                goal ordered(Rest());
            }}",
            names.join(", "),
            given.collect::<String>(),
        );
        let reading = read("things.htn", &text);
        let model = reading
            .model
            .unwrap_or_else(|| panic!("{:?}", reading.diagnostics));
        let mut layouts = Layouts::new(&model).expect("it can be laid out");
        let state = layouts.fill(&model).expect("values are of the right types");
        assert!(
            layouts
                .functions
                .iter()
                .any(|layout| layout.sparse.is_some())
        );
        for (function, layout) in (0..).zip(&layouts.functions) {
            let mut found = Vec::new();
            layouts.each_nonzero(&state, function, |index| found.push(index));
            found.sort_unstable();
            // Those that are too many are too many to look at here as well.
            if let Some(sparse) = &layout.sparse {
                let mut all: Vec<u64> = sparse.keys().copied().collect();
                all.sort_unstable();
                assert_eq!(found, all, "function {function}");
                continue;
            }
            let value = |index: &u64| layouts.value(&state, function, *index);
            let plain: Vec<u64> = (0..layout.size).filter(|index| value(index) != 0).collect();
            assert_eq!(found, plain, "function {function}");
            assert!(!found.is_empty(), "function {function}");
        }
    }
}
