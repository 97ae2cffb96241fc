//! The table of the time in which our client sets up its end of a secure carrier.

use portreeve_lab_report::document::{Cell, NoticeKind, Section, Table};
use portreeve_lab_report::samples::Selection;
use portreeve_lab_report::unit::Unit;

use super::super::variants::{LIBRARY, stacks};
use super::{library, net_snmp};
use crate::client::{Carrier, ProtocolStack};
use crate::peers::OURS;

/// Adds the table, and a note about the library that does this in each session.
pub(super) fn add(all: &Selection<'_>, section: &mut Section) {
    if !net_snmp(all, DTLS).is_empty() {
        section.notice(
            NoticeKind::Note,
            "Over DTLS, Net-SNMP's library reads its certificates in each session, and performs the handshake with the \
             first request. So both libraries set up the client within the time with Net-SNMP's agent, and only the sum \
             of Open and Request can be compared.",
        );
    }
    let all = all.with("agent", OURS).with("client", LIBRARY);
    let mut table = Table::new("The time in which our client sets up its end of a secure transport")
        .column("Stack")
        .column("Set-up")
        .column_with("Time", "GET in a session, without set-up");
    let mut is_measured = false;
    let has_set_up = |carrier: Carrier| carrier.is_secure() && !carrier.is_resumed();
    for stack in stacks().into_iter().filter(|stack| has_set_up(stack.carrier)) {
        let set_up = all.with("stack", &stack.id());
        if set_up.summary("setup").is_none() {
            continue;
        }
        is_measured = true;
        table.row([
            Cell::text(stack.label()),
            Cell::of(&set_up, "setup", Unit::Seconds),
            Cell::of(&library(&all, stack), "time", Unit::Seconds),
        ]);
    }
    if is_measured {
        section.paragraph(
            "A client reads its keys and certificates and creates the context of the security protocol once. This is \
             not part of the time of a session with Portreeve's agent. A program that opens only one session needs both, \
             as do the commands and the senders of notifications.",
        );
        section.table(table);
    }
}

/// The secure stack of Net-SNMP.
const DTLS: ProtocolStack = ProtocolStack::tsm(Carrier::Dtls12);
