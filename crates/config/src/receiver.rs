//! The configuration of the receiver of notifications: its own sections, and those that it shares
//! with the agent.

use std::{
    net::IpAddr,
    path::{Path, PathBuf},
    time::Duration,
};

use portreeve_lcd::Name;
use portreeve_smi::{Oid, SecurityLevel, SecurityModel};

use crate::{
    Config, ConfigError, DiskFiles, Files, Forward, Problem,
    build::build_receiver,
    document::{self, Document},
    options::{
        ACCEPT, COMMUNITY, FORWARD, HANDLER, LIMITS, LISTEN, RECEIVE, SENDER, SSH, Section, TLS, TLS_NAME,
        USER, WEAK,
    },
    raw::{Raw, RawAccept, RawForward, RawHandler, RawReceive, RawSender},
};

/// The sections of the receiver's file, in the order of the manual.
pub static RECEIVER_SECTIONS: &[&Section] = &[
    &RECEIVE, &ACCEPT, &SENDER, &HANDLER, &FORWARD, &LISTEN, &LIMITS, &SSH, &TLS, &TLS_NAME, &WEAK, &USER,
    &COMMUNITY,
];

/// The content of a valid configuration file of the receiver.
pub struct ReceiverConfig {
    /// The sections that the agent has, too; the others have their defaults. The engine ID and the
    /// state directory are those of `[receive]`.
    pub shared: Config,
    /// The files to which notifications are written.
    pub output: ReceiverOutput,
    /// The notifications that are accepted, from `[[accept]]`.
    pub accept: Vec<Accept>,
    /// The users of many senders of traps, from `[[sender]]`.
    pub senders: Vec<Sender>,
    /// The programs that are run, from `[[handler]]`.
    pub handlers: Vec<Handler>,
    /// The targets to which notifications are forwarded, from `[[forward]]`.
    pub forwards: Vec<Forward>,
}

/// The files to which notifications are written, from `[receive]`. Paths are relative to the
/// directory of the configuration file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReceiverOutput {
    /// The file of lines; `None` for standard output.
    pub log: Option<PathBuf>,
    /// The file of JSON lines.
    pub json: Option<PathBuf>,
    /// The format of the lines. It has not been parsed.
    pub format: Option<String>,
    /// The socket of the journal; `None` if notifications are not written to it.
    pub journal: Option<PathBuf>,
    /// Maximum number of octets of notifications that wait until they are written.
    pub queue_octets: usize,
}

/// A rule that accepts notifications, from `[[accept]]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Accept {
    /// The securityName.
    pub name: Name,
    /// The security model; `None` for every one.
    pub model: Option<SecurityModel>,
    /// The minimum level of messages over SNMPv3; `None` for v1 and v2c.
    pub level: SecurityLevel,
    /// The networks of the senders: address and prefix length. Empty for every address.
    pub sources: Vec<(IpAddr, u8)>,
    /// The subtree that contains the snmpTrapOID.
    pub notifications: Option<Oid>,
    /// True if notifications may be logged.
    pub log: bool,
    /// True if handlers may be run.
    pub execute: bool,
    /// True if notifications may be forwarded.
    pub forward: bool,
}

/// A user of many senders of traps, from `[[sender]]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sender {
    /// The name of the user, who has pass phrases or no keys at all.
    pub user: Name,
    /// The networks of the senders: address and prefix length. Empty for every address.
    pub sources: Vec<(IpAddr, u8)>,
}

/// A program that is run for notifications, from `[[handler]]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Handler {
    /// The pattern of the snmpTrapOID, as in snmptrapd.conf. It has not been parsed.
    pub notifications: String,
    /// The absolute path of the program and its arguments; not empty.
    pub command: Vec<String>,
    /// The form of the standard input.
    pub input: HandlerInput,
    /// The time after which the program is killed.
    pub timeout: Duration,
    /// The line of the section.
    pub line: usize,
}

/// The form of the standard input of a handler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HandlerInput {
    /// A line for each variable.
    Text,
    /// One line with a JSON object.
    Json,
}

/// The raw values of a receiver's file.
pub(crate) struct RawReceiver {
    pub(crate) shared: Raw,
    pub(crate) receive: RawReceive,
    pub(crate) accept: Vec<RawAccept>,
    pub(crate) senders: Vec<RawSender>,
    pub(crate) handlers: Vec<RawHandler>,
    pub(crate) forwards: Vec<RawForward>,
}

impl RawReceiver {
    fn read(document: &mut Document<'_, '_>) -> Self {
        let sections = RECEIVER_SECTIONS.iter().map(|section| section.name);
        document.reject_unknown_sections(&sections.collect::<Vec<_>>());
        Self {
            shared: Raw::read_shared(document),
            receive: document.read_table(&RECEIVE, RawReceive::read).unwrap_or_default(),
            accept: document.read_tables(&ACCEPT, RawAccept::read),
            senders: document.read_tables(&SENDER, RawSender::read),
            handlers: document.read_tables(&HANDLER, RawHandler::read),
            forwards: document.read_tables(&FORWARD, RawForward::read),
        }
    }

    /// Returns true if the file itself contains a pass phrase, key or community string.
    pub(crate) fn holds_secrets(&self) -> bool {
        self.shared.holds_secrets() || self.forwards.iter().any(|forward| forward.target.community.is_some())
    }
}

/// Reads the receiver's file `path` and the files that it refers to. Also returns the warnings.
///
/// # Errors
/// If the file cannot be read or contains an error.
pub fn load_receiver(path: &Path) -> Result<(ReceiverConfig, Vec<Problem>), ConfigError> {
    let read = document::read(path, |document| build_document(document, path, &DiskFiles::beside(path)));
    read.map_err(|mut rejected| {
        if !path.exists() {
            rejected.0.iter_mut().for_each(|problem| {
                problem.hint(MISSING_FILE);
            });
        }
        rejected
    })
}

/// Parses `text` as the content of a receiver's `file`; files that it refers to are read from
/// `files`. Also returns the warnings.
///
/// # Errors
/// If the text contains an error.
pub fn parse_receiver(
    text: &str,
    file: &Path,
    files: &dyn Files,
) -> Result<(ReceiverConfig, Vec<Problem>), ConfigError> {
    document::read_text(text, file, |document| build_document(document, file, files))
}

const MISSING_FILE: &str = "create the file, as portreeve-trapd.toml(5) describes, or specify another one with --config, or snmptrapd.conf with -c";

fn build_document(document: &mut Document<'_, '_>, file: &Path, files: &dyn Files) -> ReceiverConfig {
    let raw = RawReceiver::read(document);
    build_receiver(&raw, file, files, document.problems)
}
