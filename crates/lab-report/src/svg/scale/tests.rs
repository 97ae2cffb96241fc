use proptest::prelude::*;

use super::*;

fn labels(axis: &Axis, values: &[f64], count: usize) -> Vec<String> {
    let scale = Scale::new(axis, values.iter().copied(), count);
    scale.ticks.iter().map(|tick| tick.label.replace(['\u{a0}', '\u{202f}'], " ")).collect()
}

#[test]
fn linear_axis_begins_at_zero_and_has_nice_steps() {
    let axis = Axis::linear("time", Unit::Seconds);
    assert_eq!(labels(&axis, &[0.003, 0.0172], 5), ["0", "5", "10", "15", "20"]);
    assert_eq!(labels(&axis, &[0.72], 5), ["0", "200", "400", "600", "800"]);
    assert_eq!(labels(&axis, &[0.9], 5), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
    assert_eq!(labels(&axis, &[1.1], 5), ["0.00", "0.25", "0.50", "0.75", "1.00", "1.25"]);
    assert_eq!(Scale::new(&axis, [0.0172].into_iter(), 5).label, "time (ms)");
    let octets = Axis::linear("octets", Unit::Octets);
    assert_eq!(labels(&octets, &[880_000.0], 5), ["0", "200 k", "400 k", "600 k", "800 k", "1 M"]);
    assert_eq!(labels(&octets, &[4710.0], 5), ["0", "1000", "2000", "3000", "4000", "5000"]);
    assert_eq!(Scale::new(&octets, [1.0].into_iter(), 5).label, "octets");
    let share = Axis::linear("loss", Unit::Share);
    assert_eq!(labels(&share, &[0.05], 5), ["0", "1", "2", "3", "4", "5"]);
}

#[test]
fn logarithmic_axis_has_decades_or_parts_of_them() {
    let axis = Axis::log("time", Unit::Seconds);
    assert_eq!(labels(&axis, &[0.000_03, 0.0162], 5), ["100 µs", "1 ms", "10 ms"]);
    let count = Axis::log("M", Unit::Count);
    assert_eq!(labels(&count, &[1.0, 100_000.0], 6), ["1", "10", "100", "1000", "10 k", "100 k"]);
    assert_eq!(labels(&count, &[3.0, 70.0], 5), ["2", "5", "10", "20", "50", "100"]);
}

#[test]
fn values_are_placed_between_the_ends() {
    let mut scale = Scale::new(&Axis::log("M", Unit::Count), [1.0, 100.0].into_iter(), 5);
    scale.place(300.0, 100.0);
    assert_eq!(
        [1.0, 10.0, 100.0, 0.0, -3.0].map(|value| scale.at(value)),
        [Some(300.0), Some(200.0), Some(100.0), None, None]
    );
    let mut scale = Scale::new(&Axis::linear("M", Unit::Count), [-10.0, 10.0].into_iter(), 4);
    scale.place(0.0, 100.0);
    assert_eq!([-10.0, 0.0, 10.0].map(|value| scale.at(value)), [Some(0.0), Some(50.0), Some(100.0)]);
    assert_eq!(scale.at(f64::NAN), None);
}

#[test]
fn axis_without_usable_values_has_a_range() {
    for axis in [Axis::linear("x", Unit::Ratio), Axis::log("x", Unit::Seconds)] {
        for values in
            [vec![], vec![0.0], vec![f64::NAN], vec![f64::INFINITY], vec![1e300], vec![-1.0, 1e-300]]
        {
            let mut scale = Scale::new(&axis, values.iter().copied(), 5);
            scale.place(0.0, 100.0);
            assert!((2..20).contains(&scale.ticks.len()), "{values:?}: {}", scale.ticks.len());
            assert!(scale.at(scale.ticks[0].at).is_some_and(f64::is_finite));
        }
    }
}

proptest! {
    #[test]
    fn ticks_enclose_the_values_and_are_few(
        values in prop::collection::vec(1e-9..1e9_f64, 1..20), is_log: bool, count in 3..8_usize,
    ) {
        let scaling = if is_log { Scaling::Log } else { Scaling::Linear };
        let axis = Axis { label: String::new(), unit: Unit::Seconds, scaling };
        let mut scale = Scale::new(&axis, values.iter().copied(), count);
        scale.place(0.0, 100.0);
        prop_assert!((2..=24).contains(&scale.ticks.len()), "{}", scale.ticks.len());
        let labelled = scale.ticks.iter().filter(|tick| !tick.label.is_empty()).count();
        prop_assert!((1..=count + 4).contains(&labelled), "{}", labelled);
        for value in values {
            let low = scale.low - value.abs() * 1e-6;
            prop_assert!(low <= value && value <= scale.high * 1.000_001, "{}..{} {}", scale.low, scale.high, value);
        }
        let pixels: Vec<f64> = scale.ticks.iter().filter_map(|tick| scale.at(tick.at)).collect();
        prop_assert!(pixels.is_sorted());
    }
}
