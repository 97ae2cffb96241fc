use super::*;

fn parsed(line: &str) -> Result<Command, UsageError> {
    parse(line.split_whitespace().map(OsString::from))
}

fn plan(line: &str) -> SimulationPlan {
    match parsed(line) {
        Ok(Command::Serve(plan)) => *plan,
        other => panic!("{other:?}"),
    }
}

#[test]
fn recording_file_is_the_only_required_argument() {
    let plan = plan("a.walk b.snmprec");
    assert_eq!(plan.files, [PathBuf::from("a.walk"), "b.snmprec".into()]);
    assert_eq!(plan.listen, [listener("udp:127.0.0.1:1161").unwrap()]);
    assert_eq!(plan.conditions, NetworkConditions::default());
}

#[test]
fn options_are_parsed_with_and_without_equals_sign() {
    let line = "--listen udp:[::1]:161 --listen=tcp:127.0.0.1:161 --by address --agents=1000 --community c \
                --users u --keys k --certificate a.pem --key=a.key --ca ca.pem --host-key h --authorized-keys l --loss 0.5 --duplicate 1 --reorder 2 --delay 30 --jitter=40 --max-response 1472 \
                --reset-clock 60 --seed 9 --threads 3 a";
    let expected = SimulationPlan {
        files: vec!["a".into()],
        listen: vec![listener("udp:[::1]:161").unwrap(), listener("tcp:127.0.0.1:161").unwrap()],
        addressing: AddressingMode::Address,
        agents: Some(1000),
        community: "c".into(),
        users: Some("u".into()),
        keys: KeyOptions {
            folder: Some("k".into()),
            certificate: Some("a.pem".into()),
            key: Some("a.key".into()),
            authority: Some("ca.pem".into()),
            host_key: Some("h".into()),
            authorized_keys: Some("l".into()),
        },
        conditions: NetworkConditions {
            loss: Percentage::from_percent(0.5).unwrap(),
            duplicate: Percentage::from_percent(1.0).unwrap(),
            reorder: Percentage::from_percent(2.0).unwrap(),
            delay: Duration::from_millis(30),
            jitter: Duration::from_millis(40),
        },
        max_response: 1472,
        reset_clock: Some(Duration::from_secs(60)),
        seed: 9,
        threads: NonZeroUsize::new(3),
    };
    assert_eq!(plan(line), expected);
    let untested =
        OPTIONS.iter().find(|option| !line.contains(&option.flag.names()[0])).map(|option| option.flag);
    assert!(untested.is_none(), "{untested:?}");
}

#[test]
fn invalid_command_line_is_rejected_with_reason_or_expected_value() {
    for (line, stderr) in [
        ("", "no recording given"),
        ("--loss 1", "no recording given"),
        ("--lose 1 a", "unknown option `--lose`"),
        ("a --loss", "invalid value `` for --loss, expected PERCENT"),
        ("a --loss 101", "invalid value `101` for --loss, expected PERCENT"),
        (
            "a --listen 127.0.0.1:161",
            "invalid value `127.0.0.1:161` for --listen, expected TRANSPORT:ADDRESS:PORT",
        ),
        (
            "a --listen quic:127.0.0.1:161",
            "invalid value `quic:127.0.0.1:161` for --listen, expected TRANSPORT:ADDRESS:PORT",
        ),
        ("a --keys=", "invalid value `` for --keys, expected DIR"),
        ("a --by name", "invalid value `name` for --by, expected address|port|context"),
        ("a --agents 0", "invalid value `0` for --agents, expected N"),
        ("a --max-response 483", "invalid value `483` for --max-response, expected OCTETS"),
        ("a --threads 0", "invalid value `0` for --threads, expected N"),
        ("a --reset-clock 0", "invalid value `0` for --reset-clock, expected SECONDS"),
    ] {
        let error = parsed(line).unwrap_err().to_string();
        assert!(error.starts_with(stderr), "{line}: {error}");
    }
}

#[test]
fn help_and_version_options_need_no_recording_file() {
    assert_eq!(parsed("--help").unwrap(), Command::Help);
    assert_eq!(parsed("a -V").unwrap(), Command::Version);
    assert!(flags().all(|flag| help().contains(&flag.syntax())));
}
