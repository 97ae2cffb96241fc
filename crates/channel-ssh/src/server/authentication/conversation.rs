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
//! Dropping a conversation ends it: the verifier's next question fails, and the thread ends. The
//! same happens to a conversation that another login displaces.

use std::{
    mem,
    net::IpAddr,
    sync::{Arc, mpsc as blocking},
    thread,
    time::Instant,
};

use portreeve_channel::{LoginDialog, LoginError, LoginPrompt, PasswordVerifier};
use portreeve_secret::Secret;
use tokio::sync::mpsc;

use super::{
    LoginRefusalReason,
    pool::{AnswerBatch, Attempt, AttemptSlot, PasswordPool, Phase, WorkPermit},
    users,
};

/// A login attempt in progress.
#[derive(Debug)]
pub(in crate::server) struct LoginConversation {
    user: String,
    pool: Arc<PasswordPool>,
    attempt: Arc<Attempt>,
    events: mpsc::Receiver<ConversationEvent>,
    /// Number of answers that the verifier waits for.
    expected_answers: usize,
}

/// Something the verifier sends to the connection.
#[derive(Debug)]
pub(in crate::server) enum ConversationEvent {
    /// Questions for the user, preceded by notices.
    Questions { notices: String, questions: Vec<LoginPrompt> },
    /// The result of the login, and notices that are not shown yet.
    Finished { notices: String, result: Result<(), LoginError> },
}

impl LoginConversation {
    /// Starts a verifier. Waits for a thread and a permit, but not for the verifier.
    pub(in crate::server) async fn start(
        verifier: Arc<dyn PasswordVerifier>,
        pool: Arc<PasswordPool>,
        user: &str,
        address: IpAddr,
    ) -> Result<Self, LoginRefusalReason> {
        users::check_name(user)?;
        let mut slot = pool.acquire_slot(address)?;
        pool.acquire_thread(&mut slot).await?;
        let attempt = Arc::clone(&slot.attempt);
        let permit = pool.acquire_permit(&attempt).await?;
        let (event_sender, events) = mpsc::channel(1);
        let (answers, answer_receiver) = blocking::sync_channel(1);
        attempt.set_answers(answers);
        let mut thread_side = ThreadSide {
            events: event_sender,
            answers: answer_receiver,
            permit: Some(permit),
            notices: String::new(),
            slot,
        };
        let name = user.to_owned();
        // Uses its own thread instead of the runtime's pool, so that the process can exit without
        // waiting for it.
        let run = move || {
            let result = verifier.verify(&name, address, &mut thread_side);
            let notices = mem::take(&mut thread_side.notices);
            // Fails if the connection has ended; then there is nothing left to do.
            let _ = thread_side.events.blocking_send(ConversationEvent::Finished { notices, result });
        };
        let started =
            thread::Builder::new().name("password".into()).stack_size(VERIFIER_STACK_SIZE).spawn(run);
        started.map_err(|_| LoginRefusalReason::PasswordBusy)?;
        Ok(Self { user: user.to_owned(), pool, attempt, events, expected_answers: 0 })
    }

    /// Returns true if another login has displaced this one, which then fails.
    pub(in crate::server) fn is_displaced(&self) -> bool {
        self.attempt.is_displaced()
    }

    /// Returns the refusal reason for an error of the verifier.
    pub(in crate::server) fn refusal_reason(&self, error: LoginError) -> LoginRefusalReason {
        if self.is_displaced() { LoginRefusalReason::PasswordDisplaced } else { error.into() }
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
        let permit = self.pool.acquire_permit(&self.attempt).await?;
        // If the verifier has ended, the next event reports it.
        self.attempt.send_answers(AnswerBatch { secrets, permit });
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
                    return result.map_err(|error| self.refusal_reason(error));
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

impl Drop for LoginConversation {
    fn drop(&mut self) {
        self.attempt.close_answers();
    }
}

/// The thread's side of the conversation.
struct ThreadSide {
    events: mpsc::Sender<ConversationEvent>,
    answers: blocking::Receiver<AnswerBatch>,
    permit: Option<WorkPermit>,
    /// Notices to show before the next questions.
    notices: String,
    slot: AttemptSlot,
}

impl LoginDialog for ThreadSide {
    fn show_notice(&mut self, notice: &str) {
        if self.notices.len() + notice.len() < MAX_NOTICES_LEN {
            self.notices.push_str(notice);
            self.notices.push('\n');
        }
    }

    fn prompt(&mut self, questions: Vec<LoginPrompt>) -> Option<Vec<Secret>> {
        if self.slot.attempt.is_displaced() {
            return None;
        }
        self.slot.attempt.set_phase(Phase::AwaitingAnswer(Instant::now()));
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
pub(in crate::server) const VERIFIER_STACK_SIZE: usize = 8 << 20;

#[cfg(test)]
mod tests;
