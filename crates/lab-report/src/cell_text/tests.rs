use super::*;
use crate::papers::{PaperUnit, PaperValue};
use crate::statistics::{Interval, Summary};
use crate::unit::Unit;

/// The texts of a cell, with ordinary spaces.
fn texts(cell: &Cell) -> Vec<String> {
    let texts = match CellText::of(cell) {
        CellText::Empty => Vec::new(),
        CellText::Text(text) => vec![text.to_string()],
        CellText::Value { value, details } => [vec![value], details].concat(),
        CellText::Paper(text, _) => vec![text],
        CellText::Unavailable(reason) => vec![reason.to_owned()],
    };
    texts.into_iter().map(|text| text.replace(['\u{a0}', '\u{202f}'], " ")).collect()
}

fn summary(values: impl IntoIterator<Item = f64>) -> Summary {
    Summary::of(&values.into_iter().collect::<Vec<_>>()).unwrap()
}

#[test]
fn measured_value_has_interval_minimum_and_n_in_its_unit() {
    let times = summary((1..=20).map(|value| f64::from(value) * 100e-6));
    assert_eq!(
        texts(&Cell::measured(times.clone(), Unit::Seconds)),
        ["1.05 ms", "95 % 0.600–1.50", "min 0.100 · n 20"]
    );
    assert_eq!(
        texts(&Cell::mean99(times, Unit::Seconds)),
        ["1.05 ms", "99 % 0.732–1.51", "mean; median 1.05", "min 0.100 · n 20"]
    );
}

#[test]
fn interval_by_students_t_beside_a_median_is_marked() {
    assert_eq!(
        texts(&Cell::measured(summary([1.0, 2.0, 3.0]), Unit::Ratio)),
        ["2", "95 % 0.457–7.22 t", "min 1 · n 3"]
    );
    assert_eq!(texts(&Cell::measured(summary([2.5]), Unit::Ratio)), ["2.50", "min 2.50 · n 1"]);
}

#[test]
fn equal_values_need_no_interval() {
    assert_eq!(texts(&Cell::measured(summary([220.0; 9]), Unit::Octets)), ["220", "all equal · n 9"]);
}

#[test]
fn computed_paper_and_missing_values_say_what_they_are() {
    let interval = Some(Interval { low: 450.0, high: 512.0 });
    assert_eq!(texts(&Cell::computed(480.0, interval, Unit::Count)), ["480", "95 % 450–512", "computed"]);
    assert_eq!(texts(&Cell::computed(480.0, None, Unit::Count)), ["480", "computed"]);
    assert_eq!(texts(&Cell::paper(PaperValue::new(0.7, 2, PaperUnit::Milliseconds))), ["0.70 ms"]);
    assert_eq!(texts(&Cell::Unavailable("no root".to_owned())), ["no root"]);
    assert_eq!(texts(&Cell::Empty), [""; 0]);
}
