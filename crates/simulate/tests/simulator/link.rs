//! A manager's session, opened as commands open theirs.

use std::{path::Path, time::Duration};

use portreeve_broker_protocol::{SessionOption, SessionRequest, Transport};
use portreeve_channel::{ChannelError, NoObserver};
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
    let order = SessionRequest {
        persist: Duration::ZERO,
        timeout: TIMEOUT,
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
            (SessionOption::Home, folder.display().to_string()),
            (SessionOption::SshIdentity, file("id_ed25519")),
            (SessionOption::KnownHosts, file("known_hosts")),
            (SessionOption::Certificate, file("manager.pem")),
            (SessionOption::PrivateKey, file("manager.key")),
            (SessionOption::Authority, file("ca.pem")),
            (SessionOption::ServerName, "simulated".to_owned()),
        ],
    };
    SessionLink::open(&order, &NoObserver)
}

/// A manager that asks `context` in the session.
pub(crate) fn client(link: SessionLink, context: &str) -> Client {
    let options = SessionOptions { context_name: context.into(), ..SessionOptions::default() };
    Client::with_link(link, Credentials::Transport, &options)
}

/// A manager that knows no SNMPv3.
pub(crate) fn v2c_client(link: SessionLink) -> Client {
    Client::with_link(link, Credentials::V2c(Secret::from("any")), &SessionOptions::default())
}

/// Longer than a handshake takes, even on a busy machine.
const TIMEOUT: Duration = Duration::from_secs(20);
