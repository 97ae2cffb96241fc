//! Shared by the tests of several modules: a check of markup, and a report with hostile texts.

use std::collections::BTreeSet;

use crate::document::{
    Axis, Bar, BarRow, Bars, By, Cell, Chart, Data, Document, Figure, Measured, NoticeKind, Outcome, Part,
    Prose, Section, Sequence, Source, Stack, StackRow, Table,
};
use crate::papers::{PaperUnit, PaperValue};
use crate::sample::Message;
use crate::statistics::Summary;
use crate::unit::Unit;

/// Text as a program could print it to attack the reader of a report.
pub(crate) const HOSTILE: &str =
    "<script>alert(1)</script> \"' onerror=x &lt; | ` * [a](javascript:b) </style></svg>\u{202e}\0\n=1+1,\r";

pub(crate) fn summary(values: impl IntoIterator<Item = f64>) -> Summary {
    Summary::of(&values.into_iter().collect::<Vec<_>>()).unwrap()
}

pub(crate) fn paper(milliseconds: f64) -> PaperValue {
    PaperValue::new(milliseconds, 2, PaperUnit::Milliseconds)
}

/// Ten times around a value in seconds.
pub(crate) fn times(around: f64) -> Summary {
    summary((0..10).map(|round| around * (1.0 + f64::from(round) / 100.0)))
}

/// A chart with each kind of series and of mark.
pub(crate) fn chart(name: &str, scaling: fn(&str, Unit) -> Axis) -> Chart {
    let mut chart = Chart::new(scaling(name, Unit::Count), scaling(name, Unit::Seconds));
    let points = |factor: f64| [1.0, 10.0, 1000.0].map(|x| (x, times(factor * (x + 20.0))));
    chart.measured(By::Ours, name, points(1e-4)).measured(By::Peer("snmpd"), name, points(3e-4));
    chart.paper(name, [(1.0, paper(20.0)), (1000.0, paper(900.0))]);
    chart.series(name, Data::Computed(By::Ours, vec![(1.0, 0.003), (1000.0, 0.1)]));
    chart.mark_x(100.0, name).mark_y(0.05, name);
    chart.unavailable.push((name.to_owned(), name.to_owned()));
    chart
}

pub(crate) fn bars(name: &str) -> Bars {
    let bars = vec![
        Bar::Measured(By::Ours, name.to_owned(), Measured::new(summary([1.0, 1.2, 1.4]), Unit::Ratio)),
        Bar::Measured(By::Peer("snmpd"), name.to_owned(), Measured::new(times(3.0), Unit::Ratio)),
        Bar::Paper(name.to_owned(), PaperValue::new(203.0, 0, PaperUnit::RatioPercent)),
        Bar::Unavailable(name.to_owned(), name.to_owned()),
    ];
    let rows =
        vec![BarRow { label: name.to_owned(), bars: bars.clone() }, BarRow { label: "b".to_owned(), bars }];
    Bars { axis: Axis::linear(name, Unit::Ratio), rows, reference: Some((1.0, name.to_owned())) }
}

pub(crate) fn stack(name: &str) -> Stack {
    let measured = |time: f64| Part::Measured(By::Peer("snmpd"), Measured::new(times(time), Unit::Seconds));
    Stack {
        axis: Axis::linear(name, Unit::Seconds),
        parts: vec![name.to_owned(), "walk".to_owned(), "close".to_owned()],
        rows: vec![
            StackRow { label: name.to_owned(), parts: vec![measured(0.1), measured(0.3), Part::Absent] },
            StackRow {
                label: name.to_owned(),
                parts: vec![Part::Absent, Part::Paper(paper(312.0)), Part::Paper(paper(2.4))],
            },
        ],
    }
}

pub(crate) fn sequence(name: &str, messages: usize) -> Sequence {
    let message = |index: usize| Message {
        at: index as f64 * 1e-3 + if index > 4 { 0.04 } else { 0.0 },
        from: if index.is_multiple_of(2) { "manager" } else { name }.to_owned(),
        to: if index.is_multiple_of(2) { name } else { "manager" }.to_owned(),
        octets: 66 + index as u64,
        label: name.to_owned(),
    };
    Sequence {
        participants: vec!["manager".to_owned(), name.to_owned()],
        messages: (0..messages).map(message).collect(),
    }
}

/// A report with every kind of block, with this text in each place that can contain one.
pub(crate) fn document(text: &str) -> Document {
    let mut document = Document::new(text);
    document.introduction.push(Prose::from(text).code(text).strong(text));
    document.facts.push((text.to_owned(), text.to_owned()));
    let mut section = Section::new(text, text).reproduces(text);
    section.paragraph(text).verdict(Source::Paper("000 Table 2"), Outcome::Holds, text, text);
    section.verdict(Source::Lab, Outcome::NotDecided, text, text);
    for kind in [NoticeKind::Note, NoticeKind::Unavailable, NoticeKind::Warning] {
        section.notice(kind, text);
    }
    let mut table =
        Table::new(text).column(text).column_with("time", text).column("paper").column("computed");
    table.heading(text).row([
        Cell::text(text),
        Cell::measured(times(1e-3), Unit::Seconds),
        Cell::paper(paper(16.17)),
        Cell::computed(480.0, None, Unit::Count),
    ]);
    table.row([Cell::text(Prose::new().code(text)), Cell::Unavailable(text.to_owned())]);
    section.table(table);
    section.figure(Figure::new(text, chart(text, |label, unit| Axis::log(label, unit))));
    section.figure(
        Figure::of(text).panel(text, bars(text)).panel(text, stack(text)).panel(text, sequence(text, 7)),
    );
    document.push(section);
    let mut second = Section::new("second", "Second");
    second.paragraph("Text.");
    document.push(second);
    document
}

/// Panics unless all elements are closed in their order, all attributes are quoted, and all
/// identifiers are unique. Returns the names of all elements.
pub(crate) fn assert_well_formed(markup: &str) -> Vec<String> {
    let (mut open, mut names, mut identifiers) = (Vec::new(), Vec::new(), BTreeSet::new());
    let mut rest = markup;
    while let Some((_, tag)) = rest.split_once('<') {
        let (tag, after) = tag.split_once('>').expect("a tag that ends");
        rest = after;
        if let Some(name) = tag.strip_prefix('/') {
            assert_eq!(open.pop().as_deref(), Some(name), "near {after:.80}");
            continue;
        }
        let name = tag.split([' ', '/']).next().unwrap().to_owned();
        if name == "!DOCTYPE" {
            continue;
        }
        let quotes = tag.matches('"').count();
        assert!(quotes.is_multiple_of(2) && (name == "meta" || !tag.contains('\'')), "{tag}");
        if let Some((_, identifier)) = tag.split_once(" id=\"") {
            let identifier = identifier.split('"').next().unwrap();
            assert!(identifiers.insert(identifier.to_owned()), "identifier {identifier} twice");
        }
        if !tag.ends_with('/') && !["meta", "br"].contains(&name.as_str()) {
            open.push(name.clone());
        }
        if name == "style" {
            rest = rest.split_once("</style>").map(|(_, rest)| rest).expect("a style that ends");
            open.pop();
        }
        names.push(name);
    }
    assert!(open.is_empty(), "{open:?}");
    names
}
