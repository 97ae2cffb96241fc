//! What does not depend on the host.

use std::{env, path::PathBuf, sync::Arc, time::Duration};

use russh::{
    Preferred, client, compression, kex,
    keys::{Algorithm, EcdsaCurve, HashAlg},
    mac,
};

use super::{known_hosts::KnownHosts, local::Local};
use crate::{Traffic, ciphers};

/// How sessions are set up. [`current`](Self::current) has the user's own; a program changes what its options say.
#[derive(Clone, Debug)]
pub struct ClientSettings {
    /// Who connects.
    pub local: Local,
    /// Files of ssh_config, in the order in which they are read.
    pub config_files: Vec<PathBuf>,
    /// The socket of the user's agent.
    pub agent: Option<PathBuf>,
    /// Private keys to try before any other.
    pub identity_files: Vec<PathBuf>,
    /// Files of known hosts to be used in place of those that ssh_config names. The first is added to.
    pub known_hosts: Option<Vec<PathBuf>>,
    /// The port where neither an address nor ssh_config names one.
    pub default_port: u16,
    /// The subsystem to ask for.
    pub subsystem: String,
    /// Which key exchanges are offered.
    pub key_exchange: KeyExchange,
    /// How octets travel. Without `nodelay` small packets wait for acknowledgements of earlier ones as well.
    pub traffic: Traffic,
    /// How long connecting, agreeing on keys and each attempt to log in may take, where ssh_config has no `ConnectTimeout`.
    /// Time in which somebody is asked does not count.
    pub timeout: Duration,
}

/// Which key exchanges are offered, in order of preference.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum KeyExchange {
    /// ML-KEM-768 with X25519, then X25519 alone.
    #[default]
    PostQuantum,
    /// X25519 alone: two and a half kilobytes less, and no answer to somebody who keeps recordings.
    Curve25519,
}

impl ClientSettings {
    /// Those of the user who runs us: their files, and the agent that `SSH_AUTH_SOCK` names.
    pub fn current() -> Self {
        let local = Local::current();
        Self {
            config_files: vec![local.home.join(".ssh/config"), PathBuf::from("/etc/ssh/ssh_config")],
            local,
            agent: env::var_os("SSH_AUTH_SOCK").map(PathBuf::from),
            identity_files: Vec::new(),
            known_hosts: None,
            default_port: SNMP_OVER_SSH,
            subsystem: "snmp".into(),
            key_exchange: KeyExchange::default(),
            traffic: Traffic::default(),
            timeout: TIMEOUT,
        }
    }

    /// russh's own, for a host of which that much is known.
    pub(crate) fn protocol(&self, known: &KnownHosts) -> Arc<client::Config> {
        let kinds: Vec<&str> = known.kinds().collect();
        let mut keys = HOST_KEYS.to_vec();
        // A host is asked first for a key that we can compare. The sort is stable.
        keys.sort_by_key(|algorithm| match algorithm {
            Algorithm::Rsa { .. } => !kinds.contains(&"ssh-rsa"),
            other => !kinds.contains(&other.as_str()),
        });
        let certificates = if known.has_authorities() { HOST_KEYS.to_vec() } else { Vec::new() };
        Arc::new(client::Config {
            client_id: russh::SshId::Standard(
                concat!("SSH-2.0-Portreeve_", env!("CARGO_PKG_VERSION")).into(),
            ),
            window_size: self.traffic.window.first(WINDOW),
            preferred: Preferred {
                kex: match self.key_exchange {
                    KeyExchange::PostQuantum => POST_QUANTUM.into(),
                    KeyExchange::Curve25519 => CURVE25519.into(),
                },
                key: keys.into(),
                host_key_certificates: certificates.into(),
                cipher: ciphers::preferred().into(),
                mac: MACS.into(),
                compression: COMPRESSIONS.into(),
            },
            nodelay: self.traffic.nodelay,
            ..client::Config::default()
        })
    }
}

const SNMP_OVER_SSH: u16 = 5161;

/// Octets that the server may send ahead.
const WINDOW: u32 = 2 << 20;

const TIMEOUT: Duration = Duration::from_secs(30);

const POST_QUANTUM: &[kex::Name] = &[
    kex::MLKEM768X25519_SHA256,
    kex::CURVE25519,
    kex::CURVE25519_PRE_RFC_8731,
    kex::EXTENSION_SUPPORT_AS_CLIENT,
    kex::EXTENSION_OPENSSH_STRICT_KEX_AS_CLIENT,
];

const CURVE25519: &[kex::Name] = &[
    kex::CURVE25519,
    kex::CURVE25519_PRE_RFC_8731,
    kex::EXTENSION_SUPPORT_AS_CLIENT,
    kex::EXTENSION_OPENSSH_STRICT_KEX_AS_CLIENT,
];

const HOST_KEYS: &[Algorithm] = &[
    Algorithm::Ed25519,
    Algorithm::Ecdsa { curve: EcdsaCurve::NistP256 },
    Algorithm::Ecdsa { curve: EcdsaCurve::NistP384 },
    Algorithm::Ecdsa { curve: EcdsaCurve::NistP521 },
    Algorithm::Rsa { hash: Some(HashAlg::Sha512) },
    Algorithm::Rsa { hash: Some(HashAlg::Sha256) },
];

/// Named in every negotiation, although these ciphers need none.
const MACS: &[mac::Name] = &[mac::HMAC_SHA256_ETM, mac::HMAC_SHA512_ETM];

const COMPRESSIONS: &[compression::Name] = &[compression::NONE];
