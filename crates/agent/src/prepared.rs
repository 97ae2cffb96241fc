//! A configuration with everything that it names, read and ready to serve.

use std::{
    io::{self, Write},
    path::Path,
};

use portreeve_channel_ssh::server::Settings;
use portreeve_config::Config;
use portreeve_smi::TransportDomain;

use crate::{credentials::TlsMaterial, failure::Failure, ssh_keys};

/// A configuration, and what the files that it names hold.
pub(crate) struct Prepared {
    pub(crate) config: Config,
    pub(crate) ssh: Option<Settings>,
    pub(crate) tls: Option<TlsMaterial>,
}

/// Does with a file and those that it names everything that serving them does, but binding: what [`prepare`] does, and finding
/// out whether certificates and keys are of use to the protocols.
pub(crate) fn check(path: &Path) -> Result<Config, Failure> {
    let Prepared { config, tls, .. } = prepare(path)?;
    tls.map(TlsMaterial::serve).transpose().map_err(Failure::new)?;
    Ok(config)
}

/// Reads a file and those it names, and says on stderr what about it is worth a warning. Its state directory is
/// reckoned from the file.
pub(crate) fn prepare(path: &Path) -> Result<Prepared, Failure> {
    let mut loaded = portreeve_config::load(path).map_err(Failure::new)?;
    for warning in &loaded.warnings {
        // Nobody may be reading any more, which is no reason to stop.
        let _ = writeln!(io::stderr(), "{warning}");
    }
    let beside = path.parent().unwrap_or(Path::new(""));
    loaded.config.agent.state_dir = beside.join(&loaded.config.agent.state_dir);
    for relay in &mut loaded.config.relays {
        relay.path = std::path::absolute(beside.join(&relay.path)).map_err(Failure::new)?;
    }
    let ssh = loaded.config.ssh.as_ref().map(|ssh| ssh_keys::settings(ssh, path));
    let has_dtls = loaded.config.listeners.iter().any(|listener| listener.transport == TransportDomain::Dtls);
    let tls = loaded.config.tls.as_ref().map(|tls| TlsMaterial::load(tls, has_dtls, path));
    let (ssh, tls) = match (ssh.transpose(), tls.transpose()) {
        (Ok(ssh), Ok(tls)) => (ssh, tls),
        (Err(ssh), Err(tls)) => return Err(Failure::new(ssh.and(tls))),
        (Err(unusable), Ok(_)) | (Ok(_), Err(unusable)) => return Err(Failure::new(unusable)),
    };
    Ok(Prepared { config: loaded.config, ssh, tls })
}
