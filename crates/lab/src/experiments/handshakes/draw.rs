//! The tables and the figure of handshakes.

use portreeve_lab_report::document::{
    Axis, Bar, BarRow, Bars, By, Cell, Figure, Measured, NoticeKind, Outcome, Section, Source, Table,
};
use portreeve_lab_report::sample::Variant;
use portreeve_lab_report::samples::{Samples, Selection};
use portreeve_lab_report::unit::Unit;

use super::{LOGIN, NAME, OPENSSL, OURS, SSHD, STACKS, WORK};
use crate::client::{Carrier, ProtocolStack};
use crate::experiments::judgement::{is_below, ratio_text};
use crate::experiments::unavailable_notes;
use crate::harness::Peer;

/// Fills the section.
pub(super) fn draw(samples: &Samples, section: &mut Section) {
    let all = samples.experiment(NAME);
    section.paragraph(
        "Sessions that are opened, used for one GET and closed. With Portreeve's agent, eight are in progress at a time; \
         the agent and the client have a core each. The handshakes of one core follow from the agent's CPU time, which \
         contains the GET. Over TCP, a session has no handshake. OpenSSL's s_server has the same keys and certificates \
         and requires a certificate of its client; it serves one client at a time, which reads a small file instead of \
         a GET. snmpd, too, serves one session over DTLS at a time.",
    );
    section.table(table(&all));
    for (agent, work, title) in AGENTS {
        // The other sessions of our agent have the same reasons.
        if agent != OURS || work.is_none() {
            unavailable_notes::add(section, title, &all.with("agent", agent));
        }
    }
    if !all.with("agent", SSHD).is_empty() {
        section.notice(NoticeKind::Note, format!("{SSHD_NOTE}{}", cost_of_connections(&all)));
    }
    section.figure(figure(&all));
    verdicts(&all, section);
    compare_with_sshd(&all, section);
}

fn table(all: &Selection<'_>) -> Table {
    let mut table = Table::new("Handshakes, with one GET in each session unless stated otherwise")
        .column("Stack")
        .column("Handshakes of one core")
        .column("CPU time of the agent")
        .column("Sessions completed");
    for (agent, work, title) in AGENTS {
        // Stacks without values are listed below the table.
        let measured: Vec<_> = STACKS
            .into_iter()
            .map(|stack| (stack, sessions_of(all, agent, work, stack)))
            .filter(|(_, sessions)| !sessions.is_empty())
            .collect();
        if !measured.is_empty() {
            table.heading(title);
        }
        for (stack, sessions) in measured {
            let rate = match sessions.summary("rate") {
                Some(rate) => Cell::measured(rate, Unit::PerSecond),
                None => Cell::Empty,
            };
            table.row([
                Cell::text(label(agent, work, stack)),
                Cell::of(&sessions, "core_rate", Unit::PerSecond),
                Cell::of(&sessions, "agent_cpu", Unit::Seconds),
                rate,
            ]);
        }
    }
    table
}

/// Selects the sessions of one kind.
fn sessions_of<'s>(
    all: &Selection<'s>,
    agent: &str,
    work: Option<&str>,
    stack: ProtocolStack,
) -> Selection<'s> {
    let variant = Variant::of([("agent", agent)]).and("stack", stack.id());
    all.only(&work.iter().fold(variant, |variant, work| variant.and(WORK, *work)))
}

/// Returns the name of a stack. Sessions without a GET and those of OpenSSL carry no SNMP.
fn label(agent: &str, work: Option<&str>, stack: ProtocolStack) -> String {
    match agent == OPENSSL || work.is_some() {
        true => stack.carrier.label().to_owned(),
        false => stack.label(),
    }
}

fn figure(all: &Selection<'_>) -> Figure {
    let rows = STACKS.into_iter().filter(|stack| stack.carrier.is_secure()).filter_map(|stack| {
        let bars: Vec<Bar> = AGENTS
            .into_iter()
            .filter_map(|(agent, work, title)| {
                let by = if agent == OURS { By::Ours } else { By::Peer(title) };
                let rate = sessions_of(all, agent, work, stack).summary("core_rate")?;
                Some(Bar::Measured(by, title.to_owned(), Measured::new(rate, Unit::PerSecond)))
            })
            .collect();
        (!bars.is_empty()).then(|| BarRow { label: stack.carrier.label().to_owned(), bars })
    });
    let bars = Bars {
        axis: Axis::linear("Handshakes of one core in a second", Unit::PerSecond),
        rows: rows.collect(),
        reference: None,
    };
    Figure::new("Handshakes that one core of the agent can sustain", bars)
}

/// Adds sentences that compare the agent's CPU time for two kinds of handshakes.
fn verdicts(all: &Selection<'_>, section: &mut Section) {
    for (one, other, claim) in COMPARISONS {
        let of = |carrier| sessions_of(all, OURS, None, ProtocolStack::tsm(carrier));
        let Some(ratio) = of(one).ratios(&of(other), "agent_cpu") else { continue };
        let (one, other) = (one.label(), other.label());
        let times = ratio_text(&ratio);
        section.verdict(
            Source::Lab,
            Outcome::of_parts([is_below(&ratio, 1.0)]),
            claim,
            format!("Here the agent's CPU time with {one} is {times} times that with {other}."),
        );
    }
}

/// Adds a sentence that compares our agent with sshd.
fn compare_with_sshd(all: &Selection<'_>, section: &mut Section) {
    let of = |agent| sessions_of(all, agent, Some(LOGIN), ProtocolStack::tsm(Carrier::Ssh));
    let Some(ratio) = of(OURS).ratios(&of(SSHD), "agent_cpu") else { return };
    section.verdict(
        Source::Lab,
        Outcome::of_parts([is_below(&ratio, 1.0)]),
        "A session of SSH costs Portreeve's agent less than OpenSSH's sshd, which starts processes for each.",
        format!("Here our agent's CPU time is {} times that of sshd.", ratio_text(&ratio)),
    );
}

/// States the part of a session's cost that sshd has for a connection without a key exchange.
fn cost_of_connections(all: &Selection<'_>) -> String {
    let sessions = sessions_of(all, SSHD, Some(LOGIN), ProtocolStack::tsm(Carrier::Ssh));
    let (Some(connection), Some(session)) =
        (sessions.summary("connection_cpu"), sessions.summary("agent_cpu"))
    else {
        return String::new();
    };
    format!(
        " A connection that the client closes before the key exchange costs sshd {}, a session {}.",
        Unit::Seconds.text(connection.median),
        Unit::Seconds.text(session.median)
    )
}

/// The conditions of the comparison with sshd.
const SSHD_NOTE: &str = "OpenSSH's sshd forks for each connection and executes itself again; it isolates the handshake in a \
    process without rights and serves the subsystem in another. Their CPU time counts, because sshd has no session without \
    them; so the figures compare two servers and not two implementations of the same handshake. Our agent serves all \
    sessions in one process. The rest is the same for both: one client opens eight sessions at a time, with the same key \
    exchange and the same host and user keys (Ed25519), logs in, opens the subsystem and closes the session without a \
    message. The subsystem of sshd is the SFTP server inside it, so that it executes no other program. The kernel states \
    the CPU time of ended processes in hundredths of a second.";

const COMPARISONS: [(Carrier, Carrier, &str); 4] = [
    (
        Carrier::TlsResumed,
        Carrier::Tls,
        "Resuming a session of TLS 1.3 costs the agent less than a full handshake.",
    ),
    (Carrier::Tls, Carrier::Ssh, "A handshake of TLS 1.3 costs the agent less than one of SSH."),
    (
        Carrier::Ssh,
        Carrier::SshMlKem,
        "The post-quantum key exchange makes a handshake of SSH more expensive for the agent.",
    ),
    (Carrier::Tls, Carrier::Dtls13, "A handshake of TLS 1.3 costs the agent less than one of DTLS 1.3."),
];

/// The agents in variants, the work in their sessions, and their names in tables.
const AGENTS: [(&str, Option<&str>, &str); 5] = [
    (OURS, None, "Portreeve's agent"),
    (OURS, Some(LOGIN), "Portreeve's agent, sessions without a GET"),
    (SSHD, Some(LOGIN), "OpenSSH's sshd, sessions without a GET"),
    (OPENSSL, None, "OpenSSL's s_server"),
    (Peer::NetSnmp.name(), None, "Net-SNMP's agent"),
];

#[cfg(test)]
mod tests {
    use portreeve_lab_report::document::{Block, Row};
    use portreeve_lab_report::sample::{Record, Sample, Variant};

    use super::*;

    fn record(agent: &str, carrier: Carrier, cpu: f64) -> Record {
        in_round(0, agent, carrier, cpu)
    }

    fn in_round(round: usize, agent: &str, carrier: Carrier, cpu: f64) -> Record {
        let variant = Variant::of([("agent", agent)]).and("stack", ProtocolStack::tsm(carrier).id());
        let sample = Sample::new(NAME, variant, round);
        Record::Sample(sample.value("agent_cpu", cpu).value("core_rate", 1.0 / cpu))
    }

    /// Draws the section of two equal rounds.
    fn section(records: Vec<Record>) -> Section {
        let again = records.clone().into_iter().map(|record| match record {
            Record::Sample(sample) => Record::Sample(Sample { round: 1, ..sample }),
            other => other,
        });
        drawn(records.into_iter().chain(again.collect::<Vec<_>>()).collect())
    }

    fn drawn(records: Vec<Record>) -> Section {
        let mut section = Section::new(NAME, "");
        draw(&Samples::new(records), &mut section);
        section
    }

    fn findings(section: &Section) -> Vec<(Outcome, String)> {
        let verdicts = section.blocks.iter().filter_map(|block| match block {
            Block::Verdict(verdict) => Some((verdict.outcome, format!("{:?}", verdict.finding))),
            _ => None,
        });
        verdicts.collect()
    }

    #[test]
    fn verdict_follows_the_ratio_of_the_samples() {
        let holds = findings(&section(vec![
            record(OURS, Carrier::Tls, 0.002),
            record(OURS, Carrier::TlsResumed, 0.001),
        ]));
        assert_eq!(holds.len(), 1);
        assert_eq!(holds[0].0, Outcome::Holds);
        assert!(holds[0].1.contains("0.500 times"), "{holds:?}");
        let reversed = findings(&section(vec![
            record(OURS, Carrier::Tls, 0.001),
            record(OURS, Carrier::TlsResumed, 0.002),
        ]));
        assert_eq!(reversed[0].0, Outcome::DoesNotHold);
    }

    #[test]
    fn ratio_whose_interval_contains_1_decides_nothing() {
        let records = [(0.001, 0.0014), (0.0012, 0.0011), (0.0011, 0.0013)].into_iter().enumerate();
        let records = records.flat_map(|(round, (resumed, full))| {
            [(Carrier::TlsResumed, resumed), (Carrier::Tls, full)]
                .map(|(carrier, cpu)| in_round(round, OURS, carrier, cpu))
        });
        let found = findings(&drawn(records.collect()));
        assert_eq!(found[0].0, Outcome::NotDecided);
        assert!(
            found[0].1.contains("0.85 (95") && found[0].1.contains("times that with TLS 1.3"),
            "{found:?}"
        );
    }

    #[test]
    fn other_programs_are_not_compared_with_ours_in_verdicts() {
        let section =
            section(vec![record(OPENSSL, Carrier::Tls, 0.002), record(OURS, Carrier::TlsResumed, 0.001)]);
        assert!(findings(&section).is_empty());
    }

    fn login(agent: &str, cpu: f64) -> Record {
        let variant = Variant::of([("agent", agent), (WORK, LOGIN)]);
        let variant = variant.and("stack", ProtocolStack::tsm(Carrier::Ssh).id());
        let sample = Sample::new(NAME, variant, 0).value("agent_cpu", cpu).value("core_rate", 1.0 / cpu);
        Record::Sample(sample.value("connection_cpu", cpu / 2.0))
    }

    #[test]
    fn sshd_is_compared_with_our_sessions_without_a_get() {
        let section = section(vec![
            record(OURS, Carrier::Ssh, 0.030),
            login(OURS, 0.001),
            login(SSHD, 0.004),
            record(OURS, Carrier::SshMlKem, 0.040),
        ]);
        let found = findings(&section);
        // The comparison of the key exchanges uses only sessions with a GET.
        assert!(found[0].1.contains("0.750 times"), "{found:?}");
        assert_eq!(found[1].0, Outcome::Holds);
        assert!(found[1].1.contains("0.250 times"), "{found:?}");
        let is_note = |block: &&Block| match block {
            Block::Notice(notice) => {
                let text = notice.text.to_string().replace('\u{a0}', " ");
                text.contains("costs sshd 2 ms, a session 4 ms")
            }
            _ => false,
        };
        assert_eq!(section.blocks.iter().filter(is_note).count(), 1);
    }

    #[test]
    fn table_has_a_row_for_each_measured_stack_below_its_agent() {
        let section = section(vec![record(OPENSSL, Carrier::Tls, 0.002), record(OURS, Carrier::Ssh, 0.001)]);
        let table = section.blocks.iter().find_map(|block| match block {
            Block::Table(table) => Some(table),
            _ => None,
        });
        let rows = &table.unwrap().rows;
        assert_eq!(rows.len(), 4);
        assert!(matches!(&rows[1], Row::Cells(cells) if cells[0] == Cell::text("v3/TSM over SSH, X25519")));
        assert!(matches!(&rows[3], Row::Cells(cells) if cells[0] == Cell::text("TLS 1.3")));
    }
}
