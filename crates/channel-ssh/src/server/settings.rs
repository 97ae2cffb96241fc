//! Server settings.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use portreeve_channel::{AlgorithmList, SshAlgorithms};
use russh::{
    Limits, MethodKind, MethodSet, Preferred, SshId, kex,
    keys::{Certificate, PrivateKey},
    server::Config,
};

use super::{
    authentication::{Authentication, PasswordLimits, PasswordPool, ReadSlots},
    host_keys::HostKeys,
};
use crate::{WindowPolicy, algorithms};

/// Settings of a server.
#[derive(Debug)]
pub struct ServerSettings {
    /// The host keys.
    pub host_keys: HostKeys,
    /// The users that may log in, and the login methods.
    pub authentication: Authentication,
    /// Limits on password checks. A running server keeps the limits it was created with.
    pub passwords: PasswordLimits,
    /// Maximum number of open channels per connection.
    pub max_channels: usize,
    /// Number of octets in one direction after which new keys are exchanged. The default and
    /// maximum is one gigabyte (RFC 4253 §9).
    pub rekey_after: usize,
    /// Time after which new keys are exchanged.
    pub rekey_every: Duration,
}

impl ServerSettings {
    /// Creates settings with the defaults, for example ten channels per connection.
    pub fn new(host_keys: HostKeys, authentication: Authentication) -> Self {
        Self {
            host_keys,
            authentication,
            passwords: PasswordLimits::default(),
            max_channels: MAX_CHANNELS,
            rekey_after: MAX_OCTETS_PER_KEY,
            rekey_every: Duration::from_secs(3600),
        }
    }
}

/// Settings in the form that connections use.
pub(super) struct ActiveSettings {
    keys: Vec<PrivateKey>,
    certificates: Vec<Certificate>,
    limits: Limits,
    /// russh configurations, one for each combination of listener options.
    configs: Mutex<HashMap<(WindowPolicy, SshAlgorithms), Arc<Config>>>,
    pub(super) authentication: Arc<Authentication>,
    pub(super) passwords: Arc<PasswordPool>,
    /// Limits the threads that read the same user's files.
    pub(super) reads: ReadSlots,
    pub(super) channels: usize,
}

impl ActiveSettings {
    pub(super) fn new(settings: ServerSettings, passwords: Arc<PasswordPool>) -> Self {
        let limit = settings.rekey_after.min(MAX_OCTETS_PER_KEY);
        let (keys, certificates) = settings.host_keys.into_parts();
        Self {
            keys,
            certificates,
            limits: Limits::new(limit, limit, settings.rekey_every),
            configs: Mutex::default(),
            authentication: Arc::new(settings.authentication),
            passwords,
            reads: ReadSlots::default(),
            channels: settings.max_channels,
        }
    }

    /// Returns the russh configuration for these listener options.
    pub(super) fn config(&self, window: WindowPolicy, algorithms: SshAlgorithms) -> Arc<Config> {
        let mut configs = self.configs.lock().unwrap_or_else(PoisonError::into_inner);
        let config = configs.entry((window, algorithms));
        Arc::clone(config.or_insert_with(|| Arc::new(self.make_config(window, algorithms))))
    }

    fn make_config(&self, window: WindowPolicy, algorithms: SshAlgorithms) -> Config {
        Config {
            server_id: SshId::Standard(IDENTIFICATION.into()),
            methods: methods(&self.authentication),
            // Rejections take the same time for existing and unknown users. The query for available
            // methods is answered at once.
            auth_rejection_time: REJECTION_DELAY,
            auth_rejection_time_initial: Some(Duration::ZERO),
            keys: self.keys.clone(),
            certificates: self.certificates.clone(),
            limits: self.limits.clone(),
            window_size: window.initial_size(WINDOW),
            maximum_packet_size: MAX_PACKET,
            // Received data does not use russh's queue. Sent data waits in the channels' buffers.
            channel_buffer_size: 1,
            event_buffer_size: 4,
            preferred: preferred(algorithms),
            max_auth_attempts: MAX_LOGIN_ATTEMPTS,
            // The caller closes connections that are idle for too long.
            inactivity_timeout: None,
            ..Config::default()
        }
    }
}

fn preferred(algorithms: SshAlgorithms) -> Preferred {
    let key_exchanges = algorithms.key_exchanges.unwrap_or_else(AlgorithmList::all);
    let ciphers = algorithms.ciphers.unwrap_or_else(algorithms::preferred_ciphers);
    Preferred {
        kex: algorithms::key_exchanges(key_exchanges, EXTENSIONS),
        key: algorithms::USER_KEYS.into(),
        host_key_certificates: (&[]).into(),
        cipher: algorithms::ciphers(ciphers),
        mac: algorithms::MACS.into(),
        compression: algorithms::COMPRESSIONS.into(),
    }
}

/// Returns the login methods to offer.
pub(super) fn methods(authentication: &Authentication) -> MethodSet {
    let mut methods = MethodSet::empty();
    if authentication.accepts_keys() {
        methods.push(MethodKind::PublicKey);
    }
    if authentication.keyboard_interactive.is_some() {
        methods.push(MethodKind::KeyboardInteractive);
    }
    if authentication.password.is_some() {
        methods.push(MethodKind::Password);
    }
    methods
}

/// Extensions in the list of key exchanges: the accepted signature algorithms for user keys, and
/// strict key exchange.
const EXTENSIONS: &[kex::Name] = &[
    kex::EXTENSION_SUPPORT_AS_CLIENT,
    kex::EXTENSION_SUPPORT_AS_SERVER,
    kex::EXTENSION_OPENSSH_STRICT_KEX_AS_CLIENT,
    kex::EXTENSION_OPENSSH_STRICT_KEX_AS_SERVER,
];
/// Default maximum number of open channels per connection, as in OpenSSH.
const MAX_CHANNELS: usize = 10;
/// Receive window of a channel in octets.
pub(super) const WINDOW: u32 = 256 * 1024;
/// Maximum number of octets of a channel in one packet.
pub(super) const MAX_PACKET: u32 = 32 * 1024;
/// The server's identification string.
const IDENTIFICATION: &str = concat!("SSH-2.0-Portreeve_", env!("CARGO_PKG_VERSION"));
/// Maximum number of failed login attempts per connection.
pub(super) const MAX_LOGIN_ATTEMPTS: usize = 6;
/// Maximum number of public keys offered per connection, accepted ones included.
pub(super) const MAX_KEY_OFFERS: usize = 16;
/// Time between a login attempt and its rejection.
const REJECTION_DELAY: Duration = Duration::from_millis(100);
/// Maximum number of octets protected by one key.
const MAX_OCTETS_PER_KEY: usize = 1 << 30;
