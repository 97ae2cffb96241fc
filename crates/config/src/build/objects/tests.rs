use super::*;

#[test]
fn view_subtree_is_parsed_from_numbers_names_and_wildcards() {
    for (text, oid, mask) in [
        ("1.3.6.1", "1.3.6.1", &[][..]),
        (".1.3.6.1", "1.3.6.1", &[]),
        ("system", "1.3.6.1.2.1.1", &[]),
        ("SNMPv2-MIB::sysDescr.0", "1.3.6.1.2.1.1.1.0", &[]),
        ("ifEntry.*.7", "1.3.6.1.2.1.2.2.1.0.7", &[0xff, 0b1011_1111]),
        ("1.*.4294967295", "1.0.4294967295", &[0b1011_1111]),
    ] {
        let expected = Subtree { oid: oid.parse().unwrap(), mask: mask.to_vec() };
        assert_eq!(Subtree::parse(text), Ok(expected), "{text}");
    }
}

#[test]
fn parse_rejects_invalid_view_subtrees() {
    let long = vec!["1"; 129].join(".");
    for text in [
        "",
        ".",
        "1.",
        "1..3",
        "1.-3",
        "1.+3",
        "1.4294967296",
        "*",
        "sysDesc",
        "NO-MIB::system",
        "::",
        "1.3 ",
        &long,
    ] {
        assert!(Subtree::parse(text).is_err(), "{text}");
    }
}
