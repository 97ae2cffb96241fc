//! Why the command stops before or without an answer, told as Net-SNMP's commands tell it.

use portreeve_channel::ChannelError;
use portreeve_snmp_manager::{ClientError, DropReason, InvalidRequestError, RejectReason, RequestError};

use crate::{flags, log::Log, verb::Verb};

/// Why the command stops with exit code 1.
#[derive(Debug)]
pub(crate) enum CommandError {
    /// The command line is wrong: the usage follows the message, all of it under the names of Net-SNMP's commands.
    Usage(String),
    /// No failure: the help was asked for. Net-SNMP's commands treat it as one, so under their names it is.
    HelpRequested,
    /// No failure: the version was asked for.
    VersionRequested,
    /// Anything else; whole lines, without the program's name.
    Message(String),
    /// Whoever read standard output has gone: there is nobody to tell.
    OutputClosed,
    /// All has been told; only the exit code is left.
    Reported(u8),
    /// Something about the session; the program's name stands before it.
    Session(String),
    /// The same, found out by asking: a Report, or silence where the agent was to tell its engine ID.
    NoResponse(String),
}

impl CommandError {
    /// Usage, session failure or timeout.
    pub(crate) const EXIT_CODE: u8 = 1;
    /// The agent answered, but not with what was asked for.
    pub(crate) const REJECTED: u8 = 2;

    /// Writes the messages and returns the exit code. What is about the session is logged; `-L` says where to.
    pub(crate) fn report(&self, verb: Verb, program: &str, log: &Log) -> u8 {
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
            Self::HelpRequested if program == verb.classic_name() => {
                eprint!("{}", flags::usage(verb, program))
            }
            Self::HelpRequested => {
                print!("{}", flags::usage(verb, program));
                return 0;
            }
            Self::VersionRequested => {
                println!("portreeve {}", env!("CARGO_PKG_VERSION"));
                return 0;
            }
            Self::OutputClosed => {}
            Self::Reported(exit_code) => return *exit_code,
            Self::Message(message) => eprintln!("{message}"),
            Self::Session(message) => log.error(&format!("{program}: {message}")),
            Self::NoResponse(message) => {
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
            Self::NoResponse(message) => Self::NoResponse(format!("{message}\n{line}")),
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
                    message += &format!("\nhint: {}", ignored_message_hint(*ignored));
                }
                Self::Message(message)
            }
            ClientError::Request(RequestError::Rejected(refusal)) => {
                Self::NoResponse(format!("{}\nhint: {refusal}", net_snmp_wording(*refusal)))
            }
            ClientError::Request(RequestError::InvalidRequest(InvalidRequestError::BulkInV1)) => {
                Self::Session("Cannot send V2 PDU on V1 session".to_owned())
            }
            ClientError::Request(RequestError::InvalidRequest(misuse)) => Self::Session(misuse.to_string()),
            ClientError::Io(io) => {
                match io.get_ref().and_then(|inner| inner.downcast_ref::<ChannelError>()) {
                    Some(lost) => Self::Session(format!("{agent}: {lost}")),
                    None => Self::Session(error.to_string()),
                }
            }
        }
    }
}

fn ignored_message_hint(ignored: DropReason) -> String {
    format!("a message from the agent was ignored: {ignored}")
}

/// The wording that scripts know.
fn net_snmp_wording(refusal: RejectReason) -> &'static str {
    match refusal {
        RejectReason::UnsupportedSecurityLevel => "Unsupported security level",
        RejectReason::NotInTimeWindow => "Not in time window",
        RejectReason::UnknownUserName => "Unknown user name",
        RejectReason::UnknownEngineId => "Unknown engine ID",
        RejectReason::WrongDigest => "Authentication failure (incorrect password, community or key)",
        RejectReason::DecryptionError => "Decryption error",
        RejectReason::UnknownContext => "Bad context specified",
        // The hint says what is meant.
        RejectReason::UnknownPduHandler => "Bad version specified",
        RejectReason::UnknownSecurityModel
        | RejectReason::InvalidMessage
        | RejectReason::UnavailableContext
        | RejectReason::InvalidCache
        | RejectReason::InadequateSecurityLevel
        | RejectReason::InvalidPrefix
        | RejectReason::Other => "Unknown Report message",
    }
}

#[cfg(test)]
mod tests;
