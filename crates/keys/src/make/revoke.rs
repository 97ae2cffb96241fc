//! `portreeve keys revoke`: adds credentials to the authorities' revocation lists, and copies the
//! lists to the hosts' directories.

use std::{
    fmt::Write as _,
    path::{Path, PathBuf},
    time::SystemTime,
};

use portreeve_pki::{HolderRole, RevokedCertificate, parse_revocation_list};

use super::signers;
use crate::{
    CommandError, Report,
    arguments::Args,
    files,
    folder::{CA_LIST, CERTIFICATE, KeyFolder, SSH_REVOKED},
    lines,
    revocations::{Revocations, RevokedSsh, SshRevocationList},
    show::{ItemKind, KeyItem, escape_for_terminal},
};

/// Revokes the credentials of hosts and users, or single files.
pub(crate) fn revoke(args: &Args) -> Result<Report, CommandError> {
    let now = SystemTime::now();
    let folder = KeyFolder::find(args.folder.as_deref())?;
    let _locked = folder.lock()?;
    let mut selection = Selection::default();
    let known = Revocations::load(&folder)?;
    for operand in args.paths() {
        for path in paths(&folder, operand)? {
            for item in crate::show::items(&path)? {
                selection.add(&folder, &item, &known)?;
            }
        }
    }
    let mut changed = Vec::new();
    if !selection.serials.is_empty() {
        let path = folder.file(CA_LIST);
        let authority = signers::x509(&folder, &args.pass_phrase.for_existing_key())?;
        let failed = |problem| CommandError::problem(&path, &problem);
        let (mut revoked, number) = parse_revocation_list(&files::read_text(&path)?).map_err(failed)?;
        revoked.extend(selection.serials.into_iter().map(|serial| RevokedCertificate { serial, since: now }));
        let list = authority.revocation_list(&revoked, number + 1, now).map_err(failed)?;
        files::replace(&path, list.as_bytes())?;
        changed.push(CA_LIST);
    }
    if !selection.ssh.is_empty() {
        let path = folder.file(SSH_REVOKED);
        let list = if folder.has(SSH_REVOKED) {
            SshRevocationList::load(&path)?
        } else {
            SshRevocationList::empty("", now)
        };
        files::replace(&path, list.with(&selection.ssh, now).octets())?;
        changed.push(SSH_REVOKED);
    }
    let mut notes = selection.notes;
    notes += &copy_lists_to_hosts(&folder, &changed)?;
    Ok(Report { data: selection.lines, notes, ..Report::default() })
}

/// The credentials to revoke.
#[derive(Default)]
struct Selection {
    /// Serial numbers of X.509 certificates.
    serials: Vec<Vec<u8>>,
    /// The SSH keys and certificates to revoke.
    ssh: Vec<RevokedSsh>,
    /// The SSH entries in the format of `ssh-keygen -k`.
    lines: String,
    notes: String,
}

impl Selection {
    fn add(&mut self, folder: &KeyFolder, item: &KeyItem, known: &Revocations) -> Result<(), CommandError> {
        let who = format!("{} of {}", item.kind.name(), item.display_names());
        if known.contains(item) {
            let _ = writeln!(self.notes, "{who} is already revoked");
            return Ok(());
        }
        match item.kind {
            ItemKind::X509Host | ItemKind::X509User | ItemKind::X509Leaf => {
                if item.is_self_signed() {
                    let _ = writeln!(
                        self.notes,
                        "{who} is self-signed: remove its fingerprint from portreeved.toml"
                    );
                    return Ok(());
                }
                if !known.is_signed_by_folder(folder, item)? {
                    return Err(CommandError::at(
                        &item.file,
                        "not signed by the authority of this directory",
                    )
                    .with_hint(
                        "only the authority that signed the certificate can revoke it; specify another directory with --dir",
                    ));
                }
                self.serials.push(item.serial.clone());
            }
            ItemKind::SshHostCertificate | ItemKind::SshUserCertificate | ItemKind::SshKey => {
                let revoked_ssh = RevokedSsh::of(item);
                let _ = match &revoked_ssh {
                    RevokedSsh::Key(_) => writeln!(self.lines, "{}", item.line),
                    RevokedSsh::Serial(_, serial) => writeln!(self.lines, "serial: {serial}"),
                    RevokedSsh::Id(_, id) => writeln!(self.lines, "id: {}", escape_for_terminal(id)),
                };
                self.ssh.push(revoked_ssh);
            }
            _ => {
                return Err(CommandError::at(
                    &item.file,
                    format_args!("{} cannot be revoked", item.kind.name()),
                )
                .with_hint("specify a host, a user, a certificate, or a public SSH key"));
            }
        }
        let _ = writeln!(self.notes, "revoked: {who}");
        Ok(())
    }
}

/// Returns the files to revoke: those of a host or user, or the given file.
fn paths(folder: &KeyFolder, operand: &Path) -> Result<Vec<PathBuf>, CommandError> {
    if operand.is_file() {
        return Ok(vec![operand.to_owned()]);
    }
    let holder_folder = folder.find_holder(&operand.to_string_lossy())?;
    // Revoking the key, not only its certificate, also revokes all other certificates for the key.
    let files = [CERTIFICATE.to_owned(), format!("{}.pub", holder_folder.ssh_key())];
    Ok(files.iter().map(|name| holder_folder.file(name)).filter(|path| path.exists()).collect())
}

/// Copies the lists to the hosts' directories, and returns the next steps.
fn copy_lists_to_hosts(folder: &KeyFolder, changed: &[&str]) -> Result<String, CommandError> {
    let mut notes = String::new();
    for host in folder.holder_folders(HolderRole::Host) {
        let lists: Vec<_> =
            changed.iter().filter(|name| host.has(name)).map(|name| host.file(name)).collect();
        for (list, name) in lists.iter().zip(changed.iter().filter(|name| host.has(name))) {
            files::replace(list, files::read(&folder.file(name))?.expose())?;
        }
        if !lists.is_empty() {
            let _ = writeln!(notes, "next: {}", lines::copy_command(&lists, &host.name));
            let _ = writeln!(notes, "next: run `portreeved reload` on {}", host.name);
        }
    }
    if notes.is_empty() {
        for name in changed {
            let list = folder.file(name);
            let _ = writeln!(
                notes,
                "next: copy {} to the agents, and run `portreeved reload` there",
                list.display()
            );
        }
    }
    Ok(notes)
}
