//! `--explain`: prints the likely cause of a failure or a missing value on standard error.

use portreeve_smi::{ErrorStatus, Value};
use portreeve_snmp_manager::{Client, ClientError, Diagnosis, Operation, Request, Response};

use crate::command_error::CommandError;

/// The explanations to print when the verb has finished.
#[derive(Default)]
pub(super) struct Explanations {
    wanted: bool,
    sentences: Vec<String>,
}

impl Explanations {
    pub(super) fn new(wanted: bool) -> Self {
        Self { wanted, sentences: Vec::new() }
    }

    /// Appends an explanation to an error.
    pub(super) fn add_to(
        &self,
        error: CommandError,
        diagnose: impl FnOnce() -> Option<Diagnosis>,
    ) -> CommandError {
        match self.wanted.then(diagnose).flatten() {
            Some(diagnosis) => error.with_line(&sentence(&diagnosis)),
            None => error,
        }
    }

    /// Appends the explanation of a failed request to an error. May send more requests to the
    /// agent.
    pub(super) fn add_cause(
        &self,
        error: CommandError,
        cause: &ClientError,
        client: &mut Client,
    ) -> CommandError {
        self.add_to(error, || client.explain(cause))
    }

    /// Records explanations for the errors and missing values in a response.
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

    /// Records an explanation for a subtree without variables.
    pub(super) fn note_absence(&mut self, name: &[u32], client: &mut Client) {
        if self.wanted && self.sentences.len() < MAX_EXPLANATIONS {
            self.add(&client.explain_absence(name));
        }
    }

    /// Prints the recorded explanations.
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

/// Returns true for the response of an SNMPv1 agent at the end of its MIB, which is not an error.
fn is_end_of_mib(request: &Request, response: &Response) -> bool {
    request.operation() == Operation::GetNext && response.error_status() == Some(ErrorStatus::NoSuchName)
}

fn is_absent(value: &Value<'_>) -> bool {
    matches!(value, Value::NoSuchObject | Value::NoSuchInstance)
}

fn sentence(diagnosis: &Diagnosis) -> String {
    format!("explanation: {diagnosis}")
}

/// Maximum number of explanations per command.
const MAX_EXPLANATIONS: usize = 5;
