//! As whom a session is opened and whom it trusts, from what an order names.
//!
//! Both are looked for in this order, and taken from the first place that has something: files that were named; names
//! as Net-SNMP has them; the user's own folder; and what Net-SNMP's folders have by default.

mod net_snmp;

use std::path::{Path, PathBuf};

use portreeve_broker_protocol::{SessionOption, SessionRequest};
use portreeve_channel::{ChannelError, ChannelStep, Fingerprint};
use portreeve_x509::{Credentials, FileError, Trust};

/// What to present, and whom to trust.
pub(crate) fn read(request: &SessionRequest) -> Result<(Credentials, Trust), ChannelError> {
    Ok((credentials(request)?, trust(request)?))
}

//= rfc6353#5.3.1-2
fn credentials(request: &SessionRequest) -> Result<Credentials, ChannelError> {
    let (certificate, key) = match request.get(SessionOption::Certificate) {
        // One file may have both.
        Some(certificate) => {
            (certificate.into(), request.get(SessionOption::PrivateKey).unwrap_or(certificate).into())
        }
        None => match request.get(SessionOption::LocalCertificate) {
            Some(name) => net_snmp::local_certificate(request, name)?,
            None => default_pair(request)?,
        },
    };
    Credentials::load(&certificate, &key).map_err(|error| file_error(ChannelStep::ClientIdentity, &error))
}

/// A pair that nobody has named.
fn default_pair(request: &SessionRequest) -> Result<(PathBuf, PathBuf), ChannelError> {
    let folder = request.get(SessionOption::Folder).map(Path::new);
    let own_certificate = folder.map(|folder| (folder.join(CERTIFICATE), folder.join(KEY)));
    if let Some(own_certificate) = own_certificate.filter(|(certificate, _)| certificate.is_file()) {
        return Ok(own_certificate);
    }
    net_snmp::local_certificate(request, net_snmp::DEFAULT_CERTIFICATE).map_err(|_| {
        let into = folder.map_or_else(String::new, |folder| {
            format!(", or put {CERTIFICATE} and {KEY} into {}", folder.display())
        });
        ChannelError::at(ChannelStep::ClientIdentity, "there is no certificate to present")
            .with_hint(format!("name one with --certificate and --key{into}"))
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
        trust.pin(net_snmp::peer_fingerprint(request, name)?);
    }
    for name in request.all(SessionOption::TrustedCertificate) {
        trust.add_authorities(&net_snmp::authority(request, name)?).map_err(unusable)?;
    }
    if !trust.is_empty() {
        return Ok(trust);
    }
    let folder = request.get(SessionOption::Folder).map(Path::new);
    if let Some(usual) = folder.map(|folder| folder.join(AUTHORITY)).filter(|usual| usual.is_file()) {
        trust.add_authorities(&usual).map_err(unusable)?;
        return Ok(trust);
    }
    let into = folder.map_or_else(String::new, |folder| {
        format!(", or put the authority's certificate into {}", folder.join(AUTHORITY).display())
    });
    Err(ChannelError::at(
        ChannelStep::ServerIdentity,
        "no authority is trusted and no server's certificate is pinned",
    )
    .with_hint(format!("name the authority with --ca, or the server's fingerprint with --pin{into}")))
}

fn fingerprint(written: &str) -> Result<Fingerprint, ChannelError> {
    written.parse().map_err(|_| {
        ChannelError::at(ChannelStep::ServerIdentity, format!("{written:?} is no fingerprint"))
            .with_hint("write it as sha256:AB:CD:..., which `openssl x509 -fingerprint -sha256` shows")
    })
}

fn file_error(step: ChannelStep, error: &FileError) -> ChannelError {
    ChannelError::at(step, format!("{}: {}", error.path.display(), error.cause)).with_hint(error.hint)
}

const CERTIFICATE: &str = "cert.pem";
const KEY: &str = "key.pem";
const AUTHORITY: &str = "ca.pem";
