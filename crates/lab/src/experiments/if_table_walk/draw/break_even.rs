//! The set-up cost of a session and the cost of each exchange, by regression, and the number of
//! exchanges above which a session is faster than USM.

use portreeve_lab_report::document::{Cell, Outcome, Section, Table};
use portreeve_lab_report::papers::paper_000;
use portreeve_lab_report::samples::Selection;
use portreeve_lab_report::statistics::{BreakEven, Level, Line, break_even};
use portreeve_lab_report::unit::Unit;

use super::super::OURS;
use super::super::variants::stacks;
use super::{PAPER_STACKS, getnext};
use crate::client::{Carrier, Message, ProtocolStack};
use crate::harness::Peer;

/// Adds the table of costs, the table of break-evens, and what is left of the paper's statements.
pub(super) fn add(all: &Selection<'_>, section: &mut Section) {
    section.paragraph(
        "The lines are fitted to all walks by least squares of the relative error: time = S + M · exchanges, with the \
         set-up S and the cost M of each exchange.",
    );
    section.table(costs(all));
    section.table(break_evens(all));
    verdicts(all, section);
}

fn costs(all: &Selection<'_>) -> Table {
    let mut table = Table::new("The set-up of a session and the cost of each exchange")
        .column("Stack")
        .column_with("Set-up S", "Portreeve")
        .column_with("Each exchange M", "Portreeve")
        .column_with("Set-up S", "slow agent")
        .column_with("Each exchange M", "slow agent")
        .column_with("Set-up S", "Net-SNMP")
        .column_with("Each exchange M", "Net-SNMP");
    for stack in stacks() {
        let mut cells = vec![Cell::text(stack.label())];
        for (agent, setting) in SOURCES {
            let walks = getnext(all, agent, setting, stack);
            match line(&walks) {
                Some(line) => cells.extend([line.intercept, line.slope].map(|estimate| {
                    Cell::computed(estimate.value, Some(estimate.interval(Level::P95)), Unit::Seconds)
                })),
                None => cells.extend([missing(&walks), missing(&walks)]),
            }
        }
        table.row(cells);
    }
    table
}

fn break_evens(all: &Selection<'_>) -> Table {
    let mut table = Table::new("Exchanges above which a session is faster than USM over UDP, with HMAC-SHA-256 and AES-128 or with HMAC-MD5 and AES-128")
        .column("Session")
        .column_with("than USM with", "")
        .column_with("Exchanges", "paper")
        .column_with("Exchanges", "Portreeve")
        .column_with("Exchanges", "slow agent");
    for session in SESSIONS {
        for usm in USM {
            let printed = (session == SSH && usm == USM_OF_PAPER).then_some(paper_000::BREAK_EVEN);
            let algorithms = if usm == USM_OF_PAPER { "HMAC-MD5" } else { "HMAC-SHA-256" };
            let cell = |setting| {
                let walks = [usm, session].map(|stack| getnext(all, OURS, setting, stack));
                crossing(&walks).map_or_else(|| missing(&walks[1]), text)
            };
            table.row([
                Cell::text(session.label()),
                Cell::text(algorithms),
                Cell::paper(printed),
                cell("pinned"),
                cell("slow"),
            ]);
        }
    }
    table
}

fn verdicts(all: &Selection<'_>, section: &mut Section) {
    let find = |setting| crossing(&[USM_OF_PAPER, SSH].map(|stack| getnext(all, OURS, setting, stack)));
    if let Some(found) = find("pinned") {
        let (outcome, finding) = match found {
            BreakEven::At { value, .. } | BreakEven::Unbounded { value } => {
                let is_near = (PAPER_EXCHANGES / 2.0..=PAPER_EXCHANGES * 2.0).contains(&value);
                let outcome = if is_near { Outcome::Holds } else { Outcome::HoldsInPart };
                (outcome, format!("Here it is faster after {value:.0} exchanges."))
            }
            BreakEven::SecondIsCheaper => (Outcome::HoldsInPart, "Here it is always faster.".to_owned()),
            BreakEven::FirstIsCheaper | BreakEven::Reversed { .. } => {
                (Outcome::DoesNotHold, "Here USM remains faster, however long the session is.".to_owned())
            }
        };
        section.verdict(outcome, "A session over SSH is faster than USM after about 500 exchanges.", finding);
    }
    if let (Some(BreakEven::At { value: fast, .. }), Some(BreakEven::At { value: slow, .. })) =
        (find("pinned"), find("slow"))
    {
        let ratio = slow / fast;
        let outcome = if (0.5..=2.0).contains(&ratio) { Outcome::Holds } else { Outcome::DoesNotHold };
        section.verdict(
            outcome,
            "The break-even does not depend on the speed of the agent.",
            format!("Here it is {} times as high with the slow agent.", Unit::Ratio.text(ratio)),
        );
    }
    let slope = |stack| line(&getnext(all, OURS, "pinned", stack)).map(|line| line.slope.value);
    if let [Some(udp), Some(tcp), Some(usm), Some(usm_tcp), _] = PAPER_STACKS.map(slope) {
        let transport = (tcp - udp).abs().max((usm_tcp - usm).abs());
        let security = (usm - udp).min(usm_tcp - tcp);
        let outcome = if transport < security { Outcome::Holds } else { Outcome::DoesNotHold };
        section.verdict(
            outcome,
            "The difference between UDP and TCP is marginal compared with the cost of authentication and privacy.",
            format!(
                "Here TCP changes the cost of an exchange by at most {}, and USM adds at least {}.",
                Unit::Seconds.text(transport),
                Unit::Seconds.text(security)
            ),
        );
    }
}

/// Fits a line to the times of all walks by their exchanges.
fn line(walks: &Selection<'_>) -> Option<Line> {
    let value = |sample: &portreeve_lab_report::sample::Sample, name: &str| sample.values.get(name).copied();
    let points: Vec<(f64, f64)> = walks
        .samples()
        .filter_map(|sample| Some((value(sample, "exchanges")?, value(sample, "time")?)))
        .collect();
    Line::fit_relative(&points)
}

fn crossing(walks: &[Selection<'_>; 2]) -> Option<BreakEven> {
    let [first, second] = walks;
    Some(break_even(&line(first)?, &line(second)?, Level::P95))
}

fn text(found: BreakEven) -> Cell {
    match found {
        BreakEven::At { value, interval } => Cell::computed(value, Some(interval), Unit::Count),
        BreakEven::Unbounded { value } => Cell::text(format!("about {value:.0}; the interval has no bound")),
        BreakEven::FirstIsCheaper => Cell::text("never: USM is always faster"),
        BreakEven::SecondIsCheaper => Cell::text("always: the session is faster from the first exchange"),
        BreakEven::Reversed { value } => Cell::text(format!("the session is faster only below {value:.0}")),
    }
}

/// Returns the reason why there is no line: no measurement, or too few sizes. Some stacks are not
/// measured in every setting.
fn missing(walks: &Selection<'_>) -> Cell {
    if walks.is_empty() {
        if walks.unavailable().is_none() { Cell::Empty } else { Cell::missing(walks) }
    } else {
        Cell::Unavailable("too few numbers of rows".to_owned())
    }
}

const SOURCES: [(&str, &str); 3] = [(OURS, "pinned"), (OURS, "slow"), (Peer::NetSnmp.name(), "pinned")];
const SSH: ProtocolStack = ProtocolStack::v2c(Carrier::Ssh);
const USM_OF_PAPER: ProtocolStack = ProtocolStack::new(Message::USM_MD5_AES128, Carrier::Udp);
const USM: [ProtocolStack; 2] = [USM_OF_PAPER, ProtocolStack::new(Message::USM_SHA256_AES128, Carrier::Udp)];
const SESSIONS: [ProtocolStack; 6] = [
    SSH,
    ProtocolStack::tsm(Carrier::Ssh),
    ProtocolStack::tsm(Carrier::Tls12),
    ProtocolStack::tsm(Carrier::Tls),
    ProtocolStack::tsm(Carrier::Dtls12),
    ProtocolStack::tsm(Carrier::Dtls13),
];
const PAPER_EXCHANGES: f64 = 500.0;
