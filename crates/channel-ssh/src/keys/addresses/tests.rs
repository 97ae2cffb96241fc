use super::*;

#[test]
fn address_lists_contain_expected_addresses() {
    for (list, address, expected) in [
        ("192.0.2.0/24", "192.0.2.255", true),
        ("192.0.2.0/24", "192.0.3.0", false),
        ("0.0.0.0/0", "203.0.113.9", true),
        ("0.0.0.0/0", "2001:db8::1", false),
        ("::/0", "2001:db8::1", true),
        ("2001:db8::/32", "2001:db9::1", false),
        ("192.0.2.*", "192.0.2.77", true),
        ("192.0.2.?", "192.0.2.77", false),
        ("192.0.2.0/24,!192.0.2.7", "192.0.2.7", false),
        ("!192.0.2.7,192.0.2.0/24", "192.0.2.7", false),
        ("!192.0.2.7", "192.0.2.8", false),
        ("192.0.2.1", "::ffff:192.0.2.1", true),
        ("2001:DB8:0::1", "2001:db8::1", true),
        ("host.example", "192.0.2.1", false),
        ("*", "192.0.2.1", true),
        ("192.0.2.1/32", "192.0.2.1", true),
    ] {
        let found = AddressList::parse(list).unwrap().contains(address.parse().unwrap());
        assert_eq!(found, expected, "{address} in {list}");
    }
}

#[test]
fn invalid_address_lists_are_rejected() {
    for list in ["", ",", "192.0.2.0/33", "192.0.2.1/24", "::/129", "host/8", "1.2.3.4/", "1.2.3.4/-1"] {
        assert_eq!(AddressList::parse(list), Err(AddressListError), "{list}");
    }
    assert!(AddressList::parse(&vec!["10.0.0.1"; 257].join(",")).is_err());
}

#[test]
fn address_lists_of_certificates_allow_only_networks_and_addresses() {
    assert!(AddressList::parse_networks("192.0.2.0/24,2001:db8::1").is_ok());
    for list in ["192.0.2.*", "!192.0.2.1", "host.example", "!192.0.2.0/24"] {
        assert_eq!(AddressList::parse_networks(list), Err(AddressListError), "{list}");
    }
}

#[test]
fn pattern_with_many_stars_is_matched_quickly() {
    let pattern = "*a".repeat(100);
    let text = "a".repeat(5000) + "b";
    assert!(!matches_text(pattern.as_bytes(), text.as_bytes()));
}
