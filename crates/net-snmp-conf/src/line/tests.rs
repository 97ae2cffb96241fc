use super::*;

#[test]
fn directive_value_ends_at_blank_or_quote_and_raw_value_at_line_end() {
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
    assert_eq!(read("mibs A-MIB : B-MIB ").unwrap().raw_value, "A-MIB : B-MIB");
    assert_eq!((read("  # comment"), read(" \t")), (None, None));
}

#[test]
fn section_name_in_brackets_is_split_from_rest_of_line() {
    assert_eq!(Head::of("[snmp] retries 3"), Head::Section("snmp", " retries 3"));
    assert_eq!(Head::of(" [ snmpd ]"), Head::Section("snmpd", ""));
    assert_eq!(Head::of("retries [3]"), Head::Plain("retries [3]"));
    assert_eq!(Head::of("[snmp"), Head::Unclosed("snmp"));
}
