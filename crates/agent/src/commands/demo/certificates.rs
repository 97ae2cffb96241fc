//! Certificates for a demo: an authority, the agent's and a user's.

use std::{
    fs,
    net::Ipv4Addr,
    path::Path,
    time::{Duration, SystemTime},
};

use portreeve_channel::{AlternativeName, Fingerprint, HashAlgorithm};
use portreeve_pki::{Authority, Holder, Role, Validity};
use portreeve_x509::fingerprint;

use crate::{failure::Failure, files::write_private};

/// Makes all of them in `directory`, in place of those that are there. Returns the authority's fingerprint.
pub(super) fn make(directory: &Path) -> Result<Fingerprint, Failure> {
    for name in [CA, AGENT, AGENT_KEY, USER, USER_KEY] {
        let file = directory.join(name);
        if file.exists() {
            fs::remove_file(&file).map_err(|error| Failure::new(format!("{}: {error}", file.display())))?;
        }
    }
    let valid = Validity::from_now(SystemTime::now(), A_YEAR);
    let authority = Authority::new("Portreeve demo CA", valid).map_err(Failure::new)?;
    write_private(&directory.join(CA), &authority.pem())?;
    let names =
        vec![AlternativeName::Dns("localhost".into()), AlternativeName::Ip(Ipv4Addr::LOCALHOST.into())];
    let agent = Holder::new(Role::Host, "Portreeve demo agent").with_names(names);
    for (holder, certificate, key) in
        [(agent, AGENT, AGENT_KEY), (Holder::new(Role::User, USER_NAME), USER, USER_KEY)]
    {
        let issued = authority.issue(&holder, valid).map_err(Failure::new)?;
        write_private(&directory.join(certificate), &issued.certificate)?;
        write_private(&directory.join(key), &String::from_utf8_lossy(issued.key.expose()))?;
    }
    Ok(fingerprint(HashAlgorithm::Sha256, authority.der()))
}

/// Who the user's certificate is for.
pub(super) const USER_NAME: &str = "ops";
pub(super) const CA: &str = "ca.pem";
pub(super) const AGENT: &str = "agent.pem";
pub(super) const AGENT_KEY: &str = "agent.key";
pub(super) const USER: &str = "ops.pem";
pub(super) const USER_KEY: &str = "ops.key";
/// A demo is started again when it is over.
const A_YEAR: Duration = Duration::from_secs(365 * 86_400);
