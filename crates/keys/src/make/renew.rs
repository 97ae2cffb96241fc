//! `portreeve keys renew`: replaces certificates with new ones that have the same keys and names.

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

/// Renews the given certificates, or by default all certificates of hosts and users that expire
/// soon.
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
        // A certificate that cannot be renewed does not prevent the renewal of others.
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
        report.notes = format!("no certificate expires within {days} days: nothing renewed\n");
    }
    report.notes = format_result(&folder, &rows) + &report.notes;
    Ok(report)
}

/// Returns the selected certificates with their owners.
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
            return Err(CommandError::at(&holder_folder.path, "no certificate in this directory").with_hint(
                "create a certificate with `portreeve keys host` or `user`; a key without a certificate does not need renewal",
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

/// Reads the single certificate of a file.
fn only_certificate(path: &Path) -> Result<KeyItem, CommandError> {
    let found = show::items(path)?;
    match <[KeyItem; 1]>::try_from(found) {
        Ok([item]) if item.kind.is_certificate() && item.kind != ItemKind::X509Authority => Ok(item),
        Ok([item]) if item.kind == ItemKind::X509Authority => Err(CommandError::at(
            path,
            "an authority cannot be renewed",
        )
        .with_hint(
            "replace the authority with `portreeve keys ca --force`; then create all certificates and configuration lines again",
        )),
        _ => Err(CommandError::at(path, "the file does not contain exactly one certificate")
            .with_hint("specify a host, a user, or the file of a certificate")),
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
    /// Replaces the certificate atomically: readers see either the old or the new file.
    fn renew(&self, item: &KeyItem) -> Result<KeyItem, CommandError> {
        if self.revocations.contains(item) {
            return Err(CommandError::at(&item.file, "the certificate is revoked, so it is not renewed")
                .with_hint(
                    "create another key and certificate with `portreeve keys host --force` or `user --force`",
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

    /// Returns a validity period that begins now. It has the given number of days, or by default
    /// the duration of the old period.
    fn validity(&self, item: &KeyItem) -> Result<Validity, CommandError> {
        let days = match (self.days, item.from, item.until) {
            (Some(days), ..) => u64::from(days),
            (None, Some(from), Some(until)) => {
                until.duration_since(from).map_or(1, |held| (held.as_secs() / DAY).max(1))
            }
            _ => {
                return Err(CommandError::at(&item.file, "the certificate does not expire")
                    .with_hint("set an expiry date with --days"));
            }
        };
        Ok(Validity::from_now(self.now, Duration::from_secs(days * DAY)))
    }

    /// Returns a note about the new certificate, or an empty string.
    fn remark(&self, old: &KeyItem, new: &KeyItem) -> String {
        let remark = match (old.until, new.until) {
            _ if new.is_self_signed() => {
                "the certificate has a new fingerprint; update the fingerprint wherever it is pinned"
            }
            (Some(before), Some(after)) if after <= before => {
                "the certificate does not expire later than before, because its authority expires then"
            }
            _ => return String::new(),
        };
        format!("note: {}: {remark}\n", new.file.display())
    }

    /// Returns the configuration lines with the new fingerprint of a pinned certificate.
    fn updated_lines(&self, holder_folder: Option<&HolderFolder>) -> Result<String, CommandError> {
        holder_folder
            .map_or(Ok(String::new()), |holder_folder| lines::for_holder(self.folder, holder_folder, None))
    }
}

/// Formats the old and new dates, and the next steps.
fn format_result(folder: &KeyFolder, rows: &[(&KeyItem, &Option<HolderFolder>, KeyItem)]) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let until = |item: &KeyItem| item.until.map(day).unwrap_or_default();
    let mut table = show::columns(&["FILE", "FOR", "OLD EXPIRY", "NEW EXPIRY"]).break_before(&[1]);
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
        let _ = writeln!(text, "next: run `portreeved reload` on {}", host.name);
    }
    text
}

/// Default number of days before expiry: certificates that expire within this time are renewed.
const DEFAULT_WITHIN_DAYS: u32 = 30;
