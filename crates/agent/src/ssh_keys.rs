//! The files that SSH is spoken with: read at the start, and again at every reload. Users' own files of keys are read at
//! each login.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use portreeve_channel::PasswordJudge;
use portreeve_channel_ssh::{
    keys::RevokedKeys,
    server::{Authentication, Authorities, BadPattern, HostKeys, KeyFiles, Settings},
};
use portreeve_config::{FileAt, Ssh};
use portreeve_pam::Service;

use crate::{credentials::Unusable, passwords};

/// Reads everything that `ssh` names, and says on stderr what about passwords is worth a warning; relative paths start
/// from the directory of `file`.
///
/// # Errors
/// Everything that is wrong with any of the files.
pub(crate) fn settings(ssh: &Ssh, file: &Path) -> Result<Settings, Unusable> {
    let mut unusable = Unusable::new(file);
    let beside = directory_of(file);
    let path = |named: &FileAt| beside.join(&named.path);
    // Each by itself, so that it is told which line is to blame.
    for named in &ssh.host_keys {
        unusable.note(named.line, HostKeys::load(&[path(named)]));
    }
    let line = ssh.host_keys.first().map_or(0, |named| named.line);
    let host_keys: Vec<_> = ssh.host_keys.iter().map(path).collect();
    let host_keys = if unusable.is_empty() { unusable.note(line, HostKeys::load(&host_keys)) } else { None };
    let mut authentication = Authentication::default();
    if let Some(named) = &ssh.authorities {
        authentication.authorities =
            unusable.note(named.line, Authorities::load(&path(named))).unwrap_or_default();
    }
    if let Some(named) = &ssh.revoked {
        authentication.revoked =
            unusable.note(named.line, RevokedKeys::load(&path(named))).unwrap_or_default();
    }
    let pattern = |named: &FileAt| absolute(named, &beside);
    if let Some(named) = &ssh.principals {
        authentication.principals = unusable.note(named.line, KeyFiles::new([pattern(named)]));
    }
    let patterns = ssh.authorized_keys.iter().map(pattern);
    let line = ssh.authorized_keys.first().map_or(0, |named| named.line);
    authentication.key_files = unusable.note(line, KeyFiles::new(patterns)).unwrap_or_default();
    if let Some(pam) = &ssh.pam
        && let Some(service) = unusable.note(pam.line, Service::new(&pam.service))
    {
        passwords::report(&service, pam.line, file);
        let judge: Arc<dyn PasswordJudge> = Arc::new(service);
        authentication.password = pam.password.then(|| Arc::clone(&judge));
        authentication.keyboard_interactive = pam.keyboard_interactive.then_some(judge);
    }
    match host_keys {
        Some(host_keys) if unusable.is_empty() => Ok(Settings::new(host_keys, authentication)),
        _ => Err(unusable),
    }
}

/// Where users' keys are looked for.
///
/// # Errors
/// The first pattern that cannot be understood.
pub(crate) fn key_files(ssh: &Ssh, file: &Path) -> Result<KeyFiles, BadPattern> {
    let beside = directory_of(file);
    KeyFiles::new(ssh.authorized_keys.iter().map(|named| absolute(named, &beside)))
}

/// A pattern from the root, or from a home.
fn absolute(named: &FileAt, beside: &Path) -> String {
    let pattern = named.path.to_string_lossy().into_owned();
    if pattern.starts_with("%h") { pattern } else { beside.join(pattern).to_string_lossy().into_owned() }
}

/// As an absolute path, also for a file that is named without its directory.
fn directory_of(file: &Path) -> PathBuf {
    let file = std::path::absolute(file).unwrap_or_default();
    file.parent().map(Path::to_owned).unwrap_or_default()
}

#[cfg(test)]
mod tests;
