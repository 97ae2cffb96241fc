use super::*;

#[test]
fn a_value_ends_at_a_blank_or_at_its_quote() {
    let value = |line| read(line).unwrap().value;
    for (line, expected) in [
        ("word value more", "value"),
        ("word", ""),
        ("word \"two words\" more", "two words"),
        ("word 'it is \"so\"'", "it is \"so\""),
        (r#"word "a \" quote""#, "a \" quote"),
        (r"word back\ slash", "back slash"),
        ("word \"open end", "open end"),
        ("\tword\t value\t", "value"),
        ("word # kept", "#"),
    ] {
        assert_eq!(value(line), expected, "{line}");
    }
    assert_eq!(read("mibs A-MIB : B-MIB ").unwrap().whole, "A-MIB : B-MIB");
    assert_eq!((read("  # comment"), read(" \t")), (None, None));
}

#[test]
fn a_section_is_split_from_what_follows_it() {
    assert_eq!(Head::of("[snmp] retries 3"), Head::Section("snmp", " retries 3"));
    assert_eq!(Head::of(" [ snmpd ]"), Head::Section("snmpd", ""));
    assert_eq!(Head::of("retries [3]"), Head::Plain("retries [3]"));
    assert_eq!(Head::of("[snmp"), Head::Open("snmp"));
}
