//! Plans with their decomposition, in the form of the 2020 planning competition.
//!
//! ```text
//! ==>
//! 0 move r1 t1          a step: its id, the action, its arguments
//! root 2                the ids of the first task network
//! 2 shift t1 -> m 0     how a task was done: its id, the task, the method, the ids of the subtasks
//! <==
//! ```
//!
//! Steps stand in the order they are taken, the subtasks of a method in the order of the method.

use std::fmt;

use super::mistake::{Ledger, Mistakes, Place};

/// A plan as a file tells it: names are not yet looked up.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PlanFile {
    /// The steps, in order.
    pub steps: Vec<Step>,
    /// The tasks of the first network, in order.
    pub roots: Vec<u64>,
    /// How compound tasks were done.
    pub decompositions: Vec<Decomposition>,
}

/// A step: an action with its arguments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// Its number in the file.
    pub id: u64,
    /// The action.
    pub action: String,
    /// Its arguments.
    pub arguments: Vec<String>,
}

/// How a compound task was done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decomposition {
    /// Its number in the file.
    pub id: u64,
    /// The task.
    pub task: String,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// By which method.
    pub method: String,
    /// The numbers of the subtasks, in the order of the method.
    pub subtasks: Vec<u64>,
}

impl PlanFile {
    /// No [planner](super::Planner) makes a plan whose text is longer than this, in bytes, so that
    /// whoever checks plans can say how much they will read. It is some six million steps and tasks.
    pub const LARGEST: usize = 256 << 20;

    /// How many bytes its text has.
    pub(crate) fn text_len(&self) -> usize {
        struct Count(usize);
        impl fmt::Write for Count {
            fn write_str(&mut self, text: &str) -> fmt::Result {
                self.0 += text.len();
                Ok(())
            }
        }
        let mut count = Count(0);
        // Counting cannot fail.
        let _ = fmt::Write::write_fmt(&mut count, format_args!("{self}"));
        count.0
    }

    /// Reads a plan. What stands before `==>` and after `<==` is ignored.
    ///
    /// ```
    /// use apprentice_hddl::PlanFile;
    ///
    /// let text = "==>\n0 press lamp\nroot 1\n1 lit lamp -> by-switch 0\n<==\n";
    /// let plan = PlanFile::read("lamp.plan", text).unwrap();
    /// assert_eq!(plan.steps[0].action, "press");
    /// assert_eq!(plan.to_string(), text);
    /// ```
    ///
    /// # Errors
    ///
    /// Every line that is none of a plan.
    pub fn read(file: &str, text: &str) -> Result<Self, Mistakes> {
        let mut ledger = Ledger::new(file, text);
        let mut plan = Self::default();
        let mut has = (false, false, false);
        for (number, line) in text.lines().enumerate() {
            let at = |word: &str| Place {
                line: number as u32 + 1,
                column: line
                    .find(word)
                    .map_or(1, |bytes| line[..bytes].chars().count() as u32 + 1),
            };
            let trimmed = line.trim();
            if trimmed == "==>" {
                has.0 = true;
                continue;
            }
            if !has.0 || has.2 || trimmed.is_empty() || trimmed.starts_with(';') {
                continue;
            }
            if trimmed == "<==" {
                has.2 = true;
                continue;
            }
            let mut words = trimmed.split_whitespace();
            let first = words.next().unwrap_or("");
            let mut number_of = |word: &str| match word.parse::<u64>() {
                Ok(id) => Some(id),
                Err(_) => {
                    ledger.enter((
                        at(word),
                        format!("expected the number of a task, found {word:?}"),
                        "lines are `NUMBER action …`, `root NUMBER …`, \
                         `NUMBER task … -> method NUMBER …`"
                            .to_owned(),
                    ));
                    None
                }
            };
            if first == "root" {
                has.1 = true;
                plan.roots
                    .extend(words.map_while(&mut number_of).collect::<Vec<_>>());
                continue;
            }
            let Some(id) = number_of(first) else { continue };
            let mut head: Vec<String> = Vec::new();
            let mut method = None;
            for word in words.by_ref() {
                if word == "->" {
                    method = Some(());
                    break;
                }
                // Some planners write actions in parentheses.
                let word = word.trim_matches(['(', ')']);
                if !word.is_empty() {
                    head.push(word.to_owned());
                }
            }
            if head.is_empty() {
                ledger.enter((
                    at(first),
                    format!("the name of task {id} is missing"),
                    String::new(),
                ));
                continue;
            }
            let name = head.remove(0);
            if method.is_none() {
                plan.steps.push(Step {
                    id,
                    action: name,
                    arguments: head,
                });
                continue;
            }
            let Some(method) = words.next() else {
                ledger.enter((
                    at("->"),
                    format!("the method of task {id} is missing"),
                    "write its name after ->".to_owned(),
                ));
                continue;
            };
            plan.decompositions.push(Decomposition {
                id,
                task: name,
                arguments: head,
                method: method.to_owned(),
                subtasks: words.map_while(&mut number_of).collect(),
            });
        }
        let missing = match has {
            (false, _, _) => Some("no line ==> begins the plan"),
            (_, false, _) => Some("no line `root …` names the tasks of the first network"),
            (_, _, false) => Some("no line <== ends the plan"),
            _ => None,
        };
        if let Some(message) = missing {
            let last = Place {
                line: text.lines().count().max(1) as u32,
                column: 1,
            };
            ledger.enter((
                last,
                message.to_owned(),
                "a plan is ==>, its steps, root, its decompositions, <==".to_owned(),
            ));
        }
        ledger.close().map(|()| plan)
    }
}

impl fmt::Display for PlanFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "==>")?;
        for step in &self.steps {
            write!(f, "{} {}", step.id, step.action)?;
            for argument in &step.arguments {
                write!(f, " {argument}")?;
            }
            writeln!(f)?;
        }
        write!(f, "root")?;
        for root in &self.roots {
            write!(f, " {root}")?;
        }
        writeln!(f)?;
        for task in &self.decompositions {
            write!(f, "{} {}", task.id, task.task)?;
            for argument in &task.arguments {
                write!(f, " {argument}")?;
            }
            write!(f, " -> {}", task.method)?;
            for subtask in &task.subtasks {
                write!(f, " {subtask}")?;
            }
            writeln!(f)?;
        }
        writeln!(f, "<==")
    }
}
