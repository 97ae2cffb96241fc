use super::*;

#[test]
fn a_socket_can_be_named_and_need_not_be() {
    assert_eq!(read(&[]), Ok(Command::Relay("/run/portreeve/snmp.sock".into())));
    assert_eq!(read(&["/x/y.sock"]), Ok(Command::Relay("/x/y.sock".into())));
}

#[test]
fn what_means_nothing_is_said_to() {
    assert_eq!(read(&["--socket"]), Err(UsageError::UnknownOption("--socket".into())));
    assert_eq!(read(&["a", "b"]), Err(UsageError::Unexpected("b".into())));
    assert_eq!(
        UsageError::UnknownOption("-\u{1b}[2J".into()).to_string(),
        "no option is called `-\\u{1b}[2J`"
    );
}

#[test]
fn the_help_names_the_socket_that_is_used_without_one() {
    assert_eq!(read(&["--help"]), Ok(Command::Help));
    assert_eq!(read(&["-V"]), Ok(Command::Version));
    assert!(help().contains(RELAY_SOCKET));
}

fn read(arguments: &[&str]) -> Result<Command, UsageError> {
    parse(arguments.iter().map(OsString::from))
}
