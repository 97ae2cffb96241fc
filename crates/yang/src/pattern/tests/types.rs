//! The patterns of ietf-inet-types and ietf-yang-types.

use super::accepts;

const OCTET: &str = "([0-9]|[1-9][0-9]|1[0-9][0-9]|2[0-4][0-9]|25[0-5])";
const IPV6_FORM: &str = "((:|[0-9a-fA-F]{0,4}):)([0-9a-fA-F]{0,4}:){0,5}((([0-9a-fA-F]{0,4}:)?(:|[0-9a-fA-F]{0,4}))|\
    (((25[0-5]|2[0-4][0-9]|[01]?[0-9]?[0-9])\\.){3}(25[0-5]|2[0-4][0-9]|[01]?[0-9]?[0-9])))";
const IPV6_GROUPS: &str = "(([^:]+:){6}(([^:]+:[^:]+)|(.*\\..*)))|((([^:]+:)*[^:]+)?::(([^:]+:)*[^:]+)?)";

/// Asserts which values conform to all patterns.
fn check(patterns: &[&str], conforming: &[&str], others: &[&str]) {
    for value in conforming {
        assert!(
            patterns.iter().all(|pattern| accepts(pattern, value)),
            "{value:?} is refused by {patterns:?}"
        );
    }
    for value in others {
        assert!(
            !patterns.iter().all(|pattern| accepts(pattern, value)),
            "{value:?} conforms to {patterns:?}"
        );
    }
}

#[test]
fn ipv4_addresses() {
    let address = format!("({OCTET}\\.){{3}}{OCTET}");
    let others =
        ["256.0.0.1", "192.0.2", "192.0.2.1.5", "192.0.2.01", "192.0.2.1 ", "192.0.2.a", "", "192.0.2.1\n"];
    for zone in [r"(%[\p{N}\p{L}]+)?", "(%.+)?"] {
        let zoned = format!("{address}{zone}");
        check(&[&zoned], &["192.0.2.1", "0.0.0.0", "255.255.255.255", "192.0.2.7%eth0"], &others);
        check(&[&zoned], &[], &["192.0.2.1%"]);
        check(&[&zoned, r"[0-9\.]*"], &["198.51.100.9"], &["192.0.2.7%eth0"]);
        check(&[&zoned, r"169\.254\..*"], &["169.254.3.4"], &["169.253.3.4", "1690254.3.4"]);
    }
    let prefix = format!("{address}/(([0-9])|([1-2][0-9])|(3[0-2]))");
    check(
        &[&prefix],
        &["192.0.2.0/24", "0.0.0.0/0", "192.0.2.1/32"],
        &["192.0.2.0", "192.0.2.0/33", "192.0.2.0/024"],
    );
    check(&[&address], &["203.0.113.254"], &["203.0.113.254%eth0"]);
}

#[test]
fn ipv6_addresses() {
    let conforming = [
        "::",
        "::1",
        "2001:db8::1",
        "fe80::A",
        "1:2:3:4:5:6:7:8",
        "::ffff:192.0.2.1",
        "1:2:3:4:5:6:192.0.2.1",
    ];
    let others = [
        "",
        ":",
        "1",
        "1:2",
        "2001:db8",
        "1:2:3:4:5:6:7",
        "1:2:3:4:5:6:7:8:9",
        "12345::",
        "g::1",
        "1::2::3",
        "::ffff:192.0.2.256",
        "::1 ",
        "[::1]",
    ];
    for (form_zone, groups_zone, zones) in [
        (r"(%[\p{N}\p{L}]+)?", "(%.+)?", &["fe80::1%eth0", "fe80::1%3"][..]),
        (r"(%[A-Za-z0-9][A-Za-z0-9\-\._~/]*)?", "(%.+)?", &["fe80::1%eth0", "fe80::1%ge-0/0/1.5"]),
    ] {
        let form = format!("{IPV6_FORM}{form_zone}");
        let groups = format!("{IPV6_GROUPS}{groups_zone}");
        check(&[&form, &groups], &conforming, &others);
        check(&[&form, &groups], zones, &["fe80::1%", "fe80::1%-"]);
        check(&[&form, &groups, r"[0-9a-fA-F:\.]*"], &conforming, zones);
        check(&[&form, &groups, "[fF][eE][89aAbB][0-9a-fA-F]:.*"], &["fe80::1", "FEbf::2"], &["fec0::1"]);
    }
    let form = format!("{IPV6_FORM}(/(([0-9])|([0-9]{{2}})|(1[0-1][0-9])|(12[0-8])))");
    let groups = format!("{IPV6_GROUPS}(/.+)");
    check(&[&form, &groups], &["::/0", "2001:db8::/32", "::1/128"], &["::", "::/", "::/129", "::/1000"]);
}

#[test]
fn names_and_addresses_of_the_dns() {
    let label = r"[a-zA-Z0-9_]([a-zA-Z0-9\-_]){0,61}";
    let domain = format!(r"((({label})?[a-zA-Z0-9]\.)*({label})?[a-zA-Z0-9]\.?)|\.");
    let longest = "a".repeat(63);
    let longer = "a".repeat(64);
    check(
        &[&domain],
        &["example.com", "example.com.", ".", "a", "_sip._tcp.example.net", "x--1.org", &longest],
        &["", "..", "-a.org", "a-.org", "a..b", "a b", "exämple.com", &longer],
    );
    check(&[r"[a-zA-Z0-9\-\.]+"], &["host-1.example.com"], &["", "host_1"]);
    check(
        &["[a-z][a-z0-9+.-]*:.*"],
        &["mailto:a", "urn:x:y", "coap+tcp://h", "x-1.a:"],
        &["a", "1a:b", "A:b", ":", "a_b:c"],
    );
    check(&[".+@.+"], &["a@b", "é@é", "a@b@c"], &["@b", "a@", "a", "a\n@b"]);
}

#[test]
fn identifiers_of_objects() {
    let object = r"(([0-1](\.[1-3]?[0-9]))|(2\.(0|([1-9][0-9]*))))(\.(0|([1-9][0-9]*)))*";
    let others = ["1", "3.1", "1.40", "1.3.06", "1.3.", ".1.3", "2.01", "1.3.a"];
    check(&[object], &["1.3.6.1.4.1.32473", "0.0", "1.39", "2.999.1", "2.0.0"], &others);
    let longest = format!("1.3{}", ".1".repeat(126));
    let longer = format!("1.3{}", ".1".repeat(127));
    check(&[object, r"\d*(\.\d*){1,127}"], &[&longest], &[&longer]);
    check(&[object, r"[0-9]*(\.[0-9]*){1,127}"], &[&longest], &[&longer]);
    check(&[object], &[&longer], &[]);
    check(&[r"[a-zA-Z_][a-zA-Z0-9\-_.]*"], &["a", "_1", "if-name.x"], &["1a", "-a", ".a", "a:b", ""]);
    check(
        &[r"[a-zA-Z_][a-zA-Z0-9\-_.]*", ".|..|[^xX].*|.[^mM].*|..[^lL].*"],
        &["x", "xm", "yml", "xmk", "ample"],
        &["xml", "XmLfoo", "1"],
    );
}

#[test]
fn dates_and_times() {
    let offset = r"(Z|[\+\-]((1[0-3]|0[0-9]):([0-5][0-9])|14:00))?";
    let date = "[0-9]{4}-(1[0-2]|0[1-9])-(0[1-9]|[1-2][0-9]|3[0-1])";
    let time = r"(0[0-9]|1[0-9]|2[0-3]):[0-5][0-9]:([0-5][0-9]|60)(\.[0-9]+)?";
    check(
        &[&format!("{date}T{time}{offset}")],
        &[
            "2026-11-23T09:08:07Z",
            "2026-11-23T09:08:60.25+14:00",
            "0000-01-31T23:59:59-13:59",
            "2026-11-23T09:08:07",
        ],
        &[
            "2026-13-01T00:00:00Z",
            "2026-11-23T24:00:00Z",
            "2026-11-23 09:08:07Z",
            "2026-11-23T09:08:07+14:01",
        ],
    );
    check(
        &[r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[\+\-]\d{2}:\d{2})"],
        &["2026-11-23T09:08:07Z", "9999-99-99T99:99:99.9-00:00", "२०२६-11-23T09:08:07Z"],
        &["2026-11-23T09:08:07", "2026-11-23T09:08:07.Z"],
    );
    check(&[&format!("{date}{offset}")], &["2026-02-31", "2026-02-28Z"], &["2026-2-28", "2026-00-01"]);
    check(&[&format!("{time}{offset}")], &["09:08:07.000001Z", "23:59:60"], &["9:08:07", "23:60:00"]);
}

#[test]
fn hexadecimal_octets_and_quads() {
    check(
        &["([0-9a-fA-F]{2}(:[0-9a-fA-F]{2})*)?"],
        &["", "0a", "0A:ff:00"],
        &["0", "0a:", ":0a", "0a-0b", "0g"],
    );
    check(
        &["[0-9a-fA-F]{2}(:[0-9a-fA-F]{2}){5}"],
        &["00:53:00:ab:CD:ef"],
        &["00:53:00:ab:CD", "00:53:00:ab:CD:ef:00"],
    );
    let uuid = "[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}";
    check(&[uuid], &["f81d4fae-7dec-11d0-A765-00a0c91e6bf6"], &["f81d4fae7dec11d0a76500a0c91e6bf6", ""]);
    let quad = format!("({OCTET}\\.){{3}}{OCTET}");
    check(&[&quad], &["1.2.3.4"], &["1.2.3", "1.2.3.400"]);
}
