//! Which values variables can have: found without trying all, in the order of trying all.

use crate::loaded_domain::code::{Code, Scene};
use crate::loaded_domain::layout::{Layouts, LoadedState, NOT_HERE, may_be_none};
use crate::model::{
    Arithmetic, Binder, Block, Choice, Comparison, Expr, ExprKind, Model, Net, Slot, Then,
    ValueType, Variable,
};

/// Conditions, and what comes of them, ready to be used.
#[derive(Clone, Debug)]
pub(crate) struct Scope {
    pub(crate) tests: Vec<Test>,
    pub(crate) then: ScopeThen,
}

#[derive(Clone, Debug)]
pub(crate) enum ScopeThen {
    Network(Leaf),
    Bind(Box<Binding>),
}

#[derive(Clone, Debug)]
pub(crate) struct Leaf {
    pub(crate) pieces: Vec<NetPiece>,
    /// What was bound on the way here, for people who ask.
    pub(crate) bound: Vec<Variable>,
}

#[derive(Clone, Debug)]
pub(crate) enum NetPiece {
    Task(u32, Box<[Code]>),
    OpenOrdered,
    CloseOrdered,
    OpenUnordered,
    CloseUnordered,
}

/// A condition.
#[derive(Clone, Debug)]
pub(crate) struct Test {
    pub(crate) code: Code,
    /// As it was written, to explain it.
    pub(crate) expr: Expr,
}

#[derive(Clone, Debug)]
pub(crate) struct Binding {
    pub(crate) choice: BindingChoice,
    /// What can be tested before anything is bound.
    pub(crate) before: Vec<Test>,
    pub(crate) levels: Vec<Level>,
    /// What comes of it; all its tests are in the levels.
    pub(crate) inner: Scope,
}

#[derive(Clone, Debug)]
pub(crate) enum BindingChoice {
    Each,
    First,
    Ascending(SortKey),
    Descending(SortKey),
}

#[derive(Clone, Debug)]
pub(crate) struct SortKey {
    pub(crate) code: Code,
    pub(crate) is_float: bool,
}

/// One variable: where its values come from, and what they must meet.
#[derive(Clone, Debug)]
pub(crate) struct Level {
    pub(crate) slot: Slot,
    pub(crate) range: u32,
    pub(crate) source: Source,
    pub(crate) tests: Vec<Test>,
}

#[derive(Clone, Debug)]
pub(crate) enum Source {
    /// All values of its type.
    All,
    /// One value.
    Equal(Code),
    /// Those for which a constant holds, listed beforehand.
    Listed { index: u32, keys: Box<[Key]> },
    /// Those for which a state variable holds.
    Scanned {
        function: u32,
        position: usize,
        keys: Box<[Key]>,
        stride: u64,
        param_range: u32,
    },
}

/// An argument that picks a part of a table.
#[derive(Clone, Debug)]
pub(crate) struct Key {
    pub(crate) code: Code,
    pub(crate) range: u32,
    pub(crate) stride: u64,
}

/// For each combination of some arguments of a constant: the values of another for which it holds.
#[derive(Clone, Debug)]
pub(crate) struct Index {
    pub(crate) function: u32,
    pub(crate) position: usize,
    pub(crate) bound: Vec<usize>,
    starts: Vec<u32>,
    values: Vec<i64>,
}

impl Index {
    /// The lists, unless there would be too many.
    pub(crate) fn new(
        layouts: &Layouts,
        initial: &LoadedState,
        function: u32,
        position: usize,
        bound: &[usize],
    ) -> Option<Index> {
        let layout = &layouts.functions[function as usize];
        let size = |at: usize| {
            let range = layout.params[at].range;
            layouts.ranges[range as usize].values.len() as u64
        };
        let mut keys = 1u64;
        let mut strides = vec![0; layout.params.len()];
        for &at in bound.iter().rev() {
            strides[at] = keys;
            keys = keys.saturating_mul(size(at));
        }
        if keys > MOST_KEYS {
            return None;
        }
        let mut pairs: Vec<(u64, i64)> = Vec::new();
        layouts.each_nonzero(initial, function, |variable| {
            let mut key = 0;
            let mut value = 0;
            for (at, param) in layout.params.iter().enumerate() {
                let place = variable / param.stride % size(at).max(1);
                key += place * strides[at];
                if at == position {
                    value = layouts.ranges[param.range as usize].values[place as usize];
                }
            }
            pairs.push((key, value));
        });
        pairs.sort_unstable();
        pairs.dedup();
        let mut starts = vec![0u32; keys as usize + 1];
        for (key, _) in &pairs {
            starts[*key as usize + 1] += 1;
        }
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        Some(Index {
            function,
            position,
            bound: bound.to_vec(),
            starts,
            values: pairs.into_iter().map(|(_, value)| value).collect(),
        })
    }

    pub(crate) fn values(&self, key: u64) -> &[i64] {
        let key = key as usize;
        &self.values[self.starts[key] as usize..self.starts[key + 1] as usize]
    }
}

/// More combinations than this are not worth a list each.
const MOST_KEYS: u64 = 1 << 20;

/// Turns blocks into scopes, and collects the lists they need.
pub(crate) struct ScopeBuilder<'m> {
    pub(crate) model: &'m Model,
    pub(crate) layouts: &'m Layouts,
    /// The state at the start, for the constants in it.
    pub(crate) initial: &'m LoadedState,
    pub(crate) indices: Vec<Index>,
}

/// A condition that was not placed yet.
struct Pending<'e> {
    expr: &'e Expr,
    /// The number of variables of the binder that must be bound.
    level: usize,
}

impl ScopeBuilder<'_> {
    pub(crate) fn scope(&mut self, block: &Block, bound: &[Variable]) -> Scope {
        let tests = conjuncts(&block.conditions);
        Scope {
            tests: tests.iter().map(|expr| self.test(expr)).collect(),
            then: self.then(&block.then, bound),
        }
    }

    fn then(&mut self, then: &Then, bound: &[Variable]) -> ScopeThen {
        match then {
            Then::Network(net) => {
                let mut pieces = Vec::new();
                self.net(net, &mut pieces);
                ScopeThen::Network(Leaf {
                    pieces,
                    bound: bound.to_vec(),
                })
            }
            Then::Bind(binder) => ScopeThen::Bind(Box::new(self.binding(binder, bound))),
        }
    }

    pub(crate) fn net(&self, net: &Net, pieces: &mut Vec<NetPiece>) {
        match net {
            Net::Task(task, args) => {
                let params = &self.model.tasks[*task as usize].params;
                let args = args
                    .iter()
                    .zip(params)
                    .map(|(arg, param)| Code::compile_as(self.model, self.layouts, arg, param.ty));
                pieces.push(NetPiece::Task(*task, args.collect()));
            }
            Net::Ordered(nets) => {
                pieces.push(NetPiece::OpenOrdered);
                nets.iter().for_each(|net| self.net(net, pieces));
                pieces.push(NetPiece::CloseOrdered);
            }
            Net::Unordered(nets) => {
                pieces.push(NetPiece::OpenUnordered);
                nets.iter().for_each(|net| self.net(net, pieces));
                pieces.push(NetPiece::CloseUnordered);
            }
        }
    }

    fn test(&self, expr: &Expr) -> Test {
        Test {
            code: self.code(expr),
            expr: expr.clone(),
        }
    }

    fn code(&self, expr: &Expr) -> Code {
        Code::compile(self.model, self.layouts, expr)
    }

    fn binding(&mut self, binder: &Binder, bound: &[Variable]) -> Binding {
        let slots: Vec<Slot> = binder.vars.iter().map(|var| var.slot).collect();
        let level_of = |expr: &Expr| {
            let mut level = 0;
            expr.walk(&mut |expr| {
                if let ExprKind::Variable(slot) = expr.kind
                    && let Some(at) = slots.iter().position(|&own| own == slot)
                {
                    level = level.max(at + 1);
                }
            });
            level
        };
        // What may fail waits for everything that stands before it.
        let mut so_far = 0;
        let mut pending: Vec<Option<Pending<'_>>> = conjuncts(&binder.block.conditions)
            .into_iter()
            .map(|expr| {
                let mut level = level_of(expr);
                if may_fault(expr) {
                    level = level.max(so_far);
                }
                so_far = so_far.max(level);
                Some(Pending { expr, level })
            })
            .collect();

        let before = self.tests_at(0, &mut pending);
        let mut levels = Vec::new();
        for (at, var) in binder.vars.iter().enumerate() {
            let source = self.source(var, at + 1, &slots, &mut pending);
            levels.push(Level {
                slot: var.slot,
                range: Layouts::range_of(var.ty),
                source,
                tests: self.tests_at(at + 1, &mut pending),
            });
        }
        let mut all_bound = bound.to_vec();
        all_bound.extend(binder.vars.iter().cloned());
        let key = |expr: &Expr| SortKey {
            code: self.code(expr),
            is_float: expr.ty == ValueType::Float,
        };
        let choice = match &binder.choice {
            Choice::Each => BindingChoice::Each,
            Choice::First => BindingChoice::First,
            Choice::Ascending(expr) => BindingChoice::Ascending(key(expr)),
            Choice::Descending(expr) => BindingChoice::Descending(key(expr)),
        };
        Binding {
            choice,
            before,
            levels,
            inner: Scope {
                tests: Vec::new(),
                then: self.then(&binder.block.then, &all_bound),
            },
        }
    }

    fn tests_at(&self, level: usize, pending: &mut [Option<Pending<'_>>]) -> Vec<Test> {
        pending
            .iter_mut()
            .filter_map(|slot| slot.take_if(|pending| pending.level == level))
            .map(|pending| self.test(pending.expr))
            .collect()
    }

    /// The narrowest source of values for a variable. A condition that the source guarantees is
    /// taken from `pending`.
    fn source(
        &mut self,
        var: &Variable,
        level: usize,
        slots: &[Slot],
        pending: &mut [Option<Pending<'_>>],
    ) -> Source {
        let is_known = |expr: &Expr| {
            let mut known = !may_fault(expr);
            expr.walk(&mut |expr| {
                if let ExprKind::Variable(slot) = expr.kind
                    && slots[level - 1..].contains(&slot)
                {
                    known = false;
                }
            });
            known
        };
        let is_var = |expr: &Expr| expr.kind == ExprKind::Variable(var.slot);

        for slot in pending.iter_mut() {
            let Some(Pending { expr, .. }) = slot else {
                continue;
            };
            let ExprKind::Compare(Comparison::Equal, a, b) = &expr.kind else {
                continue;
            };
            let other = if is_var(a) && is_known(b) {
                b
            } else if is_var(b) && is_known(a) {
                a
            } else {
                continue;
            };
            let code = self.code(other);
            *slot = None;
            return Source::Equal(code);
        }

        // Facts with the variable at one place, and what else is known of them.
        let mut best: Option<((usize, usize), Option<usize>, Source)> = None;
        for (at, slot) in pending.iter().enumerate() {
            let Some(Pending { expr, .. }) = slot else {
                continue;
            };
            let expr = *expr;
            let ExprKind::Function(function, args) = &expr.kind else {
                continue;
            };
            let layout = &self.layouts.functions[*function as usize];
            let places: Vec<usize> = (0..args.len()).filter(|&i| is_var(&args[i])).collect();
            let [position] = places.as_slice() else {
                continue;
            };
            let position = *position;
            let bound: Vec<usize> = (0..args.len()).filter(|&i| is_known(&args[i])).collect();
            let is_whole = bound.len() + 1 == args.len();
            if layout.is_constant && layout.sparse.is_none() {
                let Some(index) = self.index(*function, position, &bound) else {
                    continue;
                };
                // The choice must not depend on the facts: generated code makes the same.
                let rank = (if is_whole { 0 } else { 2 }, args.len() - bound.len());
                let rank = (
                    rank.0,
                    if is_whole {
                        usize::MAX - args.len()
                    } else {
                        rank.1
                    },
                );
                if best.as_ref().is_none_or(|best| rank < best.0) {
                    let mut stride = 1;
                    let mut keys: Vec<Key> = Vec::new();
                    for &i in bound.iter().rev() {
                        let range = self.layouts.functions[*function as usize].params[i].range;
                        keys.push(Key {
                            code: self.code(&args[i]),
                            range,
                            stride,
                        });
                        stride *= self.layouts.ranges[range as usize].values.len() as u64;
                    }
                    let keys = keys.into_boxed_slice();
                    let source = Source::Listed {
                        index: index as u32,
                        keys,
                    };
                    best = Some((rank, is_whole.then_some(at), source));
                }
            } else if !layout.is_constant && is_whole && layout.log_bits == 0 {
                let rank = (1, 0);
                if best.as_ref().is_none_or(|best| rank < best.0) {
                    let keys = bound.iter().map(|&i| Key {
                        code: self.code(&args[i]),
                        range: layout.params[i].range,
                        stride: layout.params[i].stride,
                    });
                    let source = Source::Scanned {
                        function: *function,
                        position,
                        keys: keys.collect(),
                        stride: layout.params[position].stride,
                        param_range: layout.params[position].range,
                    };
                    best = Some((rank, Some(at), source));
                }
            }
        }
        let Some((_, guaranteed, source)) = best else {
            return Source::All;
        };
        if let Some(at) = guaranteed {
            pending[at] = None;
        }
        source
    }

    /// The list for a constant, built if it is not there yet.
    fn index(&mut self, function: u32, position: usize, bound: &[usize]) -> Option<usize> {
        let known = self.indices.iter().position(|index| {
            index.function == function && index.position == position && index.bound == bound
        });
        if known.is_some() {
            return known;
        }
        let index = Index::new(self.layouts, self.initial, function, position, bound)?;
        self.indices.push(index);
        Some(self.indices.len() - 1)
    }
}

/// The parts of conditions that must all hold.
fn conjuncts(conditions: &[Expr]) -> Vec<&Expr> {
    let mut list = Vec::new();
    let mut stack: Vec<&Expr> = conditions.iter().rev().collect();
    while let Some(expr) = stack.pop() {
        match &expr.kind {
            ExprKind::And(parts) => stack.extend(parts.iter().rev()),
            ExprKind::Value(1) => {}
            _ => list.push(expr),
        }
    }
    list
}

/// Whether working it out may be a fault, or ask the host something.
pub(crate) fn may_fault(expr: &Expr) -> bool {
    let mut risky = false;
    expr.walk(&mut |expr| {
        risky |= match &expr.kind {
            ExprKind::External(..) => true,
            ExprKind::Function(_, args) => args.iter().any(|arg| {
                let value = match arg.kind {
                    ExprKind::Value(value) => Some(value),
                    _ => None,
                };
                may_be_none(arg.ty, value)
            }),
            ExprKind::Arithmetic(Arithmetic::Min | Arithmetic::Max, ..) => false,
            ExprKind::Arithmetic(what, ..) => {
                expr.ty != ValueType::Float
                    || matches!(what, Arithmetic::Divide | Arithmetic::Remainder)
            }
            ExprKind::Negate(_) | ExprKind::Absolute(_) => expr.ty != ValueType::Float,
            _ => false,
        };
    });
    risky
}

/// Where the values of `keys` lie in a table. `None`: one of them is not of the right type.
pub(crate) fn place_of(
    scene: &Scene<'_>,
    keys: &[Key],
    env: &mut [i64],
) -> Result<Option<u64>, Box<crate::domain::Fault>> {
    let mut place = 0;
    for key in keys {
        let value = key.code.value(scene, env)?;
        let at = scene.layouts.ranges[key.range as usize].place(value);
        if at == NOT_HERE {
            return Ok(None);
        }
        place += u64::from(at) * key.stride;
    }
    Ok(Some(place))
}
