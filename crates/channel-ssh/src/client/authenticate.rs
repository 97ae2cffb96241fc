//! Proving who we are (RFC 4252, RFC 4256): keys first, then questions, then the password, unless ssh_config has it otherwise.

use std::{
    future::Future,
    sync::OnceLock,
    time::{Duration, SystemTime},
};

use portreeve_channel::{ChannelError, Fact, Observer, Step};
use russh::{
    MethodKind, MethodSet,
    client::{AuthResult, Handle, KeyboardInteractiveAuthResponse as Interactive, Prompt},
    keys::{Algorithm, HashAlg},
};

use super::{
    asker::{Asker, Login, Nobody, Question},
    guard::Guard,
    identities::{Candidate, Identities},
    signer::{Holder, NotSigned, Signing},
    ssh_config::LoginMethod,
    target::SshTarget,
};

/// Logs in with one of these keys, or otherwise.
//= rfc5592#5.3-3
pub(crate) async fn log_in(
    handle: &mut Handle<Guard>,
    target: &SshTarget,
    identities: Identities,
    asker: &dyn Asker,
    observer: &dyn Observer,
    parting: &OnceLock<String>,
) -> Result<(), ChannelError> {
    let asker: &dyn Asker = if target.asks { asker } else { &Nobody };
    observer.begins(Step::ClientIdentity);
    observer.finds(Fact::new("user", target.user.escape_debug().to_string()));
    for remark in &identities.remarks {
        observer.finds(Fact::new("remark", remark));
    }
    let mut attempt = Attempt {
        handle,
        target,
        asker,
        observer,
        parting,
        answered: false,
        offered: 0,
        allowed: None,
        remarks: identities.remarks,
    };
    let mut keys = Some((identities.candidates, identities.agent));
    for method in &target.methods {
        let done = match method {
            LoginMethod::PublicKey => match keys.take() {
                Some((candidates, agent)) => attempt.with_keys(candidates, agent).await?,
                None => false,
            },
            LoginMethod::KeyboardInteractive => attempt.with_answers().await?,
            LoginMethod::Password => attempt.with_password().await?,
        };
        if done {
            return Ok(());
        }
    }
    if attempt.answered {
        // A server that knows better why we are not let in says so when it ends the connection.
        tokio::time::sleep(LAST_WORDS).await;
        if parting.get().is_some() {
            return Err(attempt.cut_off());
        }
    }
    Err(attempt.failed())
}

/// Logging in, in progress.
struct Attempt<'a> {
    handle: &'a mut Handle<Guard>,
    target: &'a SshTarget,
    asker: &'a dyn Asker,
    observer: &'a dyn Observer,
    /// Whether somebody's answer was tried.
    answered: bool,
    /// What the server has said when it ended the connection.
    parting: &'a OnceLock<String>,
    /// Keys that the server has been shown.
    offered: usize,
    /// What the server has said that it takes; `None` before it has said anything.
    allowed: Option<MethodSet>,
    remarks: Vec<String>,
}

impl Attempt<'_> {
    async fn with_keys(
        &mut self,
        candidates: Vec<Candidate>,
        mut agent: Option<super::signer::Agent>,
    ) -> Result<bool, ChannelError> {
        for candidate in &candidates {
            if !self.takes(MethodKind::PublicKey) {
                break;
            }
            let hash = self.hash_for(&candidate.key.algorithm()).await?;
            let mut signing = Signing { holder: &candidate.holder, agent: agent.as_mut(), asker: self.asker };
            let user = self.target.user.as_str();
            self.offered += 1;
            // A locked key is unlocked by somebody in the middle of this.
            let patience = match &candidate.holder {
                Holder::File { key, .. } if key.is_locked() => None,
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
                    within(patience, signed).await?
                }
                None => {
                    let signed = self.handle.authenticate_publickey_with(
                        user,
                        candidate.key.clone(),
                        hash,
                        &mut signing,
                    );
                    within(patience, signed).await?
                }
            };
            match result {
                Ok(result) => {
                    let taken = self.judged(result)?;
                    let verdict = match candidate.flaw(user, SystemTime::now()) {
                        _ if taken => "taken".to_owned(),
                        Some(flaw) => {
                            self.note(&flaw);
                            format!("refused: {flaw}")
                        }
                        None => "refused".to_owned(),
                    };
                    self.found("key", format!("{}: {verdict}", candidate.shown()));
                    if taken {
                        return Ok(true);
                    }
                }
                Err(NotSigned::Gone) => return Err(self.cut_off()),
                Err(NotSigned::Unusable(remark)) => {
                    self.found("key", format!("{}: not used: {remark}", candidate.shown()));
                    self.remarks.push(remark);
                }
            }
        }
        Ok(false)
    }

    /// Keyboard-interactive.
    async fn with_answers(&mut self) -> Result<bool, ChannelError> {
        if self.find_out().await? {
            return Ok(true);
        }
        for _ in 0..self.target.tries {
            if !self.takes(MethodKind::KeyboardInteractive) {
                break;
            }
            let user = self.target.user.as_str();
            let started = self.handle.authenticate_keyboard_interactive_start(user, None::<String>);
            let mut response = within(self.target.timeout, started).await?.map_err(|_| self.cut_off())?;
            for _ in 0..ROUNDS {
                let Interactive::InfoRequest { name, instructions, prompts } = &response else { break };
                let Some(answers) = self.answers(name, instructions, prompts).await else {
                    self.nobody();
                    return Ok(false);
                };
                let responded = self.handle.authenticate_keyboard_interactive_respond(answers);
                response = within(self.target.timeout, responded).await?.map_err(|_| self.cut_off())?;
            }
            match response {
                Interactive::Success => {
                    self.found("answers", "taken".to_owned());
                    return Ok(true);
                }
                Interactive::Failure { remaining_methods, partial_success } => {
                    self.judged(AuthResult::Failure { remaining_methods, partial_success })?;
                    self.note("the answers were not taken");
                    self.answered = true;
                }
                Interactive::InfoRequest { .. } => {
                    self.remarks.push("the server does not stop asking questions".into());
                    return Ok(false);
                }
            }
        }
        Ok(false)
    }

    /// What somebody answers to one round of questions.
    async fn answers(&self, name: &str, instructions: &str, prompts: &[Prompt]) -> Option<Vec<String>> {
        if prompts.is_empty() && !(name.is_empty() && instructions.is_empty()) {
            self.asker.ask(Question::Notice { login: self.login(), name, instructions }).await;
        }
        let mut answers = Vec::with_capacity(prompts.len());
        for prompt in prompts {
            let (name, instructions) = if answers.is_empty() { (name, instructions) } else { ("", "") };
            let (login, prompt, echo) = (self.login(), prompt.prompt.as_str(), prompt.echo);
            let question = Question::Prompt { login, name, instructions, prompt, echo };
            answers.push(text_of(self.asker.ask(question).await?.expose()));
        }
        Some(answers)
    }

    async fn with_password(&mut self) -> Result<bool, ChannelError> {
        if self.find_out().await? {
            return Ok(true);
        }
        for _ in 0..self.target.tries {
            if !self.takes(MethodKind::Password) {
                break;
            }
            let user = self.target.user.as_str();
            let Some(password) = self.asker.ask(Question::Password { login: self.login() }).await else {
                self.nobody();
                break;
            };
            let sent = self.handle.authenticate_password(user, text_of(password.expose()));
            let result = within(self.target.timeout, sent).await?.map_err(|_| self.cut_off())?;
            if self.judged(result)? {
                self.found("password", "taken".to_owned());
                return Ok(true);
            }
            self.note("the password was not taken");
            self.answered = true;
        }
        Ok(false)
    }

    /// Where somebody has answered before, they have given up.
    fn nobody(&mut self) {
        if !self.answered {
            self.note("the server asks for a password, or questions, and nobody answers");
        }
    }

    fn login(&self) -> Login<'_> {
        let SshTarget { user, host, on_the_way, .. } = self.target;
        Login { user, host, on_the_way: *on_the_way }
    }

    /// Says something once.
    fn note(&mut self, remark: &str) {
        if !self.remarks.iter().any(|known| known == remark) {
            self.remarks.push(remark.to_owned());
        }
    }

    fn found(&self, name: &'static str, value: String) {
        self.observer.finds(Fact { name, value });
    }

    /// Asks what the server takes, where no key has been shown to it. Whether that alone lets us in.
    async fn find_out(&mut self) -> Result<bool, ChannelError> {
        if self.allowed.is_some() {
            return Ok(false);
        }
        let asked = self.handle.authenticate_none(self.target.user.as_str());
        let result = within(self.target.timeout, asked).await?.map_err(|_| self.cut_off())?;
        self.judged(result)
    }

    /// Whether we are in; keeps what else the server takes.
    fn judged(&mut self, result: AuthResult) -> Result<bool, ChannelError> {
        match result {
            AuthResult::Success => Ok(true),
            // What russh says when the connection has ended; a server that goes on names something.
            AuthResult::Failure { remaining_methods, .. } if remaining_methods.is_empty() => {
                Err(self.cut_off())
            }
            AuthResult::Failure { remaining_methods, .. } => {
                self.allowed = Some(remaining_methods);
                Ok(false)
            }
        }
    }

    fn takes(&self, method: MethodKind) -> bool {
        self.allowed.as_ref().is_none_or(|allowed| allowed.contains(&method))
    }

    /// RSA keys sign with SHA-512 or SHA-256, as the server says; other keys have one way to sign.
    async fn hash_for(&self, algorithm: &Algorithm) -> Result<Option<HashAlg>, ChannelError> {
        if !matches!(algorithm, Algorithm::Rsa { .. }) {
            return Ok(None);
        }
        let best = self.handle.best_supported_rsa_hash().await.map_err(|_| self.cut_off())?;
        Ok(best.flatten().or(Some(HashAlg::Sha512)))
    }

    fn cut_off(&self) -> ChannelError {
        let words = self.parting.get().map(|words| format!(": {}", words.escape_debug()));
        let keys =
            if self.offered > 0 { format!(" after {} of our keys", self.offered) } else { String::new() };
        let cause = format!("the server ended the connection{keys}{}", words.as_deref().unwrap_or_default());
        let error = ChannelError::at(Step::ClientIdentity, cause);
        if self.offered > FEW {
            error
                .cured_by("name the right key with IdentityFile, and set IdentitiesOnly yes in ~/.ssh/config")
        } else if words.is_some() {
            error
        } else {
            error.cured_by("its log says why")
        }
    }

    fn failed(&self) -> ChannelError {
        let Self { target, offered, .. } = self;
        let takes = self.allowed.as_deref().unwrap_or_default().iter().map(<&str>::from);
        let takes: Vec<&str> = takes.collect();
        let mut cause = format!(
            "{} does not let {:?} in: it takes {}, and was shown {offered} of our keys",
            target.shown(),
            target.user,
            takes.join(", ")
        );
        for remark in &self.remarks {
            cause.push_str("; ");
            cause.push_str(remark);
        }
        let cure = if *offered == 0
            && self.remarks.iter().any(|remark| remark.ends_with(crate::keys::OPEN_KEY))
        {
            "let nobody else read the key: chmod 600"
        } else if *offered == 0 && target.identities_named && !target.identity_files.is_empty() {
            "see to it that the key that is named can be used: what is said of it is why it cannot"
        } else if *offered == 0 {
            "make a key with ssh-keygen -t ed25519, and have its .pub line put into the user's authorized_keys there"
        } else {
            "have the .pub line of a key put into the user's authorized_keys there, or name the right key with IdentityFile; \
             the agent's log says why a key that stands there does not count"
        };
        ChannelError::at(Step::ClientIdentity, cause).cured_by(cure)
    }
}

/// `doing`, unless it takes too long.
async fn within<F: Future>(patience: Option<Duration>, doing: F) -> Result<F::Output, ChannelError> {
    let Some(patience) = patience else { return Ok(doing.await) };
    tokio::time::timeout(patience, doing).await.map_err(|_| {
        ChannelError::at(
            Step::ClientIdentity,
            format!("the server has not answered for {} s", patience.as_secs_f32()),
        )
    })
}

fn text_of(octets: &[u8]) -> String {
    String::from_utf8_lossy(octets).into_owned()
}

/// Rounds of questions in one attempt.
const ROUNDS: usize = 10;

/// How long a server's last words may be under way behind its refusal.
const LAST_WORDS: Duration = Duration::from_millis(50);

/// Keys that any server lets us try.
const FEW: usize = 2;
