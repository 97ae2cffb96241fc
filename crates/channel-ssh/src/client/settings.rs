//! Client settings that do not depend on the host.

use std::{env, path::PathBuf, sync::Arc, time::Duration};

use portreeve_channel::{AlgorithmList, FileReads, InlineReads, KeyExchange};

use super::local::LocalUser;
use crate::TrafficSettings;

/// Client settings. [`current`](Self::current) returns the settings of the current user; a program
/// then applies its command-line options.
#[derive(Clone, Debug)]
pub struct ClientSettings {
    /// The local user.
    pub local: LocalUser,
    /// ssh_config files, in reading order.
    pub config_files: Vec<PathBuf>,
    /// The path of the socket of ssh-agent.
    pub agent: Option<PathBuf>,
    /// Private keys to try before all others.
    pub identity_files: Vec<PathBuf>,
    /// known_hosts files to use instead of those in ssh_config. New keys are added to the first.
    pub known_hosts: Option<Vec<PathBuf>>,
    /// Rejects servers whose host key is in no known_hosts file, whatever `StrictHostKeyChecking`
    /// in ssh_config says: for programs without a user who could verify a new key.
    pub known_hosts_only: bool,
    /// Default port if neither the address nor ssh_config specifies one.
    pub default_port: u16,
    /// The name of the subsystem to request.
    pub subsystem: String,
    /// Key exchange algorithms to offer; overrides ssh_config.
    pub key_exchanges: Option<AlgorithmList<KeyExchange>>,
    /// Packet and window behavior. Without `nodelay`, TCP additionally delays small packets until
    /// earlier packets are acknowledged.
    pub traffic: TrafficSettings,
    /// Sets TCP_NODELAY after the login if `traffic.nodelay` is false. For benchmarks only.
    pub nodelay_after_login: bool,
    /// Timeout for connecting, for negotiating keys and for each login attempt, unless ssh_config
    /// sets `ConnectTimeout`. Time spent asking the user does not count.
    pub timeout: Duration,
    /// Executes the reads of ssh_config of jump hosts, of known_hosts files and of keys.
    pub file_reads: Arc<dyn FileReads>,
}

impl ClientSettings {
    /// Returns the settings of the current user: the user's files, and the ssh-agent at
    /// `SSH_AUTH_SOCK`.
    pub fn current() -> Self {
        let local = LocalUser::current();
        Self {
            config_files: vec![local.home.join(".ssh/config"), PathBuf::from("/etc/ssh/ssh_config")],
            local,
            agent: env::var_os("SSH_AUTH_SOCK").map(PathBuf::from),
            identity_files: Vec::new(),
            known_hosts: None,
            known_hosts_only: false,
            default_port: SNMP_SSH_PORT,
            subsystem: "snmp".into(),
            key_exchanges: None,
            traffic: TrafficSettings::default(),
            nodelay_after_login: false,
            timeout: DEFAULT_TIMEOUT,
            file_reads: Arc::new(InlineReads),
        }
    }
}

const SNMP_SSH_PORT: u16 = 5161;

const DEFAULT_TIMEOUT: Duration = Duration::from_secs(30);
