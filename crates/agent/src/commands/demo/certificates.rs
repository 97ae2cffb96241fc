//! The demo's certificates: an authority, and those of the agent and of a user.

use std::{
    fs,
    net::Ipv4Addr,
    path::Path,
    time::{Duration, SystemTime},
};

use portreeve_channel::{AlternativeName, Fingerprint, HashAlgorithm};
use portreeve_pki::{Holder, HolderRole, Validity, X509Authority};
use portreeve_x509::fingerprint;

use crate::{error::CommandError, files::write_private};

/// Creates all certificates in `directory`, replacing existing ones. Returns the authority's
/// fingerprint.
pub(super) fn make(directory: &Path) -> Result<Fingerprint, CommandError> {
    for name in [CA, AGENT, AGENT_KEY, USER, USER_KEY] {
        let file = directory.join(name);
        if file.exists() {
            fs::remove_file(&file)
                .map_err(|error| CommandError::new(format!("{}: {error}", file.display())))?;
        }
    }
    let valid = Validity::from_now(SystemTime::now(), CERTIFICATE_LIFETIME);
    let authority = X509Authority::new("Portreeve demo CA", valid).map_err(CommandError::new)?;
    write_private(&directory.join(CA), &authority.pem())?;
    let names =
        vec![AlternativeName::Dns("localhost".into()), AlternativeName::Ip(Ipv4Addr::LOCALHOST.into())];
    let agent = Holder::new(HolderRole::Host, "Portreeve demo agent").with_names(names);
    for (holder, certificate, key) in
        [(agent, AGENT, AGENT_KEY), (Holder::new(HolderRole::User, USER_NAME), USER, USER_KEY)]
    {
        let issued = authority.issue(&holder, valid).map_err(CommandError::new)?;
        write_private(&directory.join(certificate), &issued.certificate)?;
        write_private(&directory.join(key), &String::from_utf8_lossy(issued.key.expose()))?;
    }
    Ok(fingerprint(HashAlgorithm::Sha256, authority.der()))
}

/// The CommonName of the user's certificate.
pub(super) const USER_NAME: &str = "ops";
pub(super) const CA: &str = "ca.pem";
pub(super) const AGENT: &str = "agent.pem";
pub(super) const AGENT_KEY: &str = "agent.key";
pub(super) const USER: &str = "ops.pem";
pub(super) const USER_KEY: &str = "ops.key";
/// The validity of the demo's certificates. Each start of a demo creates new ones.
const CERTIFICATE_LIFETIME: Duration = Duration::from_secs(365 * 86_400);
