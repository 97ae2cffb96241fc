//! One login with a password or keyboard-interactive: a verifier on its own thread, and the
//! connection it sends its questions to.
//!
//! ```text
//! connection                                    thread
//! start ── slot, permit ──────────────────────▶ verify ─┐
//! next_event ◀──────── Questions ───────────────── ask ◀┘   returns its permit
//! submit_answers ── answers, new permit ──────▶ verify continues
//! next_event ◀──────── Finished(result) ─────── end         returns its slot
//! ```
//! Dropping a conversation ends it: the verifier's next question fails, and the thread ends.

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

/// A login attempt in progress.
#[derive(Debug)]
pub(in crate::server) struct LoginConversation {
    user: String,
    pool: Arc<PasswordPool>,
    events: mpsc::Receiver<ConversationEvent>,
    answers: blocking::SyncSender<AnswerBatch>,
    /// Number of answers that the verifier waits for.
    expected_answers: usize,
}

/// Something the verifier sends to the connection.
#[derive(Debug)]
pub(in crate::server) enum ConversationEvent {
    /// Questions for the user, preceded by notices.
    Questions { notices: String, questions: Vec<LoginPrompt> },
    /// The result, and possibly notices.
    Finished { notices: String, result: Result<(), LoginError> },
}

struct AnswerBatch {
    secrets: Vec<Secret>,
    permit: WorkPermit,
}

impl LoginConversation {
    /// Starts a verifier. Waits for a permit, but not for the verifier.
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
        // Uses its own thread instead of the runtime's pool, so that the process can exit without
        // waiting for it.
        let run = move || {
            let result = verifier.verify(&name, address, &mut thread_side);
            let notices = mem::take(&mut thread_side.notices);
            // Fails if the connection has gone; then there is nothing left to do.
            let _ = thread_side.events.blocking_send(ConversationEvent::Finished { notices, result });
        };
        let started = thread::Builder::new().name("password".into()).stack_size(STACK_SIZE).spawn(run);
        started.map_err(|_| LoginRefusalReason::PasswordBusy)?;
        Ok(Self { user: user.to_owned(), pool, events, answers, expected_answers: 0 })
    }

    /// Returns the user name of this login.
    pub(in crate::server) fn user(&self) -> &str {
        &self.user
    }

    /// Waits for the next event from the verifier.
    pub(in crate::server) async fn next_event(&mut self) -> ConversationEvent {
        match self.events.recv().await {
            Some(event) => {
                if let ConversationEvent::Questions { questions, .. } = &event {
                    self.expected_answers = questions.len();
                }
                event
            }
            // A verifier that panicked has not accepted the login.
            None => {
                ConversationEvent::Finished { notices: String::new(), result: Err(LoginError::Unavailable) }
            }
        }
    }

    /// Passes on exactly as many answers as the verifier expects, once a permit is free.
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
        // If the verifier has ended, the next event reports it.
        let _ = self.answers.try_send(AnswerBatch { secrets, permit });
        Ok(())
    }

    /// Runs the verifier to its end, with one password as the answer to every hidden question.
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

/// The thread's side of the conversation.
struct ThreadSide {
    events: mpsc::Sender<ConversationEvent>,
    answers: blocking::Receiver<AnswerBatch>,
    permit: Option<WorkPermit>,
    /// Notices to show before the next questions.
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

/// Maximum length of an answer in octets.
const MAX_ANSWER_LEN: usize = 1024;
/// Maximum length of the notices sent at once, in octets.
const MAX_NOTICES_LEN: usize = 4096;
/// Maximum number of question rounds that one password answers.
const MAX_ROUNDS: usize = 8;
/// Stack size of the verifier's thread in bytes: the usual size of a program's main thread.
const STACK_SIZE: usize = 8 << 20;

#[cfg(test)]
mod tests;
