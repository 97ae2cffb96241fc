//! Formats items as text.

use std::{path::Path, time::SystemTime};

use portreeve_table::Table;

use super::{ItemKind, KeyItem, dates, item::escape_for_terminal};
use crate::revocations::Revocations;

/// Formats all details of an item, line by line.
pub(super) fn details(item: &KeyItem, revocations: &Revocations, now: SystemTime) -> String {
    let mut text = format!("{}\n  {}\n", item.file.display(), item.kind_name());
    let mut row = |name: &str, value: &str| {
        if !value.is_empty() {
            text += &format!("  {name:<12} {}\n", escape_for_terminal(value));
        }
    };
    let ssh_certificate = matches!(item.kind, ItemKind::SshHostCertificate | ItemKind::SshUserCertificate);
    row(if ssh_certificate { "key ID" } else { "subject" }, &item.subject);
    row(names_label(item.kind), &item.names.join(", "));
    row("issuer", &item.issuer);
    row("serial", &item.display_serial().unwrap_or_default());
    match (item.from, item.until) {
        (Some(from), Some(until)) => row(
            "valid",
            &format!(
                "{} to {} ({} {})",
                dates::day(from),
                dates::day(until),
                ends(until, now),
                dates::relative(until, now)
            ),
        ),
        (Some(from), None) => row("valid", &format!("from {}", dates::day(from))),
        _ => {}
    }
    row("key", &item.key);
    row("options", &item.options.join(", "));
    for (number, revoked) in item.revokes.iter().enumerate() {
        row(if number == 0 { "revokes" } else { "" }, revoked);
    }
    if item.kind.is_private() {
        row("pass phrase", if item.has_pass_phrase { "yes" } else { "none" });
    }
    row("fingerprint", item.fingerprint.as_deref().unwrap_or_default());
    if revocations.contains(item) {
        row("revoked", "yes");
    }
    text
}

/// Formats a table; rows wider than `width` are continued on a second line.
pub(super) fn table(
    items: &[KeyItem],
    below: &Path,
    revocations: &Revocations,
    now: SystemTime,
    width: Option<usize>,
) -> String {
    let mut table = columns(&["FILE", "KIND", "FOR", "UNTIL", "FINGERPRINT"]).break_before(&[4, 1]);
    for item in items {
        table.add_row(vec![
            escape_for_terminal(&item.file.strip_prefix(below).unwrap_or(&item.file).display().to_string()),
            item.kind_name().to_owned(),
            truncate(&item.display_names()),
            until(item, revocations, now),
            item.fingerprint
                .clone()
                .filter(|_| item.kind != ItemKind::X509RevocationList)
                .unwrap_or_default(),
        ]);
    }
    table.fitted(width)
}

/// Creates an indented table with these columns.
pub(crate) fn columns(head: &[&str]) -> Table {
    Table::new(head.len(), head).with_indent(2)
}

/// Returns warnings about file modes and expiry, or an empty string.
pub(super) fn warning(item: &KeyItem, revocations: &Revocations, now: SystemTime) -> String {
    let file = item.file.display();
    if let Some(mode) = item.exposed_mode {
        return format!(
            "warning: {file}: other users can read this private key (mode {mode:04o})\nhint: chmod 600 {file}\n"
        );
    }
    let Some(until) = item.until.filter(|_| item.kind.is_certificate() && !revocations.contains(item)) else {
        return String::new();
    };
    let renew = if item.kind == ItemKind::X509Authority { RENEW_AUTHORITY } else { RENEW };
    match dates::days_left(until, now) {
        left if left < 0 => format!("warning: {file}: expired {}\n{renew}", dates::relative(until, now)),
        left if left < EXPIRY_WARNING_DAYS => {
            format!("warning: {file}: expires {}\n{renew}", dates::relative(until, now))
        }
        _ => String::new(),
    }
}

fn until(item: &KeyItem, revocations: &Revocations, now: SystemTime) -> String {
    if revocations.contains(item) {
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

fn names_label(kind: ItemKind) -> &'static str {
    match kind {
        ItemKind::SshHostCertificate | ItemKind::SshUserCertificate => "principals",
        ItemKind::SshKey | ItemKind::SshPrivateKey | ItemKind::SshRevocationList => "comment",
        ItemKind::X509Request => "requests",
        _ => "names",
    }
}

fn truncate(text: &str) -> String {
    if text.chars().count() <= MAX_NAMES_WIDTH {
        return text.to_owned();
    }
    let kept: String = text.chars().take(MAX_NAMES_WIDTH - 1).collect();
    kept + "…"
}

const RENEW_AUTHORITY: &str =
    "hint: replace the authority with `portreeve keys ca --force`, and update all agents and clients\n";
const RENEW: &str = "hint: renew the certificate with `portreeve keys renew`\n";
/// Maximum width of names in a table, in characters.
const MAX_NAMES_WIDTH: usize = 40;
/// Days before expiry from which a warning is printed.
const EXPIRY_WARNING_DAYS: i64 = 30;
