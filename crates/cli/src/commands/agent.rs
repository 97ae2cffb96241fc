//! The agent on the command line and the session with it.

mod prompt_responder;
mod secure;
mod session_plan;
mod user;

use std::{io, time::Duration};

use portreeve_crypto::{AuthProtocol, PrivProtocol};
use portreeve_smi::EngineId;
use portreeve_snmp_manager::{
    Client, ClientError, ClientWalkError, Credentials, Diagnosis, FastWalk, Request, RequestError, Response,
    SessionOptions, Transport, TrapSender, WalkEnd, WalkError,
};
use portreeve_snmp_message::VarBind;

use super::{explain::Explanations, saved_keys::SavedKeys, set::ValueRules};
use crate::{
    agent_address::AgentAddress,
    assumed_protocols::{AssumedProtocols, DEFAULT_AUTH, DEFAULT_PRIV},
    command_error::CommandError,
    debug::{Debug, Token},
    flags::{ApplicationOptions, Settings, Version},
    verb::Verb,
};

pub(crate) use session_plan::SessionPlan;

pub(super) struct Agent {
    pub(super) verb: Verb,
    /// The name by which the command was called, for messages.
    pub(super) program: String,
    pub(super) application: ApplicationOptions,
    pub(super) max_variables: Option<u64>,
    pub(super) one_by_one: bool,
    pub(super) value_rules: ValueRules,
    /// `--compat net-snmp`: send requests, prompt and print as Net-SNMP's commands do.
    pub(super) like_net_snmp: bool,
    pub(super) debug: Debug,
    /// The number of objects for `--stats`, if it differs from the number of variables in all
    /// responses.
    pub(super) objects: Option<u64>,
    /// The name of the SNMPv3 user; empty for a community.
    pub(super) user_name: Vec<u8>,
    pub(super) auth_protocol: AuthProtocol,
    pub(super) priv_protocol: PrivProtocol,
    /// `-E`: the engine ID of the context that requests address.
    pub(super) context_engine_id: Option<EngineId>,
    version: Version,
    assumed_protocols: AssumedProtocols,
    address: AgentAddress,
    /// The credentials and options, taken when the session is opened.
    plan: Option<SessionPlan>,
    client: Option<Client>,
    explanations: Explanations,
    saved_keys: SavedKeys,
    /// The session borrowed from the broker, if any.
    borrowed: Option<secure::BorrowedSession>,
}

impl Agent {
    /// Checks the settings. Does not resolve the address or open the session yet.
    pub(super) fn from_command_line(
        verb: Verb,
        program: &str,
        settings: Settings,
        operands: &[String],
    ) -> Result<Self, CommandError> {
        let Some(typed) = operands.first().cloned() else {
            return Err(CommandError::Usage("No hostname specified.".to_owned()));
        };
        let mut address = AgentAddress::new(typed, &settings.aliases);
        if verb.sends_notifications() {
            address = address.for_notifications();
        }
        let in_session = match address.peer() {
            Ok(peer) => peer.transport.is_secure(),
            // As in Net-SNMP, a missing user is reported before an invalid address. Net-SNMP has no
            // addresses with `://`, so an error in such an address is reported at once.
            Err(error) if address.typed.contains("://") => return Err(error),
            Err(_) => false,
        };
        let debug = Debug { log: settings.log.clone(), tokens: settings.debug, dump: settings.dump_packets };
        debug.log(Token::Parse, || summary(program, &address.typed, &settings));
        let (application, max_variables) = (settings.application.clone(), settings.max_variables);
        let value_rules = ValueRules::of(&settings);
        let like_net_snmp = settings.like_net_snmp;
        let one_by_one = settings.one_by_one || like_net_snmp;
        let (version, context_engine_id) = (settings.version, settings.context_engine_id);
        let auth_protocol = settings.auth_protocol.unwrap_or(DEFAULT_AUTH);
        let priv_protocol = settings.priv_protocol.unwrap_or(DEFAULT_PRIV);
        let assumed_protocols = AssumedProtocols::of(&settings);
        let user_name = settings.user.clone().unwrap_or_default();
        let (explanations, no_cache) = (Explanations::new(settings.explain), settings.no_cache);
        let needs_names = matches!(verb, Verb::Get | Verb::GetNext | Verb::Set);
        let mut plan = match SessionPlan::new(verb, program, settings, in_session) {
            // A missing object name is reported before a missing user name.
            Err(CommandError::Session(_)) if needs_names && operands.len() < 2 => {
                return Err(missing_object_error());
            }
            plan => plan?,
        };
        if needs_names && operands.len() < 2 {
            return Err(missing_object_error());
        }
        let saved_keys;
        (saved_keys, plan.credentials) = SavedKeys::attach(plan.credentials, no_cache);
        Ok(Self {
            verb,
            program: program.to_owned(),
            application,
            max_variables,
            one_by_one,
            value_rules,
            like_net_snmp,
            debug,
            objects: None,
            user_name,
            auth_protocol,
            priv_protocol,
            context_engine_id,
            version,
            assumed_protocols,
            address,
            plan: Some(plan),
            client: None,
            explanations,
            saved_keys,
            borrowed: None,
        })
    }

    /// Returns true if GETBULK may be used; SNMPv1 does not support it.
    pub(super) fn can_bulk(&self) -> bool {
        self.version != Version::V1 && !self.application.table.without_bulk
    }

    /// Resolves the address and opens the session.
    pub(super) fn open(&mut self) -> Result<(), CommandError> {
        let Some(SessionPlan { credentials, mut options, mut secure }) = self.plan.take() else {
            return Ok(());
        };
        let address = self.address.peer()?;
        let mut client = if address.transport.is_secure() {
            let (link, borrowed) = secure
                .open(address, &mut options)
                .map_err(|error| CommandError::Session(format!("{}: {error}", self.address.typed)))?;
            self.borrowed = Some(borrowed);
            Client::with_link(link, credentials, &options)
        } else if secure.has_typed_options {
            let message = "Configuration data found but the transport can't be configured";
            return Err(CommandError::Session(message.to_owned()));
        } else {
            Client::open(address, credentials, &options)
                .map_err(|error| self.open_error(address.transport, &error))?
        };
        self.debug.watch(&mut client, &self.address.transport_label());
        self.client = Some(client);
        Ok(())
    }

    /// Resolves the address and opens the session for traps of the engine `engine_id`.
    pub(super) fn open_trap_sender(&mut self, engine_id: EngineId) -> Result<TrapSender, CommandError> {
        let Some(SessionPlan { credentials, mut options, mut secure }) = self.plan.take() else {
            return Err(CommandError::Session("No socket".to_owned()));
        };
        let address = self.address.peer()?;
        let mut sender = if address.transport.is_secure() {
            let (link, borrowed) = secure
                .open(address, &mut options)
                .map_err(|error| CommandError::Session(format!("{}: {error}", self.address.typed)))?;
            self.borrowed = Some(borrowed);
            TrapSender::with_link(link, credentials, engine_id, &options)
        } else {
            TrapSender::open(address, credentials, engine_id, &options)
        }
        .map_err(|error| self.open_error(address.transport, &error))?;
        self.debug.watch_traps(&mut sender, &self.address.transport_label());
        Ok(sender)
    }

    /// Returns true if the message needs the engine ID of a context, and none is known: over a
    /// transport that authenticates the user, without `-E` and `-e`.
    pub(super) fn lacks_context_engine_id(&self) -> bool {
        self.plan.as_ref().is_some_and(|SessionPlan { credentials, options, .. }| {
            matches!(credentials, Credentials::Transport)
                && options.context_engine_id.is_none()
                && options.security_engine_id.is_none()
        })
    }

    /// Sets the engine ID of the context, as `-E` does.
    pub(super) fn set_context_engine_id(&mut self, engine_id: EngineId) {
        self.context_engine_id = Some(engine_id);
        if let Some(plan) = &mut self.plan {
            plan.options.context_engine_id = Some(engine_id);
        }
    }

    /// Returns the options of the session, until it is opened.
    pub(super) fn options(&self) -> Option<&SessionOptions> {
        self.plan.as_ref().map(|plan| &plan.options)
    }

    /// Returns the version of the messages.
    pub(super) fn version(&self) -> Version {
        self.version
    }

    /// Sends a request and waits for the response.
    pub(super) fn request(&mut self, request: &Request) -> Result<Response, CommandError> {
        self.open()?;
        let Some(client) = &mut self.client else {
            return Err(CommandError::Session("No socket".to_owned()));
        };
        match client.request(request) {
            Ok(response) => {
                self.explanations.note(request, &response, client);
                Ok(response)
            }
            Err(error) => Err(self.request_error(&error)),
        }
    }

    /// Walks a subtree with several outstanding requests.
    pub(super) fn walk(
        &mut self,
        walk: &mut FastWalk,
        visit: impl FnMut(&VarBind<'_>),
    ) -> Result<Result<WalkEnd, WalkError>, CommandError> {
        self.open()?;
        let Some(client) = &mut self.client else {
            return Err(CommandError::Session("No socket".to_owned()));
        };
        match client.walk(walk, visit) {
            Ok(end) => Ok(Ok(end)),
            Err(ClientWalkError::Walk(error)) => Ok(Err(error)),
            Err(ClientWalkError::Client(error)) => Err(self.request_error(&error)),
        }
    }

    /// Records for `--explain` that nothing was found below a name.
    pub(super) fn note_absence(&mut self, name: &[u32]) {
        if let Some(client) = &mut self.client {
            self.explanations.note_absence(name, client);
        }
    }

    /// Completes the command: returns the session to the broker, prints explanations and saves
    /// derived keys.
    pub(super) fn finish(&mut self) {
        // A context of another engine says nothing about the agent's engine ID.
        let is_agents_own = self.context_engine_id.is_none();
        if let (Some(borrowed), Some(client), true) = (&mut self.borrowed, &self.client, is_agents_own) {
            borrowed.send_note(client.engine_id());
        }
        self.explanations.print();
        self.saved_keys.save();
    }

    /// Returns the agent's address as the Net-SNMP commands print it.
    pub(super) fn resolved_address(&self) -> String {
        self.address.resolved()
    }

    /// Returns the agent's address as typed.
    pub(super) fn typed_address(&self) -> &str {
        &self.address.typed
    }

    /// Reuses the buffer of a processed response.
    pub(super) fn recycle(&mut self, response: Response) {
        if let Some(client) = &mut self.client {
            client.recycle(response);
        }
    }

    /// Prints the statistics line of `--stats`.
    pub(super) fn print_statistics(&self, elapsed: Duration) {
        let statistics = self.client.as_ref().map(Client::statistics).unwrap_or_default();
        let protocol = self.borrowed.as_ref().map(|session| format!(" protocol={}", session.protocol));
        eprintln!(
            "objects={} exchanges={} octets_out={} octets_in={} seconds={:.6}{}",
            self.objects.unwrap_or(statistics.variables),
            statistics.exchanges,
            statistics.octets_out,
            statistics.octets_in,
            elapsed.as_secs_f64(),
            protocol.unwrap_or_default()
        );
    }

    /// Creates the error for a failed request. With `--explain`, may send more requests.
    fn request_error(&mut self, error: &ClientError) -> CommandError {
        let mut failure = CommandError::from_client(error, self.verb, &self.address.typed);
        let Some(client) = &mut self.client else { return failure };
        if let ClientError::Request(error) = error {
            if self.version == Version::V3 && is_discovery_timeout(error, client) {
                failure = CommandError::NoResponse("Timeout".to_owned());
            }
            if let Some(hint) = self.assumed_protocols.hint(&client.likely_cause(error)) {
                failure = failure.with_line(&format!("hint: {hint}"));
            }
        }
        self.explanations.add_cause(failure, error, client)
    }

    fn open_error(&self, transport: Transport, error: &io::Error) -> CommandError {
        let typed = &self.address.typed;
        let failure = match transport {
            Transport::Tcp | Transport::Unix => {
                CommandError::Session(format!("Unknown host ({typed}) ({})", without_os_error(error)))
            }
            _ => CommandError::Session(format!("Unknown host ({typed})")),
        };
        // The explanations are about hosts and ports.
        let diagnose = || Diagnosis::from_io(error).filter(|_| transport != Transport::Unix);
        self.explanations.add_to(failure, diagnose)
    }
}

/// Returns true if engine ID discovery timed out. Net-SNMP then prints only the word `Timeout`.
fn is_discovery_timeout(error: &RequestError, client: &Client) -> bool {
    *error == RequestError::Timeout(None) && client.statistics().octets_in == 0
}

fn missing_object_error() -> CommandError {
    CommandError::Usage("Missing object name".to_owned())
}

/// Summarizes the settings for `-Dparse`, without secrets.
fn summary(program: &str, agent: &str, settings: &Settings) -> String {
    let version_text = match settings.version {
        Version::V1 => "SNMPv1".to_owned(),
        Version::V2c => "SNMPv2c".to_owned(),
        Version::V3 => format!("SNMPv3 at {}", settings.level),
    };
    let context = settings.context_name.escape_ascii();
    format!("parse: {program}: agent {agent}, {version_text}, context \"{context}\"")
}

/// Returns the system's error message without the error number.
fn without_os_error(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or_default().to_owned()
}
