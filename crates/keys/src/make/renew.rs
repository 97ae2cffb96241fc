//! `portreeve keys renew`: in the place of a certificate its successor, for the same key and the same names.

use std::{
    fmt::Write as _,
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

use portreeve_pki::{HolderRole, Validity, renew_self_signed, ssh_key::Certificate};

use super::{DAY, signers};
use crate::{
    CommandError, Report,
    arguments::Args,
    files,
    folder::{CERTIFICATE, HolderFolder, KEY, KeyFolder},
    lines,
    pass_phrase::LazyPassPhrase,
    revocations::Revocations,
    show::{self, ItemKind, KeyItem, day, days_left},
};

/// Renews what was named, or whatever of the folder's hosts and users ends soon.
pub(crate) fn renew(args: &Args) -> Result<Report, CommandError> {
    let now = SystemTime::now();
    let folder = KeyFolder::find(args.folder.as_deref())?;
    let _locked = folder.lock()?;
    let found = select(&folder, args)?;
    let within = args.within.or(args.operands.is_empty().then_some(DEFAULT_WITHIN_DAYS));
    let is_due = |item: &KeyItem| match (within, item.until) {
        (Some(within), Some(until)) => days_left(until, now) < i64::from(within),
        (Some(_), None) => false,
        (None, _) => true,
    };
    let renewal = Renewal {
        folder: &folder,
        revocations: Revocations::load(&folder)?,
        days: args.days,
        pass_phrase: args.pass_phrase.for_existing_key(),
        now,
    };
    let mut report = Report::default();
    let mut rows = Vec::new();
    for (item, holder_folder) in found.iter().filter(|(item, _)| is_due(item)) {
        // What cannot be renewed does not keep others from it.
        match renewal.renew(item) {
            Ok(new) => {
                report.notes += &renewal.remark(item, &new);
                if item.is_self_signed() {
                    report.data += &renewal.updated_lines(holder_folder.as_ref())?;
                }
                rows.push((item, holder_folder, new));
            }
            Err(failure) => report.failures.push(failure),
        }
    }
    if rows.is_empty() && report.failures.is_empty() {
        let days = within.unwrap_or_default();
        report.notes = format!("nothing ends within {days} days: nothing was renewed\n");
    }
    report.notes = format_result(&folder, &rows) + &report.notes;
    Ok(report)
}

/// The certificates that are meant, and whose they are.
fn select(folder: &KeyFolder, args: &Args) -> Result<Vec<(KeyItem, Option<HolderFolder>)>, CommandError> {
    let mut found = Vec::new();
    if args.operands.is_empty() {
        for holder_folder in
            [HolderRole::Host, HolderRole::User].into_iter().flat_map(|role| folder.holder_folders(role))
        {
            found.extend(certificates_of(&holder_folder)?);
        }
        return Ok(found);
    }
    for operand in args.paths() {
        if operand.is_file() {
            found.push((only_certificate(operand)?, None));
            continue;
        }
        let holder_folder = folder.find_holder(&operand.to_string_lossy())?;
        let own = certificates_of(&holder_folder)?;
        if own.is_empty() {
            return Err(CommandError::at(&holder_folder.path, "no certificate in it").with_hint(
                "`portreeve keys host` and `user` make certificates; a key alone needs no renewal",
            ));
        }
        found.extend(own);
    }
    Ok(found)
}

fn certificates_of(
    holder_folder: &HolderFolder,
) -> Result<Vec<(KeyItem, Option<HolderFolder>)>, CommandError> {
    let files = [CERTIFICATE.to_owned(), format!("{}-cert.pub", holder_folder.ssh_key())];
    let paths = files.iter().map(|name| holder_folder.file(name)).filter(|path| path.exists());
    paths.map(|path| Ok((only_certificate(&path)?, Some(holder_folder.clone())))).collect()
}

/// The certificate that a file is.
fn only_certificate(path: &Path) -> Result<KeyItem, CommandError> {
    let found = show::items(path)?;
    match <[KeyItem; 1]>::try_from(found) {
        Ok([item]) if item.kind.is_certificate() && item.kind != ItemKind::X509Authority => Ok(item),
        Ok([item]) if item.kind == ItemKind::X509Authority => Err(CommandError::at(
            path,
            "an authority; its successor would be another",
        )
        .with_hint(
            "`portreeve keys ca --force` makes one; what it has signed, and the lines of all agents, follow",
        )),
        _ => Err(CommandError::at(path, "not one certificate alone")
            .with_hint("name a host, a user, or the file of a certificate")),
    }
}

struct Renewal<'f> {
    folder: &'f KeyFolder,
    revocations: Revocations,
    days: Option<u32>,
    pass_phrase: LazyPassPhrase<'f>,
    now: SystemTime,
}

impl Renewal<'_> {
    /// Puts the successor in the certificate's place. Whoever reads the file has the one or the other.
    fn renew(&self, item: &KeyItem) -> Result<KeyItem, CommandError> {
        if self.revocations.contains(item) {
            return Err(CommandError::at(&item.file, "revoked, which its successor would not be").with_hint(
                "`portreeve keys host` and `user` make another key and certificate with --force",
            ));
        }
        let failed = |problem| CommandError::problem(&item.file, &problem);
        let valid = self.validity(item)?;
        let text = files::read_text(&item.file)?;
        let renewed = if item.kind.is_ssh() {
            let old = Certificate::from_openssh(text.trim()).map_err(|error| failed(error.into()))?;
            let new = signers::ssh(self.folder, &self.pass_phrase)?.renew(&old, valid).map_err(failed)?;
            new.to_openssh().map_err(|error| failed(error.into()))? + "\n"
        } else if item.is_self_signed() {
            let key = files::read(&item.file.with_file_name(KEY))?;
            renew_self_signed(&text, &key, valid).map_err(failed)?
        } else {
            let authority = signers::x509(self.folder, &self.pass_phrase)?;
            authority.renew(&text, valid).map_err(failed)?
        };
        files::replace(&item.file, renewed.as_bytes())?;
        only_certificate(&item.file)
    }

    /// From now for as long as the old one held, unless it was said how long.
    fn validity(&self, item: &KeyItem) -> Result<Validity, CommandError> {
        let days = match (self.days, item.from, item.until) {
            (Some(days), ..) => u64::from(days),
            (None, Some(from), Some(until)) => {
                until.duration_since(from).map_or(1, |held| (held.as_secs() / DAY).max(1))
            }
            _ => {
                return Err(
                    CommandError::at(&item.file, "it has no end").with_hint("--days gives its successor one")
                );
            }
        };
        Ok(Validity::from_now(self.now, Duration::from_secs(days * DAY)))
    }

    /// What is to be known of a successor.
    fn remark(&self, old: &KeyItem, new: &KeyItem) -> String {
        let remark = match (old.until, new.until) {
            _ if new.is_self_signed() => "its fingerprint is another; whoever has pinned it pins the new one",
            (Some(before), Some(after)) if after <= before => "ends no later than before, with its authority",
            _ => return String::new(),
        };
        format!("note: {}: {remark}\n", new.file.display())
    }

    /// What those need who have pinned a certificate.
    fn updated_lines(&self, holder_folder: Option<&HolderFolder>) -> Result<String, CommandError> {
        holder_folder
            .map_or(Ok(String::new()), |holder_folder| lines::for_holder(self.folder, holder_folder, None))
    }
}

/// Old and new dates, and what is to be done now.
fn format_result(folder: &KeyFolder, rows: &[(&KeyItem, &Option<HolderFolder>, KeyItem)]) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let until = |item: &KeyItem| item.until.map(day).unwrap_or_default();
    let mut table = show::columns(&["FILE", "FOR", "WAS UNTIL", "IS UNTIL"]).break_before(&[1]);
    for (old, _, new) in rows {
        let file = old.file.strip_prefix(folder.path()).unwrap_or(&old.file);
        table.add_row(vec![
            show::escape_for_terminal(&file.display().to_string()),
            old.display_names(),
            until(old),
            until(new),
        ]);
    }
    let table = table.fitted(portreeve_table::line_width(std::io::stderr()));
    let mut text = format!("renewed in {}:\n{table}", folder.path().display());
    let mut hosts: Vec<(&HolderFolder, Vec<PathBuf>)> = Vec::new();
    for (_, holder_folder, new) in rows {
        let Some(host) =
            holder_folder.as_ref().filter(|holder_folder| holder_folder.role == HolderRole::Host)
        else {
            continue;
        };
        match hosts.iter_mut().find(|(known, _)| known.name == host.name) {
            Some((_, files)) => files.push(new.file.clone()),
            None => hosts.push((host, vec![new.file.clone()])),
        }
    }
    for (host, files) in hosts {
        let _ = writeln!(text, "next: {}", lines::copy_command(&files, &host.name));
        let _ = writeln!(text, "next: portreeved reload, on {}", host.name);
    }
    text
}

/// Days before its end from which a certificate is renewed unasked.
const DEFAULT_WITHIN_DAYS: u32 = 30;
