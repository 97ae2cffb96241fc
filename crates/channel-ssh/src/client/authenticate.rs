//! User authentication (RFC 4252, RFC 4256). By default keys are tried first, then
//! keyboard-interactive, then the password; ssh_config can change the order.

use std::{
    future::Future,
    sync::OnceLock,
    time::{Duration, SystemTime},
};

use portreeve_channel::{ChannelError, ChannelObserver, ChannelStep, Fact};
use russh::{
    MethodKind, MethodSet,
    client::{AuthResult, Handle, KeyboardInteractiveAuthResponse as Interactive, Prompt},
    keys::{Algorithm, HashAlg},
};

use super::{
    handler::ClientHandler,
    identities::{Identities, KeyCandidate},
    prompter::{LoginContext, NoPrompter, Prompter, UserQuestion},
    signer::{KeyHolder, SignError, UserSigner},
    ssh_config::LoginMethod,
    target::SshTarget,
};

/// Logs in with one of these keys, or with another allowed method.
//= rfc5592#5.3-3
pub(crate) async fn log_in(
    handle: &mut Handle<ClientHandler>,
    target: &SshTarget,
    identities: Identities,
    prompter: &dyn Prompter,
    observer: &dyn ChannelObserver,
    disconnect_message: &OnceLock<String>,
) -> Result<(), ChannelError> {
    let prompter: &dyn Prompter = if target.is_interactive { prompter } else { &NoPrompter };
    observer.on_step(ChannelStep::ClientIdentity);
    observer.on_fact(Fact::new("user", target.user.escape_debug().to_string()));
    for remark in &identities.remarks {
        observer.on_fact(Fact::new("remark", remark));
    }
    let mut attempt = LoginAttempt {
        handle,
        target,
        prompter,
        observer,
        disconnect_message,
        user_answered: false,
        keys_offered: 0,
        allowed_methods: None,
        remarks: identities.remarks,
    };
    let mut keys = Some((identities.candidates, identities.agent));
    for method in &target.methods {
        let done = match method {
            LoginMethod::PublicKey => match keys.take() {
                Some((candidates, agent)) => attempt.try_keys(candidates, agent).await?,
                None => false,
            },
            LoginMethod::KeyboardInteractive => attempt.try_keyboard_interactive().await?,
            LoginMethod::Password => attempt.try_password().await?,
        };
        if done {
            return Ok(());
        }
    }
    if attempt.user_answered {
        // Wait for a disconnect message of the server: its reason explains more than our own error.
        tokio::time::sleep(DISCONNECT_MESSAGE_TIMEOUT).await;
        if disconnect_message.get().is_some() {
            return Err(attempt.disconnected_error());
        }
    }
    Err(attempt.rejected_error())
}

/// A login in progress.
struct LoginAttempt<'a> {
    handle: &'a mut Handle<ClientHandler>,
    target: &'a SshTarget,
    prompter: &'a dyn Prompter,
    observer: &'a dyn ChannelObserver,
    /// Set once an answer or password from the user was sent and rejected.
    user_answered: bool,
    /// The message with which the server closed the connection.
    disconnect_message: &'a OnceLock<String>,
    /// Number of keys offered to the server.
    keys_offered: usize,
    /// The methods that the server allows; `None` before its first response.
    allowed_methods: Option<MethodSet>,
    remarks: Vec<String>,
}

impl LoginAttempt<'_> {
    async fn try_keys(
        &mut self,
        candidates: Vec<KeyCandidate>,
        mut agent: Option<super::signer::Agent>,
    ) -> Result<bool, ChannelError> {
        for candidate in &candidates {
            if !self.is_allowed(MethodKind::PublicKey) {
                break;
            }
            let hash = self.hash_for(&candidate.key.algorithm()).await?;
            let mut signing =
                UserSigner { holder: &candidate.holder, agent: agent.as_mut(), prompter: self.prompter };
            let user = self.target.user.as_str();
            self.keys_offered += 1;
            // The user enters the pass phrase of an encrypted key during this call, so it has no
            // timeout.
            let limit = match &candidate.holder {
                KeyHolder::File { key, .. } if key.is_encrypted() => None,
                _ => self.target.timeout,
            };
            let result = match &candidate.certificate {
                Some(certificate) => {
                    let signed = self.handle.authenticate_certificate_with(
                        user,
                        certificate.clone(),
                        hash,
                        &mut signing,
                    );
                    with_timeout(limit, signed).await?
                }
                None => {
                    let signed = self.handle.authenticate_publickey_with(
                        user,
                        candidate.key.clone(),
                        hash,
                        &mut signing,
                    );
                    with_timeout(limit, signed).await?
                }
            };
            match result {
                Ok(result) => {
                    let accepted = self.handle_result(result)?;
                    let outcome = match candidate.certificate_problem(user, SystemTime::now()) {
                        _ if accepted => "accepted".to_owned(),
                        Some(problem) => {
                            self.add_remark(&problem);
                            format!("rejected: {problem}")
                        }
                        None => "rejected".to_owned(),
                    };
                    self.report_fact("key", format!("{}: {outcome}", candidate.describe()));
                    if accepted {
                        return Ok(true);
                    }
                }
                Err(SignError::SessionClosed) => return Err(self.disconnected_error()),
                Err(SignError::Unusable(remark)) => {
                    self.report_fact("key", format!("{}: not used: {remark}", candidate.describe()));
                    self.remarks.push(remark);
                }
            }
        }
        Ok(false)
    }

    /// Tries the keyboard-interactive method.
    async fn try_keyboard_interactive(&mut self) -> Result<bool, ChannelError> {
        if self.query_methods().await? {
            return Ok(true);
        }
        for _ in 0..self.target.max_password_attempts {
            if !self.is_allowed(MethodKind::KeyboardInteractive) {
                break;
            }
            let user = self.target.user.as_str();
            let started = self.handle.authenticate_keyboard_interactive_start(user, None::<String>);
            let mut response =
                with_timeout(self.target.timeout, started).await?.map_err(|_| self.disconnected_error())?;
            for _ in 0..MAX_ROUNDS {
                let Interactive::InfoRequest { name, instructions, prompts } = &response else { break };
                let Some(answers) = self.ask_user(name, instructions, prompts).await else {
                    self.note_no_answer();
                    return Ok(false);
                };
                let responded = self.handle.authenticate_keyboard_interactive_respond(answers);
                response = with_timeout(self.target.timeout, responded)
                    .await?
                    .map_err(|_| self.disconnected_error())?;
            }
            match response {
                Interactive::Success => {
                    self.report_fact("answers", "accepted".to_owned());
                    return Ok(true);
                }
                Interactive::Failure { remaining_methods, partial_success } => {
                    self.handle_result(AuthResult::Failure { remaining_methods, partial_success })?;
                    self.add_remark("the server rejected the answers to its questions");
                    self.user_answered = true;
                }
                Interactive::InfoRequest { .. } => {
                    self.remarks.push("the server asks too many questions".into());
                    return Ok(false);
                }
            }
        }
        Ok(false)
    }

    /// Asks the user one round of questions. Returns `None` if one was not answered.
    async fn ask_user(&self, name: &str, instructions: &str, prompts: &[Prompt]) -> Option<Vec<String>> {
        if prompts.is_empty() && !(name.is_empty() && instructions.is_empty()) {
            self.prompter.ask(UserQuestion::Notice { login: self.login(), name, instructions }).await;
        }
        let mut answers = Vec::with_capacity(prompts.len());
        for prompt in prompts {
            let (name, instructions) = if answers.is_empty() { (name, instructions) } else { ("", "") };
            let (login, prompt, echo) = (self.login(), prompt.prompt.as_str(), prompt.echo);
            let question = UserQuestion::Prompt { login, name, instructions, prompt, echo };
            answers.push(to_text(self.prompter.ask(question).await?.expose()));
        }
        Some(answers)
    }

    async fn try_password(&mut self) -> Result<bool, ChannelError> {
        if self.query_methods().await? {
            return Ok(true);
        }
        for _ in 0..self.target.max_password_attempts {
            if !self.is_allowed(MethodKind::Password) {
                break;
            }
            let user = self.target.user.as_str();
            let Some(password) = self.prompter.ask(UserQuestion::Password { login: self.login() }).await
            else {
                self.note_no_answer();
                break;
            };
            let sent = self.handle.authenticate_password(user, to_text(password.expose()));
            let result =
                with_timeout(self.target.timeout, sent).await?.map_err(|_| self.disconnected_error())?;
            if self.handle_result(result)? {
                self.report_fact("password", "accepted".to_owned());
                return Ok(true);
            }
            self.add_remark("the password was rejected");
            self.user_answered = true;
        }
        Ok(false)
    }

    /// Adds the remark that the user gave no answer, unless an earlier answer of the user was
    /// rejected.
    fn note_no_answer(&mut self) {
        if !self.user_answered {
            self.add_remark(
                "the server requires a password or answers to its questions, but none were given",
            );
        }
    }

    fn login(&self) -> LoginContext<'_> {
        let SshTarget { user, host, is_jump_host, .. } = self.target;
        LoginContext { user, host, is_jump_host: *is_jump_host }
    }

    /// Adds a remark unless it is already present.
    fn add_remark(&mut self, remark: &str) {
        if !self.remarks.iter().any(|known| known == remark) {
            self.remarks.push(remark.to_owned());
        }
    }

    fn report_fact(&self, name: &'static str, value: String) {
        self.observer.on_fact(Fact { name, value });
    }

    /// Queries the allowed methods with the `none` method, unless they are known. Returns true if
    /// the server accepts the login without any method.
    async fn query_methods(&mut self) -> Result<bool, ChannelError> {
        if self.allowed_methods.is_some() {
            return Ok(false);
        }
        let sent = self.handle.authenticate_none(self.target.user.as_str());
        let result = with_timeout(self.target.timeout, sent).await?.map_err(|_| self.disconnected_error())?;
        self.handle_result(result)
    }

    /// Returns true if the login succeeded; otherwise stores the methods that the server still
    /// allows.
    fn handle_result(&mut self, result: AuthResult) -> Result<bool, ChannelError> {
        match result {
            AuthResult::Success => Ok(true),
            // russh returns an empty list if the connection has ended; a server that continues the
            // login lists at least one method.
            AuthResult::Failure { remaining_methods, .. } if remaining_methods.is_empty() => {
                Err(self.disconnected_error())
            }
            AuthResult::Failure { remaining_methods, .. } => {
                self.allowed_methods = Some(remaining_methods);
                Ok(false)
            }
        }
    }

    fn is_allowed(&self, method: MethodKind) -> bool {
        self.allowed_methods.as_ref().is_none_or(|allowed| allowed.contains(&method))
    }

    /// Returns the hash for RSA signatures: SHA-512, or SHA-256 if the server supports only that.
    /// Other key types have a fixed hash.
    async fn hash_for(&self, algorithm: &Algorithm) -> Result<Option<HashAlg>, ChannelError> {
        if !matches!(algorithm, Algorithm::Rsa { .. }) {
            return Ok(None);
        }
        let best = self.handle.best_supported_rsa_hash().await.map_err(|_| self.disconnected_error())?;
        Ok(best.flatten().or(Some(HashAlg::Sha512)))
    }

    fn disconnected_error(&self) -> ChannelError {
        let message = self.disconnect_message.get().map(|message| format!(": {}", message.escape_debug()));
        let keys = if self.keys_offered > 0 {
            format!(" after {} keys were offered", self.keys_offered)
        } else {
            String::new()
        };
        let cause =
            format!("the server closed the connection{keys}{}", message.as_deref().unwrap_or_default());
        let error = ChannelError::at(ChannelStep::ClientIdentity, cause);
        if self.keys_offered > MIN_KEYS_ACCEPTED {
            error.with_hint("set IdentityFile to the right key and IdentitiesOnly to yes in ~/.ssh/config")
        } else if message.is_some() {
            error
        } else {
            error.with_hint("see the server's log for the reason")
        }
    }

    fn rejected_error(&self) -> ChannelError {
        let Self { target, keys_offered, .. } = self;
        let accepted_methods = self.allowed_methods.as_deref().unwrap_or_default().iter().map(<&str>::from);
        let accepted_methods: Vec<&str> = accepted_methods.collect();
        let mut cause = format!(
            "{} rejected the login of {:?}: it accepts {}; keys offered: {keys_offered}",
            target.host_port(),
            target.user,
            accepted_methods.join(", ")
        );
        for remark in &self.remarks {
            cause.push_str("; ");
            cause.push_str(remark);
        }
        let hint = if *keys_offered == 0
            && self.remarks.iter().any(|remark| remark.ends_with(crate::keys::READABLE_BY_OTHERS))
        {
            "make the key accessible to its owner only: chmod 600"
        } else if *keys_offered == 0 && target.has_named_identities && !target.identity_files.is_empty() {
            "replace or repair the configured key; the error states why it cannot be used"
        } else if *keys_offered == 0 {
            "create a key with ssh-keygen -t ed25519, and add its .pub line to the user's authorized_keys on the server"
        } else {
            "add the .pub line of a key to the user's authorized_keys on the server, or select the right key with IdentityFile; \
             the agent's log shows why a listed key is ignored"
        };
        ChannelError::at(ChannelStep::ClientIdentity, cause).with_hint(hint)
    }
}

/// Awaits `future` for at most `limit`.
async fn with_timeout<F: Future>(limit: Option<Duration>, future: F) -> Result<F::Output, ChannelError> {
    let Some(limit) = limit else { return Ok(future.await) };
    tokio::time::timeout(limit, future).await.map_err(|_| {
        ChannelError::at(
            ChannelStep::ClientIdentity,
            format!("the server did not respond within {} s", limit.as_secs_f32()),
        )
    })
}

fn to_text(octets: &[u8]) -> String {
    String::from_utf8_lossy(octets).into_owned()
}

/// Maximum number of question rounds in one attempt.
const MAX_ROUNDS: usize = 10;

/// Time to wait for a disconnect message that follows a rejection.
const DISCONNECT_MESSAGE_TIMEOUT: Duration = Duration::from_millis(50);

/// Number of keys that a server is expected to reject without closing the connection.
const MIN_KEYS_ACCEPTED: usize = 2;
