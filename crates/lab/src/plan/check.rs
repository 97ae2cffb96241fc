//! The check of predictions against measured walks that the fit has not seen.

use portreeve_lab_report::document::{Cell, NoticeKind, Section, Table};
use portreeve_lab_report::samples::{Samples, Selection};
use portreeve_lab_report::statistics::{Line, Summary};
use portreeve_lab_report::unit::Unit;

use super::costs::points;
use super::fit::fit;
use crate::experiments::{
    if_table_walk,
    packet_loss::{DelayedLine, delayed_lines},
};

/// Draws the section; `None` if the run has no walks with at least two numbers of rows.
///
/// For each number of rows, the costs are fitted to all other numbers of rows, and the walks with
/// this number are predicted from them.
pub(crate) fn draw(samples: &Samples) -> Option<Section> {
    let walks = samples.experiment(if_table_walk::NAME);
    let mut section = Section::new("plan", "Predictions of lab plan compared with measured walks");
    section.paragraph(
        "For each number of rows, the costs of a set-up, an exchange and a variable are fitted to the walks with all \
         other numbers of rows. The error is the difference of the prediction from the measured median, relative to \
         the median; the table shows the median and the maximum of all methods and numbers of rows. Walks over links \
         with a delay are predicted from walks without one, and from the round trips of walks with other delays.",
    );
    let mut table = Table::new("The errors of predicted walks")
        .column("Stack")
        .column_with("Time", "median error")
        .column_with("Time", "maximum error")
        .column_with("Octets", "median error")
        .column_with("Octets", "maximum error")
        .column_with("Time with delays", "median error")
        .column_with("Time with delays", "maximum error");
    let lines = delayed_lines(samples);
    let (mut all_times, mut all_octets) = (Vec::new(), Vec::new());
    for stack in if_table_walk::stacks() {
        let own = if_table_walk::ours(&walks, stack);
        let (times, octets) = (errors(&own, "time"), errors(&own, "octets"));
        if times.is_empty() {
            continue;
        }
        let mut cells = vec![Cell::text(stack.label())];
        let delayed = lines.iter().find(|line| line.stack == stack);
        let delayed = delayed.map_or(Vec::new(), |line| delay_errors(&own, line));
        for errors in [&times, &octets, &delayed] {
            match Summary::of(errors) {
                Some(summary) => cells.extend(
                    [summary.median, summary.maximum].map(|error| Cell::computed(error, None, Unit::Share)),
                ),
                None => cells.extend([Cell::Empty, Cell::Empty]),
            }
        }
        table.row(cells);
        all_times.extend(times);
        all_times.extend(delayed);
        all_octets.extend(octets);
    }
    let times = Summary::of(&all_times)?;
    section.table(table);
    let octets = Summary::of(&all_octets)
        .map_or(String::new(), |octets| format!(", and of octets {}", Unit::Share.text(octets.median)));
    let (kind, verdict) = match times.median < MAX_MEDIAN {
        true => (NoticeKind::Note, "which is below the required 20 %"),
        false => (NoticeKind::Warning, "which is not below the required 20 %"),
    };
    let text = format!(
        "The median error of all predicted times is {}, {verdict}{octets}.",
        Unit::Share.text(times.median)
    );
    section.notice(kind, text);
    Some(section)
}

/// Returns the relative errors of the predictions for each number of rows and method.
fn errors(walks: &Selection<'_>, value: &str) -> Vec<f64> {
    let mut errors = Vec::new();
    for rows in walks.axis("rows") {
        let mut others = walks.clone();
        others.retain(|variant| variant.get("rows") != Some(rows));
        let Some(cost) = fit(&points(&others, value)) else { continue };
        let held_out = walks.with("rows", rows);
        for method in held_out.axis("method") {
            let walk = held_out.with("method", method);
            let of = |name: &str| walk.summary(name).map(|summary| summary.median);
            if let (Some(exchanges), Some(variables), Some(measured)) =
                (of("exchanges"), of("variables"), of(value))
            {
                errors.push((cost.of(exchanges, variables) / measured - 1.0).abs());
            }
        }
    }
    errors
}

/// Returns the relative errors of the predictions for each delay.
fn delay_errors(walks: &Selection<'_>, line: &DelayedLine) -> Vec<f64> {
    let Some(cost) = fit(&points(walks, "time")) else { return Vec::new() };
    let mut round_trips: Vec<f64> = line.round_trips.iter().map(|(round_trip, _)| *round_trip).collect();
    round_trips.dedup();
    let errors = round_trips.into_iter().filter(|round_trip| *round_trip > 0.0).filter_map(|held_out| {
        let (own, others): (Vec<_>, Vec<_>) =
            line.round_trips.iter().copied().partition(|(round_trip, _)| *round_trip == held_out);
        let number = Line::fit(&others)?.slope.value;
        let measured = Summary::of(&own.iter().map(|(_, time)| *time).collect::<Vec<_>>())?.median;
        let predicted = cost.of(line.exchanges, line.variables) + number * held_out;
        Some((predicted / measured - 1.0).abs())
    });
    errors.collect()
}

/// The required median of the errors.
const MAX_MEDIAN: f64 = 0.2;

#[cfg(test)]
mod tests {
    use portreeve_lab_report::document::Block;

    use super::*;

    /// Walks whose time is exactly linear, except that those with 100 rows take `factor` as long.
    fn samples(factor: f64) -> Samples {
        let mut lines = Vec::new();
        for rows in [10.0, 50.0, 100.0, 200.0] {
            for (method, batch) in [("getnext", 1.0), ("getbulk-10", 10.0)] {
                let (variables, exchanges) = (rows * 22.0, rows * 22.0 / batch);
                let time =
                    (1e-3 + 5e-5 * exchanges + 1e-6 * variables) * if rows == 100.0 { factor } else { 1.0 };
                lines.push(format!(
                    r#"{{"kind":"sample","experiment":"walk","variant":{{"agent":"portreeved","client":"library","object":"ifTable","setting":"pinned","stack":"tsm/ssh","rows":"{rows}","method":"{method}"}},"round":0,"values":{{"time":{time},"exchanges":{exchanges},"variables":{variables}}}}}"#
                ));
            }
        }
        Samples::parse(&lines.join("\n")).unwrap()
    }

    fn verdict(samples: &Samples) -> String {
        let section = draw(samples).unwrap();
        let Some(Block::Notice(notice)) = section.blocks.last() else { panic!("no notice") };
        notice.text.to_string()
    }

    #[test]
    fn linear_costs_are_predicted_without_error() {
        assert!(verdict(&samples(1.0)).contains("which is below the required"), "{}", verdict(&samples(1.0)));
    }

    #[test]
    fn walk_that_does_not_follow_the_others_has_an_error() {
        let samples = samples(2.0);
        let walks = samples.experiment("walk");
        let errors = errors(&walks, "time");
        let large = errors.iter().filter(|error| (**error - 0.5).abs() < 0.01).count();
        assert_eq!(large, 2, "twice the time is predicted as half of it: {errors:?}");
    }

    #[test]
    fn run_without_walks_has_no_section() {
        assert!(draw(&Samples::parse("").unwrap()).is_none());
    }
}
