//! Credentials and session options from flags, environment and `snmp.conf`.

use std::time::Duration;

use portreeve_broker_protocol::SessionRequest;
use portreeve_secret::Secret;
use portreeve_snmp_manager::{Credentials, PeerAddress, RetryPolicy, SessionOptions};

use super::{secure, user};
use crate::{
    command_error::CommandError,
    flags::{Settings, Version},
    verb::Verb,
};

/// The credentials and options of a session.
pub(crate) struct SessionPlan {
    pub(crate) credentials: Credentials,
    pub(crate) options: SessionOptions,
    /// The options of a secure session.
    pub(super) secure: secure::SecurePlan,
}

impl SessionPlan {
    /// Creates the plan. `in_session` is true if the transport authenticates the user, so that SNMP
    /// does not have to. May ask the user for pass phrases.
    pub(crate) fn new(
        verb: Verb,
        program: &str,
        mut settings: Settings,
        in_session: bool,
    ) -> Result<Self, CommandError> {
        let options = options(verb, &mut settings);
        let secure = secure::SecurePlan::new(&mut settings);
        let credentials = credentials(program, settings, in_session)?;
        Ok(Self { credentials, options, secure })
    }

    /// Returns the request to the broker; `None` if the transport needs none.
    pub(crate) fn session_request(
        &self,
        address: &PeerAddress,
    ) -> Result<Option<SessionRequest>, CommandError> {
        let is_secure = address.transport.is_secure();
        let request =
            is_secure.then(|| self.secure.session_request(address, self.options.retry.total_timeout()));
        request.transpose().map_err(|error| CommandError::Session(error.to_string()))
    }
}

fn options(verb: Verb, settings: &mut Settings) -> SessionOptions {
    SessionOptions {
        retry: match settings.deadline {
            Some(deadline) => RetryPolicy::adaptive(deadline),
            None => retry_policy(verb, settings),
        },
        context_name: std::mem::take(&mut settings.context_name),
        context_engine_id: settings.context_engine_id,
        security_engine_id: settings.security_engine_id,
        agent_clock: settings.agent_clock,
        ..SessionOptions::default()
    }
}

/// Returns the retry policy. By default, the timeout of a read adapts to the round-trip time, and
/// all attempts together take no longer than those of the Net-SNMP commands; `-t` and `-r` select
/// fixed intervals. Verbs that are not listed always use fixed intervals, because an early
/// retransmission could repeat a write.
fn retry_policy(verb: Verb, settings: &Settings) -> RetryPolicy {
    let (timeout, retries) = (settings.timeout, settings.retries);
    let reads = matches!(
        verb,
        Verb::Get
            | Verb::GetNext
            | Verb::BulkGet
            | Verb::Walk
            | Verb::BulkWalk
            | Verb::Delta
            | Verb::Df
            | Verb::Netstat
            | Verb::Doctor
    );
    if reads && !settings.like_net_snmp && timeout.is_none() && retries.is_none() {
        return RetryPolicy::adaptive(RetryPolicy::default().total_timeout());
    }
    RetryPolicy::fixed(timeout.unwrap_or(DEFAULT_TIMEOUT), retries.unwrap_or(DEFAULT_RETRIES))
}

fn credentials(program: &str, settings: Settings, in_session: bool) -> Result<Credentials, CommandError> {
    let community = |community: Option<Secret>| {
        community.ok_or_else(|| CommandError::Usage("No community name specified.".to_owned()))
    };
    match settings.version {
        Version::V1 => community(settings.community).map(Credentials::V1),
        Version::V2c => community(settings.community).map(Credentials::V2c),
        Version::V3 if in_session && !settings.usm_in_sessions => Ok(Credentials::Transport),
        Version::V3 => user::build_user(program, settings).map(Credentials::V3),
    }
}

const DEFAULT_TIMEOUT: Duration = Duration::from_secs(1);
const DEFAULT_RETRIES: u32 = 5;
