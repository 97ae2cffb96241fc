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

use portreeve_channel::{LoginDialog, LoginError, LoginPrompt, PasswordVerifier};
use portreeve_secret::Secret;
use tokio::sync::mpsc;

use super::{
    LoginRefusalReason,
    pool::{AttemptSlot, PasswordPool, WorkPermit},
    users,
};

/// An attempt in progress.
#[derive(Debug)]
pub(in crate::server) struct LoginConversation {
    user: String,
    pool: Arc<PasswordPool>,
    events: mpsc::Receiver<ConversationEvent>,
    answers: blocking::SyncSender<AnswerBatch>,
    /// How many answers are awaited.
    expected_answers: usize,
}

/// What a judge comes to.
#[derive(Debug)]
pub(in crate::server) enum ConversationEvent {
    /// It has something to ask, after something to tell.
    Questions { notices: String, questions: Vec<LoginPrompt> },
    /// It has judged, and may have something to tell.
    Finished { notices: String, result: Result<(), LoginError> },
}

struct AnswerBatch {
    secrets: Vec<Secret>,
    permit: WorkPermit,
}

impl LoginConversation {
    /// Has a judge begin. Waits for its turn, not for the judge.
    pub(in crate::server) async fn start(
        verifier: Arc<dyn PasswordVerifier>,
        pool: Arc<PasswordPool>,
        user: &str,
        address: IpAddr,
    ) -> Result<Self, LoginRefusalReason> {
        users::check_name(user)?;
        let slot = pool.acquire_slot(address)?;
        let permit = pool.acquire_permit().await.ok_or(LoginRefusalReason::PasswordBusy)?;
        let (event_sender, events) = mpsc::channel(1);
        let (answers, answer_receiver) = blocking::sync_channel(1);
        let mut thread_side = ThreadSide {
            events: event_sender,
            answers: answer_receiver,
            permit: Some(permit),
            notices: String::new(),
            _slot: slot,
        };
        let name = user.to_owned();
        // A thread of its own and not the runtime's: the process does not wait for it when it ends.
        let run = move || {
            let result = verifier.verify(&name, address, &mut thread_side);
            let notices = mem::take(&mut thread_side.notices);
            // Nobody may be there any more.
            let _ = thread_side.events.blocking_send(ConversationEvent::Finished { notices, result });
        };
        let started = thread::Builder::new().name("password".into()).stack_size(STACK_SIZE).spawn(run);
        started.map_err(|_| LoginRefusalReason::PasswordBusy)?;
        Ok(Self { user: user.to_owned(), pool, events, answers, expected_answers: 0 })
    }

    /// About whom the interview is.
    pub(in crate::server) fn user(&self) -> &str {
        &self.user
    }

    /// Waits for what the judge has to say.
    pub(in crate::server) async fn next_event(&mut self) -> ConversationEvent {
        match self.events.recv().await {
            Some(event) => {
                if let ConversationEvent::Questions { questions, .. } = &event {
                    self.expected_answers = questions.len();
                }
                event
            }
            // A judge that panics has not accepted.
            None => {
                ConversationEvent::Finished { notices: String::new(), result: Err(LoginError::Unavailable) }
            }
        }
    }

    /// Hands over as many answers as are awaited, when it is their turn.
    pub(in crate::server) async fn submit_answers(
        &mut self,
        secrets: Vec<Secret>,
    ) -> Result<(), LoginRefusalReason> {
        let is_invalid = |secret: &Secret| secret.len() > MAX_ANSWER_LEN || secret.expose().contains(&0);
        if secrets.len() != self.expected_answers || secrets.iter().any(is_invalid) {
            return Err(LoginRefusalReason::Password);
        }
        self.expected_answers = 0;
        let permit = self.pool.acquire_permit().await.ok_or(LoginRefusalReason::PasswordBusy)?;
        // Where the judge has gone, the next event says so.
        let _ = self.answers.try_send(AnswerBatch { secrets, permit });
        Ok(())
    }

    /// Lets the judge come to its end with one password, which is the answer to whatever may not be seen.
    pub(in crate::server) async fn answer_with_password(
        mut self,
        password: &Secret,
    ) -> Result<(), LoginRefusalReason> {
        for _ in 0..MAX_ROUNDS {
            match self.next_event().await {
                ConversationEvent::Finished { result, .. } => {
                    return result.map_err(LoginRefusalReason::from);
                }
                ConversationEvent::Questions { questions, .. }
                    if questions.iter().any(|question| question.echo) =>
                {
                    return Err(LoginRefusalReason::PasswordNotEnough);
                }
                ConversationEvent::Questions { questions, .. } => {
                    self.submit_answers(questions.iter().map(|_| password.duplicate()).collect()).await?;
                }
            }
        }
        Err(LoginRefusalReason::PasswordNotEnough)
    }
}

/// The connection, as the judge's thread sees it.
struct ThreadSide {
    events: mpsc::Sender<ConversationEvent>,
    answers: blocking::Receiver<AnswerBatch>,
    permit: Option<WorkPermit>,
    /// What is to be read before the next question.
    notices: String,
    _slot: AttemptSlot,
}

impl LoginDialog for ThreadSide {
    fn show_notice(&mut self, notice: &str) {
        if self.notices.len() + notice.len() < MAX_NOTICES_LEN {
            self.notices.push_str(notice);
            self.notices.push('\n');
        }
    }

    fn prompt(&mut self, questions: Vec<LoginPrompt>) -> Option<Vec<Secret>> {
        self.permit = None;
        let notices = mem::take(&mut self.notices);
        self.events.blocking_send(ConversationEvent::Questions { notices, questions }).ok()?;
        let AnswerBatch { secrets, permit } = self.answers.recv().ok()?;
        self.permit = Some(permit);
        Some(secrets)
    }
}

/// Octets of an answer.
const MAX_ANSWER_LEN: usize = 1024;
/// Octets of what is told at once.
const MAX_NOTICES_LEN: usize = 4096;
/// Questions that one password answers.
const MAX_ROUNDS: usize = 8;
/// Octets of a judge's stack: as much as a program's first thread has with most systems.
const STACK_SIZE: usize = 8 << 20;

#[cfg(test)]
mod tests;
