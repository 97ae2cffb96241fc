//! Example commands for clients.

use portreeve_pki::HolderRole;

use super::quote;
use crate::{
    CommandError,
    folder::{CA, CERTIFICATE, HolderFolder, KEY, KeyFolder},
    show::{self, ItemKind},
};

/// Returns an example command for each transport. It uses files on this machine, and names the
/// first known host or an example host.
pub(super) fn commands(folder: &KeyFolder, user: &HolderFolder) -> Result<String, CommandError> {
    let hosts = folder.holder_folders(HolderRole::Host);
    let host = quote::host(hosts.first().map_or(ANY_HOST, |host| host.name.as_str()));
    let here = |name: &str| quote::shell(&user.file(name).display().to_string());
    let mut text = String::new();
    if user.has(CERTIFICATE) {
        let pinned = match hosts.first() {
            Some(host) => pin(host)?,
            None => None,
        };
        let trust = match pinned {
            Some(pinned) => pinned,
            None if user.has(CA) => format!("--ca {}", here(CA)),
            None if folder.has(CA) => {
                format!("--ca {}", quote::shell(&folder.file(CA).display().to_string()))
            }
            None => "--pin FINGERPRINT-OF-THE-AGENT".to_owned(),
        };
        for transport in ["tls", "dtls"] {
            text += &format!(
                "portreeve get --certificate {} --key {} {trust} {transport}:{host} sysUpTime.0\n",
                here(CERTIFICATE),
                here(KEY)
            );
        }
    }
    if user.has(user.ssh_key()) {
        text += &format!(
            "portreeve get --identity {} ssh://{}@{host} sysUpTime.0\n",
            here(user.ssh_key()),
            user.name
        );
    }
    Ok(text)
}

/// Returns the option that pins a host's self-signed certificate; `None` if an authority has signed
/// it.
pub(super) fn pin(host: &HolderFolder) -> Result<Option<String>, CommandError> {
    if !host.has(CERTIFICATE) || host.has(CA) {
        return Ok(None);
    }
    let own = show::find_only(&host.file(CERTIFICATE), &ItemKind::certificate_of(host.role))?;
    Ok(own.fingerprint.map(|fingerprint| format!("--pin {fingerprint}")))
}

const ANY_HOST: &str = "agent.example";
