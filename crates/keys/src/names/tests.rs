use portreeve_channel::AlternativeName::{Dns, Ip, Rfc822};
use portreeve_pki::Role::{Host, User};

use super::{alternative, are_networks, holder, of_holder};

#[test]
fn names_become_folders_principals_and_security_names() {
    for name in ["ops", "night-shift", "ops@example.org", "zoë", "a.b", &"x".repeat(32)] {
        assert_eq!(holder(User, name).unwrap(), name);
    }
    for name in ["gw.example", "192.0.2.1", "2001:db8::1", "localhost", "gw-1"] {
        assert_eq!(holder(Host, name).unwrap(), name);
    }
}

#[test]
fn names_that_would_mean_something_else_somewhere_are_refused() {
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
        assert!(holder(User, name).is_err(), "{name:?}");
    }
    for name in ["-x.example", "a..b", "zürich.example", "*.example", "a/b", "a b", "a;b", &"a.".repeat(200)]
    {
        assert!(holder(Host, name).is_err(), "{name:?}");
    }
}

#[test]
fn what_is_meant_by_a_name_is_seen_by_its_form() {
    assert_eq!(alternative("gw.example"), Some(Dns("gw.example".into())));
    assert_eq!(alternative("*.example"), Some(Dns("*.example".into())));
    assert_eq!(alternative("2001:db8::1"), Some(Ip("2001:db8::1".parse().unwrap())));
    assert_eq!(alternative("ops@example.org"), Some(Rfc822("ops@example.org".into())));
    for text in ["", "@", "ops@", "@example", "a b", "a..b", "zoë", "http://x/"] {
        assert_eq!(alternative(text), None, "{text:?}");
    }
    assert_eq!(of_holder(User, "ops"), None);
    assert_eq!(of_holder(User, "ops@example.org"), Some(Rfc822("ops@example.org".into())));
    assert_eq!(of_holder(Host, "192.0.2.1"), Some(Ip("192.0.2.1".parse().unwrap())));
}

#[test]
fn networks_have_nothing_behind_their_prefix() {
    for list in
        ["192.0.2.0/24", "192.0.2.1", "192.0.2.1/32,2001:db8::/32", "0.0.0.0/0", "::/0", "2001:db8::1/128"]
    {
        assert!(are_networks(list), "{list}");
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
        assert!(!are_networks(list), "{list}");
    }
}
