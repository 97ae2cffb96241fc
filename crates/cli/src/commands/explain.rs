//! `--explain`: why there is no answer, or no value, in a sentence on standard error.

use portreeve_smi::{ErrorStatus, Value};
use portreeve_snmp_manager::{Client, ClientError, Diagnosis, Operation, Request, Response};

use crate::command_error::CommandError;

/// What is to be told when the verb is done.
#[derive(Default)]
pub(super) struct Explanations {
    wanted: bool,
    sentences: Vec<String>,
}

impl Explanations {
    pub(super) fn new(wanted: bool) -> Self {
        Self { wanted, sentences: Vec::new() }
    }

    /// Adds to a failure why it is one.
    pub(super) fn add_to(
        &self,
        failure: CommandError,
        why: impl FnOnce() -> Option<Diagnosis>,
    ) -> CommandError {
        match self.wanted.then(why).flatten() {
            Some(diagnosis) => failure.with_line(&sentence(&diagnosis)),
            None => failure,
        }
    }

    /// Adds to a failure why a request has no answer; the agent may be asked more.
    pub(super) fn add_cause(
        &self,
        failure: CommandError,
        error: &ClientError,
        client: &mut Client,
    ) -> CommandError {
        self.add_to(failure, || client.explain(error))
    }

    /// Notes what the agent denies in a response.
    pub(super) fn note(&mut self, request: &Request, response: &Response, client: &mut Client) {
        if !self.wanted || is_end_of_mib(request, response) {
            return;
        }
        if let Some(status) = response.error_status().filter(|status| *status != ErrorStatus::NoError) {
            let index = response.error_index().unwrap_or(1);
            let name =
                response.var_binds().iter().nth(index.saturating_sub(1)).map(|bind| bind.name.to_buf());
            let diagnosis = client.explain_status(status, &name.unwrap_or_default());
            diagnosis.iter().for_each(|diagnosis| self.add(diagnosis));
            return;
        }
        for bind in response.var_binds().iter().filter(|bind| is_absent(&bind.value)) {
            self.note_absence(&bind.name.to_buf(), client);
        }
    }

    /// Notes that there is nothing at or below a name.
    pub(super) fn note_absence(&mut self, name: &[u32], client: &mut Client) {
        if self.wanted && self.sentences.len() < MAX_EXPLANATIONS {
            self.add(&client.explain_absence(name));
        }
    }

    /// Writes what has been noted.
    pub(super) fn print(&self) {
        self.sentences.iter().for_each(|sentence| eprintln!("{sentence}"));
    }

    fn add(&mut self, diagnosis: &Diagnosis) {
        let sentence = sentence(diagnosis);
        if self.sentences.len() < MAX_EXPLANATIONS && !self.sentences.contains(&sentence) {
            self.sentences.push(sentence);
        }
    }
}

/// Whether an SNMPv1 agent says that there is nothing more to come, which is no denial.
fn is_end_of_mib(request: &Request, response: &Response) -> bool {
    request.operation() == Operation::GetNext && response.error_status() == Some(ErrorStatus::NoSuchName)
}

fn is_absent(value: &Value<'_>) -> bool {
    matches!(value, Value::NoSuchObject | Value::NoSuchInstance)
}

fn sentence(diagnosis: &Diagnosis) -> String {
    format!("explanation: {diagnosis}")
}

/// How many are told of one command.
const MAX_EXPLANATIONS: usize = 5;
