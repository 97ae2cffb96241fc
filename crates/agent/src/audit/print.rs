//! The audit as text, wrapped at 80 columns except for names and tables.

use portreeve_table::Table;
use portreeve_usage::format_row;

use super::{Audit, findings::Finding, findings::Severity, grants::Grant, is_cleartext, transport_name};

/// Formats the audit. If a table is wider than `width`, each of its rows is split into two lines.
pub(crate) fn report(audit: &Audit, width: Option<usize>) -> String {
    let mut text = format!("{}\n\nlisteners\n", audit.file.display());
    for listener in &audit.listeners {
        let clear = if is_cleartext(listener.transport) { "cleartext" } else { "encrypted" };
        text += &format!("  {:<5} {:<24} {clear}\n", transport_name(listener.transport), listener.address);
    }
    text += "\naccess rights\n";
    text += &grants(&audit.grants, width);
    text += "\nviews\n";
    let widest = audit.views.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    for (name, families) in &audit.views {
        text += &format_row(2, name, widest, &families.join(", "));
    }
    text += &netconf(audit);
    text += &targets(audit, width);
    text + &findings(audit)
}

/// Formats each right as a row, followed by the way in which the principal is authenticated.
fn grants(grants: &[Grant], width: Option<usize>) -> String {
    let mut table = Table::new(GRANT_COLUMNS.len(), &GRANT_COLUMNS).with_indent(2).break_before(&[5, 2]);
    for grant in grants {
        let transports: Vec<_> =
            grant.transports.iter().map(|transport| transport_name(*transport)).collect();
        let models: Vec<_> = grant.models.iter().map(ToString::to_string).collect();
        table.add_row(vec![
            grant.name.clone(),
            models.join(" "),
            or_dash(&transports.join(" ")),
            grant.level.to_string(),
            if grant.context.is_empty() { "default".to_owned() } else { grant.context.clone() },
            or_dash(&grant.read),
            or_dash(&grant.write),
            or_dash(&grant.notify),
        ]);
    }
    let mut rows = table.rows(width).into_iter();
    let mut text = rows.next().unwrap_or_default();
    for (lines, grant) in rows.zip(grants) {
        text += &lines;
        text += &format_row(4, "", 0, &format!("via {}", grant.auth_method));
    }
    text
}

/// Formats the rights over NETCONF, if it is offered.
fn netconf(audit: &Audit) -> String {
    let Some(users) = &audit.netconf else { return String::new() };
    let widest = users.iter().map(|user| user.name.chars().count()).max().unwrap_or(0);
    let mut text = "\nNETCONF\n".to_owned();
    for user in users {
        text += &format_row(2, &user.name, widest, user.description);
    }
    if users.is_empty() {
        text += "  no users\n";
    }
    text
}

/// Formats the notification targets, if there are any.
fn targets(audit: &Audit, width: Option<usize>) -> String {
    if audit.targets.is_empty() {
        return String::new();
    }
    let mut table = Table::new(TARGET_COLUMNS.len(), &TARGET_COLUMNS).with_indent(2).break_before(&[3]);
    for target in &audit.targets {
        let sender = target.sender.as_ref();
        table.add_row(vec![
            target.name.clone(),
            or_dash(&target.kinds.join(" ")),
            format!("{} {}", target.transport, target.address),
            sender.map_or("-".to_owned(), |sender| format!("{} ({})", sender.name, sender.model)),
            sender.map_or("-".to_owned(), |sender| sender.level.to_string()),
        ]);
    }
    format!("\nnotification targets\n{}", table.fitted(width))
}

fn findings(audit: &Audit) -> String {
    let mut text = String::new();
    if !audit.findings.is_empty() {
        text += "\nfindings\n";
    }
    audit.findings.iter().for_each(|finding| text += &format_finding(finding));
    for acceptance in &audit.unused_acceptances {
        text += &format!("\n--allow {acceptance} matches no finding\n");
    }
    text + &summary_line(&audit.findings)
}

fn format_finding(finding: &Finding) -> String {
    let severity = if finding.is_accepted { "accepted" } else { finding.severity.name() };
    let (id, description) = (finding.id(), format_row(MARGIN - 2, "", 0, &finding.description));
    // Operators may copy the hint, so it is not wrapped.
    format!(
        "  {severity:<8}  {id}  {}\n{description}{:MARGIN$}hint: {}\n",
        finding.location, "", finding.hint
    )
}

fn summary_line(findings: &[Finding]) -> String {
    let count = |of: &dyn Fn(&&Finding) -> bool| findings.iter().filter(of).count();
    let weak = count(&|finding| finding.severity > Severity::Note && !finding.is_accepted);
    let accepted = count(&|finding| finding.is_accepted);
    let notes = count(&|finding| finding.severity == Severity::Note && !finding.is_accepted);
    let weak = if weak == 0 { "no weaknesses found".to_owned() } else { format!("weak: {weak}") };
    let parts = [("notes", notes), ("accepted", accepted)].into_iter().filter(|(_, count)| *count > 0);
    let parts: String = parts.map(|(word, count)| format!(", {word}: {count}")).collect();
    format!("\n{weak}{parts}\n")
}

fn or_dash(text: &str) -> String {
    if text.is_empty() { "-".to_owned() } else { text.to_owned() }
}

const GRANT_COLUMNS: [&str; 8] =
    ["name", "model", "transport", "min level", "context", "read", "write", "notify"];
const TARGET_COLUMNS: [&str; 5] = ["name", "type", "address", "sender", "min level"];
/// Indentation of the lines below the identifier of a finding.
const MARGIN: usize = 12;
