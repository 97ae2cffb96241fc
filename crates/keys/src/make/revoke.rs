//! `portreeve keys revoke`: what counts no more goes onto the authorities' lists, and these into the hosts' folders.

use std::{
    fmt::Write as _,
    path::{Path, PathBuf},
    time::SystemTime,
};

use portreeve_pki::{Revoked, Role, revoked_in};

use super::signers;
use crate::{
    Failure, Report,
    arguments::Given,
    files,
    folder::{CA_LIST, CERTIFICATE, Folder, SSH_REVOKED},
    lines,
    revocations::{Revocations, SshList, Void},
    show::{Item, Kind, clean},
};

/// Revokes what hosts, users and files have.
pub(crate) fn revoke(given: &Given) -> Result<Report, Failure> {
    let now = SystemTime::now();
    let folder = Folder::find(given.folder.as_deref())?;
    let _locked = folder.lock()?;
    let mut found = Found::default();
    let known = Revocations::load(&folder)?;
    for operand in given.paths() {
        for path in paths(&folder, operand)? {
            for item in crate::show::items(&path)? {
                found.take(&folder, &item, &known)?;
            }
        }
    }
    let mut changed = Vec::new();
    if !found.serials.is_empty() {
        let path = folder.file(CA_LIST);
        let authority = signers::x509(&folder, &given.pass_phrase.of_existing())?;
        let failed = |problem| Failure::problem(&path, &problem);
        let (mut revoked, number) = revoked_in(&files::read_text(&path)?).map_err(failed)?;
        revoked.extend(found.serials.into_iter().map(|serial| Revoked { serial, since: now }));
        let list = authority.revocation_list(&revoked, number + 1, now).map_err(failed)?;
        files::replace(&path, list.as_bytes())?;
        changed.push(CA_LIST);
    }
    if !found.void.is_empty() {
        let path = folder.file(SSH_REVOKED);
        let list = if folder.has(SSH_REVOKED) { SshList::load(&path)? } else { SshList::empty("", now) };
        files::replace(&path, list.with(&found.void, now).octets())?;
        changed.push(SSH_REVOKED);
    }
    let mut notes = found.told;
    notes += &hand_out(&folder, &changed)?;
    Ok(Report { data: found.lines, notes, ..Report::default() })
}

/// What is to be put onto lists.
#[derive(Default)]
struct Found {
    /// Of certificates of X.509.
    serials: Vec<Vec<u8>>,
    /// For the list of SSH.
    void: Vec<Void>,
    /// The same as `ssh-keygen -k` takes it.
    lines: String,
    told: String,
}

impl Found {
    fn take(&mut self, folder: &Folder, item: &Item, known: &Revocations) -> Result<(), Failure> {
        let who = format!("{} of {}", item.kind.name(), item.shown_names());
        if known.have(item) {
            let _ = writeln!(self.told, "{who} was revoked before");
            return Ok(());
        }
        match item.kind {
            Kind::X509Host | Kind::X509User | Kind::X509Leaf => {
                if item.is_self_signed() {
                    let _ = writeln!(
                        self.told,
                        "{who} is its own authority: take its fingerprint out of portreeved.toml"
                    );
                    return Ok(());
                }
                if !known.is_ours(folder, item)? {
                    return Err(Failure::at(&item.file, "not signed by the authority of this folder")
                        .cured_by("only its own authority can revoke it; --dir names another folder"));
                }
                self.serials.push(item.serial.clone());
            }
            Kind::SshHostCertificate | Kind::SshUserCertificate | Kind::SshKey => {
                let void = Void::of(item);
                let _ = match &void {
                    Void::Key(_) => writeln!(self.lines, "{}", item.line),
                    Void::Serial(_, serial) => writeln!(self.lines, "serial: {serial}"),
                    Void::Id(_, id) => writeln!(self.lines, "id: {}", clean(id)),
                };
                self.void.push(void);
            }
            _ => {
                return Err(Failure::at(&item.file, format_args!("{} cannot be revoked", item.kind.name()))
                    .cured_by("name a host, a user, a certificate, or a public SSH key"));
            }
        }
        let _ = writeln!(self.told, "revoked: {who}");
        Ok(())
    }
}

/// The files that are meant: those of a host or user, or the one that is named.
fn paths(folder: &Folder, operand: &Path) -> Result<Vec<PathBuf>, Failure> {
    if operand.is_file() {
        return Ok(vec![operand.to_owned()]);
    }
    let holding = folder.find_holding(&operand.to_string_lossy())?;
    // The key, not only its certificate: whatever was signed for it counts no more either.
    let files = [CERTIFICATE.to_owned(), format!("{}.pub", holding.ssh_key())];
    Ok(files.iter().map(|name| holding.file(name)).filter(|path| path.exists()).collect())
}

/// Puts the lists into the hosts' folders, and says how they reach the hosts.
fn hand_out(folder: &Folder, changed: &[&str]) -> Result<String, Failure> {
    let mut told = String::new();
    for host in folder.holdings(Role::Host) {
        let lists: Vec<_> =
            changed.iter().filter(|name| host.has(name)).map(|name| host.file(name)).collect();
        for (list, name) in lists.iter().zip(changed.iter().filter(|name| host.has(name))) {
            files::replace(list, files::read(&folder.file(name))?.expose())?;
        }
        if !lists.is_empty() {
            let _ = writeln!(told, "next: {}", lines::copy_command(&lists, &host.name));
            let _ = writeln!(told, "next: portreeved reload, on {}", host.name);
        }
    }
    if told.is_empty() {
        for name in changed {
            let list = folder.file(name);
            let _ =
                writeln!(told, "next: copy {} to the agents, and `portreeved reload` there", list.display());
        }
    }
    Ok(told)
}
