//! The status of notifications, as text and as JSON.

use std::time::{Duration, UNIX_EPOCH};

use portreeve_json::Json;
use portreeve_notifier::{NotifierStatus, TargetStatus};
use portreeve_smi::controls_display;
use portreeve_table::Table;

use super::{NotifierAnswer, times::utc};

/// Formats the status as text; empty if there was no notification for a target.
pub(super) fn section(answer: &NotifierAnswer) -> String {
    let status = match answer {
        NotifierAnswer::NotRunning => return "\nnotifications\n  none are sent: see the log\n".to_owned(),
        NotifierAnswer::NoResponse => return "\nnotifications\n  the notifier does not respond\n".to_owned(),
        NotifierAnswer::Status(status) => status,
    };
    if status.targets.is_empty() {
        return String::new();
    }
    let columns = ["target", "address", "open", "traps", "acknowledged", "queued", "octets", "discarded"];
    let mut table = Table::new(columns.len(), &columns).with_indent(2);
    for target in &status.targets {
        let queue = &target.queue;
        table.add_row(vec![
            target.name.escape_ascii().to_string(),
            if target.address.is_empty() { "-".to_owned() } else { target.address.clone() },
            if target.is_connected { "yes" } else { "no" }.to_owned(),
            target.traps_sent.to_string(),
            queue.acknowledged.to_string(),
            queue.entries.to_string(),
            queue.octets.to_string(),
            discarded(target).to_string(),
        ]);
    }
    let mut text = format!("\nnotifications\n{}", table.unwrapped());
    for target in &status.targets {
        let count = target.authentication_failures_discarded;
        if count > 0 {
            let name = target.name.escape_ascii();
            text += &format!("  {name}: discarded authenticationFailure notifications: {count}\n");
        }
        if let Some((time, error)) = &target.last_error {
            let (name, error) = (target.name.escape_ascii(), without_controls(error));
            text += &format!("  {name}: last error at {}: {error}\n", time_text(*time));
        }
    }
    for (name, count) in [
        ("withheld by filters and views", status.withheld),
        ("discarded before a target was selected", status.discarded),
        ("failed writes", status.write_failures),
        ("unfinished writes", status.waiting_writes as u64),
    ] {
        if count > 0 {
            text += &format!("  {name}: {count}\n");
        }
    }
    text
}

/// Formats the status as JSON; null if no notifications are sent or the notifier does not respond.
pub(super) fn object(answer: &NotifierAnswer) -> Json {
    let NotifierAnswer::Status(status) = answer else { return Json::Null };
    let NotifierStatus { targets, withheld, discarded, write_failures, waiting_writes } = status;
    Json::object([
        ("targets", Json::list(targets.iter().map(target))),
        ("withheld", number(*withheld)),
        ("discarded", number(*discarded)),
        ("failed-writes", number(*write_failures)),
        ("waiting-writes", number(*waiting_writes as u64)),
    ])
}

fn target(target: &TargetStatus) -> Json {
    let TargetStatus { name, address, is_connected, traps_sent, traps_discarded, .. } = target;
    let TargetStatus { authentication_failures_discarded, queue, last_error, .. } = target;
    let error = last_error.as_ref().map(|(time, reason)| {
        Json::object([("time", Json::text(time_text(*time))), ("reason", Json::text(reason))])
    });
    Json::object([
        ("name", Json::text(name.escape_ascii().to_string())),
        ("address", Json::text(address)),
        ("open", Json::Bool(*is_connected)),
        ("traps-sent", number(*traps_sent)),
        ("traps-discarded", number(*traps_discarded)),
        (
            "informs",
            Json::object([
                ("queued", number(queue.entries as u64)),
                ("octets", number(queue.octets as u64)),
                ("oldest-age", queue.oldest.map_or(Json::Null, |age| Json::Decimal(age.as_secs_f64()))),
                ("acknowledged", number(queue.acknowledged)),
                ("discarded-queue-full", number(queue.refused)),
                ("discarded-age", number(queue.expired)),
                ("discarded-rejected", number(queue.rejected)),
                ("discarded-authentication-failures", number(*authentication_failures_discarded)),
                ("failures", number(queue.failures.into())),
            ]),
        ),
        ("last-error", error.unwrap_or(Json::Null)),
    ])
}

/// Escapes the characters of a peer that would change how a terminal shows the text.
fn without_controls(text: &str) -> String {
    text.chars().fold(String::new(), |mut plain, character| {
        match controls_display(character) {
            true => plain.extend(character.escape_default()),
            false => plain.push(character),
        }
        plain
    })
}

/// Returns the number of notifications that were lost.
fn discarded(target: &TargetStatus) -> u64 {
    let queue = &target.queue;
    target.traps_discarded
        + target.authentication_failures_discarded
        + queue.refused
        + queue.expired
        + queue.rejected
}

fn time_text(seconds: u64) -> String {
    utc(UNIX_EPOCH + Duration::from_secs(seconds))
}

fn number(number: u64) -> Json {
    Json::Number(i64::try_from(number).unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn controls_are_escaped_and_quotes_are_not() {
        assert_eq!(without_controls("the login of \"é\"\u{1b}[2J"), "the login of \"é\"\\u{1b}[2J");
    }
}
