//! Sessions over TLS 1.2 and DTLS 1.2, for receivers that also have version 1.3.

use std::future::Future;
use std::net::SocketAddr;
use std::path::Path;
use std::time::Instant;

use portreeve_channel_dtls::{self as dtls, DtlsClient};
use portreeve_channel_tls::{self as tls, TlsClient};
use portreeve_secure_session::{SecureSession, SessionLink};
use portreeve_x509::{Credentials, Trust};
use tokio::net::{TcpStream, UdpSocket};
use tokio::runtime::Builder;

use super::inform_client::{SERVER_NAME, TIMEOUT};
use crate::error::{Context, Result};

/// The files of a sender: its certificate, its key and the authority of the receiver.
pub(super) struct Identity<'p> {
    pub(super) certificate: &'p Path,
    pub(super) key: &'p Path,
    pub(super) authority: &'p Path,
}

/// Opens a session with TLS 1.2 only.
pub(super) fn open_tls(address: &str, identity: &Identity<'_>) -> Result<SessionLink> {
    let address: SocketAddr = address.parse().context(address)?;
    let (credentials, trust) = identity.read()?;
    let client = TlsClient::new(&credentials, trust, tls::Versions::Only12)?;
    let expected = tls::ServerExpectation::named(SERVER_NAME)?;
    open(false, async {
        let socket = TcpStream::connect(address).await?;
        socket.set_nodelay(true)?;
        Ok(SecureSession::over_tls(socket, client.connect(&expected)?).await?)
    })
}

/// Opens a session with DTLS 1.2 only.
pub(super) fn open_dtls(address: &str, identity: &Identity<'_>) -> Result<SessionLink> {
    let address: SocketAddr = address.parse().context(address)?;
    let (credentials, trust) = identity.read()?;
    let settings = dtls::Settings { versions: dtls::Versions::Only12, ..dtls::Settings::default() };
    let client = DtlsClient::new(&credentials, trust, settings)?;
    let expected = dtls::ServerExpectation::named(SERVER_NAME)?;
    open(true, async {
        let any: SocketAddr = if address.is_ipv4() { ([0; 4], 0).into() } else { ([0_u16; 8], 0).into() };
        let socket = UdpSocket::bind(any).await?;
        socket.connect(address).await?;
        Ok(SecureSession::over_dtls(socket, client.connect(Instant::now(), &expected)?).await?)
    })
}

/// Opens a session within the timeout.
fn open(loses_messages: bool, session: impl Future<Output = Result<SecureSession>>) -> Result<SessionLink> {
    let runtime = Builder::new_current_thread().enable_io().enable_time().build()?;
    let opened = runtime.block_on(async { tokio::time::timeout(TIMEOUT, session).await });
    let session = opened.map_err(|_| format!("no session within {} s", TIMEOUT.as_secs()))??;
    Ok(SessionLink::new(runtime, session, loses_messages))
}

impl Identity<'_> {
    fn read(&self) -> Result<(Credentials, Trust)> {
        let mut trust = Trust::default();
        trust.add_authorities(self.authority)?;
        Ok((Credentials::load(self.certificate, self.key)?, trust))
    }
}
