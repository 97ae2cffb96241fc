//! The status of NETCONF, as text and as JSON.

use portreeve_json::Json;
use portreeve_netconf::{LockOwner, LockStatus, Phase, SessionStatus};
use portreeve_state_store::DataSetAside;
use portreeve_table::Table;

use super::NetconfAnswer;
use crate::netconf::{NetconfStatus, datastore_name};

/// Formats the status as text; empty if NETCONF is not offered.
pub(super) fn section(answer: &NetconfAnswer) -> String {
    let NetconfStatus { server, panics } = match answer {
        NetconfAnswer::NotOffered => return String::new(),
        NetconfAnswer::NoResponse => return "\nNETCONF\n  the server does not respond\n".to_owned(),
        NetconfAnswer::Status(status) => status,
    };
    let mut text = "\nNETCONF\n".to_owned();
    if server.sessions.is_empty() {
        text += "  no sessions\n";
    } else {
        let columns = ["session", "user", "address", "access", "since", "activity", "requests"];
        let mut table = Table::new(columns.len(), &columns).with_indent(2);
        for session in &server.sessions {
            table.add_row(vec![
                session.id.to_string(),
                escaped(&session.peer.user),
                escaped(&session.peer.address),
                session.access.to_owned(),
                session.login_time.to_string(),
                phase_name(session.phase).to_owned(),
                session.counters.requests.to_string(),
            ]);
        }
        text += &table.unwrapped();
    }
    for lock in &server.locks {
        let LockStatus { datastore, lock } = lock;
        text += &format!(
            "  {} locked by {} since {}\n",
            datastore_name(*datastore),
            owner_name(lock.owner),
            lock.since
        );
    }
    if server.is_candidate_modified {
        text += "  candidate has changes that are not committed\n";
    }
    if *panics > 0 {
        text += &format!("  errors in the server that have closed all sessions: {panics}\n");
    }
    text
}

/// Formats the status as JSON; null if NETCONF is not offered or the server does not respond.
pub(super) fn object(answer: &NetconfAnswer) -> Json {
    let NetconfAnswer::Status(NetconfStatus { server, panics }) = answer else { return Json::Null };
    let totals = &server.totals;
    Json::object([
        ("sessions", Json::list(server.sessions.iter().map(session))),
        ("locks", Json::list(server.locks.iter().map(lock))),
        ("candidate-modified", Json::Bool(server.is_candidate_modified)),
        (
            "counters",
            Json::object([
                ("sessions", number(totals.sessions)),
                ("bad-hellos", number(totals.bad_hellos)),
                ("dropped-sessions", number(totals.dropped_sessions)),
                ("requests", number(totals.messages.requests)),
                ("bad-requests", number(totals.messages.bad_requests)),
                ("errors", number(totals.messages.errors)),
                ("panics", Json::Number(i64::try_from(*panics).unwrap_or(i64::MAX))),
            ]),
        ),
    ])
}

/// Formats the data that do not fit the modules; empty if there are none.
pub(super) fn set_aside(data: &[DataSetAside]) -> String {
    if data.is_empty() {
        return String::new();
    }
    let line = |data: &DataSetAside| format!("  {}: {}\n", escaped(&data.path), escaped(&data.reason));
    let lines: String = data.iter().take(MAX_SET_ASIDE).map(line).collect();
    let more = data.len().saturating_sub(MAX_SET_ASIDE);
    let more = if more > 0 { format!("  and {more} more\n") } else { String::new() };
    format!("\ndata that does not fit the YANG modules (kept, but not served)\n{lines}{more}")
}

/// Formats the same data as JSON.
pub(super) fn set_aside_list(data: &[DataSetAside]) -> Json {
    let object = |data: &DataSetAside| {
        Json::object([("path", Json::text(&data.path)), ("reason", Json::text(&data.reason))])
    };
    Json::list(data.iter().take(MAX_SET_ASIDE).map(object))
}

fn session(session: &SessionStatus) -> Json {
    let SessionStatus { id, peer, login_time, access, phase, counters } = session;
    Json::object([
        ("session", number(*id)),
        ("user", Json::text(&*peer.user)),
        ("address", Json::text(&*peer.address)),
        ("access", Json::text(*access)),
        ("since", Json::text(login_time.to_string())),
        ("activity", Json::text(phase_name(*phase))),
        ("requests", number(counters.requests)),
        ("bad-requests", number(counters.bad_requests)),
        ("errors", number(counters.errors)),
    ])
}

fn lock(status: &LockStatus) -> Json {
    let session = match status.lock.owner {
        LockOwner::Session(id) => number(id),
        LockOwner::Other => Json::Null,
    };
    Json::object([
        ("datastore", Json::text(datastore_name(status.datastore))),
        ("session", session),
        ("since", Json::text(status.lock.since.to_string())),
    ])
}

fn owner_name(owner: LockOwner) -> String {
    match owner {
        LockOwner::Session(id) => format!("session {id}"),
        LockOwner::Other => "another transaction".to_owned(),
    }
}

fn phase_name(phase: Option<Phase>) -> &'static str {
    match phase {
        Some(Phase::Hello) => "hello",
        Some(Phase::Idle) => "idle",
        Some(Phase::Receiving) => "receiving",
        Some(Phase::Executing) => "executing",
        Some(Phase::Replying) => "replying",
        Some(Phase::Closing) | None => "closing",
    }
}

fn escaped(text: &str) -> String {
    text.escape_debug().to_string()
}

fn number(number: u32) -> Json {
    Json::Number(i64::from(number))
}

/// The maximum number of nodes that are listed.
const MAX_SET_ASIDE: usize = 100;
