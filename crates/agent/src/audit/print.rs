//! The audit as tables and sentences, 80 columns wide as far as names allow; its tables, as wide as they may be.

use portreeve_table::Table;
use portreeve_usage::row;

use super::{Audit, findings::Finding, findings::Weight, grants::Grant, is_clear, word};

/// All of it; tables that are wider than `width` have a second line for each row.
pub(crate) fn report(audit: &Audit, width: Option<usize>) -> String {
    let mut text = format!("{}\n\nlistens\n", audit.file.display());
    for listener in &audit.listeners {
        let clear = if is_clear(listener.transport) { "in clear" } else { "protected" };
        text += &format!("  {:<5} {:<24} {clear}\n", word(listener.transport), listener.address);
    }
    text += "\nwho may do what\n";
    text += &grants(&audit.grants, width);
    text += "\nviews\n";
    let widest = audit.views.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    for (name, families) in &audit.views {
        text += &row(2, name, widest, &families.join(", "));
    }
    text += &targets(audit, width);
    text + &findings(audit)
}

/// Each right in a line, and below it what proves it.
fn grants(grants: &[Grant], width: Option<usize>) -> String {
    let mut table = Table::new(HEAD.len(), &HEAD).indented(2).breaks(&[5, 2]);
    for grant in grants {
        let through: Vec<_> = grant.through.iter().map(|transport| word(*transport)).collect();
        let models: Vec<_> = grant.models.iter().map(ToString::to_string).collect();
        table.row(vec![
            grant.name.clone(),
            models.join(" "),
            or_dash(&through.join(" ")),
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
        text += &row(6, "by", 2, &grant.proof);
    }
    text
}

/// Where notifications are to go, if anywhere.
fn targets(audit: &Audit, width: Option<usize>) -> String {
    if audit.targets.is_empty() {
        return String::new();
    }
    let mut table = Table::new(TARGET_HEAD.len(), &TARGET_HEAD).indented(2).breaks(&[3]);
    for target in &audit.targets {
        let sender = target.sender.as_ref();
        table.row(vec![
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
    audit.findings.iter().for_each(|finding| text += &told(finding));
    for acceptance in &audit.idle {
        text += &format!("\n--allow {acceptance} accepts nothing that was found\n");
    }
    text + &verdict(&audit.findings)
}

fn told(finding: &Finding) -> String {
    let weight = if finding.is_accepted { "accepted" } else { finding.weight.word() };
    let (id, what) = (finding.id(), row(MARGIN - 2, "", 0, &finding.what));
    // A cure may be copied, so its line is left whole.
    format!("  {weight:<8}  {id}  {}\n{what}{:MARGIN$}hint: {}\n", finding.place, "", finding.cure)
}

fn verdict(findings: &[Finding]) -> String {
    let count = |of: &dyn Fn(&&Finding) -> bool| findings.iter().filter(of).count();
    let weak = count(&|finding| finding.weight > Weight::Note && !finding.is_accepted);
    let accepted = count(&|finding| finding.is_accepted);
    let notes = count(&|finding| finding.weight == Weight::Note && !finding.is_accepted);
    let weak = if weak == 0 { "nothing weak was found".to_owned() } else { format!("weak: {weak}") };
    let parts = [("notes", notes), ("accepted", accepted)].into_iter().filter(|(_, count)| *count > 0);
    let parts: String = parts.map(|(word, count)| format!(", {word}: {count}")).collect();
    format!("\n{weak}{parts}\n")
}

fn or_dash(text: &str) -> String {
    if text.is_empty() { "-".to_owned() } else { text.to_owned() }
}

const HEAD: [&str; 8] = ["name", "model", "through", "at least", "context", "reads", "writes", "notified"];
const TARGET_HEAD: [&str; 5] = ["name", "sends", "to", "as", "at least"];
/// Blanks before what stands below the identifier of a finding.
const MARGIN: usize = 12;
