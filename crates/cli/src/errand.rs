//! What a program of its own is to do, told by words that this command's flags are made of: one definition of flags,
//! environment and `snmp.conf` for both.

use std::{ffi::OsString, process::ExitCode, rc::Rc};

use portreeve_broker_protocol::Order;
use portreeve_manager::{Credentials, PeerAddress, SessionOptions};

use crate::{commands, flags, log::Log, output::record::Data, verb::Verb};

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
            let operands: Vec<String> =
                operands.into_iter().map(|operand| operand.to_string_lossy().into_owned()).collect();
            let as_data = settings.data == Data::Json;
            commands::errand(verb, program, settings, &operands, as_data)
        });
        errand.map_err(|failure| ExitCode::from(failure.tell(verb, program, &log)))
    }
}
