//! Answers the pages of the study: that of the participant, and that for the experimenter's notes.

use std::sync::Arc;

use super::design::{Map, TRIALS};
use super::journal::Entry;
use super::messages::{
    self, Answer, Ask, Game, Known, KnownParticipant, Reply, State, Watched, WatchedRemark,
};
use super::participant::{Participant, Record, Step};
use super::results::Positions;
use super::room::{Room, Use};
use super::trial::{Moment, Trial};
use super::{Now, Study};
use crate::connection::{Inbox, Outbox};

/// Longer comments and notes are cut off.
const LONGEST_TEXT: usize = 20_000;
/// A hand draws some hundred points.
const MOST_POINTS: usize = 4_000;
/// Points farther out are slips of the hand.
const FARTHEST: f64 = 1_000.0;
/// How much faster programs may play.
const MOST_HURRIED: f64 = 1_000.0;

/// Answers a page until it is gone.
pub(crate) fn run(study: &Arc<Study>, mut inbox: Inbox, outbox: &Outbox) {
    let mut page = Page {
        study,
        number: None,
        positions: None,
    };
    while let Some(text) = inbox.next() {
        let (id, answer) = match messages::read(&text) {
            Ok(question) => (question.id, page.answer(question.ask)),
            Err((id, message)) => (id, Answer::Refused { message }),
        };
        outbox.send(messages::write(&Reply { id, answer }));
    }
}

/// A page, and whether it has the word.
struct Page<'a> {
    study: &'a Study,
    /// Given when somebody begins or goes on here.
    number: Option<u64>,
    positions: Option<Positions>,
}

impl Page<'_> {
    fn answer(&mut self, ask: Ask) -> Answer {
        let answered = match ask {
            Ask::Who => Ok(Answer::Who(self.who())),
            Ask::Watch => Ok(Answer::Watched(Box::new(self.watch()))),
            Ask::Remark { text } => self.remark(&text),
            Ask::Begin {
                times_shown,
                seventh,
                hurried,
            } => {
                let hurried = hurried.unwrap_or(1.0);
                match (1.0..=MOST_HURRIED).contains(&hurried) {
                    false => Err(format!("nobody plays {hurried} times as fast")),
                    true => self
                        .study
                        .results
                        .begin(seventh, times_shown, hurried)
                        .and_then(|participant| self.take_over(participant)),
                }
            }
            Ask::Resume { participant } => self.resume(&participant),
            ask => self.of_participant(ask),
        };
        answered.unwrap_or_else(|message| Answer::Refused { message })
    }

    fn who(&self) -> Known {
        let (records, wrong) = self.study.results.read_some();
        let participants = records.iter().map(|record| KnownParticipant {
            id: record.id.clone(),
            step: record.step(),
            begun_at: record.begun_at,
        });
        Known {
            folder: self.study.results.name(),
            participants: participants.collect(),
            wrong,
        }
    }

    /// Somebody goes on. Whoever is at it on another page has no longer the word there.
    fn resume(&mut self, id: &str) -> Result<Answer, String> {
        let participant = self.study.results.resume(id)?;
        self.take_over(participant)
    }

    fn take_over(&mut self, participant: Participant) -> Result<Answer, String> {
        let positions = self.study.results.positions(&participant.record.id);
        let positions = positions
            .map_err(|error| format!("where everybody is cannot be written down: {error}"))?;
        let mut now = self.study.now();
        now.page += 1;
        self.number = Some(now.page);
        self.positions = Some(positions);
        now.trial = None;
        let state = self.state(&participant.record);
        now.participant = Some(participant);
        Ok(Answer::State(Box::new(state?)))
    }

    /// Answers what only the page may ask that has the word.
    fn of_participant(&mut self, ask: Ask) -> Result<Answer, String> {
        let study = self.study;
        let mut now = study.now();
        if self.number.is_some_and(|number| number != now.page) {
            return Ok(Answer::Elsewhere);
        }
        let Now {
            participant: Some(participant),
            trial,
            ..
        } = &mut *now
        else {
            return Err("nobody takes part yet; begin with a participant".to_owned());
        };
        if self.number.is_none() {
            return Err("nobody takes part on this page yet; begin with a participant".to_owned());
        }
        match ask {
            Ask::Consent => {
                let to = study.results.consent();
                participant.note(Entry::Consented { to })?;
            }
            Ask::Start => {
                *trial = Some(start(participant, trial.take())?);
                let Some(trial) = trial else {
                    return Err("there is no game".to_owned());
                };
                return Ok(Answer::Game(Box::new(game(participant, trial))));
            }
            Ask::Tick { wish } => {
                let Some(playing) = trial else {
                    return Err("no game has begun".to_owned());
                };
                let moment = playing.tick(wish.map(messages::Wish::direction));
                write_down(participant, playing, &moment, self.positions.as_mut())?;
                if moment.is_done {
                    finish(participant, playing, false, self.positions.as_ref())?;
                    *trial = None;
                }
                return Ok(Answer::Moment(Box::new(moment)));
            }
            Ask::GiveUp => {
                let Some(playing) = trial else {
                    return Err("no game has begun".to_owned());
                };
                finish(participant, playing, true, self.positions.as_ref())?;
                *trial = None;
            }
            Ask::Draw { points } => {
                let is_sound = |[x, y]: &[f64; 2]| x.abs() < FARTHEST && y.abs() < FARTHEST;
                if points.len() > MOST_POINTS || !points.iter().all(is_sound) {
                    return Err("this line cannot be kept; draw a shorter one".to_owned());
                }
                participant.note(Entry::Drawn { points })?;
                return Ok(Answer::Noted);
            }
            Ask::DrawingDone => participant.note(Entry::DrawingDone)?,
            Ask::Answer {
                trial,
                statement,
                answer,
            } => {
                participant.note(Entry::Answered {
                    trial,
                    statement,
                    answer,
                })?;
                return Ok(Answer::Noted);
            }
            Ask::Comment { trial, text } => {
                let text = shortened(&text);
                participant.note(Entry::Commented { trial, text })?;
                return Ok(Answer::Noted);
            }
            Ask::QuestionsDone { trial } => {
                participant.note(Entry::QuestionsDone { trial })?;
                study.results.refresh_tables();
            }
            Ask::End { comment } => {
                let comment = shortened(&comment);
                participant.note(Entry::Ended { comment })?;
                study.results.refresh_tables();
            }
            Ask::Withdraw => {
                *trial = None;
                participant.note(Entry::Withdrawn)?;
                study.results.refresh_tables();
            }
            Ask::Who | Ask::Begin { .. } | Ask::Resume { .. } | Ask::Watch | Ask::Remark { .. } => {
                return Err("this is answered elsewhere".to_owned());
            }
        }
        Ok(Answer::State(Box::new(self.state(&participant.record)?)))
    }

    fn state(&self, record: &Record) -> Result<State, String> {
        let step = record.step();
        let number = match step {
            Step::Trial { trial } | Step::Questions { trial } => Some(trial),
            _ => None,
        };
        let planned = number.and_then(|trial| record.planned(trial));
        let asked = match step {
            Step::Questions { trial } => record.trials.get(&trial),
            _ => None,
        };
        let statements = asked.map_or_else(Vec::new, |_| record.statements(number.unwrap_or(0)));
        let answers = (1..=statements.len()).map(|statement| {
            let answers = asked.map(|asked| &asked.answers);
            answers.and_then(|answers| answers.get(&statement).copied())
        });
        let room = match step {
            Step::Drawing => Some(Room::new(Map::BearLever, Use::Drawing)?.picture()),
            _ => None,
        };
        Ok(State {
            participant: record.id.clone(),
            step,
            trials: TRIALS,
            times_shown: record.times_shown,
            hurried: record.hurried,
            label: planned.map(|planned| planned.label.clone()),
            consent: (step == Step::Consent).then(|| self.study.results.consent()),
            room,
            drawn: record.drawn.clone(),
            answers: answers.collect(),
            statements,
            comment: asked.map_or_else(String::new, |asked| asked.comment.clone()),
            seconds: asked.and_then(|asked| asked.done).map(|done| done.seconds),
        })
    }

    fn watch(&self) -> Watched {
        let now = self.study.now();
        let record = now.participant.as_ref().map(|it| &it.record);
        let remarks = record.iter().flat_map(|record| &record.remarks);
        let remarks = remarks.map(|remark| WatchedRemark {
            trial: remark.trial,
            seconds: remark.seconds,
            text: remark.text.clone(),
        });
        Watched {
            participant: record.map(|record| record.id.clone()),
            step: record.map(Record::step),
            seconds: now.trial.as_ref().map(Trial::seconds),
            doing: now.trial.as_ref().map(Trial::doing),
            remarks: remarks.collect(),
        }
    }

    fn remark(&self, text: &str) -> Result<Answer, String> {
        let text = shortened(text);
        if text.is_empty() {
            return Err("write the note first".to_owned());
        }
        let mut now = self.study.now();
        let Now {
            participant, trial, ..
        } = &mut *now;
        let Some(participant) = participant else {
            return Err("nobody takes part yet".to_owned());
        };
        let asked = match participant.record.step() {
            Step::Trial { trial } | Step::Questions { trial } => Some(trial),
            _ => None,
        };
        participant.note(Entry::Remarked {
            trial: asked,
            seconds: trial.as_ref().map(Trial::seconds),
            text,
        })?;
        Ok(Answer::Noted)
    }
}

fn shortened(text: &str) -> String {
    let text = text.trim();
    text.chars().take(LONGEST_TEXT).collect()
}

/// Begins the game that comes next, or the same again after an attempt that failed.
fn start(participant: &mut Participant, before: Option<Trial>) -> Result<Trial, String> {
    let record = &participant.record;
    let number = match record.step() {
        Step::Practice => return Trial::begin((0, 1), (Map::Practice, None), &[], 0),
        Step::Trial { trial } => trial,
        _ => return Err("no game comes next; load the page again".to_owned()),
    };
    let planned = record.planned(number);
    let planned = planned.ok_or_else(|| format!("there is no trial {number}"))?;
    let attempt = record.trials.get(&number).map_or(0, |it| it.attempts) + 1;
    let seed = seed(&record.id, number, attempt);
    let played = (planned.map, Some(planned.npc));
    let trial = Trial::begin((number, attempt), played, &record.drawn, seed)?;
    let trial = match before.filter(|before| before.number == number) {
        Some(before) => trial.after(&before),
        None => trial,
    };
    participant.note(Entry::TrialBegun {
        trial: number,
        attempt,
    })?;
    Ok(trial)
}

/// The same chance for the same participant, trial and attempt (FNV-1a).
fn seed(id: &str, trial: usize, attempt: usize) -> u64 {
    let text = format!("{id} {trial} {attempt}");
    text.bytes().fold(0xCBF2_9CE4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
    })
}

fn game(participant: &Participant, trial: &Trial) -> Game {
    let record = &participant.record;
    let planned = record.planned(trial.number);
    let is_drawn = planned.is_some_and(|planned| planned.map == Map::BearLever);
    Game {
        trial: trial.number,
        attempt: trial.attempt,
        label: planned.map(|planned| planned.label.clone()),
        room: trial.room().picture(),
        drawn: match is_drawn {
            true => record.drawn.clone(),
            false => Vec::new(),
        },
        moment: trial.moment(&[]),
    }
}

/// Writes down what a moment brought.
fn write_down(
    participant: &mut Participant,
    playing: &Trial,
    moment: &Moment,
    positions: Option<&mut Positions>,
) -> Result<(), String> {
    let (trial, attempt) = (playing.number, playing.attempt);
    if let Some(positions) = positions {
        let player = [moment.player.x, moment.player.y];
        let npc = moment.npc.as_ref().map_or(player, |npc| [npc.x, npc.y]);
        positions
            .add((trial, attempt), moment.seconds, player, npc, moment.doing)
            .map_err(|error| format!("where everybody is cannot be written down: {error}"))?;
    }
    if trial == 0 {
        return Ok(());
    }
    let known = participant.record.trials.get(&trial);
    let is_told = known.is_some_and(|known| known.plan_ready.is_some());
    if let Some(seconds) = playing.ready_after().filter(|_| !is_told) {
        participant.note(Entry::PlanReady {
            trial,
            attempt,
            seconds,
        })?;
    }
    for what in &moment.events {
        participant.note(Entry::Happened {
            trial,
            attempt,
            seconds: moment.seconds,
            what: what.clone(),
        })?;
    }
    Ok(())
}

fn finish(
    participant: &mut Participant,
    playing: &Trial,
    given_up: bool,
    positions: Option<&Positions>,
) -> Result<(), String> {
    if let Some(positions) = positions {
        // Where somebody was is no answer; the study goes on without.
        let _ = positions.sync();
    }
    let seconds = playing.seconds();
    if playing.number == 0 {
        return participant.note(Entry::Practised { seconds });
    }
    participant.note(Entry::TrialDone {
        trial: playing.number,
        attempts: playing.attempt,
        seconds,
        player_seconds: playing.player_seconds(),
        npc_seconds: playing.npc_seconds(),
        given_up,
    })
}
