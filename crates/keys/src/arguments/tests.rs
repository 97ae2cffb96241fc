use super::{Args, COMMANDS, Parsed, UsageError, help, parse};
use crate::lines::Audience;

#[test]
fn parse_accepts_options_and_operands() {
    let args = run("host gw.example --san 192.0.2.1 --san=ops@gw.example --days 30 --tls --dir /tmp/keys");
    assert_eq!(args.operand().as_deref(), Some("gw.example"));
    assert_eq!(args.names.len(), 2);
    assert_eq!((args.days, args.kinds(), args.force), (Some(30), (true, false), false));
    assert_eq!(run("lines --only known-hosts").only, Some(Audience::KnownHosts));
    assert_eq!(run("show -- --odd-name").operand().as_deref(), Some("--odd-name"));
    assert_eq!(run("user ops").kinds(), (true, true));
}

#[test]
fn invalid_command_lines_are_rejected_with_hint() {
    for (line, message) in [
        (
            "make",
            "unknown command `make`; the commands are ca, host, user, sign, renew, revoke, lines, list, show",
        ),
        ("host", "`host` requires HOST"),
        ("host a b", "unexpected argument `b`"),
        ("ca extra", "unexpected argument `extra`"),
        ("ca --san x", "`ca` does not accept `--san`"),
        ("user ops --days 0", "invalid value `0` of --days: expected N"),
        ("user ops --days", "--days requires N"),
        ("user ops --force=yes", "--force does not accept a value"),
        ("user ops --source-address 192.0.2.1/24", "of --source-address: expected LIST"),
        ("user ops --san a@b@c", "of --san: expected NAME"),
        ("lines --only everything", "of --only: expected agent|client|known-hosts|authorized-keys"),
        ("ca --name", "--name requires NAME"),
        ("renew --within 0", "invalid value `0` of --within: expected N"),
    ] {
        let Err(error) = parse(line.split(' ').map(Into::into)) else { panic!("{line} was accepted") };
        assert!(error.to_string().contains(message), "{line}: {error}");
        assert!(!error.hint().is_empty());
        assert!(!matches!(error, UsageError::UnknownCommand(ref name) if name.is_empty()));
    }
}

#[test]
fn pass_phrases_are_not_accepted_as_option_values() {
    for command in COMMANDS {
        for option in command.options.iter().filter(|option| option.flag.help.contains("pass phrase")) {
            assert!(matches!(option.flag.value, None | Some("FILE")), "--{}", option.flag.long.unwrap());
        }
    }
}

#[test]
fn help_lists_every_command_and_option() {
    let all = help(None);
    for command in COMMANDS {
        assert!(all.contains(&format!("  {} ", command.name)), "{}", command.name);
        // Help is wrapped at the width of a terminal.
        let own = help(Some(command)).split_whitespace().collect::<Vec<_>>().join(" ");
        for option in command.options {
            assert!(own.contains(option.flag.help), "{} {}", command.name, option.flag.syntax());
        }
    }
    assert!(matches!(parse(["ca".into(), "--help".into()]), Ok(Parsed::Help(Some(_)))));
    assert!(matches!(parse([]), Ok(Parsed::Help(None))));
}

fn run(line: &str) -> Box<Args> {
    match parse(line.split(' ').map(Into::into)) {
        Ok(Parsed::Run(_, args)) => args,
        Ok(_) => panic!("{line}: help"),
        Err(error) => panic!("{line}: {error}"),
    }
}
