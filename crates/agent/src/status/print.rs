//! The status as text.

use portreeve_datastore::{QueueStatus, Ticket};
use portreeve_table::Table;

use super::{
    LockHolders, Status, netconf, notifications,
    times::{span, utc},
};

/// Formats the status.
pub(crate) fn report(status: &Status) -> String {
    let mut text = format!(
        "portreeved {}, process {}, running for {}\n\n",
        env!("CARGO_PKG_VERSION"),
        status.process,
        span(status.running)
    );
    let boots = status.engine_boots.map_or_else(|| "not stored".to_owned(), |boots| boots.to_string());
    text += &row("engine ID", &status.engine_id);
    text += &row("engine boots", &boots);
    text += &configuration(status);
    text += &row("generation", &status.generation.to_string());
    text += &format!("\nlisteners\n{}", listeners(status));
    text += &format!("\ntransaction lock\n{}{}", lock(&status.lock), set_queue(&status.set_queue));
    text += &netconf::section(&status.netconf);
    text += &notifications::section(&status.notifier);
    text += &netconf::set_aside(&status.set_aside);
    text +=
        &format!("\nstate directory {}\n{}", escaped(&status.state_dir.display().to_string()), store(status));
    if !status.counters.is_empty() {
        text += "\ndrops, rejections and closed sessions\n";
        text += &number_table(status.counters.iter().map(|(name, count)| (name.as_str(), *count)));
    }
    text
}

fn configuration(status: &Status) -> String {
    let loads = &status.loads;
    let mut text = row("configuration", &escaped(&status.file.display().to_string()));
    text += &row("loaded", &format!("{} ({})", utc(loads.loaded.time), loads.loaded.owner));
    if !loads.restart_only.is_empty() {
        text += &row("needs restart", &loads.restart_only.join(", "));
    }
    if let Some(load) = &loads.in_progress {
        text += &row("reload", &format!("in progress since {} ({})", utc(load.time), load.owner));
    }
    if let Some((load, reason)) = &loads.failure {
        text += &row("failed reload", &format!("{} ({})", utc(load.time), load.owner));
        text += &indented(reason);
    }
    text
}

fn listeners(status: &Status) -> String {
    let mut table = Table::new(2, &["transport", "address", "sessions", "active"]).with_indent(2);
    for (listener, sessions) in &status.listeners {
        let number = |count: Option<usize>| count.map_or_else(|| "-".to_owned(), |count| count.to_string());
        table.add_row(vec![
            listener.transport(),
            escaped(&listener.address),
            number(sessions.map(|count| count.open)),
            number(sessions.map(|count| count.active)),
        ]);
    }
    table.unwrapped()
}

fn lock(lock: &LockHolders) -> String {
    let ticket = |ticket: &Ticket| format!("{} ({})", escaped(&ticket.owner), ticket.purpose);
    let mut text = match &lock.holder {
        Some((holder, time)) => format!("  held by {} for {}\n", ticket(holder), span(*time)),
        None => "  free\n".to_owned(),
    };
    for (waiter, time) in &lock.waiters {
        text += &format!("  waiting: {} for {}\n", ticket(waiter), span(*time));
    }
    if let Some(last) = &lock.last_panic {
        text +=
            &format!("  failed because of an error in the agent: {}, last {}\n", lock.panics, ticket(last));
    }
    text
}

fn set_queue(queue: &QueueStatus) -> String {
    let QueueStatus { transactions, octets, refused, refused_by_share } = queue;
    let mut text = format!("  queue of SETs: {transactions}");
    if *transactions > 0 {
        text += &format!(" ({octets} octets)");
    }
    if *refused > 0 {
        text += &format!(", refused because it was full: {refused}");
    }
    if *refused_by_share > 0 {
        text += &format!(", refused because of the limit for one user: {refused_by_share}");
    }
    text + "\n"
}

fn store(status: &Status) -> String {
    let mut text = match &status.state_files {
        Some(files) => number_table(files.iter().map(|(name, size)| (name.as_str(), *size))),
        None => "  the disk does not respond\n".to_owned(),
    };
    if let Some(failure) = status.write_failures.last() {
        text += &format!(
            "  failed writes: {}, last at {}: {}\n",
            status.write_failures.count(),
            utc(failure.time),
            escaped(&failure.reason)
        );
    }
    text
}

/// Formats names with numbers.
fn number_table<'a>(rows: impl Iterator<Item = (&'a str, u64)>) -> String {
    let rows: Vec<_> = rows.map(|(name, number)| (escaped(name), number.to_string())).collect();
    let widest = |length: fn(&(String, String)) -> usize| rows.iter().map(length).max().unwrap_or(0);
    let (names, numbers) = (widest(|row| row.0.chars().count()), widest(|row| row.1.len()));
    rows.iter().map(|(name, number)| format!("  {name:<names$}  {number:>numbers$}\n")).collect()
}

fn row(term: &str, value: &str) -> String {
    format!("  {term:<13}  {value}\n")
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("    {}\n", escaped(line))).collect()
}

/// Returns a text from a peer or from the file system, with control characters escaped.
fn escaped(text: &str) -> String {
    text.chars()
        .flat_map(|character| match character.is_control() {
            true => character.escape_default().collect::<Vec<_>>(),
            false => vec![character],
        })
        .collect()
}
