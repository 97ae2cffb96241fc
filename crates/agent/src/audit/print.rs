//! The audit as a table and sentences.

use super::{Audit, is_clear, word};

/// All of it.
pub(crate) fn report(audit: &Audit) -> String {
    let mut text = format!("{}\n\nlistens\n", audit.file.display());
    for listener in &audit.listeners {
        let clear = if is_clear(listener.transport) { "in clear" } else { "protected" };
        text += &format!("  {:<5} {:<24} {clear}\n", word(listener.transport), listener.address);
    }
    text += "\nwho may do what\n";
    let mut rows = vec![HEAD.map(str::to_owned)];
    rows.extend(audit.grants.iter().map(|grant| {
        let through: Vec<_> = grant.through.iter().map(|transport| word(*transport)).collect();
        let models: Vec<_> = grant.models.iter().map(ToString::to_string).collect();
        [
            grant.name.clone(),
            models.join(", "),
            grant.proof.clone(),
            or_dash(&through.join(" ")),
            grant.level.to_string(),
            if grant.context.is_empty() { "default".to_owned() } else { grant.context.clone() },
            or_dash(&grant.read),
            or_dash(&grant.write),
            or_dash(&grant.notify),
        ]
    }));
    text += &table(&rows);
    text += "\nviews\n";
    for (name, families) in &audit.views {
        text += &format!("  {name}: {}\n", families.join(", "));
    }
    text + &findings(audit)
}

fn findings(audit: &Audit) -> String {
    if audit.findings.is_empty() {
        return "\nnothing weak was found\n".to_owned();
    }
    let mut text = String::from("\nfindings\n");
    for finding in &audit.findings {
        text += &format!(
            "  {}: {}: {}\n      hint: {}\n",
            finding.weight.word(),
            finding.place,
            finding.what,
            finding.cure
        );
    }
    text
}

/// Columns as wide as what is in them.
fn table<const N: usize>(rows: &[[String; N]]) -> String {
    let mut widths = [0; N];
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let mut text = String::new();
    for row in rows {
        let cells: Vec<_> = row.iter().zip(widths).map(|(cell, width)| format!("{cell:<width$}")).collect();
        text += &format!("  {}\n", cells.join("  ").trim_end());
    }
    text
}

fn or_dash(text: &str) -> String {
    if text.is_empty() { "-".to_owned() } else { text.to_owned() }
}

const HEAD: [&str; 9] =
    ["name", "model", "proven by", "through", "at least", "context", "may read", "may write", "notify"];
