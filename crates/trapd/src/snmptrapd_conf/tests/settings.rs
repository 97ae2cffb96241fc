use super::*;

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
