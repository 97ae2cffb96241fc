use super::*;

fn lines(options: &Delta, readings: &[(u32, Reading)]) -> Vec<Option<String>> {
    let mut meter = Meter::new("x.1".to_owned(), options);
    readings.iter().map(|(time, reading)| meter.reading(*time, *reading, options, true).unwrap()).collect()
}

fn said(text: &str) -> Option<String> {
    Some(text.to_owned())
}

#[test]
fn a_line_is_called_by_the_last_part_of_a_name_that_has_letters() {
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
fn the_first_reading_says_nothing_and_a_wrap_is_a_rise() {
    let readings =
        [(ONCE, Reading::Number(u32::MAX - 1)), (ONCE, Reading::Number(3)), (ONCE, Reading::Number(3))];
    let expected = [None, said("x.1 /1 sec: 5"), said("x.1 /1 sec: 0")];
    assert_eq!(lines(&Delta::default(), &readings), expected);
    let readings = [(ONCE, Reading::Number64(u64::MAX)), (ONCE, Reading::Number64(1 << 40))];
    assert_eq!(lines(&Delta::default(), &readings), [None, said("x.1 /1 sec: 1099511627777")]);
}

#[test]
fn the_agents_time_makes_rates_of_rises() {
    let options = Delta { agent_time: true, maximum: true, ..Delta::default() };
    let readings = [
        (1000, Reading::Number(0)),
        (1200, Reading::Number(30)),
        (1250, Reading::Number(40)),
        // The agent has restarted: a second is taken for granted.
        (10, Reading::Number(50)),
    ];
    let expected = [
        None,
        said("x.1 /sec: 15.00\t(Max: 15.00)"),
        said("x.1 /sec: 20.00\t(Max: 20.00)"),
        said("x.1 /sec: 10.00\t(Max: 20.00)"),
    ];
    assert_eq!(lines(&options, &readings), expected);
}

#[test]
fn a_64_bit_counter_has_no_rate() {
    let options = Delta { table: true, ..Delta::default() };
    let mut meter = Meter::new(String::new(), &options);
    assert!(meter.reading(ONCE, Reading::Number64(1), &options, true).is_ok());
    assert!(meter.reading(ONCE, Reading::Number64(2), &options, true).is_err());
}
