//! How a server is set up.

use std::{sync::Arc, time::Duration};

use russh::{Limits, MethodKind, MethodSet, SshId, server::Config};

use super::{algorithms, authentication::Authentication, host_keys::HostKeys};

/// What a server is made of.
#[derive(Debug)]
pub struct Settings {
    /// What it proves itself with.
    pub host_keys: HostKeys,
    /// Who may log in, and how.
    pub authentication: Authentication,
    /// When peers are told that they may send more.
    pub window: WindowPolicy,
    /// Channels that one connection may have open at once.
    pub channels: usize,
    /// Keys are made anew after this many octets in one direction; at most, and by default, a gigabyte (RFC 4253 §9).
    pub rekey_after: usize,
    /// Keys are made anew after this time.
    pub rekey_every: Duration,
}

impl Settings {
    /// As a server should be: one channel for each connection, windows opened when needed.
    pub fn new(host_keys: HostKeys, authentication: Authentication) -> Self {
        Self {
            host_keys,
            authentication,
            window: WindowPolicy::default(),
            channels: 1,
            rekey_after: MOST_UNDER_ONE_KEY,
            rekey_every: Duration::from_secs(3600),
        }
    }
}

/// When a channel's window is opened again (RFC 4254 §5.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WindowPolicy {
    /// When half of a large window is used up.
    #[default]
    WhenNeeded,
    /// After every message of more than forty octets, through a window that has room for one: to see what that costs.
    EveryMessage,
}

impl WindowPolicy {
    /// Octets of the window.
    pub(super) fn size(self) -> u32 {
        match self {
            Self::WhenNeeded => 256 * 1024,
            Self::EveryMessage => 80,
        }
    }
}

/// Settings in the form connections use them.
pub(super) struct Current {
    pub(super) config: Arc<Config>,
    pub(super) authentication: Arc<Authentication>,
    pub(super) window: u32,
    pub(super) channels: usize,
}

impl From<Settings> for Current {
    fn from(settings: Settings) -> Self {
        let authentication = settings.authentication;
        let limit = settings.rekey_after.min(MOST_UNDER_ONE_KEY);
        let config = Config {
            server_id: SshId::Standard(IDENTIFICATION.into()),
            methods: methods(&authentication),
            // Takes as long whether the user exists or not; the question which methods there are is answered at once.
            auth_rejection_time: REJECTION,
            auth_rejection_time_initial: Some(Duration::ZERO),
            keys: settings.host_keys.into_keys(),
            limits: Limits::new(limit, limit, settings.rekey_every),
            window_size: settings.window.size(),
            // What is not taken by the window waits at our side, where it is bounded.
            channel_buffer_size: 1,
            event_buffer_size: 1,
            preferred: algorithms::preferred(),
            max_auth_attempts: ATTEMPTS,
            // The caller cuts whoever is silent for too long.
            inactivity_timeout: None,
            ..Config::default()
        };
        Self {
            config: Arc::new(config),
            authentication: Arc::new(authentication),
            window: settings.window.size(),
            channels: settings.channels,
        }
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

/// What we say we are.
const IDENTIFICATION: &str = concat!("SSH-2.0-Portreeve_", env!("CARGO_PKG_VERSION"));
/// Failed tries of one connection.
const ATTEMPTS: usize = 6;
/// How long a refusal takes.
const REJECTION: Duration = Duration::from_millis(100);
/// Octets that one key may protect.
const MOST_UNDER_ONE_KEY: usize = 1 << 30;
