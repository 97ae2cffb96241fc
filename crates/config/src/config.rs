//! The configuration. Every value is valid.

use std::{net::SocketAddr, num::NonZeroUsize, path::PathBuf, time::Duration};

use portreeve_channel::{Fingerprint, SshAlgorithms};
use portreeve_crypto::{AuthProtocol, PrivProtocol};
use portreeve_lcd::{Name, NotifyType, Tables};
use portreeve_secret::Secret;
use portreeve_smi::{EngineId, Oid, TransportDomain};

use crate::ConfigLines;

/// The content of a valid configuration file.
pub struct Config {
    /// Settings of the engine, from `[agent]`.
    pub agent: Agent,
    /// Values of the system group, from `[system]`.
    pub system: System,
    /// Settings of the log, from `[log]`.
    pub log: Log,
    /// The addresses that the agent listens on.
    pub listeners: Vec<Listener>,
    /// Unix sockets for the sshd subsystem. There is at least one socket or one listener.
    pub relays: Vec<Relay>,
    /// Limits on the resources that peers may use.
    pub limits: Limits,
    /// SSH options; always present if a listener needs them.
    pub ssh: Option<Ssh>,
    /// TLS options; always present if a listener needs them.
    pub tls: Option<Tls>,
    /// NETCONF; `None` if it is not offered.
    pub netconf: Option<Netconf>,
    /// YANG modules of the operator.
    pub yang: Yang,
    /// The USM users.
    pub users: Vec<User>,
    /// The notifications that are sent, from `[notifications]`.
    pub notifications: Notifications,
    /// The targets of notifications, from `[[notify]]`, as far as their settings are not rows.
    pub notify_targets: Vec<NotifyTarget>,
    /// Line numbers of the sections.
    pub lines: ConfigLines,
    /// All rows that do not depend on the engine ID. Their storage type is
    /// [`portreeve_lcd::StorageType::ReadOnly`].
    pub(crate) rows: Tables,
}

/// Settings of the engine, from `[agent]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Agent {
    /// snmpEngineID; if `None`, one is generated at the first start.
    pub engine_id: Option<EngineId>,
    /// Directory of the persistent state, relative to the file's directory.
    pub state_dir: PathBuf,
    /// Number of threads that handle messages; `None` means one per core.
    pub workers: Option<NonZeroUsize>,
    /// Maximum message size, 484 to 65 535 octets.
    pub max_message_size: usize,
}

/// The values of the system group that are set in the file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct System {
    /// The value of sysContact.
    pub contact: Option<Name>,
    /// The value of sysName.
    pub name: Option<Name>,
    /// The value of sysLocation.
    pub location: Option<Name>,
    /// The value of sysDescr.
    pub descr: Option<Name>,
    /// The value of sysObjectID.
    pub object_id: Option<Oid>,
    /// The value of sysServices, 0 to 127.
    pub services: Option<u8>,
}

/// Settings of the log, from `[log]`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Log {
    /// True if each SET is logged.
    pub sets: bool,
}

/// One address that the agent listens on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Listener {
    /// Any transport except [`TransportDomain::Unix`].
    pub transport: TransportDomain,
    /// The address and port to listen on.
    pub address: SocketAddr,
    /// True if the file does not set an address. The listener then has the wildcard address of one
    /// address family, and the machine may not support that family.
    pub is_wildcard: bool,
    /// The services that peers may choose. Only SSH listeners offer others than SNMP.
    pub services: Services,
    /// True if stream sockets send written data at once (TCP_NODELAY).
    pub nodelay: bool,
    /// Determines when window adjustments are sent to SSH peers.
    pub window: SshWindow,
    /// SSH algorithms that peers may negotiate.
    pub algorithms: SshAlgorithms,
}

/// The services of a listener.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Services {
    /// True if the listener offers SNMP.
    pub snmp: bool,
    /// True if the listener offers NETCONF. Then [`Config::netconf`] is present.
    pub netconf: bool,
}

impl Services {
    pub(crate) const NONE: Self = Self { snmp: false, netconf: false };
    pub(crate) const SNMP: Self = Self { snmp: true, netconf: false };
}

/// The options of NETCONF, from `[netconf]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Netconf {
    /// The securityNames of users that may read and change everything.
    pub recovery: Vec<String>,
    /// Maximum idle time of a session that holds a lock.
    pub lock_idle: Duration,
    /// Maximum number of sessions.
    pub sessions: usize,
}

impl Default for Netconf {
    fn default() -> Self {
        Self { recovery: Vec::new(), lock_idle: Duration::from_secs(600), sessions: 1000 }
    }
}

/// The notifications that are sent, from `[notifications]`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Notifications {
    /// Maximum number of authenticationFailure notifications per second.
    pub authentication_failure_rate: u32,
}

impl Default for Notifications {
    fn default() -> Self {
        Self { authentication_failure_rate: 1 }
    }
}

/// A target of notifications, from `[[notify]]`: the settings that are not rows. The files have not
/// been read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotifyTarget {
    /// snmpTargetAddrName.
    pub name: Name,
    /// The kind of notifications that the target gets.
    pub kind: NotifyType,
    /// The private key for SSH.
    pub ssh_key: Option<FileReference>,
    /// The file with the host keys of receivers over SSH.
    pub known_hosts: Option<FileReference>,
    /// The certificate for TLS and DTLS.
    pub certificate: Option<FileReference>,
    /// The private key of the certificate.
    pub key: Option<FileReference>,
    /// The authorities of receivers' certificates.
    pub authorities: Vec<FileReference>,
    /// The target that gets what this one does not accept.
    pub fallback: Option<Name>,
    /// Maximum number of octets in the queue of informs.
    pub queue_octets: usize,
    /// The time after which an inform is discarded.
    pub queue_age: Duration,
}

impl NotifyTarget {
    /// Returns the settings without the lines of the file, which may move.
    pub fn without_lines(&self) -> Self {
        let without = |file: &FileReference| FileReference { path: file.path.clone(), line: 0 };
        let one = |file: &Option<FileReference>| file.as_ref().map(without);
        Self {
            ssh_key: one(&self.ssh_key),
            known_hosts: one(&self.known_hosts),
            certificate: one(&self.certificate),
            key: one(&self.key),
            authorities: self.authorities.iter().map(without).collect(),
            ..self.clone()
        }
    }
}

impl Default for NotifyTarget {
    fn default() -> Self {
        Self {
            name: Name::default(),
            kind: NotifyType::Inform,
            ssh_key: None,
            known_hosts: None,
            certificate: None,
            key: None,
            authorities: Vec::new(),
            fallback: None,
            queue_octets: 16 << 20,
            queue_age: Duration::from_secs(86_400),
        }
    }
}

/// YANG modules of the operator, from `[yang]`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Yang {
    /// The module files. They have not been read.
    pub modules: Vec<FileReference>,
}

/// A Unix socket for the sshd subsystem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relay {
    /// Path of the socket, relative to the file's directory.
    pub path: PathBuf,
    /// The accounts whose processes may connect.
    pub users: RelayUsers,
    /// The group whose members may connect. Its existence has not been checked.
    pub group: Option<String>,
}

/// The accounts whose processes may connect behind sshd.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RelayUsers {
    /// The account that the agent runs as, and root.
    AgentAndRoot,
    /// Only the accounts in this list.
    Named(Vec<String>),
    /// Every account that can reach the socket.
    All,
}

/// SSH host keys and user authentication. The files have not been read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ssh {
    /// The private host key files; at least one.
    pub host_keys: Vec<FileReference>,
    /// Patterns of the users' authorized_keys files.
    pub authorized_keys: Vec<FileReference>,
    /// File of the authorities whose certificates are accepted for logins.
    pub authorities: Option<FileReference>,
    /// Pattern of the files with the certificate principals accepted for each user.
    pub principals: Option<FileReference>,
    /// The file that lists revoked keys.
    pub revoked: Option<FileReference>,
    /// The use of PAM; `None` if PAM verifies neither passwords nor accounts.
    pub pam: Option<Pam>,
}

/// The use of PAM: accepted password methods, and the service that verifies passwords and accounts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pam {
    /// PAM service name. Its existence has not been checked.
    pub service: String,
    /// The line of the file that names the service.
    pub line: usize,
    /// True if the `password` method is accepted.
    pub password: bool,
    /// True if the `keyboard-interactive` method is accepted, in which PAM asks its own questions.
    pub keyboard_interactive: bool,
    /// True if passwords of accounts with the user ID 0 are accepted.
    pub root_password: bool,
    /// True if PAM verifies the accounts of users who log in with a key or certificate.
    pub check_account: bool,
}

impl Pam {
    /// Returns true if a method with passwords is accepted.
    pub fn accepts_passwords(&self) -> bool {
        self.password || self.keyboard_interactive
    }
}

/// Determines when window adjustments are sent to SSH peers (RFC 4254 §5.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SshWindow {
    /// Send a window adjustment when half of the window is used up.
    #[default]
    WhenNeeded,
    /// Send a window adjustment after every message.
    EveryMessage,
}

/// TLS and DTLS credentials and trust. The files have not been read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tls {
    /// The agent's certificate, followed by those of intermediate authorities.
    pub certificate: FileReference,
    /// The private key of the certificate.
    pub key: FileReference,
    /// Authorities trusted to sign client certificates.
    pub authorities: Vec<FileReference>,
    /// Client certificates that are accepted without an authority.
    pub pinned: Vec<Fingerprint>,
    /// The files with certificate revocation lists.
    pub revocations: Vec<FileReference>,
    /// The versions of TLS and DTLS that are accepted.
    pub versions: TlsVersions,
}

/// A reference to a file in the configuration: the path, relative to the configuration's directory,
/// and the line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileReference {
    /// The path of the file.
    pub path: PathBuf,
    /// The line that names the file, from 1.
    pub line: usize,
}

/// The versions of TLS and DTLS that are accepted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TlsVersions {
    /// TLS and DTLS 1.2 and 1.3.
    #[default]
    From12,
    /// TLS and DTLS 1.3 only.
    Only13,
    /// TLS and DTLS 1.2 only.
    Only12,
}

/// Limits on the resources that peers may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Maximum number of open connections.
    pub connections: usize,
    /// Maximum number of connections from one IPv4 address or one IPv6 /64.
    pub connections_per_source: usize,
    /// Time limit for the first accepted message of a connection.
    pub grace: Duration,
    /// Maximum idle time of an accepted connection.
    pub idle: Duration,
    /// Maximum duration of a connection.
    pub max_session: Duration,
    /// Maximum time for which a peer may leave responses unread.
    pub stall: Duration,
    /// Maximum response over UDP to a read by community or at noAuthNoPriv, in octets.
    pub community_datagram: usize,
    /// Maximum number of octets per second that are sent to one network over UDP, in responses to
    /// requests without authentication. 0 means unlimited.
    pub community_rate: u32,
    /// Maximum number of Reports and cookies per second to the unauthenticated peers of one
    /// network; 0 is unlimited.
    pub unauthenticated_replies: u32,
}

/// A USM user. It has a privacy key only if it also has an authentication key.
pub struct User {
    /// usmUserName and usmUserSecurityName, 1 to 32 octets.
    pub name: Name,
    /// The authentication protocol and key.
    pub auth: Option<(AuthProtocol, KeySource)>,
    /// The privacy protocol and key.
    pub privacy: Option<(PrivProtocol, KeySource)>,
}

/// The source of a key.
pub enum KeySource {
    /// A pass phrase of 8 octets or more.
    PassPhrase(Secret),
    /// The localized key itself, of the length that its protocol requires.
    Localized(Secret),
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: 8192,
            connections_per_source: 256,
            grace: Duration::from_secs(30),
            idle: Duration::from_secs(600),
            max_session: Duration::from_secs(86_400),
            stall: Duration::from_secs(30),
            community_datagram: 1472,
            community_rate: 4_000_000,
            unauthenticated_replies: 200,
        }
    }
}

impl Default for Agent {
    fn default() -> Self {
        Self {
            engine_id: None,
            state_dir: PathBuf::from(DEFAULT_STATE_DIR),
            workers: None,
            max_message_size: DEFAULT_MAX_MESSAGE_SIZE,
        }
    }
}

const DEFAULT_STATE_DIR: &str = "/var/lib/portreeve";

/// The maximum payload of a UDP datagram over IPv4.
const DEFAULT_MAX_MESSAGE_SIZE: usize = 65_507;
