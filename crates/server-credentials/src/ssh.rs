//! SSH server settings: read from files at start and at every reload. The users' own key files are
//! read at each login.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use portreeve_channel::{AccountVerifier, PasswordVerifier};
use portreeve_channel_ssh::{
    keys::RevokedKeys,
    server::{Authentication, Authorities, HostKeys, KeyFilePatternError, KeyFiles, ServerSettings},
};
use portreeve_config::{FileReference, Pam, Ssh};
use portreeve_pam::PamService;

use crate::{CredentialFilesError, passwords};

/// Reads all files that `ssh` refers to, and prints warnings about PAM to stderr; relative paths
/// start from the directory of `file`.
///
/// # Errors
/// The problems of all files.
pub fn settings(ssh: &Ssh, file: &Path) -> Result<ServerSettings, CredentialFilesError> {
    let mut unusable = CredentialFilesError::new(file);
    let directory = directory_of(file);
    let path = |named: &FileReference| directory.join(&named.path);
    // The keys are loaded one by one, so that each problem is reported with its line.
    for named in &ssh.host_keys {
        unusable.record(named.line, HostKeys::load(&[path(named)]));
    }
    let line = ssh.host_keys.first().map_or(0, |named| named.line);
    let host_keys: Vec<_> = ssh.host_keys.iter().map(path).collect();
    let host_keys =
        if unusable.is_empty() { unusable.record(line, HostKeys::load(&host_keys)) } else { None };
    let mut authentication = Authentication::default();
    if let Some(named) = &ssh.authorities {
        authentication.authorities =
            unusable.record(named.line, Authorities::load(&path(named))).unwrap_or_default();
    }
    if let Some(named) = &ssh.revoked {
        authentication.revoked =
            unusable.record(named.line, RevokedKeys::load(&path(named))).unwrap_or_default();
    }
    let pattern = |named: &FileReference| absolute(named, &directory);
    if let Some(named) = &ssh.principals {
        authentication.principals = unusable.record(named.line, KeyFiles::new([pattern(named)]));
    }
    let patterns = ssh.authorized_keys.iter().map(pattern);
    let line = ssh.authorized_keys.first().map_or(0, |named| named.line);
    authentication.key_files = unusable.record(line, KeyFiles::new(patterns)).unwrap_or_default();
    if let Some(pam) = &ssh.pam
        && let Some(service) = unusable.record(pam.line, PamService::new(&pam.service))
    {
        passwords::report(&service, pam.line, file);
        set_verifiers(&mut authentication, service, pam);
    }
    match host_keys {
        Some(host_keys) if unusable.is_empty() => Ok(ServerSettings::new(host_keys, authentication)),
        _ => Err(unusable),
    }
}

/// Sets the verifiers of passwords and accounts that the configuration enables.
fn set_verifiers(authentication: &mut Authentication, service: PamService, pam: &Pam) {
    let service = Arc::new(service.allow_root(pam.root_password));
    let passwords: Arc<dyn PasswordVerifier> = Arc::clone(&service) as _;
    let accounts: Arc<dyn AccountVerifier> = service;
    authentication.password = pam.password.then(|| Arc::clone(&passwords));
    authentication.keyboard_interactive = pam.keyboard_interactive.then_some(passwords);
    authentication.account = pam.check_account.then_some(accounts);
}

/// Returns the authorized_keys files of the configuration.
///
/// # Errors
/// The first invalid pattern.
pub fn key_files(ssh: &Ssh, file: &Path) -> Result<KeyFiles, KeyFilePatternError> {
    let directory = directory_of(file);
    KeyFiles::new(ssh.authorized_keys.iter().map(|named| absolute(named, &directory)))
}

/// Makes a pattern absolute, unless it starts from the user's home.
fn absolute(named: &FileReference, directory: &Path) -> String {
    let pattern = named.path.to_string_lossy().into_owned();
    if pattern.starts_with("%h") { pattern } else { directory.join(pattern).to_string_lossy().into_owned() }
}

/// Returns the absolute path of the file's directory, even if `file` is a bare file name.
fn directory_of(file: &Path) -> PathBuf {
    let file = std::path::absolute(file).unwrap_or_default();
    file.parent().map(Path::to_owned).unwrap_or_default()
}

#[cfg(test)]
mod tests;
