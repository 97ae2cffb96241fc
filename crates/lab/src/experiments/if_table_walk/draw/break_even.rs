//! The set-up cost of a session and the cost of each exchange, by regression, and the number of
//! exchanges above which a session is faster than USM.

use portreeve_lab_report::document::{Cell, NoticeKind, Outcome, Section, Source, Table};
use portreeve_lab_report::papers::paper_000;
use portreeve_lab_report::samples::Selection;
use portreeve_lab_report::statistics::{BreakEven, Estimate, Interval, Level, Line, break_even, difference};
use portreeve_lab_report::unit::Unit;

use super::super::OURS;
use super::super::variants::stacks;
use super::{PAPER_STACKS, getnext};
use crate::client::{Carrier, Message, ProtocolStack};
use crate::experiments::client_setup;
use crate::experiments::judgement::{explained_break_even, interval_is_less, time_text};
use crate::experiments::within_range::is_within;
use crate::harness::Peer;

/// Adds the table of costs, the table of break-evens, and what is left of the paper's statements.
pub(super) fn add(all: &Selection<'_>, section: &mut Section) {
    section.paragraph(
        "The lines are fitted to all walks by least squares of the relative error: time = S + M · exchanges, with the \
         set-up S and the cost M of each exchange. A break-even is decided only if both the set-ups and the costs of an \
         exchange differ significantly (95 %); its interval is Fieller's.",
    );
    section.table(costs(all));
    note_on_negative_setups(all, section);
    section.table(break_evens(all));
    client_setup::note(section, all);
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

/// Notes the lines whose set-up is significantly below 0: the model does not fit these walks.
fn note_on_negative_setups(all: &Selection<'_>, section: &mut Section) {
    for (program, (agent, setting)) in ["Portreeve", "the slow agent", "Net-SNMP"].into_iter().zip(SOURCES) {
        let is_negative = |stack: &ProtocolStack| {
            let line = line(&getnext(all, agent, setting, *stack));
            line.is_some_and(|line| line.intercept.interval(Level::P95).high < 0.0)
        };
        let labels: Vec<String> =
            stacks().into_iter().filter(is_negative).map(ProtocolStack::label).collect();
        if !labels.is_empty() {
            section.notice(
                NoticeKind::Note,
                format!(
                    "With {program}, the interval of S is below 0 for {}. A set-up cannot take a negative time: these \
                     walks take longer for each exchange the more rows there are, so that a straight line does not \
                     describe them, and S and M are not costs of their own.",
                    labels.join("; ")
                ),
            );
        }
    }
}

fn break_evens(all: &Selection<'_>) -> Table {
    let mut table = Table::new(
        "Exchanges above which a session is faster than USM over UDP, with AES-128 and with HMAC-MD5 or HMAC-SHA-256",
    )
    .column("Session")
    .column_with("than USM with", "")
    .column_with("Exchanges", "paper")
    .column_with("Exchanges", "Portreeve")
    .column_with("Exchanges", "slow agent")
    .column_with("Exchanges", "Net-SNMP");
    for session in SESSIONS {
        for usm in USM {
            let printed = (session == SSH && usm == USM_OF_PAPER).then_some(paper_000::BREAK_EVEN);
            let algorithms = if usm == USM_OF_PAPER { "HMAC-MD5" } else { "HMAC-SHA-256" };
            let cells = SOURCES.map(|(agent, setting)| {
                let walks = [usm, session].map(|stack| getnext(all, agent, setting, stack));
                match lines(&walks) {
                    Ok(lines) => explained_break_even(crossing(&lines), &lines),
                    Err(missing) => missing,
                }
            });
            let head = [Cell::text(session.label()), Cell::text(algorithms), Cell::paper(printed)];
            table.row(head.into_iter().chain(cells));
        }
    }
    table
}

fn verdicts(all: &Selection<'_>, section: &mut Section) {
    let find = |setting| {
        let walks = [USM_OF_PAPER, SSH].map(|stack| getnext(all, OURS, setting, stack));
        lines(&walks).ok().map(|lines| crossing(&lines))
    };
    let (fast, slow) = (find("pinned"), find("slow"));
    if let Some(found) = fast {
        let (outcome, finding) = about_500(found);
        section.verdict(
            Source::Paper("000 §5.3"),
            outcome,
            "A session over SSH is faster than USM after about 500 exchanges.",
            finding,
        );
    }
    if let (Some(fast), Some(slow)) = (fast, slow) {
        let (outcome, finding) = speed_of_agent(fast, slow);
        section.verdict(
            Source::Paper("000 §5.3"),
            outcome,
            "The break-even does not depend on the speed of the agent.",
            finding,
        );
    }
    transports(all, section);
}

/// Judges the break-even of SSH and USM. The paper's is "about" 500: up to twice or half as many.
fn about_500(found: BreakEven) -> (Outcome, String) {
    let near = Interval { low: PAPER_EXCHANGES / 2.0, high: PAPER_EXCHANGES * 2.0 };
    let count = |value, interval| Unit::Count.estimate_text(value, Some(interval), Level::P95);
    match found {
        BreakEven::At { value, interval } => {
            let outcome = match is_within(interval, near) {
                Some(true) => Outcome::Holds,
                // A session does become faster, but after another number of exchanges.
                Some(false) => Outcome::HoldsInPart,
                None => Outcome::NotDecided,
            };
            (outcome, format!("Here it is faster after {} exchanges.", count(value, interval)))
        }
        BreakEven::SecondIsCheaper => (Outcome::HoldsInPart, "Here it is always faster.".to_owned()),
        BreakEven::FirstIsCheaper => {
            (Outcome::DoesNotHold, "Here USM remains faster, however long the session is.".to_owned())
        }
        BreakEven::Reversed { value, interval } => (
            Outcome::DoesNotHold,
            format!("Here it is faster only below {} exchanges.", count(value, interval)),
        ),
        BreakEven::NotDecided { above } => {
            let open = "Here the costs of an exchange over SSH and with USM do not differ significantly";
            let bound = above.map_or(String::new(), |above| {
                format!(
                    ": a break-even, if there is one, is above {} exchanges",
                    Unit::Count.text(above.round())
                )
            });
            let is_far = above.is_some_and(|above| above > near.high);
            (if is_far { Outcome::DoesNotHold } else { Outcome::NotDecided }, format!("{open}{bound}."))
        }
    }
}

fn speed_of_agent(fast: BreakEven, slow: BreakEven) -> (Outcome, String) {
    let (BreakEven::At { value: fast, interval: of_fast }, BreakEven::At { value: slow, interval: of_slow }) =
        (fast, slow)
    else {
        let finding =
            "Here at least one of the two break-evens is not significant, so that they cannot be compared.";
        return (Outcome::NotDecided, finding.to_owned());
    };
    let ratio = Interval { low: of_slow.low / of_fast.high, high: of_slow.high / of_fast.low };
    let outcome = match interval_is_less(of_fast, of_slow) {
        Some(_) => Outcome::DoesNotHold,
        None if of_fast.low > 0.0 && is_within(ratio, SAME) == Some(true) => Outcome::Holds,
        None => Outcome::NotDecided,
    };
    let count = |value, interval| Unit::Count.estimate_text(value, Some(interval), Level::P95);
    let finding = format!(
        "Here it is {} with the fast agent and {} with the slow one.",
        count(fast, of_fast),
        count(slow, of_slow)
    );
    (outcome, finding)
}

/// Compares the cost of TCP with that of USM, for both programs.
fn transports(all: &Selection<'_>, section: &mut Section) {
    let found: Vec<(&str, [Estimate; 4])> = [(OURS, "Portreeve"), (Peer::NetSnmp.name(), "Net-SNMP")]
        .into_iter()
        .filter_map(|(agent, name)| {
            let slope = |stack| Some(line(&getnext(all, agent, "pinned", stack))?.slope);
            let [udp, tcp, usm, usm_tcp, _] = PAPER_STACKS;
            Some((name, [slope(udp)?, slope(tcp)?, slope(usm)?, slope(usm_tcp)?]))
        })
        .collect();
    if found.is_empty() {
        return;
    }
    // USM over UDP costs more than v2c over TCP, and USM over TCP more than v2c over UDP, exactly
    // if USM adds more than TCP adds or saves, each on average.
    let parts = found.iter().map(|(_, [udp, tcp, usm, usm_tcp])| {
        let signs = [(usm, tcp), (usm_tcp, udp)].map(|(top, less)| difference(top, less).sign(Level::P95));
        match signs {
            [Some(true), Some(true)] => Some(true),
            signs if signs.contains(&Some(false)) => Some(false),
            _ => None,
        }
    });
    let findings = found.iter().map(|(name, [udp, tcp, usm, usm_tcp])| {
        format!(
            "with {name}, TCP changes the cost of an exchange by {}, and USM by {}",
            time_text(&mean(&difference(tcp, udp), &difference(usm_tcp, usm))),
            time_text(&mean(&difference(usm, udp), &difference(usm_tcp, tcp)))
        )
    });
    section.verdict(
        Source::Paper("000 §5.3"),
        Outcome::of_parts(parts),
        "The difference between UDP and TCP is marginal compared with the cost of authentication and privacy.",
        format!("Here, {}.", findings.collect::<Vec<_>>().join("; ")),
    );
}

/// Returns the mean of two independent estimates.
fn mean(one: &Estimate, other: &Estimate) -> Estimate {
    Estimate {
        value: (one.value + other.value) / 2.0,
        error: one.error.hypot(other.error) / 2.0,
        freedom: one.freedom.min(other.freedom),
    }
}

/// Fits a line to the times of all walks by their exchanges.
pub(super) fn line(walks: &Selection<'_>) -> Option<Line> {
    let value = |sample: &portreeve_lab_report::sample::Sample, name: &str| sample.values.get(name).copied();
    let points: Vec<(f64, f64)> = walks
        .samples()
        .filter_map(|sample| Some((value(sample, "exchanges")?, value(sample, "time")?)))
        .collect();
    Line::fit_relative(&points)
}

/// Returns the lines of USM and of a session, or the reason why one of them is missing.
fn lines(walks: &[Selection<'_>; 2]) -> Result<[Line; 2], Cell> {
    let [usm, session] = walks;
    let of = |walks| line(walks).ok_or_else(|| missing(walks));
    Ok([of(usm)?, of(session)?])
}

fn crossing([usm, session]: &[Line; 2]) -> BreakEven {
    break_even(usm, session, Level::P95)
}

/// Returns the reason why there is no line: no measurement, or too few sizes.
fn missing(walks: &Selection<'_>) -> Cell {
    if walks.is_empty() {
        Cell::missing(walks)
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
/// The ratio of two break-evens that count as the same.
const SAME: Interval = Interval { low: 0.5, high: 2.0 };

#[cfg(test)]
mod tests;
