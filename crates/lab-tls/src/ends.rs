//! The two ends of connections with one protection.

use std::fmt;
use std::io::{self, Read, Write};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use portreeve_channel::AlternativeName;
use portreeve_pki::{Holder, HolderRole, IssuedCertificate, PkiError, Validity, X509Authority};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use rustls::server::WebPkiClientVerifier;
use rustls::{ClientConfig, ClientConnection, RootCertStore, ServerConfig, ServerConnection, StreamOwned};

use crate::Protection;

/// The settings of both ends, with new certificates of a new authority.
#[derive(Clone)]
pub struct Ends {
    client: Arc<ClientConfig>,
    server: Arc<ServerConfig>,
}

impl Ends {
    /// Creates the settings for a protection.
    ///
    /// # Errors
    /// If a certificate or the settings cannot be made.
    pub fn new(protection: Protection) -> Result<Self, TlsError> {
        let validity = Validity::from_now(SystemTime::now(), LIFETIME);
        let authority = X509Authority::new("Portreeve lab", validity)?;
        let server =
            Holder::new(HolderRole::Host, SERVER).with_names(vec![AlternativeName::Dns(SERVER.to_owned())]);
        let (server, client) = (
            authority.issue(&server, validity)?,
            authority.issue(&Holder::new(HolderRole::User, "lab"), validity)?,
        );
        let mut roots = RootCertStore::empty();
        roots.add(authority.der().to_vec().into())?;
        let (roots, provider) = (Arc::new(roots), Arc::new(protection.provider()?));
        let verifier = WebPkiClientVerifier::builder_with_provider(Arc::clone(&roots), Arc::clone(&provider));
        let (chain, key) = read(&server)?;
        let server = ServerConfig::builder_with_provider(Arc::clone(&provider))
            .with_protocol_versions(&[&rustls::version::TLS13])?
            .with_client_cert_verifier(verifier.build().map_err(TlsError::new)?)
            .with_single_cert(chain, key)?;
        let (chain, key) = read(&client)?;
        let mut client = ClientConfig::builder_with_provider(provider)
            .with_protocol_versions(&[&rustls::version::TLS13])?
            .with_root_certificates(roots)
            .with_client_auth_cert(chain, key)?;
        // Every session has a full handshake.
        client.resumption = rustls::client::Resumption::disabled();
        Ok(Self { client: Arc::new(client), server: Arc::new(server) })
    }

    /// Starts the client's end of a connection. The handshake takes place at the first use.
    ///
    /// # Errors
    /// If the settings are invalid.
    pub fn connect<S: Read + Write>(&self, stream: S) -> Result<StreamOwned<ClientConnection, S>, TlsError> {
        let name = ServerName::try_from(SERVER).map_err(TlsError::new)?;
        Ok(StreamOwned::new(ClientConnection::new(Arc::clone(&self.client), name)?, stream))
    }

    /// Starts the server's end of a connection.
    ///
    /// # Errors
    /// If the settings are invalid.
    pub fn accept<S: Read + Write>(&self, stream: S) -> Result<StreamOwned<ServerConnection, S>, TlsError> {
        Ok(StreamOwned::new(ServerConnection::new(Arc::clone(&self.server))?, stream))
    }
}

/// Completes the handshake of a client.
///
/// # Errors
/// If a certificate is rejected, or the connection ends.
pub fn complete_handshake<S: Read + Write>(stream: &mut StreamOwned<ClientConnection, S>) -> io::Result<()> {
    while stream.conn.is_handshaking() {
        stream.conn.complete_io(&mut stream.sock)?;
    }
    Ok(())
}

fn read(
    issued: &IssuedCertificate,
) -> Result<(Vec<CertificateDer<'static>>, PrivateKeyDer<'static>), TlsError> {
    let chain = CertificateDer::pem_slice_iter(issued.certificate.as_bytes()).collect::<Result<_, _>>();
    let key = PrivateKeyDer::from_pem_slice(issued.key.expose());
    Ok((chain.map_err(TlsError::new)?, key.map_err(TlsError::new)?))
}

/// The reason why an end cannot be made.
#[derive(Debug)]
pub struct TlsError(String);

impl TlsError {
    pub(crate) fn new(error: impl fmt::Display) -> Self {
        Self(error.to_string())
    }
}

impl fmt::Display for TlsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for TlsError {}

impl From<PkiError> for TlsError {
    fn from(error: PkiError) -> Self {
        Self::new(error)
    }
}

impl From<rustls::Error> for TlsError {
    fn from(error: rustls::Error) -> Self {
        Self::new(error)
    }
}

/// The name of the server in its certificate.
const SERVER: &str = "agent.lab";
const LIFETIME: Duration = Duration::from_secs(30 * 86_400);
