//! The credentials and the trust of a session, from the options of a request.
//!
//! The credentials come from the first of these sources that contains them: files specified in the
//! request; a Net-SNMP certificate name in the request; the user's own directory; the default
//! certificate in Net-SNMP's directories. The trust combines all authorities and pins in the
//! request. If there are none, it comes from the user's own directory.

mod net_snmp;

use std::path::{Path, PathBuf};

use portreeve_broker_protocol::{SessionOption, SessionRequest};
use portreeve_channel::{ChannelError, ChannelReason, ChannelStep, FileReads, Fingerprint, read_files};
use portreeve_x509::{Credentials, FileError, Trust};

pub use net_snmp::{MissingCertificateError, NetSnmpCertificates};

/// Reads the credentials to present, and the trust for the server.
pub(crate) async fn read(
    request: &SessionRequest,
    reads: &dyn FileReads,
) -> Result<(Credentials, Trust), ChannelError> {
    let request = request.clone();
    let read = move || Ok((credentials(&request)?, trust(&request)?));
    read_files(reads, ChannelStep::ClientIdentity, read).await?
}

//= rfc6353#5.3.1-2
fn credentials(request: &SessionRequest) -> Result<Credentials, ChannelError> {
    let (certificate, key) = match request.get(SessionOption::Certificate) {
        // Without a separate key file, the certificate file contains the key as well.
        Some(certificate) => {
            (certificate.into(), request.get(SessionOption::PrivateKey).unwrap_or(certificate).into())
        }
        None => match request.get(SessionOption::LocalCertificate) {
            Some(name) => net_snmp_certificates(request)
                .own(name)
                .map_err(|error| missing(ChannelStep::ClientIdentity, &error))?,
            None => default_pair(request)?,
        },
    };
    Credentials::load(&certificate, &key).map_err(|error| file_error(ChannelStep::ClientIdentity, &error))
}

/// Returns the default certificate and key files.
fn default_pair(request: &SessionRequest) -> Result<(PathBuf, PathBuf), ChannelError> {
    let folder = request.get(SessionOption::UserDirectory).map(Path::new);
    let own_certificate = folder.map(|folder| (folder.join(CERTIFICATE), folder.join(KEY)));
    if let Some(own_certificate) = own_certificate.filter(|(certificate, _)| certificate.is_file()) {
        return Ok(own_certificate);
    }
    net_snmp_certificates(request).own(DEFAULT_CERTIFICATE).map_err(|_| {
        let install_hint = folder.map_or_else(String::new, |folder| {
            format!(", or install {CERTIFICATE} and {KEY} in {}", folder.display())
        });
        ChannelError::at(ChannelStep::ClientIdentity, "no certificate to present")
            .with_hint(format!("specify one with --certificate and --key{install_hint}"))
    })
}

fn trust(request: &SessionRequest) -> Result<Trust, ChannelError> {
    let mut trust = Trust::default();
    let unusable = |error: FileError| file_error(ChannelStep::ServerIdentity, &error);
    for authorities in request.all(SessionOption::Authority) {
        trust.add_authorities(Path::new(authorities)).map_err(unusable)?;
    }
    for pin in request.all(SessionOption::Pin) {
        trust.pin(fingerprint(pin)?);
    }
    for name in request.all(SessionOption::PeerCertificate) {
        trust.pin(peer_fingerprint(request, name)?);
    }
    for name in request.all(SessionOption::TrustedCertificate) {
        let authority = net_snmp_certificates(request).authority(name);
        let authority = authority.map_err(|error| missing(ChannelStep::ServerIdentity, &error))?;
        trust.add_authorities(&authority).map_err(unusable)?;
    }
    if !trust.is_empty() {
        return Ok(trust);
    }
    let folder = request.get(SessionOption::UserDirectory).map(Path::new);
    if let Some(usual) = folder.map(|folder| folder.join(AUTHORITY)).filter(|usual| usual.is_file()) {
        trust.add_authorities(&usual).map_err(unusable)?;
        return Ok(trust);
    }
    let install_hint = folder.map_or_else(String::new, |folder| {
        format!(", or install the authority's certificate as {}", folder.join(AUTHORITY).display())
    });
    Err(ChannelError::at(
        ChannelStep::ServerIdentity,
        "no authority is trusted and no server's certificate is pinned",
    )
    .with_reason(ChannelReason::UnknownCertificate)
    .with_hint(format!(
        "specify the authority with --ca, or the server's fingerprint with --pin{install_hint}"
    )))
}

fn fingerprint(written: &str) -> Result<Fingerprint, ChannelError> {
    written.parse().map_err(|_| {
        ChannelError::at(ChannelStep::ServerIdentity, format!("{written:?} is not a fingerprint"))
            .with_hint("write it as sha256:AB:CD:..., as `portreeve keys show` prints it")
    })
}

/// Returns the fingerprint of the server's certificate. `name` may be the fingerprint itself.
fn peer_fingerprint(request: &SessionRequest, name: &str) -> Result<Fingerprint, ChannelError> {
    match name.parse() {
        Ok(fingerprint) => Ok(fingerprint),
        Err(_) => net_snmp_certificates(request)
            .fingerprint(name)
            .map_err(|error| missing(ChannelStep::ServerIdentity, &error)),
    }
}

fn net_snmp_certificates(request: &SessionRequest) -> NetSnmpCertificates {
    NetSnmpCertificates::in_folders(request.all(SessionOption::SnmpDirectory).map(PathBuf::from))
}

fn missing(step: ChannelStep, error: &MissingCertificateError) -> ChannelError {
    ChannelError::at(step, error.to_string()).with_hint(error.hint())
}

fn file_error(step: ChannelStep, error: &FileError) -> ChannelError {
    ChannelError::at(step, format!("{}: {}", error.path.display(), error.cause)).with_hint(error.hint)
}

/// The name of the default certificate of Net-SNMP's commands.
const DEFAULT_CERTIFICATE: &str = "snmpapp";
const CERTIFICATE: &str = "cert.pem";
const KEY: &str = "key.pem";
const AUTHORITY: &str = "ca.pem";
