use super::{COMMANDS, Given, Parsed, UsageError, help, parse};
use crate::lines::For;

#[test]
fn a_command_line_says_what_and_for_whom() {
    let given = run("host gw.example --san 192.0.2.1 --san=ops@gw.example --days 30 --tls --dir /tmp/keys");
    assert_eq!(given.operand().as_deref(), Some("gw.example"));
    assert_eq!(given.names.len(), 2);
    assert_eq!((given.days, given.kinds(), given.force), (Some(30), (true, false), false));
    assert_eq!(run("lines --only known-hosts").only, Some(For::KnownHosts));
    assert_eq!(run("show -- --odd-name").operand().as_deref(), Some("--odd-name"));
    assert_eq!(run("user ops").kinds(), (true, true));
}

#[test]
fn what_means_nothing_is_told_with_a_cure() {
    for (line, told) in [
        (
            "make",
            "no command is called `make`; there are ca, host, user, sign, renew, revoke, lines, list, show",
        ),
        ("host", "`host` needs HOST"),
        ("host a b", "`b` is one argument too many"),
        ("ca extra", "`extra` is one argument too many"),
        ("ca --san x", "`ca` has no option `--san`"),
        ("user ops --days 0", "--days takes N, not `0`"),
        ("user ops --days", "--days needs N"),
        ("user ops --force=yes", "--force takes no value"),
        ("user ops --source-address 192.0.2.1/24", "--source-address takes LIST"),
        ("user ops --san a@b@c", "--san takes NAME"),
        ("lines --only everything", "--only takes agent|client|known-hosts|authorized-keys"),
        ("ca --name", "--name needs NAME"),
        ("renew --within 0", "--within takes N, not `0`"),
    ] {
        let Err(error) = parse(line.split(' ').map(Into::into)) else { panic!("{line} was understood") };
        assert!(error.to_string().contains(told), "{line}: {error}");
        assert!(!error.cure().is_empty());
        assert!(!matches!(error, UsageError::NoCommand(ref name) if name.is_empty()));
    }
}

#[test]
fn a_pass_phrase_cannot_stand_on_the_command_line() {
    for command in COMMANDS {
        for option in command.options.iter().filter(|option| option.flag.does.contains("pass phrase")) {
            assert!(matches!(option.flag.value, None | Some("FILE")), "--{}", option.flag.long.unwrap());
        }
    }
}

#[test]
fn the_help_names_every_command_and_each_ones_options() {
    let all = help(None);
    for command in COMMANDS {
        assert!(all.contains(&format!("  {} ", command.name)), "{}", command.name);
        // Lines are as long as a terminal is wide.
        let own = help(Some(command)).split_whitespace().collect::<Vec<_>>().join(" ");
        for option in command.options {
            assert!(own.contains(option.flag.does), "{} {}", command.name, option.flag.written());
        }
    }
    assert!(matches!(parse(["ca".into(), "--help".into()]), Ok(Parsed::Help(Some(_)))));
    assert!(matches!(parse([]), Ok(Parsed::Help(None))));
}

fn run(line: &str) -> Box<Given> {
    match parse(line.split(' ').map(Into::into)) {
        Ok(Parsed::Run(_, given)) => given,
        Ok(_) => panic!("{line}: help"),
        Err(error) => panic!("{line}: {error}"),
    }
}
