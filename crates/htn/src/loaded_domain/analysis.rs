//! What can be known of a domain before anything is planned: what each task looks at, and what it
//! costs at least.

use apprentice_search::Cost;

use crate::model::{Block, Body, Choice, Expr, ExprKind, Method, Model, Net, TaskId, Then, number};

/// For each task, the functions that doing it may ever look at.
pub(crate) fn looked_at(model: &Model) -> Vec<Vec<bool>> {
    let mut seen: Vec<Vec<bool>> = Vec::new();
    let mut calls: Vec<Vec<TaskId>> = Vec::new();
    for task in &model.tasks {
        let mut functions = vec![false; model.functions.len()];
        let mut subtasks = Vec::new();
        let mut look = |expr: &Expr| {
            expr.walk(&mut |expr| {
                if let ExprKind::Function(function, _) = expr.kind {
                    functions[function as usize] = true;
                }
            });
        };
        match &task.body {
            Body::Primitive(primitive) => {
                primitive.conditions.iter().for_each(&mut look);
                for effect in &primitive.effects {
                    effect.when.iter().for_each(&mut look);
                    effect.args.iter().for_each(&mut look);
                    look(&effect.value);
                }
                // A cost can be a fault, which is an outcome like any other.
                primitive.cost.iter().for_each(&mut look);
            }
            Body::Compound(methods) => {
                for block in blocks(methods) {
                    walk_block(block, &mut look, &mut |task| subtasks.push(task));
                }
            }
        }
        seen.push(functions);
        calls.push(subtasks);
    }
    // What subtasks look at counts, until nothing new comes of it.
    loop {
        let mut is_changed = false;
        for task in 0..seen.len() {
            for &subtask in &calls[task] {
                let below = seen[subtask as usize].clone();
                for (known, is_new) in seen[task].iter_mut().zip(below) {
                    is_changed |= is_new && !*known;
                    *known |= is_new;
                }
            }
        }
        if !is_changed {
            return seen;
        }
    }
}

/// For each task, what it costs at least, in whatever state. Infinite: it never comes to an end.
pub(crate) fn least_costs(model: &Model) -> Vec<Cost> {
    let mut costs = vec![Cost::INFINITE; model.tasks.len()];
    loop {
        let mut is_changed = false;
        for (at, task) in model.tasks.iter().enumerate() {
            let cost = match &task.body {
                Body::Primitive(primitive) => match &primitive.cost {
                    None => Cost::from_seconds(1.0),
                    Some(expr) => least_value(expr),
                },
                Body::Compound(methods) => blocks(methods)
                    .map(|block| net_cost(network_of(block), &costs))
                    .min()
                    .unwrap_or(Cost::INFINITE),
            };
            if cost < costs[at] {
                costs[at] = cost;
                is_changed = true;
            }
        }
        if !is_changed {
            return costs;
        }
    }
}

/// What a cost is at least: known if it is a literal.
fn least_value(expr: &Expr) -> Cost {
    let value = match (&expr.kind, expr.ty) {
        (ExprKind::Value(value), crate::model::ValueType::Int) => *value as f64,
        (ExprKind::Value(value), crate::model::ValueType::Float) => number(*value),
        _ => return Cost::ZERO,
    };
    if value > 0.0 {
        Cost::from_seconds(value)
    } else {
        Cost::ZERO
    }
}

fn net_cost(net: &Net, costs: &[Cost]) -> Cost {
    match net {
        Net::Task(task, _) => costs[*task as usize],
        Net::Ordered(nets) | Net::Unordered(nets) => {
            nets.iter().map(|net| net_cost(net, costs)).sum()
        }
    }
}

fn blocks(methods: &[Method]) -> impl Iterator<Item = &Block> {
    methods
        .iter()
        .flat_map(|method| method.branches.iter().map(|branch| &branch.block))
}

/// The network a block leads to in the end.
pub(crate) fn network_of(mut block: &Block) -> &Net {
    loop {
        match &block.then {
            Then::Network(net) => return net,
            Then::Bind(binder) => block = &binder.block,
        }
    }
}

/// Visits all expressions and all subtasks of a block.
pub(crate) fn walk_block(block: &Block, look: &mut dyn FnMut(&Expr), call: &mut dyn FnMut(TaskId)) {
    block.conditions.iter().for_each(&mut *look);
    match &block.then {
        Then::Network(net) => walk_net(net, look, call),
        Then::Bind(binder) => {
            match &binder.choice {
                Choice::Ascending(key) | Choice::Descending(key) => look(key),
                Choice::Each | Choice::First => {}
            }
            walk_block(&binder.block, look, call);
        }
    }
}

fn walk_net(net: &Net, look: &mut dyn FnMut(&Expr), call: &mut dyn FnMut(TaskId)) {
    match net {
        Net::Task(task, args) => {
            args.iter().for_each(&mut *look);
            call(*task);
        }
        Net::Ordered(nets) | Net::Unordered(nets) => {
            nets.iter().for_each(|net| walk_net(net, look, call));
        }
    }
}
