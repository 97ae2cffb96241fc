//! Why the command stops before or without an answer, told as Net-SNMP's commands tell it.

use portreeve_channel::ChannelError;
use portreeve_snmp_manager::{ClientError, Ignored, Misuse, Refusal, RequestError};

use crate::{flags, log::Log, verb::Verb};

/// Why the command stops with exit code 1.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The command line is wrong: the usage follows the message, all of it under the names of Net-SNMP's commands.
    Usage(String),
    /// No failure: the help was asked for. Net-SNMP's commands treat it as one, so under their names it is.
    HelpAsked,
    /// No failure: the version was asked for.
    VersionAsked,
    /// Anything else; whole lines, without the program's name.
    Message(String),
    /// Whoever read standard output has gone: there is nobody to tell.
    OutputClosed,
    /// All has been told; only the exit code is left.
    Told(u8),
    /// Something about the session; the program's name stands before it.
    Session(String),
    /// The same, found out by asking: a Report, or silence where the agent was to tell its engine ID.
    Unanswered(String),
}

impl Failure {
    /// Usage, session failure or timeout.
    pub(crate) const EXIT_CODE: u8 = 1;
    /// The agent answered, but not with what was asked for.
    pub(crate) const REJECTED: u8 = 2;

    /// Writes the messages and returns the exit code. What is about the session is logged; `-L` says where to.
    pub(crate) fn tell(&self, verb: Verb, program: &str, log: &Log) -> u8 {
        match self {
            Self::Usage(message) => {
                if !message.is_empty() {
                    eprintln!("{message}");
                }
                if program == verb.classic_name() {
                    eprint!("{}", flags::usage(verb, program));
                } else {
                    eprint!("{}", flags::synopsis(verb, program));
                    eprintln!("hint: `{program} --help` explains every option");
                }
            }
            Self::HelpAsked if program == verb.classic_name() => eprint!("{}", flags::usage(verb, program)),
            Self::HelpAsked => {
                print!("{}", flags::usage(verb, program));
                return 0;
            }
            Self::VersionAsked => {
                println!("portreeve {}", env!("CARGO_PKG_VERSION"));
                return 0;
            }
            Self::OutputClosed => {}
            Self::Told(exit_code) => return *exit_code,
            Self::Message(message) => eprintln!("{message}"),
            Self::Session(message) => log.error(&format!("{program}: {message}")),
            Self::Unanswered(message) => {
                log.error(&format!("{program}: {message}"));
                // To snmpstatus it is an answer, as any other error is.
                return if verb == Verb::Status { Self::REJECTED } else { Self::EXIT_CODE };
            }
        }
        Self::EXIT_CODE
    }

    /// The same with one line more at its end.
    pub(crate) fn with_line(self, line: &str) -> Self {
        match self {
            Self::Message(message) => Self::Message(format!("{message}\n{line}")),
            Self::Session(message) => Self::Session(format!("{message}\n{line}")),
            Self::Unanswered(message) => Self::Unanswered(format!("{message}\n{line}")),
            other => other,
        }
    }

    /// Why a request has no answer. `agent` is the address as it was typed.
    pub(crate) fn from_client(error: &ClientError, verb: Verb, agent: &str) -> Self {
        match error {
            ClientError::Request(RequestError::Timeout(None)) if verb == Verb::Df => {
                Self::Session("Timeout".to_owned())
            }
            ClientError::Request(RequestError::Timeout(ignored)) => {
                let stop = if matches!(verb, Verb::Get | Verb::GetNext) { "." } else { "" };
                let mut message = format!("Timeout: No Response from {agent}{stop}");
                if let Some(ignored) = ignored {
                    message += &format!("\nhint: {}", hint_on_ignored(*ignored));
                }
                Self::Message(message)
            }
            ClientError::Request(RequestError::Refused(refusal)) => {
                Self::Unanswered(format!("{}\nhint: {refusal}", classic_refusal(*refusal)))
            }
            ClientError::Request(RequestError::Misuse(Misuse::BulkInV1)) => {
                Self::Session("Cannot send V2 PDU on V1 session".to_owned())
            }
            ClientError::Request(RequestError::Misuse(misuse)) => Self::Session(misuse.to_string()),
            ClientError::Io(io) => {
                match io.get_ref().and_then(|inner| inner.downcast_ref::<ChannelError>()) {
                    Some(lost) => Self::Session(format!("{agent}: {lost}")),
                    None => Self::Session(error.to_string()),
                }
            }
        }
    }
}

fn hint_on_ignored(ignored: Ignored) -> String {
    format!("a message from the agent was ignored: {ignored}")
}

/// The wording that scripts know.
fn classic_refusal(refusal: Refusal) -> &'static str {
    match refusal {
        Refusal::UnsupportedSecurityLevel => "Unsupported security level",
        Refusal::NotInTimeWindow => "Not in time window",
        Refusal::UnknownUserName => "Unknown user name",
        Refusal::UnknownEngineId => "Unknown engine ID",
        Refusal::WrongDigest => "Authentication failure (incorrect password, community or key)",
        Refusal::DecryptionError => "Decryption error",
        Refusal::UnknownContext => "Bad context specified",
        // The hint says what is meant.
        Refusal::UnknownPduHandler => "Bad version specified",
        Refusal::UnknownSecurityModel
        | Refusal::InvalidMessage
        | Refusal::UnavailableContext
        | Refusal::InvalidCache
        | Refusal::InadequateSecurityLevel
        | Refusal::InvalidPrefix
        | Refusal::Other => "Unknown Report message",
    }
}

#[cfg(test)]
mod tests;
