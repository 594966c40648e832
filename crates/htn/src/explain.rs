//! Why a plan is as it is: lives through its decisions again and asks the domain about each.

use crate::agenda::{Agenda, DONE, ROOT};
use crate::domain::{ChoiceKind, Domain, Label, Note, Refinements};
use crate::network::Network;
use crate::plan::Plan;

/// One decision of a plan: a compound task, and what was said about its methods.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation<T> {
    /// The task.
    pub task: T,
    /// How many tasks it is a part of.
    pub depth: usize,
    /// The method that was taken.
    pub taken: Label,
    /// With which variables bound; empty if there are none.
    pub with: String,
    /// What was said about the methods, in their order: refused, or offered. Of those offered, all
    /// before the one taken led nowhere, or to a dearer plan.
    pub notes: Vec<Note>,
    /// How many ways were offered before the one taken.
    pub passed_over: usize,
}

/// Explains every decomposition of a plan, in order. `state` and `goal` are what it was made for;
/// for others there is no explanation.
pub fn explain<D: Domain>(
    domain: &D,
    state: D::State,
    goal: &Network<D::Task>,
    plan: &Plan<D::Task>,
) -> Option<Vec<Explanation<D::Task>>> {
    let mut agenda = Agenda::new();
    let mut network = agenda.build(domain, &goal.pieces, ROOT, DONE);
    let mut state = state;
    let mut out = Refinements::<D::State, D::Task>::new();
    out.notes_wanted = usize::MAX;
    let mut depths: Vec<usize> = Vec::new();
    let mut explanations = Vec::new();
    let mut steps = 0;
    for taken in &plan.choices {
        agenda.find_ready(network);
        let mut notes = Vec::new();
        out.choices.clear();
        out.words.clear();
        out.pieces.clear();
        let mut first = 0;
        for at in 0..agenda.ready.len() {
            if at == taken.ready as usize {
                first = out.choices.len();
            }
            out.begin_task(at as u32);
            domain.refine(agenda.task(agenda.ready[at].node), &state, &mut out);
            let said = std::mem::take(&mut out.notes);
            if at == taken.ready as usize {
                notes = said;
            }
        }
        let ready = *agenda.ready.get(taken.ready as usize)?;
        let choice = out.choices.get(taken.choice as usize)?.clone();
        match choice.kind {
            ChoiceKind::Act { state: next, .. } => {
                state = next;
                steps += 1;
                network = agenda.replace(domain, ready, &[], ROOT);
            }
            ChoiceKind::Replace { label, start, end } => {
                let depth = agenda
                    .parent(ready.node)
                    .map_or(0, |parent| depths[parent as usize] + 1);
                let passed_over = taken.choice as usize - first;
                let with = out.words.get(taken.choice as usize).cloned();
                explanations.push(Explanation {
                    task: agenda.task(ready.node).clone(),
                    depth,
                    taken: label,
                    with: with.unwrap_or_default(),
                    notes,
                    passed_over,
                });
                let parent = depths.len() as u32;
                depths.push(depth);
                let pieces = out.pieces[start..end].to_vec();
                network = agenda.replace(domain, ready, &pieces, parent);
            }
        }
    }
    let is_lived_through =
        steps == plan.steps.len() && explanations.len() == plan.decompositions.len();
    is_lived_through.then_some(explanations)
}
