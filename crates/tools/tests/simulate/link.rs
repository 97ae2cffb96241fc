//! A manager's session, opened in the same way as by the commands.

use std::{path::Path, time::Duration};

use portreeve_broker_protocol::{SessionOption, SessionRequest, Transport};
use portreeve_channel::{ChannelError, NoObserver};
use portreeve_secret::Secret;
use portreeve_secure_session::SessionLink;
use portreeve_snmp_manager::{Client, Credentials, SessionOptions};

/// Opens a session with the keys in the directory `folder`.
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
        user: "any-user".to_owned(),
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

/// Creates a manager for `context` in the session.
pub(crate) fn client(link: SessionLink, context: &str) -> Client {
    let options = SessionOptions { context_name: context.into(), ..SessionOptions::default() };
    Client::with_link(link, Credentials::Transport, &options)
}

/// Creates a manager that uses SNMPv2c.
pub(crate) fn v2c_client(link: SessionLink) -> Client {
    Client::with_link(link, Credentials::V2c(Secret::from("any")), &SessionOptions::default())
}

/// The timeout of the handshake. It is longer than a handshake takes, even on a busy machine.
const TIMEOUT: Duration = Duration::from_secs(20);
