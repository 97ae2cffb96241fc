//! Parses the command line of a separate program such as `portreeve-doctor`, with the flags,
//! environment and `snmp.conf` of this command.

use std::{ffi::OsString, process::ExitCode, rc::Rc};

use portreeve_broker_protocol::SessionRequest;
use portreeve_snmp_manager::{Credentials, PeerAddress, SessionOptions};

use crate::{
    agent_address::AgentAddress,
    assumed_protocols::AssumedProtocols,
    command_error::CommandError,
    commands::SessionPlan,
    flags::{self, Settings},
    log::Log,
    output::record::DataFormat,
    verb::Verb,
};

/// The agent, the credentials and the session options of a command line.
pub struct ClientPlan {
    /// The agent's address as typed.
    pub typed_address: String,
    /// The agent's address, parsed from `typed_address`.
    pub address: PeerAddress,
    /// The community or the SNMPv3 user.
    pub credentials: Credentials,
    /// The timeouts, retries and other options of the SNMP session.
    pub options: SessionOptions,
    /// The request for a secure session, if the transport has sessions.
    pub session_request: Option<SessionRequest>,
    /// The USM protocols that the command line does not name.
    pub assumed_protocols: AssumedProtocols,
    /// True if `--json` requests JSON output.
    pub as_json: bool,
}

impl ClientPlan {
    /// Parses the arguments of `portreeve doctor`.
    ///
    /// # Errors
    /// The exit code. The error message, or the requested help, has been printed.
    pub fn from_doctor_args(args: impl Iterator<Item = OsString>) -> Result<Self, ExitCode> {
        let (verb, program) = (Verb::Doctor, "portreeve doctor");
        let mut log = Rc::<Log>::default();
        let plan = flags::parse(verb, program, args).and_then(|(settings, operands)| {
            log.clone_from(&settings.log);
            Self::new(verb, program, settings, &operands)
        });
        plan.map_err(|error| ExitCode::from(error.report(verb, program, &log)))
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
            [_, extra, ..] => {
                let extra = extra.to_string_lossy();
                return Err(CommandError::Usage(format!("unexpected operand: {extra}")));
            }
        };
        let agent = AgentAddress::new(typed, &settings.aliases);
        let address = agent.peer()?.clone();
        let as_json = settings.data_format == DataFormat::Json;
        let assumed_protocols = AssumedProtocols::of(&settings);
        let plan = SessionPlan::new(verb, program, settings, address.transport.is_secure())?;
        let session_request = plan.session_request(&address)?;
        let SessionPlan { credentials, options, .. } = plan;
        Ok(Self {
            typed_address: agent.typed,
            address,
            credentials,
            options,
            session_request,
            assumed_protocols,
            as_json,
        })
    }
}
