//! The part of a statement that an interval supports, contradicts, or leaves open.

use portreeve_lab_report::document::{Cell, Measured};
use portreeve_lab_report::statistics::{BreakEven, Estimate, Interval, Level, Line, Summary, difference};
use portreeve_lab_report::unit::Unit;

/// Reports whether the whole 95 % interval of a ratio is above a bound, or below it.
pub(super) fn is_above(ratio: &Summary, bound: f64) -> Option<bool> {
    ratio.is_above(bound, Level::P95)
}

/// Reports whether the whole 95 % interval of a ratio is below a bound, or above it.
pub(super) fn is_below(ratio: &Summary, bound: f64) -> Option<bool> {
    is_above(ratio, bound).map(|above| !above)
}

/// Reports whether one value is below another. `None` if their 95 % intervals overlap.
pub(super) fn is_less(one: &Summary, other: &Summary) -> Option<bool> {
    let interval = |summary: &Summary| Some(summary.interval(Level::P95)?.0);
    interval_is_less(interval(one)?, interval(other)?)
}

/// Reports whether one interval is below another. `None` if they overlap.
pub(super) fn interval_is_less(one: Interval, other: Interval) -> Option<bool> {
    (!one.overlaps(&other)).then_some(one.high < other.low)
}

/// Formats a ratio with its interval.
pub(super) fn ratio_text(ratio: &Summary) -> String {
    Measured::new(ratio.clone(), Unit::Ratio).text()
}

/// Formats the range of several ratios: `0.774 to 1.09`. `None` without ratios.
pub(super) fn range_text(ratios: &[Summary]) -> Option<String> {
    let medians = || ratios.iter().map(|ratio| ratio.median);
    let (low, high) = (medians().reduce(f64::min)?, medians().reduce(f64::max)?);
    Some(format!("{} to {}", Unit::Ratio.text(low), Unit::Ratio.text(high)))
}

/// Formats the number of ratios that are significantly above a bound, and below it.
pub(super) fn count_text(ratios: &[Summary], bound: f64) -> String {
    let count = |above| ratios.iter().filter(|ratio| is_above(ratio, bound) == Some(above)).count();
    format!(
        "the 95 % interval of the ratio is above {bound} for {} and below {bound} for {} of {}",
        count(true),
        count(false),
        ratios.len()
    )
}

/// Formats an estimated time with its interval.
pub(super) fn time_text(time: &Estimate) -> String {
    Unit::Seconds.estimate_text(time.value, Some(time.interval(Level::P95)), Level::P95)
}

/// Returns a break-even of sessions with USM as a cell.
pub(super) fn break_even_cell(found: BreakEven) -> Cell {
    match found {
        BreakEven::At { value, interval } => Cell::computed(value, Some(interval), Unit::Count),
        other => Cell::text(break_even_text(other)),
    }
}

/// Returns a break-even of sessions with USM as a cell, with the reason if there is none.
pub(super) fn explained_break_even(found: BreakEven, [usm, session]: &[Line; 2]) -> Cell {
    match found {
        BreakEven::At { .. } => break_even_cell(found),
        other => Cell::text(format!(
            "{}; a message takes {} more than with USM",
            break_even_text(other),
            time_text(&difference(&session.slope, &usm.slope))
        )),
    }
}

fn break_even_text(found: BreakEven) -> String {
    let count = |value: f64| Unit::Count.text(value.round());
    match found {
        BreakEven::At { value, interval } => Unit::Count.estimate_text(value, Some(interval), Level::P95),
        BreakEven::FirstIsCheaper => "never".to_owned(),
        BreakEven::SecondIsCheaper => "always".to_owned(),
        BreakEven::Reversed { value, interval } => {
            format!("only below {}", Unit::Count.estimate_text(value, Some(interval), Level::P95))
        }
        BreakEven::NotDecided { above: Some(above) } => {
            format!("not decided; not below {}", count(above))
        }
        BreakEven::NotDecided { above: None } => "not decided".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(found: BreakEven) -> String {
        break_even_text(found).replace('\u{a0}', " ")
    }

    #[test]
    fn break_even_that_is_not_significant_is_not_decided() {
        assert_eq!(text(BreakEven::NotDecided { above: Some(411.6) }), "not decided; not below 412");
        assert_eq!(text(BreakEven::NotDecided { above: None }), "not decided");
        assert_eq!(text(BreakEven::FirstIsCheaper), "never");
        let interval = Interval { low: 101.0, high: 190.0 };
        assert_eq!(text(BreakEven::Reversed { value: 150.0, interval }), "only below 150 (95 % 100–190)");
    }

    #[test]
    fn values_with_overlapping_intervals_are_not_compared() {
        let summary = |values: &[f64]| Summary::of(values).unwrap();
        let (low, high) = (summary(&[1.0, 1.01, 0.99]), summary(&[1.5, 1.51, 1.49]));
        assert_eq!(is_less(&low, &high), Some(true));
        assert_eq!(is_less(&high, &low), Some(false));
        assert_eq!(is_less(&summary(&[1.0, 2.0, 3.0]), &high), None);
        assert_eq!(is_less(&summary(&[1.0]), &high), None, "one value has no interval");
        assert_eq!((is_below(&low, 1.2), is_below(&high, 1.2)), (Some(true), Some(false)));
    }
}
