//! A prompter with a list of answers.

use std::sync::Mutex;

use portreeve_channel_ssh::client::{PromptFuture, Prompter, UserQuestion};
use portreeve_secret::Secret;

/// Returns the answers in order, and records the questions.
pub(crate) struct ScriptedPrompter {
    answers: Mutex<Vec<&'static str>>,
    pub(crate) asked: Mutex<Vec<String>>,
}

impl ScriptedPrompter {
    pub(crate) fn new(answers: &[&'static str]) -> Self {
        Self { answers: Mutex::new(answers.iter().rev().copied().collect()), asked: Mutex::default() }
    }
}

impl Prompter for ScriptedPrompter {
    fn ask<'a>(&'a self, question: UserQuestion<'a>) -> PromptFuture<'a> {
        self.asked.lock().unwrap().push(format!("{question:?}"));
        let answer = self.answers.lock().unwrap().pop().map(Secret::from);
        Box::pin(async { answer })
    }
}
