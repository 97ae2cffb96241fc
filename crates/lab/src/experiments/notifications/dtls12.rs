//! Sessions over DTLS 1.2, for receivers that also have DTLS 1.3.

use std::net::SocketAddr;
use std::path::Path;
use std::time::Instant;

use portreeve_channel_dtls::{DtlsClient, ServerExpectation, Settings, Versions};
use portreeve_secure_session::{SecureSession, SessionLink};
use portreeve_x509::{Credentials, Trust};
use tokio::net::UdpSocket;
use tokio::runtime::Builder;

use super::inform_client::{SERVER_NAME, TIMEOUT};
use crate::error::{Context, Result};

/// The files of a sender: its certificate, its key and the authority of the receiver.
pub(super) struct Identity<'p> {
    pub(super) certificate: &'p Path,
    pub(super) key: &'p Path,
    pub(super) authority: &'p Path,
}

/// Opens a session with DTLS 1.2 only.
pub(super) fn open(address: &str, identity: &Identity<'_>) -> Result<SessionLink> {
    let address: SocketAddr = address.parse().context(address)?;
    let credentials = Credentials::load(identity.certificate, identity.key)?;
    let mut trust = Trust::default();
    trust.add_authorities(identity.authority)?;
    let settings = Settings { versions: Versions::Only12, ..Settings::default() };
    let client = DtlsClient::new(&credentials, trust, settings)?;
    let expected = ServerExpectation::named(SERVER_NAME)?;
    let runtime = Builder::new_current_thread().enable_io().enable_time().build()?;
    let session = runtime.block_on(async {
        let any: SocketAddr = if address.is_ipv4() { ([0; 4], 0).into() } else { ([0_u16; 8], 0).into() };
        let socket = UdpSocket::bind(any).await?;
        socket.connect(address).await?;
        let opened = SecureSession::over_dtls(socket, client.connect(Instant::now(), &expected)?);
        match tokio::time::timeout(TIMEOUT, opened).await {
            Ok(session) => Ok::<_, crate::error::LabError>(session?),
            Err(_) => Err(format!("no session within {} s", TIMEOUT.as_secs()).into()),
        }
    })?;
    Ok(SessionLink::new(runtime, session, true))
}
