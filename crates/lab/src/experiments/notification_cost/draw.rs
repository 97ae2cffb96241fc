//! The tables, the figure and the sentences about single notifications.

use portreeve_lab_report::document::{
    Axis, Bar, BarRow, Bars, By, Cell, Figure, Measured, NoticeKind, Outcome, Section, Source, Table,
};
use portreeve_lab_report::samples::{Samples, Selection};
use portreeve_lab_report::statistics::Summary;
use portreeve_lab_report::unit::Unit;

use super::{COMMAND, Carrier, INFORM, LIBRARY, NAME, SNMPTRAPD, TRAP, TRAPD};
use crate::experiments::judgement::{is_above, ratio_text};
use crate::experiments::unavailable_notes;

/// Fills the section.
pub(super) fn draw(samples: &Samples, section: &mut Section) {
    let all = samples.experiment(NAME);
    section.paragraph(
        "One linkDown with five variables. The time of an inform ends with its acknowledgement. The time of a trap ends \
         when the library has accepted it, because no receiver acknowledges it; that the receiver has written it is checked afterwards. A new \
         session includes opening it, with the discovery of the receiver by USM, and what a sender that starts does for it: \
         reading keys and certificates, and creating the context of the security protocol. For one GET, that is done before. \
         Keys of users are made from pass phrases before. Frames and octets are those between sender and receiver, with Ethernet headers; those of a new session include \
         closing it. In an open session, each notification comes after a pause, so that it has TCP acknowledgements of its own. Over UDP, a session is a socket. portreeve-trapd writes an inform to its disk before it acknowledges it; \
         snmptrapd does not wait for the disk.",
    );
    for kind in [INFORM, TRAP] {
        section.table(library_table(&all, kind));
    }
    unavailable_notes::add(section, "snmptrapd", &all.with("receiver", SNMPTRAPD));
    if !all.with("stack", Carrier::Dtls12.id()).is_empty() {
        section.notice(
            NoticeKind::Note,
            "DTLS 1.2 is the newest version of snmptrapd, which accepts no session over it while the one before is open. To \
             compare the receivers, portreeve-trapd is measured with it too; it prefers DTLS 1.3, and TLS 1.3 to TLS 1.2.",
        );
    }
    if !all.with("sender", COMMAND).is_empty() {
        section.table(command_table(&all));
        section.notice(
            NoticeKind::Note,
            "The time of a command includes the start of its process and, with USM, deriving keys from pass phrases.",
        );
    }
    section.figure(figure(&all));
    verdicts(&all, section);
}

/// Returns the table of notifications that our library sends.
fn library_table(all: &Selection<'_>, kind: &str) -> Table {
    let (until, caveat) = match kind {
        TRAP => (
            ", until the library has accepted it",
            ". In an open session, the time of a trap does not compare transports: nothing acknowledges it, and over a \
             session the library can queue it and send it later",
        ),
        _ => ("", ""),
    };
    let mut table = Table::new(format!("One {kind}, sent by Portreeve's library{caveat}"))
        .column("Transport")
        .column_with("Time", "new session")
        .column_with("Time", format!("open session{until}"))
        .column_with("Frames", "new session")
        .column_with("Frames", "open session")
        .column_with("Octets", "new session")
        .column_with("Octets", "open session");
    let of_kind = all.with("sender", LIBRARY).with("kind", kind);
    for receiver in RECEIVERS {
        let of_receiver = of_kind.with("receiver", receiver);
        if of_receiver.is_empty() {
            continue;
        }
        table.heading(receiver);
        for carrier in Carrier::ALL {
            let sent = of_receiver.with("stack", carrier.id());
            // Transports without values are listed below the table.
            if sent.is_empty() {
                continue;
            }
            let cells = [("", Unit::Seconds), ("_frames", Unit::Count), ("_octets", Unit::Octets)]
                .into_iter()
                .flat_map(|(value, unit)| ["new", "open"].map(|session| (format!("{session}{value}"), unit)))
                .map(|(value, unit)| Cell::of(&sent, &value, unit));
            table.row([Cell::text(carrier.name())].into_iter().chain(cells));
        }
    }
    table
}

/// Returns the table of notifications that Net-SNMP's commands send.
fn command_table(all: &Selection<'_>) -> Table {
    let mut table = Table::new("One notification, sent by Net-SNMP's commands")
        .column("Transport")
        .column("Kind")
        .column("Time of the command")
        .column("Frames")
        .column("Octets");
    for receiver in RECEIVERS {
        let of_receiver = all.with("sender", COMMAND).with("receiver", receiver);
        if of_receiver.is_empty() {
            continue;
        }
        table.heading(receiver);
        for carrier in Carrier::ALL {
            for kind in [INFORM, TRAP] {
                let sent = of_receiver.with("stack", carrier.id()).with("kind", kind);
                if sent.is_empty() {
                    continue;
                }
                table.row([
                    Cell::text(carrier.name()),
                    Cell::text(kind),
                    Cell::of(&sent, "new", Unit::Seconds),
                    Cell::of(&sent, "new_frames", Unit::Count),
                    Cell::of(&sent, "new_octets", Unit::Octets),
                ]);
            }
        }
    }
    table
}

fn figure(all: &Selection<'_>) -> Figure {
    let rows = Carrier::ALL.into_iter().filter_map(|carrier| {
        let sent = inform(all, carrier);
        let bars: Vec<Bar> = [("new", "New session"), ("open", "Open session")]
            .into_iter()
            .filter_map(|(value, series)| {
                let measured = Measured::new(sent.summary(value)?, Unit::Seconds);
                Some(Bar::Measured(By::Ours, series.to_owned(), measured))
            })
            .collect();
        (!bars.is_empty()).then(|| BarRow { label: carrier.name().to_owned(), bars })
    });
    let bars = Bars {
        axis: Axis::linear("Time until the acknowledgement", Unit::Seconds),
        rows: rows.collect(),
        reference: None,
    };
    Figure::new("One inform to portreeve-trapd", bars)
}

/// Adds a sentence for new and one for open sessions: the cost of a secure session in relation to
/// that of USM over UDP.
fn verdicts(all: &Selection<'_>, section: &mut Section) {
    for (value, session) in [("new_octets", "a new"), ("open_octets", "an open")] {
        let usm = inform(all, Carrier::UdpV3);
        let ratios: Vec<(Carrier, Summary)> = [Carrier::Ssh, Carrier::Tls, Carrier::Dtls]
            .into_iter()
            .filter_map(|carrier| Some((carrier, inform(all, carrier).ratios(&usm, value)?)))
            .collect();
        if ratios.is_empty() {
            continue;
        }
        let listed: Vec<String> = ratios
            .iter()
            .map(|(carrier, ratio)| format!("{} {}", carrier.name(), ratio_text(ratio)))
            .collect();
        section.verdict(
            Source::Lab,
            Outcome::of_parts(ratios.iter().map(|(_, ratio)| is_above(ratio, 1.0))),
            format!("An inform in {session} session needs more octets than with USM over UDP."),
            format!("Here the ratios are: {}.", listed.join(", ")),
        );
    }
}

fn inform<'s>(all: &Selection<'s>, carrier: Carrier) -> Selection<'s> {
    let sent = all.with("receiver", TRAPD).with("sender", LIBRARY);
    sent.with("kind", INFORM).with("stack", carrier.id())
}

const RECEIVERS: [&str; 2] = [TRAPD, SNMPTRAPD];

#[cfg(test)]
mod tests {
    use portreeve_lab_report::document::{Block, Row};
    use portreeve_lab_report::sample::{Record, Sample, Variant};

    use super::*;

    fn record(receiver: &str, kind: &str, carrier: Carrier, octets: f64) -> Record {
        let variant = Variant::of([("receiver", receiver), ("sender", LIBRARY), ("kind", kind)])
            .and("stack", carrier.id());
        let sample = Sample::new(NAME, variant, 0).value("new", 0.001).value("new_octets", octets);
        Record::Sample(sample)
    }

    fn section(records: Vec<Record>) -> Section {
        let mut section = Section::new(NAME, "");
        draw(&Samples::new(records), &mut section);
        section
    }

    fn verdict_of(section: &Section) -> Option<(Outcome, String)> {
        section.blocks.iter().find_map(|block| match block {
            Block::Verdict(verdict) => Some((verdict.outcome, format!("{:?}", verdict.finding))),
            _ => None,
        })
    }

    #[test]
    fn verdict_compares_informs_to_our_receiver_with_usm() {
        let drawn = section(vec![
            record(TRAPD, INFORM, Carrier::UdpV3, 500.0),
            record(TRAPD, INFORM, Carrier::UdpV3, 500.0),
            record(TRAPD, INFORM, Carrier::Ssh, 1500.0),
            record(TRAPD, INFORM, Carrier::Ssh, 1500.0),
            record(TRAPD, INFORM, Carrier::Tls, 250.0),
            record(TRAPD, INFORM, Carrier::Tls, 250.0),
            record(SNMPTRAPD, INFORM, Carrier::Dtls, 9000.0),
            record(TRAPD, TRAP, Carrier::Dtls, 9000.0),
        ]);
        let (outcome, finding) = verdict_of(&drawn).unwrap();
        assert_eq!(outcome, Outcome::HoldsInPart);
        assert!(finding.contains("v3 over SSH 3") && finding.contains("TLS 1.3 0.500"), "{finding}");
        assert!(!finding.contains("DTLS"), "{finding}");
    }

    #[test]
    fn traps_and_informs_have_tables_of_their_own() {
        let drawn = section(vec![
            record(TRAPD, INFORM, Carrier::UdpV2c, 500.0),
            record(TRAPD, TRAP, Carrier::UdpV2c, 250.0),
            record(TRAPD, TRAP, Carrier::Ssh, 250.0),
        ]);
        let tables: Vec<usize> = drawn
            .blocks
            .iter()
            .filter_map(|block| match block {
                Block::Table(table) => {
                    Some(table.rows.iter().filter(|row| matches!(row, Row::Cells(_))).count())
                }
                _ => None,
            })
            .collect();
        assert_eq!(tables, [1, 2]);
        let captions = drawn.blocks.iter().filter_map(|block| match block {
            Block::Table(table) => Some(table.caption.to_string()),
            _ => None,
        });
        let is_limited: Vec<bool> =
            captions.map(|caption| caption.contains("does not compare transports")).collect();
        assert_eq!(is_limited, [false, true]);
    }
}
