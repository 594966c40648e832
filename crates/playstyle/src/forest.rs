//! Trees of questions about when, and in which order, things were done.
//!
//! Each tree learns from plays drawn by lot, and at each branching asks the best of some questions
//! drawn by lot (Breiman 2001; Geurts, Ernst & Wehenkel 2006): had this been done by then? Was this
//! done before that? What was not done yet counts as done later than everything else, so that also
//! what is missing tells. The answer is what all trees say on average.

use crate::Dice;
use crate::milestones::NEVER;

/// How trees are grown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Growing {
    /// How many trees there are. More are steadier, and take longer.
    pub trees: usize,
    /// How many questions are tried at each branching.
    pub tries: usize,
    /// The seed of everything that is drawn by lot.
    pub seed: u64,
}

impl Default for Growing {
    /// Enough that further trees change next to nothing.
    fn default() -> Growing {
        Growing {
            trees: 100,
            tries: 80,
            seed: 1,
        }
    }
}

/// What is asked at a branching.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Question {
    /// Had it been done by then?
    By { milestone: u16, time: f32 },
    /// Was the one done before the other?
    Before { one: u16, other: u16 },
}

impl Question {
    fn is_true_of(self, time: impl Fn(u16) -> f32) -> bool {
        match self {
            Question::By {
                milestone,
                time: latest,
            } => {
                let time = time(milestone);
                time <= latest && time < NEVER
            }
            Question::Before { one, other } => time(one) < time(other),
        }
    }
}

#[derive(Clone, Copy, Debug)]
enum Node {
    Branching {
        question: Question,
        no: u32,
    },
    /// Where its shares begin.
    Leaf(u32),
}

#[derive(Clone, Debug)]
struct Tree {
    /// Whoever says yes goes on right behind the question.
    nodes: Vec<Node>,
    shares: Vec<f32>,
}

/// Many trees.
#[derive(Clone, Debug)]
pub(crate) struct Forest {
    trees: Vec<Tree>,
    classes: usize,
}

/// What a forest is grown from: when each play reached each milestone.
pub(crate) struct Plays {
    /// By milestone, then by play.
    pub(crate) times: Vec<Vec<f32>>,
    pub(crate) class_of: Vec<u32>,
    pub(crate) classes: usize,
    /// So many of the milestones, the first ones, are of single events.
    pub(crate) singles: usize,
}

impl Forest {
    pub(crate) fn grow(plays: &Plays, growing: &Growing) -> Forest {
        let mut dice = Dice::new(growing.seed);
        let count = plays.class_of.len();
        let trees = (0..growing.trees).map(|_| {
            let drawn: Vec<u32> = (0..count).map(|_| dice.below(count) as u32).collect();
            let mut gardener = Gardener {
                plays,
                tries: growing.tries,
                dice: &mut dice,
                tree: Tree {
                    nodes: Vec::new(),
                    shares: Vec::new(),
                },
                yes: vec![0; plays.classes],
            };
            gardener.grow(drawn);
            gardener.tree
        });
        Forest {
            trees: trees.collect(),
            classes: plays.classes,
        }
    }

    /// Adds what all trees say about a play, each with this weight.
    pub(crate) fn ask(&self, times: &[f32], weight: f64, out: &mut [f64]) {
        let weight = weight / self.trees.len().max(1) as f64;
        for tree in &self.trees {
            let mut at = 0;
            let leaf = loop {
                match tree.nodes[at] {
                    Node::Branching { question, no } => {
                        let yes = question.is_true_of(|it| times[usize::from(it)]);
                        at = if yes { at + 1 } else { no as usize };
                    }
                    Node::Leaf(begin) => break begin as usize,
                }
            };
            for (out, share) in out.iter_mut().zip(&tree.shares[leaf..leaf + self.classes]) {
                *out += f64::from(*share) * weight;
            }
        }
    }
}

struct Gardener<'a> {
    plays: &'a Plays,
    tries: usize,
    dice: &'a mut Dice,
    tree: Tree,
    yes: Vec<u32>,
}

/// Of ten questions so many are about times, so many about events in a row; the others are about
/// which of two single events came first, because what somebody prefers shows there.
const TIMES_IN_TEN: usize = 3;
const LONGER_IN_TEN: usize = 1;

impl Gardener<'_> {
    /// Grows a tree, the side of yes first. A list of what is still to grow instead of recursion: a
    /// tree may be as deep as there are plays.
    fn grow(&mut self, drawn: Vec<u32>) {
        let mut to_grow: Vec<(Vec<u32>, Option<usize>)> = vec![(drawn, None)];
        while let Some((drawn, asked_at)) = to_grow.pop() {
            let here = self.tree.nodes.len();
            if let Some(asked_at) = asked_at
                && let Node::Branching { no, .. } = &mut self.tree.nodes[asked_at]
            {
                *no = here as u32;
            }
            let Some(question) = self.best_question(&drawn) else {
                self.leaf(&drawn);
                continue;
            };
            let (yes, no): (Vec<u32>, Vec<u32>) =
                drawn.iter().partition(|play| self.answer(question, **play));
            self.tree.nodes.push(Node::Branching { question, no: 0 });
            to_grow.push((no, Some(here)));
            to_grow.push((yes, None));
        }
    }

    fn answer(&self, question: Question, play: u32) -> bool {
        question.is_true_of(|it| self.plays.times[usize::from(it)][play as usize])
    }

    fn leaf(&mut self, drawn: &[u32]) {
        let begin = self.tree.shares.len();
        self.tree.nodes.push(Node::Leaf(begin as u32));
        self.tree.shares.resize(begin + self.plays.classes, 0.0);
        for play in drawn {
            let class = self.plays.class_of[*play as usize] as usize;
            self.tree.shares[begin + class] += 1.0 / drawn.len() as f32;
        }
    }

    /// The question that parts the classes best, if any does: by Gini's impurity.
    fn best_question(&mut self, drawn: &[u32]) -> Option<Question> {
        let mut all = vec![0_u32; self.plays.classes];
        for play in drawn {
            all[self.plays.class_of[*play as usize] as usize] += 1;
        }
        if all.iter().filter(|count| **count > 0).count() < 2 || self.plays.times.is_empty() {
            return None;
        }
        let squares = |counts: &mut dyn Iterator<Item = u32>| {
            let (mut sum, mut squares) = (0.0, 0.0);
            for count in counts {
                let count = f64::from(count);
                sum += count;
                squares += count * count;
            }
            if sum > 0.0 { squares / sum } else { 0.0 }
        };
        let before = squares(&mut all.iter().copied());
        let mut best: Option<(f64, Question)> = None;
        for _ in 0..self.tries {
            let question = self.draw(drawn);
            self.count(question, drawn);
            let yes = squares(&mut self.yes.iter().copied());
            let no = squares(&mut all.iter().zip(&self.yes).map(|(all, yes)| all - yes));
            let gain = yes + no - before;
            if gain > 1e-9 && best.is_none_or(|(most, _)| gain > most) {
                best = Some((gain, question));
            }
        }
        best.map(|(_, question)| question)
    }

    /// Which classes say yes, and how often.
    fn count(&mut self, question: Question, drawn: &[u32]) {
        self.yes.fill(0);
        let class_of = &self.plays.class_of;
        match question {
            Question::By { milestone, time } => {
                let times = &self.plays.times[usize::from(milestone)];
                for play in drawn {
                    let reached = times[*play as usize];
                    let yes = reached <= time && reached < NEVER;
                    self.yes[class_of[*play as usize] as usize] += u32::from(yes);
                }
            }
            Question::Before { one, other } => {
                let one = &self.plays.times[usize::from(one)];
                let other = &self.plays.times[usize::from(other)];
                for play in drawn {
                    let yes = one[*play as usize] < other[*play as usize];
                    self.yes[class_of[*play as usize] as usize] += u32::from(yes);
                }
            }
        }
    }

    fn draw(&mut self, drawn: &[u32]) -> Question {
        let count = self.plays.times.len();
        let singles = self.plays.singles;
        let kind = self.dice.below(10);
        let longer = kind >= 10 - LONGER_IN_TEN && count > singles || singles == 0;
        let milestone = if longer {
            singles + self.dice.below(count - singles)
        } else {
            self.dice.below(singles)
        } as u16;
        if longer || kind < TIMES_IN_TEN {
            // The time of a play that is here: thresholds lie where plays are.
            let play = drawn[self.dice.below(drawn.len())];
            let time = self.plays.times[usize::from(milestone)][play as usize];
            return Question::By { milestone, time };
        }
        let other = self.dice.below(singles) as u16;
        Question::Before {
            one: milestone,
            other,
        }
    }
}
