//! The destinations of forwarded notifications.

use std::path::Path;

use portreeve_broker_protocol::SessionOption;
use portreeve_config::{
    Config, FileReference, Forward, ForwardAddress, ForwardSecurity, ForwardSession, KeySource, User,
};
use portreeve_smi::{MessageProcessingModel, TransportDomain};
use portreeve_snmp_manager::{KeyMaterial, PeerAddress, RetryPolicy, SessionOptions, Transport, UsmUser};

use crate::{
    ForwardCredentials, ForwardDestination, ForwardKind, ForwardQueueLimits, InvalidDestinationError,
};

/// A destination, and the limits of its queue.
pub(crate) struct Destination {
    pub(crate) destination: ForwardDestination,
    pub(crate) limits: ForwardQueueLimits,
}

impl Destination {
    /// Creates the destination of a `[[forward]]` in `file`, whose other sections are `config`.
    pub(super) fn of(forward: Forward, config: &Config, file: &Path) -> Self {
        let Forward { to, security, is_confirmed, timeout, retries, queue_octets, queue_age, .. } = forward;
        let login = match &security {
            ForwardSecurity::Session(session) => session.login.clone(),
            _ => String::new(),
        };
        let credentials = match security {
            ForwardSecurity::AsReceived => ForwardCredentials::AsReceived,
            ForwardSecurity::Community(MessageProcessingModel::V1, community) => {
                ForwardCredentials::V1(community)
            }
            ForwardSecurity::Community(_, community) => ForwardCredentials::V2c(community),
            ForwardSecurity::User(name, level) => {
                let user = config.users.iter().find(|user| user.name == name).and_then(usm_user);
                let user = user.unwrap_or_else(|| UsmUser::unauthenticated(&name));
                ForwardCredentials::V3(user.limited_to(level))
            }
            ForwardSecurity::Session(session) => {
                ForwardCredentials::Session(session_options(&session, to.transport, config, file))
            }
        };
        let options = SessionOptions {
            retry: RetryPolicy::fixed(timeout, retries.into()),
            max_message_size: config.agent.max_message_size,
            ..SessionOptions::default()
        };
        let kind = if is_confirmed { ForwardKind::Inform } else { ForwardKind::Trap };
        Self {
            destination: ForwardDestination { address: peer_address(to, login), credentials, kind, options },
            limits: ForwardQueueLimits {
                max_octets: queue_octets,
                max_age: queue_age,
                ..ForwardQueueLimits::default()
            },
        }
    }

    /// Creates the destination of `forward` in `snmptrapd.conf`, which gets messages as they were
    /// received.
    pub(super) fn as_received(address: &PeerAddress) -> Result<Self, InvalidDestinationError> {
        let destination = ForwardDestination {
            address: address.clone(),
            credentials: ForwardCredentials::AsReceived,
            kind: ForwardKind::AsReceived,
            options: SessionOptions::default(),
        };
        destination.check()?;
        Ok(Self { destination, limits: ForwardQueueLimits::default() })
    }
}

fn peer_address(to: ForwardAddress, login: String) -> PeerAddress {
    let transport = match to.transport {
        TransportDomain::Udp => Transport::Udp,
        TransportDomain::Tcp => Transport::Tcp,
        TransportDomain::Ssh => Transport::Ssh,
        TransportDomain::Tls => Transport::Tls,
        TransportDomain::Dtls => Transport::Dtls,
        TransportDomain::Unix => Transport::Unix,
    };
    let user = (!login.is_empty()).then_some(login);
    PeerAddress { transport, user, host: to.host, port: to.port, has_explicit_port: true, family: None }
}

fn usm_user(user: &User) -> Option<UsmUser> {
    let (protocol, auth) = user.auth.as_ref()?;
    let privacy = user.privacy.as_ref().map(|(protocol, key)| (*protocol, key_material(key)));
    UsmUser::with_keys(&user.name, (*protocol, key_material(auth)), privacy).ok()
}

fn key_material(source: &KeySource) -> KeyMaterial<'_> {
    match source {
        KeySource::PassPhrase(pass_phrase) => KeyMaterial::PassPhrase(pass_phrase),
        KeySource::Localized(key) => KeyMaterial::Localized(key),
    }
}

/// Returns the keys and the trust of sessions; without its own, a destination uses those of the
/// listeners.
fn session_options(
    session: &ForwardSession,
    transport: TransportDomain,
    config: &Config,
    file: &Path,
) -> Vec<(SessionOption, String)> {
    let directory = file.parent().unwrap_or(Path::new(""));
    let path = |file: &FileReference| directory.join(&file.path).display().to_string();
    if transport == TransportDomain::Ssh {
        let host_key = || config.ssh.as_ref().and_then(|ssh| ssh.host_keys.first());
        let identity = session.ssh_key.as_ref().or_else(host_key).map(path);
        let known_hosts = session.known_hosts.as_ref().map_or_else(|| SYSTEM_KNOWN_HOSTS.to_owned(), path);
        let mut options = vec![(SessionOption::Home, config.agent.state_dir.display().to_string())];
        options.extend(identity.map(|identity| (SessionOption::SshIdentity, identity)));
        options.push((SessionOption::KnownHosts, known_hosts));
        // No user verifies a new host key, so /etc/ssh/ssh_config must not accept one.
        options.push((SessionOption::KnownHostsOnly, "yes".to_owned()));
        return options;
    }
    let own = session.certificate.as_ref().zip(session.key.as_ref());
    let pair = own.or_else(|| config.tls.as_ref().map(|tls| (&tls.certificate, &tls.key)));
    let mut options = Vec::new();
    if let Some((certificate, key)) = pair {
        options.push((SessionOption::Certificate, path(certificate)));
        options.push((SessionOption::PrivateKey, path(key)));
    }
    if let Some(fingerprint) = &session.server_fingerprint {
        options.push((SessionOption::Pin, fingerprint.to_string()));
        return options;
    }
    let of_listeners = config.tls.as_ref().map_or(&[][..], |tls| &tls.authorities);
    let authorities = if session.authorities.is_empty() { of_listeners } else { &session.authorities };
    options.extend(authorities.iter().map(|file| (SessionOption::Authority, path(file))));
    options.extend(session.server_identity.clone().map(|name| (SessionOption::ServerName, name)));
    options
}

const SYSTEM_KNOWN_HOSTS: &str = "/etc/ssh/ssh_known_hosts";
