use super::*;

/// Replaces the spaces that do not break, so that tests can be read.
fn plain(text: &str) -> String {
    text.replace(['\u{a0}', '\u{202f}'], " ")
}

#[test]
fn values_have_a_prefix_and_three_digits() {
    for (unit, value, expected) in [
        (Unit::Seconds, 0.0, "0 s"),
        (Unit::Seconds, 31.24e-6, "31.2 µs"),
        (Unit::Seconds, 0.999_96e-3, "1.00 ms"),
        (Unit::Seconds, 0.001_61, "1.61 ms"),
        (Unit::Seconds, 4.1e-8, "41 ns"),
        (Unit::Seconds, 128.6, "129 s"),
        (Unit::Seconds, -0.0021, "−2.10 ms"),
        (Unit::Octets, 4388.0, "4388"),
        (Unit::Octets, 57_224_123.0, "57 224 123"),
        (Unit::Octets, 740.3, "740"),
        (Unit::Count, 138.2, "138"),
        (Unit::Count, 12.25, "12.2"),
        (Unit::Bytes, 7200.0, "7.20 kB"),
        (Unit::Bytes, 13.7e6, "13.7 MB"),
        (Unit::Bytes, 12.0, "12 B"),
        (Unit::PerSecond, 40_900.4, "40 900 /s"),
        (Unit::Ratio, 1.237, "1.24"),
        (Unit::Ratio, 0.004_321, "0.00432"),
        (Unit::Ratio, 2.0, "2"),
        (Unit::Share, 0.2194, "21.9 %"),
    ] {
        assert_eq!(plain(&unit.text(value)), expected, "{unit:?} {value}");
    }
}

#[test]
fn interval_has_one_unit() {
    let interval = |low, high| Interval { low, high };
    assert_eq!(plain(&Unit::Seconds.interval_text(interval(30.94e-6, 31.6e-6))), "30.9–31.6 µs");
    assert_eq!(plain(&Unit::Seconds.interval_text(interval(0.9e-3, 1.2e-3))), "0.900–1.20 ms");
    assert_eq!(plain(&Unit::Ratio.interval_text(interval(0.98, 1.02))), "0.980–1.02");
}

#[test]
fn number_that_rounds_to_zero_has_no_sign() {
    assert_eq!(Unit::Ratio.scale(1.0).fixed(-0.001, 1), "0.0");
    assert_eq!(plain(&Unit::Ratio.scale(1.0).fixed(-12_345.67, 1)), "−12 345.7");
}

#[test]
fn value_that_is_not_finite_is_a_dash() {
    assert_eq!(Unit::Ratio.text(f64::NAN), "–");
    assert!(Unit::Seconds.text(f64::INFINITY).starts_with('–'));
}

proptest::proptest! {
    #[test]
    fn text_is_within_half_a_per_cent(value in 1e-7..1e6_f64) {
        let text = plain(&Unit::Seconds.text(value));
        let (number, unit) = text.rsplit_once(' ').unwrap();
        let factor = match unit { "s" => 1.0, "ms" => 1e-3, "µs" => 1e-6, _ => 1e-9 };
        let read: f64 = number.replace(' ', "").parse().unwrap();
        proptest::prop_assert!((read * factor / value - 1.0).abs() < 0.0051, "{} {}", value, text);
    }
}

#[test]
fn estimate_has_only_the_digits_that_its_interval_allows() {
    let text = |unit: Unit, value, low, high| {
        unit.estimate_text(value, Some(Interval { low, high }), Level::P95)
            .replace(['\u{a0}', '\u{202f}'], " ")
    };
    assert_eq!(text(Unit::Seconds, 31.24e-6, 30.91e-6, 31.58e-6), "31.2 µs (95 % 30.9–31.6 µs)");
    assert_eq!(text(Unit::Seconds, 10.63e-3, 3.12e-3, 36.4e-3), "11 ms (95 % 3.1–36 ms)");
    assert_eq!(text(Unit::Seconds, 0.4391, 0.2521, 0.7613), "440 ms (95 % 250–760 ms)");
    assert_eq!(text(Unit::Ratio, 1.043, 0.2264, 2.171), "1.0 (95 % 0.23–2.2)");
    assert_eq!(text(Unit::Count, 12_345.6, 9_876.0, 23_456.0), "12 000 (95 % 9900–23 000)");
    assert_eq!(text(Unit::Seconds, 2e-6, -8e-6, 12e-6), "2.0 µs (95 % −8.0–12 µs)");
    assert_eq!(text(Unit::Ratio, 2.5, 2.5, 2.5), "2.50");
    assert_eq!(Unit::Ratio.estimate_text(2.5, None, Level::P95), "2.50");
}
