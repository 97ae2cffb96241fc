//! What does not depend on the host.

use std::{env, path::PathBuf, time::Duration};

use portreeve_channel::{AlgorithmList, KeyExchange};

use super::local::LocalUser;
use crate::TrafficSettings;

/// How sessions are set up. [`current`](Self::current) has the user's own; a program changes what its options say.
#[derive(Clone, Debug)]
pub struct ClientSettings {
    /// Who connects.
    pub local: LocalUser,
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
    pub key_exchanges: Option<AlgorithmList<KeyExchange>>,
    /// How octets travel. Without `nodelay` small packets wait for acknowledgements of earlier ones as well.
    pub traffic: TrafficSettings,
    /// How long connecting, agreeing on keys and each attempt to log in may take, where ssh_config has no `ConnectTimeout`.
    /// Time in which somebody is asked does not count.
    pub timeout: Duration,
}

impl ClientSettings {
    /// Those of the user who runs us: their files, and the agent that `SSH_AUTH_SOCK` names.
    pub fn current() -> Self {
        let local = LocalUser::current();
        Self {
            config_files: vec![local.home.join(".ssh/config"), PathBuf::from("/etc/ssh/ssh_config")],
            local,
            agent: env::var_os("SSH_AUTH_SOCK").map(PathBuf::from),
            identity_files: Vec::new(),
            known_hosts: None,
            default_port: SNMP_SSH_PORT,
            subsystem: "snmp".into(),
            key_exchanges: None,
            traffic: TrafficSettings::default(),
            timeout: DEFAULT_TIMEOUT,
        }
    }
}

const SNMP_SSH_PORT: u16 = 5161;

const DEFAULT_TIMEOUT: Duration = Duration::from_secs(30);
