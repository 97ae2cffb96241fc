use super::{Figure, best_and_median, json_object, json_skip};
use crate::skips::Skip;

#[test]
fn best_result_is_the_largest_and_median_is_the_middle_one() {
    assert_eq!(best_and_median(&[3.0, 9.0, 1.0, 5.0, 4.0]), (9.0, 4.0));
    assert_eq!(best_and_median(&[4.0, 2.0]), (4.0, 3.0));
    assert_eq!(best_and_median(&[]), (0.0, 0.0));
}

#[test]
fn benchmark_figure_is_written_as_json_object() {
    let figure = Figure {
        experiment: "x",
        work: "say \"hi\"\n".into(),
        setting: "",
        subject: "s".into(),
        unit: "ns",
        best: 1.5,
        median: 2.0,
        n: 5,
        ratios: vec![("echo", 0.5)],
        goal: None,
    };
    assert_eq!(
        json_object(&figure),
        "{\"experiment\": \"x\", \"work\": \"say \\\"hi\\\"\\n\", \"setting\": \"\", \"subject\": \"s\", \
         \"unit\": \"ns\", \"best\": 1.500, \"median\": 2.000, \"n\": 5, \"ratios\": {\"echo\": 0.5000}, \"goal\": null}"
    );
}

#[test]
fn part_that_is_not_measured_is_written_with_its_reason() {
    let skip = Skip { subject: "snmpd".into(), reason: "it is not installed".into() };
    assert_eq!(
        json_skip("throughput", &skip),
        "{\"experiment\": \"throughput\", \"subject\": \"snmpd\", \"skipped\": \"it is not installed\"}"
    );
}
