//! The changes that a reload has made, one line for each.

use std::{
    collections::BTreeMap,
    hash::{DefaultHasher, Hasher},
    io::{self, Read},
    path::{Path, PathBuf},
};

use portreeve_channel::Fingerprint;
use portreeve_config::{Config, FileReference, NotifyTarget, Pam, Tls, TlsVersions};
use portreeve_lcd::Tables;
use portreeve_secret::wipe;
use portreeve_sys::open_file;

/// The settings that take effect at a reload and are not rows of a table, and hashes of the files
/// with keys and certificates.
#[derive(Default, PartialEq)]
pub(crate) struct ReloadableSettings {
    log_sets: bool,
    recovery_users: Vec<String>,
    ssh: Option<SshSettings>,
    tls: Option<(TlsVersions, Vec<Fingerprint>)>,
    notify_targets: Vec<NotifyTarget>,
    credential_files: BTreeMap<PathBuf, Option<u64>>,
}

/// The SSH settings without the lines of the file, which may move.
#[derive(PartialEq)]
struct SshSettings {
    patterns: Vec<PathBuf>,
    pam: Option<Pam>,
}

impl ReloadableSettings {
    /// Takes the settings from `config`, which was read from `file`.
    pub(crate) fn new(config: &Config, file: &Path) -> Self {
        let directory = file.parent().unwrap_or(Path::new(""));
        let files = credential_files(config).map(|named| directory.join(&named.path));
        let ssh = config.ssh.as_ref().map(|ssh| {
            let patterns = ssh.authorized_keys.iter().chain(&ssh.principals);
            SshSettings {
                patterns: patterns.map(|named| named.path.clone()).collect(),
                pam: ssh.pam.clone().map(|pam| Pam { line: 0, ..pam }),
            }
        });
        Self {
            log_sets: config.log.sets,
            recovery_users: config.netconf.iter().flat_map(|netconf| netconf.recovery.clone()).collect(),
            ssh,
            tls: config.tls.as_ref().map(|tls| (tls.versions, tls.pinned.clone())),
            notify_targets: config.notify_targets.iter().map(NotifyTarget::without_lines).collect(),
            credential_files: files.map(|path| (path.clone(), hash_of(&path))).collect(),
        }
    }

    /// Returns one line for each change from `before`.
    pub(crate) fn changes_since(&self, before: &Self) -> Vec<String> {
        let sections = [
            ("[log] sets", self.log_sets == before.log_sets),
            ("[netconf] recovery", self.recovery_users == before.recovery_users),
            ("[ssh]", self.ssh == before.ssh),
            ("[tls]", self.tls == before.tls),
            ("[[notify]]", self.notify_targets == before.notify_targets),
        ];
        let sections = sections.into_iter().filter(|(_, is_same)| !is_same);
        let mut changes: Vec<_> = sections.map(|(name, _)| format!("{name}: changed")).collect();
        for (path, hash) in &self.credential_files {
            match before.credential_files.get(path) {
                Some(known) if known == hash => {}
                Some(_) => changes.push(format!("{}: changed", path.display())),
                None => changes.push(format!("{}: added", path.display())),
            }
        }
        let removed =
            before.credential_files.keys().filter(|path| !self.credential_files.contains_key(*path));
        changes.extend(removed.map(|path| format!("{}: removed", path.display())));
        changes
    }
}

/// Returns one line for each table and each scalar that has changed.
pub(crate) fn row_changes(before: &Tables, after: &Tables) -> Vec<String> {
    let tables = after.table_differences(before).into_iter().map(|difference| difference.to_string());
    let scalars = after.scalar_differences(before).into_iter().map(|name| format!("{name}: changed"));
    let mut changes: Vec<_> = scalars.chain(tables).collect();
    let settings = [
        ("[weak] allow", before.allowed_weaknesses == after.allowed_weaknesses),
        ("[sessions] communities", before.communities_in_sessions == after.communities_in_sessions),
    ];
    let settings = settings.into_iter().filter(|(_, is_same)| !is_same);
    changes.extend(settings.map(|(name, _)| format!("{name}: changed")));
    changes
}

/// Returns the files with keys, certificates and revocations that are read at a reload.
fn credential_files(config: &Config) -> impl Iterator<Item = &FileReference> {
    let ssh =
        config.ssh.iter().flat_map(|ssh| ssh.host_keys.iter().chain(&ssh.authorities).chain(&ssh.revoked));
    let tls = config.tls.iter().flat_map(|tls| {
        let Tls { certificate, key, authorities, revocations, .. } = tls;
        [certificate, key].into_iter().chain(authorities).chain(revocations)
    });
    ssh.chain(tls)
}

/// Returns a hash of the content of a file, or `None` if it cannot be read. The hash only serves to
/// report a change.
pub(crate) fn hash_of(path: &Path) -> Option<u64> {
    let file = open_file(path).ok()?;
    let mut buffer = [0; 4096];
    let hash = hash_content(file.take(MAX_FILE_LEN), &mut buffer);
    // The file may contain a private key.
    wipe(&mut buffer);
    hash.ok()
}

fn hash_content(mut file: impl Read, buffer: &mut [u8]) -> io::Result<u64> {
    let mut hasher = DefaultHasher::new();
    loop {
        match file.read(buffer)? {
            0 => return Ok(hasher.finish()),
            count => hasher.write(&buffer[..count]),
        }
    }
}

/// The maximum number of octets of a file that are compared.
const MAX_FILE_LEN: u64 = 64 << 20;

#[cfg(test)]
mod tests;
