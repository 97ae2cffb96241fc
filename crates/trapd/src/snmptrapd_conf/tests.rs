use portreeve_channel::HashAlgorithm;
use portreeve_crypto::{AuthProtocol, PrivProtocol};
use portreeve_mib::modules::tls_tm_mib::{SNMP_TLSTM_CERT_COMMON_NAME, SNMP_TLSTM_CERT_SPECIFIED};
use portreeve_net_snmp_conf::{Section, read_text};
use portreeve_smi::{OidError, SecurityLevel, SecurityModel};
use portreeve_snmp_apps::NotificationActions;
use portreeve_snmp_engine::senders::SourcePrefix;

use super::*;
use crate::{HandlerCommand, OidPattern};

fn resolve_oid(text: &str) -> Result<Oid, String> {
    let number = if text == "coldStart" { ".1.3.6.1.6.3.1.1.5.1" } else { text };
    number.parse().map_err(|error: OidError| error.to_string())
}

fn resolve_host(name: &str) -> io::Result<Vec<IpAddr>> {
    match name {
        "collector" => Ok(vec!["192.0.2.8".parse().unwrap(), "2001:db8::8".parse().unwrap()]),
        "empty" => Ok(Vec::new()),
        _ => Err(io::Error::other("unknown host")),
    }
}

fn parse_with_mode(text: &str, mode: u32) -> (SnmptrapdConf, Vec<String>) {
    let mut entries = read_text(Section::SNMPTRAPD, Path::new("snmptrapd.conf"), text);
    entries.iter_mut().for_each(|entry| entry.location.mode = mode);
    let mut shared = read_text(Section::SNMP, Path::new("snmptrapd.conf"), text);
    shared.retain(|entry| !entries.iter().any(|other| other.location.line == entry.location.line));
    let names = NameResolver { oid: &resolve_oid, host: &resolve_host, certificate: &resolve_certificate };
    let (conf, problems) = SnmptrapdConf::parse(entries, shared, &names);
    (conf, problems.iter().map(ToString::to_string).collect())
}

/// Finds the certificate `good`, whose fingerprint has the octet 7 only.
fn resolve_certificate(name: &str) -> Result<Fingerprint, String> {
    match name {
        "good" => Ok(Fingerprint::from_hash(HashAlgorithm::Sha256, &[7; 32])),
        _ => Err(format!("certificate {name:?} not found")),
    }
}

/// Parses directives that have no problem.
#[track_caller]
fn parsed(text: &str) -> SnmptrapdConf {
    let (conf, problems) = parse_with_mode(text, 0o600);
    assert_eq!(problems, Vec::<String>::new());
    conf
}

/// Returns the only problem, without its location.
#[track_caller]
fn problem(text: &str) -> String {
    let (_, problems) = parse_with_mode(text, 0o600);
    let [problem] = &*problems else { panic!("{text}: {problems:?}") };
    let line = format!("snmptrapd.conf:{}: ", text.lines().count());
    problem.strip_prefix(&line).unwrap_or_else(|| panic!("{problem}")).to_owned()
}

/// Describes the rules in short: model, name, level, sources, subtree, actions.
fn rules(conf: &SnmptrapdConf) -> Vec<String> {
    let describe = |rule: NotificationRule| {
        let model = rule.security_model.map_or("any".to_owned(), |model| model.to_string());
        let name = rule.security_name.map_or("*".to_owned(), |name| name.escape_ascii().to_string());
        let subtree = rule.subtree.map_or("all".to_owned(), |subtree| subtree.to_string());
        let actions =
            [(rule.actions.log, "log"), (rule.actions.execute, "execute"), (rule.actions.forward, "forward")];
        let actions: Vec<_> = actions.iter().filter(|(is_set, _)| *is_set).map(|(_, name)| *name).collect();
        let level = rule.min_level;
        format!("{model} {name} {level} {} {subtree} {}", rule.sources.len(), actions.join("+"))
    };
    conf.notification_rules().into_iter().map(describe).collect()
}

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

const PHRASES: &str = "createUser traps SHA-256 \"sesame open\" AES 'other sesame'\n";

#[test]
fn user_without_engine_id_exists_here_and_on_every_sender() {
    let conf = parsed(PHRASES);
    let local: EngineId = "0x800000000501020304".parse().unwrap();
    let users = conf.engine_users(local);
    assert_eq!((users.rows.len(), users.sender_rules.len()), (1, 1));
    let row = &users.rows[0];
    assert_eq!((row.key.engine_id, &*row.key.name), (local, &b"traps"[..]));
    let octets = |text: &str| portreeve_secret::Secret::from(text);
    let master =
        |text| portreeve_crypto::password_to_key(AuthProtocol::HmacSha256_192, &octets(text)).unwrap();
    let auth = row.columns.auth.as_ref().unwrap();
    assert!(auth.key.expose() == master("sesame open").localize(local.as_bytes()).expose());
    let privacy = row.columns.privacy.as_ref().unwrap();
    let expected = master("other sesame").localize_for(PrivProtocol::Aes128, local.as_bytes());
    assert!(privacy.key.expose() == expected.expose());
}

#[test]
fn user_with_engine_id_exists_on_that_engine_only() {
    let conf = parsed("createUser -e 0x8000000001020304 traps SHA sesame-open\n");
    let user = &conf.users[0];
    let sender: EngineId = "0x8000000001020304".parse().unwrap();
    assert_eq!((user.engine_id, user.location.line, user.privacy.is_none()), (Some(sender), 1, true));
    let users = conf.engine_users("0x800000000501020304".parse().unwrap());
    assert_eq!(users.rows.iter().map(|row| row.key.engine_id).collect::<Vec<_>>(), [sender]);
    assert!(users.sender_rules.is_empty());
}

#[test]
fn keys_are_given_before_or_after_localization() {
    let (auth, privacy) = ("01".repeat(20), "02".repeat(16));
    let conf = parsed(&format!("createUser joe SHA -l 0x{auth} AES -l 0x{privacy}FF\n"));
    let users = conf.engine_users(EngineId::LOCAL);
    let columns = &users.rows[0].columns;
    assert!(columns.auth.as_ref().unwrap().key.expose() == [1; 20]);
    assert!(columns.privacy.as_ref().unwrap().key.expose() == [2; 16]);
    // A localized key belongs to one engine.
    assert!(users.sender_rules.is_empty());

    let conf = parsed(&format!("createUser joe SHA -m 0x{auth} AES\n"));
    let users = conf.engine_users(EngineId::LOCAL);
    let master = portreeve_crypto::MasterKey::from_octets(AuthProtocol::HmacSha96, &[1; 20]).unwrap();
    let expected = master.localize_for(PrivProtocol::Aes128, EngineId::LOCAL.as_bytes());
    assert!(users.rows[0].columns.privacy.as_ref().unwrap().key.expose() == expected.expose());
    assert_eq!(users.sender_rules.len(), 1);
}

#[test]
fn user_without_protocols_has_no_keys() {
    let users = parsed("createUser joe\n").engine_users(EngineId::LOCAL);
    assert!(users.rows[0].columns.auth.is_none() && users.rows[0].columns.privacy.is_none());
    assert_eq!(users.sender_rules.len(), 1);
}

#[test]
fn invalid_user_is_omitted_and_the_error_contains_no_key() {
    for (values, reason) in [
        ("", "missing value: expected the name of a user"),
        (
            "-e zz joe",
            "invalid engine ID \"zz\": expected an engine ID of 5 to 32 octets in hexadecimal, not",
        ),
        ("-e", "missing value: expected an engine ID, for example 0x8000000001020304"),
        ("joe sesame-open SHA", "unsupported authentication protocol: expected SHA-512, SHA-384, SHA-256"),
        ("joe SHA", "missing value: expected the pass phrase of the authentication protocol"),
        ("joe SHA sesame", "the authentication pass phrase has 6 octets: expected at least 8"),
        ("joe SHA sesame-open sesame-open AES", "unsupported privacy protocol: expected AES, AES-192"),
        ("joe SHA sesame-open AES sesame", "the privacy pass phrase has 6 octets: expected at least 8"),
        ("joe SHA sesame-open AES sesame-open sesame-open", "1 unexpected values after the privacy key"),
        ("joe SHA -m 0x5e5a", "the authentication key has 2 octets: expected 20"),
        ("joe SHA -l 0x5e5a", "the authentication key has 2 octets: expected 20"),
        ("joe SHA -l sesame", "the authentication key is not hexadecimal: expected 0x and pairs"),
        ("joe SHA -l 0x5e5", "the authentication key is not hexadecimal: expected 0x and pairs"),
        ("joe SHA -m", "missing value: expected the authentication key in hexadecimal"),
    ] {
        let text = format!("createUser {values} \n# end");
        let (conf, problems) = parse_with_mode(&text, 0o600);
        if values.is_empty() {
            assert_eq!(problems, ["snmptrapd.conf:1: Blank line following createUser token."]);
            continue;
        }
        let found = problems[0].strip_prefix("snmptrapd.conf:1: createUser: ").unwrap();
        assert!(found.starts_with(reason), "{values}: {found}");
        assert!(!found.contains("sesame") && !found.contains("5e5"), "{found}");
        assert!(conf.users.is_empty() && problems.len() == 1, "{values}");
    }
    let long = "n".repeat(33);
    assert_eq!(
        problem(&format!("createUser {long}")),
        "createUser: invalid name of a user: expected 1 to 32 octets"
    );
}

#[test]
fn debug_output_contains_no_key() {
    let text = format!("{:?}", parsed(PHRASES).users);
    assert!(text.contains("traps") && text.contains("(secret)"), "{text}");
    assert!(!text.contains("sesame"), "{text}");
    let command = HandlerCommand { program: "/bin/x".into(), arguments: vec!["sesame".to_owned()] };
    assert_eq!(format!("{command:?}"), "HandlerCommand { program: \"/bin/x\", .. }");
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
fn file_with_secrets_that_others_can_read_is_one_warning() {
    let secrets = format!("authCommunity log public\n{PHRASES}");
    let (_, problems) = parse_with_mode(&secrets, 0o644);
    assert_eq!(
        problems,
        ["snmptrapd.conf:1: warning: the file contains secrets and is readable by other users (mode 0644): \
          run chmod 600 snmptrapd.conf"]
    );
    assert!(parse_with_mode("authUser log joe\n", 0o644).1.is_empty());
}

#[test]
fn handlers_and_receivers_share_one_table() {
    let conf = parsed(
        "traphandle default /usr/bin/mail -s \"a trap\" root\ntraphandle coldStart /bin/a\n\
         forward .1.3.6.1.4.1.* udp:192.0.2.1\nforward default tcp:[2001:db8::1]:1162\n",
    );
    assert_eq!(conf.handlers.iter().map(|handler| handler.location.line).collect::<Vec<_>>(), [1, 2, 3, 4]);
    assert_eq!(conf.handlers[2].pattern, OidPattern::Below("1.3.6.1.4.1".parse().unwrap()));
    let table = conf.handler_table(|directive| Some(directive.action.clone()));
    let selected = |oid: &str| {
        let oid: Oid = oid.parse().unwrap();
        let actions = table.select(&oid).into_iter().map(|action| match action {
            HandlerAction::Run(command) => format!("{} {:?}", command.program.display(), command.arguments),
            HandlerAction::Forward(address) => format!("{}:{}", address.host, address.port),
        });
        actions.collect::<Vec<_>>()
    };
    assert_eq!(selected("1.3.6.1.6.3.1.1.5.1"), ["/bin/a []"]);
    assert_eq!(selected("1.3.6.1.4.1.9"), ["192.0.2.1:162"]);
    assert_eq!(selected("1.3.7"), ["2001:db8::1:1162", "/usr/bin/mail [\"-s\", \"a trap\", \"root\"]"]);
}

#[test]
fn invalid_handler_is_reported() {
    for (text, expected) in [
        ("traphandle default", "traphandle: missing value: expected the path of a program"),
        ("traphandle default mail", "traphandle: invalid program \"mail\": expected an absolute path"),
        (
            "traphandle .1.*.3 /bin/a",
            "traphandle: invalid notification \".1.*.3\": `*` is permitted only at the end",
        ),
        (
            "forward default",
            "forward: missing value: expected the address of a receiver, for example udp:192.0.2.1",
        ),
        (
            "forward default udp:h:0",
            "forward: invalid address \"udp:h:0\": the port is not a number from 1 to 65535: expected, for \
             example, udp:192.0.2.1 or tcp:[2001:db8::1]:162",
        ),
    ] {
        assert_eq!(problem(text), expected);
    }
}

#[test]
fn command_for_a_shell_is_a_warning() {
    for command in ["/bin/a > /tmp/x", "/bin/a | /bin/b", "/bin/a \"$HOME\"", "/bin/a `id`", "/bin/a x &"] {
        let (conf, problems) = parse_with_mode(&format!("traphandle .1.3.6* {command}\n"), 0o600);
        let expected = "snmptrapd.conf:1: warning: traphandle: the program runs without a shell";
        assert!(problems.len() == 1 && problems[0].starts_with(expected), "{command}: {problems:?}");
        assert_eq!(conf.handlers.len(), 1);
    }
    parsed(
        "traphandle .1.3.6* /bin/sh -c '/bin/a | /bin/b > $HOME'\ntraphandle default /bin/a \\$x \"a|b\"\n",
    );
}

#[test]
fn settings_are_read() {
    let conf = parsed(
        "snmpTrapdAddr udp:162, tcp:192.0.2.1:1162\nSNMPTRAPDADDR ssh:5162\ndoNotLogTraps yes\n\
         ignoreAuthFailure 1\noutputOption n\nformat1 %B \"%W\"\\n\nformat print2 %b  %v\\n\ndoNotFork yes\n",
    );
    let addresses: Vec<&str> = conf.listen_addresses.iter().map(|listen| &*listen.address).collect();
    assert_eq!(addresses, ["udp:162", "tcp:192.0.2.1:1162", "ssh:5162"]);
    assert!(conf.is_logging_disabled && conf.ignores_authentication_failures);
    assert_eq!(conf.output_options.as_deref(), Some("n"));
    assert_eq!(conf.format_v1, LineFormat::parse("%B \"%W\"\\n").ok());
    assert_eq!(conf.format_v2, LineFormat::parse("%b  %v\\n").ok());
    let both = parsed("format print %N\n");
    assert_eq!((&both.format_v1, &both.format_v2), (&LineFormat::parse("%N").ok(), &both.format_v1));
    assert!(!parsed("doNotLogTraps yes\ndoNotLogTraps FALSE\n").is_logging_disabled);
}

#[test]
fn invalid_setting_is_reported_and_the_others_are_read() {
    let (conf, problems) = parse_with_mode(
        "doNotLogTraps maybe\nformat1 %@\nsnmpTrapdAddr udp:162,,\nformat syslog %b\nformat2 %b\n[snmptrapd\nformat2\n",
        0o600,
    );
    assert_eq!(
        problems,
        [
            "snmptrapd.conf:1: doNotLogTraps: invalid value \"maybe\": expected yes or no",
            "snmptrapd.conf:2: format1: invalid format at character 2: unknown field %@: expected one of \
             aAbBEhHjJkKlLmMNPqsStTuvVwWyY, or %% for a percent sign",
            "snmptrapd.conf:3: snmpTrapdAddr: invalid list of addresses: expected, for example, udp:162,tcp:162",
            "snmptrapd.conf:4: warning: format: the destination is not supported and the format has no effect: \
             use print, print1 or print2",
            "snmptrapd.conf:6: no matching ']' for type snmptrapd.",
            "snmptrapd.conf:7: Blank line following format2 token.",
        ]
    );
    assert!(conf.format_v2.is_some() && conf.format_v1.is_none());
    assert!(conf.listen_addresses.is_empty() && conf.has_invalid_listen_address);
}

#[test]
fn unknown_letter_of_the_output_options_is_reported() {
    let (conf, problems) = parse_with_mode("outputOption n\noutputOption nZ\n", 0o600);
    assert_eq!(
        problems,
        [
            "snmptrapd.conf:2: outputOption: unknown letter 'Z': expected those of the option -O of snmpget(1), for \
          example n"
        ]
    );
    assert_eq!(conf.output_options.as_deref(), Some("n"));
}

#[test]
fn unknown_or_unsupported_directive_is_a_warning() {
    assert_eq!(
        problem("frob\u{1b} 1"),
        "warning: frob.: unknown directive: remove it, or check its spelling"
    );
    assert_eq!(
        problem("authGroup log g"),
        "warning: authGroup: not supported, permits nothing: use authCommunity and authUser"
    );
    assert_eq!(
        problem("PIDFILE /x"),
        "warning: PIDFILE: has no effect here: use the option of the command line"
    );
}

#[test]
fn certificates_are_mapped_to_security_names() {
    let conf = parsed(
        "[snmp] localCert receiver\n[snmp] trustCert ca\n[snmp] x509CRLFile /etc/ca.crl\n\
         certSecName 20 good --cn\n[snmptrapd] certSecName 10 good --sn ops\n[snmp] defVersion 3\n",
    );
    let names = |files: &[NamedFile]| files.iter().map(|file| file.name.clone()).collect::<Vec<_>>();
    let tls = &conf.tls;
    assert_eq!(tls.local_certificate.as_ref().unwrap().name, "receiver");
    assert_eq!(tls.local_certificate.as_ref().unwrap().location.line, 1);
    assert_eq!(
        (names(&tls.authorities), names(&tls.revocation_lists)),
        (vec!["ca".into()], vec!["/etc/ca.crl".into()])
    );
    let rows = tls.rows();
    let [common_name, specified] = &*rows else { panic!() };
    assert_eq!((common_name.key.priority, specified.key.priority), (20, 10));
    assert_eq!(*common_name.map_type, *SNMP_TLSTM_CERT_COMMON_NAME.oid());
    assert_eq!((&*specified.map_type, &*specified.data), (&*SNMP_TLSTM_CERT_SPECIFIED.oid(), &b"ops"[..]));
    assert_eq!(*specified.fingerprint, *[&[4][..], &[7; 32]].concat());
    assert!(specified.is_active());
}

#[test]
fn invalid_certificate_rule_is_omitted_and_reported_with_its_line() {
    for (text, expected) in [
        ("certSecName 0 good --cn", "certSecName: invalid priority \"0\""),
        ("certSecName 10 other --cn", "certSecName: certificate \"other\" not found"),
        ("certSecName 10 good", "certSecName: missing value: expected --sn NAME, --rfc822"),
        ("certSecName 10 good --sn", "certSecName: missing value: expected a securityName"),
        ("certSecName 10 good --name ops", "certSecName: invalid option \"--name\": expected --sn NAME"),
        ("certSecName 10 good --cn ops", "certSecName: 1 unexpected values"),
        ("[snmp] trustCert a b", "trustCert: 1 unexpected values after the file"),
        ("tlsMinVersion TLS1.2", "warning: tlsMinVersion: has no effect here: set `versions` in [tls]"),
    ] {
        let (conf, problems) = parse_with_mode(text, 0o600);
        assert!(problems.iter().any(|problem| problem.contains(expected)), "{text}: {problems:?}");
        assert!(conf.tls.rows().is_empty(), "{text}");
    }
    let (conf, problems) = parse_with_mode("certSecName 10 good --cn\ncertSecName 10 good --dns\n", 0o600);
    assert_eq!(conf.tls.rows().len(), 1);
    assert!(
        problems[0].starts_with("snmptrapd.conf:2: certSecName: the priority 10 is used already"),
        "{problems:?}"
    );
}

#[test]
fn certificate_is_not_mapped_when_a_revocation_list_is_missing() {
    let (conf, problems) =
        parse_with_mode("certSecName 10 good --cn\n[snmp] x509CRLFile /etc/ca crl.pem\n", 0o600);
    assert!(conf.tls.rows().is_empty());
    assert_eq!(
        problems,
        [
            "snmptrapd.conf:2: x509CRLFile: 1 unexpected values after the file: remove them, or put a value with \
          spaces in quotes: no certificate is accepted without this list"
        ]
    );
}

#[test]
fn directives_of_other_programs_are_not_read() {
    let conf = parsed("[snmp]\nauthCommunity log public\n[snmptrapd] authUser log joe\n[snmpd]\nfrob 1\n");
    assert_eq!(rules(&conf), ["usm joe authNoPriv 0 all log"]);
}

#[test]
fn parser_never_panics_on_arbitrary_directives() {
    let names =
        ["authCommunity", "authUser", "createUser", "traphandle", "forward", "view", "format", "frob"];
    let values = [
        "log", "-s", "-v", "-e", "-m", "-l", "0x01", "0xé", "SHA", "é", "\"", "default", "1.3*", "/", "!",
        "::/0",
    ];
    let mut state: u32 = 7;
    let mut next = |count: usize| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        usize::try_from(state >> 16).unwrap() % count
    };
    for _ in 0..5000 {
        let mut line = names[next(names.len())].to_owned();
        for _ in 0..next(7) {
            line += " ";
            line += values[next(values.len())];
        }
        let (conf, problems) = parse_with_mode(&line, 0o600);
        assert!(problems.len() <= 2, "{line}: {problems:?}");
        conf.notification_rules();
    }
}

#[test]
fn permitted_actions_are_those_of_the_types() {
    let conf = parsed("authUser log|net joe\n");
    let expected = NotificationActions { log: true, execute: false, forward: true };
    assert_eq!(conf.notification_rules()[0].actions, expected);
    assert_eq!(conf.notification_rules()[0].security_model, Some(SecurityModel::USM));
    assert_eq!(conf.notification_rules()[0].min_level, SecurityLevel::AuthNoPriv);
}
