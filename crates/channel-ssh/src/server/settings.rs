//! How a server is set up.

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
    authentication::{Authentication, PasswordLimits, PasswordPool},
    host_keys::HostKeys,
};
use crate::{WindowPolicy, algorithms};

/// What a server is made of.
#[derive(Debug)]
pub struct ServerSettings {
    /// What it proves itself with.
    pub host_keys: HostKeys,
    /// Who may log in, and how.
    pub authentication: Authentication,
    /// How many passwords are looked at; a server keeps those it was made with.
    pub passwords: PasswordLimits,
    /// Channels that one connection may have open at once.
    pub channels: usize,
    /// Keys are made anew after this many octets in one direction; at most, and by default, a gigabyte (RFC 4253 §9).
    pub rekey_after: usize,
    /// Keys are made anew after this time.
    pub rekey_every: Duration,
}

impl ServerSettings {
    /// As a server should be: one channel for each connection.
    pub fn new(host_keys: HostKeys, authentication: Authentication) -> Self {
        Self {
            host_keys,
            authentication,
            passwords: PasswordLimits::default(),
            channels: 1,
            rekey_after: MAX_OCTETS_PER_KEY,
            rekey_every: Duration::from_secs(3600),
        }
    }
}

/// Settings in the form connections use them.
pub(super) struct ActiveSettings {
    keys: Vec<PrivateKey>,
    certificates: Vec<Certificate>,
    limits: Limits,
    /// What russh has been told, for each way in which a listener has it.
    configs: Mutex<HashMap<(WindowPolicy, SshAlgorithms), Arc<Config>>>,
    pub(super) authentication: Arc<Authentication>,
    pub(super) passwords: Arc<PasswordPool>,
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
            channels: settings.channels,
        }
    }

    /// What russh is told.
    pub(super) fn config(&self, window: WindowPolicy, algorithms: SshAlgorithms) -> Arc<Config> {
        let mut configs = self.configs.lock().unwrap_or_else(PoisonError::into_inner);
        let config = configs.entry((window, algorithms));
        Arc::clone(config.or_insert_with(|| Arc::new(self.make_config(window, algorithms))))
    }

    fn make_config(&self, window: WindowPolicy, algorithms: SshAlgorithms) -> Config {
        Config {
            server_id: SshId::Standard(IDENTIFICATION.into()),
            methods: methods(&self.authentication),
            // Takes as long whether the user exists or not; the question which methods there are is answered at once.
            auth_rejection_time: REJECTION_DELAY,
            auth_rejection_time_initial: Some(Duration::ZERO),
            keys: self.keys.clone(),
            certificates: self.certificates.clone(),
            limits: self.limits.clone(),
            window_size: window.initial_size(WINDOW),
            // What is not taken by the window waits at our side, where it is bounded.
            channel_buffer_size: 1,
            event_buffer_size: 1,
            preferred: preferred(algorithms),
            max_auth_attempts: MAX_LOGIN_ATTEMPTS,
            // The caller cuts whoever is silent for too long.
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

/// The methods to offer.
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

/// Asked for in the list of key exchanges: which users' keys we take, and strictness in the exchange.
const EXTENSIONS: &[kex::Name] = &[
    kex::EXTENSION_SUPPORT_AS_CLIENT,
    kex::EXTENSION_SUPPORT_AS_SERVER,
    kex::EXTENSION_OPENSSH_STRICT_KEX_AS_CLIENT,
    kex::EXTENSION_OPENSSH_STRICT_KEX_AS_SERVER,
];
/// Octets that a peer may send ahead.
pub(super) const WINDOW: u32 = 256 * 1024;
/// What we say we are.
const IDENTIFICATION: &str = concat!("SSH-2.0-Portreeve_", env!("CARGO_PKG_VERSION"));
/// Failed tries of one connection.
pub(super) const MAX_LOGIN_ATTEMPTS: usize = 6;
/// How long a refusal takes.
const REJECTION_DELAY: Duration = Duration::from_millis(100);
/// Octets that one key may protect.
const MAX_OCTETS_PER_KEY: usize = 1 << 30;
