//! As whom a session is opened and whom it trusts, from what an order names.
//!
//! Both are looked for in this order, and taken from the first place that has something: files that were named; names
//! as Net-SNMP has them; the user's own folder; and what Net-SNMP's folders have by default.

mod net_snmp;

use std::path::{Path, PathBuf};

use portreeve_broker_protocol::{Key, Order};
use portreeve_channel::{ChannelError, Fingerprint, Step};
use portreeve_x509::{Credentials, FileProblem, Trust};

/// What to present, and whom to trust.
pub(crate) fn read(order: &Order) -> Result<(Credentials, Trust), ChannelError> {
    Ok((credentials(order)?, trust(order)?))
}

//= rfc6353#5.3.1-2
fn credentials(order: &Order) -> Result<Credentials, ChannelError> {
    let (certificate, key) = match order.get(Key::Certificate) {
        // One file may have both.
        Some(certificate) => (certificate.into(), order.get(Key::PrivateKey).unwrap_or(certificate).into()),
        None => match order.get(Key::OurIdentity) {
            Some(name) => net_snmp::our_identity(order, name)?,
            None => usual_pair(order)?,
        },
    };
    Credentials::load(&certificate, &key).map_err(|problem| unusable(Step::ClientIdentity, &problem))
}

/// A pair that nobody has named.
fn usual_pair(order: &Order) -> Result<(PathBuf, PathBuf), ChannelError> {
    let folder = order.get(Key::Folder).map(Path::new);
    let own = folder.map(|folder| (folder.join(CERTIFICATE), folder.join(KEY)));
    if let Some(own) = own.filter(|(certificate, _)| certificate.is_file()) {
        return Ok(own);
    }
    net_snmp::our_identity(order, net_snmp::OF_APPLICATIONS).map_err(|_| {
        let into = folder.map_or_else(String::new, |folder| {
            format!(", or put {CERTIFICATE} and {KEY} into {}", folder.display())
        });
        ChannelError::at(Step::ClientIdentity, "there is no certificate to present")
            .cured_by(format!("name one with --certificate and --key{into}"))
    })
}

fn trust(order: &Order) -> Result<Trust, ChannelError> {
    let mut trust = Trust::default();
    let unusable = |problem: FileProblem| unusable(Step::ServerIdentity, &problem);
    for authorities in order.all(Key::Authority) {
        trust.add_authorities(Path::new(authorities)).map_err(unusable)?;
    }
    for pin in order.all(Key::Pin) {
        trust.pin(fingerprint(pin)?);
    }
    for name in order.all(Key::TheirIdentity) {
        trust.pin(net_snmp::their_identity(order, name)?);
    }
    for name in order.all(Key::TrustedCertificate) {
        trust.add_authorities(&net_snmp::authority(order, name)?).map_err(unusable)?;
    }
    if !trust.is_empty() {
        return Ok(trust);
    }
    let folder = order.get(Key::Folder).map(Path::new);
    if let Some(usual) = folder.map(|folder| folder.join(AUTHORITY)).filter(|usual| usual.is_file()) {
        trust.add_authorities(&usual).map_err(unusable)?;
        return Ok(trust);
    }
    let into = folder.map_or_else(String::new, |folder| {
        format!(", or put the authority's certificate into {}", folder.join(AUTHORITY).display())
    });
    Err(ChannelError::at(
        Step::ServerIdentity,
        "no authority is trusted and no server's certificate is pinned",
    )
    .cured_by(format!("name the authority with --ca, or the server's fingerprint with --pin{into}")))
}

fn fingerprint(written: &str) -> Result<Fingerprint, ChannelError> {
    written.parse().map_err(|_| {
        ChannelError::at(Step::ServerIdentity, format!("{written:?} is no fingerprint"))
            .cured_by("write it as sha256:AB:CD:..., which `openssl x509 -fingerprint -sha256` shows")
    })
}

fn unusable(step: Step, problem: &FileProblem) -> ChannelError {
    ChannelError::at(step, format!("{}: {}", problem.path.display(), problem.found)).cured_by(problem.cure)
}

const CERTIFICATE: &str = "cert.pem";
const KEY: &str = "key.pem";
const AUTHORITY: &str = "ca.pem";
