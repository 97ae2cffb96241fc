use super::*;

#[test]
fn human_readable_size_uses_largest_suitable_unit() {
    for (kibibytes, binary, decimal) in [
        (0, "0.00kB", "0.00kB"),
        (999, "999.00kB", "999.00kB"),
        (1000, "1000.00kB", "1.00MB"),
        (1023, "1023.00kB", "1.02MB"),
        (1024, "1.00MiB", "1.02MB"),
        (24_684_092, "23.54GiB", "24.68GB"),
        (1 << 40, "1.00PiB", "1.10PB"),
    ] {
        assert_eq!(human_size(kibibytes, 1024), binary);
        assert_eq!(human_size(kibibytes, 1000), decimal);
    }
}

#[test]
fn storage_size_is_printed_as_unsigned_and_control_characters_as_dots() {
    let values = [
        OwnedValue::OctetString(b"/\x1b[2J".to_vec()),
        OwnedValue::Integer(4096),
        OwnedValue::Integer(-1),
        OwnedValue::Integer(i32::MAX),
    ];
    let area = StorageArea::from_host_resources(&values).unwrap();
    assert_eq!(area.line(None), "/.[2J                  17179869180      8589934588      8589934592   49%");
}

#[test]
fn storage_area_is_not_created_from_missing_table_row() {
    let values = [OwnedValue::NoSuchInstance, OwnedValue::Integer(1), OwnedValue::Integer(1)];
    assert_eq!(StorageArea::from_ucd(&values), None);
}
