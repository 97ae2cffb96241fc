//! What a file means. Nothing in here can be invalid.

use std::{net::SocketAddr, num::NonZeroUsize, path::PathBuf, time::Duration};

use portreeve_channel::{Fingerprint, SshAlgorithms};
use portreeve_crypto::{AuthProtocol, PrivProtocol};
use portreeve_lcd::{Name, Tables};
use portreeve_secret::Secret;
use portreeve_smi::{EngineId, Oid, TransportDomain};

use crate::ConfigLines;

/// One configuration file.
pub struct Config {
    /// The engine.
    pub agent: Agent,
    /// The system group.
    pub system: System,
    /// Where to listen.
    pub listeners: Vec<Listener>,
    /// Where sshd's subsystem finds us. There is at least one of these or a listener.
    pub relays: Vec<Relay>,
    /// What peers may occupy.
    pub limits: Limits,
    /// What SSH is spoken with; there is one where a listener needs it.
    pub ssh: Option<Ssh>,
    /// What TLS is spoken with; there is one where a listener needs it.
    pub tls: Option<Tls>,
    /// USM's users.
    pub users: Vec<User>,
    /// Where all of it stands.
    pub lines: ConfigLines,
    /// Every row that does not depend on the engine ID, [`portreeve_lcd::StorageType::ReadOnly`].
    pub(crate) rows: Tables,
}

/// The engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Agent {
    /// snmpEngineID; `None` has one generated at the first start.
    pub engine_id: Option<EngineId>,
    /// Where state is kept, relative to the file's directory.
    pub state_dir: PathBuf,
    /// Threads that handle messages; `None` is one for each core.
    pub workers: Option<NonZeroUsize>,
    /// The longest message, 484 to 65 535 octets.
    pub max_message_size: usize,
}

/// What the file says of the system group.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct System {
    /// sysContact.
    pub contact: Option<Name>,
    /// sysName.
    pub name: Option<Name>,
    /// sysLocation.
    pub location: Option<Name>,
    /// sysDescr.
    pub descr: Option<Name>,
    /// sysObjectID.
    pub object_id: Option<Oid>,
    /// sysServices, 0 to 127.
    pub services: Option<u8>,
}

/// One place to listen at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Listener {
    /// Any but [`TransportDomain::Unix`].
    pub transport: TransportDomain,
    /// Address and port.
    pub address: SocketAddr,
    /// Whether no address was written: this is one family of all addresses, which a machine may be without.
    pub is_wildcard: bool,
    /// Whether stream sockets send at once what is written.
    pub nodelay: bool,
    /// When peers of SSH are told that they may send more.
    pub window: SshWindow,
    /// What peers of SSH may agree on with us.
    pub algorithms: SshAlgorithms,
}

/// A socket for sshd's subsystem.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Relay {
    /// Where, relative to the file's directory.
    pub path: PathBuf,
    /// Whose processes are let in.
    pub users: RelayUsers,
    /// The group whose members reach it; nobody has looked whether there is one.
    pub group: Option<String>,
}

/// Whose processes are let in behind sshd.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RelayUsers {
    /// Those of the account that the agent runs as, and root's.
    AgentAndRoot,
    /// Those of these accounts.
    Named(Vec<String>),
    /// All that reach the socket.
    All,
}

/// Who we are, and who may log in, over SSH. None of the files has been looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ssh {
    /// Our private keys; at least one.
    pub host_keys: Vec<FileReference>,
    /// Patterns of files with users' keys.
    pub authorized_keys: Vec<FileReference>,
    /// Keys whose certificates log users in.
    pub authorities: Option<FileReference>,
    /// The pattern of files with the names that users may be certified by.
    pub principals: Option<FileReference>,
    /// Keys that do not count any more.
    pub revoked: Option<FileReference>,
    /// How passwords are judged, where they are taken.
    pub pam: Option<Pam>,
}

/// Which passwords are taken, and by whose rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pam {
    /// PAM's service; whether there can be one of that name has not been looked at.
    pub service: String,
    /// The line that says so.
    pub line: usize,
    /// Whether passwords are taken as they are.
    pub password: bool,
    /// Whether PAM may ask what it likes.
    pub keyboard_interactive: bool,
}

/// When peers are told that they may send more (RFC 4254 §5.2).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SshWindow {
    /// When half of what they may send is used up.
    #[default]
    WhenNeeded,
    /// After every message.
    EveryMessage,
}

/// Who we are, and whom we trust, over TLS and DTLS. None of the files has been looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tls {
    /// Our certificate, and those that lead to its authority.
    pub certificate: FileReference,
    /// Its private key.
    pub key: FileReference,
    /// Authorities that vouch for clients.
    pub authorities: Vec<FileReference>,
    /// Certificates that need no authority.
    pub pinned: Vec<Fingerprint>,
    /// Revocation lists.
    pub revocations: Vec<FileReference>,
    /// Which versions.
    pub versions: TlsVersions,
}

/// A file that the configuration names, relative to its own directory, and where it does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileReference {
    /// The file.
    pub path: PathBuf,
    /// The line, from 1.
    pub line: usize,
}

/// Versions of TLS.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TlsVersions {
    /// 1.2 and 1.3.
    #[default]
    From12,
    /// 1.3 only.
    Only13,
    /// 1.2 only.
    Only12,
}

/// What peers may occupy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Connections open at once.
    pub connections: usize,
    /// Of these, from one IPv4 address or one IPv6 /64.
    pub connections_per_source: usize,
    /// How long until the first message that is accepted.
    pub grace: Duration,
    /// How long an accepted connection may stay silent.
    pub idle: Duration,
    /// How long a peer may leave answers unread.
    pub stall: Duration,
    /// The longest answer to a read by community over UDP, in octets.
    pub community_datagram: usize,
    /// Answers a second to those of one network who have proven nothing; 0: any number.
    pub unauthenticated_replies: u32,
}

/// A user of USM. Its privacy key never stands without an authentication key.
pub struct User {
    /// usmUserName and usmUserSecurityName, 1 to 32 octets.
    pub name: Name,
    /// How its messages are authenticated.
    pub auth: Option<(AuthProtocol, KeySource)>,
    /// How they are encrypted.
    pub privacy: Option<(PrivProtocol, KeySource)>,
}

/// What a key is made from.
pub enum KeySource {
    /// A pass phrase of 8 octets or more.
    PassPhrase(Secret),
    /// The localized key itself, of its protocol's length.
    Localized(Secret),
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            connections: 8192,
            connections_per_source: 256,
            grace: Duration::from_secs(30),
            idle: Duration::from_secs(600),
            stall: Duration::from_secs(30),
            community_datagram: 1472,
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

/// What fits into one UDP datagram over IPv4.
const DEFAULT_MAX_MESSAGE_SIZE: usize = 65_507;
