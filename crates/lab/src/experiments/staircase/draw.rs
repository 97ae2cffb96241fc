//! The tables and figures of the configuration of many objects.

mod quotients;
mod verdicts;

use portreeve_lab_report::document::{Axis, By, Cell, Chart, Figure, NoticeKind, Section, Table};
use portreeve_lab_report::papers::PaperValue;
use portreeve_lab_report::papers::paper_003::{
    self, OBJECTS_PER_SET, Stair, TABLE_1, TABLE_2, TABLE_3, TABLE_4, TABLE_5,
};
use portreeve_lab_report::samples::{Samples, Selection};
use portreeve_lab_report::unit::Unit;

use super::variants::{EDIT, STACKS, UDP, set_name};
use super::{NAME, OURS};
use crate::harness::Peer;

/// Fills the section.
pub(super) fn draw(samples: &Samples, section: &mut Section) {
    let all = samples.experiment(NAME);
    section.paragraph(
        "Objects with 255 octets each are changed by SNMP SETs, one after the other, and by one NETCONF edit-config \
         over SSH. As in the paper, the operation time begins with the first request and ends with the last \
         response; requests are built before. Portreeve writes every SET and every edit to the disk before it \
         answers; netconfd does not. Frames and octets are those of the whole session, with the login of SSH.",
    );
    section.paragraph("Values are means with their 99 % intervals, as in the paper.");
    section.table(times(&all));
    verdicts::times(&all, section);
    section.table(frames(&all));
    section.table(octets(&all));
    section.notice(NoticeKind::Note, paper_003::counting_artefact());
    verdicts::counts(&all, section);
    section.table(transactions(&all));
    verdicts::transactions(&all, section);
    section.table(quotients::table(&all));
    section.figure(figure(&all));
    section.table(single(&all));
    section.notice(
        NoticeKind::Note,
        "SETs of one object each end at 10 000 objects: 100 000 SETs, each of which waits for the disk, would take \
         minutes in every round.",
    );
    section.table(transports(&all));
}

/// The three ways of configuration that the paper's tables and figures compare.
struct Compared<'s> {
    set: Selection<'s>,
    edit: Selection<'s>,
    netconfd: Selection<'s>,
}

impl<'s> Compared<'s> {
    fn new(all: &Selection<'s>) -> Self {
        let set = of_agent(all, OURS).with("method", &set_name(OBJECTS_PER_SET)).with("stack", &UDP.id());
        let edit = |agent| of_agent(all, agent).with("method", EDIT);
        Self { set, edit: edit(OURS), netconfd: edit(Peer::Netconfd.name()) }
    }

    /// Restricts all of them to a number of objects.
    fn with(&self, objects: usize) -> Self {
        let with = |selection: &Selection<'s>| selection.with("objects", &objects.to_string());
        Self { set: with(&self.set), edit: with(&self.edit), netconfd: with(&self.netconfd) }
    }

    /// The measured numbers of objects.
    fn objects(&self) -> Vec<usize> {
        self.edit.axis("objects").into_iter().filter_map(|objects| objects.parse().ok()).collect()
    }
}

fn of_agent<'s>(all: &Selection<'s>, agent: &str) -> Selection<'s> {
    all.with("agent", agent)
}

/// Returns the paper's row for a number of objects.
fn printed(table: &[Stair; 6], objects: usize) -> (Option<PaperValue>, Option<PaperValue>) {
    let row = table.iter().find(|row| row.objects == objects);
    (row.map(|row| row.snmp.mean), row.map(|row| row.netconf.mean))
}

/// Tables 3 and 4.
fn times(all: &Selection<'_>) -> Table {
    let compared = Compared::new(all);
    let mut table = Table::new("Operation time with 99 % intervals, as in Tables 3 and 4 of paper 003")
        .column("Objects")
        .column_with("SET", "paper")
        .column_with("SET, 99 % interval", "paper")
        .column_with("SET", "Portreeve")
        .column_with("edit-config", "paper")
        .column_with("edit-config, 99 % interval", "paper")
        .column_with("edit-config", "Portreeve")
        .column_with("edit-config with its session", "Portreeve")
        .column_with("edit-config", "netconfd");
    for objects in compared.objects() {
        let of = compared.with(objects);
        let (snmp, netconf) = printed(&TABLE_3, objects);
        let intervals = TABLE_3.iter().zip(TABLE_4).find(|(row, _)| row.objects == objects);
        let intervals = intervals.map(|(means, widths)| widths.intervals(means));
        let interval = |position: usize| match intervals.and_then(|both| both.get(position).copied()) {
            Some(interval) => Cell::text(Unit::Seconds.interval_text(interval)),
            None => Cell::Empty,
        };
        table.row([
            Cell::text(Unit::Count.text(objects as f64)),
            Cell::paper(snmp),
            interval(0),
            Cell::mean99_of(&of.set, "time", Unit::Seconds),
            Cell::paper(netconf),
            interval(1),
            Cell::mean99_of(&of.edit, "time", Unit::Seconds),
            Cell::mean99_of(&of.edit, "total", Unit::Seconds),
            Cell::mean99_of(&of.netconfd, "time", Unit::Seconds),
        ]);
    }
    table
}

/// Table 1, with both ways of counting.
fn frames(all: &Selection<'_>) -> Table {
    let caption =
        "Number of Ethernet frames, as in Table 1 of paper 003, without and with the later fragments";
    counted(all, caption, &TABLE_1, ("frames_with_ports", "frames"), Unit::Count)
}

/// Table 2, with both ways of counting.
fn octets(all: &Selection<'_>) -> Table {
    let caption = "Octets with the headers of UDP and TCP, but without those of IP and Ethernet, as in Table 2 of \
                   paper 003, without and with the later fragments";
    counted(all, caption, &TABLE_2, ("transport_octets_with_ports", "transport_octets"), Unit::Octets)
}

fn counted(
    all: &Selection<'_>,
    caption: &str,
    paper: &[Stair; 6],
    (as_paper, complete): (&str, &str),
    unit: Unit,
) -> Table {
    let compared = Compared::new(all);
    let mut table = Table::new(caption)
        .column("Objects")
        .column_with("SET", "paper")
        .column_with("SET, first fragments only", "Portreeve")
        .column_with("SET, all fragments", "Portreeve")
        .column_with("edit-config", "paper")
        .column_with("edit-config", "Portreeve")
        .column_with("edit-config", "netconfd");
    for objects in compared.objects() {
        let of = compared.with(objects);
        let (snmp, netconf) = printed(paper, objects);
        table.row([
            Cell::text(Unit::Count.text(objects as f64)),
            Cell::paper(snmp),
            Cell::mean99_of(&of.set, as_paper, unit),
            Cell::mean99_of(&of.set, complete, unit),
            Cell::paper(netconf),
            Cell::mean99_of(&of.edit, complete, unit),
            Cell::mean99_of(&of.netconfd, complete, unit),
        ]);
    }
    table
}

/// Table 5.
fn transactions(all: &Selection<'_>) -> Table {
    let compared = Compared::new(all);
    let mut table = Table::new("Number of transactions, as in Table 5 of paper 003")
        .column("Objects")
        .column_with("SET", "paper")
        .column_with("SET", "Portreeve")
        .column_with("edit-config", "paper")
        .column_with("edit-config", "Portreeve")
        .column_with("edit-config", "netconfd");
    for objects in compared.objects() {
        let of = compared.with(objects);
        let (snmp, netconf) = printed(&TABLE_5, objects);
        table.row([
            Cell::text(Unit::Count.text(objects as f64)),
            Cell::paper(snmp),
            Cell::mean99_of(&of.set, "transactions", Unit::Count),
            Cell::paper(netconf),
            Cell::mean99_of(&of.edit, "transactions", Unit::Count),
            Cell::mean99_of(&of.netconfd, "transactions", Unit::Count),
        ]);
    }
    table
}

/// Figures 4 to 7.
fn figure(all: &Selection<'_>) -> Figure {
    let compared = Compared::new(all);
    let charts = [
        ("Frames", "frames", Unit::Count, &TABLE_1),
        ("Octets of UDP and TCP", "transport_octets", Unit::Octets, &TABLE_2),
        ("Operation time", "time", Unit::Seconds, &TABLE_3),
        ("Transactions", "transactions", Unit::Count, &TABLE_5),
    ];
    let caption = "Frames, octets, operation time and transactions by the number of objects, as in Figures 4 to 7 of \
                   paper 003. Measured frames and octets include all fragments.";
    charts.into_iter().fold(Figure::of(caption), |figure, (title, value, unit, paper)| {
        let mut chart = Chart::new(Axis::log("Objects", Unit::Count), Axis::log(title, unit));
        chart.selection(By::Ours, SET_SERIES, &compared.set, ("objects", value));
        chart.selection(By::Ours, EDIT_SERIES, &compared.edit, ("objects", value));
        if !compared.netconfd.is_empty() {
            chart.selection(By::Peer("netconfd"), EDIT_SERIES, &compared.netconfd, ("objects", value));
        }
        let points = |protocol: fn(&Stair) -> PaperValue| {
            paper.iter().map(move |row| (row.objects as f64, protocol(row)))
        };
        chart.paper(SET_SERIES, points(|row| row.snmp.mean));
        chart.paper(EDIT_SERIES, points(|row| row.netconf.mean));
        figure.panel(title, chart)
    })
}

/// SETs of one object each.
fn single(all: &Selection<'_>) -> Table {
    let ours = of_agent(all, OURS).with("stack", &UDP.id());
    let (many, one) = (ours.with("method", &set_name(OBJECTS_PER_SET)), ours.with("method", &set_name(1)));
    let mut table = Table::new("SETs of one object and of 36 objects each, v2c over UDP, Portreeve")
        .column("Objects")
        .column_with("Time", "1 for each SET")
        .column_with("Time", "36 for each SET")
        .column_with("Frames", "1 for each SET")
        .column_with("Frames", "36 for each SET")
        .column_with("Octets of UDP", "1 for each SET")
        .column_with("Octets of UDP", "36 for each SET")
        .column_with("Transactions", "1 for each SET")
        .column_with("Transactions", "36 for each SET");
    for objects in one.axis("objects") {
        let (one, many) = (one.with("objects", objects), many.with("objects", objects));
        let values = [
            ("time", Unit::Seconds),
            ("frames", Unit::Count),
            ("transport_octets", Unit::Octets),
            ("transactions", Unit::Count),
        ];
        let cells = values.into_iter().flat_map(|(value, unit)| {
            [Cell::mean99_of(&one, value, unit), Cell::mean99_of(&many, value, unit)]
        });
        table.row([Cell::text(objects)].into_iter().chain(cells));
    }
    table
}

/// SETs over every transport.
fn transports(all: &Selection<'_>) -> Table {
    let sets = of_agent(all, OURS).with("method", &set_name(OBJECTS_PER_SET));
    let others = sets.with("stack", &STACKS.map(|stack| stack.id())[1]);
    let mut table = Table::new("SETs of 36 objects each over every transport, and edit-config, Portreeve")
        .column("Stack")
        .column("Objects")
        .column("Operation time")
        .column("Time with the session")
        .column("Frames")
        .column("Octets with Ethernet headers");
    for objects in others.axis("objects") {
        let rows = STACKS.map(|stack| (stack.label(), sets.with("stack", &stack.id())));
        let edit = ("NETCONF edit-config over SSH".to_owned(), of_agent(all, OURS).with("method", EDIT));
        for (label, selection) in rows.into_iter().chain([edit]) {
            let selection = selection.with("objects", objects);
            // Runs of older versions have fewer stacks.
            if selection.is_empty() && selection.unavailable().is_none() {
                continue;
            }
            table.row([
                Cell::text(label),
                Cell::text(objects),
                Cell::mean99_of(&selection, "time", Unit::Seconds),
                Cell::mean99_of(&selection, "total", Unit::Seconds),
                Cell::mean99_of(&selection, "frames", Unit::Count),
                Cell::mean99_of(&selection, "octets", Unit::Octets),
            ]);
        }
    }
    table
}

const SET_SERIES: &str = "SNMP SET";
const EDIT_SERIES: &str = "NETCONF edit-config";
