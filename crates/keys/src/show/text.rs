//! What files are, for people.

use std::{path::Path, time::SystemTime};

use portreeve_table::Table;

use super::{Item, Kind, dates, item::clean};
use crate::revocations::Revocations;

/// Everything about one, line by line.
pub(super) fn details(item: &Item, revocations: &Revocations, now: SystemTime) -> String {
    let mut text = format!("{}\n  {}\n", item.file.display(), item.kind_name());
    let mut row = |name: &str, value: &str| {
        if !value.is_empty() {
            text += &format!("  {name:<12} {}\n", clean(value));
        }
    };
    let ssh_certificate = matches!(item.kind, Kind::SshHostCertificate | Kind::SshUserCertificate);
    row(if ssh_certificate { "key ID" } else { "subject" }, &item.subject);
    row(names_head(item.kind), &item.names.join(", "));
    row("issuer", &item.issuer);
    row("serial", &item.shown_serial().unwrap_or_default());
    match (item.from, item.until) {
        (Some(from), Some(until)) => row(
            "valid",
            &format!(
                "{} to {} ({} {})",
                dates::day(from),
                dates::day(until),
                ends(until, now),
                dates::distance(until, now)
            ),
        ),
        (Some(from), None) => row("valid", &format!("from {}", dates::day(from))),
        _ => {}
    }
    row("key", &item.key);
    row("says", &item.options.join(", "));
    for (number, revoked) in item.revokes.iter().enumerate() {
        row(if number == 0 { "revokes" } else { "" }, revoked);
    }
    if item.kind.is_private() {
        row("pass phrase", if item.sealed { "yes" } else { "none" });
    }
    row("fingerprint", item.fingerprint.as_deref().unwrap_or_default());
    if revocations.have(item) {
        row("revoked", "yes: it counts no more");
    }
    text
}

/// A line for each; where it would be wider than `width`, what comes last is told below it.
pub(super) fn table(
    items: &[Item],
    below: &Path,
    revocations: &Revocations,
    now: SystemTime,
    width: Option<usize>,
) -> String {
    let mut table = columns(&["FILE", "KIND", "FOR", "UNTIL", "FINGERPRINT"]).breaks(&[4, 1]);
    for item in items {
        table.row(vec![
            clean(&item.file.strip_prefix(below).unwrap_or(&item.file).display().to_string()),
            item.kind_name().to_owned(),
            shortened(&item.shown_names()),
            until(item, revocations, now),
            item.fingerprint.clone().filter(|_| item.kind != Kind::X509List).unwrap_or_default(),
        ]);
    }
    table.fitted(width)
}

/// A table with these columns, as it stands below a sentence.
pub(crate) fn columns(head: &[&str]) -> Table {
    Table::new(head.len(), head).indented(2)
}

/// What is wrong, or soon will be.
pub(super) fn warning(item: &Item, revocations: &Revocations, now: SystemTime) -> String {
    let file = item.file.display();
    if let Some(mode) = item.open_mode {
        return format!(
            "warning: {file}: others may use this private key (mode {mode:04o})\nhint: chmod 600 {file}\n"
        );
    }
    let Some(until) = item.until.filter(|_| item.kind.is_certificate() && !revocations.have(item)) else {
        return String::new();
    };
    let renew = if item.kind == Kind::X509Authority { RENEW_AUTHORITY } else { RENEW };
    match dates::days_left(until, now) {
        left if left < 0 => format!("warning: {file}: has expired {}\n{renew}", dates::distance(until, now)),
        left if left < SOON => format!("warning: {file}: expires {}\n{renew}", dates::distance(until, now)),
        _ => String::new(),
    }
}

fn until(item: &Item, revocations: &Revocations, now: SystemTime) -> String {
    if revocations.have(item) {
        return "revoked".to_owned();
    }
    match item.until {
        Some(until) if until < now && item.kind.is_certificate() => format!("{} expired", dates::day(until)),
        Some(until) => dates::day(until),
        None => String::new(),
    }
}

fn ends(until: SystemTime, now: SystemTime) -> &'static str {
    if until < now { "expired" } else { "ends" }
}

fn names_head(kind: Kind) -> &'static str {
    match kind {
        Kind::SshHostCertificate | Kind::SshUserCertificate => "principals",
        Kind::SshKey | Kind::SshPrivateKey | Kind::SshList => "comment",
        Kind::X509Request => "asks for",
        _ => "names",
    }
}

fn shortened(text: &str) -> String {
    if text.chars().count() <= WIDEST {
        return text.to_owned();
    }
    let kept: String = text.chars().take(WIDEST - 1).collect();
    kept + "…"
}

const RENEW_AUTHORITY: &str =
    "hint: `portreeve keys ca --force` makes another authority, which everybody has to be told of\n";
const RENEW: &str = "hint: `portreeve keys renew` puts its successor in its place\n";
/// Characters of names in a table.
const WIDEST: usize = 40;
/// Days before the end from which it is said.
const SOON: i64 = 30;
