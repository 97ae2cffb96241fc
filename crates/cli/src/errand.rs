//! What a program of its own is to do, told by words that this command's flags are made of: one definition of flags,
//! environment and `snmp.conf` for both.

use std::{ffi::OsString, process::ExitCode, rc::Rc};

use portreeve_broker_protocol::Order;
use portreeve_snmp_manager::{AddressError, Credentials, PeerAddress, SessionOptions};

use crate::{
    commands::Plan,
    failure::Failure,
    flags::{self, Settings},
    log::Log,
    output::record::Data,
    verb::Verb,
};

/// Whom to ask, as whom, and how.
pub struct Errand {
    /// The agent's address as it was typed.
    pub typed: String,
    /// The same, read.
    pub address: PeerAddress,
    /// As whom to ask.
    pub credentials: Credentials,
    /// How to ask.
    pub options: SessionOptions,
    /// The session to ask in, where the transport has such.
    pub order: Option<Order>,
    /// Whether a program reads what is found.
    pub as_data: bool,
}

impl Errand {
    /// What `portreeve doctor` is to do, by the words behind these two.
    ///
    /// # Errors
    /// The exit code: what there is to say about the words has been said.
    pub fn of_doctor(words: impl Iterator<Item = OsString>) -> Result<Self, ExitCode> {
        let (verb, program) = (Verb::Doctor, "portreeve doctor");
        let mut log = Rc::<Log>::default();
        let errand = flags::parse(verb, program, words).and_then(|(settings, operands)| {
            log.clone_from(&settings.log);
            Self::new(verb, program, settings, &operands)
        });
        errand.map_err(|failure| ExitCode::from(failure.tell(verb, program, &log)))
    }

    fn new(verb: Verb, program: &str, settings: Settings, operands: &[OsString]) -> Result<Self, Failure> {
        let typed = match operands {
            [typed] => typed.to_string_lossy().into_owned(),
            [] => return Err(Failure::Usage("No hostname specified.".to_owned())),
            [_, more, ..] => {
                let more = more.to_string_lossy();
                return Err(Failure::Usage(format!("{more}: one operand too many")));
            }
        };
        let unknown =
            |error: AddressError| Failure::Session(format!("Unknown host ({typed})\nhint: {error}"));
        let address: PeerAddress = typed.parse().map_err(unknown)?;
        let as_data = settings.data == Data::Json;
        let plan = Plan::new(verb, program, settings, address.transport.is_secure())?;
        let order = plan.order(&address)?;
        let Plan { credentials, options, .. } = plan;
        Ok(Self { typed, address, credentials, options, order, as_data })
    }
}
