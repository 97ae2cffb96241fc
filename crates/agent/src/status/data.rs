//! The status as JSON. Existing JSON keys are stable; new keys may be added.

use std::time::Duration;

use portreeve_datastore::{QueueStatus, Ticket};
use portreeve_json::Json;

use super::{Status, netconf, notifications, times::utc};
use crate::reload_thread::LoadEvent;

/// Formats the status as one object.
pub(crate) fn report(status: &Status) -> Json {
    Json::object([
        ("version", Json::text(env!("CARGO_PKG_VERSION"))),
        ("process", number(status.process.into())),
        ("engine-id", Json::text(&status.engine_id)),
        ("engine-boots", status.engine_boots.map_or(Json::Null, |boots| number(boots.into()))),
        ("uptime", seconds(status.running)),
        ("configuration", configuration(status)),
        ("generation", number(status.generation)),
        ("listeners", listeners(status)),
        ("transaction-lock", lock(status)),
        ("set-queue", set_queue(&status.set_queue)),
        ("netconf", netconf::object(&status.netconf)),
        ("notifications", notifications::object(&status.notifier)),
        ("data-set-aside", netconf::set_aside_list(&status.set_aside)),
        ("store", store(status)),
        ("counters", counters(status)),
    ])
}

fn configuration(status: &Status) -> Json {
    let failure = status.loads.failure.as_ref().map(|(load, reason)| {
        let [time, owner] = event(load);
        Json::object([time, owner, ("reason", Json::text(reason))])
    });
    let in_progress = status.loads.in_progress.as_ref().map(|load| Json::object(event(load)));
    Json::object([
        ("file", Json::text(status.file.display().to_string())),
        ("loaded", Json::object(event(&status.loads.loaded))),
        ("needs-restart", Json::texts(&status.loads.restart_only)),
        ("reload-in-progress", in_progress.unwrap_or(Json::Null)),
        ("failed-reload", failure.unwrap_or(Json::Null)),
    ])
}

fn event(load: &LoadEvent) -> [(&'static str, Json); 2] {
    [("time", Json::text(utc(load.time))), ("owner", Json::text(load.owner))]
}

fn listeners(status: &Status) -> Json {
    Json::list(status.listeners.iter().map(|(listener, sessions)| {
        let sessions = sessions.map(|count| (count.open as u64, count.active as u64)).unzip();
        let number_or_null = |count: Option<u64>| count.map_or(Json::Null, number);
        Json::object([
            ("transport", Json::text(listener.transport())),
            ("address", Json::text(&listener.address)),
            ("sessions", number_or_null(sessions.0)),
            ("active-sessions", number_or_null(sessions.1)),
        ])
    }))
}

fn lock(status: &Status) -> Json {
    let ticket = |ticket: &Ticket| {
        [("owner", Json::text(&*ticket.owner)), ("purpose", Json::text(ticket.purpose.to_string()))]
    };
    let holder = status.lock.holder.as_ref().map(|(held, time)| {
        let [owner, purpose] = ticket(held);
        Json::object([owner, purpose, ("held", seconds(*time))])
    });
    let waiters = status.lock.waiters.iter().map(|(waiting, time)| {
        let [owner, purpose] = ticket(waiting);
        Json::object([owner, purpose, ("waiting", seconds(*time))])
    });
    let last_panic = status.lock.last_panic.as_ref().map(|panicked| Json::object(ticket(panicked)));
    Json::object([
        ("holder", holder.unwrap_or(Json::Null)),
        ("waiters", Json::list(waiters)),
        ("panics", number(status.lock.panics)),
        ("last-panic", last_panic.unwrap_or(Json::Null)),
    ])
}

fn set_queue(queue: &QueueStatus) -> Json {
    Json::object([
        ("sets", number(queue.transactions as u64)),
        ("octets", number(queue.octets as u64)),
        ("refused", number(queue.refused)),
        ("refused-by-user-limit", number(queue.refused_by_share)),
    ])
}

fn store(status: &Status) -> Json {
    let file =
        |(name, size): &(String, u64)| Json::object([("name", Json::text(name)), ("size", number(*size))]);
    let last = status.write_failures.last().map(|failure| {
        Json::object([("time", Json::text(utc(failure.time))), ("reason", Json::text(failure.reason))])
    });
    Json::object([
        ("directory", Json::text(status.state_dir.display().to_string())),
        ("files", status.state_files.as_ref().map_or(Json::Null, |files| Json::list(files.iter().map(file)))),
        ("failed-writes", number(status.write_failures.count())),
        ("last-failure", last.unwrap_or(Json::Null)),
    ])
}

fn counters(status: &Status) -> Json {
    let counter =
        |(name, count): &(String, u64)| Json::object([("name", Json::text(name)), ("count", number(*count))]);
    Json::list(status.counters.iter().map(counter))
}

fn number(number: u64) -> Json {
    Json::Number(i64::try_from(number).unwrap_or(i64::MAX))
}

fn seconds(duration: Duration) -> Json {
    Json::Decimal(duration.as_secs_f64())
}
