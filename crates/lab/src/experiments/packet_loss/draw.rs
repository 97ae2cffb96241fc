//! The figure, the tables and the verdicts of walks under packet loss.

mod cost;
mod delayed;
mod verdicts;

use portreeve_lab_report::document::{Axis, Cell, Chart, Data, Figure, Measured, NoticeKind, Section, Table};
use portreeve_lab_report::papers::paper_000;
use portreeve_lab_report::samples::{Samples, Selection};
use portreeve_lab_report::statistics::{Basis, Summary};
use portreeve_lab_report::unit::Unit;

pub(crate) use delayed::{DelayedLine, delayed_lines};

use super::lines::{LINES, Line, Timeout};
use super::plan::probability;
use super::{DEADLINE, NAME, REPETITIONS, ROWS};
use crate::experiments::unavailable_notes;
use crate::harness::Peer;

/// Fills the section.
pub(super) fn draw(samples: &Samples, section: &mut Section) {
    let all = samples.experiment(NAME);
    section.paragraph(introduction(&all));
    section.figure(times(&all));
    for delay in all.axis("delay") {
        section.table(time_table(&all, delay));
    }
    without_lost_frames(&all, section);
    unavailable(&all, section);
    section.table(cost::table(&all));
    verdicts::add(&all, section);
}

fn introduction(all: &Selection<'_>) -> String {
    let exchanges = all.summary("exchanges").map_or(String::new(), |exchanges| {
        format!(", which are {} exchanges", Unit::Count.text(exchanges.median))
    });
    let means = all.axis("link").first().map_or(String::new(), |means| format!(" by {means}"));
    format!(
        "Walks of ifTable with {ROWS} rows by GETBULK with {REPETITIONS} repetitions{exchanges}; each walk has a session \
         of its own, whose opening and closing are part of the time. The paper walked larger tables by GETNEXT; so few \
         exchanges are measured here because a walk with a long delay must not take too long. Therefore the opening of \
         a session has a larger share of the lost frames. The link loses frames at random in both directions and delays \
         them in each direction{means}: without a delay, frames take the same way. \
         Where walks mostly wait, several run at the same time. A fixed timeout is that of Net-SNMP, {} and at most {} \
         retransmissions; a measured one follows the round trips, as in our commands. TCP sends segments again itself. \
         Net-SNMP's walks with USM and over TCP are measured without a delay only: with the same timeouts, ours are \
         measured with every delay. A walk has failed if its session or a response does not arrive within six seconds, or if it takes more than \
         {} s. Figure 4 of the paper has no printed values, so that only its statements and timeouts stand beside ours.",
        paper_000::TIMEOUT.text(),
        paper_000::RETRIES.text(),
        DEADLINE.as_secs(),
    )
}

/// Figure 4 of paper 000: the mean time of a walk by the loss, for each delay.
fn times(all: &Selection<'_>) -> Figure {
    let caption = "The mean time of a walk by the loss in each direction, as in Figure 4 of paper 000 with other losses \
                   and delays; the times without loss are in the tables";
    let panel = |figure: Figure, delay: &str| {
        let axes = (Axis::log("Loss in each direction", Unit::Share), Axis::log("Mean time", Unit::Seconds));
        let mut chart = Chart::new(axes.0, axes.1);
        for line in LINES {
            let walks = of(all, line, delay);
            // A logarithmic axis has no place for walks without loss.
            let losses = walks.axis("loss").into_iter().filter(|loss| probability(loss) > 0.0);
            let points = losses
                .filter(|loss| !lost_nothing(&walks.with("loss", loss)))
                .filter_map(|loss| Some((probability(loss), mean(walk_times(&walks.with("loss", loss))?))));
            chart.series(line.label(), Data::Measured(line.by(), points.collect()));
        }
        if delay == NO_DELAY {
            for loss in paper_000::LOSSES {
                chart.mark_x(loss, "loss in the paper");
            }
        }
        figure.panel(delay_title(delay), chart)
    };
    all.axis("delay").into_iter().fold(Figure::of(caption), panel)
}

/// The distribution of the times with one delay.
fn time_table(all: &Selection<'_>, delay: &str) -> Table {
    let mut table = Table::new(format!("The distribution of the times of walks {}", delay_phrase(delay)))
        .column("Loss")
        .column("Walks")
        .column("Median")
        .column("Mean")
        .column("95th percentile")
        .column("Failed walks")
        .column_with("Lost frames", "mean of a walk")
        .column_with("Sent again", "mean of a walk");
    for line in LINES {
        let walks = of(all, line, delay);
        if walks.is_empty() {
            continue;
        }
        table.heading(line.by().label(&line.label()));
        for loss in walks.axis("loss") {
            table.row(row(&walks.with("loss", loss), loss));
        }
    }
    table
}

fn row(walks: &Selection<'_>, loss: &str) -> [Cell; 8] {
    let sum = |name: &str| Cell::text(Unit::Count.text(walks.values(name).iter().sum()));
    let mean_of = |name: &str| match walks.summary(name) {
        Some(summary) => Cell::computed(summary.mean, None, Unit::Ratio),
        None => Cell::text("not known"),
    };
    let [median, average, percentile] = match walk_times(walks) {
        Some(times) => [
            Cell::measured(times.clone(), Unit::Seconds),
            Cell::Measured(mean(times.clone())),
            Cell::computed(times.quantile(0.95), None, Unit::Seconds),
        ],
        None => [const { Cell::Empty }; 3],
    };
    let lost =
        if probability(loss) > 0.0 && lost_nothing(walks) { Cell::text("none") } else { mean_of("lost") };
    let loss = Cell::text(Unit::Share.text(probability(loss)));
    [loss, sum("walks"), median, average, percentile, sum("failures"), lost, mean_of("resent")]
}

/// Reports whether it is known that none of the frames was lost.
fn lost_nothing(walks: &Selection<'_>) -> bool {
    walks.summary("lost").is_some_and(|lost| lost.maximum == 0.0)
}

/// States how many rows have no lost frame, although the link loses frames.
fn without_lost_frames(all: &Selection<'_>, section: &mut Section) {
    let (mut rows, mut without) = (0, 0);
    for delay in all.axis("delay") {
        for line in LINES {
            let walks = of(all, line, delay);
            for loss in walks.axis("loss").into_iter().filter(|loss| probability(loss) > 0.0) {
                rows += 1;
                without += usize::from(lost_nothing(&walks.with("loss", loss)));
            }
        }
    }
    if without > 0 {
        section.notice(
            NoticeKind::Note,
            format!(
                "In {without} of {rows} rows with loss no frame was lost by chance; their times are those without loss, and \
                 the figure has no points for them. The times of walks that failed are in no mean.",
            ),
        );
    }
}

fn unavailable(all: &Selection<'_>, section: &mut Section) {
    unavailable_notes::add(section, "Net-SNMP", &all.with("agent", Peer::NetSnmp.name()));
    let delays = all.all_unavailable().iter().filter(|one| one.variant.get("stack").is_none());
    for one in delays.filter(|one| one.variant.get("delay").is_some()) {
        let delay = one.variant.get("delay").map_or(String::new(), delay_phrase);
        section.notice(NoticeKind::Unavailable, format!("Walks {delay}: {}.", one.reason));
    }
}

/// Returns the times of all walks that have not failed.
fn walk_times(walks: &Selection<'_>) -> Option<Summary> {
    Summary::of(&walks.lists("times").concat())
}

/// Returns the mean with its interval.
fn mean(times: Summary) -> Measured {
    Measured { basis: Basis::Mean, ..Measured::new(times, Unit::Seconds) }
}

fn of<'s>(all: &Selection<'s>, line: Line, delay: &str) -> Selection<'s> {
    all.with_all(&line.variant()).with("delay", delay)
}

fn delay_title(delay: &str) -> String {
    if delay == NO_DELAY {
        "No delay".to_owned()
    } else {
        format!("Delay of {delay}\u{a0}ms in each direction")
    }
}

fn delay_phrase(delay: &str) -> String {
    if delay == NO_DELAY {
        "without a delay".to_owned()
    } else {
        format!("with a delay of {delay}\u{a0}ms in each direction")
    }
}

/// The value of the axis without a delay.
const NO_DELAY: &str = "0";

#[cfg(test)]
mod tests;
