//! `inform-client FILE ROUNDS`: sends informs over every transport from one process; FILE is the
//! `credentials.env` of the receiver.
//!
//! In each round, every transport sends one inform over a new connection or session, and
//! [`PER_ROUND`] in one that stays open. The time of a new one is that from opening it to the
//! response: reading keys, the handshake, and for SNMPv3 over UDP the discovery of the receiver.

use std::path::Path;
use std::time::{Duration, Instant};

use portreeve_broker_protocol::{SessionOption, SessionRequest, Transport};
use portreeve_channel::NoObserver;
use portreeve_crypto::password_to_key;
use portreeve_secure_session::SessionLink;
use portreeve_snmp_manager::{
    AuthProtocol, Client, Credentials, EngineId, KeyMaterial, PeerAddress, PrivProtocol, Request,
    RetryPolicy, Secret, SessionOptions, TrapSender, UsmUser,
};

use super::inform_session::InformSession;
use super::messages::inform;
use super::site::{AUTH_PASS, COMMUNITY, PRIV_PASS, USER};
use super::trap_session::TrapSession;
use super::version_12;
use crate::daemon::read_env;
use crate::error::{Context, Result};

/// Prints a line for each of [`CARRIERS`] with a new connection, then for each with an open one:
/// the seconds of all informs.
pub(crate) fn run(arguments: &[String]) -> Result<()> {
    let [file, rounds] = arguments else { return Err(crate::commands::usage_error("inform-client")) };
    let env = read_env(file.as_ref())?;
    let sender = Sender { env, request: inform() };
    let mut open = Vec::new();
    for carrier in CARRIERS {
        let mut client = sender.open(carrier, carrier.credentials()?).context(carrier.name())?;
        sender.send(&mut client).context(carrier.name())?;
        open.push(client);
    }
    let (mut new_times, mut open_times) =
        (vec![Vec::new(); CARRIERS.len()], vec![Vec::new(); CARRIERS.len()]);
    for _ in 0..rounds.parse()? {
        for (carrier, times) in CARRIERS.into_iter().zip(&mut new_times) {
            let credentials = carrier.credentials()?;
            let started = Instant::now();
            let mut client = sender.open(carrier, credentials).context(carrier.name())?;
            sender.send(&mut client).context(carrier.name())?;
            times.push(started.elapsed().as_secs_f64().to_string());
        }
        for ((carrier, client), times) in CARRIERS.into_iter().zip(&mut open).zip(&mut open_times) {
            for _ in 0..PER_ROUND {
                let started = Instant::now();
                sender.send(client).context(carrier.name())?;
                times.push(started.elapsed().as_secs_f64().to_string());
            }
        }
    }
    new_times.iter().chain(&open_times).for_each(|seconds| println!("{}", seconds.join(" ")));
    Ok(())
}

/// A transport and the version of the messages on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::experiments) enum Carrier {
    UdpV2c,
    UdpV3,
    TcpV2c,
    Ssh,
    Tls,
    Dtls,
    /// TLS 1.2, if the receiver also has 1.3.
    Tls12,
    /// DTLS 1.2, if the receiver also has 1.3.
    Dtls12,
}

/// The transports with the versions that both sides prefer, in the order of the lines.
pub(in crate::experiments) const CARRIERS: [Carrier; 6] =
    [Carrier::UdpV2c, Carrier::UdpV3, Carrier::TcpV2c, Carrier::Ssh, Carrier::Tls, Carrier::Dtls];

impl Carrier {
    /// All transports.
    pub(in crate::experiments) const ALL: [Self; 8] = [
        Self::UdpV2c,
        Self::UdpV3,
        Self::TcpV2c,
        Self::Ssh,
        Self::Tls12,
        Self::Tls,
        Self::Dtls12,
        Self::Dtls,
    ];

    pub(in crate::experiments) fn name(self) -> &'static str {
        match self {
            Self::UdpV2c => "v2c over UDP",
            Self::UdpV3 => "v3 over UDP, SHA-256 AES-128",
            Self::TcpV2c => "v2c over TCP",
            Self::Ssh => "v3 over SSH",
            Self::Tls => "v3 over TLS 1.3",
            Self::Dtls => "v3 over DTLS 1.3",
            Self::Tls12 => "v3 over TLS 1.2",
            Self::Dtls12 => "v3 over DTLS 1.2",
        }
    }

    /// Returns the identifier in variants and on the command line.
    pub(in crate::experiments) fn id(self) -> &'static str {
        match self {
            Self::UdpV2c => "v2c/udp",
            Self::UdpV3 => "usm-sha256-aes128/udp",
            Self::TcpV2c => "v2c/tcp",
            Self::Ssh => "tsm/ssh",
            Self::Tls => "tsm/tls13",
            Self::Dtls => "tsm/dtls13",
            Self::Tls12 => "tsm/tls12",
            Self::Dtls12 => "tsm/dtls12",
        }
    }

    /// Returns the transport of a session with the version that both sides prefer, and the name of
    /// its address; `None` for others.
    fn session(self) -> Option<(Transport, &'static str)> {
        match self {
            Self::UdpV2c | Self::UdpV3 | Self::TcpV2c | Self::Tls12 | Self::Dtls12 => None,
            Self::Ssh => Some((Transport::Ssh, "SSH")),
            Self::Tls => Some((Transport::Tls, "TLS")),
            Self::Dtls => Some((Transport::Dtls, "DTLS")),
        }
    }

    pub(super) fn credentials(self) -> Result<Credentials> {
        Ok(match self {
            Self::UdpV2c | Self::TcpV2c => Credentials::V2c(Secret::from(COMMUNITY)),
            Self::UdpV3 => Credentials::V3(user()?),
            Self::Ssh | Self::Tls12 | Self::Tls | Self::Dtls12 | Self::Dtls => Credentials::Transport,
        })
    }
}

/// Returns the user with keys that were made from the pass phrases, which takes longer than an
/// inform.
fn user() -> Result<UsmUser> {
    let key = |pass_phrase| -> Result<Secret> {
        let key = password_to_key(AuthProtocol::HmacSha256_192, &Secret::from(pass_phrase))?;
        Ok(Secret::new(key.expose().to_vec()))
    };
    let (auth, privacy) = (key(AUTH_PASS)?, key(PRIV_PASS)?);
    Ok(UsmUser::with_keys(
        USER.as_bytes(),
        (AuthProtocol::HmacSha256_192, KeyMaterial::Master(&auth)),
        Some((PrivProtocol::Aes128, KeyMaterial::Master(&privacy))),
    )?)
}

/// A sender of notifications to one receiver.
pub(super) struct Sender {
    pub(super) env: std::collections::HashMap<String, String>,
    pub(super) request: Request,
}

impl Sender {
    pub(super) fn open(&self, carrier: Carrier, credentials: Credentials) -> Result<Client> {
        let options = options();
        match self.open_session(carrier)? {
            None => Ok(Client::open(&self.address(carrier)?, credentials, &options)?),
            Some(link) => Ok(Client::with_link(InformSession::new(link), credentials, &options)),
        }
    }

    /// Opens a connection or session for traps; returns the session too. `engine_id` is the
    /// sender's.
    pub(super) fn open_for_traps(
        &self,
        carrier: Carrier,
        credentials: Credentials,
        engine_id: EngineId,
    ) -> Result<(TrapSender, Option<TrapSession>)> {
        let options = options();
        match self.open_session(carrier)? {
            None => Ok((TrapSender::open(&self.address(carrier)?, credentials, engine_id, &options)?, None)),
            Some(link) => {
                let session = TrapSession::new(link);
                let sender = TrapSender::with_link(session.clone(), credentials, engine_id, &options)?;
                Ok((sender, Some(session)))
            }
        }
    }

    /// Opens a session; `None` for transports without sessions.
    fn open_session(&self, carrier: Carrier) -> Result<Option<SessionLink>> {
        if matches!(carrier, Carrier::Tls12 | Carrier::Dtls12) {
            let file = |name| self.env(name).map(Path::new);
            let (certificate, key, authority) = (file("TLS_CERT")?, file("TLS_KEY")?, file("TLS_CA")?);
            let identity = version_12::Identity { certificate, key, authority };
            return Ok(Some(match carrier {
                Carrier::Tls12 => version_12::open_tls(self.env("TLS")?, &identity)?,
                _ => version_12::open_dtls(self.env("DTLS")?, &identity)?,
            }));
        }
        let Some((transport, name)) = carrier.session() else { return Ok(None) };
        Ok(Some(SessionLink::open(&self.session_request(transport, name)?, &NoObserver)?))
    }

    fn address(&self, carrier: Carrier) -> Result<PeerAddress> {
        let scheme = if carrier == Carrier::TcpV2c { "tcp" } else { "udp" };
        Ok(format!("{scheme}:{}", self.env("UDP")?).parse()?)
    }

    fn session_request(&self, transport: Transport, name: &str) -> Result<SessionRequest> {
        let (host, port) = self.env(name)?.split_once(':').ok_or("the address has no port")?;
        let option = |key, name: &str| -> Result<_> { Ok((key, self.env(name)?.to_owned())) };
        Ok(SessionRequest {
            persist: Duration::ZERO,
            timeout: TIMEOUT,
            transport,
            user: if transport == Transport::Ssh { self.env("SSH_USER")?.into() } else { String::new() },
            host: host.into(),
            port: port.parse()?,
            family: None,
            options: vec![
                option(SessionOption::SshIdentity, "SSH_KEY")?,
                option(SessionOption::KnownHosts, "KNOWN_HOSTS")?,
                option(SessionOption::Certificate, "TLS_CERT")?,
                option(SessionOption::PrivateKey, "TLS_KEY")?,
                option(SessionOption::Authority, "TLS_CA")?,
                (SessionOption::ServerName, SERVER_NAME.into()),
            ],
        })
    }

    pub(super) fn send(&self, client: &mut Client) -> Result<()> {
        let response = client.request(&self.request)?;
        if response.is_error() {
            return Err("the receiver could not store the inform".into());
        }
        client.recycle(response);
        Ok(())
    }

    fn env(&self, name: &str) -> Result<&str> {
        let value = self.env.get(&format!("PORTREEVE_{name}"));
        value.map(String::as_str).ok_or_else(|| format!("the file has no PORTREEVE_{name}").into())
    }
}

fn options() -> SessionOptions {
    SessionOptions { retry: RetryPolicy::fixed(TIMEOUT, 0), ..SessionOptions::default() }
}

/// The name in the demo's certificate, independent of its address.
pub(super) const SERVER_NAME: &str = "localhost";
/// The number of informs in each open session and round.
const PER_ROUND: usize = 10;
pub(super) const TIMEOUT: Duration = Duration::from_secs(5);
