use super::*;

fn lines(options: &DeltaOptions, readings: &[(u32, Reading)]) -> Vec<Option<String>> {
    let mut meter = Meter::new("x.1".to_owned(), options);
    readings.iter().map(|(time, reading)| meter.record(*time, *reading, options, true).unwrap()).collect()
}

fn line(text: &str) -> Option<String> {
    Some(text.to_owned())
}

#[test]
fn long_object_name_is_shortened_to_last_descriptor_and_index() {
    for (name, expected) in [
        ("IF-MIB::ifInOctets.1", "IF-MIB::ifInOctets.1"),
        (".iso.org.dod.internet.mgmt.mib-2.interfaces.ifTable.ifEntry.ifInOctets.1", "ifInOctets.1"),
        (".1.3.6.1", ".1.3.6.1"),
        ("interfaces.ifTable.ifEntry.ifInOctets.1.2", "ifInOctets.1.2"),
    ] {
        assert_eq!(descriptor(name), expected);
    }
}

#[test]
fn first_counter_reading_prints_nothing_and_wrap_counts_as_increase() {
    let readings = [
        (NO_AGENT_TIME, Reading::Number(u32::MAX - 1)),
        (NO_AGENT_TIME, Reading::Number(3)),
        (NO_AGENT_TIME, Reading::Number(3)),
    ];
    let expected = [None, line("x.1 /1 sec: 5"), line("x.1 /1 sec: 0")];
    assert_eq!(lines(&DeltaOptions::default(), &readings), expected);
    let readings =
        [(NO_AGENT_TIME, Reading::Number64(u64::MAX)), (NO_AGENT_TIME, Reading::Number64(1 << 40))];
    assert_eq!(lines(&DeltaOptions::default(), &readings), [None, line("x.1 /1 sec: 1099511627777")]);
}

#[test]
fn rate_is_counter_increase_per_second_of_agent_uptime() {
    let options = DeltaOptions { agent_time: true, maximum: true, ..DeltaOptions::default() };
    let readings = [
        (1000, Reading::Number(0)),
        (1200, Reading::Number(30)),
        (1250, Reading::Number(40)),
        // The agent has restarted, so an elapsed time of one second is assumed.
        (10, Reading::Number(50)),
    ];
    let expected = [
        None,
        line("x.1 /sec: 15.00\t(Max: 15.00)"),
        line("x.1 /sec: 20.00\t(Max: 20.00)"),
        line("x.1 /sec: 10.00\t(Max: 20.00)"),
    ];
    assert_eq!(lines(&options, &readings), expected);
}

#[test]
fn delta_of_counter64_is_rejected_in_table_form() {
    let options = DeltaOptions { table: true, ..DeltaOptions::default() };
    let mut meter = Meter::new(String::new(), &options);
    assert!(meter.record(NO_AGENT_TIME, Reading::Number64(1), &options, true).is_ok());
    assert!(meter.record(NO_AGENT_TIME, Reading::Number64(2), &options, true).is_err());
}
