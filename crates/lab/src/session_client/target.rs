//! The agent's addresses and the client's credentials, and connections prepared before the
//! measurement.

use std::{
    net::SocketAddr,
    path::{Path, PathBuf},
    rc::Rc,
    time::Instant,
};

use portreeve_channel::{AlgorithmList, KeyExchange};
use portreeve_channel_dtls::{self as dtls, DtlsClient};
use portreeve_channel_ssh::WindowPolicy;
use portreeve_channel_ssh::client::{ClientSettings, NoPrompter, SshTarget, connect};
use portreeve_channel_tls::{self as tls, TlsClient};
use portreeve_secure_session::SecureSession;
use portreeve_snmp_manager::EngineId;
use portreeve_x509::{Credentials, Trust};
use tokio::net::{TcpStream, UdpSocket};

use super::{Carrier, connection::Connection};
use crate::daemon::read_env;
use crate::error::Result;

/// The addresses and credentials that all connections share.
#[derive(Clone)]
pub(super) struct Target {
    pub(super) community: String,
    pub(super) engine_id: EngineId,
    tcp: SocketAddr,
    udp: SocketAddr,
    tls: SocketAddr,
    dtls: SocketAddr,
    ssh: SshTarget,
    ssh_settings: ClientSettings,
    identity: Rc<Identity>,
    resuming: Rc<TlsClient>,
    dtls12: Rc<DtlsClient>,
    dtls13: Rc<DtlsClient>,
}

struct Identity {
    credentials: Credentials,
    authority: PathBuf,
}

/// A connection that can be opened without reading files.
pub(super) enum PreparedConnection {
    Tcp,
    Udp,
    Ssh(Box<(SshTarget, ClientSettings)>),
    Tls(Rc<TlsClient>),
    Dtls(Rc<DtlsClient>),
}

impl Target {
    pub(super) fn read(file: &Path) -> Result<Self> {
        let env = read_env(file)?;
        let get = |name: &str| {
            let found = env.get(&format!("PORTREEVE_{name}"));
            found.cloned().ok_or_else(|| format!("{} has no PORTREEVE_{name}", file.display()))
        };
        let mut ssh_settings = ClientSettings::current();
        // Ignores the configuration and keys of the user who runs this.
        ssh_settings.config_files.clear();
        ssh_settings.agent = None;
        ssh_settings.identity_files = vec![get("SSH_KEY")?.into()];
        ssh_settings.known_hosts = Some(vec![get("KNOWN_HOSTS")?.into()]);
        ssh_settings.key_exchanges =
            AlgorithmList::of([KeyExchange::Curve25519, KeyExchange::Curve25519Libssh]);
        let ssh: SocketAddr = get("SSH")?.parse()?;
        let user = get("SSH_USER")?;
        let target = SshTarget::look_up(&ssh.ip().to_string(), Some(&user), Some(ssh.port()), &ssh_settings)?;
        let identity = Rc::new(Identity {
            credentials: Credentials::load(Path::new(&get("TLS_CERT")?), Path::new(&get("TLS_KEY")?))?,
            authority: get("TLS_CA")?.into(),
        });
        Ok(Self {
            community: get("RO")?,
            engine_id: get("ENGINE_ID")?.parse()?,
            tcp: get("TCP")?.parse()?,
            udp: get("UDP")?.parse()?,
            tls: get("TLS")?.parse()?,
            dtls: get("DTLS")?.parse()?,
            ssh: target,
            ssh_settings,
            resuming: Rc::new(identity.tls()?),
            dtls12: Rc::new(identity.dtls(dtls::Versions::Only12)?),
            dtls13: Rc::new(identity.dtls(dtls::Versions::Only13)?),
            identity,
        })
    }

    /// Prepares a connection: reads files and sends nothing.
    pub(super) fn prepare(&self, carrier: Carrier) -> Result<PreparedConnection> {
        let ssh = |change: fn(&mut SshTarget, &mut ClientSettings)| {
            let mut ssh = Box::new((self.ssh.clone(), self.ssh_settings.clone()));
            change(&mut ssh.0, &mut ssh.1);
            PreparedConnection::Ssh(ssh)
        };
        Ok(match carrier {
            Carrier::Tcp => PreparedConnection::Tcp,
            Carrier::Udp => PreparedConnection::Udp,
            Carrier::Ssh => ssh(|_, _| {}),
            Carrier::SshMlKem => ssh(|target, _| target.key_exchanges = AlgorithmList::all()),
            Carrier::SshNagle => ssh(|_, settings| settings.traffic.nodelay = false),
            Carrier::SshEveryMessage => {
                ssh(|_, settings| settings.traffic.window = WindowPolicy::EveryMessage)
            }
            // A new TLS client has no ticket of an earlier session.
            Carrier::Tls => PreparedConnection::Tls(Rc::new(self.identity.tls()?)),
            Carrier::TlsResumed => PreparedConnection::Tls(Rc::clone(&self.resuming)),
            Carrier::Dtls12 => PreparedConnection::Dtls(Rc::clone(&self.dtls12)),
            Carrier::Dtls13 => PreparedConnection::Dtls(Rc::clone(&self.dtls13)),
        })
    }

    pub(super) async fn connect(&self, prepared: PreparedConnection) -> Result<Connection> {
        match prepared {
            PreparedConnection::Tcp => Ok(Connection::clear(tcp(self.tcp).await?)),
            PreparedConnection::Udp => Ok(Connection::datagrams(udp(self.udp).await?)),
            PreparedConnection::Ssh(ssh) => {
                let (target, settings) = *ssh;
                let channel = connect(&target, &settings, &NoPrompter).await?;
                Ok(Connection::secured(SecureSession::over_ssh(channel)))
            }
            PreparedConnection::Tls(client) => {
                let socket = tcp(self.tls).await?;
                let channel = client.connect(&tls::ServerExpectation::named(SERVER_NAME)?)?;
                Ok(Connection::secured(SecureSession::over_tls(socket, channel).await?))
            }
            PreparedConnection::Dtls(client) => {
                let socket = udp(self.dtls).await?;
                let expected = dtls::ServerExpectation::named(SERVER_NAME)?;
                let channel = client.connect(Instant::now(), &expected)?;
                Ok(Connection::secured(SecureSession::over_dtls(socket, channel).await?))
            }
        }
    }
}

impl Identity {
    fn trust(&self) -> Result<Trust> {
        let mut trust = Trust::default();
        trust.add_authorities(&self.authority)?;
        Ok(trust)
    }

    fn tls(&self) -> Result<TlsClient> {
        Ok(TlsClient::new(&self.credentials, self.trust()?, tls::Versions::From12)?)
    }

    fn dtls(&self, versions: dtls::Versions) -> Result<DtlsClient> {
        let settings = dtls::Settings { versions, ..dtls::Settings::default() };
        Ok(DtlsClient::new(&self.credentials, self.trust()?, settings)?)
    }
}

async fn tcp(address: SocketAddr) -> Result<TcpStream> {
    let socket = TcpStream::connect(address).await?;
    socket.set_nodelay(true)?;
    Ok(socket)
}

async fn udp(address: SocketAddr) -> Result<UdpSocket> {
    let socket = UdpSocket::bind("0.0.0.0:0").await?;
    socket.connect(address).await?;
    Ok(socket)
}

/// The name in the demo's certificate, independent of its address.
const SERVER_NAME: &str = "localhost";
