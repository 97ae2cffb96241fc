//! One connection's attempts to log in. Files are read, and passwords judged, on threads that may block.

use std::sync::Arc;

use portreeve_channel::{SshIdentity, SshProof};
use portreeve_secret::Secret;
use russh::{keys::Certificate, server::Auth};

use super::{ConnectionHandler, Failure};
use crate::{
    keys::KeyData,
    server::{
        authentication::{Applicant, Authentication, Refusal},
        settings,
    },
};

/// A key that was looked up when it was offered; it is used a moment later.
pub(super) struct JudgedKey {
    user: String,
    key: KeyData,
    verdict: Result<SshProof, Refusal>,
}

impl ConnectionHandler {
    /// Whether the key is worth a signature.
    pub(super) async fn judge_offer(&mut self, user: &str, key: &KeyData) -> Result<Auth, Failure> {
        let (name, offered, address) = (user.to_owned(), key.clone(), self.peer);
        let (verdict, may_be_certified) = self
            .on_blocking_thread(move |authentication| {
                let verdict = authentication.judge_key(Applicant { user: &name, address }, &offered);
                // The same question is asked for a certificate, of which only the key can be seen yet.
                let certified = verdict.is_err() && authentication.may_be_certified(&name);
                (verdict, certified)
            })
            .await?;
        let accepted = verdict.is_ok() || may_be_certified;
        if let (Err(refusal), false) = (&verdict, accepted) {
            return self.refuse_login(user, *refusal);
        }
        self.judged = Some(JudgedKey { user: user.to_owned(), key: key.clone(), verdict });
        Ok(Auth::Accept)
    }

    /// Whether a key that the peer has proven to hold lets it in.
    pub(super) async fn judge_key(&mut self, user: &str, key: &KeyData) -> Result<Auth, Failure> {
        let verdict = match self.judged.take() {
            Some(judged) if judged.user == user && judged.key == *key => judged.verdict,
            _ => {
                let (name, key, address) = (user.to_owned(), key.clone(), self.peer);
                self.on_blocking_thread(move |authentication| {
                    authentication.judge_key(Applicant { user: &name, address }, &key)
                })
                .await?
            }
        };
        self.decide(user, verdict)
    }

    /// Whether a certificate whose key the peer has proven to hold lets it in.
    pub(super) async fn judge_certificate(
        &mut self,
        user: &str,
        certificate: &Certificate,
    ) -> Result<Auth, Failure> {
        let (name, certificate, address) = (user.to_owned(), certificate.clone(), self.peer);
        let verdict = self
            .on_blocking_thread(move |authentication| {
                authentication.judge_certificate(Applicant { user: &name, address }, &certificate)
            })
            .await?;
        self.decide(user, verdict)
    }

    pub(super) async fn judge_password(&mut self, user: &str, password: &str) -> Result<Auth, Failure> {
        let Some(pool) = self.current.authentication.password.clone() else { return Ok(self.reject()) };
        let verdict = pool.judge(user.to_owned(), Secret::from(password), self.peer).await;
        self.decide(user, verdict.map(|()| SshProof::Password))
    }

    /// Asks for a password, or judges the answer.
    pub(super) async fn judge_answers<O: AsRef<[u8]>>(
        &mut self,
        user: &str,
        answers: Option<Vec<O>>,
    ) -> Result<Auth, Failure> {
        let Some(pool) = self.current.authentication.keyboard_interactive.clone() else {
            return Ok(self.reject());
        };
        let Some(answers) = answers else {
            let question = ("Password: ".into(), false);
            return Ok(Auth::Partial {
                name: "".into(),
                instructions: "".into(),
                prompts: vec![question].into(),
            });
        };
        let password = match answers.as_slice() {
            [only] => Secret::from(only.as_ref()),
            _ => return self.refuse_login(user, Refusal::Password),
        };
        let verdict = pool.judge(user.to_owned(), password, self.peer).await;
        self.decide(user, verdict.map(|()| SshProof::Password))
    }

    /// A refusal that leaves all methods open: how many tries there are is counted elsewhere.
    pub(super) fn reject(&self) -> Auth {
        let methods = settings::methods(&self.current.authentication);
        Auth::Reject { proceed_with_methods: Some(methods), partial_success: false }
    }

    fn decide(&mut self, user: &str, verdict: Result<SshProof, Refusal>) -> Result<Auth, Failure> {
        match verdict {
            Ok(proof) => {
                self.identity = Some(Arc::new(SshIdentity { user: user.to_owned(), proof }));
                Ok(Auth::Accept)
            }
            Err(refusal) => self.refuse_login(user, refusal),
        }
    }

    fn refuse_login(&mut self, user: &str, refusal: Refusal) -> Result<Auth, Failure> {
        self.statistics.count_refusal(refusal);
        self.entry()?.refusal.set(Some(refusal));
        let shown: String = user.chars().take(64).flat_map(char::escape_debug).collect();
        tracing::info!(peer = %self.peer, user = %shown, %refusal, "SSH login refused");
        Ok(self.reject())
    }

    async fn on_blocking_thread<T: Send + 'static>(
        &self,
        judge: impl FnOnce(&Authentication) -> T + Send + 'static,
    ) -> Result<T, Failure> {
        let authentication = Arc::clone(&self.current.authentication);
        tokio::task::spawn_blocking(move || judge(&authentication)).await.map_err(|_| Failure::Misuse)
    }
}
