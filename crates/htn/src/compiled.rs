//! What generated domains are made of: tables of state variables and constants. Hand-written code
//! has no need of it.

use smallvec::SmallVec;

use crate::agenda::mix;
use crate::domain::Fault;
use crate::loaded_domain::{Change, Index, Layout, LoadedTask, checked_cost, finish};
use crate::model::{Function, FunctionId, Span, TypeId, ValueType};

pub use crate::domain::{Direction, Domain, Refinements};
pub use crate::language::{Reading, read_files};
pub use crate::loaded_domain::{CannotLoad, LoadedDomain, LoadedState};
pub use crate::loaded_domain::{fractional, ordered_bits as ordered, whole};
pub use crate::model::{Arithmetic, NONE, float, number};
pub use apprentice_search::Cost;

/// What can go wrong while a task is refined.
pub type Answer<V = ()> = Result<V, Box<Fault>>;

/// The arguments of a task.
pub type Args = SmallVec<[i64; 4]>;

/// State variables of one name with `N` arguments.
#[derive(Clone, Debug)]
pub struct Fluent<const N: usize> {
    function: FunctionId,
    layout: Layout,
    strides: [u64; N],
    places: [Box<[u32]>; N],
}

/// Constants of one name with `N` arguments.
#[derive(Clone, Debug)]
pub struct Constant<const N: usize> {
    layout: Layout,
    words: Box<[u64]>,
    strides: [u64; N],
    places: [Box<[u32]>; N],
}

fn shape<const N: usize>(
    domain: &LoadedDomain,
    function: FunctionId,
) -> ([u64; N], [Box<[u32]>; N]) {
    let layout = &domain.layouts().functions[function as usize];
    let strides = std::array::from_fn(|at| layout.params[at].stride);
    let places = std::array::from_fn(|at| {
        let range = layout.params[at].range;
        let range = &domain.layouts().ranges[range as usize];
        range.places.clone().into_boxed_slice()
    });
    (strides, places)
}

/// Which variable of a table the arguments stand for.
#[inline]
fn index<const N: usize>(places: &[Box<[u32]>; N], strides: &[u64; N], args: [i64; N]) -> u64 {
    let mut index = 0;
    for ((places, stride), value) in places.iter().zip(strides).zip(args) {
        index += u64::from(places[value as usize]) * stride;
    }
    index
}

impl<const N: usize> Fluent<N> {
    /// The table of a function of a loaded domain.
    pub fn new(domain: &LoadedDomain, function: FunctionId) -> Self {
        let (strides, places) = shape(domain, function);
        Fluent {
            function,
            layout: domain.layouts().functions[function as usize].clone(),
            strides,
            places,
        }
    }

    /// Which variable the arguments stand for.
    #[inline]
    pub fn index(&self, args: [i64; N]) -> u64 {
        index(&self.places, &self.strides, args)
    }

    /// The value of a variable.
    #[inline]
    pub fn get(&self, state: &LoadedState, args: [i64; N]) -> i64 {
        self.layout.unpack(&state.words, self.index(args))
    }

    /// Whether a variable is true.
    #[inline]
    pub fn holds(&self, state: &LoadedState, args: [i64; N]) -> bool {
        self.get(state, args) != 0
    }

    /// Changes a variable.
    #[inline]
    pub fn set(&self, state: &mut LoadedState, index: u64, value: i64) {
        self.layout.set(state, self.function, index, value);
    }
}

impl<const N: usize> Constant<N> {
    /// The table of a function of a loaded domain.
    pub fn new(domain: &LoadedDomain, function: FunctionId) -> Self {
        let (strides, places) = shape(domain, function);
        let layouts = domain.layouts();
        let mut layout = layouts.functions[function as usize].clone();
        let words = match layout.sparse {
            Some(_) => Vec::new(),
            None => {
                let length = (layout.size << layout.log_bits).div_ceil(64) as usize;
                let base = layout.base as usize;
                layout.base = 0;
                layouts.constants[base..base + length].to_vec()
            }
        };
        Constant {
            layout,
            words: words.into_boxed_slice(),
            strides,
            places,
        }
    }

    /// The value.
    #[inline]
    pub fn get(&self, args: [i64; N]) -> i64 {
        let index = index(&self.places, &self.strides, args);
        match &self.layout.sparse {
            None => self.layout.unpack(&self.words, index),
            Some(sparse) => sparse.get(&index).copied().unwrap_or(self.layout.default),
        }
    }

    /// Whether it is true.
    #[inline]
    pub fn holds(&self, args: [i64; N]) -> bool {
        self.get(args) != 0
    }
}

/// The objects of a type, in order.
#[derive(Clone, Debug)]
pub struct Objects {
    /// All of them.
    pub all: Box<[i64]>,
    is_here: Box<[bool]>,
}

impl Objects {
    /// The objects of a type of a loaded domain; `None`: truth values.
    pub fn new(domain: &LoadedDomain, ty: Option<u32>) -> Objects {
        let range = &domain.layouts().ranges[ty.map_or(0, |ty| ty as usize + 1)];
        let objects = 0..range.places.len() as i64;
        Objects {
            all: range.values.clone().into_boxed_slice(),
            is_here: objects.map(|value| range.contains(value)).collect(),
        }
    }

    /// Whether an object is of the type. None is of no type.
    #[inline]
    pub fn contain(&self, value: i64) -> bool {
        self.is_here.get(value as usize).copied().unwrap_or(false)
    }

    /// The object, unless it is none.
    ///
    /// # Errors
    ///
    /// If it is none, or not of the type.
    #[inline]
    pub fn checked(&self, value: i64, place: (u32, u32, u32)) -> Answer<i64> {
        if self.contain(value) {
            return Ok(value);
        }
        fault("the function is applied to none", place)
    }
}

/// The values of one argument of a constant for which it holds, given `K` others.
#[derive(Clone, Debug)]
pub struct List<const K: usize> {
    index: Index,
    strides: [u64; K],
    places: [Box<[u32]>; K],
}

impl<const K: usize> List<K> {
    /// Lists the values at `position`, given those at `bound`.
    ///
    /// # Panics
    ///
    /// If there are more than a million combinations.
    pub fn new(
        domain: &LoadedDomain,
        function: FunctionId,
        position: usize,
        bound: [usize; K],
    ) -> Self {
        let layouts = domain.layouts();
        let index = Index::new(layouts, &domain.initial_state(), function, position, &bound)
            .expect("a million combinations are enough");
        let params = &layouts.functions[function as usize].params;
        let mut strides = [0; K];
        let mut size = 1;
        for at in (0..K).rev() {
            strides[at] = size;
            size *= layouts.ranges[params[bound[at]].range as usize]
                .values
                .len() as u64;
        }
        let places = std::array::from_fn(|at| {
            let range = &layouts.ranges[params[bound[at]].range as usize];
            range.places.clone().into_boxed_slice()
        });
        List {
            index,
            strides,
            places,
        }
    }

    /// The values, in order.
    #[inline]
    pub fn of(&self, keys: [i64; K]) -> &[i64] {
        let mut key = 0;
        for ((places, stride), value) in self.places.iter().zip(&self.strides).zip(keys) {
            match places.get(value as usize) {
                Some(&place) if place != u32::MAX => key += u64::from(place) * stride,
                _ => return &[],
            }
        }
        self.index.values(key)
    }
}

/// A fault at a place: file, first byte, byte after the last.
///
/// # Errors
///
/// Always.
pub fn fault<V>(message: &str, (file, start, end): (u32, u32, u32)) -> Answer<V> {
    Err(Box::new(Fault {
        message: message.to_owned(),
        span: Some(Span { file, start, end }),
    }))
}

/// A result of arithmetic, or a fault at a place.
///
/// # Errors
///
/// If there is no result.
#[inline]
pub fn result<V>(result: Result<V, &'static str>, place: (u32, u32, u32)) -> Answer<V> {
    match result {
        Ok(value) => Ok(value),
        Err(message) => fault(message, place),
    }
}

/// The cost of a task.
///
/// # Errors
///
/// If it is negative or no number.
pub fn cost(domain: &LoadedDomain, id: u32, args: Args, value: f64) -> Answer<Cost> {
    checked_cost(domain, &LoadedTask { id, args }, value)
}

/// Changes that a task makes, collected before any is made.
#[derive(Debug, Default)]
pub struct Changes(SmallVec<[Change; 8]>);

impl Changes {
    /// None yet.
    pub fn new() -> Changes {
        Changes::default()
    }

    /// A variable gets a value, by the effect of that number.
    pub fn add<const N: usize>(
        &mut self,
        fluent: &Fluent<N>,
        args: [i64; N],
        value: i64,
        effect: u32,
    ) {
        self.0.push(Change {
            function: fluent.function,
            index: fluent.index(args),
            value,
            effect,
        });
    }

    /// Makes all changes at once.
    ///
    /// # Errors
    ///
    /// If two of them give one variable different values.
    pub fn make<T>(
        mut self,
        domain: &LoadedDomain,
        (id, args): (u32, Args),
        state: &LoadedState,
        cost: Cost,
        out: &mut Refinements<LoadedState, T>,
    ) -> Answer {
        let task = LoadedTask { id, args };
        finish(domain, &task, state, &mut self.0, cost, out)
    }
}

/// What is said about the methods of a task while somebody listens: the source is asked, so that
/// explanations have its words.
pub fn explain<T>(
    domain: &LoadedDomain,
    (id, args): (u32, Args),
    state: &LoadedState,
    out: &mut Refinements<LoadedState, T>,
) {
    let mut said = Refinements::new();
    said.notes_wanted = out.notes_wanted.saturating_sub(out.notes.len());
    domain.refine(&LoadedTask { id, args }, state, &mut said);
    let before = out.choices.len().saturating_sub(said.words.len());
    out.words.resize(before, String::new());
    out.words.append(&mut said.words);
    out.notes.append(&mut said.notes);
}

/// The object of that name, if it is of the type.
pub fn object(domain: &LoadedDomain, ty: TypeId, name: &str) -> Option<i64> {
    let model = domain.model();
    let place = model.objects.iter().position(|one| one.name == name)?;
    let is_one = model.is_kind_of(model.objects[place].ty, ty);
    is_one.then_some(place as i64)
}

/// Whether the first objects of a domain are these, of these types: generated code knows them by
/// number.
pub fn has_objects(domain: &LoadedDomain, known: &[(&str, TypeId)]) -> bool {
    let objects = &domain.model().objects;
    let is_same = |((name, ty), object): (&(&str, TypeId), &crate::model::Object)| {
        object.name == *name && object.ty == *ty
    };
    objects.len() >= known.len() && known.iter().zip(objects).all(is_same)
}

/// The name of an object.
pub fn object_name(domain: &LoadedDomain, object: i64) -> &str {
    let objects = &domain.model().objects;
    objects.get(object as usize).map_or("", |one| &one.name)
}

/// The digest of a task.
pub fn digest(id: u32, args: &[i64]) -> u64 {
    let name = mix(0x7A5C, u64::from(id));
    args.iter()
        .fold(name, |digest, &arg| mix(digest, arg as u64))
}

/// What generated code was generated from: its types, functions and tasks.
pub fn fingerprint(domain: &LoadedDomain) -> u64 {
    let model = domain.model();
    let types: Vec<_> = model.types.iter().map(|ty| (&ty.name, ty.parent)).collect();
    let functions: Vec<(&String, &Vec<ValueType>, ValueType, bool)> = model
        .functions
        .iter()
        .zip(model.changing())
        .map(|(function, is_changing)| {
            let Function {
                name,
                params,
                result,
                ..
            } = function;
            (name, params, *result, is_changing)
        })
        .collect();
    let text = format!(
        "{types:?}{functions:?}{:?}{:?}",
        model.externals, model.tasks
    );
    text.bytes()
        .fold(0, |digest, byte| mix(digest, u64::from(byte)))
}
