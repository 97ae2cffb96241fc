//! Somebody who answers from a list.

use std::sync::Mutex;

use portreeve_channel_ssh::client::{Asker, Asking, Question};
use portreeve_secret::Secret;

/// Gives these answers in turn, and keeps what it was asked.
pub(crate) struct Answers {
    answers: Mutex<Vec<&'static str>>,
    pub(crate) asked: Mutex<Vec<String>>,
}

impl Answers {
    pub(crate) fn new(answers: &[&'static str]) -> Self {
        Self { answers: Mutex::new(answers.iter().rev().copied().collect()), asked: Mutex::default() }
    }
}

impl Asker for Answers {
    fn ask<'a>(&'a self, question: Question<'a>) -> Asking<'a> {
        self.asked.lock().unwrap().push(format!("{question:?}"));
        let answer = self.answers.lock().unwrap().pop().map(Secret::from);
        Box::pin(async { answer })
    }
}
