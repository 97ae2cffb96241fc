use super::*;

#[test]
fn sizes_are_shown_in_the_largest_unit_that_they_reach() {
    for (kibibytes, binary, decimal) in [
        (0, "0.00kB", "0.00kB"),
        (999, "999.00kB", "999.00kB"),
        (1000, "1000.00kB", "1.00MB"),
        (1023, "1023.00kB", "1.02MB"),
        (1024, "1.00MiB", "1.02MB"),
        (24_684_092, "23.54GiB", "24.68GB"),
        (1 << 40, "1.00PiB", "1.10PB"),
    ] {
        assert_eq!(readable(kibibytes, 1024), binary);
        assert_eq!(readable(kibibytes, 1000), decimal);
    }
}

#[test]
fn a_size_beyond_31_bits_is_taken_as_one_of_32() {
    let values = [
        OwnedValue::OctetString(b"/\x1b[2J".to_vec()),
        OwnedValue::Integer(4096),
        OwnedValue::Integer(-1),
        OwnedValue::Integer(i32::MAX),
    ];
    let area = Area::from_host_resources(&values).unwrap();
    assert_eq!(area.line(None), "/.[2J                  17179869180      8589934588      8589934592   49%");
}

#[test]
fn a_row_that_has_gone_is_no_area() {
    let values = [OwnedValue::NoSuchInstance, OwnedValue::Integer(1), OwnedValue::Integer(1)];
    assert_eq!(Area::from_ucd(&values), None);
}
