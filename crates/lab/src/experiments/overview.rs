//! The overview at the start of a report: the cost of the most important choices, from the samples
//! of several experiments.

use portreeve_lab_report::document::{
    Axis, Bar, BarRow, Bars, By, Cell, Chart, Figure, Measured, Plot, Section, Table,
};
use portreeve_lab_report::samples::{Samples, Selection};
use portreeve_lab_report::statistics::{Level, Line, Summary, break_even};
use portreeve_lab_report::unit::Unit;

use super::{judgement, memory, one_shot, session_length};
use crate::client::{Carrier, Message, ProtocolStack};

/// Draws the section; `None` if the run has measured no GET in a session of its own.
pub(crate) fn draw(samples: &Samples) -> Option<Section> {
    let facts = Facts { samples };
    let rows: Vec<ProtocolStack> =
        STACKS.into_iter().filter(|stack| facts.one_shot(*stack).summary("time").is_some()).collect();
    if rows.is_empty() {
        return None;
    }
    let mut section = Section::new(ID, "The cost of each choice");
    section.paragraph(
        "One GET with its session is measured from before the session is opened until it is closed, by a client that has read its \
         keys and certificates; the section on one GET has the time that this takes. The time of a GET in \
         an open session is the mean of all GETs but the first in the longest sessions. From the break-even on, a session \
         with so many GETs takes less time than as many GETs with USM over UDP; it follows from sessions of all lengths, \
         and is not decided if the set-ups or the costs of a GET do not differ significantly. Memory is the agent's, for \
         a session that has answered one GET.",
    );
    section.table(table(&facts, &rows));
    section.figure(times(&facts, &rows));
    section.figure(lengths(&facts));
    Some(section)
}

fn table(facts: &Facts<'_>, rows: &[ProtocolStack]) -> Table {
    let mut table = Table::new("The cost of Portreeve's client and agent")
        .column("Messages and transport")
        .column("GET with its session")
        .column("Frames")
        .column("Octets")
        .column("GET in an open session")
        .column(format!("Break-even with {}", USM.label()))
        .column("Memory of a session");
    for stack in rows {
        let one_shot = facts.one_shot(*stack);
        table.row([
            Cell::text(stack.label()),
            Cell::of(&one_shot, "time", Unit::Seconds),
            Cell::of(&one_shot, "frames", Unit::Count),
            Cell::of(&one_shot, "octets", Unit::Octets),
            facts.open(*stack).map_or(Cell::Empty, |time| Cell::measured(time, Unit::Seconds)),
            facts.break_even(*stack),
            facts.memory(*stack).map_or(Cell::Empty, |memory| Cell::measured(memory, Unit::Bytes)),
        ]);
    }
    table
}

/// The time of a GET with its session, beside that of one in an open session.
fn times(facts: &Facts<'_>, rows: &[ProtocolStack]) -> Figure {
    let rows = rows.iter().map(|stack| {
        let own = facts.one_shot(*stack).summary("time").map(|time| Measured::new(time, Unit::Seconds));
        let open = facts.open(*stack).map(|time| Measured::new(time, Unit::Seconds));
        let bars = [("with its session", own), ("in an open session", open)];
        let bars =
            bars.into_iter().filter_map(|(name, value)| Some(Bar::Measured(By::Ours, name.into(), value?)));
        BarRow { label: stack.label(), bars: bars.collect() }
    });
    let axis = Axis::log("Time of one GET", Unit::Seconds);
    let bars = Bars { axis, rows: rows.collect(), reference: None };
    Figure::new("The time of one GET with a session of its own, and in an open session", Plot::Bars(bars))
}

/// The time of sessions in relation to USM over UDP.
fn lengths(facts: &Facts<'_>) -> Figure {
    let axes = (
        Axis::log("GETs in the session", Unit::Count),
        Axis::log("Time in relation to USM over UDP", Unit::Ratio),
    );
    let mut chart = Chart::new(axes.0, axes.1);
    let usm = facts.lengths(USM);
    for stack in STACKS.into_iter().filter(|stack| *stack != USM) {
        let sessions = facts.lengths(stack);
        let points = usm.axis("messages").into_iter().filter_map(|messages| {
            let ratios =
                sessions.with("messages", messages).ratios(&usm.with("messages", messages), "time")?;
            Some((messages.parse().ok()?, ratios))
        });
        let points: Vec<(f64, Summary)> = points.collect();
        if !points.is_empty() {
            chart.measured(By::Ours, stack.label(), points);
        }
    }
    chart.mark_y(1.0, "USM over UDP");
    Figure::new("The time of sessions in relation to USM over UDP, by the number of GETs", chart)
}

/// The samples, by the facts of the overview.
struct Facts<'s> {
    samples: &'s Samples,
}

impl<'s> Facts<'s> {
    fn one_shot(&self, stack: ProtocolStack) -> Selection<'s> {
        one_shot::library(&self.samples.experiment(one_shot::NAME), stack)
    }

    fn lengths(&self, stack: ProtocolStack) -> Selection<'s> {
        session_length::library(&self.samples.experiment(session_length::NAME), stack)
    }

    /// Fits the set-up and the cost of each message to sessions of all lengths.
    fn line(&self, stack: ProtocolStack) -> Option<Line> {
        Line::fit_relative(&self.lengths(stack).pairs("messages", "time"))
    }

    /// The time of each message after the first one, in the longest sessions.
    fn open(&self, stack: ProtocolStack) -> Option<Summary> {
        let lengths = self.lengths(stack);
        let longest = *lengths.axis("messages").last()?;
        let further = longest.parse::<f64>().ok().filter(|number| *number > 1.0)? - 1.0;
        lengths.with("messages", longest).derived(|sample| Some(sample.values.get("rest")? / further))
    }

    fn break_even(&self, stack: ProtocolStack) -> Cell {
        if stack.carrier == Carrier::Udp {
            return Cell::Empty;
        }
        let (Some(usm), Some(line)) = (self.line(USM), self.line(stack)) else { return Cell::Empty };
        judgement::break_even_cell(break_even(&usm, &line, Level::P95))
    }

    fn memory(&self, stack: ProtocolStack) -> Option<Summary> {
        memory::of_used_session(&self.samples.experiment(memory::NAME), stack)
    }
}

/// The name of the section and of its files.
pub(crate) const ID: &str = "overview";

const USM: ProtocolStack = ProtocolStack::new(Message::USM_SHA256_AES128, Carrier::Udp);

/// The stacks of the overview. All but the first encrypt.
const STACKS: [ProtocolStack; 7] = [
    ProtocolStack::v2c(Carrier::Udp),
    USM,
    ProtocolStack::tsm(Carrier::Ssh),
    ProtocolStack::tsm(Carrier::Tls),
    ProtocolStack::tsm(Carrier::TlsResumed),
    ProtocolStack::tsm(Carrier::Dtls12),
    ProtocolStack::tsm(Carrier::Dtls13),
];

#[cfg(test)]
mod tests {
    use portreeve_lab_report::document::{Block, Row};
    use portreeve_lab_report::markdown;

    use super::*;

    fn sample(experiment: &str, variant: &str, round: usize, values: &str) -> String {
        format!(
            r#"{{"kind":"sample","experiment":"{experiment}","variant":{{"agent":"portreeved","client":"library",{variant}}},"round":{round},"values":{{{values}}}}}"#
        )
    }

    /// USM costs 0.1 ms for each message; SSH costs 1 ms, and 0.05 ms for each message.
    fn samples() -> Samples {
        let mut lines = Vec::new();
        for round in 0..3 {
            lines.push(sample(
                "one-shot",
                r#""stack":"usm-sha256-aes128/udp","keys":"localized""#,
                round,
                r#""time":0.0003"#,
            ));
            lines.push(sample("one-shot", r#""stack":"tsm/ssh""#, round, r#""time":0.00105,"frames":22"#));
            for messages in [1, 10, 100] {
                let count = f64::from(messages);
                let usm = format!(r#""time":{},"rest":{}"#, 1e-4 * count, 1e-4 * (count - 1.0));
                lines.push(sample(
                    "session-length",
                    &format!(r#""stack":"usm-sha256-aes128/udp","messages":"{messages}""#),
                    round,
                    &usm,
                ));
                let ssh = format!(r#""time":{},"rest":{}"#, 1e-3 + 5e-5 * count, 5e-5 * (count - 1.0));
                lines.push(sample(
                    "session-length",
                    &format!(r#""stack":"tsm/ssh","messages":"{messages}""#),
                    round,
                    &ssh,
                ));
            }
        }
        Samples::parse(&lines.join("\n")).unwrap()
    }

    #[test]
    fn identifiers_of_stacks_in_these_tests_are_those_of_samples() {
        assert_eq!(USM.id(), "usm-sha256-aes128/udp");
        assert_eq!(ProtocolStack::tsm(Carrier::Ssh).id(), "tsm/ssh");
    }

    #[test]
    fn overview_combines_the_experiments_and_computes_the_break_even() {
        let section = draw(&samples()).unwrap();
        let Some(Block::Table(table)) = section.blocks.get(1) else { panic!("no table") };
        assert_eq!(table.rows.len(), 2, "stacks without samples have no rows");
        let Row::Cells(ssh) = &table.rows[1] else { panic!("a heading") };
        let Cell::Measured(each) = &ssh[4] else { panic!("{:?}", ssh[4]) };
        assert!((each.value() - 5e-5).abs() < 1e-9, "{each:?}");
        let Cell::Computed(found) = &ssh[5] else { panic!("{:?}", ssh[5]) };
        assert!(
            (found.value - 20.0).abs() < 1e-6,
            "1 ms of set-up and 0.05 ms less for each message: {found:?}"
        );
        assert_eq!(ssh[6], Cell::Empty, "memory was not measured");
        let brief = markdown::brief_table(table).replace("\u{a0}", " ");
        assert!(brief.contains("| 50.0 µs | 20.0 |  |"), "{brief}");
    }

    #[test]
    fn time_in_an_open_session_is_the_same_in_table_and_figure() {
        let section = draw(&samples()).unwrap();
        let Some(Block::Table(table)) = section.blocks.get(1) else { panic!("no table") };
        let Some(Block::Figure(figure)) = section.blocks.get(2) else { panic!("no figure") };
        let Plot::Bars(bars) = &figure.panels[0].plot else { panic!("no bars") };
        for (row, bars) in table.rows.iter().zip(&bars.rows) {
            let Row::Cells(cells) = row else { panic!("a heading") };
            let Bar::Measured(_, _, drawn) = &bars.bars[1] else { panic!("not measured") };
            assert_eq!(cells[4], Cell::Measured(drawn.clone()));
        }
        let heading = table.columns[5].heading.to_string();
        assert_eq!(heading, "Break-even with v3/USM SHA-256 AES over UDP");
    }

    #[test]
    fn overview_without_samples_does_not_exist() {
        assert!(draw(&Samples::parse("").unwrap()).is_none());
    }
}
