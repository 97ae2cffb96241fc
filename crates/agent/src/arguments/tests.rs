use super::*;

fn parsed(line: &str) -> Result<Command, UsageError> {
    parse(line.split_whitespace().map(OsString::from))
}

#[test]
fn every_command_parses() {
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
                as_data: false,
            },
        ),
        ("run --config f", Command::Run { config: config.clone() }),
        ("run --config=f", Command::Run { config: config.clone() }),
        ("reload --config f", Command::Reload { config: config.clone() }),
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
fn what_means_nothing_is_refused_with_the_reason() {
    let table = [
        ("walk", "no command is called `walk`; there are run, demo, init, check, audit, reload"),
        ("run --dir d", "`run` takes no --dir"),
        ("run f", "`f` is one argument too many"),
        ("run --config", "--config needs a value"),
        ("run --frob", "no option is called `--frob`"),
        ("demo", "`demo` needs --dir DIR"),
        ("demo --dir d --base-port 0", "--base-port is a number from 1 to 65535, not `0`"),
        ("demo --dir d --base-port 65536", "--base-port is a number from 1 to 65535, not `65536`"),
        ("check", "`check` needs FILE"),
        ("check a b", "`b` is one argument too many"),
        ("run --allow write-all", "`run` takes no --allow"),
        ("check a --json", "`check` takes no --json"),
    ];
    for (line, reason) in table {
        assert_eq!(parsed(line).unwrap_err().to_string(), reason, "{line}");
    }
}

#[test]
fn a_finding_of_another_name_is_refused_with_those_that_there_are() {
    let reason = parsed("audit --allow open-sockets:udp:0.0.0.0:161").unwrap_err().to_string();
    assert!(
        reason.starts_with("no finding is called `open-sockets`; there are community-write, "),
        "{reason}"
    );
    assert!(reason.contains(", open-socket, "), "{reason}");
}

#[test]
fn every_command_in_the_help_exists() {
    for command in COMMANDS {
        assert!(!matches!(parsed(command.name), Err(UsageError::UnknownCommand(_))), "{}", command.name);
    }
}
