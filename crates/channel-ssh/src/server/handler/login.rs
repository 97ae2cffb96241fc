//! Login attempts of one connection. Passwords are checked and users' files are read on
//! other threads, because both can block.

use std::{
    mem,
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use portreeve_channel::{PasswordVerifier, SshIdentity, SshProof};
use portreeve_secret::Secret;
use russh::{
    Disconnect,
    keys::{Algorithm, Certificate},
    server::Auth,
};
use tokio::{sync::oneshot, time::timeout};

use super::{ConnectionHandler, HandlerError};
use crate::{
    keys::KeyData,
    server::{
        authentication::{
            Authentication, ConversationEvent, LoginAttempt, LoginConversation, LoginRefusalReason,
            VERIFIER_STACK_SIZE,
        },
        cpu_time::thread_cpu_time,
        settings,
    },
};

/// A key that was checked when it was offered; its signature usually follows at once.
pub(super) struct CheckedKey {
    user: String,
    key: KeyData,
    result: Result<SshProof, LoginRefusalReason>,
}

/// State of keyboard-interactive authentication (RFC 4256).
#[derive(Default)]
pub(super) enum InteractiveState {
    #[default]
    None,
    /// Waiting for the peer's answers.
    AwaitingAnswers(Box<LoginConversation>),
    /// The verifier has finished. The peer gets the verifier's notices in a last round, and then
    /// the result.
    NoticeSent { user: String, accepted: bool },
}

impl ConnectionHandler {
    /// Checks an offered key before the peer signs with it. russh calls this for every key, whether
    /// a signature accompanies it or not, and for the key of a certificate.
    pub(super) async fn authorize_offer(
        &mut self,
        user: &str,
        algorithm: &Algorithm,
        key: &KeyData,
    ) -> Result<Auth, HandlerError> {
        self.count_offer()?;
        if let Err(reason) = self.current.authentication.check_algorithm(algorithm) {
            return self.refuse_login(user, reason);
        }
        let (name, offered, address) = (user.to_owned(), key.clone(), self.peer);
        let decision = self
            .with_authentication(user, move |authentication| {
                authentication.authorize_offer(LoginAttempt { user: &name, address }, &offered)
            })
            .await?;
        let result = decision.result;
        if let (Err(reason), false) = (&result, decision.may_have_certificate) {
            return self.refuse_login(user, *reason);
        }
        let checked = CheckedKey { user: user.to_owned(), key: key.clone(), result };
        self.checked_key = Some(Box::new(checked));
        Ok(Auth::Accept)
    }

    /// Decides if a key may log in. The peer has proven that it holds the key.
    pub(super) async fn authorize_key(&mut self, user: &str, key: &KeyData) -> Result<Auth, HandlerError> {
        self.interactive = InteractiveState::default();
        let result = match self.checked_key.take() {
            Some(checked) if checked.user == user && checked.key == *key => checked.result,
            _ => {
                let (name, key, address) = (user.to_owned(), key.clone(), self.peer);
                self.with_authentication(user, move |authentication| {
                    authentication.authorize_key(LoginAttempt { user: &name, address }, &key)
                })
                .await?
            }
        };
        self.finish_key_login(user, result).await
    }

    /// Decides if a certificate may log in. The peer has proven that it holds the certified key.
    pub(super) async fn authorize_certificate(
        &mut self,
        user: &str,
        certificate: &Certificate,
    ) -> Result<Auth, HandlerError> {
        self.interactive = InteractiveState::default();
        let (name, certificate, address) = (user.to_owned(), certificate.clone(), self.peer);
        let result = self
            .with_authentication(user, move |authentication| {
                authentication.authorize_certificate(LoginAttempt { user: &name, address }, &certificate)
            })
            .await?;
        self.finish_key_login(user, result).await
    }

    /// Checks a password.
    pub(super) async fn check_password(&mut self, user: &str, password: &str) -> Result<Auth, HandlerError> {
        let Some(verifier) = self.current.authentication.password.clone() else { return Ok(self.reject()) };
        let password = Secret::from(password);
        self.count_attempt()?;
        let result = match self.start_conversation(verifier, user).await {
            Ok(conversation) => conversation.answer_with_password(&password).await,
            Err(reason) => Err(reason),
        };
        // The password method offers no other way to send a message to the user.
        if let Some(message) = result.err().and_then(LoginRefusalReason::message_for_peer) {
            self.disconnect_with_message(message).await?;
        }
        self.finish_login(user, result.map(|()| SshProof::Password))
    }

    /// Starts keyboard-interactive authentication and sends the verifier's first questions.
    pub(super) async fn start_interactive(&mut self, user: &str) -> Result<Auth, HandlerError> {
        let Some(verifier) = self.current.authentication.keyboard_interactive.clone() else {
            return Ok(self.reject());
        };
        self.count_attempt()?;
        match self.start_conversation(verifier, user).await {
            Ok(conversation) => self.continue_conversation(conversation).await,
            Err(reason) => self.refuse_login(user, reason),
        }
    }

    /// Passes the peer's answers to the verifier and continues.
    pub(super) async fn submit_answers<O: AsRef<[u8]>>(
        &mut self,
        user: &str,
        answers: Vec<O>,
    ) -> Result<Auth, HandlerError> {
        match mem::take(&mut self.interactive) {
            InteractiveState::AwaitingAnswers(mut conversation) if conversation.user() == user => {
                let secrets = answers.iter().map(|answer| Secret::from(answer.as_ref())).collect();
                match conversation.submit_answers(secrets).await {
                    Ok(()) => self.continue_conversation(*conversation).await,
                    Err(reason) => self.refuse_login(user, reason),
                }
            }
            InteractiveState::NoticeSent { user: expected_user, accepted: true }
                if expected_user == user && answers.is_empty() =>
            {
                self.finish_login(user, Ok(SshProof::Password))
            }
            // Refusals were counted when they occurred.
            _ => Ok(self.reject()),
        }
    }

    /// Sends the verifier's next event to the peer.
    async fn continue_conversation(
        &mut self,
        mut conversation: LoginConversation,
    ) -> Result<Auth, HandlerError> {
        match conversation.next_event().await {
            ConversationEvent::Questions { notices, questions } => {
                let prompts = questions.into_iter().map(|question| (question.text.into(), question.echo));
                let prompts = prompts.collect();
                self.interactive = InteractiveState::AwaitingAnswers(Box::new(conversation));
                Ok(Auth::Partial { name: "".into(), instructions: notices.into(), prompts })
            }
            ConversationEvent::Finished { mut notices, result } => {
                let user = conversation.user().to_owned();
                let result = result.map_err(|error| conversation.refusal_reason(error));
                if let (true, Some(message)) =
                    (notices.is_empty(), result.err().and_then(LoginRefusalReason::message_for_peer))
                {
                    notices = message.to_owned();
                }
                if notices.is_empty() {
                    return self.finish_login(&user, result.map(|()| SshProof::Password));
                }
                // Notices are sent as a round without questions, which the peer acknowledges.
                if let Err(reason) = result {
                    self.refuse_login(&user, reason)?;
                }
                self.interactive = InteractiveState::NoticeSent { user, accepted: result.is_ok() };
                Ok(Auth::Partial {
                    name: "".into(),
                    instructions: notices.into(),
                    prompts: Vec::new().into(),
                })
            }
        }
    }

    /// Closes the connection after the current call, with a message to the peer.
    async fn disconnect_with_message(&self, message: &str) -> Result<(), HandlerError> {
        if let Some(handle) = self.progress.handle.get() {
            let disconnect = handle.disconnect(Disconnect::ByApplication, message.to_owned(), String::new());
            // If the connection does not accept the message in time, it closes without the message.
            let _ = timeout(DISCONNECT_TIMEOUT, disconnect).await;
        }
        Ok(())
    }

    async fn start_conversation(
        &self,
        verifier: Arc<dyn PasswordVerifier>,
        user: &str,
    ) -> Result<LoginConversation, LoginRefusalReason> {
        LoginConversation::start(verifier, Arc::clone(&self.current.passwords), user, self.peer).await
    }

    /// Counts an attempt. Without a limit, a peer could start any number of conversations and never
    /// answer.
    fn count_attempt(&mut self) -> Result<(), HandlerError> {
        self.interactive = InteractiveState::default();
        if self.attempts == settings::MAX_LOGIN_ATTEMPTS {
            self.statistics.count_refusal(LoginRefusalReason::TooManyAttempts);
            return Err(HandlerError::TooManyAttempts);
        }
        self.attempts += 1;
        Ok(())
    }

    /// Counts an offered key. russh counts only refused keys, so a peer could otherwise make the
    /// server read the same files and check the same key without limit.
    fn count_offer(&mut self) -> Result<(), HandlerError> {
        self.interactive = InteractiveState::default();
        if self.offers == settings::MAX_KEY_OFFERS {
            self.statistics.count_refusal(LoginRefusalReason::TooManyKeys);
            return Err(HandlerError::TooManyAttempts);
        }
        self.offers += 1;
        self.progress.charge(OFFER_CPU_TIME);
        Ok(())
    }

    /// Rejects an attempt and leaves all methods available. russh limits the number of attempts.
    pub(super) fn reject(&self) -> Auth {
        let methods = settings::methods(&self.current.authentication);
        Auth::Reject { proceed_with_methods: Some(methods), partial_success: false }
    }

    /// Completes a login with a key or a certificate; verifies the account if a verifier is set.
    async fn finish_key_login(
        &mut self,
        user: &str,
        result: Result<SshProof, LoginRefusalReason>,
    ) -> Result<Auth, HandlerError> {
        let result = match result {
            Ok(proof) => self.verify_account(user).await.map(|()| proof),
            refused => refused,
        };
        self.finish_login(user, result)
    }

    /// Verifies the account on a separate thread, because PAM may need a large stack and much time.
    async fn verify_account(&self, user: &str) -> Result<(), LoginRefusalReason> {
        let Some(verifier) = self.current.authentication.account.clone() else { return Ok(()) };
        let failed = LoginRefusalReason::VerifierFailed;
        let slot = self.current.reads.acquire(user).await.ok_or(failed)?;
        let (sender, verdict) = oneshot::channel();
        let (name, address) = (user.to_owned(), self.peer);
        let run = move || {
            let _slot = slot;
            // Fails if the connection has ended; then there is nothing left to do.
            let _ = sender.send(verifier.verify_account(&name, address));
        };
        let started =
            thread::Builder::new().name("account".into()).stack_size(VERIFIER_STACK_SIZE).spawn(run);
        started.map_err(|_| failed)?;
        // If the verifier has panicked, the login is refused.
        verdict.await.map_err(|_| failed)?.map_err(LoginRefusalReason::from)
    }

    fn finish_login(
        &mut self,
        user: &str,
        result: Result<SshProof, LoginRefusalReason>,
    ) -> Result<Auth, HandlerError> {
        match result {
            Ok(proof) => {
                self.identity = Some(Arc::new(SshIdentity { user: user.to_owned(), proof }));
                Ok(Auth::Accept)
            }
            Err(reason) => self.refuse_login(user, reason),
        }
    }

    fn refuse_login(&mut self, user: &str, reason: LoginRefusalReason) -> Result<Auth, HandlerError> {
        self.progress.set_refusal(reason);
        if reason == LoginRefusalReason::PasswordDisplaced {
            // The refusal was counted when it occurred; the peer may answer much later or never.
            return Ok(self.reject());
        }
        self.statistics.record_refusal(reason, self.peer, Some(user), Instant::now());
        Ok(self.reject())
    }

    /// Runs `check`, which reads the user's files, on a blocking thread.
    pub(super) async fn with_authentication<T: Send + 'static>(
        &self,
        user: &str,
        check: impl FnOnce(&Authentication) -> T + Send + 'static,
    ) -> Result<T, HandlerError> {
        let authentication = Arc::clone(&self.current.authentication);
        // An invalid name is refused before any file is read.
        if authentication.check_name(user).is_err() {
            return Ok(check(&authentication));
        }
        let slot = self.current.reads.acquire(user).await.ok_or(HandlerError::InvalidState)?;
        let progress = Arc::clone(&self.progress);
        let run = move || {
            let _slot = slot;
            let before = thread_cpu_time();
            let result = check(&authentication);
            progress.charge(thread_cpu_time().saturating_sub(before));
            result
        };
        tokio::task::spawn_blocking(run).await.map_err(|_| HandlerError::InvalidState)
    }
}

/// The processor time charged for an offered key, in addition to that for reading key files. It is
/// about three times what an offer needs, so that it covers the key exchange, too: an attacker who
/// offers keys without end needs a new connection after [`settings::MAX_KEY_OFFERS`].
const OFFER_CPU_TIME: Duration = Duration::from_micros(300);
/// Maximum time to wait until the connection accepts a disconnect message.
const DISCONNECT_TIMEOUT: Duration = Duration::from_millis(100);
