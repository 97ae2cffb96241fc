//! A manager's session, opened as commands open theirs.

use std::{path::Path, time::Duration};

use portreeve_broker_protocol::{Key, Order, Transport};
use portreeve_channel::{ChannelError, Unobserved};
use portreeve_secret::Secret;
use portreeve_secure_session::SessionLink;
use portreeve_snmp_manager::{Client, Credentials, SessionOptions};

/// Opens a session with the keys of `folder`.
pub(crate) fn open(
    transport: &str,
    address: &str,
    port: u16,
    folder: &Path,
) -> Result<SessionLink, ChannelError> {
    let file = |name: &str| folder.join(name).display().to_string();
    let order = Order {
        persist: Duration::ZERO,
        patience: PATIENCE,
        transport: match transport {
            "ssh" => Transport::Ssh,
            "tls" => Transport::Tls,
            _ => Transport::Dtls,
        },
        user: "anybody".to_owned(),
        host: address.to_owned(),
        port,
        family: None,
        options: vec![
            (Key::Home, folder.display().to_string()),
            (Key::SshIdentity, file("id_ed25519")),
            (Key::KnownHosts, file("known_hosts")),
            (Key::Certificate, file("manager.pem")),
            (Key::PrivateKey, file("manager.key")),
            (Key::Authority, file("ca.pem")),
            (Key::ServerName, "simulated".to_owned()),
        ],
    };
    SessionLink::open(&order, &Unobserved)
}

/// A manager that asks `context` in the session.
pub(crate) fn client(link: SessionLink, context: &str) -> Client {
    let options = SessionOptions { context_name: context.into(), ..SessionOptions::default() };
    Client::over(link, Credentials::Transport, &options)
}

/// A manager that knows no SNMPv3.
pub(crate) fn v2c_client(link: SessionLink) -> Client {
    Client::over(link, Credentials::V2c(Secret::from("any")), &SessionOptions::default())
}

/// Longer than a handshake takes, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(20);
