//! Talks with a page over its socket until it is gone: plans are made by threads of their own, one for
//! each side.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use crate::clock;
use crate::connection::{Inbox, Outbox};
use crate::folder::Folder;
use crate::kept::Prepared;
use crate::mailbox::Mailbox;
use crate::planning;
use crate::protocol::{Answer, PlanAsk, Side};
use crate::session::{Heard, Session, reply};

type PlanJob = (u64, Box<PlanAsk>);

/// Answers a page until it is gone.
pub(crate) fn run(mut inbox: Inbox, outbox: &Outbox, folder: &Arc<Folder>) {
    let sides = Side::ALL.map(|_| Worker::start(outbox, folder));
    let mut session = Session::new(Arc::clone(folder), clock::by_the_computer);
    while let Some(text) = inbox.next() {
        match session.hear(&text) {
            Heard::Answered(reply) => outbox.send(reply),
            Heard::Plan(id, ask) => {
                let worker = &sides[ask.side as usize];
                if let Some((replaced, _)) = worker.mailbox.put((id, ask)) {
                    outbox.send(reply(replaced, Answer::Superseded));
                }
            }
        }
    }
}

/// A thread that plans, one question at a time, always the newest.
struct Worker {
    mailbox: Mailbox<PlanJob>,
    thread: Option<JoinHandle<()>>,
}

impl Worker {
    fn start(outbox: &Outbox, folder: &Arc<Folder>) -> Worker {
        let mailbox = Mailbox::new();
        let (jobs, outbox, folder) = (mailbox.clone(), outbox.clone(), Arc::clone(folder));
        let thread = thread::Builder::new()
            .name("studio planner".to_owned())
            .spawn(move || work(&jobs, &outbox, &folder));
        Worker {
            mailbox,
            thread: thread.ok(),
        }
    }
}

impl Drop for Worker {
    /// However the session ended: the thread ends too, and lets go of the connection.
    fn drop(&mut self) {
        self.mailbox.close();
        if let Some(thread) = self.thread.take() {
            // A worker that panicked has already said so.
            let _ = thread.join();
        }
    }
}

fn work(jobs: &Mailbox<PlanJob>, outbox: &Outbox, folder: &Folder) {
    let mut prepared = Prepared::default();
    while let Some(((id, ask), stop)) = jobs.take() {
        let mut answered = false;
        let plan = AssertUnwindSafe(|| {
            planning::plan(
                (folder, clock::by_the_computer),
                &mut prepared,
                &ask,
                &stop,
                |answer| {
                    answered |= answer.done;
                    outbox.send(reply(id, Answer::Plan(Box::new(answer))));
                },
            )
        });
        // A mistake of ours costs one plan, not the worker: the search it was made with is not kept.
        let outcome = catch_unwind(plan)
            .unwrap_or_else(|_| Err("the planner has failed; this is a bug of ours".into()));
        match outcome {
            Err(refusal) => outbox.send(reply(id, Answer::Refused(refusal))),
            Ok(()) if !answered => outbox.send(reply(id, Answer::Superseded)),
            Ok(()) => {}
        }
    }
}
