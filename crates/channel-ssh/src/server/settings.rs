//! How a server is set up.

use std::{sync::Arc, time::Duration};

use russh::{Limits, MethodKind, MethodSet, SshId, server::Config};

use super::{
    algorithms,
    authentication::{Authentication, PasswordLimits, PasswordPool},
    host_keys::HostKeys,
};
use crate::WindowPolicy;

/// What a server is made of.
#[derive(Debug)]
pub struct Settings {
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

impl Settings {
    /// As a server should be: one channel for each connection.
    pub fn new(host_keys: HostKeys, authentication: Authentication) -> Self {
        Self {
            host_keys,
            authentication,
            passwords: PasswordLimits::default(),
            channels: 1,
            rekey_after: MOST_UNDER_ONE_KEY,
            rekey_every: Duration::from_secs(3600),
        }
    }
}

/// Settings in the form connections use them.
pub(super) struct Current {
    /// For connections whose windows are opened when needed, and after every message.
    configs: [Arc<Config>; 2],
    pub(super) authentication: Arc<Authentication>,
    pub(super) passwords: Arc<PasswordPool>,
    pub(super) channels: usize,
}

impl Current {
    /// What russh is told.
    pub(super) fn config(&self, window: WindowPolicy) -> &Arc<Config> {
        let [when_needed, every_message] = &self.configs;
        match window {
            WindowPolicy::WhenNeeded => when_needed,
            WindowPolicy::EveryMessage => every_message,
        }
    }

    pub(super) fn new(settings: Settings, passwords: Arc<PasswordPool>) -> Self {
        let authentication = settings.authentication;
        let limit = settings.rekey_after.min(MOST_UNDER_ONE_KEY);
        let (keys, certificates) = settings.host_keys.into_parts();
        let config = |window: WindowPolicy, keys| Config {
            server_id: SshId::Standard(IDENTIFICATION.into()),
            methods: methods(&authentication),
            // Takes as long whether the user exists or not; the question which methods there are is answered at once.
            auth_rejection_time: REJECTION,
            auth_rejection_time_initial: Some(Duration::ZERO),
            keys,
            certificates: certificates.clone(),
            limits: Limits::new(limit, limit, settings.rekey_every),
            window_size: window.first(WINDOW),
            // What is not taken by the window waits at our side, where it is bounded.
            channel_buffer_size: 1,
            event_buffer_size: 1,
            preferred: algorithms::preferred(),
            max_auth_attempts: ATTEMPTS,
            // The caller cuts whoever is silent for too long.
            inactivity_timeout: None,
            ..Config::default()
        };
        let configs = [
            Arc::new(config(WindowPolicy::WhenNeeded, keys.clone())),
            Arc::new(config(WindowPolicy::EveryMessage, keys)),
        ];
        Self { configs, authentication: Arc::new(authentication), passwords, channels: settings.channels }
    }
}

/// The methods to offer.
pub(super) fn methods(authentication: &Authentication) -> MethodSet {
    let mut methods = MethodSet::empty();
    if authentication.takes_keys() {
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

/// Octets that a peer may send ahead.
pub(super) const WINDOW: u32 = 256 * 1024;
/// What we say we are.
const IDENTIFICATION: &str = concat!("SSH-2.0-Portreeve_", env!("CARGO_PKG_VERSION"));
/// Failed tries of one connection.
pub(super) const ATTEMPTS: usize = 6;
/// How long a refusal takes.
const REJECTION: Duration = Duration::from_millis(100);
/// Octets that one key may protect.
const MOST_UNDER_ONE_KEY: usize = 1 << 30;
