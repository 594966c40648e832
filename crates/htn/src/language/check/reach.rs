//! What is never reached, and what never ends.

use super::Checker;
use crate::language::diagnostics::Severity;
use crate::loaded_domain::{least_costs, walk_block};
use crate::model::{Body, Net};

impl Checker<'_> {
    pub(super) fn check_reach(&mut self) {
        // With errors, too little is known.
        if self.wrong.iter().any(|d| d.severity == Severity::Error) {
            return;
        }
        let costs = least_costs(&self.model);
        for (task, cost) in costs.iter().enumerate() {
            if cost.is_finite() {
                continue;
            }
            let task = &self.model.tasks[task];
            let (span, name) = (task.span, task.name.clone());
            self.warn(
                "W071",
                span,
                format!("`{name}` never comes to an end"),
                "all its methods lead back to it; add one that does not",
            );
        }
        if !self.has_problem {
            return;
        }
        let mut is_reached = vec![false; self.model.tasks.len()];
        let mut pending = Vec::new();
        collect(&self.model.goal, &mut pending);
        while let Some(task) = pending.pop() {
            if std::mem::replace(&mut is_reached[task as usize], true) {
                continue;
            }
            if let Body::Compound(methods) = &self.model.tasks[task as usize].body {
                for branch in methods.iter().flat_map(|method| &method.branches) {
                    walk_block(&branch.block, &mut |_| {}, &mut |task| pending.push(task));
                }
            }
        }
        for (task, is_reached) in is_reached.into_iter().enumerate() {
            // Other files are shared by other problems.
            let is_elsewhere = Some(self.model.tasks[task].span.file) != self.problem_file;
            if is_reached || is_elsewhere {
                continue;
            }
            let task = &self.model.tasks[task];
            let (span, name) = (task.span, task.name.clone());
            self.warn(
                "W070",
                span,
                format!("the goal never leads to `{name}`"),
                "is it missing from a method?",
            );
        }
    }
}

fn collect(net: &Net, tasks: &mut Vec<u32>) {
    match net {
        Net::Task(task, _) => tasks.push(*task),
        Net::Ordered(nets) | Net::Unordered(nets) => {
            nets.iter().for_each(|net| collect(net, tasks));
        }
    }
}
