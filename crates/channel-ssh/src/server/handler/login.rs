//! One connection's attempts to log in. Passwords are judged on threads that may block, and files are read there that are not at
//! hand.

use std::{
    mem,
    sync::Arc,
    time::{Duration, Instant},
};

use portreeve_channel::{PasswordJudge, SshIdentity, SshProof};
use portreeve_secret::Secret;
use russh::{Disconnect, keys::Certificate, server::Auth};
use tokio::time::timeout;

use super::{ConnectionHandler, Failure};
use crate::{
    keys::KeyData,
    server::{
        authentication::{Applicant, Authentication, Event, Interview, Refusal},
        settings,
    },
};

/// A key that was looked up when it was offered; it is used a moment later.
pub(super) struct JudgedKey {
    user: String,
    key: KeyData,
    verdict: Result<SshProof, Refusal>,
}

/// Keyboard-interactive (RFC 4256), in progress.
#[derive(Default)]
pub(super) enum Questioning {
    #[default]
    None,
    /// The peer is to answer.
    Asked(Interview),
    /// The judge has judged, and the peer is to read something before it hears how.
    Told { user: String, accepted: bool },
}

impl ConnectionHandler {
    /// Whether the key is worth a signature.
    pub(super) async fn judge_offer(&mut self, user: &str, key: &KeyData) -> Result<Auth, Failure> {
        self.questioning = Questioning::default();
        let (name, offered, address) = (user.to_owned(), key.clone(), self.peer);
        let (verdict, may_be_certified) = self
            .judging(user, move |authentication| {
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
        self.questioning = Questioning::default();
        let verdict = match self.judged.take() {
            Some(judged) if judged.user == user && judged.key == *key => judged.verdict,
            _ => {
                let (name, key, address) = (user.to_owned(), key.clone(), self.peer);
                self.judging(user, move |authentication| {
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
        self.questioning = Questioning::default();
        let (name, certificate, address) = (user.to_owned(), certificate.clone(), self.peer);
        let verdict = self
            .judging(user, move |authentication| {
                authentication.judge_certificate(Applicant { user: &name, address }, &certificate)
            })
            .await?;
        self.decide(user, verdict)
    }

    /// Whether a password lets its user in.
    pub(super) async fn judge_password(&mut self, user: &str, password: &str) -> Result<Auth, Failure> {
        let Some(judge) = self.current.authentication.password.clone() else { return Ok(self.reject()) };
        let password = Secret::from(password);
        self.count_try()?;
        let verdict = match self.interview(judge, user).await {
            Ok(interview) => interview.with_password(&password).await,
            Err(refusal) => Err(refusal),
        };
        // There is no other way to tell somebody who gave a password.
        if let Some(words) = verdict.err().and_then(Refusal::words_for_peer) {
            self.say_farewell(words).await?;
        }
        self.decide(user, verdict.map(|()| SshProof::Password))
    }

    /// Has the judge ask its first questions.
    pub(super) async fn ask_questions(&mut self, user: &str) -> Result<Auth, Failure> {
        let Some(judge) = self.current.authentication.keyboard_interactive.clone() else {
            return Ok(self.reject());
        };
        self.count_try()?;
        match self.interview(judge, user).await {
            Ok(interview) => self.go_on(interview).await,
            Err(refusal) => self.refuse_login(user, refusal),
        }
    }

    /// Hands the judge its answers, and has it go on.
    pub(super) async fn take_answers<O: AsRef<[u8]>>(
        &mut self,
        user: &str,
        answers: Vec<O>,
    ) -> Result<Auth, Failure> {
        match mem::take(&mut self.questioning) {
            Questioning::Asked(mut interview) if interview.user() == user => {
                let secrets = answers.iter().map(|answer| Secret::from(answer.as_ref())).collect();
                match interview.answer(secrets).await {
                    Ok(()) => self.go_on(interview).await,
                    Err(refusal) => self.refuse_login(user, refusal),
                }
            }
            Questioning::Told { user: whom, accepted: true } if whom == user && answers.is_empty() => {
                self.decide(user, Ok(SshProof::Password))
            }
            // Refusals have been counted.
            _ => Ok(self.reject()),
        }
    }

    /// Passes on what a judge comes to.
    async fn go_on(&mut self, mut interview: Interview) -> Result<Auth, Failure> {
        match interview.next().await {
            Event::Asked { notices, questions } => {
                let prompts = questions.into_iter().map(|question| (question.prompt.into(), question.echo));
                let prompts = prompts.collect();
                self.questioning = Questioning::Asked(interview);
                Ok(Auth::Partial { name: "".into(), instructions: notices.into(), prompts })
            }
            Event::Decided { mut notices, verdict } => {
                let user = interview.user().to_owned();
                let verdict = verdict.map_err(Refusal::from);
                if let (true, Some(words)) =
                    (notices.is_empty(), verdict.err().and_then(Refusal::words_for_peer))
                {
                    notices = words.to_owned();
                }
                if notices.is_empty() {
                    return self.decide(&user, verdict.map(|()| SshProof::Password));
                }
                // It is read as a round without questions, which the peer acknowledges.
                if let Err(refusal) = verdict {
                    self.refuse_login(&user, refusal)?;
                }
                self.questioning = Questioning::Told { user, accepted: verdict.is_ok() };
                Ok(Auth::Partial {
                    name: "".into(),
                    instructions: notices.into(),
                    prompts: Vec::new().into(),
                })
            }
        }
    }

    /// Ends the connection, when this call is over, with a word to the peer.
    async fn say_farewell(&self, words: &str) -> Result<(), Failure> {
        let handle = self.entry()?.handle.borrow().clone();
        if let Some(handle) = handle {
            let said = handle.disconnect(Disconnect::ByApplication, words.to_owned(), String::new());
            // A connection that has something else to do says nothing.
            let _ = timeout(MOMENT, said).await;
        }
        Ok(())
    }

    async fn interview(&self, judge: Arc<dyn PasswordJudge>, user: &str) -> Result<Interview, Refusal> {
        Interview::begin(judge, Arc::clone(&self.current.passwords), user, self.peer).await
    }

    /// Whoever begins again and again, and answers nothing, is counted here only.
    fn count_try(&mut self) -> Result<(), Failure> {
        self.questioning = Questioning::default();
        if self.tries == settings::ATTEMPTS {
            self.statistics.count_refusal(Refusal::TooManyTries);
            return Err(Failure::Tries);
        }
        self.tries += 1;
        Ok(())
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
        self.entry()?.refusal.set(Some(refusal));
        self.statistics.refuse(refusal, self.peer, Some(user), Instant::now());
        Ok(self.reject())
    }

    /// Has files read for a judgement about the user: here, where that is cheaper than to wake another thread.
    async fn judging<T: Send + 'static>(
        &self,
        user: &str,
        judge: impl FnOnce(&Authentication) -> T + Send + 'static,
    ) -> Result<T, Failure> {
        let authentication = Arc::clone(&self.current.authentication);
        if authentication.is_at_hand(user) {
            return Ok(judge(&authentication));
        }
        tokio::task::spawn_blocking(move || judge(&authentication)).await.map_err(|_| Failure::Misuse)
    }
}

/// How long the connection may be in the way of a last word.
const MOMENT: Duration = Duration::from_millis(100);
