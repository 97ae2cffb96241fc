//! What does not depend on the host.

use std::{env, path::PathBuf, sync::Arc, time::Duration};

use portreeve_channel::{Choice, KeyExchange};
use russh::{Preferred, client, kex, keys::Algorithm};

use super::{known_hosts::KnownHosts, local::Local, target::SshTarget};
use crate::{Traffic, algorithms};

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
    /// Which key exchanges are offered, whatever ssh_config says.
    pub key_exchanges: Option<Choice<KeyExchange>>,
    /// How octets travel. Without `nodelay` small packets wait for acknowledgements of earlier ones as well.
    pub traffic: Traffic,
    /// How long connecting, agreeing on keys and each attempt to log in may take, where ssh_config has no `ConnectTimeout`.
    /// Time in which somebody is asked does not count.
    pub timeout: Duration,
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
            key_exchanges: None,
            traffic: Traffic::default(),
            timeout: TIMEOUT,
        }
    }

    /// russh's own, for a host of which that much is known.
    pub(crate) fn protocol(&self, target: &SshTarget, known: &KnownHosts) -> Arc<client::Config> {
        let kinds: Vec<&str> = known.kinds().collect();
        let mut keys = algorithms::HOST_KEYS.to_vec();
        // A host is asked first for a key that we can compare. The sort is stable.
        keys.sort_by_key(|algorithm| match algorithm {
            Algorithm::Rsa { .. } => !kinds.contains(&"ssh-rsa"),
            other => !kinds.contains(&other.as_str()),
        });
        let certificates = if known.has_authorities() { algorithms::HOST_KEYS } else { &[] };
        Arc::new(client::Config {
            client_id: russh::SshId::Standard(
                concat!("SSH-2.0-Portreeve_", env!("CARGO_PKG_VERSION")).into(),
            ),
            window_size: self.traffic.window.first(WINDOW),
            preferred: Preferred {
                kex: algorithms::key_exchanges(target.key_exchanges, EXTENSIONS),
                key: keys.into(),
                host_key_certificates: certificates.into(),
                cipher: algorithms::ciphers(target.ciphers),
                mac: algorithms::MACS.into(),
                compression: algorithms::COMPRESSIONS.into(),
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

/// Asked for in the list of key exchanges: what the server takes besides, and strictness in the exchange.
const EXTENSIONS: &[kex::Name] =
    &[kex::EXTENSION_SUPPORT_AS_CLIENT, kex::EXTENSION_OPENSSH_STRICT_KEX_AS_CLIENT];
