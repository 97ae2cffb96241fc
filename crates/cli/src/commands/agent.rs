//! The agent named on the command line, with a session to it.

use std::{io, net::ToSocketAddrs, time::Duration};

use portreeve_crypto::{AuthProtocol, PrivProtocol};
use portreeve_manager::{
    AddressError, Client, Credentials, FastWalk, PeerAddress, Request, Response, RetryPolicy, SessionOptions,
    Transport, UsmUser, WalkEnd, WalkError, WalkFailure,
};
use portreeve_message::VarBind;
use portreeve_secret::Secret;
use portreeve_smi::{EngineId, SecurityLevel};

use crate::{
    environment::Variable,
    failure::Failure,
    flags::{Application, Settings, Version},
    verb::Verb,
};

pub(super) struct Agent {
    pub(super) verb: Verb,
    /// The name that the command was called by, for messages.
    pub(super) program: String,
    pub(super) application: Application,
    pub(super) max_variables: Option<u64>,
    pub(super) one_by_one: bool,
    /// What is to be written is the agent's to judge.
    pub(super) unchecked_values: bool,
    /// Under whose name requests are made; empty for a community.
    pub(super) user_name: Vec<u8>,
    pub(super) auth_protocol: AuthProtocol,
    pub(super) priv_protocol: PrivProtocol,
    /// `-E`
    pub(super) context_engine_id: Option<EngineId>,
    version: Version,
    /// The address as it was typed.
    typed: String,
    /// Taken when the session is opened.
    plan: Option<Plan>,
    client: Option<Client>,
}

/// What a session is opened with.
struct Plan {
    credentials: Credentials,
    options: SessionOptions,
}

impl Agent {
    /// Checks what the flags say together. Nothing is resolved or opened yet.
    pub(super) fn from_command_line(
        verb: Verb,
        program: &str,
        mut settings: Settings,
        operands: &[String],
    ) -> Result<Self, Failure> {
        let Some(typed) = operands.first().cloned() else {
            return Err(Failure::Usage("No hostname specified.".to_owned()));
        };
        let options = SessionOptions {
            retry: match settings.deadline {
                Some(deadline) => RetryPolicy::adaptive(deadline),
                None => retry_policy(verb, settings.timeout, settings.retries),
            },
            context_name: std::mem::take(&mut settings.context_name),
            context_engine_id: settings.context_engine_id,
            security_engine_id: settings.security_engine_id,
            ..SessionOptions::default()
        };
        let (application, max_variables) = (settings.application.clone(), settings.max_variables);
        let (unchecked_values, one_by_one) = (settings.unchecked_values, settings.one_by_one);
        let (version, context_engine_id) = (settings.version, settings.context_engine_id);
        let (auth_protocol, priv_protocol) = (settings.auth_protocol, settings.priv_protocol);
        let user_name = settings.user.clone().unwrap_or_default();
        let needs_names = matches!(verb, Verb::Get | Verb::GetNext | Verb::Set);
        let credentials = match credentials(program, settings) {
            // What is to be read is asked for before the user's name is missed.
            Err(Failure::Session(_)) if needs_names && operands.len() < 2 => return Err(no_names()),
            credentials => credentials?,
        };
        if needs_names && operands.len() < 2 {
            return Err(no_names());
        }
        let plan = Some(Plan { credentials, options });
        Ok(Self {
            verb,
            program: program.to_owned(),
            application,
            max_variables,
            one_by_one,
            unchecked_values,
            user_name,
            auth_protocol,
            priv_protocol,
            context_engine_id,
            version,
            typed,
            plan,
            client: None,
        })
    }

    /// Whether many variables may be asked for at once; SNMPv1 has no GetBulk.
    pub(super) fn can_bulk(&self) -> bool {
        self.version != Version::V1 && !self.application.table.without_bulk
    }

    /// Resolves the address and opens the session.
    pub(super) fn open(&mut self) -> Result<(), Failure> {
        let Some(Plan { credentials, options }) = self.plan.take() else { return Ok(()) };
        let address: PeerAddress = self.typed.parse().map_err(|error| self.unknown_host(&error))?;
        let client = Client::open(&address, credentials, &options)
            .map_err(|error| self.not_reached(address.transport, &error))?;
        self.client = Some(client);
        Ok(())
    }

    /// Makes a request and waits for its end.
    pub(super) fn request(&mut self, request: &Request) -> Result<Response, Failure> {
        self.open()?;
        match &mut self.client {
            Some(client) => {
                client.request(request).map_err(|error| Failure::from_client(&error, self.verb, &self.typed))
            }
            None => Err(Failure::Session("No socket".to_owned())),
        }
    }

    /// Walks with several requests on their way.
    pub(super) fn walk(
        &mut self,
        walk: &mut FastWalk,
        visit: impl FnMut(&VarBind<'_>),
    ) -> Result<Result<WalkEnd, WalkError>, Failure> {
        self.open()?;
        let Some(client) = &mut self.client else { return Err(Failure::Session("No socket".to_owned())) };
        match client.walk(walk, visit) {
            Ok(end) => Ok(Ok(end)),
            Err(WalkFailure::Walk(error)) => Ok(Err(error)),
            Err(WalkFailure::Client(error)) => Err(Failure::from_client(&error, self.verb, &self.typed)),
        }
    }

    /// The agent's address as Net-SNMP's commands show it.
    pub(super) fn shown_address(&self) -> String {
        let Ok(address) = self.typed.parse::<PeerAddress>() else { return self.typed.clone() };
        let transport = match address.transport {
            Transport::Udp => "UDP",
            Transport::Tcp => "TCP",
        };
        let found = (address.host.as_str(), address.port).to_socket_addrs();
        let host = found.ok().and_then(|mut found| found.next());
        let host = host.map_or(address.host, |found| found.ip().to_string());
        format!("{transport}: [{host}]:{}", address.port)
    }

    /// The agent's address as it was typed.
    pub(super) fn typed_address(&self) -> &str {
        &self.typed
    }

    /// Takes back a response that is done with.
    pub(super) fn recycle(&mut self, response: Response) {
        if let Some(client) = &mut self.client {
            client.recycle(response);
        }
    }

    /// The line of `--stats`.
    pub(super) fn tell_statistics(&self, elapsed: Duration) {
        let statistics = self.client.as_ref().map(Client::statistics).unwrap_or_default();
        eprintln!(
            "objects={} exchanges={} octets_out={} octets_in={} seconds={:.6}",
            statistics.variables,
            statistics.exchanges,
            statistics.octets_out,
            statistics.octets_in,
            elapsed.as_secs_f64()
        );
    }

    fn unknown_host(&self, error: &AddressError) -> Failure {
        Failure::Session(format!("Unknown host ({})\nhint: {error}", self.typed))
    }

    fn not_reached(&self, transport: Transport, error: &io::Error) -> Failure {
        match transport {
            Transport::Tcp => Failure::Session(format!("Unknown host ({}) ({})", self.typed, plain(error))),
            Transport::Udp => Failure::Session(format!("Unknown host ({})", self.typed)),
        }
    }
}

/// Waits follow from measured round trips, within the patience of Net-SNMP's commands; `-t` or `-r` ask for theirs. What
/// writes is not sent again on a guess: not every write can be repeated.
fn retry_policy(verb: Verb, timeout: Option<Duration>, retries: Option<u32>) -> RetryPolicy {
    let reads = matches!(
        verb,
        Verb::Get | Verb::GetNext | Verb::BulkGet | Verb::Walk | Verb::BulkWalk | Verb::Delta | Verb::Df
    );
    if reads && timeout.is_none() && retries.is_none() {
        return RetryPolicy::adaptive(RetryPolicy::default().patience());
    }
    RetryPolicy::fixed(timeout.unwrap_or(DEFAULT_TIMEOUT), retries.unwrap_or(DEFAULT_RETRIES))
}

fn no_names() -> Failure {
    Failure::Usage("Missing object name".to_owned())
}

fn credentials(program: &str, settings: Settings) -> Result<Credentials, Failure> {
    let community = |community: Option<Secret>| {
        community.ok_or_else(|| Failure::Usage("No community name specified.".to_owned()))
    };
    match settings.version {
        Version::V1 => community(settings.community).map(Credentials::V1),
        Version::V2c => community(settings.community).map(Credentials::V2c),
        Version::V3 => user(program, settings).map(Credentials::V3),
    }
}

fn user(program: &str, settings: Settings) -> Result<UsmUser, Failure> {
    let shared = || settings.default_pass.as_ref().map(|shared| Secret::from(shared.expose()));
    let auth_pass = settings.auth_pass.or_else(|| Variable::AuthPass.secret());
    let auth_pass = auth_pass.or(settings.default_auth_pass).or_else(shared);
    let priv_pass = settings.priv_pass.or_else(|| Variable::PrivPass.secret());
    let priv_pass = priv_pass.or(settings.default_priv_pass).or_else(shared);
    check_length(auth_pass.as_ref(), program, "authentication")?;
    check_length(priv_pass.as_ref(), program, "privacy")?;
    let name = settings.user.ok_or_else(|| Failure::Session("No securityName specified".to_owned()))?;
    let too_short = |_| Failure::Session("USM generic error".to_owned());
    match (settings.level, auth_pass, priv_pass) {
        (SecurityLevel::NoAuthNoPriv, ..) => Ok(UsmUser::unauthenticated(&name)),
        (SecurityLevel::AuthNoPriv, Some(auth), _) => {
            UsmUser::with_auth(&name, settings.auth_protocol, &auth).map_err(too_short)
        }
        (SecurityLevel::AuthPriv, Some(auth), Some(privacy)) => {
            let (auth, privacy) = ((settings.auth_protocol, &auth), (settings.priv_protocol, &privacy));
            UsmUser::with_privacy(&name, auth, privacy).map_err(too_short)
        }
        (_, None, _) => {
            Err(missing("USM authentication failure (incorrect password or key)", "-A", Variable::AuthPass))
        }
        (_, _, None) => Err(missing("USM generic error", "-X", Variable::PrivPass)),
    }
}

fn missing(message: &str, flag: &str, variable: Variable) -> Failure {
    Failure::Session(format!(
        "{message}\nhint: this security level needs a pass phrase: {flag} or {}",
        variable.name()
    ))
}

fn check_length(pass_phrase: Option<&Secret>, program: &str, purpose: &str) -> Result<(), Failure> {
    if pass_phrase.is_none_or(|pass_phrase| pass_phrase.len() >= SHORTEST_PASS_PHRASE) {
        return Ok(());
    }
    Err(Failure::Message(format!(
        "Error: passphrase chosen is below the length requirements of the USM (min={SHORTEST_PASS_PHRASE}).\n\
         {program}:  (The supplied password length is too short.)\n\
         Error generating a key (Ku) from the supplied {purpose} pass phrase. "
    )))
}

/// The system's own words for an error, without the number that follows them.
fn plain(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or_default().to_owned()
}

const SHORTEST_PASS_PHRASE: usize = 8;
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(1);
const DEFAULT_RETRIES: u32 = 5;
