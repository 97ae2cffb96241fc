//! The state of `ietf-netconf-monitoring` (RFC 6022).

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::Arc;

use portreeve_netconf_message::rpc::Datastore;
use portreeve_yang::Schema;
use portreeve_yang_tree::Tree;

use super::builder::StateBuilder;
use crate::locks::LockTable;
use crate::sessions::{Counters, SessionInfo, TotalCounters};
use crate::time::DateTime;

/// The values that the state shows.
pub(crate) struct Monitoring<'m> {
    pub(crate) schema: &'m Arc<Schema>,
    pub(crate) capabilities: &'m [String],
    pub(crate) locks: &'m LockTable,
    pub(crate) sessions: &'m BTreeMap<u32, SessionInfo>,
    pub(crate) totals: &'m TotalCounters,
    pub(crate) start_time: DateTime,
}

/// Returns the state data of `ietf-netconf-monitoring`.
pub(crate) fn monitoring_tree(values: &Monitoring<'_>) -> Tree {
    let mut builder = StateBuilder::new(values.schema, "ietf-netconf-monitoring");
    builder.node("netconf-state", |state| {
        state.node("capabilities", |capabilities| {
            values.capabilities.iter().for_each(|uri| capabilities.leaf("capability", uri));
        });
        state.node("datastores", |datastores| add_datastores(datastores, values.locks));
        state.node("schemas", |schemas| add_schemas(schemas, values.schema));
        state.node("sessions", |sessions| {
            for (id, session) in values.sessions {
                sessions.node("session", |entry| add_session(entry, *id, session));
            }
        });
        state.node("statistics", |statistics| add_statistics(statistics, values));
    });
    builder.finish()
}

//= rfc6022#2.1.2-p1
fn add_datastores(datastores: &mut StateBuilder, locks: &LockTable) {
    for (name, datastore) in [("running", Datastore::Running), ("candidate", Datastore::Candidate)] {
        datastores.node("datastore", |entry| {
            entry.leaf("name", name);
            let Some(lock) = locks.get(datastore) else { return };
            entry.node("locks", |locks| {
                locks.node("global-lock", |global| {
                    global.leaf("locked-by-session", &lock.owner.session_id().to_string());
                    global.leaf("locked-time", &lock.since.to_string());
                });
            });
        });
    }
}

//= rfc6022#2.1.3-p1
fn add_schemas(schemas: &mut StateBuilder, schema: &Schema) {
    for (_, module) in schema.modules() {
        let own = (&module.name, &module.revision, &module.text);
        let submodules = module.submodules.iter().map(|part| (&part.name, &part.revision, &part.text));
        for (name, revision, text) in std::iter::once(own).chain(submodules) {
            // Texts that are not known cannot be retrieved.
            if text.is_empty() {
                continue;
            }
            schemas.node("schema", |entry| {
                entry.leaf("identifier", name);
                entry.leaf("version", revision);
                entry.leaf("format", "ietf-netconf-monitoring:yang");
                entry.leaf("namespace", &module.namespace);
                entry.leaf("location", "NETCONF");
            });
        }
    }
}

//= rfc6022#2.1.4-p1
fn add_session(entry: &mut StateBuilder, id: u32, session: &SessionInfo) {
    entry.leaf("session-id", &id.to_string());
    entry.leaf("transport", session.peer.transport.identity());
    entry.leaf("username", &session.peer.user);
    if let Ok(address) = session.peer.address.parse::<SocketAddr>() {
        entry.leaf("source-host", &address.ip().to_canonical().to_string());
    }
    entry.leaf("login-time", &session.login_time.to_string());
    add_counters(entry, &session.counters);
}

//= rfc6022#2.1.5-p1
fn add_statistics(statistics: &mut StateBuilder, values: &Monitoring<'_>) {
    let TotalCounters { bad_hellos, sessions, dropped_sessions, messages } = values.totals;
    statistics.leaf("netconf-start-time", &values.start_time.to_string());
    statistics.leaf("in-bad-hellos", &bad_hellos.to_string());
    statistics.leaf("in-sessions", &sessions.to_string());
    statistics.leaf("dropped-sessions", &dropped_sessions.to_string());
    add_counters(statistics, messages);
}

fn add_counters(entry: &mut StateBuilder, counters: &Counters) {
    entry.leaf("in-rpcs", &counters.requests.to_string());
    entry.leaf("in-bad-rpcs", &counters.bad_requests.to_string());
    entry.leaf("out-rpc-errors", &counters.errors.to_string());
    entry.leaf("out-notifications", "0");
}
