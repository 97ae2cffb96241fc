use super::*;

#[test]
fn value_is_converted_and_shown_as_printed() {
    for (printed, value, unit, text) in [
        (ms(16.17, 2), 0.016_17, Unit::Seconds, "16.17 ms"),
        (ms(0.7, 2), 0.0007, Unit::Seconds, "0.70 ms"),
        (seconds(129.0559, 5), 129.0559, Unit::Seconds, "129.05590 s"),
        (octets(28_820_676.5, 1), 28_820_676.5, Unit::Octets, "28 820 676.5"),
        (octets(4388.0, 0), 4388.0, Unit::Octets, "4388"),
        (kilobytes(7.0).approximate(), 7000.0, Unit::Bytes, "≈ 7 kB"),
        (count(2354.0, 0), 2354.0, Unit::Count, "2354"),
        (ratio_percent(433.0, 0), 4.33, Unit::Ratio, "433 %"),
        (share_percent(4.01, 2), 0.0401, Unit::Share, "4.01 %"),
    ] {
        assert!((printed.value() - value).abs() <= value * 1e-12, "{text}");
        assert_eq!(
            (printed.unit(), printed.text().replace(['\u{a0}', '\u{202f}'], " ")),
            (unit, text.to_owned())
        );
    }
}

#[test]
fn rounding_is_half_of_the_last_decimal() {
    assert!((ms(1.03, 2).rounding() - 0.000_005).abs() < 1e-15);
    assert!((ratio_percent(203.0, 0).rounding() - 0.005).abs() < 1e-15);
}
