//! One attempt to log in with a password, or by answering questions: a judge on a thread, and the connection it asks.
//!
//! ```text
//! connection                               thread
//! begin ── place, turn ──────────────────▶ judge ─┐
//! next  ◀──────── Asked(questions) ───────── ask ◀┘   gives its turn back
//! answer ── answers, a new turn ─────────▶ … ─────▶ judge goes on
//! next  ◀──────── Decided(verdict) ─────── over       gives its place back
//! ```
//! Dropping an interview ends the conversation: the judge's next question finds nobody, and its thread comes to its end.

use std::{
    mem,
    net::IpAddr,
    sync::{Arc, mpsc as blocking},
    thread,
};

use portreeve_channel::{Applicant, Denial, JudgeQuestion, PasswordJudge};
use portreeve_secret::Secret;
use tokio::sync::mpsc;

use super::{
    Refusal,
    pool::{PasswordPool, Place, Turn},
    users,
};

/// An attempt in progress.
#[derive(Debug)]
pub(in crate::server) struct Interview {
    user: String,
    pool: Arc<PasswordPool>,
    events: mpsc::Receiver<Event>,
    answers: blocking::SyncSender<Answers>,
    /// How many answers are awaited.
    awaited: usize,
}

/// What a judge comes to.
#[derive(Debug)]
pub(in crate::server) enum Event {
    /// It has something to ask, after something to tell.
    Asked { notices: String, questions: Vec<JudgeQuestion> },
    /// It has judged, and may have something to tell.
    Decided { notices: String, verdict: Result<(), Denial> },
}

struct Answers {
    secrets: Vec<Secret>,
    turn: Turn,
}

impl Interview {
    /// Has a judge begin. Waits for its turn, not for the judge.
    pub(in crate::server) async fn begin(
        judge: Arc<dyn PasswordJudge>,
        pool: Arc<PasswordPool>,
        user: &str,
        address: IpAddr,
    ) -> Result<Self, Refusal> {
        users::check_name(user)?;
        let place = pool.enter(address)?;
        let turn = pool.turn().await.ok_or(Refusal::PasswordBusy)?;
        let (event_sender, events) = mpsc::channel(1);
        let (answers, answer_receiver) = blocking::sync_channel(1);
        let mut desk = Desk {
            events: event_sender,
            answers: answer_receiver,
            turn: Some(turn),
            notices: String::new(),
            _place: place,
        };
        let name = user.to_owned();
        // A thread of its own and not the runtime's: the process does not wait for it when it ends.
        let work = move || {
            let verdict = judge.judge(&name, address, &mut desk);
            let notices = mem::take(&mut desk.notices);
            // Nobody may be there any more.
            let _ = desk.events.blocking_send(Event::Decided { notices, verdict });
        };
        let started = thread::Builder::new().name("password".into()).stack_size(STACK).spawn(work);
        started.map_err(|_| Refusal::PasswordBusy)?;
        Ok(Self { user: user.to_owned(), pool, events, answers, awaited: 0 })
    }

    /// About whom the interview is.
    pub(in crate::server) fn user(&self) -> &str {
        &self.user
    }

    /// Waits for what the judge has to say.
    pub(in crate::server) async fn next(&mut self) -> Event {
        match self.events.recv().await {
            Some(event) => {
                if let Event::Asked { questions, .. } = &event {
                    self.awaited = questions.len();
                }
                event
            }
            // A judge that panics has not accepted.
            None => Event::Decided { notices: String::new(), verdict: Err(Denial::Failed) },
        }
    }

    /// Hands over as many answers as are awaited, when it is their turn.
    pub(in crate::server) async fn answer(&mut self, secrets: Vec<Secret>) -> Result<(), Refusal> {
        let no_answer = |secret: &Secret| secret.len() > LONGEST_ANSWER || secret.expose().contains(&0);
        if secrets.len() != self.awaited || secrets.iter().any(no_answer) {
            return Err(Refusal::Password);
        }
        self.awaited = 0;
        let turn = self.pool.turn().await.ok_or(Refusal::PasswordBusy)?;
        // Where the judge has gone, the next event says so.
        let _ = self.answers.try_send(Answers { secrets, turn });
        Ok(())
    }

    /// Lets the judge come to its end with one password, which is the answer to whatever may not be seen.
    pub(in crate::server) async fn with_password(mut self, password: &Secret) -> Result<(), Refusal> {
        for _ in 0..MOST_ROUNDS {
            match self.next().await {
                Event::Decided { verdict, .. } => return verdict.map_err(Refusal::from),
                Event::Asked { questions, .. } if questions.iter().any(|question| question.echo) => {
                    return Err(Refusal::PasswordNotEnough);
                }
                Event::Asked { questions, .. } => {
                    self.answer(questions.iter().map(|_| password.duplicate()).collect()).await?;
                }
            }
        }
        Err(Refusal::PasswordNotEnough)
    }
}

/// The connection, as the judge's thread sees it.
struct Desk {
    events: mpsc::Sender<Event>,
    answers: blocking::Receiver<Answers>,
    turn: Option<Turn>,
    /// What is to be read before the next question.
    notices: String,
    _place: Place,
}

impl Applicant for Desk {
    fn tell(&mut self, notice: &str) {
        if self.notices.len() + notice.len() < LONGEST_NOTICES {
            self.notices.push_str(notice);
            self.notices.push('\n');
        }
    }

    fn ask(&mut self, questions: Vec<JudgeQuestion>) -> Option<Vec<Secret>> {
        self.turn = None;
        let notices = mem::take(&mut self.notices);
        self.events.blocking_send(Event::Asked { notices, questions }).ok()?;
        let Answers { secrets, turn } = self.answers.recv().ok()?;
        self.turn = Some(turn);
        Some(secrets)
    }
}

/// Octets of an answer.
const LONGEST_ANSWER: usize = 1024;
/// Octets of what is told at once.
const LONGEST_NOTICES: usize = 4096;
/// Questions that one password answers.
const MOST_ROUNDS: usize = 8;
/// Octets of a judge's stack: as much as a program's first thread has with most systems.
const STACK: usize = 8 << 20;

#[cfg(test)]
mod tests;
