//! The note on the set-up of clients, which some comparisons of DTLS contain and others do not.

use portreeve_lab_report::document::{NoticeKind, Section};
use portreeve_lab_report::samples::Selection;

use crate::client::{Carrier, ProtocolStack};
use crate::harness::Peer;

/// Notes that sessions with Net-SNMP's library over DTLS contain the set-up of the client, if there
/// are any.
pub(super) fn note(section: &mut Section, all: &Selection<'_>) {
    let sessions = all.with("agent", Peer::NetSnmp.name()).with("client", Peer::NetSnmp.name());
    if !sessions.with("stack", &ProtocolStack::tsm(Carrier::Dtls12).id()).is_empty() {
        section.notice(
            NoticeKind::Note,
            "Over DTLS, Net-SNMP's library reads its certificates in each session, and ours has read them before: the \
             times of these sessions, their set-ups and their break-evens cannot be compared. The section on one GET \
             has the time of both with the set-up of the client.",
        );
    }
}
