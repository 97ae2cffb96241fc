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
fn file_is_the_only_required_argument() {
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
        by: AddressingMode::Address,
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
    let unmentioned =
        OPTIONS.iter().find(|option| !line.contains(&option.flag.names()[0])).map(|option| option.flag);
    assert!(unmentioned.is_none(), "{unmentioned:?}");
}

#[test]
fn invalid_command_line_is_rejected_with_expected_value() {
    for (line, stderr) in [
        ("", "no recording was given"),
        ("--loss 1", "no recording was given"),
        ("--lose 1 a", "no option is called `--lose`"),
        ("a --loss", "--loss takes PERCENT, not ``"),
        ("a --loss 101", "--loss takes PERCENT, not `101`"),
        ("a --listen 127.0.0.1:161", "--listen takes TRANSPORT:ADDRESS:PORT"),
        ("a --listen quic:127.0.0.1:161", "--listen takes TRANSPORT:ADDRESS:PORT"),
        ("a --keys=", "--keys takes DIR, not ``"),
        ("a --by name", "--by takes address|port|context"),
        ("a --agents 0", "--agents takes N, not `0`"),
        ("a --max-response 483", "--max-response takes OCTETS, not `483`"),
        ("a --threads 0", "--threads takes N, not `0`"),
        ("a --reset-clock 0", "--reset-clock takes SECONDS, not `0`"),
    ] {
        let error = parsed(line).unwrap_err().to_string();
        assert!(error.starts_with(stderr), "{line}: {error}");
    }
}

#[test]
fn help_and_version_need_no_file() {
    assert_eq!(parsed("--help").unwrap(), Command::Help);
    assert_eq!(parsed("a -V").unwrap(), Command::Version);
    assert!(flags().all(|flag| help().contains(&flag.syntax())));
}
