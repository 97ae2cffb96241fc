//! The errors that end the command, in the wording of the Net-SNMP commands.

use portreeve_channel::ChannelError;
use portreeve_snmp_manager::{ClientError, DropReason, InvalidRequestError, RejectReason, RequestError};

use crate::{
    flags::{self, FlagError},
    log::Log,
    verb::Verb,
};

/// The error that ends the command.
#[derive(Debug)]
pub(crate) enum CommandError {
    /// An invalid command line. The usage is printed after the message, in full if the program was
    /// called by a Net-SNMP name.
    Usage(String),
    /// The user has requested the help. If called by a Net-SNMP name, the program exits with 1, as
    /// Net-SNMP's commands do.
    HelpRequested,
    /// The user has requested the version.
    VersionRequested,
    /// Any other error: whole lines, printed without the name of the program.
    Message(String),
    /// Standard output is closed. Nothing is printed.
    OutputClosed,
    /// The error has been printed; this is the exit code.
    Reported(u8),
    /// An error of the session; printed after the name of the program.
    Session(String),
    /// A Report, or no response to engine ID discovery; printed after the name of the program.
    NoResponse(String),
}

impl CommandError {
    /// The exit code for usage errors, session errors and timeouts.
    pub(crate) const EXIT_CODE: u8 = 1;
    /// The exit code if the agent returned an error.
    pub(crate) const REJECTED: u8 = 2;

    /// Prints the messages and returns the exit code. Session errors go to the log of `-L`.
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
                let _ = portreeve_usage::print(std::io::stdout(), flags::usage(verb, program));
                return 0;
            }
            Self::VersionRequested => {
                let _ = portreeve_usage::print(
                    std::io::stdout(),
                    concat!("portreeve ", env!("CARGO_PKG_VERSION"), "\n"),
                );
                return 0;
            }
            Self::OutputClosed => {}
            Self::Reported(exit_code) => return *exit_code,
            Self::Message(message) => eprintln!("{message}"),
            Self::Session(message) => log.error(&format!("{program}: {message}")),
            Self::NoResponse(message) => {
                log.error(&format!("{program}: {message}"));
                // If no response arrives, snmpstatus exits with the same code as after an error
                // response.
                return if verb == Verb::Status { Self::REJECTED } else { Self::EXIT_CODE };
            }
        }
        Self::EXIT_CODE
    }

    /// Appends a line to the message.
    pub(crate) fn with_line(self, line: &str) -> Self {
        match self {
            Self::Message(message) => Self::Message(format!("{message}\n{line}")),
            Self::Session(message) => Self::Session(format!("{message}\n{line}")),
            Self::NoResponse(message) => Self::NoResponse(format!("{message}\n{line}")),
            other => other,
        }
    }

    /// Creates the error for a flag at which parsing stops.
    pub(crate) fn from_flag(error: FlagError) -> Self {
        match error {
            FlagError::Usage(message) => Self::Usage(message),
            FlagError::Message(message) => Self::Message(message),
            FlagError::HelpRequested => Self::HelpRequested,
            FlagError::VersionRequested => Self::VersionRequested,
            FlagError::Done => Self::Reported(0),
        }
    }

    /// Creates the error for a failed request. `agent` is the address as typed.
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
            ClientError::Request(error @ RequestError::NoKeys(_)) => Self::Session(error.to_string()),
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
    format!("the last message from the agent was dropped: {ignored}")
}

/// Returns the wording of Net-SNMP, which scripts may depend on.
fn net_snmp_wording(refusal: RejectReason) -> &'static str {
    match refusal {
        RejectReason::UnsupportedSecurityLevel => "Unsupported security level",
        RejectReason::NotInTimeWindow => "Not in time window",
        RejectReason::UnknownUserName => "Unknown user name",
        RejectReason::UnknownEngineId => "Unknown engine ID",
        RejectReason::WrongDigest => "Authentication failure (incorrect password, community or key)",
        RejectReason::DecryptionError => "Decryption error",
        RejectReason::UnknownContext => "Bad context specified",
        // Net-SNMP's wording is misleading; the hint explains the reason.
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
