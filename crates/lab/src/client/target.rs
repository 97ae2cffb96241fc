//! The agent's addresses and the client's credentials, and connections prepared before the
//! measurement.

use std::{
    cell::OnceCell,
    path::{Path, PathBuf},
    rc::Rc,
    time::Instant,
};

use portreeve_broker_protocol::{BrokerConnection, SessionOption, SessionRequest, SocketPath, Transport};
use portreeve_channel::{AlgorithmList, KeyExchange};
use portreeve_channel_dtls::{self as dtls, DtlsClient};
use portreeve_channel_ssh::client::{ClientSettings, NoPrompter, SshTarget, connect};
use portreeve_channel_ssh::{TrafficSettings, WindowPolicy};
use portreeve_channel_tls::{self as tls, TlsClient};
use portreeve_secure_session::SecureSession;
use portreeve_snmp_manager::EngineId;
use portreeve_x509::{Credentials, Trust};
use tokio::net::{TcpStream, UdpSocket};

use super::{Carrier, connection::Connection, credentials_file::CredentialsFile};
use crate::error::{Context, Result};
use crate::process::own_program;

/// The addresses and credentials that all connections share. What a carrier needs is read when it
/// is first used, because a file may contain only some carriers.
#[derive(Clone)]
pub(super) struct Target {
    pub(super) file: Rc<CredentialsFile>,
    ssh: Option<(SshTarget, ClientSettings)>,
    identity: Option<Rc<Identity>>,
}

struct Identity {
    credentials: Credentials,
    authority: PathBuf,
    server_name: String,
    /// A client that keeps the tickets of its sessions.
    resuming: OnceCell<Rc<TlsClient>>,
    /// As `resuming`, with TLS 1.2, which the lab's protections of TLS do not support.
    resuming12: OnceCell<Rc<TlsClient>>,
}

/// A connection that can be opened without reading files.
pub(super) enum PreparedConnection {
    Tcp(std::net::SocketAddr),
    Udp(std::net::SocketAddr),
    Ssh(Box<(SshTarget, ClientSettings)>),
    Tls(std::net::SocketAddr, Rc<TlsClient>, tls::ServerExpectation),
    Dtls(std::net::SocketAddr, DtlsClient, dtls::ServerExpectation),
    Broker(Box<SessionRequest>, SocketPath, PathBuf),
}

impl Target {
    pub(super) fn read(file: &Path) -> Result<Self> {
        Ok(Self { file: Rc::new(CredentialsFile::read(file)?), ssh: None, identity: None })
    }

    /// Returns a target that has read no keys and certificates yet.
    pub(super) fn without_keys(&self) -> Self {
        Self { file: Rc::clone(&self.file), ssh: None, identity: None }
    }

    pub(super) fn engine_id(&self) -> Result<Option<EngineId>> {
        self.file.engine_id()
    }

    /// Prepares a connection: reads files and sends nothing.
    pub(super) fn prepare(&mut self, carrier: Carrier) -> Result<PreparedConnection> {
        let address = self.file.address(carrier)?;
        Ok(match carrier {
            Carrier::Tcp => PreparedConnection::Tcp(address),
            Carrier::Udp => PreparedConnection::Udp(address),
            Carrier::Ssh => self.ssh(|_, _| {})?,
            Carrier::SshMlKem => self.ssh(|target, _| target.key_exchanges = AlgorithmList::all())?,
            Carrier::SshNagle => self.ssh(|_, settings| settings.traffic.nodelay = false)?,
            Carrier::SshLateNodelay => self.ssh(|_, settings| {
                settings.traffic.nodelay = false;
                settings.nodelay_after_login = true;
            })?,
            Carrier::SshEveryMessage => {
                self.ssh(|_, settings| settings.traffic.window = WindowPolicy::EveryMessage)?
            }
            Carrier::SshNagleEveryMessage => self.ssh(|_, settings| {
                settings.traffic = TrafficSettings { nodelay: false, window: WindowPolicy::EveryMessage };
            })?,
            Carrier::Tls12
            | Carrier::Tls12Resumed
            | Carrier::Tls
            | Carrier::TlsMlKem
            | Carrier::TlsResumed => {
                let identity = self.identity()?;
                let client = match carrier {
                    Carrier::TlsResumed => identity.resuming()?,
                    Carrier::Tls12Resumed => identity.resuming12()?,
                    // A new TLS client has no ticket of an earlier session.
                    _ => Rc::new(identity.tls(carrier)?),
                };
                PreparedConnection::Tls(
                    address,
                    client,
                    tls::ServerExpectation::named(&identity.server_name)?,
                )
            }
            Carrier::Dtls12 | Carrier::Dtls13 => {
                let identity = self.identity()?;
                let expected = dtls::ServerExpectation::named(&identity.server_name)?;
                PreparedConnection::Dtls(address, identity.dtls(carrier)?, expected)
            }
        })
    }

    /// Prepares a session that the broker opens, or has opened already.
    pub(super) fn prepare_broker(&self, carrier: Carrier) -> Result<PreparedConnection> {
        let address = self.file.address(carrier)?;
        let (transport, options): (_, &[(SessionOption, &str)]) = match carrier {
            Carrier::Ssh => (Transport::Ssh, SSH_OPTIONS),
            Carrier::Tls => (Transport::Tls, TLS_OPTIONS),
            Carrier::Dtls13 => (Transport::Dtls, TLS_OPTIONS),
            _ => return Err("the broker chooses the algorithms itself".into()),
        };
        let mut options: Vec<(SessionOption, String)> = options
            .iter()
            .map(|(key, name)| Ok((*key, self.file.get(name)?.to_owned())))
            .collect::<Result<_>>()?;
        let (mut user, runtime) =
            (String::new(), std::env::var("XDG_RUNTIME_DIR").context("XDG_RUNTIME_DIR")?);
        if carrier == Carrier::Ssh {
            user = self.file.get("SSH_USER")?.to_owned();
            options.push((SessionOption::Home, runtime));
        } else {
            options
                .push((SessionOption::ServerName, self.file.find("SERVER_NAME").unwrap_or(DEMO_NAME).into()));
        }
        let request = SessionRequest {
            persist: super::BROKER_PERSIST,
            timeout: super::SESSION_TIMEOUT,
            transport,
            user,
            host: address.ip().to_string(),
            port: address.port(),
            family: None,
            options,
        };
        let program = own_program("portreeve-broker")?;
        Ok(PreparedConnection::Broker(Box::new(request), SocketPath::for_current_user(), program))
    }

    pub(super) async fn connect(prepared: PreparedConnection) -> Result<Connection> {
        match prepared {
            PreparedConnection::Tcp(address) => Ok(Connection::clear(tcp(address).await?)),
            PreparedConnection::Udp(address) => Ok(Connection::datagrams(udp(address).await?)),
            PreparedConnection::Ssh(ssh) => {
                let (target, settings) = *ssh;
                let channel = connect(&target, &settings, &NoPrompter).await?;
                Ok(Connection::secured(SecureSession::over_ssh(channel)))
            }
            PreparedConnection::Tls(address, client, expected) => {
                let socket = tcp(address).await?;
                let channel = client.connect(&expected)?;
                Ok(Connection::secured(SecureSession::over_tls(socket, channel).await?))
            }
            PreparedConnection::Dtls(address, client, expected) => {
                let socket = udp(address).await?;
                let channel = client.connect(Instant::now(), &expected)?;
                Ok(Connection::secured(SecureSession::over_dtls(socket, channel).await?))
            }
            PreparedConnection::Broker(request, path, program) => {
                let (connection, _) = BrokerConnection::open(&request, &path, &program, &mut |_| None)?;
                Ok(Connection::Broker { connection: Box::new(connection), message: Vec::new() })
            }
        }
    }

    fn ssh(&mut self, change: fn(&mut SshTarget, &mut ClientSettings)) -> Result<PreparedConnection> {
        let mut ssh = match &self.ssh {
            Some(ssh) => ssh.clone(),
            None => self.ssh.insert(read_ssh(&self.file)?).clone(),
        };
        change(&mut ssh.0, &mut ssh.1);
        Ok(PreparedConnection::Ssh(Box::new(ssh)))
    }

    fn identity(&mut self) -> Result<Rc<Identity>> {
        match &self.identity {
            Some(identity) => Ok(Rc::clone(identity)),
            None => Ok(Rc::clone(self.identity.insert(Rc::new(Identity::read(&self.file)?)))),
        }
    }
}

fn read_ssh(file: &CredentialsFile) -> Result<(SshTarget, ClientSettings)> {
    let mut settings = ClientSettings::current();
    // Ignores the configuration and keys of the user who runs this.
    settings.config_files.clear();
    settings.agent = None;
    settings.identity_files = vec![file.get("SSH_KEY")?.into()];
    settings.known_hosts = Some(vec![file.get("KNOWN_HOSTS")?.into()]);
    settings.key_exchanges = AlgorithmList::of([KeyExchange::Curve25519, KeyExchange::Curve25519Libssh]);
    let address = file.address(Carrier::Ssh)?;
    let user = file.get("SSH_USER")?;
    let target = SshTarget::look_up(&address.ip().to_string(), Some(user), Some(address.port()), &settings)?;
    Ok((target, settings))
}

impl Identity {
    fn read(file: &CredentialsFile) -> Result<Self> {
        let credentials =
            Credentials::load(Path::new(file.get("TLS_CERT")?), Path::new(file.get("TLS_KEY")?))?;
        let authority = PathBuf::from(file.get("TLS_CA")?);
        let server_name = file.find("SERVER_NAME").unwrap_or(DEMO_NAME).to_owned();
        Ok(Self {
            credentials,
            authority,
            server_name,
            resuming: OnceCell::new(),
            resuming12: OnceCell::new(),
        })
    }

    fn resuming(&self) -> Result<Rc<TlsClient>> {
        if let Some(client) = self.resuming.get() {
            return Ok(Rc::clone(client));
        }
        let client = TlsClient::new(&self.credentials, trust(&self.authority)?, tls::Versions::Only13)?;
        Ok(Rc::clone(self.resuming.get_or_init(|| Rc::new(client))))
    }

    fn resuming12(&self) -> Result<Rc<TlsClient>> {
        if let Some(client) = self.resuming12.get() {
            return Ok(Rc::clone(client));
        }
        let client = Rc::new(self.tls(Carrier::Tls12)?);
        Ok(Rc::clone(self.resuming12.get_or_init(|| client)))
    }

    fn tls(&self, carrier: Carrier) -> Result<TlsClient> {
        let (versions, key_exchanges) = match carrier {
            Carrier::Tls12 => (tls::Versions::Only12, tls::KeyExchanges::All),
            Carrier::TlsMlKem => (tls::Versions::Only13, tls::KeyExchanges::OnlyMlKem768X25519),
            _ => (tls::Versions::Only13, tls::KeyExchanges::All),
        };
        let trust = trust(&self.authority)?;
        Ok(TlsClient::with_key_exchanges(&self.credentials, trust, versions, key_exchanges)?)
    }

    fn dtls(&self, carrier: Carrier) -> Result<DtlsClient> {
        let versions =
            if carrier == Carrier::Dtls12 { dtls::Versions::Only12 } else { dtls::Versions::Only13 };
        let settings = dtls::Settings { versions, ..dtls::Settings::default() };
        Ok(DtlsClient::new(&self.credentials, trust(&self.authority)?, settings)?)
    }
}

fn trust(authority: &Path) -> Result<Trust> {
    let mut trust = Trust::default();
    trust.add_authorities(authority)?;
    Ok(trust)
}

async fn tcp(address: std::net::SocketAddr) -> Result<TcpStream> {
    let socket = TcpStream::connect(address).await?;
    socket.set_nodelay(true)?;
    Ok(socket)
}

async fn udp(address: std::net::SocketAddr) -> Result<UdpSocket> {
    let any: std::net::SocketAddr =
        if address.is_ipv4() { ([0; 4], 0).into() } else { ([0_u16; 8], 0).into() };
    let socket = UdpSocket::bind(any).await?;
    socket.connect(address).await?;
    Ok(socket)
}

/// The name in the demo's certificate, independent of its address.
const DEMO_NAME: &str = "localhost";

const SSH_OPTIONS: &[(SessionOption, &str)] =
    &[(SessionOption::SshIdentity, "SSH_KEY"), (SessionOption::KnownHosts, "KNOWN_HOSTS")];
const TLS_OPTIONS: &[(SessionOption, &str)] = &[
    (SessionOption::Certificate, "TLS_CERT"),
    (SessionOption::PrivateKey, "TLS_KEY"),
    (SessionOption::Authority, "TLS_CA"),
];
