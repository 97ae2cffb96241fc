use super::*;
use crate::html;
use crate::sample::{Environment, Noise, Record, RunInfo, Sample};
use crate::unit::Unit;

/// A run with one value in several rounds.
fn run(values: &[(&str, &[f64])]) -> Samples {
    let records = values.iter().flat_map(|(name, values)| {
        values.iter().enumerate().map(|(round, value)| {
            Record::Sample(Sample::new("walk", Variant::of([("stack", "udp")]), round).value(*name, *value))
        })
    });
    Samples::new(records.collect())
}

fn times(around: f64) -> Vec<f64> {
    (0..20).map(|round| around * (1.0 + f64::from((round * 7) % 20) / 1000.0)).collect()
}

fn direction_of(before: &[f64], after: &[f64]) -> Direction {
    let comparison = Comparison::new(&run(&[("time", before)]), &run(&[("time", after)]));
    comparison.changes[0].direction
}

#[test]
fn clear_change_is_found_in_both_directions() {
    assert_eq!(direction_of(&times(1.0), &times(1.2)), Direction::Increased);
    assert_eq!(direction_of(&times(1.0), &times(0.9)), Direction::Decreased);
    assert_eq!(direction_of(&times(1.0), &times(1.0)), Direction::Unchanged);
}

#[test]
fn change_below_the_minimum_is_none() {
    // Significant, because these samples hardly vary, but smaller than the drift between two runs.
    let comparison = Comparison::new(&run(&[("time", &times(1.0))]), &run(&[("time", &times(1.025))]));
    assert!(!comparison.changes[0].interval.unwrap().contains(1.0));
    assert_eq!(comparison.changes[0].direction, Direction::Unchanged);
}

#[test]
fn change_that_the_scatter_explains_is_none() {
    let scattered: Vec<f64> = (1..=20).map(f64::from).collect();
    let more: Vec<f64> = scattered.iter().map(|value| value * 1.2).collect();
    assert_eq!(direction_of(&scattered, &more), Direction::Unchanged);
}

#[test]
fn each_difference_of_constant_values_counts() {
    assert_eq!(direction_of(&[220.0; 5], &[221.0; 5]), Direction::Increased);
    assert_eq!(direction_of(&[220.0; 5], &[220.0; 5]), Direction::Unchanged);
    assert_eq!(direction_of(&[0.0; 5], &[1.0; 5]), Direction::Increased);
}

#[test]
fn too_few_or_unusable_samples_decide_nothing() {
    assert_eq!(direction_of(&[1.0, 1.1], &[1.0, 2.0]), Direction::Undecided);
    assert_eq!(direction_of(&[0.0, 0.0, 1.0], &[1.0, 2.0, 3.0]), Direction::Undecided);
    // Two runs with one round each.
    assert_eq!(direction_of(&[1.0], &[2.0]), Direction::Undecided);
    assert_eq!(direction_of(&[1.0], &[2.0; 5]), Direction::Undecided);
    assert_eq!(direction_of(&[1.0; 5], &[2.0]), Direction::Undecided);
    assert_eq!(direction_of(&[1.0; 2], &[2.0; 2]), Direction::Increased);
}

#[test]
fn values_of_one_run_only_are_listed() {
    let before = run(&[("time", &[1.0]), ("frames", &[2.0])]);
    let after = run(&[("time", &[1.0]), ("octets", &[2.0])]);
    let comparison = Comparison::new(&before, &after);
    assert_eq!(comparison.changes.len(), 1);
    assert_eq!(comparison.only_before.iter().map(|place| &*place.value).collect::<Vec<_>>(), ["frames"]);
    assert_eq!(comparison.only_after.iter().map(|place| &*place.value).collect::<Vec<_>>(), ["octets"]);
}

#[test]
fn variant_with_further_axes_is_another_one() {
    let sample = |variant: Variant, time| {
        (0..9)
            .map(move |round| Record::Sample(Sample::new("walk", variant.clone(), round).value("time", time)))
    };
    let short = Variant::of([("stack", "udp")]);
    let long = short.clone().and("rows", "10");
    let before = Samples::new(sample(short.clone(), 1.0).chain(sample(long.clone(), 5.0)).collect());
    let after = Samples::new(sample(short, 1.0).chain(sample(long, 6.0)).collect());
    let comparison = Comparison::new(&before, &after);
    let found: Vec<_> =
        comparison.changes.iter().map(|change| (change.before.median, change.direction)).collect();
    assert_eq!(found, [(5.0, Direction::Increased), (1.0, Direction::Unchanged)]);
}

#[test]
fn runs_of_the_same_distribution_rarely_differ() {
    let mut state = 3_u64;
    let mut uniform = move || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 53) as f64
    };
    let mut values = || -> Vec<(String, Vec<f64>)> {
        (0..300).map(|index| (format!("v{index}"), (0..20).map(|_| 1.0 - uniform().ln()).collect())).collect()
    };
    let (before, after) = (values(), values());
    let as_run = |values: &[(String, Vec<f64>)]| {
        run(&values.iter().map(|(name, values)| (name.as_str(), values.as_slice())).collect::<Vec<_>>())
    };
    let comparison = Comparison::new(&as_run(&before), &as_run(&after));
    let changed = comparison.count(Direction::Increased) + comparison.count(Direction::Decreased);
    assert_eq!(comparison.changes.len(), 300);
    assert!(changed <= 6, "{changed} of 300");
}

#[test]
fn report_lists_the_largest_changes_first_and_marks_differences() {
    let noise = |samples: &[(&str, &[f64])], idle| {
        let mut records: Vec<Record> = samples
            .iter()
            .flat_map(|(name, values)| values.iter().enumerate().map(|(round, value)| (*name, round, *value)))
            .map(|(name, round, value)| {
                Record::Sample(Sample::new("walk", Variant::of([("stack", "udp")]), round).value(name, value))
            })
            .collect();
        let values = [("idle_loop".to_owned(), idle)].into();
        records.push(Record::Noise(Noise { experiment: "walk".to_owned(), round: 0, values }));
        Samples::new(records)
    };
    let before = noise(&[("octets", &[100.0; 9]), ("time", &times(1.0))], 0.01);
    let after = noise(&[("octets", &[110.0; 9]), ("time", &times(0.25))], 0.02);
    let info = |kernel: &str, quick| RunInfo {
        quick,
        environment: Environment { kernel: kernel.to_owned(), cores: 2, ..Environment::default() },
        ..RunInfo::default()
    };
    let (first, second) = (info("6.1", false), info("6.18", true));
    let unit = |name: &str| if name == "time" { Unit::Seconds } else { Unit::Octets };
    let report = Comparison::new(&before, &after).report(["old", "new"], [&first, &second], unit);
    assert!(report.quick, "one quick run makes the comparison a quick one");
    let page = html::render(&report).replace('\u{a0}', " ");
    let place = |text: &str| page.find(text).unwrap_or_else(|| panic!("{text}"));
    assert!(place("<td>time</td>") < place("<td>octets</td>"));
    assert!(page.contains("Of 2 values, 1 increased and 1 decreased."));
    assert!(page.contains("<strong>Kernel</strong>") && page.contains("<th scope=\"row\">Cores</th>"));
    assert!(page.contains("The idle loop took 2 times as long in the second run"));
    assert!(page.contains("<b>1.10</b>") && page.contains("<b>0.250</b>"));
}

#[test]
fn report_without_changes_says_so() {
    let samples = run(&[("time", &times(1.0))]);
    let info = RunInfo::default();
    let report = Comparison::new(&samples, &samples).report(["a", "b"], [&info, &info], |_| Unit::Seconds);
    assert!(html::render(&report).contains("No value changed."));
}
