//! Tables 6 a and 6 b of paper 002: versions, carriers and levels, and four rows of ratios.

use portreeve_lab_report::document::{Cell, NoticeKind, Outcome, Section, Source, Table};
use portreeve_lab_report::papers::paper_002::{Comparison, Ratios, SNMPGET};
use portreeve_lab_report::samples::Selection;
use portreeve_lab_report::unit::Unit;

use super::judgement::{count_text, is_above, range_text};
use crate::client::{Carrier, Message, ProtocolStack};
use crate::harness::Peer;
use crate::peers::{LESS_PROTECTED, OURS};

/// Adds the table, with columns of the paper, of our programs and of Net-SNMP's for each level.
/// `select` returns the samples of a stack at an agent, by the client of the same project.
pub(super) fn add<'s>(
    section: &mut Section,
    title: &str,
    paper: &Comparison,
    select: impl Fn(&str, ProtocolStack) -> Selection<'s>,
) {
    // At the lower levels, TLS has less protection.
    let peer = |stack: ProtocolStack| select(Peer::NetSnmp.name(), stack);
    let select = |level: usize, stack: ProtocolStack| match stack.carrier {
        Carrier::Tls => select(TLS_AGENTS.get(level).unwrap_or(&OURS), stack),
        _ => select(OURS, stack),
    };
    let mut table = Table::new(title)
        .column("Protocol")
        .column_with("noAuthNoPriv", "paper")
        .column_with("noAuthNoPriv", "Portreeve")
        .column_with("noAuthNoPriv", "Net-SNMP")
        .column_with("authNoPriv", "paper")
        .column_with("authNoPriv", "Portreeve")
        .column_with("authNoPriv", "Net-SNMP")
        .column_with("authPriv", "paper")
        .column_with("authPriv", "Portreeve")
        .column_with("authPriv", "Net-SNMP");
    times(&mut table, paper, &select, &peer);
    ratios(&mut table, paper, &select, &peer);
    section.table(table);
    verdict(section, paper, &select);
    section.notice(
        NoticeKind::Note,
        "At noAuthNoPriv and authNoPriv, TLS has cipher suites that only the lab has: without protection of messages, \
         and with integrity only. Both ends are authenticated by certificates at every level. The agent is that of \
         portreeved, inside a process of the lab. USM has the algorithms of the paper, HMAC-MD5 and DES. Net-SNMP has no \
         TLS that today's OpenSSL accepts: the ratios in its columns relate its USM to Portreeve's TLS of the same level.",
    );
}

fn times<'s>(
    table: &mut Table,
    paper: &Comparison,
    select: &impl Fn(usize, ProtocolStack) -> Selection<'s>,
    peer: &impl Fn(ProtocolStack) -> Selection<'s>,
) {
    let v1 = |carrier| [Some(ProtocolStack::new(Message::V1, carrier)), None, None];
    let tls = |message| [Some(ProtocolStack::new(message, Carrier::Tls)); 3];
    let only = |value| [Some(value), None, None];
    let rows = [
        ("v1 over UDP", only(paper.v1_udp), v1(Carrier::Udp)),
        ("v1 over TCP", only(paper.v1_tcp), v1(Carrier::Tcp)),
        ("v1 over TLS", paper.v1_tls.times().map(Some), tls(Message::V1)),
        ("v3 over TLS, without USM", paper.v3_tls.times().map(Some), tls(Message::Tsm)),
        ("v3 over UDP, with USM", paper.v3_udp.times().map(Some), usm(Carrier::Udp).map(Some)),
        ("v3 over TCP, with USM", paper.v3_tcp.times().map(Some), usm(Carrier::Tcp).map(Some)),
    ];
    for (name, printed, stacks) in rows {
        let cells = printed.into_iter().zip(stacks).enumerate().flat_map(|(level, (printed, stack))| {
            let time = |stack| Cell::of(&select(level, stack), "time", Unit::Seconds);
            let of_peer = stack.and_then(|stack| peer(stack).summary("time"));
            let of_peer = of_peer.map_or(Cell::Empty, |time| Cell::measured(time, Unit::Seconds));
            [Cell::paper(printed), stack.map_or(Cell::Empty, time), of_peer]
        });
        table.row([Cell::text(name)].into_iter().chain(cells));
    }
}

fn ratios<'s>(
    table: &mut Table,
    paper: &Comparison,
    select: &impl Fn(usize, ProtocolStack) -> Selection<'s>,
    peer: &impl Fn(ProtocolStack) -> Selection<'s>,
) {
    table.heading("Ratios");
    for ratio in compared(paper) {
        let levels = ratio.printed.all().into_iter().zip(usm(ratio.carrier)).enumerate();
        let cells = levels.flat_map(|(level, (printed, usm))| {
            let tls = ProtocolStack::new(ratio.message, Carrier::Tls);
            let tls = select(level, tls);
            let measured = Cell::ratio_of(&select(level, usm), &tls, "time");
            let of_peer = peer(usm).ratios(&tls, "time");
            let of_peer = of_peer.map_or(Cell::Empty, |ratios| Cell::measured(ratios, Unit::Ratio));
            [Cell::paper(printed), measured, of_peer]
        });
        table.row([Cell::text(ratio.name)].into_iter().chain(cells));
    }
}

/// The paper's claim on the ratios with authentication, and what was found.
fn verdict<'s>(
    section: &mut Section,
    paper: &Comparison,
    select: &impl Fn(usize, ProtocolStack) -> Selection<'s>,
) {
    let (mut printed, mut found) = (Vec::new(), Vec::new());
    for ratio in compared(paper) {
        let levels = ratio.printed.all().into_iter().zip(usm(ratio.carrier)).enumerate();
        for (level, (value, usm)) in levels.skip(1) {
            let tls = ProtocolStack::new(ratio.message, Carrier::Tls);
            printed.push(value.value());
            found.extend(select(level, usm).ratios(&select(level, tls), "time"));
        }
    }
    let (Some(measured), Some((low, high))) = (range_text(&found), range(&printed)) else { return };
    section.verdict(
        Source::Paper(source(paper)),
        Outcome::of_parts(found.iter().map(|ratio| is_above(ratio, 1.0))),
        format!(
            "With authentication, {} with USM takes longer than over TLS with similar protection: {} to {} times.",
            paper.operation,
            Unit::Ratio.text(low),
            Unit::Ratio.text(high)
        ),
        format!("Here it takes {measured} times as long; {}.", count_text(&found, 1.0)),
    );
}

fn source(paper: &Comparison) -> &'static str {
    if paper.operation == SNMPGET.operation { "002 Table 6 a" } else { "002 Table 6 b" }
}

fn range(values: &[f64]) -> Option<(f64, f64)> {
    let low = values.iter().copied().reduce(f64::min)?;
    Some((low, values.iter().copied().reduce(f64::max)?))
}

/// A row of ratios: USM over a carrier in relation to messages over TLS.
struct Compared {
    name: &'static str,
    printed: Ratios,
    carrier: Carrier,
    message: Message,
}

fn compared(paper: &Comparison) -> [Compared; 4] {
    [
        ("v3-UDP / v1-TLS", paper.udp_to_v1_tls, Carrier::Udp, Message::V1),
        ("v3-UDP / v3-TLS", paper.udp_to_v3_tls, Carrier::Udp, Message::Tsm),
        ("v3-TCP / v1-TLS", paper.tcp_to_v1_tls, Carrier::Tcp, Message::V1),
        ("v3-TCP / v3-TLS", paper.tcp_to_v3_tls, Carrier::Tcp, Message::Tsm),
    ]
    .map(|(name, printed, carrier, message)| Compared { name, printed, carrier, message })
}

/// The stacks of USM at each level.
fn usm(carrier: Carrier) -> [ProtocolStack; 3] {
    [Message::USM, Message::USM_MD5, Message::USM_MD5_DES].map(|message| ProtocolStack::new(message, carrier))
}

/// The stacks over TLS that are measured with less protection too.
pub(super) const TLS_STACKS: [ProtocolStack; 2] =
    [ProtocolStack::new(Message::V1, Carrier::Tls), ProtocolStack::tsm(Carrier::Tls)];

/// The agents whose TLS has the protection of each level.
const TLS_AGENTS: [&str; 3] = {
    let [(none, _), (integrity, _)] = LESS_PROTECTED;
    [none, integrity, OURS]
};

#[cfg(test)]
mod tests {
    use portreeve_lab_report::document::{Block, Row};
    use portreeve_lab_report::papers::paper_002::SNMPGET;
    use portreeve_lab_report::sample::{Record, Sample, Variant};
    use portreeve_lab_report::samples::Samples;

    use super::*;

    #[test]
    fn net_snmp_has_its_own_times_and_ratios_to_our_tls() {
        let time = |agent: &str, stack: ProtocolStack, time: f64| {
            let variant = Variant::of([("agent", agent)]).and("stack", stack.id());
            Record::Sample(Sample::new("x", variant, 0).value("time", time))
        };
        let usm = ProtocolStack::new(Message::USM_MD5_DES, Carrier::Udp);
        let samples = Samples::new(vec![
            time(OURS, usm, 0.001),
            time(OURS, ProtocolStack::tsm(Carrier::Tls), 0.002),
            time(Peer::NetSnmp.name(), usm, 0.003),
        ]);
        let (all, mut section) = (samples.experiment("x"), Section::default());
        add(&mut section, "a title", &SNMPGET, |agent, stack| {
            all.with("agent", agent).with("stack", &stack.id())
        });
        let Some(Block::Table(table)) = section.blocks.first() else { panic!("no table") };
        let last = |name: &str| {
            let row = table.rows.iter().find_map(|row| match row {
                Row::Cells(cells) if cells[0] == Cell::text(name) => Some(cells),
                _ => None,
            });
            let cells = row.unwrap();
            assert_eq!(cells.len(), table.columns.len());
            let value = |cell: &Cell| match cell {
                Cell::Measured(measured) => measured.value(),
                other => panic!("{other:?}"),
            };
            cells[8..].iter().map(value).collect::<Vec<_>>()
        };
        assert_eq!(last("v3 over UDP, with USM"), [0.001, 0.003]);
        assert_eq!(last("v3-UDP / v3-TLS"), [0.5, 1.5]);
    }
}
