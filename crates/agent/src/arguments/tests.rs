use super::*;

fn parsed(line: &str) -> Result<Command, UsageError> {
    parse(line.split_whitespace().map(OsString::from))
}

#[test]
fn command_line_of_every_command_is_parsed() {
    let config = PathBuf::from("f");
    let table = [
        ("", Command::Help),
        ("run --help", Command::Help),
        ("--version", Command::Version),
        (
            "audit --config f --allow write-all:ops --allow=open-socket",
            Command::Audit {
                config: config.clone(),
                accepted: vec!["write-all:ops".into(), "open-socket".into()],
                json: false,
            },
        ),
        ("run --config f", Command::Run { config: config.clone(), first_start: false }),
        ("run --config=f --first-start", Command::Run { config: config.clone(), first_start: true }),
        ("reload --config f", Command::Reload { config: config.clone(), quiet: false }),
        ("reload --config f --quiet", Command::Reload { config: config.clone(), quiet: true }),
        ("status --config f --json", Command::Status { config: config.clone(), json: true }),
        ("kill-session --config f 7", Command::KillSession { config: config.clone(), session: 7 }),
        ("check f", Command::Check { config }),
        ("init d", Command::Init { directory: "d".into() }),
        ("demo --dir d --base-port 7", Command::Demo { directory: "d".into(), base_port: 7 }),
        ("demo --dir d", Command::Demo { directory: "d".into(), base_port: DEFAULT_BASE_PORT }),
    ];
    for (line, command) in table {
        assert_eq!(parsed(line), Ok(command), "{line}");
    }
}

#[test]
fn invalid_command_lines_are_rejected_with_reason() {
    let table = [
        (
            "walk",
            "unknown command `walk`; the commands are run, demo, init, check, audit, reload, status, kill-session",
        ),
        ("run --dir d", "`run` does not accept --dir"),
        ("run f", "unexpected argument `f`"),
        ("run --config", "--config requires a value"),
        ("run --frob", "unknown option `--frob`"),
        ("demo", "`demo` requires --dir DIR"),
        ("demo --dir d --base-port 0", "invalid --base-port `0`: expected a number from 1 to 65535"),
        ("demo --dir d --base-port 65536", "invalid --base-port `65536`: expected a number from 1 to 65535"),
        ("check", "`check` requires FILE"),
        ("check a b", "unexpected argument `b`"),
        ("run --allow write-all", "`run` does not accept --allow"),
        ("status --quiet", "`status` does not accept --quiet"),
        ("check a --json", "`check` does not accept --json"),
    ];
    for (line, reason) in table {
        assert_eq!(parsed(line).unwrap_err().to_string(), reason, "{line}");
    }
}

#[test]
fn allow_option_rejects_unknown_finding_and_lists_known_findings() {
    let reason = parsed("audit --allow open-sockets:udp:0.0.0.0:161").unwrap_err().to_string();
    assert!(
        reason.starts_with("unknown finding `open-sockets`; the findings are community-write, "),
        "{reason}"
    );
    assert!(reason.contains(", open-socket, "), "{reason}");
}

#[test]
fn every_command_listed_in_help_is_recognized() {
    for command in COMMANDS {
        assert!(!matches!(parsed(command.name), Err(UsageError::UnknownCommand(_))), "{}", command.name);
    }
}
