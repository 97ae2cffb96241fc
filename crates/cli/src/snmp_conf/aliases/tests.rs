use super::*;

fn aliases(lines: &[[&str; 2]]) -> Aliases {
    let mut aliases = Aliases::default();
    lines.iter().for_each(|line| aliases.add(line.map(str::to_owned).to_vec()).unwrap());
    aliases
}

#[test]
fn alias_is_replaced_by_its_address() {
    let aliases = aliases(&[["core", "udp:192.0.2.1"], ["main", "Alias:core"], ["core", "ssh:192.0.2.2"]]);
    for (typed, expected) in [
        ("alias:core", "ssh:192.0.2.2"),
        ("ALIAS:main", "ssh:192.0.2.2"),
        ("core", "core"),
        ("udp:core", "udp:core"),
        ("", ""),
    ] {
        assert_eq!(aliases.resolve(typed), Ok(expected));
    }
}

#[test]
fn missing_alias_and_loop_are_errors() {
    let aliases = aliases(&[["a", "alias:b"], ["b", "alias:a"], ["self", "alias:self"], ["c", "alias:none"]]);
    let error = |typed| aliases.resolve(typed).unwrap_err();
    assert_eq!(error("alias:A"), "snmp.conf has no line `alias A ADDRESS`");
    assert_eq!(error("alias:c"), "snmp.conf has no line `alias none ADDRESS`");
    for typed in ["alias:a", "alias:self"] {
        assert!(error(typed).contains("refer to each other"), "{typed}");
    }
}

#[test]
fn alias_without_exactly_two_values_is_rejected() {
    for values in [&[][..], &["core"], &["core", "udp:192.0.2.1", "more"]] {
        let values = values.iter().map(|value| (*value).to_owned()).collect();
        assert_eq!(Aliases::default().add(values), Err("Should be NAME ADDRESS"));
    }
}
