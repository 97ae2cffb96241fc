//! What a program of its own is to do, told by words that this command's flags are made of: one definition of flags,
//! environment and `snmp.conf` for both.

use std::{ffi::OsString, process::ExitCode, rc::Rc};

use portreeve_broker_protocol::SessionRequest;
use portreeve_snmp_manager::{AddressError, Credentials, PeerAddress, SessionOptions};

use crate::{
    command_error::CommandError,
    commands::SessionPlan,
    flags::{self, Settings},
    log::Log,
    output::record::DataFormat,
    verb::Verb,
};

/// Whom to ask, as whom, and how.
pub struct ClientPlan {
    /// The agent's address as it was typed.
    pub typed: String,
    /// The same, read.
    pub address: PeerAddress,
    /// As whom to ask.
    pub credentials: Credentials,
    /// How to ask.
    pub options: SessionOptions,
    /// The session to ask in, where the transport has such.
    pub order: Option<SessionRequest>,
    /// Whether a program reads what is found.
    pub as_data: bool,
}

impl ClientPlan {
    /// What `portreeve doctor` is to do, by the words behind these two.
    ///
    /// # Errors
    /// The exit code: what there is to say about the words has been said.
    pub fn from_doctor_args(words: impl Iterator<Item = OsString>) -> Result<Self, ExitCode> {
        let (verb, program) = (Verb::Doctor, "portreeve doctor");
        let mut log = Rc::<Log>::default();
        let errand = flags::parse(verb, program, words).and_then(|(settings, operands)| {
            log.clone_from(&settings.log);
            Self::new(verb, program, settings, &operands)
        });
        errand.map_err(|failure| ExitCode::from(failure.report(verb, program, &log)))
    }

    fn new(
        verb: Verb,
        program: &str,
        settings: Settings,
        operands: &[OsString],
    ) -> Result<Self, CommandError> {
        let typed = match operands {
            [typed] => typed.to_string_lossy().into_owned(),
            [] => return Err(CommandError::Usage("No hostname specified.".to_owned())),
            [_, more, ..] => {
                let more = more.to_string_lossy();
                return Err(CommandError::Usage(format!("{more}: one operand too many")));
            }
        };
        let unknown =
            |error: AddressError| CommandError::Session(format!("Unknown host ({typed})\nhint: {error}"));
        let address: PeerAddress = typed.parse().map_err(unknown)?;
        let as_data = settings.data_format == DataFormat::Json;
        let plan = SessionPlan::new(verb, program, settings, address.transport.is_secure())?;
        let order = plan.order(&address)?;
        let SessionPlan { credentials, options, .. } = plan;
        Ok(Self { typed, address, credentials, options, order, as_data })
    }
}
