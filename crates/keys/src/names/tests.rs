use portreeve_channel::AlternativeName::{Dns, Ip, Rfc822};
use portreeve_pki::HolderRole::{Host, User};

use super::{alternative, alternative_for, check_name, is_network_list};

#[test]
fn check_name_accepts_valid_names() {
    for name in ["ops", "night-shift", "ops@example.org", "zoë", "a.b", &"x".repeat(32)] {
        assert_eq!(check_name(User, name).unwrap(), name);
    }
    for name in ["gw.example", "192.0.2.1", "2001:db8::1", "localhost", "gw-1"] {
        assert_eq!(check_name(Host, name).unwrap(), name);
    }
}

#[test]
fn check_name_rejects_invalid_names() {
    for name in [
        "",
        ".",
        "..",
        "../ops",
        "a/b",
        "-x",
        "a,b",
        "a b",
        "a\"b",
        "a\\b",
        "a\nb",
        "@x",
        "#x",
        &"x".repeat(33),
    ] {
        assert!(check_name(User, name).is_err(), "{name:?}");
    }
    for name in ["-x.example", "a..b", "zürich.example", "*.example", "a/b", "a b", "a;b", &"a.".repeat(200)]
    {
        assert!(check_name(Host, name).is_err(), "{name:?}");
    }
}

#[test]
fn kind_of_alternative_name_is_determined_by_its_format() {
    assert_eq!(alternative("gw.example"), Some(Dns("gw.example".into())));
    assert_eq!(alternative("*.example"), Some(Dns("*.example".into())));
    assert_eq!(alternative("2001:db8::1"), Some(Ip("2001:db8::1".parse().unwrap())));
    assert_eq!(alternative("ops@example.org"), Some(Rfc822("ops@example.org".into())));
    for text in ["", "@", "ops@", "@example", "a b", "a..b", "zoë", "http://x/"] {
        assert_eq!(alternative(text), None, "{text:?}");
    }
    assert_eq!(alternative_for(User, "ops"), None);
    assert_eq!(alternative_for(User, "ops@example.org"), Some(Rfc822("ops@example.org".into())));
    assert_eq!(alternative_for(Host, "192.0.2.1"), Some(Ip("192.0.2.1".parse().unwrap())));
}

#[test]
fn network_list_accepts_only_addresses_and_networks_without_host_bits() {
    for list in
        ["192.0.2.0/24", "192.0.2.1", "192.0.2.1/32,2001:db8::/32", "0.0.0.0/0", "::/0", "2001:db8::1/128"]
    {
        assert!(is_network_list(list), "{list}");
    }
    for list in [
        "",
        ",",
        "192.0.2.1/24",
        "192.0.2.0/33",
        "2001:db8::1/64",
        "host",
        "192.0.2.*",
        "192.0.2.0/x",
        "!192.0.2.1",
    ] {
        assert!(!is_network_list(list), "{list}");
    }
}
