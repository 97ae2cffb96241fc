//! A target to which the receiver forwards notifications.

use std::time::Duration;

use portreeve_channel::Fingerprint;
use portreeve_lcd::Name;
use portreeve_secret::Secret;
use portreeve_smi::{MessageProcessingModel, Oid, SecurityLevel, TransportDomain};

use crate::FileReference;

/// A target to which notifications are forwarded, from `[[forward]]`.
pub struct Forward {
    /// The subtrees of which one must contain the snmpTrapOID; empty for all notifications.
    pub notifications: Vec<Oid>,
    /// The address of the target.
    pub to: ForwardAddress,
    /// The version and the security of the messages.
    pub security: ForwardSecurity,
    /// True if notifications are sent as informs.
    pub is_confirmed: bool,
    /// The time after which an inform is sent again.
    pub timeout: Duration,
    /// The number of times that an inform is sent again before a pause.
    pub retries: u8,
    /// Maximum number of octets of notifications that wait.
    pub queue_octets: usize,
    /// The time after which a notification is discarded.
    pub queue_age: Duration,
    /// The line of the section.
    pub line: usize,
}

/// The address of a target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ForwardAddress {
    /// The transport: UDP, TCP, SSH, TLS or DTLS.
    pub transport: TransportDomain,
    /// An IP address for UDP and TCP; otherwise also a name.
    pub host: String,
    /// The port.
    pub port: u16,
}

/// The version and the security of the messages to a target.
pub enum ForwardSecurity {
    /// Those of the received message, which has a community.
    AsReceived,
    /// SNMPv1 or SNMPv2c with a community.
    Community(MessageProcessingModel, Secret),
    /// SNMPv3 with a user of [`Config::users`](crate::Config::users), who has keys for the level.
    User(Name, SecurityLevel),
    /// SNMPv3 in a session over SSH, TLS or DTLS.
    Session(Box<ForwardSession>),
}

/// The login and the trust of sessions with a target. The files have not been read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ForwardSession {
    /// The login name over SSH; empty over TLS and DTLS.
    pub login: String,
    /// The private key for SSH.
    pub ssh_key: Option<FileReference>,
    /// The file with the host key of the target.
    pub known_hosts: Option<FileReference>,
    /// The certificate for TLS and DTLS.
    pub certificate: Option<FileReference>,
    /// The private key of the certificate.
    pub key: Option<FileReference>,
    /// The authorities of the target's certificate.
    pub authorities: Vec<FileReference>,
    /// The fingerprint of the target's certificate.
    pub server_fingerprint: Option<Fingerprint>,
    /// The name in the target's certificate, if it is not the host.
    pub server_identity: Option<String>,
}
