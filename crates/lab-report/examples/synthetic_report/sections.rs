//! The sections of the synthetic report, with each kind of table and figure.

use portreeve_lab_report::document::{
    Axis, Bar, BarRow, Bars, By, Cell, Chart, Data, Figure, Measured, NoticeKind, Outcome, PaperPoint, Part,
    Prose, Section, Sequence, Source, Stack, StackRow, Table,
};
use portreeve_lab_report::papers::{PaperUnit, PaperValue, paper_000, paper_002, paper_003};
use portreeve_lab_report::samples::{Samples, Selection};
use portreeve_lab_report::statistics::{BreakEven, Level, Line, Summary, break_even, median_ratio};
use portreeve_lab_report::unit::Unit;

use crate::Result;

pub(crate) fn one_shot(samples: &Samples) -> Result<Section> {
    let get = samples.experiment("one-shot");
    let mut section = Section::new("one-shot", "One request: what a session costs")
        .reproduces("000 Table 2")
        .reproduces("001");
    section.paragraph(Prose::from("One ").code("snmpget").text(
        " of sysDescr.0, from opening the session to closing it, with each way of securing it. \
             Frames and octets are those that the observer captured on the bridge.",
    ));
    section.verdict(
        Source::Paper("000 Table 2"),
        Outcome::Holds,
        "A session over SSH costs much more than one request over UDP.",
        format!("{} times as much here.", Unit::Ratio.text(ratio(&get, "v2c/SSH", "v2c/UDP")?)),
    );
    section.verdict(
        Source::Paper("000 Table 2"),
        Outcome::DoesNotHold,
        "A session over TLS costs about as much as one over SSH.",
        "It costs a third here.",
    );
    let mut table = Table::new("One request for sysDescr.0, with the values that paper 000 printed.")
        .column("Protocol")
        .column_with("Time", "Portreeve")
        .column_with("Time", "snmpd")
        .column_with("Ratio", "Portreeve to snmpd")
        .column_with("Time", "paper 000, meat")
        .column_with("Time", "paper 000, turtle")
        .column_with("Octets", "Portreeve")
        .column_with("Octets", "snmpd")
        .column_with("Octets", "paper 000")
        .column_with("Frames", "Portreeve")
        .column_with("Frames", "paper 000");
    for row in paper_000::TABLE_2 {
        let stack = row.protocol.replace("SNMP", "");
        let one = get.with("stack", &stack);
        let (ours, peer) = (one.with("agent", "portreeved"), one.with("agent", "snmpd"));
        table.row([
            Cell::text(row.protocol),
            Cell::of(&ours, "time", Unit::Seconds),
            Cell::of(&peer, "time", Unit::Seconds),
            Cell::ratio_of(&ours, &peer, "time"),
            Cell::paper(row.fast),
            Cell::paper(row.slow),
            Cell::of(&ours, "octets", Unit::Octets),
            Cell::of(&peer, "octets", Unit::Octets),
            Cell::paper(row.data),
            Cell::of(&ours, "frames", Unit::Count),
            Cell::paper(row.packets),
        ]);
    }
    section.table(table);
    section.notice(
        NoticeKind::Unavailable,
        Prose::from("DTLS of ").code("snmpd").text(": the second client fails <b>always</b> & \"silently\"."),
    );
    Ok(section)
}

pub(crate) fn walks(samples: &Samples) -> Result<Section> {
    let walk = samples.experiment("walk");
    let mut section = Section::new("walk", "Walks: when a session pays off")
        .reproduces("000 Fig 3")
        .reproduces("000 Fig 5");
    let panel = |value: &str, axis: Axis, programs: &[&str]| {
        let mut chart = Chart::new(Axis::linear("exchanges", Unit::Count), axis);
        for stack in ["v2c/UDP", "v3/USM/UDP", "v2c/SSH", "v3/TLS"] {
            for agent in programs {
                let by = if *agent == "snmpd" { By::Peer("snmpd") } else { By::Ours };
                let points = walk.with("stack", stack).with("agent", agent).points("exchanges", value);
                chart.measured(by, stack, points);
            }
        }
        chart
    };
    let mut chart = panel("time", Axis::linear("time of the walk", Unit::Seconds), &["portreeved", "snmpd"]);
    let line = |stack: &str| {
        Line::fit_relative(&walk.with("stack", stack).with("agent", "portreeved").pairs("exchanges", "time"))
            .ok_or("too few points")
    };
    if let BreakEven::At { value, interval } = break_even(&line("v3/USM/UDP")?, &line("v3/TLS")?, Level::P95)
    {
        chart.mark_x(value, format!("break-even {}", Unit::Count.text(value.round())));
        section.verdict(
            Source::Paper("000 §5.3"),
            Outcome::HoldsInPart,
            "A secure session is faster than USM after about 500 exchanges.",
            format!(
                "TLS is faster after {} exchanges here ({}).",
                Unit::Count.text(value.round()),
                Unit::Count.interval_text(interval)
            ),
        );
        let mut table = Table::new("Set-up S and time of each exchange M, by regression.")
            .column("Protocol")
            .column("S")
            .column("M")
            .column("break-even with USM");
        for stack in ["v3/USM/UDP", "v3/TLS"] {
            let line = line(stack)?;
            let is_tls = stack == "v3/TLS";
            table.row([
                Cell::text(stack),
                Cell::computed(
                    line.intercept.value,
                    Some(line.intercept.interval(Level::P95)),
                    Unit::Seconds,
                ),
                Cell::computed(line.slope.value, Some(line.slope.interval(Level::P95)), Unit::Seconds),
                if is_tls { Cell::computed(value, Some(interval), Unit::Count) } else { Cell::Empty },
            ]);
        }
        table.row([Cell::text("paper 000"), Cell::Empty, Cell::Empty, Cell::paper(paper_000::BREAK_EVEN)]);
        section.table(table);
    }
    chart.paper(
        "v3/USM/UDP",
        [
            (1.0, PaperValue::new(1.97, 2, PaperUnit::Milliseconds)),
            (800.0, PaperValue::new(40.0, 1, PaperUnit::Milliseconds)),
        ],
    );
    section.figure(Figure::new("Time of a walk of ifTable, by the number of exchanges, fast agent.", chart));
    section.figure(
        Figure::of("Octets and time of a walk, beside each other.")
            .panel("Octets", panel("octets", Axis::linear("octets", Unit::Octets), &["portreeved"]))
            .panel("Time", panel("time", Axis::log("time", Unit::Seconds), &["portreeved"])),
    );
    Ok(section)
}

pub(crate) fn protection(samples: &Samples) -> Result<Section> {
    let mut section =
        Section::new("protection", "TLS in comparison with USM").reproduces("002 Tables 4, 6 (a)");
    let get = samples.experiment("one-shot");
    let mut bars = Bars {
        axis: Axis::log("ratio to UDP", Unit::Ratio),
        rows: Vec::new(),
        reference: Some((1.0, "as UDP".to_owned())),
    };
    for (stack, paper) in [
        ("v3/USM/UDP", paper_002::SNMPGET.udp_to_v3_tls.none),
        ("v2c/TCP", paper_002::SNMPGET.tcp_to_v1_tls.none),
        ("v2c/SSH", paper_002::SNMPGET.tcp_to_v3_tls.both),
    ] {
        let ratio = |agent: &str| {
            let at = |stack: &str| get.with("agent", agent).with("stack", stack);
            at(stack).ratios(&at("v2c/UDP"), "time")
        };
        let bar = |by: By, ratios: Option<Summary>| match ratios {
            Some(ratios) => Bar::Measured(by, "time".to_owned(), Measured::new(ratios, Unit::Ratio)),
            None => Bar::Unavailable("time (snmpd)".to_owned(), "snmpd has no SSH <transport>".to_owned()),
        };
        bars.rows.push(BarRow {
            label: stack.to_owned(),
            bars: vec![
                bar(By::Ours, ratio("portreeved")),
                bar(By::Peer("snmpd"), ratio("snmpd")),
                Bar::Paper("time".to_owned(), paper),
            ],
        });
    }
    section.figure(Figure::new("Ratio of the time of one request to that over UDP.", bars));

    let parts = ["TLS set-up", "SNMP set-up", "walk", "TLS close", "SNMP close"].map(str::to_owned).to_vec();
    let measured = |time: f64| -> Result<Part> {
        let values: Vec<f64> = (0..30).map(|round| time * (1.0 + f64::from(round % 7) / 50.0)).collect();
        let summary = Summary::of(&values).ok_or("no values")?;
        Ok(Part::Measured(By::Ours, Measured::new(summary, Unit::Seconds)))
    };
    let mut rows = vec![
        StackRow {
            label: "TLS".to_owned(),
            parts: [0.3, 0.2, 0.4, 0.05, 0.02].into_iter().map(measured).collect::<Result<_>>()?,
        },
        StackRow {
            label: "UDP".to_owned(),
            parts: vec![Part::Absent, measured(0.25)?, measured(0.3)?, Part::Absent, measured(0.01)?],
        },
    ];
    for row in paper_002::TABLE_4 {
        let part = |value: Option<PaperValue>| value.map_or(Part::Absent, Part::Paper);
        rows.push(StackRow {
            label: row.transport.to_owned(),
            parts: vec![
                part(row.transport_setup),
                Part::Paper(row.snmp_setup),
                Part::Paper(row.walk),
                part(row.transport_close),
                Part::Paper(row.snmp_close),
            ],
        });
    }
    section.figure(Figure::new(
        "Phases of a session with a walk.",
        Stack { axis: Axis::linear("time", Unit::Seconds), parts, rows },
    ));

    let mut chart =
        Chart::new(Axis::linear("message", Unit::Count), Axis::log("time of the message", Unit::Seconds));
    for times in paper_002::TABLE_5 {
        chart.paper(
            times.transport,
            times.times().enumerate().map(|(index, time)| ((index + 1) as f64, time)),
        );
    }
    section.figure(Figure::new("Time of each message of a walk.", chart));
    Ok(section)
}

pub(crate) fn stair(samples: &Samples) -> Section {
    let mut section =
        Section::new("stair", "Configuration: SET and edit-config").reproduces("003 Tables 3, 4");
    section.notice(NoticeKind::Note, paper_003::counting_artefact());
    let stair = samples.experiment("stair");
    let mut chart =
        Chart::new(Axis::log("objects M", Unit::Count), Axis::log("operation time", Unit::Seconds));
    for protocol in ["SNMP", "NETCONF"] {
        chart.measured(By::Ours, protocol, stair.with("protocol", protocol).points("objects", "time"));
        let points = paper_003::TABLE_3.iter().zip(paper_003::TABLE_4).map(|(means, widths)| {
            let [snmp, netconf] = widths.intervals(means);
            let (mean, interval) =
                if protocol == "SNMP" { (means.snmp.mean, snmp) } else { (means.netconf.mean, netconf) };
            PaperPoint { x: means.objects as f64, y: mean, interval: Some(interval) }
        });
        chart.series(protocol, Data::Paper(points.collect()));
    }
    section.figure(Figure::new("Operation time by the number of objects.", chart));
    let mut table = Table::new("Operation time with its 99 % interval.")
        .column("M")
        .column_with("SNMP", "Portreeve")
        .column_with("SNMP", "paper 003")
        .column_with("NETCONF", "Portreeve")
        .column_with("NETCONF", "paper 003");
    table.heading("small");
    for row in paper_003::TABLE_3 {
        if row.objects == 1000 {
            table.heading("large");
        }
        let at = stair.with("objects", &row.objects.to_string());
        table.row([
            Cell::text(Unit::Count.text(row.objects as f64)),
            Cell::mean99_of(&at.with("protocol", "SNMP"), "time", Unit::Seconds),
            Cell::paper(row.snmp.mean),
            Cell::mean99_of(&at.with("protocol", "NETCONF"), "time", Unit::Seconds),
            Cell::paper(row.netconf.mean),
        ]);
    }
    section.table(table);
    section
}

pub(crate) fn sequences(samples: &Samples) -> Section {
    let mut section = Section::new("sequence", "Every message of a session").reproduces("001");
    let mut figure = Figure::of("One request over UDP, and over TLS with a pause of Nagle’s algorithm.");
    for trace in samples.experiment("sequence").traces() {
        let sequence = Sequence {
            participants: vec!["manager".to_owned(), "agent".to_owned()],
            messages: trace.messages.clone(),
        };
        figure = figure.panel(trace.variant.get("stack").unwrap_or_default(), sequence);
    }
    section.figure(figure);
    section
}

fn ratio(get: &Selection<'_>, top: &str, bottom: &str) -> Result<f64> {
    let at = |stack: &str| {
        get.with("agent", "portreeved").with("stack", stack).summary("time").ok_or("no samples")
    };
    Ok(median_ratio(&at(top)?, &at(bottom)?, Level::P95).ok_or("no positive times")?.0)
}
