//! Somebody who takes part: what is written down about them, and what comes next.

use std::collections::BTreeMap;
use std::io;

use serde::Serialize;

use super::design::{self, FIRST_AFTER_DRAWING, Map, Planned, Seventh, TRIALS};
use super::journal::{Entry, Journal, Line};

/// What a participant is to do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "step", rename_all = "snake_case")]
pub(crate) enum Step {
    Consent,
    Practice,
    Drawing,
    Trial { trial: usize },
    Questions { trial: usize },
    Farewell,
    Over,
    Withdrawn,
}

/// What is known of a trial.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Trialled {
    pub(crate) attempts: usize,
    /// In the last attempt.
    pub(crate) plan_ready: Option<f64>,
    pub(crate) done: Option<TrialDone>,
    pub(crate) answers: BTreeMap<usize, i8>,
    pub(crate) comment: String,
    pub(crate) questions_done: bool,
}

/// How a trial ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct TrialDone {
    pub(crate) seconds: f64,
    pub(crate) player_seconds: Option<f64>,
    pub(crate) npc_seconds: Option<f64>,
    pub(crate) given_up: bool,
}

/// A note of the experimenter.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Remark {
    pub(crate) trial: Option<usize>,
    pub(crate) seconds: Option<f64>,
    pub(crate) text: String,
}

/// Everything that a file says about a participant.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Record {
    pub(crate) id: String,
    pub(crate) number: usize,
    pub(crate) begun_at: u64,
    pub(crate) plan: Vec<Planned>,
    pub(crate) seventh: Seventh,
    pub(crate) times_shown: bool,
    pub(crate) hurried: f64,
    consented: bool,
    practised: bool,
    pub(crate) drawn: Vec<[f64; 2]>,
    drawing_done: bool,
    pub(crate) trials: BTreeMap<usize, Trialled>,
    pub(crate) remarks: Vec<Remark>,
    pub(crate) comment: Option<String>,
    pub(crate) withdrawn: bool,
}

impl Record {
    pub(crate) fn of(lines: &[Line]) -> Record {
        let mut record = Record::default();
        for line in lines {
            record.note(line);
        }
        record
    }

    fn note(&mut self, line: &Line) {
        match &line.entry {
            Entry::Begun {
                id,
                number,
                trials,
                seventh,
                times_shown,
                hurried,
                ..
            } => {
                *self = Record {
                    id: id.clone(),
                    number: *number,
                    begun_at: line.at,
                    plan: trials.clone(),
                    seventh: *seventh,
                    times_shown: *times_shown,
                    hurried: *hurried,
                    ..Record::default()
                };
            }
            Entry::Consented { .. } => self.consented = true,
            Entry::Practised { .. } => self.practised = true,
            Entry::Drawn { points } => self.drawn.clone_from(points),
            Entry::DrawingDone => self.drawing_done = true,
            Entry::TrialBegun { trial, attempt } => {
                let trial = self.trial_mut(*trial);
                trial.attempts = *attempt;
                trial.plan_ready = None;
            }
            Entry::PlanReady { trial, seconds, .. } => {
                self.trial_mut(*trial).plan_ready = Some(*seconds);
            }
            Entry::Happened { .. } => {}
            Entry::TrialDone {
                trial,
                seconds,
                player_seconds,
                npc_seconds,
                given_up,
                ..
            } => {
                self.trial_mut(*trial).done = Some(TrialDone {
                    seconds: *seconds,
                    player_seconds: *player_seconds,
                    npc_seconds: *npc_seconds,
                    given_up: *given_up,
                });
            }
            Entry::Answered {
                trial,
                statement,
                answer,
            } => {
                let answers = &mut self.trial_mut(*trial).answers;
                answers.insert(*statement, *answer);
            }
            Entry::Commented { trial, text } => self.trial_mut(*trial).comment.clone_from(text),
            Entry::QuestionsDone { trial } => self.trial_mut(*trial).questions_done = true,
            Entry::Remarked {
                trial,
                seconds,
                text,
            } => self.remarks.push(Remark {
                trial: *trial,
                seconds: *seconds,
                text: text.clone(),
            }),
            Entry::Ended { comment } => self.comment = Some(comment.clone()),
            Entry::Withdrawn => self.withdrawn = true,
        }
    }

    fn trial_mut(&mut self, trial: usize) -> &mut Trialled {
        self.trials.entry(trial).or_default()
    }

    /// What is planned for a trial.
    pub(crate) fn planned(&self, trial: usize) -> Option<&Planned> {
        self.plan.iter().find(|planned| planned.trial == trial)
    }

    /// What comes next.
    pub(crate) fn step(&self) -> Step {
        if self.withdrawn {
            return Step::Withdrawn;
        }
        if !self.consented {
            return Step::Consent;
        }
        if !self.practised {
            return Step::Practice;
        }
        for trial in 1..=TRIALS {
            if trial == FIRST_AFTER_DRAWING && !self.drawing_done {
                return Step::Drawing;
            }
            let known = self.trials.get(&trial);
            if known.is_none_or(|known| known.done.is_none()) {
                return Step::Trial { trial };
            }
            if known.is_none_or(|known| !known.questions_done) {
                return Step::Questions { trial };
            }
        }
        match self.comment {
            None => Step::Farewell,
            Some(_) => Step::Over,
        }
    }

    /// What is asked after a trial.
    pub(crate) fn statements(&self, trial: usize) -> Vec<&'static str> {
        let map = self
            .planned(trial)
            .map_or(Map::FiveDoors, |planned| planned.map);
        design::statements(map, self.seventh)
    }

    /// Whether something may be written down now: everything has its time, but for notes.
    fn allows(&self, entry: &Entry) -> Result<(), String> {
        let step = self.step();
        let is_time = match entry {
            Entry::Begun { .. } => false,
            Entry::Consented { .. } => step == Step::Consent,
            Entry::Practised { .. } => step == Step::Practice,
            Entry::Drawn { .. } => step == Step::Drawing,
            Entry::DrawingDone => step == Step::Drawing && self.drawn.len() > 1,
            Entry::TrialBegun { trial, .. }
            | Entry::PlanReady { trial, .. }
            | Entry::Happened { trial, .. }
            | Entry::TrialDone { trial, .. } => step == Step::Trial { trial: *trial },
            Entry::Answered {
                trial,
                statement,
                answer,
            } => {
                let statements = self.statements(*trial).len();
                if !(1..=statements).contains(statement) || !(-2..=2).contains(answer) {
                    return Err(format!(
                        "answers are from -2 to 2, to statements from 1 to {statements}"
                    ));
                }
                step == Step::Questions { trial: *trial }
            }
            Entry::Commented { trial, .. } => step == Step::Questions { trial: *trial },
            Entry::QuestionsDone { trial } => {
                let given = self
                    .trials
                    .get(trial)
                    .map_or(0, |known| known.answers.len());
                if given < self.statements(*trial).len() {
                    return Err("please answer every statement".to_owned());
                }
                step == Step::Questions { trial: *trial }
            }
            Entry::Ended { .. } => step == Step::Farewell,
            Entry::Remarked { .. } => true,
            Entry::Withdrawn => step != Step::Withdrawn,
        };
        match is_time {
            true => Ok(()),
            false => Err("this is not the time for that; load the page again".to_owned()),
        }
    }
}

/// Somebody who takes part now.
#[derive(Debug)]
pub(crate) struct Participant {
    pub(crate) record: Record,
    journal: Journal,
}

impl Participant {
    pub(crate) fn new(record: Record, journal: Journal) -> Participant {
        Participant { record, journal }
    }

    /// Writes something down. When this returns it is on the disk.
    pub(crate) fn note(&mut self, entry: Entry) -> Result<(), String> {
        self.record.allows(&entry)?;
        let line = self
            .journal
            .add(entry)
            .map_err(|error| cannot_write(&error))?;
        self.record.note(&line);
        Ok(())
    }
}

fn cannot_write(error: &io::Error) -> String {
    format!("this could not be written down: {error}; please call the experimenter")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(entry: Entry) -> Line {
        Line { at: 0, entry }
    }

    fn done(trial: usize) -> Entry {
        Entry::TrialDone {
            trial,
            attempts: 1,
            seconds: 1.0,
            player_seconds: None,
            npc_seconds: None,
            given_up: false,
        }
    }

    #[test]
    fn everything_has_its_time() {
        let begun = Entry::Begun {
            format: 1,
            id: "p01".to_owned(),
            number: 1,
            version: String::new(),
            trials: design::trials(1),
            seventh: Seventh::default(),
            times_shown: false,
            hurried: 1.0,
        };
        let mut record = Record::of(&[line(begun)]);
        assert_eq!(record.step(), Step::Consent);
        let to = String::new();
        assert!(record.allows(&Entry::Practised { seconds: 1.0 }).is_err());
        for (entry, next) in [
            (Entry::Consented { to }, Step::Practice),
            (Entry::Practised { seconds: 1.0 }, Step::Trial { trial: 1 }),
            (done(1), Step::Questions { trial: 1 }),
        ] {
            record.allows(&entry).unwrap();
            record.note(&line(entry));
            assert_eq!(record.step(), next);
        }
        let questions_done = Entry::QuestionsDone { trial: 1 };
        assert!(
            record.allows(&questions_done).is_err(),
            "nothing is answered"
        );
        let answered = |trial, statement, answer| Entry::Answered {
            trial,
            statement,
            answer,
        };
        for wrong in [
            answered(1, 0, 0),
            answered(1, 5, 0),
            answered(1, 1, 3),
            answered(2, 1, 0),
        ] {
            assert!(record.allows(&wrong).is_err(), "{wrong:?}");
        }
        for statement in 1..=4 {
            record.note(&line(answered(1, statement, 2)));
        }
        record.note(&line(answered(1, 4, -1)));
        record.allows(&questions_done).unwrap();
        record.note(&line(questions_done));
        assert_eq!(record.trials[&1].answers[&4], -1, "the last answer counts");
        for trial in 2..=4 {
            record.note(&line(done(trial)));
            record.note(&line(Entry::QuestionsDone { trial }));
        }
        assert_eq!(record.step(), Step::Drawing);
        assert!(
            record.allows(&Entry::DrawingDone).is_err(),
            "there is no line"
        );
        record.note(&line(Entry::Withdrawn));
        assert_eq!(record.step(), Step::Withdrawn);
        assert!(record.allows(&Entry::DrawingDone).is_err());
    }
}
