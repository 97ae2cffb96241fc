use super::*;

#[test]
fn community_is_accepted_in_both_versions_under_a_name_of_its_own() {
    let conf = parsed("authCommunity log,execute public\nAUTHCOMMUNITY net public 192.0.2.0/24 coldStart\n");
    assert_eq!(
        rules(&conf),
        [
            "v1 snmptrapd-1 noAuthNoPriv 0 all log+execute",
            "v2c snmptrapd-1 noAuthNoPriv 0 all log+execute",
            "v1 snmptrapd-1 noAuthNoPriv 1 1.3.6.1.6.3.1.1.5.1 forward",
            "v2c snmptrapd-1 noAuthNoPriv 1 1.3.6.1.6.3.1.1.5.1 forward",
        ]
    );
    let rows = conf.community_rows();
    assert_eq!(rows.len(), 1);
    let columns = &rows[0].columns;
    assert_eq!((&*columns.name, &*columns.security_name), (&b"public"[..], &b"snmptrapd-1"[..]));
    assert!(rows[0].is_active() && !rows[0].is_writable());
}

#[test]
fn user_is_accepted_with_the_model_and_level_of_the_directive() {
    let conf = parsed(
        "authUser log traps\nauthUser execute joe noauth\nauthUser net -s tsm gateway authPriv .1.3.6.1.4\n\
         authUser log,execute,net -s any ops priv\n",
    );
    assert_eq!(
        rules(&conf),
        [
            "usm traps authNoPriv 0 all log",
            "usm joe noAuthNoPriv 0 all execute",
            "tsm gateway authPriv 0 1.3.6.1.4 forward",
            "usm ops authPriv 0 all log+execute+forward",
            "tsm ops authPriv 0 all log+execute+forward",
        ]
    );
    assert!(conf.community_rows().is_empty());
}

#[test]
fn view_permits_its_subtrees_wherever_it_is_defined() {
    let conf = parsed(
        "authUser log traps auth -v links\nview links included .1.3.6.1.6.3.1.1.5.3\n\
         view other included .1.3\nview links included .1.3.6.1.6.3.1.1.5.4 ff:ff\n",
    );
    assert_eq!(
        rules(&conf),
        ["usm traps authNoPriv 0 1.3.6.1.6.3.1.1.5.3 log", "usm traps authNoPriv 0 1.3.6.1.6.3.1.1.5.4 log"]
    );
    let unsupported = |part: &str| {
        format!(
            "authUser: the view \"v\" has {part}, which is not supported here: list the included subtrees"
        )
    };
    assert_eq!(
        problem("view v included .1.3\nview v excluded .1.3.6\nauthUser log joe auth -v v"),
        unsupported("an excluded subtree")
    );
    assert_eq!(problem("view v included .1.3 e0\nauthUser log joe auth -v v"), unsupported("a mask"));
    assert_eq!(
        problem("authUser log joe auth -V v"),
        "authUser: unknown view \"v\": define it with \"view v included OID\""
    );
    assert_eq!(problem("view v some .1.3"), "view: invalid type \"some\": expected included or excluded");
}

#[test]
fn view_with_an_invalid_line_permits_nothing() {
    for line in [
        "view v excluded .1.3.6.x",
        "view v exclude .1.3.6",
        "view v excluded",
        "view v",
        "view v excluded .1 ff x",
    ] {
        let text = format!(
            "view v included .1.3\n{line}\nauthCommunity log public default -v v\nauthUser log joe auth -v v"
        );
        let (conf, problems) = parse_with_mode(&text, 0o600);
        assert_eq!(rules(&conf), Vec::<String>::new(), "{line}");
        let [invalid, community, user] = &*problems else { panic!("{line}: {problems:?}") };
        assert!(invalid.starts_with("snmptrapd.conf:2: view: "), "{invalid}");
        let reason = "the view \"v\" has an invalid line: correct that line";
        assert_eq!(*community, format!("snmptrapd.conf:3: authCommunity: {reason}"));
        assert_eq!(*user, format!("snmptrapd.conf:4: authUser: {reason}"));
    }
    // Other views are not affected.
    let (conf, _) =
        parse_with_mode("view v included .1.3\nview w included x\nauthUser log joe auth -v v\n", 0o600);
    assert_eq!(rules(&conf), ["usm joe authNoPriv 0 1.3 log"]);
}

#[test]
fn invalid_value_ends_disabled_authorization() {
    let (conf, _) = parse_with_mode("disableAuthorization yes\ndisableAuthorization nein\n", 0o600);
    assert_eq!(rules(&conf), Vec::<String>::new());
}

#[test]
fn sources_are_addresses_networks_and_hosts() {
    let prefix = |address: &str, length| SourcePrefix::new(address.parse().unwrap(), length).unwrap();
    for (source, expected) in [
        ("default", vec![]),
        ("192.0.2.7", vec![prefix("192.0.2.7", 32)]),
        ("192.0.2.0/24", vec![prefix("192.0.2.0", 24)]),
        ("192.0.2.0/255.255.254.0", vec![prefix("192.0.2.0", 23)]),
        ("0.0.0.0/0", vec![prefix("0.0.0.0", 0)]),
        ("192.0.2.7/255.255.255.255", vec![prefix("192.0.2.7", 32)]),
        ("2001:db8::/32", vec![prefix("2001:db8::", 32)]),
        ("2001:db8::/ffff:ffff::", vec![prefix("2001:db8::", 32)]),
        ("::1", vec![prefix("::1", 128)]),
        ("collector", vec![prefix("192.0.2.8", 32), prefix("2001:db8::8", 128)]),
    ] {
        let conf = parsed(&format!("authCommunity log public {source}"));
        assert_eq!(conf.notification_rules()[0].sources, expected, "{source}");
    }
}

#[test]
fn invalid_source_permits_nothing() {
    let expected = "expected default, a host name, an address or a network, for example 192.0.2.0/24";
    for (source, reason) in [
        ("192.0.2.7/24", "the address has bits that the mask clears"),
        ("192.0.2.0/33", "not a mask of leading one bits"),
        ("192.0.2.0/255.0.255.0", "not a mask of leading one bits"),
        ("192.0.2.0/", "not a mask of leading one bits"),
        ("192.0.2.0/+24", "not a mask of leading one bits"),
        ("2001:db8::/255.0.0.0", "not a mask of leading one bits"),
        ("net/24", "not a network"),
        ("nosuch", "unknown host"),
        ("empty", "the host has no address"),
    ] {
        let text = format!("authCommunity log public {source}");
        let message = format!("authCommunity: invalid source {source:?}: {reason}: {expected}");
        assert_eq!(problem(&text), message);
        assert!(parse_with_mode(&text, 0o600).0.notification_rules().is_empty());
    }
    assert_eq!(
        problem("authCommunity log public !192.0.2.0/24"),
        "authCommunity: unsupported source \"!192.0.2.0/24\": list the permitted networks instead of the denied \
         ones"
    );
}

#[test]
fn disabled_authorization_permits_every_notification_and_is_a_warning() {
    let (conf, problems) = parse_with_mode("disableAuthorization yes\n", 0o600);
    assert_eq!(rules(&conf), ["any * noAuthNoPriv 0 all log+execute+forward"]);
    assert!(
        problems[0].starts_with("snmptrapd.conf:1: warning: disableAuthorization: all known"),
        "{problems:?}"
    );
    assert!(rules(&parsed("disableAuthorization no\n")).is_empty());
    assert!(rules(&parsed("")).is_empty());
}

#[test]
fn community_is_not_in_errors_when_types_are_missing() {
    for text in [
        "authCommunity sesame",
        "authCommunity sesame default",
        "authCommunity log,sesame x",
        "authCommunity log",
    ] {
        let found = problem(text);
        assert!(found.starts_with("authCommunity: ") && !found.contains("sesame"), "{found}");
    }
    assert_eq!(
        problem("authCommunity sesame"),
        "authCommunity: invalid first value: expected log, execute and net, separated by commas, for example \
         \"log,execute\""
    );
    assert_eq!(
        problem("authCommunity log \"\""),
        "authCommunity: the community is empty: expected at least one character"
    );
    assert_eq!(
        problem("authUser log joe auth .1.3 sesame"),
        "authUser: 1 unexpected values after the notifications: remove them, or put a value with spaces in quotes"
    );
}

#[test]
fn types_are_separated_as_by_net_snmp() {
    for types in ["log,execute", "log|execute", "execute:log", "execute::log", ",log,execute,"] {
        let (conf, problems) = parse_with_mode(&format!("authCommunity {types} public\n"), 0o600);
        assert_eq!(problems, [""; 0], "{types}");
        let rules = rules(&conf);
        assert!(
            !rules.is_empty() && rules.iter().all(|rule| rule.ends_with(" all log+execute")),
            "{types}: {rules:?}"
        );
    }
    for types in [",", ":|", "log;execute", "log.net"] {
        let (conf, problems) = parse_with_mode(&format!("authCommunity {types} public\n"), 0o600);
        assert!(rules(&conf).is_empty() && problems.len() == 1, "{types}: {problems:?}");
    }
}

#[test]
fn community_that_looks_like_a_source_is_a_warning() {
    for community in ["default", "Default", "192.0.2.7", "192.0.2.0/24", "2001:db8::/32"] {
        let text = format!("authCommunity log,net {community}\n");
        let (conf, problems) = parse_with_mode(&text, 0o600);
        assert_eq!(
            problems,
            [
                "snmptrapd.conf:1: warning: authCommunity: the community looks like a source, so the community may be \
              missing: expected TYPES COMMUNITY SOURCE"
            ]
        );
        assert_eq!(conf.community_rows().len(), 1, "the directive is in effect");
    }
    parsed("authCommunity log defaults\nauthCommunity log public/24\nauthCommunity log public default\n");
}

#[test]
fn permitted_actions_are_those_of_the_types() {
    let conf = parsed("authUser log|net joe\n");
    let expected = NotificationActions { log: true, execute: false, forward: true };
    assert_eq!(conf.notification_rules()[0].actions, expected);
    assert_eq!(conf.notification_rules()[0].security_model, Some(SecurityModel::USM));
    assert_eq!(conf.notification_rules()[0].min_level, SecurityLevel::AuthNoPriv);
}
