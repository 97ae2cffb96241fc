//! `portreeve keys renew`: in the place of a certificate its successor, for the same key and the same names.

use std::{
    fmt::Write as _,
    path::{Path, PathBuf},
    time::{Duration, SystemTime},
};

use portreeve_pki::{Role, Validity, renew_self_signed, ssh_key::Certificate};

use super::{DAY, signers};
use crate::{
    Failure, Report,
    arguments::Given,
    files,
    folder::{CERTIFICATE, Folder, Holding, KEY},
    lines,
    pass_phrase::Asked,
    revocations::Revocations,
    show::{self, Item, Kind, day, days_left},
};

/// Renews what was named, or whatever of the folder's hosts and users ends soon.
pub(crate) fn renew(given: &Given) -> Result<Report, Failure> {
    let now = SystemTime::now();
    let folder = Folder::find(given.folder.as_deref())?;
    let _locked = folder.lock()?;
    let found = found(&folder, given)?;
    let within = given.within.or(given.operands.is_empty().then_some(SOON));
    let is_due = |item: &Item| match (within, item.until) {
        (Some(within), Some(until)) => days_left(until, now) < i64::from(within),
        (Some(_), None) => false,
        (None, _) => true,
    };
    let renewal = Renewal {
        folder: &folder,
        known: Revocations::load(&folder)?,
        days: given.days,
        pass_phrase: given.pass_phrase.of_existing(),
        now,
    };
    let mut report = Report::default();
    let mut rows = Vec::new();
    for (item, holding) in found.iter().filter(|(item, _)| is_due(item)) {
        // What cannot be renewed does not keep others from it.
        match renewal.renew(item) {
            Ok(new) => {
                report.notes += &renewal.remark(item, &new);
                if item.is_self_signed() {
                    report.data += &renewal.told_again(holding.as_ref())?;
                }
                rows.push((item, holding, new));
            }
            Err(failure) => report.failures.push(failure),
        }
    }
    if rows.is_empty() && report.failures.is_empty() {
        let days = within.unwrap_or_default();
        report.notes = format!("nothing ends within {days} days: nothing was renewed\n");
    }
    report.notes = told(&folder, &rows) + &report.notes;
    Ok(report)
}

/// The certificates that are meant, and whose they are.
fn found(folder: &Folder, given: &Given) -> Result<Vec<(Item, Option<Holding>)>, Failure> {
    let mut found = Vec::new();
    if given.operands.is_empty() {
        for holding in [Role::Host, Role::User].into_iter().flat_map(|role| folder.holdings(role)) {
            found.extend(of_holding(&holding)?);
        }
        return Ok(found);
    }
    for operand in given.paths() {
        if operand.is_file() {
            found.push((only_certificate(operand)?, None));
            continue;
        }
        let holding = folder.find_holding(&operand.to_string_lossy())?;
        let own = of_holding(&holding)?;
        if own.is_empty() {
            return Err(Failure::at(&holding.path, "no certificate in it").cured_by(
                "`portreeve keys host` and `user` make certificates; a key alone needs no renewal",
            ));
        }
        found.extend(own);
    }
    Ok(found)
}

fn of_holding(holding: &Holding) -> Result<Vec<(Item, Option<Holding>)>, Failure> {
    let files = [CERTIFICATE.to_owned(), format!("{}-cert.pub", holding.ssh_key())];
    let paths = files.iter().map(|name| holding.file(name)).filter(|path| path.exists());
    paths.map(|path| Ok((only_certificate(&path)?, Some(holding.clone())))).collect()
}

/// The certificate that a file is.
fn only_certificate(path: &Path) -> Result<Item, Failure> {
    let found = show::items(path)?;
    match <[Item; 1]>::try_from(found) {
        Ok([item]) if item.kind.is_certificate() && item.kind != Kind::X509Authority => Ok(item),
        Ok([item]) if item.kind == Kind::X509Authority => Err(Failure::at(
            path,
            "an authority; its successor would be another",
        )
        .cured_by(
            "`portreeve keys ca --force` makes one; what it has signed, and the lines of all agents, follow",
        )),
        _ => Err(Failure::at(path, "not one certificate alone")
            .cured_by("name a host, a user, or the file of a certificate")),
    }
}

struct Renewal<'f> {
    folder: &'f Folder,
    known: Revocations,
    days: Option<u32>,
    pass_phrase: Asked<'f>,
    now: SystemTime,
}

impl Renewal<'_> {
    /// Puts the successor in the certificate's place. Whoever reads the file has the one or the other.
    fn renew(&self, item: &Item) -> Result<Item, Failure> {
        if self.known.have(item) {
            return Err(Failure::at(&item.file, "revoked, which its successor would not be")
                .cured_by("`portreeve keys host` and `user` make another key and certificate with --force"));
        }
        let failed = |problem| Failure::problem(&item.file, &problem);
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
    fn validity(&self, item: &Item) -> Result<Validity, Failure> {
        let days = match (self.days, item.from, item.until) {
            (Some(days), ..) => u64::from(days),
            (None, Some(from), Some(until)) => {
                until.duration_since(from).map_or(1, |held| (held.as_secs() / DAY).max(1))
            }
            _ => {
                return Err(
                    Failure::at(&item.file, "it has no end").cured_by("--days gives its successor one")
                );
            }
        };
        Ok(Validity::from_now(self.now, Duration::from_secs(days * DAY)))
    }

    /// What is to be known of a successor.
    fn remark(&self, old: &Item, new: &Item) -> String {
        let remark = match (old.until, new.until) {
            _ if new.is_self_signed() => "its fingerprint is another; whoever has pinned it pins the new one",
            (Some(before), Some(after)) if after <= before => "ends no later than before, with its authority",
            _ => return String::new(),
        };
        format!("note: {}: {remark}\n", new.file.display())
    }

    /// What those need who have pinned a certificate.
    fn told_again(&self, holding: Option<&Holding>) -> Result<String, Failure> {
        holding.map_or(Ok(String::new()), |holding| lines::of_holding(self.folder, holding, None))
    }
}

/// Old and new dates, and what is to be done now.
fn told(folder: &Folder, rows: &[(&Item, &Option<Holding>, Item)]) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let until = |item: &Item| item.until.map(day).unwrap_or_default();
    let mut table = show::columns(&["FILE", "FOR", "WAS UNTIL", "IS UNTIL"]).breaks(&[1]);
    for (old, _, new) in rows {
        let file = old.file.strip_prefix(folder.path()).unwrap_or(&old.file);
        table.row(vec![show::clean(&file.display().to_string()), old.shown_names(), until(old), until(new)]);
    }
    let table = table.fitted(portreeve_table::width_of(std::io::stderr()));
    let mut text = format!("renewed in {}:\n{table}", folder.path().display());
    let mut hosts: Vec<(&Holding, Vec<PathBuf>)> = Vec::new();
    for (_, holding, new) in rows {
        let Some(host) = holding.as_ref().filter(|holding| holding.role == Role::Host) else { continue };
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
const SOON: u32 = 30;
