//! Loads a configuration and all files that it refers to.

use std::{
    io::{self, Write},
    path::{Path, PathBuf},
};

use portreeve_channel_ssh::server::ServerSettings;
use portreeve_config::{Config, Problem};
use portreeve_server_credentials::{TlsMaterial, ssh as ssh_keys};
use portreeve_smi::TransportDomain;

use crate::{
    error::CommandError,
    reload_changes::{ReloadableSettings, hash_of},
    target_files,
};

/// A configuration and the contents of the files that it refers to.
pub(crate) struct PreparedConfig {
    pub(crate) config: Config,
    pub(crate) ssh: Option<ServerSettings>,
    pub(crate) tls: Option<TlsMaterial>,
    pub(crate) settings: ReloadableSettings,
    /// A digest of the file. It differs if the file was changed.
    pub(crate) digest: Vec<u8>,
    /// The directory of the file, to which paths in it are relative; absolute.
    pub(crate) directory: PathBuf,
    /// Information about the meaning of the file.
    pub(crate) notes: Vec<Problem>,
}

/// A configuration that can be served.
pub(crate) struct CheckedConfig {
    pub(crate) config: Config,
    /// Information about the meaning of the file.
    pub(crate) notes: Vec<Problem>,
}

/// Checks a file and the files that it refers to. Performs the steps of a start up to the creation
/// of the TLS and DTLS servers, which verify that the key and the certificate match.
pub(crate) fn check(path: &Path) -> Result<CheckedConfig, CommandError> {
    let PreparedConfig { config, tls, notes, .. } = prepare(path)?;
    tls.map(TlsMaterial::into_servers).transpose().map_err(CommandError::new)?;
    Ok(CheckedConfig { config, notes })
}

/// Reads a file and the files that it refers to, and prints warnings to stderr. The state directory
/// is resolved relative to the file.
pub(crate) fn prepare(path: &Path) -> Result<PreparedConfig, CommandError> {
    let mut loaded = portreeve_config::load(path).map_err(CommandError::new)?;
    print_problems(&loaded.warnings);
    print_problems(&target_files::problems(&loaded.config.notify_targets, path));
    let directory = path.parent().unwrap_or(Path::new(""));
    loaded.config.agent.state_dir = directory.join(&loaded.config.agent.state_dir);
    for relay in &mut loaded.config.relays {
        relay.path = std::path::absolute(directory.join(&relay.path)).map_err(CommandError::new)?;
    }
    for module in &mut loaded.config.yang.modules {
        module.path = std::path::absolute(directory.join(&module.path)).map_err(CommandError::new)?;
    }
    let ssh = loaded.config.ssh.as_ref().map(|ssh| ssh_keys::settings(ssh, path));
    let has_dtls = loaded.config.listeners.iter().any(|listener| listener.transport == TransportDomain::Dtls);
    let tls = loaded.config.tls.as_ref().map(|tls| TlsMaterial::load(tls, has_dtls, path));
    let (ssh, tls) = match (ssh.transpose(), tls.transpose()) {
        (Ok(ssh), Ok(tls)) => (ssh, tls),
        (Err(ssh), Err(tls)) => return Err(CommandError::new(ssh.merge(tls))),
        (Err(unusable), Ok(_)) | (Ok(_), Err(unusable)) => return Err(CommandError::new(unusable)),
    };
    let settings = ReloadableSettings::new(&loaded.config, path);
    let digest = hash_of(path).unwrap_or_default().to_be_bytes().to_vec();
    let absolute = std::path::absolute(path).map_err(CommandError::new)?;
    let directory = absolute.parent().unwrap_or(Path::new("/")).to_owned();
    Ok(PreparedConfig { config: loaded.config, ssh, tls, settings, digest, directory, notes: loaded.notes })
}

pub(crate) fn print_problems(problems: &[Problem]) {
    for problem in problems {
        // stderr may be closed, which is not an error.
        let _ = writeln!(io::stderr(), "{problem}");
    }
}
